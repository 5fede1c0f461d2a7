/* Regions that arithmetic decides: products, attention.  */

#include "cuda.h"

#include <math.h>
#include <stddef.h>

#define SIDE   4096
#define ROWS   (4 * 12 * 1024)
#define LENGTH 1024
#define HEAD   64

static void
product (long n, const float *restrict a, const float *restrict b,
         float *restrict c, double *restrict ns)
{
#pragma tensor data copyin(a [0:n * n], b [0:n * n]) copyout(c [0:n * n])
  ROUNDS (
    _Pragma ("tensor target(cuda)") for (int i = 0; i < n;
                                         i++) for (int j = 0; j < n; j++) {
      float s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    })
}

static void
product_nt (long n, const float *restrict a, const float *restrict b,
            float *restrict c, double *restrict ns)
{
#pragma tensor data copyin(a [0:n * n], b [0:n * n]) copyout(c [0:n * n])
  ROUNDS (
    _Pragma ("tensor target(cuda)") for (int i = 0; i < n;
                                         i++) for (int j = 0; j < n; j++) {
      float s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[j * n + k];
      c[i * n + j] = s;
    })
}

static void
product_gelu (long n, const float *restrict a, const float *restrict b,
              const float *restrict bias, float *restrict c,
              double *restrict ns)
{
#pragma tensor data copyin(a [0:n * n], b [0:n * n], bias [0:n])               \
  copyout(c [0:n * n])
  ROUNDS (
    _Pragma ("tensor target(cuda)") for (int i = 0; i < n;
                                         i++) for (int j = 0; j < n; j++) {
      float s = bias[j];
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j]
        = 0.5f * s * (1 + tanhf (0.79788f * (s + 0.044715f * s * s * s)));
    })
}

/* N sequences of T rows of E.  */
static void
attention (long n, int t_end, int e, const float *restrict q,
           const float *restrict k, const float *restrict v, float *restrict o,
           double *restrict ns)
{
  long all = n * t_end * e;
#pragma tensor data copyin(q [0:all], k [0:all], v [0:all]) copyout(o [0:all])
  ROUNDS (
    _Pragma ("tensor target(cuda)") for (int h = 0; h < n;
                                         h++) for (int i = 0; i < t_end; i++) {
      float p[t_end];
      long at = h * t_end * e;
      float most = -1e30f, sum = 0;
      for (int j = 0; j < t_end; j++)
        {
          float d = 0;
          for (int l = 0; l < e; l++)
            d += q[at + i * e + l] * k[at + j * e + l];
          p[j] = d * 0.125f;
          most = fmaxf (most, p[j]);
        }
      for (int j = 0; j < t_end; j++)
        sum += p[j] = expf (p[j] - most);
      for (int l = 0; l < e; l++)
        {
          float d = 0;
          for (int j = 0; j < t_end; j++)
            d += p[j] * v[at + j * e + l];
          o[at + i * e + l] = d / sum;
        }
    })
}

static void
run_product (float *const *a, double *ns)
{
  product (SIDE, a[0], a[1], a[2], ns);
}

static void
run_product_nt (float *const *a, double *ns)
{
  product_nt (SIDE, a[0], a[1], a[2], ns);
}

static void
run_product_gelu (float *const *a, double *ns)
{
  product_gelu (SIDE, a[0], a[1], a[3], a[2], ns);
}

static void
run_product_small (float *const *a, double *ns)
{
  product (512, a[0], a[1], a[2], ns);
}

static void
run_attention (float *const *a, double *ns)
{
  attention (ROWS / LENGTH, LENGTH, HEAD, a[0], a[1], a[2], a[3], ns);
}

#define SQUARE (SIDE * SIDE)
#define ALL    (ROWS * HEAD)

const cuda_row cuda_product_rows[] = { { "product 4096",
                                         { SQUARE, SQUARE, SQUARE },
                                         12.0 * SQUARE,
                                         2.0 * SIDE *SQUARE,
                                         run_product },
                                       { "product 4096, nt",
                                         { SQUARE, SQUARE, SQUARE },
                                         12.0 * SQUARE,
                                         2.0 * SIDE *SQUARE,
                                         run_product_nt },
                                       { "product 4096 + bias, gelu",
                                         { SQUARE, SQUARE, SQUARE, SIDE },
                                         12.0 * SQUARE,
                                         2.0 * SIDE *SQUARE,
                                         run_product_gelu },
                                       { "product 512",
                                         { 512 * 512, 512 * 512, 512 * 512 },
                                         12.0 * 512 * 512,
                                         2.0 * 512 * 512 * 512,
                                         run_product_small },
                                       { "attention 48 x 1024 x 64",
                                         { ALL, ALL, ALL, ALL },
                                         16.0 * ALL,
                                         4.0 * ROWS *LENGTH *HEAD,
                                         run_attention },
                                       { NULL, { 0 }, 0, 0, NULL } };
