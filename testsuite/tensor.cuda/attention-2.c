/* Shows that the gradients of attention, whose products a device has in nests of
   their own, are right: with all positions and with those up to its own.  */

#include "device.h"

#include <math.h>

/* Attention NAME with positions up to TO for position i, and its gradient as
   one writes it by hand.  */
#define ATTENTION(NAME, TO)                                                    \
  static NOINLINE void NAME (                                                  \
    int n, int t, int e, float q[restrict n][t][e], float k[restrict n][t][e], \
    float v[restrict n][t][e], float o[restrict n][t][e])                      \
  {                                                                            \
    for (int h = 0; h < n; h++)                                                \
      for (int i = 0; i < t; i++)                                              \
        {                                                                      \
          float p[t], most = -1e30f, sum = 0;                                  \
          for (int j = 0; j < TO; j++)                                         \
            {                                                                  \
              float d = 0;                                                     \
              for (int l = 0; l < e; l++)                                      \
                d += q[h][i][l] * k[h][j][l];                                  \
              p[j] = d * 0.125f;                                               \
              most = fmaxf (most, p[j]);                                       \
            }                                                                  \
          for (int j = 0; j < TO; j++)                                         \
            sum += p[j] = expf (p[j] - most);                                  \
          for (int l = 0; l < e; l++)                                          \
            {                                                                  \
              float d = 0;                                                     \
              for (int j = 0; j < TO; j++)                                     \
                d += p[j] * v[h][j][l];                                        \
              o[h][i][l] = d / sum;                                            \
            }                                                                  \
        }                                                                      \
  }                                                                            \
                                                                               \
  static NOINLINE void plain_##NAME##_gradient (                               \
    int n, int t, int e, float q[restrict n][t][e], float k[restrict n][t][e], \
    float v[restrict n][t][e], float g[restrict n][t][e],                      \
    float dq[restrict n][t][e], float dk[restrict n][t][e],                    \
    float dv[restrict n][t][e])                                                \
  {                                                                            \
    for (int h = 0; h < n; h++)                                                \
      for (int i = 0; i < t; i++)                                              \
        {                                                                      \
          double p[MOST], dp[MOST], sum = 0, mean = 0;                         \
          for (int j = 0; j < TO; j++)                                         \
            {                                                                  \
              double d = 0;                                                    \
              dp[j] = 0;                                                       \
              for (int l = 0; l < e; l++)                                      \
                {                                                              \
                  d += (double) q[h][i][l] * k[h][j][l];                       \
                  dp[j] += (double) g[h][i][l] * v[h][j][l];                   \
                }                                                              \
              sum += p[j] = exp (d * 0.125);                                   \
            }                                                                  \
          for (int j = 0; j < TO; j++)                                         \
            mean += (p[j] /= sum) * dp[j];                                     \
          for (int j = 0; j < TO; j++)                                         \
            for (int l = 0; l < e; l++)                                        \
              {                                                                \
                double d = p[j] * (dp[j] - mean) * 0.125;                      \
                dq[h][i][l] += (float) (d * k[h][j][l]);                       \
                dk[h][j][l] += (float) (d * q[h][i][l]);                       \
                dv[h][j][l] += (float) (p[j] * g[h][i][l]);                    \
              }                                                                \
        }                                                                      \
  }

ATTENTION (all, t)
ATTENTION (causal, i + 1)

#pragma tensor gradient(all) of(o : g) wrt(q : dq, k : dk, v : dv) target(cuda)
void all_gradient (int n, int t, int e, float q[restrict n][t][e],
                   float k[restrict n][t][e], float v[restrict n][t][e],
                   float g[restrict n][t][e], float dq[restrict n][t][e],
                   float dk[restrict n][t][e], float dv[restrict n][t][e]);

#pragma tensor gradient(causal) of(o                                           \
                                   : g) wrt(q                                  \
                                            : dq, k                            \
                                            : dk, v                            \
                                            : dv) target(cuda)
void causal_gradient (int n, int t, int e, float q[restrict n][t][e],
                      float k[restrict n][t][e], float v[restrict n][t][e],
                      float g[restrict n][t][e], float dq[restrict n][t][e],
                      float dk[restrict n][t][e], float dv[restrict n][t][e]);

enum
{
  HEADS = 2,
  ROOM = HEADS * 67 * 37
};

static float q[2][ROOM], k[2][ROOM], v[2][ROOM], g[2][ROOM];
static float dq[2][ROOM], dk[2][ROOM], dv[2][ROOM];

/* What both make of the same.  */
#define COMPARE(NAME)                                                          \
  FILL_REAL (dq);                                                              \
  FILL_REAL (dk);                                                              \
  FILL_REAL (dv);                                                              \
  BOTH (NAME, HEADS, (int) t, (int) e, (void *) q[W], (void *) k[W],           \
        (void *) v[W], (void *) g[W], (void *) dq[W], (void *) dk[W],          \
        (void *) dv[W]);                                                       \
  CHECK_NEAR (dq, 1e-5);                                                       \
  CHECK_NEAR (dk, 1e-5);                                                       \
  CHECK_NEAR (dv, 1e-5)

int
main (void)
{
  static const int lengths[] = { 0, 1, 23, 31, 67 };
  static const int widths[] = { 1, 7, 24, 37 };
  FILL_REAL (q);
  FILL_REAL (k);
  FILL_REAL (v);
  FILL_REAL (g);
  EACH_OF (t, lengths, 0)
  EACH_OF (e, widths, 0)
  {
    COMPARE (all_gradient);
    COMPARE (causal_gradient);
  }
  return 0;
}
