/* Shows sums over records that wait in rows: more than one block of them, both
   ends of a pair in one array, rows of a triangle, records of two and four
   numbers, quotients of 1 and of another number.  */

#include "check.h"

/* The density of kernels at c, at m points of three numbers.  */
static void
density (int m, int centres, const real x[][3], const real c[][3], real *y)
{
  for (int i = 0; i < m; i++)
    {
      real s = 0;
      for (int j = 0; j < centres; j++)
        {
          real q = 0;
          for (int e = 0; e < 3; e++)
            q += (x[i][e] - c[j][e]) * (x[i][e] - c[j][e]);
          s += exp (-q);
        }
      y[i] = log (s + 1);
    }
}

#pragma tensor gradient(density) of(y: dy) wrt(x: dx, c: dc)
void density_gradient (int m, int centres, const real x[restrict][3],
                       const real c[restrict][3], const real *restrict dy,
                       real dx[restrict][3], real dc[restrict][3]);

/* The energy of the pairs of which the last three are one.  */
static void
pairs (int m, const real x[][3], real *y)
{
  for (int i = m < 3 ? 0 : m - 3; i < m; i++)
    for (int j = 0; j < i; j++)
      {
        real r = 0;
        for (int e = 0; e < 3; e++)
          r += (x[i][e] - x[j][e]) * (x[i][e] - x[j][e]);
        real q = 1 / (r + 0.5), p = -3 / (r + 1);
        *y += (q * q - q + p * p) / m;
      }
}

#pragma tensor gradient(pairs) of(y: dy) wrt(x: dx)
void pairs_gradient (int m, const real x[restrict][3], real *restrict y,
                     const real *restrict dy, real dx[restrict][3]);

/* Records of two and of four numbers, one of which is not used.  */
static void
mixed (int m, const real x[][2], const real w[][4], real *y)
{
  for (int i = 0; i < m; i++)
    y[0] += exp (x[i][0] * x[i][1] - w[i][0]) * w[i][1] / (1 + w[i][3]);
}

#pragma tensor gradient(mixed) of(y: dy) wrt(x: dx, w: dw)
void mixed_gradient (int m, const real x[restrict][2],
                     const real w[restrict][4], real *restrict y,
                     const real *restrict dy, real dx[restrict][2],
                     real dw[restrict][4]);

static int other;

static void
run_density (values v, real *out)
{
  density (n, other, (void *) v[0], (void *) v[1], out);
}

static void
run_pairs (values v, real *out)
{
  pairs (n, (void *) v[0], out);
}

static void
run_mixed (values v, real *out)
{
  mixed (n, (void *) v[0], (void *) v[1], out);
}

int
main (void)
{
  static const int many[] = { 0, 1, 3, 17, 255, 256, 257, 600 };
  static real y[1];
  for (size_t s = 0; s < sizeof many / sizeof *many; s++)
    {
      other = many[s];
      start (5);
      density_gradient (n, other, (void *) a[0], (void *) a[1], u,
                        (void *) g[0], (void *) g[1]);
      agree ("density", run_density, 0);
      agree ("density", run_density, 1);
      start (many[s]);
      pairs_gradient (n, (void *) a[0], y, u, (void *) g[0]);
      agree ("pairs", run_pairs, 0);
      start (many[s]);
      mixed_gradient (n, (void *) a[0], (void *) a[1], y, u, (void *) g[0],
                      (void *) g[1]);
      agree ("mixed", run_mixed, 0);
      agree ("mixed", run_mixed, 1);
    }
  return faults > 0;
}
