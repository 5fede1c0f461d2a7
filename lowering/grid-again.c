/* Values that are computed again, as lowering/grid-again.h says.

   An element that is kept (lowering/grid-row.h) suits where its first loop sets
   it by one statement, the next loop that stores it has the same ends and does
   that last, and what the value reads stays as it is in between.  */

#include "lowering/grid-again.h"

#include "ir/walk.h"
#include "lowering/linear.h"

#define MOST_OPERATIONS 12

/* An element being looked at.

   store   the statement of the first loop that sets it
   last    that of the loop that stores it again
   loop    whose statements are being changed
   suits   so far  */
typedef struct again
{
  tns_arena *arena;
  const tns_grid_row *row;
  const tns_row_kept *kept;
  tns_node *body;
  const tns_node *store;
  const tns_node *last;
  const tns_node *loop;
  int operations;
  bool suits;
} again;

/* The loop of A's element that sets it.  */
static tns_node *
first_loop (const again *a)
{
  return a->row->loop[a->kept->first].loop;
}

/* The one that stores it again.  */
static tns_node *
last_loop (const again *a)
{
  return a->row->loop[a->kept->stored].loop;
}

/* The only statement at NODE's top that stores SYM, where all else there that
   mentions it stands behind it, or, where LAST, in front; NULL: there is none
   such.  */
static const tns_node *
only_store (tns_node *node, const tns_sym *sym, bool last)
{
  const tns_node *store = NULL;
  for (int k = 0; k < node->n_kids; k++)
    {
      tns_node *kid = node->kid[k];
      bool sets = kid->kind == TNS_ASSIGN && kid->target->sym == sym;
      if (!sets && tns_node_writes (kid, sym))
        return NULL;
      if ((sets && store) || (sets && kid->mask))
        return NULL;
      if (!sets && tns_node_mentions (kid, sym) && last == (store != NULL))
        return NULL;
      store = sets ? kid : store;
    }
  return store;
}

/* SYM, a cell or an array, is written where the value of A's element is still
   needed.  */
static bool
is_changed (const again *a, const tns_sym *sym)
{
  bool behind = false;
  if (sym->rank > 0)
    return tns_node_writes (a->body, sym);
  for (int k = 0; k < a->body->n_kids; k++)
    {
      behind |= tns_node_holds (a->body->kid[k], first_loop (a));
      if (behind
          && (tns_node_writes (a->body->kid[k], sym)
              || tns_node_declares (a->body->kid[k], sym)))
        return true;
    }
  return false;
}

/* The visitor of the value.  */
static bool
note_value (tns_expr *expr, void *self)
{
  again *a = self;
  a->operations += expr->n_args > 0 && !tns_expr_reads (expr);
  a->suits &= expr->op != TNS_CALL
              && !(tns_expr_reads (expr) && is_changed (a, expr->sym));
  return a->suits;
}

/* No loop between the two stores A's element.  */
static bool
is_next (const again *a)
{
  for (int k = a->kept->first + 1; k < a->kept->stored; k++)
    if (tns_node_writes (a->row->loop[k].loop->body, a->kept->load->sym))
      return false;
  return true;
}

/* A's element suits.  */
static bool
suits (again *a)
{
  const tns_row_kept *kept = a->kept;
  const tns_row_loop *loop = a->row->loop;
  if (!kept->is_set || kept->stored <= kept->first
      || loop[kept->first].from != loop[kept->stored].from
      || loop[kept->first].to != loop[kept->stored].to || !is_next (a))
    return false;
  a->store = only_store (first_loop (a)->body, kept->load->sym, false);
  a->last = only_store (last_loop (a)->body, kept->load->sym, true);
  if (!a->store || !a->last || a->store->update != TNS_NONE
      || tns_expr_mentions (a->store->value, kept->load->sym))
    return false;
  a->suits = true;
  tns_expr_walk (a->store->value, note_value, a);
  return a->suits && a->operations <= MOST_OPERATIONS;
}

/* The changer: A's element is its value.  */
static tns_expr *
use_value (tns_expr *expr, void *self)
{
  const again *a = self;
  if (!tns_expr_reads (expr) || expr->sym != a->kept->load->sym)
    return expr;
  tns_expr *by = tns_value (a->arena, a->loop->iter);
  return tns_expr_substitute (a->arena, a->store->value, 1,
                              &first_loop (a)->iter, &by);
}

/* The same in a whole expression.  */
static tns_expr *
use_values (tns_expr *expr, void *self)
{
  const again *a = self;
  return tns_expr_rebuild (a->arena, expr, use_value, self);
}

/* STATEMENT with the value in place of the element, but for its target.  */
static tns_node *
with_value (const again *a, tns_node *statement)
{
  tns_arena *arena = a->arena;
  if (statement != a->last)
    return tns_node_rebuild (arena, statement, NULL, use_values, (void *) a);
  tns_node *made = tns_node_copy (arena, statement);
  tns_expr *value = statement->update == TNS_NONE
                      ? statement->value
                      : tns_binary (arena, statement->update, statement->target,
                                    statement->value);
  made->update = TNS_NONE;
  made->value = tns_expr_rebuild (arena, value, use_value, (void *) a);
  return made;
}

/* LOOP, between the two or one of them, with the value.  */
static tns_node *
change_loop (again *a, tns_node *loop)
{
  tns_node *made = tns_node_copy (a->arena, loop);
  made->body = tns_block (a->arena, loop->loc);
  a->loop = loop;
  for (int k = 0; k < loop->body->n_kids; k++)
    if (loop->body->kid[k] != a->store)
      tns_block_add (a->arena, made->body, with_value (a, loop->body->kid[k]));
  return made;
}

/* NODE with the loops from A's first to its last changed.  */
static tns_node *
change_node (again *a, tns_node *node)
{
  int k = tns_row_loop_of (a->row, node);
  if (k >= a->kept->first && k <= a->kept->stored)
    return change_loop (a, node);
  if (node->kind != TNS_BLOCK)
    return node;
  tns_node *made = tns_block (a->arena, node->loc);
  for (int kid = 0; kid < node->n_kids; kid++)
    tns_block_add (a->arena, made, change_node (a, node->kid[kid]));
  return made;
}

tns_node *
tns_row_again (tns_arena *arena, const tns_grid_row *row, tns_node *body)
{
  for (int k = 0; k < row->n_kept; k++)
    {
      again a = { .arena = arena, .row = row, .kept = &row->kept[k] };
      a.body = body;
      if (suits (&a))
        return change_node (&a, body);
    }
  return body;
}
