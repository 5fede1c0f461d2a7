/* Conversions of vectors, lane by lane.

     i16x8 -> f32x8     i32x8, then f32x8: by steps for which the target has an
                        instruction
     i16x4 -> i32x4     where it has none that makes lanes wide: the lanes as
                        the first of a register of 16 bytes, of which the
                        lower half is unpacked as often as it takes; of
                        vectors that are half a register GCC would unpack two
                        halves, and of shorter ones each lane
     i64x4 -> i32x4     the two halves packed
     i32x8 -> u8x8      the lowest bytes alone, packed with saturation, which
                        changes none, twice
     u32x4 -> f64x4     the signed numbers that lie 2^31 lower, and 2^31 back:
                        exact
     i64x4 -> f64x4     the upper 16 bits and the lower 48 as the mantissas of
                        two numbers, whose difference from what these are
                        without is exact; rounded once, when they are added;
                        floats, but under strict, by way of doubles

   What is left GCC does, some of it by lanes.  */

#include "lowering/build.hh"

/* The bits of a register that all x86-64 processors have.  */
#define REGISTER_BITS 128

/* Whether a conversion from FROM to TO keeps the bits.  */
static bool
keeps_bits (tns_type to, tns_type from)
{
  return tns_elem_bytes (to.elem) == tns_elem_bytes (from.elem)
         && tns_elem_is_float (to.elem) == tns_elem_is_float (from.elem);
}

/* Whether the target makes TYPE from FROM, vectors, in one instruction; *CODE
   is what says so.  */
static bool
is_one_step (tree type, tree from, enum tree_code *code)
{
  bool to_real = SCALAR_FLOAT_TYPE_P (TREE_TYPE (type));
  bool from_real = SCALAR_FLOAT_TYPE_P (TREE_TYPE (from));
  *code = to_real == from_real ? NOP_EXPR
          : to_real            ? FLOAT_EXPR
                               : FIX_TRUNC_EXPR;
  return VECTOR_MODE_P (TYPE_MODE (type)) && VECTOR_MODE_P (TYPE_MODE (from))
         && supportable_convert_operation (*code, type, from, code);
}

/* The integer twice as wide as ELEM that has all its values.  */
static tns_elem
wider (tns_elem elem)
{
  static const tns_elem plain[] = { TNS_I16, TNS_I32, TNS_I64 };
  static const tns_elem positive[] = { TNS_U16, TNS_U32, TNS_U64 };
  return (tns_elem_is_unsigned (elem) ? positive
                                      : plain)[tns_elem_bytes (elem) / 2];
}

/* What lies between FROM and TO where GCC would convert lane by lane: the
   integer half as wide or twice as wide as FROM, or int for small integers
   and floating numbers; else TO.  */
static tns_elem
next_elem (tns_elem to, tns_elem from)
{
  static const tns_elem narrower[] = { TNS_I16, TNS_I32 };
  int from_bytes = tns_elem_bytes (from);
  int to_bytes = tns_elem_bytes (to);
  if (from == TNS_BOOL || to == TNS_BOOL)
    return to;
  if (tns_elem_is_float (from) || tns_elem_is_float (to))
    {
      int small = tns_elem_is_float (from) ? to_bytes : from_bytes;
      return small < 4 ? TNS_I32 : to;
    }
  if (to_bytes > 2 * from_bytes)
    return wider (from);
  return 2 * to_bytes < from_bytes ? narrower[from_bytes / 8] : to;
}

/* VALUE, a vector, converted from FROM to TO with CODE, so that the rounding of
   wider floating numbers stays when they are made wide again: GCC takes vectors
   of as many lanes for equally precise, and drops both conversions.  */
static tree
convert_vector (tns_build *build, tree_code code, tns_type to, tns_type from,
                tree value)
{
  tree type = tns_build_type (to);
  bool is_rounded = tns_elem_is_float (to.elem) && tns_elem_is_float (from.elem)
                    && tns_elem_bytes (to.elem) < tns_elem_bytes (from.elem);
  if (!is_rounded)
    return build1 (code, type, value);
  tree made = tns_build_target_rounded (build, type, value);
  return made ? made : build1 (PAREN_EXPR, type, build1 (code, type, value));
}

/* Whether FROM and TO are integers, and truth none of them.  */
static bool
are_integers (tns_type to, tns_type from)
{
  return tns_elem_is_integer (to.elem) && tns_elem_is_integer (from.elem)
         && to.elem != TNS_BOOL && from.elem != TNS_BOOL;
}

/* VALUE, four integers of FROM, as integers half as wide: its halves packed,
   where GCC would shuffle each of them first.  NULL_TREE where it is something
   else, or the target has an instruction for the whole.  */
static tree
packed_halves (tns_type to, tns_type from, tree value)
{
#if defined TARGET_SSE2 && defined TARGET_AVX512VL
  tree half = tns_build_type (tns_vector (from.elem, 2));
  tree bits = TYPE_SIZE (half);
  if (to.lanes != 4 || !are_integers (to, from) || tns_elem_bytes (to.elem) != 4
      || tns_elem_bytes (from.elem) != 8 || !TARGET_SSE2 || TARGET_AVX512VL)
    return NULL_TREE;
  value = tns_build_once (value);
  return build2 (VEC_PACK_TRUNC_EXPR, tns_build_type (to),
                 build3 (BIT_FIELD_REF, half, value, bits, bitsize_int (0)),
                 build3 (BIT_FIELD_REF, half, value, bits, bits));
#else
  (void) to, (void) from, (void) value;
  return NULL_TREE;
#endif
}

/* VALUE, integers of FROM, as wider ones, by unpacking the lower half of a
   register; NULL_TREE where it is something else, they have no room there, or
   the target has an instruction for it.  */
static tree
unpacked (tns_type to, tns_type from, tree value)
{
#if defined TARGET_SSE2 && defined TARGET_SSE4_1
  int bytes = tns_elem_bytes (from.elem);
  int bits = to.lanes * tns_elem_bytes (to.elem) * BITS_PER_UNIT;
  if (!are_integers (to, from) || tns_elem_bytes (to.elem) <= bytes
      || bits > REGISTER_BITS || !TARGET_SSE2 || TARGET_SSE4_1)
    return NULL_TREE;
  tree whole = tns_build_first_of_register (value);
  tns_elem elem = from.elem;
  for (; bytes < tns_elem_bytes (to.elem); bytes *= 2)
    {
      elem = wider (elem);
      int lanes = REGISTER_BITS / (2 * bytes * BITS_PER_UNIT);
      whole = build1 (VEC_UNPACK_LO_EXPR,
                      tns_build_type (tns_vector (elem, lanes)), whole);
    }
  return tns_build_first_lanes_of (tns_build_type (to), whole);
#else
  (void) to, (void) from, (void) value;
  return NULL_TREE;
#endif
}

/* The lower and the upper half of VALUE, 32 bytes, packed by FN; of a shorter
   one twice the whole.  */
static tree
pack_once (tns_build *build, tree fn, tree value, int bits)
{
  value = tns_build_once (value);
  tree part[2] = { value, value };
  tree words = build_vector_type (intDI_type_node, 2);
  for (int k = 0; k < 2 && bits > REGISTER_BITS; k++)
    part[k] = build3 (BIT_FIELD_REF, words, value, bitsize_int (REGISTER_BITS),
                      bitsize_int (REGISTER_BITS * k));
  return tns_build_target_call (build, fn, 2, part);
}

tree
tns_build_packed (tns_build *build, tns_type to, tns_type from, tree value)
{
  int bytes = tns_elem_bytes (from.elem);
  int to_bytes = tns_elem_bytes (to.elem);
  int bits = from.lanes * bytes * BITS_PER_UNIT;
  tree words = tns_build_target_function ("__builtin_ia32_packssdw128");
  tree last = tns_build_target_function (tns_elem_is_unsigned (to.elem)
                                           ? "__builtin_ia32_packuswb128"
                                           : "__builtin_ia32_packsswb128");
  if (!words || !last || bytes <= to_bytes
      || (bits != REGISTER_BITS && bits != 2 * REGISTER_BITS))
    return NULL_TREE;
  for (; bytes > to_bytes; bytes /= 2, bits = REGISTER_BITS)
    value = pack_once (build, bytes > 2 ? words : last, value, bits);
  return tns_build_first_lanes_of (tns_build_type (to), value);
}

/* VALUE, integers of FROM, what BYTES, 1 or 2, of each hold: unsigned, or
   signed.  */
static tree
lowest_bytes (tns_type from, tree value, int bytes)
{
  tree type = tns_build_type (from);
  if (bytes == 1)
    return build2 (
      BIT_AND_EXPR, type, value,
      build_vector_from_val (type, build_int_cst (TREE_TYPE (type), 255)));
  int over = (tns_elem_bytes (from.elem) - bytes) * BITS_PER_UNIT;
  tree shift
    = build_vector_from_val (type, build_int_cst (TREE_TYPE (type), over));
  return build2 (RSHIFT_EXPR, type, build2 (LSHIFT_EXPR, type, value, shift),
                 shift);
}

/* VALUE, integers of FROM of at most 4 bytes, as narrower ones; NULL_TREE where
   it is something else.  */
static tree
narrowed (tns_build *build, tns_type to, tns_type from, tree value)
{
  static const tns_elem narrow[] = { TNS_I16, TNS_I32 };
  int bytes = tns_elem_bytes (from.elem);
  int to_bytes = tns_elem_bytes (to.elem);
  int bits = from.lanes * bytes * BITS_PER_UNIT;
  if (!are_integers (to, from) || bytes > 4 || bytes <= to_bytes
      || bits > 2 * REGISTER_BITS)
    return NULL_TREE;
  tns_type type = tns_vector (narrow[bytes / 4], from.lanes);
  value = build1 (VIEW_CONVERT_EXPR, tns_build_type (type), value);
  if (bits < REGISTER_BITS)
    {
      value = tns_build_first_of_register (value);
      type.lanes *= REGISTER_BITS / bits;
    }
  value = lowest_bytes (type, value, to_bytes);
  tns_elem elem = to_bytes == 1 ? TNS_U8 : TNS_I16;
  tree made
    = tns_build_packed (build, tns_vector (elem, to.lanes), type, value);
  return made ? build1 (VIEW_CONVERT_EXPR, tns_build_type (to), made)
              : NULL_TREE;
}

/* VALUE, unsigned integers of FROM, as doubles, by way of signed ones;
   NULL_TREE where it is something else.  */
static tree
shifted_double (tns_build *build, tns_type to, tns_type from, tree value)
{
  tree type = tns_build_type (to);
  if (to.elem != TNS_F64 || from.elem != TNS_U32
      || HONOR_SIGN_DEPENDENT_ROUNDING (type))
    return NULL_TREE;
  tns_type lower = tns_vector (TNS_I32, from.lanes);
  tree bits = tns_build_type (from);
  tree half = build_int_cstu (TREE_TYPE (bits), 1u << 31);
  REAL_VALUE_TYPE number;
  real_ldexp (&number, &dconst1, 31);
  tree back = build_real (TREE_TYPE (type), number);
  value
    = build2 (BIT_XOR_EXPR, bits, value, build_vector_from_val (bits, half));
  value = build1 (VIEW_CONVERT_EXPR, tns_build_type (lower), value);
  return build2 (PLUS_EXPR, type, tns_build_convert (build, to, lower, value),
                 build_vector_from_val (type, back));
}

/* VALUE, long integers of type BITS, with each one's KEPT bits alone, and the
   bits of the double NUMBER in their place: a double of type TYPE.  */
static tree
placed (tree type, tree bits, tree value, unsigned HOST_WIDE_INT kept,
        unsigned HOST_WIDE_INT number)
{
  tree lane = TREE_TYPE (bits);
  value = build2 (BIT_AND_EXPR, bits, value,
                  build_vector_from_val (bits, build_int_cstu (lane, kept)));
  value = build2 (PLUS_EXPR, bits, value,
                  build_vector_from_val (bits, build_int_cstu (lane, number)));
  return build1 (VIEW_CONVERT_EXPR, type, value);
}

/* The sum of 2 to the power of each of N EXPONENTs, in each lane of TYPE.  */
static tree
powers (tree type, int n, const int *exponent)
{
  REAL_VALUE_TYPE sum = dconst0;
  for (int k = 0; k < n; k++)
    {
      REAL_VALUE_TYPE power;
      real_ldexp (&power, &dconst1, exponent[k]);
      real_arithmetic (&sum, PLUS_EXPR, &sum, &power);
    }
  return build_vector_from_val (type, build_real (TREE_TYPE (type), sum));
}

/* Whether TYPE's elements are integers of 64 bits.  */
static bool
is_long (tns_type type)
{
  return type.elem == TNS_I64 || type.elem == TNS_U64;
}

/* VALUE, 64-bit integers of FROM, as doubles, rounded once: the upper bits as
   the mantissa of a number whose last place they count, minus it, plus the
   lower ones likewise; NULL_TREE where it is something else.  */
static tree
long_to_double (tns_type to, tns_type from, tree value)
{
  static const int of_signed[] = { 68, 67, 52 };
  static const int of_unsigned[] = { 84, 52 };
  bool is_signed = from.elem == TNS_I64;
  tree type = tns_build_type (to);
  if (to.elem != TNS_F64 || !is_long (from) || !VECTOR_MODE_P (TYPE_MODE (type))
      || HONOR_SIGN_DEPENDENT_ROUNDING (type))
    return NULL_TREE;
  tree bits = tns_build_type (tns_vector (TNS_U64, from.lanes));
  tree halves = tns_build_type (tns_vector (TNS_I32, 2 * from.lanes));
  value = tns_build_once (build1 (VIEW_CONVERT_EXPR, bits, value));
  tree shift = is_signed ? build_int_cst (TREE_TYPE (halves), 16)
                         : build_int_cst (TREE_TYPE (bits), 32);
  tree shifted = is_signed ? halves : bits;
  tree upper
    = build2 (RSHIFT_EXPR, shifted, build1 (VIEW_CONVERT_EXPR, shifted, value),
              build_vector_from_val (shifted, shift));
  upper = build1 (VIEW_CONVERT_EXPR, bits, upper);
  upper = is_signed
            ? placed (type, bits, upper, 0xffffffff00000000, 0x4438000000000000)
            : placed (type, bits, upper, 0xffffffff, 0x4530000000000000);
  upper = build2 (MINUS_EXPR, type, upper,
                  is_signed ? powers (type, 3, of_signed)
                            : powers (type, 2, of_unsigned));
  tree lower
    = placed (type, bits, value, is_signed ? 0xffffffffffff : 0xffffffff,
              0x4330000000000000);
  return build2 (PLUS_EXPR, type, build1 (PAREN_EXPR, type, upper), lower);
}

/* VALUE, long integers of FROM that need two registers, half by half as numbers
   of TO; NULL_TREE where one has room for them.  */
static tree
by_halves (tns_build *build, tns_type to, tns_type from, tree value)
{
  if (!is_long (from) || from.lanes < 4
      || VECTOR_MODE_P (TYPE_MODE (TREE_TYPE (value))))
    return NULL_TREE;
  tns_type narrow = tns_vector (from.elem, from.lanes / 2);
  tns_type part = tns_vector (to.elem, to.lanes / 2);
  tree half = tns_build_type (narrow);
  tree bits = TYPE_SIZE (half);
  vec<constructor_elt, va_gc> *parts = NULL;
  value = tns_build_once (value);
  for (int k = 0; k < 2; k++)
    {
      tree at = fold_build2 (MULT_EXPR, bitsizetype, bits, bitsize_int (k));
      CONSTRUCTOR_APPEND_ELT (
        parts, NULL_TREE,
        tns_build_convert (build, part, narrow,
                           build3 (BIT_FIELD_REF, half, value, bits, at)));
    }
  return build_constructor (tns_build_type (to), parts);
}

tree
tns_build_convert (tns_build *build, tns_type to, tns_type from, tree value)
{
  tree type = tns_build_type (to);
  if (keeps_bits (to, from))
    return fold_build1 (VIEW_CONVERT_EXPR, type, value);
  tree made = packed_halves (to, from, value);
  made = made ? made : by_halves (build, to, from, value);
  if (made)
    return made;
  enum tree_code code;
  if (is_one_step (type, TREE_TYPE (value), &code))
    return convert_vector (build, code, to, from, value);
  made = unpacked (to, from, value);
  made = made ? made : narrowed (build, to, from, value);
  made = made ? made : shifted_double (build, to, from, value);
  made = made ? made : long_to_double (to, from, value);
  if (made)
    return made;
  tns_type next = tns_vector (next_elem (to.elem, from.elem), to.lanes);
  if (is_long (from) && to.elem == TNS_F32
      && build->ctx->wish.fp != TNS_FP_STRICT)
    next.elem = TNS_F64;
  if (next.elem == to.elem)
    return build_call_expr_internal_loc (build->loc, IFN_VEC_CONVERT, type, 1,
                                         value);
  return tns_build_convert (build, to, next,
                            tns_build_convert (build, next, from, value));
}
