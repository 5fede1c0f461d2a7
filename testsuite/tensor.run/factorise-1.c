/* Shows that factorisations in place mean the same: of rows that are as long as
   needed, longer, and named by a table, with the pivot's quotient in each
   element or in its row, in double and float; solving with what comes of it.
   The matrices are products of triangles of small whole numbers, whose pivots
   are powers of two, so that all is exact.  */

#include "compare.h"

#define ELIMINATE(a)                                                           \
  for (int k = 0; k < n; k++)                                                  \
    for (int i = k + 1; i < n; i++)                                            \
      for (int j = k + 1; j < n; j++)                                          \
        a (i, j) -= a (i, k) * a (k, j) / a (k, k);

#define FACTORISE(a)                                                           \
  for (int k = 0; k < n; k++)                                                  \
    for (int i = k + 1; i < n; i++)                                            \
      {                                                                        \
        a (i, k) /= a (k, k);                                                  \
        for (int j = k + 1; j < n; j++)                                        \
          a (i, j) -= a (i, k) * a (k, j);                                     \
      }

#define FLAT(i, j)  a[(i) *lda + (j)]
#define TABLE(i, j) a[i][j]

static NOINLINE void
plain_eliminate (int n, int lda, double *restrict a)
{
  ELIMINATE (FLAT)
}

static NOINLINE void
eliminate (int n, int lda, double *restrict a)
{
#pragma tensor
  ELIMINATE (FLAT)
}

static NOINLINE void
plain_eliminate_float (int n, int lda, float *restrict a)
{
  ELIMINATE (FLAT)
}

static NOINLINE void
eliminate_float (int n, int lda, float *restrict a)
{
#pragma tensor
  ELIMINATE (FLAT)
}

static NOINLINE void
plain_eliminate_rows (int n, double **a)
{
  ELIMINATE (TABLE)
}

static NOINLINE void
eliminate_rows (int n, double **a)
{
#pragma tensor
  ELIMINATE (TABLE)
}

static NOINLINE void
plain_factorise (int n, int lda, double *restrict a)
{
  FACTORISE (FLAT)
}

static NOINLINE void
factorise (int n, int lda, double *restrict a)
{
#pragma tensor
  FACTORISE (FLAT)
}

static NOINLINE void
plain_factorise_rows (int n, double **a)
{
  FACTORISE (TABLE)
}

static NOINLINE void
factorise_rows (int n, double **a)
{
#pragma tensor
  FACTORISE (TABLE)
}

static double a[2][MOST * (MOST + 1)];
static float b[2][MOST * (MOST + 1)];
static double *rows[2][MOST];

/* The matrix anew: element i, j is the sum of l[i][k] * u[k][j].  */
static void
begin (int n, int lda)
{
  static double l[MOST][MOST], u[MOST][MOST];
  FILL (a);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        int c = (int) (next () % 3) - 1;
        l[i][j] = i == j ? 1 : i > j ? c : 0;
        u[i][j] = i == j ? 1 << next () % 2 : i < j ? c : 0;
      }
  for (int w = 0; w < 2; w++)
    for (int i = 0; i < n; i++)
      {
        rows[w][i] = a[w] + i * lda;
        for (int j = 0; j < n; j++)
          {
            double sum = 0;
            for (int k = 0; k < n; k++)
              sum += l[i][k] * u[k][j];
            rows[w][i][j] = sum;
          }
      }
  for (int w = 0; w < 2; w++)
    for (size_t k = 0; k < LENGTH (b[w]); k++)
      b[w][k] = a[w][k];
}

int
main (void)
{
  for (size_t s = 0; s < LENGTH (sizes); s++)
    for (int more = 0; more < 2; more++)
      {
        int n = sizes[s], lda = n + more;
        current[0] = n;
        current[1] = lda;
        begin (n, lda);
        BOTH (eliminate, n, lda, a[W]);
        CHECK (a);
        BOTH (eliminate_float, n, lda, b[W]);
        CHECK (b);
        begin (n, lda);
        BOTH (eliminate_rows, n, rows[W]);
        CHECK (a);
        begin (n, lda);
        BOTH (factorise, n, lda, a[W]);
        CHECK (a);
        begin (n, lda);
        BOTH (factorise_rows, n, rows[W]);
        CHECK (a);
      }
  return 0;
}
