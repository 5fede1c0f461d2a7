/* Where the region's temporaries live.

     rank 0                    a variable: a register, of vectors too
     constant extents, small   an automatic array, aligned to 64
     large, or extents known   a piece of one block of memory that the
     at run time               function takes before it writes anything

   All extents are expressions over the region's values, so all sizes are
   known at the start: one call takes the block, and when there is none the
   function returns 0 and the loops as written run.  An array that threads
   must not share has as many copies as there are threads:

     for i parallel { local f32 t[n]; ... }

       threads = omp_get_max_threads ();
       pool = get (threads * bytes);  if (!pool) return 0;
       parallel { t = pool + omp_get_thread_num () * bytes; for i ... }

   The block comes from the runtime where the program has it, else from
   aligned_alloc.  */

#include "lowering/build.hh"

extern "C"
{
#include "ir/walk.h"
}

/* Alignment of arrays in bytes; the largest automatic array; what all
   automatic arrays of a region may have together.  */
enum
{
  ARRAY_ALIGN = 64,
  LARGEST_AUTOMATIC = 64 * 1024,
  ALL_AUTOMATIC = 256 * 1024
};

/* The elements of SYM as a tree, I64.  */
static tree
count_elements (tns_build *build, const tns_sym *sym)
{
  tree type = tns_build_type (tns_scalar (TNS_I64));
  tree count = build_one_cst (type);
  for (int k = 0; k < sym->rank; k++)
    {
      tree extent = tns_build_expr (build, sym->extent[k]);
      extent = fold_build2 (MAX_EXPR, type, extent, build_zero_cst (type));
      count = fold_build2 (MULT_EXPR, type, count, extent);
    }
  return count;
}

/* The bytes of SYM, a multiple of ARRAY_ALIGN.  */
static tree
count_bytes (tns_build *build, const tns_sym *sym)
{
  tree count = count_elements (build, sym);
  tree type = TREE_TYPE (count);
  tree size = fold_convert (type, TYPE_SIZE_UNIT (build->elem[sym->id]));
  tree bytes = fold_build2 (MULT_EXPR, type, count, size);
  bytes = fold_build2 (PLUS_EXPR, type, bytes,
                       build_int_cst (type, ARRAY_ALIGN - 1));
  return fold_build2 (BIT_AND_EXPR, type, bytes,
                      build_int_cst (type, -ARRAY_ALIGN));
}

/* Whether an array of BYTES bytes may be automatic beside *USED bytes of
   others; if so they are counted.  */
static bool
fits_automatic (tree bytes, HOST_WIDE_INT *used)
{
  if (!tree_fits_shwi_p (bytes) || tree_to_shwi (bytes) > LARGEST_AUTOMATIC
      || *used + tree_to_shwi (bytes) > ALL_AUTOMATIC)
    return false;
  *used += tree_to_shwi (bytes);
  return true;
}

/* Decide about SYM, which has a LOCAL node, in a parallel loop if SHARED.
   The same symbol may have several.  */
static void
place_array (tns_build *build, const tns_sym *sym, bool shared,
             HOST_WIDE_INT *used)
{
  tns_storage *storage = &build->storage[sym->id];
  bool apart = build->ctx->flags.openmp && (sym->flags & TNS_SYM_PER_THREAD);
  storage->outside |= !shared;
  storage->threads |= shared || apart;
  if (sym->rank == 0)
    return;
  storage->bytes = count_bytes (build, sym);
  storage->pooled |= (sym->flags & TNS_SYM_HEAP) || (apart && !shared)
                     || !fits_automatic (storage->bytes, used);
}

/* Decide about the LOCAL nodes of NODE.  */
static void
place_arrays (tns_build *build, const tns_node *node, bool shared,
              HOST_WIDE_INT *used)
{
  if (!node)
    return;
  if (node->kind == TNS_LOOP)
    place_arrays (build, node->body,
                  shared || tns_build_may_share (build, node), used);
  if (node->kind == TNS_LOCAL)
    place_array (build, node->sym, shared, used);
  if (node->kind == TNS_IF)
    {
      place_arrays (build, node->then, shared, used);
      place_arrays (build, node->otherwise, shared, used);
    }
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    place_arrays (build, node->kid[k], shared, used);
}

void
tns_build_storage (tns_build *build)
{
  HOST_WIDE_INT used = 0;
  place_arrays (build, build->region->body, false, &used);
}

/* A variable NAME of the function with VALUE.  */
static tree
set_variable (tns_build *build, const char *name, tree value, tree *variables,
              tree *list)
{
  tree variable = tns_build_variable (build, name, TREE_TYPE (value));
  DECL_CHAIN (variable) = *variables;
  *variables = variable;
  append_to_statement_list (tns_build_set (build, variable, value), list);
  return variable;
}

tree
tns_build_most_threads (tns_build *build)
{
  tree type = tns_build_type (tns_scalar (TNS_I64));
  if (!build->ctx->flags.openmp)
    return build_one_cst (type);
  tree fn
    = build_fn_decl ("omp_get_max_threads",
                     build_function_type_list (integer_type_node, NULL_TREE));
  return fold_convert (type, build_call_expr_loc (build->loc, fn, 0));
}

/* Give each pooled array its offset; TOTAL grows.  */
static void
share_out (tns_build *build, tree threads, tree total, tree *variables,
           tree *list)
{
  tree type = TREE_TYPE (total);
  for (int id = 0; id < build->region->n_syms; id++)
    {
      tns_storage *storage = &build->storage[id];
      if (!storage->pooled)
        continue;
      if (TREE_CODE (storage->bytes) != INTEGER_CST)
        storage->bytes
          = set_variable (build, "bytes", storage->bytes, variables, list);
      storage->offset = set_variable (build, "offset", total, variables, list);
      tree bytes = storage->bytes;
      if (storage->threads)
        bytes = fold_build2 (MULT_EXPR, type, bytes, threads);
      tree sum = fold_build2 (PLUS_EXPR, type, total, bytes);
      append_to_statement_list (tns_build_set (build, total, sum), list);
    }
}

/* SYM's memory in the pool, or thread number THREAD's.  */
static tree
pooled_address (tns_build *build, const tns_sym *sym, tree thread)
{
  const tns_storage *storage = &build->storage[sym->id];
  tree offset = storage->offset;
  tree type = TREE_TYPE (offset);
  if (thread)
    offset
      = fold_build2 (PLUS_EXPR, type, offset,
                     fold_build2 (MULT_EXPR, type, thread, storage->bytes));
  tree pointer = build_pointer_type (build->elem[sym->id]);
  return fold_convert (pointer, fold_build_pointer_plus (build->pool, offset));
}

/* Whether any array is pooled; *THREADS: any with copies.  */
static bool
needs_pool (const tns_build *build, bool *threads)
{
  bool any = false;
  *threads = false;
  for (int id = 0; id < build->region->n_syms; id++)
    if (build->storage[id].pooled)
      {
        any = true;
        *threads = *threads || build->storage[id].threads;
      }
  return any;
}

/* The call FN (VALUE) when the runtime's FN is there, else OTHERWISE.  */
static tree
runtime_or (tns_build *build, tree fn, tree value, tree otherwise)
{
  tree type = TREE_TYPE (otherwise);
  tree address = build_fold_addr_expr (fn);
  tree there = build2 (NE_EXPR, boolean_type_node, address,
                       build_zero_cst (TREE_TYPE (address)));
  tree call = build_call_expr_loc (build->loc, fn, 1, value);
  return build3 (COND_EXPR, type, there, call, otherwise);
}

/* POOL = BYTES bytes, aligned, if any are needed.  */
static void
take_memory (tns_build *build, tree bytes, tree *list)
{
  tree type
    = build_function_type_list (ptr_type_node, TREE_TYPE (bytes), NULL_TREE);
  tree get = tns_build_runtime ("trm_scratch_get", type);
  DECL_IS_MALLOC (get) = 1;
  tree plain = build_call_expr_loc (
    build->loc, builtin_decl_explicit (BUILT_IN_ALIGNED_ALLOC), 2,
    size_int (ARRAY_ALIGN), fold_convert (size_type_node, bytes));
  tree memory = runtime_or (build, get, bytes, plain);
  tree taking = NULL_TREE;
  append_to_statement_list (tns_build_set (build, build->pool, memory),
                            &taking);
  tree none = build2 (EQ_EXPR, boolean_type_node, build->pool,
                      build_zero_cst (TREE_TYPE (build->pool)));
  append_to_statement_list (
    tns_build_if (build, none, tns_build_return (build, 0), NULL_TREE),
    &taking);
  tree some = build2 (GT_EXPR, boolean_type_node, bytes,
                      build_zero_cst (TREE_TYPE (bytes)));
  append_to_statement_list (tns_build_if (build, some, taking, NULL_TREE),
                            list);
}

/* POOL is the caller's memory, from its first whole line on.  */
static void
use_workspace (tns_build *build, tree *list)
{
  tree address = build->decl[build->workspace->id];
  tree type = TREE_TYPE (address);
  address = fold_build2 (PLUS_EXPR, type, address,
                         build_int_cst (type, ARRAY_ALIGN - 1));
  address = fold_build2 (BIT_AND_EXPR, type, address,
                         build_int_cst (type, -ARRAY_ALIGN));
  append_to_statement_list (
    tns_build_set (build, build->pool,
                   fold_convert (TREE_TYPE (build->pool), address)),
    list);
}

/* FIRST and the bytes of all arrays that are POOLED, or are not, THREADS times
   those that have copies.  */
static tree
count_all (const tns_build *build, bool pooled, HOST_WIDE_INT first,
           tree threads)
{
  tree type = tns_build_type (tns_scalar (TNS_I64));
  tree total = build_int_cst (type, first);
  for (int id = 0; id < build->region->n_syms; id++)
    {
      const tns_storage *storage = &build->storage[id];
      if (!storage->bytes || storage->pooled != pooled)
        continue;
      tree bytes = unshare_expr (storage->bytes);
      if (storage->threads)
        bytes = fold_build2 (MULT_EXPR, type, bytes,
                             fold_convert (type, unshare_expr (threads)));
      total = fold_build2 (PLUS_EXPR, type, total, bytes);
    }
  return total;
}

tree
tns_build_automatic (const tns_build *build)
{
  return count_all (build, false, 0, integer_one_node);
}

/* Point the arrays that all threads share, and thread 0's copy of those
   that stand outside of parallel loops, at their memory.  */
static void
point_arrays (tns_build *build, tree *variables, tree *list)
{
  const tns_region *region = build->region;
  for (int id = 0; id < region->n_syms; id++)
    {
      const tns_sym *sym = region->syms[id];
      if (build->storage[id].pooled && build->storage[id].outside)
        build->decl[id] = set_variable (build, sym->name,
                                        pooled_address (build, sym, NULL_TREE),
                                        variables, list);
    }
}

void
tns_build_pool_get (tns_build *build, tree *variables, tree *list)
{
  bool with_threads;
  if (!needs_pool (build, &with_threads))
    return;
  tree type = tns_build_type (tns_scalar (TNS_I64));
  tree total
    = set_variable (build, "total", build_zero_cst (type), variables, list);
  build->bytes
    = count_all (build, true, ARRAY_ALIGN - 1, tns_build_most_threads (build));
  tree threads = NULL_TREE;
  if (with_threads)
    threads = set_variable (build, "threads", tns_build_most_threads (build),
                            variables, list);
  share_out (build, threads, total, variables, list);
  build->pool
    = set_variable (build, "pool", null_pointer_node, variables, list);
  if (build->workspace)
    use_workspace (build, list);
  else
    take_memory (build, total, list);
  point_arrays (build, variables, list);
}

void
tns_build_pool_put (tns_build *build, tree *list)
{
  if (!build->pool || build->workspace)
    return;
  tree type
    = build_function_type_list (void_type_node, ptr_type_node, NULL_TREE);
  tree plain = build_call_expr_loc (
    build->loc, builtin_decl_explicit (BUILT_IN_FREE), 1, build->pool);
  tree put = tns_build_runtime ("trm_scratch_put", type);
  append_to_statement_list (runtime_or (build, put, build->pool, plain), list);
}

/* An automatic array for SYM, whose bytes are constant: its elements need not
   be.  */
static tree
automatic_array (tns_build *build, const tns_sym *sym)
{
  tree elem = build->elem[sym->id];
  HOST_WIDE_INT bytes = tree_to_shwi (build->storage[sym->id].bytes);
  HOST_WIDE_INT count = bytes / tree_to_shwi (TYPE_SIZE_UNIT (elem));
  tree type = build_array_type_nelts (elem, MAX (1, count));
  tree array = tns_build_variable (build, sym->name, type);
  SET_DECL_ALIGN (array, ARRAY_ALIGN * BITS_PER_UNIT);
  DECL_USER_ALIGN (array) = 1;
  TREE_ADDRESSABLE (array) = 1;
  return array;
}

void
tns_build_local (tns_build *build, const tns_sym *sym, tree *variables)
{
  if (build->storage[sym->id].pooled)
    return;
  tree variable = sym->rank == 0 ? tns_build_variable (build, sym->name,
                                                       build->elem[sym->id])
                                 : automatic_array (build, sym);
  DECL_CHAIN (variable) = *variables;
  *variables = variable;
  build->decl[sym->id] = variable;
}

/* Whether SYM needs a thread's own copy in LOOP; an automatic array that is
   declared inside has one anyway.  */
static bool
is_copied (const tns_build *build, const tns_sym *sym, tns_node *loop)
{
  const tns_storage *storage = &build->storage[sym->id];
  return storage->threads && (storage->pooled || storage->outside)
         && tns_node_mentions (loop, sym);
}

void
tns_build_thread_locals (tns_build *build, tns_node *loop, tree *variables,
                         tree *list)
{
  const tns_region *region = build->region;
  tree type = tns_build_type (tns_scalar (TNS_I64));
  tree thread = NULL_TREE;
  for (int id = 0; id < region->n_syms; id++)
    {
      const tns_sym *sym = region->syms[id];
      if (!is_copied (build, sym, loop))
        continue;
      if (!build->storage[id].pooled)
        {
          tns_build_local (build, sym, variables);
          continue;
        }
      tree fn = builtin_decl_explicit (BUILT_IN_OMP_GET_THREAD_NUM);
      tree call = build_call_expr_loc (build->loc, fn, 0);
      if (!thread)
        thread = set_variable (build, "thread", fold_convert (type, call),
                               variables, list);
      build->decl[id] = set_variable (
        build, sym->name, pooled_address (build, sym, thread), variables, list);
    }
}
