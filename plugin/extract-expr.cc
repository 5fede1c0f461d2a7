/* Expressions: GCC's trees -> typed expressions of the IR.

   Each tree code has one case; what has none is refused by its name.  Truth
   values are int in C and BOOL here: read_cond takes them without the
   detour.  An operand that changes a variable, or a function to be inlined,
   becomes statements before the one being read; in an operand that is not
   always evaluated (?:, &&, ||) it is refused.  */

#include "plugin/known.hh"
#include "plugin/math.hh"

/* The operator for CODE where operands and result have one type, NONE when
   there is none.  */
static tns_op
arithmetic_op (enum tree_code code)
{
  switch (code)
    {
    case PLUS_EXPR:
      return TNS_ADD;
    case MINUS_EXPR:
      return TNS_SUB;
    case MULT_EXPR:
      return TNS_MUL;
    case RDIV_EXPR:
    case TRUNC_DIV_EXPR:
    case EXACT_DIV_EXPR:
      return TNS_DIV;
    case TRUNC_MOD_EXPR:
      return TNS_REM;
    case MIN_EXPR:
      return TNS_MIN;
    case MAX_EXPR:
      return TNS_MAX;
    case BIT_AND_EXPR:
      return TNS_AND;
    case BIT_IOR_EXPR:
      return TNS_OR;
    case BIT_XOR_EXPR:
      return TNS_XOR;
    case LSHIFT_EXPR:
      return TNS_SHL;
    case RSHIFT_EXPR:
      return TNS_SHR;
    case NEGATE_EXPR:
      return TNS_NEG;
    case BIT_NOT_EXPR:
      return TNS_NOT;
    case ABS_EXPR:
      return TNS_ABS;
    default:
      return TNS_NONE;
    }
}

/* The comparison for CODE, NONE when it is none.  */
static tns_op
comparison_op (enum tree_code code)
{
  switch (code)
    {
    case LT_EXPR:
      return TNS_LT;
    case LE_EXPR:
      return TNS_LE;
    case GT_EXPR:
      return TNS_GT;
    case GE_EXPR:
      return TNS_GE;
    case EQ_EXPR:
      return TNS_EQ;
    case NE_EXPR:
      return TNS_NE;
    default:
      return TNS_NONE;
    }
}

/* EXPR with the place of TREE.  */
static tns_expr *
placed (tns_expr *expr, tree at)
{
  if (expr && EXPR_HAS_LOCATION (at) && !expr->loc.handle && expr->op != TNS_INT
      && expr->op != TNS_SYM)
    expr->loc = tns_loc_of (EXPR_LOCATION (at));
  return expr;
}

/* An integer constant of type TYPE.  */
static tns_expr *
read_integer (tns_reader *reader, tree cst)
{
  tns_elem elem;
  if (!tns_type_of_tree (TREE_TYPE (cst), &elem))
    return (tns_expr *) tns_reader_refuse_tree (reader, TREE_TYPE (cst),
                                                TNS_WHY_TYPE);
  return tns_int_of (reader->arena, elem, wi::to_wide (cst).to_shwi ());
}

tns_expr *
tns_real_of_tree (tns_arena *arena, tns_elem elem, tree cst)
{
  char digits[128];
  REAL_VALUE_TYPE value = TREE_REAL_CST (cst);
  if (REAL_VALUE_ISNAN (value))
    return tns_real (arena, elem, __builtin_nanl (""));
  if (REAL_VALUE_ISINF (value))
    return tns_real (arena, elem,
                     REAL_VALUE_NEGATIVE (value) ? -__builtin_infl ()
                                                 : __builtin_infl ());
  real_to_hexadecimal (digits, &value, sizeof digits, 0, 1);
  return tns_real (arena, elem, strtold (digits, NULL));
}

/* A floating constant.  */
static tns_expr *
read_real (tns_reader *reader, tree cst)
{
  tns_elem elem;
  if (!tns_type_of_tree (TREE_TYPE (cst), &elem))
    return (tns_expr *) tns_reader_refuse_tree (reader, TREE_TYPE (cst),
                                                TNS_WHY_TYPE);
  return tns_real_of_tree (reader->arena, elem, cst);
}

/* The operands of EXPR under OP, of one type; a shift's count is cast.  */
static tns_expr *
read_arithmetic (tns_reader *reader, tns_op op, tree expr)
{
  tns_expr *a = tns_read_expr (reader, TREE_OPERAND (expr, 0));
  if (!a || TREE_OPERAND_LENGTH (expr) == 1)
    return tns_unary (reader->arena, op, a);
  tns_expr *b = tns_read_expr (reader, TREE_OPERAND (expr, 1));
  return tns_binary (reader->arena, op, a,
                     b ? tns_cast (reader->arena, a->type, b) : b);
}

/* a rotated by b: the bits that leave a at one end come in at the other.  */
static tns_expr *
read_rotation (tns_reader *reader, tree expr)
{
  tns_arena *arena = reader->arena;
  tns_elem elem;
  tns_expr *a = tns_read_expr (reader, TREE_OPERAND (expr, 0));
  tns_expr *b = a ? tns_read_expr (reader, TREE_OPERAND (expr, 1)) : NULL;
  if (!b || !tns_type_of_tree (TREE_TYPE (expr), &elem)
      || !tns_elem_is_unsigned (elem))
    return b ? (tns_expr *) tns_reader_refuse_tree (reader, TREE_TYPE (expr),
                                                    TNS_WHY_TYPE)
             : NULL;
  bool left = TREE_CODE (expr) == LROTATE_EXPR;
  long long bits = 8 * tns_elem_bytes (elem);
  long long k;
  tns_type type = tns_scalar (elem);
  tns_expr *mask = tns_int_of (arena, elem, bits - 1);
  tns_expr *by = tns_cast (arena, type, b);
  tns_expr *back = tns_unary (arena, TNS_NEG, by);
  by = tns_binary (arena, TNS_AND, by, mask);
  back = tns_binary (arena, TNS_AND, back, mask);
  if (tns_expr_is_int (b, &k))
    {
      by = tns_int_of (arena, elem, k & (bits - 1));
      back = tns_int_of (arena, elem, -k & (bits - 1));
    }
  return tns_binary (arena, TNS_OR,
                     tns_binary (arena, left ? TNS_SHL : TNS_SHR, a, by),
                     tns_binary (arena, left ? TNS_SHR : TNS_SHL, a, back));
}

/* abs (a) as an unsigned number, which the least a has too.  */
static tns_expr *
read_unsigned_abs (tns_reader *reader, tree expr)
{
  tns_arena *arena = reader->arena;
  tns_elem elem;
  tns_expr *a = tns_read_expr (reader, TREE_OPERAND (expr, 0));
  if (!a || !tns_type_of_tree (TREE_TYPE (expr), &elem))
    return a ? (tns_expr *) tns_reader_refuse_tree (reader, TREE_TYPE (expr),
                                                    TNS_WHY_TYPE)
             : NULL;
  tns_expr *bits = tns_cast (arena, tns_scalar (elem), a);
  tns_expr *is_negative
    = tns_binary (arena, TNS_LT, a, tns_int_of (arena, a->type.elem, 0));
  return tns_ternary (arena, TNS_SELECT, is_negative,
                      tns_unary (arena, TNS_NEG, bits), bits);
}

/* COMPARISON of integers that need no memory, in I64 where the values are
   the same there.  */
static tns_expr *
in_one_type (tns_reader *reader, tns_expr *comparison)
{
  tns_expr *a = comparison->arg[0];
  tns_expr *b = comparison->arg[1];
  tns_elem elem = a->type.elem;
  if (elem == TNS_BOOL && b->op == TNS_INT
      && (comparison->op == TNS_EQ || comparison->op == TNS_NE))
    return (comparison->op == TNS_NE) == (b->integer == 0)
             ? a
             : tns_unary (reader->arena, TNS_LNOT, a);
  if (!tns_elem_is_integer (elem) || !tns_is_pure (a) || !tns_is_pure (b))
    return comparison;
  reader->strict++;
  a = tns_as_index (reader, a);
  b = tns_as_index (reader, b);
  reader->strict--;
  if (elem == TNS_U64
      && (!tns_is_non_negative (reader, a) || !tns_is_non_negative (reader, b)))
    return comparison;
  return tns_binary (reader->arena, comparison->op, a, b);
}

/* A comparison of pointers that the region does not change: a VALUE.  */
static tns_expr *
read_pointers (tns_reader *reader, tree expr)
{
  tree a = tns_at_entry (reader, TREE_OPERAND (expr, 0));
  tree b = a ? tns_at_entry (reader, TREE_OPERAND (expr, 1)) : NULL_TREE;
  tree entry
    = b ? build2 (TREE_CODE (expr), integer_type_node, a, b) : NULL_TREE;
  tns_expr *value = tns_entry_value (reader, entry, integer_type_node,
                                     tns_spell (reader->arena, expr));
  if (!value)
    return (tns_expr *) tns_reader_refuse_tree (reader, expr,
                                                TNS_WHY_EXPRESSION);
  return tns_binary (reader->arena, TNS_NE, value,
                     tns_int_of (reader->arena, value->type.elem, 0));
}

/* A comparison of scalars.  */
static tns_expr *
read_comparison (tns_reader *reader, tns_op op, tree expr)
{
  if (POINTER_TYPE_P (TREE_TYPE (TREE_OPERAND (expr, 0))))
    return read_pointers (reader, expr);
  tns_expr *read = read_arithmetic (reader, op, expr);
  return read ? placed (in_one_type (reader, read), expr) : NULL;
}

/* An operand of ?:, && or || that is evaluated when WHEN holds.  */
static tns_expr *
read_conditional (tns_reader *reader, tns_expr *when, tree expr, bool as_cond)
{
  tns_begin_conditional (reader, when);
  tns_expr *read
    = as_cond ? tns_read_cond (reader, expr) : tns_read_expr (reader, expr);
  tns_end_conditional (reader);
  return read;
}

/* a && b, a || b.  */
static tns_expr *
read_logic (tns_reader *reader, tns_op op, tree expr)
{
  tns_expr *a = tns_read_cond (reader, TREE_OPERAND (expr, 0));
  tree second = TREE_OPERAND (expr, 1);
  if (!a)
    return NULL;
  if (!reader->conditional && tns_needs_branch (second))
    return tns_read_both (reader, op, a, second);
  tns_expr *when = op == TNS_LOR ? tns_unary (reader->arena, TNS_LNOT, a) : a;
  return tns_binary (reader->arena, op, a,
                     read_conditional (reader, when, second, true));
}

/* EXPR is a truth value whatever its type.  */
static bool
is_truth (tree expr)
{
  return COMPARISON_CLASS_P (expr) || TREE_CODE (expr) == TRUTH_ANDIF_EXPR
         || TREE_CODE (expr) == TRUTH_ORIF_EXPR
         || TREE_CODE (expr) == TRUTH_AND_EXPR
         || TREE_CODE (expr) == TRUTH_OR_EXPR
         || TREE_CODE (expr) == TRUTH_XOR_EXPR
         || TREE_CODE (expr) == TRUTH_NOT_EXPR;
}

/* Comparisons that are true of NaNs: a < b or unordered is !(a >= b).  */
static tns_expr *
read_unordered (tns_reader *reader, tree expr)
{
  tns_arena *arena = reader->arena;
  tns_expr *a = tns_read_expr (reader, TREE_OPERAND (expr, 0));
  tns_expr *b = a ? tns_read_expr (reader, TREE_OPERAND (expr, 1)) : NULL;
  switch (TREE_CODE (expr))
    {
    case UNLT_EXPR:
      return tns_unary (arena, TNS_LNOT, tns_binary (arena, TNS_GE, a, b));
    case UNLE_EXPR:
      return tns_unary (arena, TNS_LNOT, tns_binary (arena, TNS_GT, a, b));
    case UNGT_EXPR:
      return tns_unary (arena, TNS_LNOT, tns_binary (arena, TNS_LE, a, b));
    case UNGE_EXPR:
      return tns_unary (arena, TNS_LNOT, tns_binary (arena, TNS_LT, a, b));
    case UNORDERED_EXPR:
      return tns_binary (arena, TNS_LOR, tns_binary (arena, TNS_NE, a, a),
                         tns_binary (arena, TNS_NE, b, b));
    case ORDERED_EXPR:
      return tns_binary (arena, TNS_LAND, tns_binary (arena, TNS_EQ, a, a),
                         tns_binary (arena, TNS_EQ, b, b));
    case UNEQ_EXPR:
      return tns_binary (
        arena, TNS_LAND,
        tns_unary (arena, TNS_LNOT, tns_binary (arena, TNS_LT, a, b)),
        tns_unary (arena, TNS_LNOT, tns_binary (arena, TNS_GT, a, b)));
    case LTGT_EXPR:
      return tns_binary (arena, TNS_LOR, tns_binary (arena, TNS_LT, a, b),
                         tns_binary (arena, TNS_GT, a, b));
    default:
      return (tns_expr *) tns_reader_refuse_tree (reader, expr,
                                                  TNS_WHY_EXPRESSION);
    }
}

/* The truth value of EXPR, which is_truth.  */
static tns_expr *
read_truth (tns_reader *reader, tree expr)
{
  tns_op op = comparison_op (TREE_CODE (expr));
  if ((op == TNS_NE || op == TNS_EQ) && integer_zerop (TREE_OPERAND (expr, 1))
      && tns_is_signbit (TREE_OPERAND (expr, 0)))
    {
      tns_expr *sign = tns_read_signbit (reader, TREE_OPERAND (expr, 0));
      return op == TNS_NE ? sign : tns_unary (reader->arena, TNS_LNOT, sign);
    }
  if (op != TNS_NONE)
    return read_comparison (reader, op, expr);
  switch (TREE_CODE (expr))
    {
    case TRUTH_ANDIF_EXPR:
    case TRUTH_AND_EXPR:
      return read_logic (reader, TNS_LAND, expr);
    case TRUTH_ORIF_EXPR:
    case TRUTH_OR_EXPR:
      return read_logic (reader, TNS_LOR, expr);
    case TRUTH_NOT_EXPR:
      return tns_unary (reader->arena, TNS_LNOT,
                        tns_read_cond (reader, TREE_OPERAND (expr, 0)));
    case TRUTH_XOR_EXPR:
      return tns_binary (reader->arena, TNS_NE,
                         tns_read_cond (reader, TREE_OPERAND (expr, 0)),
                         tns_read_cond (reader, TREE_OPERAND (expr, 1)));
    default:
      return read_unordered (reader, expr);
    }
}

tns_expr *
tns_read_cond (tns_reader *reader, tree expr)
{
  expr = tns_strip (expr);
  tree inner = expr;
  while (CONVERT_EXPR_P (inner) || TREE_CODE (inner) == NON_LVALUE_EXPR)
    inner = TREE_OPERAND (inner, 0);
  if (is_truth (inner))
    {
      bool is_not_zero = (TREE_CODE (inner) == NE_EXPR
                          && integer_zerop (TREE_OPERAND (inner, 1)));
      tree of = is_not_zero ? tns_strip (TREE_OPERAND (inner, 0)) : NULL_TREE;
      if (of && is_truth (of))
        return tns_read_cond (reader, of);
      return read_truth (reader, inner);
    }
  tns_expr *read = tns_read_expr (reader, expr);
  if (!read || read->type.elem == TNS_BOOL)
    return read;
  tns_expr *zero = tns_int_of (reader->arena, read->type.elem, 0);
  return tns_binary (reader->arena, TNS_NE, read, zero);
}

/* c ? a : b.  */
static tns_expr *
read_select (tns_reader *reader, tree expr)
{
  tns_expr *cond = tns_read_cond (reader, TREE_OPERAND (expr, 0));
  tns_elem elem;
  if (!cond)
    return NULL;
  if (!reader->conditional && tns_type_of_tree (TREE_TYPE (expr), &elem)
      && (tns_needs_branch (TREE_OPERAND (expr, 1))
          || tns_needs_branch (TREE_OPERAND (expr, 2))))
    return tns_read_chosen (reader, cond, TREE_OPERAND (expr, 1),
                            TREE_OPERAND (expr, 2), elem);
  tns_expr *a = read_conditional (reader, cond, TREE_OPERAND (expr, 1), false);
  tns_expr *otherwise = tns_unary (reader->arena, TNS_LNOT, cond);
  tns_expr *b
    = a ? read_conditional (reader, otherwise, TREE_OPERAND (expr, 2), false)
        : NULL;
  if (!b)
    return NULL;
  tns_type type = a->type;
  return tns_ternary (reader->arena, TNS_SELECT, cond, a,
                      tns_cast (reader->arena, type, b));
}

/* A conversion to the type of EXPR.  */
static tns_expr *
read_cast (tns_reader *reader, tree expr)
{
  tns_elem elem;
  tree operand = TREE_OPERAND (expr, 0);
  if (is_truth (operand) && TREE_CODE (TREE_TYPE (expr)) == BOOLEAN_TYPE)
    return tns_read_cond (reader, operand);
  if (!tns_type_of_tree (TREE_TYPE (expr), &elem))
    return (tns_expr *) tns_reader_refuse_tree (reader, TREE_TYPE (expr),
                                                TNS_WHY_TYPE);
  if (POINTER_TYPE_P (TREE_TYPE (operand)))
    return (tns_expr *) tns_reader_refuse_tree (reader, expr,
                                                TNS_WHY_EXPRESSION);
  return tns_cast (reader->arena, tns_scalar (elem),
                   tns_read_expr (reader, operand));
}

/* POINTER is a variable or a member.  */
static bool
is_named (tree pointer)
{
  return DECL_P (pointer) || TREE_CODE (pointer) == COMPONENT_REF;
}

/* A scalar in memory: a VALUE where the region cannot change it, else a
   load.  */
static tns_expr *
read_memory (tns_reader *reader, tree ref)
{
  if (tns_union_of_member (reader, ref))
    return tns_read_union (reader, ref);
  if (tree object = tns_punned (ref))
    return tns_read_pun (reader, object, TREE_TYPE (ref));
  bool is_place_in_member
    = TREE_CODE (ref) == ARRAY_REF
      && TREE_CODE (TREE_OPERAND (ref, 0)) == COMPONENT_REF
      && TREE_CODE (TREE_OPERAND (ref, 1)) == INTEGER_CST;
  bool may_be_value
    = TREE_CODE (ref) == COMPONENT_REF || is_place_in_member
      || (TREE_CODE (ref) == INDIRECT_REF && INTEGRAL_TYPE_P (TREE_TYPE (ref))
          && is_named (tns_strip (TREE_OPERAND (ref, 0))));
  bool may_be_active = reader->called && SCALAR_FLOAT_TYPE_P (TREE_TYPE (ref));
  if (may_be_value && !may_be_active && !TREE_THIS_VOLATILE (ref))
    {
      tree entry = tns_at_entry (reader, ref);
      tns_expr *value = entry ? tns_entry_value (reader, entry, TREE_TYPE (ref),
                                                 tns_spell (reader->arena, ref))
                              : NULL;
      if (value || reader->ctx->status != TNS_DONE)
        return value;
    }
  return tns_read_ref (reader, ref, false);
}

const tns_saved *
tns_find_saved (const tns_reader *reader, tree save)
{
  for (int k = 0; k < reader->saves.n; k++)
    if (reader->saves.item[k] == save)
      return &reader->saved[k];
  return NULL;
}

void
tns_add_saved (tns_reader *reader, tree save, tns_saved what)
{
  tns_trees_add (reader->arena, &reader->saves, save);
  if (reader->saves.n > reader->saved_room)
    {
      reader->saved = (tns_saved *) tns_arena_grow (
        reader->arena, reader->saved, sizeof (tns_saved) * reader->saved_room,
        sizeof (tns_saved) * reader->saves.room);
      reader->saved_room = reader->saves.room;
    }
  reader->saved[reader->saves.n - 1] = what;
}

/* The value that SAVE saves, read once for a statement.  */
static tns_expr *
read_saved (tns_reader *reader, tree save)
{
  const tns_saved *known = tns_find_saved (reader, save);
  if (known)
    return known->value;
  if (tns_trees_have (&reader->facts.type_saves, save))
    {
      tree entry = tns_at_entry (reader, save);
      if (entry && TREE_CODE (entry) == SAVE_EXPR)
        return tns_entry_value (reader, entry, TREE_TYPE (save),
                                tns_spell (reader->arena, save));
    }
  tns_expr *read = tns_read_expr (reader, TREE_OPERAND (save, 0));
  tns_add_saved (reader, save, (tns_saved){ read, NULL });
  return read;
}

/* CODE is what is left of isinf where its sign does not matter.  */
static bool
is_idle_sign (tree code)
{
  return tns_is_signbit (code)
         && TREE_CODE (CALL_EXPR_ARG (code, 0)) == SAVE_EXPR;
}

/* An expression that changes something, then its value.  */
static tns_expr *
read_changing (tns_reader *reader, tree expr)
{
  tree code = TREE_OPERAND (expr, 0);
  bool is_comma = TREE_CODE (expr) == COMPOUND_EXPR;
  bool is_idle = !TREE_SIDE_EFFECTS (code) || tns_may_drop_check (reader, code)
                 || is_idle_sign (code);
  if (is_comma && (is_idle || tns_guard_length (reader, code)))
    return tns_read_expr (reader, TREE_OPERAND (expr, 1));
  if (reader->conditional)
    return (tns_expr *) tns_reader_refuse_tree (reader, expr,
                                                TNS_WHY_SIDE_EFFECT);
  if (TREE_CODE (expr) == POSTINCREMENT_EXPR
      || TREE_CODE (expr) == POSTDECREMENT_EXPR)
    {
      tns_expr *before = tns_read_expr (reader, code);
      if (before && !tns_is_pure (before))
        before = tns_keep_value (reader, before);
      return before && tns_read_effect (reader, expr) ? before : NULL;
    }
  if (!tns_read_effect (reader, is_comma ? code : expr))
    return NULL;
  return tns_read_expr (reader, is_comma ? TREE_OPERAND (expr, 1) : code);
}

/* walk_tree's visitor: stops at an object of an atomic type.  */
static tree
find_atomic (tree *at, int *, void *)
{
  tree type = EXPR_P (*at) || DECL_P (*at) ? TREE_TYPE (*at) : NULL_TREE;
  while (type && POINTER_TYPE_P (type))
    type = TREE_TYPE (type);
  return type && TYPE_P (type) && TYPE_ATOMIC (type) ? *at : NULL_TREE;
}

/* The temporary of EXPR gets its value: an expression's, or what the last
   statement of a block in it sets.  */
static bool
set_temporary (tns_reader *reader, tree expr)
{
  tree made = TARGET_EXPR_INITIAL (expr);
  if (TREE_CODE (made) == BIND_EXPR || TREE_CODE (made) == STATEMENT_LIST)
    return tns_read_inner (reader, made);
  if (reader->conditional)
    return tns_reader_refuse_tree (reader, expr, TNS_WHY_SIDE_EFFECT) != NULL;
  tns_expr *value = tns_read_expr (reader, made);
  return value
         && tns_write_variable (reader, TARGET_EXPR_SLOT (expr), value,
                                NULL_TREE);
}

/* A temporary that the front end made, as for ({ ... }): read once for a
   statement.  Accesses to atomic objects are refused for what they are.  */
static tns_expr *
read_temporary (tns_reader *reader, tree expr)
{
  const tns_saved *known = tns_find_saved (reader, expr);
  tree atomic = walk_tree_without_duplicates (&expr, find_atomic, NULL);
  if (atomic)
    return (tns_expr *) tns_reader_refuse_tree (reader, atomic, TNS_WHY_ATOMIC);
  if (TREE_CODE (expr) != TARGET_EXPR)
    return (tns_expr *) tns_reader_refuse (reader, expr, TNS_WHY_EXPRESSION,
                                           tns_spell (reader->arena, expr));
  if (known)
    return known->value;
  if (!tns_declare_cell (reader, TARGET_EXPR_SLOT (expr))
      || !set_temporary (reader, expr))
    return NULL;
  tns_expr *value = tns_read_variable (reader, TARGET_EXPR_SLOT (expr));
  tns_add_saved (reader, expr, (tns_saved){ value, NULL });
  return value;
}

/* What has operators of the IR of the same meaning.  */
static tns_expr *
read_operator (tns_reader *reader, tree expr)
{
  tns_elem elem;
  if (!tns_type_of_tree (TREE_TYPE (expr), &elem))
    return (tns_expr *) tns_reader_refuse_tree (reader, TREE_TYPE (expr),
                                                TNS_WHY_TYPE);
  if (is_truth (expr))
    return tns_cast (reader->arena, tns_scalar (elem),
                     tns_read_cond (reader, expr));
  tns_op op = arithmetic_op (TREE_CODE (expr));
  if (op == TNS_NONE || elem == TNS_BOOL)
    return (tns_expr *) tns_reader_refuse (reader, expr, TNS_WHY_EXPRESSION,
                                           tns_spell (reader->arena, expr));
  return placed (read_arithmetic (reader, op, expr), expr);
}

tns_expr *
tns_read_expr (tns_reader *reader, tree expr)
{
  switch (TREE_CODE (expr))
    {
    case INTEGER_CST:
      return read_integer (reader, expr);
    case REAL_CST:
      return read_real (reader, expr);
    case CONST_DECL:
      return tns_read_expr (reader, DECL_INITIAL (expr));
    case VAR_DECL:
    case PARM_DECL:
    case RESULT_DECL:
      return tns_read_variable (reader, expr);
    case INDIRECT_REF:
    case ARRAY_REF:
    case COMPONENT_REF:
      return read_memory (reader, expr);
    case SAVE_EXPR:
      return read_saved (reader, expr);
    case NON_LVALUE_EXPR:
      return tns_read_expr (reader, TREE_OPERAND (expr, 0));
    case C_MAYBE_CONST_EXPR:
      return C_MAYBE_CONST_EXPR_PRE (expr)
               ? (tns_expr *) tns_reader_refuse_tree (reader, expr,
                                                      TNS_WHY_SIDE_EFFECT)
               : tns_read_expr (reader, C_MAYBE_CONST_EXPR_EXPR (expr));
    case FLOAT_EXPR:
    case FIX_TRUNC_EXPR:
    CASE_CONVERT:
      return placed (read_cast (reader, expr), expr);
    case COND_EXPR:
      return placed (read_select (reader, expr), expr);
    case LROTATE_EXPR:
    case RROTATE_EXPR:
      return placed (read_rotation (reader, expr), expr);
    case ABSU_EXPR:
      return placed (read_unsigned_abs (reader, expr), expr);
    case COMPOUND_EXPR:
    case MODIFY_EXPR:
    case PREINCREMENT_EXPR:
    case PREDECREMENT_EXPR:
    case POSTINCREMENT_EXPR:
    case POSTDECREMENT_EXPR:
      return read_changing (reader, expr);
    case CALL_EXPR:
      return placed (tns_read_call (reader, expr, true), expr);
    case REALPART_EXPR:
    case IMAGPART_EXPR:
      return placed (tns_read_part (reader, expr), expr);
    case TARGET_EXPR:
    case COMPOUND_LITERAL_EXPR:
      return read_temporary (reader, expr);
    default:
      return read_operator (reader, expr);
    }
}
