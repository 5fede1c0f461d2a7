/* Arguments of an operation, made ready for its loops (ready.h).

     f16 [2, 3], f32 [3, 4] transposed  ->  f32 [2, 3], [3, 4] contiguous  */

#include "ready.h"
#include "rows.h"

bool
trm_ready (int n, trm_tensor **in, trm_type *type)
{
  trm_type common = TRM_BOOL;
  for (int i = 0; i < n; i++)
    if (in[i])
      common = trm_type_common (common, in[i]->type);
  *type = trm_real_type (common);
  for (int i = 0; i < n; i++)
    if (in[i])
      {
        trm_tensor *cast = trm_cast (in[i], trm_type_computed (*type));
        in[i] = trm_contiguous (cast);
        if (!in[i])
          return false;
      }
  return true;
}

trm_tensor *
trm_misfit (const char *name, const char *a_name, const trm_tensor *a,
            const char *b_name, const trm_tensor *b)
{
  char left[TRM_SHAPE_TEXT], right[TRM_SHAPE_TEXT];
  return trm_fail_null (TRM_BAD_SHAPE, "%s: %s %s does not go with %s %s", name,
                        a_name, trm_shape_text (left, a->rank, a->extent),
                        b_name, trm_shape_text (right, b->rank, b->extent));
}
