/* Shows what gradients keep, after planning: nothing of t x t for attention
   however its scratch is written, and tiles of rows for layers.  */
/* { dg-final { scan-kept-at-most rows_gradient tape 2.1e8 "t 1e5 e 64" } } */
/* { dg-final { scan-kept-at-most rows_gradient adjoint 2.1e8 "t 1e5 e 64" } } */
/* { dg-final { scan-kept-at-most outside_gradient tape 2.8e8 "t 1e5 e 64" } } */
/* { dg-final { scan-kept-at-most heads_gradient tape 3.3e6 "t 1e5" } } */
/* { dg-final { scan-kept-at-most heads_gradient adjoint 2.5e6 "t 1e5" } } */
/* { dg-final { scan-kept-at-most nests_gradient tape 2.1e8 "t 1e5 e 64" } } */
/* { dg-final { scan-kept-at-most nests_gradient adjoint 2.1e8 "t 1e5 e 64" } } */
/* { dg-final { scan-kept-at-most layer_gradient tape 7e5 "m 1e6 c 1e3 p 1e3" } } */
/* { dg-final { scan-kept-at-most layer_gradient adjoint 1.4e6 "m 1e6 c 1e3" } } */
/* { dg-final { scan-kept-at-most norm_gradient tape 0 "m 1e6 c 1e3" } } */
/* { dg-final { scan-kept-at-most norm_gradient adjoint 0 "m 1e6 c 1e3" } } */
/* { dg-final { scan-kept-at-most entropy_gradient tape 3e4 "m 1e6 c 1e3" } } */
/* { dg-final { scan-kept-at-most entropy_gradient adjoint 2e4 "m 1e6 c 1e3" } } */

#include "check.h"

/* Scores in rows of their own.  */
static void
rows (int t, int e, real q[t][e], real k[t][e], real v[t][e], real o[t][e])
{
  for (int i = 0; i < t; i++)
    {
      real s[t];
      real z = 0;
      for (int j = 0; j <= i; j++)
        {
          s[j] = 0;
          for (int h = 0; h < e; h++)
            s[j] += q[i][h] * k[j][h];
          s[j] = exp (s[j]);
          z += s[j];
        }
      for (int h = 0; h < e; h++)
        {
          o[i][h] = 0;
          for (int j = 0; j <= i; j++)
            o[i][h] += s[j] / z * v[j][h];
        }
    }
}

#pragma tensor gradient(rows) of(o: dout) wrt(q: dq, k: dk, v: dv)
void rows_gradient (int t, int e, real q[t][e], real k[t][e], real v[t][e],
                    real dout[t][e], real dq[t][e], real dk[t][e],
                    real dv[t][e]);

/* One row for all, outside of the loop.  */
static void
outside (int t, int e, real q[t][e], real k[t][e], real v[t][e], real *s,
         real o[t][e])
{
  for (int i = 0; i < t; i++)
    {
      real most = -1e30, z = 0;
      for (int j = 0; j <= i; j++)
        {
          s[j] = 0;
          for (int h = 0; h < e; h++)
            s[j] += q[i][h] * k[j][h];
          most = s[j] > most ? s[j] : most;
        }
      for (int j = 0; j <= i; j++)
        {
          s[j] = exp (s[j] - most);
          z += s[j];
        }
      for (int j = 0; j <= i; j++)
        s[j] /= z;
      for (int h = 0; h < e; h++)
        {
          o[i][h] = 0;
          for (int j = 0; j <= i; j++)
            o[i][h] += s[j] * v[j][h];
        }
    }
}

#pragma tensor gradient(outside) of(o: dout) wrt(q: dq, k: dk, v: dv)
void outside_gradient (int t, int e, real q[t][e], real k[t][e], real v[t][e],
                       real dout[t][e], real dq[t][e], real dk[t][e],
                       real dv[t][e]);

/* Scores before and after, whole and flat, by heads.  */
static void
heads (int t, int n_heads, int e, const real *q, const real *k, const real *v,
       real *before, real *after, real *o)
{
  for (int i = 0; i < t; i++)
    for (int h = 0; h < n_heads; h++)
      {
        const real *row = q + i * n_heads * e + h * e;
        real *pre = before + h * t * t + i * t;
        real *att = after + h * t * t + i * t;
        real *out = o + i * n_heads * e + h * e;
        real most = -10000, z = 0;
        for (int j = 0; j <= i; j++)
          {
            const real *key = k + j * n_heads * e + h * e;
            real sum = 0;
            for (int c = 0; c < e; c++)
              sum += row[c] * key[c];
            if (sum > most)
              most = sum;
            pre[j] = sum;
          }
        for (int j = 0; j <= i; j++)
          {
            real x = exp (pre[j] - most);
            z += x;
            att[j] = x;
          }
        real scale = z == 0 ? 0 : 1 / z;
        for (int j = 0; j < t; j++)
          if (j <= i)
            att[j] *= scale;
          else
            att[j] = 0;
        for (int c = 0; c < e; c++)
          out[c] = 0;
        for (int j = 0; j <= i; j++)
          {
            const real *value = v + j * n_heads * e + h * e;
            for (int c = 0; c < e; c++)
              out[c] += att[j] * value[c];
          }
      }
}

#pragma tensor gradient(heads) of(o: dout) wrt(q: dq, k: dk, v: dv)
void heads_gradient (int t, int n_heads, int e, const real *q, const real *k,
                     const real *v, const real *dout, real *dq, real *dk,
                     real *dv);

/* In nests of their own, with whole scratch.  */
static void
nests (int t, int e, real q[t][e], real k[t][e], real v[t][e], real o[t][e])
{
  real s[t][t], z[t];
  for (int i = 0; i < t; i++)
    for (int j = 0; j < t; j++)
      {
        s[i][j] = 0;
        for (int h = 0; h < e; h++)
          s[i][j] += q[i][h] * k[j][h];
      }
  for (int i = 0; i < t; i++)
    {
      z[i] = 0;
      for (int j = 0; j < t; j++)
        {
          s[i][j] = exp (s[i][j]);
          z[i] += s[i][j];
        }
    }
  for (int i = 0; i < t; i++)
    for (int j = 0; j < t; j++)
      s[i][j] /= z[i];
  for (int i = 0; i < t; i++)
    for (int h = 0; h < e; h++)
      {
        o[i][h] = 0;
        for (int j = 0; j < t; j++)
          o[i][h] += s[i][j] * v[j][h];
      }
}

#pragma tensor gradient(nests) of(o: dout) wrt(q: dq, k: dk, v: dv)
void nests_gradient (int t, int e, real q[t][e], real k[t][e], real v[t][e],
                     real dout[t][e], real dq[t][e], real dk[t][e],
                     real dv[t][e]);

/* Product, bias and a smooth step.  */
static void
layer (int m, int c, int p, real x[m][p], real w[c][p], const real *b,
       real h[m][c], real y[m][c])
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < c; j++)
      {
        real s = b[j];
        for (int k = 0; k < p; k++)
          s += x[i][k] * w[j][k];
        h[i][j] = s;
      }
  for (int i = 0; i < m; i++)
    for (int j = 0; j < c; j++)
      {
        real u = h[i][j];
        y[i][j] = 0.5 * u * (1 + tanh (0.79788456 * (u + 0.044715 * u * u * u)));
      }
}

#pragma tensor gradient(layer) of(y: dy) wrt(x: dx, w: dw, b: db)
void layer_gradient (int m, int c, int p, real x[m][p], real w[c][p],
                     const real *b, real dy[m][c], real dx[m][p],
                     real dw[c][p], real *db);

/* Means and deviations stored, as models do.  */
static void
norm (int m, int c, const real *x, const real *w, const real *b, real *y,
      real *means, real *scales)
{
  for (int i = 0; i < m; i++)
    {
      real mean = 0, v = 0;
      for (int j = 0; j < c; j++)
        mean += x[i * c + j];
      mean = mean / c;
      for (int j = 0; j < c; j++)
        {
          real far = x[i * c + j] - mean;
          v += far * far;
        }
      v = v / c;
      real scale = 1 / sqrt (v + 1e-5);
      for (int j = 0; j < c; j++)
        {
          real n = scale * (x[i * c + j] - mean);
          y[i * c + j] = n * w[j] + b[j];
        }
      means[i] = mean;
      scales[i] = scale;
    }
}

#pragma tensor gradient(norm) of(y: dy) wrt(x: dx, w: dw, b: db)
void norm_gradient (int m, int c, const real *x, const real *w, const real *b,
                    const real *dy, real *dx, real *dw, real *db);

/* Softmax and the loss by labels.  */
static void
entropy (int m, int c, const real *x, const int *label, real *loss)
{
  for (int i = 0; i < m; i++)
    {
      real p[c], most = -1e30, z = 0;
      for (int j = 0; j < c; j++)
        most = x[i * c + j] > most ? x[i * c + j] : most;
      for (int j = 0; j < c; j++)
        {
          p[j] = exp (x[i * c + j] - most);
          z += p[j];
        }
      for (int j = 0; j < c; j++)
        p[j] /= z;
      loss[i] = -log (p[label[i]]);
    }
}

#pragma tensor gradient(entropy) of(loss: dl) wrt(x: dx)
void entropy_gradient (int m, int c, const real *x, const int *label,
                       const real *dl, real *dx);

static void
rows_kernel (values at, real *out)
{
  rows (n, n + 1, (void *) at[0], (void *) at[1], (void *) at[2], (void *) out);
}

static void
outside_kernel (values at, real *out)
{
  static real s[ROOM];
  outside (n, n + 1, (void *) at[0], (void *) at[1], (void *) at[2], s,
           (void *) out);
}

static void
heads_kernel (values at, real *out)
{
  static real s[ROOM], r[ROOM];
  heads (n, 3, 2, at[0], at[1], at[2], s, r, out);
}

static void
nests_kernel (values at, real *out)
{
  nests (n, n + 1, (void *) at[0], (void *) at[1], (void *) at[2],
         (void *) out);
}

static void
layer_kernel (values at, real *out)
{
  static real h[ROOM];
  layer (n, n + 2, 2 * n, (void *) at[0], (void *) at[1], at[2], (void *) h,
         (void *) out);
}

static void
norm_kernel (values at, real *out)
{
  static real means[ROOM], scales[ROOM];
  norm (n, n + 2, at[0], at[1], at[2], out, means, scales);
}

static void
entropy_kernel (values at, real *out)
{
  entropy (n, n + 3, at[0], index_of, out);
}

/* The first N arrays agree.  */
static void
all (const char *name, kernel *f, int count)
{
  for (int k = 0; k < count; k++)
    agree (name, f, k);
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      rows_gradient (n, n + 1, (void *) a[0], (void *) a[1], (void *) a[2],
                     (void *) u, (void *) g[0], (void *) g[1], (void *) g[2]);
      all ("rows", rows_kernel, 3);
      start (sizes[s]);
      outside_gradient (n, n + 1, (void *) a[0], (void *) a[1], (void *) a[2],
                        (void *) u, (void *) g[0], (void *) g[1],
                        (void *) g[2]);
      all ("outside", outside_kernel, 3);
      start (sizes[s]);
      heads_gradient (n, 3, 2, a[0], a[1], a[2], u, g[0], g[1], g[2]);
      all ("heads", heads_kernel, 3);
      start (sizes[s]);
      nests_gradient (n, n + 1, (void *) a[0], (void *) a[1], (void *) a[2],
                      (void *) u, (void *) g[0], (void *) g[1], (void *) g[2]);
      all ("nests", nests_kernel, 3);
      start (sizes[s]);
      layer_gradient (n, n + 2, 2 * n, (void *) a[0], (void *) a[1], a[2],
                      (void *) u, (void *) g[0], (void *) g[1], g[2]);
      all ("layer", layer_kernel, 3);
      start (sizes[s]);
      norm_gradient (n, n + 2, a[0], a[1], a[2], u, g[0], g[1], g[2]);
      all ("norm", norm_kernel, 3);
      start (sizes[s]);
      entropy_gradient (n, n + 3, a[0], index_of, u, g[0]);
      all ("entropy", entropy_kernel, 1);
    }
  return faults != 0;
}
