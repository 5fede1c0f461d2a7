/* Borders cut out of the interior, as lowering/cut.h says.

   Of an innermost loop of step 1 that threads do not share:

   1. each comparison of integers, min and max in it is taken as
      iter < e or iter >= e;
   2. where e is at most lo + c or at least hi - c, 0 <= c <= MOST_BORDER, the
      side that is not the border's is the interior's; of a tile, lo is a
      multiple of a number that is not negative, hi a min;
   3. the loop becomes three: the greatest c on each side bound the middle one,
      in which those comparisons are known.

   Where there is none, lowering/cut-range.c may find a range.

   The first border of a tile is a whole number of vectors, so that what the
   middle loop stores stays where lines begin.

   Does not do: borders of tiles that call functions, which take many elements
   in the time of one; borders of outer loops, whose conditions cost a row at
   most.  */

#include "lowering/cut.h"

#include "ir/fresh.h"
#include "ir/affine.h"
#include "ir/walk.h"
#include "lowering/cut-range.h"
#include "lowering/linear.h"

enum
{
  MOST_BORDER = 16
};

/* The loop at hand, and how many iterations its borders have; is_tile: it is
   one of tiles, which begin at multiples of their size; calls: of functions;
   some: a loop was cut.  */
typedef struct cutter
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  const tns_node *loop;
  long long first;
  long long last;
  bool found;
  bool is_tile;
  bool calls;
  bool *some;
} cutter;

/* What a comparison is in the interior, when its border is this wide on that
   side.  */
typedef struct known
{
  bool holds;
  bool at_end;
  long long width;
} known;

/* EXPR moves by SIGN with the iterator of C and reads no memory: then REST is
   EXPR without it.  */
static bool
split_sum (const cutter *c, tns_sum sum, long long *sign, tns_sum *rest)
{
  *sign = 0;
  *rest = tns_sum_int (c->arena, 0);
  for (int k = 0; k < sum.n; k++)
    {
      const tns_term *term = &sum.term[k];
      bool is_iter = term->n_atoms == 1 && term->atom[0]->op == TNS_SYM
                     && term->atom[0]->sym == c->loop->iter;
      for (int a = 0; a < term->n_atoms && !is_iter; a++)
        if (!tns_atom_symbol (term->atom[a])
            || tns_atom_symbol (term->atom[a]) == c->loop->iter
            || tns_atom_symbol (term->atom[a])->kind == TNS_SYM_ARRAY)
          return false;
      if (is_iter)
        *sign = term->factor;
      else
        *rest
          = tns_sum_add (c->arena, *rest, tns_sum_of_term (c->arena, *term));
    }
  return sum.n >= 0 && rest->n >= 0 && (*sign == 1 || *sign == -1);
}

/* A sum plus K.  */
static tns_sum
plus (const cutter *c, tns_sum sum, long long k)
{
  return tns_sum_add (c->arena, sum, tns_sum_int (c->arena, k));
}

/* A - B is *D at most, A being a min and a constant, or a sum.  */
static bool
is_at_most (const cutter *c, tns_expr *a, tns_expr *b, long long *d)
{
  long long more = 0;
  long long other;
  if (tns_linear_distance (c->arena, a, b, d))
    return true;
  if (a->op == TNS_ADD && tns_expr_is_int (a->arg[1], &more))
    a = a->arg[0];
  if (a->op != TNS_MIN)
    return false;
  bool first = is_at_most (c, a->arg[0], b, d);
  bool second = is_at_most (c, a->arg[1], b, &other);
  if (second && (!first || other < *d))
    *d = other;
  *d += more;
  return first || second;
}

/* A loop whose iterator is looked for, and whether it is never negative.  */
typedef struct counting
{
  const tns_sym *iter;
  bool found;
  bool is_negative;
} counting;

/* The visitor: note in SELF what loop has the iterator.  */
static bool
note_counting (tns_node *node, void *self)
{
  counting *s = self;
  long long lo;
  if (node->kind != TNS_LOOP || node->iter != s->iter)
    return true;
  s->found = true;
  s->is_negative
    |= node->step < 0 || !tns_expr_is_int (node->lo, &lo) || lo < 0;
  return true;
}

/* C's loop begins at a multiple of what an outer loop counts, from 0 on.  */
static bool
is_tile (const cutter *c)
{
  const tns_expr *lo = c->loop->lo;
  long long size;
  bool is_multiple = lo->op == TNS_MUL
                     && (tns_expr_is_int (lo->arg[0], &size)
                         || tns_expr_is_int (lo->arg[1], &size))
                     && size > 0;
  if (!is_multiple)
    return false;
  const tns_expr *by = lo->arg[lo->arg[0]->op == TNS_INT];
  counting s = { by->sym, false, false };
  if (by->op != TNS_SYM || by->sym->kind != TNS_SYM_ITER)
    return false;
  tns_node_walk (c->region->body, note_counting, &s);
  return s.found && !s.is_negative;
}

/* iter < EDGE is the same in all but a few iterations: *KNOWN says which.  */
static bool
is_border (const cutter *c, tns_sum edge, known *k)
{
  tns_expr *e = edge.n >= 0 ? tns_sum_expr (c->arena, edge) : NULL;
  long long d = 0;
  if (!e)
    return false;
  k->at_end = is_at_most (c, c->loop->hi, e, &d) && d <= MOST_BORDER;
  k->holds = k->at_end;
  if (!k->at_end && !tns_linear_distance (c->arena, e, c->loop->lo, &d)
      && !(c->is_tile && tns_expr_is_int (e, &d)))
    return false;
  if (!k->at_end && d > MOST_BORDER)
    return false;
  k->width = d > 0 ? d : 0;
  return true;
}

/* What A == B is in the interior; false when that is not known.  */
static bool
compare_equal (const cutter *c, tns_expr *a, tns_expr *b, known *k)
{
  long long sign;
  tns_sum rest;
  tns_sum other = tns_sum_scale (c->arena, tns_sum_of (c->arena, b), -1);
  tns_sum sum = tns_sum_add (c->arena, tns_sum_of (c->arena, a), other);
  if (!split_sum (c, sum, &sign, &rest)
      || !is_border (c, tns_sum_scale (c->arena, rest, -sign), k))
    return false;
  k->holds = false;
  k->width += !k->at_end;
  return true;
}

/* What A < B is in the interior; false when that is not known.  */
static bool
compare (const cutter *c, tns_expr *a, tns_expr *b, known *k)
{
  long long sign;
  tns_sum rest;
  tns_sum less = tns_sum_scale (c->arena, tns_sum_of (c->arena, b), -1);
  tns_sum sum = tns_sum_add (c->arena, tns_sum_of (c->arena, a), less);
  if (!split_sum (c, sum, &sign, &rest))
    return false;
  if (sign > 0)
    return is_border (c, tns_sum_scale (c->arena, rest, -1), k);
  if (!is_border (c, plus (c, rest, 1), k))
    return false;
  k->holds = !k->holds;
  return true;
}

/* EXPR is a comparison of I64 values whose value in the interior is known, or
   a min or max of which one operand is, then K tells of "the first is the
   less".  */
static bool
is_known (const cutter *c, const tns_expr *expr, known *k)
{
  if (expr->n_args != 2 || expr->arg[0]->type.lanes != 1
      || expr->arg[0]->type.elem != TNS_I64
      || expr->arg[1]->type.elem != TNS_I64)
    return false;
  if (expr->op == TNS_EQ || expr->op == TNS_NE)
    {
      bool found = compare_equal (c, expr->arg[0], expr->arg[1], k);
      k->holds = expr->op == TNS_NE;
      return found;
    }
  bool swaps = expr->op == TNS_GT || expr->op == TNS_LE;
  bool turns = expr->op == TNS_LE || expr->op == TNS_GE;
  if (!swaps && expr->op != TNS_LT && expr->op != TNS_GE && expr->op != TNS_MIN
      && expr->op != TNS_MAX)
    return false;
  if (!compare (c, expr->arg[swaps], expr->arg[!swaps], k))
    return false;
  k->holds ^= turns;
  return true;
}

/* The visitor that widens the borders of C.  */
static bool
widen (tns_expr *expr, void *self)
{
  cutter *c = self;
  known k;
  c->calls |= tns_op_is_function (expr->op);
  if (!is_known (c, expr, &k))
    return true;
  c->found = true;
  if (k.at_end)
    c->last = k.width > c->last ? k.width : c->last;
  else
    c->first = k.width > c->first ? k.width : c->first;
  return true;
}

/* The visitor of nodes for widen; a loop inside makes this one no innermost
   one.  */
static bool
widen_node (tns_node *node, void *self)
{
  cutter *c = self;
  tns_node_exprs (node, widen, c);
  return true;
}

/* The changer that puts in what is known.  */
static tns_expr *
settle (tns_expr *expr, void *self)
{
  const cutter *c = self;
  known k;
  if (!is_known (c, expr, &k) || k.width > (k.at_end ? c->last : c->first))
    return expr;
  if (expr->op == TNS_MIN || expr->op == TNS_MAX)
    return expr->arg[k.holds == (expr->op == TNS_MAX)];
  return tns_int_of (c->arena, TNS_BOOL, k.holds);
}

/* The changer of whole expressions.  */
static tns_expr *
settle_whole (tns_expr *expr, void *self)
{
  cutter *c = self;
  return tns_expr_rebuild (c->arena, expr, settle, c);
}

/* A border of C's loop, from LO to HI, without lanes.  */
static tns_node *
border (const cutter *c, tns_expr *lo, tns_expr *hi)
{
  tns_node *whole = tns_node_copy (c->arena, c->loop);
  tns_node *loop = tns_node_fresh (c->ctx, c->region, whole);
  loop->lo = lo;
  loop->hi = hi;
  loop->marks.simd = 0;
  loop->marks.accumulators = 0;
  return loop;
}

static tns_node *change_node (tns_node *node, void *self);

/* C's loop in three.  */
static tns_node *
cut (cutter *c)
{
  tns_arena *arena = c->arena;
  const tns_node *loop = c->loop;
  long long lanes = loop->marks.simd;
  if (c->is_tile)
    c->first = (c->first + lanes - 1) / lanes * lanes;
  tns_expr *from
    = tns_binary (arena, TNS_ADD, loop->lo, tns_int (arena, c->first));
  long long last = tns_ctx_breaks (c->ctx, "cut") ? c->last - 1 : c->last;
  tns_expr *to = tns_binary (arena, TNS_SUB, loop->hi, tns_int (arena, last));
  tns_node *middle = tns_node_copy (arena, loop);
  middle->lo = from;
  middle->hi = to;
  middle->body = tns_node_rebuild (arena, loop->body, NULL, settle_whole, c);
  middle = change_node (middle, c);
  tns_node *out = tns_block (arena, loop->loc);
  if (c->first > 0)
    tns_block_add (
      arena, out,
      border (c, loop->lo, tns_binary (arena, TNS_MIN, from, loop->hi)));
  tns_block_add (arena, out, middle);
  if (c->last > 0)
    tns_block_add (arena, out,
                   border (c, tns_binary (arena, TNS_MAX, from, to), loop->hi));
  return out;
}

/* NODE is or holds a loop.  */
static bool
find_loop (tns_node *node, void *self)
{
  bool *found = self;
  *found |= node->kind == TNS_LOOP;
  return !*found;
}

/* Threads may share LOOP.  */
static bool
is_shared (const tns_node *loop)
{
  long long holds = 1;
  return loop->marks.parallel
         && !(loop->marks.when && tns_expr_is_int (loop->marks.when, &holds)
              && !holds);
}

/* NODE, an innermost loop, cut where that helps.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  const cutter *all = self;
  cutter c = *all;
  c.loop = node;
  c.first = 0;
  c.last = 0;
  c.found = false;
  c.calls = false;
  bool has_loop = false;
  if (node->kind != TNS_LOOP || node->step != 1 || is_shared (node)
      || node->marks.chunks)
    return node;
  tns_node_walk (node->body, find_loop, &has_loop);
  c.is_tile = node->marks.simd && is_tile (&c);
  if (!has_loop)
    tns_node_walk (node->body, widen_node, &c);
  c.found = c.found && !(c.is_tile && c.calls);
  *c.some |= c.found;
  if (c.found)
    return cut (&c);
  tns_node *made = has_loop ? NULL : tns_loop_cut_range (c.ctx, c.region, node);
  *c.some |= made != NULL;
  return made ? made : node;
}

tns_region *
tns_region_cut (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  tns_region *out = tns_region_copy (ctx->arena, region);
  bool some = false;
  cutter c = { .ctx = ctx, .arena = ctx->arena, .region = out, .some = &some };
  out->body
    = tns_node_rebuild (ctx->arena, region->body, change_node, NULL, &c);
  return some ? out : region;
}
