/* The defaults of a wish.  */

#include "base/wish.h"

#include <string.h>

tns_wish
tns_wish_default (void)
{
  return (tns_wish){ .fp = TNS_FP_REASSOC,
                     .fuse = TNS_FUSE_AUTO,
                     .target = TNS_TARGET_CPU };
}

const tns_wish_name *
tns_wish_requires (const tns_wish *wish, const char *word)
{
  for (int k = 0; k < wish->require.n; k++)
    if (!strcmp (wish->require.names[k].name, word))
      return &wish->require.names[k];
  return NULL;
}

const char *
tns_wish_mode (const tns_wish *wish)
{
  return wish->derived.own       ? "derivative"
         : wish->derived.forward ? "tangent"
                                 : "gradient";
}

const char *
tns_precision_word (tns_precision precision)
{
  static const char *const words[] = { "", "tf32", "bf16", "f16" };
  return words[precision];
}

bool
tns_wish_names_loops (const tns_wish *wish)
{
  return wish->interchange.n || wish->tile.n || wish->simd.n || wish->parallel.n
         || wish->unroll.n;
}
