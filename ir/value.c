/* Scalar arithmetic.

   A value is held in the widest type of its class; each operation is done
   so that the result is the one of its own type: integers in 64 bits, then
   wrapped; floating numbers in float, double or long double.  float + - * /
   are done in double and rounded, which gives the same bits.  */

#define _GNU_SOURCE

#include "ir/value.h"

#include <math.h>
#include <string.h>

tns_scalar_value
tns_value_of_int (tns_elem elem, long long value)
{
  tns_scalar_value v;
  memset (&v, 0, sizeof v);
  switch (elem)
    {
    case TNS_BOOL:
      v.s = value != 0;
      break;
    case TNS_I8:
      v.s = (signed char) value;
      break;
    case TNS_U8:
      v.u = (unsigned char) value;
      break;
    case TNS_I16:
      v.s = (short) value;
      break;
    case TNS_U16:
      v.u = (unsigned short) value;
      break;
    case TNS_I32:
      v.s = (int) value;
      break;
    case TNS_U32:
      v.u = (unsigned int) value;
      break;
    default:
      v.s = value;
    }
  return v;
}

tns_scalar_value
tns_value_of_real (tns_elem elem, long double value)
{
  tns_scalar_value v;
  memset (&v, 0, sizeof v);
  v.f = elem == TNS_F32   ? (long double) (float) value
        : elem == TNS_F64 ? (long double) (double) value
                          : value;
  return v;
}

tns_scalar_value
tns_value_of_number (const tns_expr *number)
{
  return number->op == TNS_INT
           ? tns_value_of_int (number->type.elem, number->integer)
           : tns_value_of_real (number->type.elem, number->real);
}

/* The integer that VALUE is cut to, 0 when 64 bits do not hold it.  */
static long long
integer_part (long double value)
{
  if (value > -0x1p63L - 1.0L && value < 0x1p63L)
    return (long long) value;
  if (value >= 0x1p63L && value < 0x1p64L)
    return (long long) (unsigned long long) value;
  return 0;
}

tns_scalar_value
tns_value_cast (tns_elem to, tns_elem from, tns_scalar_value value)
{
  char class = tns_elem_class (from);
  if (tns_elem_is_float (to))
    return tns_value_of_real (to, class == 'F'   ? value.f
                                  : class == 'U' ? (long double) value.u
                                                 : (long double) value.s);
  if (class != 'F')
    return tns_value_of_int (to, value.s);
  if (to == TNS_BOOL)
    return tns_value_of_int (to, value.f != 0);
  return tns_value_of_int (to, integer_part (value.f));
}

bool
tns_value_is_true (tns_scalar_value value)
{
  return value.s != 0;
}

/* -1, 0 or 1 as A is less than, equal to or greater than B; 2 for NaNs.  */
static int
compare (tns_elem elem, tns_scalar_value a, tns_scalar_value b)
{
  switch (tns_elem_class (elem))
    {
    case 'F':
      return a.f < b.f ? -1 : a.f > b.f ? 1 : a.f == b.f ? 0 : 2;
    case 'U':
      return a.u < b.u ? -1 : a.u > b.u;
    default:
      return a.s < b.s ? -1 : a.s > b.s;
    }
}

/* Comparison OP.  */
static bool
holds (tns_op op, int order)
{
  switch (op)
    {
    case TNS_LT:
      return order == -1;
    case TNS_LE:
      return order == -1 || order == 0;
    case TNS_GT:
      return order == 1;
    case TNS_GE:
      return order == 1 || order == 0;
    case TNS_EQ:
      return order == 0;
    default:
      return order != 0;
    }
}

/* A DIV, REM, FLOORDIV or MOD B of signed integers; B is not 0.  */
static long long
divide_signed (tns_op op, long long a, long long b)
{
  if (b == -1)
    return op == TNS_DIV || op == TNS_FLOORDIV
             ? (long long) -(unsigned long long) a
             : 0;
  long long rest = a % b;
  bool is_below = rest != 0 && (rest < 0) != (b < 0);
  switch (op)
    {
    case TNS_DIV:
      return a / b;
    case TNS_REM:
      return rest;
    case TNS_FLOORDIV:
      return a / b - is_below;
    default:
      return is_below ? rest + b : rest;
    }
}

/* A << B or A >> B; bits shifted by 64 or more are gone.  */
static long long
shift (tns_op op, bool is_signed, long long a, unsigned long long b)
{
  bool is_wide = b > 63;
  if (op == TNS_SHL)
    return is_wide ? 0 : (long long) ((unsigned long long) a << b);
  if (is_signed)
    return a >> (is_wide ? 63 : b);
  return is_wide ? 0 : (long long) ((unsigned long long) a >> b);
}

/* DIV, REM, FLOORDIV or MOD into *RESULT; false for a division by zero.  */
static bool
divide (tns_op op, bool is_signed, const tns_scalar_value *arg,
        unsigned long long *result)
{
  unsigned long long a = arg[0].u;
  unsigned long long b = arg[1].u;
  if (b == 0)
    return false;
  if (is_signed)
    *result = (unsigned long long) divide_signed (op, arg[0].s, arg[1].s);
  else
    *result = op == TNS_DIV || op == TNS_FLOORDIV ? a / b : a % b;
  return true;
}

/* How many of A's last BITS bits stand before the first 1 among them.  */
static unsigned long long
leading_zeros (unsigned long long a, int bits)
{
  unsigned long long n = 0;
  while (n < (unsigned long long) bits && !(a >> (bits - 1 - (int) n) & 1))
    n++;
  return n;
}

/* Arithmetic on integers; *RESULT is wrapped to ELEM later.  False for a
   division by zero.  */
static bool
apply_integer (tns_op op, tns_elem elem, const tns_scalar_value *arg,
               unsigned long long *result)
{
  bool is_signed = tns_elem_class (elem) != 'U';
  unsigned long long a = arg[0].u;
  unsigned long long b = tns_op_arity (op) > 1 ? arg[1].u : 0;
  switch (op)
    {
    case TNS_NEG:
      return *result = -a, true;
    case TNS_NOT:
      return *result = ~a, true;
    case TNS_POPCOUNT:
      return *result = (unsigned long long) __builtin_popcountll (a), true;
    case TNS_CLZ:
      return *result = leading_zeros (a, 8 * tns_elem_bytes (elem)), true;
    case TNS_ABS:
      return *result = is_signed && arg[0].s < 0 ? -a : a, true;
    case TNS_ADD:
      return *result = a + b, true;
    case TNS_SUB:
      return *result = a - b, true;
    case TNS_MUL:
      return *result = a * b, true;
    case TNS_FMA:
      return *result = a * b + arg[2].u, true;
    case TNS_DIV:
    case TNS_REM:
    case TNS_FLOORDIV:
    case TNS_MOD:
      return divide (op, is_signed, arg, result);
    case TNS_MIN:
      return *result = compare (elem, arg[1], arg[0]) < 0 ? b : a, true;
    case TNS_MAX:
      return *result = compare (elem, arg[1], arg[0]) > 0 ? b : a, true;
    case TNS_AND:
      return *result = a & b, true;
    case TNS_OR:
      return *result = a | b, true;
    case TNS_XOR:
      return *result = a ^ b, true;
    case TNS_SHL:
    case TNS_SHR:
      *result = (unsigned long long) shift (op, is_signed, arg[0].s, b);
      return true;
    default:
      return false;
    }
}

/* + - * / and fma in ELEM's own precision.  */
static long double
arithmetic (tns_op op, tns_elem elem, const long double *x)
{
  bool is_wide = elem == TNS_F80;
  double a = (double) x[0];
  double b = (double) x[1];
  switch (op)
    {
    case TNS_ADD:
      return is_wide ? x[0] + x[1] : (long double) (a + b);
    case TNS_SUB:
      return is_wide ? x[0] - x[1] : (long double) (a - b);
    case TNS_MUL:
      return is_wide ? x[0] * x[1] : (long double) (a * b);
    case TNS_DIV:
      return is_wide ? x[0] / x[1] : (long double) (a / b);
    default:
      if (elem == TNS_F32)
        return fmaf ((float) a, (float) b, (float) x[2]);
      return is_wide ? fmal (x[0], x[1], x[2]) : fma (a, b, (double) x[2]);
    }
}

/* Arithmetic on floating numbers; false for an operator that has none.  */
static bool
apply_real (tns_op op, tns_elem elem, const tns_scalar_value *arg,
            long double *result)
{
  int n = tns_op_arity (op);
  long double x[3] = { arg[0].f, n > 1 ? arg[1].f : 0, n > 2 ? arg[2].f : 0 };
  switch (op)
    {
    case TNS_NEG:
      *result = -x[0];
      return true;
    case TNS_ABS:
      *result = fabsl (x[0]);
      return true;
    case TNS_MIN:
      *result = x[1] < x[0] ? x[1] : x[0];
      return true;
    case TNS_MAX:
      *result = x[1] > x[0] ? x[1] : x[0];
      return true;
    case TNS_ADD:
    case TNS_SUB:
    case TNS_MUL:
    case TNS_DIV:
    case TNS_FMA:
      *result = arithmetic (op, elem, x);
      return true;
    default:
      return false;
    }
}

/* A * 2^B of f32.  */
static float
scaledf (float a, float b)
{
  return ldexpf (a, (int) b);
}

/* The same of f64.  */
static double
scaled (double a, double b)
{
  return ldexp (a, (int) b);
}

/* The same of f80.  */
static long double
scaledl (long double a, long double b)
{
  return ldexpl (a, (int) b);
}

/* The functions of math.h, in three precisions.  */
static const struct
{
  float (*f32) (float);
  double (*f64) (double);
  long double (*f80) (long double);
} unary_functions[TNS_N_OPS] = {
#define FUNCTION(id, name) [TNS_##id] = { name##f, name, name##l }
  FUNCTION (SQRT, sqrt),     FUNCTION (CBRT, cbrt),     FUNCTION (EXP, exp),
  FUNCTION (EXP2, exp2),     FUNCTION (EXP10, exp10),   FUNCTION (EXPM1, expm1),
  FUNCTION (LOG, log),       FUNCTION (LOG2, log2),     FUNCTION (LOG10, log10),
  FUNCTION (LOG1P, log1p),   FUNCTION (SIN, sin),       FUNCTION (COS, cos),
  FUNCTION (TAN, tan),       FUNCTION (ASIN, asin),     FUNCTION (ACOS, acos),
  FUNCTION (ATAN, atan),     FUNCTION (SINH, sinh),     FUNCTION (COSH, cosh),
  FUNCTION (TANH, tanh),     FUNCTION (ASINH, asinh),   FUNCTION (ACOSH, acosh),
  FUNCTION (ATANH, atanh),   FUNCTION (ERF, erf),       FUNCTION (ERFC, erfc),
  FUNCTION (LGAMMA, lgamma), FUNCTION (TGAMMA, tgamma), FUNCTION (FLOOR, floor),
  FUNCTION (CEIL, ceil),     FUNCTION (TRUNC, trunc),   FUNCTION (ROUND, round),
  FUNCTION (RINT, rint),     FUNCTION (LOGB, logb),
};

static const struct
{
  float (*f32) (float, float);
  double (*f64) (double, double);
  long double (*f80) (long double, long double);
} binary_functions[TNS_N_OPS] = {
  FUNCTION (POW, pow),
  FUNCTION (ATAN2, atan2),
  FUNCTION (HYPOT, hypot),
  FUNCTION (FMOD, fmod),
  FUNCTION (FMIN, fmin),
  FUNCTION (FMAX, fmax),
  FUNCTION (COPYSIGN, copysign),
  FUNCTION (FDIM, fdim),
  FUNCTION (REMAINDER, remainder),
  FUNCTION (NEXTAFTER, nextafter),
  FUNCTION (LDEXP, scaled),
#undef FUNCTION
};

/* A function of math.h.  */
static bool
apply_function (tns_op op, tns_elem elem, const tns_scalar_value *arg,
                long double *result)
{
  long double a = arg[0].f;
  if (op == TNS_FUSED)
    return apply_real (TNS_FMA, elem, arg, result);
  if (unary_functions[op].f64)
    *result = elem == TNS_F32   ? unary_functions[op].f32 ((float) a)
              : elem == TNS_F64 ? unary_functions[op].f64 ((double) a)
                                : unary_functions[op].f80 (a);
  else if (binary_functions[op].f64)
    {
      long double b = arg[1].f;
      *result
        = elem == TNS_F32   ? binary_functions[op].f32 ((float) a, (float) b)
          : elem == TNS_F64 ? binary_functions[op].f64 ((double) a, (double) b)
                            : binary_functions[op].f80 (a, b);
    }
  else
    return false;
  return true;
}

/* An operator on truth values.  */
static bool
apply_truth (tns_op op, const tns_scalar_value *arg)
{
  switch (op)
    {
    case TNS_LAND:
      return arg[0].s && arg[1].s;
    case TNS_LOR:
      return arg[0].s || arg[1].s;
    default:
      return !arg[0].s;
    }
}

bool
tns_value_apply (tns_op op, tns_elem elem, const tns_scalar_value *arg,
                 tns_scalar_value *result)
{
  char class = tns_op_class (op);
  if (class == 'C')
    {
      *result = tns_value_of_int (TNS_BOOL,
                                  holds (op, compare (elem, arg[0], arg[1])));
      return true;
    }
  if (class == 'B')
    {
      *result = tns_value_of_int (TNS_BOOL, apply_truth (op, arg));
      return true;
    }
  if (tns_elem_is_float (elem))
    {
      long double real;
      bool is_done = class == 'M' ? apply_function (op, elem, arg, &real)
                                  : apply_real (op, elem, arg, &real);
      if (is_done)
        *result = tns_value_of_real (elem, real);
      return is_done;
    }
  unsigned long long integer;
  if (class != 'A' || !apply_integer (op, elem, arg, &integer))
    return false;
  *result = tns_value_of_int (elem, (long long) integer);
  return true;
}

tns_scalar_value
tns_value_read (tns_elem elem, const void *from)
{
  long long integer = 0;
  float single;
  double twice;
  long double wide;
  size_t bytes = (size_t) tns_elem_bytes (elem);
  switch (elem)
    {
    case TNS_F32:
      memcpy (&single, from, bytes);
      return tns_value_of_real (elem, single);
    case TNS_F64:
      memcpy (&twice, from, bytes);
      return tns_value_of_real (elem, twice);
    case TNS_F80:
      memcpy (&wide, from, bytes);
      return tns_value_of_real (elem, wide);
    default:
      memcpy (&integer, from, bytes);
      return tns_value_of_int (elem, integer);
    }
}

void
tns_value_write (tns_elem elem, void *to, tns_scalar_value value)
{
  float single;
  double twice;
  switch (elem)
    {
    case TNS_F32:
      single = (float) value.f;
      memcpy (to, &single, sizeof single);
      break;
    case TNS_F64:
      twice = (double) value.f;
      memcpy (to, &twice, sizeof twice);
      break;
    case TNS_F80:
      memcpy (to, &value.f, (size_t) tns_elem_bytes (elem));
      break;
    default:
      memcpy (to, &value.s, (size_t) tns_elem_bytes (elem));
    }
}
