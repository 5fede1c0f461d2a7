/* Masks, and loads and stores under them.

   A BOOL vector of the IR has no width; a mask of GCC has that of the
   vectors it was compared from or is used on.  A mask is therefore built for
   the SHAPE of its user:

     x < y used on x's shape     LT_EXPR
     ... on another shape        selected as integers, converted, compared
     iota (a) < splat (b)        {0, 1, 2, ...} < splat (clamp (b - a)) in
                                 integers as wide as SHAPE's lanes: tails
                                 and borders need no wide compares

   What keeps a mask is one of the longest vectors with as many lanes that the
   target compares: one bit a lane, or integers that are -1 or 0.

   Lanes that a masked load leaves out are zero: AVX-512's, as GCC's internal
   function makes them, keep what the register held, and a denormal number
   left there makes each operation on it a hundred times as slow.

   Where the target has no masked load or store for a type each lane asks its
   own condition, as a scalar.  */

#include "lowering/build.hh"

/* Whether vectors of type A are as long as those of type B.  */
static bool
has_same_size (tree a, tree b)
{
  return tree_int_cst_equal (TYPE_SIZE (a), TYPE_SIZE (b));
}

/* Signed integers as wide as the lanes of SHAPE, a vector, and as many.  */
static tns_type
integers_of (tree shape)
{
  static const tns_elem elem[] = { TNS_I8, TNS_I16, TNS_I32, TNS_I64 };
  unsigned HOST_WIDE_INT bits = tree_to_uhwi (TYPE_SIZE (TREE_TYPE (shape)));
  int lanes = TYPE_VECTOR_SUBPARTS (shape).to_constant ();
  return tns_vector (elem[exact_log2 (bits / BITS_PER_UNIT)], lanes);
}

/* A mask of type TYPE is integers that are -1 or 0.  */
static bool
is_numbers (tree type)
{
  return VECTOR_MODE_P (TYPE_MODE (type));
}

/* MASK as integers of type NUMBERS, -1 or 0.  */
static tree
mask_numbers (tree mask, tree numbers)
{
  return is_numbers (TREE_TYPE (mask))
           ? build1 (VIEW_CONVERT_EXPR, numbers, mask)
           : build3 (VEC_COND_EXPR, numbers, mask,
                     build_minus_one_cst (numbers), build_zero_cst (numbers));
}

/* MASK, for vectors of type FROM, as a mask for vectors of type SHAPE.
   Between the comparison of one length and the choice of another GCC is shown
   no connection: it would take both apart lane by lane, as it would a
   conversion in one step of what the target halves only.  */
static tree
reshape_mask (tns_build *build, tree mask, tree from, tree shape)
{
  tree wanted = truth_type_for (shape);
  if (TYPE_MAIN_VARIANT (TREE_TYPE (mask)) == TYPE_MAIN_VARIANT (wanted))
    return has_same_size (from, shape) ? mask
                                       : build1 (PAREN_EXPR, wanted, mask);
  tree narrow = tns_build_type (integers_of (from));
  tree wide = tns_build_type (integers_of (shape));
  tree numbers = mask_numbers (mask, narrow);
  tree converted = tns_build_packed (build, integers_of (shape),
                                     integers_of (from), numbers);
  if (!converted)
    converted = tns_build_cast (build, integers_of (shape), integers_of (from),
                                numbers);
  return is_numbers (wanted)
           ? build1 (VIEW_CONVERT_EXPR, wanted, converted)
           : build2 (NE_EXPR, wanted, converted, build_zero_cst (wide));
}

/* Integers as wide as LANES lanes of the longest vectors are; NULL_TREE where
   the target has none.  */
static tree
longest_integers (int lanes)
{
  for (int bytes = MIN (8, 64 / lanes); bytes > 0; bytes /= 2)
    {
      tree element = build_nonstandard_integer_type (bytes * BITS_PER_UNIT, 0);
      tree type = build_vector_type (element, lanes);
      if (VECTOR_MODE_P (TYPE_MODE (type))
          && direct_internal_fn_supported_p (IFN_VCOND, tree_pair (type, type),
                                             OPTIMIZE_FOR_SPEED))
        return type;
    }
  return NULL_TREE;
}

tree
tns_build_mask_type (tns_type type)
{
  if (type.lanes == 1 || type.elem != TNS_BOOL)
    return NULL_TREE;
  tree integers = longest_integers (type.lanes);
  return integers ? truth_type_for (integers) : NULL_TREE;
}

bool
tns_build_is_kept_mask (const tns_build *build, const tns_expr *expr)
{
  return expr->op == TNS_LOAD && expr->n_args == 0 && expr->type.lanes > 1
         && VECTOR_BOOLEAN_TYPE_P (build->elem[expr->sym->id]);
}

tree
tns_build_set_mask (tns_build *build, const tns_node *node)
{
  tns_arena *arena = build->ctx->arena;
  tns_expr *target = node->target;
  tns_expr *value = node->value;
  if (node->update != TNS_NONE)
    value = tns_binary (arena, node->update, target, value);
  if (node->mask)
    value = tns_ternary (arena, TNS_SELECT, node->mask, value, target);
  tree integers = longest_integers (target->type.lanes);
  return tns_build_set (build, build->decl[target->sym->id],
                        tns_build_mask (build, value, integers));
}

/* The mask that EXPR, a LOCAL, keeps.  */
static tree
kept_mask (tns_build *build, const tns_expr *expr, tree shape)
{
  return reshape_mask (build, build->decl[expr->sym->id],
                       longest_integers (expr->type.lanes), shape);
}

/* Whether EXPR compares iota (a) with splat (b), or splat (b) with
   iota (a).  */
static bool
is_numbered (const tns_expr *expr)
{
  tns_op left = expr->arg[0]->op;
  tns_op right = expr->arg[1]->op;
  return expr->arg[0]->type.elem == TNS_I64
         && ((left == TNS_IOTA && right == TNS_SPLAT)
             || (left == TNS_SPLAT && right == TNS_IOTA));
}

/* EXPR is of the only iteration of a loop, of the lanes below its end.  */
static bool
is_of_last (const tns_build *build, const tns_expr *expr)
{
  const tns_node *loop = build->once;
  return loop && loop->step == expr->type.lanes && expr->arg[0]->op == TNS_IOTA
         && expr->arg[0]->arg[0]->op == TNS_SYM
         && expr->arg[0]->arg[0]->sym == loop->iter
         && tns_expr_equal (expr->arg[1]->arg[0], loop->hi);
}

/* b - a of iota (a) OP splat (b), or with the two exchanged, cut to what lies
   right outside of the lanes' numbers, if it may lie further.  */
static tree
numbered_limit (tns_build *build, const tns_expr *expr)
{
  bool is_first = expr->arg[0]->op == TNS_IOTA;
  tree type = tns_build_type (tns_scalar (TNS_I64));
  tree a = tns_build_expr (build, expr->arg[!is_first]->arg[0]);
  tree b = tns_build_expr (build, expr->arg[is_first]->arg[0]);
  tree left = fold_build2 (MINUS_EXPR, type, b, a);
  if (is_of_last (build, expr))
    return left;
  left = fold_build2 (MIN_EXPR, type, left,
                      build_int_cst (type, expr->type.lanes));
  return fold_build2 (MAX_EXPR, type, left, build_int_cst (type, -1));
}

/* The mask of iota (a) OP splat (b), or with the two exchanged: of
   lane OP b - a.  */
static tree
numbered_mask (tns_build *build, const tns_expr *expr, tree shape)
{
  bool is_first = expr->arg[0]->op == TNS_IOTA;
  tree left = numbered_limit (build, expr);
  tree integers = tns_build_integers (shape);
  tree number = tns_build_lane_numbers (integers);
  tree limit = tns_build_splat (integers, left);
  tree arg[2] = { is_first ? number : limit, is_first ? limit : number };
  return tns_build_apply (build, expr->op, expr->type, arg);
}

tree
tns_build_first_lanes (tns_build *build, const tns_expr *mask)
{
  if (mask->op != TNS_LT || !is_numbered (mask) || mask->arg[0]->op != TNS_IOTA)
    return NULL_TREE;
  return numbered_limit (build, mask);
}

/* The mask of BYTES != 0, BYTES built as vector VALUE.  */
static tree
nonzero_mask (tns_build *build, tree value, tree shape)
{
  tree type = TREE_TYPE (value);
  tree mask
    = build2 (NE_EXPR, truth_type_for (type), value, build_zero_cst (type));
  return reshape_mask (build, mask, type, shape);
}

/* The type in which integers of FROM are compared for vectors of type SHAPE:
   where masks are numbers what is compared wide, up to 4 bytes, needs not be
   made wide afterwards, and constants are so already.  */
static tns_type
compared_type (tns_type from, tree shape)
{
  int bytes = tns_elem_bytes (integers_of (shape).elem);
  if (!tns_elem_is_integer (from.elem) || from.elem == TNS_BOOL
      || !is_numbers (truth_type_for (shape)))
    return from;
  if (bytes >= 4 && tns_elem_bytes (from.elem) < 4)
    from.elem = TNS_I32;
  else if (bytes == 2 && tns_elem_bytes (from.elem) == 1)
    from.elem = TNS_I16;
  return from;
}

/* EXPR, a comparison, asks whether a floating number is one: x == x, or x != x.
   GCC takes two such questions together when they are asked as what they
   are.  */
static bool
asks_for_number (const tns_expr *expr)
{
  return (expr->op == TNS_EQ || expr->op == TNS_NE)
         && tns_elem_class (expr->arg[0]->type.elem) == 'F'
         && tns_expr_equal (expr->arg[0], expr->arg[1]);
}

/* The mask of EXPR, which does.  */
static tree
number_mask (tns_build *build, const tns_expr *expr, tree shape)
{
  tree x = tns_build_once (tns_build_expr (build, expr->arg[0]));
  tree type = TREE_TYPE (x);
  tree mask = build2 (expr->op == TNS_EQ ? ORDERED_EXPR : UNORDERED_EXPR,
                      truth_type_for (type), x, x);
  return reshape_mask (build, mask, type, shape);
}

/* The mask of EXPR, a comparison.  */
static tree
compared_mask (tns_build *build, const tns_expr *expr, tree shape)
{
  if (is_numbered (expr))
    return numbered_mask (build, expr, shape);
  if (asks_for_number (expr))
    return number_mask (build, expr, shape);
  tns_type from = expr->arg[0]->type;
  tns_type type = compared_type (from, shape);
  tree arg[2];
  for (int k = 0; k < 2; k++)
    {
      arg[k] = tns_build_expr (build, expr->arg[k]);
      if (type.elem != from.elem)
        arg[k] = tns_build_convert (build, type, from, arg[k]);
    }
  tree mask = tns_build_apply (build, expr->op, expr->type, arg);
  return reshape_mask (build, mask, TREE_TYPE (arg[0]), shape);
}

/* The mask of EXPR, two masks combined bit by bit with CODE.  */
static tree
combined_mask (tns_build *build, tree_code code, const tns_expr *expr,
               tree shape)
{
  return build2 (code, truth_type_for (shape),
                 tns_build_mask (build, expr->arg[0], shape),
                 tns_build_mask (build, expr->arg[1], shape));
}

/* The mask of a ? b : c.  */
static tree
selected_mask (tns_build *build, const tns_expr *expr, tree shape)
{
  tree type = truth_type_for (shape);
  tree b = tns_build_mask (build, expr->arg[1], shape);
  tree c = tns_build_mask (build, expr->arg[2], shape);
  if (expr->arg[0]->type.lanes == 1)
    return build3 (COND_EXPR, type, tns_build_expr (build, expr->arg[0]), b, c);
  tree a = tns_build_once (tns_build_mask (build, expr->arg[0], shape));
  return build2 (
    BIT_IOR_EXPR, type, build2 (BIT_AND_EXPR, type, a, b),
    build2 (BIT_AND_EXPR, type, build1 (BIT_NOT_EXPR, type, a), c));
}

/* The mask of a scalar BOOL in each lane.  */
static tree
splat_mask (tns_build *build, const tns_expr *scalar, tree shape)
{
  tree integers = tns_build_integers (shape);
  tree value = tns_build_expr (build, scalar);
  return build2 (NE_EXPR, truth_type_for (shape),
                 tns_build_splat (integers, value), build_zero_cst (integers));
}

tree
tns_build_mask (tns_build *build, const tns_expr *expr, tree shape)
{
  switch (expr->op)
    {
    case TNS_LAND:
    case TNS_AND:
      return combined_mask (build, BIT_AND_EXPR, expr, shape);
    case TNS_LOR:
    case TNS_OR:
      return combined_mask (build, BIT_IOR_EXPR, expr, shape);
    case TNS_XOR:
      return combined_mask (build, BIT_XOR_EXPR, expr, shape);
    case TNS_LNOT:
    case TNS_NOT:
      return build1 (BIT_NOT_EXPR, truth_type_for (shape),
                     tns_build_mask (build, expr->arg[0], shape));
    case TNS_SELECT:
      return selected_mask (build, expr, shape);
    case TNS_SPLAT:
      return splat_mask (build, expr->arg[0], shape);
    case TNS_CAST:
      if (expr->arg[0]->type.elem == TNS_BOOL)
        return tns_build_mask (build, expr->arg[0], shape);
      return nonzero_mask (build, tns_build_expr (build, expr->arg[0]), shape);
    default:
      if (tns_op_class (expr->op) == 'C')
        return compared_mask (build, expr, shape);
      if (tns_build_is_kept_mask (build, expr))
        return kept_mask (build, expr, shape);
      return nonzero_mask (build, tns_build_expr (build, expr), shape);
    }
}

/* Whether the target has FN, a masked load or store, for vectors of TYPE
   under MASK.  */
static bool
has_masked (internal_fn fn, tree type, tree mask)
{
  return VECTOR_MODE_P (TYPE_MODE (type))
         && direct_internal_fn_supported_p (fn, type, TREE_TYPE (mask),
                                            OPTIMIZE_FOR_SPEED);
}

/* The alignment of SYM's elements, in bits, typed as its accesses.  */
static tree
alignment (tns_build *build, const tns_sym *sym)
{
  return fold_convert (TREE_TYPE (tns_build_alias (build, sym)),
                       size_int (TYPE_ALIGN (build->elem[sym->id])));
}

/* The target's own function that loads a vector of TYPE under a mask of one
   bit a lane, with zeros in the others; NULL_TREE where it has none.  */
static tree
zeroing_load (tree type)
{
  tree element = TREE_TYPE (type);
  bool is_float = SCALAR_FLOAT_TYPE_P (element);
  unsigned HOST_WIDE_INT bytes = tree_to_uhwi (TYPE_SIZE_UNIT (element));
  const char *kind = bytes == 8   ? is_float ? "upd" : "dqudi"
                     : bytes == 4 ? is_float ? "ups" : "dqusi"
                     : bytes == 2 ? "dquhi"
                                  : "dquqi";
  char name[48];
  snprintf (name, sizeof name, "__builtin_ia32_load%s%d_mask", kind,
            (int) tree_to_uhwi (TYPE_SIZE (type)));
  return tns_build_target_function (name);
}

/* A load of a vector of TYPE from ADDRESS under MASK by FN, what zeroing_load
   gave.  */
static tree
load_or_zero (tns_build *build, tree fn, tree type, tree address, tree mask)
{
  tree parm = TYPE_ARG_TYPES (TREE_TYPE (fn));
  tree from = TREE_VALUE (parm);
  tree vector = TREE_VALUE (TREE_CHAIN (parm));
  tree bits = TREE_VALUE (TREE_CHAIN (TREE_CHAIN (parm)));
  tree loaded = build_call_expr_loc (
    build->loc, fn, 3, fold_convert (from, address), build_zero_cst (vector),
    build1 (VIEW_CONVERT_EXPR, bits, mask));
  return build1 (VIEW_CONVERT_EXPR, type, loaded);
}

/* The elements of SYM from ADDRESS on as TYPE, zero outside of MASK.  */
static tree
load_under (tns_build *build, const tns_sym *sym, tree type, tree address,
            tree mask)
{
  tree fn = zeroing_load (type);
  if (fn && SCALAR_INT_MODE_P (TYPE_MODE (TREE_TYPE (mask))))
    return load_or_zero (build, fn, type, address, mask);
  mask = tns_build_once (mask);
  tree loaded = build_call_expr_internal_loc (
    build->loc, IFN_MASK_LOAD, type, 3, address, alignment (build, sym), mask);
  return build3 (VEC_COND_EXPR, type, mask, loaded, build_zero_cst (type));
}

/* The elements of SYM from ADDRESS on as TYPE where the lane's number CODE
   LIMIT, zero elsewhere; NULL_TREE where the target has no masked load.  */
static tree
load_where (tns_build *build, const tns_sym *sym, tree type, tree address,
            tree_code code, tree limit)
{
  tree integers = tns_build_integers (type);
  tree mask
    = build2 (code, truth_type_for (type), tns_build_lane_numbers (integers),
              tns_build_splat (integers, limit));
  if (!has_masked (IFN_MASK_LOAD, type, mask))
    return NULL_TREE;
  return load_under (build, sym, type, address, mask);
}

tree
tns_build_load_first (tns_build *build, const tns_sym *sym, tree type,
                      tree address, tree count)
{
  return load_where (build, sym, type, address, LT_EXPR, count);
}

tree
tns_build_load_last (tns_build *build, const tns_sym *sym, tree type,
                     tree address, tree count)
{
  unsigned HOST_WIDE_INT lanes = TYPE_VECTOR_SUBPARTS (type).to_constant ();
  tree from = fold_build2 (MINUS_EXPR, TREE_TYPE (count),
                           build_int_cst (TREE_TYPE (count), lanes), count);
  return load_where (build, sym, type, address, GE_EXPR, from);
}

tree
tns_build_masked_load (tns_build *build, const tns_expr *expr)
{
  const tns_sym *sym = expr->sym;
  tree type = tns_build_type (expr->type);
  tree mask = tns_build_mask (build, expr->arg[sym->rank], type);
  if (!has_masked (IFN_MASK_LOAD, type, mask) || !tns_build_is_contiguous (sym))
    return tns_build_lanes (build, expr);
  tree parts = tns_build_load_parts (build, expr);
  if (parts)
    return parts;
  return load_under (build, sym, type,
                     tns_build_address (build, sym, expr->arg), mask);
}

/* Store lane by lane where the mask's lane is true.  */
static tree
store_lanes (tns_build *build, const tns_expr *target, tree value,
             const tns_expr *mask)
{
  tree list = NULL_TREE;
  tree type = TREE_TYPE (value);
  tree kept = tns_build_variable (build, "lanes", type);
  append_to_statement_list (tns_build_set (build, kept, value), &list);
  for (int lane = 0; lane < target->type.lanes; lane++)
    {
      tree element = tns_build_element (build, target->sym, target->arg,
                                        tns_scalar (target->type.elem), lane);
      tree store
        = tns_build_set (build, element, tns_build_extract (kept, lane));
      tree cond = mask ? tns_build_lane (build, mask, lane) : NULL_TREE;
      append_to_statement_list (
        cond ? tns_build_if (build, cond, store, NULL_TREE) : store, &list);
    }
  return tns_build_scope (kept, list);
}

tree
tns_build_masked_store (tns_build *build, const tns_expr *target, tree value,
                        const tns_expr *mask)
{
  const tns_sym *sym = target->sym;
  tree type = tns_build_type (target->type);
  if (!mask || !tns_build_is_contiguous (sym))
    return store_lanes (build, target, value, mask);
  tree built = tns_build_mask (build, mask, type);
  if (!has_masked (IFN_MASK_STORE, type, built))
    return store_lanes (build, target, value, mask);
  tree parts = tns_build_store_parts (build, target, value, mask);
  if (parts)
    return parts;
  return build_call_expr_internal_loc (
    build->loc, IFN_MASK_STORE, void_type_node, 4,
    tns_build_address (build, sym, target->arg), alignment (build, sym), built,
    value);
}

/* A bit of each byte of KEPT, BITS long; NULL_TREE where the target has no
   instruction for it.  */
static tree
bits_of_bytes (tns_build *build, tree kept, int bits)
{
#if defined TARGET_SSE2 && defined TARGET_AVX2
  if (bits == 128 ? !TARGET_SSE2 : bits != 256 || !TARGET_AVX2)
    return NULL_TREE;
  tree fn = tns_build_target_function (
    bits == 128 ? "__builtin_ia32_pmovmskb128" : "__builtin_ia32_pmovmskb256");
  return fn ? tns_build_target_call (build, fn, 1, &kept) : NULL_TREE;
#else
  (void) build, (void) kept, (void) bits;
  return NULL_TREE;
#endif
}

/* A number that is 0 where no lane of KEPT, a mask of LANES, is set, and *ALL
   where all are; NULL_TREE where the target gives none.  */
static tree
number_of_kept (tns_build *build, tree kept, int lanes, tree *all)
{
  scalar_int_mode mode;
  tree type = TREE_TYPE (kept);
  bool is_bits = is_a<scalar_int_mode> (TYPE_MODE (type), &mode);
  int bits = is_bits ? (int) GET_MODE_BITSIZE (mode)
                     : (int) tree_to_uhwi (TYPE_SIZE (type));
  tree number = bits <= 64
                  ? build1 (VIEW_CONVERT_EXPR,
                            build_nonstandard_integer_type (bits, 1), kept)
                  : bits_of_bytes (build, kept, bits);
  int n = is_bits ? lanes : bits <= 64 ? bits : bits / BITS_PER_UNIT;
  if (number)
    *all = wide_int_to_tree (
      TREE_TYPE (number),
      wi::mask (n, false, TYPE_PRECISION (TREE_TYPE (number))));
  return number;
}

/* The same of MASK, a LOCAL or made of such, of which all have one form.  */
static tree
number_of (tns_build *build, const tns_expr *mask, tree *all)
{
  tree other = NULL_TREE;
  if (tns_build_is_kept_mask (build, mask))
    return number_of_kept (build, build->decl[mask->sym->id], mask->type.lanes,
                           all);
  if (mask->op != TNS_LNOT && mask->op != TNS_LAND && mask->op != TNS_LOR)
    return NULL_TREE;
  tree a = number_of (build, mask->arg[0], all);
  if (!a || mask->op == TNS_LNOT)
    return a ? build2 (BIT_XOR_EXPR, TREE_TYPE (a), a, *all) : NULL_TREE;
  tree b = number_of (build, mask->arg[1], &other);
  if (!b || TREE_TYPE (a) != TREE_TYPE (b) || !tree_int_cst_equal (*all, other))
    return NULL_TREE;
  return build2 (mask->op == TNS_LAND ? BIT_AND_EXPR : BIT_IOR_EXPR,
                 TREE_TYPE (a), a, b);
}

tree
tns_build_any (tns_build *build, const tns_expr *mask)
{
  tree all = NULL_TREE;
  tree number = mask->op == TNS_LOAD && mask->n_args == 0
                  ? number_of_kept (build, build->decl[mask->sym->id],
                                    mask->type.lanes, &all)
                  : number_of (build, mask, &all);
  return number ? build2 (NE_EXPR, boolean_type_node, number,
                          build_zero_cst (TREE_TYPE (number)))
                : NULL_TREE;
}

tree
tns_build_where_any (tns_build *build, const tns_expr *mask, tree store)
{
  tree any = tns_build_is_kept_mask (build, mask) ? tns_build_any (build, mask)
                                                  : NULL_TREE;
  return any ? tns_build_if (build, any, store, NULL_TREE) : store;
}
