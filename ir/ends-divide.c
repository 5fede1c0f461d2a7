/* Ends of quotients, rests, shifts and masks.  */

#include "ir/ends-inside.h"

#include "ir/range.h"

/* A quotient by what may be any number: where nothing is negative between
   those of the ends, else not further from 0 than what is divided.  */
static bool
find_quotient (ender *e, tns_expr *expr, tns_ends *ends)
{
  tns_ends a, b;
  tns_arena *arena = e->arena;
  tns_expr *zero = tns_int (arena, 0);
  tns_expr *one = tns_int (arena, 1);
  if (tns_elem_is_unsigned (expr->type.elem)
      || !tns_ends_find (e, expr->arg[0], &a)
      || !tns_ends_find (e, expr->arg[1], &b) || !tns_ends_are_both (a)
      || !tns_ends_are_one (b))
    return false;
  tns_expr *by = tns_binary (arena, TNS_MAX, b.least, one);
  tns_expr *is_plain = tns_binary (arena, TNS_GE, b.least, one);
  tns_expr *far = a.most;
  if (tns_range_of (NULL, a.least).lo < 0)
    {
      tns_expr *below = tns_binary (arena, TNS_SUB, zero, a.least);
      is_plain = tns_binary (arena, TNS_LAND, is_plain,
                             tns_binary (arena, TNS_GE, a.least, zero));
      far = tns_binary (arena, TNS_MAX, far, below);
    }
  ends->least = tns_ternary (arena, TNS_SELECT, is_plain, zero,
                             tns_binary (arena, TNS_SUB, zero, far));
  ends->most = tns_binary (arena, TNS_DIV, far, by);
  return true;
}

/* A rest: less than what it is by, and not negative where it is unsigned; else
   of the sign of what is divided.  */
static bool
find_rest (ender *e, tns_expr *expr, tns_ends *ends)
{
  tns_ends a, b;
  tns_arena *arena = e->arena;
  tns_expr *zero = tns_int (arena, 0);
  tns_expr *one = tns_int (arena, 1);
  bool is_unsigned = tns_elem_is_unsigned (expr->type.elem);
  if (!tns_ends_find (e, expr->arg[1], &b) || !tns_ends_are_both (b))
    return false;
  if (is_unsigned)
    {
      ends->least = zero;
      ends->most = tns_binary (arena, TNS_SUB, b.most, one);
      return expr->type.elem != TNS_U64;
    }
  if (!tns_ends_find (e, expr->arg[0], &a) || !a.least)
    return false;
  tns_expr *by = tns_binary (arena, TNS_MAX, b.most,
                             tns_binary (arena, TNS_SUB, zero, b.least));
  tns_expr *is_positive = tns_binary (arena, TNS_GE, a.least, zero);
  ends->least = tns_ternary (arena, TNS_SELECT, is_positive, zero,
                             tns_binary (arena, TNS_SUB, one, by));
  ends->most = tns_binary (arena, TNS_SUB, by, one);
  return true;
}

/* What is known of EXPR or, where it is unsigned, of its type.  */
static bool
find_or_type (ender *e, tns_expr *expr, tns_ends *ends)
{
  tns_elem elem = expr->type.elem;
  if (tns_ends_find (e, expr, ends) && tns_ends_are_both (*ends))
    return true;
  if (!tns_elem_is_unsigned (elem) || tns_elem_bytes (elem) > 4)
    return false;
  ends->least = tns_int (e->arena, 0);
  ends->most = tns_int (e->arena, tns_range_of_elem (elem).hi);
  return true;
}

/* A rest by the constant K.  */
static bool
find_rest_by (ender *e, tns_expr *expr, long long k, tns_ends *ends)
{
  tns_arena *arena = e->arena;
  tns_expr *zero = tns_int (arena, 0);
  tns_ends a = { zero, NULL };
  if (!tns_elem_is_unsigned (expr->type.elem)
      && (!tns_ends_find (e, expr->arg[0], &a) || !a.least))
    return false;
  ends->least = tns_binary (arena, TNS_MIN, a.least, zero);
  ends->least
    = tns_end_of_both (arena, ends->least, tns_int (arena, 1 - k), true);
  ends->most = tns_int (arena, k - 1);
  return true;
}

bool
tns_ends_of_divided (ender *e, tns_expr *expr, tns_ends *ends)
{
  long long k;
  bool is_constant = tns_expr_is_int (expr->arg[1], &k);
  if (expr->op == TNS_REM && !is_constant)
    return find_rest (e, expr, ends);
  if (expr->op == TNS_DIV && !is_constant)
    return find_quotient (e, expr, ends);
  if (!is_constant || k < (expr->op != TNS_SHR))
    return false;
  bool is_masked = expr->op == TNS_AND || expr->op == TNS_MOD;
  if (is_masked)
    {
      ends->least = tns_int (e->arena, 0);
      ends->most = tns_int (e->arena, expr->op == TNS_MOD ? k - 1 : k);
      return true;
    }
  if (expr->op == TNS_REM)
    return find_rest_by (e, expr, k, ends);
  if (!find_or_type (e, expr->arg[0], ends))
    return false;
  tns_ends_apply (e, expr->op, k, ends);
  return true;
}
