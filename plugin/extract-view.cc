/* Memory that is seen as elements of another type.

     ((const float *) bytes)[i]                   bytes_f[i]
     *(const uint32_t *) (bytes + 8 + 4 * i)      bytes_u[2 + i]
     const uint16_t *half = (const void *) word;  half[i]

   The pointer under its other type is a base of its own: one array symbol for
   each type that it is seen as.  Bytes are counted from where it points to;
   they have to be whole elements of the other type.  That two such symbols
   overlap is what plugin/extract-alias.cc takes for granted.

   Only pointers that are valid at the region's entry are seen so, not objects
   of C, nor what is declared or allocated in the region.  */

#include "plugin/reader.hh"

/* The bytes of an object of TYPE; 0 where they are no constant, or none.  */
static HOST_WIDE_INT
bytes_of (tree type)
{
  tree bytes = VOID_TYPE_P (type) || TREE_CODE (type) == FUNCTION_TYPE
                 ? NULL_TREE
                 : TYPE_SIZE_UNIT (type);
  return bytes && tree_fits_shwi_p (bytes) ? tree_to_shwi (bytes) : 0;
}

/* ADDRESS is an element of a flat array behind a pointer.  */
static bool
is_behind_pointer (const tns_address *address)
{
  const tns_base *base = address->base;
  return base->root && !base->is_object && !base->is_local && !base->is_heap
         && base->rank == 1 && address->n == 1;
}

tree
tns_pointer_under (tree root)
{
  root = tns_strip (root);
  while (root && CONVERT_EXPR_P (root)
         && POINTER_TYPE_P (TREE_TYPE (TREE_OPERAND (root, 0))))
    root = tns_strip (TREE_OPERAND (root, 0));
  return root;
}

/* SUB, in objects of HAVE bytes, in such of WANT bytes; NULL where that may be
   no whole number.  On trial, where counters stand for what they hold, anything
   passes.  */
static tns_expr *
converted (tns_reader *reader, tns_expr *sub, HOST_WIDE_INT have,
           HOST_WIDE_INT want)
{
  tns_arena *arena = reader->arena;
  HOST_WIDE_INT both = gcd (have, want);
  tns_expr *by = tns_int (arena, want / both);
  tns_expr *parts = tns_divided (reader, sub, by);
  if (!parts && reader->trying)
    parts = tns_binary (arena, TNS_FLOORDIV, sub, by);
  return parts && have > both
           ? tns_binary (arena, TNS_MUL, parts, tns_int (arena, have / both))
           : parts;
}

bool
tns_see_as (tns_reader *reader, tns_address *address, tree to)
{
  if (!is_behind_pointer (address))
    return false;
  HOST_WIDE_INT have = bytes_of (address->type), want = bytes_of (to);
  if (!have || !want || TREE_CODE (to) == ARRAY_TYPE)
    return false;
  tns_expr *sub = converted (reader, address->sub[0], have, want);
  tree root = tns_pointer_under (address->base->root);
  tree type = build_pointer_type (TYPE_MAIN_VARIANT (to));
  tree view = build1 (NOP_EXPR, type, unshare_expr (root));
  if (!sub || !tns_start_at (reader, view, address))
    return false;
  address->sub[0] = sub;
  address->is_near = sub->op == TNS_INT;
  return true;
}
