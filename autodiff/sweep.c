/* Loops over whole arrays, as autodiff/sweep.h says.  */

#include "autodiff/sweep.h"

void
tns_sweep (tns_ctx *ctx, tns_region *region, tns_node *block, tns_sym *target,
           tns_op op, tns_sym *source)
{
  tns_arena *arena = ctx->arena;
  const tns_sym *shape = source && tns_sym_is_local (source) ? source : target;
  int rank = target->rank;
  tns_expr **sub = TNS_NEW_ARRAY (arena, tns_expr *, rank + 1);
  tns_node *outer = block;
  for (int k = 0; k < rank; k++)
    {
      tns_sym *iter = tns_region_add_iter (arena, region, "e");
      tns_node *body = tns_block (arena, target->loc);
      sub[k] = tns_value (arena, iter);
      tns_block_add (arena, outer,
                     tns_loop (arena, target->loc, iter, tns_int (arena, 0),
                               shape->extent[k], 1, body));
      outer = body;
    }
  tns_expr *value = source ? tns_load (arena, source, sub)
                           : tns_real (arena, target->type.elem, 0);
  tns_block_add (arena, outer,
                 tns_assign (arena, target->loc, tns_load (arena, target, sub),
                             source ? op : TNS_NONE, value));
}
