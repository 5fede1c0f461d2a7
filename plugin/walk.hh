/* Finds the marked statements of a function, runs the pipeline on each, and
   puts the result in place or keeps the original.  */

#ifndef TNS_PLUGIN_WALK_HH
#define TNS_PLUGIN_WALK_HH

#include "plugin/options.hh"

extern "C"
{
#include "base/ctx.h"
}

/* A context for WISH.  */
extern tns_ctx *tns_context_new (const tns_options *options,
                                 const tns_wish *wish);

/* PLUGIN_PRE_GENERICIZE: FNDECL's body is as the parser left it.  */
extern void tns_walk_function (tree fndecl, const tns_options *options);

#endif
