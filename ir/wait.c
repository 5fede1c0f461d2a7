/* Sums put off, as ir/wait.h says.

   A loop of step 1 around nothing but assignments and LOCALs, one of which
   divides or calls a function.  What waits is a sum of floating numbers whose
   target the loop moves by LEAST to MOST elements; nothing in the loop reads
   that array, and all else that is stored to it is a sum, too.

   Where an index that the loop moves finds the target, inner loops of MOST
   iterations may stand around the sum, too: they come again in the second
   loop; the index does not change in the first.  What an inner loop counts is
   a row of its own.  Such a loop is long as far as that is known: SHORT
   iterations, and no ends that are loaded.  What is dear is so in each
   iteration: under a condition, or in a branch of a choice, it may be rare,
   and lanes would do more of it.  */

#include "ir/wait.h"

#include "ir/copies.h"
#include "ir/stride.h"
#include "ir/walk.h"

#define LEAST      2
#define MOST       4
#define MOST_INNER 2
#define BLOCK      256
#define SHORT      16

/* The loop at hand.

   straight  nothing but assignments and LOCALs stands in it
   finds     sums that an index finds may wait, too
   lo, hi    of a block of its iterations
   rows      a block's rows, and its two loops
   n         iterators: FROM[0] is the loop's, the others those of the loops
             inside that NODEs at hand stand in, outermost first; TO[k] stands
             for FROM[k] in the second loop, which EXTENT[k] iterations have  */
typedef struct waiting
{
  tns_ctx *ctx;
  tns_region *region;
  const tns_node *loop;
  bool straight;
  bool finds;
  tns_expr *lo;
  tns_expr *hi;
  tns_node *rows;
  int n;
  tns_sym *from[1 + MOST_INNER];
  tns_expr *to[1 + MOST_INNER];
  tns_expr *extent[1 + MOST_INNER];
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

/* The visitor: the same, outside of branches.  */
static bool
note_always_dear (tns_expr *expr, void *self)
{
  return expr->op != TNS_SELECT && note_dear (expr, self);
}

/* The visitor: whether NODE is always dear.  */
static bool
note_assign (tns_node *node, void *self)
{
  if (node->kind == TNS_ASSIGN)
    tns_expr_walk (node->value, note_always_dear, self);
  return !*(bool *) self;
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

/* What an expression depends on: BODY, a loop's, changes none of it.  */
typedef struct reliance
{
  tns_node *body;
  bool holds;
} reliance;

/* The visitor.  */
static bool
note_reliance (tns_expr *expr, void *self)
{
  reliance *r = self;
  if (tns_expr_reads (expr))
    r->holds &= !tns_node_declares (r->body, expr->sym)
                && !tns_node_writes (r->body, expr->sym);
  return r->holds;
}

/* EXPR is the same after BODY.  */
static bool
stays (tns_node *body, tns_expr *expr)
{
  reliance r = { body, true };
  tns_expr_walk (expr, note_reliance, &r);
  return r.holds;
}

/* NODE holds nothing else but short loops, DEPTH of them around it.  *DEAR as
   above.  */
static bool
is_simple (const tns_node *node, int depth, bool *dear)
{
  if (node->kind == TNS_LOOP)
    {
      long long trip = tns_loop_constant_trip (node);
      return depth < MOST_INNER && tns_loop_is_plain (node) && trip >= 1
             && trip <= MOST && is_simple (node->body, depth + 1, dear);
    }
  bool simple = true;
  for (int k = 0; k < node->n_kids && simple; k++)
    simple = is_simple (node->kid[k], depth, dear);
  return simple && (node->kind == TNS_BLOCK || is_straight (node, dear));
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

/* NODE only adds to SYM.  */
static bool
only_adds (const tns_node *node, const tns_sym *sym)
{
  if (node->kind == TNS_LOCAL)
    return node->sym != sym;
  if (node->kind == TNS_ASSIGN)
    return !reads (node, sym) && (node->target->sym != sym || is_sum (node));
  if (node->kind == TNS_LOOP)
    return only_adds (node->body, sym);
  for (int k = 0; k < node->n_kids; k++)
    if (!only_adds (node->kid[k], sym))
      return false;
  return true;
}

/* A subscript of TARGET loads; *MOVED: one that does moves with ITER.  */
static bool
is_indexed (const tns_expr *target, const tns_sym *iter, bool *moved)
{
  bool found = false;
  *moved = false;
  for (int k = 0; k < target->n_args; k++)
    if (tns_expr_loads (target->arg[k]))
      {
        found = true;
        *moved |= tns_expr_mentions (target->arg[k], iter);
      }
  return found;
}

/* The subscripts of TARGET are the same after W's loop.  */
static bool
is_found_again (const waiting *w, const tns_expr *target)
{
  for (int k = 0; k < target->n_args; k++)
    if (!stays (w->loop->body, target->arg[k]))
      return false;
  return true;
}

/* NODE, of W's loop, is a sum that waits.  */
static bool
waits (const waiting *w, const tns_node *node)
{
  long long by = 0;
  bool moved;
  if (node->kind != TNS_ASSIGN || node->target->n_args == 0 || !is_sum (node)
      || !(only_adds (w->loop->body, node->target->sym)
           || tns_ctx_breaks (w->ctx, "wait")))
    return false;
  if (is_indexed (node->target, w->loop->iter, &moved))
    return moved && w->finds && is_found_again (w, node->target);
  return w->straight
         && tns_access_distance (w->ctx->arena, node->target, w->loop->iter,
                                 &by)
         && by >= LEAST && by <= MOST;
}

/* Sums that an index finds may wait in LOOP: something is always dear, and it
   may be longer than a vector, as its ends are not loaded, like those of rows
   of unlike lengths, and not both constants close to each other.  */
static bool
may_find (const tns_node *loop)
{
  long long trip = tns_loop_constant_trip (loop);
  bool dear = false;
  tns_node_walk (loop->body, note_assign, &dear);
  return dear && !tns_expr_loads (loop->lo) && !tns_expr_loads (loop->hi)
         && (trip == 0 || trip >= SHORT);
}

/* Some node of W's loop, at NODE or below, waits.  */
static bool
some_waits (const waiting *w, const tns_node *node)
{
  if (node->kind == TNS_LOOP)
    return some_waits (w, node->body);
  bool some = waits (w, node);
  for (int k = 0; k < node->n_kids; k++)
    some |= some_waits (w, node->kid[k]);
  return some;
}

/* EXPR as the second loop has it.  */
static tns_expr *
as_second (const waiting *w, tns_expr *expr)
{
  return tns_expr_substitute (w->ctx->arena, expr, w->n, w->from, w->to);
}

/* The place of NODE, which waits, in a row of its own.  */
static tns_expr *
add_row (waiting *w, const tns_node *node)
{
  tns_arena *arena = w->ctx->arena;
  tns_expr *at[1 + MOST_INNER];
  unsigned role = w->region->derived ? TNS_SYM_ADJOINT : 0;
  tns_sym *row
    = tns_region_add_array (arena, w->region, "wait", node->target->type.elem,
                            w->n, TNS_SYM_LOCAL | role);
  for (int k = 0; k < w->n; k++)
    {
      int from = (k + 1) % w->n;
      at[k] = tns_value (arena, w->from[from]);
      row->extent[k] = w->extent[from];
    }
  at[w->n - 1] = binary (w, TNS_SUB, at[w->n - 1], w->lo);
  tns_block_add (arena, w->rows, tns_local (arena, node->loc, row));
  return tns_load (arena, row, at);
}

/* What stands for NODE, which waits: a store to a row of its own; its sum goes
   to SECOND.  */
static tns_node *
put_off (waiting *w, const tns_node *node, tns_node *second)
{
  tns_arena *arena = w->ctx->arena;
  tns_expr *place = add_row (w, node);
  tns_node *set = tns_assign (arena, node->loc, place, TNS_NONE, node->value);
  set->name = tns_arena_format (arena, "%s_%s", node->name, place->sym->name);
  tns_node *sum = tns_node_copy (arena, node);
  sum->target = as_second (w, node->target);
  sum->value = as_second (w, place);
  sum->apart = true;
  tns_block_add (arena, second, sum);
  return set;
}

static tns_node *as_first (waiting *w, tns_node *node, tns_node *second);

/* The same for NODE, a LOOP.  */
static tns_node *
put_off_loop (waiting *w, const tns_node *node, tns_node *second)
{
  tns_arena *arena = w->ctx->arena;
  tns_node *made = tns_node_copy (arena, node);
  tns_node *body = tns_block (arena, node->loc);
  tns_sym *iter = tns_region_add_iter (arena, w->region, node->iter->name);
  w->from[w->n] = node->iter;
  w->to[w->n] = tns_value (arena, iter);
  w->extent[w->n++] = node->hi;
  made->body = as_first (w, node->body, body);
  w->n--;
  if (body->n_kids > 0)
    tns_block_add (
      arena, second,
      tns_loop (arena, node->loc, iter, node->lo, node->hi, 1, body));
  return made;
}

/* NODE of W's loop as the first one has it; what waits goes to SECOND.  */
static tns_node *
as_first (waiting *w, tns_node *node, tns_node *second)
{
  if (waits (w, node))
    return put_off (w, node, second);
  if (node->kind == TNS_LOOP)
    return put_off_loop (w, node, second);
  if (node->kind != TNS_BLOCK)
    return node;
  tns_node *made = tns_block (w->ctx->arena, node->loc);
  for (int k = 0; k < node->n_kids; k++)
    tns_block_add (w->ctx->arena, made, as_first (w, node->kid[k], second));
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
  tns_sym *iter = tns_region_add_iter (arena, w->region, loop->iter->name);
  tns_sym *b = tns_region_add_iter (arena, w->region, "block");
  tns_node *second = tns_block (arena, loop->loc);
  find_ends (w, b);
  w->n = 1;
  w->from[0] = loop->iter;
  w->to[0] = tns_value (arena, iter);
  w->extent[0] = tns_int (arena, BLOCK);
  tns_node *first = as_first (w, loop->body, second);
  tns_expr *trip = binary (w, TNS_SUB, loop->hi, loop->lo);
  tns_expr *last = binary (w, TNS_ADD, trip, tns_int (arena, BLOCK - 1));
  tns_block_add (
    arena, w->rows,
    tns_loop (arena, loop->loc, loop->iter, w->lo, w->hi, 1, first));
  tns_block_add (arena, w->rows,
                 tns_loop (arena, loop->loc, iter, w->lo, w->hi, 1, second));
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
  if (node->kind != TNS_LOOP || node->step != 1)
    return node;
  w.loop = node;
  w.straight = is_straight (node->body, &dear);
  w.finds = may_find (node);
  if (!is_simple (node->body, 0, &dear) || !dear
      || !some_waits (&w, node->body))
    return node;
  w.rows = tns_block (w.ctx->arena, node->loc);
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
