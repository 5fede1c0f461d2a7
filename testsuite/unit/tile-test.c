/* What a device gets: contractions and their tiles, iterators from numbers,
   arrays that are written as a whole.  */

#include <stdio.h>
#include <string.h>

#include "answers.h"
#include "base/text.h"
#include "lowering/cuda-number.h"
#include "lowering/cuda-tile.h"
#include "lowering/grid.h"
#include "lowering/grid-tile.h"
#include "poly/guard.h"
#include "schedule/machine.h"
#include "schedule/whole.h"

/* The region whose body TEXT is.  */
static tns_region *
region_of (tns_ctx *ctx, const char *text)
{
  ctx->machine = tns_machine_find ("cuda");
  return verdict_region (
    ctx, tns_arena_format (
           ctx->arena,
           "region r { value i64 m; value i64 n; value i64 k; array f32 "
           "a[m][k]; array f32 b[k][n]; array f32 c[m][n]; array f32 v[n]; "
           "array i32 h[k]; { %s } }",
           text));
}

/* TEXT's first loop as a contraction: what its loops and operands are.  */
static const char *
tiles (tns_ctx *ctx, const char *text)
{
  static const char *const words[] = { "batch", "row", "column" };
  tns_region *r = region_of (ctx, text);
  tns_tile tile;
  if (!tns_tile_find (ctx->arena, r->body->kid[0], &tile))
    return "none";
  tns_text told = tns_text_new (ctx->arena);
  for (int k = 0; k < tile.n; k++)
    tns_text_format (&told, "%s %s, ", tile.loop[k]->iter->name,
                     words[tile.role[k]]);
  for (int o = 0; o < tile.n_operands; o++)
    tns_text_format (
      &told, "%s of %ss%s, ", answer_expr (ctx, tile.operand[o].load),
      words[tile.operand[o].role], tile.operand[o].along ? " along" : "");
  const tns_tile_shape *shape = tns_tile_shapes (&tile);
  tns_text_format (
    &told, "%d inner, %d before, %d after; %s rows in %s blocks of %d x %d",
    tile.n_inner, tile.before->n_kids, tile.after->n_kids,
    answer_expr (ctx, tns_tile_extent (ctx->arena, &tile, TNS_TILE_ROW)),
    answer_expr (ctx, tns_tile_blocks (ctx->arena, &tile, shape)), shape->rows,
    shape->columns);
  return tns_text_chars (&told);
}

/* The text of TEXT's first loop by tiles.  */
static const char *
tiled (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_c99 *c = tns_c99_begin (ctx, r);
  tns_tile tile;
  c->is_cuda = true;
  if (tns_tile_find (ctx->arena, r->body->kid[0], &tile))
    tns_cuda_tile (c, &tile, &tns_tile_shapes (&tile)[1]);
  return tns_text_chars (c->text);
}

/* How many iterations TEXT's first two loops have, and their iterators.  */
static const char *
numbers (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_c99 *c = tns_c99_begin (ctx, r);
  tns_node *loop[2] = { r->body->kid[0], r->body->kid[0]->body->kid[0] };
  tns_cuda_trips (c, "at", 2, loop);
  tns_cuda_iterators (c, "at", 2, loop);
  return tns_text_chars (c->text);
}

/* Which arrays of TEXT are written as a whole, and which need not be there.  */
static const char *
whole (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_scop *scop = tns_scop_build (ctx, r);
  tns_text told = tns_text_new (ctx->arena);
  bool noted = tns_guard_spans (ctx, scop, true) && tns_guard_copied (ctx, scop)
               && tns_note_whole (ctx, scop);
  for (int k = 0; noted && k < scop->region->n_spans; k++)
    {
      const tns_span *span = &scop->region->spans[k];
      if (span->whole || span->may)
        tns_text_format (&told, "%s%s%s ", span->sym->name,
                         span->whole ? " whole" : "", span->may ? " may" : "");
    }
  tns_scop_free (scop);
  return noted ? tns_text_chars (&told) : answer_said (ctx);
}

/* How many kernels TEXT launches.  */
static const char *
launches (tns_ctx *ctx, const char *text)
{
  tns_grid *grid = tns_grid_build (ctx, region_of (ctx, text));
  return grid ? answer_expr (ctx, grid->launches) : answer_said (ctx);
}

#define IJ  "for i = 0 to m parallel collapse(2) { for j = 0 to n { "
#define SUM "local f32 s; s = 0.0f32; for l = 0 to k { s += "

static const answer_row rows[] = {
  { "a product", tiles, IJ SUM "a[i][l] * b[l][j]; } c[i][j] = s; } }",
    "i row, j column, a[i][l] of rows along, b[l][j] of columns, 1 inner, 2 "
    "before, 1 after; max(m, 0) rows in floordiv(max(m, 0) + 127, 128) * "
    "floordiv(max(n, 0) + 127, 128) blocks of 128 x 128" },
  { "a product into memory", tiles,
    IJ "for l = 0 to k { c[i][j] += b[l][j] * a[i][l]; } } }",
    "i row, j column, b[l][j] of columns, a[i][l] of rows along, 1 inner, 0 "
    "before, 0 after; ..." },
  { "a distance", tiles,
    IJ SUM "(a[i][l] - b[l][j]) * (a[i][l] - b[l][j]); } c[i][j] = s; } }",
    "i row, j column, a[i][l] of rows along, b[l][j] of columns, ..." },
  { "sums of a row alone", tiles, IJ SUM "a[i][l]; } c[i][j] = s; } }",
    "none" },
  { "an operand of rows and columns", tiles,
    IJ SUM "a[i][l] * c[i][j]; } v[j] = s; } }", "none" },
  { "what it writes it reads", tiles,
    IJ SUM "a[i][l] * b[l][j]; } a[i][j] = s; } }", "none" },
  { "a triangle", tiles,
    IJ "local f32 s; s = 0.0f32; for l = 0 to i { s += a[i][l] * b[l][j]; } "
       "c[i][j] = s; } }",
    "none" },
  { "few values", tiles,
    IJ "local f32 s; s = 0.0f32; for l = 0 to 3 { s += a[i][l] * b[l][j]; } "
       "c[i][j] = s; } }",
    "none" },
  { "a cell that is needed behind", tiles,
    IJ "local f32 t; t = v[j]; local f32 s; s = 0.0f32; for l = 0 to k { s += "
       "a[i][l] * b[l][j]; } c[i][j] = s * t; } }",
    "none" },
  { "the text of a product", tiled,
    IJ SUM "a[i][l] * b[l][j]; } c[i][j] = s; } }",
    "...const long tns_row_blocks = (tns_rows + 63) / 64; ...tns_next0[tns_q] "
    "= a[i * k + l]; ...tns_sum[tns_i][tns_j] = tns_sum[tns_i][tns_j] + "
    "tns_own0[tns_i] * tns_own1[tns_j]; ...s = tns_sum[tns_i][tns_j]; c[i * n "
    "+ j] = s; ..." },
  { "nothing is touched where nothing is added", tiled,
    IJ "for l = 0 to k { c[i][j] += b[l][j] * a[i][l]; } } }",
    "...const long tns_tiles = tns_inners == 0 ? 0 : tns_batchs * ..." },
  { "iterators from numbers", numbers,
    "for i = 1 to m { for j = 2 to n step 3 { c[i][j] = 0.0f32; } }",
    "const long tns_at_trip0 = tensor_max_i64 (m - 1, 0); const long "
    "tns_at_trip1 = tensor_max_i64 (tensor_floordiv_i64 (n - 2 + 2, 3), 0); "
    "const long tns_ats = tns_at_trip0 * tns_at_trip1; long tns_at_number1; "
    "const long tns_at_left1 = tns_divide (tns_at, tns_at_trip1, "
    "&tns_at_number1); const long i = tns_at_left1 + 1L; const long j = "
    "tns_at_number1 * 3 + 2L; " },
  { "launches of a loop of the host's", launches,
    "for l = 0 to k { for i = 0 to m parallel { a[i][l] = 0.0f32; } for j = 0 "
    "to n parallel { v[j] = 0.0f32; } }",
    "f64(max(k, 0) * 2)" },
  { "all of an array", whole,
    "for i = 0 to m { for j = 0 to n { c[i][j] = v[j]; } }", "c whole " },
  { "a part of its rows", whole,
    "for i = 0 to m { for j = 1 to n { c[i][j] = v[j]; } }", "" },
  { "some rows", whole, "for i = 2 to m { for j = 0 to n { c[i][j] = v[j]; } }",
    "c whole " },
  { "every second element", whole, "for j = 0 to n step 2 { v[j] = 1.0f32; }",
    "" },
  { "what was there is read", whole, "for j = 0 to n { v[j] = v[j] + 1.0f32; }",
    "" },
  { "what the region wrote is read", whole,
    "for j = 0 to n { v[j] = 1.0f32; } for j = 0 to n { v[j] += 1.0f32; }",
    "v whole " },
  { "under a condition on data", whole,
    "for j = 0 to n { if (c[0][j] > 0.0f32) { v[j] = 1.0f32; } }", "v may " },
};

MAIN_OF_ANSWERS (rows)
