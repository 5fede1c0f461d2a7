/* The interpreter's expressions.

   A vector is evaluated lane by lane, a lane like a scalar.  Every access
   is checked: in local arrays each subscript, in those of the caller the
   element.  Operations are counted once for each lane of their own type.  */

#include <string.h>

#include "ir/run.h"

void
tns_run_fault (tns_run *run, tns_eval_status status)
{
  run->status = status;
  longjmp (run->out, 1);
}

tns_scalar_value
tns_run_apply (tns_run *run, tns_op op, tns_elem elem,
               const tns_scalar_value *arg)
{
  tns_scalar_value result;
  if (!tns_value_apply (op, elem, arg, &result))
    tns_run_fault (run, TNS_EVAL_DIVISION);
  if (!run->silent && tns_elem_is_float (elem))
    run->counts.flops += tns_op_flops (op);
  return result;
}

/* Lane LANE of the operand EXPR of a vector expression.  A scalar is the
   same in all lanes and counts in the first.  */
static tns_scalar_value
lane_of (tns_run *run, const tns_expr *expr, int lane)
{
  if (expr->type.lanes > 1)
    return tns_run_expr (run, expr, lane);
  if (expr->op == TNS_SYM)
    return run->value[expr->sym->id];
  run->silent += lane > 0;
  tns_scalar_value value = tns_run_expr (run, expr, 0);
  run->silent -= lane > 0;
  return value;
}

/* The address of SYM at AT[0..rank), checked.  */
static char *
checked_address (tns_run *run, const tns_sym *sym, const long long *at)
{
  const tns_storage *array = &run->array[sym->id];
  unsigned long long offset = 0;
  for (int k = 0; k < sym->rank; k++)
    {
      if (tns_sym_is_local (sym) && (at[k] < 0 || at[k] >= array->extent[k]))
        tns_run_fault (run, TNS_EVAL_OUTSIDE);
      offset
        += (unsigned long long) at[k] * (unsigned long long) array->stride[k];
    }
  long long element = (long long) offset;
  if (!array->base || element < array->lo || element >= array->hi)
    tns_run_fault (run, TNS_EVAL_OUTSIDE);
  return array->base + element * tns_elem_bytes (sym->type.elem);
}

char *
tns_run_address (tns_run *run, const tns_expr *target, int lane)
{
  const tns_sym *sym = target->sym;
  static const long long origin[TNS_MOST_RANK];
  if (sym->type.lanes > 1)
    return checked_address (run, sym, origin)
           + lane * tns_elem_bytes (sym->type.elem);
  long long at[TNS_MOST_RANK];
  for (int k = 0; k < sym->rank; k++)
    at[k] = lane_of (run, target->arg[k], lane).s;
  if (target->op != TNS_GATHER && sym->rank)
    at[sym->rank - 1] += lane;
  return checked_address (run, sym, at);
}

/* LOAD, MASKED and GATHER.  */
static tns_scalar_value
load (tns_run *run, const tns_expr *expr, int lane)
{
  const tns_sym *sym = expr->sym;
  bool has_mask = expr->n_args > sym->rank;
  if (has_mask
      && !tns_value_is_true (lane_of (run, expr->arg[sym->rank], lane)))
    return tns_value_cast (sym->type.elem, TNS_I64,
                           tns_value_of_int (TNS_I64, 0));
  const char *from = tns_run_address (run, expr, lane);
  if (!run->silent && !tns_sym_is_local (sym))
    run->counts.bytes_loaded += tns_elem_bytes (sym->type.elem);
  return tns_value_read (sym->type.elem, from);
}

/* REDUCE_...: lane l with lane l + n/2, again until one is left.  */
static tns_scalar_value
reduce (tns_run *run, const tns_expr *expr)
{
  static const tns_op pairwise[]
    = { TNS_ADD, TNS_MUL, TNS_MIN, TNS_MAX, TNS_AND, TNS_OR, TNS_XOR };
  const tns_expr *vector = expr->arg[0];
  tns_op op = pairwise[expr->op - TNS_REDUCE_ADD];
  tns_scalar_value lanes[TNS_MOST_LANES];
  for (int l = 0; l < vector->type.lanes; l++)
    lanes[l] = tns_run_expr (run, vector, l);
  for (int n = vector->type.lanes / 2; n > 0; n /= 2)
    for (int l = 0; l < n; l++)
      {
        tns_scalar_value pair[] = { lanes[l], lanes[l + n] };
        lanes[l] = tns_run_apply (run, op, vector->type.elem, pair);
      }
  return lanes[0];
}

/* a ? b : c, only the chosen one evaluated; in a vector all.  */
static tns_scalar_value
select (tns_run *run, const tns_expr *expr, int lane)
{
  bool is_true = tns_value_is_true (lane_of (run, expr->arg[0], lane));
  if (expr->type.lanes > 1)
    (void) lane_of (run, expr->arg[is_true ? 2 : 1], lane);
  return lane_of (run, expr->arg[is_true ? 1 : 2], lane);
}

/* a && b, a || b.  */
static tns_scalar_value
connect (tns_run *run, const tns_expr *expr, int lane)
{
  tns_scalar_value a = lane_of (run, expr->arg[0], lane);
  bool decides = tns_value_is_true (a) == (expr->op == TNS_LOR);
  if (decides && expr->type.lanes == 1)
    return a;
  tns_scalar_value b = lane_of (run, expr->arg[1], lane);
  return decides ? a : b;
}

/* An operator of class A, C, B or M.  */
static tns_scalar_value
operate (tns_run *run, const tns_expr *expr, int lane)
{
  tns_scalar_value arg[3];
  for (int k = 0; k < expr->n_args && k < 3; k++)
    arg[k] = lane_of (run, expr->arg[k], lane);
  return tns_run_apply (run, expr->op, expr->arg[0]->type.elem, arg);
}

/* CALL.  */
static tns_scalar_value
call (tns_run *run, const tns_expr *expr)
{
  tns_scalar_value arg[TNS_MOST_RANK];
  tns_scalar_value result;
  for (int k = 0; k < expr->n_args; k++)
    arg[k] = tns_run_expr (run, expr->arg[k], 0);
  if (!run->options->call || !run->options->call (expr->sym, arg, &result))
    tns_run_fault (run, TNS_EVAL_FUNCTION);
  return result;
}

/* PAST_LINE: arrays begin one element behind a line's begin here, so that what
   depends on it is executed.  */
static tns_scalar_value
past_line (tns_run *run, const tns_expr *expr)
{
  const tns_sym *sym = expr->sym;
  const tns_storage *array = &run->array[sym->id];
  long long line = TNS_LINE_BYTES / tns_elem_bytes (sym->type.elem);
  unsigned long long past = 1;
  for (int k = 0; k < sym->rank; k++)
    past += (unsigned long long) tns_run_expr (run, expr->arg[k], 0).s
            * (unsigned long long) array->stride[k];
  return tns_value_of_int (
    TNS_I64, (long long) (past % (unsigned long long) (line > 0 ? line : 1)));
}

/* BITS.  */
static tns_scalar_value
bits (tns_run *run, const tns_expr *expr, int lane)
{
  char memory[16];
  tns_value_write (expr->arg[0]->type.elem, memory,
                   lane_of (run, expr->arg[0], lane));
  return tns_value_read (expr->type.elem, memory);
}

tns_scalar_value
tns_run_expr (tns_run *run, const tns_expr *expr, int lane)
{
  switch (expr->op)
    {
    case TNS_INT:
      return tns_value_of_int (expr->type.elem, expr->integer);
    case TNS_REAL:
      return tns_value_of_real (expr->type.elem, expr->real);
    case TNS_SYM:
      return run->value[expr->sym->id];
    case TNS_LOAD:
    case TNS_MASKED:
    case TNS_GATHER:
      return load (run, expr, lane);
    case TNS_LAND:
    case TNS_LOR:
      return connect (run, expr, lane);
    case TNS_CAST:
      return tns_value_cast (expr->type.elem, expr->arg[0]->type.elem,
                             lane_of (run, expr->arg[0], lane));
    case TNS_CALL:
      return call (run, expr);
    case TNS_PAST_LINE:
      return past_line (run, expr);
    case TNS_BITS:
      return bits (run, expr, lane);
    case TNS_SELECT:
      return select (run, expr, lane);
    case TNS_SPLAT:
      return lane_of (run, expr->arg[0], lane);
    case TNS_IOTA:
      return tns_value_of_int (expr->type.elem,
                               lane_of (run, expr->arg[0], lane).s + lane);
    default:
      if (expr->op >= TNS_REDUCE_ADD && expr->op <= TNS_REDUCE_XOR)
        return reduce (run, expr);
      return operate (run, expr, lane);
    }
}
