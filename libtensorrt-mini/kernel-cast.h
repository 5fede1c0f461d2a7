/* Rows of n elements in another element type: numbers as R, R as narrow ones.
   The same bits as copy.c's rows, which take any steps.  And words as they
   are, and m rows of one element each, over and over.  */

#include "half.h"

static void
F (from_u8) (int64_t n, R *restrict y, const uint8_t *restrict x)
{
#pragma tensor name("from u8") fp(strict)
  for (int64_t i = 0; i < n; i++)
    y[i] = (R) x[i];
}

static void
F (from_i8) (int64_t n, R *restrict y, const int8_t *restrict x)
{
#pragma tensor name("from i8") fp(strict)
  for (int64_t i = 0; i < n; i++)
    y[i] = (R) x[i];
}

static void
F (from_i32) (int64_t n, R *restrict y, const int32_t *restrict x)
{
#pragma tensor name("from i32") fp(strict)
  for (int64_t i = 0; i < n; i++)
    y[i] = (R) x[i];
}

static void
F (from_i64) (int64_t n, R *restrict y, const int64_t *restrict x)
{
#pragma tensor name("from i64") fp(strict)
  for (int64_t i = 0; i < n; i++)
    y[i] = (R) x[i];
}

static void
F (from_f32) (int64_t n, R *restrict y, const float *restrict x)
{
#pragma tensor name("from f32") fp(strict)
  for (int64_t i = 0; i < n; i++)
    y[i] = (R) x[i];
}

static void
F (from_f64) (int64_t n, R *restrict y, const double *restrict x)
{
#pragma tensor name("from f64") fp(strict)
  for (int64_t i = 0; i < n; i++)
    y[i] = (R) x[i];
}

static void
F (from_bf16) (int64_t n, R *restrict y, const uint16_t *restrict x)
{
#pragma tensor name("from bf16") fp(strict)
  for (int64_t i = 0; i < n; i++)
    y[i] = (R) trm_bf16_load (x[i]);
}

static void
F (from_f16) (int64_t n, R *restrict y, const uint16_t *restrict x)
{
#pragma tensor name("from f16") fp(strict)
  for (int64_t i = 0; i < n; i++)
    y[i] = (R) trm_f16_load (x[i]);
}

static void
F (to_bf16) (int64_t n, uint16_t *restrict y, const R *restrict x)
{
#pragma tensor name("to bf16") fp(strict)
  for (int64_t i = 0; i < n; i++)
    y[i] = trm_bf16_store ((float) x[i]);
}

static void
F (to_f16) (int64_t n, uint16_t *restrict y, const R *restrict x)
{
#pragma tensor name("to f16") fp(strict)
  for (int64_t i = 0; i < n; i++)
    y[i] = trm_f16_store ((float) x[i]);
}

static void
F (same) (int64_t n, uint32_t *restrict y, const uint32_t *restrict x)
{
#pragma tensor name("copy")
  for (int64_t i = 0; i < n; i++)
    y[i] = x[i];
}

static void
F (spread) (int64_t m, int64_t n, R *restrict y, int64_t y_row,
            const R *restrict x, int64_t x_row)
{
#pragma tensor name("spread")
  for (int64_t i = 0; i < m; i++)
    for (int64_t j = 0; j < n; j++)
      y[i * y_row + j] = x[i * x_row];
}
