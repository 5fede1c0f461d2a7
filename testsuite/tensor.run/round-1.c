/* Rounding functions give the same with lanes: half ways, what lies right
   below a half, minus zero, and integers at once.  */

#include "compare.h"

static NOINLINE void
plain_floats (const float *x, float *y, int n)
{
  for (int i = 0; i < n; i++)
    y[i] = floorf (x[i]) + 2 * ceilf (x[i]) + 4 * truncf (x[i])
           + 8 * roundf (x[i]) + 16 * rintf (x[i]) + 32 * nearbyintf (x[i]);
}

static NOINLINE void
plain_doubles (const double *x, double *y, int n)
{
  for (int i = 0; i < n; i++)
    y[i] = floor (x[i]) + 2 * ceil (x[i]) + 4 * trunc (x[i]) + 8 * round (x[i])
           + 16 * rint (x[i]);
}

static NOINLINE void
plain_zeros (const float *x, float *y, int n)
{
  for (int i = 0; i < n; i++)
    y[i] = copysignf (1, roundf (x[i]));
}

static NOINLINE void
plain_integers (const float *x, int *p, long *l, int n)
{
  for (int i = 0; i < n; i++)
    {
      p[i] = (int) roundf (x[i]);
      l[i] = lrintf (x[i]) + 1000 * lroundf (x[i]);
    }
}

static NOINLINE void
plain_samples (const double *x, int16_t *s, int n)
{
  for (int i = 0; i < n; i++)
    {
      double v = x[i] * 9000;
      s[i] = v > 32767 ? 32767 : v < -32768 ? -32768 : (int16_t) lrint (v);
    }
}

static NOINLINE long
plain_total (const double *x, int n)
{
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += llround (x[i]) - llrint (x[i]);
  return sum;
}

static NOINLINE void
floats (const float *restrict x, float *restrict y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    y[i] = floorf (x[i]) + 2 * ceilf (x[i]) + 4 * truncf (x[i])
           + 8 * roundf (x[i]) + 16 * rintf (x[i]) + 32 * nearbyintf (x[i]);
}

static NOINLINE void
doubles (const double *restrict x, double *restrict y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    y[i] = floor (x[i]) + 2 * ceil (x[i]) + 4 * trunc (x[i]) + 8 * round (x[i])
           + 16 * rint (x[i]);
}

static NOINLINE void
zeros (const float *restrict x, float *restrict y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    y[i] = copysignf (1, roundf (x[i]));
}

static NOINLINE void
integers (const float *restrict x, int *restrict p, long *restrict l, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      p[i] = (int) roundf (x[i]);
      l[i] = lrintf (x[i]) + 1000 * lroundf (x[i]);
    }
}

static NOINLINE void
samples (const double *restrict x, int16_t *restrict s, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      double v = x[i] * 9000;
      s[i] = v > 32767 ? 32767 : v < -32768 ? -32768 : (int16_t) lrint (v);
    }
}

static NOINLINE long
total (const double *restrict x, int n)
{
  long sum = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    sum += llround (x[i]) - llrint (x[i]);
  return sum;
}

static float x[2][MOST], y[2][MOST];
static double d[2][MOST], e[2][MOST];
static int p[2][MOST];
static long l[2][MOST];
static int16_t s[2][MOST];

static const double special[] = { 0.49999999999999994,
                                  -0.49999999999999994,
                                  0.49999997f,
                                  -0.49999997f,
                                  0.5,
                                  -0.5,
                                  1.5,
                                  -1.5,
                                  2.5,
                                  -2.5,
                                  -0.0,
                                  0.0,
                                  -0.25,
                                  8388609,
                                  -8388609,
                                  4194304.5,
                                  4194303.5,
                                  0.9999999 };

int
main (void)
{
  FILL_WITH (d, k_ < LENGTH (special) ? special[k_]
                                      : (int) (next () % 4001) / 8.0 - 250);
  FILL_WITH (x, (float) d[0][k_]);
  EACH_SIZE (n)
  {
    BOTH (floats, x[W], y[W], (int) n);
    CHECK (y);
    BOTH (doubles, d[W], e[W], (int) n);
    CHECK (e);
    BOTH (zeros, x[W], y[W], (int) n);
    CHECK (y);
    BOTH (integers, x[W], p[W], l[W], (int) n);
    CHECK (p);
    CHECK (l);
    BOTH (samples, d[W], s[W], (int) n);
    CHECK (s);
    BOTH_EQUAL (total, d[W], (int) n);
  }
  return 0;
}
