/* Short inner loops written out, as ir/unroll.h says.

   A loop is written out when

   1. its bounds are constants and it runs at most MAX_TRIP times; so do the
      loops inside, which are written out with it;
   2. it holds nothing else but statements and conditions: at most MAX_COPIES
      copies of them, of which MAX_STATEMENTS are left when they are joined
      (ir/join.h);
   3. there is a loop around it, and each target moves with that loop or is
      local to its body: else the loops accumulate into one cell, and belong
      together (the window of a convolution over channels), but for records:
      MAX_RECORD elements at most of arrays of the caller, which move with the
      loop itself and no index finds,
      where that loop divides or calls a function beside it, which wants lanes;
   4. none of the user's clauses names it or a loop inside;
   5. neither its iterations nor those of a loop inside fill vectors, records
      apart.  They do where they move a target by one element, and where they
      add up SUM_BYTES or more of what they move by one element while the loop
      around jumps over it, as from record to record:

        for b { t = 0; for j = 0 to 16 t += x[b].q[j]*y[b].q[j]; ... }

      Written out, that would leave lanes along b with nothing but jumps.  They
      do not where they go along a row of the body around whose elements are
      named one by one there, as many as the loop has iterations: what a vector
      stores a scalar would wait for.

        for b { local v[8]; for k = 0 to 8 v[k] = x[8*b + k];
                v[0] = min (v[0], v[1]); ... }

   6. it does not add up more than MAX_TERMS products of which one operand
      stays with a loop around that the other moves with, and the other way
      round: a contraction, whose tiles use each operand again and again
   7. it does not slide a window over sums: its copies add to different
      elements of a target that some loop around does not move, and a
      subscript moves with it and a loop around.  They would be many sums:

        for k for h for kh = 0 to 3 {
          dx[h + kh] += dy[k][h] * w[k][kh];
          dw[k][kh] += dy[k][h] * x[h + kh];
        }

   The order of the statements does not change, so any fp mode may.  */

#include "ir/unroll.h"

#include "ir/copies.h"
#include "ir/join.h"
#include "ir/stride.h"
#include "ir/simplify.h"
#include "ir/walk.h"

#define MAX_TRIP       16
#define MAX_COPIES     128
#define MAX_STATEMENTS 48
#define MAX_TERMS      16
#define MAX_AROUND     16
#define MAX_RECORD     4
#define LANE_BYTES     16
#define SUM_BYTES      64

/* The pass: the loops around the nodes being rebuilt, OUTER[n_outer - 1] the
   innermost one.  */
typedef struct unroller
{
  tns_ctx *ctx;
  int n_outer;
  const tns_node *outer[MAX_AROUND];
} unroller;

/* A LOCAL node for SYM stands directly in BLOCK.  */
static bool
declares (const tns_node *block, const tns_sym *sym)
{
  for (int k = 0; k < block->n_kids; k++)
    if (block->kid[k]->kind == TNS_LOCAL && block->kid[k]->sym == sym)
      return true;
  return false;
}

/* TARGET is another cell in each iteration of AROUND.  */
static bool
moves (tns_expr *target, const tns_node *around)
{
  return tns_expr_mentions (target, around->iter)
         || declares (around->body, target->sym);
}

/* SYM is declared below NODE.  */
static bool
declares_below (const tns_node *node, const tns_sym *sym)
{
  if (node->kind == TNS_LOOP)
    return declares_below (node->body, sym);
  if (node->kind == TNS_IF)
    return declares_below (node->then, sym)
           || (node->otherwise && declares_below (node->otherwise, sym));
  for (int k = 0; k < node->n_kids; k++)
    if (declares_below (node->kid[k], sym))
      return true;
  return declares (node, sym);
}

/* Whether a loop's iterations are lanes: of some target, or of sums.

   around       what stands around the loop when it is written out
   strict       sums of floating numbers keep their order
   trip         of the loop
   target       a target moves by one element, and its vectors are filled
   sum_bytes    of the narrowest sum in all iterations; 0: there is none
   steps        an access moves by one element, and not by less than the trip
                with the loop around
   jumps        an access moves otherwise  */
typedef struct lane_search
{
  tns_arena *arena;
  const tns_node *loop;
  const tns_node *around;
  bool strict;
  long long trip;
  bool target;
  long long sum_bytes;
  bool steps;
  bool jumps;
} lane_search;

/* What ITER moves SUBSCRIPT by; 0 where that is no constant.  */
static long long
step_along (tns_arena *arena, tns_expr *subscript, const tns_sym *iter)
{
  long long step;
  return tns_expr_stride (arena, subscript, iter, &step) ? step : 0;
}

/* ACCESS moves by one element with S's loop.  */
static bool
moves_by_one (const lane_search *s, const tns_expr *access)
{
  for (int k = 0; k + 1 < access->n_args; k++)
    if (tns_expr_mentions (access->arg[k], s->loop->iter))
      return false;
  tns_expr *last = access->arg[access->n_args - 1];
  return tns_sym_is_dense (access->sym)
         && step_along (s->arena, last, s->loop->iter) == 1;
}

/* The visitor: note how EXPR moves where it is an access.  */
static bool
note_access (tns_expr *expr, void *self)
{
  lane_search *s = self;
  if (!tns_expr_reads (expr) || expr->n_args == 0)
    return true;
  tns_expr *last = expr->arg[expr->n_args - 1];
  long long around = step_along (s->arena, last, s->around->iter);
  bool is_near = around != 0 && around < s->trip && around > -s->trip;
  if (tns_expr_mentions (expr, s->loop->iter))
    {
      bool by_one = moves_by_one (s, expr) && !is_near;
      s->steps |= by_one && tns_expr_mentions (expr, s->around->iter);
      s->jumps |= !by_one;
    }
  return true;
}

/* NODE, an update, adds up what S's loop goes through: note it.  */
static void
note_sum (lane_search *s, const tns_node *node)
{
  tns_elem elem = node->target->type.elem;
  long long bytes = s->trip * tns_elem_bytes (elem);
  if (tns_expr_mentions (node->target, s->loop->iter)
      || declares_below (s->loop->body, node->target->sym)
      || (s->strict && tns_elem_is_float (elem)))
    return;
  if (s->sum_bytes == 0 || bytes < s->sum_bytes)
    s->sum_bytes = bytes;
}

/* The visitor: note how NODE's target and operands move with the loop.  */
static bool
note_lanes (tns_node *node, void *self)
{
  lane_search *s = self;
  if (node->kind != TNS_ASSIGN)
    return true;
  tns_expr *target = node->target;
  if (target->n_args > 0
      && step_along (s->arena, target->arg[target->n_args - 1], s->loop->iter)
           == 1)
    s->target |= s->trip * tns_elem_bytes (target->type.elem) >= LANE_BYTES;
  if (node->update != TNS_NONE)
    note_sum (s, node);
  tns_expr_walk (node->value, note_access, s);
  return true;
}

/* What one iteration of a nest executes.

   arena       for what is computed on the way
   wish        the user's clauses
   around      the loop around the nest
   inside      the body of the nest's first loop
   iter        that loop's iterator
   is_record   AROUND divides or calls a function beside the nest, which is
               of a record
   statements  how many, in all iterations of the loops inside
   is_plain    there is nothing but statements, conditions and short loops,
               and each target is fit to be written out  */
typedef struct content
{
  tns_arena *arena;
  const tns_wish *wish;
  const tns_node *around;
  const tns_node *inside;
  const tns_sym *iter;
  bool is_record;
  long long statements;
  bool is_plain;
} content;

/* How often elements of SYM are named by numbers.  */
typedef struct naming
{
  const tns_sym *sym;
  long long times;
} naming;

/* The visitor of expressions: count EXPR where it is such an element.  */
static bool
count_named (tns_expr *expr, void *self)
{
  naming *n = self;
  long long at;
  bool is_named = tns_expr_reads (expr) && expr->sym == n->sym;
  for (int k = 0; is_named && k < expr->n_args; k++)
    is_named = tns_expr_is_int (expr->arg[k], &at);
  n->times += is_named;
  return true;
}

/* The visitor of nodes.  */
static bool
count_all_named (tns_node *node, void *self)
{
  tns_node_exprs (node, count_named, self);
  return true;
}

/* LOOP goes along a row of the body around, AROUND's, whose elements are named
   there.  */
static bool
is_along_named (const tns_node *around, const tns_node *loop)
{
  for (int k = 0; k < around->body->n_kids; k++)
    {
      const tns_node *local = around->body->kid[k];
      naming n = { local->sym, 0 };
      if (local->kind != TNS_LOCAL || local->sym->rank != 1
          || !tns_node_mentions ((tns_node *) loop, local->sym))
        continue;
      tns_node_walk (around->body, count_all_named, &n);
      if (n.times >= tns_loop_constant_trip (loop))
        return true;
    }
  return false;
}

/* LOOP's iterations fill vectors, C's loop being the one around.  */
static bool
fills_lanes (const content *c, const tns_node *loop)
{
  lane_search s = { .arena = c->arena, .loop = loop, .around = c->around };
  s.trip = tns_loop_constant_trip (loop);
  s.strict = c->wish->fp == TNS_FP_STRICT;
  tns_node_walk ((tns_node *) loop, note_lanes, &s);
  bool fills = s.target || (s.steps && !s.jumps && s.sum_bytes >= SUM_BYTES);
  return fills && !is_along_named (c->around, loop);
}

/* The visitor: whether EXPR divides floating numbers or calls a function.  */
static bool
note_slow (tns_expr *expr, void *self)
{
  bool *slow = self;
  *slow |= tns_op_is_function (expr->op)
           || (expr->op == TNS_DIV && tns_elem_is_float (expr->type.elem));
  return !*slow;
}

/* TARGET is an element of an array of the caller that ITER moves and no index
   finds: stores to what is found take no lanes.  */
static bool
is_element (tns_expr *target, const tns_sym *iter)
{
  for (int k = 0; k < target->n_args; k++)
    if (tns_expr_loads (target->arg[k]))
      return false;
  return !tns_sym_is_local (target->sym) && tns_expr_mentions (target, iter);
}

/* What is stored to inside a loop.  */
typedef struct stores
{
  const tns_sym *iter;
  bool elements;
} stores;

/* The visitor: whether NODE stores to an element.  */
static bool
note_element (tns_node *node, void *self)
{
  stores *s = self;
  s->elements |= node->kind == TNS_ASSIGN && is_element (node->target, s->iter);
  return !s->elements;
}

/* NEST goes through a record, and statements of LOOP beside it divide or call
   functions.  */
static bool
is_record (const tns_node *loop, const tns_node *nest)
{
  bool slow = false;
  stores s = { nest->iter, false };
  tns_node_walk ((tns_node *) nest, note_element, &s);
  for (int k = 0; k < loop->body->n_kids && !slow; k++)
    if (loop->body->kid[k] != nest && loop->body->kid[k]->kind == TNS_ASSIGN)
      tns_expr_walk (loop->body->kid[k]->value, note_slow, &slow);
  return slow && s.elements && tns_loop_constant_trip (nest) <= MAX_RECORD;
}

/* Add what NODE executes COPIES times to C.  */
static void
add_content (content *c, const tns_node *node, long long copies)
{
  if (node->kind == TNS_ASSIGN)
    {
      c->statements += copies;
      c->is_plain &= moves (node->target, c->around)
                     || declares_below (c->inside, node->target->sym)
                     || (c->is_record && is_element (node->target, c->iter));
    }
  else if (node->kind == TNS_LOOP)
    {
      long long trip = tns_loop_constant_trip (node);
      c->is_plain &= trip >= 1 && trip <= MAX_TRIP
                     && !tns_loop_is_decided (c->wish, node)
                     && (c->is_record || !fills_lanes (c, node));
      if (c->is_plain)
        add_content (c, node->body, copies * trip);
    }
  else if (node->kind == TNS_IF)
    {
      add_content (c, node->then, copies);
      if (node->otherwise)
        add_content (c, node->otherwise, copies);
    }
  else if (node->kind == TNS_BLOCK)
    for (int k = 0; k < node->n_kids; k++)
      add_content (c, node->kid[k], copies);
  else
    c->is_plain &= node->kind == TNS_LOCAL;
}

/* Which loops around move the operands of an update: by loop of U, some
   operand does, some does not.

   pairs[x][y]  some operand moves with X and not with Y  */
typedef struct operands
{
  const unroller *u;
  bool pairs[MAX_AROUND][MAX_AROUND];
} operands;

/* The visitor: note how EXPR moves where it is an operand.  */
static bool
note_operand (tns_expr *expr, void *self)
{
  operands *o = self;
  if (!tns_expr_reads (expr) || expr->n_args == 0)
    return true;
  for (int x = 0; x < o->u->n_outer; x++)
    for (int y = 0; y < o->u->n_outer; y++)
      o->pairs[x][y] |= tns_expr_mentions (expr, o->u->outer[x]->iter)
                        && !tns_expr_mentions (expr, o->u->outer[y]->iter);
  return true;
}

/* A question about a nest: whether a contraction stands in it, and whether a
   window slides over sums.

   loop    of the nest, the one whose body is visited
   slides  a subscript of the statement at hand moves with it and with a loop
           around  */
typedef struct contraction
{
  const unroller *u;
  const tns_node *loop;
  bool found;
  bool slides;
  bool is_window;
} contraction;

/* The visitor: note whether a subscript of EXPR moves with the loop and with
   one around.  */
static bool
note_sliding (tns_expr *expr, void *self)
{
  contraction *c = self;
  for (int k = 0; tns_expr_reads (expr) && k < expr->n_args; k++)
    for (int x = 0; x < c->u->n_outer; x++)
      c->slides |= tns_expr_mentions (expr->arg[k], c->loop->iter)
                   && tns_expr_mentions (expr->arg[k], c->u->outer[x]->iter);
  return true;
}

/* Some loop of U does not move TARGET.  */
static bool
is_summed (const unroller *u, tns_expr *target)
{
  for (int x = 0; x < u->n_outer; x++)
    if (!tns_expr_mentions (target, u->outer[x]->iter))
      return true;
  return false;
}

/* NODE, an update, adds up a window that the loop of C slides.  */
static bool
is_window_of (contraction *c, const tns_node *node)
{
  c->slides = false;
  tns_expr_walk (node->target, note_sliding, c);
  tns_expr_walk (node->value, note_sliding, c);
  return c->slides && tns_expr_mentions (node->target, c->loop->iter)
         && is_summed (c->u, node->target);
}

/* The visitor: note whether NODE is one.  */
static bool
note_contraction (tns_node *node, void *self)
{
  contraction *c = self;
  if (node->kind == TNS_LOOP)
    c->loop = node;
  if (node->kind != TNS_ASSIGN || node->update == TNS_NONE)
    return true;
  operands o = { .u = c->u };
  tns_expr_walk (node->value, note_operand, &o);
  for (int x = 0; x < c->u->n_outer; x++)
    for (int y = 0; y < x; y++)
      c->found |= o.pairs[x][y] && o.pairs[y][x];
  c->is_window |= is_window_of (c, node);
  return true;
}

/* LOOP adds up products as condition 6 says, executing STATEMENTS, or slides a
   window as condition 7 does.  */
static bool
is_contraction (const unroller *u, const tns_node *loop, long long statements)
{
  contraction c = { .u = u };
  tns_node_walk ((tns_node *) loop, note_contraction, &c);
  return c.is_window || (c.found && statements > MAX_TERMS);
}

/* LOOP, inside U's, and the loops inside may be written out.  */
static bool
is_window (const unroller *u, const tns_node *loop)
{
  if (u->n_outer == 0)
    return false;
  const tns_node *around = u->outer[u->n_outer - 1];
  content c = { .arena = u->ctx->arena,
                .wish = &u->ctx->wish,
                .around = around,
                .inside = loop->body,
                .iter = loop->iter,
                .is_record = is_record (around, loop),
                .is_plain = true };
  add_content (&c, loop, 1);
  return c.is_plain && c.statements > 0 && c.statements <= MAX_COPIES
         && !is_contraction (u, loop, c.statements);
}

static tns_node *rebuild (unroller *u, tns_node *node);

/* LOOP, and the loops inside, written out.  */
static tns_node *
write_out (unroller *u, const tns_node *loop)
{
  long long trip = tns_loop_constant_trip (loop);
  tns_node plain = *loop;
  if (tns_ctx_breaks (u->ctx, "unroll"))
    plain.step = 1;
  tns_node *all = tns_block (u->ctx->arena, loop->loc);
  for (int k = 0; k < trip; k++)
    tns_block_add (u->ctx->arena, all,
                   rebuild (u, tns_loop_copy (u->ctx->arena, &plain, k)));
  return tns_block_join (u->ctx, all);
}

/* The statements of NODE, which holds no loops.  */
static int
count_statements (const tns_node *node)
{
  int n = node->kind == TNS_ASSIGN;
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    n += count_statements (node->kid[k]);
  if (node->kind == TNS_IF)
    n = count_statements (node->then)
        + (node->otherwise ? count_statements (node->otherwise) : 0);
  return n;
}

/* LOOP written out, or with its body rebuilt.  */
static tns_node *
rebuild_loop (unroller *u, tns_node *loop)
{
  tns_node *all = is_window (u, loop) ? write_out (u, loop) : NULL;
  if (all && count_statements (all) <= MAX_STATEMENTS)
    return all;
  tns_node *copy = tns_node_copy (u->ctx->arena, loop);
  if (u->n_outer == MAX_AROUND)
    return copy;
  u->outer[u->n_outer++] = copy;
  copy->body = rebuild (u, loop->body);
  u->n_outer--;
  return copy;
}

/* What is left of NODE, an IF, when its condition is known: NODE itself, a
   branch, or an empty block.  */
static tns_node *
taken_branch (const unroller *u, tns_node *node)
{
  long long holds = 0;
  node->cond = tns_expr_simplify (u->ctx, node->cond);
  if (!tns_expr_is_int (node->cond, &holds))
    return node;
  tns_node *taken = holds ? node->then : node->otherwise;
  return taken ? taken : tns_block (u->ctx->arena, node->loc);
}

/* NODE with its loops written out.  */
static tns_node *
rebuild (unroller *u, tns_node *node)
{
  if (node->kind == TNS_LOOP)
    return rebuild_loop (u, node);
  if (node->kind != TNS_BLOCK && node->kind != TNS_IF)
    return node;
  tns_node *copy = tns_node_copy (u->ctx->arena, node);
  if (node->kind == TNS_IF)
    {
      copy->then = rebuild (u, node->then);
      copy->otherwise = node->otherwise ? rebuild (u, node->otherwise) : NULL;
      return taken_branch (u, copy);
    }
  for (int k = 0; k < node->n_kids; k++)
    copy->kid[k] = rebuild (u, node->kid[k]);
  return copy;
}

tns_region *
tns_region_unroll (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  unroller u = { .ctx = ctx };
  tns_region *out = tns_region_copy (ctx->arena, region);
  out->body = rebuild (&u, region->body);
  return out;
}
