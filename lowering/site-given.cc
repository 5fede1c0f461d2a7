/* What a region is given, told to the runtime when it asks: the whole numbers
   by which it knows one size of a call from another.

     if (site.state & TRM_STATE_GIVEN)
       {
         long given[3] = { n, m, first };
         trm_given (&site, "n,m;first", given, 2.0 * n * m, 4.0 * n * m);
       }

   A number that bounds a loop, or is in the shape of an array, as the user
   wrote them, is a size; the others stand behind the semicolon.  The two sums
   are what the fused code adds to the site's.  */

#include "lowering/site.hh"

extern "C"
{
#include "base/text.h"
#include "ir/walk.h"
#include "libtensorrt-mini/abi.h"
}

/* SYM is a whole number that is given.  */
static bool
is_told (const tns_sym *sym)
{
  return sym->kind == TNS_SYM_VALUE && tns_elem_is_integer (sym->type.elem)
         && sym->type.elem != TNS_BOOL;
}

/* What is looked for in the bounds of loops.  */
typedef struct search
{
  const tns_sym *sym;
  bool found;
} search;

/* The visitor that looks at NODE's bounds.  */
static bool
look_at_bounds (tns_node *node, void *self)
{
  search *s = (search *) self;
  if (node->kind == TNS_LOOP)
    s->found |= tns_expr_mentions (node->lo, s->sym)
                || tns_expr_mentions (node->hi, s->sym);
  return !s->found;
}

/* SYM is in the shape of ARRAY.  */
static bool
is_in_shape (const tns_sym *sym, const tns_sym *array)
{
  bool found = false;
  for (int k = 0; k < array->rank && !found; k++)
    found = (array->extent && array->extent[k]
             && tns_expr_mentions (array->extent[k], sym))
            || (array->stride && tns_expr_mentions (array->stride[k], sym));
  return found;
}

/* SYM says how large something of REGION is.  */
static bool
is_size (const tns_region *region, const tns_sym *sym)
{
  search s = { sym, false };
  tns_node_walk (region->body, look_at_bounds, &s);
  for (int k = 0; k < region->n_syms && !s.found; k++)
    s.found = region->syms[k]->kind == TNS_SYM_ARRAY
              && is_in_shape (sym, region->syms[k]);
  return s.found;
}

int
tns_site_count_given (const tns_build *build)
{
  int n = 0;
  for (int k = 0; k < build->region->n_params; k++)
    n += is_told (build->region->params[k]);
  return n;
}

/* Tell in row *N of GIVEN, and in NAMES, the numbers that are sizes, or are
   not.  */
static void
fill (tns_build *build, tree given, bool sizes, tns_text *names, int *n,
      tree *list)
{
  tree type = TREE_TYPE (TREE_TYPE (given));
  const char *between = sizes ? "" : ";";
  for (int k = 0; k < build->region->n_params; k++)
    {
      const tns_sym *sym = build->region->params[k];
      if (!is_told (sym) || is_size (build->written, sym) != sizes)
        continue;
      tree at = build4 (ARRAY_REF, type, given, size_int ((*n)++), NULL_TREE,
                        NULL_TREE);
      tree value = fold_convert (type, build->decl[sym->id]);
      append_to_statement_list (tns_build_set (build, at, value), list);
      tns_text_format (names, "%s%s", between, sym->name);
      between = ",";
    }
}

tree
tns_site_amount (tns_build *build, const tns_expr *amount)
{
  if (!amount)
    return build_zero_cst (double_type_node);
  return fold_convert (double_type_node, tns_build_expr (build, amount));
}

/* trm_given (&site, NAMES, GIVEN, ...).  */
static tree
given_call (tns_build *build, const char *names, tree given)
{
  tree type = build_function_type_list (
    void_type_node, ptr_type_node, ptr_type_node, ptr_type_node,
    double_type_node, double_type_node, NULL_TREE);
  tree arg[5]
    = { fold_convert (ptr_type_node, build_fold_addr_expr (build->site)),
        fold_convert (ptr_type_node, tns_string_tree (names)),
        fold_convert (ptr_type_node, build_fold_addr_expr (given)),
        tns_site_amount (build, build->region->flops),
        tns_site_amount (build, build->region->bytes_after) };
  return build_call_expr_loc_array (
    build->loc, tns_build_runtime ("trm_given", type), 5, arg);
}

/* The runtime asks for BIT.  */
static tree
is_asked (tns_build *build, int bit)
{
  tree state = tns_site_field (build->site, "state");
  tree type = TREE_TYPE (state);
  tree masked = build2 (BIT_AND_EXPR, type, state, build_int_cst (type, bit));
  return build2 (NE_EXPR, boolean_type_node, masked, build_zero_cst (type));
}

void
tns_site_tell_given (tns_build *build, tree given, tree *list)
{
  tree told = NULL_TREE;
  tns_text names = tns_text_new (build->ctx->arena);
  int n = 0;
  TREE_ADDRESSABLE (given) = 1;
  fill (build, given, true, &names, &n, &told);
  fill (build, given, false, &names, &n, &told);
  append_to_statement_list (given_call (build, tns_text_chars (&names), given),
                            &told);
  append_to_statement_list (
    tns_build_if (build, is_asked (build, TRM_STATE_GIVEN), told, NULL_TREE),
    list);
}
