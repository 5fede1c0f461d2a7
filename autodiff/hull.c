/* Ends of expressions, as autodiff/hull.h says: down the expression, each
   operator that grows with its operands asks them for the same end, each that
   falls for the other one; an iterator asks its bounds.  */

#include "autodiff/hull.h"

#include "ir/walk.h"

/* The question.

   known  conditions that hold  */
typedef struct hull
{
  tns_arena *arena;
  const tns_view *view;
  int site;
  const tns_known *known;
} hull;

static tns_expr *end_of (const hull *h, tns_expr *expr, bool most);

/* OP of both operands' ends, or NULL.  */
static tns_expr *
both (const hull *h, tns_op op, tns_expr *x, tns_expr *y)
{
  return x && y ? tns_binary (h->arena, op, x, y) : NULL;
}

/* The last value of LOOP's iterator, or its first, whichever is greater
   (MOST) or less.  */
static tns_expr *
end_of_iter (const hull *h, const tns_node *loop, bool most)
{
  bool first = most == (loop->step < 0);
  if (first)
    return end_of (h, loop->lo, most);
  return both (h, TNS_ADD, end_of (h, loop->hi, most),
               tns_int (h->arena, most ? -1 : 1));
}

/* EXPR is ITER + *BY.  */
static bool
is_iter_plus (const tns_expr *expr, const tns_sym *iter, long long *by)
{
  *by = 0;
  if (expr->op == TNS_SYM)
    return expr->sym == iter;
  bool is_sum = expr->op == TNS_ADD || expr->op == TNS_SUB;
  if (!is_sum || expr->arg[0]->op != TNS_SYM || expr->arg[0]->sym != iter
      || !tns_expr_is_int (expr->arg[1], by))
    return false;
  *by = expr->op == TNS_SUB ? -*by : *by;
  return true;
}

/* The comparison that holds where OP does not.  */
static tns_op
opposite (tns_op op)
{
  return op == TNS_LT   ? TNS_GE
         : op == TNS_LE ? TNS_GT
         : op == TNS_GT ? TNS_LE
         : op == TNS_GE ? TNS_LT
                        : TNS_NONE;
}

/* The bound that ITER + by OP LIMIT puts on ITER's end, or NULL.  */
static tns_expr *
bound_of (const hull *h, const tns_sym *iter, const tns_expr *sum, tns_op op,
          tns_expr *limit, bool most)
{
  long long by;
  bool is_upper = op == TNS_LT || op == TNS_LE;
  bool is_lower = op == TNS_GT || op == TNS_GE;
  if (!is_iter_plus (sum, iter, &by) || (most ? !is_upper : !is_lower)
      || tns_expr_mentions (limit, iter))
    return NULL;
  by += (op == TNS_LT) - (op == TNS_GT);
  return both (h, TNS_SUB, end_of (h, limit, most), tns_int (h->arena, by));
}

/* END, ITER's, or what COND, which holds unless NEGATED, makes of it.  */
static tns_expr *
narrowed (const hull *h, const tns_sym *iter, tns_expr *cond, bool negated,
          tns_expr *end, bool most)
{
  tns_op each = negated ? TNS_LOR : TNS_LAND;
  if (cond->op == TNS_LNOT)
    return narrowed (h, iter, cond->arg[0], !negated, end, most);
  if (cond->op == each)
    return narrowed (h, iter, cond->arg[1], negated,
                     narrowed (h, iter, cond->arg[0], negated, end, most),
                     most);
  if (tns_op_class (cond->op) != 'C')
    return end;
  tns_op op = negated ? opposite (cond->op) : cond->op;
  tns_op turned = op == TNS_LT   ? TNS_GT
                  : op == TNS_LE ? TNS_GE
                  : op == TNS_GT ? TNS_LT
                  : op == TNS_GE ? TNS_LE
                                 : TNS_NONE;
  hull h1 = { h->arena, h->view, h->site, NULL };
  tns_expr *bound = bound_of (&h1, iter, cond->arg[0], op, cond->arg[1], most);
  if (!bound)
    bound = bound_of (&h1, iter, cond->arg[1], turned, cond->arg[0], most);
  return both (h, most ? TNS_MIN : TNS_MAX, bound ? bound : end, end);
}

/* The end of the iterator SYM of a loop around.  */
static tns_expr *
end_of_sym (const hull *h, tns_expr *expr, bool most)
{
  if (expr->sym->kind != TNS_SYM_ITER)
    return expr;
  for (int s = h->site; s >= 0; s = h->view->site[s].under)
    {
      const tns_node *node = h->view->site[s].node;
      hull outer = { h->arena, h->view, h->view->site[s].under, NULL };
      if (node->kind != TNS_LOOP || node->iter != expr->sym)
        continue;
      tns_expr *end = end_of_iter (&outer, node, most);
      for (const tns_known *k = h->known; k && end; k = k->next)
        end = narrowed (h, expr->sym, k->cond, k->negated, end, most);
      return end;
    }
  return NULL;
}

/* The end of a product, one factor of which is constant, or both of which
   move: the greater or less of what their ends give.  */
static tns_expr *
end_of_product (const hull *h, tns_expr *expr, bool most)
{
  tns_expr *made = NULL;
  long long by;
  for (int k = 0; k < 2; k++)
    if (tns_expr_is_int (expr->arg[k], &by))
      return both (h, TNS_MUL, end_of (h, expr->arg[1 - k], most == (by >= 0)),
                   expr->arg[k]);
  for (int k = 0; k < 4; k++)
    {
      tns_expr *one = both (h, TNS_MUL, end_of (h, expr->arg[0], k & 1),
                            end_of (h, expr->arg[1], k & 2));
      if (!one)
        return NULL;
      bool again = made && tns_expr_equal (made, one);
      made = !made ? one
             : again
               ? made
               : tns_binary (h->arena, most ? TNS_MAX : TNS_MIN, made, one);
    }
  return made;
}

/* The visitor that stops at what may not be computed at the entry: what is no
   VALUE, and quotients by what may be 0.  */
static bool
is_for_later (tns_expr *expr, void *self)
{
  bool *found = self;
  long long by;
  bool divides = expr->op == TNS_DIV || expr->op == TNS_REM
                 || expr->op == TNS_FLOORDIV || expr->op == TNS_MOD;
  *found |= (expr->sym && expr->sym->kind != TNS_SYM_VALUE)
            || (divides && (!tns_expr_is_int (expr->arg[1], &by) || by <= 0));
  return !*found;
}

/* EXPR, a quotient by what may be 0, where both operands are known at the
   entry; where it is 0 the loops that ask for EXPR do not run.  */
static tns_expr *
early_quotient (const hull *h, tns_expr *expr)
{
  bool is_late = false;
  tns_expr *by = expr->arg[1];
  tns_expr_walk (expr->arg[0], is_for_later, &is_late);
  tns_expr_walk (by, is_for_later, &is_late);
  if (is_late)
    return NULL;
  tns_expr *one = tns_int_of (h->arena, by->type.elem, 1);
  tns_expr *zero = tns_int_of (h->arena, by->type.elem, 0);
  tns_expr *is_none = tns_binary (h->arena, TNS_EQ, by, zero);
  return tns_binary (h->arena, expr->op, expr->arg[0],
                     tns_ternary (h->arena, TNS_SELECT, is_none, one, by));
}

/* The end of a quotient by a positive constant, or by what is known early.  */
static tns_expr *
end_of_quotient (const hull *h, tns_expr *expr, bool most)
{
  long long by;
  if (!tns_expr_is_int (expr->arg[1], &by) || by <= 0)
    return early_quotient (h, expr);
  return both (h, expr->op, end_of (h, expr->arg[0], most), expr->arg[1]);
}

/* The end of a rest by a positive constant, which has the sign of what is
   divided.  */
static tns_expr *
end_of_rest (const hull *h, tns_expr *expr, bool most)
{
  long long by, least;
  if (!tns_expr_is_int (expr->arg[1], &by) || by <= 0)
    return NULL;
  tns_expr *first = end_of (h, expr->arg[0], false);
  bool is_positive
    = tns_elem_is_unsigned (expr->type.elem)
      || (first && tns_expr_is_int (first, &least) && least >= 0);
  return tns_int (h->arena, most ? by - 1 : is_positive ? 0 : 1 - by);
}

/* The end of a choice: of the arm that is taken, where that is known at the
   entry, else of either arm, under its condition.  */
static tns_expr *
end_of_choice (const hull *h, tns_expr *expr, bool most)
{
  bool is_late = false;
  tns_known yes = { expr->arg[0], false, h->known };
  tns_known no = { expr->arg[0], true, h->known };
  hull taken = { h->arena, h->view, h->site, &yes };
  hull other = { h->arena, h->view, h->site, &no };
  tns_expr *a = end_of (&taken, expr->arg[1], most);
  tns_expr *b = end_of (&other, expr->arg[2], most);
  tns_expr_walk (expr->arg[0], is_for_later, &is_late);
  return a && b && !is_late
           ? tns_ternary (h->arena, TNS_SELECT, expr->arg[0], a, b)
           : both (h, most ? TNS_MAX : TNS_MIN, a, b);
}

/* tns_hull.  */
static tns_expr *
end_of (const hull *h, tns_expr *expr, bool most)
{
  long long by;
  tns_expr *inner;
  switch (expr->op)
    {
    case TNS_INT:
      return expr;
    case TNS_SYM:
      return end_of_sym (h, expr, most);
    case TNS_CAST:
      inner = end_of (h, expr->arg[0], most);
      return inner ? tns_cast (h->arena, expr->type, inner) : NULL;
    case TNS_NEG:
      inner = end_of (h, expr->arg[0], !most);
      return inner ? tns_unary (h->arena, TNS_NEG, inner) : NULL;
    case TNS_ADD:
    case TNS_MIN:
    case TNS_MAX:
      return both (h, expr->op, end_of (h, expr->arg[0], most),
                   end_of (h, expr->arg[1], most));
    case TNS_SUB:
      return both (h, TNS_SUB, end_of (h, expr->arg[0], most),
                   end_of (h, expr->arg[1], !most));
    case TNS_MUL:
      return end_of_product (h, expr, most);
    case TNS_DIV:
    case TNS_FLOORDIV:
      return end_of_quotient (h, expr, most);
    case TNS_SELECT:
      return end_of_choice (h, expr, most);
    case TNS_MOD:
      if (!tns_expr_is_int (expr->arg[1], &by) || by <= 0)
        return NULL;
      return tns_int (h->arena, most ? by - 1 : 0);
    case TNS_REM:
      return end_of_rest (h, expr, most);
    default:
      return NULL;
    }
}

tns_expr *
tns_hull (tns_arena *arena, const tns_view *view, int s, tns_expr *expr,
          bool most)
{
  hull h = { arena, view, s, NULL };
  return end_of (&h, expr, most);
}

/* EXPR's end, read at site S under the IFs around AT, which is S or around it,
   and KNOWN.  */
static tns_expr *
end_under (const hull *h, int at, int s, tns_expr *expr, bool most,
           const tns_known *known)
{
  int under = at < 0 ? -1 : h->view->site[at].under;
  if (under < 0)
    {
      hull all = { h->arena, h->view, s, known };
      return end_of (&all, expr, most);
    }
  const tns_node *node = h->view->site[under].node;
  if (node->kind != TNS_IF)
    return end_under (h, under, s, expr, most, known);
  bool is_then = tns_node_holds (node->then, h->view->site[at].node);
  tns_known more = { node->cond, !is_then, known };
  return end_under (h, under, s, expr, most, &more);
}

tns_expr *
tns_hull_known (tns_arena *arena, const tns_view *view, int s, tns_expr *expr,
                bool most, const tns_known *known)
{
  hull h = { arena, view, s, NULL };
  return end_under (&h, s, s, expr, most, known);
}

tns_expr *
tns_hull_runs (tns_arena *arena, const tns_view *view, int s)
{
  tns_expr *all = NULL;
  for (int at = view->site[s].under; at >= 0; at = view->site[at].under)
    {
      const tns_node *node = view->site[at].node;
      if (node->kind != TNS_LOOP)
        continue;
      bool up = node->step > 0;
      hull h = { arena, view, view->site[at].under, NULL };
      tns_expr *first = end_of (&h, node->lo, !up);
      tns_expr *end = end_of (&h, node->hi, up);
      if (!first || !end)
        continue;
      tns_expr *runs
        = tns_binary (arena, TNS_LT, up ? first : end, up ? end : first);
      all = all ? tns_binary (arena, TNS_LAND, runs, all) : runs;
    }
  return all;
}
