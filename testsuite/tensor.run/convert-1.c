/* Shows that conversions among integers and floating types, shifts, bits
   and divisions by constants mean the same.  */

#include "compare.h"

static NOINLINE void
plain_quantize (const float *x, int8_t *q, uint8_t *u, int16_t *s, int n,
                float scale)
{
  for (int i = 0; i < n; i++)
    {
      int v = (int) (x[i] * scale);
      v = v > 127 ? 127 : v;
      v = v < -128 ? -128 : v;
      q[i] = (int8_t) v;
      u[i] = (uint8_t) (v + 128);
      s[i] = (int16_t) (v * 300);
    }
}

static NOINLINE void
plain_widen (const int8_t *a, const uint8_t *b, const int16_t *c,
             const uint16_t *d, int64_t *l, double *x, float *f, int n)
{
  for (int i = 0; i < n; i++)
    {
      l[i] = (int64_t) a[i] * b[i] - c[i] + d[i];
      x[i] = l[i] * 0.5;
      f[i] = (float) a[i] * b[i] + (float) c[i];
    }
}

static NOINLINE void
plain_narrow (const int64_t *l, int *x, unsigned *y, int8_t *z, uint16_t *s,
              int n)
{
  for (int i = 0; i < n; i++)
    {
      x[i] = (int) l[i];
      y[i] = (unsigned) l[i] * 3;
      z[i] = l[i] >> 5;
      s[i] = l[i] * l[i];
    }
}

static NOINLINE void
plain_bits (const unsigned *a, const int *b, unsigned *c, int *d, int n)
{
  for (int i = 0; i < n; i++)
    {
      unsigned x = a[i];
      x ^= x << 13;
      x ^= x >> 17;
      x ^= x << 5;
      c[i] = (x & 0xffff) | (~x << 20);
      d[i] = (int) ((unsigned) b[i] << 2) - (b[i] >> 3) + (int) (x % 10)
             + b[i] / 7 - b[i] % 5;
      d[i] += (b[i] >> (i & 7)) + (int) (x >> (b[i] & 15));
    }
}

static NOINLINE void
plain_divided (const int *x, int *y, int n)
{
  for (int i = 0; i < n; i++)
    y[i] = x[i / 3] + x[i % 8] - x[(i + 5) / 4] + x[(3 * i) / 7];
}

static NOINLINE void
plain_saturate (const int16_t *a, const int16_t *b, int16_t *c, int n)
{
  for (int i = 0; i < n; i++)
    {
      int t = a[i] + b[i];
      if (t > 32767)
        t = 32767;
      if (t < -32768)
        t = -32768;
      c[i] = t;
    }
}

static NOINLINE void
plain_floats (const float *x, double *d, unsigned char *b, long *l, int n)
{
  for (int i = 0; i < n; i++)
    {
      d[i] = 0.1 * x[i] + x[i] / 3;
      b[i] = x[i] > 0;
      l[i] = (long) (d[i] * 100);
    }
}

static NOINLINE int
plain_small_sum (const uint8_t *a, int n)
{
  uint8_t s = 0;
  int16_t t = 0;
  for (int i = 0; i < n; i++)
    {
      s += a[i];
      t = (int16_t) (t - a[i] * 100);
    }
  return s * 100000 + t;
}

static NOINLINE void
quantize (const float *x, int8_t *q, uint8_t *u, int16_t *s, int n, float scale)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      int v = (int) (x[i] * scale);
      v = v > 127 ? 127 : v;
      v = v < -128 ? -128 : v;
      q[i] = (int8_t) v;
      u[i] = (uint8_t) (v + 128);
      s[i] = (int16_t) (v * 300);
    }
}

static NOINLINE void
widen (const int8_t *a, const uint8_t *b, const int16_t *c, const uint16_t *d,
       int64_t *l, double *x, float *f, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      l[i] = (int64_t) a[i] * b[i] - c[i] + d[i];
      x[i] = l[i] * 0.5;
      f[i] = (float) a[i] * b[i] + (float) c[i];
    }
}

static NOINLINE void
narrow (const int64_t *l, int *x, unsigned *y, int8_t *z, uint16_t *s, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      x[i] = (int) l[i];
      y[i] = (unsigned) l[i] * 3;
      z[i] = l[i] >> 5;
      s[i] = l[i] * l[i];
    }
}

static NOINLINE void
bits (const unsigned *a, const int *b, unsigned *c, int *d, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      unsigned x = a[i];
      x ^= x << 13;
      x ^= x >> 17;
      x ^= x << 5;
      c[i] = (x & 0xffff) | (~x << 20);
      d[i] = (int) ((unsigned) b[i] << 2) - (b[i] >> 3) + (int) (x % 10)
             + b[i] / 7 - b[i] % 5;
      d[i] += (b[i] >> (i & 7)) + (int) (x >> (b[i] & 15));
    }
}

static NOINLINE void
divided (const int *x, int *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    y[i] = x[i / 3] + x[i % 8] - x[(i + 5) / 4] + x[(3 * i) / 7];
}

static NOINLINE void
saturate (const int16_t *a, const int16_t *b, int16_t *c, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      int t = a[i] + b[i];
      if (t > 32767)
        t = 32767;
      if (t < -32768)
        t = -32768;
      c[i] = t;
    }
}

static NOINLINE void
floats (const float *x, double *d, unsigned char *b, long *l, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      d[i] = 0.1 * x[i] + x[i] / 3;
      b[i] = x[i] > 0;
      l[i] = (long) (d[i] * 100);
    }
}

static NOINLINE int
small_sum (const uint8_t *a, int n)
{
  uint8_t s = 0;
  int16_t t = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      s += a[i];
      t = (int16_t) (t - a[i] * 100);
    }
  return s * 100000 + t;
}

static float f[2][128], g[2][128];
static double x[2][128];
static int8_t a[2][128];
static uint8_t b[2][128];
static int16_t c[2][128], e[2][128], h[2][128];
static uint16_t d[2][128];
static int64_t l[2][128];
static int p[2][128], q[2][128];
static unsigned u[2][128], v[2][128];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (f);
    FILL_BELOW (a, 256);
    FILL_BELOW (b, 256);
    FILL_BELOW (c, 65536);
    FILL_BELOW (d, 65536);
    FILL_BELOW (e, 65536);
    FILL_WITH (l, (int64_t) next () << next () % 40);
    FILL_WITH (u, next () * 65537);
    FILL_WITH (p, (int) next () - 32768);
    BOTH (quantize, f[W], a[W], b[W], c[W], n, 40);
    CHECK (a);
    CHECK (b);
    CHECK (c);
    FILL_BELOW (c, 65536);
    BOTH (saturate, c[W], e[W], h[W], n);
    CHECK (h);
    BOTH_EQUAL (small_sum, b[W], n);
    BOTH (bits, u[W], p[W], v[W], q[W], n);
    CHECK (v);
    CHECK (q);
    BOTH (divided, p[W], q[W], n);
    CHECK (q);
    BOTH (narrow, l[W], p[W], u[W], a[W], d[W], n);
    CHECK (p);
    CHECK (u);
    CHECK (a);
    CHECK (d);
    BOTH (widen, a[W], b[W], c[W], d[W], l[W], x[W], g[W], n);
    CHECK (l);
    CHECK (x);
    CHECK (g);
    BOTH (floats, f[W], x[W], b[W], l[W], n);
    CHECK_NEAR (x, 1e-15);
    CHECK (b);
  }
  return 0;
}
