/* Polynomials with rational coefficients, and their sums.  */

#ifndef TNS_POLY_COUNT_POLY_H
#define TNS_POLY_COUNT_POLY_H

#include "ir/expr.h"

/* More variables than a region has parameters and loops.  */
enum
{
  TNS_POLY_VARS = 64
};

/* factor times the product of the variables to their powers.  */
typedef struct tns_monomial
{
  long long factor;
  unsigned char power[TNS_POLY_VARS];
} tns_monomial;

/* The sum of term[0..n) over denominator > 0, no two terms with the same
   powers, none zero; n is -1 where a number did not fit.  */
typedef struct tns_poly
{
  int n;
  tns_monomial *term;
  long long denominator;
} tns_poly;

extern tns_poly tns_poly_int (tns_arena *arena, long long value);
extern tns_poly tns_poly_var (tns_arena *arena, int var);
extern tns_poly tns_poly_scale (tns_arena *arena, tns_poly a, long long factor,
                                long long denominator);
extern tns_poly tns_poly_add (tns_arena *arena, tns_poly a, tns_poly b);
extern tns_poly tns_poly_mul (tns_arena *arena, tns_poly a, tns_poly b);

/* A with BY in the place of VAR.  */
extern tns_poly tns_poly_substitute (tns_arena *arena, tns_poly a, int var,
                                     tns_poly by);

/* A, in which variable VAR does not occur, with those behind it up to END
   moved one to the front.  */
extern tns_poly tns_poly_close_up (tns_arena *arena, tns_poly a, int var,
                                   int end);

/* sum_{VAR = LO}^{HI} A, as a polynomial: right for HI >= LO - 1.  */
extern tns_poly tns_poly_sum (tns_arena *arena, tns_poly a, int var,
                              tns_poly lo, tns_poly hi);

extern bool tns_poly_equal (tns_poly a, tns_poly b);

/* A as an F64 expression, VALUE[var] the I64 expression of a variable.  */
extern tns_expr *tns_poly_expr (tns_arena *arena, tns_poly a,
                                tns_expr *const *value);

#endif
