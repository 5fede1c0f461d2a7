/* The ledger against counting: random regions, whose executed operations and
   bytes the interpreter counts, and a table of regions whose sums are known.

     count-test [N [SEED]]    N random regions, 60 unless said  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "driver/arguments.h"
#include "ir/canon.h"
#include "ir/print.h"
#include "ir/walk.h"
#include "poly/count.h"
#include "random-nest.h"

/* shown  what the row shows
   head   declarations; n and m are I64 VALUEs
   body   statements
   n, m   their values
   bytes, peak  what they come to
   exact  */
typedef struct row
{
  const char *shown;
  const char *head;
  const char *body;
  int n;
  int m;
  double bytes;
  double peak;
  bool exact;
} row;

#define XY "array f32 x[n][m]; array f32 y[n][m]; "

static const row rows[] = {
  { "each element once", XY,
    "for i = 0 to n { for j = 0 to m { y[i][j] = x[i][j]; } }", 5, 7,
    2 * 4 * 35, 0, true },
  { "an element read again in the nest", XY,
    "for i = 0 to n { for j = 0 to m { y[i][j] = x[i][0]; } }", 5, 7,
    4 * 5 + 4 * 35, 0, true },
  { "overlapping reads", "array f32 x[n]; array f32 y[n]; ",
    "for i = 1 to n - 1 { y[i] = x[i - 1] + x[i] + x[i + 1]; }", 10, 0,
    4 * 10 + 4 * 8, 0, true },
  { "two nests", XY,
    "for i = 0 to n { for j = 0 to m { y[i][j] = x[i][j]; } }"
    "for k = 0 to n { for l = 0 to m { x[k][l] = y[k][l]; } }",
    5, 7, 4 * 4 * 35, 0, true },
  { "a product", "array f64 A[n][m]; array f64 B[m][n]; array f64 C[n][n]; ",
    "for i = 0 to n { for j = 0 to n { for k = 0 to m {"
    "  C[i][j] += A[i][k] * B[k][j]; } } }",
    6, 4, 8 * (24 + 24 + 2 * 36), 0, true },
  { "a triangle", XY,
    "for i = 0 to n { for j = 0 to min(i + 1, m) { y[i][j] = 1.0f32; } }", 6, 4,
    4 * (1 + 2 + 3 + 4 + 4 + 4), 0, true },
  { "no iterations", XY,
    "for i = 0 to n { for j = 0 to m { y[i][j] = x[i][j]; } }", 0, 3, 0, 0,
    true },
  { "tiles", XY,
    "for a = 0 to n step 4 { for i = a to min(a + 4, n) {"
    "  for j = 0 to m { y[i][j] = x[i][j]; } } }",
    10, 3, 2 * 4 * 30, 0, true },
  { "a local does not count", XY,
    "for i = 0 to n { local f32 t[m]; for j = 0 to m { t[j] = x[i][j]; }"
    "  for k = 0 to m { y[i][k] = t[k]; } }",
    5, 7, 2 * 4 * 35, 4 * 7, true },
  { "locals side by side share", XY,
    "{ local f32 t[m]; t[0] = 1.0f32; } { local f64 u[n]; u[0] = 1.0f64; }", 5,
    7, 0, 40, true },
  { "a temporary parameter", "array f32 t[n] temp; ",
    "for i = 0 to n { t[i] = 1.0f32; }", 5, 0, 20, 20, true },
  { "an if on an iterator", XY,
    "for i = 0 to n { for j = 0 to m { if (j != i) { y[i][j] = 1.0f32; } } }",
    5, 7, 4 * 30, 0, true },
  { "an if on data", "array f32 x[n]; ",
    "for i = 0 to n { if (x[i] > 0.0f32) { x[i] = 1.0f32; } }", 5, 0, 40, 0,
    false },
  { "a gather", "array f32 x[n]; array i64 p[n]; array f32 y[n]; ",
    "for i = 0 to n { y[i] = x[p[i]]; }", 5, 0, 20 + 40 + 20, 0, false },
  { "remainders, down in steps, have a bound that is soon found",
    "array i64 x[] restrict; array i32 p[64]; array i64 z[64];"
    "array u32 w[]; guard 200 <= n; guard mod(n - 200, 59) <= 0;"
    "guard n - 200 >= 3776;",
    "for i = n to 200 step -59 { w[m] = 5u32;"
    "  x[i64(p[m])] = (mod(i, 64) > m ? z[mod(i, 8)] : m)"
    "    - i64(u32(x[mod(i, 64)]) << 1u32) % 989; }",
    200 + 59 * 64, 0, 1096, 0, false },
};

/* The F64 value of EXPR.  */
static double
value_of (const tns_region *region, const tns_expr *expr,
          const tns_argument *argument)
{
  return (double) tns_expr_eval (region, expr, argument).f;
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
  tns_argument_wish wish = { sizes, 2, 0, 1 };
  tns_argument *argument = tns_arguments_new (ctx->arena, region, &wish);
  tns_ledger ledger = tns_count (ctx, region);
  double bytes = value_of (region, ledger.bytes, argument);
  double peak = value_of (region, ledger.peak, argument);
  bool ok = bytes == r->bytes && peak == r->peak && ledger.exact == r->exact;
  if (!ok)
    printf ("FAIL: count: %s: %g bytes, peak %g, exact %d\n", r->shown, bytes,
            peak, ledger.exact);
  tns_ctx_free (ctx);
  return ok;
}

/* What random regions came to; affine: those in which no data decides what
   is executed.  */
typedef struct score
{
  int regions;
  int affine;
  int exact;
  int faults;
} score;

/* EXPR reads memory.  */
static bool
visit_read (tns_expr *expr, void *self)
{
  bool *reads = self;
  *reads |= tns_expr_reads (expr);
  return !*reads;
}

/* EXPR chooses by data.  */
static bool
visit_choice (tns_expr *expr, void *self)
{
  bool *reads = self;
  if (expr->op == TNS_SELECT || expr->op == TNS_LAND || expr->op == TNS_LOR)
    tns_expr_walk (expr->arg[0], visit_read, self);
  return !*reads;
}

/* NODE is executed, or not, by data.  */
static bool
visit_control (tns_node *node, void *self)
{
  if (node->kind == TNS_IF)
    tns_expr_walk (node->cond, visit_read, self);
  tns_node_exprs (node, visit_choice, self);
  return true;
}

/* Data decides what is executed in REGION.  */
static bool
is_decided_by_data (const tns_region *region)
{
  bool decides = false;
  tns_node_walk (region->body, visit_control, &decides);
  return decides;
}

/* Whether a bound or an exact sum agrees with what was counted.  */
static bool
agrees (double said, double counted, bool exact)
{
  return exact ? said == counted : said >= 0;
}

/* The region of SEED at some sizes.  */
static void
check_random (unsigned long long seed, score *sc)
{
  tns_ctx *ctx = agree_ctx ("avx2");
  random_nest nest
    = random_nest_new (ctx->arena, seed, seed % 4 != 0, false, false);
  tns_region *region = tns_region_updates (ctx, nest.region);
  tns_ledger ledger = tns_count (ctx, region);
  bool affine = !is_decided_by_data (region);
  sc->regions++;
  sc->affine += affine;
  sc->exact += affine && ledger.counted;
  for (int k = 0; k < 4; k++)
    {
      tns_setting sizes[]
        = { { "n", 1 + (seed + 3 * k) % 7 }, { "m", 1 + (seed / 7 + k) % 5 } };
      tns_argument_wish wish = { sizes, 2, 0, 1 };
      tns_argument *argument = tns_arguments_new (ctx->arena, region, &wish);
      tns_eval_options options = { 0 };
      tns_counts counts;
      const tns_node *where;
      double flops = value_of (region, ledger.flops, argument);
      double accessed = value_of (region, ledger.accessed, argument);
      if (tns_region_eval (region, argument, &options, &counts, &where))
        continue;
      double moved = counts.bytes_loaded + counts.bytes_stored;
      if (agrees (flops, counts.flops, ledger.counted)
          && agrees (accessed, moved, ledger.counted))
        continue;
      tns_text text = tns_text_new (ctx->arena);
      tns_region_print (&text, region);
      printf ("%sFAIL: count: seed %llu: %g flops for %g, %g bytes for %g\n",
              tns_text_chars (&text), seed, flops, counts.flops, accessed,
              moved);
      sc->faults++;
      break;
    }
  tns_ctx_free (ctx);
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 60;
  unsigned long long seed = argc > 2 ? strtoull (argv[2], NULL, 10) : 1;
  int failures = 0;
  for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
    failures += !check_row (&rows[k]);
  printf ("%s: count: table\n", failures ? "FAIL" : "PASS");
  score sc = { 0 };
  for (int k = 0; k < n && !sc.faults; k++)
    check_random (seed + (unsigned long long) k, &sc);
  printf ("%d random regions, %d affine, %d of them exact\n", sc.regions,
          sc.affine, sc.exact);
  printf ("%s: count: random regions\n", sc.faults ? "FAIL" : "PASS");
  bool enough = sc.exact * 10 >= sc.affine * 9 && sc.affine * 3 > sc.regions;
  printf ("%s: count: nine of ten affine regions are exact\n",
          enough ? "PASS" : "FAIL");
  return failures + sc.faults > 0 || !enough;
}
