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
              the last of the parallel ones, and some are long: few elements
              a thread does alone, in registers, sooner than a warp most of
              whose threads have none
   tiles      of a contraction whose row and column are among the parallel ones
              (lowering/grid-tile.h): then nothing else; contractions that share
              loops with others are parted from them (schedule/part.h), and what
              is fused does not undo it
   stages     of these: what the next steps read is copied by itself while a
              step is computed, as many steps ahead as the device has it
              (lowering/grid-stages.h says of what, and how much room there is)
   chunks     a REDUCTION outside of that, by partial results

   What is ORDERED around them stays with the host, which launches what is
   inside again and again.  */

#include <isl/ilp.h>

#include "schedule/contraction.h"
#include "schedule/part.h"
#include "schedule/planner.h"

#define WARP           32
#define MOST_COLLAPSED 6
#define CELL_CHUNKS    1024
#define ARRAY_CHUNKS   2112
#define FEW_ELEMENTS   16
#define MOST_OWN       64

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

/* The DIMs that a block's threads may share below a parallel one, whether some
   are long or have much in common, and what neighbours in a warp cost one way
   and the other.  */
typedef struct rows
{
  const tns_tree *last;
  bool is_long;
  double along;
  double across;
} rows;

/* Iterator number K of statement S has few values in all.  */
static bool
has_few (const tns_scop *scop, int s, int k)
{
  isl_set *domain = isl_set_intersect_params (
    isl_set_copy (scop->stmt[s].domain), isl_set_copy (scop->context));
  isl_val *first = isl_set_dim_min_val (isl_set_copy (domain), k);
  isl_val *length = isl_val_sub (isl_set_dim_max_val (domain, k), first);
  bool few = isl_val_is_int (length) == isl_bool_true
             && isl_val_cmp_si (length, FEW_ELEMENTS) < 0;
  isl_val_free (length);
  return few;
}

/* DIM has so few values that a thread does them alone.  */
static bool
is_few (const tns_scop *scop, const tns_tree *dim)
{
  for (int s = 0; s < scop->n_stmts; s++)
    {
      const tns_sym *iter
        = tns_tree_has (dim, s) ? tns_dim_iter (scop, dim, s) : NULL;
      int k = 0;
      while (iter && scop->stmt[s].iter[k] != iter)
        k++;
      if (tns_tree_has (dim, s) && (!iter || !has_few (scop, s, k)))
        return false;
    }
  return true;
}

/* Weigh DIM, below, when it is innermost.  */
static void
weigh_row (tns_planner *p, tns_tree *dim, void *self)
{
  rows *r = self;
  if (tns_tree_depth (dim->body) > 0)
    return;
  bool suits = suits_lanes (p, dim);
  r->is_long |= suits && !is_few (p->scop, dim);
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

/* How many elements SYM has, a LOCAL array; 0: it is none, or that is not
   constant.  */
static long long
own_elements (const tns_sym *sym)
{
  long long elements = tns_sym_is_local (sym) && sym->rank > 0;
  for (int k = 0; k < sym->rank && elements > 0; k++)
    {
      long long extent;
      bool known = sym->extent[k] && tns_expr_is_int (sym->extent[k], &extent)
                   && extent > 0 && extent < FEW_ELEMENTS * MOST_OWN;
      elements = known ? elements * extent : 0;
    }
  return elements;
}

/* What a thread has of its own for the statements of TREE is more than its
   registers have room for.  */
static bool
has_many (const tns_scop *scop, const tns_tree *tree)
{
  long long elements = 0;
  for (int k = 0; k < scop->n_arrays; k++)
    {
      bool used = false;
      for (int s = 0; s < scop->n_stmts; s++)
        for (int a = 0; a < scop->stmt[s].n_accesses; a++)
          used |= scop->stmt[s].access[a].array == k && tns_tree_has (tree, s);
      elements += used ? own_elements (scop->array[k].sym) : 0;
    }
  return elements > MOST_OWN;
}

/* A block takes an iteration of the DIMs down to LAST, if that suits what is
   below.  */
static void
mark_rows (tns_planner *p, tns_tree *last)
{
  rows r = { .last = last, .is_long = has_many (p->scop, last) };
  tns_tree_dims (p, last->body, weigh_row, &r);
  if (r.is_long && r.across < r.along)
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

bool
tns_dim_mark_async (tns_planner *planner, tns_tree *dim, int n)
{
  dim->marks.parallel |= tns_ctx_breaks (planner->ctx, "async");
  if (!dim->marks.parallel || dim->marks.chunks || n < 2)
    return false;
  dim->marks.stages = n;
  tns_text_line (&planner->steps, "async %s in %s: %d", dim->name,
                 planner->scop->stmt[tns_tree_first_stmt (dim)].name, n);
  return true;
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
  else
    tns_dim_mark_async (p, dim, p->machine->stages);
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
