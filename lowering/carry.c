/* What one iteration stores and the next one loads, as lowering/carry.h says.

   Of an innermost loop without lanes:

   1. a store A[f (i)] of a scalar, which stands directly in the body and is
      the only one to A, goes to another element in each iteration;
   2. loads of A[f (i - step)] that are evaluated in each iteration;
   3. the loads become a cell, which has the value of the first one before the
      loop, and what was stored at the end of each iteration.

   Then sums and products: an operand that needs a cell which the iteration
   before assigned is moved behind those that do not.

   Does not do: values that live for more than one iteration; loads in an
   operand of ?:, && or ||, which may lie outside of the array.  */

#include "lowering/carry.h"

#include "ir/stride.h"
#include "ir/walk.h"
#include "lowering/linear.h"

enum
{
  MOST_TERMS = 64,
  MOST_CELLS = 8
};

/* The pass; loop: the innermost one at hand; carried: those done.  */
typedef struct carrier
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  tns_node *loop;
  tns_made_list *carried;
} carrier;

/* The loads of what STORE stored an iteration before.

   first    the first of them, as the loop's first iteration has it
   cell     their place  */
typedef struct carried
{
  const carrier *c;
  const tns_node *store;
  tns_expr *first;
  tns_sym *cell;
} carried;

/* NODE is or holds a loop.  */
static bool
find_loop (tns_node *node, void *self)
{
  bool *found = self;
  *found |= node->kind == TNS_LOOP;
  return !*found;
}

/* How often NODE, or a node below, stores to an array.  */
typedef struct stores
{
  const tns_sym *sym;
  int n;
} stores;

/* The visitor of only_store.  */
static bool
count_store (tns_node *node, void *self)
{
  stores *s = self;
  s->n += node->kind == TNS_ASSIGN && node->target->sym == s->sym;
  return true;
}

/* TARGET is another element in each iteration of the loop.  */
static bool
moves (const carrier *c, const tns_expr *target)
{
  long long stride = 0;
  for (int k = 0; k < target->sym->rank; k++)
    if (tns_expr_stride (c->arena, target->arg[k], c->loop->iter, &stride)
        && stride != 0)
      return true;
  return false;
}

/* STORE, a kid of the loop's body, is its only store to that array, of a
   scalar, and moves.  */
static bool
is_only_store (const carrier *c, const tns_node *store)
{
  stores s = { NULL, 0 };
  if (store->kind != TNS_ASSIGN || store->mask || store->target->op != TNS_LOAD
      || store->target->sym->rank == 0 || store->target->type.lanes != 1
      || !moves (c, store->target))
    return false;
  s.sym = store->target->sym;
  tns_node_walk (c->loop->body, count_store, &s);
  return s.n == 1;
}

/* LOAD, an iteration later, has the subscripts of the store of C.  */
static bool
is_carried (const carried *c, const tns_expr *load)
{
  const tns_expr *target = c->store->target;
  if (load->op != TNS_LOAD || load->sym != target->sym)
    return false;
  tns_arena *arena = c->c->arena;
  tns_sym *iter = c->c->loop->iter;
  tns_expr *next = tns_binary (arena, TNS_ADD, tns_value (arena, iter),
                               tns_int (arena, c->c->loop->step));
  long long distance = 1;
  for (int k = 0; k < load->sym->rank; k++)
    {
      tns_expr *later
        = tns_expr_substitute (arena, load->arg[k], 1, &iter, &next);
      if (!tns_linear_distance (arena, later, target->arg[k], &distance)
          || distance != 0)
        return false;
    }
  return true;
}

/* EXPR with the loads of C in its cell.  */
static tns_expr *
carry_expr (carried *c, tns_expr *expr)
{
  if (!expr)
    return NULL;
  if (is_carried (c, expr))
    {
      tns_expr *lo = c->c->loop->lo;
      if (!c->first)
        c->first
          = tns_expr_substitute (c->c->arena, expr, 1, &c->c->loop->iter, &lo);
      return tns_cell (c->c->arena, c->cell);
    }
  bool may_skip
    = expr->op == TNS_SELECT || expr->op == TNS_LAND || expr->op == TNS_LOR;
  tns_expr **arg = TNS_NEW_ARRAY (c->c->arena, tns_expr *, expr->n_args + 1);
  for (int k = 0; k < expr->n_args; k++)
    arg[k] = may_skip && k > 0 ? expr->arg[k] : carry_expr (c, expr->arg[k]);
  return tns_expr_with_args (c->c->arena, expr, arg);
}

/* KID with the loads of C in its cell.  */
static tns_node *
carry_kid (carried *c, const tns_node *kid)
{
  tns_node *made = tns_node_copy (c->c->arena, kid);
  if (kid->kind != TNS_ASSIGN || kid->mask)
    return made;
  tns_expr **arg
    = TNS_NEW_ARRAY (c->c->arena, tns_expr *, kid->target->n_args + 1);
  for (int k = 0; k < kid->target->n_args; k++)
    arg[k] = carry_expr (c, kid->target->arg[k]);
  made->target = tns_expr_with_args (c->c->arena, kid->target, arg);
  made->value = carry_expr (c, kid->value);
  return made;
}

/* The value that STORE stores.  */
static tns_expr *
stored_value (tns_arena *arena, const tns_node *store)
{
  return store->update == TNS_NONE
           ? store->value
           : tns_binary (arena, store->update, store->target, store->value);
}

/* A new cell of C's, of the type of the stored values.  */
static tns_sym *
add_cell (const carrier *c, const tns_node *store)
{
  return tns_region_add_array (c->arena, c->region, store->target->sym->name,
                               store->target->type.elem, 0, TNS_SYM_LOCAL);
}

/* OP may have its operands in another order for values of type ELEM.  */
static bool
may_reorder (const tns_ctx *ctx, tns_op op, tns_elem elem)
{
  return (op == TNS_ADD || op == TNS_MUL) && tns_elem_is_float (elem)
         && ctx->wish.fp != TNS_FP_STRICT;
}

/* The operands of EXPR, a tree of OP, into TERM[0..N); how many.  */
static int
collect_terms (tns_expr *expr, tns_op op, int n, tns_expr **term)
{
  if (expr->op != op || n < 0)
    {
      if (n >= 0 && n < MOST_TERMS)
        term[n] = expr;
      return n >= 0 && n < MOST_TERMS ? n + 1 : -1;
    }
  n = collect_terms (expr->arg[0], op, n, term);
  return collect_terms (expr->arg[1], op, n, term);
}

/* TERM[0..N), those that need CELL behind the others, as one sum or product,
   which OP says.  */
static tns_expr *
late_last (const carrier *c, tns_op op, int n, tns_expr **term,
           const tns_sym *cell)
{
  tns_expr *all = NULL;
  for (int late = 0; late < 2; late++)
    for (int k = 0; k < n; k++)
      if (tns_expr_mentions (term[k], cell) == (late == 1))
        all = all ? tns_binary (c->arena, op, all, term[k]) : term[k];
  return all;
}

/* EXPR with what needs CELL late.  */
static tns_expr *
delay (const carrier *c, tns_expr *expr, const tns_sym *cell)
{
  tns_expr *term[MOST_TERMS];
  if (!tns_expr_mentions (expr, cell) || expr->n_args == 0)
    return expr;
  int n = may_reorder (c->ctx, expr->op, expr->type.elem)
            ? collect_terms (expr, expr->op, 0, term)
            : -1;
  if (n >= 0)
    {
      for (int k = 0; k < n; k++)
        term[k] = delay (c, term[k], cell);
      return late_last (c, expr->op, n, term, cell);
    }
  tns_expr **arg = TNS_NEW_ARRAY (c->arena, tns_expr *, expr->n_args);
  for (int k = 0; k < expr->n_args; k++)
    arg[k] = delay (c, expr->arg[k], cell);
  return tns_expr_with_args (c->arena, expr, arg);
}

/* SYM begins its life in BODY.  */
static bool
is_local_to (const tns_node *body, const tns_sym *sym)
{
  for (int k = 0; k < body->n_kids; k++)
    if (body->kid[k]->kind == TNS_LOCAL && body->kid[k]->sym == sym)
      return true;
  return false;
}

/* KID, an ASSIGN, has what needs the value that it replaces late, where that
   is a cell's of the iteration before; whether that changed a
   scalar.  */
static bool
delay_cell (const carrier *c, tns_node *kid)
{
  const tns_sym *sym = kid->target->sym;
  tns_expr *value = kid->value;
  if (sym->rank == 0 && kid->update == TNS_NONE
      && !is_local_to (c->loop->body, sym))
    kid->value = delay (c, value, sym);
  return sym->type.lanes == 1 && !tns_expr_equal (kid->value, value);
}

/* C's loop with the loads of C in its cell; STORED has the value that is
   stored.  */
static tns_node *
carry_body (carried *c, tns_sym *stored)
{
  tns_arena *arena = c->c->arena;
  const tns_node *body = c->c->loop->body;
  tns_loc loc = c->store->loc;
  tns_node *made = tns_block (arena, body->loc);
  tns_block_add (arena, made, tns_local (arena, loc, stored));
  for (int k = 0; k < body->n_kids; k++)
    {
      tns_node *kid = carry_kid (c, body->kid[k]);
      if (body->kid[k] == c->store)
        {
          tns_expr *value = delay (c->c, stored_value (arena, kid), c->cell);
          tns_block_add (
            arena, made,
            tns_assign (arena, loc, tns_cell (arena, stored), TNS_NONE, value));
          kid->update = TNS_NONE;
          kid->value = tns_cell (arena, stored);
        }
      tns_block_add (arena, made, kid);
    }
  tns_block_add (arena, made,
                 tns_assign (arena, loc, tns_cell (arena, c->cell), TNS_NONE,
                             tns_cell (arena, stored)));
  return made;
}

/* Keep what STORE stores in a cell, which gets its first value at the end of
   FIRST; false when the iteration after it does not load that.  */
static bool
carry_store (carrier *c, const tns_node *store, tns_node *first)
{
  tns_arena *arena = c->arena;
  carried loads = { c, store, NULL, NULL };
  if (!is_only_store (c, store))
    return false;
  loads.cell = add_cell (c, store);
  tns_sym *stored = add_cell (c, store);
  tns_node *body = carry_body (&loads, stored);
  if (!loads.first)
    return false;
  tns_loc loc = c->loop->loc;
  c->loop = tns_node_copy (arena, c->loop);
  c->loop->body = body;
  tns_block_add (arena, first, tns_local (arena, loc, loads.cell));
  tns_block_add (arena, first,
                 tns_assign (arena, loc, tns_cell (arena, loads.cell), TNS_NONE,
                             loads.first));
  return true;
}

/* C's loop behind what FIRST holds, where it runs at all.  */
static tns_node *
carried_loop (const carrier *c, tns_node *first)
{
  tns_arena *arena = c->arena;
  const tns_node *loop = c->loop;
  tns_expr *runs
    = tns_binary (arena, loop->step > 0 ? TNS_LT : TNS_GT, loop->lo, loop->hi);
  tns_block_add (arena, first, c->loop);
  return tns_if (arena, loop->loc, runs, first, NULL);
}

/* Carry the first store of C's loop that is like that, as carry_store.  */
static bool
carry_any (carrier *c, tns_node *first)
{
  const tns_node *body = c->loop->body;
  for (int k = 0; k < body->n_kids; k++)
    if (carry_store (c, body->kid[k], first))
      return true;
  return false;
}

/* NODE, an innermost loop without lanes, with its stores carried.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  carrier *c = self;
  bool has_loop = false;
  bool delays = false;
  if (node->kind != TNS_LOOP || node->body->kind != TNS_BLOCK
      || node->marks.parallel)
    return node;
  tns_node_walk (node->body, find_loop, &has_loop);
  if (has_loop)
    return node;
  c->loop = node;
  for (int k = 0; k < node->body->n_kids; k++)
    if (node->body->kid[k]->kind == TNS_ASSIGN)
      delays |= delay_cell (c, node->body->kid[k]);
  tns_node *first = tns_block (c->arena, node->loc);
  for (int n = 0; n < MOST_CELLS && carry_any (c, first); n++)
    continue;
  if (delays || first->n_kids > 0)
    tns_made_note (c->arena, c->carried, c->loop->iter);
  return first->n_kids > 0 ? carried_loop (c, first) : node;
}

tns_region *
tns_region_carry (tns_ctx *ctx, tns_region *region, tns_made *made)
{
  if (!region)
    return NULL;
  carrier c = { ctx, ctx->arena, tns_region_copy (ctx->arena, region), NULL,
                &made->carried };
  c.region->body
    = tns_node_rebuild (ctx->arena, region->body, change_node, NULL, &c);
  return c.region;
}
