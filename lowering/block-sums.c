/* Sums of a block's threads as cells, as lowering/block-sums.h says.

   A minimum begins with the element itself: to take that twice changes
   nothing.  */

#include "lowering/block-sums.h"

#include "ir/walk.h"

#define MOST_SUMS 16

/* One loop: the elements that it adds to, and their cells.  */
typedef struct summer
{
  tns_ctx *ctx;
  tns_region *region;
  const tns_node *loop;
  int n;
  tns_expr *target[MOST_SUMS];
  tns_op op[MOST_SUMS];
  tns_sym *cell[MOST_SUMS];
  bool suits;
} summer;

/* LOOP's reductions have SYM, updated with OP.  */
static bool
is_reduced (const tns_node *loop, const tns_sym *sym, tns_op op)
{
  for (int k = 0; k < loop->marks.n_reductions; k++)
    if (loop->marks.reductions[k].sym == sym
        && loop->marks.reductions[k].op == op)
      return true;
  return false;
}

/* The number of NODE's target among the elements of S, -1: it is none.  */
static int
find_target (const summer *s, const tns_node *node)
{
  for (int k = 0; k < s->n; k++)
    if (node->update == s->op[k] && tns_expr_equal (node->target, s->target[k]))
      return k;
  return -1;
}

/* TARGET is one element, whatever the loop of S does.  */
static bool
stays (const summer *s, const tns_expr *target)
{
  bool stays = true;
  for (int k = 0; k < target->n_args; k++)
    stays &= !tns_expr_mentions (target->arg[k], s->loop->iter)
             && !tns_expr_loads (target->arg[k]);
  return stays;
}

/* The visitor that notes what NODE adds to.  */
static bool
note_target (tns_node *node, void *self)
{
  summer *s = self;
  if (node->kind != TNS_ASSIGN
      || !is_reduced (s->loop, node->target->sym, node->update)
      || find_target (s, node) >= 0)
    return s->suits;
  s->suits = s->n < MOST_SUMS && stays (s, node->target);
  if (!s->suits)
    return false;
  const tns_sym *sym = node->target->sym;
  s->target[s->n] = node->target;
  s->op[s->n] = node->update;
  s->cell[s->n++] = tns_region_add_array (s->ctx->arena, s->region, sym->name,
                                          sym->type.elem, 0, TNS_SYM_LOCAL);
  return true;
}

/* NODE adds to a cell.  */
static tns_node *
use_cell (tns_node *node, void *self)
{
  const summer *s = self;
  int k = node->kind == TNS_ASSIGN ? find_target (s, node) : -1;
  if (k < 0)
    return node;
  tns_node *made = tns_node_copy (s->ctx->arena, node);
  made->target = tns_cell (s->ctx->arena, s->cell[k]);
  return made;
}

/* Each cell of S begins, in BLOCK.  */
static void
begin_cells (const summer *s, tns_node *block)
{
  tns_arena *arena = s->ctx->arena;
  tns_loc loc = block->loc;
  bool breaks = tns_ctx_breaks (s->ctx, "block-sums");
  for (int k = 0; k < s->n; k++)
    {
      tns_expr *start
        = breaks ? NULL : tns_neutral (arena, s->op[k], s->cell[k]->type.elem);
      tns_block_add (arena, block, tns_local (arena, loc, s->cell[k]));
      tns_block_add (arena, block,
                     tns_assign (arena, loc, tns_cell (arena, s->cell[k]),
                                 TNS_NONE, start ? start : s->target[k]));
    }
}

/* DONE, which does LOOP's sums: an element that nothing is added to need not be
   there.  */
static tns_node *
where_some (const summer *s, const tns_node *loop, tns_node *done)
{
  tns_arena *arena = s->ctx->arena;
  long long lo, hi;
  bool some = tns_expr_is_int (loop->lo, &lo) && tns_expr_is_int (loop->hi, &hi)
              && (loop->step > 0 ? lo < hi : lo > hi);
  bool local = true;
  for (int k = 0; k < s->n; k++)
    local &= tns_sym_is_local (s->target[k]->sym);
  if (some || local)
    return done;
  tns_op op = loop->step > 0 ? TNS_LT : TNS_GT;
  return tns_if (arena, loop->loc, tns_binary (arena, op, loop->lo, loop->hi),
                 done, NULL);
}

/* LOOP, which has lanes and sums.  */
static tns_node *
with_cells (summer *s, tns_node *loop)
{
  tns_arena *arena = s->ctx->arena;
  tns_node *made = tns_node_copy (arena, loop);
  s->loop = loop;
  s->n = 0;
  s->suits = true;
  tns_node_walk (loop->body, note_target, s);
  made->marks.n_reductions = 0;
  made->marks.reductions = NULL;
  if (!s->suits)
    {
      made->marks.simd = 0;
      return made;
    }
  tns_node *block = tns_block (arena, loop->loc);
  begin_cells (s, block);
  made->body = tns_node_rebuild (arena, loop->body, use_cell, NULL, s);
  for (int k = 0; k < s->n; k++)
    tns_marks_add_reduction (arena, &made->marks, s->cell[k], s->op[k]);
  tns_block_add (arena, block, made);
  for (int k = 0; k < s->n; k++)
    tns_block_add (arena, block,
                   tns_assign (arena, loop->loc, s->target[k], s->op[k],
                               tns_cell (arena, s->cell[k])));
  return where_some (s, loop, block);
}

/* NODE, a loop with lanes, on cells.  */
static tns_node *
change_loop (tns_node *node, void *self)
{
  if (node->kind != TNS_LOOP || node->marks.simd < 2
      || node->marks.n_reductions == 0)
    return node;
  return with_cells (self, node);
}

tns_region *
tns_region_block_sums (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  tns_region *made = tns_region_copy (ctx->arena, region);
  summer s = { .ctx = ctx, .region = made };
  made->body
    = tns_node_rebuild (ctx->arena, region->body, change_loop, NULL, &s);
  return made;
}
