/* Rows of parameters, as autodiff/rows.h says.  */

#include "autodiff/rows.h"

#include <limits.h>

#include "autodiff/attained.h"
#include "autodiff/hull.h"
#include "ir/affine.h"
#include "ir/handed.h"
#include "ir/simplify.h"
#include "ir/walk.h"

/* So many rows may be there in vain.  */
static const long long LITTLE = 1024;

/* A number that is more than any row's, and stays so when compared.  */
static const long long FAR = LLONG_MAX / 4;

/* What first subscripts of SYM are collected.

   lo, last    the ends of all of them
   first, end  those of the first that was found
   sure        each one's ends are reached
   dense       so is all between those of all  */
typedef struct range
{
  tns_ctx *ctx;
  tns_arena *arena;
  const tns_view *view;
  const tns_sym *sym;
  bool absent;
  int site;
  tns_expr *lo;
  tns_expr *last;
  tns_expr *first;
  tns_expr *end;
  bool sure;
  bool dense;
  bool failed;
} range;

/* B is one of what A, NULL or joined by OP, is of.  */
static bool
has_part (tns_op op, const tns_expr *a, const tns_expr *b)
{
  while (a && a->op == op && a->n_args == 2)
    {
      if (tns_expr_equal (a->arg[1], b))
        return true;
      a = a->arg[0];
    }
  return a && tns_expr_equal (a, b);
}

/* A and B joined by OP; A may be NULL.  */
static tns_expr *
joined (tns_arena *arena, tns_op op, tns_expr *a, tns_expr *b)
{
  if (!a)
    return b;
  return has_part (op, a, b) ? a : tns_binary (arena, op, a, b);
}

/* EXPR where the loops around R's site run, else OTHERWISE; simple, so that
   equal ends are equal.  */
static tns_expr *
when_it_runs (const range *r, tns_expr *expr, long long otherwise)
{
  tns_expr *runs = tns_hull_runs (r->arena, r->view, r->site);
  return tns_expr_simplify (
    r->ctx, runs ? tns_ternary (r->arena, TNS_SELECT, runs, expr,
                                tns_int (r->arena, otherwise))
                 : expr);
}

/* A and B differ by 1 at most.  */
static bool
is_close (tns_arena *arena, tns_expr *a, tns_expr *b)
{
  long long between;
  tns_sum negative = tns_sum_scale (arena, tns_sum_of (arena, b), -1);
  return tns_sum_is_int (tns_sum_add (arena, tns_sum_of (arena, a), negative),
                         &between)
         && between >= -1 && between <= 1;
}

/* Note whether all from LO to LAST, the ends of SUB, is reached, where KNOWN
   holds.  */
static void
note_reached (range *r, tns_expr *sub, tns_expr *lo, tns_expr *last,
              const tns_known *known)
{
  r->first = r->first ? r->first : lo;
  r->end = r->end ? r->end : last;
  r->sure &= !known && tns_hull_is_attained (r->view, r->site, sub);
  r->dense &= r->sure && tns_hull_is_dense (r->arena, r->view, r->site, sub)
              && is_close (r->arena, lo, r->first)
              && is_close (r->arena, last, r->end);
}

/* Add the ends of the first subscript of EXPR, an access, where KNOWN
   holds.  */
static void
add_access (range *r, tns_expr *expr, const tns_known *known)
{
  tns_expr *lo
    = tns_hull_known (r->arena, r->view, r->site, expr->arg[0], false, known);
  tns_expr *last
    = tns_hull_known (r->arena, r->view, r->site, expr->arg[0], true, known);
  const tns_node *node = r->view->site[r->site].node;
  bool is_target = node->kind == TNS_ASSIGN && node->target == expr;
  r->failed |= (!lo || !last) && (is_target || !r->absent);
  if (!lo || !last)
    return;
  note_reached (r, expr->arg[0], lo, last, known);
  r->lo = joined (r->arena, TNS_MIN, r->lo, when_it_runs (r, lo, FAR));
  r->last = joined (r->arena, TNS_MAX, r->last, when_it_runs (r, last, -FAR));
}

tns_expr *
tns_rows_handed (tns_arena *arena, const tns_expr *load, tns_expr *count)
{
  long long n, first;
  tns_expr *row = NULL;
  if (tns_expr_is_int (count, &n) && n < 0)
    return NULL;
  for (int k = 1; k < load->n_args; k++)
    {
      tns_expr *extent = load->sym->extent[k];
      if (!extent || !tns_expr_is_int (load->arg[k], &first) || first != 0)
        return NULL;
      row = row ? tns_binary (arena, TNS_MUL, row, extent) : extent;
    }
  if (!row)
    return count;
  tns_expr *one = tns_int (arena, 1);
  tns_expr *last = tns_binary (arena, TNS_SUB, count, one);
  row = tns_binary (arena, TNS_MAX, row, one);
  return tns_binary (arena, TNS_ADD,
                     tns_binary (arena, TNS_FLOORDIV, last, row), one);
}

/* Add the rows that COUNT elements from LOAD on are in, where KNOWN holds.  */
static void
add_handed (range *r, const tns_expr *load, tns_expr *count,
            const tns_known *known)
{
  tns_expr *n = tns_rows_handed (r->arena, load, count);
  tns_expr *more = n ? tns_hull (r->arena, r->view, r->site, n, true) : NULL;
  tns_expr *lo
    = tns_hull_known (r->arena, r->view, r->site, load->arg[0], false, known);
  tns_expr *last
    = tns_hull_known (r->arena, r->view, r->site, load->arg[0], true, known);
  r->failed |= !lo || !last || !more;
  if (r->failed)
    return;
  last
    = tns_binary (r->arena, TNS_ADD, last,
                  tns_binary (r->arena, TNS_SUB, more, tns_int (r->arena, 1)));
  bool tiles = !known
               && tns_places_tile (r->arena, r->view, r->site, 0, load, count)
               && tns_hull_is_attained (r->view, r->site, load->arg[0]);
  r->sure &= tns_hull_is_attained (r->view, r->site, count);
  note_reached (r, tiles ? tns_int (r->arena, 0) : load->arg[0], lo, last,
                known);
  r->lo = joined (r->arena, TNS_MIN, r->lo, when_it_runs (r, lo, FAR));
  r->last = joined (r->arena, TNS_MAX, r->last, when_it_runs (r, last, -FAR));
}

/* Add all accesses in EXPR, which is read where KNOWN holds.  */
static void
widen (range *r, tns_expr *expr, const tns_known *known)
{
  for (int k = 0; tns_call_arguments (expr) && k < expr->n_args; k++)
    if (tns_argument_is_place (expr, k) && expr->arg[k]->sym == r->sym)
      add_handed (r, expr->arg[k], expr->arg[k + 1], known);
  if (tns_expr_reads (expr) && expr->sym == r->sym)
    add_access (r, expr, known);
  for (int k = 0; k < expr->n_args; k++)
    {
      if (tns_call_arguments (expr) && tns_argument_is_place (expr, k))
        continue;
      bool is_arm = expr->op == TNS_SELECT && k > 0;
      tns_known arm = { expr->arg[0], k == 2, known };
      widen (r, expr->arg[k], is_arm ? &arm : known);
    }
}

/* The visitor of whole expressions.  */
static bool
widen_all (tns_expr *expr, void *self)
{
  widen (self, expr, NULL);
  return false;
}

/* By hulls.  */
static bool
rows_of_hulls (tns_ctx *ctx, const tns_view *view, const tns_sym *sym,
               bool absent, tns_rows *rows)
{
  tns_arena *arena = ctx->arena;
  range r = { .ctx = ctx,
              .arena = arena,
              .view = view,
              .sym = sym,
              .absent = absent,
              .sure = true,
              .dense = true };
  for (; r.site < view->n_sites; r.site++)
    if (tns_node_is_call (view->site[r.site].node))
      widen (&r, view->site[r.site].node->value, NULL);
    else
      tns_node_exprs (view->site[r.site].node, widen_all, &r);
  if (r.failed || !r.last)
    return false;
  rows->lo = tns_expr_simplify (ctx, r.lo);
  rows->hi = tns_binary (arena, TNS_ADD, r.last, tns_int (arena, 1));
  rows->when = NULL;
  rows->sure = r.sure;
  rows->dense = r.dense;
  return true;
}

/* What is looked for in choices.  */
typedef struct choices
{
  const tns_sym *sym;
  bool found;
} choices;

/* The visitor of choices between accesses.  */
static bool
is_choice (tns_expr *expr, void *self)
{
  choices *c = self;
  c->found |= expr->op == TNS_SELECT
              && (tns_expr_mentions (expr->arg[1], c->sym)
                  || tns_expr_mentions (expr->arg[2], c->sym));
  return !c->found;
}

/* Some access of SYM is read under a condition of its expression, which
   relations do not know of.  */
static bool
is_chosen (const tns_view *view, const tns_sym *sym)
{
  choices c = { sym, false };
  for (int s = 0; s < view->n_sites; s++)
    tns_node_exprs (view->site[s].node, is_choice, &c);
  return c.found;
}

/* What of SYM SCOP's statements touch; NULL: nothing.  */
static __isl_give isl_set *
touched_in (const tns_scop *scop, const tns_sym *sym)
{
  isl_set *all = NULL;
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      {
        const tns_access *access = &scop->stmt[s].access[a];
        if (scop->array[access->array].sym->id != sym->id)
          continue;
        isl_set *some = isl_map_range (isl_map_copy (access->map));
        all = all ? isl_set_union (all, some) : some;
      }
  return all ? isl_set_coalesce (
           isl_set_intersect_params (all, isl_set_copy (scop->context)))
             : NULL;
}

/* The visitor that looks for values that change.  */
static bool
is_load (tns_expr *expr, void *self)
{
  bool *found = self;
  *found |= tns_expr_reads (expr);
  return !*found;
}

/* EXPR is there and over VALUEs.  */
static bool
is_of_values (tns_expr *expr)
{
  bool found = false;
  if (expr)
    tns_expr_walk (expr, is_load, &found);
  return expr && !found;
}

/* *WHEN becomes the condition under which SET, over SCOP's context, has any
   element; NULL: always.  False where that cannot be written down.  */
static bool
write_condition (const tns_scop *scop, __isl_keep isl_set *set, tns_expr **when)
{
  isl_set *params = isl_set_params (isl_set_copy (set));
  params = isl_set_gist (params, isl_set_copy (scop->context));
  params = isl_set_coalesce (params);
  bool always = isl_set_plain_is_universe (params) == isl_bool_true;
  bool is_short = isl_set_n_basic_set (params) <= 8;
  *when = always || !is_short ? NULL : tns_scop_cond_of_set (scop, params);
  isl_set_free (params);
  return always || is_of_values (*when);
}

/* The last element of SET, or with FIRST the first one, has the greatest, or
   the least, of each subscript: the ends of its rows are elements of it, and
   none of theirs lies beyond.  */
static bool
ends_at_corner (__isl_keep isl_set *set, bool first)
{
  isl_set *end = isl_set_copy (set);
  end = first ? isl_set_lexmin (end) : isl_set_lexmax (end);
  isl_size n = isl_set_dim (set, isl_dim_set);
  bool is_corner = n >= 0;
  for (int k = 0; k < n && is_corner; k++)
    {
      isl_set *all = isl_set_copy (set), *one = isl_set_copy (end);
      isl_pw_aff *far
        = first ? isl_set_dim_min (all, k) : isl_set_dim_max (all, k);
      isl_pw_aff *here
        = first ? isl_set_dim_min (one, k) : isl_set_dim_max (one, k);
      isl_set *apart = isl_pw_aff_ne_set (far, here);
      is_corner = isl_set_is_empty (apart) == isl_bool_true;
      isl_set_free (apart);
    }
  isl_set_free (end);
  return is_corner;
}

/* What SET, of SYM, whose rows may be short, has of them, into ROWS.  */
static void
find_columns (const tns_scop *scop, const tns_sym *sym, __isl_keep isl_set *set,
              tns_rows *rows)
{
  tns_arena *arena = scop->ctx->arena;
  tns_expr **from = TNS_NEW_ARRAY (arena, tns_expr *, sym->rank + 1);
  tns_expr **to = TNS_NEW_ARRAY (arena, tns_expr *, sym->rank + 1);
  bool known = true;
  for (int k = 1; k < sym->rank && known; k++)
    {
      from[k] = tns_scop_bound (scop, set, k, false, 8);
      tns_expr *last = tns_scop_bound (scop, set, k, true, 8);
      known = is_of_values (from[k]) && is_of_values (last);
      if (known)
        to[k] = tns_binary (arena, TNS_ADD, last, tns_int (arena, 1));
    }
  rows->from = known ? from : NULL;
  rows->to = known ? to : NULL;
}

/* By access relations.  */
static bool
rows_of_scop (const tns_scop *scop, const tns_sym *sym, tns_rows *rows)
{
  isl_set *set = touched_in (scop, sym);
  bool is_short = sym->rank > 1 && (sym->flags & TNS_SYM_SHORT);
  if (!set)
    return false;
  if (is_short)
    find_columns (scop, sym, set, rows);
  rows->sure
    = !is_short || (ends_at_corner (set, true) && ends_at_corner (set, false));
  set = isl_set_project_out (set, isl_dim_set, 1, (unsigned) sym->rank - 1);
  rows->lo = tns_scop_bound (scop, set, 0, false, 8);
  tns_expr *last = tns_scop_bound (scop, set, 0, true, 8);
  bool is_known = is_of_values (rows->lo) && is_of_values (last)
                  && write_condition (scop, set, &rows->when);
  isl_set_free (set);
  if (is_known)
    rows->hi = tns_binary (scop->ctx->arena, TNS_ADD, last,
                           tns_int (scop->ctx->arena, 1));
  return is_known;
}

/* The least of the numbers that EXPR chooses from into *LEAST; false where it
   is anything else.  */
static bool
least_choice (const tns_expr *expr, long long *least)
{
  long long a, b;
  if (expr->op != TNS_SELECT && expr->op != TNS_MIN && expr->op != TNS_MAX)
    return tns_expr_is_int (expr, least);
  if (!least_choice (expr->arg[expr->n_args - 1], &a)
      || !least_choice (expr->arg[expr->n_args - 2], &b))
    return false;
  *least = a < b ? a : b;
  return true;
}

/* A first row for copies of ROWS: a number where there is one, 0 where that
   wastes little.  */
static tns_expr *
base_of (tns_arena *arena, const tns_rows *rows)
{
  long long least;
  if (!least_choice (rows->lo, &least))
    return rows->lo;
  return tns_int (arena, least >= 0 && least < LITTLE ? 0 : least);
}

bool
tns_rows_of (tns_ctx *ctx, const tns_flow *flow, const tns_sym *sym,
             bool absent, tns_rows *rows)
{
  bool by_scop = flow->scop && !is_chosen (flow->view, sym)
                 && rows_of_scop (flow->scop, sym, rows);
  if (!by_scop && !rows_of_hulls (ctx, flow->view, sym, absent, rows))
    return false;
  rows->base = base_of (ctx->arena, rows);
  return true;
}

bool
tns_rows_related (const tns_flow *flow, const tns_sym *sym, tns_rows *rows)
{
  if (!flow->scop || !rows_of_scop (flow->scop, sym, rows))
    return false;
  rows->base = base_of (flow->scop->ctx->arena, rows);
  return true;
}

tns_expr *
tns_difference (tns_ctx *ctx, tns_expr *a, tns_expr *b)
{
  long long k;
  tns_arena *arena = ctx->arena;
  bool is_known = tns_expr_is_int (b, &k);
  return tns_expr_simplify (
    ctx, is_known ? tns_binary (arena, TNS_ADD, a, tns_int (arena, -k))
                  : tns_binary (arena, TNS_SUB, a, b));
}

tns_expr *
tns_rows_count (tns_ctx *ctx, const tns_rows *rows)
{
  return tns_binary (ctx->arena, TNS_MAX, tns_int (ctx->arena, 0),
                     tns_difference (ctx, rows->hi, rows->base));
}
