/* Loops marked simd: the same memory with lanes, at all sizes, on machines
   with and without masks; and which loops stay scalar.  */

#include <stdio.h>

#include "agree.h"
#include "ir/walk.h"
#include "lowering/vectors.h"

/* shown    what the row shows
   head     declarations; N is an i64 VALUE
   body     statements
   vectors  the loop gets lanes on avx512, on sse2  */
typedef struct row
{
  const char *shown;
  const char *head;
  const char *body;
  bool avx512;
  bool sse2;
} row;

#define XY "array f32 x[N] const; array f32 y[N]; "

static const row rows[] = {
  { "copy", XY, "for i = 0 to N simd(16) { y[i] = x[i]; }", true, true },
  { "lanes chosen", XY, "for i = 0 to N simd(1) { y[i] = x[i]; }", true, true },
  { "too many lanes", XY, "for i = 0 to N simd(64) { y[i] += x[i]; }", true,
    true },
  { "a value in all lanes", XY "value f32 a; cell f32 b; ",
    "for i = 0 to N simd(16) { y[i] = a * x[i] + b; }", true, true },
  { "four vectors side by side", XY,
    "for i = 0 to N simd(16) unroll(4) { y[i] = x[i] * x[i]; }", true, true },
  { "lines of the stored array", "array f32 x[24 * N]; array f32 y[24 * N]; ",
    "for i = 3 to 24 * N - 2 simd(16) align(y) { y[i + 1] = x[i - 3]; }"
    "for i = 0 to 24 * N simd(16) unroll(4) align(x) {"
    "  local f32 t; t = x[i] - y[i]; x[i] = t * t; }"
    "for i = 5 to 1029 simd(16) align(y) { if (N > 43) { y[i] = x[i]; } }",
    true, true },
  { "lines of an array that is not stored in order",
    "array f32 x[24 * N]; array f32 y[48 * N]; ",
    "for i = 0 to 24 * N simd(16) align(y) { x[i] = y[i]; }"
    "for i = 0 to 24 * N simd(16) align(x) {"
    "  x[24 * N - 1 - i] = y[2 * i]; }",
    true, true },
  { "an offset and a bound", XY,
    "for i = 1 to N - 1 simd(16) { y[i] = x[i - 1] + x[i + 1]; }", true, true },
  { "a known trip count", "array f32 x[100]; array f32 y[100]; ",
    "for i = 0 to 64 simd(16) { y[i] = x[i]; }"
    "for i = 64 to 100 simd(16) unroll(2) { y[i] = x[i] + 1.0f32; }"
    "for i = 10 to 15 simd(16) { x[i] = 3.0f32; }",
    true, true },
  { "the tail of a tile", XY,
    "for a = 0 to N step 32 {"
    "  for i = a to min(a + 32, N) simd(16) unroll(2) { y[i] = x[i]; } }"
    "for b = 0 to N step 16 {"
    "  for i = b to min(b + 16, N) simd(16) { y[i] += x[i]; } }"
    "for c = 0 to N step 3 {"
    "  for i = c to min(c + 3, N) simd(16) { y[i] += x[i]; } }",
    true, true },
  { "a local", XY,
    "for i = 0 to N simd(16) unroll(2) {"
    "  local f32 t; t = x[i] * 2.0f32; t += 1.0f32; y[i] = t * t; }",
    true, true },
  { "a condition", XY,
    "for i = 0 to N simd(16) {"
    "  if (x[i] > 0.0f32) { y[i] = x[i]; } else { y[i] += 2.0f32; } }",
    true, true },
  { "a store that only some lanes do", XY,
    "for i = 0 to N simd(16) { if (x[i] > 0.0f32) { y[i] = x[i]; } }", true,
    false },
  { "a read of what is stored in any case", XY,
    "for i = 0 to N simd(16) {"
    "  y[i] = (x[i] > 0.0f32 && y[i] < 2.0f32 ? 1.0f32 : 0.0f32); }",
    true, true },
  { "a condition on a local", XY,
    "for i = 0 to N simd(16) {"
    "  local f32 t; t = 1.0f32;"
    "  if (x[i] > 0.0f32) { t = x[i]; if (x[i] > 2.0f32) { t *= t; } }"
    "  y[i] = t; }",
    true, true },
  { "the same condition in all lanes", XY "cell i32 c;",
    "for i = 0 to N simd(16) {"
    "  if (c > 0i32) { y[i] = x[i]; } else { y[i] = 1.0f32; } }",
    true, true },
  { "a read that only some lanes may do", XY "array f32 h[N - N / 2] const;",
    "for i = 0 to N simd(16) {"
    "  y[i] = (i < N - N / 2 ? h[i] : x[i]); }",
    true, false },
  { "both sides read in any case", XY,
    "for i = 0 to N simd(16) { y[i] = (x[i] > y[i] ? x[i] : y[i]); }", true,
    true },
  { "one element only some lanes may read", XY "array f32 h[N / 4] const;",
    "for i = 0 to N simd(16) {"
    "  y[i] = (i * 4 + 4 <= N ? h[0] + x[i] : x[i]); }",
    true, true },
  { "two stores in either branch", XY "array f32 z[N];",
    "for i = 0 to N simd(16) {"
    "  if (x[i] > 0.0f32) { y[i] = x[i]; z[i] += y[i]; }"
    "  else { y[i] = -x[i]; z[i] += 2.0f32 * y[i]; } }",
    true, true },
  { "an element stored to under a condition on it", XY "array f32 z[N];",
    "for i = 0 to N simd(16) {"
    "  if (y[i] > 1.0f32) {"
    "    if (x[i] > y[i]) { y[i] += x[i]; } z[i] = y[i]; }"
    "  else { z[i] = y[i] * y[i]; y[i] = 0.0f32; z[i] += y[i]; } }",
    true, false },
  { "branches that store in different order", XY "array f32 z[N];",
    "for i = 0 to N simd(16) {"
    "  if (x[i] > 0.0f32) { y[i] = x[i]; z[i] = 2.0f32; }"
    "  else { z[i] = y[i]; y[i] = 1.0f32; } }",
    true, false },
  { "and decides", XY "array f32 h[N / 2] const;",
    "for i = 0 to N simd(16) {"
    "  if (i < N / 2 && h[i] > 0.0f32) { y[i] = x[i]; } }",
    true, false },
  { "or decides", XY "array f32 h[N / 2] const;",
    "for i = 0 to N simd(16) {"
    "  if (i >= N / 2 || h[i] > 0.0f32) { y[i] = x[i]; } }",
    true, false },
  { "an integer division", "array i32 x[N] const; array i32 y[N];",
    "for i = 0 to N simd(16) {"
    "  y[i] = (x[i] != 0i32 ? 100i32 / x[i] + 7i32 % x[i] : 9i32); }"
    "for i = 0 to N simd(16) { y[i] = y[i] / (x[i] * x[i] + 1i32); }",
    true, true },
  { "the iterator as a value", XY,
    "for i = 0 to N simd(16) { y[i] = f32(i) * x[i] + f32(i32(i + 2)); }", true,
    true },
  { "widening and narrowing",
    "array u8 x[N] const; array f64 y[N]; array i16 z[N];",
    "for i = 0 to N simd(16) {"
    "  y[i] = f64(x[i]) * 0.5f64; z[i] = i16(f32(x[i]) * 2.0f32); }",
    true, true },
  { "small integers in int, which GCC does better",
    "array u8 x[N] const; array i16 z[N];",
    "for i = 0 to N simd(16) { z[i] = i16(i32(x[i]) * 2i32); }", false, false },
  { "the rest of them in rows", "array u8 x[N][N] const; array u8 z[N][N];",
    "for i = 0 to N { for j = 0 to N simd(16) {"
    "  z[i][j] = u8(i32(x[i][j]) * 2i32); } }",
    true, true },
  { "the rest of their sums",
    "array u8 x[N][N] const; array i32 z[N]; cell i32 s;",
    "for i = 0 to N { s = 0i32; for j = 0 to N simd(16) reduce(add: s) {"
    "  s += i32(x[i][j]) * 2i32; } z[i] = s; }",
    true, true },
  { "bytes", "array u8 x[N] const; array u8 y[N];",
    "for i = 0 to N simd(64) { y[i] = x[i] + y[i]; }", true, true },
  { "truth as a number", XY,
    "for i = 0 to N simd(16) { y[i] = f32(x[i] > 1.0f32); }", true, true },
  { "a gather", XY "array f32 t[9] const; array i32 n[N] const;",
    "for i = 0 to N simd(16) { y[i] = t[i64(n[i])] * x[i] + x[i]; }", true,
    true },
  { "a gather only some lanes may do",
    XY "array f32 t[5] const; array i32 n[N] const;",
    "for i = 0 to N simd(16) { local f32 v; v = x[i] + 1.0f32;"
    "  if (n[i] < 5i32) { v = t[i64(n[i])] * x[i] + x[i]; } y[i] = v; }",
    true, true },
  { "backwards", XY, "for i = N - 1 to -1 step -1 simd(16) { y[i] = x[i]; }",
    true, true },
  { "rows", "array f32 x[N][N + 3] const; array f32 y[N][N];",
    "for i = 0 to N parallel { for j = 0 to N simd(16) {"
    "  y[i][j] = x[i][j + 1] + x[i][0]; } }",
    true, true },
  { "a loop inside",
    "array f32 x[N][N] const; array f32 a[N] const; array f32 y[N];",
    "for j = 0 to N simd(16) unroll(2) {"
    "  local f32 s; s = 0.0f32;"
    "  for k = 0 to N { s += a[k] * x[k][j]; } y[j] = s; }",
    true, true },
  { "two statements in order", XY "array f32 z[N];",
    "for i = 0 to N simd(16) unroll(3) {"
    "  z[i] = x[i] + y[i]; y[i] = z[i] * 2.0f32; }",
    true, true },
  { "parallel and lanes", XY,
    "for i = 0 to N parallel simd(16) unroll(2) { y[i] = x[i]; }", true, true },
  { "floor and roots", XY,
    "for i = 0 to N simd(16) { y[i] = floor(sqrt(x[i] * x[i])); }", true,
    false },
  { "round", XY, "for i = 0 to N simd(16) { y[i] = round(x[i] * 0.5f32); }",
    true, false },
  { "fmin and copysign", XY,
    "for i = 0 to N simd(16) { y[i] = fmin(copysign(x[i], y[i]), 2.0f32); }",
    true, true },
  { "strided store", "array f32 x[N] const; array f32 y[2 * N];",
    "for i = 0 to N simd(16) { y[2 * i] = x[i]; }", false, false },
  { "only a strided load", "array f32 x[N][N] const; array f32 y[N];",
    "for i = 0 to N simd(16) { y[i] = x[i][0]; }", false, false },
  { "strided step", "array f32 x[N] const; array f32 y[N];",
    "for i = 0 to N step 3 simd(16) { y[i] = x[i]; }", false, false },
  { "no function on vectors", XY,
    "for i = 0 to N simd(16) { y[i] = tgamma(x[i]); }", false, false },
  { "long double", "array f80 x[N] const; array f80 y[N];",
    "for i = 0 to N simd(4) { y[i] = x[i]; }", false, false },
  { "truth values in memory", "array bool x[N] const; array bool y[N];",
    "for i = 0 to N simd(16) { y[i] = x[i]; }", false, false },
  { "a triangle inside", "array f32 y[N];",
    "for i = 0 to N simd(16) { for k = 0 to i { y[i] += 1.0f32; } }", false,
    false },
  { "a sum not freed", XY "cell f32 s;",
    "for i = 0 to N simd(16) { s += x[i]; }", false, false },
  { "a local array", XY,
    "for i = 0 to N simd(16) {"
    "  local f32 t[2]; t[0] = x[i]; t[1] = 2.0f32; y[i] = t[0] * t[1]; }",
    false, false },
  { "a rotation, which is left to GCC", "array u32 x[N] const; array u32 y[N];",
    "for i = 0 to N simd(16) { y[i] = x[i] >> 24u32 | x[i] << 8u32; }", false,
    false },
  { "a sum", XY "cell f32 s;",
    "for i = 0 to N simd(16) reduce(add: s) { s += x[i] * y[i]; }", true,
    true },
  { "a sum in four parts", XY "cell f32 s;",
    "for i = 0 to N simd(16) accumulators(4) reduce(add: s) {"
    "  s += x[i]; }",
    true, true },
  { "a sum in three parts of five", XY "cell f32 s;",
    "for i = 0 to N simd(16) unroll(5) accumulators(3) reduce(add: s) {"
    "  s += x[i]; }",
    true, true },
  { "extremes", XY "cell f32 s; cell f32 t; cell f32 m;",
    "for i = 0 to N simd(16) accumulators(2) reduce(max: m)"
    "  reduce(min: t) reduce(add: s) {"
    "  m max= x[i]; t min= x[i]; s += y[i]; }",
    true, true },
  { "fmax and fmin", XY "cell f32 t; cell f32 m;",
    "for i = 0 to N simd(16) accumulators(2) reduce(fmax: m)"
    "  reduce(fmin: t) { m fmax= x[i]; t fmin= y[i]; }",
    true, true },
  { "extremes beside no numbers", XY "cell f32 t; cell f32 m;",
    "m = nan(f32);"
    "for i = 0 to N simd(16) reduce(fmax: m) reduce(max: t) {"
    "  m fmax= x[i] / (y[i] - y[i]); t max= x[i] / (y[i] - y[i]); }",
    true, true },
  { "integers of all kinds",
    "array u32 x[N] const; cell u32 a; cell u32 b; cell u32 c; cell u32 d;",
    "for i = 0 to N simd(16) reduce(and: a) reduce(or: b) reduce(xor: c)"
    "  reduce(mul: d) {"
    "  a &= x[i]; b |= x[i]; c ^= x[i]; d *= x[i]; }",
    true, true },
  { "a sum under a condition", XY "cell f32 s;",
    "for i = 0 to N simd(16) accumulators(2) reduce(add: s) {"
    "  if (x[i] > 0.0f32) { s += y[i]; } }",
    true, false },
  { "a wider sum", "array f32 x[N] const; cell f64 s;",
    "for i = 0 to N simd(16) reduce(add: s) { s += f64(x[i]); }", true, true },
  { "cells of an array",
    "array f32 x[N][4] const; array f32 s[4];"
    "array f32 a[N] const; array f32 b[N] const;",
    "for i = 0 to N simd(16) unroll(2) reduce(add: s) {"
    "  s[0] += a[i]; s[1] += b[i]; s[3] += a[i] * b[i]; }",
    true, true },
  { "an element per row", "array f32 x[N][N] const; array f32 s[N];",
    "for i = 0 to N { for k = 0 to N simd(16) reduce(add: s) {"
    "  s[i] += x[i][k]; } }",
    true, true },
  { "a sum read in its loop", XY "cell f32 s;",
    "for i = 0 to N simd(16) reduce(add: s) { s += x[i]; y[i] = s; }", false,
    false },
  { "sums of a loop inside", "array f32 x[N][N] const; array f32 s[N];",
    "for j = 0 to N simd(16) reduce(add: s) {"
    "  for i = 0 to N { s[i] += x[i][j]; } }",
    false, false },
  { "truth values combined", "array i32 x[N] const; cell bool b;",
    "for i = 0 to N simd(16) reduce(land: b) { b land= x[i] > 0i32; }", false,
    false },
  { "rows in place", "array f32 x[N][N]; array f32 y[N][N];",
    "for i = 0 to N { for j = 0 to N simd(16) {"
    "  local f32 t; t = x[i][j] + y[i][j]; x[i][j] = t * 2.0f32;"
    "  y[i][j] += t; } }",
    true, true },
  { "rows in place, triangles", XY "array f32 z[N][N];",
    "for i = 0 to N { for j = i to N simd(16) { z[i][j] += x[j]; } }", true,
    true },
  { "rows in place, of known length", "array f32 x[N][37];",
    "for i = 0 to N { for j = 0 to 37 simd(16) { x[i][j] *= 3.0f32; } }", true,
    true },
  { "rows in place, short", "array f32 x[N][7];",
    "for i = 0 to N { for j = 0 to 7 simd(16) { x[i][j] *= 3.0f32; } }", true,
    true },
  { "rows in place that read what they store", "array f32 x[N][N];",
    "for i = 0 to N { for j = 0 to N simd(16) {"
    "  x[i][j] *= 3.0f32; x[i][j] += x[i][j] * 0.5f32; } }",
    true, true },
  { "rows in place under a condition", "array f32 x[N][N];",
    "for i = 0 to N { for j = 0 to N simd(16) {"
    "  if (x[i][j] > 0.0f32) { x[i][j] *= 3.0f32; } } }",
    true, false },
  { "a sum of short and long rows", "array f32 x[N][N]; array f32 s[N];",
    "for i = 0 to N { for j = 0 to i simd(16) accumulators(4)"
    " reduce(add: s) { s[i] += x[i][j]; } }",
    true, true },
  { "a number of whole vectors", XY,
    "for i = 3 to floordiv(N - 3, 16) * 16 + 3 simd(16) { y[i] = x[i]; }", true,
    true },
  { "threads and lanes", XY "cell f32 s;",
    "for i = 0 to 40 * N parallel simd(16) reduce(add: s) chunks(4) {"
    "  s += x[i - i / N * N]; }",
    false, false },
};

/* The pass.  */
static tns_region *
vectors (tns_ctx *ctx, tns_region *region)
{
  tns_made made = { 0 };
  return tns_region_vectors (ctx, region, &made);
}

/* Row R on MACHINE; whether all is as it should be.  */
static bool
check (const row *r, const char *machine, bool wanted)
{
  char text[4096];
  snprintf (text, sizeof text, "region r { value i64 N; %s { %s } }", r->head,
            r->body);
  tns_ctx *ctx = agree_ctx (machine);
  tns_region *out = agree_all (ctx, text, vectors);
  bool ok = out != NULL;
  if (ok)
    {
      int n = agree_count (out, TNS_LOAD, true)
              + agree_count (out, TNS_MASKED, true)
              + agree_count (out, TNS_IOTA, true);
      ok = (n > 0) == wanted && !agree_loops (out, true);
    }
  if (!ok)
    fprintf (stderr, "FAIL: %s on %s\n", r->shown, machine);
  tns_ctx_free (ctx);
  return ok;
}

/* Note whether NODE stores under a mask.  */
static bool
note_mask (tns_node *node, void *self)
{
  bool *found = self;
  *found |= node->kind == TNS_ASSIGN && node->mask;
  return true;
}

/* The lanes of the vectors that EXPR and others have, at most.  */
static bool
note_lanes (tns_expr *expr, void *self)
{
  int *most = self;
  *most = expr->type.lanes > *most ? expr->type.lanes : *most;
  return true;
}

/* The same of NODE.  */
static bool
note_vectors (tns_node *node, void *self)
{
  tns_node_exprs (node, note_lanes, self);
  return true;
}

/* A sum along a column has half as many lanes as one along a row.  */
static bool
check_column (const char *read, int lanes)
{
  char text[4096];
  snprintf (text, sizeof text,
            "region r { value i64 N; array f32 x[N][N]; array f32 y[N]; "
            "cell f32 s; { for j = 0 to N simd(16) reduce(add: s) {"
            " s += x%s * y[j] + y[j] * y[j]; } } }",
            read);
  tns_ctx *ctx = agree_ctx ("avx512");
  tns_region *out = agree_all (ctx, text, vectors);
  int most = 0;
  if (out)
    tns_node_walk (out->body, note_vectors, &most);
  if (most != lanes)
    fprintf (stderr, "FAIL: %d lanes of x%s\n", most, read);
  tns_ctx_free (ctx);
  return most == lanes;
}

/* BODY, with rows of 37 and of N elements, is done with masks when WANTED.  */
static bool
check_masks (const char *shown, const char *body, bool wanted)
{
  char text[4096];
  snprintf (text, sizeof text,
            "region r { value i64 N; array f32 x[N][37]; array f32 y[N]; "
            "cell f32 s; { %s } }",
            body);
  tns_ctx *ctx = agree_ctx ("avx512");
  tns_region *out = agree_all (ctx, text, vectors);
  bool found = out && agree_count (out, TNS_MASKED, true) > 0;
  if (out)
    tns_node_walk (out->body, note_mask, &found);
  bool ok = out && found == wanted;
  if (!ok)
    fprintf (stderr, "FAIL: masks: %s\n", shown);
  tns_ctx_free (ctx);
  return ok;
}

/* Rows are stored without masks; so is what has whole vectors only.  */
static int
check_all_masks (void)
{
  return !check_masks ("no row", "for j = 0 to N simd(16) { y[j] = 2.0f32; }",
                       true)
         + !check_masks ("a row",
                         "for i = 0 to N { for j = 0 to 37 simd(16) {"
                         " x[i][j] = 2.0f32; } }",
                         false)
         + !check_masks ("a row in place",
                         "for i = 0 to N { for j = 0 to 37 simd(16) {"
                         " x[i][j] *= 2.0f32; } }",
                         false)
         + !check_masks ("any number of elements",
                         "for j = 0 to N simd(16) accumulators(2)"
                         " reduce(add: s) { s += y[j]; }",
                         true)
         + !check_masks ("lanes that are read one by one",
                         "for j = 0 to N simd(16) reduce(add: s) {"
                         " s += x[j][0] * y[j] + y[j] * y[j]; }",
                         false)
         + !check_masks ("whole vectors",
                         "for j = 0 to floordiv(N, 16) * 16 simd(16)"
                         " accumulators(2) reduce(add: s) { s += y[j]; }",
                         false);
}

int
main (void)
{
  int failures = check_all_masks ();
  failures += !check_column ("[0][j]", 16) + !check_column ("[j][0]", 8);
  for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
    {
      failures += !check (&rows[k], "avx512", rows[k].avx512);
      failures += !check (&rows[k], "avx2", rows[k].avx512);
      failures += !check (&rows[k], "sse2", rows[k].sse2);
    }
  return failures != 0;
}
