/* Several directions at once: how many, and how they lie.

     #pragma tensor tangent(f) of(y: dy) wrt(x: dx) directions(m)
     void f_tangent (int m, int n, const double *x, const double dx[m][n],
                     double dy[m][n]);

   C forgets the first extent of an array that is a parameter: the number of
   directions has a name in the pragma.  The others are in the type of what the
   parameter points to, and say how far the rows lie apart; their expressions
   are over the parameters of the prototype.  */

#include "plugin/derive-inside.hh"

#include "plugin/reader.hh"

/* What is being read.  */
typedef struct reading
{
  const tns_derivation *d;
  tns_ctx *ctx;
  tns_region *region;
  tns_symbols *symbols;
} reading;

/* EXPR without conversions and what saves it.  */
static tree
bare (tree expr)
{
  while (CONVERT_EXPR_P (expr) || TREE_CODE (expr) == SAVE_EXPR
         || TREE_CODE (expr) == NON_LVALUE_EXPR)
    expr = TREE_OPERAND (expr, 0);
  return expr;
}

/* walk_tree's visitor: what SAVE_EXPRs save in their place.  */
static tree
unsave (tree *at, int *, void *)
{
  while (TREE_CODE (*at) == SAVE_EXPR)
    *at = TREE_OPERAND (*at, 0);
  return NULL_TREE;
}

/* The integer OF as a value of R's region, called NAME where it has none.  */
static tns_expr *
value_of (reading *r, tree of, const char *name)
{
  tns_arena *arena = r->ctx->arena;
  tree plain = bare (of);
  for (int k = 0; k < r->region->n_params; k++)
    {
      tns_sym *sym = r->region->params[k];
      tree has = tns_symbols_get (r->symbols, sym);
      if (sym->kind == TNS_SYM_VALUE && has && DECL_P (plain)
          && bare (has) == plain)
        return tns_cast (arena, tns_scalar (TNS_I64), tns_value (arena, sym));
    }
  tns_sym *made = tns_region_add_value (arena, r->region, name, TNS_I64);
  of = unshare_expr (of);
  walk_tree (&of, unsave, NULL, NULL);
  tns_symbols_set (arena, r->symbols, made,
                   fold_convert (long_integer_type_node, of));
  tns_region_add_param (arena, r->region, made);
  return tns_value (arena, made);
}

/* The pointer that AT, the tangents of a seed, is made of: to rows, where it is
   one of an array of arrays.  */
static tree
pointer_of (tree at)
{
  while (CONVERT_EXPR_P (at) && POINTER_TYPE_P (TREE_TYPE (at))
         && TREE_CODE (TREE_TYPE (TREE_TYPE (at))) != ARRAY_TYPE)
    at = TREE_OPERAND (at, 0);
  return at;
}

/* The number of elements of ARRAY, a type; NULL where it has none.  */
static tns_expr *
count_of (reading *r, tree array)
{
  tns_arena *arena = r->ctx->arena;
  tree domain = TYPE_DOMAIN (array);
  tree last = domain ? TYPE_MAX_VALUE (domain) : NULL_TREE;
  if (!last)
    return NULL;
  while (TREE_CODE (last) == COMPOUND_EXPR)
    last = TREE_OPERAND (last, 1);
  if (tree_fits_shwi_p (last))
    return tns_int (arena, tree_to_shwi (last) + 1);
  tree plain = bare (last);
  if (TREE_CODE (plain) == PLUS_EXPR
      && integer_all_onesp (TREE_OPERAND (plain, 1)))
    return value_of (r, TREE_OPERAND (plain, 0), "row");
  return tns_binary (arena, TNS_ADD, value_of (r, last, "row"),
                     tns_int (arena, 1));
}

/* The elements that TYPE, of an array of arrays, holds; NULL where it does not
   say.  */
static tns_expr *
elements_of (reading *r, tree type)
{
  tns_expr *product = tns_int (r->ctx->arena, 1);
  for (; product && TREE_CODE (type) == ARRAY_TYPE; type = TREE_TYPE (type))
    {
      tns_expr *count = count_of (r, type);
      product
        = count ? tns_binary (r->ctx->arena, TNS_MUL, product, count) : NULL;
    }
  return product;
}

/* How far the tangents of SEED, which begin at AT, lie apart.  False with the
   error given.  */
static bool
read_row (reading *r, tns_seed *seed, tree at)
{
  tree pointer = pointer_of (at);
  if (seed->sym->rank == 0 && TREE_CODE (at) == INDIRECT_REF)
    return true;
  tree type = TREE_TYPE (pointer);
  if (seed->sym->rank > 0 && POINTER_TYPE_P (type)
      && TREE_CODE (TREE_TYPE (type)) == ARRAY_TYPE)
    seed->row = elements_of (r, TREE_TYPE (type));
  if (seed->row)
    return true;
  error_at ((location_t) seed->loc.handle,
            "%qE of type %qT has no rows for several directions", pointer,
            type);
  return false;
}

bool
tns_derive_directions (const tns_derivation *d, tns_ctx *ctx,
                       tns_region *region, tns_symbols *symbols,
                       tns_gradient_wish *wish)
{
  reading r = { d, ctx, region, symbols };
  const tns_wish_list *asked = &d->wish->derived.directions;
  if (!asked->asked)
    return true;
  const tns_wish_name *name = &asked->names[0];
  tree count = tns_derive_parameter (d->g, name->name);
  if (!count || !INTEGRAL_TYPE_P (TREE_TYPE (count)))
    {
      error_at ((location_t) name->loc.handle,
                "%qs is no integer among the parameters of %qD", name->name,
                d->g);
      return false;
    }
  wish->directions = value_of (&r, count, name->name);
  for (int k = 0; k < wish->n_seeds; k++)
    if (!read_row (&r, &wish->seed[k], d->adjoints[k]))
      return false;
  return true;
}

tree
tns_derive_directions_parameter (const tns_derivation *d)
{
  const tns_wish_list *asked = &d->wish->derived.directions;
  return asked->asked ? tns_derive_parameter (d->g, asked->names[0].name)
                      : NULL_TREE;
}

tree
tns_derive_last_direction (const tns_derivation *d, tree at, tree first)
{
  tree count = tns_derive_directions_parameter (d);
  if (!count)
    return first;
  tree bytes = TYPE_SIZE_UNIT (tns_element_type (TREE_TYPE (first)));
  tree type = TREE_TYPE (pointer_of (at));
  type = POINTER_TYPE_P (type) ? TREE_TYPE (type) : type;
  for (; TREE_CODE (type) == ARRAY_TYPE; type = TREE_TYPE (type))
    {
      tree last = unshare_expr (TYPE_MAX_VALUE (TYPE_DOMAIN (type)));
      walk_tree (&last, unsave, NULL, NULL);
      tree extent = fold_build2 (PLUS_EXPR, sizetype,
                                 fold_convert (sizetype, last), size_one_node);
      bytes = fold_build2 (MULT_EXPR, sizetype, bytes, extent);
    }
  tree before = fold_build2 (MINUS_EXPR, sizetype,
                             fold_convert (sizetype, count), size_one_node);
  return fold_build_pointer_plus (
    first, fold_build2 (MULT_EXPR, sizetype, before, bytes));
}
