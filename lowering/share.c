/* Common reads of straight lines.

   In each run of assignments a read (a LOAD, MASKED or SPLAT of one) that is
   met again before a store may have changed it, or what its subscripts
   read, becomes a LOCAL in front of the first statement that makes it.
   What is stored and then read again is kept in a LOCAL too:

     y[i] = e; s += y[i];    ->    local f32 t; t = e; y[i] = t; s += t;

   So is what some lanes store, where all are read before or behind:

     where (m) y[i] = e;      ->    local f32x8 t; t = m ? e : y0;
     s += y[i];                     where (m) y[i] = t; s += t;

   A load right behind a store of some lanes waits until that has reached the
   cache.  What fewer lanes read is taken from what more of them did:

     where (m) y[i] = e;             ->    local f32x8 t; t = m ? e : 0;
     n = m && l;                           where (m) y[i] = t; n = m && l;
     s += masked (y[i], n);                s += n ? t : 0;

   Reads that happen only under a condition of their own use such a LOCAL,
   but do not begin one: they might fault.

   Then a store is left out where the straight line stores to the same element
   again, under the same mask, with no read of the array in between.  */

#include "lowering/share.h"

#include "ir/walk.h"
#include "lowering/cells.h"
#include "lowering/linear.h"

/* A read, known from statement first to statement last; when STORED, it is
   what first stores, in some lanes of what the known read BEFORE was (-1: in
   all lanes of it).  A GUESS, nobody has read yet: it might fault.  */
typedef struct known
{
  tns_expr *read;
  bool stored;
  bool guess;
  int before;
  int first;
  int last;
  int uses;
  bool alive;
  tns_sym *local;
} known;

/* A run of statements, kid[0..n).  */
typedef struct run
{
  tns_arena *arena;
  tns_region *region;
  tns_node **kid;
  int n;
  int n_known;
  int room;
  known *known;
} run;

/* The known read that EXPR is, or NULL.  */
static known *
find_alive (run *r, const tns_expr *expr)
{
  for (int k = 0; k < r->n_known; k++)
    if (r->known[k].alive && tns_expr_equal (r->known[k].read, expr))
      return &r->known[k];
  return NULL;
}

/* The first statement from AT on that sets a cell which EXPR mentions, r->n
   when there is none.  */
static int
next_setting (const run *r, tns_expr *expr, int at)
{
  while (at < r->n
         && !(r->kid[at]->kind == TNS_ASSIGN
              && tns_expr_mentions (expr, r->kid[at]->target->sym)))
    at++;
  return at;
}

/* MASK, as statement AT finds it, holds nowhere but where WIDE does, which
   nothing sets from there on.  */
static bool
implies (const run *r, tns_expr *mask, tns_expr *wide, int at)
{
  if (tns_expr_equal (mask, wide))
    return next_setting (r, wide, at) == r->n;
  if (mask->op == TNS_LAND)
    return implies (r, mask->arg[0], wide, at)
           || implies (r, mask->arg[1], wide, at);
  int set = mask->op == TNS_LOAD && mask->n_args == 0
              ? next_setting (r, mask, 0)
              : r->n;
  return set < at && next_setting (r, mask, set + 1) == r->n
         && implies (r, r->kid[set]->value, wide, set);
}

/* EXPR, which statement AT reads in some lanes, is in K read in more.  */
static bool
is_wider (const run *r, const known *k, const tns_expr *expr, int at)
{
  const tns_expr *read = k->read;
  int last = expr->n_args - 1;
  bool wider = expr->op == TNS_MASKED && read->op == TNS_MASKED
               && read->sym == expr->sym && last == read->n_args - 1;
  for (int d = 0; wider && d < last; d++)
    wider = tns_expr_equal (read->arg[d], expr->arg[d]);
  return wider && implies (r, expr->arg[last], read->arg[last], at);
}

/* What EXPR, which statement AT reads in some lanes, is read as in more of
   them, or NULL.  */
static known *
find_wider (run *r, const tns_expr *expr, int at)
{
  for (int k = 0; k < r->n_known; k++)
    if (r->known[k].alive && !r->known[k].guess
        && is_wider (r, &r->known[k], expr, at))
      return &r->known[k];
  return NULL;
}

/* Add EXPR, known from statement AT on.  */
static void
add_known (run *r, tns_expr *expr, int at, bool stored)
{
  if (r->n_known == r->room)
    {
      size_t one = sizeof (known);
      int room = r->room ? 2 * r->room : 32;
      r->known = tns_arena_grow (r->arena, r->known, (size_t) r->n_known * one,
                                 (size_t) room * one);
      r->room = room;
    }
  r->known[r->n_known++] = (known){ .read = expr,
                                    .stored = stored,
                                    .before = -1,
                                    .first = at,
                                    .last = at,
                                    .uses = 1,
                                    .alive = true };
}

/* Statement AT uses K, and what K was before.  */
static void
note_use (run *r, known *k, int at)
{
  int first = k->first;
  k->guess = false;
  k->last = at > k->last ? at : k->last;
  k->uses++;
  if (k->before >= 0 && k->uses == 2)
    note_use (r, &r->known[k->before], first);
}

/* Statement AT reads EXPR.  */
static void
note_read (run *r, tns_expr *expr, int at, bool always)
{
  known *k = find_alive (r, expr);
  k = k ? k : find_wider (r, expr, at);
  if (k && (always || !k->guess))
    note_use (r, k, at);
  else if (always)
    add_known (r, expr, at, false);
}

/* What reads back what NODE, a plain store, stores.  */
static tns_expr *
stored_read (run *r, const tns_node *node)
{
  const tns_expr *target = node->target;
  if (!node->mask)
    return node->target;
  int n = target->n_args;
  tns_expr **arg = TNS_NEW_ARRAY (r->arena, tns_expr *, n + 1);
  for (int k = 0; k < n; k++)
    arg[k] = target->arg[k];
  arg[n] = node->mask;
  return tns_make (r->arena, TNS_MASKED, target->type, target->sym, n + 1, arg);
}

/* Note the reads in EXPR, evaluated ALWAYS or not.  */
static void
note_reads (run *r, tns_expr *expr, int at, bool always)
{
  if (!expr)
    return;
  bool decides
    = expr->op == TNS_SELECT || expr->op == TNS_LAND || expr->op == TNS_LOR;
  bool chooses = decides && expr->arg[0]->type.lanes == 1;
  if (tns_expr_is_read (expr) && expr->op != TNS_GATHER)
    {
      note_read (r, expr, at, always);
      expr = expr->op == TNS_SPLAT ? expr->arg[0] : expr;
    }
  for (int k = 0; k < expr->n_args; k++)
    note_reads (r, expr->arg[k], at, always && (k == 0 || !chooses));
}

/* A subscript or the mask of ELEMENT mentions SYM.  */
static bool
is_placed_by (const tns_expr *element, const tns_sym *sym)
{
  for (int k = 0; k < element->n_args; k++)
    if (tns_expr_mentions (element->arg[k], sym))
      return true;
  return false;
}

/* READ may be another value once TARGET has been stored to.  */
static bool
is_changed (tns_arena *arena, tns_expr *read, const tns_expr *target)
{
  tns_expr *element = read->op == TNS_SPLAT ? read->arg[0] : read;
  return is_placed_by (element, target->sym)
         || (element->sym == target->sym
             && tns_cells_compare (arena, element, target) != TNS_CELLS_APART);
}

/* READ reads what NODE stores in some of its lanes.  */
static bool
is_chosen (const tns_expr *read, const tns_node *node)
{
  const tns_expr *target = node->target;
  bool same
    = node->mask && node->mask->type.lanes > 1 && node->update == TNS_NONE
      && read->sym == target->sym
      && read->op == (read->n_args > target->n_args ? TNS_MASKED : target->op)
      && tns_type_equal (read->type, target->type)
      && !is_placed_by (read, target->sym);
  for (int k = 0; same && k < target->n_args; k++)
    same = tns_expr_equal (read->arg[k], target->arg[k]);
  return same;
}

/* NODE, statement AT, stores in some lanes: guess that all of them are read
   behind it.  */
static void
guess_read (run *r, const tns_node *node, int at)
{
  if (!is_chosen (node->target, node) || find_alive (r, node->target))
    return;
  add_known (r, node->target, at, false);
  r->known[r->n_known - 1].guess = true;
}

/* NODE, statement AT, stores to its target.  */
static void
note_store (run *r, const tns_node *node, int at)
{
  const tns_expr *target = node->target;
  if (tns_expr_reads_array (target))
    guess_read (r, node, at);
  int n = r->n_known;
  for (int k = 0; k < n; k++)
    if (r->known[k].alive && is_changed (r->arena, r->known[k].read, target))
      {
        r->known[k].alive = false;
        if (!is_chosen (r->known[k].read, node))
          continue;
        add_known (r, r->known[k].read, at, true);
        r->known[r->n_known - 1].before = k;
        r->known[r->n_known - 1].guess = r->known[k].guess;
      }
  if (node->update != TNS_NONE || !tns_expr_reads_array (target)
      || (node->mask && node->mask->type.lanes == 1))
    return;
  tns_expr *read = stored_read (r, node);
  if (!is_placed_by (read, target->sym))
    add_known (r, read, at, true);
}

/* Note all statements.  */
static void
note_all (run *r)
{
  for (int at = 0; at < r->n; at++)
    {
      tns_node *node = r->kid[at];
      if (node->kind != TNS_ASSIGN)
        continue;
      note_reads (r, node->value, at, true);
      note_reads (r, node->mask, at, true);
      for (int k = 0; k < node->target->n_args; k++)
        note_reads (r, node->target->arg[k], at, true);
      note_store (r, node, at);
    }
}

/* What stands for EXPR, a read, in statement AT, or NULL: a LOCAL, or those of
   its lanes that are read.  */
static tns_expr *
local_of (const run *r, tns_expr *expr, int at)
{
  tns_arena *arena = r->arena;
  for (int k = 0; k < r->n_known; k++)
    {
      const known *found = &r->known[k];
      if (!found->local || found->first + found->stored > at
          || found->last < at)
        continue;
      tns_expr *cell = tns_cell (arena, found->local);
      if (tns_expr_equal (found->read, expr))
        return cell;
      tns_expr *zero = tns_int_of (arena, expr->type.elem, 0);
      if (is_wider (r, found, expr, at))
        return tns_ternary (
          arena, TNS_SELECT, expr->arg[expr->n_args - 1], cell,
          tns_make (arena, TNS_SPLAT, expr->type, NULL, 1, &zero));
    }
  return NULL;
}

/* EXPR in statement AT with the LOCALs.  */
static tns_expr *
use_locals (const run *r, tns_expr *expr, int at)
{
  if (!expr)
    return NULL;
  tns_expr *local = tns_expr_is_read (expr) ? local_of (r, expr, at) : NULL;
  if (local || !expr->n_args)
    return local ? local : expr;
  tns_expr **arg = TNS_NEW_ARRAY (r->arena, tns_expr *, expr->n_args);
  for (int k = 0; k < expr->n_args; k++)
    arg[k] = use_locals (r, expr->arg[k], at);
  return tns_expr_with_args (r->arena, expr, arg);
}

/* Put a LOCAL for FOUND, set to VALUE, at the end of OUT.  */
static void
add_local (run *r, known *found, tns_expr *value, tns_node *out)
{
  tns_loc loc = r->kid[found->first]->loc;
  const tns_expr *read = found->read;
  const tns_sym *sym = read->op == TNS_SPLAT ? read->arg[0]->sym : read->sym;
  tns_sym *local = tns_region_add_array (r->arena, r->region, sym->name,
                                         sym->type.elem, 0, TNS_SYM_LOCAL);
  local->type = read->type;
  found->local = local;
  tns_block_add (r->arena, out, tns_local (r->arena, loc, local));
  tns_block_add (
    r->arena, out,
    tns_assign (r->arena, loc, tns_cell (r->arena, local), TNS_NONE, value));
}

/* Put the LOCALs of reads that begin at statement AT at the end of OUT.  */
static void
add_locals (run *r, int at, tns_node *out)
{
  for (int k = 0; k < r->n_known; k++)
    {
      known *found = &r->known[k];
      if (found->first == at && found->uses > 1 && !found->stored)
        add_local (r, found, use_locals (r, found->read, at), out);
    }
}

/* NODE, statement AT, stores VALUE: in a LOCAL first when it is read
   again.  */
static tns_expr *
keep_stored (run *r, const tns_node *node, int at, tns_expr *value,
             tns_node *out)
{
  tns_arena *arena = r->arena;
  for (int k = 0; k < r->n_known; k++)
    {
      known *found = &r->known[k];
      if (found->first != at || found->uses < 2 || !found->stored
          || found->before >= 0)
        continue;
      tns_expr *zero = tns_int_of (arena, value->type.elem, 0);
      if (node->mask)
        value = tns_ternary (
          arena, TNS_SELECT, use_locals (r, node->mask, at), value,
          tns_make (arena, TNS_SPLAT, value->type, NULL, 1, &zero));
      add_local (r, found, value, out);
      return tns_cell (arena, found->local);
    }
  return value;
}

/* NODE, statement AT, stores VALUE in some lanes of what is read again: all of
   them in a LOCAL.  */
static tns_expr *
keep_chosen (run *r, const tns_node *node, int at, tns_expr *value,
             tns_node *out)
{
  tns_arena *arena = r->arena;
  for (int k = 0; k < r->n_known; k++)
    {
      known *found = &r->known[k];
      if (found->first != at || found->uses < 2 || found->before < 0)
        continue;
      const tns_expr *read = found->read;
      tns_expr *mask = node->mask;
      if (read->op == TNS_MASKED)
        mask = tns_binary (arena, TNS_LAND, read->arg[read->n_args - 1], mask);
      tns_expr *old = tns_cell (arena, r->known[found->before].local);
      add_local (
        r, found,
        tns_ternary (arena, TNS_SELECT, use_locals (r, mask, at), value, old),
        out);
      value = tns_cell (arena, found->local);
    }
  return value;
}

/* Put statement AT with the LOCALs at the end of OUT.  */
static void
add_statement (run *r, int at, tns_node *out)
{
  tns_node *node = r->kid[at];
  if (node->kind == TNS_ASSIGN)
    {
      tns_expr *value = use_locals (r, node->value, at);
      value = keep_stored (r, node, at, value, out);
      value = keep_chosen (r, node, at, value, out);
      node = tns_node_copy (r->arena, node);
      node->value = value;
      node->mask = use_locals (r, node->mask, at);
      tns_expr *target = node->target;
      tns_expr **arg = TNS_NEW_ARRAY (r->arena, tns_expr *, target->n_args);
      for (int k = 0; k < target->n_args; k++)
        arg[k] = use_locals (r, target->arg[k], at);
      node->target = tns_expr_with_args (r->arena, target, arg);
    }
  tns_block_add (r->arena, out, node);
}

/* What is shared where.  */
typedef struct sharing
{
  tns_arena *arena;
  tns_region *region;
} sharing;

/* NODE belongs to a straight line.  */
static bool
is_straight (const tns_node *node)
{
  return node->kind == TNS_ASSIGN || node->kind == TNS_LOCAL
         || node->kind == TNS_PREFETCH;
}

/* NODE, its parts done.  */
static tns_node *
share_node (tns_node *node, void *self)
{
  sharing *s = self;
  if (node->kind != TNS_BLOCK)
    return node;
  tns_node *out = tns_block (s->arena, node->loc);
  for (int at = 0; at < node->n_kids;)
    {
      run r = { .arena = s->arena, .region = s->region, .kid = node->kid + at };
      while (at + r.n < node->n_kids && is_straight (r.kid[r.n]))
        r.n++;
      note_all (&r);
      for (int k = 0; k < r.n; k++)
        {
          add_locals (&r, k, out);
          add_statement (&r, k, out);
        }
      at += r.n;
      if (at < node->n_kids && r.n == 0)
        tns_block_add (s->arena, out, node->kid[at++]);
    }
  return out;
}

/* What may make a store be seen: a read of SYM.  */
typedef struct witness
{
  const tns_sym *sym;
  bool found;
} witness;

/* Note whether EXPR reads the array.  */
static bool
note_witness (tns_expr *expr, void *self)
{
  witness *w = self;
  w->found |= tns_expr_reads (expr) && expr->sym == w->sym;
  return !w->found;
}

/* NODE, an ASSIGN, reads what STORE stores, or moves the element or the mask
   of STORE.  */
static bool
sees (const tns_node *node, const tns_node *store)
{
  witness w = { store->target->sym, false };
  const tns_sym *sym = node->target->sym;
  tns_expr_walk (node->value, note_witness, &w);
  tns_expr_walk (node->mask, note_witness, &w);
  for (int k = 0; k < node->target->n_args; k++)
    tns_expr_walk (node->target->arg[k], note_witness, &w);
  return w.found || (node->update != TNS_NONE && sym == w.sym)
         || is_placed_by (store->target, sym)
         || (store->mask && tns_expr_mentions (store->mask, sym));
}

/* NODE stores to all that STORE stores to.  */
static bool
covers (const tns_node *node, const tns_node *store)
{
  return tns_expr_equal (node->target, store->target)
         && (!node->mask
             || (store->mask && tns_expr_equal (node->mask, store->mask)));
}

/* The store BLOCK->kid[AT] is made again before anybody reads it.  */
static bool
is_dead (const tns_node *block, int at)
{
  const tns_node *store = block->kid[at];
  if (store->kind != TNS_ASSIGN || !tns_expr_reads_array (store->target)
      || (store->mask && store->mask->type.lanes == 1))
    return false;
  for (int k = at + 1; k < block->n_kids && is_straight (block->kid[k]); k++)
    {
      const tns_node *node = block->kid[k];
      if (node->kind == TNS_ASSIGN && sees (node, store))
        return false;
      if (node->kind == TNS_ASSIGN && covers (node, store))
        return true;
    }
  return false;
}

/* NODE, its parts done, without dead stores.  */
static tns_node *
drop_dead (tns_node *node, void *self)
{
  const sharing *s = self;
  if (node->kind != TNS_BLOCK)
    return node;
  tns_node *out = tns_block (s->arena, node->loc);
  for (int k = 0; k < node->n_kids; k++)
    if (!is_dead (node, k))
      tns_block_add (s->arena, out, node->kid[k]);
  return out;
}

tns_node *
tns_node_share (tns_ctx *ctx, tns_region *region, tns_node *body)
{
  sharing s = { ctx->arena, region };
  body = tns_node_rebuild (ctx->arena, body, share_node, NULL, &s);
  return tns_node_rebuild (ctx->arena, body, drop_dead, NULL, &s);
}
