/* Clearing nests, as autodiff/clear.h says: for each store, from it
   outwards.  */

#include "autodiff/clear.h"

#include "ir/walk.h"

/* A look at expressions for what the function computes.  */
typedef struct search
{
  tns_region *f;
  bool found;
} search;

/* The visitor that finds a read of it.  */
static bool
is_computed (tns_expr *expr, void *self)
{
  search *s = self;
  s->found |= tns_expr_reads (expr)
              && (tns_sym_is_local (expr->sym)
                  || tns_node_writes (s->f->body, expr->sym));
  return !s->found;
}

/* NODE under LOOP: in a loop like it, or where it runs at all.  */
static tns_node *
under_loop (tns_arena *arena, const tns_node *loop, tns_node *node)
{
  tns_node *body = tns_block (arena, node->loc);
  tns_op order = loop->step > 0 ? TNS_LT : TNS_GT;
  tns_block_add (arena, body, node);
  if (tns_node_mentions (node, loop->iter))
    return tns_loop (arena, node->loc, loop->iter, loop->lo, loop->hi,
                     loop->step, body);
  return tns_if (arena, node->loc,
                 tns_binary (arena, order, loop->lo, loop->hi), body, NULL);
}

/* NODE, which takes the place of SITE, under CHOICE, an IF around that.  */
static tns_node *
under_if (tns_arena *arena, const tns_node *choice, const tns_node *site,
          tns_node *node)
{
  tns_node *body = tns_block (arena, node->loc);
  tns_block_add (arena, body, node);
  tns_expr *cond = tns_node_holds (choice->then, site)
                     ? choice->cond
                     : tns_unary (arena, TNS_LNOT, choice->cond);
  return tns_if (arena, node->loc, cond, body, NULL);
}

/* The nest that clears TARGET where site S stores; NULL where that depends on
   what is computed.  */
static tns_node *
nest_of (tns_arena *arena, const tns_view *view, int s, tns_sym *target)
{
  const tns_node *site = view->site[s].node;
  search found = { view->region, false };
  tns_expr *place = tns_load (arena, target, site->target->arg);
  tns_node *made = tns_assign (arena, site->loc, place, TNS_NONE,
                               tns_real (arena, target->type.elem, 0));
  for (int k = 0; k < site->target->n_args; k++)
    tns_expr_walk (site->target->arg[k], is_computed, &found);
  for (int at = view->site[s].under; at >= 0; at = view->site[at].under)
    {
      const tns_node *around = view->site[at].node;
      tns_expr_walk (around->lo, is_computed, &found);
      tns_expr_walk (around->hi, is_computed, &found);
      tns_expr_walk (around->cond, is_computed, &found);
      made = around->kind == TNS_LOOP ? under_loop (arena, around, made)
                                      : under_if (arena, around, site, made);
    }
  return found.found ? NULL : made;
}

bool
tns_clear_written (tns_arena *arena, const tns_view *view, const tns_sym *sym,
                   tns_sym *target, tns_node *block)
{
  tns_node *made = tns_block (arena, view->region->body->loc);
  for (int s = 0; s < view->n_sites; s++)
    {
      const tns_node *node = view->site[s].node;
      if (node->kind != TNS_ASSIGN || node->target->sym != sym)
        continue;
      tns_node *nest = nest_of (arena, view, s, target);
      if (!nest)
        return false;
      tns_block_add (arena, made, nest);
    }
  for (int k = 0; k < made->n_kids; k++)
    tns_block_add (arena, block, made->kid[k]);
  return true;
}
