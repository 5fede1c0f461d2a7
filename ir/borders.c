/* Borders taken off the interior of loops around others, as ir/borders.h says.

   Of a loop with step 1 around others, whose bounds load nothing:

   1. comparisons of integers, minima and maxima are taken as s*x + e < 0,
      s = 1 or -1, x the loop's iterator; between its ends over the loops inside
      e has a least and a greatest value, so that there are T1 and T2 with

        s = 1     all hold  x < T1   none holds  x >= T2
        s = -1    all hold  x >= T2  none holds  x < T1

   2. such a one has a border where hi - T1, at the end, or T2 - lo, at the
      begin, is a sum of VALUEs that the number of iterations does not grow
      with, or a small number; the others stay
   3. those that choose which element an access moves to when x moves by one,
      and those that choose whether there is one, while a loop inside moves
      them, make borders: the greatest T2 and the least T1 bound the interior,
      in which they are known.  What chooses among what they chose comes next.

   Remainders that are one round in the interior are known there, too.

   Only what decides about neighbours pays: a row that is chosen is chosen once
   for all elements of another one.

   Does not do: bodies of more than MOST_STATEMENTS statements, which come three
   times; loops that a clause names.  */

#include "ir/borders.h"

#include "ir/affine.h"
#include "ir/copies.h"
#include "ir/fresh.h"
#include "ir/walk.h"

enum
{
  MOST_INSIDE = 8,
  MOST_EDGES = 4,
  MOST_ROUNDS = 4,
  MOST_ROUND = 2,
  MOST_STATEMENTS = 16,
  MOST_BORDER = 64
};

/* Where borders begin or end: EDGE[0..n), a constant apart from each other
   in no pair.  */
typedef struct edges
{
  int n;
  tns_sum edge[MOST_EDGES];
} edges;

/* The loop at hand.

   inside[0..n_inside)  the loops in it around what is looked at
   extent   its number of iterations
   first    the interior begins behind them all
   last     and ends before all of them
   found    there are new ones since this was false
   some     a loop was taken apart  */
typedef struct splitter
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  const tns_node *loop;
  int n_inside;
  const tns_node *inside[MOST_INSIDE];
  tns_sum extent;
  edges first;
  edges last;
  bool found;
  bool *some;
} splitter;

/* What a comparison is in the interior; at_end: up to EDGE, else from there
   on; always: in all iterations.  */
typedef struct known
{
  bool holds;
  bool at_end;
  bool always;
  tns_sum edge;
} known;

/* A - B.  */
static tns_sum
minus (const splitter *s, tns_sum a, tns_sum b)
{
  return tns_sum_add (s->arena, a, tns_sum_scale (s->arena, b, -1));
}

/* SUM plus K.  */
static tns_sum
plus (const splitter *s, tns_sum sum, long long k)
{
  return tns_sum_add (s->arena, sum, tns_sum_int (s->arena, k));
}

/* TERM is a multiple of SYM.  */
static bool
is_of (const tns_term *term, const tns_sym *sym)
{
  return term->n_atoms == 1 && tns_atom_symbol (term->atom[0]) == sym;
}

/* SUM mentions SYM.  */
static bool
mentions (tns_sum sum, const tns_sym *sym)
{
  for (int k = 0; k < sum.n; k++)
    for (int a = 0; a < sum.term[k].n_atoms; a++)
      if (tns_expr_mentions (sum.term[k].atom[a], sym))
        return true;
  return false;
}

/* SUM is made of VALUEs and iterators.  */
static bool
is_still (tns_sum sum)
{
  for (int k = 0; k < sum.n; k++)
    for (int a = 0; a < sum.term[k].n_atoms; a++)
      {
        const tns_sym *sym = tns_atom_symbol (sum.term[k].atom[a]);
        if (!sym || sym->kind == TNS_SYM_ARRAY)
          return false;
      }
  return sum.n >= 0;
}

/* SUM with the iterators of the loops inside at the ends that make it least,
   or most; n = -1 where there are none.  */
static tns_sum
end_of (const splitter *s, tns_sum sum, bool most)
{
  const tns_sum none = { -1, NULL };
  for (int k = s->n_inside - 1; k >= 0 && sum.n >= 0; k--)
    {
      const tns_node *loop = s->inside[k];
      long long factor = 0;
      for (int t = 0; t < sum.n; t++)
        factor += is_of (&sum.term[t], loop->iter) ? sum.term[t].factor : 0;
      if (!mentions (sum, loop->iter))
        continue;
      if (factor == 0 || loop->step <= 0 || tns_expr_loads (loop->lo)
          || tns_expr_loads (loop->hi))
        return none;
      tns_sum lo = tns_sum_of (s->arena, loop->lo);
      tns_sum hi = plus (s, tns_sum_of (s->arena, loop->hi), -1);
      sum = tns_sum_substitute (s->arena, sum, loop->iter,
                                (factor > 0) == most ? hi : lo);
      if (mentions (sum, loop->iter))
        return none;
    }
  return sum;
}

/* SUM as *SIGN * iter + *REST, the iterator of S's loop; false where it is
   not.  */
static bool
split_sum (const splitter *s, tns_sum sum, int *sign, tns_sum *rest)
{
  *sign = 0;
  *rest = tns_sum_int (s->arena, 0);
  for (int k = 0; k < sum.n; k++)
    {
      const tns_term *term = &sum.term[k];
      if (is_of (term, s->loop->iter) && term->factor * term->factor == 1)
        *sign = (int) term->factor;
      else
        *rest
          = tns_sum_add (s->arena, *rest, tns_sum_of_term (s->arena, *term));
    }
  return *sign && is_still (*rest) && !mentions (*rest, s->loop->iter);
}

/* A border of WIDTH iterations is one: a sum of VALUEs that the number of all
   iterations does not grow with, or a small number, *NONE where it is not
   above 0.  */
static bool
is_narrow (const splitter *s, tns_sum width, bool *none)
{
  long long number, all;
  if (tns_sum_is_int (width, &number))
    {
      *none = number <= 0;
      bool is_most = tns_sum_is_int (s->extent, &all) && 2 * number >= all;
      return number <= MOST_BORDER && !is_most;
    }
  *none = false;
  for (int k = 0; k < width.n; k++)
    {
      const tns_term *term = &width.term[k];
      const tns_sym *sym
        = term->n_atoms == 1 ? tns_atom_symbol (term->atom[0]) : NULL;
      if (term->n_atoms > 0
          && (!sym || sym->kind != TNS_SYM_VALUE || term->factor < 0
              || mentions (s->extent, sym)))
        return false;
    }
  return width.n >= 0;
}

/* What LESS < 0 is in the interior; false when that is not known.  */
static bool
compare (const splitter *s, tns_sum less, known *k)
{
  int sign;
  tns_sum rest, lo = tns_sum_of (s->arena, s->loop->lo);
  tns_sum hi = tns_sum_of (s->arena, s->loop->hi);
  if (!split_sum (s, less, &sign, &rest))
    return false;
  tns_sum least = end_of (s, rest, false), most = end_of (s, rest, true);
  if (least.n < 0 || most.n < 0)
    return false;
  tns_sum to
    = sign > 0 ? tns_sum_scale (s->arena, most, -1) : plus (s, least, 1);
  tns_sum from
    = sign > 0 ? tns_sum_scale (s->arena, least, -1) : plus (s, most, 1);
  k->at_end = is_narrow (s, minus (s, hi, to), &k->always);
  k->holds = k->at_end == (sign > 0);
  k->edge = k->at_end ? to : from;
  return k->at_end || is_narrow (s, minus (s, from, lo), &k->always);
}

/* EXPR is a comparison of I64 values whose value in the interior is known, or
   a min or max of which one operand is, then K tells of "the first is the
   less".  */
static bool
is_known (const splitter *s, const tns_expr *expr, known *k)
{
  if (expr->n_args != 2 || expr->type.lanes != 1
      || expr->arg[0]->type.elem != TNS_I64
      || expr->arg[1]->type.elem != TNS_I64)
    return false;
  bool swaps = expr->op == TNS_GT || expr->op == TNS_LE;
  bool turns = expr->op == TNS_LE || expr->op == TNS_GE;
  if (!swaps && expr->op != TNS_LT && expr->op != TNS_GE && expr->op != TNS_MIN
      && expr->op != TNS_MAX)
    return false;
  tns_sum less = minus (s, tns_sum_of (s->arena, expr->arg[swaps]),
                        tns_sum_of (s->arena, expr->arg[!swaps]));
  if (!compare (s, less, k))
    return false;
  k->holds ^= turns;
  return true;
}

/* EXPR is a remainder of I64 values that in the interior, between the edges of
   K[0] and K[1], is its first operand and *TIMES times the second one.  */
static bool
is_round (const splitter *s, const tns_expr *expr, known *k, long long *times)
{
  if ((expr->op != TNS_REM && expr->op != TNS_MOD) || expr->type.lanes != 1
      || expr->type.elem != TNS_I64)
    return false;
  tns_sum all = tns_sum_of (s->arena, expr->arg[0]);
  tns_sum by = tns_sum_of (s->arena, expr->arg[1]);
  for (int q = expr->op == TNS_REM ? 0 : -MOST_ROUND; q <= MOST_ROUND; q++)
    {
      tns_sum rest = minus (s, all, tns_sum_scale (s->arena, by, q));
      *times = -q;
      if (compare (s, rest, &k[0]) && !k[0].holds
          && compare (s, minus (s, rest, by), &k[1]) && k[1].holds)
        return true;
    }
  return false;
}

/* EDGE lies within those of E already; AT_END: they are ends.  */
static bool
is_within (const splitter *s, const edges *e, bool at_end, tns_sum edge)
{
  long long d;
  for (int k = 0; k < e->n; k++)
    if (tns_sum_is_int (minus (s, edge, e->edge[k]), &d)
        && (at_end ? d >= 0 : d <= 0))
      return true;
  return false;
}

/* Take the edge of K.  */
static void
take_edge (splitter *s, const known *k)
{
  long long d;
  edges *e = k->at_end ? &s->last : &s->first;
  if (k->always || is_within (s, e, k->at_end, k->edge))
    return;
  s->found = true;
  for (int j = 0; j < e->n; j++)
    if (tns_sum_is_int (minus (s, k->edge, e->edge[j]), &d))
      {
        e->edge[j] = k->edge;
        return;
      }
  if (e->n < MOST_EDGES)
    e->edge[e->n++] = k->edge;
}

/* Some loop inside moves EXPR.  */
static bool
moves_inside (const splitter *s, tns_expr *expr)
{
  for (int k = 0; k < s->n_inside; k++)
    if (tns_expr_mentions (expr, s->inside[k]->iter))
      return true;
  return false;
}

/* The visitor: take the edges of what chooses.  */
static bool
note_edge (tns_expr *expr, void *self)
{
  splitter *s = self;
  known k[2];
  long long times;
  if (!moves_inside (s, expr))
    return true;
  if (is_known (s, expr, k))
    take_edge (s, k);
  else if (is_round (s, expr, k, &times))
    {
      take_edge (s, &k[0]);
      take_edge (s, &k[1]);
    }
  return true;
}

/* The visitor of accesses and choices: what chooses an element in the last
   subscript, or whether there is one.  */
static bool
note_choice (tns_expr *expr, void *self)
{
  splitter *s = self;
  if (expr->op == TNS_SELECT
      && (tns_expr_loads (expr->arg[1]) || tns_expr_loads (expr->arg[2])))
    tns_expr_walk (expr->arg[0], note_edge, s);
  if (!tns_expr_reads (expr) || expr->n_args == 0)
    return true;
  tns_sum last = tns_sum_of (s->arena, expr->arg[expr->n_args - 1]);
  for (int k = 0; k < last.n; k++)
    if (last.term[k].n_atoms == 1
        && last.term[k].factor * last.term[k].factor == 1)
      tns_expr_walk (last.term[k].atom[0], note_edge, s);
  return true;
}

/* Look at NODE, in S's loop, and at what it holds.  */
static void
look_at (splitter *s, tns_node *node)
{
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    look_at (s, node->kid[k]);
  if (node->kind == TNS_ASSIGN && s->n_inside > 0)
    tns_node_exprs (node, note_choice, s);
  if (node->kind == TNS_IF)
    {
      look_at (s, node->then);
      if (node->otherwise)
        look_at (s, node->otherwise);
    }
  if (node->kind != TNS_LOOP || s->n_inside == MOST_INSIDE)
    return;
  s->inside[s->n_inside++] = node;
  look_at (s, node->body);
  s->n_inside--;
}

/* The interior lies within the edge of K.  */
static bool
has_edge (const splitter *s, const known *k)
{
  return k->always
         || is_within (s, k->at_end ? &s->last : &s->first, k->at_end, k->edge);
}

/* The changer: EXPR where it is known.  */
static tns_expr *
settle (tns_expr *expr, void *self)
{
  const splitter *s = self;
  known k[2];
  long long times;
  if (expr->op == TNS_SELECT && expr->arg[0]->op == TNS_INT)
    return expr->arg[expr->arg[0]->integer ? 1 : 2];
  if (is_round (s, expr, k, &times) && has_edge (s, &k[0])
      && has_edge (s, &k[1]))
    {
      tns_sum by = tns_sum_of (s->arena, expr->arg[1]);
      return tns_sum_expr (
        s->arena, tns_sum_add (s->arena, tns_sum_of (s->arena, expr->arg[0]),
                               tns_sum_scale (s->arena, by, times)));
    }
  if (!is_known (s, expr, k) || !has_edge (s, k))
    return expr;
  if (expr->op == TNS_MIN || expr->op == TNS_MAX)
    return expr->arg[k->holds == (expr->op == TNS_MAX)];
  return tns_int_of (s->arena, TNS_BOOL, k->holds);
}

/* EXPR, NULL or whole, with what is known.  */
static tns_expr *
settled (splitter *s, tns_expr *expr)
{
  return expr ? tns_expr_rebuild (s->arena, expr, settle, s) : NULL;
}

/* NODE, in S's loop, in the interior.  */
static tns_node *
interior (splitter *s, const tns_node *node)
{
  tns_node *made = tns_node_copy (s->arena, node);
  if (node->kind == TNS_BLOCK)
    made->kid = TNS_NEW_ARRAY (s->arena, tns_node *, node->n_kids + 1);
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    made->kid[k] = interior (s, node->kid[k]);
  made->target = settled (s, node->target);
  made->value = settled (s, node->value);
  made->cond = settled (s, node->cond);
  if (node->kind == TNS_IF)
    {
      made->then = interior (s, node->then);
      made->otherwise = node->otherwise ? interior (s, node->otherwise) : NULL;
    }
  if (node->kind != TNS_LOOP || s->n_inside == MOST_INSIDE)
    return made;
  s->inside[s->n_inside++] = node;
  made->body = interior (s, node->body);
  s->n_inside--;
  return made;
}

/* The edge of E that bounds the interior, the greatest or the least by OP, and
   END, by WITH; END where there is none.  */
static tns_expr *
bound (const splitter *s, tns_op op, const edges *e, tns_op with, tns_expr *end)
{
  if (e->n == 0)
    return end;
  tns_expr *edge = tns_sum_expr (s->arena, e->edge[0]);
  for (int k = 1; k < e->n; k++)
    edge = tns_binary (s->arena, op, edge, tns_sum_expr (s->arena, e->edge[k]));
  return tns_binary (s->arena, with, end, edge);
}

/* S's loop from LO to HI as it was, its statements named with SUFFIX.  */
static tns_node *
border (const splitter *s, tns_expr *lo, tns_expr *hi, const char *suffix)
{
  tns_node *made = tns_node_copy (s->arena, s->loop);
  made->body = tns_node_fresh_named (s->ctx, s->region, s->loop->body, suffix);
  made->lo = lo;
  made->hi = hi;
  return made;
}

/* S's loop in three, BODY that of the interior.  */
static tns_node *
taken_apart (const splitter *s, tns_node *body)
{
  const tns_node *loop = s->loop;
  tns_node *out = tns_block (s->arena, loop->loc);
  tns_node *middle = tns_node_copy (s->arena, loop);
  tns_expr *from = bound (s, TNS_MAX, &s->first, TNS_MAX, loop->lo);
  tns_expr *to = bound (s, TNS_MIN, &s->last, TNS_MIN, loop->hi);
  middle->body = body;
  middle->lo = from;
  if (tns_ctx_breaks (s->ctx, "borders"))
    middle->lo = tns_binary (s->arena, TNS_ADD, from, tns_int (s->arena, 1));
  middle->hi = to;
  if (s->first.n > 0)
    tns_block_add (s->arena, out,
                   border (s, loop->lo,
                           bound (s, TNS_MAX, &s->first, TNS_MIN, loop->hi),
                           "_b1"));
  tns_block_add (s->arena, out, middle);
  if (s->last.n > 0)
    tns_block_add (
      s->arena, out,
      border (s, bound (s, TNS_MIN, &s->last, TNS_MAX, from), loop->hi, "_b2"));
  return out;
}

/* The visitor that counts statements.  */
static bool
count_statement (tns_node *node, void *self)
{
  int *n = self;
  *n += node->kind == TNS_ASSIGN;
  return true;
}

/* S's loop may be taken apart.  */
static bool
may_part (const splitter *s)
{
  int n = 0;
  tns_node_walk (s->loop->body, count_statement, &n);
  return s->loop->step == 1 && n <= MOST_STATEMENTS
         && tns_node_has_loop (s->loop->body) && !tns_expr_loads (s->loop->lo)
         && !tns_expr_loads (s->loop->hi)
         && !tns_loop_is_decided (&s->ctx->wish, s->loop);
}

/* NODE, its parts done.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  splitter s = *(const splitter *) self;
  s.loop = node;
  if (node->kind != TNS_LOOP || !may_part (&s))
    return node;
  s.extent = minus (&s, tns_sum_of (s.arena, node->hi),
                    tns_sum_of (s.arena, node->lo));
  tns_node *body = node->body;
  s.found = s.extent.n >= 0;
  for (int k = 0; k < MOST_ROUNDS && s.found; k++)
    {
      s.found = false;
      look_at (&s, body);
      if (s.found)
        body = interior (&s, body);
    }
  if (body == node->body)
    return node;
  *s.some = true;
  return taken_apart (&s, body);
}

tns_region *
tns_region_borders (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  bool some = false;
  tns_region *out = tns_region_copy (ctx->arena, region);
  splitter s
    = { .ctx = ctx, .arena = ctx->arena, .region = out, .some = &some };
  out->body
    = tns_node_rebuild (ctx->arena, region->body, change_node, NULL, &s);
  return some ? out : region;
}
