/* What is stored whole and what is made again by rows.

   Rows are the first choice: they need no memory.  Where an array's rows are
   needed before the backward pass comes to them as well, a sum or a function
   would be computed twice; then the array is stored, which costs a store and a
   load for each element, unless the user asks for less memory.  */

#include "autodiff/gradient.h"

#include <string.h>

#include "autodiff/look.h"
#include "autodiff/view.h"
#include "ir/walk.h"

/* Each array is tried as a row once at most.  */
enum
{
  MOST_TRIES = 64
};

bool
tns_wish_list_has (const tns_wish_list *names, const tns_sym *sym)
{
  for (int k = 0; k < names->n; k++)
    if (!strcmp (names->names[k].name, tns_sym_words (sym)))
      return true;
  return false;
}

/* The array of REGION that the user calls NAME, or NULL.  */
static const tns_sym *
find_array (const tns_region *region, const char *name)
{
  for (int k = 0; k < region->n_syms; k++)
    if (region->syms[k]->kind == TNS_SYM_ARRAY
        && !strcmp (tns_sym_words (region->syms[k]), name))
      return region->syms[k];
  return NULL;
}

/* What WISH wants to be stored can be.  False with the error said.  */
static bool
check_store (tns_ctx *ctx, tns_region *f, const tns_gradient_wish *wish)
{
  const tns_view *view = tns_view_of (ctx->arena, f);
  for (int k = 0; k < wish->store.n; k++)
    {
      const tns_wish_name *name = &wish->store.names[k];
      const tns_sym *sym = find_array (f, name->name);
      bool is_inner = sym && view->home[sym->id] > 0;
      if (!sym || is_inner)
        return tns_error (ctx, name->loc, sym ? TNS_WHY_STORE : TNS_WHY_NAME,
                          name->name);
    }
  return true;
}

/* What WISH wants to be computed again is: it lives in a loop.  False with the
   error said.  */
static bool
check_recompute (tns_ctx *ctx, tns_region *f, const tns_gradient_wish *wish)
{
  const tns_view *view = tns_view_of (ctx->arena, f);
  for (int k = 0; k < wish->recompute.n; k++)
    {
      const tns_wish_name *name = &wish->recompute.names[k];
      const tns_sym *sym = find_array (f, name->name);
      bool is_row = sym && view->home[sym->id] > 0;
      for (int m = 0; m < wish->n_moved; m++)
        is_row |= !strcmp (tns_sym_words (wish->moved[m]), name->name);
      tns_why why = !sym                              ? TNS_WHY_NAME
                    : !tns_node_writes (f->body, sym) ? TNS_WHY_ONLY_READ
                                                      : TNS_WHY_RECOMPUTE;
      if (!is_row)
        return tns_error (ctx, name->loc, why, name->name);
    }
  return true;
}

/* WISH with SYM stored.  */
static void
store (tns_ctx *ctx, tns_gradient_wish *wish, const tns_sym *sym)
{
  size_t n = (size_t) wish->store.n;
  wish->store.names
    = tns_arena_grow (ctx->arena, wish->store.names, sizeof (tns_wish_name) * n,
                      sizeof (tns_wish_name) * (n + 1));
  wish->store.names[wish->store.n++]
    = (tns_wish_name){ .name = tns_sym_words (sym), .loc = sym->loc };
}

tns_region *
tns_region_gradient (tns_ctx *ctx, tns_region *f, tns_gradient_wish *wish)
{
  if (!f || !check_store (ctx, f, wish))
    return NULL;
  tns_region *made = NULL;
  tns_gradient_wish tried = *wish;
  for (int k = 0; k < MOST_TRIES; k++)
    {
      tried = *wish;
      made = tns_gradient_build (ctx, f, &tried);
      if (!made || !tried.twice || wish->lean
          || tns_wish_list_has (&wish->recompute, tried.twice))
        break;
      store (ctx, wish, tried.twice);
    }
  wish->unsure = tried.unsure;
  wish->checkpoint = tried.checkpoint;
  wish->looks = tried.looks;
  if (made)
    tns_looks_guard (made, &wish->looks);
  bool right = !made || wish->careful || wish->forward
               || check_recompute (ctx, f, &tried);
  return right ? made : NULL;
}
