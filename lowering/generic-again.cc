/* What does again on the CPU what kernels were to do.

     static int f.tensor.1.again (const void *args)
     {
       return f.tensor.2 (*(float **) args, *(float **) (args + 8),
                          *(long *) (args + 16));
     }

   f.tensor.2 is the region as the user wrote it.  The runtime may end a run
   before its kernels have (libtensorrt-mini/abi-cuda.h): where they fail, it
   calls this, from wherever that is seen, with what the run was given.  So
   there is none of a region that knows of other memory than its kernels do:
   nobody would tell the runtime when that changes.  */

#include "lowering/build.hh"

extern "C"
{
#include "ir/walk.h"
}

/* REGION looks at memory before its body.  */
static bool
looks_ahead (const tns_region *region)
{
  bool looks = region->before != NULL;
  for (int k = 0; k < region->n_guard; k++)
    looks |= tns_expr_loads (region->guard[k]);
  return looks;
}

/* Parameter K of the region as written is given to BUILD's function, too; if it
   is an array, kernels are given it: its ROW is one.  */
static bool
is_given (const tns_build *build, const int *row, int k)
{
  const tns_sym *sym = build->written->params[k];
  return sym->id < build->region->n_syms && build->decl[sym->id]
         && TREE_CODE (build->decl[sym->id]) == PARM_DECL
         && (sym->kind != TNS_SYM_ARRAY || row[sym->id] >= 0);
}

/* The region of BUILD can be done again, kernels being given the arrays that
   have a ROW.  */
static bool
can_be_done (const tns_build *build, const int *row)
{
  const tns_region *written = build->written;
  bool can = written && !build->workspace && !looks_ahead (written)
             && !looks_ahead (build->region);
  for (int k = 0; can && k < written->n_params; k++)
    can = is_given (build, row, k);
  return can;
}

/* Word K at ARGS as SYM, which is DECL in BUILD's function: a value, an
   address, or what it is the address of.  */
static tree
word_as (tree args, int k, const tns_sym *sym, tree decl)
{
  tree type = TYPE_MAIN_VARIANT (TREE_TYPE (decl));
  tree place = fold_build_pointer_plus_hwi (args, k * POINTER_SIZE_UNITS);
  tree word
    = build_simple_mem_ref (fold_convert (build_pointer_type (type), place));
  bool is_cell = sym->kind == TNS_SYM_ARRAY && sym->rank == 0;
  return is_cell ? build_simple_mem_ref (word) : word;
}

/* The trees of the symbols as written in a function of ARGS.  */
static tns_symbols *
words_as_symbols (tns_build *build, tree args)
{
  tns_arena *arena = build->ctx->arena;
  tns_symbols *symbols = tns_symbols_new (arena);
  const tns_region *written = build->written;
  for (int k = 0; k < written->n_syms; k++)
    if (written->syms[k]->kind == TNS_SYM_FUNCTION)
      tns_symbols_set (arena, symbols, written->syms[k],
                       tns_symbols_get (build->symbols, written->syms[k]));
  for (int k = 0; k < written->n_params; k++)
    {
      const tns_sym *sym = written->params[k];
      tns_symbols_set (arena, symbols, sym,
                       word_as (args, k, sym, build->decl[sym->id]));
    }
  return symbols;
}

/* An empty function beside BUILD's, int (const void *args).  */
static tree
open_function (const tns_build *build)
{
  tree pointer = const_ptr_type_node;
  tree type = build_function_type_list (integer_type_node, pointer, NULL_TREE);
  tree name = clone_function_name_numbered (
    IDENTIFIER_POINTER (DECL_NAME (build->fn)), "again");
  tree fn = tns_build_function (name, type);
  tree args
    = build_decl (build->loc, PARM_DECL, get_identifier ("args"), pointer);
  DECL_ARG_TYPE (args) = pointer;
  DECL_CONTEXT (args) = fn;
  TREE_USED (args) = 1;
  layout_decl (args, 0);
  DECL_ARGUMENTS (fn) = args;
  DECL_SOURCE_LOCATION (fn) = build->loc;
  SET_DECL_ASSEMBLER_NAME (fn, name);
  return fn;
}

/* The region as written, in the user's order: arrays may overlap.  */
static tns_result
plain_result (const tns_build *build)
{
  tns_result result = {};
  tns_region *plain = tns_region_copy (build->ctx->arena, build->written);
  plain->n_overlaps = 0;
  plain->flops = plain->bytes_before = plain->bytes_after = NULL;
  result.status = TNS_DONE;
  result.rare = true;
  result.unguarded = true;
  result.in = result.out = plain;
  return result;
}

tree
tns_build_again (tns_build *build, const int *row)
{
  if (!can_be_done (build, row))
    return NULL_TREE;
  tree fn = open_function (build);
  tns_symbols *symbols = words_as_symbols (build, DECL_ARGUMENTS (fn));
  tns_result result = plain_result (build);
  tree call = tns_generic_call (build->ctx, &result, symbols, build->enclosing);
  if (!call)
    return NULL_TREE;
  tree set = build2 (MODIFY_EXPR, integer_type_node, DECL_RESULT (fn), call);
  tree back = build1 (RETURN_EXPR, void_type_node, set);
  TREE_SIDE_EFFECTS (back) = 1;
  tns_build_finish (fn, NULL_TREE, back);
  return fold_convert (ptr_type_node, build_fold_addr_expr (fn));
}
