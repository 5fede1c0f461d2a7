/* Work that is the same everywhere: what is done before the loops, and the
   same memory.  */

#include <stdio.h>

#include "agree.h"
#include "lowering/hoist.h"
#include "rows.h"

#define HEAD                                                                   \
  "value i64 N; value f32 a; value f32 b; value i64 z; array f32 x[N];"        \
  "array f32 y[N];"

/* shown      what the row shows
   body       statements
   roots, divisions  how many calls of sqrt and divisions are left
   cells      how many cells there are for them  */
typedef struct row
{
  const char *shown;
  const char *body;
  int roots;
  int divisions;
  int cells;
} row;

static const row rows[] = {
  { "a divisor, used twice",
    "for i = 0 to N { y[i] = x[i] / sqrt(a + f32(N)); }"
    "for i = 0 to N { for j = 0 to i { x[i] += y[j] * sqrt(a + f32(N)); } }",
    1, 1, 1 },
  { "the largest part",
    "for i = 0 to N { y[i] = x[i] * (b / sqrt(a)) + sqrt(x[i] * x[i]); }", 2, 1,
    1 },
  { "in vectors of marks",
    "for i = 0 to N simd(16) { y[i] = (x[i] > 0.0f32 ? a / b : x[i]); }", 0, 1,
    1 },
  { "not what a loop changes", "for i = 0 to N { y[i] = f32(i) / a; }", 0, 1,
    0 },
  { "not a quotient of integers",
    "for i = 0 to N { if (z > 5) { y[i] = f32(N / (z - 5)); } }", 0, 1, 0 },
  { "not outside of loops",
    "if (N > 0) { y[0] = sqrt(a); } for i = 0 to N { x[i] = a * b; }", 1, 0,
    0 },
};

/* Row R; whether all is as it should be.  */
static bool
check_row (const row *r)
{
  char text[2048];
  snprintf (text, sizeof text, "region r { %s { %s } }", HEAD, r->body);
  tns_ctx *ctx = agree_ctx ("avx512");
  tns_region *made = agree_all (ctx, text, tns_region_hoist);
  tns_region *in = agree_parse (ctx, text);
  bool ok = made && agree_count (made, TNS_SQRT, false) == r->roots
            && agree_count (made, TNS_DIV, false) == r->divisions
            && made->n_syms - in->n_syms == r->cells;
  printf ("%s: hoist: %s\n", ok ? "PASS" : "FAIL", r->shown);
  tns_ctx_free (ctx);
  return ok;
}

MAIN_OF_ROWS (rows, check_row)
