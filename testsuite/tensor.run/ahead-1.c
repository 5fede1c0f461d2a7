/* Shows that loops mean the same whose condition looks ahead of an unsigned
   iterator, also where what it asks for wraps around, and of one that steps by
   a number known at run time.  */

#include "compare.h"

#include <limits.h>
#include <stddef.h>

#define TRIPLES                                                                \
  for (size_t i = 0; i + 2 < n; i += 3)                                        \
    y[i / 3] = x[i] + 2 * x[i + 1] + 4 * x[i + 2];

#define WINDOWS                                                                \
  for (unsigned i = from; i + ahead < n; i++)                                  \
    y[i] += x[i] + 1;                                                          \
  for (unsigned i = from; most >= 4 + i; i++)                                  \
    y[i] -= x[i + 3];

#define EVERY                                                                  \
  int o = 0;                                                                   \
  for (int i = 0; i + taps <= n; i += by)                                      \
    {                                                                          \
      int sum = 0;                                                             \
      for (int k = 0; k < taps; k++)                                           \
        sum += x[i + k] * (k + 1);                                             \
      y[o++] = sum;                                                            \
    }

#define PAIRS                                                                  \
  for (int i = 1; 2 * i + 1 < n; i++)                                          \
    y[i] = x[2 * i] - x[2 * i + 1];

#define FRAMES                                                                 \
  for (int i = 0; i * by + taps <= n; i++)                                     \
    y[i] += x[i * by];

static NOINLINE void
plain_triples (const int *x, int *y, size_t n)
{
  TRIPLES
}

static NOINLINE void
triples (const int *x, int *y, size_t n)
{
#pragma tensor require(transform)
  {
    TRIPLES
  }
}

static NOINLINE void
plain_windows (const int *x, int *y, unsigned from, unsigned ahead, unsigned n,
               unsigned most)
{
  WINDOWS
}

static NOINLINE void
windows (const int *x, int *y, unsigned from, unsigned ahead, unsigned n,
         unsigned most)
{
#pragma tensor require(transform)
  {
    WINDOWS
  }
}

static NOINLINE void
plain_every (const int *x, int *y, int n, int taps, int by)
{
  EVERY
}

static NOINLINE void
every (const int *x, int *y, int n, int taps, int by)
{
#pragma tensor require(transform)
  {
    EVERY
  }
}

static NOINLINE void
plain_pairs (const int *x, int *y, int n)
{
  PAIRS
}

static NOINLINE void
pairs (const int *x, int *y, int n)
{
#pragma tensor require(transform)
  PAIRS
}

static NOINLINE void
plain_frames (const int *x, int *y, int n, int taps, int by)
{
  FRAMES
}

static NOINLINE void
frames (const int *x, int *y, int n, int taps, int by)
{
#pragma tensor
  FRAMES
}

static int a[2][4 * MOST], b[2][4 * MOST];

int
main (void)
{
  FILL (a);
  FILL (b);
  EACH_SIZE (n)
  {
    BOTH (triples, a[W], b[W], n);
    for (int k = -2; k < 6; k++)
      BOTH (windows, a[W] + 9, b[W] + 9, 0, k, n, n);
    BOTH (windows, a[W], b[W], 5, UINT_MAX - 3, n, n);
    BOTH (windows, a[W], b[W], 0, UINT_MAX - 3, UINT_MAX - n % 3, 3);
    BOTH (pairs, a[W], b[W], n);
    for (int by = 1; by < 9; by += 3)
      for (int taps = 0; taps < 5; taps++)
        {
          BOTH (every, a[W], b[W], n, taps, by);
          BOTH (frames, a[W], b[W], n, taps, by);
        }
    CHECK (b);
  }
  return 0;
}
