/* Shows that operands that are copied for their column mean the same at all
   sizes, those too small for a copy among them.  */

#include "compare.h"

static NOINLINE void
plain_transposed (int n, int m, int l, float c[n][m], float a[n][l],
                  float b[m][l])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        c[i][j] = 0;
        for (int k = 0; k < l; k++)
          c[i][j] += a[i][k] * b[j][k];
      }
}

static NOINLINE void
plain_both (int n, int m, int l, double c[n][m], double a[l][n], double b[m][l])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        c[i][j] += a[k][i] * b[j][k];
}

static NOINLINE void
plain_distances (int n, int m, int l, float c[n][m], float a[n][l],
                 float b[m][l])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        float s = 0;
        for (int k = 0; k < l; k++)
          s += (a[i][k] - b[j][k]) * (a[i][k] - b[j][k]);
        c[i][j] = s;
      }
}

static NOINLINE void
plain_bytes (int n, int m, int l, int c[n][m], signed char a[n][l],
             signed char b[m][l])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        c[i][j] += a[i][k] * b[j][k];
}

static NOINLINE void
plain_heads (int t, int d, float y[t][2][d], float q[t][2][d], float v[t][2][d],
             float s[2][t][t])
{
  for (int h = 0; h < 2; h++)
    for (int i = 0; i < t; i++)
      for (int j = 0; j <= i; j++)
        {
          float sum = 0;
          for (int e = 0; e < d; e++)
            sum += q[i][h][e] * v[j][h][e];
          s[h][i][j] = sum;
        }
  for (int h = 0; h < 2; h++)
    for (int i = 0; i < t; i++)
      for (int e = 0; e < d; e++)
        {
          y[i][h][e] = 0;
          for (int j = 0; j <= i; j++)
            y[i][h][e] += s[h][i][j] * v[j][h][e];
        }
}

static NOINLINE void
transposed (int n, int m, int l, float c[n][m], float a[n][l], float b[m][l])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        c[i][j] = 0;
        for (int k = 0; k < l; k++)
          c[i][j] += a[i][k] * b[j][k];
      }
}

static NOINLINE void
both (int n, int m, int l, double c[n][m], double a[l][n], double b[m][l])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        c[i][j] += a[k][i] * b[j][k];
}

static NOINLINE void
distances (int n, int m, int l, float c[n][m], float a[n][l], float b[m][l])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        float s = 0;
        for (int k = 0; k < l; k++)
          s += (a[i][k] - b[j][k]) * (a[i][k] - b[j][k]);
        c[i][j] = s;
      }
}

static NOINLINE void
bytes (int n, int m, int l, int c[n][m], signed char a[n][l],
       signed char b[m][l])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        c[i][j] += a[i][k] * b[j][k];
}

static NOINLINE void
heads (int t, int d, float y[t][2][d], float q[t][2][d], float v[t][2][d],
       float s[2][t][t])
{
#pragma tensor temp(s)
  {
    for (int h = 0; h < 2; h++)
      for (int i = 0; i < t; i++)
        for (int j = 0; j <= i; j++)
          {
            float sum = 0;
            for (int e = 0; e < d; e++)
              sum += q[i][h][e] * v[j][h][e];
            s[h][i][j] = sum;
          }
    for (int h = 0; h < 2; h++)
      for (int i = 0; i < t; i++)
        for (int e = 0; e < d; e++)
          {
            y[i][h][e] = 0;
            for (int j = 0; j <= i; j++)
              y[i][h][e] += s[h][i][j] * v[j][h][e];
          }
  }
}

static float a[2][AREA], b[2][AREA], c[2][AREA], s[2][2 * 33 * 33];
static double d[2][AREA], e[2][AREA], f[2][AREA];
static signed char p[2][AREA], q[2][AREA];
static int r[2][AREA];

static void
check (int n, int m, int l)
{
  FILL (a);
  FILL (b);
  FILL (c);
  BOTH (transposed, n, m, l, (void *) c[W], (void *) a[W], (void *) b[W]);
  CHECK (c);
  BOTH (distances, n, m, l, (void *) c[W], (void *) a[W], (void *) b[W]);
  CHECK (c);
  FILL (d);
  FILL (e);
  FILL (f);
  BOTH (both, n, m, l, (void *) f[W], (void *) d[W], (void *) e[W]);
  CHECK (f);
  FILL (p);
  FILL (q);
  FILL (r);
  BOTH (bytes, n, m, l, (void *) r[W], (void *) p[W], (void *) q[W]);
  CHECK (r);
}

int
main (void)
{
  EACH_SIZE (n)
  {
    check (n, n, 2);
    check (n, 33, 10);
    check (16, n, n);
    check (n, 64, n);
  }
  EACH_SMALL (t)
  {
    FILL (a);
    FILL (b);
    FILL (c);
    BOTH (heads, t, 7, (void *) c[W], (void *) a[W], (void *) b[W],
          (void *) s[W]);
    CHECK (c);
  }
  return 0;
}
