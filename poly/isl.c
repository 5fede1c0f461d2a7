/* The one place where isl contexts are made, and where their errors are
   told apart.  */

#include "poly/isl.h"

#include <isl/options.h>

/* Operations of a phase when the user sets no budget: some tenths of a
   second at worst.  */
enum
{
  DEFAULT_OPERATIONS = 2000000
};

isl_ctx *
tns_isl_new (void)
{
  isl_ctx *isl = isl_ctx_alloc ();
  if (isl)
    isl_options_set_on_error (isl, ISL_ON_ERROR_CONTINUE);
  return isl;
}

void
tns_isl_begin (tns_ctx *ctx, isl_ctx *isl)
{
  unsigned long operations = DEFAULT_OPERATIONS;
  if (ctx->wish.budget > 0)
    operations = (unsigned long) ctx->wish.budget;
  isl_ctx_reset_error (isl);
  isl_ctx_reset_operations (isl);
  isl_ctx_set_max_operations (isl, operations);
}

unsigned long
tns_isl_ask (isl_ctx *isl, unsigned long operations)
{
  unsigned long before = isl_ctx_get_max_operations (isl);
  isl_ctx_reset_operations (isl);
  if (isl_ctx_last_error (isl) == isl_error_none
      && (before == 0 || operations < before))
    isl_ctx_set_max_operations (isl, operations);
  return before;
}

bool
tns_isl_asked (isl_ctx *isl, unsigned long before)
{
  bool within = isl_ctx_get_max_operations (isl) == before;
  isl_ctx_set_max_operations (isl, before);
  isl_ctx_reset_operations (isl);
  return within || !tns_isl_spent (isl);
}

/* Pieces that are one are joined: where two pieces of a sink have one integer
   division isl 0.25 was seen to write beyond its arrays, in
   isl_basic_map_swap_div.  Coalesced, what was seen to fail does not; pieces
   that stay apart with one division may still.  */
__isl_give isl_union_flow *
tns_isl_flow (__isl_take isl_union_map *sink, __isl_take isl_union_map *must,
              __isl_take isl_union_map *may, __isl_take isl_schedule *order)
{
  isl_union_access_info *access
    = isl_union_access_info_from_sink (isl_union_map_coalesce (sink));
  access = isl_union_access_info_set_must_source (
    access, isl_union_map_coalesce (must));
  if (may)
    access = isl_union_access_info_set_may_source (
      access, isl_union_map_coalesce (may));
  access = isl_union_access_info_set_schedule (access, order);
  return isl_union_access_info_compute_flow (access);
}

/* Coordinate K of SET has a least (greatest, with MOST) value.  An integer
   division of it, which isl takes for a bound, is none.  */
static bool
has_end (__isl_keep isl_set *set, int k, bool most)
{
  set = isl_set_remove_divs (isl_set_copy (set));
  isl_bool bounded = most ? isl_set_dim_has_upper_bound (set, isl_dim_set, k)
                          : isl_set_dim_has_lower_bound (set, isl_dim_set, k);
  isl_set_free (set);
  return bounded == isl_bool_true;
}

__isl_give isl_pw_aff *
tns_isl_end (__isl_keep isl_set *set, int k, bool most)
{
  if (!has_end (set, k, most))
    return NULL;
  return most ? isl_set_dim_max (isl_set_copy (set), k)
              : isl_set_dim_min (isl_set_copy (set), k);
}

bool
tns_isl_spent (isl_ctx *isl)
{
  if (isl_ctx_last_error (isl) != isl_error_quota)
    return false;
  isl_ctx_reset_error (isl);
  return true;
}

void *
tns_isl_refuse (tns_ctx *ctx, isl_ctx *isl, tns_loc loc, const char *name)
{
  isl_ctx_set_max_operations (isl, 0);
  if (tns_isl_spent (isl))
    return tns_refuse (ctx, loc, TNS_WHY_BUDGET, name);
  bool no_memory = isl_ctx_last_error (isl) == isl_error_alloc;
  const char *words = isl_ctx_last_error_msg (isl);
  if (ctx->dump && words)
    fprintf (ctx->dump, ";; isl in stage %s: %s\n", name, words);
  isl_ctx_reset_error (isl);
  if (no_memory)
    return tns_refuse (ctx, loc, TNS_WHY_MEMORY);
  return tns_refuse (ctx, loc, TNS_WHY_INTERNAL, name);
}
