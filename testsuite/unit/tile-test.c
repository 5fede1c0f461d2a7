/* What a device gets: contractions and their tiles, iterators from numbers,
   arrays that are written as a whole.  */

#include <stdio.h>
#include <string.h>

#include "answers.h"
#include "base/text.h"
#include "lowering/cuda-edge.h"
#include "lowering/cuda-number.h"
#include "lowering/cuda-tile.h"
#include "lowering/grid.h"
#include "lowering/grid-edge.h"
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

/* Append the sides in EDGE[0..N).  */
static void
tell_edges (tns_ctx *ctx, tns_text *told, int n, const tns_edge *edge)
{
  for (int k = 0; k < n; k++)
    tns_text_format (told, "%s %s %s, ", edge[k].iter->name,
                     edge[k].upper ? "below" : "from",
                     answer_expr (ctx, edge[k].bound));
}

/* What TEXT's first loop, a contraction, has of its box: its loops, the sides
   that move, how its inner iterations are called.  */
static const char *
edges (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_tile tile;
  if (!tns_tile_find (ctx->arena, r->body->kid[0], &tile))
    return "none";
  tns_text told = tns_text_new (ctx->arena);
  for (int k = 0; k < tile.n + 1; k++)
    {
      const tns_node *loop = k < tile.n ? tile.loop[k] : tile.inner[0];
      tns_text_format (&told, "%s from %s to %s, ", loop->iter->name,
                       answer_expr (ctx, loop->lo),
                       answer_expr (ctx, loop->hi));
    }
  tell_edges (ctx, &told, tile.n_edges, tile.edge);
  tell_edges (ctx, &told, tile.n_inner_edges, tile.inner_edge);
  tns_text_format (&told, "%s to %s", tns_cuda_edge_begin (&tile),
                   tns_cuda_edge_end (&tile));
  return tns_text_chars (&told);
}

/* The least and the greatest bound of TEXT's inner loop, whose outer one has 2
   to 7; whether a first iteration is there for some, and for all.  */
static const char *
extremes (tns_ctx *ctx, const char *text)
{
  tns_arena *arena = ctx->arena;
  tns_node *outer = region_of (ctx, text)->body->kid[0];
  tns_node *inner = outer->body->kid[0];
  tns_reach reach[] = { { outer->iter, tns_int (arena, 2), tns_int (arena, 7) },
                        { inner->iter, inner->lo, inner->lo } };
  tns_edge edge = { inner->iter, inner->hi, true };
  tns_expr *least = tns_reach_extreme (arena, inner->hi, false, 1, reach);
  tns_expr *most = tns_reach_extreme (arena, inner->hi, true, 1, reach);
  if (!least || !most)
    return "not known";
  return tns_arena_format (
    arena, "%s, %s; %s; %s", answer_expr (ctx, least), answer_expr (ctx, most),
    answer_expr (ctx, tns_edge_holds (arena, &edge, true, 2, reach)),
    answer_expr (ctx, tns_edge_holds (arena, &edge, false, 2, reach)));
}

/* The text of TEXT's first loop by tiles.  */
static const char *
tiled (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_c99 *c = tns_c99_begin (ctx, r);
  tns_tile tile;
  tns_stages none = { .n = 0 };
  c->is_cuda = true;
  if (tns_tile_find (ctx->arena, r->body->kid[0], &tile))
    tns_cuda_tile (c, &tile, &tns_tile_shapes (&tile)[1], &none);
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
    "i row, j column, ... 1 inner, 2 before, 1 after; max(m, 0) rows in ..." },
  { "inner iterations that move", edges,
    IJ "local f32 s; s = 0.0f32; for l = j to i + 1 { s += a[i][l] * b[l][j]; "
       "} c[i][j] = s; } }",
    "i from 0 to m, j from 0 to n, l from 0 to m - 1 + 1, l from j, l below i "
    "+ 1, tns_begin to tns_end" },
  { "columns that move", edges,
    "for i = 0 to m parallel collapse(2) { for j = max(i - 3, 0) to n { " SUM
    "a[i][l] * b[l][j]; } c[i][j] = s; } }",
    "i from 0 to m, j from 0 to n, l from 0 to k, j from max(i - 3, 0), 0 to "
    "tns_inners" },
  { "rows of a length in memory", edges,
    IJ "local f32 s; s = 0.0f32; for l = 0 to h[i] { s += a[i][l] * b[l][j]; } "
       "c[i][j] = s; } }",
    "none" },
  { "two inner loops of which one moves", edges,
    IJ "local f32 s; s = 0.0f32; for p = 0 to k { for l = 0 to i { s += "
       "a[i][l] * b[l][j]; } } c[i][j] = s; } }",
    "none" },
  { "bounds that grow", extremes,
    "for i = 2 to 8 { for j = 1 to min(i * 3, n) + floordiv(i, 2) { v[j] = "
    "1.0f32; } }",
    "min(6, n) + 1, min(21, n) + 3; 1 < min(21, n) + 3; 1 < min(6, n) + 1" },
  { "bounds that shrink", extremes,
    "for i = 2 to 8 { for j = 1 to n - i { v[j] = 1.0f32; } }",
    "n - 7, n - 2; 1 < n - 2; 1 < n - 7" },
  { "bounds that do neither", extremes,
    "for i = 2 to 8 { for j = 1 to i * i { v[j] = 1.0f32; } }", "not known" },
  { "the text of a triangle", tiled,
    IJ "for l = 0 to i + 1 { c[i][j] += a[i][l] * b[l][j]; } } }",
    "...tns_row0 = tns_row_blocks - 1 - tns_row0;...const long tns_row_last = "
    "...tns_end = tensor_min_i64 (tns_end, "
    "tns_row_last + 1);...if (0 < i + 1)...if (l < i + 1)...if (l < "
    "tns_row_last + 1)...const bool tns_full = tns_from + 15 < tns_row_first + "
    "1;...TNS_ROLL..." },
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
    "...const long tns_row_blocks = (tns_rows + 63) / 64; ...tns_take<4> "
    "(&tns_next0[tns_q * 4], &a[i * k + l]); ...tns_sum[tns_i][tns_j] = "
    "tns_sum[tns_i][tns_j] + "
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
    "f64(max(k, 0) * (max(m, 0) <= 270336 && floordiv(max(n, 0) + 3, 4) <= "
    "270336 ? 1 : 2))" },
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
