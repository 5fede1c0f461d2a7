/* Panels, as lowering/panels.h says: what of an array the body of a loop reads,
   and in which loops, is found; then the loops that move it are copied around
   a copy of the element.  */

#include "lowering/panels.h"

#include "ir/flat.h"
#include "ir/fresh.h"
#include "ir/simplify.h"
#include "ir/stride.h"
#include "ir/walk.h"
#include "lowering/linear.h"
#include "schedule/machine.h"

enum
{
  MOST_AROUND = 12,
  MOST_BYTES = 8 << 20,
  FEW_SETS = 256
};

/* What a loop's body reads of SYM: LOAD, an element or what is computed of it
   and VALUEs, inside around[0..n), loops from the outside in, which COPIED ones
   move, at most MOST[k] times each.

   order[0..n_copied)  the loops of the copy, from the outside in
   lanes   of the innermost of these, where it stood elsewhere; else 0
   inside  loops around what is being looked at
   depth   of conditions around it
   fails   it is read in other ways too  */
typedef struct panel
{
  tns_ctx *ctx;
  tns_arena *arena;
  const tns_sym *sym;
  tns_expr *load;
  int n;
  tns_node *around[MOST_AROUND];
  bool copied[MOST_AROUND];
  long long most[MOST_AROUND];
  int n_copied;
  int order[MOST_AROUND];
  int lanes;
  int inside;
  tns_node *loop[MOST_AROUND];
  int depth;
  bool fails;
} panel;

/* What the walk over a region knows: where temporaries may begin their lives,
   and whether threads share a loop around.  */
typedef struct panels
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  tns_node *home;
  bool in_threads;
} panels;

/* Note that LOAD, P's array or what is computed of it, is read.  */
static void
add_load (panel *p, tns_expr *load)
{
  if (!p->load)
    {
      p->load = load;
      p->n = p->inside;
      for (int k = 0; k < p->n; k++)
        p->around[k] = p->loop[k];
    }
  p->fails
    |= p->depth > 0 || p->n != p->inside || !tns_expr_equal (load, p->load);
  for (int k = 0; k < p->n && !p->fails; k++)
    p->fails |= p->around[k] != p->loop[k];
}

/* The visitor of expressions: something is computed of elements of P's array,
   or one is read; where an operand may be left out it is read under a
   condition.  */
static bool
note_load (tns_expr *expr, void *self)
{
  panel *p = self;
  bool is_choice
    = expr->op == TNS_SELECT || expr->op == TNS_LAND || expr->op == TNS_LOR;
  bool is_element = tns_expr_is_of (expr, p->sym);
  if (is_choice)
    p->fails |= tns_expr_mentions (expr, p->sym);
  if (is_element)
    add_load (p, expr);
  return !is_element;
}

/* Find what NODE reads of P's array.  */
static void
find (panel *p, tns_node *node)
{
  tns_node_exprs (node, note_load, p);
  for (int k = 0; k < node->n_kids; k++)
    find (p, node->kid[k]);
  if (node->kind == TNS_IF)
    {
      p->depth++;
      find (p, node->then);
      if (node->otherwise)
        find (p, node->otherwise);
      p->depth--;
    }
  if (node->kind != TNS_LOOP || p->inside == MOST_AROUND)
    {
      p->fails |= node->kind == TNS_LOOP;
      return;
    }
  p->loop[p->inside++] = node;
  find (p, node->body);
  p->inside--;
}

/* LOOP's bounds mention SYM.  */
static bool
has_bound_of (const tns_node *loop, const tns_sym *sym)
{
  return tns_expr_mentions (loop->lo, sym) || tns_expr_mentions (loop->hi, sym);
}

/* Find the loops that move P's element, or move in those that do.  */
static void
find_copied (panel *p)
{
  for (int k = p->n - 1; k >= 0; k--)
    {
      p->copied[k] = tns_expr_mentions (p->load, p->around[k]->iter);
      for (int l = k + 1; l < p->n; l++)
        p->copied[k]
          |= p->copied[l] && has_bound_of (p->around[l], p->around[k]->iter);
    }
}

/* Loop K of P, one of the copy's, moves its element to the next one, and may
   stand inside the others.  */
static bool
may_be_last (const panel *p, int k)
{
  long long elements = 0;
  for (int l = k + 1; l < p->n; l++)
    if (p->copied[l] && has_bound_of (p->around[l], p->around[k]->iter))
      return false;
  return p->load->op == TNS_LOAD
         && tns_access_distance (p->arena, p->load, p->around[k]->iter,
                                 &elements)
         && elements == 1;
}

/* Put the loops of P's copy in order: as they stand, but what moves the element
   to the next one goes inside, with lanes of its own.  */
static void
order_copied (panel *p)
{
  int last = -1;
  for (int k = 1; k < p->n; k++)
    if (p->copied[k] && may_be_last (p, k))
      last = k;
  for (int k = 1; k < p->n; k++)
    if (p->copied[k] && k != last)
      p->order[p->n_copied++] = k;
  bool moves = last >= 0 && p->n_copied > 0 && p->order[p->n_copied - 1] > last
               && p->ctx->machine;
  if (moves)
    p->lanes
      = p->ctx->machine->vector_bytes / tns_elem_bytes (p->load->type.elem);
  if (last >= 0)
    p->order[p->n_copied++] = last;
}

/* Loop K of P is one of its copy, of a constant number of iterations at
   most.  */
static bool
can_copy (panel *p, int k)
{
  const tns_node *loop = p->around[k];
  return loop->step == 1 && !tns_expr_loads (loop->lo)
         && !tns_expr_loads (loop->hi)
         && tns_loop_trip_most (p->arena, loop, &p->most[k]) && p->most[k] > 0;
}

/* P's loops are such that its elements can be copied before them: the sweeps
   stand outside, and are known there.  */
static bool
is_panel (panel *p)
{
  long long bytes = p->load ? tns_elem_bytes (p->load->type.elem) : 0;
  bool fits = p->load && !p->fails && p->n > 1;
  if (!fits)
    return false;
  find_copied (p);
  fits = !p->copied[0] && p->around[0]->step == 1
         && !tns_expr_loads (p->around[0]->lo)
         && !tns_expr_loads (p->around[0]->hi);
  for (int k = 1; fits && k < p->n; k++)
    fits = p->copied[k] ? can_copy (p, k) && (bytes *= p->most[k]) <= MOST_BYTES
                        : tns_loop_runs (p->arena, p->around[k], k, p->around);
  if (fits)
    order_copied (p);
  return fits;
}

/* A OP B, with constants put together.  */
static tns_expr *
simple2 (const panel *p, tns_op op, tns_expr *a, tns_expr *b)
{
  return tns_expr_simplify (p->ctx, tns_binary (p->arena, op, a, b));
}

/* So many bytes lie between the rows of P's array that few sets of a cache have
   all of them; false where nobody knows.  */
static tns_expr *
is_in_the_way (const panel *p)
{
  const tns_sym *sym = p->sym;
  if (sym->rank < 2 || !sym->extent[sym->rank - 1])
    return tns_int_of (p->arena, TNS_BOOL, 0);
  tns_expr *bytes
    = simple2 (p, TNS_MUL, sym->extent[sym->rank - 1],
               tns_int (p->arena, tns_elem_bytes (sym->type.elem)));
  tns_expr *rest = simple2 (p, TNS_MOD, bytes, tns_int (p->arena, FEW_SETS));
  return simple2 (p, TNS_EQ, rest, tns_int (p->arena, 0));
}

/* Enough sweeps are made of P, from N on, for a copy to pay.  */
static tns_expr *
pays (const panel *p, int n)
{
  long long number = 0;
  int fewer = n > TNS_FEWER_SWEEPS ? n / TNS_FEWER_SWEEPS : 1;
  tns_expr *sweeps = simple2 (p, TNS_SUB, p->around[0]->hi, p->around[0]->lo);
  tns_expr *pays = simple2 (p, TNS_GE, sweeps, tns_int (p->arena, n));
  tns_expr *may = simple2 (p, TNS_GE, sweeps, tns_int (p->arena, fewer));
  tns_expr *way = is_in_the_way (p);
  if (tns_expr_is_int (pays, &number) && number)
    return pays;
  if ((tns_expr_is_int (may, &number) || tns_expr_is_int (way, &number))
      && !number)
    return pays;
  return simple2 (p, TNS_LOR, pays, simple2 (p, TNS_LAND, way, may));
}

/* A LOCAL for P's elements, without any where it does not PAY.  */
static tns_sym *
storage_of (const panels *all, const panel *p, tns_expr *pay)
{
  tns_sym *made = tns_region_add_array (
    all->arena, all->region,
    tns_arena_format (all->arena, "%s_panel", p->sym->name), p->load->type.elem,
    p->n_copied, TNS_SYM_LOCAL);
  for (int at = 0; at < p->n_copied; at++)
    made->extent[at] = tns_int (all->arena, p->most[p->order[at]]);
  if (pay && tns_is_over_values (pay))
    made->extent[0] = tns_ternary (all->arena, TNS_SELECT, pay, made->extent[0],
                                   tns_int (all->arena, 0));
  return made;
}

/* The element of STORE for P's, in the loops of P with ITER for their
   iterators.  */
static tns_expr *
element (const panel *p, tns_sym *store, tns_sym *const *from,
         tns_expr *const *iter)
{
  tns_expr **sub = TNS_NEW_ARRAY (p->arena, tns_expr *, store->rank + 1);
  for (int at = 0; at < p->n_copied; at++)
    {
      int k = p->order[at];
      sub[at] = tns_binary (
        p->arena, TNS_SUB, iter[k],
        tns_expr_substitute (p->arena, p->around[k]->lo, p->n, from, iter));
    }
  if (tns_ctx_breaks (p->ctx, "panels"))
    sub[0] = tns_int (p->arena, 0);
  return tns_load (p->arena, store, sub);
}

/* The loops that copy P's elements into STORE.  */
static tns_node *
copy_of (const panels *all, const panel *p, tns_sym *store)
{
  tns_arena *arena = all->arena;
  tns_sym *from[MOST_AROUND];
  tns_expr *iter[MOST_AROUND];
  for (int k = 0; k < p->n; k++)
    {
      from[k] = p->around[k]->iter;
      iter[k] = tns_value (arena, p->copied[k] ? tns_region_add_iter (
                                    arena, all->region, from[k]->name)
                                               : from[k]);
    }
  tns_node *made = tns_assign (
    arena, p->around[0]->loc, element (p, store, from, iter), TNS_NONE,
    tns_expr_substitute (arena, p->load, p->n, from, iter));
  for (int at = p->n_copied - 1; at >= 0; at--)
    {
      int k = p->order[at];
      bool is_last = at == p->n_copied - 1;
      const tns_node *like = p->around[k];
      long long lost = tns_ctx_breaks (all->ctx, "panel") ? 1 : 0;
      tns_expr *hi = tns_expr_substitute (arena, like->hi, p->n, from, iter);
      tns_node *body = tns_block (arena, like->loc);
      tns_block_add (arena, body, made);
      made = tns_loop (arena, like->loc, iter[k]->sym,
                       tns_expr_substitute (arena, like->lo, p->n, from, iter),
                       tns_binary (arena, TNS_SUB, hi, tns_int (arena, lost)),
                       1, body);
      made->marks.simd = is_last && p->lanes ? p->lanes : like->marks.simd;
    }
  bool shares = p->around[0]->marks.parallel && !all->in_threads;
  made->marks.parallel = shares;
  made->marks.when = shares ? p->around[0]->marks.when : NULL;
  made->marks.work = shares ? p->around[0]->marks.work : NULL;
  return made;
}

/* What changes the elements of a panel.  */
typedef struct change
{
  const tns_expr *load;
  tns_expr *by;
} change;

/* The changer of parts of expressions.  */
static tns_expr *
change_part (tns_expr *expr, void *self)
{
  const change *c = self;
  return tns_expr_equal (expr, c->load) ? c->by : expr;
}

/* What the changer of whole expressions knows.  */
typedef struct changing
{
  tns_arena *arena;
  change change;
} changing;

/* The changer of whole expressions.  */
static tns_expr *
change_expr (tns_expr *expr, void *self)
{
  changing *c = self;
  return tns_expr_rebuild (c->arena, expr, change_part, &c->change);
}

/* BODY, which reads P's elements in STORE.  */
static tns_node *
reading (const panels *all, const panel *p, tns_sym *store, tns_node *body)
{
  tns_sym *from[MOST_AROUND];
  tns_expr *iter[MOST_AROUND];
  for (int k = 0; k < p->n; k++)
    {
      from[k] = p->around[k]->iter;
      iter[k] = tns_value (all->arena, from[k]);
    }
  changing c = { all->arena, { p->load, element (p, store, from, iter) } };
  return tns_node_rebuild (all->arena, body, NULL, change_expr, &c);
}

/* NODE in a block.  */
static tns_node *
block_of (tns_arena *arena, tns_node *node)
{
  tns_node *made = tns_block (arena, node->loc);
  tns_block_add (arena, made, node);
  return made;
}

/* The body of LOOP, which shall read P, a small panel, in a copy.  */
static tns_node *
small_body (panels *all, const panel *p, const tns_node *loop)
{
  tns_sym *store = storage_of (all, p, NULL);
  tns_node *copy = block_of (all->arena, copy_of (all, p, store));
  tns_expr *runs
    = tns_binary (all->arena, TNS_LT, p->around[0]->lo, p->around[0]->hi);
  tns_node *made
    = block_of (all->arena, tns_local (all->arena, loop->loc, store));
  tns_block_add (all->arena, made,
                 tns_if (all->arena, loop->loc, runs, copy, NULL));
  tns_block_add (all->arena, made, reading (all, p, store, loop->body));
  return made;
}

/* The changer of nodes: no panels.  */
static tns_node *
drop_mark (tns_node *node, void *self)
{
  (void) self;
  node->marks.panel = NULL;
  return node;
}

/* Let A and B, one right inside the other, change places, but for marks.  */
static void
swap_loops (tns_node *a, tns_node *b)
{
  tns_node outer = *a;
  a->iter = b->iter;
  a->lo = b->lo;
  a->hi = b->hi;
  b->iter = outer.iter;
  b->lo = outer.lo;
  b->hi = outer.hi;
}

/* The only node of NODE, a block, or of a block in it.  */
static tns_node *
only (tns_node *node)
{
  while (node->kind == TNS_BLOCK && node->n_kids == 1)
    node = node->kid[0];
  return node;
}

/* BODY without panels: tiles of what they would be of stay near while they are
   swept.  */
static tns_node *
without_panels (tns_arena *arena, tns_node *body)
{
  tns_node *made = tns_node_rebuild (arena, body, drop_mark, NULL, NULL);
  tns_node *sweeps = only (made);
  tns_node *inner = sweeps->kind == TNS_LOOP ? only (sweeps->body) : sweeps;
  if (inner != sweeps && inner->kind == TNS_LOOP && inner->step == sweeps->step
      && !has_bound_of (inner, sweeps->iter))
    swap_loops (sweeps, inner);
  return made;
}

/* The body of LOOP, which shall read P in a copy where it pays.  */
static tns_node *
panel_body (panels *all, const panel *p, const tns_node *loop)
{
  tns_arena *arena = all->arena;
  long long number = 0;
  tns_expr *pay = pays (p, loop->marks.sweeps);
  bool is_known = tns_expr_is_int (pay, &number);
  if (is_known && !number)
    return without_panels (arena, loop->body);
  tns_sym *store = storage_of (all, p, pay);
  tns_node *body
    = number ? loop->body : tns_node_fresh (all->ctx, all->region, loop->body);
  tns_node *then = block_of (arena, copy_of (all, p, store));
  tns_block_add (arena, then, reading (all, p, store, body));
  tns_block_add (arena, all->home, tns_local (arena, loop->loc, store));
  if (number)
    return then;
  return block_of (arena, tns_if (arena, loop->loc, pay, then,
                                  without_panels (arena, loop->body)));
}

static tns_node *visit (panels *all, tns_node *node);

/* CONTENT behind the LOCALs of HOME.  */
static tns_node *
behind_locals (tns_arena *arena, tns_node *home, tns_node *content)
{
  if (home->n_kids == 0)
    return content;
  tns_block_add (arena, home, content);
  return home;
}

/* The body of LOOP with the panels in it, and its own if it is marked for
   one.  */
static tns_node *
visit_body (panels *all, const tns_node *loop)
{
  tns_node *body = loop->body;
  panel p = { .ctx = all->ctx, .arena = all->arena, .sym = loop->marks.panel };
  if (p.sym)
    find (&p, body);
  if (is_panel (&p))
    body = loop->marks.sweeps > 0 ? panel_body (all, &p, loop)
                                  : small_body (all, &p, loop);
  return visit (all, body);
}

/* LOOP with the panels in it: in each iteration, where threads share it.  */
static tns_node *
visit_loop (panels *all, const tns_node *loop)
{
  tns_node *made = tns_node_copy (all->arena, loop);
  panels inside = *all;
  made->marks.panel = NULL;
  if (!loop->marks.parallel)
    {
      made->body = visit_body (all, loop);
      return made;
    }
  inside.home = tns_block (all->arena, loop->loc);
  inside.in_threads = true;
  made->body = visit_body (&inside, loop);
  made->body = behind_locals (all->arena, inside.home, made->body);
  return made;
}

/* NODE with the panels in it.  */
static tns_node *
visit (panels *all, tns_node *node)
{
  if (node->kind == TNS_LOOP)
    return visit_loop (all, node);
  if (node->kind != TNS_BLOCK && node->kind != TNS_IF)
    return node;
  tns_node *made = tns_node_copy (all->arena, node);
  for (int k = 0; k < made->n_kids; k++)
    made->kid[k] = visit (all, made->kid[k]);
  if (made->kind == TNS_IF)
    {
      made->then = visit (all, made->then);
      made->otherwise = made->otherwise ? visit (all, made->otherwise) : NULL;
    }
  return made;
}

/* The visitor that finds a panel's mark.  */
static bool
note_mark (tns_node *node, void *self)
{
  bool *found = self;
  *found |= node->kind == TNS_LOOP && node->marks.panel;
  return !*found;
}

tns_region *
tns_region_panels (tns_ctx *ctx, tns_region *region)
{
  bool found = false;
  if (region)
    tns_node_walk (region->body, note_mark, &found);
  if (!found)
    return region;
  region = tns_region_copy (ctx->arena, region);
  tns_node *home = tns_block (ctx->arena, region->loc);
  panels all = { ctx, ctx->arena, region, home, false };
  tns_node *body = visit (&all, region->body);
  region->body = behind_locals (ctx->arena, home, body);
  return region;
}
