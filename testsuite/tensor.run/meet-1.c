/* Shows that nests that go through an array along different loops, and sums
   beside what is stored, mean the same when they go through it together.  */

#include "compare.h"

PLAIN_O2 void
plain_both_ways (int n, int (*a)[MOST + 1], int *x, int *y, const int *u)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i] += a[i][j] * u[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i] += a[j][i] * u[j];
}

PLAIN_O2 void
plain_columns_first (int n, int (*a)[MOST + 1], int *x, int *y, const int *u)
{
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i][j] += u[i] - x[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[j] += a[i][j] * u[i];
}

PLAIN_O2 void
plain_rank_two (int n, int (*a)[MOST + 1], int *x, int *y, const int *u)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] += u[i] * u[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i] += a[j][i] * u[j];
  for (int i = 0; i < n; i++)
    x[i] += u[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i] += a[i][j] * x[j];
}

PLAIN_O2 void
plain_turned_in_place (int n, int (*a)[MOST + 1], int *x, int *y, const int *u)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] += u[j];
  for (int i = 0; i < n - 1; i++)
    for (int j = 0; j < n - 1; j++)
      a[j + 1][i] -= a[j][i] + x[i] * y[j];
}

PLAIN_O2 void
plain_square_sum (int n, int (*a)[MOST + 1], int *x, int *y, const int *u)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] -= u[j] * x[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[0] += a[i][j] * a[i][j];
}

PLAIN_O2 void
plain_forth_and_back (int n, int (*a)[MOST + 1], int *x, int *y, const int *u)
{
  for (int i = 0; i < n; i++)
    {
      x[i] = 0;
      for (int j = 0; j < n; j++)
        x[i] += a[i][j] * u[j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[j] += a[i][j] * x[i];
}

PLAIN_O2 void
plain_diagonal (int n, int (*a)[MOST + 1], int *x, int *y, const int *u)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i] += a[j][j] * u[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i] += a[j][i] * u[j];
}

static NOINLINE void
both_ways (int n, int (*restrict a)[MOST + 1], int *restrict x, int *restrict y,
           const int *restrict u)
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        x[i] += a[i][j] * u[j];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        y[i] += a[j][i] * u[j];
  }
}

static NOINLINE void
columns_first (int n, int (*restrict a)[MOST + 1], int *restrict x,
               int *restrict y, const int *restrict u)
{
#pragma tensor
  {
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        a[i][j] += u[i] - x[j];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        y[j] += a[i][j] * u[i];
  }
}

static NOINLINE void
rank_two (int n, int (*restrict a)[MOST + 1], int *restrict x, int *restrict y,
          const int *restrict u)
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i][j] += u[i] * u[j];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        x[i] += a[j][i] * u[j];
    for (int i = 0; i < n; i++)
      x[i] += u[i];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        y[i] += a[i][j] * x[j];
  }
}

static NOINLINE void
turned_in_place (int n, int (*restrict a)[MOST + 1], int *restrict x,
                 int *restrict y, const int *restrict u)
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i][j] += u[j];
    for (int i = 0; i < n - 1; i++)
      for (int j = 0; j < n - 1; j++)
        a[j + 1][i] -= a[j][i] + x[i] * y[j];
  }
}

static NOINLINE void
square_sum (int n, int (*restrict a)[MOST + 1], int *restrict x,
            int *restrict y, const int *restrict u)
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i][j] -= u[j] * x[i];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        y[0] += a[i][j] * a[i][j];
  }
}

static NOINLINE void
forth_and_back (int n, int (*restrict a)[MOST + 1], int *restrict x,
                int *restrict y, const int *restrict u)
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      {
        x[i] = 0;
        for (int j = 0; j < n; j++)
          x[i] += a[i][j] * u[j];
      }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        y[j] += a[i][j] * x[i];
  }
}

static NOINLINE void
diagonal (int n, int (*restrict a)[MOST + 1], int *restrict x, int *restrict y,
          const int *restrict u)
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        x[i] += a[j][j] * u[j];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        y[i] += a[j][i] * u[j];
  }
}

static int a[2][AREA], x[2][MOST + 1], y[2][MOST + 1], u[2][MOST + 1];

#define SHOW(kernel)                                                           \
  do                                                                           \
    {                                                                          \
      FILL (a);                                                                \
      FILL (x);                                                                \
      FILL (y);                                                                \
      FILL (u);                                                                \
      BOTH (kernel, n, (int (*)[MOST + 1]) a[W], x[W], y[W], u[W]);            \
      CHECK (a);                                                               \
      CHECK (x);                                                               \
      CHECK (y);                                                               \
    }                                                                          \
  while (0)

int
main (void)
{
  for (size_t k = 0; k < LENGTH (sizes); k++)
    {
      int n = current[0] = sizes[k];
      SHOW (both_ways);
      SHOW (columns_first);
      SHOW (rank_two);
      SHOW (turned_in_place);
      SHOW (square_sum);
      SHOW (forth_and_back);
      SHOW (diagonal);
    }
  return 0;
}
