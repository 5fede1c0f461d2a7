/* Shows that any number of threads gives the same bits: reductions in chunks,
   loops collapsed, triangles.  */

/* { dg-tensor-opts "parallel-threshold=1" } */

#include "compare.h"

#ifdef _OPENMP
#  include <omp.h>
#endif

#define ROWS    700
#define COLUMNS 67

static NOINLINE void
plain_columns (int n, int m, double (*x)[COLUMNS], double *s)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s[j] += x[i][j];
}

static NOINLINE void
columns (int n, int m, double (*x)[COLUMNS], double *s)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s[j] += x[i][j];
}

static NOINLINE void
plain_greatest (int n, int m, double (*x)[COLUMNS], double *s)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s[j] = x[i][j] > s[j] ? x[i][j] : s[j];
}

static NOINLINE void
greatest (int n, int m, double (*x)[COLUMNS], double *s)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s[j] = x[i][j] > s[j] ? x[i][j] : s[j];
}

static NOINLINE void
plain_twice (int n, int m, double (*x)[COLUMNS], const double *v, double *t,
             double *s)
{
  for (int j = 0; j < m; j++)
    s[j] = 0;
  for (int i = 0; i < n; i++)
    {
      t[i] = 0;
      for (int j = 0; j < m; j++)
        t[i] += x[i][j] * v[j];
      for (int j = 0; j < m; j++)
        s[j] += x[i][j] * t[i];
    }
}

static NOINLINE void
twice (int n, int m, double (*x)[COLUMNS], const double *v, double *t,
       double *s)
{
#pragma tensor
  {
    for (int j = 0; j < m; j++)
      s[j] = 0;
    for (int i = 0; i < n; i++)
      {
        t[i] = 0;
        for (int j = 0; j < m; j++)
          t[i] += x[i][j] * v[j];
        for (int j = 0; j < m; j++)
          s[j] += x[i][j] * t[i];
      }
  }
}

static NOINLINE void
plain_planes (int n, int m, double (*x)[7][COLUMNS], double (*s)[COLUMNS])
{
  for (int i = 0; i < n; i++)
    for (int k = 1; k < 6; k++)
      for (int j = 1; j < m; j++)
        s[k][j] += x[i][k - 1][j] * x[i][k][j - 1];
}

static NOINLINE void
planes (int n, int m, double (*x)[7][COLUMNS], double (*s)[COLUMNS])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int k = 1; k < 6; k++)
      for (int j = 1; j < m; j++)
        s[k][j] += x[i][k - 1][j] * x[i][k][j - 1];
}

static NOINLINE double
plain_loss (int n, int m, double (*x)[COLUMNS], double *s)
{
  double loss = 0;
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      for (int j = 0; j < m; j++)
        {
          sum += x[i][j];
          s[j] += x[i][j] * x[i][j];
        }
      loss += sum * sum;
    }
  return loss;
}

static NOINLINE double
loss (int n, int m, double (*x)[COLUMNS], double *s)
{
  double all = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      for (int j = 0; j < m; j++)
        {
          sum += x[i][j];
          s[j] += x[i][j] * x[i][j];
        }
      all += sum * sum;
    }
  return all;
}

static NOINLINE void
plain_causal (int b, int h, int n, double (*x)[7][COLUMNS][COLUMNS])
{
  for (int k = 0; k < b; k++)
    for (int l = 0; l < h; l++)
      for (int i = 0; i < n; i++)
        {
          double sum = 0;
          for (int j = 0; j <= i; j++)
            sum += x[k][l][i][j] * x[k][l][i][j];
          for (int j = 0; j <= i; j++)
            x[k][l][i][j] /= sum + 1;
        }
}

static NOINLINE void
causal (int b, int h, int n, double (*x)[7][COLUMNS][COLUMNS])
{
#pragma tensor
  for (int k = 0; k < b; k++)
    for (int l = 0; l < h; l++)
      for (int i = 0; i < n; i++)
        {
          double sum = 0;
          for (int j = 0; j <= i; j++)
            sum += x[k][l][i][j] * x[k][l][i][j];
          for (int j = 0; j <= i; j++)
            x[k][l][i][j] /= sum + 1;
        }
}

static NOINLINE void
triangle (int n, const double (*x)[ROWS], double (*y)[ROWS])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      y[i][j] += x[i][j] * 2;
}

static double x[ROWS * COLUMNS * 7], v[COLUMNS];
static double square[2][ROWS * ROWS], weights[ROWS * ROWS];

/* What the kernels leave behind.  */
typedef struct outcome
{
  double columns[COLUMNS];
  double greatest[COLUMNS];
  double twice[COLUMNS];
  double between[ROWS];
  double planes[7][COLUMNS];
  double squares[COLUMNS];
  double loss;
  double causal[3][7][COLUMNS][COLUMNS];
} outcome;

static outcome plain, one, many;

/* The next number from -1 to 1.  */
static double
real (void)
{
  return (int) (next () % 2001) / 1000.0 - 1;
}

/* Run everything into O, without the plug-in when PLAIN_ONES.  */
static void
run (outcome *o, int n, int m, int plain_ones)
{
  void *p = x;
  memset (o, 0, sizeof *o);
  memcpy (o->causal, x, sizeof o->causal);
  if (plain_ones)
    {
      plain_columns (n, m, p, o->columns);
      plain_greatest (n, m, p, o->greatest);
      plain_twice (n, m, p, v, o->between, o->twice);
      plain_planes (n, m, p, o->planes);
      o->loss = plain_loss (n, m, p, o->squares);
      plain_causal (3, 7, m, o->causal);
      return;
    }
  columns (n, m, p, o->columns);
  greatest (n, m, p, o->greatest);
  twice (n, m, p, v, o->between, o->twice);
  planes (n, m, p, o->planes);
  o->loss = loss (n, m, p, o->squares);
  causal (3, 7, m, o->causal);
}

/* All elements of A and B are near.  */
static void
check_near (const outcome *a, const outcome *b)
{
  const double *p = (const double *) a, *q = (const double *) b;
  for (size_t k = 0; k < sizeof *a / sizeof *p; k++)
    if (!(fabs (p[k] - q[k]) <= 1e-11 * (fabs (p[k]) + 1)))
      differ ("outcome", k, p[k], q[k]);
}

/* Use N threads.  */
static void
use_threads (int n)
{
#ifdef _OPENMP
  omp_set_num_threads (n);
#endif
  current[1] = n;
}

/* All kernels on N rows of M columns.  */
static void
check (int n, int m)
{
  current[0] = n;
  run (&plain, n, m, 1);
  use_threads (1);
  run (&one, n, m, 0);
  check_near (&plain, &one);
  for (int threads = 2; threads <= 4; threads++)
    {
      use_threads (threads);
      run (&many, n, m, 0);
      if (memcmp (&one, &many, sizeof one))
        differ ("bits", 0, 0, threads);
    }
}

/* A triangle of N rows.  */
static void
check_triangle (int n)
{
  for (int k = 0; k < ROWS * ROWS; k++)
    {
      square[0][k] = square[1][k] = k % 1001;
      weights[k] = k % 77;
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      square[0][i * ROWS + j] += weights[i * ROWS + j] * 2;
  use_threads (3);
  triangle (n, (void *) weights, (void *) square[1]);
  CHECK (square);
}

int
main (void)
{
  static const int rows[] = { 0, 1, 2, 17, 100, 333, ROWS };
  static const int lengths[] = { 0, 1, 2, 5, 17, COLUMNS };
  for (size_t k = 0; k < LENGTH (x); k++)
    x[k] = real ();
  for (size_t k = 0; k < LENGTH (v); k++)
    v[k] = real ();
  for (size_t k = 0; k < LENGTH (rows); k++)
    for (size_t l = 0; l < LENGTH (lengths); l++)
      check (rows[k], lengths[l]);
  check_triangle (5);
  check_triangle (ROWS);
  return 0;
}
