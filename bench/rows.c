/* Row softmax and layer norm.  */

#include <math.h>

#include "bench.h"

#define ROWS    4096
#define COLUMNS 768

BENCH_ALONE static void
softmax (int n, int m, float y[restrict n][m], float x[restrict n][m])
{
#pragma tensor name("softmax")
  for (int i = 0; i < n; i++)
    {
      float top = x[i][0], sum = 0;
      for (int j = 1; j < m; j++)
        top = x[i][j] > top ? x[i][j] : top;
      for (int j = 0; j < m; j++)
        {
          y[i][j] = expf (x[i][j] - top);
          sum += y[i][j];
        }
      for (int j = 0; j < m; j++)
        y[i][j] /= sum;
    }
}

BENCH_ALONE static void
layer_norm (int n, int m, float y[restrict n][m], float x[restrict n][m],
            float gain[restrict m], float shift[restrict m])
{
#pragma tensor name("layer norm")
  for (int i = 0; i < n; i++)
    {
      float mean = 0, variance = 0;
      for (int j = 0; j < m; j++)
        mean += x[i][j];
      mean /= m;
      for (int j = 0; j < m; j++)
        variance += (x[i][j] - mean) * (x[i][j] - mean);
      float scale = 1 / sqrtf (variance / m + 1e-5f);
      for (int j = 0; j < m; j++)
        y[i][j] = (x[i][j] - mean) * scale * gain[j] + shift[j];
    }
}

static void
run_softmax (float *const *a)
{
  softmax (bench_hide (ROWS), bench_hide (COLUMNS), (void *) a[0],
           (void *) a[1]);
}

static void
run_layer_norm (float *const *a)
{
  layer_norm (bench_hide (ROWS), bench_hide (COLUMNS), (void *) a[0],
              (void *) a[1], a[2], a[3]);
}

const bench_kernel bench_kernels[] = {
  { .name = "softmax, 4096 x 768",
    .length = { ROWS * COLUMNS, ROWS *COLUMNS },
    .low = -4,
    .high = 4,
    .run = run_softmax,
    .goal = { { BENCH_PLAIN, 1, 3 }, { BENCH_PLAIN, 2, 5 } } },
  { .name = "layer norm, 4096 x 768",
    .length = { ROWS * COLUMNS, ROWS *COLUMNS, COLUMNS, COLUMNS },
    .low = -4,
    .high = 4,
    .run = run_layer_norm,
    .goal = { { BENCH_PLAIN, 1, 3 }, { BENCH_PLAIN, 2, 5 } } },
  { .name = 0 },
};
