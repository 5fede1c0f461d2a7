/* Shows gradients of stores by index into arrays whose size nobody says: the
   indices are looked at first; those that a condition hides are left alone, as
   is what lies outside them.  */

#include "check.h"

/* Elements that are set, several times or not at all.  */
static void
put (int m, const int *restrict k, const real *restrict x, real *restrict y)
{
  for (int i = 0; i < m; i++)
    y[k[i]] = x[i] * x[i];
}

#pragma tensor gradient(put) of(y : dy) wrt(x : dx)
void put_gradient (int m, const int *restrict k, const real *restrict x,
                   const real *restrict dy, real *restrict dx);

#pragma tensor tangent(put) of(y : dy) wrt(x : dx)
void put_tangent (int m, const int *restrict k, const real *restrict x,
                  real *restrict dy, const real *restrict dx);

/* What is written is read again, in memory that may overlap.  */
static void
chain (int m, const int *k, const real *x, real *y)
{
  for (int i = 0; i < m; i++)
    y[k[i] ^ 1] = sin (y[k[m - 1 - i]]) * x[i] + y[k[i]];
}

#pragma tensor gradient(chain) of(y : dy) wrt(y : dy, x : dx) /* { dg-warning "dy and y may overlap" } */
void chain_gradient (int m, const int *k, const real *x, const real *y,
                     real *dx, real *dy);

/* Rows, some before the first; others hold no indices.  */
static void
rows (int m, const int *is_one, const int *k, const real *x, real *y)
{
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < m; i++)
      if (is_one[i] && i > 0)
        for (int j = 0; j < 3; j++)
          y[3 * (k[i] - 4) + j] = x[3 * i + j] * x[j] + t;
}

#pragma tensor gradient(rows) of(y : dy) wrt(x : dx) with(primal) /* { dg-warning "y and x may overlap" } */
void rows_gradient (int m, const int *is_one, const int *k, const real *x,
                    real *y, const real *dy, real *dx);

static void
put_kernel (values at, real *out)
{
  put (n, index_of, at[0], out);
}

static void
chain_kernel (values at, real *out)
{
  chain (n, index_of, at[0], at[1]);
  memcpy (out, at[1], sizeof at[1]);
}

static int is_one[ROOM], hidden[ROOM];

static void
rows_kernel (values at, real *out)
{
  rows (n, is_one, hidden, at[0], out + 12);
}

/* The tangent sets what is written, and nothing else.  */
static void
check_tangent (void)
{
  static real y[ROOM], dy[ROOM], want[ROOM];
  for (int e = 0; e < ROOM; e++)
    dy[e] = want[e] = 7;
  for (int i = 0; i < n; i++)
    want[index_of[i]] = 2 * a[0][i] * d[0][i];
  put_tangent (n, index_of, a[0], dy, d[0]);
  for (int e = 0; e < ROOM; e++)
    faults += y[e] != 0 || fabs (dy[e] - want[e]) > 1e-15;
}

int
main (void)
{
  static real y[ROOM];
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    {
      start (sizes[k]);
      put_gradient (n, index_of, a[0], u, g[0]);
      agree ("put", put_kernel, 0);
      check_tangent ();
      memcpy (g[1], u, sizeof u);
      memcpy (g[0], g[2], sizeof u);
      chain_gradient (n, index_of, a[0], a[1], g[0], g[1]);
      agree ("chain", chain_kernel, 0);
      agree_from ("chain", chain_kernel, 1, 0);
      for (int e = 0; e < ROOM; e++)
        {
          is_one[e] = e % 3 != 1;
          hidden[e] = is_one[e] && e > 0 && n ? index_of[e] : 1 << 30;
        }
      memcpy (g[0], g[2], sizeof u);
      rows_gradient (n, is_one, hidden, a[0], y + 12, u + 12, g[0]);
      agree ("rows", rows_kernel, 0);
    }
  if (faults)
    printf ("%d faults\n", faults);
  return faults != 0;
}
