/* The dispatch: what stands in the user's function in place of the loops.

     {
       int took = 0;
       float s' = s;                      a scalar the user keeps in a
                                          register: its copy has an address
       if (site.state) took = f.tensor.0.told (x, y, n, &s');
       else took = f.tensor.0 (x, y, n, &s');
       if (took) s = s';
       else { the loops as written; if (site.state) trm_leave (&site, 0); }
     }

   where told, so that nothing has to be kept over calls of the runtime that
   are hardly ever made, is

     if (site.state & TRM_STATE_GIVEN) trm_given (&site, ...);
     trm_enter (&site, 0, 0);
     if (!f.tensor.0 (x, y, n, s)) return 0;
     trm_leave (&site, 1);
     return 1;

   Compiled with check, the runtime's plan may ask for the original, or for
   both (not for both where the memory to compare is not known):

       if (site.state) plan = trm_enter (&site, spans, n);
       if (plan & FUSED) took = ...
       if (took && plan & ORIGINAL) { trm_between (&site); s = s'; }
       if (!took || plan & ORIGINAL) { the loops as written; s' = s; }

   The original stands in the new statement exactly once.  Where it stands in
   a construct of OpenMP with default(none), the site is shared there.  */

#include "lowering/site.hh"

extern "C"
{
#include "libtensorrt-mini/abi.h"
}

/* The call under construction.

   caller   a builder whose symbols are the user's own trees
   took, plan, spans  variables of the dispatch; spans NULL_TREE without
            check
   n_spans  memory that the region may write; -1: not all of it is known
   variables  all of them, last first
   argument  [n_params]
   cell, copy  [n_params]: a scalar that is passed by the address of a copy,
            else NULL_TREE  */
typedef struct dispatch
{
  tns_build *caller;
  tree took;
  tree plan;
  tree spans;
  int n_spans;
  tree variables;
  tree *argument;
  tree *cell;
  tree *copy;
} dispatch;

/* A variable of the user's function.  */
static tree
new_variable (dispatch *call, const char *name, tree type)
{
  tree variable = tns_build_variable (call->caller, name, type);
  DECL_CONTEXT (variable) = call->caller->enclosing;
  DECL_ARTIFICIAL (variable) = 1;
  DECL_CHAIN (variable) = call->variables;
  call->variables = variable;
  return variable;
}

/* Whether CELL lives in a register, or may, or has no address.  */
static bool
wants_copy (tree cell)
{
  tree base = get_base_address (cell);
  if (TREE_CODE (cell) == COMPONENT_REF
      && DECL_BIT_FIELD (TREE_OPERAND (cell, 1)))
    return true;
  return base && DECL_P (base) && !is_global_var (base)
         && !TREE_ADDRESSABLE (base);
}

/* The address of LVALUE.  */
static tree
address_of (tree lvalue)
{
  tree base = get_base_address (lvalue);
  if (base && DECL_P (base))
    TREE_ADDRESSABLE (base) = 1;
  return build_fold_addr_expr (lvalue);
}

/* GIVEN, the address of an array; when it is that of a variable, the
   variable has one.  */
static tree
array_argument (tree given)
{
  tree address = given;
  STRIP_NOPS (address);
  tree base = TREE_CODE (address) == ADDR_EXPR
                ? get_base_address (TREE_OPERAND (address, 0))
                : NULL_TREE;
  if (base && DECL_P (base))
    TREE_ADDRESSABLE (base) = 1;
  return given;
}

/* The copy of CELL reads it before the loops do, whatever it holds: that is
   no use of a variable that the user has not set yet.  */
static void
allow_unset (tree cell)
{
  tree base = get_base_address (cell);
  if (VAR_P (base) && !DECL_INITIAL (base))
    tns_gcc_quiet (base);
}

/* Argument K, for parameter SYM, which is rank 0 memory.  */
static tree
cell_argument (dispatch *call, int k, const tns_sym *sym, tree given)
{
  if (!wants_copy (given))
    return address_of (given);
  tree type = build_qualified_type (TREE_TYPE (given), TYPE_UNQUALIFIED);
  tree copy = new_variable (call, sym->name, type);
  TREE_ADDRESSABLE (copy) = 1;
  allow_unset (given);
  call->cell[k] = given;
  call->copy[k] = copy;
  return build_fold_addr_expr (copy);
}

/* Find all arguments.  */
static void
find_arguments (dispatch *call)
{
  tns_build *caller = call->caller;
  const tns_region *region = caller->region;
  tree parm = DECL_ARGUMENTS (caller->fn);
  for (int k = 0; k < region->n_params; k++, parm = DECL_CHAIN (parm))
    {
      const tns_sym *sym = region->params[k];
      tree given = unshare_expr (tns_symbols_get (caller->symbols, sym));
      if (sym->kind == TNS_SYM_ARRAY)
        given = sym->rank == 0 ? cell_argument (call, k, sym, given)
                               : array_argument (given);
      call->argument[k] = fold_convert (TREE_TYPE (parm), given);
      caller->decl[sym->id] = call->argument[k];
    }
}

/* Copy the scalars in (TO_COPY) or out.  */
static void
copy_cells (dispatch *call, bool to_copy, tree *list)
{
  for (int k = 0; k < call->caller->region->n_params; k++)
    {
      if (!call->copy[k])
        continue;
      tree cell = unshare_expr (call->cell[k]);
      append_to_statement_list (
        to_copy ? tns_build_set (call->caller, call->copy[k], cell)
                : tns_build_set (call->caller, cell, call->copy[k]),
        list);
    }
}

/* The runtime's FN (&site, ...), a statement or an int.  */
static tree
call_runtime (dispatch *call, const char *name, tree type, tree *arg, int n)
{
  tns_build *caller = call->caller;
  arg[0] = fold_convert (ptr_type_node, build_fold_addr_expr (caller->site));
  tree fn = tns_build_runtime (name, type);
  return build_call_expr_loc_array (caller->loc, fn, n, arg);
}

/* STATEMENT when the site's state is not 0.  */
static void
add_when_asked (dispatch *call, tree statement, tree *list)
{
  append_to_statement_list (tns_build_if (call->caller,
                                          tns_build_asked (call->caller),
                                          statement, NULL_TREE),
                            list);
}

/* Whether the runtime asked for BIT.  */
static tree
planned (dispatch *call, int bit)
{
  tree type = TREE_TYPE (call->plan);
  tree masked
    = build2 (BIT_AND_EXPR, type, call->plan, build_int_cst (type, bit));
  return build2 (NE_EXPR, boolean_type_node, masked, build_zero_cst (type));
}

/* Whether the fused version has run.  */
static tree
has_taken (dispatch *call)
{
  return build2 (NE_EXPR, boolean_type_node, call->took, integer_zero_node);
}

/* trm_enter (&site, spans, n).  */
static tree
enter_call (dispatch *call)
{
  tree arg[3] = { NULL_TREE, null_pointer_node, integer_zero_node };
  tree type
    = build_function_type_list (integer_type_node, ptr_type_node, ptr_type_node,
                                integer_type_node, NULL_TREE);
  if (call->n_spans > 0)
    {
      arg[1] = fold_convert (ptr_type_node, build_fold_addr_expr (call->spans));
      arg[2] = build_int_cst (integer_type_node, call->n_spans);
    }
  return call_runtime (call, "trm_enter", type, arg, 3);
}

/* trm_leave (&site, TOOK), which counts a call in which a guard did not
   hold.  */
static tree
leave_call (dispatch *call, tree took)
{
  tree arg[2] = { NULL_TREE, took };
  tree type = build_function_type_list (void_type_node, ptr_type_node,
                                        integer_type_node, NULL_TREE);
  return call_runtime (call, "trm_leave", type, arg, 2);
}

/* The type of what the runtime is told that BUILD's region is given;
   NULL_TREE when that is nothing.  */
static tree
given_type (const tns_build *build)
{
  int n = tns_site_count_given (build);
  return n ? build_array_type_nelts (long_integer_type_node, n) : NULL_TREE;
}

/* plan = trm_enter (&site, spans, n) when the site's state is not 0.  */
static void
add_enter (dispatch *call, tree *list)
{
  tns_build *caller = call->caller;
  tree set = NULL_TREE;
  tree type = given_type (caller);
  if (type)
    tns_site_tell_given (caller, new_variable (call, "given", type), &set);
  if (call->spans)
    tns_site_fill_spans (caller, call->spans, &set);
  append_to_statement_list (
    tns_build_set (caller, call->plan, enter_call (call)), &set);
  if (call->n_spans < 0)
    append_to_statement_list (
      tns_build_if (
        caller, planned (call, TRM_RUN_FUSED),
        tns_build_set (caller, call->plan,
                       build_int_cst (integer_type_node, TRM_RUN_FUSED)),
        NULL_TREE),
      &set);
  add_when_asked (call, set, list);
}

/* took = FN (...), FN being f.tensor.0 or what stands for it.  */
static tree
call_of (dispatch *call, tree fn)
{
  tns_build *caller = call->caller;
  tree fused = build_call_expr_loc_array (
    caller->loc, fn, caller->region->n_params, call->argument);
  return tns_build_set (caller, call->took, fused);
}

/* Parameters of FN like those of f.tensor.0, for whose arguments ARG they are
   put.  */
static void
repeat_parameters (tree fn, tree like, tree *arg)
{
  tree chain = NULL_TREE;
  for (int k = 0; like; like = DECL_CHAIN (like), k++)
    {
      arg[k] = copy_node (like);
      DECL_CONTEXT (arg[k]) = fn;
      DECL_CHAIN (arg[k]) = chain;
      chain = arg[k];
    }
  DECL_ARGUMENTS (fn) = nreverse (chain);
}

/* BUILD's symbols are the parameters PARM.  */
static void
name_parameters (tns_build *build, tree *parm)
{
  const tns_region *region = build->region;
  build->decl = TNS_NEW_ARRAY (build->ctx->arena, tree, region->n_syms + 1);
  for (int k = 0; k < region->n_params; k++)
    build->decl[region->params[k]->id] = parm[k];
}

/* f.tensor.0 between trm_enter and trm_leave, as a function.  */
static tree
told_function (dispatch *call)
{
  tns_build told = *call->caller;
  tree fused = told.fn;
  tree list = NULL_TREE;
  tree given = NULL_TREE;
  tree *parm = TNS_NEW_ARRAY (told.ctx->arena, tree, told.region->n_params + 1);
  tree name = clone_function_name_numbered (
    IDENTIFIER_POINTER (DECL_NAME (fused)), "told");
  told.fn = tns_build_function (name, TREE_TYPE (fused));
  DECL_SOURCE_LOCATION (told.fn) = told.loc;
  SET_DECL_ASSEMBLER_NAME (told.fn, name);
  tns_build_effort (told.fn, TNS_EFFORT_CALL);
  repeat_parameters (told.fn, DECL_ARGUMENTS (fused), parm);
  tree took
    = build_call_expr_loc_array (told.loc, fused, told.region->n_params, parm);
  tree misses = build2 (EQ_EXPR, boolean_type_node, took, integer_zero_node);
  tree type = given_type (&told);
  if (type)
    {
      name_parameters (&told, parm);
      given = tns_build_variable (&told, "given", type);
      tns_site_tell_given (&told, given, &list);
    }
  append_to_statement_list (enter_call (call), &list);
  append_to_statement_list (
    tns_build_if (&told, misses, tns_build_return (&told, 0), NULL_TREE),
    &list);
  append_to_statement_list (leave_call (call, integer_one_node), &list);
  append_to_statement_list (tns_build_return (&told, 1), &list);
  tns_build_finish (told.fn, given, list);
  return told.fn;
}

/* Compute the arguments before either call of them: what is evaluated once
   must not be so in one branch alone.  */
static void
set_arguments (dispatch *call, tree *list)
{
  for (int k = 0; k < call->caller->region->n_params; k++)
    {
      tree given = call->argument[k];
      if (DECL_P (given) || CONSTANT_CLASS_P (given)
          || (TREE_CODE (given) == ADDR_EXPR
              && DECL_P (TREE_OPERAND (given, 0))))
        continue;
      tree type = TYPE_MAIN_VARIANT (TREE_TYPE (given));
      call->argument[k] = new_variable (call, "given", type);
      append_to_statement_list (
        tns_build_set (call->caller, call->argument[k], given), list);
    }
}

/* The fused version, and the original when it did not run: where it always
   does, GCC is told so and need not compile the original.  */
static void
add_either (dispatch *call, tree original, tree *list)
{
  tns_build *caller = call->caller;
  tree out = NULL_TREE;
  tree as_written = NULL_TREE;
  set_arguments (call, list);
  append_to_statement_list (tns_build_if (caller, tns_build_asked (caller),
                                          call_of (call, told_function (call)),
                                          call_of (call, caller->fn)),
                            list);
  if (!caller->may_decline)
    append_to_statement_list (
      tns_build_set (caller, call->took, integer_one_node), list);
  copy_cells (call, false, &out);
  append_to_statement_list (original, &as_written);
  add_when_asked (call, leave_call (call, integer_zero_node), &as_written);
  append_to_statement_list (
    tns_build_if (caller, has_taken (call), out, as_written), list);
}

/* The fused version, the original, or both, as planned.  */
static void
add_planned (dispatch *call, tree original, tree *list)
{
  tns_build *caller = call->caller;
  tree out = NULL_TREE;
  tree again = NULL_TREE;
  tree as_written = NULL_TREE;
  tree arg[1];
  tree type
    = build_function_type_list (void_type_node, ptr_type_node, NULL_TREE);
  add_enter (call, list);
  append_to_statement_list (tns_build_if (caller, planned (call, TRM_RUN_FUSED),
                                          call_of (call, caller->fn),
                                          NULL_TREE),
                            list);
  append_to_statement_list (call_runtime (call, "trm_between", type, arg, 1),
                            &again);
  append_to_statement_list (
    tns_build_if (caller, planned (call, TRM_RUN_ORIGINAL), again, NULL_TREE),
    &out);
  copy_cells (call, false, &out);
  append_to_statement_list (
    tns_build_if (caller, has_taken (call), out, NULL_TREE), list);
  tree missed
    = fold_build1 (TRUTH_NOT_EXPR, boolean_type_node, has_taken (call));
  append_to_statement_list (original, &as_written);
  copy_cells (call, true, &as_written);
  append_to_statement_list (
    tns_build_if (caller,
                  build2 (TRUTH_ORIF_EXPR, boolean_type_node, missed,
                          planned (call, TRM_RUN_ORIGINAL)),
                  as_written, NULL_TREE),
    list);
  add_when_asked (call, leave_call (call, call->took), list);
}

/* Whether NODE is a construct of OpenMP that says default(none).  */
static bool
wants_names (tree node)
{
  if (TREE_CODE (node) != OMP_PARALLEL && TREE_CODE (node) != OMP_TASK
      && TREE_CODE (node) != OMP_TASKLOOP && TREE_CODE (node) != OMP_TEAMS)
    return false;
  tree clause = omp_find_clause (OMP_CLAUSES (node), OMP_CLAUSE_DEFAULT);
  return clause && OMP_CLAUSE_DEFAULT_KIND (clause) == OMP_CLAUSE_DEFAULT_NONE;
}

/* Share the site in NODE when it wants all variables named.  */
static tree
share_site (tree *node, int *, void *self)
{
  if (!wants_names (*node))
    return NULL_TREE;
  tree clause = build_omp_clause (EXPR_LOCATION (*node), OMP_CLAUSE_SHARED);
  OMP_CLAUSE_DECL (clause) = (tree) self;
  OMP_CLAUSE_CHAIN (clause) = OMP_CLAUSES (*node);
  OMP_CLAUSES (*node) = clause;
  return NULL_TREE;
}

/* A builder that speaks in the user's trees.  */
static tns_build *
builder_of_caller (const tns_build *build)
{
  tns_build *caller = TNS_NEW (build->ctx->arena, tns_build);
  *caller = *build;
  caller->decl
    = TNS_NEW_ARRAY (build->ctx->arena, tree, build->region->n_syms + 1);
  return caller;
}

/* The variables of the dispatch, set to what they start as.  */
static void
add_variables (dispatch *call, tree *list)
{
  tns_build *caller = call->caller;
  call->took = new_variable (call, "took", integer_type_node);
  append_to_statement_list (
    tns_build_set (caller, call->took, integer_zero_node), list);
  if (!caller->ctx->wish.check)
    return;
  call->plan = new_variable (call, "plan", integer_type_node);
  append_to_statement_list (
    tns_build_set (caller, call->plan,
                   build_int_cst (integer_type_node, TRM_RUN_FUSED)),
    list);
  call->n_spans = tns_site_count_spans (caller->ctx->arena, caller->region);
  if (call->n_spans > 0)
    call->spans = new_variable (
      call, "spans", build_array_type_nelts (tns_span_type (), call->n_spans));
}

/* The call of BUILD's function, its arguments found.  */
static dispatch
open_dispatch (tns_build *build)
{
  tns_arena *arena = build->ctx->arena;
  int n = build->region->n_params + 1;
  dispatch call = { builder_of_caller (build),
                    NULL_TREE,
                    NULL_TREE,
                    NULL_TREE,
                    0,
                    NULL_TREE,
                    TNS_NEW_ARRAY (arena, tree, n),
                    TNS_NEW_ARRAY (arena, tree, n),
                    TNS_NEW_ARRAY (arena, tree, n) };
  find_arguments (&call);
  return call;
}

tree
tns_build_plain_call (tns_build *build)
{
  dispatch call = open_dispatch (build);
  return build_call_expr_loc_array (build->loc, build->fn,
                                    build->region->n_params, call.argument);
}

tree
tns_build_dispatch (tns_build *build, tree original)
{
  dispatch call = open_dispatch (build);
  tree list = NULL_TREE;
  add_variables (&call, &list);
  copy_cells (&call, true, &list);
  if (call.plan)
    add_planned (&call, original, &list);
  else
    add_either (&call, original, &list);
  walk_tree_without_duplicates (&DECL_SAVED_TREE (build->enclosing), share_site,
                                build->site);
  return tns_build_scope (call.variables, list);
}
