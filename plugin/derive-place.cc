/* Places that the pragma names: parameters, variables of the file, members.

     wrt(s: ds)           what is at s->w has its adjoint at ds->w
     wrt(s->w: dw)        at dw
     wrt(s->mass: dm)     what is s->mass has its adjoint at *dm

   The tree of a symbol's memory is a chain of steps from its root; the part of
   the chain that the first name stands for is exchanged for the second.  */

#include "plugin/derive-inside.hh"

/* A step of the chain that T is: what it is taken of.  */
static tree *
inner_of (tree t)
{
  return &TREE_OPERAND (t, TREE_CODE (t) == COND_EXPR ? 1 : 0);
}

/* Finds what a name stands for.  */
typedef tree (*finder) (const tns_derivation *d, const char *name);

/* The variable of the file called NAME, or NULL_TREE.  */
static tree
find_variable (const char *name)
{
  tree decl = lookup_name (get_identifier (name));
  return decl && VAR_P (decl) ? decl : NULL_TREE;
}

/* What F's parameter NAME is called with, or a variable; or NULL_TREE.  */
static tree
find_value (const tns_derivation *d, const char *name)
{
  for (unsigned k = 0; k < d->parms.length (); k++)
    if (!strcmp (IDENTIFIER_POINTER (DECL_NAME (d->parms[k])), name))
      return d->arguments[k];
  return find_variable (name);
}

/* G's parameter NAME, or a variable; or NULL_TREE.  */
static tree
find_adjoint (const tns_derivation *d, const char *name)
{
  tree parm = tns_derive_parameter (d->g, name);
  return parm ? parm : find_variable (name);
}

/* What PLACE stands for; NULL_TREE where its first name stands for nothing.  */
static tree
read_place (const tns_derivation *d, const tns_condition *place, finder find)
{
  if (place->kind == TNS_CONDITION_NAME)
    return find (d, place->name);
  tree object = read_place (d, place->arg[0], find);
  bool pointed = place->kind == TNS_CONDITION_POINTED;
  return object ? tns_member_tree (object, pointed, place->name,
                                   (location_t) place->loc.handle)
                : NULL_TREE;
}

/* TREE, or error_mark_node, with the error WORDS (the name, FNDECL) given, for
   none.  */
static tree
or_error (tree place, tns_loc loc, const char *words, const char *name,
          tree fndecl)
{
  if (place)
    return place;
  error_at ((location_t) loc.handle, words, name, fndecl);
  return error_mark_node;
}

tree
tns_derive_value (const tns_derivation *d, const tns_wish_name *name)
{
  if (!strcmp (name->name, "return"))
    return or_error (d->result, name->loc,
                     G_ ("no %qs to differentiate: %qD returns no floating "
                         "value"),
                     name->name, d->f);
  return or_error (read_place (d, name->place, find_value), name->loc,
                   G_ ("%qs is no parameter of %qD"), name->name, d->f);
}

tree
tns_derive_own_place (const tns_derivation *d, const tns_wish_name *name)
{
  return or_error (read_place (d, name->place, find_adjoint), name->loc,
                   G_ ("%qs is no parameter of %qD"), name->name, d->g);
}

tree
tns_element_type (tree type)
{
  if (POINTER_TYPE_P (type))
    type = TREE_TYPE (type);
  return TYPE_MAIN_VARIANT (strip_array_types (type));
}

/* ADJOINT as it takes the place of VALUE, or NULL_TREE where its type is not
   that of the adjoint.  */
static tree
fit (tree value, tree adjoint)
{
  tree type = TREE_TYPE (value);
  bool same = tns_element_type (type) == tns_element_type (TREE_TYPE (adjoint));
  bool is_pointer = POINTER_TYPE_P (TREE_TYPE (adjoint));
  if (!same || (POINTER_TYPE_P (type) && !is_pointer))
    return NULL_TREE;
  if (POINTER_TYPE_P (type) || !is_pointer)
    return adjoint;
  tree pointer = build_pointer_type (TYPE_MAIN_VARIANT (type));
  return build1 (INDIRECT_REF, TYPE_MAIN_VARIANT (type),
                 fold_convert (pointer, adjoint));
}

/* The variable that the adjoint of F's result is in.  */
static tree
result_adjoint (const tns_derivation *d, const tns_wish_name *name)
{
  if (!name->adjoint)
    return d->seed;
  tree number = read_place (d, name->adjoint, find_adjoint);
  bool fits = number && SCALAR_FLOAT_TYPE_P (TREE_TYPE (number));
  return or_error (fits ? d->seed : NULL_TREE, name->loc,
                   G_ ("%qs is no number among the parameters of %qD"),
                   name->adjoint->name, d->g);
}

tree
tns_derive_adjoint (const tns_derivation *d, const tns_wish_name *name,
                    tree value)
{
  if (value == d->result && !d->wish->derived.forward)
    return result_adjoint (d, name);
  tree adjoint = read_place (d, name->adjoint, find_adjoint);
  adjoint
    = or_error (adjoint, name->adjoint->loc, G_ ("%qs is no parameter of %qD"),
                name->adjoint->name, d->g);
  if (adjoint == error_mark_node)
    return adjoint;
  tree fitting = fit (value, adjoint);
  if (fitting)
    return fitting;
  error_at ((location_t) name->adjoint->loc.handle,
            "%qE of type %qT cannot hold derivatives of %qs, of type %qT",
            adjoint, TREE_TYPE (adjoint), name->name, TREE_TYPE (value));
  return error_mark_node;
}

/* T without conversions.  */
static tree
plain (tree t)
{
  while (CONVERT_EXPR_P (t) || TREE_CODE (t) == NON_LVALUE_EXPR)
    t = TREE_OPERAND (t, 0);
  return t;
}

/* A and B are the same place.  */
static bool
is_same (tree a, tree b)
{
  a = plain (a);
  b = plain (b);
  if (a == b || TREE_CODE (a) != TREE_CODE (b) || !EXPR_P (a))
    return a == b;
  if (TREE_CODE (a) == COMPONENT_REF
      && TREE_OPERAND (a, 1) != TREE_OPERAND (b, 1))
    return false;
  if (TREE_CODE (a) == ARRAY_REF
      && !tree_int_cst_equal (TREE_OPERAND (a, 1), TREE_OPERAND (b, 1)))
    return false;
  return is_same (*inner_of (a), *inner_of (b));
}

bool
tns_place_is_in (tree t, tree part)
{
  t = plain (t);
  return is_same (t, part)
         || (EXPR_P (t) && tns_place_is_in (*inner_of (t), part));
}

bool
tns_place_is_lost (tree t)
{
  bool is_value = POINTER_TYPE_P (TREE_TYPE (t));
  for (t = plain (t); EXPR_P (t); t = plain (*inner_of (t)))
    if (TREE_CODE (t) == INDIRECT_REF)
      return false;
    else
      is_value &= TREE_CODE (t) != ADDR_EXPR;
  return TREE_CODE (t) == PARM_DECL && !is_value;
}

int
tns_place_depth (tree t, tree part)
{
  t = plain (t);
  if (POINTER_TYPE_P (TREE_TYPE (t)) && TREE_CODE (t) != ADDR_EXPR)
    return INT_MAX;
  if (is_same (t, part))
    return 0;
  int depth = tns_place_depth (*inner_of (t), part);
  return depth < INT_MAX ? depth + (TREE_CODE (t) == ARRAY_REF) : depth;
}

tree
tns_place_exchange (tree t, tree part, tree made)
{
  t = plain (t);
  if (is_same (t, part))
    return unshare_expr (made);
  t = copy_node (t);
  TREE_READONLY (t) = 0;
  tree *inner = inner_of (t);
  tree type = TREE_TYPE (*inner);
  *inner = tns_place_exchange (*inner, part, made);
  if (POINTER_TYPE_P (type) || INTEGRAL_TYPE_P (type))
    *inner = fold_convert (type, *inner);
  return t;
}
