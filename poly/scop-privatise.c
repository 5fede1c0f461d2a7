/* Scalars and arrays that each iteration uses anew.

     float m;                           local m1[n]
     for n {                            for n {
       m = x[n][0];                       m1[n] = x[n][0];
       for c  m = max (m, x[n][c]);  ->   for c  m1[n] = max (m1[n], x[n][c]);
       y[n] = m;                          y[n] = m1[n];
     }                                    if (n is the last)  m = m1[n];
                                        }

   1. Dataflow (last writers) parts the statements that touch an array into
      live ranges: no value goes from one to another.
   2. The loops around all accesses of a live range are where copies can be.
      Down to some of them each read is reached only by writes of the same
      iteration; what is seen outside must not be read before it is written
      either.
   3. The live range gets a local array of its own, with the coordinates of
      these loops.
   4. What is seen after the region, a cell, is copied out by the live range
      that has the last write of all, in the iteration of that write; where
      which one that is depends on data the cell stays shared.

   A sum over a loop is reached by its own earlier iterations, so
   accumulators stay shared by the loops they are summed over.  */

#include "poly/scop-private.h"

#include "base/section.h"
#include "poly/scop-build.h"

/* What isl may take to find the last writers of an array.  */
#define OPERATIONS_OF_FLOW 200000

/* The values of one array.

   reached    { S[i] -> T[j] }, T may read what S wrote last
   unsourced  { T[j] -> A[e] }, T may read what nobody here wrote
   seen       the array may be seen after the region
   last       (seen) the time of the last write, NULL where that depends on
              data  */
typedef struct flow
{
  tns_scop *scop;
  int array;
  isl_union_map *reached;
  isl_union_map *unsourced;
  bool seen;
  isl_set *last;
  int *group;
} flow;

/* The accesses of the array: reads, or WRITEs that are MAY.  */
static __isl_give isl_union_map *
accesses (const flow *f, bool write, bool may)
{
  isl_union_map *all = isl_union_map_empty_ctx (f->scop->isl);
  for (int s = 0; s < f->scop->n_stmts; s++)
    for (int a = 0; a < f->scop->stmt[s].n_accesses; a++)
      {
        const tns_access *access = &f->scop->stmt[s].access[a];
        if (access->array == f->array && access->write == write
            && (!write || access->may == may))
          all = isl_union_map_add_map (all, isl_map_copy (access->map));
      }
  isl_set *context = isl_set_copy (f->scop->context);
  return isl_union_map_intersect_params (all, context);
}

/* Each execution of STMT is in an iteration of all loops of FIRST in which this
   is executed too, before it.  */
static bool
follows (const tns_stmt *stmt, const tns_stmt *first)
{
  int n = first->n_iters;
  if (stmt->n_iters < n || stmt->position[n] <= first->position[n])
    return false;
  for (int k = 0; k < n; k++)
    if (stmt->loop[k] != first->loop[k])
      return false;
  isl_set *around
    = isl_set_project_out (isl_set_copy (stmt->domain), isl_dim_set,
                           (unsigned) n, (unsigned) (stmt->n_iters - n));
  around = isl_set_set_tuple_id (around, isl_set_get_tuple_id (first->domain));
  bool inside = isl_set_is_subset (around, first->domain) == isl_bool_true;
  isl_set_free (around);
  return inside;
}

/* STMT reads ARRAY (WRITE: writes it); *MAY: not surely.  */
static bool
has_access (const tns_stmt *stmt, int array, bool write, bool *may)
{
  bool found = false;
  for (int a = 0; a < stmt->n_accesses; a++)
    if (stmt->access[a].array == array && stmt->access[a].write == write)
      {
        found = true;
        *may |= stmt->access[a].may;
      }
  return found;
}

/* The first statement that has the cell of F sets it anew, and all others, each
   of which reads it, come after it in the same iteration: then these are one
   live range, and no value leaves the iteration.  Fills reached and
   unsourced.  */
static bool
is_set_first (flow *f)
{
  const tns_scop *scop = f->scop;
  const tns_stmt *first = NULL;
  if (scop->array[f->array].sym->rank != 0)
    return false;
  for (int s = 0; s < scop->n_stmts; s++)
    {
      const tns_stmt *stmt = &scop->stmt[s];
      bool may = false;
      bool reads = has_access (stmt, f->array, false, &may);
      if (!tns_stmt_touches (stmt, f->array))
        continue;
      if (first ? !reads || !follows (stmt, first)
                : reads || !has_access (stmt, f->array, true, &may) || may)
        return false;
      first = first ? first : stmt;
    }
  f->reached = isl_union_map_empty_ctx (scop->isl);
  f->unsourced = isl_union_map_empty_ctx (scop->isl);
  return first != NULL;
}

/* STMT reads the elements through the map of access A, a write.  */
static bool
is_update (const tns_stmt *stmt, const tns_access *a)
{
  for (int k = 0; k < stmt->n_accesses; k++)
    if (stmt->access[k].array == a->array && !stmt->access[k].write
        && isl_map_plain_is_equal (stmt->access[k].map, a->map)
             == isl_bool_true)
      return true;
  return false;
}

/* STMT writes elements of ARRAY that it does not read.  */
static bool
is_setter (const tns_stmt *stmt, int array)
{
  for (int k = 0; k < stmt->n_accesses; k++)
    if (stmt->access[k].array == array && stmt->access[k].write
        && !is_update (stmt, &stmt->access[k]))
      return true;
  return false;
}

/* An element that a statement writes through A is read through B by another, in
   the same iteration of the N loops around both.  */
static bool
meets (const tns_scop *scop, const tns_access *a, const tns_access *b, int n)
{
  isl_map *pairs = isl_map_apply_range (
    isl_map_copy (a->map), isl_map_reverse (isl_map_copy (b->map)));
  for (int k = 0; k < n; k++)
    pairs = isl_map_equate (pairs, isl_dim_in, k, isl_dim_out, k);
  pairs = isl_map_intersect_params (pairs, isl_set_copy (scop->context));
  bool some = isl_map_is_empty (pairs) == isl_bool_false;
  isl_map_free (pairs);
  return some;
}

/* T, behind SETTER in all loops around both, reads an element of the array of F
   after SETTER has written it.  */
static bool
comes_after (const flow *f, const tns_stmt *setter, const tns_stmt *t)
{
  int n = tns_scop_common_loops (setter, t);
  if (setter->position[n] >= t->position[n])
    return false;
  for (int k = 0; k < setter->n_accesses; k++)
    for (int l = 0; l < t->n_accesses; l++)
      {
        const tns_access *a = &setter->access[k];
        const tns_access *b = &t->access[l];
        if (a->array == f->array && b->array == f->array && a->write
            && !b->write && meets (f->scop, a, b, n))
          return true;
      }
  return false;
}

/* All that touch the array are one live range, in no more loops than there are
   copies for: one statement alone writes what it does not read, and each other
   reads, later, what that has written.  Through updates each value comes from
   there: no flow needs to be asked for.  */
static bool
is_one_range (const flow *f)
{
  const tns_scop *scop = f->scop;
  const tns_stmt *setter = NULL;
  int n_others = 0;
  for (int s = 0; s < scop->n_stmts; s++)
    if (is_setter (&scop->stmt[s], f->array))
      {
        if (setter)
          return false;
        setter = &scop->stmt[s];
      }
  for (int s = 0; s < scop->n_stmts && setter; s++)
    {
      const tns_stmt *stmt = &scop->stmt[s];
      if (stmt == setter || !tns_stmt_touches (stmt, f->array))
        continue;
      if (tns_scop_common_loops (setter, stmt) > scop->array[f->array].n_private
          || !comes_after (f, setter, stmt))
        return false;
      n_others++;
    }
  return n_others > 0;
}

/* Fill reached and unsourced.  False where isl finds them only with many
   operations: then the array stays shared.  */
static bool
ask_flow (flow *f)
{
  unsigned long before = tns_isl_ask (f->scop->isl, OPERATIONS_OF_FLOW);
  isl_union_flow *found = tns_isl_flow (
    accesses (f, false, false), accesses (f, true, false),
    accesses (f, true, true), tns_scop_tree (f->scop, f->array));
  f->reached = isl_union_flow_get_may_dependence (found);
  f->unsourced = isl_union_flow_get_may_no_source (found);
  isl_union_flow_free (found);
  return tns_isl_asked (f->scop->isl, before);
}

/* The statement of MAP's domain (of its range).  */
static int
end_of (const tns_scop *scop, __isl_keep isl_map *map, bool range)
{
  isl_set *set = range ? isl_map_range (isl_map_copy (map))
                       : isl_map_domain (isl_map_copy (map));
  int s = tns_scop_stmt_of_set (scop, set);
  isl_set_free (set);
  return s;
}

/* Put the two ends of MAP into one group.  */
static isl_stat
join_ends (__isl_take isl_map *map, void *self)
{
  flow *f = self;
  int source = end_of (f->scop, map, false);
  int target = end_of (f->scop, map, true);
  isl_map_free (map);
  if (source < 0 || target < 0)
    return isl_stat_error;
  int from = f->group[source];
  int to = f->group[target];
  int least = from < to ? from : to;
  for (int s = 0; s < f->scop->n_stmts; s++)
    if (f->group[s] == from || f->group[s] == to)
      f->group[s] = least;
  return isl_stat_ok;
}

/* Part the statements into live ranges, each named by its first statement;
   with TOGETHER they are one.  False when isl failed.  */
static bool
find_groups (flow *f, bool together)
{
  int n = f->scop->n_stmts;
  int first = -1;
  f->group = TNS_NEW_ARRAY (f->scop->ctx->arena, int, n + 1);
  for (int s = 0; s < n; s++)
    {
      bool has = tns_stmt_touches (&f->scop->stmt[s], f->array);
      if (first < 0 && has)
        first = s;
      f->group[s] = !has ? -1 : together ? first : s;
    }
  return isl_union_map_foreach_map (f->reached, join_ends, f) == isl_stat_ok;
}

/* Find the loops around all accesses of RANGE.  */
static void
find_common (tns_range *range)
{
  for (int s = 0; s < range->scop->n_stmts; s++)
    {
      const tns_stmt *stmt = &range->scop->stmt[s];
      if (!tns_range_has (range, s))
        continue;
      if (!range->first)
        {
          range->first = stmt;
          range->n_common = stmt->n_iters;
        }
      int n = 0;
      while (n < range->n_common && n < stmt->n_iters
             && stmt->loop[n] == range->first->loop[n])
        n++;
      range->n_common = n;
    }
}

/* Shorten a range's n_private to the loops in which the pairs of MAP, when
   they are its own, are always equal.  */
static isl_stat
shorten (__isl_take isl_map *map, void *self)
{
  tns_range *range = self;
  isl_stat done = isl_stat_ok;
  int source = end_of (range->scop, map, false);
  bool own = source >= 0 && tns_range_has (range, source);
  for (int k = 0; own && k < range->n_private && done == isl_stat_ok; k++)
    {
      isl_map *equal
        = isl_map_equate (isl_map_copy (map), isl_dim_in, k, isl_dim_out, k);
      isl_bool same = isl_map_is_subset (map, equal);
      isl_map_free (equal);
      if (same < 0)
        done = isl_stat_error;
      else if (!same && !tns_ctx_breaks (range->scop->ctx, "private"))
        range->n_private = k;
    }
  isl_map_free (map);
  return done;
}

/* Read before it is written is MAP, when it is a range's own: then the range
   has no copies.  */
static isl_stat
note_unsourced (__isl_take isl_map *map, void *self)
{
  tns_range *range = self;
  int s = end_of (range->scop, map, false);
  isl_bool empty = isl_map_is_empty (map);
  isl_map_free (map);
  if (s >= 0 && tns_range_has (range, s) && !empty)
    range->n_private = 0;
  return empty < 0 ? isl_stat_error : isl_stat_ok;
}

/* Set n_private to what dataflow allows; false where that is no more than
   there is.  */
static bool
may_be_private (tns_range *range, const flow *f)
{
  const tns_array *array = &range->scop->array[range->array];
  find_common (range);
  if (range->n_common <= array->n_private)
    return false;
  range->n_private = range->n_common;
  isl_stat done = isl_union_map_foreach_map (f->reached, shorten, range);
  if (done == isl_stat_ok && !tns_sym_is_local (array->sym))
    done = isl_union_map_foreach_map (f->unsourced, note_unsourced, range);
  range->failed = done != isl_stat_ok;
  return !range->failed && range->n_private > array->n_private;
}

/* The times of the writes of the array in group ID (-1: all), those that
   are MAY or those that are not.  */
static __isl_give isl_set *
times (const flow *f, int id, bool may)
{
  const tns_scop *scop = f->scop;
  isl_space *space = isl_map_get_space (scop->stmt[0].order);
  isl_set *all = isl_set_empty (isl_space_range (space));
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      {
        const tns_access *access = &scop->stmt[s].access[a];
        if (access->array != f->array || !access->write || access->may != may
            || (id >= 0 && f->group[s] != id))
          continue;
        isl_set *writing = isl_map_domain (isl_map_copy (access->map));
        isl_map *order = isl_map_copy (scop->stmt[s].order);
        all = isl_set_union (all, isl_set_apply (writing, order));
      }
  isl_set *context = isl_set_copy (scop->context);
  return isl_set_intersect_params (all, context);
}

/* Find the last write of the array.  False when isl failed.  */
static bool
find_last (flow *f)
{
  isl_set *may = times (f, -1, true);
  isl_set *all = isl_set_union (times (f, -1, false), isl_set_copy (may));
  f->last = isl_set_lexmax (isl_set_coalesce (all));
  may = isl_set_intersect (may, isl_set_copy (f->last));
  isl_bool certain = isl_set_is_empty (may);
  isl_set_free (may);
  if (certain == isl_bool_false)
    f->last = isl_set_free (f->last);
  return certain >= 0;
}

/* RANGE's line of a plan with copies for each iteration of its N outermost
   loops.  */
static const char *
line_of (const tns_range *range, int n)
{
  const tns_sym *iter = range->first->loop[n - 1]->iter;
  return tns_arena_format (range->ctx->arena, "private %s at %s in %s",
                           range->scop->array[range->array].sym->name,
                           iter->spelled ? iter->spelled : iter->name,
                           range->first->name);
}

/* Lower n_private to what a user's plan asks for, if there is one with lines;
   false where that is nothing.  Write the step down.  */
static bool
take_step (tns_range *range)
{
  tns_scop *scop = range->scop;
  const char *name = scop->region->name;
  int least = scop->array[range->array].n_private;
  int n = range->n_private;
  if (tns_plan_line (range->ctx, name, ""))
    while (n > least
           && !tns_plan_has_line (range->ctx, name, line_of (range, n)))
      n--;
  range->n_private = n;
  if (n > least)
    tns_text_line (&scop->steps, "%s", line_of (range, n));
  return n > least;
}

/* Make RANGE private as far as it may be.  A copy out is appended to the
   *N_OUT of OUT where its last write is the array's.  */
static void
privatise (tns_range *range, const flow *f, int *n_out, tns_stmt *out)
{
  if ((f->seen && !f->last) || !may_be_private (range, f) || !take_step (range))
    return;
  int real = range->array;
  isl_set *last = NULL;
  if (f->seen)
    last
      = isl_set_intersect (times (f, range->id, false), isl_set_copy (f->last));
  if (!range->alone || !tns_sym_is_local (range->scop->array[real].sym))
    tns_range_make_local (range);
  tns_range_add_coordinates (range);
  isl_bool empty = last ? isl_set_is_empty (last) : isl_bool_true;
  range->failed = empty < 0 || (f->seen && !last);
  if (empty == isl_bool_false)
    out[(*n_out)++] = tns_range_copy_out (range, real, last);
  else
    isl_set_free (last);
}

/* Some statement in more loops than the cell of row K has copies for sets it
   without reading it: copies of an accumulator begin with that.  */
static bool
is_set_in_loops (const tns_scop *scop, int k)
{
  for (int s = 0; s < scop->n_stmts; s++)
    {
      const tns_stmt *stmt = &scop->stmt[s];
      bool may = false;
      if (stmt->n_iters > scop->array[k].n_private
          && has_access (stmt, k, true, &may)
          && !has_access (stmt, k, false, &may))
        return true;
    }
  return false;
}

/* Whether copies of the array can be made at all.  */
static bool
is_candidate (const tns_scop *scop, int k)
{
  const tns_array *array = &scop->array[k];
  const tns_sym *sym = array->sym;
  bool room = tns_sym_is_local (sym) || sym->rank == 0
              || (array->dead_after && sym->extent[0]);
  if (!array->written || !room
      || (sym->rank == 0 && !is_set_in_loops (scop, k)))
    return false;
  for (int s = 0; s < scop->n_stmts; s++)
    if (tns_stmt_touches (&scop->stmt[s], k)
        && scop->stmt[s].n_iters > array->n_private)
      return true;
  return false;
}

/* The live ranges of the array of F, one after the other.  False when isl
   failed.  */
static bool
privatise_groups (tns_ctx *ctx, flow *f)
{
  tns_scop *scop = f->scop;
  int n = scop->n_stmts;
  int n_groups = 0;
  for (int s = 0; s < n; s++)
    n_groups += f->group[s] == s;
  tns_stmt *out = TNS_NEW_ARRAY (ctx->arena, tns_stmt, n_groups + 1);
  int n_out = 0;
  bool failed = false;
  for (int s = 0; s < n && !failed; s++)
    if (f->group[s] == s)
      {
        tns_range range = { .ctx = ctx,
                            .scop = scop,
                            .array = f->array,
                            .group = f->group,
                            .id = s,
                            .alone = n_groups == 1 };
        privatise (&range, f, &n_out, out);
        failed = range.failed;
      }
  for (int k = 0; k < n_out; k++)
    tns_scop_insert_copy_out (ctx, scop, out[k]);
  if (n_out)
    tns_scop_make_orders (scop);
  return !failed;
}

tns_scop *
tns_scop_privatise (tns_ctx *ctx, tns_scop *scop)
{
  if (!scop)
    return NULL;
  tns_isl_begin (ctx, scop->isl);
  bool done = true;
  int n = scop->n_arrays;
  for (int k = 0; k < n && done; k++)
    {
      if (!is_candidate (scop, k))
        continue;
      flow f = { .scop = scop, .array = k };
      f.seen = !scop->array[k].dead_after;
      bool together = is_set_first (&f);
      if (together || (!is_one_range (&f) && ask_flow (&f)))
        done = f.reached && f.unsourced && find_groups (&f, together)
               && (!f.seen || find_last (&f)) && privatise_groups (ctx, &f);
      isl_union_map_free (f.reached);
      isl_union_map_free (f.unsourced);
      isl_set_free (f.last);
    }
  if (done && isl_ctx_last_error (scop->isl) == isl_error_none)
    return scop;
  tns_isl_refuse (ctx, scop->isl, scop->region->loc, "privatise");
  tns_scop_free (scop);
  return NULL;
}
