/* Shows that loops near the ends of their iterators' types do what they say,
   shared by threads too.  */

/* { dg-tensor-opts "parallel-threshold=1" } */

#include "compare.h"

#include <limits.h>

static long x[2][64];

static NOINLINE void
plain_loops (long *x)
{
  for (long i = LONG_MAX - 21; i < LONG_MAX; i++)
    x[i & 63] = 1;
  for (long i = LONG_MIN; i < LONG_MIN + 19; i++)
    x[i & 63] += 2;
  for (int i = INT_MAX - 17; i < INT_MAX; i++)
    x[i & 31] += 3;
  for (int i = INT_MIN + 20; i > INT_MIN; i--)
    x[i & 63] *= 5;
}

static NOINLINE void
loops (long *x)
{
#pragma tensor
  for (long i = LONG_MAX - 21; i < LONG_MAX; i++)
    x[i & 63] = 1;
#pragma tensor
  for (long i = LONG_MIN; i < LONG_MIN + 19; i++)
    x[i & 63] += 2;
#pragma tensor
  for (int i = INT_MAX - 17; i < INT_MAX; i++)
    x[i & 31] += 3;
#pragma tensor
  for (int i = INT_MIN + 20; i > INT_MIN; i--)
    x[i & 63] *= 5;
}

int
main (void)
{
  FILL (x);
  BOTH (loops, x[W]);
  CHECK (x);
  return 0;
}
