/* The final proof, of storage: no two live ranges meet in one cell.

   An array's elements are put into cells that exist anew for each value of
   the first dimensions of the order, and that some coordinates of an element
   tell apart:

     { X[e] -> [t, k] : t = the order of S[i], S[i] touches X[e], k = kept (e) }

   This is a renaming of the elements, which changes no dependence, when it

     1. is single-valued: an element has one cell, so nothing is looked for
        where it no longer is;
     2. is injective: a cell holds one element.

   The cells start with nothing in them.  So no read may see what an array of
   the caller's held before: each is of an element that a certain write comes
   before in the order.  A local array is not asked: what it holds at first is
   nothing too.  */

#include "poly/legal.h"

/* { S[i] -> [t] }, ORDER for STMT.  */
static __isl_give isl_map *
time_of (const tns_stmt *stmt, __isl_keep isl_union_map *order)
{
  isl_union_set *domain = isl_union_set_from_set (isl_set_copy (stmt->domain));
  isl_union_map *part
    = isl_union_map_intersect_domain (isl_union_map_copy (order), domain);
  if (isl_union_map_n_map (part) == 1)
    return isl_map_from_union_map (part);
  isl_union_map_free (part);
  return NULL;
}

/* { X[e] -> [k] }, the coordinates that CELLS keeps, of elements of the space
   that the range of TOUCHED is in.  */
static __isl_give isl_map *
kept_coordinates (const tns_cells *cells, __isl_keep isl_map *touched)
{
  isl_space *space = isl_space_range (isl_map_get_space (touched));
  isl_map *map = isl_map_identity (isl_space_map_from_set (space));
  map = isl_map_reset_tuple_id (map, isl_dim_out);
  for (int k = isl_map_dim (map, isl_dim_out) - 1; k >= 0; k--)
    if (!cells->kept[k])
      map = isl_map_project_out (map, isl_dim_out, (unsigned) k, 1);
  return map;
}

/* { X[e] -> [t, k] } of one access of STMT.  */
static __isl_give isl_map *
cells_of_access (const tns_cells *cells, const tns_stmt *stmt,
                 const tns_access *access, __isl_keep isl_union_map *order)
{
  isl_map *touched = isl_map_intersect_domain (isl_map_copy (access->map),
                                               isl_set_copy (stmt->domain));
  isl_map *kept = kept_coordinates (cells, touched);
  isl_map *time = time_of (stmt, order);
  int n = cells->n_dims;
  isl_size n_all = isl_map_dim (time, isl_dim_out);
  time = isl_map_project_out (time, isl_dim_out, (unsigned) n,
                              (unsigned) (n_all - n));
  isl_map *when = isl_map_apply_range (isl_map_reverse (touched), time);
  return isl_map_flat_range_product (when, kept);
}

/* { X[e] -> [t, k] } of all accesses; NULL when nothing is accessed.  */
static __isl_give isl_map *
all_cells (const tns_scop *scop, const tns_cells *cells,
           __isl_keep isl_union_map *order)
{
  isl_map *all = NULL;
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      {
        const tns_access *access = &scop->stmt[s].access[a];
        if (access->array != cells->array)
          continue;
        isl_map *one = cells_of_access (cells, &scop->stmt[s], access, order);
        all = all ? isl_map_union (all, one) : one;
      }
  if (!all)
    return NULL;
  all = isl_map_intersect_params (all, isl_set_copy (scop->context));
  return isl_map_coalesce (all);
}

/* The first dimension in which F and G, of N, are different numbers everywhere,
   or N; *LESS tells whether F's is the smaller one.  */
static int
first_decided (__isl_keep isl_map *f, __isl_keep isl_map *g, int n, bool *less)
{
  bool decided = false;
  int d = 0;
  *less = false;
  while (d < n && !decided)
    {
      isl_val *a
        = isl_map_plain_get_val_if_fixed (f, isl_dim_out, (unsigned) d);
      isl_val *b
        = isl_map_plain_get_val_if_fixed (g, isl_dim_out, (unsigned) d);
      decided = isl_val_ne (a, b) == isl_bool_true
                && isl_val_is_int (a) == isl_bool_true
                && isl_val_is_int (b) == isl_bool_true;
      *less = decided && isl_val_lt (a, b) == isl_bool_true;
      isl_val_free (a);
      isl_val_free (b);
      d += !decided;
    }
  return d;
}

/* { S[i] -> T[j] : f (S[i]) <lex g (T[j]) }; F and G are taken.  What comes
   behind a dimension that decides is not looked at.  */
static __isl_give isl_map *
before (__isl_take isl_map *f, __isl_take isl_map *g)
{
  bool less;
  isl_size n = isl_map_dim (f, isl_dim_out);
  unsigned d = (unsigned) first_decided (f, g, n, &less);
  f = isl_map_project_out (f, isl_dim_out, d, (unsigned) n - d);
  g = isl_map_project_out (g, isl_dim_out, d, (unsigned) n - d);
  return less ? isl_map_lex_le_map (f, g) : isl_map_lex_lt_map (f, g);
}

/* The instances of STMT at which READ sees what a certain write of the array
   left.  */
static __isl_give isl_set *
covered_reads (const tns_scop *scop, const tns_stmt *stmt,
               const tns_access *read, __isl_keep isl_union_map *order)
{
  isl_set *covered = isl_set_empty (isl_set_get_space (stmt->domain));
  for (int w = 0; w < scop->n_stmts; w++)
    for (int a = 0; a < scop->stmt[w].n_accesses; a++)
      {
        const tns_access *write = &scop->stmt[w].access[a];
        if (write->array != read->array || !write->write || write->may)
          continue;
        isl_map *pairs
          = isl_map_apply_range (isl_map_copy (write->map),
                                 isl_map_reverse (isl_map_copy (read->map)));
        pairs
          = isl_map_intersect (pairs, before (time_of (&scop->stmt[w], order),
                                              time_of (stmt, order)));
        covered = isl_set_union (covered, isl_map_range (pairs));
      }
  return covered;
}

bool
tns_legal_covered (const tns_scop *scop, int array,
                   __isl_keep isl_union_map *order)
{
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      {
        const tns_stmt *stmt = &scop->stmt[s];
        const tns_access *read = &stmt->access[a];
        if (read->array != array || read->write)
          continue;
        isl_set *left = isl_set_copy (stmt->domain);
        left = isl_set_intersect_params (left, isl_set_copy (scop->context));
        left = isl_set_subtract (left, covered_reads (scop, stmt, read, order));
        bool covered = !read->may && isl_set_is_empty (left) == isl_bool_true;
        isl_set_free (left);
        if (!covered)
          return false;
      }
  return true;
}

bool
tns_legal_written_first (const tns_scop *scop, int array)
{
  isl_union_map *order = tns_scop_order (scop);
  bool covered = tns_legal_covered (scop, array, order);
  isl_union_map_free (order);
  return covered;
}

bool
tns_legal_cells (const tns_scop *scop, __isl_keep isl_union_map *order,
                 const tns_cells *cells)
{
  const tns_array *array = &scop->array[cells->array];
  isl_map *all = all_cells (scop, cells, order);
  if (!all)
    return isl_ctx_last_error (scop->isl) == isl_error_none;
  bool right = isl_map_is_single_valued (all) == isl_bool_true
               && isl_map_is_injective (all) == isl_bool_true;
  isl_map_free (all);
  return right && array->dead_after
         && (tns_sym_is_local (array->sym)
             || tns_legal_covered (scop, cells->array, order));
}
