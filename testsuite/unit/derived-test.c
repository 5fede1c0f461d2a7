/* What files of autodiff/ write, asked one by one: y is differentiated with
   respect to x.  */

#include <stdio.h>
#include <string.h>

#include "autodiff/back.h"
#include "autodiff/checkpoint.h"
#include "autodiff/clear.h"
#include "autodiff/defer.h"
#include "autodiff/first.h"
#include "autodiff/directions.h"
#include "autodiff/offset.h"
#include "autodiff/partial.h"
#include "autodiff/ranges.h"
#include "autodiff/replace.h"
#include "autodiff/reverse.h"
#include "autodiff/settled.h"
#include "autodiff/sweep.h"
#include "autodiff/taken.h"
#include "autodiff/tangent.h"
#include "autodiff/tapes.h"
#include "autodiff/together.h"
#include "autodiff/touch.h"
#include "base/text.h"
#include "ir/fresh.h"
#include "ir/walk.h"
#include "subject.h"

/* A function's expression is the gradient's.  */
static tns_expr *
as_it_is (void *self, tns_expr *expr)
{
  (void) self;
  return expr;
}

/* The partials of S.  */
static tns_partials
partials_of (subject *s)
{
  subject_add_adjoints (s);
  return (tns_partials){
    .ctx = s->ctx, .region = s->region, .adjoint = s->adjoint, .value = as_it_is
  };
}

/* What the adjoint of S's value, dy[0], adds to others.  */
static const char *
backward (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_partials p = partials_of (&s);
  tns_node *block = tns_block (ctx->arena, s.region->loc);
  tns_expr *zero = tns_int (ctx->arena, 0);
  tns_node *node = answer_node (s.region, "S");
  bool added = tns_partials_add (&p, block, tns_assign_value (ctx->arena, node),
                                 tns_load (ctx->arena, s.dy, &zero));
  tns_partials_settle (block, node);
  return subject_body (&s, added ? block : NULL);
}

/* The tangent of S's value, and where that of its target stands.  */
static const char *
forward (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_partials p = partials_of (&s);
  tns_node *block = tns_block (ctx->arena, s.region->loc);
  const tns_node *node = answer_node (s.region, "S");
  tns_expr *dot = NULL;
  if (!tns_partials_tangent (&p, block, node->value, &dot))
    return subject_end (&s, answer_said (ctx));
  return subject_end (
    &s,
    tns_arena_format (ctx->arena, "%s = %s, varies %s",
                      answer_expr (ctx, tns_partials_place (&p, node->target)),
                      answer_expr (ctx, dot),
                      answer_bool (tns_expr_varies (node->value, s.adjoint))));
}

/* 0 in dy wherever TEXT stores to y.  */
static const char *
cleared (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  subject_add_adjoints (&s);
  tns_node *block = tns_block (ctx->arena, s.region->loc);
  bool done
    = tns_clear_written (ctx->arena, s.view, s.seed[0].sym, s.dy, block);
  return done ? subject_body (&s, block)
              : subject_end (&s, block->n_kids ? "no, but statements" : "no");
}

/* dz set to 0 where TEXT reads z and no adjoint comes of it.  */
static const char *
cleared_idle (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  subject_add_adjoints (&s);
  tns_node *block = tns_block (ctx->arena, s.region->loc);
  bool done = tns_clear_idle (ctx->arena, s.view, s.adjoint, s.seed[1].sym,
                              s.dx, block);
  return done ? subject_body (&s, block) : subject_end (&s, "no");
}

/* TEXT with a copy of x that has its rows from 3 on.  */
static const char *
offset (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_expr **first = TNS_NEW_ARRAY (ctx->arena, tns_expr *, s.region->n_syms);
  first[s.seed[1].sym->id] = tns_int (ctx->arena, 3);
  return subject_body (
    &s, tns_node_offset (ctx, s.region->body, s.region->n_syms, first));
}

/* TEXT with the first sum to y, which was cleared, setting it.  */
static const char *
first_set (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  s.seed[0].clear = true;
  s.seed[0].adjoint = s.region->syms[s.seed[0].sym->id];
  tns_gradient_wish wish = { .n_seeds = 1, .seed = s.seed };
  tns_region *made = tns_region_first (ctx, s.region, &wish);
  return made == s.region ? subject_end (&s, "itself")
                          : subject_body (&s, made->body);
}

/* TEXT's updates of w at the end.  */
static const char *
deferred (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_looking about = { ctx, s.view, s.region, &s.wish };
  return subject_body (
    &s, tns_defer (&about, s.region->body, tns_region_find (s.region, "w")));
}

/* The same where a look may tell how many there are.  */
static const char *
deferred_late (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_looking about = { ctx, s.view, s.region, &s.wish };
  s.wish.looks.may = true;
  return subject_body (
    &s, tns_defer (&about, s.region->body, tns_region_find (s.region, "w")));
}

/* TEXT without the integers that are set once; its arrays may overlap.  */
static const char *
settled (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_region *made = tns_region_settle (ctx, s.region, true);
  return made == s.region ? subject_end (&s, "itself")
                          : subject_body (&s, made->body);
}

/* y += x, then rows 1 to n - 1 of Z = 0.  */
static const char *
swept (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_node *block = tns_block (ctx->arena, s.region->loc);
  tns_sym *z = tns_region_find (s.region, "Z");
  tns_rows rows = { 0 };
  tns_sweep (ctx, s.region, block, tns_region_find (s.region, "y"), TNS_ADD,
             tns_region_find (s.region, "x"), NULL);
  if (tns_rows_of (ctx, &s.flow, z, false, &rows))
    tns_sweep (ctx, s.region, block, z, TNS_NONE, NULL, &rows);
  return subject_body (&s, block);
}

/* TEXT, in which Z is a copy that gets its elements when they are touched;
   then it is added to y.  */
static const char *
touched (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_node *block = tns_block (ctx->arena, s.region->loc);
  tns_sym *copy = tns_region_add_array (ctx->arena, s.region, "Z_copy", TNS_F64,
                                        2, TNS_SYM_LOCAL);
  tns_sym *z = tns_region_find (s.region, "Z");
  tns_rows rows = { 0 };
  tns_rows_of (ctx, &s.flow, z, false, &rows);
  copy->extent = TNS_NEW_ARRAY (ctx->arena, tns_expr *, 2);
  copy->extent[0] = tns_rows_count (ctx, &rows);
  copy->extent[1] = z->extent[1];
  tns_touch touch = { copy, z, NULL, &rows };
  tns_sym **to = TNS_NEW_ARRAY (ctx->arena, tns_sym *, s.region->n_syms + 1);
  to[z->id] = copy;
  tns_node *pass
    = tns_node_renamed (ctx->arena, s.region->body, s.region->n_syms, to);
  tns_touch_begin (ctx, s.region, block, &touch);
  tns_block_add (ctx->arena, block,
                 tns_touch_pass (ctx, s.region, pass, 1, &touch));
  tns_touch_end (ctx, s.region, block, &touch, z, TNS_ADD);
  return subject_body (&s, block);
}

/* TEXT as the rewriting step REWRITE leaves it.  */
static const char *
rewritten (tns_ctx *ctx, const char *text, tns_region *(*rewrite) (subject *s))
{
  subject s = subject_of (ctx, text);
  s.wish.seed = s.seed;
  tns_region *made = rewrite (&s);
  if (made == s.scop->region || made == s.region)
    return subject_end (&s, "itself");
  s.region = made;
  return subject_body (&s, made ? made->body : NULL);
}

static tns_region *
take (subject *s)
{
  return tns_region_taken (s->ctx, s->scop, &s->wish);
}

static const char *
taken (tns_ctx *ctx, const char *text)
{
  return rewritten (ctx, text, take);
}

static tns_region *
join (subject *s)
{
  return tns_region_together (s->ctx, s->region, &s->wish);
}

static const char *
together (tns_ctx *ctx, const char *text)
{
  return rewritten (ctx, text, join);
}

static tns_region *
part (subject *s)
{
  return tns_region_ranges (s->ctx, s->scop, &s->wish);
}

static const char *
ranges (tns_ctx *ctx, const char *text)
{
  return rewritten (ctx, text, part);
}

/* The forward pass of S's function.  */
static tns_node *
tangent_pass (subject *s)
{
  subject_add_adjoints (s);
  tns_tangent t = {
    .ctx = s->ctx, .region = s->region, .view = s->view, .tangent = s->adjoint
  };
  t.through = TNS_NEW_ARRAY (s->ctx->arena, tns_sym *, s->region->n_syms + 1);
  return tns_tangent_build (&t);
}

static const char *
tangent (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  return subject_body (&s, tangent_pass (&s));
}

/* The same along so many directions as m says.  */
static const char *
directions (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_node *pass = tangent_pass (&s);
  s.region->body = pass;
  s.seed[0].adjoint = s.dy;
  s.seed[1].adjoint = s.dx;
  s.wish.forward = true;
  s.wish.directions = tns_value (ctx->arena, tns_region_find (s.region, "m"));
  tns_region *made = tns_region_widen (ctx, s.region, &s.wish);
  s.region = made ? made : s.region;
  return subject_body (&s, made ? made->body : NULL);
}

/* What the backward pass needs of TEXT, of which R's first read is asked for:
   how it gets it, on which tape; whether the last loop may be joined.  */
static const char *
needs (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  int n = s.region->n_syms;
  tns_needs *needs = tns_needs_new (ctx, s.region, &s.flow,
                                    TNS_NEW_ARRAY (ctx->arena, bool, n),
                                    TNS_NEW_ARRAY (ctx->arena, bool, n));
  int r = subject_site (&s, "R");
  tns_expr *load = subject_read (&s, "R");
  tns_needs_read (needs, r, load, NULL);
  tns_needs_outcome (needs, r, answer_node (s.region, "R")->value);
  if (!tns_needs_close (needs))
    return subject_end (&s, answer_said (ctx));
  const tns_need *need = tns_needs_find (needs, r, load);
  tns_text words = tns_text_new (ctx->arena);
  tns_text_format (&words, "%s of %d, slice:", need->taped ? "taped" : "stands",
                   needs->n_tapes);
  for (int k = 0; k < s.view->n_sites; k++)
    if (s.view->site[k].node->name && tns_needs_runs (needs, 0, k))
      tns_text_format (&words, " %s", s.view->site[k].node->name);
  tns_text_format (
    &words, ", outcome %s, read as %s",
    answer_bool (tns_needs_stands (needs, r)),
    answer_expr (ctx, need->taped ? tns_tape_value (needs, r, load) : load));
  const tns_node *found = tns_timeloop_find (needs);
  if (found)
    {
      tns_timeloop loop = tns_timeloop_of (needs, (tns_node *) found);
      tns_text_format (&words, ", over %s, state", found->iter->name);
      for (int k = 0; k < loop.n_state; k++)
        tns_text_format (&words, " %s", loop.state[k]->name);
      tns_text_format (
        &words, ", tape over it %s",
        answer_bool (tns_tape_is_over (needs, needs->tape[0], found)));
    }
  return subject_end (&s, tns_text_chars (&words));
}

/* The backward pass of TEXT, of which so many states are kept as its first
   digit says, 0: all is taped.  */
static const char *
reverse (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text + 1);
  subject_add_adjoints (&s);
  int n = s.region->n_syms;
  const tns_sym *twice = NULL;
  tns_checkpoint_wish checkpoint = { .kept = text[0] - '0' };
  tns_reverse about = { .ctx = ctx,
                        .region = s.region,
                        .flow = &s.flow,
                        .adjoint = s.adjoint,
                        .enters = TNS_NEW_ARRAY (ctx->arena, bool, n + 1),
                        .given = TNS_NEW_ARRAY (ctx->arena, bool, n + 1),
                        .absent = TNS_NEW_ARRAY (ctx->arena, bool, n + 1),
                        .twice = &twice,
                        .checkpoint = &checkpoint };
  tns_node *made = tns_reverse_build (&about);
  return tns_checkpoint_is_asked (&checkpoint) && !checkpoint.has_loop
           ? subject_end (&s, "no time loop")
           : subject_body (&s, made);
}

/* The control around pieces that do nothing, for TEXT's first loop, in two
   states.  */
static const char *
control (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  int n = s.region->n_syms;
  tns_needs *needs = tns_needs_new (ctx, s.region, &s.flow,
                                    TNS_NEW_ARRAY (ctx->arena, bool, n),
                                    TNS_NEW_ARRAY (ctx->arena, bool, n));
  tns_checkpoint_wish wish = { .kept = 2 };
  tns_timeloop loop = { .node = s.region->body->kid[0] };
  tns_node *nothing = tns_block (ctx->arena, s.region->loc);
  tns_pieces pieces = { nothing, nothing, nothing, nothing, nothing, nothing };
  tns_control control = { .ctx = ctx,
                          .region = s.region,
                          .flow = &s.flow,
                          .absent = TNS_NEW_ARRAY (ctx->arena, bool, n + 1),
                          .loop = &loop,
                          .wish = &wish };
  tns_control_begin (&control);
  return tns_needs_close (needs)
           ? subject_body (&s, tns_control_build (&control, needs, &pieces))
           : subject_end (&s, "not closed");
}

/* The derivative of the call S of g, which g_back is that of.  */
static const char *
call (tns_ctx *ctx, const char *text)
{
  static const int of[] = { 0, 1, 1, 3, 3, 1, 1 };
  subject s = subject_of (ctx, text);
  tns_sym *g_back = tns_region_find (s.region, "g_back");
  tns_region_find (s.region, "g")->back = g_back;
  for (int k = 0; k < g_back->rank; k++)
    {
      g_back->argument[k].of = of[k];
      g_back->argument[k].adjoint = k == 3 || k == 5;
    }
  tns_partials p = partials_of (&s);
  int n = s.region->n_syms;
  tns_back back = { &p,
                    tns_needs_new (ctx, s.region, &s.flow,
                                   TNS_NEW_ARRAY (ctx->arena, bool, n),
                                   TNS_NEW_ARRAY (ctx->arena, bool, n)),
                    TNS_NEW_ARRAY (ctx->arena, bool, n), false };
  tns_node *block = tns_block (ctx->arena, s.region->loc);
  bool done = tns_needs_close (back.needs)
              && tns_back_call (&back, block, answer_node (s.region, "S"),
                                subject_site (&s, "S"));
  return subject_body (&s, done ? block : NULL);
}

/* The gradient of TEXT, to the letter.  */
static const char *
gradient (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  s.wish.seed = s.seed;
  tns_region *made = tns_gradient_build (ctx, s.region, &s.wish);
  s.region = made ? made : s.region;
  return subject_body (&s, made ? made->body : NULL);
}

/* The rewriting step of autodiff/replace.h: w is absent.  */
static tns_region *
replace (subject *s)
{
  static tns_wish_name name = { .name = "w" };
  tns_sym *absent[1] = { NULL };
  for (int k = 0; k < s->scop->region->n_syms; k++)
    if (!strcmp (s->scop->region->syms[k]->name, "w"))
      absent[0] = s->scop->region->syms[k];
  s->wish.absent = absent;
  s->wish.n_absent = 1;
  s->wish.recompute = (tns_wish_list){ .n = 1, .names = &name };
  tns_region *made = tns_region_replaced (s->ctx, s->scop, &s->wish);
  s->wish.n_absent = 0;
  return made;
}

/* What TEXT computes in w, in the places where it reads that.  */
static const char *
replaced (tns_ctx *ctx, const char *text)
{
  return rewritten (ctx, text, replace);
}

static const answer_row rows[] = {
  { "of a choice", backward, "S: y[0] = (n > 3 ? x[1] : exp(x[2]));",
    "{ if (n > 3) { dx[1] += dy[0]; } else { dx[2] += dy[0] * exp(x[2]); } } "
    "}" },
  { "of what has no derivative written", backward,
    "S: y[0] = call odd(x[1], c);",
    "derivative: odd has no derivative that could be written down;" },
  { "a tangent", forward, "S: y[0] = x[1] * x[2];",
    "dy[0] = dx[1] * x[2] + dx[2] * x[1], varies yes" },
  { "of a constant", forward, "S: y[0] = f64(n);", "dy[0] = none, varies no" },
  { "what is stored, set to 0", cleared,
    NEST "for j = 0 to m { if (k[j] > 0) { y[j] = Z[i][j]; } } }",
    "{ if (0 < n) { for j = 0 to m { if (k[j] > 0) { dy[j] = 0.0f64; } } } } "
    "}" },
  { "not where data that change say where", cleared,
    NEST "k[i] = i64(x[i]); if (k[i] > 0) { y[i] = 1.0f64; } }", "no" },
  { "what is read, rounded, in an arm", cleared_idle,
    NEST "S: y[i] = (k[i] > 0 ? floor(x[i + 1]) : x[i]); }",
    "{ for i = 0 to n { if (k[i] > 0) { dx[i + 1] = 0.0f64; } } } }" },
  { "a condition on what is read", cleared_idle,
    NEST "if (x[i] > 1.0f64 && x[i + 2] > 1.0f64) { S: y[i] = x[i]; } }",
    "{ for i = 0 to n { dx[i] = 0.0f64; } for i = 0 to n { if (x[i] > 1.0f64) "
    "{ dx[i + 2] = 0.0f64; } } } }" },
  { "not where what is computed chooses", cleared_idle,
    NEST "y[i] = 1.0f64; S: w[i] = (y[i] > 0.0f64 ? floor(x[i]) : x[i]); }",
    "no" },
  { "rows from the third on", offset, NEST "y[i] = x[i + 4] * x[3]; }",
    "{ for i = 0 to n { y[i] = x[i + 1] * x[0]; } } }" },
  { "the first sum sets", first_set,
    NEST "C: y[i] = 0.0f64; } " NEST "S: y[i] -= x[i]; T: y[i] += w[i]; }",
    "{ for i = 0 to n { S: y[i] = -x[i]; T: y[i] += w[i]; } } }" },
  { "not where it sums more than once", first_set,
    NEST "C: y[i] = 0.0f64; } " NEST "for j = 0 to m { S: y[i] += x[j]; } }",
    "itself" },
  { "nor to fewer", first_set,
    NEST
    "C: y[i] = 0.0f64; } for i = 1 to n { S: y[i] += x[i]; } T: y[0] += w[0];",
    "itself" },
  { "nor under a condition", first_set,
    NEST "C: y[i] = 0.0f64; } " NEST
         "if (x[i] > 1.0f64) { S: y[i] += x[i]; } }",
    "itself" },
  { "nor behind others", first_set,
    NEST "C: y[i] = 0.0f64; } T: y[n - 1] += w[0]; " NEST "S: y[i] += x[i]; }",
    "itself" },
  { "updates at the end", deferred, NEST "w[k[i]] += x[i]; }",
    "{ local i64 w_n; local f64 w_value[max(0, n)]; local i64 w_at[max(0, n)]; "
    "w_n = 0; for i = 0 to n { w_at[w_n] = k[i]; w_value[w_n] = x[i]; w_n += "
    "1; } for e = 0 to max(0, n) { if (e < w_n) { w[w_at[e]] += w_value[e]; } "
    "} } }" },
  { "updates, nobody knows how many", deferred,
    NEST "for j = 0 to k[i] { w[k[j]] += x[i]; } }",
    "temporary: the size that the temporary w needs cannot be written down;" },
  { "updates that a look counts", deferred_late,
    NEST "for j = 0 to k[i] { w[k[j]] += x[i]; } }",
    "{ local i64 w_n; local f64 w_value[j_total]; local i64 w_at[j_total]; w_n "
    "= 0; for i = 0 to n { for j = 0 to k[i] { w_at[w_n] = k[j]; w_value[w_n] "
    "= x[i]; w_n += 1; } } for e = 0 to j_total { if (e < w_n) { w[w_at[e]] += "
    "w_value[e]; } } } }" },
  { "an index in its place", settled,
    NEST "local i64 a; a = k[i] + 1; w[a] *= w[a]; }",
    "{ for i = 0 to n { local i64 a; w[k[i] + 1] *= w[k[i] + 1]; } } }" },
  { "not what is set twice", settled,
    NEST "local i64 a; a = k[i]; if (a > 2) { a = 2; } w[a] *= 2.0f64; }",
    "itself" },
  { "nor from what changes", settled,
    NEST "local i64 a; a = k[i]; k[i] = 0; w[a] *= 2.0f64; }", "itself" },
  { "nor what an earlier iteration left", settled,
    "local i64 a; " NEST "w[a] *= 2.0f64; a = k[i]; }", "itself" },
  { "all elements and rows", swept,
    "for i = 1 to n { for j = 0 to m { y[j] = Z[i][j]; } }",
    "{ for e = 0 to n { y[e] += x[e]; } if (n >= 2) { for e_2 = 1 to n - 1 + 1 "
    "{ for e_1 = 0 to m { Z[e_2][e_1] = 0.0f64; } } } } }" },
  { "elements when they are touched", touched,
    NEST "y[i] = 0.0f64; for j = 0 to i { y[i] += Z[i - j][0]; } }",
    "{ local i8 Z_copy_has[max(0, n)][m]; for e_1 = 0 to max(0, n) { for e = 0 "
    "to m { Z_copy_has[e_1][e] = 0i8; } } { for i = 0 to n { y[i] = 0.0f64; "
    "for j = 0 to i { if (Z_copy_has[i - j][0] == 0i8) { Z_copy_has[i - j][0] "
    "= 1i8; Z_copy[i - j][0] = Z[i - j][0]; } y[i] += Z_copy[i - j][0]; } } } "
    "if (n >= 2) { for e_3 = 1 to n - 1 + 1 { for e_2 = 0 to m { if "
    "(Z_copy_has[e_3][e_2] != 0i8) { Z[e_3][e_2] += Z_copy[e_3][e_2]; } } } } "
    "} }" },
  { "the greatest by its place", taken,
    "local f64 t; t = x[0]; " NEST "t max= x[i]; } y[0] = t;",
    "{ local f64 t; t = x[0]; local f64 t_best object; local i32 t_taken "
    "object; local i64 t_at object; { t_best = t; t_taken = 0i32; t_at = 0; } "
    "for i = 0 to n { if (x[i] > t_best) { t_best = x[i]; t_taken = 1i32; t_at "
    "= i; } } { if (t_taken != 0i32) { t = x[t_at]; } } y[0] = t; } }" },
  { "values in the place of an array", replaced,
    NEST "w[i] = sin(x[i]); } for i = 1 to n { y[i] = w[i] * w[i - 1]; }",
    "{ for i = 0 to n { } for i = 1 to n { y[i] = sin(x[i]) * sin(x[i - 1]); } "
    "} }" },
  { "not of what is not all set", replaced,
    "for i = 1 to n { w[i] = sin(x[i]); } " NEST "y[i] = w[i]; }", "itself" },
  { "nor of what changes later", replaced,
    NEST "w[i] = sin(y[i]); } " NEST "y[i] = w[i]; }", "itself" },
  { "nor of a sum", replaced,
    NEST "w[i] = 0.0f64; for j = 0 to n { w[i] += x[j]; } } " NEST
         "y[i] = w[i]; }",
    "itself" },
  { "nothing taken", taken, NEST "y[i] = x[i]; }", "itself" },
  { "loops together", together,
    "local f64 h[n][m]; " NEST
    "for j = 0 to m { h[i][j] = x[i] * x[j]; } } " NEST
    "for j = 0 to m { y[i] += exp(h[i][j]); } }",
    "{ local f64 h[n][m]; for i = 0 to n { { for j = 0 to m { h[i][j] = x[i] * "
    "x[j]; } } { for j = 0 to m { y[i] += exp(h[i][j]); } } } } }" },
  { "not against the direction", together,
    "local f64 h[n][m]; " NEST
    "for j = 0 to m { h[i][j] = x[i] * x[j]; } } " NEST
    "for j = 0 to m { y[i] += exp(h[n - 1 - i][j]); } }",
    "itself" },
  { "live ranges apart", ranges,
    "local f64 h[m]; " NEST "for j = 0 to m { h[j] = x[i]; } "
    "for j = 0 to m { y[i] += h[j]; } }",
    "{ local f64 h[m]; for i = 0 to n { local f64 h_1[m]; for j = 0 to m { "
    "h_1[j] = x[i]; } for j = 0 to m { y[i] += h_1[j]; } } } }" },
  { "the forward pass", tangent,
    NEST "local f64 u; u = x[i] * x[i]; y[i] = sin(u); }",
    "{ for i = 0 to n { local f64 u; local f64 du; du = dx[i] * (2.0f64 * "
    "x[i]); u = x[i] * x[i]; dy[i] = du * cos(u); } } }" },
  { "directions", directions,
    NEST "local f64 u; u = x[i] * 2.0f64; y[i] = sin(u); }",
    "{ for i = 0 to n { local f64 u; local f64 du_1[m]; for d = 0 to m { "
    "du_1[d] = dx[d][i] * 2.0f64; } u = x[i] * 2.0f64; for d_1 = 0 to m { "
    "dy[d_1][i] = du_1[d_1] * cos(u); } } } }" },
  { "what stands", needs, NEST "R: y[i] = x[i] * x[i]; }",
    "stands of 0, slice:, outcome no, read as x[i]" },
  { "what is made again", needs,
    NEST "local f64 u; U: u = sin(x[i]); R: y[i] = u * u; }",
    "stands of 0, slice:, outcome no, read as u" },
  { "what is taped", needs,
    "for t = 0 to m { " NEST "R: x[i] = x[i] * x[i]; } }",
    "taped of 1, slice: R, outcome no, read as x_tape[t][i], over t, state x, "
    "tape over it yes" },
  { "the backward pass", reverse, "0" NEST "y[i] = x[i] * x[i]; }",
    "{ for i = 0 to n { { dx[i] += dy[i] * (2.0f64 * x[i]); } } } }" },
  { "of a sum and what overwrites it", reverse,
    "0" NEST "y[i] += x[i]; } y[0] = 0.0f64;",
    "{ { dy[0] = 0.0f64; } for i = 0 to n { { dx[i] += dy[i]; } } } }" },
  { "states of a loop that has none", reverse, "2" NEST "y[i] = x[i]; }",
    "no time loop" },
  { "the control of two states", control,
    "for t = 0 to m { " NEST "x[i] = x[i] * x[i]; } }",
    "before { local i64 span steers; ... if (sweeps >= 0) {"
    " ... for part = parts - 1 to -1 step -1 { ... from = at * span; ...  "
    "if (part == parts - 1) { } } } else { } } }" },
  { "a call", call, "S: y[0] = call g(n, x[0], n, y[0], n);",
    "{ { dx[0] = call g_back(n, x[0], n, dy[0], n, dx[0], n); } } }" },
  { "a call that finds what counts", call,
    "T: y[0] = 1.0f64; S: y[0] = call g(n, x[0], n, y[0], n);",
    "derivative: what g finds in y has no derivative that could be written "
    "down;" },
  { "a gradient", gradient, NEST "y[i] = sin(x[i]); }",
    "{ for i = 0 to n { S1: dx[i] += dy[i] * cos(x[i]); } } }" },
  { "no gradient", gradient, NEST "y[i] = bits:f64(bits:i64(x[i])); }",
    "derivative: a value taken from bits has no derivative that could be "
    "written down;" },
};

MAIN_OF_ANSWERS (rows)
