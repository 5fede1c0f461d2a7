/* Tangents of calls, as autodiff/ahead.h says.  */

#include "autodiff/ahead.h"

#include "autodiff/attained.h"
#include "autodiff/back.h"
#include "autodiff/sweep.h"
#include "ir/handed.h"
#include "ir/walk.h"

/* The tangent of a call, at site S.

   block  of what is made
   place  what it sets  */
typedef struct advance
{
  const tns_tangent *about;
  const tns_partials *partials;
  tns_arena *arena;
  const tns_node *node;
  const tns_expr *call;
  int s;
  tns_node *block;
  tns_expr *place;
} advance;

/* Argument K of A's call varies.  */
static bool
varies (const advance *a, int k)
{
  return tns_argument_is_place (a->call, k)
           ? a->about->tangent[a->call->arg[k]->sym->id] != NULL
           : tns_expr_varies (a->call->arg[k], a->about->tangent);
}

/* The tangent of A's call takes that of argument K.  */
static bool
takes (const advance *a, int k)
{
  const tns_sym *ahead = a->call->sym->ahead;
  for (int b = 0; b < ahead->rank; b++)
    {
      const tns_handed *one = &ahead->argument[b];
      if (one->adjoint && one->of == k
          && (one->kind == TNS_HANDED_PLACE || one->enters))
        return true;
    }
  return false;
}

/* Nothing that counts is in argument K, an array that A's call writes, before:
   its tangent does not come from outside, nothing else writes it before, and
   what this has written it leaves alone.  */
static bool
is_fresh (const advance *a, int k)
{
  const tns_view *view = a->about->view;
  const tns_sym *sym = a->call->arg[k]->sym;
  bool fresh = tns_sym_is_local (sym) || a->about->through[sym->id];
  for (int s = 0; s < a->s; s++)
    fresh &= view->site[s].node->kind != TNS_ASSIGN
             || view->site[s].node->target->sym != sym;
  int home = view->home[sym->id];
  return fresh
         && (tns_view_is_once (view, a->s, home)
             || tns_places_tile (a->arena, view, a->s, home, a->call->arg[k],
                                 a->call->arg[k + 1]));
}

/* All that varies has its part in the tangent of A's call.  False with the
   reason said.  */
static bool
check (const advance *a)
{
  tns_ctx *ctx = a->about->ctx;
  const char *what = tns_sym_words (a->call->sym);
  bool known = a->call->sym->ahead != NULL;
  for (int k = 0; known && k < a->call->n_args; k++)
    {
      bool is_written = a->call->sym->argument[k].kind == TNS_HANDED_WRITTEN;
      known = !varies (a, k) || takes (a, k) || (is_written && is_fresh (a, k));
      if (!known)
        what = tns_arena_format (a->arena, "what %s finds in %s", what,
                                 tns_argument_is_place (a->call, k)
                                   ? tns_sym_words (a->call->arg[k]->sym)
                                   : "a number");
    }
  if (!known)
    tns_refuse (ctx, a->node->loc, TNS_WHY_DERIVATIVE, what);
  return known;
}

/* A cell with the tangent of the number EXPR; NULL with the reason said.  */
static tns_expr *
tangent_of_number (const advance *a, tns_expr *expr)
{
  tns_expr *dot;
  tns_loc loc = a->node->loc;
  if (!tns_partials_tangent (a->partials, a->block, expr, &dot))
    return NULL;
  tns_sym *made = tns_region_add_array (a->arena, a->about->region, "t",
                                        expr->type.elem, 0, TNS_SYM_LOCAL);
  tns_expr *cell = tns_cell (a->arena, made);
  tns_block_add (a->arena, a->block, tns_local (a->arena, loc, made));
  tns_block_add (
    a->arena, a->block,
    tns_assign (a->arena, loc, cell, TNS_NONE,
                dot ? dot : tns_real (a->arena, expr->type.elem, 0)));
  return cell;
}

/* The tangent of argument K of A's call; NULL with the reason said.  */
static tns_expr *
tangent_of (const advance *a, int k)
{
  tns_expr *own = a->call->arg[k];
  if (!tns_argument_is_place (a->call, k))
    return tangent_of_number (a, own);
  if (a->about->tangent[own->sym->id])
    return tns_partials_place (a->partials, own);
  return tns_back_nothing (a->about->ctx, a->about->region, a->about->view,
                           a->s, a->call, k, a->block);
}

/* Argument B of the tangent of A's call; NULL with the reason said.  */
static tns_expr *
argument_of (const advance *a, const tns_handed *b)
{
  bool is_place = b->of >= 0 && tns_argument_is_place (a->call, b->of);
  if (b->kind == TNS_HANDED_COUNT)
    return is_place ? a->call->arg[b->of + 1] : tns_int (a->arena, 1);
  if (b->of < 0)
    return tns_partials_place (a->partials, a->node->target);
  return b->adjoint ? tangent_of (a, b->of) : a->call->arg[b->of];
}

/* What A's call has set of a tangent is known outside, too.  False with the
   reason said.  */
static bool
hand_on (const advance *a)
{
  const tns_expr *target = a->node->target;
  tns_sym *outside = a->about->through[target->sym->id];
  tns_expr **sub = TNS_NEW_ARRAY (a->arena, tns_expr *, target->n_args + 1);
  tns_node *body = tns_block (a->arena, a->node->loc);
  tns_node *loops = body;
  for (int k = 0; k < a->call->n_args && outside; k++)
    if (a->call->sym->argument[k].kind == TNS_HANDED_WRITTEN)
      loops = tns_handed_loops (a->arena, a->about->region, a->call->arg[k],
                                a->call->arg[k + 1], body, sub);
  if (!loops)
    return tns_refuse (a->about->ctx, a->node->loc, TNS_WHY_TEMPORARY,
                       tns_sym_words (target->sym));
  if (!outside)
    return true;
  tns_expr *inside = tns_load (a->arena, a->place->sym, sub);
  tns_block_add (a->arena, body,
                 tns_assign (a->arena, a->node->loc,
                             tns_load (a->arena, outside, sub), TNS_NONE,
                             inside));
  tns_block_add (a->arena, a->block, loops);
  return true;
}

bool
tns_ahead_call (const tns_tangent *about, const tns_partials *partials,
                tns_node *block, const tns_node *node)
{
  tns_arena *arena = about->ctx->arena;
  advance a = { .about = about,
                .partials = partials,
                .arena = arena,
                .node = node,
                .call = node->value,
                .s = tns_view_site (about->view, node),
                .block = block };
  tns_sym *ahead = node->value->sym->ahead;
  if (!check (&a))
    return false;
  tns_expr **arg = TNS_NEW_ARRAY (arena, tns_expr *, ahead->rank + 1);
  for (int b = 0; b < ahead->rank; b++)
    {
      if (!(arg[b] = argument_of (&a, &ahead->argument[b])))
        return false;
      if (ahead->argument[b].kind == TNS_HANDED_WRITTEN)
        a.place = arg[b];
    }
  tns_expr *made
    = tns_make (arena, TNS_CALL, ahead->type, ahead, ahead->rank, arg);
  made->loc = node->loc;
  tns_block_add (arena, block,
                 tns_assign (arena, node->loc, a.place, TNS_NONE, made));
  return hand_on (&a);
}
