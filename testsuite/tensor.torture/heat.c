/* Heat that spreads on a plate: two arrays that take turns.  */

#include "../tensor.run/compare.h"

static NOINLINE void
plain_heat (int n, int steps, float a[n][n], float b[n][n])
{
  for (int t = 0; t < steps; t++)
    {
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          b[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / 4;
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          a[i][j] = b[i][j];
    }
}

static NOINLINE void
heat (int n, int steps, float a[n][n], float b[n][n])
{
#pragma tensor
  for (int t = 0; t < steps; t++)
    {
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          b[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / 4;
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          a[i][j] = b[i][j];
    }
}

static float a[2][33 * 33], b[2][33 * 33];

int
main (void)
{
  EACH_SMALL (n)
  for (int steps = 0; steps < 4; steps++)
    {
      FILL (a);
      FILL (b);
      BOTH (heat, n, steps, (void *) a[W], (void *) b[W]);
      CHECK (a);
      CHECK (b);
    }
  return 0;
}
