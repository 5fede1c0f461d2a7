/* Shows tangents: of results, outputs, arrays changed in place; along arrays
   and numbers; by rows, by index, under choices; what the function does not
   write keeps its tangent, what it sets to a constant has 0; the values stay,
   and tangents that leave may lie where values or tangents that come in lie.  */

#include "check.h"

static real
sum_of (int m, const real *x, const real *w, real p, real *y)
{
  real s = 0;
  for (int i = 0; i < m; i++)
    {
      y[i] = pow (x[i], p) * w[i];
      s += y[i] * x[i];
    }
  return s;
}

#pragma tensor tangent(sum_of) of(return: ds, y: dy) wrt(x: dx, p: dp)
int sum_tangent (int m, const real *x, const real *w, real p, const real *dx,
                 real dp, real *ds, real *dy);
#pragma tensor tangent(sum_of) of(return: ds) wrt(w: dw, p: dp)
void sum_tangent_of_weights (int m, const real *x, const real *w, real p,
                             const real *dw, const real *dp, real *ds);

#pragma tensor tangent(heat) of(x: dx) wrt(x: dx)
void heat_tangent (int m, const real *x, real *dx);
#pragma tensor tangent(heat) of(x: dy) wrt(x: dy)
int heat_tangent_again (int m, const real *x, real *dy);

static void
heat (int m, real *x)
{
  for (int t = 0; t < 3; t++)
    for (int i = 1; i < m - 1; i++)
      x[i] = x[i] + 0.25 * x[i] * (x[i - 1] - 2 * x[i] + x[i + 1]);
}

static void
choose (int m, const real *x, const int *to, real *y)
{
  real c = 0.5;
  for (int i = 0; i < m; i++)
    y[i] = 0;
  for (int i = 0; i < m; i++)
    {
      if (i % 3 == 1)
        continue;
      real v = x[i] > c ? x[i] * x[i] : fmax (sqrt (x[i]), 0.6);
      y[to[i]] += v * c;
      c = 0.5 * c + 0.3 * fabs (x[i] - 0.4);
    }
}

#pragma tensor tangent(choose) of(y: dy) wrt(x: dx)
void choose_tangent (int m, const real *x, const int *to, const real *dx,
                     real *restrict dy);

static void
soften (int m, int c, const real *x, real y[m][c])
{
  for (int i = 0; i < m; i++)
    {
      real most = x[i * c], s = 0;
      for (int j = 1; j < c; j++)
        if (x[i * c + j] > most)
          most = x[i * c + j];
      for (int j = 0; j < c; j++)
        s += y[i][j] = exp (x[i * c + j] - most);
      for (int j = 0; j < c; j++)
        y[i][j] /= s;
    }
}

#pragma tensor tangent(soften) of(y: dy) wrt(x: dx)
void soften_tangent (int m, int c, const real *x, const real *dx,
                     real dy[m][c]);

static void
multiply (int m, const real *x, const real *w, real *y)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      {
        real s = 0;
        for (int k = 0; k < m; k++)
          s += x[i * m + k] * w[k * m + j];
        y[i * m + j] = tanh (s);
      }
}

#pragma tensor tangent(multiply) of(y: dy) wrt(x: dx, w: dw)
void multiply_tangent (int m, const real *x, const real *w, const real *dx,
                       const real *dw, real *dy);

static void
mark (int m, const real *x, real *y)
{
  for (int i = 0; i < m; i++)
    if (i % 2)
      y[i] = x[i] * x[i];
    else if (i % 4)
      y[i] = 3;
  for (int i = 0; i < m; i++)
    if (i % 5 == 1)
      y[i] += x[i];
}

#pragma tensor tangent(mark) of(y: dy) wrt(x: dx)
void mark_tangent (int m, const real *x, real *y, const real *dx, real *dy);

static void
sum_kernel (values at, real *out)
{
  *out = sum_of (n, at[0], at[1], at[2][0], out + 1);
  memset (out + 1, 0, sizeof at[0] - sizeof *out);
}

static void
heat_kernel (values at, real *out)
{
  heat (n, at[0]);
  memcpy (out, at[0], n * sizeof *out);
}

static void
choose_kernel (values at, real *out)
{
  choose (n, at[0], index_of, out);
}

static void
soften_kernel (values at, real *out)
{
  soften (n, n + 3, at[0], (void *) out);
}

static void
multiply_kernel (values at, real *out)
{
  multiply (n, at[0], at[1], out);
}

/* The products of U and the M tangents DOT agree with F; what is behind them
   is as it was.  */
static void
forward (const char *name, kernel *f, int k, const real *dot, int m)
{
  real got = 0;
  for (int e = 0; e < m; e++)
    got += dot[e] * u[e];
  agree_slope (name, f, k, got);
  if (dot[m] == 0.25)
    return;
  printf ("%s: sets too much\n", name);
  faults++;
}

static void
check_sums (void)
{
  static const real none[ROOM];
  real ds = 9, zero = 0;
  faults += sum_tangent (n, a[0], a[1], a[2][0], d[0], 0, &ds, g[0]);
  agree_slope ("sum in x", sum_kernel, 0, ds * u[0]);
  for (int i = 0; i < n; i++)
    {
      real want = a[2][0] * pow (a[0][i], a[2][0] - 1) * a[1][i] * d[0][i];
      faults += fabs (g[0][i] - want) > 1e-12;
    }
  faults += sum_tangent (n, a[0], a[1], a[2][0], none, d[2][0], &ds, g[0]);
  agree_slope ("sum in p", sum_kernel, 2, ds * u[0]);
  sum_tangent_of_weights (n, a[0], a[1], a[2][0], d[1], &zero, &ds);
  agree_slope ("sum in w", sum_kernel, 1, ds * u[0]);
}

static void
check_marks (void)
{
  static real y[ROOM];
  mark_tangent (n, a[0], y, d[0], g[1]);
  for (int i = 0; i < n; i++)
    {
      real first = i % 2 ? 2 * a[0][i] * d[0][i] : i % 4 ? 0 : 0.25;
      real want = i % 5 != 1 ? first : d[0][i] + (i % 2 || i % 4 ? first : 0);
      faults += fabs (g[1][i] - want) > 1e-12 || y[i] != 0;
    }
}

/* Tangents that leave lie where values and tangents that come in lie.  */
static void
check_overlaps (void)
{
  static real x[ROOM], dx[ROOM];
  memcpy (x, a[0], sizeof x);
  memcpy (dx, d[0], sizeof dx);
  multiply_tangent (n, a[0], a[1], d[0], d[1], g[2]);
  multiply_tangent (n, x, a[1], d[0], d[1], x);
  multiply_tangent (n, a[0], a[1], dx, d[1], dx);
  for (int e = 0; e < n * n; e++)
    faults += fabs (x[e] - g[2][e]) > 1e-12 || fabs (dx[e] - g[2][e]) > 1e-12;
}

static void
check_size (int size)
{
  static values before;
  static const real none[ROOM];
  start (size);
  memcpy (before, a, sizeof a);
  check_sums ();
  start (size);
  check_marks ();
  check_overlaps ();
  start (size);
  memcpy (g[0], d[0], sizeof g[0]);
  memcpy (g[1], d[0], sizeof g[1]);
  heat_tangent (n, a[0], g[0]);
  faults += heat_tangent_again (n, a[0], g[1]);
  faults += memcmp (g[0], g[1], sizeof g[0]) != 0;
  g[0][n] = 0.25;
  forward ("heat", heat_kernel, 0, g[0], n);
  start (size);
  choose_tangent (n, a[0], index_of, d[0], g[0]);
  forward ("choose", choose_kernel, 0, g[0], n);
  soften_tangent (n, n + 3, a[0], d[0], (void *) g[1]);
  forward ("soften", soften_kernel, 0, g[1], n * (n + 3));
  multiply_tangent (n, a[0], a[1], none, d[1], g[2]);
  forward ("multiply", multiply_kernel, 1, g[2], n * n);
  start (size);
  memcpy (before, a, sizeof a);
  multiply_tangent (n, a[0], a[1], d[0], none, g[2]);
  forward ("multiply", multiply_kernel, 0, g[2], n * n);
  faults += memcmp (before, a, sizeof a) != 0;
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    check_size (sizes[s]);
  return faults != 0;
}
