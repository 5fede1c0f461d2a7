/* What is computed once more: the statements of an iteration that make what
   statement S takes.  */

#include "answers.h"
#include "autodiff/again.h"
#include "ir/fresh.h"

/* Of loop i of TEXT, for S; "none".  */
static const char *
again (tns_ctx *ctx, const char *text)
{
  tns_region *region = verdict_region (
    ctx,
    tns_arena_format (
      ctx->arena,
      "region f { value i64 n; array f64 x[n][n]; cell f64 t; { %s } }", text));
  tns_node *taker = answer_node (region, "S");
  tns_node *block = tns_again_block (ctx->arena, answer_node (region, "i"),
                                     taker, taker->value);
  if (!block)
    return "none";
  region = tns_region_copy (ctx->arena, region);
  return answer_body (ctx, region, tns_node_fresh (ctx, region, block));
}

static const answer_row rows[] = {
  { "a sum of its own", again,
    "for i = 0 to n { local f64 s; local f64 u; s = 0.0f64; u = 1.0f64; for j "
    "= 0 to n { s += x[i][j]; } S: t max= s; s = u; }",
    "...{ local f64 s_1; s_1 = 0.0f64; for j = 0 to n { s_1 += x[i][j]; } "
    "}..." },
  { "by way of others, under a condition", again,
    "for i = 0 to n { local f64 s; s = x[i][0]; if (i > 2) { local f64 u; u = "
    "s * 2.0f64; s = 1.0f64; S: t max= u; } }",
    "...{ local f64 s_1; s_1 = x[i][0]; local f64 u_1; u_1 = s_1 * 2.0f64; "
    "}..." },
  { "with what nobody sets", again,
    "for i = 0 to n { local f64 s; S: t max= (i > n ? s : x[i][i]); }",
    "...{ local f64 s_1; } }" },
  { "nothing", again, "for i = 0 to n { S: t max= x[i][i]; }", "...{ } }" },
  { "a sum that goes on", again,
    "local f64 s; s = 0.0f64; for i = 0 to n { s += x[i][i]; S: t max= s; }",
    "none" },
  { "one that goes on in a loop inside", again,
    "for i = 0 to n { local f64 s; s = 0.0f64; for j = 0 to n { s += x[i][j]; "
    "S: t max= s; } }",
    "none" },
  { "what others see", again,
    "for i = 0 to n { x[i][0] = x[i][1]; S: t max= x[i][0]; }", "none" },
};

MAIN_OF_ANSWERS (rows)
