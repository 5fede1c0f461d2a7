/* Distribution: products that share loops get nests of their own.

     for i for j for k {                  for i for j for k
       dx[i][k] += dy[i][j] * w[k][j];      dx[i][k] += dy[i][j] * w[k][j];
       dw[k][j] += dy[i][j] * x[i][k];  ->  for i for j for k
     }                                        dw[k][j] += dy[i][j] * x[i][k];

   A product is an update whose cell two loops move, at least, and one does
   not.  Two of them are in each other's way where a loop that they share moves
   the cell of one alone: it is a row or a column for this one and sums for the
   other, so that no tile suits both.  Products with the same rows, columns and
   sums, as two of the same operands, are not.

   apart    the products that are in the way of another
   outer    the outermost loop that is, with FREE ones that move the cells of
            all, as heads, taken outside of it; it and the loops below become
            one for each of APART, and for the runs of statements between
   home     the first product, where its rows are shifted, as in a convolution,
            and its cell is a temporary of one iteration that no other product
            touches, stays with the statements that begin and use it
   between  a temporary of one iteration of OUTER that several of these loops
            touch has a cell for each of them then.  Where the number of those
            is not known to be small, OUTER gets tiles around the new loops, of
            a size for which all such cells are at most what the second cache
            holds, as far as that is known:

     for i for j {                       for i.0 {
       s = 0;                              for i.1 for j s = 0;
       for k s += x*w;               ->    for i.1 for j for k s += x*w;
       for k { dx += s*w;                  for i.1 for j for k dx += s*w;
               dw += s*x; } }              for i.1 for j for k dw += s*x; }

   Whether that pays is weighed by the caller.

   A strip whose lanes go along a loop in which another statement has dots of
   a few rows, gets a nest of its own in any case, where that is legal: tiles of
   a few rows leave its lanes empty.  So does one that has the loops of a
   product inside of its own, as a bias beside weights: its lanes would lie
   along rows of these, or columns.

     for i {                              for i
       for j <= i  y[i] += a[i][j]*x[j];    for j <= i  y[i] += a[i][j]*x[j];
       for j > i   y[i] += a[j][i]*x[j];  for i
     }                                      for j > i  y[i] += a[j][i]*x[j];

     for o for t {                        for o for t
       b[o] += y[t][o];                     b[o] += y[t][o];
       for i                        ->    for o for t for i
         w[o][i] += y[t][o]*x[t][i];        w[o][i] += y[t][o]*x[t][i];
     }  */

#include "schedule/check.h"
#include "schedule/contraction.h"
#include "schedule/step.h"

/* Multiples of the usual rows of a tile.  */
#define TILE_ROWS  84
#define LEAST_ROWS 14

/* Products that are in each other's way.

   apart[0..n)  their statements
   outer        the outermost DIM where they are, the DIM number depth above
                them  */
typedef struct parting
{
  int n;
  int *apart;
  const tns_tree *outer;
  int depth;
} parting;

/* Statement S is a product.  */
static bool
is_product (const tns_planner *p, int s)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (p->tree, s, path);
  int moving = 0;
  if (n < 3 || !tns_update_target (&p->scop->stmt[s]))
    return false;
  for (int k = 0; k < n; k++)
    {
      if (!tns_dim_iter (p->scop, path[k], s) || path[k]->row[s]->divisor != 1)
        return false;
      moving += tns_dim_moves_cell (p, path[k], s);
    }
  return moving >= 2 && moving < n;
}

/* The number of DIMs above the outermost one that statements S and T share and
   that moves the cell of one alone; -1: there is none.  */
static int
depth_of_quarrel (const tns_planner *p, int s, int t)
{
  tns_tree *above_s[2 * TNS_MAX_DEPTH];
  tns_tree *above_t[2 * TNS_MAX_DEPTH];
  int n_s = tns_tree_path (p->tree, s, above_s);
  int n_t = tns_tree_path (p->tree, t, above_t);
  for (int k = 0; k < n_s && k < n_t && above_s[k] == above_t[k]; k++)
    if (tns_dim_moves_cell (p, above_s[k], s)
        != tns_dim_moves_cell (p, above_s[k], t))
      return k;
  return -1;
}

/* Add statement S to OF's.  */
static void
set_apart (parting *of, int s)
{
  for (int k = 0; k < of->n; k++)
    if (of->apart[k] == s)
      return;
  of->apart[of->n++] = s;
}

/* The products in the way of statement FIRST or of those that are, below the
   outermost DIM where they are.  False when there are none.  */
static bool
find_parting (const tns_planner *p, int first, parting *of)
{
  int n = p->scop->n_stmts;
  tns_tree *path[2 * TNS_MAX_DEPTH];
  of->n = 0;
  of->depth = 2 * TNS_MAX_DEPTH;
  for (int t = 0; t < n; t++)
    if (t != first && is_product (p, t))
      {
        int depth = depth_of_quarrel (p, first, t);
        if (depth >= 0 && depth < of->depth)
          of->depth = depth;
      }
  if (of->depth == 2 * TNS_MAX_DEPTH)
    return false;
  tns_tree_path (p->tree, first, path);
  of->outer = path[of->depth];
  for (int s = 0; s < n; s++)
    for (int t = s + 1; t < n; t++)
      if (tns_tree_has (of->outer, s) && tns_tree_has (of->outer, t)
          && is_product (p, s) && is_product (p, t)
          && depth_of_quarrel (p, s, t) >= 0)
        {
          set_apart (of, s);
          set_apart (of, t);
        }
  return true;
}

/* Statement S touches ARRAY.  */
static bool
touches (const tns_scop *scop, int s, int array)
{
  for (int a = 0; a < scop->stmt[s].n_accesses; a++)
    if (scop->stmt[s].access[a].array == array)
      return true;
  return false;
}

/* The cell of statement S, a product of OF, is a temporary of an iteration that
   no other product of OF touches, and its tile's columns may change while it
   sums: these stay in registers only where they are begun there.  */
static bool
is_of_neighbours (const tns_planner *p, int s, const parting *of)
{
  tns_contraction c;
  const tns_scop *scop = p->scop;
  int array = tns_update_target (&scop->stmt[s])->array;
  if (!tns_contraction_at (p, s, &c) || c.dot || c.strip || !c.shifted)
    return false;
  for (int k = 0; k < of->n; k++)
    if (of->apart[k] != s && touches (scop, of->apart[k], array))
      return false;
  return scop->array[array].dead_after && scop->array[array].n_private > 0;
}

/* OF without its first product where that may stay with its neighbours.  */
static parting
without_home (const tns_planner *p, const parting *of)
{
  parting left = *of;
  int first = 0;
  for (int k = 1; k < of->n; k++)
    first = of->apart[k] < of->apart[first] ? k : first;
  if (!is_of_neighbours (p, of->apart[first], of))
    return left;
  left.apart = TNS_NEW_ARRAY (p->ctx->arena, int, of->n);
  left.n = 0;
  for (int k = 0; k < of->n; k++)
    if (k != first)
      left.apart[left.n++] = of->apart[k];
  return left;
}

/* Split the loop NAME above statement S, around the products of OF, and
   write the step down.  False when that is not legal.  */
static bool
split_loop (tns_planner *p, int s, const char *name, const parting *of)
{
  tns_text words = tns_text_new (p->ctx->arena);
  for (int k = 0; k < of->n; k++)
    tns_text_format (&words, " %s", p->scop->stmt[of->apart[k]].name);
  tns_tree *tree
    = tns_step_split (p->ctx->arena, p->tree, s, name, of->n, of->apart);
  if (!tree || !tns_tree_check (p->ctx, p->deps, tree, NULL))
    return false;
  tns_planner_take (p, tree, "split %s in %s:%s", name, p->scop->stmt[s].name,
                    tns_text_chars (&words));
  return true;
}

/* The innermost DIM above statement S, below DEPTH others at least, with
   something beside S in its loop; NULL: S is alone.  */
static const tns_tree *
innermost_shared (const tns_planner *p, int s, int depth)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (p->tree, s, path);
  for (int k = n - 1; k >= depth; k--)
    if (path[k]->body->kind == TNS_TREE_SEQ)
      return path[k];
  return NULL;
}

/* Each product of OF, below DEPTH DIMs, gets a nest of its own.  */
static bool
split_all (tns_planner *p, const parting *of, int depth)
{
  for (int k = 0; k < of->n; k++)
    {
      int s = of->apart[k];
      for (const tns_tree *dim = innermost_shared (p, s, depth); dim;
           dim = innermost_shared (p, s, depth))
        if (!split_loop (p, s, dim->name, of))
          return false;
    }
  return true;
}

/* The position of ITER among the iterators of STMT.  */
static int
position_of (const tns_stmt *stmt, const tns_sym *iter)
{
  int k = 0;
  while (k < stmt->n_iters && stmt->iter[k] != iter)
    k++;
  return k;
}

/* ARRAY has a cell for each iteration of DIM, and several of the nests that
   statements got at DEPTH in P's tree touch it.  */
static bool
goes_between (const tns_planner *p, const tns_tree *dim, int depth, int array)
{
  const tns_scop *scop = p->scop;
  const tns_tree *nest = NULL;
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      if (scop->stmt[s].access[a].array == array && tns_tree_has (dim, s))
        {
          tns_tree *path[2 * TNS_MAX_DEPTH];
          const tns_sym *iter = tns_dim_iter (scop, dim, s);
          if (position_of (&scop->stmt[s], iter)
              >= scop->array[array].n_private)
            return false;
          tns_tree_path (p->tree, s, path);
          if (nest && nest != path[depth])
            return true;
          nest = path[depth];
        }
  return false;
}

/* The bytes of ARRAY's cells in one iteration of DIM: of loops whose length is
   not known one iteration counts.  */
static double
bytes_below (const tns_planner *p, const tns_tree *dim, int array)
{
  const tns_array *x = &p->scop->array[array];
  double bytes = tns_elem_bytes (x->sym->type.elem);
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int s = 0;
  while (!tns_tree_has (dim, s) || p->scop->stmt[s].n_iters < x->n_private)
    s++;
  int n = tns_tree_path ((tns_tree *) dim, s, path);
  for (int k = 1; k < n; k++)
    {
      const tns_sym *iter = tns_dim_iter (p->scop, path[k], s);
      long trip = tns_dim_trip (p->scop, path[k]);
      if (position_of (&p->scop->stmt[s], iter) < x->n_private && trip > 0)
        bytes *= (double) trip;
    }
  for (int k = 0; k < x->sym->rank; k++)
    {
      long long extent = 1;
      if (x->sym->extent[k] && tns_expr_is_int (x->sym->extent[k], &extent))
        bytes *= (double) extent;
    }
  return bytes;
}

/* The bytes of all cells that go between the nests which SPLIT, P with the
   loops of OF split, has, in one iteration of the outermost.  */
static double
bytes_between (const tns_planner *p, const tns_planner *split,
               const parting *of)
{
  double bytes = 0;
  for (int a = 0; a < p->scop->n_arrays; a++)
    if (goes_between (split, of->outer, of->depth, a))
      bytes += bytes_below (p, of->outer, a);
  return bytes;
}

/* The rows of a tile with BYTES each; 0: a row is too long.  */
static long
rows_of (const tns_planner *p, double bytes)
{
  long rows = TILE_ROWS;
  while (rows > LEAST_ROWS && (double) rows * bytes > p->machine->l2_bytes)
    rows -= LEAST_ROWS;
  return (double) rows * bytes > p->machine->l3_bytes ? 0 : rows;
}

/* OF's loops in P, in tiles of the outermost.  */
static bool
split_in_tiles (tns_planner *p, const parting *of, double bytes)
{
  const char *name = of->outer->name;
  long rows = rows_of (p, bytes);
  int s = tns_tree_first_stmt (of->outer);
  tns_tree *tree
    = rows > 0 ? tns_step_tile (p->ctx->arena, p->tree, s, name, rows) : NULL;
  if (!tree || !tns_tree_check (p->ctx, p->deps, tree, NULL))
    return false;
  tns_planner_take (p, tree, "tile %s in %s: %ld", name, p->scop->stmt[s].name,
                    rows);
  return split_all (p, of, of->depth + 1);
}

/* Some product of OF has rows and columns in P's tree.  */
static bool
is_worth (const tns_planner *p, const parting *of)
{
  tns_contraction c;
  for (int k = 0; k < of->n; k++)
    if (tns_contraction_at (p, of->apart[k], &c) && c.row && c.column)
      return true;
  return false;
}

/* A planner like P that writes its steps anew.  */
static tns_planner
branch_of (const tns_planner *p)
{
  tns_planner branch = *p;
  branch.steps = tns_text_new (p->ctx->arena);
  return branch;
}

/* Part the products of FOUND.  False when that is not legal, or gives
   nothing.  */
static bool
part (tns_planner *p, const parting *found)
{
  tns_planner split = branch_of (p);
  parting left = without_home (p, found);
  const parting *of = &left;
  if (!split_all (&split, of, of->depth))
    return false;
  double bytes = bytes_between (p, &split, of);
  long trip = tns_dim_trip (p->scop, of->outer);
  if (bytes > 0 && (trip == 0 || trip > rows_of (p, bytes)))
    {
      split = branch_of (p);
      if (!split_in_tiles (&split, of, bytes))
        return false;
    }
  if (!is_worth (&split, of))
    return false;
  p->tree = split.tree;
  tns_text_add (&p->steps, tns_text_chars (&split.steps));
  return true;
}

/* DIM moves the cells of all products of OF.  */
static bool
moves_all (const tns_planner *p, const tns_tree *dim, const parting *of)
{
  for (int k = 0; k < of->n; k++)
    if (!tns_tree_has (dim, of->apart[k])
        || !tns_dim_moves_cell (p, dim, of->apart[k]))
      return false;
  return true;
}

/* Move the FREE DIM right inside OF's outermost one, which moves the cells of
   all, outside, so that OF's tiles hold the cells of one of its iterations.
   Whether there was one.  */
static bool
lift (tns_planner *p, const parting *of)
{
  const tns_tree *inner = of->outer->body;
  if (inner->kind != TNS_TREE_DIM || inner->role != TNS_ROLE_FREE
      || !moves_all (p, inner, of))
    return false;
  int s = of->apart[0];
  tns_tree *tree = tns_step_interchange (p->ctx->arena, p->tree, s,
                                         of->outer->name, inner->name);
  if (!tree || !tns_tree_check (p->ctx, p->deps, tree, NULL))
    return false;
  tns_planner_take (p, tree, "interchange %s %s in %s", of->outer->name,
                    inner->name, p->scop->stmt[s].name);
  return true;
}

bool
tns_plan_distribute (tns_planner *planner)
{
  bool some = false;
  int n = planner->scop->n_stmts;
  parting of = { .apart = TNS_NEW_ARRAY (planner->ctx->arena, int, n + 1) };
  if (planner->ctx->wish.tile.off)
    return false;
  for (int s = 0; s < n; s++)
    {
      bool found = is_product (planner, s) && find_parting (planner, s, &of);
      while (found && lift (planner, &of))
        found = find_parting (planner, s, &of);
      some |= found && part (planner, &of);
    }
  return some;
}

/* Statement S stands inside of all loops of statement OF.  */
static bool
is_inside (const tns_planner *p, int s, int of)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (p->tree, of, path);
  return n > 0 && tns_tree_has (path[n - 1], s);
}

/* The strip C stands in one loop with a dot whose rows that loop counts, or
   has a product of such rows, or columns, inside of its own.  */
static bool
has_product_beside (const tns_planner *p, const tns_contraction *c)
{
  tns_contraction other;
  for (int s = 0; s < p->scop->n_stmts; s++)
    if (s != c->stmt && tns_tree_has (c->column, s)
        && tns_contraction_at (p, s, &other) && !other.strip
        && (other.dot || is_inside (p, s, c->stmt))
        && (other.row == c->column || other.column == c->column))
      return true;
  return false;
}

/* How many DIMs are above DIM, which is above statement S.  */
static int
depth_of (const tns_planner *p, int s, const tns_tree *dim)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (p->tree, s, path);
  int depth = 0;
  while (depth < n && path[depth] != dim)
    depth++;
  return depth;
}

void
tns_plan_strips_apart (tns_planner *planner)
{
  tns_contraction c;
  if (planner->ctx->wish.tile.off)
    return;
  for (int s = 0; s < planner->scop->n_stmts; s++)
    if (tns_contraction_at (planner, s, &c) && c.strip
        && has_product_beside (planner, &c))
      {
        const parting alone = { .n = 1, .apart = &s };
        split_all (planner, &alone, depth_of (planner, s, c.column));
      }
}
