/* Tiles in registers that a triangle leaves whole.

     for k
       for i = a to b unroll(14)
         for j = c to min (c + 31, i) + 1 simd(16) unroll(2)
           C[i][j] += A[i][k] * B[k][j];

   Rows with bounds of their own cannot be jammed: each would go through all k
   alone.  Where the first row has all columns, so have the others:

     if (a >= c + 31)
       for k
         for i = a to b unroll(14)
           for j = c to c + 31 + 1 simd(16) unroll(2)
             C[i][j] += A[i][k] * B[k][j];
     else
       for k
         for i = a to b unroll(2)
           for j = c to min (c + 31, i) + 1 simd(16) unroll(2)
             C[i][j] += A[i][k] * B[k][j];

   Two copies are the fewest that still move out of k.  The same for columns
   from max (c, i + 1) on, which the last row decides.  The condition stands
   outside of all loops of the nest that it does not mention, but inside those
   that threads share.

   What a row adds up stays in registers only as long as all rows are there.
   Where k limits them, its loop is cut in two, or three:

     for k = 0 to K                       for k = 0 to min (K, a + 1)
       for i = max (a, k) to b              for i = a to b unroll(14)
           unroll(14)                 ->      ...
         ...                              for k = max (0, a + 1) to K
                                            for i = max (a, k) to b unroll(2)
                                              ...

   The same where it limits columns that are in lanes; in a factorisation both,
   and what is left of the first loop then adds up in registers.

   So is a loop around a strip, whose vectors are as many sums:

     for i = 0 to N - c
       for j = c to min (c + 64, N - i) simd(16) unroll(4)
         r[j] += x[i] * x[i + j];

   Does not do: limits that do not move by one, nests with other statements
   beside the columns or the rows.  */

#include "lowering/square.h"

#include "ir/fresh.h"
#include "ir/stride.h"
#include "ir/walk.h"
#include "lowering/linear.h"

/* Fewer rows are no tile in registers: what they add up is little; and fewer
   vectors no strip.  */
#define TILE_ROWS     6
#define STRIP_VECTORS 4

/* The pass.  */
typedef struct squares
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
} squares;

/* A nest with rows and columns.

   rows, columns  its loops
   lo, hi         the bounds of the columns in a whole tile
   whole          the tile is whole  */
typedef struct tile
{
  tns_node *rows;
  tns_node *columns;
  tns_expr *lo;
  tns_expr *hi;
  tns_expr *whole;
} tile;

/* A loop that limits the rows in it, or, where it leaves these whole, the
   columns.

   limited      that loop, below the LOOP
   lo, hi       the bounds of it where all are there: in iterations
   first, last  from first on and before last, where these are not NULL  */
typedef struct cut
{
  tns_node *loop;
  tns_node *limited;
  tns_expr *lo;
  tns_expr *hi;
  tns_expr *first;
  tns_expr *last;
} cut;

/* The loop that is all of LOOP's body, or NULL.  */
static tns_node *
only_loop (const tns_node *loop)
{
  tns_node *body = loop->body;
  while (body->kind == TNS_BLOCK && body->n_kids == 1)
    body = body->kid[0];
  return body->kind == TNS_LOOP ? body : NULL;
}

/* EXPR is the OP, MIN or MAX, of PART[0], which does not move with ITER, and of
   PART[1], which moves by one, plus a number; both may stand in an OP of
   OPs.  */
static bool
split (tns_arena *arena, tns_expr *expr, tns_op op, tns_sym *iter,
       tns_expr *part[2])
{
  long long step;
  if (expr->op == op)
    {
      bool is_first = tns_expr_mentions (expr->arg[0], iter);
      tns_expr *fixed = expr->arg[is_first];
      part[0] = fixed;
      part[1] = expr->arg[!is_first];
      if (tns_expr_mentions (fixed, iter))
        return false;
      if (tns_expr_stride (arena, part[1], iter, &step))
        return step == 1 || step == -1;
      if (!split (arena, expr->arg[!is_first], op, iter, part))
        return false;
      part[0] = tns_binary (arena, op, part[0], fixed);
      return true;
    }
  if ((expr->op != TNS_ADD && expr->op != TNS_SUB)
      || tns_expr_mentions (expr->arg[1], iter)
      || !split (arena, expr->arg[0], op, iter, part))
    return false;
  for (int k = 0; k < 2; k++)
    part[k] = tns_binary (arena, expr->op, part[k], expr->arg[1]);
  return true;
}

/* BOUND, the first or, when IS_HI, the end of T's columns, without what the
   rows allow; that it is the same where T is whole.  */
static tns_expr *
without_limit (const squares *s, tile *t, tns_expr *bound, bool is_hi)
{
  tns_arena *arena = s->arena;
  tns_sym *iter = t->rows->iter;
  tns_expr *part[2];
  long long step = 0;
  if (!split (arena, bound, is_hi ? TNS_MIN : TNS_MAX, iter, part))
    return bound;
  tns_expr_stride (arena, part[1], iter, &step);
  tns_expr *row = t->rows->lo;
  if (((step > 0) != is_hi) != tns_ctx_breaks (s->ctx, "square"))
    row = tns_binary (arena, TNS_SUB, t->rows->hi, tns_int (arena, 1));
  tns_expr *limit = tns_expr_substitute (arena, part[1], 1, &iter, &row);
  tns_expr *is_none
    = tns_binary (arena, is_hi ? TNS_GE : TNS_LE, limit, part[0]);
  t->whole
    = t->whole ? tns_binary (arena, TNS_LAND, t->whole, is_none) : is_none;
  return part[0];
}

/* The rows and columns below LOOP, when there are any whose rows limit
   them.  */
static bool
find_tile (const squares *s, tns_node *loop, tile *t)
{
  while (loop && loop->marks.unroll < 2)
    loop = only_loop (loop);
  *t = (tile){ .rows = loop };
  t->columns = loop ? only_loop (loop) : NULL;
  if (!t->columns || loop->step != 1 || t->columns->step != 1
      || (t->columns->marks.unroll < 2 && !t->columns->marks.simd)
      || loop->marks.simd)
    return false;
  t->lo = without_limit (s, t, t->columns->lo, false);
  t->hi = without_limit (s, t, t->columns->hi, true);
  return t->whole != NULL;
}

/* T's condition can stand around LOOP.  */
static bool
may_stand (const tns_node *loop, const tile *t)
{
  if (loop->marks.parallel || loop->marks.chunks)
    return false;
  for (; loop != t->rows; loop = only_loop (loop))
    if (tns_expr_mentions (t->whole, loop->iter))
      return false;
  return true;
}

/* A copy of LOOP, in which T stands, whole or not.  */
static tns_node *
version (const squares *s, const tns_node *loop, const tile *t, bool whole)
{
  tns_node *made = tns_node_copy (s->arena, loop);
  if (loop == t->rows && !whole)
    made->marks.unroll = 2;
  if (loop != t->columns)
    {
      made->body = tns_block (s->arena, loop->loc);
      tns_block_add (s->arena, made->body,
                     version (s, only_loop (loop), t, whole));
    }
  else if (whole)
    {
      made->lo = t->lo;
      made->hi = t->hi;
    }
  return made;
}

/* BOUND, the first or, when IS_HI, the end of the rows in C's loop, without
   what that allows; the range of C in which it is the same.  */
static tns_expr *
without_cut (const squares *s, cut *c, tns_expr *bound, bool is_hi)
{
  tns_arena *arena = s->arena;
  tns_sym *iter = c->loop->iter;
  tns_expr *zero = tns_int (arena, 0);
  tns_expr *part[2];
  long long step = 0;
  if (!split (arena, bound, is_hi ? TNS_MIN : TNS_MAX, iter, part))
    return bound;
  tns_expr_stride (arena, part[1], iter, &step);
  tns_expr *at = tns_expr_substitute (arena, part[1], 1, &iter, &zero);
  tns_expr *edge = step > 0 ? tns_binary (arena, TNS_SUB, part[0], at)
                            : tns_binary (arena, TNS_SUB, at, part[0]);
  if ((step > 0) == is_hi)
    c->first = c->first ? tns_binary (arena, TNS_MAX, c->first, edge) : edge;
  else
    {
      edge = tns_binary (arena, TNS_ADD, edge, tns_int (arena, 1));
      c->last = c->last ? tns_binary (arena, TNS_MIN, c->last, edge) : edge;
    }
  return part[0];
}

/* LOOP is that over the rows of a tile in registers, or over a strip.  */
static bool
is_in_registers (const tns_node *loop)
{
  return loop->step == 1
         && (loop->marks.simd ? loop->marks.unroll >= STRIP_VECTORS
                              : loop->marks.unroll >= TILE_ROWS);
}

/* C's loop limits LIMITED, which is below it: where to cut it.  */
static bool
cuts (const squares *s, cut *c, tns_node *limited)
{
  c->limited = limited;
  c->lo = without_cut (s, c, limited->lo, false);
  c->hi = without_cut (s, c, limited->hi, true);
  return c->first || c->last;
}

/* LOOP, which may run more often than there are rows, limits those in it, or
   their columns: how to cut it.  */
static bool
find_cut (const squares *s, tns_node *loop, cut *c)
{
  long long most;
  tns_node *rows = only_loop (loop);
  *c = (cut){ .loop = loop };
  if (!rows || loop->step != 1 || !is_in_registers (rows) || loop->marks.simd
      || loop->marks.unroll > 1 || loop->marks.parallel || loop->marks.chunks
      || (tns_loop_trip_most (s->arena, loop, &most)
          && most <= rows->marks.unroll))
    return false;
  tns_node *columns = rows->marks.simd ? NULL : only_loop (rows);
  return cuts (s, c, rows)
         || (columns && columns->step == 1 && columns->marks.simd
             && cuts (s, c, columns));
}

/* A copy of LOOP, from C's loop down to the one that this limits, of which all
   is there or not.  */
static tns_node *
copy_piece (const squares *s, const cut *c, const tns_node *loop, bool whole)
{
  tns_node *made = tns_node_copy (s->arena, loop);
  if (!whole && is_in_registers (loop) && loop != c->loop)
    made->marks.unroll = loop->marks.simd ? 1 : 2;
  if (loop != c->limited)
    {
      made->body = tns_block (s->arena, loop->loc);
      tns_block_add (s->arena, made->body,
                     copy_piece (s, c, only_loop (loop), whole));
    }
  else if (whole)
    {
      made->lo = c->lo;
      made->hi = c->hi;
    }
  return made;
}

/* C's loop from LO to HI, where all that it limits is there or not.  */
static tns_node *
piece (const squares *s, const cut *c, tns_expr *lo, tns_expr *hi, bool whole)
{
  tns_node *made = copy_piece (s, c, c->loop, whole);
  made->lo = lo;
  made->hi = hi;
  return whole ? made : tns_node_fresh (s->ctx, s->region, made);
}

static tns_node *change (const squares *s, tns_node *node);

/* C's loop in its pieces.  */
static tns_node *
cut_loop (const squares *s, const cut *c)
{
  tns_arena *arena = s->arena;
  tns_expr *lo = c->loop->lo;
  tns_expr *hi = c->loop->hi;
  tns_node *out = tns_block (arena, c->loop->loc);
  if (c->first)
    {
      tns_block_add (
        arena, out,
        piece (s, c, lo, tns_binary (arena, TNS_MIN, hi, c->first), false));
      lo = tns_binary (arena, TNS_MAX, lo, c->first);
    }
  if (c->last)
    hi = tns_binary (arena, TNS_MIN, hi, c->last);
  tns_block_add (arena, out, change (s, piece (s, c, lo, hi, true)));
  if (c->last)
    tns_block_add (arena, out,
                   piece (s, c, tns_binary (arena, TNS_MAX, lo, c->last),
                          c->loop->hi, false));
  return out;
}

/* NODE with its tiles in versions.  */
static tns_node *
change (const squares *s, tns_node *node)
{
  tile t;
  cut c;
  if (node->kind == TNS_LOOP && find_cut (s, node, &c))
    return cut_loop (s, &c);
  if (node->kind == TNS_LOOP && find_tile (s, node, &t) && may_stand (node, &t))
    {
      tns_node *whole = tns_block (s->arena, node->loc);
      tns_node *part = tns_block (s->arena, node->loc);
      tns_block_add (s->arena, whole, version (s, node, &t, true));
      tns_block_add (s->arena, part, version (s, node, &t, false));
      return tns_if (s->arena, node->loc, t.whole,
                     tns_node_fresh (s->ctx, s->region, whole), part);
    }
  tns_node *made = tns_node_copy (s->arena, node);
  if (node->kind == TNS_LOOP)
    made->body = change (s, node->body);
  else if (node->kind == TNS_IF)
    {
      made->then = change (s, node->then);
      made->otherwise = node->otherwise ? change (s, node->otherwise) : NULL;
    }
  else if (node->kind == TNS_BLOCK)
    {
      made->n_kids = 0;
      made->kid = NULL;
      for (int k = 0; k < node->n_kids; k++)
        tns_block_add (s->arena, made, change (s, node->kid[k]));
    }
  return made;
}

tns_region *
tns_region_square (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  tns_region *out = tns_region_copy (ctx->arena, region);
  squares s = { ctx, ctx->arena, out };
  out->body = change (&s, region->body);
  return out;
}
