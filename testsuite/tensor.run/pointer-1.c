/* Shows that pointers that accesses share lie in their arrays: GCC takes one
   that a positive distance is added to for at least that far from the
   beginning.  */

#include "compare.h"

enum
{
  N = 5
};

static double x[2][N + 1], y[2][N + 1], c[N];

#define SWAP(w)                                                                \
  double p[N + 1], q[N];                                                       \
  for (int i = 0; i < N + 1; i++)                                              \
    p[i] = x[w][i];                                                            \
  for (int i = 0; i < N; i++)                                                  \
    q[i] = y[w][i];                                                            \
  for (int t = 1; t >= 0; t--)                                                 \
    for (int i = N - 1; i >= 0; i--)                                           \
      {                                                                        \
        double moved = q[i];                                                   \
        q[i] = 0;                                                              \
        if (c[i] >= 1)                                                         \
          p[i + 1] += moved;                                                   \
        else                                                                   \
          p[N - 1 - i] += moved;                                               \
        s += p[i];                                                             \
        p[i] = 0;                                                              \
        q[i] += s;                                                             \
      }                                                                        \
  for (int i = 0; i < N + 1; i++)                                              \
    x[w][i] = p[i];                                                            \
  for (int i = 0; i < N; i++)                                                  \
    y[w][i] = q[i];

static NOINLINE void
plain_swap (double s)
{
  SWAP (0)
}

static NOINLINE void
swap (double s)
{
#pragma tensor
  {
    SWAP (1)
  }
}

int
main (void)
{
  for (int k = 0; k < 100; k++)
    {
      FILL (x);
      FILL (y);
      for (int i = 0; i < N; i++)
        c[i] = (double) (next () % 33) - 16;
      plain_swap (7);
      swap (7);
      CHECK (x);
      CHECK (y);
    }
  return 0;
}
