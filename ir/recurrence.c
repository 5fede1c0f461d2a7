/* Recurrences, as ir/recurrence.h says: sums and products are taken apart from
   the outside in, along the operand in which the cell occurs.  */

#include "ir/recurrence.h"

#include "ir/walk.h"

/* A cell, and what is made of it: FACTOR * cell + TERM, NULL for 1 and 0.  */
typedef struct line
{
  tns_arena *arena;
  const tns_sym *cell;
  tns_expr *factor;
  tns_expr *term;
} line;

/* A OP B, where NULL for A gives B.  */
static tns_expr *
with (const line *l, tns_op op, tns_expr *a, tns_expr *b)
{
  return a ? tns_binary (l->arena, op, a, b) : b;
}

/* L times BY; not a sum times what may make one of its terms overflow.  */
static bool
scale (line *l, tns_expr *by)
{
  bool shrinks = by->op == TNS_REAL && by->real >= -1 && by->real <= 1;
  if (l->term && !shrinks)
    return false;
  l->factor = with (l, TNS_MUL, l->factor, by);
  if (l->term)
    l->term = tns_binary (l->arena, TNS_MUL, l->term, by);
  return true;
}

/* L with its sign changed.  */
static void
negate (line *l)
{
  tns_elem elem = l->cell->type.elem;
  l->factor = l->factor ? tns_unary (l->arena, TNS_NEG, l->factor)
                        : tns_real (l->arena, elem, -1);
  if (l->term)
    l->term = tns_unary (l->arena, TNS_NEG, l->term);
}

/* EXPR is L's cell.  */
static bool
is_cell (const line *l, const tns_expr *expr)
{
  return expr->op == TNS_LOAD && expr->sym == l->cell && expr->n_args == 0;
}

/* The only operand of EXPR in which L's cell occurs; -1: several do.  */
static int
operand_of (const line *l, const tns_expr *expr)
{
  int at = -1;
  for (int k = 0; k < expr->n_args; k++)
    if (tns_expr_mentions (expr->arg[k], l->cell))
      {
        if (at >= 0)
          return -1;
        at = k;
      }
  return at;
}

/* Take EXPR, in which L's cell occurs, apart.  */
static bool
take_apart (line *l, tns_expr *expr)
{
  int at = operand_of (l, expr);
  if (is_cell (l, expr))
    return true;
  if (at < 0 || !take_apart (l, expr->arg[at]))
    return false;
  tns_expr *other = expr->n_args > 1 ? expr->arg[!at] : NULL;
  switch (expr->op)
    {
    case TNS_NEG:
      negate (l);
      return true;
    case TNS_SUB:
      if (at == 1)
        negate (l);
      else
        other = tns_unary (l->arena, TNS_NEG, other);
      l->term = with (l, TNS_ADD, l->term, other);
      return true;
    case TNS_ADD:
      l->term = with (l, TNS_ADD, l->term, other);
      return true;
    case TNS_MUL:
      return scale (l, other);
    case TNS_FMA:
      if (at < 2 && !scale (l, other))
        return false;
      if (at == 2)
        other = tns_binary (l->arena, TNS_MUL, expr->arg[0], expr->arg[1]);
      l->term = with (l, TNS_ADD, l->term, at < 2 ? expr->arg[2] : other);
      return true;
    default:
      return false;
    }
}

/* EXPR, a MIN or MAX whose accumulator is L's cell, as *R.  */
static bool
is_extreme (const line *l, const tns_expr *expr, tns_recurrence *r)
{
  if ((expr->op != TNS_MIN && expr->op != TNS_MAX) || !is_cell (l, expr->arg[0])
      || operand_of (l, expr) != 0)
    return false;
  *r = (tns_recurrence){ expr->op, NULL, expr->arg[1] };
  return true;
}

/* NODE updates its target by what it does not depend on, as *R.  */
static bool
is_update (tns_arena *arena, const tns_node *node, tns_recurrence *r)
{
  bool subtracts = node->update == TNS_SUB;
  *r
    = (tns_recurrence){ subtracts ? TNS_ADD : node->update, NULL, node->value };
  if (subtracts)
    r->term = tns_unary (arena, TNS_NEG, node->value);
  return (r->op == TNS_ADD || r->op == TNS_MUL || r->op == TNS_MIN
          || r->op == TNS_MAX)
         && !tns_expr_mentions (node->value, node->target->sym);
}

bool
tns_recurrence_of (tns_arena *arena, const tns_node *node, const tns_sym *cell,
                   tns_recurrence *recurrence)
{
  line l = { .arena = arena, .cell = cell };
  if (node->kind != TNS_ASSIGN || node->mask || cell->rank > 0
      || cell->type.lanes > 1 || !tns_elem_is_float (cell->type.elem)
      || !tns_type_equal (cell->type, node->target->type))
    return false;
  if (node->update != TNS_NONE)
    return node->target->sym == cell && is_update (arena, node, recurrence);
  if (is_extreme (&l, node->value, recurrence))
    return true;
  if (!tns_expr_mentions (node->value, cell) || !take_apart (&l, node->value))
    return false;
  if (!l.term)
    *recurrence = (tns_recurrence){ TNS_MUL, NULL, l.factor };
  else
    *recurrence = (tns_recurrence){ TNS_ADD, l.factor, l.term };
  return recurrence->term != NULL;
}
