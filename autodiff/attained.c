/* A look at subscripts and the loops around, as autodiff/attained.h says.  */

#include "autodiff/attained.h"

#include "ir/affine.h"
#include "ir/walk.h"

/* Uses of one iterator.  */
typedef struct uses
{
  const tns_sym *iter;
  int n;
} uses;

/* The visitor that counts them.  */
static bool
count_use (tns_expr *expr, void *self)
{
  uses *u = self;
  u->n += expr->op == TNS_SYM && expr->sym == u->iter;
  return true;
}

/* The visitor that finds what is no VALUE.  */
static bool
find_moving (tns_expr *expr, void *self)
{
  bool *moves = self;
  *moves |= expr->sym && expr->sym->kind != TNS_SYM_VALUE;
  return !*moves;
}

/* EXPR is over VALUEs.  */
static bool
is_still (tns_expr *expr)
{
  bool moves = false;
  tns_expr_walk (expr, find_moving, &moves);
  return !moves;
}

/* The visitor that finds operators that do not go up or down all along with
   their operands.  */
static bool
find_turn (tns_expr *expr, void *self)
{
  bool *turns = self;
  long long by;
  switch (expr->op)
    {
    case TNS_INT:
    case TNS_SYM:
    case TNS_CAST:
    case TNS_NEG:
    case TNS_ADD:
    case TNS_SUB:
    case TNS_MIN:
    case TNS_MAX:
      break;
    case TNS_MUL:
      *turns |= !is_still (expr->arg[0]) && !is_still (expr->arg[1]);
      break;
    case TNS_DIV:
    case TNS_FLOORDIV:
      *turns |= !tns_expr_is_int (expr->arg[1], &by) || by <= 0;
      break;
    default:
      *turns |= !is_still (expr);
    }
  return !*turns;
}

/* Each iteration of LOOP is one further.  */
static bool
is_stepwise (const tns_node *loop)
{
  return loop->step == 1 || loop->step == -1;
}

/* The iterators of all loops around site S take the ends of their hulls, each
   for itself, and nothing else decides whether S is reached.  */
static bool
is_box (const tns_view *view, int s)
{
  for (int at = view->site[s].under; at >= 0; at = view->site[at].under)
    {
      const tns_node *node = view->site[at].node;
      if (node->kind != TNS_LOOP || !is_stepwise (node) || !is_still (node->lo)
          || !is_still (node->hi))
        return false;
    }
  return true;
}

bool
tns_hull_is_attained (const tns_view *view, int s, tns_expr *expr)
{
  bool turns = !is_box (view, s);
  tns_expr_walk (expr, find_turn, &turns);
  for (int at = view->site[s].under; at >= 0 && !turns;
       at = view->site[at].under)
    {
      uses u = { view->site[at].node->iter, 0 };
      tns_expr_walk (expr, count_use, &u);
      turns = u.n > 1;
    }
  return !turns;
}

bool
tns_hull_is_dense (tns_arena *arena, const tns_view *view, int s,
                   tns_expr *expr)
{
  tns_affine form;
  int n = 0;
  if (!tns_hull_is_attained (view, s, expr)
      || !tns_affine_of (arena, expr, &form))
    return false;
  for (int k = 0; k < form.n; k++)
    if (form.sym[k]->kind != TNS_SYM_VALUE)
      n += form.factor[k] == 1 || form.factor[k] == -1 ? 1 : 2;
  return n <= 1;
}

/* The distance of LOAD from its array's first element.  */
static tns_sum
distance_of (tns_arena *arena, const tns_expr *load)
{
  tns_sum sum = tns_sum_int (arena, 0);
  for (int k = 0; k < load->n_args; k++)
    {
      tns_expr *extent = k ? load->sym->extent[k] : tns_int (arena, 1);
      sum = tns_sum_mul (arena, sum, tns_sum_of (arena, extent));
      sum = tns_sum_add (arena, sum, tns_sum_of (arena, load->arg[k]));
    }
  return sum;
}

/* A - B.  */
static tns_sum
difference (tns_arena *arena, tns_sum a, tns_sum b)
{
  return tns_sum_add (arena, a, tns_sum_scale (arena, b, -1));
}

bool
tns_places_tile (tns_arena *arena, const tns_view *view, int s, int home,
                 const tns_expr *load, tns_expr *count)
{
  tns_sum from = distance_of (arena, load);
  tns_sum extent = tns_sum_of (arena, count);
  for (int at = view->site[s].under; at >= 0; at = view->site[at].under)
    {
      tns_node *node = view->site[at].node;
      if (node->kind != TNS_LOOP)
        return false;
      if (tns_view_holds (view, view->site[at].inner, home))
        return true;
      tns_sum next = tns_sum_of (
        arena, tns_binary (arena, TNS_ADD, tns_value (arena, node->iter),
                           tns_int (arena, 1)));
      tns_sum step = difference (
        arena, tns_sum_substitute (arena, from, node->iter, next), from);
      if (!is_stepwise (node) || !is_still (node->lo) || !is_still (node->hi)
          || load->sym->stride || !tns_sum_equal (step, extent))
        return false;
      bool up = node->step > 0;
      tns_sum trips
        = difference (arena, tns_sum_of (arena, up ? node->hi : node->lo),
                      tns_sum_of (arena, up ? node->lo : node->hi));
      extent = tns_sum_mul (arena, extent, trips);
    }
  return true;
}
