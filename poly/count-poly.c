/* Sums over loops in closed form (Faulhaber).

     sum_{j=0}^{i-1} 1   = i
     sum_{i=0}^{n-1} i   = (n^2 - n) / 2
     sum_{x=0}^{N-1} x^k = the k-th row of the table below, in N

   A sum from LO to HI is the difference of two of these.  */

#include "poly/count-poly.h"

#include <stdint.h>
#include <string.h>

/* sum_{x=0}^{N-1} x^k = (sum_p factor[p] N^p) / denominator.  */
static const struct
{
  int denominator;
  int factor[8];
} power_sums[] = {
  { 1, { 0, 1 } },
  { 2, { 0, -1, 1 } },
  { 6, { 0, 1, -3, 2 } },
  { 4, { 0, 0, 1, -2, 1 } },
  { 30, { 0, -1, 0, 10, -15, 6 } },
  { 12, { 0, 0, -1, 0, 5, -6, 2 } },
  { 42, { 0, 1, 0, -7, 0, 21, -21, 6 } },
};

enum
{
  N_POWER_SUMS = sizeof power_sums / sizeof *power_sums,
  MOST_TERMS = 400
};

/* The polynomial that did not fit.  */
static tns_poly
nothing (void)
{
  return (tns_poly){ -1, NULL, 1 };
}

/* The greatest common divisor, of numbers that are not negative.  */
static long long
common_divisor (long long a, long long b)
{
  while (b)
    {
      long long rest = a % b;
      a = b;
      b = rest;
    }
  return a;
}

/* A without terms that are zero, in lowest terms.  */
static tns_poly
reduced (tns_poly a)
{
  int kept = 0;
  long long divisor = a.denominator;
  for (int k = 0; k < a.n; k++)
    if (a.term[k].factor)
      {
        long long factor = a.term[k].factor;
        divisor = common_divisor (divisor, factor < 0 ? -factor : factor);
        a.term[kept++] = a.term[k];
      }
  if (a.n >= 0)
    a.n = kept;
  for (int k = 0; k < a.n; k++)
    a.term[k].factor /= divisor;
  a.denominator /= divisor;
  return a;
}

tns_poly
tns_poly_int (tns_arena *arena, long long value)
{
  tns_poly a = { value != 0, TNS_NEW (arena, tns_monomial), 1 };
  a.term->factor = value;
  return a;
}

tns_poly
tns_poly_var (tns_arena *arena, int var)
{
  if (var < 0 || var >= TNS_POLY_VARS)
    return nothing ();
  tns_poly a = tns_poly_int (arena, 1);
  a.term->power[var] = 1;
  return a;
}

tns_poly
tns_poly_scale (tns_arena *arena, tns_poly a, long long factor,
                long long denominator)
{
  tns_poly b = { a.n, NULL, 1 };
  if (a.n < 0
      || __builtin_mul_overflow (a.denominator, denominator, &b.denominator))
    return nothing ();
  b.term = TNS_NEW_ARRAY (arena, tns_monomial, a.n + 1);
  for (int k = 0; k < a.n; k++)
    {
      b.term[k] = a.term[k];
      long long *scaled = &b.term[k].factor;
      if (__builtin_mul_overflow (*scaled, factor, scaled)
          || *scaled == INT64_MIN)
        return nothing ();
    }
  return reduced (b);
}

/* Add TERM to SUM, which has room.  False when it does not fit.  */
static bool
add_term (tns_poly *sum, const tns_monomial *term)
{
  for (int k = 0; k < sum->n; k++)
    if (!memcmp (sum->term[k].power, term->power, sizeof term->power))
      {
        long long *factor = &sum->term[k].factor;
        return !__builtin_add_overflow (*factor, term->factor, factor)
               && *factor != INT64_MIN;
      }
  sum->term[sum->n++] = *term;
  return true;
}

/* Add the terms of A, times SCALE, to SUM, which has room.  False when they
   do not fit.  */
static bool
add_terms (tns_poly *sum, tns_poly a, long long scale)
{
  for (int k = 0; k < a.n; k++)
    {
      tns_monomial term = a.term[k];
      if (__builtin_mul_overflow (term.factor, scale, &term.factor)
          || !add_term (sum, &term))
        return false;
    }
  return true;
}

tns_poly
tns_poly_add (tns_arena *arena, tns_poly a, tns_poly b)
{
  if (a.n < 0 || b.n < 0)
    return nothing ();
  long long divisor = common_divisor (a.denominator, b.denominator);
  tns_poly sum = { 0, NULL, 1 };
  if (a.n + b.n > MOST_TERMS
      || __builtin_mul_overflow (a.denominator, b.denominator / divisor,
                                 &sum.denominator))
    return nothing ();
  sum.term = TNS_NEW_ARRAY (arena, tns_monomial, a.n + b.n + 1);
  bool fits = add_terms (&sum, a, b.denominator / divisor)
              && add_terms (&sum, b, a.denominator / divisor);
  return fits ? reduced (sum) : nothing ();
}

/* X times Y; false when it does not fit.  */
static bool
multiply_terms (const tns_monomial *x, const tns_monomial *y,
                tns_monomial *product)
{
  for (int v = 0; v < TNS_POLY_VARS; v++)
    product->power[v] = (unsigned char) (x->power[v] + y->power[v]);
  return !__builtin_mul_overflow (x->factor, y->factor, &product->factor);
}

tns_poly
tns_poly_mul (tns_arena *arena, tns_poly a, tns_poly b)
{
  tns_poly product = { 0, NULL, 1 };
  if (a.n < 0 || b.n < 0 || (long) a.n * b.n > MOST_TERMS
      || __builtin_mul_overflow (a.denominator, b.denominator,
                                 &product.denominator))
    return nothing ();
  product.term = TNS_NEW_ARRAY (arena, tns_monomial, a.n * b.n + 1);
  for (int k = 0; k < a.n; k++)
    for (int l = 0; l < b.n; l++)
      {
        tns_monomial term;
        if (!multiply_terms (&a.term[k], &b.term[l], &term)
            || !add_term (&product, &term))
          return nothing ();
      }
  return reduced (product);
}

/* The highest power of VAR in A.  */
static int
degree (tns_poly a, int var)
{
  int most = 0;
  for (int k = 0; k < a.n; k++)
    most = a.term[k].power[var] > most ? a.term[k].power[var] : most;
  return most;
}

/* The terms of A with VAR to the power P, without it.  */
static tns_poly
coefficient (tns_arena *arena, tns_poly a, int var, int p)
{
  tns_poly part = { 0, NULL, a.denominator };
  part.term = TNS_NEW_ARRAY (arena, tns_monomial, a.n + 1);
  for (int k = 0; k < a.n; k++)
    if (a.term[k].power[var] == p)
      {
        part.term[part.n] = a.term[k];
        part.term[part.n++].power[var] = 0;
      }
  return reduced (part);
}

tns_poly
tns_poly_substitute (tns_arena *arena, tns_poly a, int var, tns_poly by)
{
  if (a.n < 0)
    return a;
  tns_poly sum = tns_poly_int (arena, 0);
  for (int p = degree (a, var); p >= 0; p--)
    sum = tns_poly_add (arena, tns_poly_mul (arena, sum, by),
                        coefficient (arena, a, var, p));
  return sum;
}

tns_poly
tns_poly_close_up (tns_arena *arena, tns_poly a, int var, int end)
{
  tns_poly b = { a.n, NULL, a.denominator };
  if (a.n < 0)
    return a;
  b.term = TNS_NEW_ARRAY (arena, tns_monomial, a.n + 1);
  for (int k = 0; k < a.n; k++)
    {
      b.term[k] = a.term[k];
      memmove (&b.term[k].power[var], &a.term[k].power[var + 1],
               (size_t) (end - var - 1));
      b.term[k].power[end - 1] = 0;
    }
  return b;
}

/* sum_{x=0}^{END-1} x^K.  */
static tns_poly
sum_of_powers (tns_arena *arena, int k, tns_poly end)
{
  if (k >= N_POWER_SUMS)
    return nothing ();
  tns_poly sum = tns_poly_int (arena, 0);
  tns_poly power = tns_poly_int (arena, 1);
  for (int p = 0; p <= k + 1; p++)
    {
      int factor = power_sums[k].factor[p];
      if (p > 0)
        power = tns_poly_mul (arena, power, end);
      if (factor)
        sum = tns_poly_add (
          arena, sum,
          tns_poly_scale (arena, power, factor, power_sums[k].denominator));
    }
  return sum;
}

/* sum_{x=LO}^{END-1} x^K.  */
static tns_poly
sum_between (tns_arena *arena, int k, tns_poly lo, tns_poly end)
{
  tns_poly low = tns_poly_scale (arena, sum_of_powers (arena, k, lo), -1, 1);
  return tns_poly_add (arena, sum_of_powers (arena, k, end), low);
}

tns_poly
tns_poly_sum (tns_arena *arena, tns_poly a, int var, tns_poly lo, tns_poly hi)
{
  if (a.n < 0)
    return a;
  tns_poly end = tns_poly_add (arena, hi, tns_poly_int (arena, 1));
  tns_poly sum = tns_poly_int (arena, 0);
  for (int p = degree (a, var); p >= 0; p--)
    {
      tns_poly rest = coefficient (arena, a, var, p);
      if (rest.n == 0)
        continue;
      tns_poly whole = sum_between (arena, p, lo, end);
      sum = tns_poly_add (arena, sum, tns_poly_mul (arena, whole, rest));
    }
  return sum;
}

bool
tns_poly_equal (tns_poly a, tns_poly b)
{
  if (a.n != b.n || a.n < 0 || a.denominator != b.denominator)
    return false;
  for (int k = 0; k < a.n; k++)
    {
      int l = 0;
      while (l < b.n && memcmp (&a.term[k], &b.term[l], sizeof *a.term))
        l++;
      if (l == b.n)
        return false;
    }
  return true;
}

/* The absolute value of TERM.  */
static tns_expr *
term_expr (tns_arena *arena, const tns_monomial *term, tns_expr *const *value)
{
  long long factor = term->factor < 0 ? -term->factor : term->factor;
  tns_expr *product = NULL;
  if (factor != 1)
    product = tns_real (arena, TNS_F64, (long double) factor);
  for (int v = 0; v < TNS_POLY_VARS; v++)
    for (int p = 0; p < term->power[v]; p++)
      {
        tns_expr *var = tns_cast (arena, tns_scalar (TNS_F64), value[v]);
        product = product ? tns_binary (arena, TNS_MUL, product, var) : var;
      }
  return product ? product : tns_real (arena, TNS_F64, 1);
}

tns_expr *
tns_poly_expr (tns_arena *arena, tns_poly a, tns_expr *const *value)
{
  tns_expr *sum = NULL;
  for (int negative = 0; negative < 2; negative++)
    for (int k = 0; k < a.n; k++)
      {
        if ((a.term[k].factor < 0) != negative)
          continue;
        tns_expr *term = term_expr (arena, &a.term[k], value);
        if (!sum && negative)
          sum = tns_real (arena, TNS_F64, 0);
        tns_op op = negative ? TNS_SUB : TNS_ADD;
        sum = sum ? tns_binary (arena, op, sum, term) : term;
      }
  if (!sum)
    return tns_real (arena, TNS_F64, 0);
  if (a.denominator == 1)
    return sum;
  return tns_binary (arena, TNS_DIV, sum,
                     tns_real (arena, TNS_F64, (long double) a.denominator));
}
