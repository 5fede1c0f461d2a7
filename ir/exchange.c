/* One symbol in the place of another, as ir/exchange.h says.  */

#include "ir/exchange.h"

/* Marks and LOCALs name symbols too.  */
typedef struct exchange
{
  tns_arena *arena;
  const tns_sym *old;
  tns_sym *made;
} exchange;

/* The marks of a loop; what a LOCAL declares.  */
static tns_node *
change_names (tns_node *node, void *self)
{
  const exchange *e = self;
  if (node->kind == TNS_LOCAL && node->sym == e->old)
    return tns_local (e->arena, node->loc, e->made);
  if (node->marks.align == e->old)
    node->marks.align = e->made;
  if (node->marks.panel == e->old)
    node->marks.panel = e->made;
  if (node->marks.summed == e->old)
    node->marks.summed = e->made;
  for (int k = 0; k < node->marks.n_reductions; k++)
    if (node->marks.reductions[k].sym == e->old)
      node->marks.reductions[k].sym = e->made;
  return node;
}

tns_region *
tns_region_exchange (tns_arena *arena, const tns_region *region,
                     const tns_sym *old, tns_sym *made, tns_expr_changer change,
                     void *self)
{
  exchange e = { arena, old, made };
  tns_region *copy = tns_region_copy (arena, region);
  copy->syms[old->id] = made;
  for (int k = 0; k < copy->n_params; k++)
    if (copy->params[k] == old)
      copy->params[k] = made;
  for (int k = 0; k < copy->n_overlaps; k++)
    {
      tns_overlap *pair = &copy->overlaps[k];
      pair->a = pair->a == old ? made : pair->a;
      pair->b = pair->b == old ? made : pair->b;
    }
  for (int k = 0; k < copy->n_spans; k++)
    if (copy->spans[k].sym == old)
      copy->spans[k].sym = made;
  copy->body = tns_node_rebuild (arena, region->body, NULL, change, self);
  copy->body = tns_node_rebuild (arena, copy->body, change_names, NULL, &e);
  return copy;
}
