/* Shows that contractions by tiles mean the same on a device: large tiles and
   small ones, products of batches, distances, convolutions, least sums.  */

#include "device.h"

KERNEL (
  wide, (int n, int m, int k, const float *a, const float *b, float *c),
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
    float s = c[i * m + j];
    for (int l = 0; l < k; l++)
      s += a[i * k + l] * b[l * m + j];
    c[i * m + j] = s;
  })

KERNEL (batches,
        (int t, int n, int m, int k, const double *a, const double *b,
         double *c),
        for (int h = 0; h < t; h++) for (int i = 0; i < n; i++) for (
          int j = 0; j < m; j++) for (int l = 0; l < k; l++)
          c[(h * n + i) * m + j]
        += a[(h * n + i) * k + l] * b[(h * m + j) * k + l];)

KERNEL (
  least, (int n, int m, int k, const int *a, const int *b, int *c),
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
    int s = 1 << 20;
    for (int l = 0; l < k; l++)
      s = a[l * n + i] + b[l * m + j] < s ? a[l * n + i] + b[l * m + j] : s;
    c[i * m + j] = s;
  })

KERNEL (
  windows, (int o, int n, int d, const float *x, const float *w, float *y),
  for (int p = 0; p < o; p++) for (int i = 0; i < n; i++) {
    float s = 0;
    for (int q = 0; q < d; q++)
      for (int e = 0; e < 3; e++)
        s += x[q * (n + 2) + i + e] * w[(p * d + q) * 3 + e];
    y[p * n + i] = s > 0 ? s : 0;
  })

enum
{
  WIDE = 17001
};

static float a[2][5 * WIDE], b[2][5 * WIDE], c[2][25 * WIDE];
static double e[2][20000], f[2][20000], g[2][20000];
static int p[2][20000], q[2][20000], r[2][20000];

int
main (void)
{
  static const int rows[] = { 0, 1, 24, 33, 65 };
  static const int depths[] = { 0, 1, 7, 17 };
  FILL_BELOW (a, 5);
  FILL_BELOW (b, 5);
  FILL_BELOW (c, 5);
  BOTH (wide, 25, WIDE, 5, a[W], b[W], c[W]);
  CHECK (c);
  FILL_BELOW (e, 7);
  FILL_BELOW (f, 7);
  FILL_BELOW (p, 99);
  FILL_BELOW (q, 99);
  EACH_OF (n, rows, 0)
  EACH_OF (k, depths, 0)
  {
    FILL_BELOW (g, 7);
    BOTH (batches, 2, (int) n, 27, (int) k, e[W], f[W], g[W]);
    CHECK (g);
    BOTH (least, (int) n, 30, (int) k, p[W], q[W], r[W]);
    CHECK (r);
    BOTH (windows, 26, (int) n, (int) k, a[W], b[W], c[W]);
    CHECK (c);
  }
  return 0;
}
