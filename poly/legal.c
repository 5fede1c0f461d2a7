/* The final proof.

   A dependence { S[i] -> T[j] } is kept by the order when

     f (S[i]) <lex g (T[j])       f, g the order of S and T

   for all its pairs.  Dimension by dimension, with the pairs that are equal
   in all dimensions before this one:

     1. none may have f_d > g_d;
     2. where dimension d is claimed to be free, none may differ in it;
     3. those with f_d = g_d go on.

   None may be left at the end.  Freed pairs are asked 2 only, for claims
   that do not name their reduction.  Coverage: the order of each statement
   is a function on all of its domain.  */

#include "poly/legal.h"

/* What is proved: the order of each statement as functions, the claims.  */
typedef struct proof
{
  const tns_deps *deps;
  const tns_scop *scop;
  int n_dims;
  isl_pw_multi_aff **order;
  int n_claims;
  const tns_claim *claims;
  bool failed;
} proof;

/* SET is empty; an error counts as not.  */
static bool
is_empty (proof *p, __isl_take isl_map *map)
{
  isl_bool empty = isl_map_is_empty (map);
  isl_map_free (map);
  p->failed |= empty < 0;
  return empty == isl_bool_true;
}

/* The order of STMT in ORDER, NULL when it is not a function on all of the
   domain.  */
static __isl_give isl_pw_multi_aff *
order_of (proof *p, const tns_stmt *stmt, __isl_keep isl_union_map *order)
{
  isl_union_set *domain = isl_union_set_from_set (isl_set_copy (stmt->domain));
  isl_union_map *part
    = isl_union_map_intersect_domain (isl_union_map_copy (order), domain);
  part = isl_union_map_intersect_params (part, isl_set_copy (p->scop->context));
  isl_size n = isl_union_map_n_map (part);
  if (n != 1)
    {
      p->failed |= n < 0;
      isl_union_map_free (part);
      return NULL;
    }
  isl_map *map = isl_map_from_union_map (part);
  isl_set *needed = isl_set_intersect_params (isl_set_copy (stmt->domain),
                                              isl_set_copy (p->scop->context));
  isl_set *covered = isl_map_domain (isl_map_copy (map));
  isl_bool covers = isl_set_is_subset (needed, covered);
  isl_bool single = isl_map_is_single_valued (map);
  isl_set_free (needed);
  isl_set_free (covered);
  p->failed |= covers < 0 || single < 0;
  if (covers == isl_bool_true && single == isl_bool_true)
    return isl_pw_multi_aff_from_map (map);
  isl_map_free (map);
  return NULL;
}

/* Whether STMT has no instance at all.  */
static bool
never_executed (proof *p, const tns_stmt *stmt)
{
  isl_set *domain = isl_set_intersect_params (isl_set_copy (stmt->domain),
                                              isl_set_copy (p->scop->context));
  isl_bool empty = isl_set_is_empty (domain);
  isl_set_free (domain);
  p->failed |= empty < 0;
  return empty == isl_bool_true;
}

/* Take the orders of all statements, which must have one number of
   dimensions.  False when one does not cover its statement.  */
static bool
take_orders (proof *p, __isl_keep isl_union_map *order)
{
  p->n_dims = -1;
  for (int s = 0; s < p->scop->n_stmts; s++)
    {
      const tns_stmt *stmt = &p->scop->stmt[s];
      if (never_executed (p, stmt))
        continue;
      p->order[s] = order_of (p, stmt, order);
      if (!p->order[s])
        return false;
      p->order[s] = isl_pw_multi_aff_gist (
        p->order[s],
        isl_set_intersect_params (isl_set_copy (stmt->domain),
                                  isl_set_copy (p->scop->context)));
      int n = isl_pw_multi_aff_dim (p->order[s], isl_dim_out);
      if (n < 0 || (p->n_dims >= 0 && n != p->n_dims))
        return false;
      p->n_dims = n;
    }
  return true;
}

/* CLAIM lets the freed pairs of DEP be carried.  */
static bool
claim_covers (const proof *p, const tns_claim *claim, const tns_dep *dep)
{
  if (!dep->freed)
    return false;
  const tns_sym *sym = p->scop->array[dep->array].sym;
  for (int k = 0; k < claim->n_reductions; k++)
    if (claim->reductions[k].sym == sym && claim->reductions[k].op == dep->op)
      return true;
  return false;
}

/* The part of PAIRS with both ends in WHERE (NULL: everywhere).  */
static __isl_give isl_map *
restricted (__isl_keep isl_map *pairs, __isl_keep isl_union_set *where)
{
  if (!where)
    return isl_map_copy (pairs);
  isl_space *source = isl_space_domain (isl_map_get_space (pairs));
  isl_space *target = isl_space_range (isl_map_get_space (pairs));
  isl_map *part = isl_map_intersect_domain (
    isl_map_copy (pairs), isl_union_set_extract_set (where, source));
  return isl_map_intersect_range (part,
                                  isl_union_set_extract_set (where, target));
}

/* No claim on dimension DIM is broken by DEP, whose pairs CARRIED (taken)
   are equal in the dimensions before and differ in DIM.  */
static bool
claims_hold (proof *p, const tns_dep *dep, int dim, __isl_take isl_map *carried)
{
  bool hold = true;
  for (int k = 0; k < p->n_claims && hold; k++)
    {
      const tns_claim *claim = &p->claims[k];
      if (claim->dim == dim && !claim_covers (p, claim, dep))
        hold = is_empty (p, restricted (carried, claim->where));
    }
  isl_map_free (carried);
  return hold;
}

/* PAIRS whose ends compare by COMPARE in dimension DIM of the order.  */
static __isl_give isl_map *
compared (proof *p, const tns_dep *dep, int dim, __isl_keep isl_map *pairs,
          __isl_give isl_map *(*compare) (__isl_take isl_pw_aff *,
                                          __isl_take isl_pw_aff *) )
{
  isl_pw_aff *f = isl_pw_multi_aff_get_at (p->order[dep->source], dim);
  isl_pw_aff *g = isl_pw_multi_aff_get_at (p->order[dep->target], dim);
  return isl_map_intersect (isl_map_copy (pairs), compare (f, g));
}

/* Dimension DIM of the order of STMT is a number, *VALUE.  */
static bool
is_constant (proof *p, int stmt, int dim, long *value)
{
  isl_pw_aff *f = isl_pw_multi_aff_get_at (p->order[stmt], dim);
  bool constant = isl_pw_aff_isa_aff (f) == isl_bool_true
                  && isl_pw_aff_is_cst (f) == isl_bool_true;
  if (!constant)
    {
      isl_pw_aff_free (f);
      return false;
    }
  isl_aff *aff = isl_pw_aff_as_aff (f);
  isl_val *val = isl_aff_get_constant_val (aff);
  *value = isl_val_get_num_si (val);
  isl_val_free (val);
  isl_aff_free (aff);
  return true;
}

/* There is a claim on dimension DIM.  */
static bool
is_claimed (const proof *p, int dim)
{
  for (int k = 0; k < p->n_claims; k++)
    if (p->claims[k].dim == dim)
      return true;
  return false;
}

/* Dimension DIM keeps DEP, of which PAIRS are equal in those before.  */
static bool
dim_holds (proof *p, const tns_dep *dep, int dim, __isl_keep isl_map *pairs)
{
  isl_map *later = compared (p, dep, dim, pairs, isl_pw_aff_gt_map);
  if (!dep->freed && !is_empty (p, isl_map_copy (later)))
    {
      isl_map_free (later);
      return false;
    }
  if (!is_claimed (p, dim))
    {
      isl_map_free (later);
      return true;
    }
  isl_map *sooner = compared (p, dep, dim, pairs, isl_pw_aff_lt_map);
  return claims_hold (p, dep, dim, isl_map_union (sooner, later));
}

/* The order keeps DEP and so do the claims.  */
static bool
dep_holds (proof *p, const tns_dep *dep)
{
  isl_map *pairs = isl_map_copy (dep->map);
  pairs = isl_map_intersect_params (pairs, isl_set_copy (p->scop->context));
  bool holds = true;
  bool done = is_empty (p, isl_map_copy (pairs));
  for (int d = 0; d < p->n_dims && holds && !done; d++)
    {
      long f = 0;
      long g = 0;
      if (!is_claimed (p, d) && is_constant (p, dep->source, d, &f)
          && is_constant (p, dep->target, d, &g) && f <= g)
        {
          done = f < g;
          continue;
        }
      holds = dim_holds (p, dep, d, pairs);
      isl_map *equal = compared (p, dep, d, pairs, isl_pw_aff_eq_map);
      isl_map_free (pairs);
      pairs = equal;
      done = is_empty (p, isl_map_copy (pairs));
    }
  isl_map_free (pairs);
  return holds && (done || dep->freed) && !p->failed;
}

/* The first dependence that does not hold, NULL with *HOLDS when all do.  */
static const tns_dep *
find_broken (proof *p)
{
  for (int k = 0; k < p->deps->n && !p->failed; k++)
    {
      const tns_dep *dep = &p->deps->dep[k];
      bool never = !p->order[dep->source] || !p->order[dep->target];
      if (!never && !dep_holds (p, dep))
        return dep;
    }
  return NULL;
}

bool
tns_legal (tns_ctx *ctx, const tns_deps *deps, __isl_keep isl_union_map *order,
           int n_claims, const tns_claim *claims, const tns_dep **broken)
{
  const tns_scop *scop = deps->scop;
  tns_isl_begin (ctx, scop->isl);
  *broken = NULL;
  proof p
    = { .deps = deps, .scop = scop, .n_claims = n_claims, .claims = claims };
  p.order = TNS_NEW_ARRAY (ctx->arena, isl_pw_multi_aff *, scop->n_stmts + 1);
  bool legal = take_orders (&p, order);
  if (legal)
    *broken = find_broken (&p);
  for (int s = 0; s < scop->n_stmts; s++)
    isl_pw_multi_aff_free (p.order[s]);
  if (!p.failed && isl_ctx_last_error (scop->isl) == isl_error_none)
    return legal && !*broken;
  *broken = NULL;
  tns_isl_refuse (ctx, scop->isl, scop->region->loc, "legal");
  return false;
}
