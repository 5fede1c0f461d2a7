/* A product of matrices of 512 x 512 with a scale and a shift, in the forms
   that people write.  */

#include "bench.h"

#define SIZE 512

/* The sum in a scalar.  */
BENCH_ALONE static void
scalar (int n, float c[restrict n][n], float a[restrict n][n],
        float b[restrict n][n])
{
#pragma tensor name("scalar sum")
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        float sum = 0;
        for (int k = 0; k < n; k++)
          sum += a[i][k] * b[k][j];
        c[i][j] = sum * 100 + 10;
      }
}

/* The sum in the array, scale and shift in nests of their own.  */
BENCH_ALONE static void
lecture (int n, float c[restrict n][n], float a[restrict n][n],
         float b[restrict n][n])
{
#pragma tensor name("lecture")
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        {
          c[i][j] = 0;
          for (int k = 0; k < n; k++)
            c[i][j] += a[i][k] * b[k][j];
        }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        c[i][j] = c[i][j] * 100;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        c[i][j] = c[i][j] + 10;
  }
}

/* A transposed.  */
BENCH_ALONE static void
transposed_a (int n, float c[restrict n][n], float a[restrict n][n],
              float b[restrict n][n])
{
#pragma tensor name("transposed A")
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        float sum = 0;
        for (int k = 0; k < n; k++)
          sum += a[k][i] * b[k][j];
        c[i][j] = sum * 100 + 10;
      }
}

/* B transposed.  */
BENCH_ALONE static void
transposed_b (int n, float c[restrict n][n], float a[restrict n][n],
              float b[restrict n][n])
{
#pragma tensor name("transposed B")
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        float sum = 0;
        for (int k = 0; k < n; k++)
          sum += a[i][k] * b[j][k];
        c[i][j] = sum * 100 + 10;
      }
}

static void
run_scalar (float *const *a)
{
  scalar (bench_hide (SIZE), (void *) a[0], (void *) a[1], (void *) a[2]);
}

static void
run_lecture (float *const *a)
{
  lecture (bench_hide (SIZE), (void *) a[0], (void *) a[1], (void *) a[2]);
}

static void
run_transposed_a (float *const *a)
{
  transposed_a (bench_hide (SIZE), (void *) a[0], (void *) a[1], (void *) a[2]);
}

static void
run_transposed_b (float *const *a)
{
  transposed_b (bench_hide (SIZE), (void *) a[0], (void *) a[1], (void *) a[2]);
}

#define PRODUCT(words, form, function)                                         \
  {                                                                            \
    .name = "product 512, " words,                                             \
    .length = { SIZE * SIZE, SIZE * SIZE, SIZE * SIZE }, .low = 0, .high = 1,  \
    .flops = 2.0 * SIZE * SIZE * SIZE, .product = form, .run = function,       \
    .goal                                                                      \
      = { { BENCH_PEAK, 1, 0.4 } }                                             \
  }

const bench_kernel bench_kernels[] = {
  PRODUCT ("scalar sum", 'n', run_scalar),
  PRODUCT ("three nests", 'n', run_lecture),
  PRODUCT ("A transposed", 'a', run_transposed_a),
  PRODUCT ("B transposed", 'b', run_transposed_b),
  { .name = 0 },
};
