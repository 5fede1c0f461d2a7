/* Shows that loops which write an element that all iterations read mean the
   same, wherever that element lies.  */

#include "compare.h"

static NOINLINE void
plain_subtract (float *a, const float *b, int n, int k)
{
  for (int i = 0; i < n; i++)
    a[i + 1] = b[i] - a[k];
}

static NOINLINE void
subtract (float *a, const float *b, int n, int k)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    a[i + 1] = b[i] - a[k];
}

static NOINLINE void
plain_eliminate (double *c, int n, int k)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        double t = c[i * n + k] + j;
        if (t > 0)
          c[i * n + j] -= t;
      }
}

static NOINLINE void
eliminate (double *c, int n, int k)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        double t = c[i * n + k] + j;
        if (t > 0)
          c[i * n + j] -= t;
      }
}

static float a[2][MOST + 2], b[2][MOST];
static double c[2][AREA];

int
main (void)
{
  EACH_SIZE (n)
  for (int k = 0; k < n + 2; k++)
    {
      FILL (a);
      FILL (b);
      BOTH (subtract, a[W], b[W], n, k);
      CHECK (a);
      if (k >= n || (k > 2 && k < n - 2 && k % 7))
        continue;
      FILL (c);
      BOTH (eliminate, c[W], n, k);
      CHECK (c);
    }
  return 0;
}
