/* Shows that products whose loops count down mean the same when an operand is
   packed, in rectangles and triangles.  */

#include "compare.h"

#define PRODUCT(FIRST)                                                         \
  for (int i = n - 1; i >= 0; i--)                                             \
    for (int j = FIRST; j >= 0; j--)                                           \
      for (int k = m - 1; k >= 1; k--)                                         \
        c[i][j] += a[i][k] * b[j][k];

static NOINLINE void
plain_whole (int n, int m, float c[restrict n][n], const float a[restrict n][m],
             const float b[restrict n][m])
{
  PRODUCT (n - 1)
}

static NOINLINE void
plain_lower (int n, int m, float c[restrict n][n], const float a[restrict n][m],
             const float b[restrict n][m])
{
  PRODUCT (i)
}

static NOINLINE void
whole (int n, int m, float c[restrict n][n], const float a[restrict n][m],
       const float b[restrict n][m])
{
#pragma tensor
  PRODUCT (n - 1)
}

static NOINLINE void
lower (int n, int m, float c[restrict n][n], const float a[restrict n][m],
       const float b[restrict n][m])
{
#pragma tensor
  PRODUCT (i)
}

static float a[2][AREA], b[2][AREA], c[2][AREA];

int
main (void)
{
  EACH_SIZE (n)
  EACH_WIDTH (m)
  {
    FILL (a);
    FILL (b);
    FILL (c);
    BOTH (whole, (int) n, (int) m, (void *) c[W], (void *) a[W], (void *) b[W]);
    CHECK (c);
    BOTH (lower, (int) n, (int) m, (void *) c[W], (void *) a[W], (void *) b[W]);
    CHECK (c);
  }
  return 0;
}
