/* Shows that what takes long and is done for few lanes, or for none, means the
   same where it is left out for vectors without them: sums, stores, in nested
   conditions; what all lanes would read alike is read only where one does.  */

#include <limits.h>

#include "compare.h"

#define PULL(n, h, x, y, f)                                                    \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      double sum = 0;                                                          \
      for (int j = 0; j < n; j++)                                              \
        {                                                                      \
          if (i == j)                                                          \
            continue;                                                          \
          double dx = x[j] - x[i], dy = y[j] - y[i], r = dx * dx + dy * dy;    \
          if (r < h && r > 1e-6)                                               \
            {                                                                  \
              double k = sqrt (r) * (h - r) / (y[j] + 9.5);                    \
              sum += k * dx / (x[j] + 8.25) + exp (-r) / (r + 1);              \
            }                                                                  \
        }                                                                      \
      f[i] = sum;                                                              \
    }

#define LIFT(n, k, x, y)                                                       \
  for (int i = 0; i < n; i++)                                                  \
    if (x[i] > 6)                                                              \
      {                                                                        \
        y[i] = exp (x[i] / 8) / (x[k] + 9) + sin (y[i]);                       \
        if (x[i + 1] > 5)                                                      \
          y[i] += cos (x[k]) / (x[k] * x[k] + 2) * exp (y[i] / 100);           \
      }

static NOINLINE void
plain_pull (int n, double h, const double *restrict x, const double *restrict y,
            double *restrict f)
{
  PULL (n, h, x, y, f)
}

static NOINLINE void
pull (int n, double h, const double *restrict x, const double *restrict y,
      double *restrict f)
{
#pragma tensor
  PULL (n, h, x, y, f)
}

static NOINLINE void
plain_lift (int n, int k, const double *restrict x, double *restrict y)
{
  LIFT (n, k, x, y)
}

static NOINLINE void
lift (int n, int k, const double *restrict x, double *restrict y)
{
#pragma tensor
  LIFT (n, k, x, y)
}

static double x[2][MOST + 1], y[2][MOST + 1], f[2][MOST + 1];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (x);
    FILL (y);
    FILL (f);
    for (int h = 0; h <= 500; h = 4 * h + 1)
      {
        BOTH (pull, n, h, x[W], y[W], f[W]);
        CHECK_NEAR (f, 1e-10);
      }
    BOTH (lift, n, 0, x[W], y[W]);
    CHECK_NEAR (y, 1e-10);
    FILL_WITH (x, -1.0 * (next () % 5));
    BOTH (lift, n, INT_MAX, x[W], y[W]);
    CHECK_NEAR (y, 1e-10);
  }
  return 0;
}
