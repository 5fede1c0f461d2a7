/* Shows that contractions in one nest with what stands between them mean the
   same on a device, in nests of their own: attention with all positions, those
   up to its own, those that a mask leaves; rows of a product that others sum
   up, too.  */

#include "device.h"

#include <math.h>

/* Positions up to TO for position i; the score of WHICH ones counts.  */
#define ATTENTION(TO, WHICH)                                                   \
  for (int h = 0; h < n; h++)                                                  \
    for (int i = 0; i < t; i++)                                                \
      {                                                                        \
        float p[t], most = -1e30f, sum = 0;                                    \
        for (int j = 0; j < TO; j++)                                           \
          {                                                                    \
            float d = 0;                                                       \
            for (int l = 0; l < e; l++)                                        \
              d += q[(h * t + i) * e + l] * k[(h * t + j) * e + l];            \
            p[j] = WHICH ? d * 0.125f : -1e30f;                                \
            most = fmaxf (most, p[j]);                                         \
          }                                                                    \
        for (int j = 0; j < TO; j++)                                           \
          sum += p[j] = expf (p[j] - most);                                    \
        for (int l = 0; l < e; l++)                                            \
          {                                                                    \
            float d = 0;                                                       \
            for (int j = 0; j < TO; j++)                                       \
              d += p[j] * v[(h * t + j) * e + l];                              \
            o[(h * t + i) * e + l] = d / sum;                                  \
          }                                                                    \
      }

KERNEL (all,
        (int n, int t, int e, const float *q, const float *k, const float *v,
         float *o),
        ATTENTION (t, 1))

KERNEL (causal,
        (int n, int t, int e, const float *q, const float *k, const float *v,
         float *o),
        ATTENTION (i + 1, 1))

KERNEL (masked,
        (int n, int t, int e, const float *q, const float *k, const float *v,
         const unsigned char *mask, float *o),
        ATTENTION (t, mask[i * t + j]))

KERNEL (
  sums,
  (int n, int m, int k, const double *a, const double *b, double *c,
   double *rows, double *columns),
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      {
        double s = 0;
        for (int l = 0; l < k; l++)
          s += a[i * k + l] * b[l * m + j];
        c[i * m + j] = s;
        rows[i] += s;
        columns[j] += s;
      }
  })

enum
{
  HEADS = 2,
  ROOM = HEADS * 131 * 37
};

static float q[2][ROOM], k[2][ROOM], v[2][ROOM], o[2][ROOM];
static unsigned char mask[2][131 * 131];
static double a[2][ROOM], b[2][ROOM], c[2][ROOM], rows[2][131], columns[2][131];

int
main (void)
{
  static const int lengths[] = { 0, 1, 23, 24, 31, 67, 131 };
  static const int widths[] = { 0, 1, 7, 24, 37 };
  FILL_BELOW (q, 5);
  FILL_BELOW (k, 5);
  FILL_BELOW (v, 5);
  FILL_BELOW (mask, 2);
  FILL_BELOW (a, 7);
  FILL_BELOW (b, 7);
  EACH_OF (t, lengths, 0)
  EACH_OF (e, widths, 0)
  {
    FILL_BELOW (o, 7);
    BOTH (all, HEADS, (int) t, (int) e, q[W], k[W], v[W], o[W]);
    CHECK_NEAR (o, 1e-5);
    FILL_BELOW (o, 7);
    BOTH (causal, HEADS, (int) t, (int) e, q[W], k[W], v[W], o[W]);
    CHECK_NEAR (o, 1e-5);
    FILL_BELOW (o, 7);
    BOTH (masked, HEADS, (int) t, (int) e, q[W], k[W], v[W], mask[W], o[W]);
    CHECK_NEAR (o, 1e-5);
    FILL_BELOW (c, 7);
    FILL_BELOW (rows, 7);
    FILL_BELOW (columns, 7);
    BOTH (sums, (int) t, 37, (int) e, a[W], b[W], c[W], rows[W], columns[W]);
    CHECK (c);
    CHECK (rows);
    CHECK (columns);
  }
  return 0;
}
