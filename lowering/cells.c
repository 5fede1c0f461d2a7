/* Finding the cells of a loop.

   All accesses of the loop's body are noted, each with whether it happens
   in any case.  Those that do not change in the loop are its cells.  A cell
   is lost when

     - a store to its array, or, where it is stored to, any access, may be of
       the same element but is not of the same subscripts, lanes and mask; one
       whose iterators only reach elements beyond, as a[k][j] with j > k does
       for a[k][k], is not, nor an operand of what the loop is marked to sum,
     - it is accessed only under a condition: it might not exist,
     - it is stored to only under a condition: the store behind the loop
       would be one that the program does not make.

   Loops inside count as conditions unless they run at least once; loops that
   are all of the loop's body are put into its guard instead.  */

#include "lowering/cells.h"

#include <string.h>

#include "ir/walk.h"
#include "lowering/linear.h"
#include "schedule/machine.h"

/* One access; loop[0..n_loops) are those of the loop around it, from the
   outside in.  */
typedef struct access
{
  int n_loops;
  tns_node **loop;
  tns_expr *read;
  const tns_expr *mask;
  bool splat;
  bool is_store;
  bool is_update;
  bool always;
} access;

/* Accesses being noted, in a loop with n_outside around it.  */
typedef struct accesses
{
  tns_loop_cells *cells;
  int n_outside;
  int n;
  int room;
  access *access;
  tns_node *chain;
} accesses;

bool
tns_expr_reads_array (const tns_expr *expr)
{
  return tns_expr_reads (expr)
         && !(expr->sym->rank == 0 && tns_sym_is_local (expr->sym));
}

bool
tns_expr_is_read (const tns_expr *expr)
{
  return tns_expr_reads_array (expr)
         || (expr->op == TNS_SPLAT && tns_expr_reads_array (expr->arg[0]));
}

/* The array element that EXPR, a read, is about.  */
static const tns_expr *
element_of (const tns_expr *expr)
{
  return expr->op == TNS_SPLAT ? expr->arg[0] : expr;
}

/* The mask under which EXPR reads, or NULL.  */
static const tns_expr *
mask_of (const tns_expr *expr)
{
  return expr->op != TNS_SPLAT && expr->n_args > expr->sym->rank
           ? expr->arg[expr->sym->rank]
           : NULL;
}

/* Note NODE's iterator, LOCAL or target.  */
static bool
note_symbols (tns_node *node, void *self)
{
  tns_loop_cells *cells = self;
  if (node->kind == TNS_LOOP)
    cells->inside[node->iter->id] = true;
  if (node->kind == TNS_LOCAL)
    cells->inside[node->sym->id] = true;
  if (node->kind == TNS_ASSIGN)
    cells->written[node->target->sym->id] = true;
  if (node->kind == TNS_LOOP && node != cells->loop)
    cells->innermost = false;
  if (node->kind == TNS_LOOP && node->marks.parallel)
    cells->parallel = true;
  return true;
}

/* A question whether an expression stays as it is in a loop.  */
typedef struct constancy
{
  const tns_loop_cells *cells;
  bool holds;
} constancy;

/* Note whether EXPR itself may change.  */
static bool
note_change (tns_expr *expr, void *self)
{
  constancy *s = self;
  if (!expr->sym)
    return s->holds;
  int id = expr->sym->id;
  if (s->cells->inside[id] || (tns_expr_reads (expr) && s->cells->written[id]))
    s->holds = false;
  return s->holds;
}

/* EXPR does not change in the loop.  */
static bool
is_constant (const tns_loop_cells *cells, tns_expr *expr)
{
  constancy s = { cells, true };
  if (expr)
    tns_expr_walk (expr, note_change, &s);
  return s.holds;
}

/* The loops that stand around what is being noted, in MADE.  */
static void
note_loops (const accesses *a, access *made)
{
  const tns_loop_cells *cells = a->cells;
  int first = a->n_outside;
  made->n_loops = cells->n_around - first;
  size_t bytes = sizeof *made->loop * (size_t) made->n_loops;
  made->loop = TNS_NEW_ARRAY (cells->arena, tns_node *, made->n_loops + 1);
  memcpy (made->loop, cells->around + first, bytes);
}

/* Note an access.  */
static void
note (accesses *a, access made)
{
  note_loops (a, &made);
  if (a->n == a->room)
    {
      size_t one = sizeof (access);
      int room = a->room ? 2 * a->room : 32;
      a->access = tns_arena_grow (a->cells->arena, a->access,
                                  (size_t) a->n * one, (size_t) room * one);
      a->room = room;
    }
  a->access[a->n++] = made;
}

/* Note the reads of EXPR, which is evaluated ALWAYS or not.  */
static void
note_reads (accesses *a, tns_expr *expr, bool always)
{
  bool is_read = tns_expr_is_read (expr);
  bool decides
    = expr->op == TNS_SELECT || expr->op == TNS_LAND || expr->op == TNS_LOR;
  bool chooses = decides && expr->arg[0]->type.lanes == 1;
  if (is_read)
    {
      bool splat = expr->op == TNS_SPLAT
                   && !a->cells->written[element_of (expr)->sym->id];
      tns_expr *read = expr->op == TNS_SPLAT && !splat ? expr->arg[0] : expr;
      note (a, (access){ .read = read,
                         .mask = mask_of (read),
                         .splat = splat,
                         .always = always });
      expr = expr->op == TNS_SPLAT ? expr->arg[0] : expr;
    }
  for (int k = 0; k < expr->n_args; k++)
    note_reads (a, expr->arg[k], always && (k == 0 || !chooses));
}

/* Note the accesses of NODE, an ASSIGN.  */
static void
note_assign (accesses *a, const tns_node *node, bool always)
{
  note_reads (a, node->value, always);
  if (node->mask)
    note_reads (a, node->mask, always);
  for (int k = 0; k < node->target->n_args; k++)
    note_reads (a, node->target->arg[k], always);
  if (tns_expr_reads_array (node->target))
    note (a, (access){ .read = node->target,
                       .mask = node->mask,
                       .is_store = true,
                       .is_update = node->update != TNS_NONE,
                       .always = always });
}

/* The loops that stand in each other in NODE.  */
static int
depth_of (tns_node *node)
{
  if (!node)
    return 0;
  tns_node *part[] = { node->body, node->then, node->otherwise };
  int deepest = 0;
  for (int k = 0; k < node->n_kids + 3; k++)
    {
      int d = depth_of (k < 3 ? part[k] : node->kid[k - 3]);
      deepest = d > deepest ? d : deepest;
    }
  return deepest + (node->kind == TNS_LOOP);
}

/* LOOP, inside of the loop, runs whenever that does.  */
static bool
runs (const accesses *a, const tns_node *loop)
{
  return tns_loop_runs (a->cells->arena, loop, a->cells->n_around,
                        a->cells->around);
}

/* The statement that is all of BODY, or BODY.  */
static tns_node *
only_statement (tns_node *body)
{
  while (body->kind == TNS_BLOCK && body->n_kids == 1)
    body = body->kid[0];
  return body;
}

/* LOOP is the end of the chain of loops that run in any case: add it to the
   guard unless it is known to run, and see whether the chain goes on.  */
static void
lengthen_chain (accesses *a, tns_node *loop)
{
  tns_loop_cells *cells = a->cells;
  tns_arena *arena = cells->arena;
  tns_node *next = only_statement (loop->body);
  if (!runs (a, loop))
    {
      tns_expr *cond = tns_binary (arena, loop->step > 0 ? TNS_LT : TNS_GT,
                                   loop->lo, loop->hi);
      cells->guard = cells->guard
                       ? tns_binary (arena, TNS_LAND, cells->guard, cond)
                       : cond;
    }
  if (next->kind == TNS_LOOP && is_constant (cells, next->lo)
      && is_constant (cells, next->hi))
    a->chain = next;
}

/* Note the accesses of NODE.  */
static void
note_node (accesses *a, tns_node *node, bool always)
{
  tns_loop_cells *cells = a->cells;
  tns_expr *own[] = { node->lo, node->hi, node->cond };
  for (int k = 0; k < 3; k++)
    if (own[k] && node != cells->loop)
      note_reads (a, own[k], always);
  if (node->kind == TNS_ASSIGN)
    note_assign (a, node, always);
  for (int k = 0; k < node->n_kids; k++)
    note_node (a, node->kid[k], always);
  if (node->kind == TNS_LOOP)
    {
      int n = cells->n_around;
      bool is_sure = node == a->chain || runs (a, node);
      if (node == a->chain)
        lengthen_chain (a, node);
      cells->around[cells->n_around++] = node;
      note_node (a, node->body, always && is_sure);
      cells->n_around = n;
    }
  if (node->then)
    note_node (a, node->then, false);
  if (node->otherwise)
    note_node (a, node->otherwise, false);
}

/* ONE could be of a cell: its subscripts and mask do not change.  */
static bool
is_fixed (const tns_loop_cells *cells, const access *one)
{
  const tns_expr *element = element_of (one->read);
  if (element->op == TNS_GATHER || cells->inside[element->sym->id]
      || (one->mask && !is_constant (cells, (tns_expr *) one->mask)))
    return false;
  for (int k = 0; k < element->n_args; k++)
    if (!is_constant (cells, element->arg[k]))
      return false;
  return true;
}

/* How ONE lies to CELL, an access of the same array.  */
static tns_cells
compare (tns_arena *arena, const tns_loop_cell *cell, const access *one)
{
  const tns_expr *a = element_of (cell->read);
  const tns_expr *b = element_of (one->read);
  tns_cells found = tns_cells_compare (arena, a, b);
  if (found == TNS_CELLS_SAME
      && (b->op == TNS_GATHER || !tns_expr_equal (cell->mask, one->mask)))
    return TNS_CELLS_UNKNOWN;
  if (found == TNS_CELLS_UNKNOWN && b->op != TNS_GATHER
      && tns_cells_beyond (arena, a, b, one->n_loops, one->loop))
    return TNS_CELLS_APART;
  return found;
}

/* The cell that ONE is of, added when it is the first of it.  */
static void
add_cell (accesses *a, const access *one)
{
  tns_loop_cells *cells = a->cells;
  const tns_sym *sym = element_of (one->read)->sym;
  for (int k = 0; k < cells->n; k++)
    if (element_of (cells->cell[k].read)->sym == sym
        && cells->cell[k].splat == one->splat
        && compare (cells->arena, &cells->cell[k], one) == TNS_CELLS_SAME)
      return;
  cells->cell[cells->n++] = (tns_loop_cell){ .read = one->read,
                                             .splat = one->splat,
                                             .mask = (tns_expr *) one->mask };
}

/* The loop is marked to sum what one of CELL and ONE is of, and the other one
   is no store: an operand, which is apart, or read where the same element is
   stored to, which is judged itself.  */
static bool
is_summed_apart (const tns_loop_cells *cells, const tns_loop_cell *cell,
                 const access *one)
{
  return cells->loop->marks.summed == element_of (cell->read)->sym
         && cell->written != one->is_store;
}

/* What ONE, of the same array, means for CELL; *MET: it may read it under
   another name.  */
static void
judge (const tns_loop_cells *cells, tns_loop_cell *cell, const access *one,
       bool is_written, bool *met)
{
  tns_cells found = compare (cells->arena, cell, one);
  if (found == TNS_CELLS_UNKNOWN && is_summed_apart (cells, cell, one))
    found = TNS_CELLS_APART;
  if (found == TNS_CELLS_UNKNOWN && one->is_store)
    cell->lost = true;
  *met |= found == TNS_CELLS_UNKNOWN;
  if (found != TNS_CELLS_SAME || (!is_written && cell->splat != one->splat))
    return;
  cell->always = cell->always || one->always;
  cell->loaded = cell->loaded || !one->is_store || one->is_update;
  cell->always_written = cell->always_written || (one->is_store && one->always);
}

/* Note whether CELL is stored to.  */
static void
note_store (const accesses *a, tns_loop_cell *cell)
{
  const tns_sym *sym = element_of (cell->read)->sym;
  for (int k = 0; k < a->n && !cell->written; k++)
    {
      const access *one = &a->access[k];
      cell->written = one->is_store && element_of (one->read)->sym == sym
                      && compare (a->cells->arena, cell, one) == TNS_CELLS_SAME;
    }
}

/* Judge all cells by all accesses.  */
static void
judge_all (accesses *a)
{
  tns_loop_cells *cells = a->cells;
  for (int k = 0; k < cells->n; k++)
    {
      tns_loop_cell *cell = &cells->cell[k];
      note_store (a, cell);
      const tns_sym *sym = element_of (cell->read)->sym;
      bool met = false;
      for (int l = 0; l < a->n && !cell->lost; l++)
        if (element_of (a->access[l].read)->sym == sym)
          judge (cells, cell, &a->access[l], cells->written[sym->id], &met);
      cell->lost = cell->lost || !cell->always
                   || (cell->written && (met || !cell->always_written));
    }
}

/* Give up cells that are only read where there are more than registers.  */
static void
spare_registers (tns_loop_cells *cells, int registers)
{
  int n = 0, n_read = 0;
  for (int k = 0; k < cells->n; k++)
    {
      n += !cells->cell[k].lost;
      n_read += !cells->cell[k].lost && !cells->cell[k].written;
    }
  if (n <= registers && (cells->innermost || n_read <= registers / 4))
    return;
  for (int k = 0; k < cells->n; k++)
    if (!cells->cell[k].written)
      cells->cell[k].lost = true;
}

tns_loop_cells
tns_loop_cells_of (tns_ctx *ctx, const tns_region *region, tns_node *loop,
                   int n, tns_node *const *around)
{
  tns_loop_cells cells
    = { .arena = ctx->arena, .loop = loop, .innermost = true };
  accesses a = { .cells = &cells, .n_outside = n, .chain = loop };
  cells.written = TNS_NEW_ARRAY (ctx->arena, bool, region->n_syms);
  cells.inside = TNS_NEW_ARRAY (ctx->arena, bool, region->n_syms);
  cells.around = TNS_NEW_ARRAY (ctx->arena, tns_node *, n + depth_of (loop));
  cells.n_around = n;
  memcpy (cells.around, around, sizeof *around * (size_t) n);
  tns_node_walk (loop, note_symbols, &cells);
  if (cells.parallel)
    return cells;
  note_node (&a, loop, true);
  cells.cell = TNS_NEW_ARRAY (ctx->arena, tns_loop_cell, a.n);
  for (int k = 0; k < a.n; k++)
    if (is_fixed (&cells, &a.access[k]))
      add_cell (&a, &a.access[k]);
  judge_all (&a);
  spare_registers (&cells, ctx->machine->vector_registers);
  return cells;
}

tns_loop_cell *
tns_loop_cell_of (const tns_loop_cells *cells, const tns_expr *expr,
                  const tns_expr *mask)
{
  access one = { .read = (tns_expr *) expr,
                 .mask = mask,
                 .splat = expr->op == TNS_SPLAT };
  if (!mask)
    one.mask = mask_of (expr);
  for (int k = 0; k < cells->n; k++)
    {
      tns_loop_cell *cell = &cells->cell[k];
      if (!cell->lost && cell->splat == one.splat
          && element_of (cell->read)->sym == element_of (expr)->sym
          && compare (cells->arena, cell, &one) == TNS_CELLS_SAME)
        return cell;
    }
  return NULL;
}
