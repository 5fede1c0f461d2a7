/* Shows that what loops over rows store, whose bounds are in a list, is shared
   by threads where the list rises, and means the same where it does not: rows
   that are empty, that follow each other, that have gaps between them, that
   overlap, or that run from the last one on.  */

/* { dg-tensor-opts "parallel-threshold=1" } */
/* { dg-additional-options "-fopenmp" } */

#include "compare.h"

#ifdef _OPENMP
#  include <omp.h>
#endif

enum
{
  ROWS = 127,
  ENTRIES = 2048,
  COLUMNS = 3,
  KINDS = 6
};

static int start_of[ROWS + 2], column[ENTRIES];
static long long_start[ROWS + 2];
static float v[ENTRIES], x[ENTRIES * COLUMNS], y[2][ENTRIES * COLUMNS];

/* A product with a diagonal, entry by entry.  */
#define SCALE                                                                  \
  for (int i = 0; i < n; i++)                                                  \
    for (int k = p[i]; k < p[i + 1]; k++)                                      \
      y[k] = v[k] * x[i] + x[c[k]];

/* In place, from the last entry on, bounds in variables.  */
#define DOWN                                                                   \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      const int first = p[i], end = p[i + 1];                                  \
      for (int k = end - 1; k >= first; k--)                                   \
        y[k] = y[k] * 2 + x[i];                                                \
    }

/* What one loop stores another reads, and it sums beside that.  */
#define TWICE                                                                  \
  for (int i = n - 1; i >= 0; i--)                                             \
    {                                                                          \
      float s = 0;                                                             \
      for (long k = p[i + 1]; k < p[i + 2]; k++)                               \
        {                                                                      \
          y[k] += v[k] - i;                                                    \
          s += y[k];                                                           \
        }                                                                      \
      for (long k = p[i + 1]; k < p[i + 2]; k++)                               \
        y[k] -= s;                                                             \
    }

/* Rows of entries that have columns.  */
#define MATRIX                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    for (int k = p[i]; k < p[i + 1]; k++)                                      \
      for (int j = 0; j < COLUMNS; j++)                                        \
        y[k][j] = y[k][j] - v[k] * x[i * COLUMNS + j];

/* Elements that may be another row's: one thread's.  */
#define BESIDE                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    for (int k = p[i]; k < p[i + 1]; k++)                                      \
      y[k + 1] = v[k] * y[k];

/* Elements that are counted modulo 256: one thread's.  */
#define NARROW                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    for (int k = p[i]; k < p[i + 1]; k++)                                      \
      y[(unsigned char) k] = v[k] - y[(unsigned char) (k + 1)];

/* Rows whose ends are cut off: one thread's.  */
#define CUT                                                                    \
  for (int i = 0; i < n; i++)                                                  \
    for (int k = (unsigned char) p[i]; k < (unsigned char) p[i + 1]; k++)      \
      y[k] = 2 * y[k] - x[i];

static NOINLINE void
plain_scale (int n, const int *restrict p, const int *restrict c,
             float *restrict y)
{
  SCALE
}

static NOINLINE void
scale (int n, const int *restrict p, const int *restrict c, float *restrict y)
{
#pragma tensor require(parallel)
  SCALE
}

static NOINLINE void
plain_down (int n, const int *restrict p, float *restrict y)
{
  DOWN
}

static NOINLINE void
down (int n, const int *restrict p, float *restrict y)
{
#pragma tensor require(parallel)
  DOWN
}

static NOINLINE void
plain_twice (int n, const long *restrict p, float *restrict y)
{
  TWICE
}

static NOINLINE void
twice (int n, const long *restrict p, float *restrict y)
{
#pragma tensor require(parallel)
  TWICE
}

static NOINLINE void
plain_matrix (int n, const int *restrict p, float y[restrict][COLUMNS])
{
  MATRIX
}

static NOINLINE void
matrix (int n, const int *restrict p, float y[restrict][COLUMNS])
{
#pragma tensor require(parallel)
  MATRIX
}

static NOINLINE void
plain_beside (int n, const int *restrict p, float *restrict y)
{
  BESIDE
}

static NOINLINE void
beside (int n, const int *restrict p, float *restrict y)
{
#pragma tensor fp(strict)
  BESIDE
}

static NOINLINE void
plain_narrow (int n, const int *restrict p, float *restrict y)
{
  NARROW
}

static NOINLINE void
narrow (int n, const int *restrict p, float *restrict y)
{
#pragma tensor
  NARROW
}

static NOINLINE void
plain_cut (int n, const int *restrict p, float *restrict y)
{
  CUT
}

static NOINLINE void
cut (int n, const int *restrict p, float *restrict y)
{
#pragma tensor
  CUT
}

/* Bounds of ROWS rows: one after the other, empty ones among them, one that has
   all, descending, overlapping, all of them from one element on.  */
static void
lay (int kind)
{
  for (int i = 0; i < ROWS + 2; i++)
    {
      int at = kind == 0   ? 13 * i
               : kind == 1 ? 5 * (i / 3)
               : kind == 2 ? i < 40 ? 7 : 1000
               : kind == 3 ? 2000 - 11 * i
               : kind == 4 ? 10 * i - 17 * (i % 3) + 40
                           : (int) (next () % 2000);
      start_of[i] = at;
      long_start[i] = at;
    }
}

/* New values.  */
static void
fill (void)
{
  for (int k = 0; k < ENTRIES; k++)
    {
      v[k] = (float) (next () % 15) - 7;
      column[k] = next () % ENTRIES;
    }
  for (int k = 0; k < ENTRIES * COLUMNS; k++)
    {
      x[k] = (float) (next () % 15) - 7;
      y[0][k] = y[1][k] = (float) (next () % 15) - 7;
    }
}

/* Both results are equal to the bit, but for NaN.  */
static void
same (const char *what, int n, int kind)
{
  for (int k = 0; k < ENTRIES * COLUMNS; k++)
    if (y[0][k] != y[1][k] && (y[0][k] == y[0][k] || y[1][k] == y[1][k]))
      {
        printf ("%s of %d rows of kind %d: element %d is %g, not %g\n", what, n,
                kind, k, y[1][k], y[0][k]);
        exit (1);
      }
}

/* All for N rows.  */
static void
check (int n, int kind)
{
  fill ();
  plain_scale (n, start_of, column, y[0]);
  scale (n, start_of, column, y[1]);
  same ("scale", n, kind);
  plain_down (n, start_of, y[0]);
  down (n, start_of, y[1]);
  same ("down", n, kind);
  fill ();
  plain_twice (n, long_start, y[0]);
  twice (n, long_start, y[1]);
  same ("twice", n, kind);
  fill ();
  plain_matrix (n, start_of, (void *) y[0]);
  matrix (n, start_of, (void *) y[1]);
  same ("matrix", n, kind);
  plain_beside (n, start_of, y[0]);
  beside (n, start_of, y[1]);
  same ("beside", n, kind);
  fill ();
  plain_narrow (n, start_of, y[0]);
  narrow (n, start_of, y[1]);
  same ("narrow", n, kind);
  plain_cut (n, start_of, y[0]);
  cut (n, start_of, y[1]);
  same ("cut", n, kind);
}

int
main (void)
{
  for (int kind = 0; kind < KINDS; kind++)
    for (int threads = 1; threads <= 8; threads *= 2)
      {
#ifdef _OPENMP
        omp_set_num_threads (threads);
#endif
        lay (kind);
        for (unsigned s = 0; s < LENGTH (sizes); s++)
          check (sizes[s], kind);
      }
  return 0;
}
