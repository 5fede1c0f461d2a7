/* What a region may write, told to the runtime under check.

     struct trm_span spans[2] = {
       { "y", "f32", y + lo, (hi - lo) * 4, lo, rank, temp, { n, m }, line },
     ... };

   one row for each array or scalar parameter that is not CONST; LINE is that
   of the last statement that stores to it.  */

#include "lowering/site.hh"

extern "C"
{
#include "libtensorrt-mini/abi.h"
}

/* Whether the region may write SYM.  */
static bool
is_written (const tns_sym *sym)
{
  return sym->kind == TNS_SYM_ARRAY && !(sym->flags & TNS_SYM_CONST);
}

/* END is over what is known at the call: no cell of the function.  */
static bool
is_over_values (const tns_expr *end)
{
  bool is_known = !tns_expr_reads (end);
  for (int k = 0; k < end->n_args && is_known; k++)
    is_known = is_over_values (end->arg[k]);
  return is_known;
}

/* The span of SYM; false when it is not known.  */
bool
tns_site_find_span (tns_arena *arena, const tns_region *region,
                    const tns_sym *sym, tns_span *span)
{
  for (int k = 0; k < region->n_spans; k++)
    if (region->spans[k].sym == sym && region->spans[k].lo
        && region->spans[k].hi)
      {
        *span = region->spans[k];
        return true;
      }
  span->sym = (tns_sym *) sym;
  span->lo = tns_int (arena, 0);
  span->hi = tns_int (arena, 1);
  span->written = is_written (sym);
  span->may = span->whole = false;
  return sym->rank == 0;
}

int
tns_site_count_spans (tns_arena *arena, const tns_region *region)
{
  int n = 0;
  for (int k = 0; k < region->n_params; k++)
    if (is_written (region->params[k]))
      {
        tns_span span;
        if (!tns_site_find_span (arena, region, region->params[k], &span)
            || !is_over_values (span.lo) || !is_over_values (span.hi))
          return -1;
        n++;
      }
  return n;
}

/* spans[ROW].NAME, an lvalue.  */
static tree
span_field (tree spans, int row, const char *name)
{
  tree type = TREE_TYPE (TREE_TYPE (spans));
  tree at
    = build4 (ARRAY_REF, type, spans, size_int (row), NULL_TREE, NULL_TREE);
  tree field = tns_struct_field (type, name);
  return build3 (COMPONENT_REF, TREE_TYPE (field), at, field, NULL_TREE);
}

/* spans[ROW].NAME = VALUE.  */
static void
fill_field (tns_build *caller, tree spans, int row, const char *name,
            tree value, tree *list)
{
  tree field = span_field (spans, row, name);
  append_to_statement_list (tns_build_set (caller, field, value), list);
}

/* The elements from the first to behind the last one of the object SYM; -1
   when it is none or its size is not a constant.  */
static HOST_WIDE_INT
object_length (const tns_sym *sym)
{
  long long factor, length = 1;
  if (!(sym->flags & TNS_SYM_OBJECT) || !sym->rank || !sym->extent)
    return -1;
  if (sym->stride)
    return tns_expr_is_int (sym->extent[0], &factor)
               && tns_expr_is_int (sym->stride[0], &length)
             ? factor * length
             : -1;
  for (int k = 0; k < sym->rank; k++)
    {
      if (!sym->extent[k] || !tns_expr_is_int (sym->extent[k], &factor))
        return -1;
      length *= factor;
    }
  return length;
}

/* Memory of SPAN in row ROW: where it begins, how long it is.  What the model
   knows less well than the user lies inside of the object all the same.  */
static void
fill_memory (tns_build *caller, tree spans, int row, const tns_span *span,
             tree *list)
{
  const tns_sym *sym = span->sym;
  tree i64 = long_integer_type_node;
  tree size = TYPE_SIZE_UNIT (caller->elem[sym->id]);
  tree lo = fold_convert (i64, tns_build_expr (caller, span->lo));
  tree hi = fold_convert (i64, tns_build_expr (caller, span->hi));
  HOST_WIDE_INT length = object_length (sym);
  if (length >= 0)
    {
      lo = fold_build2 (MAX_EXPR, i64, lo, build_zero_cst (i64));
      hi = fold_build2 (MIN_EXPR, i64, hi, build_int_cst (i64, length));
    }
  tree bytes
    = fold_build2 (MULT_EXPR, i64, fold_build2 (MINUS_EXPR, i64, hi, lo),
                   fold_convert (i64, size));
  tree offset = fold_build2 (MULT_EXPR, i64, lo, fold_convert (i64, size));
  tree base = fold_build_pointer_plus (
    fold_convert (ptr_type_node, caller->decl[sym->id]), offset);
  fill_field (caller, spans, row, "base", base, list);
  fill_field (caller, spans, row, "bytes", bytes, list);
  fill_field (caller, spans, row, "first", lo, list);
}

/* The shape of SYM in row ROW.  */
static void
fill_shape (tns_build *caller, tree spans, int row, const tns_sym *sym,
            tree *list)
{
  tree i32 = integer_type_node;
  int rank = sym->rank < TRM_MAX_RANK ? sym->rank : TRM_MAX_RANK;
  bool temp = (sym->flags & TNS_SYM_TEMP) != 0;
  fill_field (caller, spans, row, "rank", build_int_cst (i32, rank), list);
  fill_field (caller, spans, row, "temp", build_int_cst (i32, temp), list);
  for (int k = 0; k < rank; k++)
    {
      tree extents = span_field (spans, row, "extent");
      tree type = TREE_TYPE (TREE_TYPE (extents));
      tree at
        = build4 (ARRAY_REF, type, extents, size_int (k), NULL_TREE, NULL_TREE);
      tree extent = sym->extent && sym->extent[k]
                      ? tns_build_expr (caller, sym->extent[k])
                      : build_zero_cst (type);
      append_to_statement_list (tns_build_set (caller, at, extent), list);
    }
}

/* The last line below NODE with a store to SYM; 0 when there is none.  */
static int
last_store (const tns_node *node, const tns_sym *sym)
{
  if (!node)
    return 0;
  int line = node->target && node->target->sym == sym ? node->loc.line : 0;
  const tns_node *part[] = { node->body, node->then, node->otherwise };
  for (int k = 0; k < 3; k++)
    line = MAX (line, last_store (part[k], sym));
  for (int k = 0; k < node->n_kids; k++)
    line = MAX (line, last_store (node->kid[k], sym));
  return line;
}

void
tns_site_fill_spans (tns_build *caller, tree spans, tree *list)
{
  const tns_region *region = caller->region;
  int row = 0;
  for (int k = 0; k < region->n_params; k++)
    {
      const tns_sym *sym = region->params[k];
      tns_span span;
      if (!is_written (sym)
          || !tns_site_find_span (caller->ctx->arena, region, sym, &span))
        continue;
      const char *name = sym->spelled ? sym->spelled : sym->name;
      fill_field (caller, spans, row, "name", tns_string_tree (name), list);
      fill_field (caller, spans, row, "elem",
                  tns_string_tree (tns_elem_name (sym->type.elem)), list);
      fill_memory (caller, spans, row, &span, list);
      fill_shape (caller, spans, row, sym, list);
      fill_field (caller, spans, row, "line",
                  build_int_cst (long_integer_type_node,
                                 last_store (caller->written->body, sym)),
                  list);
      row++;
    }
}
