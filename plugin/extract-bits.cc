/* The bits of a value under another type, as C spells it.

     memcpy (&f, &u, sizeof f);                 f = bits:f32 (u)
     union { uint32_t u; float f; } x;          x = n << 16
     x.u = n << 16;  ... x.f ...          ->    ... bits:f32 (x) ...
     if (signbit (x)) ...                       if (bits:i32 (x) < 0) ...
     i = *(int *) &f;                           i = bits:i32 (f)

   A local union of scalars of one size is a cell of the type of its first
   member.  In memory the members that have the type of the first one are all
   that one.  Others, and local unions whose address is taken, are not read.  */

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

bool
tns_is_flat_union (tree type)
{
  tns_elem elem;
  int bytes = 0;
  if (TREE_CODE (type) != UNION_TYPE || TYPE_VOLATILE (type))
    return false;
  for (tree field = TYPE_FIELDS (type); field; field = DECL_CHAIN (field))
    {
      if (TREE_CODE (field) != FIELD_DECL || DECL_BIT_FIELD (field)
          || TREE_THIS_VOLATILE (field) || !has_bits (TREE_TYPE (field), &elem)
          || (bytes && tns_elem_bytes (elem) != bytes))
        return false;
      bytes = tns_elem_bytes (elem);
    }
  return bytes > 0;
}

tree
tns_first_of_union (tree field)
{
  tree record = DECL_CONTEXT (field);
  if (TREE_CODE (record) == RECORD_TYPE)
    return field;
  if (!tns_is_flat_union (record))
    return NULL_TREE;
  tree first = TYPE_FIELDS (record);
  while (TREE_CODE (first) != FIELD_DECL)
    first = DECL_CHAIN (first);
  return TYPE_MAIN_VARIANT (TREE_TYPE (first))
             == TYPE_MAIN_VARIANT (TREE_TYPE (field))
           ? first
           : NULL_TREE;
}

tree
tns_union_of_member (tns_reader *reader, tree ref)
{
  if (TREE_CODE (ref) != COMPONENT_REF)
    return NULL_TREE;
  tree decl = TREE_OPERAND (ref, 0);
  if (!VAR_P (decl) || tns_is_memory (decl)
      || !tns_is_flat_union (TREE_TYPE (decl))
      || !tns_variable_of (reader, decl)->is_local)
    return NULL_TREE;
  return decl;
}

tns_expr *
tns_read_union (tns_reader *reader, tree ref)
{
  tns_elem elem;
  tree decl = TREE_OPERAND (ref, 0);
  return has_bits (TREE_TYPE (ref), &elem)
           ? bits_as (reader, elem, tns_cell_of (reader, decl, false))
           : NULL;
}

/* Member FIELD of union DECL gets VALUE.  */
static bool
write_union (tns_reader *reader, tree decl, tree field, tns_expr *value)
{
  tns_elem elem;
  tns_expr *cell = tns_cell_of (reader, decl, true);
  if (!cell || !value || !has_bits (TREE_TYPE (field), &elem))
    return false;
  value = tns_cast (reader->arena, tns_scalar (elem), value);
  return tns_store (reader, cell, bits_as (reader, cell->type.elem, value));
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
  tree decl = tns_union_of_member (reader, ref);
  tree object = tns_punned (ref);
  if (decl)
    return write_union (reader, decl, TREE_OPERAND (ref, 1), value);
  if (object)
    return write_pun (reader, object, TREE_TYPE (ref), value);
  return tns_store (reader, tns_read_ref (reader, ref, true), value);
}

bool
tns_declare_union (tns_reader *reader, tree decl)
{
  tree init = DECL_INITIAL (decl);
  tns_expr *value = NULL;
  if (tns_is_memory (decl)
      || (init
          && (TREE_CODE (init) != CONSTRUCTOR
              || CONSTRUCTOR_NELTS (init) != 1)))
    return tns_reader_refuse_tree (reader, TREE_TYPE (decl), TNS_WHY_TYPE)
           != NULL;
  if (init)
    value = tns_read_expr (reader, CONSTRUCTOR_ELT (init, 0)->value);
  if ((init && !value) || !tns_declare_cell (reader, decl))
    return false;
  return !init
         || write_union (reader, decl, CONSTRUCTOR_ELT (init, 0)->index, value);
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
