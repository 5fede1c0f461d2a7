/* What the region reads in memory and is taken to leave alone.

     for (i = 0; i < s->n; i++)        n = s->n, read once before the region
       s->a[i] = 0;                    still s_n, may overlap s_a

   A bound, a width or a pointer that is loaded from memory in the region is a
   VALUE only if no store of the region reaches it.  Types often cannot tell:
   a byte that is stored may be part of anything, an int part of another int.
   Then the place becomes an array of its own, whose pairs with what is stored
   are checked at run time like all others.  What the first store that reaches
   the place would change was read before, so that the spans are right up to
   that store, which they hold.

   Only integers and pointers: other scalars are read where they are used.
   A place that the region names where it stores is not taken to hold.  */

#include "plugin/reader.hh"

/* What REF is a part of: a variable, a member of a structure, or what the
   pointer points to that is returned, *IS_REACHED.  */
static tree
whole_of (tree ref, bool *is_reached)
{
  *is_reached = false;
  for (;;)
    switch (TREE_CODE (ref))
      {
      case ARRAY_REF:
      case NON_LVALUE_EXPR:
        ref = TREE_OPERAND (ref, 0);
        break;
      case INDIRECT_REF:
      case POINTER_PLUS_EXPR:
        ref = tns_strip (TREE_OPERAND (ref, 0));
        if (POINTER_TYPE_P (TREE_TYPE (ref))
            && TREE_CODE (ref) != POINTER_PLUS_EXPR)
          {
            *is_reached = true;
            return ref;
          }
        break;
      default:
        return ref;
      }
}

/* Both are parts of the same, whatever structure it stands in.  */
static bool
is_same_whole (tree a, tree b)
{
  bool is_a_reached, is_b_reached;
  a = whole_of (a, &is_a_reached);
  b = whole_of (b, &is_b_reached);
  if (is_a_reached != is_b_reached)
    return false;
  if (!is_a_reached && TREE_CODE (a) == COMPONENT_REF
      && TREE_CODE (b) == COMPONENT_REF)
    return TREE_OPERAND (a, 1) == TREE_OPERAND (b, 1);
  return tns_same_tree (a, b);
}

/* REF is a member of a union, which a store to any other of them changes.  */
static bool
is_member_of_union (tree ref)
{
  return TREE_CODE (ref) == COMPONENT_REF
         && TREE_CODE (TREE_TYPE (TREE_OPERAND (ref, 0))) == UNION_TYPE;
}

bool
tns_holds_still (const tns_reader *reader, tree ref)
{
  tree type = TREE_TYPE (ref);
  if (is_member_of_union (ref))
    return false;
  if (!tns_may_be_stored (reader, type))
    return true;
  bool is_bits = TREE_CODE (ref) == COMPONENT_REF
                 && DECL_BIT_FIELD (TREE_OPERAND (ref, 1));
  if (!reader->assumes_still || is_bits
      || (!INTEGRAL_TYPE_P (type) && !POINTER_TYPE_P (type)))
    return false;
  const tns_trees *places = &reader->facts.places;
  for (int k = 0; k < places->n; k++)
    if (is_same_whole (places->item[k], ref))
      return false;
  return true;
}

/* The place REF, which was read at the entry, must hold still.  */
static bool
add_still (tns_reader *reader, tree ref)
{
  tns_address place;
  if (!tns_may_be_stored (reader, TREE_TYPE (ref)))
    return true;
  if (!tns_read_place (reader, ref, &place))
    return false;
  tns_expr *load = tns_place_load (reader, &place, ref, false);
  if (!load)
    return false;
  if (place.base->is_written)
    return tns_reader_refuse_tree (reader, ref, TNS_WHY_BOUND) != NULL;
  tns_region_add_still (reader->arena, reader->region, load);
  return true;
}

static bool add_stills (tns_reader *reader, tree expr);

/* The same for what is read to reach REF.  */
static bool
add_stills_on_way (tns_reader *reader, tree ref)
{
  for (;;)
    switch (TREE_CODE (ref))
      {
      case ARRAY_REF:
        if (!add_stills (reader, TREE_OPERAND (ref, 1)))
          return false;
        ref = TREE_OPERAND (ref, 0);
        break;
      case COMPONENT_REF:
        ref = TREE_OPERAND (ref, 0);
        break;
      case INDIRECT_REF:
        return add_stills (reader, TREE_OPERAND (ref, 0));
      default:
        return true;
      }
}

/* The same for all that EXPR, a value at the entry, reads.  */
static bool
add_stills (tns_reader *reader, tree expr)
{
  if (!expr)
    return true;
  switch (TREE_CODE (expr))
    {
    case ADDR_EXPR:
      return add_stills_on_way (reader, TREE_OPERAND (expr, 0));
    case ARRAY_REF:
    case COMPONENT_REF:
    case INDIRECT_REF:
      return add_stills_on_way (reader, expr) && add_still (reader, expr);
    case SAVE_EXPR:
      return tns_trees_have (&reader->facts.type_saves, expr)
             || add_stills (reader, TREE_OPERAND (expr, 0));
    case VAR_DECL:
    case PARM_DECL:
      return !tns_is_memory (expr) || TREE_READONLY (expr)
             || add_still (reader, expr);
    default:
      break;
    }
  for (int k = 0; EXPR_P (expr) && k < TREE_OPERAND_LENGTH (expr); k++)
    if (!add_stills (reader, TREE_OPERAND (expr, k)))
      return false;
  return true;
}

/* The same for EXPR, which is evaluated at the entry when WHEN holds.  */
static bool
add_stills_when (tns_reader *reader, tree expr, tree when)
{
  reader->early_when = NULL;
  if (when && !add_stills_when (reader, when, NULL_TREE))
    return false;
  reader->early_when = &when;
  return add_stills (reader, expr);
}

bool
tns_read_stills (tns_reader *reader, const bool *named)
{
  int n_syms = reader->region->n_syms;
  bool is_read = true;
  if (!reader->assumes_still)
    return true;
  tns_holds_restore (reader, NULL, 0);
  for (int k = 0; k < n_syms && is_read; k++)
    if (named[k] && reader->region->syms[k]->kind == TNS_SYM_VALUE)
      is_read = add_stills_when (reader, reader->load[k], reader->load_when[k]);
  for (tns_base *base = reader->bases; base && is_read; base = base->next)
    {
      const tns_base *whole = base;
      while (whole->outer)
        whole = whole->outer;
      if (base->sym && base->sym->id < n_syms && named[base->sym->id]
          && !whole->is_object)
        is_read = add_stills_when (reader, whole->root, whole->load_when);
    }
  reader->early_when = NULL;
  return is_read;
}
