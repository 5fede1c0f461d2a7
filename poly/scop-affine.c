/* Expressions of the IR as affine functions of iterators and parameters.

     i*4 + n/2 - 1       { [i] -> [(4i + floor (n/2) - 1)] }   where n >= 0
     n*m + i             { [i] -> [(p + i)] }                  p = n*m
     (long) (u - 1)      { [] -> [(u - 1)] } : u > 0           u unsigned

   The value that stands for an expression of an unsigned type is right
   modulo 2^width only; sums, differences and products keep that.  Whoever
   needs the value itself (a wider type, a comparison, a quotient) checks
   that it lies in the type, by proof or by a guard of the region.  Signed
   arithmetic does not overflow in a correct program.  Numbers of 64 bits
   are taken to fit: nothing that has so many elements is in memory, and for
   what is only compared poly/scop-near.c asks.  Constants
   that would not, with others added, are no affine functions.

   An invariant expression that is not affine becomes a parameter.  */

#include "poly/scop-build.h"

#include <limits.h>

#include "ir/walk.h"

/* The largest magnitude of a constant.  */
static const long long MOST = LLONG_MAX / 4;

/* The value of the cell that EXPR reads, where it is known; else EXPR.  */
static tns_expr *
known_value (const tns_builder *b, tns_expr *expr)
{
  if (expr->op == TNS_LOAD)
    for (int k = b->n_known - 1; k >= 0; k--)
      if (b->known_sym[k] == expr->sym)
        return b->known_value[k];
  return expr;
}

/* The same, but for what is read where no place is meant.  */
static tns_expr *
resolve_leaf (tns_expr *expr, void *self)
{
  const tns_builder *b = self;
  tns_expr *value = known_value (b, expr);
  bool loads = value != expr && tns_expr_loads (value);
  return loads && !tns_build_is_place (b, value) ? expr : value;
}

/* The value of a cell, whatever it reads.  */
static tns_expr *
resolve_any (tns_expr *expr, void *self)
{
  return known_value (self, expr);
}

tns_expr *
tns_build_resolve (tns_builder *b, tns_expr *expr)
{
  if (!b->n_known)
    return expr;
  return tns_expr_rebuild (b->arena, expr, resolve_leaf, b);
}

tns_expr *
tns_build_resolve_loads (tns_builder *b, tns_expr *expr)
{
  if (!b->n_known)
    return expr;
  return tns_expr_rebuild (b->arena, expr, resolve_any, b);
}

/* The constant VALUE on the current domain.  */
static __isl_give isl_pw_aff *
constant (tns_builder *b, __isl_take isl_val *value)
{
  isl_space *space = isl_set_get_space (b->domain);
  return isl_pw_aff_from_aff (isl_aff_val_on_domain_space (space, value));
}

/* Iterator POS of the current domain.  */
static __isl_give isl_pw_aff *
iterator (tns_builder *b, int pos)
{
  isl_space *space = isl_set_get_space (b->domain);
  isl_local_space *local = isl_local_space_from_space (space);
  isl_aff *aff = isl_aff_var_on_domain (local, isl_dim_set, (unsigned) pos);
  return isl_pw_aff_from_aff (aff);
}

/* The value of an ITER or VALUE.  */
static __isl_give isl_pw_aff *
symbol (tns_builder *b, tns_expr *expr)
{
  if (expr->sym->kind == TNS_SYM_VALUE)
    return tns_elem_is_float (expr->type.elem) ? NULL
                                               : tns_build_parameter (b, expr);
  for (int k = b->n_iters - 1; k >= 0; k--)
    if (b->iter[k] == expr->sym)
      return iterator (b, k);
  return NULL;
}

/* The integer of EXPR, an unsigned one near 2^width as a negative one: of
   (short) (n - 1) the front end makes (short) ((unsigned short) n + 65535).  */
static __isl_give isl_pw_aff *
integer (tns_builder *b, tns_expr *expr)
{
  long long value = expr->integer;
  int bits = 8 * tns_elem_bytes (expr->type.elem);
  if (value > MOST || value < -MOST)
    return NULL;
  if (tns_elem_is_unsigned (expr->type.elem) && bits < 64
      && value >> (bits - 1) != 0)
    value -= 1LL << bits;
  return constant (b, isl_val_int_from_si (b->isl, value));
}

/* The least value of type ELEM (of GREATEST: the greatest); NULL where it
   does not matter, as said above.  */
static __isl_give isl_val *
limit (isl_ctx *isl, tns_elem elem, bool greatest)
{
  int bits = 8 * tns_elem_bytes (elem);
  bool is_unsigned = tns_elem_is_unsigned (elem);
  if (bits == 64)
    return is_unsigned && !greatest ? isl_val_zero (isl) : NULL;
  if (elem == TNS_BOOL)
    return isl_val_int_from_si (isl, greatest);
  long most = is_unsigned ? (1L << bits) - 1 : (1L << (bits - 1)) - 1;
  long least = is_unsigned ? 0 : -most - 1;
  return isl_val_int_from_si (isl, greatest ? most : least);
}

/* The parameter values in LIVE that are not in BAD, said by as few conditions
   as possible: what LIVE says already is left out, and so are remainders.  */
static __isl_give isl_set *
good_values (__isl_keep isl_set *bad, __isl_keep isl_set *live)
{
  isl_set *more = isl_set_remove_divs (isl_set_copy (bad));
  more = isl_set_gist (isl_set_coalesce (more), isl_set_copy (live));
  isl_set *good = isl_set_complement (more);
  return isl_set_coalesce (isl_set_gist (good, isl_set_copy (live)));
}

bool
tns_build_exclude (tns_builder *b, __isl_take isl_set *bad,
                   __isl_take isl_set *live)
{
  tns_scop *scop = b->scop;
  isl_set *facts = isl_set_intersect (isl_set_copy (scop->context),
                                      isl_set_copy (b->ranges));
  bad = isl_set_intersect (isl_set_params (bad), isl_set_copy (facts));
  isl_bool fine = isl_set_is_empty (bad);
  if (fine != isl_bool_false)
    {
      b->failed |= fine < 0;
      isl_set_free (bad);
      isl_set_free (live);
      isl_set_free (facts);
      return fine == isl_bool_true;
    }
  live = isl_set_intersect (isl_set_params (live), facts);
  isl_set *good = good_values (bad, live);
  isl_set_free (bad);
  live = isl_set_intersect (live, isl_set_copy (good));
  isl_bool useless = isl_set_is_empty (live);
  isl_set_free (live);
  b->failed |= useless < 0;
  tns_expr *guard = NULL;
  if (useless == isl_bool_false && isl_set_n_basic_set (good) <= 4)
    guard = tns_scop_cond_of_set (scop, good);
  if (guard)
    {
      tns_region_add_guard (b->arena, scop->region, guard);
      scop->context = isl_set_intersect (scop->context, isl_set_copy (good));
    }
  isl_set_free (good);
  return guard != NULL;
}

/* Where on the domain VALUE does not lie in type ELEM.  */
static __isl_give isl_set *
beyond (tns_builder *b, __isl_keep isl_pw_aff *value, tns_elem elem)
{
  isl_set *bad = isl_set_empty (isl_set_get_space (b->domain));
  isl_val *least = limit (b->isl, elem, false);
  isl_val *most = limit (b->isl, elem, true);
  if (least)
    bad = isl_set_union (
      bad, isl_pw_aff_lt_set (isl_pw_aff_copy (value), constant (b, least)));
  if (most)
    bad = isl_set_union (
      bad, isl_pw_aff_gt_set (isl_pw_aff_copy (value), constant (b, most)));
  return isl_set_intersect (bad, isl_set_copy (b->domain));
}

/* VALUE where it lies in type ELEM on all of the domain (guarded where that
   takes a guard), else NULL.  */
static __isl_give isl_pw_aff *
within_type (tns_builder *b, __isl_take isl_pw_aff *value, tns_elem elem)
{
  isl_set *bad = beyond (b, value, elem);
  if (tns_build_exclude (b, bad, isl_set_copy (b->domain)))
    return value;
  return isl_pw_aff_free (value);
}

__isl_give isl_pw_aff *
tns_build_exact (tns_builder *b, tns_expr *expr)
{
  if (expr->op == TNS_INT && expr->type.elem == TNS_U64 && expr->integer < 0)
    return NULL;
  if (expr->op == TNS_INT && expr->integer <= MOST && expr->integer >= -MOST)
    return constant (b, isl_val_int_from_si (b->isl, expr->integer));
  isl_pw_aff *value = tns_build_modular (b, expr);
  if (!value || !tns_elem_is_unsigned (expr->type.elem))
    return value;
  return within_type (b, value, expr->type.elem);
}

/* VALUE lies in type ELEM on all of the domain, as far as is known.  */
static bool
is_within (tns_builder *b, __isl_keep isl_pw_aff *value, tns_elem elem)
{
  isl_set *bad = beyond (b, value, elem);
  bad = isl_set_intersect_params (bad, isl_set_copy (b->scop->context));
  bad = isl_set_intersect_params (bad, isl_set_copy (b->ranges));
  isl_bool none = isl_set_is_empty (bad);
  isl_set_free (bad);
  b->failed |= none < 0;
  return none == isl_bool_true;
}

__isl_give isl_pw_aff *
tns_build_signed (tns_builder *b, tns_expr *expr)
{
  tns_elem elem = tns_elem_bytes (expr->type.elem) == 8 ? TNS_I64 : TNS_I32;
  if (expr->op == TNS_CAST && expr->arg[0]->type.elem == elem)
    return tns_build_exact (b, expr->arg[0]);
  isl_pw_aff *value = tns_build_modular (b, expr);
  return value ? within_type (b, value, elem) : NULL;
}

/* VALUE, a signed number of 32 bits, as an unsigned one.  */
static __isl_give isl_pw_aff *
wrapped (tns_builder *b, __isl_take isl_pw_aff *value)
{
  isl_set *fits = isl_pw_aff_nonneg_set (isl_pw_aff_copy (value));
  isl_pw_aff *all = constant (b, isl_val_int_from_si (b->isl, 1L << 32));
  isl_pw_aff *turned = isl_pw_aff_add (isl_pw_aff_copy (value), all);
  turned = isl_pw_aff_subtract_domain (turned, isl_set_copy (fits));
  value = isl_pw_aff_intersect_domain (value, fits);
  return isl_pw_aff_union_add (value, turned);
}

bool
tns_build_is_proved (tns_builder *b, tns_expr *expr)
{
  if (expr->op == TNS_INT)
    return expr->type.elem != TNS_U64 || expr->integer >= 0;
  isl_pw_aff *value = tns_build_modular (b, expr);
  bool is_proved = value && is_within (b, value, expr->type.elem);
  isl_pw_aff_free (value);
  return is_proved;
}

__isl_give isl_pw_aff *
tns_build_wrapped (tns_builder *b, tns_expr *expr)
{
  tns_expr *from = expr;
  while (from->op == TNS_CAST && tns_elem_bytes (from->type.elem) == 8
         && tns_elem_is_unsigned (from->arg[0]->type.elem)
         && tns_elem_bytes (from->arg[0]->type.elem) < 8)
    from = from->arg[0];
  if (from->type.elem != TNS_U32 || from->op == TNS_INT
      || tns_build_is_proved (b, from))
    return tns_build_exact (b, expr);
  isl_pw_aff *value = tns_build_signed (b, from);
  return value ? wrapped (b, value) : tns_build_exact (b, expr);
}

/* A conversion between integers.  */
static __isl_give isl_pw_aff *
convert (tns_builder *b, tns_expr *expr)
{
  tns_expr *from = expr->arg[0];
  tns_elem elem = expr->type.elem;
  if (tns_elem_is_float (from->type.elem) || elem == TNS_BOOL)
    return NULL;
  bool wider = tns_elem_bytes (elem) > tns_elem_bytes (from->type.elem);
  isl_pw_aff *value
    = wider ? tns_build_exact (b, from) : tns_build_modular (b, from);
  if (!value || wider || tns_elem_is_unsigned (elem)
      || tns_type_equal (expr->type, from->type))
    return value;
  return within_type (b, value, elem);
}

/* The product of A and B when one is constant.  */
static __isl_give isl_pw_aff *
multiply (__isl_take isl_pw_aff *a, __isl_take isl_pw_aff *b)
{
  if (isl_pw_aff_is_cst (a) == isl_bool_true
      || isl_pw_aff_is_cst (b) == isl_bool_true)
    return isl_pw_aff_mul (a, b);
  isl_pw_aff_free (a);
  isl_pw_aff_free (b);
  return NULL;
}

/* A OP B.  */
static __isl_give isl_pw_aff *
combine (tns_op op, __isl_take isl_pw_aff *a, __isl_take isl_pw_aff *b)
{
  switch (op)
    {
    case TNS_ADD:
      return isl_pw_aff_add (a, b);
    case TNS_SUB:
      return isl_pw_aff_sub (a, b);
    case TNS_MUL:
      return multiply (a, b);
    case TNS_MIN:
      return isl_pw_aff_min (a, b);
    case TNS_MAX:
      return isl_pw_aff_max (a, b);
    default:
      isl_pw_aff_free (a);
      isl_pw_aff_free (b);
      return NULL;
    }
}

/* Two operands: sums keep a value modulo 2^width, MIN and MAX need it.  */
static __isl_give isl_pw_aff *
binary (tns_builder *b, tns_expr *expr)
{
  bool modular = expr->op != TNS_MIN && expr->op != TNS_MAX;
  tns_expr **arg = expr->arg;
  isl_pw_aff *x
    = modular ? tns_build_modular (b, arg[0]) : tns_build_exact (b, arg[0]);
  isl_pw_aff *y = NULL;
  if (x)
    y = modular ? tns_build_modular (b, arg[1]) : tns_build_exact (b, arg[1]);
  if (x && y)
    return combine (expr->op, x, y);
  isl_pw_aff_free (x);
  isl_pw_aff_free (y);
  return NULL;
}

/* VALUE is not negative on the domain, under what is known.  */
static bool
not_negative (tns_builder *b, __isl_keep isl_pw_aff *value)
{
  isl_pw_aff *zero = constant (b, isl_val_zero (b->isl));
  isl_set *bad = isl_pw_aff_lt_set (isl_pw_aff_copy (value), zero);
  bad = isl_set_intersect (bad, isl_set_copy (b->domain));
  bad = isl_set_intersect_params (bad, isl_set_copy (b->scop->context));
  bad = isl_set_intersect_params (bad, isl_set_copy (b->ranges));
  isl_bool empty = isl_set_is_empty (bad);
  isl_set_free (bad);
  b->failed |= empty < 0;
  return empty == isl_bool_true;
}

/* The quotient (remainder, with REM) of VALUE by BY > 0, downwards or, with
   TRUNCATE, towards zero.  */
static __isl_give isl_pw_aff *
quotient (tns_builder *b, __isl_take isl_pw_aff *value, long long by,
          bool remainder, bool truncate)
{
  isl_val *divisor = isl_val_int_from_si (b->isl, by);
  if (truncate && !not_negative (b, value))
    {
      isl_pw_aff *down = constant (b, divisor);
      return remainder ? isl_pw_aff_tdiv_r (value, down)
                       : isl_pw_aff_tdiv_q (value, down);
    }
  if (remainder)
    return isl_pw_aff_mod_val (value, divisor);
  return isl_pw_aff_floor (isl_pw_aff_scale_down_val (value, divisor));
}

/* Division and remainder by a constant.  */
static __isl_give isl_pw_aff *
divide (tns_builder *b, tns_expr *expr)
{
  tns_op op = expr->op;
  long long by;
  if (!tns_expr_is_int (expr->arg[1], &by) || by == 0 || by < -1000000000)
    return NULL;
  bool truncate = op == TNS_DIV || op == TNS_REM;
  if (by < 0 && !truncate)
    return NULL;
  isl_pw_aff *value = tns_build_exact (b, expr->arg[0]);
  if (!value)
    return NULL;
  bool remainder = op == TNS_REM || op == TNS_MOD;
  value = quotient (b, value, by < 0 ? -by : by, remainder, truncate);
  return by < 0 && !remainder ? isl_pw_aff_neg (value) : value;
}

/* Shifts and masks by a constant that are products and quotients.  */
static __isl_give isl_pw_aff *
shift (tns_builder *b, tns_expr *expr)
{
  long long by;
  if (!tns_expr_is_int (expr->arg[1], &by) || by < 0)
    return NULL;
  if (expr->op == TNS_AND)
    {
      if (by > 0xffffffffLL || (by & (by + 1)))
        return NULL;
      isl_pw_aff *value = tns_build_modular (b, expr->arg[0]);
      return value ? quotient (b, value, by + 1, true, false) : NULL;
    }
  if (by > 31)
    return NULL;
  if (expr->op == TNS_SHL)
    {
      isl_pw_aff *value = tns_build_modular (b, expr->arg[0]);
      isl_val *factor = isl_val_int_from_si (b->isl, 1L << by);
      return value ? isl_pw_aff_scale_val (value, factor)
                   : (isl_val_free (factor), NULL);
    }
  isl_pw_aff *value = tns_build_exact (b, expr->arg[0]);
  return value ? quotient (b, value, 1LL << by, false, false) : NULL;
}

/* |a| and -a.  */
static __isl_give isl_pw_aff *
unary (tns_builder *b, tns_expr *expr)
{
  isl_pw_aff *value = expr->op == TNS_ABS ? tns_build_exact (b, expr->arg[0])
                                          : tns_build_modular (b, expr->arg[0]);
  if (!value || expr->op == TNS_NEG)
    return isl_pw_aff_neg (value);
  isl_pw_aff *opposite = isl_pw_aff_neg (isl_pw_aff_copy (value));
  return isl_pw_aff_max (value, opposite);
}

/* X where YES holds, else Y, on the domain.  */
static __isl_give isl_pw_aff *
choose (tns_builder *b, __isl_take isl_set *yes, __isl_take isl_pw_aff *x,
        __isl_take isl_pw_aff *y)
{
  isl_set *no = isl_set_subtract (isl_set_copy (b->domain), isl_set_copy (yes));
  return isl_pw_aff_union_add (isl_pw_aff_intersect_domain (x, yes),
                               isl_pw_aff_intersect_domain (y, no));
}

/* A truth value as 0 or 1.  */
static __isl_give isl_pw_aff *
truth (tns_builder *b, tns_expr *expr)
{
  isl_set *yes = tns_build_holds (b, expr, false);
  if (!yes)
    return NULL;
  yes = isl_set_intersect (yes, isl_set_copy (b->domain));
  return choose (b, yes, constant (b, isl_val_one (b->isl)),
                 constant (b, isl_val_zero (b->isl)));
}

/* a ? b : c.  */
static __isl_give isl_pw_aff *
selection (tns_builder *b, tns_expr *expr)
{
  isl_pw_aff *x = tns_build_modular (b, expr->arg[1]);
  isl_pw_aff *y = x ? tns_build_modular (b, expr->arg[2]) : NULL;
  isl_set *yes = y ? tns_build_holds (b, expr->arg[0], false) : NULL;
  if (yes)
    return choose (b, yes, x, y);
  isl_pw_aff_free (x);
  isl_pw_aff_free (y);
  return NULL;
}

/* EXPR by its operator, or NULL.  */
static __isl_give isl_pw_aff *
by_operator (tns_builder *b, tns_expr *expr)
{
  switch (expr->op)
    {
    case TNS_INT:
      return integer (b, expr);
    case TNS_SYM:
      return symbol (b, expr);
    case TNS_ADD:
    case TNS_SUB:
    case TNS_MUL:
    case TNS_MIN:
    case TNS_MAX:
      return binary (b, expr);
    case TNS_DIV:
    case TNS_REM:
    case TNS_FLOORDIV:
    case TNS_MOD:
      return divide (b, expr);
    case TNS_SHL:
    case TNS_SHR:
    case TNS_AND:
      return shift (b, expr);
    case TNS_NEG:
    case TNS_ABS:
      return unary (b, expr);
    case TNS_CAST:
      return convert (b, expr);
    case TNS_SELECT:
      return selection (b, expr);
    default:
      return NULL;
    }
}

/* EXPR, an integer or BOOL, over the current domain, or NULL.  */
static __isl_give isl_pw_aff *
modular (tns_builder *b, tns_expr *expr)
{
  isl_pw_aff *value = NULL;
  if (tns_elem_class (expr->type.elem) != 'B' || expr->op == TNS_SYM
      || expr->op == TNS_INT)
    value = by_operator (b, expr);
  else
    value = truth (b, expr);
  if (!value && !b->failed && tns_build_invariant (expr))
    value = tns_build_parameter (b, expr);
  return value;
}

__isl_give isl_pw_aff *
tns_build_modular (tns_builder *b, tns_expr *expr)
{
  if (b->failed || tns_elem_class (expr->type.elem) == 'F'
      || expr->type.lanes != 1)
    return NULL;
  isl_pw_aff *value = expr->n_args > 0 ? tns_built_find (b, expr) : NULL;
  if (value)
    return value;
  value = modular (b, expr);
  if (value && expr->n_args > 0)
    tns_built_keep (b, expr, value);
  return value;
}

__isl_give isl_pw_aff *
tns_build_affine (tns_builder *b, tns_expr *expr)
{
  isl_pw_aff *value = tns_build_exact (b, tns_build_resolve (b, expr));
  return isl_pw_aff_coalesce (value);
}
