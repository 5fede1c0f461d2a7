/* The arguments of derivatives, as autodiff/back.h says.  */

#include "autodiff/back.h"

#include "autodiff/attained.h"
#include "autodiff/hull.h"
#include "autodiff/sweep.h"
#include "autodiff/tapes.h"
#include "ir/handed.h"
#include "ir/walk.h"

/* The reversal of a call.

   call      of the function
   s         its site
   part      what is made
   bar       the adjoint of what it returns, or NULL
   number    by argument: the adjoint of a number, a cell, or NULL  */
typedef struct reversal
{
  const tns_back *about;
  const tns_partials *partials;
  tns_arena *arena;
  const tns_view *view;
  const tns_node *node;
  const tns_expr *call;
  int s;
  tns_node *part;
  tns_expr *bar;
  tns_expr **number;
  bool failed;
} reversal;

/* EXPR, of the function, as the backward pass has it.  */
static tns_expr *
value_of (const reversal *r, tns_expr *expr)
{
  return r->partials->value (r->partials->self, expr);
}

/* Append PLACE = VALUE to R's part.  */
static void
set (const reversal *r, tns_expr *place, tns_expr *made)
{
  tns_block_add (r->arena, r->part,
                 tns_assign (r->arena, r->node->loc, place, TNS_NONE, made));
}

/* Argument K of R's call, a place, as it was.  */
static tns_expr *
place_then (const reversal *r, int k)
{
  tns_expr *load = r->call->arg[k];
  tns_expr **sub = TNS_NEW_ARRAY (r->arena, tns_expr *, load->n_args + 1);
  if (r->about->notes)
    tns_needs_read (r->about->needs, r->s, load, r->call->arg[k + 1]);
  tns_expr *taped = tns_tape_value (r->about->needs, r->s, load);
  if (taped != load)
    return taped;
  for (int i = 0; i < load->n_args; i++)
    sub[i] = value_of (r, load->arg[i]);
  return tns_load (r->arena, load->sym, sub);
}

tns_expr *
tns_back_nothing (tns_ctx *ctx, tns_region *region, const tns_view *view, int s,
                  const tns_expr *call, int k, tns_node *block)
{
  tns_arena *arena = ctx->arena;
  const tns_sym *own = call->arg[k]->sym;
  bool is_place = tns_argument_is_place (call, k);
  tns_expr *first = tns_int (arena, 0);
  tns_expr *count
    = is_place ? tns_hull (arena, view, s, call->arg[k + 1], true) : first;
  long long n;
  if (!count || (tns_expr_is_int (count, &n) && n < 0))
    return tns_refuse (ctx, block->loc, TNS_WHY_TEMPORARY, tns_sym_words (own));
  tns_sym *made
    = tns_region_add_array (arena, region, "unused", call->arg[k]->type.elem,
                            is_place, TNS_SYM_LOCAL | TNS_SYM_ADJOINT);
  if (is_place)
    made->extent[0] = tns_binary (arena, TNS_MAX, first, count);
  made->loc = block->loc;
  tns_block_add (arena, block, tns_local (arena, block->loc, made));
  tns_sweep (ctx, region, block, made, TNS_NONE, NULL, NULL);
  return tns_load (arena, made, &first);
}

/* The adjoint that goes in the place of argument K of R's call; NULL with the
   reason said.  */
static tns_expr *
adjoint_then (reversal *r, int k)
{
  tns_expr *own = r->call->arg[k];
  bool is_place = tns_argument_is_place (r->call, k);
  if (is_place && r->partials->adjoint[own->sym->id])
    return tns_partials_place (r->partials, own);
  tns_expr *made = tns_back_nothing (r->partials->ctx, r->partials->region,
                                     r->view, r->s, r->call, k, r->part);
  r->failed |= !made;
  if (!is_place)
    r->number[k] = made;
  return made;
}

/* The derivative of R's call adds to an adjoint for argument K; one that
   ENTERS.  */
static bool
has_adjoint (const reversal *r, int k, bool enters)
{
  const tns_sym *back = r->call->sym->back;
  for (int b = 0; b < back->rank; b++)
    if (back->argument[b].adjoint && back->argument[b].of == k
        && back->argument[b].kind == TNS_HANDED_WRITTEN
        && (!enters || back->argument[b].enters))
      return true;
  return false;
}

/* Nothing that counts is in argument K, an array, before R's call: nothing else
   writes it before, and what this has written it leaves alone.  */
static bool
is_fresh (const reversal *r, int k)
{
  const tns_view *view = r->view;
  const tns_sym *sym = r->call->arg[k]->sym;
  bool fresh = !r->about->enters[sym->id];
  for (int s = 0; s < r->s; s++)
    fresh &= view->site[s].node->kind != TNS_ASSIGN
             || view->site[s].node->target->sym != sym;
  return fresh
         && (tns_view_is_once (view, r->s, view->home[sym->id])
             || tns_places_tile (r->arena, view, r->s, view->home[sym->id],
                                 r->call->arg[k], r->call->arg[k + 1]));
}

/* The adjoint that argument K of R's call needs can be had.  */
static bool
is_known (const reversal *r, int k)
{
  bool is_written = r->call->sym->argument[k].kind == TNS_HANDED_WRITTEN;
  bool varies = tns_argument_is_place (r->call, k)
                  ? r->partials->adjoint[r->call->arg[k]->sym->id] != NULL
                  : tns_expr_varies (r->call->arg[k], r->partials->adjoint);
  return !varies || has_adjoint (r, k, is_written)
         || (is_written && is_fresh (r, k));
}

/* All adjoints that R needs can be had.  False with the reason said.  */
static bool
check (const reversal *r)
{
  for (int k = 0; k < r->call->n_args; k++)
    if (!is_known (r, k))
      {
        const char *what = tns_argument_is_place (r->call, k)
                             ? tns_sym_words (r->call->arg[k]->sym)
                             : "a number";
        tns_refuse (r->partials->ctx, r->node->loc, TNS_WHY_DERIVATIVE,
                    tns_arena_format (r->arena, "what %s finds in %s",
                                      tns_sym_words (r->call->sym), what));
        return false;
      }
  return true;
}

/* Argument B of the derivative in R; NULL with the reason said.  */
static tns_expr *
argument_of (reversal *r, const tns_handed *b)
{
  if (b->of < 0)
    return r->bar;
  if (b->kind == TNS_HANDED_COUNT)
    return tns_argument_is_place (r->call, b->of)
             ? value_of (r, r->call->arg[b->of + 1])
             : tns_int (r->arena, 1);
  if (b->adjoint)
    return adjoint_then (r, b->of);
  return tns_argument_is_place (r->call, b->of)
           ? place_then (r, b->of)
           : value_of (r, r->call->arg[b->of]);
}

/* Let R's bar have the adjoint of what the call returns, and that be 0.  */
static void
take_bar (reversal *r)
{
  tns_expr *place = tns_partials_place (r->partials, r->node->target);
  tns_sym *cell = tns_region_add_array (r->arena, r->partials->region, "t",
                                        place->type.elem, 0, TNS_SYM_LOCAL);
  tns_block_add (r->arena, r->part, tns_local (r->arena, r->node->loc, cell));
  r->bar = tns_cell (r->arena, cell);
  set (r, r->bar, place);
  set (r, place, tns_real (r->arena, place->type.elem, 0));
}

/* Append the call of the derivative to R's part.  */
static void
add_call (reversal *r)
{
  tns_sym *back = r->call->sym->back;
  tns_expr **arg = TNS_NEW_ARRAY (r->arena, tns_expr *, back->rank + 1);
  tns_expr *target = NULL;
  for (int b = 0; b < back->rank && !r->failed; b++)
    {
      arg[b] = argument_of (r, &back->argument[b]);
      if (back->argument[b].kind == TNS_HANDED_WRITTEN)
        target = arg[b];
    }
  if (r->failed)
    return;
  tns_expr *made
    = tns_make (r->arena, TNS_CALL, back->type, back, back->rank, arg);
  made->loc = r->node->loc;
  set (r, target, made);
}

bool
tns_back_call (const tns_back *back, tns_node *block, const tns_node *node,
               int s)
{
  const tns_partials *partials = back->partials;
  tns_arena *arena = partials->ctx->arena;
  reversal r
    = { .about = back,
        .partials = partials,
        .arena = arena,
        .view = back->needs->flow->view,
        .node = node,
        .call = node->value,
        .s = s,
        .part = tns_block (arena, node->loc),
        .number = TNS_NEW_ARRAY (arena, tns_expr *, node->value->n_args + 1) };
  if (!partials->adjoint[node->target->sym->id])
    return true;
  if (!r.call->sym->back)
    tns_refuse (partials->ctx, node->loc, TNS_WHY_DERIVATIVE,
                tns_sym_words (r.call->sym));
  if (!r.call->sym->back || !check (&r))
    return false;
  if (!tns_call_writes (node->value, node->target->sym))
    take_bar (&r);
  add_call (&r);
  for (int k = 0; k < r.call->n_args && !r.failed; k++)
    if (r.number[k] && tns_expr_varies (r.call->arg[k], partials->adjoint))
      r.failed
        = !tns_partials_add (partials, r.part, r.call->arg[k], r.number[k]);
  tns_partials_settle (r.part, node);
  tns_block_add (arena, block, r.part);
  return !r.failed;
}
