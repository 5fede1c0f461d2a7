/* A sum of vectors through pointers that may overlap, and do.  */

#include "../tensor.run/compare.h"

static NOINLINE void
plain_axpy (int *y, const int *x, int n, int s)
{
  for (int i = 0; i < n; i++)
    y[i] += s * x[i];
}

static NOINLINE void
axpy (int *y, const int *x, int n, int s)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    y[i] += s * x[i];
}

static int a[2][256];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (a);
    BOTH (axpy, a[W], a[W] + 128, n, 3);
    BOTH (axpy, a[W] + 1, a[W], n, 3);
    BOTH (axpy, a[W], a[W] + 1, n, -2);
    BOTH (axpy, a[W], a[W], n, 5);
    CHECK (a);
  }
  return 0;
}
