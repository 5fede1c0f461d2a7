/* Constructors of expressions: types follow from operands here and nowhere
   else.  */

#include "ir/expr.h"

#include <math.h>
#include <string.h>

/* A node with room for N_ARGS operands.  */
static tns_expr *
new_expr (tns_arena *arena, tns_op op, tns_type type, int n_args)
{
  tns_expr *expr = TNS_NEW (arena, tns_expr);
  expr->op = op;
  expr->type = type;
  expr->n_args = n_args;
  if (n_args > 0)
    expr->arg = TNS_NEW_ARRAY (arena, tns_expr *, n_args);
  return expr;
}

/* VALUE as an integer of type ELEM holds it, wrapped around.  */
static long long
wrapped (tns_elem elem, long long value)
{
  switch (elem)
    {
    case TNS_BOOL:
      return value != 0;
    case TNS_I8:
      return (signed char) value;
    case TNS_U8:
      return (unsigned char) value;
    case TNS_I16:
      return (short) value;
    case TNS_U16:
      return (unsigned short) value;
    case TNS_I32:
      return (int) value;
    case TNS_U32:
      return (unsigned int) value;
    default:
      return value;
    }
}

tns_expr *
tns_int (tns_arena *arena, long long value)
{
  return tns_int_of (arena, TNS_I64, value);
}

tns_expr *
tns_int_of (tns_arena *arena, tns_elem elem, long long value)
{
  if (tns_elem_is_float (elem))
    return tns_real (arena, elem, (long double) value);
  tns_expr *expr = new_expr (arena, TNS_INT, tns_scalar (elem), 0);
  expr->integer = wrapped (elem, value);
  return expr;
}

tns_expr *
tns_real (tns_arena *arena, tns_elem elem, long double value)
{
  tns_expr *expr = new_expr (arena, TNS_REAL, tns_scalar (elem), 0);
  expr->real = elem == TNS_F32   ? (long double) (float) value
               : elem == TNS_F64 ? (long double) (double) value
                                 : value;
  return expr;
}

tns_expr *
tns_neutral (tns_arena *arena, tns_op op, tns_elem elem)
{
  long start;
  switch (op)
    {
    case TNS_ADD:
    case TNS_OR:
    case TNS_XOR:
    case TNS_LOR:
      start = 0;
      break;
    case TNS_MUL:
    case TNS_LAND:
      start = 1;
      break;
    case TNS_AND:
      start = -1;
      break;
    default:
      return NULL;
    }
  return tns_elem_is_float (elem) ? tns_real (arena, elem, start)
                                  : tns_int_of (arena, elem, start);
}

tns_expr *
tns_value (tns_arena *arena, tns_sym *sym)
{
  tns_expr *expr = new_expr (arena, TNS_SYM, sym->type, 0);
  expr->sym = sym;
  return expr;
}

tns_expr *
tns_make (tns_arena *arena, tns_op op, tns_type type, tns_sym *sym, int n_args,
          tns_expr *const *arg)
{
  tns_expr *expr = new_expr (arena, op, type, n_args);
  expr->sym = sym;
  for (int k = 0; k < n_args; k++)
    expr->arg[k] = arg[k];
  return expr;
}

tns_expr *
tns_load (tns_arena *arena, tns_sym *sym, tns_expr *const *arg)
{
  return tns_make (arena, TNS_LOAD, sym->type, sym, sym->rank, arg);
}

tns_expr *
tns_cell (tns_arena *arena, tns_sym *sym)
{
  return tns_make (arena, TNS_LOAD, sym->type, sym, 0, NULL);
}

tns_expr *
tns_unary (tns_arena *arena, tns_op op, tns_expr *a)
{
  if (!a)
    return NULL;
  return tns_make (arena, op, tns_op_result (op, a->type), NULL, 1, &a);
}

/* A OP B for two I64 constants; false where the result is not one.  */
static bool
fold (tns_op op, long long a, long long b, long long *result)
{
  switch (op)
    {
    case TNS_ADD:
      return !__builtin_add_overflow (a, b, result);
    case TNS_SUB:
      return !__builtin_sub_overflow (a, b, result);
    case TNS_MUL:
      return !__builtin_mul_overflow (a, b, result);
    case TNS_MIN:
      *result = b < a ? b : a;
      return true;
    case TNS_MAX:
      *result = b > a ? b : a;
      return true;
    case TNS_FLOORDIV:
      if (b <= 0)
        return false;
      *result = a / b - (a % b < 0);
      return true;
    case TNS_MOD:
      if (b <= 0)
        return false;
      *result = a % b + (a % b < 0 ? b : 0);
      return true;
    case TNS_DIV:
    case TNS_REM:
      if (b == 0 || b == -1)
        return false;
      *result = op == TNS_DIV ? a / b : a % b;
      return true;
    default:
      return false;
    }
}

/* A OP B where one of the two is neutral or absorbing, else NULL.  */
static tns_expr *
drop_neutral (tns_op op, tns_expr *a, tns_expr *b)
{
  long long k;
  if (tns_expr_is_int (b, &k))
    {
      if (k == 0 && (op == TNS_ADD || op == TNS_SUB))
        return a;
      if (op == TNS_MUL && k == 1)
        return a;
      if (op == TNS_MUL && k == 0)
        return b;
    }
  if (tns_expr_is_int (a, &k))
    {
      if ((op == TNS_ADD && k == 0) || (op == TNS_MUL && k == 1))
        return b;
      if (op == TNS_MUL && k == 0)
        return a;
    }
  return NULL;
}

tns_expr *
tns_binary (tns_arena *arena, tns_op op, tns_expr *a, tns_expr *b)
{
  if (!a || !b)
    return NULL;
  if (a->type.elem == TNS_I64 && a->type.lanes == 1)
    {
      long long k, l, result;
      if (tns_expr_is_int (a, &k) && tns_expr_is_int (b, &l)
          && fold (op, k, l, &result))
        return tns_int (arena, result);
      tns_expr *kept = drop_neutral (op, a, b);
      if (kept)
        return kept;
    }
  tns_expr *arg[] = { a, b };
  return tns_make (arena, op, tns_op_result (op, a->type), NULL, 2, arg);
}

tns_expr *
tns_ceil_div (tns_arena *arena, tns_expr *a, tns_expr *b)
{
  tns_expr *less = tns_binary (arena, TNS_SUB, b, tns_int (arena, 1));
  return tns_binary (arena, TNS_FLOORDIV, tns_binary (arena, TNS_ADD, a, less),
                     b);
}

tns_expr *
tns_ternary (tns_arena *arena, tns_op op, tns_expr *a, tns_expr *b, tns_expr *c)
{
  if (!a || !b || !c)
    return NULL;
  tns_expr *arg[] = { a, b, c };
  tns_type type = op == TNS_SELECT ? b->type : tns_op_result (op, a->type);
  return tns_make (arena, op, type, NULL, 3, arg);
}

tns_expr *
tns_cast (tns_arena *arena, tns_type type, tns_expr *a)
{
  if (!a || tns_type_equal (type, a->type))
    return a;
  if (a->op == TNS_INT && type.lanes == 1 && !tns_elem_is_float (type.elem))
    return tns_int_of (arena, type.elem, a->integer);
  return tns_make (arena, TNS_CAST, type, NULL, 1, &a);
}

tns_expr *
tns_expr_with_args (tns_arena *arena, tns_expr *expr, tns_expr *const *arg)
{
  if (!expr->n_args
      || !memcmp (arg, expr->arg, sizeof *arg * (size_t) expr->n_args))
    return expr;
  tns_expr *made;
  if (expr->n_args == 2 && tns_op_class (expr->op) == 'A')
    made = tns_binary (arena, expr->op, arg[0], arg[1]);
  else
    made = tns_make (arena, expr->op, expr->type, expr->sym, expr->n_args, arg);
  if (made != arg[0] && (expr->n_args < 2 || made != arg[1]))
    made->loc = expr->loc;
  return made;
}

/* The same number, the sign of zeros and NaNs included.  */
static bool
same_real (long double a, long double b)
{
  if (isnan (a) || isnan (b))
    return isnan (a) && isnan (b) && !signbit (a) == !signbit (b);
  return a == b && !signbit (a) == !signbit (b);
}

bool
tns_expr_equal (const tns_expr *a, const tns_expr *b)
{
  if (a == b)
    return true;
  if (!a || !b || a->op != b->op || !tns_type_equal (a->type, b->type)
      || a->sym != b->sym || a->n_args != b->n_args)
    return false;
  if (a->op == TNS_INT && a->integer != b->integer)
    return false;
  if (a->op == TNS_REAL && !same_real (a->real, b->real))
    return false;
  for (int k = 0; k < a->n_args; k++)
    if (!tns_expr_equal (a->arg[k], b->arg[k]))
      return false;
  return true;
}

tns_expr *
tns_expr_unwidened (tns_expr *expr)
{
  while (expr->op == TNS_CAST && tns_elem_is_integer (expr->arg[0]->type.elem)
         && tns_elem_bytes (expr->type.elem)
              >= tns_elem_bytes (expr->arg[0]->type.elem))
    expr = expr->arg[0];
  return expr;
}

bool
tns_expr_is_int (const tns_expr *expr, long long *value)
{
  if (!expr || expr->op != TNS_INT)
    return false;
  *value = expr->integer;
  return true;
}

bool
tns_sym_is_dense (const tns_sym *sym)
{
  long long last = 1;
  return !sym->stride || sym->rank == 0
         || (tns_expr_is_int (sym->stride[sym->rank - 1], &last) && last == 1);
}

tns_expr *
tns_sym_room (tns_arena *arena, const tns_sym *sym, int k)
{
  long long first = tns_sym_first (sym, k);
  return first
           ? tns_binary (arena, TNS_ADD, sym->extent[k], tns_int (arena, first))
           : sym->extent[k];
}

tns_expr *
tns_expr_held (const tns_expr *expr)
{
  if (expr->op != TNS_LOAD || expr->type.lanes > 1 || !expr->sym->n_held)
    return NULL;
  long long at = 0;
  for (int k = 0; k < expr->n_args; k++)
    {
      long long sub;
      long long extent;
      if (!tns_expr_is_int (expr->arg[k], &sub)
          || !tns_expr_is_int (expr->sym->extent[k], &extent) || sub < 0
          || sub >= extent)
        return NULL;
      at = at * extent + sub;
    }
  return at < expr->sym->n_held ? expr->sym->held[at] : NULL;
}

bool
tns_expr_reads (const tns_expr *expr)
{
  return expr->op == TNS_LOAD || expr->op == TNS_MASKED
         || expr->op == TNS_GATHER;
}
