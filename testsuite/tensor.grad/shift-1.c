/* Shows gradients of what subtracts a maximum for stability, where it cancels,
   softmax in place, a mixture's logarithm, and where it does not: without the
   logarithm, the maximum itself, across rows, and one that moves on while it is
   used.  */

#include "check.h"

static void
softmax (int m, int c, const real x[m][c], real y[restrict m][c])
{
  for (int i = 0; i < m; i++)
    {
      real most = -1e30, z = 0;
      for (int j = 0; j < c; j++)
        most = x[i][j] > most ? x[i][j] : most;
      for (int j = 0; j < c; j++)
        {
          y[i][j] = exp (x[i][j] - most);
          z += y[i][j];
        }
      for (int j = 0; j < c; j++)
        y[i][j] /= z;
    }
}

#pragma tensor gradient(softmax) of(y: dy) wrt(x: dx)
void softmax_gradient (int m, int c, const real x[m][c],
                       const real dy[restrict m][c], real dx[restrict m][c]);

static void
mixture (int m, int c, const real *x, const real *mean, const real *weight,
         real *restrict y)
{
  y[0] = 0;
  for (int i = 0; i < m; i++)
    {
      real most = -1e30, z = 0, p[c];
      for (int j = 0; j < c; j++)
        {
          p[j] = weight[j] - (x[i] - mean[j]) * (x[i] - mean[j]) / 2;
          most = fmax (most, p[j]);
        }
      for (int j = 0; j < c; j++)
        z += exp (p[j] - most);
      y[0] += most + log (z);
    }
}

#pragma tensor gradient(mixture) of(y: dy) wrt(x: dx, mean: dm, weight: dw)
void mixture_gradient (int m, int c, const real *x, const real *mean,
                       const real *weight, const real *restrict dy,
                       real *restrict dx, real *restrict dm, real *restrict dw);

static void
scaled (int m, int c, const real x[m][c], real y[restrict m])
{
  for (int i = 0; i < m; i++)
    {
      real most = -1e30, z = 0;
      for (int j = 0; j < c; j++)
        most = x[i][j] > most ? x[i][j] : most;
      for (int j = 0; j < c; j++)
        z += exp (x[i][j] - most);
      y[i] = z;
    }
}

#pragma tensor gradient(scaled) of(y: dy) wrt(x: dx)
void scaled_gradient (int m, int c, const real x[m][c],
                      const real dy[restrict m], real dx[restrict m][c]);

static void
peak (int m, int c, const real x[m][c], real y[restrict m])
{
  for (int i = 0; i < m; i++)
    {
      real most = -1e30;
      for (int j = 0; j < c; j++)
        most = x[i][j] > most ? x[i][j] : most;
      y[i] = most * most;
    }
}

#pragma tensor gradient(peak) of(y: dy) wrt(x: dx)
void peak_gradient (int m, int c, const real x[m][c], const real dy[restrict m],
                    real dx[restrict m][c]);

static void
across (int m, int c, const real x[m][c], real y[restrict m])
{
  real e[m + 1];
  e[0] = 1;
  for (int i = 0; i < m; i++)
    {
      real most = -1e30;
      for (int j = 0; j < c; j++)
        most = x[i][j] > most ? x[i][j] : most;
      e[i + 1] = exp (x[i][0] - most);
      y[i] = log (e[i + 1] / e[i]) + most;
    }
}

#pragma tensor gradient(across) of(y: dy) wrt(x: dx)
void across_gradient (int m, int c, const real x[m][c],
                      const real dy[restrict m], real dx[restrict m][c]);

static void
online (int m, int c, const real x[m][c], real y[restrict m])
{
  for (int i = 0; i < m; i++)
    {
      real most = -1e30, z = 0;
      for (int j = 0; j < c; j++)
        {
          real before = most;
          most = x[i][j] > most ? x[i][j] : most;
          z = z * exp (before - most) + exp (x[i][j] - most);
        }
      y[i] = log (z) + most;
    }
}

#pragma tensor gradient(online) of(y: dy) wrt(x: dx)
void online_gradient (int m, int c, const real x[m][c],
                      const real dy[restrict m], real dx[restrict m][c]);

#define ROWS(NAME)                                                             \
  static void NAME##_kernel (values at, real *out)                             \
  {                                                                            \
    NAME (n, n + 2, (void *) at[0], (void *) out);                             \
  }

ROWS (softmax)
ROWS (scaled)
ROWS (peak)
ROWS (across)
ROWS (online)

static void
mixture_kernel (values at, real *out)
{
  mixture (n, n + 2, at[0], at[1], at[2], out);
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
#define TRY(NAME)                                                              \
  start (sizes[s]);                                                            \
  NAME##_gradient (n, n + 2, (void *) a[0], (void *) u, (void *) g[0]);        \
  agree (#NAME, NAME##_kernel, 0);
      TRY (softmax)
      TRY (scaled)
      TRY (peak)
      TRY (across)
      TRY (online)
      start (sizes[s]);
      mixture_gradient (n, n + 2, a[0], a[1], a[2], u, g[0], g[1], g[2]);
      for (int k = 0; k < 3; k++)
        agree ("mixture", mixture_kernel, k);
    }
  return faults != 0;
}
