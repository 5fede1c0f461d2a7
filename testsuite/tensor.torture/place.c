/* Gauss-Seidel in place, whose loops carry everything.  */

#include "../tensor.run/compare.h"

static NOINLINE void
plain_place (int n, unsigned a[n][n])
{
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      a[i][j] = a[i - 1][j] + a[i][j - 1] - a[i + 1][j] + a[i][j + 1];
}

static NOINLINE void
place (int n, unsigned a[n][n])
{
#pragma tensor
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      a[i][j] = a[i - 1][j] + a[i][j - 1] - a[i + 1][j] + a[i][j + 1];
}

static unsigned a[2][33 * 33];

int
main (void)
{
  EACH_SMALL (n)
  {
    FILL_BELOW (a, 3);
    BOTH (place, n, (void *) a[W]);
    CHECK (a);
  }
  return 0;
}
