/* Active arrays, as autodiff/active.h says: two fixpoints.  */

#include "autodiff/active.h"

#include "autodiff/bits.h"
#include "autodiff/partial.h"

/* NODE's target depends on one of VARIED.  */
static bool
makes_varied (const tns_node *node, tns_sym *const *varied)
{
  return node->kind == TNS_ASSIGN && tns_elem_is_float (node->target->type.elem)
         && !varied[node->target->sym->id]
         && tns_expr_varies (node->value, varied);
}

/* Arrays that depend on what the gradient is with respect to, by id: the array
   itself, or NULL.  */
static tns_sym **
find_varied (tns_arena *arena, const tns_view *view,
             const tns_gradient_wish *wish)
{
  tns_sym **varied = TNS_NEW_ARRAY (arena, tns_sym *, view->region->n_syms + 1);
  bool more = true;
  for (int k = 0; k < wish->n_seeds; k++)
    if (wish->seed[k].wrt)
      varied[wish->seed[k].sym->id] = view->region->syms[wish->seed[k].sym->id];
  while (more)
    {
      more = false;
      for (int s = 0; s < view->n_sites; s++)
        if (makes_varied (view->site[s].node, varied))
          {
            tns_sym *sym = view->site[s].node->target->sym;
            varied[sym->id] = sym;
            more = true;
          }
    }
  return varied;
}

/* How many of FOUND[0..n).  */
static int
count (const bool *found, int n)
{
  int sum = 0;
  for (int k = 0; k < n; k++)
    sum += found[k];
  return sum;
}

/* Arrays on which what is differentiated depends, by id.  */
static bool *
find_useful (tns_arena *arena, const tns_view *view,
             const tns_gradient_wish *wish)
{
  int n = view->region->n_syms;
  bool *useful = TNS_NEW_ARRAY (arena, bool, n + 1);
  int before = -1;
  for (int k = 0; k < wish->n_seeds; k++)
    useful[wish->seed[k].sym->id] |= wish->seed[k].of;
  while (count (useful, n) != before)
    {
      before = count (useful, n);
      for (int s = 0; s < view->n_sites; s++)
        {
          const tns_node *node = view->site[s].node;
          if (node->kind == TNS_ASSIGN && useful[node->target->sym->id])
            tns_expr_mark (node->value, useful);
        }
    }
  return useful;
}

bool *
tns_active (tns_arena *arena, const tns_view *view,
            const tns_gradient_wish *wish)
{
  tns_sym **varied = find_varied (arena, view, wish);
  bool *useful = find_useful (arena, view, wish);
  for (int k = 0; k < view->region->n_syms; k++)
    useful[k] = useful[k] && varied[k];
  return useful;
}

bool
tns_active_can_be (tns_ctx *ctx, const tns_view *view,
                   const tns_gradient_wish *wish)
{
  return tns_bits_are_passive (ctx, view, find_varied (ctx->arena, view, wish),
                               find_useful (ctx->arena, view, wish));
}
