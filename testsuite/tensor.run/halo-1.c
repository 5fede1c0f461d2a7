/* Shows that nests that reach beyond each other's rows mean the same in tiles,
   and where there are too few rows for them.  */

#include "compare.h"

#define ROOM (300 * 300)

static NOINLINE void
plain_blur (int n, int m, float x[restrict n][m], float y[restrict n][m],
            float t[restrict n][m])
{
  {
    for (int i = 0; i < n; i++)
      for (int j = 1; j < m - 1; j++)
        t[i][j] = x[i][j - 1] + 2 * x[i][j] + x[i][j + 1];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        y[i][j] = t[i - 1][j] + 2 * t[i][j] + t[i + 1][j];
  }
}

static NOINLINE void
plain_edges (int n, int m, int *restrict x, int *restrict y)
{
  {
    int s[n + 1][m], d[n + 1][m];
    for (int i = 2; i < n - 2; i++)
      for (int j = 0; j < m; j++)
        s[i][j] = x[(i - 2) * m + j] + x[i * m + j] - x[(i + 2) * m + j];
    for (int i = 3; i < n - 3; i++)
      for (int j = 0; j < m; j++)
        d[i][j] = s[i - 1][j] - s[i + 1][j] * 3;
    for (int i = 4; i < n - 4; i++)
      for (int j = 0; j < m; j++)
        y[i * m + j] = d[i - 1][j] > s[i][j] ? d[i + 1][j] : 7;
  }
}

static NOINLINE void
plain_heat (int steps, int n, int m, float a[restrict n][m],
            float b[restrict n][m])
{
  for (int t = 0; t < steps; t++)
    {
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
          b[i][j] = a[i - 1][j] + a[i][j - 1] - a[i][j + 1] - a[i + 1][j];
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
          a[i][j] = (b[i - 1][j] + b[i][j - 1] + b[i][j + 1] + b[i + 1][j])
                    * 0.125f;
    }
}

static NOINLINE void
plain_fields (int steps, int n, int m, float p[restrict n][m],
              float q[restrict n][m], float r[restrict n][m])
{
  for (int t = 0; t < steps; t++)
    {
      for (int j = 0; j < m; j++)
        q[0][j] = t;
      for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
          q[i][j] = q[i][j] - 0.5f * (r[i][j] - r[i - 1][j]);
      for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++)
          p[i][j] = p[i][j] - 0.5f * (r[i][j] - r[i][j - 1]);
      for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < m - 1; j++)
          r[i][j] = r[i][j]
                    - 0.25f * (p[i][j + 1] - p[i][j] + q[i + 1][j] - q[i][j]);
    }
}

static NOINLINE void
blur (int n, int m, float x[restrict n][m], float y[restrict n][m],
      float t[restrict n][m])
{
#pragma tensor temp(t)
  {
    for (int i = 0; i < n; i++)
      for (int j = 1; j < m - 1; j++)
        t[i][j] = x[i][j - 1] + 2 * x[i][j] + x[i][j + 1];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        y[i][j] = t[i - 1][j] + 2 * t[i][j] + t[i + 1][j];
  }
}

static NOINLINE void
edges (int n, int m, int *restrict x, int *restrict y)
{
#pragma tensor
  {
    int s[n + 1][m], d[n + 1][m];
    for (int i = 2; i < n - 2; i++)
      for (int j = 0; j < m; j++)
        s[i][j] = x[(i - 2) * m + j] + x[i * m + j] - x[(i + 2) * m + j];
    for (int i = 3; i < n - 3; i++)
      for (int j = 0; j < m; j++)
        d[i][j] = s[i - 1][j] - s[i + 1][j] * 3;
    for (int i = 4; i < n - 4; i++)
      for (int j = 0; j < m; j++)
        y[i * m + j] = d[i - 1][j] > s[i][j] ? d[i + 1][j] : 7;
  }
}

static NOINLINE void
heat (int steps, int n, int m, float a[restrict n][m], float b[restrict n][m])
{
#pragma tensor
  for (int t = 0; t < steps; t++)
    {
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
          b[i][j] = a[i - 1][j] + a[i][j - 1] - a[i][j + 1] - a[i + 1][j];
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
          a[i][j] = (b[i - 1][j] + b[i][j - 1] + b[i][j + 1] + b[i + 1][j])
                    * 0.125f;
    }
}

static NOINLINE void
fields (int steps, int n, int m, float p[restrict n][m], float q[restrict n][m],
        float r[restrict n][m])
{
#pragma tensor
  for (int t = 0; t < steps; t++)
    {
      for (int j = 0; j < m; j++)
        q[0][j] = t;
      for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
          q[i][j] = q[i][j] - 0.5f * (r[i][j] - r[i - 1][j]);
      for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++)
          p[i][j] = p[i][j] - 0.5f * (r[i][j] - r[i][j - 1]);
      for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < m - 1; j++)
          r[i][j] = r[i][j]
                    - 0.25f * (p[i][j + 1] - p[i][j] + q[i + 1][j] - q[i][j]);
    }
}

static float a[2][ROOM], b[2][ROOM], c[2][ROOM];
static int p[2][ROOM], q[2][ROOM];

static void
check (int n, int m)
{
  current[0] = n;
  current[1] = m;
  FILL (a);
  FILL (b);
  FILL (c);
  BOTH (blur, n, m, (void *) a[W], (void *) b[W], (void *) c[W]);
  CHECK (b);
  BOTH (heat, 3, n, m, (void *) a[W], (void *) b[W]);
  CHECK (a);
  CHECK (b);
  FILL (a);
  FILL (b);
  FILL (c);
  BOTH (fields, 3, n, m, (void *) a[W], (void *) b[W], (void *) c[W]);
  CHECK (a);
  CHECK (b);
  CHECK (c);
  FILL (p);
  FILL (q);
  BOTH (edges, n, m, p[W], q[W]);
  CHECK (q);
}

int
main (void)
{
  static const int rows[] = { 0, 1, 2, 3, 5, 8, 31, 32, 33, 34, 65, 97, 200 };
  for (size_t k = 0; k < LENGTH (rows); k++)
    {
      check (rows[k], 3);
      check (rows[k], 17);
      check (rows[k], 300);
    }
  check (300, 299);
  check (261, 300);
  check (ROOM / 100, 100);
  return 0;
}
