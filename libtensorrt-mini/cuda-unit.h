/* From a unit's text, or image, to kernels on the device (cuda-unit.c): NVRTC
   (cuda-nvrtc.c), what is kept on disk (cuda-cache.c), by which key
   (cuda-hash.c).  Not installed.  */

#ifndef TRM_CUDA_UNIT_H
#define TRM_CUDA_UNIT_H

#include "cuda.h"

/* A kernel.

   per_processor  blocks of BLOCK threads with SHARED bytes that a
                  multiprocessor holds at once, 0: not asked yet
   threads        of a block of its first launch that was timed, 0: none was;
                  what it takes then: registers of a thread, shared bytes of a
                  block, local bytes of a thread; how many of 100 threads that a
                  multiprocessor holds are there
   launches, ns   those that were timed
   group          the kernel of warpgroups beside it; asked: whether there is
                  one was  */
typedef struct trm_cuda_kernel
{
  const char *name;
  trm_cu_function function;
  intptr_t block;
  intptr_t shared;
  int per_processor;
  int most_shared;
  int threads;
  int registers;
  int shared_bytes;
  int local;
  double occupied;
  int64_t launches;
  int64_t ns;
  struct trm_cuda_kernel *group;
  bool asked;
} trm_cuda_kernel;

/* A unit's N kernels on GPU, or why there are none; those of the same unit on
   another device; the next one of the process.  */
typedef struct trm_cuda_code
{
  const trm_cuda_gpu *gpu;
  struct trm_cuda_code *beside;
  trm_cu_module module;
  trm_cuda_why why;
  char words[160];
  struct trm_cuda_code *next;
  intptr_t n;
  trm_cuda_kernel kernel[];
} trm_cuda_code;

/* The run under way.

   code      its kernels; NULL: none were loaded
   site, array, n  as given
   pushed    it is in the device's context
   launched  a kernel may have changed memory  */
typedef struct trm_cuda_run
{
  trm_cuda_code *code;
  trm_site *site;
  trm_cuda_array *array;
  intptr_t n;
  bool pushed;
  bool launched;
} trm_cuda_run;
extern trm_cuda_run trm_cuda_running;

/* cuda-run.c: whether the device is there and wanted for the run, of COST;
   whether all that it touches is there.  Launch what was gathered and is not
   under way yet.  Wait for all that is under way; whether all of it ended
   well.  */
extern bool trm_cuda_is_wanted (const trm_cuda_unit *unit,
                                const trm_cuda_cost *cost);
extern bool trm_cuda_all_there (void);
extern void trm_cuda_launch_rest (void);
extern bool trm_cuda_calm_down (void);

/* The kernels of UNIT; NULL with a fault.  */
extern trm_cuda_code *trm_cuda_load (trm_cuda_unit *unit);

/* cuda-kernels.c: the kernels of CODE are in the table from now on.  Ask what a
   block of THREADS threads of K with SHARED bytes of dynamic shared memory
   takes, unless that is known or nothing is timed.  */
extern void trm_cuda_keep_code (trm_cuda_code *code);
extern void trm_cuda_describe (trm_cuda_kernel *k, int threads, int shared);

/* cuda-group.c: the argument of a kernel of warpgroups, which has as much of
   OWN as it is given otherwise.  */
#define TRM_CUDA_MOST_OWN 64
typedef struct trm_cuda_given
{
  trm_cu_map map[2];
  int64_t own[TRM_CUDA_MOST_OWN];
} trm_cuda_given;

/* The kernel of warpgroups beside K of CODE; NULL: there is none, or no device
   for it.  Its argument, of OPERAND[0..2) and the BYTES bytes at ARGS, until
   the next call; NULL: they have no maps.  */
extern trm_cuda_kernel *trm_cuda_group_of (const trm_cuda_code *code,
                                           trm_cuda_kernel *k);
extern const trm_cuda_given *
trm_cuda_group_given (const trm_cuda_operand *operand, const void *args,
                      intptr_t bytes);

/* NVRTC as it is used for trm_cuda's device.

   version   1208
   format    the code it makes: cubin, or ptx where it does not know the device
   option    that asks for it  */
typedef struct trm_nvrtc
{
  int version;
  const char *format;
  char option[40];
} trm_nvrtc;

/* Open it; NULL with a fault.  Compile TEXT with OPTIONS to *CODE, which is to
   be freed, of *BYTES bytes.  */
extern const trm_nvrtc *trm_nvrtc_open (void);
extern bool trm_nvrtc_compile (const char *text, const char *options,
                               void **code, size_t *bytes);

/* What was put by that key, of 64 hexadecimal digits: *CODE, to be freed, and
   its bytes; false when there is nothing, or it is damaged.  Put it; what fails
   then is as if there was no cache.  */
extern bool trm_cuda_cache_get (const char *key, void **code, size_t *bytes);
extern void trm_cuda_cache_put (const char *key, const void *code,
                                size_t bytes);

/* SHA-256: begin, add BYTES bytes, write 64 hexadecimal digits and a 0.  */
typedef struct trm_sha256
{
  uint32_t state[8];
  uint64_t n;
  unsigned char block[64];
} trm_sha256;
extern void trm_sha256_begin (trm_sha256 *h);
extern void trm_sha256_add (trm_sha256 *h, const void *bytes, size_t n);
extern void trm_sha256_end (trm_sha256 *h, char *digits);

#endif
