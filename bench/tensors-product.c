/* Operations on matrices, and the cells made of them, as loops by hand,
   and their gradients, as one would write them in an afternoon for
   gcc -O3 -march=native -ffast-math.  One thread, no blocks.  */

#include "tensors-hand.h"

/* c[n][p] += a[n][q] b[q][p].  */
static void
product (int64_t n, int64_t p, int64_t q, const float *a, const float *b,
         float *restrict c)
{
  for (int64_t i = 0; i < n; i++)
    for (int64_t k = 0; k < q; k++)
      for (int64_t j = 0; j < p; j++)
        c[i * p + j] += a[i * q + k] * b[k * p + j];
}

/* c[n][p] += a[n][q] b[p][q].  */
static void
product_dots (int64_t n, int64_t p, int64_t q, const float *a, const float *b,
              float *restrict c)
{
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < p; j++)
      {
        float sum = 0;
        for (int64_t k = 0; k < q; k++)
          sum += a[i * q + k] * b[j * q + k];
        c[i * p + j] += sum;
      }
}

/* c[q][p] += a[n][q] b[n][p].  */
static void
product_over (int64_t n, int64_t p, int64_t q, const float *a, const float *b,
              float *restrict c)
{
  for (int64_t i = 0; i < n; i++)
    for (int64_t k = 0; k < q; k++)
      for (int64_t j = 0; j < p; j++)
        c[k * p + j] += a[i * q + k] * b[i * p + j];
}

/* The N rows of OUT are B, of P.  */
static void
set_rows (int64_t n, int64_t p, const float *b, float *out)
{
  for (int64_t i = 0; i < n; i++)
    memcpy (out + i * p, b, (size_t) p * sizeof (float));
}

/* DB is the sum of the N rows of DY, of P.  */
static void
add_rows (int64_t n, int64_t p, const float *dy, float *restrict db)
{
  clear (db, p);
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < p; j++)
      db[j] += dy[i * p + j];
}

void
bench_linear (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 0), q = EXTENT (0, 1), p = EXTENT (1, 0);
  set_rows (n, p, a->in[2], a->out);
  product_dots (n, p, q, a->in[0], a->in[1], a->out);
}

void
bench_linear_both (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 0), q = EXTENT (0, 1), p = EXTENT (1, 0);
  bench_linear (a);
  clear (a->gain[0], n * q);
  clear (a->gain[1], p * q);
  product (n, q, p, a->seed, a->in[1], a->gain[0]);
  product_over (n, q, p, a->seed, a->in[0], a->gain[1]);
  add_rows (n, p, a->seed, a->gain[2]);
}

void
bench_matmul (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 0), q = EXTENT (0, 1), p = EXTENT (1, 1);
  clear (a->out, n * p);
  product (n, p, q, a->in[0], a->in[1], a->out);
}

void
bench_matmul_both (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 0), q = EXTENT (0, 1), p = EXTENT (1, 1);
  bench_matmul (a);
  clear (a->gain[0], n * q);
  clear (a->gain[1], q * p);
  product_dots (n, q, p, a->seed, a->in[1], a->gain[0]);
  product_over (n, p, q, a->in[0], a->seed, a->gain[1]);
}

void
bench_matmuls (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 1), q = EXTENT (0, 2), p = EXTENT (1, 2);
  clear (a->out, EXTENT (0, 0) * n * p);
  for (int64_t b = 0; b < EXTENT (0, 0); b++)
    product (n, p, q, a->in[0] + b * n * q, a->in[1] + b * q * p,
             a->out + b * n * p);
}

void
bench_matmuls_both (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 1), q = EXTENT (0, 2), p = EXTENT (1, 2);
  bench_matmuls (a);
  clear (a->gain[0], EXTENT (0, 0) * n * q);
  clear (a->gain[1], EXTENT (0, 0) * q * p);
  for (int64_t b = 0; b < EXTENT (0, 0); b++)
    {
      const float *dy = a->seed + b * n * p;
      product_dots (n, q, p, dy, a->in[1] + b * q * p, a->gain[0] + b * n * q);
      product_over (n, p, q, a->in[0] + b * n * q, dy, a->gain[1] + b * q * p);
    }
}

/* 1 / (1 + exp (-x)).  */
static inline float
sigmoid (float x)
{
  return 1 / (1 + expf (-x));
}

/* What the cells have: N states of P, Q numbers that come in, K gates.  z of
   x, w and b, and r of h, u and c (NULL: none).  */
static void
find_gates (const bench_arrays *a, int64_t k, const float *b, const float *c,
            float *z, float *r)
{
  int64_t n = EXTENT (0, 0), q = EXTENT (0, 1), p = EXTENT (1, 1);
  set_rows (n, k * p, b, z);
  if (c)
    set_rows (n, k * p, c, r);
  product_dots (n, k * p, q, a->in[0], a->in[2], z);
  product_dots (n, k * p, p, a->in[1], a->in[3], r);
}

/* The gradients of x, h, w and u from those of z and r; dh is added to.  */
static void
find_gates_back (const bench_arrays *a, int64_t k, const float *dz,
                 const float *dr)
{
  int64_t n = EXTENT (0, 0), q = EXTENT (0, 1), p = EXTENT (1, 1);
  clear (a->gain[0], n * q);
  clear (a->gain[2], k * p * q);
  clear (a->gain[3], k * p * p);
  product (n, q, k * p, dz, a->in[2], a->gain[0]);
  product (n, p, k * p, dr, a->in[3], a->gain[1]);
  product_over (n, q, k * p, dz, a->in[0], a->gain[2]);
  product_over (n, p, k * p, dr, a->in[1], a->gain[3]);
}

void
bench_gru (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 0), p = EXTENT (1, 1);
  float *z = a->spare, *r = z + n * 3 * p;
  find_gates (a, 3, a->in[4], a->in[5], z, r);
  for (int64_t i = 0; i < n; i++)
    {
      const float *zi = z + i * 3 * p, *ri = r + i * 3 * p;
      const float *h = a->in[1] + i * p;
      float *restrict out = a->out + i * p;
      for (int64_t j = 0; j < p; j++)
        {
          float reset = sigmoid (zi[j] + ri[j]);
          float keep = sigmoid (zi[p + j] + ri[p + j]);
          float new = tanhf (zi[2 * p + j] + reset * ri[2 * p + j]);
          out[j] = new + keep *(h[j] - new);
        }
    }
}

void
bench_gru_both (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 0), p = EXTENT (1, 1), m = 3 * p;
  float *z = a->spare, *r = z + n * m, *dz = r + n * m, *dr = dz + n * m;
  bench_gru (a);
  for (int64_t i = 0; i < n; i++)
    {
      const float *zi = z + i * m, *ri = r + i * m;
      const float *h = a->in[1] + i * p, *dy = a->seed + i * p;
      float *restrict dzi = dz + i * m, *restrict dri = dr + i * m;
      float *restrict dh = a->gain[1] + i * p;
      for (int64_t j = 0; j < p; j++)
        {
          float reset = sigmoid (zi[j] + ri[j]);
          float keep = sigmoid (zi[p + j] + ri[p + j]);
          float new = tanhf (zi[2 * p + j] + reset * ri[2 * p + j]);
          float dnew = dy[j] * (1 - keep) * (1 - new *new);
          dzi[2 * p + j] = dnew;
          dri[2 * p + j] = dnew * reset;
          dri[j] = dzi[j] = dnew * ri[2 * p + j] * reset * (1 - reset);
          dri[p + j] = dzi[p + j] = dy[j] * (h[j] - new) * keep * (1 - keep);
          dh[j] = dy[j] * keep;
        }
    }
  find_gates_back (a, 3, dz, dr);
  add_rows (n, m, dz, a->gain[4]);
  add_rows (n, m, dr, a->gain[5]);
}

void
bench_lstm (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 0), p = EXTENT (1, 1);
  float *z = a->spare;
  find_gates (a, 4, a->in[4], NULL, z, z);
  for (int64_t i = 0; i < n; i++)
    {
      const float *zi = z + i * 4 * p, *c = a->in[5] + i * p;
      float *restrict out = a->out + i * p;
      for (int64_t j = 0; j < p; j++)
        {
          float state = sigmoid (zi[p + j]) * c[j]
                        + sigmoid (zi[j]) * tanhf (zi[2 * p + j]);
          out[j] = sigmoid (zi[3 * p + j]) * tanhf (state);
        }
    }
}

void
bench_lstm_both (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 0), p = EXTENT (1, 1), m = 4 * p;
  float *z = a->spare, *dz = z + n * m;
  bench_lstm (a);
  for (int64_t i = 0; i < n; i++)
    {
      const float *zi = z + i * m, *c = a->in[5] + i * p;
      const float *dy = a->seed + i * p;
      float *restrict dzi = dz + i * m, *restrict dc = a->gain[5] + i * p;
      for (int64_t j = 0; j < p; j++)
        {
          float come = sigmoid (zi[j]), keep = sigmoid (zi[p + j]);
          float new = tanhf (zi[2 * p + j]), show = sigmoid (zi[3 * p + j]);
          float bent = tanhf (keep * c[j] + come * new);
          float ds = dy[j] * show * (1 - bent * bent);
          dzi[j] = ds * new *come *(1 - come);
          dzi[p + j] = ds * c[j] * keep * (1 - keep);
          dzi[2 * p + j] = ds * come * (1 - new *new);
          dzi[3 * p + j] = dy[j] * bent * show * (1 - show);
          dc[j] = ds * keep;
        }
    }
  clear (a->gain[1], n * p);
  find_gates_back (a, 4, dz, dz);
  add_rows (n, m, dz, a->gain[4]);
}

void
bench_rnn (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 0), p = EXTENT (1, 1);
  find_gates (a, 1, a->in[4], NULL, a->out, a->out);
  for (int64_t i = 0; i < n * p; i++)
    a->out[i] = tanhf (a->out[i]);
}

void
bench_rnn_both (const bench_arrays *a)
{
  int64_t n = EXTENT (0, 0), p = EXTENT (1, 1);
  float *restrict dz = a->spare;
  bench_rnn (a);
  for (int64_t i = 0; i < n * p; i++)
    dz[i] = a->seed[i] * (1 - a->out[i] * a->out[i]);
  clear (a->gain[1], n * p);
  find_gates_back (a, 1, dz, dz);
  add_rows (n, p, dz, a->gain[4]);
}
