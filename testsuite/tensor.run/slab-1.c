/* Shows that loops in slabs mean the same: factorisations and solves whose
   trailing updates become products, by steps, by rows and by columns, of halves
   of a matrix, with sums and quotients in scalars; a closure; all the same from
   the last row to the first one.  The matrices are
   products of triangles of small whole numbers, whose pivots are powers of two,
   so that all is exact in any order.  */

#include "compare.h"

#define STEPS                                                                  \
  for (int k = 0; k < n; k++)                                                  \
    {                                                                          \
      for (int i = k + 1; i < n; i++)                                          \
        a[i][k] /= a[k][k];                                                    \
      for (int i = k + 1; i < n; i++)                                          \
        for (int j = k + 1; j < n; j++)                                        \
          a[i][j] -= a[i][k] * a[k][j];                                        \
    }

#define ROWS                                                                   \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      for (int j = 0; j < i; j++)                                              \
        {                                                                      \
          for (int k = 0; k < j; k++)                                          \
            a[i][j] -= a[i][k] * a[k][j];                                      \
          a[i][j] /= a[j][j];                                                  \
        }                                                                      \
      for (int j = i; j < n; j++)                                              \
        for (int k = 0; k < i; k++)                                            \
          a[i][j] -= a[i][k] * a[k][j];                                        \
    }

#define QUOTIENTS                                                              \
  for (int k = 0; k < n; k++)                                                  \
    for (int i = k + 1; i < n; i++)                                            \
      {                                                                        \
        double l = a[i][k] / a[k][k];                                          \
        a[i][k] = l;                                                           \
        for (int j = k + 1; j < n; j++)                                        \
          a[i][j] -= l * a[k][j];                                              \
      }

#define TRIANGLES                                                              \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      for (int j = i; j < n; j++)                                              \
        {                                                                      \
          double s = 0;                                                        \
          for (int k = 0; k < i; k++)                                          \
            s += b[i][k] * c[k][j];                                            \
          c[i][j] = a[i][j] - s;                                               \
        }                                                                      \
      for (int j = i; j < n; j++)                                              \
        if (i == j)                                                            \
          b[i][i] = 1;                                                         \
        else                                                                   \
          {                                                                    \
            double s = 0;                                                      \
            for (int k = 0; k < i; k++)                                        \
              s += b[j][k] * c[k][i];                                          \
            b[j][i] = (a[j][i] - s) / c[i][i];                                 \
          }                                                                    \
    }

#define FACTORS                                                                \
  for (int k = 0; k < n; k++)                                                  \
    for (int i = k + 1; i < n; i++)                                            \
      {                                                                        \
        double l = a[i][k] / a[k][k];                                          \
        for (int j = k; j < n; j++)                                            \
          a[i][j] -= l * a[k][j];                                              \
      }

#define DOWN                                                                   \
  for (int k = n - 1; k > 0; k--)                                              \
    for (int i = k - 1; i >= 0; i--)                                           \
      {                                                                        \
        a[i][k] /= a[k][k];                                                    \
        for (int j = k - 1; j >= 0; j--)                                       \
          a[i][j] -= a[i][k] * a[k][j];                                        \
      }

#define COLUMNS                                                                \
  for (int j = 0; j < n; j++)                                                  \
    {                                                                          \
      for (int i = j; i < n; i++)                                              \
        {                                                                      \
          double s = a[i][j];                                                  \
          for (int k = 0; k < j; k++)                                          \
            s -= a[i][k] * a[k][j];                                            \
          a[i][j] = s;                                                         \
        }                                                                      \
      for (int i = j + 1; i < n; i++)                                          \
        {                                                                      \
          double s = a[j][i];                                                  \
          for (int k = 0; k < j; k++)                                          \
            s -= a[j][k] * a[k][i];                                            \
          a[j][i] = s / a[j][j];                                               \
        }                                                                      \
    }

#define HALF_SUMS                                                              \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j <= i; j++)                                               \
      {                                                                        \
        double s = a[i][j];                                                    \
        for (int k = 0; k < j; k++)                                            \
          s -= a[i][k] * a[j][k];                                              \
        a[i][j] = i == j ? sqrt (s) : s / a[j][j];                             \
      }

#define HALF_OWED                                                              \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j <= i; j++)                                               \
      {                                                                        \
        double s = 0;                                                          \
        for (int k = 0; k < j; k++)                                            \
          s += a[i][k] * a[j][k];                                              \
        if (i == j)                                                            \
          a[i][i] = sqrt (a[i][i] - s);                                        \
        else                                                                   \
          a[i][j] = (a[i][j] - s) / a[j][j];                                   \
      }

#define HALF_STEPS                                                             \
  for (int k = 0; k < n; k++)                                                  \
    {                                                                          \
      a[k][k] = sqrt (a[k][k]);                                                \
      for (int i = k + 1; i < n; i++)                                          \
        a[i][k] /= a[k][k];                                                    \
      for (int i = k + 1; i < n; i++)                                          \
        for (int j = k + 1; j <= i; j++)                                       \
          a[i][j] -= a[i][k] * a[j][k];                                        \
    }

#define HALF_ROWS                                                              \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      for (int j = 0; j < i; j++)                                              \
        {                                                                      \
          for (int k = 0; k < j; k++)                                          \
            a[i][j] -= a[i][k] * a[j][k];                                      \
          a[i][j] /= a[j][j];                                                  \
        }                                                                      \
      for (int k = 0; k < i; k++)                                              \
        a[i][i] -= a[i][k] * a[i][k];                                          \
      a[i][i] = sqrt (a[i][i]);                                                \
    }

#define UPPER_STEPS                                                            \
  for (int k = 0; k < n; k++)                                                  \
    {                                                                          \
      a[k][k] = sqrt (a[k][k]);                                                \
      for (int j = k + 1; j < n; j++)                                          \
        a[k][j] /= a[k][k];                                                    \
      for (int i = k + 1; i < n; i++)                                          \
        for (int j = i; j < n; j++)                                            \
          a[i][j] -= a[k][i] * a[k][j];                                        \
    }

#define SOLVE                                                                  \
  for (int k = 0; k < n; k++)                                                  \
    {                                                                          \
      for (int j = 0; j < m; j++)                                              \
        x[k][j] /= a[k][k];                                                    \
      for (int i = k + 1; i < n; i++)                                          \
        for (int j = 0; j < m; j++)                                            \
          x[i][j] -= a[i][k] * x[k][j];                                        \
    }

#define SOLVE_DOWN                                                             \
  for (int i = n - 1; i >= 0; i--)                                             \
    for (int j = 0; j < m; j++)                                                \
      {                                                                        \
        double s = x[i][j];                                                    \
        for (int k = i + 1; k < n; k++)                                        \
          s -= a[k][i] * x[k][j];                                              \
        x[i][j] = s / a[i][i];                                                 \
      }

#define SOLVE_ROWS                                                             \
  for (int i = 0; i < m; i++)                                                  \
    for (int j = n - 1; j >= 0; j--)                                           \
      {                                                                        \
        for (int k = j + 1; k < n; k++)                                        \
          x[i][j] -= x[i][k] * a[k][j];                                        \
        x[i][j] /= a[j][j];                                                    \
      }

#define CLOSE                                                                  \
  for (int k = 0; k < n; k++)                                                  \
    for (int i = 0; i < n; i++)                                                \
      for (int j = 0; j < n; j++)                                              \
        a[i][j] = a[i][j] < a[i][k] + a[k][j] ? a[i][j] : a[i][k] + a[k][j];

static NOINLINE void
plain_steps (int n, double a[n][n])
{
  STEPS
}

static NOINLINE void
steps (int n, double a[n][n])
{
#pragma tensor
  STEPS
}

static NOINLINE void
plain_steps_float (int n, float a[n][n])
{
  STEPS
}

static NOINLINE void
steps_float (int n, float a[n][n])
{
#pragma tensor
  STEPS
}

static NOINLINE void
plain_by_rows (int n, double a[n][n])
{
  ROWS
}

static NOINLINE void
by_rows (int n, double a[n][n])
{
#pragma tensor
  ROWS
}

static NOINLINE void
plain_by_rows_float (int n, float a[n][n])
{
  ROWS
}

static NOINLINE void
by_rows_float (int n, float a[n][n])
{
#pragma tensor
  ROWS
}

static NOINLINE void
plain_quotients (int n, double a[n][n])
{
  QUOTIENTS
}

static NOINLINE void
quotients (int n, double a[n][n])
{
#pragma tensor
  QUOTIENTS
}

static NOINLINE void
plain_triangles (int n, double a[n][n], double b[n][n], double c[n][n])
{
  TRIANGLES
}

static NOINLINE void
triangles (int n, double a[n][n], double b[n][n], double c[n][n])
{
#pragma tensor
  TRIANGLES
}

static NOINLINE void
plain_factors (int n, double a[n][n])
{
  FACTORS
}

static NOINLINE void
factors (int n, double a[n][n])
{
#pragma tensor
  FACTORS
}

static NOINLINE void
plain_down (int n, double a[n][n])
{
  DOWN
}

static NOINLINE void
down (int n, double a[n][n])
{
#pragma tensor
  DOWN
}

static NOINLINE void
plain_columns (int n, double a[n][n])
{
  COLUMNS
}

static NOINLINE void
columns (int n, double a[n][n])
{
#pragma tensor
  COLUMNS
}

static NOINLINE void
plain_half_sums (int n, double a[n][n])
{
  HALF_SUMS
}

static NOINLINE void
half_sums (int n, double a[n][n])
{
#pragma tensor
  HALF_SUMS
}

static NOINLINE void
plain_half_owed (int n, double a[n][n])
{
  HALF_OWED
}

static NOINLINE void
half_owed (int n, double a[n][n])
{
#pragma tensor
  HALF_OWED
}

static NOINLINE void
plain_half_steps (int n, double a[n][n])
{
  HALF_STEPS
}

static NOINLINE void
half_steps (int n, double a[n][n])
{
#pragma tensor
  HALF_STEPS
}

static NOINLINE void
plain_half_rows (int n, double a[n][n])
{
  HALF_ROWS
}

static NOINLINE void
half_rows (int n, double a[n][n])
{
#pragma tensor
  HALF_ROWS
}

static NOINLINE void
plain_half_rows_float (int n, float a[n][n])
{
  HALF_ROWS
}

static NOINLINE void
half_rows_float (int n, float a[n][n])
{
#pragma tensor
  HALF_ROWS
}

static NOINLINE void
plain_upper_steps (int n, double a[n][n])
{
  UPPER_STEPS
}

static NOINLINE void
upper_steps (int n, double a[n][n])
{
#pragma tensor
  UPPER_STEPS
}

static NOINLINE void
plain_closed (int n, double a[n][n])
{
  CLOSE
}

static NOINLINE void
closed (int n, double a[n][n])
{
#pragma tensor
  CLOSE
}

static NOINLINE void
plain_solve (int n, int m, double a[n][n], double x[n][m])
{
  SOLVE
}

static NOINLINE void
solve (int n, int m, double a[n][n], double x[n][m])
{
#pragma tensor
  SOLVE
}

static NOINLINE void
plain_solve_down (int n, int m, double a[n][n], double x[n][m])
{
  SOLVE_DOWN
}

static NOINLINE void
solve_down (int n, int m, double a[n][n], double x[n][m])
{
#pragma tensor
  SOLVE_DOWN
}

static NOINLINE void
plain_solve_rows (int n, int m, double a[n][n], double x[m][n])
{
  SOLVE_ROWS
}

static NOINLINE void
solve_rows (int n, int m, double a[n][n], double x[m][n])
{
#pragma tensor
  SOLVE_ROWS
}

/* In order: no term of a sum changes places.  */
static NOINLINE void
plain_strict (int n, double a[n][n])
{
  ROWS
}

static NOINLINE void
strict (int n, double a[n][n])
{
#pragma tensor fp(strict)
  ROWS
}

static double a[2][AREA], x[2][AREA], upper[2][AREA], l[MOST][MOST],
  u[MOST][MOST];
static double t[AREA];
static float b[2][AREA];

/* The matrix of N rows anew: element i, j is the sum of l[i][k] * u[k][j], or,
   SYMMETRIC, of l[i][k] * l[j][k].  */
static void
begin (int n, int symmetric)
{
  FILL (a);
  FILL (x);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        int c = next () % 4 ? 0 : (int) (next () % 3) - 1;
        int pivot = 1 << next () % 2;
        l[i][j] = i == j ? symmetric ? pivot : 1 : i > j ? c * pivot : 0;
        u[i][j] = i == j ? pivot : i < j ? c : 0;
      }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        double sum = 0;
        for (int k = 0; k < n; k++)
          sum += l[i][k] * (symmetric ? l[j][k] : u[k][j]);
        a[0][i * n + j] = a[1][i * n + j] = sum;
      }
  for (int w = 0; w < 2; w++)
    for (size_t k = 0; k < LENGTH (b[w]); k++)
      b[w][k] = a[w][k];
}

/* What SOLVE gets for N rows of M numbers: in T the triangle, in X its product
   with small whole numbers.  */
static void
begin_solve (int n, int m)
{
  static double y[MOST][MOST];
  begin (n, 0);
  for (int i = 0; i < n; i++)
    {
      for (int k = 0; k < n; k++)
        t[i * n + k] = l[i][k];
      for (int j = 0; j < m; j++)
        {
          double sum = y[i][j] = (int) (next () % 15) - 7;
          for (int k = 0; k < i; k++)
            sum += l[i][k] * y[k][j];
          x[0][i * m + j] = x[1][i * m + j] = sum;
        }
    }
}

/* The matrix of N rows with the last one first, and the last column.  */
static void
turn (int n)
{
  for (int k = 0; k < n * n / 2; k++)
    for (int w = 0; w < 2; w++)
      {
        double moved = a[w][k];
        a[w][k] = a[w][n * n - 1 - k];
        a[w][n * n - 1 - k] = moved;
      }
}

/* What SOLVE_DOWN gets for N rows of M numbers, or SOLVE_ROWS, BY_ROWS, for M
   rows of N: in T the triangle, in X its product with small whole numbers.  */
static void
begin_down (int n, int m, int by_rows)
{
  static double y[MOST][MOST];
  begin (n, 0);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      t[i * n + k] = l[i][k];
  for (int i = n - 1; i >= 0; i--)
    for (int j = 0; j < m; j++)
      {
        double sum = y[i][j] = (int) (next () % 15) - 7;
        for (int k = i + 1; k < n; k++)
          sum += l[k][i] * y[k][j];
        int at = by_rows ? j * n + i : i * m + j;
        x[0][at] = x[1][at] = sum;
      }
}

#define TRY(kernel, array, symmetric)                                          \
  begin (n, symmetric);                                                        \
  BOTH (kernel, n, (void *) array[W]);                                         \
  CHECK (array)

int
main (void)
{
  for (size_t s = 0; s < LENGTH (sizes); s++)
    {
      int n = sizes[s];
      current[0] = n;
      TRY (steps, a, 0);
      TRY (steps_float, b, 0);
      TRY (by_rows, a, 0);
      TRY (by_rows_float, b, 0);
      TRY (strict, a, 0);
      TRY (quotients, a, 0);
      TRY (factors, a, 0);
      begin (n, 0);
      FILL (upper);
      BOTH (triangles, n, (void *) a[W], (void *) x[W], (void *) upper[W]);
      CHECK (x);
      CHECK (upper);
      begin (n, 0);
      turn (n);
      BOTH (down, n, (void *) a[W]);
      CHECK (a);
      TRY (columns, a, 0);
      TRY (half_sums, a, 1);
      TRY (half_owed, a, 1);
      TRY (half_steps, a, 1);
      TRY (half_rows, a, 1);
      TRY (half_rows_float, b, 1);
      TRY (upper_steps, a, 1);
      TRY (closed, a, 1);
      begin_solve (n, MOST / 2);
      BOTH (solve, n, MOST / 2, (void *) t, (void *) x[W]);
      CHECK (x);
      begin_down (n, MOST / 2, 0);
      BOTH (solve_down, n, MOST / 2, (void *) t, (void *) x[W]);
      CHECK (x);
      begin_down (n, MOST / 2, 1);
      BOTH (solve_rows, n, MOST / 2, (void *) t, (void *) x[W]);
      CHECK (x);
    }
  return 0;
}
