/* Threads: which loops they share.

   parallel   the outermost FREE DIM on each path
   collapse   with the FREE DIMs right below it, as long as these are around
              others (a device takes the innermost, too) and take the same
              values in each of its iterations: a batch may be short
   balanced   a DIM below takes other values in each of its iterations, as in
              a triangle
   chunks     a REDUCTION outside of that, by partial results.  The DIMs
              below are marked all the same: where chunks do not pay, the
              loops stay as they are without

   short      a row of a triangle: an innermost DIM that takes other values
              in each iteration of a DIM around it.  An array with rows long
              enough for threads would fill no memory: none share it; nor a row
              that is added to one that memory names, for each of many,
              among other statements: columns cannot go outside of these

   points     the values of a tile of POINTS or less, in registers: a thread
              would be started for each tile anew

   panel      a DIM whose iterations copy a panel: it is copied for all
              threads, which share it and what reads it

   own        a REDUCTION of elements that indices name, by owner

   A REDUCTION inside of tiles that threads share is marked for chunks too:
   for the case that there is but one tile.  Tiles of a REDUCTION around
   FREE DIMs are not, if of more than POINTS: they are blocks of a cache's
   size.  */

#include "ir/walk.h"
#include "schedule/box.h"
#include "schedule/part.h"
#include "schedule/planner.h"

#define MOST_COLLAPSED 3
#define MOST_CHUNKED   2
#define POINTS         64

/* { [d] -> [v] }: the values of DIM under those of ABOVE, for statement
   S.  */
static __isl_give isl_map *
values_under (const tns_scop *scop, const tns_tree *dim, tns_tree *above, int s)
{
  isl_map *value = isl_map_from_pw_aff (tns_tree_pw_aff (scop, dim, s));
  isl_map *prefix = isl_map_reverse (tns_box_prefix (scop, s, 1, &above));
  value = isl_map_apply_range (prefix, value);
  return isl_map_intersect_params (value, isl_set_copy (scop->context));
}

/* For statement S, DIM takes the same values in all iterations of ABOVE.  */
static bool
is_rectangular (const tns_scop *scop, const tns_tree *dim, tns_tree *above,
                int s)
{
  if (tns_box_is_product (scop, s, dim, above))
    return true;
  isl_map *values = values_under (scop, dim, above, s);
  isl_set *domain = isl_map_domain (isl_map_copy (values));
  isl_set *range = isl_map_range (isl_map_copy (values));
  isl_map *all = isl_map_from_domain_and_range (domain, range);
  bool equal = isl_map_is_equal (values, all) == isl_bool_true;
  isl_map_free (values);
  isl_map_free (all);
  return equal;
}

/* A DIM below TREE, of another iterator than DIM's, takes other values in
   each iteration of DIM.  */
static bool
has_triangle (const tns_scop *scop, tns_tree *dim, const tns_tree *tree)
{
  bool found = false;
  if (tree->kind == TNS_TREE_DIM)
    {
      int s = tns_tree_first_stmt (tree);
      const tns_sym *own = tns_dim_iter (scop, dim, s);
      const tns_sym *iter = tns_dim_iter (scop, tree, s);
      found
        = (own && iter && own != iter && !is_rectangular (scop, tree, dim, s))
          || has_triangle (scop, dim, tree->body);
    }
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids && !found; k++)
    found = has_triangle (scop, dim, tree->kid[k]);
  return found;
}

bool
tns_dim_has_triangle (const tns_scop *scop, tns_tree *dim)
{
  return has_triangle (scop, dim, dim->body);
}

/* DIM, around several statements, carries sums of elements that memory names,
   and no threads share it.  */
static bool
sums_named (const tns_scop *scop, const tns_tree *dim)
{
  bool named = false;
  if (dim->marks.parallel || dim->body->kind != TNS_TREE_SEQ)
    return false;
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; tns_tree_has (dim, s) && a < scop->stmt[s].n_accesses; a++)
      {
        const tns_access *access = &scop->stmt[s].access[a];
        for (int k = 0; access->expr && k < access->expr->n_args; k++)
          named |= access->write && access->update != TNS_NONE
                   && tns_expr_loads (access->expr->arg[k]);
      }
  return named && dim->role == TNS_ROLE_REDUCTION;
}

bool
tns_dim_is_short (const tns_planner *planner, tns_tree *dim)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int s = tns_tree_first_stmt (dim);
  if (tns_tree_depth (dim->body) > 0)
    return false;
  tns_tree_path (planner->tree, s, path);
  for (int k = 0; path[k] != dim; k++)
    if (sums_named (planner->scop, path[k])
        || (tns_dim_iter (planner->scop, path[k], s)
              != tns_dim_iter (planner->scop, dim, s)
            && !is_rectangular (planner->scop, dim, path[k], s)))
      return true;
  return false;
}

/* BELOW may form one space of iterations with the DIMs FIRST down to the one
   right above it.  */
static bool
may_collapse (const tns_planner *p, tns_tree *first, const tns_tree *below)
{
  const tns_scop *scop = p->scop;
  bool breaks = tns_ctx_breaks (p->ctx, "collapse");
  if (below->kind != TNS_TREE_DIM || (below->role != TNS_ROLE_FREE && !breaks)
      || (tns_tree_depth (below->body) == 0 && !p->machine->device)
      || below->marks.unroll || below->marks.simd)
    return false;
  for (tns_tree *dim = first; dim != below; dim = dim->body)
    if (dim->marks.panel)
      return false;
  if (p->machine->device && tns_parts_has (p, below))
    return true;
  for (tns_tree *dim = first; dim != below; dim = dim->body)
    for (int s = 0; s < scop->n_stmts; s++)
      if (tns_tree_has (below, s) && !is_rectangular (scop, below, dim, s))
        return false;
  return true;
}

/* Write the step WORD of DIM down, with the number N unless it is 0.  */
static void
tell_step (tns_planner *p, const char *word, const tns_tree *dim, int n)
{
  const char *stmt = p->scop->stmt[tns_tree_first_stmt (dim)].name;
  if (n > 0)
    tns_text_line (&p->steps, "%s %s in %s: %d", word, dim->name, stmt, n);
  else
    tns_text_line (&p->steps, "%s %s in %s", word, dim->name, stmt);
}

/* How many DIMs from DIM on down, at most MOST, can form one space.  */
static int
count_collapsible (const tns_planner *p, tns_tree *dim, int most)
{
  int n = 1;
  for (const tns_tree *below = dim->body;
       n < most && may_collapse (p, dim, below); below = below->body)
    n++;
  return n;
}

/* Below the N DIMs from DIM on down one takes other values in each iteration
   of theirs.  */
static bool
is_uneven (const tns_planner *p, tns_tree *dim, int n)
{
  tns_tree *last = dim;
  bool uneven = false;
  for (int k = 1; k < n; k++)
    last = last->body;
  for (tns_tree *d = dim; d != last->body; d = d->body)
    uneven |= has_triangle (p->scop, d, last->body);
  return uneven;
}

bool
tns_dim_mark_free (tns_planner *planner, tns_tree *dim)
{
  bool is_free = dim->role == TNS_ROLE_FREE;
  if ((!is_free && !tns_ctx_breaks (planner->ctx, "parallel"))
      || dim->marks.parallel)
    return false;
  dim->marks.parallel = true;
  tell_step (planner, "parallel", dim, 0);
  return true;
}

bool
tns_dim_mark_collapse (tns_planner *planner, tns_tree *dim, int n)
{
  if (!dim->marks.parallel || dim->marks.chunks || dim->marks.collapse || n < 2
      || count_collapsible (planner, dim, n) < n)
    return false;
  dim->marks.collapse = n;
  tell_step (planner, "collapse", dim, n);
  return true;
}

bool
tns_dim_mark_balanced (tns_planner *planner, tns_tree *dim)
{
  dim->marks.parallel |= tns_ctx_breaks (planner->ctx, "balanced");
  if (!dim->marks.parallel || dim->marks.chunks)
    return false;
  dim->marks.balanced = true;
  tell_step (planner, "balanced", dim, 0);
  return true;
}

/* Threads share DIM, FREE, and what suits it of the MOST DIMs from it on
   down.  */
static void
mark_free (tns_planner *p, tns_tree *dim, int most)
{
  int n = count_collapsible (p, dim, most);
  if (!tns_dim_mark_free (p, dim))
    return;
  if (n > 1)
    tns_dim_mark_collapse (p, dim, n);
  if (is_uneven (p, dim, n))
    tns_dim_mark_balanced (p, dim);
}

/* All that DIM carries are cells.  */
static bool
carries_cells (const tns_tree *dim)
{
  for (int k = 0; k < dim->n_carried; k++)
    if (dim->carried[k].sym->rank > 0)
      return false;
  return true;
}

/* DIM is of tiles for all statements below.  */
static bool
is_tiles (const tns_tree *dim)
{
  return dim->row[tns_tree_first_stmt (dim)]->divisor > 1;
}

/* DIM takes the values of a tile in registers: too few for threads.  */
static bool
is_points (const tns_planner *p, tns_tree *dim)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int s = tns_tree_first_stmt (dim);
  tns_tree_path (p->tree, s, path);
  for (int k = 0; path[k] != dim; k++)
    if (tns_dim_iter (p->scop, path[k], s) == tns_dim_iter (p->scop, dim, s)
        && path[k]->row[s]->divisor > 1 && path[k]->row[s]->divisor <= POINTS)
      return true;
  return false;
}

/* Some DIM below TREE is FREE, and threads may share it.  */
static bool
has_free (const tns_planner *p, tns_tree *tree)
{
  if (tree->kind == TNS_TREE_DIM)
    return (tree->role == TNS_ROLE_FREE && !is_points (p, tree))
           || has_free (p, tree->body);
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    if (has_free (p, tree->kid[k]))
      return true;
  return false;
}

/* DIM is of blocks for a cache, no tiles of a few points, around what threads
   may share.  */
static bool
is_block (const tns_planner *p, tns_tree *dim)
{
  return dim->kind == TNS_TREE_DIM
         && dim->row[tns_tree_first_stmt (dim)]->divisor > POINTS
         && has_free (p, dim->body);
}

/* Mark REDUCTIONs from TREE on down, DIMs without a SEQ between them, for
   chunks.  */
static void
mark_inside_tiles (tns_planner *p, tns_tree *tree)
{
  for (int n = 0; n < MOST_CHUNKED && tree->kind == TNS_TREE_DIM
                  && tree->role == TNS_ROLE_REDUCTION && !is_block (p, tree)
                  && !is_points (p, tree);
       tree = tree->body)
    if (tns_dim_mark_chunks (p, tree, 0) || tns_dim_mark_owned (p, tree))
      n++;
}

/* The iterations of DIM copy a panel for all threads.  */
static bool
shares_panel (const tns_tree *dim)
{
  return dim->marks.panel && dim->marks.sweeps > 0;
}

/* Mark the outermost DIMs below TREE that threads may share; CHUNKED of
   those above are.  */
static void
mark_threads (tns_planner *p, tns_tree *tree, int chunked)
{
  if (tree->kind == TNS_TREE_DIM
      && (is_points (p, tree) || shares_panel (tree)))
    {
      if (has_free (p, tree->body))
        mark_threads (p, tree->body, chunked);
      return;
    }
  bool is_short = tree->kind == TNS_TREE_DIM && tns_dim_is_short (p, tree);
  bool chunks
    = tree->kind == TNS_TREE_DIM && chunked < MOST_CHUNKED && !is_short
      && !is_block (p, tree)
      && (tns_dim_mark_chunks (p, tree, 0) || tns_dim_mark_owned (p, tree));
  if (tree->kind == TNS_TREE_DIM && tree->role == TNS_ROLE_FREE && !is_short)
    {
      mark_free (p, tree, MOST_COLLAPSED);
      if (is_tiles (tree))
        mark_inside_tiles (p, tree->body);
    }
  else if (tree->kind == TNS_TREE_DIM && (!chunks || !carries_cells (tree)))
    mark_threads (p, tree->body, chunked + chunks);
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    mark_threads (p, tree->kid[k], chunked);
}

bool
tns_dim_mark_parallel (tns_planner *planner, tns_tree *dim, int most)
{
  if (dim->role == TNS_ROLE_FREE)
    mark_free (planner, dim, most);
  else if (!dim->marks.parallel && !tns_dim_mark_chunks (planner, dim, 0))
    tns_dim_mark_owned (planner, dim);
  return dim->marks.parallel;
}

void
tns_plan_threads (tns_planner *planner)
{
  mark_threads (planner, planner->tree, 0);
}
