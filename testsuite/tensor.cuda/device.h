/* Kernels for the programs of this folder: each with the plain loops and, from
   the same words, with the region for a device.

     KERNEL (scale, (float *x, int n), for (int i = 0; i < n; i++) x[i] *= 2;)

   gives plain_scale and scale; REGION (...) is for what is not one loop,
   KERNEL_IN (bf16, scale, ...) has precision (bf16).  The plain loops are
   optimised in programs at -O0, too: they mean the same, in less time.
   LAUNCHES (1, CALL) shows that CALL takes one launch.  The rest is that of
   tensor.run.  */

#ifndef DEVICE_H
#define DEVICE_H

#include "../tensor.run/compare.h"

#include <dlfcn.h>

#define PRAGMA(...) _Pragma (#__VA_ARGS__)

#define KERNEL_AS(LINE, NAME, ARGS, ...)                                       \
  PLAIN_O2 void plain_##NAME ARGS                                              \
  {                                                                            \
    __VA_ARGS__                                                                \
  }                                                                            \
  static NOINLINE void NAME ARGS                                               \
  {                                                                            \
    LINE __VA_ARGS__                                                           \
  }

#define KERNEL(NAME, ARGS, ...)                                                \
  KERNEL_AS (_Pragma ("tensor target(cuda)"), NAME, ARGS, __VA_ARGS__)
#define KERNEL_IN(PRECISION, NAME, ARGS, ...)                                  \
  KERNEL_AS (PRAGMA (tensor target (cuda) precision (PRECISION)), NAME, ARGS,  \
             __VA_ARGS__)

#define REGION(NAME, ARGS, ...) KERNEL (NAME, ARGS, { __VA_ARGS__ })

/* None, one, some, a warp but one, more than a warp, more than a block.  */
static const int device_sizes[] = { 0, 1, 2, 31, 37, MOST };

/* How many kernels were launched so far, as the driver that is none counts
   them; 0 by any other.  */
static inline long
launches (void)
{
  void *driver = dlopen ("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  long (*count) (const char *name)
    = driver ? (long (*) (const char *)) dlsym (driver, "fake_cuda_count")
             : NULL;
  return count ? count ("run") : 0;
}

/* CALL takes AT_MOST launches: fewer where the device fails.  */
#define LAUNCHES(at_most, call)                                                \
  do                                                                           \
    {                                                                          \
      long before_ = launches ();                                              \
      call;                                                                    \
      if (launches () - before_ > (at_most))                                   \
        differ ("launches", 0, at_most, (double) (launches () - before_));     \
    }                                                                          \
  while (0)

#define EACH_LENGTH(n) EACH_OF (n, device_sizes, 0)
#define EACH_ROW(n)    EACH_OF (n, device_sizes, 1)

#endif
