/* The names in the pragma as symbols of the region that was read.

     of(y: dy, return: g) wrt(s: ds)

   y is what f's parameter y was called with; each symbol whose memory is
   reached through it gets an adjoint, a parameter of the gradient.  A scalar,
   s, becomes a cell, so that it may have one.  */

#include "plugin/derive-inside.hh"
#include "plugin/reader.hh"

extern "C"
{
#include "ir/exchange.h"
}

/* What is being read.  */
typedef struct reading
{
  tns_derivation *d;
  tns_ctx *ctx;
  tns_region **region;
  tns_symbols *symbols;
  tns_gradient_wish *wish;
} reading;

/* What SYM's memory begins at, or its value is, is reached through PLACE.  */
static bool
is_in (const reading *r, const tns_sym *sym, tree place)
{
  tree root = tns_symbols_get (r->symbols, sym);
  return root && place && tns_place_is_in (root, place);
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

/* The type of what NAME speaks of, VALUE, has derivatives.  False with the
   error given.  */
static bool
check_value (const tns_wish_name *name, tree value)
{
  tree type = TREE_TYPE (value);
  while (POINTER_TYPE_P (type) || TREE_CODE (type) == ARRAY_TYPE)
    type = TREE_TYPE (type);
  if (SCALAR_FLOAT_TYPE_P (type) || TREE_CODE (type) == RECORD_TYPE)
    return true;
  error_at ((location_t) name->loc.handle, "%qs is no floating value",
            name->name);
  return false;
}

/* The elements of SYM, which is reached through VALUE, lie in one object of
   VALUE's type.  False with the error given.  */
static bool
check_extent (const reading *r, const tns_wish_name *name, const tns_sym *sym,
              tree value)
{
  tree root = tns_symbols_get (r->symbols, sym);
  if (sym->rank <= tns_place_depth (root, value))
    return true;
  error_at ((location_t) name->loc.handle,
            "%qs stands for one of several: name what has them all",
            name->name);
  return false;
}

/* No other name leads to AT, an object or the address of one.  */
static bool
is_restricted (tree at)
{
  while (handled_component_p (at))
    at = TREE_OPERAND (at, 0);
  if (TREE_CODE (at) == INDIRECT_REF)
    at = TREE_OPERAND (at, 0);
  while (CONVERT_EXPR_P (at))
    at = TREE_OPERAND (at, 0);
  return !POINTER_TYPE_P (TREE_TYPE (at)) || TYPE_RESTRICT (TREE_TYPE (at));
}

/* SYM, a parameter of R's region, has the adjoint that NAME speaks of, at
   ADJOINT.  False with the error given.  */
static bool
add_seed (reading *r, const tns_sym *sym, const tns_wish_name *name, bool of,
          tree adjoint)
{
  int at = 0;
  while (at < r->wish->n_seeds && r->wish->seed[at].sym->id != sym->id)
    at++;
  tns_seed *seed = &r->wish->seed[at];
  if (at == r->wish->n_seeds)
    r->d->adjoints.safe_push (adjoint);
  else if (!operand_equal_p (r->d->adjoints[at], adjoint, 0))
    {
      error_at ((location_t) name->loc.handle, "%qs has two adjoints",
                name->name);
      return false;
    }
  tree root = r->d->adjoints[at];
  seed->sym = (*r->region)->syms[sym->id];
  seed->name = DECL_P (root) && DECL_NAME (root)
                 ? IDENTIFIER_POINTER (DECL_NAME (root))
                 : tns_arena_format (r->ctx->arena, "d%s", sym->name);
  seed->loc = name->loc;
  seed->of |= of;
  seed->wrt |= !of;
  seed->restricted = is_restricted (root);
  r->wish->n_seeds = MAX (r->wish->n_seeds, at + 1);
  return true;
}

/* What goes out at AT, of (else wrt) what NAME speaks of, reaches the caller.
   False with the error given.  */
static bool
check_lasting (const reading *r, const tns_wish_name *name, tree at, bool of)
{
  if (of != r->d->wish->derived.forward || !tns_place_is_lost (at))
    return true;
  error_at ((location_t) name->adjoint->loc.handle,
            "%qE ends with the function: what it gets would be lost", at);
  return false;
}

/* ADJOINT, of (else wrt) what NAME speaks of, may be written where it goes out.
   False with the error given.  */
static bool
check_writable (const reading *r, const tns_wish_name *name, tree adjoint,
                bool of)
{
  tree at
    = TREE_CODE (adjoint) == INDIRECT_REF ? TREE_OPERAND (adjoint, 0) : adjoint;
  STRIP_NOPS (at);
  if (of != r->d->wish->derived.forward || !POINTER_TYPE_P (TREE_TYPE (at)))
    return true;
  tree type = strip_array_types (TREE_TYPE (TREE_TYPE (at)));
  if (!SCALAR_FLOAT_TYPE_P (type) || !TYPE_READONLY (type))
    return true;
  error_at ((location_t) name->adjoint->loc.handle,
            "%qE is %<const%> in %qD, which writes it", at, r->d->g);
  return false;
}

/* The symbols that NAME speaks of get adjoints.  False with the error
   given.  */
static bool
add_seeds_of (reading *r, const tns_wish_name *name, bool of)
{
  tree value = tns_derive_value (r->d, name);
  if (value == error_mark_node || !check_value (name, value))
    return false;
  tree adjoint = tns_derive_adjoint (r->d, name, value);
  if (adjoint == error_mark_node || !check_writable (r, name, adjoint, of))
    return false;
  for (int k = 0; k < (*r->region)->n_params; k++)
    {
      tns_sym *sym = (*r->region)->params[k];
      if (!is_in (r, sym, value) || !tns_elem_is_float (sym->type.elem))
        continue;
      if (!check_extent (r, name, sym, value))
        return false;
      if (sym->kind == TNS_SYM_VALUE)
        *r->region = with_cell (r->ctx, *r->region, sym);
      tree root = tns_symbols_get (r->symbols, sym);
      tree at = tns_place_exchange (root, value, adjoint);
      int n_seeds = r->wish->n_seeds;
      if (!check_lasting (r, name, at, of) || !add_seed (r, sym, name, of, at))
        return false;
      if (r->wish->n_seeds > n_seeds)
        tns_derive_table (r->ctx, *r->region, r->symbols, sym, value, adjoint);
    }
  return true;
}

/* The same of all names in LIST.  */
static bool
add_seeds (reading *r, const tns_wish_list *list, bool of)
{
  for (int k = 0; k < list->n; k++)
    if (!add_seeds_of (r, &list->names[k], of))
      return false;
  return true;
}

/* Append to LIST, N long, what of R's region is reached through PLACE.  */
static void
collect (const reading *r, tree place, tns_sym **list, int *n)
{
  for (int k = 0; k < (*r->region)->n_params; k++)
    if (is_in (r, (*r->region)->params[k], place))
      list[(*n)++] = (*r->region)->params[k];
}

/* What is absent is memory: numbers that are found in it, as how far the rows
   of a table of pointers lie apart, cannot be.  False with the reason said.  */
static bool
check_absent (const reading *r)
{
  for (int k = 0; k < r->wish->n_absent; k++)
    {
      const tns_sym *sym = r->wish->absent[k];
      unsigned p = 0;
      while (p < r->d->parms.length ()
             && (!r->d->absent[p] || !is_in (r, sym, r->d->arguments[p])))
        p++;
      if (sym->kind != TNS_SYM_VALUE || p == r->d->parms.length ())
        continue;
      tree parm = r->d->parms[p];
      tns_refuse (r->ctx, tns_loc_of (DECL_SOURCE_LOCATION (parm)),
                  TNS_WHY_ENTRY, IDENTIFIER_POINTER (DECL_NAME (parm)));
      return false;
    }
  return true;
}

/* What is absent, what is given.  False with the error given.  */
static bool
add_places (reading *r)
{
  const tns_wish_list *given = &r->d->wish->derived.given;
  tns_gradient_wish *wish = r->wish;
  for (unsigned k = 0; k < r->d->parms.length (); k++)
    if (r->d->absent[k])
      collect (r, r->d->arguments[k], wish->absent, &wish->n_absent);
  if (!check_absent (r))
    return false;
  wish->primal = r->d->wish->derived.primal;
  if (!wish->primal)
    collect (r, r->d->result, wish->absent, &wish->n_absent);
  for (int k = 0; k < given->n; k++)
    {
      tree place = tns_derive_value (r->d, &given->names[k]);
      if (place == error_mark_node)
        return false;
      collect (r, place, wish->given, &wish->n_given);
    }
  return true;
}

/* PLACE, among the parameters of the gradient, is an adjoint that LIST names, a
   part of one, or has one.  */
static bool
is_adjoint_in (const reading *r, const tns_wish_list *list, tree place)
{
  for (int k = 0; k < list->n; k++)
    {
      const tns_wish_name *name = &list->names[k];
      tree adjoint
        = name->adjoint
            ? tns_derive_adjoint (r->d, name, tns_derive_value (r->d, name))
            : error_mark_node;
      if (adjoint != error_mark_node
          && (tns_place_is_in (adjoint, place)
              || tns_place_is_in (place, adjoint)))
        return true;
    }
  return false;
}

/* What NAME speaks of, adjoints that only go out, is cleared.  False with the
   error given.  */
static bool
add_cleared_of (reading *r, const tns_wish_name *name)
{
  const tns_wish_derived *asked = &r->d->wish->derived;
  tree place = tns_derive_own_place (r->d, name);
  if (place == error_mark_node)
    return false;
  bool comes = is_adjoint_in (r, &asked->of, place);
  if (comes || !is_adjoint_in (r, &asked->wrt, place))
    {
      error_at ((location_t) name->loc.handle,
                comes ? G_ ("%qs is not to be cleared: it comes in by %<of%>")
                      : G_ ("%qs is no adjoint that goes out by %<wrt%>"),
                name->name);
      return false;
    }
  for (int k = 0; k < r->wish->n_seeds; k++)
    r->wish->seed[k].clear |= tns_place_is_in (r->d->adjoints[k], place);
  return true;
}

/* The same of all that are to be.  */
static bool
add_cleared (reading *r)
{
  const tns_wish_list *clear = &r->d->wish->derived.clear;
  for (int k = 0; k < clear->n; k++)
    if (!add_cleared_of (r, &clear->names[k]))
      return false;
  return true;
}

bool
tns_derive_wish (tns_derivation *d, tns_ctx *ctx, tns_region **region,
                 tns_symbols *symbols, tns_gradient_wish *wish)
{
  const tns_wish_derived *asked = &d->wish->derived;
  reading r = { d, ctx, region, symbols, wish };
  int n = (*region)->n_params;
  wish->seed = TNS_NEW_ARRAY (ctx->arena, tns_seed, n + 1);
  wish->absent = TNS_NEW_ARRAY (ctx->arena, tns_sym *, n + 1);
  wish->given = TNS_NEW_ARRAY (ctx->arena, tns_sym *, n * asked->given.n + 1);
  wish->store = asked->store;
  wish->recompute = asked->recompute;
  d->adjoints.truncate (0);
  return add_seeds (&r, &asked->of, true) && add_seeds (&r, &asked->wrt, false)
         && add_cleared (&r) && add_places (&r);
}

/* The member of a structure that T is, or is the address of an element of; or
   NULL_TREE.  */
static tree
member_of (tree t)
{
  if (POINTER_TYPE_P (TREE_TYPE (t)) && TREE_CODE (t) != ADDR_EXPR)
    return NULL_TREE;
  if (TREE_CODE (t) == ADDR_EXPR)
    t = TREE_OPERAND (t, 0);
  while (TREE_CODE (t) == ARRAY_REF)
    t = TREE_OPERAND (t, 0);
  return TREE_CODE (t) == COMPONENT_REF ? TREE_OPERAND (t, 1) : NULL_TREE;
}

/* What is at A and B may overlap, as far as types tell.  */
static bool
may_overlap (tree a, tree b)
{
  tree x = member_of (a);
  tree y = member_of (b);
  bool are_apart = x && y && x != y && DECL_CONTEXT (x) == DECL_CONTEXT (y)
                   && TREE_CODE (DECL_CONTEXT (x)) == RECORD_TYPE;
  return !(are_apart && tns_has_strict_aliasing ())
         && tns_types_may_alias (tns_element_type (TREE_TYPE (a)),
                                 tns_element_type (TREE_TYPE (b)));
}

/* Drop the pairs of REGION's that cannot overlap.  */
static void
drop_overlaps (tns_region *region, const tns_symbols *symbols)
{
  int n = 0;
  for (int k = 0; k < region->n_overlaps; k++)
    {
      tree a = tns_symbols_get (symbols, region->overlaps[k].a);
      tree b = tns_symbols_get (symbols, region->overlaps[k].b);
      if (!a || !b || may_overlap (a, b))
        region->overlaps[n++] = region->overlaps[k];
    }
  region->n_overlaps = n;
}

void
tns_derive_set_adjoints (const tns_derivation *d, tns_ctx *ctx,
                         tns_symbols *symbols, const tns_gradient_wish *wish,
                         tns_region *region, bool inside)
{
  for (int k = 0; k < wish->n_seeds; k++)
    {
      tree at = d->adjoints[k];
      if (!inside && at == d->seed)
        at = tns_derive_seed (d);
      bool has_rows = wish->directions && SCALAR_FLOAT_TYPE_P (TREE_TYPE (at));
      at = has_rows ? TREE_OPERAND (at, 0) : at;
      if (wish->seed[k].adjoint)
        tns_symbols_set (ctx->arena, symbols, wish->seed[k].adjoint, at);
    }
  drop_overlaps (region, symbols);
}
