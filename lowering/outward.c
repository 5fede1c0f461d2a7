/* Exchanging k { i { S } } to i { k { S } }, from the inside out.

   Safe when the bounds of either loop do not mention the other, and every
   array that S writes is, in all of S's accesses to it, subscripted at one
   place by i + c with one c that does not change in the nest: then
   iterations of different i touch different elements, and those of one i
   keep their order.  LOCALs declared inside of i are private to an
   iteration.

   A loop moves out of k only where k accumulates: no store depends on k.
   It does not: split bodies that are more than one loop, or reorder loops
   that the plan has not marked.  */

#include "lowering/outward.h"

#include "ir/stride.h"
#include "ir/walk.h"
#include "lowering/linear.h"

/* A loop that runs more often than this is not a register tile.  */
#define TILE_TRIP 256

/* The question whether the array sym is separated by iter in nest.

   place  position of the subscript in question
   first  that subscript in the first access seen
   holds  the answer so far  */
typedef struct separation
{
  tns_arena *arena;
  tns_node *nest;
  const tns_sym *iter;
  const tns_sym *sym;
  int place;
  tns_expr *first;
  bool holds;
} separation;

/* Note whether EXPR, if an access to the array, is subscripted as the first
   was.  */
static bool
note_access (tns_expr *expr, void *self)
{
  separation *s = self;
  if (!tns_expr_reads (expr) || expr->sym != s->sym)
    return s->holds;
  long long stride, d;
  tns_expr *subscript = expr->arg[s->place];
  s->first = s->first ? s->first : subscript;
  if (!tns_expr_stride (s->arena, subscript, s->iter, &stride) || stride == 0
      || !tns_linear_distance (s->arena, subscript, s->first, &d) || d != 0)
    s->holds = false;
  return s->holds;
}

/* The same for all accesses of NODE.  */
static bool
note_accesses (tns_node *node, void *self)
{
  tns_node_exprs (node, note_access, self);
  return ((separation *) self)->holds;
}

/* Note whether the subscript mentions the iterator of NODE, another one.  */
static bool
note_iter (tns_node *node, void *self)
{
  separation *s = self;
  if (node->kind == TNS_LOOP && node->iter != s->iter
      && tns_expr_mentions (s->first, node->iter))
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

/* Place s->place of s->sym separates the iterations of s->iter.  */
static bool
separates (separation *s)
{
  s->holds = true;
  s->first = NULL;
  tns_node_walk (s->nest, note_accesses, s);
  if (s->first)
    {
      tns_expr_walk (s->first, note_memory, s);
      tns_node_walk (s->nest, note_iter, s);
    }
  return s->holds && s->first;
}

/* Note whether NODE, if a store, is to an array that is separated.  */
static bool
note_store (tns_node *node, void *self)
{
  separation *s = self;
  if (node->kind != TNS_ASSIGN)
    return true;
  s->sym = node->target->sym;
  if (tns_node_declares (s->nest, s->sym))
    return true;
  for (s->place = 0; s->place < s->sym->rank; s->place++)
    if (separates (s))
      return true;
  s->iter = NULL;
  return false;
}

/* The iterations of INNER, the body of OUTER, touch different elements of
   all that they write.  */
static bool
is_separate (tns_arena *arena, tns_node *outer, tns_node *inner)
{
  separation s = { .arena = arena, .nest = outer, .iter = inner->iter };
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

/* The loop that is all of LOOP's body, or NULL.  */
static tns_node *
only_loop (const tns_node *loop)
{
  tns_node *body = loop->body;
  while (body->kind == TNS_BLOCK && body->n_kids == 1)
    body = body->kid[0];
  return body->kind == TNS_LOOP ? body : NULL;
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
