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
#include "plugin/device.hh"

#include "lowering/generic.hh"
#include "plugin/derivative.hh"
#include "plugin/derive-inside.hh"
#include "plugin/extract.hh"
#include "plugin/keep-derived.hh"
#include "plugin/keep.hh"
#include "plugin/report.hh"
#include "plugin/walk.hh"

extern "C"
{
#include "ir/handed.h"
#include "ir/verify.h"
}

/* A gradient that waits for its function, or, when that is done, was written
   or not.  */
typedef struct waiting
{
  const tns_wish *wish;
  const tns_options *options;
  bool done;
  bool written;
} waiting;

/* What is waiting: the prototypes as a chain whose purposes are the functions'
   names, values the prototypes, types the functions once they are declared;
   the same in the same order.  */
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

/* How a gradient is compiled: planned; planned, with as little memory as can
   be; with care; with care, in parts within a limit; or read only, with care,
   whatever the pragma says of memory.  */
typedef enum kind
{
  PLANNED,
  LEAN,
  CAREFUL,
  LIMITED,
  WHOLE
} kind;

/* What the pragma says of memory.  */
static tns_checkpoint_wish
checkpoint_of (const tns_derivation *d, kind how)
{
  const tns_wish_derived *asked = &d->wish->derived;
  tns_checkpoint_wish wish = {};
  if (how == WHOLE)
    return wish;
  wish.kept = asked->checkpoint;
  wish.bytes = d->unbound ? 0 : asked->memory;
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

/* F's region in CTX, derived as WISH, which is filled here, says, with its
   SYMBOLS; kept for those who derive G.  NULL with the reason said, or where it
   has no time loop to bound, and is not yet UNBOUND.  */
static tns_region *
derive_once (tns_derivation *d, tns_ctx *ctx, kind how, tns_symbols *symbols,
             tns_gradient_wish *wish)
{
  d->unsure = d->has_loop = false;
  wish->name = ctx->wish.name;
  wish->careful = ctx->flags.unguarded = how > LEAN;
  wish->lean = how == LEAN;
  wish->forward = d->wish->derived.forward;
  wish->checkpoint = checkpoint_of (d, how);
  wish->looks.may = !d->wish->derived.workspace && !d->unbound;
  tree call = BIND_EXPR_BODY (DECL_SAVED_TREE (d->g));
  tns_region *region = tns_extract_call (ctx, d->g, d->f, &call, symbols);
  d->has_calls = region && tns_region_called (region);
  region = tns_region_for_window (ctx, region, &d->window);
  if (!region || !tns_derive_check_const (d, region, symbols)
      || !tns_derive_wish (d, ctx, &region, symbols, wish)
      || !tns_derive_directions (d, ctx, region, symbols, wish)
      || !tns_derive_check_own (d))
    return NULL;
  region = tns_derive (ctx, region, wish);
  d->unsure = wish->unsure;
  d->has_loop = wish->checkpoint.has_loop;
  if (!region)
    return NULL;
  if (wish->checkpoint.bytes && !d->has_loop)
    return NULL;
  tns_derive_set_adjoints (d, ctx, symbols, wish, region, false);
  if (how != LIMITED && how != LEAN && !d->window.version && !d->has_calls
      && !wish->looks.region && !tns_checkpoint_is_asked (&wish->checkpoint))
    tns_keep_derived (d->g, how >= CAREFUL, region, symbols);
  tns_derive_set_adjoints (d, ctx, symbols, wish, region, true);
  set_bounds (d, ctx, symbols, &wish->checkpoint);
  tns_derive_set_looks (d, ctx, &wish->looks, symbols);
  return region;
}

/* Where nothing of D is kept yet for those who derive G, which goes over its
   time loop in parts: keep what does not.  */
static void
keep_whole (tns_derivation *d)
{
  if (tns_is_derived (d->g))
    return;
  tns_ctx *ctx = new_context (d);
  tns_gradient_wish wish = {};
  derive_once (d, ctx, WHOLE, tns_symbols_new (ctx->arena), &wish);
  tns_ctx_free (ctx);
}

/* The same; where memory is bounded, and there is no time loop, what all of it
   takes is bounded later.  */
static tns_region *
derive_region (tns_derivation *d, tns_ctx *ctx, kind how, tns_symbols *symbols,
               tns_gradient_wish *wish)
{
  tns_ctx before = *ctx;
  d->unbound = false;
  tns_region *region = derive_once (d, ctx, how, symbols, wish);
  if (region || !wish->checkpoint.bytes || d->has_loop || tns_verdict (ctx))
    return region;
  tns_take_back (ctx, &before);
  d->unbound = true;
  *wish = tns_gradient_wish ();
  *symbols = *tns_symbols_new (ctx->arena);
  return derive_once (d, ctx, how, symbols, wish);
}

/* REGION, planned, or, where HOW is careful, with plain loops.  */
static tns_result
plan (tns_ctx *ctx, kind how, tns_region *region)
{
  tns_result result = {};
  if (how <= LEAN)
    {
      ctx->flags.alone = true;
      return *tns_pipeline (ctx, region);
    }
  result.status = TNS_DONE;
  result.rare = how == LIMITED;
  result.in = region;
  result.out = tns_region_verify (ctx, region, "derive");
  return result;
}

/* The bytes of all memory that MADE takes.  */
static tree
all_bytes (const tns_generated &made)
{
  tree bytes = fold_convert (sizetype, unshare_expr (made.bytes));
  return size_binop (PLUS_EXPR, bytes,
                     fold_convert (sizetype, unshare_expr (made.automatic)));
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
  tns_region *region = derive_region (d, ctx, how, symbols, &wish);
  if (!region)
    return NULL_TREE;
  *result = plan (ctx, how, region);
  result->unguarded
    = wish.careful || tns_checkpoint_is_asked (&wish.checkpoint);
  if (result->kept && plain && result->out == result->in)
    return NULL_TREE;
  if (result->kept)
    result->out = tns_derive_guards (ctx, result->out);
  tns_generated made = {};
  tns_derive_use_workspace (d, ctx, result, symbols);
  tree call
    = tns_generic (ctx, result, symbols, d->g, plain ? plain : d->lack, &made);
  if (call)
    tns_derive_add_bytes (d, made.bytes);
  d->made = made.fn;
  if (call)
    d->way_bytes = all_bytes (made);
  return call && wish.looks.region
           ? tns_derive_look (d, ctx, &wish.looks, symbols, call)
           : call;
}

/* The gradient in CTX, planned, with PLAIN where it gives up, and then PLAIN's
   function hardly ever runs, unless the user asks for it.  NULL_TREE as
   above.  */
static tree
compile_planned (tns_derivation *d, tns_ctx *ctx, tree plain,
                 tns_result *result)
{
  tree careful = d->made;
  tree body = compile (d, ctx, PLANNED, plain, result);
  if (body && plain && !ctx->wish.check)
    tns_generic_is_rare (careful);
  return body;
}

/* The careful way PLAIN, where it may have the memory that it takes.  */
static tree
bound_plain (tns_derivation *d, tree plain)
{
  if (!plain || !d->unbound)
    return plain;
  tree stop = tns_derive_needs (d, d->way_bytes);
  return tns_derive_within_bytes (d, d->way_bytes, &plain, stop) ? plain
                                                                 : NULL_TREE;
}

/* The planned way BODY, whose careful one takes PLAIN bytes, or, NULL_TREE,
   bounds them itself, where it may have the memory that it takes, else one that
   takes as little as can be.  NULL_TREE with the error given where that is too
   much.  */
static tree
bound_planned (tns_derivation *d, tree body, tree plain)
{
  tns_result result = {};
  tree most = d->way_bytes;
  tree stop = tns_derive_needs (d, plain ? plain : most);
  tns_ctx *ctx = new_context (d);
  ctx->wish.check = false;
  tree lean = compile (d, ctx, LEAN, stop, &result);
  tree least = lean ? d->way_bytes : most;
  if (!lean)
    lean = tns_derive_needs (d, most);
  bool can = tns_derive_within_bytes (d, least, &lean, NULL_TREE)
             && tns_derive_within_bytes (d, most, &body, lean);
  tns_ctx_free (ctx);
  return can ? body : NULL_TREE;
}

/* What G does where there is no memory to tape everything: it gives up, or, if
   it has a time loop that nothing bounds, tapes less.  */
static tree
tape_less (tns_derivation *d)
{
  const tns_wish_derived *asked = &d->wish->derived;
  tree limited = NULL_TREE;
  if (d->has_loop && !asked->checkpoint && !asked->memory && !asked->workspace)
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

/* A gradient whose careful way is refused for WHY may have a planned one: there
   less is taped, and what is given stands.  */
static bool
may_do_without (tns_why why)
{
  return why == TNS_WHY_TEMPORARY || why == TNS_WHY_ENTRY;
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

/* BODY, which is planned, with versions for windows that move by few elements
   in front of it.  */
static tree
add_versions (tns_derivation *d, tns_ctx *ctx, tree body)
{
  bool unsure = d->unsure, has_loop = d->has_loop;
  long budget = ctx->wish.budget;
  ctx->wish.budget = budget ? budget : (long) TNS_WINDOW_BUDGET;
  d->window.version = ctx->plan_text ? 0 : d->window.most;
  for (; body && d->window.version > 0; d->window.version--)
    {
      tns_ctx before = *ctx;
      tns_result result = {};
      tree made = compile (d, ctx, PLANNED, body, &result);
      tns_take_back (ctx, &before);
      if (made)
        tns_note (ctx, ctx->wish.loc, "a version for %s: %s", d->window.words,
                  result.memory ? result.memory->words : "planned");
      body = made ? made : body;
    }
  ctx->wish.budget = budget;
  d->window.version = 0;
  d->unsure = unsure;
  d->has_loop = has_loop;
  return body;
}

/* BODY, which is planned, with kernels of the same in front of it where they
   are asked for and a device can do them; their RESULT.  */
static tree
add_device (tns_derivation *d, tns_ctx *ctx, tree body, tns_result *result)
{
  bool unsure = d->unsure, has_loop = d->has_loop;
  tree made = d->made, bytes = d->way_bytes;
  if (!body || ctx->wish.target == TNS_TARGET_CPU)
    {
      if (body)
        tns_precision_tell (ctx, NULL);
      return body;
    }
  tns_result own = {};
  tns_ctx *device = tns_device_context (ctx);
  device->kernels = tns_kernels_name (ctx, d->g);
  tree first = compile (d, device, PLANNED, body, &own);
  tns_device_tell (ctx, device, &own);
  if (first)
    tns_device_save (device, &own);
  result->grid = own.grid;
  d->on_device = first != NULL_TREE;
  d->unsure = unsure;
  d->has_loop = has_loop;
  d->made = made;
  d->way_bytes = bytes;
  return first ? first : body;
}

/* Write the gradient of D.  */
static void
define (tns_derivation *d)
{
  tns_result planned = {};
  tns_result careful = {};
  int n_errors = errorcount;
  if (!tns_derive_check_result (d) || !tns_derive_arguments (d)
      || !tns_derive_check_workspace (d))
    return;
  location_t place = input_location;
  TREE_USED (d->f) = 1;
  tns_derive_open (d, tns_derive_call (d));
  tns_ctx *first = new_context (d);
  tns_ctx *second = new_context (d);
  first->wish.check = false;
  tree lack = d->lack = build3 (COND_EXPR, void_type_node, boolean_true_node,
                                NULL_TREE, NULL_TREE);
  TREE_SIDE_EFFECTS (lack) = 1;
  tree plain
    = bound_plain (d, compile (d, first, CAREFUL, NULL_TREE, &careful));
  tree plain_bytes = d->unbound ? d->way_bytes : NULL_TREE;
  const tns_remark *reason = tns_verdict (first);
  bool unsure = d->unsure;
  bool goes_on
    = !d->has_calls && (plain || (reason && may_do_without (reason->why)));
  tree body = NULL_TREE;
  second->wish.check &= plain != NULL_TREE;
  if (goes_on)
    body = compile_planned (d, second, plain, &planned);
  if (body && plain && d->unbound)
    body = bound_planned (d, body, plain_bytes);
  else
    body = add_device (d, second, add_versions (d, second, body), &planned);
  bool is_sure = !unsure || tns_verdict (second) == NULL;
  body = body ? body : is_sure ? plain : NULL_TREE;
  if (body && tns_derive_check_bytes (d))
    {
      COND_EXPR_THEN (lack) = tape_less (d);
      keep_whole (d);
      tns_derive_check (d);
      tns_derive_close (d, body);
      tns_derive_keep_bytes (d);
    }
  else
    tns_derive_drop (d);
  tns_ctx *last = goes_on ? second : first;
  if (plain && d->has_calls)
    {
      planned = careful;
      planned.kept = true;
      tns_note (first, first->wish.loc,
                "calls of functions that work on arrays stay, and the loops "
                "between them as they are");
    }
  if (!planned.out)
    planned.status = last->status;
  tell (d, last, &planned, body != NULL_TREE, errorcount > n_errors);
  input_location = place;
  tns_ctx_free (first);
  tns_ctx_free (second);
}

/* The prototype that entry K of the table is about, a link of the chain.  */
static tree
link_of (int k)
{
  tree at = prototypes;
  for (int n = n_waiting - 1; n > k; n--)
    at = TREE_CHAIN (at);
  return at;
}

/* The function that entry K is derived from, NULL_TREE: not declared yet.  */
static tree
function_of (int k)
{
  tree link = link_of (k);
  tree f = TREE_TYPE (link);
  if (!f)
    f = identifier_global_value (TREE_PURPOSE (link));
  if (f && TREE_CODE (f) == FUNCTION_DECL)
    TREE_TYPE (link) = f;
  return TREE_TYPE (link);
}

/* The entry of the prototype FNDECL that still waits, or -1.  */
static int
find_waiting (tree fndecl)
{
  for (int k = 0; k < n_waiting; k++)
    if (!table[k].done
        && DECL_NAME (TREE_VALUE (link_of (k))) == DECL_NAME (fndecl))
      return k;
  return -1;
}

/* A look through bodies for calls of what waits.  */
typedef struct waiting_calls
{
  auto_vec<tree> seen;
  auto_vec<int> found;
} waiting_calls;

static void find_calls (tree f, waiting_calls *calls);

/* walk_tree's visitor.  */
static tree
visit_call (tree *at, int *, void *self)
{
  waiting_calls *calls = (waiting_calls *) self;
  tree callee
    = TREE_CODE (*at) == CALL_EXPR ? get_callee_fndecl (*at) : NULL_TREE;
  if (callee && !calls->seen.contains (callee))
    find_calls (callee, calls);
  return NULL_TREE;
}

/* What waits and F is or calls.  */
static void
find_calls (tree f, waiting_calls *calls)
{
  int k = find_waiting (f);
  tree body = tns_kept_body (f);
  calls->seen.safe_push (f);
  if (k >= 0)
    calls->found.safe_push (k);
  else if (body)
    walk_tree_without_duplicates (&body, visit_call, calls);
}

/* Entry FROM waits for entry K, or for what waits for it; WAYS is how many
   steps that may take at most.  */
static bool
waits_for (int from, int k, int ways)
{
  waiting_calls calls;
  tree f = function_of (from);
  if (f)
    find_calls (f, &calls);
  for (unsigned i = 0; i < calls.found.length (); i++)
    if (calls.found[i] == k
        || (ways > 0 && waits_for (calls.found[i], k, ways - 1)))
      return true;
  return false;
}

/* Write entry K if all that it needs is there.  */
static bool
write_if_ready (int k)
{
  waiting_calls calls;
  tree f = function_of (k);
  if (!table[k].done && tns_is_unfit (f))
    {
      table[k].done = true;
      tns_complain_unfit (f, tns_wish_mode (table[k].wish));
    }
  if (table[k].done || !f || !(tns_kept_body (f) || tns_is_derived (f)))
    return false;
  find_calls (f, &calls);
  if (calls.found.length () > 0)
    return false;
  tns_derivation d = {};
  d.g = TREE_VALUE (link_of (k));
  d.f = f;
  d.wish = table[k].wish;
  d.options = table[k].options;
  table[k].done = true;
  define (&d);
  table[k].written = DECL_RESULT (d.g) != NULL_TREE;
  return true;
}

/* Write what can be written, in the order of the pragmas; what waits for
   itself is an error.  */
static void
write_waiting (void)
{
  for (int k = 0; k < n_waiting; k++)
    if (write_if_ready (k))
      k = -1;
  for (int k = 0; k < n_waiting; k++)
    if (!table[k].done && waits_for (k, k, n_waiting))
      {
        error_at (tns_derive_place (table[k].wish),
                  "the %s of %qE needs itself", tns_wish_mode (table[k].wish),
                  TREE_PURPOSE (link_of (k)));
        table[k].done = true;
      }
}

void
tns_derive_declare (tree fndecl, const tns_wish *wish,
                    const tns_options *options)
{
  tree name = get_identifier (wish->derived.function);
  prototypes = tree_cons (name, fndecl, prototypes);
  table = XRESIZEVEC (waiting, table, n_waiting + 1);
  table[n_waiting++] = { wish, options, false, false };
  tns_derivative_offer (fndecl, wish);
  tree f = lookup_name (name);
  if (f && TREE_CODE (f) != FUNCTION_DECL)
    error_at ((location_t) wish->derived.loc.handle, "%qE is no function",
              name);
  else
    write_waiting ();
  tns_derive_declared ();
}

void
tns_derive_declared (void)
{
  for (int k = 0; k < n_waiting; k++)
    function_of (k);
}

void
tns_derive_function (tree fndecl)
{
  tns_derive_declared ();
  if (prototypes && (tns_kept_body (fndecl) || tns_is_unfit (fndecl)))
    write_waiting ();
}

/* F is a gradient that was written, but may not be derived.  */
static bool
is_last (tree f)
{
  bool found = false;
  for (int k = 0; k < n_waiting; k++)
    found |= table[k].written
             && DECL_NAME (TREE_VALUE (link_of (k))) == DECL_NAME (f);
  return found && !tns_is_derived (f);
}

/* PLUGIN_FINISH_UNIT: what calls a derived function that never came, derives
   one that may not be, or one that nobody declared.  */
static void
complain_of_waiting (void *, void *)
{
  for (int k = 0; k < n_waiting; k++)
    {
      waiting_calls calls;
      tree f = table[k].done ? NULL_TREE : function_of (k);
      if (!table[k].done && !TREE_TYPE (link_of (k)))
        error_at ((location_t) table[k].wish->derived.loc.handle,
                  "%qE is not declared in this file",
                  TREE_PURPOSE (link_of (k)));
      if (f && is_last (f))
        error_at (tns_derive_place (table[k].wish),
                  "no %s of %qD: it calls functions that work on arrays, or "
                  "looks for its indices first",
                  tns_wish_mode (table[k].wish), f);
      if (!f || !tns_kept_body (f))
        continue;
      find_calls (f, &calls);
      if (calls.found.length () == 0)
        continue;
      error_at (tns_derive_place (table[k].wish),
                "no %s of %qD: it calls %qD, which has not been written",
                tns_wish_mode (table[k].wish), f,
                TREE_VALUE (link_of (calls.found[0])));
    }
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
  register_callback (plugin_name, PLUGIN_FINISH_UNIT, complain_of_waiting,
                     NULL);
  tns_derive_memory_register (plugin_name);
}
