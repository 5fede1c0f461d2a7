/* Shows that iterators declared before the loop, several at once, stepped in
   the condition, or with one value only, keep their final values.  */

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
plain_count_down (int *x, int n, int from)
{
  unsigned i;
  int j;
  for (i = n; i > 0 && i--;)
    x[i] += 2;
  for (j = from; j > 0 && j--;)
    x[j] += 1;
  return i * 1000L + j;
}

static NOINLINE long
plain_only_one (int *x, unsigned n, unsigned first)
{
  unsigned i, k = 0;
  for (i = 0; i < n; i++)
    for (k = first; k < 1; k++)
      x[i + k] += 3;
  return i * 1000L + k;
}

static NOINLINE long
count_down (int *x, int n, int from)
{
  unsigned i;
  int j;
#pragma tensor
  for (i = n; i > 0 && i--;)
    x[i] += 2;
#pragma tensor
  for (j = from; j > 0 && j--;)
    x[j] += 1;
  return i * 1000L + j;
}

static NOINLINE long
only_one (int *x, unsigned n, unsigned first)
{
  unsigned i, k = 0;
#pragma tensor
  for (i = 0; i < n; i++)
    for (k = first; k < 1; k++)
      x[i + k] += 3;
  return i * 1000L + k;
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
    BOTH_EQUAL (count_down, p[W], n, n / 2 - 1);
    BOTH_EQUAL (only_one, p[W], n, 0);
    BOTH_EQUAL (only_one, p[W], n, 1);
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
