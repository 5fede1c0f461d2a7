/* What the parameters of a gradient are for.

     double f (int n, const double *x);

     #pragma tensor gradient(f) of(return: g) wrt(x: dx)
     void f_gradient (int n, const double *x, double g, double *dx, double b);

   n and x are those of f, g and dx are adjoints; b would be ignored, and is an
   error.  A parameter may also be what a clause asks for, or be in the type of
   another.  */

#include "plugin/derive-inside.hh"

#include "plugin/keep-derived.hh"

/* PLACE begins with NAME.  */
static bool
begins_with (const tns_condition *place, const char *name)
{
  while (place && place->kind != TNS_CONDITION_NAME)
    place = place->arg[0];
  return place && !strcmp (place->name, name);
}

/* An adjoint in LIST begins with NAME.  */
static bool
has_adjoint (const tns_wish_list *list, const char *name)
{
  for (int k = 0; k < list->n; k++)
    if (begins_with (list->names[k].adjoint, name))
      return true;
  return false;
}

/* F has a parameter called NAME.  */
static bool
is_of_function (tree f, const char *name)
{
  for (tree parm = tns_kept_parameters (f); parm; parm = DECL_CHAIN (parm))
    if (DECL_NAME (parm)
        && !strcmp (IDENTIFIER_POINTER (DECL_NAME (parm)), name))
      return true;
  return false;
}

/* walk_tree's visitor: stops at the parameter SELF.  */
static tree
find_parameter (tree *at, int *, void *self)
{
  return *at == (tree) self ? *at : NULL_TREE;
}

/* An extent in TYPE is over PARM.  */
static bool
is_in_type (tree type, tree parm)
{
  while (POINTER_TYPE_P (type) || TREE_CODE (type) == ARRAY_TYPE)
    {
      tree domain
        = TREE_CODE (type) == ARRAY_TYPE ? TYPE_DOMAIN (type) : NULL_TREE;
      if (domain && TYPE_MAX_VALUE (domain)
          && walk_tree_without_duplicates (&TYPE_MAX_VALUE (domain),
                                           find_parameter, parm))
        return true;
      type = TREE_TYPE (type);
    }
  return false;
}

/* PARM of D's gradient, called NAME, is for something.  */
static bool
has_meaning (const tns_derivation *d, tree parm, const char *name)
{
  const tns_wish_derived *asked = &d->wish->derived;
  bool has = is_of_function (d->f, name) || has_adjoint (&asked->of, name)
             || has_adjoint (&asked->wrt, name)
             || (asked->workspace && !strcmp (name, "workspace"))
             || (asked->directions.asked
                 && !strcmp (asked->directions.names[0].name, name));
  for (tree other = DECL_ARGUMENTS (d->g); other && !has;
       other = DECL_CHAIN (other))
    has = is_in_type (TREE_TYPE (other), parm);
  return has;
}

bool
tns_derive_check_own (const tns_derivation *d)
{
  for (tree parm = DECL_ARGUMENTS (d->g); parm; parm = DECL_CHAIN (parm))
    {
      if (DECL_NAME (parm)
          && has_meaning (d, parm, IDENTIFIER_POINTER (DECL_NAME (parm))))
        continue;
      location_t place = DECL_SOURCE_LOCATION (parm);
      if (DECL_NAME (parm))
        error_at (place,
                  "%qD is neither a parameter of %qD nor an adjoint that the "
                  "pragma names",
                  parm, d->f);
      else
        error_at (place, "a parameter of %qD has no name", d->g);
      return false;
    }
  return true;
}
