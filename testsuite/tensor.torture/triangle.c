/* Loops that are triangles: a lower product, and a solution by it.  */

#include "../tensor.run/compare.h"

static NOINLINE void
plain_lower (int n, const int l[n][n], const int *restrict x, int *restrict y)
{
  for (int i = 0; i < n; i++)
    {
      y[i] = 0;
      for (int j = 0; j <= i; j++)
        y[i] += l[i][j] * x[j];
    }
}

static NOINLINE void
plain_solve (int n, const int l[n][n], int *x)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < i; j++)
        x[i] -= l[i][j] * x[j];
      x[i] &= 15;
    }
}

static NOINLINE void
lower (int n, const int l[n][n], const int *restrict x, int *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      y[i] = 0;
      for (int j = 0; j <= i; j++)
        y[i] += l[i][j] * x[j];
    }
}

static NOINLINE void
solve (int n, const int l[n][n], int *x)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < i; j++)
        x[i] -= l[i][j] * x[j];
      x[i] &= 15;
    }
}

static int l[2][33 * 33], x[2][33], y[2][33];

int
main (void)
{
  EACH_SMALL (n)
  {
    FILL (l);
    FILL (x);
    FILL (y);
    BOTH (lower, n, (void *) l[W], x[W], y[W]);
    BOTH (solve, n, (void *) l[W], x[W]);
    CHECK (x);
    CHECK (y);
  }
  return 0;
}
