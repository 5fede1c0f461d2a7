/* Rows of temporaries by lines, as lowering/lines.h says.  */

#include "lowering/lines.h"

#include "ir/simplify.h"
#include "ir/walk.h"

#define LINE_BYTES   64
#define FEWEST_LINES 4

/* By symbol, in SEEN: a loop marked simd walks along its rows; ITER: this
   loop's iterator.  */
typedef struct lines
{
  bool *seen;
  const tns_sym *iter;
} lines;

/* EXPR is an element of a LOCAL array whose bytes nobody counts, and its last
   subscript alone depends on ITER.  */
static bool
walks_along (const tns_expr *expr, const tns_sym *iter)
{
  if (!tns_expr_reads (expr) || !tns_sym_is_local (expr->sym)
      || tns_sym_role (expr->sym) || expr->sym->rank < 2 || expr->sym->stride)
    return false;
  int last = expr->sym->rank - 1;
  for (int k = 0; k < last; k++)
    if (tns_expr_mentions (expr->arg[k], iter))
      return false;
  return tns_expr_mentions (expr->arg[last], iter);
}

/* Note the array of EXPR if the loop walks along its rows.  */
static bool
note_expr (tns_expr *expr, void *self)
{
  lines *l = self;
  if (walks_along (expr, l->iter))
    l->seen[expr->sym->id] = true;
  return true;
}

/* All expressions of NODE.  */
static bool
note_exprs (tns_node *node, void *self)
{
  tns_node_exprs (node, note_expr, self);
  return true;
}

/* The arrays of the loop NODE, if it is marked simd.  */
static bool
note_loop (tns_node *node, void *self)
{
  const lines *l = self;
  if (node->kind != TNS_LOOP || node->marks.simd == 0)
    return true;
  lines inner = { l->seen, node->iter };
  tns_node_walk (node, note_exprs, &inner);
  return true;
}

/* EXTENT elements of ELEM up to an odd number of lines.  */
static tns_expr *
odd_lines (tns_ctx *ctx, tns_expr *extent, tns_elem elem)
{
  tns_arena *arena = ctx->arena;
  long line = LINE_BYTES / tns_elem_bytes (elem);
  long more = tns_ctx_breaks (ctx, "lines") ? 0 : line - 1;
  tns_expr *up = tns_binary (arena, TNS_ADD, extent, tns_int (arena, more));
  tns_expr *two = tns_int (arena, 2 * line);
  tns_expr *pairs = tns_binary (arena, TNS_FLOORDIV, up, two);
  return tns_binary (arena, TNS_ADD, tns_binary (arena, TNS_MUL, pairs, two),
                     tns_int (arena, line));
}

/* The extent of rows of EXTENT elements of ELEM.  */
static tns_expr *
row_of (tns_ctx *ctx, tns_expr *extent, tns_elem elem)
{
  tns_arena *arena = ctx->arena;
  long line = LINE_BYTES / tns_elem_bytes (elem);
  long long known;
  tns_expr *fewest = tns_int (arena, FEWEST_LINES * line);
  if (tns_expr_is_int (extent, &known)
      && (known < FEWEST_LINES * line || known % line == 0))
    return extent;
  tns_expr *row = odd_lines (ctx, extent, elem);
  if (!tns_expr_is_int (extent, &known))
    row = tns_ternary (arena, TNS_SELECT,
                       tns_binary (arena, TNS_GE, extent, fewest), row, extent);
  return tns_expr_simplify (ctx, row);
}

/* Lengthen the rows of SYM.  */
static void
lengthen (tns_ctx *ctx, tns_sym *sym)
{
  int last = sym->rank - 1;
  tns_expr **extent = TNS_NEW_ARRAY (ctx->arena, tns_expr *, sym->rank);
  for (int k = 0; k < last; k++)
    extent[k] = sym->extent[k];
  extent[last] = row_of (ctx, sym->extent[last], sym->type.elem);
  sym->extent = extent;
}

tns_region *
tns_region_lines (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  lines l = { TNS_NEW_ARRAY (ctx->arena, bool, region->n_syms + 1), NULL };
  tns_node_walk (region->body, note_loop, &l);
  for (int k = 0; k < region->n_syms; k++)
    if (l.seen[k])
      lengthen (ctx, region->syms[k]);
  return region;
}
