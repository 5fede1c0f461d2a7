/* Shows that calls in the arguments of calls of the same function mean the
   same, functions with loops and pointers too.  */

#include "compare.h"

static int
least (int a, int b)
{
  if (a < b)
    return a;
  return b;
}

static float
mean (const float *x, int n)
{
  float s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

static float
above (float x, float y)
{
  float d = x - y;
  return d > 0 ? d : y;
}

static NOINLINE void
plain_integers (const int *a, const int *b, const int *c, int *d, int n)
{
  for (int i = 0; i < n; i++)
    {
      d[i] = least (least (a[i], 3), least (b[i], least (c[i], a[i] + 1)));
      d[i] += least (least (least (a[i], b[i]), c[i]), 2) * 16;
      d[i] += least (c[i], least (b[i], a[i])) * 256;
    }
}

static NOINLINE void
plain_reals (const float *x, const float *y, float *z, int n)
{
  for (int i = 0; i < n; i++)
    z[i] = above (above (x[i], y[i]), above (mean (x, i), mean (y, i)))
           - above (mean (x + i, 2), above (above (y[i], 1), x[i]));
}

static NOINLINE void
integers (const int *a, const int *b, const int *c, int *d, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      d[i] = least (least (a[i], 3), least (b[i], least (c[i], a[i] + 1)));
      d[i] += least (least (least (a[i], b[i]), c[i]), 2) * 16;
      d[i] += least (c[i], least (b[i], a[i])) * 256;
    }
}

static NOINLINE void
reals (const float *x, const float *y, float *z, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    z[i] = above (above (x[i], y[i]), above (mean (x, i), mean (y, i)))
           - above (mean (x + i, 2), above (above (y[i], 1), x[i]));
}

static int a[2][MOST], b[2][MOST], c[2][MOST], d[2][MOST];
static float x[2][MOST + 2], y[2][MOST + 2], z[2][MOST];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (a);
    FILL (b);
    FILL (c);
    FILL (d);
    FILL (x);
    FILL (y);
    FILL (z);
    BOTH (integers, a[W], b[W], c[W], d[W], n);
    CHECK (d);
    BOTH (reals, x[W], y[W], z[W], n);
    CHECK (z);
  }
  return 0;
}
