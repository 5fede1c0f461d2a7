/* What a type that may alias all others is stored to may be anything.  */
/* { dg-no-verdicts "the pragmas come of macros" } */

#include "compare.h"

typedef int any __attribute__ ((may_alias));

static float a[2][AREA];

#define KERNELS(name, pragma)                                                  \
  static NOINLINE void name##mixed (int n, any *x, float *y)                   \
  {                                                                            \
    pragma for (int i = 0; i < n; i++)                                         \
    {                                                                          \
      y[i] = i;                                                                \
      x[i] += 3;                                                               \
    }                                                                          \
  }                                                                            \
  static NOINLINE void name##bound (const any *n, float *y)                    \
  {                                                                            \
    pragma for (int i = 0; i < *n; i++) y[i] = 0;                              \
  }

KERNELS (plain_, )
KERNELS (, _Pragma ("tensor"))

int
main (void)
{
  EACH_SIZE (n)
    for (int shift = -2; shift < 3; shift++)
      {
        FILL (a);
        BOTH (mixed, n, (any *) a[W] + 20 + shift, a[W] + 20);
        CHECK (a);
        ((any *) a[0])[60] = ((any *) a[1])[60] = 100;
        BOTH (bound, (any *) a[W] + 60, a[W] + 20 + shift);
        CHECK (a);
      }
  return 0;
}
