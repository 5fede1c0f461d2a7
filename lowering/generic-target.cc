/* The target's own functions, which GCC has for the compiler's headers of
   intrinsics: what no tree says.

     b > a ? b : a    of float vectors, where zeros and what is no number
                      count: one instruction, which GCC does not see in
                      a comparison and a choice when one of the two is a
                      constant
     asm ("" : "+v" (a))
                      of a vector that is used several times: GCC takes
                      reading it from memory again at each use to be cheaper
                      than one load, by what such a vector would cost in the
                      registers of integers
     (float) a        of double lanes, a rounding that stays: around another
                      conversion to double GCC drops both, and what else keeps
                      them apart is done lane by lane  */

#include "lowering/build.hh"

/* Rounding as the mode register says.  */
#define AS_SET 4

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

/* The bits of VECTOR, a type that the target has registers for; 0 where it is
   none, or not one of floating numbers.  */
static int
float_bits (tree vector)
{
  if (!VECTOR_TYPE_P (vector) || !VECTOR_MODE_P (TYPE_MODE (vector))
      || !SCALAR_FLOAT_TYPE_P (TREE_TYPE (vector)))
    return 0;
  return (int) tree_to_uhwi (TYPE_SIZE (vector));
}

/* The letters for VECTOR's elements.  */
static const char *
float_letters (tree vector)
{
  return TYPE_MODE (TREE_TYPE (vector)) == SFmode ? "ps" : "pd";
}

tree
tns_build_target_extremum (tns_build *build, tns_op op, tree a, tree b)
{
#if defined TARGET_AVX512F && defined TARGET_AVX && defined TARGET_SSE2
  tree type = TREE_TYPE (a);
  char name[48];
  int bits = float_bits (type);
  if (bits == 0)
    return NULL_TREE;
  if (bits == 512 ? !TARGET_AVX512F : bits == 256 ? !TARGET_AVX : !TARGET_SSE2)
    return NULL_TREE;
  snprintf (name, sizeof name, "__builtin_ia32_%s%s%s",
            op == TNS_MIN ? "min" : "max", float_letters (type),
            bits == 512   ? "512_mask"
            : bits == 256 ? "256"
                          : "");
  tree fn = tns_build_target_function (name);
  tree given[5] = { b, a, build_zero_cst (type), integer_minus_one_node,
                    build_int_cst (integer_type_node, AS_SET) };
  tree value = fn
                 ? tns_build_target_call (build, fn, bits == 512 ? 5 : 2, given)
                 : NULL_TREE;
  return value ? fold_build1 (VIEW_CONVERT_EXPR, type, value) : NULL_TREE;
#else
  (void) build, (void) op, (void) a, (void) b;
  return NULL_TREE;
#endif
}

tree
tns_build_target_rounded (tns_build *build, tree type, tree value)
{
#if defined TARGET_AVX512F && defined TARGET_AVX
  int bits = float_bits (TREE_TYPE (value));
  if (TYPE_MODE (TREE_TYPE (type)) != SFmode
      || TYPE_MODE (TREE_TYPE (TREE_TYPE (value))) != DFmode
      || (bits == 512   ? !TARGET_AVX512F
          : bits == 256 ? !TARGET_AVX
                        : bits != 128 || !TARGET_SSE2))
    return NULL_TREE;
  tree fn
    = tns_build_target_function (bits == 512 ? "__builtin_ia32_cvtpd2ps512_mask"
                                 : bits == 256 ? "__builtin_ia32_cvtpd2ps256"
                                               : "__builtin_ia32_cvtpd2ps");
  tree given[4] = { value, build_zero_cst (type), integer_minus_one_node,
                    build_int_cst (integer_type_node, AS_SET) };
  if (!fn)
    return NULL_TREE;
  tree made = tns_build_target_call (build, fn, bits == 512 ? 4 : 1, given);
  return tns_build_first_lanes_of (type, made);
#else
  (void) build, (void) type, (void) value;
  return NULL_TREE;
#endif
}

tree
tns_build_target_kept (tns_build *build, tree variable)
{
#if defined TARGET_SSE2
  const char *place = "+v";
  tree type = TREE_TYPE (variable);
  if (!TARGET_SSE2 || !VECTOR_TYPE_P (type)
      || !VECTOR_MODE_P (TYPE_MODE (type)))
    return NULL_TREE;
  tree output = build_tree_list (
    build_tree_list (NULL_TREE, build_string (strlen (place) + 1, place)),
    variable);
  return build5_loc (build->loc, ASM_EXPR, void_type_node, build_string (1, ""),
                     output, NULL_TREE, NULL_TREE, NULL_TREE);
#else
  (void) build, (void) variable;
  return NULL_TREE;
#endif
}
