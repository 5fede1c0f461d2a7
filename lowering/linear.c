/* Sums of multiples, collected from I64 expressions.

   A sum is kept as a short list of terms; equal terms are merged by
   tns_expr_equal, so the cost is quadratic in a number that is below
   MAX_TERMS.  What overflows, or has more terms, is not known, and every
   question about it is answered with no.  */

#include "lowering/linear.h"

#include "ir/affine.h"
#include "ir/stride.h"
#include "ir/walk.h"

#define MAX_TERMS    16
#define MOST_CHOICES 6

/* constant + sum factor[k] * term[k].  */
typedef struct sum
{
  bool known;
  long long constant;
  int n;
  tns_expr *term[MAX_TERMS];
  long long factor[MAX_TERMS];
} sum;

/* *TO += A * B.  */
static bool
add_product (long long *to, long long a, long long b)
{
  long long product;
  return !__builtin_mul_overflow (a, b, &product)
         && !__builtin_add_overflow (*to, product, to);
}

/* Drop term K of S when nothing is left of it.  */
static void
drop_zero (sum *s, int k)
{
  if (s->factor[k])
    return;
  s->n--;
  s->term[k] = s->term[s->n];
  s->factor[k] = s->factor[s->n];
}

/* S += FACTOR * TERM, a term that is not taken apart.  */
static void
add_term (sum *s, tns_expr *term, long long factor)
{
  int k = 0;
  while (k < s->n && !tns_expr_equal (s->term[k], term))
    k++;
  if (k == MAX_TERMS)
    s->known = false;
  if (!s->known || !factor)
    return;
  if (k == s->n)
    {
      s->term[s->n++] = term;
      s->factor[k] = 0;
    }
  s->known = add_product (&s->factor[k], factor, 1);
  drop_zero (s, k);
}

/* S += FACTOR * EXPR.  */
static void
add_expr (sum *s, tns_expr *expr, long long factor)
{
  long long value;
  switch (expr->op)
    {
    case TNS_INT:
      s->known = s->known && add_product (&s->constant, factor, expr->integer);
      return;
    case TNS_ADD:
      add_expr (s, expr->arg[0], factor);
      add_expr (s, expr->arg[1], factor);
      return;
    case TNS_SUB:
      add_expr (s, expr->arg[0], factor);
      add_expr (s, expr->arg[1], -factor);
      return;
    case TNS_NEG:
      add_expr (s, expr->arg[0], -factor);
      return;
    case TNS_MUL:
      for (int k = 0; k < 2; k++)
        if (tns_expr_is_int (expr->arg[k], &value)
            && !__builtin_mul_overflow (value, factor, &value))
          {
            add_expr (s, expr->arg[1 - k], value);
            return;
          }
      break;
    default:
      break;
    }
  add_term (s, expr, factor);
}

/* A scalar I64 expression, the only kind that sums are made of.  */
static bool
is_index (const tns_expr *expr)
{
  return expr && expr->type.elem == TNS_I64 && expr->type.lanes == 1;
}

/* A - B.  */
static sum
difference (tns_expr *a, tns_expr *b)
{
  sum s = { 0 };
  s.known = is_index (a) && is_index (b);
  if (!s.known)
    return s;
  add_expr (&s, a, 1);
  add_expr (&s, b, -1);
  return s;
}

/* Products and conversions are among S's terms: there is more to say.  */
static bool
is_deep (const sum *s)
{
  for (int k = 0; k < s->n; k++)
    if (s->term[k]->op == TNS_MUL || s->term[k]->op == TNS_CAST
        || s->term[k]->op == TNS_SHL)
      return true;
  return false;
}

bool
tns_linear_distance (tns_arena *arena, tns_expr *a, tns_expr *b, long long *d)
{
  sum s = difference (a, b);
  *d = s.constant;
  if (!s.known || !is_deep (&s))
    return s.known && s.n == 0;
  tns_sum deep = tns_sum_add (arena, tns_sum_of (arena, a),
                              tns_sum_scale (arena, tns_sum_of (arena, b), -1));
  return deep.n >= 0 && tns_sum_is_int (deep, d);
}

/* The number of steps of STEP from 0 before DISTANCE is reached.  */
static long long
steps_to (long long distance, long long step)
{
  if (step < 0)
    {
      distance = -distance;
      step = -step;
    }
  return distance <= 0 ? 0 : (distance - 1) / step + 1;
}

bool
tns_loop_trip (tns_arena *arena, const tns_node *loop, long long *trip)
{
  if (!tns_linear_distance (arena, loop->hi, loop->lo, trip))
    return false;
  *trip = steps_to (*trip, loop->step);
  return true;
}

/* EXPR is the OP, MIN or MAX, of PART[0] and PART[1]; a sum with one such
   term is.  */
static bool
split (tns_arena *arena, tns_expr *expr, tns_op op, tns_expr **part)
{
  bool is_sum = expr->op == TNS_ADD;
  if (expr->op == op)
    {
      part[0] = expr->arg[0];
      part[1] = expr->arg[1];
      return true;
    }
  if (!is_sum && expr->op != TNS_SUB)
    return false;
  if (split (arena, expr->arg[0], op, part))
    for (int k = 0; k < 2; k++)
      part[k] = tns_binary (arena, expr->op, part[k], expr->arg[1]);
  else if (is_sum && split (arena, expr->arg[1], op, part))
    for (int k = 0; k < 2; k++)
      part[k] = tns_binary (arena, TNS_ADD, expr->arg[0], part[k]);
  else
    return false;
  return true;
}

/* An upper bound of HI - LO, where either may be a MIN or MAX.  */
static bool
distance_most (tns_arena *arena, tns_expr *hi, tns_expr *lo, long long *most)
{
  tns_expr *part[2];
  bool is_hi = split (arena, hi, TNS_MIN, part);
  if (!is_hi && !split (arena, lo, TNS_MAX, part))
    return tns_linear_distance (arena, hi, lo, most);
  bool found = false;
  for (int k = 0; k < 2; k++)
    {
      long long d;
      if (!(is_hi ? distance_most (arena, part[k], lo, &d)
                  : distance_most (arena, hi, part[k], &d)))
        continue;
      *most = found && *most < d ? *most : d;
      found = true;
    }
  return found;
}

bool
tns_loop_trip_most (tns_arena *arena, const tns_node *loop, long long *most)
{
  bool is_up = loop->step > 0;
  if (!distance_most (arena, is_up ? loop->hi : loop->lo,
                      is_up ? loop->lo : loop->hi, most))
    return false;
  *most = steps_to (*most, is_up ? loop->step : -loop->step);
  return true;
}

/* HI > ITER for the iterator of LOOP: LOOP's own bound is not above HI.  */
static bool
is_above_iter (tns_arena *arena, tns_expr *hi, tns_expr *lo,
               const tns_node *loop)
{
  long long stride, d;
  if (loop->step < 0 || !tns_expr_stride (arena, lo, loop->iter, &stride)
      || stride != 1)
    return false;
  tns_expr *parts[2] = { loop->hi, loop->hi };
  split (arena, loop->hi, TNS_MIN, parts);
  for (int k = 0; k < 2; k++)
    {
      sum s = difference (hi, lo);
      if (!s.known)
        return false;
      add_expr (&s, parts[k], -1);
      tns_expr iter
        = { .op = TNS_SYM, .type = loop->iter->type, .sym = loop->iter };
      add_expr (&s, &iter, 1);
      d = s.constant;
      if (s.known && s.n == 0 && d + 1 > 0)
        return true;
    }
  return false;
}

tns_cells
tns_cells_compare (tns_arena *arena, const tns_expr *a, const tns_expr *b)
{
  int rank = a->sym->rank;
  bool is_same = true;
  for (int k = 0; k < rank; k++)
    {
      long long d;
      bool is_last = k == rank - 1;
      if (!tns_linear_distance (arena, b->arg[k], a->arg[k], &d))
        is_same = false;
      else if (is_last ? d >= a->type.lanes || d <= -b->type.lanes : d != 0)
        return TNS_CELLS_APART;
      else if (d != 0)
        is_same = false;
    }
  if (a->type.lanes != b->type.lanes)
    return TNS_CELLS_UNKNOWN;
  return is_same ? TNS_CELLS_SAME : TNS_CELLS_UNKNOWN;
}

/* Of all that EXPR, OPs of OPs, chooses from, the one with number *WHICH, which
   is less by those that are not; NULL where they are fewer.  */
static tns_expr *
choice_of (tns_arena *arena, tns_expr *expr, tns_op op, int *which)
{
  tns_expr *part[2];
  if (!split (arena, expr, op, part))
    return (*which)-- == 0 ? expr : NULL;
  tns_expr *found = choice_of (arena, part[0], op, which);
  return found ? found : choice_of (arena, part[1], op, which);
}

/* The bound of LOOP's iterator, the least value when LEAST, else the greatest,
   the one with number WHICH; NULL when there is none.  */
static tns_expr *
bound_of (tns_arena *arena, const tns_node *loop, bool least, int which)
{
  bool is_first = (loop->step > 0) == least;
  tns_expr *bound = is_first ? loop->lo : loop->hi;
  if (tns_expr_loads (bound))
    return NULL;
  bound = choice_of (arena, bound, least ? TNS_MAX : TNS_MIN, &which);
  return is_first || !bound ? bound
                            : tns_binary (arena, TNS_SUB, bound,
                                          tns_int (arena, least ? -1 : 1));
}

/* S as an expression.  */
static tns_expr *
expr_of (tns_arena *arena, const sum *s)
{
  tns_expr *made = tns_int (arena, s->constant);
  for (int k = 0; k < s->n; k++)
    made = tns_binary (
      arena, TNS_ADD, made,
      tns_binary (arena, TNS_MUL, s->term[k], tns_int (arena, s->factor[k])));
  return made;
}

/* EXPR, or what it is not below: e, less n - 1 where that counts, for
   floordiv (e, n) * n.  */
static tns_expr *
without_quotients (tns_arena *arena, tns_expr *expr)
{
  long long by;
  sum s = { .known = is_index (expr) };
  if (s.known)
    add_expr (&s, expr, 1);
  for (int k = 0; s.known && k < s.n; k++)
    {
      tns_expr *term = s.term[k];
      long long factor = s.factor[k];
      if (term->op != TNS_FLOORDIV || !tns_expr_is_int (term->arg[1], &by)
          || by <= 0 || factor % by)
        continue;
      long long times = factor / by;
      s.factor[k] = 0;
      drop_zero (&s, k);
      add_expr (&s, term->arg[0], times);
      if (times > 0)
        s.known = s.known && add_product (&s.constant, times, 1 - by);
      k = -1;
    }
  return s.known ? expr_of (arena, &s) : expr;
}

/* EXPR is LEAST or more in all iterations of LOOP[0..N), from the outside
   in.  */
static bool
is_at_least (tns_arena *arena, tns_expr *expr, long long least, int n,
             tns_node *const *loop)
{
  long long number;
  expr = without_quotients (arena, expr);
  while (n > 0 && !tns_expr_mentions (expr, loop[n - 1]->iter))
    n--;
  if (n == 0)
    return tns_linear_distance (arena, expr, tns_int (arena, 0), &number)
           && number >= least;
  tns_sym *iter = loop[n - 1]->iter;
  if (!tns_expr_stride (arena, expr, iter, &number))
    return false;
  bool found = false;
  tns_expr *bound = expr;
  for (int which = 0; which < MOST_CHOICES && bound && !found; which++)
    {
      bound = bound_of (arena, loop[n - 1], number > 0, which);
      found = bound
              && is_at_least (
                arena, tns_expr_substitute (arena, expr, 1, &iter, &bound),
                least, n - 1, loop);
    }
  return found;
}

/* D > 0 inside AROUND[0..n), as LOOP, one of these, runs: D is not less than
   the distance of its bounds.  */
static bool
is_distance (tns_arena *arena, tns_expr *d, const tns_node *loop, int n,
             tns_node *const *around)
{
  tns_expr *part[2] = { loop->hi, NULL };
  if (loop->step < 0 || tns_expr_loads (loop->lo) || tns_expr_loads (loop->hi))
    return false;
  split (arena, loop->hi, TNS_MIN, part);
  bool found = false;
  for (int k = 0; k < 2 && part[k] && !found; k++)
    {
      tns_expr *length = tns_binary (arena, TNS_SUB, part[k], loop->lo);
      length = tns_binary (arena, TNS_SUB, d, length);
      found = is_at_least (arena, length, 0, n, around);
    }
  return found;
}

/* HI > LO inside AROUND[0..n).  */
static bool
is_above (tns_arena *arena, tns_expr *hi, tns_expr *lo, int n,
          tns_node *const *around)
{
  long long d;
  tns_expr *part[2];
  if (split (arena, hi, TNS_MIN, part))
    return is_above (arena, part[0], lo, n, around)
           && is_above (arena, part[1], lo, n, around);
  if (split (arena, lo, TNS_MAX, part))
    return is_above (arena, hi, part[0], n, around)
           && is_above (arena, hi, part[1], n, around);
  if (tns_linear_distance (arena, hi, lo, &d))
    return d > 0;
  for (int k = 0; k < n; k++)
    if (is_above_iter (arena, hi, lo, around[k]))
      return true;
  if (!is_index (hi) || !is_index (lo))
    return false;
  tns_expr *distance = tns_binary (arena, TNS_SUB, hi, lo);
  bool found = is_at_least (arena, distance, 1, n, around);
  for (int k = 0; k < n && !found; k++)
    found = is_distance (arena, distance, around[k], n, around);
  return found;
}

bool
tns_linear_above (tns_arena *arena, tns_expr *a, tns_expr *b, int n,
                  tns_node *const *around)
{
  return is_above (arena, a, b, n, around);
}

bool
tns_loop_runs (tns_arena *arena, const tns_node *loop, int n,
               tns_node *const *around)
{
  return loop->step > 0 && is_above (arena, loop->hi, loop->lo, n, around);
}

/* In subscript K, B's element is in front of or behind A's in all iterations
   of LOOP[0..N).  */
static bool
is_beyond (tns_arena *arena, const tns_expr *a, const tns_expr *b, int k, int n,
           tns_node *const *loop)
{
  bool is_last = k == a->sym->rank - 1;
  tns_expr *from = tns_binary (arena, TNS_SUB, b->arg[k], a->arg[k]);
  tns_expr *to = tns_binary (arena, TNS_SUB, a->arg[k], b->arg[k]);
  return is_at_least (arena, from, is_last ? a->type.lanes : 1, n, loop)
         || is_at_least (arena, to, is_last ? b->type.lanes : 1, n, loop);
}

bool
tns_cells_beyond (tns_arena *arena, const tns_expr *a, const tns_expr *b, int n,
                  tns_node *const *loop)
{
  for (int k = 0; k < a->sym->rank; k++)
    if (is_beyond (arena, a, b, k, n, loop))
      return true;
  return false;
}

/* An iterator of LOOP[0..N) moves both A and B.  */
static bool
have_iterator (const tns_expr *a, const tns_expr *b, int n,
               tns_node *const *loop)
{
  for (int l = 0; l < n; l++)
    if (tns_expr_mentions ((tns_expr *) a, loop[l]->iter)
        && tns_expr_mentions ((tns_expr *) b, loop[l]->iter))
      return true;
  return false;
}

bool
tns_cells_never_meet (tns_arena *arena, const tns_expr *a, const tns_expr *b,
                      int n, tns_node *const *loop)
{
  for (int k = 0; k < a->sym->rank; k++)
    if (!have_iterator (a->arg[k], b->arg[k], n, loop)
        && is_beyond (arena, a, b, k, n, loop))
      return true;
  return false;
}
