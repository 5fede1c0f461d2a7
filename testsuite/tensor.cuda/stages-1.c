/* Shows that contractions whose tiles are copied by themselves, several steps
   ahead, mean the same on a device: fewer steps than stages and more, steps and
   tiles that are not whole, lines that are not aligned, operands that go through
   registers beside them, elements of all widths, three operands, large tiles.  */

#include "device.h"

typedef unsigned short bf16;

static inline __attribute__ ((always_inline)) float
wide (bf16 x)
{
  unsigned word = (unsigned) x << 16;
  float value;
  __builtin_memcpy (&value, &word, sizeof value);
  return value;
}

#define PRODUCT(NAME, TYPE, A, B)                                              \
  KERNEL (                                                                     \
    NAME, (int n, int m, int k, const TYPE *a, const TYPE *b, TYPE *c),        \
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {                  \
      TYPE s = 0;                                                              \
      for (int l = 0; l < k; l++)                                              \
        s += a[A] * b[B];                                                      \
      c[i * m + j] = s;                                                        \
    })

PRODUCT (straight, float, i *k + l, l *m + j)
PRODUCT (turned, float, l *n + i, l *m + j)
PRODUCT (turned_of_double, double, l *n + i, l *m + j)

/* Both sides weighed: three operands.  */
KERNEL (
  weighed,
  (int n, int m, int k, const float *a, const float *b, const float *w,
   float *c),
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
    float s = 0;
    for (int l = 0; l < k; l++)
      s += a[l * n + i] * b[l * m + j] * w[l * n + i];
    c[i * m + j] = s;
  })

#define ROUNDED(NAME, A, B)                                                    \
  KERNEL_IN (                                                                  \
    bf16, NAME, (int n, int m, int k, const bf16 *a, const bf16 *b, float *c), \
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {                  \
      float s = 0;                                                             \
      for (int l = 0; l < k; l++)                                              \
        s += wide (a[A]) * wide (b[B]);                                        \
      c[i * m + j] = s;                                                        \
    })

ROUNDED (plain_rounded, i *k + l, l *m + j)
ROUNDED (turned_rounded, l *n + i, l *m + j)

/* Batches and a distance between rows that is not their length.  */
KERNEL_IN (
  bf16, staged_batches,
  (int t, int n, int m, int k, const bf16 *a, const bf16 *b, float *c),
  for (int h = 0; h < t; h++) for (int i = 0; i < n; i++) for (int j = 0; j < m;
                                                               j++) {
    float s = 0;
    for (int l = 0; l < k; l++)
      s += wide (a[(h * n + i) * (k + 8) + l]) * wide (b[(h * k + l) * m + j]);
    c[(h * n + i) * m + j] = s;
  })

KERNEL_IN (
  bf16, half_rounded,
  (int n, int m, int k, const float *a, const bf16 *b, float *c),
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
    float s = 0;
    for (int l = 0; l < k; l++)
      s += a[i * k + l] * wide (b[l * m + j]);
    c[i * m + j] = s;
  })

enum
{
  ROWS = 128,
  COLUMNS = 132 * 128,
  MANY = 132 * 128 * 35,
  SOME = 40000
};

static float a[2][SOME], b[2][MANY], c[2][ROWS * COLUMNS];
static double e[2][SOME], f[2][SOME], g[2][SOME];
static bf16 u[2][SOME], v[2][MANY];

/* The bf16 of a small whole number.  */
static bf16
narrow (int number)
{
  float value = (float) number;
  unsigned word;
  memcpy (&word, &value, sizeof word);
  return (bf16) (word >> 16);
}

/* A product of N, M and K, of arrays of X and Y to Z.  */
#define TIMES(NAME, M, X, Y, Z)                                                \
  BOTH (NAME, (int) n, M, (int) k, X[W], Y[W], Z[W]);                          \
  CHECK (Z)

/* The same of rounded ones, aligned and not.  */
#define BOTH_WAYS(NAME, X)                                                     \
  TIMES (NAME, 72, X, v, c);                                                   \
  TIMES (NAME, 67, X, v, c);                                                   \
  BOTH (NAME, (int) n, 66, (int) k, X[W], v[W] + 1, c[W] + 1);                 \
  CHECK (c)

int
main (void)
{
  static const int rows[] = { 1, 2, 65 };
  static const int depths[] = { 0, 1, 31, 48, 131 };
  FILL (a);
  FILL (b);
  FILL (e);
  FILL (f);
  FILL_WITH (u, narrow ((int) (next () % 15) - 7));
  FILL_WITH (v, narrow ((int) (next () % 15) - 7));
  BOTH (turned, ROWS, COLUMNS, 33, a[W], b[W], c[W]);
  CHECK (c);
  BOTH (plain_rounded, ROWS, 5632, 104, u[W], v[W], c[W]);
  CHECK (c);
  EACH_OF (n, rows, 0)
  EACH_OF (k, depths, 1)
  {
    TIMES (straight, 68, a, b, c);
    TIMES (turned, 68, a, b, c);
    TIMES (turned, 67, a, b, c);
    TIMES (turned_of_double, 68, e, f, g);
    TIMES (turned_of_double, 67, e, f, g);
    BOTH (weighed, (int) n, 68, (int) k, a[W], b[W], a[W] + 4, c[W]);
    CHECK (c);
    BOTH_WAYS (plain_rounded, u);
    BOTH_WAYS (turned_rounded, u);
    BOTH_WAYS (half_rounded, a);
    BOTH (staged_batches, 2, (int) n, 72, (int) k, u[W], v[W], c[W]);
    CHECK (c);
  }
  return 0;
}
