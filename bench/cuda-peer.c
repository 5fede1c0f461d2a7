/* What the device's maker offers for the same: a copy by the driver, products
   by cuBLAS.  Both are opened at run time by own declarations.  */

#include "cuda.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef unsigned long long address;

/* The functions that are used.  */
static struct
{
  int (*cuInit) (unsigned);
  int (*cuDevicePrimaryCtxRetain) (void **, int);
  int (*cuCtxSetCurrent) (void *);
  int (*cuCtxSynchronize) (void);
  int (*cuMemAlloc_v2) (address *, size_t);
  int (*cuMemFree_v2) (address);
  int (*cuMemcpyDtoD_v2) (address, address, size_t);
  int (*cuMemcpyHtoD_v2) (address, const void *, size_t);
  int (*cublasCreate_v2) (void **);
  int (*cublasSgemm_v2) (void *, int, int, int, int, int, const float *,
                         address, int, address, int, const float *, address,
                         int);
  int (*cublasGemmEx) (void *, int, int, int, int, int, const void *, address,
                       int, int, address, int, int, const void *, address, int,
                       int, int, int);
} cu;

static void *blas;

#define R_32F   0
#define R_16BF  14
#define F32     68
#define DEFAULT (-1)

/* Look NAME up in LIBRARY.  */
#define FIND(LIBRARY, NAME)                                                    \
  if (!(*(void **) &cu.NAME = dlsym (LIBRARY, #NAME)))                         \
  return false

/* cuBLAS, of any version.  */
static void *
open_blas (void)
{
  static const char *const names[]
    = { "libcublas.so.13", "libcublas.so.12", "libcublas.so" };
  void *library = NULL;
  for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
    library = dlopen (names[i], RTLD_NOW);
  return library;
}

/* The functions of the driver.  */
static bool
find_driver (void *library)
{
  FIND (library, cuInit);
  FIND (library, cuDevicePrimaryCtxRetain);
  FIND (library, cuCtxSetCurrent);
  FIND (library, cuCtxSynchronize);
  FIND (library, cuMemAlloc_v2);
  FIND (library, cuMemFree_v2);
  FIND (library, cuMemcpyDtoD_v2);
  FIND (library, cuMemcpyHtoD_v2);
  return true;
}

/* Those of cuBLAS.  */
static bool
find_blas (void *library)
{
  FIND (library, cublasCreate_v2);
  FIND (library, cublasSgemm_v2);
  FIND (library, cublasGemmEx);
  return cu.cublasCreate_v2 (&blas) == 0;
}

bool
cuda_peer_open (void)
{
  void *context, *driver = dlopen ("libcuda.so.1", RTLD_NOW);
  if (!driver || !find_driver (driver) || cu.cuInit (0)
      || cu.cuDevicePrimaryCtxRetain (&context, 0)
      || cu.cuCtxSetCurrent (context))
    return false;
  void *library = open_blas ();
  if (!library || !find_blas (library))
    blas = NULL;
  return true;
}

/* The order of two times.  */
static int
order (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

double
cuda_median (double *ns)
{
  qsort (ns, CUDA_ROUNDS, sizeof *ns, order);
  return ns[CUDA_ROUNDS / 2];
}

double
cuda_peer_copy (long bytes)
{
  double ns[CUDA_ROUNDS];
  address from = 0, to = 0;
  bool fine = !cu.cuMemAlloc_v2 (&from, (size_t) bytes)
              && !cu.cuMemAlloc_v2 (&to, (size_t) bytes);
  for (int t = 0; fine && t < CUDA_ROUNDS; t++)
    {
      double start = cuda_now ();
      cu.cuMemcpyDtoD_v2 (to, from, (size_t) bytes);
      cu.cuCtxSynchronize ();
      ns[t] = cuda_now () - start;
    }
  cu.cuMemFree_v2 (from);
  cu.cuMemFree_v2 (to);
  return fine ? cuda_median (ns) : 0;
}

/* N x N numbers that are none of the simple ones, on the device; 0 without
   memory.  */
static address
numbers (int n, bool bf16)
{
  size_t many = (size_t) n * (size_t) n, each = bf16 ? 2 : 4;
  float *x = malloc (many * 4);
  uint16_t *h = (uint16_t *) x;
  address at = 0;
  if (!x || cu.cuMemAlloc_v2 (&at, many * each))
    return 0;
  for (size_t i = 0; i < many; i++)
    if (bf16)
      h[i] = (uint16_t) (0x3f00 + (i * 40503u >> 7) % 0x100);
    else
      x[i] = (float) ((i * 40503u >> 7) % 1000) / 500 - 1;
  cu.cuMemcpyHtoD_v2 (at, x, many * each);
  free (x);
  return at;
}

/* One product.  */
static int
multiply (int n, bool bf16, address a, address b, address c)
{
  float plus = 1, zero = 0;
  if (bf16)
    return cu.cublasGemmEx (blas, 0, 0, n, n, n, &plus, a, R_16BF, n, b, R_16BF,
                            n, &zero, c, R_16BF, n, F32, DEFAULT);
  return cu.cublasSgemm_v2 (blas, 0, 0, n, n, n, &plus, a, n, b, n, &zero, c,
                            n);
}

double
cuda_peer_product (int n, bool bf16)
{
  double ns[CUDA_ROUNDS];
  if (!blas)
    return 0;
  address a = numbers (n, bf16), b = numbers (n, bf16), c = numbers (n, bf16);
  bool fine = a && b && c && !multiply (n, bf16, a, b, c);
  cu.cuCtxSynchronize ();
  for (int t = 0; fine && t < CUDA_ROUNDS; t++)
    {
      double start = cuda_now ();
      fine = !multiply (n, bf16, a, b, c) && !cu.cuCtxSynchronize ();
      ns[t] = cuda_now () - start;
    }
  cu.cuMemFree_v2 (a);
  cu.cuMemFree_v2 (b);
  cu.cuMemFree_v2 (c);
  return fine ? cuda_median (ns) : 0;
}
