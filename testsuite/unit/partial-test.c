/* Adjoints and tangents of products, with powers and without.  */

#include "answers.h"
#include "autodiff/partial.h"

/* Values stand where they stood.  */
static tns_expr *
same (void *self, tns_expr *expr)
{
  (void) self;
  return expr;
}

/* What is known of a statement S: its region, and what its arrays' adjoints
   are.  */
typedef struct subject
{
  tns_node *node;
  tns_partials partials;
} subject;

/* The subject whose body TEXT is.  */
static subject
subject_of (tns_ctx *ctx, const char *text)
{
  tns_region *region = verdict_region (
    ctx, tns_arena_format (ctx->arena,
                           "region f { array f64 x[9]; array f64 w[9]; array "
                           "f64 y[9]; array f64 dx[9]; array f64 dw[9]; array "
                           "f64 dy[9]; { %s } }",
                           text));
  tns_sym **adjoint = TNS_NEW_ARRAY (ctx->arena, tns_sym *, region->n_syms);
  adjoint[tns_region_find (region, "x")->id] = tns_region_find (region, "dx");
  adjoint[tns_region_find (region, "w")->id] = tns_region_find (region, "dw");
  return (subject){ answer_node (region, "S"),
                    { ctx, region, adjoint, same, NULL } };
}

/* What the adjoint of S's value adds to others.  */
static const char *
backward (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_region *region = s.partials.region;
  tns_node *block = tns_block (ctx->arena, region->loc);
  tns_expr *zero = tns_int (ctx->arena, 0);
  tns_expr *bar = tns_load (ctx->arena, tns_region_find (region, "dy"), &zero);
  bool done = tns_partials_add (&s.partials, block, s.node->value, bar);
  return answer_body (ctx, region, done ? block : NULL);
}

/* The tangent of S's value.  */
static const char *
forward (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_node *block = tns_block (ctx->arena, s.node->loc);
  tns_expr *dot = NULL;
  return tns_partials_tangent (&s.partials, block, s.node->value, &dot)
           ? answer_expr (ctx, dot)
           : answer_said (ctx);
}

static const answer_row rows[] = {
  { "a product", backward, "S: y[0] = x[1] * sin(x[2]);",
    "...{ dx[1] += dy[0] * sin(x[2]); dx[2] += dy[0] * x[1] * cos(x[2]); } }" },
  { "a power: one term", backward, "S: y[0] = x[1] * x[1] * x[1];",
    "...{ dx[1] += dy[0] * (3.0f64 * (x[1] * x[1])); } }" },
  { "with a number, which stays inside", backward,
    "S: y[0] = x[1] * 0.5f64 * x[1] * x[1];",
    "...{ dx[1] += dy[0] * (1.5f64 * x[1] * x[1]); } }" },
  { "a square", backward, "S: y[0] = x[1] * x[1];",
    "...{ dx[1] += dy[0] * (2.0f64 * x[1]); } }" },
  { "the square of a product, which stays one", backward,
    "S: y[0] = x[1] * w[2] * (x[1] * w[2]);",
    "...{ local f64 t; t = dy[0] * (2.0f64 * (x[1] * w[2])); dx[1] += t * "
    "w[2]; dw[2] += t * x[1]; } }" },
  { "numbers stay apart", backward,
    "S: y[0] = x[1] * 0.5f64 * (x[1] * 4.0f64);",
    "...{ dx[1] += dy[0] * (x[1] * 4.0f64) * 0.5f64; dx[1] += dy[0] * (x[1] * "
    "0.5f64) * 4.0f64; } }" },
  { "a product of others", backward, "S: y[0] = x[1] * w[2] * x[3];",
    "...{ dx[1] += dy[0] * x[3] * w[2]; dw[2] += dy[0] * x[3] * x[1]; dx[3] += "
    "dy[0] * (x[1] * w[2]); } }" },
  { "a tangent", forward, "S: y[0] = x[1] * 0.5f64 * x[1] * x[1];",
    "dx[1] * (1.5f64 * x[1] * x[1])" },
};

MAIN_OF_ANSWERS (rows)
