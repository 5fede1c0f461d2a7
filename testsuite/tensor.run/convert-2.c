/* Shows that unsigned numbers which are made signed, and then real, are
   negative from half their range on.  */

#include "compare.h"

#define SIGNED                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      y[i] = (double) (long long) u[i];                                        \
      z[i] = (float) (int) w[i] + (float) (long long) (u[i] >> 1);             \
      v[i] = (unsigned) (long long) u[i] + (unsigned) (short) w[i];            \
    }

static void
plain_convert (double *restrict y, float *restrict z, unsigned *restrict v,
               const uint64_t *restrict u, const unsigned *restrict w, int n)
{
  SIGNED
}

static NOINLINE void
convert (double *restrict y, float *restrict z, unsigned *restrict v,
         const uint64_t *restrict u, const unsigned *restrict w, int n)
{
#pragma tensor fp(strict)
  SIGNED
}

int
main (void)
{
  static double y[2][MOST];
  static float z[2][MOST];
  static unsigned v[2][MOST], w[2][MOST];
  static uint64_t u[2][MOST];
  EACH_SIZE (n)
  {
    FILL_WITH (u, (uint64_t) next () << 48 | next ());
    FILL_WITH (w, next () << 16 | next ());
    BOTH (convert, y[W], z[W], v[W], u[W], w[W], (int) n);
    CHECK (y);
    CHECK (z);
    CHECK (v);
  }
  return 0;
}
