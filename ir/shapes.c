/* Flat arrays shaped.

     x[b*T*C + t*C + c]     x[b][t][c]       x becomes x[][T][C]
     p[h*hs + i + t*C]      p[t][h][i]       with strides C, hs, 1

   Every access of an array is gathered with the loops around it; ir/flat.c
   finds the shape that they agree on; then a symbol with that shape takes
   the place of the old one, under the same id and name, in a new region.

   Only arrays of rank 1 without strides of their own are looked at; a LOCAL
   whose extent is not whole rows gets one row more.  */

#include "ir/canon.h"

#include "ir/exchange.h"
#include "ir/flat.h"
#include "ir/walk.h"

/* EXTENT over STRIDE, rounded up.  */
static tns_expr *
enough_rows (tns_arena *arena, tns_expr *extent, const tns_term *stride)
{
  tns_expr *row = tns_sum_expr (arena, tns_sum_of_term (arena, *stride));
  tns_expr *one = tns_int (arena, 1);
  tns_expr *last = tns_binary (arena, TNS_SUB, extent, one);
  return tns_binary (arena, TNS_ADD,
                     tns_binary (arena, TNS_FLOORDIV, last,
                                 tns_binary (arena, TNS_MAX, row, one)),
                     one);
}

/* The extent of SYM, flat, over the first stride of SHAPE, where that divides
   each term; else NULL, of a LOCAL what is enough.  */
static tns_expr *
outer_extent (tns_arena *arena, const tns_shape *shape, const tns_sym *sym)
{
  tns_expr *extent = sym->extent[0];
  if (!extent)
    return NULL;
  tns_sum sum = tns_flat_sum (arena, shape, tns_sum_of (arena, extent));
  tns_sum rows;
  if (tns_sum_divide (arena, sum, &shape->stride[0], &rows))
    return tns_sum_expr (arena, rows);
  return tns_sym_is_local (sym) ? enough_rows (arena, extent, &shape->stride[0])
                                : NULL;
}

/* SYM with SHAPE.  */
static tns_sym *
shaped_symbol (tns_arena *arena, const tns_sym *sym, const tns_shape *shape)
{
  tns_sym *made = TNS_NEW (arena, tns_sym);
  *made = *sym;
  made->rank = shape->n;
  made->extent = TNS_NEW_ARRAY (arena, tns_expr *, shape->n);
  made->extent[0] = outer_extent (arena, shape, sym);
  made->flags |= made->extent[0] ? 0 : TNS_SYM_SHORT;
  long long *first = TNS_NEW_ARRAY (arena, long long, shape->n);
  bool is_dense = true;
  for (int k = 1; k < shape->n; k++)
    {
      bool is_exact;
      made->extent[k] = tns_flat_extent (arena, shape, k, &is_exact);
      first[k] = shape->first[k];
      made->first = first[k] ? first : made->first;
      is_dense = is_dense && is_exact;
    }
  if (is_dense)
    return made;
  made->stride = TNS_NEW_ARRAY (arena, tns_expr *, shape->n);
  for (int k = 0; k < shape->n; k++)
    made->stride[k]
      = tns_sum_expr (arena, tns_sum_of_term (arena, shape->stride[k]));
  return made;
}

/* The exchange of one symbol for another.
   is_broken  a fault is planted: the last two subscripts change places  */
typedef struct exchange
{
  tns_arena *arena;
  bool is_broken;
  const tns_shape *shape;
  const tns_sym *old;
  tns_sym *made;
} exchange;

/* One node of an expression.  */
static tns_expr *
change_part (tns_expr *expr, void *self)
{
  const exchange *e = self;
  if (expr->sym != e->old)
    return expr;
  tns_sum subscript[TNS_MOST_STRIDES];
  tns_expr *arg[TNS_MOST_STRIDES];
  tns_flat_subscripts (e->arena, e->shape, tns_sum_of (e->arena, expr->arg[0]),
                       subscript);
  for (int k = 0; k < e->shape->n; k++)
    {
      int last = e->shape->n - 1;
      bool swaps = e->is_broken && k >= last - 1;
      arg[swaps ? 2 * last - 1 - k : k] = tns_sum_expr (e->arena, subscript[k]);
    }
  tns_expr *made = tns_load (e->arena, e->made, arg);
  made->loc = expr->loc;
  return made;
}

/* One whole expression.  */
static tns_expr *
change_expr (tns_expr *expr, void *self)
{
  exchange *e = self;
  return tns_expr_rebuild (e->arena, expr, change_part, e);
}

/* REGION with SYM shaped, or REGION.  */
static tns_region *
shape_array (tns_ctx *ctx, tns_region *region, const tns_sym *sym,
             bool may_begin)
{
  bool begins = may_begin && !tns_sym_is_local (sym);
  tns_shape shape;
  int n;
  const tns_flat_access *access = tns_flat_gather (ctx->arena, region, sym, &n);
  if (!access || !tns_flat_shape (ctx, access, n, begins, &shape))
    return region;
  if (shape.n_sizes > 0 && sym->extent[0]
      && !outer_extent (ctx->arena, &shape, sym))
    return region;
  exchange e = { ctx->arena, tns_ctx_breaks (ctx, "shapes"), &shape, sym,
                 shaped_symbol (ctx->arena, sym, &shape) };
  return tns_region_exchange (ctx->arena, region, sym, e.made, change_expr, &e);
}

/* REGION with all of its arrays shaped.  */
static tns_region *
shape_arrays (tns_ctx *ctx, tns_region *region, bool may_begin)
{
  for (int k = 0; region && k < region->n_syms; k++)
    region = shape_array (ctx, region, region->syms[k], may_begin);
  return region;
}

tns_region *
tns_region_shapes (tns_ctx *ctx, tns_region *region)
{
  return shape_arrays (ctx, region, true);
}

tns_region *
tns_region_shapes_at_zero (tns_ctx *ctx, tns_region *region)
{
  return shape_arrays (ctx, region, false);
}
