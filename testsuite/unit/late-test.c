/* Sums whose last elements were stored just before: the same memory, and those
   elements without lanes and masks.  */

#include <stdio.h>

#include "agree.h"
#include "lowering/late.h"
#include "lowering/vectors.h"
#include "rows.h"

/* shown  what the row shows
   body   statements
   late   the sum is taken apart  */
typedef struct row
{
  const char *shown;
  const char *body;
  bool late;
} row;

#define SUM "simd(8) accumulators(4) reduce(add: s)"

static const row rows[] = {
  { "forward substitution",
    "for i = 0 to N { s = b[i]; for j = 0 to i " SUM " {"
    "  s += A[i][j] * x[j]; } x[i] = s * 3u32; }",
    true },
  { "backward substitution",
    "for i = N - 1 to -1 step -1 { s = b[i]; for j = i + 1 to N " SUM " {"
    "  s += A[i][j] * x[j]; } x[i] = s * 3u32; }",
    true },
  { "stored on both sides of a condition",
    "for i = 0 to N { s = b[i]; for j = 0 to i " SUM " {"
    "  s += A[i][j] * x[j]; }"
    "  if (i > 3) { x[i] = s; } else { x[i] = s * 3u32; } }",
    true },
  { "a sum in the array that is stored",
    "for i = 0 to N { x[i] = b[i];"
    "  for j = 0 to i simd(8) accumulators(4) reduce(add: x) {"
    "  x[i] += A[i][j] * x[j]; } x[i] *= 3u32; }",
    true },
  { "stored by the loop in front",
    "for i = 0 to N { for j = 0 to i { x[j] = A[i][j]; }"
    "  s = 0u32; for j = 0 to i " SUM " { s += x[j] * x[j]; } b[i] = s; }",
    true },
  { "columns side by side between the sum and the loop that stores",
    "for i = 0 to N { for c = 0 to 3 parallel { s = X[i][c];"
    "  for j = 0 to i " SUM " { s += A[i][j] * X[j][c]; }"
    "  X[i][c] = s * 3u32; } }",
    true },
  { "columns of which each stores into the next",
    "for i = 0 to N { for c = 0 to 3 { s = X[i][c];"
    "  for j = 0 to i " SUM " { s += A[i][j] * X[j][c]; }"
    "  X[i][c + 1] = s * 3u32; } }",
    false },
  { "stored by lanes in front",
    "for i = 0 to N { for j = 0 to i simd(8) { x[j] = A[i][j]; }"
    "  s = 0u32; for j = 0 to i " SUM " { s += x[j] * x[j]; } b[i] = s; }",
    false },
  { "stored long before",
    "for i = 0 to N { x[i] = b[i]; }"
    "for i = 0 to N { s = 0u32; for j = 0 to N " SUM " {"
    "  s += A[i][j] * x[j]; } b[i] = s; }",
    false },
};

/* The passes.  */
static tns_region *
passes (tns_ctx *ctx, tns_region *region)
{
  tns_made made = { 0 };
  return tns_region_vectors (ctx, tns_region_late (ctx, region), &made);
}

/* Row R; whether all is as it should be.  */
static bool
check (const row *r)
{
  char text[2048];
  snprintf (text, sizeof text,
            "region r { value i64 N; array u32 A[N][N] const; array u32 b[N]; "
            "array u32 x[N]; array u32 X[N][4]; cell u32 s; { %s } }",
            r->body);
  tns_ctx *ctx = agree_ctx ("avx512");
  tns_region *out = agree_all (ctx, text, passes);
  bool ok = out != NULL;
  if (ok)
    ok = (agree_count (out, TNS_MASKED, true) == 0) == r->late
         && agree_count (out, TNS_LOAD, true) > 0;
  if (!ok)
    fprintf (stderr, "FAIL: %s\n", r->shown);
  tns_ctx_free (ctx);
  return ok;
}

MAIN_OF_ROWS (rows, check)
