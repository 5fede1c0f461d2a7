/* Operations on windows, attention, moved rows, as loops by hand,
   and their gradients, as one would write them in an afternoon for
   gcc -O3 -march=native -ffast-math.  One thread.  */

#include "tensors-hand.h"

/* The rows of picture I, channel J, of input or array X with extents E.  */
static inline int64_t
at_plane (const int64_t *e, int64_t i, int64_t j)
{
  return (i * e[1] + j) * e[2] * e[3];
}

/* Which planes a filter joins, and where: window K, L of filter w of channel C
   to O, in picture I.  */
typedef struct tap
{
  int64_t height, width, stride;
  int64_t in, out, w;
} tap;

/* Call VISIT for each tap of A.  */
static inline __attribute__ ((always_inline)) void
each_tap (const bench_arrays *a, void (*visit) (const bench_arrays *, tap))
{
  const int64_t *x = a->extent[0], *w = a->extent[1];
  int64_t height = x[2] - w[2] + 1, width = x[3] - w[3] + 1;
  for (int64_t i = 0; i < x[0]; i++)
    for (int64_t o = 0; o < w[0]; o++)
      for (int64_t c = 0; c < x[1]; c++)
        for (int64_t k = 0; k < w[2]; k++)
          for (int64_t l = 0; l < w[3]; l++)
            visit (a, (tap){ .height = height,
                             .width = width,
                             .stride = x[3],
                             .in = at_plane (x, i, c) + k * x[3] + l,
                             .out = (i * w[0] + o) * height * width,
                             .w = at_plane (w, o, c) + k * w[3] + l });
}

/* out += w x for one tap.  */
static inline void
add_tap (const bench_arrays *a, tap t)
{
  const float *x = a->in[0] + t.in;
  float *restrict out = a->out + t.out, w = a->in[1][t.w];
  for (int64_t i = 0; i < t.height; i++)
    for (int64_t j = 0; j < t.width; j++)
      out[i * t.width + j] += w * x[i * t.stride + j];
}

/* The gradients of one tap.  */
static inline void
add_tap_back (const bench_arrays *a, tap t)
{
  const float *x = a->in[0] + t.in, *dy = a->seed + t.out;
  float *restrict dx = a->gain[0] + t.in, w = a->in[1][t.w], sum = 0;
  for (int64_t i = 0; i < t.height; i++)
    for (int64_t j = 0; j < t.width; j++)
      {
        dx[i * t.stride + j] += w * dy[i * t.width + j];
        sum += x[i * t.stride + j] * dy[i * t.width + j];
      }
  a->gain[1][t.w] += sum;
}

void
bench_conv (const bench_arrays *a)
{
  const int64_t *x = a->extent[0], *w = a->extent[1];
  int64_t plane = (x[2] - w[2] + 1) * (x[3] - w[3] + 1);
  for (int64_t i = 0; i < x[0] * w[0]; i++)
    for (int64_t j = 0; j < plane; j++)
      a->out[i * plane + j] = a->in[2][i % w[0]];
  each_tap (a, add_tap);
}

void
bench_conv_both (const bench_arrays *a)
{
  const int64_t *x = a->extent[0], *w = a->extent[1];
  int64_t plane = (x[2] - w[2] + 1) * (x[3] - w[3] + 1);
  bench_conv (a);
  clear (a->gain[0], x[0] * x[1] * x[2] * x[3]);
  clear (a->gain[1], w[0] * w[1] * w[2] * w[3]);
  clear (a->gain[2], w[0]);
  each_tap (a, add_tap_back);
  for (int64_t i = 0; i < x[0] * w[0]; i++)
    {
      float sum = 0;
      for (int64_t j = 0; j < plane; j++)
        sum += a->seed[i * plane + j];
      a->gain[2][i % w[0]] += sum;
    }
}

void
bench_pool (const bench_arrays *a)
{
  const int64_t *e = a->extent[0];
  int64_t rows = e[0] * e[1] * e[2] / 2, m = e[3] / 2;
  for (int64_t i = 0; i < rows; i++)
    {
      const float *x = a->in[0] + i * 2 * e[3], *y = x + e[3];
      float *restrict out = a->out + i * m;
      for (int64_t j = 0; j < m; j++)
        {
          float above = x[2 * j] > x[2 * j + 1] ? x[2 * j] : x[2 * j + 1];
          float below = y[2 * j] > y[2 * j + 1] ? y[2 * j] : y[2 * j + 1];
          out[j] = above > below ? above : below;
        }
    }
}

void
bench_pool_both (const bench_arrays *a)
{
  const int64_t *e = a->extent[0];
  int64_t rows = e[0] * e[1] * e[2] / 2, m = e[3] / 2;
  bench_pool (a);
  for (int64_t i = 0; i < rows; i++)
    {
      const float *x = a->in[0] + i * 2 * e[3], *y = x + e[3];
      const float *out = a->out + i * m, *dy = a->seed + i * m;
      float *restrict dx = a->gain[0] + i * 2 * e[3];
      for (int64_t j = 0; j < m; j++)
        {
          int at = x[2 * j] == out[j]       ? 0
                   : x[2 * j + 1] == out[j] ? 1
                   : y[2 * j] == out[j]     ? 2
                                            : 3;
          dx[2 * j] = at == 0 ? dy[j] : 0;
          dx[2 * j + 1] = at == 1 ? dy[j] : 0;
          dx[e[3] + 2 * j] = at == 2 ? dy[j] : 0;
          dx[e[3] + 2 * j + 1] = at == 3 ? dy[j] : 0;
        }
    }
}

/* Row I of a head of D: its weights P of the first N rows of K, and OUT.  */
static void
attend (const bench_arrays *a, int64_t i, int64_t head, int64_t n, float *p)
{
  int64_t d = EXTENT (0, 3);
  const float *q = a->in[0] + i * d, *k = a->in[1] + head, *v = a->in[2] + head;
  float *restrict out = a->out + i * d, scale = 1 / sqrtf ((float) d), most;
  for (int64_t j = 0; j < n; j++)
    {
      float dot = 0;
      for (int64_t c = 0; c < d; c++)
        dot += q[c] * k[j * d + c];
      p[j] = dot * scale;
    }
  softmax (n, p, p, &most);
  clear (out, d);
  for (int64_t j = 0; j < n; j++)
    for (int64_t c = 0; c < d; c++)
      out[c] += p[j] * v[j * d + c];
}

/* The gradients of attend; DP: room for N.  */
static void
attend_back (const bench_arrays *a, int64_t i, int64_t head, int64_t n,
             const float *p, float *dp)
{
  int64_t d = EXTENT (0, 3);
  const float *q = a->in[0] + i * d, *k = a->in[1] + head, *v = a->in[2] + head;
  const float *dy = a->seed + i * d;
  float *restrict dq = a->gain[0] + i * d, *restrict dk = a->gain[1] + head;
  float *restrict dv = a->gain[2] + head, scale = 1 / sqrtf ((float) d);
  for (int64_t j = 0; j < n; j++)
    {
      float dot = 0;
      for (int64_t c = 0; c < d; c++)
        {
          dot += dy[c] * v[j * d + c];
          dv[j * d + c] += p[j] * dy[c];
        }
      dp[j] = dot;
    }
  softmax_back (n, p, dp, dp);
  for (int64_t j = 0; j < n; j++)
    for (int64_t c = 0; c < d; c++)
      {
        dq[c] += scale * dp[j] * k[j * d + c];
        dk[j * d + c] += scale * dp[j] * q[c];
      }
}

/* All rows of all heads, and their gradients where IS_BOTH.  */
static void
attend_all (const bench_arrays *a, bool is_causal, bool is_both)
{
  const int64_t *e = a->extent[0];
  int64_t t = e[2], rows = e[0] * e[1] * t;
  for (int i = 0; i < 3 && is_both; i++)
    clear (a->gain[i], rows * e[3]);
  for (int64_t i = 0; i < rows; i++)
    {
      int64_t head = i / t * t * e[3], n = is_causal ? i % t + 1 : t;
      attend (a, i, head, n, a->spare);
      if (is_both)
        attend_back (a, i, head, n, a->spare, a->spare + t);
    }
}

void
bench_attention (const bench_arrays *a)
{
  attend_all (a, false, false);
}

void
bench_attention_both (const bench_arrays *a)
{
  attend_all (a, false, true);
}

void
bench_causal (const bench_arrays *a)
{
  attend_all (a, true, false);
}

void
bench_causal_both (const bench_arrays *a)
{
  attend_all (a, true, true);
}

void
bench_rows (const bench_arrays *a)
{
  int64_t n = EXTENT (1, 0), m = EXTENT (0, 1);
  for (int64_t i = 0; i < n; i++)
    memcpy (a->out + i * m, a->in[0] + a->index[1][i] * m,
            (size_t) m * sizeof (float));
}

void
bench_rows_both (const bench_arrays *a)
{
  int64_t n = EXTENT (1, 0), m = EXTENT (0, 1);
  bench_rows (a);
  clear (a->gain[0], EXTENT (0, 0) * m);
  for (int64_t i = 0; i < n; i++)
    {
      const float *dy = a->seed + i * m;
      float *restrict dx = a->gain[0] + a->index[1][i] * m;
      for (int64_t j = 0; j < m; j++)
        dx[j] += dy[j];
    }
}

/* y[m][n] = x[n][m], transposed, in squares of 16 by 16.  */
static void
transpose (int64_t n, int64_t m, const float *x, float *restrict y)
{
  for (int64_t k = 0; k < n; k += 16)
    for (int64_t l = 0; l < m; l += 16)
      for (int64_t j = l; j < l + 16 && j < m; j++)
        for (int64_t i = k; i < k + 16 && i < n; i++)
          y[j * n + i] = x[i * m + j];
}

void
bench_transposed (const bench_arrays *a)
{
  transpose (EXTENT (0, 0), EXTENT (0, 1), a->in[0], a->out);
}

void
bench_transposed_both (const bench_arrays *a)
{
  bench_transposed (a);
  transpose (EXTENT (0, 1), EXTENT (0, 0), a->seed, a->gain[0]);
}
