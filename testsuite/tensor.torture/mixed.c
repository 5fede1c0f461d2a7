/* A region that is refused between two that are done, and a region in a
   loop of the user's.  */

#include "../tensor.run/compare.h"

static NOINLINE int
plain_mixed (volatile int *v, int *x, int n)
{
  int s = 0;
  for (int i = 0; i < n; i++)
    x[i] = 2 * x[i] + 1;
  for (int i = 0; i < n; i++)
    v[i] = x[i];
  for (int k = 0; k < 3; k++)
    {
      for (int i = 0; i < n; i++)
        s += x[i] * v[0];
    }
  return s;
}

static NOINLINE int
mixed (volatile int *v, int *x, int n)
{
  int s = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    x[i] = 2 * x[i] + 1;
#pragma tensor /* { dg-missed "is volatile" } */
  for (int i = 0; i < n; i++)
    v[i] = x[i];
  for (int k = 0; k < 3; k++)
    {
#pragma tensor /* { dg-missed "\\*v is volatile" } */
      for (int i = 0; i < n; i++)
        s += x[i] * v[0];
    }
  return s;
}

static int v[2][128], x[2][128];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (v);
    FILL (x);
    BOTH_EQUAL (mixed, v[W], x[W], n);
    CHECK (x);
    CHECK (v);
  }
  return 0;
}
