/* Loops that count down, counted up.

     for i = n - 1 to -1 step -1  y[i] = x[i] + 1
       ->  for i = 0 to n  y[i] = x[i] + 1

   A DIM whose rows all advance an iterator by -1, and that carries nothing but
   freed updates, is reversed: whole vectors are loaded and stored as they
   stand, and its values are those of loops that count up, with which it may
   then be fused.  */

#include "schedule/check.h"
#include "schedule/planner.h"
#include "schedule/step.h"

/* Every row of DIM takes one iterator away.  */
static bool
counts_down (const tns_planner *p, const tns_tree *dim)
{
  for (int s = 0; s < p->scop->n_stmts; s++)
    if (tns_tree_has (dim, s))
      {
        int n = 0;
        for (int k = 0; k < TNS_MAX_DEPTH; k++)
          {
            n += dim->row[s]->coef[k] == -1;
            if (dim->row[s]->coef[k] > 0 || dim->row[s]->coef[k] < -1)
              return false;
          }
        if (n != 1 || dim->row[s]->divisor != 1)
          return false;
      }
  return true;
}

/* Reverse DIM where it counts down.  */
static void
try_dim (tns_planner *p, tns_tree *dim, void *self)
{
  bool *found = self;
  if (*found || dim->role == TNS_ROLE_ORDERED || !counts_down (p, dim))
    return;
  int s = tns_tree_first_stmt (dim);
  tns_tree *tree = tns_step_reverse (p->ctx->arena, p->tree, s, dim->name);
  if (!tree || !tns_tree_check (p->ctx, p->deps, tree, NULL))
    return;
  *found = true;
  tns_planner_take (p, tree, "reverse %s in %s", dim->name,
                    p->scop->stmt[s].name);
}

void
tns_plan_reverses (tns_planner *planner)
{
  for (bool found = true; found;)
    {
      found = false;
      tns_tree_dims (planner, planner->tree, try_dim, &found);
    }
}
