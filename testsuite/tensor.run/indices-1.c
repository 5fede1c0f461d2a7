/* Shows sums into elements that indices name: threads share them where these
   are few, with the same bits for any number of threads; fp(strict) keeps the
   bits of the loops as written.  */

/* { dg-tensor-opts "parallel-threshold=1000" } */

#include "compare.h"

#ifdef _OPENMP
#  include <omp.h>
#endif

enum
{
  LIMIT = 20000,
  ROW = 7
};

static double x[LIMIT], table[2][LIMIT], first[3][LIMIT];
static int at[LIMIT], times[2][LIMIT];

/* Logarithms of some, by index.  */
#define LOGARITHMS                                                             \
  for (int i = 0; i < n; i++)                                                  \
    if (x[i] > 0.25)                                                           \
      y[at[i]] += log (x[i] + 0.5);

/* Sums of rows, and how many there are.  */
#define SUMS                                                                   \
  for (int i = 0; i < n / ROW; i++)                                            \
    {                                                                          \
      double s = 0;                                                            \
      int k = at[i];                                                           \
      for (int j = 0; j < m; j++)                                              \
        s += x[i * m + j];                                                     \
      y[k] += s;                                                               \
      many[k] += 1;                                                            \
    }

/* Rows by index, of sines.  */
#define SINES                                                                  \
  for (int i = 0; i < n; i++)                                                  \
    for (int k = 0; k < 3; k++)                                                \
      y[at[i] / 4][k] += sin (x[i] + k);

static NOINLINE void
plain_logarithms (int n, double *restrict y)
{
  LOGARITHMS
}

static NOINLINE void
logarithms (int n, double *restrict y)
{
#pragma tensor
  LOGARITHMS
}

static NOINLINE void
strict_logarithms (int n, double *restrict y)
{
#pragma tensor fp(strict)
  LOGARITHMS
}

static NOINLINE void
plain_sines (int n, double y[restrict][3])
{
  SINES
}

static NOINLINE void
sines (int n, double y[restrict][3])
{
#pragma tensor
  SINES
}

static NOINLINE void
plain_sums (int n, int m, double *restrict y, int *restrict many)
{
  SUMS
}

static NOINLINE void
sums (int n, int m, double *restrict y, int *restrict many)
{
#pragma tensor
  SUMS
}

/* Indices from BASE on, R of them; elements of 0.125.  */
static void
fill (int base, int r)
{
  for (int e = 0; e < LIMIT; e++)
    {
      at[e] = base + (int) (e * 7919L % 10007) % r;
      x[e] = (e * 31L % 1009) / 1009.0;
    }
  for (int e = 0; e < LIMIT; e++)
    {
      table[0][e] = table[1][e] = 0.125;
      times[0][e] = times[1][e] = e;
    }
}

/* Both tables agree, to the bit when EXACT.  */
static void
compare_tables (const char *what, int n, int exact)
{
  for (int e = 0; e < LIMIT; e++)
    {
      double far = fabs (table[0][e] - table[1][e]);
      if (far > (exact ? 0 : 1e-9 * n) || times[0][e] != times[1][e])
        {
          printf ("%s, n = %d: element %d\n", what, n, e);
          exit (1);
        }
    }
}

/* The tables are those of the first number of threads.  */
static void
compare_bits (const char *what, int n, int threads, double *kept)
{
  if (threads == 1)
    memcpy (kept, table[1], sizeof table[1]);
  if (memcmp (kept, table[1], sizeof table[1]))
    {
      printf ("%s, n = %d, %d threads: other bits\n", what, n, threads);
      exit (1);
    }
}

/* All for N elements and R indices from BASE on.  */
static void
check (int n, int base, int r, int threads)
{
  fill (base, r);
  plain_logarithms (n, table[0]);
  logarithms (n, table[1]);
  compare_tables ("logarithms", n, 0);
  compare_bits ("logarithms", n, threads, first[0]);
  memcpy (table[1], table[0], sizeof table[0]);
  plain_logarithms (n, table[0]);
  strict_logarithms (n, table[1]);
  compare_tables ("strict logarithms", n, 1);
  fill (base, r);
  plain_sums (n, ROW, table[0], times[0]);
  sums (n, ROW, table[1], times[1]);
  compare_tables ("sums", n, 0);
  compare_bits ("sums", n, threads, first[1]);
  fill (base, r);
  plain_sines (n, (void *) table[0]);
  sines (n, (void *) table[1]);
  compare_tables ("sines", n, 0);
  compare_bits ("sines", n, threads, first[2]);
}

int
main (void)
{
  static const int sizes[] = { 0, 1, 2, 17, 1001, 9999, LIMIT };
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int r = 1; r < LIMIT; r = r * 19 + 2)
      for (int threads = 1; threads <= 8; threads *= 2)
        {
#ifdef _OPENMP
          omp_set_num_threads (threads);
#endif
          check (sizes[s], (LIMIT - r) / 2, r, threads);
        }
  return 0;
}
