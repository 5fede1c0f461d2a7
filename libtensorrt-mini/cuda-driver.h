/* CUDA's driver by our own declarations, so that no CUDA header is needed to
   build, and no CUDA library to link.  Not installed.  */

#ifndef TRM_CUDA_DRIVER_H
#define TRM_CUDA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned trm_cu_result;
typedef int trm_cu_device;
typedef unsigned trm_cu_attribute;
typedef unsigned trm_cu_function_attribute;
typedef unsigned trm_cu_pool_attribute;
typedef unsigned long long trm_cu_pointer;
typedef unsigned trm_cu_map_element;
typedef unsigned trm_cu_map_interleave;
typedef unsigned trm_cu_map_swizzle;
typedef unsigned trm_cu_map_promotion;
typedef unsigned trm_cu_map_fill;
typedef struct trm_cu_its_context *trm_cu_context;
typedef struct trm_cu_its_module *trm_cu_module;
typedef struct trm_cu_its_function *trm_cu_function;
typedef struct trm_cu_its_stream *trm_cu_stream;
typedef struct trm_cu_its_event *trm_cu_event;
typedef struct trm_cu_its_pool *trm_cu_pool;
typedef struct trm_cu_its_graph *trm_cu_graph;
typedef struct trm_cu_its_node *trm_cu_node;
typedef struct trm_cu_its_exec *trm_cu_exec;

/* How long the next one is, and where its extra lies.  */
#define TRM_CU_NODE_BYTES 72
#define TRM_CU_NODE_EXTRA 48

/* A kernel in a graph: its blocks, their threads; its arguments are in extra,
   as those of a launch, or its only one is where arguments[0] says; the others
   are NULL.  */
typedef struct trm_cu_kernel_node
{
  trm_cu_function function;
  unsigned blocks[3];
  unsigned threads[3];
  unsigned shared;
  void **arguments;
  void **extra;
  void *kernel;
  trm_cu_context context;
} trm_cu_kernel_node;

_Static_assert(sizeof (trm_cu_kernel_node) == TRM_CU_NODE_BYTES
                 && offsetof (trm_cu_kernel_node, extra) == TRM_CU_NODE_EXTRA,
               "laid out as the driver's");

/* How copies of boxes find memory, which kernels are given: how it is aligned,
   and how long.  */
#define TRM_CU_MAP_ALIGNED 128
#define TRM_CU_MAP_BYTES   128
typedef struct trm_cu_map
{
  _Alignas(TRM_CU_MAP_ALIGNED) uint64_t word[16];
} trm_cu_map;

_Static_assert(sizeof (trm_cu_map) == TRM_CU_MAP_BYTES, "as the driver's");

/* Results that are told apart.  */
#define TRM_CU_OUT_OF_MEMORY 2
#define TRM_CU_NO_DEVICE     100

/* Attributes of devices, functions and pools; flags; a map's elements, that
   these lie one behind the other, rows of 128 bytes are swizzled and 256 bytes
   read at once, zeros where nothing is; what leads the words of a launch's
   "extra".  */
#define TRM_CU_PROCESSORS     16
#define TRM_CU_MAJOR          75
#define TRM_CU_MINOR          76
#define TRM_CU_HAS_POOLS      115
#define TRM_CU_THREADS        39
#define TRM_CU_SHARED_BYTES   1
#define TRM_CU_LOCAL_BYTES    3
#define TRM_CU_REGISTERS      4
#define TRM_CU_DYNAMIC_SHARED 8
#define TRM_CU_POOL_KEEPS     4
#define TRM_CU_NON_BLOCKING   1
#define TRM_CU_NO_TIMING      2
#define TRM_CU_MAP_ELEMENT    9
#define TRM_CU_MAP_STRAIGHT   0
#define TRM_CU_MAP_SWIZZLED   3
#define TRM_CU_MAP_PROMOTED   3
#define TRM_CU_MAP_ZEROS      0
#define TRM_CU_ARGUMENTS      ((void *) 1)
#define TRM_CU_ARGUMENT_BYTES ((void *) 2)
#define TRM_CU_ARGUMENT_END   ((void *) 0)

/* The functions, called by their names without "cu".  */
typedef struct trm_cu
{
#define TRM_CU(NAME, SUFFIX, ARGUMENTS)       trm_cu_result (*NAME) ARGUMENTS;
#define TRM_CU_NEWER(NAME, SUFFIX, ARGUMENTS) trm_cu_result (*NAME) ARGUMENTS;
#include "cuda-calls.def"
#undef TRM_CU
#undef TRM_CU_NEWER
} trm_cu;

/* Fill *CU from the library of the driver, which stays open.  NULL, or what is
   missing: the library, or the first function that is not there.  */
extern const char *trm_cu_open (trm_cu *cu);

/* What the driver calls ERROR; "?" when it does not know.  */
extern const char *trm_cu_error_name (const trm_cu *cu, trm_cu_result error);

/* Whether after ERROR the context is of no use any more.  */
extern bool trm_cu_is_sticky (trm_cu_result error);

#endif
