/* Cells into LOCALs, from the outside in.

   Of each loop that has no parallel loop in it, and is not one of several
   that threads share together, cells.c says which cells may
   live in LOCALs while it runs:

     if (guard) {
       local c; c = cell;     where its value is needed
       the loop, with c
       cell = c;              where it was written
     }

   The guard is left out when the loop is known to run; where it does not
   hold the loop does nothing.  Then the loops inside have their turn, then
   straight lines (share.c) and products (fma.c).  */

#include "lowering/promote.h"

#include "ir/walk.h"
#include "lowering/cells.h"
#include "lowering/fma.h"
#include "lowering/share.h"

#define MOST_DEPTH 64

typedef struct promotion
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  int collapsed;
  int n_around;
  tns_node *around[MOST_DEPTH];
} promotion;

/* EXPR with the cells that it reads in their LOCALs.  */
static tns_expr *
keep_expr (const promotion *p, const tns_loop_cells *cells, tns_expr *expr)
{
  if (!expr)
    return NULL;
  tns_loop_cell *cell
    = tns_expr_is_read (expr) ? tns_loop_cell_of (cells, expr, NULL) : NULL;
  if (cell)
    return tns_cell (p->arena, cell->local);
  if (!expr->n_args)
    return expr;
  tns_expr **arg = TNS_NEW_ARRAY (p->arena, tns_expr *, expr->n_args);
  for (int k = 0; k < expr->n_args; k++)
    arg[k] = keep_expr (p, cells, expr->arg[k]);
  return tns_expr_with_args (p->arena, expr, arg);
}

/* MADE, a copy of an ASSIGN, with the cells in their LOCALs.  */
static void
keep_target (const promotion *p, const tns_loop_cells *cells, tns_node *made)
{
  tns_loop_cell *cell = tns_expr_reads_array (made->target)
                          ? tns_loop_cell_of (cells, made->target, made->mask)
                          : NULL;
  tns_expr *target = made->target;
  if (cell)
    {
      made->target = tns_cell (p->arena, cell->local);
      made->mask = NULL;
      return;
    }
  tns_expr **arg = TNS_NEW_ARRAY (p->arena, tns_expr *, target->n_args);
  for (int k = 0; k < target->n_args; k++)
    arg[k] = keep_expr (p, cells, target->arg[k]);
  made->target = tns_expr_with_args (p->arena, target, arg);
  made->mask = keep_expr (p, cells, made->mask);
}

/* NODE with the cells in their LOCALs.  */
static tns_node *
keep_node (const promotion *p, const tns_loop_cells *cells, tns_node *node)
{
  if (!node)
    return NULL;
  tns_node *made = tns_node_copy (p->arena, node);
  if (node != cells->loop)
    {
      made->lo = keep_expr (p, cells, node->lo);
      made->hi = keep_expr (p, cells, node->hi);
    }
  made->cond = keep_expr (p, cells, node->cond);
  made->value = keep_expr (p, cells, node->value);
  if (node->kind == TNS_ASSIGN)
    keep_target (p, cells, made);
  made->n_kids = 0;
  made->kid = NULL;
  for (int k = 0; k < node->n_kids; k++)
    tns_block_add (p->arena, made, keep_node (p, cells, node->kid[k]));
  made->body = keep_node (p, cells, node->body);
  made->then = keep_node (p, cells, node->then);
  made->otherwise = keep_node (p, cells, node->otherwise);
  return made;
}

/* The element of CELL, as it is read: under its mask.  */
static tns_expr *
cell_value (const promotion *p, const tns_loop_cell *cell)
{
  const tns_expr *read = cell->read;
  if (!cell->mask || read->op == TNS_MASKED)
    return cell->read;
  int n = read->n_args;
  tns_expr **arg = TNS_NEW_ARRAY (p->arena, tns_expr *, n + 1);
  for (int k = 0; k < n; k++)
    arg[k] = read->arg[k];
  arg[n] = cell->mask;
  return tns_make (p->arena, TNS_MASKED, read->type, read->sym, n + 1, arg);
}

/* Declare CELL's LOCAL and set it, in OUT.  */
static void
begin_cell (const promotion *p, tns_loc loc, tns_loop_cell *cell, tns_node *out)
{
  const tns_expr *element = cell->splat ? cell->read->arg[0] : cell->read;
  tns_sym *sym = tns_region_add_array (p->arena, p->region, element->sym->name,
                                       cell->read->type.elem, 0, TNS_SYM_LOCAL);
  sym->type = cell->read->type;
  cell->local = sym;
  tns_block_add (p->arena, out, tns_local (p->arena, loc, sym));
  if (cell->loaded)
    tns_block_add (p->arena, out,
                   tns_assign (p->arena, loc, tns_cell (p->arena, sym),
                               TNS_NONE, cell_value (p, cell)));
}

/* Store CELL, in OUT.  */
static void
end_cell (const promotion *p, tns_loc loc, const tns_loop_cell *cell,
          tns_node *out)
{
  const tns_expr *read = cell->read;
  tns_expr *target = tns_make (p->arena, TNS_LOAD, read->type, read->sym,
                               read->sym->rank, read->arg);
  tns_node *store = tns_assign (p->arena, loc, target, TNS_NONE,
                                tns_cell (p->arena, cell->local));
  store->mask = cell->mask;
  tns_block_add (p->arena, out, store);
}

/* LOOP with its cells in LOCALs; *INNER is the loop in the result.  */
static tns_node *
promote_loop (promotion *p, tns_node *loop, tns_node **inner)
{
  tns_arena *arena = p->arena;
  tns_loop_cells cells
    = tns_loop_cells_of (p->ctx, p->region, loop, p->n_around, p->around);
  tns_node *out = tns_block (arena, loop->loc);
  for (int k = 0; k < cells.n; k++)
    if (!cells.cell[k].lost)
      begin_cell (p, loop->loc, &cells.cell[k], out);
  *inner = loop;
  if (!out->n_kids)
    return loop;
  *inner = keep_node (p, &cells, loop);
  tns_block_add (arena, out, *inner);
  for (int k = 0; k < cells.n; k++)
    if (!cells.cell[k].lost && cells.cell[k].written)
      end_cell (p, loop->loc, &cells.cell[k], out);
  return cells.guard ? tns_if (arena, loop->loc, cells.guard, out, NULL) : out;
}

/* NODE with all its loops done.  */
static tns_node *
promote (promotion *p, tns_node *node)
{
  if (!node)
    return NULL;
  if (node->kind == TNS_LOOP && p->n_around < MOST_DEPTH)
    {
      tns_node *inner = NULL;
      tns_node *made = p->collapsed > 0 ? node : promote_loop (p, node, &inner);
      p->collapsed = node->marks.collapse > 1
                       ? node->marks.collapse - 1
                       : (p->collapsed > 0 ? p->collapsed - 1 : 0);
      tns_node *loop = made == node ? tns_node_copy (p->arena, node) : inner;
      p->around[p->n_around++] = loop;
      loop->body = promote (p, loop->body);
      p->n_around--;
      return made == node ? loop : made;
    }
  tns_node *made = tns_node_copy (p->arena, node);
  made->n_kids = 0;
  made->kid = NULL;
  for (int k = 0; k < node->n_kids; k++)
    tns_block_add (p->arena, made, promote (p, node->kid[k]));
  made->then = promote (p, node->then);
  made->otherwise = promote (p, node->otherwise);
  return made;
}

tns_region *
tns_region_promote (tns_ctx *ctx, tns_region *region)
{
  if (!region || !ctx->machine)
    return region;
  promotion p = { .ctx = ctx, .arena = ctx->arena };
  p.region = tns_region_copy (ctx->arena, region);
  p.region->body = promote (&p, region->body);
  p.region->body = tns_node_share (ctx, p.region, p.region->body);
  p.region->body = tns_node_fma (ctx, p.region->body);
  return p.region;
}
