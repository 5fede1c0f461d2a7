/* Shows that what stands behind || and && is read where it is asked for: a
   relation closed over, whose rows all ask one element; of numbers of four and
   of eight bytes; an element that is not there, which nothing asks for.  */

#include "compare.h"

#define REACH                                                                  \
  for (int k = 0; k < n; k++)                                                  \
    for (int i = 0; i < n; i++)                                                \
      for (int j = 0; j < n; j++)                                              \
        r[i][j] = r[i][j] || (r[i][k] && r[k][j]);

#define EITHER                                                                 \
  for (int j = 0; j < n; j++)                                                  \
    y[j] = x[j] || w[0];

static NOINLINE void
plain_reach (int n, int r[n][n])
{
  REACH
}

static NOINLINE void
reach (int n, int r[n][n])
{
#pragma tensor
  REACH
}

static NOINLINE void
plain_reach_double (int n, double r[n][n])
{
  REACH
}

static NOINLINE void
reach_double (int n, double r[n][n])
{
#pragma tensor
  REACH
}

static NOINLINE void
plain_either (int n, double *restrict y, const double *x, const double *w)
{
  EITHER
}

static NOINLINE void
either (int n, double *restrict y, const double *x, const double *w)
{
#pragma tensor
  EITHER
}

static int a[2][AREA];
static double b[2][AREA], x[AREA];

int
main (void)
{
  for (size_t s = 0; s < LENGTH (sizes); s++)
    {
      int n = sizes[s];
      current[0] = n;
      FILL_WITH (a, next () % (2 * MOST) < 2);
      BOTH (reach, n, (void *) a[W]);
      CHECK (a);
      FILL_WITH (b, next () % (2 * MOST) < 2);
      BOTH (reach_double, n, (void *) b[W]);
      CHECK (b);
      for (int absent = 0; absent < 2; absent++)
        {
          for (int k = 0; k < n; k++)
            x[k] = absent || next () % 4 == 0;
          FILL (b);
          BOTH (either, n, b[W], x, absent ? (double *) 64 : &b[W][MOST]);
          CHECK (b);
        }
    }
  return 0;
}
