/* Searches for an extreme value and its place, as ir/argmax.h says.

   Of a loop with step 1 whose last statement is

     if (e OP best) { best = e; at = f (i); ... }     in any order, or
     if (e (i) OP e (at)) at = i;

   where OP is one of >, >=, <, <=, and what else is in the body mentions
   neither best nor at:

     for t = 0 to (hi - lo + BLOCK - 1) / BLOCK
       b = best;
       for i of block t { body; v[i] = e; b max= e; }
       p = none;
       for i of block t   p min= v[i] == b ? i : none;
       if (b OP best) { best = b; at = f (p); ... }

   The first place wins where OP is strict: p is the least; else the last one,
   p is the greatest, and there must be one.  What is no number is never taken,
   as in the loop as written: no comparison with it holds.

   v has the values that were compared: computed once more they might be
   rounded otherwise.  Where e is a load, or one operation on loads, it is
   computed again instead.  Blocks stay in the cache between the two loops, and
   places in them are small numbers.

   Less than SHORT iterations stay as they were.

   Loads that jump lanes would make one by one, twice.  There the best value is
   kept beside its place, so that no iteration waits for a load from there:

     if (lo < hi) {
       b = e (at);
       for i  if (e (i) OP b) { b = e (i); at = i; }
     }

   Does not do: floating values under fp (strict); several searches in one loop;
   places that the loop uses; loops inside.  */

#include "ir/argmax.h"

#include "ir/fresh.h"
#include "ir/stride.h"
#include "ir/walk.h"

enum
{
  BLOCK = 1024,
  SHORT = 16
};

/* A search in a loop.

   test     the IF at the end of its body
   value    e
   again    e with the cells of the body read through
   best     what it is compared with
   op       of the update of b
   strict   the first of equal values wins
   simple   again may be computed behind the loop
   from     the first iteration of a block
   length   the iterations of a block
   b, p, v  as above; v NULL where simple  */
typedef struct search
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  tns_node *loop;
  tns_node *test;
  tns_expr *value;
  tns_expr *again;
  tns_expr *best;
  tns_op op;
  bool strict;
  bool simple;
  tns_expr *from;
  tns_expr *length;
  tns_expr *b;
  tns_expr *p;
  tns_sym *v;
} search;

/* The value that the only statement of BODY that stores to the cell SYM gives
   it, a kid of it, and no update; NULL.  */
static tns_expr *
value_of_cell (const tns_node *body, const tns_sym *sym)
{
  tns_expr *value = NULL;
  for (int k = 0; k + 1 < body->n_kids; k++)
    {
      const tns_node *kid = body->kid[k];
      if (kid->kind == TNS_ASSIGN && kid->target->sym == sym && !value
          && kid->update == TNS_NONE && !kid->mask)
        value = kid->value;
      else if (tns_node_writes (body->kid[k], sym))
        return NULL;
    }
  return value;
}

/* EXPR with the cells that S's body gives one value replaced by it.  */
static tns_expr *
read_through (tns_expr *expr, void *self)
{
  const search *s = self;
  if (expr->op != TNS_LOAD || expr->n_args > 0)
    return expr;
  tns_expr *value = value_of_cell (s->loop->body, expr->sym);
  return value ? tns_expr_rebuild (s->arena, value, read_through, self) : expr;
}

/* What an expression does besides loads near each other.  */
typedef struct content
{
  const search *s;
  int roundings;
  bool simple;
} content;

/* ACCESS moves by one element at most with the loop, or not at all.  */
static bool
is_near (const search *s, const tns_expr *access)
{
  long long stride = 0;
  return tns_access_distance (s->arena, access, s->loop->iter, &stride)
         && stride >= -1 && stride <= 1;
}

/* Note what EXPR does.  */
static bool
note_content (tns_expr *expr, void *self)
{
  content *c = self;
  char class = tns_op_class (expr->op);
  bool is_float = tns_elem_is_float (expr->type.elem);
  if (tns_expr_reads (expr))
    {
      c->simple &= expr->op == TNS_LOAD && is_near (c->s, expr)
                   && !tns_node_writes (c->s->loop->body, expr->sym);
      return false;
    }
  c->roundings += is_float && expr->n_args > 1;
  c->simple &= (class == 'A' && expr->op != TNS_DIV && expr->op != TNS_REM)
               || class == 'L' || expr->op == TNS_CAST;
  return true;
}

/* S's value may be computed again behind the loop.  */
static bool
is_simple (const search *s)
{
  content c = { s, 0, true };
  tns_expr_walk (s->again, note_content, &c);
  return c.simple && c.roundings <= 1;
}

/* Note whether EXPR is a load that jumps.  */
static bool
note_jump (tns_expr *expr, void *self)
{
  content *c = self;
  if (tns_expr_reads (expr) && expr->n_args > 0
      && tns_expr_mentions (expr, c->s->loop->iter))
    c->simple &= is_near (c->s, expr);
  return c->simple;
}

/* Note whether NODE, below the loop, jumps or is a loop.  */
static bool
note_jumps (tns_node *node, void *self)
{
  content *c = self;
  c->simple &= node->kind != TNS_LOOP;
  tns_node_exprs (node, note_jump, self);
  return c->simple;
}

/* S's loop goes from element to element.  */
static bool
is_smooth (const search *s)
{
  content c = { s, 0, true };
  tns_node_walk (s->loop->body, note_jumps, &c);
  return c.simple;
}

/* The operator of the update that taking A where A OP B is; NONE.  */
static tns_op
extreme (tns_op op)
{
  return op == TNS_GT || op == TNS_GE   ? TNS_MAX
         : op == TNS_LT || op == TNS_LE ? TNS_MIN
                                        : TNS_NONE;
}

/* B OP' A is A OP B.  */
static tns_op
turned (tns_op op)
{
  return op == TNS_GT   ? TNS_LT
         : op == TNS_GE ? TNS_LE
         : op == TNS_LT ? TNS_GT
         : op == TNS_LE ? TNS_GE
                        : op;
}

/* The statements that S's test chooses.  */
static const tns_node *
chosen (const search *s)
{
  return s->test->then;
}

/* The statement below S's test that stores to TARGET, or NULL.  */
static const tns_node *
store_to (const search *s, const tns_expr *target)
{
  for (int k = 0; k < chosen (s)->n_kids; k++)
    if (tns_expr_equal (chosen (s)->kid[k]->target, target))
      return chosen (s)->kid[k];
  return NULL;
}

/* BEST is S's value at the place that a store keeps.  */
static bool
is_at_place (const search *s, tns_expr *value, tns_expr *best)
{
  const tns_node *store = chosen (s)->kid[0];
  if (chosen (s)->n_kids != 1 || store->target->n_args > 0)
    return false;
  tns_expr *place = store->target;
  tns_expr *iter = tns_value (s->arena, s->loop->iter);
  tns_expr *kept = iter;
  if (place->type.elem != TNS_I64)
    {
      place = tns_cast (s->arena, tns_scalar (TNS_I64), place);
      kept = tns_cast (s->arena, store->target->type, iter);
    }
  return tns_expr_equal (store->value, kept)
         && tns_expr_equal (
           tns_expr_substitute (s->arena, value, 1, &s->loop->iter, &place),
           best);
}

/* S takes VALUE where it OP BEST: note it.  False when it does not.  */
static bool
takes (search *s, tns_op op, tns_expr *value, tns_expr *best)
{
  const tns_node *store = store_to (s, best);
  s->op = extreme (op);
  s->strict = op == TNS_GT || op == TNS_LT || tns_ctx_breaks (s->ctx, "argmax");
  s->best = best;
  s->value = value;
  if (s->op == TNS_NONE || value->type.elem == TNS_BOOL)
    return false;
  if (s->ctx->wish.fp == TNS_FP_STRICT && tns_elem_is_float (value->type.elem))
    return false;
  return store ? tns_expr_equal (store->value, value) && chosen (s)->n_kids > 1
               : is_at_place (s, value, best);
}

/* Note whether EXPR reads memory.  */
static bool
note_read (tns_expr *expr, void *self)
{
  bool *found = self;
  *found |= tns_expr_reads (expr);
  return !*found;
}

/* STORE, below S's test, may be done once, behind the loop: a cell, or an
   element that stays in place, gets S's value or what the iterator tells.  */
static bool
is_late (const search *s, const tns_node *store)
{
  bool reads = false;
  if (store->kind != TNS_ASSIGN || store->update != TNS_NONE || store->mask
      || tns_expr_mentions (store->target, s->loop->iter))
    return false;
  for (int k = 0; k < store->target->n_args; k++)
    tns_expr_walk (store->target->arg[k], note_read, &reads);
  if (!tns_expr_equal (store->value, s->value)
      || !tns_expr_equal (store->target, s->best))
    tns_expr_walk (store->value, note_read, &reads);
  return !reads;
}

/* Note whether EXPR reads what the loop's body, but for its test, stores.  */
static bool
note_changed (tns_expr *expr, void *self)
{
  content *c = self;
  const tns_node *body = c->s->loop->body;
  for (int k = 0; tns_expr_reads (expr) && k + 1 < body->n_kids; k++)
    c->simple &= !tns_node_writes (body->kid[k], expr->sym);
  return c->simple;
}

/* What S's value is compared with changes in the test alone.  */
static bool
is_kept (const search *s)
{
  content c = { s, 0, true };
  tns_expr_walk (s->best, note_changed, &c);
  return c.simple;
}

/* What S's test stores is not used in its loop but for the comparison.  */
static bool
is_apart (const search *s)
{
  const tns_node *body = s->loop->body;
  for (int k = 0; k < chosen (s)->n_kids; k++)
    {
      const tns_node *store = chosen (s)->kid[k];
      const tns_sym *sym = store->target->sym;
      if (!is_late (s, store) || tns_expr_mentions (s->value, sym))
        return false;
      for (int n = 0; n + 1 < body->n_kids; n++)
        if (tns_node_mentions (body->kid[n], sym))
          return false;
      for (int n = 0; n < k; n++)
        if (chosen (s)->kid[n]->target->sym == sym)
          return false;
    }
  return true;
}

/* The body of S's loop, and the IF at its end, are a search.  */
static bool
is_search (search *s)
{
  const tns_node *body = s->loop->body;
  if (body->kind != TNS_BLOCK || body->n_kids == 0)
    return false;
  s->test = body->kid[body->n_kids - 1];
  if (s->test->kind != TNS_IF || s->test->otherwise
      || s->test->then->kind != TNS_BLOCK || s->test->cond->n_args != 2
      || s->test->then->n_kids == 0)
    return false;
  for (int k = 0; k < chosen (s)->n_kids; k++)
    if (chosen (s)->kid[k]->kind != TNS_ASSIGN)
      return false;
  tns_expr **arg = s->test->cond->arg;
  tns_op op = s->test->cond->op;
  return (takes (s, op, arg[0], arg[1])
          || takes (s, turned (op), arg[1], arg[0]))
         && is_apart (s) && is_kept (s);
}

/* A OP B.  */
static tns_expr *
binary (const search *s, tns_op op, tns_expr *a, tns_expr *b)
{
  return tns_binary (s->arena, op, a, b);
}

/* An I64 constant.  */
static tns_expr *
number (const search *s, long long value)
{
  return tns_int (s->arena, value);
}

/* A new cell of S's called NAME, declared in OUT.  */
static tns_expr *
add_cell (const search *s, const char *name, tns_elem elem, tns_node *out)
{
  tns_sym *sym = tns_region_add_array (s->arena, s->region, name, elem, 0,
                                       TNS_SYM_LOCAL | TNS_SYM_OBJECT);
  tns_block_add (s->arena, out, tns_local (s->arena, s->loop->loc, sym));
  return tns_cell (s->arena, sym);
}

/* A new array of BLOCK values of S's, declared in OUT; NULL where none is
   needed.  */
static tns_sym *
add_values (const search *s, tns_node *out)
{
  if (s->simple)
    return NULL;
  tns_sym *sym
    = tns_region_add_array (s->arena, s->region, "values", s->value->type.elem,
                            1, TNS_SYM_LOCAL | TNS_SYM_OBJECT);
  sym->extent[0] = number (s, BLOCK);
  tns_block_add (s->arena, out, tns_local (s->arena, s->loop->loc, sym));
  return sym;
}

/* Put TARGET OP= VALUE, called like the first chosen statement and PART, at the
   end of OUT.  */
static void
add_update (const search *s, tns_node *out, tns_expr *target, tns_op op,
            tns_expr *value, const char *part)
{
  tns_node *made = tns_assign (s->arena, s->loop->loc, target, op, value);
  const char *name = chosen (s)->kid[0]->name;
  if (name)
    made->name = tns_arena_format (s->arena, "%s_%s", name, part);
  tns_block_add (s->arena, out, made);
}

/* The place that no iteration has.  */
static tns_expr *
no_place (const search *s)
{
  return tns_int_of (s->arena, TNS_I32, s->strict ? BLOCK : -1);
}

/* The values of a block, of which S's b becomes the best.  */
static tns_node *
values_loop (const search *s)
{
  tns_arena *arena = s->arena;
  const tns_node *from = s->loop->body;
  tns_sym *iter = tns_region_add_iter (arena, s->region, s->loop->iter->name);
  tns_node *body = tns_block (arena, from->loc);
  for (int k = 0; k + 1 < from->n_kids; k++)
    tns_block_add (arena, body, from->kid[k]);
  tns_expr *value = s->value;
  if (s->v)
    {
      tns_expr *at
        = binary (s, TNS_SUB, tns_value (arena, s->loop->iter), s->from);
      add_update (s, body, tns_load (arena, s->v, &at), TNS_NONE, value,
                  "value");
    }
  add_update (s, body, s->b, s->op, value, "best");
  tns_expr *now = tns_value (arena, iter);
  body = tns_node_substitute (arena, body, 1, &s->loop->iter, &now);
  iter->spelled = s->loop->iter->spelled;
  return tns_loop (arena, s->loop->loc, iter, s->from,
                   binary (s, TNS_ADD, s->from, s->length), 1, body);
}

/* The place of b in a block, which S's p becomes.  */
static tns_node *
places_loop (const search *s)
{
  tns_arena *arena = s->arena;
  tns_sym *iter = tns_region_add_iter (arena, s->region, "place");
  tns_expr *now = tns_value (arena, iter);
  tns_expr *at = binary (s, TNS_ADD, s->from, now);
  tns_expr *value
    = s->v ? tns_load (arena, s->v, &now)
           : tns_expr_substitute (arena, s->again, 1, &s->loop->iter, &at);
  tns_expr *place
    = tns_ternary (arena, TNS_SELECT, binary (s, TNS_EQ, value, s->b),
                   tns_cast (arena, tns_scalar (TNS_I32), now), no_place (s));
  tns_node *body = tns_block (arena, s->loop->loc);
  add_update (s, body, s->p, s->strict ? TNS_MIN : TNS_MAX, place, "place");
  return tns_loop (arena, s->loop->loc, iter, number (s, 0), s->length, 1,
                   body);
}

/* The iteration of b.  That it is one of the loop's, which p alone does not
   say, can be seen.  */
static tns_expr *
iteration (const search *s)
{
  tns_arena *arena = s->arena;
  tns_expr *at = binary (s, TNS_ADD, s->from,
                         tns_cast (arena, tns_scalar (TNS_I64), s->p));
  tns_expr *last = binary (s, TNS_SUB, s->loop->hi, number (s, 1));
  if (!s->strict)
    at = binary (s, TNS_MAX, at, s->loop->lo);
  return binary (s, TNS_MIN, at, last);
}

/* The chosen statements, behind both loops.  */
static tns_node *
late_test (const search *s)
{
  tns_arena *arena = s->arena;
  tns_node *then = tns_block (arena, s->test->loc);
  tns_expr *at = iteration (s);
  for (int k = 0; k < chosen (s)->n_kids; k++)
    {
      tns_node *store = tns_node_copy (arena, chosen (s)->kid[k]);
      store->value
        = tns_expr_equal (store->target, s->best)
            ? s->b
            : tns_expr_substitute (arena, store->value, 1, &s->loop->iter, &at);
      tns_block_add (arena, then, store);
    }
  bool is_max = s->op == TNS_MAX;
  tns_op op = s->strict ? is_max ? TNS_GT : TNS_LT : is_max ? TNS_GE : TNS_LE;
  tns_expr *cond = binary (s, op, s->b, s->best);
  if (!s->strict)
    cond
      = binary (s, TNS_LAND,
                binary (s, TNS_GE, s->p, tns_int_of (arena, TNS_I32, 0)), cond);
  return tns_if (arena, s->test->loc, cond, then, NULL);
}

/* Both loops of S's block, at the end of BODY.  */
static void
add_block (search *s, tns_node *body)
{
  s->v = add_values (s, body);
  s->b = add_cell (s, "best", s->value->type.elem, body);
  s->p = add_cell (s, "place", TNS_I32, body);
  add_update (s, body, s->b, TNS_NONE, s->best, "first");
  tns_block_add (s->arena, body, values_loop (s));
  add_update (s, body, s->p, TNS_NONE, no_place (s), "none");
  tns_block_add (s->arena, body, places_loop (s));
  tns_block_add (s->arena, body, late_test (s));
}

/* S's loop of TRIP iterations, which are not known to be one block.  */
static tns_node *
by_blocks (search *s, tns_expr *trip)
{
  tns_arena *arena = s->arena;
  tns_node *loop = s->loop;
  tns_node *body = tns_block (arena, loop->loc);
  tns_sym *block = tns_region_add_iter (arena, s->region, "block");
  tns_expr *done
    = binary (s, TNS_MUL, tns_value (arena, block), number (s, BLOCK));
  s->from = binary (s, TNS_ADD, loop->lo, done);
  s->length
    = binary (s, TNS_MIN, binary (s, TNS_SUB, trip, done), number (s, BLOCK));
  add_block (s, body);
  tns_expr *up = binary (s, TNS_ADD, trip, number (s, BLOCK - 1));
  tns_expr *times = binary (s, TNS_FLOORDIV, up, number (s, BLOCK));
  return tns_loop (arena, loop->loc, block, number (s, 0), times, 1, body);
}

/* S's loop of LENGTH iterations, one block at most.  */
static tns_node *
as_one (search *s, tns_expr *length)
{
  tns_node *out = tns_block (s->arena, s->loop->loc);
  s->from = s->loop->lo;
  s->length = length;
  add_block (s, out);
  return out;
}

/* Names for the statements of a loop that stays.  */
typedef struct names
{
  tns_arena *arena;
  const char *first;
  int n;
} names;

/* Give NODE, a statement, a name.  */
static tns_node *
name_node (tns_node *node, void *self)
{
  names *all = self;
  if (node->kind == TNS_ASSIGN && all->first)
    node->name
      = tns_arena_format (all->arena, "%s_short%d", all->first, all->n++);
  return node;
}

/* S's loop as it is, once more.  */
static tns_node *
another (const search *s)
{
  names all = { s->arena, chosen (s)->kid[0]->name, 0 };
  tns_node *copy = tns_node_fresh (s->ctx, s->region, s->loop);
  return tns_node_rebuild (s->arena, copy, name_node, NULL, &all);
}

/* S's test, with what is compared in HELD, a cell.  */
static tns_node *
test_of_held (search *s, tns_expr *held)
{
  tns_expr *arg[2];
  tns_expr *cond = s->test->cond;
  tns_node *then = tns_block (s->arena, s->test->loc);
  for (int k = 0; k < 2; k++)
    arg[k] = tns_expr_equal (cond->arg[k], s->best) ? held : cond->arg[k];
  add_update (s, then, held, TNS_NONE, s->value, "best");
  tns_block_add (s->arena, then, chosen (s)->kid[0]);
  return tns_if (s->arena, s->test->loc, binary (s, cond->op, arg[0], arg[1]),
                 then, NULL);
}

/* S's loop with the value at the best place in a cell.  */
static tns_node *
with_held (search *s)
{
  const tns_node *from = s->loop->body;
  tns_node *out = tns_block (s->arena, s->loop->loc);
  tns_node *loop = tns_node_copy (s->arena, s->loop);
  tns_expr *held = add_cell (s, "best", s->value->type.elem, out);
  add_update (s, out, held, TNS_NONE, s->best, "first");
  loop->body = tns_block (s->arena, from->loc);
  for (int k = 0; k + 1 < from->n_kids; k++)
    tns_block_add (s->arena, loop->body, from->kid[k]);
  tns_block_add (s->arena, loop->body, test_of_held (s, held));
  tns_block_add (s->arena, out, loop);
  return tns_if (s->arena, s->loop->loc,
                 binary (s, TNS_LT, s->loop->lo, s->loop->hi), out, NULL);
}

/* NODE, its parts done.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  search s = *(const search *) self;
  long long trip = 0;
  s.loop = node;
  if (node->kind != TNS_LOOP || node->step != 1 || !is_search (&s))
    return node;
  if (!is_smooth (&s))
    return store_to (&s, s.best) ? node : with_held (&s);
  s.again = tns_expr_rebuild (s.arena, s.value, read_through, &s);
  s.simple = is_simple (&s);
  tns_expr *length = binary (&s, TNS_SUB, node->hi, node->lo);
  bool is_known = tns_expr_is_int (length, &trip);
  if (is_known && trip < SHORT)
    return node;
  if (is_known && trip <= BLOCK)
    return as_one (&s, length);
  tns_node *made = by_blocks (&s, length);
  if (is_known)
    return made;
  tns_node *then = tns_block (s.arena, node->loc);
  tns_node *otherwise = tns_block (s.arena, node->loc);
  tns_block_add (s.arena, then, made);
  tns_block_add (s.arena, otherwise, another (&s));
  return tns_if (s.arena, node->loc,
                 binary (&s, TNS_GE, length, number (&s, SHORT)), then,
                 otherwise);
}

tns_region *
tns_region_argmax (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  search s = { .ctx = ctx, .arena = ctx->arena };
  s.region = tns_region_copy (ctx->arena, region);
  s.region->body
    = tns_node_rebuild (ctx->arena, region->body, change_node, NULL, &s);
  return s.region;
}
