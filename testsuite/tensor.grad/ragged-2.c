/* { dg-tensor-opts "parallel-threshold=1" } */
/* { dg-additional-options "-fopenmp" } */

/* Shows gradients of sparse products that threads share: what belongs to an
   entry by rows, where these rise, what columns name in copies; the same bits
   for any number of threads, and right where rows do not rise.  */

#include "check.h"
#ifdef _OPENMP
#include <omp.h>
#endif

enum
{
  COLUMNS = 4,
  KINDS = 4
};

static int start_of[ROOM], column[ROOM];

/* Bounds of N rows: of 0 to 3 entries, all in one, none, overlapping and
   descending ones.  */
static void
lay (int kind)
{
  for (int i = 0; i <= n; i++)
    start_of[i] = kind == 0   ? 3 * i / 2 + i % 2
                  : kind == 1 ? i < n / 2 ? 0 : 2 * n
                  : kind == 2 ? 5
                              : 2 * n + 40 - 2 * i + 5 * (i % 3);
  for (int k = 0; k < ROOM; k++)
    column[k] = index_of[k];
}

static void
product (int m, const int *restrict p, const int *restrict c,
         const real *restrict v, const real *restrict x, real *restrict y)
{
  for (int i = 0; i < m; i++)
    {
      real s = 0;
      for (int k = p[i]; k < p[i + 1]; k++)
        s += v[k] * x[c[k]];
      y[i] = sin (s);
    }
}

#pragma tensor gradient(product) of(y : dy) wrt(v : dv, x : dx) require(parallel)
void product_gradient (int m, const int *restrict p, const int *restrict c,
                       const real *restrict v, const real *restrict x,
                       const real *restrict dy, real *restrict dv,
                       real *restrict dx);

/* Attention over neighbours: a softmax by rows, and what it weighs.  */
static void
attend (int m, const int *restrict p, const int *restrict c,
        const real *restrict v, const real (*restrict x)[COLUMNS],
        real (*restrict y)[COLUMNS])
{
  for (int i = 0; i < m; i++)
    {
      real z = 0;
      for (int k = p[i]; k < p[i + 1]; k++)
        z += exp (v[k]);
      for (int j = 0; j < COLUMNS; j++)
        y[i][j] = 0;
      for (int k = p[i]; k < p[i + 1]; k++)
        for (int j = 0; j < COLUMNS; j++)
          y[i][j] += exp (v[k]) / z * x[c[k]][j];
    }
}

#pragma tensor gradient(attend) of(y : dy) wrt(v : dv, x : dx) require(parallel)
void attend_gradient (int m, const int *restrict p, const int *restrict c,
                      const real *restrict v, const real (*restrict x)[COLUMNS],
                      const real (*restrict dy)[COLUMNS], real *restrict dv,
                      real (*restrict dx)[COLUMNS]);

/* The transposed product, into what columns name.  */
static void
scatter (int m, const int *restrict p, const int *restrict c,
         const real *restrict v, const real *restrict x, real *restrict y)
{
  for (int i = 0; i < m; i++)
    for (int k = p[i]; k < p[i + 1]; k++)
      y[c[k]] += v[k] * v[k] * x[i];
}

#pragma tensor gradient(scatter) of(y : dy) wrt(v : dv, x : dx) require(parallel)
void scatter_gradient (int m, const int *restrict p, const int *restrict c,
                       const real *restrict v, const real *restrict x,
                       const real *restrict dy, real *restrict dv,
                       real *restrict dx);

static void
product_kernel (values at, real *out)
{
  product (n, start_of, column, at[0], at[1], out);
}

static void
attend_kernel (values at, real *out)
{
  attend (n, start_of, column, at[0], (void *) at[1], (void *) out);
}

static void
scatter_kernel (values at, real *out)
{
  scatter (n, start_of, column, at[0], at[1], out);
}

/* The gradients of all three for size SIZE and rows of KIND, by differences.  */
static void
check (int size, int kind)
{
  start (size);
  lay (kind);
  product_gradient (n, start_of, column, a[0], a[1], u, g[0], g[1]);
  agree ("product", product_kernel, 0);
  agree ("product", product_kernel, 1);
  start (size);
  lay (kind);
  attend_gradient (n, start_of, column, a[0], (void *) a[1], (void *) u, g[0],
                   (void *) g[1]);
  agree ("attend", attend_kernel, 0);
  agree ("attend", attend_kernel, 1);
  start (size);
  lay (kind);
  scatter_gradient (n, start_of, column, a[0], a[1], u, g[0], g[1]);
  agree ("scatter", scatter_kernel, 0);
  agree ("scatter", scatter_kernel, 1);
}

/* The same bits for 1, 2, 4 and 8 threads.  */
static void
compare_threads (int kind)
{
  static values first;
  start (300);
  lay (kind);
  for (int threads = 1; threads <= 8; threads *= 2)
    {
#ifdef _OPENMP
      omp_set_num_threads (threads);
#endif
      memset (g, 0, sizeof g);
      product_gradient (n, start_of, column, a[0], a[1], u, g[0], g[1]);
      attend_gradient (n, start_of, column, a[0], (void *) a[1], (void *) u,
                       g[2], (void *) g[3]);
      if (threads == 1)
        memcpy (first, g, sizeof first);
      if (memcmp (first, g, sizeof first))
        {
          printf ("rows of kind %d, %d threads: other bits\n", kind, threads);
          faults++;
        }
    }
}

int
main (void)
{
  for (int kind = 0; kind < KINDS; kind++)
    {
      for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
        check (sizes[k], kind);
      compare_threads (kind);
    }
  if (faults)
    printf ("%d faults\n", faults);
  return faults != 0;
}
