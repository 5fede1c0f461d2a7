/* Shows that subscripts with quotients and remainders of unsigned iterators
   by powers of two mean the same: GCC makes masks of them.  */

#include "compare.h"

static NOINLINE void
plain_blocks (const int *restrict x, int *restrict y, double *restrict z,
              short *restrict s, size_t n)
{
  for (size_t i = 0; i < n; i++)
    {
      y[i / 4] += x[i];
      z[i / 4] += x[i / 2 * 2] + 3 * x[i & ~(size_t) 7];
      z[i / 16 + 1] -= x[i % 8];
      s[i / 8] = (short) (s[i / 8] + x[i / 4 * 4 + 1]);
    }
}

static NOINLINE void
plain_spread (const double *restrict x, double *restrict y, size_t n)
{
  for (size_t i = 0; i < n; i++)
    y[i] = x[i / 4 * 2] + 2 * x[i / 4] + 3 * x[i & ~(size_t) 7];
}

static NOINLINE void
plain_masks (const int *restrict x, int *restrict y, long n)
{
  for (long i = 0; i < n; i++)
    y[(i & -4) + 3] += x[i >> 2] + x[i / 4 * 4];
}

static NOINLINE void
blocks (const int *restrict x, int *restrict y, double *restrict z,
        short *restrict s, size_t n)
{
#pragma tensor
  for (size_t i = 0; i < n; i++)
    {
      y[i / 4] += x[i];
      z[i / 4] += x[i / 2 * 2] + 3 * x[i & ~(size_t) 7];
      z[i / 16 + 1] -= x[i % 8];
      s[i / 8] = (short) (s[i / 8] + x[i / 4 * 4 + 1]);
    }
}

static NOINLINE void
spread (const double *restrict x, double *restrict y, size_t n)
{
#pragma tensor
  for (size_t i = 0; i < n; i++)
    y[i] = x[i / 4 * 2] + 2 * x[i / 4] + 3 * x[i & ~(size_t) 7];
}

static NOINLINE void
masks (const int *restrict x, int *restrict y, long n)
{
#pragma tensor
  for (long i = 0; i < n; i++)
    y[(i & -4) + 3] += x[i >> 2] + x[i / 4 * 4];
}

static int x[2][MOST + 8], y[2][MOST + 8];
static double z[2][MOST + 8], r[2][MOST];
static short s[2][MOST + 8];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (x);
    FILL (y);
    FILL (z);
    FILL (s);
    BOTH (blocks, x[W], y[W], z[W], s[W], n);
    CHECK (y);
    CHECK (z);
    CHECK (s);
    FILL (r);
    BOTH (spread, z[W], r[W], n);
    CHECK (r);
    BOTH (masks, x[W], y[W], (long) n);
    CHECK (y);
  }
  return 0;
}
