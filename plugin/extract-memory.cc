/* memset to zero and memcpy of whole elements, as loops:

     memset (x, 0, n * sizeof *x)    ->  for k = 0 to n: x[k] = 0
     memcpy (y, x, n * sizeof *x)    ->  for k = 0 to n: y[k] = x[k]

   Only along one dim: the size must be a multiple of the element's that can
   be seen.  memmove and other bytes are refused as calls.  */

#include "plugin/reader.hh"

/* The place that ARG, a void pointer, names, entered down to scalars.  */
static bool
read_block (tns_reader *reader, tree arg, tns_address *place)
{
  while (CONVERT_EXPR_P (arg) && POINTER_TYPE_P (TREE_TYPE (arg))
         && POINTER_TYPE_P (TREE_TYPE (TREE_OPERAND (arg, 0))))
    arg = TREE_OPERAND (arg, 0);
  if (!tns_read_address (reader, arg, place))
    return false;
  while (TREE_CODE (place->type) == ARRAY_TYPE && place->n < place->base->rank)
    {
      place->sub[place->n++] = tns_int (reader->arena, 0);
      place->type = TREE_TYPE (place->type);
    }
  return place->n > 0 && place->n == place->base->rank
         && (INTEGRAL_TYPE_P (place->type)
             || SCALAR_FLOAT_TYPE_P (place->type));
}

/* PLACE moved on by ITER elements.  */
static tns_address
moved (tns_reader *reader, const tns_address *place, tns_sym *iter)
{
  tns_address at = *place;
  tns_expr **last = &at.sub[at.n - 1];
  at.is_near = false;
  *last = tns_binary (reader->arena, TNS_ADD, *last,
                      tns_value (reader->arena, iter));
  return at;
}

bool
tns_copy_block (tns_reader *reader, const tns_address *to,
                const tns_address *from, tns_expr *count, tree call)
{
  tns_arena *arena = reader->arena;
  tns_loc loc = tns_loc_of (reader->loc);
  tns_sym *iter = tns_region_add_iter (arena, reader->region, "k");
  tns_note_sym (reader, iter, TNS_I64);
  tns_address target = moved (reader, to, iter);
  tns_address source = from ? moved (reader, from, iter) : target;
  tns_node *outer = reader->block;
  reader->block = tns_block (arena, loc);
  bool is_done = tns_copy_place (reader, &target, from ? &source : NULL, call);
  tns_node *loop
    = tns_loop (arena, loc, iter, tns_int (arena, 0), count, 1, reader->block);
  reader->block = outer;
  if (is_done)
    tns_emit (reader, loop);
  return is_done;
}

bool
tns_read_memory_call (tns_reader *reader, tree call,
                      enum built_in_function code, bool *known)
{
  tns_address to, from;
  *known
    = code == BUILT_IN_MEMCPY
      || (code == BUILT_IN_MEMSET && integer_zerop (CALL_EXPR_ARG (call, 1)));
  if (!*known)
    return false;
  bool is_scalar = false;
  bool is_done = code == BUILT_IN_MEMCPY
                 && tns_read_scalar_copy (reader, call, &is_scalar);
  if (is_scalar)
    return is_done;
  if (!read_block (reader, CALL_EXPR_ARG (call, 0), &to)
      || (code == BUILT_IN_MEMCPY
          && !read_block (reader, CALL_EXPR_ARG (call, 1), &from)))
    return tns_reader_refuse_tree (reader, call, TNS_WHY_CALL) != NULL;
  HOST_WIDE_INT bytes = tree_to_shwi (TYPE_SIZE_UNIT (to.type));
  tns_expr *count = tns_scaled_offset (reader, CALL_EXPR_ARG (call, 2), bytes);
  bool is_same_type
    = code == BUILT_IN_MEMSET
      || TYPE_MAIN_VARIANT (to.type) == TYPE_MAIN_VARIANT (from.type);
  if (!count || !tns_is_pure (count) || !is_same_type)
    return tns_reader_refuse_tree (reader, call, TNS_WHY_CALL) != NULL;
  return tns_copy_block (reader, &to, code == BUILT_IN_MEMCPY ? &from : NULL,
                         count, call);
}
