/* What GCC's passes are told of the functions that we add: attribute optimize.

     the region, loops' bodies    O3, without passes that would undo the plan
                                  or find nothing left to do
     what has no loops            Og: most of what it costs is the list of
                                  passes that look at it
     what also forks, tells or    O0: next to what it calls its own time is
     registers, nothing else      nothing

   Nothing is said of what a user compiles without optimisation or for size.  */

#include "lowering/build.hh"

extern "C"
{
#include "ir/affine.h"
#include "ir/walk.h"
}

/* The level for each effort.  */
static const char *const level[] = { "O3", "Og", "O0" };

/* The level of loops that hardly ever run.  */
#define RARE "Og"

/* Put WORD, an argument of attribute optimize, in front of *WORDS.  */
static void
add_word (const char *word, tree *words)
{
  tree string = build_string (strlen (word) + 1, word);
  *words = tree_cons (NULL_TREE, string, *words);
}

/* What inner loops are like, but for those that are functions of their own.  */
typedef struct inner_loops
{
  bool has_loop;
  bool has_lanes;
  bool has_short;
  bool has_scalar;
  bool has_crowd;
  bool has_nest;
  bool has_masks;
  tns_build *build;
} inner_loops;

/* Whether NODE is a loop that has become a function of its own.  */
static bool
is_apart (const tns_build *build, const tns_node *node)
{
  for (int k = 0; k < build->n_apart; k++)
    if (build->apart[k] == node)
      return true;
  return false;
}

/* The most elements of a row that a call of memset or memmove does not fill
   sooner than stores.  */
#define SHORT_ROW 64

/* EXPR is an element of an array whose rows are short.  */
static bool
is_in_short_row (const tns_expr *expr)
{
  long long extent = 0;
  int rank = expr->op == TNS_LOAD ? expr->sym->rank : 0;
  return rank > 1 && expr->sym->extent[rank - 1]
         && tns_expr_is_int (expr->sym->extent[rank - 1], &extent)
         && extent <= SHORT_ROW;
}

/* The visitor that notes whether there is a loop, lanes, and stores of lanes
   to short rows.  */
static bool
note_parts (tns_node *node, void *self)
{
  inner_loops *in = (inner_loops *) self;
  bool is_lanes = node->kind == TNS_ASSIGN && node->target->type.lanes > 1;
  in->has_loop |= node->kind == TNS_LOOP;
  in->has_lanes |= is_lanes;
  in->has_short |= is_lanes && is_in_short_row (node->target);
  return true;
}

/* The visitor that looks for loops without loops inside that have more
   addresses than GCC finds registers for once it has made a counter of each:
   they are better off with those that they share (generic-place.cc).  */
static bool
note_crowd (tns_node *node, void *self)
{
  inner_loops *all = (inner_loops *) self;
  inner_loops in = inner_loops ();
  if (node->kind != TNS_LOOP)
    return true;
  if (is_apart (all->build, node))
    return false;
  tns_node_walk (node->body, note_parts, &in);
  all->has_crowd
    |= !in.has_loop && tns_build_is_crowded (all->build, node->body);
  return !all->has_crowd;
}

/* The visitor that looks for loops without lanes that have none inside and may
   run more than a few times: not for what vectors have left of a loop, nor for
   what combines chunks.  */
static bool
note_scalar (tns_node *node, void *self)
{
  inner_loops *all = (inner_loops *) self;
  inner_loops in = inner_loops ();
  if (is_apart (all->build, node))
    return false;
  if (node->kind != TNS_LOOP || node->once)
    return true;
  tns_node_walk (node->body, note_parts, &in);
  all->has_scalar
    |= !in.has_loop && !in.has_lanes && !node->marks.chunks && !node->few;
  return !all->has_scalar;
}

/* The visitor of expressions that notes loads under masks.  */
static bool
note_masked_load (tns_expr *expr, void *self)
{
  ((inner_loops *) self)->has_masks |= expr->op == TNS_MASKED;
  return true;
}

/* The visitor that looks for loops in loops, and for accesses under masks.  */
static bool
note_masks (tns_node *node, void *self)
{
  inner_loops *all = (inner_loops *) self;
  inner_loops in = inner_loops ();
  if (is_apart (all->build, node))
    return false;
  if (node->kind == TNS_LOOP)
    tns_node_walk (node->body, note_parts, &in);
  all->has_nest |= in.has_loop;
  all->has_masks |= node->kind == TNS_ASSIGN && node->mask;
  tns_node_exprs (node, note_masked_load, self);
  return true;
}

/* Loops whose iterations store vectors that overlap those of others.  */
typedef struct overlaps
{
  tns_arena *arena;
  const tns_node *loop;
  bool found;
} overlaps;

/* How far one iteration of LOOP moves EXPR, 0: not at all, or nobody knows.  */
static long long
moved_by (tns_arena *arena, const tns_node *loop, tns_expr *expr)
{
  tns_affine at;
  if (!tns_affine_of (arena, expr, &at))
    return 0;
  for (int k = 0; k < at.n; k++)
    if (at.sym[k] == loop->iter)
      return at.factor[k] * loop->step;
  return 0;
}

/* The visitor of statements of a loop.  */
static bool
note_overlap (tns_node *node, void *self)
{
  overlaps *o = (overlaps *) self;
  const tns_expr *target = node->kind == TNS_ASSIGN ? node->target : NULL;
  if (!target || target->n_args == 0 || target->type.lanes == 1)
    return !o->found;
  long long by = moved_by (o->arena, o->loop, target->arg[target->n_args - 1]);
  o->found |= by != 0 && by < target->type.lanes && by > -target->type.lanes;
  return !o->found;
}

/* The visitor of loops.  */
static bool
note_overlaps (tns_node *node, void *self)
{
  overlaps *o = (overlaps *) self;
  o->loop = node;
  if (node->kind == TNS_LOOP)
    tns_node_walk (node->body, note_overlap, self);
  return !o->found;
}

/* Add each of the N WORDS to *LIST.  */
static void
add_words (int n, const char *const *words, tree *list)
{
  for (int k = 0; k < n; k++)
    add_word (words[k], list);
}

/* Add what must not order loops anew: the plan has.  GCC 12 to 14 take a
   dependence of accesses that stand still for one within an iteration, bug
   116768, and then distribute loops that must stay together.  */
static void
add_ordered (tree *list)
{
  static const char *const reorders[]
    = { "no-tree-loop-distribution", "no-loop-interchange",
        "no-loop-unroll-and-jam" };
  add_words (3, reorders, list);
}

/* Add what is of no use where all inner loops have lanes.  What an outer loop
   keeps in a register for its rare iterations, as masks, GCC takes from the
   sums of a tile, unless it is asked to count.  */
static void
add_needless (tree *list)
{
  static const char *const needless[] = { "no-tree-loop-vectorize",
                                          "no-tree-slp-vectorize",
                                          "no-split-loops",
                                          "no-tree-pre",
                                          "no-gcse",
                                          "no-code-hoisting",
                                          "no-tree-vrp",
                                          "no-tree-dominator-opts" };
  add_words (sizeof needless / sizeof *needless, needless, list);
  add_word ("ira-loop-pressure", list);
}

/* Add where loops begin, unless the user says it: a short loop takes a cycle or
   two for an iteration, and one more where its instructions lie in two lines of
   64 bytes.  What begins at half a line and is no longer does not; loops with
   lanes are often longer.  */
static void
add_places (bool has_lanes, tree *list)
{
  if (!global_options_set.x_flag_align_loops
      && !global_options_set.x_str_align_loops)
    add_word (has_lanes ? "align-loops=64" : "align-loops=32", list);
}

/* Add what must be as FP allows.  */
static void
add_floats (tns_fp fp, tree *list)
{
  static const char *const fast[] = { "fp-contract=fast", "reciprocal-math",
                                      "associative-math", "no-signed-zeros" };
  static const char *const strict[] = { "fp-contract=off", "no-fast-math" };
  static const char *const quiet[] = { "no-trapping-math", "no-math-errno" };
  if (fp == TNS_FP_FAST)
    add_words (4, fast, list);
  if (fp == TNS_FP_STRICT)
    add_words (2, strict, list);
  else
    add_words (2, quiet, list);
}

/* Add what is said of NODE's loops.  Conditions that hold still stay in
   their loops: GCC 12, where it takes them out and makes vectors of what is
   left, may store what it has not stored before.  A jump over one choice and
   on over the next, under the same condition, becomes a branch around stores,
   of which no vectors are made.  Where the next iteration stores a vector that
   begins within that of this one, what is in memory must not stay in registers
   for it: GCC takes accesses that lie whole steps apart for the same or for
   others, though they may share elements.  Where an access under a mask stands
   behind a loop GCC must have no counters of its own for addresses: GCC 11 and
   12 make such an address anew where it is used, of a counter that may have
   moved on by then: so it was seen in what they expand.  */
static void
add_loops (tns_build *build, tns_node *node, tree *list)
{
  inner_loops all = inner_loops ();
  overlaps shared = { build->ctx->arena, NULL, false };
  all.build = build;
  tns_node_walk (node, note_overlaps, &shared);
  tns_node_walk (node, note_scalar, &all);
  tns_node_walk (node, note_crowd, &all);
  tns_node_walk (node, note_parts, &all);
  tns_node_walk (node, note_masks, &all);
  add_ordered (list);
  add_word ("no-unswitch-loops", list);
  add_word ("no-thread-jumps", list);
  if (shared.found)
    add_word ("no-predictive-commoning", list);
  if (all.has_short)
    add_word ("no-tree-loop-distribute-patterns", list);
  tns_build_spare (build->fn, !all.has_scalar);
  add_places (!all.has_scalar, list);
  if (!all.has_scalar)
    add_needless (list);
  if ((!all.has_scalar && all.has_crowd) || (all.has_nest && all.has_masks))
    add_word ("no-ivopts", list);
}

/* The words of attribute optimize for EFFORT on BUILD's function, which has
   NODE.  */
static tree
optimize_words (tns_build *build, tns_effort effort, tns_node *node)
{
  tree words = NULL_TREE;
  if (effort == TNS_EFFORT_LOOPS)
    add_loops (build, node, &words);
  add_floats (build->ctx->wish.fp, &words);
  add_word (level[effort], &words);
  return words;
}

/* Give FN attribute optimize with WORDS.  */
static void
add_options (tree fn, tree words)
{
  tree target = DECL_FUNCTION_SPECIFIC_TARGET (fn);
  decl_attributes (
    &fn, tree_cons (get_identifier ("optimize"), words, NULL_TREE), 0);
  if (target)
    DECL_FUNCTION_SPECIFIC_TARGET (fn) = target;
}

void
tns_build_effort (tree fn, tns_effort effort)
{
  tree words = NULL_TREE;
  add_word (level[effort], &words);
  DECL_FUNCTION_SPECIFIC_OPTIMIZATION (fn) = optimization_default_node;
  if (opt_for_fn (fn, optimize) && !opt_for_fn (fn, optimize_size))
    add_options (fn, words);
}

void
tns_generic_is_rare (tree fn)
{
  tree words = NULL_TREE;
  add_word (RARE, &words);
  if (opt_for_fn (fn, optimize) && !opt_for_fn (fn, optimize_size))
    add_options (fn, words);
}

void
tns_build_options (tns_build *build, tns_effort effort, tns_node *node)
{
  tree fn = build->fn;
  tree user = build->enclosing;
  tree unchecked = lookup_attribute ("no_sanitize", DECL_ATTRIBUTES (user));
  DECL_ATTRIBUTES (fn) = NULL_TREE;
  if (unchecked)
    DECL_ATTRIBUTES (fn) = tree_cons (
      TREE_PURPOSE (unchecked), TREE_VALUE (unchecked), DECL_ATTRIBUTES (fn));
  DECL_FUNCTION_SPECIFIC_OPTIMIZATION (fn)
    = DECL_FUNCTION_SPECIFIC_OPTIMIZATION (user);
  DECL_FUNCTION_SPECIFIC_TARGET (fn) = DECL_FUNCTION_SPECIFIC_TARGET (user);
  if (opt_for_fn (user, optimize) && !opt_for_fn (user, optimize_size))
    add_options (fn, optimize_words (build, effort, node));
}
