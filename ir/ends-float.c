/* Ends of floating numbers, as F64, for the integers that are made of them:

     if (x < 0.5f) x = 0.5f;              x = max (x, 0.5)
     if (x > n + 0.5f) x = n + 0.5f;      0.5 <= x <= n + 0.5
     i = (int) x;                         0 <= i <= n

   Conversions, floor and their like, and a sum or product that is rounded once
   do not exchange the order of two numbers, so that the ends of the result are
   the results of the ends.  Nothing is said of what is rounded twice in a sum,
   which may be computed in another order.  A NaN has no integer.  */

#include "ir/ends-inside.h"

#include "ir/walk.h"

/* The visitor that finds what is no VALUE or constant.  */
static bool
find_other (tns_expr *expr, void *self)
{
  bool *other = self;
  *other |= tns_expr_reads (expr) || expr->op == TNS_CALL
            || (expr->op == TNS_SYM && expr->sym->kind != TNS_SYM_VALUE);
  return !*other;
}

/* EXPR is the same wherever it is evaluated.  */
static bool
is_over_values (tns_expr *expr)
{
  bool other = false;
  tns_expr_walk (expr, find_other, &other);
  return !other;
}

/* END, of a number of the type of EXPR, as F64; NULL stays.  */
static tns_expr *
as_double (ender *e, tns_expr *end)
{
  return end ? tns_cast (e->arena, tns_scalar (TNS_F64), end) : NULL;
}

/* END as a number of ELEM.  */
static tns_expr *
as (ender *e, tns_elem elem, tns_expr *end)
{
  return end ? tns_cast (e->arena, tns_scalar (elem), end) : NULL;
}

/* A conversion of an integer or another floating number.  */
static bool
find_cast (ender *e, tns_expr *expr, tns_ends *ends)
{
  tns_elem elem = expr->type.elem;
  if (!tns_ends_find (e, expr->arg[0], ends))
    return false;
  ends->least = as_double (e, as (e, elem, ends->least));
  ends->most = as_double (e, as (e, elem, ends->most));
  return true;
}

/* The lesser or greater of two.  */
static bool
find_extreme (ender *e, tns_expr *expr, tns_ends *ends)
{
  tns_ends more;
  bool is_least = expr->op == TNS_MIN || expr->op == TNS_FMIN;
  tns_ends_find (e, expr->arg[0], ends);
  tns_ends_find (e, expr->arg[1], &more);
  tns_ends_combine (e, is_least ? TNS_MIN : TNS_MAX, ends, more);
  return true;
}

/* floor and its like.  */
static bool
find_whole (ender *e, tns_expr *expr, tns_ends *ends)
{
  if (!tns_ends_find (e, expr->arg[0], ends))
    return false;
  ends->least
    = ends->least ? tns_unary (e->arena, expr->op, ends->least) : NULL;
  ends->most = ends->most ? tns_unary (e->arena, expr->op, ends->most) : NULL;
  return true;
}

/* EXPR is an integer that was converted.  */
static bool
is_converted (const tns_expr *expr)
{
  return expr->op == TNS_CAST && tns_elem_is_integer (expr->arg[0]->type.elem);
}

/* A converted integer times, or more by, what stays the same.  */
static bool
find_rounded_once (ender *e, tns_expr *expr, tns_ends *ends)
{
  bool in_first = is_over_values (expr->arg[1]);
  tns_expr *moves = expr->arg[in_first ? 0 : 1];
  tns_expr *stays = expr->arg[in_first ? 1 : 0];
  tns_ends a;
  if (!is_converted (moves) || !is_over_values (stays)
      || (expr->op == TNS_SUB && !in_first) || !tns_ends_find (e, moves, &a)
      || !a.least || !a.most)
    return false;
  tns_arena *arena = e->arena;
  tns_elem elem = expr->type.elem;
  tns_expr *p
    = as_double (e, tns_binary (arena, expr->op, as (e, elem, a.least), stays));
  tns_expr *q
    = as_double (e, tns_binary (arena, expr->op, as (e, elem, a.most), stays));
  *ends = (tns_ends){ tns_binary (arena, TNS_MIN, p, q),
                      tns_binary (arena, TNS_MAX, p, q) };
  return true;
}

/* What finds the ends of EXPR; NULL when nothing does.  */
static rule
rule_of (const tns_expr *expr)
{
  switch (expr->op)
    {
    case TNS_CAST:
      return find_cast;
    case TNS_MIN:
    case TNS_MAX:
    case TNS_FMIN:
    case TNS_FMAX:
      return find_extreme;
    case TNS_FLOOR:
    case TNS_CEIL:
    case TNS_TRUNC:
    case TNS_ROUND:
    case TNS_RINT:
      return find_whole;
    case TNS_ADD:
    case TNS_SUB:
    case TNS_MUL:
      return find_rounded_once;
    default:
      return NULL;
    }
}

bool
tns_ends_of_float (ender *e, tns_expr *expr, tns_ends *ends)
{
  if (is_over_values (expr))
    {
      ends->least = ends->most = as_double (e, expr);
      return true;
    }
  if (expr->op == TNS_LOAD)
    return tns_sym_is_local (expr->sym) && expr->sym->rank == 0
           && tns_ends_of_cell (e, expr, ends);
  rule by = rule_of (expr);
  return by && by (e, expr, ends);
}

/* END, a floating number, as an integer of at most 32 bits; OTHERWISE where it
   is none.  */
static tns_expr *
rounded (ender *e, tns_expr *end, long long otherwise)
{
  tns_arena *arena = e->arena;
  if (!end)
    return NULL;
  tns_expr *fits = tns_binary (
    arena, TNS_LAND,
    tns_binary (arena, TNS_GE, end, tns_real (arena, TNS_F64, -2147483648.0)),
    tns_binary (arena, TNS_LE, end, tns_real (arena, TNS_F64, 2147483647.0)));
  return tns_ternary (arena, TNS_SELECT, fits, as (e, TNS_I64, end),
                      tns_int (arena, otherwise));
}

bool
tns_ends_of_rounded (ender *e, tns_expr *expr, tns_ends *ends)
{
  tns_ends a;
  if (expr->type.elem != TNS_I32 || !tns_ends_find (e, expr->arg[0], &a))
    return false;
  ends->least = rounded (e, a.least, -2147483648LL);
  ends->most = rounded (e, a.most, 2147483647LL);
  return true;
}
