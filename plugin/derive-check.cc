/* Gradients that can be checked at run time (TRM_GRADCHECK).

     static struct trm_gradient f_gradient.check
       = { 0, "what the rows are", reach, primal, other, again, exact, call };

     void f_gradient (int n, const float *x, const float *dy, float *dx)
     {
       if (f_gradient.check.state)
         {
           at[0] = &n; at[1] = x; at[2] = y; at[3] = dy; at[4] = dx;
           trm_gradient_enter (&f_gradient.check, at);
         }
       the gradient
       if (f_gradient.check.state)
         trm_gradient_leave (&f_gradient.check);
     }

   The rows of at are the parameters of the region that f is, then the
   adjoints.  The functions get such rows of any memory:

     static int f_gradient.check.primal (void **at, long *reach)
     {
       return f_gradient.tensor.2 (*(int *) at[0], at[1], ...);
     }

   Of several directions the rows are those of the last one.

   primal, other and exact in double, whatever the user's numbers are; again and
   exact are the gradient, with plain loops; other is the tangent, of a tangent
   the gradient; reach as driver/reach.h says.  */

#include "lowering/site.hh"
#include "plugin/derive-inside.hh"
#include "plugin/extract.hh"
#include "plugin/walk.hh"

extern "C"
{
#include "base/text.h"
#include "driver/reach.h"
#include "ir/verify.h"
#include "ir/retype.h"
#include "libtensorrt-mini/abi.h"
}

enum
{
  FUNCTIONS = 6
};

static_assert (int (TNS_REACH_ROW) == TRM_REACH_ROW,
               "the runtime reads the rows that the compiler writes");

/* What is being made.

   region   f, as its gradient calls it
   symbols  its trees, those of adjoints by seed in D
   wish     what its gradient is asked
   object   the trm_gradient
   at       the rows, a variable  */
typedef struct checking
{
  tns_derivation *d;
  tns_ctx *ctx;
  tns_region *region;
  tns_symbols *symbols;
  tns_gradient_wish wish;
  tree object;
  tree at;
} checking;

/* The number of rows of C.  */
static int
count_rows (const checking *c)
{
  return c->region->n_params + c->wish.n_seeds;
}

/* SYM, of C's region, is among SYMS[0..N).  */
static bool
is_among (const tns_sym *sym, tns_sym *const *syms, int n)
{
  for (int k = 0; k < n; k++)
    if (syms[k]->id == sym->id)
      return true;
  return false;
}

/* The seed K of C as one of REGION, C's own or a wider one: without adjoint
   yet.  */
static tns_seed
fresh_seed (const checking *c, const tns_region *region, int k)
{
  tns_seed seed = c->wish.seed[k];
  seed.sym = region->syms[seed.sym->id];
  seed.adjoint = NULL;
  seed.clear = false;
  return seed;
}

/* What REGION, C's own or a wider one, is asked: careful, nothing given,
   nothing absent.  */
static tns_gradient_wish
fresh_wish (const checking *c, const tns_region *region, bool forward)
{
  tns_gradient_wish wish = {};
  int n = c->wish.n_seeds;
  wish.name = c->wish.name;
  wish.careful = true;
  wish.forward = forward;
  wish.n_seeds = n;
  wish.seed = TNS_NEW_ARRAY (c->ctx->arena, tns_seed, n + 1);
  for (int k = 0; k < n; k++)
    wish.seed[k] = fresh_seed (c, region, k);
  return wish;
}

/* Row K of the parameter AT of a function, as SYM: a value, a cell, or an
   address.  */
static tree
row_as (tree at, int k, const tns_sym *sym)
{
  tree elem = tns_type_tree (sym->type);
  tree pointer = build_pointer_type (elem);
  tree place = fold_build_pointer_plus_hwi (at, k * POINTER_SIZE_UNITS);
  tree row = build_simple_mem_ref (
    fold_convert (build_pointer_type (ptr_type_node), place));
  row = fold_convert (pointer, row);
  bool is_array = sym->kind == TNS_SYM_ARRAY && sym->rank > 0;
  return is_array ? row : build_simple_mem_ref (row);
}

/* The trees of the symbols of MADE, which is made of C's region with adjoints
   as SEED says (NULL: none), in a function of AT.  */
static tns_symbols *
rows_as_symbols (const checking *c, tree at, const tns_region *made,
                 const tns_seed *seed)
{
  tns_arena *arena = c->ctx->arena;
  tns_symbols *symbols = tns_symbols_new (arena);
  int n = c->region->n_params;
  for (int k = 0; k < c->region->n_syms; k++)
    if (made->syms[k]->kind == TNS_SYM_FUNCTION)
      tns_symbols_set (arena, symbols, made->syms[k],
                       tns_symbols_get (c->symbols, c->region->syms[k]));
  for (int k = 0; k < n; k++)
    {
      const tns_sym *sym = made->syms[c->region->params[k]->id];
      tns_symbols_set (arena, symbols, sym, row_as (at, k, sym));
    }
  for (int k = 0; seed && k < c->wish.n_seeds; k++)
    if (seed[k].adjoint)
      tns_symbols_set (arena, symbols, seed[k].adjoint,
                       row_as (at, n + k, seed[k].adjoint));
  return symbols;
}

/* A parameter of FN of TYPE, in front of its others.  */
static tree
add_parameter (tree fn, const char *name, tree type)
{
  tree parm
    = build_decl (BUILTINS_LOCATION, PARM_DECL, get_identifier (name), type);
  DECL_ARG_TYPE (parm) = type;
  DECL_CONTEXT (parm) = fn;
  TREE_USED (parm) = 1;
  layout_decl (parm, 0);
  DECL_CHAIN (parm) = DECL_ARGUMENTS (fn);
  DECL_ARGUMENTS (fn) = parm;
  return parm;
}

/* An empty function beside the gradient, int (void **at, long *reach).  */
static tree
open_function (const checking *c, const char *word)
{
  tree type = build_function_type_list (
    integer_type_node, build_pointer_type (ptr_type_node),
    build_pointer_type (long_integer_type_node), NULL_TREE);
  const char *name = ACONCAT (
    (IDENTIFIER_POINTER (DECL_NAME (c->d->g)), ".check.", word, NULL));
  tree fn = tns_build_function (get_identifier (name), type);
  SET_DECL_ASSEMBLER_NAME (fn, get_identifier (name));
  add_parameter (fn, "reach", build_pointer_type (long_integer_type_node));
  add_parameter (fn, "at", build_pointer_type (ptr_type_node));
  return fn;
}

/* FN returns VALUE.  */
static tree
return_of (tree fn, tree value)
{
  tree set = build2 (MODIFY_EXPR, integer_type_node, DECL_RESULT (fn), value);
  tree back = build1 (RETURN_EXPR, void_type_node, set);
  TREE_SIDE_EFFECTS (back) = 1;
  return back;
}

/* The address of a function called WORD that runs MADE, whose parameter REACH
   (NULL: none) is its second, on rows that do not overlap; NULL_TREE with the
   reason said.  */
static tree
make_function (const checking *c, const char *word, tns_region *made,
               const tns_seed *seed, const tns_sym *reach)
{
  if (!made)
    return NULL_TREE;
  tree fn = open_function (c, word);
  tree at = DECL_ARGUMENTS (fn);
  tns_symbols *symbols = rows_as_symbols (c, at, made, seed);
  if (reach)
    tns_symbols_set (c->ctx->arena, symbols, reach, DECL_CHAIN (at));
  made = tns_region_copy (c->ctx->arena, made);
  made->n_overlaps = 0;
  tns_result result = {};
  result.status = TNS_DONE;
  result.rare = true;
  result.unguarded = true;
  result.in = result.out = made;
  tree call = tns_generic_call (c->ctx, &result, symbols, c->d->g);
  if (!call)
    return NULL_TREE;
  tns_build_finish (fn, NULL_TREE, return_of (fn, call));
  return fold_convert (ptr_type_node, build_fold_addr_expr (fn));
}

/* The derivative of REGION, C's own or a wider one, as a function; where it
   cannot be careful, rows do not overlap.  */
static tree
make_derivative (const checking *c, const char *word, tns_region *region,
                 bool forward)
{
  if (!region)
    return NULL_TREE;
  tns_gradient_wish wish = fresh_wish (c, region, forward);
  tns_region *made = tns_derive (c->ctx, region, &wish);
  if (!made)
    {
      wish = fresh_wish (c, region, forward);
      wish.careful = false;
      made = tns_derive_guards (c->ctx, tns_derive (c->ctx, region, &wish));
    }
  if (made)
    made = tns_region_verify (c->ctx, made, "derive");
  return make_function (c, word, made, wish.seed, NULL);
}

/* What the user calls the adjoint of seed K of C: dx; dp->w of what he calls
   p->w.  */
static const char *
adjoint_words (const checking *c, int k)
{
  const char *value = tns_sym_words (c->wish.seed[k].sym);
  tree base = c->d->adjoints[k];
  while (CONVERT_EXPR_P (base))
    base = TREE_OPERAND (base, 0);
  bool is_whole = DECL_P (base);
  while (EXPR_P (base))
    base = TREE_OPERAND (base, 0);
  if (is_whole || !DECL_P (base) || !DECL_NAME (base))
    return c->wish.seed[k].name;
  while (ISIDNUM (*value))
    value++;
  return tns_arena_format (c->ctx->arena, "%s%s",
                           IDENTIFIER_POINTER (DECL_NAME (base)), value);
}

/* What stands in the text for row K of C: the letters of trm_gradient.  */
static void
tell_row (const checking *c, tns_text *text, int k)
{
  const tns_region *region = c->region;
  int seed = k - region->n_params;
  const tns_sym *sym = seed >= 0 ? c->wish.seed[seed].sym : region->params[k];
  const tns_seed *s = seed >= 0 ? &c->wish.seed[seed] : NULL;
  bool is_absent = !s && is_among (sym, c->wish.absent, c->wish.n_absent);
  bool is_given = !s && is_among (sym, c->wish.given, c->wish.n_given);
  int of = -1;
  for (int l = 0; s && l < region->n_params; l++)
    if (region->params[l]->id == sym->id)
      of = l;
  tns_text_format (text, "%c%s%s%s%s%s\t%s\t%d\t%s\n",
                   sym->kind == TNS_SYM_VALUE ? 'v' : 'a', is_absent ? "x" : "",
                   is_given ? "g" : "", s && s->of ? "o" : "",
                   s && s->wrt ? "w" : "", s && s->clear ? "c" : "",
                   tns_elem_name (sym->type.elem), of,
                   s ? adjoint_words (c, seed) : tns_sym_words (sym));
}

/* FN takes or gives numbers of float.  */
static bool
has_floats (tree fn)
{
  tree type = TREE_TYPE (fn);
  bool has = TYPE_MAIN_VARIANT (TREE_TYPE (type)) == float_type_node;
  for (tree at = TYPE_ARG_TYPES (type); at && !has; at = TREE_CHAIN (at))
    has = TYPE_MAIN_VARIANT (TREE_VALUE (at)) == float_type_node;
  return has;
}

/* What f rounds to where it runs in double: functions that nobody looks into
   are as the user wrote them.  */
static tns_elem
precision_of (const checking *c)
{
  for (int k = 0; k < c->region->n_syms; k++)
    {
      const tns_sym *sym = c->region->syms[k];
      if (sym->kind == TNS_SYM_FUNCTION
          && has_floats (tns_symbols_get (c->symbols, sym)))
        return TNS_F32;
    }
  return TNS_F64;
}

/* The text of C's trm_gradient.  */
static tree
text_of (const checking *c)
{
  tns_text text = tns_text_new (c->ctx->arena);
  location_t place = tns_derive_place (c->d->wish);
  tns_text_format (
    &text, "%s\t%s\t%d\t%s\t%s\t%s\n", IDENTIFIER_POINTER (DECL_NAME (c->d->g)),
    LOCATION_FILE (place), LOCATION_LINE (place),
    IDENTIFIER_POINTER (DECL_NAME (c->d->f)), tns_elem_name (precision_of (c)),
    tns_wish_mode (c->d->wish));
  for (int k = 0; k < count_rows (c); k++)
    tell_row (c, &text, k);
  return tns_string_tree (tns_text_chars (&text));
}

/* The trm_gradient of C, whose functions are FN.  */
static tree
make_object (const checking *c, const tree *fn)
{
  enum
  {
    FIELDS = sizeof (trm_gradient) / sizeof (void *)
  };
  vec<constructor_elt, va_gc> *fields = NULL;
  tree type = build_array_type_nelts (ptr_type_node, FIELDS);
  tree text = fold_convert (ptr_type_node, text_of (c));
  CONSTRUCTOR_APPEND_ELT (fields, size_int (1), text);
  for (int k = 0; k < FUNCTIONS; k++)
    if (fn[k])
      CONSTRUCTOR_APPEND_ELT (fields, size_int (2 + k), fn[k]);
  const char *name
    = ACONCAT ((IDENTIFIER_POINTER (DECL_NAME (c->d->g)), ".check", NULL));
  return tns_object_new (name, type, build_constructor (type, fields));
}

/* TARGET = VALUE.  */
static tree
set_to (tree target, tree value)
{
  tree set = build2 (MODIFY_EXPR, TREE_TYPE (target), target,
                     fold_convert (TREE_TYPE (target), value));
  TREE_SIDE_EFFECTS (set) = 1;
  return set;
}

/* LVALUE lives where its address may be taken.  */
static bool
has_address (tree lvalue)
{
  tree base = get_base_address (lvalue);
  bool is_bits = TREE_CODE (lvalue) == COMPONENT_REF
                 && DECL_BIT_FIELD (TREE_OPERAND (lvalue, 1));
  return base && !is_bits
         && (!DECL_P (base) || is_global_var (base) || TREE_ADDRESSABLE (base));
}

/* The address of row K, whose tree is GIVEN and whose symbol is SYM; *LIST sets
   what must be set for it.  */
static tree
address_of_row (const checking *c, const tns_sym *sym, tree given, tree *list)
{
  given = unshare_expr (given);
  if (sym->kind == TNS_SYM_ARRAY && sym->rank > 0)
    {
      tree address = given;
      STRIP_NOPS (address);
      tree base = TREE_CODE (address) == ADDR_EXPR
                    ? get_base_address (TREE_OPERAND (address, 0))
                    : NULL_TREE;
      if (base && DECL_P (base))
        TREE_ADDRESSABLE (base) = 1;
      return given;
    }
  if (sym->kind == TNS_SYM_ARRAY && has_address (given))
    return build_fold_addr_expr (given);
  tree copy = tns_derive_variable (c->d, get_identifier (sym->name),
                                   tns_type_tree (sym->type));
  TREE_ADDRESSABLE (copy) = 1;
  append_to_statement_list (set_to (copy, given), list);
  return build_fold_addr_expr (copy);
}

/* at[K].  */
static tree
row_of (const checking *c, int k)
{
  return build4 (ARRAY_REF, ptr_type_node, c->at, size_int (k), NULL_TREE,
                 NULL_TREE);
}

/* Append to *LIST what fills at.  */
static void
fill_rows (const checking *c, tree *list)
{
  int n = c->region->n_params;
  for (int k = 0; k < n; k++)
    {
      const tns_sym *sym = c->region->params[k];
      tree address = null_pointer_node;
      if (!is_among (sym, c->wish.absent, c->wish.n_absent))
        address
          = address_of_row (c, sym, tns_symbols_get (c->symbols, sym), list);
      append_to_statement_list (set_to (row_of (c, k), address), list);
    }
  for (int k = 0; k < c->wish.n_seeds; k++)
    {
      tree given = c->d->adjoints[k];
      tree address = address_of_row (c, c->wish.seed[k].sym, given, list);
      address = tns_derive_last_direction (c->d, given, address);
      append_to_statement_list (set_to (row_of (c, n + k), address), list);
    }
}

/* The runtime's NAME (&object, MORE).  */
static tree
call_runtime (const checking *c, const char *name, tree more)
{
  tree type = more ? build_function_type_list (void_type_node, ptr_type_node,
                                               ptr_type_node, NULL_TREE)
                   : build_function_type_list (void_type_node, ptr_type_node,
                                               NULL_TREE);
  tree fn = tns_build_runtime (name, type);
  tree object = fold_convert (ptr_type_node, build_fold_addr_expr (c->object));
  return build_call_expr (fn, more ? 2 : 1, object, more);
}

/* STATEMENT when the state of the object is not 0, rarely, and there is a
   direction.  */
static tree
when_asked (const checking *c, tree statement)
{
  tree state = build4 (ARRAY_REF, ptr_type_node, c->object, size_zero_node,
                       NULL_TREE, NULL_TREE);
  tree asked = build2 (NE_EXPR, boolean_type_node, state,
                       build_zero_cst (ptr_type_node));
  tree type = long_integer_type_node;
  tree expected
    = build_call_expr (builtin_decl_explicit (BUILT_IN_EXPECT), 2,
                       fold_convert (type, asked), build_zero_cst (type));
  asked = build2 (NE_EXPR, boolean_type_node, expected, build_zero_cst (type));
  tree many = tns_derive_directions_parameter (c->d);
  if (many)
    asked = build2 (TRUTH_ANDIF_EXPR, boolean_type_node, asked,
                    build2 (GT_EXPR, boolean_type_node, many,
                            build_zero_cst (TREE_TYPE (many))));
  tree made = build3 (COND_EXPR, void_type_node, asked, statement, NULL_TREE);
  TREE_SIDE_EFFECTS (made) = 1;
  return made;
}

/* Give D of C the calls of the runtime.  */
static void
add_calls (checking *c)
{
  tree enter = NULL_TREE;
  tree rows = build_array_type_nelts (ptr_type_node, count_rows (c));
  c->at = tns_derive_variable (c->d, get_identifier ("at"), rows);
  TREE_ADDRESSABLE (c->at) = 1;
  fill_rows (c, &enter);
  append_to_statement_list (
    call_runtime (c, "trm_gradient_enter",
                  fold_convert (ptr_type_node, build_fold_addr_expr (c->at))),
    &enter);
  c->d->enter = when_asked (c, enter);
  c->d->leave
    = when_asked (c, call_runtime (c, "trm_gradient_leave", NULL_TREE));
}

/* GIVEN, the tree of a row, is PARM, or what that points to.  */
static bool
is_parameter (tree given, tree parm)
{
  while (CONVERT_EXPR_P (given) || TREE_CODE (given) == INDIRECT_REF)
    given = TREE_OPERAND (given, 0);
  return given == parm;
}

/* The row of C that the gradient's parameter PARM is, or -1.  */
static int
row_of_parameter (const checking *c, tree parm)
{
  int n = c->region->n_params;
  for (int k = 0; k < n; k++)
    if (is_parameter (tns_symbols_get (c->symbols, c->region->params[k]), parm))
      return k;
  for (int k = 0; k < c->wish.n_seeds; k++)
    if (is_parameter (c->d->adjoints[k], parm)
        || (c->d->adjoints[k] == c->d->seed && tns_derive_seed (c->d) == parm))
      return n + k;
  return -1;
}

/* What the gradient's parameter PARM gets from the rows AT of C; NULL_TREE
   where it is no number and no array of numbers, or has no row.  */
static tree
argument_for (const checking *c, tree at, tree parm)
{
  tree type = TREE_TYPE (parm);
  int k = row_of_parameter (c, parm);
  bool is_pointer = POINTER_TYPE_P (type);
  tree elem = is_pointer ? strip_array_types (TREE_TYPE (type)) : type;
  if (!INTEGRAL_TYPE_P (elem) && !SCALAR_FLOAT_TYPE_P (elem))
    return NULL_TREE;
  if (parm == tns_derive_directions_parameter (c->d))
    return k < 0 ? build_one_cst (type) : NULL_TREE;
  if (k < 0)
    return is_pointer ? NULL_TREE : build_zero_cst (type);
  const tns_sym *sym = k < c->region->n_params
                         ? c->region->params[k]
                         : c->wish.seed[k - c->region->n_params].sym;
  tns_sym cell = *sym;
  cell.kind = TNS_SYM_VALUE;
  tree given = row_as (at, k, is_pointer ? sym : &cell);
  if (is_pointer && sym->rank == 0)
    given = build_fold_addr_expr (given);
  return fold_convert (type, given);
}

/* The address of a function that calls the gradient of C with the rows;
   NULL_TREE where it has other parameters.  */
static tree
make_caller (const checking *c)
{
  auto_vec<tree> given;
  tree own = c->d->g;
  tree fn = open_function (c, "call");
  for (tree parm = DECL_ARGUMENTS (own); parm; parm = DECL_CHAIN (parm))
    {
      tree argument = argument_for (c, DECL_ARGUMENTS (fn), parm);
      if (!argument)
        return NULL_TREE;
      given.safe_push (argument);
    }
  tree list = NULL_TREE;
  append_to_statement_list (
    build_call_array_loc (
      tns_derive_place (c->d->wish), TREE_TYPE (TREE_TYPE (own)),
      build_fold_addr_expr (own), given.length (), given.address ()),
    &list);
  append_to_statement_list (return_of (fn, integer_one_node), &list);
  tns_build_finish (fn, NULL_TREE, list);
  return fold_convert (ptr_type_node, build_fold_addr_expr (fn));
}

/* Make the functions of C; the other mode and the call may be missing.  False
   with the reason said.  */
static bool
make_functions (const checking *c, tree *fn)
{
  tns_sym *reach = NULL;
  tns_arena *arena = c->ctx->arena;
  tns_region *wide = tns_region_retype (arena, c->region, TNS_F64);
  if (!wide)
    return false;
  tns_region *reaching = tns_region_reach (c->ctx, c->region, &reach);
  fn[0] = make_function (c, "reach", reaching, NULL, reach);
  fn[1] = make_function (c, "primal", tns_primal (c->ctx, wide), NULL, NULL);
  bool forward = c->d->wish->derived.forward;
  fn[2] = make_derivative (c, "other", wide, !forward);
  fn[3] = make_derivative (c, "again", c->region, forward);
  fn[4] = make_derivative (c, "exact", wide, forward);
  fn[5] = make_caller (c);
  return fn[0] && fn[1] && fn[3] && fn[4];
}

/* Tell why what C is about cannot be checked.  */
static void
tell_why (const checking *c)
{
  const tns_remark *reason = tns_verdict (c->ctx);
  inform (tns_derive_place (c->d->wish), "%qD cannot be checked: %s", c->d->g,
          reason ? reason->words : "it looks at the bits of numbers");
}

/* Read f again, and make what C needs.  False with the reason said.  */
static bool
make_all (checking *c)
{
  tree fn[FUNCTIONS] = {};
  tns_derivation *d = c->d;
  tree call = BIND_EXPR_BODY (DECL_SAVED_TREE (d->g));
  c->region = tns_extract_call (c->ctx, d->g, d->f, &call, c->symbols);
  if (!c->region
      || !tns_derive_wish (d, c->ctx, &c->region, c->symbols, &c->wish)
      || !make_functions (c, fn))
    return false;
  c->object = make_object (c, fn);
  add_calls (c);
  tns_object_finish (c->object, "trm_gradient_register");
  return true;
}

void
tns_derive_check (tns_derivation *d)
{
  checking c = {};
  c.d = d;
  c.ctx = tns_context_new (d->options, d->wish);
  bool is_asked = c.ctx->wish.check;
  c.ctx->wish.check = false;
  c.symbols = tns_symbols_new (c.ctx->arena);
  c.wish.name = IDENTIFIER_POINTER (DECL_NAME (d->g));
  if (is_asked && !make_all (&c))
    tell_why (&c);
  tns_ctx_free (c.ctx);
}
