/* Shows that loops whose borders are cut out of the interior mean the same:
   clamped and periodic neighbours, borders of several iterations on both
   sides, loops shorter than those, reads that a condition guards, sums.  */

#include "compare.h"

static NOINLINE void
plain_clamp (int n, int m, const float *restrict x, float *restrict y)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        int l = j > 0 ? j - 1 : 0, r = j < m - 1 ? j + 1 : m - 1;
        int t = i > 0 ? i - 1 : 0, b = i + 1 >= n ? n - 1 : i + 1;
        y[i * m + j] = x[i * m + l] + 2 * x[i * m + r] + 3 * x[t * m + j]
                       + 4 * x[b * m + j];
      }
}

static NOINLINE void
plain_wide (int n, const int *restrict x, int *restrict y)
{
  for (int i = 0; i < n; i++)
    {
      int s = 0;
      for (int k = -3; k <= 3; k++)
        {
          int at = i + k < 0 ? 0 : i + k > n - 1 ? n - 1 : i + k;
          s += (k + 4) * x[at];
        }
      y[i] = s;
    }
}

static NOINLINE void
plain_periodic (int n, int m, const float *restrict x, float *restrict y)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        int l = j == 0 ? m - 1 : j - 1, r = j != m - 1 ? j + 1 : 0;
        y[i * m + j] = x[i * m + l] - 2 * x[i * m + r];
      }
}

static NOINLINE void
plain_guarded (int n, const float *restrict x, float *restrict y)
{
  for (int i = 2; i < n; i++)
    y[i] = (i >= 4 ? x[i - 4] : 1) + (i <= n - 3 ? x[i + 2] : 2)
           + (i == 7 ? 5 : 0) + (i < 40 ? 3 : 4);
}

static NOINLINE void
plain_ends (int n, const float *restrict x, float *restrict y)
{
  for (int i = 0; i < n; i++)
    y[i] = i > 0 && i < n - 1 ? x[i - 1] + x[i + 1] : i == 5 ? 9 : x[i];
}

static NOINLINE int
plain_sum (int n, const int *restrict x)
{
  int s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * (i > 0 ? x[i - 1] : 7) - (i == n - 1 ? 9 : x[i + 1]);
  return s;
}

static NOINLINE void
clamp (int n, int m, const float *restrict x, float *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        int l = j > 0 ? j - 1 : 0, r = j < m - 1 ? j + 1 : m - 1;
        int t = i > 0 ? i - 1 : 0, b = i + 1 >= n ? n - 1 : i + 1;
        y[i * m + j] = x[i * m + l] + 2 * x[i * m + r] + 3 * x[t * m + j]
                       + 4 * x[b * m + j];
      }
}

static NOINLINE void
wide (int n, const int *restrict x, int *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      int s = 0;
      for (int k = -3; k <= 3; k++)
        {
          int at = i + k < 0 ? 0 : i + k > n - 1 ? n - 1 : i + k;
          s += (k + 4) * x[at];
        }
      y[i] = s;
    }
}

static NOINLINE void
periodic (int n, int m, const float *restrict x, float *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        int l = j == 0 ? m - 1 : j - 1, r = j != m - 1 ? j + 1 : 0;
        y[i * m + j] = x[i * m + l] - 2 * x[i * m + r];
      }
}

static NOINLINE void
guarded (int n, const float *restrict x, float *restrict y)
{
#pragma tensor
  for (int i = 2; i < n; i++)
    y[i] = (i >= 4 ? x[i - 4] : 1) + (i <= n - 3 ? x[i + 2] : 2)
           + (i == 7 ? 5 : 0) + (i < 40 ? 3 : 4);
}

static NOINLINE void
ends (int n, const float *restrict x, float *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    y[i] = i > 0 && i < n - 1 ? x[i - 1] + x[i + 1] : i == 5 ? 9 : x[i];
}

static NOINLINE int
sum (int n, const int *restrict x)
{
  int s = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    s += x[i] * (i > 0 ? x[i - 1] : 7) - (i == n - 1 ? 9 : x[i + 1]);
  return s;
}

static const int long_sizes[]
  = { 1, 2, 7, 4080, 4095, 4096, 4097, 4098, 4112, 4113, 8192, 8193, 12289 };

static float x[2][AREA], y[2][AREA];
static int p[2][AREA], q[2][AREA];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (x);
    FILL (y);
    FILL (p);
    FILL (q);
    BOTH (wide, n, p[W], q[W]);
    CHECK (q);
    BOTH (guarded, n, x[W], y[W]);
    CHECK (y);
    BOTH_EQUAL (sum, n, p[W]);
    EACH_WIDTH (m)
    {
      BOTH (clamp, n, m, x[W], y[W]);
      CHECK (y);
      BOTH (periodic, n, m, x[W], y[W]);
      CHECK (y);
    }
  }
  for (int n = 0; n < 24; n++)
    {
      BOTH (wide, n, p[W], q[W]);
      CHECK (q);
      BOTH (guarded, n, x[W], y[W]);
      CHECK (y);
    }
  for (size_t k = 0; k < LENGTH (long_sizes); k++)
    {
      int n = long_sizes[k];
      BOTH (wide, n, p[W], q[W]);
      CHECK (q);
      BOTH (guarded, n, x[W], y[W]);
      CHECK (y);
      BOTH (ends, n, x[W], y[W]);
      CHECK (y);
    }
  return 0;
}
