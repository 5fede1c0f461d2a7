/* What files of schedule/ and driver/ make of models: steps on trees, their
   proofs and weights, boxes, replayed plans, the loops and reports that come
   of them.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "base/text.h"
#include "driver/counts.h"
#include "driver/parts.h"
#include "driver/prepare.h"
#include "driver/tell.h"
#include "driver/reach.h"
#include "ir/verify.h"
#include "ir/walk.h"
#include "lowering/loops.h"
#include "lowering/tasks.h"
#include "schedule/ast.h"
#include "schedule/box.h"
#include "schedule/check.h"
#include "schedule/component.h"
#include "schedule/contract.h"
#include "schedule/contraction.h"
#include "schedule/known.h"
#include "schedule/machine.h"
#include "schedule/misfit.h"
#include "schedule/pack.h"
#include "schedule/turn.h"
#include "schedule/replay.h"
#include "schedule/slab.h"
#include "schedule/step.h"
#include "schedule/weigh-scale.h"
#include "schedule/weigh.h"

/* A region on its way to loops.  */
typedef struct subject
{
  tns_ctx *ctx;
  tns_region *region;
  tns_scop *scop;
  tns_deps *deps;
  tns_planner planner;
} subject;

/* The region whose body TEXT is, up to a "|"; what follows this is another
   text.  */
static subject
subject_of (tns_ctx *ctx, const char *text)
{
  subject s = { .ctx = ctx };
  ctx->machine = tns_machine_find ("avx512");
  ctx->flags.openmp = true;
  s.region = verdict_region (
    ctx, tns_arena_format (
           ctx->arena,
           "region r { value i64 n; array f64 x[n]; array f64 y[n]; array f64 "
           "A[n][n]; array f64 B[n][n]; array f64 C[n][n]; cell f64 c; assume "
           "n > 0; { %.*s } }",
           (int) strcspn (text, "|"), text));
  s.scop = tns_scop_privatise (ctx, tns_scop_build (ctx, s.region));
  s.deps = tns_deps_build (ctx, s.scop);
  s.planner = (tns_planner){ ctx,
                             s.scop,
                             s.deps,
                             ctx->machine,
                             tns_tree_of_scop (ctx, s.scop),
                             tns_text_new (ctx->arena),
                             TNS_NEW_ARRAY (ctx->arena, tns_task, 9),
                             false };
  tns_tree_check (ctx, s.deps, s.planner.tree, NULL);
  return s;
}

/* WORDS, at the end of S.  */
static const char *
ended (subject *s, const char *words)
{
  tns_deps_free (s->deps);
  tns_scop_free (s->scop);
  return words;
}

/* What TEXT says behind its "|".  */
static const char *
behind (const char *text)
{
  const char *bar = strchr (text, '|');
  return bar ? bar + 1 : "";
}

/* The step of TREE that STEP names, one letter and the names of its DIMs.  */
static tns_tree *
step (tns_arena *arena, const tns_tree *tree, const char *step)
{
  static const tns_row row = { .divisor = 1, .constant = 4 };
  static const int apart[] = { 1 };
  const char *const ji[] = { "j", "i" };
  const char *const j[] = { "j" };
  switch (step[0])
    {
    case 'f':
      return tns_step_fuse (arena, tree, 0, 1, strtol (step + 1, NULL, 10));
    case 'e':
      return tns_step_embed (arena, tree, 0, 1, 0);
    case 's':
      return tns_step_sink (arena, tree, 1, 0, &row);
    case 'p':
      return tns_step_split (arena, tree, 0, "i", 0, NULL);
    case 'P':
      return tns_step_split (arena, tree, 0, "i", 1, apart);
    case 't':
      return tns_step_tile (arena, tree, 0, "i", 8);
    case 'd':
      return tns_step_down (arena, tree, 0, "i");
    case 'b':
      return tns_step_below (arena, tree, 0, "i", 1, j);
    case 'o':
      return tns_step_order (arena, tree, 0, 2, ji);
    case 'k':
      return tns_step_skew (arena, tree, 0, "i", 4, 2);
    case 'r':
      return tns_step_reverse (arena, tree, 0, "i");
    case 'x':
      return tns_step_interchange (arena, tree, 0, "i", "j");
    default:
      return tns_step_swap (arena, tree, 0, 1);
    }
}

/* The tree of TEXT after the step behind it, and whether it is legal.  */
static const char *
stepped (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  const tns_dep *broken = NULL;
  tns_text before = tns_text_new (ctx->arena);
  tns_text after = tns_text_new (ctx->arena);
  tns_text words = tns_text_new (ctx->arena);
  tns_tree_print (&before, s.scop, s.planner.tree);
  tns_tree *made = step (ctx->arena, s.planner.tree, behind (text));
  tns_tree_print (&after, s.scop, s.planner.tree);
  if (strcmp (tns_text_chars (&before), tns_text_chars (&after)))
    return ended (&s, "the old tree has changed");
  if (!made)
    return ended (&s, "does not apply");
  if (!tns_tree_check (ctx, s.deps, made, &broken))
    return ended (&s, tns_arena_format (ctx->arena, "breaks: %s",
                                        tns_dep_words (s.deps, broken)));
  tns_tree_print (&words, s.scop, made);
  return ended (&s, tns_text_chars (&words));
}

/* How the tree of TEXT looks from below.  */
static const char *
tree (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_tree *copy = tns_tree_copy (ctx->arena, s.planner.tree);
  tns_tree *dim[TNS_MAX_DEPTH];
  int stmt[9];
  tns_tree_rename (ctx->arena, copy, "i");
  int path = tns_tree_path (copy, 0, dim);
  isl_multi_aff **times = tns_tree_times (s.scop, copy);
  int first = (int) isl_multi_aff_dim (times[0], isl_dim_out);
  tns_times_free (s.scop, times);
  const char *words = tns_arena_format (
    ctx->arena, "depth %d, first %d of %d, path %d, times %d, i %s, has 1 %s",
    tns_tree_depth (copy), tns_tree_first_stmt (copy),
    tns_tree_stmts (copy, stmt), path, first,
    tns_tree_find (copy, 0, "i") ? "there" : "renamed",
    answer_bool (tns_tree_has (dim[0], 1)));
  return ended (&s, words);
}

/* Whether TEXT as written takes longer than with the step behind it.  */
static const char *
weight (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_tree *made = step (ctx->arena, s.planner.tree, behind (text));
  tns_tree_check (ctx, s.deps, made, NULL);
  double written = tns_weigh (ctx, s.scop, ctx->machine, s.planner.tree, false);
  double planned = tns_weigh (ctx, s.scop, ctx->machine, made, false);
  return ended (&s, written > planned   ? "longer"
                    : written < planned ? "shorter"
                    : written > 0       ? "the same"
                                        : "nothing said");
}

/* What moves by itself in TEXT, and how long the first loop is taken to be.  */
static const char *
streams (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_tree *dim[TNS_MAX_DEPTH];
  tns_tree_path (s.planner.tree, 0, dim);
  tns_scale w = tns_scale_of (ctx, s.scop, ctx->machine, s.planner.tree, false);
  tns_scale_homes (&w);
  tns_text words = tns_text_new (ctx->arena);
  for (int k = 0; k < w.n_streams; k++)
    tns_text_format (&words, "%s/%x ", s.scop->array[w.stream[k].array].name,
                     w.stream[k].ways);
  tns_text_format (&words, "%d statements, trip %.0f",
                   tns_scale_members (&w, s.planner.tree).n,
                   tns_scale_trip_at (&w, dim[0], 0));
  return ended (&s, tns_text_chars (&words));
}

/* The box of what the first statement of TEXT touches of array 0, in one
   iteration of its outermost loop.  */
static const char *
box (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_tree *dim[TNS_MAX_DEPTH];
  int n = tns_tree_path (s.planner.tree, 0, dim);
  isl_map *map = tns_box_footprint (s.scop, NULL, 0, 0, dim);
  isl_set *range = isl_map_range (map);
  tns_expr *lo = NULL;
  tns_expr *hi = NULL;
  bool found = tns_box_bounds (s.scop, range, 0, &lo, &hi);
  isl_set *anywhere = isl_set_params (isl_set_copy (range));
  isl_map *prefix = tns_box_prefix (s.scop, 0, n, dim);
  const char *words = tns_arena_format (
    ctx->arena, "%s: %s .. %s, full %s, vanishes %s, product %s, %d dims",
    s.scop->array[0].name, found ? answer_expr (ctx, lo) : "?",
    found ? answer_expr (ctx, hi) : "?", answer_bool (tns_box_is_full (range)),
    answer_bool (tns_box_vanishes (range, anywhere)),
    answer_bool (n > 1 && tns_box_is_product (s.scop, 0, dim[1], dim[0])),
    (int) isl_map_dim (prefix, isl_dim_out));
  isl_set_free (range);
  isl_set_free (anywhere);
  isl_map_free (prefix);
  return ended (&s, words);
}

/* What is remembered of how far the first dependence of TEXT reaches.  */
static const char *
known (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_row row = { .coef = { 3 }, .divisor = 1 };
  tns_row same = row;
  tns_row other = { .coef = { 5 }, .divisor = 1 };
  tns_row_pair pair = { &row, &same };
  tns_row_pair again = { &same, &same };
  tns_row_pair apart = { &same, &other };
  tns_question asked = { 0, 0, NULL, &pair };
  tns_question repeated = { 0, 0, NULL, &again };
  tns_question unasked = { 0, 0, NULL, &apart };
  tns_distance distance = { .lo_known = true, .lo = 3 };
  tns_distance found = { 0 };
  bool early = tns_known_find (s.deps, &asked, &found);
  tns_known_add (ctx->arena, s.deps, &asked, distance);
  row.coef[0] = 7;
  bool late = tns_known_find (s.deps, &repeated, &found);
  return ended (&s, tns_arena_format (
                      ctx->arena, "%s, then %s, %ld, of others %s",
                      answer_bool (early), answer_bool (late), found.lo,
                      answer_bool (tns_known_find (s.deps, &unasked, &found))));
}

/* The contraction at TEXT's last statement.  */
static const char *
contraction (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_contraction c;
  if (!tns_contraction_at (&s.planner, s.scop->n_stmts - 1, &c))
    return ended (&s, "none");
  return ended (&s, tns_arena_format (
                      ctx->arena, "%s, row %s, column %s, %d inner, %d lanes",
                      c.dot     ? "dot"
                      : c.strip ? "strip"
                                : "tile",
                      c.row ? c.row->name : "-",
                      c.column ? c.column->name : "-", c.n_inner, c.lanes));
}

/* The components of the outermost loop of TEXT.  */
static const char *
components (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_components c = tns_components_at (&s.planner, 0, 0, NULL);
  return ended (&s, tns_arena_format (ctx->arena, "%d of %d:%s", c.n_parts, c.n,
                                      tns_components_words (&s.planner, &c)));
}

/* What slabs make of TEXT: their line, and how many loops are cut by them.  */
static const char *
slabs (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_slab slab;
  int n_cut = 0;
  tns_plan *plan = tns_plan_build (ctx, s.scop, s.deps);
  tns_region *made
    = tns_region_slabs (ctx, plan, s.region->body, s.region, &slab);
  if (!made)
    return ended (&s, "none");
  tns_region *again = tns_region_copy (ctx->arena, s.region);
  tns_slab_cut (ctx, again, s.region->body, s.region->body->kid[0], 8, &n_cut);
  return ended (
    &s,
    tns_arena_format (
      ctx->arena, "%s, %swhen %s, %s, %d cut", tns_text_chars (&slab.steps),
      tns_slab_is_given (ctx, s.region) ? "given, " : "",
      slab.when ? answer_expr (ctx, slab.when) : "always",
      tns_region_verify (ctx, made, "slabs") ? made->name : "wrong", n_cut));
}

/* How the accesses of TEXT's last statement move with its innermost loop.  */
static const char *
strides (tns_ctx *ctx, const char *text)
{
  static const char *const words[] = { "fixed", "unit", "short", "far" };
  subject s = subject_of (ctx, text);
  const tns_stmt *stmt = &s.scop->stmt[s.scop->n_stmts - 1];
  tns_text all = tns_text_new (ctx->arena);
  for (int a = 0; a < stmt->n_accesses; a++)
    tns_text_format (
      &all, "%s %s%s ", s.scop->array[stmt->access[a].array].name,
      words[tns_storage_stride (s.scop, stmt, &stmt->access[a],
                                stmt->iter[stmt->n_iters - 1])],
      tns_access_is_operand (&stmt->access[a]) ? " operand" : "");
  tns_text_format (&all, "slow %s", answer_bool (tns_stmt_is_slow (stmt)));
  return ended (&s, tns_text_chars (&all));
}

/* What the lines behind TEXT make of it: its steps, or what is wrong.  */
static const char *
replayed (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  bool found = false;
  ctx->plan_text = tns_arena_format (ctx->arena, "plan r\n%s\n", behind (text));
  bool done = tns_plan_replay (&s.planner, &found);
  return ended (&s, done && found ? tns_text_chars (&s.planner.steps)
                    : found       ? answer_said (ctx)
                                  : "no section");
}

/* Why the line behind TEXT does not apply; one about storage.  */
static const char *
misfit (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  return ended (&s, tns_plan_misfit (&s.planner, behind (text)));
}

static const char *
storage_misfit (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_plan *plan = tns_plan_build (ctx, s.scop, s.deps);
  return ended (&s, tns_storage_misfit (ctx, plan, behind (text)));
}

/* The plan of TEXT with the lines behind it.  */
static tns_plan *
plan_of (subject *s, const char *text)
{
  if (*behind (text))
    s->ctx->plan_text
      = tns_arena_format (s->ctx->arena, "plan r\n%s\n", behind (text));
  return tns_plan_check (s->ctx, tns_plan_build (s->ctx, s->scop, s->deps));
}

/* Where the arrays that are dead after TEXT live.  */
static const char *
buffers (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_plan *plan = plan_of (&s, text);
  if (!plan)
    return ended (&s, answer_said (ctx));
  tns_text words = tns_text_new (ctx->arena);
  plan->n_buffers = plan->n_contracted = 0;
  if (!tns_plan_contract (ctx, plan))
    return ended (&s, answer_said (ctx));
  for (int k = 0; k < plan->n_buffers; k++)
    {
      const tns_buffer *buffer = &plan->buffer[k];
      tns_text_format (&words, "%s in %s:", s.scop->array[buffer->array].name,
                       buffer->dim ? buffer->dim->name : "the region");
      for (int i = 0; i < buffer->n; i++)
        {
          int c = tns_buffer_coordinate (buffer, i);
          tns_text_format (
            &words, " %s",
            buffer->kept[c] ? answer_expr (ctx, buffer->extent[c]) : "-");
        }
    }
  tns_text_format (&words, ", asked %s", answer_bool (tns_plan_is_asked (ctx)));
  return ended (&s, tns_text_chars (&words));
}

/* The loops of TEXT with the lines behind it, and nests side by side.  */
static const char *
loops (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_plan *plan = plan_of (&s, text);
  tns_region *made
    = plan ? tns_region_tasks (ctx, plan, tns_loops (ctx, plan)) : NULL;
  if (!made)
    return ended (&s, answer_said (ctx));
  const char *body
    = strstr (verdict_region_text (ctx, made), "assume n > 0;\n") + 14;
  return ended (&s, verdict_one_blank (ctx, body));
}

/* The tree that isl makes of TEXT's: what stands at its root, and that no
   parameter of it is a coordinate.  */
static const char *
ast (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_plan *plan = plan_of (&s, text);
  tns_home home = tns_ast_root (plan);
  isl_ast_node *node = tns_ast_of_home (plan, &home);
  isl_id *id = isl_id_alloc (s.scop->isl, "other", NULL);
  const char *words = tns_arena_format (
    ctx->arena, "%d homes, %s, coordinate %s", home.n,
    !node                                                ? "none"
    : isl_ast_node_get_type (node) == isl_ast_node_block ? "block"
    : isl_ast_node_get_type (node) == isl_ast_node_mark  ? "mark"
                                                         : "other",
    tns_ast_coordinate (id) ? "yes" : "no");
  isl_id_free (id);
  isl_ast_node_free (node);
  isl_set_free (home.context);
  return ended (&s, words);
}

/* The operands of TEXT's plan that a pack may suit, and what is packed.  */
static const char *
packs (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_plan *plan = plan_of (&s, text);
  tns_operand operand[TNS_MOST_OPERANDS + 1];
  tns_packing packing = { 0 };
  tns_text words = tns_text_new (ctx->arena);
  int n = tns_plan_operands (plan, operand);
  if (tns_plan_turned (plan, 0, &operand[n]))
    tns_text_format (&words, "%s turned, ", operand[n].column->name);
  for (int k = 0; k < n; k++)
    tns_text_format (&words, "%s along %s, ",
                     answer_expr (ctx, operand[k].access),
                     operand[k].column->name);
  tns_region *made
    = tns_region_pack (ctx, plan, s.region->body, s.scop->region, &packing);
  tns_text_format (&words, "%d packed %s", made ? packing.n : 0,
                   made ? tns_text_chars (&packing.steps) : "");
  return ended (&s, tns_text_chars (&words));
}

/* The report's numbers of TEXT with the lines behind it.  */
static const char *
counts (tns_ctx *ctx, const char *text)
{
  subject s = subject_of (ctx, text);
  tns_plan *plan = plan_of (&s, text);
  tns_made made = { 0 };
  tns_result result = { .in = s.region };
  tns_region *loops = tns_loops (ctx, plan);
  tns_variant variant = { s.scop, s.deps, plan, loops, loops, &made };
  result.out = result.scheduled = loops;
  tns_fill_counts (ctx, &result, &variant);
  static tns_wish_name simd = { .name = "simd" };
  ctx->wish.require = (tns_wish_list){ .asked = true, .n = 1, .names = &simd };
  bool met = tns_required_made (ctx, &made);
  return ended (&s, tns_arena_format (
                      ctx->arena, "%d loops became %d, contracted %d, lanes %s",
                      result.loops_before, result.loops_after,
                      result.contracted, met ? "made" : answer_said (ctx)));
}

/* What the parts of TEXT, a region, become.  */
static const char *
parts (tns_ctx *ctx, const char *text)
{
  ctx->machine = tns_machine_find ("avx512");
  tns_region *r = verdict_region (ctx, text);
  if (!tns_region_is_steered (r))
    return "no parts";
  tns_result result = { .in = r };
  tns_pipeline_parts (ctx, r, &result);
  return tns_arena_format (
    ctx->arena, "status %d, %d loops before, %d in lanes, itself a part %s",
    result.status, result.loops_before, result.simd_loops,
    answer_bool (tns_region_is_part (r)));
}

/* TEXT, a region, as it is modelled, how often a stage was told, and whether
   time has passed.  */
static const char *
prepared (tns_ctx *ctx, const char *text)
{
  char *told = NULL;
  size_t length = 0;
  tns_text steps = tns_text_new (ctx->arena);
  double begin = tns_milliseconds ();
  tns_region *r = verdict_region (ctx, text);
  ctx->dump = open_memstream (&told, &length);
  ctx->dump_stages = "simplify,unroll,plan,time";
  r = tns_prepare (ctx, tns_prepare_shapes (ctx, r), &steps);
  tns_tell_plan (ctx, NULL);
  tns_tell_time (ctx, "end");
  fclose (ctx->dump);
  ctx->dump = NULL;
  const char *words = tns_arena_format (
    ctx->arena, "%s told simplify %s, plan %s, end %s, back %s",
    verdict_one_blank (ctx, verdict_region_text (ctx, r)),
    answer_bool (strstr (told, ";; stage simplify, region r")),
    answer_bool (strstr (told, "plan r")),
    answer_bool (strstr (told, ";; time of end: ")),
    answer_bool (tns_milliseconds () < begin));
  free (told);
  return words;
}

/* What is stored of how far x, row 1 of TEXT's parameters, reaches; TEXT itself
   can be run as it is.  */
static const char *
reach (tns_ctx *ctx, const char *text)
{
  tns_sym *row = NULL;
  tns_region *r = verdict_region (
    ctx, tns_arena_format (ctx->arena,
                           "region r { value i64 n; array f64 x[n][3]; array "
                           "i64 k[n]; array f64 y[n]; { %s } }",
                           text));
  tns_region *made = tns_region_reach (ctx, r, &row);
  if (!made || !tns_primal (ctx, r))
    return answer_said (ctx);
  tns_text words = tns_text_new (ctx->arena);
  for (int k = 0; k < made->body->n_kids; k++)
    {
      const tns_node *node = made->body->kid[k];
      long long at;
      long long column;
      if (node->kind == TNS_ASSIGN && node->target->sym == row
          && tns_expr_is_int (node->target->arg[0], &at) && at == 1
          && tns_expr_is_int (node->target->arg[1], &column) && column < 3)
        tns_text_format (&words, "%s, ", answer_expr (ctx, node->value));
    }
  return tns_text_chars (&words);
}

#define I     "for i = 0 to n { "
#define IJ    I "for j = 0 to n { "
#define TWO   I "S: x[i] = y[i]; } for k = 0 to n { T: c += x[k]; }"
#define THREE IJ "S: A[i][j] = B[j][i]; } }"

static const answer_row rows[] = {
  { "fused", stepped, TWO "|f0", "dim i reduction seq leaf S leaf T" },
  { "fused an iteration later", stepped, TWO "|f1",
    "dim i ordered seq leaf S leaf T" },
  { "fused an iteration too early", stepped, TWO "|f-1",
    "breaks: x[i] written by S (line 1) is read by T (line 1)" },
  { "embedded", stepped,
    "S: x[0] = 0.0f64; for k = 0 to n { T: x[0] += y[k]; }|e",
    "dim k ordered seq leaf S leaf T" },
  { "sunk", stepped, "for k = 0 to n { S: y[k] = 1.0f64; } T: c = y[4];|s",
    "dim k free seq leaf S leaf T" },
  { "split", stepped, I "S: x[i] = 1.0f64; T: y[i] = x[i]; }|p",
    "seq dim i free leaf S dim i free leaf T" },
  { "split against the order", stepped,
    I "S: x[i] = y[i]; T: y[i + 1] = x[i]; }|p",
    "breaks: y[i + 1] written by T (line 1) is read by S (line 1) in a later "
    "iteration of i" },
  { "split apart", stepped, I "S: x[i] = 1.0f64; T: y[i] = x[i]; }|P",
    "seq dim i free leaf S dim i free leaf T" },
  { "tiled", stepped, THREE "|t",
    "dim i.0 free dim i.1 free dim j free leaf S" },
  { "moved down", stepped, THREE "|d", "dim j free dim i free leaf S" },
  { "moved below", stepped, THREE "|b", "dim j free dim i free leaf S" },
  { "in another order", stepped, THREE "|o", "dim j free dim i free leaf S" },
  { "skewed", stepped, THREE "|k",
    "dim i.0 free dim j free dim i.1 free leaf S" },
  { "reversed", stepped, THREE "|r", "dim i free dim j free leaf S" },
  { "reversed against the order", stepped, I "S: x[i + 1] = x[i]; }|r",
    "breaks: x[i + 1] written by S (line 1) is read by S (line 1) in a later "
    "iteration of i" },
  { "interchanged", stepped, THREE "|x", "dim j free dim i free leaf S" },
  { "interchanged where it is alone", stepped, I "S: x[i] = 1.0f64; }|x",
    "does not apply" },
  { "swapped", stepped,
    I "S: x[i] = 1.0f64; } for k = 0 to n { T: y[k] = 1.0f64; }|w",
    "seq dim k free leaf T dim i free leaf S" },
  { "a tree from below", tree, IJ "S: A[i][j] = x[j]; } T: y[i] = 0.0f64; }",
    "depth 2, first 0 of 2, path 2, times 5, i renamed, has 1 yes" },
  { "rows before columns", weight, IJ "S: A[j][i] = B[j][i]; } }|x", "longer" },
  { "columns before rows", weight, IJ "S: A[i][j] = B[i][j]; } }|x",
    "shorter" },
  { "a box", box, IJ "S: A[i][j] = 1.0f64; } }",
    "A: 0 .. n - 1, full yes, vanishes yes, product yes, 2 dims" },
  { "a box with gaps", box, "for i = 0 to n / 2 { S: x[2 * i] = 1.0f64; }",
    "x: 0 .. floordiv(n, 2) * 2 - 2, full no, vanishes yes, product no, 1 "
    "dims" },
  { "a triangle's box", box, I "for j = 0 to i { S: A[j][i] = 1.0f64; } }",
    "A: 0 .. n - 2, full no, vanishes yes, product no, 2 dims" },
  { "what is remembered", known, I "S: x[i + 1] = x[i]; }",
    "no, then yes, 3, of others no" },
  { "one way to go through an array", streams,
    IJ "S: A[i][j] = A[i][j] + B[i][j]; } }",
    "A/0 B/0 1 statements, trip 1000" },
  { "several ways in one statement", streams,
    IJ "S: A[i][j] = A[i][0] + B[i][j]; } }",
    "A/1 B/0 A/3 1 statements, trip 1000" },
  { "a product", contraction,
    IJ "for k = 0 to n { S: C[i][j] += A[i][k] * B[k][j]; } } }",
    "tile, row i, column j, 1 inner, 8 lanes" },
  { "rows times a column", contraction, IJ "S: y[i] += A[i][j] * x[j]; } }",
    "dot, row -, column i, 1 inner, 8 lanes" },
  { "no contraction", contraction, IJ "S: A[i][j] = B[j][i]; } }", "none" },
  { "slabs", slabs,
    "for k = 0 to n { for i = k + 1 to n { for j = k + 1 to n {"
    " S: A[i][j] -= A[i][k] * A[k][j]; } } }",
    "slab k: 32\n, when n >= 96, r_slabs, 3 cut" },
  { "no slabs of what is free", slabs, IJ "S: A[i][j] = B[j][i]; } }", "none" },
  { "strides", strides, IJ "S: y[i] += A[j][i] * sqrt(x[2 * j]); } }",
    "A far operand x short operand y fixed y fixed slow yes" },
  { "a plan", replayed, TWO "|fuse S T at i", "fuse S T at i" },
  { "a line that is illegal", replayed,
    I "S: x[i + 1] = x[i]; }|parallel i in S",
    "plan: the plan no longer holds: \"parallel i in S\" is not legal: x[i + "
    "1] written by S (line 1) is read by S (line 1) in a later iteration of "
    "i;" },
  { "a line that does not apply", replayed, TWO "|tile i in U: 8",
    "plan: the plan no longer holds: \"tile i in U: 8\" does not apply to "
    "these loops: it takes a loop and a positive size;" },
  { "why a line does not apply", misfit, TWO "|fuse S",
    "it takes two nests that follow each other under the same loops" },
  { "no such statement", misfit, TWO "|parallel i in U",
    "it takes a loop that no loop of threads stands around" },
  { "no such array", storage_misfit, TWO "|contract z at i in S",
    "there is no array z" },
  { "an array that is seen", storage_misfit, TWO "|contract x at i in S",
    "x may be needed after the region" },
  { "a buffer for an iteration", buffers,
    "local f64 t[n]; " I "S: t[i] = y[i]; } for k = 0 to n { T: x[k] = t[k]; }"
    "|fuse S T at i\ncontract t at i in S",
    "t in i: -, asked yes" },
  { "a buffer for the region", buffers,
    "local f64 t[n]; " I "S: t[i] = y[i]; } for k = 0 to n { T: x[k] = "
    "t[n - 1 - k]; }",
    "t in the region: max(n - 1 + 1, 1), asked no" },
  { "components", components,
    I "S: C[0][i] = x[i - 1]; T: x[i] = y[i - 1]; U: y[i] = x[i]; V: c = "
      "C[0][0]; }",
    "3 of 5: T U / S / V out_c_1" },
  { "loops of a plan", loops, TWO "|fuse S T at i\nsimd i in S: 8",
    "{ for i_1 = 0 to n simd(8) accumulators(4) reduce(add: c) { S: x[i_1] = "
    "y[i_1]; T: c += x[i_1]; } } }" },
  { "nests side by side", loops,
    I "S: x[i] = 1.0f64; } for k = 0 to n { T: y[k] = 2.0f64; }|tasks S T",
    "{ for task = 0 to 2 parallel when(max(n, 0) * 2 >= 60000 && max(n, 0) * 2 "
    ">= 60000) work(max(n, 0) * 2 + max(n, 0) * 2) { if (task == 0) { for i_1 "
    "= 0 to n { S: x[i_1] = 1.0f64; } } else { for k_1 = 0 to n { T: y[k_1] = "
    "2.0f64; } } } } }" },
  { "isl's tree", ast, I "S: x[i] = y[i]; } for k = 1 to n { T: c += x[k]; }",
    "0 homes, block, coordinate no" },
  { "isl's tree of one nest", ast, THREE, "0 homes, mark, coordinate no" },
  { "operands to pack", packs,
    IJ "for k = 0 to n { S: C[i][j] += A[i][k] * B[j][k]; } } }",
    "B[j][k] along j, 1 packed pack B in S: k j" },
  { "a convolution to turn", packs,
    "for o = 0 to n { for d = 0 to n { for h = 0 to 3 { for i = 0 to n - 3 {"
    " S: C[d][i + h] += A[o][i] * B[d][o]; } } } }",
    "d turned, C[d][i + h] along d, 1 packed pack C in S: turned d" },
  { "nothing to pack", packs, I "S: x[i] = y[i]; }", "0 packed" },
  { "numbers of a report", counts, TWO "|fuse S T at i",
    "2 loops became 1, contracted 0, lanes require: required simd was not "
    "achieved: what the loops do has no form in vectors;" },
  { "how far an array reaches", reach, "for i = 1 to n { y[i] = x[i][2]; }",
    "(n >= 2 ? 5 : 0), (n >= 2 ? 3 * n : 0), 2," },
  { "as far as indices say", reach, "for i = 0 to n { y[i] = x[k[i]][2]; }",
    "(n >= 1 ? k_least * 3 + 2 : 0), (n >= 1 ? k_most * 3 + 3 : 0), 2," },
  { "nobody knows how far", reach,
    "for i = 0 to n { y[i] = x[i64(y[i] * 2.0f64)][2]; }", "0, -1, 2," },
  { "a region with parts", parts,
    "region r { value i64 n; array f64 x[n]; array i64 k[9]; { local i64 to "
    "steers; to = k[0]; if (to <= n) { for i = 0 to to { x[i] = 1.0f64; } } } "
    "}",
    "status 0, 1 loops before, 1 in lanes, itself a part no" },
  { "a region as it is modelled", prepared,
    "region r { value i64 n; array f64 x[n]; { for k = 0 to 2 { for i = 0 to n "
    "{ x[i] += 1.0f64; } } } }",
    "region r { value i64 n; array f64 x[n]; { for k = 0 to 2 { for i = 0 to n "
    "{ x[i] += 1.0f64; } } } } told simplify yes, plan no, end yes, back no" },
  { "a region without", parts, "region r { value i64 n; {} }", "no parts" },
};

MAIN_OF_ANSWERS (rows)
