/* Reductions in chunks: the same memory at all sizes and in any order of the
   chunks, vectorised and not; how many chunks there are; what stays
   serial.  */

#include <stdio.h>
#include <string.h>

#include "agree.h"
#include "ir/eval.h"
#include "ir/print.h"
#include "ir/simplify.h"
#include "ir/verify.h"
#include "ir/walk.h"
#include "lowering/chunks.h"
#include "lowering/promote.h"
#include "lowering/vectors.h"
#include "lowering/versions.h"
#include "verdict.h"

/* shown   what the row shows
   head    declarations; N is an i64 VALUE
   body    statements
   chunks  of the first loop over chunks where N is 1000; 0: there is none  */
typedef struct row
{
  const char *shown;
  const char *head;
  const char *body;
  long long chunks;
} row;

#define XS "array f64 x[N][N] const; array f64 s[N]; "
#define IS "array i32 x[N][N] const; array i32 s[N]; "

static const row rows[] = {
  { "a sum", "array f32 x[N] const; cell f32 s; ",
    "for i = 0 to N parallel chunks(64) simd(8) reduce(add: s) { s += x[i]; }",
    0 },
  { "a sum over two loops", "array f32 x[N][N] const; cell f32 s; ",
    "for i = 0 to N parallel chunks(64) reduce(add: s) {"
    "  for j = 0 to N simd(8) reduce(add: s) { s += x[i][j]; } }",
    64 },
  { "sums of columns", XS,
    "for i = 0 to N parallel chunks(16) reduce(add: s[0 : N]) {"
    "  for j = 0 to N simd(4) { s[j] += x[i][j]; } }",
    16 },
  { "without lanes", XS,
    "for i = 0 to N parallel chunks(16) reduce(add: s[0 : N]) {"
    "  for j = 0 to N { s[j] += x[i][j]; } }",
    16 },
  { "an odd limit", XS,
    "for i = 0 to N parallel chunks(7) reduce(add: s[0 : N]) {"
    "  for j = 0 to N simd(4) { s[j] += x[i][j]; } }",
    6 },
  { "a step", XS,
    "for i = 1 to N step 3 parallel chunks(16) reduce(add: s[0 : N]) {"
    "  for j = 0 to N simd(4) { s[j] += x[i][j]; } }",
    6 },
  { "a part of an array", XS,
    "for i = 0 to N parallel chunks(16) reduce(add: s[2 : N - 3]) {"
    "  for j = 2 to N - 1 simd(4) { s[j] += x[i][j - 1] * x[i][j]; } }",
    16 },
  { "the greatest of columns", IS,
    "for i = 0 to N parallel chunks(16) reduce(max: s[0 : N]) {"
    "  for j = 0 to N simd(4) { s[j] max= x[i][j]; } }",
    16 },
  { "products of columns", IS,
    "for i = 0 to N parallel chunks(16) reduce(mul: s[0 : N]) {"
    "  for j = 0 to N simd(4) { s[j] *= x[i][j]; } }",
    16 },
  { "bits of columns", IS,
    "for i = 0 to N parallel chunks(16) reduce(and: s[0 : N]) {"
    "  for j = 0 to N simd(4) { s[j] and= x[i][j]; } }",
    16 },
  { "two subscripts", XS "array f64 g[N][3]; ",
    "for i = 0 to N parallel chunks(16) reduce(add: g[0 : N][0 : 3]) {"
    "  for l = 0 to N { for k = 0 to 3 { for j = 0 to N simd(4) {"
    "    g[j][k] += x[i][j] * x[l][j]; } } } }",
    16 },
  { "two arrays and a cell", XS "array f64 t[N]; cell f64 c; ",
    "for i = 0 to N parallel chunks(16)"
    "    reduce(add: s[0 : N], t[0 : N], c) {"
    "  for j = 0 to N simd(4) reduce(add: c) {"
    "    s[j] += x[i][j]; t[j] += x[j][i]; c += x[i][j]; } }",
    16 },
  { "what else the loop does", XS "array f64 q[N]; ",
    "for i = 0 to N parallel chunks(16) reduce(add: s[0 : N]) {"
    "  q[i] = 0.0f64;"
    "  for j = 0 to N simd(4) reduce(add: q) { q[i] += x[i][j]; }"
    "  for t = 0 to (N + 63) / 64 parallel {"
    "    for k = 64 * t to min(64 * t + 64, N) simd(4) {"
    "      s[k] += x[i][k] * q[i]; } } }",
    16 },
  { "inside of tiles", XS,
    "for t = 0 to (N + 4095) / 4096 parallel {"
    "  for i = 0 to N parallel chunks(16) reduce(add: s[0 : N]) {"
    "    for k = 4096 * t to min(4096 * t + 4096, N) simd(4) {"
    "      s[k] += x[i][k]; } } }",
    16 },
  { "inside of many tiles", XS,
    "for t = 0 to (N + 3) / 4 parallel {"
    "  for i = 0 to N parallel chunks(16) reduce(add: s[0 : N]) {"
    "    for k = 4 * t to min(4 * t + 4, N) simd(4) {"
    "      s[k] += x[i][k]; } } }",
    0 },
  { "inside of a loop in order", XS,
    "for t = 0 to 3 {"
    "  for i = 0 to N parallel chunks(16) reduce(add: s[0 : N]) {"
    "    for j = 0 to N simd(4) { s[j] += x[i][j]; } }"
    "  for j = 0 to N simd(4) { s[j] = s[j] * 2.0f64; } }",
    16 },
  { "two at once", XS,
    "for b = 0 to 3 parallel chunks(16) reduce(add: s[0 : N]) {"
    "  for i = 0 to N parallel chunks(16) reduce(add: s[0 : N]) {"
    "    for j = 0 to N simd(4) { s[j] += x[i][j]; } } }",
    2 },
  { "a box that is found", XS,
    "for i = 0 to N parallel chunks(16) reduce(add: s) {"
    "  for j = 0 to N simd(4) { s[j] += x[i][j]; } }",
    64 },
  { "elements that indices name", XS "array i32 at[N] const; ",
    "for i = 0 to N parallel chunks(16) reduce(add: s) { local i32 k;"
    "  k = at[i]; for j = 0 to N { if (x[i][j] > 0.0f64) {"
    "    s[mod(i64(k) + j, max(N, 1))] += x[i][j]; } } }",
    64 },
  { "two arrays of narrow indices", IS "array u8 at[N] const; array i32 t[N]; ",
    "for i = 0 to N parallel chunks(16) reduce(add: s, t) {"
    "  s[min(i64(at[i]), N - 1)] += x[0][i];"
    "  for j = 0 to N { t[mod(i64(at[j]), N)] += x[i][j]; } }",
    5 },
  { "rows that indices name", IS "array i32 at[N] const; array i32 g[N][3];",
    "for i = 0 to N parallel chunks(16) reduce(add: g) {"
    "  for j = 0 to N { for k = 0 to 2 {"
    "    g[mod(i64(at[i]), N)][k + 1] += x[i][j]; } } }",
    6 },
  { "indices that change", IS "array i32 at[N]; ",
    "for i = 0 to N parallel chunks(16) reduce(add: s) {"
    "  at[i] = i32(mod(i * 7, N)); s[i64(at[i])] += x[0][i]; }",
    0 },
  { "rows too few for their length",
    "array f64 x[9][N] const;"
    "array f64 s[N]; ",
    "for i = 0 to 9 parallel chunks(16) reduce(add: s[0 : N]) {"
    "  for j = 0 to N simd(4) { s[j] += x[i][j]; } }",
    0 },
};

/* chunks, versions, simplify.  */
static tns_region *
planned (tns_ctx *ctx, tns_region *region)
{
  tns_made made = { 0 };
  region = tns_region_chunks (ctx, region, &made);
  return tns_region_simplify (ctx, tns_region_versions (ctx, region));
}

/* Those, then lanes and registers.  */
static tns_region *
lowered (tns_ctx *ctx, tns_region *region)
{
  tns_made made = { 0 };
  region = tns_region_vectors (ctx, planned (ctx, region), &made);
  return tns_region_simplify (ctx, tns_region_promote (ctx, region));
}

/* The first loop over chunks.  */
typedef struct search
{
  tns_node *loop;
} search;

/* Note NODE when it is one.  */
static bool
find_chunks (tns_node *node, void *self)
{
  search *s = self;
  if (!s->loop && node->kind == TNS_LOOP && node->marks.parallel
      && !strncmp (node->iter->name, "chunk", 5))
    s->loop = node;
  return !s->loop;
}

/* How many iterations the first loop over chunks of OUT has where N is SIZE
   and the other iterators are 0.  */
static long long
count_chunks (tns_ctx *ctx, tns_region *out, long long size)
{
  search s = { NULL };
  tns_argument argument[16] = { { .value = { .s = size } } };
  tns_node_walk (out->body, find_chunks, &s);
  if (!s.loop)
    return 0;
  tns_expr *zero = tns_int (ctx->arena, 0);
  tns_expr *hi = s.loop->hi;
  for (int k = 0; k < out->n_syms; k++)
    if (out->syms[k]->kind == TNS_SYM_ITER)
      hi = tns_expr_substitute (ctx->arena, hi, 1, &out->syms[k], &zero);
  return tns_expr_eval (out, hi, argument).s;
}

/* OUT does what IN does at SIZE in every order.  */
static bool
agrees (tns_region *in, tns_region *out, long long size)
{
  for (int order = 0; order < 3; order++)
    if (!agree_in_order (in, out, size, (unsigned) size + 1, order))
      {
        fprintf (stderr, "at size %lld, order %d\n", size, order);
        return false;
      }
  return true;
}

/* Row R through PASSES, with a FAULT or NULL planted; at the largest size where
   only that has several chunks.  */
static bool
check (const row *r, agree_passes passes, const char *fault)
{
  static const long long sizes[] = { 0, 1, 2, 3, 5, 17, 33, 67, 131 };
  char text[4096];
  snprintf (text, sizeof text, "region r { value i64 N; %s { %s } }", r->head,
            r->body);
  tns_ctx *ctx = agree_ctx ("avx512");
  ctx->wish.parallel_threshold = 1;
  ctx->break_stage = fault;
  tns_region *in = agree_parse (ctx, text);
  tns_region *out = tns_region_verify (ctx, passes (ctx, in), "passes");
  bool ok = out != NULL;
  size_t n = sizeof sizes / sizeof *sizes;
  if (ok
      && (count_chunks (ctx, out, sizes[n - 2]) > 1
          || count_chunks (ctx, out, sizes[n - 1]) < 2))
    n--;
  for (size_t k = 0; ok && k < n; k++)
    ok = agrees (in, out, sizes[k]);
  if (!ok && out && !fault)
    tns_region_debug (out);
  tns_ctx_free (ctx);
  return ok;
}

/* A fault that is planted in chunks is found by some row.  */
static bool
finds_fault (void)
{
  bool found = false;
  agree_hush (true);
  for (unsigned k = 0; k < sizeof rows / sizeof *rows && !found; k++)
    found = !check (&rows[k], planned, "chunks");
  agree_hush (false);
  return found;
}

/* Row R has the chunks that it says.  */
static bool
check_count (const row *r)
{
  char text[4096];
  snprintf (text, sizeof text, "region r { value i64 N; %s { %s } }", r->head,
            r->body);
  tns_ctx *ctx = agree_ctx ("avx512");
  tns_region *out = planned (ctx, agree_parse (ctx, text));
  long long n = count_chunks (ctx, out, 1000);
  if (n != r->chunks)
    fprintf (stderr, "%lld chunks\n", n);
  tns_ctx_free (ctx);
  return n == r->chunks;
}

/* What is printed is read back.  */
static bool
check_text (void)
{
  static const char text[]
    = "region r { value i64 N; array f64 s[N][N]; cell f64 c; {"
      "  for i = 0 to N parallel chunks(16)"
      "      reduce(add: s[1 : N - 1][0 : N], c) { c += s[0][i]; } } }";
  tns_ctx *ctx = agree_ctx ("avx512");
  tns_text first = tns_text_new (ctx->arena);
  tns_text second = tns_text_new (ctx->arena);
  tns_region_print (&first, agree_parse (ctx, text));
  tns_region_print (&second, agree_parse (ctx, tns_text_chars (&first)));
  bool ok = !strcmp (tns_text_chars (&first), tns_text_chars (&second))
            && strstr (tns_text_chars (&first),
                       "reduce(add: s[1 : N - 1][0 : N], c)");
  tns_ctx_free (ctx);
  return ok;
}

/* The visitor that counts nodes, as far as that matters.  */
static bool
count_node (tns_expr *expr, void *self)
{
  long *n = self;
  (void) expr;
  return ++*n < 1000000;
}

#define IN(iter, x)                                                            \
  "for " #iter " = max(max(0, " x " - N), " x " - 2) to "                      \
  "min(min(" x ", N), " x " + 2) {"

/* The estimate of the work of loops whose bounds each mention all iterators
   outside stays short.  */
static void
check_length (void)
{
  tns_ctx *ctx = agree_ctx ("avx512");
  tns_region *region = agree_parse (
    ctx,
    "region r { value i64 N; array f64 y[N]; { for a = 0 to N {" IN (b, "a")
      IN (c, "a + b") IN (d, "a + b + c") IN (e, "a + b + c + d")
        IN (f, "a + b + c + d + e") " y[a] += 1.0f64; } } } } } } } }");
  long n = 0;
  tns_expr_walk (tns_loop_work (ctx, region->body->kid[0]), count_node, &n);
  verdict (n < 10000, "the work of six loops is short: %ld nodes", n);
  tns_ctx_free (ctx);
}

int
main (void)
{
  for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
    {
      verdict (check (&rows[k], planned, NULL), "%s", rows[k].shown);
      verdict (check (&rows[k], lowered, NULL), "%s, lowered", rows[k].shown);
      verdict (check_count (&rows[k]), "%s: chunks", rows[k].shown);
    }
  verdict (finds_fault (), "the fault planted in chunks is found");
  verdict (check_text (), "a box as text");
  check_length ();
  return verdict_status ();
}
