/* When threads pay: where a parallel loop has several iterations, and its
   estimated work is enough.

   work (loop)  = trip * work (body), or, with lanes, the vectors instead of
                  the trip and TAIL_WORK for what is no whole vector
   work (block) = sum of its kids;  an IF counts as both branches
   work (S)     = operations, loads and the store

   Bounds of inner loops may mention iterators of loops inside the one that is
   estimated; those take the middle of their range.  Middles of middles double
   from loop to loop: bounds that grow too long count as those in memory do.

   Loops that follow each other in a block decide together: what threads have
   in their caches after one is not fetched back for the next where that is
   shorter, but not much.

     pays (k) = several (k)
                && (work (k) >= threshold
                    || (work (k) >= threshold / NEAR
                        && max (work of the block's loops) >= threshold))

   The threshold is FORKS times what a parallel region costs.  */

#include "lowering/versions.h"

#include "ir/walk.h"
#include "schedule/machine.h"

#define MATH_WORK     8
#define TAIL_WORK     16
#define FORKS         24
#define NEAR          4
#define MOST_TOGETHER 8
#define LOADED_TRIPS  8
#define MOST_NODES    400

/* The visitor of count_work: SELF is a long that grows.  */
static bool
add_work (tns_expr *expr, void *self)
{
  long *work = self;
  char kind = tns_op_class (expr->op);
  if (tns_op_is_function (expr->op) || expr->op == TNS_SQRT
      || expr->op == TNS_DIV || expr->op == TNS_REM)
    *work += MATH_WORK;
  else if (kind != 'L')
    *work += 1;
  return true;
}

/* A + B as a bound, both I64.  */
static tns_expr *
sum (tns_arena *arena, tns_expr *a, tns_expr *b)
{
  return tns_binary (arena, TNS_ADD, a, b);
}

/* The iterators met on the way down, and the middle of their ranges; KNOWS:
   what bounds read is there already.  */
typedef struct middles
{
  tns_arena *arena;
  bool knows;
  int n;
  tns_sym *iter[32];
  tns_expr *middle[32];
} middles;

static tns_expr *work_of (middles *m, const tns_node *node);

/* The visitor that counts nodes, as far as that matters.  */
static bool
note_node (tns_expr *expr, void *self)
{
  int *n = self;
  (void) expr;
  return ++*n <= MOST_NODES;
}

/* EXPR is too long to be part of an estimate.  */
static bool
is_long (tns_expr *expr)
{
  int n = 0;
  tns_expr_walk (expr, note_node, &n);
  return n > MOST_NODES;
}

/* max (0, (hi - lo) / step) of LOOP, LOADED_TRIPS where its bounds are yet to
   be read in memory, or too long.  */
static tns_expr *
trip_of (middles *m, const tns_node *loop, tns_expr *lo, tns_expr *hi)
{
  tns_arena *arena = m->arena;
  bool is_loaded = !m->knows && (tns_expr_loads (lo) || tns_expr_loads (hi));
  if (is_loaded || is_long (lo) || is_long (hi))
    return tns_int (arena, LOADED_TRIPS);
  tns_expr *length = loop->step > 0 ? tns_binary (arena, TNS_SUB, hi, lo)
                                    : tns_binary (arena, TNS_SUB, lo, hi);
  long long step = loop->step > 0 ? loop->step : -loop->step;
  if (step != 1)
    length = tns_binary (arena, TNS_FLOORDIV,
                         sum (arena, length, tns_int (arena, step - 1)),
                         tns_int (arena, step));
  return tns_binary (arena, TNS_MAX, length, tns_int (arena, 0));
}

/* The work of LOOP.  */
static tns_expr *
work_of_loop (middles *m, const tns_node *loop)
{
  tns_arena *arena = m->arena;
  tns_expr *lo
    = tns_expr_substitute (arena, loop->lo, m->n, m->iter, m->middle);
  tns_expr *hi
    = tns_expr_substitute (arena, loop->hi, m->n, m->iter, m->middle);
  tns_expr *trip = trip_of (m, loop, lo, hi);
  if (m->n == 32)
    return trip;
  bool is_short = !is_long (lo) && !is_long (hi);
  tns_expr *both
    = is_short ? sum (arena, lo, hi) : tns_int (arena, LOADED_TRIPS);
  m->iter[m->n] = loop->iter;
  m->middle[m->n++]
    = tns_binary (arena, TNS_FLOORDIV, both, tns_int (arena, 2));
  tns_expr *body = work_of (m, loop->body);
  m->n--;
  if (loop->marks.simd > 1)
    trip = sum (
      arena,
      tns_binary (arena, TNS_FLOORDIV, trip, tns_int (arena, loop->marks.simd)),
      tns_int (arena, 1));
  tns_expr *all = tns_binary (arena, TNS_MUL, trip, body);
  return loop->marks.simd > 1 ? sum (arena, all, tns_int (arena, TAIL_WORK))
                              : all;
}

/* The work of NODE.  */
static tns_expr *
work_of (middles *m, const tns_node *node)
{
  tns_expr *total = tns_int (m->arena, 0);
  long own = 1;
  if (node->kind == TNS_LOOP)
    return work_of_loop (m, node);
  if (node->kind == TNS_BLOCK)
    for (int k = 0; k < node->n_kids; k++)
      total = sum (m->arena, total, work_of (m, node->kid[k]));
  if (node->kind == TNS_BLOCK || node->kind == TNS_LOCAL)
    return total;
  tns_node_exprs ((tns_node *) node, add_work, &own);
  if (node->kind == TNS_IF)
    {
      total = work_of (m, node->then);
      if (node->otherwise)
        total = sum (m->arena, total, work_of (m, node->otherwise));
    }
  return sum (m->arena, total, tns_int (m->arena, own));
}

tns_expr *
tns_loop_work (tns_ctx *ctx, const tns_node *loop)
{
  middles m = { .arena = ctx->arena };
  return work_of (&m, loop);
}

tns_expr *
tns_work_here (tns_ctx *ctx, const tns_node *node)
{
  middles m = { .arena = ctx->arena, .knows = true };
  return work_of (&m, node);
}

/* The least work that is worth threads.  */
static long
threshold_of (const tns_ctx *ctx)
{
  const tns_machine *machine
    = ctx->machine ? ctx->machine : tns_machine_find ("sse2");
  long threshold = ctx->wish.parallel_threshold;
  return threshold > 0 ? threshold
                       : (long) (FORKS * machine->fork_ns * machine->ghz);
}

/* WORK >= LEAST.  */
static tns_expr *
is_at_least (tns_ctx *ctx, tns_expr *work, long least)
{
  return tns_binary (ctx->arena, TNS_GE, work, tns_int (ctx->arena, least));
}

tns_expr *
tns_work_pays (tns_ctx *ctx, tns_expr *work)
{
  return is_at_least (ctx, work, threshold_of (ctx));
}

/* LOOP has several iterations.  */
static tns_expr *
has_several (tns_ctx *ctx, const tns_node *loop)
{
  long long step = loop->step > 0 ? loop->step : -loop->step;
  tns_expr *length = loop->step > 0
                       ? tns_binary (ctx->arena, TNS_SUB, loop->hi, loop->lo)
                       : tns_binary (ctx->arena, TNS_SUB, loop->lo, loop->hi);
  return tns_binary (ctx->arena, TNS_GT, length, tns_int (ctx->arena, step));
}

/* LOOP as a parallel one, with its condition, and its work where that
   counts.  */
static tns_node *
add_when (tns_ctx *ctx, tns_node *loop)
{
  tns_node *copy = tns_node_copy (ctx->arena, loop);
  tns_marks *marks = &copy->marks;
  marks->parallel = true;
  if (!marks->work)
    marks->work = tns_loop_work (ctx, loop);
  if (!marks->when && marks->chunks == 0)
    {
      marks->when = tns_work_pays (ctx, marks->work);
      if (marks->collapse < 2)
        marks->when = tns_binary (ctx->arena, TNS_LAND, has_several (ctx, loop),
                                  marks->when);
    }
  if (ctx->wish.parallel_threshold > 0)
    marks->work = NULL;
  return copy;
}

/* NODE is a loop whose condition is its own work.  */
static bool
decides (const tns_node *node)
{
  return node->kind == TNS_LOOP && node->marks.parallel
         && node->marks.chunks == 0 && node->marks.when && node->marks.work;
}

/* The greatest work of BLOCK's loops that decide together; NULL where fewer
   than two do.  */
static tns_expr *
greatest_work (tns_ctx *ctx, const tns_node *block)
{
  tns_expr *most = NULL;
  int n = 0;
  for (int k = 0; k < block->n_kids; k++)
    if (decides (block->kid[k]))
      {
        tns_expr *work = block->kid[k]->marks.work;
        most = most ? tns_binary (ctx->arena, TNS_MAX, most, work) : work;
        n++;
      }
  return n > 1 && n <= MOST_TOGETHER ? most : NULL;
}

/* LOOP, which decides, beside others of at most MOST work.  */
static tns_node *
join_others (tns_ctx *ctx, tns_node *loop, tns_expr *most)
{
  tns_node *copy = tns_node_copy (ctx->arena, loop);
  tns_expr *near
    = is_at_least (ctx, loop->marks.work, threshold_of (ctx) / NEAR);
  tns_expr *both
    = tns_binary (ctx->arena, TNS_LAND, near, tns_work_pays (ctx, most));
  if (loop->marks.collapse < 2)
    both = tns_binary (ctx->arena, TNS_LAND, has_several (ctx, loop), both);
  copy->marks.when = tns_binary (ctx->arena, TNS_LOR, loop->marks.when, both);
  return copy;
}

/* BLOCK, whose loops have their own conditions, with those in common.  */
static tns_node *
join_loops (tns_ctx *ctx, tns_node *block)
{
  tns_expr *most = greatest_work (ctx, block);
  if (!most)
    return block;
  tns_node *copy = tns_node_copy (ctx->arena, block);
  copy->kid = TNS_NEW_ARRAY (ctx->arena, tns_node *, block->n_kids);
  for (int k = 0; k < block->n_kids; k++)
    copy->kid[k] = decides (block->kid[k])
                     ? join_others (ctx, block->kid[k], most)
                     : block->kid[k];
  return copy;
}

/* The changer that says of each parallel loop when threads pay.  */
static tns_node *
decide (tns_node *node, void *self)
{
  tns_ctx *ctx = self;
  if (node->kind == TNS_BLOCK)
    return join_loops (ctx, node);
  bool shared = node->kind == TNS_LOOP
                && (node->marks.parallel || tns_ctx_breaks (ctx, "versions"));
  return shared ? add_when (ctx, node) : node;
}

tns_region *
tns_region_versions (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  tns_region *out = tns_region_copy (ctx->arena, region);
  out->body = tns_node_rebuild (ctx->arena, region->body, decide, NULL, ctx);
  return out;
}
