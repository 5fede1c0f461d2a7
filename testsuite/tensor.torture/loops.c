/* Loops that count down, skip, end by != and are of other types.  */

#include "../tensor.run/compare.h"

static NOINLINE void
plain_down (int *x, int n)
{
  for (int i = n - 1; i >= 0; i--)
    x[i] += i;
}

static NOINLINE void
plain_skip (int *x, size_t n)
{
  for (size_t i = 1; i < n; i += 3)
    x[i] = x[i] * 2 + 1;
}

static NOINLINE void
plain_unequal (int *x, long n)
{
  for (long i = 0; i != n; ++i)
    x[i] -= (int) i;
}

static NOINLINE void
plain_edge (int *x, unsigned n)
{
  for (unsigned char i = 2; i <= 100; i += 2)
    x[i] ^= (int) n + i;
}

static NOINLINE void
down (int *x, int n)
{
#pragma tensor
  for (int i = n - 1; i >= 0; i--)
    x[i] += i;
}

static NOINLINE void
skip (int *x, size_t n)
{
#pragma tensor
  for (size_t i = 1; i < n; i += 3)
    x[i] = x[i] * 2 + 1;
}

static NOINLINE void
unequal (int *x, long n)
{
#pragma tensor
  for (long i = 0; i != n; ++i)
    x[i] -= (int) i;
}

static NOINLINE void
edge (int *x, unsigned n)
{
#pragma tensor
  for (unsigned char i = 2; i <= 100; i += 2)
    x[i] ^= (int) n + i;
}

static int x[2][128];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (x);
    BOTH (down, x[W], n);
    BOTH (skip, x[W], n);
    BOTH (unequal, x[W], n);
    BOTH (edge, x[W], n);
    CHECK (x);
  }
  return 0;
}
