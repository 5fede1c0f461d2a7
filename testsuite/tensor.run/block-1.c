/* Shows that contractions in blocks of their sums, matrix-vector products with
   rows jammed, columns in strips and lanes along outer loops mean the same,
   with threads too.  */

/* { dg-tensor-opts "parallel-threshold=1" } */

#include "compare.h"

#ifdef _OPENMP
#  include <omp.h>
#endif

#define LONG 300

static NOINLINE void
plain_sum (int n, int m, int l, float a[n][l], float b[l][m], float c[n][m])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        float s = 1;
        for (int k = 0; k < l; k++)
          s += a[i][k] * b[k][j];
        c[i][j] = s * 2;
      }
}

static NOINLINE void
plain_rows (int n, int m, int l, const double *restrict a,
            const double *restrict b, double *restrict c)
{
  for (int i = 0; i < n; i++)
    for (int k = 0; k < l; k++)
      {
        double t = a[i * l + k];
        for (int j = 0; j < m; j++)
          c[i * m + j] += t * b[k * m + j];
      }
}

static NOINLINE void
plain_solve (int n, int m, double l[restrict n][n], double x[restrict n][m])
{
  for (int r = 0; r < m; r++)
    for (int i = 0; i < n; i++)
      {
        double s = x[i][r];
        for (int k = 0; k < i; k++)
          s -= l[i][k] * x[k][r];
        x[i][r] = s / l[i][i];
      }
}

static NOINLINE void
plain_vectors (int n, int m, float a[restrict n][m], const float *restrict x,
               float *restrict y, float *restrict z)
{
  for (int i = 0; i < n; i++)
    {
      y[i] = 0;
      for (int j = 0; j < m; j++)
        y[i] += a[i][j] * x[j];
      for (int j = 0; j < m; j++)
        z[j] += a[i][j] * y[i];
    }
}

static NOINLINE int
plain_most (int n, int m, int a[restrict n][m])
{
  int most = 0;
  for (int j = 0; j < m; j++)
    {
      int s = 0;
      for (int i = 0; i < n; i++)
        s += a[i][j];
      most = s > most ? s : most;
    }
  return most;
}

static NOINLINE void
plain_window (int n, int m, float a[restrict n + 4][m + 4],
              const float *restrict w, float c[restrict n][m])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        float s = 0;
        for (int p = 0; p < 5; p++)
          for (int q = 0; q < 5; q++)
            s += a[i + p][j + q] * w[p * 5 + q];
        c[i][j] = s;
      }
}

static NOINLINE void
sum (int n, int m, int l, float a[n][l], float b[l][m], float c[n][m])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        float s = 1;
        for (int k = 0; k < l; k++)
          s += a[i][k] * b[k][j];
        c[i][j] = s * 2;
      }
}

static NOINLINE void
rows (int n, int m, int l, const double *restrict a, const double *restrict b,
      double *restrict c)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int k = 0; k < l; k++)
      {
        double t = a[i * l + k];
        for (int j = 0; j < m; j++)
          c[i * m + j] += t * b[k * m + j];
      }
}

static NOINLINE void
solve (int n, int m, double l[restrict n][n], double x[restrict n][m])
{
#pragma tensor
  for (int r = 0; r < m; r++)
    for (int i = 0; i < n; i++)
      {
        double s = x[i][r];
        for (int k = 0; k < i; k++)
          s -= l[i][k] * x[k][r];
        x[i][r] = s / l[i][i];
      }
}

static NOINLINE void
vectors (int n, int m, float a[restrict n][m], const float *restrict x,
         float *restrict y, float *restrict z)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      y[i] = 0;
      for (int j = 0; j < m; j++)
        y[i] += a[i][j] * x[j];
      for (int j = 0; j < m; j++)
        z[j] += a[i][j] * y[i];
    }
}

static NOINLINE int
most (int n, int m, int a[restrict n][m])
{
  int most = 0;
#pragma tensor
  for (int j = 0; j < m; j++)
    {
      int s = 0;
      for (int i = 0; i < n; i++)
        s += a[i][j];
      most = s > most ? s : most;
    }
  return most;
}

static NOINLINE void
window (int n, int m, float a[restrict n + 4][m + 4], const float *restrict w,
        float c[restrict n][m])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        float s = 0;
        for (int p = 0; p < 5; p++)
          for (int q = 0; q < 5; q++)
            s += a[i + p][j + q] * w[p * 5 + q];
        c[i][j] = s;
      }
}

static float a[2][LONG * LONG], b[2][LONG * LONG], c[2][LONG * LONG];
static double d[2][LONG * LONG], e[2][LONG * LONG], f[2][LONG * LONG];
static int g[2][LONG * LONG];

static void
check (int n, int m, int l)
{
  FILL (a);
  FILL (b);
  FILL (c);
  FILL (d);
  FILL (e);
  FILL (f);
  FILL (g);
  BOTH (sum, n, m, l, (void *) a[W], (void *) b[W], (void *) c[W]);
  CHECK (c);
  BOTH (rows, n, m, l, d[W], e[W], f[W]);
  CHECK (f);
  BOTH (vectors, n, l, (void *) a[W], b[W], c[W], c[W] + LONG);
  CHECK (c);
  BOTH_EQUAL (most, n, l, (void *) g[W]);
  if (n <= LONG - 4 && m <= LONG - 4)
    BOTH (window, n, m, (void *) a[W], b[W], (void *) c[W]);
  CHECK (c);
  FILL_REAL (d);
  for (int w = 0; w < 2; w++)
    for (int i = 0; i < n; i++)
      d[w][i * n + i] = n + 2;
  BOTH (solve, n, m, (void *) d[W], (void *) e[W]);
  CHECK_NEAR (e, 1e-12);
}

int
main (void)
{
  static const int size[] = { 0, 1, 2, 17, 33, 70 };
  static const int length[] = { 0, 1, 5, 127, 128, 129, LONG };
#ifdef _OPENMP
  omp_set_num_threads (3);
#endif
  for (size_t i = 0; i < LENGTH (size); i++)
    for (size_t j = 0; j < LENGTH (length); j++)
      {
        current[0] = size[i];
        current[1] = length[j];
        check (size[i], size[LENGTH (size) - 1 - i], length[j]);
        check (length[j], size[i], size[i]);
        check (size[i], length[j], size[i]);
      }
  return 0;
}
