/* Conditions that the loops around decide: they go, others stay, and memory is
   the same.  */

#include <stdio.h>

#include "agree.h"
#include "ir/walk.h"
#include "lowering/certain.h"
#include "rows.h"

/* shown  what the row shows
   body   statements
   left   conditions that stay  */
typedef struct row
{
  const char *shown;
  const char *body;
  int left;
} row;

static const row rows[] = {
  { "a tile has cells",
    "for t = 0 to floordiv(N - 1, 8) + 1 {"
    "  if (8 * t < min(N - 1, 8 * t + 7) + 1) {"
    "    for i = 8 * t to min(N - 1, 8 * t + 7) + 1 { x[i] = b[i]; } } }",
    0 },
  { "a tile may be whole",
    "for t = 0 to floordiv(N - 1, 8) + 1 { if (N - 8 * t >= 8) {"
    "  for i = 8 * t to 8 * t + 8 { x[i] = b[i]; } } else {"
    "  for i = 8 * t to N { x[i] = b[i] + 1u32; } } }",
    1 },
  { "where there are iterations, there are elements",
    "for i = 0 to N { if (N > 0) { x[i] = b[i]; } else { x[i] = 7u32; } }", 0 },
  { "outside of the loop that is not known",
    "if (N > 0) { x[0] = 3u32; } for i = 0 to N { x[i] += b[i]; }", 1 },
  { "what never holds",
    "for i = 0 to N { if (i >= N) { x[i] = 7u32; } else { x[i] = b[i]; } }",
    0 },
  { "nothing is left of the loop",
    "for i = 1 to N { if (i <= 0) { x[i] = 7u32; } } x[0] = 5u32;", 0 },
  { "from the end",
    "for i = N - 1 to -1 step -1 { if (i >= 0) { x[i] = b[i]; } }", 0 },
  { "from the end, the first iteration",
    "for i = N - 1 to -1 step -1 { if (i + 1 < N) { x[i] = x[i + 1]; } }", 1 },
  { "a bound that changes",
    "n = N; for i = 0 to n { n = 0; if (n > i) { x[i] = 7u32; } }", 1 },
  { "by other than one",
    "for i = 0 to N step 4 { if (i + 3 < N) { x[i] = b[i]; } }", 1 },
  { "a product",
    "for i = 0 to N { for j = 0 to M { if (i * M + j < N * M) {"
    "  x[0] += b[j] * 3u32; } } }",
    1 },
};

/* The pass.  */
static tns_region *
passes (tns_ctx *ctx, tns_region *region)
{
  return tns_region_certain (ctx, region);
}

/* The visitor that counts conditions.  */
static bool
count_if (tns_node *node, void *self)
{
  int *n = self;
  *n += node->kind == TNS_IF;
  return true;
}

/* Row R; whether all is as it should be.  */
static bool
check (const row *r)
{
  char text[2048];
  int left = 0;
  snprintf (text, sizeof text,
            "region r { value i64 N; value i64 M; array u32 b[N + M] const; "
            "array u32 x[N + 1]; cell i64 n; { %s } }",
            r->body);
  tns_ctx *ctx = agree_ctx ("avx512");
  tns_region *out = agree_all (ctx, text, passes);
  if (out)
    tns_node_walk (out->body, count_if, &left);
  bool ok = out && left == r->left;
  if (!ok)
    fprintf (stderr, "FAIL: %s: %d conditions\n", r->shown, left);
  tns_ctx_free (ctx);
  return ok;
}

MAIN_OF_ROWS (rows, check)
