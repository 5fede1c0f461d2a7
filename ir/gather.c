/* Scattered sums gathered, as ir/gather.h says.

   A nest of loops of which each holds one other, or the innermost statements,
   is looked at for an array all of whose mentions in it are sums there:

     a[f1] += e1;  a[f2] += e2; ...

   owner   of a subscript: the outermost loop that moves it, by one; the same
           in each sum; it owns that subscript alone
   shift   of a sum: subscript - owner, a constant, and what VALUEs and loops
           that own nothing, taps, add.  Those of two sums differ by constants
   values  e with its cells read through, where it is short, calls no function
           and reads nothing that the nest writes; else each iteration keeps e
           in a row (ir/gather-rows.c)

   guard   of a sum: an IF of the innermost body that asks about iterators and
           VALUEs, as where a window hangs over a border

   Each loop is an owner or a tap: what sums besides is better done in tiles
   (schedule/scatter.c).  The owner's iterator then counts elements, and
   iteration - shift stands for it in e; with lo and hi the loop's bounds and
   s and t the least and the greatest shift

     lo + s ... lo + t ... hi + s ... hi + t

   are where some sums, all, and some have iterations.  The sums make one
   statement whose parts have conditions; of the innermost owner these are left
   to lowering/cut.h, others' make loops of their own, and so do all where taps
   stand inside.  No element is touched that was not: where a loop does not run
   at all nothing is, and where the shifts leave gaps, as at the corners of a
   cross, the statement has a condition.  */

#include "ir/gather.h"

#include "ir/gather-nest.h"
#include "ir/walk.h"

enum
{
  MOST_BORDER = 16
};

/* The pass, over REGION: the loops around what is rebuilt,
   OUTER[n_outer - 1] the innermost one.  */
typedef struct pass
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  int n_outer;
  const tns_node *outer[TNS_GATHER_LOOPS];
  bool changed;
} pass;

/* P's loops right around G's, of which each holds the next one alone, move
   its array's elements.  */
static bool
is_owned_outside (const pass *p, const tns_gathering *g)
{
  bool plain = true;
  for (int k = p->n_outer - 1; k >= 0 && plain; k--)
    {
      tns_gather_loop_in (p->outer[k]->body, false, &plain);
      if (plain
          && !tns_expr_mentions (g->sum[0].node->target, p->outer[k]->iter))
        return false;
    }
  return true;
}

/* A and B, where A may be NULL.  */
static tns_expr *
both (const tns_gathering *g, tns_expr *a, tns_expr *b)
{
  return a ? tns_binary (g->arena, TNS_LAND, a, b) : b;
}

/* The shift of sum S in subscript K.  */
static tns_sum
shift_of (const tns_gathering *g, int s, int k)
{
  return tns_gather_plus (g, g->sub[k].shift,
                          tns_sum_int (g->arena, g->sum[s].by[k]));
}

/* COND, or NULL, and: sum S has an iteration for the element at subscript
   K.  What always holds, or follows from the loops' ends, is left out; so is
   what borders of its row make good.  */
static tns_expr *
with_condition (const tns_gathering *g, tns_expr *cond, int s, int k)
{
  const tns_gather_sub *sub = &g->sub[k];
  if (g->sum[s].is_kept && g->border > 0 && sub->loop == g->n - 1)
    return cond;
  tns_sum shift = shift_of (g, s, k);
  tns_expr *iter = tns_value (g->arena, g->loop[sub->loop]->iter);
  tns_expr *first = tns_sum_expr (
    g->arena, tns_gather_plus (g, tns_gather_lo (g, sub->loop), shift));
  tns_expr *end = tns_sum_expr (
    g->arena, tns_gather_plus (g, tns_gather_hi (g, sub->loop), shift));
  if (!tns_sum_equal (shift, sub->from))
    cond = both (g, cond, tns_binary (g->arena, TNS_GE, iter, first));
  if (!tns_sum_equal (shift, sub->to) && !tns_ctx_breaks (g->ctx, "gather"))
    cond = both (g, cond, tns_binary (g->arena, TNS_LT, iter, end));
  return cond;
}

/* EXPR, of sum S's iteration, for the element at the iterators.  */
static tns_expr *
shifted (const tns_gathering *g, int s, tns_expr *expr)
{
  tns_sym *sym[TNS_GATHER_LOOPS];
  tns_expr *by[TNS_GATHER_LOOPS];
  int n = 0;
  for (int l = 0; l < g->n; l++)
    if (g->owned[l] >= 0)
      {
        tns_sum at = tns_gather_minus (g, tns_gather_iter (g, g->loop[l]->iter),
                                       shift_of (g, s, g->owned[l]));
        sym[n] = g->loop[l]->iter;
        by[n++] = tns_sum_expr (g->arena, at);
      }
  return tns_expr_substitute (g->arena, expr, n, sym, by);
}

/* What sum S adds to the element at the iterators.  */
static tns_expr *
value_of (const tns_gathering *g, int s)
{
  return shifted (g, s, g->sum[s].value);
}

/* The element at the iterators.  */
static tns_expr *
element (const tns_gathering *g)
{
  const tns_expr *target = g->sum[0].node->target;
  tns_expr *arg[TNS_MOST_RANK];
  for (int k = 0; k < target->n_args; k++)
    arg[k] = g->sub[k].loop < 0
               ? target->arg[k]
               : tns_value (g->arena, g->loop[g->sub[k].loop]->iter);
  tns_expr *made = tns_load (g->arena, g->sym, arg);
  made->loc = target->loc;
  return made;
}

/* The element += VALUE.  */
static tns_node *
statement (tns_gathering *g, tns_expr *value)
{
  const tns_node *like = g->sum[0].node;
  tns_node *made
    = tns_assign (g->arena, like->loc, element (g), TNS_ADD, value);
  made->name = tns_arena_format (g->arena, "%sg%d", like->name, g->n_made++);
  return made;
}

/* The condition of sum S where the subscripts in ASKS are asked for; NULL:
   none.  */
static tns_expr *
condition (const tns_gathering *g, int s, const bool *asks)
{
  tns_expr *cond = NULL;
  for (int k = 0; k < g->sum[0].node->target->n_args; k++)
    if (asks[k])
      cond = with_condition (g, cond, s, k);
  return cond;
}

/* The shifts of sums A and B in the subscripts in ASKS are the same.  */
static bool
shift_alike (const tns_gathering *g, const bool *asks, int a, int b)
{
  for (int k = 0; k < g->sum[0].node->target->n_args; k++)
    if (asks[k] && g->sum[a].by[k] != g->sum[b].by[k])
      return false;
  return true;
}

/* In the subscripts in ASKS the shifts fill a box: each element between the
   ends has a sum.  */
static bool
fills_box (const tns_gathering *g, const bool *asks)
{
  long long room = 1;
  for (int k = 0; k < g->sum[0].node->target->n_args; k++)
    {
      long long width = 0;
      if (asks[k])
        tns_sum_is_int (tns_gather_minus (g, g->sub[k].to, g->sub[k].from),
                        &width);
      room = room > TNS_GATHER_SUMS ? room : room * (width + 1);
    }
  for (int s = 0; s < g->n_sums; s++)
    {
      bool is_new = true;
      for (int r = 0; r < s; r++)
        is_new &= !shift_alike (g, asks, r, s);
      room -= is_new;
    }
  return room == 0;
}

/* NODE, where some sum has an iteration as far as ASKS says.  */
static tns_node *
where_some (const tns_gathering *g, tns_node *node, const bool *asks)
{
  tns_expr *some = NULL;
  if (fills_box (g, asks))
    return node;
  for (int s = 0; s < g->n_sums; s++)
    {
      tns_expr *cond = condition (g, s, asks);
      if (!cond)
        return node;
      some = some ? tns_binary (g->arena, TNS_LOR, some, cond) : cond;
    }
  tns_node *then = tns_block (g->arena, node->loc);
  tns_block_add (g->arena, then, node);
  return tns_if (g->arena, node->loc, some, then, NULL);
}

/* What all values are divided by, a constant or a VALUE; NULL: nothing.  */
static tns_expr *
divisor_of (const tns_gathering *g)
{
  tns_expr *divisor = NULL;
  if (!tns_elem_is_float (g->sym->type.elem))
    return NULL;
  for (int s = 0; s < g->n_sums; s++)
    {
      const tns_expr *value = g->sum[s].value;
      if (value->op != TNS_DIV || !tns_gather_is_outside (g, value->arg[1])
          || (s > 0 && !tns_expr_equal (value->arg[1], divisor)))
        return NULL;
      divisor = value->arg[1];
    }
  return divisor;
}

/* All sums as one statement, divided once.  */
static tns_node *
sums_at_once (tns_gathering *g, const bool *asks)
{
  tns_expr *divisor = divisor_of (g);
  tns_expr *all = NULL;
  for (int s = 0; s < g->n_sums; s++)
    {
      tns_expr *value = value_of (g, s);
      value = divisor ? value->arg[0] : value;
      tns_expr *cond = condition (g, s, asks);
      if (cond)
        value = tns_ternary (g->arena, TNS_SELECT, cond, value,
                             tns_gather_nothing (g));
      all = all ? tns_binary (g->arena, TNS_ADD, all, value) : value;
    }
  if (divisor)
    all = tns_binary (g->arena, TNS_DIV, all, divisor);
  return where_some (g, statement (g, all), asks);
}

/* The loops over taps around the sums one by one.  */
static tns_node *
sums_by_taps (tns_gathering *g, const bool *asks)
{
  tns_node *body = tns_block (g->arena, g->loop[0]->loc);
  for (int s = 0; s < g->n_sums; s++)
    {
      tns_node *node = statement (g, value_of (g, s));
      tns_expr *cond = condition (g, s, asks);
      if (g->sum[s].guard)
        cond = both (g, cond, shifted (g, s, g->sum[s].guard->cond));
      if (cond)
        {
          tns_node *then = tns_block (g->arena, node->loc);
          tns_block_add (g->arena, then, node);
          node = tns_if (g->arena, node->loc, cond, then, NULL);
        }
      tns_block_add (g->arena, body, node);
    }
  for (int l = g->n - 1; l >= 0; l--)
    if (g->owned[l] < 0)
      {
        tns_node *made = tns_node_copy (g->arena, g->loop[l]);
        made->body = body;
        body = tns_block (g->arena, made->loc);
        tns_block_add (g->arena, body, made);
      }
  return body;
}

static void add_loops (tns_gathering *g, tns_node *block, int l, bool *asks);

/* Append the loop of owner L from LO to HI, and what is inside.  */
static void
add_part (tns_gathering *g, tns_node *block, int l, bool *asks, tns_expr *lo,
          tns_expr *hi)
{
  tns_node *made = tns_node_copy (g->arena, g->loop[l]);
  made->lo = lo;
  made->hi = hi;
  made->body = tns_block (g->arena, made->loc);
  add_loops (g, made->body, l + 1, asks);
  tns_block_add (g->arena, block, made);
}

/* The loop of owner L stays one: no other owner stands inside, and its borders
   are short.  */
static bool
stays_whole (const tns_gathering *g, int l)
{
  const tns_gather_sub *sub = &g->sub[g->owned[l]];
  long long border;
  for (int k = l + 1; k < g->n; k++)
    if (g->owned[k] >= 0)
      return false;
  return !g->one_by_one
         && tns_sum_is_int (tns_gather_minus (g, sub->to, sub->from), &border)
         && border <= MOST_BORDER;
}

/* How many elements G's rows have at both ends that add nothing.  */
static long long
border_of (const tns_gathering *g)
{
  bool asks[TNS_MOST_RANK] = { false };
  const tns_gather_sub *inner = &g->sub[g->owned[g->n - 1]];
  long long border = 0;
  for (int k = 0; k < g->sum[0].node->target->n_args; k++)
    asks[k] = !g->sub[k].is_fixed;
  if (!inner->is_fixed && stays_whole (g, g->n - 1) && fills_box (g, asks))
    tns_sum_is_int (tns_gather_minus (g, inner->to, inner->from), &border);
  return border;
}

/* Append to BLOCK the loops of the owners from L on, and the sums; ASKS says
   for which subscripts conditions are needed.  */
static void
add_loops (tns_gathering *g, tns_node *block, int l, bool *asks)
{
  tns_arena *arena = g->arena;
  while (l < g->n && g->owned[l] < 0)
    l++;
  if (l == g->n)
    {
      tns_block_add (arena, block,
                     g->one_by_one ? sums_by_taps (g, asks)
                                   : sums_at_once (g, asks));
      return;
    }
  const tns_gather_sub *sub = &g->sub[g->owned[l]];
  tns_expr *begin = tns_sum_expr (
    arena, tns_gather_plus (g, tns_gather_lo (g, l), sub->from));
  tns_expr *full
    = tns_sum_expr (arena, tns_gather_plus (g, tns_gather_lo (g, l), sub->to));
  tns_expr *some = tns_sum_expr (
    arena, tns_gather_plus (g, tns_gather_hi (g, l), sub->from));
  tns_expr *end
    = tns_sum_expr (arena, tns_gather_plus (g, tns_gather_hi (g, l), sub->to));
  bool whole = stays_whole (g, l);
  asks[g->owned[l]] = !sub->is_fixed;
  if (sub->is_fixed || whole)
    add_part (g, block, l, asks, begin, end);
  else
    {
      tns_expr *left = tns_binary (arena, TNS_MIN, full, end);
      tns_expr *right = tns_binary (arena, TNS_MAX, full, some);
      add_part (g, block, l, asks, begin, left);
      add_part (g, block, l, asks, right, end);
      asks[g->owned[l]] = false;
      add_part (g, block, l, asks, full, some);
    }
  asks[g->owned[l]] = false;
}

/* The nest of G's sums, gathered, in an IF: all owners' loops run.  */
static tns_node *
gathered (tns_gathering *g)
{
  bool asks[TNS_MOST_RANK] = { false };
  tns_expr *runs = NULL;
  for (int l = 0; l < g->n; l++)
    if (g->owned[l] >= 0)
      runs = both (
        g, runs, tns_binary (g->arena, TNS_LT, g->loop[l]->lo, g->loop[l]->hi));
  tns_node *block = tns_block (g->arena, g->loop[0]->loc);
  add_loops (g, block, 0, asks);
  return tns_if (g->arena, block->loc, runs, block, NULL);
}

/* ROOT without the sums of SYM, in *LEFT, and these, gathered, in a BLOCK, with
   the rows that are between them; NULL where they are not fit.  */
static tns_node *
gather (const pass *p, tns_node *root, tns_sym *sym, tns_node **left)
{
  tns_gathering *g = TNS_NEW (p->arena, tns_gathering);
  *g = (tns_gathering){ .ctx = p->ctx, .arena = p->arena, .sym = sym };
  if (!tns_gather_find (g, root) || !is_owned_outside (p, g))
    return NULL;
  tns_node *block = tns_block (p->arena, root->loc);
  if (!g->one_by_one)
    g->border = border_of (g);
  tns_node *borders = tns_block (p->arena, root->loc);
  tns_gather_keep (g, p->region, block, borders);
  *left = tns_block (p->arena, root->loc);
  tns_block_add (p->arena, *left, tns_gather_left (g));
  tns_block_add (p->arena, block, *left);
  tns_block_add (p->arena, block, borders);
  tns_block_add (p->arena, block, gathered (g));
  return block;
}

/* The changer that puts the kids of BLOCKs in the place of these in BLOCKs: no
   two LOCALs are one symbol.  */
static tns_node *
open_blocks (tns_node *node, void *self)
{
  tns_arena *arena = self;
  if (node->kind != TNS_BLOCK)
    return node;
  tns_node *made = tns_block (arena, node->loc);
  for (int k = 0; k < node->n_kids; k++)
    {
      tns_node *kid = node->kid[k];
      if (kid->kind != TNS_BLOCK)
        tns_block_add (arena, made, kid);
      else
        for (int j = 0; j < kid->n_kids; j++)
          tns_block_add (arena, made, kid->kid[j]);
    }
  return made;
}

/* Targets of updates.  */
typedef struct targets
{
  int n;
  tns_sym *sym[TNS_GATHER_LOOPS];
} targets;

/* The visitor that finds them.  */
static bool
note_target (tns_node *node, void *self)
{
  targets *t = self;
  if (node->kind != TNS_ASSIGN || node->update != TNS_ADD
      || node->target->n_args == 0 || t->n == TNS_GATHER_LOOPS)
    return true;
  for (int k = 0; k < t->n; k++)
    if (t->sym[k] == node->target->sym)
      return true;
  t->sym[t->n++] = node->target->sym;
  return true;
}

static tns_node *rebuild (pass *p, tns_node *node);

/* LOOP with the sums in it gathered.  */
static tns_node *
rebuild_loop (pass *p, tns_node *loop)
{
  targets t = { .n = 0 };
  tns_node_walk (loop, note_target, &t);
  for (int k = 0; k < t.n; k++)
    {
      tns_node *left;
      tns_node *made = gather (p, loop, t.sym[k], &left);
      if (!made)
        continue;
      p->changed = true;
      left->kid[0] = rebuild (p, left->kid[0]);
      return made;
    }
  if (t.n == 0 || p->n_outer == TNS_GATHER_LOOPS)
    return loop;
  tns_node *copy = tns_node_copy (p->arena, loop);
  p->outer[p->n_outer++] = loop;
  copy->body = rebuild (p, loop->body);
  p->n_outer--;
  return copy;
}

/* NODE with the sums in it gathered.  */
static tns_node *
rebuild (pass *p, tns_node *node)
{
  if (node->kind == TNS_LOOP)
    return rebuild_loop (p, node);
  if (node->kind != TNS_BLOCK && node->kind != TNS_IF)
    return node;
  tns_node *copy = tns_node_copy (p->arena, node);
  if (node->kind == TNS_IF)
    {
      copy->then = rebuild (p, node->then);
      copy->otherwise = node->otherwise ? rebuild (p, node->otherwise) : NULL;
      return copy;
    }
  for (int k = 0; k < node->n_kids; k++)
    copy->kid[k] = rebuild (p, node->kid[k]);
  return copy;
}

tns_region *
tns_region_gather (tns_ctx *ctx, tns_region *region)
{
  if (!region || tns_wish_names_loops (&ctx->wish))
    return region;
  tns_region *made = tns_region_copy (ctx->arena, region);
  pass p = { .ctx = ctx, .arena = ctx->arena, .region = made };
  tns_node *body
    = tns_node_rebuild (p.arena, region->body, open_blocks, NULL, p.arena);
  body = rebuild (&p, body);
  if (!p.changed)
    return region;
  made->body = tns_node_rebuild (p.arena, body, open_blocks, NULL, p.arena);
  return made;
}
