/* Shows that comparisons, minima and selections treat NaN, infinity and
   signed zero as the plain loops do.  */
/* { dg-additional-options "-ffp-contract=off -fno-fast-math" } */

#include "compare.h"

static NOINLINE float
plain_maximum (const float *x, int n)
{
  float m = -INFINITY;
  for (int i = 0; i < n; i++)
    if (x[i] > m)
      m = x[i];
  return m;
}

static NOINLINE void
plain_choose (const float *a, const float *b, float *o, int n)
{
  for (int i = 0; i < n; i++)
    {
      float t = a[i] < b[i] ? a[i] : b[i];
      float u = !(a[i] >= b[i]) ? a[i] : b[i];
      o[i] = (t == u) * 2 + (a[i] != a[i]) + (isnan (b[i]) ? 4 : 0)
             + fminf (fmaxf (a[i], 0), 1);
    }
}

static NOINLINE void
plain_skip_bad (const float *a, float *o, int n)
{
  for (int i = 0; i < n; i++)
    if (a[i] == a[i] && a[i] < 100)
      o[i] += a[i];
}

static NOINLINE float
maximum (const float *x, int n)
{
  float m = -INFINITY;
#pragma tensor
  for (int i = 0; i < n; i++)
    if (x[i] > m)
      m = x[i];
  return m;
}

static NOINLINE void
choose (const float *a, const float *b, float *o, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float t = a[i] < b[i] ? a[i] : b[i];
      float u = !(a[i] >= b[i]) ? a[i] : b[i];
      o[i] = (t == u) * 2 + (a[i] != a[i]) + (isnan (b[i]) ? 4 : 0)
             + fminf (fmaxf (a[i], 0), 1);
    }
}

static NOINLINE void
skip_bad (const float *a, float *o, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    if (a[i] == a[i] && a[i] < 100)
      o[i] += a[i];
}

static NOINLINE void
plain_clamp (const float *a, float *o, int n)
{
  for (int i = 0; i < n; i++)
    {
      float t = a[i] < 0.0f ? 0.0f : a[i];
      float u = a[i] > 0.0f ? 0.0f : a[i];
      t = t > 5.0f ? 5.0f : t;
      o[i] = isnan (t) ? 7 : copysignf (t + 1, t) * (isnan (u) ? 2 : 3);
    }
}

static NOINLINE void
clamp (const float *a, float *o, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float t = a[i] < 0.0f ? 0.0f : a[i];
      float u = a[i] > 0.0f ? 0.0f : a[i];
      t = t > 5.0f ? 5.0f : t;
      o[i] = isnan (t) ? 7 : copysignf (t + 1, t) * (isnan (u) ? 2 : 3);
    }
}

static float a[2][128], b[2][128], c[2][128];

int
main (void)
{
  EACH_SIZE (n)
  for (int times = 0; times < 5; times++)
    {
      FILL (a);
      FILL (b);
      FILL (c);
      for (int k = 0; k < 20; k++)
        {
          int at = next () % 128, too = next () % 128;
          a[0][at] = a[1][at] = k % 3 ? NAN : -INFINITY;
          b[0][too] = b[1][too] = k % 2 ? NAN : -0.0f;
        }
      BOTH_EQUAL (maximum, a[W], n);
      BOTH (choose, a[W], b[W], c[W], n);
      CHECK (c);
      BOTH (clamp, a[W], c[W], n);
      CHECK (c);
      BOTH (clamp, b[W], c[W], n);
      CHECK (c);
      BOTH (skip_bad, a[W], c[W], n);
      CHECK (c);
    }
  return 0;
}
