/* Shows that arrays of variable shape, static ones, and ones of three and
   four dimensions mean the same.  */

#include "compare.h"

static float grid[MOST][MOST], other[MOST][MOST];
static int deep[2][5][7][9];

static NOINLINE void
plain_transpose (int n, int m, float a[n][m], float b[m][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      b[j][i] = a[i][j];
}

static NOINLINE void
plain_stars (int n, int m, int k, float a[n][m][k], float b[m][k][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int l = 0; l < k; l++)
        b[j][l][i] += a[i][j][l] * 2;
}

static NOINLINE void
plain_statics (int n, int m, const float *from, float *to)
{
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        grid[i][j] = from[i * MOST + j];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        other[i][j] = grid[i][j] + (i > 0 ? grid[i - 1][j] : 0);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        to[i * MOST + j] = other[i][j];
  }
}

static NOINLINE void
plain_four (int n, int *out)
{
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 5; j++)
      for (int k = 0; k < 7; k++)
        for (int l = 0; l < 9; l++)
          {
            deep[i][j][k][l] = i + 2 * j - k * l + n;
            out[((l * 7 + k) * 5 + j) * 2 + i] = deep[i][j][k][l];
          }
}

static NOINLINE void
plain_edges (int n, int m, float a[n][m], float b[2][n][m])
{
  for (int j = 0; j < m; j++)
    {
      a[0][j] = 1;
      b[0][n - 1][j] = j % 2 ? a[0][j] : b[1][0][j];
    }
}

static NOINLINE void
transpose (int n, int m, float a[n][m], float b[m][n])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      b[j][i] = a[i][j];
}

static NOINLINE void
stars (int n, int m, int k, float a[n][m][k], float b[m][k][n])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int l = 0; l < k; l++)
        b[j][l][i] += a[i][j][l] * 2;
}

static NOINLINE void
statics (int n, int m, const float *from, float *to)
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        grid[i][j] = from[i * MOST + j];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        other[i][j] = grid[i][j] + (i > 0 ? grid[i - 1][j] : 0);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        to[i * MOST + j] = other[i][j];
  }
}

static NOINLINE void
four (int n, int *out)
{
#pragma tensor
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 5; j++)
      for (int k = 0; k < 7; k++)
        for (int l = 0; l < 9; l++)
          {
            deep[i][j][k][l] = i + 2 * j - k * l + n;
            out[((l * 7 + k) * 5 + j) * 2 + i] = deep[i][j][k][l];
          }
}

static NOINLINE void
edges (int n, int m, float a[n][m], float b[2][n][m])
{
#pragma tensor
  for (int j = 0; j < m; j++)
    {
      a[0][j] = 1;
      b[0][n - 1][j] = j % 2 ? a[0][j] : b[1][0][j];
    }
}

static float a[2][AREA], b[2][AREA], c[2][AREA], d[2][AREA];
static int o[2][700];

int
main (void)
{
  EACH_SIZE (n)
  EACH_WIDTH (m)
  {
    FILL (a);
    FILL (b);
    BOTH (transpose, n, m, (void *) a[W], (void *) b[W]);
    CHECK (b);
    FILL (b);
    BOTH (statics, n, m, a[W], b[W]);
    CHECK (b);
    if (n > 0 && n <= MOST / 2)
      BOTH (edges, n, m, (void *) a[W], (void *) b[W]);
    CHECK (a);
    CHECK (b);
  }
  EACH_SMALL (n)
  EACH_SMALL_TOO (m)
  {
    FILL (c);
    FILL (d);
    BOTH (stars, n, m, 5, (void *) c[W], (void *) d[W]);
    CHECK (d);
    BOTH (stars, 3, n, m, (void *) c[W], (void *) d[W]);
    CHECK (d);
    FILL (o);
    BOTH (four, n, o[W]);
    CHECK (o);
  }
  return 0;
}
