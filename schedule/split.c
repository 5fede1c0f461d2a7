/* Loops that are ordered only because several statements share them.

     for i {                            for i
       a[i] = b[i] * c[i] + d[i];         a[i] = b[i] * c[i] + d[i];
       b[i] = a[i - 1] * 0.5 + d[i];  ->  for i
     }                                    b[i] = a[i - 1] * 0.5 + d[i];

     for i {                            for i
       a[i] = b[i - 1] + c[i];            b[i] = b[i + 1] - d[i];
       b[i] = b[i + 1] - d[i];        ->  for i
     }                                    a[i] = b[i - 1] + c[i];

   An innermost ORDERED DIM is split, its statements in the order in which they
   depend on each other, where each may be in vectors in a loop of its own: it
   is not ORDERED, or does not wait; where some
   dependence keeps GCC from making vectors of the loop as it is; where all
   accesses move by one element at most, as lanes like it, and no temporary goes
   from one statement to another: it would need memory.  */

#include "schedule/check.h"
#include "schedule/component.h"
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

/* The place of statement S in the line below DIM, or -1.  */
static int
place_of (const tns_tree *dim, int s)
{
  int n = dim->body->n_kids;
  for (int k = 0; k < n; k++)
    if (dim->body->kid[k]->stmt == s)
      return k;
  return -1;
}

/* DEP, between two statements below DIM, keeps GCC from making vectors of it:
   one reads what the other stored in an earlier iteration, or touches what the
   other, which stands before it, will store in a later one.  */
static bool
binds (const tns_planner *p, const tns_tree *dim, const tns_dep *dep)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  tns_distance reach;
  int source = place_of (dim, dep->source);
  int target = place_of (dim, dep->target);
  if (source < 0 || target < 0 || source == target
      || (dep->kind != TNS_DEP_FLOW && source < target))
    return false;
  int n = tns_tree_path (p->tree, dep->source, path) - 1;
  return tns_dep_reach (p->scop, dep, n, path, &reach) && !reach.empty
         && !(reach.hi_known && reach.hi == 0);
}

/* Some dependence below DIM keeps GCC from making vectors of it.  */
static bool
is_bound (const tns_planner *p, const tns_tree *dim)
{
  for (int k = 0; k < p->deps->n; k++)
    if (binds (p, dim, &p->deps->dep[k]))
      return true;
  return false;
}

/* In TREE each of G's statements has a loop NAME of its own, which may be
   vectors.  */
static bool
frees_all (tns_tree *tree, const char *name, const tns_components *g)
{
  for (int k = 0; k < g->n; k++)
    if (tns_tree_find (tree, g->stmt[k], name)->waits)
      return false;
  return g->n_parts == g->n;
}

/* G's parts are as written.  */
static bool
is_as_written (const tns_components *g)
{
  for (int k = 0; k < g->n; k++)
    if (g->part[g->stmt[k]] != k)
      return false;
  return true;
}

/* Split DIM where that suits it.  */
static void
try_dim (tns_planner *p, tns_tree *dim, void *self)
{
  bool *found = self;
  if (*found || dim->role != TNS_ROLE_ORDERED || !is_line (dim->body)
      || !is_bound (p, dim))
    return;
  for (int k = 0; k < dim->body->n_kids; k++)
    if (!suits (p, dim, dim->body->kid[k]->stmt))
      return;
  int first = tns_tree_first_stmt (dim);
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int depth = tns_tree_path (p->tree, first, path) - 1;
  tns_components g = tns_components_at (p, first, depth, NULL);
  tns_tree *tree = tns_step_distribute (p->ctx->arena, p->tree, first,
                                        dim->name, g.n_parts, g.part);
  if (!tree || !tns_tree_check (p->ctx, p->deps, tree, NULL)
      || !frees_all (tree, dim->name, &g))
    return;
  *found = true;
  const char *name = p->scop->stmt[first].name;
  if (is_as_written (&g))
    tns_planner_take (p, tree, "split %s in %s", dim->name, name);
  else
    tns_planner_take (p, tree, "distribute %s in %s:%s", dim->name, name,
                      tns_components_words (p, &g));
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
