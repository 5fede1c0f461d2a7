/* Squared distances with two temporaries, at three sizes.  */

#include "bench.h"

BENCH_ALONE static void
pairwise (int n, int m, int p, float d[restrict n][m], float a[restrict n][p],
          float b[restrict m][p], float diff[restrict n][m][p],
          float sqr[restrict n][m][p])
{
#pragma tensor name("pairwise") temp(diff, sqr)
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        for (int k = 0; k < p; k++)
          diff[i][j][k] = a[i][k] - b[j][k];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        for (int k = 0; k < p; k++)
          sqr[i][j][k] = diff[i][j][k] * diff[i][j][k];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        {
          d[i][j] = 0;
          for (int k = 0; k < p; k++)
            d[i][j] += sqr[i][j][k];
        }
  }
}

static void
run_10 (float *const *a)
{
  pairwise (bench_hide (100), bench_hide (200), bench_hide (10), (void *) a[0],
            (void *) a[1], (void *) a[2], (void *) a[3], (void *) a[4]);
}

static void
run_2 (float *const *a)
{
  pairwise (bench_hide (100), bench_hide (200), bench_hide (2), (void *) a[0],
            (void *) a[1], (void *) a[2], (void *) a[3], (void *) a[4]);
}

static void
run_64 (float *const *a)
{
  pairwise (bench_hide (1000), bench_hide (1000), bench_hide (64),
            (void *) a[0], (void *) a[1], (void *) a[2], (void *) a[3],
            (void *) a[4]);
}

#define PAIRWISE(n, m, p, least)                                               \
  {                                                                            \
    .name = "pairwise, " #n " x " #m " x " #p,                                 \
    .length = { n * m, n * p, m * p, n * m * p, n * m * p },                   \
    .temp = 1 << 3 | 1 << 4, .low = 0, .high = 1, .run = run_##p,              \
    .goal                                                                      \
      = { { BENCH_UNFUSED, 1, least } }                                        \
  }

const bench_kernel bench_kernels[] = {
  PAIRWISE (100, 200, 10, 15),
  PAIRWISE (100, 200, 2, 25),
  PAIRWISE (1000, 1000, 64, 20),
  { .name = 0 },
};
