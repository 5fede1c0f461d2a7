/* Folds along rows, and of all, as loops by hand, and their gradients, for gcc
   -O3 -march=native -ffast-math.  Sums and products are made in double, as the
   library's.  One thread.  */

#include "tensors-hand.h"

void
bench_sum_all (const bench_arrays *a)
{
  SIZES;
  double sum = 0;
  for (int64_t i = 0; i < n * m; i++)
    sum += a->in[0][i];
  a->out[0] = (float) sum;
}

void
bench_sum_all_both (const bench_arrays *a)
{
  SIZES;
  bench_sum_all (a);
  for (int64_t i = 0; i < n * m; i++)
    a->gain[0][i] = a->seed[0];
}

void
bench_mean_row (const bench_arrays *a)
{
  SIZES;
  for (int64_t i = 0; i < n; i++)
    {
      double sum = 0;
      for (int64_t j = 0; j < m; j++)
        sum += a->in[0][i * m + j];
      a->out[i] = (float) (sum / (double) m);
    }
}

void
bench_mean_row_both (const bench_arrays *a)
{
  SIZES;
  float *restrict dx = a->gain[0];
  bench_mean_row (a);
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < m; j++)
      dx[i * m + j] = a->seed[i] / (float) m;
}

void
bench_prod_row (const bench_arrays *a)
{
  SIZES;
  for (int64_t i = 0; i < n; i++)
    {
      double product = 1;
      for (int64_t j = 0; j < m; j++)
        product *= a->in[0][i * m + j];
      a->out[i] = (float) product;
    }
}

void
bench_prod_row_both (const bench_arrays *a)
{
  SIZES;
  const float *x = a->in[0];
  float *restrict dx = a->gain[0];
  bench_prod_row (a);
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < m; j++)
      dx[i * m + j] = a->seed[i] * a->out[i] / x[i * m + j];
}

void
bench_var_row (const bench_arrays *a)
{
  SIZES;
  for (int64_t i = 0; i < n; i++)
    {
      const float *x = a->in[0] + i * m;
      double sum = 0, square = 0;
      for (int64_t j = 0; j < m; j++)
        sum += x[j];
      double mean = sum / (double) m;
      for (int64_t j = 0; j < m; j++)
        square += (x[j] - mean) * (x[j] - mean);
      a->out[i] = (float) (square / (double) (m - 1));
      a->spare[i] = (float) mean;
    }
}

void
bench_var_row_both (const bench_arrays *a)
{
  SIZES;
  const float *x = a->in[0];
  float *restrict dx = a->gain[0];
  bench_var_row (a);
  for (int64_t i = 0; i < n; i++)
    {
      float part = 2 * a->seed[i] / (float) (m - 1), mean = a->spare[i];
      for (int64_t j = 0; j < m; j++)
        dx[i * m + j] = part * (x[i * m + j] - mean);
    }
}

/* The gradient of an extreme OUT[I] of row I: of the first element that is
   it.  */
static void
extreme_back (const bench_arrays *a)
{
  SIZES;
  for (int64_t i = 0; i < n; i++)
    {
      const float *x = a->in[0] + i * m;
      int64_t j = 0;
      while (j < m - 1 && x[j] != a->out[i])
        j++;
      clear (a->gain[0] + i * m, m);
      a->gain[0][i * m + j] = a->seed[i];
    }
}

#define EXTREME(name, beyond)                                                  \
  void bench_##name##_row (const bench_arrays *a)                              \
  {                                                                            \
    SIZES;                                                                     \
    for (int64_t i = 0; i < n; i++)                                            \
      {                                                                        \
        const float *x = a->in[0] + i * m;                                     \
        float most = x[0];                                                     \
        for (int64_t j = 1; j < m; j++)                                        \
          most = x[j] beyond most ? x[j] : most;                               \
        a->out[i] = most;                                                      \
      }                                                                        \
  }                                                                            \
  void bench_##name##_row_both (const bench_arrays *a)                         \
  {                                                                            \
    bench_##name##_row (a);                                                    \
    extreme_back (a);                                                          \
  }                                                                            \
  void bench_arg##name##_row (const bench_arrays *a)                           \
  {                                                                            \
    SIZES;                                                                     \
    for (int64_t i = 0; i < n; i++)                                            \
      {                                                                        \
        const float *x = a->in[0] + i * m;                                     \
        int64_t at = 0;                                                        \
        for (int64_t j = 1; j < m; j++)                                        \
          at = x[j] beyond x[at] ? j : at;                                     \
        ((int64_t *) a->out)[i] = at;                                          \
      }                                                                        \
  }
EXTREME (max, >)
EXTREME (min, <)

void
bench_cumsum_row (const bench_arrays *a)
{
  SIZES;
  for (int64_t i = 0; i < n; i++)
    {
      double sum = 0;
      for (int64_t j = 0; j < m; j++)
        a->out[i * m + j] = (float) (sum += a->in[0][i * m + j]);
    }
}

void
bench_cumsum_row_both (const bench_arrays *a)
{
  SIZES;
  bench_cumsum_row (a);
  for (int64_t i = 0; i < n; i++)
    {
      double sum = 0;
      for (int64_t j = m - 1; j >= 0; j--)
        a->gain[0][i * m + j] = (float) (sum += a->seed[i * m + j]);
    }
}

void
bench_any_row (const bench_arrays *a)
{
  SIZES;
  for (int64_t i = 0; i < n; i++)
    {
      uint8_t found = 0;
      for (int64_t j = 0; j < m; j++)
        found |= a->truth[0][i * m + j];
      ((uint8_t *) a->out)[i] = found;
    }
}

void
bench_every_row (const bench_arrays *a)
{
  SIZES;
  for (int64_t i = 0; i < n; i++)
    {
      uint8_t held = 1;
      for (int64_t j = 0; j < m; j++)
        held &= a->truth[0][i * m + j];
      ((uint8_t *) a->out)[i] = held;
    }
}

void
bench_log_softmax (const bench_arrays *a)
{
  SIZES;
  for (int64_t i = 0; i < n; i++)
    {
      const float *x = a->in[0] + i * m;
      float most = x[0], sum = 0;
      for (int64_t j = 1; j < m; j++)
        most = x[j] > most ? x[j] : most;
      for (int64_t j = 0; j < m; j++)
        sum += expf (x[j] - most);
      float part = most + logf (sum);
      for (int64_t j = 0; j < m; j++)
        a->out[i * m + j] = x[j] - part;
    }
}

void
bench_log_softmax_both (const bench_arrays *a)
{
  SIZES;
  bench_log_softmax (a);
  for (int64_t i = 0; i < n; i++)
    {
      const float *y = a->out + i * m, *dy = a->seed + i * m;
      float *restrict dx = a->gain[0] + i * m, sum = 0;
      for (int64_t j = 0; j < m; j++)
        sum += dy[j];
      for (int64_t j = 0; j < m; j++)
        dx[j] = dy[j] - expf (y[j]) * sum;
    }
}

void
bench_rms_norm (const bench_arrays *a)
{
  SIZES;
  for (int64_t i = 0; i < n; i++)
    {
      const float *x = a->in[0] + i * m;
      float *restrict out = a->out + i * m, square = 0;
      for (int64_t j = 0; j < m; j++)
        square += x[j] * x[j];
      float scale = a->spare[i] = 1 / sqrtf (square / (float) m + 1e-5f);
      for (int64_t j = 0; j < m; j++)
        out[j] = x[j] * scale * a->in[1][j];
    }
}

void
bench_rms_norm_both (const bench_arrays *a)
{
  SIZES;
  const float *gain = a->in[1];
  float *restrict dgain = a->gain[1];
  bench_rms_norm (a);
  clear (dgain, m);
  for (int64_t i = 0; i < n; i++)
    {
      const float *x = a->in[0] + i * m, *dy = a->seed + i * m;
      float *restrict dx = a->gain[0] + i * m, scale = a->spare[i], dot = 0;
      for (int64_t j = 0; j < m; j++)
        {
          dot += dy[j] * gain[j] * x[j];
          dgain[j] += dy[j] * x[j] * scale;
        }
      dot *= scale * scale / (float) m;
      for (int64_t j = 0; j < m; j++)
        dx[j] = scale * (dy[j] * gain[j] - x[j] * dot);
    }
}
