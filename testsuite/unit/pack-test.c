/* Operands that are packed: which ones, where the copy stands, and the same
   memory at all sizes, those too small for a pack among them.  */

#include <stdio.h>
#include <string.h>

#include "agree.h"
#include "driver/pipeline.h"
#include "ir/verify.h"
#include "ir/walk.h"

/* shown   what the row shows
   fp      what may be reassociated
   head    declarations; N is an i64 VALUE
   body    statements
   steps   what stands in the plan, NULL: no pack
   both    the loops without the pack are there too, for other sizes  */
typedef struct row
{
  const char *shown;
  tns_fp fp;
  const char *head;
  const char *body;
  const char *steps;
  bool both;
} row;

#define ABC                                                                    \
  "array f32 A[N][N] const; array f32 B[N][N] const; array f32 C[N][N];"
#define CHANNELS                                                               \
  "array f32 D[N][6][6]; array f32 Y[N][5][5]; array f32 W[N][N][2][2] "       \
  "const;"                                                                     \
  "array f32 V[N][N][2][2];"
#define TAPS                                                                   \
  "for o = 0 to N { for i = 0 to 5 { for j = 0 to 5 { for c = 0 to N {"        \
  " for k = 0 to 2 { for l = 0 to 2 { S1: "
#define IJK "for i = 0 to N { for j = 0 to N { for k = 0 to N {"

static const row rows[] = {
  { "a product with B transposed", TNS_FP_REASSOC, ABC,
    IJK "S1: C[i][j] += A[i][k] * B[j][k]; } } }", "pack B in S1: k j\n",
    true },
  { "sums in their order", TNS_FP_STRICT, ABC,
    IJK "S1: C[i][j] += A[i][k] * B[j][k]; } } }", "pack B in S1: k j\n",
    true },
  { "both operands transposed", TNS_FP_REASSOC, ABC,
    IJK "S1: C[i][j] += A[k][i] * B[j][k]; } } }", "pack B in S1: k j\n",
    true },
  { "the target transposed packs the other", TNS_FP_REASSOC, ABC,
    IJK "S1: C[j][i] += A[i][k] * B[j][k]; } } }", "pack A in S1: k i\n",
    true },
  { "nothing to pack", TNS_FP_REASSOC, ABC,
    IJK "S1: C[i][j] += A[i][k] * B[k][j]; } } }", NULL, false },
  { "a distance, and a cell for the sum", TNS_FP_REASSOC, ABC,
    "for i = 0 to N { for j = 0 to N { local f32 s; S1: s = 0.0f32;"
    " for k = 0 to N { S2: s += (A[i][k] - B[j][k]) * (A[i][k] - B[j][k]); }"
    " S3: C[i][j] = s; } }",
    "pack B in S2: k j\n", true },
  { "constant sizes need no choice", TNS_FP_REASSOC,
    "array f32 A[40][24] const; array f32 B[33][24] const;"
    "array f32 C[40][33];",
    "for i = 0 to 40 { for j = 0 to 33 { for k = 0 to 24 {"
    " S1: C[i][j] += A[i][k] * B[j][k]; } } }",
    "pack B in S1: k j\n", false },
  { "too few rows", TNS_FP_REASSOC,
    "array f32 A[4][64] const; array f32 B[64][64] const;"
    "array f32 C[4][64];",
    "for i = 0 to 4 { for j = 0 to 64 { for k = 0 to 64 {"
    " S1: C[i][j] += A[i][k] * B[j][k]; } } }",
    NULL, false },
  { "too few columns", TNS_FP_REASSOC,
    "array f32 A[64][64] const; array f32 B[7][64] const;"
    "array f32 C[64][7];",
    "for i = 0 to 64 { for j = 0 to 7 { for k = 0 to 64 {"
    " S1: C[i][j] += A[i][k] * B[j][k]; } } }",
    NULL, false },
  { "inside a batch", TNS_FP_REASSOC,
    "array f32 A[3][N][N] const; array f32 B[3][N][N] const;"
    "array f32 C[3][N][N];",
    "for h = 0 to 3 {" IJK "S1: C[h][i][j] += A[h][i][k] * B[h][j][k]; } } } }",
    "pack B in S1: h k j\n", true },
  { "inside a batch whose rows are of different number", TNS_FP_REASSOC,
    "array f32 A[N][N][N] const; array f32 B[N][N][N] const;"
    "array f32 C[N][N][N];",
    "for h = 0 to N {"
    "for i = 0 to N { for j = 0 to h { for k = 0 to N {"
    "S1: C[h][i][j] += A[h][i][k] * B[h][j][k]; } } } }",
    "pack B in S1: k j\n", true },
  { "a batch inside the rows", TNS_FP_REASSOC,
    "array f32 A[N][3][N] const; array f32 B[N][3][N] const;"
    "array f32 C[N][3][N];",
    "for i = 0 to N { for h = 0 to 3 { for j = 0 to N { for k = 0 to N {"
    "S1: C[i][h][j] += A[i][h][k] * B[j][h][k]; } } } }",
    "pack B in S1: h k j\n", true },
  { "the column outside of the rows", TNS_FP_REASSOC, ABC,
    "for j = 0 to N { for i = 0 to N { for k = 0 to N {"
    "S1: C[i][j] += A[i][k] * B[j][k]; } } }",
    "pack B in S1: k j\n", true },
  { "two inner loops", TNS_FP_REASSOC,
    "array f32 A[N][2][N] const; array f32 B[N][2][N] const;"
    "array f32 C[N][N];",
    "for i = 0 to N { for j = 0 to N { for l = 0 to 2 { for k = 0 to N {"
    "S1: C[i][j] += A[i][l][k] * B[j][l][k]; } } } }",
    "pack B in S1: l_k j\n", true },
  { "columns up to the row", TNS_FP_REASSOC, ABC,
    "for i = 0 to N { for j = 0 to i + 1 { for k = 0 to N {"
    "S1: C[i][j] += A[i][k] * B[j][k]; } } }",
    "pack B in S1: k j\n", true },
  { "columns from the row", TNS_FP_REASSOC, ABC,
    "for i = 0 to N { for j = i to N { for k = 0 to N {"
    "S1: C[i][j] += A[i][k] * B[j][k]; } } }",
    "pack B in S1: k j\n", true },
  { "not where columns come in bands", TNS_FP_REASSOC, ABC,
    "for i = 0 to N { for j = max(i - 2, 0) to min(i + 3, N) {"
    " for k = 0 to N { S1: C[i][j] += A[i][k] * B[j][k]; } } }",
    NULL, false },
  { "not where a bound does not take its extreme", TNS_FP_REASSOC, ABC,
    "for i = 0 to N { for j = 0 to i + min(3, N - i) { for k = 0 to N {"
    "S1: C[i][j] += A[i][k] * B[j][k]; } } }",
    NULL, false },
  { "not where the inner loop ends at the column", TNS_FP_REASSOC, ABC,
    "for i = 0 to N { for j = 0 to N { for k = 0 to j {"
    "S1: C[i][j] += A[i][k] * B[j][k]; } } }",
    NULL, false },
  { "loops that do not begin at 0", TNS_FP_REASSOC, ABC,
    "for i = 1 to N { for j = 2 to N - 1 { for k = 3 to N {"
    "S1: C[i][j] += A[i][k] * B[j][k - 1]; } } }",
    "pack B in S1: k j\n", true },
  { "not under a condition on the row", TNS_FP_REASSOC, ABC,
    "for i = 0 to N { if (i > 3) { for j = 0 to N { for k = 0 to N {"
    "S1: C[i][j] += A[i][k] * B[j][k]; } } } }",
    NULL, false },
  { "under a condition on a size", TNS_FP_REASSOC, ABC,
    "if (N > 20) { for i = 0 to N { for j = 0 to N { for k = 0 to N {"
    "S1: C[i][j] += A[i][k] * B[j][k]; } } } }",
    "pack B in S1: k j\n", true },
  { "what the region wrote before", TNS_FP_REASSOC,
    "array f32 A[N][N] const; array f32 B[N][N]; array f32 C[N][N];",
    "for j = 0 to N { for k = 0 to N { S0: B[j][k] = A[k][j]; } }" IJK
    "S1: C[i][j] += A[i][k] * B[j][k]; } } }",
    "pack B in S1: k j\n", true },
  { "not what the rows write", TNS_FP_REASSOC,
    "array f32 A[N][N] const; array f32 B[N][N]; array f32 C[N][N];",
    "for i = 0 to N { S0: B[i][0] = A[0][i]; for j = 0 to N {"
    " for k = 0 to N { S1: C[i][j] += A[i][k] * B[j][k]; } } }",
    NULL, false },
  { "the product of a matrix with itself", TNS_FP_REASSOC, ABC,
    IJK "S1: C[i][j] += A[i][k] * A[j][k]; } } }", "pack A in S1: k j\n",
    true },
  { "two operands", TNS_FP_REASSOC, ABC "array f32 D[N][N] const;",
    IJK "S1: C[i][j] += A[i][k] * B[j][k] * D[j][k]; } } }",
    "pack B in S1: k j\npack D in S1: k j\n", true },
  { "doubles", TNS_FP_REASSOC,
    "array f64 A[N][N] const; array f64 B[N][N] const; array f64 C[N][N];",
    IJK "S1: C[i][j] += A[i][k] * B[j][k]; } } }", "pack B in S1: k j\n",
    true },
  { "scores, a sum over each row, and what they weigh", TNS_FP_REASSOC,
    "array f32 A[N][N] const; array f32 B[N][N] const;"
    "array f32 V[N][N] const; array f32 C[N][N]; array f32 s[N][N] temp;",
    IJK "S1: s[i][j] += A[i][k] * B[j][k]; } } }"
        "for i = 0 to N { for j = 0 to N { S2: s[i][j] = s[i][j] * 2.0f32; } }"
        "for i = 0 to N { for e = 0 to N { S3: C[i][e] = 0.0f32;"
        " for j = 0 to N { S4: C[i][e] += s[i][j] * V[j][e]; } } }",
    "pack B in S1: k j\n", true },
  { "channels of a convolution's gradient", TNS_FP_REASSOC, CHANNELS,
    TAPS "D[c][i + k][j + l] += Y[o][i][j] * W[o][c][k][l]; } } } } } }",
    "pack D in S1: turned c\n", true },
  { "channels of the gradient of its weights", TNS_FP_REASSOC, CHANNELS,
    TAPS "V[o][c][k][l] += Y[o][i][j] * D[c][i + k][j + l]; } } } } } }",
    "pack V in S1: turned c\n", true },
  { "not in their order", TNS_FP_STRICT, CHANNELS,
    TAPS "V[o][c][k][l] += Y[o][i][j] * D[c][i + k][j + l]; } } } } } }", NULL,
    false },
  { "not what is read, too", TNS_FP_REASSOC,
    CHANNELS "array f32 Z[N][N][2][2];",
    TAPS "V[o][c][k][l] += Y[o][i][j] * D[c][i + k][j + l];"
         "S2: Z[o][c][k][l] = V[o][c][k][l]; } } } } } }",
    NULL, false },
  { "not what is read at every second place", TNS_FP_REASSOC, CHANNELS,
    TAPS "V[o][c][k][l] += Y[o][i][j] * D[c][i + k][j * 1 + 2 * l - j];"
         " } } } } } }",
    NULL, false },
};

/* What the pipeline said last.  */
static const tns_result *result;

/* The region that comes out of the pipeline.  */
static tns_region *
compile (tns_ctx *ctx, tns_region *region)
{
  result = tns_pipeline (ctx, region);
  return result->out;
}

/* The visitor that notes a choice between two forms.  */
static bool
note_choice (tns_node *node, void *self)
{
  bool *found = self;
  *found |= node->kind == TNS_IF && node->otherwise != NULL;
  return true;
}

/* The plan is as ROW says.  */
static bool
is_right (const row *r)
{
  bool choice = false;
  tns_node_walk (result->scheduled->body, note_choice, &choice);
  if (!r->steps)
    return !strstr (result->plan, "pack ");
  return strstr (result->plan, r->steps) && choice == r->both;
}

/* Run ROW on MACHINE.  */
static bool
run (const row *r, const char *machine)
{
  static const long long sizes[] = { 0, 1, 2, 3, 15, 16, 17, 31, 32, 33 };
  char text[2048];
  tns_ctx *ctx = agree_ctx (machine);
  ctx->wish.fp = r->fp;
  ctx->flags.openmp = true;
  ctx->dump = NULL;
  snprintf (text, sizeof text, "region packing { value i64 N; %s { %s } }",
            r->head, r->body);
  tns_region *in = agree_parse (ctx, text);
  tns_region *out = compile (ctx, in);
  tns_region *made[] = { out, result->scheduled };
  bool ok = tns_region_verify (ctx, out, "pack") && is_right (r);
  for (unsigned k = 0; ok && k < sizeof sizes / sizeof *sizes; k++)
    ok = agree_each (in, 2, made, sizes[k], k + 1);
  if (!ok && result && result->plan)
    fprintf (stderr, "%s", result->plan);
  tns_ctx_free (ctx);
  return ok;
}

int
main (void)
{
  static const char *const machines[] = { "avx512", "avx2" };
  int status = 0;
  for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
    for (unsigned m = 0; m < sizeof machines / sizeof *machines; m++)
      {
        bool ok = run (&rows[k], machines[m]);
        printf ("%s: pack: %s, %s\n", ok ? "PASS" : "FAIL", rows[k].shown,
                machines[m]);
        status |= !ok;
      }
  return status;
}
