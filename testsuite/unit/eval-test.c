/* ir/eval: what a region leaves in the cell s, how faults are told, that
   every access is checked, what is counted.  */

#include "ir/eval.h"

#include "ir/value.h"
#include "verdict.h"

/* body   statements over  i64 n = 5; f32 A[n], f64 D[n][n], i32 X[n]; cells
          f64 s, i32 k.  A holds 1 .. 5, D 0 .. 24, X 4 .. 0, s and k 0
   s      is left in s
   status of the run  */
static const struct
{
  const char *shows;
  const char *body;
  double s;
  tns_eval_status status;
} rows[] = {
  { "a sum", "for i = 0 to n { s += f64(A[i]); }", 15, TNS_EVAL_OK },
  { "an empty loop", "for i = n to 0 { s = 1.0f64; }", 0, TNS_EVAL_OK },
  { "a step", "for i = 0 to n step 2 { s += f64(A[i]); }", 9, TNS_EVAL_OK },
  { "backwards", "for i = n - 1 to -1 step -1 { s = s * 2.0f64 + f64(A[i]); }",
    129, TNS_EVAL_OK },
  { "backwards by three", "for i = 4 to -1 step -3 { s += f64(A[i]); }", 7,
    TNS_EVAL_OK },
  { "a triangle", "for i = 0 to n { for j = 0 to i { s += D[i][j]; } }", 160,
    TNS_EVAL_OK },
  { "a bound is read once",
    "k = 3i32; for i = 0 to i64(k) { k = 5i32; s += 1.0f64; }", 3,
    TNS_EVAL_OK },
  { "a gather", "s = f64(A[i64(X[1])]);", 4, TNS_EVAL_OK },
  { "the maximum keeps", "s = 2.0f64; s max= 1.0f64; s max= 3.0f64;", 3,
    TNS_EVAL_OK },
  { "else", "if (n < 5) { s = 1.0f64; } else { s = 2.0f64; }", 2, TNS_EVAL_OK },
  { "a local cell", "local f64 t; t = 3.0f64; s = t * t;", 9, TNS_EVAL_OK },
  { "a local is undefined again in each iteration",
    "for i = 0 to 2 { local f64 t; if (i < 1) { t = 1.0f64; } "
    "if (!(t == 1.0f64)) { s = 7.0f64; } }",
    7, TNS_EVAL_OK },
  { "a choice evaluates one side", "s = (n < 9 ? 1.0f64 : D[9][9]);", 1,
    TNS_EVAL_OK },
  { "and stops early", "if (n < 0 && D[9][9] > 0.0f64) { s = 1.0f64; }", 0,
    TNS_EVAL_OK },
  { "a vector", "s = reduce_add(f64x4(A[1]:f32x4));", 14, TNS_EVAL_OK },
  { "a masked load reads no more",
    "s = reduce_add(masked:f64x4(D[4][3], iota:i64x4(3) < splat:i64x4(n)));",
    47, TNS_EVAL_OK },
  { "a gather of lanes",
    "s = reduce_max(gather:f64x2(D[iota:i64x2(1)][iota:i64x2(2)]));", 13,
    TNS_EVAL_OK },
  { "an array begins one element behind a line, and is not read",
    "s = f64(past_line(A[0]) + 10 * past_line(A[14]) + 1000 * past_line(D[1000]"
    "[0]));",
    1151, TNS_EVAL_OK },
  { "a masked store",
    "where (iota:i64x4(0) < splat:i64x4(2)) A[0]:f32x4 = "
    "splat:f32x4(9.0f32); s = f64(A[1] + A[2]);",
    12, TNS_EVAL_OK },
  { "a store takes all lanes first", "A[1]:f32x4 = A[0]:f32x4; s = f64(A[4]);",
    4, TNS_EVAL_OK },
  { "lanes are added in pairs",
    "local f32 t[4]; t[0] = 1e8f32; t[1] = 1.0f32; t[2] = -1e8f32; "
    "t[3] = 1.0f32; s = f64(reduce_add(t[0]:f32x4));",
    2, TNS_EVAL_OK },
  { "an access above", "s = f64(A[n]);", 0, TNS_EVAL_OUTSIDE },
  { "an access below", "A[-1] = 1.0f32;", 0, TNS_EVAL_OUTSIDE },
  { "a lane outside", "s = reduce_add(f64x4(A[2]:f32x4));", 0,
    TNS_EVAL_OUTSIDE },
  { "a local's row is checked", "local f64 t[2][3]; t[0][3] = 1.0f64;", 0,
    TNS_EVAL_OUTSIDE },
  { "a division by zero", "s = f64(1 / (n - 5));", 0, TNS_EVAL_DIVISION },
  { "an endless number of steps",
    "for i = 0 to 1000000 { for j = 0 to 1000000 { } }", 0, TNS_EVAL_STEPS },
};

/* The memory of a row.  */
typedef struct memory
{
  float a[5];
  double d[25];
  int x[5];
  double s;
  int k;
} memory;

static const char head[]
  = "region r { value i64 n; array f32 A[n]; array f64 D[n][n]; "
    "array i32 X[n]; cell f64 s; cell i32 k; guard n < 6; { %s } }";

/* Fill M and point ARGUMENT there; n is N.  */
static void
prepare (memory *m, tns_argument *argument, long long n)
{
  *m = (memory){ .s = 0 };
  for (int k = 0; k < 25; k++)
    m->d[k] = k;
  for (int k = 0; k < 5; k++)
    {
      m->a[k] = (float) k + 1;
      m->x[k] = 4 - k;
    }
  argument[0] = (tns_argument){ .value = tns_value_of_int (TNS_I64, n) };
  argument[1] = (tns_argument){ .base = m->a, .hi = 5 };
  argument[2] = (tns_argument){ .base = m->d, .hi = 25 };
  argument[3] = (tns_argument){ .base = m->x, .hi = 5 };
  argument[4] = (tns_argument){ .base = &m->s, .hi = 1 };
  argument[5] = (tns_argument){ .base = &m->k, .hi = 1 };
}

/* Run BODY under OPTIONS.  */
static tns_eval_status
execute (const char *body, const tns_eval_options *options, memory *m,
         tns_counts *counts)
{
  tns_ctx *ctx = verdict_ctx (TNS_FP_STRICT);
  tns_region *region
    = verdict_region (ctx, tns_arena_format (ctx->arena, head, body));
  tns_argument argument[6];
  const tns_node *where;
  prepare (m, argument, 5);
  tns_eval_status status
    = tns_region_eval (region, argument, options, counts, &where);
  tns_ctx_free (ctx);
  return status;
}

/* Free loops run in three orders, others in one.  */
static void
check_orders (void)
{
  static const char *const parallel
    = "for i = 0 to n parallel { s = s * 2.0f64 + f64(A[i]); }";
  static const char *const plain
    = "for i = 0 to n { s = s * 2.0f64 + f64(A[i]); }";
  static const char *const together
    = "for i = 0 to 2 parallel collapse(2) { for j = 0 to 2 { "
      "s = s * 2.0f64 + D[i][j]; } }";
  tns_eval_options back = { .order = 1 };
  tns_eval_options mixed = { .order = 2, .seed = 3 };
  memory m;
  execute (parallel, &back, &m, NULL);
  verdict (m.s == 129, "a parallel loop runs backwards");
  execute (parallel, &mixed, &m, NULL);
  verdict (m.s != 129 && m.s != 57, "and shuffled");
  execute (plain, &back, &m, NULL);
  verdict (m.s == 57, "a plain loop runs as written");
  execute (together, &back, &m, NULL);
  verdict (m.s == 6 * 8 + 5 * 4 + 1 * 2 + 0, "collapsed loops go together");
}

/* Guards, counts and an expression alone.  */
static void
check_rest (void)
{
  tns_ctx *ctx = verdict_ctx (TNS_FP_STRICT);
  const char *text = tns_arena_format (
    ctx->arena, head, "for i = 0 to n { s += f64(A[i]) * sqrt(2.0f64); }");
  tns_region *region = verdict_region (ctx, text);
  tns_eval_options options = { .check_guards = true };
  tns_argument argument[6];
  tns_counts counts;
  memory m;
  prepare (&m, argument, 7);
  verdict (tns_region_eval (region, argument, &options, NULL, NULL)
               == TNS_EVAL_GUARD
             && m.s == 0,
           "a guard stops before anything is run");
  prepare (&m, argument, 5);
  tns_region_eval (region, argument, &options, &counts, NULL);
  verdict (counts.flops == 15 && counts.bytes_loaded == 5 * 12
             && counts.bytes_stored == 5 * 8 && counts.steps == 5,
           "operations, bytes and steps are counted");
  tns_expr *expr = tns_binary (ctx->arena, TNS_MUL,
                               tns_value (ctx->arena, region->params[0]),
                               tns_int (ctx->arena, 3));
  verdict (tns_expr_eval (region, expr, argument).s == 15,
           "an expression over values");
  tns_ctx_free (ctx);
}

int
main (void)
{
  tns_eval_options options = { .max_steps = 100000 };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    {
      memory m;
      tns_eval_status status = execute (rows[k].body, &options, &m, NULL);
      verdict (status == rows[k].status
                 && (status != TNS_EVAL_OK || m.s == rows[k].s),
               "%s: status %d, s = %g", rows[k].shows, status, m.s);
    }
  check_orders ();
  check_rest ();
  return verdict_status ();
}
