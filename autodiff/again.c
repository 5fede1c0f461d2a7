/* Statements for once more, as autodiff/again.h says: of those before the
   statement, in the blocks around it, from the last one to the first, what sets
   a cell that is needed, with its LOCAL.  */

#include "autodiff/again.h"

#include "ir/walk.h"

enum
{
  MOST_BEFORE = 64
};

/* A search.

   loop, node  as above
   before      the kids of the blocks around NODE that stand before it, in order
   inside      by such: the loop between it and NODE, NULL: none
   wanted      symbols that LOOP writes, or declares, and a kept node, or VALUE,
               mentions  */
typedef struct search
{
  tns_node *loop;
  const tns_node *node;
  int n_before;
  tns_node *before[MOST_BEFORE];
  tns_node *inside[MOST_BEFORE];
  int n_wanted;
  const tns_sym *wanted[MOST_BEFORE];
  bool fails;
} search;

/* Note KID, which stands before S's statement.  */
static void
add_before (search *s, tns_node *kid)
{
  s->fails |= s->n_before == MOST_BEFORE;
  if (s->fails)
    return;
  s->inside[s->n_before] = NULL;
  s->before[s->n_before++] = kid;
}

/* Note what stands in AT before S's statement, which AT holds.  */
static void
go_down (search *s, tns_node *at)
{
  while (at != s->node)
    {
      tns_node *next = at->kind == TNS_LOOP                 ? at->body
                       : at->kind != TNS_IF                 ? NULL
                       : tns_node_holds (at->then, s->node) ? at->then
                                                            : at->otherwise;
      for (int k = 0; k < s->n_before && at->kind == TNS_LOOP; k++)
        if (!s->inside[k])
          s->inside[k] = at;
      for (int k = 0; !next; k++)
        if (tns_node_holds (at->kid[k], s->node))
          next = at->kid[k];
        else
          add_before (s, at->kid[k]);
      at = next;
    }
}

/* SYM is wanted.  */
static bool
is_wanted (const search *s, const tns_sym *sym)
{
  for (int k = 0; k < s->n_wanted; k++)
    if (s->wanted[k] == sym)
      return true;
  return false;
}

/* SYM is wanted from now on, where the loop writes it, or begins its life.  */
static void
want (search *s, const tns_sym *sym)
{
  bool is_loops
    = tns_node_writes (s->loop, sym) || tns_node_declares (s->loop, sym);
  if (is_wanted (s, sym) || !is_loops)
    return;
  s->fails |= s->n_wanted == MOST_BEFORE;
  if (!s->fails)
    s->wanted[s->n_wanted++] = sym;
}

/* The visitor that wants what is read.  */
static bool
want_read (tns_expr *expr, void *self)
{
  if (tns_expr_reads (expr))
    want (self, expr->sym);
  return true;
}

/* The visitor of nodes that are kept.  */
static bool
want_all (tns_node *node, void *self)
{
  if (node->kind == TNS_ASSIGN)
    want (self, node->target->sym);
  tns_node_exprs (node, want_read, self);
  return true;
}

/* Whether a statement in a node sets what is wanted.  */
typedef struct setting
{
  const search *s;
  bool sets;
} setting;

/* The visitor.  */
static bool
note_setting (tns_node *node, void *self)
{
  setting *t = self;
  t->sets |= node->kind == TNS_ASSIGN && is_wanted (t->s, node->target->sym);
  return !t->sets;
}

/* S needs its node K, no LOCAL.  */
static bool
is_needed (const search *s, int k)
{
  setting t = { s, false };
  tns_node_walk (s->before[k], note_setting, &t);
  return t.sets;
}

/* WANTED begins its life in one of S's nodes, kept, and nothing of other
   iterations gets into it.  */
static bool
is_own (const search *s, const tns_sym *wanted)
{
  for (int k = 0; k < s->n_before; k++)
    if (s->before[k] && tns_node_declares (s->before[k], wanted))
      return s->before[k]->kind != TNS_LOCAL || !s->inside[k]
             || !tns_node_writes (s->inside[k], wanted);
  return false;
}

tns_node *
tns_again_block (tns_arena *arena, tns_node *loop, const tns_node *node,
                 tns_expr *value)
{
  search s = { .loop = loop, .node = node };
  go_down (&s, loop);
  tns_expr_walk (value, want_read, &s);
  for (int k = s.n_before - 1; k >= 0 && !s.fails; k--)
    if (s.before[k]->kind == TNS_LOCAL)
      s.before[k] = is_wanted (&s, s.before[k]->sym) ? s.before[k] : NULL;
    else if (is_needed (&s, k))
      tns_node_walk (s.before[k], want_all, &s);
    else
      s.before[k] = NULL;
  for (int k = 0; k < s.n_wanted; k++)
    s.fails |= !is_own (&s, s.wanted[k]);
  if (s.fails)
    return NULL;
  tns_node *block = tns_block (arena, node->loc);
  for (int k = 0; k < s.n_before; k++)
    if (s.before[k])
      tns_block_add (arena, block, s.before[k]);
  return block;
}
