/* A region as it is printed.

     for i = 0 to n { .. }                  for i = 0 to n { .. }
     for i = 0 to n { .. }                  for i_1 = 0 to n { .. }
     for j = 1 - n to 1 { x[-j] .. }   ->   for j_2 = n - 1 to -1 step -1
                                              { x[j_2] .. }
     max (max (0, n), 1)                    max (n, 1)
     c ? 0 : 0                              0
     (n - 1) * m + (m - 1) + 1              m * n
     t = 0;  t += e                         t = e

   Each loop has an iterator of its own, so that it can have any name; one that
   counts up to count down counts down.  Cells that nobody reads are gone.  What
   a plan computes in several places is computed once.  What is simplified here
   reads nothing and cannot trap.  What is not planned is for readers alone: a
   cell is not cleared where the next statement that has it adds to it.  */

#include "lowering/c99-text.h"

#include "ir/affine.h"
#include "ir/walk.h"
#include "lowering/common.h"

/* loops  by symbol id, how many loops have it for their iterator
   read   by symbol id, whether anybody reads it  */
typedef struct tidying
{
  tns_arena *arena;
  tns_region *region;
  const int *loops;
  const bool *read;
} tidying;

/* How often ITER is mentioned, and how often with a minus in front.  */
typedef struct mentions
{
  const tns_sym *iter;
  int n;
  int n_negated;
} mentions;

/* The visitor of expressions.  */
static bool
count_mention (tns_expr *expr, void *self)
{
  mentions *m = self;
  m->n += expr->op == TNS_SYM && expr->sym == m->iter;
  m->n_negated += expr->op == TNS_NEG && expr->arg[0]->op == TNS_SYM
                  && expr->arg[0]->sym == m->iter;
  return true;
}

/* The visitor of nodes.  */
static bool
count_mentions (tns_node *node, void *self)
{
  tns_node_exprs (node, count_mention, self);
  return true;
}

/* SUM is made of symbols and numbers only.  */
static bool
is_plain (tns_sum sum)
{
  for (int k = 0; k < sum.n; k++)
    for (int a = 0; a < sum.term[k].n_atoms; a++)
      if (sum.term[k].atom[a]->op != TNS_SYM)
        return false;
  return sum.n >= 0;
}

/* Minus EXPR, in *MADE; false where that is not written down well.  */
static bool
negate (tns_arena *arena, tns_expr *expr, tns_expr **made)
{
  tns_sum sum = tns_sum_of (arena, expr);
  if (!is_plain (sum))
    return false;
  *made = tns_sum_expr (arena, tns_sum_scale (arena, sum, -1));
  return true;
}

/* LOOP counts up and only minus its iterator is used: it can count down from
   *FIRST to *END.  */
static bool
turns (tns_arena *arena, const tns_node *loop, tns_expr **first, tns_expr **end)
{
  mentions m = { loop->iter, 0, 0 };
  tns_node_walk (loop->body, count_mentions, &m);
  return loop->step == 1 && m.n > 0 && m.n == m.n_negated
         && negate (arena, loop->lo, first) && negate (arena, loop->hi, end);
}

/* The changer that drops two minus in front of an expression.  */
static tns_expr *
drop_two (tns_expr *expr, void *self)
{
  (void) self;
  return expr->op == TNS_NEG && expr->arg[0]->op == TNS_NEG
           ? expr->arg[0]->arg[0]
           : expr;
}

/* The same of a whole expression.  */
static tns_expr *
drop_all_twos (tns_expr *expr, void *self)
{
  const tidying *t = self;
  return tns_expr_rebuild (t->arena, expr, drop_two, NULL);
}

/* LOOP with a new iterator, counting down from LO to HI where it TURNS.  */
static tns_node *
tidy_loop (tidying *t, const tns_node *loop, bool turns, tns_expr *lo,
           tns_expr *hi)
{
  tns_arena *arena = t->arena;
  tns_sym *old = loop->iter;
  tns_node *made = tns_node_copy (arena, loop);
  made->iter = tns_region_add_iter (arena, t->region, tns_sym_words (old));
  tns_expr *by = tns_value (arena, made->iter);
  if (turns)
    {
      made->lo = lo;
      made->hi = hi;
      made->step = -1;
      by = tns_unary (arena, TNS_NEG, by);
    }
  made->body = tns_node_substitute (arena, loop->body, 1, &old, &by);
  if (turns)
    made->body = tns_node_rebuild (arena, made->body, NULL, drop_all_twos, t);
  return made;
}

/* The changer of nodes.  */
static tns_node *
tidy_node (tns_node *node, void *self)
{
  tidying *t = self;
  tns_expr *lo, *hi;
  if (node->kind != TNS_LOOP)
    return node;
  bool down = turns (t->arena, node, &lo, &hi);
  return down || t->loops[node->iter->id] > 1
           ? tidy_loop (t, node, down, lo, hi)
           : node;
}

/* The visitor that counts parts.  */
static bool
count_part (tns_expr *expr, void *self)
{
  int *n = self;
  (void) expr;
  ++*n;
  return true;
}

/* How many parts EXPR has.  */
static int
size_of (tns_expr *expr)
{
  int n = 0;
  tns_expr_walk (expr, count_part, &n);
  return n;
}

/* EXPR, an integer, as a sum of products, where that is shorter.  */
static tns_expr *
tidy_sum (tns_arena *arena, tns_expr *expr)
{
  if (expr->type.elem != TNS_I64
      || (expr->op != TNS_ADD && expr->op != TNS_SUB))
    return expr;
  tns_expr *made = tns_sum_expr (arena, tns_sum_of (arena, expr));
  return made && size_of (made) < size_of (expr) ? made : expr;
}

/* EXPR, a maximum of another one and two numbers, with the greater of them.  */
static tns_expr *
tidy_max (tns_arena *arena, tns_expr *expr)
{
  long long least, value;
  tns_expr *inner = expr->arg[0];
  if (!tns_expr_is_int (expr->arg[1], &least) || inner->op != TNS_MAX)
    return expr;
  for (int k = 0; k < 2; k++)
    if (tns_expr_is_int (inner->arg[k], &value) && value <= least)
      return tns_binary (arena, TNS_MAX, inner->arg[1 - k], expr->arg[1]);
  return expr;
}

/* EXPR compares something with itself; whether that holds in *VALUE.  */
static bool
compares_itself (const tns_expr *expr, long long *value)
{
  bool is_less = expr->op == TNS_LT || expr->op == TNS_GT || expr->op == TNS_NE;
  *value = expr->op == TNS_LE || expr->op == TNS_GE || expr->op == TNS_EQ;
  return (is_less || *value) && expr->arg[0]->type.elem == TNS_I64
         && tns_expr_equal (expr->arg[0], expr->arg[1]);
}

/* EXPR, a conjunction, where an operand is known or both are one; else
   EXPR.  */
static tns_expr *
tidy_and (tns_expr *expr)
{
  long long value;
  if (!tns_expr_loads (expr) && tns_expr_equal (expr->arg[0], expr->arg[1]))
    return expr->arg[0];
  for (int k = 0; k < 2; k++)
    if (tns_expr_is_int (expr->arg[k], &value))
      return expr->arg[value ? 1 - k : k];
  return expr;
}

/* The changer of parts of expressions.  */
static tns_expr *
tidy_part (tns_expr *expr, void *self)
{
  long long value;
  if (compares_itself (expr, &value))
    return tns_int_of (self, TNS_BOOL, value);
  if (expr->op == TNS_LAND)
    return tidy_and (expr);
  if (expr->op == TNS_LNOT && tns_expr_is_int (expr->arg[0], &value))
    return tns_int_of (self, TNS_BOOL, !value);
  if (expr->op == TNS_SELECT && tns_expr_is_int (expr->arg[0], &value))
    return expr->arg[value ? 1 : 2];
  if (expr->op == TNS_SELECT && !tns_expr_loads (expr->arg[0])
      && tns_expr_equal (expr->arg[1], expr->arg[2]))
    return expr->arg[1];
  if (expr->op == TNS_MAX && expr->type.elem == TNS_I64)
    return tidy_max (self, expr);
  return tidy_sum (self, expr);
}

tns_expr *
tns_c99_tidy_expr (tns_arena *arena, tns_expr *expr)
{
  return expr ? tns_expr_rebuild (arena, expr, tidy_part, arena) : NULL;
}

/* The changer of whole expressions.  */
static tns_expr *
tidy_expr (tns_expr *expr, void *self)
{
  const tidying *t = self;
  return tns_c99_tidy_expr (t->arena, expr);
}

/* The visitor that notes in SELF, by symbol id, what is read.  */
static bool
note_read (tns_expr *expr, void *self)
{
  bool *read = self;
  if (tns_expr_reads (expr))
    read[expr->sym->id] = true;
  return true;
}

/* The same of all that NODE reads.  */
static bool
note_reads (tns_node *node, void *self)
{
  bool *read = self;
  if (node->kind == TNS_ASSIGN)
    {
      for (int k = 0; k < node->target->n_args; k++)
        tns_expr_walk (node->target->arg[k], note_read, self);
      tns_expr_walk (node->value, note_read, self);
      if (node->mask)
        tns_expr_walk (node->mask, note_read, self);
    }
  else
    tns_node_exprs (node, note_read, self);
  for (int k = 0; k < node->marks.n_reductions; k++)
    read[node->marks.reductions[k].sym->id] = true;
  return true;
}

/* The same without what a loop's pragma asks.  */
static bool
note_statement (tns_node *node, void *self)
{
  if (node->kind != TNS_LOOP)
    return note_reads (node, self);
  tns_expr_walk (node->lo, note_read, self);
  tns_expr_walk (node->hi, note_read, self);
  return true;
}

bool
tns_c99_is_read (tns_arena *arena, const tns_region *region, tns_node *node,
                 const tns_sym *sym)
{
  bool *read = TNS_NEW_ARRAY (arena, bool, region->n_syms + 1);
  tns_node_walk (node, note_statement, read);
  return read[sym->id];
}

/* SYM is a cell that nobody reads.  */
static bool
is_dead (const tidying *t, const tns_sym *sym)
{
  return sym->rank == 0 && tns_sym_is_local (sym) && !t->read[sym->id];
}

/* The changer that drops what is not printed.  */
static tns_node *
drop_unused (tns_node *node, void *self)
{
  const tidying *t = self;
  long long value;
  if (node->kind == TNS_IF && tns_expr_is_int (node->cond, &value))
    return value ? node->then : node->otherwise;
  if ((node->kind == TNS_LOCAL && is_dead (t, node->sym))
      || (node->kind == TNS_ASSIGN && is_dead (t, node->target->sym)))
    return NULL;
  if (node->kind != TNS_LOOP || !node->marks.work)
    return node;
  tns_node *made = tns_node_copy (t->arena, node);
  made->marks.work = NULL;
  return made;
}

/* NODE sets a floating cell of the region's own to 0.  */
static bool
clears (const tns_node *node)
{
  return tns_node_sets_cell (node) && node->update == TNS_NONE
         && node->value->op == TNS_REAL && node->value->real == 0
         && tns_sym_is_local (node->target->sym);
}

/* NODE adds to SYM what has nothing of it.  */
static bool
adds_to (const tns_node *node, const tns_sym *sym)
{
  return tns_node_sets_cell (node) && node->target->sym == sym
         && node->update == TNS_ADD && !tns_expr_mentions (node->value, sym);
}

/* Where BLOCK's kid AT clears a cell and the next that has it adds to it, let
   that set it.  Whether the clearing can go.  */
static bool
set_later (tns_arena *arena, tns_node *block, int at)
{
  tns_node *clear = block->kid[at];
  if (!clears (clear))
    return false;
  int k = at + 1;
  while (k < block->n_kids
         && (block->kid[k]->kind == TNS_LOCAL
             || !tns_node_mentions (block->kid[k], clear->target->sym)))
    k++;
  if (k == block->n_kids || !adds_to (block->kid[k], clear->target->sym))
    return false;
  block->kid[k] = tns_node_copy (arena, block->kid[k]);
  block->kid[k]->update = TNS_NONE;
  return true;
}

/* The changer of nodes that joins clearing and first adding.  */
static tns_node *
join_first (tns_node *node, void *self)
{
  const tidying *t = self;
  if (node->kind != TNS_BLOCK)
    return node;
  tns_node *from = tns_block (t->arena, node->loc);
  tns_node *made = tns_block (t->arena, node->loc);
  for (int k = 0; k < node->n_kids; k++)
    tns_block_add (t->arena, from, node->kid[k]);
  for (int k = 0; k < from->n_kids; k++)
    if (!set_later (t->arena, from, k))
      tns_block_add (t->arena, made, from->kid[k]);
  return made;
}

tns_region *
tns_c99_tidy (tns_ctx *ctx, const tns_region *region, bool is_planned)
{
  tns_arena *arena = ctx->arena;
  tns_region *made = tns_region_copy (arena, region);
  bool *read = TNS_NEW_ARRAY (arena, bool, region->n_syms + 1);
  tidying t = { arena, made, tns_region_loops_of (arena, region), read };
  made->body = tns_node_rebuild (arena, made->body, NULL, tidy_expr, &t);
  tns_node_walk (made->body, note_reads, read);
  made->body = tns_node_rebuild (arena, made->body, drop_unused, NULL, &t);
  if (is_planned)
    made = tns_region_copy (arena, tns_region_common (ctx, made));
  else
    made->body = tns_node_rebuild (arena, made->body, join_first, NULL, &t);
  t.region = made;
  made->body = tns_node_rebuild (arena, made->body, tidy_node, NULL, &t);
  return made;
}
