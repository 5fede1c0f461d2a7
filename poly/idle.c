/* Values of sizes with which a region does nothing: of each statement the least
   that its domain has.  */

#include "poly/idle.h"

#include <isl/ilp.h>
#include <limits.h>

/* Operations that are spent on a parameter.  */
static const unsigned long OPERATIONS = 200000;

/* The least value of parameter K with which an instance of STMT, of SCOP's,
   runs: NaN when none does.  */
static __isl_give isl_val *
least_of (const tns_scop *scop, const tns_stmt *stmt, int k)
{
  isl_set *runs = isl_set_params (isl_set_copy (stmt->domain));
  runs = isl_set_intersect (runs, isl_set_copy (scop->context));
  int at = isl_set_find_dim_by_id (runs, isl_dim_param, scop->param_id[k]);
  isl_val *least = isl_val_neginfty (scop->isl);
  if (at >= 0)
    {
      isl_local_space *space
        = isl_local_space_from_space (isl_set_get_space (runs));
      isl_aff *value = isl_aff_var_on_domain (space, isl_dim_param, at);
      isl_val_free (least);
      least = isl_set_min_val (runs, value);
      isl_aff_free (value);
    }
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
tns_scop_least (const tns_scop *scop, int k)
{
  unsigned long before = tns_isl_ask (scop->isl, OPERATIONS);
  long long least = LLONG_MAX;
  for (int s = 0; s < scop->n_stmts && least > LLONG_MIN; s++)
    {
      isl_val *here = least_of (scop, &scop->stmt[s], k);
      bool runs = isl_val_is_nan (here) != isl_bool_true;
      long long one = number (here);
      if (runs && one < least)
        least = one;
    }
  bool known = tns_isl_asked (scop->isl, before) && least < LLONG_MAX;
  return known ? least : LLONG_MIN;
}
