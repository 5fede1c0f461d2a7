/* Element-wise loops with temporaries, of which one is needed later.  */

#include "../tensor.run/compare.h"

static NOINLINE void
plain_chain (const float *restrict x, float *restrict y, float *restrict kept,
             int n)
{
  float a[MOST], b[MOST];
  {
    for (int i = 0; i < n; i++)
      a[i] = x[i] + 1;
    for (int i = 0; i < n; i++)
      b[i] = a[i] * a[i];
    for (int i = 0; i < n; i++)
      kept[i] = b[i] - a[i];
    for (int i = 0; i < n; i++)
      y[i] = kept[n - 1 - i] + b[i];
  }
}

static NOINLINE void
chain (const float *restrict x, float *restrict y, float *restrict kept, int n)
{
  float a[MOST], b[MOST];
#pragma tensor temp(a, b)
  {
    for (int i = 0; i < n; i++)
      a[i] = x[i] + 1;
    for (int i = 0; i < n; i++)
      b[i] = a[i] * a[i];
    for (int i = 0; i < n; i++)
      kept[i] = b[i] - a[i];
    for (int i = 0; i < n; i++)
      y[i] = kept[n - 1 - i] + b[i];
  }
}

static float x[2][128], y[2][128], k[2][128];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (x);
    FILL (y);
    FILL (k);
    BOTH (chain, x[W], y[W], k[W], n);
    CHECK (y);
    CHECK (k);
  }
  return 0;
}
