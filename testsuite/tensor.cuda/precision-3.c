/* Shows that contractions of bf16 in memory, 16 bits that a function makes
   floats of, are computed by tensor cores, in all layouts, beside operands of
   float.  */

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

#define PRODUCT(NAME, A, B)                                                    \
  KERNEL_IN (                                                                  \
    bf16, NAME, (int n, int m, int k, const bf16 *a, const bf16 *b, float *c), \
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {                  \
      float s = 0;                                                             \
      for (int l = 0; l < k; l++)                                              \
        s += wide (a[A]) * wide (b[B]);                                        \
      c[i * m + j] = s;                                                        \
    })

PRODUCT (nn, i *k + l, l *m + j)
PRODUCT (nt, i *k + l, j *k + l)
PRODUCT (tn, l *n + i, l *m + j)

KERNEL_IN (
  bf16, mixed, (int n, int m, int k, const float *a, const bf16 *b, float *c),
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
    float s = 0;
    for (int l = 0; l < k; l++)
      s += 2 * a[i * k + l] * wide (b[l * m + j]);
    c[i * m + j] = s;
  })

enum
{
  LARGE = 129 * 5632
};

static bf16 a[2][20000], b[2][LARGE];
static float c[2][LARGE], d[2][20000];

/* The bf16 of a small whole number.  */
static bf16
narrow (int number)
{
  float value = (float) number;
  unsigned word;
  memcpy (&word, &value, sizeof word);
  return (bf16) (word >> 16);
}

#define TIMES(NAME, A)                                                         \
  BOTH (NAME, (int) n, 40, (int) k, (A)[W], b[W], c[W]);                       \
  CHECK (c)

int
main (void)
{
  static const int rows[] = { 0, 1, 25, 65 };
  static const int depths[] = { 0, 1, 17, 40, 72 };
  FILL_WITH (a, narrow ((int) (next () % 15) - 7));
  FILL_WITH (b, narrow ((int) (next () % 15) - 7));
  FILL (d);
  BOTH (nt, 129, 5632, 40, a[W], b[W], c[W]);
  CHECK (c);
  EACH_OF (n, rows, 0)
  EACH_OF (k, depths, 1)
  {
    TIMES (nn, a);
    TIMES (nt, a);
    TIMES (tn, a);
    TIMES (mixed, d);
  }
  return 0;
}
