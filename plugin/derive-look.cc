/* What a gradient must know of memory before it runs (autodiff/look.h): a
   function that looks, and variables that it sets.

     y_least = 0;
     y_end = 0;
     f_gradient.tensor.2 (n, k, &y_least, &y_end);
     took = f_gradient.tensor.1 (n, k, x, dy, dx, y_least, y_end);  */

#include "plugin/derive-inside.hh"

#include "lowering/generic.hh"

extern "C"
{
#include "ir/simplify.h"
#include "ir/verify.h"
}

void
tns_derive_set_looks (tns_derivation *d, tns_ctx *ctx, const tns_looks *looks,
                      tns_symbols *symbols)
{
  for (int k = 0; k < looks->n; k++)
    {
      tree name = get_identifier (looks->value[k]->name);
      tree found = tns_derive_variable (d, name, intDI_type_node);
      TREE_ADDRESSABLE (found) = 1;
      tns_symbols_set (ctx->arena, symbols, looks->value[k], found);
    }
}

tree
tns_derive_look (tns_derivation *d, tns_ctx *ctx, const tns_looks *looks,
                 tns_symbols *symbols, tree way)
{
  tree list = NULL_TREE;
  tns_result result = {};
  for (int k = 0; k < looks->n; k++)
    {
      tree found = tns_symbols_get (symbols, looks->value[k]);
      tree zero = build_zero_cst (TREE_TYPE (found));
      append_to_statement_list (
        build2 (MODIFY_EXPR, TREE_TYPE (found), found, zero), &list);
    }
  for (int k = 0; k < looks->n; k++)
    tns_symbols_set (ctx->arena, symbols, looks->cell[k],
                     tns_symbols_get (symbols, looks->value[k]));
  result.status = TNS_DONE;
  result.unguarded = true;
  result.in = tns_region_simplify (ctx, looks->region);
  result.out = tns_region_verify (ctx, result.in, "look");
  tree call
    = result.out ? tns_generic_call (ctx, &result, symbols, d->g) : NULL_TREE;
  append_to_statement_list (call, &list);
  append_to_statement_list (way, &list);
  return call ? list : NULL_TREE;
}
