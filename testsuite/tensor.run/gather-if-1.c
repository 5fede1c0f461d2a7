/* Shows that gathers under conditions read where these hold, and nowhere
   else: subscripts of other lanes are outside of the arrays.  */
/* { dg-no-verdicts "the pragmas come of macros" } */

#include "compare.h"

#define FAR 100000000

#define KERNELS(name, T, I, offset)                                            \
  static NOINLINE void plain_##name (T *y, const T *x, const I *at, int n)     \
  {                                                                            \
    for (int i = 0; i < n; i++)                                                \
      if (at[i] < FAR)                                                         \
        y[i] += x[at[i] offset];                                               \
  }                                                                            \
  static NOINLINE void name (T *y, const T *x, const I *at, int n)             \
  {                                                                            \
    _Pragma ("tensor noalias") for (int i = 0; i < n; i++) if (at[i] < FAR)    \
      y[i]                                                                     \
      += x[at[i] offset];                                                      \
  }

KERNELS (floats, float, int, )
KERNELS (doubles, double, int, )
KERNELS (words, int, int, )
KERNELS (longs, long, int, )
KERNELS (floats_by_long, float, long, )
KERNELS (doubles_by_long, double, long, )
KERNELS (words_by_long, unsigned, long, )
KERNELS (longs_by_long, unsigned long, long, )
KERNELS (floats_behind, float, int, +1)
KERNELS (shorts, short, int, )
KERNELS (floats_by_unsigned, float, unsigned, )

static NOINLINE void
plain_rows (float *y, const float *x, const int *at, int n)
{
  for (int r = 0; r < 3; r++)
    for (int i = 0; i < n; i++)
      y[r * n + i] = at[i] < FAR ? x[r * n + at[i]] : -1;
}

static NOINLINE void
rows (float *y, const float *x, const int *at, int n)
{
#pragma tensor
  for (int r = 0; r < 3; r++)
    for (int i = 0; i < n; i++)
      y[r * n + i] = at[i] < FAR ? x[r * n + at[i]] : -1;
}

static float f[2][3 * 128], fx[3 * 128];
static double d[2][128], dx[128];
static int w[2][128], wx[128], at[128];
static unsigned u[2][128], ux[128], uat[128];
static long l[2][128], lx[128], lat[128];
static unsigned long ul[2][128], ulx[128];
static short s[2][128], sx[128];

/* Numbers below N - 1, but one of EACH far outside.  */
static void
fill_places (int n, int each)
{
  for (int k = 0; k < 128; k++)
    {
      int place = n > 1 ? (int) (next () % (unsigned) (n - 1)) : 0;
      at[k] = next () % each ? place : FAR + 7;
      lat[k] = at[k];
      uat[k] = at[k];
      fx[k] = fx[k + 128] = fx[k + 256] = k;
      dx[k] = wx[k] = ux[k] = lx[k] = ulx[k] = sx[k] = k * 3;
    }
}

int
main (void)
{
  EACH_SIZE (n)
  for (int each = 1; each < 4; each++)
    {
      fill_places (n, each);
      FILL (f);
      FILL (d);
      FILL (w);
      FILL (u);
      FILL (l);
      FILL (ul);
      FILL (s);
      BOTH (floats, f[W], fx, at, n);
      BOTH (doubles, d[W], dx, at, n);
      BOTH (words, w[W], wx, at, n);
      BOTH (longs, l[W], lx, at, n);
      BOTH (floats_by_long, f[W], fx, lat, n);
      BOTH (doubles_by_long, d[W], dx, lat, n);
      BOTH (words_by_long, u[W], ux, lat, n);
      BOTH (longs_by_long, ul[W], ulx, lat, n);
      BOTH (floats_behind, f[W], fx, at, n);
      BOTH (floats_by_unsigned, f[W], fx, uat, n);
      BOTH (shorts, s[W], sx, at, n);
      CHECK (f);
      BOTH (rows, f[W], fx, at, n);
      CHECK (f);
      CHECK (d);
      CHECK (w);
      CHECK (u);
      CHECK (l);
      CHECK (ul);
      CHECK (s);
    }
  return 0;
}
