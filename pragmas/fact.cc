/* Conditions of assume (...): neutral tree -> GCC's.

   Names are looked up where the pragma stands: a fact is about values that
   the region is given, so what the region declares itself is not in scope
   for it.  Expressions are built by the C front end, with C's own promotions
   and errors, and without its warnings.  */

#include "pragmas/fact.hh"

static const struct
{
  const char *spelling;
  enum tree_code code;
} binaries[] = {
  { "||", TRUTH_ORIF_EXPR }, { "&&", TRUTH_ANDIF_EXPR },
  { "|", BIT_IOR_EXPR },     { "^", BIT_XOR_EXPR },
  { "&", BIT_AND_EXPR },     { "==", EQ_EXPR },
  { "!=", NE_EXPR },         { "<", LT_EXPR },
  { ">", GT_EXPR },          { "<=", LE_EXPR },
  { ">=", GE_EXPR },         { "<<", LSHIFT_EXPR },
  { ">>", RSHIFT_EXPR },     { "+", PLUS_EXPR },
  { "-", MINUS_EXPR },       { "*", MULT_EXPR },
  { "/", TRUNC_DIV_EXPR },   { "%", TRUNC_MOD_EXPR },
};

/* The code of the operator of two operands that is spelled SPELLING.  */
static enum tree_code
binary_code (const char *spelling)
{
  for (size_t k = 0; k < ARRAY_SIZE (binaries); k++)
    if (strcmp (binaries[k].spelling, spelling) == 0)
      return binaries[k].code;
  return ERROR_MARK;
}

/* The code of the operator of one operand that is spelled SPELLING.  */
static enum tree_code
unary_code (const char *spelling)
{
  switch (*spelling)
    {
    case '-':
      return NEGATE_EXPR;
    case '+':
      return CONVERT_EXPR;
    case '~':
      return BIT_NOT_EXPR;
    default:
      return TRUTH_NOT_EXPR;
    }
}

/* What NAME stands for at LOC.  */
static tree
value_of_name (const char *name, location_t loc)
{
  tree decl = lookup_name (get_identifier (name));
  if (!decl)
    {
      error_at (loc, "%qs is not in scope before the region", name);
      return error_mark_node;
    }
  if (TREE_CODE (decl) == CONST_DECL)
    return DECL_INITIAL (decl);
  if (VAR_P (decl) || TREE_CODE (decl) == PARM_DECL)
    {
      TREE_USED (decl) = 1;
      DECL_READ_P (decl) = 1;
      return decl;
    }
  if (decl != error_mark_node)
    error_at (loc, "%qs is not the name of a value", name);
  return error_mark_node;
}

/* NUMBER as C types a constant.  */
static tree
number_of (long number)
{
  tree type = wi::fits_to_tree_p (number, integer_type_node)
                ? integer_type_node
                : long_integer_type_node;
  return build_int_cst (type, number);
}

tree
tns_member_tree (tree object, bool pointed, const char *name, location_t loc)
{
  if (object == error_mark_node)
    return object;
  if (pointed)
    object = build_indirect_ref (loc, object, RO_ARROW);
  return build_component_ref (loc, object, get_identifier (name), loc);
}

/* A ? B : C.  */
static tree
choice_of (location_t loc, tree a, tree b, tree c)
{
  if (a == error_mark_node || b == error_mark_node || c == error_mark_node)
    return error_mark_node;
  tree cond = COMPARISON_CLASS_P (a)
                ? a
                : build_binary_op (loc, NE_EXPR, a, integer_zero_node, true);
  return build_conditional_expr (loc, cond, false, b, TREE_TYPE (b), loc, c,
                                 TREE_TYPE (c), loc);
}

/* A OP B; a division by zero, of which GCC would only warn, is an error.  */
static tree
operation_of (location_t loc, enum tree_code op, tree a, tree b)
{
  bool divides = op == TRUNC_DIV_EXPR || op == TRUNC_MOD_EXPR;
  if (!divides || b == error_mark_node || !integer_zerop (b))
    return build_binary_op (loc, op, a, b, true);
  error_at (loc, "division by zero");
  return error_mark_node;
}

/* How often WORD is among the WORDS of a type.  */
static int
times_in (const char *words, const char *word)
{
  int times = 0;
  size_t length = strlen (word);
  for (const char *at = words; at; at = strchr (at, ' '))
    {
      at += *at == ' ';
      times += strncmp (at, word, length) == 0
               && (at[length] == ' ' || !at[length]);
    }
  return times;
}

/* The whole number that WORDS name, of C's own words; NULL_TREE for none.  */
static tree
integer_of_words (const char *words)
{
  int n_long = times_in (words, "long"), n_short = times_in (words, "short");
  int n_char = times_in (words, "char"), n_int = times_in (words, "int");
  int n_unsigned = times_in (words, "unsigned");
  int n_signed = times_in (words, "signed");
  int n = 1;
  for (const char *at = words; (at = strchr (at, ' ')); at++)
    n++;
  if (n != n_long + n_short + n_char + n_int + n_unsigned + n_signed
      || n_long > 2 || (n_long > 0) + n_short + n_char > 1
      || n_unsigned + n_signed > 1)
    return NULL_TREE;
  tree type = n_long == 2 ? long_long_integer_type_node
              : n_long    ? long_integer_type_node
              : n_short   ? short_integer_type_node
              : n_char    ? (n_signed ? signed_char_type_node : char_type_node)
                          : integer_type_node;
  return n_unsigned ? unsigned_type_for (type) : type;
}

/* (WORDS) VALUE.  */
static tree
cast_of (location_t loc, const char *words, tree value)
{
  tree type = integer_of_words (words);
  tree decl = strchr (words, ' ') || type
                ? NULL_TREE
                : lookup_name (get_identifier (words));
  if (decl && TREE_CODE (decl) == TYPE_DECL)
    type = TREE_TYPE (decl);
  if (value == error_mark_node)
    return value;
  if (type && INTEGRAL_TYPE_P (type) && INTEGRAL_TYPE_P (TREE_TYPE (value)))
    return convert (type, value);
  error_at (loc, "%qs is not a type of whole numbers here", words);
  return error_mark_node;
}

/* The expression of CONDITION.  */
static tree
build (const tns_condition *condition)
{
  location_t loc = condition->loc.handle;
  tree arg[3] = {};
  for (int k = 0; k < 3 && condition->arg[k]; k++)
    arg[k] = build (condition->arg[k]);
  switch (condition->kind)
    {
    case TNS_CONDITION_NAME:
      return value_of_name (condition->name, loc);
    case TNS_CONDITION_NUMBER:
      return number_of (condition->number);
    case TNS_CONDITION_MEMBER:
      return tns_member_tree (arg[0], false, condition->name, loc);
    case TNS_CONDITION_POINTED:
      return tns_member_tree (arg[0], true, condition->name, loc);
    case TNS_CONDITION_CAST:
      return cast_of (loc, condition->name, arg[0]);
    case TNS_CONDITION_UNARY:
      return build_unary_op (loc, unary_code (condition->name), arg[0], false);
    case TNS_CONDITION_BINARY:
      return operation_of (loc, binary_code (condition->name), arg[0], arg[1]);
    case TNS_CONDITION_CHOICE:
      return choice_of (loc, arg[0], arg[1], arg[2]);
    }
  return error_mark_node;
}

/* FACT has a type that can be true or false.  */
static bool
is_scalar (tree fact)
{
  return INTEGRAL_TYPE_P (TREE_TYPE (fact)) || POINTER_TYPE_P (TREE_TYPE (fact))
         || SCALAR_FLOAT_TYPE_P (TREE_TYPE (fact));
}

tree
tns_place_tree (const tns_condition *condition)
{
  c_inhibit_evaluation_warnings++;
  tree place = build (condition);
  c_inhibit_evaluation_warnings--;
  return place;
}

tree
tns_fact_tree (const tns_condition *condition)
{
  tree fact = tns_place_tree (condition);
  if (fact == error_mark_node || is_scalar (fact))
    return fact;
  error_at (condition->loc.handle, "this is not a condition");
  return error_mark_node;
}
