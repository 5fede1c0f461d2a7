/* Moving bounds, as lowering/grid-edge.h says.  */

#include "lowering/grid-edge.h"

#include "ir/walk.h"

/* A question: the extreme of an expression.  */
typedef struct question
{
  tns_arena *arena;
  int n;
  const tns_reach *reach;
} question;

static tns_expr *extreme (const question *q, tns_expr *expr, bool most);

/* EXPR has an iterator of Q's.  */
static bool
moves (const question *q, tns_expr *expr)
{
  bool found = false;
  for (int k = 0; k < q->n; k++)
    found |= tns_expr_mentions (expr, q->reach[k].iter);
  return found;
}

/* An operation on two extremes, the second one's side being MOST_B.  */
static tns_expr *
extreme_of_both (const question *q, tns_expr *expr, bool most, bool most_b)
{
  tns_expr *a = extreme (q, expr->arg[0], most);
  tns_expr *b = extreme (q, expr->arg[1], most_b);
  return a && b ? tns_binary (q->arena, expr->op, a, b) : NULL;
}

/* A product, or a quotient, with a constant.  */
static tns_expr *
extreme_of_scaled (const question *q, tns_expr *expr, bool most)
{
  long long by;
  int k = tns_expr_is_int (expr->arg[1], &by) ? 1 : 0;
  if (!tns_expr_is_int (expr->arg[k], &by)
      || (expr->op == TNS_FLOORDIV && (k == 0 || by <= 0)))
    return NULL;
  tns_expr *other = extreme (q, expr->arg[1 - k], by >= 0 ? most : !most);
  return other ? tns_binary (q->arena, expr->op, other, expr->arg[k]) : NULL;
}

/* The extreme of EXPR on the side MOST.  */
static tns_expr *
extreme (const question *q, tns_expr *expr, bool most)
{
  if (!moves (q, expr))
    return expr;
  for (int k = 0; k < q->n && expr->op == TNS_SYM; k++)
    if (expr->sym == q->reach[k].iter)
      return most ? q->reach[k].last : q->reach[k].first;
  switch (expr->op)
    {
    case TNS_ADD:
    case TNS_MIN:
    case TNS_MAX:
      return extreme_of_both (q, expr, most, most);
    case TNS_SUB:
      return extreme_of_both (q, expr, most, !most);
    case TNS_MUL:
    case TNS_FLOORDIV:
      return extreme_of_scaled (q, expr, most);
    default:
      return NULL;
    }
}

tns_expr *
tns_reach_extreme (tns_arena *arena, tns_expr *expr, bool most, int n,
                   const tns_reach *reach)
{
  question q = { arena, n, reach };
  return extreme (&q, expr, most);
}

tns_expr *
tns_edge_holds (tns_arena *arena, const tns_edge *edge, bool some, int n,
                const tns_reach *reach)
{
  bool most = edge->upper == some;
  question q = { arena, n, reach };
  tns_expr *at = extreme (&q, tns_value (arena, edge->iter), !most);
  tns_expr *bound = extreme (&q, edge->bound, most);
  if (!at || !bound)
    return NULL;
  return tns_binary (arena, edge->upper ? TNS_LT : TNS_GE, at, bound);
}
