/* Packing as a change of the IR, before the model is built.

   An operand B[..] of an update S, in the loops L_0 .. L_n, is copied before
   all loops or, where its bounds do not allow that, before L_p, the outermost
   loop that is a row (B does not depend on it), the column, or an inner loop:

     L_0 .. L_(p-1)
       local P[..][inner][column];
       for the loops of L_p .. L_n that B depends on   P[..] = B[..]
       L_p .. L_n   S, with P[..] for B[..]

   Everything that follows, legality too, treats this as if the user had
   written it.  What is proved here is that P holds what B held:

     1. the loop L_p does not write B, and no subscript of B is read from
        memory;
     2. exactly those elements are copied that S reads: the loops of the copy
        do not depend on each other, the rows not on any loop below L_p; at
        most one bound of the copy depends on rows, on one iterator that
        stands there once (j <= i), and takes its greatest or least value; no
        condition stands between.

   That rows exist at all is a part of the condition under which a pack pays:

     rows >= LEAST_ROWS, rows * ROWS_FACTOR >= inner   from a tile of dots
     rows >= FEWEST_ROWS                               from no tile at all
     columns >= a vector of them; no more than MOST_ELEMENTS copied

   and, of one that is spread, whose lines fill half of the first cache,

     rows >= SPREAD_ROWS

   Does not do: loops of steps other than 1 and -1; packs of what is written in
   between; padded or blocked layouts.  */

#include "schedule/pack.h"

#include <string.h>

#include "ir/simplify.h"
#include "ir/walk.h"
#include "schedule/machine.h"
#include "schedule/turn.h"

#define LEAST_ROWS    8
#define ROWS_FACTOR   4
#define FEWEST_ROWS   4
#define SPREAD_ROWS   64
#define LINE          64
#define MOST_ELEMENTS (64L << 20)

/* One operand being packed.

   whole       the copy stands outside of all loops
   loop[0..n)  the loops around the update; the first one below which there
               is no condition is loop[plain]
   copied[k]   loop[k] is one of the copy's
   order       the copy's loops, outermost first
   iter        of the copy, by loop
   lo, hi      the bounds of the copy's loops
   base, extent  of the pack's subscripts, over VALUEs
   inside      a walk has met the update  */
typedef struct pack
{
  tns_ctx *ctx;
  tns_arena *arena;
  const tns_operand *operand;
  const tns_node *update;
  bool whole;
  int found;
  int n;
  int plain;
  int place;
  tns_node *loop[TNS_MAX_DEPTH];
  bool copied[TNS_MAX_DEPTH];
  int n_order;
  int order[TNS_MAX_DEPTH];
  tns_sym *iter[TNS_MAX_DEPTH];
  tns_expr *lo[TNS_MAX_DEPTH];
  tns_expr *hi[TNS_MAX_DEPTH];
  tns_expr *base[TNS_MAX_DEPTH];
  tns_expr *extent[TNS_MAX_DEPTH];
  int n_triangles;
  tns_sym *sym;
  bool inside;
} pack;

/* NODE is the update of P.  */
static bool
is_update (const pack *p, const tns_node *node)
{
  return node->kind == TNS_ASSIGN && node->name
         && !strcmp (node->name, p->operand->stmt);
}

/* Find the update below NODE, which stands in N loops, the first PLAIN of
   them around a condition.  */
static void
find_update (pack *p, tns_node *node, int n, int plain)
{
  if (!node || n == TNS_MAX_DEPTH)
    return;
  if (is_update (p, node))
    {
      p->found++;
      p->update = node;
      p->n = n;
      p->plain = plain;
    }
  for (int k = 0; k < node->n_kids; k++)
    find_update (p, node->kid[k], n, plain);
  find_update (p, node->then, n, n);
  find_update (p, node->otherwise, n, n);
  if (!p->found)
    p->loop[n] = node;
  find_update (p, node->body, n + 1, plain);
}

/* The visitor that clears *SELF at a read from memory.  */
static bool
note_read (tns_expr *expr, void *self)
{
  bool *clean = self;
  *clean &= !tns_expr_reads (expr);
  return *clean;
}

/* Nothing in EXPR is read from memory.  */
static bool
is_clean (tns_expr *expr)
{
  bool clean = true;
  tns_expr_walk (expr, note_read, &clean);
  return clean;
}

/* EXPR mentions an iterator of P's loops from FIRST on; COPIED: one of the
   copy's.  */
static bool
depends (const pack *p, tns_expr *expr, int first, bool copied)
{
  for (int k = first; k < p->n; k++)
    if ((!copied || p->copied[k]) && tns_expr_mentions (expr, p->loop[k]->iter))
      return true;
  return false;
}

/* Loop K of P does not move the target.  */
static bool
is_inner (const pack *p, int k)
{
  for (int i = 0; i < p->operand->n_inner; i++)
    if (p->operand->inner[i] == p->loop[k]->iter)
      return true;
  return false;
}

/* Find the loop at the place: the outermost below all conditions when the
   pack shall be WHOLE, else the first that is a row, the column or an inner
   one.  False when a condition stands in between.  */
static bool
find_place (pack *p)
{
  tns_expr *access = (tns_expr *) p->operand->access;
  p->place = p->n;
  for (int k = p->n - 1; k >= 0; k--)
    {
      tns_sym *iter = p->loop[k]->iter;
      if (!tns_expr_mentions (access, iter) || iter == p->operand->column
          || is_inner (p, k))
        p->place = k;
    }
  bool found = p->place >= p->plain && p->place < p->n;
  if (p->whole)
    p->place = p->plain;
  return found;
}

/* Find the copy's loops and their order: what moves the target first, the
   column last.  False when there is no copy.  */
static bool
sort_loops (pack *p)
{
  tns_expr *access = (tns_expr *) p->operand->access;
  int column = -1;
  for (int k = p->place; k < p->n; k++)
    {
      p->copied[k] = tns_expr_mentions (access, p->loop[k]->iter);
      if (p->loop[k]->iter == p->operand->column)
        column = k;
    }
  for (int inner = 0; inner <= 1; inner++)
    for (int k = p->place; k < p->n; k++)
      if (p->copied[k] && k != column && is_inner (p, k) == inner)
        p->order[p->n_order++] = k;
  if (column >= 0)
    p->order[p->n_order++] = column;
  return column >= 0 && p->n_order >= 2;
}

/* EXPR + 1.  */
static tns_expr *
plus_one (const pack *p, tns_expr *expr)
{
  tns_expr *one = tns_int (p->arena, 1);
  return tns_expr_simplify (p->ctx, tns_binary (p->arena, TNS_ADD, expr, one));
}

/* The least value of LOOP's iterator, which counts up or down by one.  */
static tns_expr *
least_of (const pack *p, const tns_node *loop)
{
  return loop->step > 0 ? loop->lo : plus_one (p, loop->hi);
}

/* What LOOP's iterator stays below.  */
static tns_expr *
end_of (const pack *p, const tns_node *loop)
{
  return loop->step > 0 ? loop->hi : plus_one (p, loop->lo);
}

static tns_expr *extreme (const pack *p, tns_expr *expr, bool most, int first);

/* EXPR, an operation, by the extremes of its operands.  */
static tns_expr *
extreme_of_op (const pack *p, tns_expr *expr, bool most, int first)
{
  tns_op op = expr->op;
  long long factor = 0;
  bool turns[2] = { op == TNS_NEG, op == TNS_SUB };
  tns_expr *arg[2] = { NULL, NULL };
  if (op == TNS_MUL && tns_expr_is_int (expr->arg[1], &factor))
    turns[0] = factor < 0;
  else if (op == TNS_MUL && tns_expr_is_int (expr->arg[0], &factor))
    turns[1] = factor < 0;
  else if (op != TNS_ADD && op != TNS_SUB && op != TNS_NEG && op != TNS_MIN
           && op != TNS_MAX)
    return NULL;
  for (int k = 0; k < expr->n_args; k++)
    {
      arg[k] = extreme (p, expr->arg[k], most != turns[k], first);
      if (!arg[k])
        return NULL;
    }
  return tns_expr_with_args (p->arena, expr, arg);
}

/* The greatest value of EXPR (MOST) or the least over all iterations of P's
   loops from FIRST on; NULL when that is not known.  */
static tns_expr *
extreme (const pack *p, tns_expr *expr, bool most, int first)
{
  if (!depends (p, expr, first, false))
    return expr;
  if (expr->op != TNS_SYM)
    return expr->type.elem == TNS_I64 ? extreme_of_op (p, expr, most, first)
                                      : NULL;
  int k = first;
  while (p->loop[k]->iter != expr->sym)
    k++;
  tns_expr *end = most ? tns_binary (p->arena, TNS_SUB, end_of (p, p->loop[k]),
                                     tns_int (p->arena, 1))
                       : least_of (p, p->loop[k]);
  return extreme (p, end, most, first);
}

/* A count of the iterators of P's loops below the place.  */
typedef struct occurrences
{
  const pack *p;
  int n;
} occurrences;

/* The visitor that counts them.  */
static bool
count_iterator (tns_expr *expr, void *self)
{
  occurrences *o = self;
  for (int k = o->p->place; k < o->p->n; k++)
    o->n += expr->op == TNS_SYM && expr->sym == o->p->loop[k]->iter;
  return true;
}

/* How often iterators of P's loops below the place stand in the bounds of
   LOOP.  One that stands there once makes a bound that takes its extreme;
   i + min (3, n - i) does not take the sum of the parts' extremes.  */
static int
count_iterators (const pack *p, const tns_node *loop)
{
  occurrences o = { p, 0 };
  tns_expr_walk (loop->lo, count_iterator, &o);
  tns_expr_walk (loop->hi, count_iterator, &o);
  return o.n;
}

/* Fill the bounds of the copy's loop K and the extent of its subscript.  */
static bool
find_bounds (pack *p, int k)
{
  const tns_node *loop = p->loop[k];
  p->n_triangles += count_iterators (p, loop);
  if (depends (p, loop->lo, p->place, true)
      || depends (p, loop->hi, p->place, true))
    return false;
  p->lo[k] = extreme (p, least_of (p, loop), false, p->place);
  p->hi[k] = extreme (p, end_of (p, loop), true, p->place);
  p->base[k] = extreme (p, least_of (p, loop), false, 0);
  tns_expr *end = extreme (p, end_of (p, loop), true, 0);
  if (!p->lo[k] || !p->hi[k] || !p->base[k] || !end)
    return false;
  p->extent[k] = tns_binary (p->arena, TNS_SUB, end, p->base[k]);
  return true;
}

/* Loop K below the place may stand there: a row, or one of the copy's.  */
static bool
suits (pack *p, int k)
{
  tns_node *loop = p->loop[k];
  if ((loop->step != 1 && loop->step != -1) || !is_clean (loop->lo)
      || !is_clean (loop->hi))
    return false;
  if (p->copied[k])
    return find_bounds (p, k);
  return !depends (p, loop->lo, 0, false) && !depends (p, loop->hi, 0, false);
}

/* B is what it was, at the update.  */
static bool
is_constant (const pack *p)
{
  const tns_expr *access = p->operand->access;
  for (int k = 0; k < access->n_args; k++)
    if (!is_clean (access->arg[k]))
      return false;
  return !tns_node_writes (p->loop[p->place], access->sym);
}

/* Find all that is needed to pack the operand in BODY.  */
static bool
prepare (pack *p, tns_node *body)
{
  find_update (p, body, 0, 0);
  if (p->found != 1 || !find_place (p) || !sort_loops (p) || !is_constant (p))
    return false;
  for (int k = p->place; k < p->n; k++)
    if (!suits (p, k))
      return false;
  return p->n_triangles <= 1;
}

/* The pack of OPERAND in BODY, outside of all loops when it is WHOLE; NULL
   where it is not right.  */
static pack *
prepared (tns_ctx *ctx, const tns_operand *operand, tns_node *body, bool whole)
{
  pack *p = TNS_NEW (ctx->arena, pack);
  p->ctx = ctx;
  p->arena = ctx->arena;
  p->operand = operand;
  p->whole = whole;
  return prepare (p, body) ? p : NULL;
}

/* A * B.  */
static tns_expr *
times (const pack *p, tns_expr *a, tns_expr *b)
{
  return tns_binary (p->arena, TNS_MUL, a, b);
}

/* How often an element of the pack is used: the product of the trips of the
   loops below the place that are not the copy's.  */
static tns_expr *
count_rows (const pack *p)
{
  tns_expr *rows = tns_int (p->arena, 1);
  for (int k = p->place; k < p->n; k++)
    if (!p->copied[k])
      {
        tns_expr *end = end_of (p, p->loop[k]);
        tns_expr *trip
          = tns_binary (p->arena, TNS_SUB, end, least_of (p, p->loop[k]));
        trip = tns_binary (p->arena, TNS_MAX, trip, tns_int (p->arena, 0));
        rows = times (p, rows, trip);
      }
  return rows;
}

/* The product of the extents of the copy's loops: the inner ones, or all.  */
static tns_expr *
count_elements (const pack *p, bool all)
{
  tns_expr *elements = tns_int (p->arena, 1);
  for (int k = p->place; k < p->n; k++)
    if (p->copied[k] && (all || is_inner (p, k)))
      elements = times (p, elements, p->extent[k]);
  return elements;
}

bool
tns_ask_more (tns_arena *arena, tns_expr *a, tns_expr *b, tns_expr **cond)
{
  long long x = 0;
  long long y = 0;
  if (tns_expr_is_int (a, &x) && tns_expr_is_int (b, &y))
    return x >= y;
  tns_expr *more = tns_binary (arena, TNS_GE, a, b);
  *cond = *cond ? tns_binary (arena, TNS_LAND, *cond, more) : more;
  return true;
}

/* Ask in *COND for what makes an operand that is spread pay.  False when it
   never does.  */
static bool
ask_spread (const pack *p, const tns_machine *machine, tns_expr **cond)
{
  tns_expr *elements = count_elements (p, true);
  return tns_ask_more (p->arena, count_rows (p),
                       tns_int (p->arena, SPREAD_ROWS), cond)
         && tns_ask_more (p->arena, elements,
                          tns_int (p->arena, machine->l1_bytes / 2 / LINE),
                          cond)
         && tns_ask_more (p->arena, tns_int (p->arena, MOST_ELEMENTS), elements,
                          cond);
}

/* Add the condition under which P pays to *COND.  */
static bool
ask_all (const pack *p, const tns_machine *machine, tns_expr **cond)
{
  tns_arena *arena = p->arena;
  tns_elem elem = p->update->target->type.elem;
  tns_expr *rows = count_rows (p);
  long least = p->operand->kernel ? LEAST_ROWS : FEWEST_ROWS;
  long lanes = machine->vector_bytes / tns_elem_bytes (elem);
  tns_expr *factor = tns_int (arena, ROWS_FACTOR);
  if (p->operand->spread)
    return ask_spread (p, machine, cond);
  return tns_ask_more (p->arena, rows, tns_int (arena, least), cond)
         && (!p->operand->kernel
             || tns_ask_more (p->arena, times (p, rows, factor),
                              count_elements (p, false), cond))
         && tns_ask_more (p->arena, p->extent[p->order[p->n_order - 1]],
                          tns_int (arena, lanes), cond)
         && tns_ask_more (p->arena, tns_int (arena, MOST_ELEMENTS),
                          count_elements (p, true), cond);
}

/* The pack's symbol and the copy's iterators.  */
static void
add_symbols (pack *p, tns_region *region)
{
  const tns_sym *sym = p->operand->access->sym;
  p->sym = tns_region_add_array (p->arena, region, sym->name, sym->type.elem,
                                 p->n_order, TNS_SYM_LOCAL);
  p->sym->spelled = sym->spelled;
  p->sym->loc = sym->loc;
  for (int k = 0; k < p->n_order; k++)
    p->sym->extent[k] = tns_binary (p->arena, TNS_MAX, p->extent[p->order[k]],
                                    tns_int (p->arena, 1));
  for (int k = 0; k < p->n_order; k++)
    p->iter[p->order[k]] = tns_region_add_iter (
      p->arena, region, p->loop[p->order[k]]->iter->name);
}

/* The pack's element at the iterators of the copy, or of the update.  */
static tns_expr *
element (const pack *p, bool copy)
{
  tns_expr *arg[TNS_MAX_DEPTH];
  for (int k = 0; k < p->n_order; k++)
    {
      int at = p->order[k];
      tns_sym *iter = copy ? p->iter[at] : p->loop[at]->iter;
      arg[k] = tns_binary (p->arena, TNS_SUB, tns_value (p->arena, iter),
                           p->base[at]);
    }
  return tns_load (p->arena, p->sym, arg);
}

/* The nest of the copy.  */
static tns_node *
copy_nest (const pack *p)
{
  tns_sym *from[TNS_MAX_DEPTH];
  tns_expr *to[TNS_MAX_DEPTH];
  tns_loc loc = p->update->loc;
  for (int k = 0; k < p->n_order; k++)
    {
      from[k] = p->loop[p->order[k]]->iter;
      to[k] = k == 0 && tns_ctx_breaks (p->ctx, "pack")
                ? p->lo[p->order[k]]
                : tns_value (p->arena, p->iter[p->order[k]]);
    }
  tns_expr *value = tns_expr_substitute (
    p->arena, (tns_expr *) p->operand->access, p->n_order, from, to);
  tns_node *nest
    = tns_assign (p->arena, loc, element (p, true), TNS_NONE, value);
  nest->apart = true;
  nest->name = tns_arena_format (p->arena, "pack_%s", p->sym->name);
  for (int k = p->n_order - 1; k >= 0; k--)
    {
      int at = p->order[k];
      tns_node *body = tns_block (p->arena, loc);
      tns_block_add (p->arena, body, nest);
      nest
        = tns_loop (p->arena, loc, p->iter[at], p->lo[at], p->hi[at], 1, body);
    }
  return nest;
}

/* The changer of expressions: the operand becomes the pack's element.  */
static tns_expr *
redirect (tns_expr *expr, void *self)
{
  const pack *p = self;
  return tns_expr_equal (expr, p->operand->access) ? element (p, false) : expr;
}

/* The visitor that stops at the update, and notes it.  */
static bool
note_update (tns_node *node, void *self)
{
  pack *p = self;
  p->inside |= is_update (p, node);
  return !p->inside;
}

/* NODE is the loop at the place, rebuilt.  */
static bool
is_place (pack *p, tns_node *node)
{
  if (node->kind != TNS_LOOP || node->iter != p->loop[p->place]->iter)
    return false;
  p->inside = false;
  tns_node_walk (node, note_update, p);
  return p->inside;
}

/* The changer of nodes: the update reads the pack, and the copy stands before
   the loop at the place.  */
static tns_node *
insert (tns_node *node, void *self)
{
  pack *p = self;
  if (is_update (p, node))
    node->value = tns_expr_rebuild (p->arena, node->value, redirect, p);
  if (!is_place (p, node))
    return node;
  tns_node *block = tns_block (p->arena, node->loc);
  tns_block_add (p->arena, block, tns_local (p->arena, node->loc, p->sym));
  tns_block_add (p->arena, block, copy_nest (p));
  tns_block_add (p->arena, block, node);
  return block;
}

/* Write P's step down.  */
static void
tell_step (const pack *p, tns_packing *packing)
{
  const char *name = p->operand->access->sym->name;
  tns_text_format (&packing->steps, "pack %s in %s:", name, p->operand->stmt);
  for (int k = 0; k < p->n_order; k++)
    tns_text_format (&packing->steps, " %s", p->loop[p->order[k]]->iter->name);
  tns_text_add (&packing->steps, "\n");
}

/* Pack OPERAND in REGION, which is changed, if that may pay.  */
static void
pack_operand (tns_ctx *ctx, const tns_operand *operand, tns_region *region,
              tns_packing *packing)
{
  tns_expr *when = packing->when;
  pack *p = prepared (ctx, operand, region->body, true);
  if (!p)
    p = prepared (ctx, operand, region->body, false);
  if (!p || !ask_all (p, ctx->machine, &when))
    return;
  packing->when = when;
  add_symbols (p, region);
  region->body = tns_node_rebuild (ctx->arena, region->body, insert, NULL, p);
  packing->operand[packing->n++] = *operand;
  tell_step (p, packing);
}

tns_region *
tns_region_pack (tns_ctx *ctx, const tns_plan *plan, tns_node *body,
                 const tns_region *like, tns_packing *packing)
{
  tns_operand operand[TNS_MOST_OPERANDS];
  const char *turned = NULL;
  const tns_wish *wish = &ctx->wish;
  *packing = (tns_packing){ .steps = tns_text_new (ctx->arena) };
  if (!plan || !like || !ctx->machine || wish->tile.off || wish->tile.n > 0
      || wish->interchange.n > 0 || wish->simd.off)
    return NULL;
  int n = tns_plan_operands (plan, operand);
  tns_region *region = n > 0 ? tns_region_copy (ctx->arena, like) : NULL;
  if (!region)
    return NULL;
  region->body = body;
  region->name = tns_arena_format (ctx->arena, "%s_packed", like->name);
  for (int k = 0; k < n; k++)
    if (operand[k].stmt != turned && operand[k].turned
        && tns_region_turn (ctx, &operand[k], region, packing))
      turned = operand[k].stmt;
    else if (operand[k].stmt != turned && !operand[k].turned)
      pack_operand (ctx, &operand[k], region, packing);
  return packing->n > 0 ? region : NULL;
}
