/* ir/value: arithmetic on one scalar is C's, type by type; the compiler that
   builds this test is the judge.  */

#include "ir/value.h"

#include <math.h>

#include "verdict.h"

/* OP on A and B of ELEM, as an integer.  */
static long long
integer (tns_op op, tns_elem elem, long long a, long long b)
{
  tns_scalar_value arg[]
    = { tns_value_of_int (elem, a), tns_value_of_int (elem, b) };
  tns_scalar_value result = tns_value_of_int (TNS_I64, -77);
  return tns_value_apply (op, elem, arg, &result) ? result.s : -77;
}

/* The same in floats.  */
static long double
real (tns_op op, tns_elem elem, long double a, long double b)
{
  tns_scalar_value arg[]
    = { tns_value_of_real (elem, a), tns_value_of_real (elem, b) };
  tns_scalar_value result = tns_value_of_real (TNS_F64, -77);
  return tns_value_apply (op, elem, arg, &result) ? result.f : -77;
}

/* VALUE of FROM converted to TO, as an integer.  */
static long long
converted (tns_elem to, tns_elem from, long double value)
{
  tns_scalar_value v = tns_elem_is_float (from)
                         ? tns_value_of_real (from, value)
                         : tns_value_of_int (from, (long long) value);
  return tns_value_cast (to, from, v).s;
}

static const struct
{
  tns_op op;
  tns_elem elem;
  long long a;
  long long b;
  long long result;
} rows[] = {
  { TNS_ADD, TNS_U32, 4294967295, 2, 1 },
  { TNS_SUB, TNS_U8, 0, 1, 255 },
  { TNS_SUB, TNS_U64, 0, 1, -1 },
  { TNS_MUL, TNS_U32, 65536, 65537, 65536 },
  { TNS_NEG, TNS_U16, 1, 0, 65535 },
  { TNS_NOT, TNS_U8, 5, 0, 250 },
  { TNS_NOT, TNS_I8, 5, 0, -6 },
  { TNS_ABS, TNS_I32, -7, 0, 7 },
  { TNS_POPCOUNT, TNS_U32, 0xffffffff, 0, 32 },
  { TNS_POPCOUNT, TNS_U64, -1, 0, 64 },
  { TNS_CLZ, TNS_U32, 0, 0, 32 },
  { TNS_CLZ, TNS_U32, 1, 0, 31 },
  { TNS_CLZ, TNS_U64, 1ll << 40, 0, 23 },
  { TNS_CLZ, TNS_U16, 0x8000, 0, 0 },
  { TNS_DIV, TNS_I32, -7, 2, -3 },
  { TNS_REM, TNS_I32, -7, 2, -1 },
  { TNS_FLOORDIV, TNS_I64, -7, 2, -4 },
  { TNS_MOD, TNS_I64, -7, 2, 1 },
  { TNS_FLOORDIV, TNS_I64, -8, 2, -4 },
  { TNS_MOD, TNS_I64, -8, 2, 0 },
  { TNS_DIV, TNS_U64, -1, 2, 0x7fffffffffffffffLL },
  { TNS_DIV, TNS_I32, 7, 0, -77 },
  { TNS_REM, TNS_I32, 7, 0, -77 },
  { TNS_DIV, TNS_I64, -0x7fffffffffffffffLL - 1, -1,
    -0x7fffffffffffffffLL - 1 },
  { TNS_REM, TNS_I64, -0x7fffffffffffffffLL - 1, -1, 0 },
  { TNS_MIN, TNS_U32, 4294967295, 1, 1 },
  { TNS_MIN, TNS_I32, -1, 1, -1 },
  { TNS_MAX, TNS_U64, -1, 1, -1 },
  { TNS_SHR, TNS_I32, -8, 1, -4 },
  { TNS_SHR, TNS_U32, 4294967288, 1, 2147483644 },
  { TNS_SHL, TNS_U8, 129, 1, 2 },
  { TNS_SHL, TNS_U64, 1, 70, 0 },
  { TNS_LT, TNS_U32, 4294967295, 1, 0 },
  { TNS_LT, TNS_I32, -1, 1, 1 },
  { TNS_GE, TNS_U64, -1, 1, 1 },
  { TNS_NE, TNS_I8, 3, 3, 0 },
  { TNS_LAND, TNS_BOOL, 1, 0, 0 },
  { TNS_LOR, TNS_BOOL, 1, 0, 1 },
  { TNS_LNOT, TNS_BOOL, 1, 0, 0 },
  { TNS_XOR, TNS_BOOL, 1, 1, 0 },
  { TNS_SIN, TNS_I32, 1, 1, -77 },
};

/* Floats, whose results the C of this test gives too.  */
static void
check_reals (void)
{
  volatile float a = 0.1F;
  volatile float b = 0.3F;
  volatile double x = 0.1;
  volatile double y = 0.3;
  long double nan = __builtin_nanl ("");
  verdict (real (TNS_ADD, TNS_F32, a, b) == (float) (a + b)
             && real (TNS_MUL, TNS_F32, a, b) == (float) (a * b)
             && real (TNS_DIV, TNS_F32, a, b) == (float) (a / b)
             && real (TNS_SUB, TNS_F32, a, b) == (float) (a - b),
           "float arithmetic rounds to float");
  verdict (real (TNS_ADD, TNS_F64, x, y) == x + y
             && real (TNS_DIV, TNS_F64, x, y) == x / y,
           "double arithmetic rounds to double");
  verdict (real (TNS_EXP, TNS_F32, a, 0) == expf (a)
             && real (TNS_POW, TNS_F64, x, y) == pow (x, y)
             && real (TNS_SQRT, TNS_F64, x, 0) == sqrt (x),
           "functions of math.h are called in their own precision");
  verdict (real (TNS_MAX, TNS_F64, 3, nan) == 3
             && isnan (real (TNS_MAX, TNS_F64, nan, 3))
             && real (TNS_FMAX, TNS_F64, nan, 3) == 3,
           "max keeps its first operand beside a NaN, fmax the number");
  verdict (!signbit (real (TNS_MIN, TNS_F64, 0.0, -0.0))
             && signbit (real (TNS_NEG, TNS_F64, 0.0, 0)),
           "the first of two equal values stays");
}

/* Conversions.  */
static void
check_casts (void)
{
  verdict (converted (TNS_I8, TNS_I32, 300) == 44
             && converted (TNS_U8, TNS_I32, -1) == 255
             && converted (TNS_I64, TNS_U32, 4294967295.0L) == 4294967295LL
             && converted (TNS_I64, TNS_I32, -5) == -5,
           "integers are cut and widened");
  verdict (converted (TNS_I32, TNS_F64, -2.9L) == -2
             && converted (TNS_BOOL, TNS_F64, 0.5L) == 1
             && converted (TNS_BOOL, TNS_I32, 256) == 1
             && converted (TNS_U64, TNS_F64, 0x1p63L)
                  == -0x7fffffffffffffffLL - 1,
           "floats are cut towards zero, truth is not zero");
  verdict (converted (TNS_I64, TNS_F64, 1e300L) == 0
             && converted (TNS_I64, TNS_F64, __builtin_nanl ("")) == 0,
           "what C leaves undefined is 0");
}

/* Every type written and read.  */
static void
check_memory (void)
{
  for (int elem = 0; elem < TNS_N_ELEMS; elem++)
    {
      bool is_float = tns_elem_is_float ((tns_elem) elem);
      _Alignas(16) char memory[32];
      tns_scalar_value value = is_float
                                 ? tns_value_of_real ((tns_elem) elem, -2.5L)
                                 : tns_value_of_int ((tns_elem) elem, -2);
      tns_value_write ((tns_elem) elem, memory, value);
      tns_scalar_value again = tns_value_read ((tns_elem) elem, memory);
      verdict (is_float ? again.f == value.f : again.s == value.s,
               "%s is written and read", tns_elem_name ((tns_elem) elem));
    }
}

int
main (void)
{
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    {
      long long got = integer (rows[k].op, rows[k].elem, rows[k].a, rows[k].b);
      verdict (got == rows[k].result, "%s of %s %lld and %lld is %lld",
               tns_op_name (rows[k].op), tns_elem_name (rows[k].elem),
               rows[k].a, rows[k].b, got);
    }
  check_reals ();
  check_casts ();
  check_memory ();
  return verdict_status ();
}
