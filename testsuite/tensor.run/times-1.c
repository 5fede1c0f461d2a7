/* Shows loops that end where they arrive, by steps of several elements, and
   loops whose steps an outer loop gives.  */

/* { dg-additional-options "-fopenmp" } */

#include "compare.h"

static double a[2][8 * MOST];
static int t[2][1 << 8];

static NOINLINE void
plain_quads (double *p, int n)
{
  for (double *q = p; q != p + 4 * n; q += 4)
    q[0] = q[1] - q[2] * q[3];
}

static NOINLINE void
plain_halves (double *p, double *end)
{
  for (double *q = end; q != p; q -= 2)
    q[-1] += q[-2];
}

static NOINLINE int
plain_thirds (int *p, int from, int to)
{
  int i;
  for (i = from; i != to; i += 3)
    p[i] += i;
  return i;
}

static NOINLINE void
plain_butterflies (int *p, int log)
{
  int n = 1 << log;
  for (int s = 1; s <= log; s++)
    {
      int m = 1 << s;
      for (int k = 0; k < n; k += m)
        for (int j = 0; j < m / 2; j++)
          {
            int x = p[k + j];
            int y = p[k + j + m / 2] * (s + j % 3) % 100;
            p[k + j] = x + y;
            p[k + j + m / 2] = x - y;
          }
    }
}

static NOINLINE void
quads (double *p, int n)
{
#pragma tensor require(parallel)
  for (double *q = p; q != p + 4 * n; q += 4)
    q[0] = q[1] - q[2] * q[3];
}

static NOINLINE void
halves (double *p, double *end)
{
#pragma tensor
  for (double *q = end; q != p; q -= 2)
    q[-1] += q[-2];
}

static NOINLINE int
thirds (int *p, int from, int to)
{
  int i;
#pragma tensor require(transform)
  for (i = from; i != to; i += 3)
    p[i] += i;
  return i;
}

static NOINLINE void
butterflies (int *p, int log)
{
  int n = 1 << log;
#pragma tensor
  for (int s = 1; s <= log; s++)
    {
      int m = 1 << s;
      for (int k = 0; k < n; k += m)
        for (int j = 0; j < m / 2; j++)
          {
            int x = p[k + j];
            int y = p[k + j + m / 2] * (s + j % 3) % 100;
            p[k + j] = x + y;
            p[k + j + m / 2] = x - y;
          }
    }
}

int
main (void)
{
  for (size_t k = 0; k < LENGTH (sizes); k++)
    {
      int n = sizes[k];
      current[0] = n;
      FILL (a);
      FILL (t);
      BOTH (quads, a[W], n);
      BOTH (halves, a[W], a[W] + 2 * n);
      BOTH_EQUAL (thirds, t[W], n % 5, n % 5 + 3 * (n / 2));
      if (k <= 8)
        BOTH (butterflies, t[W], k);
      CHECK (a);
      CHECK (t);
    }
  return 0;
}
