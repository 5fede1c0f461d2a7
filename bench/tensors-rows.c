/* Operations on elements and rows, as loops by hand,
   and their gradients, as one would write them in an afternoon for
   gcc -O3 -march=native -ffast-math.  One thread.  */

#include "tensors-hand.h"

void
bench_add (const bench_arrays *a)
{
  const float *x = a->in[0], *y = a->in[1];
  float *restrict out = a->out;
  for (int64_t i = 0; i < EXTENT (0, 0); i++)
    out[i] = x[i] + y[i];
}

void
bench_add_both (const bench_arrays *a)
{
  size_t bytes = (size_t) EXTENT (0, 0) * sizeof (float);
  bench_add (a);
  memcpy (a->gain[0], a->seed, bytes);
  memcpy (a->gain[1], a->seed, bytes);
}

void
bench_chain (const bench_arrays *a)
{
  const float *x = a->in[0], *y = a->in[1];
  float *restrict out = a->out;
  for (int64_t i = 0; i < EXTENT (0, 0); i++)
    out[i] = y[i] / (1 + expf (-(x[i] * y[i] + x[i])));
}

void
bench_chain_both (const bench_arrays *a)
{
  const float *x = a->in[0], *y = a->in[1], *seed = a->seed;
  float *restrict out = a->out, *restrict dx = a->gain[0],
                  *restrict dy = a->gain[1];
  for (int64_t i = 0; i < EXTENT (0, 0); i++)
    {
      float s = 1 / (1 + expf (-(x[i] * y[i] + x[i])));
      float dz = s * (1 - s) * y[i] * seed[i];
      out[i] = s * y[i];
      dx[i] = dz * (y[i] + 1);
      dy[i] = dz * x[i] + s * seed[i];
    }
}

void
bench_sum_row (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 0), m = EXTENT (0, 1);
  for (int64_t i = 0; i < n; i++)
    {
      double sum = 0;
      for (int64_t j = 0; j < m; j++)
        sum += a->in[0][i * m + j];
      a->out[i] = (float) sum;
    }
}

void
bench_sum_row_both (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 0), m = EXTENT (0, 1);
  float *restrict dx = a->gain[0];
  bench_sum_row (a);
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < m; j++)
      dx[i * m + j] = a->seed[i];
}

void
bench_sum_column (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 0), m = EXTENT (0, 1);
  const float *x = a->in[0];
  double sum[m];
  for (int64_t j = 0; j < m; j++)
    sum[j] = 0;
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < m; j++)
      sum[j] += x[i * m + j];
  for (int64_t j = 0; j < m; j++)
    a->out[j] = (float) sum[j];
}

void
bench_sum_column_both (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 0), m = EXTENT (0, 1);
  bench_sum_column (a);
  for (int64_t i = 0; i < n; i++)
    memcpy (a->gain[0] + i * m, a->seed, (size_t) m * sizeof (float));
}

void
bench_softmax (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 0), m = EXTENT (0, 1);
  float most;
  for (int64_t i = 0; i < n; i++)
    softmax (m, a->in[0] + i * m, a->out + i * m, &most);
}

void
bench_softmax_both (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 0), m = EXTENT (0, 1);
  bench_softmax (a);
  for (int64_t i = 0; i < n; i++)
    softmax_back (m, a->out + i * m, a->seed + i * m, a->gain[0] + i * m);
}

void
bench_layer_norm (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 0), m = EXTENT (0, 1);
  const float *gain = a->in[1], *shift = a->in[2];
  for (int64_t i = 0; i < n; i++)
    {
      const float *x = a->in[0] + i * m;
      float *restrict out = a->out + i * m, sum = 0, square = 0;
      for (int64_t j = 0; j < m; j++)
        sum += x[j];
      float mean = sum / (float) m;
      for (int64_t j = 0; j < m; j++)
        square += (x[j] - mean) * (x[j] - mean);
      float scale = 1 / sqrtf (square / (float) m + 1e-5f);
      for (int64_t j = 0; j < m; j++)
        out[j] = (x[j] - mean) * scale * gain[j] + shift[j];
      a->spare[2 * i] = mean;
      a->spare[2 * i + 1] = scale;
    }
}

void
bench_layer_norm_both (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 0), m = EXTENT (0, 1);
  const float *gain = a->in[1];
  float *restrict dgain = a->gain[1], *restrict dshift = a->gain[2];
  bench_layer_norm (a);
  clear (dgain, m);
  clear (dshift, m);
  for (int64_t i = 0; i < n; i++)
    {
      const float *x = a->in[0] + i * m, *dy = a->seed + i * m;
      float *restrict dx = a->gain[0] + i * m;
      float mean = a->spare[2 * i], scale = a->spare[2 * i + 1];
      float sum = 0, dot = 0;
      for (int64_t j = 0; j < m; j++)
        {
          float u = (x[j] - mean) * scale, du = dy[j] * gain[j];
          sum += du;
          dot += du * u;
          dgain[j] += dy[j] * u;
          dshift[j] += dy[j];
        }
      for (int64_t j = 0; j < m; j++)
        dx[j] = scale
                * (dy[j] * gain[j] - sum / (float) m
                   - (x[j] - mean) * scale * dot / (float) m);
    }
}

/* The means of the columns, and 1 over their deviations, in spare.  */
static void
find_columns (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 0), m = EXTENT (0, 1);
  const float *x = a->in[0];
  float *restrict mean = a->spare, *restrict scale = a->spare + m;
  clear (a->spare, 2 * m);
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < m; j++)
      mean[j] += x[i * m + j];
  for (int64_t j = 0; j < m; j++)
    mean[j] /= (float) n;
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < m; j++)
      scale[j] += (x[i * m + j] - mean[j]) * (x[i * m + j] - mean[j]);
  for (int64_t j = 0; j < m; j++)
    scale[j] = 1 / sqrtf (scale[j] / (float) n + 1e-5f);
}

void
bench_batch_norm (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 0), m = EXTENT (0, 1);
  const float *x = a->in[0], *gain = a->in[1], *shift = a->in[2];
  const float *mean = a->spare, *scale = a->spare + m;
  float *restrict out = a->out;
  find_columns (a);
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < m; j++)
      out[i * m + j] = (x[i * m + j] - mean[j]) * scale[j] * gain[j] + shift[j];
}

void
bench_batch_norm_both (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 0), m = EXTENT (0, 1);
  const float *x = a->in[0], *gain = a->in[1], *dy = a->seed;
  const float *mean = a->spare, *scale = a->spare + m;
  float *restrict dx = a->gain[0], *restrict dgain = a->gain[1],
                  *restrict dshift = a->gain[2];
  bench_batch_norm (a);
  clear (dgain, m);
  clear (dshift, m);
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < m; j++)
      {
        dgain[j] += dy[i * m + j] * (x[i * m + j] - mean[j]) * scale[j];
        dshift[j] += dy[i * m + j];
      }
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < m; j++)
      {
        float u = (x[i * m + j] - mean[j]) * scale[j];
        dx[i * m + j]
          = gain[j] * scale[j]
            * (dy[i * m + j] - (dshift[j] + u * dgain[j]) / (float) n);
      }
}

/* What batch norm in use multiplies columns by, and what it adds, in spare.  */
static void
find_used (const bench_arrays *a)
{
  int64_t m = EXTENT (0, 1);
  const float *gain = a->in[1], *shift = a->in[2];
  const float *mean = a->in[3], *variance = a->in[4];
  float *restrict factor = a->spare, *restrict add = a->spare + m;
  for (int64_t j = 0; j < m; j++)
    {
      factor[j] = gain[j] / sqrtf (variance[j] + 1e-5f);
      add[j] = shift[j] - mean[j] * factor[j];
    }
}

void
bench_used_norm (const bench_arrays *a)
{
  SIZES;
  const float *factor = a->spare, *add = a->spare + m;
  float *restrict out = a->out;
  find_used (a);
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < m; j++)
      out[i * m + j] = a->in[0][i * m + j] * factor[j] + add[j];
}

void
bench_used_norm_both (const bench_arrays *a)
{
  SIZES;
  const float *x = a->in[0], *dy = a->seed, *factor = a->spare;
  float *restrict dx = a->gain[0], *restrict dgain = a->gain[1],
                  *restrict dshift = a->gain[2];
  bench_used_norm (a);
  clear (dgain, m);
  clear (dshift, m);
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < m; j++)
      {
        dx[i * m + j] = dy[i * m + j] * factor[j];
        dgain[j] += dy[i * m + j] * (x[i * m + j] - a->in[3][j]);
        dshift[j] += dy[i * m + j];
      }
  for (int64_t j = 0; j < m; j++)
    dgain[j] /= sqrtf (a->in[4][j] + 1e-5f);
}

void
bench_entropy (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 0), m = EXTENT (0, 1);
  float loss = 0;
  for (int64_t i = 0; i < n; i++)
    {
      const float *x = a->in[0] + i * m;
      float most, sum = softmax (m, x, a->spare + i * m, &most);
      loss += logf (sum) + most - x[a->index[1][i]];
    }
  a->out[0] = loss / (float) n;
}

void
bench_entropy_both (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 0), m = EXTENT (0, 1);
  float *restrict dx = a->gain[0];
  float each = a->seed[0] / (float) n;
  bench_entropy (a);
  for (int64_t i = 0; i < n; i++)
    {
      for (int64_t j = 0; j < m; j++)
        dx[i * m + j] = a->spare[i * m + j] * each;
      dx[i * m + a->index[1][i]] -= each;
    }
}
