/* Tables of constants looked up while compiling, as ir/known.h says.

   A loop is written out when

   1. its bounds are constants and it runs at most MAX_TRIP times, and none of
      the user's clauses names it;
   2. an array whose elements are known is read in it, at a subscript with the
      loop's iterator, and what is read decides where or whether something is
      done: it stands in a subscript, a condition or a bound;
   3. at most MAX_STATEMENTS statements are there then.

   What has become constants is folded by ir/simplify.h.  */

#include "ir/known.h"

#include "ir/copies.h"
#include "ir/simplify.h"
#include "ir/walk.h"

enum
{
  MAX_TRIP = 32,
  MAX_STATEMENTS = 64
};

/* Whether a table that moves with LOOP decides something.  */
typedef struct search
{
  const tns_node *loop;
  bool found;
} search;

/* The visitor of what decides: note a table in EXPR.  */
static bool
note_table (tns_expr *expr, void *self)
{
  search *s = self;
  s->found |= expr->op == TNS_LOAD && expr->sym->n_held
              && tns_expr_mentions (expr, s->loop->iter);
  return !s->found;
}

/* The visitor: note a table in what decides within EXPR.  */
static bool
note_decision (tns_expr *expr, void *self)
{
  search *s = self;
  if (tns_expr_reads (expr))
    for (int k = 0; k < expr->n_args; k++)
      tns_expr_walk (expr->arg[k], note_table, s);
  else if (expr->op == TNS_SELECT)
    tns_expr_walk (expr->arg[0], note_table, s);
  return !s->found;
}

/* The visitor: the same within NODE.  */
static bool
note_node (tns_node *node, void *self)
{
  search *s = self;
  tns_expr *decides[]
    = { node->kind == TNS_LOOP ? node->lo : NULL,
        node->kind == TNS_LOOP ? node->hi : NULL,
        node->kind == TNS_IF ? node->cond : NULL, node->mask };
  for (size_t k = 0; k < sizeof decides / sizeof *decides; k++)
    if (decides[k])
      tns_expr_walk (decides[k], note_table, s);
  tns_node_exprs (node, note_decision, s);
  return !s->found;
}

/* The visitor: count statements.  */
static bool
count_node (tns_node *node, void *self)
{
  int *n = self;
  *n += node->kind == TNS_ASSIGN;
  return true;
}

/* LOOP is to be written out.  */
static bool
looks_up (tns_ctx *ctx, tns_node *loop)
{
  long long trip = tns_loop_constant_trip (loop);
  if (trip < 1 || trip > MAX_TRIP || tns_loop_is_decided (&ctx->wish, loop))
    return false;
  int n = 0;
  tns_node_walk (loop->body, count_node, &n);
  search s = { loop, false };
  if (trip * n <= MAX_STATEMENTS)
    tns_node_walk (loop->body, note_node, &s);
  return s.found;
}

/* LOOP written out.  */
static tns_node *
write_out (tns_ctx *ctx, tns_node *loop)
{
  tns_node *all = tns_block (ctx->arena, loop->loc);
  tns_node plain = *loop;
  int trip = (int) tns_loop_constant_trip (loop);
  if (tns_ctx_breaks (ctx, "known"))
    plain.lo = loop->hi;
  for (int k = 0; k < trip; k++)
    tns_block_add (ctx->arena, all, tns_loop_copy (ctx->arena, &plain, k));
  return all;
}

/* The pass; some: a loop was written out.  */
typedef struct writer
{
  tns_ctx *ctx;
  bool some;
} writer;

/* The changer: write NODE out, its parts done.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  writer *w = self;
  if (node->kind != TNS_LOOP || !looks_up (w->ctx, node))
    return node;
  w->some = true;
  return write_out (w->ctx, node);
}

/* REGION has a table.  */
static bool
has_table (const tns_region *region)
{
  for (int k = 0; k < region->n_syms; k++)
    if (region->syms[k]->n_held)
      return true;
  return false;
}

tns_region *
tns_region_known (tns_ctx *ctx, tns_region *region)
{
  if (!region || !has_table (region))
    return region;
  writer w = { ctx, false };
  tns_region *made = tns_region_copy (ctx->arena, region);
  made->body
    = tns_node_rebuild (ctx->arena, region->body, change_node, NULL, &w);
  return w.some ? tns_region_simplify (ctx, made) : region;
}
