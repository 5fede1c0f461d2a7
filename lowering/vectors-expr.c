/* Expressions with lanes.

     x[i]          x[i]:f32x16                    unit stride
     x[k]          splat (x[k])                   the same in all lanes
     x[2*i]        gather (x, 2 * iota (i))       other strides; small ones
                                                  cost little
     i             iota (i)
     (float) u[i]  f32x16 (u[i]:u8x16)            as many lanes
     c ? a : b     c ? a : b, lane by lane; what b reads is read under !c

   Both operands of a choice are evaluated, so what could fault in them is
   taken under the mask of the lanes that choose it: reads of memory, unless
   the same element is read in any case, and integer divisors, which are 1
   in the other lanes.  Divisors that VALUEs give are the same everywhere: a
   guard says that they are more than 0, and such quotients are no different
   from sums.

   Refused: long double, truth values in memory, functions of math.h that
   have no vector form (any of the library's under fp(strict)), counts of bits
   where scalars do as well.  */

#include "lowering/lanes.h"

#include "ir/flat.h"
#include "ir/range.h"
#include "ir/stride.h"
#include "ir/walk.h"
#include "lowering/libmvec.h"
#include "lowering/linear.h"
#include "lowering/quotient.h"
#include "schedule/machine.h"

/* Lanes this far apart are near; whole vectors are picked from up to
   MOST_PICKED (lowering/generic-stride.cc).  */
#define MOST_NEAR   16
#define MOST_PICKED 8

/* Divisors up to here have rests that are small numbers; numbers beyond FAR do
   not come near 0 by a few steps of that size.  */
#define MOST_DIVISOR (1 << 24)
#define FAR          (1LL << 30)

/* A search in an expression for what differs between lanes.  */
typedef struct difference
{
  const tns_lanes *lanes;
  bool found;
} difference;

/* Note whether EXPR itself differs between lanes.  */
static bool
note_difference (tns_expr *expr, void *self)
{
  difference *s = self;
  if (expr->sym
      && (expr->sym == s->lanes->iter || tns_lanes_cell (s->lanes, expr->sym)))
    s->found = true;
  return !s->found;
}

bool
tns_lanes_differ (const tns_lanes *lanes, tns_expr *expr)
{
  difference s = { lanes, false };
  tns_expr_walk (expr, note_difference, &s);
  return s.found;
}

/* The loop gets no lanes; some vector of EXPR's type.  */
static tns_expr *
refuse (tns_lanes *lanes, const tns_expr *expr)
{
  lanes->refused = true;
  return tns_lanes_splat (lanes, tns_int_of (lanes->arena, expr->type.elem, 0));
}

/* The vector type for values of ELEM.  */
static tns_type
wide (const tns_lanes *lanes, tns_elem elem)
{
  return tns_vector (elem, lanes->lanes);
}

tns_expr *
tns_lanes_splat (const tns_lanes *lanes, tns_expr *expr)
{
  return tns_make (lanes->arena, TNS_SPLAT, wide (lanes, expr->type.elem), NULL,
                   1, &expr);
}

tns_expr *
tns_lanes_both (const tns_lanes *lanes, tns_expr *a, tns_expr *b)
{
  if (!a || !b)
    return a ? a : b;
  return tns_binary (lanes->arena, TNS_LAND, a, b);
}

/* Note whether EXPR reads memory.  */
static bool
note_read (tns_expr *expr, void *self)
{
  bool *found = self;
  *found = *found || tns_expr_reads (expr);
  return !*found;
}

/* EXPR reads memory.  */
static bool
reads_memory (tns_expr *expr)
{
  bool found = false;
  tns_expr_walk (expr, note_read, &found);
  return found;
}

/* EXPR, an element, is read in any case.  */
static bool
is_safe (const tns_lanes *lanes, const tns_expr *expr)
{
  if (!lanes->within || expr->n_args == 0)
    return true;
  for (int k = 0; k < lanes->n_safe; k++)
    if (tns_expr_equal (lanes->safe[k], expr))
      return true;
  return false;
}

void
tns_lanes_note_safe (tns_lanes *lanes, tns_expr *expr)
{
  size_t n = (size_t) lanes->n_safe, one = sizeof (tns_expr *);
  if (lanes->within)
    return;
  for (int k = 0; k < expr->n_args; k++)
    if (reads_memory (expr->arg[k]))
      return;
  lanes->safe
    = tns_arena_grow (lanes->arena, lanes->safe, n * one, (n + 1) * one);
  lanes->safe[lanes->n_safe++] = expr;
}

/* A search for what could fault.  */
typedef struct hazard
{
  const tns_lanes *lanes;
  bool found;
} hazard;

/* EXPR is an integer division whose divisor is not a constant.  */
static bool
is_division (const tns_expr *expr)
{
  long long divisor;
  switch (expr->op)
    {
    case TNS_DIV:
    case TNS_REM:
    case TNS_FLOORDIV:
    case TNS_MOD:
      return !tns_elem_is_float (expr->type.elem)
             && !tns_expr_is_int (expr->arg[1], &divisor);
    default:
      return false;
    }
}

/* Note whether EXPR itself is such a division.  */
static bool
note_division (tns_expr *expr, void *self)
{
  bool *found = self;
  *found = *found || is_division (expr);
  return !*found;
}

/* DIVISOR is made of VALUEs: then a guard says that it is more than 0.  */
static bool
is_guarded (const tns_lanes *lanes, tns_expr *divisor)
{
  bool divides = false;
  tns_expr_walk (divisor, note_division, &divides);
  if (lanes->ctx->flags.alone || divides || !tns_is_over_values (divisor))
    return false;
  tns_expr *one = tns_int_of (lanes->arena, divisor->type.elem, 1);
  tns_region_add_guard (lanes->arena, lanes->region,
                        tns_binary (lanes->arena, TNS_LE, one, divisor));
  return true;
}

/* Note whether EXPR itself could fault.  */
static bool
note_hazard (tns_expr *expr, void *self)
{
  hazard *s = self;
  if ((is_division (expr) && !is_guarded (s->lanes, expr->arg[1]))
      || (tns_expr_reads (expr) && !is_safe (s->lanes, expr)))
    s->found = true;
  return !s->found;
}

/* EXPR could fault where it is not evaluated in the scalar code.  */
static bool
is_hazard (const tns_lanes *lanes, tns_expr *expr)
{
  hazard s = { lanes, false };
  if (lanes->within && !lanes->some)
    tns_expr_walk (expr, note_hazard, &s);
  return s.found;
}

/* EXPR, a LOAD, lane by lane or as one, from ARG on; under the mask where
   needed.  */
static tns_expr *
read_lanes (tns_lanes *lanes, tns_expr *expr, tns_op op, tns_expr **arg)
{
  int n = expr->n_args;
  tns_type type = wide (lanes, expr->type.elem);
  tns_expr *mask = is_safe (lanes, expr) ? lanes->tail : lanes->mask;
  tns_lanes_note_safe (lanes, expr);
  if (!mask)
    return tns_make (lanes->arena, op, type, expr->sym, n, arg);
  if (op == TNS_LOAD && !tns_lanes_may_mask (lanes, expr->type.elem))
    return refuse (lanes, expr);
  lanes->left += lanes->within && tns_elem_bytes (expr->type.elem) < 4;
  tns_expr **more = TNS_NEW_ARRAY (lanes->arena, tns_expr *, n + 1);
  for (int k = 0; k < n; k++)
    more[k] = arg[k];
  more[n] = mask;
  return tns_make (lanes->arena, op == TNS_LOAD ? TNS_MASKED : op, type,
                   expr->sym, n + 1, more);
}

/* The distance in elements between the lanes of EXPR, a LOAD, where it is a
   small constant, else 0.  */
static int
near_distance (const tns_lanes *lanes, tns_expr *expr)
{
  long long distance = 0;
  for (int k = 0; k < expr->n_args; k++)
    if (tns_lanes_differ (lanes, expr->arg[k]) && reads_memory (expr->arg[k]))
      return 0;
  bool is_near
    = tns_access_distance (lanes->arena, expr, lanes->iter, &distance)
      && distance >= -MOST_NEAR && distance <= MOST_NEAR;
  return is_near ? (int) distance : 0;
}

/* EXPR, I64, in 32 bits; NULL where some part of it may not fit, is more than
   arithmetic on the iterator and constants, or a MOD, which has a form of its
   own.  */
static tns_expr *
in_half (const tns_lanes *lanes, const tns_ranges *ranges, tns_expr *expr)
{
  tns_arena *arena = lanes->arena;
  tns_expr *arg[2];
  tns_type half = tns_scalar (TNS_I32);
  if (!tns_type_equal (expr->type, tns_scalar (TNS_I64))
      || !tns_range_within (tns_range_of (ranges, expr),
                            tns_range_of_elem (TNS_I32)))
    return NULL;
  if (expr->op == TNS_INT || expr->op == TNS_SYM)
    return tns_cast (arena, half, expr);
  if (tns_op_class (expr->op) != 'A' || expr->n_args != 2
      || expr->op == TNS_MOD)
    return NULL;
  for (int k = 0; k < 2; k++)
    if (!(arg[k] = in_half (lanes, ranges, expr->arg[k])))
      return NULL;
  return tns_make (arena, expr->op, half, NULL, 2, arg);
}

/* EXPR, an integer, in 32 bits where it is arithmetic on the iterator that fits
   into these: vectors hold twice as many, and have instructions for these.  */
static tns_expr *
in_few_bytes (const tns_lanes *lanes, tns_expr *expr)
{
  tns_ranges ranges = tns_ranges_of (lanes->arena, lanes->region);
  tns_expr *half = in_half (lanes, &ranges, expr);
  return half ? half : expr;
}

/* Subscript EXPR, which differs between the lanes.  */
static tns_expr *
subscript_lanes (tns_lanes *lanes, tns_expr *expr)
{
  long long stride;
  if (tns_expr_stride (lanes->arena, expr, lanes->iter, &stride))
    return tns_lanes_expr (lanes, expr);
  tns_expr *made = tns_lanes_expr (lanes, in_few_bytes (lanes, expr));
  return made->type.elem == TNS_I64
           ? made
           : tns_cast (lanes->arena, wide (lanes, TNS_I64), made);
}

/* EXPR, a LOAD, lane by lane.  Its subscripts become addresses.  */
static tns_expr *
gather (tns_lanes *lanes, tns_expr *expr)
{
  int n = expr->n_args;
  double work = lanes->work;
  tns_expr **arg = TNS_NEW_ARRAY (lanes->arena, tns_expr *, n);
  for (int k = 0; k < n; k++)
    arg[k] = tns_lanes_differ (lanes, expr->arg[k])
                 || is_hazard (lanes, expr->arg[k])
               ? subscript_lanes (lanes, expr->arg[k])
               : expr->arg[k];
  int distance = near_distance (lanes, expr);
  lanes->work = work;
  bool is_whole = !lanes->mask && distance >= -1 && distance <= MOST_PICKED
                  && distance < lanes->lanes;
  bool is_small = tns_elem_bytes (expr->type.elem) < 4;
  lanes->left
    += is_small ? distance != 0 : (distance < -1 || distance > 1) && !is_whole;
  if (distance && is_whole)
    lanes->work += distance < 0 ? 2 : 2 * distance;
  else
    {
      lanes->gathers++;
      lanes->small_gathers += is_small;
      lanes->masked_gathers += lanes->within && !is_small
                               && lanes->ctx->machine->masks
                               && !is_safe (lanes, expr);
    }
  return read_lanes (lanes, expr, TNS_GATHER, arg);
}

bool
tns_lanes_is_unit (const tns_lanes *lanes, const tns_expr *expr)
{
  int last = expr->n_args - 1;
  const tns_sym *sym = expr->sym;
  long long stride;
  for (int k = 0; k < last; k++)
    if (tns_lanes_differ (lanes, expr->arg[k]))
      return false;
  if (last < 0 || reads_memory (expr->arg[last])
      || !tns_expr_stride (lanes->arena, expr->arg[last], lanes->iter, &stride)
      || stride != 1)
    return false;
  return !sym->stride
         || (tns_expr_is_int (sym->stride[last], &stride) && stride == 1);
}

/* EXPR, a LOAD.  */
static tns_expr *
read_element (tns_lanes *lanes, tns_expr *expr)
{
  tns_lane_cell *cell = tns_lanes_cell (lanes, expr->sym);
  if (cell)
    return cell->vector ? tns_cell (lanes->arena, cell->vector)
                        : refuse (lanes, expr);
  if (expr->type.elem == TNS_BOOL)
    return refuse (lanes, expr);
  if (!tns_lanes_is_unit (lanes, expr))
    return gather (lanes, expr);
  lanes->work++;
  return read_lanes (lanes, expr, TNS_LOAD, expr->arg);
}

/* COND ? A : B of vectors, or of a scalar COND.  */
static tns_expr *
choose (const tns_lanes *lanes, tns_expr *cond, tns_expr *a, tns_expr *b)
{
  return tns_ternary (lanes->arena, TNS_SELECT, cond, a, b);
}

/* EXPR makes small integers of wider ones, which are not converted from
   floating numbers.  */
static bool
is_packed (const tns_expr *expr)
{
  const tns_expr *from = expr->arg[0];
  return tns_elem_is_integer (expr->type.elem)
         && tns_elem_is_integer (from->type.elem)
         && tns_elem_bytes (expr->type.elem) < 4
         && tns_elem_bytes (expr->type.elem) < tns_elem_bytes (from->type.elem)
         && !(from->op == TNS_CAST
              && tns_elem_is_float (from->arg[0]->type.elem));
}

/* EXPR makes distances, which are summed, unsigned: GCC has an instruction for
   the sums, but finds only those of int.  */
static bool
adds_up_distances (const tns_lanes *lanes, const tns_expr *expr)
{
  return lanes->n_accumulators > 0 && expr->arg[0]->op == TNS_ABS
         && tns_elem_is_unsigned (expr->type.elem);
}

/* EXPR, a conversion.  */
static tns_expr *
convert (tns_lanes *lanes, tns_expr *expr)
{
  tns_arena *arena = lanes->arena;
  tns_expr *from = expr->arg[0];
  tns_elem to = expr->type.elem;
  long long stride;
  lanes->work++;
  lanes->left += to != TNS_BOOL && is_packed (expr);
  lanes->ours += adds_up_distances (lanes, expr);
  if (to != TNS_BOOL && tns_elem_is_integer (to) && !reads_memory (from)
      && tns_expr_stride (lanes->arena, from, lanes->iter, &stride)
      && stride == 1)
    return tns_make (arena, TNS_IOTA, wide (lanes, to), NULL, 1, &expr);
  if (tns_elem_is_float (to))
    from = in_few_bytes (lanes, from);
  tns_expr *value = tns_lanes_expr (lanes, from);
  if (to == TNS_BOOL)
    return tns_binary (
      arena, TNS_NE, value,
      tns_lanes_splat (lanes, tns_int_of (arena, from->type.elem, 0)));
  if (from->type.elem == TNS_BOOL)
    return choose (lanes, value,
                   tns_lanes_splat (lanes, tns_int_of (arena, to, 1)),
                   tns_lanes_splat (lanes, tns_int_of (arena, to, 0)));
  return tns_cast (arena, wide (lanes, to), value);
}

/* EXPR, evaluated only where COND (a mask; when NOT, its opposite) is
   true.  */
static tns_expr *
expr_where (tns_lanes *lanes, tns_expr *cond, bool not, tns_expr *expr)
{
  tns_expr *mask = lanes->mask;
  bool within = lanes->within;
  bool some = lanes->some;
  lanes->some = false;
  lanes->mask = tns_lanes_both (
    lanes, mask, not ? tns_unary (lanes->arena, TNS_LNOT, cond) : cond);
  lanes->within = true;
  tns_expr *made = tns_lanes_expr (lanes, expr);
  lanes->mask = mask;
  lanes->within = within;
  lanes->some = some;
  return made;
}

/* EXPR could fault in a lane that does not choose it.  */
static bool
is_risky (const tns_lanes *lanes, tns_expr *expr)
{
  tns_lanes chosen = *lanes;
  chosen.within = true;
  chosen.some = false;
  bool found = is_hazard (&chosen, expr);
  return found;
}

/* EXPR reads WANTED, whatever it chooses.  */
static bool
always_reads (const tns_expr *expr, const tns_expr *wanted)
{
  int n = expr->op == TNS_LAND || expr->op == TNS_LOR || expr->op == TNS_SELECT
            ? 1
            : expr->n_args;
  bool found = tns_expr_equal (expr, wanted);
  for (int k = 0; k < n && !found; k++)
    found = always_reads (expr->arg[k], wanted);
  return found
         || (expr->op == TNS_SELECT && always_reads (expr->arg[1], wanted)
             && always_reads (expr->arg[2], wanted));
}

/* What is read of both operands of a choice, whichever it is.  */
typedef struct both_read
{
  tns_lanes *lanes;
  const tns_expr *other;
} both_read;

/* The visitor that notes as safe what the other operand reads too.  */
static bool
note_both (tns_expr *expr, void *self)
{
  const both_read *both = self;
  bool decides
    = expr->op == TNS_SELECT || expr->op == TNS_LAND || expr->op == TNS_LOR;
  if (tns_expr_reads (expr) && expr->n_args && always_reads (both->other, expr))
    tns_lanes_note_safe (both->lanes, expr);
  return !decides;
}

/* EXPR, a choice.  */
static tns_expr *
select_lanes (tns_lanes *lanes, tns_expr *expr)
{
  tns_expr *a = expr->arg[1], *b = expr->arg[2];
  lanes->work++;
  if (!tns_lanes_differ (lanes, expr->arg[0]))
    return choose (lanes, expr->arg[0], tns_lanes_expr (lanes, a),
                   tns_lanes_expr (lanes, b));
  tns_expr *cond = tns_lanes_expr (lanes, expr->arg[0]);
  both_read both = { lanes, b };
  tns_expr_walk (a, note_both, &both);
  if (is_risky (lanes, a) || is_risky (lanes, b))
    cond = tns_lanes_keep (lanes, cond);
  return choose (lanes, cond, expr_where (lanes, cond, false, a),
                 expr_where (lanes, cond, true, b));
}

/* EXPR, a && b or a || b.  */
static tns_expr *
decide (tns_lanes *lanes, tns_expr *expr)
{
  tns_expr *a = tns_lanes_expr (lanes, expr->arg[0]);
  if (is_risky (lanes, expr->arg[1]))
    a = tns_lanes_keep (lanes, a);
  lanes->work++;
  return tns_binary (lanes->arena, expr->op, a,
                     expr_where (lanes, a, expr->op == TNS_LOR, expr->arg[1]));
}

/* EXPR, an integer division whose divisor may be anything in lanes that are
   not there.  */
static tns_expr *
divide (tns_lanes *lanes, tns_expr *expr)
{
  tns_expr *a = tns_lanes_expr (lanes, expr->arg[0]);
  tns_expr *b = tns_lanes_expr (lanes, expr->arg[1]);
  lanes->work += 8;
  if (lanes->mask && !is_guarded (lanes, expr->arg[1]))
    b = choose (
      lanes, lanes->mask, b,
      tns_lanes_splat (lanes, tns_int_of (lanes->arena, expr->type.elem, 1)));
  return tns_binary (lanes->arena, expr->op, a, b);
}

/* OP, of class M, has a form on the vectors of ELEM.  What rounds may raise
   what the scalar function does not, so under fp(strict) it stays scalar.  */
static bool
has_math (const tns_lanes *lanes, tns_op op, tns_elem elem)
{
  if (tns_op_rounds (op))
    return lanes->ctx->wish.fp != TNS_FP_STRICT && lanes->ctx->machine->rounds;
  return !tns_op_is_function (op)
         || (op == TNS_FUSED && lanes->ctx->machine->fma)
         || (lanes->ctx->wish.fp != TNS_FP_STRICT
             && tns_vector_math_exists (op, elem, lanes->lanes));
}

/* OP counts bits of each of ELEM, one by one, sooner than the vectors of the
   machine do.  */
static bool
counts_alone (const tns_lanes *lanes, tns_op op, tns_elem elem)
{
  const tns_machine *machine = lanes->ctx->machine;
  bool is_long = op == TNS_CLZ || tns_elem_bytes (elem) == 8;
  return (op == TNS_POPCOUNT || op == TNS_CLZ) && is_long
         && machine->vector_bytes < 64;
}

/* EXPR is a small integer made int for arithmetic.  */
static bool
is_promoted (const tns_expr *expr)
{
  return expr->op == TNS_CAST && tns_elem_is_integer (expr->type.elem)
         && tns_elem_is_integer (expr->arg[0]->type.elem)
         && expr->arg[0]->type.elem != TNS_BOOL
         && tns_elem_bytes (expr->arg[0]->type.elem) < 4
         && tns_elem_bytes (expr->type.elem) >= 4;
}

/* EXPR is shifted bits, or some of them.  */
static bool
is_shifted (const tns_expr *expr)
{
  while (expr->op == TNS_CAST || expr->op == TNS_AND)
    expr = expr->arg[0];
  return expr->op == TNS_SHL || expr->op == TNS_SHR;
}

/* EXPR puts shifted bits together: rotations and orders of bytes, for which
   GCC has instructions, look like that.  */
static bool
is_turned (const tns_expr *expr)
{
  return (expr->op == TNS_OR || expr->op == TNS_XOR || expr->op == TNS_ADD)
         && tns_elem_is_integer (expr->type.elem) && is_shifted (expr->arg[0])
         && is_shifted (expr->arg[1]);
}

/* EXPR adds up the bytes of a word, by a product of which the highest one is
   left: bits are counted like that, for which GCC has an instruction.  */
static bool
is_counted (const tns_expr *expr)
{
  int bytes = tns_elem_bytes (expr->type.elem);
  const tns_expr *product = expr->n_args == 2 ? expr->arg[0] : expr;
  long long ones;
  long long shift;
  return expr->op == TNS_SHR && product->op == TNS_MUL && bytes >= 4
         && tns_expr_is_int (product->arg[1], &ones)
         && (unsigned long long) ones
              == 0x0101010101010101ull >> (64 - 8 * bytes)
         && tns_expr_is_int (expr->arg[1], &shift) && shift == 8 * bytes - 8;
}

/* EXPR is a quotient that needs no division in lanes.  */
static bool
is_quotient (const tns_expr *expr)
{
  return expr->op == TNS_DIV && expr->arg[1]->op == TNS_REAL
         && tns_quotient_of (expr->arg[0], expr->type.elem, expr->arg[1]->real)
              != TNS_QUOTIENT_DIVIDED;
}

/* EXPR has a form in lanes that GCC's vectors of the loop as written have not:
   a function, a root, which sets errno there, a rounding, which traps, or a
   quotient that needs no division.  */
static bool
is_ours (const tns_expr *expr)
{
  return tns_op_is_function (expr->op) || expr->op == TNS_SQRT
         || tns_op_rounds (expr->op) || is_quotient (expr);
}

/* EXPR, an operator that works lane by lane.  */
static tns_expr *
lanewise (tns_lanes *lanes, tns_expr *expr)
{
  tns_expr *arg[3];
  bool is_math = tns_op_class (expr->op) == 'M';
  lanes->ours += is_ours (expr);
  lanes->left += is_turned (expr) || is_counted (expr);
  for (int k = 0; k < expr->n_args; k++)
    lanes->left += is_promoted (expr->arg[k]);
  for (int k = 0; k < expr->n_args; k++)
    arg[k] = tns_lanes_expr (lanes, expr->arg[k]);
  bool is_call = is_math && !tns_op_rounds (expr->op) && expr->op != TNS_FUSED;
  lanes->work += is_call ? 16 : 1;
  return tns_make (lanes->arena, expr->op, wide (lanes, expr->type.elem), NULL,
                   expr->n_args, arg);
}

/* EXPR is what a small constant leaves of an index that grows by *STRIDE from
   lane to lane.  */
static bool
is_even_rest (const tns_lanes *lanes, tns_expr *expr, long long *stride)
{
  long long divisor;
  return expr->op == TNS_MOD && expr->type.elem == TNS_I64
         && tns_expr_is_int (expr->arg[1], &divisor) && divisor > 1
         && divisor <= MOST_DIVISOR && !reads_memory (expr->arg[0])
         && tns_expr_stride (lanes->arena, expr->arg[0], lanes->iter, stride);
}

/* The numbers of the lanes times BY, in ELEM.  */
static tns_expr *
numbers_times (const tns_lanes *lanes, tns_elem elem, long long by)
{
  tns_arena *arena = lanes->arena;
  tns_expr *zero = tns_int_of (arena, elem, 0);
  tns_expr *number
    = tns_make (arena, TNS_IOTA, wide (lanes, elem), NULL, 1, &zero);
  return tns_binary (arena, TNS_MUL, number,
                     tns_lanes_splat (lanes, tns_int_of (arena, elem, by)));
}

/* EXPR, mod (e, c), whose e grows by STRIDE, in U32 and with one division for
   all lanes:

     t = splat (mod (e, c)) + (STRIDE * iota (0)) % c
     min (t, t - c)

   since t is less than 2 c, and t - c wraps where t is less than c.  */
static tns_expr *
even_rest (tns_lanes *lanes, tns_expr *expr, long long stride)
{
  tns_arena *arena = lanes->arena;
  long long c = expr->arg[1]->integer;
  tns_expr *by = tns_lanes_splat (lanes, tns_int_of (arena, TNS_U32, c));
  tns_expr *ahead = numbers_times (lanes, TNS_U32, (stride % c + c) % c);
  tns_expr *first = tns_cast (arena, tns_scalar (TNS_U32), expr);
  tns_expr *t = tns_binary (arena, TNS_ADD, tns_lanes_splat (lanes, first),
                            tns_binary (arena, TNS_REM, ahead, by));
  lanes->work += 4;
  return tns_binary (arena, TNS_MIN, t, tns_binary (arena, TNS_SUB, t, by));
}

/* D + STRIDE * lane OP 0.  Lanes of 64 bits are compared one by one where
   vectors have fewer than the mask has: a number that grows by one is left to
   the numbers of the lanes (lowering/generic-mask.cc), others are cut to what
   32 bits hold, which says the same.  */
static tns_expr *
compare_growing (tns_lanes *lanes, tns_op op, tns_expr *d, long long stride)
{
  tns_arena *arena = lanes->arena;
  tns_expr *zero = tns_int (arena, 0);
  if (stride == 1 || stride == -1)
    {
      tns_expr *from = stride > 0 ? d : zero;
      tns_expr *number
        = tns_make (arena, TNS_IOTA, wide (lanes, TNS_I64), NULL, 1, &from);
      tns_expr *other = tns_lanes_splat (lanes, stride > 0 ? zero : d);
      return stride > 0 ? tns_binary (arena, op, number, other)
                        : tns_binary (arena, op, other, number);
    }
  d = tns_binary (arena, TNS_MIN, d, tns_int (arena, FAR));
  d = tns_binary (arena, TNS_MAX, d, tns_int (arena, -FAR));
  d = tns_lanes_splat (lanes, tns_cast (arena, tns_scalar (TNS_I32), d));
  d = tns_binary (arena, TNS_ADD, d, numbers_times (lanes, TNS_I32, stride));
  return tns_binary (arena, op, d,
                     tns_lanes_splat (lanes, tns_int_of (arena, TNS_I32, 0)));
}

/* EXPR, a comparison of indices, in narrower lanes; NULL where that is not
   known to be right.  */
static tns_expr *
compare_narrow (tns_lanes *lanes, tns_expr *expr)
{
  tns_arena *arena = lanes->arena;
  tns_expr *a = expr->arg[0], *b = expr->arg[1];
  long long stride, number;
  if (a->type.elem != TNS_I64)
    return NULL;
  if (is_even_rest (lanes, a, &stride) && tns_expr_is_int (b, &number)
      && number >= 0 && number <= MOST_DIVISOR)
    return tns_binary (
      arena, expr->op, even_rest (lanes, a, stride),
      tns_lanes_splat (lanes, tns_int_of (arena, TNS_U32, number)));
  tns_expr *d = tns_binary (arena, TNS_SUB, a, b);
  if (a->op == TNS_SYM || reads_memory (d)
      || !tns_expr_stride (arena, d, lanes->iter, &stride) || stride == 0
      || stride > MOST_DIVISOR || stride < -MOST_DIVISOR)
    return NULL;
  lanes->work += 2;
  return compare_growing (lanes, expr->op, d, stride);
}

/* EXPR, an operator.  */
static tns_expr *
operate (tns_lanes *lanes, tns_expr *expr)
{
  char class = tns_op_class (expr->op);
  long long stride;
  if (is_division (expr))
    return divide (lanes, expr);
  if (is_even_rest (lanes, expr, &stride))
    return tns_cast (lanes->arena, wide (lanes, TNS_I64),
                     even_rest (lanes, expr, stride));
  tns_expr *narrow = class == 'C' ? compare_narrow (lanes, expr) : NULL;
  if (narrow)
    return narrow;
  if (expr->op == TNS_LAND || expr->op == TNS_LOR)
    return decide (lanes, expr);
  if (counts_alone (lanes, expr->op, expr->type.elem)
      || (class == 'M' && !has_math (lanes, expr->op, expr->type.elem)))
    return refuse (lanes, expr);
  if (class == 'A' || class == 'B' || class == 'C' || class == 'M')
    return lanewise (lanes, expr);
  return refuse (lanes, expr);
}

tns_expr *
tns_lanes_expr (tns_lanes *lanes, tns_expr *expr)
{
  if (expr->type.lanes > 1 || expr->type.elem == TNS_F80
      || tns_lanes_reads_accumulator (lanes, expr))
    return refuse (lanes, expr);
  if (!tns_lanes_differ (lanes, expr) && !is_hazard (lanes, expr))
    return tns_lanes_splat (lanes, expr);
  switch (expr->op)
    {
    case TNS_SYM:
      return tns_make (lanes->arena, TNS_IOTA, wide (lanes, TNS_I64), NULL, 1,
                       &expr);
    case TNS_LOAD:
      return read_element (lanes, expr);
    case TNS_CAST:
      return convert (lanes, expr);
    case TNS_BITS:
      return lanewise (lanes, expr);
    case TNS_SELECT:
      return select_lanes (lanes, expr);
    default:
      return operate (lanes, expr);
    }
}
