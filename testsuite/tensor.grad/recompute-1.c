/* Shows arrays that are computed again where a stencil reads them, which has no
   row that would do: what they hold stands in their place, so that nothing is
   stored; of local arrays, of parameters that the gradient lacks, of what comes
   of another such array.  */

#include "check.h"

static void
pairs (int m, const real *restrict x, real *restrict h, real *restrict y)
{
  for (int i = 0; i < m; i++)
    h[i] = sin (x[i]) + x[i];
  for (int i = 1; i < m; i++)
    y[i] = h[i] * h[i - 1];
}
#pragma tensor gradient(pairs) of(y : dy) wrt(x : dx) recompute(h) /* { dg-message "tapes 0 bytes" } */
void pairs_gradient (int m, const real *restrict x, const real *restrict dy,
                     real *restrict dx);

static void
chain (int m, const real *restrict x, const real *restrict z,
       real *restrict y)
{
  real h[m + 1], k[m + 1];
  for (int i = 0; i <= m; i++)
    h[i] = exp (x[i]) * z[0];
  for (int i = 1; i < m; i++)
    k[i] = h[i - 1] * h[i + 1];
  for (int i = 2; i < m - 1; i++)
    y[i] = k[i + 1] * k[i - 1] - h[i] * k[i];
}
#pragma tensor gradient(chain) of(y : dy) wrt(x : dx, z : dz) recompute(h, k) /* { dg-message "tapes 0 bytes" } */
void chain_gradient (int m, const real *restrict x, const real *restrict z,
                     const real *restrict dy, real *restrict dx,
                     real *restrict dz);

static void
plane (int m, const real *restrict x, real *restrict y)
{
  real h[m + 1][m + 1];
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      h[i][j] = tanh (x[i * m + j]) * x[i * m + j];
  for (int i = 1; i < m - 1; i++)
    for (int j = 1; j < m - 1; j++)
      y[i * m + j] = h[i + 1][j] * h[i - 1][j] + h[i][j] * h[i][j - 1];
}
#pragma tensor gradient(plane) of(y : dy) wrt(x : dx) recompute(h) /* { dg-message "tapes 0 bytes" } */
void plane_gradient (int m, const real *restrict x, const real *restrict dy,
                     real *restrict dx);

static void
kernel_pairs (values at, real *out)
{
  pairs (n, at[0], at[2], out);
}

static void
kernel_chain (values at, real *out)
{
  chain (n, at[0], at[1], out);
}

static void
kernel_plane (values at, real *out)
{
  plane (n, at[0], out);
}

int
main (void)
{
  for (int k = 0; k < 5; k++)
    {
      start (sizes[k]);
      pairs_gradient (n, a[0], u, g[0]);
      agree ("pairs", kernel_pairs, 0);
      start (sizes[k]);
      chain_gradient (n, a[0], a[1], u, g[0], g[1]);
      agree ("chain", kernel_chain, 0);
      agree ("chain, a factor", kernel_chain, 1);
      start (sizes[k]);
      plane_gradient (n, a[0], u, g[0]);
      agree ("plane", kernel_plane, 0);
    }
  return faults > 0;
}
