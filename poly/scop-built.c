/* Expressions that have been made affine already.

     x[i * m + j] += y[i * m + j]        i * m + j : once
     if (p < k) ... if (p < k) ...       p : once for each domain

   The last few over one and the same domain are kept.  isl's sets do not
   change, so that a domain is known by its pointer: while it is kept, no other
   set has that.  What the model has learnt since can make a value simpler, not
   another one.  */

#include "poly/scop-build.h"

__isl_give isl_pw_aff *
tns_built_find (const tns_builder *b, const tns_expr *expr)
{
  for (int k = 0; k < b->n_built && k < TNS_MOST_BUILT; k++)
    {
      const tns_built *built = &b->built[k];
      if (built->domain == b->domain && tns_expr_equal (built->expr, expr))
        return isl_pw_aff_copy (built->value);
    }
  return NULL;
}

void
tns_built_keep (tns_builder *b, const tns_expr *expr,
                __isl_keep isl_pw_aff *value)
{
  tns_built *built = &b->built[b->n_built++ % TNS_MOST_BUILT];
  isl_set_free (built->domain);
  isl_pw_aff_free (built->value);
  *built
    = (tns_built){ expr, isl_set_copy (b->domain), isl_pw_aff_copy (value) };
}

void
tns_built_free (tns_builder *b)
{
  for (int k = 0; k < b->n_built && k < TNS_MOST_BUILT; k++)
    {
      isl_set_free (b->built[k].domain);
      isl_pw_aff_free (b->built[k].value);
    }
}
