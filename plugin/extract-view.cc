/* Memory that is seen as elements of another type.

     ((const float *) bytes)[i]                   bytes_f[i]
     *(const uint32_t *) (bytes + 8 + 4 * i)      bytes_u[2 + i]
     const uint16_t *half = (const void *) word;  half[i]
     ((const float *) &matrix)[4 * i + k]         matrix_f[4 * i + k]

   The pointer under its other type is a base of its own: one array symbol for
   each type that it is seen as.  Bytes are counted from where it points to;
   they have to be whole elements of the other type, which a guard asks of
   strides that are known at run time only: (uint32_t *) (bytes + y * stride).
   That two such symbols
   overlap is what plugin/extract-alias.cc takes for granted.

   Only what is there at the region's entry is seen so: pointers, and variables
   that are no arrays; not what is declared or allocated in the region.  */

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

/* The pointer that ADDRESS is an element of a flat array behind, or to the
   variable that it is; NULL_TREE where it is neither.  */
static tree
pointer_of (const tns_address *address)
{
  const tns_base *base = address->base;
  if (!base->root || base->is_local || base->is_heap)
    return NULL_TREE;
  if (base->is_object)
    return DECL_P (base->root) && base->rank == 0
             ? build_fold_addr_expr (base->root)
             : NULL_TREE;
  return base->rank == 1 && address->n == 1 ? tns_pointer_under (base->root)
                                            : NULL_TREE;
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

/* EXPR over BY, which a guard says divides it; NULL where no guard can.  On
   trial, where counters stand for what they hold, anything passes.  */
static tns_expr *
guarded_quotient (tns_reader *reader, tns_expr *expr, tns_expr *by)
{
  tns_arena *arena = reader->arena;
  if (!reader->trying
      && (expr->op == TNS_INT || !tns_is_over_values (expr)
          || reader->ctx->flags.unguarded))
    return NULL;
  if (!reader->trying)
    tns_region_add_guard (arena, reader->region,
                          tns_binary (arena, TNS_EQ,
                                      tns_binary (arena, TNS_MOD, expr, by),
                                      tns_int (arena, 0)));
  return tns_binary (arena, TNS_FLOORDIV, expr, by);
}

/* EXPR * 1 is EXPR.  */
static tns_expr *
without_unit (tns_expr *expr)
{
  long long unit;
  for (int k = 0; k < 2 && expr->op == TNS_MUL; k++)
    if (tns_expr_is_int (expr->arg[k], &unit) && unit == 1)
      return expr->arg[1 - k];
  return expr;
}

/* EXPR over BY, proved to be whole or guarded; NULL where it is neither.  */
static tns_expr *
quotient (tns_reader *reader, tns_expr *expr, tns_expr *by)
{
  tns_arena *arena = reader->arena;
  tns_expr *known = tns_divided (reader, expr, by);
  if (known)
    return without_unit (known);
  if (expr->op == TNS_ADD || expr->op == TNS_SUB)
    {
      tns_expr *a = quotient (reader, expr->arg[0], by);
      tns_expr *b = a ? quotient (reader, expr->arg[1], by) : NULL;
      return b ? tns_binary (arena, expr->op, a, b) : NULL;
    }
  for (int k = 0; k < 2 && expr->op == TNS_MUL; k++)
    if (tns_is_over_values (expr->arg[k]) && expr->arg[k]->op != TNS_INT)
      {
        tns_expr *part = guarded_quotient (reader, expr->arg[k], by);
        return part ? tns_binary (arena, TNS_MUL, part, expr->arg[1 - k])
                    : NULL;
      }
  return guarded_quotient (reader, expr, by);
}

tns_expr *
tns_bytes_over (tns_reader *reader, tree offset, HOST_WIDE_INT bytes)
{
  tns_expr *read = tns_as_offset (reader, tns_read_expr (reader, offset));
  return read ? quotient (reader, read, tns_int (reader->arena, bytes)) : NULL;
}

/* SUB, in objects of HAVE bytes, in such of WANT bytes; NULL where that may be
   no whole number.  */
static tns_expr *
converted (tns_reader *reader, tns_expr *sub, HOST_WIDE_INT have,
           HOST_WIDE_INT want)
{
  tns_arena *arena = reader->arena;
  HOST_WIDE_INT both = gcd (have, want);
  tns_expr *parts = quotient (reader, sub, tns_int (arena, want / both));
  return parts && have > both
           ? tns_binary (arena, TNS_MUL, parts, tns_int (arena, have / both))
           : parts;
}

/* ROOT as a pointer to TO.  */
static tree
as_pointer_to (tree root, tree to)
{
  to = TYPE_MAIN_VARIANT (to);
  if (TYPE_MAIN_VARIANT (TREE_TYPE (TREE_TYPE (root))) == to)
    return root;
  return build1 (NOP_EXPR, build_pointer_type (to), unshare_expr (root));
}

bool
tns_see_as (tns_reader *reader, tns_address *address, tree to)
{
  tree root = pointer_of (address);
  if (!root)
    return false;
  HOST_WIDE_INT have = bytes_of (address->type), want = bytes_of (to);
  if (!have || !want || TREE_CODE (to) == ARRAY_TYPE)
    return false;
  tns_expr *from = address->n ? address->sub[0] : tns_int (reader->arena, 0);
  tns_expr *sub = converted (reader, from, have, want);
  if (!sub || !tns_start_at (reader, as_pointer_to (root, to), address))
    return false;
  address->sub[0] = sub;
  address->is_near = sub->op == TNS_INT;
  return true;
}
