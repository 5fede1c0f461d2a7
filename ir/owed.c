/* Sums taken from an element, as ir/owed.h says.

   In a block stand, in this order, beside other nodes,

     a LOCAL cell
     what sets it to 0
     what only adds to it, in loops
     one node that reads it, always as element - cell: a store, which may be
       an update of the element, or two under opposite conditions

   and nothing else names the cell, and nothing between writes the element's
   array or what its subscripts read.  Where one iterator is said to be equal to
   another, elements may be the same by that.  The terms read the array that is
   stored to: products of other arrays gain nothing.

   Does not do: cells that are seen behind the block.  */

#include "ir/owed.h"

#include "ir/walk.h"

/* sum      the cell
   from     the element that it is taken from; NULL: not met yet
   target   the array that is stored to
   a, b     iterators that are equal where is looked, or NULL
   fits     nothing is in the way  */
typedef struct owed
{
  tns_arena *arena;
  tns_sym *sum;
  tns_expr *from;
  const tns_sym *target;
  tns_sym *a;
  tns_sym *b;
  bool fits;
} owed;

/* NODE does nothing with SUM but to add to it; *SOME: it does.  */
static bool
only_adds (const tns_node *node, const tns_sym *sum, bool *some)
{
  if (!node || !tns_node_mentions ((tns_node *) node, sum))
    return true;
  bool right = node->kind == TNS_BLOCK || node->kind == TNS_ASSIGN;
  if (node->kind == TNS_LOOP)
    right = !tns_expr_mentions (node->lo, sum)
            && !tns_expr_mentions (node->hi, sum)
            && only_adds (node->body, sum, some);
  if (node->kind == TNS_ASSIGN)
    {
      right = node->target->sym == sum && node->update == TNS_ADD && !node->mask
              && !tns_expr_mentions (node->value, sum);
      *some |= right;
    }
  for (int k = 0; k < node->n_kids; k++)
    right = right && only_adds (node->kid[k], sum, some);
  return right;
}

/* X is the element that the sum of O is taken from, where A is B.  */
static bool
is_from (const owed *o, tns_expr *x)
{
  if (tns_expr_equal (x, o->from))
    return true;
  tns_sym *a = o->a;
  tns_expr *b = a ? tns_value (o->arena, o->b) : NULL;
  return a
         && tns_expr_equal (tns_expr_substitute (o->arena, x, 1, &a, &b),
                            tns_expr_substitute (o->arena, o->from, 1, &a, &b));
}

/* Let A and B of O be what COND says is equal.  */
static void
note_equal (owed *o, const tns_expr *cond)
{
  bool is_known = cond->op == TNS_EQ && cond->arg[0]->op == TNS_SYM
                  && cond->arg[1]->op == TNS_SYM;
  o->a = is_known ? cond->arg[0]->sym : NULL;
  o->b = is_known ? cond->arg[1]->sym : NULL;
}

/* EXPR reads the sum of O.  */
static bool
is_sum (const owed *o, const tns_expr *expr)
{
  return expr->op == TNS_LOAD && expr->sym == o->sum;
}

/* NODE takes the sum of O from the element that it updates.  */
static bool
is_update (const owed *o, const tns_node *node)
{
  return node->kind == TNS_ASSIGN && node->update == TNS_ADD
         && node->target->sym->rank > 0 && node->value->op == TNS_NEG
         && is_sum (o, node->value->arg[0]);
}

/* Note that the sum of O is taken from X.  */
static void
note_from (owed *o, tns_expr *x)
{
  o->from = o->from ? o->from : x;
  o->fits = o->fits && is_from (o, x);
}

/* Whether EXPR takes the sum of O from its element in any case.  */
static bool
takes (owed *o, tns_expr *expr)
{
  if (!tns_expr_mentions (expr, o->sum))
    return false;
  if (expr->op == TNS_SUB && expr->arg[0]->op == TNS_LOAD
      && expr->arg[0]->sym->rank > 0 && is_sum (o, expr->arg[1])
      && !tns_expr_mentions (expr->arg[0], o->sum))
    {
      note_from (o, expr->arg[0]);
      return true;
    }
  if (expr->op == TNS_SELECT)
    {
      bool other = takes (o, expr->arg[2]);
      o->fits = o->fits && !o->a && !tns_expr_mentions (expr->arg[0], o->sum);
      note_equal (o, expr->arg[0]);
      bool one = takes (o, expr->arg[1]);
      o->a = NULL;
      return one && other;
    }
  bool some = false;
  o->fits = o->fits && expr->n_args > 0 && expr->op != TNS_LAND
            && expr->op != TNS_LOR;
  for (int k = 0; k < expr->n_args; k++)
    some |= takes (o, expr->arg[k]);
  return some;
}

/* Whether NODE is a store that takes the sum of O from its element.  */
static bool
store_takes (owed *o, const tns_node *node)
{
  if (node->kind != TNS_ASSIGN || node->mask
      || tns_expr_mentions (node->target, o->sum))
    return false;
  o->target = node->target->sym;
  if (is_update (o, node))
    note_from (o, node->target);
  else if (!takes (o, node->value))
    return false;
  return o->fits;
}

/* The same, or two of them under opposite conditions.  */
static bool
node_takes (owed *o, const tns_node *node)
{
  if (node->kind != TNS_IF)
    return store_takes (o, node);
  if (!node->otherwise || tns_expr_mentions (node->cond, o->sum)
      || !store_takes (o, tns_node_bare (node->otherwise)))
    return false;
  note_equal (o, node->cond);
  bool both = store_takes (o, tns_node_bare (node->then));
  o->a = NULL;
  return both;
}

/* NODE writes, or declares, what the element of O is named by.  */
static bool
changes_element (const owed *o, const tns_node *node)
{
  const tns_expr *from = o->from;
  if (tns_node_writes ((tns_node *) node, from->sym))
    return true;
  for (int k = 0; k < from->n_args; k++)
    if (tns_expr_loads (from->arg[k]))
      return true;
  return false;
}

/* NODE sets the sum of O to 0.  */
static bool
is_begin (const owed *o, const tns_node *node)
{
  return node->kind == TNS_ASSIGN && node->target->sym == o->sum
         && node->update == TNS_NONE && !node->mask
         && ((node->value->op == TNS_REAL && node->value->real == 0)
             || (node->value->op == TNS_INT && node->value->integer == 0));
}

/* Where the nodes of O's sum stand in BLOCK, behind kid AT, which declares it:
   *FIRST sets it, *LAST reads it.  False where it is none.  */
static bool
find_sum (owed *o, const tns_node *block, int at, int *first, int *last)
{
  bool adds = false;
  int k = at + 1;
  while (k < block->n_kids && !tns_node_mentions (block->kid[k], o->sum))
    k++;
  *first = k;
  if (k == block->n_kids || !is_begin (o, block->kid[k]))
    return false;
  for (k++; k < block->n_kids && only_adds (block->kid[k], o->sum, &adds);)
    k++;
  *last = k;
  if (!adds || k == block->n_kids || !node_takes (o, block->kid[k]))
    return false;
  bool meets = false;
  for (k = *first; k < *last; k++)
    {
      if (changes_element (o, block->kid[k]))
        return false;
      meets |= tns_node_mentions (block->kid[k], o->target);
    }
  for (k = *last + 1; k < block->n_kids; k++)
    if (tns_node_mentions (block->kid[k], o->sum))
      return false;
  return meets;
}

/* The changer of nodes: what was added is taken away.  */
static tns_node *
negate (tns_node *node, void *self)
{
  const owed *o = self;
  if (node->kind != TNS_ASSIGN || node->target->sym != o->sum)
    return node;
  tns_node *made = tns_node_copy (o->arena, node);
  made->value = tns_unary (o->arena, TNS_NEG, node->value);
  return made;
}

/* The changer of nodes: an update stores what was left.  */
static tns_node *
store_rest (tns_node *node, void *self)
{
  const owed *o = self;
  if (!is_update (o, node))
    return node;
  tns_node *made = tns_node_copy (o->arena, node);
  made->update = TNS_NONE;
  made->value = node->value->arg[0];
  return made;
}

/* The changer of parts of expressions: the sum is what was left.  */
static tns_expr *
leave (tns_expr *expr, void *self)
{
  const owed *o = self;
  return expr->op == TNS_SUB && is_sum (o, expr->arg[1]) ? expr->arg[1] : expr;
}

/* The same of whole expressions.  */
static tns_expr *
leave_in (tns_expr *expr, void *self)
{
  const owed *o = self;
  return tns_expr_rebuild (o->arena, expr, leave, self);
}

/* BLOCK with the sum of O, whose nodes are FIRST to LAST.  */
static tns_node *
begin_with (owed *o, const tns_node *block, int first, int last)
{
  tns_node *made = tns_block (o->arena, block->loc);
  for (int k = 0; k < block->n_kids; k++)
    {
      tns_node *kid = block->kid[k];
      if (k == first)
        {
          kid = tns_node_copy (o->arena, kid);
          kid->value = o->from;
        }
      else if (k > first && k < last)
        kid = tns_node_rebuild (o->arena, kid, negate, NULL, o);
      else if (k == last)
        kid = tns_node_rebuild (o->arena, kid, store_rest, leave_in, o);
      tns_block_add (o->arena, made, kid);
    }
  return made;
}

tns_node *
tns_block_begin_sums (tns_ctx *ctx, tns_node *block)
{
  for (int k = 0; k < block->n_kids; k++)
    {
      int first;
      int last;
      tns_node *kid = block->kid[k];
      if (kid->kind != TNS_LOCAL || kid->sym->rank > 0
          || !tns_elem_is_float (kid->sym->type.elem))
        continue;
      owed o = { .arena = ctx->arena, .sum = kid->sym, .fits = true };
      if (find_sum (&o, block, k, &first, &last))
        block = begin_with (&o, block, first, last);
    }
  return block;
}
