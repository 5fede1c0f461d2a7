/* Turning as a change of the IR, before the model is built.

   An update S of a sum, alone with its cell's array in a nest whose bounds do
   not move and that leaves all that S reads as it is, with an iterator that

     moves the target and all operands that it moves by one of their
     subscripts, which is that iterator, and not by one element,

   where lanes do not go along rows of the target that nothing shifts,

   gets a copy of each of these arrays' boxes with that subscript last, before
   it; the target's begins at zero and is added behind.  S gets a nest of its
   own.  Where a subscript of the target is a sum of two iterators, no last one
   but the channels, the outer loop of both counts the sum:

     for i < e for k < 3 T[i + k] += ...
       ->  for r < e + 2
             for max (0, r - e + 1) <= k < min (3, r + 1) T[r] += ...

   so that iterations of it, its rows, meet nowhere.

   A box holds exactly the elements that S touches: each subscript is a sum of
   different iterators, which stand in no other subscript of the access, and
   what does not move.

   That pays where vectors are filled, and elements used often:

     channels % 2 vectors == 0, or >= 2.5 vectors; all loops run
     of each box, iterations >= LEAST_USES * elements,
                  iterations >= FAR_USES * elements beyond the second cache,
                  elements <= MOST_ELEMENTS

   Does not do: nests with conditions, bounds that move, steps other than 1,
   products and extremes instead of sums.  */

#include "schedule/turn.h"

#include <string.h>

#include "ir/affine.h"
#include "ir/simplify.h"
#include "ir/walk.h"
#include "schedule/machine.h"
#include "schedule/planner.h"

#define LEAST_USES    16
#define FAR_USES      64
#define MOST_ELEMENTS (16L << 20)
#define MOST_BOXES    3

/* The box of one access.

   access        the LOAD
   column        the subscript of the channels
   least, end    of each subscript
   sym           its turned copy  */
typedef struct box
{
  tns_expr *access;
  int column;
  tns_expr *least[TNS_MAX_DEPTH];
  tns_expr *end[TNS_MAX_DEPTH];
  tns_sym *sym;
} box;

/* One update being turned, in loop[0..n); box[0] is the target's.

   channel   the iterator of the channels in the update's own nest  */
typedef struct turn
{
  tns_ctx *ctx;
  tns_arena *arena;
  const tns_operand *operand;
  tns_region *region;
  int found;
  tns_node *update;
  int n;
  tns_node *loop[TNS_MAX_DEPTH];
  int n_boxes;
  box box[MOST_BOXES];
  tns_sym *channel;
} turn;

/* The operand that moves by ITER of those of STMT has a subscript that another
   iterator shifts.  */
static bool
is_shifted (const tns_plan *plan, const tns_stmt *stmt)
{
  for (int a = 0; a < stmt->n_accesses; a++)
    for (int k = 0; stmt->access[a].expr && k < stmt->access[a].expr->n_args;
         k++)
      {
        tns_affine form;
        int moving = 0;
        if (!tns_affine_of (plan->scop->ctx->arena,
                            stmt->access[a].expr->arg[k], &form))
          return false;
        for (int j = 0; j < form.n; j++)
          for (int i = 0; i < stmt->n_iters; i++)
            moving += form.sym[j] == stmt->iter[i];
        if (moving > 1)
          return true;
      }
  return false;
}

/* All DIMs of PLAN that advance ITER for statement S carry nothing for it.  */
static bool
is_free (const tns_plan *plan, int s, const tns_sym *iter)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (plan->tree, s, path);
  for (int k = 0; k < n; k++)
    if (tns_dim_iter (plan->scop, path[k], s) == iter
        && !tns_dim_is_free_for (plan->scop, path[k], s))
      return false;
  return true;
}

/* All sums of PLAN's statement S are freed.  */
static bool
sums_freely (const tns_plan *plan, int s)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (plan->tree, s, path);
  for (int k = 0; k < n; k++)
    if (path[k]->role == TNS_ROLE_ORDERED)
      return false;
  return n >= 4;
}

/* ITER is a subscript of ACCESS by itself.  */
static bool
stands_alone (const tns_expr *access, const tns_sym *iter)
{
  for (int k = 0; k < access->n_args; k++)
    if (access->arg[k]->op == TNS_SYM && access->arg[k]->sym == iter)
      return true;
  return false;
}

/* ITER counts channels of statement S: it moves the target and some operand
   far, shifted by nothing, and leaves another where it is.  */
static bool
is_channel (const tns_plan *plan, int s, const tns_sym *iter)
{
  const tns_stmt *stmt = &plan->scop->stmt[s];
  int far = 0;
  int fixed = 0;
  for (int a = 0; a < stmt->n_accesses; a++)
    {
      const tns_access *access = &stmt->access[a];
      if (!access->expr || (access->update != TNS_NONE && !access->write))
        continue;
      tns_stride stride = tns_storage_stride (plan->scop, stmt, access, iter);
      far += stride == TNS_STRIDE_FAR;
      fixed += stride == TNS_STRIDE_FIXED;
      if (stride == TNS_STRIDE_FIXED
            ? access->write
            : stride < TNS_STRIDE_FAR || !stands_alone (access->expr, iter))
        return false;
    }
  return far >= 2 && fixed > 0 && is_free (plan, s, iter);
}

/* Lanes of PLAN's statement S are full, along rows of TARGET that nothing
   shifts: these are as good as channels.  */
static bool
has_rows (const tns_plan *plan, int s, const tns_access *target)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (plan->tree, s, path);
  const tns_tree *lane = n > 0 ? path[n - 1] : NULL;
  const tns_sym *iter = lane ? tns_dim_iter (plan->scop, lane, s) : NULL;
  long trip = iter ? tns_dim_trip (plan->scop, lane) : 0;
  return iter && lane->marks.simd > 1 && stands_alone (target->expr, iter)
         && (trip == 0 || trip >= lane->marks.simd);
}

bool
tns_plan_turned (const tns_plan *plan, int s, tns_operand *operand)
{
  const tns_stmt *stmt = &plan->scop->stmt[s];
  const tns_access *target = tns_update_target (stmt);
  if (!target || stmt->node->update != TNS_ADD || stmt->node->mask
      || !tns_elem_is_float (target->expr->type.elem) || !sums_freely (plan, s)
      || !is_shifted (plan, stmt) || has_rows (plan, s, target))
    return false;
  for (int k = stmt->n_iters - 1; k >= 0; k--)
    if (is_channel (plan, s, stmt->iter[k]))
      {
        *operand = (tns_operand){ .stmt = stmt->name,
                                  .access = target->expr,
                                  .column = stmt->iter[k],
                                  .turned = true };
        return true;
      }
  return false;
}

/* Find the update below NODE, which stands in N loops.  */
static void
find_update (turn *t, tns_node *node, int n)
{
  if (node->kind == TNS_ASSIGN && node->name
      && !strcmp (node->name, t->operand->stmt))
    {
      t->found++;
      t->update = node;
      t->n = n;
    }
  for (int k = 0; k < node->n_kids; k++)
    find_update (t, node->kid[k], n);
  if (node->kind != TNS_LOOP || n == TNS_MAX_DEPTH)
    return;
  if (!t->found)
    t->loop[n] = node;
  find_update (t, node->body, n + 1);
}

/* EXPR stays the same in all of T's nest.  */
static bool
stays (const turn *t, tns_expr *expr)
{
  for (int k = 0; k < t->n; k++)
    if (tns_expr_mentions (expr, t->loop[k]->iter))
      return false;
  return !tns_expr_loads (expr);
}

/* How often subscripts of ACCESS mention ITER.  */
static int
count_mentions (const tns_expr *access, const tns_sym *iter)
{
  int n = 0;
  for (int k = 0; k < access->n_args; k++)
    n += tns_expr_mentions (access->arg[k], iter);
  return n;
}

/* Subscript K of ACCESS is a sum of different iterators of T's, that stand in
   no other, and of what stays.  */
static bool
is_plain_sum (const turn *t, const tns_expr *access, int k)
{
  tns_affine form;
  if (!tns_affine_of (t->arena, access->arg[k], &form))
    return false;
  for (int j = 0; j < form.n; j++)
    for (int i = 0; i < t->n; i++)
      if (form.sym[j] == t->loop[i]->iter
          && (form.factor[j] != 1 || count_mentions (access, form.sym[j]) != 1))
        return false;
  return true;
}

/* Subscript EXPR of T at the first values of all iterators, or the last.  */
static tns_expr *
extreme (const turn *t, tns_expr *expr, bool last)
{
  tns_sym *iter[TNS_MAX_DEPTH];
  tns_expr *value[TNS_MAX_DEPTH];
  for (int k = 0; k < t->n; k++)
    {
      iter[k] = t->loop[k]->iter;
      value[k] = last ? tns_binary (t->arena, TNS_SUB, t->loop[k]->hi,
                                    tns_int (t->arena, 1))
                      : t->loop[k]->lo;
    }
  expr = tns_expr_substitute (t->arena, expr, t->n, iter, value);
  if (last)
    expr = tns_binary (t->arena, TNS_ADD, expr, tns_int (t->arena, 1));
  return tns_expr_simplify (t->ctx, expr);
}

/* Append the box of ACCESS to T's unless it is there.  False when it has
   none.  */
static bool
add_box (turn *t, tns_expr *access)
{
  for (int k = 0; k < t->n_boxes; k++)
    if (tns_expr_equal (t->box[k].access, access))
      return true;
  if (t->n_boxes == MOST_BOXES)
    return false;
  box *b = &t->box[t->n_boxes++];
  *b = (box){ .access = access, .column = -1 };
  for (int k = 0; k < access->n_args; k++)
    {
      if (!is_plain_sum (t, access, k))
        return false;
      if (access->arg[k]->op == TNS_SYM
          && access->arg[k]->sym == t->operand->column)
        b->column = k;
      b->least[k] = extreme (t, access->arg[k], false);
      b->end[k] = extreme (t, access->arg[k], true);
    }
  return b->column >= 0;
}

/* A walk over the update's value: right while all that moves with the channels
   has a box.  */
typedef struct boxing
{
  turn *t;
  bool right;
} boxing;

/* The visitor that gives them one.  */
static bool
box_operand (tns_expr *expr, void *self)
{
  boxing *of = self;
  turn *t = of->t;
  if (expr->op != TNS_LOAD)
    {
      of->right &= expr->op != TNS_SYM || expr->sym != t->operand->column;
      return of->right;
    }
  of->right &= !tns_node_writes (t->loop[0], expr->sym);
  for (int k = 0; k < expr->n_args; k++)
    of->right &= !tns_expr_loads (expr->arg[k]);
  if (of->right && count_mentions (expr, t->operand->column) > 0)
    of->right = add_box (t, expr);
  return false;
}

/* How often SYM occurs below a node.  */
typedef struct uses
{
  const tns_sym *sym;
  int n;
} uses;

/* The visitor that counts in EXPR.  */
static bool
count_in_expr (tns_expr *expr, void *self)
{
  uses *u = self;
  u->n += expr->sym == u->sym;
  return true;
}

/* The visitor that counts in NODE.  */
static bool
count_in_node (tns_node *node, void *self)
{
  tns_node_exprs (node, count_in_expr, self);
  return true;
}

/* Find all that is needed to turn T's update in its region.  */
static bool
prepare (turn *t)
{
  find_update (t, t->region->body, 0);
  if (t->found != 1 || t->n == 0
      || tns_region_loops_of (t->arena, t->region)[t->loop[0]->iter->id] != 1)
    return false;
  for (int k = 0; k < t->n; k++)
    if (t->loop[k]->step != 1 || !stays (t, t->loop[k]->lo)
        || !stays (t, t->loop[k]->hi))
      return false;
  uses target = { t->update->target->sym, 0 };
  tns_node_walk (t->loop[0], count_in_node, &target);
  boxing of = { t, target.n == 1 && add_box (t, t->update->target) };
  if (of.right)
    tns_expr_walk (t->update->value, box_operand, &of);
  return of.right && t->n_boxes >= 2;
}

/* The trip of T's loop K.  */
static tns_expr *
trip_of (const turn *t, int k)
{
  return tns_expr_simplify (
    t->ctx, tns_binary (t->arena, TNS_SUB, t->loop[k]->hi, t->loop[k]->lo));
}

/* The extent of subscript K of B.  */
static tns_expr *
extent_of (const turn *t, const box *b, int k)
{
  return tns_expr_simplify (
    t->ctx, tns_binary (t->arena, TNS_SUB, b->end[k], b->least[k]));
}

/* The product of the trips of T's loops.  */
static tns_expr *
count_iterations (const turn *t)
{
  tns_expr *n = tns_int (t->arena, 1);
  for (int k = 0; k < t->n; k++)
    n = tns_binary (t->arena, TNS_MUL, n, trip_of (t, k));
  return n;
}

/* A OP B, simplified.  */
static tns_expr *
combine (const turn *t, tns_op op, tns_expr *a, tns_expr *b)
{
  return tns_expr_simplify (t->ctx, tns_binary (t->arena, op, a, b));
}

/* Ask in *COND that B's elements are few, and used often, more so those that
   the second cache has no room for.  False when that never holds.  */
static bool
ask_box (const turn *t, const box *b, tns_expr **cond)
{
  tns_arena *arena = t->arena;
  long bytes = tns_elem_bytes (b->access->type.elem);
  tns_expr *room = tns_int (arena, t->ctx->machine->l2_bytes / bytes);
  tns_expr *elements = tns_int (arena, 1);
  for (int k = 0; k < b->access->n_args; k++)
    elements = tns_binary (arena, TNS_MUL, elements, extent_of (t, b, k));
  tns_expr *far = combine (t, TNS_SUB, elements, room);
  tns_expr *near_uses
    = combine (t, TNS_MUL, elements, tns_int (arena, LEAST_USES));
  tns_expr *far_uses = combine (t, TNS_MUL, far, tns_int (arena, FAR_USES));
  tns_expr *n = count_iterations (t);
  return tns_ask_more (arena, n, near_uses, cond)
         && tns_ask_more (arena, n, far_uses, cond)
         && tns_ask_more (arena, tns_int (arena, MOST_ELEMENTS), elements,
                          cond);
}

/* Ask in *COND that N channels fill vectors: pairs of them, or many.  False
   when they never do.  */
static bool
ask_channels (const turn *t, tns_expr *n, tns_expr **cond)
{
  tns_arena *arena = t->arena;
  tns_elem elem = t->update->target->type.elem;
  long lanes = t->ctx->machine->vector_bytes / tns_elem_bytes (elem);
  tns_expr *pair = tns_int (arena, 2 * lanes);
  tns_expr *rest = combine (t, TNS_MOD, n, pair);
  tns_expr *many = tns_int (arena, 5 * lanes / 2);
  long long known = 0;
  if (tns_expr_is_int (n, &known))
    return known > 0 && (known % (2 * lanes) == 0 || 2 * known >= 5 * lanes);
  tns_expr *full = tns_binary (
    arena, TNS_LOR, tns_binary (arena, TNS_EQ, rest, tns_int (arena, 0)),
    tns_binary (arena, TNS_GE, n, many));
  *cond = *cond ? tns_binary (arena, TNS_LAND, *cond, full) : full;
  return true;
}

/* The same that T pays, all whose loops run.  */
static bool
ask_all (const turn *t, tns_expr **cond)
{
  bool right = true;
  for (int k = 0; k < t->n && right; k++)
    right = tns_ask_more (t->arena, trip_of (t, k), tns_int (t->arena, 1), cond)
            && (t->loop[k]->iter != t->operand->column
                || ask_channels (t, trip_of (t, k), cond));
  for (int k = 0; k < t->n_boxes && right; k++)
    right = ask_box (t, &t->box[k], cond);
  return right;
}

/* Subscript number K of B's turned copy is that of the access, given.  */
static int
place_in (const box *b, int k)
{
  int last = b->access->n_args - 1;
  return k == last ? b->column : k < b->column ? k : k + 1;
}

/* The element of B's turned copy at the subscripts ARG of the access.  */
static tns_expr *
element (const turn *t, const box *b, tns_expr *const *arg)
{
  tns_expr *turned[TNS_MAX_DEPTH];
  for (int k = 0; k < b->access->n_args; k++)
    {
      int at = place_in (b, k);
      turned[k] = tns_expr_simplify (
        t->ctx, tns_binary (t->arena, TNS_SUB, arg[at], b->least[at]));
    }
  return tns_load (t->arena, b->sym, turned);
}

/* Give B its turned copy.  */
static void
add_copy (turn *t, box *b)
{
  const tns_sym *sym = b->access->sym;
  b->sym = tns_region_add_array (t->arena, t->region, sym->name, sym->type.elem,
                                 sym->rank, TNS_SYM_LOCAL);
  b->sym->spelled = sym->spelled;
  b->sym->loc = sym->loc;
  for (int k = 0; k < sym->rank; k++)
    b->sym->extent[k]
      = tns_binary (t->arena, TNS_MAX, extent_of (t, b, place_in (b, k)),
                    tns_int (t->arena, 1));
}

/* A nest over B's box called NAME: BACK adds the copy to the array, else the
   copy is made, or begun where B is the target's.  */
static tns_node *
box_nest (turn *t, const box *b, const char *name, bool back)
{
  tns_loc loc = t->update->loc;
  tns_sym *iter[TNS_MAX_DEPTH];
  tns_expr *arg[TNS_MAX_DEPTH];
  int n = b->access->n_args;
  for (int k = 0; k < n; k++)
    {
      iter[k] = tns_region_add_iter (t->arena, t->region, "at");
      arg[k] = tns_value (t->arena, iter[k]);
    }
  tns_expr *there = tns_load (t->arena, b->access->sym, arg);
  tns_expr *copy = element (t, b, arg);
  tns_expr *zero = tns_real (t->arena, b->access->type.elem, 0);
  tns_node *nest
    = back ? tns_assign (t->arena, loc, there, TNS_ADD, copy)
           : tns_assign (
             t->arena, loc, copy, TNS_NONE,
             b == t->box && !tns_ctx_breaks (t->ctx, "turn") ? zero : there);
  nest->apart = true;
  nest->name = tns_arena_format (t->arena, "%s_%s", name, b->sym->name);
  for (int k = n - 1; k >= 0; k--)
    {
      int at = back ? k : place_in (b, k);
      tns_node *body = tns_block (t->arena, loc);
      tns_block_add (t->arena, body, nest);
      nest
        = tns_loop (t->arena, loc, iter[at], b->least[at], b->end[at], 1, body);
    }
  return nest;
}

/* The changer of expressions: what has a box becomes its copy's element.  */
static tns_expr *
redirect (tns_expr *expr, void *self)
{
  const turn *t = self;
  for (int k = 0; k < t->n_boxes; k++)
    if (tns_expr_equal (expr, t->box[k].access))
      return element (t, &t->box[k], t->box[k].access->arg);
  return expr;
}

/* The loops of T's nest of its own.

   iter, lo, hi      by the place of T's loop that each was
   value             what the iterator of that loop was
   order[0..n)       the places, outermost first  */
typedef struct own_loops
{
  tns_sym *iter[TNS_MAX_DEPTH];
  tns_expr *lo[TNS_MAX_DEPTH];
  tns_expr *hi[TNS_MAX_DEPTH];
  tns_expr *value[TNS_MAX_DEPTH];
  int n;
  int order[TNS_MAX_DEPTH];
} own_loops;

/* The places in T's nest of the two loops that subscript K of the target is
   the sum of: *ROW is the longer one, *TAP the shorter as far as that is known.
   False where it is another sum.  */
static bool
find_pair (const turn *t, int k, int *row, int *tap)
{
  int n = 0;
  long long known = 0;
  for (int i = 0; i < t->n; i++)
    if (tns_expr_mentions (t->box[0].access->arg[k], t->loop[i]->iter))
      *(n++ == 0 ? row : tap) = i;
  if (n != 2)
    return false;
  if (tns_expr_is_int (trip_of (t, *row), &known)
      && !tns_expr_is_int (trip_of (t, *tap), &known))
    {
      int shorter = *row;
      *row = *tap;
      *tap = shorter;
    }
  return true;
}

/* ROW of OWN counts its sum with TAP, whose values are those that the sum
   leaves to what ROW was.  */
static void
slide (const turn *t, int row, int tap, own_loops *own)
{
  const tns_node *longer = t->loop[row];
  const tns_node *shorter = t->loop[tap];
  tns_expr *one = tns_int (t->arena, 1);
  tns_expr *sum = tns_value (t->arena, own->iter[row]);
  tns_expr *past = combine (t, TNS_ADD, sum, one);
  own->value[row] = combine (t, TNS_SUB, sum, own->value[tap]);
  own->lo[row] = combine (t, TNS_ADD, longer->lo, shorter->lo);
  own->hi[row]
    = combine (t, TNS_SUB, combine (t, TNS_ADD, longer->hi, shorter->hi), one);
  own->lo[tap]
    = combine (t, TNS_MAX, shorter->lo, combine (t, TNS_SUB, past, longer->hi));
  own->hi[tap]
    = combine (t, TNS_MIN, shorter->hi, combine (t, TNS_SUB, past, longer->lo));
}

/* Append PLACE to OWN's order unless it is there.  */
static void
append (own_loops *own, int place)
{
  for (int k = 0; k < own->n; k++)
    if (own->order[k] == place)
      return;
  own->order[own->n++] = place;
}

/* Append the loops of T that subscript K of the target mentions.  */
static void
append_subscript (const turn *t, int k, own_loops *own)
{
  for (int i = 0; i < t->n; i++)
    if (tns_expr_mentions (t->box[0].access->arg[k], t->loop[i]->iter))
      append (own, i);
}

/* Sort OWN's loops by the subscripts of T's target, the sums last.  The first
   that is a sum of two, not the last one but the channels, counts it; of
   another the longer goes inside, where it is a row of a tile.  */
static void
sort_loops (const turn *t, own_loops *own)
{
  const box *target = &t->box[0];
  int n = target->access->n_args;
  bool slides = false;
  for (int k = 0; k < n; k++)
    {
      int row = 0;
      int tap = 0;
      int at = place_in (target, k);
      if (find_pair (t, at, &row, &tap))
        {
          bool first = !slides && k + 2 < n;
          if (first)
            slide (t, row, tap, own);
          slides |= first;
          append (own, first ? row : tap);
        }
      append_subscript (t, at, own);
    }
  for (int k = 0; k < t->n; k++)
    append (own, k);
}

/* Fill OWN with T's loops.  */
static void
fill_own (turn *t, own_loops *own)
{
  own->n = 0;
  for (int k = 0; k < t->n; k++)
    {
      own->iter[k]
        = tns_region_add_iter (t->arena, t->region, t->loop[k]->iter->name);
      if (t->loop[k]->iter == t->operand->column)
        t->channel = own->iter[k];
      own->lo[k] = t->loop[k]->lo;
      own->hi[k] = t->loop[k]->hi;
      own->value[k] = tns_value (t->arena, own->iter[k]);
    }
  sort_loops (t, own);
}

/* The changer of expressions that sums subscripts up.  */
static tns_expr *
tidy (tns_expr *expr, void *self)
{
  const turn *t = self;
  tns_expr *arg[TNS_MAX_DEPTH];
  if (expr->op != TNS_LOAD)
    return expr;
  for (int k = 0; k < expr->n_args; k++)
    arg[k] = tns_sum_expr (t->arena, tns_sum_of (t->arena, expr->arg[k]));
  return tns_expr_with_args (t->arena, expr, arg);
}

/* T's update over the copies, in a nest of its own.  */
static tns_node *
own_nest (turn *t)
{
  own_loops own;
  tns_sym *from[TNS_MAX_DEPTH];
  tns_node *update = t->update;
  tns_node *nest = tns_assign (
    t->arena, update->loc, redirect (update->target, t), update->update,
    tns_expr_rebuild (t->arena, update->value, redirect, t));
  nest->name = update->name;
  fill_own (t, &own);
  for (int k = 0; k < t->n; k++)
    from[k] = t->loop[k]->iter;
  nest = tns_node_substitute (t->arena, nest, t->n, from, own.value);
  nest->target = tns_expr_rebuild (t->arena, nest->target, tidy, t);
  nest->value = tns_expr_rebuild (t->arena, nest->value, tidy, t);
  for (int k = t->n - 1; k >= 0; k--)
    {
      tns_node *body = tns_block (t->arena, update->loc);
      tns_block_add (t->arena, body, nest);
      int at = own.order[k];
      nest = tns_loop (t->arena, t->loop[at]->loc, own.iter[at], own.lo[at],
                       own.hi[at], 1, body);
    }
  return nest;
}

/* The visitor that notes a node that is more than a loop around others.  */
static bool
note_work (tns_node *node, void *self)
{
  bool *works = self;
  *works |= node->kind != TNS_LOOP && node->kind != TNS_BLOCK;
  return !*works;
}

/* The changer of nodes: the update leaves its nest for one of its own, with
   the copies made before; the target's is added behind.  */
static tns_node *
insert (tns_node *node, void *self)
{
  turn *t = self;
  bool works = false;
  if (node->kind == TNS_ASSIGN && node->name
      && !strcmp (node->name, t->operand->stmt))
    return NULL;
  if (node->kind != TNS_LOOP)
    return node;
  tns_node_walk (node, note_work, &works);
  if (node->iter != t->loop[0]->iter)
    return works ? node : NULL;
  tns_node *block = tns_block (t->arena, node->loc);
  if (works)
    tns_block_add (t->arena, block, node);
  for (int k = 0; k < t->n_boxes; k++)
    {
      const box *b = &t->box[k];
      tns_block_add (t->arena, block, tns_local (t->arena, node->loc, b->sym));
      tns_block_add (t->arena, block,
                     box_nest (t, b, k == 0 ? "begin" : "turn", false));
    }
  tns_block_add (t->arena, block, own_nest (t));
  tns_block_add (t->arena, block, box_nest (t, &t->box[0], "end", true));
  return block;
}

bool
tns_region_turn (tns_ctx *ctx, const tns_operand *operand, tns_region *region,
                 tns_packing *packing)
{
  turn t = { .ctx = ctx, .arena = ctx->arena };
  tns_expr *when = packing->when;
  t.operand = operand;
  t.region = region;
  if (!prepare (&t) || !ask_all (&t, &when))
    return false;
  packing->when = when;
  for (int k = 0; k < t.n_boxes; k++)
    add_copy (&t, &t.box[k]);
  region->body = tns_node_rebuild (ctx->arena, region->body, insert, NULL, &t);
  packing->operand[packing->n] = *operand;
  packing->operand[packing->n++].column = t.channel;
  tns_text_format (&packing->steps, "pack %s in %s: turned %s\n",
                   operand->access->sym->name, operand->stmt,
                   operand->column->name);
  return true;
}
