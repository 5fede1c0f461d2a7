/* Softmax of rows.  */

#include "../tensor.run/compare.h"

static NOINLINE void
plain_softmax (int n, int m, double x[n][m])
{
  for (int i = 0; i < n; i++)
    {
      double most = x[i][0];
      for (int j = 1; j < m; j++)
        if (x[i][j] > most)
          most = x[i][j];
      double sum = 0;
      for (int j = 0; j < m; j++)
        {
          x[i][j] = exp (x[i][j] - most);
          sum += x[i][j];
        }
      for (int j = 0; j < m; j++)
        x[i][j] /= sum;
    }
}

static NOINLINE void
softmax (int n, int m, double x[n][m])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      double most = x[i][0];
      for (int j = 1; j < m; j++)
        if (x[i][j] > most)
          most = x[i][j];
      double sum = 0;
      for (int j = 0; j < m; j++)
        {
          x[i][j] = exp (x[i][j] - most);
          sum += x[i][j];
        }
      for (int j = 0; j < m; j++)
        x[i][j] /= sum;
    }
}

static double x[2][33 * 33];

int
main (void)
{
  EACH_SMALL (n)
  EACH_SMALL_TOO (m)
  {
    FILL_REAL (x);
    BOTH (softmax, n, m, (void *) x[W]);
    CHECK_NEAR (x, 1e-14);
  }
  return 0;
}
