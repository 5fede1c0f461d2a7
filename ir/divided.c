/* Finding quotients and rests of iterators, as ir/divided.h says.  */

#include "ir/divided.h"

#include <limits.h>

#include "ir/range.h"
#include "ir/walk.h"

/* EXPR without the conversions around it; *MOST, the greatest number that
   these leave as it is.  */
static tns_expr *
unconverted (tns_expr *expr, long long *most)
{
  for (; expr->op == TNS_CAST; expr = expr->arg[0])
    {
      long long here = tns_range_of_elem (expr->type.elem).hi;
      *most = here < *most ? here : *most;
    }
  return expr;
}

/* EXPR is a quotient or a rest of integers.  */
static bool
is_division (const tns_expr *expr)
{
  return (expr->op == TNS_DIV || expr->op == TNS_REM || expr->op == TNS_FLOORDIV
          || expr->op == TNS_MOD)
         && tns_elem_is_integer (expr->type.elem);
}

bool
tns_expr_divided (tns_arena *arena, const tns_expr *expr, tns_divided *d)
{
  d->most = LLONG_MAX;
  if (!is_division (expr))
    return false;
  tns_expr *what = unconverted (expr->arg[0], &d->most);
  tns_expr *by = unconverted (expr->arg[1], &d->most);
  if (what->op != TNS_SYM || what->sym->kind != TNS_SYM_ITER
      || by->op != TNS_SYM || by->sym->kind != TNS_SYM_VALUE)
    return false;
  tns_sum sum = tns_sum_of (arena, by);
  d->iter = what->sym;
  d->size = sum.term[0];
  d->rest = expr->op == TNS_REM || expr->op == TNS_MOD;
  return sum.n == 1;
}

/* The visitor that finds an iterator.  */
static bool
find_iterator (tns_expr *expr, void *self)
{
  bool *found = self;
  *found |= expr->op == TNS_SYM && expr->sym->kind == TNS_SYM_ITER;
  return !*found;
}

/* The visitor of expressions: count divisions.  */
static bool
count_division (tns_expr *expr, void *self)
{
  int *n = self;
  long long by;
  bool moves = false;
  if (!is_division (expr) || tns_expr_is_int (expr->arg[1], &by))
    return true;
  tns_expr_walk (expr->arg[0], find_iterator, &moves);
  *n += moves;
  return true;
}

/* The visitor of nodes.  */
static bool
count_divisions (tns_node *node, void *self)
{
  tns_node_exprs (node, count_division, self);
  return true;
}

int
tns_divided_count (tns_region *region)
{
  int n = 0;
  tns_node_walk (region->body, count_divisions, &n);
  return n;
}
