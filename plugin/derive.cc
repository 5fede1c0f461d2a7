/* Gradients, as plugin/derive.hh shows them.

   1. call     f is read as if the gradient called it: an argument for each of
               its parameters, the gradient's own of that name, else a pointer
               that nothing is read through
   2. derive   driver/differentiate.c makes the gradient of that region
   3. compile  twice: planned, and with care; the second is what runs where a
               guard of the first does not hold; a time loop a third time,
               within a limit that falls while there is no memory
   4. define   the prototype gets the body  */

#include "plugin/derive.hh"

#include "lowering/generic.hh"
#include "plugin/derive-inside.hh"
#include "plugin/extract.hh"
#include "plugin/keep.hh"
#include "plugin/report.hh"
#include "plugin/walk.hh"

extern "C"
{
#include "ir/verify.h"
}

/* A gradient that waits for its function.  */
typedef struct waiting
{
  const tns_wish *wish;
  const tns_options *options;
  bool done;
} waiting;

/* What is waiting: the prototypes as a chain whose purposes are the
   functions' names, values the prototypes; the same in the same order.  */
static GTY (()) tree prototypes;
static waiting *table;
static int n_waiting;

/* A context of D, whose region is called as the function that is written,
   unless the user says otherwise.  */
static tns_ctx *
new_context (const tns_derivation *d)
{
  tns_ctx *ctx = tns_context_new (d->options, d->wish);
  if (!ctx->wish.name)
    ctx->wish.name = IDENTIFIER_POINTER (DECL_NAME (d->g));
  return ctx;
}

/* How a gradient is compiled: planned; with care; with care, in parts within
   a limit.  */
typedef enum kind
{
  PLANNED,
  CAREFUL,
  LIMITED
} kind;

/* What the pragma says of memory.  */
static tns_checkpoint_wish
checkpoint_of (const tns_derivation *d, kind how)
{
  const tns_wish_derived *asked = &d->wish->derived;
  tns_checkpoint_wish wish = {};
  wish.kept = asked->checkpoint;
  wish.bytes = asked->memory;
  wish.loc = asked->memory_loc;
  wish.limited = how == LIMITED;
  return wish;
}

/* Tell SYMBOLS the variables of G that bound memory.  */
static void
set_bounds (tns_derivation *d, tns_ctx *ctx, tns_symbols *symbols,
            const tns_checkpoint_wish *wish)
{
  if (wish->least)
    tns_symbols_set (ctx->arena, symbols, wish->least, tns_derive_least (d));
  if (wish->limit)
    tns_symbols_set (ctx->arena, symbols, wish->limit, tns_derive_limit (d));
}

/* The gradient in CTX as a statement that calls it, with PLAIN, the careful
   one, where it gives up, or, where PLAIN is NULL_TREE, D's lack.  NULL_TREE
   with the reason said, or where the planner leaves it as it is.  */
static tree
compile (tns_derivation *d, tns_ctx *ctx, kind how, tree plain,
         tns_result *result)
{
  tns_symbols *symbols = tns_symbols_new (ctx->arena);
  tns_gradient_wish wish = {};
  d->unsure = d->has_loop = false;
  wish.name = ctx->wish.name;
  wish.careful = how != PLANNED;
  wish.forward = d->wish->derived.forward;
  wish.checkpoint = checkpoint_of (d, how);
  tree call = BIND_EXPR_BODY (DECL_SAVED_TREE (d->g));
  tns_region *region = tns_extract_call (ctx, d->g, d->f, &call, symbols);
  if (!region || !tns_derive_check_const (d, region, symbols)
      || !tns_derive_wish (d, ctx, &region, symbols, &wish))
    return NULL_TREE;
  region = tns_derive (ctx, region, &wish);
  d->unsure = wish.unsure;
  d->has_loop = wish.checkpoint.has_loop;
  if (!region)
    return NULL_TREE;
  tns_derive_set_adjoints (d, ctx, symbols, &wish, region);
  set_bounds (d, ctx, symbols, &wish.checkpoint);
  if (wish.careful)
    {
      result->status = TNS_DONE;
      result->rare = how == LIMITED;
      result->in = region;
      result->out = tns_region_verify (ctx, region, "derive");
    }
  else
    *result = *tns_pipeline (ctx, region);
  result->unguarded
    = wish.careful || tns_checkpoint_is_asked (&wish.checkpoint);
  if (result->kept && plain)
    return NULL_TREE;
  return tns_generic (ctx, result, symbols, d->g, plain ? plain : d->lack);
}

/* What G does where there is no memory to tape everything: it gives up, or, if
   it has a time loop that nothing bounds, tapes less.  */
static tree
tape_less (tns_derivation *d)
{
  const tns_wish_derived *asked = &d->wish->derived;
  tree limited = NULL_TREE;
  if (d->has_loop && !asked->checkpoint && !asked->memory)
    {
      tns_result result = {};
      tns_ctx *ctx = new_context (d);
      ctx->wish.check = false;
      d->lack = tns_derive_lower (d);
      limited = compile (d, ctx, LIMITED, NULL_TREE, &result);
      tns_ctx_free (ctx);
    }
  return limited ? tns_derive_within (d, limited) : tns_derive_give_up (d);
}

/* What is refused for WHY may stand in a function with a derivative of the
   user's.  */
static bool
may_be_given (tns_why why)
{
  return why == TNS_WHY_WHILE || why == TNS_WHY_CALL || why == TNS_WHY_CONTROL
         || why == TNS_WHY_STEP || why == TNS_WHY_DERIVATIVE;
}

/* Tell what came of it, as CTX and RESULT say; nothing is an error, of which
   the user may know already.  */
static void
tell (const tns_derivation *d, tns_ctx *ctx, const tns_result *result,
      bool is_there, bool is_told)
{
  const tns_remark *reason = tns_verdict (ctx);
  if (is_told)
    return;
  if (!is_there && reason)
    tns_insist (ctx, tns_arena_format (
                       ctx->arena, "no %s of %s: %s%s", tns_wish_mode (d->wish),
                       IDENTIFIER_POINTER (DECL_NAME (d->f)), reason->words,
                       may_be_given (reason->why)
                         ? "; #pragma tensor derivative gives one to a function"
                         : ""));
  tns_report (ctx, d->options, result, d->g);
}

/* Write the gradient of D.  */
static void
define (tns_derivation *d)
{
  tns_result planned = {};
  tns_result careful = {};
  int n_errors = errorcount;
  if (!tns_derive_check_result (d) || !tns_derive_arguments (d))
    return;
  location_t place = input_location;
  tns_derive_open (d, tns_derive_call (d));
  tns_ctx *first = new_context (d);
  tns_ctx *second = new_context (d);
  first->wish.check = false;
  tree lack = d->lack = build3 (COND_EXPR, void_type_node, boolean_true_node,
                                NULL_TREE, NULL_TREE);
  TREE_SIDE_EFFECTS (lack) = 1;
  tree plain = compile (d, first, CAREFUL, NULL_TREE, &careful);
  const tns_remark *reason = tns_verdict (first);
  bool unsure = d->unsure;
  bool goes_on = plain || (reason && reason->why == TNS_WHY_TEMPORARY);
  tree body = NULL_TREE;
  second->wish.check &= plain != NULL_TREE;
  if (goes_on)
    body = compile (d, second, PLANNED, plain, &planned);
  bool is_sure = !unsure || tns_verdict (second) == NULL;
  body = body ? body : is_sure ? plain : NULL_TREE;
  if (body)
    COND_EXPR_THEN (lack) = tape_less (d);
  if (body)
    tns_derive_close (d, body);
  else
    tns_derive_drop (d);
  tns_ctx *last = goes_on ? second : first;
  if (!planned.out)
    planned.status = last->status;
  tell (d, last, &planned, body != NULL_TREE, errorcount > n_errors);
  input_location = place;
  tns_ctx_free (first);
  tns_ctx_free (second);
}

/* Write what waits for F, whose body is there.  */
static void
write_waiting (tree f)
{
  int k = n_waiting;
  for (tree at = prototypes; at; at = TREE_CHAIN (at))
    {
      waiting *w = &table[--k];
      if (w->done || TREE_PURPOSE (at) != DECL_NAME (f))
        continue;
      w->done = true;
      tns_derivation d = {};
      d.g = TREE_VALUE (at);
      d.f = f;
      d.wish = w->wish;
      d.options = w->options;
      define (&d);
    }
}

void
tns_derive_declare (tree fndecl, const tns_wish *wish,
                    const tns_options *options)
{
  tree name = get_identifier (wish->derived.function);
  prototypes = tree_cons (name, fndecl, prototypes);
  table = XRESIZEVEC (waiting, table, n_waiting + 1);
  table[n_waiting++] = { wish, options, false };
  tree f = lookup_name (name);
  if (f && TREE_CODE (f) != FUNCTION_DECL)
    error_at ((location_t) wish->derived.loc.handle, "%qE is no function",
              name);
  else if (f && tns_kept_body (f))
    write_waiting (f);
}

void
tns_derive_function (tree fndecl)
{
  if (prototypes && tns_kept_body (fndecl))
    write_waiting (fndecl);
}

void
tns_derive_register (const char *plugin_name)
{
  static const struct ggc_root_tab roots[]
    = { { &prototypes, 1, sizeof prototypes, &gt_ggc_mx_tree_node,
          &gt_pch_nx_tree_node },
        LAST_GGC_ROOT_TAB };
  register_callback (plugin_name, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                     (void *) roots);
}
