/* Rules of algebra, a function each, applied until none fits.

   A rule
     1. keeps the type and, in every type, the value: integers modulo their
        width; floats bit for bit, unless it asks for another fp;
     2. gives an expression of fewer nodes or cheaper operators, so that the
        rules end;
     3. evaluates nothing that was not evaluated before;
     4. looks at operands that no rule fits any more.

   Beyond fp(strict): x + 0 is x (which loses the sign of -0 + 0).
   Always: x * 1, x / 1, x - 0, x + -0 are x; float (double (x) op
   double (y)) is x op y for + - * / and sqrt, since double has more than
   twice the digits of float; a sum of constants is folded as it would be
   computed.  Functions of math.h are not folded.  */

#include "ir/rules.h"

#include <limits.h>
#include <math.h>

#include "ir/affine.h"
#include "ir/value.h"

/* A constant of type ELEM.  */
static tns_expr *
constant_of (tns_arena *arena, tns_elem elem, tns_scalar_value value)
{
  return tns_elem_is_float (elem) ? tns_real (arena, elem, value.f)
                                  : tns_int_of (arena, elem, value.s);
}

/* EXPR is a number.  */
static bool
is_constant (const tns_expr *expr)
{
  return expr->op == TNS_INT || expr->op == TNS_REAL;
}

/* EXPR is the number VALUE, a zero with a plus.  */
static bool
is_number (const tns_expr *expr, int value)
{
  return (expr->op == TNS_INT && expr->integer == value)
         || (expr->op == TNS_REAL && expr->real == value
             && (value || !signbit (expr->real)));
}

/* EXPR's type is an integer's.  */
static bool
is_integer (const tns_expr *expr)
{
  return tns_elem_is_integer (expr->type.elem);
}

/* Numbers only: computed now.  */
static tns_expr *
fold (const tns_rules *rules, tns_expr *expr)
{
  char class = tns_op_class (expr->op);
  tns_scalar_value arg[3];
  tns_scalar_value result;
  bool is_cast = expr->op == TNS_CAST;
  if (expr->n_args < 1 || expr->n_args > 3 || expr->type.lanes != 1
      || expr->op == TNS_FMA
      || (!is_cast && class != 'A' && class != 'C' && class != 'B'))
    return NULL;
  for (int k = 0; k < expr->n_args; k++)
    {
      if (!is_constant (expr->arg[k]))
        return NULL;
      arg[k] = tns_value_of_number (expr->arg[k]);
    }
  tns_elem from = expr->arg[0]->type.elem;
  if (is_cast)
    result = tns_value_cast (expr->type.elem, from, arg[0]);
  else if (!tns_value_apply (expr->op, from, arg, &result))
    return NULL;
  return constant_of (rules->ctx->arena, expr->type.elem, result);
}

/* x + 0, x - 0, x * 1, x / 1 and their like; where a fault is planted
   x - 1.  */
static tns_expr *
drop_neutral (const tns_rules *rules, tns_expr *expr)
{
  if (expr->n_args != 2 || tns_op_class (expr->op) != 'A')
    return NULL;
  tns_expr *a = expr->arg[0];
  tns_expr *b = expr->arg[1];
  bool may_drop_zero
    = is_integer (expr) || rules->ctx->wish.fp != TNS_FP_STRICT;
  bool b_is_minus_zero = b->op == TNS_REAL && b->real == 0 && signbit (b->real);
  switch (expr->op)
    {
    case TNS_ADD:
      if (b_is_minus_zero || (is_number (b, 0) && may_drop_zero))
        return a;
      return is_number (a, 0) && may_drop_zero ? b : NULL;
    case TNS_SUB:
      return is_number (b, tns_ctx_breaks (rules->ctx, "simplify")) ? a : NULL;
    case TNS_MUL:
      return is_number (b, 1) ? a : is_number (a, 1) ? b : NULL;
    case TNS_DIV:
    case TNS_FLOORDIV:
      return is_number (b, 1) ? a : NULL;
    case TNS_OR:
    case TNS_XOR:
      return is_number (b, 0) ? a : is_number (a, 0) ? b : NULL;
    case TNS_SHL:
    case TNS_SHR:
      return is_number (b, 0) ? a : NULL;
    default:
      return NULL;
    }
}

/* x * 0, x & 0 of integers; x - x, x ^ x, min (x, x), x & x.  */
static tns_expr *
drop_absorbed (const tns_rules *rules, tns_expr *expr)
{
  if (expr->n_args != 2 || tns_op_class (expr->op) != 'A' || !is_integer (expr)
      || expr->type.lanes != 1)
    return NULL;
  tns_expr *a = expr->arg[0];
  tns_expr *b = expr->arg[1];
  bool is_same = tns_expr_equal (a, b);
  tns_expr *zero = tns_int_of (rules->ctx->arena, expr->type.elem, 0);
  switch (expr->op)
    {
    case TNS_MUL:
      return is_number (a, 0) || is_number (b, 0) ? zero : NULL;
    case TNS_AND:
      if (is_number (a, 0) || is_number (b, 0))
        return zero;
      return is_same ? a : NULL;
    case TNS_SUB:
    case TNS_XOR:
      return is_same ? zero : NULL;
    case TNS_OR:
    case TNS_MIN:
    case TNS_MAX:
      return is_same ? a : NULL;
    default:
      return NULL;
    }
}

/* -(-x), ~(~x), !(!x).  */
static tns_expr *
drop_twice (const tns_rules *rules, tns_expr *expr)
{
  (void) rules;
  bool is_own_inverse
    = expr->op == TNS_NEG || expr->op == TNS_NOT || expr->op == TNS_LNOT;
  return is_own_inverse && expr->arg[0]->op == expr->op ? expr->arg[0]->arg[0]
                                                        : NULL;
}

/* a + -b and a - -b: exact in every type.  */
static tns_expr *
drop_sign (const tns_rules *rules, tns_expr *expr)
{
  if ((expr->op != TNS_ADD && expr->op != TNS_SUB)
      || expr->arg[1]->op != TNS_NEG)
    return NULL;
  tns_expr *arg[] = { expr->arg[0], expr->arg[1]->arg[0] };
  return tns_make (rules->ctx->arena, expr->op == TNS_ADD ? TNS_SUB : TNS_ADD,
                   expr->type, NULL, 2, arg);
}

/* The number of nodes of EXPR, up to a bound.  */
static int
size_of (const tns_expr *expr)
{
  int size = 1;
  for (int k = 0; k < expr->n_args && size < 1000; k++)
    size += size_of (expr->arg[k]);
  return size;
}

/* A sum of subscripts with its terms gathered, when that is smaller.  */
static tns_expr *
gather_terms (const tns_rules *rules, tns_expr *expr)
{
  bool is_sum = expr->op == TNS_ADD || expr->op == TNS_SUB
                || expr->op == TNS_NEG || expr->op == TNS_MUL;
  if (!is_sum || expr->type.elem != TNS_I64 || expr->type.lanes != 1
      || size_of (expr) > 100)
    return NULL;
  tns_arena *arena = rules->ctx->arena;
  tns_expr *made = tns_sum_expr (arena, tns_sum_of (arena, expr));
  return made && size_of (made) < size_of (expr) ? made : NULL;
}

/* A conversion that does nothing, undoes one, or makes one of two.  */
static tns_expr *
merge_casts (const tns_rules *rules, tns_expr *expr)
{
  if (expr->op != TNS_CAST)
    return NULL;
  if (tns_type_equal (expr->type, expr->arg[0]->type))
    return expr->arg[0];
  if (expr->arg[0]->op != TNS_CAST)
    return NULL;
  tns_expr *inner = expr->arg[0]->arg[0];
  tns_elem to = expr->type.elem;
  tns_elem by = expr->arg[0]->type.elem;
  tns_elem from = inner->type.elem;
  bool is_merged;
  if (tns_elem_is_float (by))
    is_merged
      = tns_elem_is_float (from) && by > from && (to == from || to > by);
  else if (to == TNS_BOOL || by == TNS_BOOL || tns_elem_is_float (from))
    is_merged = false;
  else
    {
      tns_range range = tns_range_of (rules->ranges, inner);
      bool is_whole = from != TNS_U64 || by == TNS_U64 || range.hi < LLONG_MAX;
      is_merged
        = is_whole && tns_range_within (range, tns_range_of_elem (by))
            ? by != TNS_U64 || from == TNS_BOOL || tns_elem_is_unsigned (from)
            : !tns_elem_is_float (to)
                && tns_elem_bytes (to) <= tns_elem_bytes (by);
    }
  return is_merged ? tns_cast (rules->ctx->arena, expr->type, inner) : NULL;
}

/* EXPR, of type F64, as the F32 expression that it is the widening of, or
   NULL.  */
static tns_expr *
narrowed (tns_arena *arena, tns_expr *expr)
{
  if (expr->op == TNS_CAST && expr->arg[0]->type.elem == TNS_F32)
    return expr->arg[0];
  if (expr->op == TNS_REAL && (long double) (float) expr->real == expr->real)
    return tns_real (arena, TNS_F32, expr->real);
  return NULL;
}

/* float (double (x) op double (y)) as x op y.  */
static tns_expr *
narrow_operation (const tns_rules *rules, tns_expr *expr)
{
  if (expr->op != TNS_CAST || expr->type.elem != TNS_F32
      || expr->arg[0]->type.elem != TNS_F64)
    return NULL;
  tns_expr *wide = expr->arg[0];
  bool is_exact
    = wide->op == TNS_ADD || wide->op == TNS_SUB || wide->op == TNS_MUL
      || wide->op == TNS_DIV || wide->op == TNS_SQRT || wide->op == TNS_NEG
      || wide->op == TNS_ABS || wide->op == TNS_MIN || wide->op == TNS_MAX;
  tns_expr *arg[2];
  for (int k = 0; k < wide->n_args && is_exact; k++)
    {
      arg[k] = narrowed (rules->ctx->arena, wide->arg[k]);
      is_exact = arg[k] != NULL;
    }
  return is_exact ? tns_make (rules->ctx->arena, wide->op, expr->type, NULL,
                              wide->n_args, arg)
                  : NULL;
}

/* The comparison that holds where OP does not; NONE for an order of
   floats, which NaNs break.  */
static tns_op
opposite (tns_op op, bool is_float)
{
  switch (op)
    {
    case TNS_EQ:
      return TNS_NE;
    case TNS_NE:
      return TNS_EQ;
    case TNS_LT:
      return is_float ? TNS_NONE : TNS_GE;
    case TNS_LE:
      return is_float ? TNS_NONE : TNS_GT;
    case TNS_GT:
      return is_float ? TNS_NONE : TNS_LE;
    case TNS_GE:
      return is_float ? TNS_NONE : TNS_LT;
    default:
      return TNS_NONE;
    }
}

/* !(a < b) as a >= b.  */
static tns_expr *
turn_comparison (const tns_rules *rules, tns_expr *expr)
{
  if (expr->op != TNS_LNOT || tns_op_class (expr->arg[0]->op) != 'C')
    return NULL;
  const tns_expr *inner = expr->arg[0];
  tns_op op
    = opposite (inner->op, tns_elem_is_float (inner->arg[0]->type.elem));
  return op == TNS_NONE
           ? NULL
           : tns_make (rules->ctx->arena, op, expr->type, NULL, 2, inner->arg);
}

/* i32 (b) != 0 as b, i32 (b) == 0 as !b.  */
static tns_expr *
unwrap_truth (const tns_rules *rules, tns_expr *expr)
{
  if ((expr->op != TNS_NE && expr->op != TNS_EQ) || expr->arg[0]->op != TNS_CAST
      || !is_number (expr->arg[1], 0))
    return NULL;
  tns_expr *truth = expr->arg[0]->arg[0];
  if (truth->type.elem != TNS_BOOL)
    return NULL;
  return expr->op == TNS_NE ? truth
                            : tns_unary (rules->ctx->arena, TNS_LNOT, truth);
}

/* Whether a comparison of A and B by OP is the same for all of their
   values, then its truth in *HOLDS.  */
static bool
is_decided (tns_op op, tns_range a, tns_range b, bool *holds)
{
  bool is_less = a.hi < b.lo;
  bool is_greater = a.lo > b.hi;
  bool is_equal = a.lo == a.hi && b.lo == b.hi && a.lo == b.lo;
  bool is_at_most = a.hi <= b.lo;
  bool is_at_least = a.lo >= b.hi;
  switch (op)
    {
    case TNS_LT:
      *holds = is_less;
      return is_less || is_at_least;
    case TNS_LE:
      *holds = is_at_most;
      return is_at_most || is_greater;
    case TNS_GT:
      *holds = is_greater;
      return is_greater || is_at_most;
    case TNS_GE:
      *holds = is_at_least;
      return is_at_least || is_less;
    case TNS_EQ:
      *holds = is_equal;
      return is_equal || is_less || is_greater;
    default:
      *holds = !is_equal;
      return is_equal || is_less || is_greater;
    }
}

/* A comparison of integers whose intervals do not meet.  */
static tns_expr *
decide (const tns_rules *rules, tns_expr *expr)
{
  if (tns_op_class (expr->op) != 'C' || expr->type.lanes != 1
      || !is_integer (expr->arg[0]))
    return NULL;
  bool holds;
  tns_range a = tns_range_of (rules->ranges, expr->arg[0]);
  tns_range b = tns_range_of (rules->ranges, expr->arg[1]);
  tns_range all = tns_range_of_elem (TNS_I64);
  bool is_bounded
    = a.lo < all.hi && b.lo < all.hi && a.hi > all.lo && b.hi > all.lo;
  if (!is_bounded || !is_decided (expr->op, a, b, &holds))
    return NULL;
  return tns_int_of (rules->ctx->arena, TNS_BOOL, holds);
}

/* a && 1, a || 0 and their like.  */
static tns_expr *
drop_truth (const tns_rules *rules, tns_expr *expr)
{
  (void) rules;
  if (expr->op != TNS_LAND && expr->op != TNS_LOR)
    return NULL;
  int neutral = expr->op == TNS_LAND;
  tns_expr *a = expr->arg[0];
  tns_expr *b = expr->arg[1];
  if (a->op == TNS_INT)
    return a->integer == neutral ? b : a;
  return is_number (b, neutral) || tns_expr_equal (a, b) ? a : NULL;
}

/* c ? a : b with a known C, or with A and B the same.  */
static tns_expr *
choose (const tns_rules *rules, tns_expr *expr)
{
  (void) rules;
  if (expr->op != TNS_SELECT)
    return NULL;
  tns_expr **arg = expr->arg;
  if (arg[0]->op == TNS_INT)
    return arg[arg[0]->integer ? 1 : 2];
  return tns_expr_equal (arg[1], arg[2]) ? arg[1] : NULL;
}

/* X is V, or V beyond BOUND no matter which side of it OP leaves: MIN (V, m)
   with m >= BOUND for a MAX with it, and the other way round.  */
static bool
is_bounded_by (tns_expr *x, tns_expr *v, tns_op op, long long bound)
{
  long long other;
  if (tns_expr_equal (x, v))
    return true;
  return x->op == (op == TNS_MAX ? TNS_MIN : TNS_MAX)
         && tns_expr_equal (x->arg[0], v) && tns_expr_is_int (x->arg[1], &other)
         && (op == TNS_MAX ? other >= bound : other <= bound);
}

/* v <= 255 ? u8 (v) : 255u8 as u8 (min (v, 255)), v >= 0 ? u8 (min (v, 255)) :
   0u8 as u8 (max (min (v, 255), 0)), of integers; so without a cast.  */
static tns_expr *
clamp (const tns_rules *rules, tns_expr *expr)
{
  long long bound;
  long long end;
  if (expr->op != TNS_SELECT || expr->type.lanes != 1 || !is_integer (expr))
    return NULL;
  const tns_expr *cond = expr->arg[0];
  tns_expr *x = expr->arg[1];
  bool is_less = cond->op == TNS_LE || cond->op == TNS_LT;
  bool is_more = cond->op == TNS_GE || cond->op == TNS_GT;
  if ((!is_less && !is_more) || !is_integer (cond->arg[0])
      || cond->arg[0]->type.elem == TNS_U64
      || !tns_expr_is_int (cond->arg[1], &bound)
      || !tns_expr_is_int (expr->arg[2], &end) || end != bound)
    return NULL;
  tns_expr *v = cond->arg[0];
  tns_op op = is_less ? TNS_MIN : TNS_MAX;
  x = x->op == TNS_CAST ? x->arg[0] : x;
  if (x->type.elem != v->type.elem || !is_bounded_by (x, v, op, bound))
    return NULL;
  tns_expr *kept = tns_binary (rules->ctx->arena, op, x, cond->arg[1]);
  return expr->arg[1]->op == TNS_CAST
           ? tns_cast (rules->ctx->arena, expr->type, kept)
           : kept;
}

/* C OP U ? C : U, or, not C_FIRST, C OP U ? U : C: the lesser one of them or
   the larger one.  */
static tns_expr *
either_of (tns_arena *arena, tns_op op, tns_expr *c, tns_expr *u, bool c_first)
{
  bool is_least = (op == TNS_LT || op == TNS_LE) == c_first;
  return tns_binary (arena, is_least ? TNS_MIN : TNS_MAX, c_first ? u : c,
                     c_first ? c : u);
}

/* COND ? X : Y as a function of an extremum of what COND compares: the same
   number, also of NaNs and zeros; NULL where it is none.  */
static tns_expr *
extremum_of (tns_arena *arena, tns_expr *cond, tns_expr *x, tns_expr *y)
{
  tns_expr *c = cond->arg[0];
  tns_expr *u = cond->arg[1];
  if (tns_expr_equal (x, c) && tns_expr_equal (y, u))
    return either_of (arena, cond->op, c, u, true);
  if (tns_expr_equal (x, u) && tns_expr_equal (y, c))
    return either_of (arena, cond->op, c, u, false);
  if (x->op != y->op || x->n_args != 2 || tns_op_class (x->op) != 'A')
    return NULL;
  for (int k = 0; k < 2; k++)
    {
      tns_expr *made = tns_expr_equal (x->arg[k], y->arg[k])
                         ? extremum_of (arena, cond, x->arg[!k], y->arg[!k])
                         : NULL;
      if (made)
        return tns_binary (arena, x->op, k ? made : x->arg[0],
                           k ? x->arg[1] : made);
    }
  return NULL;
}

/* c < u ? c : u as min (u, c), and

     c < u ? c + 1 : u + 1              as  min (u, c) + 1
     c < u ? min (l, c) : min (l, u)    as  min (l, min (u, c))

   of any operations that both sides do with the same: without a branch, which
   would be guessed.  */
static tns_expr *
find_extremum (const tns_rules *rules, tns_expr *expr)
{
  if (expr->op != TNS_SELECT)
    return NULL;
  tns_expr *cond = expr->arg[0];
  bool is_strict = cond->op == TNS_LT || cond->op == TNS_GT;
  bool is_order = is_strict || cond->op == TNS_LE || cond->op == TNS_GE;
  if (!is_order || (!is_strict && !is_integer (cond->arg[0])))
    return NULL;
  return extremum_of (rules->ctx->arena, cond, expr->arg[1], expr->arg[2]);
}

/* min and max of subscripts whose intervals do not cross.  */
static tns_expr *
drop_extremum (const tns_rules *rules, tns_expr *expr)
{
  if ((expr->op != TNS_MIN && expr->op != TNS_MAX) || !is_integer (expr)
      || expr->type.lanes != 1)
    return NULL;
  tns_range a = tns_range_of (rules->ranges, expr->arg[0]);
  tns_range b = tns_range_of (rules->ranges, expr->arg[1]);
  bool a_is_less = a.hi <= b.lo;
  bool b_is_less = b.hi <= a.lo;
  if (!a_is_less && !b_is_less)
    return NULL;
  return expr->arg[a_is_less == (expr->op == TNS_MIN) ? 0 : 1];
}

/* An element that the compiler knows.  */
static tns_expr *
look_up (const tns_rules *rules, tns_expr *expr)
{
  (void) rules;
  return tns_expr_held (expr);
}

typedef tns_expr *(*rule) (const tns_rules *rules, tns_expr *expr);

static const rule rules_in_order[] = { fold,          drop_neutral,
                                       drop_absorbed, drop_twice,
                                       drop_sign,     gather_terms,
                                       merge_casts,   narrow_operation,
                                       unwrap_truth,  turn_comparison,
                                       decide,        drop_truth,
                                       choose,        clamp,
                                       find_extremum, drop_extremum,
                                       look_up,       NULL };

tns_expr *
tns_rules_apply (const tns_rules *rules, tns_expr *expr)
{
  for (int k = 0; rules_in_order[k]; k++)
    {
      tns_expr *made = rules_in_order[k](rules, expr);
      if (made)
        {
          expr = made;
          k = -1;
        }
    }
  return expr;
}
