/* Shows that bits looked at under another type, by memcpy and by unions, mean
   the same.  */

#include "compare.h"

static inline float
from_half (uint16_t half)
{
  uint32_t bits = (uint32_t) half << 16;
  float value;
  memcpy (&value, &bits, sizeof value);
  return value;
}

static inline uint16_t
to_half (float value)
{
  union
  {
    float f;
    uint32_t u;
  } x = { .f = value };
  x.u += 0x7fff + (x.u >> 16 & 1);
  return x.u >> 16;
}

static NOINLINE void
plain_widen (const uint16_t *x, float *y, int n)
{
  for (int i = 0; i < n; i++)
    y[i] = from_half (x[i]);
}

static NOINLINE void
plain_narrow (const float *x, uint16_t *y, int n)
{
  for (int i = 0; i < n; i++)
    y[i] = to_half (x[i]);
}

static NOINLINE void
plain_exponents (const double *x, long *e, double *m, int n)
{
  for (int i = 0; i < n; i++)
    {
      int64_t bits;
      memcpy (&bits, x + i, 8);
      e[i] = bits >> 52;
      bits &= ~1;
      memcpy (&m[i], &bits, 8);
    }
}

static NOINLINE void
widen (const uint16_t *x, float *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    y[i] = from_half (x[i]);
}

static NOINLINE void
narrow (const float *x, uint16_t *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    y[i] = to_half (x[i]);
}

static NOINLINE void
exponents (const double *x, long *e, double *m, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      int64_t bits;
      memcpy (&bits, x + i, 8);
      e[i] = bits >> 52;
      bits &= ~1;
      memcpy (&m[i], &bits, 8);
    }
}

static float f[2][128], g[2][128];
static double d[2][128], m[2][128];
static uint16_t h[2][128];
static long e[2][128];

int
main (void)
{
  FILL_REAL (g);
  FILL_REAL (d);
  EACH_SIZE (n)
  {
    FILL (f);
    FILL_BELOW (h, 0x7f00);
    FILL (e);
    FILL (m);
    BOTH (narrow, g[W], h[W], n);
    CHECK (h);
    BOTH (widen, h[W], f[W], n);
    CHECK (f);
    BOTH (exponents, d[W], e[W], m[W], n);
    CHECK (e);
    CHECK (m);
  }
  return 0;
}
