/* The arrays of #pragma tensor data: neutral form -> GCC's trees.

   A pointer has no length of its own and needs [first:count].  A parameter
   that is declared like an array is a pointer too, but GCC keeps the declared
   lengths in an attribute of its own, "arg spec": a text and a list of bounds,

     float x[n + 1][m]   "[$$]" (n + 1, m)     float x[static 7]   "[s7]"
     float x[n][4]       "[$]" (n)             float x[10][m]      "[$10]" (m)

   a $ for each bound that is no constant, and then the outermost one, if that
   is a constant, or a blank where it is not said.

   Elements hold no pointers, since those are of no use on a device: so who
   reads a pointer reads no listed array.  */

#include "pragmas/section.hh"

#include "pragmas/fact.hh"

bool
tns_holds_pointers (const_tree type)
{
  while (TREE_CODE (type) == ARRAY_TYPE)
    type = TREE_TYPE (type);
  if (!RECORD_OR_UNION_TYPE_P (type))
    return !INTEGRAL_TYPE_P (type) && !SCALAR_FLOAT_TYPE_P (type)
           && TREE_CODE (type) != COMPLEX_TYPE
           && TREE_CODE (type) != VECTOR_TYPE;
  for (tree field = TYPE_FIELDS (type); field; field = DECL_CHAIN (field))
    if (TREE_CODE (field) == FIELD_DECL
        && tns_holds_pointers (TREE_TYPE (field)))
      return true;
  return false;
}

/* How many elements PARM is declared to have, NULL_TREE where it is not.  */
static tree
declared_length (tree parm)
{
  tree spec = TREE_CODE (parm) == PARM_DECL
                ? lookup_attribute ("arg spec", DECL_ATTRIBUTES (parm))
                : NULL_TREE;
  tree args = spec ? TREE_VALUE (spec) : NULL_TREE;
  if (!args || TREE_CODE (TREE_VALUE (args)) != STRING_CST)
    return NULL_TREE;
  const char *text = TREE_STRING_POINTER (TREE_VALUE (args));
  text += *text == '[';
  text += *text == 's';
  const char *last = text + strspn (text, "$");
  tree bounds = TREE_CHAIN (args);
  if (ISDIGIT (*last))
    return build_int_cst (ssizetype, atol (last));
  return *last == ']' && last > text && bounds ? TREE_VALUE (bounds)
                                               : NULL_TREE;
}

/* The value of BOUND, a whole number; NULL_TREE without one.  False with an
   error.  */
static bool
bound_tree (const tns_condition *bound, void **made)
{
  if (!bound)
    return true;
  tree value = tns_fact_tree (bound);
  *made = value;
  if (value == error_mark_node)
    return false;
  if (INTEGRAL_TYPE_P (TREE_TYPE (value)))
    return true;
  error_at (bound->loc.handle, "this is not a number of elements");
  return false;
}

/* The elements of TYPE, an array, a pointer or a structure, which is the only
   one, can be on a device.  */
static bool
check_elements (const tns_wish_section *given, tree type)
{
  location_t loc = given->loc.handle;
  bool is_one = RECORD_OR_UNION_TYPE_P (type);
  tree element = is_one ? type : TREE_TYPE (type);
  bool is_pointer = POINTER_TYPE_P (type);
  if (VOID_TYPE_P (element) || !COMPLETE_TYPE_P (element)
      || TREE_CODE (element) == FUNCTION_TYPE)
    error_at (loc, "%qs has no elements of known size", given->name);
  else if (tns_holds_pointers (element))
    error_at (loc,
              is_one ? G_ ("%qs holds pointers")
                     : G_ ("the elements of %qs hold pointers"),
              given->name);
  else if (is_pointer && !given->count && !given->length)
    error_at (loc, "%qs is a pointer: write how many elements, %<%s[0:n]%>",
              given->name, given->name);
  else if (!is_pointer && !COMPLETE_TYPE_P (type) && !given->count)
    error_at (loc, "the length of %qs is not known here: write %<%s[0:n]%>",
              given->name, given->name);
  else
    return true;
  return false;
}

bool
tns_section_trees (tns_wish_section *given)
{
  location_t loc = given->loc.handle;
  tree base = tns_place_tree (given->place);
  given->base = base;
  if (base == error_mark_node)
    return false;
  tree type = TREE_TYPE (base);
  bool is_one = RECORD_OR_UNION_TYPE_P (type) && !given->count;
  if (TREE_CODE (type) != ARRAY_TYPE && !POINTER_TYPE_P (type) && !is_one)
    {
      error_at (loc, "%qs is no array and no pointer", given->name);
      return false;
    }
  tree length = given->count ? NULL_TREE : declared_length (base);
  given->declared = length != NULL_TREE;
  given->length = length;
  return check_elements (given, type) && bound_tree (given->first, &given->from)
         && bound_tree (given->count, &given->length);
}
