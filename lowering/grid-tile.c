/* Contractions for a device, as lowering/grid-tile.h says.  */

#include "lowering/grid-tile.h"

#include "ir/affine.h"
#include "ir/stride.h"
#include "ir/walk.h"
#include "lowering/grid.h"

#define LEAST_DEPTH 16

/* Words that are read several at once, or one by one, from places that each
   need registers to be told; doubles.  */
static const tns_tile_shape shapes_of_words[TNS_TILE_SHAPES]
  = { { 128, 128, 8, 8, 16, 128, 2 },
      { 64, 64, 16, 4, 8, 128, 3 },
      { 32, 64, 16, 4, 4, 128, 4 } };
static const tns_tile_shape shapes_of_places[TNS_TILE_SHAPES]
  = { { 128, 128, 8, 8, 8, 256, 1 },
      { 64, 64, 16, 4, 8, 128, 2 },
      { 32, 64, 16, 4, 4, 128, 3 } };
static const tns_tile_shape shapes_of_doubles[TNS_TILE_SHAPES]
  = { { 64, 64, 8, 4, 4, 256, 2 }, { 32, 32, 16, 4, 4, 64, 4 } };

/* Split BODY, of the innermost shared loop of T, around its only loop, the
   first inner one.  */
static bool
split_body (tns_arena *arena, tns_tile *t, tns_node *body)
{
  tns_node *loop
    = tns_node_bare (body)->kind == TNS_LOOP ? tns_node_bare (body) : NULL;
  t->before = tns_block (arena, body->loc);
  t->after = tns_block (arena, body->loc);
  for (int k = 0; k < body->n_kids && tns_node_bare (body) != loop; k++)
    {
      tns_node *kid = body->kid[k];
      if (!tns_node_has_loop (kid))
        tns_block_add (arena, loop ? t->after : t->before, kid);
      else if (loop || tns_node_bare (kid)->kind != TNS_LOOP)
        return false;
      else
        loop = tns_node_bare (kid);
    }
  t->inner[0] = loop;
  return loop != NULL;
}

/* Find the inner loops of T from the first one on, and what is updated in
   them.  */
static bool
find_inner (tns_tile *t)
{
  t->n_inner = 1;
  tns_node *node = tns_node_bare (t->inner[0]->body);
  for (; node->kind == TNS_LOOP; node = tns_node_bare (node->body))
    {
      if (t->n_inner == TNS_MOST_TILED)
        return false;
      t->inner[t->n_inner++] = node;
    }
  t->update = node;
  return node->kind == TNS_ASSIGN && tns_op_is_reduction (node->update)
         && !node->mask;
}

/* EXPR has something of the loops from LOOP[0] to LOOP[N).  */
static bool
is_moved (tns_expr *expr, int n, tns_node *const *loop)
{
  bool moved = false;
  for (int k = 0; k < n; k++)
    moved |= tns_expr_mentions (expr, loop[k]->iter);
  return moved;
}

/* A box being made: the loops so far and what their iterators may be.  */
typedef struct box
{
  tns_arena *arena;
  int n;
  tns_node *loop[2 * TNS_MOST_TILED];
  tns_reach reach[2 * TNS_MOST_TILED];
} box;

/* Add LOOP, whose bounds stay where they are, to B.  */
static void
add_to_box (box *b, tns_node *loop)
{
  bool up = loop->step > 0;
  tns_expr *inside = tns_binary (b->arena, up ? TNS_SUB : TNS_ADD, loop->hi,
                                 tns_int (b->arena, 1));
  b->loop[b->n] = loop;
  b->reach[b->n++] = up ? (tns_reach){ loop->iter, loop->lo, inside }
                        : (tns_reach){ loop->iter, inside, loop->lo };
}

/* Note in EDGE[*N] the side of LOOP that has BOUND, and what BOUND is for all
   of B.  NULL: that is not known.  */
static tns_expr *
straighten (box *b, tns_node *loop, bool upper, int *n, tns_edge *edge)
{
  tns_expr *bound = upper ? loop->hi : loop->lo;
  if (!is_moved (bound, b->n, b->loop))
    return bound;
  if (*n == TNS_MOST_EDGES || loop->step != 1)
    return NULL;
  edge[(*n)++] = (tns_edge){ loop->iter, bound, upper };
  return tns_reach_extreme (b->arena, bound, upper, b->n, b->reach);
}

/* The loop *LOOP as one of B, its moving sides in EDGE[*N..).  */
static bool
box_loop (box *b, tns_node **loop, int *n, tns_edge *edge)
{
  int before = *n;
  tns_node *was = *loop;
  tns_expr *lo = straighten (b, was, false, n, edge);
  tns_expr *hi = straighten (b, was, true, n, edge);
  if (!lo || !hi || tns_expr_loads (lo) || tns_expr_loads (hi))
    return false;
  if (*n > before)
    {
      *loop = tns_node_copy (b->arena, was);
      (*loop)->lo = lo;
      (*loop)->hi = hi;
    }
  add_to_box (b, *loop);
  return true;
}

/* Make a box of the loops of T.  The target of its update stays where it is in
   the inner ones.  */
static bool
make_box (tns_arena *arena, tns_tile *t)
{
  box b = { .arena = arena };
  tns_node *first = t->inner[0];
  for (int k = 0; k < t->n; k++)
    if (!box_loop (&b, &t->loop[k], &t->n_edges, t->edge))
      return false;
  for (int k = 0; k < t->n_inner; k++)
    if (!box_loop (&b, &t->inner[k], &t->n_inner_edges, t->inner_edge))
      return false;
  t->moving = t->n_inner_edges > 0 ? first : NULL;
  return (!t->moving || t->n_inner == 1)
         && !is_moved (t->update->target, t->n_inner, t->inner);
}

/* SYM is a cell of an iteration; a LOCAL of more is memory of the device, which
   its kernels are given.  */
static bool
is_cell (const tns_sym *sym)
{
  return tns_sym_is_local (sym) && sym->rank == 0;
}

/* A look at what an update reads.  */
typedef struct reading
{
  tns_tile *tile;
  bool suits;
} reading;

/* The visitor.  */
static bool
note_operand (tns_expr *expr, void *self)
{
  reading *r = self;
  tns_tile *t = r->tile;
  if (expr->op == TNS_SYM && expr->sym->kind == TNS_SYM_ITER)
    r->suits = false;
  if (!tns_expr_reads (expr))
    return r->suits;
  for (int k = 0; k < t->n_operands; k++)
    if (tns_expr_equal (t->operand[k].load, expr))
      return false;
  if (t->n_operands == TNS_MOST_OPERANDS || is_cell (expr->sym))
    r->suits = false;
  else
    t->operand[t->n_operands++].load = expr;
  return false;
}

/* The operands of T that depend on its loop K, a bit each.  */
static unsigned
dependents (const tns_tile *t, int k)
{
  unsigned bits = 0;
  for (int o = 0; o < t->n_operands; o++)
    if (tns_expr_mentions (t->operand[o].load, t->loop[k]->iter))
      bits |= 1u << o;
  return bits;
}

/* Tell batches, rows and columns apart.  False where there are no rows.  */
static bool
find_roles (tns_tile *t)
{
  unsigned columns = dependents (t, t->n - 1);
  bool rows = false;
  for (int k = 0; k < t->n; k++)
    {
      unsigned bits = dependents (t, k);
      t->role[k] = bits == columns             ? TNS_TILE_COLUMN
                   : bits && !(bits & columns) ? TNS_TILE_ROW
                                               : TNS_TILE_BATCH;
      rows |= t->role[k] == TNS_TILE_ROW;
    }
  return rows && columns;
}

/* Loop K of T has to do with an edge.  */
static bool
is_at_edge (const tns_tile *t, int k)
{
  bool found = false;
  const tns_sym *iter = t->loop[k]->iter;
  for (int e = 0; e < t->n_edges; e++)
    found
      |= t->edge[e].iter == iter || tns_expr_mentions (t->edge[e].bound, iter);
  for (int e = 0; e < t->n_inner_edges; e++)
    found |= tns_expr_mentions (t->inner_edge[e].bound, iter);
  return found;
}

/* A row or column loop of T at an edge counts them alone, one by one.  */
static bool
is_plain_at_edges (const tns_tile *t)
{
  bool plain = true;
  for (int k = 0; k < t->n; k++)
    for (int j = 0; j < t->n; j++)
      if (t->role[k] != TNS_TILE_BATCH && is_at_edge (t, k))
        plain &= t->loop[k]->step == 1 && (j == k || t->role[j] != t->role[k]);
  return plain;
}

/* LOAD goes to the next element with the iterator of the innermost inner
   loop.  */
static bool
goes_along (const tns_tile *t, const tns_expr *load)
{
  const tns_sym *iter = t->inner[t->n_inner - 1]->iter;
  return load->n_args > 0
         && tns_expr_mentions (load->arg[load->n_args - 1], iter);
}

/* The loop whose iterations OPERAND's neighbours are; NULL where they are those
   of several.  */
static const tns_node *
loop_along (const tns_tile *t, const tns_operand *operand)
{
  const tns_node *only = NULL;
  if (operand->along)
    return t->n_inner == 1 ? t->inner[0] : NULL;
  for (int k = 0; k < t->n; k++)
    if (t->role[k] == operand->role)
      {
        if (only)
          return NULL;
        only = t->loop[k];
      }
  return only;
}

/* How many neighbours of OPERAND make 16 bytes, 4 at most; 1 where they do not
   lie side by side, or data tell where they lie.  */
static int
width_of (tns_arena *arena, const tns_tile *t, const tns_operand *operand)
{
  long long distance;
  const tns_node *loop = loop_along (t, operand);
  int bytes = tns_elem_bytes (operand->load->type.elem);
  if (!loop || loop->step != 1 || tns_tile_is_uneven (t)
      || !tns_access_distance (arena, operand->load, loop->iter, &distance)
      || distance != 1)
    return 1;
  for (int k = 0; k < operand->load->n_args; k++)
    if (tns_expr_loads (operand->load->arg[k]))
      return 1;
  return bytes > 4 ? 2 : 4;
}

/* From one value of T's only inner loop to the next OPERAND goes the same way
   always.  */
static bool
goes_evenly (tns_arena *arena, const tns_tile *t, const tns_operand *operand)
{
  const tns_sym *iter = t->inner[0]->iter;
  bool even = t->n_inner == 1;
  for (int k = 0; even && k < operand->load->n_args; k++)
    {
      tns_sum sum = tns_sum_of (arena, operand->load->arg[k]);
      even &= sum.n >= 0;
      for (int i = 0; i < sum.n; i++)
        {
          int times = 0;
          const tns_term *term = &sum.term[i];
          for (int a = 0; a < term->n_atoms; a++)
            if (tns_atom_symbol (term->atom[a]) == iter)
              times++;
            else
              even &= !tns_expr_mentions (term->atom[a], iter);
          even &= times < 2;
        }
    }
  return even;
}

/* Tell row operands and column operands apart.  False where one is both.  */
static bool
find_operands (tns_arena *arena, tns_tile *t)
{
  for (int o = 0; o < t->n_operands; o++)
    {
      bool by[3] = { false, false, false };
      tns_operand *operand = &t->operand[o];
      for (int k = 0; k < t->n; k++)
        by[t->role[k]] |= tns_expr_mentions (operand->load, t->loop[k]->iter);
      if (by[TNS_TILE_ROW] && by[TNS_TILE_COLUMN])
        return false;
      operand->role = by[TNS_TILE_COLUMN] ? TNS_TILE_COLUMN : TNS_TILE_ROW;
      operand->along = goes_along (t, operand->load);
      operand->wide = width_of (arena, t, operand);
      operand->even = operand->wide == 1 || goes_evenly (arena, t, operand);
    }
  return true;
}

/* What T reads is not written in it; its target is touched by the update, and
   around the inner loops, alone.  */
static bool
is_apart (const tns_tile *t)
{
  bool apart = true;
  for (int o = 0; o < t->n_operands; o++)
    {
      const tns_sym *sym = t->operand[o].load->sym;
      apart &= sym != t->update->target->sym
               && !tns_node_writes (t->before, sym)
               && !tns_node_writes (t->after, sym);
    }
  return apart;
}

/* The cells of T that are set before the inner loops are not needed behind
   them, but for the one that is updated; what is updated in memory is set
   before, or nothing is done behind.  */
static bool
is_restartable (const tns_tile *t)
{
  const tns_sym *target = t->update->target->sym;
  bool fine = true;
  for (int k = 0; k < t->before->n_kids; k++)
    {
      const tns_node *kid = t->before->kid[k];
      if (kid->kind == TNS_LOCAL)
        fine &= kid->sym->rank == 0;
      else if (kid->kind != TNS_ASSIGN)
        fine = false;
      else
        fine &= kid->target->sym == target || !is_cell (kid->target->sym)
                || !tns_node_mentions (t->after, kid->target->sym);
    }
  bool sets = tns_node_writes (t->before, target);
  return fine && (sets || (!is_cell (target) && !t->after->n_kids));
}

/* The inner loops are too short to read anything twice.  */
static bool
is_short (tns_arena *arena, const tns_tile *t)
{
  long long length = 1;
  for (int k = 0; k < t->n_inner; k++)
    {
      long long trip;
      if (!tns_expr_is_int (tns_grid_trip (arena, t->inner[k]), &trip))
        return false;
      length *= trip;
    }
  return length < LEAST_DEPTH;
}

/* How many loops from LOOP on its marks ask for, moving bounds or not.  */
static int
count_shared (tns_node *loop)
{
  int n = 1;
  for (tns_node *inner = tns_grid_inner (loop);
       n < loop->marks.collapse && inner; inner = tns_grid_inner (inner))
    n++;
  return n;
}

bool
tns_tile_find (tns_arena *arena, tns_node *loop, tns_tile *tile)
{
  *tile = (tns_tile){ .n = count_shared (loop), .stages = loop->marks.stages };
  if (tile->n < 2 || tile->n > TNS_MOST_TILED)
    return false;
  tile->loop[0] = loop;
  for (int k = 1; k < tile->n; k++)
    tile->loop[k] = tns_grid_inner (tile->loop[k - 1]);
  reading r = { tile, true };
  if (!split_body (arena, tile, tile->loop[tile->n - 1]->body)
      || !find_inner (tile) || !make_box (arena, tile)
      || is_short (arena, tile))
    return false;
  tns_expr_walk (tile->update->value, note_operand, &r);
  return r.suits && tile->n_operands > 1 && find_roles (tile)
         && is_plain_at_edges (tile) && find_operands (arena, tile)
         && is_apart (tile) && is_restartable (tile);
}

bool
tns_tile_is_uneven (const tns_tile *tile)
{
  return tile->n_edges > 0 || tile->n_inner_edges > 0;
}

const tns_tile_shape *
tns_tile_shapes (const tns_tile *tile)
{
  int bytes = tns_elem_bytes (tile->update->target->type.elem);
  bool wide = true;
  for (int o = 0; o < tile->n_operands; o++)
    {
      int own = tns_elem_bytes (tile->operand[o].load->type.elem);
      bytes = own > bytes ? own : bytes;
      wide &= tile->operand[o].wide > 1 && tile->operand[o].even;
    }
  if (bytes > 4 || tile->n_operands > 2)
    return shapes_of_doubles;
  return wide ? shapes_of_words : shapes_of_places;
}

tns_expr *
tns_tile_extent (tns_arena *arena, const tns_tile *tile, tns_tile_role role)
{
  tns_expr *extent = tns_int (arena, 1);
  for (int k = 0; k < tile->n; k++)
    if (tile->role[k] == role)
      extent = tns_binary (arena, TNS_MUL, extent,
                           tns_grid_trip (arena, tile->loop[k]));
  return extent;
}

tns_expr *
tns_tile_blocks (tns_arena *arena, const tns_tile *tile,
                 const tns_tile_shape *shape)
{
  tns_expr *rows = tns_tile_extent (arena, tile, TNS_TILE_ROW);
  tns_expr *columns = tns_tile_extent (arena, tile, TNS_TILE_COLUMN);
  tns_expr *batch = tns_tile_extent (arena, tile, TNS_TILE_BATCH);
  return tns_binary (
    arena, TNS_MUL, batch,
    tns_binary (
      arena, TNS_MUL, tns_ceil_div (arena, rows, tns_int (arena, shape->rows)),
      tns_ceil_div (arena, columns, tns_int (arena, shape->columns))));
}
