/* GCC's trees of a statement (C loops as the parser left them) -> IR region.

   Reads, never changes: the trees stay as they are until the new ones are
   put in place by plugin/walk.cc.  */

#ifndef TNS_PLUGIN_EXTRACT_HH
#define TNS_PLUGIN_EXTRACT_HH

#include "plugin/symbols.hh"

extern "C"
{
#include "base/ctx.h"
}

/* Read STMTS[0..N), consecutive statements of FNDECL, which one pragma
   covers, into a region.

   The clauses temp, noalias, assume and independent of ctx->wish are
   resolved here: a name that is not found is an error at its place.

   With ASSUMES_STILL what the region reads in memory for its bounds and bases
   is taken to hold still, checked at run time (region->still).

   NULL with the reason said in CTX.  */
extern tns_region *tns_extract (tns_ctx *ctx, tree fndecl, tree *stmts, int n,
                                bool assumes_still, tns_symbols *symbols);

/* The same of *CALL, a statement of FNDECL that calls INNER: INNER is read
   whatever its attributes say, and may have no loop.  */
extern tns_region *tns_extract_call (tns_ctx *ctx, tree fndecl, tree inner,
                                     tree *call, tns_symbols *symbols);

#endif
