/* Loops in parts around the iteration that writes what all read, as
   ir/pivot.h says.

   A loop is taken apart when

   1. its step is 1, and it holds nothing but statements, conditions and
      LOCALs;
   2. what it writes are LOCALs of its own, and elements that move with it by
      one;
   3. each read of an array that it writes is of the element that the
      iteration writes, or of that of another row; or of one that stands still,
      the pivot; all pivots are the same one;
   4. the pivot is not known to lie outside of the loop.

   So the loop's iterations follow each other for the pivot's sake alone.  A
   pivot that lies in front of or behind all iterations costs a test.  */

#include "ir/pivot.h"

#include "ir/affine.h"
#include "ir/fresh.h"
#include "ir/stride.h"
#include "ir/walk.h"

/* A loop being looked at.

   target  what it writes first of the array that is looked at
   pivot   the element that stands still, NULL until there is one
   at      the iteration that writes it
   fails   the loop stays whole  */
typedef struct pivoting
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  const tns_node *loop;
  const tns_expr *target;
  const tns_expr *pivot;
  tns_expr *at;
  bool fails;
} pivoting;

/* The visitor: EXPR reads what is not constant in the region.  */
static bool
note_read (tns_expr *expr, void *self)
{
  bool *found = self;
  *found |= tns_expr_reads (expr);
  return !*found;
}

/* EXPR is the same in all iterations of P's loop, whatever they write.  */
static bool
stands_still (const pivoting *p, tns_expr *expr)
{
  bool reads = false;
  tns_expr_walk (expr, note_read, &reads);
  return !reads && !tns_expr_mentions (expr, p->loop->iter);
}

/* The iteration of P's loop in which subscript MOVING is FIXED; NULL where
   that is not one.  */
static tns_expr *
iteration_at (const pivoting *p, tns_expr *moving, tns_expr *fixed)
{
  long long step;
  if (!tns_expr_stride (p->arena, moving, p->loop->iter, &step) || step != 1)
    return NULL;
  tns_sum iter = tns_sum_of (p->arena, tns_value (p->arena, p->loop->iter));
  tns_sum rest = tns_sum_add (p->arena, tns_sum_of (p->arena, moving),
                              tns_sum_scale (p->arena, iter, -1));
  tns_sum at = tns_sum_add (p->arena, tns_sum_of (p->arena, fixed),
                            tns_sum_scale (p->arena, rest, -1));
  tns_expr *made = tns_sum_expr (p->arena, at);
  return made && stands_still (p, made) ? made : NULL;
}

/* ACCESS, of the array that P's target is of, is the pivot.  */
static bool
is_pivot (pivoting *p, const tns_expr *access)
{
  int last = access->n_args - 1;
  if (p->pivot)
    return tns_expr_equal (p->pivot, access);
  for (int k = 0; k < last; k++)
    if (!stands_still (p, access->arg[k])
        || !tns_expr_equal (access->arg[k], p->target->arg[k]))
      return false;
  if (!stands_still (p, access->arg[last]))
    return false;
  p->at = iteration_at (p, p->target->arg[last], access->arg[last]);
  p->pivot = p->at ? access : NULL;
  return p->at != NULL;
}

/* ACCESS, of the array that P's target is of, is in the iteration's own place
   of a row, which need not be that of the target.  */
static bool
is_beside (const pivoting *p, const tns_expr *access)
{
  long long step;
  int last = access->n_args - 1;
  for (int k = 0; k < last; k++)
    if (!stands_still (p, access->arg[k])
        || !stands_still (p, p->target->arg[k]))
      return false;
  return tns_expr_equal (access->arg[last], p->target->arg[last])
         && tns_expr_stride (p->arena, access->arg[last], p->loop->iter, &step)
         && step == 1;
}

/* The visitor: note in P whether EXPR reads the array of P's target other than
   at the target, beside it or at the pivot.  */
static bool
check_read (tns_expr *expr, void *self)
{
  pivoting *p = self;
  if (tns_expr_reads (expr) && expr->sym == p->target->sym
      && !tns_expr_equal (expr, p->target) && !is_beside (p, expr)
      && !is_pivot (p, expr))
    p->fails = true;
  return !p->fails;
}

/* The visitor: the same for NODE.  */
static bool
check_reads (tns_node *node, void *self)
{
  tns_node_exprs (node, check_read, self);
  return !((pivoting *) self)->fails;
}

/* SYM is declared in NODE.  */
static bool
declares (const tns_node *node, const tns_sym *sym)
{
  bool found = node->kind == TNS_LOCAL && node->sym == sym;
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    found |= declares (node->kid[k], sym);
  if (node->kind == TNS_IF)
    found = declares (node->then, sym)
            || (node->otherwise && declares (node->otherwise, sym));
  return found;
}

/* The visitor: note in P whether NODE does not belong into such a loop.  */
static bool
check_node (tns_node *node, void *self)
{
  pivoting *p = self;
  const tns_expr *target = node->target;
  if (node->kind == TNS_LOOP || node->kind == TNS_PREFETCH)
    p->fails |= node != p->loop;
  if (node->kind != TNS_ASSIGN || declares (p->loop->body, target->sym))
    return !p->fails;
  if (target->n_args == 0)
    p->fails = true;
  else
    {
      p->target = target;
      tns_node_walk (p->loop->body, check_reads, p);
    }
  return !p->fails;
}

/* A - B, where that is a number, compared with LEAST: it is less.  */
static bool
is_less (const pivoting *p, tns_expr *a, tns_expr *b, long long least)
{
  long long d;
  tns_sum sum
    = tns_sum_add (p->arena, tns_sum_of (p->arena, a),
                   tns_sum_scale (p->arena, tns_sum_of (p->arena, b), -1));
  return tns_sum_is_int (sum, &d) && d < least;
}

/* P's loop is to be taken apart.  */
static bool
has_pivot (pivoting *p)
{
  tns_node_walk ((tns_node *) p->loop, check_node, p);
  return !p->fails && p->pivot && !is_less (p, p->at, p->loop->lo, 0)
         && !is_less (p, p->loop->hi, p->at, 1);
}

/* P's loop's body at iteration AT, its copy number COPY.  */
static tns_node *
body_at (const pivoting *p, tns_expr *at, int copy)
{
  const char *suffix = tns_arena_format (p->arena, "_p%d", copy);
  tns_node *fresh
    = tns_node_fresh_named (p->ctx, p->region, p->loop->body, suffix);
  return tns_node_substitute (p->arena, fresh, 1,
                              (tns_sym *const *) &p->loop->iter, &at);
}

/* A OP B.  */
static tns_expr *
binary (const pivoting *p, tns_op op, tns_expr *a, tns_expr *b)
{
  return tns_binary (p->arena, op, a, b);
}

/* P's loop behind its pivot.  */
static tns_node *
loop_behind (const pivoting *p)
{
  const tns_sym *old = p->loop->iter;
  tns_sym *iter = tns_region_add_iter (p->arena, p->region, old->name);
  iter->spelled = old->spelled ? old->spelled : old->name;
  tns_node *made = tns_node_copy (p->arena, p->loop);
  int behind = tns_ctx_breaks (p->ctx, "pivot") ? 0 : 1;
  tns_expr *next = binary (p, TNS_ADD, p->at, tns_int (p->arena, behind));
  made->iter = iter;
  made->lo = binary (p, TNS_MAX, p->loop->lo, next);
  made->body = body_at (p, tns_value (p->arena, iter), 2);
  return made;
}

/* P's loop in parts.  */
static tns_node *
taken_apart (const pivoting *p)
{
  const tns_node *loop = p->loop;
  tns_node *all = tns_block (p->arena, loop->loc);
  tns_node *front = tns_node_copy (p->arena, loop);
  tns_expr *within = binary (p, TNS_LAND, binary (p, TNS_LE, loop->lo, p->at),
                             binary (p, TNS_LT, p->at, loop->hi));
  front->hi = binary (p, TNS_MIN, loop->hi, p->at);
  tns_block_add (p->arena, all, front);
  tns_block_add (
    p->arena, all,
    tns_if (p->arena, loop->loc, within, body_at (p, p->at, 1), NULL));
  tns_block_add (p->arena, all, loop_behind (p));
  return all;
}

/* NODE, its parts done.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  pivoting p = *(const pivoting *) self;
  p.loop = node;
  if (node->kind != TNS_LOOP || node->step != 1 || !has_pivot (&p))
    return node;
  return taken_apart (&p);
}

tns_region *
tns_region_pivot (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  pivoting p = { .ctx = ctx, .arena = ctx->arena };
  p.region = tns_region_copy (ctx->arena, region);
  p.region->body
    = tns_node_rebuild (ctx->arena, region->body, change_node, NULL, &p);
  return p.region;
}
