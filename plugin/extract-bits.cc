/* The bits of a value under another type, as C spells it.

     memcpy (&f, &u, sizeof f);                 f = bits:f32 (u)
     union { uint32_t u; float f; } x;          x = n << 16
     x.u = n << 16;  ... x.f ...          ->    ... bits:f32 (x) ...
     if (signbit (x)) ...                       if (bits:i32 (x) < 0) ...
     i = *(int *) &f;                           i = bits:i32 (f)
     union { double d; int half[2]; } x;
     ... x.half[1] ...                          ... bits:u64 (x) >> 32 ...

   A local union of scalars, and of structures and arrays of scalars, is a cell
   of the type of its first scalar of the union's own size; the others are parts
   of its bits.  In memory, where all are scalars of one size, the members that
   have the type of the first one are all that one.  Others, and local unions
   whose address is taken, are not read.  */

#include "plugin/reader.hh"

/* VALUE's bits as ELEM, of as many bytes.  */
static tns_expr *
bits_as (tns_reader *reader, tns_elem elem, tns_expr *value)
{
  if (!value || value->type.elem == elem)
    return value;
  return tns_make (reader->arena, TNS_BITS, tns_scalar (elem), NULL, 1, &value);
}

/* TYPE is a scalar whose bits can be looked at.  */
static bool
has_bits (tree type, tns_elem *elem)
{
  return tns_type_of_tree (type, elem) && *elem != TNS_BOOL && *elem != TNS_F80;
}

/* FIELD is one with bits of its own.  */
static bool
is_plain_field (tree field)
{
  return TREE_CODE (field) == FIELD_DECL && !DECL_BIT_FIELD (field)
         && !TREE_THIS_VOLATILE (field);
}

/* TYPE is an array or a structure of scalars.  */
static bool
has_parts (tree type)
{
  tns_elem elem;
  if (TREE_CODE (type) == ARRAY_TYPE)
    return has_bits (TREE_TYPE (type), &elem);
  bool holds = TREE_CODE (type) == RECORD_TYPE && !TYPE_VOLATILE (type);
  for (tree field = holds ? TYPE_FIELDS (type) : NULL_TREE; field && holds;
       field = DECL_CHAIN (field))
    holds = is_plain_field (field) && has_bits (TREE_TYPE (field), &elem);
  return holds;
}

tree
tns_scalar_of_union (tree type)
{
  tns_elem elem;
  tree found = NULL_TREE;
  if (TREE_CODE (type) != UNION_TYPE || TYPE_VOLATILE (type) || BYTES_BIG_ENDIAN
      || TYPE_REVERSE_STORAGE_ORDER (type))
    return NULL_TREE;
  for (tree field = TYPE_FIELDS (type); field; field = DECL_CHAIN (field))
    {
      tree own = TREE_TYPE (field);
      if (!is_plain_field (field)
          || (!has_bits (own, &elem) && !has_parts (own)))
        return NULL_TREE;
      if (!found && has_bits (own, &elem)
          && tree_int_cst_equal (TYPE_SIZE_UNIT (own), TYPE_SIZE_UNIT (type)))
        found = field;
    }
  return found;
}

/* TYPE is a union of scalars of one size.  */
static bool
is_flat_union (tree type)
{
  tns_elem elem;
  bool holds = tns_scalar_of_union (type) != NULL_TREE;
  for (tree field = holds ? TYPE_FIELDS (type) : NULL_TREE; field && holds;
       field = DECL_CHAIN (field))
    holds = has_bits (TREE_TYPE (field), &elem)
            && tree_int_cst_equal (TYPE_SIZE_UNIT (TREE_TYPE (field)),
                                   TYPE_SIZE_UNIT (type));
  return holds;
}

tree
tns_first_of_union (tree field)
{
  tree record = DECL_CONTEXT (field);
  if (TREE_CODE (record) == RECORD_TYPE)
    return field;
  if (!is_flat_union (record))
    return NULL_TREE;
  tree first = TYPE_FIELDS (record);
  return TYPE_MAIN_VARIANT (TREE_TYPE (first))
             == TYPE_MAIN_VARIANT (TREE_TYPE (field))
           ? first
           : NULL_TREE;
}

/* The object that REF is a member of, or of a member of; *BIT gets the place of
   REF in it.  NULL_TREE where that is not constant.  */
static tree
whole_of (tree ref, HOST_WIDE_INT *bit)
{
  *bit = 0;
  for (; handled_component_p (ref); ref = TREE_OPERAND (ref, 0))
    {
      tree at = TREE_OPERAND (ref, 1);
      if (TREE_CODE (ref) == COMPONENT_REF && !DECL_BIT_FIELD (at))
        *bit += int_bit_position (at);
      else if (TREE_CODE (ref) == ARRAY_REF && tree_fits_uhwi_p (at)
               && tree_fits_shwi_p (TYPE_SIZE (TREE_TYPE (ref))))
        *bit += tree_to_uhwi (at) * tree_to_shwi (TYPE_SIZE (TREE_TYPE (ref)));
      else
        return NULL_TREE;
    }
  return ref;
}

tree
tns_union_of_member (tns_reader *reader, tree ref)
{
  HOST_WIDE_INT bit;
  tns_elem elem;
  if (TREE_CODE (ref) != COMPONENT_REF && TREE_CODE (ref) != ARRAY_REF)
    return NULL_TREE;
  tree decl = whole_of (ref, &bit);
  if (!decl || !VAR_P (decl) || tns_is_memory (decl)
      || !tns_scalar_of_union (TREE_TYPE (decl))
      || !has_bits (TREE_TYPE (ref), &elem)
      || bit + 8 * tns_elem_bytes (elem)
           > tree_to_shwi (TYPE_SIZE (TREE_TYPE (decl)))
      || !tns_variable_of (reader, decl)->is_local)
    return NULL_TREE;
  return decl;
}

/* The unsigned integer of BYTES bytes.  */
static tns_elem
word_of (int bytes)
{
  return bytes == 1   ? TNS_U8
         : bytes == 2 ? TNS_U16
         : bytes == 4 ? TNS_U32
                      : TNS_U64;
}

/* WORD moved by BIT bits, up or down.  */
static tns_expr *
moved (tns_reader *reader, tns_op op, tns_expr *word, HOST_WIDE_INT bit)
{
  return bit ? tns_binary (reader->arena, op, word,
                           tns_int_of (reader->arena, word->type.elem, bit))
             : word;
}

/* The part of CELL from BIT on that is an ELEM.  */
static tns_expr *
part_of (tns_reader *reader, tns_expr *cell, tns_elem elem, HOST_WIDE_INT bit)
{
  tns_elem whole = word_of (tns_elem_bytes (cell->type.elem));
  tns_elem part = word_of (tns_elem_bytes (elem));
  if (whole == part)
    return bits_as (reader, elem, cell);
  tns_expr *word = moved (reader, TNS_SHR, bits_as (reader, whole, cell), bit);
  return bits_as (reader, elem,
                  tns_cast (reader->arena, tns_scalar (part), word));
}

/* CELL with VALUE in the place of its part from BIT on.  */
static tns_expr *
with_part (tns_reader *reader, tns_expr *cell, tns_expr *value,
           HOST_WIDE_INT bit)
{
  tns_arena *arena = reader->arena;
  int bytes = tns_elem_bytes (value->type.elem);
  tns_elem whole = word_of (tns_elem_bytes (cell->type.elem));
  if (whole == word_of (bytes))
    return bits_as (reader, cell->type.elem, value);
  unsigned long long mask = ((1ull << 8 * bytes) - 1) << bit;
  tns_expr *part = tns_cast (arena, tns_scalar (whole),
                             bits_as (reader, word_of (bytes), value));
  tns_expr *rest = tns_binary (arena, TNS_AND, bits_as (reader, whole, cell),
                               tns_int_of (arena, whole, (long long) ~mask));
  part = moved (reader, TNS_SHL, part, bit);
  return bits_as (reader, cell->type.elem,
                  tns_binary (arena, TNS_OR, rest, part));
}

tns_expr *
tns_read_union (tns_reader *reader, tree ref)
{
  tns_elem elem;
  HOST_WIDE_INT bit;
  tree decl = whole_of (ref, &bit);
  tns_expr *cell = tns_cell_of (reader, decl, false);
  return cell && has_bits (TREE_TYPE (ref), &elem)
           ? part_of (reader, cell, elem, bit)
           : NULL;
}

/* The member REF of union DECL, from BIT on and of TYPE, gets VALUE.  */
static bool
write_union (tns_reader *reader, tree decl, HOST_WIDE_INT bit, tree type,
             tns_expr *value)
{
  tns_elem elem;
  tns_expr *cell = tns_cell_of (reader, decl, true);
  if (!cell || !value || !has_bits (type, &elem))
    return false;
  value = tns_cast (reader->arena, tns_scalar (elem), value);
  return tns_store (reader, cell, with_part (reader, cell, value, bit));
}

tree
tns_punned (tree ref)
{
  tns_elem elem, have;
  if (TREE_CODE (ref) != INDIRECT_REF || TREE_THIS_VOLATILE (ref)
      || !has_bits (TREE_TYPE (ref), &elem))
    return NULL_TREE;
  tree pointer = tns_pointer_under (TREE_OPERAND (ref, 0));
  if (TREE_CODE (pointer) != ADDR_EXPR)
    return NULL_TREE;
  tree object = TREE_OPERAND (pointer, 0);
  tree whole = get_base_address (object);
  bool may_be = whole && (VAR_P (whole) || TREE_CODE (whole) == PARM_DECL)
                && !TREE_THIS_VOLATILE (object)
                && has_bits (TREE_TYPE (object), &have) && have != elem
                && tns_elem_bytes (have) == tns_elem_bytes (elem);
  return may_be ? object : NULL_TREE;
}

tns_expr *
tns_read_pun (tns_reader *reader, tree object, tree type)
{
  tns_elem elem;
  return has_bits (type, &elem)
           ? bits_as (reader, elem, tns_read_expr (reader, object))
           : NULL;
}

/* OBJECT gets the bits of VALUE as one of TYPE.  */
static bool
write_pun (tns_reader *reader, tree object, tree type, tns_expr *value)
{
  tns_elem elem, have;
  if (!value || !has_bits (type, &elem)
      || !has_bits (TREE_TYPE (object), &have))
    return false;
  value = tns_cast (reader->arena, tns_scalar (elem), value);
  value = bits_as (reader, have, value);
  if (DECL_P (object))
    return tns_write_variable (reader, object, value, NULL_TREE);
  return tns_store_ref (reader, object, value);
}

bool
tns_store_ref (tns_reader *reader, tree ref, tns_expr *value)
{
  HOST_WIDE_INT bit;
  tree object = tns_punned (ref);
  if (tree decl = tns_union_of_member (reader, ref))
    {
      (void) whole_of (ref, &bit);
      return write_union (reader, decl, bit, TREE_TYPE (ref), value);
    }
  if (object)
    return write_pun (reader, object, TREE_TYPE (ref), value);
  return tns_store (reader, tns_read_ref (reader, ref, true), value);
}

/* The cell of DECL, a union of which parts may be written one by one, is 0.  */
static bool
clear_cell (tns_reader *reader, tree decl)
{
  tns_expr *cell = tns_cell_of (reader, decl, true);
  if (!cell)
    return false;
  tns_elem whole = word_of (tns_elem_bytes (cell->type.elem));
  tns_expr *zero = tns_int_of (reader->arena, whole, 0);
  return tns_store (reader, cell, bits_as (reader, cell->type.elem, zero));
}

bool
tns_declare_union (tns_reader *reader, tree decl)
{
  tree init = DECL_INITIAL (decl);
  tns_expr *value = NULL;
  bool is_scalar
    = init && TREE_CODE (init) == CONSTRUCTOR && CONSTRUCTOR_NELTS (init) == 1
      && !AGGREGATE_TYPE_P (TREE_TYPE (CONSTRUCTOR_ELT (init, 0)->index));
  if (tns_is_memory (decl) || (init && !is_scalar))
    return tns_reader_refuse_tree (reader, TREE_TYPE (decl), TNS_WHY_TYPE)
           != NULL;
  if (init)
    value = tns_read_expr (reader, CONSTRUCTOR_ELT (init, 0)->value);
  if ((init && !value) || !tns_declare_cell (reader, decl))
    return false;
  if (!is_flat_union (TREE_TYPE (decl)) && !clear_cell (reader, decl))
    return false;
  return !init
         || write_union (reader, decl, 0,
                         TREE_TYPE (CONSTRUCTOR_ELT (init, 0)->index), value);
}

/* The scalar that ARG, a void pointer, points to as an expression; NULL_TREE
   when it points to something else.  */
static tree
scalar_behind (tree arg, tns_elem *elem)
{
  while (CONVERT_EXPR_P (arg) && POINTER_TYPE_P (TREE_TYPE (arg))
         && POINTER_TYPE_P (TREE_TYPE (TREE_OPERAND (arg, 0))))
    arg = TREE_OPERAND (arg, 0);
  tree type = TREE_TYPE (TREE_TYPE (arg));
  if (TREE_THIS_VOLATILE (type) || TYPE_VOLATILE (type)
      || !has_bits (type, elem))
    return NULL_TREE;
  return TREE_CODE (arg) == ADDR_EXPR ? TREE_OPERAND (arg, 0)
                                      : build1 (INDIRECT_REF, type, arg);
}

bool
tns_read_scalar_copy (tns_reader *reader, tree call, bool *known)
{
  tns_elem to_elem, from_elem;
  tree to = scalar_behind (CALL_EXPR_ARG (call, 0), &to_elem);
  tree from = scalar_behind (CALL_EXPR_ARG (call, 1), &from_elem);
  tree bytes = CALL_EXPR_ARG (call, 2);
  *known = to && from && TREE_CODE (bytes) == INTEGER_CST
           && compare_tree_int (bytes, tns_elem_bytes (to_elem)) == 0
           && compare_tree_int (bytes, tns_elem_bytes (from_elem)) == 0;
  if (!*known)
    return false;
  tns_expr *value = tns_read_expr (reader, from);
  if (!value)
    return false;
  value = tns_cast (reader->arena, tns_scalar (from_elem), value);
  value = bits_as (reader, to_elem, value);
  if (DECL_P (to))
    return tns_write_variable (reader, to, value, NULL_TREE);
  return tns_store_ref (reader, to, value);
}

bool
tns_is_signbit (tree expr)
{
  tree fndecl
    = TREE_CODE (expr) == CALL_EXPR ? get_callee_fndecl (expr) : NULL_TREE;
  if (!fndecl || !fndecl_built_in_p (fndecl, BUILT_IN_NORMAL))
    return false;
  switch (DECL_FUNCTION_CODE (fndecl))
    {
      CASE_FLT_FN (BUILT_IN_SIGNBIT) : return true;
    default:
      return false;
    }
}

tns_expr *
tns_read_signbit (tns_reader *reader, tree call)
{
  tns_elem elem;
  tree arg = CALL_EXPR_ARG (call, 0);
  if (!has_bits (TREE_TYPE (arg), &elem))
    return (tns_expr *) tns_reader_refuse_tree (reader, call, TNS_WHY_CALL);
  tns_elem whole = elem == TNS_F32 ? TNS_I32 : TNS_I64;
  tns_expr *bits = bits_as (reader, whole, tns_read_expr (reader, arg));
  return tns_binary (reader->arena, TNS_LT, bits,
                     tns_int_of (reader->arena, whole, 0));
}
