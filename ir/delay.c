/* Sums delayed, as ir/delay.h says.

   Two nests of loops with the same ranges, right around assignments alone,
   stand in one block; the last addition to an array in the first one goes
   before what the second one adds, when

     both do nothing else with the array than to add to that element, which
     is each iteration's own, and what stands between does nothing with it
     the term, cells that are set beside it read through, is a few sums and
     products of what neither they nor what stands between writes
     it reads one such array at most that the second nest does not read: a
     load for a load and a store  */

#include "ir/delay.h"

#include "ir/affine.h"
#include "ir/walk.h"

enum
{
  MOST_LOOPS = 8,
  MOST_LINES = 64,
  MOST_NODES = 40,
  MOST_MOVES = 64
};

/* LOOP[0..n_loops), the outermost first, and the assignments LINE[0..n_lines)
   and LOCALs in the innermost one.  */
typedef struct nest
{
  tns_node *top;
  int n_loops;
  tns_node *loop[MOST_LOOPS];
  int n_lines;
  tns_node *line[MOST_LINES];
  int n_locals;
  tns_sym *local[MOST_LINES];
} nest;

/* An addition: LINE[at] of FROM, kid A of BLOCK, goes to TO, kid B.

   iter, by  of FROM's loops as TO has them
   sym       the array
   value     the term
   n_divisions, n_new, n_nodes  what was found in it
   fits      nothing in it is in the way  */
typedef struct move
{
  tns_arena *arena;
  const tns_node *block;
  int a;
  int b;
  nest from;
  nest to;
  tns_sym *iter[MOST_LOOPS];
  tns_expr *by[MOST_LOOPS];
  int at;
  const tns_sym *sym;
  tns_expr *value;
  int n_divisions;
  int n_nodes;
  int n_new;
  const tns_sym *first_new;
  bool fits;
} move;

/* Take what stands in NODE, below all of N's loops.  */
static bool
take_lines (nest *n, tns_node *node)
{
  if (node->kind == TNS_BLOCK)
    {
      for (int k = 0; k < node->n_kids; k++)
        if (!take_lines (n, node->kid[k]))
          return false;
      return true;
    }
  if (n->n_lines == MOST_LINES || n->n_locals == MOST_LINES)
    return false;
  if (node->kind == TNS_LOCAL)
    n->local[n->n_locals++] = node->sym;
  else if (node->kind == TNS_ASSIGN && !node->mask)
    n->line[n->n_lines++] = node;
  else
    return false;
  return true;
}

/* Read NODE as a nest; false where it is none.  */
static bool
read_nest (nest *n, tns_node *node)
{
  *n = (nest){ .top = node };
  if (node->kind != TNS_LOOP)
    return false;
  while (node->kind == TNS_LOOP
         || (node->kind == TNS_BLOCK && node->n_kids == 1))
    if (node->kind == TNS_BLOCK)
      node = node->kid[0];
    else if (n->n_loops == MOST_LOOPS)
      return false;
    else
      {
        n->loop[n->n_loops++] = node;
        node = node->body;
      }
  return take_lines (n, node);
}

/* EXPR of the first nest with the iterators of the second.  */
static tns_expr *
renamed (const move *m, tns_expr *expr)
{
  return tns_expr_substitute (m->arena, expr, m->from.n_loops, m->iter, m->by);
}

/* The loops of M's nests run alike; then M knows their iterators.  */
static bool
are_alike (move *m)
{
  if (m->from.n_loops != m->to.n_loops)
    return false;
  for (int k = 0; k < m->from.n_loops; k++)
    {
      m->iter[k] = m->from.loop[k]->iter;
      m->by[k] = tns_value (m->arena, m->to.loop[k]->iter);
    }
  for (int k = 0; k < m->from.n_loops; k++)
    if (m->from.loop[k]->step != m->to.loop[k]->step
        || !tns_expr_equal (renamed (m, m->from.loop[k]->lo), m->to.loop[k]->lo)
        || !tns_expr_equal (renamed (m, m->from.loop[k]->hi),
                            m->to.loop[k]->hi))
      return false;
  return true;
}

/* EXPR, a LOAD, moves with all loops of N.  */
static bool
moves_with_all (const nest *n, tns_expr *expr)
{
  for (int k = 0; k < n->n_loops; k++)
    if (!tns_expr_mentions (expr, n->loop[k]->iter))
      return false;
  return true;
}

/* Each iteration of N has an element of its own in PLACE, a LOAD.  */
static bool
is_own (const move *m, const nest *n, const tns_expr *place)
{
  for (int k = 0; k < n->n_loops; k++)
    {
      bool found = false;
      for (int d = 0; d < place->n_args && !found; d++)
        {
          tns_affine at;
          found = tns_affine_of (m->arena, place->arg[d], &at) && at.n == 1
                  && at.sym[0] == n->loop[k]->iter;
        }
      if (!found)
        return false;
    }
  return true;
}

/* All that N does with the array of PLACE, a LOAD, is to add to that.  */
static bool
only_adds (const nest *n, const tns_expr *place)
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
          || (adds && line->update != TNS_ADD)
          || (adds && !tns_expr_equal (line->target, place))
          || (!adds && tns_expr_mentions (line->target, place->sym)))
        return false;
    }
  return true;
}

/* The only line of N before line END that sets the cell SYM; NULL where that is
   not so.  */
static const tns_node *
setter (const nest *n, int end, const tns_sym *sym)
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

/* SYM is one of N's LOCALs.  */
static bool
is_local_of (const nest *n, const tns_sym *sym)
{
  for (int k = 0; k < n->n_locals; k++)
    if (n->local[k] == sym)
      return true;
  return false;
}

/* M's term with the cells of its nest read through, as far as it can be.  */
static tns_expr *
read_through (const move *m)
{
  tns_expr *value = m->from.line[m->at]->value;
  for (int k = m->at - 1; k >= 0; k--)
    {
      const tns_node *line = m->from.line[k];
      const tns_sym *cell = line->target->sym;
      if (cell->rank == 0 && is_local_of (&m->from, cell)
          && setter (&m->from, m->at, cell) == line
          && tns_expr_mentions (value, cell))
        value = tns_expr_with_cell (m->arena, value, cell, line->value);
    }
  return value;
}

/* Some kid from M's first nest to its second writes SYM.  */
static bool
is_written (const move *m, const tns_sym *sym)
{
  for (int k = m->a; k <= m->b; k++)
    if (tns_node_writes (m->block->kid[k], sym))
      return true;
  return false;
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
  if (is_call || (reads && is_local_of (&m->from, expr->sym))
      || (reads && is_written (m, expr->sym)))
    m->fits = false;
  if (reads && moves_with_all (&m->from, expr) && expr->sym != m->first_new
      && !tns_node_mentions (m->to.top, expr->sym))
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
  const tns_node *line = m->from.line[m->at];
  m->sym = line->target->sym;
  if (line->update != TNS_ADD || !is_own (m, &m->from, line->target)
      || !only_adds (&m->from, line->target))
    return false;
  for (int k = m->at + 1; k < m->from.n_lines; k++)
    if (m->from.line[k]->target->sym == m->sym)
      return false;
  m->b = m->a + 1;
  while (m->b < m->block->n_kids
         && !tns_node_mentions (m->block->kid[m->b], m->sym))
    m->b++;
  return m->b < m->block->n_kids;
}

/* Line AT of M's first nest may and should be delayed.  */
static bool
may_move (move *m)
{
  if (!find_next (m) || !read_nest (&m->to, m->block->kid[m->b])
      || !are_alike (m))
    return false;
  m->value = read_through (m);
  m->n_divisions = m->n_nodes = m->n_new = 0;
  m->first_new = NULL;
  m->fits = true;
  tns_expr_walk (m->value, look_at, m);
  return m->fits && m->n_new <= 1 && m->n_divisions <= 1
         && m->n_nodes <= MOST_NODES
         && only_adds (&m->to, renamed (m, m->from.line[m->at]->target));
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
  tns_arena *arena = m->arena;
  tns_node *line = m->from.line[m->at];
  tns_node *late = tns_node_copy (arena, line);
  late->target = renamed (m, line->target);
  late->value = renamed (m, m->value);
  int first = 0;
  while (m->to.line[first]->target->sym != m->sym)
    first++;
  tns_node *both = tns_block (arena, line->loc);
  tns_block_add (arena, both, late);
  tns_block_add (arena, both, m->to.line[first]);
  tns_node *made = tns_block (arena, m->block->loc);
  for (int k = 0; k < m->block->n_kids; k++)
    {
      tns_node *kid = m->block->kid[k];
      if (k == m->a)
        kid = with_replaced (arena, kid, line, NULL);
      if (k == m->b)
        kid = with_replaced (arena, kid, m->to.line[first], both);
      tns_block_add (arena, made, kid);
    }
  return made;
}

/* BLOCK with one addition delayed, or NULL.  */
static tns_node *
delayed (tns_arena *arena, tns_node *block)
{
  move *m = TNS_NEW (arena, move);
  m->arena = arena;
  m->block = block;
  for (m->a = block->n_kids - 2; m->a >= 0; m->a--)
    if (read_nest (&m->from, block->kid[m->a]))
      for (m->at = m->from.n_lines - 1; m->at >= 0; m->at--)
        if (may_move (m))
          return moved (m);
  return NULL;
}

/* A BLOCK, whose kids are done.  */
static tns_node *
change_block (tns_node *node, void *self)
{
  tns_arena *arena = self;
  for (int k = 0; node->kind == TNS_BLOCK && k < MOST_MOVES; k++)
    {
      tns_node *made = delayed (arena, node);
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
  made->body = tns_node_rebuild (ctx->arena, region->body, change_block, NULL,
                                 ctx->arena);
  return made;
}
