/* Affine functions and sets of the parameters as expressions of the IR.

     [n, m] -> { [(3n + floor ((m + 1)/2))] }   3*n + floordiv (m + 1, 2)
     [n, m] -> { : n >= 4 or m = 0 }            n >= 4 || m == 0

   A piecewise function becomes selections; the last piece needs no
   condition, because the function is only used where it is defined.  */

#include "poly/scop.h"

#include <limits.h>

/* The expression under construction; ok is cleared by what cannot be
   written.  */
typedef struct writer
{
  const tns_scop *scop;
  tns_arena *arena;
  tns_expr *made;
  bool ok;
} writer;

/* VALUE, an integer that fits.  */
static bool
to_long (__isl_take isl_val *value, long *number)
{
  isl_ctx *isl = isl_val_get_ctx (value);
  isl_val *most = isl_val_int_from_si (isl, LONG_MAX / 4);
  isl_val *size = isl_val_abs (isl_val_copy (value));
  bool fits = isl_val_is_int (value) == isl_bool_true
              && isl_val_le (size, most) == isl_bool_true;
  if (fits)
    *number = isl_val_get_num_si (value);
  isl_val_free (most);
  isl_val_free (size);
  isl_val_free (value);
  return fits;
}

/* FACTOR * TERM added to SUM; NULL is an empty sum.  */
static tns_expr *
add_term (tns_arena *arena, tns_expr *sum, long factor, tns_expr *term)
{
  if (factor == 0 || !term)
    return sum;
  bool subtract = factor < 0 && sum;
  tns_expr *scale = tns_int (arena, subtract ? -factor : factor);
  tns_expr *product = tns_binary (arena, TNS_MUL, term, scale);
  if (!sum)
    return product;
  return tns_binary (arena, subtract ? TNS_SUB : TNS_ADD, sum, product);
}

/* The parameter called NAME.  */
static tns_expr *
parameter (const tns_scop *scop, __isl_take isl_id *id)
{
  tns_expr *found = NULL;
  for (int k = 0; k < scop->n_params && !found; k++)
    if (scop->param_id[k] == id)
      found = scop->param[k];
  isl_id_free (id);
  return found;
}

/* A sum in two halves, so that neither has a negative term.  */
typedef struct sides
{
  tns_expr *plus;
  tns_expr *minus;
} sides;

/* Put FACTOR * TERM on the side where it is positive.  */
static void
put_term (writer *w, sides *sum, __isl_take isl_val *factor, tns_expr *term)
{
  long number = 0;
  w->ok &= to_long (factor, &number) && (term || number == 0);
  if (!w->ok)
    return;
  if (number > 0)
    sum->plus = add_term (w->arena, sum->plus, number, term);
  else
    sum->minus = add_term (w->arena, sum->minus, -number, term);
}

/* The coefficient of AFF at POS, times its denominator.  */
static __isl_give isl_val *
coefficient (__isl_keep isl_aff *aff, enum isl_dim_type type, int pos)
{
  isl_val *factor = isl_aff_get_coefficient_val (aff, type, pos);
  return isl_val_mul (factor, isl_aff_get_denominator_val (aff));
}

/* PLUS - MINUS.  */
static tns_expr *
difference (tns_arena *arena, sides sum)
{
  if (!sum.plus && sum.minus)
    return tns_binary (arena, TNS_MUL, sum.minus, tns_int (arena, -1));
  if (!sum.plus)
    return tns_int (arena, 0);
  if (!sum.minus)
    return sum.plus;
  return tns_binary (arena, TNS_SUB, sum.plus, sum.minus);
}

/* AFF times its denominator in two halves, with the quotients in DIV as
   terms.  */
static sides
split (writer *w, __isl_keep isl_aff *aff, tns_expr *const *div)
{
  sides sum = { NULL, NULL };
  isl_space *space = isl_aff_get_domain_space (aff);
  isl_size n_params = isl_aff_dim (aff, isl_dim_param);
  isl_size n_divs = isl_aff_dim (aff, isl_dim_div);
  for (int k = 0; k < n_params && w->ok; k++)
    {
      isl_val *factor = coefficient (aff, isl_dim_param, k);
      if (isl_val_is_zero (factor) == isl_bool_true)
        {
          isl_val_free (factor);
          continue;
        }
      isl_id *id = isl_space_get_dim_id (space, isl_dim_param, (unsigned) k);
      put_term (w, &sum, factor, parameter (w->scop, id));
    }
  for (int k = 0; k < n_divs && w->ok; k++)
    put_term (w, &sum, coefficient (aff, isl_dim_div, k), div[k]);
  isl_space_free (space);
  isl_val *rest = isl_val_mul (isl_aff_get_constant_val (aff),
                               isl_aff_get_denominator_val (aff));
  if (w->ok)
    put_term (w, &sum, rest, tns_int (w->arena, 1));
  else
    isl_val_free (rest);
  return sum;
}

/* SUM divided by AFF's denominator, downwards.  */
static tns_expr *
divided (writer *w, sides sum, __isl_keep isl_aff *aff)
{
  long by = 1;
  w->ok &= to_long (isl_aff_get_denominator_val (aff), &by);
  if (!w->ok)
    return NULL;
  tns_expr *whole = difference (w->arena, sum);
  if (by == 1)
    return whole;
  return tns_binary (w->arena, TNS_FLOORDIV, whole, tns_int (w->arena, by));
}

/* The quotients of AFF, each made of those before it.  */
static tns_expr **
quotients (writer *w, __isl_keep isl_aff *aff)
{
  isl_size n = isl_aff_dim (aff, isl_dim_div);
  if (n < 0)
    {
      w->ok = false;
      return NULL;
    }
  tns_expr **div = TNS_NEW_ARRAY (w->arena, tns_expr *, n + 1);
  for (int k = 0; k < n && w->ok; k++)
    {
      isl_aff *inner = isl_aff_get_div (aff, k);
      w->ok &= inner != NULL;
      if (w->ok)
        div[k] = divided (w, split (w, inner, div), inner);
      isl_aff_free (inner);
    }
  return div;
}

/* AFF as an expression.  */
static tns_expr *
expr_of_aff (writer *w, __isl_keep isl_aff *aff)
{
  tns_expr **div = quotients (w, aff);
  return w->ok ? divided (w, split (w, aff, div), aff) : NULL;
}

/* CONSTRAINT and what was there before.  */
static isl_stat
add_constraint (__isl_take isl_constraint *constraint, void *self)
{
  writer *w = self;
  bool equal = isl_constraint_is_equality (constraint) == isl_bool_true;
  bool definition
    = isl_constraint_is_div_constraint (constraint) == isl_bool_true;
  isl_aff *aff = isl_constraint_get_aff (constraint);
  isl_constraint_free (constraint);
  w->ok &= aff != NULL;
  if (w->ok && !definition)
    {
      tns_expr **div = quotients (w, aff);
      sides sum = w->ok ? split (w, aff, div) : (sides){ NULL, NULL };
      tns_expr *zero = tns_int (w->arena, 0);
      tns_expr *c
        = tns_binary (w->arena, equal ? TNS_EQ : TNS_GE,
                      sum.plus ? sum.plus : zero, sum.minus ? sum.minus : zero);
      w->made = w->made ? tns_binary (w->arena, TNS_LAND, w->made, c) : c;
    }
  isl_aff_free (aff);
  return w->ok ? isl_stat_ok : isl_stat_error;
}

/* BASIC or what was there before.  */
static isl_stat
add_basic_set (__isl_take isl_basic_set *basic, void *self)
{
  writer *w = self;
  writer inner = { w->scop, w->arena, NULL, true };
  isl_stat done
    = isl_basic_set_foreach_constraint (basic, add_constraint, &inner);
  isl_basic_set_free (basic);
  w->ok &= done == isl_stat_ok && inner.ok;
  if (!w->ok)
    return isl_stat_error;
  if (!inner.made)
    inner.made = tns_int_of (w->arena, TNS_BOOL, 1);
  w->made = w->made ? tns_binary (w->arena, TNS_LOR, w->made, inner.made)
                    : inner.made;
  return isl_stat_ok;
}

tns_expr *
tns_scop_cond_of_set (const tns_scop *scop, __isl_keep isl_set *params)
{
  writer w = { scop, scop->ctx->arena, NULL, true };
  isl_set *set = isl_set_compute_divs (isl_set_copy (params));
  set = isl_set_remove_redundancies (isl_set_coalesce (set));
  isl_stat done = isl_set_foreach_basic_set (set, add_basic_set, &w);
  isl_set_free (set);
  if (done != isl_stat_ok || !w.ok)
    return NULL;
  return w.made ? w.made : tns_int_of (w.arena, TNS_BOOL, 0);
}

/* One more piece: VALUE on DOMAIN.  */
static isl_stat
add_piece (__isl_take isl_set *domain, __isl_take isl_aff *value, void *self)
{
  writer *w = self;
  tns_expr *expr = expr_of_aff (w, value);
  isl_set *params = isl_set_params (domain);
  if (w->ok && w->made)
    {
      tns_expr *cond = tns_scop_cond_of_set (w->scop, params);
      w->ok = cond != NULL;
      expr = tns_ternary (w->arena, TNS_SELECT, cond, expr, w->made);
    }
  w->made = expr;
  isl_set_free (params);
  isl_aff_free (value);
  return w->ok ? isl_stat_ok : isl_stat_error;
}

tns_expr *
tns_scop_expr_of_pw_aff (const tns_scop *scop, __isl_keep isl_pw_aff *pw_aff)
{
  writer w = { scop, scop->ctx->arena, NULL, true };
  isl_stat done = isl_pw_aff_foreach_piece (pw_aff, add_piece, &w);
  return done == isl_stat_ok && w.ok ? w.made : NULL;
}

tns_expr *
tns_scop_bound (const tns_scop *scop, __isl_keep isl_set *set, int k, bool most,
                int pieces)
{
  isl_pw_aff *value = tns_isl_end (set, k, most);
  if (!value)
    return NULL;
  isl_set *context = isl_set_params (isl_set_copy (set));
  value = isl_pw_aff_coalesce (isl_pw_aff_gist (value, context));
  isl_size n = isl_pw_aff_n_piece (value);
  tns_expr *expr
    = n > 0 && n <= pieces ? tns_scop_expr_of_pw_aff (scop, value) : NULL;
  isl_pw_aff_free (value);
  return expr;
}
