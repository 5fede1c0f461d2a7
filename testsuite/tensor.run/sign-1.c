/* Shows that signs and infinities are told as by the plain loops: signbit and
   isinf of zeros, infinities and NaNs of both signs.  */
/* { dg-additional-options "-fno-fast-math" } */

#include "compare.h"

static float x[2][MOST];
static double d[2][MOST];
static int k[2][MOST];

static const float odd[] = { 0.0f, -0.0f, 1, -1, INFINITY, -INFINITY, NAN };

static NOINLINE void
plain_signs (const float *x, const double *d, int *k, int n)
{
  for (int i = 0; i < n; i++)
    {
      k[i] = isinf (x[i]) + 4 * (signbit (d[i]) != 0);
      if (!signbit (x[i]))
        k[i] += 8;
      k[i] += signbit (x[i]) ? 16 : 32;
    }
}

static NOINLINE void
plain_limit (double *d, int n)
{
  for (int i = 0; i < n; i++)
    if (isinf (d[i]) || isnan (d[i]))
      d[i] = 3;
}

static NOINLINE void
signs (const float *x, const double *d, int *k, int n)
{
#pragma tensor require(transform)
  for (int i = 0; i < n; i++)
    {
      k[i] = isinf (x[i]) + 4 * (signbit (d[i]) != 0);
      if (!signbit (x[i]))
        k[i] += 8;
      k[i] += signbit (x[i]) ? 16 : 32;
    }
}

static NOINLINE void
limit (double *d, int n)
{
#pragma tensor require(transform)
  for (int i = 0; i < n; i++)
    if (isinf (d[i]) || isnan (d[i]))
      d[i] = 3;
}

int
main (void)
{
  for (size_t s = 0; s < LENGTH (sizes); s++)
    {
      int n = current[0] = sizes[s];
      FILL_WITH (x, odd[next () % LENGTH (odd)]);
      FILL_WITH (d, odd[next () % LENGTH (odd)]);
      FILL (k);
      BOTH (signs, x[W], d[W], k[W], n);
      BOTH (limit, d[W], n);
      CHECK (k);
      for (int i = n; i < MOST; i++)
        d[0][i] = d[1][i] = 0;
      CHECK (d);
    }
  return 0;
}
