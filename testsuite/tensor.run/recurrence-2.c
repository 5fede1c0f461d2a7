/* Shows that recurrences which look ahead give the same: running sums, products
   and extremes, which are read before and behind, filters and eliminations in
   memory, backwards, by a constant, a number or elements, also where some other
   element is of an iteration before; a maximum ignores what is no number.  */

#include "compare.h"

static NOINLINE double
plain_sums (int n, float *restrict a, const float *restrict b)
{
  float s = 0;
  for (int i = 0; i < n; i++)
    {
      s += b[i] * 2;
      a[i] = s;
    }
  return s;
}

static NOINLINE double
plain_before (int n, float *restrict a, const float *restrict b)
{
  float s = 3;
  for (int i = 0; i < n; i++)
    {
      a[i] = s - b[i];
      s = b[i] - s;
      a[i] += s;
    }
  return s;
}

static NOINLINE double
plain_highest (int n, float *restrict a, const float *restrict b)
{
  float p = -9;
  for (int i = n - 1; i >= 0; i--)
    {
      p = b[i] > p ? b[i] : p;
      a[i] = p;
    }
  return p;
}

static NOINLINE double
plain_signs (int n, float *restrict a, const float *restrict b)
{
  float p = 1;
  for (int i = 0; i < n; i++)
    {
      p *= b[i] < 0 ? -1 : 1;
      a[i] = p + b[i];
    }
  return p;
}

static NOINLINE double
plain_filter (int n, float *restrict a, const float *restrict b)
{
  float t = 0;
  for (int i = 0; i < n; i++)
    {
      t = 0.75f * t + 0.25f * b[i];
      a[i] = t;
    }
  return t;
}

static NOINLINE void
plain_in_memory (int n, float *restrict a, const float *restrict b)
{
  for (int i = 1; i < n; i++)
    a[i] = (a[i - 1] - b[i]) * -0.5f;
}

static NOINLINE void
plain_backwards (int n, float *restrict a, const float *restrict b)
{
  for (int i = n - 2; i >= 0; i--)
    a[i] = a[i + 1] * 0.5f + b[i];
}

static NOINLINE void
plain_elimination (int n, float *restrict a, const float *restrict b)
{
  for (int i = 1; i < n; i++)
    a[i] = b[i] - b[n - i] / 16 * a[i - 1];
}

static NOINLINE double
plain_horner (int n, float x, const float *restrict b)
{
  double p = 1;
  for (int i = 0; i < n; i++)
    p = p * x + b[i];
  return p;
}

static NOINLINE void
plain_second (int n, float *restrict a, const float *restrict b)
{
  for (int i = 2; i < n; i++)
    a[i] = a[i - 1] * 0.25f + a[i - 2] * 0.5f + b[i];
}

static NOINLINE void
plain_own (int n, float *restrict a, const float *restrict b)
{
  for (int i = 1; i < n; i++)
    {
      a[i + n] += b[i];
      a[i] = a[i - 1] * 0.5f + a[i + n];
    }
}

static NOINLINE double
sums (int n, float *restrict a, const float *restrict b)
{
  float s = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      s += b[i] * 2;
      a[i] = s;
    }
  return s;
}

static NOINLINE double
before (int n, float *restrict a, const float *restrict b)
{
  float s = 3;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      a[i] = s - b[i];
      s = b[i] - s;
      a[i] += s;
    }
  return s;
}

static NOINLINE double
highest (int n, float *restrict a, const float *restrict b)
{
  float p = -9;
#pragma tensor
  for (int i = n - 1; i >= 0; i--)
    {
      p = b[i] > p ? b[i] : p;
      a[i] = p;
    }
  return p;
}

static NOINLINE double
signs (int n, float *restrict a, const float *restrict b)
{
  float p = 1;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      p *= b[i] < 0 ? -1 : 1;
      a[i] = p + b[i];
    }
  return p;
}

static NOINLINE double
filter (int n, float *restrict a, const float *restrict b)
{
  float t = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      t = 0.75f * t + 0.25f * b[i];
      a[i] = t;
    }
  return t;
}

static NOINLINE void
in_memory (int n, float *restrict a, const float *restrict b)
{
#pragma tensor
  for (int i = 1; i < n; i++)
    a[i] = (a[i - 1] - b[i]) * -0.5f;
}

static NOINLINE void
backwards (int n, float *restrict a, const float *restrict b)
{
#pragma tensor
  for (int i = n - 2; i >= 0; i--)
    a[i] = a[i + 1] * 0.5f + b[i];
}

static NOINLINE void
elimination (int n, float *restrict a, const float *restrict b)
{
#pragma tensor
  for (int i = 1; i < n; i++)
    a[i] = b[i] - b[n - i] / 16 * a[i - 1];
}

static NOINLINE double
horner (int n, float x, const float *restrict b)
{
  double p = 1;
#pragma tensor
  for (int i = 0; i < n; i++)
    p = p * x + b[i];
  return p;
}

static NOINLINE void
second (int n, float *restrict a, const float *restrict b)
{
#pragma tensor
  for (int i = 2; i < n; i++)
    a[i] = a[i - 1] * 0.25f + a[i - 2] * 0.5f + b[i];
}

static NOINLINE void
own (int n, float *restrict a, const float *restrict b)
{
#pragma tensor
  for (int i = 1; i < n; i++)
    {
      a[i + n] += b[i];
      a[i] = a[i - 1] * 0.5f + a[i + n];
    }
}

static float a[2][AREA], b[2][AREA], c[2][AREA], d[2][AREA];
static double result[2][1];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (a);
    FILL (b);
    FILL_REAL (c);
    FILL_REAL (d);
    BOTH_EQUAL (sums, n, a[W], b[W]);
    CHECK (a);
    BOTH_EQUAL (before, n, a[W], b[W]);
    CHECK (a);
    BOTH_EQUAL (highest, n, a[W], b[W]);
    CHECK (a);
    FILL_REAL (c);
    for (int i = 0; i < n; i++)
      if (c[0][i] > 0.5f)
        c[0][i] = c[1][i] = NAN;
    BOTH_EQUAL (highest, n, a[W], c[W]);
    CHECK (a);
    FILL_REAL (c);
    BOTH_EQUAL (signs, n, a[W], b[W]);
    CHECK (a);
    result[0][0] = plain_filter (n, c[0], d[0]);
    result[1][0] = filter (n, c[1], d[1]);
    CHECK_NEAR (result, 1e-5);
    CHECK_NEAR (c, 1e-5);
    BOTH (in_memory, n, c[W], d[W]);
    CHECK_NEAR (c, 1e-5);
    BOTH (backwards, n, c[W], d[W]);
    CHECK_NEAR (c, 1e-5);
    BOTH (elimination, n, c[W], d[W]);
    CHECK_NEAR (c, 1e-5);
    result[0][0] = plain_horner (n, 0.75f, d[0]);
    result[1][0] = horner (n, 0.75f, d[1]);
    CHECK_NEAR (result, 1e-6);
    BOTH (second, n, c[W], d[W]);
    CHECK_NEAR (c, 1e-5);
    BOTH (own, n, c[W], d[W]);
    CHECK_NEAR (c, 1e-5);
  }
  return 0;
}
