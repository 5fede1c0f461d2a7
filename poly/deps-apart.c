/* Whether iterations of the outermost loop have nothing to do with each other:

     { S[i, ..] -> T[j, ..] }      i = j in every dependence  */

#include "poly/deps.h"

#include <string.h>

/* Whether all of DEP is inside of iterations of the outermost loop.  */
static bool
is_inside (const tns_dep *dep)
{
  isl_map *same = isl_map_copy (dep->map);
  same = isl_map_equate (same, isl_dim_in, 0, isl_dim_out, 0);
  bool inside = isl_map_is_subset (dep->map, same) == isl_bool_true;
  isl_map_free (same);
  return inside;
}

bool
tns_deps_apart (const tns_deps *deps, const char *name)
{
  const tns_scop *scop = deps->scop;
  bool apart = scop->n_stmts > 0;
  for (int k = 0; k < scop->n_stmts && apart; k++)
    apart = scop->stmt[k].n_iters > 0
            && strcmp (scop->stmt[k].loop[0]->iter->name, name) == 0;
  for (int k = 0; k < deps->n && apart; k++)
    apart = is_inside (&deps->dep[k]);
  return apart;
}
