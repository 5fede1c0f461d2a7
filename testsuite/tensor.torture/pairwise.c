/* Distances of all pairs, the nearest of each.  */

#include "../tensor.run/compare.h"

static NOINLINE void
plain_nearest (int n, int m, const double x[n][m], double *restrict least,
               int *restrict at)
{
  for (int i = 0; i < n; i++)
    {
      least[i] = 1e9;
      at[i] = -1;
      for (int j = 0; j < n; j++)
        {
          double d = 0;
          for (int k = 0; k < m; k++)
            d += (x[i][k] - x[j][k]) * (x[i][k] - x[j][k]);
          if (i != j && d < least[i])
            {
              least[i] = d;
              at[i] = j;
            }
        }
    }
}

static NOINLINE void
nearest (int n, int m, const double x[n][m], double *restrict least,
         int *restrict at)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      least[i] = 1e9;
      at[i] = -1;
      for (int j = 0; j < n; j++)
        {
          double d = 0;
          for (int k = 0; k < m; k++)
            d += (x[i][k] - x[j][k]) * (x[i][k] - x[j][k]);
          if (i != j && d < least[i])
            {
              least[i] = d;
              at[i] = j;
            }
        }
    }
}

static double x[2][33 * 33], d[2][33];
static int a[2][33];

int
main (void)
{
  EACH_SMALL (n)
  EACH_SMALL_TOO (m)
  {
    FILL (x);
    FILL (d);
    FILL (a);
    BOTH (nearest, n, m, (void *) x[W], d[W], a[W]);
    CHECK (d);
    CHECK (a);
  }
  return 0;
}
