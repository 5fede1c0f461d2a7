/* Predicted ratios: what gains by a plan is told from what does not.  */

#include <stdio.h>

#include "agree.h"
#include "driver/pipeline.h"

/* shown     what the row shows
   head      declarations; N is an i64 VALUE
   body      statements
   from, to  what the loops as written take, in times of the plan  */
typedef struct row
{
  const char *shown;
  const char *head;
  const char *body;
  double from;
  double to;
} row;

#define XYZ "array f32 x[N] const; array f32 y[N]; array f32 z[N]; "
#define ABC                                                                    \
  "array f32 A[N][N] const; array f32 B[N][N] const; array f32 C[N][N];"

static const row rows[] = {
  { "one loop", XYZ, "for i = 0 to N { y[i] = x[i] * 2.0f32; }", 0.95, 1.05 },
  { "a sum", XYZ "cell f32 s; ", "for i = 0 to N { s += x[i]; }", 0.95, 1.05 },
  { "an array that is read once in place of twice", XYZ,
    "for i = 0 to N { y[i] = x[i] * 2.0f32; }"
    "for j = 0 to N { z[j] = x[j] + y[j]; }",
    1.2, 2 },
  { "a temporary that need not be stored",
    "array f32 x[N] const; array f32 y[N]; array f32 t[N] temp; ",
    "for i = 0 to N { t[i] = x[i] * 2.0f32; }"
    "for j = 0 to N { y[j] = t[j] + 1.0f32; }",
    1.5, 4 },
  { "a product", ABC,
    "for i = 0 to N { for j = 0 to N { for k = 0 to N {"
    "  C[i][j] += A[i][k] * B[k][j]; } } }",
    1.5, 12 },
  { "a product with B transposed", ABC,
    "for i = 0 to N { for j = 0 to N { for k = 0 to N {"
    "  C[i][j] += A[i][k] * B[j][k]; } } }",
    1.5, 12 },
  { "a transposition", ABC,
    "for i = 0 to N { for j = 0 to N { C[j][i] = A[i][j]; } }", 2, 16 },
  { "columns summed as they lie", ABC "array f32 y[N]; ",
    "for i = 0 to N { for j = 0 to N { y[j] += A[i][j]; } }", 0.95, 1.5 },
  { "an array read along rows and down columns, in place of twice",
    ABC "array f32 y[N]; array f32 z[N]; ",
    "for i = 0 to N { for j = 0 to N { y[i] += A[i][j] * 2.0f32; } }"
    "for i = 0 to N { for j = 0 to N { z[i] += A[j][i]; } }",
    1.5, 2.5 },
  { "a triangle", ABC,
    "for i = 0 to N { for j = 0 to i + 1 { C[i][j] = A[i][j] * 2.0f32; } }",
    0.95, 1.05 },
  { "far apart in one dimension", "array f32 x[N][64]; ",
    "for i = 0 to N { x[i][0] *= 2.0f32; }", 0.95, 1.05 },
};

#define N_ROWS ((int) (sizeof rows / sizeof rows[0]))

/* Run ROW.  */
static bool
run (const row *r)
{
  char text[1024];
  tns_ctx *ctx = agree_ctx ("avx512");
  ctx->dump = NULL;
  snprintf (text, sizeof text, "region weighing { value i64 N; %s { %s } }",
            r->head, r->body);
  const tns_result *result = tns_pipeline (ctx, agree_parse (ctx, text));
  double predicted = result->predicted;
  bool right
    = result->status == TNS_DONE && predicted >= r->from && predicted <= r->to;
  if (!right)
    fprintf (stderr, "%s: %.3g is not from %.3g to %.3g\n", r->shown, predicted,
             r->from, r->to);
  tns_ctx_free (ctx);
  return right;
}

int
main (void)
{
  int status = 0;
  for (int k = 0; k < N_ROWS; k++)
    {
      bool ok = run (&rows[k]);
      printf ("%s: weigh: %s\n", ok ? "PASS" : "FAIL", rows[k].shown);
      status |= !ok;
    }
  return status;
}
