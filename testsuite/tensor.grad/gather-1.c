/* Shows gradients that add to shifted elements: crosses and windows in one to
   three dimensions, filters with taps of any number, steps of two, and a
   scatter that the user wrote.  */

#include "check.h"

static void
cross (int m, const real x[m][m], real y[restrict m][m])
{
  for (int i = 1; i < m - 1; i++)
    for (int j = 1; j < m - 1; j++)
      y[i][j] = 2 * x[i][j] * x[i][j]
                + 0.5 * (x[i - 1][j] + x[i + 1][j] + x[i][j - 1] * x[i][j + 1]);
}

#pragma tensor gradient(cross) of(y: dy) wrt(x: dx)
void cross_gradient (int m, const real x[m][m], const real dy[restrict m][m],
                     real dx[restrict m][m]);

static void
box (int m, const real x[m + 2][m + 2], real y[restrict m][m])
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      {
        real s = 0;
        for (int a = 0; a < 3; a++)
          for (int b = 0; b < 3; b++)
            s += x[i + a][j + b];
        y[i][j] = s / 9;
      }
}

#pragma tensor gradient(box) of(y: dy) wrt(x: dx)
void box_gradient (int m, const real x[m + 2][m + 2],
                   const real dy[restrict m][m], real dx[restrict m + 2][m + 2]);

static void
star (int m, const real x[m][m][m], real y[restrict m][m][m])
{
  for (int i = 1; i < m - 1; i++)
    for (int j = 1; j < m - 1; j++)
      for (int k = 1; k < m - 1; k++)
        y[i][j][k] = x[i - 1][j][k] + 2 * x[i + 1][j][k] + 3 * x[i][j - 1][k]
                     + 4 * x[i][j + 1][k] + 5 * x[i][j][k - 1]
                     + 6 * x[i][j][k + 1];
}

#pragma tensor gradient(star) of(y: dy) wrt(x: dx)
void star_gradient (int m, const real x[m][m][m],
                    const real dy[restrict m][m][m],
                    real dx[restrict m][m][m]);

static void
window (int m, int p, int q, const real x[m + p][m + q], const real w[p][q],
        real y[restrict m][m])
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      {
        y[i][j] = 0;
        for (int a = 0; a < p; a++)
          for (int b = 0; b < q; b++)
            y[i][j] += x[i + a][j + b] * w[a][b];
      }
}

#pragma tensor gradient(window) of(y: dy) wrt(x: dx, w: dw)
void window_gradient (int m, int p, int q, const real x[m + p][m + q],
                      const real w[p][q], const real dy[restrict m][m],
                      real dx[restrict m + p][m + q], real dw[restrict p][q]);

static void
halve (int m, const real *x, const real *w, real *restrict y)
{
  for (int i = 0; i < m; i++)
    y[i] = x[2 * i] * w[0] + x[2 * i + 1] * w[1] + x[2 * i + 2] * w[2];
}

#pragma tensor gradient(halve) of(y: dy) wrt(x: dx, w: dw)
void halve_gradient (int m, const real *x, const real *w,
                     const real *restrict dy, real *restrict dx,
                     real *restrict dw);

static void
spread (int m, const real *x, real *restrict y)
{
  for (int i = 0; i < m; i++)
    {
      real half = x[i] / 2;
      y[i] += half;
      y[i + 3] += half * x[i];
      y[i + 7] -= x[i];
    }
}

#pragma tensor gradient(spread) of(y: dy) wrt(x: dx)
void spread_gradient (int m, const real *x, const real *restrict dy,
                      real *restrict dx);

static void
cross_kernel (values at, real *out)
{
  cross (n, (void *) at[0], (void *) out);
}

static void
box_kernel (values at, real *out)
{
  box (n, (void *) at[0], (void *) out);
}

static void
star_kernel (values at, real *out)
{
  star (n % 8, (void *) at[0], (void *) out);
}

static void
window_kernel (values at, real *out)
{
  window (n, 4, 5, (void *) at[0], (void *) at[1], (void *) out);
}

static void
halve_kernel (values at, real *out)
{
  halve (n, at[0], at[1], out);
}

static void
spread_kernel (values at, real *out)
{
  spread (n, at[0], out);
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      cross_gradient (n, (void *) a[0], (void *) u, (void *) g[0]);
      agree ("cross", cross_kernel, 0);
      start (sizes[s]);
      box_gradient (n, (void *) a[0], (void *) u, (void *) g[0]);
      agree ("box", box_kernel, 0);
      start (sizes[s]);
      star_gradient (n % 8, (void *) a[0], (void *) u, (void *) g[0]);
      agree ("star", star_kernel, 0);
      start (sizes[s]);
      window_gradient (n, 4, 5, (void *) a[0], (void *) a[1], (void *) u,
                       (void *) g[0], (void *) g[1]);
      agree ("window", window_kernel, 0);
      agree ("window", window_kernel, 1);
      start (sizes[s]);
      halve_gradient (n, a[0], a[1], u, g[0], g[1]);
      agree ("halve", halve_kernel, 0);
      agree ("halve", halve_kernel, 1);
      start (sizes[s]);
      spread_gradient (n, a[0], u, g[0]);
      agree ("spread", spread_kernel, 0);
    }
  return faults != 0;
}
