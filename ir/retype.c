/* A region in a wider type, as ir/retype.h says.  */

#include "ir/retype.h"

#include "ir/walk.h"

/* What is being done.  sym: by id, what takes the symbol's place  */
typedef struct widening
{
  tns_arena *arena;
  tns_elem elem;
  tns_sym **sym;
  bool failed;
} widening;

/* SYM, or NULL, as it is in the wider region.  */
static tns_sym *
symbol_of (const widening *w, const tns_sym *sym)
{
  return sym ? w->sym[sym->id] : NULL;
}

/* TYPE as it is there.  */
static tns_type
type_of (const widening *w, tns_type type)
{
  if (tns_elem_is_float (type.elem))
    type.elem = w->elem;
  return type;
}

/* The changer: EXPR, whose operands are wide.  */
static tns_expr *
widen_expr (tns_expr *expr, void *self)
{
  widening *w = self;
  tns_type type = type_of (w, expr->type);
  w->failed |= expr->op == TNS_BITS;
  if (expr->op == TNS_CAST && tns_type_equal (type, expr->arg[0]->type))
    return expr->arg[0];
  tns_sym *sym = symbol_of (w, expr->sym);
  if (tns_type_equal (type, expr->type) && sym == expr->sym)
    return expr;
  tns_expr *wide = TNS_NEW (w->arena, tns_expr);
  *wide = *expr;
  wide->type = type;
  wide->sym = sym;
  return wide;
}

/* The changer of whole expressions.  */
static tns_expr *
widen_whole (tns_expr *expr, void *self)
{
  widening *w = self;
  return tns_expr_rebuild (w->arena, expr, widen_expr, w);
}

/* The changer of nodes: the symbols that NODE names.  */
static tns_node *
widen_node (tns_node *node, void *self)
{
  widening *w = self;
  int n = node->marks.n_reductions;
  tns_reduction *old = node->marks.reductions;
  node->sym = symbol_of (w, node->sym);
  node->marks.reductions = TNS_NEW_ARRAY (w->arena, tns_reduction, n + 1);
  for (int k = 0; k < n; k++)
    {
      node->marks.reductions[k] = old[k];
      node->marks.reductions[k].sym = symbol_of (w, old[k].sym);
    }
  return node;
}

/* By id, the symbols of REGION: new ones for floating types.  */
static void
widen_symbols (widening *w, const tns_region *region)
{
  for (int k = 0; k < region->n_syms; k++)
    {
      tns_sym *sym = region->syms[k];
      w->sym[k] = sym;
      if (!tns_elem_is_float (sym->type.elem))
        continue;
      w->sym[k] = TNS_NEW (w->arena, tns_sym);
      *w->sym[k] = *sym;
      w->sym[k]->type = type_of (w, sym->type);
    }
}

/* The partials of functions.  */
static void
widen_partials (widening *w, const tns_region *region)
{
  for (int k = 0; k < region->n_syms; k++)
    {
      tns_sym *const *old = region->syms[k]->partial;
      int rank = region->syms[k]->rank;
      if (region->syms[k]->back)
        w->sym[k]->back = symbol_of (w, region->syms[k]->back);
      if (region->syms[k]->ahead)
        w->sym[k]->ahead = symbol_of (w, region->syms[k]->ahead);
      if (!old || w->sym[k] == region->syms[k])
        continue;
      w->sym[k]->partial = TNS_NEW_ARRAY (w->arena, tns_sym *, rank + 1);
      for (int l = 0; l < rank; l++)
        w->sym[k]->partial[l] = symbol_of (w, old[l]);
    }
}

/* The lists of WIDE, a copy of the region.  */
static void
widen_lists (widening *w, tns_region *wide)
{
  for (int k = 0; k < wide->n_syms; k++)
    wide->syms[k] = w->sym[k];
  for (int k = 0; k < wide->n_params; k++)
    wide->params[k] = symbol_of (w, wide->params[k]);
  for (int k = 0; k < wide->n_overlaps; k++)
    {
      wide->overlaps[k].a = symbol_of (w, wide->overlaps[k].a);
      wide->overlaps[k].b = symbol_of (w, wide->overlaps[k].b);
    }
  for (int k = 0; k < wide->n_still; k++)
    wide->still[k] = widen_whole (wide->still[k], w);
  for (int k = 0; k < wide->n_assume; k++)
    wide->assume[k] = widen_whole (wide->assume[k], w);
  for (int k = 0; k < wide->n_guard; k++)
    wide->guard[k] = widen_whole (wide->guard[k], w);
}

tns_region *
tns_region_retype (tns_arena *arena, const tns_region *region, tns_elem elem)
{
  widening w = { arena, elem, NULL, false };
  w.sym = TNS_NEW_ARRAY (arena, tns_sym *, region->n_syms + 1);
  widen_symbols (&w, region);
  widen_partials (&w, region);
  tns_region *wide = tns_region_copy (arena, region);
  widen_lists (&w, wide);
  wide->before
    = tns_node_rebuild (arena, region->before, widen_node, widen_whole, &w);
  wide->body
    = tns_node_rebuild (arena, region->body, widen_node, widen_whole, &w);
  return w.failed ? NULL : wide;
}
