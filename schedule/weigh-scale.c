/* What a tree's loops and accesses come to in numbers: what schedule/weigh.c
   and schedule/weigh-memory.c share.  */

#include "schedule/weigh-scale.h"

#include "ir/walk.h"

tns_members
tns_scale_members (const tns_scale *w, const tns_tree *tree)
{
  tns_members in = { 0, TNS_NEW_ARRAY (w->arena, int, w->scop->n_stmts + 1) };
  in.n = tns_tree_stmts (tree, in.stmt);
  return in;
}

/* Iterators and the values that stand for them.  */
typedef struct middles
{
  double size;
  int n;
  const tns_sym *iter[TNS_MAX_DEPTH];
  double at[TNS_MAX_DEPTH];
} middles;

/* A OP B for the operators of bounds.  */
static double
apply (tns_op op, double a, double b)
{
  switch (op)
    {
    case TNS_ADD:
      return a + b;
    case TNS_SUB:
      return a - b;
    case TNS_MUL:
      return a * b;
    case TNS_MIN:
      return a < b ? a : b;
    case TNS_MAX:
      return a > b ? a : b;
    case TNS_DIV:
    case TNS_FLOORDIV:
      return b != 0 ? a / b : a;
    case TNS_MOD:
    case TNS_REM:
      return b / 2;
    default:
      return a;
    }
}

/* About what EXPR, a bound, comes to.  */
static double
value_of (const middles *m, const tns_expr *expr)
{
  long long number;
  if (tns_expr_is_int (expr, &number))
    return (double) number;
  for (int k = 0; expr->op == TNS_SYM && k < m->n; k++)
    if (m->iter[k] == expr->sym)
      return m->at[k];
  if (expr->op == TNS_SELECT)
    return value_of (m, expr->arg[1]);
  if (expr->n_args == 0 || tns_expr_reads (expr))
    return m->size;
  double a = value_of (m, expr->arg[0]);
  if (expr->op == TNS_NEG)
    return -a;
  return expr->n_args == 1 ? a
                           : apply (expr->op, a, value_of (m, expr->arg[1]));
}

/* The extents of statement S.  */
static void
find_extents (tns_scale *w, int s)
{
  const tns_stmt *stmt = &w->scop->stmt[s];
  middles m = { .size = w->size };
  w->extent[s] = TNS_NEW_ARRAY (w->arena, double, stmt->n_iters + 1);
  for (int k = 0; k < stmt->n_iters; k++)
    {
      const tns_node *loop = stmt->loop[k];
      double lo = value_of (&m, loop->lo);
      double hi = value_of (&m, loop->hi);
      double trip = (hi - lo) / (double) loop->step;
      if (trip <= 1 && !tns_loop_is_constant (w->arena, loop))
        trip = w->size / 2;
      w->extent[s][k] = trip < 1 ? 1 : trip;
      m.iter[m.n] = loop->iter;
      m.at[m.n++] = (lo + hi) / 2;
    }
}

/* The size that unknown parameters are assumed to have.  */
static double
assumed_size (const tns_scop *scop)
{
  int most = 0;
  for (int s = 0; s < scop->n_stmts; s++)
    {
      int n = 0;
      for (int k = 0; k < scop->stmt[s].n_iters; k++)
        n += !tns_loop_is_constant (scop->ctx->arena, scop->stmt[s].loop[k]);
      most = n > most ? n : most;
    }
  return most <= 1 ? 1e6 : most == 2 ? 1e3 : 400;
}

/* The position of the iterator that DIM advances for statement S, or -1.  */
static int
iter_of (const tns_scale *w, const tns_tree *dim, int s)
{
  const tns_sym *iter = tns_dim_iter (w->scop, dim, s);
  for (int k = 0; iter && k < w->scop->stmt[s].n_iters; k++)
    if (w->scop->stmt[s].iter[k] == iter)
      return k;
  return -1;
}

void
tns_scale_trips (const tns_scale *w, int s, int n, tns_tree **path,
                 double *trip)
{
  double left[TNS_MAX_DEPTH];
  for (int k = 0; k < w->scop->stmt[s].n_iters; k++)
    left[k] = w->extent[s][k];
  for (int d = 0; d < n; d++)
    {
      int k = iter_of (w, path[d], s);
      double size = (double) path[d]->row[s]->divisor;
      trip[d] = 1;
      if (k < 0)
        continue;
      double inside = size < left[k] ? size : left[k];
      trip[d] = size > 1 ? left[k] / inside : left[k];
      left[k] = size > 1 ? inside : 1;
    }
}

double
tns_scale_trip_at (const tns_scale *w, const tns_tree *dim, int depth)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  double trip[2 * TNS_MAX_DEPTH];
  tns_members in = tns_scale_members (w, dim);
  int k = 0;
  while (k + 1 < in.n && iter_of (w, dim, in.stmt[k]) < 0)
    k++;
  int n = tns_tree_path (w->root, in.stmt[k], path);
  tns_scale_trips (w, in.stmt[k], n, path, trip);
  return trip[depth];
}

tns_stride
tns_scale_stride (const tns_scale *w, const tns_tree *dim, int s,
                  const tns_access *access)
{
  const tns_sym *iter = tns_dim_iter (w->scop, dim, s);
  if (!access->expr || !iter)
    return TNS_STRIDE_FAR;
  return tns_reached_stride (w->scop, &w->scop->stmt[s], access, iter);
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

void
tns_scale_homes (tns_scale *w)
{
  const tns_tree *root = w->root;
  w->home = TNS_NEW_ARRAY (w->arena, bool, w->scop->n_arrays + 1);
  for (int k = 0; k < w->scop->n_arrays; k++)
    {
      int nests = 0;
      for (int n = 0; root->kind == TNS_TREE_SEQ && n < root->n_kids; n++)
        {
          bool some = false;
          for (int s = 0; s < w->scop->n_stmts && !some; s++)
            some = tns_tree_has (root->kid[n], s) && touches (w->scop, s, k);
          nests += some;
        }
      w->home[k] = w->scop->array[k].dead_after && nests <= 1;
    }
}

bool
tns_scale_in_registers (const tns_scale *w, int array)
{
  const tns_array *x = &w->scop->array[array];
  return (x->sym->rank == 0 && tns_sym_is_local (x->sym))
         || (!w->as_written && w->home[array]);
}

/* The iterators of STMT that move ACCESS, as bits.  */
static unsigned
ways_of (const tns_scop *scop, const tns_stmt *stmt, const tns_access *access)
{
  unsigned ways = 0;
  for (int k = 0; k < stmt->n_iters; k++)
    if (tns_storage_stride (scop, stmt, access, stmt->iter[k])
        != TNS_STRIDE_FIXED)
      ways |= 1u << k;
  return ways;
}

/* STMT accesses ARRAY in several ways.  */
static bool
is_mixed (const tns_scop *scop, const tns_stmt *stmt, int array)
{
  const tns_access *first = NULL;
  for (int a = 0; a < stmt->n_accesses; a++)
    {
      const tns_access *access = &stmt->access[a];
      if (access->array != array || !access->expr)
        continue;
      first = first ? first : access;
      if (ways_of (scop, stmt, access) != ways_of (scop, stmt, first))
        return true;
    }
  return false;
}

/* STRIDE goes along rows.  */
static bool
is_along (tns_stride stride)
{
  return stride == TNS_STRIDE_UNIT || stride == TNS_STRIDE_SHORT;
}

/* Some DIM around both moves one of A of statement S and B of statement T,
   accesses of one array, along rows, and the other one not.  */
static bool
are_apart (const tns_scale *w, int s, const tns_access *a, int t,
           const tns_access *b)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  bool apart = false;
  int n = s == t || !a->expr || !b->expr ? 0 : tns_tree_path (w->root, s, path);
  for (int d = 0; d < n && tns_tree_has (path[d], t) && !apart; d++)
    apart = is_along (tns_scale_stride (w, path[d], s, a))
            != is_along (tns_scale_stride (w, path[d], t, b));
  return apart;
}

/* The stream of W that is of ACCESS of statement S and moves with WAYS, a new
   one where there is none.  */
static int
stream_of (tns_scale *w, int s, const tns_access *access, unsigned ways)
{
  int k = 0;
  while (
    k < w->n_streams
    && (w->stream[k].array != access->array || w->stream[k].ways != ways
        || are_apart (w, w->stream[k].stmt, w->stream[k].first, s, access)))
    k++;
  if (k == w->n_streams)
    w->stream[w->n_streams++] = (tns_stream){ access->array, ways, s, access };
  return k;
}

/* Fill the streams.  */
static void
find_streams (tns_scale *w)
{
  const tns_scop *scop = w->scop;
  bool *mixed = TNS_NEW_ARRAY (w->arena, bool, scop->n_arrays + 1);
  int most = 1;
  for (int s = 0; s < scop->n_stmts; s++)
    {
      most += scop->stmt[s].n_accesses;
      for (int k = 0; k < scop->n_arrays; k++)
        mixed[k] |= is_mixed (scop, &scop->stmt[s], k);
    }
  w->stream = TNS_NEW_ARRAY (w->arena, tns_stream, most);
  w->of = TNS_NEW_ARRAY (w->arena, int *, scop->n_stmts + 1);
  for (int s = 0; s < scop->n_stmts; s++)
    {
      const tns_stmt *stmt = &scop->stmt[s];
      w->of[s] = TNS_NEW_ARRAY (w->arena, int, stmt->n_accesses + 1);
      for (int a = 0; a < stmt->n_accesses; a++)
        {
          const tns_access *access = &stmt->access[a];
          bool apart = mixed[access->array] && access->expr;
          unsigned ways = apart ? ways_of (scop, stmt, access) : 0;
          w->of[s][a] = stream_of (w, s, access, ways);
        }
    }
}

tns_scale
tns_scale_of (tns_ctx *ctx, const tns_scop *scop, const tns_machine *machine,
              tns_tree *tree, bool as_written)
{
  tns_scale w = { .arena = ctx->arena,
                  .scop = scop,
                  .machine = machine,
                  .root = tree,
                  .as_written = as_written,
                  .size = assumed_size (scop) };
  w.extent = TNS_NEW_ARRAY (ctx->arena, double *, scop->n_stmts + 1);
  for (int s = 0; s < scop->n_stmts; s++)
    find_extents (&w, s);
  find_streams (&w);
  return w;
}
