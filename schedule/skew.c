/* Rows that wait for themselves alone.

     for i                                   for i.0, four rows
       for j                                   for j + 2*i
         x[i][j] += x[i-1][j+1] + x[i][j-1]  ->  for i.1 ...

   Both DIMs are ORDERED, and an iteration of the inner one waits for the one
   before.  When row i + 1 stays SKEW iterations behind row i nothing at one
   place of the inner loop depends on another row there: ROWS chains run side
   by side in one processor.

   Where the outer DIM is FREE no skew is needed, and there may be several inner
   ones.

   SKEW is the least for which that holds: the skewed tree is legal and its
   innermost DIM FREE.  The tree itself stays as it is; lowering/skew.h does the
   work, in an order that takes the first and the last iterations of each row
   apart, which is legal when both orders are.

   Does not do: bounds of the inner loop that move with the row, statements
   with different domains or with conditions, whose branches would be guessed
   wrong side by side, temporaries that shrink.  */

#include "ir/walk.h"
#include "schedule/check.h"
#include "schedule/planner.h"
#include "schedule/step.h"
#include "schedule/weigh.h"

#define ROWS      4
#define MOST_SKEW 4
#define LONG      8
#define GAIN      0.9

/* Statements S and T have the same domain but for their names.  */
static bool
same_domain (const tns_scop *scop, int s, int t)
{
  isl_set *a = isl_set_copy (scop->stmt[s].domain);
  isl_set *b = isl_set_copy (scop->stmt[t].domain);
  bool same = false;
  if (isl_set_dim (a, isl_dim_set) == isl_set_dim (b, isl_dim_set))
    {
      a = isl_set_reset_tuple_id (a);
      b = isl_set_reset_tuple_id (b);
      same = isl_set_is_equal (a, b) == isl_bool_true;
    }
  isl_set_free (a);
  isl_set_free (b);
  return same;
}

/* The loop of statement S that DIM advances, or NULL.  */
static const tns_node *
loop_of (const tns_scop *scop, const tns_tree *dim, int s)
{
  const tns_stmt *stmt = &scop->stmt[s];
  const tns_sym *iter = tns_dim_iter (scop, dim, s);
  for (int k = 0; iter && k < stmt->n_iters; k++)
    if (stmt->iter[k] == iter)
      return stmt->loop[k];
  return NULL;
}

/* Statement S, below DIM, is an assignment that runs over a rectangle, on
   arrays that stay.  */
static bool
is_plain (const tns_scop *scop, const tns_tree *dim, int s)
{
  const tns_node *outer = loop_of (scop, dim, s);
  const tns_node *inner = loop_of (scop, dim->body, s);
  if (scop->stmt[s].node->kind != TNS_ASSIGN || !outer || !inner
      || tns_expr_mentions (inner->lo, outer->iter)
      || tns_expr_mentions (inner->hi, outer->iter))
    return false;
  for (int a = 0; a < scop->stmt[s].n_accesses; a++)
    {
      const tns_array *array = &scop->array[scop->stmt[s].access[a].array];
      if (array->sym->rank > 0 && array->dead_after)
        return false;
    }
  return true;
}

/* DIM has nothing but an innermost DIM below, both in the order as written,
   over one rectangle, without marks.  */
static bool
suits (const tns_planner *p, const tns_tree *dim)
{
  const tns_tree *inner = dim->body;
  if (dim->role != TNS_ROLE_ORDERED || inner->kind != TNS_TREE_DIM
      || inner->role != TNS_ROLE_ORDERED || tns_tree_depth (inner->body) > 0
      || dim->marks.rows || dim->marks.unroll || inner->marks.unroll)
    return false;
  int first = tns_tree_first_stmt (dim);
  for (int s = 0; s < p->scop->n_stmts; s++)
    if (tns_tree_has (dim, s)
        && (!is_plain (p->scop, dim, s) || !same_domain (p->scop, first, s)))
      return false;
  return true;
}

/* ROWS rows of DIM, SKEW apart, depend on nothing at one place.  */
static bool
is_free (const tns_planner *p, const tns_tree *dim, long rows, long skew)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int s = tns_tree_first_stmt (dim);
  tns_tree *tree
    = tns_step_skew (p->ctx->arena, p->tree, s, dim->name, rows, skew);
  if (!tns_step_holds (p, "skew", tree, NULL))
    return false;
  int n = tns_tree_path (tree, s, path);
  return path[n - 1]->role == TNS_ROLE_FREE || tns_ctx_breaks (p->ctx, "skew");
}

/* TREE holds innermost DIMs without copies, and leaves; *N of those DIMs
   wait.  */
static bool
waits (const tns_tree *tree, int *n)
{
  bool right = true;
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    right = right && waits (tree->kid[k], n);
  if (tree->kind != TNS_TREE_DIM)
    return right;
  *n += tree->role == TNS_ROLE_ORDERED;
  return tns_tree_depth (tree->body) == 0 && !tree->marks.unroll;
}

/* The rows of DIM are FREE, and those in them wait for themselves: no skew is
   needed.  */
static bool
suits_straight (const tns_tree *dim)
{
  int n = 0;
  const tns_marks *marks = &dim->marks;
  return dim->role == TNS_ROLE_FREE && !marks->rows && !marks->unroll
         && !marks->simd && marks->collapse <= 1 && waits (dim->body, &n)
         && n > 0;
}

bool
tns_dim_mark_skew (tns_planner *planner, tns_tree *dim, long rows, long skew)
{
  if (rows < 2 || rows > TNS_MOST_LANES || skew < 0)
    return false;
  if (skew == 0 ? !suits_straight (dim)
                : !suits (planner, dim) || !is_free (planner, dim, rows, skew))
    return false;
  dim->marks.rows = (int) rows;
  dim->marks.skew = (int) skew;
  tns_text_line (&planner->steps, "skew %s in %s: %ld by %ld", dim->name,
                 planner->scop->stmt[tns_tree_first_stmt (dim)].name, rows,
                 skew);
  return true;
}

/* The predicted time with ROWS rows of DIM at a time.  */
static double
weigh_rows (const tns_planner *p, tns_tree *dim, int rows)
{
  dim->marks.rows = rows;
  double ns = tns_weigh (p->ctx, p->scop, p->machine, p->tree, false);
  dim->marks.rows = 0;
  return ns;
}

/* Some statement below DIM takes longer than the processor needs to begin the
   next iteration.  */
static bool
waits_long (const tns_planner *p, const tns_tree *dim)
{
  for (int s = 0; s < p->scop->n_stmts; s++)
    if (tns_tree_has (dim, s) && !tns_stmt_is_quick (&p->scop->stmt[s]))
      return true;
  return false;
}

/* Skew the rows of DIM where that is predicted to gain.  */
static void
skew_dim (tns_planner *p, tns_tree *dim, void *self)
{
  (void) self;
  if ((!suits (p, dim) && !suits_straight (dim)) || !waits_long (p, dim)
      || tns_fitting_copies (tns_dim_operations (p, dim, 1), ROWS) < ROWS
      || weigh_rows (p, dim, ROWS) > GAIN * weigh_rows (p, dim, 0))
    return;
  long trip = tns_dim_trip (p->scop, dim);
  bool done = trip > 0 && trip < 2 * ROWS;
  if (!done && dim->role == TNS_ROLE_FREE)
    done = tns_dim_mark_skew (p, dim, ROWS, 0);
  long inner = done ? 0 : tns_dim_trip (p->scop, dim->body);
  for (long skew = 1; skew <= MOST_SKEW && !done; skew++)
    done = (inner > 0 && inner < LONG * ROWS * skew)
           || tns_dim_mark_skew (p, dim, ROWS, skew);
}

void
tns_plan_skews (tns_planner *planner)
{
  tns_tree_dims (planner, planner->tree, skew_dim, NULL);
}
