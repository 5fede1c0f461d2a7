/* Scans, as lowering/grid-scan.h says.

   1. the only statement that sets a cell from outside: s op= value, or
      v = s op value and s = v
   2. what the value needs: cells of the iteration's own, none of which follows
      from s
   3. elements that are stored belong to one iteration each  */

#include "lowering/grid-scan.h"

#include "ir/walk.h"
#include "lowering/linear.h"

/* A loop being looked at.

   at       the statement with the operator
   sets     the one that sets the cell: the same, or one behind it
   is_fixed its bounds stay, as far as they were looked at  */
typedef struct finder
{
  tns_arena *arena;
  const tns_node *loop;
  tns_scan *scan;
  int at;
  int sets;
  bool is_fixed;
} finder;

/* SYM is a cell that NODE does not declare.  */
static bool
is_outside (const tns_node *node, const tns_sym *sym)
{
  return sym->rank == 0 && tns_sym_is_local (sym)
         && !tns_node_declares ((tns_node *) node, sym);
}

/* BODY is cells' declarations and assignments without masks.  */
static bool
is_flat (const tns_node *body)
{
  bool flat = body->kind == TNS_BLOCK;
  for (int k = 0; flat && k < body->n_kids; k++)
    flat = (body->kid[k]->kind == TNS_LOCAL && body->kid[k]->sym->rank == 0)
           || (body->kid[k]->kind == TNS_ASSIGN && !body->kid[k]->mask);
  return flat;
}

/* The only statement of F's loop that sets SYM, -1: there are more, or
   none.  */
static int
only_setter (const finder *f, const tns_sym *sym)
{
  int only = -1;
  for (int k = 0; k < f->loop->body->n_kids; k++)
    {
      const tns_node *kid = f->loop->body->kid[k];
      if (kid->kind != TNS_ASSIGN || kid->target->sym != sym)
        continue;
      if (only >= 0)
        return -1;
      only = k;
    }
  return only;
}

/* EXPR reads SYM, a cell, and is nothing more.  */
static bool
is_cell (const tns_expr *expr, const tns_sym *sym)
{
  return tns_expr_reads (expr) && expr->n_args == 0 && expr->sym == sym;
}

/* Note that F's cell becomes OP of itself and VALUE.  False where that is no
   scan.  */
static bool
note_update (finder *f, tns_op op, tns_expr *value)
{
  f->scan->op = op;
  f->scan->value = value;
  return tns_op_is_reduction (op) && !tns_expr_mentions (value, f->scan->cell)
         && value->type.elem == f->scan->cell->type.elem;
}

/* Find what F's cell becomes.  */
static bool
find_update (finder *f)
{
  const tns_sym *cell = f->scan->cell;
  tns_node **kid = f->loop->body->kid;
  f->at = f->sets;
  if (kid[f->sets]->update != TNS_NONE)
    return note_update (f, kid[f->sets]->update, kid[f->sets]->value);
  tns_expr *value = kid[f->sets]->value;
  if (tns_expr_reads (value) && value->n_args == 0 && value->sym->rank == 0)
    {
      f->at = only_setter (f, value->sym);
      if (f->at < 0 || f->at > f->sets || kid[f->at]->update != TNS_NONE
          || is_outside (f->loop->body, value->sym))
        return false;
      value = kid[f->at]->value;
    }
  if (value->n_args != 2)
    return false;
  int own = is_cell (value->arg[0], cell) ? 0 : 1;
  return is_cell (value->arg[own], cell)
         && note_update (f, value->op, value->arg[1 - own]);
}

/* What is computed for the value behind statement number K of F's loop reads
   what that stores.  */
static bool
is_stored_first (const finder *f, int k)
{
  tns_node **kid = f->loop->body->kid;
  const tns_sym *sym = kid[k]->target->sym;
  bool reads = tns_expr_mentions (f->scan->value, sym);
  for (int next = k + 1; next < f->at; next++)
    reads |= kid[next]->kind == TNS_ASSIGN && kid[next]->target->sym->rank == 0
             && tns_expr_mentions (kid[next]->value, sym);
  return reads;
}

/* The cell that NODE, an assignment or a declaration, is about.  */
static const tns_sym *
cell_of (const tns_node *node)
{
  return node->kind == TNS_LOCAL ? node->sym : node->target->sym;
}

/* The value, or what of F's loop is KEPT behind statement number K, needs what
   that does.  */
static bool
is_needed (const finder *f, const bool *kept, int k)
{
  tns_node **kid = f->loop->body->kid;
  const tns_sym *sym = cell_of (kid[k]);
  bool needed = tns_expr_mentions (f->scan->value, sym);
  for (int next = k + 1; next < f->at; next++)
    needed |= kept[next] && tns_node_mentions (kid[next], sym);
  return needed;
}

/* Gather what the value needs.  False where that follows from the cell, or is
   stored in front.  */
static bool
find_first (finder *f)
{
  tns_node **kid = f->loop->body->kid;
  bool *kept = TNS_NEW_ARRAY (f->arena, bool, f->at + 1);
  for (int k = f->at - 1; k >= 0; k--)
    {
      bool stores = cell_of (kid[k])->rank > 0;
      kept[k] = !stores && is_needed (f, kept, k);
      if ((stores && is_stored_first (f, k))
          || (kept[k] && tns_node_mentions (kid[k], f->scan->cell)))
        return false;
    }
  f->scan->first = tns_block (f->arena, f->loop->loc);
  for (int k = 0; k < f->at; k++)
    if (kept[k])
      tns_block_add (f->arena, f->scan->first, kid[k]);
  return true;
}

/* TARGET is another element in each iteration of F's loop.  */
static bool
moves (const finder *f, const tns_expr *target)
{
  tns_sym *iter = f->loop->iter;
  tns_expr *next = tns_binary (f->arena, TNS_ADD, tns_value (f->arena, iter),
                               tns_int (f->arena, 1));
  for (int k = 0; k < target->n_args; k++)
    {
      long long d;
      tns_expr *moved
        = tns_expr_substitute (f->arena, target->arg[k], 1, &iter, &next);
      if (!tns_expr_loads (moved)
          && tns_linear_distance (f->arena, moved, target->arg[k], &d)
          && d != 0)
        return true;
    }
  return false;
}

/* A look at the accesses of what is stored to.  */
typedef struct accesses
{
  tns_arena *arena;
  const tns_expr *target;
  bool same;
} accesses;

/* The visitor of expressions.  */
static bool
note_access (tns_expr *expr, void *self)
{
  accesses *a = self;
  if (tns_expr_reads (expr) && expr->sym == a->target->sym)
    a->same &= tns_cells_compare (a->arena, expr, a->target) == TNS_CELLS_SAME;
  return a->same;
}

/* The visitor of statements.  */
static bool
note_accesses (tns_node *node, void *self)
{
  tns_node_exprs (node, note_access, self);
  return true;
}

/* What F's loop stores no other iteration accesses; all cells but the scan's
   are its own.  */
static bool
is_apart (const finder *f)
{
  const tns_node *body = f->loop->body;
  for (int k = 0; k < body->n_kids; k++)
    {
      const tns_expr *target = body->kid[k]->target;
      if (body->kid[k]->kind != TNS_ASSIGN || k == f->sets)
        continue;
      if (target->sym->rank == 0 && tns_sym_is_local (target->sym))
        {
          if (is_outside (body, target->sym))
            return false;
          continue;
        }
      accesses a = { f->arena, target, moves (f, target) };
      if (a.same)
        tns_node_walk (f->loop->body, note_accesses, &a);
      if (!a.same)
        return false;
    }
  return true;
}

/* A bound of F's loop being looked at.  */
static bool
note_bound (tns_expr *expr, void *self)
{
  finder *f = self;
  f->is_fixed
    &= !tns_expr_reads (expr) || !tns_node_writes (f->loop->body, expr->sym);
  return f->is_fixed;
}

/* Nothing in F's loop changes how far it runs.  */
static bool
is_fixed (finder *f)
{
  f->is_fixed = true;
  tns_expr_walk (f->loop->lo, note_bound, f);
  tns_expr_walk (f->loop->hi, note_bound, f);
  return f->is_fixed;
}

/* Something in F's loop but the operator reads what the cell becomes.  */
static bool
is_seen (const finder *f)
{
  const tns_node *body = f->loop->body;
  const tns_sym *made = body->kid[f->at]->target->sym;
  bool seen = false;
  for (int k = 0; k < body->n_kids; k++)
    if (body->kid[k]->kind == TNS_ASSIGN && k != f->at && k != f->sets)
      seen |= tns_node_mentions (body->kid[k], f->scan->cell)
              || tns_node_mentions (body->kid[k], made);
  return seen;
}

bool
tns_scan_find (tns_arena *arena, const tns_node *loop, tns_scan *scan)
{
  const tns_node *body = loop->body;
  finder f = { .arena = arena, .loop = loop, .scan = scan };
  *scan = (tns_scan){ .cell = NULL };
  if (loop->kind != TNS_LOOP || loop->marks.parallel || loop->step != 1
      || !is_flat (body) || !is_fixed (&f))
    return false;
  for (int k = 0; k < body->n_kids && !scan->cell; k++)
    if (body->kid[k]->kind == TNS_ASSIGN
        && is_outside (body, body->kid[k]->target->sym))
      scan->cell = body->kid[k]->target->sym;
  if (!scan->cell)
    return false;
  f.sets = only_setter (&f, scan->cell);
  return f.sets >= 0 && find_update (&f) && find_first (&f) && is_apart (&f)
         && is_seen (&f);
}
