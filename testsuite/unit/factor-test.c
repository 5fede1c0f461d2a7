/* Factors out of sums: which forms are taken and which are left, and memory
   that differs by no more than rounding.  */

#include <stdio.h>
#include <string.h>

#include "agree.h"
#include "ir/factor.h"
#include "ir/print.h"

#define HEAD                                                                   \
  "value i64 N; value f32 a; value f32 b; value f32 z; array f32 x[N];"        \
  "array f32 y[N]; array f32 v[N][N]; array f64 d[N]; array i32 k[N];"         \
  "cell f32 s; cell f32 t; cell f64 u; cell i32 p;"

/* shown  what the row shows
   body   statements
   lines  of the plan
   made   a part of the text that is made, or NULL  */
typedef struct row
{
  const char *shown;
  const char *body;
  const char *lines;
  const char *made;
} row;

static const row rows[] = {
  { "a quotient", "for i = 0 to N { S1: s += x[i] / z; }", "factor S1\n",
    "if (0 < N) {\n      S1_f: s += part / z;" },
  { "a quotient into a cell that was 0",
    "S1: s = 0.0f32; for i = 0 to N { S2: s += x[i] / z; }", "factor S2\n",
    "S2_f: s = (0 < N ? s / z : s);" },
  { "others stand between",
    "S1: s = 0.0f32; S2: t = z; for i = 0 to N { S3: s += x[i] / z; }",
    "factor S3\n", "S3_f: s = (0 < N ? s / z : s);" },
  { "not what was read since",
    "S1: s = 0.0f32; S2: t = s; for i = 0 to N { S3: s += x[i] / z; }",
    "factor S3\n", "S3: part += x[i];" },
  { "products in any order",
    "for i = 0 to N { S1: s += a * (x[i] * (y[i] / z)); }", "factor S1\n",
    "S1_f: s += part * a / z;" },
  { "quotients of quotients",
    "for i = 0 to N { S1: s += x[i] / (z / a) / y[i]; }", "factor S1\n",
    "S1_f: s += part * a / z;" },
  { "a numerator alone", "for i = 0 to N { S1: s += a / (x[i] * z); }",
    "factor S1\n", "S1: part += 1.0f32 / x[i];" },
  { "a sign", "for i = 0 to N { S1: s += -(x[i] / z); }", "factor S1\n",
    "S1_f: s += -(part / z);" },
  { "a row's divisor",
    "for i = 0 to N { for j = 0 to N { S1: y[i] += v[i][j] / x[i]; } }",
    "factor S1\n", "S1_f: y[i] += part / x[i];" },
  { "two loops",
    "for i = 0 to N { for j = 0 to N { S1: s += v[i][j] * x[j] / z; } }",
    "factor S1\n", "if (0 < N && 0 < N) {" },
  { "the inner one, where its bounds move",
    "for i = 0 to N { for j = 0 to i { S1: s += v[i][j] / z; } }",
    "factor S1\n", "if (0 < i) {" },
  { "down", "for i = N - 1 to -1 step -1 { S1: s += x[i] / z; }", "factor S1\n",
    "if (N - 1 > -1) {" },
  { "several", "for i = 0 to N { S1: s += x[i] / z; S2: t += y[i] / a; }",
    "factor S1\nfactor S2\n", NULL },
  { "a maximum over a constant", "for i = 0 to N { S1: s max= x[i] / 3.0f32; }",
    "factor S1\n", "S1_f: s max= part / 3.0f32;" },
  { "not one over a number of unknown sign",
    "for i = 0 to N { S1: s max= x[i] / z; }", "", NULL },
  { "not one over a negative one",
    "for i = 0 to N { S1: s min= x[i] / -3.0f32; }", "", NULL },
  { "not the opposite of one",
    "for i = 0 to N { S1: s min= -(x[i] / 3.0f32); }", "", NULL },
  { "a product of three that is long",
    "for i = 0 to 100 { S1: s += a * x[i] * y[i]; }", "factor S1\n",
    "S1_f: s += part * a;" },
  { "not one of unknown length", "for i = 0 to N { S1: s += a * x[i] * y[i]; }",
    "", NULL },
  { "not one that is short", "for i = 0 to 15 { S1: s += a * x[i] * y[i]; }",
    "", NULL },
  { "not a long product of two", "for i = 0 to 100 { S1: s += a * x[i]; }", "",
    NULL },
  { "not a product", "for i = 0 to N { S1: s += a * x[i]; }", "", NULL },
  { "not by a power of two", "for i = 0 to N { S1: s += x[i] / 4.0f32; }", "",
    NULL },
  { "not what moves", "for i = 0 to N { S1: s += x[i] / y[i]; }", "", NULL },
  { "not what the loop writes",
    "for i = 0 to N { S1: s += x[i] / t; S2: t = x[i]; }", "", NULL },
  { "not all of it", "for i = 0 to N { S1: s += a / z; }", "", NULL },
  { "not behind a conversion", "for i = 0 to N { S1: u += f64(x[i] / z); }", "",
    NULL },
  { "not integers", "for i = 0 to N { S1: p += k[i] / 3i32; }", "", NULL },
  { "not a condition's",
    "for i = 0 to N { if (x[i] > 0.0f32) { S1: s += x[i] / z; } }", "", NULL },
  { "not what the loop reads",
    "for i = 0 to N { S1: s += x[i] / z; S2: y[i] = s; }", "", NULL },
  { "not a moving cell", "for i = 0 to N { S1: x[i] += y[i] / z; }", "", NULL },
  { "not of three", "for i = 0 to 3 { S1: s += x[i] / z; }", "", NULL },
};

/* What is made, and its lines.  */
static tns_text steps;

static tns_region *
factor (tns_ctx *ctx, tns_region *region)
{
  steps = tns_text_new (ctx->arena);
  return tns_region_factor (ctx, region, &steps);
}

/* Row R under MODE; whether all is as it should be.  */
static bool
check_row (const row *r, tns_fp fp)
{
  char text[2048];
  snprintf (text, sizeof text, "region r { %s { %s } }", HEAD, r->body);
  tns_ctx *ctx = agree_ctx ("avx512");
  ctx->wish.fp = fp;
  tns_region *in = agree_parse (ctx, text);
  tns_region *made = factor (ctx, in);
  tns_text printed = tns_text_new (ctx->arena);
  tns_region_print (&printed, made);
  const char *lines = fp == TNS_FP_STRICT ? "" : r->lines;
  bool ok = !strcmp (tns_text_chars (&steps), lines)
            && (made == in) == (*lines == 0)
            && (!r->made || fp == TNS_FP_STRICT
                || strstr (tns_text_chars (&printed), r->made));
  if (!ok)
    printf ("%s%s", tns_text_chars (&steps), tns_text_chars (&printed));
  printf ("%s: factor: %s%s\n", ok ? "PASS" : "FAIL", r->shown,
          fp == TNS_FP_STRICT ? ", strict" : "");
  tns_ctx_free (ctx);
  return ok;
}

/* A plan has the sums that it names.  */
static bool
check_plan (void)
{
  static const char body[]
    = "for i = 0 to N { S1: s += x[i] / z; S2: t += x[i] / a; }";
  char text[2048];
  snprintf (text, sizeof text, "region r { %s { %s } }", HEAD, body);
  tns_ctx *ctx = agree_ctx ("avx512");
  ctx->plan_text = "plan r\nfactor S2\n";
  factor (ctx, agree_parse (ctx, text));
  bool ok = !strcmp (tns_text_chars (&steps), "factor S2\n");
  printf ("%s: factor: a plan has what it names\n", ok ? "PASS" : "FAIL");
  tns_ctx_free (ctx);
  return ok;
}

int
main (void)
{
  int failures = 0;
  for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
    {
      failures += !check_row (&rows[k], TNS_FP_REASSOC);
      failures += !check_row (&rows[k], TNS_FP_STRICT);
    }
  failures += !check_plan ();
  return failures > 0;
}
