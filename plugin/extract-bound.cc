/* Bounds of loops: what holds at the entry, and what is loaded.

     for (j = row[i]; j < row[i + 1]; j++)      j = row[i]
       s += a[j];                         ->    for j' = row[i] to row[i + 1]
                                                  s += a[j']

   C asks for the bound before each iteration, the region when the loop begins.
   Both are one where nothing in the loop stores to what the bound reads; what
   overlaps it is checked at run time, like all else that is read.  The stages
   behind this take such a loop for one statement: around it must be another
   one.  */

#include "plugin/reader.hh"

extern "C"
{
#include "ir/walk.h"
}

bool
tns_guard_at_entry (tns_reader *reader, tns_op op, tns_expr *a, tns_expr *b)
{
  long long k, l;
  if (tns_expr_is_int (a, &k) && tns_expr_is_int (b, &l))
    return op == TNS_GE ? k >= l : op == TNS_LE ? k <= l : k < l;
  if (!tns_is_over_values (a) || !tns_is_over_values (b))
    return false;
  tns_region_add_guard (reader->arena, reader->region,
                        tns_binary (reader->arena, op, a, b));
  return true;
}

void
tns_note_upper (tns_reader *reader, const tns_sym *iter, tns_expr *lo,
                tns_expr *end)
{
  if (tns_elem_is_unsigned (reader->c_type[iter->id]) && tns_is_pure (lo)
      && tns_is_pure (end))
    reader->range[iter->id].upper
      = tns_binary (reader->arena, TNS_MAX, lo, end);
}

tns_expr *
tns_just_stored (const tns_reader *reader, tns_expr *load)
{
  const tns_node *block = reader->block;
  const tns_node *last = block->n_kids ? block->kid[block->n_kids - 1] : NULL;
  bool is_stored = load && last && last->kind == TNS_ASSIGN
                   && last->update == TNS_NONE && !last->mask
                   && tns_expr_equal (last->target, load)
                   && !tns_expr_mentions (last->value, load->sym);
  return is_stored ? last->value : load;
}

bool
tns_may_be_bound (const tns_reader *reader, const tns_expr *bound, tree cond)
{
  bool is_inner = reader->n_loops > 0;
  return tns_is_pure (bound)
         || (bound && is_inner && cond && !TREE_SIDE_EFFECTS (cond));
}

tns_expr *
tns_unsigned_bound (tns_reader *reader, bool up, tns_expr *lo, tns_expr *hi)
{
  tns_arena *arena = reader->arena;
  tns_type u64 = tns_scalar (TNS_U64);
  tns_expr *runs
    = tns_binary (arena, up ? TNS_LT : TNS_GT, tns_cast (arena, u64, lo),
                  tns_cast (arena, u64, hi));
  return tns_ternary (arena, TNS_SELECT, runs, hi, lo);
}

/* The visitor of tns_bounds_stay: SELF is the loop, NULL once something
   changes its bounds.  */
static bool
visit_store (tns_node *node, void *self)
{
  const tns_node **loop = (const tns_node **) self;
  if (*loop && node->kind == TNS_ASSIGN
      && (tns_expr_mentions ((*loop)->lo, node->target->sym)
          || tns_expr_mentions ((*loop)->hi, node->target->sym)))
    *loop = NULL;
  return *loop != NULL;
}

bool
tns_bounds_stay (const tns_node *loop)
{
  const tns_node *stays = loop;
  tns_node_walk (loop->body, visit_store, &stays);
  return stays != NULL;
}
