/* Rows looked up, a histogram, a permutation.  */

#include "../tensor.run/compare.h"

static NOINLINE void
plain_rows (float *restrict out, const float *restrict table,
            const int *restrict token, int n, int m)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[i * m + j] = table[token[i] * m + j] + out[i * m + j];
}

static NOINLINE void
plain_histogram (int *restrict count, const int *restrict token, int n)
{
  for (int i = 0; i < n; i++)
    count[token[i]] += i;
}

static NOINLINE void
rows (float *restrict out, const float *restrict table,
      const int *restrict token, int n, int m)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[i * m + j] = table[token[i] * m + j] + out[i * m + j];
}

static NOINLINE void
histogram (int *restrict count, const int *restrict token, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    count[token[i]] += i;
}

static float x[2][33 * 33], y[2][33 * 10];
static int t[2][33], c[2][10];

int
main (void)
{
  EACH_SMALL (n)
  EACH_SMALL_TOO (m)
  {
    FILL (x);
    FILL (y);
    FILL_BELOW (t, 10);
    FILL (c);
    BOTH (rows, x[W], y[W], t[W], n, m);
    BOTH (histogram, c[W], t[W], n);
    CHECK (x);
    CHECK (c);
  }
  return 0;
}
