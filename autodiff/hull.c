/* Ends of expressions, as autodiff/hull.h says: down the expression, each
   operator that grows with its operands asks them for the same end, each that
   falls for the other one; an iterator asks its bounds.  */

#include "autodiff/hull.h"

#include "ir/affine.h"
#include "ir/walk.h"

/* The question.  */
typedef struct hull
{
  tns_arena *arena;
  const tns_view *view;
  int site;
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

/* The end of the iterator SYM of a loop around.  */
static tns_expr *
end_of_sym (const hull *h, tns_expr *expr, bool most)
{
  if (expr->sym->kind != TNS_SYM_ITER)
    return expr;
  for (int s = h->site; s >= 0; s = h->view->site[s].under)
    {
      const tns_node *node = h->view->site[s].node;
      hull outer = { h->arena, h->view, h->view->site[s].under };
      if (node->kind == TNS_LOOP && node->iter == expr->sym)
        return end_of_iter (&outer, node, most);
    }
  return NULL;
}

/* The end of a product, one factor of which is constant, or both of which
   move: the greater or less of what their ends give.  */
static tns_expr *
end_of_product (const hull *h, tns_expr *expr, bool most)
{
  tns_expr *made = NULL;
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

/* The end of a quotient by a positive constant.  */
static tns_expr *
end_of_quotient (const hull *h, tns_expr *expr, bool most)
{
  long long by;
  if (!tns_expr_is_int (expr->arg[1], &by) || by <= 0)
    return NULL;
  return both (h, expr->op, end_of (h, expr->arg[0], most), expr->arg[1]);
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
    case TNS_MOD:
      if (!tns_expr_is_int (expr->arg[1], &by) || by <= 0)
        return NULL;
      return tns_int (h->arena, most ? by - 1 : 0);
    default:
      return NULL;
    }
}

tns_expr *
tns_hull (tns_arena *arena, const tns_view *view, int s, tns_expr *expr,
          bool most)
{
  hull h = { arena, view, s };
  return end_of (&h, expr, most);
}

/* What ranges of first subscripts are collected.  */
typedef struct range
{
  hull h;
  const tns_sym *sym;
  bool made;
  tns_expr *end;
  bool failed;
} range;

/* The greater of A and B.  */
static tns_expr *
greater (tns_arena *arena, tns_expr *a, tns_expr *b)
{
  tns_sum less = tns_sum_scale (arena, tns_sum_of (arena, b), -1);
  long long more;
  if (tns_sum_is_int (tns_sum_add (arena, tns_sum_of (arena, a), less), &more))
    return more >= 0 ? a : b;
  return tns_binary (arena, TNS_MAX, a, b);
}

/* The visitor of accesses: the end of their first subscript.  */
static bool
widen (tns_expr *expr, void *self)
{
  range *r = self;
  if (!tns_expr_reads (expr) || expr->sym != r->sym)
    return true;
  tns_expr *end = end_of (&r->h, expr->arg[0], true);
  const tns_node *node = r->h.view->site[r->h.site].node;
  bool is_target = node->kind == TNS_ASSIGN && node->target == expr;
  r->failed |= !end && (is_target || !r->made);
  if (end)
    r->end = r->end ? greater (r->h.arena, r->end, end) : end;
  return true;
}

tns_expr *
tns_hull_extent (tns_arena *arena, const tns_view *view, const tns_sym *sym,
                 bool made)
{
  range r = { { arena, view, 0 }, sym, made, NULL, false };
  if (sym->extent[0])
    return sym->extent[0];
  for (; r.h.site < view->n_sites; r.h.site++)
    {
      tns_node *node = view->site[r.h.site].node;
      tns_node_exprs (node, widen, &r);
    }
  if (r.failed || !r.end)
    return NULL;
  return tns_binary (arena, TNS_MAX, tns_int (arena, 0),
                     tns_binary (arena, TNS_ADD, r.end, tns_int (arena, 1)));
}
