/* The region's own function.

     static int f.tensor.0 (float *restrict x, float *restrict y, long n)
     {
       least = 0; for (...) least = min (least, idx[i]);    before
       if (!(guard)) return 0;                  each guard
       if (x and y overlap) return 0;           each pair
       pool = memory for temporaries; if (!pool) return 0;
       if (f.tensor.0.site.state) add flops and bytes to the site;
       body
       give memory back
       return 1;
     }

   Nothing is written before the last return 0.  After the guards no two
   arrays overlap, so all array parameters are restrict-qualified, unless the
   result says that it is unguarded.

   The function has the target of the user's, and its optimization from -O1
   on is that of -O3 with the user's own choices about floating point; under
   fp (strict) no contraction and nothing of -ffast-math.  The order of loops
   is the plan's: GCC does not change it again.  Where all inner
   loops have lanes already, what -O3 does for loops without lanes would only
   take time, or move what is better left where it is.  It is made aside:
   when something cannot be built it is dropped, and the user's function is
   as it was.  */

#include "lowering/site.hh"

extern "C"
{
#include "schedule/machine.h"
#include "ir/walk.h"
#include "lowering/devices.h"
#include "libtensorrt-mini/abi-cuda.h"
}

void
tns_build_open (tree fn)
{
  tree result = build_decl (DECL_SOURCE_LOCATION (fn), RESULT_DECL, NULL_TREE,
                            TREE_TYPE (TREE_TYPE (fn)));
  DECL_ARTIFICIAL (result) = 1;
  DECL_IGNORED_P (result) = 1;
  DECL_CONTEXT (result) = fn;
  DECL_RESULT (fn) = result;
  tree block = make_node (BLOCK);
  BLOCK_SUPERCONTEXT (block) = fn;
  TREE_USED (block) = 1;
  DECL_INITIAL (fn) = block;
}

tree
tns_build_function (tree name, tree type)
{
  tree fn = build_decl (BUILTINS_LOCATION, FUNCTION_DECL, name, type);
  TREE_STATIC (fn) = 1;
  TREE_USED (fn) = 1;
  TREE_NOTHROW (fn) = !flag_exceptions;
  DECL_ARTIFICIAL (fn) = 1;
  DECL_UNINLINABLE (fn) = 1;
  DECL_NO_INSTRUMENT_FUNCTION_ENTRY_EXIT (fn) = 1;
  tns_build_open (fn);
  return fn;
}

void
tns_build_define (tree fn)
{
  tns_build_open (fn);
  for (tree parm = DECL_ARGUMENTS (fn); parm; parm = DECL_CHAIN (parm))
    {
      DECL_CONTEXT (parm) = fn;
      if (!DECL_ARG_TYPE (parm))
        DECL_ARG_TYPE (parm) = TREE_TYPE (parm);
      layout_decl (parm, 0);
      TREE_USED (parm) = 1;
    }
}

void
tns_build_finish (tree fn, tree variables, tree body)
{
  tree block = DECL_INITIAL (fn);
  variables = nreverse (variables);
  DECL_EXTERNAL (fn) = 0;
  TREE_STATIC (fn) = 1;
  DECL_SAVED_TREE (fn)
    = build3 (BIND_EXPR, void_type_node, variables, body, block);
  TREE_SIDE_EFFECTS (DECL_SAVED_TREE (fn)) = 1;
  if (!DECL_STRUCT_FUNCTION (fn))
    {
      push_struct_function (fn);
      pop_cfun ();
    }
  DECL_STRUCT_FUNCTION (fn)->function_end_locus = DECL_SOURCE_LOCATION (fn);
  cgraph_node::finalize_function (fn, true);
}

tree
tns_build_return (tns_build *build, int value)
{
  tree result = DECL_RESULT (build->fn);
  build->may_decline = build->may_decline || value == 0;
  tree set = build2 (MODIFY_EXPR, TREE_TYPE (result), result,
                     build_int_cst (TREE_TYPE (result), value));
  tree statement = build1_loc (build->loc, RETURN_EXPR, void_type_node, set);
  TREE_SIDE_EFFECTS (statement) = 1;
  return statement;
}

tree
tns_build_runtime (const char *name, tree type)
{
  tree id = get_identifier (name);
  symtab_node *known = symtab_node::get_for_asmname (id);
  if (known && TREE_CODE (known->decl) == FUNCTION_DECL)
    return known->decl;
  tree fn = build_decl (BUILTINS_LOCATION, FUNCTION_DECL, id, type);
  DECL_EXTERNAL (fn) = 1;
  TREE_PUBLIC (fn) = 1;
  TREE_USED (fn) = 1;
  TREE_NOTHROW (fn) = 1;
  DECL_ARTIFICIAL (fn) = 1;
  SET_DECL_ASSEMBLER_NAME (fn, id);
  declare_weak (fn);
  cgraph_node::get_create (fn);
  return fn;
}

/* The type that the user's own accesses to SYM's elements have, where it is
   one of ours.  */
static tree
element_type (const tns_build *build, const tns_sym *sym)
{
  tns_elem elem;
  tree type = sym->rank == 0 ? tns_build_mask_type (sym->type) : NULL_TREE;
  if (type)
    return type;
  tree given = tns_symbols_get (build->symbols, sym);
  if (given && sym->rank == 0)
    type = TREE_TYPE (given);
  else if (given && POINTER_TYPE_P (TREE_TYPE (given)))
    type = TREE_TYPE (TREE_TYPE (given));
  while (type && TREE_CODE (type) == ARRAY_TYPE)
    type = TREE_TYPE (type);
  if (!type || sym->type.lanes > 1 || tns_sym_is_local (sym)
      || !tns_type_of_tree (type, &elem) || elem != sym->type.elem)
    return tns_build_type (sym->type);
  return build_qualified_type (type, TYPE_UNQUALIFIED);
}

/* The type of the parameter that stands for SYM.  */
static tree
parameter_type (const tns_build *build, const tns_sym *sym)
{
  if (sym->kind == TNS_SYM_VALUE)
    return tns_build_type (sym->type);
  tree pointer = build_pointer_type (build->elem[sym->id]);
  return build->unguarded ? pointer
                          : build_qualified_type (pointer, TYPE_QUAL_RESTRICT);
}

/* The type of the function.  */
static tree
signature (const tns_build *build)
{
  const tns_region *region = build->region;
  auto_vec<tree> types;
  for (int k = 0; k < region->n_params; k++)
    types.safe_push (parameter_type (build, region->params[k]));
  return build_function_type_array (integer_type_node, region->n_params,
                                    types.address ());
}

/* OBJECT, a variable of static storage, begins where whole vectors do, if it
   may: else each access of the widest ones would touch two lines.  */
static void
align (const tns_build *build, tree object)
{
  unsigned bits = build->ctx->machine->vector_bytes * BITS_PER_UNIT;
  tree size = DECL_SIZE (object);
  varpool_node *node = varpool_node::get_create (object);
  if (size && tree_fits_uhwi_p (size) && tree_to_uhwi (size) >= bits
      && DECL_ALIGN (object) < bits && !DECL_USER_ALIGN (object)
      && !DECL_COMMON (object) && bits <= MAX_OFILE_ALIGNMENT
      && node->can_increase_alignment_p ())
    node->increase_alignment (bits);
}

/* The address of SYM's array where it is an object of static storage, whose
   contents, place and alignment GCC knows; NULL_TREE where it is not.  */
static tree
static_address (const tns_build *build, const tns_sym *sym)
{
  tree given = tns_symbols_get (build->symbols, sym);
  if (sym->rank == 0 || !given || !POINTER_TYPE_P (TREE_TYPE (given)))
    return NULL_TREE;
  tree address = given;
  STRIP_NOPS (address);
  tree object
    = TREE_CODE (address) == ADDR_EXPR ? TREE_OPERAND (address, 0) : NULL_TREE;
  while (object && TREE_CODE (object) == ARRAY_REF
         && integer_zerop (TREE_OPERAND (object, 1)))
    object = TREE_OPERAND (object, 0);
  if (!object || !VAR_P (object) || !TREE_STATIC (object)
      || DECL_THREAD_LOCAL_P (object))
    return NULL_TREE;
  align (build, object);
  return fold_convert (build_pointer_type (build->elem[sym->id]),
                       build_fold_addr_expr (object));
}

/* Give the function its parameters.  */
static void
add_parameters (tns_build *build)
{
  const tns_region *region = build->region;
  tree chain = NULL_TREE;
  for (int k = 0; k < region->n_params; k++)
    {
      const tns_sym *sym = region->params[k];
      tree type = parameter_type (build, sym);
      tree parm
        = build_decl (build->loc, PARM_DECL, get_identifier (sym->name), type);
      DECL_ARG_TYPE (parm) = type;
      DECL_CONTEXT (parm) = build->fn;
      TREE_USED (parm) = 1;
      DECL_CHAIN (parm) = chain;
      chain = parm;
      tree address = static_address (build, sym);
      build->decl[sym->id] = address ? address : parm;
    }
  DECL_ARGUMENTS (build->fn) = nreverse (chain);
}

/* The address BOUND elements behind element 0 of SYM, as a number.  */
static tree
address_number (tns_build *build, const tns_sym *sym, const tns_expr *bound)
{
  tree bytes = TYPE_SIZE_UNIT (build->elem[sym->id]);
  tree first = fold_convert (sizetype, build->decl[sym->id]);
  tree number = fold_convert (sizetype, tns_build_expr (build, bound));
  number = fold_build2 (MULT_EXPR, sizetype, number, bytes);
  return fold_build2 (PLUS_EXPR, sizetype, first, number);
}

/* Whether what is accessed of A and of B stands apart.  */
static tree
stand_apart (tns_build *build, const tns_sym *a, const tns_sym *b)
{
  tns_span of_a, of_b;
  tns_arena *arena = build->ctx->arena;
  if (!tns_site_find_span (arena, build->region, a, &of_a)
      || !tns_site_find_span (arena, build->region, b, &of_b))
    {
      build->failed = true;
      return boolean_false_node;
    }
  tree a_first = fold_build2 (LE_EXPR, boolean_type_node,
                              address_number (build, a, of_a.hi),
                              address_number (build, b, of_b.lo));
  tree b_first = fold_build2 (LE_EXPR, boolean_type_node,
                              address_number (build, b, of_b.hi),
                              address_number (build, a, of_a.lo));
  return build2 (TRUTH_ORIF_EXPR, boolean_type_node, a_first, b_first);
}

/* Return 0 unless COND.  */
static void
add_guard (tns_build *build, tree cond, tree *list)
{
  if (integer_onep (cond))
    return;
  tree no = NULL_TREE;
  if (build->grid)
    tns_build_bring_back (build, TRM_CUDA_READ | TRM_CUDA_WRITE, &no);
  append_to_statement_list (tns_build_return (build, 0), &no);
  cond = fold_build1 (TRUTH_NOT_EXPR, boolean_type_node, cond);
  append_to_statement_list (tns_build_if (build, cond, no, NULL_TREE), list);
}

/* The guards of the region that must hold before its indices are looked at,
   those over VALUEs.  */
static void
add_early_guards (tns_build *build, tree *list)
{
  const tns_region *region = build->region;
  for (int k = 0; k < region->n_guard; k++)
    if (!tns_expr_loads (region->guard[k]))
      add_guard (build, tns_build_expr (build, region->guard[k]), list);
}

/* Its other guards.  */
static void
add_guards (tns_build *build, tree *list)
{
  const tns_region *region = build->region;
  for (int k = 0; k < region->n_guard; k++)
    if (tns_expr_loads (region->guard[k]))
      add_guard (build, tns_build_expr (build, region->guard[k]), list);
  for (int k = 0; k < region->n_overlaps; k++)
    add_guard (
      build, stand_apart (build, region->overlaps[k].a, region->overlaps[k].b),
      list);
}

tree
tns_build_rarely (tns_build *build, tree cond)
{
  tree type = long_integer_type_node;
  tree zero = build_zero_cst (type);
  tree expected
    = build_call_expr_loc (build->loc, builtin_decl_explicit (BUILT_IN_EXPECT),
                           2, fold_convert (type, cond), zero);
  return build2 (NE_EXPR, boolean_type_node, expected, zero);
}

tree
tns_build_asked (tns_build *build)
{
  return tns_build_rarely (build, tns_site_field (build->site, "state"));
}

/* site.NAME += AMOUNT, where AMOUNT is known.  */
static void
add_amount (tns_build *build, const char *name, const tns_expr *amount,
            tree *list)
{
  if (!amount)
    return;
  tree field = tns_site_field (build->site, name);
  tree type = TREE_TYPE (field);
  tree value = fold_convert (type, tns_build_expr (build, amount));
  append_to_statement_list (
    tns_build_set (build, field, build2 (PLUS_EXPR, type, field, value)), list);
}

/* Tell the site, when somebody asks, what this call does.  */
static void
add_counts (tns_build *build, tree *list)
{
  tree counts = NULL_TREE;
  add_amount (build, "flops", build->region->flops, &counts);
  add_amount (build, "bytes", build->region->bytes_after, &counts);
  if (counts)
    append_to_statement_list (
      tns_build_if (build, tns_build_asked (build), counts, NULL_TREE), list);
}

/* What comes before the guards; its cells are put in front of
   *VARIABLES.  */
static void
add_before (tns_build *build, tree *variables, tree *list)
{
  const tns_node *before = build->region->before;
  for (int k = 0; before && k < before->n_kids; k++)
    if (before->kid[k]->kind == TNS_LOCAL)
      tns_build_local (build, before->kid[k]->sym, variables);
    else
      tns_build_node (build, before->kid[k], list);
}

/* SYM is a member of the elements of an array.  */
static bool
is_member (const tns_sym *sym)
{
  return sym->kind == TNS_SYM_ARRAY && sym->rank > 0 && sym->stride;
}

/* The object that GIVEN, an address, lies in, and how far inside; NULL_TREE
   where that is not a constant.  */
static tree
object_around (tree given, HOST_WIDE_INT *bytes)
{
  poly_int64 offset = 0;
  STRIP_NOPS (given);
  if (TREE_CODE (given) != ADDR_EXPR)
    return NULL_TREE;
  tree base = get_addr_base_and_unit_offset (TREE_OPERAND (given, 0), &offset);
  return base && offset.is_constant (bytes) ? base : NULL_TREE;
}

/* The parameter before K whose array lies in the same object as K's, *BYTES
   before it, or -1.  */
static int
find_neighbour (const tns_build *build, int k, HOST_WIDE_INT *bytes)
{
  const tns_region *region = build->region;
  HOST_WIDE_INT at = 0;
  HOST_WIDE_INT other_at = 0;
  tree given = tns_symbols_get (build->symbols, region->params[k]);
  tree object = given ? object_around (given, &at) : NULL_TREE;
  for (int l = 0; object && l < k; l++)
    {
      const tns_sym *sym = region->params[l];
      tree other = tns_symbols_get (build->symbols, sym);
      if (!is_member (sym) || !other)
        continue;
      tree other_object = object_around (other, &other_at);
      *bytes = at - other_at;
      if (other_object && operand_equal_p (object, other_object, 0))
        return l;
    }
  return -1;
}

/* Members of one record are reached from the first of them, here and in what
   becomes a function of its own: GCC then sees that they are neighbours, and
   reads or writes whole records.  */
static void
join_members (tns_build *build)
{
  const tns_region *region = build->region;
  HOST_WIDE_INT bytes = 0;
  for (int k = 0; k < region->n_params; k++)
    {
      const tns_sym *sym = region->params[k];
      int l = is_member (sym) ? find_neighbour (build, k, &bytes) : -1;
      if (l < 0)
        continue;
      tree type = TYPE_MAIN_VARIANT (TREE_TYPE (build->decl[sym->id]));
      tree first = build->decl[region->params[l]->id];
      build->decl[sym->id]
        = fold_convert (type, fold_build_pointer_plus_hwi (first, bytes));
    }
}

/* Build the function's statements; its variables are put in front of
   *VARIABLES.  */
static tree
build_body (tns_build *build, tree *variables)
{
  tree list = NULL_TREE;
  tns_build_count_uses (build);
  tns_build_find_parts (build);
  add_early_guards (build, &list);
  if (build->grid)
    tns_build_bring_looked (build, &list);
  add_before (build, variables, &list);
  add_guards (build, &list);
  if (build->grid)
    {
      tns_build_device (build, build->grid, variables, &list);
      add_counts (build, &list);
      append_to_statement_list (tns_build_return (build, 1), &list);
      return list;
    }
  join_members (build);
  tns_build_storage (build);
  tns_build_pool_get (build, variables, &list);
  add_counts (build, &list);
  tns_build_node (build, build->region->body, &list);
  tns_build_pool_put (build, &list);
  append_to_statement_list (tns_build_return (build, 1), &list);
  return list;
}

/* Whether *NODE is of a loop, or reaches elements.  */
static tree
is_work (tree *node, int *, void *)
{
  switch (TREE_CODE (*node))
    {
    case LABEL_EXPR:
    case OMP_FOR:
    case OMP_SIMD:
    case MEM_REF:
    case TARGET_MEM_REF:
    case INDIRECT_REF:
    case ARRAY_REF:
      return *node;
    default:
      return NULL_TREE;
    }
}

/* A name that belongs to build->enclosing and nobody has yet.  */
static tree
function_name (const tns_build *build)
{
  const char *user = IDENTIFIER_POINTER (DECL_NAME (build->enclosing));
  return clone_function_name_numbered (user, "tensor");
}

/* What check mode forgives in a region that is for a device.  */
static int
rounding_of (const tns_ctx *ctx)
{
  if (!ctx->machine || !ctx->machine->device || !ctx->wish.precision)
    return 0;
  return ctx->wish.precision == TNS_PRECISION_BF16 ? TRM_SITE_ROUND8
                                                   : TRM_SITE_ROUND11;
}

/* Declare the function and its site.  */
static void
declare (tns_build *build)
{
  const tns_region *region = build->region;
  const tns_wish *wish = &build->ctx->wish;
  for (int k = 0; k < region->n_syms; k++)
    if (region->syms[k]->kind == TNS_SYM_ARRAY)
      build->elem[k] = element_type (build, region->syms[k]);
  tree name = function_name (build);
  build->fn = tns_build_function (name, signature (build));
  DECL_SOURCE_LOCATION (build->fn) = build->loc;
  SET_DECL_ASSEMBLER_NAME (build->fn, name);
  add_parameters (build);
  tns_build_options (build, TNS_EFFORT_LINE, NULL);
  const char *site = tns_arena_format (build->ctx->arena, "%s.site",
                                       IDENTIFIER_POINTER (name));
  int flags = (wish->check ? TRM_SITE_CHECK : 0)
              | (wish->profile ? TRM_SITE_PROFILE : 0)
              | (wish->fp == TNS_FP_STRICT ? TRM_SITE_STRICT : 0)
              | rounding_of (build->ctx);
  build->site = tns_site_new (region, flags, site);
}

/* walk_tree's visitor: a parameter of BUILD's function becomes what it stands
   for; what is computed once there is computed again, as SAVE_EXPRs are shared
   by all copies of an expression.  */
static tree
put_argument (tree *at, int *walk_subtrees, void *self)
{
  const tns_build *build = (const tns_build *) self;
  while (TREE_CODE (*at) == SAVE_EXPR)
    *at = unshare_expr (TREE_OPERAND (*at, 0));
  const tns_region *region = build->region;
  tree parm = DECL_ARGUMENTS (build->fn);
  for (int k = 0; k < region->n_params; k++, parm = DECL_CHAIN (parm))
    if (*at == parm)
      {
        tree given = tns_symbols_get (build->symbols, region->params[k]);
        *at = fold_convert (TREE_TYPE (parm), unshare_expr (given));
        *walk_subtrees = 0;
        break;
      }
  return NULL_TREE;
}

/* EXPR, over the parameters of BUILD's function, as its caller says it.  */
static tree
outside (tns_build *build, tree expr)
{
  tree made = expr ? unshare_expr (expr) : build_zero_cst (sizetype);
  walk_tree (&made, put_argument, build, NULL);
  return made;
}

/* A builder for RESULT's region.  */
static tns_build *
new_build (tns_ctx *ctx, const tns_result *result, const tns_symbols *symbols,
           tree fndecl)
{
  tns_build *build = TNS_NEW (ctx->arena, tns_build);
  int n = result->out->n_syms + 1;
  build->ctx = ctx;
  build->region = result->out;
  build->written = result->in;
  build->symbols = symbols;
  build->unguarded = result->unguarded;
  build->workspace = result->workspace;
  build->grid = result->grid;
  build->share = result->share && !result->share->words ? result->share : NULL;
  build->enclosing = fndecl;
  build->decl = TNS_NEW_ARRAY (ctx->arena, tree, n);
  build->elem = TNS_NEW_ARRAY (ctx->arena, tree, n);
  build->storage = TNS_NEW_ARRAY (ctx->arena, tns_storage, n);
  build->loc = result->out->loc.handle ? (location_t) result->out->loc.handle
                                       : DECL_SOURCE_LOCATION (fndecl);
  return build;
}

/* The function of RESULT->out, all but finished; its body goes to *BODY, the
   variables there to *VARIABLES.  NULL with the reason said.  */
static tns_build *
build_region (tns_ctx *ctx, const tns_result *result,
              const tns_symbols *symbols, tree fndecl, tree *body,
              tree *variables)
{
  location_t location = input_location;
  tns_build *build = new_build (ctx, result, symbols, fndecl);
  declare (build);
  push_struct_function (build->fn);
  *body = build_body (build, variables);
  pop_cfun ();
  input_location = location;
  if (build->failed)
    return (tns_build *) tns_refuse (ctx, result->out->loc, TNS_WHY_INTERNAL,
                                     "generic");
  bool is_line
    = result->rare || !walk_tree_without_duplicates (body, is_work, NULL);
  tns_build_options (build, is_line ? TNS_EFFORT_LINE : TNS_EFFORT_LOOPS,
                     build->region->body);
  return build;
}

tree
tns_generic (tns_ctx *ctx, const tns_result *result, const tns_symbols *symbols,
             tree fndecl, tree original, tns_generated *made)
{
  if (!result || !result->out)
    return NULL_TREE;
  location_t location = input_location;
  tree body = NULL_TREE;
  tree variables = NULL_TREE;
  tns_build *build
    = build_region (ctx, result, symbols, fndecl, &body, &variables);
  if (!build)
    return NULL_TREE;
  if (made)
    *made = { build->fn, outside (build, build->bytes),
              tns_build_automatic (build) };
  tree dispatch = tns_build_dispatch (build, original);
  tns_build_finish (build->fn, variables, body);
  tns_object_finish (build->site, "trm_register");
  input_location = location;
  return dispatch;
}

tree
tns_generic_call (tns_ctx *ctx, const tns_result *result,
                  const tns_symbols *symbols, tree fndecl)
{
  location_t location = input_location;
  tree body = NULL_TREE;
  tree variables = NULL_TREE;
  tns_build *build
    = build_region (ctx, result, symbols, fndecl, &body, &variables);
  if (!build)
    return NULL_TREE;
  tree call = tns_build_plain_call (build);
  tns_build_finish (build->fn, variables, body);
  input_location = location;
  return call;
}
