/* Rows and planes named by the constant 0, of arrays whose sizes are known
   when the program runs: y[0][i], a[0][0][i].  */

#include "compare.h"

#define KERNEL(name)                                                           \
  static NOINLINE void name (int m, int (*x)[m], int (*restrict y)[m],         \
                             int (*restrict a)[m][m])

#define ROWS                                                                   \
  for (int i = 1; i < m; i++)                                                  \
    {                                                                          \
      y[0][i] = y[0][i - 1] * 3 % 101 + x[1][i];                               \
      y[1][i] = 2 * x[0][i];                                                   \
      a[0][0][i] = a[0][1][i] - a[1][0][i];                                    \
    }

#define SUMS                                                                   \
  for (int i = 0; i < m; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      y[0][j] += a[0][i][j] + x[0][i];

KERNEL (plain_rows) { ROWS }
KERNEL (plain_sums) { SUMS }

KERNEL (rows)
{
#pragma tensor
  ROWS
}

KERNEL (sums)
{
#pragma tensor
  SUMS
}

static int x[2][AREA], y[2][AREA], a[2][2 * 33 * 33];

int
main (void)
{
  for (size_t k = 0; k < LENGTH (small_sizes); k++)
    {
      int m = current[0] = small_sizes[k];
      if (m < 2)
        continue;
      FILL (x);
      FILL (y);
      FILL (a);
      BOTH (rows, m, (void *) x[W], (void *) y[W], (void *) a[W]);
      BOTH (sums, m, (void *) x[W], (void *) y[W], (void *) a[W]);
      CHECK (y);
      CHECK (a);
    }
  return 0;
}
