/* Sums put off, as ir/wait.h says.

   A loop of step 1 around nothing but assignments and LOCALs, one of which
   divides or calls a function.  What waits is a sum of floating numbers whose
   target the loop moves by LEAST to MOST elements; nothing in the loop reads
   that array, and all else that is stored to it is a sum, too.  */

#include "ir/wait.h"

#include "ir/stride.h"
#include "ir/walk.h"

#define LEAST 2
#define MOST  4
#define BLOCK 256

/* The loop at hand.

   lo, hi  of a block of its iterations
   rows    a block's rows, and its two loops
   second  the body of the loop of the sums, of iterator ITER  */
typedef struct waiting
{
  tns_ctx *ctx;
  tns_region *region;
  const tns_node *loop;
  tns_expr *lo;
  tns_expr *hi;
  tns_node *rows;
  tns_node *second;
  tns_sym *iter;
} waiting;

/* A OP B.  */
static tns_expr *
binary (const waiting *w, tns_op op, tns_expr *a, tns_expr *b)
{
  return tns_binary (w->ctx->arena, op, a, b);
}

/* The visitor: whether EXPR divides or calls a function.  */
static bool
note_dear (tns_expr *expr, void *self)
{
  bool *dear = self;
  *dear |= tns_op_is_function (expr->op)
           || (expr->op == TNS_DIV && tns_elem_is_float (expr->type.elem));
  return !*dear;
}

/* NODE holds nothing but assignments and LOCALs; *DEAR: one divides or calls a
   function.  */
static bool
is_straight (const tns_node *node, bool *dear)
{
  if (node->kind == TNS_ASSIGN)
    tns_expr_walk (node->value, note_dear, dear);
  bool straight = node->kind == TNS_ASSIGN || node->kind == TNS_LOCAL
                  || node->kind == TNS_BLOCK;
  for (int k = 0; k < node->n_kids && straight; k++)
    straight = is_straight (node->kid[k], dear);
  return straight;
}

/* NODE, an ASSIGN, is a sum of floating numbers.  */
static bool
is_sum (const tns_node *node)
{
  return (node->update == TNS_ADD || node->update == TNS_SUB)
         && tns_elem_is_float (node->target->type.elem);
}

/* NODE reads SYM, but for what it adds to.  */
static bool
reads (const tns_node *node, const tns_sym *sym)
{
  bool found = tns_expr_mentions (node->value, sym);
  for (int k = 0; k < node->target->n_args; k++)
    found |= tns_expr_mentions (node->target->arg[k], sym);
  return found;
}

/* NODE, of a straight line, only adds to SYM.  */
static bool
only_adds (const tns_node *node, const tns_sym *sym)
{
  if (node->kind == TNS_LOCAL)
    return node->sym != sym;
  if (node->kind == TNS_ASSIGN)
    return !reads (node, sym) && (node->target->sym != sym || is_sum (node));
  for (int k = 0; k < node->n_kids; k++)
    if (!only_adds (node->kid[k], sym))
      return false;
  return true;
}

/* A subscript of TARGET loads.  */
static bool
is_indexed (const tns_expr *target)
{
  for (int k = 0; k < target->n_args; k++)
    if (tns_expr_loads (target->arg[k]))
      return true;
  return false;
}

/* NODE, of LOOP, is a sum that waits.  */
static bool
waits (const tns_ctx *ctx, const tns_node *loop, const tns_node *node)
{
  long long by = 0;
  return node->kind == TNS_ASSIGN && node->target->n_args > 0 && is_sum (node)
         && tns_access_distance (ctx->arena, node->target, loop->iter, &by)
         && by >= LEAST && by <= MOST
         && (only_adds (loop->body, node->target->sym)
             || tns_ctx_breaks (ctx, "wait"))
         && !is_indexed (node->target);
}

/* Some node of LOOP, at NODE or below, waits.  */
static bool
some_waits (const tns_ctx *ctx, const tns_node *loop, const tns_node *node)
{
  bool some = waits (ctx, loop, node);
  for (int k = 0; k < node->n_kids; k++)
    some |= some_waits (ctx, loop, node->kid[k]);
  return some;
}

/* What stands for NODE, which waits: a store to a row of its own; its sum goes
   into the second loop.  */
static tns_node *
put_off (waiting *w, const tns_node *node)
{
  tns_arena *arena = w->ctx->arena;
  tns_expr *to = tns_value (arena, w->iter);
  tns_sym *from = w->loop->iter;
  tns_expr *at = binary (w, TNS_SUB, tns_value (arena, from), w->lo);
  unsigned role = w->region->derived ? TNS_SYM_ADJOINT : 0;
  tns_sym *row = tns_region_add_array (
    arena, w->region, "wait", node->target->type.elem, 1, TNS_SYM_LOCAL | role);
  row->extent[0] = tns_int (arena, BLOCK);
  tns_block_add (arena, w->rows, tns_local (arena, node->loc, row));
  tns_node *set = tns_assign (arena, node->loc, tns_load (arena, row, &at),
                              TNS_NONE, node->value);
  set->name = tns_arena_format (arena, "%s_%s", node->name, row->name);
  tns_node *sum = tns_node_copy (arena, node);
  sum->target = tns_expr_substitute (arena, node->target, 1, &from, &to);
  sum->value = tns_expr_substitute (arena, set->target, 1, &from, &to);
  sum->apart = true;
  tns_block_add (arena, w->second, sum);
  return set;
}

/* NODE of W's loop as the first one has it.  */
static tns_node *
as_first (waiting *w, tns_node *node)
{
  if (waits (w->ctx, w->loop, node))
    return put_off (w, node);
  if (node->kind != TNS_BLOCK)
    return node;
  tns_node *made = tns_block (w->ctx->arena, node->loc);
  for (int k = 0; k < node->n_kids; k++)
    tns_block_add (w->ctx->arena, made, as_first (w, node->kid[k]));
  return made;
}

/* The ends of block B of W's loop.  */
static void
find_ends (waiting *w, tns_sym *b)
{
  tns_arena *arena = w->ctx->arena;
  tns_expr *size = tns_int (arena, BLOCK);
  tns_expr *start = binary (w, TNS_MUL, tns_value (arena, b), size);
  w->lo = binary (w, TNS_ADD, w->loop->lo, start);
  w->hi = binary (w, TNS_MIN, w->loop->hi, binary (w, TNS_ADD, w->lo, size));
}

/* W's loop over blocks.  */
static tns_node *
in_blocks (waiting *w)
{
  tns_arena *arena = w->ctx->arena;
  const tns_node *loop = w->loop;
  tns_sym *b = tns_region_add_iter (arena, w->region, "block");
  find_ends (w, b);
  tns_node *first = as_first (w, loop->body);
  tns_expr *trip = binary (w, TNS_SUB, loop->hi, loop->lo);
  tns_expr *last = binary (w, TNS_ADD, trip, tns_int (arena, BLOCK - 1));
  tns_block_add (
    arena, w->rows,
    tns_loop (arena, loop->loc, loop->iter, w->lo, w->hi, 1, first));
  tns_block_add (
    arena, w->rows,
    tns_loop (arena, loop->loc, w->iter, w->lo, w->hi, 1, w->second));
  return tns_loop (arena, loop->loc, b, tns_int (arena, 0),
                   binary (w, TNS_FLOORDIV, last, tns_int (arena, BLOCK)), 1,
                   w->rows);
}

/* A LOOP, in blocks where sums wait in it.  */
static tns_node *
change_loop (tns_node *node, void *self)
{
  waiting w = *(const waiting *) self;
  bool dear = false;
  if (node->kind != TNS_LOOP || node->step != 1
      || !is_straight (node->body, &dear) || !dear
      || !some_waits (w.ctx, node, node->body))
    return node;
  w.loop = node;
  w.iter = tns_region_add_iter (w.ctx->arena, w.region, node->iter->name);
  w.rows = tns_block (w.ctx->arena, node->loc);
  w.second = tns_block (w.ctx->arena, node->loc);
  return in_blocks (&w);
}

tns_region *
tns_region_wait (tns_ctx *ctx, tns_region *region)
{
  if (!region || ctx->wish.fp == TNS_FP_STRICT)
    return region;
  waiting w = { .ctx = ctx, .region = tns_region_copy (ctx->arena, region) };
  w.region->body
    = tns_node_rebuild (ctx->arena, region->body, change_loop, NULL, &w);
  return w.region;
}
