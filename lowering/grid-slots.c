/* Rows in registers, as lowering/grid-slots.h says.  */

#include "lowering/grid-slots.h"

#include "ir/walk.h"
#include "lowering/grid.h"

#define MOST_WORDS 96
#define WORD       4

/* A look at a block's loops.

   loop     its iterations are blocks'
   lanes    the loop around with lanes, NULL: none
   suits    so far
   seen     what was read once, n_seen of them  */
typedef struct look
{
  tns_arena *arena;
  tns_slots *slots;
  tns_node *loop;
  const tns_node *lanes;
  bool suits;
  int n_seen;
  tns_expr *seen[4 * TNS_MOST_SLOTTED];
} look;

bool
tns_slots_hold (const tns_slots *slots, const tns_sym *sym)
{
  for (int k = 0; k < slots->n_held; k++)
    if (slots->held[k] == sym)
      return true;
  return false;
}

bool
tns_slots_has (const tns_slots *slots, const tns_node *loop)
{
  long long lo;
  return loop->marks.simd > 1 && loop->step == 1
         && tns_expr_is_int (loop->lo, &lo) && lo == 0
         && !tns_expr_loads (loop->hi)
         && tns_expr_equal (loop->hi, slots->lanes->hi);
}

/* The registers of one element of ELEM for each slot.  */
static int
words_of (tns_elem elem)
{
  return (tns_elem_bytes (elem) + WORD - 1) / WORD * TNS_SLOTS;
}

/* The visitor of expressions: arrays that are held are accessed in loops over
   rows, at their iterator.  */
static bool
note_access (tns_expr *expr, void *self)
{
  look *l = self;
  if (!expr->sym || !tns_slots_hold (l->slots, expr->sym))
    return l->suits;
  l->suits &= l->lanes && tns_slots_has (l->slots, l->lanes)
              && expr->op == TNS_LOAD && expr->arg[0]->op == TNS_SYM
              && expr->arg[0]->sym == l->lanes->iter;
  return l->suits;
}

/* The visitor of statements.  */
static bool
note_accesses (tns_node *node, void *self)
{
  look *l = self;
  if (node->kind == TNS_LOOP && node->marks.simd > 1 && !l->lanes)
    {
      tns_node_exprs (node, note_access, l);
      l->lanes = node;
      tns_node_walk (node->body, note_accesses, l);
      l->lanes = NULL;
      return false;
    }
  if (node->kind == TNS_LOOP && l->lanes)
    l->suits = false;
  tns_node_exprs (node, note_access, l);
  return l->suits;
}

/* Find the arrays of BODY's own, no longer than a block's slots.  */
static void
find_held (tns_slots *slots, const tns_node *body)
{
  for (int k = 0; k < body->n_kids; k++)
    {
      const tns_node *kid = body->kid[k];
      long long extent;
      if (kid->kind != TNS_LOCAL || kid->sym->rank != 1
          || !tns_expr_is_int (kid->sym->extent[0], &extent)
          || extent > TNS_SLOTS * TNS_SLOT_THREADS
          || slots->n_held == TNS_MOST_SLOTTED)
        continue;
      slots->held[slots->n_held++] = kid->sym;
      slots->words += words_of (kid->sym->type.elem);
    }
}

/* Find the loop over rows in NODE, a block, and the first loop over one in
   that.  */
static void
find_rows (tns_slots *slots, const tns_node *node)
{
  for (int k = 0; k < node->n_kids && !slots->lanes; k++)
    {
      const tns_node *kid = node->kid[k];
      if (kid->kind == TNS_BLOCK)
        find_rows (slots, kid);
      else if (kid->kind == TNS_LOOP && kid->marks.simd < 2 && !slots->rows)
        {
          slots->rows = kid;
          find_rows (slots, kid->body);
        }
      else if (kid->kind == TNS_LOOP && kid->marks.simd > 1 && slots->rows)
        for (int h = 0; h < slots->n_held; h++)
          if (tns_node_mentions (kid->body, slots->held[h]))
            slots->lanes = kid;
    }
}

/* EXPR, of LOOP, over the iterator of LANES.  */
static tns_expr *
as_in_lanes (tns_arena *arena, const tns_slots *slots, const tns_node *loop,
             tns_expr *expr)
{
  tns_sym *iter = loop->iter;
  tns_expr *by = tns_value (arena, slots->lanes->iter);
  return tns_expr_substitute (arena, expr, 1, &iter, &by);
}

int
tns_slots_load (tns_arena *arena, const tns_slots *slots, const tns_node *loop,
                tns_expr *expr)
{
  if (!tns_expr_reads (expr))
    return -1;
  expr = as_in_lanes (arena, slots, loop, expr);
  for (int k = 0; k < slots->n_loads; k++)
    if (tns_expr_equal (expr, slots->load[k]))
      return k;
  return -1;
}

/* The visitor that finds what is in memory.  */
static bool
note_reading (tns_expr *expr, void *self)
{
  bool *reads = self;
  *reads |= tns_expr_reads (expr);
  return !*reads;
}

/* LOAD is the same whenever the block comes to a row, and moves in it.  */
static bool
is_steady (const look *l, tns_expr *load)
{
  bool reads = tns_sym_is_local (load->sym)
               || tns_node_writes (l->loop->body, load->sym);
  bool moves = false;
  for (int k = 0; k < load->n_args; k++)
    {
      tns_expr_walk (load->arg[k], note_reading, &reads);
      moves |= tns_expr_mentions (load->arg[k], l->lanes->iter);
    }
  return moves && !reads;
}

/* Note LOAD, over the iterator of the slots' loop.  */
static void
add_load (look *l, tns_expr *load, bool once)
{
  tns_slots *slots = l->slots;
  int words = words_of (load->type.elem);
  if (slots->n_loads == TNS_MOST_SLOTTED || slots->words + words > MOST_WORDS)
    return;
  slots->once[slots->n_loads] = once;
  slots->load[slots->n_loads++] = load;
  slots->words += words;
}

/* The visitor of what is computed in any case: a load seen for the second
   time, or for all rows, is taken.  */
static bool
note_load (tns_expr *expr, void *self)
{
  look *l = self;
  if (expr->op == TNS_SELECT || expr->op == TNS_LAND || expr->op == TNS_LOR)
    {
      tns_expr_walk (expr->arg[0], note_load, l);
      return false;
    }
  if (expr->op != TNS_LOAD || !is_steady (l, expr)
      || tns_slots_load (l->arena, l->slots, l->lanes, expr) >= 0)
    return true;
  bool once = !tns_expr_mentions (expr, l->slots->rows->iter);
  bool again = once;
  expr = as_in_lanes (l->arena, l->slots, l->lanes, expr);
  for (int k = 0; k < l->n_seen; k++)
    again |= tns_expr_equal (l->seen[k], expr);
  if (again)
    add_load (l, expr, once);
  else if (l->n_seen < 4 * TNS_MOST_SLOTTED)
    l->seen[l->n_seen++] = expr;
  return true;
}

/* Note what the statements of NODE, of a loop over a row, read in any case.  */
static void
note_loads (look *l, tns_node *node)
{
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    note_loads (l, node->kid[k]);
  if (node->kind == TNS_ASSIGN && !node->mask)
    tns_expr_walk (node->value, note_load, l);
}

/* Find what the loops over a row in BODY, of the loop over rows, read.  */
static void
find_loads (look *l, tns_node *body)
{
  for (int k = 0; k < body->n_kids; k++)
    {
      tns_node *kid = body->kid[k];
      if (kid->kind == TNS_BLOCK)
        find_loads (l, kid);
      else if (kid->kind == TNS_LOOP && tns_slots_has (l->slots, kid))
        {
          l->lanes = kid;
          note_loads (l, kid->body);
        }
    }
}

/* There are arrays of the block's own in loops over rows, all of which are as
   long.  */
static bool
has_rows (const tns_slots *slots)
{
  return slots->n_held > 0 && slots->rows && slots->lanes
         && !tns_expr_loads (slots->lanes->hi)
         && !tns_expr_mentions (slots->lanes->hi, slots->rows->iter);
}

bool
tns_slots_find (tns_arena *arena, tns_node *loop, tns_slots *slots)
{
  look l = { .arena = arena, .slots = slots, .loop = loop, .suits = true };
  *slots = (tns_slots){ .threads = TNS_SLOT_THREADS };
  if (tns_grid_loops (loop) != 1 || loop->body->kind != TNS_BLOCK)
    return false;
  find_held (slots, loop->body);
  find_rows (slots, loop->body);
  if (!has_rows (slots) || slots->words > MOST_WORDS)
    return false;
  tns_node_walk (loop->body, note_accesses, &l);
  if (!l.suits)
    return false;
  find_loads (&l, slots->rows->body);
  return true;
}

tns_expr *
tns_slots_fit_half (tns_arena *arena, const tns_slots *slots)
{
  return tns_binary (arena, TNS_LE, slots->lanes->hi,
                     tns_int (arena, TNS_SLOT_THREADS / 2 * TNS_SLOTS));
}
