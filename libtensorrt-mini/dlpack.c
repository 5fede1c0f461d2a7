/* Tensors as DLPack's (trm-exchange.h).

     trm_to_dlpack    { DLManagedTensor; kept tensor } in one block: shape and
                      strides are the tensor's own arrays
     trm_from_dlpack  a wrapped storage whose end calls the deleter

   The structures are those of the DLPack specification, declared here so that
   its header is not needed.  */

#include "tensor.h"

#include "trm-exchange.h"

#include <stdlib.h>

enum
{
  ON_HOST = 1,
  ON_PINNED_HOST = 3,
  SIGNED = 0,
  UNSIGNED = 1,
  FLOAT = 2,
  BFLOAT = 4,
  BOOLEAN = 6
};

typedef struct DLTensor
{
  void *at;
  int32_t device;
  int32_t device_number;
  int32_t rank;
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
  int64_t *extent;
  int64_t *stride;
  uint64_t offset;
} DLTensor;

struct DLManagedTensor
{
  DLTensor tensor;
  void *owner;
  void (*deleter) (struct DLManagedTensor *self);
};

/* The code of each type, in the order of trm_type.  */
static const uint8_t codes[]
  = { BOOLEAN, UNSIGNED, SIGNED, SIGNED, SIGNED, BFLOAT, FLOAT, FLOAT, FLOAT };

/* SELF, given by trm_to_dlpack, is needed no more.  */
static void
give_back (struct DLManagedTensor *self)
{
  trm_drop (self->owner);
  free (self);
}

struct DLManagedTensor *
trm_to_dlpack (trm_tensor *t)
{
  if (!t)
    return NULL;
  struct DLManagedTensor *managed = malloc (sizeof *managed);
  if (!managed)
    return trm_fail_null (TRM_NO_MEMORY, "to_dlpack: no memory");
  *managed = (struct DLManagedTensor){
    .tensor = { .at = t->at,
                .device = ON_HOST,
                .rank = t->rank,
                .code = codes[t->type],
                .bits = (uint8_t) (8 * trm_type_bytes (t->type)),
                .lanes = 1,
                .extent = t->extent,
                .stride = t->stride },
    .owner = trm_keep (t),
    .deleter = give_back
  };
  return managed;
}

/* The type of X; -1 when there is none like it.  */
static int
type_of (const DLTensor *x)
{
  for (int type = TRM_BOOL; type <= TRM_F64; type++)
    if (codes[type] == x->code && x->lanes == 1
        && x->bits == 8 * trm_type_bytes ((trm_type) type))
      return type;
  return -1;
}

/* The last view of MANAGED has gone.  */
static void
delete_managed (void *managed)
{
  struct DLManagedTensor *self = managed;
  if (self->deleter)
    self->deleter (self);
}

trm_tensor *
trm_from_dlpack (struct DLManagedTensor *managed)
{
  if (!managed)
    return trm_fail_null (TRM_BAD_ARGUMENT, "from_dlpack: nothing was given");
  DLTensor *x = &managed->tensor;
  int type = type_of (x);
  if (x->device != ON_HOST && x->device != ON_PINNED_HOST)
    return trm_fail_null (TRM_NOT_HERE,
                          "from_dlpack: memory of device %d, not of the host",
                          (int) x->device);
  if (type < 0)
    return trm_fail_null (TRM_BAD_TYPE,
                          "from_dlpack: type code %d of %d bits, %d lanes",
                          x->code, x->bits, x->lanes);
  return trm_wrap ((trm_type) type, x->rank, x->extent, x->stride,
                   (char *) x->at + x->offset, delete_managed, managed);
}
