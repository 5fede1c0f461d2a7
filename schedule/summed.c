/* Sums in place: loops whose sums may stand in registers though their operands
   are elements of the same array.

     for k = b to b + 32
       for i.1 unroll(14) for j.1 simd(16) unroll(2)
         A[i][j] -= A[i][k] * A[k][j]           i, j beyond b + 32

   What is stored might be what is loaded next, as far as the text tells.  Where
   isl says that no operand is ever of a cell that the same run of the loop
   updates, the loop is marked so, and lowering/promote.h keeps the cells.  No
   step: nothing changes but what is known.  */

#include "schedule/planner.h"

/* Statement S, below DIM, updates a cell that DIM leaves where it is, and reads
   an operand of the same array: which; -1: it does not.  */
static int
sum_in_place (const tns_planner *p, const tns_tree *dim, int s)
{
  const tns_stmt *stmt = &p->scop->stmt[s];
  const tns_access *target = tns_update_target (stmt);
  const tns_sym *iter = tns_dim_iter (p->scop, dim, s);
  if (!target || !iter
      || tns_storage_stride (p->scop, stmt, target, iter) != TNS_STRIDE_FIXED)
    return -1;
  for (int a = 0; a < stmt->n_accesses; a++)
    if (tns_access_is_operand (&stmt->access[a])
        && stmt->access[a].array == target->array)
      return target->array;
  return -1;
}

/* All DIMs below TREE become copies or lanes: no loop stays.  */
static bool
is_body (const tns_tree *tree)
{
  bool right = true;
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    right = right && is_body (tree->kid[k]);
  if (tree->kind == TNS_TREE_DIM)
    right = (tree->marks.unroll || tree->marks.simd) && is_body (tree->body);
  return right;
}

/* The number of DIMs around DIM in P's tree.  */
static int
depth_of (const tns_planner *p, const tns_tree *dim)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int depth = 0;
  tns_tree_path (p->tree, tns_tree_first_stmt (dim), path);
  while (path[depth] != dim)
    depth++;
  return depth;
}

/* DIM's sums of ARRAY are read by nothing else in one run of it.  */
static bool
are_apart (const tns_planner *p, const tns_tree *dim, int array)
{
  int *stmt = TNS_NEW_ARRAY (p->ctx->arena, int, p->scop->n_stmts + 1);
  int n = tns_tree_stmts (dim, stmt);
  isl_multi_aff **time = tns_tree_times (p->scop, p->tree);
  bool right
    = tns_legal_sums (p->scop, time, 2 * depth_of (p, dim), n, stmt, array);
  tns_times_free (p->scop, time);
  return right;
}

/* Mark DIM where its sums are like that.  */
static void
mark_dim (tns_planner *p, tns_tree *dim, void *self)
{
  (void) self;
  if (dim->marks.parallel || !is_body (dim->body))
    return;
  for (int s = 0; s < p->scop->n_stmts && !dim->marks.summed; s++)
    {
      int array = tns_tree_has (dim, s) ? sum_in_place (p, dim, s) : -1;
      if (array >= 0 && are_apart (p, dim, array))
        dim->marks.summed = p->scop->array[array].sym;
    }
}

void
tns_plan_sums (tns_planner *planner)
{
  tns_tree_dims (planner, planner->tree, mark_dim, NULL);
}
