/* The last vector of a row.

     for i
       for j = 0 to n step 8
         where (j + lane < n) a[i][j]:8 = f (a[i][j]:8)

   The vector behind which row i ends reaches into row i+1.  Its lanes there
   are not stored; but a load from there, the first of row i+1, waits until
   the whole store has reached the cache, as long as a short row takes.  So
   where a row has 8 elements its last 8 are computed first, while they are as
   they were, and stored last, without a mask:

     for i
       t:8 = f (a[i][n-8]:8)
       for j = 0 to n - 8 step 8
         a[i][j]:8 = f (a[i][j]:8)
       a[i][n-8]:8 = t

   Rows that are not changed in place do without masks, too; their last vector
   is computed last, that memory is read in order.

   Elements of both the last two vectors are stored twice, with one value: no
   iteration reads what another stores.

   Does not do: bodies with sums, conditions, or loops, or that read what they
   have stored.  */

#include "lowering/put-off.h"

#include "ir/walk.h"
#include "ir/fresh.h"

#define MOST_STATEMENTS 12

/* A search in vector code.

   loop    whose iterations it does
   sym     what is stored
   found   it is read  */
typedef struct search
{
  const tns_node *loop;
  const tns_sym *sym;
  bool found;
} search;

/* Note whether EXPR reads what is stored.  */
static bool
note_read (tns_expr *expr, void *self)
{
  search *s = self;
  s->found |= tns_expr_reads (expr) && expr->sym == s->sym;
  return !s->found;
}

/* Note whether EXPR is the iterator of a loop around.  */
static bool
note_around (tns_expr *expr, void *self)
{
  search *s = self;
  s->found |= expr->op == TNS_SYM && expr->sym->kind == TNS_SYM_ITER
              && expr->sym != s->loop->iter;
  return !s->found;
}

bool
tns_body_stores_row (const tns_node *loop, const tns_node *body)
{
  search around = { loop, NULL, false };
  if (body->kind == TNS_BLOCK)
    for (int k = 0; k < body->n_kids; k++)
      if (tns_body_stores_row (loop, body->kid[k]))
        return true;
  if (body->kind == TNS_ASSIGN && body->target->n_args > 0)
    tns_expr_walk (body->target, note_around, &around);
  return around.found;
}

/* What is being taken apart.

   body    the vector code, with symbols of its own
   first, last  where its parts go
   in_place  it reads an array that it stores
   n       statements so far
   stored  n_stored arrays that were stored  */
typedef struct parts
{
  tns_arena *arena;
  tns_region *region;
  tns_node *body;
  tns_node *first;
  tns_node *last;
  bool in_place;
  int n;
  int n_stored;
  const tns_sym *stored[MOST_STATEMENTS];
} parts;

/* EXPR reads what was stored.  */
static bool
reads_stored (const parts *p, tns_expr *expr)
{
  search s = { .found = false };
  for (int k = 0; k < p->n_stored && !s.found; k++)
    {
      s.sym = p->stored[k];
      tns_expr_walk (expr, note_read, &s);
    }
  return s.found;
}

/* Note whether EXPR reads memory.  */
static bool
note_any (tns_expr *expr, void *self)
{
  bool *found = self;
  *found |= tns_expr_reads (expr);
  return !*found;
}

/* Some subscript of TARGET reads memory.  */
static bool
reads_subscript (const tns_expr *target)
{
  bool found = false;
  for (int k = 0; k < target->n_args; k++)
    tns_expr_walk (target->arg[k], note_any, &found);
  return found;
}

/* Take NODE, a store to an array, apart.  */
static void
keep_value (parts *p, const tns_node *node)
{
  const tns_expr *target = node->target;
  tns_sym *kept = tns_region_add_array (p->arena, p->region, "last",
                                        target->type.elem, 0, TNS_SYM_LOCAL);
  kept->type.lanes = target->type.lanes;
  tns_expr *cell = tns_cell (p->arena, kept);
  tns_block_add (p->arena, p->first, tns_local (p->arena, node->loc, kept));
  tns_block_add (p->arena, p->first,
                 tns_assign (p->arena, node->loc, cell, TNS_NONE, node->value));
  tns_node *store = tns_node_copy (p->arena, node);
  store->value = cell;
  tns_block_add (p->arena, p->last, store);
  p->stored[p->n_stored++] = target->sym;
}

/* The visitor: note whether NODE reads what is stored.  */
static bool
note_value (tns_node *node, void *self)
{
  tns_expr_walk (node->value, note_read, self);
  return !((search *) self)->found;
}

/* The visitor: note in SELF, parts, whether what NODE stores is read.  */
static bool
note_place (tns_node *node, void *self)
{
  parts *p = self;
  search s = { .found = false };
  if (node->kind == TNS_ASSIGN && node->target->n_args > 0)
    {
      s.sym = node->target->sym;
      tns_node_walk (p->body, note_value, &s);
    }
  p->in_place |= s.found;
  return true;
}

/* Take NODE apart.  Whether that is right.  */
static bool
take_apart (parts *p, tns_node *node)
{
  if (node->kind == TNS_BLOCK)
    {
      for (int k = 0; k < node->n_kids; k++)
        if (!take_apart (p, node->kid[k]))
          return false;
      return true;
    }
  bool stores = node->kind == TNS_ASSIGN && node->target->n_args > 0;
  if (p->n++ == MOST_STATEMENTS
      || (node->kind != TNS_LOCAL && node->kind != TNS_ASSIGN))
    return false;
  if (node->kind == TNS_ASSIGN
      && (node->mask || node->update != TNS_NONE
          || reads_stored (p, node->value)))
    return false;
  if (stores && reads_subscript (node->target))
    return false;
  if (!p->in_place)
    tns_block_add (p->arena, p->last, node);
  else if (stores)
    keep_value (p, node);
  else
    tns_block_add (p->arena, p->first, node);
  return true;
}

bool
tns_body_put_off (tns_ctx *ctx, tns_region *region, tns_node *body,
                  tns_sym *iter, tns_expr *at, tns_node *first, tns_node *last)
{
  tns_node *own = tns_node_fresh (ctx, region, body);
  own = tns_node_substitute (ctx->arena, own, 1, &iter, &at);
  parts p = { ctx->arena, region, own, first, last, false, 0, 0, { NULL } };
  tns_node_walk (own, note_place, &p);
  return take_apart (&p, own);
}
