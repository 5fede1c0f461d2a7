/* Exchanging k { i { S } } to i { k { S } }, from the inside out.

   Safe when the bounds of either loop do not mention the other, and every
   array that S writes is, in all of S's accesses to it, subscripted at one
   place by i + c with one c that does not change in the nest: then
   iterations of different i touch different elements, and those of one i
   keep their order.  An access that the bounds of the loops keep away from all
   that is written, as a[k][j] with k < i0 from a[i][j] with i >= i0, may be
   subscripted as it likes, and so may operands of what k is marked to sum.
   LOCALs declared inside of i are private to an iteration.

   A loop moves out of k only where k accumulates: no store depends on k.
   It does not: split bodies that are more than one loop, or reorder loops
   that the plan has not marked.  */

#include "lowering/outward.h"

#include "ir/stride.h"
#include "ir/walk.h"
#include "lowering/linear.h"

/* A loop that runs more often than this is not a register tile.  */
#define TILE_TRIP  256
#define MOST_LOOPS 8

/* The question whether what TARGET stores is separated by iter in nest.

   loop   the loops of the nest, from the outside in, as far as they are all
          that is in each other
   place  position of the subscript in question
   holds  the answer so far  */
typedef struct separation
{
  tns_arena *arena;
  tns_node *nest;
  int n_loops;
  tns_node *loop[MOST_LOOPS];
  const tns_sym *iter;
  const tns_expr *target;
  int place;
  bool holds;
} separation;

/* Note whether EXPR, if an access to the array, is subscripted as the target
   is, or is of elements that the nest does not store there.  */
static bool
note_access (tns_expr *expr, void *self)
{
  separation *s = self;
  long long d;
  if (!tns_expr_reads (expr) || expr->sym != s->target->sym)
    return s->holds;
  bool is_same = tns_linear_distance (s->arena, expr->arg[s->place],
                                      s->target->arg[s->place], &d)
                 && d == 0;
  s->holds = s->holds
             && (is_same
                 || (expr->op != TNS_GATHER
                     && tns_cells_never_meet (s->arena, s->target, expr,
                                              s->n_loops, s->loop)));
  return s->holds;
}

/* The same for all accesses of NODE; of what the nest is marked to sum, for
   what is stored: its operands are other elements.  */
static bool
note_accesses (tns_node *node, void *self)
{
  separation *s = self;
  if (s->nest->marks.summed != s->target->sym)
    tns_node_exprs (node, note_access, s);
  else if (node->kind == TNS_ASSIGN)
    note_access (node->target, s);
  return s->holds;
}

/* Note whether the subscript mentions the iterator of NODE, another one.  */
static bool
note_iter (tns_node *node, void *self)
{
  separation *s = self;
  if (node->kind == TNS_LOOP && node->iter != s->iter
      && tns_expr_mentions (s->target->arg[s->place], node->iter))
    s->holds = false;
  return s->holds;
}

/* Note whether the subscript reads memory.  */
static bool
note_memory (tns_expr *expr, void *self)
{
  separation *s = self;
  if (tns_expr_reads (expr))
    s->holds = false;
  return s->holds;
}

/* Place s->place of s->target separates the iterations of s->iter.  */
static bool
separates (separation *s)
{
  long long stride;
  tns_expr *subscript = s->target->arg[s->place];
  s->holds
    = tns_expr_stride (s->arena, subscript, s->iter, &stride) && stride != 0;
  if (s->holds)
    tns_expr_walk (subscript, note_memory, s);
  if (s->holds)
    tns_node_walk (s->nest, note_iter, s);
  if (s->holds)
    tns_node_walk (s->nest, note_accesses, s);
  return s->holds;
}

/* Note whether NODE, if a store, is to an array that is separated.  */
static bool
note_store (tns_node *node, void *self)
{
  separation *s = self;
  if (node->kind != TNS_ASSIGN)
    return true;
  s->target = node->target;
  if (tns_node_declares (s->nest, s->target->sym))
    return true;
  for (s->place = 0; s->place < s->target->sym->rank; s->place++)
    if (separates (s))
      return true;
  s->iter = NULL;
  return false;
}

/* The loop that is all of LOOP's body, or NULL.  */
static tns_node *
only_loop (const tns_node *loop)
{
  tns_node *body = loop->body;
  while (body->kind == TNS_BLOCK && body->n_kids == 1)
    body = body->kid[0];
  return body->kind == TNS_LOOP ? body : NULL;
}

/* The iterations of INNER, the body of OUTER, touch different elements of
   all that they write.  */
static bool
is_separate (tns_arena *arena, tns_node *outer, tns_node *inner)
{
  separation s = { .arena = arena, .nest = outer, .iter = inner->iter };
  for (tns_node *loop = outer; loop && s.n_loops < MOST_LOOPS;
       loop = only_loop (loop))
    s.loop[s.n_loops++] = loop;
  tns_node_walk (inner->body, note_store, &s);
  return s.iter;
}

/* Note whether EXPR reads what the nest writes.  */
static bool
note_read (tns_expr *expr, void *self)
{
  separation *s = self;
  if (tns_expr_reads (expr) && tns_node_writes (s->nest, expr->sym))
    s->holds = false;
  return s->holds;
}

/* The bounds of INNER are the same in all iterations of OUTER.  */
static bool
is_rectangular (tns_node *outer, tns_node *inner)
{
  separation s = { .nest = outer, .holds = true };
  tns_expr_walk (inner->lo, note_read, &s);
  tns_expr_walk (inner->hi, note_read, &s);
  return s.holds && !tns_expr_mentions (inner->lo, outer->iter)
         && !tns_expr_mentions (inner->hi, outer->iter);
}

/* Note whether NODE's target, or its bounds, mention the iterator.  */
static bool
note_dependence (tns_node *node, void *self)
{
  separation *s = self;
  if (node->kind == TNS_ASSIGN && tns_expr_mentions (node->target, s->iter))
    s->holds = false;
  if (node->kind == TNS_LOOP
      && (tns_expr_mentions (node->lo, s->iter)
          || tns_expr_mentions (node->hi, s->iter)))
    s->holds = false;
  return s->holds;
}

/* All iterations of OUTER store to the same elements.  */
static bool
accumulates (tns_node *outer)
{
  separation s = { .iter = outer->iter, .holds = true };
  tns_node_walk (outer->body, note_dependence, &s);
  return s.holds;
}

/* INNER shall and may move outside of OUTER.  */
static bool
may_exchange (tns_arena *arena, tns_node *outer, tns_node *inner)
{
  long long most;
  const tns_marks *out = &outer->marks, *in = &inner->marks;
  return (in->simd || in->unroll > 1) && !in->parallel && !out->parallel
         && !out->simd && out->unroll <= 1 && !in->n_reductions
         && tns_loop_trip_most (arena, inner, &most) && most <= TILE_TRIP
         && accumulates (outer) && is_rectangular (outer, inner)
         && is_separate (arena, outer, inner);
}

/* NODE, its parts done, with the loop below it moved out as long as that
   may be.  */
static tns_node *
move_outward (tns_node *node, void *self)
{
  tns_arena *arena = self;
  if (node->kind != TNS_LOOP)
    return node;
  tns_node *inner = only_loop (node);
  if (!inner || !may_exchange (arena, node, inner))
    return node;
  tns_node *out = tns_node_copy (arena, inner);
  tns_node *in = tns_node_copy (arena, node);
  in->body = inner->body;
  out->body = tns_block (arena, inner->loc);
  tns_block_add (arena, out->body, move_outward (in, arena));
  return out;
}

tns_node *
tns_node_outward (tns_ctx *ctx, tns_node *body)
{
  return tns_node_rebuild (ctx->arena, body, move_outward, NULL, ctx->arena);
}
