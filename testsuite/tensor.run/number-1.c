/* Shows that x == x and x != x tell what is no number, alone, of two numbers at
   once, and along rows and columns.  */

#include <math.h>

#include "compare.h"

#define ASK                                                                    \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      int lost = 0;                                                            \
      for (int j = 0; j < m; j++)                                              \
        lost |= a[i][j] != a[i][j];                                            \
      rows[i] = lost;                                                          \
    }                                                                          \
  for (int j = 0; j < m; j++)                                                  \
    {                                                                          \
      int lost = 0;                                                            \
      for (int i = 0; i < n; i++)                                              \
        lost |= a[i][j] != a[i][j];                                            \
      columns[j] = lost;                                                       \
    }                                                                          \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      {                                                                        \
        y[i][j] = a[i][j] != a[i][j] || b[j] != b[j] ? 2 : a[i][j];            \
        z[i][j] = a[i][j] == a[i][j] && b[j] == b[j] ? a[i][j] : 3;            \
      }

static NOINLINE void
plain_ask (int n, int m, const float a[restrict n][m], const double *restrict b,
           float *restrict rows, float *restrict columns,
           float y[restrict n][m], float z[restrict n][m])
{
  ASK
}

static NOINLINE void
ask (int n, int m, const float a[restrict n][m], const double *restrict b,
     float *restrict rows, float *restrict columns, float y[restrict n][m],
     float z[restrict n][m])
{
#pragma tensor
  {
    ASK
  }
}

static float a[AREA], y[2][AREA], z[2][AREA];
static double b[MOST + 1];
static float rows[2][MOST + 1], columns[2][MOST + 1];

int
main (void)
{
  for (int k = 0; k < AREA; k++)
    a[k] = next () % 9 ? (float) (next () % 8) : NAN;
  for (int k = 0; k <= MOST; k++)
    b[k] = next () % 5 ? (double) (next () % 4) : -NAN;
  EACH_SMALL (n)
  EACH_SMALL_TOO (m)
  {
    FILL (rows);
    FILL (columns);
    FILL (y);
    FILL (z);
    BOTH (ask, (int) n, (int) m, (void *) a, b, rows[W], columns[W],
          (void *) y[W], (void *) z[W]);
    CHECK (rows);
    CHECK (columns);
    CHECK (y);
    CHECK (z);
  }
  return 0;
}
