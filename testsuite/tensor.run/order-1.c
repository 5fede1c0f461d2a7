/* Shows that GCC does not order the loops of a generated function anew:
   version 12 distributed these.  */
/* { dg-additional-options "-ffp-contract=off -fno-fast-math" } */

#include "compare.h"

static NOINLINE void
plain_beside (int m, int n, double s, float *restrict p, float *restrict q)
{
  for (int i = 0; i < m; i++)
    for (unsigned a = 0; a < 5; a++)
      for (int b = 0; b < 6; b++)
        {
          p[a + b] += 768;
          p[i] = 28 - s + p[i];
          q[4 - a] = (i - a) * p[i * n + i] + q[b] * (p[i * n + b] * p[a + 1]);
        }
}

static NOINLINE void
beside (int m, int n, double s, float *restrict p, float *restrict q)
{
#pragma tensor fp(strict) parallel(off)
  for (int i = 0; i < m; i++)
    for (unsigned a = 0; a < 5; a++)
      for (int b = 0; b < 6; b++)
        {
          p[a + b] += 768;
          p[i] = 28 - s + p[i];
          q[4 - a] = (i - a) * p[i * n + i] + q[b] * (p[i * n + b] * p[a + 1]);
        }
}

static float x[2][AREA], y[2][AREA];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (x);
    FILL (y);
    BOTH (beside, n, 16, 4.0, x[W], y[W]);
    CHECK (x);
    CHECK (y);
  }
  return 0;
}
