/* Shows that the place of an extreme value is what the loop as written finds,
   in one block and in several: first and last of equal ones, what is no
   number, zeros of both signs, values that are computed, elements that keep
   the best, places through themselves, rows, distances, two dimensions, and
   loops that only look like that.  */

#include "compare.h"

static const int lengths[]
  = { 0, 1, 2, 31, 32, 33, 34, 97, 1023, 1024, 1025, 1056, 2500 };

#define EACH_LENGTH(n) EACH_OF (n, lengths, 0)
#define WIDTH          2500

static NOINLINE void
plain_first (int n, const float *x, float *best, int *at)
{
  float v = x[0];
  int p = -1;
  for (int i = 0; i < n; i++)
    if (x[i] > v)
      {
        v = x[i];
        p = i;
      }
  best[0] = v;
  at[0] = p;
}

static NOINLINE void
plain_last (int n, const float *x, float *best, int *at)
{
  float v = x[0];
  int p = -1;
  for (int i = 0; i < n; i++)
    if (x[i] <= v)
      {
        p = i;
        v = x[i];
      }
  best[0] = v;
  at[0] = p;
}

static NOINLINE void
plain_itself (long n, const double *x, long *at)
{
  long p = 0;
  for (long i = 1; i < n; i++)
    if (x[i] < x[p])
      p = i;
  at[0] = p;
}

static NOINLINE void
plain_magnitude (int n, const float *x, int *at)
{
  float v = 0;
  int p = 7;
  for (int i = 0; i < n; i++)
    {
      float d = fabsf (x[i]);
      if (v < d)
        {
          v = d;
          p = 2 * i - 5;
        }
    }
  at[0] = p;
}

static NOINLINE void
plain_nearest (int n, const double *x, const double *y, long *at)
{
  double v = 1e30;
  long p = -1;
  for (int i = 0; i < n; i++)
    {
      double dx = x[i] - 0.3;
      double dy = y[i] + 0.1;
      double d = dx * dx + dy * dy;
      if (d < v)
        {
          v = d;
          p = i;
        }
    }
  at[0] = p;
}

static NOINLINE void
plain_bytes (int n, const unsigned char *x, int *best, int *at)
{
  unsigned char v = 0;
  int p = -1;
  for (int i = 0; i < n; i++)
    if (x[i] >= v)
      {
        v = x[i];
        p = i;
      }
  best[0] = v;
  at[0] = p;
}

static NOINLINE void
plain_element (int n, int k, const float *x, float *best, int *at)
{
  for (int i = 0; i < n; i++)
    if (x[i] < best[k])
      {
        at[k] = i;
        best[k] = x[i];
      }
}

static NOINLINE void
plain_rows (int n, int m, const int *x, int *best, int *at)
{
  for (int r = 0; r < m; r++)
    {
      int v = x[r * n];
      int p = 0;
      for (int i = 1; i < n; i++)
        if (x[r * n + i] > v)
          {
            v = x[r * n + i];
            p = i;
          }
      best[r] = v;
      at[r] = p;
    }
}

static NOINLINE void
plain_plane (int n, int m, const int *x, int *at)
{
  int v = -1000;
  int p = -1;
  int q = -1;
  for (int r = 0; r < m; r++)
    for (int i = 0; i < n; i++)
      if (x[r * n + i] > v)
        {
          v = x[r * n + i];
          p = r;
          q = i;
        }
  at[0] = p;
  at[1] = q;
}

static NOINLINE void
plain_beside (int n, const int *x, int *y, int *at)
{
  int v = -1;
  int p = -1;
  int s = 0;
  for (int i = 0; i < n; i++)
    {
      y[i] = x[i] * 2;
      s += y[i];
      if (y[i] > v)
        {
          v = y[i];
          p = i;
        }
    }
  at[0] = p;
  at[1] = s;
}

static NOINLINE void
plain_used (int n, const int *x, int *y, int *at)
{
  int v = -1;
  int p = -1;
  for (int i = 0; i < n; i++)
    {
      y[i] = p;
      if (x[i] > v)
        {
          v = x[i];
          p = i;
        }
    }
  at[0] = p;
}

static NOINLINE void
plain_pattern (int n, int k, const int *x, const int *y, int *at)
{
  int v = 1 << 30;
  int p = -1;
  for (int c = 0; c < n; c++)
    {
      int d = 0;
      for (int j = 0; j < k; j++)
        d += (x[c * k + j] - y[j]) * (x[c * k + j] - y[j]);
      if (d < v)
        {
          v = d;
          p = c;
        }
    }
  at[0] = p;
}

static NOINLINE void
first (int n, const float *x, float *best, int *at)
{
  float v = x[0];
  int p = -1;
#pragma tensor
  for (int i = 0; i < n; i++)
    if (x[i] > v)
      {
        v = x[i];
        p = i;
      }
  best[0] = v;
  at[0] = p;
}

static NOINLINE void
last (int n, const float *x, float *best, int *at)
{
  float v = x[0];
  int p = -1;
#pragma tensor
  for (int i = 0; i < n; i++)
    if (x[i] <= v)
      {
        p = i;
        v = x[i];
      }
  best[0] = v;
  at[0] = p;
}

static NOINLINE void
itself (long n, const double *x, long *at)
{
  long p = 0;
#pragma tensor
  for (long i = 1; i < n; i++)
    if (x[i] < x[p])
      p = i;
  at[0] = p;
}

static NOINLINE void
magnitude (int n, const float *x, int *at)
{
  float v = 0;
  int p = 7;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float d = fabsf (x[i]);
      if (v < d)
        {
          v = d;
          p = 2 * i - 5;
        }
    }
  at[0] = p;
}

static NOINLINE void
nearest (int n, const double *x, const double *y, long *at)
{
  double v = 1e30;
  long p = -1;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      double dx = x[i] - 0.3;
      double dy = y[i] + 0.1;
      double d = dx * dx + dy * dy;
      if (d < v)
        {
          v = d;
          p = i;
        }
    }
  at[0] = p;
}

static NOINLINE void
bytes (int n, const unsigned char *x, int *best, int *at)
{
  unsigned char v = 0;
  int p = -1;
#pragma tensor
  for (int i = 0; i < n; i++)
    if (x[i] >= v)
      {
        v = x[i];
        p = i;
      }
  best[0] = v;
  at[0] = p;
}

static NOINLINE void
element (int n, int k, const float *x, float *best, int *at)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    if (x[i] < best[k])
      {
        at[k] = i;
        best[k] = x[i];
      }
}

static NOINLINE void
rows (int n, int m, const int *x, int *best, int *at)
{
#pragma tensor
  for (int r = 0; r < m; r++)
    {
      int v = x[r * n];
      int p = 0;
      for (int i = 1; i < n; i++)
        if (x[r * n + i] > v)
          {
            v = x[r * n + i];
            p = i;
          }
      best[r] = v;
      at[r] = p;
    }
}

static NOINLINE void
plane (int n, int m, const int *x, int *at)
{
  int v = -1000;
  int p = -1;
  int q = -1;
#pragma tensor
  for (int r = 0; r < m; r++)
    for (int i = 0; i < n; i++)
      if (x[r * n + i] > v)
        {
          v = x[r * n + i];
          p = r;
          q = i;
        }
  at[0] = p;
  at[1] = q;
}

static NOINLINE void
beside (int n, const int *x, int *y, int *at)
{
  int v = -1;
  int p = -1;
  int s = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      y[i] = x[i] * 2;
      s += y[i];
      if (y[i] > v)
        {
          v = y[i];
          p = i;
        }
    }
  at[0] = p;
  at[1] = s;
}

static NOINLINE void
used (int n, const int *x, int *y, int *at)
{
  int v = -1;
  int p = -1;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      y[i] = p;
      if (x[i] > v)
        {
          v = x[i];
          p = i;
        }
    }
  at[0] = p;
}

static NOINLINE void
pattern (int n, int k, const int *x, const int *y, int *at)
{
  int v = 1 << 30;
  int p = -1;
#pragma tensor
  for (int c = 0; c < n; c++)
    {
      int d = 0;
      for (int j = 0; j < k; j++)
        d += (x[c * k + j] - y[j]) * (x[c * k + j] - y[j]);
      if (d < v)
        {
          v = d;
          p = c;
        }
    }
  at[0] = p;
}

static float x[2][WIDTH], best[2][8];
static double u[2][WIDTH], v[2][WIDTH];
static int p[2][5 * WIDTH], q[2][5 * WIDTH], r[2][8], at[2][8];
static long far[2][1];
static unsigned char b[2][WIDTH];

#define CHECK_SAME(a)                                                          \
  do                                                                           \
    for (size_t k_ = 0; k_ < LENGTH ((a)[0]); k_++)                            \
      if (!((a)[0][k_] == (a)[1][k_])                                          \
          && !(isnan ((a)[0][k_]) && isnan ((a)[1][k_])))                      \
        differ (#a, k_, (double) (a)[0][k_], (double) (a)[1][k_]);             \
  while (0)

/* The kernels on N floating values.  */
static void
check_floats (int n)
{
  BOTH (first, n, x[W], best[W], at[W]);
  CHECK_SAME (best);
  CHECK (at);
  BOTH (last, n, x[W], best[W], at[W]);
  CHECK_SAME (best);
  CHECK (at);
  BOTH (magnitude, n, x[W], at[W]);
  CHECK (at);
  BOTH (element, n, 3, x[W], best[W], at[W]);
  CHECK_SAME (best);
  CHECK (at);
  BOTH (itself, n, u[W], far[W]);
  CHECK (far);
  BOTH (nearest, n, u[W], v[W], far[W]);
  CHECK (far);
}

/* The kernels on N integers.  */
static void
check_integers (int n)
{
  BOTH (bytes, n, b[W], r[W], at[W]);
  CHECK (r);
  CHECK (at);
  BOTH (rows, n, 5, p[W], r[W], at[W]);
  CHECK (r);
  CHECK (at);
  BOTH (plane, n, 5, p[W], at[W]);
  CHECK (at);
  BOTH (beside, n, p[W], q[W], at[W]);
  CHECK (q);
  CHECK (at);
  BOTH (used, n, p[W], q[W], at[W]);
  CHECK (q);
  CHECK (at);
  BOTH (pattern, n, 5, p[W], q[W], at[W]);
  CHECK (at);
}

int
main (void)
{
  EACH_LENGTH (n)
  for (int times = 0; times < 3; times++)
    {
      FILL_REAL (x);
      FILL_REAL (u);
      FILL_REAL (v);
      FILL (p);
      FILL (best);
      FILL_BELOW (b, times ? 256 : 4);
      for (size_t k = 0; times == 1 && k < WIDTH; k += 1 + next () % 9)
        x[0][k] = x[1][k] = u[0][k] = u[1][k] = NAN;
      for (size_t k = times; times == 2 && k < WIDTH; k++)
        x[0][k] = x[1][k] = next () % 2 ? 0.0f : -0.0f;
      check_floats ((int) n);
      check_integers ((int) n);
    }
  return 0;
}
