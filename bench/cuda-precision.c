/* Products and attention of bf16 in memory, with F32 sums, where the tensor
   cores may multiply.  */

#include "cuda.h"

#include <math.h>
#include <stddef.h>

#define SIDE   4096
#define HEADS  (4 * 12)
#define LENGTH 1024
#define HEAD   64

typedef unsigned short bf16;

/* The value of X's bits.  */
static float
wide (bf16 x)
{
  unsigned word = (unsigned) x << 16;
  float value;
  __builtin_memcpy (&value, &word, sizeof value);
  return value;
}

/* Halves of what is there become numbers around 1.  */
static const bf16 *
numbers (float *a, long n)
{
  bf16 *x = (bf16 *) a;
  for (long i = 0; i < n; i++)
    x[i] = (bf16) (0x3e80 + (i * 40503 >> 7) % 0x100 + (i % 3 << 15));
  return x;
}

#define PRODUCT(NAME, B, VALUE)                                                \
  static void NAME (long n, const bf16 *restrict a, const bf16 *restrict b,    \
                    float *restrict c, double *restrict ns)                    \
  {                                                                            \
    _Pragma ("tensor data a [0:n * n], b [0:n * n], c [0:n * n]")              \
      ROUNDS (_Pragma (                                                        \
        "tensor target(cuda) precision(bf16)") for (int i = 0; i < n;          \
                                                    i++) for (int j = 0;       \
                                                              j < n; j++) {    \
        float s = 0;                                                           \
        for (int k = 0; k < n; k++)                                            \
          s += wide (a[i * n + k]) * wide (b[B]);                              \
        c[i * n + j] = VALUE;                                                  \
      })                                                                       \
  }

PRODUCT (product, k *n + j, s)
PRODUCT (product_nt, j *n + k, s)
PRODUCT (product_gelu, k *n + j,
         0.5f * s * (1 + tanhf (0.79788f * (s + 0.044715f * s * s * s))))

/* N sequences of T rows of E.  */
static void
attention (long n, int t_end, int e, const bf16 *restrict q,
           const bf16 *restrict k, const bf16 *restrict v, float *restrict o,
           double *restrict ns)
{
  long all = n * t_end * e;
#pragma tensor data copyin(q [0:all], k [0:all], v [0:all]) copyout(o [0:all])
  ROUNDS (_Pragma (
    "tensor target(cuda) precision(bf16)") for (int h = 0; h < n;
                                                h++) for (int i = 0; i < t_end;
                                                          i++) {
    float p[t_end];
    long at = h * t_end * e;
    float most = -1e30f, sum = 0;
    for (int j = 0; j < t_end; j++)
      {
        float d = 0;
        for (int l = 0; l < e; l++)
          d += wide (q[at + i * e + l]) * wide (k[at + j * e + l]);
        p[j] = d * 0.125f;
        most = fmaxf (most, p[j]);
      }
    for (int j = 0; j < t_end; j++)
      sum += p[j] = expf (p[j] - most);
    for (int l = 0; l < e; l++)
      {
        float d = 0;
        for (int j = 0; j < t_end; j++)
          d += p[j] * wide (v[at + j * e + l]);
        o[at + i * e + l] = d / sum;
      }
  })
}

#define SQUARE (SIDE * SIDE)
#define ALL    (HEADS * LENGTH * HEAD)

#define RUN(NAME)                                                              \
  static void run_##NAME (float *const *a, double *ns)                         \
  {                                                                            \
    NAME (SIDE, numbers (a[0], SQUARE), numbers (a[1], SQUARE), a[2], ns);     \
  }

RUN (product)
RUN (product_nt)
RUN (product_gelu)

static void
run_attention (float *const *a, double *ns)
{
  attention (HEADS, LENGTH, HEAD, numbers (a[0], ALL), numbers (a[1], ALL),
             numbers (a[2], ALL), a[3], ns);
}

#define ROW(NAME, RUN)                                                         \
  {                                                                            \
    NAME, { SQUARE / 2, SQUARE / 2, SQUARE }, 8.0 * SQUARE,                    \
      2.0 * SIDE *SQUARE, RUN, true                                            \
  }

const cuda_row cuda_precision_rows[]
  = { ROW ("product 4096 bf16", run_product),
      ROW ("product 4096 bf16, nt", run_product_nt),
      ROW ("product 4096 bf16 + gelu", run_product_gelu),
      { "attention 48 x 1024 bf16",
        { ALL / 2, ALL / 2, ALL / 2, ALL },
        10.0 * ALL,
        4.0 * HEADS *LENGTH *(double) ALL / HEADS,
        run_attention,
        true },
      { NULL, { 0 }, 0, 0, NULL, false } };
