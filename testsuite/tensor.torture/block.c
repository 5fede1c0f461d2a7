/* Arrays and scalars of the block, of fixed and of variable size.  */

#include "../tensor.run/compare.h"

static NOINLINE int
plain_block (int n, int m, const int x[n][m], int *restrict y)
{
  int total = 0;
  {
    int row[m + 1];
    int sum[8] = { 0 };
    for (int i = 0; i < n; i++)
      {
        int first = i * 2;
        for (int j = 0; j < m; j++)
          row[j] = x[i][j] + first;
        for (int j = 0; j < m; j++)
          y[j] += row[m - 1 - j];
        sum[i % 8] += first + i;
      }
    for (int k = 0; k < 8; k++)
      total += sum[k];
  }
  return total;
}

static NOINLINE int
block (int n, int m, const int x[n][m], int *restrict y)
{
  int total = 0;
#pragma tensor
  {
    int row[m + 1];
    int sum[8] = { 0 };
    for (int i = 0; i < n; i++)
      {
        int first = i * 2;
        for (int j = 0; j < m; j++)
          row[j] = x[i][j] + first;
        for (int j = 0; j < m; j++)
          y[j] += row[m - 1 - j];
        sum[i % 8] += first + i;
      }
    for (int k = 0; k < 8; k++)
      total += sum[k];
  }
  return total;
}

static int x[2][33 * 33], y[2][33];

int
main (void)
{
  EACH_SMALL (n)
  EACH_SMALL_TOO (m)
  {
    FILL (x);
    FILL (y);
    BOTH_EQUAL (block, n, m, (void *) x[W], y[W]);
    CHECK (y);
  }
  return 0;
}
