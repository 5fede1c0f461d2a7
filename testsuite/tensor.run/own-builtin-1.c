/* A function of the unit that has the name of one that GCC knows is the
   unit's.  */
/* { dg-no-verdicts "the pragmas come of macros" } */

#include "compare.h"

extern int ffs (int x);

int
ffs (int x)
{
  return 3 * x + 1000;
}

static int a[2][AREA];

#define KERNEL(name, pragma)                                                   \
  static NOINLINE void name (int n, int *x)                                    \
  {                                                                            \
    pragma for (int i = 0; i < n; i++) x[i] = ffs (x[i]);                      \
  }

KERNEL (plain_own, )
KERNEL (own, _Pragma ("tensor"))

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (a);
    BOTH (own, n, a[W]);
    CHECK (a);
  }
  return 0;
}
