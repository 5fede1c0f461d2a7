/* Casts: all f16 and bf16 as f32 and f64, and floats as these, against what the
   formats say; long rows, which kernels convert, against single elements; any
   length and number of threads.  */

#include "differences.h"

#include <stdint.h>

#define HALVES 65536

/* What a narrow format is: bits of its fraction, its least exponent.  */
typedef struct narrow
{
  trm_type type;
  int fraction;
  int least;
} narrow;

static const narrow formats[] = { { TRM_BF16, 7, -126 }, { TRM_F16, 10, -14 } };

static float
float_of (uint32_t bits)
{
  float x;
  memcpy (&x, &bits, sizeof x);
  return x;
}
static uint32_t
bits_of (float x)
{
  uint32_t bits;
  memcpy (&bits, &x, sizeof bits);
  return bits;
}

/* The number that the bits HALF are in F; a NaN keeps its sign and, in front,
   its fraction.  */
static float
value_of (const narrow *f, unsigned half)
{
  int exponent_bits = 15 - f->fraction, most = (1 << exponent_bits) - 1;
  int exponent = (int) (half >> f->fraction) & most;
  unsigned fraction = half & ((1u << f->fraction) - 1);
  uint32_t sign = (uint32_t) (half & 0x8000) << 16;
  if (exponent == most)
    return float_of (sign | 0x7f800000 | fraction << (23 - f->fraction));
  double size = ldexp (fraction + (exponent ? 1u << f->fraction : 0),
                       f->least - f->fraction + (exponent ? exponent - 1 : 0));
  return float_of (sign | bits_of ((float) size));
}

/* The bits of F nearest to X; of two, the even ones.  */
static unsigned
nearest (const narrow *f, float x)
{
  unsigned sign = bits_of (x) >> 16 & 0x8000;
  unsigned infinite = 0x7fff & ~((1u << f->fraction) - 1);
  unsigned lost = 23 - (unsigned) f->fraction;
  if (isnan (x))
    return sign | infinite | 1u << (f->fraction - 1)
           | (bits_of (x) >> lost & ((1u << f->fraction) - 1));
  double size = fabs ((double) x);
  int exponent = f->least + 1;
  if (size > 0 && !isinf (x))
    frexp (size, &exponent);
  exponent = exponent - 1 < f->least ? f->least : exponent - 1;
  double steps = nearbyint (ldexp (size, f->fraction - exponent));
  double bits = steps + ldexp (exponent - f->least, f->fraction);
  return sign | (bits < infinite ? (unsigned) bits : infinite);
}

/* Whether A and B, which may be NaN, have the same bits.  */
static bool
same_float (float a, float b)
{
  return bits_of (a) == bits_of (b);
}

static void
test_all_halves (void)
{
  for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
    {
      const narrow *f = &formats[k];
      bool right = true, wide = true, back = true;
      trm_tensor *x = trm_empty (f->type, TRM_SHAPE (HALVES));
      for (unsigned i = 0; i < HALVES; i++)
        ((uint16_t *) x->at)[i] = (uint16_t) i;
      const float *y = trm_cast (x, TRM_F32)->at;
      const double *z = trm_cast (x, TRM_F64)->at;
      const uint16_t *again = trm_cast (trm_cast (x, TRM_F32), f->type)->at;
      for (unsigned i = 0; i < HALVES; i++)
        {
          float value = value_of (f, i);
          right &= same_float (y[i], value);
          wide &= isnan (value) ? isnan (z[i]) : z[i] == value;
          back &= again[i] == (isnan (value) ? nearest (f, value) : i);
        }
      expect (right, "each %s as f32", trm_type_name (f->type));
      expect (wide, "each %s as f64", trm_type_name (f->type));
      expect (back, "and back");
    }
}

/* Floats that are hard to round to F: numbers, halves between two, and the
   floats beside these; subnormal ones, infinities, NaNs; others at random.  */
static trm_tensor *
hard_floats (const narrow *f)
{
  trm_tensor *x = trm_empty (TRM_F32, TRM_SHAPE (8 * HALVES));
  float *at = x->at;
  uint32_t seed = 9;
  for (unsigned i = 0; i < HALVES; i++)
    {
      uint32_t bits = bits_of (value_of (f, i));
      uint32_t between
        = bits_of ((float) (((double) value_of (f, i)
                             + (double) value_of (f, (i + 1) % HALVES))
                            / 2));
      uint32_t hard[8]
        = { bits, bits + 1, bits - 1, between, between + 1, between - 1 };
      for (int k = 6; k < 8; k++)
        hard[k] = seed = seed * 1664525u + 1013904223u;
      for (int k = 0; k < 8; k++)
        at[8 * i + (unsigned) k] = float_of (hard[k]);
    }
  return x;
}

static void
test_rounding (void)
{
  for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
    {
      const narrow *f = &formats[k];
      bool right = true, wide = true;
      trm_tensor *x = hard_floats (f);
      const float *from = x->at;
      const uint16_t *y = trm_cast (x, f->type)->at;
      const uint16_t *z = trm_cast (trm_cast (x, TRM_F64), f->type)->at;
      for (int64_t i = 0; i < trm_count (x); i++)
        {
          unsigned half = nearest (f, from[i]);
          right &= y[i] == half;
          wide &= isnan (from[i]) || z[i] == half;
        }
      expect (right, "f32 to the nearest %s", trm_type_name (f->type));
      expect (wide, "f64 to the nearest %s", trm_type_name (f->type));
    }
}

/* N numbers of TYPE with all kinds of bits; true is 1.  */
static trm_tensor *
any_numbers (trm_type type, int64_t n)
{
  trm_tensor *x = trm_empty (type, TRM_SHAPE (n));
  uint8_t *at = x->at;
  uint32_t seed = 5;
  for (int64_t i = 0; i < n * (int64_t) trm_type_bytes (type); i++)
    {
      seed = seed * 1664525u + 1013904223u;
      at[i] = type == TRM_BOOL ? seed >> 31 : seed >> 24;
    }
  return x;
}

/* Whether casting X to TYPE gives the same bits as casting a view of it whose
   elements lie apart, which no kernel does.  */
static bool
as_apart (trm_tensor *x, trm_type type)
{
  int64_t n = trm_count (x);
  trm_tensor *wide = trm_empty (x->type, TRM_SHAPE (n, 2));
  trm_tensor *apart = trm_select (wide, 1, 0);
  return !trm_copy_to (apart, x)
         && same_bits (trm_cast (x, type),
                       trm_contiguous (trm_cast (apart, type)));
}

static void
test_long_rows (void)
{
  static const int64_t lengths[] = { 1, 63, 64, 65, 100, 1000, 40013 };
  bool right = true, threads = true;
  for (trm_type from = TRM_BOOL; from <= TRM_F64; from++)
    for (trm_type to = TRM_BOOL; to <= TRM_F64; to++)
      {
        trm_scope_open ();
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
          right &= as_apart (any_numbers (from, lengths[k]), to);
        trm_tensor *x = any_numbers (from, 40013);
        use_threads (1);
        trm_tensor *one = trm_cast (x, to);
        use_threads (5);
        threads &= same_bits (one, trm_cast (x, to));
        use_threads (2);
        trm_scope_close ();
      }
  expect (right, "long rows have the bits of single elements");
  expect (threads, "the same bits for 1 and 5 threads");
}

/* Copies of many elements, also of an odd number, and at an odd place.  */
static void
test_copies (void)
{
  bool right = true;
  for (trm_type type = TRM_BOOL; type <= TRM_F64; type++)
    for (int64_t first = 0; first < 2; first++)
      {
        trm_scope_open ();
        trm_tensor *x = any_numbers (type, (1 << 20) + 3);
        trm_tensor *from = trm_slice (x, 0, first, trm_count (x), 1);
        trm_tensor *to = trm_copy (from);
        right &= to
                 && !memcmp (to->at, from->at,
                             (size_t) trm_count (from) * trm_type_bytes (type));
        trm_scope_close ();
      }
  expect (right, "copies of long rows have the same bytes");
}

int
main (void)
{
  int64_t before = trm_memory_now ().bytes;
  void (*const tests[]) (void)
    = { test_all_halves, test_rounding, test_long_rows, test_copies };
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
    {
      trm_scope_open ();
      tests[i]();
      trm_scope_close ();
    }
  expect (trm_memory_now ().bytes == before, "no memory is lost");
  return expect_status ();
}
