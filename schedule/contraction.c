/* Recognising contractions, as schedule/contraction.h says.  */

#include "schedule/contraction.h"

#include "ir/walk.h"

#define STRIP       1024
#define DOT_TILE    4
#define LONG_VECTOR 16

/* Some operand of STMT has stride A in X and stride B in Y (Y NULL: any).  */
static bool
has_operand (const tns_scop *scop, const tns_stmt *stmt, const tns_sym *x,
             tns_stride a, const tns_sym *y, tns_stride b)
{
  for (int k = 0; k < stmt->n_accesses; k++)
    {
      const tns_access *access = &stmt->access[k];
      if (tns_access_is_operand (access)
          && tns_storage_stride (scop, stmt, access, x) == a
          && (!y || tns_storage_stride (scop, stmt, access, y) == b))
        return true;
    }
  return false;
}

/* All operands of STMT that move with ITER move by one element.  */
static bool
moves_by_one (const tns_scop *scop, const tns_stmt *stmt, const tns_sym *iter)
{
  bool some = false;
  for (int k = 0; k < stmt->n_accesses; k++)
    if (tns_access_is_operand (&stmt->access[k]))
      {
        tns_stride stride
          = tns_storage_stride (scop, stmt, &stmt->access[k], iter);
        some |= stride == TNS_STRIDE_UNIT;
        if (stride > TNS_STRIDE_UNIT)
          return false;
      }
  return some;
}

bool
tns_dim_is_free_for (const tns_scop *scop, const tns_tree *dim, int s)
{
  const tns_stmt *stmt = &scop->stmt[s];
  if (dim->role != TNS_ROLE_REDUCTION)
    return dim->role == TNS_ROLE_FREE;
  for (int k = 0; k < dim->n_carried; k++)
    for (int a = 0; a < stmt->n_accesses; a++)
      if (scop->array[stmt->access[a].array].sym == dim->carried[k].sym)
        return false;
  return true;
}

/* DIM may be cut into tiles for C.  */
static bool
may_tile (const tns_planner *p, const tns_contraction *c, const tns_tree *dim)
{
  return dim->row[c->stmt]->divisor == 1
         && tns_dim_is_free_for (p->scop, dim, c->stmt);
}

/* ITER moves ACCESS of STMT: not only from one copy of an array to another.  */
static bool
moves (const tns_scop *scop, const tns_stmt *stmt, const tns_access *access,
       const tns_sym *iter)
{
  bool is_private = scop->array[access->array].n_private > 0 && access->expr;
  return tns_storage_stride (scop, stmt, access, iter) != TNS_STRIDE_FIXED
         && (!is_private || tns_expr_mentions (access->expr, iter));
}

/* ITER moves nothing that C's statement accesses, but says where a loop further
   in begins and ends: one over blocks of it.  */
static bool
counts_blocks (const tns_planner *p, const tns_contraction *c,
               const tns_sym *iter)
{
  const tns_stmt *stmt = &p->scop->stmt[c->stmt];
  for (int a = 0; a < stmt->n_accesses; a++)
    if (moves (p->scop, stmt, &stmt->access[a], iter))
      return false;
  for (int l = 0; l < stmt->n_iters; l++)
    if (tns_expr_mentions (stmt->loop[l]->lo, iter)
        && tns_expr_mentions (stmt->loop[l]->hi, iter))
      return true;
  return false;
}

/* Sort the DIMs PATH[0..N) above the update into C's inner ones; false when
   there is none or a row is not a plain iterator.  */
static bool
find_inner (const tns_planner *p, tns_contraction *c, int n, tns_tree **path)
{
  const tns_stmt *stmt = &p->scop->stmt[c->stmt];
  for (int k = 0; k < n; k++)
    {
      const tns_sym *iter = tns_dim_iter (p->scop, path[k], c->stmt);
      if (!iter || path[k]->marks.unroll || path[k]->marks.simd)
        return false;
      if (tns_storage_stride (p->scop, stmt, c->target, iter)
            != TNS_STRIDE_FIXED
          || tns_dim_is_free_for (p->scop, path[k], c->stmt))
        continue;
      if (path[k]->row[c->stmt]->divisor == 1 && !counts_blocks (p, c, iter))
        c->inner[c->n_inner++] = path[k];
      else
        c->blocked = true;
    }
  return c->n_inner > 0;
}

/* The column, among PATH[0..N), for lanes; the innermost one.  */
static void
find_column (const tns_planner *p, tns_contraction *c, int n, tns_tree **path)
{
  const tns_stmt *stmt = &p->scop->stmt[c->stmt];
  for (int k = 0; k < n; k++)
    {
      const tns_sym *iter = tns_dim_iter (p->scop, path[k], c->stmt);
      if (may_tile (p, c, path[k])
          && tns_storage_stride (p->scop, stmt, c->target, iter)
               == TNS_STRIDE_UNIT
          && moves_by_one (p->scop, stmt, iter)
          && has_operand (p->scop, stmt, iter, TNS_STRIDE_FIXED, NULL, 0))
        c->column = path[k];
    }
}

/* The row: the innermost FREE DIM that moves the target and not all that the
   column moves.  */
static void
find_row (const tns_planner *p, tns_contraction *c, int n, tns_tree **path)
{
  const tns_stmt *stmt = &p->scop->stmt[c->stmt];
  const tns_sym *column = tns_dim_iter (p->scop, c->column, c->stmt);
  for (int k = 0; k < n; k++)
    {
      const tns_sym *iter = tns_dim_iter (p->scop, path[k], c->stmt);
      if (path[k] != c->column && may_tile (p, c, path[k])
          && tns_storage_stride (p->scop, stmt, c->target, iter)
               != TNS_STRIDE_FIXED
          && has_operand (p->scop, stmt, column, TNS_STRIDE_UNIT, iter,
                          TNS_STRIDE_FIXED))
        c->row = path[k];
    }
}

/* DIMs A and B, moved by one iterator each, move one subscript of an operand of
   C's: one shifts what the other goes along.  */
static bool
shift_together (const tns_planner *p, const tns_contraction *c,
                const tns_tree *a, const tns_tree *b)
{
  const tns_stmt *stmt = &p->scop->stmt[c->stmt];
  const tns_sym *x = tns_dim_iter (p->scop, a, c->stmt);
  const tns_sym *y = tns_dim_iter (p->scop, b, c->stmt);
  for (int k = 0; k < stmt->n_accesses; k++)
    if (tns_access_is_operand (&stmt->access[k]))
      for (int j = 0; j < stmt->access[k].expr->n_args; j++)
        if (tns_expr_mentions (stmt->access[k].expr->arg[j], x)
            && tns_expr_mentions (stmt->access[k].expr->arg[j], y))
          return true;
  return false;
}

/* The loop of DIM A stands around that of B as C's statement is written.  */
static bool
was_around (const tns_planner *p, const tns_contraction *c, const tns_tree *a,
            const tns_tree *b)
{
  const tns_stmt *stmt = &p->scop->stmt[c->stmt];
  const tns_sym *outer = tns_dim_iter (p->scop, a, c->stmt);
  const tns_sym *inner = tns_dim_iter (p->scop, b, c->stmt);
  int k = 0;
  while (stmt->iter[k] != outer && stmt->iter[k] != inner)
    k++;
  return stmt->iter[k] == outer;
}

/* DIM shifts what INNER, an inner DIM of C's whose loop was written around it,
   goes along: as far as is known it is the shorter one.  */
static bool
is_tap_of (const tns_planner *p, const tns_contraction *c, const tns_tree *dim,
           const tns_tree *inner)
{
  return shift_together (p, c, dim, inner) && was_around (p, c, inner, dim);
}

/* DIM is a tap of an inner DIM of C's.  */
static bool
is_tap (const tns_planner *p, const tns_contraction *c, const tns_tree *dim)
{
  for (int k = 0; k < c->n_inner; k++)
    if (is_tap_of (p, c, dim, c->inner[k]))
      return true;
  return false;
}

/* DIM may be a row or column of C in the dot form: it leaves some operand in
   place, one that C's column moves if APART.  */
static bool
may_jam (const tns_planner *p, const tns_contraction *c, const tns_tree *dim,
         bool apart)
{
  const tns_stmt *stmt = &p->scop->stmt[c->stmt];
  const tns_sym *iter = tns_dim_iter (p->scop, dim, c->stmt);
  const tns_sym *column
    = apart ? tns_dim_iter (p->scop, c->column, c->stmt) : NULL;
  bool leaves = false;
  for (int s = TNS_STRIDE_UNIT; s <= TNS_STRIDE_FAR && apart; s++)
    leaves |= has_operand (p->scop, stmt, iter, TNS_STRIDE_FIXED, column, s);
  if (!apart)
    leaves = has_operand (p->scop, stmt, iter, TNS_STRIDE_FIXED, NULL, 0);
  return leaves && may_tile (p, c, dim)
         && tns_storage_stride (p->scop, stmt, c->target, iter)
              != TNS_STRIDE_FIXED;
}

/* The innermost of PATH[0..N), C's column apart, that may be jammed, no tap
   where there is another; NULL: none may.  */
static tns_tree *
innermost_to_jam (const tns_planner *p, const tns_contraction *c, int n,
                  tns_tree **path, bool apart)
{
  for (int taps = 0; taps < 2; taps++)
    for (int k = n - 1; k >= 0; k--)
      if (path[k] != c->column && may_jam (p, c, path[k], apart)
          && (taps || !is_tap (p, c, path[k])))
        return path[k];
  return NULL;
}

/* The dot form: lanes along the innermost inner DIM, which all operands
   follow by one element; the innermost FREE DIM that leaves some operand in
   place, and the innermost one that leaves one in place which that moves, or
   just another.  Whether there is one.  */
static bool
find_dot (const tns_planner *p, tns_contraction *c, int n, tns_tree **path)
{
  const tns_stmt *stmt = &p->scop->stmt[c->stmt];
  tns_tree *lane = c->inner[c->n_inner - 1];
  const tns_sym *iter = tns_dim_iter (p->scop, lane, c->stmt);
  long trip = tns_dim_trip (p->scop, lane);
  c->row = NULL;
  c->column = NULL;
  if (lane->role != TNS_ROLE_REDUCTION || !moves_by_one (p->scop, stmt, iter)
      || (trip > 0 && trip < c->lanes))
    return false;
  c->column = innermost_to_jam (p, c, n, path, false);
  if (c->column)
    c->row = innermost_to_jam (p, c, n, path, true);
  if (c->column && !c->row)
    c->row = innermost_to_jam (p, c, n, path, false);
  c->dot = c->column != NULL;
  return c->dot;
}

/* Some operand of statement C's moves far with the innermost inner DIM.  */
static bool
moves_far (const tns_planner *p, const tns_contraction *c)
{
  const tns_stmt *stmt = &p->scop->stmt[c->stmt];
  const tns_sym *iter
    = tns_dim_iter (p->scop, c->inner[c->n_inner - 1], c->stmt);
  for (int k = 0; k < stmt->n_accesses; k++)
    if (tns_access_is_operand (&stmt->access[k])
        && tns_storage_stride (p->scop, stmt, &stmt->access[k], iter)
             == TNS_STRIDE_FAR)
      return true;
  return false;
}

/* Some of C's inner loops begins and ends elsewhere for each value of DIM: not
   all lanes along DIM are there in most of its iterations, unless it is long,
   as in a convolution of two long rows.  */
static bool
is_slanted (const tns_planner *p, const tns_contraction *c, const tns_tree *dim)
{
  const tns_stmt *stmt = &p->scop->stmt[c->stmt];
  const tns_sym *iter = tns_dim_iter (p->scop, dim, c->stmt);
  for (int k = 0; k < c->n_inner; k++)
    for (int l = 0; l < stmt->n_iters; l++)
      if (stmt->iter[l] == tns_dim_iter (p->scop, c->inner[k], c->stmt)
          && tns_expr_mentions (stmt->loop[l]->lo, iter)
          && tns_expr_mentions (stmt->loop[l]->hi, iter))
        return true;
  return false;
}

/* A strip: the innermost FREE DIM that the target and all operands that move
   with it follow by one element.  */
static void
find_strip (const tns_planner *p, tns_contraction *c, int n, tns_tree **path)
{
  const tns_stmt *stmt = &p->scop->stmt[c->stmt];
  c->row = NULL;
  c->column = NULL;
  for (int k = 0; k < n; k++)
    {
      const tns_sym *iter = tns_dim_iter (p->scop, path[k], c->stmt);
      if (may_tile (p, c, path[k])
          && tns_storage_stride (p->scop, stmt, c->target, iter)
               == TNS_STRIDE_UNIT
          && moves_by_one (p->scop, stmt, iter) && !is_slanted (p, c, path[k]))
        c->column = path[k];
    }
  c->strip = c->column != NULL;
  c->far = c->strip && moves_far (p, c);
  c->dot = false;
}

/* Whether A or a smaller constant trip of DIM: the size of its tile.  */
static long
fit (const tns_planner *p, const tns_tree *dim, long size)
{
  long trip = tns_dim_trip (p->scop, dim);
  return trip > 0 && trip < size ? trip : size;
}

/* Statement S sums along rows which C's column counts, in C's innermost
   loop.  */
static bool
sums_row (const tns_planner *p, const tns_contraction *c, int s)
{
  const tns_stmt *stmt = &p->scop->stmt[s];
  const tns_access *target = tns_update_target (stmt);
  const tns_tree *lane = c->inner[c->n_inner - 1];
  if (!target || !tns_tree_has (lane, s) || !tns_tree_has (c->column, s))
    return false;
  const tns_sym *row = tns_dim_iter (p->scop, c->column, s);
  const tns_sym *iter = tns_dim_iter (p->scop, lane, s);
  if (!row || !iter
      || tns_storage_stride (p->scop, stmt, target, iter) != TNS_STRIDE_FIXED)
    return false;
  bool found = false;
  for (int k = 0; k < stmt->n_accesses && !found; k++)
    found = tns_access_is_operand (&stmt->access[k])
            && tns_storage_stride (p->scop, stmt, &stmt->access[k], row)
                 == TNS_STRIDE_FAR
            && tns_storage_stride (p->scop, stmt, &stmt->access[k], iter)
                 == TNS_STRIDE_UNIT;
  return found;
}

/* Another statement in C's innermost loop sums rows of its own: these are as
   many sums as the latency of one takes, and more rows side by side are too
   many places to read from.  */
static bool
shares_rows (const tns_planner *p, const tns_contraction *c)
{
  int n = 0;
  for (int s = 0; s < p->scop->n_stmts; s++)
    n += sums_row (p, c, s);
  return n > 1;
}

/* The sizes of C's dots: enough sums side by side for the latency of one.  Of
   vectors that take the time of two, halves do, and are filled sooner where
   nobody knows how long the sums are.  */
static void
choose_dots (const tns_planner *p, tns_contraction *c)
{
  long trip = tns_dim_trip (p->scop, c->inner[c->n_inner - 1]);
  if (p->machine->halves && trip == 0 && c->lanes >= LONG_VECTOR)
    c->lanes /= 2;
  int jam = p->machine->vector_registers >= 32 ? DOT_TILE : DOT_TILE / 2;
  c->rows = c->row ? fit (p, c->row, jam) : 1;
  c->columns = fit (p, c->column, DOT_TILE);
  c->accumulators = c->row ? 1 : 2;
}

/* The sizes of C's tile: two vectors of columns and as many rows as leave
   registers for the columns and one operand (rows * 2 + 2 + 1).  */
static void
choose_sizes (const tns_planner *p, tns_contraction *c)
{
  long trip = tns_dim_trip (p->scop, c->column);
  long vectors = trip > 0 && trip <= c->lanes ? 1 : 2;
  c->rows = (p->machine->vector_registers - vectors - 1) / vectors;
  c->rows = fit (p, c->row, c->rows > 14 ? 14 : c->rows);
  c->columns = vectors * c->lanes;
}

/* C's column does not fill half a vector, or may not: it is a tap.  */
static bool
is_short (const tns_planner *p, const tns_contraction *c)
{
  long trip = tns_dim_trip (p->scop, c->column);
  return trip > 0 ? 2 * trip < c->lanes
                  : is_tap_of (p, c, c->column, c->inner[c->n_inner - 1]);
}

/* C as a strip among the DIMs PATH[0..N), and its size.  Whether it gains.  */
static bool
take_strip (const tns_planner *p, tns_contraction *c, int n, tns_tree **path)
{
  find_strip (p, c, n, path);
  if (!c->strip)
    return false;
  c->rows = 1;
  c->columns = fit (p, c->column, c->far ? STRIP : 4 * c->lanes);
  return c->columns >= 2 * c->lanes;
}

/* C's column slides a window, along which the innermost inner DIM goes: dots
   would load each element as often, and add up their lanes besides.  */
static bool
slides_window (const tns_planner *p, const tns_contraction *c)
{
  return c->column && !c->row
         && shift_together (p, c, c->column, c->inner[c->n_inner - 1]);
}

/* Find the form of C among the DIMs PATH[0..N) and its sizes.  Whether it
   gains.  */
static bool
find_form (const tns_planner *p, tns_contraction *c, int n, tns_tree **path)
{
  find_column (p, c, n, path);
  if (c->column && is_short (p, c) && find_dot (p, c, n, path))
    {
      choose_dots (p, c);
      return c->rows >= 2 || c->columns >= 2;
    }
  find_column (p, c, n, path);
  if (c->column)
    find_row (p, c, n, path);
  if (c->column && c->row)
    {
      choose_sizes (p, c);
      return c->rows >= 2;
    }
  if (slides_window (p, c) && take_strip (p, c, n, path))
    return true;
  if (find_dot (p, c, n, path) && c->row)
    {
      choose_dots (p, c);
      return c->rows >= 2;
    }
  if (take_strip (p, c, n, path))
    return true;
  if (c->strip || !find_dot (p, c, n, path) || shares_rows (p, c)
      || is_slanted (p, c, c->column))
    return false;
  choose_dots (p, c);
  return c->columns >= 2;
}

bool
tns_dim_moves_cell (const tns_planner *planner, const tns_tree *dim, int stmt)
{
  const tns_stmt *of = &planner->scop->stmt[stmt];
  const tns_sym *iter = tns_dim_iter (planner->scop, dim, stmt);
  return iter
         && tns_storage_stride (planner->scop, of, tns_update_target (of), iter)
              != TNS_STRIDE_FIXED;
}

bool
tns_contraction_at (const tns_planner *planner, int stmt, tns_contraction *c)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (planner->tree, stmt, path);
  const tns_access *target = tns_update_target (&planner->scop->stmt[stmt]);
  *c = (tns_contraction){ .stmt = stmt, .target = target };
  if (!target || tns_stmt_sums_small (&planner->scop->stmt[stmt]))
    return false;
  tns_elem elem = planner->scop->array[target->array].sym->type.elem;
  c->lanes = planner->machine->vector_bytes / tns_elem_bytes (elem);
  if (c->lanes < 2 || !find_inner (planner, c, n, path)
      || !find_form (planner, c, n, path))
    return false;
  for (int k = 0; k < c->n_inner; k++)
    c->shifted |= shift_together (planner, c, c->column, c->inner[k]);
  return true;
}

/* Statement STMT has an operand that ITER leaves where it is and OTHER
   moves.  */
static bool
leaves_one (const tns_planner *p, const tns_stmt *stmt, const tns_sym *iter,
            const tns_sym *other)
{
  bool some = false;
  for (int stride = TNS_STRIDE_UNIT; stride <= TNS_STRIDE_FAR; stride++)
    some |= has_operand (p->scop, stmt, iter, TNS_STRIDE_FIXED, other,
                         (tns_stride) stride);
  return some;
}

/* DIM may be a row or column of C's tiles: it is free, and moves the
   target.  */
static bool
may_have_lines (const tns_planner *p, const tns_contraction *c,
                const tns_tree *dim)
{
  const tns_sym *iter = tns_dim_iter (p->scop, dim, c->stmt);
  return may_tile (p, c, dim)
         && tns_storage_stride (p->scop, &p->scop->stmt[c->stmt], c->target,
                                iter)
              != TNS_STRIDE_FIXED;
}

bool
tns_contraction_tiles (const tns_planner *planner, int stmt, tns_contraction *c)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  if (tns_contraction_at (planner, stmt, c) && c->row && c->column)
    return true;
  int n = tns_tree_path (planner->tree, stmt, path);
  const tns_stmt *s = &planner->scop->stmt[stmt];
  *c = (tns_contraction){ .stmt = stmt, .target = tns_update_target (s) };
  if (!c->target || tns_stmt_sums_small (s)
      || !find_inner (planner, c, n, path))
    return false;
  for (int k = n - 1; k > 0; k--)
    for (int j = k - 1; j >= 0 && may_have_lines (planner, c, path[k]); j--)
      {
        const tns_sym *a = tns_dim_iter (planner->scop, path[j], stmt);
        const tns_sym *b = tns_dim_iter (planner->scop, path[k], stmt);
        c->row = path[j];
        c->column = path[k];
        if (may_have_lines (planner, c, path[j])
            && leaves_one (planner, s, a, b) && leaves_one (planner, s, b, a))
          return true;
      }
  return false;
}
