/* The parallel table of trees, and types both ways.

   A type of GCC is ours by what its values are: width and signedness of an
   integer (enumerations and char included), the machine mode of a floating
   type.  What has no row in base/type.def (complex, decimal, __int128,
   _Float16, __float128) is told apart by the caller, who refuses it.  */

#include "plugin/symbols.hh"

tns_symbols *
tns_symbols_new (tns_arena *arena)
{
  return TNS_NEW (arena, tns_symbols);
}

void
tns_symbols_set (tns_arena *arena, tns_symbols *symbols, const tns_sym *sym,
                 tree expr)
{
  if (sym->id >= symbols->room)
    {
      int room = 2 * (sym->id + 8);
      symbols->trees = (tree *) tns_arena_grow (arena, symbols->trees,
                                                sizeof (tree) * symbols->room,
                                                sizeof (tree) * room);
      symbols->room = room;
    }
  if (sym->id >= symbols->n)
    symbols->n = sym->id + 1;
  symbols->trees[sym->id] = expr;
}

tree
tns_symbols_get (const tns_symbols *symbols, const tns_sym *sym)
{
  return sym->id < symbols->n ? symbols->trees[sym->id] : NULL_TREE;
}

/* The GCC type of scalars of ELEM.  */
static tree
scalar_type_tree (tns_elem elem)
{
  switch (elem)
    {
    case TNS_BOOL:
      return boolean_type_node;
    case TNS_I8:
      return signed_char_type_node;
    case TNS_U8:
      return unsigned_char_type_node;
    case TNS_I16:
      return short_integer_type_node;
    case TNS_U16:
      return short_unsigned_type_node;
    case TNS_I32:
      return integer_type_node;
    case TNS_U32:
      return unsigned_type_node;
    case TNS_I64:
      return long_integer_type_node;
    case TNS_U64:
      return long_unsigned_type_node;
    case TNS_F32:
      return float_type_node;
    case TNS_F64:
      return double_type_node;
    case TNS_F80:
      return long_double_type_node;
    default:
      return NULL_TREE;
    }
}

tree
tns_type_tree (tns_type type)
{
  tree scalar = scalar_type_tree (type.elem);
  if (!scalar || type.lanes == 1)
    return scalar;
  if (type.elem == TNS_BOOL)
    return build_truth_vector_type_for_mode (type.lanes, VOIDmode);
  return build_vector_type (scalar, type.lanes);
}

/* The integer type of BITS bits.  */
static bool
integer_elem (int bits, bool is_unsigned, tns_elem *elem)
{
  switch (bits)
    {
    case 8:
      *elem = is_unsigned ? TNS_U8 : TNS_I8;
      return true;
    case 16:
      *elem = is_unsigned ? TNS_U16 : TNS_I16;
      return true;
    case 32:
      *elem = is_unsigned ? TNS_U32 : TNS_I32;
      return true;
    case 64:
      *elem = is_unsigned ? TNS_U64 : TNS_I64;
      return true;
    default:
      return false;
    }
}

/* The floating type that values of MODE have.  */
static bool
floating_elem (tree type, tns_elem *elem)
{
  machine_mode mode = TYPE_MODE (type);
  if (mode == TYPE_MODE (float_type_node))
    *elem = TNS_F32;
  else if (mode == TYPE_MODE (double_type_node))
    *elem = TNS_F64;
  else if (mode == TYPE_MODE (long_double_type_node))
    *elem = TNS_F80;
  else
    return false;
  return true;
}

bool
tns_type_of_tree (tree type, tns_elem *elem)
{
  if (!type)
    return false;
  switch (TREE_CODE (type))
    {
    case BOOLEAN_TYPE:
      *elem = TNS_BOOL;
      return true;
    case INTEGER_TYPE:
    case ENUMERAL_TYPE:
      return integer_elem (TYPE_PRECISION (type), TYPE_UNSIGNED (type), elem);
    case REAL_TYPE:
      return !DECIMAL_FLOAT_TYPE_P (type) && floating_elem (type, elem);
    default:
      return false;
    }
}

tns_loc
tns_loc_of (location_t loc)
{
  expanded_location place = expand_location (loc);
  tns_loc ours = { loc, place.line, place.column };
  return ours;
}
