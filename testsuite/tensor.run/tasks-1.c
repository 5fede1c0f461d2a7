/* Nests side by side give what they give one after the other: two and three
   of them, with a parallel nest between, with temporaries.
   { dg-tensor-opts "parallel-threshold=1" }  */

#include "compare.h"

#define KERNEL(name)                                                           \
  static NOINLINE void name (int n, int *restrict x, int *restrict y,          \
                             int *restrict z)

#define TWO                                                                    \
  for (int i = 1; i < n; i++)                                                  \
    x[i] = x[i - 1] * 3 % 101 + z[i];                                          \
  for (int i = 1; i < n; i++)                                                  \
    y[i] = y[i - 1] * 5 % 103 - z[i];

#define THREE                                                                  \
  for (int i = 1; i < n; i++)                                                  \
    x[i] = x[i - 1] * 3 % 101 + 1;                                             \
  for (int i = n - 2; i >= 0; i--)                                             \
    y[i] = y[i + 1] * 5 % 103 - 2;                                             \
  for (int i = 2; i < n; i++)                                                  \
    z[i] = z[i - 2] * 7 % 107 + i;

#define BETWEEN                                                                \
  for (int i = 1; i < n; i++)                                                  \
    x[i] = x[i - 1] * 3 % 101 + 1;                                             \
  for (int i = 0; i < n; i++)                                                  \
    z[i] = z[i] * 2 + x[n - 1 - i];                                            \
  for (int i = 1; i < n; i++)                                                  \
    y[i] = y[i - 1] * 5 % 103 - 2;                                             \
  for (int i = 1; i < n; i++)                                                  \
    x[i] = x[i - 1] * 7 % 107 + 3;

#define HELD                                                                   \
  int s[n + 1], t[n + 1];                                                      \
  s[0] = 1;                                                                    \
  t[0] = 2;                                                                    \
  for (int i = 1; i <= n; i++)                                                 \
    s[i] = s[i - 1] * 3 % 101 + x[i - 1];                                      \
  for (int i = 1; i <= n; i++)                                                 \
    t[i] = t[i - 1] * 5 % 103 + y[i - 1];                                      \
  for (int i = 0; i < n; i++)                                                  \
    z[i] = s[n - i] - t[i];

KERNEL (plain_two) { TWO }
KERNEL (plain_three) { THREE }
KERNEL (plain_between) { BETWEEN }
KERNEL (plain_held) { HELD }

KERNEL (two)
{
#pragma tensor
  {
    TWO
  }
}

KERNEL (three)
{
#pragma tensor
  {
    THREE
  }
}

KERNEL (between)
{
#pragma tensor
  {
    BETWEEN
  }
}

KERNEL (held)
{
#pragma tensor
  {
    HELD
  }
}

static int x[2][MOST], y[2][MOST], z[2][MOST];

int
main (void)
{
  for (size_t k = 0; k < LENGTH (sizes); k++)
    {
      int n = current[0] = sizes[k];
      FILL (x);
      FILL (y);
      FILL (z);
      BOTH (two, n, x[W], y[W], z[W]);
      BOTH (three, n, x[W], y[W], z[W]);
      BOTH (between, n, x[W], y[W], z[W]);
      BOTH (held, n, x[W], y[W], z[W]);
      CHECK (x);
      CHECK (y);
      CHECK (z);
    }
  return 0;
}
