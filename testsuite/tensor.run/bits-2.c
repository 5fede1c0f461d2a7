/* Shows that bits are counted as the built-in functions count them.  */

#include "compare.h"

static uint64_t a[2][MOST];
static uint64_t b[2][MOST];
static uint32_t c[2][MOST];
static uint8_t d[2][MOST];

static NOINLINE int
plain_distance (const uint64_t *x, const uint64_t *y, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += __builtin_popcountll (x[i] ^ y[i]);
  return sum;
}

static NOINLINE void
plain_weights (const uint32_t *x, uint8_t *y, int n)
{
  for (int i = 0; i < n; i++)
    y[i] = __builtin_popcount (x[i]) - __builtin_popcount (y[i]);
}

static NOINLINE long
plain_some (const uint64_t *x, const uint32_t *y, int n)
{
  long sum = 0;
  for (int i = 0; i < n; i++)
    if (__builtin_popcountl (x[i]) % 2)
      sum += __builtin_popcount (~y[i]) * (i + 1);
  return sum;
}

static NOINLINE int
distance (const uint64_t *x, const uint64_t *y, int n)
{
  int sum = 0;
#pragma tensor require(transform)
  for (int i = 0; i < n; i++)
    sum += __builtin_popcountll (x[i] ^ y[i]);
  return sum;
}

static NOINLINE void
weights (const uint32_t *x, uint8_t *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    y[i] = __builtin_popcount (x[i]) - __builtin_popcount (y[i]);
}

static NOINLINE long
some (const uint64_t *x, const uint32_t *y, int n)
{
  long sum = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    if (__builtin_popcountl (x[i]) % 2)
      sum += __builtin_popcount (~y[i]) * (i + 1);
  return sum;
}

int
main (void)
{
  for (size_t k = 0; k < LENGTH (sizes); k++)
    {
      int n = sizes[k];
      current[0] = n;
      FILL_WITH (a, (uint64_t) next () * next () * next () * next ());
      FILL_WITH (b, k_ % 3 ? ~(uint64_t) next () << k_ % 64 : 0);
      FILL_WITH (c, k_ % 5 ? next () * next () : ~0u);
      FILL_WITH (d, next ());
      BOTH_EQUAL (distance, a[W], b[W], n);
      BOTH (weights, c[W], d[W], n);
      BOTH_EQUAL (some, a[W], c[W], n);
      CHECK (d);
    }
  return 0;
}
