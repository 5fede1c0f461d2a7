/* A live range rewritten to an array of its own, with coordinates and a copy
   out.  Which ones and how far: scop-privatise.c.  */

#include "poly/scop-private.h"

#include <string.h>

#include "ir/walk.h"
#include "poly/scop-build.h"

/* Old expressions and what stands for them.  */
typedef struct replacement
{
  tns_arena *arena;
  const tns_sym *from;
  tns_sym *to;
  int n;
  tns_expr **old;
  tns_expr **new;
} replacement;

/* What stands for EXPR, the same for the same EXPR.  */
static tns_expr *
replace (tns_expr *expr, void *self)
{
  replacement *r = self;
  if (!expr)
    return NULL;
  for (int k = 0; k < r->n; k++)
    if (r->old[k] == expr)
      return r->new[k];
  tns_expr **arg = TNS_NEW_ARRAY (r->arena, tns_expr *, expr->n_args + 1);
  for (int k = 0; k < expr->n_args; k++)
    arg[k] = replace (expr->arg[k], r);
  tns_expr *made = tns_expr_with_args (r->arena, expr, arg);
  if (expr->op == TNS_LOAD && expr->sym == r->from)
    {
      made = tns_load (r->arena, r->to, arg);
      made->loc = expr->loc;
    }
  r->old = tns_build_room (r->arena, r->old, r->n, sizeof *r->old);
  r->new = tns_build_room (r->arena, r->new, r->n, sizeof *r->new);
  r->old[r->n] = expr;
  r->new[r->n] = made;
  r->n++;
  return made;
}

/* The statements name TO, row ROW, instead of the array.  */
static void
rename_array (tns_range *range, tns_sym *to, int row)
{
  const tns_sym *from = range->scop->array[range->array].sym;
  for (int s = 0; s < range->scop->n_stmts; s++)
    {
      tns_stmt *stmt = &range->scop->stmt[s];
      if (!tns_range_has (range, s))
        continue;
      replacement r = { .arena = range->ctx->arena, .from = from, .to = to };
      stmt->node = tns_node_rebuild (r.arena, stmt->node, NULL, replace, &r);
      for (int a = 0; a < stmt->n_accesses; a++)
        {
          tns_access *access = &stmt->access[a];
          access->expr = replace (access->expr, &r);
          if (access->array != range->array)
            continue;
          access->array = row;
          isl_id *id = isl_id_alloc (range->scop->isl, to->name, NULL);
          access->map = isl_map_set_tuple_id (access->map, isl_dim_out, id);
        }
    }
}

void
tns_range_make_local (tns_range *range)
{
  tns_scop *scop = range->scop;
  tns_arena *arena = range->ctx->arena;
  const tns_sym *from = scop->array[range->array].sym;
  tns_sym *to
    = tns_region_add_array (arena, scop->region, from->name, from->type.elem,
                            from->rank, TNS_SYM_LOCAL | tns_sym_role (from));
  for (int k = 0; k < from->rank; k++)
    to->extent[k] = tns_sym_room (arena, from, k);
  to->stride = from->stride;
  to->loc = from->loc;
  to->spelled = from->spelled;
  int row = scop->n_arrays;
  scop->array = tns_build_room (arena, scop->array, row, sizeof *scop->array);
  scop->array[row]
    = (tns_array){ .sym = to,
                   .name = to->name,
                   .n_private = scop->array[range->array].n_private,
                   .dead_after = true,
                   .written = true };
  scop->n_arrays++;
  rename_array (range, to, row);
  range->array = row;
}

void
tns_range_add_coordinates (tns_range *range)
{
  tns_array *array = &range->scop->array[range->array];
  unsigned n_old = (unsigned) array->n_private;
  unsigned n_more = (unsigned) range->n_private - n_old;
  for (int s = 0; s < range->scop->n_stmts; s++)
    for (int a = 0; a < range->scop->stmt[s].n_accesses; a++)
      {
        tns_access *access = &range->scop->stmt[s].access[a];
        if (access->array != range->array)
          continue;
        isl_id *id = isl_map_get_tuple_id (access->map, isl_dim_out);
        isl_map *map
          = isl_map_insert_dims (access->map, isl_dim_out, n_old, n_more);
        for (int k = (int) n_old; k < range->n_private; k++)
          map = isl_map_equate (map, isl_dim_in, k, isl_dim_out, k);
        access->map = isl_map_set_tuple_id (map, isl_dim_out, id);
      }
  array->n_private = range->n_private;
}

/* { [i0, ..] } of the n_private loops of RANGE at the times in LAST (taken),
   { [c0, i0', c1, ...] }.  */
static __isl_give isl_set *
iterations_at (const tns_range *range, __isl_take isl_set *last)
{
  int n = range->n_private;
  isl_size n_dims = isl_set_dim (last, isl_dim_set);
  isl_space *space = isl_set_get_space (last);
  isl_local_space *local = isl_local_space_from_space (isl_space_copy (space));
  space = isl_space_from_domain (space);
  space = isl_space_add_dims (space, isl_dim_out, (unsigned) n);
  isl_multi_aff *iterators = isl_multi_aff_zero (space);
  for (int k = 0; k < n && 2 * k + 1 < n_dims; k++)
    {
      isl_aff *aff = isl_aff_var_on_domain (isl_local_space_copy (local),
                                            isl_dim_set, 2 * (unsigned) k + 1);
      if (range->first->loop[k]->step < 0)
        aff = isl_aff_neg (aff);
      iterators = isl_multi_aff_set_at (iterators, k, aff);
    }
  isl_local_space_free (local);
  return isl_set_coalesce (
    isl_set_apply (last, isl_map_from_multi_aff (iterators)));
}

/* An access of statement STMT to the element of ARRAY named by EXPR: all
   iterators are coordinates where it is private.  */
static tns_access
whole_access (const tns_range *range, const tns_stmt *stmt, int array,
              tns_expr *expr)
{
  int n = range->scop->array[array].n_private;
  isl_map *map = isl_map_from_domain (isl_set_copy (stmt->domain));
  map = isl_map_add_dims (map, isl_dim_out, (unsigned) n);
  for (int k = 0; k < n; k++)
    map = isl_map_equate (map, isl_dim_in, k, isl_dim_out, k);
  isl_id *id
    = isl_id_alloc (range->scop->isl, range->scop->array[array].name, NULL);
  map = isl_map_set_tuple_id (map, isl_dim_out, id);
  return (tns_access){ .array = array, .map = map, .expr = expr };
}

/* A statement name made of "out_" and NAME that no other has.  */
static const char *
copy_out_name (const tns_range *range, const char *name)
{
  char *made = tns_arena_format (range->ctx->arena, "out_%s", name);
  for (int s = 0; s < range->scop->n_stmts; s++)
    if (!strcmp (range->scop->stmt[s].name, made))
      {
        made = tns_arena_format (range->ctx->arena, "%s_", made);
        s = -1;
      }
  return made;
}

tns_stmt
tns_range_copy_out (const tns_range *range, int to, __isl_take isl_set *last)
{
  tns_arena *arena = range->ctx->arena;
  int n = range->n_private;
  const tns_array *array = range->scop->array;
  const tns_stmt *first = range->first;
  tns_expr *target = tns_cell (arena, array[to].sym);
  tns_expr *value = tns_cell (arena, array[range->array].sym);
  tns_node *node
    = tns_assign (arena, first->node->loc, target, TNS_NONE, value);
  node->name = copy_out_name (range, array[range->array].sym->name);
  tns_stmt stmt = { .name = node->name, .node = node, .n_iters = n };
  stmt.iter = first->iter;
  stmt.loop = first->loop;
  stmt.position = TNS_NEW_ARRAY (arena, int, n + 1);
  memcpy (stmt.position, first->position, sizeof (int) * (size_t) n);
  isl_id *id = isl_id_alloc (range->scop->isl, stmt.name, NULL);
  stmt.domain = isl_set_set_tuple_id (iterations_at (range, last), id);
  stmt.access = TNS_NEW_ARRAY (arena, tns_access, 2);
  stmt.n_accesses = 2;
  stmt.access[0] = whole_access (range, &stmt, range->array, value);
  stmt.access[1] = whole_access (range, &stmt, to, target);
  stmt.access[1].write = true;
  return stmt;
}

/* The index in SCOP's statements behind the last one in the loops of STMT;
   *POSITION is set to a place behind it.  */
static int
end_of_body (const tns_scop *scop, const tns_stmt *stmt, int *position)
{
  int n = stmt->n_iters;
  int behind = 0;
  *position = 0;
  for (int s = 0; s < scop->n_stmts; s++)
    {
      const tns_stmt *other = &scop->stmt[s];
      if (other->n_iters < n || other->loop[n - 1] != stmt->loop[n - 1])
        continue;
      behind = s + 1;
      if (other->position[n] >= *position)
        *position = other->position[n] + 1;
    }
  return behind;
}

void
tns_scop_insert_copy_out (tns_ctx *ctx, tns_scop *scop, tns_stmt stmt)
{
  int at = end_of_body (scop, &stmt, &stmt.position[stmt.n_iters]);
  int n = scop->n_stmts;
  tns_stmt *list = TNS_NEW_ARRAY (ctx->arena, tns_stmt, n + 1);
  for (int s = 0; s <= n; s++)
    list[s] = s < at ? scop->stmt[s] : s > at ? scop->stmt[s - 1] : stmt;
  scop->stmt = list;
  scop->n_stmts++;
}
