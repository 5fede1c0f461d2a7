/* Shows that inlined functions that return early, take arrays and structs,
   or are called twice mean the same.  */

#include "compare.h"

typedef struct point
{
  float x, y;
} point;

static float
length (point p)
{
  return p.x * p.x + p.y * p.y;
}

static int
grade (int x)
{
  if (x < -3)
    return 0;
  if (x < 3)
    {
      if (x == 0)
        return 5;
      return 1;
    }
  return 2;
}

static void
scale_row (float *row, int n, float s)
{
  for (int j = 0; j < n; j++)
    row[j] *= s;
}

static float
row_sum (const float *row, int n)
{
  float s = 0;
  for (int j = 0; j < n; j++)
    s += row[j];
  return s;
}

static NOINLINE void
plain_grades (const int *x, int *y, int n)
{
  for (int i = 0; i < n; i++)
    y[i] = grade (x[i]) * 10 + grade (-x[i]);
}

static NOINLINE void
plain_lengths (const point *p, float *l, int n)
{
  for (int i = 0; i < n; i++)
    l[i] = length (p[i]);
}

static NOINLINE void
plain_rows (float *a, float *sum, int n, int m)
{
  for (int i = 0; i < n; i++)
    {
      scale_row (a + i * m, m, 2);
      sum[i] = row_sum (a + i * m, m);
      scale_row (a + i * m, m, 0.5f);
    }
}

static NOINLINE void
grades (const int *x, int *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    y[i] = grade (x[i]) * 10 + grade (-x[i]);
}

static NOINLINE void
lengths (const point *p, float *l, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    l[i] = length (p[i]);
}

static NOINLINE void
rows (float *a, float *sum, int n, int m)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      scale_row (a + i * m, m, 2);
      sum[i] = row_sum (a + i * m, m);
      scale_row (a + i * m, m, 0.5f);
    }
}

static int p[2][128], q[2][128];
static float a[2][AREA], s[2][128];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (p);
    FILL (q);
    FILL (a);
    BOTH (grades, p[W], q[W], n);
    CHECK (q);
    BOTH (lengths, (void *) a[W], s[W], n);
    CHECK (s);
    EACH_WIDTH (m)
    {
      FILL (s);
      BOTH (rows, a[W], s[W], n, m);
      CHECK (a);
      CHECK (s);
    }
  }
  return 0;
}
