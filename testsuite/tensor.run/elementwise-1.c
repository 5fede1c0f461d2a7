/* Shows that chains of element-wise loops with temporaries, in arrays and
   scalars, mean the same.  */

#include "compare.h"

static NOINLINE void
plain_chain (const float *x, float *y, int n)
{
  {
    float t[MOST];
    float u[MOST];
    for (int i = 0; i < n; i++)
      t[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
      u[i] = t[i] + 3 * x[i];
    for (int i = 0; i < n; i++)
      y[i] = u[i] - t[i] + 1;
  }
}

static NOINLINE void
plain_scalars (double *x, double *y, int n)
{
  for (int i = 0; i < n; i++)
    {
      double t = x[i] + y[i];
      double u = t * 2;
      t = u - x[i];
      x[i] = t;
      y[i] += u;
    }
}

static NOINLINE void
plain_shared (const int *a, const int *b, int *c, int *d, size_t n)
{
  int t;
  {
    for (size_t i = 0; i < n; i++)
      {
        t = a[i] ^ b[i];
        c[i] = t & 5;
        t = t + c[i];
        d[i] = t;
      }
    for (size_t i = 0; i < n; i++)
      d[i] += c[i] * 3;
  }
}

static NOINLINE void
plain_kept (const float *x, float *t, float *y, int n)
{
  {
    for (int i = 0; i < n; i++)
      t[i] = x[i] + 1;
    for (int i = 0; i < n; i++)
      y[i] = t[i] * 2;
  }
}

static NOINLINE void
chain (const float *x, float *y, int n)
{
#pragma tensor
  {
    float t[MOST];
    float u[MOST];
    for (int i = 0; i < n; i++)
      t[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
      u[i] = t[i] + 3 * x[i];
    for (int i = 0; i < n; i++)
      y[i] = u[i] - t[i] + 1;
  }
}

static NOINLINE void
scalars (double *x, double *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      double t = x[i] + y[i];
      double u = t * 2;
      t = u - x[i];
      x[i] = t;
      y[i] += u;
    }
}

static NOINLINE void
shared (const int *a, const int *b, int *c, int *d, size_t n)
{
  int t;
#pragma tensor
  {
    for (size_t i = 0; i < n; i++)
      {
        t = a[i] ^ b[i];
        c[i] = t & 5;
        t = t + c[i];
        d[i] = t;
      }
    for (size_t i = 0; i < n; i++)
      d[i] += c[i] * 3;
  }
}

static NOINLINE void
kept (const float *x, float *t, float *y, int n)
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      t[i] = x[i] + 1;
    for (int i = 0; i < n; i++)
      y[i] = t[i] * 2;
  }
}

static float a[2][MOST], b[2][MOST], c[2][MOST];
static double d[2][MOST], e[2][MOST];
static int p[2][MOST], q[2][MOST], r[2][MOST], s[2][MOST];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (a);
    FILL (b);
    FILL (c);
    FILL (d);
    FILL (e);
    FILL (p);
    FILL (q);
    FILL (r);
    FILL (s);
    BOTH (chain, a[W], b[W], n);
    BOTH (scalars, d[W], e[W], n);
    BOTH (shared, p[W], q[W], r[W], s[W], n);
    CHECK (a);
    CHECK (b);
    CHECK (d);
    CHECK (e);
    CHECK (r);
    CHECK (s);
    BOTH (kept, a[W], c[W], b[W], n);
    CHECK (b);
    CHECK (c);
  }
  return 0;
}
