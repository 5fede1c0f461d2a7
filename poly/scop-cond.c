/* Conditions of the IR as sets of iterations.

     i < n && !(i == j || p)     { [i, j] : i < n and i != j and p = 0 }

   A negation is pushed down to the comparisons.  An invariant condition that
   is not affine becomes a parameter that is 0 or 1.  */

#include "poly/scop-build.h"

/* The comparison that holds where OP does not.  */
static tns_op
opposite_of (tns_op op)
{
  switch (op)
    {
    case TNS_LT:
      return TNS_GE;
    case TNS_LE:
      return TNS_GT;
    case TNS_GT:
      return TNS_LE;
    case TNS_GE:
      return TNS_LT;
    case TNS_EQ:
      return TNS_NE;
    default:
      return TNS_EQ;
    }
}

/* Where X OP Y holds.  */
static __isl_give isl_set *
compare (tns_op op, __isl_take isl_pw_aff *x, __isl_take isl_pw_aff *y)
{
  switch (op)
    {
    case TNS_LT:
      return isl_pw_aff_lt_set (x, y);
    case TNS_LE:
      return isl_pw_aff_le_set (x, y);
    case TNS_GT:
      return isl_pw_aff_gt_set (x, y);
    case TNS_GE:
      return isl_pw_aff_ge_set (x, y);
    case TNS_EQ:
      return isl_pw_aff_eq_set (x, y);
    default:
      return isl_pw_aff_ne_set (x, y);
    }
}

/* How an operand is read.  */
typedef __isl_give isl_pw_aff *reading (tns_builder *b, tns_expr *expr);

/* Both operands of COND into X and Y; false where that fails.  */
static bool
read_operands (tns_builder *b, tns_expr *cond, reading *read, isl_pw_aff **x,
               isl_pw_aff **y)
{
  *x = read (b, cond->arg[0]);
  *y = *x ? read (b, cond->arg[1]) : NULL;
  if (!*y)
    isl_pw_aff_free (*x);
  return *y != NULL;
}

/* Where X OP Y holds for what X and Y, signed, are as unsigned numbers: of two
   signs the negative one is greater.  */
static __isl_give isl_set *
compare_unsigned (tns_op op, __isl_take isl_pw_aff *x, __isl_take isl_pw_aff *y)
{
  if (op == TNS_EQ || op == TNS_NE)
    return compare (op, x, y);
  isl_set *x_fits = isl_pw_aff_nonneg_set (isl_pw_aff_copy (x));
  isl_set *y_fits = isl_pw_aff_nonneg_set (isl_pw_aff_copy (y));
  isl_set *x_greater
    = isl_set_subtract (isl_set_copy (y_fits), isl_set_copy (x_fits));
  isl_set *y_greater
    = isl_set_subtract (isl_set_copy (x_fits), isl_set_copy (y_fits));
  bool is_less = op == TNS_LT || op == TNS_LE;
  isl_set *apart = isl_set_copy (is_less ? y_greater : x_greater);
  isl_set *alike = isl_set_subtract (compare (op, x, y),
                                     isl_set_union (x_greater, y_greater));
  isl_set_free (x_fits);
  isl_set_free (y_fits);
  return isl_set_union (alike, apart);
}

/* SET, of which only the part in the domain matters, as little as it takes to
   say that.  */
static __isl_give isl_set *
shortened (tns_builder *b, __isl_take isl_set *set)
{
  isl_set *facts = isl_set_intersect (isl_set_copy (b->scop->context),
                                      isl_set_copy (b->ranges));
  facts = isl_set_intersect_params (isl_set_copy (b->domain), facts);
  set = isl_set_intersect (set, isl_set_copy (facts));
  return isl_set_gist (isl_set_coalesce (set), facts);
}

/* A comparison of integers.  */
static __isl_give isl_set *
comparison (tns_builder *b, tns_expr *cond, bool negate)
{
  tns_op op = negate ? opposite_of (cond->op) : cond->op;
  tns_elem elem = cond->arg[0]->type.elem;
  isl_pw_aff *x, *y;
  if (tns_elem_is_float (elem) || tns_build_is_far (b, cond))
    return NULL;
  tns_build_near (b, cond);
  bool may_wrap = elem == TNS_U64
                  && !(tns_build_is_proved (b, cond->arg[0])
                       && tns_build_is_proved (b, cond->arg[1]));
  if (may_wrap && read_operands (b, cond, tns_build_signed, &x, &y))
    return shortened (b, compare_unsigned (op, x, y));
  if (!read_operands (b, cond, tns_build_wrapped, &x, &y))
    return NULL;
  return compare (op, x, y);
}

/* && and ||, turned into each other by NEGATE.  The second operand matters
   only where the first does not decide.  */
static __isl_give isl_set *
connective (tns_builder *b, tns_expr *cond, bool negate)
{
  isl_set *x = tns_build_holds (b, cond->arg[0], negate);
  if (!x)
    return NULL;
  bool both = (cond->op == TNS_LAND) != negate;
  isl_set *outer = b->domain;
  b->domain = both ? isl_set_intersect (isl_set_copy (outer), isl_set_copy (x))
                   : isl_set_subtract (isl_set_copy (outer), isl_set_copy (x));
  isl_set *y = tns_build_holds (b, cond->arg[1], negate);
  isl_set_free (b->domain);
  b->domain = outer;
  if (!y)
    return isl_set_free (x);
  return both ? isl_set_intersect (x, y) : isl_set_union (x, y);
}

/* VALUE != 0 (== 0 with NEGATE); a TRUTH is 0 or 1.  */
static __isl_give isl_set *
is_true (__isl_take isl_pw_aff *value, bool negate, bool truth)
{
  if (!value)
    return NULL;
  isl_space *space = isl_pw_aff_get_domain_space (value);
  isl_aff *aff = isl_aff_zero_on_domain (isl_local_space_from_space (space));
  isl_pw_aff *zero = isl_pw_aff_from_aff (aff);
  if (truth)
    return negate ? isl_pw_aff_le_set (value, zero)
                  : isl_pw_aff_gt_set (value, zero);
  return negate ? isl_pw_aff_eq_set (value, zero)
                : isl_pw_aff_ne_set (value, zero);
}

/* COND by its operator, or NULL.  */
static __isl_give isl_set *
by_operator (tns_builder *b, tns_expr *cond, bool negate)
{
  switch (cond->op)
    {
    case TNS_LT:
    case TNS_LE:
    case TNS_GT:
    case TNS_GE:
    case TNS_EQ:
    case TNS_NE:
      return comparison (b, cond, negate);
    case TNS_LAND:
    case TNS_LOR:
      return connective (b, cond, negate);
    case TNS_LNOT:
      return tns_build_holds (b, cond->arg[0], !negate);
    case TNS_INT:
    case TNS_SYM:
      return is_true (tns_build_modular (b, cond), negate, true);
    case TNS_CAST:
      if (tns_elem_is_float (cond->arg[0]->type.elem))
        return NULL;
      return is_true (tns_build_exact (b, cond->arg[0]), negate, false);
    default:
      return NULL;
    }
}

__isl_give isl_set *
tns_build_holds (tns_builder *b, tns_expr *cond, bool negate)
{
  if (b->failed || cond->type.lanes != 1)
    return NULL;
  isl_set *set = by_operator (b, cond, negate);
  if (!set && !b->failed && tns_build_invariant (cond))
    set = is_true (tns_build_parameter (b, cond), negate, true);
  return set;
}

/* SET in the domain; NULL for NULL.  */
static __isl_give isl_set *
in_domain (tns_builder *b, __isl_take isl_set *set)
{
  set = isl_set_intersect (set, set ? isl_set_copy (b->domain) : NULL);
  return isl_set_coalesce (set);
}

__isl_give isl_set *
tns_build_cond (tns_builder *b, tns_expr *cond, bool negate)
{
  return in_domain (b,
                    tns_build_holds (b, tns_build_resolve (b, cond), negate));
}

/* A set that holds all of where COND does (not, with NEGATE), or NULL.  */
static __isl_give isl_set *
within (tns_builder *b, tns_expr *cond, bool negate)
{
  if (cond->op == TNS_LNOT)
    return within (b, cond->arg[0], !negate);
  if (cond->op != (negate ? TNS_LOR : TNS_LAND) || cond->type.lanes != 1)
    return tns_build_holds (b, cond, negate);
  isl_set *x = within (b, cond->arg[0], negate);
  isl_set *outer = b->domain;
  b->domain = isl_set_copy (outer);
  if (x)
    b->domain = isl_set_intersect (b->domain, isl_set_copy (x));
  isl_set *y = within (b, cond->arg[1], negate);
  isl_set_free (b->domain);
  b->domain = outer;
  return x && y ? isl_set_intersect (x, y) : x ? x : y;
}

__isl_give isl_set *
tns_build_within (tns_builder *b, tns_expr *cond, bool negate)
{
  return in_domain (b, within (b, tns_build_resolve (b, cond), negate));
}
