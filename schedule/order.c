/* The order of the loops of a perfect nest.

     for i for j  A[j][i] = ...      ->      for j for i  A[j][i] = ...

   Each chain of DIMs without a SEQ between them is put into the legal order
   of least cost:

     innermost   (chains that end at statements) each access, but of cells
                 that nothing else touches, costs by its stride there (FIXED
                 0, UNIT 1, SHORT 4, FAR 16); a DIM that cannot be in lanes
                 costs 12 more, a constant trip below one vector 8
     outermost   4 when it is not FREE but another DIM is
     the rest    0.25 for each pair not in the user's order, so that equal
                 orders stay as written

   A device takes the FREE DIMs of a contraction outermost, since its blocks and
   threads share them; and those of other nests, where blocks cannot take chunks
   of what is around them, which the host would launch one by one.

   Chains of up to MAX_PERMUTED DIMs try all orders; longer ones move one DIM
   innermost.  */

#include "ir/walk.h"
#include "schedule/check.h"
#include "schedule/planner.h"
#include "schedule/step.h"

#define MAX_PERMUTED 4
#define MISPLACED    32

/* A chain of DIMs, outermost first, above the statement stmt; depth is the
   number of DIMs above it; tiled: the statement is a contraction for a
   device.  */
typedef struct dim_chain
{
  int stmt;
  int depth;
  bool tiled;
  int n;
  tns_tree *dim[TNS_MAX_DEPTH];
} dim_chain;

/* The best order so far.  */
typedef struct best_order
{
  double cost;
  tns_tree *tree;
  int order[TNS_MAX_DEPTH];
} best_order;

static const double stride_costs[] = { 0, 1, 4, 16 };

/* ARRAY is a LOCAL cell that only statements below DIM touch.  */
static bool
is_cell_below (const tns_scop *scop, const tns_tree *dim, int array)
{
  const tns_sym *sym = scop->array[array].sym;
  bool below = sym->rank == 0 && tns_sym_is_local (sym);
  for (int s = 0; s < scop->n_stmts && below; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses && below; a++)
      below = scop->stmt[s].access[a].array != array || tns_tree_has (dim, s);
  return below;
}

/* How ACCESS of STMT moves with ITER; with a loop over blocks as with the loops
   over what is in a block, but further.  */
static tns_stride
stride_along (const tns_scop *scop, const tns_stmt *stmt,
              const tns_access *access, const tns_sym *iter)
{
  tns_stride most = tns_storage_stride (scop, stmt, access, iter);
  for (int k = 0; k < stmt->n_iters; k++)
    {
      const tns_node *loop = stmt->loop[k];
      if (stmt->iter[k] == iter || !tns_expr_mentions (loop->lo, iter)
          || !tns_expr_mentions (loop->hi, iter))
        continue;
      tns_stride inside
        = tns_storage_stride (scop, stmt, access, stmt->iter[k]);
      inside = inside == TNS_STRIDE_UNIT ? TNS_STRIDE_SHORT : inside;
      most = inside > most ? inside : most;
    }
  return most;
}

/* The cost of DIM as the innermost loop of STMT.  */
static double
stride_cost (const tns_scop *scop, const tns_tree *dim, int stmt)
{
  const tns_sym *iter = tns_dim_iter (scop, dim, stmt);
  double cost = 0;
  for (int a = 0; a < scop->stmt[stmt].n_accesses; a++)
    {
      const tns_access *access = &scop->stmt[stmt].access[a];
      if (!access->expr || (access->update != TNS_NONE && !access->write)
          || is_cell_below (scop, dim, access->array))
        continue;
      tns_stride stride
        = iter ? stride_along (scop, &scop->stmt[stmt], access, iter)
               : TNS_STRIDE_FAR;
      cost += stride_costs[stride];
    }
  return cost;
}

/* The cost of the chain DIM[0..N) above the contraction STMT for a device,
   whose threads share the FREE DIMs that come first, the last of them side by
   side; roles are filled.  */
static double
device_cost (const tns_planner *p, int stmt, int n, tns_tree **dim)
{
  int free = 0;
  double cost = 0;
  while (free < n && dim[free]->role == TNS_ROLE_FREE)
    free++;
  for (int k = free; k < n; k++)
    cost += dim[k]->role == TNS_ROLE_FREE ? MISPLACED : 0;
  return cost + (free ? stride_cost (p->scop, dim[free - 1], stmt) : MISPLACED);
}

/* The cost of the chain DIM[0..N) in this order; roles are filled.  */
static double
chain_cost (const tns_planner *p, int n, tns_tree **dim)
{
  const tns_tree *inner = dim[n - 1];
  double cost = 0;
  bool some_free = false;
  for (int k = 0; k < n; k++)
    some_free |= dim[k]->role == TNS_ROLE_FREE;
  if (some_free && dim[0]->role != TNS_ROLE_FREE)
    cost += 4;
  if (tns_tree_depth (inner->body) > 0)
    return cost + (some_free ? 0 : 8);
  for (int s = 0; s < p->scop->n_stmts; s++)
    if (tns_tree_has (inner, s))
      cost += stride_cost (p->scop, inner, s);
  if (inner->role == TNS_ROLE_ORDERED)
    cost += 12;
  if (inner->role == TNS_ROLE_REDUCTION)
    cost += 0.5;
  long trip = tns_dim_trip (p->scop, inner);
  if (trip > 0 && trip * 4 < p->machine->vector_bytes)
    cost += 8;
  return cost;
}

/* Memory names the element of ACCESS.  */
static bool
is_named (const tns_access *access)
{
  bool named = !access->expr;
  for (int k = 0; !named && k < access->expr->n_args; k++)
    named = tns_expr_loads (access->expr->arg[k]);
  return named;
}

/* Blocks may take chunks of DIM: it carries sums alone, none of elements that
   memory names.  */
static bool
has_chunks (const tns_scop *scop, const tns_tree *dim)
{
  bool some = dim->role == TNS_ROLE_REDUCTION;
  for (int k = 0; k < dim->n_carried; k++)
    for (int s = 0; s < scop->n_stmts; s++)
      for (int a = 0; tns_tree_has (dim, s) && a < scop->stmt[s].n_accesses;
           a++)
        {
          const tns_access *access = &scop->stmt[s].access[a];
          if (scop->array[access->array].sym == dim->carried[k].sym)
            some &= !is_named (access);
        }
  return some;
}

/* The chain DIM[0..N) for a device has some FREE DIMs, and some that the host
   alone can go through.  */
static bool
has_host_dims (const tns_planner *p, int n, tns_tree **dim)
{
  bool some_free = false;
  bool some_host = false;
  for (int k = 0; k < n; k++)
    {
      some_free |= dim[k]->role == TNS_ROLE_FREE;
      some_host
        |= dim[k]->role != TNS_ROLE_FREE && !has_chunks (p->scop, dim[k]);
    }
  return some_free && some_host;
}

/* Pairs of ORDER[0..N) that are not in the user's order.  */
static int
inversions (int n, const int *order)
{
  int count = 0;
  for (int a = 0; a < n; a++)
    for (int b = a + 1; b < n; b++)
      count += order[a] > order[b];
  return count;
}

/* Try CHAIN in ORDER; keep it in BEST when it is legal and cheaper.  */
static void
try_order (tns_planner *p, const dim_chain *chain, const int *order,
           best_order *best)
{
  const char *name[TNS_MAX_DEPTH];
  for (int k = 0; k < chain->n; k++)
    name[k] = chain->dim[order[k]]->name;
  tns_tree *tree
    = tns_step_order (p->ctx->arena, p->tree, chain->stmt, chain->n, name);
  tns_tree *path[2 * TNS_MAX_DEPTH];
  if (!tree)
    return;
  tns_tree_path (tree, chain->stmt, path);
  tns_tree **dim = &path[chain->depth];
  if (!tns_tree_check_at (p->ctx, p->deps, tree, dim[0], NULL))
    return;
  bool leads
    = chain->tiled || (p->machine->device && has_host_dims (p, chain->n, dim));
  double cost = leads ? device_cost (p, chain->stmt, chain->n, dim)
                      : chain_cost (p, chain->n, dim);
  cost += 0.25 * inversions (chain->n, order);
  if (best->tree && cost >= best->cost)
    return;
  best->cost = cost;
  best->tree = tree;
  for (int k = 0; k < chain->n; k++)
    best->order[k] = order[k];
}

/* Try all orders whose first K places are those of ORDER.  */
static void
try_orders (tns_planner *p, const dim_chain *chain, int k, int *order,
            best_order *best)
{
  if (k == chain->n)
    try_order (p, chain, order, best);
  for (int j = k; j < chain->n; j++)
    {
      int moved = order[j];
      for (int m = j; m > k; m--)
        order[m] = order[m - 1];
      order[k] = moved;
      try_orders (p, chain, k + 1, order, best);
      for (int m = k; m < j; m++)
        order[m] = order[m + 1];
      order[j] = moved;
    }
}

/* Try CHAIN, a long one, with each DIM innermost in turn.  */
static void
try_innermost (tns_planner *p, const dim_chain *chain, best_order *best)
{
  for (int inner = chain->n - 1; inner >= 0; inner--)
    {
      int order[TNS_MAX_DEPTH];
      int n = 0;
      for (int k = 0; k < chain->n; k++)
        if (k != inner)
          order[n++] = k;
      order[n] = inner;
      try_order (p, chain, order, best);
    }
}

/* Put CHAIN into its best order.  */
static void
order_chain (tns_planner *p, const dim_chain *chain)
{
  best_order best = { .tree = NULL };
  int order[TNS_MAX_DEPTH];
  for (int k = 0; k < chain->n; k++)
    order[k] = k;
  if (chain->n <= MAX_PERMUTED)
    try_orders (p, chain, 0, order, &best);
  else
    try_innermost (p, chain, &best);
  if (!best.tree || !inversions (chain->n, best.order))
    return;
  tns_text words = tns_text_new (p->ctx->arena);
  for (int k = 0; k < chain->n; k++)
    tns_text_format (&words, " %s", chain->dim[best.order[k]]->name);
  tns_planner_take (p, best.tree, "order %s:%s",
                    p->scop->stmt[chain->stmt].name, tns_text_chars (&words));
}

/* The perfect chain of P's tree that ends above statement STMT; it belongs
   to STMT when STMT is the first below it.  False when there are fewer than
   two DIMs or a kernel has ordered them.  */
static bool
chain_above (const tns_planner *p, int stmt, dim_chain *chain)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (p->tree, stmt, path);
  int first = n;
  while (first > 0 && (first == n || path[first - 1]->body == path[first])
         && n - first < TNS_MAX_DEPTH)
    first--;
  *chain = (dim_chain){ .stmt = stmt, .depth = first, .n = n - first };
  chain->tiled = p->machine->device && tns_device_tiles (p, stmt);
  for (int k = first; k < n; k++)
    chain->dim[k - first] = path[k];
  bool marked = false;
  for (int k = 0; k < chain->n; k++)
    marked |= chain->dim[k]->marks.unroll || chain->dim[k]->marks.simd;
  return !marked && chain->n >= 2 && tns_tree_first_stmt (path[n - 1]) == stmt;
}

void
tns_plan_orders (tns_planner *planner)
{
  for (int s = 0; s < planner->scop->n_stmts; s++)
    {
      dim_chain chain;
      if (chain_above (planner, s, &chain))
        order_chain (planner, &chain);
    }
}
