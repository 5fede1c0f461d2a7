/* Shows that a device rounds factors to the type that the pragma names, to the
   nearest, and adds up in float; that the CPU, where the device fails, rounds
   nothing.  It prints the types that were rounded to.  */

#include "device.h"

#define PRODUCT(PRECISION, NAME)                                               \
  KERNEL_IN (                                                                  \
    PRECISION, NAME,                                                           \
    (int n, int m, int k, const float *a, const float *b, float *c),           \
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {                  \
      float s = 0;                                                             \
      for (int l = 0; l < k; l++)                                              \
        s += a[i * k + l] * b[l * m + j];                                      \
      c[i * m + j] = s;                                                        \
    })

PRODUCT (bf16, of_bf16)
PRODUCT (f16, of_f16)
PRODUCT (tf32, of_tf32)

enum
{
  ROWS = 33,
  COLUMNS = 40,
  DEPTH = 65
};

static float a[ROWS * DEPTH], b[DEPTH * COLUMNS], c[ROWS * COLUMNS];
static float plain[ROWS * COLUMNS], rounded[ROWS * COLUMNS];
static float less_a[ROWS * DEPTH], less_b[DEPTH * COLUMNS];

/* X without its last BITS bits, to the nearest; halves to even, or away from
   zero.  */
static float
round_off (float x, int bits, int to_even)
{
  unsigned word;
  memcpy (&word, &x, sizeof word);
  unsigned half = 1u << (bits - 1);
  word += to_even ? half - 1 + (word >> bits & 1) : half;
  word &= ~(2 * half - 1);
  memcpy (&x, &word, sizeof word);
  return x;
}

/* A and B are equal but for the order of sums.  */
static int
is_near (const float *x, const float *y)
{
  for (int k = 0; k < ROWS * COLUMNS; k++)
    if (!(fabsf (x[k] - y[k]) <= 1e-5f * fabsf (y[k])))
      return 0;
  return 1;
}

typedef void product (int, int, int, const float *, const float *, float *);

/* C, by ROUNDING, is the product of A and B without their last BITS bits, or the
   CPU's; 0: neither.  */
static int
is_right (const char *name, product *rounding, product *exact, int bits,
          int to_even)
{
  for (int k = 0; k < ROWS * DEPTH; k++)
    less_a[k] = round_off (a[k], bits, to_even);
  for (int k = 0; k < DEPTH * COLUMNS; k++)
    less_b[k] = round_off (b[k], bits, to_even);
  exact (ROWS, COLUMNS, DEPTH, a, b, plain);
  exact (ROWS, COLUMNS, DEPTH, less_a, less_b, rounded);
  rounding (ROWS, COLUMNS, DEPTH, a, b, c);
  if (is_near (rounded, plain))
    return 0;
  if (is_near (c, rounded))
    printf ("rounded to %s\n", name);
  return is_near (c, rounded) || is_near (c, plain);
}

/* Numbers half of which lie in the middle of two of 11 bits, and of 8.  */
int
main (void)
{
  for (int k = 0; k < ROWS * DEPTH; k++)
    a[k] = 1.0f + next () % 2048 / 2048.0f;
  for (int k = 0; k < DEPTH * COLUMNS; k++)
    b[k] = 1.0f + next () % 256 / 256.0f;
  int right = is_right ("bf16", of_bf16, plain_of_bf16, 16, 1);
  right &= is_right ("f16", of_f16, plain_of_f16, 13, 1);
  right &= is_right ("tf32", of_tf32, plain_of_tf32, 13, 0);
  return !right;
}
