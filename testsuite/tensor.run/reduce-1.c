/* Shows that sums and products in every spelling mean the same.  */

#include "compare.h"

static NOINLINE float
plain_sum_forms (const float *x, int n, float start)
{
  float a = start, b = 0, c = 1, d = 0;
  for (int i = 0; i < n; i++)
    {
      a += x[i];
      b = b + 2 * x[i];
      c = x[i] + c;
      d -= x[i];
    }
  return a + 3 * b + 5 * c + 7 * d;
}

static NOINLINE unsigned
plain_product (const unsigned *x, int n)
{
  unsigned p = 1;
  for (int i = 0; i < n; i++)
    p *= x[i];
  return p;
}

static NOINLINE double
plain_bits (const int *x, int n)
{
  int a = -1, o = 0, e = 0, m = 0;
  for (int i = 0; i < n; i++)
    {
      a &= x[i];
      o |= x[i];
      e = e ^ x[i];
      m -= x[i] % 100 * 3;
    }
  return a + 3.0 * o + 5.0 * e + 7.0 * m;
}

static NOINLINE double
plain_dot (const float *x, const float *y, long n)
{
  double s = 0;
  for (long i = 0; i < n; i++)
    s += (double) x[i] * y[i];
  return s;
}

static NOINLINE long
plain_count (const signed char *x, size_t n)
{
  long k = 0;
  for (size_t i = 0; i < n; i++)
    if (x[i] > 0)
      k++;
  return k;
}

static NOINLINE int
plain_sum_bytes (const signed char *x, const unsigned char *y, int n)
{
  int s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * y[i];
  return s;
}

static NOINLINE double
plain_two_levels (const double *x, int n, int m)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s += x[i * m + j];
  return s;
}

static NOINLINE void
plain_into_memory (const float *x, float *s, int n)
{
  {
    s[0] = 0;
    for (int i = 0; i < n; i++)
      s[0] += x[i];
    s[1] = s[0] / 2;
  }
}

static NOINLINE float
sum_forms (const float *x, int n, float start)
{
  float a = start, b = 0, c = 1, d = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      a += x[i];
      b = b + 2 * x[i];
      c = x[i] + c;
      d -= x[i];
    }
  return a + 3 * b + 5 * c + 7 * d;
}

static NOINLINE unsigned
product (const unsigned *x, int n)
{
  unsigned p = 1;
#pragma tensor
  for (int i = 0; i < n; i++)
    p *= x[i];
  return p;
}

static NOINLINE double
bits (const int *x, int n)
{
  int a = -1, o = 0, e = 0, m = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      a &= x[i];
      o |= x[i];
      e = e ^ x[i];
      m -= x[i] % 100 * 3;
    }
  return a + 3.0 * o + 5.0 * e + 7.0 * m;
}

static NOINLINE double
dot (const float *x, const float *y, long n)
{
  double s = 0;
#pragma tensor
  for (long i = 0; i < n; i++)
    s += (double) x[i] * y[i];
  return s;
}

static NOINLINE long
count (const signed char *x, size_t n)
{
  long k = 0;
#pragma tensor
  for (size_t i = 0; i < n; i++)
    if (x[i] > 0)
      k++;
  return k;
}

static NOINLINE int
sum_bytes (const signed char *x, const unsigned char *y, int n)
{
  int s = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    s += x[i] * y[i];
  return s;
}

static NOINLINE double
two_levels (const double *x, int n, int m)
{
  double s = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s += x[i * m + j];
  return s;
}

static NOINLINE void
into_memory (const float *x, float *s, int n)
{
#pragma tensor
  {
    s[0] = 0;
    for (int i = 0; i < n; i++)
      s[0] += x[i];
    s[1] = s[0] / 2;
  }
}

static float a[2][128], b[2][128], r[2][2];
static unsigned u[2][128];
static int p[2][128];
static signed char c[2][128];
static unsigned char h[2][128];
static double d[2][AREA];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (a);
    FILL (b);
    FILL (u);
    FILL_BELOW (p, 65536);
    FILL (c);
    FILL_BELOW (h, 256);
    FILL (d);
    BOTH_EQUAL (sum_forms, a[W], n, 10);
    BOTH_EQUAL (product, u[W], n);
    BOTH_EQUAL (bits, p[W], n);
    BOTH_EQUAL (dot, a[W], b[W], n);
    BOTH_EQUAL (count, c[W], n);
    BOTH_EQUAL (sum_bytes, c[W], h[W], n);
    EACH_WIDTH (m)
    BOTH_EQUAL (two_levels, d[W], n, m);
    BOTH (into_memory, a[W], r[W], n);
    CHECK (r);
  }
  return 0;
}
