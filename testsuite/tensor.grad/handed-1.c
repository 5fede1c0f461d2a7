/* Shows calls of functions that work on arrays and whose bodies are elsewhere:
   those of declared gradients, and of derivatives of the user's, backwards; what
   these need is kept where it is overwritten.  */

#include "check.h"

void layer (int m, const real x[m], const real w[m][m], real h[m]);
#pragma tensor gradient(layer) of(h: dh) wrt(x: dx, w: dw)
void layer_gradient (int m, const real x[m], const real w[m][m],
                     const real dh[m], real dx[m], real dw[m][m]);

real energy (int m, const real x[m], real s);
#pragma tensor gradient(energy) of(return: seed) wrt(x: dx, s: ds)
void energy_gradient (int m, const real x[m], real s, real seed, real dx[m],
                      real *ds);

void step (int m, real s, real x[m]);
#pragma tensor gradient(step) of(x: dx) wrt(x: dx, s: ds)
void step_gradient (int m, real s, const real x[m], real dx[m], real *ds);

void turn (const real x[3], real y[3]);
#pragma tensor gradient(turn) of(y: dy) wrt(x: dx)
void turn_gradient (const real x[3], const real dy[3], real dx[3]);

void solve (int m, const real *restrict l, const real *restrict b,
            real *restrict x);

/* L x = b, and L' db = dx.  */
#pragma tensor derivative(solve) of(x: dx) wrt(b: db)
void
solve_back (int m, const real *restrict l, const real *restrict dx,
            real *restrict db)
{
  static real t[ROOM];
  for (int i = m - 1; i >= 0; i--)
    {
      real s = dx[i];
      for (int j = i + 1; j < m; j++)
        s -= l[j * m + i] * t[j];
      t[i] = s / l[i * m + i];
      db[i] += t[i];
    }
}

/* Two layers and a number.  */
static void
net (int m, const real x[m], const real w[m][m], const real v[m][m], real y[m])
{
  real h[m + 1];
  layer (m, x, w, h);
  for (int i = 0; i < m; i++)
    h[i] = h[i] * x[i];
  layer (m, h, v, y);
  real e = energy (m, y, 2 + x[0] * x[0]);
  for (int i = 0; i < m; i++)
    y[i] *= e;
}

#pragma tensor gradient(net) of(y: dy) wrt(x: dx, w: dw, v: dv)
void net_gradient (int m, const real x[m], const real w[m][m],
                   const real v[m][m], real y[m], const real dy[m], real dx[m],
                   real dw[m][m], real dv[m][m]);

/* Steps in place, in a loop that changes the state too.  */
static void
walk (int m, const real w[m], real x[m])
{
  for (int t = 0; t < m; t++)
    {
      if (t % 3 != 1)
        step (m, w[t] * x[0], x);
      x[t] += sin (w[t] * x[t]);
    }
}

#pragma tensor gradient(walk) of(x: dx) wrt(x: dx, w: dw)
void walk_gradient (int m, const real w[m], const real x[m], real dw[m],
                    real dx[m]);

/* Rows, each by a call; arrays of fixed size.  */
static void
rows (int m, const real *x, real *y)
{
  for (int i = 0; i < m; i++)
    {
      real p[3], q[3];
      for (int k = 0; k < 3; k++)
        p[k] = x[3 * i + k] * x[3 * i + k];
      turn (p, q);
      turn (q, &y[3 * i]);
    }
}

#pragma tensor gradient(rows) of(y: dy) wrt(x: dx)
void rows_gradient (int m, const real *x, const real *dy, real *dx);

/* A batch.  */
static void
batch (int m, const real x[m][m], const real w[m][m], real y[m][m])
{
  for (int i = 0; i < m; i++)
    layer (m, x[i], w, y[i]);
}

#pragma tensor gradient(batch) of(y: dy) wrt(x: dx, w: dw)
void batch_gradient (int m, const real x[m][m], const real w[m][m],
                     const real dy[m][m], real dx[m][m], real dw[m][m]);

/* Flat arrays.  */
static void
smooth (int m, const real *restrict l, const real *restrict b, real *restrict y)
{
  real r[m + 1];
  for (int i = 0; i < m; i++)
    r[i] = b[i] * b[i];
  solve (m, l, r, y);
}

#pragma tensor gradient(smooth) of(y: dy) wrt(b: db)
void smooth_gradient (int m, const real *restrict l, const real *restrict b,
                      const real *restrict dy, real *restrict db);

/* Matrices of N rows begin at the arrays' first elements.  */
#define MATRIX(a) ((real (*)[n ? n : 1]) (a))

static void
net_kernel (values at, real *out)
{
  net (n, at[0], MATRIX (at[1]), MATRIX (at[2]), out);
}

static void
walk_kernel (values at, real *out)
{
  walk (n, at[1], at[0]);
  memcpy (out, at[0], sizeof at[0]);
}

static void
rows_kernel (values at, real *out)
{
  rows (n, at[0], out);
}

static void
batch_kernel (values at, real *out)
{
  batch (n, MATRIX (at[0]), MATRIX (at[1]), MATRIX (out));
}

static void
smooth_kernel (values at, real *out)
{
  smooth (n, at[1], at[0], out);
}

/* Adjoints that lie where values do.  */
static void
check_overlap (void)
{
  static real w[ROOM];
  memcpy (w, a[1], sizeof w);
  net_gradient (n, a[0], MATRIX (w), MATRIX (a[2]), a[3], u, g[3], MATRIX (w),
                MATRIX (g[2]));
  for (int e = 0; e < n * n; e++)
    if (fabs (w[e] - a[1][e] - (g[1][e] - 0.25)) > 1e-12)
      {
        printf ("overlap, n = %d, element %d\n", n, e);
        faults++;
        return;
      }
}

int
main (void)
{
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    {
      start (sizes[k]);
      net_gradient (n, a[0], MATRIX (a[1]), MATRIX (a[2]), a[3], u, g[0],
                    MATRIX (g[1]), MATRIX (g[2]));
      agree ("net", net_kernel, 0);
      agree ("net", net_kernel, 1);
      agree ("net", net_kernel, 2);
      check_overlap ();
      start (sizes[k]);
      memcpy (g[0], u, sizeof u);
      walk_gradient (n, a[1], a[0], g[1], g[0]);
      agree_from ("walk", walk_kernel, 0, 0);
      agree ("walk", walk_kernel, 1);
      start (sizes[k]);
      rows_gradient (n, a[0], u, g[0]);
      agree ("rows", rows_kernel, 0);
      start (sizes[k]);
      batch_gradient (n, MATRIX (a[0]), MATRIX (a[1]), MATRIX (u),
                      MATRIX (g[0]), MATRIX (g[1]));
      agree ("batch", batch_kernel, 0);
      agree ("batch", batch_kernel, 1);
      start (sizes[k]);
      smooth_gradient (n, a[1], a[0], u, g[0]);
      agree ("smooth", smooth_kernel, 0);
    }
  return faults != 0;
}

void
layer (int m, const real x[m], const real w[m][m], real h[m])
{
  for (int i = 0; i < m; i++)
    {
      real s = 0;
      for (int j = 0; j < m; j++)
        s += w[i][j] * x[j];
      h[i] = tanh (s);
    }
}

real
energy (int m, const real x[m], real s)
{
  real e = 1;
  for (int i = 0; i < m; i++)
    e += x[i] * x[i] * s;
  return e;
}

void
step (int m, real s, real x[m])
{
  for (int i = 1; i < m; i++)
    x[i] = x[i] * s + sin (x[i - 1]);
}

void
turn (const real x[3], real y[3])
{
  y[0] = x[1] * x[2];
  y[1] = x[0] - x[2];
  y[2] = x[0] * x[0];
}

void
solve (int m, const real *restrict l, const real *restrict b, real *restrict x)
{
  for (int i = 0; i < m; i++)
    {
      real s = b[i];
      for (int j = 0; j < i; j++)
        s -= l[i * m + j] * x[j];
      x[i] = s / l[i * m + i];
    }
}
