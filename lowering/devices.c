/* Loops that devices share: lowering/devices.h.

   The region's statements have one loop around all of them, and no iteration of
   it touches what another one writes; sums over it are not shared, as devices
   would add up in another order.  */

#include "lowering/devices.h"

#include "ir/walk.h"
#include "poly/deps.h"

/* The only statement of REGION where that is a loop; NULL.  */
static tns_node *
only_loop (const tns_region *region)
{
  const tns_node *body = region->body;
  tns_node *loop = body->n_kids == 1 ? body->kid[0] : NULL;
  return loop && loop->kind == TNS_LOOP && loop->step == 1 ? loop : NULL;
}

/* BOUND without casts where it is a number or a VALUE, which the caller can
   say; NULL.  */
static tns_expr *
plain_bound (tns_expr *bound)
{
  bound = tns_expr_unwidened (bound);
  bool is_value = bound->op == TNS_SYM && bound->sym->kind == TNS_SYM_VALUE;
  return bound->op == TNS_INT || is_value ? bound : NULL;
}

/* Iterations of REGION's LOOP have nothing to do with each other.  */
static bool
is_apart (const tns_ctx *ctx, tns_region *region, const tns_node *loop)
{
  tns_ctx *quiet = tns_ctx_quiet (ctx);
  quiet->dump = NULL;
  region = tns_region_copy (ctx->arena, region);
  tns_scop *scop = tns_scop_build (quiet, region);
  scop = scop ? tns_scop_privatise (quiet, scop) : NULL;
  tns_deps *deps = scop ? tns_deps_build (quiet, scop) : NULL;
  bool apart = deps && tns_deps_apart (deps, loop->iter->name);
  if (deps)
    tns_deps_free (deps);
  if (scop)
    tns_scop_free (scop);
  return apart;
}

/* LOOP leaves a number behind, which its last iteration gives.  */
static bool
leaves_number (const tns_region *region, tns_node *loop)
{
  bool leaves = false;
  for (int k = 0; k < region->n_params && !leaves; k++)
    leaves = region->params[k]->kind == TNS_SYM_ARRAY
             && region->params[k]->rank == 0
             && tns_node_writes (loop, region->params[k]);
  return leaves;
}

/* A parameter of REGION called NAME.  */
static tns_sym *
add_number (tns_ctx *ctx, tns_region *region, const char *name)
{
  tns_sym *sym = tns_region_add_value (ctx->arena, region, name, TNS_I64);
  tns_region_add_param (ctx->arena, region, sym);
  return sym;
}

/* LOOP from SHARE's first to its end, in a block.  */
static tns_node *
share_loop (tns_ctx *ctx, const tns_node *loop, const tns_shared *share)
{
  tns_node *block = tns_block (ctx->arena, loop->loc);
  tns_node *made = TNS_NEW (ctx->arena, tns_node);
  *made = *loop;
  made->lo = tns_value (ctx->arena, share->first);
  made->hi = tns_value (ctx->arena, share->end);
  tns_block_add (ctx->arena, block, made);
  return block;
}

tns_region *
tns_region_devices (tns_ctx *ctx, tns_region *region, tns_shared *share)
{
  tns_node *loop = only_loop (region);
  share->words = NULL;
  share->lo = loop ? plain_bound (loop->lo) : NULL;
  share->hi = loop ? plain_bound (loop->hi) : NULL;
  if (!loop)
    share->words = "no loop is around all";
  else if (!share->lo || !share->hi)
    share->words = "the bounds of the outermost loop are no numbers";
  else if (leaves_number (region, loop) || !is_apart (ctx, region, loop))
    share->words = "iterations of the outermost loop depend on each other";
  if (share->words)
    return region;
  tns_region *made = tns_region_copy (ctx->arena, region);
  share->first = add_number (ctx, made, "first");
  share->end = add_number (ctx, made, "end");
  made->body = share_loop (ctx, loop, share);
  return made;
}
