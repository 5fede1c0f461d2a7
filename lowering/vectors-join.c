/* Branches that store to the same places, joined.

     if (c) { b[i] = x; d[i] = y; }      local bool m; m = c;
     else { b[i] = u; d[i] = v; }   ->   b[i] = m ? x : u; d[i] = m ? y : v;

   In lanes one plain store is less than two under masks, and what both
   branches read is read in any case.  The order of the stores is that of
   either branch, so each reads what it read before.

   Only where the stores of both branches are the same ones in the same order,
   nothing else stands there, and the condition differs between lanes.  */

#include "lowering/lanes.h"

#include "ir/walk.h"

/* The statements of BRANCH: it, or the kids of a BLOCK; *N: how many.  */
static tns_node **
statements (tns_node **branch, int *n)
{
  while ((*branch)->kind == TNS_BLOCK && (*branch)->n_kids == 1)
    branch = &(*branch)->kid[0];
  *n = (*branch)->kind == TNS_BLOCK ? (*branch)->n_kids : 1;
  return (*branch)->kind == TNS_BLOCK ? (*branch)->kid : branch;
}

/* A and B update the same place in the same way.  */
static bool
is_pair (const tns_node *a, const tns_node *b)
{
  return a->kind == TNS_ASSIGN && b->kind == TNS_ASSIGN && !a->mask && !b->mask
         && a->update == b->update && a->target->type.elem != TNS_BOOL
         && a->target->n_args > 0 && a->value->type.elem == b->value->type.elem
         && tns_expr_equal (a->target, b->target);
}

/* NODE, an IF, may be joined.  */
static bool
may_join (const tns_lanes *lanes, tns_node *node)
{
  int n = 0;
  int n_other = 0;
  if (!node->then || !node->otherwise || !tns_lanes_differ (lanes, node->cond))
    return false;
  tns_node **a = statements (&node->then, &n);
  tns_node **b = statements (&node->otherwise, &n_other);
  bool same = n == n_other && n > 0;
  for (int k = 0; same && k < n; k++)
    same = is_pair (a[k], b[k]);
  return same;
}

/* NODE, its parts done.  */
static tns_node *
join (tns_node *node, void *self)
{
  const tns_lanes *lanes = self;
  tns_arena *arena = lanes->arena;
  int n = 0;
  if (node->kind != TNS_IF || !may_join (lanes, node))
    return node;
  tns_node **a = statements (&node->then, &n);
  tns_node **b = statements (&node->otherwise, &n);
  tns_sym *sym = tns_region_add_array (arena, lanes->region, "mask", TNS_BOOL,
                                       0, TNS_SYM_LOCAL);
  tns_node *made = tns_block (arena, node->loc);
  tns_block_add (arena, made, tns_local (arena, node->loc, sym));
  tns_block_add (
    arena, made,
    tns_assign (arena, node->loc, tns_cell (arena, sym), TNS_NONE, node->cond));
  for (int k = 0; k < n; k++)
    tns_block_add (
      arena, made,
      tns_assign (arena, a[k]->loc, a[k]->target, a[k]->update,
                  tns_ternary (arena, TNS_SELECT, tns_cell (arena, sym),
                               a[k]->value, b[k]->value)));
  return made;
}

tns_node *
tns_lanes_join_branches (tns_lanes *lanes, tns_node *loop)
{
  return tns_node_rebuild (lanes->arena, loop, join, NULL, lanes);
}
