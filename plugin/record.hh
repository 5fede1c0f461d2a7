/* The forms in which what happened to a region is told; plugin/report.cc
   chooses among them.  */

#ifndef TNS_PLUGIN_RECORD_HH
#define TNS_PLUGIN_RECORD_HH

#include "plugin/gcc.hh"

extern "C"
{
#include "base/text.h"
#include "driver/pipeline.h"
}

/* "fused 10 loops into 1; 9 arrays became registers; parallel over i,
   simd 16", and what the stages noted.  */
extern const char *tns_summary (tns_ctx *ctx, const tns_result *result);

/* One line of JSON (plugin/json.cc says which keys), with its newline.  NAME
   and FUNCTION are the region's.  */
extern const char *tns_json (tns_ctx *ctx, const tns_result *result,
                             const char *name, const char *function);

/* EXPR, a sum over VALUEs, as C would write it; *NUMBER is its value when
   it has no VALUE in it, and then true is returned.  */
extern bool tns_formula (tns_text *text, const tns_expr *expr, double *number);

/* The statements of RESULT's region before and after, under their loops.  */
extern const char *tns_graph_dot (tns_ctx *ctx, const tns_result *result,
                                  const char *name);
extern const char *tns_graph_json (tns_ctx *ctx, const tns_result *result,
                                   const char *name);

/* The region of RESULT, in FNDECL, as C; of a derived one also what it was
   before it was planned (plugin/emit.cc).  */
extern const char *tns_emitted (tns_ctx *ctx, const tns_result *result,
                                tree fndecl);

/* The region of RESULT as a program of its own, between a line that names it
   and one that ends it:

     [* begin LINE NAME  *]   [* end NAME  *]     ([*: a comment of C)  */
extern const char *tns_alone_text (tns_ctx *ctx, const tns_result *result);

/* WORDS at LOC where -fopt-info and -fdump-tree-all want them.  */
extern void tns_opt_info (location_t loc, bool done, const char *words);

#endif
