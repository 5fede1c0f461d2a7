/* Derivatives of the user's, as plugin/derivative.hh says.

   What is known of one stands in a chain:

     TREE_LIST  purpose  the user's function
                value    the partials made so far: a chain whose purposes are
                         parameters of the function that it is the derivative
                         of, values the partials

   and in a table in the same order.  */

#include "plugin/derivative.hh"

#include "lowering/generic.hh"
#include "plugin/keep-derived.hh"
#include "plugin/keep.hh"
#include "pragmas/fact.hh"

/* What is asked of one; is_offered: it is a gradient that the plug-in writes
   where the function's body is, which may be another file; is_right: and it is
   like that.  */
typedef struct derivative
{
  const tns_wish_derived *asked;
  bool is_offered;
  bool is_right;
} derivative;

static GTY (()) tree derivatives;
static derivative *table;
static int n_derivatives;

/* A function on its way to be found right.  */
typedef struct check
{
  tree f;
  tree own;
  const tns_wish_derived *asked;
} check;

/* The parameter of FNDECL called NAME, or NULL_TREE.  */
static tree
find_parameter (tree fndecl, const char *name)
{
  for (tree parm = DECL_ARGUMENTS (fndecl); parm; parm = DECL_CHAIN (parm))
    if (DECL_NAME (parm)
        && !strcmp (IDENTIFIER_POINTER (DECL_NAME (parm)), name))
      return parm;
  return NULL_TREE;
}

/* The name in LIST whose adjoint is called ADJOINT, or NULL.  */
static const tns_wish_name *
find_adjoint (const tns_wish_list *list, const char *adjoint)
{
  for (int k = 0; k < list->n; k++)
    if (list->names[k].adjoint
        && !strcmp (list->names[k].adjoint->name, adjoint))
      return &list->names[k];
  return NULL;
}

/* TYPE is a number's.  */
static bool
is_number (tree type)
{
  return INTEGRAL_TYPE_P (type) || SCALAR_FLOAT_TYPE_P (type);
}

/* F takes numbers and gives a floating one.  */
static bool
is_of_numbers (tree f)
{
  bool right = SCALAR_FLOAT_TYPE_P (TREE_TYPE (TREE_TYPE (f)))
               && prototype_p (TREE_TYPE (f)) && !stdarg_p (TREE_TYPE (f));
  for (tree parm = DECL_ARGUMENTS (f); parm && right; parm = DECL_CHAIN (parm))
    right = DECL_NAME (parm) && is_number (TREE_TYPE (parm));
  return right;
}

/* The type of what TYPE, a pointer, points to, if these are numbers, or arrays
   of them; else NULL_TREE.  */
static tree
elements_of (tree type)
{
  tree to
    = POINTER_TYPE_P (type) ? strip_array_types (TREE_TYPE (type)) : NULL_TREE;
  return to && is_number (to) && !TYPE_VOLATILE (to) ? to : NULL_TREE;
}

/* F takes numbers and arrays of them, and gives nothing, and writes one of the
   arrays, or a floating number.  */
static bool
is_of_arrays (tree f)
{
  tree type = TREE_TYPE (TREE_TYPE (f));
  int n_arrays = 0;
  int n_written = 0;
  bool right = prototype_p (TREE_TYPE (f)) && !stdarg_p (TREE_TYPE (f));
  for (tree parm = DECL_ARGUMENTS (f); parm && right; parm = DECL_CHAIN (parm))
    {
      tree elem = elements_of (TREE_TYPE (parm));
      right = DECL_NAME (parm) && (elem || is_number (TREE_TYPE (parm)));
      n_arrays += elem != NULL_TREE;
      n_written += elem && !TYPE_READONLY (elem);
    }
  return right && n_arrays > 0
         && (VOID_TYPE_P (type) ? n_written == 1
                                : SCALAR_FLOAT_TYPE_P (type) && !n_written);
}

/* PARM, of the user's function, is the adjoint of F's parameter that NAME
   speaks of.  */
static bool
is_adjoint_of (const check *c, tree parm, const tns_wish_name *name)
{
  tree value = find_parameter (c->f, name->name);
  tree type = TREE_TYPE (parm);
  return value && SCALAR_FLOAT_TYPE_P (TREE_TYPE (value))
         && POINTER_TYPE_P (type) && !TYPE_READONLY (TREE_TYPE (type))
         && TYPE_MAIN_VARIANT (TREE_TYPE (type))
              == TYPE_MAIN_VARIANT (TREE_TYPE (value));
}

/* PARM, of the user's function, is what the clauses make of it.  */
static bool
is_parameter_right (const check *c, tree parm)
{
  const char *name
    = DECL_NAME (parm) ? IDENTIFIER_POINTER (DECL_NAME (parm)) : "";
  const tns_wish_name *of = find_adjoint (&c->asked->of, name);
  const tns_wish_name *wrt = find_adjoint (&c->asked->wrt, name);
  if (of)
    return SCALAR_FLOAT_TYPE_P (TREE_TYPE (parm));
  if (wrt)
    return is_adjoint_of (c, parm, wrt);
  return find_parameter (c->f, name) && is_number (TREE_TYPE (parm));
}

/* TYPE points to elements as those of the parameter VALUE, or, where VALUE is a
   number, to one like it; where WRITTEN it may write them.  */
static bool
is_array_of (tree type, tree value, bool written)
{
  tree elem = elements_of (type);
  tree own = elements_of (TREE_TYPE (value));
  own = own ? own : TREE_TYPE (value);
  return elem && TYPE_MAIN_VARIANT (elem) == TYPE_MAIN_VARIANT (own)
         && !(written && TYPE_READONLY (elem));
}

/* The same as is_parameter_right where C's function works on arrays; what it
   leaves in one is nothing that is kept.  */
static bool
is_array_right (const check *c, tree parm)
{
  const char *name
    = DECL_NAME (parm) ? IDENTIFIER_POINTER (DECL_NAME (parm)) : "";
  const tns_wish_name *of = find_adjoint (&c->asked->of, name);
  const tns_wish_name *wrt = find_adjoint (&c->asked->wrt, name);
  tree type = TREE_TYPE (parm);
  bool forward = c->asked->forward;
  if (of && !strcmp (of->name, "return"))
    return !wrt && SCALAR_FLOAT_TYPE_P (forward ? elements_of (type) : type)
           && !(forward && TYPE_READONLY (elements_of (type)));
  tree value = find_parameter (c->f, of ? of->name : wrt ? wrt->name : name);
  if (!value || (of && wrt && strcmp (of->name, wrt->name)))
    return false;
  if (of || wrt)
    return is_array_of (type, value, forward ? of != NULL : wrt != NULL)
           && (!of || POINTER_TYPE_P (TREE_TYPE (value)))
           && SCALAR_FLOAT_TYPE_P (elements_of (type));
  return POINTER_TYPE_P (type)
           ? POINTER_TYPE_P (TREE_TYPE (value))
               && is_array_of (type, value, false)
               && TYPE_READONLY (elements_of (type))
           : is_number (type) && is_number (TREE_TYPE (value));
}

/* The name in LIST whose adjoint is no parameter, or NULL.  */
static const tns_wish_name *
find_lacking (const check *c, const tns_wish_list *list)
{
  for (int k = 0; k < list->n; k++)
    {
      const tns_condition *adjoint = list->names[k].adjoint;
      if (!adjoint || !find_parameter (c->own, adjoint->name))
        return &list->names[k];
    }
  return NULL;
}

/* The parameter of the user's function that nothing speaks of, or
   NULL_TREE.  */
static tree
find_wrong (const check *c)
{
  for (tree parm = DECL_ARGUMENTS (c->own); parm; parm = DECL_CHAIN (parm))
    if (is_of_arrays (c->f) ? !is_array_right (c, parm)
                            : !is_parameter_right (c, parm))
      return parm;
  return NULL_TREE;
}

/* The clause of is the one of a derivative.  */
static bool
is_of_result (const check *c)
{
  const tns_wish_list *of = &c->asked->of;
  if (is_of_arrays (c->f) && VOID_TYPE_P (TREE_TYPE (TREE_TYPE (c->f))))
    return of->n == 1 && strcmp (of->names[0].name, "return");
  return of->n == 1 && !strcmp (of->names[0].name, "return");
}

/* The user's function returns nothing.  */
static bool
returns_nothing (const check *c)
{
  return VOID_TYPE_P (TREE_TYPE (TREE_TYPE (c->own)));
}

/* The clauses and the parameters agree.  */
static bool
is_right (const check *c)
{
  bool forward = c->asked->forward;
  return (is_of_arrays (c->f) || (!forward && is_of_numbers (c->f)))
         && !c->asked->directions.asked && is_of_result (c)
         && returns_nothing (c) && !c->asked->given.n && !c->asked->clear.n
         && !c->asked->workspace && !find_lacking (c, &c->asked->of)
         && !find_lacking (c, &c->asked->wrt) && !find_wrong (c);
}

/* Give the error that they do not.  */
static void
complain (const check *c)
{
  location_t place = (location_t) c->asked->loc.handle;
  const tns_wish_name *lacking = find_lacking (c, &c->asked->of);
  lacking = lacking ? lacking : find_lacking (c, &c->asked->wrt);
  tree wrong = find_wrong (c);
  if (!is_of_numbers (c->f) && !is_of_arrays (c->f))
    error_at (place,
              "%qD is no function of numbers and arrays that returns a "
              "floating number or writes one array",
              c->f);
  else if (!is_of_result (c))
    error_at ((location_t) c->asked->of.loc.handle,
              is_of_arrays (c->f) && VOID_TYPE_P (TREE_TYPE (TREE_TYPE (c->f)))
                ? G_ ("the derivative of a function that writes an array is "
                      "%<of%> that array")
                : G_ ("a derivative is %<of (return: ...)%>"));
  else if (!returns_nothing (c))
    error_at (place, "%qD must return nothing", c->own);
  else if (lacking)
    error_at ((location_t) lacking->loc.handle,
              "the adjoint of %qs is no parameter of %qD", lacking->name,
              c->own);
  else
    error_at (DECL_SOURCE_LOCATION (wrong),
              is_of_arrays (c->f)
                ? G_ ("%qD is neither a number or a %<const%> array that %qD "
                      "takes nor the adjoint of one")
                : G_ ("%qD is neither a number that %qD takes nor the adjoint "
                      "of one"),
              wrong, c->f);
}

/* FNDECL, with the wish ASKED, is one more.  */
static void
add (tree fndecl, const tns_wish_derived *asked, bool is_offered)
{
  derivatives = tree_cons (fndecl, NULL_TREE, derivatives);
  table = XRESIZEVEC (derivative, table, n_derivatives + 1);
  table[n_derivatives++] = { asked, is_offered, false };
}

void
tns_derivative_declare (tree fndecl, const tns_wish *wish)
{
  add (fndecl, &wish->derived, false);
  TREE_USED (fndecl) = 1;
}

void
tns_derivative_offer (tree fndecl, const tns_wish *wish)
{
  if (!wish->derived.primal)
    add (fndecl, &wish->derived, true);
}

void
tns_derivative_check (tree fndecl)
{
  int k = n_derivatives;
  for (tree at = derivatives; at; at = TREE_CHAIN (at))
    {
      derivative *d = &table[--k];
      if (TREE_PURPOSE (at) != fndecl || d->is_right || d->is_offered)
        continue;
      location_t place = (location_t) d->asked->loc.handle;
      check c = { lookup_name (get_identifier (d->asked->function)), fndecl,
                  d->asked };
      if (!c.f || TREE_CODE (c.f) != FUNCTION_DECL)
        error_at (place, "%qs is no function that is declared here",
                  d->asked->function);
      else if (!(d->is_right = is_right (&c)))
        complain (&c);
    }
}

/* D, OWN, may stand for the derivative of F: the user's, or what is written
   where F's body is.  */
static bool
may_stand (const derivative *d, tree own, tree f)
{
  check c = { f, own, d->asked };
  bool has_body = tns_kept_body (f) || tns_is_derived (f);
  return d->is_right || (d->is_offered && !has_body && is_right (&c));
}

/* The entry of F's derivative, or tangent, in the chain, *D that in the table;
   NULL_TREE where it has none.  */
static tree
find_entry (tree f, bool forward, const derivative **d)
{
  int k = n_derivatives;
  const char *name = f ? IDENTIFIER_POINTER (DECL_NAME (f)) : "";
  for (tree at = derivatives; at; at = TREE_CHAIN (at))
    {
      *d = &table[--k];
      if (!strcmp ((*d)->asked->function, name)
          && (*d)->asked->forward == forward
          && may_stand (*d, TREE_PURPOSE (at), f))
        return at;
    }
  return NULL_TREE;
}

bool
tns_derivative_is_there (tree f)
{
  const derivative *d;
  return find_entry (f, false, &d) || find_entry (f, true, &d);
}

/* A partial being made.

   variables  adjoints, last first
   wanted     the one that is returned  */
typedef struct partial
{
  tree fn;
  tree f;
  const tns_wish_derived *asked;
  tree variables;
  tree wanted;
} partial;

/* A parameter of P's function of TYPE, called NAME, behind the others.  */
static void
add_parameter (partial *p, tree name, tree type)
{
  tree parm = build_decl (DECL_SOURCE_LOCATION (p->fn), PARM_DECL, name, type);
  DECL_ARG_TYPE (parm) = type;
  DECL_CONTEXT (parm) = p->fn;
  TREE_USED (parm) = 1;
  layout_decl (parm, 0);
  DECL_ARGUMENTS (p->fn) = chainon (DECL_ARGUMENTS (p->fn), parm);
}

/* The address of an adjoint like TYPE points to, 0 at first; *BODY sets it.  */
static tree
new_adjoint (partial *p, tree type, bool is_wanted, tree *body)
{
  tree made = build_decl (DECL_SOURCE_LOCATION (p->fn), VAR_DECL, NULL_TREE,
                          TREE_TYPE (type));
  DECL_CONTEXT (made) = p->fn;
  DECL_ARTIFICIAL (made) = 1;
  TREE_USED (made) = 1;
  TREE_ADDRESSABLE (made) = 1;
  DECL_CHAIN (made) = p->variables;
  p->variables = made;
  p->wanted = is_wanted ? made : p->wanted;
  append_to_statement_list (build2 (MODIFY_EXPR, TREE_TYPE (made), made,
                                    build_zero_cst (TREE_TYPE (made))),
                            body);
  return build_fold_addr_expr (made);
}

/* What the user's function gets for its parameter PARM in P, the partial in
   what is called NAME.  */
static tree
argument_for (partial *p, tree parm, const char *name, tree *body)
{
  const char *own = IDENTIFIER_POINTER (DECL_NAME (parm));
  const tns_wish_name *wrt = find_adjoint (&p->asked->wrt, own);
  if (wrt)
    return new_adjoint (p, TREE_TYPE (parm), !strcmp (wrt->name, name), body);
  tree found = tree_last (DECL_ARGUMENTS (p->fn));
  if (!find_adjoint (&p->asked->of, own))
    found = find_parameter (p->fn, own);
  return fold_convert (TREE_TYPE (parm), found);
}

/* A function like P's with parameters as F has, then an adjoint.  */
static void
open_partial (partial *p, tree own, const char *name)
{
  auto_vec<tree> types;
  tree type = TREE_TYPE (TREE_TYPE (p->f));
  char *title
    = ACONCAT ((IDENTIFIER_POINTER (DECL_NAME (own)), ".", name, NULL));
  for (tree parm = DECL_ARGUMENTS (p->f); parm; parm = DECL_CHAIN (parm))
    types.safe_push (TREE_TYPE (parm));
  types.safe_push (type);
  tree result = TREE_TYPE (find_parameter (p->f, name));
  p->fn = tns_build_function (
    get_identifier (title),
    build_function_type_array (result, types.length (), types.address ()));
  SET_DECL_ASSEMBLER_NAME (p->fn, get_identifier (title));
  DECL_UNINLINABLE (p->fn) = 0;
  for (tree parm = DECL_ARGUMENTS (p->f); parm; parm = DECL_CHAIN (parm))
    add_parameter (p, DECL_NAME (parm), TREE_TYPE (parm));
  add_parameter (p, NULL_TREE, type);
}

/* The partial of F in its parameter called NAME, which calls OWN.  */
static tree
make_partial (tree f, tree own, const tns_wish_derived *asked, const char *name)
{
  partial p = { NULL_TREE, f, asked, NULL_TREE, NULL_TREE };
  auto_vec<tree> given;
  tree body = NULL_TREE;
  location_t place = input_location;
  open_partial (&p, own, name);
  for (tree parm = DECL_ARGUMENTS (own); parm; parm = DECL_CHAIN (parm))
    given.safe_push (argument_for (&p, parm, name, &body));
  append_to_statement_list (build_call_expr_loc_array (UNKNOWN_LOCATION, own,
                                                       given.length (),
                                                       given.address ()),
                            &body);
  tree set
    = build2 (MODIFY_EXPR, TREE_TYPE (p.wanted), DECL_RESULT (p.fn), p.wanted);
  append_to_statement_list (build1 (RETURN_EXPR, void_type_node, set), &body);
  tns_build_finish (p.fn, p.variables, body);
  input_location = place;
  return p.fn;
}

tree
tns_derivative_partial (tree f, tree parm)
{
  const derivative *d;
  tree entry = find_entry (f, false, &d);
  tree made = purpose_member (DECL_NAME (parm), TREE_VALUE (entry));
  const char *name = IDENTIFIER_POINTER (DECL_NAME (parm));
  bool is_known = false;
  for (int k = 0; k < d->asked->wrt.n; k++)
    is_known |= !strcmp (d->asked->wrt.names[k].name, name);
  if (made || !is_known)
    return made ? TREE_VALUE (made) : NULL_TREE;
  tree fn = make_partial (f, TREE_PURPOSE (entry), d->asked, name);
  TREE_VALUE (entry) = tree_cons (DECL_NAME (parm), fn, TREE_VALUE (entry));
  return fn;
}

tree
tns_derivative_back (tree f)
{
  const derivative *d;
  tree entry = is_of_arrays (f) ? find_entry (f, false, &d) : NULL_TREE;
  return entry ? TREE_PURPOSE (entry) : NULL_TREE;
}

tree
tns_derivative_ahead (tree f)
{
  const derivative *d;
  tree entry = is_of_arrays (f) ? find_entry (f, true, &d) : NULL_TREE;
  return entry ? TREE_PURPOSE (entry) : NULL_TREE;
}

/* The number of F's parameter called NAME, -1: it has none.  */
static int
number_of (tree f, const char *name)
{
  int k = 0;
  for (tree parm = DECL_ARGUMENTS (f); parm; parm = DECL_CHAIN (parm), k++)
    if (!strcmp (IDENTIFIER_POINTER (DECL_NAME (parm)), name))
      return k;
  return -1;
}

tns_handed
tns_derivative_handed (tree f, bool forward, tree parm)
{
  const derivative *d;
  tns_handed handed = {};
  find_entry (f, forward, &d);
  const char *name = IDENTIFIER_POINTER (DECL_NAME (parm));
  const tns_wish_name *of = find_adjoint (&d->asked->of, name);
  const tns_wish_name *wrt = find_adjoint (&d->asked->wrt, name);
  bool is_place = POINTER_TYPE_P (TREE_TYPE (parm));
  bool is_written = forward ? of != NULL : wrt != NULL;
  handed.kind = !is_place    ? TNS_HANDED_NUMBER
                : is_written ? TNS_HANDED_WRITTEN
                             : TNS_HANDED_PLACE;
  handed.adjoint = of || wrt;
  handed.enters = of && wrt;
  handed.of = number_of (f, of ? of->name : wrt ? wrt->name : name);
  return handed;
}

void
tns_derivative_register (const char *plugin_name)
{
  static const struct ggc_root_tab roots[]
    = { { &derivatives, 1, sizeof derivatives, &gt_ggc_mx_tree_node,
          &gt_pch_nx_tree_node },
        LAST_GGC_ROOT_TAB };
  register_callback (plugin_name, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                     (void *) roots);
}
