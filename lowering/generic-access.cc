/* Elements of arrays as trees.

     A[i][j], row-major, extent[1] = M  ->  *(T *) (A + (i * M + j) * sizeof T)

   Subscripts are computed in 64 bits and scaled in sizetype, one base and
   one offset, so that GCC's analyses of induction variables see through
   them.  Each access keeps the element type that the user's own accesses
   have: what GCC assumes about types stays true.  A vector access is
   aligned as one element is.  */

#include "lowering/build.hh"

extern "C"
{
#include "ir/expr.h"
}

tree
tns_build_type (tns_type type)
{
  if (type.lanes == 1)
    return tns_type_tree (type);
  if (type.elem == TNS_BOOL)
    return build_vector_type (unsigned_char_type_node, type.lanes);
  return build_vector_type (tns_type_tree (tns_scalar (type.elem)), type.lanes);
}

/* The number of the element of SYM at SUBSCRIPT, counted from element 0.  */
static tree
element_number (tns_build *build, const tns_sym *sym, tree *subscript)
{
  tree type = tns_build_type (tns_scalar (TNS_I64));
  tree sum = build_zero_cst (type);
  for (int k = 0; k < sym->rank; k++)
    if (sym->stride)
      {
        tree stride = tns_build_expr (build, sym->stride[k]);
        tree term = fold_build2 (MULT_EXPR, type, subscript[k], stride);
        sum = fold_build2 (PLUS_EXPR, type, sum, term);
      }
    else
      {
        if (k > 0)
          sum = fold_build2 (MULT_EXPR, type, sum,
                             tns_build_expr (build, sym->extent[k]));
        sum = fold_build2 (PLUS_EXPR, type, sum, subscript[k]);
      }
  return sum;
}

bool
tns_build_is_contiguous (const tns_sym *sym)
{
  long long step;
  return !sym->stride || sym->rank == 0
         || (tns_expr_is_int (sym->stride[sym->rank - 1], &step) && step == 1);
}

/* The address of element 0 of SYM; each time a tree of its own, for what
   becomes a function of its own has parameters put in.  */
static tree
element_0 (tns_build *build, const tns_sym *sym)
{
  tree decl = build->decl[sym->id];
  if (POINTER_TYPE_P (TREE_TYPE (decl)))
    return unshare_expr (decl);
  TREE_ADDRESSABLE (decl) = 1;
  return build_fold_addr_expr_with_type (
    decl, build_pointer_type (build->elem[sym->id]));
}

tree
tns_build_record (tns_build *build, const tns_sym *sym, HOST_WIDE_INT *bytes)
{
  tree base = build->decl[sym->id];
  STRIP_NOPS (base);
  *bytes = 0;
  if (TREE_CODE (base) == POINTER_PLUS_EXPR
      && tree_fits_shwi_p (TREE_OPERAND (base, 1)))
    {
      *bytes = tree_to_shwi (TREE_OPERAND (base, 1));
      base = TREE_OPERAND (base, 0);
      STRIP_NOPS (base);
    }
  return base;
}

tree
tns_build_alias (tns_build *build, const tns_sym *sym)
{
  return build_int_cst (build_pointer_type (build->elem[sym->id]), 0);
}

/* Whether SYM is a variable, not reached by an address.  */
static bool
is_variable (const tns_build *build, const tns_sym *sym)
{
  return sym->rank == 0 && VAR_P (build->decl[sym->id])
         && !POINTER_TYPE_P (TREE_TYPE (build->decl[sym->id]));
}

/* The bytes from element 0 of SYM to the one at SUBSCRIPT.  */
static tree
byte_offset (tns_build *build, const tns_sym *sym, tree *subscript)
{
  tree number = element_number (build, sym, subscript);
  tree bytes = TYPE_SIZE_UNIT (build->elem[sym->id]);
  return fold_build2 (MULT_EXPR, sizetype, fold_convert (sizetype, number),
                      fold_convert (sizetype, bytes));
}

/* The element of SYM that stands OFFSET bytes behind ADDRESS.  */
static tree
element_behind (tns_build *build, const tns_sym *sym, tree address, tree offset,
                tns_type type)
{
  tree elem = build->elem[sym->id];
  tree alias = TREE_TYPE (tns_build_alias (build, sym));
  if (type.lanes > sym->type.lanes)
    elem = build_aligned_type (tns_build_type (type), TYPE_ALIGN (elem));
  tree element = build2_loc (build->loc, MEM_REF, elem, address,
                             fold_convert (alias, offset));
  tns_gcc_quiet (element);
  return element;
}

tree
tns_build_element_at (tns_build *build, const tns_sym *sym, tree *subscript,
                      tns_type type)
{
  if (is_variable (build, sym))
    return build->decl[sym->id];
  tree base = element_0 (build, sym);
  tree offset = byte_offset (build, sym, subscript);
  if (TREE_CODE (offset) == INTEGER_CST)
    return element_behind (build, sym, base, offset, type);
  return element_behind (build, sym, fold_build_pointer_plus (base, offset),
                         size_zero_node, type);
}

/* The element of SYM at ARG stands *OFFSET bytes behind *ADDRESS, which other
   accesses share.  */
static bool
find_place (tns_build *build, const tns_sym *sym, tns_expr *const *arg,
            tree *address, HOST_WIDE_INT *offset)
{
  if (is_variable (build, sym))
    return false;
  HOST_WIDE_INT member = 0;
  *address = POINTER_TYPE_P (TREE_TYPE (build->decl[sym->id]))
               ? tns_build_record (build, sym, &member)
               : element_0 (build, sym);
  if (!tns_build_place (build, sym, arg, address, offset))
    return false;
  *offset += member;
  return true;
}

/* The subscripts of an access, the last one moved on by LANE.  */
static void
build_subscripts (tns_build *build, const tns_sym *sym, tns_expr *const *arg,
                  int lane, tree *subscript)
{
  tree type = tns_build_type (tns_scalar (TNS_I64));
  for (int k = 0; k < sym->rank; k++)
    subscript[k] = tns_build_expr (build, arg[k]);
  if (lane > 0 && sym->rank > 0)
    subscript[sym->rank - 1] = fold_build2 (
      PLUS_EXPR, type, subscript[sym->rank - 1], build_int_cst (type, lane));
}

tree
tns_build_element (tns_build *build, const tns_sym *sym, tns_expr *const *arg,
                   tns_type type, int lane)
{
  HOST_WIDE_INT offset;
  tree address;
  if (lane == 0 && find_place (build, sym, arg, &address, &offset))
    return element_behind (build, sym, address, size_int (offset), type);
  tree *subscript = TNS_NEW_ARRAY (build->ctx->arena, tree, sym->rank + 1);
  build_subscripts (build, sym, arg, lane, subscript);
  return tns_build_element_at (build, sym, subscript, type);
}

tree
tns_build_address (tns_build *build, const tns_sym *sym, tns_expr *const *arg)
{
  tree *subscript = TNS_NEW_ARRAY (build->ctx->arena, tree, sym->rank + 1);
  if (is_variable (build, sym))
    {
      TREE_ADDRESSABLE (build->decl[sym->id]) = 1;
      return build_fold_addr_expr (build->decl[sym->id]);
    }
  HOST_WIDE_INT offset;
  tree address;
  if (find_place (build, sym, arg, &address, &offset))
    return fold_build_pointer_plus_hwi (address, offset);
  build_subscripts (build, sym, arg, 0, subscript);
  return fold_build_pointer_plus (element_0 (build, sym),
                                  byte_offset (build, sym, subscript));
}

tree
tns_build_once (tree value)
{
  if (CONSTANT_CLASS_P (value) || DECL_P (value)
      || TREE_CODE (value) == SAVE_EXPR)
    return value;
  tree once = build1 (SAVE_EXPR, TREE_TYPE (value), value);
  TREE_SIDE_EFFECTS (once) = 1;
  return once;
}

tree
tns_build_extract (tree value, int lane)
{
  tree elem = TREE_TYPE (TREE_TYPE (value));
  tree bits = TYPE_SIZE (elem);
  tree at = bitsize_int (lane * tree_to_shwi (bits));
  return build3 (BIT_FIELD_REF, elem, value, bits, at);
}
