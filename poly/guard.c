/* Spans of arrays for checks at run time.

     for i < n, j < m:  A[i][j + 1]       A[][p], p = m + 1

       subscripts     [0, n - 1] x [1, m]
       span           lo = 0 p + 1        hi = (n - 1) p + m + 1
       where          n > 0 and m > 0, else nothing is accessed

   Statement by statement: the box around the elements, from isl's least and
   greatest value of each subscript; then the numbers of its first and last
   element, by strides that are not negative (proved or guarded); then the
   least and greatest over all statements, those without instances left
   out.  An element from which a VALUE was read is accessed too: no store may
   reach it.  Where isl has no bound, a product or a load stands in a subscript:
   then the ends of what is written there (ir/ends.h), index arrays looked
   through at run time (poly/scan.h).  */

#include "poly/guard.h"

#include "ir/walk.h"

#include <limits.h>

#include "poly/scan.h"
#include "poly/scop-build.h"

/* A number that is more than any element's, and stays so when compared.  */
static const long long FAR = LLONG_MAX / 4;

/* What statements that are executed for the same parameter values access:
   elements lo to hi, when cond holds (NULL: always).  */
typedef struct part
{
  isl_set *params;
  tns_expr *cond;
  tns_expr *lo;
  tns_expr *hi;
} part;

/* The span of one array while statements are added.  */
typedef struct spanner
{
  tns_ctx *ctx;
  tns_scop *scop;
  tns_sym *sym;
  tns_expr **stride;
  int n;
  part *part;
} spanner;

/* stride[0..rank) of SYM.  */
static tns_expr **
strides_of (tns_arena *arena, const tns_sym *sym)
{
  tns_expr **stride = TNS_NEW_ARRAY (arena, tns_expr *, sym->rank + 1);
  tns_expr *product = tns_int (arena, 1);
  for (int k = sym->rank - 1; k >= 0; k--)
    {
      stride[k] = sym->stride ? sym->stride[k] : product;
      if (k > 0)
        product = tns_binary (arena, TNS_MUL, sym->extent[k], product);
    }
  return stride;
}

/* The elements of the array that STMT accesses; NULL when there are none.  */
static __isl_give isl_set *
elements (const spanner *sp, const tns_stmt *stmt)
{
  isl_set *all = NULL;
  for (int a = 0; a < stmt->n_accesses; a++)
    {
      const tns_access *access = &stmt->access[a];
      if (sp->scop->array[access->array].sym != sp->sym)
        continue;
      isl_set *some = isl_map_range (isl_map_copy (access->map));
      all = all ? isl_set_union (all, some) : some;
    }
  if (!all)
    return NULL;
  isl_set *context = isl_set_copy (sp->scop->context);
  return isl_set_coalesce (isl_set_intersect_params (all, context));
}

/* What LOAD may be, for ir/ends.h.  */
static bool
ends_of_load (tns_expr *load, tns_ends *ends, void *self)
{
  spanner *sp = self;
  return tns_scan_load (sp->ctx, sp->scop, load, NULL, ends);
}

/* The least (greatest, with MOST) subscript K that STMT writes down; NULL
   when unknown.  */
static tns_expr *
written_bound (spanner *sp, const tns_stmt *stmt, int k, bool most)
{
  tns_expr *all = NULL;
  for (int a = 0; a < stmt->n_accesses; a++)
    {
      const tns_access *access = &stmt->access[a];
      tns_ends ends;
      if (sp->scop->array[access->array].sym != sp->sym)
        continue;
      if (!access->expr
          || !tns_ends_of (sp->ctx->arena, sp->scop->region, access->expr, k,
                           ends_of_load, sp, &ends))
        return NULL;
      all = tns_end_of_both (sp->ctx->arena, all, most ? ends.most : ends.least,
                             most);
    }
  return all;
}

/* sum_k subscript_k * stride_k over the least (greatest) subscripts of SET,
   what STMT accesses; NULL when one has no bound.  */
static tns_expr *
corner (spanner *sp, const tns_stmt *stmt, __isl_keep isl_set *set, bool most)
{
  tns_arena *arena = sp->ctx->arena;
  tns_expr *sum = tns_int (arena, 0);
  for (int k = 0; k < sp->sym->rank; k++)
    {
      tns_expr *subscript = tns_scop_bound (sp->scop, set, k, most, 8);
      if (!subscript)
        subscript = written_bound (sp, stmt, k, most);
      if (!subscript)
        return NULL;
      tns_expr *term = tns_binary (arena, TNS_MUL, subscript, sp->stride[k]);
      sum = tns_binary (arena, TNS_ADD, sum, term);
    }
  return sum;
}

/* The number of elements of a named object whose extents are all known;
   else NULL.  */
static tns_expr *
object_size (const spanner *sp)
{
  const tns_sym *sym = sp->sym;
  if (sym->rank == 0)
    return tns_int (sp->ctx->arena, 1);
  if (!(sym->flags & TNS_SYM_OBJECT) || sym->stride || !sym->extent[0])
    return NULL;
  return tns_binary (sp->ctx->arena, TNS_MUL, sym->extent[0], sp->stride[0]);
}

/* The part for statements executed for PARAMS (taken), old or new; NULL when
   the condition cannot be written.  */
static part *
find_part (spanner *sp, __isl_take isl_set *params)
{
  for (int k = 0; k < sp->n; k++)
    if (isl_set_is_equal (sp->part[k].params, params) == isl_bool_true)
      {
        isl_set_free (params);
        return &sp->part[k];
      }
  isl_bool always = isl_set_plain_is_universe (params);
  tns_expr *cond = NULL;
  if (!always && isl_set_n_basic_set (params) <= 8)
    cond = tns_scop_cond_of_set (sp->scop, params);
  if (always != isl_bool_true && !cond)
    {
      isl_set_free (params);
      return NULL;
    }
  sp->part = tns_build_room (sp->ctx->arena, sp->part, sp->n, sizeof *sp->part);
  sp->part[sp->n] = (part){ params, cond, NULL, NULL };
  return &sp->part[sp->n++];
}

/* EXPR + 1, without leaving two constants.  */
static tns_expr *
plus_one (tns_arena *arena, tns_expr *expr)
{
  long long k;
  bool sum = expr->op == TNS_ADD || expr->op == TNS_SUB;
  if (!sum || !tns_expr_is_int (expr->arg[1], &k))
    return tns_binary (arena, TNS_ADD, expr, tns_int (arena, 1));
  k = expr->op == TNS_ADD ? k + 1 : 1 - k;
  if (k < 0)
    return tns_binary (arena, TNS_SUB, expr->arg[0], tns_int (arena, -k));
  return tns_binary (arena, TNS_ADD, expr->arg[0], tns_int (arena, k));
}

/* A and B combined by OP, A may be NULL.  */
static tns_expr *
joined (tns_arena *arena, tns_op op, tns_expr *a, tns_expr *b)
{
  if (!a || tns_expr_equal (a, b))
    return b;
  return tns_binary (arena, op, a, b);
}

/* Widen the span by SET, what STMT accesses.  False when that has no
   bound.  */
static bool
add_elements (spanner *sp, const tns_stmt *stmt, __isl_keep isl_set *set)
{
  tns_arena *arena = sp->ctx->arena;
  isl_set *params = isl_set_params (isl_set_copy (set));
  params = isl_set_gist (params, isl_set_copy (sp->scop->context));
  part *into = find_part (sp, isl_set_coalesce (params));
  tns_expr *size = object_size (sp);
  tns_expr *lo = corner (sp, stmt, set, false);
  tns_expr *last = corner (sp, stmt, set, true);
  if ((!lo || !last) && size)
    {
      lo = tns_int (arena, 0);
      last = tns_binary (arena, TNS_SUB, size, tns_int (arena, 1));
    }
  if (!into || !lo || !last)
    return false;
  tns_expr *hi = plus_one (arena, last);
  into->lo = joined (arena, TNS_MIN, into->lo, lo);
  into->hi = joined (arena, TNS_MAX, into->hi, hi);
  return true;
}

/* Prove or guard that STRIDE, each factor of a product, is not negative where
   SET has elements.  */
static bool
guard_stride (spanner *sp, tns_expr *stride, __isl_keep isl_set *set)
{
  if (stride->op == TNS_MUL)
    return guard_stride (sp, stride->arg[0], set)
           && guard_stride (sp, stride->arg[1], set);
  tns_builder b = tns_build_resume (sp->ctx, sp->scop);
  isl_pw_aff *value = tns_build_affine (&b, stride);
  bool fine = false;
  if (value)
    {
      isl_set *bad = isl_set_complement (isl_pw_aff_nonneg_set (value));
      isl_set *executed = isl_set_params (isl_set_copy (set));
      bad = isl_set_intersect (isl_set_params (bad), executed);
      fine = tns_build_exclude (&b, bad, isl_set_copy (set));
    }
  tns_build_end (&b);
  return fine;
}

/* Widen the span by what STMT accesses.  False when that has no bound.  */
static bool
add_stmt (spanner *sp, const tns_stmt *stmt)
{
  isl_set *set = elements (sp, stmt);
  if (!set)
    return true;
  bool bounded = true;
  for (int k = 0; k < sp->sym->rank && bounded; k++)
    bounded = guard_stride (sp, sp->stride[k], set);
  bounded = bounded && add_elements (sp, stmt, set);
  isl_set_free (set);
  return bounded;
}

/* Widen the span by LOAD, an element that is to hold still.  False when the
   budget is at its end.  */
static bool
add_still (spanner *sp, const tns_expr *load)
{
  tns_arena *arena = sp->ctx->arena;
  isl_set *always = isl_set_universe (isl_set_get_space (sp->scop->context));
  part *into = find_part (sp, always);
  if (!into)
    return false;
  tns_expr *at = tns_int (arena, 0);
  for (int k = 0; k < sp->sym->rank; k++)
    at = tns_binary (arena, TNS_ADD, at,
                     tns_binary (arena, TNS_MUL, load->arg[k], sp->stride[k]));
  into->lo = joined (arena, TNS_MIN, into->lo, at);
  into->hi = joined (arena, TNS_MAX, into->hi, plus_one (arena, at));
  return true;
}

/* COND ? VALUE : OTHERWISE, or VALUE where there is no condition.  */
static tns_expr *
when (tns_arena *arena, tns_expr *cond, tns_expr *value, long long otherwise)
{
  if (!cond)
    return value;
  return tns_ternary (arena, TNS_SELECT, cond, value,
                      tns_int (arena, otherwise));
}

/* The parts as one span; 0 to 0 where nothing is accessed.  */
static void
join_parts (spanner *sp, tns_span *span)
{
  tns_arena *arena = sp->ctx->arena;
  tns_expr *zero = tns_int (arena, 0);
  if (sp->n == 1)
    {
      span->lo = when (arena, sp->part[0].cond, sp->part[0].lo, 0);
      span->hi = when (arena, sp->part[0].cond, sp->part[0].hi, 0);
      return;
    }
  tns_expr *lo = NULL;
  tns_expr *hi = NULL;
  for (int k = 0; k < sp->n; k++)
    {
      const part *p = &sp->part[k];
      lo = joined (arena, TNS_MIN, lo, when (arena, p->cond, p->lo, FAR));
      hi = joined (arena, TNS_MAX, hi, when (arena, p->cond, p->hi, -FAR));
    }
  tns_expr *any = sp->n ? tns_binary (arena, TNS_GT, hi, lo) : NULL;
  span->lo = any ? tns_ternary (arena, TNS_SELECT, any, lo, zero) : zero;
  span->hi = any ? tns_ternary (arena, TNS_SELECT, any, hi, zero) : zero;
}

/* SYM is accessed (written, with WRITTEN) in SCOP, or holds what must stay
   as it was.  */
static bool
accessed (const tns_scop *scop, const tns_sym *sym, bool written)
{
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      {
        const tns_access *access = &scop->stmt[s].access[a];
        if (scop->array[access->array].sym == sym
            && (access->write || !written))
          return true;
      }
  return !written && tns_region_has_still (scop->region, sym);
}

/* The span of SYM; without bounds when there are none.  */
static tns_span
span_of (tns_ctx *ctx, tns_scop *scop, tns_sym *sym)
{
  spanner sp = { .ctx = ctx, .scop = scop, .sym = sym };
  sp.stride = strides_of (ctx->arena, sym);
  bool bounded = true;
  for (int s = 0; s < scop->n_stmts && bounded; s++)
    bounded = add_stmt (&sp, &scop->stmt[s]);
  for (int k = 0; k < scop->region->n_still && bounded; k++)
    if (scop->region->still[k]->sym == sym)
      bounded = add_still (&sp, scop->region->still[k]);
  tns_span span = { .sym = sym, .written = accessed (scop, sym, true) };
  if (bounded)
    join_parts (&sp, &span);
  for (int k = 0; k < sp.n; k++)
    isl_set_free (sp.part[k].params);
  return span;
}

/* Append the span of SYM to REGION's unless it is there.  False when it has
   no bounds.  */
static bool
need_span (tns_ctx *ctx, tns_scop *scop, tns_sym *sym)
{
  tns_region *region = scop->region;
  for (int k = 0; k < region->n_spans; k++)
    if (region->spans[k].sym == sym)
      return region->spans[k].lo != NULL;
  int n = region->n_spans;
  tns_span span = span_of (ctx, scop, sym);
  region->spans
    = tns_build_room (ctx->arena, region->spans, n, sizeof *region->spans);
  region->spans[n] = span;
  region->n_spans++;
  return span.lo != NULL;
}

/* Drop the pairs of which none is written or one is not accessed.  */
static void
drop_pairs (const tns_scop *scop)
{
  tns_region *region = scop->region;
  int n = 0;
  for (int k = 0; k < region->n_overlaps; k++)
    {
      tns_overlap pair = region->overlaps[k];
      bool both
        = accessed (scop, pair.a, false) && accessed (scop, pair.b, false);
      if (both
          && (accessed (scop, pair.a, true) || accessed (scop, pair.b, true)))
        region->overlaps[n++] = pair;
    }
  region->n_overlaps = n;
}

/* Refuse because of PAIR.  */
static tns_region *
refuse (tns_ctx *ctx, const tns_region *region, tns_overlap pair)
{
  const char *names = tns_arena_format (ctx->arena, "%s and %s",
                                        pair.a->spelled, pair.b->spelled);
  return tns_refuse (ctx, region->loc, TNS_WHY_ALIAS, names);
}

tns_region *
tns_guard_spans (tns_ctx *ctx, tns_scop *scop, bool want_all)
{
  if (!scop)
    return NULL;
  tns_isl_begin (ctx, scop->isl);
  tns_region *region = scop->region;
  region->spans = NULL;
  region->n_spans = 0;
  drop_pairs (scop);
  const tns_overlap *unbounded = NULL;
  for (int k = 0; k < region->n_overlaps && !unbounded; k++)
    {
      tns_overlap *pair = &region->overlaps[k];
      if (!need_span (ctx, scop, pair->a) || !need_span (ctx, scop, pair->b))
        unbounded = pair;
    }
  for (int k = 0; k < region->n_params && want_all; k++)
    if (region->params[k]->kind == TNS_SYM_ARRAY
        && !(region->params[k]->flags & TNS_SYM_CONST))
      need_span (ctx, scop, region->params[k]);
  if (isl_ctx_last_error (scop->isl) != isl_error_none)
    return tns_isl_refuse (ctx, scop->isl, region->loc, "guard");
  return unbounded ? refuse (ctx, region, *unbounded) : region;
}

/* Note in the span of SYM, found, whether some of it need not be there.  */
static void
note_may (const tns_scop *scop, const tns_sym *sym)
{
  tns_span *span = scop->region->spans;
  while (span->sym != sym)
    span++;
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      {
        const tns_access *access = &scop->stmt[s].access[a];
        if (scop->array[access->array].sym == sym)
          span->may |= access->may;
      }
}

tns_region *
tns_guard_copied (tns_ctx *ctx, tns_scop *scop)
{
  tns_region *region = scop->region;
  const tns_sym *boundless = NULL;
  tns_isl_begin (ctx, scop->isl);
  for (int k = 0; k < region->n_params; k++)
    {
      tns_sym *sym = region->params[k];
      if (sym->kind != TNS_SYM_ARRAY || !accessed (scop, sym, false))
        continue;
      if (need_span (ctx, scop, sym))
        note_may (scop, sym);
      else
        boundless = sym;
    }
  if (isl_ctx_last_error (scop->isl) != isl_error_none)
    return tns_isl_refuse (ctx, scop->isl, region->loc, "guard");
  if (!boundless)
    return region;
  return tns_refuse (ctx, region->loc, TNS_WHY_DEVICE,
                     tns_arena_format (ctx->arena,
                                       "how much of %s is touched is not known",
                                       tns_sym_words (boundless)));
}

tns_region *
tns_guard_reach (tns_ctx *ctx, tns_scop *scop)
{
  if (!scop)
    return NULL;
  tns_isl_begin (ctx, scop->isl);
  tns_region *region = scop->region;
  region->spans = NULL;
  region->n_spans = 0;
  for (int k = 0; k < region->n_params; k++)
    if (region->params[k]->kind == TNS_SYM_ARRAY)
      need_span (ctx, scop, region->params[k]);
  if (isl_ctx_last_error (scop->isl) != isl_error_none)
    return tns_isl_refuse (ctx, scop->isl, region->loc, "guard");
  return region;
}
