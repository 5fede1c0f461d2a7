/* Flat arrays shaped.

     x[b*T*C + t*C + c]     x[b][t][c]       x becomes x[][T][C]
     p[h*hs + i + t*C]      p[t][h][i]       with strides C, hs, 1

   Every access of an array is gathered with the loops around it; ir/flat.c
   finds the shape that they agree on; then a symbol with that shape takes
   the place of the old one, under the same id and name, in a new region.

   Only parameters of rank 1 without strides of their own are looked at.  */

#include "ir/canon.h"

#include "ir/exchange.h"
#include "ir/flat.h"
#include "ir/walk.h"

enum
{
  MOST_ACCESSES = 256,
  MOST_LOOPS = 32
};

/* The accesses of one array while they are gathered.

   loop      the loops around, the outermost first
   ok        no access is of a kind that a shape cannot be given  */
typedef struct gathering
{
  tns_arena *arena;
  const tns_sym *sym;
  const tns_node *loop[MOST_LOOPS];
  int n_loops;
  tns_flat_access access[MOST_ACCESSES];
  int n;
  bool ok;
} gathering;

/* The visitor that keeps the accesses in an expression.  */
static bool
gather_expr (tns_expr *expr, void *self)
{
  gathering *g = self;
  if (expr->sym != g->sym)
    return true;
  if (expr->op != TNS_LOAD || expr->type.lanes != 1 || g->n == MOST_ACCESSES)
    {
      g->ok = false;
      return false;
    }
  tns_flat_access *access = &g->access[g->n++];
  access->sum = tns_sum_of (g->arena, expr->arg[0]);
  access->n_loops = g->n_loops;
  access->loop = TNS_NEW_ARRAY (g->arena, const tns_node *, g->n_loops + 1);
  for (int k = 0; k < g->n_loops; k++)
    access->loop[k] = g->loop[k];
  g->ok = g->ok && access->sum.n >= 0;
  return g->ok;
}

/* Gather below NODE.  */
static void
gather_node (gathering *g, tns_node *node)
{
  if (!node || !g->ok)
    return;
  tns_node_exprs (node, gather_expr, g);
  for (int k = 0; k < node->n_kids; k++)
    gather_node (g, node->kid[k]);
  gather_node (g, node->then);
  gather_node (g, node->otherwise);
  if (node->kind != TNS_LOOP)
    return;
  if (g->n_loops == MOST_LOOPS)
    {
      g->ok = false;
      return;
    }
  g->loop[g->n_loops++] = node;
  gather_node (g, node->body);
  g->n_loops--;
}

/* SYM may be given a shape.  */
static bool
is_candidate (const tns_region *region, const tns_sym *sym)
{
  return sym->kind == TNS_SYM_ARRAY && sym->rank == 1 && !sym->stride
         && !tns_sym_is_local (sym) && !tns_region_has_still (region, sym);
}

/* EXTENT, that of the flat array, over the first stride of SHAPE, where it
   divides each term; else NULL.  */
static tns_expr *
outer_extent (tns_arena *arena, const tns_shape *shape, tns_expr *extent)
{
  if (!extent)
    return NULL;
  tns_sum sum = tns_flat_sum (arena, shape, tns_sum_of (arena, extent));
  tns_sum rows = tns_sum_int (arena, 0);
  for (int k = 0; k < sum.n; k++)
    {
      tns_term quotient;
      if (!tns_term_divide (arena, &sum.term[k], &shape->stride[0], &quotient))
        return NULL;
      rows = tns_sum_add (arena, rows, tns_sum_of_term (arena, quotient));
    }
  return tns_sum_expr (arena, rows);
}

/* SYM with SHAPE.  */
static tns_sym *
shaped_symbol (tns_arena *arena, const tns_sym *sym, const tns_shape *shape)
{
  tns_sym *made = TNS_NEW (arena, tns_sym);
  *made = *sym;
  made->rank = shape->n;
  made->extent = TNS_NEW_ARRAY (arena, tns_expr *, shape->n);
  made->extent[0] = outer_extent (arena, shape, sym->extent[0]);
  bool is_dense = true;
  for (int k = 1; k < shape->n; k++)
    {
      bool is_exact;
      made->extent[k] = tns_flat_extent (arena, shape, k, &is_exact);
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
shape_array (tns_ctx *ctx, tns_region *region, const tns_sym *sym)
{
  gathering *g = TNS_NEW (ctx->arena, gathering);
  g->arena = ctx->arena;
  g->sym = sym;
  g->ok = true;
  gather_node (g, region->body);
  tns_shape shape;
  if (!g->ok || !g->n || !tns_flat_shape (ctx, g->access, g->n, &shape))
    return region;
  if (shape.n_sizes > 0 && sym->extent[0]
      && !outer_extent (ctx->arena, &shape, sym->extent[0]))
    return region;
  exchange e = { ctx->arena, tns_ctx_breaks (ctx, "shapes"), &shape, sym,
                 shaped_symbol (ctx->arena, sym, &shape) };
  return tns_region_exchange (ctx->arena, region, sym, e.made, change_expr, &e);
}

tns_region *
tns_region_shapes (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  for (int k = 0; k < region->n_syms; k++)
    if (is_candidate (region, region->syms[k]))
      region = shape_array (ctx, region, region->syms[k]);
  return region;
}
