/* The target's own functions, which GCC has for the compiler's headers of
   intrinsics: what no tree says.

     b > a ? b : a    of float vectors, where zeros and what is no number
                      count: one instruction, which GCC does not see in
                      a comparison and a choice when one of the two is a
                      constant  */

#include "lowering/build.hh"

tree
tns_build_target_function (const char *name)
{
  if (!lookup_name)
    return NULL_TREE;
  tree fn = lookup_name (get_identifier (name));
  return fn && TREE_CODE (fn) == FUNCTION_DECL && fndecl_built_in_p (fn)
           ? fn
           : NULL_TREE;
}

tree
tns_build_target_call (tns_build *build, tree fn, int n, tree *given)
{
  tree t = TYPE_ARG_TYPES (TREE_TYPE (fn));
  for (int k = 0; k < n; k++, t = TREE_CHAIN (t))
    given[k] = VECTOR_TYPE_P (TREE_VALUE (t))
                 ? fold_build1 (VIEW_CONVERT_EXPR, TREE_VALUE (t), given[k])
                 : fold_convert (TREE_VALUE (t), given[k]);
  return build_call_expr_loc_array (build->loc, fn, n, given);
}

tree
tns_build_target_extremum (tns_build *build, tns_op op, tree a, tree b)
{
#if defined TARGET_AVX512F && defined TARGET_AVX && defined TARGET_SSE2
  const int as_set = 4;
  tree type = TREE_TYPE (a);
  char name[48];
  if (!VECTOR_TYPE_P (type) || !VECTOR_MODE_P (TYPE_MODE (type))
      || !SCALAR_FLOAT_TYPE_P (TREE_TYPE (type)))
    return NULL_TREE;
  int bits = (int) tree_to_uhwi (TYPE_SIZE (type));
  if (bits == 512 ? !TARGET_AVX512F : bits == 256 ? !TARGET_AVX : !TARGET_SSE2)
    return NULL_TREE;
  snprintf (name, sizeof name, "__builtin_ia32_%s%s%s",
            op == TNS_MIN ? "min" : "max",
            TYPE_MODE (TREE_TYPE (type)) == SFmode ? "ps" : "pd",
            bits == 512   ? "512_mask"
            : bits == 256 ? "256"
                          : "");
  tree fn = tns_build_target_function (name);
  tree given[5] = { b, a, build_zero_cst (type), integer_minus_one_node,
                    build_int_cst (integer_type_node, as_set) };
  tree value = fn
                 ? tns_build_target_call (build, fn, bits == 512 ? 5 : 2, given)
                 : NULL_TREE;
  return value ? fold_build1 (VIEW_CONVERT_EXPR, type, value) : NULL_TREE;
#else
  (void) build, (void) op, (void) a, (void) b;
  return NULL_TREE;
#endif
}
