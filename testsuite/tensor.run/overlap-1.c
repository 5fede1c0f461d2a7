/* Shows that pointers that are disjoint, equal or shifted by one mean what
   the plain loops mean.  */

#include "compare.h"

static NOINLINE void
plain_copy (const int *x, int *y, int n)
{
  for (int i = 0; i < n; i++)
    y[i] = x[i] + 1;
}

static NOINLINE void
plain_sum (const float *a, const float *b, float *c, int n)
{
  for (int i = 0; i < n; i++)
    c[i] = a[i] + b[n - 1 - i];
}

static NOINLINE void
plain_two (unsigned *x, unsigned *y, int n)
{
  {
    for (int i = 0; i < n; i++)
      x[i] = 2 * y[i];
    for (int i = 0; i < n; i++)
      y[i] = x[i] - 3;
  }
}

static NOINLINE void
plain_by_scalar (int *x, int *s, int n)
{
  for (int i = 0; i < n; i++)
    {
      x[i] += *s;
      *s += 1;
    }
}

static NOINLINE void
plain_bytes (signed char *x, const int *y, int n)
{
  for (int i = 0; i < n; i++)
    x[i] = y[i] + 1;
}

static NOINLINE void
plain_product (const unsigned *a, const unsigned *b, unsigned *c, int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        c[i * n + j] = 0;
        for (int k = 0; k < n; k++)
          c[i * n + j] += a[i * n + k] * b[k * n + j];
      }
}

static NOINLINE void
copy (const int *x, int *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    y[i] = x[i] + 1;
}

static NOINLINE void
sum (const float *a, const float *b, float *c, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    c[i] = a[i] + b[n - 1 - i];
}

static NOINLINE void
two (unsigned *x, unsigned *y, int n)
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      x[i] = 2 * y[i];
    for (int i = 0; i < n; i++)
      y[i] = x[i] - 3;
  }
}

static NOINLINE void
by_scalar (int *x, int *s, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      x[i] += *s;
      *s += 1;
    }
}

static NOINLINE void
bytes (signed char *x, const int *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    x[i] = y[i] + 1;
}

static NOINLINE void
product (const unsigned *a, const unsigned *b, unsigned *c, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        c[i * n + j] = 0;
        for (int k = 0; k < n; k++)
          c[i * n + j] += a[i * n + k] * b[k * n + j];
      }
}

static int a[2][AREA + 8];
static float f[2][AREA + 8];
static unsigned u[2][AREA + 8];

int
main (void)
{
  static const int shifts[] = { 0, 1, -1, 2, -2, 16, -16, 200, 4000, -4000 };
  EACH_SIZE (n)
  for (size_t k = 0; k < LENGTH (shifts); k++)
    {
      int x = 5000, y = x + shifts[k];
      FILL (a);
      FILL (f);
      BOTH (copy, a[W] + x, a[W] + y, n);
      CHECK (a);
      BOTH (sum, f[W] + x, f[W] + y, f[W] + x, n);
      CHECK (f);
      BOTH (sum, f[W] + x, f[W] + x, f[W] + y, n);
      CHECK (f);
      FILL (u);
      BOTH (two, u[W] + x, u[W] + y, n);
      CHECK (u);
      FILL (a);
      BOTH (by_scalar, a[W] + x, a[W] + y, n);
      CHECK (a);
      BOTH (bytes, (signed char *) (a[W] + x) + shifts[k] % 3, a[W] + x, n);
      CHECK (a);
      FILL_BELOW (u, 3);
      BOTH (product, u[W] + x, u[W] + x, u[W] + y, n < 10 ? n : 10);
      CHECK (u);
    }
  return 0;
}
