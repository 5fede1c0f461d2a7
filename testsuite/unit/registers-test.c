/* Loops marked unroll: the same memory at all sizes, and what is left of
   loops and statements.  */

#include <stdio.h>
#include <string.h>

#include "agree.h"
#include "lowering/registers.h"
#include "rows.h"

/* shown   what the row shows
   head    declarations; N is an i64 VALUE
   body    statements
   loops   that are left, -1 for any number
   places  multiplications that stand in the result

   The only loops that stay marked are those of the two copies of a row in
   lanes.  */
typedef struct row
{
  const char *shown;
  const char *head;
  const char *body;
  int loops;
  int places;
} row;

#define XY "array f32 x[N] const; array f32 y[N]; "
#define ABC                                                                    \
  "array f32 A[N][N] const; array f32 B[N][N] const; array f32 C[N][N];"

static const row rows[] = {
  { "known and small", "array f32 x[8]; ",
    "for i = 0 to 8 unroll(8) { x[i] = x[i] * 2.0f32; }", 0, 8 },
  { "known, fewer than asked for", "array f32 x[8]; ",
    "for i = 2 to 5 unroll(8) { x[i] = x[i] * 2.0f32; }", 0, 3 },
  { "known, with a rest", "array f32 x[20]; ",
    "for i = 0 to 18 unroll(4) { x[i] = x[i] * 2.0f32; }", 1, 6 },
  { "known, backwards by two", "array f32 x[20]; ",
    "for i = 19 to 2 step -2 unroll(4) { x[i] = x[i] * 2.0f32; }", 1, 5 },
  { "known, none", "array f32 x[8]; ",
    "for i = 3 to 3 unroll(4) { x[i] = x[i] * 2.0f32; }", 1, 1 },
  { "not known", XY, "for i = 0 to N unroll(4) { y[i] = x[i] * 2.0f32; }", 2,
    5 },
  { "from a bound to a bound", XY,
    "for i = N / 3 to N - N / 4 unroll(3) { y[i] = x[i] * 2.0f32; }", 2, 4 },
  { "another step stays", XY,
    "for i = 0 to N step 2 unroll(4) { y[i] = x[i] * 2.0f32; }", 1, 1 },
  { "an ordered body keeps its order", XY "cell f32 s; ",
    "for i = 0 to N unroll(4) { s = s * 2.0f32 + x[i]; y[i] = s; }", 2, 5 },
  { "rows jammed", ABC,
    "for i = 0 to N unroll(4) { for k = 0 to N { for j = 0 to N {"
    "  C[i][j] += A[i][k] * B[k][j]; } } }",
    6, 5 },
  { "rows of a register tile", ABC,
    "for i = 0 to N unroll(6) { for k = 0 to N { for j = 0 to N {"
    "  C[i][j] += A[i][k] * B[k][j]; } } }",
    12, 13 },
  { "rows of a tile that sum nothing, one by one behind it", ABC,
    "for i = 0 to N unroll(6) { for j = 0 to N simd(16) {"
    "  C[i][j] = A[i][j] * B[i][j]; } }",
    4, 7 },
  { "the tail of a tile", ABC,
    "for a = 0 to N step 6 {"
    "  for i = a to min(a + 6, N) unroll(6) {"
    "    for k = 0 to N { for j = 0 to N {"
    "      C[i][j] += A[i][k] * B[k][j]; } } } }",
    12, 13 },
  { "the tail of a small tile", ABC,
    "for a = 0 to N step 4 {"
    "  for i = a to min(a + 4, N) unroll(4) {"
    "    for k = 0 to N { C[i][0] += A[i][k] * B[k][a]; } } }",
    4, 5 },
  { "an inner triangle is copied", ABC,
    "for i = 0 to N unroll(3) { for k = 0 to i {"
    "  C[i][k] += A[i][k] * 2.0f32; } }",
    6, 4 },
  { "locals get names", "array f32 A[N][N] const; " XY,
    "for i = 0 to N unroll(4) {"
    "  local f32 s; s = 0.0f32;"
    "  for k = 0 to N { local f32 t; t = A[i][k] * x[k]; s += t; }"
    "  y[i] = s; }",
    4, 5 },
  { "reductions get names", "array f32 A[N][N] const; " XY,
    "for i = 0 to N unroll(2) {"
    "  local f32 s; s = 0.0f32;"
    "  for k = 0 to N reduce(add: s) { s += A[i][k] * x[k]; }"
    "  y[i] = s; }",
    4, 3 },
  { "a condition of all copies", XY,
    "for i = 0 to N unroll(2) {"
    "  if (N > 16) { y[i] = x[i] * 2.0f32; } else { y[i] = 1.0f32; } }",
    2, 3 },
  { "a condition of each copy", ABC,
    "for i = 0 to N unroll(2) { for k = 0 to N {"
    "  if (A[i][k] > 0.0f32) { C[i][k] = A[i][k] * 2.0f32; } } }",
    4, 3 },
  { "both loops", ABC,
    "for i = 0 to N unroll(2) { for k = 0 to N { for j = 0 to N unroll(2) {"
    "  C[i][j] += A[i][k] * B[k][j]; } } }",
    8, 9 },
  { "the tile's loops go outward", ABC,
    "for a = 0 to N step 4 { for k = 0 to N {"
    "  for i = a to min(a + 4, N) unroll(4) {"
    "    for j = 0 to 1 unroll(1) { C[i][j] += A[i][k] * B[k][j]; } } } }",
    -1, 5 },
  { "not over what they do not separate", "cell f32 s; " XY,
    "for k = 0 to N { for i = 0 to 4 unroll(4) {"
    "  s = s * 0.5f32 + x[k]; } }",
    1, 4 },
  { "not over what they do not separate, with a tail", "cell i32 s; " XY,
    "for a = 0 to N step 4 { for k = 0 to N {"
    "  for i = a to min(a + 4, N) unroll(4) {"
    "    s = s * 3i32 + i32(i + k); } } }",
    3, 5 },
};

/* Row R; whether all is as it should be.  */
static bool
check (const row *r)
{
  char text[4096];
  snprintf (text, sizeof text, "region r { value i64 N; %s { %s } }", r->head,
            r->body);
  tns_ctx *ctx = agree_ctx ("avx512");
  tns_region *out = agree_all (ctx, text, tns_region_registers);
  bool ok = out != NULL;
  if (ok)
    {
      int loops = agree_loops (out, false);
      int places = agree_count (out, TNS_MUL, false);
      int bounds = agree_count (out, TNS_FLOORDIV, false);
      ok = agree_loops (out, true) == (strstr (r->body, "simd") ? 2 : 0)
           && (r->loops < 0 || loops == r->loops)
           && places - bounds == r->places;
      if (!ok)
        fprintf (stderr, "%d loops, %d products\n", loops, places - bounds);
    }
  if (!ok)
    fprintf (stderr, "FAIL: %s\n", r->shown);
  tns_ctx_free (ctx);
  return ok;
}

MAIN_OF_ROWS (rows, check)
