/* Shows that elements may be reached through functions that check their
   subscripts, and through those that return a pointer.  */

#include "compare.h"

#include <assert.h>

typedef struct matrix
{
  int rows;
  int cols;
  double *data;
} matrix;

static inline double
get (const matrix *m, int i, int j)
{
  assert (i >= 0 && i < m->rows && j >= 0 && j < m->cols);
  return m->data[i * m->cols + j];
}

static inline double *
at (matrix *m, int i, int j)
{
  assert (i >= 0 && i < m->rows);
  assert (j >= 0 && j < m->cols);
  return &m->data[i * m->cols + j];
}

static inline void
set (matrix *m, int i, int j, double value)
{
  m->data[i * m->cols + j] = value;
}

static void
die (int i)
{
  printf ("there is no row %d\n", i);
  exit (1);
}

static inline const double *
row (const matrix *m, int i)
{
  if (i < 0)
    die (i);
  return m->data + i * m->cols;
}

static int misses;

static inline double
get_or_count (const matrix *m, int i, int j)
{
  if (i >= m->rows || j >= m->cols)
    do
      {
        misses++;
        return 0;
      }
    while (0);
  return m->data[i * m->cols + j];
}

#define COUNTED                                                                \
  for (int i = 0; i < c->rows; i++)                                            \
    for (int j = 0; j < c->cols; j++)                                          \
      c->data[i * c->cols + j] += get_or_count (a, i + 1, j + 2);

#define PRODUCT                                                                \
  for (int i = 0; i < c->rows; i++)                                            \
    for (int j = 0; j < c->cols; j++)                                          \
      {                                                                        \
        double sum = 0;                                                        \
        for (int k = 0; k < a->cols; k++)                                      \
          sum += get (a, i, k) * get (b, k, j);                                \
        *at (c, i, j) = sum;                                                   \
      }

#define ROWS                                                                   \
  for (int i = 0; i < c->rows; i++)                                            \
    {                                                                          \
      const double *p = row (a, i);                                            \
      *at (c, i, 0) += p[0];                                                   \
      for (int j = 1; j < c->cols; j++)                                        \
        *at (c, i, j) *= p[j] - row (b, j)[i];                                 \
    }

#define REFLECTED                                                              \
  for (int j = 0; j < c->cols; j++)                                            \
    {                                                                          \
      double sum = get (c, 0, j);                                              \
      for (int i = 1; i < c->rows; i++)                                        \
        sum += get (c, i, j) * get (a, i, 0);                                  \
      set (c, 0, j, get (c, 0, j) - sum);                                      \
      for (int i = 1; i < c->rows; i++)                                        \
        set (c, i, j, get (c, i, j) - sum * get (a, i, 0));                    \
    }

static NOINLINE int
plain_counted (matrix *c, const matrix *a)
{
  misses = 0;
  COUNTED
  return misses;
}

static NOINLINE int
counted (matrix *c, const matrix *a)
{
  misses = 0;
#pragma tensor require(transform)
  COUNTED
  return misses;
}

static NOINLINE void
plain_product (matrix *c, const matrix *a, const matrix *b)
{
  PRODUCT
}

static NOINLINE void
product (matrix *c, const matrix *a, const matrix *b)
{
#pragma tensor require(transform)
  PRODUCT
}

static NOINLINE void
plain_rows (matrix *c, const matrix *a, const matrix *b)
{
  ROWS
}

static NOINLINE void
rows (matrix *c, const matrix *a, const matrix *b)
{
#pragma tensor require(transform)
  ROWS
}

static NOINLINE void
plain_reflected (matrix *c, const matrix *a)
{
  REFLECTED
}

static NOINLINE void
reflected (matrix *c, const matrix *a)
{
#pragma tensor require(transform)
  REFLECTED
}

static double a[2][AREA], b[2][AREA], c[2][AREA];

int
main (void)
{
  FILL (a);
  FILL (b);
  EACH_SMALL (n)
  EACH_SMALL_TOO (m)
  {
    matrix x[2] = { { n, m, a[0] }, { n, m, a[1] } };
    matrix y[2] = { { m, n, b[0] }, { m, n, b[1] } };
    matrix z[2] = { { n, n, c[0] }, { n, n, c[1] } };
    FILL (c);
    BOTH (product, &z[W], &x[W], &y[W]);
    CHECK (c);
    matrix v[2] = { { n, m, c[0] }, { n, m, c[1] } };
    if (m > 0)
      BOTH (rows, &v[W], &x[W], &y[W]);
    CHECK (c);
    if (n > 0)
      BOTH (reflected, &v[W], &x[W]);
    CHECK (c);
    BOTH_EQUAL (counted, &v[W], &x[W]);
    CHECK (c);
  }
  return 0;
}
