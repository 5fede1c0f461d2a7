/* Shows that loops near the ends of their iterators' types do what they say,
   shared by threads too.  */

/* { dg-tensor-opts "parallel-threshold=1" } */

#include "compare.h"

#include <limits.h>

static long x[2][64];

#define LOOPS(FUNCTION, PRAGMA)                                                \
  static NOINLINE void FUNCTION (long *x)                                      \
  {                                                                            \
    PRAGMA                                                                     \
    for (long i = LONG_MAX - 21; i < LONG_MAX; i++)                            \
      x[i & 63] = 1;                                                           \
    PRAGMA                                                                     \
    for (long i = LONG_MIN; i < LONG_MIN + 19; i++)                            \
      x[i & 63] += 2;                                                          \
    PRAGMA                                                                     \
    for (int i = INT_MAX - 17; i < INT_MAX; i++)                               \
      x[i & 31] += 3;                                                          \
    PRAGMA                                                                     \
    for (int i = INT_MIN + 20; i > INT_MIN; i--)                               \
      x[i & 63] *= 5;                                                          \
  }

LOOPS (plain_loops, )
LOOPS (loops, _Pragma ("tensor"))

int
main (void)
{
  FILL (x);
  BOTH (loops, x[W]);
  CHECK (x);
  return 0;
}
