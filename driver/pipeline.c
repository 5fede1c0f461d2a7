/* The whole compiler on one screen: see run_stages.

   Each stage takes a region (or NULL, and then gives NULL) and says in the
   context why it cannot go on.  tns_tell prints what a stage made when the
   dump asks for it.  */

#include "driver/pipeline.h"

#include <string.h>

#include "base/section.h"
#include "driver/counts.h"
#include "driver/parts.h"
#include "driver/prepare.h"
#include "driver/tell.h"
#include "ir/canon.h"
#include "ir/divided.h"
#include "ir/factor.h"
#include "ir/known.h"
#include "ir/reroll.h"
#include "ir/reshape.h"
#include "ir/simplify.h"
#include "ir/verify.h"
#include "lowering/block-sums.h"
#include "lowering/carry.h"
#include "lowering/certain.h"
#include "lowering/chunks.h"
#include "lowering/common.h"
#include "lowering/cuda.h"
#include "lowering/cut.h"
#include "lowering/divisors.h"
#include "lowering/entries.h"
#include "lowering/hoist.h"
#include "lowering/idle.h"
#include "lowering/late.h"
#include "lowering/lines.h"
#include "lowering/lookahead.h"
#include "lowering/loops.h"
#include "lowering/low-bits.h"
#include "lowering/merge.h"
#include "lowering/panels.h"
#include "lowering/portions.h"
#include "lowering/prefetch.h"
#include "lowering/promote.h"
#include "lowering/registers.h"
#include "lowering/scans.h"
#include "lowering/skew.h"
#include "lowering/square.h"
#include "lowering/storage.h"
#include "lowering/sums.h"
#include "lowering/tasks.h"
#include "lowering/variants.h"
#include "lowering/vectors.h"
#include "lowering/versions.h"
#include "poly/deps.h"
#include "poly/guard.h"
#include "poly/scan.h"
#include "schedule/forward.h"
#include "schedule/halo.h"
#include "schedule/machine.h"
#include "schedule/pack.h"
#include "schedule/rescale.h"
#include "schedule/slab.h"
#include "schedule/whole.h"

/* What temporaries between a device's kernels may take.  */
#define MOST_BETWEEN (1L << 30)

/* Tiles must be predicted to take so much less.  */
#define LEAST_GAIN 1.1

/* REGION with borders cut out, or itself.  */
static tns_region *
cut_borders (tns_ctx *ctx, tns_region *region)
{
  tns_region *made = tns_region_cut (ctx, region);
  return made == region ? region : tns_region_simplify (ctx, made);
}

/* Steps that work on the loops that a plan made.  */
static const struct
{
  const char *word;
  tns_region *(*pass) (tns_ctx *ctx, tns_region *region);
} late_steps[] = {
  { "cut", cut_borders },
  { "hoist", tns_region_hoist },
};

#define N_LATE_STEPS (sizeof late_steps / sizeof late_steps[0])

/* Say that LINE does not apply to V's loops.  */
static void
complain (tns_ctx *ctx, tns_variant *v, const char *line)
{
  v->loops = tns_error (
    ctx, v->loops->loc, TNS_WHY_PLAN,
    tns_arena_format (
      ctx->arena,
      "\"%s\" does not apply to these loops: it would change nothing", line));
}

/* A variant whose plan's lines are looked through.  */
typedef struct prefetching
{
  tns_ctx *ctx;
  tns_variant *variant;
} prefetching;

/* A LINE of the user's plan: a prefetch is a step where it changes the
   loops.  */
static bool
visit_prefetch (const char *line, void *self)
{
  prefetching *p = self;
  tns_variant *v = p->variant;
  if (strncmp (line, "prefetch ", strlen ("prefetch ")))
    return true;
  if (tns_region_prefetch (p->ctx, v->loops, line) == v->loops)
    complain (p->ctx, v, line);
  else
    tns_text_line (&v->plan->steps, "%s", line);
  return v->loops != NULL;
}

/* Add the late steps to V's plan: those that change its loops, or, where the
   user gave a plan, those that this has.  An error where one of these changes
   nothing.  */
static void
add_late_steps (tns_ctx *ctx, tns_variant *v)
{
  const char *name = v->plan ? v->plan->region->name : NULL;
  for (size_t k = 0; v->loops && k < N_LATE_STEPS; k++)
    {
      const char *word = late_steps[k].word;
      bool changes = late_steps[k].pass (ctx, v->loops) != v->loops;
      bool asked = tns_plan_has_line (ctx, name, word);
      if (changes && (asked || !tns_plan_is_given (ctx, name)))
        tns_text_line (&v->plan->steps, "%s", word);
      if (asked && !changes)
        complain (ctx, v, word);
    }
  prefetching p = { ctx, v };
  if (v->loops)
    tns_plan_lines (ctx, name, visit_prefetch, &p);
}

/* REGION with the prefetches of the lines STEPS.  */
static tns_region *
prefetch (tns_ctx *ctx, tns_region *region, const char *steps)
{
  while (*steps)
    {
      int length = (int) strcspn (steps, "\n");
      if (!strncmp (steps, "prefetch ", strlen ("prefetch ")))
        region = tns_region_prefetch (
          ctx, region, tns_arena_format (ctx->arena, "%.*s", length, steps));
      steps += length + (steps[length] == '\n');
    }
  return region;
}

/* PLAN has a step WORD.  */
static bool
has_step (const tns_plan *plan, const char *word)
{
  return tns_plan_count (tns_text_chars (&plan->steps), word) > 0;
}

/* The IR after PLAN, and OTHER's, of the whole region, in a second variant:
   registers and lanes; MADE notes what came of the loops.  */
static tns_region *
lower (tns_ctx *ctx, tns_region *region, const tns_plan *plan,
       const tns_plan *other, tns_made *made)
{
  for (size_t k = 0; k < N_LATE_STEPS; k++)
    {
      const char *word = late_steps[k].word;
      if (has_step (plan, word) || has_step (other, word))
        region = late_steps[k].pass (ctx, region);
      region = tns_tell (ctx, word, region);
    }
  region = prefetch (ctx, region, tns_text_chars (&plan->steps));
  if (other != plan)
    region = prefetch (ctx, region, tns_text_chars (&other->steps));
  region = tns_tell (ctx, "prefetch", region);
  region = tns_region_square (ctx, region);
  region = tns_tell (ctx, "divisors", tns_region_divisors (ctx, region));
  region = tns_tell (ctx, "registers", tns_region_registers (ctx, region));
  region = tns_region_low_bits (ctx, tns_region_late (ctx, region));
  region = tns_tell (ctx, "vectors", tns_region_vectors (ctx, region, made));
  region = tns_tell (ctx, "carry", tns_region_carry (ctx, region, made));
  region = tns_tell (ctx, "skew", tns_region_skew (ctx, region));
  region = tns_region_merge (ctx, region);
  region = tns_region_promote (ctx, region);
  region = tns_tell (ctx, "promote", tns_region_lookahead (ctx, region, made));
  region = tns_tell (ctx, "sums", tns_region_sums (ctx, region));
  region = tns_tell (ctx, "certain", tns_region_certain (ctx, region));
  region = tns_tell (ctx, "simplified", tns_region_simplify (ctx, region));
  region = tns_tell (ctx, "common", tns_region_common (ctx, region));
  region = tns_region_idle (ctx, region, other->scop);
  return tns_region_verify (ctx, region, "lowering");
}

/* Nothing is left to do in RESULT's region: it stays as it is.  */
static void
keep (tns_result *result)
{
  result->kept = true;
  result->scheduled = result->in;
  result->out = result->in;
}

/* The model of REGION, which STEPS made; MADE will tell of its loops.  */
static tns_variant
model (tns_ctx *ctx, tns_region *region, const tns_text *steps, tns_made *made)
{
  tns_variant v = { .made = made };
  v.scop = tns_region_is_part (region) ? tns_scop_build (ctx, region)
                                       : tns_scop_build_looking (ctx, region);
  if (v.scop)
    tns_text_add (&v.scop->steps, tns_text_chars (steps));
  v.scop = tns_scop_privatise (ctx, v.scop);
  if (v.scop && tns_ctx_dumps (ctx, "scop"))
    tns_scop_print (ctx->dump, v.scop);
  return v;
}

/* CTX's region is planned for a device.  */
static bool
is_device (const tns_ctx *ctx)
{
  return ctx->machine && ctx->machine->device;
}

/* Find the dependences of V.  */
static void
find_deps (tns_ctx *ctx, tns_variant *v)
{
  v->deps = tns_deps_build (ctx, v->scop);
  tns_tell_time (ctx, "deps");
  if (v->deps && tns_ctx_dumps (ctx, "deps"))
    tns_deps_print (ctx->dump, v->deps);
}

/* Plan V.  */
static void
plan_loops (tns_ctx *ctx, tns_variant *v)
{
  v->plan = tns_plan_build (ctx, v->scop, v->deps);
  tns_tell_time (ctx, "plan");
}

/* Prove V's plan, and make its loops.  */
static void
make_loops (tns_ctx *ctx, tns_variant *v)
{
  tns_region *region;
  tns_plan *made = v->plan;
  v->plan = tns_plan_check (ctx, made);
  tns_tell_time (ctx, "legal");
  if (is_device (ctx))
    {
      region = tns_region_storage (ctx, tns_loops (ctx, v->plan));
      region = tns_tell (ctx, "loops", tns_region_simplify (ctx, region));
      v->planned = region;
      region = tns_region_chunks (ctx, region, v->made);
      v->loops
        = tns_region_verify (ctx, tns_region_simplify (ctx, region), "loops");
      return;
    }
  region = tns_region_panels (ctx, tns_loops (ctx, v->plan));
  region = tns_region_storage (ctx, tns_region_tasks (ctx, v->plan, region));
  region = tns_region_lines (ctx, region);
  region = tns_tell (ctx, "loops", region);
  v->planned = tns_region_simplify (ctx, region);
  region = tns_region_entries (ctx, region);
  region = tns_tell (ctx, "chunks", tns_region_chunks (ctx, region, v->made));
  region = tns_tell (ctx, "versions", tns_region_versions (ctx, region));
  region = tns_tell (ctx, "scheduled", tns_region_simplify (ctx, region));
  v->loops = tns_region_verify (ctx, region, "loops");
  add_late_steps (ctx, v);
  if (!v->plan)
    tns_tell_plan (ctx, made);
}

/* Plan V, and make its loops; where the search for a better order runs out of
   its budget, and the user has not asked for one, his own stays, and RESULT is
   that.  */
static void
schedule_or_keep (tns_ctx *ctx, tns_variant *v, tns_result *result)
{
  find_deps (ctx, v);
  tns_ctx before = *ctx;
  plan_loops (ctx, v);
  make_loops (ctx, v);
  const tns_remark *reason = tns_verdict (ctx);
  if (!reason || reason->why != TNS_WHY_BUDGET || tns_plan_is_asked (ctx))
    return;
  v->loops = NULL;
  tns_take_back (ctx, &before);
  tns_note (ctx, result->in->loc,
            "the search for a better order ran out of its budget");
  keep (result);
}

/* Free what V owns.  */
static void
end_variant (tns_variant *v)
{
  tns_deps_free (v->deps);
  tns_scop_free (v->scop);
}

/* A copy of CTX, of which nothing is said or printed.  */
static tns_ctx *
silent_of (const tns_ctx *ctx)
{
  tns_ctx *quiet = tns_ctx_quiet (ctx);
  quiet->dump = NULL;
  return quiet;
}

/* PLAIN's region, whose body was BODY, with operands packed, and PACKING; its
   loops are NULL where that does not pay, of which nothing is said.  A user's
   plan for the plain region alone is the last word; one for the packed region
   must apply.  */
static tns_variant
pack (tns_ctx *ctx, tns_node *body, const tns_variant *plain,
      tns_packing *packing)
{
  tns_ctx *quiet = tns_ctx_quiet (ctx);
  tns_variant v = { .made = plain->made };
  tns_region *region
    = tns_region_pack (quiet, plain->plan, body, plain->loops, packing);
  bool is_given = region && tns_plan_is_given (ctx, region->name);
  if (!region || (!is_given && tns_plan_is_given (ctx, plain->loops->name)))
    return v;
  region = tns_tell (ctx, "pack", tns_region_verify (quiet, region, "pack"));
  v = model (quiet, region, &packing->steps, plain->made);
  find_deps (quiet, &v);
  plan_loops (is_given ? ctx : quiet, &v);
  bool is_used = v.plan && tns_plan_uses_packs (v.plan, packing);
  if (is_used || is_given)
    make_loops (is_given ? ctx : quiet, &v);
  ctx->lap = quiet->lap;
  if (!is_used)
    v.loops = NULL;
  if (v.loops)
    tns_tell_plan (ctx, v.plan);
  return v;
}

/* Another way to do a region: what stage NAME made, which STEPS tell.  It
   IS_GIVEN by the user's plan, or else suits where the planner then takes a
   step NEEDED; NULL: any.  */
typedef struct another
{
  const char *name;
  tns_region *region;
  const tns_text *steps;
  bool is_given;
  const char *needed;
} another;

/* V, planned from A, is predicted to gain over PLAIN by what A is for.  */
static bool
gains (const another *a, const tns_variant *v, const tns_variant *plain)
{
  return v->plan && v->plan->planned_ns * LEAST_GAIN <= plain->plan->planned_ns
         && (!a->needed || has_step (v->plan, a->needed));
}

/* A, of PLAIN's region; its loops are NULL where that is not predicted to pay,
   of which nothing is said, unless the user's plan asks for it.  */
static tns_variant
plan_again (tns_ctx *ctx, const another *a, const tns_variant *plain)
{
  tns_ctx *quiet = tns_ctx_quiet (ctx);
  tns_variant v = { .made = plain->made };
  if (!a->region)
    return v;
  tns_region *region
    = tns_tell (ctx, a->name, tns_region_verify (quiet, a->region, a->name));
  quiet->lap = ctx->lap;
  v = model (quiet, region, a->steps, plain->made);
  find_deps (quiet, &v);
  plan_loops (a->is_given ? ctx : quiet, &v);
  if (a->is_given || gains (a, &v, plain))
    make_loops (a->is_given ? ctx : quiet, &v);
  ctx->lap = quiet->lap;
  if (v.loops)
    tns_tell_plan (ctx, v.plan);
  return v;
}

/* PLAIN's region, whose body was BODY, with nests that reach beyond each
   other's iterations in tiles, and HALO.  */
static tns_variant
tile (tns_ctx *ctx, tns_node *body, const tns_variant *plain, tns_halo *halo)
{
  another a = { .name = "tiles", .steps = &halo->steps };
  a.is_given = tns_halo_is_given (ctx, plain->loops);
  a.region = tns_region_halo (a.is_given ? ctx : tns_ctx_quiet (ctx),
                              plain->deps, body, plain->loops, halo);
  return plan_again (ctx, &a, plain);
}

/* PLAIN's region, whose body was BODY, with a loop in slabs, and SLAB.  */
static tns_variant
slabs (tns_ctx *ctx, tns_node *body, const tns_variant *plain, tns_slab *slab)
{
  another a
    = { .name = "slabs", .steps = &slab->steps, .needed = "distribute" };
  a.is_given = tns_slab_is_given (ctx, plain->loops);
  a.region = tns_region_slabs (a.is_given ? ctx : tns_ctx_quiet (ctx),
                               plain->plan, body, plain->loops, slab);
  return plan_again (ctx, &a, plain);
}

/* Another way to do PLAIN's region, whose body was BODY, for when *WHEN holds;
   its loops are NULL where there is none that pays.  PACKING tells of what is
   packed for it.  */
static tns_variant
plan_other (tns_ctx *ctx, tns_node *body, const tns_variant *plain,
            tns_packing *packing, tns_expr **when)
{
  tns_halo halo;
  tns_slab slab;
  tns_variant v = pack (ctx, body, plain, packing);
  *when = packing->when;
  if (v.loops && tns_halo_is_given (ctx, plain->loops))
    tns_halo_complain (ctx, plain->loops);
  if (v.loops)
    return v;
  end_variant (&v);
  packing->n = 0;
  v = tile (ctx, body, plain, &halo);
  *when = halo.when;
  if (v.loops)
    return v;
  end_variant (&v);
  v = slabs (ctx, body, plain, &slab);
  *when = slab.when;
  return v;
}

/* Note what PACKING packed.  */
static void
tell_packing (tns_ctx *ctx, const tns_region *region,
              const tns_packing *packing)
{
  for (int k = 0; k < packing->n; k++)
    {
      const tns_sym *sym = packing->operand[k].access->sym;
      tns_note (ctx, region->loc, "%s packed%s",
                sym->spelled ? sym->spelled : sym->name,
                packing->when ? " where there are rows enough" : "");
    }
}

/* SCOP's region with the spans that are needed: for a device all, since what
   it touches is copied.  */
static tns_region *
guard (tns_ctx *ctx, tns_scop *scop)
{
  tns_region *region = tns_guard_spans (ctx, scop, ctx->wish.check);
  if (!region || !is_device (ctx))
    return region;
  return tns_guard_copied (ctx, scop) ? tns_note_whole (ctx, scop) : NULL;
}

/* A times FACTOR, F64; NULL where A is.  */
static tns_expr *
times (tns_ctx *ctx, tns_expr *a, double factor)
{
  if (!a)
    return NULL;
  return tns_binary (ctx->arena, TNS_MUL, a,
                     tns_real (ctx->arena, TNS_F64, factor));
}

/* What one thread of the host is predicted to take for GRID's REGION, whose
   ledger is known: the longer of its operations, a vector a cycle, and of its
   bytes from memory.  */
static void
weigh_device (tns_ctx *ctx, tns_grid *grid, const tns_region *region)
{
  const tns_machine *host = ctx->host ? ctx->host : tns_machine_find ("avx2");
  double lanes = host->vector_bytes / 4.0;
  tns_expr *flops = times (ctx, region->flops, 1 / (host->ghz * lanes));
  tns_expr *bytes = times (ctx, region->bytes_after,
                           1 / (host->ghz * host->memory_bandwidth));
  grid->cpu_ns = flops && bytes ? tns_binary (ctx->arena, TNS_MAX, flops, bytes)
                 : flops        ? flops
                                : bytes;
}

/* V's loops, planned for a device, as kernels.  */
static void
run_device (tns_ctx *ctx, const tns_variant *v, tns_result *result)
{
  tns_region *region = tns_region_carry (ctx, v->loops, v->made);
  region = tns_region_scans (ctx, region);
  region = tns_region_portions (ctx, region, MOST_BETWEEN);
  region = tns_tell (ctx, "block-sums", tns_region_block_sums (ctx, region));
  region = tns_region_verify (ctx, region, "block-sums");
  tns_grid *grid = tns_grid_build (ctx, region);
  if (!grid)
    return;
  if (tns_ctx_dumps (ctx, "plan") && *grid->steps)
    fprintf (ctx->dump, ";; on a device\n%s", grid->steps);
  tns_text text = tns_text_new (ctx->arena);
  tns_cuda_prelude (&text, tns_grid_needs_words (grid));
  size_t head = text.length;
  tns_cuda_print (ctx, &text, grid);
  grid->text = tns_text_chars (&text);
  grid->kernels = grid->text + head;
  if (tns_ctx_dumps (ctx, "cuda"))
    fprintf (ctx->dump, "%s", grid->text);
  result->grid = grid;
  result->scheduled = region;
  result->out = grid->region;
  tns_fill_counts (ctx, result, v);
  result->kept = false;
  weigh_device (ctx, grid, region);
}

/* From the model of REGION on, which STEPS made.  RESULT gets what later
   readers need.  */
static void
run_model (tns_ctx *ctx, tns_region *region, tns_text *steps,
           tns_result *result)
{
  tns_packing packing = { .n = 0 };
  tns_forwarded forwarded;
  region
    = tns_region_simplify (ctx, tns_region_forward (ctx, region, &forwarded));
  region = tns_tell (ctx, "forward", region);
  tns_text_add (steps, tns_text_chars (&forwarded.steps));
  result->read_through = forwarded.n_arrays;
  region = tns_region_rescale (ctx, region, steps);
  region = tns_region_simplify (ctx, tns_region_factor (ctx, region, steps));
  region = tns_tell (ctx, "factor", region);
  tns_variant plain = model (ctx, region, steps, &result->made);
  if (plain.scop && plain.scop->n_stmts == 0)
    keep (result);
  else if (guard (ctx, plain.scop))
    {
      if (!tns_scan_pays (plain.scop) && !ctx->wish.require.asked
          && !is_device (ctx))
        keep (result);
      else
        schedule_or_keep (ctx, &plain, result);
      if (plain.loops)
        tns_tell_plan (ctx, plain.plan);
    }
  if (plain.loops && is_device (ctx))
    run_device (ctx, &plain, result);
  else if (plain.loops)
    {
      tns_expr *when = NULL;
      tns_variant other
        = plan_other (ctx, region->body, &plain, &packing, &when);
      const tns_variant *best = other.loops ? &other : &plain;
      result->scheduled
        = other.loops ? tns_region_choose (ctx, when, other.loops, plain.loops)
                      : plain.loops;
      tns_tell (ctx, "variants", result->scheduled);
      result->out
        = lower (ctx, result->scheduled, best->plan, plain.plan, &result->made);
      result->scheduled = tns_region_idle (ctx, result->scheduled, plain.scop);
      if (result->out && tns_required_made (ctx, &result->made))
        tns_fill_counts (ctx, result, best);
      tns_tell_time (ctx, "count");
      result->contracted += result->read_through;
      if (best->plan->planned_ns > 0)
        result->predicted = plain.plan->written_ns / best->plan->planned_ns;
      if (result->out && other.loops)
        tell_packing (ctx, region, &packing);
      end_variant (&other);
    }
  end_variant (&plain);
}

/* What one thread is predicted to take for REGION, read; 0 where nothing can
   be said.  Says and prints nothing.  */
static double
predict (tns_ctx *ctx, tns_region *region)
{
  tns_ctx *quiet = silent_of (ctx);
  tns_forwarded forwarded;
  tns_made made;
  tns_text steps = tns_text_new (ctx->arena);
  region = tns_prepare (quiet, tns_prepare_shapes (quiet, region), &steps);
  region = tns_region_forward (quiet, region, &forwarded);
  region = tns_region_simplify (quiet, region);
  tns_variant v = model (quiet, region, &steps, &made);
  find_deps (quiet, &v);
  plan_loops (quiet, &v);
  double ns = v.plan ? v.plan->planned_ns : 0;
  end_variant (&v);
  return ns;
}

/* REGION, read, with loops over rows where there is one over all elements,
   unless that is predicted to lose, quotients apart, which the model does not
   see, or where the user's plan says so; else itself, also where the guard,
   that rows are long, would keep short ones from a device.  Lines of a plan go
   to STEPS.  */
static tns_region *
reshape (tns_ctx *ctx, tns_region *region, tns_text *steps)
{
  tns_text lines = tns_text_new (ctx->arena);
  tns_region *made = tns_region_reshape (ctx, region, true, &lines);
  if (made == region)
    return region;
  if (!tns_plan_is_given (ctx, region->name))
    {
      if (ctx->wish.target != TNS_TARGET_CPU && made->n_guard > region->n_guard)
        return region;
      bool divides_less = tns_divided_count (made) < tns_divided_count (region);
      double flat = predict (ctx, region);
      double nested = predict (ctx, made);
      if (nested == 0 || (flat > 0 && nested > flat && !divides_less))
        return region;
    }
  tns_text_add (steps, tns_text_chars (&lines));
  return made;
}

/* Every stage, in order.  */
static void
run_stages (tns_ctx *ctx, tns_region *region, tns_result *result)
{
  tns_text steps = tns_text_new (ctx->arena);
  region
    = tns_tell (ctx, "extract", tns_region_verify (ctx, region, "extract"));
  if (tns_region_is_steered (region) && is_device (ctx))
    {
      tns_refuse (ctx, region->loc, TNS_WHY_DEVICE,
                  "how far a loop runs follows from what another computes");
      return;
    }
  if (tns_region_is_steered (region))
    {
      tns_pipeline_parts (ctx, region, result);
      return;
    }
  tns_region *read = region;
  region = tns_tell (ctx, "known", tns_region_known (ctx, region));
  result->looked_up = region != read;
  region = tns_tell (ctx, "updates", tns_region_updates (ctx, region));
  region = tns_tell (ctx, "reroll", tns_region_reroll (ctx, region));
  tns_region *flat = region;
  region = tns_tell (ctx, "reshape", reshape (ctx, region, &steps));
  bool is_flat = region == flat;
  region = tns_prepare_shapes (ctx, region);
  result->in = is_flat ? region : tns_prepare_shapes (silent_of (ctx), flat);
  region = tns_prepare (ctx, region, &steps);
  run_model (ctx, region, &steps, result);
}

tns_result *
tns_pipeline (tns_ctx *ctx, tns_region *region)
{
  tns_result *result = TNS_NEW (ctx->arena, tns_result);
  double start = tns_milliseconds ();
  if (setjmp (ctx->no_memory))
    ctx->status = TNS_FAILED;
  else if (result)
    {
      tns_ctx_arm (ctx);
      ctx->lap = start;
      run_stages (ctx, region, result);
      result->milliseconds = tns_milliseconds () - start;
    }
  if (!result)
    return NULL;
  if (!result->out && ctx->status == TNS_DONE)
    ctx->status = TNS_FAILED;
  if (ctx->status != TNS_DONE)
    result->out = NULL;
  result->status = ctx->status;
  return result;
}
