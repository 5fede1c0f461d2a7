/* { dg-tensor-opts "parallel-threshold=1" } */
/* { dg-additional-options "-fopenmp" } */

/* Shows gradients of sparse products whose columns are too far apart for copies,
   or have several numbers each: threads share what belongs to entries, apart
   from the sums into columns, whose bits are those of the loop; numbers are
   whole, so that sums are exact.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum
{
  ROWS = 60,
  ENTRIES = 420,
  FAR = 30000,
  MOST = 21,
  KINDS = 4
};

typedef double real;

static int start_of[ROWS + 1], column[ENTRIES];
static real v[ENTRIES], x[FAR * MOST], dy[ROWS * MOST];
static real dv[2][ENTRIES], dx[2][FAR * MOST];

static void
product (int n, const int *restrict p, const int *restrict c,
         const real *restrict v, const real *restrict x, real *restrict y)
{
  for (int i = 0; i < n; i++)
    {
      real s = 0;
      for (int k = p[i]; k < p[i + 1]; k++)
        s += v[k] * x[c[k]];
      y[i] = 2 * s;
    }
}

#pragma tensor gradient(product) of(y: dy) wrt(v: dv, x: dx) require(parallel)
void product_gradient (int n, const int *restrict p, const int *restrict c,
                       const real *restrict v, const real *restrict x,
                       const real *restrict dy, real *restrict dv,
                       real *restrict dx);

static void
columns (int n, int m, const int *restrict p, const int *restrict c,
         const real *restrict v, const real *restrict x, real *restrict y)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < m; j++)
        y[i * m + j] = 0;
      for (int k = p[i]; k < p[i + 1]; k++)
        for (int j = 0; j < m; j++)
          y[i * m + j] += v[k] * x[c[k] * m + j];
    }
}

#pragma tensor gradient(columns) of(y: dy) wrt(v: dv, x: dx) require(parallel)
void columns_gradient (int n, int m, const int *restrict p,
                       const int *restrict c, const real *restrict v,
                       const real *restrict x, const real *restrict dy,
                       real *restrict dv, real *restrict dx);

/* A weight that both adjoints need, and that is computed for each entry.  */
static void
weighed (int n, int m, const int *restrict p, const int *restrict c,
         const real *restrict v, const real *restrict x, real *restrict y)
{
  for (int i = 0; i < n; i++)
    for (int k = p[i]; k < p[i + 1]; k++)
      {
        real w = v[k] * v[k] + i;
        for (int j = 0; j < m; j++)
          y[i * m + j] += w * x[c[k] * m + j];
      }
}

#pragma tensor gradient(weighed) of(y: dy) wrt(v: dv, x: dx) require(parallel)
void weighed_gradient (int n, int m, const int *restrict p,
                       const int *restrict c, const real *restrict v,
                       const real *restrict x, const real *restrict dy,
                       real *restrict dv, real *restrict dx);

/* Bounds of ROWS rows: rising, with empty ones, all in one, descending and
   overlapping; columns far apart.  */
static void
lay (int kind)
{
  for (int i = 0; i <= ROWS; i++)
    start_of[i] = kind == 0   ? 6 * i
                  : kind == 1 ? i / 3 * 14
                  : kind == 2 ? i < 20 ? 3 : 390
                              : 390 - 6 * i + 20 * (i % 2);
  for (int k = 0; k < ENTRIES; k++)
    column[k] = k * 7919 % (k % 5 ? FAR : 3);
}

/* The values, which nothing changes.  */
static void
fill (void)
{
  for (int k = 0; k < ENTRIES; k++)
    v[k] = k * 37 % 11 - 5;
  for (int k = 0; k < FAR * MOST; k++)
    x[k] = k * 17 % 13 - 6;
  for (int k = 0; k < ROWS * MOST; k++)
    dy[k] = k * 23 % 9 - 4;
}

/* No sums yet.  */
static void
clear (void)
{
  memset (dv, 0, sizeof dv);
  memset (dx, 0, sizeof dx);
}

/* The gradient of N rows of M columns by hand, SCALE times that of each product;
   SQUARE: of weighed.  */
static void
by_hand (int n, int m, real scale, int square)
{
  for (int i = 0; i < n; i++)
    for (int k = start_of[i]; k < start_of[i + 1]; k++)
      for (int j = 0; j < m; j++)
        {
          real g = scale * dy[i * m + j];
          dv[0][k] += g * x[column[k] * m + j] * (square ? 2 * v[k] : 1);
          dx[0][column[k] * m + j] += g * (square ? v[k] * v[k] + i : v[k]);
        }
}

/* Both are the same.  */
static int
same (const char *what, int n, int m, int kind)
{
  if (!memcmp (dv[0], dv[1], sizeof dv[0])
      && !memcmp (dx[0], dx[1], sizeof dx[0]))
    return 0;
  printf ("%s, %d rows of kind %d, %d columns: not the same\n", what, n, kind,
          m);
  return 1;
}

/* All for N rows of KIND; how many faults.  */
static int
check (int n, int kind)
{
  static const int widths[] = { 0, 1, 3, 8, MOST };
  int faults = 0;
  clear ();
  by_hand (n, 1, 2, 0);
  product_gradient (n, start_of, column, v, x, dy, dv[1], dx[1]);
  faults += same ("product", n, 1, kind);
  for (unsigned k = 0; k < sizeof widths / sizeof *widths; k++)
    {
      int m = widths[k];
      clear ();
      by_hand (n, m, 1, 0);
      columns_gradient (n, m, start_of, column, v, x, dy, dv[1], dx[1]);
      faults += same ("columns", n, m, kind);
      clear ();
      by_hand (n, m, 1, 1);
      weighed_gradient (n, m, start_of, column, v, x, dy, dv[1], dx[1]);
      faults += same ("weighed", n, m, kind);
    }
  return faults;
}

int
main (void)
{
  static const int counts[] = { 0, 1, 7, ROWS };
  int faults = 0;
  fill ();
  for (int kind = 0; kind < KINDS; kind++)
    for (int threads = 1; threads <= 8; threads *= 2)
      {
#ifdef _OPENMP
        omp_set_num_threads (threads);
#endif
        lay (kind);
        for (unsigned k = 0; k < sizeof counts / sizeof *counts; k++)
          faults += check (counts[k], kind);
      }
  return faults != 0;
}
