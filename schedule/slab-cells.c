/* Scalars of a slab's loop in the elements where they end.

     for i for j {                        for i for j {
       local s;
       s = A[i][j];
       for k = 0 to j                ->     for k = 0 to j
         s -= A[i][k] * A[j][k];              A[i][j] -= A[i][k] * A[j][k];
       A[i][j] = s / A[j][j]; }             A[i][j] = A[i][j] / A[j][j]; }

   A scalar keeps the statements that use it in one loop, or needs memory for
   all iterations.  It has that where it is stored in the end.  Of the
   statements of one block:

     first    sets the scalar, in any case
     last     stores it, or what is computed of it, in an element, in any case;
              behind one that does not store the scalar itself nothing uses it;
              two stores under opposite conditions are one, of what these
              choose

   and nothing but first reads, nothing but last writes, that element in the
   same iteration of the loops around, as isl says.  */

#include <string.h>

#include "ir/walk.h"
#include "schedule/slab.h"

/* A scalar and where it ends.

   first, last  what sets it and what stores it
   at           the kid of the block that is, or holds, the last one
   store        what is last in SCOP: one, or the two under conditions
   asked        which of these is looked at  */
typedef struct ending
{
  tns_ctx *ctx;
  const tns_scop *scop;
  const tns_sym *scalar;
  const tns_node *first;
  tns_node *last;
  int at;
  const tns_node *store[2];
  int asked;
  bool holds;
} ending;

/* The statement of SCOP that NODE is, or NULL.  */
static const tns_stmt *
stmt_of (const tns_scop *scop, const tns_node *node)
{
  for (int s = 0; node->name && s < scop->n_stmts; s++)
    if (!strcmp (scop->stmt[s].name, node->name))
      return &scop->stmt[s];
  return NULL;
}

/* The write of STMT, which has one, or NULL.  */
static const tns_access *
write_of (const tns_stmt *stmt)
{
  for (int a = 0; a < stmt->n_accesses; a++)
    if (stmt->access[a].write)
      return &stmt->access[a];
  return NULL;
}

/* { S[i, k] -> [i] }, the first N iterators of STMT's instances.  */
static __isl_give isl_map *
outer_of (const tns_stmt *stmt, int n)
{
  isl_map *map = isl_set_identity (isl_set_copy (stmt->domain));
  map = isl_map_reset_tuple_id (map, isl_dim_out);
  return isl_map_project_out (map, isl_dim_out, (unsigned) n,
                              (unsigned) (stmt->n_iters - n));
}

/* ACCESS of STMT never is of the element that E's store stores in the same
   iteration of the loops around it.  */
static bool
is_elsewhere (const ending *e, const tns_stmt *stmt, const tns_access *access)
{
  const tns_stmt *last = stmt_of (e->scop, e->store[e->asked]);
  const tns_access *target = write_of (last);
  if (stmt->n_iters < last->n_iters)
    return false;
  isl_map *pairs = isl_map_apply_range (
    isl_map_copy (target->map), isl_map_reverse (isl_map_copy (access->map)));
  isl_map *same
    = isl_map_apply_range (outer_of (last, last->n_iters),
                           isl_map_reverse (outer_of (stmt, last->n_iters)));
  pairs = isl_map_intersect (pairs, same);
  pairs = isl_map_intersect_params (pairs, isl_set_copy (e->scop->context));
  bool empty = isl_map_is_empty (pairs) == isl_bool_true;
  isl_map_free (pairs);
  return empty;
}

/* The visitor of a block's nodes that finds what touches the element.  */
static bool
note_touch (tns_node *node, void *self)
{
  ending *e = self;
  if (node->kind != TNS_ASSIGN || !e->holds)
    return e->holds;
  const tns_stmt *stmt = stmt_of (e->scop, node);
  const tns_stmt *last = stmt_of (e->scop, e->store[e->asked]);
  bool is_last = node == e->store[0] || node == e->store[1];
  e->holds = stmt != NULL;
  for (int a = 0; e->holds && a < stmt->n_accesses; a++)
    {
      const tns_access *access = &stmt->access[a];
      bool is_own
        = (node == e->first && !access->write) || (is_last && access->write);
      if (access->array == write_of (last)->array && !is_own)
        e->holds = is_elsewhere (e, stmt, access);
    }
  return e->holds;
}

/* E's scalar may live where its last statement of BLOCK stores it.  */
static bool
may_live_there (ending *e, tns_node *block)
{
  const tns_expr *target = e->last->target;
  e->holds = target->type.elem == e->scalar->type.elem && !e->last->mask;
  for (int k = 0; k < target->n_args; k++)
    e->holds = e->holds && !tns_expr_loads (target->arg[k]);
  for (e->asked = 0; e->asked < 2 && e->store[e->asked]; e->asked++)
    {
      e->holds = e->holds && stmt_of (e->scop, e->store[e->asked]);
      if (e->holds)
        tns_node_walk (block, note_touch, e);
    }
  return e->holds;
}

/* NODE sets E's scalar to what has nothing to do with it before.  */
static bool
is_first (const ending *e, const tns_node *node)
{
  return node->kind == TNS_ASSIGN && node->target->sym == e->scalar
         && node->update == TNS_NONE && !node->mask
         && !tns_expr_mentions (node->value, e->scalar);
}

/* NODE stores E's scalar, or what is computed of it, in an element.  */
static bool
is_last (const ending *e, const tns_node *node)
{
  return node->kind == TNS_ASSIGN && node->target->op == TNS_LOAD
         && node->target->sym->rank > 0 && node->update == TNS_NONE
         && tns_expr_mentions (node->value, e->scalar);
}

/* X and Y are one element where COND, that two iterators are equal, holds.  */
static bool
is_same_where (const ending *e, const tns_expr *cond, tns_expr *x, tns_expr *y)
{
  if (tns_expr_equal (x, y))
    return true;
  if (cond->op != TNS_EQ || cond->arg[0]->op != TNS_SYM)
    return false;
  tns_arena *arena = e->ctx->arena;
  tns_sym *a = cond->arg[0]->sym;
  tns_expr *b = cond->arg[1];
  return tns_expr_equal (tns_expr_substitute (arena, x, 1, &a, &b),
                         tns_expr_substitute (arena, y, 1, &a, &b));
}

/* Fill what NODE stores in the end, if it does: false where it does not.  */
static bool
find_stores (ending *e, tns_node *node)
{
  e->store[0] = e->last = node;
  e->store[1] = NULL;
  if (node->kind != TNS_IF || !node->otherwise)
    return is_last (e, node);
  tns_node *one = tns_node_bare (node->then);
  tns_node *other = tns_node_bare (node->otherwise);
  if (!is_last (e, one) || !is_last (e, other) || one->mask || other->mask
      || tns_expr_mentions (node->cond, e->scalar)
      || !is_same_where (e, node->cond, one->target, other->target))
    return false;
  tns_arena *arena = e->ctx->arena;
  e->store[0] = other;
  e->store[1] = one;
  tns_expr *chosen[3] = { node->cond, one->value, other->value };
  e->last = tns_assign (
    arena, node->loc, other->target, TNS_NONE,
    tns_make (arena, TNS_SELECT, other->value->type, NULL, 3, chosen));
  e->last->name = other->name;
  return true;
}

/* Find where the scalar of E ends in BLOCK.  False where it need not.  */
static bool
find_ending (ending *e, tns_node *block)
{
  int at = 0;
  while (at < block->n_kids && !tns_node_mentions (block->kid[at], e->scalar))
    at++;
  if (at < block->n_kids && block->kid[at]->kind == TNS_LOCAL)
    at++;
  if (at == block->n_kids || !is_first (e, block->kid[at]))
    return false;
  e->first = block->kid[at];
  while (++at < block->n_kids && !find_stores (e, block->kid[at]))
    ;
  if (at == block->n_kids)
    return false;
  e->at = at;
  bool is_used = false;
  for (int k = at + 1; k < block->n_kids; k++)
    is_used |= tns_node_mentions (block->kid[k], e->scalar);
  bool is_copy
    = e->last->value->op == TNS_LOAD && e->last->value->sym == e->scalar;
  return (is_copy || !is_used) && may_live_there (e, block);
}

/* The changer of parts of expressions: the element in the scalar's place.  */
static tns_expr *
change_read (tns_expr *expr, void *self)
{
  const ending *e = self;
  return expr->op == TNS_LOAD && expr->sym == e->scalar ? e->last->target
                                                        : expr;
}

/* The same of whole expressions.  */
static tns_expr *
change_expr (tns_expr *expr, void *self)
{
  const ending *e = self;
  return tns_expr_rebuild (e->ctx->arena, expr, change_read, self);
}

/* The changer of nodes: nothing declares the scalar, or sets an element to
   itself.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  const ending *e = self;
  if (node->kind == TNS_LOCAL && node->sym == e->scalar)
    return NULL;
  bool is_copy = node->kind == TNS_ASSIGN && node->update == TNS_NONE
                 && tns_expr_equal (node->target, node->value);
  return is_copy ? NULL : node;
}

/* The changer of blocks: each scalar that may lives where it ends.  */
static tns_node *
change_block (tns_node *node, void *self)
{
  ending *e = self;
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    {
      const tns_node *kid = node->kid[k];
      if (kid->kind != TNS_LOCAL || kid->sym->rank > 0)
        continue;
      e->scalar = kid->sym;
      if (!find_ending (e, node))
        continue;
      node = tns_node_copy (e->ctx->arena, node);
      node->kid[e->at] = e->last;
      node
        = tns_node_rebuild (e->ctx->arena, node, change_node, change_expr, e);
      k = -1;
    }
  return node;
}

tns_node *
tns_slab_cells (tns_ctx *ctx, const tns_scop *scop, tns_node *body)
{
  ending e = { .ctx = ctx, .scop = scop };
  return tns_node_rebuild (ctx->arena, body, change_block, NULL, &e);
}
