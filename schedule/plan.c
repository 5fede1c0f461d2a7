/* The planner: which steps, in which order.

   1. the user's own order, checked: it must be legal; then the steps that
      his clauses ask for           (schedule/asked.c)
   2. loops that count down          (schedule/reverse.c), and fusion of
      siblings                       (schedule/fuse.c)
   3. owners of scattered sums       (schedule/scatter.c), contractions'
      blocks and tiles               (schedule/block.c, schedule/kernel.c)
   4. loop orders of perfect nests   (schedule/order.c); 3 to 5 not where
      his clauses tile, interchange or name a loop for vectors
   5. lanes of outer loops           (schedule/lanes.c)
   6. threads and lanes              (schedule/marks.c), and nests side by
      side                           (schedule/tasks.c)
   7. the tree is weighed            (schedule/weigh.c); where products share
      loops that suit one alone, the steps from 3 on are taken again with
      nests of their own (schedule/distribute.c); where these, or the steps
      but for 2, are predicted to gain more than MARGIN over it, these; where
      it is predicted to lose against the loops as written by more, 6 alone
   8. temporaries shrink             (schedule/contract.c)

   Decisions come from dependences, accesses and the machine; never from an
   operator's name, a clock or a symbol's address.  */

#include "schedule/plan.h"

#include <string.h>

#include "base/section.h"
#include "poly/legal.h"
#include "schedule/check.h"
#include "schedule/contract.h"
#include "schedule/planner.h"
#include "schedule/replay.h"
#include "schedule/step.h"
#include "schedule/weigh.h"

#define MARGIN 1.1

/* Claims that one DIM can make: those of the DIMs that it collapses.  */
#define MOST_CLAIMS TNS_MAX_DEPTH

/* The steps that come after fusion.  */
static bool
take_late_steps (tns_planner *p)
{
  const tns_wish *wish = &p->ctx->wish;
  if (p->machine->device)
    {
      tns_plan_orders (p);
      tns_plan_device (p);
      return true;
    }
  bool is_ordered
    = wish->interchange.n > 0 || wish->tile.n > 0 || wish->simd.n > 0;
  if (!is_ordered)
    {
      tns_plan_scatters (p);
      tns_plan_splits (p);
      tns_plan_strips_apart (p);
      tns_plan_slabs (p);
      tns_plan_blocks (p);
      tns_plan_kernels (p);
      tns_plan_transposes (p);
      tns_plan_orders (p);
      tns_plan_lanes (p);
      tns_plan_slab_rows (p);
    }
  tns_plan_marks (p);
  return tns_plan_asked_marks (p);
}

/* All steps: the user's plan text, or his clauses and our own.  FUSED is P
   after fusion.  */
static bool
take_steps (tns_planner *p, tns_planner *fused)
{
  bool found = false;
  if (p->ctx->plan_text && !tns_plan_replay (p, &found))
    return false;
  if (found)
    return true;
  if (!tns_plan_asked (p))
    return false;
  tns_plan_reverses (p);
  if (p->machine->device)
    tns_plan_device_fuse (p);
  else
    tns_plan_fuse (p);
  *fused = *p;
  fused->steps = tns_text_new (p->ctx->arena);
  tns_text_add (&fused->steps, tns_text_chars (&p->steps));
  return take_late_steps (p);
}

bool
tns_plan_is_asked (const tns_ctx *ctx)
{
  const tns_wish *wish = &ctx->wish;
  return ctx->plan_text || wish->fuse == TNS_FUSE_MAX || wish->tile.asked
         || wish->interchange.asked || wish->simd.asked || wish->parallel.asked
         || wish->unroll.asked || wish->require.asked;
}

/* P's steps are predicted to take NS, and to lose against the loops as
   WRITTEN: threads and lanes alone, in the user's order, are taken where
   these are predicted to take less.  What the plan takes then.  */
static double
do_no_harm (tns_planner *p, tns_tree *written, double ns)
{
  tns_planner simple = *p;
  simple.tree = tns_tree_copy (p->ctx->arena, written);
  simple.steps = tns_text_new (p->ctx->arena);
  simple.task = TNS_NEW_ARRAY (p->ctx->arena, tns_task, p->scop->n_stmts + 1);
  if (!tns_tree_check (p->ctx, p->deps, simple.tree, NULL))
    return ns;
  tns_plan_marks (&simple);
  double simple_ns
    = tns_weigh (p->ctx, p->scop, p->machine, simple.tree, false);
  if (simple_ns >= ns)
    return ns;
  *p = simple;
  return simple_ns;
}

/* P's steps are predicted to take NS; those that begin with FUSED's and then
   distribute loops are taken where they are predicted to take less.  What the
   plan takes then.  */
static double
try_distributed (tns_planner *p, const tns_planner *fused, double ns)
{
  tns_planner other = *fused;
  tns_isl_begin (p->ctx, p->scop->isl);
  other.task = TNS_NEW_ARRAY (p->ctx->arena, tns_task, p->scop->n_stmts + 1);
  if (!tns_plan_distribute (&other) || !take_late_steps (&other))
    return ns;
  double other_ns = tns_weigh (p->ctx, p->scop, p->machine, other.tree, false);
  if (other_ns * MARGIN >= ns)
    return ns;
  *p = other;
  return other_ns;
}

/* P's steps, which are predicted to take NS, fuse loops: those without are
   taken where they are predicted to take less.  What the plan takes then.  */
static double
try_apart (tns_planner *p, tns_tree *written, double ns)
{
  tns_ctx *apart = TNS_NEW (p->ctx->arena, tns_ctx);
  tns_planner other = *p;
  tns_planner fused;
  if (tns_plan_count (tns_text_chars (&p->steps), "fuse") == 0)
    return ns;
  tns_isl_begin (p->ctx, p->scop->isl);
  *apart = *p->ctx;
  apart->wish.fuse = TNS_FUSE_NONE;
  other.ctx = apart;
  other.tree = tns_tree_copy (p->ctx->arena, written);
  other.steps = tns_text_new (p->ctx->arena);
  other.task = TNS_NEW_ARRAY (p->ctx->arena, tns_task, p->scop->n_stmts + 1);
  if (!tns_tree_check (apart, p->deps, other.tree, NULL)
      || !take_steps (&other, &fused))
    return ns;
  double other_ns = tns_weigh (apart, p->scop, p->machine, other.tree, false);
  if (other_ns * MARGIN >= ns)
    return ns;
  other.ctx = p->ctx;
  *p = other;
  return other_ns;
}

/* P's steps are predicted to take NS; those of the loops as WRITTEN that meet
   in arrays are taken where they are predicted to take less, unless they come
   to those of FUSED.  What the plan takes then.  */
static double
try_met (tns_planner *p, const tns_planner *fused, tns_tree *written, double ns)
{
  tns_planner other = *p;
  if (p->ctx->wish.fuse == TNS_FUSE_NONE)
    return ns;
  tns_isl_begin (p->ctx, p->scop->isl);
  other.tree = tns_tree_copy (p->ctx->arena, written);
  other.steps = tns_text_new (p->ctx->arena);
  other.task = TNS_NEW_ARRAY (p->ctx->arena, tns_task, p->scop->n_stmts + 1);
  if (!tns_tree_check (p->ctx, p->deps, other.tree, NULL))
    return ns;
  tns_plan_reverses (&other);
  tns_plan_meet (&other);
  if (!strcmp (tns_text_chars (&other.steps), tns_text_chars (&fused->steps))
      || !take_late_steps (&other))
    return ns;
  double other_ns = tns_weigh (p->ctx, p->scop, p->machine, other.tree, false);
  if (other_ns * MARGIN >= ns)
    return ns;
  *p = other;
  return other_ns;
}

/* Steps were taken before SCOP was built that change loops.  */
static bool
has_taken (const tns_scop *scop)
{
  const char *steps = tns_text_chars (&scop->steps);
  return tns_plan_count (steps, NULL) > tns_plan_count (steps, "private");
}

/* The user's plan of SCOP's region has lines about storage.  */
static bool
is_storage_asked (const tns_ctx *ctx, const tns_scop *scop)
{
  const char *name = scop->region->name;
  return tns_plan_line (ctx, name, "contract ")
         || tns_plan_line (ctx, name, "expand ");
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
                    tns_text_new (ctx->arena),
                    TNS_NEW_ARRAY (ctx->arena, tns_task, scop->n_stmts + 1),
                    false };
  if (!p.tree)
    return NULL;
  if (!tns_tree_check (ctx, deps, p.tree, NULL))
    return tns_isl_refuse (ctx, scop->isl, scop->region->loc, "plan");
  tns_tree *written = tns_tree_copy (ctx->arena, p.tree);
  double written_ns = tns_weigh (ctx, scop, machine, written, true);
  tns_planner fused = p;
  if (!take_steps (&p, &fused))
    return NULL;
  double planned_ns = tns_weigh (ctx, scop, machine, p.tree, false);
  bool is_free = !tns_plan_is_asked (ctx) && !machine->device;
  if (is_free)
    {
      planned_ns = try_apart (&p, written, planned_ns);
      planned_ns = try_met (&p, &fused, written, planned_ns);
      planned_ns = try_distributed (&p, &fused, planned_ns);
    }
  if (planned_ns > written_ns * MARGIN && is_free)
    planned_ns = do_no_harm (&p, written, planned_ns);
  if (!machine->device)
    tns_plan_sums (&p);
  tns_plan *plan = TNS_NEW (ctx->arena, tns_plan);
  plan->scop = scop;
  plan->deps = deps;
  plan->tree = p.tree;
  plan->steps = scop->steps;
  tns_text_add (&plan->steps, tns_text_chars (&p.steps));
  plan->task = p.task;
  plan->kept
    = p.steps.length == 0 && !has_taken (scop) && !is_storage_asked (ctx, scop);
  plan->written_ns = written_ns;
  plan->planned_ns = planned_ns;
  plan->region = tns_region_copy (ctx->arena, scop->region);
  if (!machine->device)
    tns_plan_guard_lanes (ctx, plan);
  plan = tns_plan_contract (ctx, plan);
  return plan && tns_plan_required (&p, plan) ? plan : NULL;
}

/* DIM at depth DEPTH is shared by threads, lanes or copies: the claim, of the
   reductions in MARKS.  */
static tns_claim
claim_of (const tns_scop *scop, const tns_tree *dim, int depth,
          const tns_marks *marks)
{
  isl_union_set *where
    = isl_union_set_empty (isl_set_get_space (scop->context));
  for (int s = 0; s < scop->n_stmts; s++)
    if (tns_tree_has (dim, s))
      where
        = isl_union_set_add_set (where, isl_set_copy (scop->stmt[s].domain));
  return (tns_claim){ 2 * depth + 1, where, marks->n_reductions,
                      marks->reductions };
}

/* The claims that DIM at depth DEPTH makes, if any; the DIMs that it collapses
   are its own.  Copies of an innermost loop's body follow each other, and
   claim nothing.  */
static int
add_claims (const tns_scop *scop, const tns_tree *dim, int depth,
            tns_claim *claims)
{
  const tns_marks *marks = &dim->marks;
  bool jams = (marks->unroll || (marks->rows && !marks->skew))
              && tns_tree_depth (dim->body) > 0;
  if (!marks->parallel && !marks->simd && !jams)
    return 0;
  int n = 0;
  int most = marks->collapse > 1 ? marks->collapse : 1;
  for (; n < most && dim->kind == TNS_TREE_DIM; n++, dim = dim->body)
    claims[n] = claim_of (scop, dim, depth + n, marks);
  return n;
}

/* Gather the claims of the DIMs below TREE, which has DEPTH DIMs above.  */
static void
collect_claims (const tns_scop *scop, const tns_tree *tree, int depth, int *n,
                tns_claim *claims)
{
  if (tree->kind == TNS_TREE_DIM)
    {
      *n += add_claims (scop, tree, depth, &claims[*n]);
      collect_claims (scop, tree->body, depth + 1, n, claims);
    }
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    collect_claims (scop, tree->kid[k], depth, n, claims);
}

/* Add the claim that the tasks of each set may run in any order; they are
   kids of the outermost SEQ.  */
static void
collect_task_claims (const tns_plan *plan, int *n, tns_claim *claims)
{
  const tns_scop *scop = plan->scop;
  for (int set = 1; set <= scop->n_stmts; set++)
    {
      isl_union_set *where = NULL;
      for (int s = 0; s < scop->n_stmts; s++)
        if (plan->task[s].set == set)
          {
            isl_set *domain = isl_set_copy (scop->stmt[s].domain);
            where = where ? isl_union_set_add_set (where, domain)
                          : isl_union_set_from_set (domain);
          }
      if (where)
        claims[(*n)++] = (tns_claim){ 0, where, 0, NULL };
    }
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

/* The number of DIMs above AT, and AT, in TREE; 0 when AT is not below.  */
static int
depth_of (const tns_tree *tree, const tns_tree *at)
{
  if (tree == at)
    return 1;
  int below = 0;
  if (tree->kind == TNS_TREE_DIM)
    below = depth_of (tree->body, at);
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    below = below ? below : depth_of (tree->kid[k], at);
  return below + (below && tree->kind == TNS_TREE_DIM);
}

/* The storage of PLAN's buffers is right in its order.  */
static bool
buffers_hold (const tns_plan *plan)
{
  if (plan->n_buffers == 0)
    return true;
  bool right = true;
  isl_union_map *order = tns_tree_order (plan->scop, plan->tree);
  for (int k = 0; k < plan->n_buffers && right; k++)
    {
      const tns_buffer *buffer = &plan->buffer[k];
      int depth = buffer->dim ? depth_of (plan->tree, buffer->dim) : 0;
      tns_cells cells = { buffer->array, 2 * depth, buffer->kept };
      right = tns_legal_cells (plan->scop, order, &cells);
    }
  isl_union_map_free (order);
  return right;
}

/* The order of TREE keeps all dependences of PLAN, and the N CLAIMS hold.  */
static bool
order_holds (tns_ctx *ctx, const tns_plan *plan, const tns_tree *tree, int n,
             const tns_claim *claims)
{
  const tns_dep *broken = NULL;
  isl_multi_aff **time = tns_tree_times (plan->scop, tree);
  bool right = tns_legal_times (ctx, plan->deps, time, n, claims, &broken);
  tns_times_free (plan->scop, time);
  return right;
}

/* The rows that DIM, at depth DEPTH of PLAN's tree, is marked for may run side
   by side.  */
static bool
rows_hold (tns_ctx *ctx, const tns_plan *plan, const tns_tree *dim, int depth)
{
  const tns_marks none = { .rows = 0 };
  tns_tree *skewed
    = tns_step_skew (ctx->arena, plan->tree, tns_tree_first_stmt (dim),
                     dim->name, dim->marks.rows, dim->marks.skew);
  if (!skewed)
    return false;
  tns_claim claim = claim_of (plan->scop, dim, depth + 2, &none);
  bool right = order_holds (ctx, plan, skewed, 1, &claim);
  isl_union_set_free (claim.where);
  return right;
}

/* The same of all DIMs below TREE, which has DEPTH DIMs above.  */
static bool
skews_hold (tns_ctx *ctx, const tns_plan *plan, const tns_tree *tree, int depth)
{
  bool right = true;
  if (tree->kind == TNS_TREE_DIM)
    right = (!tree->marks.skew || rows_hold (ctx, plan, tree, depth))
            && skews_hold (ctx, plan, tree->body, depth + 1);
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    right = right && skews_hold (ctx, plan, tree->kid[k], depth);
  return right;
}

/* What DIM, at depth DEPTH of PLAN's tree, is marked to sum it reads nowhere
   else.  */
static bool
sum_holds (const tns_plan *plan, isl_multi_aff **time, const tns_tree *dim,
           int depth)
{
  const tns_scop *scop = plan->scop;
  int *stmt = TNS_NEW_ARRAY (scop->ctx->arena, int, scop->n_stmts + 1);
  int n = tns_tree_stmts (dim, stmt);
  bool right = true;
  for (int a = 0; a < scop->n_arrays && right; a++)
    if (scop->array[a].sym == dim->marks.summed)
      right = tns_legal_sums (scop, time, 2 * depth, n, stmt, a);
  return right;
}

/* The same of all DIMs below TREE, which has DEPTH DIMs above.  */
static bool
sums_hold (const tns_plan *plan, isl_multi_aff **time, const tns_tree *tree,
           int depth)
{
  bool right = true;
  if (tree->kind == TNS_TREE_DIM)
    right = (!tree->marks.summed || sum_holds (plan, time, tree, depth))
            && sums_hold (plan, time, tree->body, depth + 1);
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    right = right && sums_hold (plan, time, tree->kid[k], depth);
  return right;
}

/* All sums of PLAN's tree are as marked.  */
static bool
all_sums_hold (const tns_plan *plan)
{
  isl_multi_aff **time = tns_tree_times (plan->scop, plan->tree);
  bool right = sums_hold (plan, time, plan->tree, 0);
  tns_times_free (plan->scop, time);
  return right;
}

tns_plan *
tns_plan_check (tns_ctx *ctx, tns_plan *plan)
{
  if (!plan)
    return NULL;
  int room = MOST_CLAIMS * count_nodes (plan->tree) + plan->scop->n_stmts;
  tns_claim *claims = TNS_NEW_ARRAY (ctx->arena, tns_claim, room);
  int n = 0;
  tns_isl_begin (ctx, plan->scop->isl);
  collect_claims (plan->scop, plan->tree, 0, &n, claims);
  collect_task_claims (plan, &n, claims);
  bool right = order_holds (ctx, plan, plan->tree, n, claims);
  for (int k = 0; k < n; k++)
    isl_union_set_free (claims[k].where);
  tns_isl_begin (ctx, plan->scop->isl);
  right = right && buffers_hold (plan);
  right = right && skews_hold (ctx, plan, plan->tree, 0);
  right = right && all_sums_hold (plan);
  if (right)
    return plan;
  return tns_isl_refuse (ctx, plan->scop->isl, plan->region->loc, "legal");
}
