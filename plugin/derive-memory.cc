/* Memory that the caller gives to a gradient, and how much of it.

     void f_gradient (int n, ..., void *workspace);

     size_t f_gradient_workspace (int n)
     {
       return the most that the planned way or the careful one needs;
     }

   The bytes are an expression over f_gradient's parameters; it waits in a
   chain for the prototype of f_gradient_workspace:

     TREE_LIST  purpose  the name of that function
                value    TREE_LIST of f_gradient and the expression  */

#include "plugin/derive.hh"

#include "lowering/generic.hh"
#include "plugin/derive-inside.hh"

static const char parameter[] = "workspace";

/* The chain; a root of the collector.  */
static GTY (()) tree sizes;

bool
tns_derive_check_workspace (const tns_derivation *d)
{
  tree memory = tns_derive_parameter (d->g, parameter);
  if (!d->wish->derived.workspace)
    return true;
  bool is_there = memory && POINTER_TYPE_P (TREE_TYPE (memory));
  for (unsigned k = 0; is_there && k < d->arguments.length (); k++)
    is_there = d->arguments[k] != memory;
  if (!is_there)
    error_at (tns_derive_place (d->wish),
              "%qD lacks the parameter %<void *%s%> for its memory", d->g,
              parameter);
  return is_there;
}

void
tns_derive_use_workspace (const tns_derivation *d, tns_ctx *ctx,
                          tns_result *result, tns_symbols *symbols)
{
  if (!d->wish->derived.workspace || !result->out)
    return;
  tree memory = tns_derive_parameter (d->g, parameter);
  tns_region *out = tns_region_copy (ctx->arena, result->out);
  tns_sym *sym = tns_region_add_value (ctx->arena, out, parameter, TNS_I64);
  tns_region_add_param (ctx->arena, out, sym);
  tns_symbols_set (ctx->arena, symbols, sym,
                   fold_convert (tns_type_tree (sym->type), memory));
  result->out = out;
  result->workspace = sym;
}

void
tns_derive_add_bytes (tns_derivation *d, tree bytes)
{
  bytes = fold_convert (sizetype, bytes);
  d->bytes
    = d->bytes ? fold_build2 (MAX_EXPR, sizetype, d->bytes, bytes) : bytes;
}

/* walk_tree's visitor: stops at a variable.  */
static tree
find_variable (tree *at, int *, void *)
{
  return VAR_P (*at) ? *at : NULL_TREE;
}

bool
tns_derive_check_bytes (const tns_derivation *d)
{
  tree bytes = d->wish->derived.workspace ? d->bytes : NULL_TREE;
  if (!bytes || !walk_tree (&bytes, find_variable, NULL, NULL))
    return true;
  error_at (tns_derive_place (d->wish),
            "%qD chooses when it runs what it keeps of its time loop: that is "
            "no %<workspace%>",
            d->g);
  return false;
}

/* A change of parameters.  missing: the first one that TO lacks  */
typedef struct change
{
  tree to;
  tree missing;
} change;

/* walk_tree's visitor: a parameter becomes TO's of that name.  */
static tree
change_parameter (tree *at, int *, void *self)
{
  change *c = (change *) self;
  if (TREE_CODE (*at) != PARM_DECL)
    return NULL_TREE;
  tree type = TREE_TYPE (*at);
  tree found
    = tns_derive_parameter (c->to, IDENTIFIER_POINTER (DECL_NAME (*at)));
  if (!found && !c->missing)
    c->missing = *at;
  *at = found ? fold_convert (type, found) : build_zero_cst (type);
  return NULL_TREE;
}

/* FNDECL, a prototype, returns BYTES, over the parameters of the gradient
   OF.  */
static void
write_sizes (tree fndecl, tree of, tree bytes)
{
  change c = { fndecl, NULL_TREE };
  tree type = TREE_TYPE (TREE_TYPE (fndecl));
  location_t place = input_location;
  if (!INTEGRAL_TYPE_P (type))
    {
      error_at (DECL_SOURCE_LOCATION (fndecl), "%qD must return %<size_t%>",
                fndecl);
      return;
    }
  bytes = unshare_expr (bytes);
  walk_tree (&bytes, change_parameter, &c, NULL);
  if (c.missing)
    {
      error_at (DECL_SOURCE_LOCATION (fndecl),
                "%qD lacks the parameter %qD, on which the memory of %qD "
                "depends",
                fndecl, c.missing, of);
      return;
    }
  tns_build_define (fndecl);
  tree set = build2 (MODIFY_EXPR, type, DECL_RESULT (fndecl),
                     fold_convert (type, bytes));
  tree back = build1 (RETURN_EXPR, void_type_node, set);
  TREE_SIDE_EFFECTS (back) = 1;
  tns_build_finish (fndecl, NULL_TREE, back);
  input_location = place;
}

/* Write FNDECL if it is a prototype and its sizes wait.  */
static void
write_waiting (tree fndecl)
{
  if (!fndecl || TREE_CODE (fndecl) != FUNCTION_DECL
      || DECL_SAVED_TREE (fndecl))
    return;
  tree found = purpose_member (DECL_NAME (fndecl), sizes);
  if (found)
    write_sizes (fndecl, TREE_PURPOSE (TREE_VALUE (found)),
                 TREE_VALUE (TREE_VALUE (found)));
}

void
tns_derive_keep_bytes (const tns_derivation *d)
{
  if (!d->wish->derived.workspace)
    return;
  tree name = get_identifier (
    ACONCAT ((IDENTIFIER_POINTER (DECL_NAME (d->g)), "_workspace", NULL)));
  sizes = tree_cons (name, build_tree_list (d->g, d->bytes), sizes);
  write_waiting (lookup_name (name));
}

void
tns_derive_sizes (tree fndecl)
{
  if (sizes)
    write_waiting (fndecl);
}

void
tns_derive_memory_register (const char *plugin_name)
{
  static const struct ggc_root_tab roots[]
    = { { &sizes, 1, sizeof sizes, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node },
        LAST_GGC_ROOT_TAB };
  register_callback (plugin_name, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                     (void *) roots);
}
