/* Shows that windows of constant extents, which are written out, mean the
   same: sums and minima of bytes, a hole in the middle, a window cut at the
   border, a cell that goes from one copy to the next, stores in between, and
   the nearest of some vectors.  */

#include "compare.h"

static NOINLINE void
plain_box (int n, int m, const unsigned char *restrict x,
           unsigned char *restrict y)
{
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      {
        int around = 0;
        for (int u = -1; u <= 1; u++)
          for (int v = -1; v <= 1; v++)
            if (u || v)
              around += x[(i + u) * m + j + v];
        y[i * m + j] = around == 3 || (around == 2 && x[i * m + j]);
      }
}

static NOINLINE void
plain_erode (int n, int m, const unsigned char *restrict x,
             unsigned char *restrict y)
{
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      {
        unsigned char least = 255;
        for (int u = -1; u <= 1; u++)
          for (int v = -1; v <= 1; v++)
            {
              unsigned char t = x[(i + u) * m + j + v];
              if (t < least)
                least = t;
            }
        y[i * m + j] = least;
      }
}

static NOINLINE void
plain_moments (int n, int m, const int x[n][m], int y[n][m])
{
  for (int i = 0; i < n - 2; i++)
    for (int j = 0; j < m - 2; j++)
      {
        int sum = 0, square = 0, last = 0;
        for (int u = 0; u < 3; u++)
          for (int v = 0; v < 3; v++)
            {
              int t = x[i + u][j + v];
              int d = t - last;
              sum += d;
              square += t * t;
              last = t;
            }
        y[i][j] = 9 * square - sum * sum;
      }
}

static NOINLINE void
plain_codes (int n, const float x[n][4], const float book[8][4],
             unsigned char *restrict code)
{
  for (int i = 0; i < n; i++)
    {
      float best = 1e30f;
      int label = 0;
      for (int k = 0; k < 8; k++)
        {
          float d = 0;
          for (int j = 0; j < 4; j++)
            {
              float t = x[i][j] - book[k][j];
              d += t * t;
            }
          if (d < best)
            {
              best = d;
              label = k;
            }
        }
      code[i] = label;
    }
}

static NOINLINE void
plain_border (int n, int m, const float x[n][m], const float w[3][3],
              float y[n][m])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        float s = 0.5f;
        for (int u = 0; u < 3; u++)
          for (int v = 0; v < 3; v++)
            {
              int r = i + u - 1, c = j + v - 1;
              if (r >= 0 && r < n && c >= 0 && c < m)
                s += x[r][c] * w[u][v];
            }
        y[i][j] = s;
      }
}

static NOINLINE void
plain_changed (int n, float x[n], float y[n])
{
  for (int i = 0; i < n - 4; i++)
    {
      float s = 0;
      for (int k = 0; k < 4; k++)
        {
          float t = x[i];
          x[i] = t + 1;
          s += t * (k + 1);
          y[i] -= s;
        }
    }
}

static NOINLINE void
box (int n, int m, const unsigned char *restrict x, unsigned char *restrict y)
{
#pragma tensor
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      {
        int around = 0;
        for (int u = -1; u <= 1; u++)
          for (int v = -1; v <= 1; v++)
            if (u || v)
              around += x[(i + u) * m + j + v];
        y[i * m + j] = around == 3 || (around == 2 && x[i * m + j]);
      }
}

static NOINLINE void
erode (int n, int m, const unsigned char *restrict x, unsigned char *restrict y)
{
#pragma tensor
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      {
        unsigned char least = 255;
        for (int u = -1; u <= 1; u++)
          for (int v = -1; v <= 1; v++)
            {
              unsigned char t = x[(i + u) * m + j + v];
              if (t < least)
                least = t;
            }
        y[i * m + j] = least;
      }
}

static NOINLINE void
moments (int n, int m, const int x[n][m], int y[n][m])
{
#pragma tensor
  for (int i = 0; i < n - 2; i++)
    for (int j = 0; j < m - 2; j++)
      {
        int sum = 0, square = 0, last = 0;
        for (int u = 0; u < 3; u++)
          for (int v = 0; v < 3; v++)
            {
              int t = x[i + u][j + v];
              int d = t - last;
              sum += d;
              square += t * t;
              last = t;
            }
        y[i][j] = 9 * square - sum * sum;
      }
}

static NOINLINE void
border (int n, int m, const float x[n][m], const float w[3][3], float y[n][m])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        float s = 0.5f;
        for (int u = 0; u < 3; u++)
          for (int v = 0; v < 3; v++)
            {
              int r = i + u - 1, c = j + v - 1;
              if (r >= 0 && r < n && c >= 0 && c < m)
                s += x[r][c] * w[u][v];
            }
        y[i][j] = s;
      }
}

static NOINLINE void
changed (int n, float x[n], float y[n])
{
#pragma tensor
  for (int i = 0; i < n - 4; i++)
    {
      float s = 0;
      for (int k = 0; k < 4; k++)
        {
          float t = x[i];
          x[i] = t + 1;
          s += t * (k + 1);
          y[i] -= s;
        }
    }
}

static NOINLINE void
codes (int n, const float x[n][4], const float book[8][4],
       unsigned char *restrict code)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float best = 1e30f;
      int label = 0;
      for (int k = 0; k < 8; k++)
        {
          float d = 0;
          for (int j = 0; j < 4; j++)
            {
              float t = x[i][j] - book[k][j];
              d += t * t;
            }
          if (d < best)
            {
              best = d;
              label = k;
            }
        }
      code[i] = label;
    }
}

static unsigned char b[2][AREA], c[2][AREA];
static int p[2][AREA], q[2][AREA];
static float x[2][AREA], y[2][AREA], w[2][9];

int
main (void)
{
  FILL (w);
  EACH_SIZE (n)
  EACH_WIDTH (m)
  {
    FILL_BELOW (b, 2);
    FILL_BELOW (c, 2);
    BOTH (box, n, m, b[W], c[W]);
    CHECK (c);
    FILL_BELOW (b, 256);
    BOTH (erode, n, m, b[W], c[W]);
    CHECK (c);
    FILL (p);
    FILL (q);
    BOTH (moments, n, m, (void *) p[W], (void *) q[W]);
    CHECK (q);
    FILL (x);
    FILL (y);
    BOTH (border, n, m, (void *) x[W], (void *) w[W], (void *) y[W]);
    CHECK (y);
  }
  EACH_SIZE (n)
  {
    FILL (x);
    FILL (y);
    BOTH (changed, n, x[W], y[W]);
    CHECK (x);
    CHECK (y);
    FILL_BELOW (x, 7);
    FILL_BELOW (y, 5);
    BOTH (codes, n / 4, (void *) x[W], (void *) y[W], c[W]);
    CHECK (c);
  }
  return 0;
}
