/* Shows functions that call derived functions: steps of descent, as a region
   and differentiated; rows of an array handed on; an array given twice; a
   gradient made of a unit's own gradient by rows.  */

#include "check.h"

static real
valley (int m, const real *x)
{
  real s = 0;
  for (int i = 0; i + 1 < m; i++)
    {
      real u = x[i + 1] - x[i] * x[i];
      s += 0.3 * u * u + 0.1 * (1 - x[i]) * (1 - x[i]);
    }
  return s;
}

#pragma tensor gradient(valley) of(return: seed) wrt(x: dx)
int valley_gradient (int m, const real *x, real seed, real *dx);

/* STEPS of descent from x on; the last value.  */
static real
descend (int m, int steps, real rate, real *x, real *dx)
{
  for (int t = 0; t < steps; t++)
    {
      for (int i = 0; i < m; i++)
        dx[i] = 0;
      valley_gradient (m, x, 1, dx);
      for (int i = 0; i < m; i++)
        x[i] -= rate * dx[i];
    }
  return valley (m, x);
}

#pragma tensor gradient(descend) of(return: seed) wrt(x: gx, rate: grate)
int descend_gradient (int m, int steps, real rate, const real *x, real seed,
                      real *gx, real *grate);

/* The same in a region.  */
static void
descend_once (int m, real rate, real *x, real *restrict dx)
{
#pragma tensor require(transform)
  {
    for (int i = 0; i < m; i++)
      dx[i] = 0;
    valley_gradient (m, x, rate, dx);
    for (int i = 0; i < m; i++)
      x[i] -= dx[i];
  }
}

/* Each row's gradient, in place of the row with TWICE.  */
static void
rows (int m, int c, real x[m][c], real y[m][c])
{
#pragma tensor require(transform)
  for (int i = 0; i < m; i++)
    {
      for (int j = 0; j < c; j++)
        y[i][j] = 0;
      valley_gradient (c, x[i], 2, y[i]);
    }
}

static void
rows_flat (int m, int c, const real *x, real *y)
{
  for (int e = 0; e < m * c; e++)
    y[e] = 0;
  for (int i = 0; i < m; i++)
    valley_gradient (c, x + i * c, 2, y + i * c);
}

#pragma tensor tangent(rows) of(y: dy) wrt(x: dx)
void rows_tangent (int m, int c, real x[m][c], real dx[m][c], real dy[m][c]);
#pragma tensor gradient(rows_flat) of(y: dy) wrt(x: dx)
void rows_gradient (int m, int c, const real *x, const real *dy, real *dx);

/* x gains its own gradient.  */
static void
gain (int m, real *x)
{
#pragma tensor
  {
    valley_gradient (m, x, 1, x);
    for (int i = 0; i < m; i++)
      x[i] *= 2;
  }
}

static void
descend_kernel (values at, real *out)
{
  static real dx[ROOM];
  out[0] = descend (n, 3, at[1][0], at[0], dx);
}

static void
rows_kernel (values at, real *out)
{
  rows_flat (n, n + 2, at[0], out);
}

static void
check_descent (void)
{
  static real x[ROOM], y[ROOM], dx[ROOM];
  faults += descend_gradient (n, 3, a[1][0], a[0], u[0], g[0], g[1]);
  agree ("descent", descend_kernel, 0);
  agree ("rate of descent", descend_kernel, 1);
  memcpy (x, a[0], sizeof x);
  memcpy (y, a[0], sizeof y);
  descend_once (n, 0.25, x, dx);
  descend (n, 1, 0.25, y, dx);
  for (int i = 0; i < n; i++)
    faults += fabs (x[i] - y[i]) > 1e-14;
}

static void
check_rows (void)
{
  static real y[ROOM], dy[ROOM];
  real got = 0;
  rows_flat (n, n + 2, a[0], y);
  rows (n, n + 2, (void *) a[0], (void *) g[2]);
  for (int e = 0; e < n * (n + 2); e++)
    faults += fabs (y[e] - g[2][e]) > 1e-14;
  rows_tangent (n, n + 2, (void *) a[0], (void *) d[0], (void *) dy);
  for (int e = 0; e < n * (n + 2); e++)
    got += dy[e] * u[e];
  agree_slope ("rows", rows_kernel, 0, got);
  rows_gradient (n, n + 2, a[0], u, g[0]);
  agree ("rows", rows_kernel, 0);
}

static void
check_gain (void)
{
  static real x[ROOM], dx[ROOM];
  memset (dx, 0, sizeof dx);
  memcpy (x, a[0], sizeof x);
  faults += valley_gradient (n, a[0], 1, dx);
  gain (n, x);
  for (int i = 0; i < n; i++)
    faults += fabs (x[i] - 2 * (a[0][i] + dx[i])) > 1e-14;
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      check_descent ();
      start (sizes[s]);
      check_rows ();
      start (sizes[s]);
      check_gain ();
    }
  return faults != 0;
}
