/* When threads pay: where a parallel loop has several iterations, and its
   estimated work is enough.

   work (loop)  = trip * work (body), or, with lanes, the vectors instead of
                  the trip and TAIL_WORK for what is no whole vector
   work (block) = sum of its kids;  an IF counts as both branches
   work (S)     = operations, loads and the store

   Bounds of inner loops may mention iterators of loops inside the one that is
   estimated; those take the middle of their range.  */

#include "lowering/versions.h"

#include "ir/walk.h"
#include "schedule/machine.h"

#define MATH_WORK         8
#define TAIL_WORK         16
#define DEFAULT_THRESHOLD 60000

/* The visitor of count_work: SELF is a long that grows.  */
static bool
add_work (tns_expr *expr, void *self)
{
  long *work = self;
  char kind = tns_op_class (expr->op);
  if (kind == 'M' || expr->op == TNS_DIV || expr->op == TNS_REM)
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

/* The iterators met on the way down, and the middle of their ranges.  */
typedef struct middles
{
  tns_arena *arena;
  int n;
  tns_sym *iter[32];
  tns_expr *middle[32];
} middles;

static tns_expr *work_of (middles *m, const tns_node *node);

/* max (0, (hi - lo) / step) of LOOP.  */
static tns_expr *
trip_of (middles *m, const tns_node *loop, tns_expr *lo, tns_expr *hi)
{
  tns_arena *arena = m->arena;
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
  m->iter[m->n] = loop->iter;
  m->middle[m->n++]
    = tns_binary (arena, TNS_FLOORDIV, sum (arena, lo, hi), tns_int (arena, 2));
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
tns_work_pays (tns_ctx *ctx, tns_expr *work)
{
  long threshold = ctx->wish.parallel_threshold;
  return tns_binary (
    ctx->arena, TNS_GE, work,
    tns_int (ctx->arena, threshold > 0 ? threshold : DEFAULT_THRESHOLD));
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

/* The changer that says of each parallel loop when threads pay.  */
static tns_node *
add_when (tns_node *node, void *self)
{
  tns_ctx *ctx = self;
  if (node->kind != TNS_LOOP || !node->marks.parallel || node->marks.chunks > 0
      || node->marks.when)
    return node;
  tns_node *copy = tns_node_copy (ctx->arena, node);
  copy->marks.when = tns_work_pays (ctx, tns_loop_work (ctx, node));
  if (node->marks.collapse < 2)
    copy->marks.when = tns_binary (ctx->arena, TNS_LAND,
                                   has_several (ctx, node), copy->marks.when);
  return copy;
}

tns_region *
tns_region_versions (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  tns_region *out = tns_region_copy (ctx->arena, region);
  out->body = tns_node_rebuild (ctx->arena, region->body, add_when, NULL, ctx);
  return out;
}
