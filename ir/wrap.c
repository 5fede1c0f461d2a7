/* Remainders of what leaves its range by one round at most, as ir/wrap.h says.

   e % n, or e mod n, is written as a choice when

   1. e is a sum of iterators of the loops around that count up, VALUEs and a
      constant, and n a VALUE or a constant;
   2. n is at least 1: a constant, or a loop around runs from 0 or more to n or
      less;
   3. with each iterator at that end of its loop which makes e least, or most,
      nothing but multiples of n and a constant is left, and for one q
      q*n <= e < (q + 2)*n whatever n >= 1 is.

   Then it is e - q*n where that is below n, and e - (q + 1)*n elsewhere.  */

#include "ir/wrap.h"

#include "ir/affine.h"
#include "ir/walk.h"

enum
{
  MOST_AROUND = 16,
  LEAST_ROUND = -3,
  MOST_ROUND = 3
};

/* The loops around what is looked at, AROUND[0..n), from the outside in; some:
   a remainder was written as a choice.  */
typedef struct wrapper
{
  tns_ctx *ctx;
  tns_arena *arena;
  int n;
  const tns_node *around[MOST_AROUND];
  bool some;
} wrapper;

/* A - B * TIMES.  */
static tns_sum
less (const wrapper *w, tns_sum a, tns_sum b, long long times)
{
  return tns_sum_add (w->arena, a, tns_sum_scale (w->arena, b, -times));
}

/* The factor of ITER in SUM; 0 too where ITER is in a product.  */
static long long
factor_of (tns_sum sum, const tns_sym *iter)
{
  for (int k = 0; k < sum.n; k++)
    if (sum.term[k].n_atoms == 1
        && tns_atom_symbol (sum.term[k].atom[0]) == iter)
      return sum.term[k].factor;
  return 0;
}

/* SUM with the iterators of W's loops at the ends that make it least, or
   most.  */
static tns_sum
end_of (const wrapper *w, tns_sum sum, bool most)
{
  for (int k = w->n - 1; k >= 0 && sum.n >= 0; k--)
    {
      const tns_node *loop = w->around[k];
      long long factor = factor_of (sum, loop->iter);
      if (factor == 0)
        continue;
      tns_sum lo = tns_sum_of (w->arena, loop->lo);
      tns_sum hi = less (w, tns_sum_of (w->arena, loop->hi),
                         tns_sum_int (w->arena, 1), 1);
      sum = tns_sum_substitute (w->arena, sum, loop->iter,
                                (factor > 0) == most ? hi : lo);
    }
  return sum;
}

/* SUM, of multiples of N and a constant, is at least 0 for each N >= 1.  */
static bool
is_never_negative (const wrapper *w, tns_sum sum, const tns_expr *n)
{
  long long least;
  tns_sym *sym = tns_atom_symbol (n);
  if (sym)
    sum = tns_sum_substitute (
      w->arena, sum, sym,
      tns_sum_add (w->arena, tns_sum_of (w->arena, tns_value (w->arena, sym)),
                   tns_sum_int (w->arena, 1)));
  for (int k = 0; k < sum.n; k++)
    for (int a = 0; a < sum.term[k].n_atoms; a++)
      if (!sym || tns_atom_symbol (sum.term[k].atom[a]) != sym)
        return false;
  return tns_sum_least (sum, &least) && least >= 0;
}

/* N is at least 1 wherever it is a divisor in W's loops.  */
static bool
is_positive (const wrapper *w, tns_expr *n)
{
  long long value;
  tns_sum length = tns_sum_of (w->arena, n);
  if (tns_sum_is_int (length, &value))
    return value >= 1;
  tns_sym *sym = tns_atom_symbol (n);
  for (int k = 0; sym && sym->kind == TNS_SYM_VALUE && k < w->n; k++)
    {
      long long beyond;
      long long lo;
      tns_sum over
        = less (w, tns_sum_of (w->arena, w->around[k]->hi), length, 1);
      if (tns_sum_is_int (over, &beyond) && beyond <= 0
          && tns_sum_is_int (tns_sum_of (w->arena, w->around[k]->lo), &lo)
          && lo >= 0)
        return true;
    }
  return false;
}

/* The greatest *ROUND for which all E are at least ROUND * N; ONLY: all are
   below the next one, too.  False where some reach the one after that.  */
static bool
find_round (const wrapper *w, tns_sum e, tns_expr *n, int *round, bool *only)
{
  tns_sum length = tns_sum_of (w->arena, n);
  tns_sum least = end_of (w, e, false);
  tns_sum most
    = tns_sum_add (w->arena, end_of (w, e, true), tns_sum_int (w->arena, 1));
  int q = MOST_ROUND;
  while (q >= LEAST_ROUND
         && !is_never_negative (w, less (w, least, length, q), n))
    q--;
  *round = q;
  tns_sum room = less (w, tns_sum_scale (w->arena, most, -1), length, -(q + 1));
  *only = is_never_negative (w, room, n);
  return q >= LEAST_ROUND
         && is_never_negative (w, tns_sum_add (w->arena, room, length), n);
}

/* E - TIMES * N, in the arithmetic of both.  */
static tns_expr *
moved (const wrapper *w, tns_expr *e, tns_expr *n, int times)
{
  for (int k = 0; k < times; k++)
    e = tns_binary (w->arena, TNS_SUB, e, n);
  for (int k = 0; k > times; k--)
    e = tns_binary (w->arena, TNS_ADD, e, n);
  return e;
}

/* The changer: EXPR, a remainder, as a choice.  */
static tns_expr *
change_expr (tns_expr *expr, void *self)
{
  wrapper *w = self;
  int round;
  bool only;
  if ((expr->op != TNS_REM && expr->op != TNS_MOD) || expr->type.lanes != 1)
    return expr;
  tns_expr *n = expr->arg[1];
  tns_sum e = tns_sum_of (w->arena, expr->arg[0]);
  tns_sum length = tns_sum_of (w->arena, n);
  if (e.n < 0 || length.n > 1 || !is_positive (w, n)
      || !find_round (w, e, n, &round, &only)
      || (expr->op == TNS_REM && round < 0))
    return expr;
  w->some = true;
  tns_expr *first = moved (w, expr->arg[0], n, round);
  if (only)
    return first;
  tns_sum over = less (w, e, length, round + 1);
  int other = round + !tns_ctx_breaks (w->ctx, "wrap");
  return tns_ternary (w->arena, TNS_SELECT,
                      tns_binary (w->arena, TNS_LT,
                                  tns_sum_expr (w->arena, over),
                                  tns_int (w->arena, 0)),
                      first, moved (w, expr->arg[0], n, other));
}

/* The changer of whole expressions.  */
static tns_expr *
change_whole (tns_expr *expr, void *self)
{
  wrapper *w = self;
  return tns_expr_rebuild (w->arena, expr, change_expr, w);
}

/* NODE with its remainders as choices.  */
static tns_node *
rebuild (wrapper *w, tns_node *node)
{
  if (node->kind != TNS_LOOP && node->kind != TNS_BLOCK && node->kind != TNS_IF)
    return tns_node_rebuild (w->arena, node, NULL, change_whole, w);
  tns_node *copy = tns_node_copy (w->arena, node);
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    copy->kid[k] = rebuild (w, node->kid[k]);
  if (node->kind == TNS_IF)
    {
      copy->cond = change_whole (node->cond, w);
      copy->then = rebuild (w, node->then);
      copy->otherwise = node->otherwise ? rebuild (w, node->otherwise) : NULL;
    }
  if (node->kind == TNS_LOOP)
    {
      bool counts = node->step > 0 && w->n < MOST_AROUND;
      if (counts)
        w->around[w->n++] = node;
      copy->body = rebuild (w, node->body);
      w->n -= counts;
    }
  return copy;
}

tns_region *
tns_region_wrap (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  wrapper w = { .ctx = ctx, .arena = ctx->arena };
  tns_region *out = tns_region_copy (ctx->arena, region);
  out->body = rebuild (&w, region->body);
  return w.some ? out : region;
}
