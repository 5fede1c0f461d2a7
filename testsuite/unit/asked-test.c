/* What files of ir/ are asked about nests and expressions: factors, algebra,
   ends, places, shapes, nests alike, gathered sums, calls.  */

#include <stdio.h>
#include <string.h>

#include "answers.h"
#include "base/text.h"
#include "ir/alike.h"
#include "ir/ends-inside.h"
#include "ir/flat.h"
#include "ir/gather-nest.h"
#include "ir/handed.h"
#include "ir/product.h"
#include "ir/rules.h"
#include "ir/run.h"
#include "ir/walk.h"

/* Iterators of whole numbers and a region whose body TEXT is.  */
static tns_region *
region_of (tns_ctx *ctx, const char *text)
{
  return verdict_region (
    ctx, tns_arena_format (
           ctx->arena,
           "region r { value i64 n; value i64 m; value i32 w; value f64 c; "
           "array f64 x[n]; array f64 y[n]; array f64 X[n][m]; "
           "array f64 q[m]; array i32 k[n]; cell f64 s; cell i64 a; { %s } }",
           text));
}

/* The factors of TEXT, those above and those below.  */
static const char *
factors (tns_ctx *ctx, const char *text)
{
  tns_product p;
  if (!tns_product_split (&p, verdict_expr (ctx, text)))
    return "too many";
  tns_text words = tns_text_new (ctx->arena);
  tns_text_add (&words, p.negative ? "-" : "");
  for (int k = 0; k < p.n; k++)
    {
      p.factor[k].fixed = p.factor[k].expr->op == TNS_SYM;
      tns_text_format (&words, " %c %s", p.factor[k].below ? '/' : '*',
                       answer_expr (ctx, p.factor[k].expr));
    }
  tns_text_format (
    &words, "; fixed %s",
    answer_expr (ctx, tns_product_part (ctx->arena, &p, true, NULL)));
  return tns_text_chars (&words);
}

/* Whether the values of A and B in the region TEXT have the same factors.  */
static const char *
same_factors (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_product a, b;
  tns_product_split (&a, answer_node (r, "A")->value);
  tns_product_split (&b, answer_node (r, "B")->value);
  return answer_bool (tns_product_is_like (&a, &b));
}

/* TEXT, whose operands are simple, simpler.  */
static const char *
simpler (tns_ctx *ctx, const char *text)
{
  tns_rules rules = { .ctx = ctx };
  return answer_expr (ctx, tns_rules_apply (&rules, verdict_expr (ctx, text)));
}

/* The same where floats must stay as they are.  */
static const char *
simpler_strictly (tns_ctx *ctx, const char *text)
{
  ctx->wish.fp = TNS_FP_STRICT;
  return simpler (ctx, text);
}

/* ENDS in words.  */
static const char *
ends_words (tns_ctx *ctx, tns_ends ends)
{
  return tns_arena_format (ctx->arena, "%s .. %s",
                           answer_expr (ctx, ends.least),
                           answer_expr (ctx, ends.most));
}

/* The subscript of what the first statement of the region TEXT stores to.  */
static const char *
ends_of_target (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_ends ends;
  bool found = tns_ends_of (ctx->arena, r, answer_node (r, "S")->target, 0,
                            NULL, NULL, &ends);
  return found ? ends_words (ctx, ends) : "unknown";
}

/* The same over the iterators around it.  */
static const char *
ends_there (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_ends ends;
  bool found = tns_ends_here (ctx->arena, r,
                              answer_node (r, "S")->target->arg[0], &ends);
  return found ? ends_words (ctx, ends) : "unknown";
}

/* The ends of the value of statement S, by the rules' own entrance, combined
   with 3 .. n, and the bounds moved by 5.  */
static const char *
ends_inside (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  ender e = { .arena = ctx->arena, .region = r };
  tns_ends ends;
  if (!tns_ends_find (&e, answer_node (r, "S")->value, &ends))
    return "unknown";
  bool one = tns_ends_are_one (ends);
  tns_ends more = { tns_int (ctx->arena, 3),
                    tns_value (ctx->arena, tns_region_find (r, "n")) };
  if (tns_ends_are_both (ends))
    tns_ends_combine (&e, TNS_MAX, &ends, more);
  tns_ends_apply (&e, TNS_ADD, 5, &ends);
  return tns_arena_format (ctx->arena, "%s, one %s", ends_words (ctx, ends),
                           answer_bool (one));
}

/* A fact in words.  */
static void
note_fact (const tns_fact *fact, void *self)
{
  tns_text *words = self;
  tns_ctx ctx = { .arena = words->arena };
  tns_text_format (words, " [%+lld %s %s]", fact->plus, tns_op_name (fact->op),
                   answer_expr (&ctx, fact->other));
}

/* What is asked at each place.  */
typedef struct visit
{
  tns_text words;
  tns_expr *about;
} visit;

/* Note what is known of it at PLACE, and the way out.  */
static void
note_place (const tns_place *place, void *self)
{
  visit *v = self;
  tns_text_add (&v->words, " @");
  for (const tns_place *p = place; p; p = p->outer)
    tns_text_format (&v->words, "%c", "awi"[p->kind]);
  tns_facts_at (v->words.arena, place, v->about, note_fact, &v->words);
}

/* Where the region TEXT stores to what S does, and what is known of its
   subscript there.  */
static const char *
places (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_expr *target = answer_node (r, "S")->target;
  visit v = { tns_text_new (ctx->arena), target->arg[0] };
  tns_places_of (ctx->arena, r->body, target, note_place, &v);
  return tns_text_chars (&v.words);
}

/* What PLACE's value of the cell a comes from.  */
static void
note_writer (const tns_place *place, void *self)
{
  visit *v = self;
  const tns_place *where;
  const tns_node *node
    = tns_writer_before (v->words.arena, place, v->about->sym, &where);
  tns_text_format (&v->words, " %s", node && node->name ? node->name : "?");
}

/* The same for all that S stores to in TEXT.  */
static const char *
writers (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  visit v = { tns_text_new (ctx->arena),
              tns_cell (ctx->arena, tns_region_find (r, "a")) };
  tns_places_of (ctx->arena, r->body, answer_node (r, "S")->target, note_writer,
                 &v);
  return tns_text_chars (&v.words);
}

/* The shape of x in TEXT, and the subscripts of its first access.  */
static const char *
shape (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  int n;
  tns_shape shape = { 0 };
  const tns_flat_access *access
    = tns_flat_gather (ctx->arena, r, tns_region_find (r, "x"), &n);
  if (!access)
    return "none";
  if (!tns_flat_shape (ctx, access, n, false, &shape))
    return "flat";
  tns_sum sub[TNS_MOST_STRIDES];
  tns_text words = tns_text_new (ctx->arena);
  tns_flat_subscripts (ctx->arena, &shape,
                       tns_flat_sum (ctx->arena, &shape, access[0].sum), sub);
  for (int k = 0; k < shape.n; k++)
    {
      bool exact = true;
      tns_expr *extent
        = k ? tns_flat_extent (ctx->arena, &shape, k, &exact) : NULL;
      tns_text_format (&words, "[%s of %s%s]",
                       answer_expr (ctx, tns_sum_expr (ctx->arena, sub[k])),
                       answer_expr (ctx, extent), exact ? "" : " about");
    }
  return tns_text_chars (&words);
}

/* Whether the first and the last nest of TEXT run alike; then the value of S as
   the last one has it, and whether x, and s, are written on the way.  */
static const char *
alike (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_alike pair
    = { .arena = ctx->arena, .block = r->body, .second = r->body->n_kids - 1 };
  if (!tns_lines_read (&pair.from, r->body->kid[0])
      || !tns_lines_read (&pair.to, r->body->kid[pair.second]))
    return "no lines";
  if (!tns_alike_find (&pair))
    return "no";
  tns_node *s = answer_node (r, "S");
  return tns_arena_format (
    ctx->arena, "%s, moves %s, own %s, writes %s",
    answer_expr (ctx, tns_alike_renamed (&pair, s->value)),
    answer_bool (tns_lines_move (&pair.from, s->value)),
    answer_bool (tns_lines_own (ctx->arena, &pair.from, s->target)),
    answer_bool (tns_alike_write (&pair, tns_region_find (r, "x"))));
}

/* The sums of x that TEXT's loop makes, how far apart, and what is left.  */
static const char *
gathered (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_gathering g
    = { .ctx = ctx, .arena = ctx->arena, .sym = tns_region_find (r, "x") };
  if (!tns_gather_find (&g, r->body->kid[0]))
    return "no";
  tns_text words = tns_text_new (ctx->arena);
  for (int k = 0; k < g.n_sums; k++)
    tns_text_format (&words, "%+lld %s, ", g.sum[k].by[0],
                     answer_expr (ctx, g.sum[k].value));
  tns_node *left = tns_gather_left (&g);
  tns_text_format (
    &words, "from %s to %s, %d left",
    answer_expr (ctx, tns_sum_expr (ctx->arena, tns_gather_lo (&g, 0))),
    answer_expr (ctx, tns_sum_expr (ctx->arena, tns_gather_hi (&g, 0))),
    left ? left->body->n_kids : 0);
  return tns_text_chars (&words);
}

/* What the call in TEXT is handed and writes; x and y are asked about.  */
static const char *
handed (tns_ctx *ctx, const char *text)
{
  tns_region *r = verdict_region (ctx, text);
  const tns_sym *called = tns_region_called (r);
  if (!called)
    return "no call";
  tns_node *node = r->body->kid[r->body->n_kids - 1];
  tns_text words = tns_text_new (ctx->arena);
  tns_text_format (&words, "%s, %s:", called->name,
                   answer_bool (tns_node_is_call (node)));
  for (int k = 0; k < node->value->n_args; k++)
    tns_text_add (&words,
                  tns_argument_is_place (node->value, k) ? " place" : " no");
  for (const char *name = "xy"; *name; name++)
    {
      const char chars[] = { *name, '\0' };
      const tns_sym *sym = tns_region_find (r, chars);
      tns_text_format (&words, ", %s %s %s", chars,
                       answer_bool (tns_node_hands_over (r->body, sym)),
                       answer_bool (tns_call_writes (node->value, sym)));
    }
  return tns_text_chars (&words);
}

/* TEXT, over no symbols, by the interpreter's own entrance; what it counts, or
   its fault.  */
static const char *
run (tns_ctx *ctx, const char *text)
{
  tns_eval_options options = { 0 };
  tns_run run
    = { .arena = ctx->arena, .region = NULL, .options = &options, .budget = 9 };
  if (setjmp (run.out))
    return tns_arena_format (ctx->arena, "fault %d", run.status);
  tns_expr *expr = verdict_expr (ctx, text);
  tns_scalar_value value = tns_run_expr (&run, expr, 0);
  return tns_elem_is_float (expr->type.elem)
           ? tns_arena_format (ctx->arena, "%Lg, %g operations", value.f,
                               run.counts.flops)
           : tns_arena_format (ctx->arena, "%lld", value.s);
}

/* Element TEXT of eight from -2 on, and of those that may be accessed.  */
static const char *
address (tns_ctx *ctx, const char *text)
{
  tns_run run = { .arena = ctx->arena };
  tns_expr *load = verdict_expr (ctx, text);
  char memory[64];
  run.array = TNS_NEW_ARRAY (ctx->arena, tns_storage, 64);
  run.array[load->sym->id] = (tns_storage){ memory, -2, 6, { -1 }, { 1 } };
  if (setjmp (run.out))
    return tns_arena_format (ctx->arena, "fault %d", run.status);
  return tns_arena_format (ctx->arena, "byte %d",
                           (int) (tns_run_address (&run, load, 0) - memory));
}

#define NEST "for i = 0 to n { "

static const answer_row rows[] = {
  { "factors", factors, "D[0] * (-D[i] / y)",
    "- * D[0] * D[i] / y; fixed 1.0f64 / y" },
  { "factors in any order", factors, "-(y / (D[i] * y)) * D[j]",
    "- * y / D[i] / y * D[j]; fixed y / y" },
  { "too many factors", factors,
    "x * x * x * x * x * x * x * x * x * x * x * x * x", "too many" },
  { "the same factors", same_factors,
    "A: s = c * x[0] / y[1]; B: s = x[0] / y[1] * c;", "yes" },
  { "other factors", same_factors,
    "A: s = c * x[0] / y[1]; B: s = y[1] / x[0] * c;", "no" },
  { "a double negation", simpler, "-(-n)", "n" },
  { "what cancels", simpler, "n + m - n", "m" },
  { "nothing to do", simpler, "n + m", "n + m" },
  { "a float times 1", simpler, "y * 1.0f64", "y" },
  { "a float plus 0", simpler, "y + 0.0f64", "y" },
  { "strictly, a float plus 0", simpler_strictly, "y + 0.0f64", "y + 0.0f64" },
  { "ends of a loop", ends_of_target, NEST "S: x[i + 3] = c; }",
    "3 .. n - 1 + 3" },
  { "ends of a triangle", ends_of_target,
    NEST "for j = 0 to i { S: x[i - j] = c; } }", "0 - (n - 1 - 1) .. n - 1" },
  { "ends under a condition", ends_of_target,
    NEST "if (i > 3) { S: x[i - 4] = c; } }", "0 .. n - 1 - 4" },
  { "ends of what nobody knows", ends_of_target, NEST "S: x[i64(k[i])] = c; }",
    "unknown" },
  { "ends over iterators", ends_there,
    NEST "for j = 0 to i { S: x[i - j] = c; } }", "i - j .. i - j" },
  { "ends of the lesser", ends_inside, "S: a = min(n, m);",
    "max(min(n, m), 3) + 5 .. max(min(n, m), n) + 5, one yes" },
  { "ends that are one", ends_inside, "S: a = 4;",
    "9 .. max(4, n) + 5, one yes" },
  { "ends of a quotient", ends_inside, NEST "S: a = i / 4; }",
    "8 .. max((n - 1) / 4, n) + 5, one no" },
  { "ends of a rest", ends_inside, NEST "S: a = i % 4; }",
    "8 .. max(3, n) + 5, one no" },
  { "places of a store", places,
    NEST "if (i + 2 > m && w < 3i32) { S: x[i] = c; } else { "
         "if (i < 7) { } else { x[i] = 1.0f64; } } }",
    "@awaia [+2 gt m] @awawaia [+0 ge 7]" },
  { "what is known is known no more", places,
    "local i64 l; l = m; if (l < 4) { S: x[l] = c; l = 5; x[l] = c; }",
    "@awa [+0 lt 4] @awa" },
  { "a writer before", writers,
    "A: a = 3; S: s = c; if (n > 3) { B: a = 4; s = c; } s = c;", "A B ?" },
  { "a writer of an iteration before", writers,
    NEST "S: s = c; A: a = i; s = c; }", "? A" },
  { "rows", shape, NEST "for j = 0 to m { x[i * m + j] = y[j]; } }",
    "[i of none][j of m]" },
  { "rows from before their borders on", shape,
    NEST "for j = 0 to m { x[i * m + j - 1] = y[j]; } }", "flat" },
  { "what a condition leaves of them", shape,
    NEST "for j = 0 to m { if (!(j < 1 || i < 1)) { x[i * m + j - 1] = y[j]; }"
         " } }",
    "[i of none][j - 1 of m]" },
  { "one loop", shape, NEST "x[i] = y[i]; }", "flat" },
  { "planes", shape,
    NEST "for j = 0 to 8 { for l = 0 to 4 { x[i * 32 + j * 4 + l] = c; } } }",
    "[i of none][j of 8][l of 4]" },
  { "an index of data", shape, NEST "x[i64(k[i]) * m] = c; }",
    "[i64(k[i]) of none][0 of m]" },
  { "nests alike", alike,
    NEST "S: y[i] = x[i] * c; } for j = 0 to n { s += y[j]; }",
    "x[j] * c, moves yes, own yes, writes no" },
  { "another end", alike,
    NEST "S: y[i] = x[i] * c; } for j = 1 to n { s += y[j]; }", "no" },
  { "a store in between", alike,
    NEST "S: y[i] = x[i] * c; } x[0] = c; for j = 0 to n { s += y[j]; }",
    "x[j] * c, moves yes, own yes, writes yes" },
  { "no lines", alike, NEST "if (i > 3) { S: y[i] = c; } } " NEST "s = c; }",
    "no lines" },
  { "gathered sums", gathered,
    "for i = 1 to n - 1 { x[i - 1] += y[i]; x[i + 1] += y[i] * c; a = 3; }",
    "+0 y[i], +2 y[i] * c, from 1 to n - 1, 1 left" },
  { "sums that read each other", gathered,
    "for i = 1 to n - 1 { x[i - 1] += y[i]; x[i + 1] += x[i]; }", "no" },
  { "a call", handed,
    "region r { value i64 n; function f64 f(6) places vpcwcv; "
    "array f64 x[n]; array f64 y[n]; { "
    "y[0] = call f(n, x[2], n, y[0], n, 3); } }",
    "f, yes: no place no place no no, x yes no, y yes yes" },
  { "a call of numbers", handed,
    "region r { value i64 n; function f64 f(1); array f64 x[n]; array f64 "
    "y[n]; "
    "{ y[0] = call f(x[2]); } }",
    "no call" },
  { "a value", run, "3.0f64 * 2.0f64 + 1.0f64", "7, 2 operations" },
  { "a division by zero", run, "7 / (3 - 3)", "fault 3" },
  { "a choice takes one arm", run, "(1 < 2 ? 5 : 7 / 0)", "5" },
  { "an address", address, "D[3]", "byte 24" },
  { "an address below", address, "D[-2]", "byte -16" },
  { "outside", address, "D[6]", "fault 2" },
};

MAIN_OF_ANSWERS (rows)
