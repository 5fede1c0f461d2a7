/* Which rows of an array a function touches.  */

#include "answers.h"
#include "autodiff/flow.h"
#include "autodiff/rows.h"

/* The rows of Z that TEXT touches.  */
static const char *
rows_of_Z (tns_ctx *ctx, const char *text)
{
  tns_region *region = verdict_region (
    ctx, tns_arena_format (ctx->arena,
                           "region f { value i64 n; value i64 m; array f64 "
                           "x[n]; array f64 y[n]; array f64 Z[][m]; array i64 "
                           "k[n]; assume n > 0; assume m > 0; { %s } }",
                           text));
  tns_scop *scop = tns_scop_build (ctx, region);
  tns_flow flow = { tns_view_of (ctx->arena, region), scop };
  tns_rows rows = { 0 };
  bool known
    = tns_rows_of (ctx, &flow, tns_region_find (region, "Z"), false, &rows);
  tns_scop_free (scop);
  if (!known)
    return "unknown";
  return tns_arena_format (
    ctx->arena, "%s to %s%s%s, %s rows, when %s", answer_expr (ctx, rows.lo),
    answer_expr (ctx, rows.hi), rows.sure ? " sure" : "",
    rows.dense ? " dense" : "", answer_expr (ctx, tns_rows_count (ctx, &rows)),
    answer_expr (ctx, rows.when));
}

#define NEST "for i = 0 to n { "

static const answer_row rows[] = {
  { "rows", rows_of_Z, "for i = 1 to n { y[i] = Z[i - 1][0]; }",
    "0 to n - 2 + 1 sure, max(0, n - 1) rows, when n >= 2" },
  { "rows under a condition", rows_of_Z,
    NEST "if (i > 2) { y[i] = Z[i - 3][0]; } }",
    "0 to n - 4 + 1 sure, max(0, n - 3) rows, when n >= 4" },
  { "loose rows", rows_of_Z, NEST "for j = 0 to i { y[i] += Z[i - j][0]; } }",
    "1 to n - 1 + 1 sure, max(0, n) rows, when n >= 2" },
  { "rows that data name", rows_of_Z, NEST "y[i] = Z[k[i]][0]; }", "unknown" },
  { "rows that choices read, each said once", rows_of_Z,
    NEST "y[i] = (x[i] > 0.0f64 ? Z[i][0] : Z[i + 1][0]); "
         "Z[i][1] = (x[i] > 1.0f64 ? Z[i + 1][0] : Z[i][0]); }",
    "min((0 < n ? 0 : 2305843009213693951), (0 < n ? 1 : 2305843009213693951)) "
    "to max((0 < n ? n + -1 : -2305843009213693951), (0 < n ? n : "
    "-2305843009213693951)) + 1, max(0, max((0 < n ? n + -1 : "
    "-2305843009213693951), (0 < n ? n : -2305843009213693951)) + 1) rows, "
    "when none" },
};

MAIN_OF_ANSWERS (rows)
