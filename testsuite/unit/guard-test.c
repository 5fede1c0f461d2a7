/* Spans at work: a region that may touch nothing but the spans of its arrays
   runs well; in the table, one that may touch an element less does not.

     guard-test [N [SEED]]    N random regions, 100 unless said  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "driver/arguments.h"
#include "ir/canon.h"
#include "ir/print.h"
#include "poly/guard.h"
#include "random-nest.h"

/* shown  what the row shows
   head, body  the region; n and m are I64 VALUEs
   n, m   their values
   lo, hi the span of x
   refused  there is none  */
typedef struct row
{
  const char *shown;
  const char *head;
  const char *body;
  int n;
  int m;
  long lo;
  long hi;
  bool refused;
} row;

#define XY "array f32 x[]; array f32 y[]; overlap x y; "

static const row rows[] = {
  { "a loop", XY, "for i = 0 to n { x[i] = y[i]; }", 5, 0, 0, 5, false },
  { "no iterations", XY, "for i = 0 to n { x[i + 3] = y[i]; }", 0, 0, 0, 0,
    false },
  { "less than none", XY, "for i = 0 to n { x[i + 3] = y[i]; }", -4, 0, 0, 0,
    false },
  { "an offset and a stride", XY, "for i = 1 to n { x[2 * i + 3] = y[i]; }", 5,
    0, 5, 12, false },
  { "downwards", XY, "for i = n - 1 to 1 step -3 { x[i] = y[i]; }", 9, 0, 2, 9,
    false },
  { "two statements", XY,
    "for i = 0 to n { x[i] = y[i]; } for j = 0 to m { x[j + 10] = y[j]; }", 3,
    4, 0, 14, false },
  { "of which one is not executed", XY,
    "for i = 0 to n { x[i] = y[i]; } for j = 0 to m { x[j + 10] = y[j]; }", 3,
    0, 0, 3, false },
  { "rows", "array f32 x[][m]; array f32 y[]; overlap x y; ",
    "for i = 1 to n { for j = 0 to m - 1 { x[i][j] = y[i]; } }", 4, 5, 5, 19,
    false },
  { "a triangle", XY, "for i = 0 to n { for j = 0 to i { x[i - j] = y[j]; } }",
    4, 0, 1, 4, false },
  { "a gather of an object",
    "array f32 x[n][4] object; array f32 p[]; "
    "array f32 y[]; overlap x y; ",
    "for i = 0 to n { y[i] = x[0][i64(p[i])]; }", 5, 0, 0, 20, false },
  { "a gather", XY "array i64 p[]; ",
    "for i = 0 to n { y[i] = x[p[i + m] % 2 + 7]; }", 5, 0, 7, 9, false },
  { "a gather of nothing", XY "array i64 p[]; ",
    "for i = 0 to n { y[i] = x[p[i] + 7]; }", 0, 0, 0, 0, false },
  { "a scatter by numbers", XY "array f32 p[]; ",
    "for i = 0 to n { x[i64(p[i])] = y[i]; }", 5, 0, 0, 0, true },
  { "a gather by what is written", XY "array i64 p[]; ",
    "for i = 0 to n { y[i] = x[p[i]]; p[i] = i; }", 5, 0, 0, 0, true },
  { "a gather by bytes that are written", XY "array u8 p[]; ",
    "for i = 0 to n { y[i] = x[i64(p[i])]; p[i] = u8(i); }", 5, 0, 0, 256,
    false },
  { "a byte that steps by what is loaded", XY "array u8 p[]; ",
    "local u8 k; k = u8(m); for i = 0 to n { k = k + p[i64(k)]; "
    "y[i] = x[i64(k) - 2]; }",
    5, 3, -2, 254, false },
  { "a choice that asks first", XY "array f32 p[]; ",
    "for i = 0 to n { local i32 k; k = i32(p[i]); "
    "y[i] = (k >= -3i32 && k + 1i32 < i32(m) ? x[i64(k)] : 0.0f32); }",
    5, 9, -3, 8, false },
  { "a branch after what it asks has changed", XY "array f32 p[]; ",
    "for i = 0 to n { local i32 k; k = i32(p[i]); "
    "if (k >= 0i32 && k < 9i32) { k = i32(p[i + 1]); y[i] = x[i64(k)]; } }",
    5, 9, 0, 0, true },
  { "the other branch", XY "array f32 p[]; ",
    "for i = 0 to n { local i32 k; k = i32(p[i]); "
    "if (k < 0i32 || i32(m) <= k) { y[i] = 0.0f32; } "
    "else { y[i] = x[i64(k) * 2 + 1]; } }",
    5, 9, 1, 18, false },
  { "a cell that branches keep inside", XY "array f32 p[]; ",
    "for i = 0 to n { local i32 k; k = i32(p[i]); k max= 2i32; "
    "if (i32(m) <= k) { k = i32(m) - 1i32; } y[i] = x[i64(k)]; }",
    5, 9, 2, 9, false },
  { "the same in the next iteration", XY "array f32 p[]; ",
    "local i32 k; k = 1i32; for i = 0 to n { y[i] = x[i64(k)]; "
    "k = i32(p[i]); k max= 2i32; k min= 7i32; }",
    5, 9, 0, 0, true },
  { "floating numbers that are kept inside", XY "array f32 p[]; ",
    "for i = 0 to n { local f32 r; r = max(p[i], 0.5f32); "
    "if (f64(r) > f64(i32(m)) + 0.5f64) { r = f32(f64(i32(m)) + 0.5f64); } "
    "local i32 k; k = i32(r); y[i] = x[i64(k)] + x[i64(k) + 1]; }",
    5, 9, 0, 11, false },
  { "a floating multiple", XY,
    "for i = 0 to n { local i32 k; k = i32(f32(i32(i)) * 2.5f32); "
    "y[i] = x[i64(k)]; }",
    5, 0, 0, 11, false },
  { "a floating number from anywhere", XY "array f32 p[]; ",
    "for i = 0 to n { local i32 k; k = i32(p[i] * 2.5f32); k min= 9i32; "
    "y[i] = x[i64(k)]; }",
    5, 0, 0, 0, true },
  { "the high bits of what is unsigned", XY "array u32 p[]; ",
    "local u32 k; k = u32(m); for i = 0 to n { k = k * 5u32 + p[0]; "
    "y[i] = x[i64(k >> 29u32)]; }",
    5, 3, 0, 8, false },
  { "quotients by a value", XY, "for i = 0 to n { y[i] = x[i / m / m * 3]; }",
    19, 2, 0, 13, false },
  { "a quotient by less than none", XY, "for i = 0 to n { y[i] = x[i / m]; }",
    5, -3, -4, 5, false },
  { "a rest of what is unsigned", XY,
    "for i = 0 to n { y[i] = x[i64((u32(i) - 7u32) % u32(m))]; }", 5, 3, 0, 3,
    false },
  { "a rest in a cell", XY,
    "for i = 0 to n { local i32 k; k = (i32(i) + i32(n)) % i32(m); "
    "y[i] = x[i64(k)]; }",
    5, 3, 0, 3, false },
  { "a rest by what changes", XY,
    "for i = 0 to n { for j = 1 to m { y[i] = x[(i - 2) % j]; } }", 5, 4, -2, 3,
    false },
  { "a quotient and a rest", XY,
    "for i = 0 to n { for j = 0 to m { "
    "y[i] = x[3 * i * m / 4 + (i * m + j) % 5]; } }",
    5, 4, 0, 17, false },
  { "a cell", XY "array i64 p[]; ",
    "for i = 0 to n { local i64 k; k = i + 2; for j = 0 to m { "
    "if (y[j] > 0.0f32) { k = 2 * i * m; } } y[i] = x[k]; }",
    5, 4, 0, 33, false },
};

/* The span of the array called NAME; NULL when it has none.  */
static const tns_span *
find_span (const tns_region *region, const char *name)
{
  for (int k = 0; k < region->n_spans; k++)
    if (!strcmp (region->spans[k].sym->name, name))
      return &region->spans[k];
  return NULL;
}

/* Row R; whether all is as it should be.  */
static bool
check_row (const row *r)
{
  char text[2048];
  snprintf (text, sizeof text,
            "region r { value i64 n; value i64 m; %s { %s } }", r->head,
            r->body);
  tns_ctx *ctx = agree_ctx ("avx2");
  tns_region *region = agree_parse (ctx, text);
  tns_setting sizes[] = { { "n", r->n }, { "m", r->m } };
  tns_argument_wish wish = { sizes, 2, 40, 1 };
  tns_argument *argument = tns_arguments_new (ctx->arena, region, &wish);
  tns_scop *scop = tns_scop_build (ctx, region);
  tns_region *made = tns_guard_spans (ctx, scop, false);
  const tns_span *span = made ? find_span (made, "x") : NULL;
  const tns_remark *verdict = tns_verdict (ctx);
  bool ok = r->refused ? !made && verdict && verdict->why == TNS_WHY_ALIAS
                       : span && span->lo;
  long lo = 0, hi = 0;
  if (ok && !r->refused)
    {
      lo = (long) tns_expr_eval (made, span->lo, argument).s;
      hi = (long) tns_expr_eval (made, span->hi, argument).s;
      ok = lo == r->lo && hi == r->hi;
    }
  if (!ok)
    printf ("FAIL: guard: %s: %ld to %ld\n", r->shown, lo, hi);
  tns_scop_free (scop);
  tns_ctx_free (ctx);
  return ok;
}

/* What random regions came to.  */
typedef struct score
{
  int regions;
  int spans;
  int faults;
} score;

/* Let ARGUMENT of REGION touch the spans only; how many spans.  */
static int
narrow (const tns_region *region, tns_argument *argument)
{
  tns_argument *all = argument;
  int n = 0;
  for (int k = 0; k < region->n_params; k++)
    {
      const tns_span *span = find_span (region, region->params[k]->name);
      if (!span || !span->lo)
        continue;
      long long lo = tns_expr_eval (region, span->lo, all).s;
      long long hi = tns_expr_eval (region, span->hi, all).s;
      argument[k].lo = lo > argument[k].lo ? lo : argument[k].lo;
      argument[k].hi = hi < argument[k].hi ? hi : argument[k].hi;
      n++;
    }
  return n;
}

/* Whether the guards of REGION hold for the arguments.  */
static bool
guards_hold (const tns_region *region, const tns_argument *argument)
{
  for (int k = 0; k < region->n_guard; k++)
    if (!tns_expr_eval (region, region->guard[k], argument).s)
      return false;
  return true;
}

/* The region of SEED, all of its written arrays with spans.  */
static void
check_random (unsigned long long seed, score *sc)
{
  tns_ctx *ctx = agree_ctx ("avx2");
  random_nest nest
    = random_nest_new (ctx->arena, seed, seed % 2, seed % 3, false);
  tns_region *region = tns_region_shapes (ctx, nest.region);
  tns_scop *scop = tns_scop_build (ctx, region);
  tns_region *made = tns_guard_spans (ctx, scop, true);
  sc->regions += made != NULL;
  for (unsigned k = 0; made && k < 4; k++)
    {
      tns_setting sizes[]
        = { { "n", 1 + (seed + k) % 5 }, { "m", 1 + (seed / 5 + 2 * k) % 5 } };
      tns_argument_wish wish = { sizes, 2, 0, 1 };
      tns_argument *argument = tns_arguments_new (ctx->arena, made, &wish);
      if (!guards_hold (made, argument))
        continue;
      sc->spans += narrow (made, argument);
      tns_eval_options options = { 0 };
      const tns_node *where;
      if (tns_region_eval (region, argument, &options, NULL, &where)
          != TNS_EVAL_OUTSIDE)
        continue;
      tns_text text = tns_text_new (ctx->arena);
      tns_region_print (&text, made);
      printf ("%sFAIL: guard: seed %llu: outside of a span\n",
              tns_text_chars (&text), seed);
      sc->faults++;
      break;
    }
  tns_scop_free (scop);
  tns_ctx_free (ctx);
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 100;
  unsigned long long seed = argc > 2 ? strtoull (argv[2], NULL, 10) : 1;
  int failures = 0;
  for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
    failures += !check_row (&rows[k]);
  printf ("%s: guard: table\n", failures ? "FAIL" : "PASS");
  score sc = { 0 };
  for (int k = 0; k < n && !sc.faults; k++)
    check_random (seed + (unsigned long long) k, &sc);
  printf ("%d random regions, %d spans\n", sc.regions, sc.spans);
  bool enough = sc.regions * 2 > n && sc.spans > sc.regions;
  printf ("%s: guard: random regions\n",
          sc.faults || !enough ? "FAIL" : "PASS");
  return failures + sc.faults + !enough > 0;
}
