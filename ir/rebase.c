/* Beginning loops at 0, as ir/rebase.h says.  */

#include "ir/rebase.h"

#include "ir/flat.h"
#include "ir/walk.h"

/* The region that is made, NULL as long as nothing has changed.  */
typedef struct rebasing
{
  tns_ctx *ctx;
  tns_arena *arena;
  const tns_region *old;
  tns_region *made;
} rebasing;

/* What SUM is: a product with an iterator is not affine.  */
typedef enum kind
{
  UNKNOWN,
  AFFINE,
  PRODUCT
} kind;

/* TERM of a sum.  */
static kind
kind_of_term (const tns_term *term)
{
  bool moves = false;
  for (int a = 0; a < term->n_atoms; a++)
    {
      const tns_sym *sym = tns_atom_symbol (term->atom[a]);
      bool is_iter = sym && sym->kind == TNS_SYM_ITER;
      if (!is_iter && !tns_is_over_values (term->atom[a]))
        return UNKNOWN;
      moves |= is_iter;
    }
  return moves && term->n_atoms > 1 ? PRODUCT : AFFINE;
}

/* The same of SUM.  */
static kind
kind_of (tns_sum sum)
{
  kind found = sum.n < 0 ? UNKNOWN : AFFINE;
  for (int k = 0; k < sum.n && found != UNKNOWN; k++)
    {
      kind own = kind_of_term (&sum.term[k]);
      found = own == AFFINE ? found : own;
    }
  return found;
}

/* What takes the place of an iterator.  */
typedef struct renaming
{
  tns_arena *arena;
  tns_sym *iter;
  tns_expr *by;
} renaming;

/* The changer of expressions.  */
static tns_expr *
rename_iter (tns_expr *expr, void *self)
{
  const renaming *r = self;
  tns_sym *iter = r->iter;
  tns_expr *by = r->by;
  return tns_expr_substitute (r->arena, expr, 1, &iter, &by);
}

/* LOOP, whose block begins at BASE and has COUNT elements, from 0 on or down
   to it.  */
static tns_node *
from_zero (rebasing *r, const tns_node *loop, tns_sum base, tns_sum count)
{
  if (!r->made)
    r->made = tns_region_copy (r->arena, r->old);
  tns_sym *iter = tns_region_add_iter (r->arena, r->made, loop->iter->name);
  renaming rename
    = { r->arena, loop->iter,
        tns_binary (r->arena, TNS_ADD, tns_sum_expr (r->arena, base),
                    tns_value (r->arena, iter)) };
  tns_node *made = tns_node_copy (r->arena, loop);
  tns_sum last = tns_sum_add (r->arena, count, tns_sum_int (r->arena, -1));
  bool up = loop->step > 0;
  iter->spelled = loop->iter->spelled;
  made->iter = iter;
  made->lo = up ? tns_int (r->arena, 0) : tns_sum_expr (r->arena, last);
  made->hi = up ? tns_sum_expr (r->arena, count) : tns_int (r->arena, -1);
  made->body
    = tns_node_rebuild (r->arena, loop->body, NULL, rename_iter, &rename);
  return made;
}

/* The changer of nodes.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  rebasing *r = self;
  if (node->kind != TNS_LOOP)
    return node;
  bool down = node->step < 0 && !tns_ctx_breaks (r->ctx, "rebase");
  tns_sum one = tns_sum_int (r->arena, down ? 1 : 0);
  tns_sum base = tns_sum_of (r->arena, node->step > 0 ? node->lo : node->hi);
  tns_sum end = tns_sum_of (r->arena, node->step > 0 ? node->hi : node->lo);
  if (kind_of (base) != PRODUCT || kind_of (end) == UNKNOWN)
    return node;
  base = tns_sum_add (r->arena, base, one);
  end = tns_sum_add (r->arena, end, one);
  tns_sum count
    = tns_sum_add (r->arena, end, tns_sum_scale (r->arena, base, -1));
  return kind_of (count) == AFFINE ? from_zero (r, node, base, count) : node;
}

tns_region *
tns_region_rebase (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  rebasing r = { ctx, ctx->arena, region, NULL };
  tns_node *body
    = tns_node_rebuild (ctx->arena, region->body, change_node, NULL, &r);
  if (r.made)
    r.made->body = body;
  return r.made ? r.made : region;
}
