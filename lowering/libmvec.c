/* The table of libmvec, asked by operator.  */

#include "lowering/libmvec.h"

#include <stddef.h>

static const struct
{
  const char *name;
  int arity;
} rows[TNS_N_OPS] = {
#define TNS_MVEC(id, name, arity) [TNS_##id] = { name, arity },
#include "lowering/libmvec.def"
#undef TNS_MVEC
};

bool
tns_vector_math_exists (tns_op op, tns_elem elem, int lanes)
{
  if (!rows[op].name || (elem != TNS_F32 && elem != TNS_F64))
    return false;
  int bytes = lanes * tns_elem_bytes (elem);
  return bytes == 16 || bytes == 32 || bytes == 64;
}

const char *
tns_vector_math_symbol (tns_arena *arena, tns_op op, tns_elem elem, int lanes,
                        char isa)
{
  if (!tns_vector_math_exists (op, elem, lanes))
    return NULL;
  return tns_arena_format (arena, "_ZGV%cN%d%s_%s%s", isa, lanes,
                           rows[op].arity == 2 ? "vv" : "v", rows[op].name,
                           elem == TNS_F32 ? "f" : "");
}
