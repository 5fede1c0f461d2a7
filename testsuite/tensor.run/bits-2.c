/* Shows that bits are counted and found, and bytes turned, as the built-in
   functions do it.  */

#include "compare.h"

static uint64_t a[2][MOST];
static uint64_t b[2][MOST];
static uint32_t c[2][MOST];
static uint8_t d[2][MOST];
static int e[2][MOST];
static uint16_t f[2][MOST];

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

static NOINLINE void
plain_places (const uint32_t *x, const uint64_t *y, int *z, int n)
{
  for (int i = 0; i < n; i++)
    {
      int first = x[i] ? 31 - __builtin_clz (x[i]) : -1;
      int last = y[i] ? __builtin_ctzll (y[i]) : 64;
      z[i] = first * 100 + last + __builtin_ffs (z[i]);
    }
}

static NOINLINE long
plain_lengths (const uint64_t *x, const uint32_t *y, int n)
{
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += (i + 1) * (64 - __builtin_clzl (x[i] | 1))
           - __builtin_ctz (y[i] | 1u << 31);
  return sum;
}

static NOINLINE void
plain_turn (uint16_t *x, uint32_t *y, uint64_t *z, int n)
{
  for (int i = 0; i < n; i++)
    {
      x[i] = __builtin_bswap16 (x[i]);
      y[i] = __builtin_bswap32 (y[i]) + 1;
      z[i] = __builtin_bswap64 (z[i] ^ y[i]);
    }
}

static NOINLINE void
places (const uint32_t *x, const uint64_t *y, int *z, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      int first = x[i] ? 31 - __builtin_clz (x[i]) : -1;
      int last = y[i] ? __builtin_ctzll (y[i]) : 64;
      z[i] = first * 100 + last + __builtin_ffs (z[i]);
    }
}

static NOINLINE long
lengths (const uint64_t *x, const uint32_t *y, int n)
{
  long sum = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    sum += (i + 1) * (64 - __builtin_clzl (x[i] | 1))
           - __builtin_ctz (y[i] | 1u << 31);
  return sum;
}

static NOINLINE void
turn (uint16_t *x, uint32_t *y, uint64_t *z, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      x[i] = __builtin_bswap16 (x[i]);
      y[i] = __builtin_bswap32 (y[i]) + 1;
      z[i] = __builtin_bswap64 (z[i] ^ y[i]);
    }
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
      FILL_WITH (e, k_ % 4 ? next () * next () << k_ % 32 : 0);
      FILL_WITH (f, next ());
      BOTH (places, c[W], b[W], e[W], n);
      CHECK (e);
      BOTH_EQUAL (lengths, b[W], c[W], n);
      BOTH (turn, f[W], c[W], a[W], n);
      CHECK (a);
      CHECK (c);
      CHECK (f);
    }
  return 0;
}
