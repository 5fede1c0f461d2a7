/* Recurrences whose last value stays in a register.

     for j  x[j] = x[j-1] * a + b[j]       x[j-1] is what was just stored

   The innermost loop is ORDERED by a flow dependence from one iteration to
   the next.  The tree stays as it is: lowering/carry.h does the work wherever
   it can; the step says that the loop is worth to be taken for it.  */

#include "poly/legal.h"
#include "schedule/planner.h"

/* The pairs of DEP that are equal on DIM[0..N).  */
static __isl_give isl_map *
equal_pairs (const tns_scop *scop, const tns_dep *dep, int n, tns_tree **dim)
{
  isl_map *pairs = isl_map_copy (dep->map);
  for (int k = 0; k < n; k++)
    {
      isl_map *v
        = isl_map_from_pw_aff (tns_tree_pw_aff (scop, dim[k], dep->source));
      isl_map *w
        = isl_map_from_pw_aff (tns_tree_pw_aff (scop, dim[k], dep->target));
      v = isl_map_apply_range (v, isl_map_reverse (w));
      pairs = isl_map_intersect (pairs, v);
    }
  return pairs;
}

/* DEP goes from an iteration of DIM[N], an innermost loop, to the next
   one, and to none nearer.  */
static bool
is_next (const tns_planner *p, const tns_dep *dep, int n, tns_tree **dim)
{
  tns_distance d;
  isl_map *within = equal_pairs (p->scop, dep, n, dim);
  isl_pw_aff *v = tns_tree_pw_aff (p->scop, dim[n], dep->source);
  isl_pw_aff *w = tns_tree_pw_aff (p->scop, dim[n], dep->target);
  bool known = tns_dep_distance (dep, v, w, within, &d);
  isl_pw_aff_free (v);
  isl_pw_aff_free (w);
  isl_map_free (within);
  return known && !d.empty && d.lo_known && d.lo == 1;
}

/* ARRAY is stored to once below DIM.  */
static bool
is_stored_once (const tns_scop *scop, const tns_tree *dim, int array)
{
  int n = 0;
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; tns_tree_has (dim, s) && a < scop->stmt[s].n_accesses; a++)
      n += scop->stmt[s].access[a].array == array
           && scop->stmt[s].access[a].write;
  return n == 1;
}

bool
tns_dim_mark_carry (tns_planner *planner, tns_tree *dim)
{
  const tns_scop *scop = planner->scop;
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (planner->tree, tns_tree_first_stmt (dim), path) - 1;
  if (dim->role != TNS_ROLE_ORDERED || tns_tree_depth (dim->body) > 0
      || path[n] != dim)
    return false;
  for (int k = 0; k < planner->deps->n; k++)
    {
      const tns_dep *dep = &planner->deps->dep[k];
      if (dep->kind == TNS_DEP_FLOW && !dep->freed
          && scop->array[dep->array].sym->rank > 0
          && tns_tree_has (dim, dep->source) && tns_tree_has (dim, dep->target)
          && is_stored_once (scop, dim, dep->array)
          && is_next (planner, dep, n, path))
        {
          tns_text_line (&planner->steps, "carry %s in %s", dim->name,
                         scop->stmt[tns_tree_first_stmt (dim)].name);
          return true;
        }
    }
  return false;
}
