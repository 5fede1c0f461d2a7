/* Portions of temporaries, as lowering/portions.h says.

   1. runs of loops that threads share, one right behind the other, with the
      same bounds
   2. arrays of the block that such a run alone mentions, with the iterator of
      the outermost loop for their first subscript everywhere: they become
      smaller
   3. all else that is written in the run has that iterator for one subscript,
      the same everywhere  */

#include "lowering/portions.h"

#include "ir/walk.h"

/* A run of LOOPs, kid[first..last] of a block, and a walk through one of
   them.

   iter     of the outermost loop that is looked through
   sym      of the array that is looked for
   place    a subscript of SYM that ITER alone is, in all elements so far:
            bits
   found    SYM is mentioned  */
typedef struct run
{
  tns_ctx *ctx;
  tns_region *region;
  tns_node *block;
  int first;
  int last;
  const tns_sym *iter;
  const tns_sym *sym;
  unsigned place;
  bool found;
} run;

/* LOOP's iterations can be taken in portions.  */
static bool
is_shared (const tns_node *loop)
{
  return loop->kind == TNS_LOOP && loop->marks.parallel && loop->step == 1
         && !tns_expr_loads (loop->lo) && !tns_expr_loads (loop->hi);
}

/* Find the run of BLOCK that begins at kid R->first.  Whether it is one.  */
static bool
find_run (run *r)
{
  tns_node **kid = r->block->kid;
  r->last = r->first;
  if (!is_shared (kid[r->first]))
    return false;
  while (r->last + 1 < r->block->n_kids && is_shared (kid[r->last + 1])
         && tns_expr_equal (kid[r->last + 1]->lo, kid[r->first]->lo)
         && tns_expr_equal (kid[r->last + 1]->hi, kid[r->first]->hi))
    r->last++;
  return r->last > r->first;
}

/* The visitor that finds the subscripts of elements.  */
static bool
note_place (tns_expr *expr, void *self)
{
  run *r = self;
  if (expr->sym != r->sym)
    return true;
  unsigned place = 0;
  for (int k = 0; k < expr->n_args; k++)
    if (expr->arg[k]->op == TNS_SYM && expr->arg[k]->sym == r->iter)
      place |= 1u << k;
  r->place &= place;
  r->found = true;
  return true;
}

/* The same in statements.  */
static bool
note_places (tns_node *node, void *self)
{
  tns_node_exprs (node, note_place, self);
  return true;
}

/* The subscripts, a bit each, of SYM in R's loops that are the iterator of the
   outermost one everywhere.  */
static unsigned
places_of (run *r, const tns_sym *sym)
{
  r->sym = sym;
  r->place = ~0u;
  r->found = false;
  for (int k = r->first; k <= r->last; k++)
    {
      r->iter = r->block->kid[k]->iter;
      tns_node_walk (r->block->kid[k], note_places, r);
    }
  return r->place;
}

/* What R's loops write of SYM is each iteration's own.  */
static bool
is_apart (run *r, const tns_sym *sym)
{
  bool written = false;
  bool inside = false;
  for (int k = r->first; k <= r->last; k++)
    {
      written |= tns_node_writes (r->block->kid[k], sym);
      inside |= tns_node_declares (r->block->kid[k], sym);
    }
  return !written || inside || places_of (r, sym) != 0;
}

/* SYM is a temporary of R's loops alone that can be had for a portion.  */
static bool
suits (run *r, const tns_sym *sym)
{
  bool declared = false;
  for (int k = 0; k < r->block->n_kids; k++)
    if (r->block->kid[k]->kind == TNS_LOCAL)
      declared |= r->block->kid[k]->sym == sym;
    else if ((k < r->first || k > r->last)
             && tns_node_mentions (r->block->kid[k], sym))
      return false;
  if (!declared || sym->rank < 2 || sym->stride
      || (places_of (r, sym) & 1) == 0)
    return false;
  for (int k = 0; k < sym->rank; k++)
    if (!sym->extent[k] || tns_expr_loads (sym->extent[k]))
      return false;
  return r->found;
}

/* Temporaries that become smaller.  by: by symbol, what stands for it.  */
typedef struct portion
{
  tns_arena *arena;
  tns_sym **by;
  tns_expr *base;
} portion;

/* EXPR, an element, in a portion that begins at BASE.  */
static tns_expr *
move_element (tns_expr *expr, void *self)
{
  const portion *p = self;
  tns_sym *by = expr->sym ? p->by[expr->sym->id] : NULL;
  if (!by)
    return expr;
  tns_expr **arg = TNS_NEW_ARRAY (p->arena, tns_expr *, expr->n_args);
  for (int k = 0; k < expr->n_args; k++)
    arg[k] = expr->arg[k];
  arg[0] = tns_binary (p->arena, TNS_SUB, arg[0], p->base);
  return tns_make (p->arena, expr->op, expr->type, by, expr->n_args, arg);
}

/* The same in a whole expression.  */
static tns_expr *
move_elements (tns_expr *expr, void *self)
{
  const portion *p = self;
  return tns_expr_rebuild (p->arena, expr, move_element, self);
}

/* The sums of LOOP that are elements of smaller arrays are those of what
   stands for these.  */
static tns_node *
move_sums (tns_node *loop, void *self)
{
  const portion *p = self;
  int n = loop->marks.n_reductions;
  if (loop->kind != TNS_LOOP || n == 0)
    return loop;
  tns_node *made = tns_node_copy (p->arena, loop);
  made->marks.reductions = TNS_NEW_ARRAY (p->arena, tns_reduction, n);
  for (int k = 0; k < n; k++)
    {
      tns_reduction *sum = &made->marks.reductions[k];
      *sum = loop->marks.reductions[k];
      sum->sym = p->by[sum->sym->id] ? p->by[sum->sym->id] : sum->sym;
    }
  return made;
}

/* The bytes of one iteration of R's loops in those of SYM that suit.  */
static tns_expr *
bytes_of (const run *r, const tns_sym *sym)
{
  tns_arena *arena = r->ctx->arena;
  tns_expr *bytes = tns_int (arena, tns_elem_bytes (sym->type.elem));
  for (int k = 1; k < sym->rank; k++)
    bytes = tns_binary (arena, TNS_MUL, bytes, sym->extent[k]);
  return bytes;
}

/* How many iterations of R's loops have room in BYTES, EACH one taking so
   many.  */
static tns_expr *
count_of (const run *r, tns_expr *each, long bytes)
{
  tns_arena *arena = r->ctx->arena;
  const tns_node *loop = r->block->kid[r->first];
  tns_expr *one = tns_int (arena, 1);
  tns_expr *room = tns_binary (arena, TNS_FLOORDIV, tns_int (arena, bytes),
                               tns_binary (arena, TNS_MAX, each, one));
  tns_expr *all = tns_binary (arena, TNS_SUB, loop->hi, loop->lo);
  return tns_binary (arena, TNS_MAX, one,
                     tns_binary (arena, TNS_MIN, room, all));
}

/* A smaller array for SYM, for COUNT iterations.  */
static tns_sym *
smaller (const run *r, const tns_sym *sym, tns_expr *count)
{
  tns_sym *made = tns_region_add_array (r->ctx->arena, r->region, sym->name,
                                        sym->type.elem, sym->rank, sym->flags);
  made->spelled = sym->spelled;
  made->extent[0] = count;
  for (int k = 1; k < sym->rank; k++)
    made->extent[k] = sym->extent[k];
  return made;
}

/* Replace the arrays of R that suit, in P.  How many iterations a portion has;
   NULL: there are none.  */
static tns_expr *
shrink (run *r, long bytes, portion *p)
{
  tns_arena *arena = r->ctx->arena;
  int n = r->region->n_syms;
  tns_expr *each = NULL;
  bool *chosen = TNS_NEW_ARRAY (arena, bool, n + 1);
  for (int id = 0; id < n; id++)
    {
      const tns_sym *sym = r->region->syms[id];
      if (sym->kind != TNS_SYM_ARRAY)
        continue;
      if (!is_apart (r, sym))
        return NULL;
      chosen[id] = suits (r, sym);
      if (chosen[id])
        each = each ? tns_binary (arena, TNS_ADD, each, bytes_of (r, sym))
                    : bytes_of (r, sym);
    }
  if (!each)
    return NULL;
  tns_expr *count = count_of (r, each, bytes);
  p->by = TNS_NEW_ARRAY (arena, tns_sym *, n + 1);
  for (int id = 0; id < n; id++)
    if (chosen[id])
      p->by[id] = smaller (r, r->region->syms[id], count);
  return count;
}

/* R's loops, as they run in the portion of COUNT that begins at P's base.  */
static tns_node *
loops_of (const run *r, portion *p, tns_expr *count)
{
  tns_arena *arena = r->ctx->arena;
  tns_node *body = tns_block (arena, r->block->loc);
  for (int k = r->first; k <= r->last; k++)
    {
      const tns_node *loop = r->block->kid[k];
      tns_node *made
        = tns_node_copy (arena, tns_node_rebuild (arena, r->block->kid[k],
                                                  move_sums, move_elements, p));
      made->lo = p->base;
      if (tns_ctx_breaks (r->ctx, "portions"))
        count = tns_binary (arena, TNS_SUB, count, tns_int (arena, 1));
      made->hi = tns_binary (arena, TNS_MIN, loop->hi,
                             tns_binary (arena, TNS_ADD, p->base, count));
      tns_block_add (arena, body, made);
    }
  return body;
}

/* R's loops by portions of COUNT iterations.  */
static tns_node *
by_portions (const run *r, portion *p, tns_expr *count)
{
  tns_arena *arena = r->ctx->arena;
  tns_loc loc = r->block->loc;
  const tns_node *loop = r->block->kid[r->first];
  tns_sym *base = tns_region_add_iter (arena, r->region, "base");
  tns_sym *number = tns_region_add_iter (arena, r->region, "portion");
  tns_expr *one = tns_int (arena, 1);
  p->base = tns_value (arena, base);
  tns_expr *begin = tns_binary (
    arena, TNS_ADD, loop->lo,
    tns_binary (arena, TNS_MUL, tns_value (arena, number), count));
  tns_expr *length = tns_binary (arena, TNS_SUB, loop->hi, loop->lo);
  tns_expr *portions
    = tns_binary (arena, TNS_FLOORDIV,
                  tns_binary (arena, TNS_ADD, length,
                              tns_binary (arena, TNS_SUB, count, one)),
                  count);
  tns_node *once = tns_loop (arena, loc, base, begin,
                             tns_binary (arena, TNS_ADD, begin, one), 1,
                             loops_of (r, p, count));
  tns_node *body = tns_block (arena, loc);
  tns_block_add (arena, body, once);
  return tns_loop (arena, loc, number, tns_int (arena, 0), portions, 1, body);
}

/* BLOCK with LOOPS in place of R's; smaller arrays are declared in place of
   what they stand for.  */
static tns_node *
put_in_place (const run *r, const portion *p, tns_node *loops)
{
  tns_arena *arena = r->ctx->arena;
  tns_node *made = tns_block (arena, r->block->loc);
  for (int k = 0; k < r->block->n_kids; k++)
    {
      tns_node *kid = r->block->kid[k];
      if (kid->kind == TNS_LOCAL && p->by[kid->sym->id])
        kid = tns_local (arena, kid->loc, p->by[kid->sym->id]);
      if (k == r->first)
        tns_block_add (arena, made, loops);
      if (k < r->first || k > r->last)
        tns_block_add (arena, made, kid);
    }
  return made;
}

tns_region *
tns_region_portions (tns_ctx *ctx, tns_region *region, long bytes)
{
  if (!region)
    return NULL;
  tns_region *made = tns_region_copy (ctx->arena, region);
  run r = { .ctx = ctx, .region = made, .block = made->body };
  while (r.block->n_kids == 1 && r.block->kid[0]->kind == TNS_BLOCK)
    r.block = r.block->kid[0];
  for (r.first = 0; r.first < r.block->n_kids; r.first++)
    {
      portion p = { .arena = ctx->arena };
      if (!find_run (&r))
        continue;
      tns_expr *count = shrink (&r, bytes, &p);
      if (count)
        r.block = put_in_place (&r, &p, by_portions (&r, &p, count));
      else
        r.first = r.last;
    }
  made->body = r.block;
  return made;
}
