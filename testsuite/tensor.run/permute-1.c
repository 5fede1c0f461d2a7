/* Shows that copies that permute, reverse, pad, slice and pack mean the
   same.  */

#include "compare.h"

static NOINLINE void
plain_to_channels_last (const float *x, float *y, int c, int h, int w)
{
  for (int k = 0; k < c; k++)
    for (int i = 0; i < h; i++)
      for (int j = 0; j < w; j++)
        y[(i * w + j) * c + k] = x[(k * h + i) * w + j];
}

static NOINLINE void
plain_heads (const float *restrict x, float *restrict q, float *restrict k,
             int T, int NH, int hs)
{
  for (int t = 0; t < T; t++)
    for (int h = 0; h < NH; h++)
      for (int i = 0; i < hs; i++)
        {
          q[(h * T + t) * hs + i] = x[t * 2 * NH * hs + h * hs + i];
          k[(h * T + t) * hs + i] = x[t * 2 * NH * hs + NH * hs + h * hs + i];
        }
}

static NOINLINE void
plain_reverse (const int *x, int *y, int n)
{
  for (int i = 0; i < n; i++)
    y[i] = x[n - 1 - i];
}

static NOINLINE void
plain_swap_ends (int *x, int n)
{
  for (int i = 0; i < n / 2; i++)
    {
      int t = x[i];
      x[i] = x[n - 1 - i];
      x[n - 1 - i] = t;
    }
}

static NOINLINE void
plain_pad (int n, int m, const float x[n][m], float y[n + 2][m + 2])
{
  for (int i = 0; i < n + 2; i++)
    for (int j = 0; j < m + 2; j++)
      {
        if (i == 0 || j == 0 || i == n + 1 || j == m + 1)
          y[i][j] = 0;
        else
          y[i][j] = x[i - 1][j - 1];
      }
}

static NOINLINE void
plain_symmetric (int n, int a[n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[j][i] = a[i][j];
}

static NOINLINE void
plain_in_place (int n, int a[n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      {
        int t = a[i][j];
        a[i][j] = a[j][i];
        a[j][i] = t;
      }
}

static NOINLINE void
plain_columns (const float *restrict x, float *restrict col, int h, int w)
{
  for (int u = 0; u < 3; u++)
    for (int v = 0; v < 3; v++)
      for (int i = 0; i < h - 2; i++)
        for (int j = 0; j < w - 2; j++)
          col[((u * 3 + v) * (h - 2) + i) * (w - 2) + j]
            = x[(i + u) * w + j + v];
}

static NOINLINE void
to_channels_last (const float *x, float *y, int c, int h, int w)
{
#pragma tensor
  for (int k = 0; k < c; k++)
    for (int i = 0; i < h; i++)
      for (int j = 0; j < w; j++)
        y[(i * w + j) * c + k] = x[(k * h + i) * w + j];
}

static NOINLINE void
heads (const float *restrict x, float *restrict q, float *restrict k, int T,
       int NH, int hs)
{
#pragma tensor
  for (int t = 0; t < T; t++)
    for (int h = 0; h < NH; h++)
      for (int i = 0; i < hs; i++)
        {
          q[(h * T + t) * hs + i] = x[t * 2 * NH * hs + h * hs + i];
          k[(h * T + t) * hs + i] = x[t * 2 * NH * hs + NH * hs + h * hs + i];
        }
}

static NOINLINE void
reverse (const int *x, int *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    y[i] = x[n - 1 - i];
}

static NOINLINE void
swap_ends (int *x, int n)
{
#pragma tensor
  for (int i = 0; i < n / 2; i++)
    {
      int t = x[i];
      x[i] = x[n - 1 - i];
      x[n - 1 - i] = t;
    }
}

static NOINLINE void
pad (int n, int m, const float x[n][m], float y[n + 2][m + 2])
{
#pragma tensor
  for (int i = 0; i < n + 2; i++)
    for (int j = 0; j < m + 2; j++)
      {
        if (i == 0 || j == 0 || i == n + 1 || j == m + 1)
          y[i][j] = 0;
        else
          y[i][j] = x[i - 1][j - 1];
      }
}

static NOINLINE void
symmetric (int n, int a[n][n])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[j][i] = a[i][j];
}

static NOINLINE void
in_place (int n, int a[n][n])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      {
        int t = a[i][j];
        a[i][j] = a[j][i];
        a[j][i] = t;
      }
}

static NOINLINE void
columns (const float *restrict x, float *restrict col, int h, int w)
{
#pragma tensor
  for (int u = 0; u < 3; u++)
    for (int v = 0; v < 3; v++)
      for (int i = 0; i < h - 2; i++)
        for (int j = 0; j < w - 2; j++)
          col[((u * 3 + v) * (h - 2) + i) * (w - 2) + j]
            = x[(i + u) * w + j + v];
}

static float x[2][AREA], y[2][AREA], z[2][AREA];
static int p[2][AREA], q[2][AREA];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (p);
    FILL (q);
    BOTH (reverse, p[W], q[W], n);
    CHECK (q);
    BOTH (swap_ends, q[W], n);
    CHECK (q);
    BOTH (symmetric, n, (void *) p[W]);
    CHECK (p);
    FILL (p);
    BOTH (in_place, n, (void *) p[W]);
    CHECK (p);
  }
  EACH_SMALL (n)
  EACH_SMALL_TOO (m)
  {
    FILL (x);
    FILL (y);
    FILL (z);
    BOTH (to_channels_last, x[W], y[W], 3, n, m);
    CHECK (y);
    BOTH (heads, x[W], y[W], z[W], n, 2, m);
    CHECK (y);
    CHECK (z);
    BOTH (pad, n, m, (void *) x[W], (void *) y[W]);
    CHECK (y);
    BOTH (columns, x[W], y[W], n, m);
    CHECK (y);
  }
  return 0;
}
