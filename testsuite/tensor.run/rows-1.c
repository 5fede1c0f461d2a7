/* Shows that rows that wait for themselves mean the same side by side:
   stencils in place, tables of dynamic programming, backwards, over time,
   rows that are free.  */

#include "compare.h"

#define SIDE    128
#define ROWS(a) ((int (*)[SIDE]) (a)[W])

static NOINLINE void
plain_table (int a[SIDE][SIDE], const int *s, const int *t, int n, int m)
{
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      {
        int up = a[i - 1][j] + 1;
        int left = a[i][j - 1] + 1;
        int both = a[i - 1][j - 1] + (s[i] != t[j]);
        int less = up < left ? up : left;
        a[i][j] = less < both ? less : both;
      }
}

static NOINLINE void
table (int a[SIDE][SIDE], const int *s, const int *t, int n, int m)
{
#pragma tensor
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      {
        int up = a[i - 1][j] + 1;
        int left = a[i][j - 1] + 1;
        int both = a[i - 1][j - 1] + (s[i] != t[j]);
        int less = up < left ? up : left;
        a[i][j] = less < both ? less : both;
      }
}

static NOINLINE void
plain_plate (int a[SIDE][SIDE], int steps, int n, int m)
{
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i][j] = (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1]
                   + a[i][j] + a[i][j + 1] + a[i + 1][j - 1] + a[i + 1][j]
                   + a[i + 1][j + 1])
                  / 9;
}

static NOINLINE void
plate (int a[SIDE][SIDE], int steps, int n, int m)
{
#pragma tensor
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i][j] = (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1]
                   + a[i][j] + a[i][j + 1] + a[i + 1][j - 1] + a[i + 1][j]
                   + a[i + 1][j + 1])
                  / 9;
}

static inline float
lesser (float a, float b)
{
  return a < b ? a : b;
}

static NOINLINE void
plain_back (float *x, int n, int m)
{
  for (int i = n - 2; i >= 0; i--)
    for (int j = m - 2; j >= 0; j--)
      x[i * m + j] = lesser (
        x[i * m + j], lesser (x[(i + 1) * m + j] + 1, x[i * m + j + 1] + 1));
}

static NOINLINE void
back (float *x, int n, int m)
{
#pragma tensor
  for (int i = n - 2; i >= 0; i--)
    for (int j = m - 2; j >= 0; j--)
      x[i * m + j] = lesser (
        x[i * m + j], lesser (x[(i + 1) * m + j] + 1, x[i * m + j + 1] + 1));
}

static NOINLINE void
plain_line (int *x, int steps, int n)
{
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      x[i] = (x[i - 1] + x[i] * 2 + x[i + 1]) / 4;
}

static NOINLINE void
line (int *x, int steps, int n)
{
#pragma tensor
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      x[i] = (x[i - 1] + x[i] * 2 + x[i + 1]) / 4;
}

static NOINLINE void
plain_pair (int a[SIDE][SIDE], int b[SIDE][SIDE], int n, int m)
{
  for (int i = 1; i < n; i++)
    for (int j = 2; j < m - 2; j++)
      {
        a[i][j] = (b[i - 1][j + 2] + a[i][j - 1]) % 100;
        b[i][j] = (a[i - 1][j] - b[i][j - 2] + a[i][j]) % 100;
      }
}

static NOINLINE void
pair (int a[SIDE][SIDE], int b[SIDE][SIDE], int n, int m)
{
#pragma tensor
  for (int i = 1; i < n; i++)
    for (int j = 2; j < m - 2; j++)
      {
        a[i][j] = (b[i - 1][j + 2] + a[i][j - 1]) % 100;
        b[i][j] = (a[i - 1][j] - b[i][j - 2] + a[i][j]) % 100;
      }
}

static NOINLINE void
plain_diagonal (int *x, int n, int m)
{
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      x[i + j] = (x[i + j] + 3 * x[i + j - 1] + i) % 1000;
}

static NOINLINE void
diagonal (int *x, int n, int m)
{
#pragma tensor
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      x[i + j] = (x[i + j] + 3 * x[i + j - 1] + i) % 1000;
}

static NOINLINE void
plain_rows (int a[SIDE][SIDE], int b[SIDE][SIDE], int n, int m)
{
  for (int i = 0; i < n; i++)
    {
      b[i][0] = a[i][m];
      for (int j = 1; j < m; j++)
        {
          a[i][j] = (a[i][j] + 3 * a[i][j - 1]) % 100;
          b[i][j] = (b[i][j - 1] + 2 * a[i][j - 1]) % 100;
        }
      for (int j = 1; j < i; j++)
        a[i][j] += a[i][j - 1] / 2;
      for (int j = m - 2; j >= 0; j--)
        b[i][j] = (b[i][j] - b[i][j + 1]) % 100;
    }
}

static NOINLINE void
rows (int a[SIDE][SIDE], int b[SIDE][SIDE], int n, int m)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      b[i][0] = a[i][m];
      for (int j = 1; j < m; j++)
        {
          a[i][j] = (a[i][j] + 3 * a[i][j - 1]) % 100;
          b[i][j] = (b[i][j - 1] + 2 * a[i][j - 1]) % 100;
        }
      for (int j = 1; j < i; j++)
        a[i][j] += a[i][j - 1] / 2;
      for (int j = m - 2; j >= 0; j--)
        b[i][j] = (b[i][j] - b[i][j + 1]) % 100;
    }
}

static int a[2][AREA];
static int b[2][AREA];
static int s[2][SIDE];
static int t[2][SIDE];
static int x[2][2 * SIDE];
static float f[2][AREA];

int
main (void)
{
  for (size_t k = 0; k < LENGTH (sizes); k++)
    for (size_t l = 0; l < LENGTH (sizes); l++)
      {
        int n = sizes[k];
        int m = sizes[l];
        current[0] = n;
        current[1] = m;
        FILL (a);
        FILL (b);
        FILL (s);
        FILL (t);
        FILL (x);
        FILL (f);
        BOTH (table, ROWS (a), s[W], t[W], n, m);
        BOTH (plate, ROWS (b), 3, n, m);
        CHECK (a);
        CHECK (b);
        BOTH (pair, ROWS (a), ROWS (b), n, m);
        BOTH (rows, ROWS (a), ROWS (b), n, m);
        BOTH (back, f[W], n, m);
        BOTH (line, x[W], n, m);
        CHECK (x);
        BOTH (diagonal, x[W], n, m);
        CHECK (a);
        CHECK (b);
        CHECK (f);
        CHECK (x);
      }
  return 0;
}
