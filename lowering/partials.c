/* Partial results, as lowering/partials.h says.

   Sums start at 0, products at 1, minima and maxima at the accumulator's own
   value (taking it twice changes nothing).  What is 0 in a box that was found
   is not added: nobody may have asked for it.  */

#include "lowering/partials.h"

#include "ir/walk.h"
#include "lowering/found.h"
#include "schedule/machine.h"

#define LINE_BYTES   64
#define STREAM_BYTES 32

/* EXTENT elements of ELEM, up to a whole number of cache lines.  */
static tns_expr *
padded (const tns_partials *p, tns_expr *extent, tns_elem elem)
{
  tns_arena *arena = p->ctx->arena;
  long most = LINE_BYTES / tns_elem_bytes (elem);
  tns_expr *lines = tns_binary (
    arena, TNS_FLOORDIV,
    tns_binary (arena, TNS_ADD, extent, tns_int (arena, most - 1)),
    tns_int (arena, most));
  return tns_binary (arena, TNS_MUL, lines, tns_int (arena, most));
}

/* The partial results of R, an array.  */
static void
make_array (tns_partials *p, tns_partial *partial, const tns_reduction *r)
{
  tns_arena *arena = p->ctx->arena;
  int rank = r->sym->rank;
  partial->part = tns_region_add_array (
    arena, p->region, r->sym->name, r->sym->type.elem, rank + 1, TNS_SYM_LOCAL);
  partial->iter = TNS_NEW_ARRAY (arena, tns_sym *, rank);
  for (int k = 0; k < rank; k++)
    {
      partial->iter[k] = tns_region_add_iter (arena, p->region, "element");
      partial->part->extent[k + 1] = r->extent[k];
    }
  if (r->found)
    partial->part->extent[1] = tns_int (arena, tns_found_rows (r));
  partial->part->extent[rank]
    = padded (p, partial->part->extent[rank], r->sym->type.elem);
}

/* The partial results of R, a cell.  */
static void
make_cell (tns_partials *p, tns_partial *partial, const tns_reduction *r)
{
  tns_arena *arena = p->ctx->arena;
  tns_elem elem = r->sym->type.elem;
  partial->part = tns_region_add_array (arena, p->region, r->sym->name, elem, 1,
                                        TNS_SYM_LOCAL);
  partial->cell = tns_region_add_array (arena, p->region, r->sym->name, elem, 0,
                                        TNS_SYM_LOCAL);
}

tns_partials
tns_partials_new (tns_ctx *ctx, tns_region *region, const tns_node *loop,
                  tns_sym *chunk)
{
  int n = loop->marks.n_reductions;
  tns_partials p = { ctx, region, chunk, n, NULL };
  p.partial = TNS_NEW_ARRAY (ctx->arena, tns_partial, n);
  for (int k = 0; k < n; k++)
    {
      const tns_reduction *r = &loop->marks.reductions[k];
      p.partial[k].reduction = r;
      if (r->sym->rank > 0)
        make_array (&p, &p.partial[k], r);
      else
        make_cell (&p, &p.partial[k], r);
    }
  return p;
}

tns_expr *
tns_partials_hold (tns_partials *p, long bytes, long most)
{
  tns_arena *arena = p->ctx->arena;
  tns_expr *room = NULL;
  long each = 0;
  for (int k = 0; k < p->n; k++)
    {
      const tns_sym *sym = p->partial[k].reduction->sym;
      if (sym->rank > 1)
        return NULL;
      each += sym->rank ? tns_elem_bytes (sym->type.elem) : 0;
    }
  for (int k = 0; k < p->n; k++)
    {
      tns_partial *partial = &p->partial[k];
      const tns_sym *sym = partial->reduction->sym;
      if (sym->rank == 0)
        continue;
      partial->held = tns_region_add_array (arena, p->region, sym->name,
                                            sym->type.elem, 1, TNS_SYM_LOCAL);
      partial->held->extent[0]
        = tns_int (arena, bytes / each < most ? bytes / each : most);
      tns_expr *has = tns_binary (arena, TNS_LE, partial->reduction->extent[0],
                                  partial->held->extent[0]);
      room = room ? tns_binary (arena, TNS_LAND, room, has) : has;
    }
  return room;
}

void
tns_partials_declare (const tns_partials *p, tns_expr *count, tns_node *block)
{
  tns_arena *arena = p->ctx->arena;
  for (int k = 0; k < p->n; k++)
    {
      p->partial[k].part->extent[0] = count;
      tns_block_add (arena, block,
                     tns_local (arena, block->loc, p->partial[k].part));
    }
}

/* The element of PARTIAL that stands for the accumulator's at AT, less its
   offset when SHIFTED; HELD: where it is added to.  */
static tns_expr *
element (const tns_partials *p, const tns_partial *partial, tns_expr *const *at,
         bool shifted, bool held)
{
  tns_arena *arena = p->ctx->arena;
  const tns_reduction *r = partial->reduction;
  int rank = r->sym->rank;
  tns_expr **arg = TNS_NEW_ARRAY (arena, tns_expr *, rank + 1);
  arg[0] = tns_value (arena, p->chunk);
  for (int k = 0; k < rank; k++)
    arg[k + 1]
      = shifted ? tns_binary (arena, TNS_SUB, at[k], r->offset[k]) : at[k];
  return held && partial->held ? tns_load (arena, partial->held, arg + 1)
                               : tns_load (arena, partial->part, arg);
}

/* Whose elements.

   TOTAL  the accumulator's
   PART   the partial result's
   HELD   likewise, where it is added to  */
typedef enum whose
{
  TOTAL,
  PART,
  HELD
} whose;

/* PARTIAL's element at the iterators over the box.  */
static tns_expr *
element_at_iters (const tns_partials *p, const tns_partial *partial, whose of)
{
  tns_arena *arena = p->ctx->arena;
  const tns_reduction *r = partial->reduction;
  int rank = r->sym->rank;
  tns_expr **at = TNS_NEW_ARRAY (arena, tns_expr *, rank + 1);
  for (int k = 0; k < rank; k++)
    {
      at[k] = tns_value (arena, partial->iter[k]);
      if (of == TOTAL)
        at[k] = tns_binary (arena, TNS_ADD, at[k], r->offset[k]);
    }
  return of == TOTAL ? tns_load (arena, r->sym, at)
                     : element (p, partial, at, false, of == HELD);
}

/* STATEMENT for each element of PARTIAL's box; itself for a cell.  */
static tns_node *
for_each (const tns_partials *p, const tns_partial *partial,
          tns_node *statement)
{
  tns_arena *arena = p->ctx->arena;
  const tns_reduction *r = partial->reduction;
  int bytes = p->ctx->machine ? p->ctx->machine->vector_bytes : 0;
  int lanes = (bytes < STREAM_BYTES ? bytes : STREAM_BYTES)
              / tns_elem_bytes (r->sym->type.elem);
  tns_node *inner = statement;
  for (int k = r->sym->rank - 1; k >= 0; k--)
    {
      tns_node *body = tns_block (arena, statement->loc);
      tns_block_add (arena, body, inner);
      inner = tns_loop (arena, statement->loc, partial->iter[k],
                        tns_int (arena, 0), r->extent[k], 1, body);
      if (k == r->sym->rank - 1 && lanes >= 2)
        inner->marks.simd = lanes;
    }
  return inner;
}

/* What changes nothing under PARTIAL's operator.  */
static tns_expr *
neutral (const tns_partials *p, const tns_partial *partial)
{
  const tns_reduction *r = partial->reduction;
  tns_expr *start = tns_neutral (p->ctx->arena, r->op, r->sym->type.elem);
  return start ? start : element_at_iters (p, partial, TOTAL);
}

void
tns_partials_begin (const tns_partials *p, tns_node *block)
{
  tns_arena *arena = p->ctx->arena;
  for (int k = 0; k < p->n; k++)
    {
      const tns_partial *partial = &p->partial[k];
      tns_sym *own = partial->cell ? partial->cell : partial->held;
      if (own)
        tns_block_add (arena, block, tns_local (arena, block->loc, own));
      tns_expr *target = partial->cell ? tns_cell (arena, partial->cell)
                                       : element_at_iters (p, partial, HELD);
      tns_node *start = tns_assign (arena, block->loc, target, TNS_NONE,
                                    neutral (p, partial));
      tns_block_add (arena, block, for_each (p, partial, start));
    }
}

/* The partial result of SYM, or NULL.  */
static const tns_partial *
partial_of (const tns_partials *p, const tns_sym *sym)
{
  for (int k = 0; k < p->n; k++)
    if (p->partial[k].reduction->sym == sym)
      return &p->partial[k];
  return NULL;
}

/* A LOAD of an accumulator -> of its partial result.  */
static tns_expr *
rename_load (tns_expr *expr, void *self)
{
  const tns_partials *p = self;
  const tns_partial *partial
    = expr->op == TNS_LOAD ? partial_of (p, expr->sym) : NULL;
  if (!partial)
    return expr;
  return partial->cell ? tns_cell (p->ctx->arena, partial->cell)
                       : element (p, partial, expr->arg, true, true);
}

/* The same in a whole expression.  */
static tns_expr *
rename_loads (tns_expr *expr, void *self)
{
  const tns_partials *p = self;
  return tns_expr_rebuild (p->ctx->arena, expr, rename_load, self);
}

/* A loop's reductions of accumulators become their partial results'.  */
static tns_node *
rename_marks (tns_node *node, void *self)
{
  const tns_partials *p = self;
  if (node->kind != TNS_LOOP || node->marks.n_reductions == 0)
    return node;
  tns_node *copy = tns_node_copy (p->ctx->arena, node);
  for (int k = 0; k < copy->marks.n_reductions; k++)
    {
      tns_reduction *r = &copy->marks.reductions[k];
      const tns_partial *partial = partial_of (p, r->sym);
      if (partial)
        *r = (tns_reduction){ .sym = partial->cell   ? partial->cell
                                     : partial->held ? partial->held
                                                     : partial->part,
                              .op = r->op };
    }
  return copy;
}

tns_node *
tns_partials_rename (const tns_partials *p, tns_node *node)
{
  return tns_node_rebuild (p->ctx->arena, node, rename_marks, rename_loads,
                           (void *) p);
}

/* The place of the cell PARTIAL for the chunk.  */
static tns_expr *
place_of_cell (const tns_partials *p, const tns_partial *partial)
{
  tns_arena *arena = p->ctx->arena;
  tns_expr *at = tns_value (arena, p->chunk);
  return tns_load (arena, partial->part, &at);
}

void
tns_partials_end (const tns_partials *p, tns_node *block)
{
  tns_arena *arena = p->ctx->arena;
  for (int k = 0; k < p->n; k++)
    {
      const tns_partial *partial = &p->partial[k];
      if (partial->cell)
        tns_block_add (arena, block,
                       tns_assign (arena, block->loc,
                                   place_of_cell (p, partial), TNS_NONE,
                                   tns_cell (arena, partial->cell)));
      if (partial->held)
        tns_block_add (
          arena, block,
          for_each (p, partial,
                    tns_assign (arena, block->loc,
                                element_at_iters (p, partial, PART), TNS_NONE,
                                element_at_iters (p, partial, HELD))));
    }
}

/* TAKE, where PARTIAL's element may have been touched: one of a box that was
   found, if it is not 0.  */
static tns_node *
where_touched (const tns_partials *p, const tns_partial *partial,
               tns_node *take)
{
  tns_arena *arena = p->ctx->arena;
  if (!partial->reduction->found)
    return take;
  tns_node *then = tns_block (arena, take->loc);
  tns_block_add (arena, then, take);
  return tns_if (arena, take->loc,
                 tns_binary (arena, TNS_NE, take->value, neutral (p, partial)),
                 then, NULL);
}

void
tns_partials_combine (const tns_partials *p, tns_node *block)
{
  tns_arena *arena = p->ctx->arena;
  for (int k = 0; k < p->n; k++)
    {
      const tns_partial *partial = &p->partial[k];
      tns_expr *from = partial->cell ? place_of_cell (p, partial)
                                     : element_at_iters (p, partial, PART);
      tns_node *take
        = tns_assign (arena, block->loc, element_at_iters (p, partial, TOTAL),
                      partial->reduction->op, from);
      tns_block_add (arena, block,
                     for_each (p, partial, where_touched (p, partial, take)));
    }
}

tns_expr *
tns_partials_bytes (const tns_partials *p)
{
  tns_arena *arena = p->ctx->arena;
  tns_expr *total = tns_int (arena, 0);
  for (int k = 0; k < p->n; k++)
    {
      const tns_sym *part = p->partial[k].part;
      tns_expr *bytes = tns_int (arena, tns_elem_bytes (part->type.elem));
      for (int d = 1; d < part->rank; d++)
        bytes = tns_binary (
          arena, TNS_MUL, bytes,
          tns_binary (arena, TNS_MAX, part->extent[d], tns_int (arena, 0)));
      if (part->rank > 1)
        total = tns_binary (arena, TNS_ADD, total, bytes);
    }
  return total;
}
