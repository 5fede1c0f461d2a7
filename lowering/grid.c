/* Kernels, as lowering/grid.h says.

   1. what the host runs and what it launches: a loop that threads share is a
      kernel; one around such, and a choice, is the host's where it knows the
      bounds; all between is done by one block
   2. cells of one kernel alone are its own
   3. each kernel as a region (lowering/grid-kernel.c)  */

#include "lowering/grid.h"

#include "ir/walk.h"
#include "lowering/grid-beside.h"
#include "lowering/grid-columns.h"
#include "lowering/grid-group.h"
#include "lowering/grid-cross.h"
#include "lowering/grid-halo.h"
#include "lowering/grid-kernel.h"
#include "lowering/grid-row.h"
#include "lowering/grid-short.h"
#include "lowering/grid-slots.h"
#include "lowering/grid-stages.h"
#include "lowering/grid-tile.h"
#include "lowering/grid-wide.h"
#include "schedule/machine.h"

#define THREADS     256
#define FEW_LANES   256
#define MANY_LANES  1024
#define LEAST_BLOCK 32
#define SOME_BLOCK  128

/* Of tiles with tensor cores: as many as get on as fast as small ones on all
   processors, which read three times as much; the part by which large ones may
   reach further beyond the last element than small ones; rows, and columns,
   from which on they are taken.  */
#define ENOUGH_MATRICES 44
#define ONE_IN          4
#define LEAST_TILED     24

/* Kernels being found.  home: by symbol, the block of the host's part that a
   LOCAL stands in.  steps: lines of the plan.  */
typedef struct finder
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_grid *grid;
  const tns_node **home;
  tns_text steps;
} finder;

/* A search.  */
typedef struct search
{
  bool found;
} search;

/* The visitor that looks for loops that threads share.  */
static bool
note_shared (tns_node *node, void *self)
{
  search *s = self;
  s->found |= node->kind == TNS_LOOP && node->marks.parallel;
  return !s->found;
}

/* NODE has a loop that threads share.  */
static bool
is_shared_in (tns_node *node)
{
  search s = { false };
  tns_node_walk (node, note_shared, &s);
  return s.found;
}

/* The visitor that looks for lanes.  */
static bool
note_lanes (tns_node *node, void *self)
{
  search *s = self;
  s->found
    |= node->kind == TNS_LOOP && (node->marks.simd > 1 || node->marks.scan);
  return !s->found;
}

bool
tns_grid_has_lanes (tns_node *node)
{
  search s = { false };
  tns_node_walk (node, note_lanes, &s);
  return s.found;
}

tns_node *
tns_grid_inner (tns_node *loop)
{
  tns_node *inner = loop->body;
  while (inner->kind == TNS_BLOCK && inner->n_kids == 1)
    inner = inner->kid[0];
  return inner->kind == TNS_LOOP ? inner : NULL;
}

int
tns_grid_loops (tns_node *loop)
{
  int n = 1;
  tns_node *inner = loop;
  while (n < loop->marks.collapse && (inner = tns_grid_inner (inner)))
    {
      for (tns_node *outer = loop; outer != inner;
           outer = tns_grid_inner (outer))
        if (tns_expr_mentions (inner->lo, outer->iter)
            || tns_expr_mentions (inner->hi, outer->iter))
          return n;
      n++;
    }
  return n;
}

tns_expr *
tns_grid_trip (tns_arena *arena, const tns_node *loop)
{
  bool up = loop->step > 0;
  long long step = up ? loop->step : -loop->step;
  tns_expr *length = tns_binary (arena, TNS_SUB, up ? loop->hi : loop->lo,
                                 up ? loop->lo : loop->hi);
  if (step > 1)
    length = tns_ceil_div (arena, length, tns_int (arena, step));
  return tns_binary (arena, TNS_MAX, length, tns_int (arena, 0));
}

/* The visitor of what the host shall compute.  */
static bool
note_unknown (tns_expr *expr, void *self)
{
  search *s = self;
  s->found |= tns_expr_reads (expr) || expr->op == TNS_CALL;
  return !s->found;
}

/* The host can compute EXPR.  */
static bool
is_known (tns_expr *expr)
{
  search s = { false };
  tns_expr_walk (expr, note_unknown, &s);
  return !s.found;
}

/* Refuse for WORDS.  */
static void *
refuse (finder *f, tns_loc loc, const char *words)
{
  return tns_refuse (f->ctx, loc, TNS_WHY_DEVICE, words);
}

/* A kernel of NODE.  */
static tns_kernel *
add_kernel (finder *f, tns_node *node, tns_mapping mapping)
{
  tns_grid *grid = f->grid;
  grid->kernel
    = tns_arena_grow (f->arena, grid->kernel, sizeof (tns_kernel) * grid->n,
                      sizeof (tns_kernel) * (grid->n + 1));
  tns_kernel *kernel = &grid->kernel[grid->n++];
  *kernel = (tns_kernel){ .node = node, .mapping = mapping };
  kernel->work = tns_int (f->arena, 1);
  return kernel;
}

/* The longest loop with lanes below a node, as far as the host knows it.  */
typedef struct lanes
{
  tns_arena *arena;
  tns_expr *most;
  bool known;
} lanes;

/* The visitor.  */
static bool
note_length (tns_node *node, void *self)
{
  lanes *l = self;
  if (node->kind != TNS_LOOP)
    return true;
  tns_expr *trip = tns_grid_trip (l->arena, node);
  bool knows = is_known (trip);
  bool shared = node->marks.simd > 1 || node->marks.scan;
  if (shared && knows)
    l->most = l->most ? tns_binary (l->arena, TNS_MAX, l->most, trip) : trip;
  if (shared && !knows)
    l->known = false;
  return true;
}

/* The visitor that looks for iterators.  */
static bool
note_iter (tns_expr *expr, void *self)
{
  search *s = self;
  s->found |= expr->op == TNS_SYM && expr->sym->kind == TNS_SYM_ITER;
  return !s->found;
}

/* A > B ? X : Y, numbers.  */
static tns_expr *
choose (finder *f, tns_expr *a, long b, long x, tns_expr *y)
{
  tns_expr *more = tns_binary (f->arena, TNS_GE, a, tns_int (f->arena, b));
  return tns_ternary (f->arena, TNS_SELECT, more, tns_int (f->arena, x), y);
}

/* How many threads a block of NODE has, by the length of what they share;
   chunks are long.  */
static tns_expr *
threads_of (finder *f, tns_node *node)
{
  lanes l = { f->arena, NULL, true };
  search s = { false };
  tns_node_walk (node, note_length, &l);
  if (l.most)
    tns_expr_walk (l.most, note_iter, &s);
  if (!l.most || !l.known || s.found)
    return tns_int (f->arena, node->marks.chunks ? THREADS : SOME_BLOCK);
  return choose (
    f, l.most, MANY_LANES, THREADS,
    choose (f, l.most, FEW_LANES, SOME_BLOCK, tns_int (f->arena, LEAST_BLOCK)));
}

/* Tiles that a contraction is cut into.

   matrix  where tensor cores may be used
   shape   TNS_TILE_SHAPES
   enough  as many blocks of the larger one as make it the better one  */
typedef struct tiles
{
  tns_node *loop;
  const tns_tile *tile;
  tns_precision precision;
  tns_matrix matrix;
  const tns_tile_shape *shape;
  long enough;
} tiles;

/* The tiles of LOOP, which is TILE: with tensor cores where they may be
   used.  */
static tiles
tiles_of (finder *f, tns_node *loop, const tns_tile *tile)
{
  tiles t = { .loop = loop, .tile = tile, .precision = f->ctx->wish.precision };
  bool found = tns_matrix_find (f->arena, tile, t.precision, &t.matrix);
  if (!found)
    t.precision = TNS_PRECISION_OWN;
  t.shape = found ? tns_matrix_shapes (&t.matrix) : tns_tile_shapes (tile);
  t.enough = found ? ENOUGH_MATRICES : f->ctx->machine->processors;
  return t;
}

/* A kernel of T by tiles of its shape number SHAPE, with STAGES.  */
static tns_node *
take_shape (finder *f, const tiles *t, int shape, const tns_stages *stages)
{
  tns_node *made = tns_block (f->arena, t->loop->loc);
  tns_node *copy = tns_node_copy (f->arena, t->loop);
  tns_kernel *kernel = add_kernel (f, copy, TNS_MAPPING_TILES);
  kernel->shape = shape;
  kernel->precision = t->precision;
  kernel->work = tns_tile_blocks (f->arena, t->tile, &t->shape[shape]);
  kernel->threads = tns_int (f->arena, t->shape[shape].threads);
  kernel->beside = t->shape[shape].beside;
  kernel->stages = *stages;
  kernel->whole = true;
  tns_block_add (f->arena, made, copy);
  return made;
}

/* The same with as many stages as suit it, and where lines are not aligned
   for them, which the host asks, without.  */
static tns_node *
take_tiles (finder *f, const tiles *t, int shape)
{
  const tns_machine *machine = f->ctx->machine;
  static const tns_stages none = { .n = 0 };
  if (!t->precision)
    {
      tns_stages s = tns_tile_stages (t->tile, &t->shape[shape], machine);
      return take_shape (f, t, shape, &s);
    }
  tns_stages s = tns_matrix_stages (t->tile, &t->matrix, shape, machine);
  tns_expr *suit = tns_stages_suit (f->arena, t->tile, &t->matrix, &s);
  tns_node *made = take_shape (f, t, shape, &s);
  if (shape == 0)
    f->grid->kernel[f->grid->n - 1].group
      = tns_group_find (f->arena, t->tile, &t->matrix);
  if (!suit || !is_known (suit))
    return made;
  return tns_if (f->arena, t->loop->loc, suit, made,
                 take_shape (f, t, shape, &none));
}

/* A is at least B, numbers.  */
static tns_expr *
at_least (finder *f, tns_expr *a, long b)
{
  return tns_binary (f->arena, TNS_GE, a, tns_int (f->arena, b));
}

/* There are enough of T's tiles number K for all of the device, and they have
   but a part of ONE_IN more elements that are not there than the next ones.  */
static tns_expr *
suit_larger (finder *f, const tiles *t, int k)
{
  tns_arena *arena = f->arena;
  const tns_tile_shape *shape = &t->shape[k];
  long larger = shape[0].rows * shape[0].columns * ONE_IN;
  long smaller = shape[1].rows * shape[1].columns * (ONE_IN + 1);
  tns_expr *blocks = tns_tile_blocks (arena, t->tile, &shape[0]);
  tns_expr *next = tns_tile_blocks (arena, t->tile, &shape[1]);
  return tns_binary (
    arena, TNS_LAND, at_least (f, blocks, t->enough),
    tns_binary (arena, TNS_LE,
                tns_binary (arena, TNS_MUL, blocks, tns_int (arena, larger)),
                tns_binary (arena, TNS_MUL, next, tns_int (arena, smaller))));
}

/* The kernels of T: the largest tiles that suit, else the smallest.  */
static tns_node *
take_enough (finder *f, const tiles *t)
{
  int last = 0;
  while (last + 1 < TNS_TILE_SHAPES && t->shape[last + 1].rows)
    last++;
  tns_node *made = take_tiles (f, t, last);
  for (int k = last - 1; k >= 0; k--)
    {
      tns_node *larger = tns_block (f->arena, t->loop->loc);
      tns_block_add (f->arena, larger,
                     tns_if (f->arena, t->loop->loc, suit_larger (f, t, k),
                             take_tiles (f, t, k), made));
      made = larger;
    }
  return made;
}

/* The kernels of LOOP, a contraction: tiles where there are rows and columns
   enough for some, else as OTHERWISE.  */
static tns_node *
take_contraction (finder *f, tns_node *loop, const tns_tile *tile,
                  tns_node *otherwise)
{
  tns_arena *arena = f->arena;
  tns_node *rest = tns_block (arena, loop->loc);
  tns_expr *rows = tns_tile_extent (arena, tile, TNS_TILE_ROW);
  tns_expr *columns = tns_tile_extent (arena, tile, TNS_TILE_COLUMN);
  tiles t = tiles_of (f, loop, tile);
  tns_node *tiled = take_enough (f, &t);
  tns_block_add (arena, rest, otherwise);
  return tns_if (arena, loop->loc,
                 tns_binary (arena, TNS_LAND, at_least (f, rows, LEAST_TILED),
                             at_least (f, columns, LEAST_TILED)),
                 tiled, rest);
}

/* The kernels of LOOP: where it PAYS one with MAPPING, of BLOCKS with THREADS,
   else as it is.  */
static tns_node *
take_where (finder *f, tns_node *loop, tns_expr *pays, tns_mapping mapping,
            tns_expr *blocks, int threads)
{
  tns_node *rest = tns_block (f->arena, loop->loc);
  tns_node *made = tns_block (f->arena, loop->loc);
  tns_node *copy = tns_node_copy (f->arena, loop);
  tns_kernel *kernel = add_kernel (f, copy, mapping);
  kernel->work = blocks;
  kernel->threads = tns_int (f->arena, threads);
  kernel->whole = mapping == TNS_MAPPING_HALO;
  tns_block_add (f->arena, made, copy);
  tns_block_add (f->arena, rest, loop);
  return tns_if (f->arena, loop->loc, pays, made, rest);
}

/* Who does the iterations of LOOP, which threads share.  */
static tns_mapping
mapping_of (finder *f, tns_node *loop)
{
  if (!tns_grid_has_lanes (loop))
    return TNS_MAPPING_THREADS;
  tns_slots slots;
  if (!tns_columns_pay (f->arena, loop))
    return tns_slots_find (f->arena, loop, &slots) && is_known (slots.lanes->hi)
             ? TNS_MAPPING_SLOTS
             : TNS_MAPPING_BLOCKS;
  return tns_columns_suit (loop) ? TNS_MAPPING_COLUMNS : TNS_MAPPING_THREADS;
}

/* The loops of the space that LOOP begins; *N of them.  */
static tns_node **
space_of (finder *f, tns_node *loop, int *n)
{
  *n = tns_grid_loops (loop);
  tns_node **loops = TNS_NEW_ARRAY (f->arena, tns_node *, *n);
  loops[0] = loop;
  for (int k = 1; k < *n; k++)
    loops[k] = tns_grid_inner (loops[k - 1]);
  return loops;
}

/* Let KERNEL, whose threads share LOOP, have fewer of them where each takes
   several iterations.  */
static void
take_wide (finder *f, tns_node *loop, tns_kernel *kernel)
{
  tns_wide wide;
  int n;
  tns_node **loops = space_of (f, loop, &n);
  if (!tns_wide_find (f->arena, f->grid->region, n, loops, &wide))
    return;
  kernel->work = tns_wide_groups (f->arena, &wide, n, loops);
  kernel->whole = true;
}

/* How many threads a block has for a row of LENGTH: as many as have room for it
   in registers, a warp at least.  */
static tns_expr *
row_threads (finder *f, const tns_grid_row *row, tns_expr *length)
{
  tns_expr *threads = tns_int (f->arena, LEAST_BLOCK);
  for (int more = 2 * LEAST_BLOCK; more <= TNS_MOST_ROW_THREADS; more *= 2)
    threads
      = choose (f, length, tns_row_room (row, more / 2) + 1, more, threads);
  return threads;
}

/* The kernel of LOOP, whose blocks take WORK rows, of ROW in registers where
   that is not NULL: several a block, as SHORT says.  */
static tns_node *
add_short (finder *f, tns_node *loop, const tns_grid_row *row, tns_expr *work,
           const tns_short *found)
{
  int rows = TNS_SHORT_THREADS / found->lanes;
  tns_node *copy = tns_node_copy (f->arena, loop);
  tns_kernel *kernel = add_kernel (f, copy, TNS_MAPPING_BLOCKS);
  kernel->work = tns_ceil_div (f->arena, work, tns_int (f->arena, rows));
  kernel->threads = tns_int (f->arena, TNS_SHORT_THREADS);
  kernel->lanes = found->lanes;
  kernel->shape = row ? found->groups * row->width : 0;
  kernel->whole = true;
  const char *name = tns_node_first_name (loop);
  tns_text_format (&f->steps, "rows of %s: %d a block%s\n", name ? name : "_",
                   rows, found->usual ? " where they are short" : "");
  return copy;
}

/* The same where rows of the space that LOOP begins are known to be short,
   else as OTHERWISE; where it is not known how long they are and LENGTH, that
   of ROW, is not NULL, the host chooses.  */
static tns_node *
take_short (finder *f, tns_node *loop, const tns_grid_row *row, tns_expr *work,
            tns_expr *length, tns_node *otherwise)
{
  tns_short found;
  int n;
  tns_node **loops = space_of (f, loop, &n);
  tns_region *region = f->grid->region;
  if (loop->marks.chunks
      || !tns_short_find (f->ctx, region, n, loops, row, length != NULL,
                          &found))
    return otherwise;
  tns_node *some = add_short (f, loop, row, work, &found);
  if (!found.usual)
    return some;
  tns_node *many = tns_block (f->arena, loop->loc);
  tns_node *few = tns_block (f->arena, loop->loc);
  tns_block_add (f->arena, many, otherwise);
  tns_block_add (f->arena, few, some);
  long room = (long) found.lanes * found.groups * row->width;
  return tns_if (f->arena, loop->loc, at_least (f, length, room + 1), many,
                 few);
}

/* LOOP, whose blocks have KERNEL: rows that have room in registers by another
   kernel.  */
static tns_node *
take_rows (finder *f, tns_node *loop, tns_kernel *kernel)
{
  tns_grid_row row;
  int n;
  search s = { false };
  tns_node **loops = space_of (f, loop, &n);
  tns_expr *work = kernel->work;
  if (!tns_row_find (f->arena, f->grid->region, n, loops, &row))
    return take_short (f, loop, NULL, work, NULL, loop);
  tns_expr *length = tns_row_need (f->arena, &row, n, loops);
  kernel->whole = true;
  kernel->threads = tns_int (f->arena, TNS_LONG_ROW_THREADS);
  tns_expr_walk (length, note_iter, &s);
  if (s.found || !is_known (length))
    return loop;
  tns_node *some = tns_block (f->arena, loop->loc);
  tns_node *rest = tns_block (f->arena, loop->loc);
  tns_node *copy = tns_node_copy (f->arena, loop);
  kernel = add_kernel (f, copy, TNS_MAPPING_BLOCKS);
  kernel->work = work;
  kernel->threads = row_threads (f, &row, length);
  kernel->whole = true;
  kernel->shape = row.groups * row.width;
  tns_block_add (f->arena, some, copy);
  tns_block_add (f->arena, rest, loop);
  tns_node *made = tns_if (
    f->arena, loop->loc,
    at_least (f, length, tns_row_room (&row, TNS_MOST_ROW_THREADS) + 1), rest,
    some);
  return take_short (f, loop, &row, work, length, made);
}

/* The kernels of LOOP, whose blocks hold rows in registers: short rows in half
   of the threads.  */
static tns_node *
take_slots (finder *f, tns_node *loop)
{
  tns_slots slots;
  tns_node *part[2];
  tns_expr *work = tns_grid_trip (f->arena, loop);
  if (!tns_slots_find (f->arena, loop, &slots))
    return NULL;
  for (int k = 0; k < 2; k++)
    {
      tns_node *copy = tns_node_copy (f->arena, loop);
      tns_kernel *kernel = add_kernel (f, copy, TNS_MAPPING_SLOTS);
      kernel->work = work;
      kernel->threads = tns_int (f->arena, TNS_SLOT_THREADS / (2 - k));
      part[k] = tns_block (f->arena, loop->loc);
      tns_block_add (f->arena, part[k], copy);
    }
  return tns_if (f->arena, loop->loc, tns_slots_fit_half (f->arena, &slots),
                 part[0], part[1]);
}

/* The kernels of LOOP, which is KERNEL, a thread an iteration: by tiles of what
   it reads across, around an element, or again and again, where it is long
   enough.  */
static tns_node *
take_threads (finder *f, tns_node *loop, tns_kernel *kernel)
{
  tns_arena *arena = f->arena;
  tns_tile tile;
  tns_cross cross;
  tns_halo halo;
  take_wide (f, loop, kernel);
  if (tns_cross_find (arena, loop, &cross))
    return take_where (f, loop, tns_cross_pays (arena, &cross),
                       TNS_MAPPING_CROSS, tns_cross_blocks (arena, &cross),
                       TNS_CROSS_THREADS);
  if (tns_halo_find (arena, loop, f->ctx->machine, &halo))
    return take_where (f, loop, tns_halo_pays (arena, &halo), TNS_MAPPING_HALO,
                       tns_halo_blocks (arena, &halo), TNS_HALO_THREADS);
  return tns_tile_find (arena, loop, &tile)
           ? take_contraction (f, loop, &tile, loop)
           : loop;
}

/* The kernel of LOOP, which threads share.  */
static tns_node *
take_loop (finder *f, tns_node *loop)
{
  tns_mapping mapping = mapping_of (f, loop);
  tns_node *inner = loop;
  tns_expr *work = tns_grid_trip (f->arena, loop);
  for (int n = tns_grid_loops (loop); n > 1; n--)
    {
      inner = tns_grid_inner (inner);
      work
        = tns_binary (f->arena, TNS_MUL, work, tns_grid_trip (f->arena, inner));
    }
  if (!is_known (work))
    return refuse (f, loop->loc,
                   "how often a loop runs is in memory of the device");
  if (mapping == TNS_MAPPING_SLOTS)
    return take_slots (f, loop);
  tns_kernel *kernel = add_kernel (f, loop, mapping);
  bool columns = mapping == TNS_MAPPING_COLUMNS;
  kernel->work = columns ? tns_columns_blocks (f->arena, loop) : work;
  kernel->threads
    = mapping == TNS_MAPPING_BLOCKS
        ? threads_of (f, loop)
        : tns_int (f->arena, columns ? TNS_COLUMN_THREADS : THREADS);
  if (mapping == TNS_MAPPING_BLOCKS)
    return take_rows (f, loop, kernel);
  return mapping == TNS_MAPPING_THREADS ? take_threads (f, loop, kernel) : loop;
}

/* The kernel of the statements of PENDING, which are done by one block, added
   to MADE; none: nothing.  */
static void
take_pending (finder *f, tns_node **pending, tns_node *made)
{
  tns_node *node = *pending;
  *pending = tns_block (f->arena, made->loc);
  if (node->n_kids == 0)
    return;
  tns_kernel *kernel = add_kernel (f, node, TNS_MAPPING_ONE);
  kernel->threads = tns_grid_has_lanes (node) ? tns_int (f->arena, THREADS)
                                              : tns_int (f->arena, LEAST_BLOCK);
  tns_block_add (f->arena, made, node);
}

static tns_node *take_block (finder *f, tns_node *node);

/* A loop of the host's around what it launches.  */
static tns_node *
take_host_loop (finder *f, tns_node *loop)
{
  if (!is_known (loop->lo) || !is_known (loop->hi))
    return refuse (f, loop->loc,
                   "how often a loop runs is in memory of the device");
  tns_node *made = tns_node_copy (f->arena, loop);
  made->body = take_block (f, loop->body);
  return made->body ? made : NULL;
}

/* A choice of the host's.  */
static tns_node *
take_host_if (finder *f, tns_node *node)
{
  if (!is_known (node->cond))
    return refuse (f, node->loc, "a condition is in memory of the device");
  tns_node *made = tns_node_copy (f->arena, node);
  made->then = take_block (f, node->then);
  if (node->otherwise)
    made->otherwise = take_block (f, node->otherwise);
  return made->then && (made->otherwise || !node->otherwise) ? made : NULL;
}

/* KID, which threads share or has loops that they do.  */
static tns_node *
take_shared (finder *f, tns_node *kid)
{
  if (kid->kind == TNS_LOOP)
    return kid->marks.parallel ? take_loop (f, kid) : take_host_loop (f, kid);
  return kid->kind == TNS_IF ? take_host_if (f, kid) : take_block (f, kid);
}

/* NODE, a block of the host's.  */
static tns_node *
take_block (finder *f, tns_node *node)
{
  tns_node *made = tns_block (f->arena, node->loc);
  tns_node *pending = tns_block (f->arena, node->loc);
  for (int k = 0; k < node->n_kids; k++)
    {
      tns_node *kid = node->kid[k];
      if (kid->kind == TNS_LOCAL)
        {
          f->home[kid->sym->id] = made;
          tns_block_add (f->arena, made, kid);
        }
      else if (kid->kind == TNS_PREFETCH)
        continue;
      else if (!is_shared_in (kid))
        tns_block_add (f->arena, pending, kid);
      else
        {
          take_pending (f, &pending, made);
          tns_node *taken = take_shared (f, kid);
          if (!taken)
            return NULL;
          tns_block_add (f->arena, made, taken);
        }
    }
  take_pending (f, &pending, made);
  return made;
}

/* The only kernel that mentions SYM, -1: there are more, or none.  */
static int
only_kernel (const tns_grid *grid, const tns_sym *sym)
{
  int only = -1;
  for (int k = 0; k < grid->n; k++)
    if (tns_node_mentions ((tns_node *) grid->kernel[k].node, sym))
      {
        if (only >= 0)
          return -1;
        only = k;
      }
  return only;
}

/* BLOCK has KID.  */
static bool
has_kid (const tns_node *block, const tns_node *kid)
{
  for (int k = 0; k < block->n_kids; k++)
    if (block->kid[k] == kid)
      return true;
  return false;
}

/* NODE, a block, with a LOCAL of SYM in front.  */
static void
put_in_front (finder *f, tns_node *node, tns_sym *sym)
{
  tns_block_add (f->arena, node, NULL);
  for (int k = node->n_kids - 1; k > 0; k--)
    node->kid[k] = node->kid[k - 1];
  node->kid[0] = tns_local (f->arena, node->loc, sym);
}

/* Cells of one block's statements move there; other LOCALs outlive kernels.  */
static void
settle_locals (finder *f)
{
  tns_grid *grid = f->grid;
  int n = grid->region->n_syms;
  grid->outlives = TNS_NEW_ARRAY (f->arena, bool, n + 1);
  for (int id = 0; id < n; id++)
    {
      tns_sym *sym = grid->region->syms[id];
      int k = f->home[id] ? only_kernel (grid, sym) : -1;
      if (k >= 0 && sym->rank == 0 && grid->kernel[k].mapping == TNS_MAPPING_ONE
          && has_kid (f->home[id], grid->kernel[k].node))
        put_in_front (f, (tns_node *) grid->kernel[k].node, sym);
      else
        grid->outlives[id] = f->home[id] != NULL;
    }
}

/* The host's part without LOCALs that are kernels' own.  Blocks of kernels stay
   what they are.  */
static void
drop_locals (tns_grid *grid, tns_node *node)
{
  int n = 0;
  if (tns_grid_kernel (grid, node))
    return;
  for (int k = 0; k < node->n_kids; k++)
    {
      drop_locals (grid, node->kid[k]);
      if (node->kid[k]->kind != TNS_LOCAL
          || grid->outlives[node->kid[k]->sym->id])
        node->kid[n++] = node->kid[k];
    }
  node->n_kids = node->kind == TNS_BLOCK ? n : 0;
  tns_node *part[] = { node->body, node->then, node->otherwise };
  for (int k = 0; k < 3; k++)
    if (part[k])
      drop_locals (grid, part[k]);
}

const tns_kernel *
tns_grid_kernel (const tns_grid *grid, const tns_node *node)
{
  for (int k = 0; k < grid->n; k++)
    if (grid->kernel[k].node == node)
      return &grid->kernel[k];
  return NULL;
}

bool
tns_grid_writes (const tns_kernel *kernel, const tns_sym *sym)
{
  return tns_node_writes ((tns_node *) kernel->node, sym);
}

/* Some kernel has more than one thread.  */
static bool
has_threads (const tns_grid *grid)
{
  for (int k = 0; k < grid->n; k++)
    if (grid->kernel[k].mapping != TNS_MAPPING_ONE
        || tns_grid_has_lanes ((tns_node *) grid->kernel[k].node))
      return true;
  return false;
}

tns_grid *
tns_grid_build (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  tns_grid *grid = TNS_NEW (ctx->arena, tns_grid);
  finder f = { .ctx = ctx, .arena = ctx->arena, .grid = grid };
  f.steps = tns_text_new (ctx->arena);
  f.home = TNS_NEW_ARRAY (ctx->arena, const tns_node *, region->n_syms + 1);
  grid->region = tns_region_copy (ctx->arena, region);
  grid->region->body = take_block (&f, region->body);
  if (!grid->region->body)
    return NULL;
  if (!has_threads (grid))
    return refuse (&f, region->loc, "there is nothing for threads to share");
  settle_locals (&f);
  drop_locals (grid, grid->region->body);
  tns_grid_beside (ctx, grid, &f.steps);
  grid->steps = tns_text_chars (&f.steps);
  for (int k = 0; k < grid->n; k++)
    if (!(grid->kernel[k].n_parts ? tns_beside_fill : tns_kernel_fill) (
          ctx, grid, &grid->kernel[k]))
      return NULL;
  grid->launches = tns_grid_launches (ctx, grid);
  return grid;
}
