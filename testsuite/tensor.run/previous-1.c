/* Shows that what an iteration leaves to the next one in a variable is the same
   when it is read again: a neighbour on a ring by its index, two values in a
   row, a product, in rows, behind the loop, in loops that run once or not at
   all; and that what some iterations leave alone, and what the loop stores to,
   stays.  */

#include "compare.h"

static NOINLINE int
plain_ring (int n, float *restrict a, const float *restrict b)
{
  int left = n - 1;
  for (int i = 0; i < n; i++)
    {
      a[i] = b[i] + 2 * b[left];
      left = i;
    }
  return left;
}

static NOINLINE double
plain_two (int n, float *restrict a, const float *restrict b)
{
  float x = 3, y = 4;
  for (int i = 0; i < n; i++)
    {
      a[i] = b[i] + x - 2 * y;
      y = x;
      x = b[i];
    }
  return x + 2 * y;
}

static NOINLINE double
plain_product (int n, float *restrict a, const float *restrict b)
{
  float s = 1, t;
  for (int i = 1; i < n; i++)
    {
      t = b[i] * b[n - i];
      a[i] = s + t;
      s = t;
    }
  return s;
}

static NOINLINE double
plain_some (int n, float *restrict a, const float *restrict b)
{
  float s = 1, t = 2;
  for (int i = 0; i < n; i++)
    {
      a[i] = s - t + b[i];
      if (b[i] > 0)
        s = b[i];
      t = a[i] < 0 ? 1 : 0;
    }
  return s + t;
}

static NOINLINE double
plain_own (int n, float *restrict a, const float *restrict b)
{
  float s = 1;
  for (int i = 0; i < n; i++)
    {
      float was = a[i];
      a[i] = b[i] + s;
      s = was;
    }
  return s;
}

static NOINLINE long
plain_rows (int n, int m, float *restrict a, const float *restrict b)
{
  long sum = 0;
  for (int j = 0; j < m; j++)
    {
      float x = j;
      for (int i = 0; i < n; i++)
        {
          a[j * n + i] = x - b[j * n + i];
          x = b[j * n + i] * 2;
        }
      sum += x;
    }
  return sum;
}

static NOINLINE int
ring (int n, float *restrict a, const float *restrict b)
{
  int left = n - 1;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      a[i] = b[i] + 2 * b[left];
      left = i;
    }
  return left;
}

static NOINLINE double
two (int n, float *restrict a, const float *restrict b)
{
  float x = 3, y = 4;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      a[i] = b[i] + x - 2 * y;
      y = x;
      x = b[i];
    }
  return x + 2 * y;
}

static NOINLINE double
product (int n, float *restrict a, const float *restrict b)
{
  float s = 1, t;
#pragma tensor
  for (int i = 1; i < n; i++)
    {
      t = b[i] * b[n - i];
      a[i] = s + t;
      s = t;
    }
  return s;
}

static NOINLINE double
some (int n, float *restrict a, const float *restrict b)
{
  float s = 1, t = 2;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      a[i] = s - t + b[i];
      if (b[i] > 0)
        s = b[i];
      t = a[i] < 0 ? 1 : 0;
    }
  return s + t;
}

static NOINLINE double
own (int n, float *restrict a, const float *restrict b)
{
  float s = 1;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float was = a[i];
      a[i] = b[i] + s;
      s = was;
    }
  return s;
}

static NOINLINE long
rows (int n, int m, float *restrict a, const float *restrict b)
{
  long sum = 0;
#pragma tensor
  for (int j = 0; j < m; j++)
    {
      float x = j;
      for (int i = 0; i < n; i++)
        {
          a[j * n + i] = x - b[j * n + i];
          x = b[j * n + i] * 2;
        }
      sum += x;
    }
  return sum;
}

static float a[2][AREA], b[2][AREA];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (a);
    FILL (b);
    BOTH_EQUAL (ring, n, a[W], b[W]);
    CHECK (a);
    BOTH_EQUAL (two, n, a[W], b[W]);
    CHECK (a);
    BOTH_EQUAL (product, n, a[W], b[W]);
    CHECK (a);
    BOTH_EQUAL (some, n, a[W], b[W]);
    CHECK (a);
    BOTH_EQUAL (own, n, a[W], b[W]);
    CHECK (a);
    EACH_WIDTH (m)
    {
      BOTH_EQUAL (rows, n, m, a[W], b[W]);
      CHECK (a);
    }
  }
  return 0;
}
