/* The final proof, of sums in place: what is summed in a run of a loop stands
   in registers meanwhile, so that no operand may be of it.

     for k                       { U[i] -> O[j] : U's target is what O reads,
       A[i][j] -= A[i][k]*A[k][j]                 t (U[i]) = t (O[j]) }

   must be empty for each update U and operand O of the loop, t what is around
   it.  */

#include "poly/legal.h"

/* ACCESS updates ARRAY.  */
static bool
updates (const tns_access *access, int array)
{
  return access->array == array && access->write && access->update != TNS_NONE;
}

/* ACCESS reads ARRAY and updates nothing.  */
static bool
is_operand (const tns_access *access, int array)
{
  return access->array == array && !access->write && access->update == TNS_NONE;
}

/* { S[i] -> [t] }, the first N_DIMS dimensions of TIME, that of STMT, for the
   instances that are executed.  */
static __isl_give isl_map *
time_around (const tns_scop *scop, const tns_stmt *stmt, isl_multi_aff *time,
             int n_dims)
{
  isl_map *map = isl_map_from_multi_aff (isl_multi_aff_copy (time));
  isl_size n = isl_map_dim (map, isl_dim_out);
  map = isl_map_project_out (map, isl_dim_out, (unsigned) n_dims,
                             (unsigned) (n - n_dims));
  map = isl_map_intersect_domain (map, isl_set_copy (stmt->domain));
  return isl_map_intersect_params (map, isl_set_copy (scop->context));
}

/* UPDATE of statement S and OPERAND of statement T never are of one element in
   one run.  */
static bool
never_meet (const tns_scop *scop, isl_multi_aff **time, int n_dims, int s,
            const tns_access *update, int t, const tns_access *operand)
{
  isl_map *pairs = isl_map_apply_range (
    isl_map_copy (update->map), isl_map_reverse (isl_map_copy (operand->map)));
  isl_map *source = time_around (scop, &scop->stmt[s], time[s], n_dims);
  isl_map *target = time_around (scop, &scop->stmt[t], time[t], n_dims);
  isl_map *same = isl_map_apply_range (source, isl_map_reverse (target));
  pairs = isl_map_intersect (pairs, same);
  bool empty = isl_map_is_empty (pairs) == isl_bool_true;
  isl_map_free (pairs);
  return empty;
}

/* The operands of statement T never meet UPDATE of statement S, and it writes
   nothing of that array but by updates.  */
static bool
leaves_alone (const tns_scop *scop, isl_multi_aff **time, int n_dims, int s,
              const tns_access *update, int t)
{
  const tns_stmt *stmt = &scop->stmt[t];
  bool right = true;
  for (int a = 0; a < stmt->n_accesses && right; a++)
    {
      const tns_access *access = &stmt->access[a];
      if (is_operand (access, update->array))
        right = never_meet (scop, time, n_dims, s, update, t, access);
      else if (access->array == update->array)
        right = access->update != TNS_NONE;
    }
  return right;
}

bool
tns_legal_sums (const tns_scop *scop, isl_multi_aff **time, int n_dims, int n,
                const int *stmt, int array)
{
  bool right = true;
  for (int k = 0; k < n && right; k++)
    for (int a = 0; a < scop->stmt[stmt[k]].n_accesses && right; a++)
      {
        const tns_access *access = &scop->stmt[stmt[k]].access[a];
        for (int l = 0; updates (access, array) && l < n && right; l++)
          right = leaves_alone (scop, time, n_dims, stmt[k], access, stmt[l]);
      }
  return right;
}
