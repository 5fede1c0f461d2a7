/* Shows that gradients of functions whose arrays overlap, or whose subscripts
   nobody can bound, read and write the elements that the function reaches and
   no others: none beyond fences, none of an array that lies between.  */

#include "check.h"

#include <sys/mman.h>
#include <unistd.h>

/* The subscripts of x are 0 to m - 1, their bounds 1 - m to m - 1.  */
static void
lags (int m, const real *x, const real *w, real *y)
{
  for (int i = 0; i < m; i++)
    {
      real s = 0;
      for (int j = 0; j <= i; j++)
        s += x[i - j] * w[j];
      y[i] = s * s;
    }
}

#pragma tensor gradient(lags) of(y: dy) wrt(x: dx)
void lags_gradient (int m, const real *x, const real *w, const real *dy,
                    real *dx);

#pragma tensor tangent(lags) of(y: dy) wrt(x: dx)
void lags_tangent (int m, const real *x, const real *w, real *dy,
                   const real *dx);

/* Two panels of ROW numbers each, which may lie side by side.  */
static void
panels (int m, int row, int step, real *x, real *y)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < row; j++)
      {
        x[i * step + j] *= y[i * step + j];
        y[i * step + j] += sin (x[i * step + j]);
        x[i * step + j] *= x[i * step + j];
      }
}

#pragma tensor gradient(panels) of(x: dx, y: dy) wrt(x: dx, y: dy)
void panels_gradient (int m, int row, int step, const real *x, const real *y,
                      real *dx, real *dy);

/* Where c is not above 0, k may be anything.  */
static void
picked (int m, const int *restrict k, const real *restrict c, real *restrict x,
        real *restrict y)
{
  for (int i = 0; i < m; i++)
    y[i] = c[i] > 0.5 ? c[i] * x[k[i]] * x[k[i]] : 0;
  for (int i = 0; i < m; i++)
    x[i] = 0;
}

#pragma tensor gradient(picked) of(y: dy) wrt(c: dc) with(primal)
void picked_gradient (int m, const int *restrict k, const real *restrict c,
                      real *restrict x, real *restrict y,
                      const real *restrict dy, real *restrict dc);

/* A part of a matrix, whose last row ends where the part does.  */
static void
swing (int m, int row, int step, real *restrict x)
{
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < row; j++)
        x[i * step + j] = sin (x[i * step + j]) + t;
}

#pragma tensor gradient(swing) of(x: dx) wrt(x: dx)
void swing_gradient (int m, int row, int step, const real *restrict x,
                     real *restrict dx);

/* SIZE numbers with nothing behind (LAST) or before them, copied from FROM.  */
static real *
fenced (const real *from, int size, int last)
{
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  size_t bytes = (size_t) size * sizeof (real);
  char *base = mmap (NULL, 3 * page, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED || mprotect (base, page, PROT_NONE)
      || mprotect (base + 2 * page, page, PROT_NONE))
    abort ();
  real *made = (real *) (base + (last ? 2 * page - bytes : page));
  memcpy (made, from, bytes);
  return made;
}

/* GOT has what WANT has.  */
static void
same (const char *name, const real *got, const real *want, int size)
{
  for (int e = 0; e < size; e++)
    if (fabs (got[e] - want[e]) > 1e-13 * (1 + fabs (want[e])))
      {
        printf ("%s, n = %d, element %d: %g, not %g\n", name, n, e, got[e],
                want[e]);
        faults++;
        return;
      }
}

/* The adjoint of x lies where w does, the tangent of y where x's.  */
static void
check_lags (int last)
{
  start (n);
  memcpy (g[0], a[1], sizeof g[0]);
  lags_gradient (n, a[0], a[1], u, g[0]);
  real *w = fenced (a[1], n, last);
  lags_gradient (n, fenced (a[0], n, last), w, u, w);
  same ("lags", w, g[0], n);
  lags_tangent (n, a[0], a[1], g[1], d[0]);
  real *dx = fenced (d[0], n, last);
  lags_tangent (n, fenced (a[0], n, last), a[1], dx, dx);
  same ("tangent of lags", dx, g[1], n);
}

/* The panels of a matrix of N rows in OUT from those of FROM, or back.  */
static void
join (real *left, real *right, real *both, int back)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        real *one = left + i * n + j, *other = right + i * n + j;
        real *in = both + 2 * i * n + j;
        if (back)
          *one = in[0], *other = in[n];
        else
          in[0] = *one, in[n] = *other;
      }
}

/* Values and adjoints side by side.  */
static void
check_panels (void)
{
  static real both[2 * ROOM], seeds[2 * ROOM], gx[ROOM], gy[ROOM];
  start (n);
  memcpy (g[0], d[0], sizeof g[0]);
  memcpy (g[1], d[1], sizeof g[1]);
  panels_gradient (n, n, n, a[0], a[1], g[0], g[1]);
  join (a[0], a[1], both, 0);
  join (d[0], d[1], seeds, 0);
  panels_gradient (n, n, 2 * n, both, both + n, seeds, seeds + n);
  join (gx, gy, seeds, 1);
  same ("left panel", gx, g[0], n * n);
  same ("right panel", gy, g[1], n * n);
}

/* What is not picked is not there.  */
static void
check_picked (int last)
{
  static int k[ROOM];
  static real want[ROOM], y[ROOM];
  start (n);
  for (int i = 0; i < n; i++)
    {
      k[i] = a[1][i] > 0.5 ? (i * 7) % n : 1 << 28;
      want[i] = 0.25 + (a[1][i] > 0.5 ? u[i] * a[0][k[i]] * a[0][k[i]] : 0);
    }
  real *dc = fenced (g[0], n, last);
  picked_gradient (n, k, a[1], fenced (a[0], n, last), y, u, dc);
  same ("picked", dc, want, n);
}

/* N rows of N numbers, 3 more apart.  */
static void
check_swing (int last)
{
  int all = n > 0 ? (n - 1) * (n + 3) + n : 0;
  start (n);
  memcpy (g[0], u, sizeof g[0]);
  swing_gradient (n, n, n + 3, a[0], g[0]);
  real *dx = fenced (u, all, last);
  swing_gradient (n, n, n + 3, fenced (a[0], all, last), dx);
  same ("swing", dx, g[0], all);
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      n = sizes[s];
      for (int last = 0; last < 2; last++)
        {
          check_lags (last);
          check_picked (last);
          check_swing (last);
        }
      check_panels ();
    }
  return faults != 0;
}
