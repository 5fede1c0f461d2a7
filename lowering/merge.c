/* Neighbours under one condition, as lowering/merge.h says, from the inside
   out; what comes to stand side by side in the merged branches is merged in
   turn.

   Only where the condition reads no memory: nothing between its two
   evaluations changes it then.  */

#include "lowering/merge.h"

#include "ir/walk.h"

typedef struct merging
{
  tns_ctx *ctx;
  tns_arena *arena;
  bool changed;
} merging;

/* The visitor: whether EXPR reads memory.  */
static bool
note_read (tns_expr *expr, void *self)
{
  bool *reads = self;
  *reads |= tns_expr_reads (expr);
  return !*reads;
}

/* NODE is an IF whose condition stays the same.  */
static bool
is_fixed (const merging *m, const tns_node *node)
{
  bool reads = false;
  if (node->kind != TNS_IF || node->cond->type.lanes > 1)
    return false;
  tns_expr_walk (node->cond, note_read, &reads);
  return !reads || tns_ctx_breaks (m->ctx, "merge");
}

/* A and B are IFs under one condition that stays the same.  */
static bool
are_twins (const merging *m, const tns_node *a, const tns_node *b)
{
  return is_fixed (m, a) && b->kind == TNS_IF
         && tns_expr_equal (a->cond, b->cond);
}

/* The only node in NODE, BLOCKs of one kid looked through.  */
static tns_node *
only_node (tns_node *node)
{
  while (node->kind == TNS_BLOCK && node->n_kids == 1)
    node = node->kid[0];
  return node;
}

/* Append NODE to BLOCK, the kids of a BLOCK one by one.  */
static void
append (tns_arena *arena, tns_node *block, tns_node *node)
{
  if (node->kind == TNS_BLOCK)
    for (int k = 0; k < node->n_kids; k++)
      append (arena, block, node->kid[k]);
  else
    tns_block_add (arena, block, node);
}

/* A, in an IF of COND unless that is NULL, and then B, as a BLOCK; NULL when
   both are.  */
static tns_node *
join (merging *m, tns_expr *cond, tns_node *a, tns_node *b)
{
  if (!a && !b)
    return NULL;
  tns_node *made = tns_block (m->arena, a ? a->loc : b->loc);
  if (a && cond)
    a = tns_if (m->arena, a->loc, cond, a, NULL);
  if (a)
    append (m->arena, made, a);
  if (b)
    append (m->arena, made, b);
  return made;
}

/* A and B, neighbours, as one IF; NULL where they are not alike.  */
static tns_node *
merged (merging *m, tns_node *a, tns_node *b)
{
  tns_expr *cond = NULL;
  if (is_fixed (m, a) && !a->otherwise && b->kind == TNS_IF
      && !tns_expr_equal (a->cond, b->cond))
    {
      cond = a->cond;
      a = only_node (a->then);
    }
  if (!are_twins (m, a, b))
    return NULL;
  return tns_if (m->arena, b->loc, b->cond, join (m, cond, a->then, b->then),
                 join (m, cond, a->otherwise, b->otherwise));
}

/* The kids of BLOCK, with twins among them made one.  */
static tns_node *
merge_kids (merging *m, tns_node *block)
{
  tns_node *made = tns_block (m->arena, block->loc);
  for (int k = 0; k < block->n_kids; k++)
    {
      tns_node *node = block->kid[k];
      tns_node *both = NULL;
      while (k + 1 < block->n_kids
             && (both = merged (m, node, block->kid[k + 1])) != NULL)
        {
          node = both;
          m->changed = true;
          node->then = merge_kids (m, node->then);
          if (node->otherwise)
            node->otherwise = merge_kids (m, node->otherwise);
          k++;
        }
      tns_block_add (m->arena, made, node);
    }
  return made;
}

/* The visitor: NODE with its kids merged.  */
static tns_node *
merge_node (tns_node *node, void *self)
{
  return node->kind == TNS_BLOCK ? merge_kids (self, node) : node;
}

tns_region *
tns_region_merge (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  merging m = { ctx, ctx->arena, false };
  tns_node *body
    = tns_node_rebuild (ctx->arena, region->body, merge_node, NULL, &m);
  if (!m.changed)
    return region;
  tns_region *made = tns_region_copy (ctx->arena, region);
  made->body = body;
  return made;
}
