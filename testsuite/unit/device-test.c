/* Kernels of a device: which there are, who does their iterations and how many
   threads, what they are given, where threads wait for each other; sums of a
   block; what is asked of regions that a device may run, too.  */

#include <stdio.h>
#include <string.h>

#include "agree.h"
#include "answers.h"
#include "base/text.h"
#include "driver/device.h"
#include "ir/expr.h"
#include "ir/walk.h"
#include "lowering/block-sums.h"
#include "lowering/cuda-block.h"
#include "lowering/cuda-lines.h"
#include "lowering/cuda-scan.h"
#include "lowering/cuda.h"
#include "lowering/grid-kernel.h"
#include "lowering/grid-scan.h"
#include "lowering/grid.h"
#include "lowering/portions.h"
#include "poly/deps.h"
#include "poly/guard.h"
#include "schedule/check.h"
#include "schedule/machine.h"
#include "schedule/part.h"

/* The region whose body TEXT is.  */
static tns_region *
region_of (tns_ctx *ctx, const char *text)
{
  ctx->machine = tns_machine_find ("cuda");
  return verdict_region (
    ctx, tns_arena_format (
           ctx->arena,
           "region r { value i64 n; value i64 m; value f64 a; array f64 x[n]; "
           "array f64 y[n]; array f64 A[n][n]; array f64 B[n][n]; array f64 "
           "C[n][n]; array i64 "
           "at[n]; array f80 w[n]; cell f64 s; { %s } }",
           text));
}

/* Who does a kernel's iterations.  */
static const char *const mapping[]
  = { "threads", "blocks", "one",  "tiles", "columns",
      "slots",   "cross",  "halo", "beside" };

/* The kernels of TEXT: how iterations are shared, how many, threads, what each
   is given; what outlives them.  */
static const char *
kernels (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_grid *grid = tns_grid_build (ctx, r);
  if (!grid)
    return answer_said (ctx);
  tns_text words = tns_text_new (ctx->arena);
  for (int k = 0; k < grid->n; k++)
    {
      const tns_kernel *kernel = &grid->kernel[k];
      tns_text_format (
        &words, "%s: %s of %s, %s a block, given",
        tns_cuda_name (ctx->arena, kernel), mapping[kernel->mapping],
        answer_expr (ctx, kernel->work), answer_expr (ctx, kernel->threads));
      for (int p = 0; p < kernel->region->n_params; p++)
        tns_text_format (&words, " %s%s", kernel->given[p]->name,
                         tns_grid_writes (kernel, kernel->given[p]) ? "!" : "");
      tns_text_add (&words, "; ");
    }
  for (int id = 0; id < r->n_syms; id++)
    if (grid->outlives[id])
      tns_text_format (&words, "%s outlives", r->syms[id]->name);
  return tns_text_chars (&words);
}

/* What the first kernel of TEXT does, as a region.  */
static const char *
first_kernel (tns_ctx *ctx, const char *text)
{
  tns_grid *grid = tns_grid_build (ctx, region_of (ctx, text));
  if (!grid || !tns_kernel_fill (ctx, grid, &grid->kernel[0]))
    return answer_said (ctx);
  return verdict_region_text (ctx, grid->kernel[0].region);
}

/* What the host does for TEXT, kernels being their numbers.  */
static void
tell_host (tns_ctx *ctx, const tns_grid *grid, const tns_node *node,
           tns_text *words)
{
  const tns_kernel *kernel = tns_grid_kernel (grid, node);
  if (kernel)
    tns_text_format (words, "launch %d; ", (int) (kernel - grid->kernel));
  else if (node->kind == TNS_LOOP)
    {
      tns_text_format (words, "for %s, %s times { ", node->iter->name,
                       answer_expr (ctx, tns_grid_trip (ctx->arena, node)));
      tell_host (ctx, grid, node->body, words);
      tns_text_add (words, "} ");
    }
  else if (node->kind == TNS_IF)
    {
      tns_text_format (words, "if %s { ", answer_expr (ctx, node->cond));
      tell_host (ctx, grid, node->then, words);
      tns_text_add (words, "} ");
    }
  else if (node->kind == TNS_LOCAL)
    tns_text_format (words, "local %s; ", node->sym->name);
  for (int k = 0; !kernel && k < node->n_kids; k++)
    tell_host (ctx, grid, node->kid[k], words);
}

/* The same.  */
static const char *
host (tns_ctx *ctx, const char *text)
{
  tns_grid *grid = tns_grid_build (ctx, region_of (ctx, text));
  tns_text words = tns_text_new (ctx->arena);
  if (!grid)
    return answer_said (ctx);
  tell_host (ctx, grid, grid->region->body, &words);
  return tns_text_chars (&words);
}

/* How TEXT's first loop is taken: how many loops form its space, which is
   inside, whether it has lanes.  */
static const char *
space (tns_ctx *ctx, const char *text)
{
  tns_node *loop = region_of (ctx, text)->body->kid[0];
  tns_node *inner = tns_grid_inner (loop);
  return tns_arena_format (ctx->arena, "%d loops, inside %s, lanes %s",
                           tns_grid_loops (loop),
                           inner ? inner->iter->name : "nothing",
                           answer_bool (tns_grid_has_lanes (loop)));
}

/* What the last kernel of TEXT says in CUDA C.  */
static const char *
in_cuda (tns_ctx *ctx, const char *text)
{
  tns_region *r = tns_region_block_sums (ctx, region_of (ctx, text));
  tns_grid *grid = tns_grid_build (ctx, r);
  tns_text words = tns_text_new (ctx->arena);
  if (!grid)
    return answer_said (ctx);
  tns_cuda_print (ctx, &words, grid);
  const char *at = tns_text_chars (&words);
  for (const char *next = at; next; next = strstr (at + 1, "struct"))
    at = next;
  return tns_arena_string (ctx->arena, at);
}

/* TEXT, which the threads of a block do together.  */
static const char *
block (tns_ctx *ctx, const char *text)
{
  tns_region *r = tns_region_block_sums (ctx, region_of (ctx, text));
  tns_c99 *c = tns_c99_new (ctx, tns_c99_tidy (ctx, r, true), true);
  tns_cuda_block (c, c->region->body, true, NULL);
  return tns_text_chars (c->text);
}

/* The same, the calls alone with which threads wait, and stores.  */
static const char *
waits (tns_ctx *ctx, const char *text)
{
  tns_text words = tns_text_new (ctx->arena);
  for (const char *at = block (ctx, text); *at; at++)
    if (!strncmp (at, "__syncthreads", 13))
      tns_text_add (&words, "wait ");
    else if (!strncmp (at, "for (long ", 10))
      tns_text_format (&words, "%c ", at[10]);
    else if (!strncmp (at, "if (", 4) && strncmp (at + 4, "threadIdx", 9))
      tns_text_add (&words, "if ");
    else if (!strncmp (at, "else", 4))
      tns_text_add (&words, "else ");
  return tns_text_chars (&words);
}

/* TEXT with sums of blocks.  */
static const char *
sums (tns_ctx *ctx, const char *text)
{
  tns_region *r = tns_region_block_sums (ctx, region_of (ctx, text));
  const char *words = answer_body (ctx, r, r->body);
  return strstr (words, "cell f64 s;\n") + strlen ("cell f64 s;\n");
}

/* What begins the updates of TEXT: a type and operators by their names.  */
static const char *
neutral (tns_ctx *ctx, const char *text)
{
  static const tns_op ops[] = { TNS_ADD, TNS_MUL,  TNS_AND, TNS_OR,  TNS_XOR,
                                TNS_LOR, TNS_LAND, TNS_MIN, TNS_MAX, TNS_NONE };
  tns_elem elem = !strcmp (text, "i32") ? TNS_I32 : TNS_F64;
  tns_text words = tns_text_new (ctx->arena);
  for (int k = 0; ops[k] != TNS_NONE; k++)
    if (elem == TNS_I32 || k < 2 || k > 6)
      tns_text_format (
        &words, "%s ",
        answer_expr (ctx, tns_neutral (ctx->arena, ops[k], elem)));
  return tns_text_chars (&words);
}

/* The spans of TEXT that are copied.  */
static const char *
copied (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_scop *scop = tns_scop_build (ctx, r);
  tns_region *made = tns_guard_copied (ctx, scop);
  tns_text words = tns_text_new (ctx->arena);
  for (int k = 0; made && k < made->n_spans; k++)
    tns_text_format (&words, "%s%s; ", made->spans[k].sym->name,
                     made->spans[k].may ? " perhaps" : "");
  tns_scop_free (scop);
  return made ? tns_text_chars (&words) : answer_said (ctx);
}

/* What a device's context has of TEXT's, a machine.  */
static const char *
context (tns_ctx *ctx, const char *text)
{
  ctx->machine = tns_machine_find (text);
  ctx->wish.require.asked = true;
  tns_refuse (ctx, ctx->wish.loc, TNS_WHY_DEVICE, "no");
  const tns_ctx *device = tns_device_context (ctx);
  return tns_arena_format (
    ctx->arena, "%s, a device %s, requires %s, said %s", device->machine->name,
    answer_bool (device->machine->device),
    answer_bool (device->wish.require.asked),
    answer_bool (device->remarks || device->status != TNS_DONE));
}

/* How TEXT, written plainly, is planned; whether the interpreter agrees.  */
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
  const char *file = tns_device_file (ctx, result, "o/a.b.c");
  const char *name = tns_cuda_identifier (ctx->arena, "f:1-2");
  bool has = strstr (tns_device_text (result), "r_k0");
  return tns_arena_format (ctx->arena, "%d kernels, %s, %s, text %s, same %s",
                           tns_device_kernels (result), file, name,
                           answer_bool (has), answer_bool (same));
}

/* What the first loop of TEXT is as a scan: the cell, what is added, what that
   needs, and the loop in CUDA C.  */
static const char *
scan (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_node *loop = r->body->kid[r->body->n_kids - 1];
  tns_c99 *c = tns_c99_new (ctx, r, true);
  tns_scan found;
  if (!tns_scan_find (ctx->arena, loop, &found))
    return "none";
  tns_cuda_scan_prelude (c->text);
  size_t head = c->text->length;
  bool printed = tns_cuda_scan (c, loop);
  return tns_arena_format (
    ctx->arena, "%s gets %s, %d in front, printed %s: %s", found.cell->name,
    answer_expr (ctx, found.value), found.first->n_kids, answer_bool (printed),
    tns_text_chars (c->text) + head);
}

/* TEXT, a kernel's, with lines of the user's file b.c, behind one other line of
   k.cu.  */
static const char *
user_lines (tns_ctx *ctx, const char *text)
{
  tns_text words = tns_text_new (ctx->arena);
  tns_text_add (&words, "one\n");
  tns_cuda_lines (&words, text, "b.c", "k.cu");
  tns_text shown = tns_text_new (ctx->arena);
  for (const char *at = tns_text_chars (&words); *at; at++)
    tns_text_format (&shown, "%c", *at == '\n' ? '|' : *at);
  return tns_text_chars (&shown);
}

/* Who does the iterations of TEXT's kernels, TEXT being written plainly.  */
static const char *
shared (tns_ctx *ctx, const char *text)
{
  tns_ctx *device = tns_device_context (ctx);
  tns_result *result = tns_pipeline (device, region_of (ctx, text));
  tns_text words = tns_text_new (ctx->arena);
  for (int k = 0; k < tns_device_kernels (result); k++)
    tns_text_format (&words, "%s; ", mapping[result->grid->kernel[k].mapping]);
  return tns_device_kernels (result) ? tns_text_chars (&words)
                                     : answer_said (device);
}

/* How many kernels the host launches for TEXT, written plainly.  */
static const char *
launched (tns_ctx *ctx, const char *text)
{
  tns_ctx *device = tns_device_context (ctx);
  tns_result *result = tns_pipeline (device, region_of (ctx, text));
  return tns_device_kernels (result) ? answer_expr (ctx, result->grid->launches)
                                     : answer_said (device);
}

/* TEXT with temporaries of at most 100 bytes; whether it means the same.  */
static const char *
portions (tns_ctx *ctx, const char *text)
{
  static const long long sizes[] = { 0, 1, 2, 5, 17 };
  tns_region *r = region_of (ctx, text);
  tns_region *made = tns_region_portions (ctx, r, 100);
  bool same = true;
  for (int k = 0; k < 10; k++)
    same &= agree_in_effect (r, made, sizes[k / 2], 1, k % 2);
  const char *words = answer_body (ctx, made, made->body);
  return tns_arena_format (ctx->arena, "same %s: %s", answer_bool (same),
                           strstr (words, "cell f64 s;\n")
                             + strlen ("cell f64 s;\n"));
}

/* How contractions of TEXT get nests of their own: steps, and how many have
   one before and behind.  */
static const char *
parted (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_scop *scop = tns_scop_privatise (ctx, tns_scop_build (ctx, r));
  tns_deps *deps = tns_deps_build (ctx, scop);
  tns_planner p = { ctx,
                    scop,
                    deps,
                    ctx->machine,
                    tns_tree_of_scop (ctx, scop),
                    tns_text_new (ctx->arena),
                    TNS_NEW_ARRAY (ctx->arena, tns_task, scop->n_stmts + 1) };
  tns_tree_check (ctx, deps, p.tree, NULL);
  int before = tns_parts_count (&p);
  bool some = tns_plan_parts (&p);
  tns_text words = tns_text_new (ctx->arena);
  tns_text_format (&words, "%d, %s, %d: ", before, answer_bool (some),
                   tns_parts_count (&p));
  for (const char *at = tns_text_chars (&p.steps); *at; at++)
    if (*at == '\n')
      tns_text_add (&words, "; ");
    else
      tns_text_format (&words, "%c", *at);
  if (p.tree->kind == TNS_TREE_DIM && tns_parts_has (&p, p.tree))
    tns_text_add (&words, "at the first");
  tns_deps_free (deps);
  tns_scop_free (scop);
  return tns_text_chars (&words);
}

#define I     "for i = 0 to n parallel { "
#define LANES "for j = 0 to n simd(32) { "

#define PRODUCT(THEN)                                                          \
  "for i = 0 to n { for j = 0 to n { local f64 d; d = 0.0f64; for l = 0 to n " \
  "{ d += A[i][l] * B[l][j]; } " THEN " } }"

static const answer_row rows[] = {
  { "a thread each", kernels, I "x[i] = a; }",
    "r_k0: threads of floordiv(max(n, 0) + 1, 2), 256 a block, given x! n "
    "a; " },
  { "a space of two loops", kernels,
    "for i = 0 to n parallel collapse(2) { for j = 2 to n step 3 { A[i][j] = "
    "x[j]; } }",
    "r_k0: threads of max(n, 0) * max(floordiv(n - 2 + 2, 3), 0), 256 "
    "a block, "
    "given x A! n; " },
  { "a block each, as many threads as are worth it", kernels,
    I LANES "A[i][j] = x[j]; } }",
    "r_k0: blocks of max(n, 0), (max(n, 0) >= 1024 ? 256 : (max(n, 0) >= 256 "
    "? 128 : 32)) a block, given x A! n; " },
  { "rows of different lengths", kernels,
    I "for j = i to n simd(32) { A[i][j] = x[j]; } }",
    "r_k0: blocks of max(n, 0), 128 a block, given x A! n; " },
  { "one block", kernels, I "x[i] = a; } y[0] = x[0];",
    "r_k0: threads ...; r_k1: one of 1, 32 a block, given x y!;" },
  { "one block with lanes", kernels, LANES "x[j] = a; } y[0] = x[0];",
    "r_k0: one of 1, 256 a block, given x! y! n a; " },
  { "what outlives kernels, and what does not", kernels,
    "local f64 t[n]; local f64 c; " I "t[i] = x[i]; } c = t[0]; x[0] = c; " I
    "y[i] = t[i]; }",
    "...r_k1: one of 1, 32 a block, given x! t; ...t outlives" },
  { "a cell of two kernels", kernels, "local f64 c; c = x[0]; " I "y[i] = c; }",
    "r_k0: one of 1, 32 a block, given x c!; r_k1: threads of floordiv(max(n, "
    "0) + 1, 2), 256 "
    "a block, given y! c n; c outlives" },
  { "nothing to share", kernels, "s = x[0];",
    "device: there is nothing for threads to share; " },
  { "what no device knows", kernels, I "w[i] = w[i] * 2.0f80; }",
    "device: long double is not known to devices; " },
  { "a row that is too long", kernels,
    I "local f64 t[9000]; for j = 0 to 9000 { t[j] = a; } x[i] = t[7]; }",
    "device: an array of a loop's own is too large for a thread; " },
  { "how often is in memory", kernels,
    "for k = 0 to at[0] { " I "x[i] = a; } }",
    "device: how often a loop runs is in memory of the device; " },
  { "whether is in memory", kernels, "if (x[0] > a) { " I "y[i] = a; } }",
    "device: a condition is in memory of the device; " },
  { "a loop of the host's", host,
    "x[0] = a; for k = 0 to m { " I "x[i] = x[i] * a; } y[0] = x[k]; "
    "y[1] = a; }",
    "launch 0; for k, max(m, 0) times { launch 1; launch 2; } " },
  { "a choice of the host's", host,
    "local f64 t[n]; if (m > 2) { " I "t[i] = a; } } " I "x[i] = t[i]; }",
    "local t; if m > 2 { launch 0; } launch 1; " },
  { "a kernel is given the host's iterator", first_kernel,
    "for k = 0 to m { " I "x[i] = A[i][k]; } }",
    "region r_k0 { value i64 n; value i64 m; ...for i = 0 to n "
    "parallel { x[i] "
    "= A[i][k...]; } }..." },
  { "loops that form a space", space,
    "for i = 0 to n parallel collapse(3) { for j = 0 to n { for k = 0 to i { "
    "A[i][j] = a; } } }",
    "2 loops, inside j, lanes no" },
  { "statements between loops", space,
    I "x[i] = a; for j = 0 to n simd(32) { A[i][j] = a; } }",
    "1 loops, inside nothing, lanes yes" },
  { "a thread's text", in_cuda, I "x[2 * i] = a; }",
    "struct r_k0_args tns_args) { double *__restrict__ const x = "
    "tns_args.x; const long n = tns_args.n; const double a = "
    "tns_args.a; const long tns_at_trip0 = tensor_max_i64 (n, 0); const "
    "long tns_ats = tns_at_trip0; TNS_UNROLL4 for (long tns_at = (long) "
    "blockIdx.x * "
    "blockDim.x + threadIdx.x; tns_at < tns_ats; tns_at += (long) "
    "gridDim.x * blockDim.x) { const long i = tns_at; x[2 * i] = a; } }" },
  { "a block's sum", block,
    "for j = 0 to n simd(32) reduce(add: s) { s += "
    "x[j]; }",
    "if (0 < n) { double s_1; s_1 = 0.0; TNS_UNROLL4 for (long j = (long) "
    "threadIdx.x; j < n; j += (long) blockDim.x) { s_1 += x[j]; } s_1 "
    "= tns_fold (s_1, [] (double tns_a, double tns_b) -> double { "
    "return tns_a + tns_b; }, tns_parts); if (threadIdx.x == 0) s[0] "
    "+= s_1; }" },
  { "each thread has elements of its own", waits,
    LANES "x[j] = a; } for k = 0 to n simd(32) { y[k] = x[k]; }", "j k " },
  { "whatever rows", waits,
    "for i = 0 to m { " LANES "A[i][j] = a; B[0][j] += A[i][j]; } }", "i j " },
  { "elements of others", waits,
    LANES "x[j] = a; } for k = 1 to n simd(32) { y[k] = x[k - 1]; }",
    "j wait k " },
  { "another begin", waits,
    LANES "x[j] = a; } for k = 1 to n simd(32) { y[k] = x[k]; }", "j wait k " },
  { "a begin that moves", waits,
    "for i = 0 to m { for j = i to n simd(32) { x[j] += a; } }", "i wait j " },
  { "one thread's element", waits, "y[0] = a; " LANES "x[j] = y[0]; }",
    "wait j " },
  { "an element is read before it is changed", waits,
    LANES "x[j] = y[0]; } y[0] = a; ", "j wait " },
  { "only readers", waits, LANES "x[j] = y[0]; } s = y[0];", "j " },
  { "a loop that changes what it reads", waits,
    "for i = 0 to m { " LANES "x[j] = x[n - 1 - j] * a; } }", "i wait j " },
  { "a loop that may not run", waits,
    LANES "x[j] = a; } for i = 0 to m { y[0] = y[1]; y[1] = a; } "
          "for k = 0 to n simd(32) { A[0][k] = x[n - 1 - k]; }",
    "j i wait wait wait k " },
  { "a choice that may not be", waits,
    LANES "x[j] = a; } if (m > 2) { y[0] = a; y[1] = y[0]; } "
          "for k = 0 to n simd(32) { A[0][k] = x[n - 1 - k]; }",
    "j if wait wait k " },
  { "what is asked and then changed, either way", waits,
    "if (y[0] > a) { y[0] = a; } else { y[0] = a * a; }",
    "if wait else wait " },
  { "an array of the block", waits,
    "local f64 t[8]; for j = 0 to 8 simd(32) { t[j] = x[j]; } "
    "for k = 0 to 8 simd(32) { x[k] = t[7 - k]; }",
    "j wait k wait " },
  { "sums as cells", sums,
    LANES "s += x[j]; } for j = 0 to n simd(32) reduce(add: s) { s += x[j]; }",
    "{ for j = 0 to n simd(32) { s += x[j]; } if (0 < n) { local f64 "
    "s_1; s_1 = 0.0f64; for j = 0 to n simd(32) reduce(add: s_1) { s_1 "
    "+= x[j]; } s += s_1; } } }" },
  { "a minimum begins with the element", sums,
    "for j = 0 to 8 simd(32) reduce(min: s) { s min= x[j]; }",
    "{ local f64 s_1; s_1 = s; for j = 0 to 8 simd(32) reduce(min: "
    "s_1) { s_1 min= x[j]; } s min= s_1; } }" },
  { "a cell of its own needs no element", sums,
    "local f64 c; c = a; for j = 0 to n simd(32) reduce(add: c) { c += "
    "x[j]; } "
    "s = c;",
    "{ local f64 c; c = a; local f64 c_1; c_1 = 0.0f64; for j = 0 to n "
    "simd(32) reduce(add: c_1) { c_1 += x[j]; } c += c_1; s = c; } }" },
  { "sums of elements that change", sums,
    "for j = 0 to n simd(32) reduce(add: y) { y[j] += x[j]; }",
    "{ for j = 0 to n { y[j] += x[j]; } } }" },
  { "neutral whole numbers", neutral, "i32",
    "0i32 1i32 -1i32 0i32 0i32 0i32 1i32 none none" },
  { "neutral reals", neutral, "f64", "0.0f64 1.0f64 none none" },
  { "what is copied", copied, "for i = 0 to n { x[i] = y[i + 1]; }", "x; y; " },
  { "what need not be there", copied,
    "for i = 0 to n { if (y[i] > a) { x[i] = A[0][i]; } }",
    "x perhaps; y; A perhaps; " },
  { "how much is not known", copied,
    "for i = 0 to n { x[i] = y[at[i]]; at[i] = i; }",
    "device: how much of y is touched is not known; " },
  { "a device's context", context, "avx2",
    "cuda, a device yes, requires no, said no" },
  { "a product alone", parted, PRODUCT ("C[i][j] = d;"),
    "1, no, 1: at the first" },
  { "a product with sums of rows", parted, PRODUCT ("y[i] += d;"),
    "0, yes, 1: split j in S1; fuse S0 S1 at j; split i in S1: S1; " },
  { "what is done with sums stays with them", parted,
    PRODUCT ("C[i][j] = d * a; x[j] += C[i][j];"),
    "0, yes, 1: split j in S1; fuse S0 S1 at j; fuse S0 S2 at j; split i in "
    "S1: S1; " },
  { "sums that are needed before the next ones", parted,
    PRODUCT ("B[j][i + 1] = d; y[j] += d;"), "0, no, 0: " },
  { "products too short to pay", parted,
    "for i = 0 to n { for j = 0 to n { local f64 d; d = 0.0f64; for l = 0 to 9 "
    "{ d += A[i][l] * B[l][j]; } y[i] += d; } }",
    "0, no, 0: " },
  { "a product, and rows and columns of it added up", planned,
    "for i = 0 to n { local f64 z; z = 0.0f64; for j = 0 to n { local f64 d; d "
    "= 0.0f64; for l = 0 to n { d += A[i][l] * B[j][l]; } x[j] += d; z += d; } "
    "for j = 0 to n { y[j] += z; } }",
    "12 kernels, ... same yes" },
  { "a triangle of rows", planned,
    "for i = 0 to n { for j = 0 to i + 1 { local f64 d; d = 0.0f64; for l = 0 "
    "to n { d += A[i][l] * A[j][l]; } B[i][j] = d; } }",
    "3 kernels, ... same yes" },
  { "temporaries in portions", portions,
    "local f64 t[n][n]; " I "for j = 0 to n { t[i][j] = A[i][j]; } } " I
    "for j = 0 to n { B[i][j] = t[i][j] + t[i][0]; } }",
    "same yes: { local f64 t_1[max(1, min(floordiv(100, max(8 * n, 1)), "
    "n))][n]; for portion = 0 to ...for base = ...t_1[i - base][j] = "
    "A[i][j];...B[i][j] = t_1[i - base][j] + t_1[i - base][0];..." },
  { "temporaries that meet", portions,
    "local f64 t[n][n]; " I "for j = 0 to n { t[i][j] = A[i][j]; } } " I
    "for j = 0 to n { B[i][j] = t[i][j] + t[0][j]; } }",
    "same yes: { local f64 t[n][n]; for i = ..." },
  { "what is seen of others", portions,
    "local f64 t[n][n]; " I "for j = 0 to n { t[i][j] = A[i][j]; } } " I
    "for j = 0 to n { A[j][i] = t[i][j]; } }",
    "same yes: { local f64 t[n][n]; for i = ..." },
  { "temporaries that are needed behind", portions,
    "local f64 t[n][n]; " I "for j = 0 to n { t[i][j] = A[i][j]; } } " I
    "for j = 0 to n { B[i][j] = t[i][j]; } } for i = 0 to n { y[i] = t[i][0]; "
    "}",
    "same yes: { local f64 t[n][n]; for i = ..." },
  { "a chain", planned, "for i = 0 to n { x[i] = y[i] * a; }",
    "1 kernels, o/a.b.r.cu, f_1_2, text yes, same yes" },
  { "rows", planned,
    "for i = 0 to n { local f64 t; t = 0.0f64; for j = 0 to n { t += A[i][j]; "
    "} for j = 0 to n { B[i][j] = A[i][j] * t; } }",
    "3 kernels, ... same yes" },
  { "few elements in time", shared,
    "for i = 0 to n { local f64 t[4]; for j = 0 to 4 { t[j] = A[i][j]; } for k "
    "= 0 to m { for j = 0 to 4 { t[j] = t[j] * t[j] + a; } } for j = 0 to 4 { "
    "A[i][j] = t[j]; } }",
    "threads; " },
  { "few elements of a triangle", shared,
    "for i = 0 to n { local f64 t[6][6]; for j = 0 to 6 { for k = 0 to j { "
    "t[j][k] = A[i][6 * j + k]; } } for j = 1 to 6 { for k = 1 to j { t[j][k] "
    "+= t[k][0] * t[j][0]; } } for j = 0 to 6 { for k = 0 to j { A[i][6 * j + "
    "k] = t[j][k]; } } }",
    "threads; " },
  { "few rows and columns, but many elements", shared,
    "for i = 0 to n { local f64 t[16][16]; for j = 0 to 16 { for k = 0 to 16 { "
    "t[j][k] = A[i][16 * j + k]; } } for j = 1 to 16 { for k = 0 to 16 { "
    "A[i][16 * j + k] = t[k][j] * t[j - 1][k]; } } }",
    "blocks; " },
  { "rows of many elements", shared,
    "for i = 0 to n { local f64 t; t = 0.0f64; for j = 0 to 17 { t += A[i][j]; "
    "} for j = 0 to 17 { B[i][j] = A[i][j] * t; } }",
    "blocks; " },
  { "lines of the user's", user_lines,
    "f ()\n#line 7\nlong j;\n#line 8\ny[j] = x[j];\nz[j] = 0;\n}\n",
    "one|f ()|long j;|#line 8 \"b.c\"|y[j] = x[j];|#line 8 \"b.c\"|z[j] = "
    "0;|}|#line 10 \"k.cu\"|" },
  { "nothing of the user's", user_lines, "f ()\n#line 7\n{ [] { } [&] }\n",
    "one|f ()|{ [] { } [&] }|" },
  { "a scan in CUDA C", scan,
    "local f64 t; t = a; for i = 1 to n { t += x[i]; x[i] = t; }",
    "t gets x[i], 0 in front, printed yes: { const long tns_begin = 1; const "
    "long tns_end = n;...tns_sum = tns_scan (tns_sum, tns_none, tns_both, "
    "tns_parts, &tns_total);...t += x[i]; x[i] = t; }..." },
  { "a scan by a cell of the iteration's", scan,
    "local f64 t; t = a; for i = 1 to n { local f64 u; local f64 v; u = x[i] * "
    "a; v = t + u; y[i] = v; t = v; }",
    "t gets u, 2 in front, printed yes..." },
  { "a sum that nobody sees", scan,
    "local f64 t; t = a; for i = 1 to n { t += x[i]; y[i] = x[i]; }", "none" },
  { "what is added was stored by another iteration", scan,
    "local f64 t; t = a; for i = 1 to n { t += x[i - 1]; x[i] = t; }", "none" },
  { "all store to one element", scan,
    "local f64 t; t = a; for i = 1 to n { t += x[i]; y[0] = t; }", "none" },
  { "what is added follows from the sum", scan,
    "local f64 t; t = a; for i = 1 to n { local f64 u; u = t * x[i]; t += u; "
    "y[i] = t; }",
    "none" },
  { "scans of rows", shared,
    "for i = 0 to n { local f64 t; t = 0.0f64; for j = 0 to n { t += A[i][j]; "
    "B[i][j] = t; } }",
    "blocks; " },
  { "scans of columns", shared,
    "for i = 0 to n { local f64 t; t = 0.0f64; for j = 0 to n { t += A[j][i]; "
    "B[j][i] = t; } }",
    "threads; " },
  { "scans of few elements", shared,
    "for i = 0 to n { local f64 t; t = 0.0f64; for j = 0 to 60 { t += A[i][j]; "
    "B[i][j] = t; } }",
    "threads; " },
  { "what each element sees is multiplied", shared,
    "for i = 0 to n { local f64 t; t = 0.0f64; for j = 0 to n { t = t * a + "
    "A[i][j]; B[i][j] = t; } }",
    "threads; " },
  { "a scan of all", shared,
    "local f64 t; t = a; for i = 0 to n { t += x[i]; y[i] = t; }",
    "one; one; blocks; beside; " },
  { "a scan of what the last iteration stored", shared,
    "local f64 t; t = a; for i = 1 to n { t += x[i - 1]; x[i] = t; }",
    "device: there is nothing for threads to share; " },
  { "a scan of all means the same", planned,
    "local f64 t; t = a; for i = 0 to n { y[i] = t; t max= x[i]; } s = t;",
    "5 kernels, ... same yes" },
  { "a sum of all", planned, "for i = 0 to n { s += x[i]; }",
    "2 kernels, ... same yes" },
  { "sums of columns", planned,
    "for i = 0 to n { for j = 0 to n { x[j] += A[i][j]; } }",
    "2 kernels, ... same yes" },
  { "rows that memory names, one thread a column", launched,
    "for i = 0 to n { for j = 0 to m { A[at[i]][j] += B[i][j]; } }", "f64(1)" },
  { "steps that go on by themselves", launched,
    "for k = 0 to m { for i = 0 to n { x[i] = x[i] * a + y[i]; } }", "f64(1)" },
  { "chunks of rows", launched,
    "for i = 0 to n { for j = 0 to n { x[j] += A[i][j]; } }",
    "f64((max(n, 0) > 0 ? 2 : 0))" },
  { "in time", planned,
    "for k = 0 to n { for i = 1 to n - 1 { y[i] = x[i - 1] + x[i + 1]; } for "
    "i = 1 to n - 1 { x[i] = y[i]; } }",
    "2 kernels, ... same yes" },
};

MAIN_OF_ANSWERS (rows)
