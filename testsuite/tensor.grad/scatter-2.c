/* Shows gradients of elements that indices name and that are stored to again
   and again: the last store counts, adjoints of what is overwritten are gone,
   rows and elements, in place and in scratch; the same bits for any number of
   threads.  */

/* { dg-tensor-opts "parallel-threshold=1" } */

#include "check.h"
#ifdef _OPENMP
#  include <omp.h>
#endif

/* Scratch that is stored to by index, then read.  */
static void
put (int m, const int *at, const real *x, real *restrict y)
{
  real t[m];
  for (int i = 0; i < m; i++)
    t[i] = 0.1 * i * x[i];
  for (int i = 0; i < m; i++)
    t[at[i]] = x[i] * x[i];
  for (int i = 0; i < m; i++)
    y[i] = t[i] * t[i] + x[i];
}

#pragma tensor gradient(put) of(y: dy) wrt(x: dx)
void put_gradient (int m, const int *at, const real *x,
                   const real *restrict dy, real *restrict dx);

/* What was stored before is read where the next store goes, and two stores of
   one iteration may meet.  */
static void
replace (int m, const int *at, const real *x, real *restrict y)
{
  real t[m];
  for (int i = 0; i < m; i++)
    t[i] = x[m - 1 - i];
  for (int i = 0; i < m; i++)
    {
      t[at[i]] = sin (x[i]) * t[at[i]];
      if (i % 3 == 0)
        t[at[i] / 2] = x[i];
    }
  for (int i = 0; i < m; i++)
    y[i] = t[i] * x[i];
}

#pragma tensor gradient(replace) of(y: dy) wrt(x: dx)
void replace_gradient (int m, const int *at, const real *x,
                       const real *restrict dy, real *restrict dx);

/* Rows of the result; their adjoint leaves as that of what they held.  */
static void
rows (int m, const int *at, const real *x, const real *w, real y[restrict][3])
{
  for (int i = 0; i < m; i++)
    for (int c = 0; c < 3; c++)
      y[at[i] / 3][c] = x[i] * w[(i + c) % m];
}

#pragma tensor gradient(rows) of(y: dy) wrt(x: dx, w: dw, y: dy)
void rows_gradient (int m, const int *at, const real *x, const real *w,
                    real dy[restrict][3], real *restrict dx, real *restrict dw);

static void
put_kernel (values at, real *out)
{
  put (n, index_of, at[0], out);
}

static void
replace_kernel (values at, real *out)
{
  replace (n, index_of, at[0], out);
}

static void
rows_kernel (values at, real *out)
{
  memcpy (out, at[2], (n + 3) * sizeof *out);
  rows (n, index_of, at[0], at[1], (void *) out);
}

/* All gradients, for N indices.  */
static void
check (void)
{
  int size = n;
  values first;
  for (int threads = 1; threads <= 8; threads *= 2)
    {
#ifdef _OPENMP
      omp_set_num_threads (threads);
#endif
      state = size + 1;
      start (size);
      put_gradient (n, index_of, a[0], u, g[0]);
      replace_gradient (n, index_of, a[0], u, g[1]);
      memcpy (g[2], u, sizeof u);
      rows_gradient (n, index_of, a[0], a[1], (void *) g[2], g[3], g[3] + 1000);
      if (threads > 1 && memcmp (first, g, sizeof g))
        {
          printf ("n = %d, %d threads: other bits\n", n, threads);
          faults++;
        }
      memcpy (first, g, sizeof g);
    }
  agree ("put", put_kernel, 0);
  memcpy (g[0], g[1], sizeof g[0]);
  agree ("replace", replace_kernel, 0);
  for (int e = n + 3; e < ROOM; e++)
    g[2][e] = 0;
  agree_from ("rows, entry", rows_kernel, 2, 0);
  memcpy (g[0], g[3], n * sizeof *g[0]);
  memcpy (g[1], g[3] + 1000, n * sizeof *g[1]);
  for (int e = n; e < ROOM; e++)
    g[0][e] = g[1][e] = 0.25;
  agree ("rows", rows_kernel, 0);
  agree ("rows", rows_kernel, 1);
}

int
main (void)
{
  static const int counts[] = { 0, 1, 2, 5, 17, 700 };
  for (unsigned s = 0; s < sizeof counts / sizeof *counts; s++)
    {
      n = counts[s];
      check ();
    }
  return faults != 0;
}
