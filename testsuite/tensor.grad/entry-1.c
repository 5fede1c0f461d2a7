/* Shows that a tangent that only leaves is 0 where its value is read as it came
   in: through a product of iterators and parameters, elements at random, of
   which some were set before.  */
/* { dg-do run } */

#include <stdlib.h>

#define MOST 400

static void
rows (int n, int m, double *y, double *z)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j += 2)
      {
        z[j] = i * y[j];
        z[m - 1 - i] = j;
        y[n - 1 - j] = 2 * z[j * m + i];
      }
}

#pragma tensor tangent(rows) of(y : dy, z : dz) wrt(y : dy)
void rows_tangent (int n, int m, double *y, double *z, double *dy, double *dz);

/* The same, and the tangents of Y and Z, whose own is 0 at the beginning.  */
static void
expect (int n, int m, double *y, double *z, double *dy, double *dz)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j += 2)
      {
        dz[j] = i * dy[j];
        z[j] = i * y[j];
        dz[m - 1 - i] = 0;
        z[m - 1 - i] = j;
        dy[n - 1 - j] = 2 * dz[j * m + i];
        y[n - 1 - j] = 2 * z[j * m + i];
      }
}

/* Whether the tangents for N and M are right.  */
static int
agree (int n, int m)
{
  double y[2][MOST], z[2][MOST], dy[2][MOST], dz[2][MOST];
  for (int i = 0; i < MOST; i++)
    {
      y[0][i] = y[1][i] = i % 7;
      z[0][i] = z[1][i] = i % 5;
      dy[0][i] = dy[1][i] = i % 11 - 3;
      dz[0][i] = i % 13 + 100;
      dz[1][i] = 0;
    }
  rows_tangent (n, m, y[0], z[0], dy[0], dz[0]);
  expect (n, m, y[1], z[1], dy[1], dz[1]);
  for (int i = 0; i < n; i++)
    if (dy[0][i] != dy[1][i])
      return 0;
  for (int i = 0; i < m; i++)
    if (n > 0 && dz[0][i] != dz[1][i])
      return 0;
  return 1;
}

int
main (void)
{
  static const int size[] = { 0, 1, 2, 3, 5, 16, 19 };
  for (int a = 0; a < 7; a++)
    for (int b = 0; b < 7; b++)
      if (!agree (size[a], size[b]))
        abort ();
  return 0;
}
