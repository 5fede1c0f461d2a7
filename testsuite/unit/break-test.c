/* Faults that random regions seldom show, planted by --break: for each a region
   that it makes wrong.

   A stage is run by itself, a step of a plan through the whole pipeline.
   Without the fault the region does what it did, in every order of its free
   loops, or the step says that it is not legal; with it either the proof
   refuses the plan or a run differs, whichever the row says.  */

#include <stdio.h>
#include <string.h>

#include "agree.h"
#include "driver/pipeline.h"
#include "faults.h"
#include "ir/verify.h"
#include "ir/wait.h"
#include "ir/window.h"
#include "lowering/block-sums.h"
#include "lowering/grid.h"
#include "lowering/portions.h"
#include "lowering/scans.h"
#include "lowering/entries.h"
#include "lowering/idle.h"
#include "lowering/late.h"
#include "lowering/lines.h"
#include "lowering/lookahead.h"
#include "lowering/low-bits.h"
#include "lowering/merge.h"
#include "lowering/panels.h"
#include "lowering/prefetch.h"
#include "lowering/registers.h"
#include "lowering/skew.h"
#include "lowering/square.h"
#include "lowering/storage.h"
#include "lowering/versions.h"
#include "schedule/machine.h"
#include "verdict.h"

/* Who finds a fault.  */
typedef enum finder
{
  BY_PROOF,
  BY_RUN
} finder;

/* A stage's fault: NAME, what is run, a region's declarations and
   statements.  */
typedef struct stage_row
{
  const char *name;
  agree_passes run;
  const char *head;
  const char *body;
} stage_row;

/* A fault in what the pipeline does as a whole, or in a step of a plan.

   strict  sums stay in their order
   lines   of the region's plan, or where one begins with "plan", of the plan
           for what is made of it; NULL: the planner's  */
typedef struct plan_row
{
  const char *name;
  finder found;
  bool strict;
  const char *head;
  const char *body;
  const char *lines;
} plan_row;

/* Recurrences that look ahead.  */
static tns_region *
lookahead (tns_ctx *ctx, tns_region *region)
{
  tns_made made = { 0 };
  return tns_region_lookahead (ctx, region, &made);
}

/* Prefetches of x.  */
static tns_region *
prefetch (tns_ctx *ctx, tns_region *region)
{
  return tns_region_prefetch (ctx, region, "prefetch x: 2");
}

/* Windows that move by one element.  */
static tns_region *
window (tns_ctx *ctx, tns_region *region)
{
  const char *words;
  return tns_region_window (ctx, region, 1, &words);
}

/* Tiles of triangles in registers.  */
static tns_region *
square (tns_ctx *ctx, tns_region *region)
{
  return tns_region_registers (ctx, tns_region_square (ctx, region));
}

/* Temporaries of a few rows.  */
static tns_region *
portions (tns_ctx *ctx, tns_region *region)
{
  return tns_region_portions (ctx, region, 100);
}

/* Kernels beside each other.  */
static tns_region *
beside (tns_ctx *ctx, tns_region *region)
{
  ctx->machine = tns_machine_find ("cuda");
  tns_grid *grid = tns_grid_build (ctx, region);
  return grid ? grid->region : NULL;
}

/* The region, its sizes asked first.  */
static tns_region *
idle (tns_ctx *ctx, tns_region *region)
{
  tns_scop *scop = tns_scop_build (ctx, region);
  tns_region *made = tns_region_idle (ctx, region, scop);
  tns_scop_free (scop);
  return made;
}

static const stage_row stages[] = {
  { "block-sums", tns_region_block_sums,
    "array f64 x[N][N] const; array f64 s[N]; ",
    "for i = 0 to N parallel { for j = 0 to N simd(32) reduce(add: s) {"
    "  s[i] += x[i][j]; } }" },
  { "portions", portions, "array f64 x[N][N] const; array f64 y[N][N]; ",
    "local f64 t[N][N];"
    "for i = 0 to N parallel { for j = 0 to N { t[i][j] = x[i][j]; } }"
    "for i = 0 to N parallel { for j = 0 to N { y[i][j] = t[i][j]; } }" },
  { "beside", beside, "array f64 x[N] const; array f64 y[N]; array f64 z[N]; ",
    "for i = 0 to N parallel { y[i] = x[i] * 2.0f64; }"
    "for i = 0 to N parallel { z[i] = y[N - 1 - i]; }" },
  { "scans", tns_region_scans, "array f64 x[N] const; array f64 y[N]; ",
    "local f64 s; s = 1.0f64; for i = 0 to N { s += x[i]; y[i] = s; }" },
  { "idle", idle, "array f64 x[N]; ",
    "for t = 0 to floordiv(N - 2, 8) + 1 { x[8 * t] += 1.0f64; }" },
  { "storage", tns_region_storage,
    "array f64 x[N] const; array f64 y[N]; array f64 z[N]; ",
    "local f64 p[N]; local f64 q[N];"
    "for i = 0 to N { p[i] = x[i]; }"
    "for i = 0 to N { q[i] = p[N - 1 - i]; y[i] = p[i]; }"
    "for i = 0 to N { z[i] = q[i]; }" },
  { "lines", tns_region_lines, "array f32 x[N][N] const; array f32 y[N][N]; ",
    "local f32 t[N][N];"
    "for i = 0 to N { for j = 0 to N simd(16) { t[i][j] = x[i][j]; } }"
    "for i = 0 to N { for j = 0 to N simd(16) { y[i][j] = t[i][j]; } }" },
  { "entries", tns_region_entries, "array u32 A[N][N] const; array u32 v[N]; ",
    "for i = 0 to N { local i64 e; e = i; for k = 0 to e {"
    "  for j = 0 to N { v[k] += A[k][j] * A[i][j]; } } }" },
  { "panels", tns_region_panels,
    "array u32 A[N][N] const; array u32 B[N][N] const; array u32 C[N][N]; ",
    "for k0 = 0 to floordiv(N - 1, 8) + 1 {"
    "  for j0 = 0 to floordiv(N - 1, 32) + 1 panel(B) sweeps(4) {"
    "    for i0 = 0 to floordiv(N - 1, 4) + 1 {"
    "      for j1 = 4 * j0 to min(4 * j0 + 3, floordiv(N - 1, 8)) + 1 {"
    "        for k = 8 * k0 to min(N - 1, 8 * k0 + 7) + 1 {"
    "          for i = 4 * i0 to min(N - 1, 4 * i0 + 3) + 1 {"
    "            for j = 8 * j1 to min(N - 1, 8 * j1 + 7) + 1 {"
    "              C[i][j] += A[i][k] * B[k][j]; } } } } } } }" },
  { "prefetch", prefetch, "array f64 x[N] const; array f64 y[N]; ",
    "for i = 0 to N { y[i] = x[i]; }" },
  { "square", square,
    "array u32 A[N][N] const; array u32 B[N][2 * N] const;"
    "array u32 C[N][2 * N]; ",
    "for b = 0 to N step 8 { for a = 0 to N step 4 { for k = 0 to N {"
    "  for i = a to min(a + 4, N) unroll(4) {"
    "    for j = b to min(b + 7, i) + 1 simd(8) {"
    "      C[i][j] += A[i][k] * B[k][j]; } } } } }" },
  { "late", tns_region_late,
    "array u32 A[N][N] const; array u32 b[N] const; array u32 x[N];"
    "cell u32 s; ",
    "for i = 0 to N { s = b[i];"
    "  for j = 0 to i simd(8) accumulators(4) reduce(add: s) {"
    "    s += A[i][j] * x[j]; } x[i] = s * 3u32; }" },
  { "low-bits", tns_region_low_bits, "array u8 y[N][N]; ",
    "for i = 0 to N { for j = 0 to N simd(8) {"
    "  y[i][j] = (mod(i + j, 2) != 0 ? 7u8 : y[i][j]); } }" },
  { "lookahead", lookahead, "array f64 x[N] const; array f64 y[N]; ",
    "local f64 s; s = 1.0f64;"
    "for i = 0 to N { s = s + x[i]; y[i] = s; }" },
  { "skew", tns_region_skew, "array f64 x[N][N]; ",
    "for i = 1 to N - 1 rows(4) skew(2) { for j = 1 to N - 1 {"
    "  x[i][j] += x[i - 1][j + 1] + x[i][j - 1]; } }" },
  { "merge", tns_region_merge, "array f64 x[N]; array f64 y[N]; ",
    "for i = 0 to N { if (x[i] > 0.0f64) { x[i] = -1.0f64; }"
    "  if (x[i] > 0.0f64) { y[i] = 2.0f64; } }" },
  { "versions", tns_region_versions, "array f64 x[N]; ",
    "for i = 1 to N { x[i] = x[i - 1] + x[i]; }" },
  { "wait", tns_region_wait,
    "array f64 x[N] const; array f64 y[2 * N]; array f64 z[N]; ",
    "for i = 0 to N { y[2 * i] += 1.0f64 / (x[i] * x[i] + 1.0f64);"
    "  z[i] = y[2 * i]; }" },
  { "window", window,
    "value i64 w; array f64 x[(N * N + 3) * w + N * N + 3] const;"
    "array f64 k[3][3] const; array f64 y[N][N]; ",
    "for i = 0 to N { for j = 0 to N { for a = 0 to 3 { for b = 0 to 3 {"
    "  y[i][j] += x[(i * N + a) * w + j * N + b] * k[a][b]; } } } }" },
};

#define ABC                                                                    \
  "array f32 A[N][N] const; array f32 B[N][N] const; array f32 C[N][N]; "
#define CHANNELS                                                               \
  "array f32 D[32][42]; array f32 Y[32][40] const;"                            \
  " array f32 W[32][32][3] const;"
#define AB40                                                                   \
  "array f32 A[40][24] const; array f32 B[33][24] const; array f32 "           \
  "C[40][33]; "
#define ROWS "array f32 A[50][500] const; array f32 C[50][500]; "
#define IJK  "for i = 0 to N { for j = 0 to N { for k = 0 to N { "
#define WAVE "for i = 1 to N { for j = 0 to N - 1 { "
#define IN   "for i = 1 to N - 1 { for j = 0 to N { "
#define XX   "array f64 x[N][N]; "
#define X    "array f64 x[N]; "
#define XY   "array f64 x[N]; array f64 y[N + 1]; "
#define LINE "for i = 1 to N { S1: x[i] = x[i - 1] + x[i]; } "
#define PATHS                                                                  \
  "for k = 0 to N { for i = k + 1 to N { for j = k + 1 to N {"                 \
  "  S1: x[i][j] min= x[i][k] + x[k][j]; } } }"
#define IS "array i32 at[N] const; array f64 y[9]; "

static const plan_row plans[] = {
  { "loops", BY_RUN, false, ABC, IJK "S1: C[i][j] += A[i][k] * B[k][j]; } } }",
    NULL },
  { "parts", BY_RUN, false, XY "cell f64 s; ",
    "local f64 t steers;"
    "for i = 0 to N { S1: x[i] = x[i] + 1.0f64; }"
    "t = s; if (t > -9.0f64) {"
    "  for i = 0 to N { S2: y[i] = y[i] * 2.0f64; } }",
    NULL },
  { "private", BY_RUN, false, XY "cell f64 s; ",
    "for t = 0 to N { if (t == 0) { S1: s = 1.0f64; } S2: y[t] = s;"
    "  S3: s = x[t] * 2.0f64; }",
    NULL },
  { "forward", BY_RUN, false, XX "array f64 y[N]; ",
    "local f64 t[N][N];"
    "for i = 0 to N { for k = 0 to N { S1: t[i][k] = x[i][k] * 2.0f64; } }"
    "for i = 0 to N { for k = 0 to N { S2: y[i] += t[i][k]; } }",
    NULL },
  { "fuse", BY_PROOF, false, XY,
    "for i = 0 to N { S1: x[i] = x[i] + 1.0f64; }"
    "for i = 0 to N { S2: y[i] = x[i]; }",
    "fuse S1 S2 at i shift -1" },
  { "split", BY_PROOF, false, XY,
    "for i = 0 to N { S1: x[i] = y[i]; S2: y[i + 1] = x[i]; }",
    "split i in S1" },
  { "order", BY_PROOF, false, XX, WAVE "S1: x[i][j] = x[i - 1][j + 1]; } }",
    "order S1: j i" },
  { "interchange", BY_PROOF, false, XX,
    WAVE "S1: x[i][j] = x[i - 1][j + 1]; } }", "interchange i j in S1" },
  { "reverse", BY_PROOF, false, X, LINE, "reverse i in S1" },
  { "tile", BY_PROOF, false, X, LINE, "tile i in S1: 4" },
  { "embed", BY_PROOF, false, XX "array f64 c[N]; ",
    "for i = 0 to N { S1: c[i] = 1.0f64; }"
    "for k = 0 to N { for i = 0 to N { S2: c[i] = c[i] * 2.0f64 + x[k][i]; } }",
    "embed S1 in S2: k:3" },
  { "sink", BY_PROOF, false, XY "array f64 c[8][N] const; ",
    "for k = 0 to 8 { for i = 0 to N { S1: x[i] = x[i] * 2.0f64 + c[k][i]; } }"
    "for i = 0 to N { S2: y[i] = x[i]; }",
    "sink S2 in S1: k" },
  { "kernel", BY_PROOF, false, ABC,
    IJK "S1: C[i][j] += A[i][k] * B[k][j]; } } }", "kernel S1: i:4 j:16" },
  { "block", BY_PROOF, true, ABC, IJK "S1: C[i][j] += A[i][k] * B[k][j]; } } }",
    "block S1: k:8" },
  { "panel", BY_RUN, false, ABC, IJK "S1: C[i][j] += A[i][k] * B[k][j]; } } }",
    "block S1: k:8\n  kernel S1: i:4 j:16\n  panel S1: j:32 sweeps 4" },
  { "share", BY_PROOF, false,
    ABC "array f32 T[N][N]; array f32 D[N][N] const; ",
    "for i = 0 to N { for j = 0 to N { for k = 0 to N {"
    "  S1: T[i][j] += A[i][k] * B[k][j]; } }"
    "for j = 0 to N { for k = 0 to N { S2: C[i][j] += T[i][k] * D[k][j]; } } }",
    "share i in S1: 28" },
  { "lanes", BY_PROOF, false, XX "array f64 y[N]; ",
    "for i = 1 to N { for j = 0 to N { S1: y[i] += x[j][i] * y[i - 1]; } }",
    "lanes i in S1: 8" },
  { "transpose", BY_PROOF, false, XX "array f64 y[N + 1][N + 1]; ",
    "for i = 0 to N { for j = 0 to N { S1: y[j][i] = y[i + 1][j + 1]; } }",
    "transpose S1: i:8" },
  { "simd", BY_PROOF, false, X, LINE, "simd i in S1: 8" },
  { "align", BY_RUN, false, "array f32 x[8 * N] const; array f32 y[8 * N]; ",
    "for i = 0 to 8 * N { S1: y[i] = x[i] * 2.0f32; }", NULL },
  { "unroll", BY_PROOF, false, XX, WAVE "S1: x[i][j] = x[i - 1][j + 1]; } }",
    "unroll i in S1: 2" },
  { "parallel", BY_PROOF, false, X, LINE, "parallel i in S1" },
  { "balanced", BY_PROOF, false, X, LINE, "balanced i in S1" },
  { "reduce", BY_PROOF, false, X, LINE, "reduce i in S1: 4" },
  { "async", BY_PROOF, false, X, LINE, "async i in S1: 4" },
  { "own", BY_PROOF, false, IS X,
    "for i = 1 to N { S1: y[mod(i64(at[i]), 9)] += 1.0f64;"
    "  S2: x[i] = x[i - 1] + x[i]; }",
    "own i in S1" },
  { "tasks", BY_PROOF, false, XY,
    "for i = 1 to N { S1: x[i] = x[i - 1] + x[i]; }"
    "for i = 1 to N { S2: y[i] = y[i - 1] + x[i]; }",
    "tasks S1 S2" },
  { "tasks", BY_RUN, false, XY,
    "for i = 1 to N { S1: x[i] = x[i - 1] + x[i]; }"
    "for i = 1 to N { S2: y[i] = y[i - 1] + 1.0f64; }",
    "tasks S1 S2" },
  { "skew", BY_PROOF, false, XX,
    "for i = 1 to N - 1 { for j = 1 to N - 1 {"
    "  S1: x[i][j] += x[i - 1][j + 1] + x[i][j - 1]; } }",
    "skew i in S1: 4 by 1" },
  { "expand", BY_PROOF, false, XY,
    "for i = 0 to N { local f64 s; S1: s = x[i] * 2.0f64;"
    "  S2: y[i] = s * s; }",
    "split i in S1\n  expand s" },
  { "home", BY_PROOF, false, XY,
    "local f64 s[N]; for i = 0 to N { S1: s[i] = x[i] + 2.0f64;"
    "  for j = 0 to i + 1 { S2: y[i] += s[j]; } }",
    NULL },
  { "recompute", BY_RUN, false, ROWS,
    "local f32 T[50][500];"
    "for i = 0 to 50 { for j = 0 to 500 { S1: T[i][j] = A[i][j] * 2.0f32; } }"
    "for i = 1 to 49 { for j = 0 to 500 {"
    "  S2: C[i][j] = T[i - 1][j] + T[i][j] - T[i + 1][j]; } }",
    "plan r_tiled\n  recompute S1 S2 at i: 8" },
  { "trapezoid", BY_RUN, false, ABC,
    "for i = 0 to N { for j = 0 to N { S1: C[i][j] = A[i][j] * 2.0f32; } }" IN
    "S2: C[i][j] = C[i - 1][j] + C[i + 1][j]; } }",
    "plan r_tiled\n  trapezoid S1 S2 at i: 8" },
  { "pack", BY_RUN, false, AB40,
    "for i = 0 to 40 { for j = 0 to 33 { for k = 0 to 24 {"
    "  S1: C[i][j] += A[i][k] * B[j][k]; } } }",
    NULL },
  { "turn", BY_RUN, false, CHANNELS,
    "for o = 0 to 32 { for c = 0 to 32 { for k = 0 to 3 {"
    " for i = 0 to 40 { S1: D[c][i + k] += Y[o][i] * W[o][c][k]; } } } }",
    NULL },
  { "slab", BY_RUN, false, XX, PATHS, "plan r_slabs\n  slab k: 4" },
  { "slabs", BY_RUN, false, XX, PATHS, "plan r_slabs\n  slab k: 4" },
  { "distribute", BY_PROOF, false, XY,
    "for i = 0 to N { S1: x[i] = y[i]; S2: y[i + 1] = x[i]; }",
    "distribute i in S1: S2 / S1" },
  { "variants", BY_RUN, false, ABC,
    IJK "S1: C[i][j] += A[i][k] * B[j][k]; } } }", NULL },
};

static const long long sizes[] = { 0, 1, 2, 5, 17, 33, 83 };

/* The region r with HEAD and BODY.  */
static tns_region *
region_of (tns_ctx *ctx, const char *head, const char *body)
{
  return agree_parse (
    ctx, tns_arena_format (ctx->arena, "region r { value i64 N; %s { %s } }",
                           head, body));
}

/* OUT does what IN, of which HEAD declares the arrays, does, in every order; at
   all sizes where arrays have any.  */
static bool
is_same (const char *head, tns_region *in, tns_region *out)
{
  bool same = true;
  unsigned n = strchr (head, 'N') ? sizeof sizes / sizeof *sizes : 1;
  for (unsigned k = 0; same && k < n; k++)
    for (int order = 0; same && order < 3; order++)
      same = agree_in_effect (in, out, sizes[k], k + 1, order);
  return same;
}

/* A context with FAULT planted, or none where that is NULL.  */
static tns_ctx *
context (const char *fault)
{
  tns_ctx *ctx = agree_ctx ("avx512");
  ctx->break_stage = fault;
  ctx->flags.contract = false;
  ctx->flags.openmp = true;
  ctx->wish.parallel_threshold = 1;
  return ctx;
}

/* What R's stage makes is right; a FAULT, or NULL, is planted.  */
static bool
stage_is_right (const stage_row *r, const char *fault)
{
  tns_ctx *ctx = context (fault);
  tns_region *in = region_of (ctx, r->head, r->body);
  tns_region *out = tns_region_verify (ctx, r->run (ctx, in), r->name);
  bool right = out && is_same (r->head, in, out);
  tns_ctx_free (ctx);
  return right;
}

/* What the pipeline makes of R is right, or its line is not legal; a FAULT, or
   NULL, is planted.  The proof's refusal is noted in *REFUSED.  */
static bool
plan_is_right (const plan_row *r, const char *fault, bool *refused)
{
  tns_ctx *ctx = context (fault);
  ctx->wish.fp = r->strict ? TNS_FP_STRICT : TNS_FP_REASSOC;
  bool has_title = r->lines && !strncmp (r->lines, "plan", 4);
  if (r->lines)
    ctx->plan_text = tns_arena_format (ctx->arena, "%s%s\n",
                                       has_title ? "" : "plan r\n  ", r->lines);
  tns_region *in = region_of (ctx, r->head, r->body);
  tns_result *result = tns_pipeline (ctx, in);
  const tns_remark *reason = tns_verdict (ctx);
  *refused = reason && strstr (reason->words, "stage legal");
  bool is_illegal = reason && reason->why == TNS_WHY_PLAN && !fault;
  bool right = result->out ? is_same (r->head, in, result->out) : is_illegal;
  tns_ctx_free (ctx);
  return right;
}

/* R is right, but for its fault, which is found.  */
static void
check_stage (const stage_row *r)
{
  verdict (stage_is_right (r, NULL), "%s: right", r->name);
  agree_hush (true);
  verdict (!stage_is_right (r, r->name), "%s: its fault is found", r->name);
  agree_hush (false);
}

/* The same.  */
static void
check_plan (const plan_row *r)
{
  bool refused;
  bool is_right = plan_is_right (r, NULL, &refused);
  verdict (is_right, "%s: right", r->name);
  agree_hush (true);
  is_right = plan_is_right (r, r->name, &refused);
  agree_hush (false);
  verdict (!is_right && refused == (r->found == BY_PROOF),
           "%s: its fault is found by the %s", r->name,
           r->found == BY_PROOF ? "proof" : "run");
}

/* Some row is of fault NAME.  */
static bool
tries (const char *name)
{
  bool found = false;
  for (size_t k = 0; k < sizeof stages / sizeof *stages; k++)
    found |= !strcmp (stages[k].name, name);
  for (size_t k = 0; k < sizeof plans / sizeof *plans; k++)
    found |= !strcmp (plans[k].name, name);
  return found;
}

int
main (void)
{
  for (size_t k = 0; k < sizeof stages / sizeof *stages; k++)
    check_stage (&stages[k]);
  for (size_t k = 0; k < sizeof plans / sizeof *plans; k++)
    check_plan (&plans[k]);
  const char *untried = faults_untried ("break", tries);
  verdict (!untried, "all faults are tried%s%s", untried ? ": not " : "",
           untried ? untried : "");
  return verdict_status ();
}
