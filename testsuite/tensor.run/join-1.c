/* Shows that chains of conditions whose branches store to the same places mean
   the same when they are joined: two and three stores, conditions that read
   what only some iterations may, a chain in either branch, updates.  */

#include "compare.h"

#define CHAIN                                                                  \
  for (int i = 0; i < n; i++)                                                  \
    if (k[i] > 3 && x[k[i]] > 0)                                               \
      {                                                                        \
        y[i] = x[i] * k[i];                                                    \
        c[i] = 1;                                                              \
      }                                                                        \
    else if (k[i] < 0)                                                         \
      {                                                                        \
        y[i] = -x[i];                                                          \
        c[i] = 2;                                                              \
      }                                                                        \
    else if (k[i] != 2 && x[n - 1 - i] < x[i])                                 \
      {                                                                        \
        y[i] = x[n - 1 - i];                                                   \
        c[i] = 3;                                                              \
      }                                                                        \
    else                                                                       \
      {                                                                        \
        y[i] = 5;                                                              \
        c[i] = k[i] & 1;                                                       \
      }

#define BOTH_WAYS                                                              \
  for (int i = 0; i < n; i++)                                                  \
    if (x[i] > 0)                                                              \
      {                                                                        \
        if (k[i] > 2)                                                          \
          {                                                                    \
            y[i] += x[i];                                                      \
            c[i] = k[i];                                                       \
          }                                                                    \
        else                                                                   \
          {                                                                    \
            y[i] += 3;                                                         \
            c[i] = 7;                                                          \
          }                                                                    \
      }                                                                        \
    else                                                                       \
      {                                                                        \
        if (x[i] < -4)                                                         \
          {                                                                    \
            y[i] += 1;                                                         \
            c[i] = -k[i];                                                      \
          }                                                                    \
        else                                                                   \
          {                                                                    \
            y[i] += -x[i];                                                     \
            c[i] = 9;                                                          \
          }                                                                    \
      }

static NOINLINE void
plain_chain (int n, const float *restrict x, const int *restrict k,
             float *restrict y, int *restrict c)
{
  CHAIN
}

static NOINLINE void
plain_both_ways (int n, const float *restrict x, const int *restrict k,
                 float *restrict y, int *restrict c)
{
  BOTH_WAYS
}

static NOINLINE void
chain (int n, const float *restrict x, const int *restrict k, float *restrict y,
       int *restrict c)
{
#pragma tensor
  CHAIN
}

static NOINLINE void
both_ways (int n, const float *restrict x, const int *restrict k,
           float *restrict y, int *restrict c)
{
#pragma tensor
  BOTH_WAYS
}

static float x[2][AREA], y[2][AREA];
static int k[2][AREA], c[2][AREA];

int
main (void)
{
  FILL (x);
  FILL (y);
  FILL (k);
  FILL (c);
  EACH_SIZE (n)
  {
    BOTH (chain, n, x[W], k[W], y[W], c[W]);
    CHECK (y);
    CHECK (c);
    BOTH (both_ways, n, x[W], k[W], y[W], c[W]);
    CHECK (y);
    CHECK (c);
  }
  return 0;
}
