/* A reduction that threads share in chunks.

     for i  for j  s[j] += x[i][j];        each chunk of i sums into a row of
                                           its own (lowering/chunks.h)

   A cell needs no more than that all its updates are freed.  Of an array X
   the rows must be known before the loop runs, so for

     F = { [d] -> X[e] }    what DIM's loop touches inside the DIMs above

   1. every access to X below DIM is an update with the one operator;
   2. F does not depend on d: F = domain F x R.  Loops that threads share
      are left out of d: chunks are taken only where these run once;
   3. R is a box, all of which is updated, with bounds over the parameters;
   4. where the loop runs but R is empty, the bounds say so.

   What indices name is looked for when the loop runs, where 1 holds, no
   threads share a loop around, and a function or a loop inside takes far longer
   than that: a histogram alone takes about two cycles for an element.  */

#include "ir/walk.h"
#include "schedule/box.h"
#include "schedule/planner.h"

#define CELL_CHUNKS  64
#define ARRAY_CHUNKS 16

/* The position of SYM in SCOP's arrays.  */
static int
array_of (const tns_scop *scop, const tns_sym *sym)
{
  int k = 0;
  while (scop->array[k].sym != sym)
    k++;
  return k;
}

/* All accesses to ARRAY below DIM are updates with OP for certain.  */
static bool
only_updates (const tns_scop *scop, const tns_tree *dim, int array, tns_op op)
{
  for (int s = 0; s < scop->n_stmts; s++)
    if (tns_tree_has (dim, s))
      for (int a = 0; a < scop->stmt[s].n_accesses; a++)
        {
          const tns_access *access = &scop->stmt[s].access[a];
          if (access->array == array && (access->update != op || access->may))
            return false;
        }
  return true;
}

/* The parameters for which some statement below DIM is executed.  */
static __isl_give isl_set *
params_of (const tns_scop *scop, const tns_tree *dim)
{
  isl_set *all = NULL;
  for (int s = 0; s < scop->n_stmts; s++)
    if (tns_tree_has (dim, s))
      {
        isl_set *one = isl_set_params (isl_set_copy (scop->stmt[s].domain));
        all = all ? isl_set_union (all, one) : one;
      }
  return isl_set_intersect (all, isl_set_copy (scop->context));
}

/* The DIMs above DIM that threads do not share, outermost first; how
   many.  */
static int
serial_above (const tns_planner *p, tns_tree *dim, tns_tree **above)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  tns_tree_path (p->tree, tns_tree_first_stmt (dim), path);
  int n = 0;
  for (int k = 0; path[k] != dim; k++)
    if (!path[k]->marks.parallel || path[k]->role != TNS_ROLE_FREE)
      above[n++] = path[k];
  return n;
}

/* R, what DIM's loop touches of ARRAY in any iteration of the DIMs above;
   NULL when that depends on the iteration.  */
static __isl_give isl_set *
range_of (const tns_planner *p, tns_tree *dim, int array)
{
  tns_tree *above[2 * TNS_MAX_DEPTH];
  int n = serial_above (p, dim, above);
  isl_map *foot = tns_box_footprint (p->scop, dim, array, n, above);
  isl_set *range = isl_map_range (isl_map_copy (foot));
  isl_map *all = isl_map_from_domain_and_range (
    isl_map_domain (isl_map_copy (foot)), isl_set_copy (range));
  bool fixed = isl_map_is_equal (foot, all) == isl_bool_true;
  isl_map_free (foot);
  isl_map_free (all);
  return fixed ? range : isl_set_free (range);
}

/* Write the bounds of RANGE down in R.  */
static bool
take_bounds (const tns_planner *p, __isl_keep isl_set *range, tns_reduction *r)
{
  tns_arena *arena = p->ctx->arena;
  int rank = r->sym->rank;
  r->offset = TNS_NEW_ARRAY (arena, tns_expr *, rank);
  r->extent = TNS_NEW_ARRAY (arena, tns_expr *, rank);
  for (int k = 0; k < rank; k++)
    {
      tns_expr *hi;
      if (!tns_box_bounds (p->scop, range, k, &r->offset[k], &hi))
        return false;
      tns_expr *length = tns_binary (arena, TNS_SUB, hi, r->offset[k]);
      r->extent[k] = tns_binary (arena, TNS_ADD, length, tns_int (arena, 1));
    }
  return true;
}

/* Give R, an array that DIM carries, its box.  */
static bool
find_box (const tns_planner *p, tns_tree *dim, tns_reduction *r)
{
  int array = array_of (p->scop, r->sym);
  if (p->scop->array[array].n_private > 0
      || !only_updates (p->scop, dim, array, r->op))
    return false;
  isl_set *range = range_of (p, dim, array);
  if (!range)
    return false;
  isl_set *where = params_of (p->scop, dim);
  bool found = take_bounds (p, range, r) && tns_box_is_full (range)
               && tns_box_vanishes (range, where);
  isl_set_free (where);
  isl_set_free (range);
  return found;
}

/* A statement below DIM writes SYM, more than a cell of an iteration.  */
static bool
is_changed (const tns_planner *p, const tns_tree *dim, const tns_sym *sym)
{
  const tns_scop *scop = p->scop;
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; tns_tree_has (dim, s) && a < scop->stmt[s].n_accesses; a++)
      {
        const tns_access *access = &scop->stmt[s].access[a];
        const tns_array *array = &scop->array[access->array];
        if (access->write && array->sym == sym
            && (sym->rank > 0 || array->n_private == 0))
          return true;
      }
  return false;
}

/* A look at a subscript.  */
typedef struct subscript
{
  const tns_planner *p;
  const tns_tree *dim;
  bool stays;
} subscript;

/* The visitor.  */
static bool
note_change (tns_expr *expr, void *self)
{
  subscript *s = self;
  s->stays &= !tns_expr_reads (expr) || !is_changed (s->p, s->dim, expr->sym);
  return s->stays;
}

/* STMT, which updates ARRAY, is a loop, over a row whose bounds are in memory,
   that does more with an entry than to add it to an element.  */
static bool
is_long_row (const tns_stmt *stmt, int array)
{
  bool found = tns_node_has_loop (stmt->node->body);
  for (int a = 0; a < stmt->n_accesses; a++)
    found |= stmt->access[a].write && stmt->access[a].array != array;
  return found;
}

/* What is done below DIM, which carries ARRAY, is so much more than to look at
   its subscripts that this pays.  */
static bool
is_long (const tns_scop *scop, const tns_tree *dim, int array)
{
  int deepest = 0;
  int looked = 0;
  bool found = false;
  for (int s = 0; s < scop->n_stmts; s++)
    {
      const tns_stmt *stmt = &scop->stmt[s];
      if (!tns_tree_has (dim, s))
        continue;
      deepest = stmt->n_iters > deepest ? stmt->n_iters : deepest;
      for (int a = 0; a < stmt->n_accesses; a++)
        if (stmt->access[a].array == array && stmt->n_iters > looked)
          looked = stmt->n_iters;
      found |= tns_node_calls (stmt->node)
               || (stmt->node->kind == TNS_LOOP && is_long_row (stmt, array));
    }
  return found || deepest > looked;
}

/* SYM's extents, but the first, are constants.  */
static bool
has_constant_rows (const tns_sym *sym)
{
  long long extent;
  bool constant = true;
  for (int k = 1; k < sym->rank; k++)
    constant &= sym->extent[k] && tns_expr_is_int (sym->extent[k], &extent);
  return constant;
}

/* The box of R, which DIM carries, is found when the loop runs
   (lowering/found.h).  */
static bool
may_be_found (const tns_planner *p, tns_tree *dim, const tns_reduction *r)
{
  const tns_scop *scop = p->scop;
  tns_tree *path[2 * TNS_MAX_DEPTH];
  subscript all = { p, dim, has_constant_rows (r->sym) && r->op == TNS_ADD };
  int array = array_of (scop, r->sym);
  tns_tree_path (p->tree, tns_tree_first_stmt (dim), path);
  for (int k = 0; path[k] != dim; k++)
    all.stays &= !path[k]->marks.parallel;
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; tns_tree_has (dim, s) && a < scop->stmt[s].n_accesses; a++)
      {
        const tns_access *access = &scop->stmt[s].access[a];
        if (access->array != array)
          continue;
        all.stays &= access->update == r->op;
        for (int k = 0; k < access->expr->n_args; k++)
          tns_expr_walk (access->expr->arg[k], note_change, &all);
      }
  return all.stays && scop->array[array].n_private == 0
         && is_long (scop, dim, array);
}

bool
tns_dim_mark_chunks (tns_planner *planner, tns_tree *dim, int chunks)
{
  int n = dim->n_carried;
  tns_reduction *carried
    = TNS_NEW_ARRAY (planner->ctx->arena, tns_reduction, n + 1);
  int most = CELL_CHUNKS;
  bool is_freed = dim->role == TNS_ROLE_REDUCTION
                  || tns_ctx_breaks (planner->ctx, "reduce");
  if (!is_freed || dim->marks.parallel)
    return false;
  for (int k = 0; k < n; k++)
    {
      carried[k] = dim->carried[k];
      if (carried[k].sym->rank == 0)
        continue;
      most = ARRAY_CHUNKS;
      if (find_box (planner, dim, &carried[k]))
        continue;
      carried[k].offset = carried[k].extent = NULL;
      if (planner->machine->device || !may_be_found (planner, dim, &carried[k]))
        return false;
    }
  dim->marks.parallel = true;
  dim->marks.chunks = chunks ? chunks : most;
  dim->marks.owners
    = !planner->machine->device && tns_dim_may_be_owned (planner, dim);
  dim->marks.n_reductions = n;
  dim->marks.reductions = carried;
  tns_text_line (&planner->steps, "reduce %s in %s: %d", dim->name,
                 planner->scop->stmt[tns_tree_first_stmt (dim)].name,
                 dim->marks.chunks);
  return true;
}
