/* Windows that lie apart or overlap, as loops by hand, and their gradients, for
   gcc -O3 -march=native -ffast-math: means of 2 x 2, the greatest of 3 x 3 and
   filters of 3 x 3, two apart.  One thread.  */

#include "tensors-hand.h"

void
bench_avg_pool (const bench_arrays *a)
{
  const int64_t *e = a->extent[0];
  int64_t rows = e[0] * e[1] * e[2] / 2, m = e[3] / 2;
  for (int64_t i = 0; i < rows; i++)
    {
      const float *x = a->in[0] + i * 2 * e[3], *y = x + e[3];
      float *restrict out = a->out + i * m;
      for (int64_t j = 0; j < m; j++)
        out[j] = .25f * (x[2 * j] + x[2 * j + 1] + y[2 * j] + y[2 * j + 1]);
    }
}

void
bench_avg_pool_both (const bench_arrays *a)
{
  const int64_t *e = a->extent[0];
  int64_t rows = e[0] * e[1] * e[2] / 2, m = e[3] / 2;
  bench_avg_pool (a);
  for (int64_t i = 0; i < rows; i++)
    {
      const float *dy = a->seed + i * m;
      float *restrict dx = a->gain[0] + i * 2 * e[3];
      for (int64_t j = 0; j < m; j++)
        dx[2 * j] = dx[2 * j + 1] = .25f * dy[j];
      memcpy (dx + e[3], dx, (size_t) e[3] * sizeof *dx);
    }
}

/* Where the greatest of the 3 x 3 is that begin at AT, in rows of W.  */
static inline int64_t
greatest_of_nine (const float *x, int64_t at, int64_t w)
{
  int64_t best = at;
  for (int64_t k = 0; k < 3; k++)
    for (int64_t l = 0; l < 3; l++)
      if (x[at + k * w + l] > x[best])
        best = at + k * w + l;
  return best;
}

void
bench_wide_pool (const bench_arrays *a)
{
  const int64_t *e = a->extent[0];
  int64_t h = (e[2] - 1) / 2, w = (e[3] - 1) / 2;
  for (int64_t m = 0; m < e[0] * e[1]; m++)
    for (int64_t i = 0; i < h; i++)
      {
        const float *x = a->in[0] + (m * e[2] + 2 * i) * e[3];
        float *restrict out = a->out + (m * h + i) * w;
        for (int64_t j = 0; j < w; j++)
          {
            float most = x[2 * j];
            for (int64_t k = 0; k < 3; k++)
              for (int64_t l = 0; l < 3; l++)
                {
                  float here = x[k * e[3] + 2 * j + l];
                  most = here > most ? here : most;
                }
            out[j] = most;
          }
      }
}

void
bench_wide_pool_both (const bench_arrays *a)
{
  const int64_t *e = a->extent[0];
  int64_t h = (e[2] - 1) / 2, w = (e[3] - 1) / 2, plane = e[2] * e[3];
  clear (a->gain[0], e[0] * e[1] * plane);
  for (int64_t m = 0; m < e[0] * e[1]; m++)
    for (int64_t i = 0; i < h; i++)
      for (int64_t j = 0; j < w; j++)
        {
          int64_t at = greatest_of_nine (
            a->in[0], m * plane + 2 * i * e[3] + 2 * j, e[3]);
          a->out[(m * h + i) * w + j] = a->in[0][at];
          a->gain[0][at] += a->seed[(m * h + i) * w + j];
        }
}

/* The pictures of A in a frame of one zero, in TO.  */
static void
frame (const bench_arrays *a, float *to)
{
  const int64_t *e = a->extent[0];
  int64_t w = e[3] + 2, plane = (e[2] + 2) * w;
  clear (to, e[0] * e[1] * plane);
  for (int64_t m = 0; m < e[0] * e[1]; m++)
    for (int64_t i = 0; i < e[2]; i++)
      memcpy (to + m * plane + (i + 1) * w + 1,
              a->in[0] + (m * e[2] + i) * e[3], (size_t) e[3] * sizeof (float));
}

/* For each picture, filter and channel: out += the filter over the framed
   picture X, or where BACK the gradients, that of X to DX.  */
static inline __attribute__ ((always_inline)) void
each_filter (const bench_arrays *a, const float *x, float *restrict dx,
             bool back)
{
  const int64_t *e = a->extent[0], *f = a->extent[1];
  int64_t w = e[3] + 2, plane = (e[2] + 2) * w;
  int64_t oh = (e[2] + 1) / 2, ow = (e[3] + 1) / 2;
  for (int64_t n = 0; n < e[0] * f[0] * e[1] * 9; n++)
    {
      int64_t tap = n % 9, c = n / 9 % e[1], o = n / 9 / e[1] % f[0];
      int64_t m = n / 9 / e[1] / f[0], at = (o * e[1] + c) * 9 + tap;
      int64_t from = (m * e[1] + c) * plane + tap / 3 * w + tap % 3;
      int64_t to = (m * f[0] + o) * oh * ow;
      float here = a->in[1][at], sum = 0;
      for (int64_t i = 0; i < oh; i++)
        for (int64_t j = 0; j < ow; j++)
          if (back)
            {
              float dy = a->seed[to + i * ow + j];
              dx[from + 2 * (i * w + j)] += here * dy;
              sum += x[from + 2 * (i * w + j)] * dy;
            }
          else
            a->out[to + i * ow + j] += here * x[from + 2 * (i * w + j)];
      if (back)
        a->gain[1][at] += sum;
    }
}

void
bench_apart (const bench_arrays *a)
{
  const int64_t *e = a->extent[0], *f = a->extent[1];
  clear (a->out, e[0] * f[0] * ((e[2] + 1) / 2) * ((e[3] + 1) / 2));
  frame (a, a->spare);
  each_filter (a, a->spare, NULL, false);
}

void
bench_apart_both (const bench_arrays *a)
{
  const int64_t *e = a->extent[0], *f = a->extent[1];
  int64_t w = e[3] + 2, plane = (e[2] + 2) * w, all = e[0] * e[1] * plane;
  float *dx = a->spare + all;
  bench_apart (a);
  clear (dx, all);
  clear (a->gain[1], f[0] * e[1] * 9);
  each_filter (a, a->spare, dx, true);
  for (int64_t m = 0; m < e[0] * e[1]; m++)
    for (int64_t i = 0; i < e[2]; i++)
      memcpy (a->gain[0] + (m * e[2] + i) * e[3],
              dx + m * plane + (i + 1) * w + 1, (size_t) e[3] * sizeof *dx);
}
