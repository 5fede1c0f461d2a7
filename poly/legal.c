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
   is a function on all of its domain.

   Most pairs say what is asked by the constraints they are written with
   (poly/facts.h); isl is asked for the rest.  */

#include "poly/legal.h"

/* What is proved: the order of each statement as functions, the claims.

   order   of each statement; simple[s]: on its domain alone, made when isl is
           asked; NULL for a statement that is never executed
   moment  its dimensions, where they are known
   about   by claim and statement: the claim is about instances of it  */
typedef struct proof
{
  tns_arena *arena;
  const tns_deps *deps;
  const tns_scop *scop;
  int n_dims;
  isl_pw_multi_aff **order;
  isl_pw_multi_aff **simple;
  tns_moment **moment;
  int n_claims;
  const tns_claim *claims;
  bool **about;
  tns_facts *facts;
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

/* Take ORDER (taken) as that of statement S.  False when it has another number
   of dimensions than others.  */
static bool
take_order (proof *p, int s, __isl_take isl_pw_multi_aff *order)
{
  p->order[s] = order;
  isl_size n = isl_pw_multi_aff_dim (order, isl_dim_out);
  if (n < 0 || (p->n_dims >= 0 && n != p->n_dims))
    return false;
  p->n_dims = n;
  p->moment[s] = TNS_NEW_ARRAY (p->arena, tns_moment, n + 1);
  for (int d = 0; d < n; d++)
    {
      isl_pw_aff *value = isl_pw_multi_aff_get_at (order, d);
      if (isl_pw_aff_isa_aff (value) == isl_bool_true)
        {
          isl_aff *aff = isl_pw_aff_as_aff (value);
          p->moment[s][d] = tns_moment_of_aff (p->arena, aff);
          isl_aff_free (aff);
        }
      else
        isl_pw_aff_free (value);
    }
  return true;
}

/* Take the orders of all statements, which must have one number of
   dimensions.  False when one does not cover its statement.  */
static bool
take_orders (proof *p, __isl_keep isl_union_map *order)
{
  for (int s = 0; s < p->scop->n_stmts; s++)
    {
      const tns_stmt *stmt = &p->scop->stmt[s];
      if (never_executed (p, stmt))
        continue;
      isl_pw_multi_aff *function = order_of (p, stmt, order);
      if (!function || !take_order (p, s, function))
        return false;
    }
  return true;
}

/* Note which statements the claims are about.  */
static void
note_claims (proof *p)
{
  p->about = TNS_NEW_ARRAY (p->arena, bool *, p->n_claims + 1);
  for (int k = 0; k < p->n_claims; k++)
    {
      p->about[k] = TNS_NEW_ARRAY (p->arena, bool, p->scop->n_stmts + 1);
      for (int s = 0; s < p->scop->n_stmts; s++)
        {
          p->about[k][s] = true;
          if (!p->claims[k].where)
            continue;
          isl_set *some = isl_union_set_extract_set (
            p->claims[k].where, isl_set_get_space (p->scop->stmt[s].domain));
          p->about[k][s] = isl_set_plain_is_empty (some) != isl_bool_true;
          isl_set_free (some);
        }
    }
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

/* Make the order of statement S on its domain alone.  */
static void
make_simple (proof *p, int s)
{
  if (p->simple[s])
    return;
  isl_set *domain = isl_set_intersect_params (
    isl_set_copy (p->scop->stmt[s].domain), isl_set_copy (p->scop->context));
  p->simple[s]
    = isl_pw_multi_aff_gist (isl_pw_multi_aff_copy (p->order[s]), domain);
}

/* PAIRS whose ends compare by COMPARE in dimension DIM of the order.  */
static __isl_give isl_map *
compared (proof *p, const tns_dep *dep, int dim, __isl_keep isl_map *pairs,
          __isl_give isl_map *(*compare) (__isl_take isl_pw_aff *,
                                          __isl_take isl_pw_aff *) )
{
  isl_pw_aff *f = isl_pw_multi_aff_get_at (p->simple[dep->source], dim);
  isl_pw_aff *g = isl_pw_multi_aff_get_at (p->simple[dep->target], dim);
  return isl_map_intersect (isl_map_copy (pairs), compare (f, g));
}

/* Dimension DIM of the order of STMT is a number, *VALUE.  */
static bool
is_constant (proof *p, int stmt, int dim, long *value)
{
  isl_pw_aff *f = isl_pw_multi_aff_get_at (p->simple[stmt], dim);
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

/* Some claim on dimension DIM forbids that DEP is carried by it.  */
static bool
is_forbidden (const proof *p, const tns_dep *dep, int dim)
{
  for (int k = 0; k < p->n_claims; k++)
    if (p->claims[k].dim == dim && p->about[k][dep->source]
        && p->about[k][dep->target] && !claim_covers (p, &p->claims[k], dep))
      return true;
  return false;
}

/* The order and the claims keep the pairs of DEP that P's facts tell of, as far
   as these say so.  */
static bool
holds_by_facts (proof *p, const tns_dep *dep)
{
  tns_facts *facts = p->facts;
  for (int d = 0; d < p->n_dims; d++)
    {
      const tns_moment *f = &p->moment[dep->source][d];
      const tns_moment *g = &p->moment[dep->target][d];
      tns_reach reach = tns_facts_reach (facts, f, g);
      if (facts->none)
        return true;
      bool later = reach.lo_known && reach.lo >= 0;
      bool equal = later && reach.hi_known && reach.lo == 0 && reach.hi == 0;
      if ((!later && !dep->freed) || (!equal && is_forbidden (p, dep, d)))
        return false;
      if (later && reach.lo > 0)
        return true;
      tns_facts_equate (facts, f, g);
    }
  return dep->freed || facts->none;
}

/* The order keeps DEP and so do the claims, as far as is plain.  */
static bool
plainly_holds (proof *p, const tns_dep *dep)
{
  bool holds = dep->map != NULL;
  for (int k = 0; k < dep->n_parts && holds; k++)
    holds = tns_facts_take (p->facts, &dep->part[k]) && holds_by_facts (p, dep);
  return holds;
}

/* The order keeps DEP and so do the claims.  */
static bool
dep_holds (proof *p, const tns_dep *dep)
{
  if (plainly_holds (p, dep))
    return true;
  make_simple (p, dep->source);
  make_simple (p, dep->target);
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

/* Dependence K was looked at already: one that is kept, of the same pairs.  */
static bool
is_done (const proof *p, int k)
{
  const tns_dep *dep = &p->deps->dep[k];
  return dep->same != k && !dep->freed;
}

/* The first dependence that does not hold, NULL with *HOLDS when all do.  */
static const tns_dep *
find_broken (proof *p)
{
  for (int k = 0; k < p->deps->n && !p->failed; k++)
    {
      const tns_dep *dep = &p->deps->dep[k];
      bool never = !p->order[dep->source] || !p->order[dep->target];
      if (!never && !is_done (p, k) && !dep_holds (p, dep))
        return dep;
    }
  return NULL;
}

/* An empty proof.  */
static proof
begin (tns_ctx *ctx, const tns_deps *deps, int n_claims,
       const tns_claim *claims)
{
  int n = deps->scop->n_stmts + 1;
  tns_isl_begin (ctx, deps->scop->isl);
  proof p = { .arena = ctx->arena,
              .deps = deps,
              .scop = deps->scop,
              .n_dims = -1,
              .n_claims = n_claims,
              .claims = claims };
  p.order = TNS_NEW_ARRAY (ctx->arena, isl_pw_multi_aff *, n);
  p.simple = TNS_NEW_ARRAY (ctx->arena, isl_pw_multi_aff *, n);
  p.moment = TNS_NEW_ARRAY (ctx->arena, tns_moment *, n);
  p.facts = TNS_NEW (ctx->arena, tns_facts);
  note_claims (&p);
  return p;
}

/* The verdict of P, whose orders were TAKEN.  */
static bool
prove (tns_ctx *ctx, proof *p, bool taken, const tns_dep **broken)
{
  const tns_scop *scop = p->scop;
  *broken = taken ? find_broken (p) : NULL;
  for (int s = 0; s < scop->n_stmts; s++)
    {
      isl_pw_multi_aff_free (p->order[s]);
      isl_pw_multi_aff_free (p->simple[s]);
    }
  if (!p->failed && isl_ctx_last_error (scop->isl) == isl_error_none)
    return taken && !*broken;
  *broken = NULL;
  tns_isl_refuse (ctx, scop->isl, scop->region->loc, "legal");
  return false;
}

bool
tns_legal_times (tns_ctx *ctx, const tns_deps *deps, isl_multi_aff **time,
                 int n_claims, const tns_claim *claims, const tns_dep **broken)
{
  proof p = begin (ctx, deps, n_claims, claims);
  bool taken = true;
  for (int s = 0; s < p.scop->n_stmts && taken; s++)
    taken = take_order (
      &p, s, isl_pw_multi_aff_from_multi_aff (isl_multi_aff_copy (time[s])));
  return prove (ctx, &p, taken, broken);
}

bool
tns_legal (tns_ctx *ctx, const tns_deps *deps, __isl_keep isl_union_map *order,
           int n_claims, const tns_claim *claims, const tns_dep **broken)
{
  proof p = begin (ctx, deps, n_claims, claims);
  return prove (ctx, &p, take_orders (&p, order), broken);
}
