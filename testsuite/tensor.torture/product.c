/* A product of matrices, with its sum in a scalar, and an epilogue.  */

#include "../tensor.run/compare.h"

static NOINLINE void
plain_product (const float *restrict a, const float *restrict b,
               float *restrict c, int n, int m, int l)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        float s = 0;
        for (int k = 0; k < l; k++)
          s += a[i * l + k] * b[k * m + j];
        c[i * m + j] = s > 0 ? 2 * s : s;
      }
}

static NOINLINE void
product (const float *restrict a, const float *restrict b, float *restrict c,
         int n, int m, int l)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        float s = 0;
        for (int k = 0; k < l; k++)
          s += a[i * l + k] * b[k * m + j];
        c[i * m + j] = s > 0 ? 2 * s : s;
      }
}

static float a[2][33 * 33], b[2][33 * 33], c[2][33 * 33];

int
main (void)
{
  EACH_SMALL (n)
  EACH_SMALL_TOO (m)
  {
    FILL (a);
    FILL (b);
    FILL (c);
    BOTH (product, a[W], b[W], c[W], n, m, (n + m) / 2);
    CHECK (c);
  }
  return 0;
}
