/* The whole compiler on one screen: see run_stages.

   Each stage takes a region (or NULL, and then gives NULL) and says in the
   context why it cannot go on.  tell () prints what a stage made when the
   dump asks for it.  */

#include "driver/pipeline.h"

#include <time.h>

#include "ir/canon.h"
#include "ir/print.h"
#include "ir/simplify.h"
#include "ir/unroll.h"
#include "ir/verify.h"
#include "lowering/chunks.h"
#include "lowering/loops.h"
#include "lowering/promote.h"
#include "lowering/registers.h"
#include "lowering/vectors.h"
#include "lowering/versions.h"
#include "poly/count.h"
#include "poly/deps.h"
#include "poly/guard.h"
#include "schedule/plan.h"

/* Print REGION, what stage NAME made, when it is asked for.  */
static tns_region *
tell (tns_ctx *ctx, const char *name, tns_region *region)
{
  if (region && tns_ctx_dumps (ctx, name))
    {
      tns_text text = tns_text_new (ctx->arena);
      tns_region_print (&text, region);
      fprintf (ctx->dump, ";; stage %s, region %s\n%s\n", name, region->name,
               tns_text_chars (&text));
    }
  return region;
}

/* Print PLAN's steps and tree when they are asked for.  */
static tns_plan *
tell_plan (tns_ctx *ctx, tns_plan *plan)
{
  if (plan && tns_ctx_dumps (ctx, "plan"))
    {
      tns_text text = tns_text_new (ctx->arena);
      tns_tree_print (&text, plan->scop, plan->tree);
      fprintf (ctx->dump, "plan %s\n%s;; tree\n%s\n", plan->region->name,
               tns_text_chars (&plan->steps), tns_text_chars (&text));
    }
  return plan;
}

/* Print SCOP and DEPS when they are asked for.  */
static void
tell_model (tns_ctx *ctx, const tns_scop *scop, const tns_deps *deps)
{
  if (scop && tns_ctx_dumps (ctx, "scop"))
    tns_scop_print (ctx->dump, scop);
  if (deps && tns_ctx_dumps (ctx, "deps"))
    tns_deps_print (ctx->dump, deps);
}

/* Count the loops below NODE.  */
static void
count_loops (const tns_node *node, int *all, int *parallel, int *simd)
{
  if (!node)
    return;
  for (int k = 0; k < node->n_kids; k++)
    count_loops (node->kid[k], all, parallel, simd);
  if (node->kind == TNS_LOOP)
    {
      *all += 1;
      *parallel += node->marks.parallel;
      *simd += node->marks.simd > 0;
      count_loops (node->body, all, parallel, simd);
    }
  if (node->kind == TNS_IF)
    {
      count_loops (node->then, all, parallel, simd);
      count_loops (node->otherwise, all, parallel, simd);
    }
}

/* Fill the numbers of RESULT's report.  */
static void
fill_counts (tns_ctx *ctx, tns_result *result, const tns_plan *plan)
{
  int ignored = 0;
  count_loops (result->in->body, &result->loops_before, &ignored, &ignored);
  tns_ledger before = tns_count (ctx, result->in);
  tns_ledger after = tns_count (ctx, result->scheduled);
  tns_region *regions[] = { result->in, result->scheduled, result->out };
  count_loops (result->scheduled->body, &result->loops_after,
               &result->parallel_loops, &result->simd_loops);
  for (int k = 0; k < 3; k++)
    {
      regions[k]->flops = before.flops;
      regions[k]->bytes_before = before.bytes;
      regions[k]->bytes_after = after.bytes;
      regions[k]->exact = before.exact && after.exact;
    }
  result->peak_before = before.peak;
  result->peak_after = after.peak;
  result->contracted = plan->n_contracted;
  result->kept = plan->kept;
  result->plan = tns_text_chars (&plan->steps);
}

/* The IR after the plan: registers and lanes.  */
static tns_region *
lower (tns_ctx *ctx, tns_region *region)
{
  region = tell (ctx, "registers", tns_region_registers (ctx, region));
  region = tell (ctx, "vectors", tns_region_vectors (ctx, region));
  region = tell (ctx, "promote", tns_region_promote (ctx, region));
  region = tell (ctx, "simplified", tns_region_simplify (ctx, region));
  return tns_region_verify (ctx, region, "lowering");
}

/* Every stage, in order.  RESULT gets what later readers need.  */
static void
run_stages (tns_ctx *ctx, tns_region *region, tns_result *result)
{
  region = tell (ctx, "extract", tns_region_verify (ctx, region, "extract"));
  region = tell (ctx, "updates", tns_region_updates (ctx, region));
  region = tell (ctx, "shapes", tns_region_shapes (ctx, region));
  region = tell (ctx, "simplify", tns_region_simplify (ctx, region));
  result->in = region;
  region = tns_region_simplify (ctx, tns_region_unroll (ctx, region));
  region = tell (ctx, "unroll", region);

  tns_scop *scop = tns_scop_privatise (ctx, tns_scop_build (ctx, region));
  tns_deps *deps = tns_deps_build (ctx, scop);
  tell_model (ctx, scop, deps);
  region = scop ? tns_guard_spans (ctx, scop, ctx->wish.check) : NULL;
  tns_plan *plan = region ? tns_plan_build (ctx, scop, deps) : NULL;
  plan = tns_plan_check (ctx, tell_plan (ctx, plan));

  region = tell (ctx, "loops", tns_loops (ctx, plan));
  region = tell (ctx, "chunks", tns_region_chunks (ctx, region));
  region = tell (ctx, "versions", tns_region_versions (ctx, region));
  region = tell (ctx, "scheduled", tns_region_simplify (ctx, region));
  result->scheduled = tns_region_verify (ctx, region, "loops");
  result->out = lower (ctx, result->scheduled);
  if (result->out)
    fill_counts (ctx, result, plan);
  tns_deps_free (deps);
  tns_scop_free (scop);
}

/* Milliseconds of processor time, for the report only.  */
static double
milliseconds (void)
{
  return (double) clock () * 1000.0 / CLOCKS_PER_SEC;
}

tns_result *
tns_pipeline (tns_ctx *ctx, tns_region *region)
{
  tns_result *result = TNS_NEW (ctx->arena, tns_result);
  double start = milliseconds ();
  if (setjmp (ctx->no_memory))
    ctx->status = TNS_FAILED;
  else if (result)
    {
      tns_ctx_arm (ctx);
      run_stages (ctx, region, result);
      result->milliseconds = milliseconds () - start;
    }
  if (result && !result->out && ctx->status == TNS_DONE)
    ctx->status = TNS_FAILED;
  if (result)
    result->status = ctx->status;
  return result;
}
