/* Regions that files of ir/ and lowering/ write anew: what they make of a
   text, and that it computes the same.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "answers.h"
#include "base/text.h"
#include "ir/copies.h"
#include "ir/divided.h"
#include "ir/exchange.h"
#include "ir/fresh.h"
#include "ir/join.h"
#include "ir/keep.h"
#include "ir/least.h"
#include "ir/owed.h"
#include "ir/retype.h"
#include "ir/swap.h"
#include "ir/verify.h"
#include "ir/walk.h"
#include "lowering/cut-range.h"
#include "lowering/cut.h"
#include "lowering/fma.h"
#include "lowering/jam.h"
#include "lowering/outward.h"
#include "lowering/apart.h"
#include "lowering/entries.h"
#include "lowering/owners.h"
#include "lowering/put-off.h"
#include "lowering/share.h"
#include "lowering/sums.h"
#include "lowering/variants.h"
#include "schedule/machine.h"

#define HEAD                                                                   \
  "region r { value i64 n; value i64 m; array f64 x[n + 9]; "                  \
  "array f64 y[n + 9]; array f64 z[n + 9][n + 9]; array i32 k[n + 9]; "        \
  "cell f64 s; cell i32 l; { "

/* The region whose body TEXT is.  */
static tns_region *
region_of (tns_ctx *ctx, const char *text)
{
  ctx->machine = tns_machine_find ("avx512");
  ctx->flags.contract = true;
  return verdict_region (ctx,
                         tns_arena_format (ctx->arena, "%s%s } }", HEAD, text));
}

/* The body of MADE, after IN was compared with it where it is SAME.  */
static const char *
made_of (tns_ctx *ctx, tns_region *in, tns_region *made)
{
  if (!made)
    return answer_said (ctx);
  if (!tns_region_verify (ctx, made, "the region made"))
    return "not a region";
  for (long long size = 0; size < 40; size += size < 3 ? 1 : 13)
    if (!agree (in, made, size, 7))
      return tns_arena_format (ctx->arena, "differs at %lld", size);
  const char *text = verdict_one_blank (ctx, verdict_region_text (ctx, made));
  const char *body = strstr (text, "cell i32 l;") + strlen ("cell i32 l;");
  return verdict_one_blank (ctx, body);
}

/* IN with BODY.  */
static const char *
with_body (tns_ctx *ctx, tns_region *in, tns_region *like, tns_node *body)
{
  tns_region *made = tns_region_copy (ctx->arena, like);
  made->body = body;
  return made_of (ctx, in, made);
}

/* Loads of x, at the root, become loads of what stands for it.  */
static tns_expr *
change_root (tns_expr *expr, void *self)
{
  tns_ctx *ctx = ((void **) self)[0];
  tns_sym **pair = ((void **) self)[1];
  return expr->op == TNS_LOAD && expr->sym == pair[0]
           ? tns_load (ctx->arena, pair[1], expr->arg)
           : expr;
}

/* The same anywhere in EXPR.  */
static tns_expr *
change_load (tns_expr *expr, void *self)
{
  tns_ctx *ctx = ((void **) self)[0];
  return tns_expr_rebuild (ctx->arena, expr, change_root, self);
}

/* Another symbol in the place of x.  */
static const char *
exchanged (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_sym *old = tns_region_find (r, "x");
  tns_sym made = *old;
  made.name = "wide";
  tns_sym *pair[] = { old, &made };
  void *self[] = { ctx, pair };
  tns_region *out
    = tns_region_exchange (ctx->arena, r, old, &made, change_load, self);
  if (out->syms[old->id] != &made || out->params[2] != &made
      || tns_node_mentions (out->body, old) || r->syms[old->id] != old)
    return "x is still there";
  return made_of (ctx, r, out);
}

/* The body of TEXT, then a copy of it with LOCALs of its own.  */
static const char *
twice (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_region *out = tns_region_copy (ctx->arena, r);
  tns_node *both = tns_block (ctx->arena, r->loc);
  tns_block_add (ctx->arena, both, tns_node_fresh (ctx, out, r->body));
  return with_body (ctx, r, out, both);
}

/* The body of TEXT with y for x.  */
static const char *
renamed (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_sym *to[64] = { NULL };
  to[tns_region_find (r, "x")->id] = tns_region_find (r, "y");
  tns_node *body = tns_node_renamed (ctx->arena, r->body, r->n_syms, to);
  bool gone = !tns_node_mentions (body, tns_region_find (r, "x"));
  return answer_bool (gone && !tns_node_first_name (body)
                      && tns_node_mentions (body, tns_region_find (r, "y")));
}

/* The innermost loop's statements of TEXT joined.  */
static const char *
joined (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_region *out = tns_region_copy (ctx->arena, r);
  tns_node *loop = tns_node_copy (ctx->arena, r->body->kid[0]);
  tns_node *body = tns_block (ctx->arena, r->loc);
  loop->body = tns_block_join (ctx, loop->body);
  tns_block_add (ctx->arena, body, loop);
  return with_body (ctx, r, out, body);
}

/* The same where sums keep their order.  */
static const char *
joined_strictly (tns_ctx *ctx, const char *text)
{
  ctx->wish.fp = TNS_FP_STRICT;
  return joined (ctx, text);
}

/* The visitor: note in SELF, a text, what EXPR divides.  */
static bool
note_divided (tns_expr *expr, void *self)
{
  tns_text *text = self;
  tns_divided d;
  if (tns_expr_divided (text->arena, expr, &d))
    tns_text_format (text, "%s of %s, up to %lld; ",
                     d.rest ? "rest" : "quotient", tns_sym_words (d.iter),
                     d.most);
  return true;
}

/* The visitor of nodes.  */
static bool
note_all_divided (tns_node *node, void *self)
{
  tns_node_exprs (node, note_divided, self);
  return true;
}

/* What is divided in TEXT by sizes, and how much is in all.  */
static const char *
divided (tns_ctx *ctx, const char *text)
{
  tns_text said = tns_text_new (ctx->arena);
  tns_region *r = region_of (ctx, text);
  tns_node_walk (r->body, note_all_divided, &said);
  tns_text_format (&said, "%d in all", tns_divided_count (r));
  return tns_text_chars (&said);
}

/* The guard of TEXT's region whose loops are to have 8 iterations.  */
static const char *
least (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  if (!tns_region_ask_least (ctx, r, 8))
    return r->n_guard ? "no, but a guard" : "no";
  return r->n_guard == 1 ? answer_expr (ctx, r->guard[0]) : "other guards";
}

/* TEXT, a region of f32, in f64.  */
static const char *
wider (tns_ctx *ctx, const char *text)
{
  tns_region *r = verdict_region (ctx, text);
  const char *before = verdict_region_text (ctx, r);
  tns_region *out = tns_region_retype (ctx->arena, r, TNS_F64);
  if (strcmp (before, verdict_region_text (ctx, r)))
    return "REGION has changed";
  return out ? verdict_region_text (ctx, out) : "none";
}

/* The changer: NODE without the question whether to exchange two values.  */
static tns_node *
unasked (tns_node *node, void *self)
{
  tns_node *made = tns_node_unasked_swap (self, node);
  return made ? made : node;
}

/* TEXT with all exchanges done so.  */
static const char *
swap (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_region *made = tns_region_copy (ctx->arena, r);
  made->body
    = tns_node_rebuild (ctx->arena, r->body, unasked, NULL, ctx->arena);
  return made_of (ctx, r, made);
}

/* The changer: a BLOCK whose sums begin with what they are taken from.  */
static tns_node *
begin (tns_node *node, void *self)
{
  return node->kind == TNS_BLOCK ? tns_block_begin_sums (self, node) : node;
}

/* TEXT with all sums that may begin so.  */
static const char *
begin_sums (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_region *made = tns_region_copy (ctx->arena, r);
  made->body = tns_node_rebuild (ctx->arena, r->body, begin, NULL, ctx);
  return made_of (ctx, r, made);
}

static const char *
cut (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_region *out = tns_region_cut (ctx, r);
  return out == r ? "not cut" : made_of (ctx, r, out);
}

/* The same of the loop w, whose condition holds in a range.  */
static const char *
cut_to_range (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_region *made = tns_region_copy (ctx->arena, r);
  tns_node *cut = tns_loop_cut_range (ctx, made, answer_node (r, "w"));
  if (!cut)
    return "not cut";
  tns_node *body = tns_block (ctx->arena, r->loc);
  tns_block_add (ctx->arena, body, cut);
  return with_body (ctx, r, made, body);
}

static const char *
contracted (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  return answer_body (ctx, r, tns_node_fma (ctx, r->body));
}

static const char *
contracted_strictly (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  ctx->wish.fp = TNS_FP_STRICT;
  return tns_node_fma (ctx, r->body) == r->body ? "itself" : "changed";
}

static const char *
outward (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_node *body = tns_node_outward (ctx, r->body);
  return with_body (ctx, r, r, body);
}

static const char *
shared (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_region *out = tns_region_copy (ctx->arena, r);
  return with_body (ctx, r, out, tns_node_share (ctx, out, r->body));
}

static const char *
sums (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  return made_of (ctx, r, tns_region_sums (ctx, r));
}

/* TEXT's first branch where n > 3, else its second statement.  */
static const char *
chosen (tns_ctx *ctx, const char *text)
{
  tns_region *first = region_of (ctx, text);
  tns_region *second = tns_region_copy (ctx->arena, first);
  tns_expr *when = tns_binary (
    ctx->arena, TNS_GT, tns_value (ctx->arena, tns_region_find (first, "n")),
    tns_int (ctx->arena, 3));
  if (tns_region_choose (ctx, NULL, first, second)->body != first->body)
    return "not FIRST alone";
  return made_of (ctx, first, tns_region_choose (ctx, when, first, second));
}

/* Two copies of the body of TEXT's loop: jammed, or one after the other.  */
static const char *
two_copies (tns_ctx *ctx, const char *text,
            tns_node *(*copies) (tns_jam *, tns_node *) )
{
  tns_region *r = region_of (ctx, text);
  tns_region *out = tns_region_copy (ctx->arena, r);
  tns_node *loop = tns_node_copy (ctx->arena, r->body->kid[0]);
  tns_jam jam = tns_jam_along (ctx->arena, out, loop->iter, 2, 1);
  loop->body = copies (&jam, loop->body);
  loop->step = 2;
  tns_node *body = tns_block (ctx->arena, r->loc);
  tns_block_add (ctx->arena, body, loop);
  return with_body (ctx, r, out, body);
}

static const char *
jammed (tns_ctx *ctx, const char *text)
{
  return two_copies (ctx, text, tns_jam_body);
}

static const char *
in_sequence (tns_ctx *ctx, const char *text)
{
  return two_copies (ctx, text, tns_jam_sequence);
}

/* Whether TEXT's first statement changes what its second one stores.  */
static const char *
changes (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  return answer_bool (
    tns_node_changes (r->body->kid[0], r->body->kid[1]->value));
}

/* TEXT's first loop by owner, or else as its second one.  */
static const char *
owned (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_node *made = tns_loop_owned (ctx, r, r->body->kid[0], r->body->kid[1]);
  if (!made)
    return "none";
  tns_node *body = tns_block (ctx->arena, r->loc);
  tns_block_add (ctx->arena, body, made);
  return strstr (answer_body (ctx, r, body), "if (");
}

/* TEXT's first loop apart from its sums, where it is worth threads, else the
   second one.  */
static const char *
apart (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_node *made = tns_loop_apart (ctx, r, r->body->kid[0], r->body->kid[1]);
  if (!made)
    return "none";
  tns_node *body = tns_block (ctx->arena, r->loc);
  tns_block_add (ctx->arena, body, made);
  return strstr (answer_body (ctx, r, body), "if (");
}

/* TEXT with lanes inside of its loops over rows.  */
static const char *
entries (tns_ctx *ctx, const char *text)
{
  tns_region *r = tns_region_entries (ctx, region_of (ctx, text));
  return strstr (answer_body (ctx, r, r->body), "for i");
}

/* The vector code of TEXT's loop, which stores to a row or not, in two.  */
static const char *
put_off (tns_ctx *ctx, const char *text)
{
  tns_region *r = region_of (ctx, text);
  tns_node *loop = r->body->kid[0]->body->kid[0];
  tns_node *first = tns_block (ctx->arena, r->loc);
  tns_node *last = tns_block (ctx->arena, r->loc);
  bool row = tns_body_stores_row (loop, loop->body);
  if (!tns_body_put_off (ctx, r, loop->body, loop->iter,
                         tns_int (ctx->arena, 8), first, last))
    return "no";
  return tns_arena_format (ctx->arena, "row %s, %d first: %s",
                           answer_bool (row), first->n_kids,
                           strstr (answer_body (ctx, r, last), "cell i32 l;")
                             + strlen ("cell i32 l;"));
}

/* A block, its bytes added to those that SELF counts.  */
static void *
get (void *self, size_t bytes)
{
  *(size_t *) self += bytes;
  return malloc (bytes);
}

/* A block comes back.  */
static void
put (void *self, void *block)
{
  (void) self;
  free (block);
}

/* Whether the search for functions to keep takes less than a KB for each of
   400 statements TEXT of a block.  */
static const char *
keeps_small (tns_ctx *ctx, const char *text)
{
  tns_text body = tns_text_new (ctx->arena);
  for (int k = 0; k < 400; k++)
    tns_text_add (&body, text);
  tns_region *region
    = region_of (ctx, tns_arena_format (ctx->arena, "for i = 0 to n { %s }",
                                        tns_text_chars (&body)));
  size_t bytes = 0;
  tns_ctx *counted = tns_ctx_new ((tns_allocator){ get, put, &bytes });
  tns_region_keep (counted, region);
  tns_ctx_free (counted);
  return answer_bool (bytes < 400 * 1024);
}

/* How often the first loop of TEXT runs, and its second iteration.  */
static const char *
copied (tns_ctx *ctx, const char *text)
{
  tns_region *region = region_of (ctx, text);
  tns_node *loop = region->body->kid[0];
  long long trip = tns_loop_constant_trip (loop);
  if (trip == 0)
    return "unknown";
  const char *decided = "";
  if (tns_loop_is_decided (&ctx->wish, loop))
    decided = "decided, ";
  tns_node *copy = tns_loop_copy (ctx->arena, loop, 1);
  return tns_arena_format (
    ctx->arena, "%s%lld: %s", decided, trip,
    strstr (answer_body (ctx, region, copy), "cell i32 l;")
      + strlen ("cell i32 l;"));
}

static const answer_row rows[] = {
  { "an iteration", copied, "for i = 1 to 8 step 3 { A: x[i] = f64(i); }",
    "3: { A_1: x[4] = f64(4); } }" },
  { "an iteration of a loop that counts down", copied,
    "for i = 5 to -1 step -2 { A: x[i] = 1.0f64; }",
    "3: { A_1: x[3] = 1.0f64; } }" },
  { "iterations that nobody can count", copied,
    "for i = 1 to n { A: x[i] = 1.0f64; }", "unknown" },
  { "a long block is searched in little memory", keeps_small,
    "x[m] = y[m] * 2.0f64; ", "yes" },
  { "another symbol", exchanged, "for i = 0 to n { x[i] = x[i + 1] + y[i]; }",
    "{ for i = 0 to n { wide[i] = wide[i + 1] + y[i]; } } }" },
  { "a second copy", twice,
    "S: s = 1.0f64; { local f64 t; T: t = s; s = t + 1.0f64; }",
    "{ { s = 1.0f64; { local f64 t_1; t_1 = s; s = t_1 + 1.0f64; } } } }" },
  { "a copy renamed", renamed, "for i = 0 to n { S: x[i] = x[i] * 2.0f64; }",
    "yes" },
  { "a cell that is read once", joined,
    "for i = 1 to n { local f64 t; t = x[i - 1]; s max= t; s max= x[i]; }",
    "{ for i = 1 to n { s max= max(x[i - 1], x[i]); } } }" },
  { "sums joined", joined, "for i = 1 to n { s += x[i - 1]; s += x[i]; }",
    "{ for i = 1 to n { s += x[i - 1] + x[i]; } } }" },
  { "sums in their order", joined_strictly,
    "for i = 1 to n { s += x[i - 1]; s += x[i]; }",
    "{ for i = 1 to n { s += x[i - 1]; s += x[i]; } } }" },
  { "a cell that is read twice", joined,
    "for i = 1 to n { local f64 t; t = exp(x[i]); y[i] = t; s max= t; }",
    "{ for i = 1 to n { local f64 t; t = exp(x[i]); y[i] = t; s max= t; } } "
    "}" },
  { "a cell whose value changes", joined,
    "for i = 1 to n { local f64 t; t = y[i]; y[i] = 1.0f64; s max= t; }",
    "{ for i = 1 to n { local f64 t; t = y[i]; y[i] = 1.0f64; s max= t; } } "
    "}" },
  { "quotients and rests", divided,
    "for i = 0 to n { x[i] = f64(i / m) + f64(i32(i) % i32(m)); }",
    "quotient of i, up to 9223372036854775807; rest of i, up to 2147483647; "
    "2 in all" },
  { "what else is divided", divided,
    "for i = 0 to n { x[i] = f64(i / 3) + f64(n / m) + f64((i + 1) / m)"
    " + x[i] / y[i]; }",
    "1 in all" },
  { "long enough", least, "for i = 0 to n { x[i] = 0.0f64; }", "n >= 8" },
  { "the loop around a short one", least,
    "for i = 0 to n { for j = 0 to 3 { z[i][j] = 0.0f64; } }", "n >= 8" },
  { "no loop may be long", least, "for i = 0 to 4 { x[i] = 0.0f64; }", "no" },
  { "one loop is long", least,
    "for i = 0 to n { x[i] = 0.0f64; } for j = 0 to 100 { y[j] = 0.0f64; }",
    "n >= 8" },
  { "a wider type", wider,
    "region r { value i64 n; array f32 x[n]; array f32 y[n]; { for i = 0 to n {"
    " y[i] = f32(sin(f64(x[i]))) * 2.0f32; } } }",
    "region r { value i64 n; array f64 x[n]; array f64 y[n]; { for i = 0 to n "
    "{ y[i] = sin(x[i]) * 2.0f64; } } }" },
  { "no wider bits", wider,
    "region r { value i64 n; array f32 x[n]; array i32 y[n]; { for i = 0 to n {"
    " y[i] = bits:i32(x[i]); } } }",
    "none" },
  { "values in order", swap,
    "for i = 0 to n { local f64 a; local f64 b; a = x[i]; b = y[i]; "
    "if (a > b) { local f64 t; t = a; a = b; b = t; } x[i] = a - b; }",
    "{ for i = 0 to n { local f64 a; local f64 b; a = x[i]; b = y[i]; { local "
    "f64 t; t = a; a = min(a, b); b = max(b, t); } x[i] = a - b; } } }" },
  { "values of the caller", swap,
    "for i = 0 to n { if (x[i] > y[i]) { local f64 t; t = x[i]; x[i] = y[i]; "
    "y[i] = t; } }",
    "{ for i = 0 to n { if (x[i] > y[i]) { local f64 t; t = x[i]; x[i] = "
    "y[i]; y[i] = t; } } } }" },
  { "a sum begun", begin_sums,
    "for i = 0 to n { local f64 t; t = 0.0f64; for j = 0 to i { t += y[j]; } "
    "y[i] = x[i] - t; }",
    "{ for i = 0 to n { local f64 t; t = x[i]; for j = 0 to i { t += -y[j]; } "
    "y[i] = t; } } }" },
  { "a sum that is seen", begin_sums,
    "for i = 0 to n { s = 0.0f64; for j = 0 to i { s += y[j]; } "
    "y[i] = x[i] - s; }",
    "{ for i = 0 to n { s = 0.0f64; for j = 0 to i { s += y[j]; } y[i] = "
    "x[i] - s; } } }" },
  { "borders", cut,
    "for j = 0 to n simd(8) { y[j] = x[(j < n - 1 ? j + 1 : n - 1)] "
    "+ x[max(j - 1, 0)]; }",
    "{ for j = 0 to min(1, n) { y[j] = x[(j < n - 1 ? j + 1 : n - 1)] + "
    "x[max(j - 1, 0)]; } for j = 1 to n - 1 simd(8) { y[j] = x[(1bool ? j + 1 "
    ": n - 1)] + x[j - 1]; } for j = max(1, n - 1) to n { y[j] = x[(j < n - 1 "
    "? j + 1 : n - 1)] + x[max(j - 1, 0)]; } } }" },
  { "no borders", cut, "for j = 0 to n simd(8) { y[j] = x[j]; }", "not cut" },
  { "a range", cut_to_range,
    "for w = 0 to n simd(8) { y[w] = (w * 2 + m >= 1 && w * 2 + m < n ? x[w * "
    "2 + m] : 0.0f64); }",
    "{ if (0 < n) { local i64 from; from = min(max(floordiv(-m, 2) + 1, 0), "
    "n); "
    "for w = 0 to from simd(8) { y[w] = (0bool ? ...; } local i64 to; to = "
    "max(min(floordiv(n - m - 1, 2) + 1, n), from); for w = from to to simd(8) "
    "{ y[w] = (1bool ? ...; } for w = to to n simd(8) { y[w] = (0bool ? ..." },
  { "ranges of several conditions", cut_to_range,
    "for w = 0 to n simd(8) { if (w >= m && n > 2) { y[w] = 1.0f64; } "
    "if (w + 1 < n - m && n > 2) { x[w] = y[w + 1]; } }",
    "{ if (0 < n) { local i64 from; from = min(max(m - 1 + 1, 0), n); for w = "
    "0 to from simd(8) { if (w >= m && n > 2) { y[w] = 1.0f64; } if (w + 1 < n "
    "- m && n > 2) { x[w] = y[w + 1]; } } local i64 to; to = max(min(n - m - 2 "
    "+ 1, n), from); if (n > 2) { for w = from to to simd(8) { if (1bool) { "
    "y[w] = 1.0f64; } if (1bool) { x[w] = y[w + 1]; } } } else { for w = from "
    "to to simd(8) { if (n > 2) { y[w] = 1.0f64; } if (n > 2) { x[w] = y[w + "
    "1]; } } } for w = to to n simd(8) { if (w >= m && n > 2) { y[w] = 1.0f64; "
    "} if (w + 1 < n - m && n > 2) { x[w] = y[w + 1]; } } } } }" },
  { "a range and what depends on data", cut_to_range,
    "for w = 0 to n simd(8) { if (w >= m) { y[w] = 1.0f64; } "
    "if (k[w] > 2i32 && w < m + 5) { x[w] = y[w + 1]; } }",
    "{ if (0 < n) { local i64 from; from = min(max(m - 1 + 1, 0), n); for w = "
    "0 to from simd(8) { if (w >= m) { y[w] = 1.0f64; } if (k[w] > 2i32 && w < "
    "m + 5) { x[w] = y[w + 1]; } } local i64 to; to = max(min(m + 4 + 1, n), "
    "from); for w = from to to simd(8) { if (1bool) { y[w] = 1.0f64; } if "
    "(k[w] > 2i32) { x[w] = y[w + 1]; } } for w = to to n simd(8) { if (w >= "
    "m) "
    "{ y[w] = 1.0f64; } if (k[w] > 2i32 && w < m + 5) { x[w] = y[w + 1]; } } } "
    "} }" },
  { "no range", cut_to_range, "for w = 0 to n simd(8) { y[w] = x[w]; }",
    "not cut" },
  { "products that are added", contracted,
    "s += x[0] * y[0]; s = x[1] * y[1] - s; s = s - x[2] * y[2];",
    "... { s = fma(x[0], y[0], s); ..." },
  { "strictly none", contracted_strictly, "s += x[0] * y[0];", "itself" },
  { "a register tile", outward,
    "for h = 0 to n { for i = 0 to 4 unroll(4) { for j = 0 to 8 simd(8) {"
    " z[i][j] += x[h] * y[j]; } } }",
    "{ for i = 0 to 4 unroll(4) { for j = 0 to 8 simd(8) { for h = 0 to n { "
    "z[i][j] += x[h] * y[j]; } } } } }" },
  { "a tile that is not marked", outward,
    "for h = 0 to n { for i = 0 to 4 { for j = 0 to 8 simd(8) {"
    " z[i][j] += x[h] * y[j]; } } }",
    "{ for h = 0 to n { for i = 0 to 4 { for j = 0 to 8 simd(8) { z[i][j] += "
    "x[h] * y[j]; } } } } }" },
  { "a read for two", shared,
    "for j = 0 to n { z[0][j] += x[0] * y[j]; z[1][j] += x[1] * y[j]; }",
    "{ for j = 0 to n { local f64 y_1; y_1 = y[j]; z[0][j] += x[0] * y_1; "
    "z[1][j] += x[1] * y_1; } } }" },
  { "a store in between", shared,
    "for j = 0 to n { x[j] = y[j]; y[j + 1] = y[j + 1] * 2.0f64; "
    "z[1][j] = y[j + 1]; }",
    "{ for j = 0 to n { x[j] = y[j]; local f64 y_1; y_1 = y[j + 1] * 2.0f64; "
    "y[j + 1] = y_1; z[1][j] = y_1; } } }" },
  { "sums of short rows", sums,
    "for h = 0 to n { local f64x8 a; a = splat:f64x8(-0.0f64);"
    " for j = 0 to 8 step 8 { a += z[h][j]:f64x8; } s += reduce_add(a); }",
    "{ local f64x8 a; a = splat:f64x8(-0.0f64); for h = 0 to n { for j = 0 to "
    "8 step 8 { a += z[h][j]:f64x8; } } s += reduce_add(a); } }" },
  { "sums that do not begin with nothing", sums,
    "for h = 0 to n { local f64x8 a; a = splat:f64x8(1.0f64);"
    " for j = 0 to 8 step 8 { a += z[h][j]:f64x8; } s += reduce_add(a); }",
    "{ for h = 0 to n { local f64x8 a; a = splat:f64x8(1.0f64); for j = 0 to 8 "
    "step 8 { a += z[h][j]:f64x8; } s += reduce_add(a); } } }" },
  { "two ways", chosen, "for i = 0 to n { y[i] = x[i]; }",
    "{ if (n > 3) { for i = 0 to n { y[i] = x[i]; } } else { for i = 0 to n { "
    "y[i] = x[i]; } } } }" },
  { "copies side by side", jammed,
    "for i = 0 to 4 { local f64 t; t = x[i]; for j = 0 to n { t += y[j]; }"
    " z[i][0] = t; }",
    "{ for i = 0 to 4 step 2 { local f64 t; local f64 t_1; t = x[i]; t_1 = x[i "
    "+ 1]; for j = 0 to n { t += y[j]; t_1 += y[j]; } z[i][0] = t; z[i + 1][0] "
    "= t_1; } } }" },
  { "copies one by one", in_sequence,
    "for i = 0 to 4 { local f64 t; t = x[i]; y[i] = t; }",
    "{ for i = 0 to 4 step 2 { local f64 t; local f64 t_1; t = x[i]; y[i] = t; "
    "t_1 = x[i + 1]; y[i + 1] = t_1; } } }" },
  { "what changes a value", changes, "x[3] = 1.0f64; s = x[m] + y[2];", "yes" },
  { "what does not", changes, "x[3] = 1.0f64; s = y[m] + f64(m);", "no" },
  { "by owner", owned,
    "for i = 0 to n parallel owners(1) reduce(add: y) { y[i64(k[i])] += "
    "exp(x[i]); }"
    "for i = 0 to n { y[i64(k[i])] += exp(x[i]); }",
    "if (n >= 64 && max(n, 0) * 13 >= 60000) { least = i64(k[0]); most = "
    "least; for sample = 1 to 64 { least min= i64(k[sample * floordiv(n, "
    "64)]); most max= i64(k[sample * floordiv(n, 64)]); } } if (n >= 64 && "
    "max(n, 0) * 13 >= 60000 && most - least >= 250000) { for i = 0 to n "
    "parallel when(1bool) owners(2) owner(mod(floordiv(i64(k[i]), 8), 64)) "
    "reduce(add: y) { y[i64(k[i])] += exp(x[i]); } } else { for i = 0 to n { "
    "y[i64(k[i])] += exp(x[i]); } } } } }" },
  { "apart from sums", apart,
    "for i = 0 to n parallel owners(1) reduce(add: y) { local f64 t; t = x[i];"
    " for j = i64(k[i]) to i64(k[i + 1]) { y[i64(k[j])] += t; z[j][0] = t; } }"
    "for i = 0 to n { y[i] = 0.0f64; }",
    "if (max(n, 0) * 67 >= 60000) { for i = 0 to n parallel { local f64 t_1; "
    "t_1 = x[i]; for j = i64(k[i]) to i64(k[i + 1]) { z[j][0] = t_1; } } for i "
    "= 0 to n { local f64 t_2; t_2 = x[i]; for j = i64(k[i]) to i64(k[i + 1]) "
    "{ "
    "y[i64(k[j])] += t_2; } } } else { for i = 0 to n { y[i] = 0.0f64; } } } "
    "}" },
  { "sums that are read", apart,
    "for i = 0 to n parallel owners(1) reduce(add: y) {"
    " for j = i64(k[i]) to i64(k[i + 1]) { y[i64(k[j])] += 1.0f64;"
    " z[j][0] = y[j]; } }"
    "for i = 0 to n { y[i] = 0.0f64; }",
    "none" },
  { "sums of what is written", apart,
    "for i = 0 to n parallel owners(1) reduce(add: y) {"
    " for j = i64(k[i]) to i64(k[i + 1]) { y[i64(k[j])] += z[j][0];"
    " z[j][0] = 1.0f64; } }"
    "for i = 0 to n { y[i] = 0.0f64; }",
    "none" },
  { "sums alone", apart,
    "for i = 0 to n parallel owners(1) reduce(add: y) {"
    " for j = i64(k[i]) to i64(k[i + 1]) { y[i64(k[j])] += x[i]; } }"
    "for i = 0 to n { y[i] = 0.0f64; }",
    "none" },
  { "lanes in rows", entries,
    "for i = 0 to n { for j = i64(k[i]) to i64(k[i + 1]) {"
    " for q = 0 to m { y[j] += z[i][q]; } } }",
    "for i = 0 to n { for j = i64(k[i]) to i64(k[i + 1]) { if (0 < m) { local "
    "f64 y_1; y_1 = 0.0f64; for q = 0 to m simd(8) reduce(add: y_1) { y_1 += "
    "z[i][q]; } y[j] += y_1; } } } } }" },
  { "no lanes by index", entries,
    "for i = 0 to n { for j = i64(k[i]) to i64(k[i + 1]) {"
    " for q = 0 to m { y[j] += x[i64(k[q])]; } } }",
    "for i = 0 to n { for j = i64(k[i]) to i64(k[i + 1]) { for q = 0 to m { "
    "y[j] += x[i64(k[q])]; } } } } }" },
  { "nobody's", owned,
    "for i = 0 to n parallel owners(1) reduce(add: y) { y[i64(k[i])] += x[i];"
    " y[i] += x[i]; }"
    "for i = 0 to n { y[i64(k[i])] += x[i]; y[i] += x[i]; }",
    "none" },
  { "stores put off", put_off,
    "for h = 0 to n { for i = 0 to 8 step 8 {"
    " z[h][i]:f64x8 = z[h][i + 1]:f64x8 * y[i]:f64x8; } }",
    "row yes, 2 first: { z[h][8]:f64x8 = last; } }" },
  { "nothing that is read is stored", put_off,
    "for h = 0 to n { for i = 0 to 8 step 8 { x[i]:f64x8 = y[i]:f64x8; } }",
    "row no, 0 first: { x[8]:f64x8 = y[8]:f64x8; } }" },
  { "a part that needs what another stored", put_off,
    "for h = 0 to n { for i = 0 to 8 step 8 { x[i]:f64x8 = y[i]:f64x8;"
    " y[i]:f64x8 = x[i]:f64x8; } }",
    "no" },
};

MAIN_OF_ANSWERS (rows)
