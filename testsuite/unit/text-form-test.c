/* ir/print and ir/parse: each expression comes back as it was printed; what
   is not understood is told with its place.  */

#include <string.h>

#include "ir/parse.h"
#include "ir/print.h"
#include "verdict.h"

/* Text, and how it is printed; NULL: the same.  */
static const struct
{
  const char *text;
  const char *printed;
} exprs[] = {
  { "n + m * 3 - (n - m)", NULL },
  { "(n + m) * 3", NULL },
  { "n - (m - 3)", NULL },
  { "((n - m)) - 3", "n - m - 3" },
  { "n / (m / 2) % 5", NULL },
  { "-n + -3", NULL },
  { "-(3)", NULL },
  { "- 3", "-3" },
  { "~n & 7 | n ^ m << 2", NULL },
  { "(n | m) & 7", NULL },
  { "n < m && !(n == 3) || b", NULL },
  { "(b ? n : m) + 1", NULL },
  { "(n < 3 ? (b ? 1 : 2) : 3)", NULL },
  { "min(n, max(m, 3)) + floordiv(n, 4) * mod(n, 4)", NULL },
  { "f64(x) * 0.1f64", NULL },
  { "1.5f32 + 0.1f32 + 1e-30f32 + 16777216.0f32", NULL },
  { "0x1.8p+1f32", "3.0f32" },
  { "0.1f64 + 1e+300f64 + 5e-324f64", NULL },
  { "3.14159265358979323851f80", "3.1415926535897932385f80" },
  { "-inf(f32) + nan(f32) - -nan(f32)", NULL },
  { "-0.0f64", NULL },
  { "18446744073709551615u64", NULL },
  { "-9223372036854775808", NULL },
  { "-128i8", NULL },
  { "1bool", NULL },
  { "A[i][j + 1] * A[0][0]", NULL },
  { "A[i][j]:f32x16 + splat:f32x16(x)", NULL },
  { "masked:f32x8(A[i][j], iota:i64x8(j) < splat:i64x8(m))", NULL },
  { "gather:f64x4(D[iota:i64x4(i) * splat:i64x4(2)])", NULL },
  { "16 - past_line(A[i][j + 1])", NULL },
  { "reduce_add(D[i]:f64x4)", NULL },
  { "(b ? D[i] : y)", NULL },
  { "fma(x, A[i][j], exp(x))", NULL },
  { "i32(i) + w", NULL },
  { "f64x4(A[i][0]:f32x4)", NULL },
};

/* Text, and the place and words of what is wrong.  */
static const struct
{
  const char *text;
  int line;
  int column;
  const char *words;
} wrongs[] = {
  { "region r { { x = 1; } }", 1, 16, "there is no x" },
  { "region r {\n cell f32 s;\n { s = 1; }", 3, 12, "expected }" },
  { "region r { cell f32 s; { s = ; } }", 1, 30, "expected an expression" },
  { "region r { cell f32 s; { s = 1.5; } }", 1, 30,
    "a floating constant needs its type: 1.5f32" },
  { "region r { cell f32 s; cell f32 s; { } }", 1, 33, "this name is taken" },
  { "region r { value i64 n; { n = 3; } }", 1, 29,
    "only an element of an array can be assigned" },
  { "region r { value i64 n; value f32 x; assume n < x; { } }", 1, 50,
    "the operands of lt are of different types" },
  { "region r { value i9 n; { } }", 1, 21, "there is no such element type" },
  { "region r { value i64 n; assume n $ 3; { } }", 1, 34, "expected ;" },
  { "region r { value i64 n; assume sin(n, n) > 3; { } }", 1, 40,
    "sin takes 1 operands" },
  { "region r { value i64 n; assume 300i8 < 3i8; { } }", 1, 32,
    "the constant does not fit its type" },
  { "region r { value i64 n; assume 99999999999999999999 < n; { } }", 1, 32,
    "the constant is too large" },
  { "region r { array f32 A[][]; { } }", 1, 26,
    "only the first extent may be unknown" },
  { "rejoin", 1, 1, "expected region" },
};

/* A region with every kind of line.  */
static const char whole[]
  = "region softmax \"row.c\":41 in rows {\n"
    "  value i64 n;\n"
    "  value i32 t_n \"t->n\";\n"
    "  array f32 x[][n] const restrict;\n"
    "  array f32 y[n + 1][n] stride(n * 2, 1) temp;\n"
    "  cell f64 s object;\n"
    "  params x n t_n y s;\n"
    "  overlap x y;\n"
    "  assume n > 0;\n"
    "  guard n <= 1000000;\n"
    "  span x 0 to n * n;\n"
    "  span y unknown written;\n"
    "  flops f64(n) * 2.0f64;\n"
    "  bytes_before f64(n);\n"
    "  bytes_after f64(n);\n"
    "  exact;\n"
    "  {\n"
    "    for i = 0 to n parallel balanced collapse(2) chunks(8) stages(3) "
    "reduce(add: s) {\n"
    "      for j = n to 0 step -2 simd(16) unroll(4) accumulators(2) "
    "align(y) {\n"
    "        S1: s += f64(x[i][j]);\n"
    "      }\n"
    "    }\n"
    "    local f32 t[16] heap;\n"
    "    t[0] max= x[0][0];\n"
    "    S2: where (n > 3) y[0][0] = t[0];\n"
    "    if (n == 3) {\n"
    "      s = 0.0f64;\n"
    "    } else {\n"
    "      prefetch x[0][1];\n"
    "    }\n"
    "    {\n"
    "      local f32 t[16] heap;\n"
    "    }\n"
    "  }\n"
    "}\n";

/* An expression there and back.  */
static void
check_expr (const char *text, const char *printed)
{
  tns_ctx *ctx = verdict_ctx (TNS_FP_STRICT);
  tns_expr *expr = verdict_expr (ctx, text);
  const char *got = verdict_expr_text (ctx, expr);
  const char *again = verdict_expr_text (ctx, verdict_expr (ctx, got));
  verdict (!strcmp (got, printed ? printed : text) && !strcmp (got, again),
           "%s is printed as %s", text, got);
  tns_ctx_free (ctx);
}

/* What is said of a wrong text.  */
static void
check_wrong (const char *text, int line, int column, const char *words)
{
  tns_ctx *ctx = verdict_ctx (TNS_FP_STRICT);
  tns_parse_error error = { 0 };
  const char *chars = text;
  tns_region *region = tns_region_parse (ctx->arena, &chars, &error);
  verdict (!region && error.words && !strcmp (error.words, words)
             && error.line == line && error.column == column,
           "%d:%d: %s", error.line, error.column,
           error.words ? error.words : "nothing said");
  tns_ctx_free (ctx);
}

/* A whole region there and back; two in one text; nesting without end.  */
static void
check_regions (void)
{
  tns_ctx *ctx = verdict_ctx (TNS_FP_STRICT);
  tns_region *region = verdict_region (ctx, whole);
  verdict (!strcmp (verdict_region_text (ctx, region), whole),
           "a region with every kind of line comes back");
  verdict (region->params[0]->kind == TNS_SYM_ARRAY
             && !strcmp (region->params[2]->spelled, "t->n"),
           "parameters keep their order and spelling");

  tns_parse_error error = { 0 };
  const char *chars = "region a { {} }\n# between\nregion b { {} }\n";
  tns_region *a = tns_region_parse (ctx->arena, &chars, &error);
  tns_region *b = tns_region_parse (ctx->arena, &chars, &error);
  tns_region *c = tns_region_parse (ctx->arena, &chars, &error);
  verdict (a && b && !c && !error.words && !strcmp (b->name, "b")
             && b->loc.line == 3,
           "regions follow each other");

  char deep[20001];
  memset (deep, '(', 20000);
  deep[20000] = '\0';
  tns_expr *expr = tns_expr_parse (ctx->arena, region, deep, &error);
  verdict (!expr && !strcmp (error.words, "nested too deeply"),
           "nesting has a limit");
  tns_ctx_free (ctx);
}

int
main (void)
{
  for (size_t k = 0; k < sizeof exprs / sizeof *exprs; k++)
    check_expr (exprs[k].text, exprs[k].printed);
  for (size_t k = 0; k < sizeof wrongs / sizeof *wrongs; k++)
    check_wrong (wrongs[k].text, wrongs[k].line, wrongs[k].column,
                 wrongs[k].words);
  check_regions ();
  return verdict_status ();
}
