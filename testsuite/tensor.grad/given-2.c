/* Shows that what a quotient of a number divides by follows from the quotient,
   where that is given: columns are not summed again.  */
/* { dg-final { scan-kept-at-most given_gradient tape 0 "m 1e6 c 1e3" } } */

#include "check.h"

static void
norm (int m, int c, const real x[restrict m][c], real y[restrict m][c],
      real *restrict mean, real *restrict r)
{
  for (int j = 0; j < c; j++)
    mean[j] = r[j] = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < c; j++)
      mean[j] += x[i][j] / m;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < c; j++)
      r[j] += (x[i][j] - mean[j]) * (x[i][j] - mean[j]) / m;
  for (int j = 0; j < c; j++)
    r[j] = 3 / sqrt (r[j] + 0.1);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < c; j++)
      y[i][j] = (x[i][j] - mean[j]) * r[j];
}

#pragma tensor gradient(norm) of(y: dy) wrt(x: dx) given(mean, r)
void given_gradient (int m, int c, const real x[restrict m][c],
                     const real dy[restrict m][c], real dx[restrict m][c],
                     real *restrict mean, real *restrict r);
#pragma tensor gradient(norm) of(y: dy) wrt(x: dx)
void norm_gradient (int m, int c, const real x[restrict m][c],
                    const real dy[restrict m][c], real dx[restrict m][c]);

static void
norm_kernel (values at, real *out)
{
  real mean[n + 3], r[n + 3];
  norm (n, n + 3, (void *) at[0], (void *) out, mean, r);
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      int c = sizes[s] + 3;
      real mean[c], r[c], y[ROOM];
      start (sizes[s]);
      norm_gradient (n, c, (void *) a[0], (void *) u, (void *) g[0]);
      agree ("norm", norm_kernel, 0);
      start (sizes[s]);
      norm (n, c, (void *) a[0], (void *) y, mean, r);
      given_gradient (n, c, (void *) a[0], (void *) u, (void *) g[0], mean, r);
      agree ("given", norm_kernel, 0);
    }
  return faults != 0;
}
