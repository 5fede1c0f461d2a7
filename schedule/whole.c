/* Arrays that a region writes as a whole: schedule/whole.h.

   With R = { X[e] }, all that the statements touch of X:

   1. every write of X is done for certain
   2. no read of X sees what it held before (poly/legal.h)
   3. R is a box, and all but its first coordinate have all values of their
      extents: then the box is an interval of memory  */

#include "schedule/whole.h"

#include "base/section.h"
#include "ir/affine.h"
#include "poly/legal.h"
#include "schedule/box.h"

/* All writes of ARRAY are done for certain.  */
static bool
is_certain (const tns_scop *scop, int array)
{
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      {
        const tns_access *access = &scop->stmt[s].access[a];
        if (access->array == array && (access->may || !access->expr))
          return false;
      }
  return true;
}

/* Coordinate K of RANGE has all values of SYM's extent.  */
static bool
fills (tns_ctx *ctx, const tns_scop *scop, __isl_keep isl_set *range,
       const tns_sym *sym, int k)
{
  tns_expr *lo;
  tns_expr *hi;
  long long first;
  if (!sym->extent[k] || !tns_box_bounds (scop, range, k, &lo, &hi))
    return false;
  tns_sum end = tns_sum_add (ctx->arena, tns_sum_of (ctx->arena, hi),
                             tns_sum_int (ctx->arena, 1));
  return tns_expr_is_int (lo, &first) && first == 0
         && tns_sum_equal (end, tns_sum_of (ctx->arena, sym->extent[k]));
}

/* What is touched of ARRAY is an interval of memory.  */
static bool
is_interval (tns_ctx *ctx, const tns_scop *scop, int array)
{
  const tns_sym *sym = scop->array[array].sym;
  isl_map *foot = tns_box_footprint (scop, NULL, array, 0, NULL);
  if (!foot)
    return false;
  isl_set *range = isl_map_range (foot);
  bool whole = tns_box_is_full (range);
  for (int k = 1; k < sym->rank && whole; k++)
    whole = fills (ctx, scop, range, sym, k);
  isl_set_free (range);
  return whole;
}

/* The position of SYM in SCOP's arrays, or -1.  */
static int
find_array (const tns_scop *scop, const tns_sym *sym)
{
  for (int k = 0; k < scop->n_arrays; k++)
    if (scop->array[k].sym == sym)
      return k;
  return -1;
}

tns_region *
tns_note_whole (tns_ctx *ctx, tns_scop *scop)
{
  tns_region *region = scop ? scop->region : NULL;
  if (!region)
    return NULL;
  tns_isl_begin (ctx, scop->isl);
  for (int k = 0; k < region->n_spans; k++)
    {
      tns_span *span = &region->spans[k];
      int array = find_array (scop, span->sym);
      span->whole = array >= 0 && span->written && !span->sym->stride
                    && scop->array[array].n_private == 0
                    && is_certain (scop, array)
                    && tns_legal_written_first (scop, array)
                    && is_interval (ctx, scop, array);
    }
  return region;
}
