/* Compiled where there is a cuda.h: what cuda-driver.h declares is what that
   does, CUDA's types for ours.  */

#include <cuda.h>
#include <stddef.h>

typedef CUresult trm_cu_result;
typedef CUdevice trm_cu_device;
typedef CUdevice_attribute trm_cu_attribute;
typedef CUfunction_attribute trm_cu_function_attribute;
typedef CUmemPool_attribute trm_cu_pool_attribute;
typedef CUdeviceptr trm_cu_pointer;
typedef CUcontext trm_cu_context;
typedef CUmodule trm_cu_module;
typedef CUfunction trm_cu_function;
typedef CUstream trm_cu_stream;
typedef CUevent trm_cu_event;
typedef CUmemoryPool trm_cu_pool;
typedef CUgraph trm_cu_graph;
typedef CUgraphNode trm_cu_node;
typedef CUgraphExec trm_cu_exec;
typedef CUDA_KERNEL_NODE_PARAMS trm_cu_kernel_node;
typedef CUtensorMap trm_cu_map;
typedef CUtensorMapDataType trm_cu_map_element;
typedef CUtensorMapInterleave trm_cu_map_interleave;
typedef CUtensorMapSwizzle trm_cu_map_swizzle;
typedef CUtensorMapL2promotion trm_cu_map_promotion;
typedef CUtensorMapFloatOOBfill trm_cu_map_fill;

#define TRM_CU(NAME, SUFFIX, ARGUMENTS)                                        \
  _Static_assert(__builtin_types_compatible_p (__typeof__ (cu##NAME##SUFFIX),  \
                                               CUresult ARGUMENTS),            \
                 "the type of cu" #NAME);
#define TRM_CU_NEWER TRM_CU
#include "cuda-calls.def"

#define IS(OURS, THEIRS) _Static_assert((OURS) == (THEIRS), #THEIRS)

IS (TRM_CU_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY);
IS (TRM_CU_NO_DEVICE, CUDA_ERROR_NO_DEVICE);
IS (TRM_CU_PROCESSORS, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
IS (TRM_CU_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
IS (TRM_CU_MINOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
IS (TRM_CU_HAS_POOLS, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED);
IS (TRM_CU_THREADS, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
IS (TRM_CU_SHARED_BYTES, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
IS (TRM_CU_LOCAL_BYTES, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
IS (TRM_CU_REGISTERS, CU_FUNC_ATTRIBUTE_NUM_REGS);
IS (TRM_CU_DYNAMIC_SHARED, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
IS (TRM_CU_POOL_KEEPS, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD);
IS (TRM_CU_MAP_ELEMENT, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
IS (TRM_CU_MAP_STRAIGHT, CU_TENSOR_MAP_INTERLEAVE_NONE);
IS (TRM_CU_MAP_SWIZZLED, CU_TENSOR_MAP_SWIZZLE_128B);
IS (TRM_CU_MAP_PROMOTED, CU_TENSOR_MAP_L2_PROMOTION_L2_256B);
IS (TRM_CU_MAP_ZEROS, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
IS (TRM_CU_MAP_ALIGNED % _Alignof(CUtensorMap), 0);
IS (TRM_CU_MAP_BYTES, sizeof (CUtensorMap));
IS (TRM_CU_NODE_BYTES, sizeof (CUDA_KERNEL_NODE_PARAMS));
IS (TRM_CU_NODE_EXTRA, offsetof (CUDA_KERNEL_NODE_PARAMS, extra));
IS (TRM_CU_NON_BLOCKING, CU_STREAM_NON_BLOCKING);
IS (TRM_CU_NO_TIMING, CU_EVENT_DISABLE_TIMING);
IS ((long) TRM_CU_ARGUMENTS, (long) CU_LAUNCH_PARAM_BUFFER_POINTER);
IS ((long) TRM_CU_ARGUMENT_BYTES, (long) CU_LAUNCH_PARAM_BUFFER_SIZE);
IS ((long) TRM_CU_ARGUMENT_END, (long) CU_LAUNCH_PARAM_END);
