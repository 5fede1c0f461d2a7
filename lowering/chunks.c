/* Parallel reductions in chunks, as lowering/chunks.h says.

   Sums start at 0, products at 1, minima and maxima at the cell's own value
   (taking it twice changes nothing).  */

#include "lowering/chunks.h"

#include "ir/walk.h"

#define MIN_CHUNK 4096

/* One pass: the region that gains symbols.  */
typedef struct chunker
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
} chunker;

/* What a LOAD of one symbol becomes.  */
typedef struct replacement
{
  tns_arena *arena;
  const tns_sym *from;
  tns_sym *to;
} replacement;

/* A LOAD of FROM becomes one of TO.  */
static tns_expr *
replace_load (tns_expr *expr, void *self)
{
  const replacement *r = self;
  return expr->op == TNS_LOAD && expr->sym == r->from
           ? tns_cell (r->arena, r->to)
           : expr;
}

/* The same in a whole expression.  */
static tns_expr *
replace_loads (tns_expr *expr, void *self)
{
  const replacement *r = self;
  return tns_expr_rebuild (r->arena, expr, replace_load, self);
}

/* A loop's reductions of FROM become TO's.  */
static tns_node *
replace_marks (tns_node *node, void *self)
{
  const replacement *r = self;
  if (node->kind != TNS_LOOP || node->marks.n_reductions == 0)
    return node;
  tns_node *copy = tns_node_copy (r->arena, node);
  int n = node->marks.n_reductions;
  copy->marks.reductions = TNS_NEW_ARRAY (r->arena, tns_reduction, n);
  for (int k = 0; k < n; k++)
    {
      copy->marks.reductions[k] = node->marks.reductions[k];
      if (copy->marks.reductions[k].sym == r->from)
        copy->marks.reductions[k].sym = r->to;
    }
  return copy;
}

/* What the partial result of R starts with.  */
static tns_expr *
neutral (chunker *c, const tns_reduction *r)
{
  tns_elem elem = r->sym->type.elem;
  long start = r->op == TNS_MUL || r->op == TNS_LAND ? 1 : 0;
  if (r->op == TNS_AND)
    start = -1;
  if (r->op != TNS_ADD && r->op != TNS_MUL && r->op != TNS_AND
      && r->op != TNS_OR && r->op != TNS_XOR && r->op != TNS_LAND
      && r->op != TNS_LOR)
    return tns_cell (c->arena, r->sym);
  if (tns_elem_is_float (elem))
    return tns_real (c->arena, elem, start);
  return tns_int_of (c->arena, elem, start);
}

/* Whether all reductions of LOOP are of cells.  */
static bool
only_cells (const tns_node *loop)
{
  for (int k = 0; k < loop->marks.n_reductions; k++)
    if (loop->marks.reductions[k].sym->rank > 0)
      return false;
  return true;
}

/* LOOP without threads.  */
static tns_node *
serial (chunker *c, const tns_node *loop)
{
  tns_node *copy = tns_node_copy (c->arena, loop);
  copy->marks.parallel = false;
  copy->marks.chunks = 0;
  return copy;
}

/* A op B, I64.  */
static tns_expr *
op2 (chunker *c, tns_op op, tns_expr *a, tns_expr *b)
{
  return tns_binary (c->arena, op, a, b);
}

/* ceil (A / B), B > 0.  */
static tns_expr *
ceil_div (chunker *c, tns_expr *a, tns_expr *b)
{
  tns_expr *one = tns_int (c->arena, 1);
  tns_expr *up = op2 (c, TNS_SUB, op2 (c, TNS_ADD, a, b), one);
  return op2 (c, TNS_FLOORDIV, up, b);
}

/* The number of iterations of LOOP, whose step is positive.  */
static tns_expr *
trip_of (chunker *c, const tns_node *loop)
{
  tns_expr *length = op2 (c, TNS_SUB, loop->hi, loop->lo);
  length = op2 (c, TNS_MAX, length, tns_int (c->arena, 0));
  return ceil_div (c, length, tns_int (c->arena, loop->step));
}

/* The loop over chunk CH of LOOP with Q iterations in each.  */
static tns_node *
loop_of_chunk (chunker *c, const tns_node *loop, tns_sym *ch, tns_expr *q)
{
  tns_node *inner = serial (c, loop);
  tns_expr *length = op2 (c, TNS_MUL, q, tns_int (c->arena, loop->step));
  tns_expr *first = op2 (c, TNS_MUL, tns_value (c->arena, ch), length);
  inner->lo = op2 (c, TNS_ADD, loop->lo, first);
  inner->hi = op2 (c, TNS_MIN, loop->hi, op2 (c, TNS_ADD, inner->lo, length));
  return inner;
}

/* Give reduction R, of the chunk loop CH with BODY, a partial result in
   PART; the combination goes to AFTER.  Returns the loop inside BODY that
   uses it.  */
static tns_node *
add_partial (chunker *c, const tns_reduction *r, tns_node *inner, tns_sym *ch,
             tns_node *blocks[3])
{
  tns_loc loc = inner->loc;
  tns_elem elem = r->sym->type.elem;
  tns_sym *part = tns_region_add_array (c->arena, c->region, r->sym->name, elem,
                                        1, TNS_SYM_LOCAL);
  tns_sym *acc = tns_region_add_array (c->arena, c->region, r->sym->name, elem,
                                       0, TNS_SYM_LOCAL);
  tns_expr *at = tns_value (c->arena, ch);
  tns_expr *cell = tns_cell (c->arena, acc);
  part->extent[0] = tns_int (c->arena, inner->marks.chunks);
  tns_block_add (c->arena, blocks[0], tns_local (c->arena, loc, part));
  tns_block_add (c->arena, blocks[1], tns_local (c->arena, loc, acc));
  tns_block_add (c->arena, blocks[1],
                 tns_assign (c->arena, loc, cell, TNS_NONE, neutral (c, r)));
  replacement change = { c->arena, r->sym, acc };
  tns_node *changed
    = tns_node_rebuild (c->arena, inner, replace_marks, replace_loads, &change);
  tns_expr *slot = tns_load (c->arena, part, &at);
  tns_block_add (
    c->arena, blocks[2],
    tns_assign (c->arena, loc, tns_cell (c->arena, r->sym), r->op, slot));
  return changed;
}

/* After the chunk's loop its partial results go to their places: the store
   for the N-th reduction mirrors the combination in COMBINE.  */
static void
store_partials (chunker *c, tns_node *body, tns_node *combine, int n)
{
  int first = body->n_kids - 1 - 2 * n;
  for (int k = 0; k < n; k++)
    {
      tns_sym *acc = body->kid[first + 2 * k]->sym;
      tns_block_add (c->arena, body,
                     tns_assign (c->arena, body->loc, combine->kid[k]->value,
                                 TNS_NONE, tns_cell (c->arena, acc)));
    }
}

/* LOOP, marked parallel with reductions of cells, in chunks.  */
static tns_node *
chunked (chunker *c, const tns_node *loop)
{
  tns_loc loc = loop->loc;
  tns_expr *most = tns_int (c->arena, loop->marks.chunks);
  tns_expr *trip = trip_of (c, loop);
  tns_expr *count = op2 (c, TNS_FLOORDIV, trip, tns_int (c->arena, MIN_CHUNK));
  count
    = op2 (c, TNS_MAX, op2 (c, TNS_MIN, count, most), tns_int (c->arena, 1));
  tns_sym *ch = tns_region_add_iter (c->arena, c->region, "chunk");
  tns_node *outer = tns_block (c->arena, loc);
  tns_node *body = tns_block (c->arena, loc);
  tns_node *combine = tns_block (c->arena, loc);
  tns_node *blocks[] = { outer, body, combine };
  tns_node *inner = loop_of_chunk (c, loop, ch, ceil_div (c, trip, count));
  inner->marks.chunks = loop->marks.chunks;
  for (int k = 0; k < loop->marks.n_reductions; k++)
    inner = add_partial (c, &loop->marks.reductions[k], inner, ch, blocks);
  inner->marks.chunks = 0;
  tns_block_add (c->arena, body, inner);
  store_partials (c, body, combine, loop->marks.n_reductions);
  tns_node *threads
    = tns_loop (c->arena, loc, ch, tns_int (c->arena, 0), count, 1, body);
  threads->marks.parallel = true;
  tns_block_add (c->arena, outer, threads);
  tns_block_add (
    c->arena, outer,
    tns_loop (c->arena, loc, ch, tns_int (c->arena, 0), count, 1, combine));
  return outer;
}

/* The changer of nodes.  */
static tns_node *
change (tns_node *node, void *self)
{
  chunker *c = self;
  if (node->kind != TNS_LOOP || !node->marks.parallel
      || node->marks.n_reductions == 0)
    return node;
  if (node->step < 0 || node->marks.chunks < 2 || !only_cells (node))
    return serial (c, node);
  return chunked (c, node);
}

tns_region *
tns_region_chunks (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  chunker c = { ctx, ctx->arena, tns_region_copy (ctx->arena, region) };
  c.region->body
    = tns_node_rebuild (ctx->arena, region->body, change, NULL, &c);
  return c.region;
}
