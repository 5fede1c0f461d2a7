/* What one iteration stores and the next one loads, as lowering/carry.h says.

   Of an innermost loop without lanes:

   1. a store A[f (i)] of a scalar, which stands directly in the body and is
      the only one to A, goes to another element in each iteration;
   2. loads of A[f (i - step)] that are evaluated in each iteration;
   3. the loads become a cell, which has the value of the first one before the
      loop, and what was stored at the end of each iteration.

   Then sums and products: an operand that needs a cell which the iteration
   before assigned, or what was computed of one, is moved behind those that do
   not.

   Does not do: values that live for more than one iteration; loads in an
   operand of ?:, && or ||, which may lie outside of the array.  */

#include "lowering/carry.h"

#include "ir/stride.h"
#include "ir/walk.h"
#include "lowering/linear.h"

enum
{
  MOST_TERMS = 64,
  MOST_CELLS = 8,
  MOST_LATE = 32
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

/* The operator of the tree that EXPR is the top of, whose operands may be in
   another order: ADD, also for SUB, or MUL; NONE.  */
static tns_op
free_operator (const tns_ctx *ctx, const tns_expr *expr)
{
  tns_op op = expr->op == TNS_SUB ? TNS_ADD : expr->op;
  bool is_free = (op == TNS_ADD || op == TNS_MUL)
                 && tns_elem_is_float (expr->type.elem)
                 && ctx->wish.fp != TNS_FP_STRICT;
  return is_free ? op : TNS_NONE;
}

/* Operands of a tree of one operator: MOST_TERMS at most, then N is -1.  */
typedef struct terms
{
  tns_arena *arena;
  tns_op op;
  int n;
  tns_expr *term[MOST_TERMS];
} terms;

/* Append the operands of EXPR, a tree of T's operator, to T; of a difference
   negated where NEGATE.  */
static void
collect_terms (terms *t, tns_expr *expr, bool negate)
{
  if (expr->op == t->op || (t->op == TNS_ADD && expr->op == TNS_SUB))
    {
      collect_terms (t, expr->arg[0], negate);
      collect_terms (t, expr->arg[1], negate != (expr->op == TNS_SUB));
    }
  else if (t->n >= 0 && t->n < MOST_TERMS)
    t->term[t->n++] = negate ? tns_unary (t->arena, TNS_NEG, expr) : expr;
  else
    t->n = -1;
}

/* Cells whose values come late.  */
typedef struct late_cells
{
  int n;
  const tns_sym *cell[MOST_LATE];
} late_cells;

/* EXPR needs one of LATE.  */
static bool
needs_late (tns_expr *expr, const late_cells *late)
{
  for (int k = 0; k < late->n; k++)
    if (tns_expr_mentions (expr, late->cell[k]))
      return true;
  return false;
}

/* T's operands, those that need CELLS behind the others, as one tree.  */
static tns_expr *
late_last (const terms *t, const late_cells *cells)
{
  tns_expr *all = NULL;
  for (int late = 0; late < 2; late++)
    for (int k = 0; k < t->n; k++)
      if (needs_late (t->term[k], cells) == (late == 1))
        all = all ? tns_binary (t->arena, t->op, all, t->term[k]) : t->term[k];
  return all;
}

/* Some operand of T that needs CELLS stands in front of one that does not.  */
static bool
is_early (const terms *t, const late_cells *cells)
{
  bool late = false;
  for (int k = 0; k < t->n; k++)
    {
      bool needs = needs_late (t->term[k], cells);
      if (late && !needs)
        return true;
      late |= needs;
    }
  return false;
}

/* EXPR with what needs CELLS late.  */
static tns_expr *
delay (const carrier *c, tns_expr *expr, const late_cells *cells)
{
  terms t = { .arena = c->arena, .op = free_operator (c->ctx, expr) };
  if (!needs_late (expr, cells) || expr->n_args == 0)
    return expr;
  if (t.op != TNS_NONE)
    collect_terms (&t, expr, false);
  if (is_early (&t, cells))
    {
      for (int k = 0; k < t.n; k++)
        t.term[k] = delay (c, t.term[k], cells);
      return late_last (&t, cells);
    }
  tns_expr **arg = TNS_NEW_ARRAY (c->arena, tns_expr *, expr->n_args);
  for (int k = 0; k < expr->n_args; k++)
    arg[k] = delay (c, expr->arg[k], cells);
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

/* The cells that C's loop hands on to its next iteration, into CELL, those that
   get another's value first: they have been there for longer.  How many.  */
static int
find_handed_on (const carrier *c, const tns_sym **cell)
{
  const tns_node *body = c->loop->body;
  int n = 0;
  for (int fresh = 0; fresh < 2; fresh++)
    for (int k = 0; k < body->n_kids && n < MOST_CELLS; k++)
      {
        const tns_node *kid = body->kid[k];
        if (kid->kind != TNS_ASSIGN || kid->target->sym->rank > 0
            || is_local_to (body, kid->target->sym))
          continue;
        bool is_copy = kid->update == TNS_NONE && kid->value->op == TNS_LOAD
                       && kid->value->n_args == 0
                       && !is_local_to (body, kid->value->sym);
        if (is_copy == (fresh == 0))
          cell[n++] = kid->target->sym;
      }
  return n;
}

/* KID, which gives a cell its value, has what needs one of CELL[0..N) late;
   whether that changed a scalar.  */
static bool
delay_kid (const carrier *c, tns_node *kid, int n, const tns_sym **cell)
{
  tns_expr *value = kid->value;
  if (kid->kind != TNS_ASSIGN || kid->target->sym->rank > 0
      || kid->update != TNS_NONE)
    return false;
  for (int k = 0; k < n; k++)
    kid->value = delay (c, kid->value, &(late_cells){ 1, { cell[k] } });
  return kid->target->sym->type.lanes == 1
         && !tns_expr_equal (kid->value, value);
}

/* What C's loop hands on from one iteration to the next is needed late; whether
   that changed a scalar.  */
static bool
delay_all (const carrier *c)
{
  const tns_sym *cell[MOST_CELLS];
  bool changed = false;
  int n = find_handed_on (c, cell);
  for (int k = 0; n > 0 && k < c->loop->body->n_kids; k++)
    changed |= delay_kid (c, c->loop->body->kid[k], n, cell);
  return changed;
}

/* What C's loop computes of what it hands on, too, is needed late; whether
   that changed a scalar.  */
static bool
delay_computed (const carrier *c)
{
  const tns_node *body = c->loop->body;
  const tns_sym *cell[MOST_CELLS];
  late_cells late = { 0 };
  bool changed = false;
  int n = find_handed_on (c, cell);
  for (int k = 0; k < n; k++)
    late.cell[late.n++] = cell[k];
  for (int k = 0; late.n > 0 && k < body->n_kids; k++)
    {
      tns_node *kid = body->kid[k];
      tns_expr *value = kid->value;
      if (kid->kind != TNS_ASSIGN || !needs_late (value, &late))
        continue;
      kid->value = delay (c, value, &late);
      changed |= value->type.lanes == 1 && !tns_expr_equal (kid->value, value);
      bool lives_on
        = kid->target->sym->rank == 0 && !is_local_to (body, kid->target->sym);
      if (!lives_on && late.n < MOST_LATE)
        late.cell[late.n++] = kid->target->sym;
    }
  return changed;
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
          tns_expr *value = delay (c->c, stored_value (arena, kid),
                                   &(late_cells){ 1, { c->cell } });
          tns_block_add (
            arena, made,
            tns_assign (arena, loc, tns_cell (arena, stored), TNS_NONE, value));
          kid->update = TNS_NONE;
          kid->value = tns_cell (arena, stored);
        }
      tns_block_add (arena, made, kid);
    }
  tns_sym *next = tns_ctx_breaks (c->c->ctx, "carry") ? c->cell : stored;
  tns_block_add (arena, made,
                 tns_assign (arena, loc, tns_cell (arena, c->cell), TNS_NONE,
                             tns_cell (arena, next)));
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
  if (node->kind != TNS_LOOP || node->body->kind != TNS_BLOCK
      || node->marks.parallel)
    return node;
  tns_node_walk (node->body, find_loop, &has_loop);
  if (has_loop)
    return node;
  c->loop = node;
  bool delays = delay_all (c);
  tns_node *first = tns_block (c->arena, node->loc);
  for (int n = 0; n < MOST_CELLS && carry_any (c, first); n++)
    continue;
  delays |= delay_computed (c);
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
