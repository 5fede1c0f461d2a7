/* Short rows that share a block of a device: how many, by what is known of
   their length; which do not; their text.  */

#include <stdio.h>
#include <string.h>

#include "answers.h"
#include "base/text.h"
#include "driver/device.h"
#include "lowering/cuda-short.h"
#include "lowering/cuda.h"
#include "lowering/grid-short.h"
#include "lowering/grid.h"
#include "schedule/machine.h"

/* The region whose body is a loop over rows of BODY; what stands in front of
   a bar is what it assumes.  */
static tns_region *
region_of (tns_ctx *ctx, const char *body)
{
  const char *bar = strchr (body, '|');
  const char *facts
    = bar ? tns_arena_format (ctx->arena, "%.*s", (int) (bar - body), body)
          : "";
  ctx->machine = tns_machine_find ("cuda");
  return verdict_region (
    ctx, tns_arena_format (
           ctx->arena,
           "region r { value i64 n; value i64 c; array f32 x[n][c]; array f32 "
           "y[n][c]; array f64 d[n][c]; array f32 v[n]; %s { for i = 0 to n "
           "parallel { local f32 s; s = 0.0f32; %s } } }",
           facts, bar ? bar + 1 : body));
}

/* How rows of BODY share a block, where ANY also those of which nothing is
   said.  */
static const char *
found_of (tns_ctx *ctx, const char *body, bool any)
{
  tns_region *r = region_of (ctx, body);
  tns_node *loop = r->body->kid[0];
  tns_grid_row row;
  tns_short s;
  bool keeps = tns_row_find (ctx->arena, r, 1, &loop, &row);
  if (!tns_short_find (ctx, r, 1, &loop, keeps ? &row : NULL, any, &s))
    return "no";
  return tns_arena_format (ctx->arena, "%d threads, %d groups%s", s.lanes,
                           s.groups, s.usual ? ", perhaps" : "");
}

/* The same.  */
static const char *
found (tns_ctx *ctx, const char *body)
{
  return found_of (ctx, body, false);
}

static const char *
found_any (tns_ctx *ctx, const char *body)
{
  return found_of (ctx, body, true);
}

/* Lines of the plan for BODY; kernels, their blocks and threads.  */
static const char *
kernels (tns_ctx *ctx, const char *body)
{
  tns_grid *grid = tns_grid_build (ctx, region_of (ctx, body));
  tns_text words = tns_text_new (ctx->arena);
  if (!grid)
    return answer_said (ctx);
  tns_text_format (&words, "%s", grid->steps);
  for (int k = 0; k < grid->n; k++)
    tns_text_format (&words, "%s of %s; ",
                     answer_expr (ctx, grid->kernel[k].work),
                     answer_expr (ctx, grid->kernel[k].threads));
  return tns_text_chars (&words);
}

/* BODY in CUDA C.  */
static const char *
in_cuda (tns_ctx *ctx, const char *body)
{
  tns_grid *grid = tns_grid_build (ctx, region_of (ctx, body));
  tns_text words = tns_text_new (ctx->arena);
  if (!grid)
    return answer_said (ctx);
  tns_cuda_print (ctx, &words, grid);
  return tns_text_chars (&words);
}

/* TEXT by rows of 8 threads.  */
static const char *
text (tns_ctx *ctx, const char *body)
{
  tns_text words = tns_text_new (ctx->arena);
  tns_cuda_short (&words, body, TNS_SHORT_THREADS, 8);
  return tns_text_chars (&words);
}

#define SUM(end)                                                               \
  "for j = 0 to " end " simd(32) reduce(add: s) { S: s += x[i][j]; } for j = " \
  "0 to " end " simd(32) { y[i][j] = x[i][j] * s; }"

static const answer_row rows[] = {
  { "groups of four", found, SUM ("32"), "8 threads, 1 groups" },
  { "not all threads have one", found, SUM ("24"), "8 threads, 1 groups" },
  { "a warp, two groups each", found, SUM ("256"), "32 threads, 2 groups" },
  { "one more", found, SUM ("257"), "no" },
  { "nobody knows", found, SUM ("c"), "no" },
  { "perhaps", found_any, SUM ("c"), "16 threads, 4 groups, perhaps" },
  { "as far as the row's own number", found,
    "for j = 0 to i simd(32) reduce(add: s) { s += x[i][j]; }", "no" },
  { "it is long", found_any, SUM ("257"), "no" },
  { "nothing is kept", found_any,
    "for j = 0 to c simd(32) { y[i][j] = 1.0f32; }", "no" },
  { "at most", found, "assume c <= 64;|" SUM ("c"), "16 threads, 1 groups" },
  { "less", found, "assume c < 65;|" SUM ("c"), "16 threads, 1 groups" },
  { "turned", found, "assume 64 >= c;|" SUM ("c"), "16 threads, 1 groups" },
  { "the least counts", found,
    "assume c <= 200; assume c == 32; assume c < 100;|" SUM ("c"),
    "8 threads, 1 groups" },
  { "at least says nothing", found, "assume c >= 64;|" SUM ("c"), "no" },
  { "of another", found, "assume n <= 64;|" SUM ("c"), "no" },
  { "none at all", found, "assume c <= 0;|" SUM ("c"), "1 threads, 1 groups" },
  { "not in registers", found, "for j = 0 to 50 simd(32) { y[i][j] = 1.0f32; }",
    "32 threads, 0 groups" },
  { "a scan", found,
    "local f32 t[40]; for j = 0 to 40 simd(32) { y[i][j] = x[i][j]; }", "no" },
  { "rows of a block", kernels, SUM ("32"),
    "rows of S: 16 a block floordiv(max(n, 0) + 15, 16) of 128; " },
  { "rows that are long", kernels, SUM ("c"),
    "rows of S: 8 a block where they are short max(n, 0) of 1024; max(n, 0) of "
    "((mod(c, 4) ...; floordiv(max(n, 0) + 7, 8) of 128; " },
  { "a row's threads", in_cuda, SUM ("32"),
    "...__launch_bounds__ (128) r_k0 ...const unsigned int tns_mask = 0xffu << "
    "(threadIdx.x % 32 / 8 * 8); ...for (long tns_at = tns_unit; tns_at < "
    "tns_ats; tns_at += tns_units) ...s = tns_fold_row<8> (s, "
    "...tns_mask);..." },
  { "words", text,
    "if (threadIdx.x == 0)\n  x[blockIdx.x] += blockDim.x;\n__syncthreads ();\n"
    "s = tns_fold_first (s, f, tns_parts);\n",
    "const unsigned int tns_lane = threadIdx.x % 8; const long tns_unit = "
    "tns_anew ((long) blockIdx.x * 16 + threadIdx.x / 8); const long tns_units "
    "= (long) "
    "gridDim.x * 16; ...(void) tns_lane, (void) tns_mask; if (tns_lane == 0) "
    "x[tns_unit] += 8u; __syncwarp (tns_mask); s = tns_first_row<8> (s, f, "
    "tns_mask); " },
};

MAIN_OF_ANSWERS (rows)
