/* Reads across, as lowering/grid-cross.h says.  */

#include "lowering/grid-cross.h"

#include "ir/walk.h"
#include "lowering/along.h"
#include "lowering/grid.h"

#define MOST_BYTES 32768
#define LEAST_SIDE 16

/* A look at what a nest's body does.

   reads  everything of the kind that is looked for is there  */
typedef struct look
{
  tns_arena *arena;
  tns_cross *cross;
  bool suits;
  int n_stores;
  int bytes;
} look;

/* SYM is what all threads see.  */
static bool
is_memory (const tns_sym *sym)
{
  return sym->rank > 0 || !tns_sym_is_local (sym);
}

/* The visitor of statements that counts stores, and finds that all go along
   the same iterator.  */
static bool
note_store (tns_node *node, void *self)
{
  look *l = self;
  tns_cross *c = l->cross;
  if (node->kind == TNS_LOOP || (node->kind == TNS_LOCAL && node->sym->rank))
    l->suits = false;
  if (!l->suits || node->kind != TNS_ASSIGN || !is_memory (node->target->sym))
    return l->suits;
  int along = -1;
  for (int k = 0; k < c->n; k++)
    if (tns_cost_along (l->arena, node->target, c->loop[k]->iter)
        == TNS_ALONG_NEAR)
      along = k;
  l->suits = along >= 0 && (l->n_stores == 0 || along == c->along);
  c->along = along;
  l->n_stores++;
  return l->suits;
}

/* The visitor that finds what moves in a body, or is in memory.  */
static bool
note_moving (tns_expr *expr, void *self)
{
  bool *moves = self;
  *moves |= tns_expr_reads (expr);
  return !*moves;
}

/* LOAD can be read before anything is done: its subscripts are iterators and
   numbers, and nothing writes its array.  */
static bool
is_early (const look *l, tns_expr *load)
{
  const tns_cross *c = l->cross;
  bool moves = tns_sym_is_local (load->sym)
               || tns_node_writes (c->loop[c->n - 1]->body, load->sym);
  for (int k = 0; k < load->n_args; k++)
    tns_expr_walk (load->arg[k], note_moving, &moves);
  return !moves;
}

/* The shared loop along which LOAD goes, which goes far along the stores'; -1:
   there is none.  */
static int
across_of (const look *l, const tns_expr *load)
{
  const tns_cross *c = l->cross;
  tns_sym *along = c->loop[c->along]->iter;
  if (tns_cost_along (l->arena, load, along) != TNS_ALONG_FAR)
    return -1;
  for (int k = 0; k < c->n; k++)
    if (tns_cost_along (l->arena, load, c->loop[k]->iter) == TNS_ALONG_NEAR)
      return k;
  return -1;
}

/* Note LOAD, which is read in any case, where it goes across.  */
static void
note_read (look *l, tns_expr *load)
{
  tns_cross *c = l->cross;
  int across = across_of (l, load);
  int bytes
    = TNS_CROSS_SIDE * (TNS_CROSS_SIDE + 1) * tns_elem_bytes (load->type.elem);
  for (int k = 0; k < c->n_reads; k++)
    if (tns_expr_equal (c->read[k], load))
      return;
  if (across < 0 || (c->n_reads > 0 && across != c->across)
      || c->n_reads == TNS_MOST_CROSS_READS || l->bytes + bytes > MOST_BYTES
      || !is_early (l, load))
    return;
  c->across = across;
  c->read[c->n_reads++] = load;
  l->bytes += bytes;
}

/* The visitor of what is computed in any case.  */
static bool
note_value (tns_expr *expr, void *self)
{
  look *l = self;
  if (expr->op == TNS_SELECT || expr->op == TNS_LAND || expr->op == TNS_LOR)
    {
      tns_expr_walk (expr->arg[0], note_value, l);
      return false;
    }
  if (tns_expr_reads (expr) && expr->op == TNS_LOAD)
    note_read (l, expr);
  return true;
}

/* Note what NODE reads in any case.  */
static void
note_reads (look *l, tns_node *node)
{
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    note_reads (l, node->kid[k]);
  if (node->kind == TNS_ASSIGN && !node->mask)
    tns_expr_walk (node->value, note_value, l);
  if (node->kind == TNS_IF)
    tns_expr_walk (node->cond, note_value, l);
}

bool
tns_cross_find (tns_arena *arena, tns_node *loop, tns_cross *cross)
{
  *cross = (tns_cross){ .n = tns_grid_loops (loop) };
  look l = { .arena = arena, .cross = cross, .suits = true };
  if (cross->n < 2 || cross->n > TNS_MOST_CROSSED)
    return false;
  cross->loop[0] = loop;
  for (int k = 1; k < cross->n; k++)
    cross->loop[k] = tns_grid_inner (cross->loop[k - 1]);
  tns_node *body = cross->loop[cross->n - 1]->body;
  tns_node_walk (body, note_store, &l);
  if (!l.suits || l.n_stores == 0)
    return false;
  note_reads (&l, body);
  return cross->n_reads > 0 && cross->loop[cross->along]->step == 1
         && cross->loop[cross->across]->step == 1;
}

tns_expr *
tns_cross_pays (tns_arena *arena, const tns_cross *cross)
{
  tns_expr *least = tns_int (arena, LEAST_SIDE);
  tns_expr *along = tns_grid_trip (arena, cross->loop[cross->along]);
  tns_expr *across = tns_grid_trip (arena, cross->loop[cross->across]);
  return tns_binary (arena, TNS_LAND, tns_binary (arena, TNS_GE, along, least),
                     tns_binary (arena, TNS_GE, across, least));
}

tns_expr *
tns_cross_blocks (tns_arena *arena, const tns_cross *cross)
{
  tns_expr *blocks = tns_int (arena, 1);
  for (int k = 0; k < cross->n; k++)
    {
      tns_expr *n = tns_grid_trip (arena, cross->loop[k]);
      if (k == cross->along || k == cross->across)
        n = tns_ceil_div (arena, n, tns_int (arena, TNS_CROSS_SIDE));
      blocks = tns_binary (arena, TNS_MUL, blocks, n);
    }
  return blocks;
}
