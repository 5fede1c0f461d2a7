/* Vectors that are shorter than a register: eight bytes among eight floats.

     u8x8 >> 3     u8x16 (first lanes) >> 3, of which the first half is taken

   The target has some operators for them, but not all that it has for whole
   registers; GCC takes apart lane by lane what it lacks.  The other lanes of
   the register are 0, those of constants the same number.  Two bytes go
   through an int: to load them SSE2 has what keeps the rest of the register,
   and waits for it.

   Choices of long integers, which SSE2 lacks, are made bit by bit.  */

#include "lowering/build.hh"

/* The bits of a register that all x86-64 processors have.  */
#define REGISTER_BITS 128

/* The type of a register of 16 bytes with elements like those of TYPE.  */
static tree
register_type (tree type)
{
  int bits = tree_to_uhwi (TYPE_SIZE (TREE_TYPE (type)));
  return build_vector_type (TREE_TYPE (type), REGISTER_BITS / bits);
}

tree
tns_build_first_of_register (tree value)
{
  tree type = TREE_TYPE (value);
  int bits = tree_to_uhwi (TYPE_SIZE (type));
  tree word = build_nonstandard_integer_type (bits, 1);
  tree lane = build_nonstandard_integer_type (MAX (bits, 32), 1);
  value = fold_convert (lane, build1 (VIEW_CONVERT_EXPR, word, value));
  vec<constructor_elt, va_gc> *lanes = NULL;
  CONSTRUCTOR_APPEND_ELT (lanes, NULL_TREE, value);
  lane = build_vector_type (lane, REGISTER_BITS / MAX (bits, 32));
  tree whole = build_constructor (lane, lanes);
  return build1 (VIEW_CONVERT_EXPR, register_type (type), whole);
}

tree
tns_build_first_lanes_of (tree type, tree whole)
{
  tree bits = TYPE_SIZE (type);
  return tree_int_cst_equal (bits, TYPE_SIZE (TREE_TYPE (whole)))
           ? build1 (VIEW_CONVERT_EXPR, type, whole)
           : build3 (BIT_FIELD_REF, type, whole, bits, bitsize_int (0));
}

/* Whether the target does CODE on vectors of TYPE; B is the second operand.  */
static bool
has_operator (tree_code code, tree type, tree b)
{
  bool is_shift = code == LSHIFT_EXPR || code == RSHIFT_EXPR;
  bool is_division = code == TRUNC_DIV_EXPR || code == TRUNC_MOD_EXPR;
  if (!VECTOR_MODE_P (TYPE_MODE (type)))
    return false;
  if (is_division)
    return can_mult_highpart_p (TYPE_MODE (type),
                                TYPE_UNSIGNED (TREE_TYPE (type)))
           && target_supports_op_p (type, RSHIFT_EXPR, optab_scalar);
  return target_supports_op_p (type, code,
                               !is_shift              ? optab_default
                               : uniform_vector_p (b) ? optab_scalar
                                                      : optab_vector);
}

/* A, an operand, in a register of type WHOLE.  */
static tree
operand_in (tree whole, tree a)
{
  tree number = uniform_vector_p (a);
  return number ? build_vector_from_val (whole, number)
                : tns_build_first_of_register (a);
}

tree
tns_build_short (tree_code code, tree type, tree a, tree b)
{
  bool is_division = code == TRUNC_DIV_EXPR || code == TRUNC_MOD_EXPR;
  if (!VECTOR_TYPE_P (type) || !INTEGRAL_TYPE_P (TREE_TYPE (type))
      || TREE_CODE (TREE_TYPE (type)) == BOOLEAN_TYPE
      || tree_to_uhwi (TYPE_SIZE (type)) >= REGISTER_BITS
      || (is_division
          && (TREE_CODE (b) != VECTOR_CST || !uniform_vector_p (b))))
    return NULL_TREE;
  tree whole = register_type (type);
  if (has_operator (code, type, b) || !has_operator (code, whole, b))
    return NULL_TREE;
  a = operand_in (whole, a);
  tree made = b ? build2 (code, whole, a, operand_in (whole, b))
                : build1 (code, whole, a);
  return tns_build_first_lanes_of (type, made);
}

tree
tns_build_chosen_bits (tree mask, tree a, tree b)
{
  tree type = TREE_TYPE (a);
  tree bits = tns_build_integers (type);
  if (!INTEGRAL_TYPE_P (TREE_TYPE (type))
      || !VECTOR_MODE_P (TYPE_MODE (TREE_TYPE (mask)))
      || !VECTOR_MODE_P (TYPE_MODE (type))
      || direct_internal_fn_supported_p (
        IFN_VCOND_MASK, tree_pair (type, TREE_TYPE (mask)), OPTIMIZE_FOR_SPEED))
    return NULL_TREE;
  mask = tns_build_once (build1 (VIEW_CONVERT_EXPR, bits, mask));
  a = build1 (VIEW_CONVERT_EXPR, bits, a);
  b = build1 (VIEW_CONVERT_EXPR, bits, b);
  tree made = build2 (
    BIT_IOR_EXPR, bits, build2 (BIT_AND_EXPR, bits, mask, a),
    build2 (BIT_AND_EXPR, bits, build1 (BIT_NOT_EXPR, bits, mask), b));
  return build1 (VIEW_CONVERT_EXPR, type, made);
}
