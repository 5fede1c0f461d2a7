/* Temporaries that sums read through: which ones, and the same memory.  */

#include <stdio.h>
#include <string.h>

#include "agree.h"
#include "ir/verify.h"
#include "rows.h"
#include "schedule/forward.h"

/* shown  what the row shows
   head   declarations; N is an i64 VALUE
   body   statements
   steps  what is forwarded, a line each  */
typedef struct row
{
  const char *shown;
  const char *head;
  const char *body;
  const char *steps;
} row;

#define ABC                                                                    \
  "array f32 A[N][N] const; array f32 B[N][N] const; array f32 C[N][N];"
#define TU  "local f32 t[N][N][N]; local f32 u[N][N][N]; "
#define IJK "for i = 0 to N { for j = 0 to N { for k = 0 to N {"

static const row rows[] = {
  { "a difference and its square", ABC,
    TU IJK "S1: t[i][j][k] = A[i][k] - B[j][k]; } } }" IJK
           "S2: u[i][j][k] = t[i][j][k] * t[i][j][k]; } } }" IJK
           "S3: C[i][j] += u[i][j][k]; } } }",
    "forward t\nforward u\n" },
  { "in another order", ABC,
    TU IJK "S1: t[k][i][j] = A[i][k] - B[j][k]; } } }" IJK
           "S2: C[i][j] += t[j][i][k] * A[i][j]; } } }",
    "forward t\n" },
  { "a cell in the loop", ABC,
    TU IJK
    "local f32 d; S1: d = A[i][k] - B[j][k]; S2: C[i][j] += d * d; } } }",
    "forward d\n" },
  { "an element that two sums read", ABC "array f32 D[N][N];",
    IJK "local f32 d; S1: d = A[i][k]; S2: C[i][j] += d * B[k][j] - d;"
        "S3: D[i][j] += d * B[j][k]; } } }",
    "forward d\n" },
  { "an index of a target", ABC "array i32 at[N] const; array f32 y[N];",
    "for i = 0 to N { local f32 s; local i32 k; S1: s = 0.0f32; S2: k = at[i];"
    " for j = 0 to N { S3: s += A[i][j]; }"
    " S4: y[mod(i64(k), N)] += s; }",
    "forward k\n" },
  { "not a difference that two sums read", ABC "array f32 D[N][N];",
    IJK "local f32 d; S1: d = A[i][k] - B[j][k]; S2: C[i][j] += d * d;"
        "S3: D[i][j] += d; } } }",
    "" },
  { "not an element that a sum and something else read",
    ABC "array f32 D[N][N];",
    IJK "local f32 d; S1: d = A[i][k]; S2: C[i][j] += d * B[k][j];"
        "S3: D[i][k] = d; } } }",
    "" },
  { "a part of what is there", ABC,
    TU IJK "S1: t[i][j][k] = A[i][k] - B[j][k]; } } }"
           "for i = 0 to N { for j = 0 to i { for k = 1 to N {"
           "S2: C[i][j] += t[i][j][k]; } } }",
    "forward t\n" },
  { "not more than what is there", ABC,
    TU "for i = 0 to N { for j = 0 to i { for k = 0 to N {"
       "S1: t[i][j][k] = A[i][k] - B[j][k]; } } }"
       "for i = 0 to N { for j = 0 to i + 1 { for k = 0 to N {"
       "S2: C[i][j] += t[i][min(j, max(i - 1, 0))][k] * 0.0f32; } } }",
    "" },
  { "not what is read before it is written", ABC,
    TU "for i = 1 to N { for j = 0 to N { for k = 0 to N {"
       "S1: t[i][j][k] = A[i][k] - B[j][k];"
       "S2: C[i][j] += t[N - i][j][k] * 0.0f32; } } }",
    "" },
  { "not what is read again and again", ABC,
    TU "for i = 0 to N { for j = 0 to N { "
       "S1: t[0][i][j] = A[i][j] - B[j][i]; } }" IJK
       "S2: C[i][j] += t[0][i][k] * A[k][j]; } } }",
    "" },
  { "not where two statements read", ABC,
    TU IJK "S1: t[i][j][k] = A[i][k] - B[j][k]; } } }" IJK
           "S2: C[i][j] += t[i][j][k]; } } }" IJK
           "S3: C[j][i] += t[i][j][k]; } } }",
    "" },
  { "not over a store to what it reads", ABC,
    TU IJK "S1: t[i][j][k] = C[i][k] - B[j][k]; } } }" IJK
           "S2: C[i][j] += t[i][j][k]; } } }",
    "" },
  { "not a division", ABC,
    TU IJK "S1: t[i][j][k] = A[i][k] / (B[j][k] * B[j][k] + 1.0f32); } } }" IJK
           "S2: C[i][j] += t[i][j][k]; } } }",
    "" },
  { "not where there is no sum", ABC,
    TU IJK "S1: t[i][j][k] = A[i][k] - B[j][k]; } } }" IJK
           "S2: u[i][j][k] = t[i][j][k] * t[i][j][k]; } } }"
           "for i = 0 to N { for j = 0 to N { S3: C[i][j] = u[i][j][0]; } }",
    "" },
  { "not what is seen afterwards",
    "array f32 A[N][N] const; array f32 t[N][N];"
    "array f32 C[N];",
    "for i = 0 to N { for k = 0 to N { S1: t[i][k] = A[i][k] - 1.0f32; } }"
    "for i = 0 to N { for k = 0 to N { S2: C[i] += t[i][k]; } }",
    "" },
};

/* Forward in REGION.  */
static tns_region *
passes (tns_ctx *ctx, tns_region *region)
{
  tns_forwarded done;
  return tns_region_forward (ctx, region, &done);
}

/* Row R; whether all is as it should be.  */
static bool
check_row (const row *r)
{
  char text[4096];
  snprintf (text, sizeof text, "region r { value i64 N; %s { %s } }", r->head,
            r->body);
  tns_ctx *ctx = agree_ctx ("avx512");
  tns_forwarded done;
  tns_region *made = tns_region_forward (ctx, agree_parse (ctx, text), &done);
  const char *steps = tns_text_chars (&done.steps);
  bool ok = made && !strcmp (steps, r->steps)
            && tns_region_verify (ctx, made, "forward");
  if (!ok)
    printf ("%s: forwarded %s\n", r->shown, steps);
  for (int n = 0; n < 8 && ok; n++)
    {
      tns_region *in = agree_parse (ctx, text);
      ok = agree (in, passes (ctx, agree_parse (ctx, text)), n, 1);
    }
  printf ("%s: forward: %s\n", ok ? "PASS" : "FAIL", r->shown);
  tns_ctx_free (ctx);
  return ok;
}

MAIN_OF_ROWS (rows, check_row)
