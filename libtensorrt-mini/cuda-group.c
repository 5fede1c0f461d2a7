/* Kernels of warpgroups, and what they are given (abi-cuda.h).

     NAME_group ({ map of A, map of B, what NAME is given })

   They are there in code for sm_90a alone, which a unit's image may not have:
   so they are asked for by their names, once, when they could first run.  A map
   is the driver's: of an operand as a matrix whose rows are neighbours in
   memory, which kernels copy in boxes of BOX of these.  */

#include "cuda-unit.h"

#include <stdlib.h>
#include <string.h>

#define DEVICE        90
#define ELEMENT_BYTES 2
#define BOX           64
#define ALIGNED       16
#define MOST_EXTENT   ((int64_t) 1 << 30)
#define MOST_STRIDE   ((int64_t) 1 << 40)

/* Whether the driver did what it was asked for, by its RESULT; what leaves
   nothing to go on with is a fault.  */
static bool
is_fine (const char *name, trm_cu_result result)
{
  if (result && trm_cu_is_sticky (result))
    trm_cuda_ok (TRM_CUDA_NOT_LAUNCHED, name, result);
  return result == 0;
}

/* The kernel of CODE beside the one that is called NAME, or NULL.  */
static trm_cuda_kernel *
find_group (const trm_cuda_code *code, const char *name)
{
  static const char behind[] = "_group";
  size_t length = strlen (name);
  trm_cuda_kernel *k = calloc (1, sizeof *k + length + sizeof behind);
  if (!k)
    return NULL;
  char *own = (char *) (k + 1);
  memcpy (own, name, length);
  memcpy (own + length, behind, sizeof behind);
  k->name = own;
  if (is_fine ("cuModuleGetFunction",
               trm_cuda.cu.ModuleGetFunction (&k->function, code->module, own)))
    return k;
  free (k);
  return NULL;
}

trm_cuda_kernel *
trm_cuda_group_of (const trm_cuda_code *code, trm_cuda_kernel *k)
{
  if (trm_cuda_here->arch != DEVICE || !trm_cuda.cu.TensorMapEncodeTiled)
    return NULL;
  if (!k->asked)
    k->group = find_group (code, k->name);
  k->asked = true;
  return k->group;
}

/* Make *MAP of O, of which ARGS has the address; whether there is one.  */
static bool
make_map (const trm_cuda_operand *o, const int64_t *args, trm_cu_map *map)
{
  bool along = o->inner == 1;
  int64_t stride = ELEMENT_BYTES * (along ? o->line : o->inner);
  uintptr_t address = (uintptr_t) (args[o->array] + ELEMENT_BYTES * o->first);
  const uint64_t extents[2] = { (uint64_t) (along ? o->inners : o->lines),
                                (uint64_t) (along ? o->lines : o->inners) };
  const uint64_t strides[1] = { (uint64_t) stride };
  const uint32_t box[2] = { BOX, along ? (uint32_t) o->tile : BOX };
  static const uint32_t steps[2] = { 1, 1 };
  if ((!along && o->line != 1) || address % ALIGNED || stride <= 0
      || stride % ALIGNED || stride >= MOST_STRIDE || o->lines <= 0
      || o->lines >= MOST_EXTENT || o->inners <= 0 || o->inners >= MOST_EXTENT)
    return false;
  return is_fine ("cuTensorMapEncodeTiled",
                  trm_cuda.cu.TensorMapEncodeTiled (
                    map, TRM_CU_MAP_ELEMENT, 2, (void *) address, extents,
                    strides, box, steps, TRM_CU_MAP_STRAIGHT,
                    TRM_CU_MAP_SWIZZLED, TRM_CU_MAP_PROMOTED,
                    TRM_CU_MAP_ZEROS));
}

const trm_cuda_given *
trm_cuda_group_given (const trm_cuda_operand *operand, const void *args,
                      intptr_t bytes)
{
  static trm_cuda_given given;
  if (bytes > (intptr_t) sizeof given.own)
    return NULL;
  memcpy (given.own, args, (size_t) bytes);
  for (int o = 0; o < 2; o++)
    if (!make_map (&operand[o], given.own, &given.map[o]))
      return NULL;
  return &given;
}
