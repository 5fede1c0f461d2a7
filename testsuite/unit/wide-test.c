/* Neighbouring iterations that a device's thread does at once: which elements
   they share, what they are read and written with.  */

#include <stdio.h>

#include "answers.h"
#include "base/text.h"
#include "lowering/cuda-wide.h"
#include "lowering/grid-wide.h"
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
           "region r { value i64 n; value i64 m; value f32 a; array f32 x[n]; "
           "array f32 y[n]; array f64 d[n]; array u8 b[n]; array u8 e[n]; "
           "array i64 at[n]; array f32 A[n][m]; array f32 B[n][m]; array f32 "
           "z[n]; span z 0 to n; { %s } }",
           text));
}

/* The loops of R's first space.  */
static int
loops_of (tns_region *r, tns_node **loop)
{
  loop[0] = r->body->kid[0];
  int n = tns_grid_loops (loop[0]);
  for (int k = 1; k < n; k++)
    loop[k] = tns_grid_inner (loop[k - 1]);
  return n;
}

/* The runs of TEXT's first space; what each access of A load there is.  */
static const char *
runs (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_node *loop[4];
  tns_wide wide;
  int n = loops_of (r, loop);
  if (!tns_wide_find (ctx->arena, r, n, loop, &wide))
    return "none";
  tns_text words = tns_text_new (ctx->arena);
  tns_text_format (
    &words, "%d at once, %s: ", wide.width,
    answer_expr (ctx, tns_wide_groups (ctx->arena, &wide, n, loop)));
  for (int k = 0; k < wide.n; k++)
    {
      const tns_run *run = &wide.run[k];
      tns_text_format (&words, "%s%s", k == wide.lead ? "lead " : "",
                       answer_expr (ctx, run->load));
      if (run->from < run->to)
        tns_text_format (&words, " %lld..%lld", run->from, run->to);
      if (run->even <= run->to)
        tns_text_format (&words, " even %lld", run->even);
      tns_text_format (&words, "%s%s; ", run->loaded ? " loaded" : "",
                       run->stored ? " stored" : "");
    }
  return tns_text_chars (&words);
}

/* The text of TEXT's first space.  */
static const char *
text_of (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_c99 *c = tns_c99_new (ctx, r, true);
  tns_node *loop[4];
  tns_wide wide;
  int n = loops_of (r, loop);
  if (tns_wide_find (ctx->arena, r, n, loop, &wide))
    tns_cuda_wide (c, n, loop, &wide);
  return tns_text_chars (c->text);
}

/* The run that the value of the last assignment in TEXT's loop is in.  */
static const char *
run_of (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_node *loop[4];
  tns_wide wide;
  long long at = 0;
  int n = loops_of (r, loop);
  if (!tns_wide_find (ctx->arena, r, n, loop, &wide))
    return "none";
  const tns_node *body = loop[n - 1]->body;
  const tns_expr *load = body->kid[body->n_kids - 1]->value;
  int k = tns_wide_run (ctx->arena, &wide, load, &at);
  return tns_arena_format (ctx->arena, "%d at %lld", k, k < 0 ? 0 : at);
}

/* Whether functions of kernels' texts are there once.  */
static const char *
prelude (tns_ctx *ctx, const char *text)
{
  tns_text words = tns_text_new (ctx->arena);
  (void) text;
  tns_cuda_wide_prelude (&words);
  return tns_text_chars (&words);
}

#define I  "for i = 0 to n parallel { "
#define IJ "for i = 1 to n parallel collapse(2) { for j = 1 to m { "

static const answer_row rows[] = {
  { "a chain", runs, I "y[i] = x[i] * a + x[i]; }",
    "4 at once, floordiv(max(n, 0) + 3, 4): x[i] even 0 loaded; lead y[i] even "
    "0 stored; " },
  { "what is changed", runs, I "y[i] += a; x[i] = y[i]; }",
    "...lead y[i] even 0 loaded stored; x[i] even 0 stored; " },
  { "neighbours", runs, I "y[i] = x[i - 1] + x[i + 2]; }",
    "...x[i - 1] 0..3 even 1 loaded; lead y[i] even 0 stored; " },
  { "a neighbour alone", runs, I "y[i] = x[i + 1]; at[i] = i; }",
    "...x[i + 1] loaded; lead y[i] even 0 stored; at[i] even 0 stored; " },
  { "no more than neighbours", runs, I "y[i] = x[i + 1]; }", "none" },
  { "rows", runs, IJ "B[i][j] = A[i - 1][j] + A[i][j + 1] + A[i][j]; } }",
    "4 at once, max(n - 1, 0) * floordiv(max(m - 1, 0) + 3, 4): A[i - 1][j] "
    "even 0 loaded; A[i][j + 1] -1..0 even -1 loaded; lead B[i][j] even 0 "
    "stored; " },
  { "doubles", runs, I "d[i] = 1.0f64; }", "2 at once, ..." },
  { "floats and doubles", runs, I "d[i] = f64(x[i]); }", "4 at once, ..." },
  { "bytes", runs, I "b[i] = e[i]; }", "16 at once, ..." },
  { "a condition", runs, I "if (x[i] > a) { y[i] = x[i]; } }", "none" },
  { "one of them under a condition", runs,
    I "if (x[i] > a) { x[i] = a; } y[i] = x[i]; d[i] = 0.0f64; }", "none" },
  { "a store under a condition, and one", runs,
    I "y[i] = a; if (x[i] > a) { y[i] = x[i]; } }",
    "...lead y[i] even 0 stored; x[i] even 0 loaded; " },
  { "a choice", runs, I "y[i] = (x[i] > a ? x[i] : a); }",
    "...x[i] even 0 loaded; lead y[i] even 0 stored; " },
  { "a choice of what is there", runs,
    I "y[i] = (a > 0.0f32 ? z[i] : a); d[i] = f64((a > 0.0f32 ? z[i + 1] : "
      "a)); }",
    "...: z[i] even 0 loaded; lead y[i] even 0 stored; d[i] even 0 stored; " },
  { "columns", runs,
    "for i = 0 to n parallel collapse(2) { for j = 0 to m { A[j][i] = a; } }",
    "none" },
  { "what stores may meet", runs, I "at[i] = at[at[i]]; }", "none" },
  { "an index is read at once", runs, I "y[i] = x[at[i]]; d[i] = f64(a); }",
    "...at[i] even 0 loaded; lead y[i] even 0 stored; d[i] even 0 stored; " },
  { "every second", runs, "for i = 0 to n step 2 parallel { y[i] = a; }",
    "none" },
  { "loops inside", runs, I "for j = 0 to m { A[i][j] = a; } }", "none" },
  { "an element of a run", run_of,
    I "d[i] = f64(x[i - 1] + x[i + 2]); y[i] = x[i + 1]; }", "0 at 2" },
  { "of none", run_of, I "d[i] = f64(x[i]); y[i] = x[2 * i]; }", "-1 at 0" },
  { "functions", prelude, "", "... #ifndef TNS_WIDE #define TNS_WIDE ..." },
  { "text", text_of, I "y[i] = x[i] * a + x[i + 1]; }",
    "...return tns_is_even<4> (&x[i]) && tns_is_even<4> (&y[i]); ...tns_head = "
    "tns_until_even<4> (tns_lead (0)); ...tns_take<4> (&tns_run0[0], "
    "&x[i]); tns_take<1> (&tns_run0[4], &x[i + 4]); "
    "...tns_run1[tns_w] = tns_run0[tns_w] * a + "
    "tns_run0[tns_w + 1]; ...tns_give<4> (&y[i], &tns_run1[0]); ...y["
    "i] = x[i] * a + x[i + 1]; ..." },
  { "text of rows", text_of, IJ "B[i][j] = A[i][j]; } }",
    "...const bool tns_is_wide = tns_eachs > tns_head && tns_fits (1, tns_head "
    "+ 1L) && tns_fits (2, tns_head + 1L); ...const long tns_row = "
    "tns_divide (tns_at, tns_groups, &tns_place); ..." },
};

MAIN_OF_ANSWERS (rows)
