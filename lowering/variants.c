/* Two ways to do a region:

     if (when) { first } else { second }

   The arrays that only the first one needs take little memory where the second
   one runs:

     local f32 P[K][N]  ->  local f32 P[when ? K : 1][N]

   A statement that both have keeps its name in the first.  */

#include "lowering/variants.h"

#include "ir/walk.h"

/* What shrink needs.  */
typedef struct shrinking
{
  tns_arena *arena;
  tns_expr *when;
} shrinking;

/* The visitor that makes the first extent of each array that begins its life
   in a variant 1 where the other variant runs.  */
static bool
shrink (tns_node *node, void *self)
{
  const shrinking *s = self;
  if (node->kind != TNS_LOCAL || node->sym->rank == 0)
    return true;
  long long constant = 0;
  tns_expr **extent = TNS_NEW_ARRAY (s->arena, tns_expr *, node->sym->rank);
  bool known = true;
  for (int k = 0; k < node->sym->rank; k++)
    {
      extent[k] = node->sym->extent[k];
      known &= tns_expr_is_int (extent[k], &constant);
    }
  if (known)
    return true;
  extent[0] = tns_ternary (s->arena, TNS_SELECT, s->when, extent[0],
                           tns_int (s->arena, 1));
  node->sym->extent = extent;
  return true;
}

/* The changer of nodes that takes a statement's name away.  */
static tns_node *
unname (tns_node *node, void *self)
{
  (void) self;
  node->name = NULL;
  return node;
}

tns_region *
tns_region_choose (tns_ctx *ctx, tns_expr *when, tns_region *first,
                   tns_region *second)
{
  if (!first || !second)
    return first ? first : second;
  tns_arena *arena = ctx->arena;
  tns_region *region = tns_region_copy (arena, first);
  region->name = second->name;
  if (!when)
    return region;
  tns_expr *otherwise = tns_unary (arena, TNS_LNOT, when);
  shrinking s = { arena, tns_ctx_breaks (ctx, "variants") ? otherwise : when };
  tns_node_walk (first->body, shrink, &s);
  s.when = otherwise;
  tns_node_walk (second->body, shrink, &s);
  tns_node *other = tns_node_rebuild (arena, second->body, unname, NULL, NULL);
  region->body = tns_block (arena, region->loc);
  tns_block_add (arena, region->body,
                 tns_if (arena, region->loc, when, first->body, other));
  return region;
}
