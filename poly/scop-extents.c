/* Do subscripts keep to their arrays' rows?

     dx[i][at[i]] += t            before { least = min at[], most = max at[] }
                            ->    guard 0 <= least, most < m
                                  write  dx  { S[i] -> dx[i,e] : 0 <= e < m }

   Elements are compared subscript by subscript, which is right only where
   subscripts lie in the extents (0 <= s_k - first_k < extent_k for k >= 1).
   That is proved or guarded for each access of an array that is written, index
   arrays are looked through where the builder may (poly/scan.h), as far as the
   conditions around the access let them be (poly/when.h); one for which it
   cannot be may touch all of the array.  */

#include "poly/scan.h"
#include "poly/scop-build.h"
#include "poly/when.h"

/* EXTENT over ELEMENTS; NULL when it is not affine.  */
static __isl_give isl_pw_aff *
extent_over (tns_builder *b, __isl_keep isl_set *elements, tns_expr *extent)
{
  isl_set *saved = b->domain;
  b->domain = isl_set_universe (isl_set_get_space (elements));
  isl_pw_aff *made = tns_build_affine (b, extent);
  isl_set_free (b->domain);
  b->domain = saved;
  return made;
}

/* The elements of ELEMENTS, of ARRAY, whose subscript K is outside of its
   extent; NULL when that is not affine.  */
static __isl_give isl_set *
outside (tns_builder *b, const tns_array *array, __isl_keep isl_set *elements,
         int k)
{
  int pos = array->n_private + k;
  tns_expr *extent = array->sym->extent[k];
  isl_pw_aff *most = extent ? extent_over (b, elements, extent) : NULL;
  if (!most)
    return NULL;
  isl_space *space = isl_set_get_space (elements);
  isl_local_space *local = isl_local_space_from_space (space);
  isl_pw_aff *subscript
    = isl_pw_aff_var_on_domain (local, isl_dim_set, (unsigned) pos);
  isl_val *first
    = isl_val_int_from_si (b->isl, (long) -tns_sym_first (array->sym, k));
  subscript = isl_pw_aff_add_constant_val (subscript, first);
  isl_set *high = isl_pw_aff_ge_set (isl_pw_aff_copy (subscript), most);
  isl_set *low = isl_set_complement (isl_pw_aff_nonneg_set (subscript));
  return isl_set_intersect (isl_set_union (low, high), isl_set_copy (elements));
}

/* An access of a statement whose subscript is looked at.  */
typedef struct looking
{
  tns_builder *b;
  const tns_stmt *stmt;
  const tns_access *access;
} looking;

/* What LOAD may be, for ir/ends.h.  */
static bool
ends_of_load (tns_expr *load, tns_ends *ends, void *self)
{
  looking *l = self;
  tns_expr *when = tns_when (l->b->arena, l->stmt->node, l->access->expr, load);
  return tns_scan_load (l->b->ctx, l->b->scop, load, when, ends);
}

/* Guard that what ACCESS of STMT writes down for subscript K lies in the extent
   of SYM; false where it is not known what that may be.  */
static bool
look_through (tns_builder *b, const tns_sym *sym, const tns_stmt *stmt,
              const tns_access *access, int k)
{
  tns_ends ends;
  looking l = { b, stmt, access };
  tns_region *region = b->scop->region;
  if (!access->expr
      || !tns_ends_of (b->arena, region, access->expr, k, ends_of_load, &l,
                       &ends))
    return false;
  tns_expr *extent = tns_cast (b->arena, tns_scalar (TNS_I64),
                               tns_sym_room (b->arena, sym, k));
  tns_expr *first = tns_int (b->arena, tns_sym_first (sym, k));
  tns_region_add_guard (b->arena, region,
                        tns_binary (b->arena, TNS_GE, ends.least, first));
  tns_region_add_guard (b->arena, region,
                        tns_binary (b->arena, TNS_LT, ends.most, extent));
  return true;
}

/* Whether subscript K of ACCESS of STMT keeps to the extent of ARRAY, after
   guards and, where it LOOKS, index arrays are looked through; then ACCESS says
   so.  */
static bool
keeps_to (tns_builder *b, const tns_array *array, const tns_stmt *stmt,
          tns_access *access, int k, bool looks)
{
  const tns_sym *sym = array->sym;
  isl_set *elements = isl_map_range (isl_map_copy (access->map));
  isl_set *bad = outside (b, array, elements, k);
  isl_set *live = isl_set_copy (elements);
  bool inside = bad && tns_build_exclude (b, isl_set_copy (bad), live);
  if (!bad)
    isl_set_free (live);
  if (!inside && bad && looks && look_through (b, sym, stmt, access, k))
    {
      isl_set *good
        = isl_set_subtract (isl_set_copy (elements), isl_set_copy (bad));
      access->map = isl_map_intersect_range (access->map, good);
      inside = true;
    }
  isl_set_free (bad);
  isl_set_free (elements);
  return inside;
}

/* The same for all subscripts.  */
static bool
stays_inside (tns_builder *b, const tns_array *array, const tns_stmt *stmt,
              tns_access *access, bool looks)
{
  bool inside = true;
  for (int k = 1; k < array->sym->rank; k++)
    inside = keeps_to (b, array, stmt, access, k, looks) && inside;
  return inside;
}

/* Rows of ARRAY, which ACCESS touches, have elements, after guards.  */
static void
need_elements (tns_builder *b, const tns_array *array, const tns_access *access)
{
  isl_set *elements = isl_map_range (isl_map_copy (access->map));
  for (int k = 1; k < array->sym->rank; k++)
    {
      tns_expr *extent = array->sym->extent[k];
      isl_pw_aff *count = extent ? extent_over (b, elements, extent) : NULL;
      if (!count)
        continue;
      isl_set *some = isl_pw_aff_pos_set (count);
      isl_set *bad = isl_set_subtract (isl_set_copy (elements), some);
      tns_build_exclude (b, bad, isl_set_copy (elements));
    }
  isl_set_free (elements);
}

/* ACCESS touches all of ARRAY.  */
static void
make_whole (const tns_scop *scop, const tns_array *array, tns_access *access)
{
  unsigned first = (unsigned) array->n_private;
  unsigned n = (unsigned) array->sym->rank;
  isl_id *id = isl_map_get_tuple_id (access->map, isl_dim_out);
  access->map = isl_map_project_out (access->map, isl_dim_out, first, n);
  access->map = isl_map_add_dims (access->map, isl_dim_out, n);
  access->map = isl_map_set_tuple_id (access->map, isl_dim_out, id);
  access->may = true;
  if (tns_access_has_row (scop, access))
    access->key = isl_map_free (access->key);
}

/* The same for each access of array K.  */
static bool
all_inside (tns_builder *b, int k, bool looks)
{
  tns_scop *scop = b->scop;
  bool inside = true;
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      {
        tns_access *access = &scop->stmt[s].access[a];
        if (access->array == k)
          inside
            = stays_inside (b, &scop->array[k], &scop->stmt[s], access, looks)
              && inside;
      }
  return inside;
}

/* The same, where index arrays are looked through only if that brings all of
   them inside.  */
static bool
all_looked_inside (tns_builder *b, int k)
{
  tns_region *region = b->scop->region;
  tns_node *before = region->before;
  int n_guard = region->n_guard;
  if (before)
    region->before = tns_node_copy (b->arena, before);
  if (all_inside (b, k, true))
    return true;
  region->before = before;
  region->n_guard = n_guard;
  return false;
}

/* The accesses of array K that do not keep to its rows touch all of it.  */
static void
make_wholes (tns_builder *b, int k)
{
  tns_scop *scop = b->scop;
  const tns_array *array = &scop->array[k];
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      {
        tns_access *access = &scop->stmt[s].access[a];
        if (access->array != k
            || stays_inside (b, array, &scop->stmt[s], access, false))
          continue;
        need_elements (b, array, access);
        make_whole (scop, array, access);
      }
}

void
tns_build_extents (tns_builder *b)
{
  tns_scop *scop = b->scop;
  for (int k = 0; k < scop->n_arrays; k++)
    {
      const tns_array *array = &scop->array[k];
      if (!array->written || array->sym->rank < 2 || all_inside (b, k, false)
          || (b->looks && all_looked_inside (b, k)))
        continue;
      make_wholes (b, k);
    }
}
