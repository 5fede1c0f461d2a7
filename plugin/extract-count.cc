/* Built-in functions that look at single bits.

     popcount (a)       popcount a
     parity (a)         popcount a & 1
     clz (a)            clz a
     ctz (a)            n - 1 - clz (a & -a)    of n bits
     ffs (a)            n - clz (a & -a)
     bswap (a)          bytes shifted to their places  */

#include "plugin/reader.hh"

extern "C"
{
#include "ir/walk.h"
}

/* So many parts may stand in a value that is named once for each of its
   bytes.  */
static const int most_parts = 12;

#define CASE_BITS(name)                                                        \
  case BUILT_IN_##name:                                                        \
  case BUILT_IN_##name##L:                                                     \
  case BUILT_IN_##name##LL:                                                    \
    return BUILT_IN_##name

/* VALUE OP K.  */
static tns_expr *
with_number (tns_reader *reader, tns_op op, tns_expr *value, long long k)
{
  tns_expr *number = tns_int_of (reader->arena, value->type.elem, k);
  return tns_binary (reader->arena, op, value, number);
}

/* OP of VALUE, an integer, without its sign, as an int.  */
static tns_expr *
count (tns_reader *reader, tns_op op, tns_expr *value)
{
  tns_arena *arena = reader->arena;
  tns_elem elem = tns_elem_bytes (value->type.elem) == 8 ? TNS_U64 : TNS_U32;
  value = tns_unary (arena, op, tns_cast (arena, tns_scalar (elem), value));
  return tns_cast (arena, tns_scalar (TNS_I32), value);
}

/* OFFSET more than the place of the last 1 of VALUE.  */
static tns_expr *
last_place (tns_reader *reader, tns_expr *value, int offset)
{
  tns_arena *arena = reader->arena;
  tns_elem elem = tns_elem_bytes (value->type.elem) == 8 ? TNS_U64 : TNS_U32;
  value = tns_cast (arena, tns_scalar (elem), value);
  tns_expr *last
    = tns_binary (arena, TNS_AND, value, tns_unary (arena, TNS_NEG, value));
  int bits = 8 * tns_elem_bytes (elem);
  return tns_binary (arena, TNS_SUB,
                     tns_int_of (arena, TNS_I32, bits - 1 + offset),
                     count (reader, TNS_CLZ, last));
}

/* walk's visitor: count.  */
static bool
count_part (tns_expr *, void *self)
{
  return ++*(int *) self <= most_parts;
}

/* VALUE's bytes, of ELEM, in the other order; NULL where it is long.  */
static tns_expr *
swap_bytes (tns_reader *reader, tns_elem elem, tns_expr *value)
{
  int n_parts = 0;
  value = tns_cast (reader->arena, tns_scalar (elem), value);
  int last = 8 * tns_elem_bytes (value->type.elem) - 8;
  tns_expr *swapped = NULL;
  tns_expr_walk (value, count_part, &n_parts);
  for (int at = 0; at <= last && n_parts <= most_parts; at += 8)
    {
      int by = last - 2 * at;
      tns_expr *byte
        = with_number (reader, by < 0 ? TNS_SHR : TNS_SHL, value, abs (by));
      if (at > 0 && at < last)
        byte = with_number (reader, TNS_AND, byte, 255ll << (last - at));
      swapped
        = swapped ? tns_binary (reader->arena, TNS_OR, swapped, byte) : byte;
    }
  return swapped;
}

/* What the function KIND, of type ELEM, makes of A; NULL where that is
   long.  */
static tns_expr *
value_of (tns_reader *reader, enum built_in_function kind, tns_elem elem,
          tns_expr *a)
{
  switch (kind)
    {
    case BUILT_IN_POPCOUNT:
      return count (reader, TNS_POPCOUNT, a);
    case BUILT_IN_PARITY:
      return with_number (reader, TNS_AND, count (reader, TNS_POPCOUNT, a), 1);
    case BUILT_IN_CLZ:
      return count (reader, TNS_CLZ, a);
    case BUILT_IN_CTZ:
      return last_place (reader, a, 0);
    case BUILT_IN_FFS:
      return last_place (reader, a, 1);
    default:
      return swap_bytes (reader, elem, a);
    }
}

/* CODE without the length of its argument; BUILT_IN_NONE where it does not look
   at bits.  */
static enum built_in_function
kind_of (enum built_in_function code)
{
  switch (code)
    {
      CASE_BITS (POPCOUNT);
      CASE_BITS (PARITY);
      CASE_BITS (CLZ);
      CASE_BITS (CTZ);
      CASE_BITS (FFS);
    case BUILT_IN_BSWAP16:
    case BUILT_IN_BSWAP32:
    case BUILT_IN_BSWAP64:
      return BUILT_IN_BSWAP32;
    default:
      return BUILT_IN_NONE;
    }
}

tns_expr *
tns_read_bits (tns_reader *reader, tree call, enum built_in_function code,
               bool *known)
{
  enum built_in_function kind = kind_of (code);
  *known = kind != BUILT_IN_NONE;
  tns_expr *a = *known ? tns_read_expr (reader, CALL_EXPR_ARG (call, 0)) : NULL;
  tns_elem elem;
  bool has_type = tns_type_of_tree (TREE_TYPE (call), &elem);
  tns_expr *value = a && has_type ? value_of (reader, kind, elem, a) : NULL;
  if (a && !value)
    tns_reader_refuse_tree (reader, call, TNS_WHY_CALL);
  return value;
}
