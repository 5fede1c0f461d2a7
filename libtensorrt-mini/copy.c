/* Copies between element types and strides.

   axes.c walks over rows; one short function for each pair of types copies one:

     to[i * to_step] = (type) from[i * from_step]

   Long rows without gaps, of numbers that become floating ones, or of one
   element over and over, are copied by the loops of kernel-cast.h, with the
   same bits, on vectors and threads.  */

#include "axes.h"
#include "half.h"
#include "kernel.h"
#include "tensor.h"

#include <string.h>

/* Rows of fewer elements are not worth the call of a kernel.  */
#define LEAST_LONG 64

/* Bytes from which on threads share a copy.  */
#define LEAST_SHARED (1 << 20)

/* VALUE as a whole number: cut towards 0, INT64_MIN where it does not fit.  */
static inline int64_t
whole (double value)
{
  return value >= -0x1p63 && value < 0x1p63 ? (int64_t) value : INT64_MIN;
}

/* An element as it is computed with, and back, by kind (type.def).  */
#define LOAD_B(x)         ((int64_t) (x))
#define LOAD_U(x)         ((int64_t) (x))
#define LOAD_S(x)         ((int64_t) (x))
#define LOAD_F(x)         (x)
#define LOAD_BF16(x)      trm_bf16_load (x)
#define LOAD_F16(x)       trm_f16_load (x)
#define IS_FLOAT(v)       _Generic((v), float : 1, double : 1, default : 0)
#define STORE_WHOLE(c, v) (IS_FLOAT (v) ? (c) whole ((double) (v)) : (c) (v))
#define STORE_BOOL(v)     ((v) != 0)

/* Rows from a type that LOAD reads to each type.  */
#define ROW(name, to_type, from_type, value)                                   \
  static void name (int64_t n, void *to, int64_t to_step, const void *from,    \
                    int64_t from_step)                                         \
  {                                                                            \
    to_type *t = to;                                                           \
    const from_type *f = from;                                                 \
    for (int64_t i = 0; i < n; i++)                                            \
      t[i * to_step] = value (f[i * from_step]);                               \
  }

#define TO_BOOL(x) STORE_BOOL (LOAD (x))
#define TO_U8(x)   STORE_WHOLE (uint8_t, LOAD (x))
#define TO_I8(x)   STORE_WHOLE (int8_t, LOAD (x))
#define TO_I32(x)  STORE_WHOLE (int32_t, LOAD (x))
#define TO_I64(x)  STORE_WHOLE (int64_t, LOAD (x))
#define TO_BF16(x) trm_bf16_store ((float) LOAD (x))
#define TO_F16(x)  trm_f16_store ((float) LOAD (x))
#define TO_F32(x)  ((float) LOAD (x))
#define TO_F64(x)  ((double) LOAD (x))

#define ROWS_FROM(from, type)                                                  \
  ROW (from##_to_bool, uint8_t, type, TO_BOOL)                                 \
  ROW (from##_to_u8, uint8_t, type, TO_U8)                                     \
  ROW (from##_to_i8, int8_t, type, TO_I8)                                      \
  ROW (from##_to_i32, int32_t, type, TO_I32)                                   \
  ROW (from##_to_i64, int64_t, type, TO_I64)                                   \
  ROW (from##_to_bf16, uint16_t, type, TO_BF16)                                \
  ROW (from##_to_f16, uint16_t, type, TO_F16)                                  \
  ROW (from##_to_f32, float, type, TO_F32)                                     \
  ROW (from##_to_f64, double, type, TO_F64)

#define LOAD LOAD_U
ROWS_FROM (u8, uint8_t)
ROWS_FROM (i8, int8_t)
ROWS_FROM (i32, int32_t)
ROWS_FROM (i64, int64_t)
#undef LOAD
#define LOAD LOAD_F
ROWS_FROM (f32, float)
ROWS_FROM (f64, double)
#undef LOAD
#define LOAD LOAD_BF16
ROWS_FROM (bf16, uint16_t)
#undef LOAD
#define LOAD LOAD_F16
ROWS_FROM (f16, uint16_t)
#undef LOAD

/* What keeps the bits of narrow numbers, NaN's too.  */
#define AS_IT_IS(x) (x)
ROW (same_16_bits, uint16_t, uint16_t, AS_IT_IS)

typedef void copy_row (int64_t n, void *to, int64_t to_step, const void *from,
                       int64_t from_step);

#define ROWS_OF(from)                                                          \
  {                                                                            \
    from##_to_bool, from##_to_u8, from##_to_i8, from##_to_i32, from##_to_i64,  \
      from##_to_bf16, from##_to_f16, from##_to_f32, from##_to_f64              \
  }

/* rows[from][to], in the order of trm_type.  */
static copy_row *const rows[][9]
  = { ROWS_OF (u8),  ROWS_OF (u8),  ROWS_OF (i8),
      ROWS_OF (i32), ROWS_OF (i64), ROWS_OF (bf16),
      ROWS_OF (f16), ROWS_OF (f32), ROWS_OF (f64) };

/* Transpositions, to[i * to_row + j] = from[j * from_column + i], i below H, j
   below W, of elements of so many bits, square by square: each line of FROM is
   read, and each of TO written, at once, by way of a square beside.  */
#define LESS(a, b) ((a) < (b) ? (a) : (b))
#define TURN(bits)                                                             \
  static void turn_##bits (int64_t h, int64_t w, void *to, int64_t to_row,     \
                           const void *from, int64_t from_column)              \
  {                                                                            \
    uint##bits##_t square[TRM_SQUARE][TRM_SQUARE];                             \
    for (int64_t k = 0; k < h; k += TRM_SQUARE)                                \
      for (int64_t l = 0; l < w; l += TRM_SQUARE)                              \
        {                                                                      \
          int64_t m = LESS (h - k, TRM_SQUARE), n = LESS (w - l, TRM_SQUARE);  \
          uint##bits##_t *t = (uint##bits##_t *) to + k * to_row + l;          \
          const uint##bits##_t *f                                              \
            = (const uint##bits##_t *) from + l * from_column + k;             \
          for (int64_t j = 0; j < n; j++)                                      \
            for (int64_t i = 0; i < m; i++)                                    \
              square[j][i] = f[j * from_column + i];                           \
          for (int64_t i = 0; i < m; i++)                                      \
            for (int64_t j = 0; j < n; j++)                                    \
              t[i * to_row + j] = square[j][i];                                \
        }                                                                      \
  }
TURN (8)
TURN (16)
TURN (32)
TURN (64)

/* Transpose the two innermost axes of AXES, elements of BYTES bytes.  */
static void
turn (const trm_axes *axes, int64_t bytes, void *to, const void *from)
{
  int last = axes->n - 1;
  int64_t h = axes->extent[last - 1], w = axes->extent[last];
  int64_t row = axes->step[0][last - 1], column = axes->step[1][last];
  if (bytes == 1)
    turn_8 (h, w, to, row, from, column);
  else if (bytes == 2)
    turn_16 (h, w, to, row, from, column);
  else if (bytes == 4)
    turn_32 (h, w, to, row, from, column);
  else
    turn_64 (h, w, to, row, from, column);
}

/* Y[0..n), of TO, f32 or f64, := X, of FROM.  */
static void
load_long (int64_t n, trm_type to, void *y, trm_type from, const void *x)
{
  if (from == TRM_I8)
    trm_kernel (cast, from_i8, to, n, y, x);
  else if (from == TRM_I32)
    trm_kernel (cast, from_i32, to, n, y, x);
  else if (from == TRM_I64)
    trm_kernel (cast, from_i64, to, n, y, x);
  else if (from == TRM_BF16)
    trm_kernel (cast, from_bf16, to, n, y, x);
  else if (from == TRM_F16)
    trm_kernel (cast, from_f16, to, n, y, x);
  else if (from == TRM_F32)
    trm_kernel (cast, from_f32, to, n, y, x);
  else if (from == TRM_F64)
    trm_kernel (cast, from_f64, to, n, y, x);
  else
    trm_kernel (cast, from_u8, to, n, y, x);
}

/* Y[0..n), of TO, := X, of another type FROM, where kernel-cast.h has a loop
   for that; else false.  */
static bool
copy_long (int64_t n, trm_type to, void *y, trm_type from, const void *x)
{
  bool is_wide = from == TRM_F32 || from == TRM_F64;
  if (to == TRM_F32 || to == TRM_F64)
    load_long (n, to, y, from, x);
  else if (to == TRM_BF16 && is_wide)
    trm_kernel (cast, to_bf16, from, n, y, x);
  else if (to == TRM_F16 && is_wide)
    trm_kernel (cast, to_f16, from, n, y, x);
  else
    return false;
  return true;
}

void
trm_copy_bytes (int64_t bytes, void *to, const void *from)
{
  bool is_words
    = ((uintptr_t) to | (uintptr_t) from | (uintptr_t) bytes) % 4 == 0;
  if (is_words && bytes >= LEAST_SHARED)
    trm_kernels_cast->f32.same (bytes / 4, to, from);
  else
    memcpy (to, from, (size_t) bytes);
}

/* The last two axes of AXES, rows of TO without gaps, each of one element of
   FROM; of 4 BYTES or 8.  */
static void
spread (const trm_axes *axes, int64_t bytes, void *to, const void *from)
{
  int last = axes->n - 1;
  int64_t m = last ? axes->extent[last - 1] : 1, n = axes->extent[last];
  int64_t to_row = last ? axes->step[0][last - 1] : n;
  int64_t from_row = last ? axes->step[1][last - 1] : 1;
  if (bytes == 8)
    trm_kernels_cast->f64.spread (m, n, to, to_row, from, from_row);
  else
    trm_kernels_cast->f32.spread (m, n, to, to_row, from, from_row);
}

/* What copies a row of FROM to one of TO.  */
static copy_row *
row_of (trm_type to, trm_type from)
{
  bool narrow = trm_type_computed (to) != to;
  return to == from && narrow ? same_16_bits : rows[from][to];
}

void
trm_copy_elements (int rank, const int64_t *extent, trm_type to, void *to_at,
                   const int64_t *to_stride, trm_type from, const void *from_at,
                   const int64_t *from_stride)
{
  trm_axes axes;
  const int64_t *const stride[] = { to_stride, from_stride };
  if (!trm_axes_order (&axes, 2, rank, extent, stride))
    return;
  int64_t n = axes.extent[axes.n - 1];
  int64_t to_step = trm_axes_step (&axes, 0);
  int64_t from_step = trm_axes_step (&axes, 1);
  int64_t to_bytes = (int64_t) trm_type_bytes (to);
  int64_t from_bytes = (int64_t) trm_type_bytes (from);
  copy_row *row = row_of (to, from);
  bool plain = to == from && to_step == 1 && from_step == 1;
  bool turned = to == from && trm_axes_turned (&axes);
  bool is_long
    = to != from && to_step == 1 && from_step == 1 && n >= LEAST_LONG;
  bool spreads = to == from && to_step == 1 && from_step == 0 && n >= LEAST_LONG
                 && to_bytes >= 4;
  trm_axes around = axes;
  around.n -= turned || (spreads && axes.n > 1);
  do
    {
      char *t = (char *) to_at + around.offset[0] * to_bytes;
      const char *f = (const char *) from_at + around.offset[1] * from_bytes;
      if (plain)
        trm_copy_bytes (n * to_bytes, t, f);
      else if (turned)
        turn (&axes, to_bytes, t, f);
      else if (spreads)
        spread (&axes, to_bytes, t, f);
      else if (!is_long || !copy_long (n, to, t, from, f))
        row (n, t, to_step, f, from_step);
    }
  while (trm_axes_next (&around));
}

double
trm_element_get (trm_type type, const void *at)
{
  double value;
  rows[type][TRM_F64](1, &value, 1, at, 1);
  return value;
}

int64_t
trm_element_get_int (trm_type type, const void *at)
{
  int64_t value;
  rows[type][TRM_I64](1, &value, 1, at, 1);
  return value;
}

void
trm_element_set (trm_type type, void *at, double value)
{
  rows[TRM_F64][type](1, at, 1, &value, 1);
}

/* The address of T's first byte in memory, and that behind the last one.  */
static void
find_ends (const trm_tensor *t, uintptr_t *first, uintptr_t *end)
{
  int64_t bytes = (int64_t) trm_type_bytes (t->type), low = 0, high = bytes;
  for (int i = 0; i < t->rank; i++)
    {
      int64_t far = (t->extent[i] - 1) * t->stride[i] * bytes;
      low += far < 0 ? far : 0;
      high += far > 0 ? far : 0;
    }
  *first = (uintptr_t) t->at + (uintptr_t) low;
  *end = (uintptr_t) t->at + (uintptr_t) high;
}

bool
trm_may_overlap (const trm_tensor *a, const trm_tensor *b)
{
  uintptr_t first[2], end[2];
  find_ends (a, &first[0], &end[0]);
  find_ends (b, &first[1], &end[1]);
  return first[0] < end[1] && first[1] < end[0];
}

trm_status
trm_copy_to (trm_tensor *to, const trm_tensor *from)
{
  int64_t extent[TRM_RANK], stride[TRM_RANK];
  if (!to || !from)
    return TRM_BAD_ARGUMENT;
  int rank = trm_broadcast ("copy_to", to, from, extent);
  if (rank < 0)
    return TRM_BAD_SHAPE;
  bool fits = rank == to->rank;
  for (int i = 0; i < rank && fits; i++)
    fits = extent[i] == to->extent[i];
  if (!fits)
    {
      char a[TRM_SHAPE_TEXT], b[TRM_SHAPE_TEXT];
      return trm_fail (TRM_BAD_SHAPE, "copy_to: %s does not stretch to %s",
                       trm_shape_text (a, from->rank, from->extent),
                       trm_shape_text (b, to->rank, to->extent));
    }
  trm_tensor *apart = NULL;
  if (trm_may_overlap (to, from))
    {
      apart = trm_empty_like (from, from->type);
      if (!apart)
        return TRM_NO_MEMORY;
      trm_copy_elements (from->rank, from->extent, from->type, apart->at,
                         apart->stride, from->type, from->at, from->stride);
      from = apart;
    }
  trm_changed (to);
  trm_broadcast_strides (from, rank, stride);
  trm_copy_elements (rank, extent, to->type, to->at, to->stride, from->type,
                     from->at, stride);
  return TRM_OK;
}

trm_status
trm_fill (trm_tensor *t, double value)
{
  static const int64_t none[TRM_RANK];
  if (!t)
    return TRM_BAD_ARGUMENT;
  trm_changed (t);
  trm_copy_elements (t->rank, t->extent, t->type, t->at, t->stride, TRM_F64,
                     &value, none);
  return TRM_OK;
}
