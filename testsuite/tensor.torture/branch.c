/* Conditions on data and on iterators, continue and else.  */

#include "../tensor.run/compare.h"

static NOINLINE int
plain_branch (const int *restrict x, int *restrict y, int n)
{
  int positive = 0;
  for (int i = 0; i < n; i++)
    {
      if (x[i] == 3)
        continue;
      if (i % 2 == 0 && x[i] > 0)
        {
          y[i] = x[i];
          positive++;
        }
      else if (i > 5)
        y[i] = x[i] < -2 ? -x[i] : y[i - 1];
      else
        y[i] = 1 - y[i];
    }
  return positive;
}

static NOINLINE int
branch (const int *restrict x, int *restrict y, int n)
{
  int positive = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      if (x[i] == 3)
        continue;
      if (i % 2 == 0 && x[i] > 0)
        {
          y[i] = x[i];
          positive++;
        }
      else if (i > 5)
        y[i] = x[i] < -2 ? -x[i] : y[i - 1];
      else
        y[i] = 1 - y[i];
    }
  return positive;
}

static int x[2][128], y[2][128];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (x);
    FILL (y);
    BOTH_EQUAL (branch, x[W], y[W], n);
    CHECK (y);
  }
  return 0;
}
