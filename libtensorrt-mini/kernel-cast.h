/* Rows of n elements in another element type: numbers as R, R as narrow ones.
   The same bits as copy.c's rows, which take any steps.  And words as they
   are, and m rows of one element each, over and over.  */

#include "half.h"

#define PRAGMA_OF(words) _Pragma (#words)
#define PRAGMA(...)      PRAGMA_OF (tensor __VA_ARGS__)

/* y[i] := VALUE of the element v = x[i].  */
#define CAST(id, to, from, words, value)                                       \
  static void F (id) (int64_t n, to *restrict y, const from *restrict x)       \
  {                                                                            \
    PRAGMA (name (words) fp (strict))                                          \
    for (int64_t i = 0; i < n; i++)                                            \
      {                                                                        \
        const from v = x[i];                                                   \
        y[i] = value;                                                          \
      }                                                                        \
  }
CAST (from_u8, R, uint8_t, "from u8", (R) v)
CAST (from_i8, R, int8_t, "from i8", (R) v)
CAST (from_i32, R, int32_t, "from i32", (R) v)
CAST (from_i64, R, int64_t, "from i64", (R) v)
CAST (from_f32, R, float, "from f32", (R) v)
CAST (from_f64, R, double, "from f64", (R) v)
CAST (from_bf16, R, uint16_t, "from bf16", (R) trm_bf16_load (v))
CAST (from_f16, R, uint16_t, "from f16", (R) trm_f16_load (v))
CAST (to_bf16, uint16_t, R, "to bf16", trm_bf16_store ((float) v))
CAST (to_f16, uint16_t, R, "to f16", trm_f16_store ((float) v))
#undef CAST
#undef PRAGMA
#undef PRAGMA_OF

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
