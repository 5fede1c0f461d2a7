/* Loops over a slab's iterations: as many nests as can be told apart.

     for b                                  for b {
       for k = b to b + 32                    for k = b to b + 32
         for i = b + 32 to n {                  for i = b + 32 to n {
           A[i][k] /= A[k][k]                     A[i][k] /= A[k][k]
           for j = k + 1 to b + 32        ->      for j = k + 1 to b + 32
             A[i][j] -= A[i][k]*A[k][j]             A[i][j] -= A[i][k]*A[k][j]
           for j = b + 32 to n                  }
             A[i][j] -= A[i][k]*A[k][j]       for k = b to b + 32
         }                                      for i = b + 32 to n
                                                  for j = b + 32 to n
                                                    A[i][j] -= A[i][k]*A[k][j]
                                            }

   A DIM counts slabs when its iterator moves nothing that a statement accesses
   but says where a loop further in begins and ends: the slab's iterations.
   Their DIM is distributed: statements stay together that depend on each other
   in both ways, in one run of it, or through a temporary that a slab has no
   memory for; the others follow each other as they depend on each other, and as
   written where they do not.  It is done where some update gets a tile of rows
   and columns by it: what is slow runs for the slab alone.

   Sums that counted down, as what they stood with, may count up now.

   Rows that are left, of all of the slab's iterations each, wait for their own
   quotients: some go side by side.  */

#include "ir/walk.h"
#include "schedule/check.h"
#include "schedule/component.h"
#include "schedule/contraction.h"
#include "schedule/step.h"

#define ROWS 8

/* The loop of STMT that begins and ends where ITER says; NULL: none does
   so.  */
static const tns_node *
loop_in_slab (const tns_stmt *stmt, const tns_sym *iter)
{
  for (int k = 0; k < stmt->n_iters; k++)
    if (tns_expr_mentions (stmt->loop[k]->lo, iter)
        && tns_expr_mentions (stmt->loop[k]->hi, iter))
      return stmt->loop[k];
  return NULL;
}

/* The number of DIMs above that of a slab's iterations, FROM at least, above
   statement S and another loop; -1: there is none.  */
static int
depth_of_slab (const tns_planner *p, int s, int from)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  const tns_stmt *stmt = &p->scop->stmt[s];
  int n = tns_tree_path (p->tree, s, path);
  for (int l = from; l + 1 < n; l++)
    for (int k = 0; k < l; k++)
      {
        const tns_sym *iter = tns_dim_iter (p->scop, path[k], s);
        const tns_node *loop = iter ? loop_in_slab (stmt, iter) : NULL;
        if (loop && tns_dim_iter (p->scop, path[l], s) == loop->iter)
          return l;
      }
  return -1;
}

/* What STMT does to ARRAY is to read it, or to set it in one loop, at most,
   inside the DIM at DEPTH.  */
static bool
only_sets (const tns_stmt *stmt, int array, int depth)
{
  bool writes = false;
  bool reads = false;
  for (int a = 0; a < stmt->n_accesses; a++)
    if (stmt->access[a].array == array)
      {
        writes |= stmt->access[a].write;
        reads |= !stmt->access[a].write;
      }
  return !writes || (!reads && stmt->n_iters <= depth + 2);
}

/* A slab has no memory for ARRAY: what it is, is not known once for each
   iteration of the DIM at DEPTH and of one loop inside.  */
static bool
needs_room (const tns_scop *scop, int array, int depth)
{
  for (int s = 0; s < scop->n_stmts; s++)
    if (!only_sets (&scop->stmt[s], array, depth))
      return true;
  return false;
}

/* Nothing stands beside statement S in the loops below DEPTH DIMs.  */
static bool
is_alone (const tns_planner *p, int s, int depth)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (p->tree, s, path);
  for (int k = depth; k < n; k++)
    if (path[k]->body->kind == TNS_TREE_SEQ)
      return false;
  return true;
}

/* Some statement of G has a tile of rows and columns in P's tree, alone.  */
static bool
has_tile (const tns_planner *p, const tns_components *g)
{
  tns_contraction c;
  for (int k = 0; k < g->n; k++)
    if (is_alone (p, g->stmt[k], g->depth)
        && tns_contraction_at (p, g->stmt[k], &c) && c.row && c.column)
      return true;
  return false;
}

/* Distribute the DIM at DEPTH above statement S where that suits it.  */
static void
try_dim (tns_planner *p, int s, int depth)
{
  tns_components g = tns_components_at (p, s, depth, needs_room);
  const char *name = g.path[depth]->name;
  tns_planner apart = *p;
  if (g.n_parts < 2)
    return;
  apart.tree
    = tns_step_distribute (p->ctx->arena, p->tree, s, name, g.n_parts, g.part);
  if (tns_step_holds (p, "distribute", apart.tree, NULL)
      && has_tile (&apart, &g))
    tns_planner_take (p, apart.tree, "distribute %s in %s:%s", name,
                      p->scop->stmt[s].name, tns_components_words (p, &g));
}

void
tns_plan_slabs (tns_planner *planner)
{
  const tns_tree *whole = planner->tree;
  for (int s = 0; s < planner->scop->n_stmts; s++)
    for (int depth = depth_of_slab (planner, s, 0); depth >= 0;
         depth = depth_of_slab (planner, s, depth + 1))
      try_dim (planner, s, depth);
  if (planner->tree != whole)
    tns_plan_reverses (planner);
}

/* Some loop below DIM begins or ends where ITER says.  */
static bool
is_bent_by (const tns_planner *p, const tns_tree *dim, const tns_sym *iter)
{
  for (int s = 0; s < p->scop->n_stmts; s++)
    for (int k = 0; tns_tree_has (dim, s) && k < p->scop->stmt[s].n_iters; k++)
      {
        const tns_node *loop = p->scop->stmt[s].loop[k];
        if (tns_expr_mentions (loop->lo, iter)
            || tns_expr_mentions (loop->hi, iter))
          return true;
      }
  return false;
}

/* DIM goes over a slab's iterations.  */
static bool
is_of_slab (const tns_planner *p, const tns_tree *dim)
{
  for (int s = 0; s < p->scop->n_stmts; s++)
    if (tns_tree_has (dim, s))
      {
        tns_tree *path[2 * TNS_MAX_DEPTH];
        int depth = depth_of_slab (p, s, 0);
        tns_tree_path (p->tree, s, path);
        if (depth >= 0 && path[depth] == dim)
          return true;
      }
  return false;
}

/* Jam rows of DIM where they wait in a loop over a slab's iterations.  */
static void
jam_rows (tns_planner *p, tns_tree *dim, void *self)
{
  (void) self;
  const tns_tree *inner = dim->body;
  int s = tns_tree_first_stmt (dim);
  const tns_sym *iter = tns_dim_iter (p->scop, dim, s);
  if (dim->role != TNS_ROLE_FREE || dim->marks.unroll || !iter
      || inner->kind != TNS_TREE_DIM || inner->role != TNS_ROLE_ORDERED
      || !tns_dim_is_slow (p, inner) || !is_of_slab (p, inner)
      || is_bent_by (p, inner, iter))
    return;
  int copies = tns_fitting_copies (tns_dim_operations (p, inner, 1), ROWS);
  if (copies > 1)
    tns_dim_mark_unroll (p, dim, copies);
}

void
tns_plan_slab_rows (tns_planner *planner)
{
  tns_tree_dims (planner, planner->tree, jam_rows, NULL);
}
