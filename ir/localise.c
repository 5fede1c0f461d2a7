/* Arrays that become variables of an iteration, as ir/localise.h says.

   An array X of rank r that is LOCAL to a block becomes one when two nodes of
   the block mention it:

   1. a nest of r loops with an assignment of a number, or of a VALUE, to X
      under no condition, whose iterators, in any order, go through all of
      X's elements;
   2. after that, loops L1, .., Lr, one inside the other, that stand in no other
      loop of the block: every access is in Lr's body, and its subscripts are
      the iterators of L1, .., Lr, in one order, each once.

   So an iteration of Lr touches one element, and no other iteration that one.
   The assignment goes to the beginning of Lr's body.

   Does not do: rows that an iteration has of its own.  */

#include "ir/localise.h"

#include "ir/handed.h"
#include "ir/walk.h"

/* An array and where it is accessed.

   set    the assignment to all of it, in the block around
   loop   [sym->rank], L1, .., Lr
   iter   [sym->rank], by subscript: the iterator of one of them
   cell   what stands for it in an iteration
   fits   no access is in the way  */
typedef struct array
{
  tns_ctx *ctx;
  tns_arena *arena;
  const tns_sym *sym;
  tns_node *set;
  tns_node *around;
  tns_node *loop[TNS_MOST_RANK];
  const tns_sym *iter[TNS_MOST_RANK];
  tns_sym *cell;
  bool fits;
} array;

/* SYM may become a variable.  */
static bool
may_change (const tns_sym *sym)
{
  const unsigned bars = TNS_SYM_KEPT | TNS_SYM_STEERS;
  return sym->rank > 0 && !sym->stride && sym->type.lanes == 1
         && !(sym->flags & bars);
}

/* The number of the one kid of BLOCK from FROM on that mentions SYM, -1 where
   there is none, or another one, too.  */
static int
only_kid (const tns_node *block, int from, const tns_sym *sym)
{
  int found = -1;
  for (int k = from; k < block->n_kids; k++)
    if (tns_node_mentions (block->kid[k], sym))
      {
        if (found >= 0)
          return -1;
        found = k;
      }
  return found;
}

/* E where it is more than 0.  */
static const tns_expr *
above_zero (const tns_expr *e)
{
  long long least;
  for (int k = 0; e->op == TNS_MAX && k < 2; k++)
    if (tns_expr_is_int (e->arg[k], &least) && least == 0)
      return e->arg[1 - k];
  return e;
}

/* LOOP goes through the subscripts up to EXTENT, one by one.  */
static bool
goes_through (const tns_node *loop, const tns_expr *extent)
{
  return tns_loop_is_plain (loop) && extent
         && tns_expr_equal (above_zero (loop->hi), above_zero (extent));
}

/* VALUE is a number or a VALUE.  */
static bool
is_fixed (const tns_expr *value)
{
  return value->op == TNS_INT || value->op == TNS_REAL
         || (value->op == TNS_SYM && value->sym->kind == TNS_SYM_VALUE);
}

/* The number of the loop among LOOP[0..n) whose iterator EXPR is; N where it is
   of none.  */
static int
loop_of (tns_node *const *loop, int n, const tns_expr *expr)
{
  int k = 0;
  while (k < n && (expr->op != TNS_SYM || expr->sym != loop[k]->iter))
    k++;
  return k;
}

/* Each of LOOP, around X's assignment SET, goes through one of its
   subscripts.  */
static bool
covers (const array *x, tns_node *const *loop, const tns_node *set)
{
  const int rank = x->sym->rank;
  unsigned seen = 0;
  for (int k = 0; k < rank; k++)
    {
      int at = loop_of (loop, rank, set->target->arg[k]);
      if (at == rank || !goes_through (loop[at], x->sym->extent[k]))
        return false;
      seen |= 1u << at;
    }
  return seen == (1u << rank) - 1;
}

/* NODE sets all of X: note where.  */
static bool
find_set (array *x, tns_node *node)
{
  tns_node *loop[TNS_MOST_RANK];
  for (int k = 0; k < x->sym->rank; k++)
    {
      if (node->kind != TNS_LOOP || only_kid (node->body, 0, x->sym) < 0)
        return false;
      loop[k] = node;
      x->around = node->body;
      node = node->body->kid[only_kid (node->body, 0, x->sym)];
    }
  x->set = node;
  return node->kind == TNS_ASSIGN && node->target->sym == x->sym
         && node->target->op == TNS_LOAD && node->update == TNS_NONE
         && !node->mask && node->target->type.lanes == 1
         && is_fixed (node->value) && covers (x, loop, node);
}

/* The one node right in NODE, a block or a condition, that mentions SYM, or
   NULL.  */
static tns_node *
one_inside (const tns_node *node, const tns_sym *sym)
{
  if (node->kind == TNS_BLOCK)
    {
      int at = only_kid (node, 0, sym);
      return at < 0 ? NULL : node->kid[at];
    }
  bool then = tns_node_mentions (node->then, sym);
  bool otherwise = node->otherwise && tns_node_mentions (node->otherwise, sym);
  if (then == otherwise || tns_expr_mentions (node->cond, sym))
    return NULL;
  return then ? node->then : node->otherwise;
}

/* All that NODE does with X stands in as many loops as it has subscripts: note
   them.  */
static bool
find_loops (array *x, tns_node *node)
{
  for (int k = 0; k < x->sym->rank; k++)
    {
      while (node && (node->kind == TNS_BLOCK || node->kind == TNS_IF))
        node = one_inside (node, x->sym);
      if (!node || node->kind != TNS_LOOP
          || tns_expr_mentions (node->lo, x->sym)
          || tns_expr_mentions (node->hi, x->sym))
        return false;
      x->loop[k] = node;
      node = node->body;
    }
  return true;
}

/* EXPR, an access of X, is of the iteration's own element.  The first one says
   which that is.  */
static bool
is_own (array *x, const tns_expr *expr)
{
  const int rank = x->sym->rank;
  unsigned seen = 0;
  if (expr->op != TNS_LOAD || expr->type.lanes > 1)
    return false;
  for (int k = 0; k < rank; k++)
    {
      int at = loop_of (x->loop, rank, expr->arg[k]);
      if (at == rank || (x->iter[k] && x->iter[k] != x->loop[at]->iter))
        return tns_ctx_breaks (x->ctx, "localise");
      x->iter[k] = x->loop[at]->iter;
      seen |= 1u << at;
    }
  return seen == (1u << rank) - 1;
}

/* The visitor: whether what EXPR accesses of X fits.  */
static bool
note_access (tns_expr *expr, void *self)
{
  array *x = self;
  const tns_handed *handed = tns_call_arguments (expr);
  for (int k = 0; handed && k < expr->n_args; k++)
    if (expr->arg[k]->op == TNS_LOAD && handed[k].kind != TNS_HANDED_NUMBER)
      x->fits &= expr->arg[k]->sym != x->sym;
  if (tns_expr_reads (expr) && expr->sym == x->sym)
    x->fits &= is_own (x, expr);
  return x->fits;
}

/* The visitor of nodes.  */
static bool
note_node (tns_node *node, void *self)
{
  array *x = self;
  tns_node_exprs (node, note_access, x);
  return x->fits;
}

/* X, local to BLOCK, may become a variable; *SETTER and *USER are the numbers
   of the two nodes.  */
static bool
find (array *x, const tns_node *block, int *setter, int *user)
{
  if (!may_change (x->sym))
    return false;
  *setter = 0;
  while (*setter < block->n_kids
         && !tns_node_mentions (block->kid[*setter], x->sym))
    ++*setter;
  *user = only_kid (block, *setter + 1, x->sym);
  if (*user < 0 || !find_set (x, block->kid[*setter])
      || !find_loops (x, block->kid[*user]))
    return false;
  x->fits = true;
  tns_node_walk (x->loop[x->sym->rank - 1]->body, note_node, x);
  return x->fits;
}

/* A cell for X in REGION.  */
static tns_sym *
make_cell (const array *x, tns_region *region)
{
  const tns_sym *sym = x->sym;
  tns_sym *cell = tns_region_add_array (x->arena, region, sym->name,
                                        sym->type.elem, 0, sym->flags);
  cell->spelled = sym->spelled;
  cell->loc = sym->loc;
  return cell;
}

/* The changer: EXPR, an element of X, is its cell.  */
static tns_expr *
change_access (tns_expr *expr, void *self)
{
  const array *x = self;
  if (!tns_expr_reads (expr) || expr->sym != x->sym)
    return expr;
  tns_expr *cell = tns_cell (x->arena, x->cell);
  cell->loc = expr->loc;
  return cell;
}

/* The same in the whole of EXPR.  */
static tns_expr *
change_expr (tns_expr *expr, void *self)
{
  const array *x = self;
  return tns_expr_rebuild (x->arena, expr, change_access, self);
}

/* Drop kid AT of BLOCK.  */
static void
drop (tns_node *block, int at)
{
  for (int k = at + 1; k < block->n_kids; k++)
    block->kid[k - 1] = block->kid[k];
  block->n_kids--;
}

/* Move X's assignment to the beginning of the innermost loop's body, with the
   cell that it sets.  */
static void
move_set (array *x)
{
  tns_node *loop = x->loop[x->sym->rank - 1];
  tns_node *body = tns_block (x->arena, loop->body->loc);
  drop (x->around, only_kid (x->around, 0, x->sym));
  tns_block_add (x->arena, body, tns_local (x->arena, x->set->loc, x->cell));
  tns_block_add (x->arena, body, x->set);
  for (int k = 0; k < loop->body->n_kids; k++)
    tns_block_add (x->arena, body, loop->body->kid[k]);
  loop->body = body;
}

/* The pass.

   made  the region that it makes
   some  an array has become a variable  */
typedef struct pass
{
  tns_ctx *ctx;
  tns_region *made;
  bool some;
} pass;

/* The visitor that notes a statement.  */
static bool
note_statement (tns_node *node, void *self)
{
  bool *found = self;
  *found |= node->kind == TNS_ASSIGN || node->never;
  return !*found;
}

/* Nothing is left to do in NODE.  */
static bool
is_idle (tns_node *node)
{
  bool found = false;
  tns_node_walk (node, note_statement, &found);
  return !found;
}

/* The array that kid AT of BLOCK declares becomes a variable where it may:
   BLOCK, whose nodes nobody else has, is without that kid then.  */
static bool
localise (pass *p, tns_node *block, int at)
{
  array x = { .ctx = p->ctx, .arena = p->ctx->arena };
  int setter, user;
  x.sym = block->kid[at]->sym;
  if (!find (&x, block, &setter, &user))
    return false;
  x.cell = make_cell (&x, p->made);
  move_set (&x);
  block->kid[user]
    = tns_node_rebuild (x.arena, block->kid[user], NULL, change_expr, &x);
  if (is_idle (block->kid[setter]))
    drop (block, setter);
  drop (block, at);
  p->some = true;
  return true;
}

/* The changer of blocks.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  pass *p = self;
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    if (node->kid[k]->kind == TNS_LOCAL && localise (p, node, k))
      k--;
  return node;
}

tns_region *
tns_region_localise (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  pass p = { .ctx = ctx };
  p.made = tns_region_copy (ctx->arena, region);
  p.made->body
    = tns_node_rebuild (ctx->arena, region->body, change_node, NULL, &p);
  return p.some ? p.made : region;
}
