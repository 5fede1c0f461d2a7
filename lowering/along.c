/* Neighbours in memory, as lowering/along.h says.  */

#include "lowering/along.h"

#include "ir/walk.h"
#include "lowering/linear.h"

bool
tns_goes_by_one (tns_arena *arena, tns_expr *expr, tns_sym *iter)
{
  long long d;
  tns_expr *next
    = tns_binary (arena, TNS_ADD, tns_value (arena, iter), tns_int (arena, 1));
  tns_expr *moved = tns_expr_substitute (arena, expr, 1, &iter, &next);
  return tns_linear_distance (arena, moved, expr, &d) && d == 1;
}

int
tns_cost_along (tns_arena *arena, const tns_expr *load, tns_sym *iter)
{
  int last = load->n_args - 1;
  for (int k = 0; k < last; k++)
    if (tns_expr_mentions (load->arg[k], iter))
      return TNS_ALONG_FAR;
  if (last < 0 || !tns_expr_mentions (load->arg[last], iter))
    return TNS_ALONG_FIXED;
  return !load->sym->stride && tns_goes_by_one (arena, load->arg[last], iter)
           ? TNS_ALONG_NEAR
           : TNS_ALONG_FAR;
}
