/* Shows that rows that are loaded into an array, whose elements are named, and
   stored again mean the same: a sorting network and butterflies.  */

#include "compare.h"

#define EXCHANGE(a, b)                                                         \
  {                                                                            \
    int low = v[a] < v[b] ? v[a] : v[b];                                       \
    int high = v[a] < v[b] ? v[b] : v[a];                                      \
    v[a] = low;                                                                \
    v[b] = high;                                                               \
  }

#define SORT                                                                   \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      int v[4];                                                                \
      for (int k = 0; k < 4; k++)                                              \
        v[k] = x[4 * i + k];                                                   \
      EXCHANGE (0, 1)                                                          \
      EXCHANGE (2, 3)                                                          \
      EXCHANGE (0, 2)                                                          \
      EXCHANGE (1, 3)                                                          \
      EXCHANGE (1, 2)                                                          \
      for (int k = 0; k < 4; k++)                                              \
        x[4 * i + k] = v[k];                                                   \
    }

#define BUTTERFLIES                                                            \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      float v[8], t[8];                                                        \
      for (int k = 0; k < 8; k++)                                              \
        v[k] = x[8 * i + k];                                                   \
      t[0] = v[0] + v[7], t[7] = v[0] - v[7];                                  \
      t[1] = v[1] + v[6], t[6] = v[1] - v[6];                                  \
      t[2] = v[2] + v[5], t[5] = v[2] - v[5];                                  \
      t[3] = v[3] + v[4], t[4] = v[3] - v[4];                                  \
      for (int k = 0; k < 8; k++)                                              \
        x[8 * i + k] = t[7 - k] + 2 * v[k];                                    \
    }

static NOINLINE void
plain_sort (int n, int *x)
{
  SORT
}

static NOINLINE void
sort (int n, int *x)
{
#pragma tensor
  SORT
}

static NOINLINE void
plain_butterflies (int n, float *x)
{
  BUTTERFLIES
}

static NOINLINE void
butterflies (int n, float *x)
{
#pragma tensor
  BUTTERFLIES
}

static int x[2][4 * MOST];
static float y[2][8 * MOST];

int
main (void)
{
  for (size_t a = 0; a < LENGTH (sizes); a++)
    {
      int n = current[0] = sizes[a];
      FILL (x);
      FILL (y);
      BOTH (sort, n, x[W]);
      CHECK (x);
      BOTH (butterflies, n, y[W]);
      CHECK (y);
    }
  return 0;
}
