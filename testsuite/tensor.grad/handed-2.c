/* Shows tangents of calls of functions that work on arrays and whose bodies are
   elsewhere: those of declared tangents; what does not vary, numbers, and
   results.  */

#include "check.h"

void layer (int m, const real x[m], const real w[m][m], real h[m]);
#pragma tensor tangent(layer) of(h : dh) wrt(x : dx, w : dw)
void layer_tangent (int m, const real x[m], const real w[m][m], real dh[m],
                    const real dx[m], const real dw[m][m]);

real energy (int m, const real x[m], real s);
#pragma tensor tangent(energy) of(return : de) wrt(x : dx, s : ds)
void energy_tangent (int m, const real x[m], real s, real *de, const real dx[m],
                     const real *ds);

void step (int m, real s, real x[m]);
#pragma tensor tangent(step) of(x : dx) wrt(x : dx, s : ds)
void step_tangent (int m, real s, const real x[m], real dx[m], const real *ds);

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

#pragma tensor tangent(net) of(y : dy) wrt(x : dx)
void net_tangent (int m, const real x[m], const real w[m][m],
                  const real v[m][m], const real y[m], real dy[m],
                  const real dx[m]);

#pragma tensor tangent(net) of(y : dy) wrt(w : dw, v : dv) with(primal)
void weights_tangent (int m, const real x[m], const real w[m][m],
                      const real v[m][m], real y[m], real dy[m],
                      const real dw[m][m], const real dv[m][m]);

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

#pragma tensor tangent(walk) of(x : dx) wrt(x : dx, w : dw)
void walk_tangent (int m, const real w[m], const real x[m], real dx[m],
                   const real dw[m]);

/* A batch.  */
static void
batch (int m, const real x[m][m], const real w[m][m], real y[m][m])
{
  for (int i = 0; i < m; i++)
    layer (m, x[i], w, y[i]);
}

#pragma tensor tangent(batch) of(y : dy) wrt(w : dw)
void batch_tangent (int m, const real x[m][m], const real w[m][m],
                    real dy[m][m], const real dw[m][m]);

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
  memcpy (out, at[0], n * sizeof (real));
}

static void
batch_kernel (values at, real *out)
{
  batch (n, MATRIX (at[0]), MATRIX (at[1]), MATRIX (out));
}

/* The first COUNT elements of T, times the seeds.  */
static real
along (const real *t, int count)
{
  real sum = 0;
  for (int e = 0; e < count; e++)
    sum += t[e] * u[e];
  return sum;
}

/* No direction but that of array K.  */
static void
only (int k)
{
  for (int other = 0; other < MOST_ARRAYS; other++)
    if (other != k)
      memset (d[other], 0, sizeof d[other]);
}

static void
check_net (int size)
{
  static real y[ROOM], dy[ROOM], want[ROOM];
  for (int k = 0; k < 3; k++)
    {
      start (size);
      only (k);
      memset (dy, 0, sizeof dy);
      if (k == 0)
        net_tangent (n, a[0], MATRIX (a[1]), MATRIX (a[2]), a[3], dy, d[0]);
      else
        weights_tangent (n, a[0], MATRIX (a[1]), MATRIX (a[2]), y, dy,
                         MATRIX (d[1]), MATRIX (d[2]));
      agree_slope ("net", net_kernel, k, along (dy, n));
      net_kernel (a, want);
      for (int e = 0; e < n && k; e++)
        faults += fabs (y[e] - want[e]) > 1e-12;
    }
}

int
main (void)
{
  static real dy[ROOM];
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    {
      if (sizes[k])
        check_net (sizes[k]);
      for (int with = 0; with < 2; with++)
        {
          start (sizes[k]);
          only (with);
          memcpy (dy, d[0], sizeof dy);
          walk_tangent (n, a[1], a[0], dy, d[1]);
          agree_slope ("walk", walk_kernel, with, along (dy, n));
        }
      start (sizes[k]);
      memset (dy, 0, sizeof dy);
      batch_tangent (n, MATRIX (a[0]), MATRIX (a[1]), MATRIX (dy),
                     MATRIX (d[1]));
      agree_slope ("batch", batch_kernel, 1, along (dy, n * n));
    }
  if (faults)
    printf ("%d faults\n", faults);
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
