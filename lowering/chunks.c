/* Parallel reductions in chunks, as lowering/chunks.h says.

   The iterations of a chunk in a loop with lanes are a multiple of LINE: of
   elements of a byte, that is one line.

   The number of chunks K of a loop with work W (lowering/versions.h):

     cells    min (chunks, W / CELL_WORK); below 2 the loop stays whole
     arrays   min (chunks, trip, MOST_BYTES / bytes of a part,
                   W / (RATIO * work of starting and combining a part)),
              even, so that two threads get the same  */

#include "lowering/chunks.h"

#include "ir/flat.h"
#include "ir/fresh.h"
#include "ir/walk.h"
#include "lowering/apart.h"
#include "lowering/chunk-columns.h"
#include "lowering/found.h"
#include "lowering/grid.h"
#include "lowering/owners.h"
#include "lowering/partials.h"
#include "lowering/versions.h"
#include "schedule/machine.h"

#define CELL_WORK  2048
#define RATIO      32
#define LINE       64
#define MOST_BYTES (4 << 20)

/* On a device: iterations of a chunk, at least, and where each has loops of its
   own or updates arrays; bytes of all parts, of what a block holds, elements of
   one array, threads of a block.  */
#define DEVICE_CELLS 2048
#define DEVICE_ROWS  8
#define DEVICE_BYTES (64 << 20)
#define HELD_BYTES   (16 << 10)
#define MOST_HELD    2048
#define BLOCK        32

/* One pass: the region that gains symbols, the loops that threads share.  */
typedef struct chunker
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  tns_made_list *shared;
} chunker;

/* LOOP without threads.  */
static tns_node *
serial (chunker *c, const tns_node *loop)
{
  tns_node *copy = tns_node_copy (c->arena, loop);
  copy->marks.parallel = false;
  copy->marks.balanced = false;
  copy->marks.collapse = 0;
  copy->marks.chunks = 0;
  copy->marks.owners = 0;
  if (!copy->marks.simd)
    copy->marks.n_reductions = 0;
  return copy;
}

/* The number of iterations of LOOP, whose step is positive.  */
static tns_expr *
trip_of (chunker *c, const tns_node *loop)
{
  tns_expr *length = tns_binary (c->arena, TNS_SUB, loop->hi, loop->lo);
  length = tns_binary (c->arena, TNS_MAX, length, tns_int (c->arena, 0));
  return tns_ceil_div (c->arena, length, tns_int (c->arena, loop->step));
}

tns_node *
tns_chunk_of (tns_ctx *ctx, const tns_node *loop, tns_expr *chunk,
              tns_expr *count)
{
  chunker maker = { .ctx = ctx, .arena = ctx->arena };
  chunker *c = &maker;
  tns_node *inner = serial (c, loop);
  tns_expr *each = tns_ceil_div (c->arena, trip_of (c, loop), count);
  if (loop->marks.simd)
    each = tns_binary (c->arena, TNS_MUL,
                       tns_ceil_div (c->arena, each, tns_int (c->arena, LINE)),
                       tns_int (c->arena, LINE));
  tns_expr *length
    = tns_binary (c->arena, TNS_MUL, each, tns_int (c->arena, loop->step));
  tns_expr *first = tns_binary (c->arena, TNS_MUL, chunk, length);
  inner->lo = tns_binary (c->arena, TNS_ADD, loop->lo, first);
  inner->hi = tns_binary (c->arena, TNS_ADD, inner->lo, length);
  if (!tns_ctx_breaks (c->ctx, "chunks"))
    inner->hi = tns_binary (c->arena, TNS_MIN, loop->hi, inner->hi);
  return inner;
}

/* for ch = 0 to COUNT BODY  */
static tns_node *
over_chunks (chunker *c, tns_sym *ch, tns_expr *count, tns_node *body)
{
  return tns_loop (c->arena, body->loc, ch, tns_int (c->arena, 0), count, 1,
                   body);
}

/* The region is planned for a device.  */
static bool
is_device (const chunker *c)
{
  return c->ctx->machine && c->ctx->machine->device;
}

/* The assignment that NODE is, or that is in its loops.  */
static const tns_node *
assignment_in (const tns_node *node)
{
  while (node->kind != TNS_ASSIGN)
    node = node->kind == TNS_LOOP ? node->body : node->kid[0];
  return node;
}

/* TAKE, which takes in one chunk's partial result, for all CHUNKS, a loop that
   threads share, for each element.  */
static tns_node *
take_all (chunker *c, const tns_node *take, const tns_node *chunks)
{
  tns_node *made = tns_node_copy (c->arena, take);
  if (take->kind == TNS_LOOP)
    {
      made->marks.simd = 0;
      made->marks.collapse = 0;
      made->body = take_all (c, take->body, chunks);
      return made;
    }
  if (take->kind == TNS_BLOCK && take->n_kids == 1)
    return take_all (c, take->kid[0], chunks);
  const tns_node *sum = assignment_in (take);
  tns_node *loop = tns_node_copy (c->arena, chunks);
  loop->body = tns_block (c->arena, take->loc);
  loop->marks.simd = BLOCK;
  tns_marks_add_reduction (c->arena, &loop->marks, sum->target->sym,
                           sum->update);
  tns_block_add (c->arena, loop->body, made);
  return loop;
}

/* Whether something of SYM is touched, over what the host knows; NULL: it is
   there in any case.  What nothing is added to need not be there.  */
static tns_expr *
is_touched (chunker *c, const tns_sym *sym)
{
  for (int k = 0; !tns_sym_is_local (sym) && k < c->region->n_spans; k++)
    {
      const tns_span *span = &c->region->spans[k];
      if (span->sym == sym && span->lo && !tns_expr_loads (span->lo)
          && !tns_expr_loads (span->hi))
        return tns_binary (c->arena, TNS_LT, span->lo, span->hi);
    }
  return NULL;
}

/* MADE where SOME, if that is not NULL.  */
static tns_node *
where (chunker *c, tns_expr *some, tns_node *made)
{
  if (!some)
    return made;
  tns_node *block = tns_block (c->arena, made->loc);
  tns_block_add (c->arena, block, made);
  return tns_if (c->arena, made->loc, some, block, NULL);
}

/* Partial results that begin in BODY with an element, as a minimum's do, begin
   so where it is there.  */
static void
begin_on_device (chunker *c, tns_node *body)
{
  for (int k = 0; k < body->n_kids; k++)
    {
      if (body->kid[k]->kind == TNS_LOCAL)
        continue;
      const tns_expr *value = assignment_in (body->kid[k])->value;
      if (tns_expr_reads (value))
        body->kid[k] = where (c, is_touched (c, value->sym), body->kid[k]);
    }
}

/* P's arrays have no elements where a loop inside does nothing.  */
static void
bound_parts (chunker *c, const tns_partials *p)
{
  for (int k = 0; k < p->n; k++)
    {
      tns_sym *part = p->partial[k].part;
      long long extent;
      for (int d = 1; d < part->rank; d++)
        if (!tns_expr_is_int (part->extent[d], &extent))
          part->extent[d] = tns_binary (c->arena, TNS_MAX, part->extent[d],
                                        tns_int (c->arena, 0));
    }
}

/* Append to OUTER what takes in the partial results, each of them one kid of
   CHUNKS' body, on a device.  */
static void
take_on_device (chunker *c, const tns_node *chunks, tns_node *outer)
{
  for (int k = 0; k < chunks->body->n_kids; k++)
    {
      const tns_node *take = chunks->body->kid[k];
      tns_node *made = take_all (c, take, chunks);
      made->marks.parallel = take->kind == TNS_LOOP;
      for (const tns_node *in = take; in->kind != TNS_ASSIGN;
           in = in->kind == TNS_LOOP ? in->body : in->kid[0])
        made->marks.collapse += in->kind == TNS_LOOP;
      tns_block_add (
        c->arena, outer,
        where (c, is_touched (c, assignment_in (take)->target->sym), made));
    }
}

/* LOOP in COUNT chunks, at most MOST, on the parts P.  */
static tns_node *
in_chunks (chunker *c, const tns_node *loop, const tns_partials *p,
           tns_expr *count, tns_expr *most)
{
  tns_node *outer = tns_block (c->arena, loop->loc);
  tns_node *body = tns_block (c->arena, loop->loc);
  tns_node *combine = tns_block (c->arena, loop->loc);
  tns_node *inner
    = tns_chunk_of (c->ctx, loop, tns_value (c->arena, p->chunk), count);
  tns_partials_declare (p, most, outer);
  tns_partials_begin (p, body);
  if (is_device (c))
    {
      bound_parts (c, p);
      begin_on_device (c, body);
    }
  tns_block_add (c->arena, body, tns_partials_rename (p, inner));
  tns_partials_end (p, body);
  tns_node *threads = over_chunks (c, p->chunk, count, body);
  threads->marks.parallel = true;
  if (is_device (c))
    threads->marks.chunks = loop->marks.chunks;
  tns_block_add (c->arena, outer, threads);
  tns_partials_combine (p, combine);
  tns_node *last = over_chunks (c, p->chunk, count, combine);
  if (is_device (c))
    {
      take_on_device (c, last, outer);
      return outer;
    }
  last->marks.chunks = loop->marks.chunks;
  tns_block_add (c->arena, outer, last);
  return outer;
}

/* What counts the chunks of LOOP: to the user, its iterator.  */
static tns_sym *
chunk_iter (chunker *c, const tns_node *loop)
{
  const tns_sym *iter = loop->iter;
  tns_sym *sym = tns_region_add_iter (c->arena, c->region, "chunk");
  sym->spelled = iter->spelled ? iter->spelled : iter->name;
  return sym;
}

/* LOOP, marked parallel with reductions of cells, in chunks; as OTHERWISE
   where there is work for one alone.  */
static tns_node *
chunk_cells (chunker *c, tns_node *loop, tns_node *otherwise)
{
  tns_sym *ch = chunk_iter (c, loop);
  tns_partials p = tns_partials_new (c->ctx, c->region, loop, ch);
  tns_expr *most = tns_int (c->arena, loop->marks.chunks);
  tns_expr *work = tns_loop_work (c->ctx, loop);
  tns_expr *count
    = tns_binary (c->arena, TNS_FLOORDIV, work, tns_int (c->arena, CELL_WORK));
  tns_expr *some
    = tns_binary (c->arena, TNS_GE, work, tns_int (c->arena, 2 * CELL_WORK));
  tns_node *chunks = in_chunks (
    c, loop, &p, tns_binary (c->arena, TNS_MIN, count, most), most);
  tns_node *rest = tns_block (c->arena, loop->loc);
  tns_block_add (c->arena, rest, tns_node_fresh (c->ctx, c->region, otherwise));
  return tns_if (c->arena, loop->loc, some, chunks, rest);
}

/* The work of starting and combining the parts P of one chunk.  */
static tns_expr *
work_of_parts (chunker *c, const tns_partials *p, tns_loc loc)
{
  tns_node *both = tns_block (c->arena, loc);
  tns_partials_begin (p, both);
  tns_partials_combine (p, both);
  return tns_work_here (c->ctx, both);
}

/* How many chunks LOOP, of WORK, with reductions of arrays, has on the parts
   P; *MOST is the same or more, over VALUEs.  */
static tns_expr *
count_chunks (chunker *c, const tns_node *loop, const tns_partials *p,
              tns_expr *work, tns_expr **most)
{
  tns_expr *one = tns_int (c->arena, 1);
  tns_expr *bytes = tns_binary (c->arena, TNS_MAX, tns_partials_bytes (p), one);
  tns_expr *room = tns_binary (c->arena, TNS_FLOORDIV,
                               tns_int (c->arena, MOST_BYTES), bytes);
  room = tns_binary (c->arena, TNS_MIN, room,
                     tns_int (c->arena, loop->marks.chunks));
  tns_expr *parts
    = tns_binary (c->arena, TNS_MAX, work_of_parts (c, p, loop->loc), one);
  tns_expr *worth = tns_binary (
    c->arena, TNS_FLOORDIV, work,
    tns_binary (c->arena, TNS_MUL, tns_int (c->arena, RATIO), parts));
  tns_expr *count = tns_binary (c->arena, TNS_MIN,
                                tns_binary (c->arena, TNS_MIN, room, worth),
                                trip_of (c, loop));
  tns_expr *pairs
    = tns_binary (c->arena, TNS_FLOORDIV, count, tns_int (c->arena, 2));
  count
    = tns_binary (c->arena, TNS_MUL,
                  tns_binary (c->arena, TNS_MAX, pairs, tns_int (c->arena, 0)),
                  tns_int (c->arena, 2));
  *most = room;
  if (tns_is_over_values (count) && tns_is_over_values (work))
    *most = tns_ternary (c->arena, TNS_SELECT, tns_work_pays (c->ctx, work),
                         count, tns_int (c->arena, 0));
  return count;
}

/* Append to BLOCK what finds the boxes of LOOP that are not known, if its WORK
   pays: *FEW, else NULL, that they have few elements.  LOOP with these.  */
static tns_node *
find_boxes (chunker *c, tns_node *loop, tns_expr *work, tns_node *block,
            tns_expr **few)
{
  tns_node *made = tns_node_copy (c->arena, loop);
  tns_node *looks = tns_block (c->arena, loop->loc);
  int n = made->marks.n_reductions;
  made->marks.reductions = TNS_NEW_ARRAY (c->arena, tns_reduction, n);
  *few = NULL;
  for (int k = 0; k < n; k++)
    {
      tns_reduction *r = &made->marks.reductions[k];
      *r = loop->marks.reductions[k];
      if (r->sym->rank == 0 || r->extent)
        continue;
      tns_node *look = tns_found_look (c->ctx, c->region, loop, r, block);
      tns_expr *is_small = tns_binary (
        c->arena, TNS_LAND,
        tns_binary (c->arena, TNS_GE, r->extent[0], tns_int (c->arena, 1)),
        tns_binary (c->arena, TNS_LE, r->extent[0],
                    tns_int (c->arena, tns_found_rows (r))));
      *few = *few ? tns_binary (c->arena, TNS_LAND, *few, is_small) : is_small;
      tns_block_add (c->arena, looks, chunk_cells (c, look, serial (c, look)));
    }
  if (looks->n_kids)
    tns_block_add (
      c->arena, block,
      tns_if (c->arena, loop->loc, tns_work_pays (c->ctx, work), looks, NULL));
  return made;
}

/* LOOP, with lanes only where they do more than to add, one by one, to elements
   that indices name.  */
static tns_node *
without_lanes (chunker *c, tns_node *loop)
{
  bool pays = loop->marks.simd == 0;
  for (int k = 0; k < loop->marks.n_reductions; k++)
    pays |= loop->marks.reductions[k].sym->rank == 0
            || loop->marks.reductions[k].extent;
  pays |= tns_node_calls (loop);
  if (pays)
    return loop;
  tns_node *made = tns_node_copy (c->arena, loop);
  made->marks.simd = made->marks.accumulators = 0;
  return made;
}

/* LOOP, marked parallel with reductions of arrays, in chunks where that pays;
   else as OTHERWISE.  */
static tns_node *
chunk_arrays (chunker *c, tns_node *loop, tns_node *otherwise)
{
  tns_node *block = tns_block (c->arena, loop->loc);
  tns_sym *ch = chunk_iter (c, loop);
  tns_expr *work = tns_loop_work (c->ctx, loop);
  tns_expr *few;
  loop = find_boxes (c, loop, work, block, &few);
  tns_partials p = tns_partials_new (c->ctx, c->region, loop, ch);
  tns_expr *most;
  tns_expr *count = count_chunks (c, loop, &p, work, &most);
  tns_expr *pays
    = tns_binary (c->arena, TNS_LAND, tns_work_pays (c->ctx, work),
                  tns_binary (c->arena, TNS_GE, count, tns_int (c->arena, 2)));
  if (few)
    pays = tns_binary (c->arena, TNS_LAND, few, pays);
  tns_node *chunks = in_chunks (c, loop, &p, count, most);
  for (int k = 0; k < chunks->n_kids; k++)
    if (chunks->kid[k]->marks.parallel)
      chunks->kid[k]->marks.chunks = loop->marks.chunks;
  tns_node *rest = tns_block (c->arena, loop->loc);
  tns_block_add (c->arena, rest, tns_node_fresh (c->ctx, c->region, otherwise));
  tns_node *made = tns_if (c->arena, loop->loc, pays, chunks, rest);
  if (!few)
    return made;
  tns_block_add (c->arena, block, made);
  return block;
}

/* Whether LOOP, parallel with reductions, can be done in chunks; *ARRAYS:
   some are of arrays.  Boxes are found by the host alone.  */
static bool
can_chunk (chunker *c, tns_node *loop, bool *arrays)
{
  bool known = loop->step > 0 && loop->marks.chunks >= 2;
  *arrays = false;
  for (int k = 0; k < loop->marks.n_reductions; k++)
    {
      const tns_reduction *r = &loop->marks.reductions[k];
      *arrays |= r->sym->rank > 0;
      known = known
              && (r->sym->rank == 0 || r->extent
                  || (!is_device (c)
                      && tns_found_is_sure (c->ctx, c->region, loop, r)));
    }
  return known;
}

/* MADE, which does LOOP, where that has iterations, as far as the host knows
   that.  */
static tns_node *
where_some (chunker *c, const tns_node *loop, tns_node *made)
{
  tns_expr *trip = trip_of (c, loop);
  if (tns_expr_loads (trip))
    return made;
  return where (c, tns_binary (c->arena, TNS_GT, trip, tns_int (c->arena, 0)),
                made);
}

/* How many chunks LOOP, which updates arrays where ARRAYS, has on the parts P
   for the blocks of a device.  */
static tns_expr *
count_for_device (chunker *c, const tns_node *loop, const tns_partials *p,
                  bool arrays)
{
  tns_expr *most = tns_int (c->arena, loop->marks.chunks);
  bool rows = arrays || tns_grid_has_lanes (loop->body);
  tns_expr *least = tns_int (c->arena, rows ? DEVICE_ROWS : DEVICE_CELLS);
  tns_expr *count = tns_binary (
    c->arena, TNS_MIN, most, tns_ceil_div (c->arena, trip_of (c, loop), least));
  if (arrays)
    {
      tns_expr *bytes = tns_binary (c->arena, TNS_MAX, tns_partials_bytes (p),
                                    tns_int (c->arena, 1));
      tns_expr *room = tns_int (c->arena, DEVICE_BYTES);
      count = tns_binary (c->arena, TNS_MIN, count,
                          tns_binary (c->arena, TNS_FLOORDIV, room, bytes));
    }
  return tns_binary (c->arena, TNS_MAX, count, tns_int (c->arena, 1));
}

/* LOOP, which updates arrays where ARRAYS, in chunks for the blocks of a
   device.  *ROOM: where that is not NULL, a block holds its sums itself, if
   there is room, which becomes *ROOM.  */
static tns_node *
chunk_blocks (chunker *c, tns_node *loop, bool arrays, tns_expr **room)
{
  tns_partials p
    = tns_partials_new (c->ctx, c->region, loop, chunk_iter (c, loop));
  tns_expr *count = count_for_device (c, loop, &p, arrays);
  tns_expr *most = tns_is_over_values (count)
                     ? count
                     : tns_int (c->arena, loop->marks.chunks);
  if (room && !(*room = tns_partials_hold (&p, HELD_BYTES, MOST_HELD)))
    return NULL;
  return in_chunks (c, loop, &p, count, most);
}

/* LOOP in chunks for the blocks of a device; ARRAYS: it updates some.  */
static tns_node *
chunk_for_device (chunker *c, tns_node *loop, bool arrays)
{
  tns_expr *room = NULL;
  tns_node *held = NULL;
  tns_node *made = arrays ? tns_chunk_columns (c->ctx, c->region, loop) : NULL;
  if (made)
    return where_some (c, loop, made);
  if (arrays)
    held = chunk_blocks (c, tns_node_fresh (c->ctx, c->region, loop), arrays,
                         &room);
  made = chunk_blocks (c, loop, arrays, NULL);
  if (held && !tns_expr_loads (room))
    made = tns_if (c->arena, loop->loc, room, held, made);
  return where_some (c, loop, made);
}

/* A search for a loop for chunks of arrays, or by owner.  */
typedef struct hunt
{
  chunker *c;
  bool found;
} hunt;

/* The visitor.  */
static bool
note_chunks (tns_node *node, void *self)
{
  hunt *h = self;
  bool arrays;
  if (node->kind == TNS_LOOP && node->marks.parallel
      && node->marks.n_reductions > 0
      && (can_chunk (h->c, node, &arrays) || node->marks.owners))
    h->found |= arrays;
  return !h->found;
}

static tns_node *convert (chunker *c, tns_node *node, bool inside);

/* LOOP, its body converted.  */
static tns_node *
with_body (chunker *c, const tns_node *loop, bool inside)
{
  tns_node *copy = tns_node_copy (c->arena, loop);
  copy->body = convert (c, loop->body, inside);
  return copy;
}

/* LOOP, parallel without reductions, not inside of another.  */
static tns_node *
convert_free (chunker *c, tns_node *loop)
{
  hunt h = { c, false };
  tns_node *many = with_body (c, loop, true);
  tns_node_walk (loop->body, note_chunks, &h);
  if (!h.found || loop->step < 0 || loop->marks.collapse > 1)
    return many;
  tns_expr *lo = loop->lo;
  tns_node *first
    = tns_node_substitute (c->arena, loop->body, 1, &loop->iter, &lo);
  tns_node *once = tns_block (c->arena, loop->loc);
  tns_node *rest = tns_block (c->arena, loop->loc);
  tns_block_add (c->arena, once,
                 tns_node_fresh (c->ctx, c->region, convert (c, first, false)));
  tns_block_add (c->arena, rest, many);
  return tns_if (
    c->arena, loop->loc,
    tns_binary (c->arena, TNS_EQ, trip_of (c, loop), tns_int (c->arena, 1)),
    once, rest);
}

/* LOOP, by owner where that pays, else as OTHERWISE; apart from its sums where
   there are no owners, if it asks for them.  */
static tns_node *
by_owner (chunker *c, tns_node *loop, tns_node *otherwise)
{
  tns_node *rest = tns_block (c->arena, loop->loc);
  tns_block_add (c->arena, rest, otherwise);
  tns_node *inside = with_body (c, loop, true);
  tns_node *owned = tns_loop_owned (c->ctx, c->region, inside, rest);
  if (!owned && loop->marks.owners)
    owned = tns_loop_apart (c->ctx, c->region, inside, rest);
  if (owned)
    tns_made_note (c->arena, c->shared, loop->iter);
  return owned ? owned : otherwise;
}

/* LOOP; INSIDE one that threads share.  */
static tns_node *
convert_loop (chunker *c, tns_node *loop, bool inside)
{
  bool arrays;
  if (!loop->marks.parallel)
    return with_body (c, loop, inside);
  if (inside)
    return serial (c, with_body (c, loop, true));
  bool is_free = loop->marks.n_reductions == 0;
  if (!is_free && !can_chunk (c, loop, &arrays))
    {
      loop = loop->marks.owners ? without_lanes (c, loop) : loop;
      return by_owner (c, loop, serial (c, with_body (c, loop, false)));
    }
  tns_made_note (c->arena, c->shared, loop->iter);
  if (is_free)
    return convert_free (c, loop);
  if (is_device (c))
    return chunk_for_device (c, with_body (c, loop, true), arrays);
  loop = without_lanes (c, loop);
  tns_node *threads = with_body (c, loop, true);
  tns_node *otherwise
    = by_owner (c, loop, serial (c, with_body (c, loop, false)));
  return arrays ? chunk_arrays (c, threads, otherwise)
                : chunk_cells (c, threads, otherwise);
}

/* NODE; INSIDE a loop that threads share.  */
static tns_node *
convert (chunker *c, tns_node *node, bool inside)
{
  if (!node)
    return NULL;
  if (node->kind == TNS_LOOP)
    return convert_loop (c, node, inside);
  tns_node *copy = tns_node_copy (c->arena, node);
  copy->n_kids = 0;
  copy->kid = NULL;
  for (int k = 0; k < node->n_kids; k++)
    tns_block_add (c->arena, copy, convert (c, node->kid[k], inside));
  copy->then = convert (c, node->then, inside);
  copy->otherwise = convert (c, node->otherwise, inside);
  return copy;
}

tns_region *
tns_region_chunks (tns_ctx *ctx, tns_region *region, tns_made *made)
{
  if (!region)
    return NULL;
  chunker c
    = { ctx, ctx->arena, tns_region_copy (ctx->arena, region), &made->shared };
  c.region->body = convert (&c, region->body, false);
  return c.region;
}
