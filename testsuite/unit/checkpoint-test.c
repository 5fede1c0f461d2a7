/* Gradients of time loops from states that are kept: bit for bit what they
   are in one part, everything taped (which unit/gradient-test.c compares with
   differences), for numbers of steps from 0 to 1,000; how many
   steps are done again is the least that is possible, and grows as the
   binomial law says; the planner's loops do the same.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "verdict.h"
#include "driver/differentiate.h"
#include "driver/pipeline.h"
#include "ir/eval.h"
#include "ir/simplify.h"
#include "ir/verify.h"
#include "ir/walk.h"

/* shown  what the row shows
   head   declarations; s, an i64 VALUE, is the number of steps
   body   statements, whose loop over t is the time loop
   wish   of driver/differentiate.h
   state  how many arrays are its state  */
typedef struct row
{
  const char *shown;
  const char *head;
  const char *body;
  const char *wish;
  int state;
} row;

/* More than everything taped takes.  */
#define ALL_TAPED "memory=1000000000000"

static const row rows[] = {
  { "logistic map, a cell", "cell f64 x; cell f64 r;",
    "for t = 0 to s { S1: x = r * x * (1.0f64 - x); }",
    "of=x:dx wrt=x:dx wrt=r:dr", 1 },
  { "heat, copied back, code before and behind",
    "array f64 u[6]; array f64 c[6];",
    "local f64 v[6]; for i = 0 to 6 { S0: u[i] = sin(u[i]); }"
    "for t = 0 to s {"
    " for i = 1 to 5 { S1: v[i] = u[i] + c[i] * (u[i - 1] * u[i] - u[i + 1]); }"
    " for i = 1 to 5 { S2: u[i] = 0.5f64 * v[i]; } }"
    "for i = 0 to 6 { S3: u[i] = u[i] * u[i]; }",
    "of=u:du wrt=u:du wrt=c:dc", 1 },
  { "heat, pairs of half steps", "array f64 u[5]; array f64 v[5];",
    "for t = 0 to s {"
    " for i = 1 to 4 { S1: v[i] = 0.3f64 * (sin(u[i - 1]) + u[i] * u[i + 1]); }"
    " for i = 1 to 4 { S2: u[i] = 0.4f64 * (v[i - 1] + sin(v[i]) * v[i + 1]); }"
    " }",
    "of=u:du wrt=u:du", 1 },
  { "waves, two levels, forced by step",
    "array f64 u[5]; array f64 p[5]; array f64 g[s];",
    "local f64 q[5]; for t = 0 to s {"
    " for i = 1 to 4 { S1: q[i] = sin(2.0f64 * u[i] - p[i] + 0.1f64 * u[i - 1]"
    " * u[i + 1]) + g[t] * u[i]; }"
    " for i = 1 to 4 { S2: p[i] = u[i]; }"
    " for i = 1 to 4 { S3: u[i] = q[i]; } }",
    "of=u:du wrt=u:du wrt=g:dg", 2 },
  { "masses and springs, a loss at each step",
    "array f64 x[4]; array f64 v[4]; array f64 k[4]; cell f64 loss;",
    "S0: loss = 0.0f64; for t = 0 to s {"
    " for i = 1 to 3 { S1: v[i] += 0.05f64 * k[i] * sin(x[i - 1] + x[i + 1]"
    " - 2.0f64 * x[i]); }"
    " for i = 1 to 3 { S2: x[i] += 0.05f64 * v[i]; }"
    " S3: loss += x[1] * x[1]; }",
    "of=loss:dl wrt=x:dx wrt=v:dv wrt=k:dk absent=loss", 2 },
  { "three cells, downwards by three", "cell f64 x; cell f64 y; cell f64 z;",
    "for t = 3 * s to 0 step -3 { local f64 a; local f64 b; local f64 c;"
    " S1: a = y - x; S2: b = x * (2.0f64 - z) - y; S3: c = x * y - z;"
    " S4: x += 0.01f64 * a; S5: y += 0.01f64 * b; S6: z += 0.01f64 * c; }",
    "of=x:dx of=y:dy of=z:dz wrt=x:dx wrt=y:dy wrt=z:dz", 3 },
  { "every other step otherwise, a condition on data",
    "array f64 x[3]; array f64 w[3];",
    "for t = 0 to s { for i = 0 to 3 {"
    " if (mod(t, 2) == 0) { S1: x[i] = sin(x[i]) * w[i]; }"
    " if (x[i] > 0.5f64) { S2: x[i] *= 0.5f64; } } }",
    "of=x:dx wrt=x:dx wrt=w:dw", 1 },
  { "what is overwritten behind the loop", "array f64 x[3]; array f64 w[3];",
    "for t = 0 to s { for i = 0 to 3 { S1: x[i] = sin(x[i]) * w[i]; } }"
    "for i = 1 to 3 { S2: w[i] = x[i] * w[i]; }"
    "for i = 0 to 3 { S3: x[i] = sin(w[i]) * w[2 - i]; }",
    "of=x:dx wrt=x:dx wrt=w:dw", 2 },
};

#define N_ROWS ((int) (sizeof rows / sizeof rows[0]))

static const long long steps[] = { 0, 1, 2, 7, 44, 100, 1000 };
static const int states[] = { 1, 2, 3, 17, 44 };

#define N_STEPS  ((int) (sizeof steps / sizeof steps[0]))
#define N_STATES ((int) (sizeof states / sizeof states[0]))

/* C (n + r, n).  */
static long long
binomial (long long n, long long r)
{
  long long made = 1;
  for (long long k = 1; k <= r; k++)
    made = made * (n + k) / k;
  return made;
}

/* The least number of sweeps of N states over S steps.  */
static long long
sweeps_of (long long n, long long s)
{
  long long r = 0;
  while (binomial (n, r) < s)
    r++;
  return r;
}

/* The region of ROW.  */
static tns_region *
region_of (tns_ctx *ctx, const row *r)
{
  return agree_parse (
    ctx, tns_arena_format (ctx->arena, "region f { value i64 s; %s { %s } }",
                           r->head, r->body));
}

/* The gradient of ROW with MORE words in its wish.  */
static tns_region *
gradient_of (tns_ctx *ctx, const row *r, const char *more)
{
  const char *wish = tns_arena_format (ctx->arena, "%s %s", r->wish, more);
  tns_region *made = tns_differentiate (ctx, region_of (ctx, r), wish);
  return tns_region_verify (ctx, made, "gradient");
}

/* Floating operations of REGION for S steps, on arrays of ones.  */
static double
flops_of (tns_region *region, long long s)
{
  static double value[16][1024];
  tns_argument argument[16];
  const tns_node *where;
  tns_counts counts;
  for (int k = 0; k < 16; k++)
    for (int e = 0; e < 1024; e++)
      value[k][e] = 1;
  for (int k = 0; k < region->n_params; k++)
    {
      argument[k] = (tns_argument){ .base = value[k], .hi = 1024 };
      if (region->params[k]->kind == TNS_SYM_VALUE)
        argument[k].value.s = s;
    }
  if (tns_region_eval (region, argument, NULL, &counts, &where) != TNS_EVAL_OK)
    return -1;
  return counts.flops;
}

/* The visitor that counts arrays of states.  */
static bool
count_states (tns_node *node, void *self)
{
  int *n = self;
  *n += node->kind == TNS_LOCAL && strstr (node->sym->name, "_states");
  return true;
}

/* ROW with MORE words in its wish: the same bits as WHOLE, up to MOST
   steps.  */
static void
compare (tns_ctx *ctx, const row *r, tns_region *whole, const char *more,
         long long most)
{
  tns_region *made = gradient_of (ctx, r, more);
  int n = 0;
  if (made)
    tns_node_walk (made->body, count_states, &n);
  verdict (n == r->state || strstr (more, "careful"),
           "%s, %s: %d arrays are its state", r->shown, more, n);
  for (int k = 0; made && k < N_STEPS && steps[k] <= most; k++)
    verdict (agree (whole, made, steps[k], 3), "%s, %s, %lld steps", r->shown,
             more, steps[k]);
}

/* ROW with N states, its parts planned: the same bits as WHOLE, strictly.  */
static void
compile (tns_ctx *ctx, const row *r, tns_region *whole, int n)
{
  tns_region *made
    = gradient_of (ctx, r, tns_arena_format (ctx->arena, "checkpoint=%d", n));
  const tns_result *result = tns_pipeline (ctx, made);
  verdict (result && result->out, "%s, %d states: compiles", r->shown, n);
  for (int k = 0; result && result->out && steps[k] <= 100; k++)
    verdict (agree (whole, result->scheduled, steps[k], 5)
               && agree (whole, result->out, steps[k], 5),
             "%s, %d states, compiled, %lld steps", r->shown, n, steps[k]);
}

/* The bytes that states and tapes of REGION take for S steps.  */
static long long
bytes_of (tns_region *region, long long s)
{
  tns_argument argument[16] = { { .value.s = s } };
  long long sum = 0;
  for (int k = 0; k < region->n_syms; k++)
    {
      const tns_sym *sym = region->syms[k];
      long long bytes = 8;
      if (sym->kind != TNS_SYM_ARRAY
          || (!strstr (sym->name, "_states") && !strstr (sym->name, "_tape")))
        continue;
      for (int d = 0; d < sym->rank; d++)
        bytes *= tns_expr_eval (region, sym->extent[d], argument).s;
      sum += bytes;
    }
  return sum;
}

/* ROW within BYTES: the same bits as WHOLE, the sum of all that is kept
   stays.  */
static void
bound (tns_ctx *ctx, const row *r, tns_region *whole, long long bytes)
{
  const char *more = tns_arena_format (ctx->arena, "memory=%lld", bytes);
  tns_region *made = gradient_of (ctx, r, more);
  compare (ctx, r, whole, more, 100);
  for (int k = 0; made && k < N_STEPS; k++)
    verdict (bytes_of (made, steps[k]) <= bytes, "%s, %s, %lld steps: %lld",
             r->shown, more, steps[k], bytes_of (made, steps[k]));
}

/* How often ROW's steps are done again with N states.  */
static void
count (tns_ctx *ctx, const row *r, tns_region *whole, int n)
{
  tns_region *f = region_of (ctx, r);
  tns_region *made
    = gradient_of (ctx, r, tns_arena_format (ctx->arena, "checkpoint=%d", n));
  for (int k = 1; made && k < N_STEPS; k++)
    {
      long long s = steps[k];
      double again = flops_of (made, s) - flops_of (whole, s);
      double step = (flops_of (f, 8) - flops_of (f, 6)) / 2;
      long long sweeps = sweeps_of (n, s);
      long long least = sweeps ? sweeps * s - binomial (n + 1, sweeps - 1) : 0;
      verdict (again == step * (double) least,
               "%s, %d states, %lld steps: %lld sweeps, %g steps again",
               r->shown, n, s, sweeps, again / step);
    }
}

/* All of ROW.  */
static void
check (const row *r)
{
  tns_ctx *ctx = agree_ctx ("avx512");
  tns_region *whole = gradient_of (ctx, r, ALL_TAPED);
  tns_region *careful = gradient_of (ctx, r, ALL_TAPED " careful=yes");
  for (int k = 0; k < N_STATES; k++)
    {
      const char *more
        = tns_arena_format (ctx->arena, "checkpoint=%d", states[k]);
      compare (ctx, r, whole, more, states[k] == 17 ? 1000 : 100);
      more = tns_arena_format (ctx->arena, "%s careful=yes", more);
      compare (ctx, r, careful, more, 44);
      if (r == rows)
        count (ctx, r, whole, states[k]);
    }
  ctx->wish.fp = TNS_FP_STRICT;
  compile (ctx, r, whole, 3);
  ctx->wish.fp = TNS_FP_REASSOC;
  bound (ctx, r, whole, 4000);
  bound (ctx, r, whole, 40000);
  tns_ctx_free (ctx);
}

int
main (void)
{
  verdict (sweeps_of (44, 1000) == 2, "44 states: two sweeps of 1000 steps");
  verdict (sweeps_of (17, 1000) == 3, "17 states: three sweeps");
  for (int k = 0; k < N_ROWS; k++)
    check (&rows[k]);
  return verdict_status ();
}
