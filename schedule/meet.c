/* Nests that go through one array together, though their loops differ.

     for i for j  x[i] += a[i][j] * y[j];
     for i for j  z[i] += a[j][i] * w[j];

       ->   for i for j { x[i] += a[i][j] * y[j];  z[j] += a[i][j] * w[i]; }

   Two neighbours that are perfect chains of DIMs are turned alike: DIMs that
   move the same subscript of an array that both touch stand at the same
   place.  The chain is turned whose innermost DIM does not go along the
   array's rows; none where both do, or neither does.

   Then siblings are fused (schedule/fuse.c), and a FREE DIM may meet a
   REDUCTION at any depth.  Threads then share chunks of the sum, or none:
   whether that pays is weighed by the caller.  */

#include "ir/stride.h"
#include "schedule/check.h"
#include "schedule/planner.h"
#include "schedule/step.h"

/* A perfect chain of DIMs above statement STMT alone.  */
typedef struct dim_chain
{
  int stmt;
  int n;
  tns_tree *dim[2 * TNS_MAX_DEPTH];
} dim_chain;

/* NEST is a perfect chain of at least two DIMs above one statement.  */
static bool
is_chain (tns_tree *nest, dim_chain *chain)
{
  chain->stmt = tns_tree_first_stmt (nest);
  chain->n = 0;
  for (; nest->kind == TNS_TREE_DIM; nest = nest->body)
    chain->dim[chain->n++] = nest;
  return nest->kind == TNS_TREE_LEAF && chain->n >= 2;
}

/* The DIM of CHAIN that alone moves subscript D of ACCESS, by one, or -1.  */
static int
mover (const tns_planner *p, const dim_chain *chain, const tns_access *access,
       int d)
{
  int found = -1;
  for (int k = 0; k < chain->n; k++)
    {
      long long step;
      tns_sym *iter = tns_dim_iter (p->scop, chain->dim[k], chain->stmt);
      if (!iter
          || !tns_expr_stride (p->ctx->arena, access->expr->arg[d], iter,
                               &step))
        return -1;
      if (step != 0 && (found >= 0 || step != 1))
        return -1;
      if (step != 0)
        found = k;
    }
  return found;
}

/* The access of CHAIN's statement to ARRAY, of at least two subscripts; NULL:
   none.  */
static const tns_access *
access_of (const tns_planner *p, const dim_chain *chain, int array)
{
  const tns_stmt *stmt = &p->scop->stmt[chain->stmt];
  for (int a = 0; a < stmt->n_accesses; a++)
    if (stmt->access[a].array == array && stmt->access[a].expr
        && stmt->access[a].expr->n_args >= 2)
      return &stmt->access[a];
  return NULL;
}

/* The innermost DIM of CHAIN alone moves ACCESS along rows.  */
static bool
goes_along (const tns_planner *p, const dim_chain *chain,
            const tns_access *access)
{
  return mover (p, chain, access, access->expr->n_args - 1) == chain->n - 1;
}

/* The names of TURNED's DIMs in the order in which those of LIKE move A's
   subscripts, into NAME; B is TURNED's access to the same array.  False where
   some DIM moves none, or several.  */
static bool
order_like (const tns_planner *p, const dim_chain *like, const tns_access *a,
            const dim_chain *turned, const tns_access *b, const char **name)
{
  unsigned placed = 0;
  unsigned taken = 0;
  for (int d = 0; d < a->expr->n_args; d++)
    {
      int at = mover (p, like, a, d);
      int from = mover (p, turned, b, d);
      if (at < 0 || from < 0)
        continue;
      if ((placed & 1u << at) || (taken & 1u << from))
        return false;
      placed |= 1u << at;
      taken |= 1u << from;
      name[at] = turned->dim[from]->name;
    }
  return like->n == turned->n && placed == (1u << like->n) - 1;
}

/* Turn TURNED, whose access B goes across the rows along which LIKE's access A
   goes, if that is legal.  */
static bool
turn_like (tns_planner *p, const dim_chain *like, const tns_access *a,
           const dim_chain *turned, const tns_access *b)
{
  const char *name[2 * TNS_MAX_DEPTH];
  if (!goes_along (p, like, a) || goes_along (p, turned, b)
      || !order_like (p, like, a, turned, b, name))
    return false;
  tns_tree *tree
    = tns_step_order (p->ctx->arena, p->tree, turned->stmt, turned->n, name);
  tns_text words = tns_text_new (p->ctx->arena);
  for (int k = 0; k < turned->n; k++)
    tns_text_format (&words, " %s", name[k]);
  if (!tree || !tns_tree_check (p->ctx, p->deps, tree, NULL))
    return false;
  tns_planner_take (p, tree, "order %s:%s", p->scop->stmt[turned->stmt].name,
                    tns_text_chars (&words));
  return true;
}

/* Turn one of the neighbours X and Y like the other.  */
static bool
turn_pair (tns_planner *p, tns_tree *x, tns_tree *y)
{
  dim_chain of_x;
  dim_chain of_y;
  if (!is_chain (x, &of_x) || !is_chain (y, &of_y))
    return false;
  for (int array = 0; array < p->scop->n_arrays; array++)
    {
      const tns_access *a = access_of (p, &of_x, array);
      const tns_access *b = access_of (p, &of_y, array);
      if (a && b
          && (turn_like (p, &of_x, a, &of_y, b)
              || turn_like (p, &of_y, b, &of_x, a)))
        return true;
    }
  return false;
}

void
tns_plan_meet (tns_planner *planner)
{
  const tns_tree *root = planner->tree;
  for (int k = 0; root->kind == TNS_TREE_SEQ && k + 1 < root->n_kids; k++)
    {
      turn_pair (planner, root->kid[k], root->kid[k + 1]);
      root = planner->tree;
    }
  planner->meets = true;
  tns_plan_fuse (planner);
}
