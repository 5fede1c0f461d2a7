/* Gradients for tensor-opt, as driver/differentiate.h says.  */

#include "driver/differentiate.h"

#include <stdlib.h>
#include <string.h>

#include "autodiff/first.h"
#include "autodiff/settled.h"
#include "ir/canon.h"
#include "ir/handed.h"
#include "ir/rebase.h"
#include "ir/reshape.h"
#include "ir/simplify.h"
#include "poly/guard.h"

enum
{
  MOST_NAMES = 64
};

/* The symbol called CHARS[0..LENGTH) of REGION, an array; NULL with the reason
   said.  */
static tns_sym *
find_array (tns_ctx *ctx, const tns_region *region, const char *chars,
            size_t length)
{
  const char *name = tns_arena_format (ctx->arena, "%.*s", (int) length, chars);
  tns_sym *sym = tns_region_find (region, name);
  if (sym && sym->kind == TNS_SYM_ARRAY)
    return sym;
  return tns_error (ctx, region->loc, TNS_WHY_NAME, name);
}

/* The value called CHARS[0..LENGTH) of REGION; NULL with the reason said.  */
static tns_expr *
find_value (tns_ctx *ctx, const tns_region *region, const char *chars,
            size_t length)
{
  const char *name = tns_arena_format (ctx->arena, "%.*s", (int) length, chars);
  tns_sym *sym = tns_region_find (region, name);
  if (sym && sym->kind == TNS_SYM_VALUE)
    return tns_value (ctx->arena, sym);
  return tns_error (ctx, region->loc, TNS_WHY_NAME, name);
}

/* SYM is of (or wrt) in WISH; its adjoint is called CHARS[0..LENGTH).  */
static void
add_seed (tns_ctx *ctx, tns_gradient_wish *wish, const tns_sym *sym, bool of,
          const char *chars, size_t length)
{
  int k = 0;
  while (k < wish->n_seeds && wish->seed[k].sym != sym)
    k++;
  wish->seed[k].sym = sym;
  wish->seed[k].name
    = tns_arena_format (ctx->arena, "%.*s", (int) length, chars);
  wish->seed[k].of |= of;
  wish->seed[k].wrt |= !of;
  if (k == wish->n_seeds)
    wish->n_seeds++;
}

/* The adjoint of SYM, whose name was read, is set; false with the reason
   said.  */
static bool
clear_adjoint (tns_ctx *ctx, tns_gradient_wish *wish, const tns_sym *sym)
{
  for (int k = 0; k < wish->n_seeds; k++)
    if (wish->seed[k].sym == sym)
      return wish->seed[k].clear = true;
  return tns_error (ctx, sym->loc, TNS_WHY_NAME, sym->name);
}

/* Append NAME to LIST.  */
static void
add_name (tns_ctx *ctx, tns_wish_list *list, tns_loc loc, const char *name)
{
  if (!list->names)
    list->names = TNS_NEW_ARRAY (ctx->arena, tns_wish_name, MOST_NAMES);
  list->names[list->n++] = (tns_wish_name){ .name = name, .loc = loc };
}

/* One word of TEXT into WISH; false with the reason said.  */
static bool
read_word (tns_ctx *ctx, const tns_region *region, const char *text,
           size_t length, tns_gradient_wish *wish)
{
  size_t key = strcspn (text, "=");
  const char *name = text + key + 1;
  if (key >= length)
    return tns_error (ctx, region->loc, TNS_WHY_NAME, text);
  size_t n = strcspn (name, ": ");
  if (!strncmp (text, "checkpoint", key))
    return (wish->checkpoint.kept = strtoll (name, NULL, 10)) > 0;
  if (!strncmp (text, "memory", key))
    return (wish->checkpoint.bytes = strtoll (name, NULL, 10)) > 0;
  bool is_careful = !strncmp (text, "careful", key);
  bool is_forward = !strncmp (text, "tangent", key);
  bool is_primal = !strncmp (text, "primal", key);
  bool counts = !strncmp (text, "directions", key);
  wish->careful |= is_careful;
  wish->forward |= is_forward;
  wish->primal |= is_primal;
  if (counts)
    wish->directions = find_value (ctx, region, name, n);
  if (is_careful || is_forward || is_primal || counts)
    return !counts || wish->directions;
  if (!strncmp (text, "store", key) || !strncmp (text, "recompute", key))
    {
      add_name (ctx, text[0] == 's' ? &wish->store : &wish->recompute,
                region->loc,
                tns_arena_format (ctx->arena, "%.*s", (int) n, name));
      return true;
    }
  tns_sym *sym = find_array (ctx, region, name, n);
  if (!sym)
    return false;
  if (!strncmp (text, "absent", key))
    wish->absent[wish->n_absent++] = sym;
  else if (!strncmp (text, "given", key))
    wish->given[wish->n_given++] = sym;
  else if (!strncmp (text, "clear", key))
    return clear_adjoint (ctx, wish, sym);
  else
    add_seed (ctx, wish, sym, text[0] == 'o', name + n + 1,
              length - key - n - 2);
  return true;
}

/* REGION, its arrays flat, as the gradient wants it: shapes are guarded.  */
static tns_region *
shaped (tns_ctx *ctx, tns_region *region)
{
  return tns_region_simplify (
    ctx, tns_region_shapes_at_zero (ctx, tns_region_rebase (ctx, region)));
}

/* The same of REGION with its loops over all elements as loops over rows, or
   REGION where there are none.  */
static tns_region *
shaped_by_rows (tns_ctx *ctx, tns_region *region)
{
  tns_text steps = tns_text_new (ctx->arena);
  tns_region *rows = tns_region_reshape (ctx, region, false, &steps);
  return rows && rows != region ? shaped (ctx, rows) : region;
}

/* What REGION, flat, gives as WISH says, or, where one loop that writes an
   array by rows and another by elements hide that all of it is written, with
   loops over rows.  NULL with the reason said.  */
static tns_region *
derive_shaped (tns_ctx *ctx, tns_region *region, tns_gradient_wish *wish)
{
  tns_ctx before = *ctx;
  tns_gradient_wish first = *wish;
  tns_region *made = tns_region_gradient (ctx, shaped (ctx, region), wish);
  const tns_remark *reason = made ? NULL : tns_verdict (ctx);
  if (!reason || reason->why != TNS_WHY_ENTRY)
    return made;
  tns_region *rows = shaped_by_rows (ctx, region);
  if (rows == region)
    return NULL;
  tns_take_back (ctx, &before);
  *wish = first;
  made = tns_region_gradient (ctx, rows, wish);
  if (made)
    return made;
  tns_take_back (ctx, &before);
  return tns_refuse_by (ctx, reason);
}

tns_region *
tns_derive (tns_ctx *ctx, tns_region *region, tns_gradient_wish *wish)
{
  const tns_sym *called = region ? tns_region_called (region) : NULL;
  if (called && !wish->careful)
    return tns_refuse (ctx, called->loc, TNS_WHY_CALL, tns_sym_words (called));
  region = tns_region_settle (ctx, tns_region_updates_exact (ctx, region),
                              wish->careful);
  region
    = wish->careful
        ? tns_region_gradient (ctx, tns_region_simplify (ctx, region), wish)
        : derive_shaped (ctx, region, wish);
  return tns_region_first (ctx, tns_region_simplify (ctx, region), wish);
}

tns_region *
tns_differentiate (tns_ctx *ctx, tns_region *region, const char *text)
{
  tns_gradient_wish wish = { 0 };
  wish.seed = TNS_NEW_ARRAY (ctx->arena, tns_seed, MOST_NAMES);
  wish.absent = TNS_NEW_ARRAY (ctx->arena, tns_sym *, MOST_NAMES);
  wish.given = TNS_NEW_ARRAY (ctx->arena, tns_sym *, MOST_NAMES);
  while (region && *text)
    {
      size_t length = strcspn (text, " ");
      if (length && !read_word (ctx, region, text, length, &wish))
        return NULL;
      text += length + strspn (text + length, " ");
    }
  return tns_derive (ctx, region, &wish);
}

tns_region *
tns_derive_guards (tns_ctx *ctx, tns_region *region)
{
  tns_scop *scop = tns_scop_build (ctx, region);
  tns_region *guarded = tns_guard_spans (ctx, scop, false);
  if (scop)
    tns_scop_free (scop);
  return guarded;
}
