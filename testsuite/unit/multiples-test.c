/* Sums that are multiples of each other: which are taken, and the same
   memory.  */

#include <stdio.h>
#include <string.h>

#include "agree.h"
#include "ir/multiples.h"
#include "rows.h"

/* shown  what the row shows
   body   statements
   parts  the sums that are made for others  */
typedef struct row
{
  const char *shown;
  const char *body;
  int parts;
} row;

#define IJ "for i = 0 to N { for j = 0 to N { "

static const row rows[] = {
  { "the same sum twice", IJ "S1: s[j] += x[i][j]; S2: t[j] += x[i][j]; } }",
    1 },
  { "a factor that the inner loop moves",
    IJ "S1: s[j] += x[i][j]; S2: t[j] += -(g[j] * x[i][j]); } }", 1 },
  { "a factor that the sum moves",
    IJ "S1: s[j] += x[i][j]; S2: t[j] += g[i] * x[i][j]; } }", 0 },
  { "rows, in the inner loop",
    IJ "S1: s[i] += x[i][j] * g[i]; S2: t[i] += x[i][j]; } }", 1 },
  { "rows and columns", IJ "S1: s[i] += x[i][j]; S2: t[j] += x[i][j]; } }", 0 },
  { "two products",
    IJ "S1: s[j] += x[i][j] * y[i][j] * g[j];"
       "S2: t[j] += y[i][j] * x[i][j]; S3: r[j] += x[i][j] * g[j];"
       "S4: q[j] += x[i][j]; } }",
    2 },
  { "through a cell",
    IJ "local f64 c; S1: c = x[i][j] * g[j]; S2: s[j] += c;"
       "S3: t[j] += x[i][j]; } }",
    1 },
  { "not through a cell that is set twice",
    IJ "local f64 c; S1: c = x[i][j] * g[j]; S2: s[j] += c; S3: c = g[j];"
       "S4: t[j] += x[i][j] * c; } }",
    0 },
  { "not where something else reads the sum",
    IJ "S1: s[j] += x[i][j]; S2: t[j] += x[i][j] * s[j]; } }", 0 },
  { "not where what is left is written",
    IJ "S1: s[j] += z[j]; S2: z[j] = x[i][j]; S3: t[j] += z[j]; } }", 0 },
  { "an upper triangle",
    "for i = 0 to N { for j = i to N {"
    "S1: s[j] += x[i][j]; S2: t[j] += x[i][j] * g[j]; } }",
    0 },
  { "up, behind what its factor waits for",
    IJ "S1: s[j] += x[i][j] * x[i][j]; } }"
       "for j = 0 to N { S2: g[j] += 2.0f64 * s[j]; }" IJ
       "S3: s[j] += g[j] * x[i][j]; } }",
    1 },
  { "up from an inner block",
    "for i = 0 to N { local f64 c; local f64 e; S1: c = 0.0f64;"
    "S2: e = 0.0f64; for j = 0 to N { S3: c += x[i][j]; }"
    "for j = 0 to N { S4: e += x[i][j] * c; } S5: s[i] = e; }",
    1 },
  { "not up where nothing is in the way",
    IJ "S1: s[j] += x[i][j]; } } for j = 0 to N { S2: t[j] += 1.0f64; }" IJ
       "S3: r[j] += x[i][j] * g[j]; } }",
    0 },
  { "not up over what it is made of",
    IJ "S1: s[j] += x[i][j]; } } for j = 0 to N { S2: g[j] += s[j];"
       "S3: z[j] += s[j]; }" IJ "S4: r[j] += (x[i][j] - z[j]) * g[j]; } }",
    0 },
  { "not up to other bounds",
    IJ "S1: s[j] += x[i][j]; } } for j = 0 to N { S2: g[j] += s[j]; }"
       "for i = 1 to N { for j = 0 to N { S3: r[j] += x[i][j] * g[j]; } }",
    0 },
  { "not up to what reads something else",
    IJ "S1: s[j] += y[i][j]; } } for j = 0 to N { S2: g[j] += s[j]; }" IJ
       "S3: r[j] += x[i][j] * g[j]; } }",
    0 },
};

/* How many arrays or cells of REGION are called part.  */
static int
count_parts (const tns_region *region)
{
  int n = 0;
  for (int k = 0; k < region->n_syms; k++)
    n += !strncmp (region->syms[k]->name, "part", 4);
  return n;
}

/* Row R; whether all is as it should be.  */
static bool
check (const row *r)
{
  char text[2048];
  snprintf (text, sizeof text,
            "region r { value i64 N; array f64 x[N][N] const;"
            "array f64 y[N][N] const; array f64 g[N]; array f64 z[N];"
            "array f64 q[N]; array f64 r[N]; array f64 s[N]; array f64 t[N];"
            "{ %s } }",
            r->body);
  tns_ctx *ctx = agree_ctx ("avx512");
  tns_region *out = agree_all (ctx, text, tns_region_multiples);
  int parts = out ? count_parts (out) : -1;
  bool ok = parts == r->parts;
  if (!ok)
    fprintf (stderr, "FAIL: %s: %d parts\n", r->shown, parts);
  tns_ctx_free (ctx);
  return ok;
}

MAIN_OF_ROWS (rows, check)
