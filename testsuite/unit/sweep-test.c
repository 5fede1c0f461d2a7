/* Sweeps with halos on a device: which there are, what of their array is read
   and which of it is there, what pays; how many blocks; their text.  */

#include <string.h>

#include "answers.h"
#include "base/text.h"
#include "lowering/cuda-halo.h"
#include "lowering/grid.h"
#include "schedule/machine.h"

/* The region whose body TEXT is.  */
static tns_region *
region_of (tns_ctx *ctx, const char *text)
{
  ctx->machine = tns_machine_find ("cuda");
  return verdict_region (
    ctx,
    tns_arena_format (
      ctx->arena,
      "region r { value i64 n; value i64 m; value i64 p; array f32 x[n][m]; "
      "array f32 y[n][m]; array f32 f[n]; array f64 z[p][n][m]; array f64 "
      "w[p][n][m]; array i64 at[m]; array i32 q[n][m]; { %s } }",
      text));
}

/* The sweep that TEXT's first loop is.  */
static bool
find (tns_ctx *ctx, const char *text, tns_halo *halo)
{
  tns_region *r = region_of (ctx, text);
  return tns_halo_find (ctx->arena, r->body->kid[0], ctx->machine, halo);
}

/* Append BOX of HALO.  */
static void
tell_box (tns_text *words, const tns_halo *halo, const tns_shift_box *box)
{
  for (int d = 0; d < halo->dims; d++)
    tns_text_format (words, "%s%lld..%lld", d ? " x " : "", box->lo.by[d],
                     box->hi.by[d]);
  tns_text_add (words, "; ");
}

/* TEXT's sweep: its tile, shifts, boxes, reads.  */
static const char *
sweep (tns_ctx *ctx, const char *text)
{
  tns_halo halo;
  tns_text words = tns_text_new (ctx->arena);
  if (!find (ctx, text, &halo))
    return "none";
  for (int d = 0; d < halo.dims; d++)
    tns_text_format (&words, "%s%d", d ? " x " : "", tns_halo_side (&halo, d));
  tns_text_format (&words, ", %d shifts, %g reads: ", halo.n_shifts,
                   halo.reads);
  for (int b = 0; b < halo.n_boxes; b++)
    tell_box (&words, &halo, &halo.box[b]);
  return tns_text_chars (&words);
}

/* When TEXT's sweep pays, its blocks, and the shift of its last load.  */
static const char *
blocks (tns_ctx *ctx, const char *text)
{
  tns_halo halo;
  if (!find (ctx, text, &halo))
    return "none";
  return tns_arena_format (
    ctx->arena, "%s: %s, %d",
    answer_expr (ctx, tns_halo_pays (ctx->arena, &halo)),
    answer_expr (ctx, tns_halo_blocks (ctx->arena, &halo)),
    tns_halo_shift (&halo, halo.load[halo.n_shifts - 1]));
}

/* TEXT's sweep as CUDA C, from shared memory on.  */
static const char *
printed (tns_ctx *ctx, const char *text)
{
  tns_halo halo;
  tns_region *r = region_of (ctx, text);
  if (!tns_halo_find (ctx->arena, r->body->kid[0], ctx->machine, &halo))
    return "none";
  tns_c99 *c = tns_c99_begin (ctx, r);
  c->is_cuda = true;
  tns_cuda_halo (c, &halo);
  return strstr (tns_text_chars (c->text), "__shared__");
}

/* Which kernels TEXT has.  */
static const char *
kernels (tns_ctx *ctx, const char *text)
{
  tns_grid *grid = tns_grid_build (ctx, region_of (ctx, text));
  tns_text words = tns_text_new (ctx->arena);
  for (int k = 0; grid && k < grid->n; k++)
    tns_text_add (
      &words, grid->kernel[k].mapping == TNS_MAPPING_HALO ? "halo " : "other ");
  return tns_text_chars (&words);
}

#define IJ                                                                     \
  "for i = 2 to n - 2 parallel collapse(2) { for j = 2 to m - 2 { y[i][j] = "
#define END       "; } }"
#define ROW(X, I) X "[" I "][j - 1] + " X "[" I "][j] + " X "[" I "][j + 1]"
#define TWO       ROW ("x", "i - 1") " + " ROW ("x", "i")
#define BOX       TWO " + " ROW ("x", "i + 1")
#define LINE(I, J)                                                             \
  "z[" I "][" J "][k - 1] + z[" I "][" J "][k] + z[" I "][" J "][k + 1]"
#define PLANE(I) LINE (I, "j - 1") " + " LINE (I, "j") " + " LINE (I, "j + 1")
#define IJK                                                                    \
  "for i = 1 to p - 1 parallel collapse(3) { for j = 1 to n - 1 { for k = 1 "  \
  "to m - 1 { w[i][j][k] = "
#define END3 "; } } }"

static const answer_row rows[] = {
  { "a box", sweep, IJ BOX END, "34 x 34, 9 shifts, 4.5 reads: 0..2 x 0..2; " },
  { "a star that is too small", sweep,
    IJ ROW ("x", "i") " + x[i - 1][j] + x[i + 1][j]" END, "none" },
  { "a large star", sweep,
    IJ "x[i][j - 2] + x[i][j - 1] + x[i][j] + x[i][j + 1] + x[i][j + 2] + x[i "
       "- 2][j] + x[i - 1][j] + x[i + 1][j] + x[i + 2][j] + x[i - 1][j + 1] + "
       "x[i - 1][j - 1] + x[i + 1][j + 1] + x[i + 1][j - 1]" END,
    "36 x 36, 13 shifts, 7 reads: 0..0 x 0..4; -2..2 x 2..2; -1..1 x 1..3; " },
  { "three dimensions", sweep,
    IJK PLANE ("i - 1") " + " PLANE ("i") " + " PLANE ("i + 1") END3,
    "10 x 10 x 34, 27 shifts, 13.5 reads: 0..2 x 0..2 x 0..2; " },
  { "images", sweep,
    "for h = 0 to p parallel collapse(3) { for i = 1 to n - 1 { for k = 1 to m "
    "- 1 { w[h][i][k] = " LINE ("h", "i - 1") " + " LINE ("h", "i") " + " LINE (
      "h", "i + 1") END3,
    "34 x 34, 9 shifts, 4.5 reads: 0..2 x 0..2; " },
  { "a condition around what is read anyway", sweep,
    IJ "(x[i][j] > 0.0f32 ? " BOX " : x[i][j])" END, "none" },
  { "one that reads what is read anyway", sweep,
    IJ BOX " + (x[i][j] > 0.0f32 ? x[i][j] : 0.0f32)" END,
    "34 x 34, 9 shifts, 4.5 reads: 0..2 x 0..2; " },
  { "one that reads more", sweep,
    IJ BOX " + (x[i][j] > 0.0f32 ? x[i][j + 2] : 0.0f32)" END, "none" },
  { "where data say", sweep, IJ BOX " + x[i][at[j]]" END, "none" },
  { "an array that is written", sweep,
    "for i = 2 to n - 2 parallel collapse(2) { for j = 2 to m - 2 { x[i][j] "
    "= " BOX END,
    "none" },
  { "across", sweep,
    IJ "x[j - 1][i - 1] + x[j - 1][i] + x[j - 1][i + 1] + x[j][i - 1] + "
       "x[j][i] + x[j][i + 1] + x[j + 1][i - 1] + x[j + 1][i] + x[j + 1][i + "
       "1]" END,
    "none" },
  { "every second row", sweep,
    "for i = 2 to n - 2 step 2 parallel collapse(2) { for j = 2 to m - 2 { "
    "y[i][j] = " BOX END,
    "none" },
  { "a line", sweep,
    IJ "f[i - 1] + f[i] + f[i + 1] + f[i + 2] + f[i - 2] + x[i][j]" END,
    "none" },
  { "when it pays", blocks, IJ BOX END,
    "...n - 2 - 2...>= 8 && ...m - 2 - 2...>= 16: ..., 8" },
  { "its kernels", kernels, IJ BOX END, "other halo " },
  { "the kernels of a small star", kernels,
    IJ ROW ("x", "i") " + x[i - 1][j] + x[i + 1][j]" END, "other " },
  { "its text", printed, IJ BOX END,
    "__shared__ float tns_tile[1156]; ...tns_e / 34 % 34 + 0; ...if "
    "((tns_dim0 >= 0 && tns_dim0 < tns_dim0s + 2 && tns_dim1 >= 0 && tns_dim1 "
    "< tns_dim1s + 2)) ...tns_tile[tns_e] = x[(i - 1) * m + (j - 1)]; "
    "...__syncthreads (); ...tns_line = [&] ...y[i * m + j] = tns_tile[tns_own "
    "+ 0] + tns_tile[tns_own + 1] + ...+ tns_tile[tns_own + 70]; ...tns_line "
    "(tns_v, true); ...tns_line (tns_v, false); } __syncthreads (); } " },
};

MAIN_OF_ANSWERS (rows)
