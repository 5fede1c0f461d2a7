/* Contractions for a device, as lowering/grid-tile.h says.  */

#include "lowering/grid-tile.h"

#include "ir/stride.h"
#include "ir/walk.h"
#include "lowering/grid.h"

#define LEAST_DEPTH 16

static const tns_tile_shape shapes_of_words[TNS_TILE_SHAPES]
  = { { 128, 128, 8, 8, 8, 256 }, { 64, 64, 16, 8, 4, 128 } };
static const tns_tile_shape shapes_of_doubles[TNS_TILE_SHAPES]
  = { { 64, 64, 8, 4, 4, 256 }, { 32, 32, 16, 4, 4, 64 } };

/* NODE without blocks of one statement around it.  */
static tns_node *
bare (tns_node *node)
{
  while (node->kind == TNS_BLOCK && node->n_kids == 1)
    node = node->kid[0];
  return node;
}

/* Split BODY, of the innermost shared loop of T, around its only loop, the
   first inner one.  */
static bool
split_body (tns_arena *arena, tns_tile *t, tns_node *body)
{
  tns_node *loop = bare (body)->kind == TNS_LOOP ? bare (body) : NULL;
  t->before = tns_block (arena, body->loc);
  t->after = tns_block (arena, body->loc);
  for (int k = 0; k < body->n_kids && bare (body) != loop; k++)
    {
      tns_node *kid = body->kid[k];
      if (!tns_node_has_loop (kid))
        tns_block_add (arena, loop ? t->after : t->before, kid);
      else if (loop || bare (kid)->kind != TNS_LOOP)
        return false;
      else
        loop = bare (kid);
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
  tns_node *node = bare (t->inner[0]->body);
  for (; node->kind == TNS_LOOP; node = bare (node->body))
    {
      if (t->n_inner == TNS_MOST_TILED)
        return false;
      t->inner[t->n_inner++] = node;
    }
  t->update = node;
  return node->kind == TNS_ASSIGN && tns_op_is_reduction (node->update)
         && !node->mask;
}

/* EXPR has nothing of the loops from LOOP[0] to LOOP[N).  */
static bool
is_fixed (tns_expr *expr, int n, tns_node *const *loop)
{
  bool fixed = true;
  for (int k = 0; k < n; k++)
    fixed &= !tns_expr_mentions (expr, loop[k]->iter);
  return fixed;
}

/* The loops of T are a box; the target of its update stays where it is in the
   inner ones.  */
static bool
is_box (const tns_tile *t)
{
  bool box = is_fixed (t->update->target, t->n_inner, t->inner);
  for (int k = 0; k < t->n_inner; k++)
    {
      tns_node *loop = t->inner[k];
      box &= is_fixed (loop->lo, t->n, t->loop)
             && is_fixed (loop->hi, t->n, t->loop)
             && is_fixed (loop->lo, t->n_inner, t->inner)
             && is_fixed (loop->hi, t->n_inner, t->inner)
             && !tns_expr_loads (loop->lo) && !tns_expr_loads (loop->hi);
    }
  return box;
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
  if (t->n_operands == TNS_MOST_OPERANDS || tns_sym_is_local (expr->sym))
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
  if (!loop || loop->step != 1
      || !tns_access_distance (arena, operand->load, loop->iter, &distance)
      || distance != 1)
    return 1;
  for (int k = 0; k < operand->load->n_args; k++)
    if (tns_expr_loads (operand->load->arg[k]))
      return 1;
  return bytes > 4 ? 2 : 4;
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
        fine &= kid->target->sym == target
                || !tns_sym_is_local (kid->target->sym)
                || !tns_node_mentions (t->after, kid->target->sym);
    }
  bool sets = tns_node_writes (t->before, target);
  return fine && (sets || (!tns_sym_is_local (target) && !t->after->n_kids));
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

bool
tns_tile_find (tns_arena *arena, tns_node *loop, tns_tile *tile)
{
  *tile = (tns_tile){ .n = tns_grid_loops (loop) };
  if (tile->n < 2 || tile->n > TNS_MOST_TILED)
    return false;
  tile->loop[0] = loop;
  for (int k = 1; k < tile->n; k++)
    tile->loop[k] = tns_grid_inner (tile->loop[k - 1]);
  reading r = { tile, true };
  if (!split_body (arena, tile, tile->loop[tile->n - 1]->body)
      || !find_inner (tile) || !is_box (tile) || is_short (arena, tile))
    return false;
  tns_expr_walk (tile->update->value, note_operand, &r);
  return r.suits && tile->n_operands > 1 && find_roles (tile)
         && find_operands (arena, tile) && is_apart (tile)
         && is_restartable (tile);
}

const tns_tile_shape *
tns_tile_shapes (const tns_tile *tile)
{
  int bytes = tns_elem_bytes (tile->update->target->type.elem);
  for (int o = 0; o < tile->n_operands; o++)
    {
      int own = tns_elem_bytes (tile->operand[o].load->type.elem);
      bytes = own > bytes ? own : bytes;
    }
  return bytes > 4 || tile->n_operands > 2 ? shapes_of_doubles
                                           : shapes_of_words;
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

/* ceil (A / B).  */
static tns_expr *
parts_of (tns_arena *arena, tns_expr *a, int b)
{
  return tns_binary (arena, TNS_FLOORDIV,
                     tns_binary (arena, TNS_ADD, a, tns_int (arena, b - 1)),
                     tns_int (arena, b));
}

tns_expr *
tns_tile_blocks (tns_arena *arena, const tns_tile *tile,
                 const tns_tile_shape *shape)
{
  tns_expr *rows = tns_tile_extent (arena, tile, TNS_TILE_ROW);
  tns_expr *columns = tns_tile_extent (arena, tile, TNS_TILE_COLUMN);
  tns_expr *batch = tns_tile_extent (arena, tile, TNS_TILE_BATCH);
  return tns_binary (arena, TNS_MUL, batch,
                     tns_binary (arena, TNS_MUL,
                                 parts_of (arena, rows, shape->rows),
                                 parts_of (arena, columns, shape->columns)));
}
