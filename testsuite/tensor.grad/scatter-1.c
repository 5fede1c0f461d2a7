/* Shows gradients of what is read by index: single elements, rows, and counts
   of them; indices come twice and more.  */

#include "check.h"

static void
take (int m, const int *at, const real *x, real *y)
{
  for (int i = 0; i < m; i++)
    y[i] = x[at[i]] * x[at[i]];
}

#pragma tensor gradient(take) of(y: dy) wrt(x: dx)
void take_gradient (int m, const int *at, const real *x, const real *dy,
                    real *dx);

static void
embed (int m, int c, const int *at, const real x[][c], real y[restrict m][c])
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < c; j++)
      y[i][j] = x[at[i]][j];
}

#pragma tensor gradient(embed) of(y: dy) wrt(x: dx)
void embed_gradient (int m, int c, const int *at, const real x[][c],
                     const real dy[restrict m][c], real dx[restrict][c]);

static void
pull (int m, const int *at, const real *x, const real *w, real *restrict y)
{
  for (int i = 0; i < m; i++)
    y[at[i]] += x[i] * w[at[i]];
}

#pragma tensor gradient(pull) of(y: dy) wrt(x: dx, w: dw)
void pull_gradient (int m, const int *at, const real *x, const real *w,
                    const real *restrict dy, real *restrict dx,
                    real *restrict dw);

static void
take_kernel (values at, real *out)
{
  take (n, index_of, at[0], out);
}

static void
embed_kernel (values at, real *out)
{
  embed (n, n + 3, index_of, (void *) at[0], (void *) out);
}

static void
pull_kernel (values at, real *out)
{
  pull (n, index_of, at[0], at[1], out);
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      take_gradient (n, index_of, a[0], u, g[0]);
      agree ("take", take_kernel, 0);
      start (sizes[s]);
      embed_gradient (n, n + 3, index_of, (void *) a[0], (void *) u,
                      (void *) g[0]);
      agree ("embed", embed_kernel, 0);
      start (sizes[s]);
      pull_gradient (n, index_of, a[0], a[1], u, g[0], g[1]);
      for (int k = 0; k < 2; k++)
        agree ("pull", pull_kernel, k);
    }
  return faults != 0;
}
