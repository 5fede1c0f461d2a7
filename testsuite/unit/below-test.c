/* Signs of subscripts without their constants: what may be below 0.  */

#include <stdio.h>

#include "agree.h"
#include "ir/walk.h"
#include "lowering/below.h"
#include "rows.h"

/* shown  what the row shows
   loops  around one store to x; its subscript is looked at
   below  it may be below 0 but for its constant  */
typedef struct row
{
  const char *shown;
  const char *loops;
  bool below;
} row;

static const row rows[] = {
  { "up from 0", "for i = 0 to N { x[i + 3] = 1.0f32; }", false },
  { "up from below 0", "for i = -4 to 1 { x[i + 4] = 1.0f32; }", true },
  { "minus what is below 0", "for i = -4 to 1 { x[3 - i] = 1.0f32; }", false },
  { "down to 0", "for i = 0 to 5 { x[4 - i] = 1.0f32; }", true },
  { "from minus a size", "for i = 1 - N to 1 { x[i + 3] = 1.0f32; }", true },
  { "from a size", "for i = N to N + 4 { x[i + 3] = 1.0f32; }", true },
  { "the last ones", "for i = N - 16 to N { x[i + 3] = 1.0f32; }", false },
  { "what a tile leaves",
    "for i = floordiv(N, 4) * 4 to N { x[i + 3] = 1.0f32; }", false },
  { "in a tile",
    "for b = 0 to N { for i = 8 * b to min(8 * b + 8, N) {"
    " x[i - 8 * b + 3] = 1.0f32; } }",
    false },
  { "before a tile",
    "for b = 0 to N { for i = 8 * b - 2 to min(8 * b + 8, N) {"
    " x[i - 8 * b + 3] = 1.0f32; } }",
    true },
  { "across", "for i = 0 to N { for j = 0 to N { x[i - j + 3] = 1.0f32; } }",
    true },
  { "by what may wrap",
    "for i = 0 to N { local u32 k; k = u32(at[i]) + u32(i) * 3u32;"
    " x[i64(i32(k) + i32(at[i] + 1i32)) + 1] = 1.0f32; }",
    true },
  { "by a rounded number",
    "for i = 0 to N { local i32 k; k = i32(x[i]); x[i64(k) + 1] = 1.0f32; }",
    true },
  { "by an index",
    "for i = 0 to N { local i32 k; k = at[i];"
    " x[i64(k) + 1] = 1.0f32; }",
    true },
};

/* The visitor: the store to an array.  */
static bool
note_store (tns_node *node, void *self)
{
  tns_expr **found = self;
  if (node->kind == TNS_ASSIGN && node->target->sym->rank == 1)
    *found = node->target;
  return true;
}

/* Row R; whether all is as it should be.  */
static bool
check (const row *r)
{
  char text[1024];
  tns_expr *store = NULL;
  snprintf (text, sizeof text,
            "region r { value i64 N; array i32 at[N] const; array f32 x[N];"
            " { %s } }",
            r->loops);
  tns_ctx *ctx = agree_ctx ("avx512");
  tns_region *region = agree_parse (ctx, text);
  bool ok = region != NULL;
  if (ok)
    {
      tns_below below = tns_below_of (ctx->arena, region);
      tns_node_walk (region->body, note_store, &store);
      tns_sum sum = tns_sum_of (ctx->arena, store->arg[0]);
      ok = tns_is_sum_below (&below, sum) == r->below;
    }
  if (!ok)
    fprintf (stderr, "FAIL: %s\n", r->shown);
  tns_ctx_free (ctx);
  return ok;
}

MAIN_OF_ROWS (rows, check)
