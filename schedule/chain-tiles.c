/* A chain's loops in tiles.

     for i = lo to hi { X }

     for T = floor (least lo / size) to floor ((most hi - 1) / size) + 1 {
       local ..;
       for i = size * T - before to size * T + size + after
         if (i >= lo && i < hi) { X }
       ..
     }

   The conditions become bounds again in the model.  The rest between
   trapezoids has iterators, LOCALs and statements of its own.  */

#include "ir/fresh.h"
#include "ir/walk.h"
#include "schedule/box.h"
#include "schedule/halo.h"

/* room[k] is the memory of a tile's own for array k, or NULL.  */
typedef struct builder
{
  tns_ctx *ctx;
  tns_arena *arena;
  const tns_scop *scop;
  const tns_chain *chain;
  tns_region *region;
  tns_sym **room;
} builder;

/* A OP B.  */
static tns_expr *
make (const builder *b, tns_op op, tns_expr *x, tns_expr *y)
{
  return tns_binary (b->arena, op, x, y);
}

/* X + BY.  */
static tns_expr *
plus (const builder *b, tns_expr *x, long by)
{
  return make (b, TNS_ADD, x, tns_int (b->arena, by));
}

/* floor (X / size).  */
static tns_expr *
tile_of (const builder *b, tns_expr *x)
{
  return make (b, TNS_FLOORDIV, x, tns_int (b->arena, b->chain->size));
}

/* The first iteration of the nests that are not done again, or the one behind
   the last.  */
static tns_expr *
end_of (const builder *b, bool last)
{
  tns_expr *end = NULL;
  for (int k = 0; k < b->chain->n; k++)
    if (!b->chain->nest[k].again)
      {
        const tns_node *loop = b->chain->nest[k].loop;
        tns_expr *own = last ? loop->hi : loop->lo;
        if (!end || tns_expr_equal (end, own))
          end = own;
        else
          end = make (b, last ? TNS_MAX : TNS_MIN, end, own);
      }
  return end;
}

/* The first iteration of tile T.  */
static tns_expr *
first_of (const builder *b, tns_sym *t)
{
  return make (b, TNS_MUL, tns_value (b->arena, t),
               tns_int (b->arena, b->chain->size));
}

/* The memory for ARRAY; NULL when its extent is not known.  */
static tns_sym *
room_of (const builder *b, int array)
{
  const tns_sym *sym = b->scop->array[array].sym;
  tns_sym *room
    = tns_region_add_array (b->arena, b->region, sym->name, sym->type.elem,
                            sym->rank, TNS_SYM_LOCAL | TNS_SYM_OBJECT);
  room->spelled = sym->spelled;
  room->loc = sym->loc;
  for (int k = 0; k < sym->rank; k++)
    room->extent[k] = tns_sym_room (b->arena, sym, k);
  if (sym->rank == 0 || room->extent[0])
    return room;
  isl_map *touched = tns_box_footprint (b->scop, NULL, array, 0, NULL);
  isl_set *range = isl_map_range (touched);
  tns_expr *lo = NULL;
  tns_expr *hi = NULL;
  isl_set *below
    = isl_set_upper_bound_si (isl_set_copy (range), isl_dim_set, 0, -1);
  bool bounded = isl_set_is_empty (below) == isl_bool_true
                 && tns_box_bounds (b->scop, range, 0, &lo, &hi);
  isl_set_free (below);
  isl_set_free (range);
  if (!bounded)
    return NULL;
  room->extent[0] = make (b, TNS_MAX, plus (b, hi, 1), tns_int (b->arena, 1));
  return room;
}

/* Make the memory of tiles; false when some array has no extent.  */
static bool
make_rooms (builder *b)
{
  const tns_chain *chain = b->chain;
  b->room = TNS_NEW_ARRAY (b->arena, tns_sym *, b->scop->n_arrays + 1);
  for (int k = 0; k < b->scop->n_arrays; k++)
    for (int j = 0; j < chain->n && !b->room[k]; j++)
      if (chain->nest[j].again && tns_nest_writes (b->scop, &chain->nest[j], k)
          && b->scop->array[k].n_private == 0)
        {
          b->room[k] = room_of (b, k);
          if (!b->room[k])
            return false;
        }
  return true;
}

/* The changer of parts of expressions: an access goes to the tile's
   memory.  */
static tns_expr *
change_access (tns_expr *expr, void *self)
{
  const builder *b = self;
  for (int k = 0; expr->op == TNS_LOAD && k < b->scop->n_arrays; k++)
    if (b->room[k] && b->scop->array[k].sym == expr->sym)
      {
        tns_expr *made = tns_load (b->arena, b->room[k], expr->arg);
        made->loc = expr->loc;
        return made;
      }
  return expr;
}

/* The changer of whole expressions.  */
static tns_expr *
change_expr (tns_expr *expr, void *self)
{
  const builder *b = self;
  return tns_expr_rebuild (b->arena, expr, change_access, self);
}

/* The changer of nodes of a second copy: loops have iterators, and statements
   names, of their own.  */
static tns_node *
rename_node (tns_node *node, void *self)
{
  const builder *b = self;
  if (node->kind == TNS_ASSIGN && node->name)
    node->name = tns_arena_format (b->arena, "%s_rest", node->name);
  if (node->kind != TNS_LOOP)
    return node;
  tns_sym *old = node->iter;
  tns_sym *new = tns_region_add_iter (b->arena, b->region, old->name);
  tns_expr *value = tns_value (b->arena, new);
  new->spelled = old->spelled;
  node->body = tns_node_substitute (b->arena, node->body, 1, &old, &value);
  node->iter = new;
  return node;
}

/* Old loop's body where its iterator, I, is inside of its bounds.  */
static tns_node *
guarded (const builder *b, const tns_node *old, tns_expr *i)
{
  tns_expr *inside = make (b, TNS_LAND, make (b, TNS_GE, i, old->lo),
                           make (b, TNS_LT, i, old->hi));
  tns_node *body = tns_block (b->arena, old->loc);
  tns_block_add (b->arena, body,
                 tns_if (b->arena, old->loc, inside, old->body, NULL));
  return body;
}

/* Nest K in tile T, iterations from BOUNDS[0] to BOUNDS[1] of it.  */
static tns_node *
nest_in_tile (builder *b, int k, tns_sym *t, const long *bounds)
{
  const tns_node *old = b->chain->nest[k].loop;
  tns_expr *first = first_of (b, t);
  tns_node *body = guarded (b, old, tns_value (b->arena, old->iter));
  tns_node *loop
    = tns_loop (b->arena, old->loc, old->iter, plus (b, first, bounds[0]),
                plus (b, first, bounds[1]), 1, body);
  return tns_node_rebuild (b->arena, loop, NULL, change_expr, b);
}

/* Give the statements of TO, a copy of FROM, their names.  */
static void
keep_names (tns_node *to, const tns_node *from)
{
  to->name = from->name;
  for (int k = 0; k < from->n_kids; k++)
    keep_names (to->kid[k], from->kid[k]);
  if (from->body)
    keep_names (to->body, from->body);
  if (from->then)
    keep_names (to->then, from->then);
  if (from->otherwise)
    keep_names (to->otherwise, from->otherwise);
}

/* LOOP with a body of its own: a LOCAL there stands in one place.  */
static const tns_node *
with_own_body (builder *b, const tns_node *loop)
{
  tns_node *own = tns_node_copy (b->arena, loop);
  own->body = tns_node_fresh (b->ctx, b->region, loop->body);
  keep_names (own->body, loop->body);
  return own;
}

/* The same for what is left behind tile T: its own iterator counts from 0, for
   it is no loop to be moved outside of the tiles.  */
static tns_node *
rest_of_nest (builder *b, int k, tns_sym *t, const long *bounds)
{
  const tns_node *old = with_own_body (b, b->chain->nest[k].loop);
  tns_sym *count = old->iter;
  tns_expr *first = plus (b, first_of (b, t), bounds[0]);
  tns_expr *i = make (b, TNS_ADD, first, tns_value (b->arena, old->iter));
  tns_node *body = guarded (b, old, tns_value (b->arena, old->iter));
  body = tns_node_substitute (b->arena, body, 1, &count, &i);
  tns_node *loop
    = tns_loop (b->arena, old->loc, old->iter, tns_int (b->arena, 0),
                tns_int (b->arena, bounds[1] - bounds[0]), 1, body);
  return tns_node_rebuild (b->arena, loop, rename_node, NULL, b);
}

/* Add the nests of tile T to BODY, in PHASE 0 or 1.  */
static void
add_nests (builder *b, tns_node *body, tns_sym *t, int phase)
{
  const tns_chain *chain = b->chain;
  for (int k = 0; k < chain->n; k++)
    {
      const tns_nest *n = &chain->nest[k];
      long more[2] = { -n->before, chain->size + n->after };
      long less[2] = { n->before, chain->size - n->after };
      long rest[2] = { chain->size - n->after, chain->size + n->before };
      if (phase == 0)
        tns_block_add (b->arena, body,
                       nest_in_tile (b, k, t, chain->recompute ? more : less));
      else if (rest[0] < rest[1])
        tns_block_add (b->arena, body, rest_of_nest (b, k, t, rest));
    }
}

/* The loop over tiles, in PHASE 0 or 1.  */
static tns_node *
tiles (builder *b, int phase)
{
  const tns_chain *chain = b->chain;
  tns_loc loc = chain->nest[0].loop->loc;
  tns_node *body = tns_block (b->arena, loc);
  tns_sym *t = tns_region_add_iter (b->arena, b->region, "tile");
  long most = 0;
  for (int k = 0; k < chain->n; k++)
    most = chain->nest[k].after > most ? chain->nest[k].after : most;
  for (int k = 0; k < b->scop->n_arrays && phase == 0; k++)
    if (b->room[k])
      tns_block_add (b->arena, body, tns_local (b->arena, loc, b->room[k]));
  add_nests (b, body, t, phase);
  tns_expr *lo = tile_of (b, end_of (b, false));
  tns_expr *hi = tile_of (b, plus (b, end_of (b, true), phase ? most - 1 : -1));
  lo = phase ? plus (b, lo, -1) : lo;
  hi = phase ? hi : plus (b, hi, 1);
  return tns_loop (b->arena, loc, t, lo, hi, 1, body);
}

/* NODE with the chain in tiles.  */
static tns_node *
replace (builder *b, tns_node *node)
{
  if (node->kind == TNS_LOOP)
    {
      tns_node *loop = tns_node_copy (b->arena, node);
      loop->body = replace (b, node->body);
      return loop;
    }
  if (node->kind != TNS_BLOCK)
    return node;
  tns_node *block = tns_block (b->arena, node->loc);
  for (int k = 0; k < node->n_kids; k++)
    if (node != b->chain->block || k < b->chain->at
        || k >= b->chain->at + b->chain->n)
      tns_block_add (b->arena, block, replace (b, node->kid[k]));
    else if (k == b->chain->at)
      {
        tns_block_add (b->arena, block, tiles (b, 0));
        if (!b->chain->recompute)
          tns_block_add (b->arena, block, tiles (b, 1));
      }
  return block;
}

tns_node *
tns_chain_tiles (tns_ctx *ctx, const tns_scop *scop, const tns_chain *chain,
                 tns_region *region, tns_node *body)
{
  builder b = { ctx, ctx->arena, scop, chain, region, NULL };
  return make_rooms (&b) ? replace (&b, body) : NULL;
}
