/* The accesses of a flat array, as ir/flat.h says, each with the loops around
   it.  */

#include "ir/flat.h"

#include "ir/walk.h"

enum
{
  MOST_ACCESSES = 256,
  MOST_LOOPS = 32
};

/* The accesses of one array while they are gathered.

   loop      the loops around, the outermost first
   ok        no access is of a kind that a shape cannot be given  */
typedef struct gathering
{
  tns_arena *arena;
  const tns_sym *sym;
  const tns_node *loop[MOST_LOOPS];
  int n_loops;
  tns_flat_access access[MOST_ACCESSES];
  int n;
  bool ok;
} gathering;

/* The visitor that keeps the accesses in an expression.  */
static bool
gather_expr (tns_expr *expr, void *self)
{
  gathering *g = self;
  if (expr->sym != g->sym)
    return true;
  if (expr->op != TNS_LOAD || expr->type.lanes != 1 || g->n == MOST_ACCESSES)
    {
      g->ok = false;
      return false;
    }
  tns_flat_access *access = &g->access[g->n++];
  access->sum = tns_sum_of (g->arena, expr->arg[0]);
  access->n_loops = g->n_loops;
  access->loop = TNS_NEW_ARRAY (g->arena, const tns_node *, g->n_loops + 1);
  for (int k = 0; k < g->n_loops; k++)
    access->loop[k] = g->loop[k];
  g->ok = g->ok && access->sum.n >= 0;
  return g->ok;
}

/* Gather below NODE.  */
static void
gather_node (gathering *g, tns_node *node)
{
  if (!node || !g->ok)
    return;
  tns_node_exprs (node, gather_expr, g);
  for (int k = 0; k < node->n_kids; k++)
    gather_node (g, node->kid[k]);
  gather_node (g, node->then);
  gather_node (g, node->otherwise);
  if (node->kind != TNS_LOOP)
    return;
  if (g->n_loops == MOST_LOOPS)
    {
      g->ok = false;
      return;
    }
  g->loop[g->n_loops++] = node;
  gather_node (g, node->body);
  g->n_loops--;
}

/* SYM may be given a shape.  */
static bool
is_candidate (const tns_region *region, const tns_sym *sym)
{
  return sym->kind == TNS_SYM_ARRAY && sym->rank == 1 && !sym->stride
         && (!tns_sym_is_local (sym) || sym->extent[0])
         && !tns_region_has_still (region, sym);
}

const tns_flat_access *
tns_flat_gather (tns_arena *arena, const tns_region *region, const tns_sym *sym,
                 int *n)
{
  if (!is_candidate (region, sym))
    return NULL;
  gathering *g = TNS_NEW (arena, gathering);
  g->arena = arena;
  g->sym = sym;
  g->ok = true;
  gather_node (g, region->body);
  *n = g->n;
  return g->ok && g->n ? g->access : NULL;
}
