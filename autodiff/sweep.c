/* Loops over whole arrays, as autodiff/sweep.h says.  */

#include "autodiff/sweep.h"

#include "ir/walk.h"

tns_node *
tns_sweep_loops (tns_arena *arena, tns_region *region, const tns_sym *shape,
                 const tns_rows *rows, tns_node *body, tns_expr **sub)
{
  tns_node *node = body;
  for (int k = shape->rank - 1; k >= 0; k--)
    {
      tns_sym *iter = tns_region_add_iter (arena, region, "e");
      bool by_rows = rows && (k == 0 || rows->from);
      sub[k] = tns_value (arena, iter);
      node = by_rows
               ? tns_loop (arena, body->loc, iter, k ? rows->from[k] : rows->lo,
                           k ? rows->to[k] : rows->hi, 1, node)
               : tns_loop (arena, body->loc, iter, tns_int (arena, 0),
                           shape->extent[k], 1, node);
    }
  if (!rows || !rows->when)
    return node;
  tns_node *then = tns_block (arena, body->loc);
  tns_block_add (arena, then, node);
  return tns_if (arena, body->loc, rows->when, then, NULL);
}

void
tns_sweep (tns_ctx *ctx, tns_region *region, tns_node *block, tns_sym *target,
           tns_op op, tns_sym *source, const tns_rows *rows)
{
  tns_arena *arena = ctx->arena;
  int rank = target->rank;
  bool by_source = source && tns_sym_is_local (source);
  const tns_sym *shape = by_source ? source : target;
  tns_expr **sub = TNS_NEW_ARRAY (arena, tns_expr *, rank + 1);
  tns_expr **copied = TNS_NEW_ARRAY (arena, tns_expr *, rank + 1);
  tns_node *body = tns_block (arena, target->loc);
  tns_node *node = tns_sweep_loops (arena, region, shape, rows, body, sub);
  for (int k = 0; k < rank; k++)
    copied[k]
      = rows && k == 0 ? tns_difference (ctx, sub[0], rows->base) : sub[k];
  tns_expr *value = source ? tns_load (arena, source, by_source ? copied : sub)
                           : tns_real (arena, target->type.elem, 0);
  bool is_copy = tns_sym_is_local (target) && !by_source;
  tns_expr *place = tns_load (arena, target, is_copy ? copied : sub);
  tns_block_add (
    arena, body,
    tns_assign (arena, target->loc, place, source ? op : TNS_NONE, value));
  tns_block_add (arena, block, node);
}

tns_node *
tns_handed_loops (tns_arena *arena, tns_region *region, const tns_expr *load,
                  tns_expr *count, tns_node *body, tns_expr **sub)
{
  tns_expr *rows = tns_rows_handed (arena, load, count);
  tns_node *node = body;
  for (int k = load->n_args - 1; k >= 0 && rows; k--)
    {
      tns_sym *iter = tns_region_add_iter (arena, region, "e");
      sub[k]
        = tns_binary (arena, TNS_ADD, load->arg[k], tns_value (arena, iter));
      node = tns_loop (arena, body->loc, iter, tns_int (arena, 0),
                       k ? load->sym->extent[k] : rows, 1, node);
    }
  return rows ? node : NULL;
}
