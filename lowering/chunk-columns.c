/* Sums of columns in chunks, as lowering/chunk-columns.h says.

   The loops of a nest are shared where each iteration has elements of its own,
   and stay inside else:

     for i  for j  for k  s[j] += x[i][j][k]    j is shared, k is not

   The number of chunks of m columns over n rows:

     max (1, min (MOST_CHUNKS, MOST_PARTS / m, n / LEAST_ROWS))  */

#include "lowering/chunk-columns.h"

#include "ir/flat.h"
#include "ir/fresh.h"
#include "ir/walk.h"
#include "lowering/along.h"
#include "lowering/chunks.h"
#include "lowering/grid.h"
#include "schedule/tree.h"

#define MOST_TARGETS 8
#define MOST_CHUNKS  1024
#define MOST_PARTS   65536
#define LEAST_ROWS   64
#define LANES        32

/* What is added to: an element, how, its cell in a chunk, all parts.  */
typedef struct target
{
  tns_expr *element;
  tns_op op;
  tns_sym *cell;
  tns_sym *part;
} target;

/* A nest in the body of LOOP.

   before  cells that are set in front of it, a block
   shared  loops whose iterations have elements of their own; rest: the others
   body    of the innermost of all
   chunk   the iterator over chunks; count of them, most of these over what the
           host is given  */
typedef struct nest
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  const tns_node *loop;
  tns_node *before;
  int n_shared;
  tns_node *shared[TNS_MAX_DEPTH];
  int n_rest;
  tns_node *rest[TNS_MAX_DEPTH];
  tns_node *body;
  int n;
  target target[MOST_TARGETS];
  tns_sym *chunk;
  tns_expr *count;
  tns_expr *most;
  bool suits;
} nest;

/* The number of the target that NODE adds to, -1: of none.  */
static int
find_target (const nest *t, const tns_node *node)
{
  for (int k = 0; k < t->n; k++)
    if (node->update == t->target[k].op
        && tns_expr_equal (node->target, t->target[k].element))
      return k;
  return -1;
}

/* T's loop has SYM among its reductions, with OP.  */
static bool
is_reduced (const nest *t, const tns_sym *sym, tns_op op)
{
  const tns_marks *marks = &t->loop->marks;
  for (int k = 0; k < marks->n_reductions; k++)
    if (marks->reductions[k].sym == sym && marks->reductions[k].op == op)
      return sym->rank > 0;
  return false;
}

/* Add what NODE adds to, no other element of which array is added to.  */
static bool
add_target (nest *t, const tns_node *node)
{
  bool loads = false;
  for (int k = 0; k < node->target->n_args; k++)
    loads |= tns_expr_loads (node->target->arg[k])
             || tns_expr_mentions (node->target->arg[k], t->loop->iter);
  for (int k = 0; k < t->n; k++)
    loads |= t->target[k].element->sym == node->target->sym;
  if (loads || t->n == MOST_TARGETS)
    return false;
  t->target[t->n++] = (target){ .element = node->target, .op = node->update };
  return true;
}

/* The visitor of the innermost body.  */
static bool
note_statement (tns_node *node, void *self)
{
  nest *t = self;
  if (node->kind == TNS_LOOP || (node->kind == TNS_LOCAL && node->sym->rank)
      || node->kind == TNS_PREFETCH)
    t->suits = false;
  if (!t->suits || node->kind != TNS_ASSIGN || find_target (t, node) >= 0)
    return t->suits;
  t->suits = tns_node_sets_cell (node)
               ? tns_node_declares (t->body, node->target->sym)
               : !node->mask && is_reduced (t, node->target->sym, node->update)
                   && add_target (t, node);
  return t->suits;
}

/* How many subscripts of ELEMENT mention ITER; *OWN: there is one, and its
   element is another in each iteration.  */
static int
count_places (nest *t, const tns_expr *element, tns_sym *iter, bool *own)
{
  int n = 0;
  *own = false;
  for (int k = 0; k < element->n_args; k++)
    if (tns_expr_mentions (element->arg[k], iter))
      {
        n++;
        *own = tns_goes_by_one (t->arena, element->arg[k], iter);
      }
  *own &= n == 1;
  return n;
}

/* No subscript of ELEMENT mentions two of T's shared loops.  */
static bool
is_apart (const nest *t, const tns_expr *element)
{
  for (int k = 0; k < element->n_args; k++)
    {
      int n = 0;
      for (int l = 0; l < t->n_shared; l++)
        n += tns_expr_mentions (element->arg[k], t->shared[l]->iter);
      if (n > 1)
        return false;
    }
  return true;
}

/* LOOP is shared, or not, for all of T's targets; false where they differ.  */
static bool
place_loop (nest *t, tns_node *loop)
{
  int n_own = 0;
  int n_fixed = 0;
  for (int k = 0; k < t->n; k++)
    {
      bool own;
      n_fixed += !count_places (t, t->target[k].element, loop->iter, &own);
      n_own += own;
    }
  if (n_own == t->n && loop->step == 1)
    t->shared[t->n_shared++] = loop;
  else if (n_fixed == t->n)
    t->rest[t->n_rest++] = loop;
  else
    return false;
  return true;
}

/* The bounds of T's shared loops are numbers that the host knows, the same for
   all iterations.  */
static bool
is_box (const nest *t)
{
  bool box = t->n_shared > 0;
  for (int k = 0; k < t->n_shared; k++)
    {
      tns_expr *bound[] = { t->shared[k]->lo, t->shared[k]->hi };
      for (int b = 0; b < 2; b++)
        {
          box &= !tns_expr_loads (bound[b])
                 && !tns_expr_mentions (bound[b], t->loop->iter);
          for (int l = 0; l < t->n_shared; l++)
            box &= !tns_expr_mentions (bound[b], t->shared[l]->iter);
          for (int l = 0; l < t->n_rest; l++)
            box &= !tns_expr_mentions (bound[b], t->rest[l]->iter);
        }
    }
  return box;
}

/* T is the nest of KID, a loop in the body.  */
static bool
find_nest (nest *t, tns_node *kid)
{
  tns_node *loop[TNS_MAX_DEPTH];
  int n = 0;
  tns_node *node = kid;
  for (; node->kind == TNS_LOOP; node = tns_node_bare (node->body))
    {
      if (n == TNS_MAX_DEPTH)
        return false;
      loop[n++] = node;
    }
  t->n = t->n_shared = t->n_rest = 0;
  t->body = node;
  t->suits = true;
  tns_node_walk (node, note_statement, t);
  for (int k = 0; k < n && t->suits && t->n > 0; k++)
    t->suits = place_loop (t, loop[k]);
  for (int k = 0; k < t->n; k++)
    t->suits &= is_apart (t, t->target[k].element);
  return t->suits && t->n > 0 && is_box (t);
}

/* How many chunks T has; false where the host does not know how many columns
   there are.  */
static bool
count_chunks (nest *t)
{
  tns_expr *columns = tns_int (t->arena, 1);
  for (int k = 0; k < t->n_shared; k++)
    columns = tns_binary (t->arena, TNS_MUL, columns,
                          tns_grid_trip (t->arena, t->shared[k]));
  tns_expr *rows = tns_grid_trip (t->arena, t->loop);
  if (!tns_is_over_values (columns) || tns_expr_loads (rows))
    return false;
  columns = tns_binary (t->arena, TNS_MAX, columns, tns_int (t->arena, 1));
  t->most = tns_binary (
    t->arena, TNS_MIN, tns_int (t->arena, MOST_CHUNKS),
    tns_ceil_div (t->arena, tns_int (t->arena, MOST_PARTS), columns));
  t->count = tns_binary (
    t->arena, TNS_MAX, tns_int (t->arena, 1),
    tns_binary (t->arena, TNS_MIN, t->most,
                tns_ceil_div (t->arena, rows, tns_int (t->arena, LEAST_ROWS))));
  if (tns_is_over_values (t->count))
    t->most = t->count;
  return true;
}

/* Make the cells and parts of T's targets, the latter in BLOCK.  */
static void
make_parts (nest *t, tns_node *block)
{
  for (int k = 0; k < t->n; k++)
    {
      const tns_sym *sym = t->target[k].element->sym;
      tns_elem elem = sym->type.elem;
      tns_sym *part = tns_region_add_array (
        t->arena, t->region, sym->name, elem, t->n_shared + 1, TNS_SYM_LOCAL);
      part->extent[0] = t->most;
      for (int l = 0; l < t->n_shared; l++)
        part->extent[l + 1] = tns_grid_trip (t->arena, t->shared[l]);
      t->target[k].part = part;
      tns_block_add (t->arena, block, tns_local (t->arena, block->loc, part));
    }
}

/* The part of target K at the iterators.  */
static tns_expr *
part_of (nest *t, int k)
{
  tns_expr *at[TNS_MAX_DEPTH + 1] = { tns_value (t->arena, t->chunk) };
  for (int l = 0; l < t->n_shared; l++)
    at[l + 1]
      = tns_binary (t->arena, TNS_SUB, tns_value (t->arena, t->shared[l]->iter),
                    t->shared[l]->lo);
  return tns_load (t->arena, t->target[k].part, at);
}

/* Fresh cells for T's targets begin in BLOCK, with what changes nothing.  */
static void
begin_cells (nest *t, tns_node *block)
{
  for (int k = 0; k < t->n; k++)
    {
      target *g = &t->target[k];
      const tns_sym *sym = g->element->sym;
      tns_expr *start = tns_neutral (t->arena, g->op, sym->type.elem);
      g->cell = tns_region_add_array (t->arena, t->region, sym->name,
                                      sym->type.elem, 0, TNS_SYM_LOCAL);
      tns_block_add (t->arena, block,
                     tns_local (t->arena, block->loc, g->cell));
      tns_block_add (t->arena, block,
                     tns_assign (t->arena, block->loc,
                                 tns_cell (t->arena, g->cell), TNS_NONE,
                                 start ? start : g->element));
    }
}

/* NODE on a cell, where it adds to a target.  */
static tns_node *
use_cell (tns_node *node, void *self)
{
  nest *t = self;
  int k = node->kind == TNS_ASSIGN ? find_target (t, node) : -1;
  if (k < 0)
    return node;
  tns_node *made = tns_node_copy (t->arena, node);
  made->target = tns_cell (t->arena, t->target[k].cell);
  return made;
}

/* LOOP, over what is added to T's cells, has lanes.  */
static void
mark_sums (nest *t, tns_node *loop)
{
  loop->marks = (tns_marks){ .simd = LANES };
  for (int k = 0; k < t->n; k++)
    tns_marks_add_reduction (t->arena, &loop->marks, t->target[k].cell,
                             t->target[k].op);
}

/* What one chunk adds to T's cells.  */
static tns_node *
sums_of_chunk (nest *t)
{
  tns_node *made
    = tns_chunk_of (t->ctx, t->loop, tns_value (t->arena, t->chunk), t->count);
  tns_node *inner = tns_node_rebuild (t->arena, t->body, use_cell, NULL, t);
  for (int k = t->n_rest - 1; k >= 0; k--)
    {
      tns_node *loop = tns_node_copy (t->arena, t->rest[k]);
      loop->marks = (tns_marks){ .simd = 0 };
      loop->body = tns_block (t->arena, loop->loc);
      tns_block_add (t->arena, loop->body, inner);
      inner = loop;
    }
  tns_node *body = tns_block (t->arena, made->loc);
  for (int k = 0; k < t->before->n_kids; k++)
    tns_block_add (t->arena, body, t->before->kid[k]);
  tns_block_add (t->arena, body, inner);
  made->body = tns_node_fresh (t->ctx, t->region, body);
  mark_sums (t, made);
  return made;
}

/* BODY in T's shared loops, and in one over chunks where CHUNKED, as one
   space.  */
static tns_node *
share (nest *t, tns_node *body, bool chunked)
{
  tns_loc loc = body->loc;
  tns_node *made = body;
  for (int k = t->n_shared - 1; k >= 0; k--)
    made = tns_loop (t->arena, loc, t->shared[k]->iter, t->shared[k]->lo,
                     t->shared[k]->hi, 1, made);
  if (chunked)
    made = tns_loop (t->arena, loc, t->chunk, tns_int (t->arena, 0), t->count,
                     1, made);
  made->marks.parallel = true;
  made->marks.collapse = t->n_shared + chunked > 1 ? t->n_shared + chunked : 0;
  return made;
}

/* The chunks' sums.  */
static tns_node *
add_up (nest *t)
{
  tns_node *body = tns_block (t->arena, t->loop->loc);
  begin_cells (t, body);
  tns_block_add (t->arena, body, sums_of_chunk (t));
  for (int k = 0; k < t->n; k++)
    tns_block_add (t->arena, body,
                   tns_assign (t->arena, body->loc, part_of (t, k), TNS_NONE,
                               tns_cell (t->arena, t->target[k].cell)));
  return share (t, body, true);
}

/* All chunks' sums go to their elements.  */
static tns_node *
take_in (nest *t)
{
  tns_loc loc = t->loop->loc;
  tns_node *body = tns_block (t->arena, loc);
  tns_node *each = tns_block (t->arena, loc);
  begin_cells (t, body);
  for (int k = 0; k < t->n; k++)
    tns_block_add (t->arena, each,
                   tns_assign (t->arena, loc,
                               tns_cell (t->arena, t->target[k].cell),
                               t->target[k].op, part_of (t, k)));
  tns_node *chunks = tns_loop (t->arena, loc, t->chunk, tns_int (t->arena, 0),
                               t->count, 1, each);
  mark_sums (t, chunks);
  tns_block_add (t->arena, body, chunks);
  for (int k = 0; k < t->n; k++)
    tns_block_add (t->arena, body,
                   tns_assign (t->arena, loc, t->target[k].element,
                               t->target[k].op,
                               tns_cell (t->arena, t->target[k].cell)));
  return share (t, body, false);
}

/* KID, one of the body's statements, appended to MADE as it is done in chunks;
   false where that cannot be.  */
static bool
take_kid (nest *t, tns_node *kid, tns_node *made)
{
  if (kid->kind == TNS_BLOCK)
    {
      bool suits = true;
      for (int k = 0; suits && k < kid->n_kids; k++)
        suits = take_kid (t, kid->kid[k], made);
      return suits;
    }
  if ((kid->kind == TNS_LOCAL && kid->sym->rank == 0)
      || (tns_node_sets_cell (kid)
          && tns_node_declares (t->loop->body, kid->target->sym)))
    {
      tns_block_add (t->arena, t->before, kid);
      return true;
    }
  if (kid->kind != TNS_LOOP || !find_nest (t, kid) || !count_chunks (t))
    return false;
  make_parts (t, made);
  tns_block_add (t->arena, made, add_up (t));
  tns_block_add (t->arena, made, take_in (t));
  return true;
}

tns_node *
tns_chunk_columns (tns_ctx *ctx, tns_region *region, const tns_node *loop)
{
  nest t = { .ctx = ctx, .arena = ctx->arena, .region = region, .loop = loop };
  tns_node *made = tns_block (ctx->arena, loop->loc);
  t.before = tns_block (ctx->arena, loop->loc);
  t.chunk = tns_region_add_iter (ctx->arena, region, "chunk");
  t.chunk->spelled
    = loop->iter->spelled ? loop->iter->spelled : loop->iter->name;
  return loop->step > 0 && take_kid (&t, loop->body, made) ? made : NULL;
}
