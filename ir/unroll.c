/* Short inner loops written out, as ir/unroll.h says.

   A loop is written out when

   1. its bounds are constants and it runs at most MAX_TRIP times;
   2. it is innermost, holds only plain statements, and writing it out gives
      at most MAX_COPIES statements;
   3. there is a loop around it, and each target moves with that loop or is
      local to its body: else the two loops accumulate into one cell, and
      belong together (the window of a convolution);
   4. none of the user's clauses names it.

   The order of the statements does not change, so any fp mode may.  */

#include "ir/unroll.h"

#include <string.h>

#include "ir/walk.h"

#define MAX_TRIP   16
#define MAX_COPIES 48

/* The pass: the loop around the nodes being rebuilt.  */
typedef struct unroller
{
  tns_ctx *ctx;
  const tns_node *around;
} unroller;

/* The number of iterations of LOOP when its bounds are constants, else
   0.  */
static long long
constant_trip (const tns_node *loop)
{
  long long lo = 0;
  long long hi = 0;
  if (!tns_expr_is_int (loop->lo, &lo) || !tns_expr_is_int (loop->hi, &hi))
    return 0;
  long long step = loop->step;
  long long length = step > 0 ? hi - lo : lo - hi;
  long long stride = step > 0 ? step : -step;
  return length > 0 ? (length + stride - 1) / stride : 0;
}

/* A LOCAL node for SYM stands directly in BLOCK.  */
static bool
declares (const tns_node *block, const tns_sym *sym)
{
  for (int k = 0; k < block->n_kids; k++)
    if (block->kid[k]->kind == TNS_LOCAL && block->kid[k]->sym == sym)
      return true;
  return false;
}

/* TARGET is another cell in each iteration of AROUND.  */
static bool
moves (tns_expr *target, const tns_node *around)
{
  return tns_expr_mentions (target, around->iter)
         || declares (around->body, target->sym);
}

/* The statements of BODY, all plain ASSIGNs whose targets move with AROUND;
   0 when it is not like that.  */
static int
plain_statements (const tns_node *body, const tns_node *around)
{
  for (int k = 0; k < body->n_kids; k++)
    if (body->kid[k]->kind == TNS_LOCAL)
      continue;
    else if (body->kid[k]->kind != TNS_ASSIGN
             || !(moves (body->kid[k]->target, around)
                  || declares (body, body->kid[k]->target->sym)))
      return 0;
  return body->n_kids;
}

/* One copy of BODY with ITER at VALUE, names marked by COPY.  */
static tns_node *
copy_body (unroller *u, const tns_node *loop, long long value, int copy)
{
  tns_arena *arena = u->ctx->arena;
  tns_expr *at = tns_int (arena, value);
  tns_node *body = tns_node_substitute (arena, loop->body, 1, &loop->iter, &at);
  tns_node *named = tns_block (arena, loop->loc);
  for (int k = 0; k < body->n_kids; k++)
    {
      tns_node *kid = tns_node_copy (arena, body->kid[k]);
      if (kid->name && copy > 0)
        kid->name = tns_arena_format (arena, "%s_%d", kid->name, copy);
      tns_block_add (arena, named, kid);
    }
  return named;
}

/* LIST names LOOP.  */
static bool
names_loop (const tns_wish_list *list, const tns_node *loop)
{
  const tns_sym *iter = loop->iter;
  for (int k = 0; k < list->n; k++)
    if (!strcmp (list->names[k].name,
                 iter->spelled ? iter->spelled : iter->name))
      return true;
  return false;
}

/* The user decides what becomes of LOOP.  */
static bool
is_decided (const tns_wish *wish, const tns_node *loop)
{
  return names_loop (&wish->tile, loop) || names_loop (&wish->simd, loop)
         || names_loop (&wish->parallel, loop)
         || names_loop (&wish->unroll, loop)
         || names_loop (&wish->interchange, loop);
}

/* LOOP written out, or LOOP itself.  */
static tns_node *
unroll (unroller *u, tns_node *loop)
{
  if (is_decided (&u->ctx->wish, loop))
    return loop;
  long long trip = constant_trip (loop);
  int statements = u->around ? plain_statements (loop->body, u->around) : 0;
  if (trip < 1 || trip > MAX_TRIP || statements == 0
      || trip * statements > MAX_COPIES)
    return loop;
  long long lo = 0;
  tns_expr_is_int (loop->lo, &lo);
  tns_node *all = tns_block (u->ctx->arena, loop->loc);
  for (int k = 0; k < trip; k++)
    tns_block_add (u->ctx->arena, all,
                   copy_body (u, loop, lo + k * loop->step, k));
  return all;
}

static tns_node *rebuild (unroller *u, tns_node *node);

/* LOOP with its body rebuilt, then written out where that is good.  */
static tns_node *
rebuild_loop (unroller *u, tns_node *loop)
{
  const tns_node *outer = u->around;
  tns_node *copy = tns_node_copy (u->ctx->arena, loop);
  u->around = copy;
  copy->body = rebuild (u, loop->body);
  u->around = outer;
  return unroll (u, copy);
}

/* NODE with its loops written out.  */
static tns_node *
rebuild (unroller *u, tns_node *node)
{
  if (node->kind == TNS_LOOP)
    return rebuild_loop (u, node);
  if (node->kind != TNS_BLOCK && node->kind != TNS_IF)
    return node;
  tns_node *copy = tns_node_copy (u->ctx->arena, node);
  if (node->kind == TNS_IF)
    {
      copy->then = rebuild (u, node->then);
      copy->otherwise = node->otherwise ? rebuild (u, node->otherwise) : NULL;
      return copy;
    }
  for (int k = 0; k < node->n_kids; k++)
    copy->kid[k] = rebuild (u, node->kid[k]);
  return copy;
}

tns_region *
tns_region_unroll (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  unroller u = { ctx, NULL };
  tns_region *out = tns_region_copy (ctx->arena, region);
  out->body = rebuild (&u, region->body);
  return out;
}
