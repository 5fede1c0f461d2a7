/* Kernels of a device beside each other: which nests share a launch, when, how
   many blocks each has, and that they mean the same in any order.  */

#include <stdio.h>
#include <string.h>

#include "agree.h"
#include "answers.h"
#include "base/text.h"
#include "driver/device.h"
#include "lowering/cuda-beside.h"
#include "lowering/cuda-reword.h"
#include "lowering/grid-beside.h"
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
      "region r { value i64 n; value i64 m; array f64 x[n] const; array f64 "
      "y[n]; array f64 z[n]; array f64 v[m]; array f64 A[n][m]; array f64 "
      "B[n][m]; array f80 w[n]; cell f64 s; { %s } }",
      text));
}

/* Lines of the plan for the kernels of TEXT; how many kernels there are.  */
static const char *
joined (tns_ctx *ctx, const char *text)
{
  tns_grid *grid = tns_grid_build (ctx, region_of (ctx, text));
  return grid ? tns_arena_format (ctx->arena, "%s%d kernels, %d of several",
                                  grid->steps, grid->n, tns_grid_joint (grid))
              : answer_said (ctx);
}

/* Where the blocks of the last kernel of TEXT end, and of how many threads they
   are.  */
static const char *
blocks (tns_ctx *ctx, const char *text)
{
  tns_grid *grid = tns_grid_build (ctx, region_of (ctx, text));
  tns_text words = tns_text_new (ctx->arena);
  const tns_kernel *kernel = &grid->kernel[grid->n - 1];
  for (int k = 0; k < kernel->n_parts; k++)
    tns_text_format (&words, "%s; ", answer_expr (ctx, kernel->end[k]));
  tns_text_format (&words, "of %s", answer_expr (ctx, kernel->threads));
  return tns_text_chars (&words);
}

/* What the last kernel of TEXT is called, and given, once it is filled in.  */
static const char *
given (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_text none = tns_text_new (ctx->arena);
  tns_grid *grid = tns_grid_build (ctx, r);
  tns_kernel *kernel = &grid->kernel[grid->n - 1];
  tns_text words = tns_text_new (ctx->arena);
  tns_grid_beside (ctx, grid, &none);
  if (none.length > 0 || !tns_beside_fill (ctx, grid, kernel))
    return answer_said (ctx);
  tns_text_format (&words, "%s of", kernel->region->name);
  for (int p = 0; p < kernel->region->n_params; p++)
    tns_text_format (&words, " %s", kernel->given[p]->name);
  for (int k = 0; k < kernel->n_parts; k++)
    tns_text_format (&words, "; %s", kernel->part[k].region->name);
  return tns_text_chars (&words);
}

/* What the host does for TEXT.  */
static const char *
host (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_grid *grid = tns_grid_build (ctx, r);
  return grid ? answer_body (ctx, r, grid->region->body) : answer_said (ctx);
}

/* What TEXT means, as it is and through all stages: lines of the plan.  */
static const char *
planned (tns_ctx *ctx, const char *text)
{
  static const long long sizes[] = { 0, 1, 2, 5, 17, 33 };
  tns_region *r = region_of (ctx, text);
  tns_ctx *device = tns_device_context (ctx);
  device->dump = NULL;
  tns_result *result = tns_pipeline (device, r);
  if (!result->out || !tns_device_kernels (result))
    return answer_said (device);
  bool same = true;
  for (int k = 0; k < 18; k++)
    same &= agree_in_effect (r, result->out, sizes[k / 3], 1, k % 3);
  return tns_arena_format (ctx->arena, "%ssame %s", result->grid->steps,
                           answer_bool (same));
}

/* TEXT as part 1 of a kernel, and what it shares.  */
static const char *
part (tns_ctx *ctx, const char *text)
{
  tns_text words = tns_text_new (ctx->arena);
  tns_text room = tns_text_new (ctx->arena);
  tns_cuda_part (&words, &room, text, 1);
  return tns_arena_format (ctx->arena, "%s| %s", tns_text_chars (&words),
                           tns_text_chars (&room));
}

/* TEXT with other words.  */
static const char *
reworded (tns_ctx *ctx, const char *line)
{
  static const tns_reword word[]
    = { { "one", "two" }, { "on", "off" }, { "", "never" } };
  tns_text words = tns_text_new (ctx->arena);
  tns_cuda_reword (&words, line, line + strlen (line) - 2, 2, word);
  return tns_text_chars (&words);
}

#define I     "for i = 0 to n parallel { "
#define J     "for j = 0 to m parallel { "
#define LANES "for j = 0 to m simd(32) { "

static const answer_row rows[] = {
  { "two nests", joined, I "S: y[i] = x[i]; } " J "T: v[j] = 1.0f64; }",
    "beside S T 3 kernels, 1 of several" },
  { "one that reads what the other stores", joined,
    I "S: y[i] = x[i]; } " J "T: v[j] = y[0]; }", "2 kernels, 0 of several" },
  { "one that stores what the other reads", joined,
    I "S: y[i] = v[0]; } " J "T: v[j] = 1.0f64; }", "2 kernels, 0 of several" },
  { "two that store to one array", joined,
    I "S: y[i] = x[i]; } " I "T: y[i] = z[i]; }", "2 kernels, 0 of several" },
  { "past one that depends on neither", joined,
    I "S: y[i] = x[i]; } for k = 0 to n { " J "T: v[j] = v[j] * 2.0f64; } } " I
      "U: z[i] = 2.0f64; }",
    "beside S U 4 kernels, 1 of several" },
  { "not past one that it needs", joined,
    I "S: y[i] = x[i]; } for k = 0 to n { " J "T: v[j] = v[j] * 2.0f64; } } " I
      "U: z[i] = v[0]; }",
    "3 kernels, 0 of several" },
  { "in steps", joined,
    I "S: y[i] = x[i]; } " I "T: z[i] = y[n - 1 - i]; } " J "U: v[j] = 1.0f64; "
      "} " J "V: A[0][j] = v[m - 1 - j]; }",
    "beside S U beside T V 6 kernels, 2 of several" },
  { "what others wait for comes first", joined,
    "for i = 0 to n parallel { for j = 0 to 300 simd(32) { S: A[i][j] = x[j]; "
    "} } for i = 0 to n parallel { for j = 0 to 2000 simd(32) { T: B[i][j] = "
    "x[j]; } } " J "U: v[j] = B[0][j]; }",
    "beside S U 4 kernels, 1 of several" },
  { "sizes are known", joined,
    "for i = 0 to 100 parallel { S: y[i] = x[i]; } for i = 0 to 9 parallel { "
    "T: z[i] = x[i]; }",
    "beside S T 1 kernels, 1 of several" },
  { "one is known to be large", joined,
    "for i = 0 to 9000000 parallel { S: y[2 * i] = x[i]; } for i = 0 to 9 "
    "parallel { T: z[i] = x[i]; }",
    "2 kernels, 0 of several" },
  { "blocks of other sizes", joined,
    "for i = 0 to n parallel { for j = 0 to 2000 simd(32) { S: A[i][j] = x[j]; "
    "} } for i = 0 to n parallel { for j = 0 to 300 simd(32) { T: B[i][j] = "
    "x[j]; } }",
    "2 kernels, 0 of several" },
  { "where blocks end", blocks,
    "for i = 0 to n parallel { S: y[2 * i] = x[i]; } for i = 0 to 300 parallel "
    "{ T: z[2 * i] = x[i]; }",
    "floordiv(floordiv(max(n, 0) + 1, 2) + 255, 256); "
    "floordiv(floordiv(max(n, 0) + 1, 2) + 255, 256) + 1; of 256" },
  { "as many threads as one needs", blocks,
    I "for j = 0 to 300 simd(32) { A[i][j] = x[j]; } } " J "v[j] = 2.0f64; }",
    "max(n, 0); ... of 128" },
  { "a nest that may not be done", blocks,
    "for i = 0 to 300 parallel { y[2 * i] = x[i]; } if (m > 2) { for i = 0 to "
    "300 parallel { z[2 * i] = x[i]; } }",
    "1; 1 + (m > 2 ? 1 : 0); of 256" },
  { "what all parts are given", given,
    "for i = 0 to 9 parallel { y[i] = x[i]; } for j = 0 to 9 parallel { v[j] = "
    "z[m]; }",
    "r_k0 of x y z v m; r_k0_part0; r_k0_part1" },
  { "a kernel that the device has not", joined,
    I "y[i] = x[i]; } " J "w[j] = w[j] * 2.0f80; }",
    "device: long double is not known to devices; " },
  { "when sizes are small", host,
    I "S: y[2 * i] = x[i]; } for i = 0 to 9 parallel { T: z[i] = x[i]; }",
    "...if (floordiv(max(n, 0) + 1, 2) <= 270336) { for part = 0 to 2 parallel "
    "{ if (part == 0) "
    "{ for i = ...} if (part == 1) { for i = ...} } } else { for i = ...for "
    "i = ..." },
  { "what begins its life stands in front", host,
    "for i = 0 to 9 parallel { S: y[i] = x[i]; } local f64 t[9]; for i = 0 to "
    "9 "
    "parallel { T: t[i] = x[i]; } for i = 0 to 9 parallel { z[i] = t[8 - i]; }",
    "...{ local f64 t[9]; for part = 0 to 2 parallel..." },
  { "sums, rows and a chain mean the same", planned,
    "for i = 0 to n { for j = 0 to m { S: A[i][j] = B[i][j] * 2.0f64; } } for "
    "i = 0 to n { T: s += x[i]; } for j = 0 to m { for i = 0 to n { U: v[j] += "
    "B[i][j]; } } for i = 0 to n { z[i] = x[i] * s; }",
    "beside ...same yes" },
  { "steps in time mean the same", planned,
    "for k = 0 to 3 { for i = 1 to n { y[i] = z[i - 1]; } for j = 1 to m { "
    "A[0][j] = v[j - 1]; } for i = 0 to n { z[i] = y[i]; } for j = 0 to m { "
    "v[j] = A[0][j] * 2.0f64; } }",
    "beside ...same yes" },
  { "a part's words", part,
    "  __shared__ long tns_parts[32];\n  x[blockIdx.x * gridDim.x] = 1;\n",
    " auto &tns_parts = tns_room.part1.tns_room0; x[tns_block * tns_blocks] = "
    "1; | long tns_room0[32]; " },
  { "the first of two words", reworded, "one on one onto", "two off two off " },
};

MAIN_OF_ANSWERS (rows)
