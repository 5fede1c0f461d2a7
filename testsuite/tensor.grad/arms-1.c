/* Shows that what is read where a condition lets it be is not read elsewhere:
   scratch that the gradient makes itself, in arms, behind && and ||, one place
   in both arms; arrays that end where the arms do; conditions and bounds of
   unsigned numbers that wrap around, where adjoints lie on values too.  */

#include "check.h"

#include <sys/mman.h>
#include <unistd.h>

static void
running (int m, const real *x, real *t, real *y)
{
  for (int i = 0; i < m; i++)
    {
      t[i] = x[i] * x[i] + (i > 0 ? 0.5 * t[i - 1] : 0);
      y[i] = sin (t[i]);
    }
}

#pragma tensor gradient(running) of(y: dy) wrt(x: dx)
void running_gradient (int m, const real *x, const real *dy, real *dx);

static void
padded (int m, int k, const real *x, real *t, real *y)
{
  for (int i = 0; i < m; i++)
    t[i] = x[i] * x[i];
  for (int i = 0; i < k; i++)
    y[i] = i < m ? sin (t[i]) : 0;
}

#pragma tensor gradient(padded) of(y: dy) wrt(x: dx)
void padded_gradient (int m, int k, const real *x, const real *dy, real *dx);

static void
decided (int m, int k, const real *x, real *t, real *y)
{
  for (int i = 0; i < m; i++)
    t[i] = x[i] * x[i];
  for (int i = 0; i < k; i++)
    {
      y[i] = 0;
      if (i < m && t[i] > 0.25)
        y[i] = t[i] * t[i];
      if (!(i >= m || t[i] > 0.2))
        y[i] += exp (t[i]);
    }
}

#pragma tensor gradient(decided) of(y: dy) wrt(x: dx)
void decided_gradient (int m, int k, const real *x, const real *dy, real *dx);

static void
parted (int m, const real *x, real *t, real *y)
{
  for (int i = 0; i < m && i < 6; i++)
    t[i] = 3 * x[i];
  for (int i = 6; i < m; i++)
    t[i] = x[i] * x[i];
  for (int i = 0; i < m; i++)
    y[i] = i > 5 ? t[i] * t[i] : 2 * t[i];
}

#pragma tensor gradient(parted) of(y: dy) wrt(x: dx)
void parted_gradient (int m, const real *x, const real *dy, real *dx);

static void
picked (int m, const real *x, const int *at, real *y)
{
  for (int i = 0; i < m; i++)
    y[i] = at[i] >= 0 ? x[at[i]] * x[at[i]] : i < m - 1 ? x[i + 1] : 0;
}

#pragma tensor gradient(picked) of(y: dy) wrt(x: dx) /* { dg-message "kept as written" } */
void picked_gradient (int m, const real *x, const int *at, const real *dy,
                      real *dx);

static real
banded (int m, int k, const real *x)
{
  real s = 0;
  for (int i = 0; i < m; i++)
    s += x[i] * x[i];
  return k / 5 == 7 ? 6 : s;
}

#pragma tensor gradient(banded) of(return) wrt(x: dx)
void banded_gradient (int m, int k, const real *x, real *dx);

static void
few (int m, const real *x, real *p, real *y)
{
  for (unsigned i = 0; i < (unsigned) (m < 12 ? m : 12); i++)
    {
      p[m - 1 - i] = x[i] * x[i];
      y[i] = sin (p[m - 1 - i]);
    }
}

#pragma tensor gradient(few) of(y: dy) wrt(x: dx)
void few_gradient (int m, const real *x, const real *dy, real *dx);

static void
running_kernel (values at, real *out)
{
  static real t[ROOM];
  running (n, at[0], t, out);
}

static void
padded_kernel (values at, real *out)
{
  static real t[ROOM];
  padded (n, n + 3, at[0], t, out);
}

static void
decided_kernel (values at, real *out)
{
  static real t[ROOM];
  decided (n, n + 3, at[0], t, out);
}

static void
parted_kernel (values at, real *out)
{
  static real t[ROOM];
  parted (n, at[0], t, out);
}

static void
few_kernel (values at, real *out)
{
  static real p[ROOM];
  few (n, at[0], p, out);
}

static void
picked_kernel (values at, real *out)
{
  picked (n, at[0], index_of, out);
}

/* BYTES of memory that ends where memory does.  */
static void *
last_bytes (size_t bytes)
{
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  size_t all = (bytes + page - 1) / page * page;
  char *p = mmap (NULL, all + page, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || mprotect (p + all, page, PROT_NONE))
    exit (1);
  return p + all - bytes;
}

/* Arrays of N elements, behind which nothing is.  */
static void
check_ends (void)
{
  real *x = last_bytes (n * sizeof *x);
  real *dx = last_bytes (n * sizeof *dx);
  memcpy (x, a[0], n * sizeof *x);
  memcpy (dx, g[0], n * sizeof *dx);
  for (int i = 0; i < n; i++)
    index_of[i] = i % 3 ? index_of[i] : -1000000000;
  padded_gradient (n, n + 3, x, u, dx);
  memcpy (g[0], dx, n * sizeof *dx);
  agree ("padded, at the end", padded_kernel, 0);
  start (n);
  for (int i = 0; i < n; i++)
    {
      index_of[i] = i % 3 ? index_of[i] : -1000000000;
      x[i] = a[0][i];
      dx[i] = g[0][i];
    }
  picked_gradient (n, x, index_of, u, dx);
  memcpy (g[0], dx, n * sizeof *dx);
  agree ("picked, at the end", picked_kernel, 0);
}

/* Adjoints that lie on values get what those that lie apart get, where the
   condition does not hold too.  */
static void
check_wrapped (void)
{
  static const int at[] = { 0, 34, 35, 39, 40 };
  static real x[ROOM];
  for (int k = 0; k < 5; k++)
    for (int in_place = 0; in_place < 2; in_place++)
      {
        memcpy (x, a[0], sizeof x);
        memset (g, 0, sizeof g);
        banded_gradient (n, at[k], x, in_place ? x : g[0]);
        for (int i = 0; i < n; i++)
          faults += fabs ((in_place ? x[i] - a[0][i] : g[0][i])
                          - (at[k] / 5 == 7 ? 0 : 2 * a[0][i]))
                    > 1e-12;
      }
  start (n);
  few_gradient (n, a[0], u, g[0]);
  agree ("few", few_kernel, 0);
  memcpy (x, a[0], sizeof x);
  few_gradient (n, x, u, x);
  for (int i = 0; i < n; i++)
    faults += fabs (x[i] - a[0][i] - (g[0][i] - 0.25)) > 1e-12;
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      running_gradient (n, a[0], u, g[0]);
      agree ("running", running_kernel, 0);
      start (sizes[s]);
      padded_gradient (n, n + 3, a[0], u, g[0]);
      agree ("padded", padded_kernel, 0);
      start (sizes[s]);
      decided_gradient (n, n + 3, a[0], u, g[0]);
      agree ("decided", decided_kernel, 0);
      start (sizes[s]);
      parted_gradient (n, a[0], u, g[0]);
      agree ("parted", parted_kernel, 0);
      start (sizes[s]);
      check_ends ();
      start (sizes[s]);
      check_wrapped ();
    }
  return faults != 0;
}
