/* Products that warpgroups take: which are some, what the host is to tell of
   their operands, beside which kernel theirs stands; their text, step by
   step.  */

#include <string.h>

#include "answers.h"
#include "base/text.h"
#include "driver/device.h"
#include "lowering/cuda-group.h"
#include "lowering/cuda.h"
#include "lowering/grid.h"
#include "schedule/machine.h"

/* The region whose body TEXT is.  */
static tns_region *
region_of (tns_ctx *ctx, const char *text)
{
  ctx->machine = tns_machine_find ("cuda");
  return verdict_region (
    ctx, tns_arena_format (
           ctx->arena,
           "region r { value i64 t; value i64 m; value i64 n; value i64 k; "
           "array f32 a[m][k]; array u16 g[m][k]; array u16 h[k][n]; array u16 "
           "u[k][m]; array u16 v[n][k]; array u16 w[t][m][k]; array u16 x[]; "
           "array i64 at[m]; array f32 c[m][n]; array f32 d[t][m][n]; { %s } }",
           text));
}

/* TEXT's product, to *TILE and *MATRIX, of PRECISION; NULL: it is none for
   warpgroups.  */
static tns_group *
group_of (tns_ctx *ctx, const char *text, tns_precision precision,
          tns_tile *tile, tns_matrix *matrix)
{
  tns_region *r = region_of (ctx, text);
  if (!tns_tile_find (ctx->arena, r->body->kid[0], tile)
      || !tns_matrix_find (ctx->arena, tile, precision, matrix))
    return NULL;
  return tns_group_find (ctx->arena, tile, matrix);
}

/* What is told of TEXT's operands.  */
static const char *
operands (tns_ctx *ctx, const char *text)
{
  tns_tile tile;
  tns_matrix matrix;
  tns_text words = tns_text_new (ctx->arena);
  const tns_group *group
    = group_of (ctx, text, TNS_PRECISION_BF16, &tile, &matrix);
  for (int o = 0; group && o < 2; o++)
    {
      const tns_group_operand *of = &group->operand[o];
      tns_text_format (&words, "%s from %s", of->sym->name,
                       answer_expr (ctx, of->first));
      tns_text_format (&words, " by %s", answer_expr (ctx, of->line));
      tns_text_format (&words, " and %s", answer_expr (ctx, of->inner));
      tns_text_format (&words, ", %s lines of %d; ",
                       answer_expr (ctx, of->lines), of->tile);
    }
  if (group)
    tns_text_format (&words, "%s inner values, %d bytes",
                     answer_expr (ctx, group->inners), group->bytes);
  return group ? tns_text_chars (&words) : "none";
}

/* The same in another precision.  */
static const char *
in_f16 (tns_ctx *ctx, const char *text)
{
  tns_tile tile;
  tns_matrix matrix;
  return group_of (ctx, text, TNS_PRECISION_F16, &tile, &matrix) ? "some"
                                                                 : "none";
}

/* The text of TEXT's product.  */
static const char *
printed (tns_ctx *ctx, const char *text)
{
  tns_tile tile;
  tns_matrix matrix;
  if (!group_of (ctx, text, TNS_PRECISION_BF16, &tile, &matrix))
    return "none";
  tns_c99 *c = tns_c99_begin (ctx, region_of (ctx, text));
  c->is_cuda = true;
  tns_cuda_group (c, &tile, &matrix);
  return strstr (tns_text_chars (c->text), "TNS_SHARED");
}

/* The shape of TEXT's tiles.  */
static const char *
shape (tns_ctx *ctx, const char *text)
{
  tns_tile tile;
  tns_matrix matrix;
  group_of (ctx, text, TNS_PRECISION_BF16, &tile, &matrix);
  tns_tile_shape s = tns_group_shape (&matrix);
  return tns_arena_format (ctx->arena, "%d %d %d, %d %d, %d threads", s.rows,
                           s.columns, s.depth, s.thread_rows, s.thread_columns,
                           s.threads);
}

/* The kernels of TEXT, in bf16: + for warpgroups; the words in front.  */
static const char *
kernels (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_text words = tns_text_new (ctx->arena);
  ctx->wish.precision = TNS_PRECISION_BF16;
  tns_grid *grid = tns_grid_build (ctx, r);
  for (int k = 0; grid && k < grid->n; k++)
    tns_text_add (&words, grid->kernel[k].group ? "+ " : "- ");
  tns_text_format (&words, "%d", grid ? (int) tns_grid_needs_words (grid) : -1);
  return tns_text_chars (&words);
}

/* What stands in front of TEXT's kernels, and they, by which names.  */
static const char *
whole (tns_ctx *ctx, const char *text)
{
  tns_text words = tns_text_new (ctx->arena);
  tns_region *r = region_of (ctx, text);
  ctx->wish.precision = TNS_PRECISION_BF16;
  tns_grid *grid = tns_grid_build (ctx, r);
  tns_cuda_prelude (&words, tns_grid_needs_words (grid));
  tns_cuda_print (ctx, &words, grid);
  return tns_text_chars (&words);
}

#define IN                                                                     \
  "for i = 0 to m parallel collapse(2) stages(4) { for j = 0 to n { local "    \
  "f32 "                                                                       \
  "s; s = 0.0f32; for l = 0 to k { s += "
#define END     "; } c[i][j] = s; } }"
#define WIDE(X) "bits:f32(u32(" X ") << 16u32)"

static const answer_row rows[] = {
  { "as they are", operands, IN WIDE ("g[i][l]") " * " WIDE ("h[l][j]") END,
    "g from 0 by k and 1, max(m, 0) lines of 128; h from 0 by 1 and n, max(n, "
    "0) lines of 256; max(k, 0) inner values, 196608 bytes" },
  { "both turned", operands, IN WIDE ("u[l][i]") " * " WIDE ("v[j][l]") END,
    "u from 0 by 1 and m, max(m, 0) lines of 128; v from 0 by k and 1, max(n, "
    "0) lines of 256; max(k, 0) inner values, 196608 bytes" },
  { "the columns first", operands,
    IN WIDE ("h[l][j]") " * " WIDE ("g[i][l]") END,
    "h from 0 by 1 and n, max(n, 0) lines of 256; g from 0 by k and 1, max(m, "
    "0) lines of 128; max(k, 0) inner values, 196608 bytes" },
  { "places and bounds", operands,
    "for i = 2 to m parallel collapse(2) stages(4) { for j = 1 to n { local "
    "f32 s; s = 0.0f32; for l = 3 to k { s += " WIDE (
      "x[i * 40 + l + 7]") " * " WIDE ("h[l][j]") END,
    "x from 90 by 40 and 1, max(m - 2, 0) lines of 128; h from 3 * n + 1 by 1 "
    "and n, max(n - 1, 0) lines of 256; max(k - 3, 0) inner values, 196608 "
    "bytes" },
  { "floats", operands, IN "a[i][l] * " WIDE ("h[l][j]") END, "none" },
  { "where data say", operands,
    IN WIDE ("g[at[i]][l]") " * " WIDE ("h[l][j]") END, "none" },
  { "apart", operands, IN WIDE ("g[i][2 * l]") " * " WIDE ("h[l][j]") END,
    "none" },
  { "batches", operands,
    "for b = 0 to t parallel collapse(3) stages(4) { for i = 0 to m { for j = "
    "0 to n { local f32 s; s = 0.0f32; for l = 0 to k { s += " WIDE (
      "w[b][i][l]") " * " WIDE ("h[l][j]") "; } d[b][i][j] = s; } } }",
    "none" },
  { "as f16", in_f16, IN WIDE ("g[i][l]") " * " WIDE ("h[l][j]") END, "none" },
  { "the shape", shape, IN WIDE ("g[i][l]") " * " WIDE ("h[l][j]") END,
    "128 256 64, 2 64, 256 threads" },
  { "the text", printed, IN WIDE ("g[i][l]") " * " WIDE ("h[l][j]") END,
    "TNS_SHARED (unsigned short, tns_memory); __shared__ tns_barrier "
    "tns_full[4]; ...tns_first_row = threadIdx.x / 32 * 16; ...tns_band = "
    "tns_divide (tns_in_batch, 8 * tns_column_blocks, &tns_in_band) * 8; "
    "...tns_barrier_init (&tns_empty[tns_s], 8); ...__syncthreads (); if "
    "(threadIdx.x >= 256) { tns_group_release<40> (); if (threadIdx.x == 256) "
    "...tns_barrier_wait (&tns_empty[tns_stage], (tns_step / 4 - 1) % 2); "
    "tns_barrier_expect (&tns_full[tns_stage], 49152); tns_map_copy (tns_here "
    "+ 0, &tns_given.map[0], tns_from, tns_row0, &tns_full[tns_stage]); "
    "TNS_UNROLL for (int tns_c = 0; tns_c < 4; tns_c++) tns_map_copy (tns_here "
    "+ 8192 + tns_c * 4096, &tns_given.map[1], tns_column0 + tns_c * 64, "
    "tns_from, &tns_full[tns_stage]); ...tns_group_claim<232> (); ...float "
    "tns_sum[1][32][4]; ...tns_barrier_wait (&tns_full[tns_stage], tns_step / "
    "4 % 2); tns_group_fence (); ...tns_group_multiply_bf16<256, 0, 1> "
    "(tns_sum[0], tns_group_place (tns_here + 0 + threadIdx.x / 128 * 4096 + "
    "tns_k, 128, 0, 1024), tns_group_place (tns_here + 8192 + tns_k * 64, 128, "
    "8192, 1024)); tns_group_commit (); tns_group_wait<1> (); if (tns_step > 0 "
    "&& tns_lane == 0) tns_barrier_arrive (&tns_empty[(tns_step - 1) % 4]); "
    "...tns_group_wait<0> (); tns_group_take (tns_sum[0]); ..." },
  { "the columns first, the text", printed,
    IN WIDE ("v[j][l]") " * " WIDE ("u[l][i]") END,
    "...tns_map_copy (tns_here + 0, &tns_given.map[0], tns_from, tns_column0, "
    "...tns_c < 2; tns_c++) tns_map_copy (tns_here + 16384 + tns_c * 4096, "
    "&tns_given.map[1], tns_row0 + tns_c * 64, tns_from, "
    "...tns_group_multiply_bf16<256, 1, 0> (tns_sum[0], tns_group_place "
    "(tns_here + 16384 + threadIdx.x / 128 * 4096 + tns_k * 64, 128, 8192, "
    "1024), tns_group_place (tns_here + 0 + tns_k, 128, 0, 1024)); ..." },
  { "beside the larger tiles", kernels,
    IN WIDE ("g[i][l]") " * " WIDE ("h[l][j]") END, "- - - + - 2" },
  { "beside none", kernels, IN "a[i][l] * " WIDE ("h[l][j]") END,
    "- - - - - 1" },
  { "all of it", whole, IN WIDE ("g[i][l]") " * " WIDE ("h[l][j]") END,
    "...TNS_CUDA_PRELUDE_GROUP ...#if TNS_GROUPS ...struct r_k3_group_args { "
    "struct tns_map map[2]; struct r_k3_args own; }; ...__launch_bounds__ "
    "(384, 1) r_k3_group (const __grid_constant__ struct r_k3_group_args "
    "tns_given) { const auto &tns_args = tns_given.own; ...#endif ..." },
};

MAIN_OF_ANSWERS (rows)
