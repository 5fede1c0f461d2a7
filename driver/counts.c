/* What the report counts.

   Loops are counted before any of them stands there twice (for few
   iterations, for threads, with operands packed); how many of these are in
   lanes, are shared by threads, or carry a value is what the passes noted in
   tns_made, and not what the plan asked them for.  */

#include "driver/counts.h"

#include <string.h>

#include "base/section.h"
#include "poly/count.h"

/* Loops, and how many of them MADE tells of.  */
typedef struct loops
{
  const tns_made *made;
  int all;
  int shared;
  int in_lanes;
  int carried;
} loops;

/* Count the loops below NODE.  */
static void
count_loops (const tns_node *node, loops *n)
{
  if (!node)
    return;
  for (int k = 0; k < node->n_kids; k++)
    count_loops (node->kid[k], n);
  if (node->kind == TNS_LOOP)
    {
      n->all++;
      n->shared
        += node->marks.parallel && tns_made_has (&n->made->shared, node->iter);
      n->in_lanes += tns_made_has (&n->made->in_lanes, node->iter);
      n->carried += tns_made_has (&n->made->carried, node->iter);
      count_loops (node->body, n);
    }
  if (node->kind == TNS_IF)
    {
      count_loops (node->then, n);
      count_loops (node->otherwise, n);
    }
}

/* The ledger of V's loops, by the outermost of its plan's tree: temporaries
   that found a home in loops stay in cache.  */
static tns_ledger
count_planned (tns_ctx *ctx, const tns_variant *v)
{
  const tns_scop *scop = v->scop;
  const tns_plan *plan = v->plan;
  int *nest = TNS_NEW_ARRAY (ctx->arena, int, scop->n_stmts + 1);
  bool *hidden = TNS_NEW_ARRAY (ctx->arena, bool, scop->n_arrays + 1);
  for (int s = 0; s < scop->n_stmts && plan->tree->kind == TNS_TREE_SEQ; s++)
    while (!tns_tree_has (plan->tree->kid[nest[s]], s))
      nest[s]++;
  for (int k = 0; k < scop->n_arrays; k++)
    hidden[k] = tns_sym_is_local (scop->array[k].sym);
  for (int k = 0; k < plan->n_buffers; k++)
    hidden[plan->buffer[k].array] = true;
  return tns_count_planned (ctx, v->scop, nest, hidden, v->planned);
}

/* The tasks of PLAN but for the first of each set.  */
static int
count_tasks (const tns_plan *plan)
{
  int n = 0;
  for (int s = 0; s < plan->scop->n_stmts; s++)
    {
      bool is_new = plan->task[s].set > 0 && plan->task[s].member > 0;
      for (int t = 0; t < s; t++)
        is_new &= plan->task[t].set != plan->task[s].set
                  || plan->task[t].member != plan->task[s].member;
      n += is_new;
    }
  return n;
}

/* All that PLAN's steps do in RESULT, in which no loop has lanes, is to ask for
   these, or for what follows from them; to carry what no pass could; or, where
   there are as many loops as were written, to read through cells, which GCC
   does itself.  */
static bool
does_nothing (const tns_result *result, const tns_plan *plan)
{
  static const char *const words[]
    = { "simd", "hoist", "private", "contract", "expand" };
  const char *steps = tns_text_chars (&plan->steps);
  int n = tns_plan_count (steps, NULL);
  for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
    n -= tns_plan_count (steps, words[k]);
  if (result->recurrences == 0)
    n -= tns_plan_count (steps, "carry");
  if (result->read_through == 0 && result->loops_before == result->loops_after)
    n -= tns_plan_count (steps, "forward");
  return n == 0;
}

/* Set the ledgers of RESULT's regions, V's being the one planned.  */
static void
fill_ledgers (tns_ctx *ctx, tns_result *result, const tns_variant *v)
{
  if (ctx->ledger == TNS_LEDGER_NONE)
    return;
  tns_ledger before = tns_count (ctx, result->in);
  tns_ledger after = count_planned (ctx, v);
  tns_region *regions[] = { result->in, result->scheduled, result->out };
  for (int k = 0; k < 3; k++)
    {
      regions[k]->flops = before.flops;
      regions[k]->bytes_before
        = ctx->ledger == TNS_LEDGER_ALL ? before.bytes : NULL;
      regions[k]->bytes_after = after.bytes;
      regions[k]->exact = before.exact && after.exact;
    }
  result->flops_after = after.flops;
  result->peak_before = before.peak;
  result->peak_after = after.peak;
}

/* Say which loops the user wanted in vectors, where none of them is.  */
static void
tell_missing_lanes (tns_ctx *ctx, int n_lanes)
{
  const tns_wish_list *asked = &ctx->wish.simd;
  for (int k = 0; k < asked->n && n_lanes == 0; k++)
    tns_note (ctx, asked->names[k].loc,
              "no simd over %s, whose iterations have no form in vectors",
              asked->names[k].name);
}

/* Some DIM below TREE of the iterator NAME, or of its tiles, is one that
   threads share; N DIMs from TREE on down are in one space of theirs.  */
static bool
is_shared (const tns_tree *tree, const char *name, int n)
{
  bool found = false;
  if (tree->kind == TNS_TREE_DIM)
    {
      size_t length = strlen (name);
      int own = tree->marks.collapse ? tree->marks.collapse : 1;
      n = tree->marks.parallel && n <= 0 ? own : n;
      bool is_it = !strncmp (tree->name, name, length)
                   && (!tree->name[length] || tree->name[length] == '.');
      found = (is_it && n > 0) || is_shared (tree->body, name, n - 1);
    }
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids && !found; k++)
    found = is_shared (tree->kid[k], name, 0);
  return found;
}

/* Say which loops the user wanted shared stand in others that are, where that
   is so.  */
static void
tell_missing_threads (tns_ctx *ctx, const tns_plan *plan)
{
  const tns_wish_list *asked = &ctx->wish.parallel;
  for (int k = 0; k < asked->n && ctx->flags.openmp; k++)
    if (!is_shared (plan->tree, asked->names[k].name, 0))
      tns_note (
        ctx, asked->names[k].loc,
        "no parallel over %s, which stands in a loop that threads share",
        asked->names[k].name);
}

/* Say that nothing could be fused where the user wanted all that can be.  */
static void
tell_missing_fusion (tns_ctx *ctx, const tns_region *in, const tns_plan *plan)
{
  const char *steps = tns_text_chars (&plan->steps);
  const tns_node *body = in->body;
  int n = 0;
  for (int k = 0; body->kind == TNS_BLOCK && k < body->n_kids; k++)
    n += body->kid[k]->kind == TNS_LOOP;
  if (ctx->wish.fuse == TNS_FUSE_MAX && n > 1
      && tns_plan_count (steps, "fuse") + tns_plan_count (steps, "forward")
           == 0)
    tns_note (ctx, in->loc, "no two loops could be fused");
}

void
tns_fill_counts (tns_ctx *ctx, tns_result *result, const tns_variant *v)
{
  tns_made none = { { 0, NULL }, { 0, NULL }, { 0, NULL }, 0 };
  loops before = { .made = &none };
  loops after = { .made = v->made };
  count_loops (result->in->body, &before);
  count_loops (v->planned->body, &after);
  fill_ledgers (ctx, result, v);
  result->loops_before = before.all;
  result->loops_after = after.all;
  result->parallel_loops = ctx->flags.openmp ? after.shared : 0;
  result->simd_loops = after.in_lanes;
  result->recurrences = after.carried;
  result->contracted = v->plan->n_contracted;
  result->side_by_side = count_tasks (v->plan);
  result->memory = tns_kept_of (ctx, v->planned);
  result->kept
    = !result->looked_up
      && (v->plan->kept
          || (after.in_lanes == 0 && does_nothing (result, v->plan)));
  result->plan = tns_text_chars (&v->plan->steps);
  tell_missing_lanes (ctx, after.in_lanes);
  tell_missing_threads (ctx, v->plan);
  tell_missing_fusion (ctx, result->in, v->plan);
}

bool
tns_required_made (tns_ctx *ctx, const tns_made *made)
{
  const tns_wish_name *word = tns_wish_requires (&ctx->wish, "simd");
  word = word ? word : tns_wish_requires (&ctx->wish, "vectorize");
  if (!word || made->in_lanes.n > 0)
    return true;
  tns_error (ctx, word->loc, TNS_WHY_REQUIRE, word->name,
             "what the loops do has no form in vectors");
  return false;
}
