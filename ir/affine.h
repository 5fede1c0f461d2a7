/* Integer expressions as sums of products.

     i64(i32(i) * n + 3)     3 + n*i          n an i32 VALUE

   A sum is a list of terms, a term a constant times atoms.  An atom is a
   scalar I64 expression that is no sum, product or constant: a symbol, a
   load, a quotient.  Equal sums of equal atoms are the same list.

   Only what C gives the same value is looked through: signed arithmetic,
   which does not overflow in a correct program, in every width; unsigned
   arithmetic of 64 bits, since subscripts count modulo 2^64; conversions
   that keep the value.  A narrowing conversion and unsigned arithmetic of
   32 bits, which may wrap, are atoms.  */

#ifndef TNS_IR_AFFINE_H
#define TNS_IR_AFFINE_H

#include "ir/expr.h"

/* FACTOR times the product of ATOM[0..n_atoms), in the order of
   tns_expr_compare.  */
typedef struct tns_term
{
  long long factor;
  int n_atoms;
  tns_expr **atom;
} tns_term;

/* The sum of TERM[0..n), sorted by their atoms, no two with the same atoms,
   no factor 0.  n is -1 where a number did not fit.  */
typedef struct tns_sum
{
  int n;
  tns_term *term;
} tns_sum;

/* An order of expressions that depends on their structure only.  */
extern int tns_expr_compare (const tns_expr *a, const tns_expr *b);

/* EXPR, a scalar integer, as a sum.  */
extern tns_sum tns_sum_of (tns_arena *arena, tns_expr *expr);

/* The symbol that ATOM is the value of, conversions between integers
   apart, or NULL.  */
extern tns_sym *tns_atom_symbol (const tns_expr *atom);

/* TERM = QUOTIENT * BY; false where BY does not divide it.  */
extern bool tns_term_divide (tns_arena *arena, const tns_term *term,
                             const tns_term *by, tns_term *quotient);

/* Arithmetic.  */
extern tns_sum tns_sum_of_term (tns_arena *arena, tns_term term);
extern tns_sum tns_sum_int (tns_arena *arena, long long value);
extern tns_sum tns_sum_add (tns_arena *arena, tns_sum a, tns_sum b);
extern tns_sum tns_sum_scale (tns_arena *arena, tns_sum a, long long factor);
extern tns_sum tns_sum_mul (tns_arena *arena, tns_sum a, tns_sum b);

/* SUM = QUOTIENT * BY; false where BY does not divide each term.  */
extern bool tns_sum_divide (tns_arena *arena, tns_sum sum, const tns_term *by,
                            tns_sum *quotient);

/* SUM is the constant *VALUE.  */
extern bool tns_sum_is_int (tns_sum sum, long long *value);
extern bool tns_sum_equal (tns_sum a, tns_sum b);

/* The least that SUM can be when every atom is at least 0; false when there
   is no such number.  */
extern bool tns_sum_least (tns_sum sum, long long *least);

/* SUM as an I64 expression, NULL for n = -1.  */
extern tns_expr *tns_sum_expr (tns_arena *arena, tns_sum sum);

/* SUM with the symbol SYM replaced by BY in every atom that is SYM,
   conversions between integers apart.  */
extern tns_sum tns_sum_substitute (tns_arena *arena, tns_sum sum,
                                   const tns_sym *sym, tns_sum by);

/* An affine form: constant + sum of factor[k] * sym[k] over different VALUEs
   and ITERs, in the order of their ids.  */
typedef struct tns_affine
{
  long long constant;
  int n;
  tns_sym **sym;
  long long *factor;
} tns_affine;

/* EXPR as an affine form; false where it is none.  */
extern bool tns_affine_of (tns_arena *arena, tns_expr *expr,
                           tns_affine *affine);

#endif
