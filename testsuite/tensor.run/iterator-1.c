/* Shows that iterators declared before the loop, several at once, keep
   their final values.  */

#include "compare.h"

static NOINLINE long
plain_old_style (float *x, int n, int m)
{
  int i, j, k = 0;
  for (i = 0; i < n; ++i)
    for (j = 0; j < m; ++j)
      x[i * 128 + j] += 1;
  if (n > 0)
    k = j;
  return i * 1000L + k;
}

static NOINLINE long
plain_two_loops (int *x, int n)
{
  int i;
  {
    for (i = 0; i < n; i++)
      x[i] += i;
    for (i = n - 1; i >= 0; i -= 2)
      x[i] -= 3;
  }
  return i;
}

static NOINLINE unsigned long
plain_unsigned_one (int *x, unsigned n)
{
  unsigned i;
  for (i = 3; i < n; i += 3)
    x[i] = i;
  return i;
}

static NOINLINE int
plain_used_again (int *x, int n)
{
  int i = 5;
  for (; i < n; i++)
    x[i] *= 2;
  for (; i > 2; i--)
    x[i] += 1;
  return i;
}

static NOINLINE long
old_style (float *x, int n, int m)
{
  int i, j, k = 0;
#pragma tensor
  for (i = 0; i < n; ++i)
    for (j = 0; j < m; ++j)
      x[i * 128 + j] += 1;
  if (n > 0)
    k = j;
  return i * 1000L + k;
}

static NOINLINE long
two_loops (int *x, int n)
{
  int i;
#pragma tensor
  {
    for (i = 0; i < n; i++)
      x[i] += i;
    for (i = n - 1; i >= 0; i -= 2)
      x[i] -= 3;
  }
  return i;
}

static NOINLINE unsigned long
unsigned_one (int *x, unsigned n)
{
  unsigned i;
#pragma tensor
  for (i = 3; i < n; i += 3)
    x[i] = i;
  return i;
}

static NOINLINE int
used_again (int *x, int n)
{
  int i = 5;
#pragma tensor
  for (; i < n; i++)
    x[i] *= 2;
#pragma tensor
  for (; i > 2; i--)
    x[i] += 1;
  return i;
}

static float a[2][AREA];
static int p[2][256];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (p);
    BOTH_EQUAL (two_loops, p[W], n);
    BOTH_EQUAL (unsigned_one, p[W], n);
    BOTH_EQUAL (used_again, p[W], n);
    CHECK (p);
    EACH_WIDTH (m)
    {
      FILL (a);
      BOTH_EQUAL (old_style, a[W], n, m);
      CHECK (a);
    }
  }
  return 0;
}
