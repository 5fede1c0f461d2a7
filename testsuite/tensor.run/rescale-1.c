/* Shows that temporaries which are scaled before products read them mean the
   same when the products are scaled: attention, rows of a local array, rows
   without elements.  */

#include "compare.h"

#define ATTENTION                                                              \
  {                                                                            \
    for (int i = 0; i < n; i++)                                                \
      for (int j = 0; j <= i; j++)                                             \
        {                                                                      \
          s[i][j] = 0;                                                         \
          for (int c = 0; c < d; c++)                                          \
            s[i][j] += q[i][c] * k[j][c];                                      \
        }                                                                      \
    for (int i = 0; i < n; i++)                                                \
      {                                                                        \
        float sum = 0;                                                         \
        for (int j = 0; j <= i; j++)                                           \
          {                                                                    \
            s[i][j] = expf (s[i][j]);                                          \
            sum += s[i][j];                                                    \
          }                                                                    \
        for (int j = 0; j <= i; j++)                                           \
          s[i][j] /= sum;                                                      \
      }                                                                        \
    for (int i = 0; i < n; i++)                                                \
      for (int c = 0; c < d; c++)                                              \
        {                                                                      \
          o[i][c] = 0;                                                         \
          for (int j = 0; j <= i; j++)                                         \
            o[i][c] += s[i][j] * v[j][c];                                      \
        }                                                                      \
  }

#define ROWS                                                                   \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      double p[m + 1];                                                         \
      double all = 0;                                                          \
      for (int j = 0; j < m; j++)                                              \
        {                                                                      \
          p[j] = x[i][j] * x[i][j];                                            \
          all += p[j];                                                         \
        }                                                                      \
      for (int j = 0; j < m; j++)                                              \
        p[j] = p[j] / all * z[i];                                              \
      for (int e = 0; e < n; e++)                                              \
        for (int j = 0; j < m; j++)                                            \
          y[i][e] += p[j] * w[e][j];                                           \
    }

static NOINLINE void
plain_attention (int n, int d, float q[n][d], float k[n][d], float v[n][d],
                 float s[n][n], float o[n][d])
{
  ATTENTION
}

static NOINLINE void
plain_rows (int n, int m, double x[n][m], double z[n], double w[n][m],
            double y[n][n])
{
  ROWS
}

static NOINLINE void
attention (int n, int d, float q[restrict n][d], float k[restrict n][d],
           float v[restrict n][d], float s[restrict n][n],
           float o[restrict n][d])
{
#pragma tensor temp(s)
  ATTENTION
}

static NOINLINE void
rows (int n, int m, double x[restrict n][m], double z[restrict n],
      double w[restrict n][m], double y[restrict n][n])
{
#pragma tensor
  ROWS
}

static float q[2][AREA], k[2][AREA], v[2][AREA], s[2][AREA], o[2][AREA];
static double x[2][AREA], z[2][MOST], w[2][AREA], y[2][AREA];

int
main (void)
{
  EACH_SIZE (n)
  EACH_WIDTH (m)
  {
    FILL_REAL (q);
    FILL_REAL (k);
    FILL_REAL (v);
    FILL_REAL (o);
    BOTH (attention, n, m, (void *) q[W], (void *) k[W], (void *) v[W],
          (void *) s[W], (void *) o[W]);
    CHECK_NEAR (o, 2e-5);
    FILL_WITH (x, 1 + next () % 9);
    FILL_REAL (z);
    FILL_REAL (w);
    FILL_REAL (y);
    BOTH (rows, n, m, (void *) x[W], z[W], (void *) w[W], (void *) y[W]);
    CHECK_NEAR (y, 1e-12);
  }
  return 0;
}
