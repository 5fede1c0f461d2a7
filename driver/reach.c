/* What else is made of a function, as driver/reach.h says.  */

#include "driver/reach.h"

#include "ir/canon.h"
#include "ir/rebase.h"
#include "ir/simplify.h"
#include "ir/verify.h"
#include "poly/guard.h"

tns_region *
tns_primal (tns_ctx *ctx, tns_region *region)
{
  region = tns_region_simplify (ctx, region);
  return region ? tns_region_verify (ctx, region, "primal") : NULL;
}

/* What is being stored: row ROW of REACH, of which COLUMN numbers stand in
   BODY.  */
typedef struct row
{
  tns_arena *arena;
  tns_node *body;
  tns_sym *reach;
  int row;
  int column;
} row;

/* The next number of R is VALUE; it stays 0 where that is NULL.  */
static void
add_number (row *r, tns_expr *value)
{
  tns_expr *at[]
    = { tns_int (r->arena, r->row), tns_int (r->arena, r->column++) };
  if (!value)
    return;
  tns_expr *target = tns_load (r->arena, r->reach, at);
  tns_loc nowhere = { 0 };
  tns_block_add (r->arena, r->body,
                 tns_assign (r->arena, nowhere, target, TNS_NONE, value));
}

/* The elements from one subscript K of SYM to the next; NULL: not known.  */
static tns_expr *
stride_of (tns_arena *arena, const tns_sym *sym, int k)
{
  tns_expr *product = tns_int (arena, 1);
  if (sym->stride)
    return sym->stride[k];
  for (int l = k + 1; l < sym->rank && product; l++)
    product = sym->extent[l]
                ? tns_binary (arena, TNS_MUL, sym->extent[l], product)
                : NULL;
  return product;
}

/* The numbers of SYM, whose span in REGION is SPAN.  */
static void
add_row (row *r, const tns_sym *sym, const tns_span *span)
{
  bool is_known = span && span->lo && span->hi;
  add_number (r, is_known ? span->lo : tns_int (r->arena, 0));
  add_number (r, is_known ? span->hi : tns_int (r->arena, -1));
  add_number (r, tns_int (r->arena, sym->rank));
  for (int k = 0; k < TNS_REACH_RANK; k++)
    add_number (r, k < sym->rank && sym->extent ? sym->extent[k] : NULL);
  for (int k = 0; k < TNS_REACH_RANK; k++)
    add_number (r, k < sym->rank ? stride_of (r->arena, sym, k) : NULL);
}

/* The span of SYM in REGION, or NULL.  */
static const tns_span *
span_of (const tns_region *region, const tns_sym *sym)
{
  for (int k = 0; k < region->n_spans; k++)
    if (region->spans[k].sym == sym)
      return &region->spans[k];
  return NULL;
}

/* The body that stores the spans of SPANNED into REACH, by rows of PARAMS, its
   parameters as they were, N.  */
static tns_node *
store_spans (tns_arena *arena, const tns_region *spanned, tns_sym *reach,
             tns_sym *const *params, int n)
{
  tns_loc nowhere = { 0 };
  row r = { arena, tns_block (arena, nowhere), reach, 0, 0 };
  for (int k = 0; k < n; k++)
    {
      const tns_sym *sym = spanned->syms[params[k]->id];
      r.row = k;
      r.column = 0;
      if (sym->kind == TNS_SYM_ARRAY)
        add_row (&r, sym, span_of (spanned, sym));
    }
  return r.body;
}

tns_region *
tns_region_reach (tns_ctx *ctx, tns_region *region, tns_sym **reach)
{
  tns_arena *arena = ctx->arena;
  tns_sym *const *params = region->params;
  int n = region->n_params;
  tns_region *shaped = tns_region_updates (ctx, region);
  shaped = tns_region_shapes (ctx, tns_region_rebase (ctx, shaped));
  shaped = tns_region_simplify (ctx, shaped);
  tns_scop *scop = tns_scop_build (ctx, shaped);
  tns_region *spanned = tns_guard_reach (ctx, scop);
  if (scop)
    tns_scop_free (scop);
  if (!spanned)
    return NULL;
  spanned = tns_region_copy (arena, spanned);
  *reach = tns_region_add_array (arena, spanned, "reach", TNS_I64, 2, 0);
  (*reach)->extent[1] = tns_int (arena, TNS_REACH_ROW);
  tns_region_add_param (arena, spanned, *reach);
  spanned->body = store_spans (arena, spanned, *reach, params, n);
  spanned->n_overlaps = 0;
  return tns_region_verify (ctx, tns_region_simplify (ctx, spanned), "reach");
}
