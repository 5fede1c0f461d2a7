/* Variables that each iteration of a loop doubles or halves.

     for (h = 1; h < n; h *= 2)        for t = 0 to 64 - clz (n - 1)
       x[h] = ...                 ->     x[1 << t] = ...
     for (h = n / 2; h > 0; h /= 2)    for t = 0 to 64 - clz (n / 2)
                                         h is n / 2 >> t

   as in butterflies, trees of sums and wavelets.  In functions that are
   differentiated: elsewhere the loops inside, whose bounds are then known when
   they begin, are regions of their own, which plan better.  */

#include "plugin/doubling.hh"

extern "C"
{
#include "ir/walk.h"
}

enum
{
  BITS = 64
};

/* EXPR is SYM.  */
static bool
is_sym (const tns_expr *expr, const tns_sym *sym)
{
  return expr->op == TNS_SYM && expr->sym == sym;
}

int
tns_shift_of (const tns_expr *end, const tns_sym *sym)
{
  long long k;
  if (end->n_args != 2 || !is_sym (end->arg[0], sym)
      || !tns_expr_is_int (end->arg[1], &k))
    return end->op == TNS_ADD && is_sym (end->arg[0], sym)
           && is_sym (end->arg[1], sym);
  switch (end->op)
    {
    case TNS_MUL:
      return k == 2;
    case TNS_SHL:
      return k == 1;
    case TNS_DIV:
    case TNS_FLOORDIV:
      return -(k == 2);
    case TNS_SHR:
      return -(k == 1);
    default:
      return 0;
    }
}

tns_expr *
tns_shifted (tns_reader *reader, const tns_counter *counter, tns_expr *times)
{
  tns_arena *arena = reader->arena;
  if (counter->shift > 0)
    return tns_binary (arena, TNS_SHL, counter->start, times);
  return tns_binary (
    arena, TNS_SHR, counter->start,
    tns_binary (arena, TNS_MIN, times, tns_int (arena, BITS - 1)));
}

/* How many bits VALUE, I64, has: none where it is less than 1.  */
static tns_expr *
count_bits (tns_reader *reader, tns_expr *value)
{
  tns_arena *arena = reader->arena;
  long long k;
  if (tns_expr_is_int (value, &k))
    return tns_int (arena, k < 1 ? 0 : BITS - __builtin_clzll (k));
  tns_expr *least = tns_binary (arena, TNS_MAX, value, tns_int (arena, 0));
  tns_expr *zeros
    = tns_unary (arena, TNS_CLZ, tns_cast (arena, tns_scalar (TNS_U64), least));
  return tns_binary (arena, TNS_SUB, tns_int (arena, BITS),
                     tns_cast (arena, tns_scalar (TNS_I64), zeros));
}

/* A / B, where both may be numbers; B is more than 0.  */
static tns_expr *
quotient (tns_reader *reader, tns_expr *a, tns_expr *b)
{
  tns_arena *arena = reader->arena;
  long long k, l;
  bool is_known = tns_expr_is_int (b, &l);
  if (is_known && l == 1)
    return a;
  if (is_known && tns_expr_is_int (a, &k) && k >= 0)
    return tns_int (arena, k / l);
  return tns_binary (arena, TNS_FLOORDIV, a, b);
}

tns_expr *
tns_times_shifted (tns_reader *reader, tns_counter *counter,
                   enum tree_code code, tns_expr *bound)
{
  long long least;
  bool is_closed = code == LE_EXPR || code == GE_EXPR;
  if (counter->shift > 0)
    {
      if ((code != LT_EXPR && !is_closed) || code == GE_EXPR)
        return NULL;
      tns_expr *last = tns_plus (reader, bound, is_closed - 1);
      return count_bits (reader, quotient (reader, last, counter->start));
    }
  bool is_zero = tns_expr_is_int (bound, &least) && least == 0;
  bool is_for_certain = counter->shift != TNS_HALVED_PERHAPS;
  if ((code != GT_EXPR && code != GE_EXPR
       && !(code == NE_EXPR && is_zero && is_for_certain))
      || !tns_lower_bound (reader, bound, &least) || least < is_closed)
    return NULL;
  counter->shift = -1;
  tns_expr *end = tns_plus (reader, bound, !is_closed);
  return count_bits (reader, quotient (reader, counter->start, end));
}
