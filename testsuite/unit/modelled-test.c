/* What files of poly/ say of regions: polynomials and their sums, numbers of
   points, costs, conditions, live ranges, the builder's answers.  */

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "base/text.h"
#include "ir/walk.h"
#include "poly/count-cost.h"
#include "poly/count-set.h"
#include "poly/guard.h"
#include "poly/idle.h"
#include "poly/never.h"
#include "poly/scan.h"
#include "poly/scop-build.h"
#include "poly/scop-private.h"
#include "poly/webs.h"
#include "poly/when.h"

/* The region whose body TEXT is.  */
static tns_region *
region_of (tns_ctx *ctx, const char *text)
{
  return verdict_region (
    ctx,
    tns_arena_format (ctx->arena,
                      "region r { value i64 n; value i64 m; value u32 u; "
                      "array f64 x[n]; array f64 y[n]; array i32 k[n] const; "
                      "array i64 k64[n]; cell f64 s; "
                      "assume n > 0; { %s } }",
                      text));
}

/* The model of it.  */
static tns_scop *
scop_of (tns_ctx *ctx, const char *text)
{
  return tns_scop_build (ctx, region_of (ctx, text));
}

/* POLY over the variables a, b.  */
static const char *
poly_words (tns_ctx *ctx, tns_poly poly)
{
  if (poly.n < 0)
    return "too large";
  tns_region *r = verdict_region (
    ctx, "region v { value i64 a; value i64 b; value i64 c; {} }");
  tns_expr *value[TNS_POLY_VARS] = { NULL };
  for (int k = 0; k < 3; k++)
    value[k] = tns_value (ctx->arena, r->syms[k]);
  return answer_expr (ctx, tns_poly_expr (ctx->arena, poly, value));
}

/* a (b + 2) / 2 and what TEXT does to it.  */
static const char *
polynomial (tns_ctx *ctx, const char *text)
{
  tns_arena *arena = ctx->arena;
  tns_poly a = tns_poly_var (arena, 0);
  tns_poly b = tns_poly_var (arena, 1);
  tns_poly two = tns_poly_int (arena, 2);
  tns_poly p = tns_poly_scale (
    arena, tns_poly_mul (arena, a, tns_poly_add (arena, b, two)), 1, 2);
  if (!strcmp (text, "substitute"))
    p = tns_poly_substitute (arena, p, 1, tns_poly_scale (arena, a, 2, 1));
  else if (!strcmp (text, "close up"))
    p = tns_poly_close_up (arena, b, 0, 2);
  else if (!strcmp (text, "sum"))
    p = tns_poly_sum (arena, a, 0, tns_poly_int (arena, 0), b);
  else if (!strcmp (text, "no sum"))
    p = tns_poly_sum (arena, p, 0, b,
                      tns_poly_add (arena, b, tns_poly_int (arena, -1)));
  else if (!strcmp (text, "cancel"))
    p = tns_poly_add (arena, p, tns_poly_scale (arena, p, -1, 1));
  else if (!strcmp (text, "equal"))
    return answer_bool (tns_poly_equal (tns_poly_scale (arena, p, 2, 1),
                                        tns_poly_add (arena, p, p))
                        && !tns_poly_equal (p, a));
  else if (!strcmp (text, "large"))
    for (int k = 0; k < 70; k++)
      p = tns_poly_scale (arena, p, 10, 1);
  return poly_words (ctx, p);
}

/* How often TEXT's first statement runs, as its counter says.  */
static const char *
points (tns_ctx *ctx, const char *text)
{
  tns_scop *scop = scop_of (ctx, text);
  tns_counter counter = tns_counter_new (ctx, scop);
  tns_tally tally = tns_tally_new ();
  bool known
    = tns_tally_add (&counter, &tally, 3, isl_set_copy (scop->stmt[0].domain));
  tns_expr *number = known ? tns_tally_finish (&counter, &tally) : NULL;
  const char *words = tns_arena_format (
    ctx->arena, "%s%s", known ? answer_expr (ctx, number) : "unknown",
    known && !tally.exact ? ", at most" : "");
  tns_counter_end (&counter);
  tns_scop_free (scop);
  return words;
}

/* The least m with which TEXT does anything.  */
static const char *
least (tns_ctx *ctx, const char *text)
{
  tns_scop *scop = scop_of (ctx, text);
  const char *words = "no parameter";
  for (int k = 0; k < scop->n_params; k++)
    if (!strcmp (answer_expr (ctx, scop->param[k]), "m"))
      {
        long long m = tns_scop_least (scop, k, TNS_NO_PARAM);
        words
          = m == LLONG_MIN ? "any" : tns_arena_format (ctx->arena, "%lld", m);
      }
  tns_scop_free (scop);
  return words;
}

/* What an instance of TEXT's first statement costs.  */
static const char *
cost (tns_ctx *ctx, const char *text)
{
  tns_scop *scop = scop_of (ctx, text);
  tns_bills bills = tns_cost_of_stmt (ctx, scop, &scop->stmt[0]);
  tns_text words = tns_text_new (ctx->arena);
  for (int k = 0; k < bills.n; k++)
    {
      tns_text_format (&words, "%ld operations, %ld bytes%s; ",
                       bills.bill[k].cost.flops, bills.bill[k].cost.bytes,
                       bills.bill[k].cost.certain ? "" : " perhaps");
      isl_set_free (bills.bill[k].domain);
    }
  const tns_expr *value = scop->stmt[0].node->value;
  if (value)
    tns_text_format (&words, "value %ld", tns_cost_of_expr (value).flops);
  tns_scop_free (scop);
  return tns_text_chars (&words);
}

/* When the last subscript of statement S, a load, names an element.  */
static const char *
when (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  const tns_expr *target = answer_node (r, "S")->target;
  const tns_expr *load = target->arg[0];
  while (load->op == TNS_CAST)
    load = load->arg[0];
  return answer_expr (ctx, tns_when (ctx->arena, r->body, target, load));
}

/* Where elements of k lie that TEXT's x[k[i]] loads, and what is before the
   region then.  */
static const char *
scan (tns_ctx *ctx, const char *text)
{
  tns_scop *scop = scop_of (ctx, text);
  tns_expr *load = answer_node (scop->region, "S")->target->arg[0];
  while (load->op == TNS_CAST)
    load = load->arg[0];
  tns_ends ends;
  bool found = tns_scan_load (ctx, scop, load, NULL, &ends);
  const char *words
    = found ? tns_arena_format (
        ctx->arena, "%s .. %s, pays %s, %s before",
        answer_expr (ctx, ends.least), answer_expr (ctx, ends.most),
        answer_bool (tns_scan_pays (scop)),
        scop->region->before && answer_node (scop->region, "S") ? "loops"
                                                                : "nothing")
            : "unknown";
  tns_scop_free (scop);
  return words;
}

/* Whether k, a list that TEXT reads, is looked at before the region.  */
static const char *
rises (tns_ctx *ctx, const char *text)
{
  tns_scop *scop = scop_of (ctx, text);
  tns_sym *list = tns_region_find (scop->region, "k");
  bool asked = tns_scan_rises (ctx, scop, list);
  bool seen = tns_scan_saw_rise (scop->region, list);
  const char *words = tns_arena_format (
    ctx->arena, "%s, seen %s%s%s", answer_bool (asked), answer_bool (seen),
    scop->region->n_guard ? ", guard " : "",
    scop->region->n_guard ? answer_expr (ctx, scop->region->guard[0]) : "");
  tns_scop_free (scop);
  return words;
}

/* When in time TEXT's statements that touch s are executed.  */
static const char *
order (tns_ctx *ctx, const char *text)
{
  tns_scop *scop = scop_of (ctx, text);
  tns_text words = tns_text_new (ctx->arena);
  int row = 0;
  while (strcmp (scop->array[row].name, "s"))
    row++;
  isl_schedule *tree = tns_scop_tree (scop, row);
  isl_union_map *times = isl_schedule_get_map (tree);
  for (int s = 0; s < scop->n_stmts; s++)
    if (tns_stmt_touches (&scop->stmt[s], row))
      {
        isl_union_map *own = isl_union_map_intersect_domain (
          isl_union_map_copy (times),
          isl_union_set_from_set (
            isl_set_universe (isl_set_get_space (scop->stmt[s].domain))));
        char *said = isl_union_map_to_str (own);
        tns_text_format (&words, "%s; ", said);
        free (said);
        isl_union_map_free (own);
      }
  isl_union_map_free (times);
  isl_schedule_free (tree);
  tns_scop_free (scop);
  return tns_text_chars (&words);
}

/* The webs of s in TEXT, by statement and access, and those from outside.  */
static const char *
webs (tns_ctx *ctx, const char *text)
{
  tns_scop *scop = scop_of (ctx, text);
  tns_web_wish *wish = TNS_NEW_ARRAY (ctx->arena, tns_web_wish, scop->n_arrays);
  int array = 0;
  for (int k = 0; k < scop->n_arrays; k++)
    if (!strcmp (scop->array[k].name, "s"))
      array = k;
  wish[array].part = true;
  tns_webs *found = tns_webs_find (ctx, scop, wish);
  tns_text words = tns_text_new (ctx->arena);
  int outside = tns_web_of (found, found->outside + array);
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      {
        const tns_access *access = &scop->stmt[s].access[a];
        int number = found->first[s] + a;
        if (access->array != array)
          continue;
        bool named = tns_web_stmt (found, number) == &scop->stmt[s]
                     && tns_web_number (found, &scop->stmt[s], access->expr,
                                        access->write)
                          == number;
        int web = tns_web_of (found, number);
        tns_text_format (
          &words, " %s%c:%s%s", scop->stmt[s].name, access->write ? 'w' : 'r',
          web == outside              ? "out"
          : tns_web_stmt (found, web) ? tns_web_stmt (found, web)->name
                                      : "?",
          named ? "" : " misnamed");
      }
  tns_scop_free (scop);
  return tns_text_chars (&words);
}

/* Note that NODE, an IF without statements, must never be executed.  */
static bool
note_never (tns_node *node, void *self)
{
  const tns_remark *remark = self;
  if (node->kind == TNS_IF && node->then->n_kids == 0)
    node->never = remark;
  return true;
}

/* TEXT without its empty IFs, and the guards for that.  */
static const char *
never (tns_ctx *ctx, const char *body)
{
  static const tns_remark remark = { .why = TNS_WHY_CALL, .words = "fail" };
  tns_region *r = region_of (ctx, body);
  tns_node_walk (r->body, note_never, (void *) &remark);
  if (!tns_region_rule_out (ctx, r))
    return answer_said (ctx);
  tns_text words = tns_text_new (ctx->arena);
  for (int k = 0; k < r->n_guard; k++)
    tns_text_format (&words, "%s; ", answer_expr (ctx, r->guard[k]));
  const char *text = verdict_one_blank (ctx, verdict_region_text (ctx, r));
  tns_text_format (&words, "%s", strstr (text, "for i"));
  return tns_text_chars (&words);
}

/* What of TEXT's arrays became private.  */
static const char *
privates (tns_ctx *ctx, const char *text)
{
  tns_scop *scop = tns_scop_privatise (ctx, scop_of (ctx, text));
  tns_text words = tns_text_new (ctx->arena);
  for (int k = 0; k < scop->n_arrays; k++)
    tns_text_format (&words, "%s %d%s, ", scop->array[k].name,
                     scop->array[k].n_private,
                     scop->array[k].dead_after ? "" : " seen");
  tns_text_format (&words, "%d statements", scop->n_stmts);
  tns_scop_free (scop);
  return tns_text_chars (&words);
}

/* s of TEXT's first and last statement made local over one loop, by hand.  */
static const char *
one_range (tns_ctx *ctx, const char *text)
{
  tns_scop *scop = scop_of (ctx, text);
  int *group = TNS_NEW_ARRAY (ctx->arena, int, scop->n_stmts);
  tns_range range = { .ctx = ctx,
                      .scop = scop,
                      .group = group,
                      .alone = true,
                      .first = &scop->stmt[0],
                      .n_common = 1,
                      .n_private = 1 };
  for (int k = 0; k < scop->n_arrays; k++)
    if (!strcmp (scop->array[k].name, "s"))
      range.array = k;
  for (int k = 0; k < scop->n_stmts; k++)
    group[k] = k == 1 ? -1 : 0;
  tns_range_make_local (&range);
  tns_range_add_coordinates (&range);
  tns_text words = tns_text_new (ctx->arena);
  tns_text_format (&words, "%s, %s %s:", range.failed ? "failed" : "made",
                   answer_bool (tns_range_has (&range, 0)),
                   answer_bool (tns_range_has (&range, 1)));
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      if (scop->stmt[s].access[a].array == range.array)
        tns_text_format (
          &words, " %s %d", scop->stmt[s].name,
          (int) isl_map_dim (scop->stmt[s].access[a].map, isl_dim_out));
  tns_scop_free (scop);
  return tns_text_chars (&words);
}

/* What the builder makes of the value of TEXT's statement S, over VALUEs, and
   where it is above 0.  */
static const char *
built (tns_ctx *ctx, const char *text)
{
  tns_scop *scop = scop_of (ctx, text);
  tns_builder b = tns_build_resume (ctx, scop);
  tns_expr *value = answer_node (scop->region, "S")->value;
  isl_pw_aff *affine = tns_build_affine (&b, value);
  tns_expr *positive
    = tns_binary (ctx->arena, TNS_GT, value, tns_int (ctx->arena, 0));
  isl_set *holds = tns_build_cond (&b, positive, false);
  char *set = holds ? isl_set_to_str (holds) : NULL;
  const char *words = tns_arena_format (
    ctx->arena, "%s, invariant %s, %s", affine ? "affine" : "not affine",
    answer_bool (tns_build_invariant (value)), set ? set : "no set");
  isl_pw_aff_free (affine);
  isl_set_free (holds);
  free (set);
  tns_build_end (&b);
  tns_scop_free (scop);
  return words;
}

#define NEST "for i = 0 to n { "

static const answer_row rows[] = {
  { "a product", polynomial, "as it is",
    "(f64(a) * f64(b) + 2.0f64 * f64(a)) / 2.0f64" },
  { "a variable by another", polynomial, "substitute",
    "f64(a) * f64(a) + f64(a)" },
  { "a variable less", polynomial, "close up", "f64(a)" },
  { "a sum", polynomial, "sum", "(f64(b) + f64(b) * f64(b)) / 2.0f64" },
  { "the sum of nothing", polynomial, "no sum", "0.0f64" },
  { "what cancels", polynomial, "cancel", "0.0f64" },
  { "equal polynomials", polynomial, "equal", "yes" },
  { "numbers that do not fit", polynomial, "large", "too large" },
  { "points of a loop", points, NEST "x[i] = 1.0f64; }", "3.0f64 * f64(n)" },
  { "points of a triangle", points, NEST "for j = 0 to i { x[j] = 1.0f64; } }",
    "(3.0f64 * f64(n) * f64(n) - 3.0f64 * f64(n)) / 2.0f64" },
  { "points of a loop that may not run", points,
    "for i = 0 to m { x[i] = 1.0f64; }",
    "(m >= 0 ? 3.0f64 * f64(m) : 0.0f64)" },
  { "points in steps", points, "for i = 0 to n step 3 { x[i] = 1.0f64; }",
    "3.0f64 * f64(floordiv(n - 1, 3)) + 3.0f64" },
  { "the least size", least,
    "for i = 3 to m { A: x[i] = 1.0f64; } for i = 0 to n { for j = 0 to m { B: "
    "y[i] = x[j]; } }",
    "1" },
  { "a statement for any size", least,
    "for i = 3 to m { A: x[i] = 1.0f64; } s = 2.0f64;", "any" },
  { "a loop that never runs", least,
    "for i = 3 to m { if (m < 0) { A: x[i] = 1.0f64; } }", "any" },
  { "a cost", cost, NEST "x[i] = exp(y[i]) * y[i] + s; }",
    "3 operations, 32 bytes; value 3" },
  { "a cost that data decide", cost,
    NEST "if (y[i] > 0.0f64) { x[i] = y[i] * 2.0f64; } }",
    "1 operations, 24 bytes perhaps;" },
  { "a choice by the iterator", cost,
    NEST "x[i] = (i < m ? y[i] * 2.0f64 : 0.0f64); }",
    "0 operations, 8 bytes; 1 operations, 8 bytes; value 1" },
  { "when an index counts", when,
    NEST "if (k[i] >= 0i32 && y[i] > 0.0f64) { S: x[i64(k[i])] += 1.0f64; } }",
    "k[i] >= 0i32" },
  { "always", when, NEST "S: x[i64(k[i])] += 1.0f64; }", "none" },
  { "an element twice", when,
    NEST "if (k[i] >= 0i32) { S: x[i64(k[i])] += 1.0f64; x[i64(k[i])] = "
         "0.0f64; } }",
    "none" },
  { "an index array is looked through", scan,
    NEST "for j = 0 to n { S: x[i64(k[i])] += y[j]; } }",
    "i64(k_least) .. i64(k_most), pays yes, loops before" },
  { "indices that are not known", scan,
    NEST "if (y[i] > 0.0f64) { S: x[i64(k[i64(k[i])])] += y[i]; } }",
    "unknown" },
  { "a list that rises", rises,
    NEST "for j = i64(k[i]) to i64(k[i + 1]) { S: x[j] = y[i]; } }",
    "yes, seen yes, guard k_falls == 0i32" },
  { "a list that is read in steps", rises,
    NEST "for j = i64(k[2 * i]) to 9 { S: x[j] = y[i]; } }", "no, seen no" },
  { "a list that is read perhaps", rises,
    NEST "if (y[i] > 0.0f64) { S: x[i64(k[i])] += y[i]; } }", "no, seen no" },
  { "an order in a loop", order,
    NEST "A: s = y[i]; B: x[i] = 2.0f64; C: y[i] = s; }",
    "[n] -> { A[i0] -> [i0, 0] }; [n] -> { C[i0] -> [i0, 1] };" },
  { "an order of loops", order,
    NEST "A: s = y[i]; } for i = n - 1 to -1 step -1 { for j = 0 to n { B: "
         "x[j] = s; } }",
    "[n] -> { A[i0] -> [0, i0, 0] }; [n] -> { B[i0, i1] -> [1, -i0, i1] };" },
  { "two live ranges", webs,
    NEST "A: s = y[i]; B: x[i] = s; C: s = 2.0f64; D: y[i] = s; }",
    "Aw:A Br:A Cw:C Dr:C" },
  { "a sum from outside", webs, NEST "A: s += y[i]; }", "Ar:out Aw:out" },
  { "a value of the iteration before", webs, NEST "A: x[i] = s; B: s = y[i]; }",
    "Ar:out Bw:out" },
  { "what must never be", never,
    "for i = 0 to n { if (i >= m) { } A: x[i] = y[i]; }",
    "m >= -1152921504606846976 && m <= 1152921504606846976; m >= n; for i = 0 "
    "to n { A: x[i] = y[i]; } } }" },
  { "what nobody knows", never,
    "for i = 0 to n { if (y[i] > 0.0f64) { } A: x[i] = y[i]; }",
    "call: fail;" },
  { "what becomes private", privates, NEST "A: s = y[i]; B: x[i] = s; }",
    "y 0 seen, s 0 seen, x 0 seen, s_1 1, 3 statements" },
  { "what does not", privates, NEST "A: s += y[i]; B: x[i] = s; }",
    "y 0 seen, s 0 seen, x 0 seen, 2 statements" },
  { "a range made local", one_range,
    NEST "A: s = y[i]; B: y[i] = 2.0f64; C: x[i] = s; }",
    "made, yes no: A 1 C 1" },
  { "an affine value", built, "S: k64[0] = 2 * n - m;",
    "affine, invariant yes, [m, n] -> { [] : 2n > m }" },
  { "a product of two values", built, "S: k64[0] = n * m;",
    "affine, invariant yes, [e2] -> { [] : e2 > 0 }" },
  { "a value that data are", built, "S: k64[0] = k64[1] + n;",
    "not affine, invariant no, no set" },
};

MAIN_OF_ANSWERS (rows)
