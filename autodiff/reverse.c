/* The backward pass, as autodiff/reverse.h says.

   It is built twice.  The first time each value that it reads is noted
   (autodiff/needs.h); then it is known what must run forward, what is taped,
   and the second one is kept.  */

#include "autodiff/reverse.h"

#include "autodiff/back.h"
#include "autodiff/checkpoint.h"
#include "autodiff/partial.h"
#include "autodiff/sweep.h"
#include "autodiff/tapes.h"
#include "ir/fresh.h"
#include "ir/handed.h"
#include "ir/walk.h"

/* A pass.

   needs   of the function
   notes   the first pass: values are noted
   site    that is being reversed
   made    what stands in its target then, an ASSIGN's, or NULL
   joined  the site of a LOOP of level 0 that runs forward and backward at
           once, -1: none
   behind  of level 0 what stands behind it is run forward, not what before
   fits    (notes) its iterations may run backward in their own order
   loop    the time loop that is done in parts, or NULL
   part    one, its bounds those of a part
   passes  the forward slice tapes nothing  */
typedef struct pass
{
  const tns_reverse *about;
  tns_ctx *ctx;
  tns_arena *arena;
  const tns_view *view;
  tns_needs *needs;
  bool notes;
  int site;
  tns_expr *made;
  int joined;
  bool behind;
  bool fits;
  bool failed;
  const tns_node *loop;
  tns_node *part;
  bool passes;
} pass;

static void reverse (pass *p, tns_node *block, tns_node *node);
static void forward (pass *p, tns_node *block, tns_node *node, int level);
static tns_expr *value (void *self, tns_expr *expr);

/* LOAD, of a row that is given, from the caller's array; any other LOAD as it
   is.  */
static tns_expr *
as_given (const pass *p, tns_expr *load)
{
  const tns_given_row *row = p->about->given_row;
  int left = p->about->n_given_rows;
  while (left > 0 && row->row != load->sym)
    row++, left--;
  if (left == 0 || !p->needs->given[load->sym->id])
    return load;
  tns_expr **at = TNS_NEW_ARRAY (p->arena, tns_expr *, row->whole->rank + 1);
  int n = 0;
  for (int k = 0; k < row->whole->rank; k++)
    at[k] = row->at[k] ? row->at[k] : load->arg[n++];
  tns_expr *made = tns_load (p->arena, row->whole, at);
  made->loc = load->loc;
  return made;
}

/* What stands in TARGET, of the function.  */
static tns_expr *
standing (pass *p, const tns_expr *target)
{
  tns_expr **sub = TNS_NEW_ARRAY (p->arena, tns_expr *, target->n_args + 1);
  for (int k = 0; k < target->n_args; k++)
    sub[k] = value (p, target->arg[k]);
  tns_expr *place = tns_load (p->arena, target->sym, sub);
  place->loc = target->loc;
  return as_given (p, place);
}

/* EXPR divides a number other than 0 in what P's site makes: it follows from
   that.  */
static bool
is_divisor (const pass *p, const tns_expr *expr)
{
  const tns_expr *made = p->made;
  return made && made->op == TNS_DIV && made->arg[1] == expr
         && made->arg[0]->op == TNS_REAL && made->arg[0]->real != 0
         && expr->n_args > 0 && expr->op != TNS_LOAD;
}

/* EXPR, which P's site makes or divides by, where what that made stands.  */
static tns_expr *
from_standing (pass *p, const tns_expr *expr)
{
  tns_expr *made = standing (p, p->view->site[p->site].node->target);
  return expr == p->made
           ? made
           : tns_binary (p->arena, TNS_DIV, p->made->arg[0], made);
}

/* EXPR with its operands as the backward pass has them.  */
static tns_expr *
with_values (pass *p, tns_expr *expr)
{
  tns_expr **arg = TNS_NEW_ARRAY (p->arena, tns_expr *, expr->n_args + 1);
  for (int k = 0; k < expr->n_args; k++)
    arg[k] = value (p, expr->arg[k]);
  if (expr->n_args > 0)
    expr = tns_expr_with_args (p->arena, expr, arg);
  return expr->op == TNS_LOAD ? as_given (p, expr) : expr;
}

/* EXPR, a value of the function at P's site, as the backward pass has it.  */
static tns_expr *
value (void *self, tns_expr *expr)
{
  pass *p = self;
  if (expr == p->made || is_divisor (p, expr))
    {
      if (p->notes)
        {
          tns_needs_outcome (p->needs, p->site, p->made);
          return expr;
        }
      if (tns_needs_stands (p->needs, p->site))
        return from_standing (p, expr);
    }
  if (expr->op == TNS_LOAD)
    {
      if (p->notes)
        tns_needs_read (p->needs, p->site, expr, NULL);
      tns_expr *taped = tns_tape_value (p->needs, p->site, expr);
      if (taped != expr)
        return taped;
    }
  return with_values (p, expr);
}

/* Something of the adjoint of what site S overwrites may count: an earlier
   statement made it, or it was there at the entry.  */
static bool
is_clear_needed (const pass *p, int s)
{
  const tns_sym *sym = p->view->site[s].node->target->sym;
  if (p->about->enters[sym->id])
    return true;
  for (int k = 0; k < p->view->n_sites; k++)
    {
      tns_node *node = p->view->site[k].node;
      if (node->kind != TNS_ASSIGN || node->target->sym != sym)
        continue;
      bool varies = node->update != TNS_NONE && node->update != TNS_ADD;
      if ((varies || tns_expr_varies (node->value, p->about->adjoint))
          && tns_flow_overwrites (p->about->flow, k, s))
        return true;
    }
  return false;
}

/* Append PLACE = VALUE to BLOCK.  */
static void
set (pass *p, tns_node *block, tns_expr *place, tns_expr *made)
{
  tns_block_add (p->arena, block,
                 tns_assign (p->arena, place->loc, place, TNS_NONE, made));
}

/* PLACE's value in a new cell of BLOCK.  */
static tns_expr *
keep (pass *p, tns_node *block, tns_expr *place)
{
  tns_sym *cell = tns_region_add_array (p->arena, p->about->region, "t",
                                        place->type.elem, 0, TNS_SYM_LOCAL);
  tns_block_add (p->arena, block, tns_local (p->arena, place->loc, cell));
  set (p, block, tns_cell (p->arena, cell), place);
  return tns_cell (p->arena, cell);
}

/* The target of NODE stands in EXPR, with an adjoint.  */
static bool
reads_target (const pass *p, const tns_node *node, tns_expr *expr)
{
  return tns_expr_mentions (expr, node->target->sym)
         && tns_expr_varies (expr, p->about->adjoint);
}

/* Append the derivative of NODE, an ASSIGN at site S.  */
static void
reverse_assign (pass *p, tns_node *block, tns_node *node, int s)
{
  tns_partials partials
    = { p->ctx, p->about->region, p->about->adjoint, value, p };
  if (tns_node_is_call (node))
    {
      tns_back back = { &partials, p->needs, p->about->enters, p->notes };
      p->failed |= !tns_back_call (&back, block, node, s);
      return;
    }
  tns_sym *sym = p->about->adjoint[node->target->sym->id];
  tns_expr *made = tns_assign_value (p->arena, node);
  bool clears = sym && node->update != TNS_ADD && is_clear_needed (p, s);
  bool varies = sym && tns_expr_varies (made, p->about->adjoint);
  if (!clears && !varies)
    return;
  tns_node *part = tns_block (p->arena, node->loc);
  tns_expr *bar = tns_partials_place (&partials, node->target);
  tns_expr *place = bar;
  if (varies && (clears || reads_target (p, node, made)))
    bar = keep (p, part, bar);
  if (clears)
    set (p, part, place, tns_real (p->arena, place->type.elem, 0));
  p->made = node->update == TNS_ADD ? NULL : made;
  p->failed |= varies && !tns_partials_add (&partials, part, made, bar);
  p->made = NULL;
  tns_partials_settle (part, node);
  tns_block_add (p->arena, block, part);
}

/* SYM is touched in a loop by anything but +=, or read there.  */
typedef struct touching
{
  const tns_sym *sym;
  bool other;
} touching;

/* The visitor of reads of one array.  */
static bool
is_read (tns_expr *expr, void *self)
{
  touching *t = self;
  t->other |= tns_expr_reads (expr) && expr->sym == t->sym;
  return true;
}

/* The visitor of statements that touch one array.  */
static bool
touches (tns_node *node, void *self)
{
  touching *t = self;
  if (node->kind == TNS_ASSIGN && node->target->sym == t->sym
      && node->update == TNS_ADD)
    {
      for (int k = 0; k < node->target->n_args; k++)
        tns_expr_walk (node->target->arg[k], is_read, t);
      tns_expr_walk (node->value, is_read, t);
      return true;
    }
  tns_node_exprs (node, is_read, t);
  return true;
}

/* The iterations of BODY have an order.  */
typedef struct ordering
{
  tns_node *body;
  bool counts;
} ordering;

/* The visitor of statements that may give it one: all but those that add to
   what nobody reads, and those of arrays that live in one iteration.  */
static bool
gives_order (tns_node *node, void *self)
{
  ordering *o = self;
  if (node->kind != TNS_ASSIGN)
    return true;
  touching t = { node->target->sym, node->update != TNS_ADD };
  bool born = tns_node_declares (o->body, node->target->sym);
  if (!t.other && !born)
    tns_node_walk (o->body, touches, &t);
  o->counts |= t.other && !born;
  return true;
}

/* The iterations of BODY have an order.  */
static bool
has_order (tns_node *body)
{
  ordering o = { body, false };
  tns_node_walk (body, gives_order, &o);
  return o.counts;
}

/* A loop over the iterations of NODE, a LOOP, in the reverse order, over
   BODY; in its OWN order where that does not count.  */
static tns_node *
reverse_loop (pass *p, const tns_node *node, tns_node *body, bool own)
{
  tns_arena *arena = p->arena;
  tns_expr *lo = value (p, node->lo);
  tns_expr *hi = value (p, node->hi);
  if (own)
    return tns_loop (arena, node->loc, node->iter, lo, hi, node->step, body);
  long long by = node->step < 0 ? -node->step : node->step;
  bool up = node->step > 0;
  tns_expr *one = tns_int (arena, 1);
  tns_expr *size = tns_int (arena, by);
  tns_expr *far = up ? tns_binary (arena, TNS_SUB, hi, lo)
                     : tns_binary (arena, TNS_SUB, lo, hi);
  tns_expr *trips = tns_binary (arena, TNS_FLOORDIV,
                                tns_binary (arena, TNS_SUB, far, one), size);
  tns_op along = up ? TNS_ADD : TNS_SUB;
  tns_expr *last
    = tns_binary (arena, along, lo,
                  by == 1 ? tns_binary (arena, TNS_SUB, far, one)
                          : tns_binary (arena, TNS_MUL, trips, size));
  tns_expr *end = tns_binary (arena, up ? TNS_SUB : TNS_ADD, lo, one);
  return tns_loop (arena, node->loc, node->iter, last, end, -node->step, body);
}

/* EXPR, at site S, as the slice of LEVEL has it: arrays whose home is further
   out are in the state that the slice of their home left.  */
static tns_expr *
in_slice (pass *p, tns_expr *expr, int s, int level)
{
  if (!expr)
    return NULL;
  if (expr->op == TNS_LOAD
      && !tns_view_holds (p->view, level, p->view->home[expr->sym->id]))
    {
      tns_expr *taped = tns_tape_value (p->needs, s, expr);
      if (taped != expr)
        return taped;
    }
  tns_expr **arg = TNS_NEW_ARRAY (p->arena, tns_expr *, expr->n_args + 1);
  for (int k = 0; k < expr->n_args; k++)
    arg[k] = in_slice (p, expr->arg[k], s, level);
  if (expr->n_args > 0)
    expr = tns_expr_with_args (p->arena, expr, arg);
  return expr->op == TNS_LOAD ? as_given (p, expr) : expr;
}

/* NODE, at site S, alone, as the slice of LEVEL has it.  */
static tns_node *
node_in_slice (pass *p, const tns_node *node, int s, int level)
{
  tns_node *made = tns_node_copy (p->arena, node);
  made->lo = in_slice (p, node->lo, s, level);
  made->hi = in_slice (p, node->hi, s, level);
  made->cond = in_slice (p, node->cond, s, level);
  made->value = in_slice (p, node->value, s, level);
  made->target = in_slice (p, node->target, s, level);
  return made;
}

/* Append what the slice of LEVEL tapes at site S.  */
static void
tape (pass *p, tns_node *block, int s, int level)
{
  for (int k = 0; k < p->needs->n_tapes && !p->passes; k++)
    {
      const tns_tape *tape = p->needs->tape[k];
      if (tape->home == level && tape->site == s)
        tns_tape_fill (p->needs, tape, in_slice (p, tape->load, s, level),
                       in_slice (p, tape->under, s, level), block);
    }
}

/* FORWARD of a LOOP or an IF at site S.  */
static void
forward_around (pass *p, tns_node *block, tns_node *node, int s, int level)
{
  tns_node *made = node_in_slice (p, node, s, level);
  if (node == p->loop)
    {
      made->lo = p->part->lo;
      made->hi = p->part->hi;
    }
  tape (p, block, s, level);
  if (node->kind == TNS_LOOP)
    {
      made->body = tns_block (p->arena, node->loc);
      forward (p, made->body, node->body, level);
      if (made->body->n_kids)
        tns_block_add (p->arena, block, made);
      return;
    }
  made->then = tns_block (p->arena, node->loc);
  made->otherwise = tns_block (p->arena, node->loc);
  forward (p, made->then, node->then, level);
  if (node->otherwise)
    forward (p, made->otherwise, node->otherwise, level);
  if (made->then->n_kids || made->otherwise->n_kids)
    tns_block_add (p->arena, block, made);
  if (!made->otherwise->n_kids)
    made->otherwise = NULL;
}

/* Append what of NODE the slice of LEVEL runs, and what it tapes.  */
static void
forward (pass *p, tns_node *block, tns_node *node, int level)
{
  int s = tns_view_site (p->view, node);
  if (level == 0 && s >= 0 && p->joined >= 0
      && (p->behind ? s <= p->joined : s >= p->joined))
    return;
  switch (node->kind)
    {
    case TNS_BLOCK:
      for (int k = 0; k < node->n_kids; k++)
        forward (p, block, node->kid[k], level);
      break;
    case TNS_LOOP:
    case TNS_IF:
      forward_around (p, block, node, s, level);
      break;
    case TNS_ASSIGN:
      tape (p, block, s, level);
      if (tns_needs_runs (p->needs, level, s))
        tns_block_add (p->arena, block, node_in_slice (p, node, s, level));
      break;
    case TNS_LOCAL:
      if (p->view->home[node->sym->id] != level)
        tns_block_add (p->arena, block, node);
      break;
    case TNS_PREFETCH:
      break;
    }
}

/* Append the slice of LEVEL, whose body is BODY.  */
static void
add_slice (pass *p, tns_node *block, tns_node *body, int level)
{
  tns_node *slice = tns_block (p->arena, body->loc);
  forward (p, slice, body, level);
  slice = tns_node_fresh (p->ctx, p->about->region, slice);
  for (int k = 0; k < slice->n_kids; k++)
    tns_block_add (p->arena, block, slice->kid[k]);
}

/* Append the LOCALs whose home is LEVEL: the function's, their adjoints, and
   tapes.  */
static void
add_locals (pass *p, tns_node *block, int level)
{
  const tns_region *f = p->view->region;
  for (int k = 0; k < f->n_syms; k++)
    {
      tns_sym *sym = f->syms[k];
      if (sym->kind != TNS_SYM_ARRAY || !tns_sym_is_local (sym)
          || p->view->home[k] != level)
        continue;
      tns_block_add (p->arena, block, tns_local (p->arena, sym->loc, sym));
      if (p->about->adjoint[k])
        tns_block_add (p->arena, block,
                       tns_local (p->arena, sym->loc, p->about->adjoint[k]));
    }
  for (int k = 0; k < p->needs->n_tapes; k++)
    {
      const tns_tape *tape = p->needs->tape[k];
      if (tape->home == level && !tns_tape_is_over (p->needs, tape, p->loop))
        tns_block_add (p->arena, block,
                       tns_local (p->arena, tape->load->loc, tape->sym));
    }
}

/* J (LEVEL), whose body is BODY.  */
static tns_node *
joint (pass *p, tns_node *body, int level)
{
  tns_node *block = tns_block (p->arena, body->loc);
  tns_node *backward = tns_block (p->arena, body->loc);
  reverse (p, backward, body);
  add_locals (p, block, level);
  if (!p->notes)
    add_slice (p, block, body, level);
  for (int k = 0; k < backward->n_kids; k++)
    tns_block_add (p->arena, block, backward->kid[k]);
  return backward->n_kids || level == 0 ? block : backward;
}

/* Append the backward pass of NODE, a LOOP at site S.  */
static void
reverse_around_loop (pass *p, tns_node *block, tns_node *node, int s)
{
  tns_node *body = joint (p, node->body, p->view->site[s].inner);
  bool joins = s == p->joined && !p->notes;
  bool own = joins || !has_order (body);
  p->site = s;
  if (s == p->joined)
    p->fits = own && body->n_kids;
  if (body->n_kids)
    tns_block_add (
      p->arena, block,
      reverse_loop (p, node == p->loop ? p->part : node, body, own));
  if (!joins)
    return;
  p->behind = true;
  add_slice (p, block, p->view->region->body, 0);
  p->behind = false;
}

/* Append the backward pass of NODE, an IF at site S.  */
static void
reverse_if (pass *p, tns_node *block, tns_node *node, int s)
{
  tns_node *then = tns_block (p->arena, node->loc);
  tns_node *otherwise = tns_block (p->arena, node->loc);
  reverse (p, then, node->then);
  if (node->otherwise)
    reverse (p, otherwise, node->otherwise);
  p->site = s;
  if (then->n_kids || otherwise->n_kids)
    tns_block_add (p->arena, block,
                   tns_if (p->arena, node->loc, value (p, node->cond), then,
                           otherwise->n_kids ? otherwise : NULL));
}

/* Append to BLOCK: the adjoints of the LOCALs of NODE, a BLOCK, are 0.  */
static void
clear_locals (pass *p, tns_node *block, const tns_node *node)
{
  for (int k = 0; k < node->n_kids; k++)
    {
      tns_sym *sym = node->kid[k]->kind == TNS_LOCAL
                       ? p->about->adjoint[node->kid[k]->sym->id]
                       : NULL;
      if (sym)
        tns_sweep (p->ctx, p->about->region, block, sym, TNS_NONE, NULL, NULL);
    }
}

/* Append the backward pass of NODE.  */
static void
reverse (pass *p, tns_node *block, tns_node *node)
{
  int s = tns_view_site (p->view, node);
  p->site = s;
  switch (node->kind)
    {
    case TNS_BLOCK:
      clear_locals (p, block, node);
      for (int k = node->n_kids - 1; k >= 0; k--)
        reverse (p, block, node->kid[k]);
      break;
    case TNS_LOOP:
      reverse_around_loop (p, block, node, s);
      break;
    case TNS_IF:
      reverse_if (p, block, node, s);
      break;
    case TNS_ASSIGN:
      reverse_assign (p, block, node, s);
      break;
    case TNS_LOCAL:
    case TNS_PREFETCH:
      break;
    }
}

/* The statements of NODE, a BLOCK, and of the blocks in it, in FLAT; their
   LOCALs in LOCALS.  */
static void
flatten (pass *p, tns_node *flat, tns_node *locals, const tns_node *node)
{
  for (int k = 0; k < node->n_kids; k++)
    if (node->kid[k]->kind == TNS_BLOCK)
      flatten (p, flat, locals, node->kid[k]);
    else
      tns_block_add (p->arena, node->kid[k]->kind == TNS_LOCAL ? locals : flat,
                     node->kid[k]);
}

/* The kids [FIRST, END) of BODY, their forward slice at level 0, if FORTH,
   then their backward pass, if BACK.  */
static tns_node *
piece (pass *p, tns_node *body, int first, int end, bool forth, bool back)
{
  tns_node *part = tns_block (p->arena, body->loc);
  tns_node *block = tns_block (p->arena, body->loc);
  for (int k = first; k < end; k++)
    tns_block_add (p->arena, part, body->kid[k]);
  if (forth)
    add_slice (p, block, part, 0);
  if (back)
    reverse (p, block, part);
  return block;
}

/* J (0), LOOP of which is done in parts.  */
static tns_node *
in_parts (pass *p, const tns_timeloop *loop)
{
  tns_node *block = tns_block (p->arena, p->view->region->body->loc);
  tns_node *body = tns_block (p->arena, block->loc);
  tns_node *locals = tns_block (p->arena, block->loc);
  tns_control control = { .ctx = p->ctx,
                          .region = p->about->region,
                          .flow = p->about->flow,
                          .looking = p->about->looking,
                          .absent = p->about->absent,
                          .loop = loop,
                          .wish = p->about->checkpoint };
  tns_pieces pieces;
  int at = 0;
  tns_control_begin (&control);
  tns_tapes_cut (p->needs, loop->node, control.first, control.span);
  p->loop = loop->node;
  p->part = tns_node_copy (p->arena, loop->node);
  p->part->lo = control.first;
  p->part->hi = control.end;
  flatten (p, body, locals, p->view->region->body);
  while (body->kid[at] != loop->node)
    at++;
  pieces.head = piece (p, body, 0, at, true, false);
  p->passes = true;
  pieces.advance = piece (p, body, at, at + 1, true, false);
  p->passes = false;
  pieces.record = piece (p, body, at, at + 1, true, false);
  pieces.middle = piece (p, body, at + 1, body->n_kids, true, true);
  pieces.backward = piece (p, body, at, at + 1, false, true);
  pieces.tail = piece (p, body, 0, at, false, true);
  add_locals (p, block, 0);
  clear_locals (p, pieces.head, locals);
  tns_node *made = tns_control_build (&control, p->needs, &pieces);
  if (made)
    tns_block_add (p->arena, block, made);
  return made ? block : NULL;
}

/* The last loop of level 0 where nothing but statements stands behind it, -1
   where there is none.  */
static int
last_loop (const tns_view *view)
{
  const tns_node *body = view->region->body;
  int k = body->n_kids - 1;
  while (
    k >= 0
    && (body->kid[k]->kind == TNS_ASSIGN || body->kid[k]->kind == TNS_LOCAL))
    k--;
  return k >= 0 && body->kid[k]->kind == TNS_LOOP
           ? tns_view_site (view, body->kid[k])
           : -1;
}

/* Note in P, a pass, what it reads, with the loop at site JOINED run forward
   and backward at once, where that is not -1.  False with the reason said,
   or where that may not be.  */
static bool
note (pass *p, const tns_reverse *about, int joined)
{
  tns_reverse first = *about;
  tns_ctx *ctx = about->ctx;
  first.region = tns_region_copy (ctx->arena, about->region);
  do
    {
      *p = (pass){ .about = &first,
                   .ctx = ctx,
                   .arena = ctx->arena,
                   .view = about->flow->view,
                   .notes = true,
                   .joined = joined };
      p->needs = tns_needs_new (ctx, about->region, about->flow, about->given,
                                about->absent);
      p->needs->looking = about->looking;
      if (about->whole)
        tns_needs_run_all (p->needs);
      if (joined >= 0)
        tns_needs_join (p->needs, joined);
      joint (p, p->view->region->body, 0);
      if (p->failed || !tns_needs_close (p->needs))
        return false;
    }
  while (p->needs->again);
  p->about = about;
  p->notes = false;
  return joined < 0 || (p->fits && tns_needs_may_join (p->needs, joined));
}

tns_node *
tns_reverse_build (const tns_reverse *about)
{
  pass p;
  tns_ctx *ctx = about->ctx;
  const tns_view *view = about->flow->view;
  int joined = about->whole ? last_loop (view) : -1;
  tns_ctx before = *ctx;
  bool joins = joined >= 0 && note (&p, about, joined);
  if (!joins)
    {
      tns_take_back (ctx, &before);
      if (!note (&p, about, -1))
        return NULL;
      *about->twice = tns_needs_twice (p.needs, about->n_moved, about->moved);
    }
  tns_node *found = tns_timeloop_find (p.needs);
  about->checkpoint->has_loop = found != NULL;
  if (found && tns_checkpoint_is_asked (about->checkpoint))
    {
      tns_timeloop loop = tns_timeloop_of (p.needs, found);
      return in_parts (&p, &loop);
    }
  if (tns_checkpoint_is_asked (about->checkpoint))
    tns_note (ctx, about->region->loc,
              "no time loop is taped, there is nothing to bound");
  return joint (&p, view->region->body, 0);
}
