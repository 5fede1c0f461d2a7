/* Shows that gathers, rows of an embedding and a histogram mean the same.  */

#include "compare.h"

static NOINLINE void
plain_gather (const float *x, const int *at, float *y, int n)
{
  for (int i = 0; i < n; i++)
    y[i] = x[at[i]] * 2;
}

static NOINLINE void
plain_gather_double (const double *x, const long *at, double *y, int n)
{
  for (int i = 0; i < n; i++)
    y[i] += x[at[i]];
}

static NOINLINE void
plain_rows (const float *table, const int *token, float *out, int n, int width)
{
  for (int i = 0; i < n; i++)
    {
      const float *row = table + token[i] * width;
      for (int c = 0; c < width; c++)
        out[i * width + c] = row[c];
    }
}

static NOINLINE void
plain_histogram (const unsigned char *x, int *count, int n)
{
  for (int i = 0; i < n; i++)
    count[x[i]]++;
}

static NOINLINE void
plain_sparse (const int *start, const int *column, const float *value,
              const float *x, float *y, int n)
{
  for (int i = 0; i < n; i++)
    {
      float s = 0;
      for (int k = start[i]; k < start[i + 1]; k++)
        s += value[k] * x[column[k]];
      y[i] = s;
    }
}

static NOINLINE float
plain_cross_entropy (const float *logp, const int *target, int n, int width)
{
  float loss = 0;
  for (int i = 0; i < n; i++)
    loss -= logp[i * width + target[i]];
  return loss;
}

static NOINLINE void
gather (const float *x, const int *at, float *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    y[i] = x[at[i]] * 2;
}

static NOINLINE void
gather_double (const double *x, const long *at, double *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    y[i] += x[at[i]];
}

static NOINLINE void
rows (const float *table, const int *token, float *out, int n, int width)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      const float *row = table + token[i] * width;
      for (int c = 0; c < width; c++)
        out[i * width + c] = row[c];
    }
}

static NOINLINE void
histogram (const unsigned char *x, int *count, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    count[x[i]]++;
}

static NOINLINE void
sparse (const int *start, const int *column, const float *value, const float *x,
        float *y, int n)
{
#pragma tensor /* { dg-missed "x and y may overlap" } */
  for (int i = 0; i < n; i++)
    {
      float s = 0;
      for (int k = start[i]; k < start[i + 1]; k++)
        s += value[k] * x[column[k]];
      y[i] = s;
    }
}

static NOINLINE float
cross_entropy (const float *logp, const int *target, int n, int width)
{
  float loss = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    loss -= logp[i * width + target[i]];
  return loss;
}

static float a[2][AREA], b[2][AREA], v[2][AREA], y[2][128];
static double d[2][128], e[2][128];
static int t[2][128], h[2][256], start[2][129], column[2][AREA];
static long l[2][128];
static unsigned char u[2][128];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (a);
    FILL (b);
    FILL (v);
    FILL (d);
    FILL (e);
    FILL (h);
    FILL_BELOW (t, 128);
    FILL_BELOW (l, 128);
    FILL_BELOW (u, 256);
    FILL_BELOW (column, 128);
    for (int i = 0; i < 129; i++)
      start[0][i] = start[1][i] = i * (i + 1) / 2;
    BOTH (gather, a[W], t[W], b[W], n);
    CHECK (b);
    BOTH (gather_double, d[W], l[W], e[W], n);
    CHECK (e);
    BOTH (histogram, u[W], h[W], n);
    CHECK (h);
    BOTH (sparse, start[W], column[W], v[W], a[W], y[W], n);
    CHECK (y);
    FILL_BELOW (t, 100);
    EACH_WIDTH (m)
    {
      FILL (b);
      BOTH (rows, a[W], t[W], b[W], n, m);
      CHECK (b);
    }
    FILL_BELOW (t, 7);
    BOTH_EQUAL (cross_entropy, a[W], t[W], n, 7);
  }
  return 0;
}
