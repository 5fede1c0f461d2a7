/* Arrays of constants, as plugin/known.hh says.

   An initializer is a tree of constructors, one for each row; what it leaves
   out is 0.  The elements are filled in as they lie in memory.  */

#include "plugin/known.hh"

/* walk_tree's visitor: stops where the object SELF gets another value, or its
   address is taken.  */
static tree
find_change (tree *at, int *walk_subtrees, void *self)
{
  switch (TREE_CODE (*at))
    {
    case ADDR_EXPR:
    case MODIFY_EXPR:
    case INIT_EXPR:
    case PREINCREMENT_EXPR:
    case PREDECREMENT_EXPR:
    case POSTINCREMENT_EXPR:
    case POSTDECREMENT_EXPR:
      {
        tree object = TREE_OPERAND (*at, 0);
        while (handled_component_p (object) || CONVERT_EXPR_P (object))
          object = TREE_OPERAND (object, 0);
        return object == (tree) self ? object : NULL_TREE;
      }
    default:
      if (TYPE_P (*at))
        *walk_subtrees = 0;
      return NULL_TREE;
    }
}

bool
tns_changes (tree body, tree object)
{
  return walk_tree_without_duplicates (&body, find_change, object) != NULL_TREE;
}

/* walk_tree's visitor: stops at assembler, which may do anything.  */
static tree
find_assembler (tree *at, int *, void *)
{
  return TREE_CODE (*at) == ASM_EXPR ? *at : NULL_TREE;
}

/* DECL always has the value that it begins with.  */
static bool
is_constant (const tns_reader *reader, tree decl)
{
  if (TREE_THIS_VOLATILE (decl) || !DECL_INITIAL (decl) || DECL_EXTERNAL (decl)
      || (TREE_PUBLIC (decl) && !decl_binds_to_current_def_p (decl)))
    return false;
  if (TREE_READONLY (decl))
    return true;
  tree body = DECL_SAVED_TREE (reader->fndecl);
  return DECL_CONTEXT (decl) == reader->fndecl && body && !DECL_NONLOCAL (decl)
         && !tns_changes (body, decl)
         && !walk_tree_without_duplicates (&body, find_assembler, NULL);
}

/* VALUE, of an element of type ELEM, as ours; NULL where it is no number.  */
static tns_expr *
number_of (tns_arena *arena, tns_elem elem, tree value)
{
  STRIP_NOPS (value);
  if (TREE_CODE (value) == INTEGER_CST && !tns_elem_is_float (elem))
    return tns_int_of (arena, elem, wi::to_wide (value).to_shwi ());
  if (TREE_CODE (value) == REAL_CST && tns_elem_is_float (elem))
    return tns_real_of_tree (arena, elem, value);
  return NULL;
}

/* Fill SYM's elements [AT, AT + SIZE), which dims from DIM on span, with those
   of INITIAL; false where these are not known.  */
static bool
fill (tns_arena *arena, tns_sym *sym, int dim, long long at, long long size,
      tree initial)
{
  if (dim == sym->rank)
    return (sym->held[at] = number_of (arena, sym->type.elem, initial)) != NULL;
  long long extent = 0;
  if (TREE_CODE (initial) != CONSTRUCTOR
      || !tns_expr_is_int (sym->extent[dim], &extent))
    return false;
  unsigned HOST_WIDE_INT k;
  tree index, value;
  long long next = 0;
  FOR_EACH_CONSTRUCTOR_ELT (CONSTRUCTOR_ELTS (initial), k, index, value)
  {
    if (index && !tree_fits_shwi_p (index))
      return false;
    next = index ? tree_to_shwi (index) : next;
    if (next < 0 || next >= extent
        || !fill (arena, sym, dim + 1, at + next * (size / extent),
                  size / extent, value))
      return false;
    next++;
  }
  return true;
}

/* The elements that SYM's extents span; 0 where these are not known, or where
   they are too many.  */
static long long
size_of (const tns_sym *sym)
{
  long long size = 1;
  for (int k = 0; k < sym->rank; k++)
    {
      long long extent = 0;
      if (!tns_expr_is_int (sym->extent[k], &extent) || extent < 1
          || extent > TNS_MOST_HELD)
        return 0;
      size *= extent;
      if (size > TNS_MOST_HELD)
        return 0;
    }
  return size;
}

void
tns_hold_elements (const tns_reader *reader, tns_base *base)
{
  tns_sym *sym = base->sym;
  if (base->outer || base->is_local || !base->is_object || base->rank == 0
      || sym->stride || !VAR_P (base->root)
      || TREE_CODE (TREE_TYPE (base->root)) != ARRAY_TYPE
      || !is_constant (reader, base->root))
    return;
  long long size = size_of (sym);
  bool is_float = tns_elem_is_float (sym->type.elem);
  tns_expr *zero = is_float ? tns_real (reader->arena, sym->type.elem, 0)
                            : tns_int_of (reader->arena, sym->type.elem, 0);
  sym->held = TNS_NEW_ARRAY (reader->arena, tns_expr *, size + 1);
  for (int k = 0; k < size; k++)
    sym->held[k] = zero;
  if (size > 0
      && fill (reader->arena, sym, 0, 0, size, DECL_INITIAL (base->root)))
    sym->n_held = (int) size;
  else
    sym->held = NULL;
}
