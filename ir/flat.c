/* Which shape the subscripts of a flat array speak of.

     x[b*T*C + t*C + c]     strides T*C, C, 1       x[b][t][c]

   1. The strides: what VALUEs and constants each iterator is multiplied by,
      in any access, and 1.  An offset that divides a stride is one more
      (x[t*3*C + c + C]: 3*C, C, 1, which makes x[t][1][c]).
   2. Their order: what divides comes after.  Where neither of two divides
      the other (h*hs + i beside t*C), the loop that runs over a dimension
      tells the next stride: i < hs.  Such a pair must meet in one access.
   3. Each access is taken apart: a term goes to the largest stride that
      divides it, a constant to multiples of constant strides; what falls from
      0 counts from the end of the row before.
   4. The evidence: for each subscript but the first, is 0 <= s < extent for
      all iterations, by the loops or the conditions around: yes, no, or unknown
      (VALUEs count as not negative).  Where it is not and the least of all
      accesses is a constant f > 0, as in Fortran's a[i + j*ld] with i from 1
      to ld, f <= s < f + extent is asked: rows are as far apart.

   Where a subscript is unknown, sizes that are sums, (h - 2)*i + j, are made
   atoms (ir/flat-size.c); that shape is taken where fewer are unknown.

   An array is left flat when a subscript is outside, when one that is
   unknown has no larger stride beside it (x[k] with k < n*m next to x[i*m +
   j]) and no access agrees with it, when a constant extent (i*64 + j) is not
   proved, and when a load stands in an inner subscript (x[i*m + at[i]]), unless
   what is loaded is known before the region and another access runs over that
   dimension.  poly/scop-extents.c proves or guards the rest.  */

#include "ir/flat.h"

#include "ir/walk.h"

#include <limits.h>

typedef enum evidence
{
  NO,
  UNKNOWN,
  YES
} evidence;

/* The visitor of tns_is_over_values.  */
static bool
note_varying (tns_expr *expr, void *self)
{
  bool *varies = self;
  if (expr->sym && expr->sym->kind != TNS_SYM_VALUE)
    *varies = true;
  return !*varies;
}

bool
tns_is_over_values (tns_expr *expr)
{
  bool varies = false;
  tns_expr_walk (expr, note_varying, &varies);
  return !varies;
}

tns_term
tns_flat_product (tns_arena *arena, const tns_term *term, bool *varies)
{
  tns_term product = { term->factor < 0 ? -term->factor : term->factor, 0,
                       TNS_NEW_ARRAY (arena, tns_expr *, term->n_atoms + 1) };
  *varies = false;
  for (int k = 0; k < term->n_atoms; k++)
    {
      if (tns_is_over_values (term->atom[k]))
        product.atom[product.n_atoms++] = term->atom[k];
      else
        *varies = true;
    }
  return product;
}

/* A and B are the same.  */
static bool
is_same (tns_arena *arena, const tns_term *a, const tns_term *b)
{
  tns_term quotient;
  return tns_term_divide (arena, a, b, &quotient) && quotient.factor == 1
         && quotient.n_atoms == 0;
}

/* A divides B.  */
static bool
divides (tns_arena *arena, const tns_term *a, const tns_term *b)
{
  tns_term quotient;
  return tns_term_divide (arena, b, a, &quotient);
}

/* Add STRIDE to SHAPE; false when there is no room.  */
static bool
add_stride (tns_arena *arena, tns_shape *shape, tns_term stride, bool is_extra)
{
  for (int k = 0; k < shape->n; k++)
    if (is_same (arena, &shape->stride[k], &stride))
      return true;
  if (shape->n == TNS_MOST_STRIDES)
    return false;
  shape->stride[shape->n] = stride;
  shape->is_extra[shape->n] = is_extra;
  shape->n++;
  return true;
}

/* Some stride of SHAPE is a multiple of STRIDE, and not the same.  */
static bool
has_multiple (tns_arena *arena, const tns_shape *shape, const tns_term *stride)
{
  for (int k = 0; k < shape->n; k++)
    if (divides (arena, stride, &shape->stride[k])
        && !is_same (arena, stride, &shape->stride[k]))
      return true;
  return false;
}

/* Step 1 of the head: offsets when OF_OFFSETS, else what iterators are
   multiplied by.  */
static bool
collect_strides (tns_arena *arena, const tns_flat_access *access, int n,
                 bool of_offsets, tns_shape *shape)
{
  for (int a = 0; a < n; a++)
    for (int k = 0; k < access[a].sum.n; k++)
      {
        bool varies;
        tns_term p = tns_flat_product (arena, &access[a].sum.term[k], &varies);
        if (varies == of_offsets)
          continue;
        if (of_offsets && (!p.n_atoms || !has_multiple (arena, shape, &p)))
          continue;
        if (!add_stride (arena, shape, p, of_offsets))
          return false;
      }
  return true;
}

/* A loop of ACCESS runs over STRIDE's dimension up to the stride NEXT.  */
static bool
leads_to (tns_arena *arena, const tns_flat_access *access,
          const tns_term *stride, const tns_term *next)
{
  tns_sum goal = tns_sum_of_term (arena, *next);
  for (int k = 0; k < access->sum.n; k++)
    {
      const tns_term *term = &access->sum.term[k];
      tns_term quotient;
      if (!tns_term_divide (arena, term, stride, &quotient)
          || quotient.n_atoms != 1 || quotient.factor != 1)
        continue;
      const tns_sym *sym = tns_atom_symbol (quotient.atom[0]);
      for (int l = 0; l < access->n_loops && sym; l++)
        if (access->loop[l]->iter == sym)
          {
            tns_sum reach
              = tns_sum_mul (arena, tns_sum_of (arena, access->loop[l]->hi),
                             tns_sum_of_term (arena, *stride));
            if (tns_sum_equal (reach, goal))
              return true;
          }
    }
  return false;
}

/* How well stride K follows LAST: 2 a loop leads there, 1 nothing that is
   left divides it, 0 something does.  */
static int
rank_next (tns_arena *arena, const tns_shape *left, int k, const tns_term *last,
           const tns_flat_access *access, int n)
{
  for (int other = 0; other < left->n; other++)
    if (other != k && divides (arena, &left->stride[other], &left->stride[k]))
      return 0;
  for (int a = 0; a < n; a++)
    if (leads_to (arena, &access[a], last, &left->stride[k]))
      return 2;
  return 1;
}

/* Step 2: SHAPE's strides sorted, the largest first.  */
static void
sort_strides (tns_arena *arena, const tns_flat_access *access, int n,
              tns_shape *shape)
{
  tns_shape left = *shape;
  tns_term last = { 1, 0, NULL };
  for (int at = shape->n - 1; at >= 0; at--)
    {
      int best = 0;
      int best_rank = -1;
      for (int k = 0; k < left.n; k++)
        {
          int rank = at == shape->n - 1
                       ? left.stride[k].factor == 1 && !left.stride[k].n_atoms
                       : rank_next (arena, &left, k, &last, access, n);
          bool is_smaller = left.stride[k].n_atoms < left.stride[best].n_atoms;
          if (rank > best_rank || (rank == best_rank && is_smaller))
            {
              best = k;
              best_rank = rank;
            }
        }
      last = left.stride[best];
      shape->stride[at] = last;
      shape->is_extra[at] = left.is_extra[best];
      left.n--;
      left.stride[best] = left.stride[left.n];
      left.is_extra[best] = left.is_extra[left.n];
    }
}

/* ACCESS has a term that STRIDE is multiplied in.  */
static bool
has_term (tns_arena *arena, const tns_flat_access *access,
          const tns_term *stride)
{
  for (int k = 0; k < access->sum.n; k++)
    {
      bool varies;
      tns_term p = tns_flat_product (arena, &access->sum.term[k], &varies);
      if (is_same (arena, &p, stride))
        return true;
    }
  return false;
}

/* Neighbours that do not divide each other meet in one access.  */
static bool
neighbours_meet (tns_arena *arena, const tns_flat_access *access, int n,
                 const tns_shape *shape)
{
  for (int k = 1; k < shape->n; k++)
    {
      const tns_term *above = &shape->stride[k - 1];
      const tns_term *below = &shape->stride[k];
      bool meet = divides (arena, below, above);
      for (int a = 0; a < n && !meet; a++)
        meet = has_term (arena, &access[a], above)
               && has_term (arena, &access[a], below);
      if (!meet)
        return false;
    }
  return true;
}

/* VALUE over BY > 1: the nearest multiple, or with DOWNWARDS the one
   below.  */
static long long
multiples (long long value, long long by, bool downwards)
{
  long long rest = value % by;
  long long times = value / by;
  if (downwards)
    return times - (rest < 0);
  return times + (2 * rest > by) - (2 * rest < -by);
}

/* Put the constant VALUE into subscripts: multiples of each constant stride,
   the largest first.  Beside an iterator in a smaller stride it is an offset
   of either sign (j - 1), or as SHAPE says begins a part of the row (j + 256);
   alone it is a place in its row.  */
static void
place_constant (tns_arena *arena, const tns_shape *shape, long long value,
                tns_sum *subscript)
{
  for (int k = 0; k < shape->n; k++)
    {
      long long by = shape->stride[k].factor;
      if (shape->stride[k].n_atoms || by == 0)
        continue;
      bool is_alone = true;
      for (int below = k + 1; below < shape->n; below++)
        is_alone = is_alone && subscript[below].n == 0;
      bool down = is_alone || shape->is_down;
      long long times = by > 1 ? multiples (value, by, down) : value / by;
      value -= times * by;
      subscript[k]
        = tns_sum_add (arena, subscript[k], tns_sum_int (arena, times));
    }
}

/* SUM has an iterator or a load.  */
static bool
is_varying (tns_sum sum)
{
  for (int k = 0; k < sum.n; k++)
    for (int a = 0; a < sum.term[k].n_atoms; a++)
      if (!tns_is_over_values (sum.term[k].atom[a]))
        return true;
  return false;
}

/* A subscript that falls from 0 or below, when no atom is negative, or is a
   constant below, is one of the row before, counted from that row's end: x*h +
   h - 1 - y, of strides h and 1, is [x][h - 1 - y] and not [x + 1][-1 - y].  */
static void
borrow (tns_arena *arena, const tns_shape *shape, tns_sum *subscript)
{
  for (int k = shape->n - 1; k > 0; k--)
    {
      bool is_exact;
      long long least;
      tns_sum opposite = tns_sum_scale (arena, subscript[k], -1);
      if (!tns_sum_least (opposite, &least)
          || least < !is_varying (subscript[k]))
        continue;
      tns_expr *extent = tns_flat_extent (arena, shape, k, &is_exact);
      if (!is_exact)
        continue;
      subscript[k]
        = tns_sum_add (arena, subscript[k], tns_sum_of (arena, extent));
      subscript[k - 1]
        = tns_sum_add (arena, subscript[k - 1], tns_sum_int (arena, -1));
    }
}

void
tns_flat_subscripts (tns_arena *arena, const tns_shape *shape, tns_sum sum,
                     tns_sum *subscript)
{
  for (int k = 0; k < shape->n; k++)
    subscript[k] = tns_sum_int (arena, 0);
  sum = tns_flat_sum (arena, shape, sum);
  for (int t = 0; t < sum.n; t++)
    {
      if (!sum.term[t].n_atoms)
        {
          place_constant (arena, shape, sum.term[t].factor, subscript);
          continue;
        }
      tns_term quotient;
      int k = 0;
      while (
        !tns_term_divide (arena, &sum.term[t], &shape->stride[k], &quotient))
        k++;
      subscript[k]
        = tns_sum_add (arena, subscript[k], tns_sum_of_term (arena, quotient));
    }
  borrow (arena, shape, subscript);
}

/* The extent of an inexact dimension is evaluated at the region's entry,
   where the stride may be 0 although no loop would run: the divisor is then
   1.  */
tns_expr *
tns_flat_extent (tns_arena *arena, const tns_shape *shape, int k,
                 bool *is_exact)
{
  tns_term quotient;
  const tns_term *above = &shape->stride[k - 1];
  const tns_term *own = &shape->stride[k];
  *is_exact = tns_term_divide (arena, above, own, &quotient);
  if (*is_exact)
    return tns_sum_expr (arena, tns_sum_of_term (arena, quotient));
  tns_expr *divisor = tns_sum_expr (arena, tns_sum_of_term (arena, *own));
  return tns_binary (arena, TNS_FLOORDIV,
                     tns_sum_expr (arena, tns_sum_of_term (arena, *above)),
                     tns_binary (arena, TNS_MAX, divisor, tns_int (arena, 1)));
}

/* Whether ITER's terms in SUM are all added (1), all subtracted (-1), or it
   does not occur (0); 2 for both.  */
static int
direction (tns_sum sum, const tns_sym *iter)
{
  int found = 0;
  for (int k = 0; k < sum.n; k++)
    for (int a = 0; a < sum.term[k].n_atoms; a++)
      if (tns_atom_symbol (sum.term[k].atom[a]) == iter)
        {
          int sign = sum.term[k].factor < 0 ? -1 : 1;
          found = found && found != sign ? 2 : sign;
        }
  return found;
}

/* The greatest (or least) that SUM is over the loops of ACCESS; n = -1 when
   that is not seen.  */
static tns_sum
extreme (tns_arena *arena, const tns_flat_access *access, tns_sum sum,
         bool greatest)
{
  for (int l = access->n_loops - 1; l >= 0; l--)
    {
      const tns_node *loop = access->loop[l];
      int sign = direction (sum, loop->iter);
      if (sign == 0)
        continue;
      bool at_end = (sign == 1) == greatest;
      tns_expr *bound = at_end == (loop->step > 0) ? loop->hi : loop->lo;
      tns_sum by = tns_sum_of (arena, bound);
      if (bound == loop->hi)
        by = tns_sum_add (arena, by,
                          tns_sum_int (arena, loop->step > 0 ? -1 : 1));
      sum = sign == 2 ? (tns_sum){ -1, NULL }
                      : tns_sum_substitute (arena, sum, loop->iter, by);
    }
  return sum;
}

/* Whether A >= B when no atom is negative.  */
static evidence
is_at_least (tns_arena *arena, tns_sum a, tns_sum b)
{
  long long least;
  tns_sum difference = tns_sum_add (arena, a, tns_sum_scale (arena, b, -1));
  if (tns_sum_least (difference, &least) && least >= 0)
    return YES;
  if (tns_sum_least (tns_sum_scale (arena, difference, -1), &least)
      && least > 0)
    return NO;
  return UNKNOWN;
}

/* Whether SUM is not negative in any iteration of ACCESS: itself, or over what
   is known not to be.  */
static evidence
is_not_negative (tns_arena *arena, const tns_flat_access *access, tns_sum sum)
{
  tns_sum zero = tns_sum_int (arena, 0);
  evidence found
    = is_at_least (arena, extreme (arena, access, sum, false), zero);
  for (int k = 0; k < access->n_known && found != YES; k++)
    {
      tns_sum over
        = tns_sum_add (arena, sum, tns_sum_scale (arena, access->known[k], -1));
      over = extreme (arena, access, over, false);
      if (is_at_least (arena, over, zero) == YES)
        found = YES;
    }
  return found;
}

/* Whether 0 <= SUBSCRIPT < EXTENT in all iterations of ACCESS, whatever it
   chooses.  */
static evidence
is_inside (tns_arena *arena, const tns_flat_access *access, tns_sum subscript,
           tns_expr *extent)
{
  tns_sum value[2];
  tns_flat_access where[2];
  if (tns_flat_choice (arena, access, subscript, value, where))
    {
      evidence first = is_inside (arena, &where[0], value[0], extent);
      evidence second = is_inside (arena, &where[1], value[1], extent);
      return first < second ? first : second;
    }
  tns_sum last
    = tns_sum_add (arena, tns_sum_of (arena, extent), tns_sum_int (arena, -1));
  tns_sum left
    = tns_sum_add (arena, last, tns_sum_scale (arena, subscript, -1));
  evidence low = is_not_negative (arena, access, subscript);
  evidence high = is_not_negative (arena, access, left);
  return low < high ? low : high;
}

bool
tns_flat_has_load (tns_sum sum)
{
  for (int k = 0; k < sum.n; k++)
    for (int a = 0; a < sum.term[k].n_atoms; a++)
      if (!tns_atom_symbol (sum.term[k].atom[a])
          && !tns_is_over_values (sum.term[k].atom[a]))
        return true;
  return false;
}

/* The accesses taken apart.  */
typedef struct parts
{
  tns_sum subscript[TNS_MOST_STRIDES];
} parts;

/* PART's subscript K, counted from where SHAPE's begin.  */
static tns_sum
counted (tns_arena *arena, const tns_shape *shape, const parts *part, int k)
{
  return tns_sum_add (arena, part->subscript[k],
                      tns_sum_int (arena, -shape->first[k]));
}

/* Where subscripts K begin in SHAPE.  */
static long long
begin_of (tns_arena *arena, const tns_flat_access *access, int n,
          const tns_shape *shape, const parts *part, int k)
{
  bool is_exact, is_sure = true;
  long long first = LLONG_MAX;
  tns_expr *extent = tns_flat_extent (arena, shape, k, &is_exact);
  for (int a = 0; a < n; a++)
    {
      long long own;
      tns_sum subscript = part[a].subscript[k];
      is_sure &= is_inside (arena, &access[a], subscript, extent) == YES;
      tns_sum least = extreme (arena, &access[a], subscript, false);
      if (tns_sum_is_int (least, &own) && own < first)
        first = own;
    }
  return is_sure || first < 0 || first == LLONG_MAX ? 0 : first;
}

/* Some access has the same greatest value in dimension K as access A, and
   an iterator in a larger one.  */
static bool
is_shared (tns_arena *arena, const tns_flat_access *access, int n,
           const parts *part, int a, int k)
{
  tns_sum own = extreme (arena, &access[a], part[a].subscript[k], true);
  for (int b = 0; b < n; b++)
    {
      bool has_larger = false;
      for (int j = 0; j < k; j++)
        has_larger |= is_varying (part[b].subscript[j]);
      tns_sum other = extreme (arena, &access[b], part[b].subscript[k], true);
      if (has_larger && tns_sum_equal (own, other))
        return true;
    }
  return false;
}

/* Step 4 for dimension K.  */
static bool
dimension_holds (tns_arena *arena, const tns_flat_access *access, int n,
                 const tns_shape *shape, const parts *part, int k)
{
  bool is_exact;
  bool is_used = false, is_run_over = false, is_loaded = false;
  tns_expr *extent = tns_flat_extent (arena, shape, k, &is_exact);
  for (int a = 0; a < n; a++)
    {
      bool has_larger = false;
      for (int j = 0; j < k; j++)
        has_larger |= is_varying (part[a].subscript[j]);
      evidence inside = is_inside (arena, &access[a],
                                   counted (arena, shape, &part[a], k), extent);
      bool varies = is_varying (part[a].subscript[k]);
      bool loads = tns_flat_has_load (part[a].subscript[k]);
      is_used |= varies || shape->is_extra[k];
      is_run_over |= varies && inside == YES;
      is_loaded |= loads;
      if (inside == NO || (loads && !access[a].is_plain)
          || (inside == UNKNOWN && extent->op == TNS_INT && !loads)
          || (inside == UNKNOWN && !has_larger
              && !is_shared (arena, access, n, part, a, k)))
        return false;
    }
  return (is_used || extent->op != TNS_INT) && (is_run_over || !is_loaded);
}

/* The first dimension of SHAPE that does not hold, constants going DOWN or to
   the nearest; 0 when all do.  */
static int
first_fault_of (tns_arena *arena, const tns_flat_access *access, int n,
                tns_shape *shape, bool down)
{
  shape->is_down = down;
  parts *part = TNS_NEW_ARRAY (arena, parts, n);
  for (int a = 0; a < n; a++)
    tns_flat_subscripts (arena, shape, access[a].sum, part[a].subscript);
  for (int k = 1; k < shape->n; k++)
    shape->first[k]
      = shape->may_begin ? begin_of (arena, access, n, shape, part, k) : 0;
  for (int k = 1; k < shape->n; k++)
    if (!dimension_holds (arena, access, n, shape, part, k))
      return k;
  return 0;
}

/* The first dimension of SHAPE that does not hold, constants going the way in
   which that is the later one; 0 when all do.  */
static int
first_fault (tns_arena *arena, const tns_flat_access *access, int n,
             tns_shape *shape)
{
  int nearest = first_fault_of (arena, access, n, shape, false);
  if (!nearest)
    return 0;
  int down = first_fault_of (arena, access, n, shape, true);
  return down && down < nearest ? nearest : down;
}

/* SHAPE without its stride K.  */
static void
remove_stride (tns_shape *shape, int k)
{
  shape->n--;
  for (; k < shape->n; k++)
    {
      shape->stride[k] = shape->stride[k + 1];
      shape->is_extra[k] = shape->is_extra[k + 1];
    }
}

/* The stride to do without when dimension K does not hold: an offset's, or
   the constant multiple of the one below it; -1 for none.  */
static int
weakest (tns_arena *arena, const tns_shape *shape, int k)
{
  for (int j = 0; j < shape->n; j++)
    if (shape->is_extra[j])
      return j;
  bool is_exact;
  tns_expr *extent = tns_flat_extent (arena, shape, k, &is_exact);
  return extent->op == TNS_INT ? k - 1 : -1;
}

/* Find the strides of SHAPE, which has sizes.  */
static bool
find_shape (tns_arena *arena, const tns_flat_access *access, int n,
            tns_shape *shape)
{
  tns_term one = { 1, 0, NULL };
  if (!add_stride (arena, shape, one, false)
      || !collect_strides (arena, access, n, false, shape)
      || !collect_strides (arena, access, n, true, shape))
    return false;
  sort_strides (arena, access, n, shape);
  while (shape->n > 1)
    {
      int k = first_fault (arena, access, n, shape);
      if (!k)
        return neighbours_meet (arena, access, n, shape);
      int worst = weakest (arena, shape, k);
      if (worst < 0)
        return false;
      remove_stride (shape, worst);
    }
  return false;
}

/* The subscripts of ACCESS[0..N) under SHAPE of which it is not known whether
   they are inside.  */
static int
count_unknown (tns_arena *arena, const tns_flat_access *access, int n,
               const tns_shape *shape)
{
  int unknown = 0;
  parts *part = TNS_NEW_ARRAY (arena, parts, 1);
  for (int a = 0; a < n; a++)
    {
      tns_flat_subscripts (arena, shape, access[a].sum, part->subscript);
      for (int k = 1; k < shape->n; k++)
        {
          bool is_exact;
          tns_expr *extent = tns_flat_extent (arena, shape, k, &is_exact);
          tns_sum own = counted (arena, shape, part, k);
          unknown += is_inside (arena, &access[a], own, extent) != YES;
        }
    }
  return unknown;
}

/* Find the shape of ACCESS[0..N) with sizes that are sums, in *SHAPE.  */
static bool
find_sized (tns_arena *arena, const tns_flat_access *access, int n,
            tns_shape *shape)
{
  tns_flat_sizes (arena, access, n, shape);
  if (shape->n_sizes == 0)
    return false;
  tns_flat_access *sized = TNS_NEW_ARRAY (arena, tns_flat_access, n);
  for (int a = 0; a < n; a++)
    {
      sized[a] = access[a];
      sized[a].sum = tns_flat_sum (arena, shape, access[a].sum);
      sized[a].known = TNS_NEW_ARRAY (arena, tns_sum, access[a].n_known + 1);
      for (int k = 0; k < access[a].n_known; k++)
        sized[a].known[k] = tns_flat_sum (arena, shape, access[a].known[k]);
    }
  return find_shape (arena, sized, n, shape);
}

bool
tns_flat_shape (tns_ctx *ctx, const tns_flat_access *access, int n,
                bool may_begin, tns_shape *shape)
{
  tns_arena *arena = ctx->arena;
  tns_shape sized = { .may_begin = may_begin };
  *shape = sized;
  bool plain = find_shape (arena, access, n, shape);
  int unknown = plain ? count_unknown (arena, access, n, shape) : 0;
  if ((plain && unknown == 0) || !find_sized (arena, access, n, &sized)
      || (plain && count_unknown (arena, access, n, &sized) >= unknown))
    return plain;
  *shape = sized;
  return true;
}
