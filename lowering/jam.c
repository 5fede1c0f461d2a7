/* Copies of a statement list, as lowering/jam.h shows them.

   One recursion walks the statements; a stack of nothing but names goes
   along.  At each statement the question is whether all copies agree on
   what controls it (bounds, condition): then one statement is made and the
   copies go inside, else there are copies of the whole.  */

#include "lowering/jam.h"

#include <string.h>

#include "ir/fresh.h"
#include "ir/walk.h"

tns_jam
tns_jam_along (tns_arena *arena, tns_region *region, tns_sym *iter, int n,
               long long step)
{
  tns_jam jam = { .arena = arena, .region = region, .iter = iter, .n = n };
  jam.at = TNS_NEW_ARRAY (arena, tns_expr *, n);
  for (int c = 0; c < n; c++)
    jam.at[c] = tns_binary (arena, TNS_ADD, tns_value (arena, iter),
                            tns_int (arena, c * step));
  return jam;
}

void
tns_jam_rename (tns_jam *jam, tns_sym *sym, tns_sym *const *to)
{
  size_t n = (size_t) jam->n_names, wide = (size_t) jam->n;
  jam->from = tns_arena_grow (jam->arena, jam->from, n * sizeof (tns_sym *),
                              (n + 1) * sizeof (tns_sym *));
  jam->to = tns_arena_grow (jam->arena, jam->to, n * wide * sizeof (tns_sym *),
                            (n + 1) * wide * sizeof (tns_sym *));
  jam->from[n] = sym;
  memcpy (jam->to + n * wide, to, wide * sizeof (tns_sym *));
  jam->n_names++;
}

/* Copy number COPY of what JAM copies.  */
typedef struct one_copy
{
  tns_jam *jam;
  int copy;
} one_copy;

/* What SYM, in its last life, is called in this copy.  */
static tns_sym *
name_of (const one_copy *one, tns_sym *sym)
{
  const tns_jam *jam = one->jam;
  for (int k = jam->n_names - 1; k >= 0; k--)
    if (jam->from[k] == sym)
      return jam->to[k * jam->n + one->copy];
  return sym;
}

/* One node of an expression in this copy.  */
static tns_expr *
copy_part (tns_expr *expr, void *self)
{
  const one_copy *one = self;
  tns_jam *jam = one->jam;
  if (expr->op == TNS_SYM && expr->sym == jam->iter)
    return jam->at[one->copy];
  tns_sym *sym = expr->sym ? name_of (one, expr->sym) : NULL;
  if (sym == expr->sym)
    return expr;
  tns_expr *made
    = tns_make (jam->arena, expr->op, expr->type, sym, expr->n_args, expr->arg);
  made->loc = expr->loc;
  return made;
}

/* An expression in this copy.  */
static tns_expr *
copy_expr (tns_expr *expr, void *self)
{
  const one_copy *one = self;
  return tns_expr_rebuild (one->jam->arena, expr, copy_part, self);
}

/* The reductions of MARKS in this copy.  */
static tns_reduction *
copy_reductions (const one_copy *one, const tns_marks *marks)
{
  tns_reduction *made
    = TNS_NEW_ARRAY (one->jam->arena, tns_reduction, marks->n_reductions);
  for (int k = 0; k < marks->n_reductions; k++)
    {
      made[k].sym = name_of (one, marks->reductions[k].sym);
      made[k].op = marks->reductions[k].op;
    }
  return made;
}

/* A node in this copy, its parts done.  */
static tns_node *
copy_names (tns_node *node, void *self)
{
  const one_copy *one = self;
  node->name = NULL;
  if (node->sym)
    node->sym = name_of (one, node->sym);
  if (node->marks.summed)
    node->marks.summed = name_of (one, node->marks.summed);
  if (node->marks.n_reductions)
    node->marks.reductions = copy_reductions (one, &node->marks);
  return node;
}

tns_node *
tns_jam_copy (tns_jam *jam, tns_node *node, int copy)
{
  one_copy one = { jam, copy };
  return tns_node_rebuild (jam->arena, node, copy_names, copy_expr, &one);
}

/* EXPR is the same in all copies.  */
static bool
is_shared (tns_jam *jam, tns_expr *expr)
{
  if (!expr)
    return true;
  one_copy first = { jam, 0 };
  tns_expr *made = copy_expr (expr, &first);
  for (int c = 1; c < jam->n; c++)
    {
      one_copy one = { jam, c };
      if (!tns_expr_equal (made, copy_expr (expr, &one)))
        return false;
    }
  return true;
}

/* EXPR reads an array that NODE writes.  */
typedef struct clash
{
  tns_node *node;
  bool found;
} clash;

/* Note whether EXPR reads what the node writes.  */
static bool
note_clash (tns_expr *expr, void *self)
{
  clash *s = self;
  if (tns_expr_reads (expr) && tns_node_writes (s->node, expr->sym))
    s->found = true;
  return !s->found;
}

bool
tns_node_changes (tns_node *node, tns_expr *expr)
{
  clash s = { node, false };
  tns_expr_walk (expr, note_clash, &s);
  return s.found;
}

void
tns_jam_locals (tns_jam *jam, const tns_node *local, tns_node *out)
{
  tns_sym **to = TNS_NEW_ARRAY (jam->arena, tns_sym *, jam->n);
  for (int c = 0; c < jam->n; c++)
    {
      to[c]
        = c ? tns_local_like (jam->arena, jam->region, local->sym) : local->sym;
      tns_block_add (jam->arena, out,
                     tns_local (jam->arena, local->loc, to[c]));
    }
  tns_jam_rename (jam, local->sym, to);
}

/* The reductions of all copies, each once.  */
static void
widen_reductions (tns_jam *jam, tns_marks *marks)
{
  int n = 0;
  tns_reduction *wide
    = TNS_NEW_ARRAY (jam->arena, tns_reduction, marks->n_reductions * jam->n);
  for (int c = 0; c < jam->n; c++)
    {
      one_copy one = { jam, c };
      tns_reduction *made = copy_reductions (&one, marks);
      for (int k = 0; k < marks->n_reductions; k++)
        {
          int l = 0;
          while (l < n && wide[l].sym != made[k].sym)
            l++;
          if (l == n)
            wide[n++] = made[k];
        }
    }
  marks->n_reductions = n;
  marks->reductions = wide;
}

/* NODE, a loop or condition, without its parts, as all copies have it.  */
static tns_node *
share_head (tns_jam *jam, const tns_node *node)
{
  one_copy first = { jam, 0 };
  tns_node *made = tns_node_copy (jam->arena, node);
  tns_expr **expr[] = { &made->lo, &made->hi, &made->cond, &made->marks.when,
                        &made->marks.work };
  for (int k = 0; k < 5; k++)
    if (*expr[k])
      *expr[k] = copy_expr (*expr[k], &first);
  if (made->marks.n_reductions)
    widen_reductions (jam, &made->marks);
  return made;
}

/* NODE, a loop or condition, is controlled alike in all copies.  */
static bool
is_shared_control (tns_jam *jam, tns_node *node)
{
  bool is_control = node->kind == TNS_LOOP || node->kind == TNS_IF;
  return is_control && is_shared (jam, node->lo) && is_shared (jam, node->hi)
         && is_shared (jam, node->cond) && is_shared (jam, node->marks.when)
         && is_shared (jam, node->marks.work)
         && !tns_node_changes (node, node->cond);
}

/* The copies of NODE, not a BLOCK and not shared, one after the other.  */
static void
copy_all (tns_jam *jam, tns_node *node, tns_node *out)
{
  bool is_one = node->kind == TNS_PREFETCH && is_shared (jam, node->target);
  for (int c = 0; c < (is_one ? 1 : jam->n); c++)
    tns_block_add (jam->arena, out, tns_jam_copy (jam, node, c));
}

/* The copies of NODE (of the statements of NODE, a BLOCK), put at the end
   of OUT.  */
static void
jam_node (tns_jam *jam, tns_node *node, tns_node *out)
{
  if (node->kind == TNS_LOCAL)
    tns_jam_locals (jam, node, out);
  else if (node->kind == TNS_BLOCK)
    for (int k = 0; k < node->n_kids; k++)
      {
        tns_node *kid = node->kid[k], *inner = out;
        if (kid->kind == TNS_BLOCK)
          {
            inner = tns_block (jam->arena, kid->loc);
            tns_block_add (jam->arena, out, inner);
          }
        jam_node (jam, kid, inner);
      }
  else if (!is_shared_control (jam, node))
    copy_all (jam, node, out);
  else
    {
      tns_node *made = share_head (jam, node);
      tns_node **part[] = { &made->body, &made->then, &made->otherwise };
      for (int k = 0; k < 3; k++)
        if (*part[k])
          {
            tns_node *block = tns_block (jam->arena, (*part[k])->loc);
            jam_node (jam, *part[k], block);
            *part[k] = block;
          }
      tns_block_add (jam->arena, out, made);
    }
}

tns_node *
tns_jam_body (tns_jam *jam, tns_node *body)
{
  tns_node *out = tns_block (jam->arena, body->loc);
  jam_node (jam, body, out);
  return out;
}

tns_node *
tns_jam_sequence (tns_jam *jam, tns_node *body)
{
  tns_node *out = tns_block (jam->arena, body->loc);
  for (int k = 0; k < body->n_kids; k++)
    if (body->kid[k]->kind == TNS_LOCAL)
      tns_jam_locals (jam, body->kid[k], out);
  for (int c = 0; c < jam->n; c++)
    for (int k = 0; k < body->n_kids; k++)
      if (body->kid[k]->kind != TNS_LOCAL)
        tns_block_add (jam->arena, out, tns_jam_copy (jam, body->kid[k], c));
  return out;
}
