/* Vectors: lanes and reductions of lanes.

   What the target cannot do as one instruction is done lane by lane: gathers,
   calls, masks where there are none (generic-mask.cc).  Lane l of an
   expression is built as a scalar from lane l of its operands; only a
   vector that already stands in a variable is taken apart.

   Reductions of lanes halve: upper half with lower half, to the last.  */

#include "lowering/build.hh"

extern "C"
{
#include "ir/range.h"
}

/* The subscripts of EXPR, lane LANE of those that are vectors.  */
static tree
gathered_element (tns_build *build, const tns_expr *expr, int lane)
{
  const tns_sym *sym = expr->sym;
  tree *subscript = TNS_NEW_ARRAY (build->ctx->arena, tree, sym->rank + 1);
  for (int k = 0; k < sym->rank; k++)
    subscript[k] = tns_build_lane (build, expr->arg[k], lane);
  return tns_build_element_at (build, sym, subscript,
                               tns_scalar (expr->type.elem));
}

/* Lane LANE of EXPR, which reads memory.  */
static tree
lane_of_read (tns_build *build, const tns_expr *expr, int lane)
{
  const tns_sym *sym = expr->sym;
  tns_type scalar = tns_scalar (expr->type.elem);
  tree type = tns_build_type (scalar);
  if (expr->op == TNS_LOAD && sym->type.lanes > 1)
    {
      tree whole = tns_build_is_kept_mask (build, expr)
                     ? tns_build_expr (build, expr)
                     : tns_build_element (build, sym, expr->arg, expr->type, 0);
      return fold_convert (type, tns_build_extract (whole, lane));
    }
  tree element = expr->op == TNS_GATHER
                   ? gathered_element (build, expr, lane)
                   : tns_build_element (build, sym, expr->arg, scalar, lane);
  element = fold_convert (type, element);
  if (expr->op == TNS_LOAD || expr->n_args <= sym->rank)
    return element;
  tree cond = tns_build_lane (build, expr->arg[sym->rank], lane);
  return build3 (COND_EXPR, type, cond, element, build_zero_cst (type));
}

/* Lane LANE of EXPR, an operator of lanes.  */
static tree
lane_of_operator (tns_build *build, const tns_expr *expr, int lane)
{
  tns_type scalar = tns_scalar (expr->type.elem);
  tree *arg = TNS_NEW_ARRAY (build->ctx->arena, tree, expr->n_args + 1);
  for (int k = 0; k < expr->n_args; k++)
    arg[k] = tns_build_lane (build, expr->arg[k], lane);
  return tns_build_apply (build, expr->op, scalar, arg);
}

/* The bits of VALUE as TYPE.  */
static tree
bits_tree (tns_type type, tree value)
{
  return fold_build1 (VIEW_CONVERT_EXPR, tns_build_type (type), value);
}

/* A constant of EXPR's element type.  */
static tree
lane_of_constant (tns_build *build, const tns_expr *expr)
{
  tns_expr scalar = *expr;
  scalar.type.lanes = 1;
  return tns_build_expr (build, &scalar);
}

tree
tns_build_lane (tns_build *build, const tns_expr *expr, int lane)
{
  if (expr->type.lanes == 1)
    return tns_build_expr (build, expr);
  tns_type scalar = tns_scalar (expr->type.elem);
  tree type = tns_build_type (scalar);
  switch (expr->op)
    {
    case TNS_INT:
    case TNS_REAL:
      return lane_of_constant (build, expr);
    case TNS_SPLAT:
      return fold_convert (type, tns_build_expr (build, expr->arg[0]));
    case TNS_IOTA:
      return fold_build2 (
        PLUS_EXPR, type,
        fold_convert (type, tns_build_expr (build, expr->arg[0])),
        build_int_cst (type, lane));
    case TNS_CAST:
      return tns_build_cast (build, scalar,
                             tns_scalar (expr->arg[0]->type.elem),
                             tns_build_lane (build, expr->arg[0], lane));
    case TNS_BITS:
      return bits_tree (scalar, tns_build_lane (build, expr->arg[0], lane));
    case TNS_LOAD:
    case TNS_MASKED:
    case TNS_GATHER:
      return lane_of_read (build, expr, lane);
    default:
      return lane_of_operator (build, expr, lane);
    }
}

tree
tns_build_lanes (tns_build *build, const tns_expr *expr)
{
  tree vector = tns_build_type (expr->type);
  vec<constructor_elt, va_gc> *lanes = NULL;
  for (int lane = 0; lane < expr->type.lanes; lane++)
    {
      tree value = tns_build_lane (build, expr, lane);
      CONSTRUCTOR_APPEND_ELT (lanes, NULL_TREE,
                              fold_convert (TREE_TYPE (vector), value));
    }
  return build_constructor (vector, lanes);
}

tree
tns_build_splat (tree vector, tree value)
{
  value = fold_convert (TREE_TYPE (vector), value);
  return build_vector_from_val (vector, tns_build_once (value));
}

tree
tns_build_lane_numbers (tree vector)
{
  unsigned HOST_WIDE_INT lanes = TYPE_VECTOR_SUBPARTS (vector).to_constant ();
  tree_vector_builder numbers (vector, lanes, 1);
  for (unsigned HOST_WIDE_INT lane = 0; lane < lanes; lane++)
    numbers.quick_push (build_int_cst (TREE_TYPE (vector), lane));
  return numbers.build ();
}

tree
tns_build_integers (tree shape)
{
  unsigned bits = tree_to_uhwi (TYPE_SIZE (TREE_TYPE (shape)));
  return build_vector_type (build_nonstandard_integer_type (bits, 0),
                            TYPE_VECTOR_SUBPARTS (shape));
}

tree
tns_build_cast (tns_build *build, tns_type to, tns_type from, tree value)
{
  tree type = tns_build_type (to);
  if (to.lanes > 1)
    return tns_build_convert (build, to, from, value);
  if (to.elem == TNS_BOOL && from.elem != TNS_BOOL)
    return fold_build2 (NE_EXPR, boolean_type_node, value,
                        build_zero_cst (TREE_TYPE (value)));
  if (tns_elem_is_float (to.elem) && !tns_elem_is_float (from.elem))
    return fold_build1 (FLOAT_EXPR, type, value);
  if (!tns_elem_is_float (to.elem) && tns_elem_is_float (from.elem))
    return fold_build1 (FIX_TRUNC_EXPR, type, value);
  return fold_convert (type, value);
}

/* EXPR, a CAST of what rint or round give, both scalars, by the function that
   gives the integer at once; NULL_TREE when it is not like that.  */
static tree
rounded_integer (tns_build *build, const tns_expr *expr)
{
  const tns_expr *from = expr->arg[0];
  tns_elem elem = from->type.elem;
  if (expr->type.lanes > 1 || !tns_elem_is_integer (expr->type.elem)
      || expr->type.elem == TNS_BOOL || expr->type.elem == TNS_U64
      || (from->op != TNS_RINT && from->op != TNS_ROUND)
      || TYPE_PRECISION (long_integer_type_node) < 64)
    return NULL_TREE;
  bool is_nearest = from->op == TNS_RINT;
  tree fn = builtin_decl_explicit (
    elem == TNS_F32   ? is_nearest ? BUILT_IN_LRINTF : BUILT_IN_LROUNDF
    : elem == TNS_F64 ? is_nearest ? BUILT_IN_LRINT : BUILT_IN_LROUND
    : is_nearest      ? BUILT_IN_LRINTL
                      : BUILT_IN_LROUNDL);
  tree a = tns_build_expr (build, from->arg[0]);
  return fold_convert (tns_build_type (expr->type),
                       build_call_expr_loc (build->loc, fn, 1, a));
}

/* FROM, the type of EXPR's operand, or int where that holds the operand too and
   EXPR are floats: of int the target makes them at once.  */
static tns_type
least_type (const tns_expr *expr, tns_type from)
{
  bool is_wide
    = from.elem == TNS_U32 || from.elem == TNS_I64 || from.elem == TNS_U64;
  tns_range values = is_wide ? tns_range_of (NULL, expr->arg[0]) : tns_range ();
  if (is_wide && from.lanes > 1 && tns_elem_is_float (expr->type.elem)
      && tns_range_within (values, tns_range_of_elem (TNS_I32)))
    from.elem = TNS_I32;
  return from;
}

/* CAST of a vector; BOOL comes and goes as a mask.  */
static tree
cast_tree (tns_build *build, const tns_expr *expr)
{
  const tns_expr *from = expr->arg[0];
  tree type = tns_build_type (expr->type);
  tree rounded = rounded_integer (build, expr);
  if (rounded)
    return rounded;
  tns_type least = least_type (expr, from->type);
  if (from->type.elem != TNS_BOOL || from->type.lanes == 1)
    {
      tree value = tns_build_expr (build, from);
      if (least.elem != from->type.elem)
        value = tns_build_convert (build, least, from->type, value);
      return tns_build_cast (build, expr->type, least, value);
    }
  tree mask = tns_build_mask (build, from, type);
  return build3 (VEC_COND_EXPR, type, mask, build_one_cst (type),
                 build_zero_cst (type));
}

/* IOTA: the first number in each lane, and the lane's number.  */
static tree
iota_tree (tns_build *build, const tns_expr *expr)
{
  tree type = tns_build_type (expr->type);
  if (FLOAT_TYPE_P (type))
    return tns_build_lanes (build, expr);
  tree first = tns_build_expr (build, expr->arg[0]);
  return fold_build2 (PLUS_EXPR, type, tns_build_splat (type, first),
                      tns_build_lane_numbers (type));
}

/* The operator that combines two lanes under OP.  */
static tns_op
combiner (tns_op op)
{
  switch (op)
    {
    case TNS_REDUCE_MUL:
      return TNS_MUL;
    case TNS_REDUCE_MIN:
      return TNS_MIN;
    case TNS_REDUCE_MAX:
      return TNS_MAX;
    case TNS_REDUCE_AND:
      return TNS_AND;
    case TNS_REDUCE_OR:
      return TNS_OR;
    case TNS_REDUCE_XOR:
      return TNS_XOR;
    default:
      return TNS_ADD;
    }
}

/* The halves of VALUE combined: a vector of half as many lanes.  */
static tree
halve (tns_build *build, tns_op op, tns_type half, tree value)
{
  tree type = tns_build_type (half);
  tree bits = TYPE_SIZE (type);
  value = tns_build_once (value);
  tree arg[2] = { build3 (BIT_FIELD_REF, type, value, bits, bitsize_int (0)),
                  build3 (BIT_FIELD_REF, type, value, bits, bits) };
  return tns_build_apply (build, op, half, arg);
}

/* Lane 0 to DISTANCE of VALUE combined with the lanes DISTANCE further; the
   other lanes are of no use.  */
static tree
fold_over (tns_build *build, tns_op op, tns_type type, tree value, int distance)
{
  tree vector = tns_build_type (type);
  tree integers = tns_build_integers (vector);
  tree_vector_builder from (integers, type.lanes, 1);
  for (int lane = 0; lane < type.lanes; lane++)
    from.quick_push (
      build_int_cst (TREE_TYPE (integers), (lane + distance) % type.lanes));
  value = tns_build_once (value);
  tree arg[2]
    = { value, build3 (VEC_PERM_EXPR, vector, value, value, from.build ()) };
  return tns_build_apply (build, op, type, arg);
}

/* The lanes of VALUE, few, combined as scalars.  */
static tree
fold_scalars (tns_build *build, tns_op op, tns_type type, tree value)
{
  tree *lane = TNS_NEW_ARRAY (build->ctx->arena, tree, type.lanes);
  value = tns_build_once (value);
  for (int l = 0; l < type.lanes; l++)
    lane[l] = tns_build_extract (value, l);
  for (int half = type.lanes / 2; half > 0; half /= 2)
    for (int l = 0; l < half; l++)
      {
        tree arg[2] = { lane[l], lane[l + half] };
        lane[l] = tns_build_apply (build, op, tns_scalar (type.elem), arg);
      }
  return lane[0];
}

/* REDUCE_OR of booleans: whether one of their bytes is not 0.  */
static tree
any_tree (tns_build *build, const tns_expr *expr)
{
  const int longest = 8;
  int lanes = expr->arg[0]->type.lanes;
  tree any = tns_build_any (build, expr->arg[0]);
  if (any)
    return any;
  tree value = tns_build_expr (build, expr->arg[0]);
  for (; lanes > longest; lanes /= 2)
    value = halve (build, TNS_OR, tns_vector (TNS_U8, lanes / 2), value);
  tree bits = build_nonstandard_integer_type (lanes * BITS_PER_UNIT, 1);
  return build2 (NE_EXPR, boolean_type_node,
                 build1 (VIEW_CONVERT_EXPR, bits, value),
                 build_zero_cst (bits));
}

/* REDUCE_*: halves while they are longer than 16 bytes, then the lanes of
   the last 16.  */
static tree
reduce_tree (tns_build *build, const tns_expr *expr)
{
  const int shortest = 16;
  tns_op op = combiner (expr->op);
  tns_type type = expr->arg[0]->type;
  int bytes = tns_elem_bytes (type.elem);
  tree result = tns_build_type (expr->type);
  if (type.elem == TNS_BOOL && op == TNS_OR)
    return fold_convert (result, any_tree (build, expr));
  tree value = tns_build_expr (build, expr->arg[0]);
  if (type.elem == TNS_BOOL)
    type.elem = TNS_U8;
  for (; type.lanes * bytes > shortest; type.lanes /= 2)
    value = halve (build, op, tns_vector (type.elem, type.lanes / 2), value);
  if (type.lanes * bytes < shortest || type.lanes <= 2)
    return fold_convert (result, fold_scalars (build, op, type, value));
  for (int distance = type.lanes / 2; distance > 0; distance /= 2)
    value = fold_over (build, op, type, value, distance);
  return fold_convert (result, tns_build_extract (value, 0));
}

tree
tns_build_vector (tns_build *build, const tns_expr *expr)
{
  switch (expr->op)
    {
    case TNS_CAST:
      return cast_tree (build, expr);
    case TNS_BITS:
      return bits_tree (expr->type, tns_build_expr (build, expr->arg[0]));
    case TNS_SPLAT:
      return tns_build_splat (tns_build_type (expr->type),
                              tns_build_expr (build, expr->arg[0]));
    case TNS_IOTA:
      return iota_tree (build, expr);
    case TNS_MASKED:
      return expr->type.lanes > 1 ? tns_build_masked_load (build, expr)
                                  : lane_of_read (build, expr, 0);
    case TNS_GATHER:
      {
        tree made = tns_build_strided (build, expr);
        made = made ? made : tns_build_gather (build, expr);
        return made ? made : tns_build_lanes (build, expr);
      }
    default:
      return reduce_tree (build, expr);
    }
}
