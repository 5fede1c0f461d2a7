/* A budget of operations that ends at many points of a region's compilation:
   the region failed and says that it is the budget, or was done.  */

#include <stdio.h>

#include "agree.h"
#include "driver/pipeline.h"
#include "poly/guard.h"
#include "poly/scop.h"

static const char text[]
  = "region r {"
    "  value i64 n; value i64 m; array u64 table[]; array i32 at[n];"
    "  array f32 x[n][m]; array f32 y[]; array f32 a[n][n]; array f32 c[n][m];"
    "  overlap table y; overlap y at; overlap c at;"
    "  still table[0]; still table[n - 1];"
    "  { for i = 0 to n { for j = 0 to min(i, m) { S1: y[i * m + j] ="
    "      x[i][j] * 2.0f32; } }"
    "  for i = 0 to n { for j = 0 to m { for k = 0 to n {"
    "    S2: c[i][j] += a[i][k] * y[k * m + j]; } } }"
    "  for i = 0 to n { S3: c[i][0] += x[i64(at[i])][0]; }"
    "  for i = 0 to n { S4: c[i][1] = f32(table[i]); } }"
    "}";

/* Compile with BUDGET operations: whether the region is done.  *WELL is
   cleared where it is neither that nor over the budget.  */
static bool
compile (long long budget, bool *well)
{
  tns_ctx *ctx = agree_ctx ("avx2");
  ctx->wish.budget = budget;
  ctx->wish.check = ctx->flags.openmp = true;
  tns_region *region = agree_parse (ctx, text);
  tns_result *result = tns_pipeline (ctx, region);
  const tns_remark *verdict = tns_verdict (ctx);
  bool done = result && result->status == TNS_DONE;
  if (!done && (!verdict || verdict->why != TNS_WHY_BUDGET))
    *well = false;
  tns_ctx_free (ctx);
  return done;
}

/* The model that is there, and BUDGET operations for the spans of its arrays:
   whether there are spans.  *WELL as for compile.  */
static bool
span (long long budget, bool *well)
{
  tns_ctx *ctx = agree_ctx ("avx2");
  tns_scop *scop = tns_scop_build (ctx, agree_parse (ctx, text));
  ctx->wish.budget = budget;
  bool done = tns_guard_spans (ctx, scop, true);
  const tns_remark *verdict = tns_verdict (ctx);
  if (!scop || (!done && (!verdict || verdict->why != TNS_WHY_BUDGET)))
    *well = false;
  tns_scop_free (scop);
  tns_ctx_free (ctx);
  return done;
}

/* Smaller budgets for the spans than what they take.  */
static int
check_spans (void)
{
  bool well = true;
  int budget = 1;
  while (budget < 1000000 && !span (budget, &well))
    budget += 1 + budget / 50;
  well &= budget > 100 && budget < 1000000;
  printf ("spans take %d operations\n", budget);
  printf ("%s: budget: spans that it ends in\n", well ? "PASS" : "FAIL");
  return !well;
}

int
main (void)
{
  bool well = true;
  int failed = 0;
  long long budget = 1;
  while (budget < 1000000000 && !compile (budget, &well))
    {
      budget += 1 + budget / 50;
      failed++;
    }
  printf ("done with %lld operations, over %d smaller budgets\n", budget,
          failed);
  printf ("%s: budget: it ends at any point\n", well ? "PASS" : "FAIL");
  bool ends = failed > 100 && budget < 1000000000;
  printf ("%s: budget: it is done when there is enough\n",
          ends ? "PASS" : "FAIL");
  return check_spans () || !well || !ends;
}
