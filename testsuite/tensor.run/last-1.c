/* Shows that scalars which are seen after the loops keep their last value:
   set in lanes, in an outer loop, below a condition, in a triangle, twice in
   one iteration.  */

#include "compare.h"

static NOINLINE void
plain_lanes (double *out, const double *in, int n, double *last)
{
  double m = -1, d = -2;
  for (int i = 0; i < n; i++)
    {
      m = in[i] * 2 + 1;
      d = m - in[n - 1 - i];
      out[i] = m * m + d;
    }
  last[0] = m + d;
}

static NOINLINE void
plain_rows (double *out, const double *in, int n, double *last)
{
  double sum = -1;
  for (int i = 0; i < n; i++)
    {
      sum = 0;
      for (int j = 0; j < n; j++)
        sum += in[i * n + j];
      out[i] = sum;
    }
  last[0] = sum;
}

static NOINLINE void
plain_triangle (double *out, const double *in, int n, double *last)
{
  double m = -1, p = -2;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      {
        m = in[i * n + j] + 1;
        if (j > 2)
          p = m * 2;
        out[j * n + i] = m;
      }
  last[0] = m + p;
}

static NOINLINE void
plain_twice (double *out, const double *in, int n, double *last)
{
  double t = -1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        t = in[i * n + j] * 3;
        out[i * n + j] = t;
        t = t - 1;
        out[i * n + j] += t * t;
      }
  last[0] = t;
}

static NOINLINE void
lanes (double *out, const double *in, int n, double *last)
{
  double m = -1, d = -2;
#pragma tensor noalias(out, in)
  for (int i = 0; i < n; i++)
    {
      m = in[i] * 2 + 1;
      d = m - in[n - 1 - i];
      out[i] = m * m + d;
    }
  last[0] = m + d;
}

static NOINLINE void
rows (double *out, const double *in, int n, double *last)
{
  double sum = -1;
#pragma tensor noalias(out, in)
  for (int i = 0; i < n; i++)
    {
      sum = 0;
      for (int j = 0; j < n; j++)
        sum += in[i * n + j];
      out[i] = sum;
    }
  last[0] = sum;
}

static NOINLINE void
triangle (double *out, const double *in, int n, double *last)
{
  double m = -1, p = -2;
#pragma tensor noalias(out, in)
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      {
        m = in[i * n + j] + 1;
        if (j > 2)
          p = m * 2;
        out[j * n + i] = m;
      }
  last[0] = m + p;
}

static NOINLINE void
twice (double *out, const double *in, int n, double *last)
{
  double t = -1;
#pragma tensor noalias(out, in)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        t = in[i * n + j] * 3;
        out[i * n + j] = t;
        t = t - 1;
        out[i * n + j] += t * t;
      }
  last[0] = t;
}

static double in[2][AREA], out[2][AREA], seen[2][1];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (in);
    BOTH (lanes, out[W], in[W], n, seen[W]);
    CHECK (out);
    CHECK (seen);
    BOTH (rows, out[W], in[W], n, seen[W]);
    CHECK (out);
    CHECK (seen);
    BOTH (triangle, out[W], in[W], n, seen[W]);
    CHECK (out);
    CHECK (seen);
    BOTH (twice, out[W], in[W], n, seen[W]);
    CHECK (out);
    CHECK (seen);
  }
  return 0;
}
