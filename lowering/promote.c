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
   hold the loop does nothing.  What is stored to the cell right before the
   loop goes to the LOCAL alone, and the cell gets it in any case:

     cell = e;                            local c; c = e;
     if (guard) { c = cell; ...     ->    if (guard) { the loop, with c }
                                          cell = c;

   also where it is stored under a condition:

     if (k == 0) cell = e;                local c; if (k == 0) c = e;
     if (guard) { c = cell; ...     ->    else if (guard) c = cell;
                                          if (guard) { the loop; cell = c; }
                                          else if (k == 0) cell = c;

   Then the loops inside have their turn, then straight lines (share.c) and
   products (fma.c).  */

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

/* Declare CELL's LOCAL, in OUT, and set it where the loop or what SETS it
   needs its value.  */
static void
begin_cell (const promotion *p, tns_loc loc, tns_loop_cell *cell, bool loaded,
            tns_node *out)
{
  const tns_expr *element = cell->splat ? cell->read->arg[0] : cell->read;
  tns_sym *sym = tns_region_add_array (p->arena, p->region, element->sym->name,
                                       cell->read->type.elem, 0, TNS_SYM_LOCAL);
  sym->type = cell->read->type;
  cell->local = sym;
  tns_block_add (p->arena, out, tns_local (p->arena, loc, sym));
  if (loaded)
    tns_block_add (p->arena, out,
                   tns_assign (p->arena, loc, tns_cell (p->arena, sym),
                               TNS_NONE, cell_value (p, cell)));
}

/* EXPR reads an array that the loop of CELLS writes.  */
typedef struct question
{
  const tns_loop_cells *cells;
  bool reads;
} question;

/* Note whether EXPR, a part of a value, is such a read.  */
static bool
note_read (tns_expr *expr, void *self)
{
  question *q = self;
  q->reads |= tns_expr_reads_array (expr) && q->cells->written[expr->sym->id];
  return !q->reads;
}

/* EXPR, which may be NULL, reads an array that the loop of CELLS writes.  */
static bool
reads_written (const tns_loop_cells *cells, tns_expr *expr)
{
  question q = { cells, false };
  tns_expr_walk (expr, note_read, &q);
  return q.reads;
}

/* The cell of CELLS, one that the loop writes, that the assignment STORE sets
   without reading others; NULL when it is not like that.  */
static tns_loop_cell *
stored_cell (const tns_loop_cells *cells, const tns_node *store)
{
  if (store->kind != TNS_ASSIGN || !tns_expr_reads_array (store->target))
    return NULL;
  tns_loop_cell *cell = tns_loop_cell_of (cells, store->target, store->mask);
  return cell && cell->written && !cell->splat
             && !reads_written (cells, store->value)
           ? cell
           : NULL;
}

/* The visitor: whether EXPR reads memory.  */
static bool
note_memory (tns_expr *expr, void *self)
{
  bool *reads = self;
  *reads |= tns_expr_reads (expr);
  return !*reads;
}

/* The LOCAL of STORE's cell is set instead, in OUT; where that is new, it is
   declared in BEFORE.  */
static void
set_local (const promotion *p, const tns_loop_cells *cells, tns_node *store,
           tns_node *before, tns_node *out)
{
  tns_loop_cell *cell = stored_cell (cells, store);
  bool is_new = !cell->local;
  if (is_new)
    begin_cell (p, store->loc, cell, false, before);
  tns_expr *local = tns_cell (p->arena, cell->local);
  if (is_new && store->update != TNS_NONE)
    tns_block_add (
      p->arena, out,
      tns_assign (p->arena, store->loc, local, TNS_NONE, cell_value (p, cell)));
  tns_node *made = tns_node_copy (p->arena, store);
  made->target = local;
  made->mask = NULL;
  tns_block_add (p->arena, out, made);
}

/* The last statements of BEFORE that set cells of CELLS set their LOCALs
   instead.  */
static void
take_stored (const promotion *p, const tns_loop_cells *cells, tns_node *before)
{
  int first = before->n_kids;
  while (first > 0 && stored_cell (cells, before->kid[first - 1]))
    first--;
  int n = before->n_kids - first;
  tns_node **store = TNS_NEW_ARRAY (p->arena, tns_node *, n + 1);
  for (int k = 0; k < n; k++)
    store[k] = before->kid[first + k];
  before->n_kids = first;
  for (int k = 0; k < n; k++)
    set_local (p, cells, store[k], before, before);
}

/* The last statement of BEFORE, when it does nothing but set cells of CELLS
   under a condition, sets their LOCALs instead.  The condition, or NULL.  */
static tns_expr *
take_chosen (const promotion *p, const tns_loop_cells *cells, tns_node *before)
{
  tns_node *last = before->n_kids ? before->kid[before->n_kids - 1] : NULL;
  bool reads = false;
  if (!last || last->kind != TNS_IF || last->otherwise
      || last->then->kind != TNS_BLOCK)
    return NULL;
  tns_expr_walk (last->cond, note_memory, &reads);
  for (int k = 0; k < last->then->n_kids; k++)
    reads = reads || !stored_cell (cells, last->then->kid[k]);
  if (reads)
    return NULL;
  tns_node *set = tns_block (p->arena, last->loc);
  tns_node *loads = tns_block (p->arena, last->loc);
  before->n_kids--;
  for (int k = 0; k < last->then->n_kids; k++)
    set_local (p, cells, last->then->kid[k], before, set);
  for (int k = 0; k < cells->n; k++)
    if (cells->cell[k].local)
      tns_block_add (p->arena, loads,
                     tns_assign (p->arena, last->loc,
                                 tns_cell (p->arena, cells->cell[k].local),
                                 TNS_NONE, cell_value (p, &cells->cell[k])));
  if (cells->guard)
    loads = tns_if (p->arena, last->loc, cells->guard, loads, NULL);
  tns_block_add (p->arena, before,
                 tns_if (p->arena, last->loc, last->cond, set, loads));
  return last->cond;
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

/* What sets cells of CELLS at the end of BEFORE sets their LOCALs; the
   condition under which it does, or NULL for always.  */
static tns_expr *
take_before (const promotion *p, const tns_loop_cells *cells, tns_node *before)
{
  if (reads_written (cells, cells->loop->lo)
      || reads_written (cells, cells->loop->hi)
      || (cells->guard && reads_written (cells, cells->guard)))
    return NULL;
  tns_expr *cond = take_chosen (p, cells, before);
  if (!cond)
    take_stored (p, cells, before);
  return cond;
}

/* Append LOOP to BEFORE, with its cells in LOCALs; the loop in the result.  */
static tns_node *
promote_loop (promotion *p, tns_node *loop, tns_node *before)
{
  tns_arena *arena = p->arena;
  tns_loop_cells cells
    = tns_loop_cells_of (p->ctx, p->region, loop, p->n_around, p->around);
  tns_node *out = tns_block (arena, loop->loc);
  tns_node *after = tns_block (arena, loop->loc);
  tns_expr *cond = take_before (p, &cells, before);
  bool *outside = TNS_NEW_ARRAY (arena, bool, cells.n + 1);
  bool some = false;
  bool forgets = tns_ctx_breaks (p->ctx, "promote");
  for (int k = 0; k < cells.n; k++)
    {
      tns_loop_cell *cell = &cells.cell[k];
      outside[k] = cell->local != NULL;
      some |= !cell->lost;
      if (!cell->lost && !outside[k])
        begin_cell (p, loop->loc, cell, cell->loaded && !forgets, out);
    }
  tns_node *inner
    = some ? keep_node (p, &cells, loop) : tns_node_copy (arena, loop);
  tns_block_add (arena, out, inner);
  for (int k = 0; k < cells.n; k++)
    {
      if (outside[k])
        end_cell (p, loop->loc, &cells.cell[k], after);
      if (!cells.cell[k].lost && cells.cell[k].written && (cond || !outside[k]))
        end_cell (p, loop->loc, &cells.cell[k], out);
    }
  if (cond)
    after = tns_if (arena, loop->loc, cond, after, NULL);
  if (some && cells.guard)
    out = tns_if (arena, loop->loc, cells.guard, out, cond ? after : NULL);
  tns_block_add (arena, before, out);
  for (int k = 0; !cond && k < after->n_kids; k++)
    tns_block_add (arena, before, after->kid[k]);
  return inner;
}

/* Append NODE to OUT with all its loops done.  */
static void
promote (promotion *p, tns_node *node, tns_node *out)
{
  tns_node *made = NULL;
  bool is_loop = node->kind == TNS_LOOP && p->n_around < MOST_DEPTH;
  if (is_loop && p->collapsed == 0)
    made = promote_loop (p, node, out);
  else
    tns_block_add (p->arena, out, made = tns_node_copy (p->arena, node));
  if (is_loop)
    {
      p->collapsed = node->marks.collapse > 1
                       ? node->marks.collapse - 1
                       : (p->collapsed > 0 ? p->collapsed - 1 : 0);
      p->around[p->n_around++] = made;
    }
  int n = made->n_kids;
  tns_node **kid = made->kid;
  made->n_kids = 0;
  made->kid = NULL;
  for (int k = 0; k < n; k++)
    promote (p, kid[k], made);
  tns_node **part[] = { &made->body, &made->then, &made->otherwise };
  for (int k = 0; k < 3; k++)
    if (*part[k])
      {
        tns_node *block = tns_block (p->arena, made->loc);
        promote (p, *part[k], block);
        *part[k] = block->n_kids == 1 ? block->kid[0] : block;
      }
  p->n_around -= is_loop;
}

tns_region *
tns_region_promote (tns_ctx *ctx, tns_region *region)
{
  if (!region || !ctx->machine)
    return region;
  promotion p = { .ctx = ctx, .arena = ctx->arena };
  p.region = tns_region_copy (ctx->arena, region);
  tns_node *body = tns_block (ctx->arena, region->body->loc);
  promote (&p, region->body, body);
  p.region->body = body->kid[0];
  p.region->body = tns_node_share (ctx, p.region, p.region->body);
  p.region->body = tns_node_fma (ctx, p.region->body);
  return p.region;
}
