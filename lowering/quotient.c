/* Quotients by constants, as lowering/quotient.h says: all integers of the
   type that the numerator was converted from are divided both ways, 65536 at
   most.

   Does not do: numerators of other kinds, for which a proof would have to
   look at underflow and overflow.  */

#include "lowering/quotient.h"

#include <math.h>
#include <string.h>

/* The least and the greatest value of ELEM, when it is a small integer.  */
static bool
small_range (tns_elem elem, long *lo, long *hi)
{
  if (elem == TNS_BOOL || !tns_elem_is_integer (elem)
      || tns_elem_bytes (elem) > 2)
    return false;
  long n = 1L << (8 * tns_elem_bytes (elem));
  *lo = tns_elem_is_unsigned (elem) ? 0 : -n / 2;
  *hi = *lo + n - 1;
  return true;
}

/* The integers that EXPR, of a floating type, can be.  */
static bool
find_range (const tns_expr *expr, long *lo, long *hi)
{
  while (expr->op == TNS_CAST)
    {
      expr = expr->arg[0];
      tns_elem elem = expr->type.elem;
      if (small_range (elem, lo, hi))
        return true;
      if (elem != TNS_I32 && elem != TNS_I64)
        return false;
    }
  return false;
}

/* A / Z as HOW says, R being 1 / Z.  */
static float
quotient_f32 (float a, float z, float r, tns_quotient how)
{
  float q = a * r;
  return how == TNS_QUOTIENT_PRODUCT ? q : fmaf (fmaf (-q, z, a), r, q);
}

/* The same in double.  */
static double
quotient_f64 (double a, double z, double r, tns_quotient how)
{
  double q = a * r;
  return how == TNS_QUOTIENT_PRODUCT ? q : fma (fma (-q, z, a), r, q);
}

/* HOW gives A / Z to the last bit, in ELEM.  */
static bool
is_right (tns_elem elem, long a, long double z, tns_quotient how)
{
  if (elem == TNS_F32)
    {
      float divided = (float) a / (float) z;
      float made = quotient_f32 ((float) a, (float) z, 1 / (float) z, how);
      return memcmp (&divided, &made, sizeof made) == 0;
    }
  double divided = (double) a / (double) z;
  double made = quotient_f64 ((double) a, (double) z, 1 / (double) z, how);
  return memcmp (&divided, &made, sizeof made) == 0;
}

tns_quotient
tns_quotient_of (const tns_expr *a, tns_elem elem, long double divisor)
{
  long lo, hi;
  if ((elem != TNS_F32 && elem != TNS_F64) || !find_range (a, &lo, &hi)
      || divisor == 0 || !isfinite (divisor))
    return TNS_QUOTIENT_DIVIDED;
  for (int how = TNS_QUOTIENT_PRODUCT; how <= TNS_QUOTIENT_CORRECTED; how++)
    {
      long k = lo;
      while (k <= hi && is_right (elem, k, divisor, (tns_quotient) how))
        k++;
      if (k > hi)
        return (tns_quotient) how;
    }
  return TNS_QUOTIENT_DIVIDED;
}
