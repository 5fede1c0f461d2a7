/* Memory that is allocated and freed inside the region:

     double *t = malloc (n * sizeof *t);      local f64 t[n];
     if (!t)                            ->
       return -1;
     ...                                      ...
     free (t);

     double (*r)[m] = calloc (n, sizeof *r);  local f64 r[n][m];  r[..][..] = 0;
     free (r);

   It is taken to be had: a region that cannot have its own leaves the work to
   the user's statements, which ask for theirs and look.  What is asked of the
   pointer is answered so.  A number of elements that is negative at the entry
   is guarded.  */

#include "plugin/reader.hh"

/* CALL without conversions is one of the built-in function CODE.  */
static bool
calls (tree call, enum built_in_function code)
{
  call = tns_bare (call);
  tree fndecl
    = TREE_CODE (call) == CALL_EXPR ? get_callee_fndecl (call) : NULL_TREE;
  return fndecl && fndecl_built_in_p (fndecl, code);
}

bool
tns_is_allocation (tree call)
{
  return calls (call, BUILT_IN_MALLOC) || calls (call, BUILT_IN_CALLOC)
         || calls (call, BUILT_IN_ALIGNED_ALLOC);
}

/* How many elements of type ELEM, a row of variable length perhaps, CALL gets;
   NULL where that is no whole number that is known when the region begins.  */
static tns_expr *
count_elements (tns_reader *reader, tree call, tree elem)
{
  tree scalar = strip_array_types (elem);
  tree bytes = VOID_TYPE_P (scalar) ? NULL_TREE : TYPE_SIZE_UNIT (scalar);
  if (!bytes || !tree_fits_shwi_p (bytes))
    return NULL;
  tree first = CALL_EXPR_ARG (call, 0);
  tree size = first;
  if (calls (call, BUILT_IN_CALLOC))
    size = build2 (MULT_EXPR, sizetype, fold_convert (sizetype, first),
                   fold_convert (sizetype, CALL_EXPR_ARG (call, 1)));
  else if (calls (call, BUILT_IN_ALIGNED_ALLOC))
    size = CALL_EXPR_ARG (call, 1);
  tns_expr *scalars = tns_scaled_offset (reader, size, tree_to_shwi (bytes));
  tns_expr *count = tns_divided (reader, scalars, tns_count_in (reader, elem));
  return count && tns_is_over_values (count) ? count : NULL;
}

/* A new array of COUNT elements for the pointer DECL: what CALL gets.  NULL
   with the reason said.  */
static tns_base *
new_array (tns_reader *reader, tree call, tree decl, tns_expr *count)
{
  tree elem = TYPE_MAIN_VARIANT (TREE_TYPE (TREE_TYPE (decl)));
  tree type = build_array_type (elem, NULL_TREE);
  tree made = build_decl (reader->loc, VAR_DECL, DECL_NAME (decl), type);
  tns_declare (reader, made);
  tns_base *base = tns_object_base (reader, made);
  if (!base)
    return NULL;
  base->extent[0] = count;
  base->is_heap = true;
  tns_address whole = { base, 0, {}, type, false };
  return tns_declare_parts (reader, whole, call) ? base : NULL;
}

bool
tns_read_allocation (tns_reader *reader, tree call, tree decl,
                     tns_address *address)
{
  tree elem = TREE_TYPE (TREE_TYPE (decl));
  tns_expr *zero = tns_int (reader->arena, 0);
  call = tns_bare (call);
  tns_expr *count
    = reader->conditional ? NULL : count_elements (reader, call, elem);
  if (!count || !tns_guard_at_entry (reader, TNS_GE, count, zero))
    return reader->ctx->status == TNS_DONE
           && tns_reader_refuse_tree (reader, call, TNS_WHY_CALL) != NULL;
  tns_base *base = new_array (reader, call, decl, count);
  if (!base)
    return false;
  *address = (tns_address){ base, 1, { zero }, elem, false };
  return !calls (call, BUILT_IN_CALLOC)
         || tns_copy_block (reader, address, NULL, count, call);
}

/* POINTER is what an allocation of the region gave.  */
static bool
is_heap (tns_reader *reader, tree pointer)
{
  pointer = tns_bare (pointer);
  const tns_variable *variable
    = DECL_P (pointer) ? tns_variable_of (reader, pointer) : NULL;
  long long at;
  const tns_address *place = variable ? variable->holds.points : NULL;
  return place && place->base->is_heap && place->n > 0
         && tns_expr_is_int (place->sub[0], &at) && at == 0;
}

bool
tns_read_free (tns_reader *reader, tree call)
{
  tree pointer = CALL_EXPR_ARG (call, 0);
  return is_heap (reader, pointer)
         || tns_reader_refuse_tree (reader, call, TNS_WHY_CALL);
}

/* tns_is_null of A || B, or of A && B.  */
static int
is_either_null (tns_reader *reader, tree a, tree b, bool both)
{
  int one = tns_is_null (reader, a);
  int other = tns_is_null (reader, b);
  if (one < 0 || other < 0)
    return -1;
  return both ? one && other : one || other;
}

int
tns_is_null (tns_reader *reader, tree cond)
{
  cond = tns_bare (cond);
  int is_not;
  switch (TREE_CODE (cond))
    {
    case TRUTH_NOT_EXPR:
      is_not = tns_is_null (reader, TREE_OPERAND (cond, 0));
      return is_not < 0 ? -1 : !is_not;
    case TRUTH_ORIF_EXPR:
    case TRUTH_OR_EXPR:
    case TRUTH_ANDIF_EXPR:
    case TRUTH_AND_EXPR:
      return is_either_null (reader, TREE_OPERAND (cond, 0),
                             TREE_OPERAND (cond, 1),
                             TREE_CODE (cond) == TRUTH_ANDIF_EXPR
                               || TREE_CODE (cond) == TRUTH_AND_EXPR);
    case EQ_EXPR:
    case NE_EXPR:
      if (!integer_zerop (tns_bare (TREE_OPERAND (cond, 1)))
          || !is_heap (reader, TREE_OPERAND (cond, 0)))
        return -1;
      return TREE_CODE (cond) == NE_EXPR;
    default:
      return -1;
    }
}
