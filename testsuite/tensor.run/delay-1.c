/* Shows that what two loops add to the same rows is added by the later one, and
   what the first one sets them to set there, and that elements which are not
   each iteration's own, or seen between, are left alone.  */
/* { dg-tensor-opts "dump=delay" } */
/* { dg-final { scan-tns-dump-times delay "y\\\[i\\\]\\\[j\\\] \\+= " 0 } } */
/* { dg-final { scan-tns-dump-times delay "z\\\[i \\+ j\\\] \\+= " 1 } } */
/* { dg-final { scan-tns-dump-times delay "v\\\[i\\\]\\\[j\\\] \\+= " 1 } } */
/* { dg-final { scan-tns-dump-times delay "f\\\[i\\\]\\\[j\\\] = " 0 } } */

#include "compare.h"

#define SWEEPS                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      {                                                                        \
        float t = a[i][j] * s[j];                                              \
        y[i][j] += t;                                                          \
        y[i][j] += a[i][j] / 2;                                                \
        v[i][j] += t;                                                          \
        z[i + j] += t;                                                         \
        q[j] += t;                                                             \
        f[i][j] = t;                                                           \
      }                                                                        \
  for (int k = 0; k < m; k++)                                                  \
    q[k] /= n > 0 ? 2 + v[0][k] - v[0][k] : 1;                                 \
  for (int k = 0; k < n; k++)                                                  \
    for (int l = 0; l < m; l++)                                                \
      {                                                                        \
        y[k][l] += q[l] * a[k][l];                                             \
        v[k][l] += q[l];                                                       \
        z[k + l] += q[l];                                                      \
        f[k][l] += q[l];                                                       \
      }

static NOINLINE void
plain_sweeps (int n, int m, const float a[restrict n][m],
              const float *restrict s, float y[restrict n][m],
              float v[restrict n][m], float *restrict q, float *restrict z,
              float f[restrict n][m])
{
  SWEEPS
}

static NOINLINE void
sweeps (int n, int m, const float a[restrict n][m], const float *restrict s,
        float y[restrict n][m], float v[restrict n][m], float *restrict q,
        float *restrict z, float f[restrict n][m])
{
#pragma tensor
  {
    SWEEPS
  }
}

static float a[AREA], s[MOST + 1], y[2][AREA], v[2][AREA];
static float q[2][MOST + 1], z[2][2 * MOST + 2], f[2][AREA];

int
main (void)
{
  for (int k = 0; k < AREA; k++)
    a[k] = (float) (next () % 8);
  for (int k = 0; k <= MOST; k++)
    s[k] = (float) (next () % 4);
  EACH_SMALL (n)
  EACH_SMALL_TOO (m)
  {
    FILL (y);
    FILL (v);
    FILL (q);
    FILL (z);
    FILL (f);
    BOTH (sweeps, (int) n, (int) m, (void *) a, s, (void *) y[W], (void *) v[W],
          q[W], z[W], (void *) f[W]);
    CHECK (y);
    CHECK (v);
    CHECK (q);
    CHECK (z);
    CHECK (f);
  }
  return 0;
}
