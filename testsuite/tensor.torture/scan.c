/* A recurrence, what it leaves in a scalar, and a maximum with its place.  */

#include "../tensor.run/compare.h"

static NOINLINE int
plain_scan (int *x, int n)
{
  int last = 3, most = -100, at = -1;
  {
    for (int i = 0; i < n; i++)
      {
        last = x[i] - last;
        x[i] = last;
      }
    for (int i = 0; i < n; i++)
      if (x[i] > most)
        {
          most = x[i];
          at = i;
        }
  }
  return 10000 * last + 100 * most + at;
}

static NOINLINE int
scan (int *x, int n)
{
  int last = 3, most = -100, at = -1;
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      {
        last = x[i] - last;
        x[i] = last;
      }
    for (int i = 0; i < n; i++)
      if (x[i] > most)
        {
          most = x[i];
          at = i;
        }
  }
  return 10000 * last + 100 * most + at;
}

static int x[2][128];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (x);
    BOTH_EQUAL (scan, x[W], n);
    CHECK (x);
  }
  return 0;
}
