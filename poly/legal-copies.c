/* The final proof, of copies: statements that are executed elsewhere, and more
   than once, leave what the user's order leaves.

     for i  t[i] = ..                      for T { for i in T and around it
     for i  y[i] = .. t[i-1] .. t[i+1]  ->           t'[i] = ..
                                                   for i in T
                                                     y[i] = .. t'[i-1] .. }

   D are the instances as written, E those executed, o : E -> D says which is a
   copy of which.  A cell of an array that has cells for each place p is [e, p].
   With

     f_D, f_E   { writer -> [reader -> cell] }, the last write before each read
     n_D, n_E   { reader -> cell }, the reads of what was there before

   every value is the same when o, and [e, p] -> e, take f_E into f_D and n_E
   into n_D: what E executes reads then what it reads in D.  All that is seen
   after the region is read once more, at the end of either: so nothing that is
   seen is missing in E, and all of it is written last by the same instance.
   A cell with places is new: n_D has none of those arrays.

   Does not do: writes that may not take place.  */

#include "poly/legal.h"

/* Executed instances, as written or in the order of the copies.  place of a
   copy is NULL where cells have none.  */
typedef struct execution
{
  const tns_scop *scop;
  int n;
  const tns_copy *copy;
  const bool *apart;
  bool written;
} execution;

/* Who writes what is read, in terms of the user's instances and cells.  */
typedef struct values
{
  isl_union_map *from;
  isl_union_map *before;
} values;

/* The cells that COPY touches through ACCESS.  */
static __isl_give isl_map *
cells_of (const execution *e, const tns_copy *copy, const tns_access *access)
{
  isl_map *cells = isl_map_apply_range (isl_map_copy (copy->original),
                                        isl_map_copy (access->map));
  cells = isl_map_intersect_params (cells, isl_set_copy (e->scop->context));
  if (e->apart && e->apart[access->array])
    cells = isl_map_range_product (cells, isl_map_copy (copy->place));
  return cells;
}

/* All reads, or writes.  */
static __isl_give isl_union_map *
all_cells (const execution *e, bool write)
{
  isl_union_map *all = isl_union_map_empty_ctx (e->scop->isl);
  for (int k = 0; k < e->n; k++)
    {
      const tns_stmt *stmt = &e->scop->stmt[e->copy[k].stmt];
      for (int a = 0; a < stmt->n_accesses; a++)
        if (stmt->access[a].write == write)
          all = isl_union_map_add_map (
            all, cells_of (e, &e->copy[k], &stmt->access[a]));
    }
  return all;
}

/* { end[] }.  */
static __isl_give isl_set *
end_of (const tns_scop *scop)
{
  isl_space *space = isl_space_params (isl_set_get_space (scop->context));
  isl_set *end = isl_set_universe (isl_space_set_from_params (space));
  return isl_set_set_tuple_id (end, isl_id_alloc (scop->isl, "end", NULL));
}

/* { end[] -> X[e] } of all that is written and seen after the region.  */
static __isl_give isl_union_map *
seen_cells (const tns_scop *scop)
{
  isl_union_map *all = isl_union_map_empty_ctx (scop->isl);
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      {
        const tns_access *access = &scop->stmt[s].access[a];
        if (!access->write || scop->array[access->array].dead_after)
          continue;
        isl_set *cells = isl_map_range (isl_map_copy (access->map));
        cells = isl_set_intersect_params (cells, isl_set_copy (scop->context));
        all = isl_union_map_add_map (
          all, isl_map_from_domain_and_range (end_of (scop), cells));
      }
  return all;
}

/* When everything is executed, and the end.  */
static __isl_give isl_schedule *
tree_of (const execution *e)
{
  isl_schedule *all = e->written
                        ? tns_scop_tree (e->scop, -1)
                        : tns_copies_tree (e->scop->ctx->arena, e->n, e->copy);
  return isl_schedule_sequence (
    all, isl_schedule_from_domain (isl_union_set_from_set (end_of (e->scop))));
}

/* o, and { end[] -> end[] }.  */
static __isl_give isl_union_map *
originals_of (const execution *e)
{
  isl_union_map *all
    = isl_union_map_from_map (isl_set_identity (end_of (e->scop)));
  for (int k = 0; k < e->n; k++)
    all = isl_union_map_add_map (all, isl_map_copy (e->copy[k].original));
  return all;
}

/* { cell -> X[e] } for CELLS, all that are touched.  */
static __isl_give isl_union_map *
elements_of (__isl_take isl_union_map *cells)
{
  isl_union_set *all = isl_union_map_range (cells);
  isl_union_map *paired = isl_union_set_unwrap (isl_union_set_copy (all));
  isl_union_set *plain = isl_union_set_subtract (
    all, isl_union_map_wrap (isl_union_map_copy (paired)));
  return isl_union_map_union (isl_union_map_domain_map (paired),
                              isl_union_set_identity (plain));
}

/* The values of E.  */
static values
values_of (const execution *e)
{
  isl_union_map *reads
    = isl_union_map_union (all_cells (e, false), seen_cells (e->scop));
  isl_union_map *writes = all_cells (e, true);
  isl_union_map *o = originals_of (e);
  isl_union_map *elements = elements_of (isl_union_map_union (
    isl_union_map_copy (reads), isl_union_map_copy (writes)));
  isl_union_flow *flow = tns_isl_flow (reads, writes, NULL, tree_of (e));
  isl_union_map *from = isl_union_flow_get_full_must_dependence (flow);
  isl_union_map *before = isl_union_flow_get_must_no_source (flow);
  isl_union_flow_free (flow);
  from = isl_union_map_apply_domain (isl_union_map_coalesce (from),
                                     isl_union_map_copy (o));
  from = isl_union_map_apply_range (
    from, isl_union_map_product (isl_union_map_copy (o),
                                 isl_union_map_copy (elements)));
  before = isl_union_map_apply_domain (before, o);
  from = isl_union_map_coalesce (from);
  return (values){ from, isl_union_map_apply_range (before, elements) };
}

/* The user's own order: each statement is its only copy.  */
static execution
as_written (const tns_scop *scop)
{
  tns_copy *copy = TNS_NEW_ARRAY (scop->ctx->arena, tns_copy, scop->n_stmts);
  for (int s = 0; s < scop->n_stmts; s++)
    copy[s]
      = (tns_copy){ s, isl_set_identity (isl_set_copy (scop->stmt[s].domain)),
                    NULL, NULL };
  return (execution){ scop, scop->n_stmts, copy, NULL, true };
}

/* Some write of SCOP may not take place.  */
static bool
has_may (const tns_scop *scop)
{
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      if (scop->stmt[s].access[a].write && scop->stmt[s].access[a].may)
        return true;
  return false;
}

/* Those of BEFORE whose cells nobody has made new: what an array held before
   the region, the new cells do not.  */
static __isl_give isl_union_map *
without_apart (const tns_scop *scop, const bool *apart,
               __isl_take isl_union_map *before)
{
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      {
        const tns_access *access = &scop->stmt[s].access[a];
        if (!apart || !apart[access->array])
          continue;
        isl_set *cells = isl_map_range (isl_map_copy (access->map));
        before = isl_union_map_subtract_range (before,
                                               isl_union_set_from_set (cells));
      }
  return before;
}

void
tns_copies_free (int n, tns_copy *copy)
{
  for (int k = 0; k < n; k++)
    {
      isl_map_free (copy[k].original);
      isl_map_free (copy[k].order);
      isl_map_free (copy[k].place);
    }
}

bool
tns_legal_copies (const tns_scop *scop, int n, const tns_copy *copy,
                  const bool *apart)
{
  if (has_may (scop) || n == 0)
    return false;
  execution written = as_written (scop);
  execution copied = { scop, n, copy, apart, false };
  values d = values_of (&written);
  values e = values_of (&copied);
  d.before = without_apart (scop, apart, d.before);
  bool right = isl_union_map_is_subset (e.from, d.from) == isl_bool_true
               && isl_union_map_is_subset (e.before, d.before) == isl_bool_true;
  isl_union_map_free (d.from);
  isl_union_map_free (d.before);
  isl_union_map_free (e.from);
  isl_union_map_free (e.before);
  tns_copies_free (written.n, (tns_copy *) written.copy);
  return right;
}
