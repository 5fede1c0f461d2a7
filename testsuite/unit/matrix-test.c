/* Contractions for tensor cores: which there are, their text, and that no two
   accesses to shared memory at once meet in a bank.  */

#include <stdio.h>
#include <string.h>

#include "answers.h"
#include "base/text.h"
#include "lowering/cuda-matrix.h"
#include "lowering/cuda-tiling.h"
#include "lowering/grid.h"
#include "lowering/grid-matrix.h"
#include "schedule/machine.h"

#define BANKS 32

/* The region whose body TEXT is.  */
static tns_region *
region_of (tns_ctx *ctx, const char *text)
{
  ctx->machine = tns_machine_find ("cuda");
  return verdict_region (
    ctx, tns_arena_format (
           ctx->arena,
           "region r { value i64 m; value i64 n; value i64 k; value f32 e; "
           "array f32 a[m][k]; array f32 b[k][n]; array f32 c[m][n]; array f32 "
           "t[n][k]; array i8 q[m][k]; array u16 h[m][k]; array f64 w[k][n]; { "
           "%s } }",
           text));
}

/* TEXT's first loop as matrices of bf16.  */
static bool
find (tns_ctx *ctx, const char *text, tns_tile *tile, tns_matrix *matrix)
{
  tns_region *r = region_of (ctx, text);
  return tns_tile_find (ctx->arena, r->body->kid[0], tile)
         && tns_matrix_find (ctx->arena, tile, TNS_PRECISION_BF16, matrix);
}

/* The factors of TEXT's product.  */
static const char *
factors (tns_ctx *ctx, const char *text)
{
  tns_tile tile;
  tns_matrix matrix;
  if (!find (ctx, text, &tile, &matrix))
    return "none";
  tns_text told = tns_text_new (ctx->arena);
  for (int o = 0; o < 2; o++)
    tns_text_format (&told, "%s%s of %ss%s%s; ",
                     answer_expr (ctx, matrix.factor[o].value),
                     matrix.factor[o].plain ? ", plain,"
                     : matrix.factor[o].raw ? ", raw,"
                                            : "",
                     tns_tiling_word (tile.operand[o].role),
                     matrix.factor[o].along ? " along" : "",
                     matrix.factor[o].steady  ? " steady"
                     : matrix.factor[o].dense ? " dense"
                                              : "");
  return tns_text_chars (&told);
}

/* The text of TEXT's product by the smaller tiles.  */
static const char *
printed (tns_ctx *ctx, const char *text)
{
  tns_tile tile;
  tns_matrix matrix;
  if (!find (ctx, text, &tile, &matrix))
    return "none";
  tns_c99 *c = tns_c99_begin (ctx, region_of (ctx, text));
  c->is_cuda = true;
  tns_stages stages = { .n = 0 };
  tns_cuda_matrix (c, &tile, &matrix, 1, &stages);
  return tns_text_chars (c->text);
}

/* Which kernels of TEXT, in bf16, use tensor cores.  */
static const char *
kernels (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  ctx->wish.precision = TNS_PRECISION_BF16;
  tns_grid *grid = tns_grid_build (ctx, r);
  tns_text told = tns_text_new (ctx->arena);
  for (int k = 0; grid && k < grid->n; k++)
    tns_text_format (&told, "%s ",
                     grid->kernel[k].precision
                       ? tns_precision_word (grid->kernel[k].precision)
                       : "own");
  tns_text_add (&told, grid && tns_grid_has_matrices (grid) ? "some" : "none");
  return tns_text_chars (&told);
}

/* A tile in shared memory.

   row    elements of a row of it
   bytes  of an element  */
typedef struct layout
{
  tns_swizzle by;
  int chunk;
  int row;
  int bytes;
  bool along;
} layout;

/* The byte where the element of LINE and INNER lies, as tns_place has it.  */
static int
byte_of (const layout *l, int line, int inner)
{
  int row = l->along ? line : inner;
  int column = l->along ? inner : line;
  int place = (column / l->chunk)
              ^ (row / l->by.divisor % l->by.modulus * l->by.factor);
  return (row * l->row + place * l->chunk + column % l->chunk) * l->bytes;
}

/* How many of the N accesses of BYTES bytes each at AT meet others in a
   bank.  */
static int
meetings (int n, const int *at, int bytes)
{
  int taken[BANKS] = { 0 };
  int met = 0;
  for (int k = 0; k < n; k++)
    for (int b = 0; b < bytes; b += 4)
      met += taken[(at[k] + b) / 4 % BANKS]++ > 0;
  return met;
}

/* The same of all that threads store to a tile of LINES and DEPTH: RUN of them,
   128 bytes at once.  */
static int
met_by_stores (const layout *l, int lines, int depth, int run)
{
  int at[BANKS];
  int met = 0, n = 0, runs = l->row / run, bytes = run * l->bytes;
  for (int e = 0; e < lines * depth / run; e++)
    {
      int column = e % runs * run, row = e / runs;
      at[n++] = byte_of (l, l->along ? row : column, l->along ? column : row);
      if (n == 128 / bytes)
        {
          met += meetings (n, at, bytes);
          n = 0;
        }
    }
  return met + n;
}

/* Of all that ldmatrix loads: eight rows of a chunk.  */
static int
met_by_tiles (const layout *l, int lines, int depth)
{
  int at[8];
  int met = 0;
  int rows = l->along ? lines : depth;
  for (int row = 0; row < rows; row += 8)
    for (int column = 0; column < l->row; column += l->chunk)
      {
        for (int k = 0; k < 8; k++)
          at[k] = byte_of (l, l->along ? row + k : column,
                           l->along ? column : row + k);
        met += meetings (8, at, 16);
      }
  return met;
}

/* Of words of tf32, which ldmatrix cannot turn: eight lines, four inner
   values.  */
static int
met_by_words (const layout *l, int lines, int depth)
{
  int at[BANKS];
  int met = 0;
  for (int line = 0; line < lines; line += 8)
    for (int inner = 0; inner < depth; inner += 4)
      {
        for (int lane = 0; lane < BANKS; lane++)
          at[lane] = byte_of (l, line + lane / 4, inner + lane % 4);
        met += meetings (BANKS, at, 4);
      }
  return met;
}

/* How many accesses of tiles in TEXT, a type, meet others.  */
static const char *
banks (tns_ctx *ctx, const char *text)
{
  tns_text told = tns_text_new (ctx->arena);
  tns_precision precision = TNS_PRECISION_TF32;
  while (strcmp (tns_precision_word (precision), text))
    precision++;
  bool words = precision == TNS_PRECISION_TF32;
  tns_matrix steady = { .precision = precision };
  steady.factor[0].steady = steady.factor[1].steady = true;
  for (int k = 0;
       k < 2 * TNS_TILE_SHAPES && tns_matrix_shapes (&steady)[k / 2].rows; k++)
    {
      const tns_tile_shape *shape = &tns_matrix_shapes (&steady)[k / 2];
      layout l = { .by = tns_matrix_swizzle (precision, k % 2),
                   .chunk = tns_matrix_chunk (precision),
                   .row = k % 2 ? shape->depth : shape->columns,
                   .bytes = words ? 4 : 2,
                   .along = k % 2 };
      tns_text_format (
        &told, "%d %d %d, ",
        met_by_stores (&l, shape->columns, shape->depth, 4),
        met_by_stores (&l, shape->columns, shape->depth, l.chunk),
        words && !l.along ? met_by_words (&l, shape->columns, shape->depth)
                          : met_by_tiles (&l, shape->columns, shape->depth));
    }
  return tns_text_chars (&told);
}

#define IJ  "for i = 0 to m parallel collapse(2) { for j = 0 to n { "
#define SUM "local f32 s; s = 0.0f32; for l = 0 to k { s += "
#define END "; } c[i][j] = s; } }"

static const answer_row rows[] = {
  { "a product", factors, IJ SUM "a[i][l] * b[l][j]" END,
    "a[i][l], plain, of rows along steady; b[l][j], plain, of columns "
    "steady; " },
  { "along both", factors, IJ SUM "t[j][l] * a[i][l]" END,
    "t[j][l], plain, of columns along steady; a[i][l], plain, of rows along "
    "steady; " },
  { "more factors", factors, IJ SUM "-(e * a[i][l] * max(b[l][j], 0.0f32))" END,
    "-1.0f32 * e * a[i][l] of rows along steady; max(b[l][j], 0.0f32) of "
    "columns steady; " },
  { "of bytes", factors, IJ SUM "f32(q[i][l]) * b[l][j]" END,
    "f32(q[i][l]) of rows along steady; b[l][j], plain, of columns steady; " },
  { "of bf16", factors, IJ SUM "bits:f32(u32(h[i][l]) << 16u32) * b[l][j]" END,
    "bits:f32(u32(h[i][l]) << 16u32), raw, of rows along steady; b[l][j], "
    "plain, of columns steady; " },
  { "of other bits", factors,
    IJ SUM "bits:f32(u32(h[i][l]) << 15u32) * b[l][j]" END,
    "bits:f32(u32(h[i][l]) << 15u32) of rows along steady; b[l][j], plain, of "
    "columns steady; " },
  { "every second element", factors, IJ SUM "a[i][2 * l] * b[l][j]" END,
    "a[i][2 * l], plain, of rows along; b[l][j], plain, of columns steady; " },
  { "elements of eight bytes", factors, IJ SUM "a[i][l] * f32(w[l][j])" END,
    "none" },
  { "no product", factors,
    IJ SUM "(a[i][l] - b[l][j]) * (a[i][l] - b[l][j])" END, "none" },
  { "a product and more", factors, IJ SUM "a[i][l] * b[l][j] + e" END, "none" },
  { "no sum", factors,
    IJ "local f32 s; s = 0.0f32; for l = 0 to k { s max= a[i][l] * b[l][j]" END,
    "none" },
  { "a sum in double", factors,
    IJ "local f64 s; s = 0.0f64; for l = 0 to k { s += f64(a[i][l]) * "
       "w[l][j]; } c[i][j] = f32(s); } }",
    "none" },
  { "the text of a product", printed, IJ SUM "a[i][l] * b[l][j]" END,
    "...const long tns_row_blocks = (tns_rows + 63) / 64; ...return tns_line * "
    "32 + (tns_inner / 8 ^ tns_line / 2 % 4 * 1) * 8 + tns_inner % 8; "
    "...tns_here = &a[i * k + l]; tns_whole0 &= tns_are<4> (tns_here); "
    "...tns_get4 (&tns_next0[tns_q * 4], tns_from0 + tns_from + tns_q * "
    "tns_gap0); ...tns_get4 (&tns_next1[tns_q * 4], tns_from1 + (tns_from / 8 "
    "+ tns_q) * tns_gap1); ...tns_four[tns_v] = tns_next0[tns_q * 4 + tns_v]; "
    "...tns_load_tiles_transposed (tns_b[tns_i], ...tns_load_tiles (tns_a, "
    "...tns_mma_bf16 (tns_sum[tns_i][tns_j], tns_a, &tns_b[tns_j / 2][tns_j % "
    "2 * 2]); ...s = tns_sum[tns_i / 2][tns_j / 2][tns_i % 2 * 2 + tns_j % 2]; "
    "c[i * n + j] = s; ..." },
  { "a factor that is not 0 of 0", printed, IJ SUM "exp(a[i][l]) * b[l][j]" END,
    "...tns_four[tns_v] = tns_inner0 + tns_v >= tns_inners - tns_from ? 0.0f : "
    "...tns_next0[tns_q * 4 + tns_v]...tns_four[tns_v] = tns_next1[tns_q * 4 + "
    "tns_v]; ..." },
  { "bf16 as it is", printed,
    IJ SUM "bits:f32(u32(h[i][l]) << 16u32) * b[l][j]" END,
    "...unsigned short tns_next0[16]; ...tns_keep4_raw "
    "(&tns_shared0[tns_half][tns_place0 (tns_line0, tns_inner0)], (const "
    "unsigned short *) &tns_next0[tns_q * 4]); ...tns_keep4_bf16 "
    "(&tns_shared1..." },
  { "kernels of a product", kernels, IJ SUM "a[i][l] * b[l][j]" END,
    "own bf16 bf16 some" },
  { "kernels of a distance", kernels,
    IJ SUM "(a[i][l] - b[l][j]) * (a[i][l] - b[l][j])" END,
    "own own own own none" },
  { "banks", banks, "tf32", "0 0 0, 0 0 0, 0 0 0, 0 0 0, " },
  { "banks of halves", banks, "bf16", "0 0 0, 0 0 0, 0 0 0, 0 0 0, " },
  { "banks of other halves", banks, "f16", "0 0 0, 0 0 0, 0 0 0, 0 0 0, " },
};

MAIN_OF_ANSWERS (rows)
