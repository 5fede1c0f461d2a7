/* Recurrences that look ahead, as lowering/lookahead.h says.

   The value is in a cell V, declared outside of the loop, which one statement
   of its body sets: from V itself, or to a LOCAL W that was made of V before,
   in the body's last statement.  */

#include "lowering/lookahead.h"

#include <math.h>

#include "ir/fresh.h"
#include "ir/recurrence.h"
#include "ir/walk.h"

/* So many iterations wait once; bodies of more operations take longer than they
   wait.  */
enum
{
  AHEAD = 4,
  MOST_OPERATIONS = 24
};

/* A loop's recurrence.

   cell   V; made: V, or W
   at     the statement of the body that makes the new value
   n      the statements that are written out: all, but the last one where that
          sets V to W
   stays   all factors are the same: they are kept outside of the loop
   factor  of each iteration; NULL: 1
   power   the product of those up to it  */
typedef struct lookahead
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  tns_made *noted;
  tns_node *loop;
  tns_sym *cell;
  tns_sym *made;
  int at;
  int n;
  tns_recurrence is;
  bool stays;
  tns_expr *factor[AHEAD];
  tns_expr *power[AHEAD];
} lookahead;

/* The visitor that counts operations.  */
static bool
count_operation (tns_expr *expr, void *self)
{
  int *n = self;
  *n += expr->n_args > 0 && expr->op != TNS_LOAD;
  return expr->op != TNS_LOAD;
}

/* LOOP's body is a line of few operations.  */
static bool
is_short_line (const tns_node *loop)
{
  int n = 0;
  if (loop->body->kind != TNS_BLOCK)
    return false;
  for (int k = 0; k < loop->body->n_kids; k++)
    {
      tns_node *kid = loop->body->kid[k];
      if (kid->kind != TNS_LOCAL
          && (kid->kind != TNS_ASSIGN || kid->target->type.lanes > 1))
        return false;
      tns_node_exprs (kid, count_operation, &n);
    }
  return n <= MOST_OPERATIONS;
}

/* LOOP may have a recurrence.  */
static bool
is_candidate (const tns_node *loop)
{
  return loop->kind == TNS_LOOP && (loop->step == 1 || loop->step == -1)
         && !loop->few && !loop->once && !loop->marks.parallel
         && loop->marks.chunks == 0 && is_short_line (loop);
}

/* How often the body of LA's loop sets SYM.  */
static int
count_stores (const lookahead *la, const tns_sym *sym)
{
  int n = 0;
  for (int k = 0; k < la->loop->body->n_kids; k++)
    {
      const tns_node *kid = la->loop->body->kid[k];
      n += kid->kind == TNS_ASSIGN && kid->target->sym == sym;
    }
  return n;
}

/* EXPR is a cell that the body of LA's loop declares.  */
static bool
is_own (const lookahead *la, const tns_expr *expr)
{
  return expr->op == TNS_LOAD && expr->n_args == 0
         && tns_node_declares (la->loop->body, expr->sym);
}

/* Find the only cell that iterations of LA's loop hand on: the statement that
   sets it, the last one of the body where that is a LOCAL of it.  */
static bool
find_cell (lookahead *la)
{
  const tns_node *body = la->loop->body;
  int at = -1;
  for (int k = 0; k < body->n_kids; k++)
    {
      const tns_node *kid = body->kid[k];
      if (kid->kind != TNS_ASSIGN || kid->target->n_args > 0
          || is_own (la, kid->target))
        continue;
      if (at >= 0)
        return false;
      at = k;
    }
  if (at < 0)
    return false;
  const tns_node *sets = body->kid[at];
  bool hands = at == body->n_kids - 1 && sets->update == TNS_NONE
               && is_own (la, sets->value);
  la->cell = sets->target->sym;
  la->made = hands ? sets->value->sym : la->cell;
  la->n = hands ? at : body->n_kids;
  return tns_sym_is_local (la->cell) && count_stores (la, la->made) == 1;
}

/* EXPR is the same in all iterations of LA's loop.  */
static bool
stays (const lookahead *la, tns_expr *expr)
{
  bool still = !tns_expr_mentions (expr, la->loop->iter)
               && (!tns_expr_reads (expr)
                   || (expr->n_args == 0
                       && !tns_node_writes (la->loop->body, expr->sym)));
  for (int k = 0; still && k < expr->n_args; k++)
    still = stays (la, expr->arg[k]);
  return still;
}

/* A search in LA's loop for an element that an iteration before may have
   stored.  */
typedef struct search
{
  const lookahead *la;
  bool found;
} search;

/* The visitor: note whether EXPR is one.  */
static bool
note_stored (tns_expr *expr, void *self)
{
  search *s = self;
  const tns_node *body = s->la->loop->body;
  for (int k = 0; expr->op == TNS_LOAD && expr->n_args > 0 && k < body->n_kids;
       k++)
    s->found |= body->kid[k]->kind == TNS_ASSIGN
                && body->kid[k]->target->sym == expr->sym
                && !tns_expr_equal (body->kid[k]->target, expr);
  return !s->found;
}

/* The visitor: the same for NODE's expressions.  */
static bool
note_node (tns_node *node, void *self)
{
  tns_node_exprs (node, note_stored, self);
  return !((search *) self)->found;
}

/* LA's loop waits for nothing but the recurrence.  */
static bool
waits_once (const lookahead *la)
{
  search s = { la, false };
  tns_node_walk (la->loop->body, note_node, &s);
  return !s.found;
}

/* Something in LA's loop but the recurrence is worth to be done before: it is
   no sum that is only wanted at the end.  */
static bool
is_wanted (const lookahead *la)
{
  return la->is.factor || la->made != la->cell || la->n > 1;
}

/* Find the recurrence of LA's loop.  */
static bool
find_recurrence (lookahead *la)
{
  if (!find_cell (la))
    return false;
  const tns_node *body = la->loop->body;
  for (la->at = 0; la->at < la->n; la->at++)
    {
      const tns_node *kid = body->kid[la->at];
      if (kid->kind == TNS_ASSIGN && kid->target->sym == la->made)
        break;
    }
  return la->at < la->n
         && tns_recurrence_of (la->arena, body->kid[la->at], la->cell, &la->is)
         && is_wanted (la) && waits_once (la);
}

/* A OP B.  */
static tns_expr *
binary (const lookahead *la, tns_op op, tns_expr *a, tns_expr *b)
{
  return tns_binary (la->arena, op, a, b);
}

/* Declare a LOCAL like LA's cell, called NAME, which is VALUE, in OUT; what
   reads it.  */
static tns_expr *
keep (const lookahead *la, const char *name, tns_expr *value, tns_node *out)
{
  tns_sym *sym = tns_region_add_array (la->arena, la->region, name,
                                       la->cell->type.elem, 0, TNS_SYM_LOCAL);
  tns_expr *cell = tns_cell (la->arena, sym);
  tns_block_add (la->arena, out, tns_local (la->arena, out->loc, sym));
  tns_block_add (la->arena, out,
                 tns_assign (la->arena, out->loc, cell, TNS_NONE, value));
  return cell;
}

/* The factor of iteration K, FACTOR, into LA, and the product of those up to
   it, in OUT; FACTOR NULL: all are 1.  */
static void
keep_factor (lookahead *la, int k, tns_expr *factor, tns_node *out)
{
  if (!factor)
    return;
  la->factor[k]
    = k && la->stays ? la->factor[0] : keep (la, "factor", factor, out);
  la->power[k]
    = k ? keep (la, "power",
                binary (la, TNS_MUL, la->power[k - 1], la->factor[k]), out)
        : la->factor[0];
}

/* What LA's recurrence makes of VALUE by FACTOR, NULL for 1, and TERM.  */
static tns_expr *
step_of (const lookahead *la, tns_expr *factor, tns_expr *value, tns_expr *term)
{
  if (la->is.op != TNS_ADD)
    return binary (la, la->is.op, value, term);
  if (factor && la->ctx->flags.contract)
    return tns_ternary (la->arena, TNS_FMA, factor, value, term);
  return binary (la, TNS_ADD,
                 factor ? binary (la, TNS_MUL, factor, value) : value, term);
}

/* Reads of cells in a copy of a body, and what stands for them.

   cell, old  V and its value before
   made, now  W, or V, and the value that is made, NULL until then  */
typedef struct reading
{
  tns_arena *arena;
  const tns_sym *cell;
  tns_expr *old;
  const tns_sym *made;
  tns_expr *now;
} reading;

/* The changer of EXPR where it reads one of them.  */
static tns_expr *
change_read (tns_expr *expr, void *self)
{
  const reading *r = self;
  if (expr->op != TNS_LOAD || expr->n_args > 0)
    return expr;
  if (r->now && expr->sym == r->made)
    return r->now;
  return expr->sym == r->cell ? r->old : expr;
}

/* The changer of a whole EXPR.  */
static tns_expr *
change_expr (tns_expr *expr, void *self)
{
  const reading *r = self;
  return tns_expr_rebuild (r->arena, expr, change_read, self);
}

/* The body of iteration K of those that LA takes together.  */
static tns_node *
body_of (const lookahead *la, int k)
{
  tns_sym *iter = la->loop->iter;
  tns_expr *at = binary (la, TNS_ADD, tns_value (la->arena, iter),
                         tns_int (la->arena, k * la->loop->step));
  tns_node *fresh = tns_node_fresh (la->ctx, la->region, la->loop->body);
  return tns_node_substitute (la->arena, fresh, 1, &iter, &at);
}

/* TERM as the first of several, by LA's operator: extremes ignore a NaN beside
   what was there before.  */
static tns_expr *
first_of (const lookahead *la, tns_expr *term)
{
  tns_op op = la->is.op;
  if (op != TNS_MIN && op != TNS_MAX)
    return term;
  return binary (la, op,
                 tns_real (la->arena, la->cell->type.elem,
                           op == TNS_MIN ? INFINITY : -INFINITY),
                 term);
}

/* Write the recurrence of iteration K, statement NODE, at the end of OUT: R's
   cell was R's old value.  *TERM is what the iterations before make of 0, NULL
   before the first one.  */
static void
add_recurrence (lookahead *la, int k, const tns_node *node, reading *r,
                tns_expr **term, tns_node *out)
{
  tns_recurrence is;
  tns_recurrence_of (la->arena, node, la->cell, &is);
  if (!la->stays)
    keep_factor (la, k, is.factor ? change_expr (is.factor, r) : NULL, out);
  tns_expr *one = change_expr (is.term, r);
  one = *term ? step_of (la, la->factor[k], *term, one) : first_of (la, one);
  *term = keep (la, "term", one, out);
  tns_expr *first = tns_cell (la->arena, la->cell);
  r->now
    = keep (la, la->cell->name, step_of (la, la->power[k], first, *term), out);
}

/* Write iteration K of those that LA takes together at the end of OUT, behind
   one that made *VALUE, which becomes its own.  */
static void
add_iteration (lookahead *la, int k, tns_expr **value, tns_expr **term,
               tns_node *out)
{
  tns_node *body = body_of (la, k);
  reading r
    = { la->arena, la->cell, *value, body->kid[la->at]->target->sym, NULL };
  for (int j = 0; j < la->n; j++)
    {
      tns_node *kid = body->kid[j];
      if (j == la->at)
        add_recurrence (la, k, kid, &r, term, out);
      else if (kid->kind != TNS_LOCAL || kid->sym != r.made)
        tns_block_add (
          la->arena, out,
          tns_node_rebuild (la->arena, kid, NULL, change_expr, &r));
    }
  if (!k || !tns_ctx_breaks (la->ctx, "lookahead"))
    *value = r.now;
}

/* LA's loop, AHEAD iterations at a time.  */
static tns_node *
main_loop (lookahead *la)
{
  tns_node *made = tns_node_copy (la->arena, la->loop);
  tns_expr *cell = tns_cell (la->arena, la->cell);
  tns_expr *value = cell;
  tns_expr *term = NULL;
  made->body = tns_block (la->arena, la->loop->body->loc);
  made->step = AHEAD * la->loop->step;
  made->hi = binary (la, TNS_SUB, la->loop->hi,
                     tns_int (la->arena, (AHEAD - 1) * la->loop->step));
  for (int k = 0; k < AHEAD; k++)
    add_iteration (la, k, &value, &term, made->body);
  tns_block_add (la->arena, made->body,
                 tns_assign (la->arena, made->loc, cell, TNS_NONE, value));
  return made;
}

/* What is left of LA's loop.  */
static tns_node *
rest_loop (const lookahead *la)
{
  tns_node *rest = tns_node_copy (la->arena, la->loop);
  bool up = la->loop->step > 0;
  tns_expr *ahead = tns_int (la->arena, AHEAD);
  tns_expr *trip = binary (la, TNS_SUB, up ? la->loop->hi : la->loop->lo,
                           up ? la->loop->lo : la->loop->hi);
  trip = binary (la, TNS_MAX, trip, tns_int (la->arena, 0));
  tns_expr *done
    = binary (la, TNS_MUL, binary (la, TNS_FLOORDIV, trip, ahead), ahead);
  rest->lo = binary (la, up ? TNS_ADD : TNS_SUB, la->loop->lo, done);
  rest->few = true;
  return rest;
}

/* NODE, its parts done.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  lookahead la = *(const lookahead *) self;
  la.loop = node;
  if (!is_candidate (node) || !find_recurrence (&la))
    return node;
  tns_node *all = tns_block (la.arena, node->loc);
  tns_made_note (la.arena, &la.noted->carried, node->iter);
  la.stays = !la.is.factor || stays (&la, la.is.factor);
  for (int k = 0; k < AHEAD && la.stays; k++)
    keep_factor (&la, k, la.is.factor, all);
  tns_block_add (la.arena, all, main_loop (&la));
  tns_block_add (la.arena, all, rest_loop (&la));
  return all;
}

tns_region *
tns_region_lookahead (tns_ctx *ctx, tns_region *region, tns_made *made)
{
  if (!region || ctx->wish.fp == TNS_FP_STRICT)
    return region;
  lookahead la = { .ctx = ctx, .arena = ctx->arena, .noted = made };
  la.region = tns_region_copy (ctx->arena, region);
  la.region->body
    = tns_node_rebuild (ctx->arena, region->body, change_node, NULL, &la);
  return la.region;
}
