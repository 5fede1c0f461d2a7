/* Shows that cells of products that are begun where their sums are, in blocks
   or not, mean the same: also where nothing is added.  */

#include "compare.h"

#define LONG 300

#define ZERO                                                                   \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      {                                                                        \
        c[i * m + j] = 0;                                                      \
        for (int k = 0; k < l; k++)                                            \
          c[i * m + j] += a[i * l + k] * b[k * m + j];                         \
      }

#define SCALE                                                                  \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      for (int j = 0; j < m; j++)                                              \
        c[i][j] *= s;                                                          \
      for (int k = 1; k < l; k++)                                              \
        for (int j = 0; j < m; j++)                                            \
          c[i][j] += a[i][k] * b[k][j];                                        \
    }

#define DISTANCE                                                               \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      {                                                                        \
        c[i][j] = x[j];                                                        \
        for (int k = i; k < l; k++)                                            \
          c[i][j] += (a[i][k] - b[j][k]) * (a[i][k] - b[j][k]);                \
      }

static NOINLINE void
plain_zero (int n, int m, int l, const float *restrict a,
            const float *restrict b, float *restrict c)
{
  ZERO
}

static NOINLINE void
zero (int n, int m, int l, const float *restrict a, const float *restrict b,
      float *restrict c)
{
#pragma tensor
  ZERO
}

static NOINLINE void
plain_scale (int n, int m, int l, double s, double a[restrict n][l],
             double b[restrict l][m], double c[restrict n][m])
{
  SCALE
}

static NOINLINE void
scale (int n, int m, int l, double s, double a[restrict n][l],
       double b[restrict l][m], double c[restrict n][m])
{
#pragma tensor
  SCALE
}

static NOINLINE void
plain_distance (int n, int m, int l, int a[restrict n][l],
                int b[restrict m][l], int c[restrict n][m], int *restrict x)
{
  DISTANCE
}

static NOINLINE void
distance (int n, int m, int l, int a[restrict n][l], int b[restrict m][l],
          int c[restrict n][m], int *restrict x)
{
#pragma tensor
  DISTANCE
}

static float a[2][MOST * LONG], b[2][MOST * LONG], c[2][AREA];
static double d[2][MOST * LONG], e[2][MOST * LONG], f[2][AREA];
static int p[2][MOST * LONG], q[2][MOST * LONG], r[2][AREA], v[2][MOST];

static const int lengths[] = { 0, 1, 2, 10, 127, 128, 129, LONG };

int
main (void)
{
  FILL (a);
  FILL (b);
  FILL (d);
  FILL (e);
  FILL (p);
  FILL (q);
  EACH_SMALL (n)
  EACH_WIDTH (m)
  for (size_t k = 0; k < LENGTH (lengths); k++)
    {
      int l = lengths[k];
      FILL (c);
      BOTH (zero, n, m, l, a[W], b[W], c[W]);
      CHECK (c);
      FILL (f);
      BOTH (scale, n, m, l, 3, (void *) d[W], (void *) e[W], (void *) f[W]);
      CHECK (f);
      FILL (r);
      FILL (v);
      BOTH (distance, n, m, l, (void *) p[W], (void *) q[W], (void *) r[W],
            v[W]);
      CHECK (r);
    }
  return 0;
}
