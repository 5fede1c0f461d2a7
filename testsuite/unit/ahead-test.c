/* The tangent of a call of a function that works on arrays.  */

#include "answers.h"
#include "autodiff/ahead.h"

/* Values stand where they stood.  */
static tns_expr *
same (void *self, tns_expr *expr)
{
  (void) self;
  return expr;
}

/* The tangent of statement S of TEXT, a call of g, whose tangent g_ahead is and
   takes, where IN_PLACE, that of what it finds in y; what is set goes to OUT
   too, NULL: nowhere.  */
static const char *
advance (tns_ctx *ctx, const char *text, bool in_place, const char *out)
{
  static const int of[] = { 0, 1, 1, 1, 1, 3, 3 };
  tns_region *region = verdict_region (
    ctx, tns_arena_format (
           ctx->arena,
           "region f { value i64 n; function f64 g(5) places vpcwc; function "
           "f64 g_ahead(7) places vpcpcwc; array f64 x[n]; array f64 y[n]; "
           "array f64 dx[n]; array f64 dy[n]; array f64 out[n]; "
           "assume n > 0; { %s } }",
           text));
  tns_sym *ahead = tns_region_find (region, "g_ahead");
  tns_region_find (region, "g")->ahead = ahead;
  for (int k = 0; k < ahead->rank; k++)
    ahead->argument[k].of = of[k];
  ahead->argument[3].adjoint = ahead->argument[5].adjoint = true;
  ahead->argument[5].enters = in_place;
  int n = region->n_syms;
  tns_sym **tangent = TNS_NEW_ARRAY (ctx->arena, tns_sym *, n);
  tns_sym **through = TNS_NEW_ARRAY (ctx->arena, tns_sym *, n);
  int y = tns_region_find (region, "y")->id;
  tangent[tns_region_find (region, "x")->id] = tns_region_find (region, "dx");
  tangent[y] = tns_region_find (region, "dy");
  through[y] = out ? tns_region_find (region, out) : NULL;
  tns_tangent about
    = { ctx, region, tns_view_of (ctx->arena, region), tangent, through, NULL };
  tns_partials partials = { ctx, region, tangent, same, NULL };
  tns_node *block = tns_block (ctx->arena, region->loc);
  bool done
    = tns_ahead_call (&about, &partials, block, answer_node (region, "S"));
  return answer_body (ctx, region, done ? block : NULL);
}

static const char *
in_place (tns_ctx *ctx, const char *text)
{
  return advance (ctx, text, true, NULL);
}

static const char *
fresh (tns_ctx *ctx, const char *text)
{
  return advance (ctx, text, false, "out");
}

static const char *
from_outside (tns_ctx *ctx, const char *text)
{
  return advance (ctx, text, false, NULL);
}

#define CALL "S: y[0] = call g(n, x[0], n, y[0], n);"

static const answer_row rows[] = {
  { "in place", in_place, CALL,
    "...{ dy[0] = call g_ahead(n, x[0], n, dx[0], n, dy[0], n); } }" },
  { "what is set goes outside too", fresh, CALL,
    "...{ dy[0] = call g_ahead(n, x[0], n, dx[0], n, dy[0], n); for e = 0 to "
    "n { out[e] = dy[e]; } } }" },
  { "what comes from outside counts", from_outside, CALL,
    "derivative: what g finds in y has no derivative that could be written "
    "down;" },
  { "so does what is written before", fresh, "y[0] = 1.0f64; " CALL,
    "derivative: what g finds in y has no derivative that could be written "
    "down;" },
};

MAIN_OF_ANSWERS (rows)
