/* A log of updates, as autodiff/defer.h says.  */

#include "autodiff/defer.h"

#include "autodiff/hull.h"
#include "ir/walk.h"

/* The log.

   about  the gradient that it is of
   n      the cell that counts its entries
   value  what is added
   at[k]  subscript k of where  */
typedef struct journal
{
  const tns_looking *about;
  tns_arena *arena;
  tns_region *region;
  tns_sym *sym;
  tns_sym *n;
  tns_sym *value;
  tns_sym *at[TNS_MOST_RANK];
} journal;

/* How many iterations LOOP, site S of VIEW, has at most, NULL when unknown.  */
static tns_expr *
count_trips (tns_arena *arena, const tns_view *view, int s)
{
  const tns_node *loop = view->site[s].node;
  bool down = loop->step < 0;
  int outer = view->site[s].under;
  tns_expr *lo = tns_hull (arena, view, outer, loop->lo, down);
  tns_expr *hi = tns_hull (arena, view, outer, loop->hi, !down);
  if (!lo || !hi)
    return NULL;
  return tns_binary (
    arena, TNS_MAX, tns_int (arena, 0),
    tns_binary (arena, TNS_SUB, down ? lo : hi, down ? hi : lo));
}

/* How often the body of LOOP, one of a pass, runs in all, as a look finds;
   NULL where nothing may be looked for.  */
static tns_expr *
look_for_runs (const tns_looking *about, const tns_node *loop)
{
  const tns_view *view = about->view;
  for (int s = 0; s < view->n_sites; s++)
    if (view->site[s].node->kind == TNS_LOOP
        && view->site[s].node->iter == loop->iter)
      return tns_look_span (about, s, true);
  return NULL;
}

/* How often site S of VIEW, of a pass of J, runs at most, NULL when
   unknown.  */
static tns_expr *
count_runs (const journal *j, const tns_view *view, int s)
{
  tns_arena *arena = j->arena;
  tns_expr *runs = tns_int (arena, 1);
  for (int at = view->site[s].under; at >= 0; at = view->site[at].under)
    {
      const tns_node *node = view->site[at].node;
      if (node->kind != TNS_LOOP)
        continue;
      tns_expr *trips = count_trips (arena, view, at);
      tns_expr *all = trips ? trips : look_for_runs (j->about, node);
      runs = all ? tns_binary (arena, TNS_MUL, runs, all) : NULL;
      if (!trips)
        return runs;
    }
  return runs;
}

/* How many updates of J's array PASS makes at most, NULL when unknown.  */
static tns_expr *
count_updates (const journal *j, tns_node *pass)
{
  tns_region scratch = *j->region;
  scratch.body = pass;
  const tns_view *view = tns_view_of (j->arena, &scratch);
  tns_expr *all = tns_int (j->arena, 0);
  for (int s = 0; s < view->n_sites && all; s++)
    {
      const tns_node *node = view->site[s].node;
      if (node->kind != TNS_ASSIGN || node->target->sym != j->sym)
        continue;
      tns_expr *runs = count_runs (j, view, s);
      all = runs ? tns_binary (j->arena, TNS_ADD, all, runs) : NULL;
    }
  return all;
}

/* A column of J, called like its array and WORD, of ROOM entries.  */
static tns_sym *
new_column (const journal *j, const char *word, tns_elem elem, tns_expr *room)
{
  const char *name = tns_arena_format (j->arena, "%s_%s", j->sym->name, word);
  tns_sym *made = tns_region_add_array (j->arena, j->region, name, elem,
                                        room != NULL, TNS_SYM_LOCAL);
  made->loc = j->sym->loc;
  if (room)
    made->extent[0] = room;
  return made;
}

/* Entry AT of COLUMN.  */
static tns_expr *
entry (const journal *j, tns_sym *column, tns_expr *at)
{
  tns_expr **sub = TNS_NEW_ARRAY (j->arena, tns_expr *, 1);
  sub[0] = at;
  return tns_load (j->arena, column, sub);
}

/* Append TARGET OP= VALUE to BLOCK.  */
static void
put (const journal *j, tns_node *block, tns_expr *target, tns_op op,
     tns_expr *value)
{
  tns_block_add (j->arena, block,
                 tns_assign (j->arena, j->sym->loc, target, op, value));
}

/* The changer of statements: updates become entries.  */
static tns_node *
write_down (tns_node *node, void *self)
{
  const journal *j = self;
  if (node->kind != TNS_ASSIGN || node->target->sym != j->sym)
    return node;
  tns_node *block = tns_block (j->arena, node->loc);
  tns_expr *n = tns_cell (j->arena, j->n);
  tns_type type = tns_scalar (TNS_I64);
  for (int k = 0; k < j->sym->rank; k++)
    put (j, block, entry (j, j->at[k], n), TNS_NONE,
         tns_cast (j->arena, type, node->target->arg[k]));
  put (j, block, entry (j, j->value, n), TNS_NONE, node->value);
  put (j, block, n, TNS_ADD, tns_int (j->arena, 1));
  return block;
}

/* Append to BLOCK the updates that are in J, which has ROOM.  */
static void
replay (const journal *j, tns_node *block, tns_expr *room)
{
  tns_loc loc = j->sym->loc;
  tns_sym *iter = tns_region_add_iter (j->arena, j->region, "e");
  tns_expr *e = tns_value (j->arena, iter);
  tns_expr **sub = TNS_NEW_ARRAY (j->arena, tns_expr *, j->sym->rank);
  for (int k = 0; k < j->sym->rank; k++)
    sub[k] = entry (j, j->at[k], e);
  tns_node *then = tns_block (j->arena, loc);
  put (j, then, tns_load (j->arena, j->sym, sub), TNS_ADD,
       entry (j, j->value, e));
  tns_node *body = tns_block (j->arena, loc);
  tns_expr *is_there
    = tns_binary (j->arena, TNS_LT, e, tns_cell (j->arena, j->n));
  tns_block_add (j->arena, body, tns_if (j->arena, loc, is_there, then, NULL));
  tns_block_add (
    j->arena, block,
    tns_loop (j->arena, loc, iter, tns_int (j->arena, 0), room, 1, body));
}

tns_node *
tns_defer (const tns_looking *about, tns_node *pass, tns_sym *sym)
{
  tns_ctx *ctx = about->ctx;
  journal j = {
    .about = about, .arena = ctx->arena, .region = about->made, .sym = sym
  };
  tns_expr *room = count_updates (&j, pass);
  if (!room)
    return tns_refuse (ctx, sym->loc, TNS_WHY_TEMPORARY, sym->name);
  tns_node *block = tns_block (j.arena, pass->loc);
  j.n = new_column (&j, "n", TNS_I64, NULL);
  j.value = new_column (&j, "value", sym->type.elem, room);
  tns_block_add (j.arena, block, tns_local (j.arena, sym->loc, j.n));
  tns_block_add (j.arena, block, tns_local (j.arena, sym->loc, j.value));
  for (int k = 0; k < sym->rank; k++)
    {
      j.at[k] = new_column (&j, "at", TNS_I64, room);
      tns_block_add (j.arena, block, tns_local (j.arena, sym->loc, j.at[k]));
    }
  put (&j, block, tns_cell (j.arena, j.n), TNS_NONE, tns_int (j.arena, 0));
  pass = tns_node_rebuild (j.arena, pass, write_down, NULL, &j);
  for (int k = 0; k < pass->n_kids; k++)
    tns_block_add (j.arena, block, pass->kid[k]);
  replay (&j, block, room);
  return block;
}
