/* Sums in lanes that live on, as lowering/sums.h says, from the inside out.

   In the body of a loop that threads do not share, for a LOCAL acc of it

     the first statement that mentions acc sets it to what changes no sum
     the last one is  s += reduce_add (acc),  s a cell from further out, or an
       element that stays the same, of which the body mentions nothing but in
       other such sums
     all others add to acc: acc += v, acc = acc + v, under a mask or not

   these two and the LOCAL go outside.  A condition that stays the same, around
   all of the body, goes outside before.  */

#include "lowering/sums.h"

#include "ir/walk.h"

/* Statements that mention ACC, but for FIRST and LAST.

   adds  all of them add to it  */
typedef struct search
{
  const tns_sym *acc;
  const tns_node *first;
  const tns_node *last;
  bool adds;
} search;

/* EXPR is ACC's value.  */
static bool
is_acc (const tns_expr *expr, const tns_sym *acc)
{
  return expr->op == TNS_LOAD && expr->sym == acc;
}

/* EXPR is ACC's value plus something that is none of it, in some lanes.  */
static bool
is_more (tns_expr *expr, const tns_sym *acc)
{
  if (is_acc (expr, acc))
    return true;
  tns_expr *a = expr->n_args > 0 ? expr->arg[0] : NULL;
  tns_expr *b = expr->n_args > 1 ? expr->arg[1] : NULL;
  tns_expr *c = expr->n_args > 2 ? expr->arg[2] : NULL;
  switch (expr->op)
    {
    case TNS_ADD:
      return (is_more (a, acc) && !tns_expr_mentions (b, acc))
             || (is_more (b, acc) && !tns_expr_mentions (a, acc));
    case TNS_FMA:
    case TNS_FUSED:
      return is_more (c, acc) && !tns_expr_mentions (a, acc)
             && !tns_expr_mentions (b, acc);
    case TNS_SELECT:
      return !tns_expr_mentions (a, acc) && is_more (b, acc)
             && is_more (c, acc);
    default:
      return false;
    }
}

/* NODE, an ASSIGN to ACC, adds to it.  */
static bool
adds_to (const tns_node *node, const tns_sym *acc)
{
  bool is_masked = node->mask && tns_expr_mentions (node->mask, acc);
  if (node->update == TNS_ADD)
    return !is_masked && !tns_expr_mentions (node->value, acc);
  return !is_masked && node->update == TNS_NONE && is_more (node->value, acc);
}

/* The visitor: whether NODE, where it mentions the accumulator, adds to it.  */
static bool
note_mention (tns_node *node, void *self)
{
  search *s = self;
  bool mentions = tns_expr_mentions (node->lo, s->acc)
                  || tns_expr_mentions (node->hi, s->acc)
                  || tns_expr_mentions (node->cond, s->acc);
  s->adds &= !mentions;
  if (node->kind == TNS_ASSIGN && node != s->first && node != s->last
      && tns_node_mentions (node, s->acc))
    s->adds &= node->target->sym == s->acc && adds_to (node, s->acc);
  return s->adds;
}

/* NODE sets ACC to what changes no sum.  */
static bool
is_start (const tns_node *node, const tns_sym *acc)
{
  if (node->kind != TNS_ASSIGN || node->target->sym != acc || node->mask
      || node->update != TNS_NONE || node->value->op != TNS_SPLAT)
    return false;
  const tns_expr *value = node->value->arg[0];
  return (value->op == TNS_INT && value->integer == 0)
         || (value->op == TNS_REAL && value->real == 0
             && __builtin_signbit (value->real));
}

/* Whether an expression stays the same while ITER moves.  */
typedef struct stay
{
  const tns_sym *iter;
  bool stays;
} stay;

/* The visitor that looks for what may change.  */
static bool
note_move (tns_expr *expr, void *self)
{
  stay *s = self;
  s->stays = s->stays && expr->sym != s->iter && !tns_expr_reads (expr);
  return s->stays;
}

/* EXPR is the same in all iterations of LOOP.  */
static bool
stays (const tns_node *loop, tns_expr *expr)
{
  stay s = { loop->iter, true };
  tns_expr_walk (expr, note_move, &s);
  return s.stays;
}

/* NODE adds lanes to what is the same in all iterations of LOOP.  */
static bool
is_sum (const tns_node *loop, const tns_node *node)
{
  if (node->kind != TNS_ASSIGN || node->update != TNS_ADD || node->mask
      || node->value->op != TNS_REDUCE_ADD
      || node->value->arg[0]->op != TNS_LOAD
      || node->value->arg[0]->sym == node->target->sym)
    return false;
  for (int k = 0; k < node->target->n_args; k++)
    if (!stays (loop, node->target->arg[k]))
      return false;
  return true;
}

/* NODE, in the body of LOOP, adds the lanes of ACC so.  */
static bool
is_end (const tns_node *loop, const tns_node *node, const tns_sym *acc)
{
  return is_sum (loop, node) && is_acc (node->value->arg[0], acc);
}

/* What LOOP's body has to do with SYM is to add lanes to it.  */
static bool
only_sums (const tns_node *loop, const tns_sym *sym)
{
  const tns_node *body = loop->body;
  for (int k = 0; k < body->n_kids; k++)
    if (tns_node_mentions (body->kid[k], sym) && !is_sum (loop, body->kid[k]))
      return false;
  return true;
}

/* How many kids of BODY mention SYM, but for its LOCAL; the first and the last
   into *FIRST and *LAST.  */
static int
mentions_in (const tns_node *body, const tns_sym *sym, int *first, int *last)
{
  int n = 0;
  for (int k = 0; k < body->n_kids; k++)
    if (body->kid[k]->kind != TNS_LOCAL
        && tns_node_mentions (body->kid[k], sym))
      {
        *first = n++ == 0 ? k : *first;
        *last = k;
      }
  return n;
}

/* SYM is a LOCAL of BODY.  */
static bool
is_local_of (const tns_node *body, const tns_sym *sym)
{
  for (int k = 0; k < body->n_kids; k++)
    if (body->kid[k]->kind == TNS_LOCAL && body->kid[k]->sym == sym)
      return true;
  return false;
}

/* Kid K of LOOP's body, a LOCAL, may live on: its first and last statements are
   the kids *FIRST and *LAST.  */
static bool
lives_on (const tns_node *loop, int k, int *first, int *last)
{
  const tns_node *body = loop->body;
  const tns_sym *acc = body->kid[k]->sym;
  if (body->kid[k]->kind != TNS_LOCAL || acc->rank > 0
      || mentions_in (body, acc, first, last) < 2
      || !is_start (body->kid[*first], acc)
      || !is_end (loop, body->kid[*last], acc))
    return false;
  const tns_sym *sum = body->kid[*last]->target->sym;
  if (is_local_of (body, sum) || !only_sums (loop, sum))
    return false;
  search s = { acc, body->kid[*first], body->kid[*last], true };
  for (int j = 0; j < body->n_kids && s.adds; j++)
    tns_node_walk (body->kid[j], note_mention, &s);
  return s.adds;
}

/* LOOP between what goes out of its body, or LOOP.  */
static tns_node *
with_sums_outside (tns_ctx *ctx, tns_node *loop)
{
  tns_arena *arena = ctx->arena;
  tns_node *body = loop->body;
  tns_node *before = tns_block (arena, loop->loc);
  tns_node *after = tns_block (arena, loop->loc);
  bool *goes = TNS_NEW_ARRAY (arena, bool, body->n_kids + 1);
  int first = 0;
  int last = 0;
  for (int k = 0; k < body->n_kids; k++)
    if (lives_on (loop, k, &first, &last))
      {
        goes[k] = goes[last] = true;
        goes[first] = !tns_ctx_breaks (ctx, "sums");
        tns_block_add (arena, before, body->kid[k]);
        tns_block_add (arena, before, body->kid[first]);
        tns_block_add (arena, after, body->kid[last]);
      }
  if (after->n_kids == 0)
    return loop;
  tns_node *made = tns_node_copy (arena, loop);
  made->body = tns_block (arena, body->loc);
  for (int k = 0; k < body->n_kids; k++)
    if (!goes[k])
      tns_block_add (arena, made->body, body->kid[k]);
  tns_block_add (arena, before, made);
  for (int k = 0; k < after->n_kids; k++)
    tns_block_add (arena, before, after->kid[k]);
  return before;
}

/* The condition around all of LOOP's body that stays the same, or NULL.  */
static const tns_node *
condition_of (const tns_node *loop)
{
  const tns_node *body = loop->body;
  const tns_node *only = body->n_kids == 1 ? body->kid[0] : NULL;
  bool found = only && only->kind == TNS_IF && !only->otherwise
               && only->then->kind == TNS_BLOCK && stays (loop, only->cond);
  return found ? only : NULL;
}

/* A LOOP, what is in it is done.  */
static tns_node *
change_node (tns_node *loop, void *self)
{
  tns_ctx *ctx = self;
  if (loop->kind != TNS_LOOP || loop->marks.parallel || loop->marks.chunks
      || loop->body->kind != TNS_BLOCK)
    return loop;
  const tns_node *condition = condition_of (loop);
  if (!condition)
    return with_sums_outside (ctx, loop);
  tns_node *inner = tns_node_copy (ctx->arena, loop);
  inner->body = condition->then;
  tns_node *made = with_sums_outside (ctx, inner);
  if (made == inner)
    return loop;
  return tns_if (ctx->arena, loop->loc, condition->cond, made, NULL);
}

tns_region *
tns_region_sums (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  tns_region *made = tns_region_copy (ctx->arena, region);
  made->body
    = tns_node_rebuild (ctx->arena, region->body, change_node, NULL, ctx);
  return made;
}
