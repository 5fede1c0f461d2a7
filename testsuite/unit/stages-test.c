/* Tiles that are copied to shared memory by themselves: what of them, how many
   stages there is room for, which lines have to be aligned; their text, step by
   step; which plan asks for them.  */

#include <string.h>

#include "answers.h"
#include "base/text.h"
#include "driver/device.h"
#include "lowering/cuda-matrix.h"
#include "lowering/cuda-stages.h"
#include "lowering/cuda-tile.h"
#include "lowering/grid-stages.h"

/* The region whose body TEXT is.  */
static tns_region *
region_of (tns_ctx *ctx, const char *text)
{
  ctx->machine = tns_machine_find ("cuda");
  return verdict_region (
    ctx, tns_arena_format (
           ctx->arena,
           "region r { value i64 m; value i64 n; value i64 k; array f32 "
           "a[m][k]; array f32 b[k][n]; array f32 c[m][n]; array f32 t[k][m]; "
           "array u16 g[m][k]; array u16 h[k][n]; array u16 o[1024][64]; array "
           "i64 at[m]; array f64 w[k][n]; array f64 v[k][m]; array f64 "
           "z[m][n]; { %s } }",
           text));
}

/* What STAGES are of TILE.  */
static const char *
told (tns_ctx *ctx, const tns_tile *tile, const tns_stages *stages)
{
  tns_text words = tns_text_new (ctx->arena);
  tns_text_format (&words, "%d stages", stages->n);
  for (int o = 0; o < tile->n_operands; o++)
    if (stages->sent >> o & 1)
      tns_text_format (&words, ", %s",
                       answer_expr (ctx, tile->operand[o].load));
  if (stages->bytes)
    tns_text_format (&words, ", %d bytes", stages->bytes);
  tns_text_add (&words, "; ");
  return tns_text_chars (&words);
}

/* The stages of TEXT's tiles, the larger one first.  */
static const char *
tiles (tns_ctx *ctx, const char *text)
{
  tns_tile tile;
  tns_text words = tns_text_new (ctx->arena);
  tns_region *r = region_of (ctx, text);
  if (!tns_tile_find (ctx->arena, r->body->kid[0], &tile))
    return "none";
  const tns_tile_shape *shape = tns_tile_shapes (&tile);
  for (int k = 0; k < TNS_TILE_SHAPES && shape[k].rows; k++)
    {
      tns_stages s = tns_tile_stages (&tile, &shape[k], ctx->machine);
      tns_text_add (&words, told (ctx, &tile, &s));
    }
  return tns_text_chars (&words);
}

/* The same with tensor cores, and what the host asks for these.  */
static const char *
matrices (tns_ctx *ctx, const char *text)
{
  tns_tile tile;
  tns_matrix matrix;
  tns_text words = tns_text_new (ctx->arena);
  tns_region *r = region_of (ctx, text);
  tns_stages s = { .n = 0 };
  if (!tns_tile_find (ctx->arena, r->body->kid[0], &tile)
      || !tns_matrix_find (ctx->arena, &tile, TNS_PRECISION_BF16, &matrix))
    return "none";
  for (int k = 0; k < 2; k++)
    {
      s = tns_matrix_stages (&tile, &matrix, k, ctx->machine);
      tns_text_add (&words, told (ctx, &tile, &s));
    }
  tns_text_add (&words, answer_expr (ctx, tns_stages_suit (ctx->arena, &tile,
                                                           &matrix, &s)));
  return tns_text_chars (&words);
}

/* The text of TEXT's smaller tiles.  */
static const char *
printed (tns_ctx *ctx, const char *text)
{
  tns_tile tile;
  tns_region *r = region_of (ctx, text);
  if (!tns_tile_find (ctx->arena, r->body->kid[0], &tile))
    return "none";
  tns_c99 *c = tns_c99_begin (ctx, r);
  const tns_tile_shape *shape = &tns_tile_shapes (&tile)[1];
  tns_stages s = tns_tile_stages (&tile, shape, ctx->machine);
  c->is_cuda = true;
  tns_cuda_tile (c, &tile, shape, &s);
  return strstr (tns_text_chars (c->text), "__shared__");
}

/* The same of the larger ones with tensor cores.  */
static const char *
printed_matrix (tns_ctx *ctx, const char *text)
{
  tns_tile tile;
  tns_matrix matrix;
  tns_region *r = region_of (ctx, text);
  if (!tns_tile_find (ctx->arena, r->body->kid[0], &tile)
      || !tns_matrix_find (ctx->arena, &tile, TNS_PRECISION_BF16, &matrix))
    return "none";
  tns_c99 *c = tns_c99_begin (ctx, r);
  tns_stages s = tns_matrix_stages (&tile, &matrix, 0, ctx->machine);
  c->is_cuda = true;
  tns_cuda_matrix (c, &tile, &matrix, 0, &s);
  return strstr (tns_text_chars (c->text), "TNS_SHARED");
}

/* What TEXT's smaller tiles say piece by piece.  */
static const char *
pieces (tns_ctx *ctx, const char *text)
{
  tns_tile tile;
  tns_region *r = region_of (ctx, text);
  if (!tns_tile_find (ctx->arena, r->body->kid[0], &tile))
    return "none";
  tns_c99 *c = tns_c99_begin (ctx, r);
  const tns_tile_shape *shape = &tns_tile_shapes (&tile)[1];
  tns_stages s = tns_tile_stages (&tile, shape, ctx->machine);
  tns_tiling t = { .c = c, .tile = &tile, .shape = shape, .stages = &s };
  for (int o = 0; o < tile.n_operands; o++)
    tns_text_line (c->text, "%s %d parts, %s, %s;",
                   tns_stages_send (&t, o) ? "sent," : "left,",
                   tns_stages_parts (&t, o), tns_stages_read (&t, o),
                   tns_stages_filled (&t, o));
  tns_text_line (c->text, "%d ahead%s;", tns_stages_ahead (&t),
                 tns_stages_leave (&t) ? ", some left" : "");
  tns_stages_first (&t, "true");
  tns_stages_next (&t, "false");
  tns_stages_turn (&t);
  tns_stages_wait (&t);
  return tns_text_chars (c->text);
}

/* The kernels of TEXT, in bf16: stages, bytes; whether the words of these stand
   in front.  */
static const char *
kernels (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_text words = tns_text_new (ctx->arena);
  ctx->wish.precision = TNS_PRECISION_BF16;
  tns_grid *grid = tns_grid_build (ctx, r);
  for (int k = 0; grid && k < grid->n; k++)
    tns_text_format (&words, "%d %d, ", grid->kernel[k].stages.n,
                     grid->kernel[k].stages.bytes);
  tns_text_add (
    &words,
    answer_bool (grid && tns_grid_needs_words (grid) != TNS_WORDS_NONE));
  return tns_text_chars (&words);
}

/* The plan of TEXT for a device.  */
static const char *
plan (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_result *result = tns_pipeline (tns_device_context (ctx), r);
  return result ? result->plan : "none";
}

#define IN(N)                                                                  \
  "for i = 0 to m parallel collapse(2) stages(" #N ") { for j = 0 to n { "
#define SUM     "local f32 s; s = 0.0f32; for l = 0 to k { s += "
#define SUM2    "local f64 s; s = 0.0f64; for l = 0 to k { s += "
#define END     "; } c[i][j] = s; } }"
#define END2    "; } z[i][j] = s; } }"
#define WIDE(X) "bits:f32(u32(" X ") << 16u32)"

static const answer_row rows[] = {
  { "one operand turned", tiles, IN (4) SUM "a[i][l] * b[l][j]" END,
    "4 stages, b[l][j]; 4 stages, b[l][j]; 4 stages, b[l][j]; " },
  { "both as they are", tiles, IN (4) SUM "t[l][i] * b[l][j]" END,
    "4 stages, t[l][i], b[l][j]; 3 stages, t[l][i], b[l][j]; 3 stages, "
    "t[l][i], b[l][j]; " },
  { "no more than asked for", tiles, IN (2) SUM "t[l][i] * b[l][j]" END,
    "2 stages, t[l][i], b[l][j]; 2 stages, t[l][i], b[l][j]; 2 stages, "
    "t[l][i], b[l][j]; " },
  { "not asked for", tiles, IN (0) SUM "t[l][i] * b[l][j]" END,
    "0 stages; 0 stages; 0 stages; " },
  { "both turned", tiles, IN (4) SUM "a[i][l] * a[j][l]" END,
    "0 stages; 0 stages; 0 stages; " },
  { "doubles", tiles, IN (4) SUM2 "v[l][i] * w[l][j]" END2,
    "4 stages, v[l][i], w[l][j]; 2 stages, v[l][i], w[l][j]; " },
  { "smaller elements", tiles, IN (4) SUM "f32(g[l][i]) * f32(h[l][j])" END,
    "0 stages; 0 stages; 0 stages; " },
  { "bf16", matrices, IN (4) SUM WIDE ("g[i][l]") " * " WIDE ("h[l][j]") END,
    "4 stages, g[i][l], h[l][j], 98304 bytes; 4 stages, g[i][l], h[l][j]; "
    "mod(k, 8) == 0 && mod(n, 8) == 0" },
  { "bf16 with known lines", matrices,
    IN (4) SUM WIDE ("o[i][l]") " * " WIDE ("h[l][j]") END,
    "4 stages, o[i][l], h[l][j], 98304 bytes; 4 stages, o[i][l], h[l][j]; "
    "mod(n, 8) == 0" },
  { "bf16 beside floats", matrices,
    IN (4) SUM "a[i][l] * " WIDE ("h[l][j]") END,
    "4 stages, h[l][j], 81920 bytes; 4 stages, h[l][j]; mod(n, 8) == 0" },
  { "bf16 where data say", matrices,
    IN (4) SUM WIDE ("g[at[i]][l]") " * " WIDE ("h[l][j]") END,
    "4 stages, h[l][j]; 4 stages, h[l][j]; mod(n, 8) == 0" },
  { "what is rounded", matrices, IN (4) SUM "a[i][l] * b[l][j]" END,
    "0 stages; 0 stages; none" },
  { "a step", printed, IN (4) SUM "a[i][l] * b[l][j]" END,
    "...tns_shared0[2][16][68]; ...tns_shared1[4][16][68]; ...tns_next0[8]; "
    "...tns_send_next = [&] ...if (tns_whole) tns_copy_async16 "
    "(&tns_shared1[tns_into][tns_e / 64][tns_e % 64], &b[l * n + j]); else "
    "tns_send (&tns_shared1[tns_into][tns_e / 64][tns_e % 64], &b[l * n + j], "
    "tns_inner < tns_inners ? tns_columns - tns_column : 0); "
    "...tns_fetch_next ...tns_shared1[tns_stage][tns_k]...tns_inners >= 48 "
    "...tns_wait<2> (); __syncthreads (); for (; tns_from + 64 <= tns_inners; "
    "tns_from += 16) { tns_send_next ((tns_stage + 3) % 4, tns_from + 48, "
    "true); tns_commit (); tns_fetch_next (tns_from + 16, true); ...tns_half "
    "^= 1; tns_stage = (tns_stage + 1) % 4; tns_keep (tns_half, tns_from + "
    "16); tns_wait<2> (); __syncthreads (); ...if (tns_from + 48 < tns_inners) "
    "tns_send_next ((tns_stage + 3) % 4, tns_from + 48, false); tns_commit (); "
    "..." },
  { "nothing left", printed, IN (4) SUM "t[l][i] * b[l][j]" END,
    "...tns_shared0[3][16][68]; ...tns_shared1[3][16][68]; float "
    "tns_sum[4][8]; ...unsigned int tns_stage = 0; ...tns_send_next "
    "((tns_stage + 2) % 3, tns_from + 32, true); tns_commit (); TNS_UNROLL "
    "...tns_stage = (tns_stage + 1) % 3; tns_wait<1> (); __syncthreads (); "
    "..." },
  { "a step of bf16", printed_matrix,
    IN (4) SUM WIDE ("g[i][l]") " * " WIDE ("h[l][j]") END,
    "TNS_SHARED (unsigned char, tns_memory); unsigned short (*const "
    "tns_shared0)[4096] = (unsigned short (*)[4096]) (tns_memory + 0); "
    "...(tns_memory + 32768); ...tns_e % 4 * 8; ...tns_are<8> (tns_here); "
    "...tns_copy_async16 (&tns_shared0[tns_into][tns_place0 (tns_line0, "
    "tns_inner0)], tns_from0 + tns_from + tns_q * tns_gap0); ...tns_send "
    "(&tns_shared1[tns_into]...for (; tns_from < tns_inners; tns_from += 32) { "
    "if (tns_from + 96 < tns_inners) tns_send_next ((tns_stage + 3) % 4, "
    "tns_from + 96, false); tns_commit (); TNS_UNROLL "
    "...&tns_shared1[tns_stage]..." },
  { "pieces", pieces, IN (4) SUM "a[i][l] * b[l][j]" END,
    "left, 2 parts, tns_half, tns_half; sent, 4 parts, tns_stage, tns_into; 3 "
    "ahead, some left; TNS_UNROLL for (int tns_s = 0; tns_s < 3; tns_s++) { "
    "tns_send_next (tns_s, tns_from + tns_s * 16, true); tns_commit (); } if "
    "(tns_from + 48 < tns_inners) tns_send_next ((tns_stage + 3) % 4, tns_from "
    "+ 48, false); tns_commit (); tns_stage = (tns_stage + 1) % 4; tns_wait<2> "
    "();" },
  { "pieces of none", pieces, IN (4) SUM "a[i][l] * a[j][l]" END,
    "left, 2 parts, tns_half, tns_half; left, 2 parts, tns_half, tns_half; 1 "
    "ahead, some left;" },
  { "kernels, aligned and not", kernels,
    IN (4) SUM WIDE ("g[i][l]") " * " WIDE ("h[l][j]") END,
    "0 0, 4 0, 0 0, 4 98304, 0 0, yes" },
  { "kernels of what is left", kernels,
    IN (4) "local f32 s; s = 0.0f32; for l = 0 to k { s max= "
           "a[i][l] + a[j][l]" END,
    "0 0, 0 0, 0 0, 0 0, no" },
  { "kernels without tensor cores", kernels,
    IN (4) "local f32 s; s = 0.0f32; for l = 0 to k { s max= "
           "t[l][i] + b[l][j]" END,
    "0 0, 3 0, 3 0, 4 0, yes" },
  { "the plan", plan,
    "for i = 0 to m { for j = 0 to n { S1: c[i][j] = 0.0f32; for l = 0 to k { "
    "S2: c[i][j] += a[i][l] * b[l][j]; } } }",
    "...async i in S1: 4..." },
};

MAIN_OF_ANSWERS (rows)
