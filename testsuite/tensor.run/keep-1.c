/* Shows that functions that loops over a row compute again are kept, and mean
   the same where rows are empty and where what they read changes.  */
/* { dg-tensor-opts "dump=keep" } */
/* { dg-final { scan-tns-dump-times keep "exp\\\(" 3 } } */

#include "compare.h"

#define ROWS                                                                   \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      float sum = 0, other = 0;                                                \
      for (int j = 0; j < m; j++)                                              \
        {                                                                      \
          sum += expf (x[i][j] - 1);                                           \
          other += expf (y[i][j]);                                             \
        }                                                                      \
      for (int k = 0; k < m; k++)                                              \
        y[i][k] = expf (x[i][k] - 1) / sum;                                    \
      for (int k = 0; k < m; k++)                                              \
        y[i][k] -= expf (x[i][k] - 1) * expf (y[i][k]) / other;                \
    }

static NOINLINE void
plain_rows (int n, int m, const float x[restrict n][m], float y[restrict n][m])
{
  ROWS
}

static NOINLINE void
rows (int n, int m, const float x[restrict n][m], float y[restrict n][m])
{
#pragma tensor
  ROWS
}

static float x[AREA], y[2][AREA];

int
main (void)
{
  for (int k = 0; k < AREA; k++)
    x[k] = (float) (next () % 2001) / 1000 - 1;
  EACH_SIZE (n)
  EACH_WIDTH (m)
  {
    FILL_REAL (y);
    BOTH (rows, (int) n, (int) m, (void *) x, (void *) y[W]);
    CHECK_NEAR (y, 1e-5);
  }
  return 0;
}
