/* Calls that stay: of functions that work on arrays, whose derivatives the user
   or another file has.

     layer (n, x, h)    ->   h[0] = call layer (n, x[0], n, h[0], n)

   How much of an array the function touches its prototype says, or an attribute
   (access), else the array that it is handed.  */

#include "plugin/derivative.hh"
#include "plugin/reader.hh"

/* A call of a function that works on arrays.

   at      by parameter: which argument it is
   handed, arg  what the function is handed
   written  the array that it writes, NULL: none  */
typedef struct handing
{
  tns_reader *reader;
  tree f;
  tree call;
  int n;
  int at[TNS_MOST_RANK];
  tns_handed handed[TNS_MOST_RANK];
  tns_expr *arg[TNS_MOST_RANK];
  tns_expr *written;
} handing;

/* BOUND, an extent in the prototype of H's function, where it is called; NULL
   where that cannot be said.  */
static tns_expr *
bound_here (const handing *h, tree bound)
{
  tns_arena *arena = h->reader->arena;
  while (CONVERT_EXPR_P (bound) || TREE_CODE (bound) == SAVE_EXPR
         || TREE_CODE (bound) == NON_LVALUE_EXPR)
    bound = TREE_OPERAND (bound, 0);
  if (tree_fits_shwi_p (bound))
    return tns_int (arena, tree_to_shwi (bound));
  int k = 0;
  for (tree parm = DECL_ARGUMENTS (h->f);
       TREE_CODE (bound) == PARM_DECL && parm; parm = DECL_CHAIN (parm), k++)
    if (DECL_NAME (parm) == DECL_NAME (bound)
        && INTEGRAL_TYPE_P (TREE_TYPE (parm)))
      return tns_as_index (h->reader, h->arg[h->at[k]]);
  tns_op op = TREE_CODE (bound) == PLUS_EXPR    ? TNS_ADD
              : TREE_CODE (bound) == MINUS_EXPR ? TNS_SUB
              : TREE_CODE (bound) == MULT_EXPR  ? TNS_MUL
                                                : TNS_NONE;
  tns_expr *a = op != TNS_NONE ? bound_here (h, TREE_OPERAND (bound, 0)) : NULL;
  tns_expr *b = a ? bound_here (h, TREE_OPERAND (bound, 1)) : NULL;
  return b ? tns_binary (arena, op, a, b) : NULL;
}

/* How many arrays of that extent the type TYPE, of what a parameter points to,
   says there are in one; *VARIES counts extents that are no constants.  NULL
   where that cannot be said.  */
static tns_expr *
elements_in (const handing *h, tree type, unsigned *varies)
{
  tns_arena *arena = h->reader->arena;
  tns_expr *n = tns_int (arena, 1);
  for (; n && TREE_CODE (type) == ARRAY_TYPE; type = TREE_TYPE (type))
    {
      tree last
        = TYPE_DOMAIN (type) ? TYPE_MAX_VALUE (TYPE_DOMAIN (type)) : NULL_TREE;
      tns_expr *end = last ? bound_here (h, last) : NULL;
      *varies += last && !tree_fits_shwi_p (last);
      n = end
            ? tns_binary (arena, TNS_MUL, n,
                          tns_binary (arena, TNS_ADD, end, tns_int (arena, 1)))
            : NULL;
    }
  return n;
}

/* The first extent of H's parameter K, as its prototype has it or an attribute
   says; NULL where neither does.  VARIES of the others are no constants.  */
static tns_expr *
first_extent (const handing *h, int k, unsigned varies)
{
  tns_arena *arena = h->reader->arena;
  rdwr_map map;
  init_attr_rdwr_indices (&map, TYPE_ATTRIBUTES (TREE_TYPE (h->f)));
  const attr_access *access = map.get (k);
  if (!access)
    return NULL;
  unsigned n_bounds = list_length (access->size);
  if (access->internal_p && n_bounds == varies + 1)
    return bound_here (h, TREE_VALUE (access->size));
  if (access->internal_p && access->minsize > 0
      && access->minsize < HOST_WIDE_INT_M1U && n_bounds == varies)
    return tns_int (arena, access->minsize);
  return !access->internal_p && access->sizarg != UINT_MAX
           ? tns_as_index (h->reader, h->arg[h->at[access->sizarg]])
           : NULL;
}

/* How many elements the function may touch behind PLACE, which is PARM's, the
   K-th; -1 where nobody says.  */
static tns_expr *
count_behind (const handing *h, tree parm, int k, const tns_address *place)
{
  tns_arena *arena = h->reader->arena;
  unsigned varies = 0;
  tns_expr *inner = elements_in (h, TREE_TYPE (TREE_TYPE (parm)), &varies);
  tns_expr *first = inner ? first_extent (h, k, varies) : NULL;
  const tns_expr *extent = place->base->extent[0];
  if (first)
    return tns_binary (arena, TNS_MUL, first, inner);
  return place->n == 1 && extent
           ? tns_binary (arena, TNS_SUB, (tns_expr *) extent, place->sub[0])
           : tns_int (arena, -1);
}

/* The array that PARM, the K-th of H's function, is handed, and how much of it.
   False with the reason said.  */
static bool
hand_array (handing *h, tree parm, int k)
{
  tns_address place;
  tree given = CALL_EXPR_ARG (h->call, k);
  bool writes
    = !TYPE_READONLY (strip_array_types (TREE_TYPE (TREE_TYPE (parm))));
  if (!tns_read_address (h->reader, given, &place))
    return false;
  while (TREE_CODE (place.type) == ARRAY_TYPE)
    if (!tns_place_element (h->reader, &place, tns_int (h->reader->arena, 0),
                            given))
      return false;
  tns_expr *load = tns_place_load (h->reader, &place, given, writes);
  if (!load || load->n_args == 0)
    return load && tns_reader_refuse_tree (h->reader, h->call, TNS_WHY_CALL);
  if (writes)
    h->written = load;
  h->handed[h->n].kind = writes ? TNS_HANDED_WRITTEN : TNS_HANDED_PLACE;
  h->arg[h->n++] = load;
  h->handed[h->n].kind = TNS_HANDED_COUNT;
  h->arg[h->n++] = count_behind (h, parm, k, &place);
  return true;
}

/* All that H's function is handed, numbers first, which extents may be over.
   False with the reason said.  */
static bool
hand_all (handing *h)
{
  int k = 0;
  int n = 0;
  for (tree parm = DECL_ARGUMENTS (h->f); parm; parm = DECL_CHAIN (parm), k++)
    {
      bool is_array = POINTER_TYPE_P (TREE_TYPE (parm));
      if (n + 2 > TNS_MOST_RANK || k >= call_expr_nargs (h->call))
        return tns_reader_refuse_tree (h->reader, h->call, TNS_WHY_CALL);
      h->at[k] = n;
      if (!is_array
          && !(h->arg[n]
               = tns_read_expr (h->reader, CALL_EXPR_ARG (h->call, k))))
        return false;
      n += is_array ? 2 : 1;
    }
  k = 0;
  for (tree parm = DECL_ARGUMENTS (h->f); parm; parm = DECL_CHAIN (parm), k++)
    {
      h->n = h->at[k];
      if (POINTER_TYPE_P (TREE_TYPE (parm)) && !hand_array (h, parm, k))
        return false;
    }
  h->n = n;
  return true;
}

/* What OWN, the derivative of H's function or, FORWARD, its tangent, is handed,
   into HANDED, the number of arguments; *TYPE becomes that of the last adjoint
   that it writes.  */
static int
derived_handed (const handing *h, tree own, bool forward, tns_handed *handed,
                tree *type)
{
  int n = 0;
  for (tree parm = DECL_ARGUMENTS (own); parm && n + 2 <= TNS_MOST_RANK;
       parm = DECL_CHAIN (parm))
    {
      tns_handed *one = &handed[n++];
      *one = tns_derivative_handed (h->f, forward, parm);
      one->of = one->of < 0 ? -1 : h->at[one->of];
      if (one->kind == TNS_HANDED_WRITTEN)
        *type = strip_array_types (TREE_TYPE (TREE_TYPE (parm)));
      if (one->kind == TNS_HANDED_NUMBER)
        continue;
      handed[n] = *one;
      handed[n].adjoint = false;
      handed[n++].kind = TNS_HANDED_COUNT;
    }
  return n;
}

/* OWN, the derivative of H's function or its tangent, as a symbol; NULL where
   there is none.  */
static tns_sym *
derived_of (const handing *h, tree own, bool forward)
{
  tns_reader *reader = h->reader;
  tree type = NULL_TREE;
  tns_handed *handed
    = TNS_NEW_ARRAY (reader->arena, tns_handed, TNS_MOST_RANK + 2);
  int rank = own ? derived_handed (h, own, forward, handed, &type) : 0;
  bool is_all = rank + 2 <= TNS_MOST_RANK;
  tns_sym *derived
    = type && is_all ? tns_new_function (reader, own, type, rank) : NULL;
  if (derived)
    derived->argument = handed;
  return derived;
}

/* The symbol of H's function; NULL with the reason said.  */
static tns_sym *
handed_to (const handing *h)
{
  tns_reader *reader = h->reader;
  tns_sym *found = tns_find_function (reader, h->f);
  tree type = TREE_TYPE (TREE_TYPE (h->f));
  if (found)
    return found;
  if (h->written)
    for (tree parm = DECL_ARGUMENTS (h->f); parm; parm = DECL_CHAIN (parm))
      if (POINTER_TYPE_P (TREE_TYPE (parm)))
        {
          tree elem = strip_array_types (TREE_TYPE (TREE_TYPE (parm)));
          type = TYPE_READONLY (elem) ? type : elem;
        }
  tns_sym *back = derived_of (h, tns_derivative_back (h->f), false);
  tns_sym *ahead = derived_of (h, tns_derivative_ahead (h->f), true);
  found = back || ahead ? tns_new_function (reader, h->f, type, h->n) : NULL;
  if (!found)
    return NULL;
  found->argument = TNS_NEW_ARRAY (reader->arena, tns_handed, h->n + 1);
  for (int k = 0; k < h->n; k++)
    found->argument[k] = h->handed[k];
  found->back = back;
  found->ahead = ahead;
  return found;
}

tns_expr *
tns_read_handed (tns_reader *reader, tree f, tree call)
{
  handing h = {};
  h.reader = reader;
  h.f = f;
  h.call = call;
  tns_sym *sym = !reader->conditional && hand_all (&h) ? handed_to (&h) : NULL;
  if (!sym)
    return (tns_expr *) tns_reader_refuse_tree (reader, call, TNS_WHY_CALL);
  tns_expr *made
    = tns_make (reader->arena, TNS_CALL, sym->type, sym, h.n, h.arg);
  made->loc = tns_loc_of (reader->loc);
  if (!h.written)
    return tns_keep_value (reader, made);
  return tns_store (reader, h.written, made) ? tns_int (reader->arena, 0)
                                             : NULL;
}
