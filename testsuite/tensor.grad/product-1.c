/* Shows gradients of products: the pragma before and after the function, flat
   and variable arrays, sums in cells, taps of a filter.  */

#include "check.h"

#pragma tensor gradient(product) of(y: dy) wrt(x: dx, w: dw, b: db)
void product_gradient (int m, int c, int p, const real *x, const real *w,
                       const real *b, const real *dy, real *dx, real *dw,
                       real *db);

static void
product (int m, int c, int p, const real *x, const real *w, const real *b,
         real *y)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < c; j++)
      {
        real s = b[j];
        for (int k = 0; k < p; k++)
          s += x[i * p + k] * w[j * p + k];
        y[i * c + j] = tanh (s);
      }
}

static void
square (int m, real x[m][m], real w[m][m], real y[restrict m][m])
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      {
        y[i][j] = 0;
        for (int k = 0; k < m; k++)
          y[i][j] += x[i][k] * w[k][j];
      }
}

#pragma tensor gradient(square) of(y: dy) wrt(x: dx, w: dw)
int square_gradient (int m, real x[m][m], real w[m][m], real dy[m][m],
                     real dx[restrict m][m], real dw[restrict m][m]);

static void
filter (int m, const real *x, const real *w, real *y)
{
  for (int i = 0; i < m; i++)
    {
      y[i] = 0;
      for (int k = 0; k < 3; k++)
        y[i] += x[i + k] * w[k];
    }
}

#pragma tensor gradient(filter) of(y: dy) wrt(x: dx, w: dw)
void filter_gradient (int m, const real *x, const real *w, const real *dy,
                      real *dx, real *dw);

static void
product_kernel (values at, real *out)
{
  product (n, n + 2, 2 * n, at[0], at[1], at[2], out);
}

static void
square_kernel (values at, real *out)
{
  square (n, (void *) at[0], (void *) at[1], (void *) out);
}

static void
filter_kernel (values at, real *out)
{
  filter (n, at[0], at[1], out);
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      product_gradient (n, n + 2, 2 * n, a[0], a[1], a[2], u, g[0], g[1], g[2]);
      for (int k = 0; k < 3; k++)
        agree ("product", product_kernel, k);
      start (sizes[s]);
      faults += square_gradient (n, (void *) a[0], (void *) a[1], (void *) u,
                                 (void *) g[0], (void *) g[1]);
      for (int k = 0; k < 2; k++)
        agree ("square", square_kernel, k);
      start (sizes[s]);
      filter_gradient (n, a[0], a[1], u, g[0], g[1]);
      for (int k = 0; k < 2; k++)
        agree ("filter", filter_kernel, k);
    }
  return faults != 0;
}
