/* Shows that what is read where a condition lets it be is not read elsewhere:
   scratch that the gradient makes itself, in arms, behind && and ||, one place
   in both arms; arrays that end where the arms do.  */

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

#pragma tensor gradient(picked) of(y: dy) wrt(x: dx) /* { dg-warning "dx and x may overlap" } */
void picked_gradient (int m, const real *x, const int *at, const real *dy,
                      real *dx);

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
    }
  return faults != 0;
}
