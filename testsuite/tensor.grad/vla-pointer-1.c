/* Shows gradients and tangents of functions whose parameters point to rows of
   variable length, and calls of such functions; one of them solves by
   elimination with the greatest pivot.  */

#include "check.h"

#pragma tensor function
static void
swap_rows (int m, real (*x)[m], int p, int q)
{
  for (int j = 0; j < m; j++)
    {
      real t = x[p][j];
      x[p][j] = x[q][j];
      x[q][j] = t;
    }
}

static void
eliminate (int m, real (*x)[m])
{
  for (int k = 0; k < m; k++)
    {
      int p = k;
      for (int i = k + 1; i < m; i++)
        if (fabs (x[i][k]) > fabs (x[p][k]))
          p = i;
      swap_rows (m, x, k, p);
      for (int i = k + 1; i < m; i++)
        {
          x[i][k] /= x[k][k];
          for (int j = k + 1; j < m; j++)
            x[i][j] -= x[i][k] * x[k][j];
        }
    }
}

#pragma tensor gradient(eliminate) of(x : dx) wrt(x : dx)
void eliminate_gradient (int m, const real (*x)[m], real (*dx)[m]);

static void
squares (int m, const real (*x)[m], real (*y)[m])
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      y[i][j] = x[i][j] * x[j][i];
}

#pragma tensor tangent(squares) of(y : dy) wrt(x : dx)
void squares_tangent (int m, const real (*x)[m], const real (*dx)[m],
                      real (*restrict dy)[m]);

static void
kernel_eliminate (values at, real *out)
{
  memcpy (out, at[0], n * n * sizeof *out);
  eliminate (n, (real (*)[n]) out);
}

static void
kernel_squares (values at, real *out)
{
  squares (n, (const real (*)[n]) at[0], (real (*)[n]) out);
}

/* The tangent along d[0], times the seeds, is the slope.  */
static void
check_squares (void)
{
  static real dy[ROOM];
  real got = 0;
  squares_tangent (n, (const real (*)[n]) a[0], (const real (*)[n]) d[0],
                   (real (*)[n]) dy);
  for (int e = 0; e < n * n; e++)
    got += u[e] * dy[e];
  agree_slope ("squares", kernel_squares, 0, got);
}

int
main (void)
{
  for (int k = 0; k < 5; k++)
    {
      start (sizes[k]);
      memset (g[0], 0, sizeof g[0]);
      memcpy (g[0], u, n * n * sizeof g[0][0]);
      eliminate_gradient (n, (const real (*)[n]) a[0], (real (*)[n]) g[0]);
      agree_from ("eliminate", kernel_eliminate, 0, 0);
      check_squares ();
    }
  return faults > 0;
}
