/* Unroll-and-jam, from the inside out.

     for i = lo to hi unroll(m) S(i)

   becomes, when the trip count is a constant up to m, its copies alone;
   when it is at most m (hi = min (lo + m, M), the tail of a tile)

     if (hi - lo >= m) { S(lo) S(lo+1) ... }
     else the remainder, from lo

   else

     for i = lo to hi-(m-1) step m { S(i) S(i+1) ... }
     the remainder, from lo + (hi-lo) / m * m

   The remainder of a register tile (m >= 6 and a loop inside that is not in
   lanes) is rows of 4, 2 and 1, each with copies of its own, since a row alone
   would load all shared operands again; of others it is the loop as it was.  So
   code grows to less than three times what the mark asks for.

   Copies are jammed where S has loops, else they follow each other, which
   is right for any S.  A body that would grow beyond MAX_STATEMENTS stays a
   loop.  */

#include "lowering/registers.h"

#include "ir/walk.h"
#include "lowering/jam.h"
#include "lowering/linear.h"
#include "lowering/outward.h"

#define MAX_STATEMENTS 1024
#define TILE_ROWS      6

typedef struct registers
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
} registers;

/* What a body is made of.  sums: a loop that is not in lanes.  */
typedef struct contents
{
  int statements;
  bool has_loop;
  bool sums;
} contents;

/* Count NODE.  */
static bool
count_node (tns_node *node, void *self)
{
  contents *c = self;
  c->statements += node->kind == TNS_ASSIGN;
  c->has_loop = c->has_loop || node->kind == TNS_LOOP;
  c->sums = c->sums || (node->kind == TNS_LOOP && !node->marks.simd);
  return true;
}

/* What BODY is made of.  */
static contents
contents_of (tns_node *body)
{
  contents c = { 0 };
  tns_node_walk (body, count_node, &c);
  return c;
}

/* A + B.  */
static tns_expr *
plus (const registers *r, tns_expr *a, long long b)
{
  return tns_binary (r->arena, TNS_ADD, a, tns_int (r->arena, b));
}

/* N copies of LOOP's body; its iterator stays, or starts at FROM when that
   is given.  */
static tns_node *
copies (const registers *r, const tns_node *loop, int n, tns_expr *from)
{
  tns_jam jam = tns_jam_along (r->arena, r->region, loop->iter, n, loop->step);
  for (int c = 0; from && c < n; c++)
    jam.at[c] = plus (r, from, c * loop->step);
  return contents_of (loop->body).has_loop
           ? tns_jam_body (&jam, loop->body)
           : tns_jam_sequence (&jam, loop->body);
}

/* LOOP without its mark, from LO on.  */
static tns_node *
plain (const registers *r, const tns_node *loop, tns_expr *lo)
{
  tns_node *made = tns_node_copy (r->arena, loop);
  made->lo = lo;
  made->marks.unroll = 0;
  return made;
}

/* LOOP from LO on with N copies in each iteration; what is left of it when
   fewer than N iterations are is not done.  */
static tns_node *
by_copies (const registers *r, const tns_node *loop, tns_expr *lo, int n)
{
  tns_node *made = plain (r, loop, lo);
  int more = tns_ctx_breaks (r->ctx, "registers") ? n - 2 : n - 1;
  made->hi = plus (r, loop->hi, -more * loop->step);
  made->step = n * loop->step;
  made->body = copies (r, loop, n, NULL);
  return made;
}

/* The first iteration that by_copies (LOOP, LO, N) has not done; requires
   step 1 and LO <= hi.  */
static tns_expr *
behind_copies (const registers *r, const tns_node *loop, tns_expr *lo, int n)
{
  tns_expr *left = tns_binary (r->arena, TNS_SUB, loop->hi, lo);
  tns_expr *times
    = tns_binary (r->arena, TNS_FLOORDIV, left, tns_int (r->arena, n));
  tns_expr *done = tns_binary (r->arena, TNS_MUL, times, tns_int (r->arena, n));
  return tns_binary (r->arena, TNS_ADD, lo, done);
}

/* Put what is left of LOOP from LO on, less than M iterations, at the end
   of OUT.  */
static void
add_remainder (const registers *r, const tns_node *loop, tns_expr *lo, int m,
               tns_node *out)
{
  bool is_tile = m >= TILE_ROWS && contents_of (loop->body).sums;
  for (int n = 4; is_tile && n > 1; n /= 2)
    {
      tns_node *some = by_copies (r, loop, lo, n);
      some->once = n < 4;
      tns_block_add (r->arena, out, some);
      lo = behind_copies (r, loop, lo, n);
    }
  tns_node *rest = plain (r, loop, lo);
  rest->once = is_tile || m == 2;
  tns_block_add (r->arena, out, rest);
}

/* hi - lo OP N, as a condition.  */
static tns_expr *
trip_is (const registers *r, const tns_node *loop, tns_op op, long long n)
{
  return tns_binary (r->arena, op,
                     tns_binary (r->arena, TNS_SUB, loop->hi, loop->lo),
                     tns_int (r->arena, n));
}

/* LOOP whose trip count is TRIP.  */
static tns_node *
unroll_constant (const registers *r, const tns_node *loop, long long trip,
                 int m)
{
  tns_node *out = tns_block (r->arena, loop->loc);
  long long rest = trip % m;
  tns_expr *behind = plus (r, loop->lo, (trip - rest) * loop->step);
  if (trip == m)
    tns_block_add (r->arena, out, copies (r, loop, m, loop->lo));
  else if (trip > m)
    {
      tns_node *main = by_copies (r, loop, loop->lo, m);
      main->hi = behind;
      tns_block_add (r->arena, out, main);
    }
  if (rest)
    tns_block_add (r->arena, out, copies (r, loop, (int) rest, behind));
  return out;
}

/* LOOP whose trip count is at most M.  */
static tns_node *
unroll_tail (const registers *r, const tns_node *loop, int m)
{
  tns_node *rest = tns_block (r->arena, loop->loc);
  add_remainder (r, loop, loop->lo, m, rest);
  if (m >= TILE_ROWS)
    {
      tns_node *some = tns_block (r->arena, loop->loc);
      tns_block_add (
        r->arena, some,
        tns_if (r->arena, loop->loc, trip_is (r, loop, TNS_GT, 0), rest, NULL));
      rest = some;
    }
  return tns_if (r->arena, loop->loc, trip_is (r, loop, TNS_GE, m),
                 copies (r, loop, m, loop->lo), rest);
}

/* LOOP of any trip count, step 1.  */
static tns_node *
unroll_any (const registers *r, const tns_node *loop, int m)
{
  tns_node *some = tns_block (r->arena, loop->loc);
  tns_block_add (r->arena, some, by_copies (r, loop, loop->lo, m));
  add_remainder (r, loop, behind_copies (r, loop, loop->lo, m), m, some);
  return tns_if (r->arena, loop->loc, trip_is (r, loop, TNS_GT, 0), some, NULL);
}

/* LOOP, marked, unrolled and jammed.  */
static tns_node *
unroll (const registers *r, const tns_node *loop)
{
  long long trip, most;
  int m = loop->marks.unroll;
  bool is_known = tns_loop_trip (r->arena, loop, &trip);
  if (is_known && trip > 0 && trip < m)
    m = (int) trip;
  if (m < 2 || (!is_known && loop->step != 1) || (is_known && trip == 0)
      || tns_node_changes (loop->body, loop->lo)
      || tns_node_changes (loop->body, loop->hi)
      || contents_of (loop->body).statements > MAX_STATEMENTS / m)
    return plain (r, loop, loop->lo);
  if (is_known)
    return unroll_constant (r, loop, trip, m);
  if (tns_loop_trip_most (r->arena, loop, &most) && most <= m)
    return unroll_tail (r, loop, m);
  return unroll_any (r, loop, m);
}

/* NODE, its parts done.  */
static tns_node *
unroll_node (tns_node *node, void *self)
{
  registers *r = self;
  if (node->kind != TNS_LOOP || node->marks.unroll == 0 || node->marks.simd)
    return node;
  return unroll (r, node);
}

tns_region *
tns_region_registers (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  registers r = { ctx, ctx->arena, tns_region_copy (ctx->arena, region) };
  r.region->body = tns_node_outward (ctx, region->body);
  r.region->body
    = tns_node_rebuild (ctx->arena, r.region->body, unroll_node, NULL, &r);
  return r.region;
}
