/* Elements gathered by the target's instruction.

     gather (b[i64 (at[i])], m)    the lanes of m alone are read, others are 0
     gather (b[mod (i, 8)])        subscripts that lie in a register

   Lane by lane each of them would be asked for its own condition, which a
   machine foresees badly; subscripts that are computed would be taken out of
   their vector again.  Where all lanes are read, by subscripts that memory
   holds, reading them one by one takes no longer.

   Does not do: subscripts but the last that differ between the lanes.  */

#include "lowering/build.hh"

extern "C"
{
#include "ir/range.h"
#include "ir/walk.h"
}

/* A gather of LANES elements of BYTES bytes, floating numbers or IS_INT, by
   subscripts of INDEX_BYTES bytes.  */
typedef struct gather_form
{
  int lanes;
  int bytes;
  bool is_int;
  int index_bytes;
  const char *name;
} gather_form;

static const gather_form forms[] = {
  { 16, 4, false, 4, "siv16sf" }, { 16, 4, true, 4, "siv16si" },
  { 8, 4, false, 4, "3siv8sf" },  { 8, 4, true, 4, "3siv8si" },
  { 8, 4, false, 8, "div16sf" },  { 8, 4, true, 8, "div16si" },
  { 8, 8, false, 4, "siv8df" },   { 8, 8, true, 4, "siv8di" },
  { 8, 8, false, 8, "div8df" },   { 8, 8, true, 8, "div8di" },
  { 4, 8, false, 4, "3siv4df" },  { 4, 8, true, 4, "3siv4di" },
};

/* The target's function for EXPR's lanes by subscripts of ELEM; NULL_TREE
   where it has none.  */
static tree
gather_function (const tns_expr *expr, tns_elem elem)
{
#if defined TARGET_AVX512F && defined TARGET_AVX512VL
  tns_elem wanted = expr->type.elem;
  char name[48];
  if (!TARGET_AVX512F || !TARGET_AVX512VL || wanted == TNS_BOOL)
    return NULL_TREE;
  for (const gather_form &form : forms)
    if (form.lanes == expr->type.lanes && form.bytes == tns_elem_bytes (wanted)
        && form.is_int == tns_elem_is_integer (wanted)
        && form.index_bytes == tns_elem_bytes (elem))
      {
        snprintf (name, sizeof name, "__builtin_ia32_gather%s", form.name);
        return tns_build_target_function (name);
      }
#else
  (void) expr;
  (void) elem;
#endif
  return NULL_TREE;
}

/* EXPR, I64, in the lowest 32 bits alone, which sums and products need no
   others for; NULL where it is something else.  */
static tns_expr *
low_half (tns_arena *arena, tns_expr *expr)
{
  tns_type type = { TNS_U32, expr->type.lanes };
  switch (expr->op)
    {
    case TNS_CAST:
      return tns_elem_bytes (expr->arg[0]->type.elem) <= 4
                 && tns_elem_is_integer (expr->arg[0]->type.elem)
               ? tns_cast (arena, type, expr->arg[0])
               : NULL;
    case TNS_ADD:
    case TNS_SUB:
    case TNS_MUL:
      {
        tns_expr *a = low_half (arena, expr->arg[0]);
        tns_expr *b = low_half (arena, expr->arg[1]);
        return a && b ? tns_binary (arena, expr->op, a, b) : NULL;
      }
    case TNS_SPLAT:
      {
        tns_expr *one = tns_cast (arena, tns_scalar (TNS_U32), expr->arg[0]);
        return tns_make (arena, TNS_SPLAT, type, NULL, 1, &one);
      }
    default:
      return NULL;
    }
}

/* EXPR, I64, without what it adds to all lanes, a constant, in *FIRST.  */
static tns_expr *
without_constant (tns_expr *expr, long long *first)
{
  *first = 0;
  for (int k = 0; expr->op == TNS_ADD && k < 2; k++)
    if (expr->arg[k]->op == TNS_SPLAT
        && tns_expr_is_int (expr->arg[k]->arg[0], first))
      return expr->arg[!k];
  return expr;
}

/* The subscript of EXPR without a conversion that the instruction does; in 32
   bits where it is an int in the program, from the element *FIRST on.  */
static const tns_expr *
short_subscript (tns_build *build, const tns_expr *expr, long long *first)
{
  tns_arena *arena = build->ctx->arena;
  tns_expr *index = expr->arg[expr->sym->rank - 1];
  *first = 0;
  if (index->op == TNS_CAST && index->arg[0]->type.elem == TNS_I32)
    return index->arg[0];
  if (index->op == TNS_CAST && index->arg[0]->type.elem == TNS_U32
      && tns_range_within (tns_range_of (NULL, index->arg[0]),
                           tns_range_of_elem (TNS_I32)))
    return tns_cast (arena, (tns_type){ TNS_I32, index->type.lanes },
                     index->arg[0]);
  if (!(expr->sym->flags & TNS_SYM_INT) || expr->sym->rank != 1
      || index->type.lanes == 1)
    return index;
  tns_expr *low = low_half (arena, without_constant (index, first));
  *first = low ? *first : 0;
  return low ? tns_cast (arena, (tns_type){ TNS_I32, low->type.lanes }, low)
             : index;
}

/* The address of EXPR's element of subscript FIRST behind the others; NULL_TREE
   where these differ between the lanes.  */
static tree
row_address (tns_build *build, const tns_expr *expr, long long first)
{
  const tns_sym *sym = expr->sym;
  tree *subscript = TNS_NEW_ARRAY (build->ctx->arena, tree, sym->rank);
  for (int k = 0; k < sym->rank - 1; k++)
    {
      if (expr->arg[k]->type.lanes > 1)
        return NULL_TREE;
      subscript[k] = tns_build_expr (build, expr->arg[k]);
    }
  subscript[sym->rank - 1]
    = build_int_cst (tns_build_type (tns_scalar (TNS_I64)), first);
  return build_fold_addr_expr (
    tns_build_element_at (build, sym, subscript, tns_scalar (expr->type.elem)));
}

/* MASK, of one bit a lane, as a number; NULL_TREE where it is none such.  */
static tree
mask_bits (tree mask)
{
  scalar_int_mode mode;
  if (!is_a<scalar_int_mode> (TYPE_MODE (TREE_TYPE (mask)), &mode))
    return NULL_TREE;
  tree bits = build_nonstandard_integer_type (GET_MODE_BITSIZE (mode), 1);
  return build1 (VIEW_CONVERT_EXPR, bits, mask);
}

/* EXPR, whose lanes all read one element under a mask: once where a lane asks
   for it.  NULL_TREE where they read several.  */
static tree
one_element (tns_build *build, const tns_expr *expr)
{
  const tns_sym *sym = expr->sym;
  tree *subscript = TNS_NEW_ARRAY (build->ctx->arena, tree, sym->rank);
  for (int k = 0; k < sym->rank; k++)
    {
      if (expr->arg[k]->type.lanes > 1)
        return NULL_TREE;
      subscript[k] = tns_build_expr (build, expr->arg[k]);
    }
  tree any = tns_build_any (build, expr->arg[sym->rank]);
  tns_type scalar = tns_scalar (expr->type.elem);
  tree type = tns_build_type (scalar);
  tree element
    = fold_convert (type, tns_build_element_at (build, sym, subscript, scalar));
  return any ? tns_build_splat (
           tns_build_type (expr->type),
           build3 (COND_EXPR, type, any, element, build_zero_cst (type)))
             : NULL_TREE;
}

/* The bits of the lanes of EXPR that are read; NULL_TREE where they are no
   number.  */
static tree
bits_read (tns_build *build, const tns_expr *expr, tree type)
{
  int rank = expr->sym->rank;
  if (expr->n_args == rank)
    return build_int_cst (integer_type_node, -1);
  return mask_bits (tns_build_mask (build, expr->arg[rank], type));
}

tree
tns_build_gather (tns_build *build, const tns_expr *expr)
{
  const tns_sym *sym = expr->sym;
  bool is_masked = expr->n_args > sym->rank;
  if (sym->rank == 0 || !tns_build_is_contiguous (sym)
      || (!is_masked && tns_expr_loads (expr->arg[sym->rank - 1])))
    return NULL_TREE;
  tree one = is_masked ? one_element (build, expr) : NULL_TREE;
  if (one)
    return one;
  long long first;
  const tns_expr *index = short_subscript (build, expr, &first);
  tree type = tns_build_type (expr->type);
  tree fn = index->type.lanes > 1 ? gather_function (expr, index->type.elem)
                                  : NULL_TREE;
  tree address = fn ? row_address (build, expr, first) : NULL_TREE;
  tree mask = address ? bits_read (build, expr, type) : NULL_TREE;
  if (!mask)
    return NULL_TREE;
  tree given[5]
    = { build_zero_cst (type), address, tns_build_expr (build, index), mask,
        build_int_cst (integer_type_node, tns_elem_bytes (expr->type.elem)) };
  return fold_build1 (VIEW_CONVERT_EXPR, type,
                      tns_build_target_call (build, fn, 5, given));
}
