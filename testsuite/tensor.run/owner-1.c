/* Shows sums into elements and rows that indices name, in arrays too large for
   copies: threads do those that are their own, with the bits of the loops as
   written, for any number of threads and however the indices lie.  */

/* { dg-tensor-opts "parallel-threshold=1" } */
/* { dg-additional-options "-fopenmp" } */

#include "compare.h"

#ifdef _OPENMP
#  include <omp.h>
#endif

enum
{
  LIMIT = 3001,
  ROOM = 1 << 20,
  COLUMNS = 96
};

static float x[LIMIT * COLUMNS], *table[2];
static int at[LIMIT];

/* Elements.  */
#define ELEMENTS                                                               \
  for (int i = 0; i < n; i++)                                                  \
    y[at[i]] += x[i];

/* Rows of three.  */
#define ROWS                                                                   \
  for (int i = 0; i < n; i++)                                                  \
    for (int k = 0; k < 3; k++)                                                \
      y[at[i] / 4][k] += x[3 * i + k];

/* Rows of M columns.  */
#define COLUMNS_OF                                                             \
  for (int i = 0; i < n; i++)                                                  \
    for (int k = 0; k < m; k++)                                                \
      y[at[i] / 128][k] += v[i][k];

/* Every third iteration.  */
#define STEPS                                                                  \
  for (int i = 2; i < n; i += 3)                                               \
    y[at[i] + 1] -= fabsf (x[i]) + x[i + 1];

static NOINLINE void
plain_elements (int n, float *restrict y)
{
  ELEMENTS
}

static NOINLINE void
elements (int n, float *restrict y)
{
#pragma tensor require(parallel)
  ELEMENTS
}

static NOINLINE void
plain_rows (int n, float y[restrict][3])
{
  ROWS
}

static NOINLINE void
rows (int n, float y[restrict][3])
{
#pragma tensor require(parallel)
  ROWS
}

static NOINLINE void
plain_columns (int n, int m, const float v[][m], float y[restrict][m])
{
  COLUMNS_OF
}

static NOINLINE void
columns (int n, int m, const float v[][m], float y[restrict][m])
{
#pragma tensor require(parallel)
  COLUMNS_OF
}

static NOINLINE void
plain_steps (int n, float *restrict y)
{
  STEPS
}

static NOINLINE void
steps (int n, float *restrict y)
{
#pragma tensor require(parallel)
  STEPS
}

/* Both tables are equal to the bit.  */
static void
same (const char *what, int n, int kind, int threads)
{
  if (memcmp (table[0], table[1], ROOM * sizeof *table[0]))
    {
      printf ("%s, %d indices of kind %d, %d threads: other bits\n", what, n,
              kind, threads);
      exit (1);
    }
}

/* Indices: all over, near each other, all one, sorted, a few far more often
   than others.  */
static void
lay (int kind)
{
  for (int i = 0; i < LIMIT; i++)
    {
      unsigned far = (next () << 16 ^ next ()) % (ROOM - 2);
      at[i] = kind == 0   ? (int) far
              : kind == 1 ? (int) (far % 97)
              : kind == 2 ? ROOM - 3
              : kind == 3 ? i * ((ROOM - 2) / LIMIT)
                          : (int) (far % 3 ? far % 5 * 200000 : far);
    }
}

/* All for N indices.  */
static void
check (int n, int kind, int threads)
{
  plain_elements (n, table[0]);
  elements (n, table[1]);
  plain_rows (n, (void *) table[0]);
  rows (n, (void *) table[1]);
  plain_steps (n, table[0]);
  steps (n, table[1]);
  same ("elements, rows or steps", n, kind, threads);
  for (int m = 0; m <= COLUMNS; m = m < 2 ? m * 94 + 1 : m + 1)
    {
      plain_columns (n, m, (void *) x, (void *) table[0]);
      columns (n, m, (void *) x, (void *) table[1]);
    }
  same ("columns", n, kind, threads);
}

int
main (void)
{
  static const int counts[] = { 0, 1, 64, 255, 1024, LIMIT };
  table[0] = calloc (ROOM, sizeof *table[0]);
  table[1] = calloc (ROOM, sizeof *table[1]);
  if (!table[0] || !table[1])
    return 1;
  for (int e = 0; e < LIMIT * COLUMNS; e++)
    x[e] = next () / 65536.0f - 0.5f;
  for (int kind = 0; kind < 5; kind++)
    for (unsigned s = 0; s < LENGTH (counts); s++)
      for (int threads = 1; threads <= 8; threads *= 2)
        {
#ifdef _OPENMP
          omp_set_num_threads (threads);
#endif
          lay (kind);
          check (counts[s], kind, threads);
        }
  return 0;
}
