/* Shows that a local array that nothing writes, and that is read where a
   condition never holds, has its place like others.  */

#include "compare.h"

static NOINLINE void
plain_never (const int *has, const double *x, double *y, int n)
{
  double t[n + 1];
  for (int i = 0; i < n; i++)
    y[i] = 2 * x[i];
  for (int i = 0; i < n; i++)
    if (has[i] > 1000000)
      y[i] = t[i];
}

static NOINLINE void
never (const int *has, const double *x, double *y, int n)
{
#pragma tensor
  {
    double t[n + 1];
    for (int i = 0; i < n; i++)
      y[i] = 2 * x[i];
    for (int i = 0; i < n; i++)
      if (has[i] > 1000000)
        y[i] = t[i];
  }
}

static int has[2][MOST];
static double x[2][MOST], y[2][MOST];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (has);
    FILL (x);
    FILL (y);
    BOTH (never, has[W], x[W], y[W], n);
    CHECK (y);
  }
  return 0;
}
