/* Loops that were unrolled by hand, rolled up again, as ir/reroll.h says.

   A loop's body is GROUP statements written COPIES times: statement k of copy
   c is statement k of the first copy with

     i + c * step / COPIES   for i, where COPIES divides the step, or
     f*i + c * f / COPIES    for f*i, where the step is 1, the iterator stands
                             in subscripts only, and COPIES divides each
                             factor f that it has there

   Subscripts are compared as sums (ir/affine.h), the rest as it stands.  An
   update with a sum of floating numbers counts as one update for each term
   where fp allows that.

   The second form is brought to the first: the iterator becomes COPIES times
   what it was, in steps of COPIES.

   Does not do: copies that differ in a value, declare cells, or hold loops or
   conditions; several accumulators; loops that go down.  */

#include "ir/reroll.h"

#include "ir/affine.h"
#include "ir/walk.h"

enum
{
  MOST_STATEMENTS = 64
};

/* The body of LOOP as statements; WHOLE: its bounds are a number of steps
   apart.  */
typedef struct unrolled
{
  tns_ctx *ctx;
  tns_arena *arena;
  const tns_node *loop;
  bool whole;
  int n;
  tns_node *stmt[MOST_STATEMENTS];
} unrolled;

/* A and B, integers, are the same sum.  */
static bool
same_sum (tns_arena *arena, tns_expr *a, tns_expr *b)
{
  tns_sum left = tns_sum_of (arena, a);
  tns_sum right = tns_sum_of (arena, b);
  return left.n >= 0 && right.n >= 0 && tns_sum_equal (left, right);
}

/* A and B compute the same, subscripts as sums.  */
static bool
same_expr (tns_arena *arena, tns_expr *a, tns_expr *b)
{
  if (tns_expr_equal (a, b))
    return true;
  if (a->type.elem == TNS_I64 && b->type.elem == TNS_I64
      && same_sum (arena, a, b))
    return true;
  if (a->op != b->op || a->type.elem != b->type.elem || a->sym != b->sym
      || a->n_args != b->n_args || a->n_args == 0)
    return false;
  for (int k = 0; k < a->n_args; k++)
    if (!same_expr (arena, a->arg[k], b->arg[k]))
      return false;
  return true;
}

/* B is A with the iterator at AT.  */
static bool
is_copy (const unrolled *u, const tns_node *a, const tns_node *b, tns_expr *at)
{
  tns_sym *iter = u->loop->iter;
  if (a->update != b->update)
    return false;
  return same_expr (u->arena,
                    tns_expr_substitute (u->arena, a->target, 1, &iter, &at),
                    b->target)
         && same_expr (u->arena,
                       tns_expr_substitute (u->arena, a->value, 1, &iter, &at),
                       b->value);
}

/* U's statements are COPIES of some, each D further on.  */
static bool
is_unrolled (const unrolled *u, int copies, long long d)
{
  int group = u->n / copies;
  int end = tns_ctx_breaks (u->ctx, "reroll") ? u->n - 1 : u->n;
  for (int k = group; k < end; k++)
    {
      tns_expr *at
        = tns_binary (u->arena, TNS_ADD, tns_value (u->arena, u->loop->iter),
                      tns_int (u->arena, k / group * d));
      if (!is_copy (u, u->stmt[k % group], u->stmt[k], at))
        return false;
    }
  return true;
}

/* U's loop over the first of COPIES, D apart.  */
static tns_node *
roll_up (const unrolled *u, int copies, long long d)
{
  tns_arena *arena = u->arena;
  const tns_node *loop = u->loop;
  tns_expr *step = tns_int (arena, loop->step);
  tns_expr *up = tns_binary (arena, TNS_ADD,
                             tns_binary (arena, TNS_SUB, loop->hi, loop->lo),
                             tns_int (arena, loop->step - 1));
  tns_expr *times = tns_binary (arena, TNS_FLOORDIV, up, step);
  tns_node *body = tns_block (arena, loop->loc);
  for (int k = 0; k < u->n / copies; k++)
    tns_block_add (arena, body, u->stmt[k]);
  tns_node *made = tns_node_copy (arena, loop);
  if (!u->whole)
    made->hi = tns_binary (arena, TNS_ADD, loop->lo,
                           tns_binary (arena, TNS_MUL, times, step));
  made->step = d;
  made->body = body;
  return made;
}

/* U's loop rolled up, or NULL.  */
static tns_node *
roll (const unrolled *u)
{
  for (int copies = u->n; copies > 1; copies--)
    if (u->n % copies == 0 && u->loop->step % copies == 0
        && is_unrolled (u, copies, u->loop->step / copies))
      return roll_up (u, copies, u->loop->step / copies);
  return NULL;
}

/* Append STMT to U.  False when there are too many.  */
static bool
add_statement (unrolled *u, tns_node *stmt)
{
  if (u->n == MOST_STATEMENTS)
    return false;
  u->stmt[u->n++] = stmt;
  return true;
}

/* Append an update of STMT's target for each term of SUM to U.  False when
   there are too many.  */
static bool
add_terms (unrolled *u, const tns_node *stmt, tns_expr *sum)
{
  if (sum->op == TNS_ADD)
    return add_terms (u, stmt, sum->arg[0]) && add_terms (u, stmt, sum->arg[1]);
  tns_node *made = tns_node_copy (u->arena, stmt);
  made->value = sum;
  return add_statement (u, made);
}

/* Gather the statements of U's loop, those that add up floating numbers term
   by term where APART.  False when there is anything else.  */
static bool
gather (unrolled *u, bool apart)
{
  const tns_node *body = u->loop->body;
  u->n = 0;
  for (int k = 0; k < body->n_kids; k++)
    {
      tns_node *stmt = body->kid[k];
      if (stmt->kind != TNS_ASSIGN || stmt->mask)
        return false;
      bool adds = apart && stmt->update == TNS_ADD
                  && tns_elem_is_float (stmt->value->type.elem);
      if (adds ? !add_terms (u, stmt, stmt->value) : !add_statement (u, stmt))
        return false;
    }
  return u->n > 1;
}

/* Uses of an iterator.

   divisor    of all its factors in subscripts
   elsewhere  it stands where it cannot be scaled  */
typedef struct uses
{
  tns_arena *arena;
  tns_sym *iter;
  long long divisor;
  bool elsewhere;
} uses;

/* The greatest common divisor of A and B, of which B is not 0.  */
static long long
common_divisor (long long a, long long b)
{
  while (a)
    {
      long long rest = b % a;
      b = a;
      a = rest;
    }
  return b < 0 ? -b : b;
}

/* Note how the iterator stands in TERM.  */
static void
note_term (uses *u, const tns_term *term)
{
  int n = 0;
  for (int k = 0; k < term->n_atoms; k++)
    if (tns_expr_mentions (term->atom[k], u->iter))
      {
        n++;
        u->elsewhere |= tns_atom_symbol (term->atom[k]) != u->iter;
      }
  u->elsewhere |= n > 1;
  if (n > 0)
    u->divisor = common_divisor (u->divisor, term->factor);
}

/* Note how the iterator stands in EXPR.  */
static bool
note_uses (tns_expr *expr, void *self)
{
  uses *u = self;
  if (expr->type.elem != TNS_I64 || !tns_expr_mentions (expr, u->iter))
    {
      u->elsewhere |= expr->op == TNS_SYM && expr->sym == u->iter;
      return !u->elsewhere;
    }
  tns_sum sum = tns_sum_of (u->arena, expr);
  u->elsewhere |= sum.n < 0;
  for (int k = 0; k < sum.n; k++)
    note_term (u, &sum.term[k]);
  return false;
}

/* What all factors of the iterator of U's loop, which stands in subscripts
   alone, can be divided by; 1: nothing, or it stands elsewhere.  */
static long long
divisor_of (const unrolled *u)
{
  uses all = { u->arena, u->loop->iter, 0, false };
  for (int k = 0; k < u->n; k++)
    tns_node_exprs (u->stmt[k], note_uses, &all);
  return all.elsewhere || all.divisor == 0 ? 1 : all.divisor;
}

/* A scaling of an iterator.  */
typedef struct scaling
{
  tns_arena *arena;
  tns_sym *iter;
  long long by;
} scaling;

/* EXPR with the iterator, which is BY times what it was, divided by that.  */
static tns_expr *
scale_expr (const scaling *s, tns_expr *expr)
{
  if (!tns_expr_mentions (expr, s->iter))
    return expr;
  if (expr->type.elem == TNS_I64 && expr->op != TNS_LOAD)
    {
      tns_sum sum = tns_sum_of (s->arena, expr);
      for (int k = 0; k < sum.n; k++)
        for (int a = 0; a < sum.term[k].n_atoms; a++)
          if (tns_expr_mentions (sum.term[k].atom[a], s->iter))
            sum.term[k].factor /= s->by;
      return tns_sum_expr (s->arena, sum);
    }
  tns_expr **arg = TNS_NEW_ARRAY (s->arena, tns_expr *, expr->n_args + 1);
  for (int k = 0; k < expr->n_args; k++)
    arg[k] = scale_expr (s, expr->arg[k]);
  return tns_expr_with_args (s->arena, expr, arg);
}

/* U's statements and loop with an iterator that is BY times what it was, in
   steps of BY.  */
static unrolled
scale (const unrolled *u, long long by)
{
  unrolled wide = *u;
  scaling s = { u->arena, u->loop->iter, by };
  tns_expr *factor = tns_int (u->arena, by);
  tns_node *loop = tns_node_copy (u->arena, u->loop);
  loop->lo = tns_binary (u->arena, TNS_MUL, loop->lo, factor);
  loop->hi = tns_binary (u->arena, TNS_MUL, loop->hi, factor);
  loop->step = by;
  wide.loop = loop;
  wide.whole = true;
  for (int k = 0; k < u->n; k++)
    {
      wide.stmt[k] = tns_node_copy (u->arena, u->stmt[k]);
      wide.stmt[k]->target = scale_expr (&s, u->stmt[k]->target);
      wide.stmt[k]->value = scale_expr (&s, u->stmt[k]->value);
    }
  return wide;
}

/* U's loop, of step 1, over records whose fields are taken one by one, rolled
   up, or NULL.  */
static tns_node *
roll_records (const unrolled *u)
{
  long long divisor = divisor_of (u);
  for (int copies = u->n; copies > 1; copies--)
    if (u->n % copies == 0 && divisor % copies == 0)
      {
        unrolled wide = scale (u, copies);
        if (is_unrolled (&wide, copies, 1))
          return roll_up (&wide, copies, 1);
      }
  return NULL;
}

/* NODE, its parts done.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  tns_ctx *ctx = self;
  unrolled u = { .ctx = ctx, .arena = ctx->arena, .loop = node };
  tns_node *made = NULL;
  if (node->kind != TNS_LOOP || node->step < 1 || node->body->kind != TNS_BLOCK)
    return node;
  bool may_part = ctx->wish.fp != TNS_FP_STRICT;
  for (int apart = 0; apart <= may_part && !made; apart++)
    if (gather (&u, apart))
      made = node->step == 1 ? roll_records (&u) : roll (&u);
  return made ? made : node;
}

tns_region *
tns_region_reroll (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  tns_region *made = tns_region_copy (ctx->arena, region);
  made->body
    = tns_node_rebuild (ctx->arena, region->body, change_node, NULL, ctx);
  return made;
}
