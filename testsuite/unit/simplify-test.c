/* ir/rules and ir/simplify: what is made of expressions and statements, and
   what must stay under fp(strict).  */

#include <string.h>

#include "ir/simplify.h"
#include "verdict.h"

/* text, then what is made of it under strict and under reassoc; NULL: the
   same as strict.  */
static const struct
{
  const char *text;
  const char *strict;
  const char *reassoc;
} exprs[] = {
  { "2 * 3 + n * 0", "6", NULL },
  { "(i + 1) * 2 - i - 2", "i", NULL },
  { "n + 1 - 1 + m * 1", "n + m", NULL },
  { "i64(i32(w) * h) + 0", "i64(w * h)", NULL },
  { "x + 0.0f32", "x + 0.0f32", "x" },
  { "x + -0.0f32", "x", NULL },
  { "x - 0.0f32", "x", NULL },
  { "x * 1.0f32 / 1.0f32", "x", NULL },
  { "x * 0.0f32", "x * 0.0f32", NULL },
  { "y - y", "y - y", NULL },
  { "w - w", "0i32", NULL },
  { "-(-x) + -(-x)", "x + x", NULL },
  { "1.5f32 + 2.0f32", "3.5f32", NULL },
  { "16777216.0f32 + 1.0f32", "16777216.0f32", NULL },
  { "5 / 0", "5 / 0", NULL },
  { "f32(f64(x) * 0.5f64)", "x * 0.5f32", NULL },
  { "f32(f64(x) * 0.1f64)", "f32(f64(x) * 0.1f64)", NULL },
  { "f32(sqrt(f64(x)))", "sqrt(x)", NULL },
  { "f32(exp(f64(x)))", "f32(exp(f64(x)))", NULL },
  { "f32(f64(x))", "x", NULL },
  { "f64(f32(y))", "f64(f32(y))", NULL },
  { "i64(i32(i64(w)))", "i64(w)", NULL },
  { "i32(i64(u))", "i32(u)", NULL },
  { "i64(i32(n))", "i64(i32(n))", NULL },
  { "i64(u32(w))", "i64(u32(w))", NULL },
  { "!(n < m)", "n >= m", NULL },
  { "!(x < 1.0f32)", "!(x < 1.0f32)", NULL },
  { "i32(b) != 0i32", "b", NULL },
  { "i32(b) == 0i32", "!b", NULL },
  { "n < 3 && 1bool || 0bool", "n < 3", NULL },
  { "0bool && n < 3", "0bool", NULL },
  { "(1bool ? n : m)", "n", NULL },
  { "(b ? n : n)", "n", NULL },
  { "i64(w) < 3000000000", "1bool", NULL },
  { "min(i64(u), -1)", "-1", NULL },
  { "255u8 + 1u8", "0u8", NULL },
  { "x + -A[i][j]", "x - A[i][j]", NULL },
};

/* A body, and what must stand in what is made of it, or with NOT may not.  */
static const struct
{
  const char *shows;
  const char *body;
  const char *has;
  const char *lacks;
} bodies[] = {
  { "a loop without iterations goes", "for i = 3 to 3 { s = 1.0f32; }", "{ }",
    "for" },
  { "a loop without statements goes", "for i = 0 to n { }", "{ }", "for" },
  { "a branch that is taken stays", "if (1 < 2) { s = 1.0f32; }",
    "{ s = 1.0f32; }", "if" },
  { "an empty branch turns", "if (n < 3) { } else { s = 1.0f32; }",
    "if (n >= 3) { s = 1.0f32; }", "else" },
  { "a local that nobody reads goes", "local f32 t; t = s; t += s; s = 2.0f32;",
    "{ s = 2.0f32; }", "t" },
  { "a local that is read stays", "local f32 t; t = s; s = t;",
    "local f32 t; t = s; s = t;", "x" },
  { "a store of the same goes", "s = s; A[n] = A[n];", "{ }", "=" },
  { "a neutral update of an integer goes", "k += 0; k *= 1; k += 1;",
    "{ k += 1; }", "k += 0" },
  { "a neutral update of a float stays", "s += 0.0f32;", "s += 0.0f32;", "x" },
  { "a conversion of an iterator in range goes",
    "for i = 0 to i64(w) { A[i64(i32(i))] = 1.0f32; }", "A[i] = 1.0f32;",
    "i32(i)" },
  { "one that may not be in range stays",
    "for i = 0 to n { A[i64(i32(i))] = 1.0f32; }", "A[i64(i32(i))] = 1.0f32;",
    "A[i]" },
  { "a temporary parameter that nobody reads is not stored to",
    "T[0] = s; s = 1.0f32;", "{ s = 1.0f32; }", "T[0]" },
};

/* One expression under FP.  */
static void
check_expr (const char *text, const char *wanted, tns_fp fp)
{
  tns_ctx *ctx = verdict_ctx (fp);
  tns_expr *expr = tns_expr_simplify (ctx, verdict_expr (ctx, text));
  const char *got = verdict_expr_text (ctx, expr);
  verdict (!strcmp (got, wanted), "%s: %s becomes %s",
           fp == TNS_FP_STRICT ? "strict" : "reassoc", text, got);
  tns_ctx_free (ctx);
}

/* One body.  */
static void
check_body (const char *shows, const char *body, const char *has,
            const char *lacks)
{
  tns_ctx *ctx = verdict_ctx (TNS_FP_STRICT);
  const char *text = tns_arena_format (
    ctx->arena,
    "region r { value i64 n; value i32 w; array f32 A[]; "
    "array f32 T[] temp; cell f32 s; cell i32 k32; cell i64 k; { %s } }",
    body);
  tns_region *region = tns_region_simplify (ctx, verdict_region (ctx, text));
  const char *made = strstr (verdict_region_text (ctx, region), "cell i64 k");
  made = strchr (made, '{');
  bool ok = verdict_has (ctx, made, has) && !verdict_has (ctx, made, lacks);
  verdict (ok, "%s", shows);
  if (!ok)
    puts (made);
  tns_ctx_free (ctx);
}

int
main (void)
{
  for (size_t k = 0; k < sizeof exprs / sizeof *exprs; k++)
    {
      const char *reassoc = exprs[k].reassoc;
      check_expr (exprs[k].text, exprs[k].strict, TNS_FP_STRICT);
      check_expr (exprs[k].text, reassoc ? reassoc : exprs[k].strict,
                  TNS_FP_REASSOC);
    }
  for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++)
    check_body (bodies[k].shows, bodies[k].body, bodies[k].has,
                bodies[k].lacks);
  return verdict_status ();
}
