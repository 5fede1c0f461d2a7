/* Shows that regions inside loops and conditions, several in one function,
   and scalars that pass between them mean the same.  */

#include "compare.h"

static NOINLINE float
plain_descend (float *x, const float *g, int n, int steps)
{
  float norm = 0;
  for (int s = 0; s < steps; s++)
    {
      float sum = 0;
      for (int i = 0; i < n; i++)
        {
          x[i] -= g[i] / 2;
          sum += x[i];
        }
      if (sum > 100)
        {
          for (int i = 0; i < n; i++)
            x[i] /= 2;
        }
      norm += sum;
    }
  return norm;
}

static NOINLINE void
plain_ping_pong (int *a, int *b, int n, int steps)
{
  for (int s = 0; s < steps; s++)
    {
      for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] - a[i + 1];
      int *t = a;
      a = b;
      b = t;
    }
}

static NOINLINE int
plain_by_stride (int *x, int n)
{
  int moved = 0;
  for (int step = 1; step < n; step *= 2)
    {
      for (int i = 0; i < n - step; i++)
        x[i] += x[i + step];
      moved += step;
    }
  return moved;
}

static NOINLINE float
descend (float *x, const float *g, int n, int steps)
{
  float norm = 0;
  for (int s = 0; s < steps; s++)
    {
      float sum = 0;
#pragma tensor
      for (int i = 0; i < n; i++)
        {
          x[i] -= g[i] / 2;
          sum += x[i];
        }
      if (sum > 100)
        {
#pragma tensor
          for (int i = 0; i < n; i++)
            x[i] /= 2;
        }
      norm += sum;
    }
  return norm;
}

static NOINLINE void
ping_pong (int *a, int *b, int n, int steps)
{
  for (int s = 0; s < steps; s++)
    {
#pragma tensor
      for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] - a[i + 1];
      int *t = a;
      a = b;
      b = t;
    }
}

static NOINLINE int
by_stride (int *x, int n)
{
  int moved = 0;
  for (int step = 1; step < n; step *= 2)
    {
#pragma tensor
      for (int i = 0; i < n - step; i++)
        x[i] += x[i + step];
      moved += step;
    }
  return moved;
}

static float a[2][128], g[2][128];
static int p[2][128], q[2][128];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (a);
    FILL (g);
    BOTH_EQUAL (descend, a[W], g[W], n, 3);
    CHECK (a);
    FILL (p);
    FILL (q);
    BOTH (ping_pong, p[W], q[W], n, 5);
    CHECK (p);
    CHECK (q);
    BOTH_EQUAL (by_stride, p[W], n);
    CHECK (p);
  }
  return 0;
}
