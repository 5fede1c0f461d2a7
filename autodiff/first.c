/* First sums, as autodiff/first.h says: for each adjoint that is cleared, of
   the sums to it the one in front of which, by the access relations, there is
   nothing but the clearing.  */

#include "autodiff/first.h"

#include <string.h>

#include "autodiff/flow.h"
#include "ir/simplify.h"
#include "ir/walk.h"

/* The statement SETS takes the place of what CLEARS at first.  */
typedef struct exchange
{
  tns_arena *arena;
  const tns_node *clears;
  const tns_node *sets;
} exchange;

/* NODE adds to elements of SYM, or subtracts.  */
static bool
is_sum_to (const tns_node *node, const tns_sym *sym)
{
  return node->kind == TNS_ASSIGN && node->target->sym == sym
         && (node->update == TNS_ADD || node->update == TNS_SUB);
}

/* The first site of VIEW that has to do with SYM, if it sets it to 0; else
   -1.  */
static int
find_clear (const tns_view *view, const tns_sym *sym)
{
  for (int s = 0; s < view->n_sites; s++)
    {
      const tns_node *node = view->site[s].node;
      if (node->kind != TNS_ASSIGN || node->target->sym != sym)
        continue;
      bool clears = node->update == TNS_NONE && node->value->op == TNS_REAL
                    && node->value->real == 0;
      return clears ? s : -1;
    }
  return -1;
}

/* Whether a site reads SYM, or stores to it otherwise than by a sum.  */
static bool
does_more (const tns_node *node, const tns_sym *sym)
{
  bool stores = node->kind == TNS_ASSIGN && node->target->sym == sym;
  return tns_expr_mentions (node->kind == TNS_IF ? node->cond : node->value,
                            sym)
         || (stores && !is_sum_to (node, sym));
}

/* SYM is only summed to behind site CLEAR of VIEW.  */
static bool
is_only_summed (const tns_view *view, const tns_sym *sym, int clear)
{
  for (int s = 0; s < view->n_sites; s++)
    if (s != clear && does_more (view->site[s].node, sym))
      return false;
  return true;
}

/* Site S comes before all other sums to SYM of the same elements, and to each
   once.  */
static bool
is_first (const tns_flow *flow, const tns_sym *sym, int s)
{
  const tns_view *view = flow->view;
  for (int other = 0; other < view->n_sites; other++)
    if (is_sum_to (view->site[other].node, sym)
        && tns_flow_earlier (flow, other, s, view->site[s].node->target))
      return false;
  return true;
}

/* The sum to SYM that can set what site CLEAR clears, or NULL.  */
static const tns_node *
find_first (const tns_flow *flow, const tns_sym *sym, int clear)
{
  for (int s = 0; s < flow->view->n_sites; s++)
    {
      const tns_node *node = flow->view->site[s].node;
      if (is_sum_to (node, sym) && tns_flow_covers (flow, s, clear)
          && is_first (flow, sym, s))
        return node;
    }
  return NULL;
}

/* A and B are the same statement.  */
static bool
is_same (const tns_node *a, const tns_node *b)
{
  return a->name && b->name && !strcmp (a->name, b->name);
}

/* The changer of nodes.  */
static tns_node *
change (tns_node *node, void *self)
{
  const exchange *e = self;
  if (node->kind != TNS_ASSIGN)
    return node;
  if (is_same (node, e->clears))
    return tns_block (e->arena, node->loc);
  if (!is_same (node, e->sets))
    return node;
  tns_expr *value = node->update == TNS_ADD
                      ? node->value
                      : tns_unary (e->arena, TNS_NEG, node->value);
  tns_node *made
    = tns_assign (e->arena, node->loc, node->target, TNS_NONE, value);
  made->name = node->name;
  return made;
}

/* The region of FLOW with the first sum to SYM setting it, where there is
   such; else itself.  */
static tns_region *
with_first (tns_ctx *ctx, const tns_flow *flow, const tns_sym *sym)
{
  tns_region *region = flow->view->region;
  int clear = find_clear (flow->view, sym);
  if (clear < 0 || !is_only_summed (flow->view, sym, clear))
    return region;
  exchange e = { ctx->arena, flow->view->site[clear].node,
                 find_first (flow, sym, clear) };
  if (!e.sets)
    return region;
  tns_region *made = tns_region_copy (ctx->arena, region);
  made->body = tns_node_rebuild (ctx->arena, region->body, change, NULL, &e);
  return tns_region_simplify (ctx, made);
}

/* The same of the symbol with number ID, in a model of its own.  */
static tns_region *
with_first_of (tns_ctx *ctx, tns_region *region, int id)
{
  tns_ctx before = *ctx;
  tns_scop *scop = tns_scop_build (ctx, region);
  if (!scop)
    {
      tns_take_back (ctx, &before);
      return region;
    }
  tns_flow flow = { tns_view_of (ctx->arena, region), scop };
  tns_region *made = with_first (ctx, &flow, region->syms[id]);
  tns_scop_free (scop);
  return made;
}

tns_region *
tns_region_first (tns_ctx *ctx, tns_region *region,
                  const tns_gradient_wish *wish)
{
  for (int k = 0; region && !wish->careful && k < wish->n_seeds; k++)
    if (wish->seed[k].clear && wish->seed[k].adjoint)
      region = with_first_of (ctx, region, wish->seed[k].adjoint->id);
  return region;
}
