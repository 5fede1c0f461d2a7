/* Sums apart from the rest of their loop, as lowering/apart.h says.

   Each half keeps the statements that write what it is for, and those that
   variables of an iteration need which these read.  */

#include "lowering/apart.h"

#include "ir/fresh.h"
#include "ir/walk.h"
#include "lowering/versions.h"

/* A half of LOOP under construction.

   sym     what is summed
   sums    this half does
   needed  by symbol id: what writes it stays
   grew    more was found to be needed
   good    it can be done
   some    it writes something  */
typedef struct half
{
  tns_arena *arena;
  tns_node *loop;
  const tns_sym *sym;
  bool sums;
  bool *needed;
  bool grew;
  bool good;
  bool some;
} half;

/* SYM is a variable of an iteration.  */
static bool
is_own (const half *h, const tns_sym *sym)
{
  return tns_node_declares (h->loop->body, sym);
}

/* The visitor of what is read for the half.  */
static bool
need (tns_expr *expr, void *self)
{
  half *h = self;
  if (!tns_expr_reads (expr))
    return true;
  if (!is_own (h, expr->sym))
    h->good &= h->sums ? !tns_node_writes (h->loop->body, expr->sym)
                       : expr->sym != h->sym;
  else if (!h->needed[expr->sym->id])
    h->grew = h->needed[expr->sym->id] = true;
  return true;
}

/* A search for what NODE is for.  */
typedef struct search
{
  const half *h;
  bool found;
  bool is_sum;
} search;

/* The visitor.  */
static bool
find_needed (tns_node *node, void *self)
{
  search *s = self;
  if (node->kind == TNS_ASSIGN)
    {
      s->found |= s->h->needed[node->target->sym->id];
      s->is_sum |= node->target->sym == s->h->sym;
    }
  return true;
}

/* The visitor of nodes: what those that stay need.  A loop that stays where
   sums are made has some in it.  */
static bool
note_node (tns_node *node, void *self)
{
  half *h = self;
  search s = { h, false, false };
  tns_node_walk (node, find_needed, &s);
  if (!s.found || node->kind == TNS_LOCAL || node->kind == TNS_BLOCK)
    return s.found;
  if (node->kind == TNS_LOOP)
    h->good &= !h->sums || s.is_sum;
  if (node->kind != TNS_ASSIGN)
    {
      tns_node_exprs (node, need, h);
      return true;
    }
  for (int k = 0; k < node->target->n_args; k++)
    tns_expr_walk (node->target->arg[k], need, h);
  tns_expr_walk (node->value, need, h);
  tns_expr_walk (node->mask, need, h);
  h->good &= node->target->sym != h->sym || node->update != TNS_NONE;
  return true;
}

/* The visitor that notes what the half is for.  */
static bool
note_purpose (tns_node *node, void *self)
{
  half *h = self;
  const tns_sym *target = node->kind == TNS_ASSIGN ? node->target->sym : NULL;
  if (target && (target == h->sym) == h->sums && !is_own (h, target))
    h->some = h->needed[target->id] = true;
  return true;
}

/* LOOP with the lanes that it has, and with those of its reductions that are
   still made.  */
static tns_node *
with_lanes (const half *h, const tns_node *loop)
{
  tns_node *made = tns_node_copy (h->arena, loop);
  made->marks = (tns_marks){ .simd = loop->marks.simd,
                             .accumulators = loop->marks.accumulators };
  for (int k = 0; k < loop->marks.n_reductions && made->marks.simd; k++)
    {
      const tns_reduction *r = &loop->marks.reductions[k];
      if (r->sym != h->sym && h->needed[r->sym->id])
        tns_marks_add_reduction (h->arena, &made->marks, r->sym, r->op);
    }
  return made;
}

/* The changer: what nobody needs is dropped.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  const half *h = self;
  switch (node->kind)
    {
    case TNS_LOCAL:
      return h->needed[node->sym->id] ? node : NULL;
    case TNS_ASSIGN:
      return h->needed[node->target->sym->id] ? node : NULL;
    case TNS_LOOP:
      return node->body->n_kids ? with_lanes (h, node) : NULL;
    case TNS_IF:
      return node->then->n_kids || (node->otherwise && node->otherwise->n_kids)
               ? node
               : NULL;
    default:
      return node;
    }
}

/* The half of LOOP, of REGION, that SUMS into SYM, or the other; NULL where it
   cannot be, or does nothing.  */
static tns_node *
half_of (tns_ctx *ctx, tns_region *region, tns_node *loop, const tns_sym *sym,
         bool sums)
{
  half h = { .arena = ctx->arena,
             .loop = loop,
             .sym = sym,
             .sums = sums,
             .needed = TNS_NEW_ARRAY (ctx->arena, bool, region->n_syms + 1),
             .grew = true,
             .good = true };
  tns_node_walk (loop->body, note_purpose, &h);
  while (h.grew && h.good && h.some)
    {
      h.grew = false;
      tns_node_walk (loop->body, note_node, &h);
    }
  if (!h.good || !h.some)
    return NULL;
  tns_node *made = tns_node_rebuild (ctx->arena, loop, change_node, NULL, &h);
  return made ? tns_node_fresh (ctx, region, made) : NULL;
}

tns_node *
tns_loop_apart (tns_ctx *ctx, tns_region *region, tns_node *loop,
                tns_node *otherwise)
{
  const tns_marks *marks = &loop->marks;
  const tns_sym *sym = marks->n_reductions ? marks->reductions[0].sym : NULL;
  if (marks->n_reductions != 1 || sym->rank == 0 || marks->collapse > 1)
    return NULL;
  tns_node *rest = half_of (ctx, region, loop, sym, false);
  tns_node *sums = rest ? half_of (ctx, region, loop, sym, true) : NULL;
  if (!sums)
    return NULL;
  rest->marks.parallel = true;
  tns_node *both = tns_block (ctx->arena, loop->loc);
  tns_block_add (ctx->arena, both, rest);
  tns_block_add (ctx->arena, both, sums);
  tns_expr *pays = tns_work_pays (ctx, tns_loop_work (ctx, loop));
  return tns_if (ctx->arena, loop->loc, pays, both, otherwise);
}
