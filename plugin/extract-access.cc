/* Places in memory: from C's address arithmetic to arrays with subscripts.

     x[i]        *(x + (sizetype) i * 4)              x[i]
     A[i][j]     (*(A + i * m * 4))[j]                A[i][j], extent[1] = m
     t->data[i]  *(t->data + i * 4)                   t_data[i], base t->data
     p[i].v[k]   (*(p + i * 12)).v[k]                 p_v[i][k], strides 3, 1
     row[c]      after row = x + n * C                x[n * C + c]

   A base is found by its root: one array symbol for each object, or value of
   a pointer at the entry, and each path of members from there.  Its dims
   come from the types on the way.  Once an address has a subscript for each
   dim, stepping through an inner array type (a cast of a flat pointer to a
   pointer to rows) adds to the last subscript, elements counted.  */

#include "plugin/known.hh"

/* A new base at the end of the list.  */
static tns_base *
add_base (tns_reader *reader)
{
  tns_base *base = TNS_NEW (reader->arena, tns_base);
  if (reader->last_base)
    reader->last_base->next = base;
  else
    reader->bases = base;
  reader->last_base = base;
  return base;
}

tns_expr *
tns_extent_of (tns_reader *reader, tree type)
{
  tree domain = TYPE_DOMAIN (type);
  tree last = domain ? TYPE_MAX_VALUE (domain) : NULL_TREE;
  if (!last)
    return NULL;
  while (TREE_CODE (last) == COMPOUND_EXPR)
    last = TREE_OPERAND (last, 1);
  if (TREE_CODE (last) == INTEGER_CST)
    return tns_int (reader->arena, wi::to_wide (last).to_shwi () + 1);
  tns_expr *read = tns_as_offset (reader, tns_read_expr (reader, last));
  return tns_plus (reader, read, 1);
}

/* One more dim of BASE, of EXTENT elements of type UNIT.  */
static bool
add_dim (tns_base *base, tns_expr *extent, tree unit)
{
  if (base->rank == TNS_MAX_DIMS)
    return false;
  base->extent[base->rank] = extent;
  base->unit[base->rank++] = unit;
  return true;
}

/* The dims of TYPE, where it is an array, are dims of BASE.  */
static bool
add_dims_of_type (tns_reader *reader, tns_base *base, tree type)
{
  for (; TREE_CODE (type) == ARRAY_TYPE; type = TREE_TYPE (type))
    {
      tns_expr *extent = tns_extent_of (reader, type);
      if ((!extent && base->rank > 0) || (extent && !tns_is_pure (extent))
          || !add_dim (base, extent, TREE_TYPE (type)))
        return tns_reader_refuse_tree (reader, type, TNS_WHY_TYPE) != NULL;
    }
  base->type = TYPE_MAIN_VARIANT (type);
  return true;
}

tns_base *
tns_object_base (tns_reader *reader, tree decl)
{
  tns_variable *variable = tns_variable_of (reader, decl);
  if (variable->base)
    return variable->base;
  tns_base *base = add_base (reader);
  base->root = decl;
  base->is_object = true;
  base->is_local = variable->is_local && !TREE_STATIC (decl);
  tree type = TREE_TYPE (decl);
  tree scalar = base->is_local ? tns_scalar_of_union (type) : NULL_TREE;
  if (scalar)
    type = TREE_TYPE (scalar);
  if (!add_dims_of_type (reader, base, type))
    return NULL;
  variable->base = base;
  return base;
}

/* POINTEE is what BASE, a pointer, points to from now on.  */
static bool
set_pointee (tns_reader *reader, tns_base *base, tree pointee)
{
  base->type = pointee;
  if (VOID_TYPE_P (pointee))
    return true;
  base->rank = 0;
  return add_dim (base, NULL, pointee)
         && add_dims_of_type (reader, base, pointee);
}

tns_base *
tns_new_base (tns_reader *reader, tree root)
{
  tns_base *base = add_base (reader);
  base->root = root;
  return set_pointee (reader, base, TREE_TYPE (TREE_TYPE (root))) ? base : NULL;
}

/* The base whose root is the pointer value ENTRY.  */
static tns_base *
pointer_base (tns_reader *reader, tree entry)
{
  tree when;
  if (!tns_may_load_early (reader, entry, &when))
    return NULL;
  for (tns_base *base = reader->bases; base; base = base->next)
    if (base->root && !base->is_object && tns_same_tree (base->root, entry))
      {
        tns_merge_when (&base->load_when, when);
        return base;
      }
  tns_base *base = tns_new_base (reader, entry);
  if (base)
    base->load_when = when;
  return base;
}

/* The address is that of element 0 of BASE.  */
static bool
at_start (tns_reader *reader, tns_base *base, tns_address *address)
{
  if (!base)
    return false;
  address->base = base;
  address->n = base->is_object ? 0 : 1;
  address->sub[0] = tns_int (reader->arena, 0);
  address->is_near = true;
  address->type = base->is_object            ? TREE_TYPE (base->root)
                  : VOID_TYPE_P (base->type) ? base->type
                                             : base->unit[0];
  return true;
}

bool
tns_start_at (tns_reader *reader, tree entry, tns_address *address)
{
  return at_start (reader, pointer_base (reader, entry), address);
}

tns_expr *
tns_count_in (tns_reader *reader, tree type)
{
  tns_expr *count = tns_int (reader->arena, 1);
  for (; TREE_CODE (type) == ARRAY_TYPE; type = TREE_TYPE (type))
    count = tns_binary (reader->arena, TNS_MUL, tns_extent_of (reader, type),
                        count);
  return count;
}

/* Step from an array to its element number INDEX.  */
static bool
step_in (tns_reader *reader, tns_address *address, tns_expr *index)
{
  tns_arena *arena = reader->arena;
  address->is_near = false;
  if (!index || TREE_CODE (address->type) != ARRAY_TYPE
      || !tns_reshape (reader, address, address->n, TREE_TYPE (address->type)))
    return false;
  address->type = TREE_TYPE (address->type);
  if (address->n < address->base->rank)
    {
      address->sub[address->n++] = index;
      return true;
    }
  if (address->n == 0)
    return false;
  tns_expr *step
    = tns_binary (arena, TNS_MUL, index, tns_count_in (reader, address->type));
  tns_expr **last = &address->sub[address->n - 1];
  *last = tns_binary (arena, TNS_ADD, *last, step);
  return *last != NULL;
}

/* The number of dims of TYPE.  */
static int
dims_of (tree type)
{
  int n = 0;
  for (; TREE_CODE (type) == ARRAY_TYPE; type = TREE_TYPE (type))
    n++;
  return n;
}

/* The address as one of objects of type TO: arrays are entered at their
   element 0, an untyped base gets its type.  */
static bool
retype (tns_reader *reader, tns_address *address, tree to)
{
  to = TYPE_MAIN_VARIANT (to);
  if (VOID_TYPE_P (to))
    return true;
  if (VOID_TYPE_P (address->type))
    {
      if (VOID_TYPE_P (address->base->type)
          && !set_pointee (reader, address->base, to))
        return false;
      address->type = address->base->unit[0];
    }
  while (TYPE_MAIN_VARIANT (address->type) != to
         && dims_of (address->type) > dims_of (to))
    if (!step_in (reader, address, tns_int (reader->arena, 0)))
      return false;
  tree have = address->type;
  if (TREE_CODE (to) != ARRAY_TYPE)
    return TYPE_MAIN_VARIANT (have) == to;
  address->type = to;
  return TYPE_MAIN_VARIANT (strip_array_types (to))
         == TYPE_MAIN_VARIANT (strip_array_types (have));
}

/* The address as one of pointee TO: the same in bits, or seen as another
   type.  */
static bool
retype_pointer (tns_reader *reader, tns_address *address, tree to, tree where)
{
  if (retype (reader, address, to))
    return true;
  if (INTEGRAL_TYPE_P (to) && INTEGRAL_TYPE_P (address->type)
      && TYPE_PRECISION (to) == TYPE_PRECISION (address->type)
      && TYPE_UNSIGNED (to) == TYPE_UNSIGNED (address->type))
    return true;
  if (tns_see_as (reader, address, to))
    return true;
  tns_reader_refuse_tree (reader, where, TNS_WHY_POINTER);
  return false;
}

/* EXPR without conversions from the type of an int or wider ones.  */
static tree
unconverted (tree expr)
{
  while (CONVERT_EXPR_P (expr)
         && TYPE_PRECISION (TREE_TYPE (expr)) > INT_TYPE_SIZE)
    expr = TREE_OPERAND (expr, 0);
  return expr;
}

/* OFFSET, bytes, is an int of the program, or one and a constant, times the
   size of an element, or a constant.  */
static bool
is_int (tree offset)
{
  offset = unconverted (offset);
  if (TREE_CODE (offset) == INTEGER_CST)
    return true;
  if (TREE_CODE (offset) != MULT_EXPR
      || TREE_CODE (TREE_OPERAND (offset, 1)) != INTEGER_CST)
    return false;
  tree index = unconverted (TREE_OPERAND (offset, 0));
  if (TREE_CODE (index) == PLUS_EXPR
      && TREE_CODE (TREE_OPERAND (index, 1)) == INTEGER_CST)
    index = unconverted (TREE_OPERAND (index, 0));
  return INTEGRAL_TYPE_P (TREE_TYPE (index))
         && !TYPE_UNSIGNED (TREE_TYPE (index))
         && TYPE_PRECISION (TREE_TYPE (index)) <= INT_TYPE_SIZE;
}

/* ADDRESS advanced by OFFSET bytes, as an element count of its type.  */
static bool
advance (tns_reader *reader, tns_address *address, tree offset, tree where)
{
  tns_arena *arena = reader->arena;
  long long number;
  tree scalar = address->type;
  while (TREE_CODE (scalar) == ARRAY_TYPE)
    scalar = TREE_TYPE (scalar);
  tree bytes = VOID_TYPE_P (scalar) ? NULL_TREE : TYPE_SIZE_UNIT (scalar);
  if (integer_zerop (offset))
    return true;
  if (!bytes || !tree_fits_shwi_p (bytes) || address->base->rank == 0
      || !tns_reshape (reader, address, address->n - 1, address->type))
    {
      tns_reader_refuse_tree (reader, where, TNS_WHY_POINTER);
      return false;
    }
  tns_expr *scalars = tns_scaled_offset (reader, offset, tree_to_shwi (bytes));
  if (!scalars && reader->ctx->status == TNS_DONE)
    scalars = tns_bytes_over (reader, offset, tree_to_shwi (bytes));
  tns_expr *unit = tns_count_in (reader, address->type);
  tns_expr *step = address->n < address->base->rank
                     ? tns_divided (reader, scalars, unit)
                     : scalars;
  if (!step)
    {
      if (reader->ctx->status == TNS_DONE)
        tns_reader_refuse_tree (reader, where, TNS_WHY_POINTER);
      return false;
    }
  tns_expr **last = &address->sub[address->n - 1];
  address->is_near
    = address->is_near && is_int (offset)
      && (tns_expr_is_int (*last, &number) || tns_expr_is_int (step, &number));
  *last = tns_binary (arena, TNS_ADD, *last, step);
  return true;
}

/* The value of pointer variable DECL.  */
static bool
read_pointer_variable (tns_reader *reader, tree decl, tns_address *address)
{
  tns_variable *variable = tns_variable_of (reader, decl);
  if (variable->holds.points)
    {
      *address = *variable->holds.points;
      return true;
    }
  if (!variable->is_local && variable->holds.is_entry)
    {
      tree stable = tns_stable_pointer (reader, decl);
      if (stable && tns_read_address (reader, stable, address))
        return retype_pointer (reader, address, TREE_TYPE (TREE_TYPE (decl)),
                               decl);
      if (reader->ctx->status != TNS_DONE)
        return false;
    }
  tree entry = tns_at_entry (reader, decl);
  if (!entry)
    {
      tns_reader_refuse_tree (reader, decl, TNS_WHY_POINTER_CHANGES);
      return false;
    }
  return tns_start_at (reader, entry, address)
         || tns_reader_refuse_tree (reader, decl, TNS_WHY_POINTER);
}

/* A pointer that is loaded from memory.  */
static bool
read_loaded_pointer (tns_reader *reader, tree ref, tns_address *address)
{
  tree entry = tns_at_entry (reader, ref);
  if (entry && tns_is_twin_row (reader, ref))
    entry = NULL_TREE;
  tns_base *base = entry ? pointer_base (reader, entry) : NULL;
  if (at_start (reader, base, address)
      || (!entry && tns_read_row (reader, ref, address)))
    return true;
  bool may_change = tns_may_be_stored (reader, TREE_TYPE (ref));
  tns_reader_refuse_tree (
    reader, ref, may_change ? TNS_WHY_POINTER_CHANGES : TNS_WHY_POINTER);
  return false;
}

/* p++, --p, p = q, ...: the place before or after the step.  */
static bool
read_stepped_pointer (tns_reader *reader, tree expr, tns_address *address)
{
  tree pointer = TREE_OPERAND (expr, 0);
  bool is_after = TREE_CODE (expr) == PREINCREMENT_EXPR
                  || TREE_CODE (expr) == PREDECREMENT_EXPR
                  || TREE_CODE (expr) == MODIFY_EXPR;
  if (reader->conditional || !DECL_P (pointer))
    {
      tns_reader_refuse_tree (reader, expr, TNS_WHY_SIDE_EFFECT);
      return false;
    }
  return (is_after || tns_read_address (reader, pointer, address))
         && tns_read_effect (reader, expr)
         && (!is_after || tns_read_address (reader, pointer, address));
}

/* The pointer that SAVE saves, which may step: *p++ += x.  */
static bool
read_saved_pointer (tns_reader *reader, tree save, tns_address *address)
{
  const tns_saved *known = tns_find_saved (reader, save);
  if (known && known->place)
    {
      *address = *known->place;
      return true;
    }
  tns_address *place = TNS_NEW (reader->arena, tns_address);
  if (!tns_read_address (reader, TREE_OPERAND (save, 0), place))
    return false;
  tns_add_saved (reader, save, (tns_saved){ NULL, place });
  *address = *place;
  return true;
}

/* EXPR, before a comma, only saves sizes that are read again, of the row 0 of
   y[0][i], or names a type that has them: (double (*)[n]) x.  */
static bool
is_saved_size (tree expr)
{
  if (TREE_CODE (expr) == SAVE_EXPR)
    return !TREE_SIDE_EFFECTS (TREE_OPERAND (expr, 0));
  if (TREE_CODE (expr) == BIND_EXPR)
    return is_saved_size (BIND_EXPR_BODY (expr));
  if (TREE_CODE (expr) == DECL_EXPR)
    return TREE_CODE (DECL_EXPR_DECL (expr)) == TYPE_DECL;
  if (!UNARY_CLASS_P (expr) && !BINARY_CLASS_P (expr)
      && TREE_CODE (expr) != COMPOUND_EXPR)
    return !TREE_SIDE_EFFECTS (expr);
  for (int k = 0; k < TREE_OPERAND_LENGTH (expr); k++)
    if (!is_saved_size (TREE_OPERAND (expr, k)))
      return false;
  return true;
}

bool
tns_read_address (tns_reader *reader, tree pointer, tns_address *address)
{
  switch (TREE_CODE (pointer))
    {
    case VAR_DECL:
    case PARM_DECL:
      if (TREE_THIS_VOLATILE (pointer))
        {
          tns_reader_refuse_tree (reader, pointer, TNS_WHY_VOLATILE);
          return false;
        }
      return read_pointer_variable (reader, pointer, address);
    case SAVE_EXPR:
      return read_saved_pointer (reader, pointer, address);
    case NON_LVALUE_EXPR:
      return tns_read_address (reader, TREE_OPERAND (pointer, 0), address);
    CASE_CONVERT:
      if (!POINTER_TYPE_P (TREE_TYPE (TREE_OPERAND (pointer, 0))))
        break;
      return tns_read_address (reader, TREE_OPERAND (pointer, 0), address)
             && retype_pointer (reader, address,
                                TREE_TYPE (TREE_TYPE (pointer)), pointer);
    case POINTER_PLUS_EXPR:
      return tns_read_address (reader, TREE_OPERAND (pointer, 0), address)
             && advance (reader, address, TREE_OPERAND (pointer, 1), pointer);
    case ADDR_EXPR:
      return tns_read_place (reader, TREE_OPERAND (pointer, 0), address)
             && retype_pointer (reader, address,
                                TREE_TYPE (TREE_TYPE (pointer)), pointer);
    case COMPONENT_REF:
    case INDIRECT_REF:
    case ARRAY_REF:
      return read_loaded_pointer (reader, pointer, address);
    case PREINCREMENT_EXPR:
    case PREDECREMENT_EXPR:
    case POSTINCREMENT_EXPR:
    case POSTDECREMENT_EXPR:
    case MODIFY_EXPR:
      return read_stepped_pointer (reader, pointer, address);
    case CALL_EXPR:
      return tns_read_returned_pointer (reader, pointer, address);
    case COMPOUND_EXPR:
      if (!is_saved_size (TREE_OPERAND (pointer, 0))
          && !tns_may_drop_check (reader, TREE_OPERAND (pointer, 0)))
        break;
      return tns_read_address (reader, TREE_OPERAND (pointer, 1), address);
    default:
      break;
    }
  tns_reader_refuse_tree (reader, pointer, TNS_WHY_POINTER);
  return false;
}

/* The base of member FIELD of the elements of ADDRESS's base.  */
static tns_base *
member_base (tns_reader *reader, const tns_address *address, tree field)
{
  long long first;
  bool dropped = address->n == 1 && address->base->root
                 && !address->base->is_object
                 && tns_expr_is_int (address->sub[0], &first) && first == 0
                 && !tns_trees_have (&reader->twins.members, field);
  for (tns_base *base = reader->bases; base; base = base->next)
    if (base->outer == address->base && base->field == field
        && base->dropped == dropped)
      return base;
  tns_base *base = add_base (reader);
  base->outer = address->base;
  base->field = field;
  base->dropped = dropped;
  base->is_local = address->base->is_local;
  for (int k = 0; k < address->base->rank && !dropped; k++)
    add_dim (base, address->base->extent[k], address->base->unit[k]);
  return add_dims_of_type (reader, base, TREE_TYPE (field)) ? base : NULL;
}

bool
tns_place_member (tns_reader *reader, tns_address *address, tree field,
                  tree where)
{
  tree record = DECL_CONTEXT (field);
  field = tns_first_of_union (field);
  if (!field || DECL_BIT_FIELD (field) || TYPE_REVERSE_STORAGE_ORDER (record)
      || address->n != address->base->rank)
    {
      tns_reader_refuse_tree (reader, where, TNS_WHY_EXPRESSION);
      return false;
    }
  tns_base *base = member_base (reader, address, field);
  if (!base)
    return false;
  address->base = base;
  if (base->dropped)
    address->n = 0;
  address->type = TREE_TYPE (field);
  return true;
}

bool
tns_place_element (tns_reader *reader, tns_address *address, tns_expr *index,
                   tree where)
{
  if (step_in (reader, address, index))
    return true;
  tns_reader_refuse_tree (reader, where, TNS_WHY_EXPRESSION);
  return false;
}

/* The element that REF, an ARRAY_REF, names.  */
static bool
read_element (tns_reader *reader, tree ref, tns_address *address)
{
  if (!tns_read_place (reader, TREE_OPERAND (ref, 0), address))
    return false;
  tns_expr *index
    = tns_as_offset (reader, tns_read_expr (reader, TREE_OPERAND (ref, 1)));
  return index && tns_place_element (reader, address, index, ref);
}

/* (type){ ... }, a structure without a name.  */
static bool
read_literal (tns_reader *reader, tree ref, tns_address *address)
{
  tree decl = COMPOUND_LITERAL_EXPR_DECL (ref);
  if (reader->conditional || TREE_STATIC (decl)
      || TREE_CODE (TREE_TYPE (decl)) != RECORD_TYPE)
    {
      tns_reader_refuse (reader, ref, TNS_WHY_EXPRESSION,
                         get_tree_code_name (TREE_CODE (ref)));
      return false;
    }
  return tns_declare_aggregate (reader, decl)
         && at_start (reader, tns_object_base (reader, decl), address);
}

/* The base of LITERAL, a string.  */
static tns_base *
string_base (tns_reader *reader, tree literal)
{
  for (tns_base *base = reader->bases; base; base = base->next)
    if (base->root == literal)
      return base;
  tns_base *base = add_base (reader);
  base->root = literal;
  base->is_object = true;
  return add_dims_of_type (reader, base, TREE_TYPE (literal)) ? base : NULL;
}

bool
tns_read_place (tns_reader *reader, tree ref, tns_address *address)
{
  if (TREE_THIS_VOLATILE (ref) || TYPE_VOLATILE (TREE_TYPE (ref)))
    {
      tns_reader_refuse_tree (reader, ref, TNS_WHY_VOLATILE);
      return false;
    }
  if (TYPE_ATOMIC (TREE_TYPE (ref)))
    {
      tns_reader_refuse_tree (reader, ref, TNS_WHY_ATOMIC);
      return false;
    }
  switch (TREE_CODE (ref))
    {
    case VAR_DECL:
    case PARM_DECL:
    case RESULT_DECL:
      return at_start (reader, tns_object_base (reader, ref), address);
    case INDIRECT_REF:
      return tns_read_address (reader, TREE_OPERAND (ref, 0), address)
             && retype_pointer (reader, address, TREE_TYPE (ref), ref);
    case ARRAY_REF:
      return read_element (reader, ref, address);
    case COMPONENT_REF:
      return tns_read_place (reader, TREE_OPERAND (ref, 0), address)
             && tns_place_member (reader, address, TREE_OPERAND (ref, 1), ref);
    case NON_LVALUE_EXPR:
      return tns_read_place (reader, TREE_OPERAND (ref, 0), address);
    CASE_CONVERT:
    case VIEW_CONVERT_EXPR:
      if (TYPE_MAIN_VARIANT (TREE_TYPE (ref))
          == TYPE_MAIN_VARIANT (TREE_TYPE (TREE_OPERAND (ref, 0))))
        return tns_read_place (reader, TREE_OPERAND (ref, 0), address);
      break;
    case COMPOUND_LITERAL_EXPR:
      return read_literal (reader, ref, address);
    case STRING_CST:
      return at_start (reader, string_base (reader, ref), address);
    case CALL_EXPR:
      return tns_read_returned (reader, ref, address);
    default:
      break;
    }
  tns_reader_refuse_tree (reader, ref, TNS_WHY_EXPRESSION);
  return false;
}

/* The variable or pointer that BASE starts from.  */
static tree
root_of (const tns_base *base)
{
  while (base->outer)
    base = base->outer;
  return base->root;
}

/* BASE's element 0 as an object, OF_RANK dims entered.  */
static tree
first_element (const tns_base *base)
{
  tree object;
  if (base->outer)
    object = build3 (COMPONENT_REF, TREE_TYPE (base->field),
                     first_element (base->outer), base->field, NULL_TREE);
  else if (base->is_object)
    object = base->root;
  else
    object = build1 (INDIRECT_REF, base->unit[0],
                     fold_convert (build_pointer_type (base->unit[0]),
                                   unshare_expr (base->root)));
  while (TREE_CODE (TREE_TYPE (object)) == ARRAY_TYPE)
    {
      tree domain = TYPE_DOMAIN (TREE_TYPE (object));
      tree first = domain ? TYPE_MIN_VALUE (domain) : size_zero_node;
      object = build4 (ARRAY_REF, TREE_TYPE (TREE_TYPE (object)), object, first,
                       NULL_TREE, NULL_TREE);
    }
  return object;
}

tree
tns_base_address (const tns_base *base)
{
  tree type = build_pointer_type (base->type);
  const tns_base *root = base;
  while (root->outer)
    root = root->outer;
  if (base->rank == 0 && !root->load_when)
    return first_element (base);
  tree address;
  if (base->root && !base->is_object)
    address = fold_convert (type, unshare_expr (base->root));
  else
    address = build1 (ADDR_EXPR, type, first_element (base));
  if (root->load_when)
    address = build3 (COND_EXPR, type, unshare_expr (root->load_when), address,
                      fold_convert (type, null_pointer_node));
  return base->rank > 0 ? address : build1 (INDIRECT_REF, base->type, address);
}

/* SYM's strides are those of an array without gaps.  */
static bool
is_dense (const tns_sym *sym)
{
  long long product = 1;
  for (int k = sym->rank - 1; k >= 0; k--)
    {
      long long extent, stride;
      if (!tns_expr_is_int (sym->stride[k], &stride) || stride != product)
        return false;
      if (k > 0 && !tns_expr_is_int (sym->extent[k], &extent))
        return false;
      product *= k > 0 ? extent : 1;
    }
  return true;
}

/* A structure lies around BASE's dims.  */
static bool
is_strided (const tns_base *base)
{
  return base->outer && base->rank > 0 && !base->is_local;
}

/* BASE's dims advance by whole elements: not in a packed structure.  */
static bool
has_whole_strides (const tns_base *base)
{
  HOST_WIDE_INT bytes = tree_to_shwi (TYPE_SIZE_UNIT (base->type));
  for (int k = 0; k < base->rank; k++)
    {
      tree unit = TYPE_SIZE_UNIT (base->unit[k]);
      if (!tree_fits_shwi_p (unit) || tree_to_shwi (unit) % bytes)
        return false;
    }
  return true;
}

/* The strides of BASE's dims in elements.  */
static void
set_strides (tns_reader *reader, const tns_base *base, tns_sym *sym)
{
  tns_arena *arena = reader->arena;
  HOST_WIDE_INT bytes = tree_to_shwi (TYPE_SIZE_UNIT (base->type));
  sym->stride = TNS_NEW_ARRAY (arena, tns_expr *, base->rank);
  for (int k = 0; k < base->rank; k++)
    {
      HOST_WIDE_INT unit = tree_to_shwi (TYPE_SIZE_UNIT (base->unit[k]));
      sym->stride[k] = tns_int (arena, unit / bytes);
    }
  if (is_dense (sym))
    sym->stride = NULL;
}

/* The array symbol of BASE, whose elements are scalars.  */
static tns_sym *
symbol_of (tns_reader *reader, tns_base *base, tree where)
{
  tns_elem elem;
  if (base->sym)
    return base->sym;
  if (POINTER_TYPE_P (base->type))
    elem = TNS_U64;
  else if (!tns_type_of_tree (base->type, &elem))
    return (tns_sym *) tns_reader_refuse_tree (reader, base->type,
                                               TNS_WHY_TYPE);
  if (is_strided (base) && !has_whole_strides (base))
    return (tns_sym *) tns_reader_refuse_tree (reader, where,
                                               TNS_WHY_EXPRESSION);
  tree name = base->outer ? first_element (base) : root_of (base);
  while (TREE_CODE (name) == ARRAY_REF)
    name = TREE_OPERAND (name, 0);
  const char *spelled = TREE_CODE (name) == STRING_CST
                          ? "string"
                          : tns_spell (reader->arena, name);
  tns_sym *sym = tns_region_add_array (reader->arena, reader->region, spelled,
                                       elem, base->rank, 0);
  sym->loc = tns_loc_of (EXPR_LOC_OR_LOC (where, reader->loc));
  tns_note_sym (reader, sym, elem);
  for (int k = 0; k < base->rank; k++)
    sym->extent[k] = base->extent[k];
  if (base->is_local)
    sym->flags |= TNS_SYM_LOCAL;
  if (is_strided (base))
    set_strides (reader, base, sym);
  base->sym = sym;
  tns_hold_elements (reader, base);
  return sym;
}

tns_expr *
tns_place_load (tns_reader *reader, tns_address *place, tree where, bool write)
{
  if (!place->base || place->n != place->base->rank)
    return (tns_expr *) tns_reader_refuse_tree (reader, where,
                                                TNS_WHY_EXPRESSION);
  tns_sym *sym = symbol_of (reader, place->base, where);
  if (!sym)
    return NULL;
  if (write)
    place->base->is_written = true;
  if (!place->is_near)
    place->base->is_far = true;
  tns_expr *load = tns_load (reader->arena, sym, place->sub);
  load->loc = tns_loc_of (EXPR_LOC_OR_LOC (where, reader->loc));
  return load;
}

tns_expr *
tns_read_ref (tns_reader *reader, tree ref, bool write)
{
  tns_address place;
  if (!tns_read_place (reader, ref, &place))
    return NULL;
  return tns_place_load (reader, &place, ref, write);
}
