/* Shows that recurrences mean the same when what an iteration hands to the
   next one stays in a register: in both directions and several steps, narrow
   types, at borders that must not be read, under conditions, with several
   stores, through fmax and fmin with numbers that are none.  */

#include "compare.h"

static NOINLINE void
plain_forward (int n, float *x, const float *a)
{
  for (int i = 1; i < n; i++)
    x[i] = a[i - 1] + 2 * x[i - 1] + a[i];
}

static NOINLINE void
plain_backward (int n, unsigned char *x, const int *a)
{
  for (int i = n - 2; i >= 0; i--)
    x[i] = x[i + 1] * 3 + a[i];
}

static NOINLINE void
plain_prefix (int n, int *x)
{
  for (int i = 3; i < n; i += 2)
    x[i] += x[i - 2];
}

static NOINLINE void
plain_path (int n, int m, int (*restrict s)[m], const int (*restrict x)[m])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s[i][j] = x[i][j] + (i > 0 ? s[i - 1][j] : 0) + (j > 0 ? s[i][j - 1] : 0);
}

static NOINLINE void
plain_guarded (int n, float *x, const float *a)
{
  for (int i = 1; i < n; i++)
    {
      if (a[i] > 0)
        x[i] = x[i - 1] + 1;
    }
}

static NOINLINE void
plain_twice (int n, float *x, float *y)
{
  for (int i = 1; i < n; i++)
    {
      y[i] = x[i - 1] + y[i - 1];
      x[i] = 2 - y[i];
      y[i] = x[i - 1] + x[i];
    }
}

static NOINLINE void
plain_after (int n, float *x, float *y)
{
  for (int i = 1; i < n; i++)
    {
      x[i] = x[i - 1] / 2 + y[i];
      y[i] = x[i - 1] - x[i];
    }
}

static NOINLINE void
plain_extreme (int n, float *x, const float *a)
{
  for (int i = 1; i < n; i++)
    x[i] = fmaxf (fminf (x[i - 1], a[i]), a[i - 1] - x[i - 1]);
}

static NOINLINE void
plain_filter (int n, const float *restrict x, float *restrict y)
{
  {
    float p = 0, q = 0;
    for (int i = 0; i < n; i++)
      {
        q = q + x[i] - p + 1;
        p = p / 2 + x[i] + q / 4;
        y[i] = p;
      }
  }
}

static NOINLINE void
plain_product (int n, float *x, const float *a, const float *b)
{
  for (int i = 1; i < n; i++)
    x[i] = x[i - 1] * a[i] * b[i] * 0.5f + a[i];
}

static NOINLINE void
plain_scalar (int n, double *last, const double *a, const double *b)
{
  double v = 0.5;
  for (int i = 0; i < n; i++)
    v = v * a[i] * 0.5 + b[i] + a[i];
  *last = v;
}

static NOINLINE void
plain_second (int n, double *last, const double *a, double *y)
{
  double u = 0.25;
  double v = -0.5;
  for (int i = 0; i < n; i++)
    {
      double w = a[i] - 0.5 * u + 0.25 * v;
      y[i] = w + 0.5 * u - v;
      v = u;
      u = w;
    }
  *last = u + v;
}

static NOINLINE void
forward (int n, float *x, const float *a)
{
#pragma tensor
  for (int i = 1; i < n; i++)
    x[i] = a[i - 1] + 2 * x[i - 1] + a[i];
}

static NOINLINE void
backward (int n, unsigned char *x, const int *a)
{
#pragma tensor
  for (int i = n - 2; i >= 0; i--)
    x[i] = x[i + 1] * 3 + a[i];
}

static NOINLINE void
prefix (int n, int *x)
{
#pragma tensor
  for (int i = 3; i < n; i += 2)
    x[i] += x[i - 2];
}

static NOINLINE void
path (int n, int m, int (*restrict s)[m], const int (*restrict x)[m])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s[i][j] = x[i][j] + (i > 0 ? s[i - 1][j] : 0) + (j > 0 ? s[i][j - 1] : 0);
}

static NOINLINE void
guarded (int n, float *x, const float *a)
{
#pragma tensor
  for (int i = 1; i < n; i++)
    {
      if (a[i] > 0)
        x[i] = x[i - 1] + 1;
    }
}

static NOINLINE void
twice (int n, float *x, float *y)
{
#pragma tensor
  for (int i = 1; i < n; i++)
    {
      y[i] = x[i - 1] + y[i - 1];
      x[i] = 2 - y[i];
      y[i] = x[i - 1] + x[i];
    }
}

static NOINLINE void
after (int n, float *x, float *y)
{
#pragma tensor
  for (int i = 1; i < n; i++)
    {
      x[i] = x[i - 1] / 2 + y[i];
      y[i] = x[i - 1] - x[i];
    }
}

static NOINLINE void
extreme (int n, float *x, const float *a)
{
#pragma tensor
  for (int i = 1; i < n; i++)
    x[i] = fmaxf (fminf (x[i - 1], a[i]), a[i - 1] - x[i - 1]);
}

static NOINLINE void
filter (int n, const float *restrict x, float *restrict y)
{
#pragma tensor
  {
    float p = 0, q = 0;
    for (int i = 0; i < n; i++)
      {
        q = q + x[i] - p + 1;
        p = p / 2 + x[i] + q / 4;
        y[i] = p;
      }
  }
}

static NOINLINE void
product (int n, float *x, const float *a, const float *b)
{
#pragma tensor
  for (int i = 1; i < n; i++)
    x[i] = x[i - 1] * a[i] * b[i] * 0.5f + a[i];
}

static NOINLINE void
scalar (int n, double *last, const double *a, const double *b)
{
  double v = 0.5;
#pragma tensor
  for (int i = 0; i < n; i++)
    v = v * a[i] * 0.5 + b[i] + a[i];
  *last = v;
}

static NOINLINE void
second (int n, double *last, const double *a, double *y)
{
  double u = 0.25;
  double v = -0.5;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      double w = a[i] - 0.5 * u + 0.25 * v;
      y[i] = w + 0.5 * u - v;
      v = u;
      u = w;
    }
  *last = u + v;
}

static float x[2][AREA], y[2][AREA];
static double d[2][AREA], e[2][AREA], last[2][1];
static int p[2][AREA], q[2][AREA];
static unsigned char b[2][AREA];

#define CHECK_NUMBERS(a)                                                       \
  do                                                                           \
    for (size_t k_ = 0; k_ < LENGTH ((a)[0]); k_++)                            \
      if (!((a)[0][k_] == (a)[1][k_])                                          \
          && !(isnan ((a)[0][k_]) && isnan ((a)[1][k_])))                      \
        differ (#a, k_, (double) (a)[0][k_], (double) (a)[1][k_]);             \
  while (0)

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (x);
    FILL (y);
    FILL (p);
    FILL_BELOW (b, 256);
    if (n < 20)
      BOTH (forward, n, x[W], y[W]);
    CHECK (x);
    BOTH (backward, n, b[W], p[W]);
    CHECK (b);
    BOTH (prefix, n, p[W]);
    CHECK (p);
    BOTH (guarded, n, x[W], y[W]);
    CHECK (x);
    FILL (x);
    BOTH (twice, n, x[W], y[W]);
    CHECK (x);
    CHECK (y);
    FILL (x);
    FILL (y);
    BOTH (after, n, x[W], y[W]);
    CHECK_NEAR (x, 1e-5);
    CHECK_NEAR (y, 1e-5);
    FILL (x);
    BOTH (filter, n, x[W], y[W]);
    CHECK_NEAR (y, 1e-4);
    FILL_REAL (y);
    FILL_REAL (x);
    BOTH (product, n, x[W], y[W], y[W] + 3);
    CHECK_NEAR (x, 1e-5);
    FILL_REAL (d);
    FILL_REAL (e);
    BOTH (scalar, n, last[W], d[W], e[W]);
    CHECK_NEAR (last, 1e-12);
    BOTH (second, n, last[W], d[W], e[W]);
    CHECK_NEAR (last, 1e-12);
    CHECK_NEAR (e, 1e-12);
    FILL (y);
    y[0][5] = y[1][5] = NAN;
    y[0][11] = y[1][11] = y[0][12] = y[1][12] = NAN;
    x[0][0] = x[1][0] = NAN;
    BOTH (extreme, n, x[W], y[W]);
    CHECK_NUMBERS (x);
  }
  EACH_SIZE (n)
  EACH_WIDTH (m)
  {
    FILL (p);
    FILL (q);
    BOTH (path, n, m, (void *) q[W], (void *) p[W]);
    CHECK (q);
  }
  return 0;
}
