/* Trees in the words of C, for messages and names.

   *(x + (sizetype) ((long unsigned int) i * 4))  ->  x[i]

   What has no short form is printed as GCC prints it.  */

#include "plugin/reader.hh"

/* The operator that C writes for CODE, or NULL.  */
static const char *
infix (enum tree_code code)
{
  switch (code)
    {
    case PLUS_EXPR:
    case POINTER_PLUS_EXPR:
      return "+";
    case MINUS_EXPR:
    case POINTER_DIFF_EXPR:
      return "-";
    case MULT_EXPR:
      return "*";
    case RDIV_EXPR:
    case TRUNC_DIV_EXPR:
    case EXACT_DIV_EXPR:
      return "/";
    case TRUNC_MOD_EXPR:
      return "%";
    case LT_EXPR:
      return "<";
    case LE_EXPR:
      return "<=";
    case GT_EXPR:
      return ">";
    case GE_EXPR:
      return ">=";
    case EQ_EXPR:
      return "==";
    case NE_EXPR:
      return "!=";
    case TRUTH_ANDIF_EXPR:
    case TRUTH_AND_EXPR:
      return "&&";
    case TRUTH_ORIF_EXPR:
    case TRUTH_OR_EXPR:
      return "||";
    case LSHIFT_EXPR:
      return "<<";
    case RSHIFT_EXPR:
      return ">>";
    case BIT_AND_EXPR:
      return "&";
    case BIT_IOR_EXPR:
      return "|";
    case BIT_XOR_EXPR:
      return "^";
    default:
      return NULL;
    }
}

/* The subscript whose byte offset OFFSET is, or NULL_TREE: the operand of
   the multiplication by the element's size.  */
static tree
subscript_of_offset (tree offset)
{
  while (CONVERT_EXPR_P (offset) || TREE_CODE (offset) == SAVE_EXPR)
    offset = TREE_OPERAND (offset, 0);
  if (TREE_CODE (offset) == MULT_EXPR
      && TREE_CODE (TREE_OPERAND (offset, 1)) == INTEGER_CST)
    return TREE_OPERAND (offset, 0);
  return NULL_TREE;
}

/* What POINTER points to.  */
static const char *
spell_indirect (tns_arena *arena, tree pointer)
{
  while (CONVERT_EXPR_P (pointer) || TREE_CODE (pointer) == SAVE_EXPR)
    pointer = TREE_OPERAND (pointer, 0);
  if (TREE_CODE (pointer) == ADDR_EXPR)
    return tns_spell (arena, TREE_OPERAND (pointer, 0));
  if (TREE_CODE (pointer) == POINTER_PLUS_EXPR)
    {
      tree base = TREE_OPERAND (pointer, 0);
      tree offset = TREE_OPERAND (pointer, 1);
      tree subscript = subscript_of_offset (offset);
      if (subscript)
        return tns_arena_format (arena, "%s[%s]", tns_spell (arena, base),
                                 tns_spell (arena, subscript));
      return tns_arena_format (arena, "%s[...]", tns_spell (arena, base));
    }
  return tns_arena_format (arena, "*%s", tns_spell (arena, pointer));
}

/* A member of a structure.  */
static const char *
spell_member (tns_arena *arena, tree ref)
{
  tree of = TREE_OPERAND (ref, 0);
  tree name = DECL_NAME (TREE_OPERAND (ref, 1));
  const char *member = name ? IDENTIFIER_POINTER (name) : "";
  tree pointer = TREE_CODE (of) == INDIRECT_REF ? TREE_OPERAND (of, 0) : NULL;
  while (pointer && CONVERT_EXPR_P (pointer))
    pointer = TREE_OPERAND (pointer, 0);
  if (pointer && TREE_CODE (pointer) != POINTER_PLUS_EXPR)
    return tns_arena_format (arena, "%s->%s", tns_spell (arena, pointer),
                             member);
  return tns_arena_format (arena, "%s.%s", tns_spell (arena, of), member);
}

/* As GCC prints it, in ARENA.  */
static const char *
spell_as_gcc (tns_arena *arena, tree expr)
{
  char *text = print_generic_expr_to_str (expr);
  const char *kept = tns_arena_string (arena, text);
  free (text);
  return kept;
}

/* A call, by its function's name.  */
static const char *
spell_call (tns_arena *arena, tree call)
{
  tree fndecl = get_callee_fndecl (call);
  if (fndecl && DECL_NAME (fndecl))
    return IDENTIFIER_POINTER (DECL_NAME (fndecl));
  return CALL_EXPR_FN (call) ? tns_spell (arena, CALL_EXPR_FN (call))
                             : spell_as_gcc (arena, call);
}

/* An expression of two operands; what is added to a pointer counts
   elements.  */
static const char *
spell_binary (tns_arena *arena, tree expr)
{
  tree offset = TREE_CODE (expr) == POINTER_PLUS_EXPR
                  ? subscript_of_offset (TREE_OPERAND (expr, 1))
                  : NULL_TREE;
  if (offset)
    return tns_arena_format (arena, "%s + %s",
                             tns_spell (arena, TREE_OPERAND (expr, 0)),
                             tns_spell (arena, offset));
  return tns_arena_format (
    arena, "%s %s %s", tns_spell (arena, TREE_OPERAND (expr, 0)),
    infix (TREE_CODE (expr)), tns_spell (arena, TREE_OPERAND (expr, 1)));
}

const char *
tns_spell (tns_arena *arena, tree expr)
{
  if (!expr)
    return "";
  if (TREE_CODE (expr) == RESULT_DECL)
    return tns_spell (arena, DECL_CONTEXT (expr));
  if (DECL_P (expr))
    return DECL_NAME (expr) ? IDENTIFIER_POINTER (DECL_NAME (expr))
                            : "a temporary";
  if (CONVERT_EXPR_P (expr))
    return tns_spell (arena, TREE_OPERAND (expr, 0));
  switch (TREE_CODE (expr))
    {
    case SAVE_EXPR:
    case NON_LVALUE_EXPR:
    case FLOAT_EXPR:
    case FIX_TRUNC_EXPR:
    case C_MAYBE_CONST_EXPR:
      return tns_spell (
        arena, TREE_OPERAND (expr, TREE_CODE (expr) == C_MAYBE_CONST_EXPR));
    case INDIRECT_REF:
      return spell_indirect (arena, TREE_OPERAND (expr, 0));
    case ADDR_EXPR:
      if (TREE_CODE (TREE_TYPE (TREE_OPERAND (expr, 0))) == ARRAY_TYPE)
        return tns_spell (arena, TREE_OPERAND (expr, 0));
      return tns_arena_format (arena, "&%s",
                               tns_spell (arena, TREE_OPERAND (expr, 0)));
    case ARRAY_REF:
      return tns_arena_format (arena, "%s[%s]",
                               tns_spell (arena, TREE_OPERAND (expr, 0)),
                               tns_spell (arena, TREE_OPERAND (expr, 1)));
    case COMPONENT_REF:
      return spell_member (arena, expr);
    case CALL_EXPR:
      return spell_call (arena, expr);
    case INTEGER_CST:
      return POINTER_TYPE_P (TREE_TYPE (expr)) && integer_zerop (expr)
               ? "NULL"
               : spell_as_gcc (arena, expr);
    case MIN_EXPR:
    case MAX_EXPR:
      return tns_arena_format (arena, "%s (%s, %s)",
                               TREE_CODE (expr) == MIN_EXPR ? "min" : "max",
                               tns_spell (arena, TREE_OPERAND (expr, 0)),
                               tns_spell (arena, TREE_OPERAND (expr, 1)));
    case TARGET_EXPR:
      return "({ ... })";
    default:
      return infix (TREE_CODE (expr)) ? spell_binary (arena, expr)
                                      : spell_as_gcc (arena, expr);
    }
}
