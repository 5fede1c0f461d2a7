/* Shows that minima, maxima and their places, found by if, ?: and fmax,
   mean the same.  */

#include "compare.h"

static NOINLINE float
plain_maximum (const float *x, int n)
{
  float m = -1e30f;
  for (int i = 0; i < n; i++)
    if (x[i] > m)
      m = x[i];
  return m;
}

static NOINLINE float
plain_spellings (const float *x, int n)
{
  float a = x[0], b = x[0], c = 1e30f, d = -1e30f;
  for (int i = 0; i < n; i++)
    {
      a = x[i] < a ? x[i] : a;
      b = b > x[i] ? b : x[i];
      if (!(c <= x[i]))
        c = x[i];
      d = fmaxf (d, x[i]);
    }
  return a + 3 * b + 5 * c + 7 * d;
}

static NOINLINE int
plain_argmax (const float *x, int n)
{
  int at = 0;
  float m = x[0];
  for (int i = 1; i < n; i++)
    if (x[i] > m)
      {
        m = x[i];
        at = i;
      }
  return at * 100 + (int) m;
}

static NOINLINE int
plain_argmin_last (const int *x, int n)
{
  int at = -1, m = 1000;
  for (int i = 0; i < n; i++)
    if (x[i] <= m)
      {
        m = x[i];
        at = i;
      }
  return at * 1000 + m;
}

static NOINLINE void
plain_rows_argmax (const float *x, int *at, float *most, int n, int m)
{
  for (int i = 0; i < n; i++)
    {
      int best = 0;
      for (int j = 1; j < m; j++)
        if (x[i * m + j] > x[i * m + best])
          best = j;
      at[i] = best;
      float a = -100;
      for (int j = 0; j < m; j++)
        a = a < x[i * m + j] ? x[i * m + j] : a;
      most[i] = a;
    }
}

static NOINLINE unsigned char
plain_byte_range (const unsigned char *x, int n)
{
  unsigned char lo = 255, hi = 0;
  for (int i = 0; i < n; i++)
    {
      if (x[i] < lo)
        lo = x[i];
      if (x[i] > hi)
        hi = x[i];
    }
  return hi - lo;
}

static NOINLINE float
maximum (const float *x, int n)
{
  float m = -1e30f;
#pragma tensor
  for (int i = 0; i < n; i++)
    if (x[i] > m)
      m = x[i];
  return m;
}

static NOINLINE float
spellings (const float *x, int n)
{
  float a = x[0], b = x[0], c = 1e30f, d = -1e30f;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      a = x[i] < a ? x[i] : a;
      b = b > x[i] ? b : x[i];
      if (!(c <= x[i]))
        c = x[i];
      d = fmaxf (d, x[i]);
    }
  return a + 3 * b + 5 * c + 7 * d;
}

static NOINLINE int
argmax (const float *x, int n)
{
  int at = 0;
  float m = x[0];
#pragma tensor
  for (int i = 1; i < n; i++)
    if (x[i] > m)
      {
        m = x[i];
        at = i;
      }
  return at * 100 + (int) m;
}

static NOINLINE int
argmin_last (const int *x, int n)
{
  int at = -1, m = 1000;
#pragma tensor
  for (int i = 0; i < n; i++)
    if (x[i] <= m)
      {
        m = x[i];
        at = i;
      }
  return at * 1000 + m;
}

static NOINLINE void
rows_argmax (const float *x, int *at, float *most, int n, int m)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      int best = 0;
      for (int j = 1; j < m; j++)
        if (x[i * m + j] > x[i * m + best])
          best = j;
      at[i] = best;
      float a = -100;
      for (int j = 0; j < m; j++)
        a = a < x[i * m + j] ? x[i * m + j] : a;
      most[i] = a;
    }
}

static NOINLINE unsigned char
byte_range (const unsigned char *x, int n)
{
  unsigned char lo = 255, hi = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      if (x[i] < lo)
        lo = x[i];
      if (x[i] > hi)
        hi = x[i];
    }
  return hi - lo;
}

static float a[2][AREA], f[2][128];
static int p[2][128], at[2][128];
static unsigned char u[2][128];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (a);
    FILL (p);
    FILL_BELOW (u, 256);
    BOTH_EQUAL (maximum, a[W], n);
    BOTH_EQUAL (spellings, a[W], n);
    BOTH_EQUAL (argmax, a[W], n);
    BOTH_EQUAL (argmin_last, p[W], n);
    BOTH_EQUAL (byte_range, u[W], n);
    EACH_WIDTH (m)
    {
      FILL (at);
      FILL (f);
      BOTH (rows_argmax, a[W], at[W], f[W], n, m);
      CHECK (at);
      CHECK (f);
    }
  }
  return 0;
}
