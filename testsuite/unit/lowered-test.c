/* What files of lowering/ find out about loops and share: cells, lanes, partial
   results, boxes that only the run tells, the pieces of C's text.  */

#include <stdio.h>
#include <string.h>

#include "answers.h"
#include "base/text.h"
#include "ir/recurrence.h"
#include "ir/verify.h"
#include "ir/walk.h"
#include "lowering/c99-text.h"
#include "lowering/cells.h"
#include "lowering/devices.h"
#include "lowering/found.h"
#include "lowering/idle.h"
#include "lowering/lanes.h"
#include "lowering/lookahead.h"
#include "lowering/made.h"
#include "lowering/partials.h"
#include "lowering/promote.h"
#include "schedule/machine.h"

/* The region whose body TEXT is.  */
static tns_region *
region_of (tns_ctx *ctx, const char *text)
{
  ctx->machine = tns_machine_find ("avx512");
  ctx->flags.contract = true;
  return verdict_region (
    ctx,
    tns_arena_format (ctx->arena,
                      "region r { value i64 n; value f64 a; array f64 x[n]; "
                      "array f64 y[n]; array f64 z[n][4]; array i32 k[n] "
                      "const; array i32 h[n]; cell f64 s; cell i64 l; { %s } }",
                      text));
}

/* What of BODY, of R, is printed behind the declarations.  */
static const char *
body_of (tns_ctx *ctx, const tns_region *r, tns_node *body)
{
  const char *text = answer_body (ctx, r, body);
  return strstr (text, "cell i64 l;\n") + strlen ("cell i64 l;\n");
}

/* What TEXT's S makes of the cell S.  */
static const char *
recurrence (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_node *node = answer_node (r, "S");
  tns_recurrence is;
  if (!tns_recurrence_of (ctx->arena, node, node->target->sym, &is))
    return "none";
  return tns_arena_format (ctx->arena, "%s, by %s, %s", tns_op_name (is.op),
                           is.factor ? answer_expr (ctx, is.factor) : "1",
                           answer_expr (ctx, is.term));
}

/* TEXT, promoted, with recurrences that look ahead: how many.  */
static const char *
lookahead (tns_ctx *ctx, const char *text)
{
  tns_made made = { 0 };
  tns_region *r = tns_region_promote (ctx, region_of (ctx, text));
  tns_region *out = tns_region_lookahead (ctx, r, &made);
  bool right = tns_region_verify (ctx, out, "lookahead") != NULL;
  return tns_arena_format (ctx->arena, "%d%s", made.carried.n,
                           right ? "" : ", wrong");
}

/* The cells of TEXT's innermost loop, J or its first one.  */
static const char *
cells (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_node *first = r->body->kid[0];
  tns_node *inner = answer_node (r, "j");
  tns_loop_cells found
    = tns_loop_cells_of (ctx, r, inner ? inner : first, inner != NULL, &first);
  tns_text words = tns_text_new (ctx->arena);
  for (int k = 0; k < found.n; k++)
    {
      const tns_loop_cell *c = &found.cell[k];
      bool same = tns_loop_cell_of (&found, c->read, NULL) == c
                  && tns_expr_is_read (c->read);
      tns_text_format (&words, "%s:%s%s%s%s%s%s ", answer_expr (ctx, c->read),
                       c->loaded ? " loaded" : "", c->written ? " written" : "",
                       c->always ? " always" : "",
                       c->always_written ? " sure" : "", c->lost ? " lost" : "",
                       same ? "" : " not found");
    }
  tns_text_format (&words, "when %s, innermost %s, parallel %s",
                   answer_expr (ctx, found.guard),
                   answer_bool (found.innermost), answer_bool (found.parallel));
  return tns_text_chars (&words);
}

/* Reads an array that may have neighbours: the value of TEXT's S.  */
static const char *
neighbours (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  return answer_bool (tns_expr_reads_array (answer_node (r, "S")->value));
}

/* Lists of loops, by the symbols of TEXT's.  */
static const char *
made (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_made_list list = { 0 };
  const tns_sym *i = tns_region_find (r, "i");
  const tns_sym *j = tns_region_find (r, "j");
  tns_made_note (ctx->arena, &list, i);
  tns_made_note (ctx->arena, &list, i);
  return tns_arena_format (ctx->arena, "%d, i %s, j %s", list.n,
                           answer_bool (tns_made_has (&list, i)),
                           answer_bool (tns_made_has (&list, j)));
}

/* The loop of TEXT, of 8 lanes.  */
static tns_lanes
lanes_of (tns_ctx *ctx, tns_region *r)
{
  tns_node *loop = r->body->kid[0];
  tns_lanes lanes = { .ctx = ctx,
                      .arena = ctx->arena,
                      .region = r,
                      .loop = loop,
                      .iter = loop->iter,
                      .lanes = 8,
                      .out = tns_block (ctx->arena, r->loc) };
  tns_lanes_find_cells (&lanes);
  tns_lanes_find_accumulators (&lanes, 2);
  return lanes;
}

/* The value of TEXT's statement S as a vector.  */
static const char *
vector (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_lanes lanes = lanes_of (ctx, r);
  tns_expr *value = answer_node (r, "S")->value;
  tns_expr *made = tns_lanes_expr (&lanes, value);
  return tns_arena_format (
    ctx->arena, "%s, differs %s, unit %s, gathers %g",
    lanes.refused ? "refused" : answer_expr (ctx, made),
    answer_bool (tns_lanes_differ (&lanes, value)),
    answer_bool (value->op == TNS_LOAD && tns_lanes_is_unit (&lanes, value)),
    lanes.gathers);
}

/* The body of TEXT's loop in lanes, with branches joined, of all iterations or
   those under i < n; what is around it for its sums.  */
static const char *
lanes_body (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_lanes lanes = lanes_of (ctx, r);
  lanes.loop = tns_lanes_join_branches (&lanes, lanes.loop);
  tns_lanes_find_cells (&lanes);
  tns_node *out = tns_block (ctx->arena, r->loc);
  tns_lanes_begin (&lanes, out);
  tns_block_add (ctx->arena, out, tns_lanes_body (&lanes, NULL));
  tns_lanes_end (&lanes, out);
  return lanes.refused ? "refused" : body_of (ctx, r, out);
}

/* The accumulators of TEXT's loop.  */
static const char *
accumulators (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_lanes lanes = lanes_of (ctx, r);
  tns_node *s = answer_node (r, "S");
  const tns_accumulator *a = tns_lanes_accumulator (&lanes, s->target);
  return tns_arena_format (
    ctx->arena, "%d, S into %s of %d, reads one %s", lanes.n_accumulators,
    a ? answer_expr (ctx, a->cell) : "none", a ? a->n : 0,
    answer_bool (tns_lanes_reads_accumulator (&lanes, s->value)));
}

/* TEXT's loop in chunks: what is around it, for each.  */
static const char *
partials (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_node *loop = r->body->kid[0];
  tns_sym *chunk = tns_region_add_iter (ctx->arena, r, "chunk");
  tns_partials p = tns_partials_new (ctx, r, loop, chunk);
  tns_node *block = tns_block (ctx->arena, r->loc);
  tns_node *inside = tns_block (ctx->arena, r->loc);
  tns_partials_declare (&p, tns_int (ctx->arena, 4), block);
  tns_partials_begin (&p, inside);
  tns_block_add (ctx->arena, inside, tns_partials_rename (&p, loop));
  tns_partials_end (&p, inside);
  tns_block_add (ctx->arena, block,
                 tns_loop (ctx->arena, r->loc, chunk, tns_int (ctx->arena, 0),
                           tns_int (ctx->arena, 4), 1, inside));
  tns_partials_combine (&p, block);
  return tns_arena_format (ctx->arena, "%s bytes: %s",
                           answer_expr (ctx, tns_partials_bytes (&p)),
                           body_of (ctx, r, block));
}

/* The box of the first sum of TEXT's loop, and the loop that looks for it.  */
static const char *
found (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_node *loop = r->body->kid[0];
  tns_reduction *sum = &loop->marks.reductions[0];
  if (!tns_found_is_sure (ctx, r, loop, sum))
    return "not sure";
  tns_node *block = tns_block (ctx->arena, r->loc);
  long long most = tns_found_rows (sum);
  tns_block_add (ctx->arena, block, tns_found_look (ctx, r, loop, sum, block));
  return tns_arena_format (ctx->arena, "%lld rows, found %s, from %s: %s", most,
                           answer_bool (sum->found),
                           answer_expr (ctx, sum->offset[0]),
                           body_of (ctx, r, block));
}

/* TEXT as C: its statements, tidied.  */
static const char *
as_c (tns_ctx *ctx, const char *text)
{
  tns_region *r = tns_c99_tidy (ctx, region_of (ctx, text), true);
  tns_c99 *c = tns_c99_begin (ctx, r);
  tns_text words = tns_text_new (ctx->arena);
  c->text = &words;
  tns_c99_mark_taken (c);
  for (int k = 0; k < r->body->n_kids; k++)
    tns_c99_node (c, r->body->kid[k]);
  tns_text_format (&words, "; takes %s", answer_bool (tns_c99_takes (c)));
  return tns_text_chars (&words);
}

/* The value of TEXT's S as an operand of a product, and of a sum.  */
static const char *
operands (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_c99 *c = tns_c99_begin (ctx, r);
  tns_text words = tns_text_new (ctx->arena);
  const tns_expr *value
    = tns_c99_tidy_expr (ctx->arena, answer_node (r, "S")->value);
  c->text = &words;
  tns_c99_expr (c, value, 12);
  tns_text_add (&words, " or ");
  tns_c99_expr (c, value, 0);
  return tns_text_chars (&words);
}

/* TEXT, a long line, broken.  */
static const char *
wrapped (tns_ctx *ctx, const char *text)
{
  tns_text words = tns_text_new (ctx->arena);
  int longest = 0;
  tns_c99_wrap (&words, text);
  for (const char *at = tns_text_chars (&words); *at; at += *at == '\n')
    {
      int length = (int) strcspn (at, "\n");
      longest = length > longest ? length : longest;
      at += length;
    }
  return longest < 81 ? "short lines" : "a long line";
}

/* Whether something in TEXT reads x, and whether its first loop is printed as
   one that threads share.  */
static const char *
asked_of_c (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_c99 *c = tns_c99_begin (ctx, r);
  return tns_arena_format (
    ctx->arena, "x read %s, shared %s",
    answer_bool (
      tns_c99_is_read (ctx->arena, r, r->body, tns_region_find (r, "x"))),
    answer_bool (tns_c99_is_shared (c, r->body->kid[0])));
}

#define I "for i = 0 to n { "

/* BODY with a question for sizes that it does nothing with.  */
static const char *
asked_first (tns_ctx *ctx, const char *body)
{
  tns_region *r = region_of (ctx, body);
  tns_scop *scop = tns_scop_build (ctx, r);
  const char *words = body_of (ctx, r, tns_region_idle (ctx, r, scop)->body);
  tns_scop_free (scop);
  return words;
}

/* BODY as devices share it, or why they do not.  */
static const char *
shared (tns_ctx *ctx, const char *body)
{
  tns_shared share;
  tns_region *r = region_of (ctx, body);
  tns_region *made = tns_region_devices (ctx, r, &share);
  if (share.words)
    return made == r ? share.words : "changed";
  const char *body_text = answer_body (ctx, made, made->body);
  const char *behind = strstr (body_text, "for i");
  return tns_arena_format (
    ctx->arena, "%s to %s, %d more: %s", answer_expr (ctx, share.lo),
    answer_expr (ctx, share.hi), made->n_params - r->n_params, behind);
}

static const answer_row rows[] = {
  { "a loop that devices share", shared, I "x[i] = y[i] * a; }",
    "0 to n, 2 more: for i = first to end { x[i] = y[i] * a; } } }" },
  { "a sum in each iteration", shared,
    I "s = 0.0f64; for j = 0 to 4 { s += z[i][j]; } x[i] = s; }",
    "iterations of the outermost loop depend on each other" },
  { "a number of each iteration", shared,
    I "local f64 t; t = z[i][0]; x[i] = t * t; }",
    "0 to n, 2 more: for i = first to end { local f64 t; t = z[i][0]; x[i] = t "
    "* t; } } }" },
  { "a sum over all", shared, I "s += x[i]; }",
    "iterations of the outermost loop depend on each other" },
  { "what comes from the neighbour", shared,
    "for i = 1 to n { x[i] = x[i - 1]; }",
    "iterations of the outermost loop depend on each other" },
  { "two loops", shared, I "x[i] = a; } for j = 0 to n { y[j] = a; }",
    "no loop is around all" },
  { "bounds that must be computed", shared, "for i = 0 to n - 1 { x[i] = a; }",
    "the bounds of the outermost loop are no numbers" },
  { "sizes that nothing runs with", asked_first,
    "for t = 0 to floordiv(n - 1, 8) + 1 { x[8 * t] = a; }",
    "{ if (n >= 1) { for t = 0 to floordiv(n - 1, 8) + 1 { x[8 * t] = a; } } "
    "} }" },
  { "sizes that are not reckoned with", asked_first,
    "for i = 0 to n { x[i] = a; }", "{ for i = 0 to n { x[i] = a; } } }" },
  { "a sum's cell", cells, I "for j = 0 to n { y[i] += x[j]; } }",
    "y[i]: loaded written always sure when none, innermost yes, parallel no" },
  { "a cell that something else may touch", cells,
    I "for j = 0 to n { y[i] += y[j]; } }",
    "y[i]: loaded written always sure lost not found when none, innermost yes, "
    "parallel no" },
  { "a cell under a condition", cells,
    I "for j = 0 to n { if (x[j] > 0.0f64) { y[i] = x[j]; } } }",
    "y[i]: written lost not found when none, innermost yes, parallel no" },
  { "no cells of threads' loops", cells,
    I "for j = 0 to n parallel { y[i] = x[j]; } }",
    "when none, innermost yes, parallel yes" },
  { "a filter", recurrence, I "S: s = (s + x[i]) * 0.5f64 - y[i]; }",
    "add, by 0.5f64, x[i] * 0.5f64 + -y[i]" },
  { "a sum that may overflow", recurrence, I "S: s = (s + x[i]) * y[i]; }",
    "none" },
  { "a running product", recurrence, I "S: s *= x[i]; }", "mul, by 1, x[i]" },
  { "a square", recurrence, I "S: s = s * s; }", "none" },
  { "looking ahead", lookahead,
    I "s += x[i]; y[i] = s; } for j = n to 0 step -1 { s = s * x[j] + y[j]; }",
    "2" },
  { "sums at the end", lookahead, I "s += x[i]; }", "0" },
  { "other waits", lookahead, I "x[i] = x[i - 2] + s; s += x[i]; }", "0" },
  { "an array has neighbours", neighbours, "S: s = x[0];", "yes" },
  { "a local number has none", neighbours, "local f64 t; S: s = t;", "no" },
  { "lists of loops", made, I "x[i] = a; } for j = 0 to n { x[j] = a; }",
    "1, i yes, j no" },
  { "neighbours in lanes", vector, I "S: y[i] = x[i]; }",
    "x[i]:f64x8, differs yes, unit yes, gathers 0" },
  { "an element in each lane", vector, I "S: y[i] = x[0] * a; }",
    "splat:f64x8(x[0] * a), differs no, unit no, gathers 0" },
  { "elements apart", vector, I "S: y[i] = z[i][1]; }",
    "gather:f64x8(z[iota:i64x8(i)][1]), differs yes, unit no, gathers 0" },
  { "elements by index", vector, I "S: y[i] = x[i64(k[i])]; }",
    "gather:f64x8(x[i64x8(k[i]:i32x8)]), differs yes, unit no, gathers 1" },
  { "a body in lanes", lanes_body, I "y[i] = x[i] * a; }",
    "{ { y[i]:f64x8 = x[i]:f64x8 * splat:f64x8(a); } } }" },
  { "a sum in lanes", lanes_body,
    "for i = 0 to n simd(8) reduce(add: s) { s += x[i]; }",
    "{ local f64x8 acc; acc = splat:f64x8(-0.0f64); { acc = acc + x[i]:f64x8; "
    "} s += reduce_add(acc); } }" },
  { "branches in lanes", lanes_body,
    I "if (x[i] > a) { y[i] = x[i]; } else { y[i] = a; } }",
    "{ { y[i]:f64x8 = (x[i]:f64x8 > splat:f64x8(a) ? x[i]:f64x8 : "
    "splat:f64x8(a)); } } }" },
  { "no lanes of a recurrence", lanes_body, I "l = l * 2 + i64(k[i]); }",
    "refused" },
  { "accumulators", accumulators,
    "for i = 0 to n simd(8) reduce(add: s) { S: s += x[i]; }",
    "1, S into s of 2, reads one no" },
  { "none", accumulators, I "S: y[i] = x[i]; }",
    "0, S into none of 0, reads one no" },
  { "no partial results", partials, I "s += x[i]; }",
    "0 bytes: { for chunk = 0 to 4 { for i = 0 to n { s += x[i]; } } } }" },
  { "partial results", partials,
    "for i = 0 to n parallel chunks(4) reduce(add: s, y[0 : n]) { s += x[i]; "
    "for j = 0 to n { y[j] += x[j]; } }",
    "8 * max(floordiv(n + 7, 8) * 8, 0) bytes: { local f64 s_1[4]; local f64 "
    "y_1[4][floordiv(n + 7, 8) * 8]; for chunk = 0 to 4 { local f64 s_2; s_2 = "
    "0.0f64; for element = 0 to n simd(4) { y_1[chunk][element] = 0.0f64; } "
    "for i = 0 to n parallel chunks(4) reduce(add: s_2, y_1) { s_2 += x[i]; "
    "for j = 0 to n { y_1[chunk][j] += x[j]; } } s_1[chunk] = s_2; } s += "
    "s_1[chunk]; for element = 0 to n simd(4) { y[element] += "
    "y_1[chunk][element]; } } }" },
  { "a box that is looked for", found,
    "for i = 0 to n parallel chunks(16) reduce(add: y) { y[i64(k[i])] += x[i]; "
    "}",
    "16384 rows, found yes, from i64(least): { local i32 least; least = "
    "2147483647i32; local i32 most; most = -2147483648i32; for i = 0 to n "
    "parallel simd(16) chunks(64) reduce(min: least) reduce(max: most) { least "
    "min= k[i]; most max= k[i]; } } }" },
  { "indices that the loop changes", found,
    "for i = 0 to n parallel chunks(16) reduce(add: y) { h[i] = i32(i); "
    "y[i64(h[i])] += x[i]; }",
    "not sure" },
  { "statements of C", as_c, I "x[i] = y[i] * a; s max= x[i]; }",
    "for (long i = 0; i < n; i++) { x[i] = y[i] * a; s[0] = tensor_max_f64 "
    "(s[0], x[i]); } ; takes no" },
  { "a temporary of C", as_c,
    "local f64 t[n] heap; " I "t[i] = y[i]; } " I "x[i] = t[n - 1 - i]; }",
    "for (long i = 0; i < n; i++) t[i] = y[i]; for (long i = 0; i < n; i++) "
    "x[i] = t[n - 1 - i]; ; takes yes" },
  { "an operand of a product", operands, "S: s = x[0] + a;",
    "(x[0] + a) or x[0] + a" },
  { "a product of it", operands, "S: s = x[0] * a;", "x[0] * a or x[0] * a" },
  { "a sum's two signs", operands, "S: l = n + -1;", "(n - 1) or n - 1" },
  { "a long line", wrapped,
    "  total = first_array[first_index] * second_array[second_index] + "
    "third_array[third_index] * fourth_array[fourth_index];\n",
    "short lines" },
  { "what C reads", asked_of_c, "for i = 0 to n parallel { y[i] = x[i]; }",
    "x read yes, shared yes" },
  { "what it does not", asked_of_c, I "x[i] = y[i]; }",
    "x read no, shared no" },
};

MAIN_OF_ANSWERS (rows)
