/* Threads of a device.

     for i                  parallel, collapse: the threads of all blocks
       for j                share these iterations
         x[i][j] = ...

     for n                  parallel: a block takes an iteration
       for c  m = max ..    simd: its threads share these, and add up
       for c  y[n][c] = ..  simd

   parallel   the outermost FREE DIMs, as many as form one space
   simd       DIMs inside of these that stand around no other: where more
              accesses go from one element to the next along them than along
              the last of the parallel ones
   tiles      of a contraction whose row and column are among the parallel ones
              (lowering/grid-tile.h): then nothing else; contractions that share
              loops with others are parted from them (schedule/part.h), and what
              is fused does not undo it
   chunks     a REDUCTION outside of that, by partial results

   What is ORDERED around them stays with the host, which launches what is
   inside again and again.  */

#include "schedule/contraction.h"
#include "schedule/part.h"
#include "schedule/planner.h"

#define WARP           32
#define MOST_COLLAPSED 6
#define CELL_CHUNKS    1024
#define ARRAY_CHUNKS   2112

static const double stride_costs[] = { 0, 1, 4, 16 };

/* What it costs that neighbours in a warp differ in ITER (NULL: in what nobody
   knows), for statement S.  */
static double
cost_along (const tns_planner *p, int s, const tns_sym *iter)
{
  const tns_scop *scop = p->scop;
  double cost = 0;
  for (int a = 0; a < scop->stmt[s].n_accesses; a++)
    {
      const tns_access *access = &scop->stmt[s].access[a];
      tns_stride stride = TNS_STRIDE_FAR;
      if (access->expr && iter)
        stride = tns_storage_stride (scop, &scop->stmt[s], access, iter);
      cost += stride_costs[stride];
    }
  return cost;
}

/* DIM is innermost, and carries nothing but sums of elements that stay where
   they are in it.  */
static bool
suits_lanes (const tns_planner *p, const tns_tree *dim)
{
  const tns_scop *scop = p->scop;
  if (tns_tree_depth (dim->body) > 0 || dim->role == TNS_ROLE_ORDERED
      || dim->role == TNS_ROLE_UNKNOWN)
    return false;
  bool suits = true;
  for (int k = 0; k < dim->n_carried && dim->role != TNS_ROLE_FREE; k++)
    for (int s = 0; s < scop->n_stmts && suits; s++)
      for (int a = 0; tns_tree_has (dim, s) && a < scop->stmt[s].n_accesses;
           a++)
        {
          const tns_access *access = &scop->stmt[s].access[a];
          const tns_sym *iter = tns_dim_iter (scop, dim, s);
          if (scop->array[access->array].sym == dim->carried[k].sym)
            suits &= iter && access->expr
                     && tns_storage_stride (scop, &scop->stmt[s], access, iter)
                          == TNS_STRIDE_FIXED;
        }
  return suits;
}

/* The DIMs that a block's threads may share below a parallel one, and what
   neighbours in a warp cost one way and the other.  */
typedef struct rows
{
  const tns_tree *last;
  bool some;
  double along;
  double across;
} rows;

/* Weigh DIM, below, when it is innermost.  */
static void
weigh_row (tns_planner *p, tns_tree *dim, void *self)
{
  rows *r = self;
  if (tns_tree_depth (dim->body) > 0)
    return;
  bool suits = suits_lanes (p, dim);
  r->some |= suits;
  for (int s = 0; s < p->scop->n_stmts; s++)
    if (tns_tree_has (dim, s))
      {
        r->along += cost_along (p, s, tns_dim_iter (p->scop, r->last, s));
        r->across
          += suits ? cost_along (p, s, tns_dim_iter (p->scop, dim, s)) : 0;
      }
}

/* Let a block's threads share DIM, when they may.  */
static void
mark_lanes (tns_planner *p, tns_tree *dim, void *self)
{
  (void) self;
  if (suits_lanes (p, dim))
    tns_dim_mark_simd (p, dim, WARP);
}

bool
tns_device_tiles (const tns_planner *planner, int stmt)
{
  tns_contraction c;
  return tns_contraction_tiles (planner, stmt, &c);
}

/* P with a tree and steps of its own.  */
static tns_planner
copy_of (const tns_planner *p)
{
  tns_planner copy = *p;
  copy.tree = tns_tree_copy (p->ctx->arena, p->tree);
  copy.steps = tns_text_new (p->ctx->arena);
  tns_text_add (&copy.steps, tns_text_chars (&p->steps));
  return copy;
}

void
tns_plan_device_fuse (tns_planner *planner)
{
  tns_planner ordered = copy_of (planner);
  tns_plan_orders (&ordered);
  if (tns_plan_parts (&ordered))
    tns_plan_orders (&ordered);
  if (tns_parts_count (&ordered) > 0)
    *planner = ordered;
  tns_plan_fuse (planner);
}

/* The DIMs from DIM down to LAST have the row and the column of a
   contraction.  */
static bool
has_tiles (const tns_planner *p, tns_tree *dim, const tns_tree *last)
{
  for (int s = 0; s < p->scop->n_stmts; s++)
    {
      tns_contraction c;
      int n = 0;
      if (!tns_tree_has (dim, s) || !tns_contraction_tiles (p, s, &c))
        continue;
      for (tns_tree *d = dim; d != last->body; d = d->body)
        n += d == c.row || d == c.column;
      if (n == 2)
        return true;
    }
  return false;
}

/* A block takes an iteration of the DIMs down to LAST, if that suits what is
   below.  */
static void
mark_rows (tns_planner *p, tns_tree *last)
{
  rows r = { .last = last };
  tns_tree_dims (p, last->body, weigh_row, &r);
  if (r.some && r.across < r.along)
    tns_tree_dims (p, last->body, mark_lanes, NULL);
}

/* The last of the DIMs that DIM, marked, collapses.  */
static tns_tree *
last_collapsed (tns_tree *dim)
{
  for (int n = dim->marks.collapse; n > 1; n--)
    dim = dim->body;
  return dim;
}

/* Threads share DIM, FREE, with as many below it as may be.  */
static void
mark_grid (tns_planner *p, tns_tree *dim)
{
  if (!tns_dim_mark_free (p, dim))
    return;
  int n = MOST_COLLAPSED;
  while (n > 1 && !tns_dim_mark_collapse (p, dim, n))
    n--;
  tns_tree *last = last_collapsed (dim);
  if (!has_tiles (p, dim, last))
    mark_rows (p, last);
}

/* Blocks take chunks of DIM, a REDUCTION.  False when they may not.  */
static bool
mark_chunks (tns_planner *p, tns_tree *dim)
{
  bool cells = true;
  for (int k = 0; k < dim->n_carried; k++)
    cells &= dim->carried[k].sym->rank == 0;
  if (!tns_dim_mark_chunks (p, dim, cells ? CELL_CHUNKS : ARRAY_CHUNKS))
    return false;
  tns_tree_dims (p, dim, mark_lanes, NULL);
  return true;
}

/* Mark what is below TREE.  */
static void
mark_tree (tns_planner *p, tns_tree *tree)
{
  if (tree->kind == TNS_TREE_DIM && tree->role == TNS_ROLE_FREE)
    mark_grid (p, tree);
  else if (tree->kind == TNS_TREE_DIM
           && (tree->role != TNS_ROLE_REDUCTION || !mark_chunks (p, tree)))
    mark_tree (p, tree->body);
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    mark_tree (p, tree->kid[k]);
}

void
tns_plan_device (tns_planner *planner)
{
  mark_tree (planner, planner->tree);
}
