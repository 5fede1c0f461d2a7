/* Shows that rows of seven equal numbers, stored in parts, are those of their
   own iteration: GCC's PRE takes a vector that it finds inside a conversion for
   a constant.  */
/* { dg-additional-options "-fchecking -ffp-contract=off -fno-fast-math" } */

#include "compare.h"

#define ROW 7

#define SPREAD(to, from, n, m)                                                 \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      {                                                                        \
        double row[ROW + 1];                                                   \
        double at = from[j + m * i];                                           \
        for (int k = 0; k < ROW; k++)                                          \
          row[k] = at > j ? at * at - 3 : (double) j;                          \
        for (int k = 1; k < ROW; k++)                                          \
          row[k] *= 2 - row[k - 1];                                            \
        for (int k = 0; k < ROW; k++)                                          \
          to[k] = row[ROW - 1 - k] + row[k];                                   \
      }

static NOINLINE void
plain_spread (double *restrict to, const double *restrict from, int n, int m)
{
  SPREAD (to, from, n, m)
}

static NOINLINE void
spread (double *restrict to, const double *restrict from, int n, int m)
{
#pragma tensor fp(strict) fuse(none)
  SPREAD (to, from, n, m)
}

int
main (void)
{
  static double from[2][17 * 17], to[2][ROW];
  for (int n = 0; n <= 17; n++)
    for (int m = 0; m <= 17; m += 1 + m / 3)
      {
        FILL (from);
        FILL (to);
        BOTH (spread, to[W], from[W], n, m);
        CHECK (to);
      }
  return 0;
}
