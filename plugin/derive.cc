/* Gradients, as plugin/derive.hh shows them.

   1. call     f is read as if the gradient called it: an argument for each of
               its parameters, the gradient's own of that name, else a pointer
               that nothing is read through
   2. derive   driver/differentiate.c makes the gradient of that region
   3. compile  twice: planned, and with care; the second is what runs where a
               guard of the first does not hold
   4. define   the prototype gets the body  */

#include "plugin/derive.hh"

#include "lowering/generic.hh"
#include "plugin/extract.hh"
#include "plugin/keep.hh"
#include "plugin/report.hh"
#include "plugin/walk.hh"

extern "C"
{
#include "driver/differentiate.h"
#include "ir/exchange.h"
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

/* The gradient G of F.

   binding    its BIND_EXPR's variables, last first
   parms      F's parameters
   arguments  by parameter of F: what it is called with
   absent     by parameter of F: that is nothing of the caller's
   result     the variable that F's result goes to, or NULL_TREE
   seed       the variable that its adjoint comes in, or NULL_TREE
   unsure     the last way that was compiled does not know whether what an
              array held at the entry is read  */
typedef struct derivation
{
  tree g;
  tree f;
  const tns_wish *wish;
  const tns_options *options;
  tree variables;
  tree result;
  tree seed;
  bool unsure;
  auto_vec<tree> parms;
  auto_vec<tree> arguments;
  auto_vec<bool> absent;
} derivation;

/* The place of the pragma.  */
static location_t
place_of (const tns_wish *wish)
{
  return (location_t) wish->loc.handle;
}

/* The parameter of G called NAME, or NULL_TREE.  */
static tree
find_parameter (tree fndecl, const char *name)
{
  for (tree parm = DECL_ARGUMENTS (fndecl); parm; parm = DECL_CHAIN (parm))
    if (DECL_NAME (parm)
        && !strcmp (IDENTIFIER_POINTER (DECL_NAME (parm)), name))
      return parm;
  return NULL_TREE;
}

/* A variable of G of TYPE, called NAME.  */
static tree
new_variable (derivation *d, tree name, tree type)
{
  tree made = build_decl (place_of (d->wish), VAR_DECL, name, type);
  DECL_CONTEXT (made) = d->g;
  DECL_ARTIFICIAL (made) = 1;
  TREE_USED (made) = 1;
  tns_gcc_quiet (made);
  DECL_CHAIN (made) = d->variables;
  d->variables = made;
  return made;
}

/* A pointer to elements as those of PARM, F's, which nobody sets.  */
static tree
pointer_like (derivation *d, tree parm)
{
  tree elem = strip_array_types (TREE_TYPE (TREE_TYPE (parm)));
  return new_variable (d, DECL_NAME (parm), build_pointer_type (elem));
}

/* Find what F's parameters are called with.  False with the error given.  */
static bool
find_arguments (derivation *d)
{
  for (tree parm = tns_kept_parms (d->f); parm; parm = DECL_CHAIN (parm))
    {
      const char *name = IDENTIFIER_POINTER (DECL_NAME (parm));
      tree given = find_parameter (d->g, name);
      bool is_pointer = POINTER_TYPE_P (TREE_TYPE (parm));
      if (!given && !is_pointer)
        {
          error_at (place_of (d->wish),
                    "the gradient of %qD lacks its parameter %qs", d->f, name);
          return false;
        }
      d->parms.safe_push (parm);
      d->absent.safe_push (!given);
      d->arguments.safe_push (given ? given : pointer_like (d, parm));
    }
  return true;
}

/* The call of F; its result, if it has one, goes to a variable.  */
static tree
call_of (derivation *d)
{
  auto_vec<tree> given;
  tree type = TREE_TYPE (TREE_TYPE (d->f));
  for (unsigned k = 0; k < d->arguments.length (); k++)
    given.safe_push (fold_convert (TREE_TYPE (d->parms[k]), d->arguments[k]));
  tree call = build_call_array_loc (place_of (d->wish), type,
                                    build_fold_addr_expr (d->f),
                                    given.length (), given.address ());
  if (!SCALAR_FLOAT_TYPE_P (type))
    return call;
  d->result = new_variable (d, get_identifier ("result"), type);
  d->seed = new_variable (d, get_identifier ("seed"), type);
  TREE_ADDRESSABLE (d->result) = 1;
  return build2 (MODIFY_EXPR, type, d->result, call);
}

/* Make G's prototype a function whose body is BODY, for now.  */
static void
open_definition (derivation *d, tree body)
{
  tns_build_open (d->g);
  for (tree parm = DECL_ARGUMENTS (d->g); parm; parm = DECL_CHAIN (parm))
    {
      DECL_CONTEXT (parm) = d->g;
      if (!DECL_ARG_TYPE (parm))
        DECL_ARG_TYPE (parm) = TREE_TYPE (parm);
      layout_decl (parm, 0);
      TREE_USED (parm) = 1;
    }
  DECL_SAVED_TREE (d->g)
    = build3 (BIND_EXPR, void_type_node, NULL_TREE, body, DECL_INITIAL (d->g));
  TREE_SIDE_EFFECTS (DECL_SAVED_TREE (d->g)) = 1;
}

/* G stays a declaration.  */
static void
drop_definition (derivation *d)
{
  DECL_SAVED_TREE (d->g) = NULL_TREE;
  DECL_INITIAL (d->g) = NULL_TREE;
  DECL_RESULT (d->g) = NULL_TREE;
}

/* The tree that SYM's memory begins at, or its value is, conversions apart.  */
static tree
root_of (const tns_symbols *symbols, const tns_sym *sym)
{
  tree root = tns_symbols_get (symbols, sym);
  if (root)
    STRIP_NOPS (root);
  return root;
}

/* The parameter of REGION that is at ROOT, or NULL.  */
static tns_sym *
symbol_at (const tns_region *region, const tns_symbols *symbols, tree root)
{
  for (int k = 0; root && k < region->n_params; k++)
    if (root_of (symbols, region->params[k]) == root)
      return region->params[k];
  return NULL;
}

/* The symbol of REGION that stands for what F calls NAME, or NULL.  */
static tns_sym *
find_symbol (const derivation *d, const tns_region *region,
             const tns_symbols *symbols, const char *name)
{
  if (!strcmp (name, "return"))
    return symbol_at (region, symbols, d->result);
  for (unsigned k = 0; k < d->parms.length (); k++)
    if (!strcmp (IDENTIFIER_POINTER (DECL_NAME (d->parms[k])), name))
      return symbol_at (region, symbols, d->arguments[k]);
  return NULL;
}

/* What a VALUE becomes.  */
typedef struct cell_of_value
{
  tns_arena *arena;
  const tns_sym *value;
  tns_sym *cell;
} cell_of_value;

/* The changer of expressions: the cell's value for the VALUE.  */
static tns_expr *
read_cell (tns_expr *expr, void *self)
{
  const cell_of_value *c = (const cell_of_value *) self;
  return expr->op == TNS_SYM && expr->sym == c->value
           ? tns_cell (c->arena, c->cell)
           : expr;
}

/* The changer of whole expressions.  */
static tns_expr *
read_cells (tns_expr *expr, void *self)
{
  const cell_of_value *c = (const cell_of_value *) self;
  return tns_expr_rebuild (c->arena, expr, read_cell, self);
}

/* REGION with the VALUE SYM as a cell, so that it may have an adjoint.  */
static tns_region *
with_cell (tns_ctx *ctx, const tns_region *region, tns_sym *sym)
{
  tns_sym *cell = TNS_NEW (ctx->arena, tns_sym);
  *cell = *sym;
  cell->kind = TNS_SYM_ARRAY;
  cell->flags = TNS_SYM_CONST | TNS_SYM_OBJECT;
  cell_of_value c = { ctx->arena, sym, cell };
  return tns_region_exchange (ctx->arena, region, sym, cell, read_cells, &c);
}

/* The adjoint that NAME speaks of is a parameter of G as it must be.  False
   with the error given.  */
static bool
check_adjoint (const derivation *d, const tns_wish_name *name)
{
  bool is_result = !strcmp (name->name, "return");
  tree adjoint = find_parameter (d->g, name->other);
  if (adjoint
      && (is_result ? SCALAR_FLOAT_TYPE_P (TREE_TYPE (adjoint))
                    : POINTER_TYPE_P (TREE_TYPE (adjoint))))
    return true;
  error_at ((location_t) name->loc.handle,
            is_result ? G_ ("%qs is no number among the parameters of %qD")
                      : G_ ("%qs is no pointer among the parameters of %qD"),
            name->other, d->g);
  return false;
}

/* SYM, a symbol of REGION, has the adjoint that NAME speaks of.  */
static void
add_seed (const derivation *d, const tns_region *region, const tns_sym *sym,
          const tns_wish_name *name, bool of, tns_gradient_wish *wish)
{
  tree adjoint = find_parameter (d->g, name->other);
  int at = 0;
  while (at < wish->n_seeds && wish->seed[at].sym->id != sym->id)
    at++;
  tns_seed *seed = &wish->seed[at];
  seed->sym = region->syms[sym->id];
  seed->name = name->other;
  seed->loc = name->loc;
  seed->of |= of;
  seed->wrt |= !of;
  seed->restricted = !POINTER_TYPE_P (TREE_TYPE (adjoint))
                     || TYPE_RESTRICT (TREE_TYPE (adjoint));
  wish->n_seeds = MAX (wish->n_seeds, at + 1);
}

/* The names in LIST, each with its adjoint's, into WISH.  False with the error
   given.  */
static bool
add_seeds (const derivation *d, tns_ctx *ctx, tns_region **region,
           const tns_symbols *symbols, const tns_wish_list *list, bool of,
           tns_gradient_wish *wish)
{
  for (int k = 0; k < list->n; k++)
    {
      const tns_wish_name *name = &list->names[k];
      tns_sym *sym = find_symbol (d, *region, symbols, name->name);
      if (!check_adjoint (d, name))
        return false;
      if (!sym)
        continue;
      if (!tns_elem_is_float (sym->type.elem))
        {
          error_at ((location_t) name->loc.handle, "%qs is no floating value",
                    name->name);
          return false;
        }
      if (sym->kind == TNS_SYM_VALUE)
        *region = with_cell (ctx, *region, sym);
      add_seed (d, *region, sym, name, of, wish);
    }
  return true;
}

/* What the pragma asks of REGION.  False with the error given.  */
static bool
read_wish (const derivation *d, tns_ctx *ctx, tns_region **region,
           const tns_symbols *symbols, tns_gradient_wish *wish)
{
  const tns_wish_derived *asked = &d->wish->derived;
  int n = asked->of.n + asked->wrt.n + (int) d->parms.length () + 1;
  wish->seed = TNS_NEW_ARRAY (ctx->arena, tns_seed, n);
  wish->absent = TNS_NEW_ARRAY (ctx->arena, tns_sym *, n);
  wish->given = TNS_NEW_ARRAY (ctx->arena, tns_sym *, asked->given.n + 1);
  if (!add_seeds (d, ctx, region, symbols, &asked->of, true, wish)
      || !add_seeds (d, ctx, region, symbols, &asked->wrt, false, wish))
    return false;
  for (unsigned k = 0; k <= d->parms.length (); k++)
    {
      bool is_result = k == d->parms.length ();
      tns_sym *sym
        = symbol_at (*region, symbols, is_result ? d->result : d->arguments[k]);
      if (sym && (is_result || d->absent[k]))
        wish->absent[wish->n_absent++] = sym;
    }
  for (int k = 0; k < asked->given.n; k++)
    {
      tns_sym *sym
        = find_symbol (d, *region, symbols, asked->given.names[k].name);
      if (sym)
        wish->given[wish->n_given++] = sym;
    }
  return true;
}

/* Tell SYMBOLS the adjoints of WISH.  */
static void
set_adjoints (const derivation *d, tns_ctx *ctx, tns_symbols *symbols,
              const tns_gradient_wish *wish)
{
  for (int k = 0; k < wish->n_seeds; k++)
    {
      const tns_seed *seed = &wish->seed[k];
      tree pointer = find_parameter (d->g, seed->name);
      if (!seed->adjoint)
        continue;
      if (!POINTER_TYPE_P (TREE_TYPE (pointer)))
        pointer = d->seed;
      else if (seed->adjoint->rank == 0)
        pointer = build_simple_mem_ref (pointer);
      tns_symbols_set (ctx->arena, symbols, seed->adjoint, pointer);
    }
}

/* The gradient in CTX as a statement that calls it, with ELSEWHERE where it
   gives up; careful or planned.  NULL_TREE with the reason said, or where the
   planner leaves it as it is.  */
static tree
compile (derivation *d, tns_ctx *ctx, bool careful, tree elsewhere,
         tns_result *result)
{
  tns_symbols *symbols = tns_symbols_new (ctx->arena);
  tns_gradient_wish wish = {};
  d->unsure = false;
  wish.careful = careful;
  tree call = BIND_EXPR_BODY (DECL_SAVED_TREE (d->g));
  tns_region *region = tns_extract_call (ctx, d->g, d->f, &call, symbols);
  if (!region || !read_wish (d, ctx, &region, symbols, &wish))
    return NULL_TREE;
  region = tns_derive (ctx, region, &wish);
  d->unsure = wish.unsure;
  if (!region)
    return NULL_TREE;
  set_adjoints (d, ctx, symbols, &wish);
  if (careful)
    {
      result->status = TNS_DONE;
      result->in = region;
      result->out = tns_region_verify (ctx, region, "gradient");
    }
  else
    *result = *tns_pipeline (ctx, region);
  if (result->kept)
    return NULL_TREE;
  return tns_generic (ctx, result, symbols, d->g, elsewhere);
}

/* A call of dprintf, to stderr, of why G cannot be computed.  */
static tree
message_of (derivation *d)
{
  static const char format[]
    = "%s: no memory for the gradient, or arrays overlap\n";
  tree text = build_pointer_type (char_type_node);
  tree type = build_varargs_function_type_list (
    integer_type_node, integer_type_node, text, NULL_TREE);
  const char *name = IDENTIFIER_POINTER (DECL_NAME (d->g));
  return build_call_expr_loc (place_of (d->wish),
                              build_fn_decl ("dprintf", type), 3,
                              build_int_cst (integer_type_node, STDERR_FILENO),
                              build_string_literal (sizeof format, format),
                              build_string_literal (strlen (name) + 1, name));
}

/* RESULT = VALUE, and the end of G.  */
static tree
return_of (const derivation *d, int value)
{
  tree type = TREE_TYPE (TREE_TYPE (d->g));
  tree set = build2 (MODIFY_EXPR, type, DECL_RESULT (d->g),
                     build_int_cst (type, value));
  tree back = build1 (RETURN_EXPR, void_type_node, set);
  TREE_SIDE_EFFECTS (back) = 1;
  return back;
}

/* What is done when there is no memory: G returns 1, or the program ends with a
   message.  */
static tree
give_up (derivation *d)
{
  tree list = NULL_TREE;
  if (!VOID_TYPE_P (TREE_TYPE (TREE_TYPE (d->g))))
    return return_of (d, 1);
  append_to_statement_list (message_of (d), &list);
  tree stop = builtin_decl_explicit (BUILT_IN_ABORT);
  append_to_statement_list (build_call_expr_loc (place_of (d->wish), stop, 0),
                            &list);
  return list;
}

/* Tell what came of it, as CTX and RESULT say; nothing is an error, of which
   the user may know already.  */
static void
tell (const derivation *d, tns_ctx *ctx, const tns_result *result,
      bool is_there, bool is_told)
{
  const tns_remark *reason = tns_verdict (ctx);
  if (is_told)
    return;
  if (!is_there && reason)
    tns_insist (ctx, tns_arena_format (ctx->arena, "no gradient of %s: %s",
                                       IDENTIFIER_POINTER (DECL_NAME (d->f)),
                                       reason->words));
  tns_report (ctx, d->options, result, d->g);
}

/* The parameter that the adjoint of F's result comes in, or NULL_TREE.  */
static tree
seed_of_result (const derivation *d)
{
  const tns_wish_list *of = &d->wish->derived.of;
  for (int k = 0; k < of->n; k++)
    if (!strcmp (of->names[k].name, "return"))
      return find_parameter (d->g, of->names[k].other);
  return NULL_TREE;
}

/* G is BODY, and what stands around it.  */
static void
close_definition (derivation *d, tree body)
{
  tree list = NULL_TREE;
  tree given = seed_of_result (d);
  if (given)
    append_to_statement_list (
      build2 (MODIFY_EXPR, TREE_TYPE (d->seed), d->seed,
              fold_convert (TREE_TYPE (d->seed), given)),
      &list);
  append_to_statement_list (body, &list);
  if (!VOID_TYPE_P (TREE_TYPE (TREE_TYPE (d->g))))
    append_to_statement_list (return_of (d, 0), &list);
  DECL_EXTERNAL (d->g) = 0;
  TREE_STATIC (d->g) = 1;
  DECL_SAVED_TREE (d->g) = NULL_TREE;
  tns_build_finish (d->g, d->variables, list);
}

/* Write the gradient of D.  */
static void
define (derivation *d)
{
  tns_result planned = {};
  tns_result careful = {};
  int n_errors = errorcount;
  if (!find_arguments (d))
    return;
  location_t place = input_location;
  open_definition (d, call_of (d));
  tns_ctx *first = tns_context_new (d->options, d->wish);
  tns_ctx *second = tns_context_new (d->options, d->wish);
  tree plain = compile (d, first, true, give_up (d), &careful);
  const tns_remark *reason = tns_verdict (first);
  bool unsure = d->unsure;
  bool goes_on = plain || (reason && reason->why == TNS_WHY_TEMPORARY);
  tree body = NULL_TREE;
  if (goes_on)
    body = compile (d, second, false, plain ? plain : give_up (d), &planned);
  bool is_sure = !unsure || tns_verdict (second) == NULL;
  body = body ? body : is_sure ? plain : NULL_TREE;
  if (body)
    close_definition (d, body);
  else
    drop_definition (d);
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
      derivation d = {};
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
