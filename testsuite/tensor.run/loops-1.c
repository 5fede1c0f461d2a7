/* Shows that loops that count down, end by !=, take other steps and other
   types mean the same.  */

#include "compare.h"

static NOINLINE void
plain_down (int *x, const int *y, int n)
{
  for (int i = n - 1; i >= 0; i--)
    x[i] = y[n - 1 - i] + i;
}

static NOINLINE void
plain_down_unsigned (int *x, unsigned n)
{
  for (unsigned i = n; i-- > 0;)
    x[i] += i;
}

static NOINLINE void
plain_until (int *x, int n)
{
  for (int i = 0; i != n; i++)
    x[i] *= 3;
}

static NOINLINE void
plain_steps (int *x, int n)
{
  {
    for (int i = 1; i < n; i += 2)
      x[i] += 5;
    for (int i = 0; i <= n - 1; i += 3)
      x[i] *= 2;
    for (int i = n - 1; i > 1; i -= 4)
      x[i] -= 7;
  }
}

static NOINLINE void
plain_wide (int *x, size_t n, size_t m)
{
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < m; ++j)
      x[i * m + j] += (int) (i - j);
}

static NOINLINE void
plain_mixed (int *x, size_t n, unsigned m)
{
  for (int i = 0; i < n; i++)
    for (unsigned j = 0; j < m; j++)
      x[i * m + j] ^= i + j;
}

static NOINLINE void
plain_longs (int *x, long n, long long m)
{
  long i;
  long long j;
  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++)
      x[i * 128 + j] -= (int) (i * j);
}

static NOINLINE void
plain_short_iterator (int *x, short n, unsigned char m)
{
  for (short i = 0; i < n; i++)
    for (unsigned char j = 0; j < m; j++)
      x[i * 128 + j] += 1;
}

static NOINLINE void
plain_triangles (int *x, int n)
{
  {
    for (int i = 0; i < n; i++)
      for (int j = i; j < n; j++)
        x[i * 128 + j] += 1;
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++)
        x[i * 128 + j] *= 2;
    for (int i = 0; i < n; i++)
      for (int j = i; j >= 0; j--)
        x[j * 128 + i] -= i - j;
    for (int i = 0; i < n; i++)
      for (int j = i < 5 ? i : 5; j < (n < 2 * i ? n : 2 * i); j++)
        x[i * 128 + j] += j;
  }
}

static NOINLINE void
plain_step_by (int *x, int n, int step)
{
  for (int i = 0; i < n; i += step)
    x[i] = i;
}

static NOINLINE void
plain_increments (const float *x, float *y, int n, int incx, int incy)
{
  for (int i = 0; i < n; i++)
    y[i * incy] += 2 * x[i * incx];
}

static NOINLINE void
plain_pointers (const float *p, float *q, int n)
{
  for (int i = 0; i < n; i++)
    *q++ = *p++ * 2;
}

static NOINLINE void
down (int *x, const int *y, int n)
{
#pragma tensor
  for (int i = n - 1; i >= 0; i--)
    x[i] = y[n - 1 - i] + i;
}

static NOINLINE void
down_unsigned (int *x, unsigned n)
{
#pragma tensor
  for (unsigned i = n; i-- > 0;)
    x[i] += i;
}

static NOINLINE void
until (int *x, int n)
{
#pragma tensor
  for (int i = 0; i != n; i++)
    x[i] *= 3;
}

static NOINLINE void
steps (int *x, int n)
{
#pragma tensor
  {
    for (int i = 1; i < n; i += 2)
      x[i] += 5;
    for (int i = 0; i <= n - 1; i += 3)
      x[i] *= 2;
    for (int i = n - 1; i > 1; i -= 4)
      x[i] -= 7;
  }
}

static NOINLINE void
wide (int *x, size_t n, size_t m)
{
#pragma tensor
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < m; ++j)
      x[i * m + j] += (int) (i - j);
}

static NOINLINE void
mixed (int *x, size_t n, unsigned m)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (unsigned j = 0; j < m; j++)
      x[i * m + j] ^= i + j;
}

static NOINLINE void
longs (int *x, long n, long long m)
{
  long i;
  long long j;
#pragma tensor
  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++)
      x[i * 128 + j] -= (int) (i * j);
}

static NOINLINE void
short_iterator (int *x, short n, unsigned char m)
{
#pragma tensor
  for (short i = 0; i < n; i++)
    for (unsigned char j = 0; j < m; j++)
      x[i * 128 + j] += 1;
}

static NOINLINE void
triangles (int *x, int n)
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      for (int j = i; j < n; j++)
        x[i * 128 + j] += 1;
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++)
        x[i * 128 + j] *= 2;
    for (int i = 0; i < n; i++)
      for (int j = i; j >= 0; j--)
        x[j * 128 + i] -= i - j;
    for (int i = 0; i < n; i++)
      for (int j = i < 5 ? i : 5; j < (n < 2 * i ? n : 2 * i); j++)
        x[i * 128 + j] += j;
  }
}

static NOINLINE void
step_by (int *x, int n, int step)
{
#pragma tensor
  for (int i = 0; i < n; i += step)
    x[i] = i;
}

static NOINLINE void
increments (const float *x, float *y, int n, int incx, int incy)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    y[i * incy] += 2 * x[i * incx];
}

static NOINLINE void
pointers (const float *p, float *q, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    *q++ = *p++ * 2;
}

static int a[2][AREA], b[2][AREA];
static float x[2][512], y[2][512];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (a);
    FILL (b);
    BOTH (down, a[W], b[W], n);
    CHECK (a);
    BOTH (down_unsigned, a[W], n);
    CHECK (a);
    BOTH (until, a[W], n);
    CHECK (a);
    BOTH (steps, a[W], n);
    CHECK (a);
    BOTH (triangles, a[W], n);
    CHECK (a);
    for (int step = 1; step < 5; step++)
      BOTH (step_by, a[W], n, step);
    CHECK (a);
    FILL (x);
    FILL (y);
    for (int k = -3; k <= 3; k++)
      {
        BOTH (increments, x[W] + (k < 0 ? 381 : 0), y[W] + (k > 0 ? 381 : 0), n,
              k, -k);
        CHECK (y);
      }
    BOTH (pointers, x[W], y[W], n);
    CHECK (y);
    EACH_WIDTH (m)
    {
      FILL (a);
      BOTH (wide, a[W], n, m);
      BOTH (mixed, a[W], n, m);
      BOTH (longs, a[W], n, m);
      BOTH (short_iterator, a[W], n, m);
      CHECK (a);
    }
  }
  return 0;
}
