/* The machine that GCC compiles for: which vector modes it has, whether
   they can be masked, whether multiply and add fuse.  */

#include "plugin/target.hh"

/* The type of vectors of LANES floats, when the target has its mode; else
   NULL_TREE.  */
static tree
vector_of_floats (int lanes)
{
  machine_mode mode;
  if (!mode_for_vector (SFmode, lanes).exists (&mode) || !VECTOR_MODE_P (mode)
      || !targetm.vector_mode_supported_p (mode))
    return NULL_TREE;
  return build_vector_type (float_type_node, lanes);
}

/* Whether loads of vectors of TYPE can be masked.  */
static bool
has_masks (tree type)
{
  tree_pair types (type, truth_type_for (type));
  return direct_internal_fn_supported_p (IFN_MASK_LOAD, types,
                                         OPTIMIZE_FOR_SPEED);
}

/* The processor that -mtune names, NULL where the target has none.  */
static const char *
tuned_for (void)
{
#ifdef TARGET_AVX512F
  return ix86_tune_string;
#else
  return NULL;
#endif
}

const tns_machine *
tns_target_machine (void)
{
  bool fma = direct_internal_fn_supported_p (IFN_FMA, float_type_node,
                                             OPTIMIZE_FOR_SPEED);
  for (int lanes = 16; lanes >= 8; lanes /= 2)
    {
      tree type = vector_of_floats (lanes);
      if (type)
        return tns_machine_for (lanes * 4, has_masks (type), fma, tuned_for ());
    }
  return tns_machine_for (16, false, fma, tuned_for ());
}
