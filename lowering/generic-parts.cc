/* The first lanes of a vector in parts.

     y[j..j+16) where lane < count = v    if (count & 8)  { y[j..j+8) = ...; }
                                          if (count & 4)  { ...4 elements }
                                          if (count & 2)  { ...2 }
                                          if (count & 1)  { ...1 }

   and a load in the same way, with zeros behind.  A load waits until a store
   under a mask that may overlap it has left for the cache, also where all lanes
   that they have in common are false: in rows that are changed in place the
   tail of one row keeps the next row waiting, and one loop over a short row the
   next loop.  A load finds what a store of the same part has just written.

   Done for arrays that tails inside some loop both read and write, at few
   places: a tile of many rows would become long.  */

#include "lowering/build.hh"

extern "C"
{
#include "ir/walk.h"
}

#define MOST_DEPTH  24
#define MOST_TAILS  8
#define LEAST_BYTES 4
#define WORD_BYTES  8

/* Tails of the loops LOOP[0..N), the outermost first.  */
typedef struct counter
{
  int n;
  const tns_node *loop[MOST_DEPTH];
  int *loads;
  int *stores;
} counter;

/* Whether MASK is of first lanes, the same in each iteration of some loop
   around.  */
static bool
is_repeated_tail (const counter *c, const tns_expr *mask)
{
  if (mask->op != TNS_LT || mask->arg[0]->op != TNS_IOTA
      || mask->arg[1]->op != TNS_SPLAT)
    return false;
  for (int k = 0; k < c->n; k++)
    if (!tns_expr_mentions (mask->arg[0], c->loop[k]->iter))
      return true;
  return false;
}

/* Count EXPR, when it is a load of a tail.  */
static bool
count_load (tns_expr *expr, void *self)
{
  counter *c = (counter *) self;
  if (expr->op == TNS_MASKED
      && is_repeated_tail (c, expr->arg[expr->sym->rank]))
    c->loads[expr->sym->id]++;
  return true;
}

/* Count the tails below NODE.  */
static void
count_tails (counter *c, const tns_node *node)
{
  if (!node)
    return;
  bool is_loop = node->kind == TNS_LOOP && c->n < MOST_DEPTH;
  if (is_loop)
    c->loop[c->n++] = node;
  tns_expr_walk (node->value, count_load, c);
  if (node->kind == TNS_ASSIGN && node->mask && node->target->type.lanes > 1
      && is_repeated_tail (c, node->mask))
    c->stores[node->target->sym->id]++;
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    count_tails (c, node->kid[k]);
  if (node->kind == TNS_LOOP)
    count_tails (c, node->body);
  if (node->kind == TNS_IF)
    {
      count_tails (c, node->then);
      count_tails (c, node->otherwise);
    }
  c->n -= is_loop;
}

void
tns_build_find_parts (tns_build *build)
{
  tns_arena *arena = build->ctx->arena;
  int n = build->region->n_syms;
  counter c = {
    0, {}, TNS_NEW_ARRAY (arena, int, n + 1), TNS_NEW_ARRAY (arena, int, n + 1)
  };
  build->in_parts = TNS_NEW_ARRAY (arena, bool, n + 1);
  count_tails (&c, build->region->body);
  for (int k = 0; k < n; k++)
    build->in_parts[k]
      = c.loads[k] > 0 && c.stores[k] > 0
        && c.loads[k] + c.stores[k] <= MOST_TAILS
        && tns_elem_bytes (build->region->syms[k]->type.elem) >= LEAST_BYTES;
}

/* What a part of BYTES bytes is: words, or half a word.  */
static tree
part_type (int bytes)
{
  if (bytes <= WORD_BYTES)
    return build_nonstandard_integer_type (bytes * BITS_PER_UNIT, 1);
  return build_vector_type (part_type (WORD_BYTES), bytes / WORD_BYTES);
}

/* Whether the target has such parts for vectors of TYPE.  */
static bool
has_parts (tree type)
{
  return VECTOR_MODE_P (TYPE_MODE (type))
         && VECTOR_MODE_P (
           TYPE_MODE (part_type ((int) int_size_in_bytes (type))));
}

/* Whether COUNT has the bit of N elements.  */
static tree
has_bit (tree count, int n)
{
  tree type = TREE_TYPE (count);
  tree bit = fold_build2 (BIT_AND_EXPR, type, count, build_int_cst (type, n));
  return fold_build2 (NE_EXPR, boolean_type_node, bit, build_zero_cst (type));
}

/* The part of N elements, BYTES bytes, of the COUNT elements of SYM from
   ADDRESS on: behind the larger ones.  */
static tree
part_at (tns_build *build, const tns_sym *sym, tree address, tree count, int n,
         int bytes)
{
  tree type = TREE_TYPE (count);
  tree before = fold_build2 (BIT_AND_EXPR, type, count,
                             build_int_cst (type, -2 * (HOST_WIDE_INT) n));
  tree offset = fold_build2 (
    MULT_EXPR, sizetype, fold_convert (sizetype, before), size_int (bytes / n));
  tree part
    = build_aligned_type (part_type (bytes), TYPE_ALIGN (build->elem[sym->id]));
  return build2 (MEM_REF, part, fold_build_pointer_plus (address, offset),
                 tns_build_alias (build, sym));
}

/* A and, behind it, B: parts of BYTES bytes as one.  */
static tree
joined (tree a, tree b, int bytes)
{
  vec<constructor_elt, va_gc> *list = NULL;
  CONSTRUCTOR_APPEND_ELT (list, NULL_TREE, a);
  CONSTRUCTOR_APPEND_ELT (list, NULL_TREE, b);
  return build_constructor (part_type (2 * bytes), list);
}

/* The elements below the part of N, BYTES bytes, are LESS; with that part.  */
static tree
with_part (tns_build *build, const tns_sym *sym, tree address, tree count,
           int n, int bytes, tree less)
{
  tree type = part_type (bytes);
  tree part
    = fold_convert (type, part_at (build, sym, address, count, n, bytes));
  if (bytes < WORD_BYTES)
    return build3 (COND_EXPR, part_type (WORD_BYTES), has_bit (count, n),
                   fold_convert (part_type (WORD_BYTES), part),
                   build_zero_cst (part_type (WORD_BYTES)));
  tree value = tns_build_once (less);
  tree chosen = build3 (COND_EXPR, part_type (2 * bytes), has_bit (count, n),
                        joined (part, value, bytes),
                        joined (value, build_zero_cst (type), bytes));
  return build2 (COMPOUND_EXPR, TREE_TYPE (chosen), value, chosen);
}

/* COUNT, not less than 0, evaluated once.  */
static tree
count_once (tree count)
{
  tree type = TREE_TYPE (count);
  return tns_build_once (
    fold_build2 (MAX_EXPR, type, count, build_zero_cst (type)));
}

/* Whether COUNT is at least LANES.  */
static tree
is_all (tree count, int lanes)
{
  return fold_build2 (GE_EXPR, boolean_type_node, count,
                      build_int_cst (TREE_TYPE (count), lanes));
}

tree
tns_build_load_parts (tns_build *build, const tns_expr *expr)
{
  const tns_sym *sym = expr->sym;
  tree type = tns_build_type (expr->type);
  tree first = build->in_parts[sym->id] && has_parts (type)
                 ? tns_build_first_lanes (build, expr->arg[sym->rank])
                 : NULL_TREE;
  if (!first)
    return NULL_TREE;
  int size = (int) int_size_in_bytes (type);
  tree count = count_once (first);
  tree address = tns_build_once (tns_build_address (build, sym, expr->arg));
  tree value = build_zero_cst (part_type (WORD_BYTES));
  int bytes = tns_elem_bytes (expr->type.elem);
  for (int n = 1; bytes < size; n *= 2, bytes *= 2)
    value = with_part (build, sym, address, count, n, bytes, value);
  tree all = build_aligned_type (type, TYPE_ALIGN (build->elem[sym->id]));
  tree whole = build2 (MEM_REF, all, address, tns_build_alias (build, sym));
  tree chosen = build3 (COND_EXPR, type, is_all (count, expr->type.lanes),
                        fold_convert (type, whole),
                        build1 (VIEW_CONVERT_EXPR, type, value));
  return build2 (COMPOUND_EXPR, type,
                 build2 (COMPOUND_EXPR, TREE_TYPE (address), count, address),
                 chosen);
}

/* The half of VALUE, BYTES bytes, that comes first, or the other one.  */
static tree
half_of (tree value, int bytes, bool first)
{
  tree type = part_type (bytes);
  int bits = bytes * BITS_PER_UNIT;
  if (VECTOR_TYPE_P (TREE_TYPE (value)))
    return build3 (BIT_FIELD_REF, type, value, bitsize_int (bits),
                   bitsize_int (first ? 0 : bits));
  if (!first)
    value = build2 (RSHIFT_EXPR, TREE_TYPE (value), value,
                    build_int_cst (integer_type_node, bits));
  return fold_convert (type, value);
}

/* Append to *LIST the stores of the parts of VALUE, SIZE bytes, below the
   whole; the variables go in front of *VARIABLES.  */
static void
store_below (tns_build *build, const tns_expr *target, tree value, int size,
             tree address, tree count, tree *variables, tree *list)
{
  int bytes = size / 2;
  int element = tns_elem_bytes (target->type.elem);
  for (; bytes >= element; bytes /= 2)
    {
      int n = bytes / element;
      tree part = part_at (build, target->sym, address, count, n, bytes);
      tree rest = tns_build_variable (build, "part", part_type (bytes));
      DECL_CHAIN (rest) = *variables;
      *variables = rest;
      tree then = NULL_TREE;
      append_to_statement_list (
        tns_build_set (build, part, half_of (value, bytes, true)), &then);
      append_to_statement_list (
        tns_build_set (build, rest, half_of (value, bytes, false)), &then);
      tree otherwise
        = tns_build_set (build, rest, half_of (value, bytes, true));
      append_to_statement_list (
        tns_build_if (build, has_bit (count, n), then, otherwise), list);
      value = rest;
    }
}

tree
tns_build_store_parts (tns_build *build, const tns_expr *target, tree value,
                       const tns_expr *mask)
{
  const tns_sym *sym = target->sym;
  tree type = tns_build_type (target->type);
  tree first = build->in_parts[sym->id] && has_parts (type)
                 ? tns_build_first_lanes (build, mask)
                 : NULL_TREE;
  if (!first)
    return NULL_TREE;
  int size = (int) int_size_in_bytes (type);
  tree kept = tns_build_variable (build, "lanes", part_type (size));
  tree count = tns_build_variable (build, "count", TREE_TYPE (first));
  tree address = tns_build_address (build, sym, target->arg);
  tree start = tns_build_variable (build, "start", TREE_TYPE (address));
  DECL_CHAIN (start) = count;
  DECL_CHAIN (count) = kept;
  tree variables = start;
  tree list = NULL_TREE;
  tree below = NULL_TREE;
  append_to_statement_list (tns_build_set (build, kept, value), &list);
  append_to_statement_list (tns_build_set (build, count, count_once (first)),
                            &list);
  append_to_statement_list (tns_build_set (build, start, address), &list);
  store_below (build, target, kept, size, start, count, &variables, &below);
  tree all
    = build_aligned_type (part_type (size), TYPE_ALIGN (build->elem[sym->id]));
  tree whole = build2 (MEM_REF, all, start, tns_build_alias (build, sym));
  append_to_statement_list (
    tns_build_if (build, is_all (count, target->type.lanes),
                  tns_build_set (build, whole, kept), below),
    &list);
  return tns_build_scope (variables, list);
}
