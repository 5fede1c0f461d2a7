/* The names in the pragma as symbols of the region that was read.

     of(y: dy, return: g) wrt(s: ds)

   y is what f's parameter y was called with; its symbol gets the adjoint dy,
   a parameter of the gradient.  A scalar, s, becomes a cell, so that it may
   have one.  */

#include "plugin/derive-inside.hh"

extern "C"
{
#include "ir/exchange.h"
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

tns_sym *
tns_derive_symbol_at (const tns_region *region, const tns_symbols *symbols,
                      tree root)
{
  for (int k = 0; root && k < region->n_params; k++)
    if (root_of (symbols, region->params[k]) == root)
      return region->params[k];
  return NULL;
}

/* The symbol of REGION that stands for what F calls NAME, or NULL.  */
static tns_sym *
find_symbol (const tns_derivation *d, const tns_region *region,
             const tns_symbols *symbols, const char *name)
{
  if (!strcmp (name, "return"))
    return tns_derive_symbol_at (region, symbols, d->result);
  for (unsigned k = 0; k < d->parms.length (); k++)
    if (!strcmp (IDENTIFIER_POINTER (DECL_NAME (d->parms[k])), name))
      return tns_derive_symbol_at (region, symbols, d->arguments[k]);
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

/* The adjoint that NAME speaks of is a parameter of G as it must be, and what
   it is the adjoint of is F's.  False with the error given.  */
static bool
check_adjoint (const tns_derivation *d, const tns_wish_name *name)
{
  bool is_result = !strcmp (name->name, "return");
  bool is_there = is_result && d->seed;
  for (unsigned k = 0; k < d->parms.length (); k++)
    is_there
      |= !strcmp (IDENTIFIER_POINTER (DECL_NAME (d->parms[k])), name->name);
  if (!is_there)
    {
      error_at ((location_t) name->loc.handle,
                is_result ? G_ ("%qD returns no floating value")
                          : G_ ("%qD has no parameter %qs"),
                d->f, name->name);
      return false;
    }
  if (!name->other)
    return true;
  tree adjoint = tns_derive_parameter (d->g, name->other);
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
add_seed (const tns_derivation *d, const tns_region *region, const tns_sym *sym,
          const tns_wish_name *name, bool of, tns_gradient_wish *wish)
{
  tree adjoint
    = name->other ? tns_derive_parameter (d->g, name->other) : d->seed;
  int at = 0;
  while (at < wish->n_seeds && wish->seed[at].sym->id != sym->id)
    at++;
  tns_seed *seed = &wish->seed[at];
  seed->sym = region->syms[sym->id];
  seed->name = name->other ? name->other : "one";
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
add_seeds (const tns_derivation *d, tns_ctx *ctx, tns_region **region,
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

bool
tns_derive_wish (const tns_derivation *d, tns_ctx *ctx, tns_region **region,
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
      tns_sym *sym = tns_derive_symbol_at (
        *region, symbols, is_result ? d->result : d->arguments[k]);
      if (sym && (is_result ? !asked->primal : d->absent[k]))
        wish->absent[wish->n_absent++] = sym;
    }
  wish->primal = asked->primal;
  for (int k = 0; k < asked->given.n; k++)
    {
      tns_sym *sym
        = find_symbol (d, *region, symbols, asked->given.names[k].name);
      if (sym)
        wish->given[wish->n_given++] = sym;
    }
  return true;
}

void
tns_derive_set_adjoints (const tns_derivation *d, tns_ctx *ctx,
                         tns_symbols *symbols, const tns_gradient_wish *wish)
{
  for (int k = 0; k < wish->n_seeds; k++)
    {
      const tns_seed *seed = &wish->seed[k];
      bool is_result = d->result && root_of (symbols, seed->sym) == d->result;
      tree pointer
        = is_result ? d->seed : tns_derive_parameter (d->g, seed->name);
      if (!seed->adjoint)
        continue;
      if (!is_result && seed->adjoint->rank == 0)
        pointer = build_simple_mem_ref (pointer);
      tns_symbols_set (ctx->arena, symbols, seed->adjoint, pointer);
    }
}
