/* Sums that are scattered by shifted subscripts.

     for k for h for i for kh for kw       for k for kh for kw for h for i
       dx[h+kh][i+kw] += dy[k][h][i]  ->     dx[h+kh][i+kw] += dy[k][h][i]
                         * w[k][kh][kw]                        * w[k][kh][kw]

   Where two DIMs move one subscript of a sum's target, iterations of either
   meet in a cell as long as the other is inside.  The longer one, which owns
   the cells, goes inside: there it is FREE, a row or column of a contraction
   (schedule/contraction.h), unless elements further apart than one make that
   none.  Some DIM does not move the target, so that tiles use a cell again and
   again; other updates are gathered before (ir/gather.h).  */

#include "ir/walk.h"
#include "schedule/check.h"
#include "schedule/contraction.h"
#include "schedule/step.h"

/* The DIMs above an update, outermost first.

   owns[k]  DIM k goes inside  */
typedef struct nest
{
  int n;
  tns_tree *dim[2 * TNS_MAX_DEPTH];
  bool owns[2 * TNS_MAX_DEPTH];
} nest;

/* DIMs A and B move one subscript of TARGET, of statement S.  */
static bool
share_subscript (const tns_planner *p, int s, const tns_access *target,
                 const tns_tree *a, const tns_tree *b)
{
  const tns_sym *x = tns_dim_iter (p->scop, a, s);
  const tns_sym *y = tns_dim_iter (p->scop, b, s);
  for (int k = 0; k < target->expr->n_args && x && y && x != y; k++)
    if (tns_expr_mentions (target->expr->arg[k], x)
        && tns_expr_mentions (target->expr->arg[k], y))
      return true;
  return false;
}

/* DIM does not move TARGET, of statement S.  */
static bool
is_summed (const tns_planner *p, int s, const tns_access *target,
           const tns_tree *dim)
{
  const tns_sym *iter = tns_dim_iter (p->scop, dim, s);
  return iter && !tns_expr_mentions (target->expr, iter);
}

/* DIM A, around B, is the longer one as far as that is known.  */
static bool
is_longer (const tns_planner *p, const tns_tree *a, const tns_tree *b)
{
  long outer = tns_dim_trip (p->scop, a);
  long inner = tns_dim_trip (p->scop, b);
  return outer == 0 || inner == 0 || outer >= inner;
}

/* The DIMs above statement S with the owners among them into *ABOVE; the
   number of the outermost owner, -1 where nothing is scattered.  */
static int
find_owners (tns_planner *p, int s, nest *above)
{
  const tns_access *target = tns_update_target (&p->scop->stmt[s]);
  bool some_sum = false;
  int first = -1;
  *above = (nest){ .n = 0 };
  if (!target || !target->expr)
    return -1;
  above->n = tns_tree_path (p->tree, s, above->dim);
  for (int a = 0; a < above->n; a++)
    {
      some_sum |= is_summed (p, s, target, above->dim[a]);
      for (int b = a + 1; b < above->n; b++)
        if (share_subscript (p, s, target, above->dim[a], above->dim[b]))
          above->owns[is_longer (p, above->dim[a], above->dim[b]) ? a : b]
            = true;
    }
  for (int a = above->n - 1; a >= 0; a--)
    first = above->owns[a] ? a : first;
  return some_sum ? first : -1;
}

/* TREE keeps all dependences, and the DIM of each owner in ABOVE is FREE.  */
static bool
frees_owners (tns_planner *p, int s, const nest *above, tns_tree *tree)
{
  if (!tree || !tns_tree_check (p->ctx, p->deps, tree, NULL))
    return false;
  for (int k = 0; k < above->n; k++)
    if (above->owns[k]
        && !tns_dim_is_free_for (
          p->scop, tns_tree_find (tree, s, above->dim[k]->name), s))
      return false;
  return true;
}

/* Statement S is a contraction as it is, and would be none with the owners in
   ABOVE inside: none of them moves the target by one element, as a column
   does.  */
static bool
suits_as_it_is (const tns_planner *p, int s, const nest *above)
{
  tns_contraction c;
  const tns_stmt *stmt = &p->scop->stmt[s];
  for (int k = 0; k < above->n; k++)
    if (above->owns[k]
        && tns_storage_stride (p->scop, stmt, tns_update_target (stmt),
                               tns_dim_iter (p->scop, above->dim[k], s))
             == TNS_STRIDE_UNIT)
      return false;
  return tns_contraction_at (p, s, &c);
}

/* Move the owners of statement S inside.  */
static void
try_statement (tns_planner *p, int s)
{
  nest above;
  const char *name[2 * TNS_MAX_DEPTH];
  int n = 0;
  int first = find_owners (p, s, &above);
  if (first < 0 || suits_as_it_is (p, s, &above))
    return;
  tns_text words = tns_text_new (p->ctx->arena);
  for (int inside = 0; inside < 2; inside++)
    for (int k = first; k < above.n; k++)
      if (above.owns[k] == inside)
        {
          name[n++] = above.dim[k]->name;
          tns_text_format (&words, " %s", above.dim[k]->name);
        }
  tns_tree *tree = tns_step_order (p->ctx->arena, p->tree, s, n, name);
  if (frees_owners (p, s, &above, tree))
    tns_planner_take (p, tree, "order %s:%s", p->scop->stmt[s].name,
                      tns_text_chars (&words));
}

void
tns_plan_scatters (tns_planner *planner)
{
  for (int s = 0; s < planner->scop->n_stmts; s++)
    try_statement (planner, s);
}
