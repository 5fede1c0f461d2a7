/* Folds along columns, row by row, as loops by hand, and their gradients, for
   gcc -O3 -march=native -ffast-math.  Sums and products are made in double, as
   the library's.  One thread.  */

#include "tensors-hand.h"

/* s[j]: the sum of column j, or its product.  */
#define FOLD_COLUMNS(first, step)                                              \
  const float *x = a->in[0];                                                   \
  double s[m];                                                                 \
  for (int64_t j = 0; j < m; j++)                                              \
    s[j] = first;                                                              \
  for (int64_t i = 0; i < n; i++)                                              \
    for (int64_t j = 0; j < m; j++)                                            \
      s[j] step x[i * m + j];

void
bench_mean_column (const bench_arrays *a)
{
  SIZES;
  FOLD_COLUMNS (0, +=)
  for (int64_t j = 0; j < m; j++)
    a->out[j] = (float) (s[j] / (double) n);
}

void
bench_mean_column_both (const bench_arrays *a)
{
  SIZES;
  float *restrict dx = a->gain[0], each = 1 / (float) n;
  bench_mean_column (a);
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < m; j++)
      dx[i * m + j] = a->seed[j] * each;
}

void
bench_prod_column (const bench_arrays *a)
{
  SIZES;
  FOLD_COLUMNS (1, *=)
  for (int64_t j = 0; j < m; j++)
    a->out[j] = (float) s[j];
}

void
bench_prod_column_both (const bench_arrays *a)
{
  SIZES;
  const float *x = a->in[0];
  float *restrict dx = a->gain[0], *restrict whole = a->spare;
  bench_prod_column (a);
  for (int64_t j = 0; j < m; j++)
    whole[j] = a->seed[j] * a->out[j];
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < m; j++)
      dx[i * m + j] = whole[j] / x[i * m + j];
}

void
bench_var_column (const bench_arrays *a)
{
  SIZES;
  FOLD_COLUMNS (0, +=)
  double square[m];
  for (int64_t j = 0; j < m; j++)
    {
      a->spare[j] = (float) (s[j] /= (double) n);
      square[j] = 0;
    }
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < m; j++)
      square[j] += (x[i * m + j] - s[j]) * (x[i * m + j] - s[j]);
  for (int64_t j = 0; j < m; j++)
    a->out[j] = (float) (square[j] / (double) (n - 1));
}

void
bench_var_column_both (const bench_arrays *a)
{
  SIZES;
  const float *x = a->in[0], *mean = a->spare;
  float *restrict dx = a->gain[0], *restrict part = a->spare + m;
  bench_var_column (a);
  for (int64_t j = 0; j < m; j++)
    part[j] = 2 * a->seed[j] / (float) (n - 1);
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < m; j++)
      dx[i * m + j] = part[j] * (x[i * m + j] - mean[j]);
}

/* The gradient of extremes OUT of columns: of the first element that is it.  */
static void
extreme_back (const bench_arrays *a)
{
  SIZES;
  const float *x = a->in[0];
  float *restrict dx = a->gain[0], *restrict left = a->spare;
  memcpy (left, a->seed, (size_t) m * sizeof *left);
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < m; j++)
      {
        bool is_most = x[i * m + j] == a->out[j];
        dx[i * m + j] = is_most ? left[j] : 0;
        left[j] = is_most ? 0 : left[j];
      }
}

#define EXTREME(name, beyond)                                                  \
  void bench_##name##_column (const bench_arrays *a)                           \
  {                                                                            \
    SIZES;                                                                     \
    const float *x = a->in[0];                                                 \
    float *restrict out = a->out;                                              \
    memcpy (out, x, (size_t) m * sizeof *out);                                 \
    for (int64_t i = 1; i < n; i++)                                            \
      for (int64_t j = 0; j < m; j++)                                          \
        out[j] = x[i * m + j] beyond out[j] ? x[i * m + j] : out[j];           \
  }                                                                            \
  void bench_##name##_column_both (const bench_arrays *a)                      \
  {                                                                            \
    bench_##name##_column (a);                                                 \
    extreme_back (a);                                                          \
  }                                                                            \
  void bench_arg##name##_column (const bench_arrays *a)                        \
  {                                                                            \
    SIZES;                                                                     \
    const float *x = a->in[0];                                                 \
    float *restrict most = a->spare;                                           \
    int64_t *restrict at = (int64_t *) a->out;                                 \
    memcpy (most, x, (size_t) m * sizeof *most);                               \
    memset (at, 0, (size_t) m * sizeof *at);                                   \
    for (int64_t i = 1; i < n; i++)                                            \
      for (int64_t j = 0; j < m; j++)                                          \
        {                                                                      \
          bool is_more = x[i * m + j] beyond most[j];                          \
          most[j] = is_more ? x[i * m + j] : most[j];                          \
          at[j] = is_more ? i : at[j];                                         \
        }                                                                      \
  }
EXTREME (max, >)
EXTREME (min, <)

/* Row I of TO is the sum of the rows of FROM up to it, or TURNED from the last
   one down to it.  */
static void
running_sums (int64_t n, int64_t m, const float *from, float *restrict to,
              bool turned)
{
  double s[m];
  for (int64_t j = 0; j < m; j++)
    s[j] = 0;
  for (int64_t k = 0; k < n; k++)
    {
      int64_t i = turned ? n - 1 - k : k;
      for (int64_t j = 0; j < m; j++)
        to[i * m + j] = (float) (s[j] += from[i * m + j]);
    }
}

void
bench_cumsum_column (const bench_arrays *a)
{
  SIZES;
  running_sums (n, m, a->in[0], a->out, false);
}

void
bench_cumsum_column_both (const bench_arrays *a)
{
  SIZES;
  bench_cumsum_column (a);
  running_sums (n, m, a->seed, a->gain[0], true);
}

#define TRUTH(name, first, step)                                               \
  void bench_##name##_column (const bench_arrays *a)                           \
  {                                                                            \
    SIZES;                                                                     \
    uint8_t *restrict out = (uint8_t *) a->out;                                \
    memset (out, first, (size_t) m);                                           \
    for (int64_t i = 0; i < n; i++)                                            \
      for (int64_t j = 0; j < m; j++)                                          \
        out[j] step a->truth[0][i * m + j];                                    \
  }
TRUTH (any, 0, |=)
TRUTH (every, 1, &=)
