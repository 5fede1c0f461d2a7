/* Interval arithmetic over expressions, with ends that saturate.

   Signed arithmetic does not overflow in a correct program, so that the
   interval of a result is also cut to its type; unsigned arithmetic that
   may wrap gives the whole type.  */

#include "ir/range.h"

#include <limits.h>

#include "ir/walk.h"

typedef __int128 wide;

/* VALUE cut to what a long long holds.  */
static long long
clamp (wide value)
{
  return value > LLONG_MAX   ? LLONG_MAX
         : value < LLONG_MIN ? LLONG_MIN
                             : (long long) value;
}

/* An end of an interval; no bound is further than any number.  */
static wide
end_of (long long value)
{
  wide far = (wide) 1 << 100;
  return value == LLONG_MAX ? far : value == LLONG_MIN ? -far : value;
}

tns_range
tns_range_of_elem (tns_elem elem)
{
  int bits = 8 * tns_elem_bytes (elem);
  if (elem == TNS_BOOL)
    return (tns_range){ 0, 1 };
  if (tns_elem_is_unsigned (elem))
    return (tns_range){ 0, bits == 64 ? LLONG_MAX : (1LL << bits) - 1 };
  if (bits >= 64)
    return (tns_range){ LLONG_MIN, LLONG_MAX };
  return (tns_range){ -(1LL << (bits - 1)), (1LL << (bits - 1)) - 1 };
}

bool
tns_range_within (tns_range a, tns_range b)
{
  return a.lo >= b.lo && a.hi <= b.hi;
}

/* The common part of A and B; B when they have none.  */
static tns_range
cut (tns_range a, tns_range b)
{
  tns_range r = { a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi };
  return r.lo <= r.hi ? r : b;
}

/* From the least to the greatest of four ends.  */
static tns_range
hull (wide a, wide b, wide c, wide d)
{
  wide lo = a < b ? a : b;
  wide hi = a < b ? b : a;
  lo = c < lo ? c : lo;
  lo = d < lo ? d : lo;
  hi = c > hi ? c : hi;
  hi = d > hi ? d : hi;
  return (tns_range){ clamp (lo), clamp (hi) };
}

/* A times B.  */
static tns_range
multiply (tns_range a, tns_range b)
{
  bool is_unbounded = a.lo == LLONG_MIN || a.hi == LLONG_MAX
                      || b.lo == LLONG_MIN || b.hi == LLONG_MAX;
  if (is_unbounded && a.lo >= 0 && b.lo >= 0)
    return (tns_range){ clamp ((wide) a.lo * b.lo), LLONG_MAX };
  if (is_unbounded)
    return (tns_range){ LLONG_MIN, LLONG_MAX };
  return hull ((wide) a.lo * b.lo, (wide) a.lo * b.hi, (wide) a.hi * b.lo,
               (wide) a.hi * b.hi);
}

/* A divided, or the rest, by the constant K > 0.  */
static tns_range
divide (tns_op op, tns_range a, long long k)
{
  bool is_floor = op == TNS_FLOORDIV;
  if (op == TNS_MOD || (op == TNS_REM && a.lo >= 0))
    return (tns_range){ 0, k - 1 };
  if (op == TNS_REM)
    return (tns_range){ 1 - k, k - 1 };
  long long lo = a.lo == LLONG_MIN ? LLONG_MIN : a.lo / k;
  long long hi = a.hi == LLONG_MAX ? LLONG_MAX : a.hi / k;
  lo -= is_floor && a.lo != LLONG_MIN && a.lo % k < 0;
  hi -= is_floor && a.hi != LLONG_MAX && a.hi % k < 0;
  return (tns_range){ lo, hi };
}

/* Two operands.  */
static tns_range
combine (tns_op op, tns_range a, tns_range b, tns_range whole)
{
  switch (op)
    {
    case TNS_ADD:
      return hull (end_of (a.lo) + end_of (b.lo), end_of (a.lo) + end_of (b.lo),
                   end_of (a.hi) + end_of (b.hi),
                   end_of (a.hi) + end_of (b.hi));
    case TNS_SUB:
      return hull (end_of (a.lo) - end_of (b.hi), end_of (a.lo) - end_of (b.hi),
                   end_of (a.hi) - end_of (b.lo),
                   end_of (a.hi) - end_of (b.lo));
    case TNS_MUL:
      return multiply (a, b);
    case TNS_MIN:
      return (tns_range){ a.lo < b.lo ? a.lo : b.lo,
                          a.hi < b.hi ? a.hi : b.hi };
    case TNS_MAX:
      return (tns_range){ a.lo > b.lo ? a.lo : b.lo,
                          a.hi > b.hi ? a.hi : b.hi };
    case TNS_DIV:
    case TNS_REM:
    case TNS_FLOORDIV:
    case TNS_MOD:
      return b.lo == b.hi && b.lo > 0 ? divide (op, a, b.lo) : whole;
    case TNS_SHR:
      return b.lo == b.hi && b.lo >= 0 && b.lo < 63 && a.lo != LLONG_MIN
                 && (a.lo >= 0 || whole.lo < 0) && a.hi != LLONG_MAX
               ? (tns_range){ a.lo >> b.lo, a.hi >> b.lo }
               : whole;
    case TNS_AND:
      return a.lo >= 0 && b.lo >= 0
               ? (tns_range){ 0, a.hi < b.hi ? a.hi : b.hi }
               : whole;
    default:
      return whole;
    }
}

/* A CAST.  */
static tns_range
convert (const tns_ranges *ranges, const tns_expr *expr, tns_range whole)
{
  const tns_expr *from = expr->arg[0];
  if (tns_elem_is_float (from->type.elem))
    return whole;
  tns_range r = tns_range_of (ranges, from);
  bool is_huge = from->type.elem == TNS_U64 && r.hi == LLONG_MAX;
  return !is_huge && tns_range_within (r, whole) ? r : whole;
}

/* EXPR by its operator, or all of its type.  */
static tns_range
by_operator (const tns_ranges *ranges, const tns_expr *expr, tns_range whole)
{
  const tns_expr *const *arg = (const tns_expr *const *) expr->arg;
  tns_range a;
  tns_range b;
  switch (expr->op)
    {
    case TNS_INT:
      return expr->type.elem == TNS_U64 && expr->integer < 0
               ? whole
               : (tns_range){ expr->integer, expr->integer };
    case TNS_SYM:
      return ranges && expr->sym->id < ranges->n ? ranges->sym[expr->sym->id]
                                                 : whole;
    case TNS_CAST:
      return convert (ranges, expr, whole);
    case TNS_SPLAT:
      return tns_range_of (ranges, arg[0]);
    case TNS_SELECT:
      a = tns_range_of (ranges, arg[1]);
      b = tns_range_of (ranges, arg[2]);
      return hull (end_of (a.lo), end_of (a.hi), end_of (b.lo), end_of (b.hi));
    case TNS_NEG:
      return combine (TNS_SUB, (tns_range){ 0, 0 },
                      tns_range_of (ranges, arg[0]), whole);
    default:
      if (expr->n_args != 2 || tns_op_class (expr->op) != 'A')
        return whole;
      a = tns_range_of (ranges, arg[0]);
      return combine (expr->op, a, tns_range_of (ranges, arg[1]), whole);
    }
}

tns_range
tns_range_of (const tns_ranges *ranges, const tns_expr *expr)
{
  tns_range whole = tns_range_of_elem (expr->type.elem);
  tns_range r = by_operator (ranges, expr, whole);
  if (tns_elem_is_unsigned (expr->type.elem) && !tns_range_within (r, whole))
    return whole;
  return cut (r, whole);
}

/* The values of LOOP's iterator.  */
static tns_range
iterator_range (const tns_ranges *ranges, const tns_node *loop)
{
  tns_range lo = tns_range_of (ranges, loop->lo);
  tns_range hi = tns_range_of (ranges, loop->hi);
  if (loop->step > 0)
    return (tns_range){ lo.lo, clamp (end_of (hi.hi) - 1) };
  return (tns_range){ clamp (end_of (hi.lo) + 1), lo.hi };
}

/* The intervals of iterators that are known so far, and whether one has
   been met.  */
typedef struct gathering
{
  tns_ranges ranges;
  bool *is_met;
} gathering;

/* The visitor that widens a loop's iterator; loops come from the outside
   in.  */
static bool
visit_loop (tns_node *node, void *self)
{
  gathering *g = self;
  if (node->kind != TNS_LOOP)
    return true;
  int id = node->iter->id;
  tns_range r = iterator_range (&g->ranges, node);
  tns_range *known = &g->ranges.sym[id];
  if (g->is_met[id])
    r = hull (end_of (r.lo), end_of (r.hi), end_of (known->lo),
              end_of (known->hi));
  g->is_met[id] = true;
  *known = r;
  return true;
}

tns_ranges
tns_ranges_of (tns_arena *arena, tns_region *region)
{
  int n = region->n_syms;
  gathering g = { { n, TNS_NEW_ARRAY (arena, tns_range, n + 1) },
                  TNS_NEW_ARRAY (arena, bool, n + 1) };
  for (int k = 0; k < n; k++)
    if (tns_elem_is_integer (region->syms[k]->type.elem))
      g.ranges.sym[k] = tns_range_of_elem (region->syms[k]->type.elem);
  tns_node_walk (region->body, visit_loop, &g);
  return g.ranges;
}
