/* Values of sizes with which a region does nothing: of each statement the least
   that its domain has.  */

#include "poly/idle.h"

#include <isl/ilp.h>
#include <limits.h>

/* Operations that are spent on a parameter.  */
static const unsigned long OPERATIONS = 200000;

/* RUNS's parameter called ID, as a function; NULL when it has none.  */
static __isl_give isl_aff *
param_of (__isl_keep isl_set *runs, __isl_keep isl_id *id)
{
  int at = isl_set_find_dim_by_id (runs, isl_dim_param, id);
  if (at < 0)
    return NULL;
  isl_local_space *space
    = isl_local_space_from_space (isl_set_get_space (runs));
  return isl_aff_var_on_domain (space, isl_dim_param, at);
}

/* The least value of parameter K, less parameter L unless that is TNS_NO_PARAM,
   in RUNS, taken: NaN when RUNS is empty.  */
static __isl_give isl_val *
least_in (const tns_scop *scop, __isl_take isl_set *runs, int k, int l)
{
  isl_val *least = isl_val_neginfty (scop->isl);
  isl_aff *value = param_of (runs, scop->param_id[k]);
  isl_aff *less = l == TNS_NO_PARAM ? NULL : param_of (runs, scop->param_id[l]);
  bool asks = value && (less || l == TNS_NO_PARAM);
  if (less)
    value = value ? isl_aff_sub (value, less) : isl_aff_free (less);
  if (asks)
    {
      isl_val_free (least);
      least = isl_set_min_val (runs, value);
    }
  isl_aff_free (value);
  isl_set_free (runs);
  return least;
}

/* LEAST, taken, as a number; LLONG_MIN when it is none.  */
static long long
number (__isl_take isl_val *least)
{
  long long value = LLONG_MIN;
  if (isl_val_is_int (least) == isl_bool_true
      && isl_val_cmp_si (least, LONG_MIN) > 0
      && isl_val_cmp_si (least, LONG_MAX) < 0)
    value = isl_val_get_num_si (least);
  isl_val_free (least);
  return value;
}

long long
tns_scop_least (const tns_scop *scop, int k, int l)
{
  unsigned long before = tns_isl_ask (scop->isl, OPERATIONS);
  long long least = LLONG_MAX;
  for (int s = 0; s < scop->n_stmts && least > LLONG_MIN; s++)
    {
      isl_set *runs = isl_set_params (isl_set_copy (scop->stmt[s].domain));
      isl_val *here = least_in (scop, runs, k, l);
      bool some = isl_val_is_nan (here) != isl_bool_true;
      long long one = number (here);
      if (some && one < least)
        least = one;
    }
  bool known = tns_isl_asked (scop->isl, before) && least < LLONG_MAX;
  return known ? least : LLONG_MIN;
}

long long
tns_scop_known_least (const tns_scop *scop, int k)
{
  unsigned long before = tns_isl_ask (scop->isl, OPERATIONS);
  isl_set *known = isl_set_copy (scop->context);
  long long least = number (least_in (scop, known, k, TNS_NO_PARAM));
  return tns_isl_asked (scop->isl, before) ? least : LLONG_MIN;
}
