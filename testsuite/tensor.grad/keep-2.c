/* Shows arrays stored whole and computed again as asked, and what is chosen:
   an array whose rows are needed twice is stored.  The same bits in each,
   where arithmetic is strict.  */
/* { dg-final { scan-kept-at-most rows_gradient tape 8.2e6 "m 1e6 c 1e3" } } */
/* { dg-final { scan-kept-at-most rows_gradient adjoint 8.9e6 "m 1e6 c 1e3" } } */
/* { dg-final { scan-json "\"function\": \"whole_gradient\".*\"tapes\": \\\[.*\"bytes\": \"8\\*m\\*c\"" } } */
/* { dg-final { scan-json "\"function\": \"chosen_gradient\".*\"tapes\": \\\[.*\"bytes\": \"8\\*m\\*c\"" } } */

#include "check.h"

/* h is needed for g, and after the last row for the first one.  */
static void
layers (int m, int c, real x[m][c], real w[c][c], real h[m][c], real *g,
        real *y)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < c; j++)
      {
        h[i][j] = 0;
        for (int k = 0; k < c; k++)
          h[i][j] += x[i][k] * w[j][k];
      }
  for (int i = 0; i < m; i++)
    {
      g[i] = 0;
      for (int j = 0; j < c; j++)
        g[i] += tanh (h[i][j]) * h[i][j];
    }
  for (int i = 0; i < m; i++)
    y[i] = g[m - 1 - i] * x[i][0];
}

#pragma tensor gradient(layers) of(y: dy) wrt(x: dx, w: dw) fp(strict)
void chosen_gradient (int m, int c, real x[m][c], real w[c][c], real *dy,
                      real dx[m][c], real dw[c][c]);
#pragma tensor gradient(layers) of(y: dy) wrt(x: dx, w: dw) fp(strict) store(h)
void whole_gradient (int m, int c, real x[m][c], real w[c][c], real *dy,
                     real dx[m][c], real dw[c][c]);
#pragma tensor gradient(layers) of(y: dy) wrt(x: dx, w: dw) fp(strict) \
  recompute(h)
void rows_gradient (int m, int c, real x[m][c], real w[c][c], real *dy,
                    real dx[m][c], real dw[c][c]);

static void
layers_kernel (values at, real *out)
{
  static real h[ROOM], s[ROOM];
  layers (n, n + 1, (void *) at[0], (void *) at[1], (void *) h, s, out);
}

typedef void gradient (int m, int c, real x[m][c], real w[c][c], real *dy,
                       real dx[m][c], real dw[c][c]);

int
main (void)
{
  static gradient *const ways[]
    = { chosen_gradient, whole_gradient, rows_gradient };
  static values first;
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      for (int way = 0; way < 3; way++)
        {
          for (int e = 0; e < ROOM; e++)
            g[0][e] = g[1][e] = 0.25;
          ways[way] (n, n + 1, (void *) a[0], (void *) a[1], u, (void *) g[0],
                     (void *) g[1]);
          for (int k = 0; k < 2; k++)
            agree ("layers", layers_kernel, k);
          if (way == 0)
            memcpy (first, g, sizeof g);
#ifndef __FAST_MATH__
          if (memcmp (first, g, sizeof g))
            {
              printf ("n = %d: other bits in way %d\n", n, way);
              faults++;
            }
#endif
        }
    }
  return faults != 0;
}
