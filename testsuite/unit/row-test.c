/* Rows that a device's block keeps in registers: which loops form one, what is
   kept from one to the next, what is read and written when.  */

#include <stdio.h>

#include "answers.h"
#include "base/text.h"
#include "lowering/cuda-row.h"
#include "lowering/grid-again.h"
#include "lowering/grid-row.h"
#include "lowering/grid.h"
#include "schedule/machine.h"

/* The region whose body is a loop over rows of BODY.  */
static tns_region *
region_of (tns_ctx *ctx, const char *body)
{
  ctx->machine = tns_machine_find ("cuda");
  return verdict_region (
    ctx, tns_arena_format (
           ctx->arena,
           "region r { value i64 n; value i64 c; array f32 x[n][c]; array f32 "
           "y[n][c]; array f32 z[n][c]; array f64 d[n][c]; array f64 e[n][c]; "
           "array f32 g[c]; array f32 v[n]; array i64 at[n]; { for i = 0 to n "
           "parallel { local f32 s; local f64 t; %s } } }",
           body));
}

/* Find the row of BODY.  */
static bool
find (tns_ctx *ctx, const char *body, tns_region **r, tns_grid_row *row)
{
  *r = region_of (ctx, body);
  return tns_row_find (ctx->arena, *r, 1, (*r)->body->kid, row);
}

/* The row of BODY.  */
static const char *
rows_of (tns_ctx *ctx, const char *body)
{
  tns_grid_row row;
  tns_region *r;
  tns_text words = tns_text_new (ctx->arena);
  if (!find (ctx, body, &r, &row))
    return "none";
  tns_text_format (&words, "%d of %d, %s to %s", row.groups, row.width,
                   answer_expr (ctx, row.lo), answer_expr (ctx, row.hi));
  for (int k = 0; k < row.n_kept; k++)
    {
      const tns_row_kept *kept = &row.kept[k];
      tns_text_format (&words, "; %s from %d", answer_expr (ctx, kept->load),
                       kept->first);
      if (kept->is_set)
        tns_text_add (&words, " set");
      if (kept->stored >= 0)
        tns_text_format (&words, " stored in %d", kept->stored);
    }
  return tns_text_chars (&words);
}

/* The ends of BODY's loops from where its row's are, and what they have that is
   not kept.  */
static const char *
loops_of (tns_ctx *ctx, const char *body)
{
  tns_grid_row row;
  tns_region *r;
  tns_text words = tns_text_new (ctx->arena);
  if (!find (ctx, body, &r, &row))
    return "none";
  for (int k = 0; k < row.n; k++)
    {
      tns_text_format (&words, "%lld %lld", row.loop[k].from, row.loop[k].to);
      for (int q = 0; q < row.loop[k].wide.n; q++)
        if (row.loop[k].kept[q] < 0)
          tns_text_format (&words, " %s",
                           answer_expr (ctx, row.loop[k].wide.run[q].load));
      tns_text_add (&words, "; ");
    }
  return tns_text_chars (&words);
}

/* The text of BODY's row; LONG: it has no room in registers.  */
static const char *
text_of (tns_ctx *ctx, const char *body, bool is_long)
{
  tns_grid_row row;
  tns_region *r;
  if (!find (ctx, body, &r, &row))
    return "none";
  tns_c99 *c = tns_c99_new (ctx, r, true);
  row.groups = is_long ? 0 : row.groups;
  tns_cuda_row_begin (c, &row);
  for (int k = 0; k < row.n; k++)
    tns_cuda_row_loop (c, &row, k);
  return tns_text_chars (c->text);
}

/* The same of a short one.  */
static const char *
short_text (tns_ctx *ctx, const char *body)
{
  return text_of (ctx, body, false);
}

/* And of a long one.  */
static const char *
long_text (tns_ctx *ctx, const char *body)
{
  return text_of (ctx, body, true);
}

/* What 64 threads have room for of BODY's row, and the number of its last
   loop and of none of its.  */
static const char *
room_of (tns_ctx *ctx, const char *body)
{
  tns_grid_row row;
  tns_region *r;
  if (!find (ctx, body, &r, &row))
    return "none";
  return tns_arena_format (ctx->arena, "%ld, %d, %d", tns_row_room (&row, 64),
                           tns_row_loop_of (&row, row.loop[row.n - 1].loop),
                           tns_row_loop_of (&row, r->body->kid[0]));
}

/* BODY with what can be computed again.  */
static const char *
again (tns_ctx *ctx, const char *body)
{
  tns_grid_row row;
  tns_region *r;
  if (!find (ctx, body, &r, &row))
    return "none";
  tns_node *old = r->body->kid[0]->body;
  tns_node *made = tns_row_again (ctx->arena, &row, old);
  return made == old ? "the same" : answer_body (ctx, r, made);
}

#define J   "for j = 0 to c simd(32) { "
#define SUM "for j = 0 to c simd(32) reduce(add: s) { s += "

static const answer_row rows[] = {
  { "read twice", rows_of, SUM "x[i][j]; } " J "y[i][j] = x[i][j] * s; }",
    "8 of 4, 0 to c; x[i][j] from 0" },
  { "set, and changed", rows_of,
    J "y[i][j] = x[i][j]; } " SUM "y[i][j]; } " J "y[i][j] = y[i][j] * s; }",
    "4 of 4, 0 to c; x[i][j] from 0; y[i][j] from 0 set stored in 2" },
  { "in place", rows_of, SUM "x[i][j]; } " J "x[i][j] -= s; }",
    "8 of 4, 0 to c; x[i][j] from 0 stored in 1" },
  { "doubles", rows_of,
    "for j = 0 to c simd(32) reduce(add: t) { t += d[i][j]; } " J
    "e[i][j] = d[i][j] * t; }",
    "8 of 2, 0 to c; d[i][j] from 0" },
  { "an element set in a part of the row", rows_of,
    "for j = 1 to c simd(32) { y[i][j] = x[i][j]; } " J
    "z[i][j] = y[i][j] + x[i][j]; }",
    "4 of 4, 0 to c; x[i][j] from 0" },
  { "another element is read", rows_of,
    J "y[i][j] = x[i][j]; } " J "z[i][j] = y[i][j] + y[i][0]; }",
    "4 of 4, 0 to c; x[i][j] from 0" },
  { "and by one thread", rows_of,
    J "y[i][j] = x[i][j]; } s = y[i][3]; " J "y[i][j] = y[i][j] * s; }",
    "8 of 4, 0 to c; x[i][j] from 0" },
  { "nothing of rows", rows_of, J "g[j] = 0.0f32; }", "none" },
  { "loops inside loops", rows_of,
    "for k = 0 to 3 { " SUM "x[i][j]; } } v[i] = s;", "none" },
  { "of other lengths", rows_of,
    SUM "x[i][j]; } for j = 0 to n simd(32) { y[i][j] = x[i][j] * s; }",
    "none" },
  { "how long is in memory", rows_of,
    "for j = 0 to at[i] simd(32) reduce(add: s) { s += x[i][j]; }", "none" },
  { "where loops begin", loops_of,
    "for j = 1 to c - 2 simd(32) reduce(add: s) { s += x[i][j]; } " J
    "y[i][j] = x[i][j] * s * g[j]; }",
    "1 -2; 0 0 g[j] y[i][j]; " },
  { "room", room_of, SUM "x[i][j]; } " J "y[i][j] = x[i][j] * s; }",
    "2048, 1, -1" },
  { "computed again", again,
    "s = v[i]; for j = 0 to c simd(32) reduce(add: t) { y[i][j] = x[i][j] * s; "
    "t += f64(y[i][j]); } " J "y[i][j] = y[i][j] / f32(t); }",
    "...{ t += f64(x[i][j] * s); } for j = 0 to c simd(32) { y[i][j] = "
    "x[i][j] * s / f32(t); ..." },
  { "an update", again,
    J "y[i][j] = exp(x[i][j]); } " SUM "y[i][j]; } " J "y[i][j] *= s; }",
    "...s += exp(x[i][j]); } for j = 0 to c simd(32) { y[i][j] = exp(x[i][j]) "
    "* s; ..." },
  { "a cell changes", again,
    J "y[i][j] = x[i][j] * s; } s = v[i]; " J "y[i][j] = y[i][j] * s; }",
    "the same" },
  { "an array changes", again,
    J "y[i][j] = x[i][j]; x[i][j] = 0.0f32; } " J "y[i][j] += 1.0f32; }",
    "the same" },
  { "not all of it is set again", again,
    J "y[i][j] = x[i][j]; } for j = 1 to c simd(32) { y[i][j] = y[i][j] * s; }",
    "the same" },
  { "it is stored once", again,
    J "y[i][j] = x[i][j]; } " J "z[i][j] = y[i][j] * s; }", "the same" },
  { "it is read behind the second store", again,
    J "y[i][j] = x[i][j]; } " J "y[i][j] += 1.0f32; z[i][j] = y[i][j]; }",
    "the same" },
  { "text", short_text,
    J "y[i][j] = x[i][j]; } " SUM "y[i][j]; } " J "y[i][j] = y[i][j] * s; }",
    "...const int tns_before = tns_beyond<4> (&x[i * c] - x); ...tns_grid_row "
    "+ "
    "tns_before > 16 * blockDim.x ? 0 : tns_before; ...tns_take_part<4> "
    "(tns_keep0[tns_q], &x[i * c + j], tns_even0, tns_first - tns_e, tns_last "
    "- tns_e); ...tns_keep1[tns_q][tns_w] = tns_keep0[tns_q][tns_w]; } } } { "
    "...s += tns_keep1[tns_q][tns_w]; ...tns_keep1[tns_q][tns_w] = "
    "tns_keep1[tns_q][tns_w] * s; } const long j = tns_frame + tns_e; "
    "tns_give_part<4> (&y[i * c + j], tns_keep1[tns_q], tns_even1, ..." },
  { "text of a long one", long_text, J "y[i][j] = x[i][j]; } " SUM "y[i][j]; }",
    "...for (long tns_base = 0; tns_base < tns_length; tns_base += 8 * "
    "blockDim.x) { ...tns_give_part<4> (&y[i * c + j], tns_keep1[tns_q], "
    "...tns_take_part<4> (tns_keep1[tns_q], &y[i * c + j], ..." },
};

MAIN_OF_ANSWERS (rows)
