/* Loops with lanes: which, how many, and what becomes of the rest.

     for i = lo to hi simd(W) unroll(u) S(i)

   becomes, where V(i) is S with W lanes,

     if (hi > lo) {
       partial results
       if (hi - lo >= u*W) {
         more of them
         for i = lo to hi-(u*W-1) step u*W      V(i) V(i+W) ... jammed
         added up
       }
       for i = ... to hi-(W-1) step W         V(i)
       for i = ... to hi step W               V(i) of the lanes below hi
       partial results combined
     }

   The first condition is there only for more partial results, the second loop
   only for u > 1; the last is S itself, step 1, on
   a machine without masks.  Of a constant trip count only the parts with
   iterations are made, as straight lines where that is one; where it is at
   most u*W (hi = min (lo + u*W, N), the tail of a tile) the first is

       if (hi - lo >= u*W) { V(lo) V(lo+W) ... } else { the others }

   Loops inside S stay, each on vectors.

   With align the parts begin behind one that ends where a cache line begins
   (lowering/vectors-align.c).

   A loop with another step is written with step 1 first; backwards it may
   run forwards, since its iterations are free.  A parallel loop with
   reductions stays (lowering/chunks.h has made loops without of them).

   Where GCC's own vectors are better, those of V small integers at a time, they
   do what fills them, and in loops inside others W lanes the rest, of which GCC
   would do most one by one:

     if (hi > lo) {
       for i = lo to lo + (hi-lo)/V*V         S(i)
       if (more than W/8, with partial results W/2, are left) {
         partial results
         for i = ... to hi-(W-1) step W       V(i)
         for i = ... to hi step W             V(i) of the lanes below hi
         partial results combined
       } else
         for i = ... to hi                    S(i)
     }

   A loop that reads lanes one by one for the most part has vectors of half the
   bytes; one that transposes bytes has COPIES of its body.  Where statements
   cannot be said with vectors (the files vectors-*.c say which) or gathers
   would eat the gain, the loop stays as it was.  */

#include "lowering/vectors.h"

#include "ir/affine.h"
#include "ir/stride.h"
#include "ir/walk.h"
#include "lowering/jam.h"
#include "lowering/lanes.h"
#include "lowering/linear.h"
#include "lowering/put-off.h"
#include "schedule/machine.h"

#define GATHER_COST    2.5
#define INSERT_COST    2.5
#define MOST_VECTORS   16
#define FEW            8
#define LEAST_BYTES    16
#define COPIES         8
#define GATHERED_BYTES 32
#define GATHERED_WORK  16

/* The pass; inner: loops that stand in others.  */
typedef struct vectors
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  tns_made *made;
  tns_made_list inner;
} vectors;

/* A loop being cut into parts.

   pass    what they are cut for
   trip    number of iterations, -1 when it is not a constant
   most    an upper bound, -1 when there is none
   u       vectors side by side
   even    trip is a multiple of the lanes
   aligns  vectors shall begin where cache lines begin
   start   the first iteration that no part has done yet
   out     where the parts are put
   whole   V without mask; tail V with the mask of start's iterations, NULL
           when the rest is scalar  */
typedef struct parts
{
  const vectors *pass;
  tns_lanes *lanes;
  tns_node *loop;
  long long trip;
  long long most;
  int u;
  bool even;
  bool aligns;
  tns_expr *start;
  tns_node *out;
  tns_node *whole;
  tns_node *tail;
} parts;

/* A OP B.  */
static tns_expr *
binary (const parts *p, tns_op op, tns_expr *a, tns_expr *b)
{
  return tns_binary (p->lanes->arena, op, a, b);
}

/* An I64 constant.  */
static tns_expr *
number (const parts *p, long long value)
{
  return tns_int (p->lanes->arena, value);
}

/* N copies of the whole body, the iterator standing for FROM in the first,
   or for itself.  */
static tns_node *
side_by_side (const parts *p, int n, tns_expr *from)
{
  tns_lanes *lanes = p->lanes;
  tns_jam jam
    = tns_jam_along (lanes->arena, lanes->region, lanes->iter, n, lanes->lanes);
  for (int c = 0; from && c < n; c++)
    jam.at[c] = binary (p, TNS_ADD, from, number (p, c * lanes->lanes));
  tns_sym **to = TNS_NEW_ARRAY (lanes->arena, tns_sym *, n);
  for (int k = 0; k < lanes->n_accumulators; k++)
    {
      const tns_accumulator *a = &lanes->accumulators[k];
      for (int c = 0; c < n; c++)
        to[c] = a->acc[c % a->n];
      tns_jam_rename (&jam, a->acc[0], to);
    }
  return tns_jam_body (&jam, p->whole);
}

/* A loop from p->start to HI by STEP.  */
static tns_node *
part_loop (const parts *p, tns_expr *hi, long long step, tns_node *body)
{
  return tns_loop (p->lanes->arena, p->loop->loc, p->lanes->iter, p->start, hi,
                   step, body);
}

/* p->start moves behind all that is done N at a time.  */
static void
move_start (parts *p, int n)
{
  tns_expr *left = binary (p, TNS_SUB, p->loop->hi, p->loop->lo);
  tns_expr *times = binary (p, TNS_FLOORDIV, left, number (p, n));
  p->start = binary (p, TNS_ADD, p->loop->lo,
                     binary (p, TNS_MUL, times, number (p, n)));
}

/* Put NODE at the end of the parts.  */
static void
add_part (const parts *p, tns_node *node)
{
  tns_block_add (p->lanes->arena, p->out, node);
}

/* The part of COPIES vectors at a time, of less than MOST where that is not
   0; parallel when the loop is.  */
static void
add_whole (parts *p, int copies, int most, bool parallel)
{
  int n = copies * p->lanes->lanes;
  long long times = p->trip / n;
  if (p->trip >= 0 && times == 0)
    return;
  if (p->trip >= 0 && times == 1)
    add_part (p, side_by_side (p, copies, p->start));
  else
    {
      tns_expr *hi = p->trip >= 0
                       ? binary (p, TNS_ADD, p->start, number (p, times * n))
                       : binary (p, TNS_ADD, p->loop->hi, number (p, 1 - n));
      tns_node *body = side_by_side (p, copies, NULL);
      tns_node *loop = part_loop (p, hi, n, body);
      loop->once = most == 2 * copies;
      loop->marks.parallel = parallel && p->loop->marks.parallel;
      loop->marks.balanced = parallel && p->loop->marks.balanced;
      loop->marks.when = parallel ? p->loop->marks.when : NULL;
      loop->marks.work = parallel ? p->loop->marks.work : NULL;
      add_part (p, loop);
    }
  if (p->trip < 0)
    {
      move_start (p, n);
      return;
    }
  p->start = binary (p, TNS_ADD, p->start, number (p, times * n));
  p->trip -= times * n;
}

/* The part of u vectors at a time, in which each cell has several partial
   results.  */
static void
add_wide (parts *p)
{
  tns_lanes *lanes = p->lanes;
  tns_node *out = p->out;
  bool widens = false;
  for (int k = 0; k < lanes->n_accumulators; k++)
    widens |= lanes->accumulators[k].n > 1;
  bool asks = widens && p->trip < 0;
  tns_expr *trip = binary (p, TNS_SUB, p->loop->hi, p->loop->lo);
  if (asks)
    p->out = tns_block (lanes->arena, p->loop->loc);
  tns_lanes_widen (lanes, p->out);
  add_whole (p, p->u, 0, true);
  tns_lanes_join (lanes, p->out);
  if (asks)
    tns_block_add (
      lanes->arena, out,
      tns_if (lanes->arena, p->loop->loc,
              binary (p, TNS_GE, trip, number (p, p->u * lanes->lanes)), p->out,
              NULL));
  p->out = out;
}

/* The part of less than N vectors.  */
static void
add_tail (parts *p, int n)
{
  if (p->even)
    return;
  bool is_one = p->tail && p->trip > 0;
  tns_node *body = p->tail ? p->tail : p->loop->body;
  tns_node *loop
    = part_loop (p, p->loop->hi, p->tail ? p->lanes->lanes : 1, body);
  tns_sym *iter = p->lanes->iter;
  loop->once = p->tail && n == 1;
  loop->few = !p->tail && p->lanes->lanes <= FEW;
  add_part (
    p, is_one ? tns_node_substitute (p->lanes->arena, body, 1, &iter, &p->start)
              : loop);
}

/* The part before the first cache line, where vectors shall begin with one: the
   loop begins behind it.  */
static void
add_head (parts *p)
{
  tns_expr *first = p->aligns ? tns_lanes_align (p->lanes, p->out) : NULL;
  if (!first)
    return;
  p->loop = tns_node_copy (p->lanes->arena, p->loop);
  p->loop->lo = first;
  p->start = first;
  p->trip = -1;
  p->even = false;
}

/* The parts of a loop with at most u vectors: all of them, or less.  */
static void
add_tile (parts *p)
{
  tns_arena *arena = p->lanes->arena;
  tns_node *out = p->out;
  tns_node *all = tns_block (arena, p->loop->loc);
  tns_node *less = tns_block (arena, p->loop->loc);
  tns_lanes_widen (p->lanes, all);
  tns_block_add (arena, all, side_by_side (p, p->u, p->start));
  tns_lanes_join (p->lanes, all);
  tns_expr *trip = binary (p, TNS_SUB, p->loop->hi, p->loop->lo);
  p->out = less;
  bool is_whole = p->tail && tns_node_has_loop (p->loop->body);
  if (p->u > 1 && !is_whole)
    add_whole (p, 1, p->u, false);
  add_tail (p, is_whole ? p->u : 1);
  p->out = out;
  add_part (
    p, tns_if (arena, p->loop->loc,
               binary (p, TNS_GE, trip, number (p, p->u * p->lanes->lanes)),
               all, less));
}

/* P's loop stores rows, which may have more than a vector.  */
static bool
stores_row (const parts *p)
{
  const tns_lanes *lanes = p->lanes;
  bool fills = p->trip < 0 ? p->most < 0 || p->most > lanes->lanes
                           : p->trip >= lanes->lanes;
  return p->tail && !p->even && p->u == 1 && lanes->n_accumulators == 0 && fills
         && !p->loop->marks.parallel && tns_body_stores_row (p->loop, p->whole);
}

static tns_node *vectorise (const vectors *v, tns_node *loop);

/* The part of less than a vector, of rows that are changed in place: what is
   stored under a mask reaches into the next row, so there are vectors of
   LEAST_BYTES first.  NULL when these are no fewer lanes.  */
static tns_node *
short_row (const parts *p)
{
  const tns_lanes *lanes = p->lanes;
  int bytes = lanes->ctx->machine->vector_bytes / lanes->lanes;
  int fewer = LEAST_BYTES / bytes;
  if (fewer < 2 || fewer >= lanes->lanes)
    return NULL;
  tns_node *loop = tns_node_copy (lanes->arena, p->loop);
  loop->marks.simd = fewer;
  return vectorise (p->pass, loop);
}

/* The parts of a loop that stores rows (lowering/put-off.h): the last vector
   first, but stored last.  False when there are none like that.  */
static bool
add_row (parts *p)
{
  tns_lanes *lanes = p->lanes;
  tns_node *loop = p->loop;
  tns_node *all = tns_block (lanes->arena, loop->loc);
  tns_node *less = tns_block (lanes->arena, loop->loc);
  tns_node *last = tns_block (lanes->arena, loop->loc);
  tns_expr *vector = number (p, lanes->lanes);
  tns_expr *end = binary (p, TNS_SUB, loop->hi, vector);
  if (!stores_row (p)
      || !tns_body_put_off (lanes->ctx, lanes->region, p->whole, lanes->iter,
                            end, all, last))
    return false;
  bool in_place = all->n_kids > 0;
  tns_block_add (lanes->arena, all, part_loop (p, end, lanes->lanes, p->whole));
  tns_block_add (lanes->arena, all, last);
  if (p->trip >= 0)
    {
      add_part (p, all);
      return true;
    }
  tns_node *out = p->out;
  tns_node *shorter = in_place ? short_row (p) : NULL;
  p->out = less;
  if (shorter)
    add_part (p, shorter);
  else
    add_tail (p, 1);
  p->out = out;
  tns_expr *trip = binary (p, TNS_SUB, loop->hi, loop->lo);
  add_part (p, tns_if (lanes->arena, loop->loc,
                       binary (p, TNS_GE, trip, vector), all, less));
  return true;
}

/* The loop in parts behind what p->out holds, p->whole and p->tail made.  */
static tns_node *
cut (parts *p)
{
  tns_lanes *lanes = p->lanes;
  long long vector = lanes->lanes;
  bool is_known = p->trip >= 0;
  tns_expr *runs = binary (p, TNS_GT, p->loop->hi, p->loop->lo);
  if (add_row (p))
    ;
  else if (!is_known && p->most >= 0 && p->most < vector)
    add_tail (p, 1);
  else if (!is_known && p->most >= 0 && p->most <= p->u * vector)
    add_tile (p);
  else
    {
      add_head (p);
      if (p->u > 1)
        add_wide (p);
      add_whole (p, 1, p->u > 1 ? p->u : 0, p->u == 1);
      add_tail (p, 1);
    }
  tns_lanes_end (lanes, p->out);
  if (is_known)
    return p->out;
  return tns_if (lanes->arena, p->loop->loc, runs, p->out, NULL);
}

/* The widest element that a loop computes with, and the narrowest.  */
typedef struct width
{
  const tns_lanes *lanes;
  int bytes;
  int least;
} width;

/* Note an element of BYTES.  */
static void
add_width (width *w, int bytes)
{
  w->bytes = w->bytes < bytes ? bytes : w->bytes;
  w->least = w->least > bytes || !w->least ? bytes : w->least;
}

/* Note EXPR's element, unless it is the same in all lanes or a
   subscript's.  */
static bool
note_width (tns_expr *expr, void *self)
{
  width *w = self;
  int bytes = tns_elem_bytes (expr->type.elem);
  bool reads = tns_expr_reads (expr);
  if ((reads || expr->op == TNS_CAST) && tns_lanes_differ (w->lanes, expr))
    add_width (w, bytes);
  return !reads;
}

/* Note the elements of NODE.  */
static bool
note_widths (tns_node *node, void *self)
{
  width *w = self;
  tns_expr_walk (node->value, note_width, w);
  tns_expr_walk (node->cond, note_width, w);
  if (node->target)
    add_width (w, tns_elem_bytes (node->target->type.elem));
  return true;
}

/* The largest power of two up to N.  */
static int
power_below (int n)
{
  int power = 1;
  while (power <= n / 2)
    power *= 2;
  return power;
}

/* The lanes that LANES->loop of TRIP iterations (-1: unknown) gets.  */
static int
choose_lanes (const tns_lanes *lanes, long long trip)
{
  width w = { .lanes = lanes };
  tns_node_walk (lanes->loop->body, note_widths, &w);
  if (!w.bytes)
    return 1;
  int most = lanes->ctx->machine->vector_bytes / w.bytes;
  int wanted = lanes->loop->marks.simd;
  int n = power_below (wanted > 1 && wanted < most ? wanted : most);
  while (trip > 0 && n > 2 && trip <= n / 2)
    n /= 2;
  return n;
}

/* Vectors side by side for a loop of at most MOST iterations (-1: any).  */
static int
choose_copies (const tns_lanes *lanes, long long most)
{
  const tns_marks *marks = &lanes->loop->marks;
  int u
    = marks->unroll > marks->accumulators ? marks->unroll : marks->accumulators;
  u = u > MOST_VECTORS ? MOST_VECTORS : u;
  if (most >= 0 && most / lanes->lanes < u)
    u = (int) (most / lanes->lanes);
  return u < 1 ? 1 : u;
}

/* GCC finds vectors for the scalar code that are better than ours: it has
   instructions for small integers, and for rotations, other orders of bytes and
   numbers of bits that it finds in scalar code, and takes records apart at
   once.  Sums of floating numbers, what has only our vector forms, and loops
   around others, as the columns of a register tile, it leaves as they are.  */
static bool
is_left (const tns_lanes *lanes)
{
  for (int k = 0; k < lanes->n_accumulators; k++)
    if (tns_elem_is_float (lanes->accumulators[k].cell->type.elem))
      return false;
  return lanes->left > 0 && lanes->ours == 0
         && !tns_node_has_loop (lanes->loop->body);
}

/* The user asks for lanes, with simd (...) or require (simd).  */
static bool
is_asked (const tns_wish *wish)
{
  return wish->simd.n > 0 || tns_wish_requires (wish, "simd")
         || tns_wish_requires (wish, "vectorize");
}

/* Vector code costs less than the scalar code, or is what the user asks
   for.  */
static bool
pays (const tns_lanes *lanes)
{
  if (is_asked (&lanes->ctx->wish))
    return true;
  double scalar = (lanes->work + lanes->gathers) * lanes->lanes;
  double gathers
    = lanes->gathers * GATHER_COST + lanes->small_gathers * INSERT_COST;
  return lanes->work + gathers * lanes->lanes < scalar;
}

/* The number of iterations of P's loop is a multiple of N.  */
static bool
is_even (const parts *p, int n)
{
  bool any = tns_ctx_breaks (p->lanes->ctx, "vectors");
  tns_sum trip = tns_sum_of (p->lanes->arena,
                             binary (p, TNS_SUB, p->loop->hi, p->loop->lo));
  for (int k = 0; k < trip.n; k++)
    if (trip.term[k].factor % n && !any)
      return false;
  return trip.n >= 0;
}

/* Note whether EXPR is a function.  */
static bool
note_call (tns_expr *expr, void *self)
{
  bool *found = self;
  *found |= tns_op_is_function (expr->op);
  return !*found;
}

/* Note whether NODE calls one.  */
static bool
note_calls (tns_node *node, void *self)
{
  const bool *found = self;
  tns_expr_walk (node->value, note_call, self);
  tns_expr_walk (node->cond, note_call, self);
  return !*found;
}

/* BODY calls functions, which take many elements in the time of one.  */
static bool
calls (tns_node *body)
{
  bool found = false;
  tns_node_walk (body, note_calls, &found);
  return found;
}

/* The tail of P's loop on vectors, or NULL: scalar.  It is where lanes are read
   one by one, each under a condition.  */
static tns_node *
make_tail (const parts *p)
{
  tns_lanes *lanes = p->lanes;
  if (!lanes->ctx->machine->masks || (p->even && !p->aligns))
    return NULL;
  if (lanes->gathers > 0 && !calls (p->loop->body))
    return NULL;
  if (!tns_node_has_loop (p->loop->body) && !tns_lanes_masks_last (lanes))
    return NULL;
  tns_node *tail
    = tns_lanes_body (lanes, tns_lanes_below (lanes, lanes->loop->hi));
  if (!lanes->refused)
    return tail;
  lanes->refused = false;
  return NULL;
}

/* Most of what LANES' loop does is to read lanes one by one: a wider vector
   gains nothing, and leaves more for the tail.  */
static bool
wants_fewer (const tns_lanes *lanes)
{
  width w = { .lanes = lanes };
  tns_node_walk (lanes->loop->body, note_widths, &w);
  return lanes->lanes * w.bytes > GATHERED_BYTES
         && (lanes->gathers - lanes->masked_gathers) * GATHERED_WORK
              > lanes->work
         && !calls (lanes->loop->body) && !is_asked (&lanes->ctx->wish);
}

/* LOOP without marks for vectors.  */
static tns_node *
plain (const vectors *v, const tns_node *loop)
{
  tns_node *made = tns_node_copy (v->arena, loop);
  made->marks.simd = 0;
  made->marks.unroll = 0;
  made->marks.accumulators = 0;
  made->marks.align = NULL;
  if (!made->marks.parallel)
    made->marks.n_reductions = 0;
  return made;
}

/* The elements that GCC's own vectors for P's loop have, those of half the size
   that follow the others.  */
static int
own_lanes (const parts *p)
{
  width w = { .lanes = p->lanes };
  tns_node_walk (p->loop->body, note_widths, &w);
  return p->lanes->ctx->machine->vector_bytes / w.least / 2;
}

/* The rest of P's loop, from p->start: on vectors where that is more than some
   iterations.  */
static tns_node *
rest_of (parts *p)
{
  tns_lanes *lanes = p->lanes;
  tns_node *few = plain (p->pass, p->loop);
  int least = lanes->lanes / (lanes->n_accumulators > 0 ? 2 : 8);
  tns_expr *left = binary (p, TNS_SUB, p->loop->hi, p->start);
  few->lo = p->start;
  few->few = true;
  add_whole (p, 1, 0, false);
  add_tail (p, 1);
  tns_lanes_end (lanes, p->out);
  return tns_if (lanes->arena, p->loop->loc,
                 binary (p, TNS_GT, left, number (p, least)), p->out, few);
}

/* P's loop fills GCC's own vectors of N lanes, or of half as many where it is
   known how often it runs.  */
static bool
fills (const parts *p, int n)
{
  return is_even (p, p->trip > 0 && n > 1 ? n / 2 : n);
}

/* P's loop in parts: what fills GCC's own vectors as it is, and the rest.  NULL
   where nothing is left.  */
static tns_node *
cut_rest (parts *p)
{
  tns_arena *arena = p->lanes->arena;
  int n = own_lanes (p);
  bool is_row = tns_made_has (&p->pass->inner, p->loop->iter)
                && !p->loop->marks.parallel
                && !tns_node_has_loop (p->loop->body);
  if (!is_row || fills (p, n) || n < p->lanes->lanes || p->lanes->gathers > 0)
    return NULL;
  tns_node *both = tns_block (arena, p->loop->loc);
  tns_node *filled = plain (p->pass, p->loop);
  move_start (p, n);
  filled->hi = p->start;
  if (p->trip < 0 || p->trip >= n)
    tns_block_add (arena, both, filled);
  p->trip = p->trip < 0 ? -1 : p->trip % n;
  tns_block_add (arena, both, rest_of (p));
  return tns_if (arena, p->loop->loc,
                 binary (p, TNS_GT, p->loop->hi, p->loop->lo), both, NULL);
}

/* LOOP, of step 1 and at least one iteration where that is known, with
   lanes; NULL when it stays as it is.  */
static tns_node *
vectorise (const vectors *v, tns_node *loop)
{
  tns_lanes lanes = { .ctx = v->ctx,
                      .arena = v->arena,
                      .region = v->region,
                      .loop = loop,
                      .iter = loop->iter };
  parts p = { .pass = v, .lanes = &lanes, .loop = loop, .start = loop->lo };
  if (!tns_loop_trip (v->arena, loop, &p.trip))
    p.trip = -1;
  if (!tns_loop_trip_most (v->arena, loop, &p.most))
    p.most = -1;
  tns_lanes_find_cells (&lanes);
  loop = tns_lanes_join_branches (&lanes, loop);
  lanes.loop = p.loop = loop;
  tns_lanes_find_cells (&lanes);
  lanes.lanes = choose_lanes (&lanes, p.trip);
  p.u = choose_copies (&lanes, p.most);
  int wanted = loop->marks.accumulators;
  int n = wanted > 1 ? wanted < p.u ? wanted : p.u : 1;
  tns_lanes_find_accumulators (&lanes, n);
  if (lanes.refused || lanes.lanes < 2 || p.trip == 0
      || loop->marks.collapse > 1 || tns_node_changes (loop->body, loop->lo)
      || tns_node_changes (loop->body, loop->hi))
    return NULL;
  p.out = tns_block (v->arena, loop->loc);
  tns_lanes_begin (&lanes, p.out);
  p.whole = tns_lanes_body (&lanes, NULL);
  if (lanes.refused || !pays (&lanes))
    return NULL;
  if (wants_fewer (&lanes))
    {
      tns_node *fewer = tns_node_copy (v->arena, loop);
      fewer->marks.simd = lanes.lanes / 2;
      return vectorise (v, fewer);
    }
  bool is_rest = is_left (&lanes) && !is_asked (&v->ctx->wish);
  p.even = is_even (&p, lanes.lanes);
  p.aligns = tns_lanes_may_align (&lanes, p.most);
  p.tail = make_tail (&p);
  p.aligns = p.aligns && p.tail;
  if (is_rest)
    return cut_rest (&p);
  tns_made_note (v->arena, &v->made->in_lanes, loop->iter);
  if (lanes.lanes > v->made->lanes)
    v->made->lanes = lanes.lanes;
  return cut (&p);
}

/* LOOP moves small elements from places far apart, one by one.  */
static bool
is_transposing (const vectors *v, const tns_node *loop)
{
  const tns_node *body = loop->body;
  long long distance;
  while (body->kind == TNS_BLOCK && body->n_kids == 1)
    body = body->kid[0];
  return body->kind == TNS_ASSIGN && body->update == TNS_NONE
         && body->value->op == TNS_LOAD && body->value->n_args > 1
         && body->target->n_args > 1
         && tns_elem_bytes (body->value->type.elem) < 4
         && !tns_access_distance (v->arena, body->value, loop->iter, &distance);
}

/* LOOP with step 1: in any order, since its iterations are free.  */
static tns_node *
forwards (const vectors *v, tns_node *loop)
{
  tns_arena *arena = v->arena;
  tns_node *made = tns_node_copy (arena, loop);
  tns_expr *one = tns_int (arena, 1);
  made->step = 1;
  if (loop->step == -1)
    {
      made->lo = tns_binary (arena, TNS_ADD, loop->hi, one);
      made->hi = tns_binary (arena, TNS_ADD, loop->lo, one);
      return made;
    }
  long long step = loop->step;
  tns_expr *way = step > 0 ? tns_binary (arena, TNS_SUB, loop->hi, loop->lo)
                           : tns_binary (arena, TNS_SUB, loop->lo, loop->hi);
  long long size = step > 0 ? step : -step;
  tns_expr *up = tns_binary (arena, TNS_ADD, way, tns_int (arena, size - 1));
  tns_expr *at
    = tns_binary (arena, TNS_ADD, loop->lo,
                  tns_binary (arena, TNS_MUL, tns_value (arena, loop->iter),
                              tns_int (arena, step)));
  made->lo = tns_int (arena, 0);
  made->hi = tns_binary (arena, TNS_FLOORDIV, up, tns_int (arena, size));
  made->body = tns_node_substitute (arena, loop->body, 1, &loop->iter, &at);
  return made;
}

/* NODE, its parts done.  */
static tns_node *
vectorise_node (tns_node *node, void *self)
{
  const vectors *v = self;
  if (node->kind != TNS_LOOP)
    return node;
  if (!node->marks.simd)
    return node->marks.parallel ? node : plain (v, node);
  tns_node *loop = node->step == 1 ? node : forwards (v, node);
  bool in_parallel = loop->marks.parallel && loop->marks.n_reductions;
  tns_node *made = in_parallel ? NULL : vectorise (v, loop);
  if (made)
    return made;
  made = plain (v, node);
  made->marks.unroll = is_transposing (v, node) ? COPIES : 0;
  return made;
}

/* Note LOOP among the inner ones.  */
static bool
note_inner (tns_node *loop, void *self)
{
  vectors *v = self;
  if (loop->kind == TNS_LOOP)
    tns_made_note (v->arena, &v->inner, loop->iter);
  return true;
}

/* Note the loops inside NODE, a loop.  */
static bool
note_outer (tns_node *node, void *self)
{
  if (node->kind != TNS_LOOP)
    return true;
  tns_node_walk (node->body, note_inner, self);
  return false;
}

tns_region *
tns_region_vectors (tns_ctx *ctx, tns_region *region, tns_made *made)
{
  if (!region || !ctx->machine)
    return region;
  vectors v = { .ctx = ctx,
                .arena = ctx->arena,
                .region = tns_region_copy (ctx->arena, region),
                .made = made };
  tns_node_walk (region->body, note_outer, &v);
  v.region->body
    = tns_node_rebuild (ctx->arena, region->body, vectorise_node, NULL, &v);
  return v.region;
}
