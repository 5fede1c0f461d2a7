/* Straight lines of updates made short, as ir/join.h says.

   1. forward   a cell that a block declares, that is assigned once there and
                read once, by a later statement of the block, is replaced by
                its value, when nothing in between writes what the value
                reads;
   2. join      s op= a and a later s op= b become s op= (a op b), when
                nothing in between touches s or writes what b reads.

   Joining changes the order of the updates: fp (reassoc) or fast for floating
   numbers.  A sum or product of signed integers must not overflow where the
   user's does not: only values that are far from that are joined.

   It does not look into ifs: what these guard stays as it is.  */

#include "ir/join.h"

#include "ir/walk.h"

/* How often SYM is read in what is visited.  */
typedef struct reader
{
  const tns_sym *sym;
  int n;
} reader;

/* The visitor of count_reads.  */
static bool
count_read (tns_expr *expr, void *self)
{
  reader *r = self;
  r->n += expr->sym == r->sym && tns_expr_reads (expr);
  return true;
}

/* The reads of SYM in NODE; more than one when NODE is not an ASSIGN.  */
static int
count_reads (tns_node *node, const tns_sym *sym)
{
  reader r = { sym, 0 };
  if (node->kind != TNS_ASSIGN)
    return tns_node_mentions (node, sym) ? 2 : 0;
  for (int k = 0; k < node->target->n_args; k++)
    tns_expr_walk (node->target->arg[k], count_read, &r);
  tns_expr_walk (node->value, count_read, &r);
  tns_expr_walk (node->mask, count_read, &r);
  return r.n;
}

/* NODE may write what VALUE reads.  */
static bool
disturbs (tns_node *node, tns_expr *value)
{
  if (node->kind == TNS_LOCAL)
    return false;
  return node->kind != TNS_ASSIGN
         || tns_expr_mentions (value, node->target->sym);
}

/* BLOCK declares SYM.  */
static bool
declares (const tns_node *block, const tns_sym *sym)
{
  for (int k = 0; k < block->n_kids; k++)
    if (block->kid[k]->kind == TNS_LOCAL && block->kid[k]->sym == sym)
      return true;
  return false;
}

/* The only kid of BLOCK behind FIRST that mentions the cell SYM, which it
   reads once; -1 when there is none.  */
static int
only_reader (const tns_node *block, int first, const tns_sym *sym)
{
  int found = -1;
  for (int k = 0; k < block->n_kids; k++)
    {
      tns_node *kid = block->kid[k];
      if (k == first || kid->kind == TNS_LOCAL || !tns_node_mentions (kid, sym))
        continue;
      if (k < first || found >= 0 || count_reads (kid, sym) != 1
          || tns_node_writes (kid, sym))
        return -1;
      found = k;
    }
  return found;
}

/* NODE with what SET assigns in place of its cell.  */
static tns_node *
replace_in (tns_arena *arena, const tns_node *node, const tns_node *set)
{
  const tns_sym *sym = set->target->sym;
  tns_node *copy = tns_node_copy (arena, node);
  copy->target = tns_expr_with_cell (arena, node->target, sym, set->value);
  copy->value = tns_expr_with_cell (arena, node->value, sym, set->value);
  copy->mask = tns_expr_with_cell (arena, node->mask, sym, set->value);
  return copy;
}

/* Remove kid K of BLOCK.  */
static void
remove_kid (tns_node *block, int k)
{
  block->n_kids--;
  for (; k < block->n_kids; k++)
    block->kid[k] = block->kid[k + 1];
}

/* Replace the cell that kid K of BLOCK assigns by its value, where it is read
   once.  Whether that was done.  */
static bool
forward (tns_arena *arena, tns_node *block, int k)
{
  const tns_node *set = block->kid[k];
  if (!tns_node_sets_cell (set) || set->update != TNS_NONE
      || !declares (block, set->target->sym))
    return false;
  int at = only_reader (block, k, set->target->sym);
  for (int j = k + 1; j < at; j++)
    if (disturbs (block->kid[j], set->value))
      return false;
  if (at < 0)
    return false;
  block->kid[at] = replace_in (arena, block->kid[at], set);
  remove_kid (block, k);
  return true;
}

/* VALUE is an integer made wider: a hundred of them cannot overflow.  */
static bool
is_widened (const tns_expr *value)
{
  return value->op == TNS_CAST && !tns_elem_is_float (value->arg[0]->type.elem)
         && 2 * tns_elem_bytes (value->arg[0]->type.elem)
              <= tns_elem_bytes (value->type.elem);
}

/* VALUE is a sum of widened integers alone.  */
static bool
is_small (const tns_expr *value)
{
  if (value->op == TNS_ADD)
    return is_small (value->arg[0]) && is_small (value->arg[1]);
  return is_widened (value);
}

/* The updates A and B of one cell may be done in another order.  */
static bool
may_join (const tns_ctx *ctx, const tns_node *a, const tns_node *b)
{
  tns_elem elem = a->target->type.elem;
  if (a->update != b->update || !tns_op_is_reduction (a->update))
    return false;
  if (tns_elem_is_float (elem))
    return ctx->wish.fp != TNS_FP_STRICT;
  bool may_overflow = a->update == TNS_ADD || a->update == TNS_MUL;
  return !may_overflow
         || (a->update == TNS_ADD && is_small (a->value)
             && is_small (b->value));
}

/* Join the update that kid K of BLOCK is with a later one.  Whether there was
   one.  */
static bool
join (const tns_ctx *ctx, tns_node *block, int k)
{
  tns_node *first = block->kid[k];
  if (!tns_node_sets_cell (first) || first->update == TNS_NONE)
    return false;
  for (int j = k + 1; j < block->n_kids; j++)
    {
      tns_node *next = block->kid[j];
      if (tns_node_sets_cell (next) && next->target->sym == first->target->sym)
        {
          if (!may_join (ctx, first, next))
            return false;
          for (int between = k + 1; between < j; between++)
            if (disturbs (block->kid[between], next->value))
              return false;
          tns_node *both = tns_node_copy (ctx->arena, first);
          both->value
            = tns_binary (ctx->arena, first->update, first->value, next->value);
          block->kid[k] = both;
          remove_kid (block, j);
          return true;
        }
      if (next->kind != TNS_LOCAL
          && tns_node_mentions (next, first->target->sym))
        return false;
    }
  return false;
}

/* Remove the declarations of BLOCK that nothing needs.  */
static void
drop_locals (tns_node *block)
{
  for (int k = block->n_kids - 1; k >= 0; k--)
    {
      const tns_sym *sym = block->kid[k]->sym;
      bool used = block->kid[k]->kind != TNS_LOCAL;
      for (int j = 0; j < block->n_kids && !used; j++)
        used = block->kid[j]->kind != TNS_LOCAL
               && tns_node_mentions (block->kid[j], sym);
      if (!used)
        remove_kid (block, k);
    }
}

/* BLOCK declares something.  */
static bool
has_locals (const tns_node *block)
{
  for (int k = 0; k < block->n_kids; k++)
    if (block->kid[k]->kind == TNS_LOCAL)
      return true;
  return false;
}

/* BLOCK with the blocks in it that declare nothing spliced.  */
static tns_node *
splice (tns_arena *arena, const tns_node *block)
{
  tns_node *flat = tns_block (arena, block->loc);
  for (int k = 0; k < block->n_kids; k++)
    {
      tns_node *kid = block->kid[k];
      bool is_plain = kid->kind == TNS_BLOCK && !has_locals (kid);
      for (int j = 0; is_plain && j < kid->n_kids; j++)
        tns_block_add (arena, flat, kid->kid[j]);
      if (!is_plain)
        tns_block_add (arena, flat, kid);
    }
  return flat;
}

/* A BLOCK, whose kids are done.  */
static tns_node *
change_block (tns_node *node, void *self)
{
  tns_ctx *ctx = self;
  if (node->kind != TNS_BLOCK)
    return node;
  node = splice (ctx->arena, node);
  for (int k = 0; k < node->n_kids; k++)
    if (forward (ctx->arena, node, k))
      k--;
  for (int k = 0; k < node->n_kids; k++)
    if (join (ctx, node, k))
      k--;
  drop_locals (node);
  return node;
}

tns_node *
tns_block_join (tns_ctx *ctx, tns_node *block)
{
  return tns_node_rebuild (ctx->arena, block, change_block, NULL, ctx);
}
