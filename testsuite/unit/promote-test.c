/* What stays in registers: the same memory at all sizes, what is left of
   reads and stores in the innermost loops, and the register tile of a matrix
   product.  */

#include <stdio.h>

#include "agree.h"
#include "ir/print.h"
#include "ir/walk.h"
#include "lowering/promote.h"
#include "lowering/registers.h"
#include "lowering/vectors.h"

/* shown   what the row shows
   head    declarations; N is an i64 VALUE
   body    statements
   reads, stores  of arrays that stand in loops without loops inside  */
typedef struct row
{
  const char *shown;
  const char *head;
  const char *body;
  int reads;
  int stores;
} row;

#define XY "array f32 x[N] const; array f32 y[N]; "
#define ABC                                                                    \
  "array f32 A[N][N] const; array f32 B[N][N] const; array f32 C[N][N];"

static const row rows[] = {
  { "an accumulator", XY "cell f32 s; ", "for i = 0 to N { s += x[i] * y[i]; }",
    2, 0 },
  { "an element of an array", ABC,
    "for i = 0 to N { for j = 0 to N { for k = 0 to N {"
    "  C[i][j] += A[i][k] * B[k][j]; } } }",
    2, 0 },
  { "over two loops", ABC,
    "for i = 0 to N { for k = 0 to N { for l = 0 to N {"
    "  C[i][0] += A[i][k] * B[k][l]; } } }",
    1, 0 },
  { "over a loop that may not run", ABC "array f32 y[N]; ",
    "for i = 0 to N { for k = 0 to N { y[k] = 2.0f32; "
    "  for l = 0 to k { C[i][0] += A[i][k] * B[k][l]; } } }",
    1, 0 },
  { "what is only read", XY "array f32 a[1] const; ",
    "for i = 0 to N { y[i] = x[i] * a[0]; }", 1, 1 },
  { "nothing where nothing may be", XY,
    "for i = N to N { y[0] += y[N]; }"
    "for i = 0 to N { y[i] = x[i] + y[N - 1]; }",
    4, 2 },
  { "what the iterator stays below", XY,
    "for i = 0 to N - 1 { y[i] = x[i + 1] + y[N - 1]; }", 1, 1 },
  { "cells side by side", XY,
    "if (N > 4) { for i = 0 to N { y[1] += x[i]; y[2] += x[i]; } }", 1, 0 },
  { "a cell that others may be", XY,
    "for k = 0 to N { for i = 0 to N { y[k] = y[k] + y[i]; } }", 2, 1 },
  { "a sum of elements of its own array, as is known", "array f32 A[N][N]; ",
    "for i = 4 to N { for j = 4 to N { for k = 0 to 4 summed(A) {"
    "  A[i][j] += A[i][max(k, 0)] * A[max(k, 0)][j]; } } }",
    2, 0 },
  { "but not where nothing is known", "array f32 A[N][N]; ",
    "for i = 4 to N { for j = 4 to N { for k = 0 to 4 {"
    "  A[i][j] += A[i][max(k, 0)] * A[max(k, 0)][j]; } } }",
    3, 1 },
  { "a store under a condition", XY,
    "for k = 0 to N { for i = 0 to N {"
    "  if (x[i] > 0.0f32) { y[k] = x[i]; } } }",
    2, 1 },
  { "a store beside one", XY,
    "for k = 0 to N { for i = 0 to N {"
    "  y[k] += 1.0f32; if (x[i] > 0.0f32) { y[k] = x[i]; } } }",
    2, 0 },
  { "a read under a condition", XY "array f32 h[N / 4] const; ",
    "for i = 0 to N { if (N > 4) { y[i] = h[0]; } }", 1, 1 },
  { "a read in a choice", XY "array f32 h[N / 4] const; ",
    "for i = 0 to N { y[i] = (N > 4 ? h[0] : x[i]); }", 2, 1 },
  { "a subscript that changes", XY "cell i64 n; ",
    "n = 0; for i = 0 to N { n = i; y[n] = x[i]; }", 1, 1 },
  { "a subscript from memory", XY "array i32 n[1] const; ",
    "if (N > 8) { for i = 0 to N { y[i64(n[0])] += x[i]; } }", 1, 0 },
  { "vectors in all lanes", XY "cell f32 a; ",
    "for i = 0 to N simd(16) { y[i] = x[i] * a; }", 2, 2 },
  { "a masked tail keeps its mask",
    "array f32 A[N] const; array f32 B[N][N] const; array f32 y[N]; ",
    "for j = 0 to N simd(16) { for k = 0 to N {"
    "  y[j] += A[k] * B[k][j]; } }",
    4, 0 },
  { "a store made again", XY,
    "for i = 0 to N { y[i] = x[i]; y[i] = y[i] * 2.0f32; }", 1, 1 },
  { "a store that may be read in between", XY,
    "for i = 0 to N - 1 {"
    "  y[i] = x[i]; y[i + 1] = y[i + 1] * 2.0f32; y[i] = 1.0f32; }",
    2, 3 },
  { "a masked store made again", XY,
    "for i = 0 to N simd(16) { y[i] = x[i]; y[i] = y[i] * 2.0f32; }", 2, 2 },
  { "reads in common", XY "array f32 z[N]; ",
    "for i = 0 to N { y[i] = x[i] * 2.0f32; z[i] = x[i] + y[i]; }", 1, 2 },
  { "what was just stored", XY "array f32 z[N]; cell f32 s; ",
    "for i = 0 to N simd(16) reduce(add: s) {"
    "  y[i] = x[i] * 2.0f32; z[i] = y[i] + 1.0f32; s += z[i]; }",
    2, 4 },
  { "not what was stored elsewhere since", XY,
    "for i = 0 to N { y[i] = x[i]; y[N - 1 - i] = 2.0f32; y[i] *= y[i]; }", 3,
    3 },
  { "not over a store", XY,
    "for i = 0 to N { y[i] = y[0] + x[i]; y[i] += y[0]; }", 4, 2 },
  { "what some lanes stored", "array f32 y[N]; ",
    "for i = 0 to N simd(16) { if (y[i] > 4.0f32) { y[i] = 3.0f32; }"
    "  if (y[i] < 2.0f32) { y[i] = 2.0f32; } }",
    2, 4 },
  { "what some stored, and others again", XY,
    "for i = 0 to N simd(16) { if (x[i] > 4.0f32) { y[i] = x[i] * y[i]; }"
    "  if (x[i] < 6.0f32) { y[i] = y[i] + 2.0f32; }"
    "  if (x[i] > 2.0f32) { y[i] = y[i] * 0.5f32; } }",
    8, 6 },
  { "what some stored, and all read", XY,
    "for i = 0 to N simd(16) { if (x[i] > 4.0f32) { y[i] = x[i]; }"
    "  if (y[i] > 5.0f32) { y[i] = 5.0f32; } }",
    4, 4 },
  { "what some stored, and some of these read", XY,
    "for i = 0 to N simd(16) { if (x[i] > 4.0f32) { y[i] = y[i] + 2.0f32;"
    "  if (x[i] < 6.0f32) { y[i] = y[i] * 0.5f32; } } }",
    6, 4 },
  { "what some stored, and others that they do not hold", XY,
    "for i = 0 to N simd(16) { if (x[i] > 4.0f32) {"
    "  if (x[i] < 6.0f32) { y[i] = x[i] * 0.5f32; } y[i] = y[i] + 2.0f32; } }",
    6, 4 },
  { "threads", XY, "for i = 0 to N parallel { y[i] = x[0] + x[i]; }", 2, 1 },
  { "a known trip", "array f32 y[4]; ",
    "for i = 0 to N { for k = 0 to 4 { y[0] += 2.0f32; } }", 0, 0 },
  { "products", XY,
    "for i = 0 to N { y[i] = x[i] * 2.0f32 + 1.0f32 - x[i] * x[i];"
    " y[i] -= 3.0f32 * x[i]; }",
    2, 2 },
};

/* registers, vectors, promote.  */
static tns_region *
passes (tns_ctx *ctx, tns_region *region)
{
  region = tns_region_registers (ctx, region);
  tns_made made = { 0 };
  region = tns_region_vectors (ctx, region, &made);
  return tns_region_promote (ctx, region);
}

/* What a loop's body holds.

   arrays  reads and stores of arrays
   splats, vectors, fmas  reads of scalars for all lanes, of vectors, fused
           operations  */
typedef struct contents
{
  int loops;
  int reads;
  int stores;
  int splats;
  int vectors;
  int fmas;
} contents;

/* EXPR is an element of an array, not a LOCAL of rank 0.  */
static bool
is_element (const tns_expr *expr)
{
  return tns_expr_reads (expr)
         && (expr->sym->rank || !tns_sym_is_local (expr->sym));
}

/* Count EXPR.  */
static bool
count_expr (tns_expr *expr, void *self)
{
  contents *c = self;
  c->reads += is_element (expr);
  c->vectors += is_element (expr) && expr->type.lanes > 1;
  c->splats += expr->op == TNS_SPLAT && is_element (expr->arg[0]);
  c->fmas += expr->op == TNS_FMA;
  return true;
}

/* Count NODE, a part of a loop's body.  */
static bool
count_node (tns_node *node, void *self)
{
  contents *c = self;
  c->loops += node->kind == TNS_LOOP;
  tns_expr_walk (node->value, count_expr, c);
  tns_expr_walk (node->cond, count_expr, c);
  tns_expr_walk (node->mask, count_expr, c);
  if (node->kind == TNS_ASSIGN && is_element (node->target))
    {
      c->stores++;
      c->reads += node->update != TNS_NONE;
    }
  return true;
}

/* What NODE's body holds.  */
static contents
contents_of (const tns_node *loop)
{
  contents c = { 0 };
  tns_node_walk (loop->body, count_node, &c);
  return c;
}

/* Add what NODE holds, when it is an innermost loop.  */
static bool
add_innermost (tns_node *node, void *self)
{
  contents *sum = self;
  if (node->kind != TNS_LOOP)
    return true;
  contents c = contents_of (node);
  if (c.loops)
    return true;
  sum->loops++;
  sum->reads += c.reads;
  sum->stores += c.stores;
  return true;
}

/* Row R; whether all is as it should be.  */
static bool
check (const row *r)
{
  char text[4096];
  snprintf (text, sizeof text, "region r { value i64 N; %s { %s } }", r->head,
            r->body);
  tns_ctx *ctx = agree_ctx ("avx512");
  tns_region *out = agree_all (ctx, text, passes);
  contents c = { 0 };
  if (out)
    tns_node_walk (out->body, add_innermost, &c);
  bool ok = out && c.reads == r->reads && c.stores == r->stores;
  if (!ok)
    fprintf (stderr, "FAIL: %s: %d reads, %d stores\n", r->shown, c.reads,
             c.stores);
  tns_ctx_free (ctx);
  return ok;
}

/* A tile that was found: ROWS by 2 vectors.  */
typedef struct tile
{
  int rows;
  bool found;
} tile;

/* Note NODE, when it is a loop that holds the tile and nothing else.  */
static bool
find_tile (tns_node *node, void *self)
{
  tile *t = self;
  if (node->kind != TNS_LOOP)
    return true;
  contents c = contents_of (node);
  if (!c.loops && !c.stores && c.fmas == 2 * t->rows && c.splats == t->rows
      && c.vectors == 2 && c.reads == t->rows + 2)
    t->found = true;
  return true;
}

/* Count NODE, when it is a loop of sixteen sums.  */
static bool
find_dots (tns_node *node, void *self)
{
  contents *found = self;
  if (node->kind != TNS_LOOP)
    return true;
  contents c = contents_of (node);
  if (!c.loops && !c.stores && c.fmas == 16 && c.vectors == 8 && c.reads == 8)
    found->loops++;
  return true;
}

/* A product in tiles of N rows by two vectors, its loops in ORDER.  */
static bool
check_tile (int n, const char *order)
{
  char text[4096], loops[512];
  snprintf (loops, sizeof loops, order, n, n);
  snprintf (text, sizeof text,
            "region r { value i64 N; %s {"
            "  for a = 0 to N step %d { for b = 0 to N step 32 {"
            "    %s { C[i][j] += A[i][k] * B[k][j]; } } } } } } }",
            ABC, n, loops);
  tns_ctx *ctx = agree_ctx ("avx512");
  tns_region *out = agree_all (ctx, text, passes);
  tile t = { n, false };
  if (out)
    tns_node_walk (out->body, find_tile, &t);
  if (out && !t.found)
    tns_region_debug (out);
  if (!t.found)
    fprintf (stderr, "FAIL: the tile of %d rows\n", n);
  tns_ctx_free (ctx);
  return t.found;
}

/* A dot product in tiles of 4 by 4: sixteen sums of vectors.  */
static bool
check_dots (void)
{
  tns_ctx *ctx = agree_ctx ("avx512");
  tns_region *out = agree_all (
    ctx,
    "region r { value i64 N; " ABC " {"
    "  for a = 0 to N step 4 { for b = 0 to N step 4 {"
    "    for i = a to min(a + 4, N) unroll(4) {"
    "      for j = b to min(b + 4, N) unroll(4) {"
    "        for k = 0 to N simd(16) accumulators(1) reduce(add: C) {"
    "          C[i][j] += A[i][k] * B[j][k]; } } } } } } }",
    passes);
  contents c = { 0 };
  if (out)
    tns_node_walk (out->body, find_dots, &c);
  if (!c.loops)
    fprintf (stderr, "FAIL: sixteen sums\n");
  tns_ctx_free (ctx);
  return c.loops > 0;
}

int
main (void)
{
  static const char *const orders[] = {
    "for k = 0 to N { for i = a to min(a + %d, N) unroll(%d) {"
    "for j = b to min(b + 32, N) simd(16) unroll(2)",
    "for i = a to min(a + %d, N) unroll(%d) { for k = 0 to N {"
    "for j = b to min(b + 32, N) simd(16) unroll(2)",
    "for i = a to min(a + %d, N) unroll(%d) {"
    "for j = b to min(b + 32, N) simd(16) unroll(2) { for k = 0 to N",
    "for k = 0 to N { for i = a to min(N - 1, a + %d - 1) + 1 unroll(%d) {"
    "for j = b to min(N - 1, b + 31) + 1 simd(16) unroll(2)",
  };
  int failures = 0;
  for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
    failures += !check (&rows[k]);
  for (unsigned k = 0; k < sizeof orders / sizeof *orders; k++)
    for (int n = 6; n <= 14; n += 8)
      failures += !check_tile (n, orders[k]);
  failures += !check_dots ();
  return failures != 0;
}
