/* Element types: bytes, names, and which type an operation on two has.  */

#include "tensor.h"

static const struct
{
  const char *name;
  uint8_t bytes;
  char kind;
} types[] = {
#define TRM_TYPE(id, name, c, kind) [TRM_##id] = { name, sizeof (c), #kind[0] },
#include "type.def"
#undef TRM_TYPE
};

size_t
trm_type_bytes (trm_type type)
{
  return types[type].bytes;
}

const char *
trm_type_name (trm_type type)
{
  return types[type].name;
}

bool
trm_type_is_float (trm_type type)
{
  return types[type].kind == 'F' || types[type].kind == 'N';
}

trm_type
trm_type_computed (trm_type type)
{
  return types[type].kind == 'N' ? TRM_F32 : type;
}

trm_type
trm_type_common (trm_type a, trm_type b)
{
  trm_type later = a > b ? a : b;
  trm_type other = a > b ? b : a;
  if (later == TRM_F16 && other == TRM_BF16)
    return TRM_F32;
  if (later == TRM_I8 && other == TRM_U8)
    return TRM_I32;
  return later;
}
