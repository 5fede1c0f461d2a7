/* Shows that products of bf16 mean the same by warpgroups, in all layouts: tiles
   that are whole and are not, fewer steps than stages and more, sums that begin
   with what is there, and with what comes behind them; and where other kernels
   take them: small ones, lines and operands that are not aligned, batches.  */

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

#define PRODUCT(NAME, A, B, BEGIN, END)                                        \
  KERNEL_IN (                                                                  \
    bf16, NAME, (int n, int m, int k, const bf16 *a, const bf16 *b, float *c), \
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {                  \
      float s = BEGIN;                                                         \
      for (int l = 0; l < k; l++)                                              \
        s += wide (a[A]) * wide (b[B]);                                        \
      c[i * m + j] = END;                                                      \
    })

PRODUCT (grouped, i *k + l, l *m + j, 0, s)
PRODUCT (grouped_right, i *k + l, j *k + l, 0, s > 0 ? s : 0)
PRODUCT (grouped_left, l *n + i, l *m + j, c[i * m + j], s)
PRODUCT (grouped_both, l *n + i, j *k + l, 0, s * 0.5f + 1)

KERNEL_IN (
  bf16, grouped_batches,
  (int t, int n, int m, int k, const bf16 *a, const bf16 *b, float *c),
  for (int h = 0; h < t; h++) for (int i = 0; i < n; i++) for (int j = 0; j < m;
                                                               j++) {
    float s = 0;
    for (int l = 0; l < k; l++)
      s += wide (a[(h * n + i) * k + l]) * wide (b[(h * m + j) * k + l]);
    c[(h * n + i) * m + j] = s;
  })

enum
{
  ROWS = 248,
  COLUMNS = 5624,
  DEPTH = 328
};

static bf16 a[2][ROWS * DEPTH + 1], b[2][COLUMNS * DEPTH + 1];
static float c[2][ROWS * COLUMNS];

/* The bf16 of a small whole number.  */
static bf16
narrow (int number)
{
  float value = (float) number;
  unsigned word;
  memcpy (&word, &value, sizeof word);
  return (bf16) (word >> 16);
}

#define TIMES(NAME)                                                            \
  FILL (c);                                                                    \
  BOTH (NAME, n, m, k, a[W] + off, b[W] + off, c[W]);                          \
  CHECK (c)

/* All products of N, M and K, OFF elements from where they would be aligned.  */
static void
check (int n, int m, int k, int off)
{
  TIMES (grouped);
  TIMES (grouped_right);
  TIMES (grouped_left);
  TIMES (grouped_both);
}

int
main (void)
{
  static const int depths[] = { 0, 1, 40, 104 };
  FILL_WITH (a, narrow ((int) (next () % 15) - 7));
  FILL_WITH (b, narrow ((int) (next () % 15) - 7));
  EACH_OF (k, depths, 0)
  {
    check (72, 72, (int) k, 0);
    check (67, 41, (int) k, 1);
  }
  check (ROWS, COLUMNS, 72, 0);
  check (ROWS - 3, COLUMNS, 24, 0);
  check (ROWS, COLUMNS, 24, 1);
  FILL (c);
  BOTH (grouped, ROWS, COLUMNS, DEPTH, a[W], b[W], c[W]);
  CHECK (c);
  FILL (c);
  BOTH (grouped_batches, 3, 40, 72, 40, a[W], b[W], c[W]);
  CHECK (c);
  return 0;
}
