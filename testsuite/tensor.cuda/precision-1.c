/* Shows that contractions by tensor cores mean the same on a device, of numbers
   that are not rounded: all layouts of operands, batches, large tiles and small
   ones with rows, columns and inner values that are not there, results that were
   there before, factors that are no plain operands, what comes behind.  */

#include "device.h"

#define PRODUCT(PRECISION, NAME, A, B)                                         \
  KERNEL_IN (                                                                  \
    PRECISION, NAME,                                                           \
    (int n, int m, int k, const float *a, const float *b, float *c),           \
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {                  \
      float s = 0;                                                             \
      for (int l = 0; l < k; l++)                                              \
        s += a[A] * b[B];                                                      \
      c[i * m + j] = s;                                                        \
    })

PRODUCT (bf16, nn_bf16, i *k + l, l *m + j)
PRODUCT (bf16, nt_bf16, i *k + l, j *k + l)
PRODUCT (bf16, tn_bf16, l *n + i, l *m + j)
PRODUCT (bf16, tt_bf16, l *n + i, j *k + l)
PRODUCT (tf32, nn_tf32, i *k + l, l *m + j)
PRODUCT (tf32, tt_tf32, l *n + i, j *k + l)

KERNEL_IN (bf16, batches,
           (int t, int n, int m, int k, const float *a, const float *b,
            float *c),
           for (int h = 0; h < t; h++) for (int i = 0; i < n; i++) for (
             int j = 0; j < m; j++) for (int l = 0; l < k; l++)
             c[(h * n + i) * m + j]
           += a[(h * n + i) * k + l] * b[(h * m + j) * k + l];)

KERNEL_IN (
  f16, layer,
  (int n, int m, int k, const signed char *a, const float *b, const float *bias,
   float scale, float *c),
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
    float s = bias[j];
    for (int l = 0; l < k; l++)
      s += scale * (b[l * m + j] + 1) * (a[i * k + l] > 2 ? a[i * k + l] : 2);
    c[i * m + j] = s > 0 ? s : s / 2;
  })

KERNEL_IN (tf32, less,
           (int n, int m, int k, const float *a, const float *b, float *c),
           for (int i = 0; i < n; i++) for (int j = 0; j < m;
                                            j++) for (int l = 0; l < k; l++)
             c[i * m + j]
           -= a[2 * (i * k + l)] * b[l * m + j];)

KERNEL_IN (
  bf16, windows,
  (int o, int n, int d, const float *x, const float *w, float *y),
  for (int p = 0; p < o; p++) for (int i = 0; i < n; i++) {
    float s = 0;
    for (int q = 0; q < d; q++)
      for (int e = 0; e < 3; e++)
        s += x[q * (n + 2) + i + e] * w[(p * d + q) * 3 + e];
    y[p * n + i] = s > 0 ? s : 0;
  })

/* What comes behind is not exact, and needs registers.  */
KERNEL_IN (
  bf16, smooth,
  (int n, int m, int k, const float *a, const float *b, const float *bias,
   float *c),
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
    float s = bias[j];
    for (int l = 0; l < k; l++)
      s += a[i * k + l] * b[j * k + l];
    c[i * m + j]
      = 0.5f * s * (1 + __builtin_tanhf (0.8f * (s + 0.04f * s * s * s)));
  })

enum
{
  WIDE = 17001,
  LARGE = 129 * 5632
};

static float a[2][5 * WIDE], b[2][LARGE], c[2][25 * WIDE], d[2][WIDE];
static float large[2][LARGE];
static signed char e[2][20000];

#define TIMES(NAME)                                                            \
  FILL_BELOW (c, 5);                                                           \
  BOTH (NAME, (int) n, 40, (int) k, a[W], b[W], c[W]);                         \
  CHECK (c)

/* Tiles of which nothing is missing, beside others.  */
#define WHOLE(NAME)                                                            \
  BOTH (NAME, 65, 132, 72, a[W], b[W], c[W]);                                  \
  CHECK (c);                                                                   \
  BOTH (NAME, 129, 5632, 40, a[W], b[W], large[W]);                            \
  CHECK (large)

int
main (void)
{
  static const int rows[] = { 0, 25, 65 };
  static const int depths[] = { 0, 1, 17, 72 };
  FILL (a);
  FILL (b);
  FILL (c);
  FILL (d);
  FILL (e);
  WHOLE (nn_bf16);
  WHOLE (nt_bf16);
  WHOLE (tt_tf32);
  BOTH (nn_bf16, 25, WIDE, 5, a[W], b[W], c[W]);
  CHECK (c);
  BOTH (tt_tf32, 25, WIDE, 5, a[W], b[W], c[W]);
  CHECK (c);
  EACH_OF (n, rows, 0)
  EACH_OF (k, depths, 1)
  {
    TIMES (nn_bf16);
    TIMES (nt_bf16);
    TIMES (tn_bf16);
    TIMES (tt_bf16);
    TIMES (nn_tf32);
    TIMES (tt_tf32);
    TIMES (less);
    BOTH (batches, 3, (int) n, 27, (int) k, a[W], b[W], c[W]);
    CHECK (c);
    BOTH (layer, (int) n, 29, (int) k, e[W], b[W], d[W], 2, c[W]);
    CHECK (c);
    BOTH (windows, 26, (int) n, (int) k, a[W], b[W], c[W]);
    CHECK (c);
    BOTH (smooth, (int) n, 36, (int) k, a[W], b[W], d[W], c[W]);
    CHECK_NEAR (c, 1e-5);
  }
  return 0;
}
