/* Integers of C as subscripts and bounds, which are I64.

   A value of C is computed in the type that C says:

     x[i * n + j]   int       x[cast.i64 (cast.i32 i * cast.i32 n + ...)]

   Signed overflow is undefined, so the casts inside may go:

     x[i * n + j]

   Unsigned arithmetic wraps.  In the offset of a pointer that is harmless
   for 64 bits, where addresses wrap as well; elsewhere the cast around an
   unsigned sum or product stays, and poly/scop.c proves that nothing wraps,
   or guards it.  A 32-bit product is never made where the user wrote a wider
   one.  */

#include "plugin/known.hh"

extern "C"
{
#include "ir/walk.h"
}

static const int max_pure_nodes = 200;

void
tns_note_sym (tns_reader *reader, const tns_sym *sym, tns_elem c_type)
{
  if (sym->id >= reader->by_sym_room)
    {
      int old = reader->by_sym_room;
      int room = 2 * (sym->id + 8);
      tns_arena *arena = reader->arena;
      reader->c_type = (tns_elem *) tns_arena_grow (arena, reader->c_type,
                                                    sizeof (tns_elem) * old,
                                                    sizeof (tns_elem) * room);
      reader->load = (tree *) tns_arena_grow (
        arena, reader->load, sizeof (tree) * old, sizeof (tree) * room);
      reader->load_when = (tree *) tns_arena_grow (
        arena, reader->load_when, sizeof (tree) * old, sizeof (tree) * room);
      reader->range = (tns_range *) tns_arena_grow (arena, reader->range,
                                                    sizeof (tns_range) * old,
                                                    sizeof (tns_range) * room);
      reader->by_sym_room = room;
    }
  reader->c_type[sym->id] = c_type;
}

/* The number of nodes of EXPR, 0 when it reads memory, other than constants
   where it may read these.  */
static int
count_pure (const tns_expr *expr, bool may_look_up)
{
  bool looks_up = may_look_up && expr->op == TNS_LOAD && expr->sym->held;
  if ((tns_expr_reads (expr) && !looks_up) || tns_op_class (expr->op) == 'M')
    return 0;
  int n = 1;
  for (int k = 0; k < expr->n_args; k++)
    {
      int more = count_pure (expr->arg[k], may_look_up);
      if (!more || n > max_pure_nodes)
        return 0;
      n += more;
    }
  return n;
}

bool
tns_is_pure (const tns_expr *expr)
{
  int n = expr ? count_pure (expr, false) : 0;
  return n > 0 && n <= max_pure_nodes;
}

bool
tns_is_settled (const tns_expr *expr)
{
  int n = expr ? count_pure (expr, true) : 0;
  return n > 0 && n <= max_pure_nodes;
}

/* Every value of FROM is a value of TO.  */
static bool
is_widening (tns_elem from, tns_elem to)
{
  if (from == TNS_BOOL || from == to)
    return true;
  int bits_from = 8 * tns_elem_bytes (from);
  int bits_to = 8 * tns_elem_bytes (to);
  if (tns_elem_is_unsigned (from))
    return tns_elem_is_unsigned (to) ? bits_from <= bits_to
                                     : bits_from < bits_to;
  return !tns_elem_is_unsigned (to) && bits_from <= bits_to;
}

/* The lower bound of a sum or product from those of its operands.  */
static bool
lower_of_pair (tns_op op, long long a, long long b, long long *bound)
{
  switch (op)
    {
    case TNS_ADD:
      return !__builtin_add_overflow (a, b, bound);
    case TNS_MUL:
      return a >= 0 && b >= 0 && !__builtin_mul_overflow (a, b, bound);
    case TNS_MIN:
      *bound = a < b ? a : b;
      return true;
    case TNS_MAX:
      *bound = a > b ? a : b;
      return true;
    case TNS_DIV:
    case TNS_FLOORDIV:
      *bound = 0;
      return a >= 0 && b >= 0;
    case TNS_REM:
      *bound = 0;
      return a >= 0;
    default:
      return false;
    }
}

bool
tns_lower_bound (const tns_reader *reader, const tns_expr *expr,
                 long long *bound)
{
  long long a, b;
  switch (expr->op)
    {
    case TNS_INT:
      *bound = expr->integer;
      return true;
    case TNS_SYM:
      *bound = reader->range[expr->sym->id].lower;
      return reader->range[expr->sym->id].has_lower;
    case TNS_CAST:
      return tns_elem_is_integer (expr->arg[0]->type.elem)
             && tns_elem_bytes (expr->type.elem)
                  >= tns_elem_bytes (expr->arg[0]->type.elem)
             && tns_lower_bound (reader, expr->arg[0], bound) && *bound >= 0;
    case TNS_MOD:
      *bound = 0;
      return true;
    case TNS_SUB:
      return tns_expr_is_int (expr->arg[1], &b)
             && tns_lower_bound (reader, expr->arg[0], &a)
             && !__builtin_sub_overflow (a, b, bound);
    case TNS_SHL:
      return !tns_elem_is_unsigned (expr->type.elem) && !flag_wrapv
             && tns_lower_bound (reader, expr->arg[0], bound) && *bound >= 0;
    default:
      return expr->n_args == 2 && tns_lower_bound (reader, expr->arg[0], &a)
             && tns_lower_bound (reader, expr->arg[1], &b)
             && lower_of_pair (expr->op, a, b, bound);
    }
}

bool
tns_is_non_negative (const tns_reader *reader, const tns_expr *expr)
{
  long long bound;
  return tns_lower_bound (reader, expr, &bound) && bound >= 0;
}

/* The greatest value of EXPR, a sum of products that are not negative, over
   VALUEs, as a floating number that cannot wrap; NULL when unknown.  */
static tns_expr *
upper_bound (tns_reader *reader, tns_expr *expr)
{
  tns_arena *arena = reader->arena;
  switch (expr->op)
    {
    case TNS_INT:
      return tns_real (arena, TNS_F64, expr->integer);
    case TNS_SYM:
      if (expr->sym->kind == TNS_SYM_VALUE)
        return tns_cast (arena, tns_scalar (TNS_F64), expr);
      expr = reader->range[expr->sym->id].upper;
      return expr ? upper_bound (reader, expr) : NULL;
    case TNS_ADD:
    case TNS_MIN:
    case TNS_MAX:
      break;
    case TNS_MUL:
      if (!tns_is_non_negative (reader, expr->arg[0])
          || !tns_is_non_negative (reader, expr->arg[1]))
        return NULL;
      break;
    default:
      return NULL;
    }
  tns_expr *a = upper_bound (reader, expr->arg[0]);
  tns_expr *b = a ? upper_bound (reader, expr->arg[1]) : NULL;
  return tns_binary (arena, expr->op, a, b);
}

/* RING: only the value modulo 2^64 matters.  */
static tns_expr *widened (tns_reader *reader, tns_expr *expr, bool ring);

/* EXPR is I64 (CAST (INNER)) in a form that poly/scop.c must prove.  */
static tns_expr *
opaque (tns_reader *reader, tns_expr *expr)
{
  return tns_cast (reader->arena, tns_scalar (TNS_I64), expr);
}

/* Stops at an iterator.  */
static bool
find_iter (tns_expr *expr, void *found)
{
  if (expr->op == TNS_SYM && expr->sym->kind == TNS_SYM_ITER)
    *(bool *) found = true;
  return true;
}

bool
tns_is_over_values (tns_expr *expr)
{
  bool found = false;
  tns_expr_walk (expr, find_iter, &found);
  return !found && tns_is_pure (expr);
}

/* No guard will do: the value itself counts, and guards are not asked.  */
static bool
is_strict (const tns_reader *reader)
{
  return reader->strict > 0 && reader->ctx->flags.unguarded;
}

/* EXPR is not negative: proved, or guarded where it is over VALUEs.  */
static bool
made_non_negative (tns_reader *reader, tns_expr *expr)
{
  if (tns_is_non_negative (reader, expr))
    return true;
  if (expr->op == TNS_INT || is_strict (reader) || !tns_is_over_values (expr))
    return false;
  if (expr->op == TNS_SYM)
    reader->range[expr->sym->id].has_lower = true;
  tns_expr *zero = tns_int (reader->arena, 0);
  tns_region_add_guard (reader->arena, reader->region,
                        tns_binary (reader->arena, TNS_GE, expr, zero));
  return true;
}

/* SUM, which is not negative, is at most what ELEM holds: a guard says so,
   where a guard can.  */
static bool
made_small (tns_reader *reader, tns_expr *sum, tns_elem elem)
{
  tns_arena *arena = reader->arena;
  long long k;
  bool is_lessened = sum->op == TNS_ADD && elem == TNS_U64
                     && tns_expr_is_int (sum->arg[1], &k) && k <= 0;
  if (sum->op == TNS_INT || is_lessened)
    return true;
  tns_expr *most = is_strict (reader) ? NULL : upper_bound (reader, sum);
  if (!most)
    return false;
  double limit = elem == TNS_U32 ? 4294967295.0 : 9.0e18;
  tns_region_add_guard (
    arena, reader->region,
    tns_binary (arena, TNS_LE, most, tns_real (arena, TNS_F64, limit)));
  return true;
}

/* ARG of the sum EXPR, of 32 unsigned bits: x + 4294967295 is x - 1.  */
static tns_expr *
lessened (tns_reader *reader, const tns_expr *expr, tns_expr *arg)
{
  long long k;
  if (expr->op != TNS_ADD || expr->type.elem != TNS_U32
      || !tns_expr_is_int (arg, &k) || k <= 0x7fffffff)
    return arg;
  return tns_int (reader->arena, k - 0x100000000LL);
}

/* An unsigned sum or product that does not wrap: proved, or guarded.  */
static tns_expr *
guarded_arithmetic (tns_reader *reader, tns_expr *expr)
{
  tns_expr *arg[2] = { NULL, NULL };
  if (expr->n_args != 2 || tns_elem_bytes (expr->type.elem) < 4)
    return NULL;
  for (int k = 0; k < 2; k++)
    {
      arg[k] = tns_as_index (reader, expr->arg[k]);
      if (!tns_is_pure (arg[k]))
        return NULL;
      arg[k] = lessened (reader, expr, arg[k]);
    }
  tns_expr *sum = tns_binary (reader->arena, expr->op, arg[0], arg[1]);
  if (!made_non_negative (reader, sum)
      || !made_small (reader, sum, expr->type.elem))
    return NULL;
  return sum;
}

/* A VALUE that C holds in 64 unsigned bits, as a signed number: a guard says
   that it is one.  */
static tns_expr *
signed_value (tns_reader *reader, tns_expr *value)
{
  tns_expr *zero = tns_int (reader->arena, 0);
  if (value->sym->kind == TNS_SYM_VALUE)
    tns_region_add_guard (reader->arena, reader->region,
                          tns_binary (reader->arena, TNS_GE, value, zero));
  return value;
}

tns_expr *
tns_exact (tns_reader *reader, tns_elem elem, tns_expr *value)
{
  tns_expr *cast = tns_cast (reader->arena, tns_scalar (elem), value);
  if (!cast || cast == value || cast->op != TNS_CAST)
    return cast;
  if (reader->n_exact == reader->exact_room)
    {
      int room = 2 * reader->exact_room + 16;
      reader->exact = (const tns_expr **) tns_arena_grow (
        reader->arena, reader->exact, sizeof (tns_expr *) * reader->exact_room,
        sizeof (tns_expr *) * room);
      reader->exact_room = room;
    }
  reader->exact[reader->n_exact++] = cast;
  return cast;
}

/* The operand of a cast, where the cast changes nothing.  */
static tns_expr *
widened_cast (tns_reader *reader, tns_expr *expr, bool ring)
{
  tns_expr *inner = expr->arg[0];
  tns_elem to = expr->type.elem;
  tns_elem from = inner->type.elem;
  if (!tns_elem_is_integer (from) && from != TNS_BOOL)
    return opaque (reader, expr);
  for (int k = 0; k < reader->n_exact; k++)
    if (reader->exact[k] == expr)
      return inner;
  if (inner->op == TNS_SYM && from == TNS_I64)
    {
      tns_elem c_type = reader->c_type[inner->sym->id];
      if (c_type == TNS_U64 && to == TNS_U64)
        return ring ? inner : signed_value (reader, inner);
      if (is_widening (c_type, to))
        return inner;
    }
  if (from == TNS_BOOL)
    return opaque (reader, inner);
  if (is_widening (from, to))
    return widened (reader, inner, ring && tns_elem_bytes (from) == 8);
  bool is_signed_to_unsigned = !tns_elem_is_unsigned (from)
                               && tns_elem_bytes (to) >= tns_elem_bytes (from);
  if (ring && to == TNS_U64 && is_signed_to_unsigned)
    return widened (reader, inner, tns_elem_bytes (from) == 8);
  if (to == TNS_I64 && from == TNS_U64
      && (ring || tns_op_class (inner->op) == 'A'))
    return widened (reader, inner, ring);
  if (is_signed_to_unsigned)
    {
      tns_expr *exact = widened (reader, inner, false);
      if (made_non_negative (reader, exact))
        return exact;
    }
  return opaque (reader, expr);
}

/* Both operands widened under OP.  */
static tns_expr *
widened_operator (tns_reader *reader, tns_op op, tns_expr *expr, bool ring)
{
  tns_expr *a = widened (reader, expr->arg[0], ring);
  if (expr->n_args == 1)
    return tns_unary (reader->arena, op, a);
  return tns_binary (reader->arena, op, a,
                     widened (reader, expr->arg[1], ring));
}

/* A sum or product in the arithmetic of its type.  */
static tns_expr *
widened_arithmetic (tns_reader *reader, tns_expr *expr, bool ring)
{
  tns_elem elem = expr->type.elem;
  bool is_wide = tns_elem_bytes (elem) == 8;
  if (ring && is_wide)
    return widened_operator (reader, expr->op, expr, true);
  if (!tns_elem_is_unsigned (elem) && !flag_wrapv)
    return widened_operator (reader, expr->op, expr, false);
  tns_expr *guarded
    = tns_elem_is_unsigned (elem) ? guarded_arithmetic (reader, expr) : NULL;
  return guarded ? guarded : opaque (reader, expr);
}

/* EXPR, A under K < 0: where K is a mask of the high bits, as in what becomes
   of (i / 4) * 4, a - a mod -k.  */
static tns_expr *
without_low_bits (tns_reader *reader, tns_expr *expr, tns_expr *a, long long k)
{
  tns_arena *arena = reader->arena;
  unsigned long long low = -(unsigned long long) k;
  if (expr->op != TNS_AND || (low & (low - 1)) != 0 || low >> 62)
    return opaque (reader, expr);
  tns_expr *by = tns_int (arena, (long long) low);
  return tns_binary (arena, TNS_MUL, tns_binary (arena, TNS_FLOORDIV, a, by),
                     by);
}

/* The operand of EXPR, a shift, division or mask by a constant, is exact as
   I64: what it computes may be computed there.  */
static tns_expr *
widened_by_constant (tns_reader *reader, tns_expr *expr)
{
  long long k;
  reader->strict++;
  tns_expr *a = widened (reader, expr->arg[0], false);
  reader->strict--;
  bool is_exact
    = !(a->op == TNS_CAST && tns_elem_is_unsigned (a->arg[0]->type.elem)
        && tns_elem_bytes (a->arg[0]->type.elem) == 8);
  if (!is_exact || !tns_expr_is_int (expr->arg[1], &k))
    return opaque (reader, expr);
  if (k < 0)
    return without_low_bits (reader, expr, a, k);
  bool is_unsigned = tns_elem_is_unsigned (expr->type.elem);
  tns_arena *arena = reader->arena;
  switch (expr->op)
    {
    case TNS_SHL:
      if (is_unsigned || flag_wrapv || k > 31)
        return opaque (reader, expr);
      return tns_binary (arena, TNS_MUL, a, tns_int (arena, 1LL << k));
    case TNS_SHR:
      if (k > 62)
        return opaque (reader, expr);
      return tns_binary (arena, TNS_FLOORDIV, a, tns_int (arena, 1LL << k));
    case TNS_AND:
      if ((k & (k + 1)) != 0 || k + 1 <= 0)
        return opaque (reader, expr);
      return tns_binary (arena, TNS_MOD, a, tns_int (arena, k + 1));
    default:
      if (k == 0)
        return opaque (reader, expr);
      return tns_binary (arena, expr->op, a, tns_int (arena, k));
    }
}

/* EXPR, an integer of any type, as I64.  */
static tns_expr *
widened (tns_reader *reader, tns_expr *expr, bool ring)
{
  bool is_signed = !tns_elem_is_unsigned (expr->type.elem);
  switch (expr->op)
    {
    case TNS_INT:
      if (expr->type.elem == TNS_U64 && expr->integer < 0 && !ring)
        return opaque (reader, expr);
      return tns_int (reader->arena, expr->integer);
    case TNS_CAST:
      return widened_cast (reader, expr, ring);
    case TNS_ADD:
    case TNS_SUB:
    case TNS_MUL:
    case TNS_NEG:
      return widened_arithmetic (reader, expr, ring);
    case TNS_DIV:
    case TNS_REM:
      if (is_signed && expr->arg[1]->op != TNS_INT)
        return widened_operator (reader, expr->op, expr, false);
      return widened_by_constant (reader, expr);
    case TNS_SHL:
    case TNS_SHR:
    case TNS_AND:
      return widened_by_constant (reader, expr);
    case TNS_MIN:
    case TNS_MAX:
      return is_signed ? widened_operator (reader, expr->op, expr, false)
                       : opaque (reader, expr);
    case TNS_SELECT:
      return is_signed ? tns_ternary (reader->arena, TNS_SELECT, expr->arg[0],
                                      widened (reader, expr->arg[1], false),
                                      widened (reader, expr->arg[2], false))
                       : opaque (reader, expr);
    default:
      return opaque (reader, expr);
    }
}

tns_expr *
tns_as_index (tns_reader *reader, tns_expr *expr)
{
  return expr ? widened (reader, expr, false) : NULL;
}

tns_expr *
tns_as_offset (tns_reader *reader, tns_expr *expr)
{
  return expr ? widened (reader, expr, true) : NULL;
}

tns_expr *
tns_plus (tns_reader *reader, tns_expr *expr, long long k)
{
  tns_arena *arena = reader->arena;
  long long c;
  if (!expr || k == 0)
    return expr;
  if ((expr->op == TNS_ADD || expr->op == TNS_SUB)
      && tns_expr_is_int (expr->arg[1], &c))
    {
      long long sum = (expr->op == TNS_ADD ? c : -c) + k;
      return tns_binary (arena, TNS_ADD, expr->arg[0], tns_int (arena, sum));
    }
  if (expr->op == TNS_ADD && tns_expr_is_int (expr->arg[0], &c))
    return tns_binary (arena, TNS_ADD, expr->arg[1], tns_int (arena, c + k));
  if (expr->op == TNS_MIN || expr->op == TNS_MAX)
    return tns_binary (arena, expr->op, tns_plus (reader, expr->arg[0], k),
                       tns_plus (reader, expr->arg[1], k));
  return tns_binary (arena, TNS_ADD, expr, tns_int (arena, k));
}

/* The product EXPR / FACTOR, where a constant of it has what its other
   operand lacks: x * 4 * 2 / 8; else NULL.  */
static tns_expr *
divided_product (tns_reader *reader, tns_expr *expr, const tns_expr *factor)
{
  tns_arena *arena = reader->arena;
  long long c, f;
  for (int k = 0; k < 2 && tns_expr_is_int (factor, &f) && f > 1; k++)
    if (tns_expr_is_int (expr->arg[k], &c))
      {
        long long both = gcd (c, f);
        if (both <= 1 || both == f)
          continue;
        tns_expr *rest
          = tns_divided (reader, expr->arg[1 - k], tns_int (arena, f / both));
        if (rest)
          return tns_binary (arena, TNS_MUL, rest, tns_int (arena, c / both));
      }
  return NULL;
}

/* EXPR / FACTOR, which is no product, where that is exact; else NULL.  */
static tns_expr *
divided_by_factor (tns_reader *reader, tns_expr *expr, const tns_expr *factor)
{
  tns_arena *arena = reader->arena;
  long long k, f;
  if (tns_expr_equal (expr, factor))
    return tns_int (arena, 1);
  if (tns_expr_is_int (expr, &k))
    {
      bool is_exact
        = k == 0 || (tns_expr_is_int (factor, &f) && f && k % f == 0);
      return is_exact ? tns_int (arena, k ? k / f : 0) : NULL;
    }
  if (expr->op == TNS_NEG)
    return tns_unary (arena, TNS_NEG,
                      divided_by_factor (reader, expr->arg[0], factor));
  if (expr->op != TNS_ADD && expr->op != TNS_SUB && expr->op != TNS_MUL)
    return NULL;
  tns_expr *a = divided_by_factor (reader, expr->arg[0], factor);
  if (expr->op == TNS_MUL && a)
    return tns_binary (arena, TNS_MUL, a, expr->arg[1]);
  tns_expr *b = divided_by_factor (reader, expr->arg[1], factor);
  if (expr->op == TNS_MUL)
    return b ? tns_binary (arena, TNS_MUL, expr->arg[0], b)
             : divided_product (reader, expr, factor);
  return tns_binary (arena, expr->op, a, b);
}

tns_expr *
tns_divided (tns_reader *reader, tns_expr *expr, const tns_expr *by)
{
  long long k;
  if (!expr || !by || (tns_expr_is_int (by, &k) && k == 1))
    return expr;
  if (by->op == TNS_MUL)
    return tns_divided (reader, tns_divided (reader, expr, by->arg[0]),
                        by->arg[1]);
  return divided_by_factor (reader, expr, by);
}

/* OFFSET, an integer tree, read and then divided.  */
static tns_expr *
offset_divided (tns_reader *reader, tree offset, HOST_WIDE_INT bytes)
{
  tns_expr *read = tns_as_offset (reader, tns_read_expr (reader, offset));
  return tns_divided (reader, read, tns_int (reader->arena, bytes));
}

/* A product of which one factor is a multiple of BYTES.  */
static tns_expr *
scaled_product (tns_reader *reader, tree offset, HOST_WIDE_INT bytes)
{
  for (int k = 1; k >= 0; k--)
    {
      tree factor = TREE_OPERAND (offset, k);
      if (TREE_CODE (factor) != INTEGER_CST || !tree_fits_shwi_p (factor)
          || tree_to_shwi (factor) % bytes)
        continue;
      tns_expr *other = tns_as_offset (
        reader, tns_read_expr (reader, TREE_OPERAND (offset, 1 - k)));
      tns_expr *times = tns_int (reader->arena, tree_to_shwi (factor) / bytes);
      return tns_binary (reader->arena, TNS_MUL, other, times);
    }
  return offset_divided (reader, offset, bytes);
}

/* A choice between two offsets.  */
static tns_expr *
scaled_choice (tns_reader *reader, tree offset, HOST_WIDE_INT bytes)
{
  tns_expr *cond = tns_read_cond (reader, TREE_OPERAND (offset, 0));
  if (!cond)
    return NULL;
  tns_begin_conditional (reader, cond);
  tns_expr *a = tns_scaled_offset (reader, TREE_OPERAND (offset, 1), bytes);
  tns_end_conditional (reader);
  tns_begin_conditional (reader, tns_unary (reader->arena, TNS_LNOT, cond));
  tns_expr *b
    = a ? tns_scaled_offset (reader, TREE_OPERAND (offset, 2), bytes) : NULL;
  tns_end_conditional (reader);
  return b ? tns_ternary (reader->arena, TNS_SELECT, cond, a, b) : NULL;
}

tns_expr *
tns_scaled_offset (tns_reader *reader, tree offset, HOST_WIDE_INT bytes)
{
  tns_arena *arena = reader->arena;
  tree type = TREE_TYPE (offset);
  bool is_wide = TYPE_PRECISION (type) == 64;
  switch (TREE_CODE (offset))
    {
    case INTEGER_CST:
      {
        HOST_WIDE_INT value = wi::to_wide (offset).to_shwi ();
        return value % bytes ? NULL : tns_int (arena, value / bytes);
      }
    case PLUS_EXPR:
    case MINUS_EXPR:
      if (!is_wide)
        break;
      return tns_binary (
        arena, TREE_CODE (offset) == PLUS_EXPR ? TNS_ADD : TNS_SUB,
        tns_scaled_offset (reader, TREE_OPERAND (offset, 0), bytes),
        tns_scaled_offset (reader, TREE_OPERAND (offset, 1), bytes));
    case NEGATE_EXPR:
      return tns_unary (
        arena, TNS_NEG,
        tns_scaled_offset (reader, TREE_OPERAND (offset, 0), bytes));
    case MULT_EXPR:
      return scaled_product (reader, offset, bytes);
    case COND_EXPR:
      return scaled_choice (reader, offset, bytes);
    case SAVE_EXPR:
    case NON_LVALUE_EXPR:
      return tns_scaled_offset (reader, TREE_OPERAND (offset, 0), bytes);
    CASE_CONVERT:
      if (is_wide && TYPE_PRECISION (TREE_TYPE (TREE_OPERAND (offset, 0))) == 64
          && INTEGRAL_TYPE_P (TREE_TYPE (TREE_OPERAND (offset, 0))))
        return tns_scaled_offset (reader, TREE_OPERAND (offset, 0), bytes);
      break;
    default:
      break;
    }
  return offset_divided (reader, offset, bytes);
}
