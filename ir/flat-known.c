/* What the conditions around an access of a flat array say of its subscripts.

     if (!(y < 0 || y >= n || x < 0 || x >= m))
       s += a[y*m + x];                           y, n - 1 - y, x, m - 1 - x
                                                  are not negative

   Only sums of iterators and VALUEs are kept: what else a condition reads might
   change on the way to the access.  */

#include "ir/flat.h"

/* A - B - LESS is not negative, one more of KNOWN's N.  */
static int
add_difference (tns_arena *arena, tns_expr *a, tns_expr *b, long long less,
                tns_sum *known, int n)
{
  tns_sum sum = tns_sum_add (arena, tns_sum_of (arena, a),
                             tns_sum_scale (arena, tns_sum_of (arena, b), -1));
  sum = tns_sum_add (arena, sum, tns_sum_int (arena, -less));
  if (sum.n < 0 || n == TNS_MOST_KNOWN || tns_flat_has_load (sum))
    return n;
  known[n] = sum;
  return n + 1;
}

/* What the comparison COND says, or, NEGATED, its contrary.  */
static int
add_comparison (tns_arena *arena, const tns_expr *cond, bool negated,
                tns_sum *known, int n)
{
  tns_expr *a = cond->arg[0];
  tns_expr *b = cond->arg[1];
  if (tns_elem_class (a->type.elem) != 'S' || a->type.lanes != 1)
    return n;
  if (cond->op == (negated ? TNS_LT : TNS_GE)
      || (cond->op == TNS_EQ && !negated))
    n = add_difference (arena, a, b, 0, known, n);
  if (cond->op == (negated ? TNS_GT : TNS_LE)
      || (cond->op == TNS_EQ && !negated))
    n = add_difference (arena, b, a, 0, known, n);
  if (cond->op == (negated ? TNS_LE : TNS_GT))
    n = add_difference (arena, a, b, 1, known, n);
  if (cond->op == (negated ? TNS_GE : TNS_LT))
    n = add_difference (arena, b, a, 1, known, n);
  return n;
}

int
tns_flat_known (tns_arena *arena, const tns_expr *cond, bool negated,
                tns_sum *known, int n)
{
  if (cond->op == TNS_LNOT)
    return tns_flat_known (arena, cond->arg[0], !negated, known, n);
  if (cond->op == (negated ? TNS_LOR : TNS_LAND))
    {
      n = tns_flat_known (arena, cond->arg[0], negated, known, n);
      return tns_flat_known (arena, cond->arg[1], negated, known, n);
    }
  if (tns_op_class (cond->op) != 'C')
    return n;
  return add_comparison (arena, cond, negated, known, n);
}
