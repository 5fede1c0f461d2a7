/* Is a tree legal, and what is each DIM?

   One walk from the root answers both.  At a DIM every dependence that is
   still alive (equal on all DIMs above) must have a distance >= 0; the part
   at distance 0 stays alive below.  At a SEQ a dependence between two kids
   dies when it points forward; alive and pointing backward, or alive at a
   leaf, it is broken.  Freed pairs break nothing; they decide the role:

     FREE       all distances are 0
     REDUCTION  only freed pairs have others
     ORDERED    otherwise  */

#ifndef TNS_SCHEDULE_CHECK_H
#define TNS_SCHEDULE_CHECK_H

#include "schedule/tree.h"

/* Fill role and carried of every DIM of TREE.  Returns true when TREE is
   legal; else false, with *BROKEN the dependence at fault when BROKEN is not
   NULL.  Budget exhaustion is false with *BROKEN NULL.  */
extern bool tns_tree_check (tns_ctx *ctx, const tns_deps *deps, tns_tree *tree,
                            const tns_dep **broken);

/* The same for the subtree AT of TREE alone: dependences with both ends
   below AT, alive on the DIMs above it.  What lies outside of AT is taken as
   checked.  */
extern bool tns_tree_check_at (tns_ctx *ctx, const tns_deps *deps,
                               tns_tree *tree, tns_tree *at,
                               const tns_dep **broken);

#endif
