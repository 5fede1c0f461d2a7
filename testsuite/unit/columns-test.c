/* What a device gets of columns: sums of them in chunks, by groups of a block's
   threads, beside rows in registers; what is read across.  */

#include <stdio.h>
#include <string.h>

#include "agree.h"
#include "answers.h"
#include "base/text.h"
#include "lowering/along.h"
#include "lowering/chunk-columns.h"
#include "lowering/chunks.h"
#include "lowering/cuda-columns.h"
#include "lowering/cuda-cross.h"
#include "lowering/cuda-slots.h"
#include "lowering/grid-columns.h"
#include "lowering/grid-cross.h"
#include "lowering/grid-slots.h"
#include "schedule/machine.h"

/* The region whose body TEXT is.  */
static tns_region *
region_of (tns_ctx *ctx, const char *text)
{
  ctx->machine = tns_machine_find ("cuda");
  return verdict_region (
    ctx, tns_arena_format (
           ctx->arena,
           "region r { value i64 n; value i64 m; array f64 x[n][m]; array f64 "
           "y[m][n]; array f64 s[m]; array f64 t[m]; array f64 g[m]; array i64 "
           "at[n]; array f32 z[m]; cell f64 c; { %s } }",
           text));
}

/* What TEXT's assignment S1 reads costs along i and j.  */
static const char *
costs (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  const tns_node *node = answer_node (r, "S1");
  tns_sym *i = tns_region_find (r, "i");
  tns_sym *j = tns_region_find (r, "j");
  return tns_arena_format (
    ctx->arena, "i %d, j %d, by one %s",
    tns_cost_along (ctx->arena, node->value, i),
    tns_cost_along (ctx->arena, node->value, j),
    answer_bool (tns_goes_by_one (
      ctx->arena, node->value->arg[node->value->n_args - 1], j)));
}

/* TEXT's first loop as columns.  */
static const char *
columns (tns_ctx *ctx, const char *text)
{
  tns_node *loop = region_of (ctx, text)->body->kid[0];
  return tns_arena_format (
    ctx->arena, "pay %s, suit %s, %s blocks",
    answer_bool (tns_columns_pay (ctx->arena, loop)),
    answer_bool (tns_columns_suit (loop)),
    answer_expr (ctx, tns_columns_blocks (ctx->arena, loop)));
}

/* TEXT's first loop as what is read across.  */
static const char *
across (tns_ctx *ctx, const char *text)
{
  tns_cross cross;
  tns_text words = tns_text_new (ctx->arena);
  tns_node *loop = region_of (ctx, text)->body->kid[0];
  if (!tns_cross_find (ctx->arena, loop, &cross))
    return "none";
  tns_text_format (&words, "along %s, across %s,",
                   cross.loop[cross.along]->iter->name,
                   cross.loop[cross.across]->iter->name);
  for (int k = 0; k < cross.n_reads; k++)
    tns_text_format (&words, " %s", answer_expr (ctx, cross.read[k]));
  tns_text_format (&words, ", where %s, %s blocks",
                   answer_expr (ctx, tns_cross_pays (ctx->arena, &cross)),
                   answer_expr (ctx, tns_cross_blocks (ctx->arena, &cross)));
  return tns_text_chars (&words);
}

/* What TEXT's first loop has in registers.  */
static const char *
slots (tns_ctx *ctx, const char *text)
{
  tns_slots found;
  tns_text words = tns_text_new (ctx->arena);
  tns_region *r = region_of (ctx, text);
  if (!tns_slots_find (ctx->arena, r->body->kid[0], &found))
    return "none";
  for (int k = 0; k < found.n_held; k++)
    tns_text_format (&words, "%s held %s, ", found.held[k]->name,
                     answer_bool (tns_slots_hold (&found, found.held[k])));
  for (int k = 0; k < found.n_loads; k++)
    tns_text_format (
      &words, "%s%s number %d, ", answer_expr (ctx, found.load[k]),
      found.once[k] ? " once" : "",
      tns_slots_load (ctx->arena, &found, found.lanes, found.load[k]));
  tns_text_format (&words, "%d words, half where %s, has %s", found.words,
                   answer_expr (ctx, tns_slots_fit_half (ctx->arena, &found)),
                   answer_bool (tns_slots_has (&found, found.lanes)));
  return tns_text_chars (&words);
}

/* TEXT's first loop in chunks, as a region; whether the interpreter
   agrees.  */
static const char *
chunks (tns_ctx *ctx, const char *text)
{
  static const long long sizes[] = { 0, 1, 2, 65, 130 };
  tns_region *r = region_of (ctx, text);
  tns_region *made = tns_region_copy (ctx->arena, r);
  tns_node *block = tns_chunk_columns (ctx, made, r->body->kid[0]);
  if (!block)
    return "none";
  made->body = block;
  bool same = true;
  for (int k = 0; k < 15; k++)
    same &= agree_in_effect (r, made, sizes[k / 3], 1, k % 3);
  return tns_arena_format (ctx->arena, "same %s; %s", answer_bool (same),
                           answer_body (ctx, made, block));
}

/* A part of TEXT's first loop, for chunk 2 of 5.  */
static const char *
one_chunk (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_node *loop = tns_chunk_of (ctx, r->body->kid[0], tns_int (ctx->arena, 2),
                                 tns_int (ctx->arena, 5));
  return tns_arena_format (ctx->arena, "%s to %s", answer_expr (ctx, loop->lo),
                           answer_expr (ctx, loop->hi));
}

/* TEXT's first loop, in CUDA C, by columns.  */
static const char *
columns_text (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_c99 *c = tns_c99_begin (ctx, r);
  c->is_cuda = true;
  tns_cuda_columns (c, 1, &r->body->kid[0]);
  return strstr (tns_text_chars (c->text), "const bool");
}

/* The same, read across.  */
static const char *
across_text (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_c99 *c = tns_c99_begin (ctx, r);
  tns_cross cross;
  c->is_cuda = true;
  if (!tns_cross_find (ctx->arena, r->body->kid[0], &cross))
    return "none";
  tns_cuda_cross (c, &cross, 512);
  return strstr (tns_text_chars (c->text), "const int tns_near");
}

/* What is in registers of the first loop of TEXT, as text.  */
static const char *
slots_text (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_c99 *c = tns_c99_begin (ctx, r);
  tns_slots found;
  c->is_cuda = true;
  if (!tns_slots_find (ctx->arena, r->body->kid[0], &found))
    return "none";
  found.threads = 128;
  tns_cuda_slots_declare (c, found.held[0]);
  tns_cuda_slots_fetch (c, &found, true);
  tns_cuda_slots_fetch (c, &found, false);
  tns_cuda_slots_loop (c, &found, found.lanes);
  return tns_text_chars (c->text);
}

#define SUM(BODY)                                                              \
  "for j = 0 to m parallel { local f64 a; a = 0.0f64; for i = 0 to n "         \
  "simd(32) reduce(add: a) { " BODY " } s[j] = a; }"

#define ROWS(BODY)                                                             \
  "for k = 0 to 4 parallel { local f64 h[100]; for j = 0 to m simd(32) { "     \
  "h[j] = 0.0f64; } for i = 0 to n { " BODY " } for j = 0 to m simd(32) { "    \
  "s[j] = h[j]; } }"

#define ADDS(BODY)                                                             \
  "for i = 0 to n parallel chunks(64) reduce(add: s[0 : m], t[0 : m]) { " BODY \
  " }"

static const answer_row rows[] = {
  { "along a row", costs,
    "for i = 0 to n { for j = 0 to m { S1: s[j] = x[i][j + 2]; } }",
    "i 16, j 1, by one yes" },
  { "two at a time, and not at all", costs,
    "for i = 0 to n { for j = 0 to m { S1: s[j] = s[2 * j]; } }",
    "i 0, j 16, by one no" },
  { "sums of columns", columns, SUM ("a += x[i][j];"),
    "pay yes, suit yes, floordiv(max(m, 0) + 7, 8) blocks" },
  { "sums of rows", columns, SUM ("a += y[j][i];"), "pay no, suit yes, ..." },
  { "a store that others need", columns, SUM ("a += x[i][j] * s[0];"),
    "pay yes, suit no, ..." },
  { "lanes that store", columns, SUM ("x[i][j] = g[j];"),
    "pay yes, suit no, ..." },
  { "a transpose", across,
    "for i = 0 to n parallel collapse(2) { for j = 0 to m { x[i][j] = y[j][i] "
    "+ g[j]; } }",
    "along j, across i, y[j][i], where max(m, 0) >= 16 && max(n, 0) >= 16, "
    "floordiv(max(n, 0) + 31, 32) * floordiv(max(m, 0) + 31, 32) blocks" },
  { "nothing across", across,
    "for i = 0 to n parallel collapse(2) { for j = 0 to m { x[i][j] = g[j]; } "
    "}",
    "none" },
  { "in place", across,
    "for i = 0 to n parallel collapse(2) { for j = 0 to n { x[i][j] = x[j][i]; "
    "} }",
    "none" },
  { "where a condition lets it be read", across,
    "for i = 0 to n parallel collapse(2) { for j = 0 to m { x[i][j] = (g[j] > "
    "0.0f64 ? y[j][i] : 1.0f64); } }",
    "none" },
  { "rows in registers", slots,
    ROWS ("c = 0.0f64; for j = 0 to m simd(32) reduce(add: c) { c += x[i][j]; "
          "} for l = 0 to m simd(32) { h[l] += x[i][l] * g[l] * c; }"),
    "h held yes, x[i][l] number 0, g[l] once number 1, 48 words, half where m "
    "<= 1024, has yes" },
  { "elements of others", slots,
    ROWS ("for j = 0 to m simd(32) { h[j] += h[0]; }"), "none" },
  { "no array of its own", slots,
    "for i = 0 to n parallel { for j = 0 to m simd(32) { x[i][j] = g[j]; } }",
    "none" },
  { "a chunk", one_chunk, "for i = 3 to n { at[i] = i; }",
    "3 + 2 * ... to min(n, 3 + 2 * ..." },
  { "columns in chunks", chunks,
    ADDS ("for j = 0 to m { s[j] += x[i][j]; t[j] += x[i][j] * 2.0f64; }"),
    "same yes; ...local f64 s_1[max(1, min(min(1024, ...][max(m, 0)]; ...for "
    "chunk = 0 to ... parallel collapse(2) { for j = 0 to m { local f64 s_2; "
    "s_2 = 0.0f64; ...simd(32) reduce(add: s_2, t_2) { s_2 += x[i][j]; ...} "
    "s_1[chunk][j] = s_2; t_1[chunk][j] = t_2; } } for j = 0 to m parallel { "
    "...simd(32) reduce(add: s_3, t_3) { s_3 += s_1[chunk][j]; ...} s[j] += "
    "s_3; t[j] += t_3; } } }" },
  { "two nests, and a number of the row", chunks,
    ADDS ("local f64 a; a = g[0] * f64(i); for j = 0 to m { s[j] += a; } for j "
          "= 1 to m { for l = 0 to 3 { t[j - 1] += x[i][j]; } }"),
    "same yes; ..." },
  { "a sum of the row", chunks,
    ADDS ("c = 0.0f64; for j = 0 to m { c += x[i][j]; } for j = 0 to m { s[j] "
          "+= c; t[j] += c; }"),
    "none" },
  { "elements that two iterations share", chunks,
    ADDS ("for j = 0 to m - 1 { s[j] += x[i][j]; s[j + 1] += x[i][j]; }"),
    "none" },
  { "rows of different lengths", chunks,
    ADDS ("for j = 0 to min(i, m) { s[j] += x[i][j]; t[j] += 1.0f64; }"),
    "none" },
  { "text by columns", columns_text, SUM ("a += x[i][j];"),
    "const bool tns_there = tns_place < tns_columns; ...const long tns_own = "
    "tns_turns (tensor_max_i64 (n, 0), tns_group, tns_groups); TNS_UNROLL8 for "
    "(long tns_turn = 0; tns_turn < tns_own; tns_turn++) { const long i = "
    "(tns_group + tns_turn * tns_groups); a += x[i * m + j]; } } a = "
    "tns_fold_groups (a, ..., tns_parts, tns_wide); if (tns_group == 0 && "
    "tns_there) s[j] = a; }" },
  { "text across", across_text,
    "for i = 0 to n parallel collapse(2) { for j = 0 to m { x[i][j] = y[j][i]; "
    "} }",
    "const int tns_near = threadIdx.x % 32; const int tns_far = threadIdx.x / "
    "32 + tns_q * 16; ...tns_tile0[tns_far][tns_near] = y[j * n + i]; } } "
    "__syncthreads (); ...x[i * m + j] = tns_tile0[tns_near][tns_far]; } } "
    "__syncthreads (); }" },
  { "text of rows in registers", slots_text,
    ROWS ("for j = 0 to m simd(32) { h[j] += x[i][j] * x[i][j] * g[j]; }"),
    "double h[8]; double tns_own1[8] = {}; ...tns_own1[tns_slot] = g[j]; } "
    "double tns_own0[8] = {}; TNS_UNROLL for (int tns_slot = 0; tns_slot < 8; "
    "tns_slot++) if (tns_slot * 128 + (int) threadIdx.x < (int) m) { const "
    "long j = tns_slot * 128 + (int) threadIdx.x; tns_own0[tns_slot] = x[i * m "
    "+ j]; } ...{ h[tns_slot] += tns_own0[tns_slot] * tns_own0[tns_slot] * "
    "tns_own1[tns_slot]; }" },
};

MAIN_OF_ANSWERS (rows)
