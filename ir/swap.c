/* Swaps, as ir/swap.h says.

   With min (x, y) for y < x ? y : x and max (x, y) for y > x ? y : x, which is
   what the IR means by them, both values are those of the IF, whatever is no
   number.  What is stored in any case is LOCAL: nobody sees it, and it may be
   written.  The exchange keeps its block: t may be declared in another one,
   too.  */

#include "ir/swap.h"

#include "ir/walk.h"

/* NODE sets an element or cell that is LOCAL, by subscripts that load
   nothing.  */
static bool
is_set (const tns_node *node)
{
  bool right = node->kind == TNS_ASSIGN && node->update == TNS_NONE
               && !node->mask && node->target->type.lanes == 1
               && tns_sym_is_local (node->target->sym);
  for (int k = 0; right && k < node->target->n_args; k++)
    right = !tns_expr_loads (node->target->arg[k]);
  return right;
}

/* BLOCK is  local t; t = x; x = y; y = t;  */
static bool
is_exchange (const tns_node *block)
{
  if (block->kind != TNS_BLOCK || block->n_kids != 4
      || block->kid[0]->kind != TNS_LOCAL || block->kid[0]->sym->rank > 0)
    return false;
  const tns_node *const *set = (const tns_node *const *) &block->kid[1];
  if (!is_set (set[0]) || !is_set (set[1]) || !is_set (set[2]))
    return false;
  const tns_expr *t = set[0]->target, *x = set[1]->target;
  const tns_expr *y = set[2]->target;
  return t->sym == block->kid[0]->sym && tns_expr_equal (set[0]->value, x)
         && tns_expr_equal (set[1]->value, y)
         && tns_expr_equal (set[2]->value, t);
}

/* MIN or MAX of X and Y that X becomes where COND asks for their exchange; NONE
   where it asks for something else.  */
static tns_op
extreme_of (const tns_expr *cond, const tns_expr *x, const tns_expr *y)
{
  bool less = cond->op == TNS_LT || cond->op == TNS_LE;
  bool strict = cond->op == TNS_LT || cond->op == TNS_GT;
  bool same = tns_elem_is_integer (x->type.elem);
  if (!(less || cond->op == TNS_GT || cond->op == TNS_GE) || !(strict || same))
    return TNS_NONE;
  if (tns_expr_equal (cond->arg[0], y) && tns_expr_equal (cond->arg[1], x))
    return less ? TNS_MIN : TNS_MAX;
  if (tns_expr_equal (cond->arg[0], x) && tns_expr_equal (cond->arg[1], y))
    return less ? TNS_MAX : TNS_MIN;
  return TNS_NONE;
}

tns_node *
tns_node_unasked_swap (tns_arena *arena, const tns_node *node)
{
  if (node->kind != TNS_IF || node->otherwise || !is_exchange (node->then))
    return NULL;
  const tns_node *then = node->then;
  tns_node *first = tns_node_copy (arena, then->kid[2]);
  tns_node *second = tns_node_copy (arena, then->kid[3]);
  tns_op op = extreme_of (node->cond, first->target, second->target);
  if (op == TNS_NONE)
    return NULL;
  first->value = tns_binary (arena, op, first->target, second->target);
  second->value = tns_binary (arena, op == TNS_MIN ? TNS_MAX : TNS_MIN,
                              second->target, second->value);
  tns_node *made = tns_block (arena, node->loc);
  tns_block_add (arena, made, then->kid[0]);
  tns_block_add (arena, made, then->kid[1]);
  tns_block_add (arena, made, first);
  tns_block_add (arena, made, second);
  tns_node *own = tns_block (arena, node->loc);
  tns_block_add (arena, own, made);
  return own;
}
