/* Straight lines of assignments to one cell, as ir/chain.h says.

     x = a;  x = f (x);       x read once      ->   x = f (a)
     x = a;  x op= b;         x not in b       ->   x = a op b

   The first is a plain assignment that does not read x: an accumulator that
   lives on from iteration to iteration stays a sum of updates, which the
   planner may free.  The two follow each other, so that nothing changes what
   a reads; x is a cell that no other name reaches, so that what else the
   second reads is not x.  Values longer than MOST_NODES do not grow.  */

#include "ir/chain.h"

#include "ir/rules.h"
#include "ir/walk.h"

enum
{
  MOST_NODES = 400
};

/* The pass.  */
typedef struct chain
{
  tns_ctx *ctx;
  const tns_region *region;
} chain;

/* What is counted in an expression: its nodes, and the reads of SYM.  */
typedef struct count
{
  const tns_sym *sym;
  int nodes;
  int reads;
} count;

/* The visitor that counts.  */
static bool
count_node (tns_expr *expr, void *self)
{
  count *c = self;
  c->nodes++;
  c->reads += expr->sym == c->sym && tns_expr_reads (expr);
  return true;
}

/* The counts of EXPR.  */
static count
count_in (tns_expr *expr, const tns_sym *sym)
{
  count c = { sym, 0, 0 };
  tns_expr_walk (expr, count_node, &c);
  return c;
}

/* Another name may reach SYM.  */
static bool
has_other_names (const tns_region *region, const tns_sym *sym)
{
  for (int k = 0; k < region->n_overlaps; k++)
    if (region->overlaps[k].a == sym || region->overlaps[k].b == sym)
      return true;
  return tns_region_has_still (region, sym);
}

/* FIRST and SECOND, which follow each other, as one assignment, or NULL.  */
static tns_node *
joined (const chain *c, const tns_node *first, const tns_node *second)
{
  tns_arena *arena = c->ctx->arena;
  if (!tns_node_sets_cell (first) || !tns_node_sets_cell (second)
      || first->target->sym != second->target->sym || first->update != TNS_NONE)
    return NULL;
  const tns_sym *sym = first->target->sym;
  count a = count_in (first->value, sym);
  count b = count_in (second->value, sym);
  bool is_update = second->update != TNS_NONE;
  int most = is_update && !tns_ctx_breaks (c->ctx, "chains") ? 0 : 1;
  if (a.reads > 0 || b.reads > most || a.nodes + b.nodes > MOST_NODES
      || has_other_names (c->region, sym))
    return NULL;
  tns_node *both = tns_node_copy (arena, second);
  tns_rules rules = { c->ctx, NULL };
  both->update = TNS_NONE;
  both->value
    = is_update ? tns_rules_apply (
        &rules, tns_binary (arena, second->update, first->value, second->value))
                : tns_expr_with_cell (arena, second->value, sym, first->value);
  return both;
}

/* A BLOCK, whose kids are done.  */
static tns_node *
change_block (tns_node *node, void *self)
{
  const chain *c = self;
  if (node->kind != TNS_BLOCK || node->n_kids < 2)
    return node;
  tns_node *made = tns_block (c->ctx->arena, node->loc);
  for (int k = 0; k < node->n_kids; k++)
    {
      int last = made->n_kids - 1;
      tns_node *both
        = last >= 0 ? joined (c, made->kid[last], node->kid[k]) : NULL;
      if (both)
        made->kid[last] = both;
      else
        tns_block_add (c->ctx->arena, made, node->kid[k]);
    }
  return made;
}

tns_region *
tns_region_chains (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  chain c = { ctx, region };
  tns_region *made = tns_region_copy (ctx->arena, region);
  made->body
    = tns_node_rebuild (ctx->arena, region->body, change_block, NULL, &c);
  return made;
}
