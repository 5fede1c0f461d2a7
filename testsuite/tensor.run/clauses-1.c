/* Shows that the clauses noalias, assume, tile, simd, unroll, parallel,
   interchange and fuse keep the meaning.  */

#include "compare.h"

static NOINLINE void
plain_words (float *x, const float *y, int n)
{
  for (int i = 0; i < n; i++)
    x[i] += y[i];
}

static NOINLINE void
plain_tiled (int n, int m, const int a[n][m], int b[m][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      b[j][i] = a[i][j];
}

static NOINLINE void
plain_product (int n, int a[n][n], int b[n][n], int c[n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

static NOINLINE void
plain_swapped (int n, int m, int a[n][m])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] += i * j;
}

static NOINLINE void
plain_apart (int *x, int *y, int n)
{
  {
    for (int i = 0; i < n; i++)
      x[i] += 1;
    for (int i = 0; i < n; i++)
      y[i] += x[i];
  }
}

static NOINLINE void
plain_together (int *restrict x, int *restrict y, int n)
{
  {
    for (int i = 0; i < n; i++)
      x[i] += 1;
    for (int i = 0; i < n; i++)
      y[i] += x[i];
  }
}

static NOINLINE void
words (float *x, const float *y, int n)
{
#pragma tensor noalias assume(n >= 0) simd(i)
  for (int i = 0; i < n; i++)
    x[i] += y[i];
}

static NOINLINE void
tiled (int n, int m, const int a[n][m], int b[m][n])
{
#pragma tensor tile(i : 8, j : 16)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      b[j][i] = a[i][j];
}

static NOINLINE void
product (int n, int a[n][n], int b[n][n], int c[n][n])
{
#pragma tensor tile(i : 5, j : 7, k : 3)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

static NOINLINE void
swapped (int n, int m, int a[n][m])
{
#pragma tensor interchange(i, j) parallel(off)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] += i * j;
}

static NOINLINE void
apart (int *x, int *y, int n)
{
#pragma tensor fuse(none) simd(off)
  {
    for (int i = 0; i < n; i++)
      x[i] += 1;
    for (int i = 0; i < n; i++)
      y[i] += x[i];
  }
}

static NOINLINE void
together (int *restrict x, int *restrict y, int n)
{
#pragma tensor fuse(max) unroll(i : 4) tile(off)
  {
    for (int i = 0; i < n; i++)
      x[i] += 1;
    for (int i = 0; i < n; i++)
      y[i] += x[i];
  }
}

static float f[2][128], g[2][128];
static int a[2][AREA], b[2][AREA], c[2][AREA];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (f);
    FILL (g);
    FILL (a);
    FILL (b);
    FILL (c);
    BOTH (words, f[W], g[W], n);
    CHECK (f);
    BOTH (apart, a[W], b[W], n);
    BOTH (together, a[W], b[W], n);
    CHECK (a);
    CHECK (b);
    BOTH (product, n < 40 ? n : 40, (void *) a[W], (void *) b[W],
          (void *) c[W]);
    CHECK (c);
    EACH_WIDTH (m)
    {
      BOTH (tiled, n, m, (void *) a[W], (void *) b[W]);
      CHECK (b);
      BOTH (swapped, n, m, (void *) b[W]);
      CHECK (b);
    }
  }
  return 0;
}
