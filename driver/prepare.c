/* From a region as it was read to one that can be modelled, on one screen:
   each stage gives its region back where it finds nothing to do.  */

#include "driver/prepare.h"

#include "driver/parts.h"
#include "driver/tell.h"
#include "ir/argmax.h"
#include "ir/borders.h"
#include "ir/bytes.h"
#include "ir/canon.h"
#include "ir/chain.h"
#include "ir/delay.h"
#include "ir/elements.h"
#include "ir/flatten.h"
#include "ir/fresh.h"
#include "ir/gather.h"
#include "ir/induction.h"
#include "ir/keep.h"
#include "ir/localise.h"
#include "ir/multiples.h"
#include "ir/pivot.h"
#include "ir/previous.h"
#include "ir/rebase.h"
#include "ir/simplify.h"
#include "ir/table.h"
#include "ir/unroll.h"
#include "ir/wait.h"
#include "ir/wrap.h"

tns_region *
tns_prepare_shapes (tns_ctx *ctx, tns_region *region)
{
  region = tns_tell (ctx, "rebase", tns_region_rebase (ctx, region));
  region = tns_tell (ctx, "shapes", tns_region_shapes (ctx, region));
  return tns_tell (ctx, "simplify", tns_region_simplify (ctx, region));
}

tns_region *
tns_prepare (tns_ctx *ctx, tns_region *region, tns_text *steps)
{
  if (!tns_region_is_part (region))
    region = tns_region_flatten (ctx, region, steps);
  region = tns_tell (ctx, "flatten", region);
  region = tns_region_simplify (ctx, tns_region_unroll (ctx, region));
  region = tns_tell (ctx, "unroll", tns_region_wait (ctx, region));
  region = tns_tell (ctx, "localise", tns_region_localise (ctx, region));
  region = tns_tell (ctx, "elements", tns_region_elements (ctx, region));
  tns_region *wrapped = tns_region_wrap (ctx, region);
  if (wrapped != region)
    region = tns_region_simplify (ctx, wrapped);
  region = tns_tell (ctx, "wrap", region);
  tns_region *parted = tns_region_borders (ctx, region);
  if (parted != region)
    region = tns_region_simplify (ctx, parted);
  region = tns_tell (ctx, "borders", region);
  region = tns_tell (ctx, "induction", tns_region_induction (ctx, region));
  tns_region *read_again = tns_region_previous (ctx, region);
  if (read_again != region)
    region = tns_region_simplify (ctx, read_again);
  region = tns_tell (ctx, "previous", region);
  region = tns_tell (ctx, "pivot", tns_region_pivot (ctx, region));
  region = tns_tell (ctx, "argmax", tns_region_argmax (ctx, region));
  region = tns_tell (ctx, "delay", tns_region_delay (ctx, region));
  region = tns_tell (ctx, "keep", tns_region_keep (ctx, region));
  region = tns_tell (ctx, "chains", tns_region_chains (ctx, region));
  region = tns_tell (ctx, "bytes", tns_region_bytes (ctx, region));
  tns_region *gathered = tns_region_gather (ctx, region);
  if (gathered != region)
    region = tns_region_simplify (ctx, gathered);
  region = tns_tell (ctx, "gather", region);
  tns_region *tabled = tns_region_table (ctx, region);
  if (tabled != region)
    region = tns_region_simplify (ctx, tabled);
  region = tns_tell (ctx, "table", region);
  region = tns_region_multiples (ctx, tns_own_locals (ctx, region));
  return tns_tell (ctx, "multiples", region);
}
