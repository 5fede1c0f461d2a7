/* Two loops over rows without gaps are one: short rows, none, rows of arrays
   whose sizes are known, three loops, sums; and what keeps them: an element of
   a row that is used alone, a triangle, a part of a row.  */

#include "compare.h"

#define KERNEL(name)                                                           \
  static NOINLINE void name (int n, int m, int (*restrict x)[m],               \
                             int (*restrict y)[m], int *restrict w)

#define SCALE                                                                  \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      y[i][j] = x[i][j] * 3 - y[i][j];

#define SUM                                                                    \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      w[0] += x[i][j] * y[i][j];

#define SPELLED                                                                \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      w[i * m + j] = x[i][j] > 3 ? y[i][j] : w[i * m + j];

#define COLUMN                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      y[i][j] += x[i][j] * w[j];

#define TRIANGLE                                                               \
  for (int i = 0; i < n && i < m; i++)                                         \
    for (int j = 0; j < i; j++)                                                \
      y[i][j] += x[i][j];

#define PART                                                                   \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m - 1; j++)                                            \
      y[i][j] = x[i][j] + 1;

KERNEL (plain_scale){ SCALE }

KERNEL (scale){
#pragma tensor
  SCALE
}

KERNEL (plain_sum){ SUM }

KERNEL (sum){
#pragma tensor
  SUM
}

KERNEL (plain_spelled){ SPELLED }

KERNEL (spelled){
#pragma tensor
  SPELLED
}

KERNEL (plain_column){ COLUMN }

KERNEL (column){
#pragma tensor
  COLUMN
}

KERNEL (plain_triangle){ TRIANGLE }

KERNEL (triangle){
#pragma tensor
  TRIANGLE
}

KERNEL (plain_part){ PART }

KERNEL (part)
{
#pragma tensor
  PART
}

#define CUBE                                                                   \
  for (int i = 0; i < 7; i++)                                                  \
    for (int j = 0; j < 5; j++)                                                \
      for (int k = 0; k < 3; k++)                                              \
        y[i][j][k] += 2 * x[i][j][k];

static NOINLINE void
plain_cubes (int (*restrict x)[5][3], int (*restrict y)[5][3])
{
  CUBE
}

static NOINLINE void
cubes (int (*restrict x)[5][3], int (*restrict y)[5][3])
{
#pragma tensor
  CUBE
}

static int x[2][33 * 33], y[2][33 * 33], w[2][33 * 33];

int
main (void)
{
  for (size_t k = 0; k < LENGTH (small_sizes); k++)
    for (int n = -1; n < 34; n += n < 7 ? 1 : 26)
      {
        int m = current[0] = small_sizes[k];
        current[1] = n;
        if (m < 1)
          continue;
        FILL (x);
        FILL (y);
        FILL (w);
        BOTH (scale, n, m, (void *) x[W], (void *) y[W], w[W]);
        BOTH (sum, n, m, (void *) x[W], (void *) y[W], w[W]);
        BOTH (column, n, m, (void *) x[W], (void *) y[W], w[W]);
        CHECK (w);
        BOTH (spelled, n, m, (void *) x[W], (void *) y[W], w[W]);
        BOTH (triangle, n, m, (void *) x[W], (void *) y[W], w[W]);
        BOTH (part, n, m, (void *) x[W], (void *) y[W], w[W]);
        BOTH (cubes, (void *) x[W], (void *) y[W]);
        CHECK (y);
        CHECK (w);
      }
  return 0;
}
