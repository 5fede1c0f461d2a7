/* Shows that a branch which reads what the other one stores in other iterations
   computes the same when it reads ahead of that: sums in both branches among
   other stores, of the same elements and of others, conditions inside, what the
   branch itself has stored before, doubles and ints.  */

#include "compare.h"

static NOINLINE void
plain_both (int n, float *restrict a, float *restrict b, float *restrict c,
            const float *restrict d)
{
  for (int i = 0; i < n; i++)
    if (d[i] > 1)
      {
        a[i] += b[i] * c[i];
        b[i] += 1;
      }
    else
      {
        a[i] -= 2;
        c[i] += a[i];
      }
}

static NOINLINE void
plain_inside (int n, double *restrict a, const double *restrict b,
              double *restrict c)
{
  for (int i = 0; i < n; i++)
    if (b[i] > -3)
      {
        if (b[i] > 3)
          a[i] = b[i] * 2;
        else if (b[i] < 0)
          a[i + 1] = b[i];
      }
    else
      c[i] = a[i] - a[i + 1] * (a[i] > 0 ? c[i] : 1);
}

static NOINLINE void
plain_places (int n, int *restrict a, const int *restrict b)
{
  for (int i = 0; i < n; i++)
    if (b[i] & 1)
      {
        a[i] = b[i] * 3;
        a[2 * i] = 1;
      }
    else
      {
        a[i] ^= a[2 * i];
        a[2 * i] += a[i];
      }
}

static NOINLINE void
plain_shifted (int n, double *restrict a, const double *restrict b,
               const double *restrict c)
{
  for (int i = 1; i < n; i++)
    if (b[i] > 0)
      {
        a[i] += c[i];
        a[i - 1] -= c[i];
      }
    else
      {
        a[i + 1] += c[i];
        a[i] -= c[i];
      }
}

static NOINLINE void
both (int n, float *restrict a, float *restrict b, float *restrict c,
      const float *restrict d)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    if (d[i] > 1)
      {
        a[i] += b[i] * c[i];
        b[i] += 1;
      }
    else
      {
        a[i] -= 2;
        c[i] += a[i];
      }
}

static NOINLINE void
inside (int n, double *restrict a, const double *restrict b, double *restrict c)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    if (b[i] > -3)
      {
        if (b[i] > 3)
          a[i] = b[i] * 2;
        else if (b[i] < 0)
          a[i + 1] = b[i];
      }
    else
      c[i] = a[i] - a[i + 1] * (a[i] > 0 ? c[i] : 1);
}

static NOINLINE void
places (int n, int *restrict a, const int *restrict b)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    if (b[i] & 1)
      {
        a[i] = b[i] * 3;
        a[2 * i] = 1;
      }
    else
      {
        a[i] ^= a[2 * i];
        a[2 * i] += a[i];
      }
}

static NOINLINE void
shifted (int n, double *restrict a, const double *restrict b,
         const double *restrict c)
{
#pragma tensor
  for (int i = 1; i < n; i++)
    if (b[i] > 0)
      {
        a[i] += c[i];
        a[i - 1] -= c[i];
      }
    else
      {
        a[i + 1] += c[i];
        a[i] -= c[i];
      }
}

static float a[2][AREA], b[2][AREA], c[2][AREA], d[2][AREA];
static double e[2][AREA], f[2][AREA], g[2][AREA];
static int h[2][AREA], k[2][AREA];

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
    FILL (f);
    FILL (g);
    FILL (h);
    FILL (k);
    BOTH (both, n, a[W], b[W], c[W], d[W]);
    BOTH (inside, n, e[W], f[W], g[W]);
    BOTH (places, n, h[W], k[W]);
    CHECK (e);
    FILL (e);
    BOTH (shifted, n, e[W], f[W], g[W]);
    CHECK (e);
    CHECK (a);
    CHECK (b);
    CHECK (c);
    CHECK (g);
    CHECK (h);
  }
  return 0;
}
