/* The planner: which steps, in which order.

   1. the user's own order, checked: it must be legal; then the steps that
      his clauses ask for           (schedule/asked.c)
   2. fusion of siblings             (schedule/fuse.c)
   3. contractions' tiles            (schedule/kernel.c)
   4. loop orders of perfect nests   (schedule/order.c); 3 and 4 not where
      his clauses tile, interchange or name a loop for vectors
   5. threads and lanes              (schedule/marks.c)
   6. temporaries shrink             (schedule/contract.c)

   Decisions come from dependences, accesses and the machine; never from an
   operator's name, a clock or a symbol's address.  */

#include "schedule/plan.h"

#include <string.h>

#include "poly/legal.h"
#include "schedule/check.h"
#include "schedule/contract.h"
#include "schedule/planner.h"
#include "schedule/replay.h"

/* All steps: the user's plan text, or his clauses and our own.  */
static bool
take_steps (tns_planner *p)
{
  bool found = false;
  if (p->ctx->plan_text && !tns_plan_replay (p, &found))
    return false;
  if (found)
    return true;
  if (!tns_plan_asked (p))
    return false;
  const tns_wish *wish = &p->ctx->wish;
  bool is_ordered
    = wish->interchange.n > 0 || wish->tile.n > 0 || wish->simd.n > 0;
  tns_plan_fuse (p);
  if (!is_ordered)
    {
      tns_plan_kernels (p);
      tns_plan_transposes (p);
      tns_plan_orders (p);
    }
  tns_plan_marks (p);
  return tns_plan_asked_marks (p);
}

tns_plan *
tns_plan_build (tns_ctx *ctx, const tns_scop *scop, const tns_deps *deps)
{
  if (!scop || !deps)
    return NULL;
  tns_isl_begin (ctx, scop->isl);
  const tns_machine *machine
    = ctx->machine ? ctx->machine : tns_machine_find ("sse2");
  tns_planner p = { ctx,
                    scop,
                    deps,
                    machine,
                    tns_tree_of_scop (ctx, scop),
                    tns_text_new (ctx->arena) };
  if (!p.tree)
    return NULL;
  if (!tns_tree_check (ctx, deps, p.tree, NULL))
    return tns_isl_refuse (ctx, scop->isl, scop->region->loc, "plan");
  if (!take_steps (&p))
    return NULL;
  tns_plan *plan = TNS_NEW (ctx->arena, tns_plan);
  plan->scop = scop;
  plan->deps = deps;
  plan->tree = p.tree;
  plan->steps = p.steps;
  plan->kept = p.steps.length == 0;
  plan->region = tns_region_copy (ctx->arena, scop->region);
  plan = tns_plan_contract (ctx, plan);
  return plan && tns_plan_required (&p, plan) ? plan : NULL;
}

/* The claims that DIM at depth DEPTH makes, if any.  Copies of an innermost
   loop's body follow each other, and claim nothing.  */
static int
add_claim (const tns_scop *scop, const tns_tree *dim, int depth,
           tns_claim *claim)
{
  bool jams = dim->marks.unroll && tns_tree_depth (dim->body) > 0;
  if (!dim->marks.parallel && !dim->marks.simd && !jams)
    return 0;
  isl_union_set *where
    = isl_union_set_empty (isl_set_get_space (scop->context));
  for (int s = 0; s < scop->n_stmts; s++)
    if (tns_tree_has (dim, s))
      where
        = isl_union_set_add_set (where, isl_set_copy (scop->stmt[s].domain));
  *claim = (tns_claim){ 2 * depth + 1, where, dim->marks.n_reductions,
                        dim->marks.reductions };
  return 1;
}

/* Gather the claims of the DIMs below TREE, which has DEPTH DIMs above.  */
static void
collect_claims (const tns_scop *scop, const tns_tree *tree, int depth, int *n,
                tns_claim *claims)
{
  if (tree->kind == TNS_TREE_DIM)
    {
      *n += add_claim (scop, tree, depth, &claims[*n]);
      collect_claims (scop, tree->body, depth + 1, n, claims);
    }
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    collect_claims (scop, tree->kid[k], depth, n, claims);
}

/* The number of nodes of TREE.  */
static int
count_nodes (const tns_tree *tree)
{
  int n = 1;
  if (tree->kind == TNS_TREE_DIM)
    return n + count_nodes (tree->body);
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    n += count_nodes (tree->kid[k]);
  return n;
}

tns_plan *
tns_plan_check (tns_ctx *ctx, tns_plan *plan)
{
  if (!plan)
    return NULL;
  tns_claim *claims
    = TNS_NEW_ARRAY (ctx->arena, tns_claim, count_nodes (plan->tree));
  const tns_dep *broken = NULL;
  int n = 0;
  tns_isl_begin (ctx, plan->scop->isl);
  collect_claims (plan->scop, plan->tree, 0, &n, claims);
  isl_union_map *order = tns_tree_order (plan->scop, plan->tree);
  bool right = tns_legal (ctx, plan->deps, order, n, claims, &broken);
  isl_union_map_free (order);
  for (int k = 0; k < n; k++)
    isl_union_set_free (claims[k].where);
  if (right)
    return plan;
  return tns_isl_refuse (ctx, plan->scop->isl, plan->region->loc, "legal");
}
