/* From markers to regions.

     { ...; marker; for (...) ...; ... }

   For each marker in a list of statements:

   1. cover    the statements that the pragma is about: one loop with its
               initialisation, one block, or all up to endscop
   2. compile  extract, pipeline, generic: a tree that replaces them
   3. commit   when there is one, it takes the marker's place and the
               statements leave the list; else the marker alone goes
   4. report   one verdict

   Before step 3 nothing of the function has changed.  A pragma inside the
   region of another that was taken has its own verdict.  Where the outer one
   was refused, the inner one is a region of its own, and loops inside are such
   without a pragma (plugin/inside.cc).  */

#include "plugin/walk.hh"

#include "lowering/generic.hh"
#include "plugin/data.hh"
#include "plugin/derivative.hh"
#include "plugin/derive.hh"
#include "plugin/device.hh"
#include "plugin/extract.hh"
#include "plugin/inside.hh"
#include "plugin/keep.hh"
#include "plugin/left.hh"
#include "plugin/moved.hh"
#include "plugin/report.hh"
#include "plugin/target.hh"
#include "pragmas/register.hh"

extern "C"
{
#include "ir/least.h"
#include "ir/window.h"
}

/* The allocator of cc1: never NULL.  */
static void *
get_block (void *, size_t bytes)
{
  return xmalloc (bytes);
}

/* Its counterpart.  */
static void
put_block (void *, void *block)
{
  free (block);
}

/* STMT is nothing but a mark of the debugger.  */
static bool
is_debug (tree stmt)
{
  return TREE_CODE (stmt) == DEBUG_BEGIN_STMT;
}

/* The only statement in BODY besides marks of the debugger, or NULL_TREE.  */
static tree
only_statement (tree body)
{
  tree only = NULL_TREE;
  if (!body || TREE_CODE (body) != STATEMENT_LIST)
    return body;
  for (tree_stmt_iterator i = tsi_start (body); !tsi_end_p (i); tsi_next (&i))
    if (!is_debug (tsi_stmt (i)))
      {
        if (only)
          return NULL_TREE;
        only = tsi_stmt (i);
      }
  return only;
}

/* BIND is the scope that C opens around an if or switch, and no block of the
   user.  */
static bool
is_scope_of_statement (tree bind)
{
  tree only = only_statement (BIND_EXPR_BODY (bind));
  if (!only || BIND_EXPR_VARS (bind))
    return false;
  switch (TREE_CODE (only))
    {
    case COND_EXPR:
    case SWITCH_STMT:
      return EXPR_LOCATION (only) == EXPR_LOCATION (bind);
    default:
      return false;
    }
}

/* STMT is a loop or a block by itself.  */
static bool
is_region_statement (tree stmt)
{
  switch (TREE_CODE (stmt))
    {
    case FOR_STMT:
    case WHILE_STMT:
    case DO_STMT:
    case OMP_FOR:
    case OMP_PARALLEL:
    case OMP_SIMD:
      return true;
    case BIND_EXPR:
      return !is_scope_of_statement (stmt);
    default:
      return false;
    }
}

bool
tns_is_init_of (tree init, tree loop)
{
  expanded_location a = expand_location (EXPR_LOCATION (init));
  expanded_location b = expand_location (EXPR_LOCATION (loop));
  return TREE_CODE (loop) == FOR_STMT
         && (a.line > b.line || (a.line == b.line && a.column > b.column));
}

/* Add STMT to FOUND.  */
static void
add_statement (tns_arena *arena, tns_cover *found, tree stmt)
{
  found->stmt
    = (tree *) tns_arena_grow (arena, found->stmt, sizeof (tree) * found->n,
                               sizeof (tree) * (found->n + 1));
  found->stmt[found->n++] = stmt;
}

tns_cover
tns_cover_of (tns_arena *arena, tree_stmt_iterator i)
{
  tns_cover found = { NULL, 0, 0 };
  for (int n_inits = 0; !tsi_end_p (i) && n_inits < 2; tsi_next (&i))
    {
      tree stmt = tsi_stmt (i);
      add_statement (arena, &found, stmt);
      if (is_debug (stmt))
        continue;
      bool is_last = found.n > 0 && n_inits > 0;
      if (is_last ? tns_is_init_of (found.stmt[found.n - 2], stmt)
                  : is_region_statement (stmt))
        return found;
      n_inits++;
    }
  found.n = 0;
  return found;
}

/* All statements up to endscop.  */
static tns_cover
cover_of_scop (tns_arena *arena, tree_stmt_iterator i)
{
  tns_cover found = { NULL, 0, 0 };
  for (; !tsi_end_p (i); tsi_next (&i))
    {
      tns_mark *mark = tns_mark_of_stmt (tsi_stmt (i));
      if (mark && mark->kind == TNS_MARK_ENDSCOP)
        break;
      add_statement (arena, &found, tsi_stmt (i));
    }
  return found;
}

/* The covered statements as one tree.  */
static tree
as_one (const tns_cover *found)
{
  if (found->n == 1)
    return found->stmt[0];
  tree list = alloc_stmt_list ();
  for (int k = 0; k < found->n; k++)
    append_to_statement_list_force (found->stmt[k], &list);
  return list;
}

tns_ctx *
tns_context_new (const tns_options *options, const tns_wish *wish)
{
  tns_allocator allocator = { get_block, put_block, NULL };
  tns_ctx *ctx = tns_ctx_new (allocator);
  ctx->wish = *wish;
  ctx->flags.openmp = flag_openmp;
  ctx->flags.openmp_simd = flag_openmp || flag_openmp_simd;
  ctx->flags.contract = flag_fp_contract_mode == FP_CONTRACT_FAST;
  ctx->flags.reciprocal = flag_reciprocal_math;
  ctx->flags.math_errno = flag_errno_math;
  ctx->flags.finite = flag_finite_math_only && !flag_signed_zeros;
  ctx->flags.lines = debug_info_level > DINFO_LEVEL_NONE;
  ctx->machine = options->machine;
  if (!ctx->machine)
    ctx->machine = tns_target_machine ();
  ctx->dump = tns_report_dump (options);
  ctx->dump_stages = options->dump;
  ctx->break_stage = options->fault;
  ctx->plan_text = options->plan;
  if (!options->report_json && !options->dump)
    ctx->ledger = TNS_LEDGER_SITE;
  return ctx;
}

/* What is asked of what a pragma covers.

   assumes_still  what nobody writes as far as can be seen holds still  */
typedef struct version
{
  bool assumes_still;
  tns_window window;
} version;

/* What FOUND covers as V wants it; NULL where it is refused, or, without a
   reason said, where its windows cannot be as V wants them.  */
static tns_region *
extract (const tns_walk *w, tns_ctx *ctx, const tns_cover *found, version *v,
         tns_symbols *symbols)
{
  tns_region *region = tns_extract (ctx, w->fndecl, found->stmt, found->n,
                                    v->assumes_still, symbols);
  if (region && found->least > 0
      && !tns_region_ask_least (ctx, region, found->least))
    return NULL;
  return tns_region_for_window (ctx, region, &v->window);
}

/* BOUND of a loop, a number or a VALUE, as the user says it.  */
static tree
bound_tree (const tns_expr *bound, const tns_symbols *symbols)
{
  tree type = tns_type_tree (tns_scalar (TNS_I64));
  return bound->op == TNS_INT
           ? build_int_cst (type, bound->integer)
           : fold_convert (type, tns_symbols_get (symbols, bound->sym));
}

/* REGION with a loop that devices share, where they can; *SHARE tells.  */
static tns_region *
share_loop (tns_ctx *ctx, tns_region *region, tns_symbols *symbols,
            const tns_shared **share)
{
  tns_shared *made = TNS_NEW (ctx->arena, tns_shared);
  *share = made;
  region = tns_region_devices (ctx, region, made);
  if (made->words)
    return region;
  tns_symbols_set (ctx->arena, symbols, made->first,
                   bound_tree (made->lo, symbols));
  tns_symbols_set (ctx->arena, symbols, made->end,
                   bound_tree (made->hi, symbols));
  return region;
}

/* The same through all stages, into RESULT.  False when it is refused and may
   not be where nothing in memory is assumed to hold still.  */
static bool
run_stages (const tns_walk *w, tns_ctx *ctx, const tns_cover *found, version *v,
            tns_symbols *symbols, tns_result *result)
{
  tns_region *region = extract (w, ctx, found, v, symbols);
  const tns_shared *share = NULL;
  if (region && ctx->wish.devices && ctx->machine && ctx->machine->device)
    region = share_loop (ctx, region, symbols, &share);
  const tns_result *made_of = region ? tns_pipeline (ctx, region) : NULL;
  result->status = region ? TNS_FAILED : ctx->status;
  if (made_of)
    *result = *made_of;
  result->share = share;
  return !v->assumes_still || ctx->status != TNS_REFUSED
         || (region && region->n_still == 0);
}

/* RESULT as a tree, with PLAIN where its guards do not hold; NULL_TREE where
   the planner leaves all as it is.  */
static tree
build (const tns_walk *w, tns_ctx *ctx, const tns_result *result,
       const tns_symbols *symbols, tree plain)
{
  if (result->status != TNS_DONE || result->kept || !result->out)
    return NULL_TREE;
  tree made = tns_generic (ctx, result, symbols, w->fndecl, plain, NULL);
  return tns_with_moved (made, symbols, w->fndecl);
}

/* MADE, with the version of what FOUND covers that V asks for in front of it,
   if there is one; its RESULT where MADE is none.  */
static tree
add_version (const tns_walk *w, tns_ctx *ctx, const tns_cover *found, version v,
             tree made, tns_result *result)
{
  tns_ctx before = *ctx;
  tns_result own = {};
  tns_symbols *symbols = tns_symbols_new (ctx->arena);
  if (!ctx->wish.budget)
    ctx->wish.budget = TNS_WINDOW_BUDGET;
  run_stages (w, ctx, found, &v, symbols, &own);
  ctx->wish.budget = before.wish.budget;
  tree first = build (w, ctx, &own, symbols, made ? made : as_one (found));
  tns_take_back (ctx, &before);
  if (!first)
    return made;
  tns_note (ctx, ctx->wish.loc, "a version for %s", v.window.words);
  if (!made)
    *result = own;
  return first;
}

/* MADE, with kernels of what FOUND covers in front of it, if a device can do
   them; its RESULT.  */
static tree
add_device (const tns_walk *w, tns_ctx *ctx, const tns_cover *found, version v,
            tree made, tns_result *result)
{
  tns_result own = {};
  tns_ctx *device = tns_device_context (ctx);
  tns_symbols *symbols = tns_symbols_new (ctx->arena);
  device->kernels = tns_kernels_name (ctx, w->fndecl);
  run_stages (w, device, found, &v, symbols, &own);
  tree first = build (w, device, &own, symbols, made ? made : as_one (found));
  tns_device_tell (ctx, device, &own);
  if (!first)
    return made;
  tns_device_save (device, &own);
  tns_data_note_device (first, found->stmt, found->n, made);
  result->grid = own.grid;
  return first;
}

tree
tns_compile_covered (const tns_walk *w, tns_ctx *ctx, const tns_cover *found,
                     tns_result *result)
{
  tns_symbols *symbols = tns_symbols_new (ctx->arena);
  tns_ctx before = *ctx;
  version v = { true, {} };
  result->status = TNS_REFUSED;
  if (w->is_broken)
    {
      tns_refuse (ctx, ctx->wish.loc, TNS_WHY_ERRORS);
      return NULL_TREE;
    }
  if (!run_stages (w, ctx, found, &v, symbols, result))
    {
      tns_take_back (ctx, &before);
      symbols = tns_symbols_new (ctx->arena);
      v.assumes_still = false;
      run_stages (w, ctx, found, &v, symbols, result);
    }
  tree made = build (w, ctx, result, symbols, as_one (found));
  if (!made && !result->kept && result->status == TNS_DONE)
    result->status = ctx->status;
  bool goes_on = result->status == TNS_DONE && !ctx->plan_text;
  v.window.version = goes_on ? v.window.most : 0;
  for (; v.window.version > 0; v.window.version--)
    made = add_version (w, ctx, found, v, made, result);
  if (made)
    tns_data_note_whole (made);
  if (ctx->wish.target != TNS_TARGET_CPU && result->status == TNS_DONE)
    made = add_device (w, ctx, found, v, made, result);
  else if (result->status == TNS_DONE)
    {
      tns_precision_tell (ctx, NULL);
      tns_devices_tell (ctx, NULL);
    }
  return made;
}

/* walk_tree's visitor: the marks inside a region that was taken.  */
static tree
note_nested (tree *at, int *, void *self)
{
  const tns_walk *w = (const tns_walk *) self;
  tns_mark *mark = tns_mark_of_stmt (*at);
  if (!mark || mark->used || mark->kind == TNS_MARK_ENDSCOP)
    return NULL_TREE;
  tns_ctx *ctx = tns_context_new (w->options, &mark->wish);
  tns_result result = {};
  mark->used = true;
  result.status = TNS_REFUSED;
  tns_refuse (ctx, mark->wish.loc, TNS_WHY_NESTED);
  tns_report (ctx, w->options, &result, w->fndecl);
  tns_ctx_free (ctx);
  return NULL_TREE;
}

/* MADE takes the place of the marker at I, and what FOUND covers leaves the
   list.  */
static void
commit (tree_stmt_iterator i, const tns_cover *found, tree made)
{
  tree_stmt_iterator next = i;
  tsi_next (&next);
  for (int k = 0; k < found->n; k++)
    tsi_delink (&next);
  *tsi_stmt_ptr (i) = made;
}

/* The region of MARK, whose marker stands at I.  */
static void
take_mark (const tns_walk *w, tns_mark *mark, tree_stmt_iterator i)
{
  tns_ctx *ctx = tns_context_new (w->options, &mark->wish);
  tns_result result = {};
  tree_stmt_iterator next = i;
  tsi_next (&next);
  mark->used = true;
  tns_cover found = mark->kind == TNS_MARK_SCOP
                      ? cover_of_scop (ctx->arena, next)
                      : tns_cover_of (ctx->arena, next);
  tree made = NULL_TREE;
  if (found.n == 0)
    {
      result.status = TNS_REFUSED;
      tns_error (ctx, mark->wish.loc, TNS_WHY_PLACE);
    }
  else
    made = tns_compile_covered (w, ctx, &found, &result);
  const tns_remark *reason = tns_verdict (ctx);
  tns_taken *inside = NULL;
  if (reason && reason->kind == TNS_REMARK_REFUSED && !w->is_broken)
    inside
      = tns_take_inside (w, ctx, next, found.n, mark->kind == TNS_MARK_SCOP);
  tns_report (ctx, w->options, &result, w->fndecl);
  tns_tell_inside (w, inside);
  if (made || result.kept)
    for (int k = 0; k < found.n; k++)
      walk_tree_without_duplicates (&found.stmt[k], note_nested, (void *) w);
  if (made)
    commit (i, &found, made);
  else
    tns_leave (w->fndecl);
  tns_ctx_free (ctx);
}

/* walk_tree's visitor: the markers of a list and of what its statements hold,
   in the order of the text.  */
static tree
visit (tree *at, int *walk_subtrees, void *self)
{
  const tns_walk *w = (const tns_walk *) self;
  if (TYPE_P (*at) || TREE_CODE (*at) == STATEMENT_LIST)
    *walk_subtrees = 0;
  if (TREE_CODE (*at) != STATEMENT_LIST)
    return NULL_TREE;
  for (tree_stmt_iterator i = tsi_start (*at); !tsi_end_p (i); tsi_next (&i))
    {
      tns_mark *mark = tns_mark_of_stmt (tsi_stmt (i));
      if (!mark)
        walk_tree_without_duplicates (tsi_stmt_ptr (i), visit, self);
      else if (mark->kind == TNS_MARK_DATA)
        mark->used |= w->is_broken;
      else if (!mark->used && mark->kind != TNS_MARK_ENDSCOP)
        take_mark (w, mark, i);
    }
  return NULL_TREE;
}

/* walk_tree's visitor: markers that stand alone, nothing behind them.  */
static tree
visit_alone (tree *at, int *, void *self)
{
  const tns_walk *w = (const tns_walk *) self;
  tns_mark *mark = tns_mark_of_stmt (*at);
  if (!mark || mark->used || mark->kind == TNS_MARK_ENDSCOP)
    return NULL_TREE;
  tns_ctx *ctx = tns_context_new (w->options, &mark->wish);
  tns_result result = {};
  mark->used = true;
  result.status = TNS_REFUSED;
  tns_error (ctx, mark->wish.loc, TNS_WHY_PLACE);
  tns_report (ctx, w->options, &result, w->fndecl);
  tns_ctx_free (ctx);
  return NULL_TREE;
}

/* Make sure that the function's body is what it was but for the regions.  */
static void
walk_marks (tns_walk *w)
{
  location_t place = input_location;
  tree function = current_function_decl;
  struct function *body = cfun;
  walk_tree_without_duplicates (&DECL_SAVED_TREE (w->fndecl), visit, w);
  tns_data_function (w);
  walk_tree_without_duplicates (&DECL_SAVED_TREE (w->fndecl), visit_alone, w);
  if (cfun != body)
    set_cfun (body);
  current_function_decl = function;
  input_location = place;
}

void
tns_walk_function (tree fndecl, const tns_options *options)
{
  if (!DECL_SAVED_TREE (fndecl))
    return;
  tns_walk w = { fndecl, options, tns_is_broken_function (fndecl) };
  int before = errorcount;
  if (!w.is_broken)
    {
      tns_keep_function (fndecl);
      tns_derivative_check (fndecl);
      tns_derive_function (fndecl);
    }
  walk_marks (&w);
  tns_note_misuses (errorcount - before);
}
