/* A driver of CUDA without a device, for tests: libcuda.so.1 with the functions
   of cuda-calls.def.  The code that it loads are shared objects, which
   fake-nvrtc.c has made of the kernels' text, with cuda_cpu_launch in them; so
   launches compute.  What it is told by the environment:

     FAKE_CUDA_DEVICES=N     how many there are, 1 unless set
     FAKE_CUDA_MEMORY=BYTES  what a device has
     FAKE_CUDA_MAJOR=7       it is of that compute capability, not of 9
     FAKE_CUDA_POOLS=0       there is no memory in the order of streams
     FAKE_CUDA_VERSION=N     the driver's version, 12080 unless set
     FAKE_CUDA_SEED=N        the order of streams (fake-queue.c)
     FAKE_CUDA_FAIL=NAME:N:ERROR,...
                             the N-th call of NAME gives ERROR, N+ all from
                             there; "copy" and "run" are what streams do: the
                             error is met by whoever waits

   An error of a stream is met by all calls that follow.  Calls that need a
   context and have none give 201; a stream, or code, of another one's device
   gives 400.  */

#define _GNU_SOURCE
#include "cuda_cpu_run.h"
#include "fake.h"

#include <dlfcn.h>
#include <elf.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_NAMES 64

static struct
{
  char name[64];
  long calls;
} counted[MOST_NAMES];

static char of_device[FAKE_DEVICES];
static trm_cu_context context[FAKE_DEVICES];
static int contexts;

int
fake_device (void)
{
  return contexts > 0 ? (int) ((char *) context[contexts - 1] - of_device) : 0;
}

/* The counter of NAME.  */
static long *
counter (const char *name)
{
  int i = 0;
  while (counted[i].name[0] && strcmp (counted[i].name, name))
    i++;
  snprintf (counted[i].name, sizeof counted[i].name, "%s", name);
  return &counted[i].calls;
}

/* For tests: how often NAME was called.  */
long
fake_cuda_count (const char *name)
{
  return *counter (name);
}

/* The error that FAKE_CUDA_FAIL tells for call N of NAME.  */
static trm_cu_result
told_error (const char *name, long n)
{
  const char *told = getenv ("FAKE_CUDA_FAIL");
  size_t length = strlen (name);
  for (; told && *told; told += strcspn (told, ","), told += *told == ',')
    if (strncmp (told, name, length) == 0 && told[length] == ':')
      {
        char *end;
        long from = strtol (told + length + 1, &end, 10);
        bool on = *end == '+';
        if (n == from || (on && n > from))
          return (trm_cu_result) strtol (end + on + 1, NULL, 10);
      }
  return 0;
}

trm_cu_result
fake_enter (const char *name)
{
  long n = ++*counter (name);
  *counter ("all") += strncmp (name, "cu", 2) == 0;
  return fake_lost ? fake_lost : told_error (name, n);
}

/* The same, of a call that needs a context.  */
static trm_cu_result
enter_context (const char *name)
{
  trm_cu_result error = fake_enter (name);
  return error ? error : contexts > 0 ? 0 : 201;
}

#define ENTER(NAME)                                                            \
  do                                                                           \
    {                                                                          \
      trm_cu_result told = fake_enter (NAME);                                  \
      if (told)                                                                \
        return told;                                                           \
    }                                                                          \
  while (0)
#define ENTER_CONTEXT(NAME)                                                    \
  do                                                                           \
    {                                                                          \
      trm_cu_result told = enter_context (NAME);                               \
      if (told)                                                                \
        return told;                                                           \
    }                                                                          \
  while (0)

/* The number that VARIABLE tells, or ELSE_.  */
static int
number (const char *variable, int else_)
{
  const char *told = getenv (variable);
  return told ? atoi (told) : else_;
}

trm_cu_result
cuInit (unsigned flags)
{
  (void) flags;
  ENTER ("cuInit");
  return number ("FAKE_CUDA_DEVICES", 1) ? 0 : 100;
}

trm_cu_result
cuDriverGetVersion (int *version)
{
  ENTER ("cuDriverGetVersion");
  *version = number ("FAKE_CUDA_VERSION", 12080);
  return 0;
}

trm_cu_result
cuGetErrorName (trm_cu_result error, const char **name)
{
  *name = error == 2     ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : error == 719 ? "CUDA_ERROR_LAUNCH_FAILED"
                         : NULL;
  return *name ? 0 : 1;
}

trm_cu_result
cuDeviceGetCount (int *n)
{
  ENTER ("cuDeviceGetCount");
  *n = number ("FAKE_CUDA_DEVICES", 1);
  return 0;
}

trm_cu_result
cuDeviceGet (trm_cu_device *device, int which)
{
  ENTER ("cuDeviceGet");
  *device = which;
  return which < number ("FAKE_CUDA_DEVICES", 1) ? 0 : 101;
}

trm_cu_result
cuDeviceGetName (char *name, int bytes, trm_cu_device device)
{
  ENTER ("cuDeviceGetName");
  snprintf (name, (size_t) bytes, "Fake H100 number %d", device);
  return 0;
}

trm_cu_result
cuDeviceGetAttribute (int *value, trm_cu_attribute attribute,
                      trm_cu_device device)
{
  (void) device;
  ENTER ("cuDeviceGetAttribute");
  *value = attribute == TRM_CU_PROCESSORS  ? 2
           : attribute == TRM_CU_MAJOR     ? number ("FAKE_CUDA_MAJOR", 9)
           : attribute == TRM_CU_THREADS   ? 2048
           : attribute == TRM_CU_HAS_POOLS ? number ("FAKE_CUDA_POOLS", 1)
                                           : 0;
  return 0;
}

trm_cu_result
cuDevicePrimaryCtxRetain (trm_cu_context *of, trm_cu_device device)
{
  ENTER ("cuDevicePrimaryCtxRetain");
  *of = (trm_cu_context) &of_device[device];
  return 0;
}

trm_cu_result
cuCtxPushCurrent_v2 (trm_cu_context of)
{
  ENTER ("cuCtxPushCurrent");
  if (contexts == FAKE_DEVICES)
    return 1;
  context[contexts++] = of;
  return 0;
}

trm_cu_result
cuCtxPopCurrent_v2 (trm_cu_context *of)
{
  *of = NULL;
  contexts--;
  return fake_enter ("cuCtxPopCurrent");
}

/* The bytes of IMAGE, an ELF file in memory; 0 when it is none, or one for a
   real device.  */
static size_t
image_bytes (const void *image)
{
  const Elf64_Ehdr *head = image;
  if (memcmp (image, ELFMAG, SELFMAG) || head->e_machine == EM_CUDA)
    return 0;
  return head->e_shoff + (size_t) head->e_shnum * head->e_shentsize;
}

trm_cu_result
cuModuleLoadData (trm_cu_module *module, const void *image)
{
  char path[] = "/tmp/fake-cuda-XXXXXX";
  ENTER_CONTEXT ("cuModuleLoadData");
  size_t bytes = image_bytes (image);
  int file = bytes ? mkstemp (path) : -1;
  if (file < 0)
    return 200;
  bool written = write (file, image, bytes) == (ssize_t) bytes;
  close (file);
  *module = written ? dlopen (path, RTLD_NOW | RTLD_LOCAL) : NULL;
  unlink (path);
  return *module ? 0 : 218;
}

trm_cu_result
cuModuleGetFunction (trm_cu_function *function, trm_cu_module module,
                     const char *name)
{
  ENTER_CONTEXT ("cuModuleGetFunction");
  void *kernel = dlsym (module, name);
  void *launch = dlsym (module, "cuda_cpu_launch");
  if (!kernel || !launch)
    return 500;
  trm_cu_function f = calloc (1, sizeof *f);
  memcpy (&f->kernel, &kernel, sizeof kernel);
  memcpy (&f->launch, &launch, sizeof launch);
  f->device = fake_device ();
  f->most_shared = 48 << 10;
  *function = f;
  return 0;
}

trm_cu_result
cuFuncGetAttribute (int *value, trm_cu_function_attribute attribute,
                    trm_cu_function function)
{
  (void) function;
  ENTER_CONTEXT ("cuFuncGetAttribute");
  *value = attribute == TRM_CU_REGISTERS      ? 33
           : attribute == TRM_CU_SHARED_BYTES ? 100
           : attribute == TRM_CU_LOCAL_BYTES  ? 8
                                              : 0;
  return 0;
}

trm_cu_result
cuFuncSetAttribute (trm_cu_function function,
                    trm_cu_function_attribute attribute, int value)
{
  ENTER_CONTEXT ("cuFuncSetAttribute");
  if (attribute != TRM_CU_DYNAMIC_SHARED || value > 227 << 10)
    return 1;
  function->most_shared = (unsigned) value;
  return 0;
}

trm_cu_result
cuOccupancyMaxActiveBlocksPerMultiprocessor (int *n, trm_cu_function function,
                                             int block, size_t shared)
{
  (void) function;
  ENTER_CONTEXT ("cuOccupancyMaxActiveBlocksPerMultiprocessor");
  *n = 2048 / block;
  if (shared && (size_t) *n > (228 << 10) / shared)
    *n = (int) ((228 << 10) / shared);
  return 0;
}

trm_cu_result
cuLaunchKernel (trm_cu_function function, unsigned grid_x, unsigned grid_y,
                unsigned grid_z, unsigned block_x, unsigned block_y,
                unsigned block_z, unsigned shared, trm_cu_stream stream,
                void **arguments, void **extra)
{
  trm_cu_kernel_node kernel = { .function = function,
                                .blocks = { grid_x, grid_y, grid_z },
                                .threads = { block_x, block_y, block_z },
                                .shared = shared,
                                .arguments = arguments,
                                .extra = extra };
  fake_op op;
  ENTER_CONTEXT ("cuLaunchKernel");
  if (!fake_is_launch (&kernel, &op))
    return 1;
  if (function->device != fake_device () || stream->device != fake_device ())
    return 400;
  fake_put (stream, &op);
  return 0;
}

/* The map that cuda_cpu_map.c copies by (cuda_cpu_run.h).  */
trm_cu_result
cuTensorMapEncodeTiled (trm_cu_map *map, trm_cu_map_element element,
                        uint32_t rank, void *address, const uint64_t *extents,
                        const uint64_t *strides, const uint32_t *box,
                        const uint32_t *steps, trm_cu_map_interleave interleave,
                        trm_cu_map_swizzle swizzle,
                        trm_cu_map_promotion promotion, trm_cu_map_fill fill)
{
  struct tns_cpu_map made
    = { .mark = TNS_CPU_MAP, .base = address, .stride = strides[0] };
  (void) promotion;
  ENTER ("cuTensorMapEncodeTiled");
  for (int k = 0; k < 2; k++)
    {
      made.extent[k] = extents[k];
      made.box[k] = box[k];
      if (extents[k] == 0 || extents[k] > 1ull << 32 || box[k] == 0
          || box[k] > 256 || steps[k] != 1)
        return 1;
    }
  if (element != TRM_CU_MAP_ELEMENT || rank != 2 || (uintptr_t) address % 16
      || strides[0] % 16 || strides[0] >= 1ull << 40
      || swizzle != TRM_CU_MAP_SWIZZLED || box[0] * 2 != 128 || interleave
      || fill || (uintptr_t) map % TRM_CU_MAP_ALIGNED)
    return 1;
  memcpy (map, &made, sizeof *map);
  return 0;
}

trm_cu_result
cuGraphCreate (trm_cu_graph *graph, unsigned flags)
{
  ENTER_CONTEXT ("cuGraphCreate");
  *graph = fake_graph ();
  return flags;
}

trm_cu_result
cuGraphDestroy (trm_cu_graph graph)
{
  ENTER_CONTEXT ("cuGraphDestroy");
  fake_graph_go (graph);
  return 0;
}

trm_cu_result
cuGraphAddKernelNode_v2 (trm_cu_node *node, trm_cu_graph graph,
                         const trm_cu_node *behind, size_t n,
                         const trm_cu_kernel_node *kernel)
{
  ENTER_CONTEXT ("cuGraphAddKernelNode");
  *node = n < 2 ? fake_node (graph, n ? *behind : NULL, kernel) : NULL;
  return *node ? 0 : 1;
}

trm_cu_result
cuGraphInstantiateWithFlags (trm_cu_exec *exec, trm_cu_graph graph,
                             unsigned long long flags)
{
  ENTER_CONTEXT ("cuGraphInstantiateWithFlags");
  *exec = fake_exec (graph);
  return flags ? 1 : 0;
}

trm_cu_result
cuGraphExecDestroy (trm_cu_exec exec)
{
  ENTER_CONTEXT ("cuGraphExecDestroy");
  fake_exec_go (exec);
  return 0;
}

trm_cu_result
cuGraphExecKernelNodeSetParams_v2 (trm_cu_exec exec, trm_cu_node node,
                                   const trm_cu_kernel_node *kernel)
{
  ENTER_CONTEXT ("cuGraphExecKernelNodeSetParams");
  return fake_exec_set (exec, node, kernel) ? 0 : 1;
}

trm_cu_result
cuGraphLaunch (trm_cu_exec exec, trm_cu_stream stream)
{
  ENTER_CONTEXT ("cuGraphLaunch");
  if (stream->device != fake_device ())
    return 400;
  fake_exec_launch (exec, stream);
  return 0;
}

trm_cu_result
cuMemAlloc_v2 (trm_cu_pointer *to, size_t bytes)
{
  ENTER_CONTEXT ("cuMemAlloc");
  *to = (trm_cu_pointer) (uintptr_t) fake_memory (bytes, true);
  return *to ? 0 : 2;
}

trm_cu_result
cuMemFree_v2 (trm_cu_pointer at)
{
  ENTER_CONTEXT ("cuMemFree");
  return fake_memory_go ((char *) (uintptr_t) at) ? 0 : 1;
}

trm_cu_result
cuMemAllocAsync (trm_cu_pointer *to, size_t bytes, trm_cu_stream stream)
{
  ENTER_CONTEXT ("cuMemAllocAsync");
  if (stream->device != fake_device ())
    return 400;
  char *at = fake_memory (bytes, false);
  *to = (trm_cu_pointer) (uintptr_t) at;
  if (at)
    fake_put (stream, &(fake_op){ .kind = FAKE_ALLOCATE, .at = at });
  return at ? 0 : 2;
}

trm_cu_result
cuMemFreeAsync (trm_cu_pointer at, trm_cu_stream stream)
{
  ENTER_CONTEXT ("cuMemFreeAsync");
  if (stream->device != fake_device ())
    return 400;
  fake_put (stream,
            &(fake_op){ .kind = FAKE_FREE, .at = (char *) (uintptr_t) at });
  return 0;
}

trm_cu_result
cuDeviceGetDefaultMemPool (trm_cu_pool *pool, trm_cu_device device)
{
  ENTER ("cuDeviceGetDefaultMemPool");
  *pool = (trm_cu_pool) &of_device[device];
  return 0;
}

trm_cu_result
cuMemPoolSetAttribute (trm_cu_pool pool, trm_cu_pool_attribute attribute,
                       void *value)
{
  (void) pool;
  (void) value;
  ENTER ("cuMemPoolSetAttribute");
  return attribute == TRM_CU_POOL_KEEPS ? 0 : 1;
}

trm_cu_result
cuMemPoolTrimTo (trm_cu_pool pool, size_t bytes)
{
  (void) pool;
  (void) bytes;
  return fake_enter ("cuMemPoolTrimTo");
}

trm_cu_result
cuMemAllocHost_v2 (void **to, size_t bytes)
{
  ENTER_CONTEXT ("cuMemAllocHost");
  *to = fake_pinned (bytes);
  return 0;
}

trm_cu_result
cuMemcpyHtoDAsync_v2 (trm_cu_pointer to, const void *from, size_t bytes,
                      trm_cu_stream stream)
{
  fake_op op = { .kind = FAKE_COPY_IN,
                 .at = (char *) (uintptr_t) to,
                 .host = (char *) (uintptr_t) from,
                 .bytes = bytes };
  ENTER_CONTEXT ("cuMemcpyHtoDAsync");
  if (!fake_is_pinned (from))
    {
      op.owned = malloc (bytes);
      memcpy (op.owned, from, bytes);
    }
  fake_put (stream, &op);
  return 0;
}

trm_cu_result
cuMemcpyDtoHAsync_v2 (void *to, trm_cu_pointer from, size_t bytes,
                      trm_cu_stream stream)
{
  fake_op op = { .kind = FAKE_COPY_OUT,
                 .at = (char *) (uintptr_t) from,
                 .host = to,
                 .bytes = bytes };
  ENTER_CONTEXT ("cuMemcpyDtoHAsync");
  fake_put (stream, &op);
  return fake_is_pinned (to) ? 0 : fake_run_stream (stream);
}

trm_cu_result
cuStreamCreate (trm_cu_stream *stream, unsigned flags)
{
  (void) flags;
  ENTER_CONTEXT ("cuStreamCreate");
  *stream = fake_stream ();
  return 0;
}

trm_cu_result
cuStreamSynchronize (trm_cu_stream stream)
{
  ENTER_CONTEXT ("cuStreamSynchronize");
  return fake_run_stream (stream);
}

trm_cu_result
cuStreamWaitEvent (trm_cu_stream stream, trm_cu_event event, unsigned flags)
{
  (void) flags;
  ENTER_CONTEXT ("cuStreamWaitEvent");
  fake_put (
    stream,
    &(fake_op){ .kind = FAKE_WAIT, .event = event, .turn = event->asked });
  return 0;
}

trm_cu_result
cuEventCreate (trm_cu_event *event, unsigned flags)
{
  (void) flags;
  ENTER_CONTEXT ("cuEventCreate");
  *event = calloc (1, sizeof **event);
  return 0;
}

trm_cu_result
cuEventRecord (trm_cu_event event, trm_cu_stream stream)
{
  ENTER_CONTEXT ("cuEventRecord");
  fake_put (
    stream,
    &(fake_op){ .kind = FAKE_RECORD, .event = event, .turn = ++event->asked });
  return 0;
}

trm_cu_result
cuEventSynchronize (trm_cu_event event)
{
  ENTER_CONTEXT ("cuEventSynchronize");
  return fake_run_event (event, event->asked);
}

trm_cu_result
cuEventElapsedTime (float *ms, trm_cu_event from, trm_cu_event to)
{
  ENTER_CONTEXT ("cuEventElapsedTime");
  *ms = 0.25f;
  return from->reached < from->asked || to->reached < to->asked ? 600 : 0;
}

#ifndef FAKE_OLD
/* The function that a program of VERSION calls NAME.  */
trm_cu_result
cuGetProcAddress_v2 (const char *name, void **function, int version,
                     uint64_t flags, unsigned *status)
{
  char longer[80];
  Dl_info here;
  (void) flags;
  if (version != 12000 || !dladdr (counted, &here))
    return 1;
  void *self = dlopen (here.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  snprintf (longer, sizeof longer, "%s_v2", name);
  *function = dlsym (self, longer);
  if (!*function)
    *function = dlsym (self, name);
  *status = *function ? 0 : 1;
  dlclose (self);
  return 0;
}
#endif
