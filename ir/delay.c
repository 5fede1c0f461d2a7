/* Sums delayed, as ir/delay.h says.

   Two nests of loops with the same ranges, right around assignments alone,
   stand in one block; the last addition to an array in the first one, or what
   it sets it to, goes before what the second one adds, when

     both do nothing else with the array than to add to that element, which
     is each iteration's own, and what stands between does nothing with it
     the term, cells that are set beside it read through, is a few sums and
     products of what neither they nor what stands between writes
     it reads one such array at most that the second nest does not read: a
     load for a load and a store  */

#include "ir/delay.h"

#include "ir/alike.h"
#include "ir/walk.h"

enum
{
  MOST_NODES = 40,
  MOST_MOVES = 64
};

/* An addition, or what is added to: line AT of the first nest goes to the
   second.

   sym       the array
   value     the term
   n_divisions, n_new, n_nodes  what was found in it
   fits      nothing in it is in the way  */
typedef struct move
{
  tns_ctx *ctx;
  tns_alike nests;
  int at;
  const tns_sym *sym;
  tns_expr *value;
  int n_divisions;
  int n_nodes;
  int n_new;
  const tns_sym *first_new;
  bool fits;
} move;

/* All that N does with the array of PLACE, a LOAD, is to add to that; line SET,
   if that is not NULL, sets it.  */
static bool
only_adds (const tns_lines *n, const tns_expr *place, const tns_node *set)
{
  for (int k = 0; k < n->n_loops; k++)
    if (tns_expr_mentions (n->loop[k]->lo, place->sym)
        || tns_expr_mentions (n->loop[k]->hi, place->sym))
      return false;
  for (int k = 0; k < n->n_lines; k++)
    {
      const tns_node *line = n->line[k];
      bool adds = line->target->sym == place->sym;
      if (tns_expr_mentions (line->value, place->sym)
          || (adds && (set ? line != set : line->update != TNS_ADD))
          || (adds && !tns_expr_equal (line->target, place))
          || (!adds && tns_expr_mentions (line->target, place->sym)))
        return false;
    }
  return true;
}

/* The only line of N before line END that sets the cell SYM; NULL where that is
   not so.  */
static const tns_node *
setter (const tns_lines *n, int end, const tns_sym *sym)
{
  const tns_node *found = NULL;
  for (int k = 0; k < n->n_lines; k++)
    if (n->line[k]->target->sym == sym)
      {
        if (found || k >= end || n->line[k]->update != TNS_NONE)
          return NULL;
        found = n->line[k];
      }
  return found;
}

/* M's term with the cells of its nest read through, as far as it can be.  */
static tns_expr *
read_through (const move *m)
{
  tns_expr *value = m->nests.from.line[m->at]->value;
  for (int k = m->at - 1; k >= 0; k--)
    {
      const tns_node *line = m->nests.from.line[k];
      const tns_sym *cell = line->target->sym;
      if (cell->rank == 0 && tns_lines_declare (&m->nests.from, cell)
          && setter (&m->nests.from, m->at, cell) == line
          && tns_expr_mentions (value, cell))
        value = tns_expr_with_cell (m->nests.arena, value, cell, line->value);
    }
  return value;
}

/* The visitor that looks at M's term.  */
static bool
look_at (tns_expr *expr, void *self)
{
  move *m = self;
  m->n_nodes++;
  m->n_divisions += expr->op == TNS_DIV;
  bool is_call = tns_op_class (expr->op) == 'M' || expr->op == TNS_CALL;
  bool reads = tns_expr_reads (expr);
  if (is_call || (reads && tns_lines_declare (&m->nests.from, expr->sym))
      || (reads && tns_alike_write (&m->nests, expr->sym)
          && !tns_ctx_breaks (m->ctx, "delay")))
    m->fits = false;
  if (reads && tns_lines_move (&m->nests.from, expr)
      && expr->sym != m->first_new
      && !tns_node_mentions (m->nests.to.top, expr->sym))
    {
      m->n_new++;
      m->first_new = expr->sym;
    }
  return m->fits;
}

/* Line AT of M's first nest is the last one there that adds to its array, of
   which it is the only use; kid B is the next one that has to do with it.  */
static bool
find_next (move *m)
{
  const tns_node *line = m->nests.from.line[m->at];
  m->sym = line->target->sym;
  bool sets = line->update == TNS_NONE && m->sym->rank > 0;
  if ((line->update != TNS_ADD && !sets)
      || !tns_lines_own (m->nests.arena, &m->nests.from, line->target)
      || !only_adds (&m->nests.from, line->target, sets ? line : NULL))
    return false;
  for (int k = m->at + 1; k < m->nests.from.n_lines; k++)
    if (m->nests.from.line[k]->target->sym == m->sym)
      return false;
  m->nests.second = m->nests.first + 1;
  while (m->nests.second < m->nests.block->n_kids
         && !tns_node_mentions (m->nests.block->kid[m->nests.second], m->sym))
    m->nests.second++;
  return m->nests.second < m->nests.block->n_kids;
}

/* Line AT of M's first nest may and should be delayed.  */
static bool
may_move (move *m)
{
  if (!find_next (m)
      || !tns_lines_read (&m->nests.to, m->nests.block->kid[m->nests.second])
      || !tns_alike_find (&m->nests))
    return false;
  m->value = read_through (m);
  m->n_divisions = m->n_nodes = m->n_new = 0;
  m->first_new = NULL;
  m->fits = true;
  tns_expr_walk (m->value, look_at, m);
  return m->fits && m->n_new <= 1 && m->n_divisions <= 1
         && m->n_nodes <= MOST_NODES
         && only_adds (
           &m->nests.to,
           tns_alike_renamed (&m->nests, m->nests.from.line[m->at]->target),
           NULL);
}

/* NODE with what is in MADE, a BLOCK or NULL, in the place of OLD, which stands
   in a BLOCK below.  */
static tns_node *
with_replaced (tns_arena *arena, tns_node *node, const tns_node *old,
               const tns_node *made)
{
  tns_node *copy = tns_node_copy (arena, node);
  if (node->kind == TNS_LOOP)
    copy->body = with_replaced (arena, node->body, old, made);
  if (node->kind != TNS_BLOCK)
    return node->kind == TNS_LOOP ? copy : node;
  copy = tns_block (arena, node->loc);
  for (int k = 0; k < node->n_kids; k++)
    {
      bool is_old = node->kid[k] == old;
      for (int l = 0; is_old && made && l < made->n_kids; l++)
        tns_block_add (arena, copy, made->kid[l]);
      if (!is_old)
        tns_block_add (arena, copy,
                       with_replaced (arena, node->kid[k], old, made));
    }
  return copy;
}

/* M's block after the move.  */
static tns_node *
moved (const move *m)
{
  tns_arena *arena = m->nests.arena;
  tns_node *line = m->nests.from.line[m->at];
  tns_node *late = tns_node_copy (arena, line);
  late->target = tns_alike_renamed (&m->nests, line->target);
  late->value = tns_alike_renamed (&m->nests, m->value);
  int first = 0;
  while (m->nests.to.line[first]->target->sym != m->sym)
    first++;
  tns_node *both = tns_block (arena, line->loc);
  tns_block_add (arena, both, late);
  tns_block_add (arena, both, m->nests.to.line[first]);
  tns_node *made = tns_block (arena, m->nests.block->loc);
  for (int k = 0; k < m->nests.block->n_kids; k++)
    {
      tns_node *kid = m->nests.block->kid[k];
      if (k == m->nests.first)
        kid = with_replaced (arena, kid, line, NULL);
      if (k == m->nests.second)
        kid = with_replaced (arena, kid, m->nests.to.line[first], both);
      tns_block_add (arena, made, kid);
    }
  return made;
}

/* BLOCK with one addition delayed, or NULL.  */
static tns_node *
delayed (tns_ctx *ctx, tns_node *block)
{
  move *m = TNS_NEW (ctx->arena, move);
  m->ctx = ctx;
  m->nests.arena = ctx->arena;
  m->nests.block = block;
  for (m->nests.first = block->n_kids - 2; m->nests.first >= 0;
       m->nests.first--)
    if (tns_lines_read (&m->nests.from, block->kid[m->nests.first]))
      for (m->at = m->nests.from.n_lines - 1; m->at >= 0; m->at--)
        if (may_move (m))
          return moved (m);
  return NULL;
}

/* A BLOCK, whose kids are done.  */
static tns_node *
change_block (tns_node *node, void *self)
{
  for (int k = 0; node->kind == TNS_BLOCK && k < MOST_MOVES; k++)
    {
      tns_node *made = delayed (self, node);
      if (!made)
        return node;
      node = made;
    }
  return node;
}

tns_region *
tns_region_delay (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  tns_region *made = tns_region_copy (ctx->arena, region);
  made->body
    = tns_node_rebuild (ctx->arena, region->body, change_block, NULL, ctx);
  return made;
}
