/* Scans that threads share, as lowering/scans.h says.  */

#include "lowering/scans.h"

#include "ir/fresh.h"
#include "ir/simplify.h"
#include "ir/walk.h"
#include "lowering/along.h"
#include "lowering/chunks.h"
#include "lowering/grid-scan.h"
#include "lowering/linear.h"

#define LANES 32

/* Iterations of a part, at least, and parts, at most; iterations that a thread
   does alone.  */
#define PART        4096
#define MOST_PARTS  1024
#define FEW_SCANNED 64

/* One pass: the region that gains symbols.  */
typedef struct scanner
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
} scanner;

/* LOOP is a scan, *SCAN, whose order may be another one, and not short.  */
static bool
suits (const scanner *s, const tns_node *loop, tns_scan *scan)
{
  long long trip;
  if (!tns_scan_find (s->arena, loop, scan))
    return false;
  bool is_strict = s->ctx->wish.fp == TNS_FP_STRICT
                   && tns_elem_is_float (scan->cell->type.elem);
  return !is_strict
         && !(tns_loop_trip_most (s->arena, loop, &trip)
              && trip <= FEW_SCANNED);
}

/* What a loop's elements cost along ITER.  */
typedef struct weighing
{
  tns_arena *arena;
  tns_sym *iter;
  int cost;
} weighing;

/* The visitor of what is read.  */
static bool
weigh_load (tns_expr *expr, void *self)
{
  weighing *w = self;
  if (tns_expr_reads (expr))
    w->cost += tns_cost_along (w->arena, expr, w->iter);
  return true;
}

/* The visitor of statements.  */
static bool
weigh_node (tns_node *node, void *self)
{
  tns_node_exprs (node, weigh_load, self);
  return true;
}

/* What LOOP's elements cost along ITER.  */
static int
cost_along (const scanner *s, tns_node *loop, tns_sym *iter)
{
  weighing w = { s->arena, iter, 0 };
  tns_node_walk (loop->body, weigh_node, &w);
  return w.cost;
}

/* The loops in one that threads share.

   last    the innermost that shares its iterator with threads
   scans   some are scans with neighbours along them
   lanes   some have lanes
   others  some innermost ones have neither  */
typedef struct inside
{
  const scanner *s;
  tns_sym *last;
  bool scans;
  bool lanes;
  bool others;
} inside;

/* LOOP is a scan that a block's threads had better share.  */
static bool
is_row (const inside *in, tns_node *loop)
{
  tns_scan scan;
  return suits (in->s, loop, &scan)
         && cost_along (in->s, loop, loop->iter)
              < cost_along (in->s, loop, in->last);
}

/* The visitor.  */
static bool
note_loop (tns_node *node, void *self)
{
  inside *in = self;
  if (node->kind != TNS_LOOP)
    return true;
  bool lanes = node->marks.simd > 1;
  bool scans = !lanes && is_row (in, node);
  in->lanes |= lanes;
  in->scans |= scans;
  in->others |= !lanes && !scans && !tns_node_has_loop (node->body);
  return true;
}

/* The changer: scans get their mark.  */
static tns_node *
mark_scan (tns_node *node, void *self)
{
  const inside *in = self;
  if (node->kind != TNS_LOOP || node->marks.simd > 1 || !is_row (in, node))
    return node;
  tns_node *made = tns_node_copy (in->s->arena, node);
  made->marks = (tns_marks){ .scan = true };
  return made;
}

/* LOOP, which threads share, with its scans.  */
static tns_node *
in_rows (scanner *s, tns_node *loop)
{
  inside in = { .s = s, .last = loop->iter };
  tns_node *body = loop;
  for (int n = loop->marks.collapse; n > 1; n--)
    {
      body = tns_node_bare (body->body);
      if (body->kind != TNS_LOOP)
        return loop;
      in.last = body->iter;
    }
  tns_node_walk (body->body, note_loop, &in);
  if (!in.scans || (in.others && !in.lanes))
    return loop;
  return tns_node_rebuild (s->arena, loop, mark_scan, NULL, &in);
}

/* A new cell of S's region, or an array of EXTENT, like CELL.  */
static tns_sym *
add_like (scanner *s, const tns_sym *cell, const char *name, tns_expr *extent)
{
  tns_sym *made = tns_region_add_array (
    s->arena, s->region, name, cell->type.elem, extent ? 1 : 0, TNS_SYM_LOCAL);
  if (extent)
    made->extent[0] = extent;
  return made;
}

/* Append SYM to BLOCK, and that it begins as VALUE.  */
static void
begin (scanner *s, tns_node *block, tns_sym *sym, tns_expr *value)
{
  tns_block_add (s->arena, block, tns_local (s->arena, block->loc, sym));
  tns_block_add (s->arena, block,
                 tns_assign (s->arena, block->loc, tns_cell (s->arena, sym),
                             TNS_NONE, value));
}

/* LOOP, which was made of one that sets CELL, and sets OWN in its place: OWN
   begins as CELL, which becomes it.  */
static tns_node *
by_way_of (scanner *s, tns_sym *cell, tns_sym *own, tns_node *loop)
{
  tns_arena *arena = s->arena;
  tns_node *made = tns_block (arena, loop->loc);
  begin (s, made, own, tns_cell (arena, cell));
  tns_block_add (arena, made, loop);
  tns_block_add (arena, made,
                 tns_assign (arena, loop->loc, tns_cell (arena, cell), TNS_NONE,
                             tns_cell (arena, own)));
  return made;
}

/* The cell of the region's own memory that LOOP's body, a flat one, sets;
   NULL.  */
static tns_sym *
outer_cell (const tns_node *loop)
{
  const tns_node *body = loop->body;
  tns_sym *cell = NULL;
  for (int k = 0; body->kind == TNS_BLOCK && k < body->n_kids && !cell; k++)
    if (body->kid[k]->kind == TNS_ASSIGN && body->kid[k]->target->sym->rank == 0
        && !tns_sym_is_local (body->kid[k]->target->sym))
      cell = body->kid[k]->target->sym;
  return cell;
}

/* The changer: a loop that would be a scan if the cell that it sets were a
   LOCAL keeps it in one, where it has iterations: else the cell need not be
   there.  */
static tns_node *
own_cell (tns_node *node, void *self)
{
  scanner *s = self;
  tns_arena *arena = s->arena;
  tns_scan scan;
  if (node->kind != TNS_LOOP || node->marks.parallel
      || tns_expr_loads (node->lo) || tns_expr_loads (node->hi))
    return node;
  tns_sym *cell = outer_cell (node);
  if (!cell)
    return node;
  tns_sym *own = add_like (s, cell, cell->name, NULL);
  tns_sym **to = TNS_NEW_ARRAY (arena, tns_sym *, s->region->n_syms + 1);
  to[cell->id] = own;
  tns_node *renamed = tns_node_renamed (arena, node, s->region->n_syms, to);
  if (!tns_scan_find (arena, renamed, &scan) || scan.cell != own)
    return node;
  return tns_if (arena, node->loc,
                 tns_binary (arena, TNS_LT, node->lo, node->hi),
                 by_way_of (s, cell, own, renamed), NULL);
}

/* A scan in parts.

   count  of parts
   part   [count]: their sums, then what is in front of each  */
typedef struct parts
{
  tns_node *loop;
  tns_scan scan;
  tns_expr *count;
  tns_sym *part;
} parts;

/* The part that ITER says.  */
static tns_expr *
part_of (scanner *s, const parts *p, tns_sym *iter)
{
  tns_expr *at = tns_value (s->arena, iter);
  return tns_load (s->arena, p->part, &at);
}

/* A loop over the parts by ITER, whose body is BODY, that threads share.  */
static tns_node *
over_parts (scanner *s, const parts *p, tns_sym *iter, tns_node *body)
{
  tns_node *made = tns_loop (s->arena, body->loc, iter, tns_int (s->arena, 0),
                             p->count, 1, body);
  made->marks.parallel = true;
  made->marks.chunks = MOST_PARTS;
  return made;
}

/* The iterations of P's loop in part ITER, its body being BODY, in lanes.  */
static tns_node *
in_part (scanner *s, const parts *p, tns_sym *iter, tns_node *body)
{
  tns_node *loop = tns_node_copy (s->arena, p->loop);
  loop->marks = (tns_marks){ .simd = LANES };
  loop->body = body;
  return tns_chunk_of (s->ctx, loop, tns_value (s->arena, iter), p->count);
}

/* The sums of P's parts.  */
static tns_node *
sum_parts (scanner *s, const parts *p)
{
  tns_arena *arena = s->arena;
  tns_loc loc = p->loop->loc;
  const tns_scan *scan = &p->scan;
  tns_sym *iter = tns_region_add_iter (arena, s->region, "chunk");
  tns_sym *sum = add_like (s, scan->cell, "sum", NULL);
  tns_expr *none = tns_neutral (arena, scan->op, scan->cell->type.elem);
  tns_node *body = tns_block (arena, loc);
  tns_node *each = tns_block (arena, loc);
  tns_block_add (arena, each, scan->first);
  tns_block_add (
    arena, each,
    tns_assign (arena, loc, tns_cell (arena, sum), scan->op, scan->value));
  each = tns_node_fresh (s->ctx, s->region, each);
  tns_node *loop = in_part (s, p, iter, each);
  tns_marks_add_reduction (arena, &loop->marks, sum, scan->op);
  begin (s, body, sum, none ? none : tns_cell (arena, (tns_sym *) scan->cell));
  tns_block_add (arena, body, loop);
  tns_block_add (arena, body,
                 tns_assign (arena, loc, part_of (s, p, iter), TNS_NONE,
                             tns_cell (arena, sum)));
  return over_parts (s, p, iter, body);
}

/* What is in front of each of P's parts, and the cell at the end.  */
static tns_node *
join_parts (scanner *s, const parts *p)
{
  tns_arena *arena = s->arena;
  tns_loc loc = p->loop->loc;
  tns_sym *cell = (tns_sym *) p->scan.cell;
  tns_sym *iter = tns_region_add_iter (arena, s->region, "chunk");
  tns_sym *run = add_like (s, cell, "run", NULL);
  tns_sym *own = add_like (s, cell, "own", NULL);
  tns_node *made = tns_block (arena, loc);
  tns_node *body = tns_block (arena, loc);
  begin (s, made, run, tns_cell (arena, cell));
  begin (s, body, own, part_of (s, p, iter));
  tns_block_add (arena, body,
                 tns_assign (arena, loc, part_of (s, p, iter), TNS_NONE,
                             tns_cell (arena, run)));
  tns_block_add (arena, body,
                 tns_assign (arena, loc, tns_cell (arena, run), p->scan.op,
                             tns_cell (arena, own)));
  tns_node *loop
    = tns_loop (arena, loc, iter, tns_int (arena, 0), p->count, 1, body);
  loop->marks.scan = true;
  tns_block_add (arena, made, loop);
  tns_block_add (arena, made,
                 tns_assign (arena, loc, tns_cell (arena, cell), TNS_NONE,
                             tns_cell (arena, run)));
  return made;
}

/* P's loop, each part beginning with what is in front of it.  */
static tns_node *
end_parts (scanner *s, const parts *p)
{
  tns_arena *arena = s->arena;
  tns_sym *iter = tns_region_add_iter (arena, s->region, "chunk");
  tns_sym *own = add_like (s, p->scan.cell, "own", NULL);
  int n = s->region->n_syms;
  tns_sym **to = TNS_NEW_ARRAY (arena, tns_sym *, n + 1);
  tns_node *body = tns_block (arena, p->loop->loc);
  to[p->scan.cell->id] = own;
  begin (s, body, own, part_of (s, p, iter));
  tns_node *each = tns_node_renamed (arena, p->loop->body, n, to);
  tns_node *loop = in_part (s, p, iter, each);
  loop->marks = (tns_marks){ .scan = true };
  tns_block_add (arena, body, loop);
  return over_parts (s, p, iter, body);
}

/* LOOP, which is SCAN, in parts.  */
static tns_node *
in_parts (scanner *s, tns_node *loop, const tns_scan *scan)
{
  tns_arena *arena = s->arena;
  parts p = { .loop = loop, .scan = *scan };
  tns_expr *trip = tns_binary (arena, TNS_SUB, loop->hi, loop->lo);
  tns_expr *count
    = tns_binary (arena, TNS_FLOORDIV, trip, tns_int (arena, PART));
  count = tns_binary (arena, TNS_MIN, count, tns_int (arena, MOST_PARTS));
  p.count = tns_binary (arena, TNS_MAX, count, tns_int (arena, 1));
  p.part = add_like (s, scan->cell, "part", p.count);
  tns_node *made = tns_block (arena, loop->loc);
  tns_block_add (arena, made, tns_local (arena, loop->loc, p.part));
  tns_block_add (arena, made, sum_parts (s, &p));
  if (!tns_ctx_breaks (s->ctx, "scans"))
    tns_block_add (arena, made, join_parts (s, &p));
  tns_block_add (arena, made, end_parts (s, &p));
  return made;
}

/* LOOP, which is SCAN, by the threads of one block.  */
static tns_node *
in_one (scanner *s, tns_node *loop, const tns_scan *scan)
{
  tns_arena *arena = s->arena;
  tns_sym *cell = (tns_sym *) scan->cell;
  tns_sym *run = add_like (s, cell, "run", NULL);
  int n = s->region->n_syms;
  tns_sym **to = TNS_NEW_ARRAY (arena, tns_sym *, n + 1);
  tns_node *fresh = tns_node_copy (arena, loop);
  to[cell->id] = run;
  fresh->body = tns_node_renamed (
    arena, tns_node_fresh (s->ctx, s->region, loop->body), n, to);
  fresh->marks = (tns_marks){ .scan = true };
  return by_way_of (s, cell, run, fresh);
}

/* LOOP is a scan, *SCAN, that parts of it shall share.  */
static bool
is_for_parts (const scanner *s, const tns_node *loop, tns_scan *scan)
{
  return loop->kind == TNS_LOOP && !loop->marks.parallel && loop->marks.simd < 2
         && !tns_expr_loads (loop->lo) && !tns_expr_loads (loop->hi)
         && suits (s, loop, scan);
}

/* How many of BLOCK's kids from FIRST on are such scans, and what stands
   between them and around; 0: none is.  */
static int
count_line (const scanner *s, const tns_node *block, int first)
{
  int k = first;
  bool some = false;
  for (; k < block->n_kids; k++)
    {
      tns_scan scan;
      const tns_node *kid = block->kid[k];
      bool scans = is_for_parts (s, kid, &scan);
      if (!scans && kid->kind != TNS_ASSIGN && kid->kind != TNS_LOCAL)
        break;
      some |= scans;
    }
  return some ? k - first : 0;
}

/* LOOP has no more iterations than make one part.  */
static tns_expr *
is_short (scanner *s, const tns_node *loop)
{
  tns_arena *arena = s->arena;
  tns_expr *trip = tns_binary (arena, TNS_SUB, loop->hi, loop->lo);
  return tns_binary (arena, TNS_LT, trip, tns_int (arena, 2 * PART));
}

/* KID[0..N), a line with scans: by one block where all of these are short, else
   in parts; the same bits.  Append that to MADE.  */
static void
take_line (scanner *s, int n, tns_node *const *kid, tns_node *made)
{
  tns_arena *arena = s->arena;
  tns_node *one = tns_block (arena, made->loc);
  tns_node *several = tns_block (arena, made->loc);
  tns_expr *when = NULL;
  long long is;
  for (int k = 0; k < n; k++)
    {
      tns_scan scan;
      bool scans = is_for_parts (s, kid[k], &scan);
      if (kid[k]->kind == TNS_LOCAL)
        {
          tns_block_add (arena, made, kid[k]);
          continue;
        }
      tns_block_add (arena, several,
                     scans ? in_parts (s, kid[k], &scan) : kid[k]);
      tns_block_add (arena, one,
                     scans ? in_one (s, kid[k], &scan)
                           : tns_node_fresh (s->ctx, s->region, kid[k]));
      if (scans)
        when = when ? tns_binary (arena, TNS_LAND, when, is_short (s, kid[k]))
                    : is_short (s, kid[k]);
    }
  if (tns_ctx_breaks (s->ctx, "scans"))
    tns_block_add (arena, made, several);
  else if (tns_expr_is_int (tns_expr_simplify (s->ctx, when), &is))
    tns_block_add (arena, made, is ? one : several);
  else
    tns_block_add (arena, made, tns_if (arena, made->loc, when, one, several));
}

/* What is looked for: a loop that threads share.  */
static bool
note_shared (tns_node *node, void *self)
{
  bool *found = self;
  *found |= node->kind == TNS_LOOP && node->marks.parallel;
  return !*found;
}

static tns_node *change (scanner *s, tns_node *node);

/* The same of BLOCK, with lines of scans.  */
static tns_node *
change_block (scanner *s, tns_node *block)
{
  tns_node *made = tns_block (s->arena, block->loc);
  for (int k = 0; k < block->n_kids;)
    {
      int n = count_line (s, block, k);
      if (n > 0)
        take_line (s, n, &block->kid[k], made);
      else
        tns_block_add (s->arena, made, change (s, block->kid[k]));
      k += n > 0 ? n : 1;
    }
  return made;
}

/* NODE, of the host's part, with its scans.  */
static tns_node *
change (scanner *s, tns_node *node)
{
  bool shared = false;
  tns_node_walk (node, note_shared, &shared);
  if (node->kind == TNS_BLOCK)
    return change_block (s, node);
  if (node->kind == TNS_LOOP && node->marks.parallel)
    return in_rows (s, node);
  if (node->kind == TNS_LOOP && !shared)
    return node;
  tns_node *made = tns_node_copy (s->arena, node);
  tns_node **part[] = { &made->body, &made->then, &made->otherwise };
  for (int k = 0; k < 3; k++)
    if (*part[k])
      *part[k] = change (s, *part[k]);
  return made;
}

tns_region *
tns_region_scans (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  tns_region *made = tns_region_copy (ctx->arena, region);
  scanner s = { ctx, ctx->arena, made };
  made->body = change (
    &s, tns_node_rebuild (ctx->arena, region->body, own_cell, NULL, &s));
  return made;
}
