/* Shows that loops over blocks whose size is known at run time mean the same:
   up, down and by twos, blocks that overlap or leave gaps, the block's own
   numbers in values.  */

#include "compare.h"

#define GROUPS                                                                 \
  for (int g = 0; g < n; g++)                                                  \
    {                                                                          \
      int sum = 0;                                                             \
      for (int c = g * s; c < (g + 1) * s; c++)                                \
        for (int l = 0; l < m; l++)                                            \
          sum += x[c * m + l] * (c + l);                                       \
      for (int c = (g + 1) * s - 1; c >= g * s; c--)                           \
        for (int l = 0; l < m; l++)                                            \
          y[c * m + l] = x[c * m + l] * sum + c;                               \
    }

static NOINLINE void
plain_groups (int n, int s, int m, const int *restrict x, int *restrict y)
{
  GROUPS
}

static NOINLINE void
groups (int n, int s, int m, const int *restrict x, int *restrict y)
{
#pragma tensor
  GROUPS
}

#define PARTS                                                                  \
  for (int g = 0; g < n; g++)                                                  \
    for (int c = g * s; c < g * s + m; c += 2)                                 \
      {                                                                        \
        y[c] += x[c + 1] * g;                                                  \
        x[c] = y[c] - c;                                                       \
      }

static NOINLINE void
plain_parts (int n, int s, int m, int *x, int *y)
{
  PARTS
}

static NOINLINE void
parts (int n, int s, int m, int *x, int *y)
{
#pragma tensor
  PARTS
}

static int x[2][AREA], y[2][AREA];

int
main (void)
{
  for (size_t k = 0; k < LENGTH (small_sizes); k++)
    for (int s = 0; s < 6; s++)
      for (int m = 0; m < 9; m++)
        {
          current[0] = small_sizes[k];
          current[1] = 10 * s + m;
          FILL (x);
          FILL (y);
          BOTH (groups, current[0], s, m, x[W], y[W]);
          CHECK (y);
          BOTH (parts, current[0], s, m, x[W], y[W]);
          CHECK (x);
          CHECK (y);
        }
  return 0;
}
