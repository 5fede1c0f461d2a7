/* Temporaries that survive share storage when their lives do not meet.

     local f32 p[n]; local f32 q[n]; local f32 r[n];
     p = x;                                           p lives
     q = p;                                           p, q
     r = q;                                           q, r
     y = r;                                           r

   p is dead when r begins, so r takes p's room:

     local f32 p[n]; local f32 q[n];
     p = x;  q = p;  p = q;  y = p;

   In each block the life of an array reaches from the first to the last part
   of the block that mentions it.  Arrays are taken in the order in which
   their lives begin; each takes the first room that is free and has its type
   and extents.  Arrays of other blocks and of the user are left alone.  */

#include "lowering/storage.h"

#include "ir/simplify.h"
#include "ir/walk.h"

/* An array of a block: its life is kid[first] to kid[last]; the room that it
   takes, its own or an earlier one's; until: the last part of the block that
   uses this room.  */
typedef struct tenant
{
  tns_sym *sym;
  tns_sym *room;
  int first;
  int last;
  int until;
} tenant;

/* early: rooms are free one part too early, a fault.  */
typedef struct house
{
  tns_arena *arena;
  int early;
  int n;
  tenant *tenant;
} house;

/* A and B have the same elements and extents, all of them known.  */
static bool
same_shape (const tns_sym *a, const tns_sym *b)
{
  if (a->type.elem != b->type.elem || a->type.lanes != b->type.lanes
      || a->rank != b->rank || a->flags != b->flags || a->stride || b->stride)
    return false;
  for (int k = 0; k < a->rank; k++)
    if (!a->extent[k] || !b->extent[k]
        || !tns_expr_equal (a->extent[k], b->extent[k]))
      return false;
  return true;
}

/* Write the extents of SYM in a simple way.  */
static void
tidy (tns_ctx *ctx, tns_sym *sym)
{
  tns_expr **extent = TNS_NEW_ARRAY (ctx->arena, tns_expr *, sym->rank);
  for (int k = 0; k < sym->rank; k++)
    extent[k] = sym->extent[k] ? tns_expr_simplify (ctx, sym->extent[k]) : NULL;
  sym->extent = extent;
}

/* The life of SYM in BLOCK.  */
static tenant
life_of (const tns_node *block, tns_sym *sym)
{
  tenant life = { sym, sym, -1, -1, -1 };
  for (int k = 0; k < block->n_kids; k++)
    if (block->kid[k]->kind != TNS_LOCAL
        && tns_node_mentions (block->kid[k], sym))
      {
        life.first = life.first < 0 ? k : life.first;
        life.last = life.until = k;
      }
  return life;
}

/* Add LIFE to H, behind those that begin no later.  */
static void
move_in (house *h, tenant life)
{
  int k = h->n++;
  for (; k > 0 && h->tenant[k - 1].first > life.first; k--)
    h->tenant[k] = h->tenant[k - 1];
  h->tenant[k] = life;
}

/* The arrays of BLOCK that are used.  */
static house
tenants_of (tns_ctx *ctx, const tns_node *block)
{
  tns_arena *arena = ctx->arena;
  house h = { .arena = arena, .early = tns_ctx_breaks (ctx, "storage") };
  h.tenant = TNS_NEW_ARRAY (arena, tenant, block->n_kids + 1);
  for (int k = 0; k < block->n_kids; k++)
    if (block->kid[k]->kind == TNS_LOCAL && block->kid[k]->sym->rank > 0)
      {
        tidy (ctx, block->kid[k]->sym);
        tenant life = life_of (block, block->kid[k]->sym);
        if (life.first >= 0)
          move_in (&h, life);
      }
  return h;
}

/* Give each tenant its room; how many take another's.  */
static int
share_rooms (house *h)
{
  int shared = 0;
  for (int k = 0; k < h->n; k++)
    for (int j = 0; j < k; j++)
      {
        tenant *owner = &h->tenant[j];
        if (owner->room != owner->sym
            || owner->until - h->early >= h->tenant[k].first
            || !same_shape (owner->sym, h->tenant[k].sym))
          continue;
        h->tenant[k].room = owner->sym;
        owner->until = h->tenant[k].last;
        shared++;
        break;
      }
  return shared;
}

/* The room of SYM.  */
static tns_sym *
room_of (const house *h, tns_sym *sym)
{
  for (int k = 0; k < h->n; k++)
    if (h->tenant[k].sym == sym)
      return h->tenant[k].room;
  return sym;
}

/* An access goes to the array's room.  */
static tns_expr *
change_access (tns_expr *expr, void *self)
{
  house *h = self;
  tns_sym *room = expr->sym ? room_of (h, expr->sym) : NULL;
  if (room == expr->sym)
    return expr;
  tns_expr *moved = TNS_NEW (h->arena, tns_expr);
  *moved = *expr;
  moved->sym = room;
  return moved;
}

/* All accesses of EXPR.  */
static tns_expr *
change_expr (tns_expr *expr, void *self)
{
  house *h = self;
  return tns_expr_rebuild (h->arena, expr, change_access, h);
}

/* An array with another's room is not declared; marks name rooms.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  house *h = self;
  if (node->kind == TNS_LOCAL && room_of (h, node->sym) != node->sym)
    return NULL;
  int n = node->marks.n_reductions;
  if (node->kind != TNS_LOOP || n == 0)
    return node;
  tns_node *loop = tns_node_copy (h->arena, node);
  tns_reduction *moved = TNS_NEW_ARRAY (h->arena, tns_reduction, n);
  for (int k = 0; k < n; k++)
    {
      moved[k] = node->marks.reductions[k];
      moved[k].sym = room_of (h, moved[k].sym);
    }
  loop->marks.reductions = moved;
  return loop;
}

/* BLOCK after the blocks in it.  */
static tns_node *
share_in_block (tns_node *block, void *self)
{
  tns_ctx *ctx = self;
  if (block->kind != TNS_BLOCK)
    return block;
  house h = tenants_of (ctx, block);
  if (share_rooms (&h) == 0)
    return block;
  return tns_node_rebuild (ctx->arena, block, change_node, change_expr, &h);
}

tns_region *
tns_region_storage (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  tns_region *shared = tns_region_copy (ctx->arena, region);
  shared->body
    = tns_node_rebuild (ctx->arena, region->body, share_in_block, NULL, ctx);
  return shared;
}
