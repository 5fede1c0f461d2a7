/* Places of values that are taken, as autodiff/taken.h says.

   The loop is the outermost one around the statement that

   1. does not move what is taken, m, which no other statement in it writes,
      or moves it from element to element in loops of their own inside: then
      cells are arrays over these;
   2. reads m in conditions around the statement alone, besides that;
   3. leaves alone what e reads, once cells that the statement sets before it
      are read through, or computes it anew in each iteration
      (autodiff/again.h).

   fmax takes what is no number for nothing: where m may be none at first,
   any number is taken.  */

#include "autodiff/taken.h"

#include <stdlib.h>

#include "autodiff/active.h"
#include "autodiff/again.h"
#include "autodiff/shift.h"
#include "ir/affine.h"
#include "ir/fresh.h"
#include "ir/walk.h"

enum
{
  MOST_LOOPS = TNS_MOST_RANK + 64,
  FEW = 16
};

/* A value that is taken.

   site    of the statement, NODE
   place   m
   value   e
   cond    when it is taken, NULL: where the IFs around say so
   again   e with cells read through, or behind statements that make it
   make    these, a BLOCK, or NULL
   loop    the loops, outermost first, of n
   moves   by loop: it moves m, by one element
   best, taken, at  as above, at by loop, NULL: not needed
   active  by symbol id, of N_SYMS, NULL: not known yet  */
typedef struct taking
{
  tns_ctx *ctx;
  tns_arena *arena;
  const tns_view *view;
  tns_region *made;
  int site;
  tns_node *node;
  tns_expr *place;
  tns_expr *value;
  tns_expr *cond;
  tns_expr *again;
  tns_node *make;
  int n;
  tns_node **loop;
  bool moves[MOST_LOOPS];
  tns_expr *best;
  tns_expr *taken;
  tns_expr *at[MOST_LOOPS];
  int n_syms;
  const bool *active;
} taking;

/* A op B.  */
static tns_expr *
binary (const taking *t, tns_op op, tns_expr *a, tns_expr *b)
{
  return tns_binary (t->arena, op, a, b);
}

/* m is a number at first, or nobody sets it: all other statements give it
   one.  */
static bool
starts_as_number (const taking *t)
{
  const tns_sym *sym = t->place->sym;
  for (int s = 0; s < t->view->n_sites; s++)
    {
      const tns_node *node = t->view->site[s].node;
      if (node->kind == TNS_ASSIGN && node->target->sym == sym
          && node != t->node
          && (node->update != TNS_NONE || node->value->op != TNS_REAL
              || node->value->real != node->value->real))
        return false;
    }
  return tns_sym_is_local (sym);
}

/* M = OP (M, E) takes E.  */
static tns_expr *
is_better (const taking *t, tns_op op)
{
  tns_expr *m = t->place;
  tns_expr *e = t->value;
  bool least = op == TNS_MIN || op == TNS_FMIN;
  tns_expr *beyond = binary (t, least ? TNS_LT : TNS_GT, e, m);
  if (op == TNS_MIN || op == TNS_MAX || starts_as_number (t))
    return beyond;
  return binary (
    t, TNS_LOR, beyond,
    binary (t, TNS_LAND, binary (t, TNS_NE, m, m), binary (t, TNS_EQ, e, e)));
}

/* M = OP (E, M) takes E.  */
static tns_expr *
is_as_good (const taking *t, tns_op op)
{
  tns_expr *m = t->place;
  tns_expr *e = t->value;
  bool least = op == TNS_MIN || op == TNS_FMIN;
  if (op == TNS_MIN || op == TNS_MAX)
    return tns_unary (t->arena, TNS_LNOT,
                      binary (t, least ? TNS_LT : TNS_GT, m, e));
  tns_expr *reaches = binary (t, least ? TNS_LE : TNS_GE, e, m);
  return starts_as_number (t)
           ? reaches
           : binary (t, TNS_LOR, reaches, binary (t, TNS_NE, m, m));
}

/* OP is one of min, max, fmin, fmax.  */
static bool
is_extreme (tns_op op)
{
  return op == TNS_MIN || op == TNS_MAX || op == TNS_FMIN || op == TNS_FMAX;
}

/* Set what T's statement takes, and when.  False where it takes nothing.  */
static bool
find_value (taking *t)
{
  const tns_node *node = t->node;
  tns_expr *value = node->value;
  t->place = node->target;
  t->value = value;
  t->cond = NULL;
  if (node->mask)
    return false;
  if (is_extreme (node->update))
    t->cond = is_better (t, node->update);
  else if (node->update != TNS_NONE)
    return false;
  else if (is_extreme (value->op) && tns_expr_equal (value->arg[1], t->place))
    {
      t->value = value->arg[0];
      t->cond = is_as_good (t, value->op);
    }
  else if (value->op == TNS_SELECT)
    {
      bool keeps = tns_expr_equal (value->arg[1], t->place);
      t->cond = value->arg[0];
      t->value = value->arg[keeps ? 2 : 1];
      if (keeps)
        t->cond = tns_unary (t->arena, TNS_LNOT, t->cond);
      else if (!tns_expr_equal (value->arg[2], t->place))
        return false;
    }
  return !tns_expr_mentions (t->value, t->place->sym);
}

/* What mentions m in a loop.

   asks   a condition of the statement does
   other  something else does, that may not  */
typedef struct mentions
{
  const taking *t;
  bool asks;
  bool other;
} mentions;

/* The visitor of conditions: m, no other element of its array.  */
static bool
note_asked (tns_expr *expr, void *self)
{
  mentions *m = self;
  if (!tns_expr_reads (expr) || expr->sym != m->t->place->sym)
    return true;
  m->asks = true;
  m->other |= !tns_expr_equal (expr, m->t->place);
  return true;
}

/* The visitor of what may not mention it.  */
static bool
note_other (tns_expr *expr, void *self)
{
  mentions *m = self;
  m->other |= tns_expr_reads (expr) && expr->sym == m->t->place->sym;
  return !m->other;
}

/* The visitor of nodes.  */
static bool
note_mention (tns_node *node, void *self)
{
  mentions *m = self;
  const taking *t = m->t;
  if (node == t->node)
    {
      tns_expr_walk (t->cond, note_asked, m);
      return true;
    }
  if (node->kind == TNS_IF && tns_node_holds (node, t->node))
    tns_expr_walk (node->cond, note_asked, m);
  else
    tns_node_exprs (node, note_other, m);
  m->other |= node->kind == TNS_LOCAL && node->sym == t->place->sym;
  return !m->other;
}

/* Statement W runs before T's in each iteration of the loops around it.  */
static bool
is_before (const taking *t, int w)
{
  const tns_view *view = t->view;
  int under = view->site[w].under;
  if (w >= t->site || under < 0)
    return w < t->site;
  const tns_node *around = view->site[under].node;
  if (around->kind == TNS_LOOP)
    return tns_node_holds (around->body, t->node);
  tns_node *arm = tns_node_holds (around->then, view->site[w].node)
                    ? around->then
                    : around->otherwise;
  return tns_node_holds (arm, t->node);
}

/* The statement that gives SYM, a cell that T's outermost loop sets, the value
   that it has at T's; -1 where that is not known.  */
static int
setter_of (const taking *t, const tns_sym *sym)
{
  int found = -1;
  for (int s = 0; s < t->view->n_sites; s++)
    {
      const tns_node *node = t->view->site[s].node;
      if (node->kind != TNS_ASSIGN || node->target->sym != sym)
        continue;
      if (found >= 0 || node->update != TNS_NONE || node->mask
          || !is_before (t, s))
        return -1;
      found = s;
    }
  return found;
}

/* The changer that reads cells through.  */
static tns_expr *
read_through (tns_expr *expr, void *self)
{
  taking there = *(const taking *) self;
  if (expr->op != TNS_LOAD || expr->n_args > 0
      || !tns_node_writes (there.loop[0], expr->sym))
    return expr;
  int setter = setter_of (&there, expr->sym);
  if (setter < 0)
    return expr;
  there.site = setter;
  there.node = there.view->site[setter].node;
  return tns_expr_rebuild (there.arena, there.node->value, read_through,
                           &there);
}

/* What reads memory is found in a loop to change, or not.  */
typedef struct reading
{
  tns_node *loop;
  bool changes;
} reading;

/* The visitor.  */
static bool
note_change (tns_expr *expr, void *self)
{
  reading *r = self;
  r->changes |= tns_expr_reads (expr)
                && (tns_node_writes (r->loop, expr->sym)
                    || tns_node_declares (r->loop, expr->sym));
  return !r->changes;
}

/* T's loops leave alone what EXPR reads.  */
static bool
is_left_alone (const taking *t, tns_expr *expr)
{
  reading r = { t->loop[0], false };
  tns_expr_walk (expr, note_change, &r);
  return !r.changes;
}

/* What a subscript of m is made of.

   n       iterators of T's loops in it
   values  nothing else but VALUEs  */
typedef struct content
{
  const taking *t;
  int n;
  bool values;
} content;

/* The visitor.  */
static bool
note_content (tns_expr *expr, void *self)
{
  content *c = self;
  bool inside = false;
  for (int k = 0; k < c->t->n; k++)
    inside |= expr->op == TNS_SYM && expr->sym == c->t->loop[k]->iter;
  c->n += inside;
  c->values &= !tns_expr_reads (expr)
               && (expr->op != TNS_SYM || expr->sym->kind == TNS_SYM_VALUE);
  return true;
}

/* EXPR is over VALUEs.  */
static bool
is_over_values (const taking *t, tns_expr *expr)
{
  content c = { t, 0, true };
  tns_expr_walk (expr, note_content, &c);
  return c.values;
}

/* T's loop K, whose iterator stands in SUBSCRIPT alone, moves it by one, from
   one VALUE to another.  */
static bool
is_plain (const taking *t, int k, tns_expr *subscript)
{
  const tns_node *loop = t->loop[k];
  bool is_iter = subscript->op == TNS_SYM && subscript->sym == loop->iter;
  return is_iter && loop->step == 1 && is_over_values (t, loop->lo)
         && is_over_values (t, loop->hi);
}

/* Set which of T's loops move m; false where one does so in another way.  */
static bool
find_moves (taking *t)
{
  for (int k = 0; k < t->n; k++)
    t->moves[k] = false;
  for (int a = 0; a < t->place->n_args; a++)
    {
      tns_expr *subscript = t->place->arg[a];
      content c = { t, 0, true };
      tns_expr_walk (subscript, note_content, &c);
      if (!is_left_alone (t, subscript) || c.n > 1)
        return false;
      for (int k = 0; k < t->n; k++)
        if (tns_expr_mentions (subscript, t->loop[k]->iter))
          {
            if (t->moves[k] || !is_plain (t, k, subscript))
              return false;
            t->moves[k] = true;
          }
    }
  return !t->moves[0];
}

/* Some loop of T moves m.  */
static bool
has_moves (const taking *t)
{
  bool some = false;
  for (int k = 0; k < t->n; k++)
    some |= t->moves[k];
  return some;
}

/* Where arrays stand for cells: all elements of m are touched, if any is.  */
static bool
touches_all (const taking *t)
{
  const tns_view *view = t->view;
  for (int k = 0; k < t->n; k++)
    if (!is_over_values (t, t->loop[k]->lo)
        || !is_over_values (t, t->loop[k]->hi))
      return false;
  for (int at = view->site[t->site].under; view->site[at].node != t->loop[0];
       at = view->site[at].under)
    if (view->site[at].node->kind == TNS_IF
        && !tns_expr_mentions (view->site[at].node->cond, t->place->sym))
      return false;
  return true;
}

/* How many iterations T's loop K has, 0: nobody knows.  */
static long long
trip_of (const taking *t, int k)
{
  const tns_node *loop = t->loop[k];
  long long length = 0;
  if (!tns_expr_is_int (binary (t, TNS_SUB, loop->hi, loop->lo), &length))
    return 0;
  return length / loop->step;
}

/* T's loops that do not move m have FEW iterations.  */
static bool
is_short (const taking *t)
{
  long long all = 1;
  for (int k = 0; k < t->n && all > 0 && all <= FEW; k++)
    if (!t->moves[k])
      all *= trip_of (t, k);
  return all > 0 && all <= FEW;
}

/* The same of T's loop of ITER; 0 where it is none of T's, too.  */
static long long
trip_with (const taking *t, const tns_sym *iter)
{
  for (int k = 0; k < t->n; k++)
    if (t->loop[k]->iter == iter)
      return trip_of (t, k);
  return 0;
}

/* Windows that T's loops go over, of which one for each iteration of a loop
   around them, share elements.

   t       of them
   shared  some read moves less far with the loop around than with T's  */
typedef struct windows
{
  const taking *t;
  bool shared;
} windows;

/* The visitor.  */
static bool
note_window (tns_expr *expr, void *self)
{
  windows *w = self;
  for (int a = 0; expr->op == TNS_LOAD && a < expr->n_args; a++)
    {
      tns_affine at;
      long long size = 1;
      long long by = 0;
      if (!tns_affine_of (w->t->arena, expr->arg[a], &at))
        continue;
      for (int k = 0; k < at.n; k++)
        if (trip_with (w->t, at.sym[k]) > 0)
          size += llabs (at.factor[k]) * (trip_with (w->t, at.sym[k]) - 1);
        else if (at.sym[k]->kind == TNS_SYM_ITER)
          by = llabs (at.factor[k]);
      w->shared |= by > 0 && by < size;
    }
  return !w->shared;
}

/* The windows of T's value share elements: their adjoints, sums, would be added
   to one by one.  */
static bool
shares_windows (const taking *t)
{
  windows w = { t, false };
  tns_expr_walk (t->again, note_window, &w);
  return w.shared;
}

/* Find how T's value is computed again.  False where it cannot be.  */
static bool
find_again (taking *t)
{
  t->make = NULL;
  t->again = tns_expr_rebuild (t->arena, t->value, read_through, t);
  if (is_left_alone (t, t->again))
    return true;
  t->again = t->value;
  t->make = tns_again_block (t->arena, t->loop[0], t->node, t->value);
  return t->make;
}

/* T's value is another one in each iteration of the loop of ITER.  */
static bool
depends_on (const taking *t, const tns_sym *iter)
{
  return tns_expr_mentions (t->again, iter)
         || (t->make && tns_node_mentions (t->make, iter));
}

/* T's loops are as they must be.  */
static bool
may_take (taking *t)
{
  mentions m = { t, false, false };
  tns_node_walk (t->loop[0], note_mention, &m);
  if (!m.asks || m.other || !find_moves (t)
      || (has_moves (t) && !touches_all (t)))
    return false;
  bool starts = true;
  for (int k = 0; k < t->n; k++)
    starts &= is_left_alone (t, t->loop[k]->lo);
  return starts && find_again (t) && (!is_short (t) || shares_windows (t));
}

/* Set the outermost loop of T.  False where there is none.  */
static bool
find_loops (taking *t)
{
  tns_node **all = TNS_NEW_ARRAY (t->arena, tns_node *, MOST_LOOPS);
  int n = tns_view_loops (t->view, t->site, 0, all);
  const int *times = tns_region_loops_of (t->arena, t->view->region);
  for (int k = 0; k < n; k++)
    {
      t->loop = all + k;
      t->n = n - k;
      if (times[all[k]->iter->id] == 1 && may_take (t))
        return true;
    }
  return false;
}

/* Append CELL = VALUE to BLOCK.  */
static void
set (const taking *t, tns_node *block, tns_expr *cell, tns_expr *value)
{
  tns_block_add (t->arena, block,
                 tns_assign (t->arena, t->node->loc, cell, TNS_NONE, value));
}

/* How many iterations LOOP of T has.  */
static tns_expr *
length_of (const taking *t, const tns_node *loop)
{
  return binary (t, TNS_MAX, tns_int (t->arena, 0),
                 binary (t, TNS_SUB, loop->hi, loop->lo));
}

/* A new cell of T's for NAME, set to FIRST at the end of INSIDE; or an array
   over the loops that move m, of which that is the body.  */
static tns_expr *
add_cell (const taking *t, tns_node *block, tns_node *inside, const char *name,
          tns_expr *first)
{
  tns_expr *sub[MOST_LOOPS];
  int rank = 0;
  for (int k = 0; k < t->n; k++)
    rank += t->moves[k];
  tns_sym *sym = tns_region_add_array (
    t->arena, t->made,
    tns_arena_format (t->arena, "%s_%s", tns_sym_words (t->place->sym), name),
    first->type.elem, rank, TNS_SYM_LOCAL | TNS_SYM_OBJECT);
  for (int k = 0, r = 0; k < t->n; k++)
    if (t->moves[k])
      {
        sub[r] = binary (t, TNS_SUB, tns_value (t->arena, t->loop[k]->iter),
                         t->loop[k]->lo);
        sym->extent[r++] = length_of (t, t->loop[k]);
      }
  tns_expr *cell = tns_load (t->arena, sym, sub);
  tns_block_add (t->arena, block, tns_local (t->arena, t->node->loc, sym));
  set (t, inside, cell, first);
  return cell;
}

/* T's cells, LOCALs at the end of BLOCK, set at the end of INSIDE.  */
static void
add_cells (taking *t, tns_node *block, tns_node *inside)
{
  tns_sym *iter[MOST_LOOPS];
  tns_expr *first[MOST_LOOPS];
  t->best = add_cell (t, block, inside, "best", t->place);
  t->taken
    = add_cell (t, block, inside, "taken", tns_int_of (t->arena, TNS_I32, 0));
  for (int k = 0; k < t->n; k++)
    {
      iter[k] = t->loop[k]->iter;
      first[k] = tns_expr_substitute (t->arena, t->loop[k]->lo, k, iter, first);
      t->at[k] = NULL;
      if (!t->moves[k] && depends_on (t, iter[k]))
        t->at[k] = add_cell (t, block, inside, "at", first[k]);
    }
}

/* The changer: m's last value is the best one in the loops.  */
static tns_expr *
use_best (tns_expr *expr, void *self)
{
  const taking *t = self;
  return tns_expr_equal (expr, t->place) ? t->best : expr;
}

/* The same of whole expressions.  */
static tns_expr *
use_best_in (tns_expr *expr, void *self)
{
  const taking *t = self;
  return tns_expr_rebuild (t->arena, expr, use_best, self);
}

/* The changer of T's statement, which is about its best now.  */
static tns_node *
change_statement (tns_node *node, void *self)
{
  const taking *t = self;
  if (node->kind != TNS_ASSIGN || node->target->sym != t->best->sym)
    return node;
  tns_node *block = tns_block (t->arena, node->loc);
  set (t, block, t->best, t->value);
  set (t, block, t->taken, tns_int_of (t->arena, TNS_I32, 1));
  for (int k = 0; k < t->n; k++)
    if (t->at[k])
      set (t, block, t->at[k], tns_value (t->arena, t->loop[k]->iter));
  if (!t->cond)
    return block;
  tns_expr *cond = use_best_in (t->cond, self);
  return tns_if (t->arena, node->loc, cond, block, NULL);
}

/* Append to BLOCK: m's value, where one is taken.  */
static void
add_last (const taking *t, tns_node *block)
{
  tns_sym *iter[MOST_LOOPS];
  tns_expr *at[MOST_LOOPS];
  int n = 0;
  for (int k = 0; k < t->n; k++)
    if (t->at[k])
      {
        iter[n] = t->loop[k]->iter;
        at[n++] = t->at[k];
      }
  tns_node *then = tns_block (t->arena, t->node->loc);
  for (int k = 0; t->make && k < t->make->n_kids; k++)
    tns_block_add (t->arena, then, t->make->kid[k]);
  set (t, then, t->place, t->again);
  then = tns_node_fresh (t->ctx, t->made, then);
  then = tns_node_substitute (t->arena, then, n, iter, at);
  tns_expr *none = tns_int_of (t->arena, TNS_I32, 0);
  tns_block_add (t->arena, block,
                 tns_if (t->arena, t->node->loc,
                         binary (t, TNS_NE, t->taken, none), then, NULL));
}

/* BODY in new loops like those of T that move m.  */
static tns_node *
in_loops (const taking *t, tns_node *body)
{
  for (int k = t->n - 1; k >= 0; k--)
    if (t->moves[k])
      {
        const tns_node *loop = t->loop[k];
        tns_sym *iter
          = tns_region_add_iter (t->arena, t->made, loop->iter->name);
        tns_expr *value = tns_value (t->arena, iter);
        body
          = tns_node_substitute (t->arena, body, 1, &t->loop[k]->iter, &value);
        body
          = tns_loop (t->arena, loop->loc, iter, loop->lo, loop->hi, 1, body);
      }
  return body;
}

/* BLOCK, where some loop of T runs at all; itself where that does not
   matter.  */
static tns_node *
if_any (const taking *t, tns_node *block)
{
  tns_expr *cond = NULL;
  for (int k = 0; k < t->n && has_moves (t); k++)
    if (!t->moves[k])
      {
        bool up = t->loop[k]->step > 0;
        tns_expr *runs
          = binary (t, up ? TNS_LT : TNS_GT, t->loop[k]->lo, t->loop[k]->hi);
        cond = cond ? binary (t, TNS_LAND, cond, runs) : runs;
      }
  return cond ? tns_if (t->arena, block->loc, cond, block, NULL) : block;
}

/* The changer of T's outermost loop.  */
static tns_node *
change_loop (tns_node *node, void *self)
{
  taking *t = self;
  if (node->kind != TNS_LOOP || node->iter != t->loop[0]->iter)
    return node;
  tns_node *block = tns_block (t->arena, node->loc);
  tns_node *first = tns_block (t->arena, node->loc);
  tns_node *last = tns_block (t->arena, node->loc);
  add_cells (t, block, first);
  add_last (t, last);
  tns_block_add (t->arena, block, in_loops (t, first));
  tns_block_add (
    t->arena, block,
    tns_node_rebuild (t->arena, node, change_statement, use_best_in, t));
  tns_block_add (t->arena, block, in_loops (t, last));
  return if_any (t, block);
}

/* F with what T takes by its place.  */
static tns_region *
take (taking *t, tns_region *f)
{
  t->made = tns_region_copy (t->arena, f);
  t->made->body = tns_node_rebuild (t->arena, f->body, change_loop, NULL, t);
  return t->made;
}

/* The arrays of SCOP's region that carry derivatives, by symbol id.  */
static bool *
carriers (tns_arena *arena, const tns_view *view, const tns_scop *scop,
          const tns_gradient_wish *wish)
{
  tns_flow flow = { view, scop };
  bool *active = tns_active (arena, view, wish);
  tns_shifts_cancel (arena, &flow, wish, active);
  return active;
}

/* SYM may carry a derivative.  */
static bool
carries (const taking *t, const tns_sym *sym)
{
  return sym->id < t->n_syms && tns_elem_is_float (sym->type.elem)
         && (!t->active || t->active[sym->id]);
}

/* Set T's statement to the first one from its site on that is taken by its
   place.  False where there is none.  */
static bool
find (taking *t)
{
  for (; t->site < t->view->n_sites; t->site++)
    {
      t->node = t->view->site[t->site].node;
      if (t->node->kind == TNS_ASSIGN && carries (t, t->node->target->sym)
          && find_value (t) && find_loops (t))
        return true;
    }
  return false;
}

tns_region *
tns_region_taken (tns_ctx *ctx, tns_scop *scop, const tns_gradient_wish *wish)
{
  tns_region *f = scop->region;
  tns_arena *arena = ctx->arena;
  taking t = { .ctx = ctx,
               .arena = arena,
               .view = tns_view_of (arena, f),
               .n_syms = f->n_syms };
  if (!find (&t))
    return f;
  for (t.active = carriers (arena, t.view, scop, wish); find (&t); t.site = 0)
    {
      f = take (&t, f);
      t.view = tns_view_of (arena, f);
    }
  return f;
}
