/* { dg-no-verdicts "the pragmas come of macros" } */
/* Shows gradients of linear algebra, finance, signals and optimisation.  */

#include "field.h"

/* A factor whose square is a matrix, in place, and its logarithm.  */
static void
cholesky (int n, const real *x, const real *w, const real *p, real *y)
{
  real l[MOST][MOST];
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      {
        real s = x[i * n + j] + (i == j ? n + p[0] : 0);
        for (int k = 0; k < j; k++)
          s -= l[i][k] * l[j][k];
        l[i][j] = i == j ? sqrt (s) : s / l[j][j];
      }
  for (int i = 0; i < n; i++)
    y[i] = w[i] * log (l[i][i]) + (i > 0 ? l[i][i - 1] : 0);
}
FIELD (cholesky)

/* Factors of a matrix without a search for pivots, then its determinant.  */
static void
factors (int n, const real *x, const real *w, const real *p, real *y)
{
  real a[MOST][MOST];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = x[i * n + j] + (i == j ? n * w[0] + 1 : 0);
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++)
      {
        a[i][k] /= a[k][k];
        for (int j = k + 1; j < n; j++)
          a[i][j] -= a[i][k] * a[k][j];
      }
  y[0] = p[0];
  for (int k = 0; k < n; k++)
    y[0] += log (a[k][k]);
}
FIELD (factors)

/* A triangle solved from its end.  */
static void
triangle (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = n - 1; i >= 0; i--)
    {
      real s = w[i];
      for (int j = i + 1; j < n; j++)
        s -= 0.2 * x[i * n + j] * y[j];
      y[i] = s / (1 + p[i]);
    }
}
FIELD (triangle)

/* Rows made orthogonal one after the other.  */
static void
orthogonal (int n, const real *x, const real *w, const real *p, real *y)
{
  real q[3][MOST];
  for (int r = 0; r < 3; r++)
    {
      real size = p[0];
      for (int i = 0; i < n; i++)
        q[r][i] = x[r * n + i] + (i == r ? 1 + w[r] : 0);
      for (int s = 0; s < r; s++)
        {
          real d = 0;
          for (int i = 0; i < n; i++)
            d += q[s][i] * q[r][i];
          for (int i = 0; i < n; i++)
            q[r][i] -= d * q[s][i];
        }
      for (int i = 0; i < n; i++)
        size += q[r][i] * q[r][i];
      for (int i = 0; i < n; i++)
        q[r][i] /= sqrt (size);
    }
  for (int r = 0; r < 3; r++)
    for (int i = 0; i < n; i++)
      y[r * n + i] = q[r][i];
}
FIELD (orthogonal)

/* The greatest eigenvalue by powers.  */
static void
powers (int n, const real *x, const real *w, const real *p, real *y)
{
  real v[MOST], next[MOST], size = 1;
  for (int i = 0; i < n; i++)
    v[i] = w[i];
  for (int t = 0; t < 4; t++)
    {
      size = p[0];
      for (int i = 0; i < n; i++)
        {
          next[i] = 0;
          for (int j = 0; j < n; j++)
            next[i] += x[i * n + j] * v[j];
          size += next[i] * next[i];
        }
      for (int i = 0; i < n; i++)
        v[i] = next[i] / sqrt (size);
    }
  y[0] = sqrt (size);
}
FIELD (powers)

/* Three diagonals solved.  */
static void
diagonals (int n, const real *x, const real *w, const real *p, real *y)
{
  real c[MOST], d[MOST];
  for (int i = 0; i < n; i++)
    {
      real left = i > 0 ? x[i] : 0;
      real m = 2 + w[i] - (i > 0 ? left * c[i - 1] : 0);
      c[i] = 0.5 / m;
      d[i] = (p[i] - (i > 0 ? left * d[i - 1] : 0)) / m;
    }
  for (int i = n - 1; i >= 0; i--)
    {
      y[i] = d[i];
      if (i + 1 < n)
        y[i] -= c[i] * y[i + 1];
    }
}
FIELD (diagonals)

/* The price of a right to buy.  */
static void
option (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    {
      real spread = w[i] * sqrt (p[0]);
      real d = (log (x[i] / 0.5) + (p[1] + 0.5 * w[i] * w[i]) * p[0]) / spread;
      y[i] = x[i] * 0.5 * erfc (-d * M_SQRT1_2)
             - 0.5 * exp (-p[1] * p[0]) * 0.5
                 * erfc (-(d - spread) * M_SQRT1_2);
    }
}
FIELD (option)

/* The same in a tree, which may be used early.  */
static void
tree (int n, const real *x, const real *w, const real *p, real *y)
{
  real v[MOST + 1];
  real up = 1 + 0.2 * w[0], chance = 0.4 + 0.2 * p[0];
  for (int k = 0; k <= n; k++)
    v[k] = fmax (x[0] * pow (up, 2 * k - n) - 0.47, 0);
  for (int t = n - 1; t >= 0; t--)
    for (int k = 0; k <= t; k++)
      v[k] = fmax (0.99 * (chance * v[k + 1] + (1 - chance) * v[k]),
                   x[0] * pow (up, 2 * k - t) - 0.47);
  y[0] = v[0];
}
FIELD (tree)

/* The mean price along a path of given shocks.  */
static void
path (int n, const real *x, const real *w, const real *p, real *y)
{
  real price = w[0], mean = 0;
  for (int t = 0; t < n; t++)
    {
      price *= exp ((p[0] - 0.5 * p[1] * p[1]) * 0.1 + p[1] * (x[t] - 0.5));
      mean += price / n;
    }
  y[0] = fmax (mean - 0.4, 0);
}
FIELD (path)

/* A filter with feedback in place, then one without.  */
static void
filters (int n, const real *x, const real *w, const real *p, real *y)
{
  real t[MOST];
  for (int i = 0; i < n; i++)
    {
      t[i] = x[i];
      if (i > 0)
        t[i] += 0.5 * p[0] * t[i - 1];
      if (i > 1)
        t[i] -= 0.3 * p[1] * t[i - 2];
    }
  for (int i = 0; i < n; i++)
    {
      y[i] = 0;
      for (int k = 0; k < 4 && k <= i; k++)
        y[i] += w[k] * t[i - k];
    }
}
FIELD (filters)

/* Power of a signal by frequency.  */
static void
spectrum (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int k = 0; k < n; k++)
    {
      real re = 0, im = 0;
      for (int i = 0; i < n; i++)
        {
          re += w[i] * x[i] * cos (0.37 * k * i + p[0]);
          im -= w[i] * x[i] * sin (0.37 * k * i + p[0]);
        }
      y[k] = re * re + im * im;
    }
}
FIELD (spectrum)

/* Pairs added and taken away, stage by stage, in place.  */
static void
butterflies (int n, const real *x, const real *w, const real *p, real *y)
{
  real t[16];
  for (int i = 0; i < 16; i++)
    t[i] = x[i] * p[n % 3];
  for (int stage = 0; stage < 4; stage++)
    {
      int half = 1 << stage;
      for (int i = 0; i < 16; i++)
        if ((i & half) == 0)
          {
            real turned = t[i + half] * w[i];
            t[i + half] = t[i] - turned;
            t[i] += turned;
          }
    }
  for (int i = 0; i < 16; i++)
    y[i] = t[i];
}
FIELD (butterflies)

/* A narrow valley that bends.  */
static void
valley (int n, const real *x, const real *w, const real *p, real *y)
{
  y[0] = 0;
  for (int i = 0; i + 1 < n; i++)
    {
      real off = x[i + 1] - w[i] * x[i] * x[i];
      y[0] += 20 * p[0] * off * off + (1 - x[i]) * (1 - x[i]);
    }
}
FIELD (valley)

/* Many dips in a bowl.  */
static void
dips (int n, const real *x, const real *w, const real *p, real *y)
{
  y[0] = 0;
  for (int i = 0; i < n; i++)
    {
      real z = x[i] - w[i];
      y[0] += z * z + p[0] * (1 - cos (6 * z));
    }
}
FIELD (dips)

/* Products of all but one, by prefixes and suffixes.  */
static void
products (int n, const real *x, const real *w, const real *p, real *y)
{
  real before = p[0], after = 1;
  for (int i = 0; i < n; i++)
    {
      y[i] = before;
      before *= x[i] + 0.5;
    }
  for (int i = n - 1; i >= 0; i--)
    {
      y[i] *= after;
      after *= w[i] + 0.5;
    }
}
FIELD (products)

/* Values in the order of an index, added up from the front.  */
static void
sorted (int n, const real *x, const real *w, const real *p, real *y)
{
  real s = p[0];
  for (int i = 0; i < n; i++)
    {
      s += x[index_of[i]] * w[i];
      y[i] = s * s;
    }
}
FIELD (sorted)

/* A root by steps of Newton's, from a start that decides little.  */
static void
roots (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    {
      real r = w[i];
      for (int t = 0; t < 5; t++)
        r -= (r * r * r + p[0] * r - x[i]) / (3 * r * r + p[0]);
      y[i] = r;
    }
}
FIELD (roots)

int
main (void)
{
  CHECK (cholesky)
  CHECK (factors)
  CHECK (triangle)
  CHECK (orthogonal)
  CHECK (powers)
  CHECK (diagonals)
  CHECK (option)
  CHECK (tree)
  CHECK (path)
  CHECK (filters)
  CHECK (spectrum)
  CHECK (butterflies)
  CHECK (valley)
  CHECK (dips)
  CHECK (products)
  CHECK (sorted)
  CHECK (roots)
  return faults != 0;
}
