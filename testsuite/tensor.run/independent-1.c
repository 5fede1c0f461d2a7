/* Shows that what is named by index and does not meet, by the user's word, is
   parallel and means the same: scatters and updates through permutations, in
   time loops and in nests that follow, and that one place of an index array is
   one element all the same.  */

#include "compare.h"

#define PERMUTE                                                                \
  for (int i = 0; i < n; i++)                                                  \
    y[p[i]] = 2 * x[i] + 1;

#define UPDATE                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      int at = p[i];                                                           \
      if (y[at] > x[i])                                                        \
        y[at] = y[at] / 2 - x[i];                                              \
    }

#define ROWS                                                                   \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      r[p[i] * m + j] = (r[p[i] * m + j] + x[i]) / 2;

#define HALVES                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    y[p[i / 2]] = y[p[i / 2]] / 2 + x[i];

#define AGAIN                                                                  \
  for (int t = 0; t < m; t++)                                                  \
    {                                                                          \
      for (int i = 0; i < n; i++)                                              \
        y[p[i]] = (y[p[i]] + x[i]) / 2 + t;                                    \
      for (int j = 0; j < n; j++)                                              \
        x[j] = y[p[j]] - x[j] / 2;                                             \
    }

#define FLAGGED                                                                \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      if (p[i] % 3 == 0)                                                       \
        continue;                                                              \
      y[p[i]] += x[i] * x[i];                                                  \
      y[p[i]] *= 2;                                                            \
    }

static NOINLINE void
plain_permute (int n, const int *p, const float *x, float *y)
{
  PERMUTE
}

static NOINLINE void
permute (int n, const int *restrict p, const float *restrict x,
         float *restrict y)
{
#pragma tensor independent(y)
  PERMUTE
}

static NOINLINE void
plain_update (int n, const int *p, const float *x, float *y)
{
  UPDATE
}

static NOINLINE void
update (int n, const int *restrict p, const float *restrict x,
        float *restrict y)
{
#pragma tensor independent(i)
  UPDATE
}

static NOINLINE void
plain_rows (int n, int m, const int *p, const float *x, float *r)
{
  ROWS
}

static NOINLINE void
rows (int n, int m, const int *restrict p, const float *restrict x,
      float *restrict r)
{
#pragma tensor independent(r) parallel(i)
  ROWS
}

static NOINLINE void
plain_halves (int n, const int *p, const float *x, float *y)
{
  HALVES
}

static NOINLINE void
halves (int n, const int *restrict p, const float *restrict x,
        float *restrict y)
{
#pragma tensor independent(y)
  HALVES
}

static NOINLINE void
plain_again (int n, int m, const int *p, float *x, float *y)
{
  AGAIN
}

static NOINLINE void
again (int n, int m, const int *restrict p, float *restrict x,
       float *restrict y)
{
#pragma tensor independent(y)
  AGAIN
}

static NOINLINE void
plain_flagged (int n, const int *p, const float *x, float *y)
{
  FLAGGED
}

static NOINLINE void
flagged (int n, const int *restrict p, const float *restrict x,
         float *restrict y)
{
#pragma tensor independent(i)
  FLAGGED
}

static int p[AREA];
static float x[2][AREA], y[2][AREA], r[2][AREA];

/* The numbers below N in some order.  */
static void
shuffle (int n)
{
  for (int i = 0; i < n; i++)
    p[i] = i;
  for (int i = n - 1; i > 0; i--)
    {
      int k = (int) (next () % (unsigned) (i + 1));
      int kept = p[i];
      p[i] = p[k];
      p[k] = kept;
    }
}

/* All kernels with N places and M columns or steps.  */
static void
compare (int n, int m)
{
  shuffle (n);
  FILL (x);
  FILL (y);
  FILL (r);
  BOTH (permute, n, p, x[W], y[W]);
  BOTH (update, n, p, x[W], y[W]);
  BOTH (rows, n, m, p, x[W], r[W]);
  BOTH (halves, n, p, x[W], y[W]);
  BOTH (again, n, m % 5, p, x[W], y[W]);
  BOTH (flagged, n, p, x[W], y[W]);
  CHECK (x);
  CHECK (y);
  CHECK (r);
}

int
main (void)
{
  EACH_SIZE (n)
  compare ((int) n, 16);
  compare (AREA, 1);
  return 0;
}
