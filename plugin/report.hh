/* What happened, told to the user: diagnostics, opt-info, JSON, files.  */

#ifndef TNS_PLUGIN_REPORT_HH
#define TNS_PLUGIN_REPORT_HH

#include "plugin/options.hh"
#include "plugin/symbols.hh"

extern "C"
{
#include "driver/pipeline.h"
}

/* Exactly one verdict for the pragma at ctx->wish.loc: a note when done, a
   warning when refused or failed (an error under require and for errors in
   CTX), the statements left, and the files that OPTIONS asks for: the JSON
   line, the dumps, emit-c, graph.  RESULT may have no region (extraction
   refused).  FNDECL is the function around it.  */
extern void tns_report (tns_ctx *ctx, const tns_options *options,
                        const tns_result *result, tree fndecl);

/* The name of CTX's region, in FNDECL: the user's, or FUNCTION:LINE.  */
extern const char *tns_region_name (const tns_ctx *ctx, tree fndecl);

/* A warning that stays one under -Werror.  Whether it was given.  */
extern bool tns_report_warn (location_t loc, const char *words);

/* Append CHARS to FILE with one write.  */
extern void tns_report_append (const char *file, const char *chars);

/* Where ctx->dump goes: DUMPBASE.tensor, begun anew by each compilation;
   NULL when OPTIONS asks for no dump.  */
extern FILE *tns_report_dump (const tns_options *options);

#endif
