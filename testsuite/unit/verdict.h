/* What unit tests of the IR share: verdicts as DejaGnu reads them, regions
   and expressions from text.  */

#ifndef TNS_TESTSUITE_VERDICT_H
#define TNS_TESTSUITE_VERDICT_H

#include <stdbool.h>

#include "base/ctx.h"
#include "ir/nest.h"

/* Print PASS or FAIL, the test's name and the words.  */
extern void verdict (bool ok, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

/* The exit status: 1 when anything failed.  */
extern int verdict_status (void);

/* A context of the malloc allocator under FP.  */
extern tns_ctx *verdict_ctx (tns_fp fp);

/* The region that TEXT says; the process ends at an error.  */
extern tns_region *verdict_region (tns_ctx *ctx, const char *text);

/* An expression over  i64 n, m; i32 w, h; u32 u; u64 z; f32 x; f64 y; bool b;
   arrays f32 A[n][m], f64 D[n], i32 X[n]; iterators i, j.  */
extern tns_expr *verdict_expr (tns_ctx *ctx, const char *text);

/* Its text; that of a region's body without the outer braces.  */
extern const char *verdict_expr_text (tns_ctx *ctx, const tns_expr *expr);
extern const char *verdict_region_text (tns_ctx *ctx, const tns_region *region);

/* TEXT with each run of blanks and line ends as one blank, none at its end.  */
extern const char *verdict_one_blank (tns_ctx *ctx, const char *text);

/* HAS stands in TEXT, each so.  */
extern bool verdict_has (tns_ctx *ctx, const char *text, const char *has);

#endif
