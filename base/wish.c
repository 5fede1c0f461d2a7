/* The defaults of a wish.  */

#include "base/wish.h"

tns_wish
tns_wish_default (void)
{
  return (tns_wish){ .fp = TNS_FP_REASSOC,
                     .fuse = TNS_FUSE_AUTO,
                     .target = TNS_TARGET_CPU };
}
