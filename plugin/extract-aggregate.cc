/* Arrays and structures as a whole: local ones, their initialisers, copies.

     float w[3] = { 1, 2, 1 };    w[0] = 1;  w[1] = 2;  w[2] = 1;
     cplx t = b[i];               t_re = b_re[i];  t_im = b_im[i];
     a[i] = mul (t, t);           what mul does;  a_re[i] = result_re; ...

   The members of a local structure are arrays or scalars of their own, as
   those of a structure in memory are, but without gaps.  What names the
   places of a copy is read before the first member is written: in

     p = list[p.next];

   the first store must not change which element the second load reads.  A
   structure with a union, a pointer or bit fields is refused.  */

#include "plugin/reader.hh"

/* Elements of an array that a copy writes out.  */
static const int max_written_out = 8;

/* tns_copy_place of element INDEX of arrays.  */
static bool
copy_element (tns_reader *reader, const tns_address *to,
              const tns_address *from, tns_expr *index, tree where)
{
  tns_address a = *to;
  tns_address b = from ? *from : *to;
  return tns_place_element (reader, &a, index, where)
         && (!from || tns_place_element (reader, &b, index, where))
         && tns_copy_place (reader, &a, from ? &b : NULL, where);
}

/* tns_copy_place of arrays by a loop.  */
static bool
copy_by_loop (tns_reader *reader, const tns_address *to,
              const tns_address *from, tree where)
{
  tns_arena *arena = reader->arena;
  tns_sym *iter = tns_region_add_iter (arena, reader->region, "z");
  tns_node *outer = reader->block;
  tns_note_sym (reader, iter, TNS_I64);
  reader->block = tns_block (arena, tns_loc_of (reader->loc));
  bool is_done
    = copy_element (reader, to, from, tns_value (arena, iter), where);
  tns_node *loop
    = tns_loop (arena, tns_loc_of (reader->loc), iter, tns_int (arena, 0),
                tns_extent_of (reader, to->type), 1, reader->block);
  reader->block = outer;
  tns_emit (reader, loop);
  return is_done;
}

/* tns_copy_place of arrays: short ones one by one.  */
static bool
copy_array (tns_reader *reader, const tns_address *to, const tns_address *from,
            tree where)
{
  long long n;
  tns_expr *extent = tns_extent_of (reader, to->type);
  if (!extent || !tns_is_pure (extent))
    return tns_reader_refuse_tree (reader, where, TNS_WHY_TYPE) != NULL;
  if (!tns_expr_is_int (extent, &n) || n > max_written_out)
    return copy_by_loop (reader, to, from, where);
  for (int k = 0; k < n; k++)
    if (!copy_element (reader, to, from, tns_int (reader->arena, k), where))
      return false;
  return true;
}

/* tns_copy_place of structures.  */
static bool
copy_record (tns_reader *reader, const tns_address *to, const tns_address *from,
             tree where)
{
  for (tree field = TYPE_FIELDS (to->type); field; field = DECL_CHAIN (field))
    {
      tns_address a = *to;
      tns_address b = from ? *from : *to;
      if (TREE_CODE (field) != FIELD_DECL)
        continue;
      if (!tns_place_member (reader, &a, field, where)
          || (from && !tns_place_member (reader, &b, field, where))
          || !tns_copy_place (reader, &a, from ? &b : NULL, where))
        return false;
    }
  return true;
}

bool
tns_copy_place (tns_reader *reader, const tns_address *to,
                const tns_address *from, tree where)
{
  if (TYPE_VOLATILE (to->type) || (from && TYPE_VOLATILE (from->type)))
    return tns_reader_refuse_tree (reader, where, TNS_WHY_VOLATILE) != NULL;
  if (TREE_CODE (to->type) == ARRAY_TYPE)
    return copy_array (reader, to, from, where);
  if (TREE_CODE (to->type) == RECORD_TYPE)
    return copy_record (reader, to, from, where);
  if (POINTER_TYPE_P (to->type))
    return tns_reader_refuse_tree (reader, to->type, TNS_WHY_TYPE) != NULL;
  tns_address a = *to;
  tns_expr *target = tns_place_load (reader, &a, where, true);
  if (!target)
    return false;
  tns_expr *value = tns_int_of (reader->arena, target->type.elem, 0);
  if (from)
    {
      tns_address b = *from;
      value = tns_place_load (reader, &b, where, false);
    }
  return tns_store (reader, target, value);
}

/* The bytes of STRING, as GCC has the initialiser of an array of characters
   even where it is a list.  */
static bool
init_string (tns_reader *reader, const tns_address *place, tree string)
{
  if (TREE_CODE (place->type) != ARRAY_TYPE
      || TYPE_PRECISION (TREE_TYPE (place->type)) != BITS_PER_UNIT)
    return tns_reader_refuse_tree (reader, string, TNS_WHY_EXPRESSION) != NULL;
  HOST_WIDE_INT room = int_size_in_bytes (TREE_TYPE (string));
  for (int k = 0; k < TREE_STRING_LENGTH (string) && k < room; k++)
    {
      tns_address element = *place;
      tns_expr *index = tns_int (reader->arena, k);
      if (!tns_place_element (reader, &element, index, string))
        return false;
      tns_expr *target = tns_place_load (reader, &element, string, true);
      int byte = (signed char) TREE_STRING_POINTER (string)[k];
      if (!target
          || !tns_store (reader, target,
                         tns_int_of (reader->arena, TNS_I8, byte)))
        return false;
    }
  return true;
}

/* What VALUE, a string, a structure or a scalar, has for PLACE.  */
static bool
init_from (tns_reader *reader, tns_address *place, tree value)
{
  tns_address from;
  if (TREE_CODE (value) == STRING_CST)
    return init_string (reader, place, value);
  if (AGGREGATE_TYPE_P (TREE_TYPE (value)))
    return tns_read_place (reader, value, &from)
           && tns_copy_place (reader, place, &from, value);
  tns_expr *read = tns_read_expr (reader, value);
  return tns_store (reader, tns_place_load (reader, place, value, true), read);
}

/* The elements or members that CONSTRUCTOR names.  */
static bool
init_listed (tns_reader *reader, const tns_address *place, tree constructor)
{
  unsigned k;
  tree index, value;
  FOR_EACH_CONSTRUCTOR_ELT (CONSTRUCTOR_ELTS (constructor), k, index, value)
  {
    tns_address part = *place;
    bool is_member = index && TREE_CODE (index) == FIELD_DECL;
    if (!is_member && (!index || TREE_CODE (index) != INTEGER_CST))
      return tns_reader_refuse_tree (reader, constructor, TNS_WHY_EXPRESSION)
             != NULL;
    bool is_found
      = is_member
          ? tns_place_member (reader, &part, index, constructor)
          : tns_place_element (reader, &part,
                               tns_int (reader->arena, tree_to_shwi (index)),
                               constructor);
    bool is_list = TREE_CODE (value) == CONSTRUCTOR;
    if (!is_found
        || !(is_list ? init_listed (reader, &part, value)
                     : init_from (reader, &part, value)))
      return false;
  }
  return true;
}

/* The initialiser INIT of PLACE.  */
static bool
init_whole (tns_reader *reader, tns_address *place, tree init)
{
  if (TREE_CODE (init) != CONSTRUCTOR && TREE_CODE (init) != STRING_CST)
    return init_from (reader, place, init);
  if (!tns_copy_place (reader, place, NULL, init))
    return false;
  return TREE_CODE (init) == CONSTRUCTOR ? init_listed (reader, place, init)
                                         : init_string (reader, place, init);
}

bool
tns_declare_parts (tns_reader *reader, tns_address place, tree decl)
{
  while (TREE_CODE (place.type) == ARRAY_TYPE)
    if (!tns_place_element (reader, &place, tns_int (reader->arena, 0), decl))
      return false;
  if (TREE_CODE (place.type) != RECORD_TYPE)
    {
      tns_expr *part = tns_place_load (reader, &place, decl, false);
      if (part)
        tns_emit (reader, tns_local (reader->arena, tns_loc_of (reader->loc),
                                     part->sym));
      return part != NULL;
    }
  for (tree field = TYPE_FIELDS (place.type); field; field = DECL_CHAIN (field))
    {
      tns_address member = place;
      if (TREE_CODE (field) == FIELD_DECL
          && (!tns_place_member (reader, &member, field, decl)
              || !tns_declare_parts (reader, member, decl)))
        return false;
    }
  return true;
}

bool
tns_declare_record (tns_reader *reader, tree decl)
{
  tns_declare (reader, decl);
  tns_base *base = tns_object_base (reader, decl);
  tns_address whole = { base, 0, {}, TREE_TYPE (decl), false };
  return base && tns_declare_parts (reader, whole, decl);
}

bool
tns_declare_aggregate (tns_reader *reader, tree decl)
{
  tree init = DECL_INITIAL (decl);
  if (!tns_declare_record (reader, decl))
    return false;
  tns_address whole
    = { tns_object_base (reader, decl), 0, {}, TREE_TYPE (decl), false };
  return !init || init_whole (reader, &whole, init);
}

/* PLACE with subscripts that no store changes: those that are read from
   memory are kept in variables of their own.  */
static bool
pin (tns_reader *reader, tns_address *place)
{
  for (int k = 0; k < place->n; k++)
    {
      if (tns_is_pure (place->sub[k]))
        continue;
      tns_expr *kept = tns_keep_value (reader, place->sub[k]);
      place->sub[k] = tns_as_offset (reader, kept);
      if (!place->sub[k])
        return false;
    }
  return true;
}

bool
tns_copy_aggregate (tns_reader *reader, tree target, tree rhs)
{
  tns_address to, from;
  return tns_read_place (reader, rhs, &from) && pin (reader, &from)
         && tns_read_place (reader, target, &to) && pin (reader, &to)
         && tns_copy_place (reader, &to, &from, rhs);
}
