/* Functions of the unit are part of the region.  */

#include "../tensor.run/compare.h"

static double
square (double x)
{
  return x * x;
}

static inline double
cut (double x, double least, double most)
{
  return x < least ? least : x > most ? most : x;
}

static double
half (double x)
{
  double y = x / 2;
  return y;
}

static NOINLINE void
plain_apply (double *x, int n)
{
  for (int i = 0; i < n; i++)
    {
      x[i] = cut (x[i], -3, 5);
      x[i] = square (x[i] + 1) - half (x[i]);
    }
}

static NOINLINE void
apply (double *x, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      x[i] = cut (x[i], -3, 5);
      x[i] = square (x[i] + 1) - half (x[i]);
    }
}

static double x[2][128];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (x);
    BOTH (apply, x[W], n);
    CHECK (x);
  }
  return 0;
}
