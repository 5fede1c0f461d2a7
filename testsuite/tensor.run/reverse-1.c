/* Shows that loops that count down mean the same when they count up, and those
   that must count down still do.  */

#include "compare.h"

static NOINLINE void
plain_copy (int n, float *restrict x, float *restrict y)
{
  for (int i = n - 1; i >= 0; i--)
    y[i] = x[i] * 2 + 1;
}

static NOINLINE void
plain_both (int n, float *restrict x, float *restrict y, float *restrict z)
{
  {
    for (int i = n - 1; i >= 0; i--)
      y[i] = x[i] * 2;
    for (int i = 0; i < n; i++)
      z[i] = y[i] + x[i];
  }
}

static NOINLINE void
plain_move (int n, float *x)
{
  for (int i = n - 1; i > 0; i--)
    x[i] = x[i - 1];
}

static NOINLINE void
plain_carry (int n, float *x)
{
  for (int i = n - 2; i >= 0; i--)
    x[i] = x[i + 1] + x[i];
}

static NOINLINE void
plain_steps (int n, float *restrict x, float *restrict y)
{
  for (int i = n - 1; i >= 0; i -= 3)
    y[i] = x[i] - y[i];
}

static NOINLINE void
plain_sum (int n, float *restrict x, float *restrict y)
{
  float s = 1;
  for (int i = n - 1; i >= 0; i--)
    s += x[i];
  y[0] = s;
}

static NOINLINE void
plain_last (int n, float *restrict x, float *restrict y)
{
  float s = 1;
  for (int i = n - 1; i >= 0; i--)
    {
      s = x[i] + 3;
      y[i] = s;
    }
  y[n] = s;
}

static NOINLINE void
plain_nest (int n, float x[restrict n][n], float y[restrict n][n])
{
  for (int i = n - 1; i >= 0; i--)
    for (int j = i; j > 0; j--)
      y[i][j] += x[j][i] + y[i][j - 1] * 0;
}

static NOINLINE void
plain_back (int n, float l[restrict n][n], float *restrict x)
{
  for (int i = n - 1; i >= 0; i--)
    for (int j = n - 1; j > i; j--)
      x[i] -= l[i][j] * x[j];
}

static NOINLINE void
copy (int n, float *restrict x, float *restrict y)
{
#pragma tensor
  for (int i = n - 1; i >= 0; i--)
    y[i] = x[i] * 2 + 1;
}

static NOINLINE void
both (int n, float *restrict x, float *restrict y, float *restrict z)
{
#pragma tensor
  {
    for (int i = n - 1; i >= 0; i--)
      y[i] = x[i] * 2;
    for (int i = 0; i < n; i++)
      z[i] = y[i] + x[i];
  }
}

static NOINLINE void
move (int n, float *x)
{
#pragma tensor
  for (int i = n - 1; i > 0; i--)
    x[i] = x[i - 1];
}

static NOINLINE void
carry (int n, float *x)
{
#pragma tensor
  for (int i = n - 2; i >= 0; i--)
    x[i] = x[i + 1] + x[i];
}

static NOINLINE void
steps (int n, float *restrict x, float *restrict y)
{
#pragma tensor
  for (int i = n - 1; i >= 0; i -= 3)
    y[i] = x[i] - y[i];
}

static NOINLINE void
sum (int n, float *restrict x, float *restrict y)
{
  float s = 1;
#pragma tensor
  for (int i = n - 1; i >= 0; i--)
    s += x[i];
  y[0] = s;
}

static NOINLINE void
last (int n, float *restrict x, float *restrict y)
{
  float s = 1;
#pragma tensor
  for (int i = n - 1; i >= 0; i--)
    {
      s = x[i] + 3;
      y[i] = s;
    }
  y[n] = s;
}

static NOINLINE void
nest (int n, float x[restrict n][n], float y[restrict n][n])
{
#pragma tensor
  for (int i = n - 1; i >= 0; i--)
    for (int j = i; j > 0; j--)
      y[i][j] += x[j][i] + y[i][j - 1] * 0;
}

static NOINLINE void
back (int n, float l[restrict n][n], float *restrict x)
{
#pragma tensor
  for (int i = n - 1; i >= 0; i--)
    for (int j = n - 1; j > i; j--)
      x[i] -= l[i][j] * x[j];
}

static float a[2][AREA], b[2][AREA], c[2][AREA];

static void
check (int n)
{
  FILL (a);
  FILL (b);
  FILL (c);
  BOTH (copy, n, a[W], b[W]);
  CHECK (b);
  BOTH (both, n, a[W], b[W], c[W]);
  CHECK (b);
  CHECK (c);
  BOTH (move, n, a[W]);
  CHECK (a);
  BOTH (carry, n, a[W]);
  CHECK (a);
  BOTH (steps, n, a[W], b[W]);
  CHECK (b);
  BOTH (sum, n, b[W], c[W]);
  CHECK (c);
  BOTH (last, n, b[W], c[W]);
  CHECK (c);
  FILL (a);
  FILL (b);
  BOTH (nest, n, (void *) a[W], (void *) b[W]);
  CHECK (b);
  FILL_BELOW (a, 2);
  FILL_BELOW (c, 2);
  if (n <= 5)
    BOTH (back, n, (void *) a[W], c[W]);
  CHECK (c);
}

int
main (void)
{
  EACH_SIZE (n)
  {
    check (n);
  }
  return 0;
}
