/* Kernels beside each other, as lowering/grid-beside.h says.

   1. what the host does in a block, as items: what each touches, and the kernel
      that it is, if it is one
   2. of those that nothing waits for any more the one that most wait for, one
      after the other, and what may join it
   3. a kernel for each set; kernels that nobody launches any more are gone  */

#include "lowering/grid-beside.h"

#include "ir/simplify.h"
#include "ir/walk.h"
#include "lowering/grid-kernel.h"
#include "schedule/machine.h"

#define MOST_PARTS 8
#define MOST_USED  240

/* Threads that a processor of a device has room for, and threads of a block
   where nobody asks for a number.  */
#define ROOM    2048
#define THREADS 256

/* Something that the host does.

   used     by symbol: it is mentioned
   written  by symbol: it is stored
   guard    BOOL, NULL: always done; else it is nothing
   kernel   the one that it is, -1: it is none, or too large
   when     BOOL, NULL: always that one
   size     threads that it has, I64
   threads  that its blocks must have, NULL: any number
   height   of the longest line of items that wait for each other, it in front
   placed   it stands where it will stay  */
typedef struct item
{
  tns_node *node;
  bool *used;
  bool *written;
  int n_used;
  tns_expr *guard;
  int kernel;
  tns_expr *when;
  tns_expr *size;
  tns_expr *threads;
  int height;
  bool placed;
} item;

/* What is being joined: the items of a block.  n_syms: of the region, without
   iterators over parts.  */
typedef struct joiner
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_grid *grid;
  tns_text *steps;
  int n_syms;
  int n;
  item *item;
} joiner;

/* What a node touches, of N_SYMS symbols.  */
typedef struct touched
{
  int n_syms;
  item *it;
  bool *own;
} touched;

/* Items that run beside each other; threads: of a block, NULL: any number.  */
typedef struct set
{
  int n;
  int member[MOST_PARTS];
  int n_used;
  tns_expr *threads;
} set;

/* The visitor of expressions.  */
static bool
note_used (tns_expr *expr, void *self)
{
  touched *t = self;
  if (expr->sym && expr->sym->id < t->n_syms)
    t->it->used[expr->sym->id] = true;
  return true;
}

/* The visitor of statements.  */
static bool
note_touched (tns_node *node, void *self)
{
  touched *t = self;
  tns_node_exprs (node, note_used, t);
  if (node->kind == TNS_ASSIGN)
    t->it->written[node->target->sym->id] = true;
  if (node->kind == TNS_LOCAL)
    t->own[node->sym->id] = true;
  return true;
}

/* Find what IT touches; what begins its life in it is its own.  */
static void
find_touched (joiner *j, item *it)
{
  int n = j->n_syms;
  touched t = { n, it, TNS_NEW_ARRAY (j->arena, bool, n + 1) };
  it->used = TNS_NEW_ARRAY (j->arena, bool, n + 1);
  it->written = TNS_NEW_ARRAY (j->arena, bool, n + 1);
  tns_node_walk (it->node, note_touched, &t);
  if (it->node->kind == TNS_LOCAL)
    {
      it->used[it->node->sym->id] = true;
      it->written[it->node->sym->id] = true;
      return;
    }
  for (int id = 0; id < n; id++)
    {
      it->used[id] &= !t.own[id];
      it->written[id] &= !t.own[id];
      it->n_used += it->used[id];
    }
}

/* What A and B do may not change places.  */
static bool
conflict (const joiner *j, const item *a, const item *b)
{
  for (int id = 0; id < j->n_syms; id++)
    if ((a->written[id] && b->used[id]) || (b->written[id] && a->used[id]))
      return !tns_ctx_breaks (j->ctx, "beside");
  return false;
}

/* Whether COND holds, 1 or 0; -1: that is not known yet.  */
static int
truth (joiner *j, tns_expr *cond)
{
  long long value;
  return tns_expr_is_int (tns_expr_simplify (j->ctx, cond), &value) ? value != 0
                                                                    : -1;
}

/* A and B; either may be NULL, which holds.  */
static tns_expr *
both (joiner *j, tns_expr *a, tns_expr *b)
{
  return !a ? b : !b ? a : tns_binary (j->arena, TNS_LAND, a, b);
}

/* The number of the kernel that NODE is, -1: none.  */
static int
number_of (const joiner *j, const tns_node *node)
{
  const tns_kernel *kernel = tns_grid_kernel (j->grid, node);
  return kernel ? (int) (kernel - j->grid->kernel) : -1;
}

/* NODE, a choice, or a kernel, has a kernel of tiles.  */
static bool
has_tiles (const joiner *j, const tns_node *node)
{
  int k = node ? number_of (j, node) : -1;
  if (!node || k >= 0)
    return node && j->grid->kernel[k].mapping == TNS_MAPPING_TILES;
  bool found = has_tiles (j, node->then) || has_tiles (j, node->otherwise);
  for (int i = 0; i < node->n_kids; i++)
    found |= has_tiles (j, node->kid[i]);
  return found;
}

/* The branch of NODE, a choice, that small sizes take; IT's condition.  */
static tns_node *
usual_branch (joiner *j, const tns_node *node, item *it)
{
  int is = truth (j, node->cond);
  bool tiles = has_tiles (j, node->then) && !has_tiles (j, node->otherwise);
  bool then = is > 0 || (is < 0 && tiles);
  tns_expr *cond
    = then ? node->cond : tns_unary (j->arena, TNS_LNOT, node->cond);
  if (is < 0)
    it->when = both (j, it->when, cond);
  return then ? node->then : node->otherwise;
}

/* What IT is for is AMOUNT, or nothing.  */
static tns_expr *
guarded (joiner *j, const item *it, tns_expr *amount)
{
  if (it->guard)
    amount = tns_ternary (j->arena, TNS_SELECT, it->guard, amount,
                          tns_int (j->arena, 0));
  return tns_expr_simplify (j->ctx, amount);
}

/* The number of threads that a block of KERNEL must have, NULL: any.  */
static tns_expr *
threads_of (joiner *j, const tns_kernel *kernel)
{
  bool any = kernel->mapping == TNS_MAPPING_THREADS
             || (kernel->mapping == TNS_MAPPING_ONE
                 && !tns_grid_has_lanes ((tns_node *) kernel->node));
  return any ? NULL : tns_expr_simplify (j->ctx, kernel->threads);
}

/* Few threads of a device.  */
static tns_expr *
few (joiner *j)
{
  return tns_int (j->arena, (long) j->ctx->machine->processors * ROOM);
}

/* Find the kernel that IT is, where that may be a small one.  */
static void
find_kernel (joiner *j, item *it)
{
  tns_node *node = it->node;
  it->kernel = number_of (j, node);
  while (node && it->kernel < 0)
    {
      if (node->kind == TNS_IF)
        node = usual_branch (j, node, it);
      else
        node
          = node->kind == TNS_BLOCK && node->n_kids == 1 ? node->kid[0] : NULL;
      it->kernel = node ? number_of (j, node) : -1;
    }
  if (it->kernel < 0)
    return;
  const tns_kernel *kernel = &j->grid->kernel[it->kernel];
  it->size = kernel->work;
  if (kernel->mapping != TNS_MAPPING_THREADS)
    it->size = tns_binary (j->arena, TNS_MUL, kernel->work, kernel->threads);
  it->size = guarded (j, it, it->size);
  it->threads = threads_of (j, kernel);
  if (kernel->precision != TNS_PRECISION_OWN || kernel->stages.bytes > 0
      || kernel->mapping == TNS_MAPPING_HALO
      || truth (j, tns_binary (j->arena, TNS_LE, it->size, few (j))) == 0)
    it->kernel = -1;
}

static tns_node *join_node (joiner *around, tns_node *node);

/* Append NODE, done where GUARD holds, to the items; an array that begins its
   life there stands in front of all that does not mention it.  */
static void
add_item (joiner *j, tns_node *node, tns_expr *guard)
{
  item made = { .node = node, .kernel = -1, .guard = guard };
  j->item = tns_arena_grow (j->arena, j->item, sizeof (item) * j->n,
                            sizeof (item) * (j->n + 1));
  find_kernel (j, &made);
  if (guard && node->kind != TNS_LOCAL)
    {
      made.node = tns_block (j->arena, node->loc);
      tns_block_add (j->arena, made.node, node);
      made.node = tns_if (j->arena, node->loc, guard, made.node, NULL);
    }
  find_touched (j, &made);
  if (made.n_used > MOST_USED)
    made.kernel = -1;
  int at = j->n++;
  while (node->kind == TNS_LOCAL && at > 0
         && !conflict (j, &j->item[at - 1], &made))
    {
      j->item[at] = j->item[at - 1];
      at--;
    }
  j->item[at] = made;
}

/* Append what NODE, of the host's, does where GUARD holds.  */
static void
add_items (joiner *j, tns_node *node, tns_expr *guard)
{
  if (number_of (j, node) < 0 && node->kind == TNS_BLOCK)
    for (int k = 0; k < node->n_kids; k++)
      add_items (j, node->kid[k], guard);
  else if (number_of (j, node) < 0 && node->kind == TNS_IF && !node->otherwise)
    add_items (j, node->then, both (j, guard, node->cond));
  else
    add_item (j, join_node (j, node), guard);
}

/* Find how many items wait for each, in a line.  */
static void
find_heights (joiner *j)
{
  for (int i = j->n - 1; i >= 0; i--)
    {
      item *it = &j->item[i];
      it->height = 1;
      for (int k = i + 1; k < j->n; k++)
        if (it->height <= j->item[k].height && conflict (j, it, &j->item[k]))
          it->height = j->item[k].height + 1;
    }
}

/* Item K may join S.  */
static bool
may_join (const joiner *j, const set *s, int k)
{
  const item *it = &j->item[k];
  for (int i = 0; i < s->n; i++)
    if (s->member[i] == k)
      return false;
  if (it->placed || it->kernel < 0 || s->n == MOST_PARTS
      || s->n_used + it->n_used > MOST_USED)
    return false;
  if (it->threads && s->threads && !tns_expr_equal (it->threads, s->threads))
    return false;
  for (int i = 0; i < k; i++)
    if (!j->item[i].placed && conflict (j, &j->item[i], it))
      return false;
  return true;
}

/* The item that is to join S next, -1: none.  */
static int
next_of (const joiner *j, const set *s)
{
  int best = -1;
  for (int k = 0; k < j->n; k++)
    if ((best < 0 || j->item[k].height > j->item[best].height)
        && may_join (j, s, k))
      best = k;
  return best;
}

/* Item K joins S.  */
static void
join (const joiner *j, set *s, int k)
{
  const item *it = &j->item[k];
  s->member[s->n++] = k;
  s->n_used += it->n_used;
  s->threads = it->threads ? it->threads : s->threads;
}

/* How many blocks of THREADS IT needs.  */
static tns_expr *
blocks_of (joiner *j, const item *it, tns_expr *threads)
{
  const tns_kernel *kernel = &j->grid->kernel[it->kernel];
  tns_expr *blocks = kernel->work;
  if (kernel->mapping == TNS_MAPPING_THREADS)
    blocks = tns_ceil_div (j->arena, blocks, threads);
  return guarded (j, it, blocks);
}

/* What KERNEL's parts do, in any order: one of them in each iteration of a loop
   that is free.  */
static tns_node *
in_any_order (joiner *j, const tns_kernel *kernel, tns_loc loc)
{
  tns_arena *arena = j->arena;
  tns_sym *iter = tns_region_add_iter (arena, j->grid->region, "part");
  tns_node *body = tns_block (arena, loc);
  for (int k = 0; k < kernel->n_parts; k++)
    {
      tns_expr *is_it = tns_binary (arena, TNS_EQ, tns_value (arena, iter),
                                    tns_int (arena, k));
      tns_node *own = tns_block (arena, loc);
      tns_block_add (arena, own, (tns_node *) kernel->part[k].node);
      tns_block_add (arena, body, tns_if (arena, loc, is_it, own, NULL));
    }
  tns_node *loop = tns_loop (arena, loc, iter, tns_int (arena, 0),
                             tns_int (arena, kernel->n_parts), 1, body);
  loop->marks.parallel = true;
  return loop;
}

/* A line of the plan for KERNEL.  */
static void
tell (joiner *j, const tns_kernel *kernel)
{
  tns_text_format (j->steps, "beside");
  for (int k = 0; k < kernel->n_parts; k++)
    {
      const char *name
        = tns_node_first_name ((tns_node *) kernel->part[k].node);
      tns_text_format (j->steps, " %s", name ? name : "_");
    }
  tns_text_add (j->steps, "\n");
}

/* A kernel of S's members; its node.  */
static tns_node *
add_kernel (joiner *j, const set *s)
{
  tns_grid *grid = j->grid;
  tns_kernel made = { .mapping = TNS_MAPPING_BESIDE, .whole = true };
  tns_expr *end = tns_int (j->arena, 0);
  made.threads = s->threads ? s->threads : tns_int (j->arena, THREADS);
  made.n_parts = s->n;
  made.part = TNS_NEW_ARRAY (j->arena, tns_kernel, s->n);
  made.end = TNS_NEW_ARRAY (j->arena, tns_expr *, s->n);
  for (int k = 0; k < s->n; k++)
    {
      const item *it = &j->item[s->member[k]];
      made.part[k] = grid->kernel[it->kernel];
      end
        = tns_binary (j->arena, TNS_ADD, end, blocks_of (j, it, made.threads));
      made.end[k] = end;
    }
  made.work = end;
  made.node = in_any_order (j, &made, j->item[s->member[0]].node->loc);
  tell (j, &made);
  grid->kernel
    = tns_arena_grow (j->arena, grid->kernel, sizeof (tns_kernel) * grid->n,
                      sizeof (tns_kernel) * (grid->n + 1));
  grid->kernel[grid->n++] = made;
  return (tns_node *) made.node;
}

/* S's members run beside each other: append that to MADE, with what is done
   where they are not small.  */
static void
place (joiner *j, const set *s, tns_node *made)
{
  tns_node *apart = tns_block (j->arena, made->loc);
  tns_node *beside = tns_block (j->arena, made->loc);
  tns_expr *when = NULL;
  for (int k = 0; k < s->n; k++)
    {
      item *it = &j->item[s->member[k]];
      tns_expr *small = tns_binary (j->arena, TNS_LE, it->size, few (j));
      it->placed = true;
      when = both (j, when, it->when);
      if (truth (j, small) < 0)
        when = both (j, when, small);
      tns_block_add (j->arena, apart, it->node);
    }
  tns_node *node = s->n > 1 ? add_kernel (j, s) : apart->kid[0];
  tns_block_add (j->arena, beside, node);
  if (s->n > 1 && when)
    node = tns_if (j->arena, made->loc, when, beside, apart);
  tns_block_add (j->arena, made, node);
}

/* Append to MADE the items that come next.  */
static void
place_set (joiner *j, tns_node *made)
{
  set s = { .n = 0 };
  int k;
  while ((k = next_of (j, &s)) >= 0)
    join (j, &s, k);
  place (j, &s, made);
}

/* BLOCK, of the host's, with its kernels beside each other.  */
static tns_node *
join_block (const joiner *around, tns_node *block)
{
  joiner own = *around;
  tns_node *made = tns_block (own.arena, block->loc);
  own.n = 0;
  own.item = NULL;
  add_items (&own, block, NULL);
  find_heights (&own);
  for (int first = 0; first < own.n;)
    if (own.item[first].placed)
      first++;
    else if (own.item[first].kernel >= 0)
      place_set (&own, made);
    else
      {
        own.item[first].placed = true;
        tns_block_add (own.arena, made, own.item[first].node);
      }
  return made;
}

/* NODE, of the host's part.  */
static tns_node *
join_node (joiner *around, tns_node *node)
{
  if (number_of (around, node) >= 0)
    return node;
  if (node->kind == TNS_BLOCK)
    return join_block (around, node);
  tns_node *made = tns_node_copy (around->arena, node);
  tns_node **part[] = { &made->body, &made->then, &made->otherwise };
  for (int k = 0; k < 3; k++)
    if (*part[k])
      *part[k] = join_block (around, *part[k]);
  return made;
}

/* Note in LAUNCHED the kernels that NODE, of the host's part, launches.  */
static void
note_launched (const joiner *j, const tns_node *node, bool *launched)
{
  int k = number_of (j, node);
  if (k >= 0)
    {
      launched[k] = true;
      return;
    }
  const tns_node *part[] = { node->body, node->then, node->otherwise };
  for (int p = 0; p < 3; p++)
    if (part[p])
      note_launched (j, part[p], launched);
  for (int i = 0; i < node->n_kids; i++)
    note_launched (j, node->kid[i], launched);
}

/* Only kernels that are launched stay.  */
static void
drop_others (joiner *j)
{
  tns_grid *grid = j->grid;
  bool *launched = TNS_NEW_ARRAY (j->arena, bool, grid->n + 1);
  int n = 0;
  note_launched (j, grid->region->body, launched);
  for (int k = 0; k < grid->n; k++)
    if (launched[k])
      grid->kernel[n++] = grid->kernel[k];
  grid->n = n;
}

void
tns_grid_beside (tns_ctx *ctx, tns_grid *grid, tns_text *steps)
{
  joiner j = { .ctx = ctx, .arena = ctx->arena, .grid = grid, .steps = steps };
  j.n_syms = grid->region->n_syms;
  size_t length = steps->length;
  tns_node *body = join_block (&j, grid->region->body);
  if (steps->length != length)
    grid->region->body = body;
  drop_others (&j);
}

bool
tns_beside_fill (tns_ctx *ctx, const tns_grid *grid, tns_kernel *kernel)
{
  tns_region *region = tns_region_copy (ctx->arena, grid->region);
  int n = 0;
  region->name = tns_arena_format (ctx->arena, "%s_k%d",
                                   ctx->kernels ? ctx->kernels : region->name,
                                   (int) (kernel - grid->kernel));
  region->n_params = 0;
  for (int k = 0; k < kernel->n_parts; k++)
    {
      tns_kernel *part = &kernel->part[k];
      if (!tns_kernel_fill (ctx, grid, part))
        return false;
      part->region->name
        = tns_arena_format (ctx->arena, "%s_part%d", region->name, k);
      n += part->region->n_params;
    }
  kernel->region = region;
  kernel->given = TNS_NEW_ARRAY (ctx->arena, tns_sym *, n + 1);
  for (int k = 0; k < kernel->n_parts; k++)
    for (int p = 0; p < kernel->part[k].region->n_params; p++)
      {
        const tns_kernel *part = &kernel->part[k];
        kernel->given[region->n_params] = part->given[p];
        tns_region_add_param (ctx->arena, region, part->region->params[p]);
      }
  return true;
}
