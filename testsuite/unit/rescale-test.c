/* Temporaries that are scaled in place before sums read them: which ones are
   scaled in the sums, by which the others are left, and the same memory.  */

#include <stdio.h>
#include <string.h>

#include "agree.h"
#include "ir/verify.h"
#include "rows.h"
#include "schedule/rescale.h"

#define HEAD                                                                   \
  "value i64 N; value f32 z; array f32 v[N][N]; array f32 o[N][N];"            \
  "array f32 w[N]; array f32 A[N][N];"
#define T   "local f32 t[N][N]; "
#define I   "for i = 0 to N { "
#define J   "for j = 0 to N { "
#define K   "for k = 0 to N { "
#define SET I J "S1: t[i][j] = A[i][j] + 1.0f32; } } "
#define SUM I J K "S9: o[i][j] += t[i][k] * v[k][j]; } } } "
#define ROW I "local f32 s; S2: s = w[i] + 1.0f32; "

/* shown  what the row shows
   body   statements; OP stands for / or *
   steps  the lines */
typedef struct row
{
  const char *shown;
  const char *body;
  const char *steps;
} row;

static const row rows[] = {
  { "by a value", T SET I J "S3: t[i][j] = t[i][j] OP z; } } " SUM,
    "factor S3\n" },
  { "by a row's element that stays",
    T SET I J "S3: t[i][j] = t[i][j] OP w[i]; } } " SUM, "factor S3\n" },
  { "by several numbers",
    T SET I J "S3: t[i][j] = -(w[i] * (t[i][j] OP z)); } } " SUM,
    "factor S3\n" },
  { "by a row's cell", T SET ROW J "S3: t[i][j] = t[i][j] OP s; } } " SUM,
    "factor S3\n" },
  { "by a row's cell, in the row",
    T SET ROW J "S3: t[i][j] = t[i][j] OP s; } " J K
                "S9: o[i][j] += t[i][k] * v[k][j]; } } } ",
    "factor S3\n" },
  { "by a cell that is used again",
    T SET "local f32 s; " I "S2: s = w[i]; " J
          "S3: t[i][j] = t[i][j] OP s; } } " SUM,
    "factor S3\n" },
  { "rows of a triangle",
    T SET ROW "for j = 0 to i { S3: t[i][j] = t[i][j] OP s; } } " I J
              "for k = 0 to i { S9: o[i][j] += t[i][k] * v[k][j]; } } } ",
    "factor S3\n" },
  { "twice",
    T SET ROW J "S3: t[i][j] = t[i][j] OP s; } } " I J
                "S4: t[i][j] = t[i][j] OP z; } } " SUM,
    "factor S4\nfactor S3\n" },
  { "for two sums",
    T SET I J "S3: t[i][j] = t[i][j] OP z; } } " SUM I J K
              "S8: v[i][j] += t[i][k] * A[k][j]; } } } ",
    "factor S3\n" },
  { "transposed", T SET I J "S3: t[j][i] = t[j][i] OP w[j]; } } " SUM,
    "factor S3\n" },
  { "not what is seen",
    I J "S3: A[i][j] = A[i][j] OP z; } } " I J K
        "S9: o[i][j] += A[i][k] * v[k][j]; } } } ",
    "" },
  { "not what others read",
    T SET I J "S3: t[i][j] = t[i][j] OP z; } } " SUM I "S8: w[i] = t[i][i]; } ",
    "" },
  { "not what is written again",
    T SET I J "S3: t[i][j] = t[i][j] OP z; } } " I
              "S4: t[i][i] = 1.0f32; } " SUM,
    "" },
  { "not a part of what is read",
    T SET I "for j = 1 to N { S3: t[i][j] = t[i][j] OP z; } } " SUM, "" },
  { "what was read before it is scaled",
    T SET I J "S2: v[i][j] = t[j][i]; S3: t[j][i] = t[j][i] OP z; } } " SUM,
    "factor S3\n" },
  { "not for sums before it is scaled",
    T SET SUM I J "S3: t[i][j] = t[i][j] OP z; } } ", "" },
  { "not twice in a product",
    T SET I J "S3: t[i][j] = t[i][j] OP z; } } " I J K
              "S9: o[i][j] += t[i][k] * t[i][k]; } } } ",
    "" },
  { "not in a sum of terms",
    T SET I J "S3: t[i][j] = t[i][j] OP z; } } " I J K
              "S9: o[i][j] += t[i][k] + v[k][j]; } } } ",
    "" },
  { "not where no sum reads it",
    T SET I J "S3: t[i][j] = t[i][j] OP z; } } " I J
              "S9: o[i][j] += t[i][j] * v[i][j]; } } ",
    "" },
  { "not by an element that changes",
    T SET I J "S3: t[i][j] = t[i][j] OP w[i]; } } " I
              "S4: w[i] = 2.0f32; } " SUM,
    "" },
  { "not each element by a number of its own",
    T SET I J "local f32 s; S2: s = v[i][j] + 1.0f32; "
              "S3: t[i][j] = t[i][j] OP s; } } " SUM,
    "" },
};

/* R's region with OP for its operator.  */
static void
write_text (char *text, size_t room, const row *r, char op)
{
  snprintf (text, room, "region r { %s { %s } }", HEAD, r->body);
  for (char *at = text; (at = strstr (at, "OP"));)
    {
      at[0] = op;
      at[1] = ' ';
    }
}

/* TEXT's scalings are STEPS; so they are where PLAN asks for them.  */
static bool
check_steps (const char *text, const char *plan, const char *steps)
{
  tns_ctx *ctx = agree_ctx ("avx512");
  ctx->plan_text = plan;
  tns_text lines = tns_text_new (ctx->arena);
  tns_region *made = tns_region_rescale (ctx, agree_parse (ctx, text), &lines);
  bool ok = made && !strcmp (tns_text_chars (&lines), steps)
            && tns_region_verify (ctx, made, "rescale");
  if (!ok)
    printf ("%s\nscaled %s\n", text, tns_text_chars (&lines));
  tns_ctx_free (ctx);
  return ok;
}

/* TEXT computes the same with the scalings that PLAN has.  */
static bool
check_memory (const char *text, const char *plan)
{
  bool ok = true;
  tns_ctx *ctx = agree_ctx ("avx512");
  ctx->plan_text = plan;
  for (int n = 0; n < 8 && ok; n++)
    {
      tns_text lines = tns_text_new (ctx->arena);
      tns_region *made
        = tns_region_rescale (ctx, agree_parse (ctx, text), &lines);
      ok = agree (agree_parse (ctx, text), made, n, 1);
    }
  tns_ctx_free (ctx);
  return ok;
}

/* Row R; whether all is as it should be.  */
static bool
check_row (const row *r)
{
  static const char plan[]
    = "plan r\nfactor S3\nfactor S4\nfactor S8\nfactor S9\n";
  char divided[4096];
  char scaled[4096];
  write_text (divided, sizeof divided, r, '/');
  write_text (scaled, sizeof scaled, r, '*');
  bool ok = check_steps (divided, NULL, r->steps)
            && check_steps (divided, "plan r\n", "")
            && check_memory (scaled, plan);
  printf ("%s: rescale: %s\n", ok ? "PASS" : "FAIL", r->shown);
  return ok;
}

MAIN_OF_ROWS (rows, check_row)
