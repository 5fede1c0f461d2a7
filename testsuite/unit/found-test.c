/* What files of autodiff/ find out about functions, asked one by one.  */

#include <stdio.h>
#include <string.h>

#include "autodiff/active.h"
#include "autodiff/attained.h"
#include "autodiff/bits.h"
#include "autodiff/entry.h"
#include "autodiff/hull.h"
#include "autodiff/look.h"
#include "autodiff/shift.h"
#include "base/text.h"
#include "ir/fresh.h"
#include "ir/walk.h"
#include "subject.h"

/* Levels and homes of TEXT.  */
static const char *
view (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_text words = tns_text_new (ctx->arena);
  tns_node *loop[9];
  for (int k = 0; k < s.view->n_sites; k++)
    tns_text_format (&words, "%d/%d/%d ", s.view->site[k].level,
                     s.view->site[k].under,
                     tns_view_loops (s.view, k, 0, loop));
  for (int k = 0; k < s.region->n_syms; k++)
    if (tns_sym_is_local (s.region->syms[k]))
      tns_text_format (&words, "%s at %d ", s.region->syms[k]->name,
                       s.view->home[k]);
  int last = s.view->n_levels - 1;
  tns_text_format (&words, "%s %s",
                   answer_bool (tns_view_holds (s.view, 0, last)),
                   answer_bool (tns_view_holds (s.view, last, 0)));
  return subject_end (&s, tns_text_chars (&words));
}

/* The arrays of TEXT that are active, with the cells that cancel left out.  */
static const char *
active (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  s.wish.seed = s.seed;
  bool *found = tns_active (ctx->arena, s.view, &s.wish);
  if (!tns_active_can_be (ctx, s.view, &s.wish))
    return subject_end (&s, answer_said (ctx));
  tns_shifts_cancel (ctx->arena, &s.flow, &s.wish, found);
  tns_text words = tns_text_new (ctx->arena);
  for (int k = 0; k < s.region->n_syms; k++)
    if (found[k])
      tns_text_format (&words, "%s ", s.region->syms[k]->name);
  return subject_end (&s, tns_text_chars (&words));
}

/* The same by way of bits alone, where x varies and all is useful.  */
static const char *
passive (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  int n = s.region->n_syms;
  tns_sym **varied = TNS_NEW_ARRAY (ctx->arena, tns_sym *, n + 1);
  bool *useful = TNS_NEW_ARRAY (ctx->arena, bool, n + 1);
  memset (useful, true, (size_t) n);
  varied[s.seed[1].sym->id] = tns_region_find (s.region, "x");
  bool are = tns_bits_are_passive (ctx, s.view, varied, useful);
  return subject_end (&s, are ? "passive" : answer_said (ctx));
}

/* The hull of the first subscript of what S stores to, whether its ends are
   taken, all between them, and when its loops run.  */
static const char *
hull (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  int site = subject_site (&s, "S");
  tns_expr *sub = answer_node (s.region, "S")->target->arg[0];
  tns_arena *arena = ctx->arena;
  return subject_end (
    &s, tns_arena_format (
          arena, "%s .. %s, ends %s, dense %s, runs %s",
          answer_expr (ctx, tns_hull (arena, s.view, site, sub, false)),
          answer_expr (ctx, tns_hull (arena, s.view, site, sub, true)),
          answer_bool (tns_hull_is_attained (s.view, site, sub)),
          answer_bool (tns_hull_is_dense (arena, s.view, site, sub)),
          answer_expr (ctx, tns_hull_runs (arena, s.view, site))));
}

/* Who may have made, or may destroy, what R reads: statement W; and whether
   all of it was made.  */
static const char *
flow (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  int w = subject_site (&s, "W");
  int r = subject_site (&s, "R");
  const tns_expr *load = subject_read (&s, "R");
  bool apart = false;
  bool reaches = tns_flow_reaches (&s.flow, w, r, load, 1, &apart);
  const char *words = tns_arena_format (
    ctx->arena,
    "earlier %s, later %s, within %s, reaches %s%s, made %s, set %s, lasts %s, "
    "overwrites %s, covers %s",
    answer_bool (tns_flow_earlier (&s.flow, w, r, load)),
    answer_bool (tns_flow_later (&s.flow, w, r, load)),
    answer_bool (tns_flow_within (&s.flow, w, r, load, 1)),
    answer_bool (reaches), apart ? " apart" : "",
    answer_bool (tns_flow_is_made (&s.flow, r, load)),
    answer_bool (tns_flow_is_set (&s.flow, r, load)),
    answer_bool (tns_flow_lasts (&s.flow, w)),
    answer_bool (tns_flow_overwrites (&s.flow, w, w)),
    answer_bool (tns_flow_covers (&s.flow, w, r)));
  return subject_end (&s, words);
}

/* What TEXT reads of what w held before.  */
static const char *
entered (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_entry e = tns_entry_find (&s.flow, tns_region_find (s.region, "w"));
  const char *words = tns_arena_format (
    ctx->arena, "some %s, enters %s, stays %s", answer_bool (e.some),
    answer_bool (e.enters), answer_bool (e.stays));
  return subject_end (&s, words);
}

/* The rows of Z that TEXT touches.  */
static const char *
rows_of_Z (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_rows rows = { 0 };
  if (!tns_rows_of (ctx, &s.flow, tns_region_find (s.region, "Z"), false,
                    &rows))
    return subject_end (&s, "unknown");
  return subject_end (
    &s,
    tns_arena_format (ctx->arena, "%s to %s%s%s, %s rows, when %s",
                      answer_expr (ctx, rows.lo), answer_expr (ctx, rows.hi),
                      rows.sure ? " sure" : "", rows.dense ? " dense" : "",
                      answer_expr (ctx, tns_rows_count (ctx, &rows)),
                      answer_expr (ctx, rows.when)));
}

/* What looks for the rows of w that TEXT touches.  */
static const char *
looked (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_rows rows = { 0 };
  tns_region *made = tns_region_copy (ctx->arena, s.region);
  s.wish.looks.may = true;
  tns_looking about = { ctx, s.view, made, &s.wish };
  if (!tns_look_for (&about, tns_region_find (s.region, "w"), &rows))
    return subject_end (&s, "unknown");
  tns_looks_guard (made, &s.wish.looks);
  s.region = s.wish.looks.region;
  return subject_body (&s, s.region->body);
}

/* What looks for the length of S's loop, and the sum of its lengths.  */
static const char *
span (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  int loop = s.view->site[subject_site (&s, "S")].under;
  tns_region *made = tns_region_copy (ctx->arena, s.region);
  tns_looking about = { ctx, s.view, made, &s.wish };
  s.wish.looks.may = true;
  if (!tns_look_span (&about, loop, false)
      || !tns_look_span (&about, loop, true)
      || tns_look_span (&about, loop, true)
           != tns_look_span (&about, loop, true))
    return subject_end (&s, "unknown");
  s.region = s.wish.looks.region;
  return subject_body (&s, s.region->body);
}

static const answer_row rows[] = {
  { "levels and homes", view,
    "local f64 s; s = 0.0f64; " NEST
    "local f64 u; u = x[i]; if (u > 1.0f64) { s += u; } }",
    "0/-1/0 0/-1/0 1/1/1 1/1/1 1/3/1 s at 0 u at 1 yes no" },
  { "active arrays", active,
    NEST "local f64 t; t = x[i] * 2.0f64; y[i] = t; w[i] = t; }", "x y t" },
  { "not by way of an index", active, NEST "y[i] = f64(i64(x[i])); }", "" },
  { "a maximum that is subtracted", active,
    "local f64 t; local f64 z; t = x[0]; " NEST
    "t max= x[i]; } z = 0.0f64; " NEST
    "z += exp(x[i] - t); } y[0] = log(z) + t;",
    "x y z" },
  { "one that is not", active,
    "local f64 t; local f64 z; t = x[0]; " NEST
    "t max= x[i]; } z = 0.0f64; " NEST "z += exp(x[i] - t); } y[0] = log(z);",
    "x y t z" },
  { "bits of x", active, "y[0] = bits:f64(bits:i64(x[0]) + 1);",
    "derivative: a value taken from bits has no derivative that could be "
    "written down;" },
  { "bits that carry x", passive,
    NEST "k[i] = bits:i64(x[i]); y[i] = f64(k[i]); }",
    "derivative: a value taken from bits has no derivative that could be "
    "written down;" },
  { "bits of what is rounded", passive,
    NEST "k[i] = i64(x[i]); y[i] = bits:f64(k[i]); }", "passive" },
  { "the hull of a loop", hull, NEST "S: x[i] = 0.0f64; }",
    "0 .. n + -1, ends yes, dense yes, runs 0 < n" },
  { "of a sum of iterators", hull,
    NEST "for j = 0 to m { S: w[2 * i + j] = 0.0f64; } }",
    "0 .. (n + -1) * 2 + (m + -1), ends yes, dense no, runs 0 < n && 0 < m" },
  { "of a rest", hull, NEST "S: w[i % 8] = 0.0f64; }",
    "0 .. 7, ends no, dense no, runs 0 < n" },
  { "of a triangle", hull, NEST "for j = 0 to i { S: w[i - j] = 0.0f64; } }",
    "0 - (n + -1 + -1) .. n + -1, ends no, dense no, runs 0 < n && 0 < n + "
    "-1" },
  { "of data", hull, NEST "S: w[k[i]] = 0.0f64; }",
    "none .. none, ends no, dense no, runs 0 < n" },
  { "made before", flow, NEST "W: w[i] = 1.0f64; } " NEST "R: y[i] = w[i]; }",
    "earlier yes, later no, within yes, reaches yes, made yes, set yes, lasts "
    "yes, overwrites no, covers no" },
  { "updated behind", flow,
    NEST "W: w[i] = 1.0f64; } for i = 1 to n { R: w[i] += w[i - 1]; }",
    "earlier yes, later no, within no, reaches yes apart, made yes, set yes, "
    "lasts yes, overwrites no, covers yes" },
  { "made in the iteration before", flow,
    NEST "R: y[i] = w[i]; W: w[i + 1] = 1.0f64; }",
    "earlier yes, later no, within no, reaches yes apart, made no, set no, "
    "lasts yes, overwrites no, covers no" },
  { "destroyed", flow, NEST "R: y[i] = w[i]; } " NEST "W: w[i] = 1.0f64; }",
    "earlier no, later yes, within no, reaches no, made no, set yes, lasts "
    "yes, overwrites no, covers no" },
  { "nothing read", entered, NEST "w[i] = x[i]; }",
    "some no, enters no, stays no" },
  { "read behind its write", entered, NEST "w[i] = x[i]; y[i] = w[i]; }",
    "some yes, enters no, stays no" },
  { "read before its write", entered, NEST "y[i] = w[i]; w[i] = x[i]; }",
    "some yes, enters yes, stays no" },
  { "updated", entered, NEST "w[i] += x[i]; }",
    "some yes, enters yes, stays no" },
  { "read only", entered, NEST "y[i] = w[i]; }",
    "some yes, enters yes, stays yes" },
  { "read somewhere behind a write", entered,
    NEST "w[i] = x[i]; y[i] = w[i * m]; }", "some yes, enters yes, stays yes" },
  { "read in part behind a write", entered,
    NEST "w[i] = 1.0f64; } if (x[0] > 1.0f64) { " NEST "y[i] = w[i + 1]; } }",
    "some yes, enters yes, stays yes" },
  { "read by index behind a write", entered,
    NEST "w[i] = x[i]; y[i] = w[k[i]]; }", "some yes, enters yes, stays yes" },
  { "read by an index within what was written", entered,
    "for j = 0 to 8 { w[j] = x[j]; } " NEST "y[i] = w[k[i] & 7]; }",
    "some yes, enters no, stays no" },
  { "rows", rows_of_Z, "for i = 1 to n { y[i] = Z[i - 1][0]; }",
    "0 to n - 2 + 1 sure, max(0, n - 1) rows, when n >= 2" },
  { "rows under a condition", rows_of_Z,
    NEST "if (i > 2) { y[i] = Z[i - 3][0]; } }",
    "0 to n - 4 + 1 sure, max(0, n - 3) rows, when n >= 4" },
  { "loose rows", rows_of_Z, NEST "for j = 0 to i { y[i] += Z[i - j][0]; } }",
    "1 to n - 1 + 1 sure, max(0, n) rows, when n >= 2" },
  { "rows that data name", rows_of_Z, NEST "y[i] = Z[k[i]][0]; }", "unknown" },
  { "rows that choices read, each said once", rows_of_Z,
    NEST "y[i] = (x[i] > 0.0f64 ? Z[i][0] : Z[i + 1][0]); "
         "Z[i][1] = (x[i] > 1.0f64 ? Z[i + 1][0] : Z[i][0]); }",
    "min((0 < n ? 0 : 2305843009213693951), (0 < n ? 1 : 2305843009213693951)) "
    "to max((0 < n ? n + -1 : -2305843009213693951), (0 < n ? n : "
    "-2305843009213693951)) + 1, max(0, max((0 < n ? n + -1 : "
    "-2305843009213693951), (0 < n ? n : -2305843009213693951)) + 1) rows, "
    "when none" },
  { "rows that a look finds", looked,
    NEST "if (k[i] > 2) { w[k[i]] += x[i]; } }",
    "{ { w_least = 2305843009213693951; w_end = -2305843009213693951; { for i "
    "= 0 to n { if (k[i] > 2) { w_least = min(w_least, k[i]); w_end = "
    "max(w_end, k[i] + 1); } } } if (w_end < w_least) { w_least = 0; w_end = "
    "0; } } } }" },
  { "not among what changes", looked,
    NEST "k[i] = k[i] + 1; w[k[i]] += x[i]; }", "unknown" },
  { "how long loops are that a look finds", span,
    NEST "for j = k[i] to k[i + 1] { S: w[j] += x[i]; } }",
    "{ { j_span = 0; { for i = 0 to n { j_span = max(k[i + 1] - k[i], j_span); "
    "} } } { j_total = 0; { for i = 0 to n { j_total = j_total + max(k[i + 1] "
    "- k[i], 0); } } } } }" },
  { "not where that changes", span,
    NEST "k[i] = k[i] + 1; for j = 0 to k[i] { S: w[j] += x[i]; } }",
    "unknown" },
};

MAIN_OF_ANSWERS (rows)
