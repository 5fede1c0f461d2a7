/* A blur in two nests, the same fused by hand, and one sweep of a stencil.
   Nothing is to be lost on any of them.  */

#include "bench.h"

#define SIZE 1024
#define TAPS 2

BENCH_ALONE static void
blur (int h, int w, float out[restrict h][w], float in[restrict h][w],
      float rows[restrict h][w])
{
#pragma tensor name("blur") temp(rows)
  {
    for (int y = 0; y < h; y++)
      for (int x = TAPS; x < w - TAPS; x++)
        rows[y][x] = 0.1f * in[y][x - 2] + 0.2f * in[y][x - 1] + 0.4f * in[y][x]
                     + 0.2f * in[y][x + 1] + 0.1f * in[y][x + 2];
    for (int y = TAPS; y < h - TAPS; y++)
      for (int x = TAPS; x < w - TAPS; x++)
        out[y][x] = 0.1f * rows[y - 2][x] + 0.2f * rows[y - 1][x]
                    + 0.4f * rows[y][x] + 0.2f * rows[y + 1][x]
                    + 0.1f * rows[y + 2][x];
  }
}

/* The vertical sum of a row first, then the horizontal one of that row.  */
BENCH_ALONE static void
blur_by_hand (int h, int w, float out[restrict h][w], float in[restrict h][w],
              float row[restrict w])
{
#pragma tensor name("blur by hand") temp(row)
  for (int y = TAPS; y < h - TAPS; y++)
    {
      for (int x = 0; x < w; x++)
        row[x] = 0.1f * in[y - 2][x] + 0.2f * in[y - 1][x] + 0.4f * in[y][x]
                 + 0.2f * in[y + 1][x] + 0.1f * in[y + 2][x];
      for (int x = TAPS; x < w - TAPS; x++)
        out[y][x] = 0.1f * row[x - 2] + 0.2f * row[x - 1] + 0.4f * row[x]
                    + 0.2f * row[x + 1] + 0.1f * row[x + 2];
    }
}

BENCH_ALONE static void
jacobi (int n, float to[restrict n][n], float from[restrict n][n])
{
#pragma tensor name("jacobi")
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      to[i][j]
        = 0.25f
          * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
}

static void
run_blur (float *const *a)
{
  blur (bench_hide (SIZE), bench_hide (SIZE), (void *) a[0], (void *) a[1],
        (void *) a[2]);
}

static void
run_by_hand (float *const *a)
{
  blur_by_hand (bench_hide (SIZE), bench_hide (SIZE), (void *) a[0],
                (void *) a[1], a[2]);
}

static void
run_jacobi (float *const *a)
{
  jacobi (bench_hide (SIZE), (void *) a[0], (void *) a[1]);
}

const bench_kernel bench_kernels[] = {
  { .name = "blur, two nests",
    .length = { SIZE * SIZE, SIZE *SIZE, SIZE *SIZE },
    .temp = 1 << 2,
    .low = 0,
    .high = 1,
    .run = run_blur,
    .hand = run_by_hand },
  { .name = "blur, fused by hand",
    .length = { SIZE * SIZE, SIZE *SIZE, SIZE },
    .temp = 1 << 2,
    .low = 0,
    .high = 1,
    .run = run_by_hand },
  { .name = "jacobi, one sweep",
    .length = { SIZE * SIZE, SIZE *SIZE },
    .low = 0,
    .high = 1,
    .run = run_jacobi },
  { .name = 0 },
};
