/* Loops that are ordered only because several statements share them.

     for i {                            for i
       a[i] = b[i] * c[i] + d[i];         a[i] = b[i] * c[i] + d[i];
       b[i] = a[i - 1] * 0.5 + d[i];  ->  for i
     }                                    b[i] = a[i - 1] * 0.5 + d[i];

   An innermost ORDERED DIM is split where no statement is ORDERED in a loop of
   its own, one reads what another has stored in an earlier iteration (else GCC
   makes vectors of the loop as it is), all accesses move by one element at
   most, as lanes like it, and no temporary goes from one statement to another:
   it would need memory.  */

#include "schedule/check.h"
#include "schedule/planner.h"
#include "schedule/step.h"

/* TREE is a SEQ of statements alone.  */
static bool
is_line (const tns_tree *tree)
{
  bool line = tree->kind == TNS_TREE_SEQ;
  for (int k = 0; line && k < tree->n_kids; k++)
    line = tree->kid[k]->kind == TNS_TREE_LEAF;
  return line;
}

/* Statement S touches no temporary, and moves by one element at most with
   DIM.  */
static bool
suits (const tns_planner *p, const tns_tree *dim, int s)
{
  const tns_stmt *stmt = &p->scop->stmt[s];
  const tns_sym *iter = tns_dim_iter (p->scop, dim, s);
  for (int a = 0; a < stmt->n_accesses; a++)
    {
      const tns_access *access = &stmt->access[a];
      if (!iter || !access->expr || p->scop->array[access->array].dead_after
          || access->expr->n_args == 0
          || tns_storage_stride (p->scop, stmt, access, iter) > TNS_STRIDE_UNIT)
        return false;
    }
  return true;
}

/* A statement below DIM stores what another one reads in a later iteration.  */
static bool
hands_on (const tns_planner *p, const tns_tree *dim)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (p->tree, tns_tree_first_stmt (dim), path) - 1;
  for (int k = 0; k < p->deps->n; k++)
    {
      const tns_dep *dep = &p->deps->dep[k];
      tns_distance reach;
      if (dep->kind == TNS_DEP_FLOW && dep->source != dep->target
          && tns_tree_has (dim, dep->source) && tns_tree_has (dim, dep->target)
          && tns_dep_reach (p->scop, dep, n, path, &reach) && !reach.empty
          && !(reach.hi_known && reach.hi == 0))
        return true;
    }
  return false;
}

/* Split DIM where that suits it.  */
static void
try_dim (tns_planner *p, tns_tree *dim, void *self)
{
  bool *found = self;
  if (*found || dim->role != TNS_ROLE_ORDERED || !is_line (dim->body)
      || !hands_on (p, dim))
    return;
  for (int k = 0; k < dim->body->n_kids; k++)
    if (!suits (p, dim, dim->body->kid[k]->stmt))
      return;
  int first = tns_tree_first_stmt (dim);
  tns_tree *tree
    = tns_step_split (p->ctx->arena, p->tree, first, dim->name, 0, NULL);
  if (!tree || !tns_tree_check (p->ctx, p->deps, tree, NULL))
    return;
  for (int k = 0; k < dim->body->n_kids; k++)
    if (tns_tree_find (tree, dim->body->kid[k]->stmt, dim->name)->role
        == TNS_ROLE_ORDERED)
      return;
  *found = true;
  tns_planner_take (p, tree, "split %s in %s", dim->name,
                    p->scop->stmt[first].name);
}

void
tns_plan_splits (tns_planner *planner)
{
  const tns_wish *wish = &planner->ctx->wish;
  if (wish->tile.off || wish->fuse == TNS_FUSE_MAX)
    return;
  for (bool found = true; found;)
    {
      found = false;
      tns_tree_dims (planner, planner->tree, try_dim, &found);
    }
}
