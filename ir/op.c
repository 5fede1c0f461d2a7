/* The table of operators, asked by id and by name.  */

#include "ir/op.h"

#include <string.h>

static const struct
{
  const char *name;
  const char *f32_name;
  const char *f80_name;
  int arity;
  char class;
} ops[] = {
#define TNS_OP(id, name, arity, kind, meaning)                                 \
  { name, name "f", name "l", arity, kind },
#include "ir/op.def"
#undef TNS_OP
};

const char *
tns_op_name (tns_op op)
{
  return ops[op].name;
}

int
tns_op_arity (tns_op op)
{
  return ops[op].arity;
}

char
tns_op_class (tns_op op)
{
  return ops[op].class;
}

tns_op
tns_op_from_name (const char *name)
{
  for (int op = 0; op < TNS_N_OPS; op++)
    if (!strcmp (ops[op].name, name))
      return (tns_op) op;
  return TNS_N_OPS;
}

const char *
tns_op_infix (tns_op op)
{
  static const char *const infix[TNS_N_OPS] = {
    [TNS_ADD] = "+",   [TNS_SUB] = "-",  [TNS_MUL] = "*", [TNS_DIV] = "/",
    [TNS_REM] = "%",   [TNS_AND] = "&",  [TNS_OR] = "|",  [TNS_XOR] = "^",
    [TNS_SHL] = "<<",  [TNS_SHR] = ">>", [TNS_LT] = "<",  [TNS_LE] = "<=",
    [TNS_GT] = ">",    [TNS_GE] = ">=",  [TNS_EQ] = "==", [TNS_NE] = "!=",
    [TNS_LAND] = "&&", [TNS_LOR] = "||",
  };
  return infix[op];
}

int
tns_op_binding (tns_op op)
{
  switch (op)
    {
    case TNS_LOR:
      return 1;
    case TNS_LAND:
      return 2;
    case TNS_OR:
      return 3;
    case TNS_XOR:
      return 4;
    case TNS_AND:
      return 5;
    case TNS_EQ:
    case TNS_NE:
      return 6;
    case TNS_LT:
    case TNS_LE:
    case TNS_GT:
    case TNS_GE:
      return 7;
    case TNS_SHL:
    case TNS_SHR:
      return 8;
    case TNS_ADD:
    case TNS_SUB:
      return 9;
    default:
      return tns_op_infix (op) ? 10 : 0;
    }
}

tns_type
tns_op_result (tns_op op, tns_type a)
{
  char class = tns_op_class (op);
  if (class == 'C' || class == 'B')
    return tns_vector (TNS_BOOL, a.lanes);
  if (op >= TNS_REDUCE_ADD && op <= TNS_REDUCE_XOR)
    return tns_scalar (a.elem);
  return a;
}

bool
tns_op_is_reduction (tns_op op)
{
  switch (op)
    {
    case TNS_ADD:
    case TNS_MUL:
    case TNS_MIN:
    case TNS_MAX:
    case TNS_FMIN:
    case TNS_FMAX:
    case TNS_AND:
    case TNS_OR:
    case TNS_XOR:
    case TNS_LAND:
    case TNS_LOR:
      return true;
    default:
      return false;
    }
}

tns_op
tns_op_reduce (tns_op op)
{
  switch (op)
    {
    case TNS_ADD:
      return TNS_REDUCE_ADD;
    case TNS_MUL:
      return TNS_REDUCE_MUL;
    case TNS_MIN:
      return TNS_REDUCE_MIN;
    case TNS_MAX:
      return TNS_REDUCE_MAX;
    case TNS_AND:
    case TNS_LAND:
      return TNS_REDUCE_AND;
    case TNS_OR:
    case TNS_LOR:
      return TNS_REDUCE_OR;
    case TNS_XOR:
      return TNS_REDUCE_XOR;
    default:
      return TNS_NONE;
    }
}

bool
tns_op_is_function (tns_op op)
{
  switch (op)
    {
    case TNS_SQRT:
    case TNS_FLOOR:
    case TNS_CEIL:
    case TNS_TRUNC:
    case TNS_ROUND:
    case TNS_RINT:
    case TNS_FMIN:
    case TNS_FMAX:
    case TNS_COPYSIGN:
    case TNS_FDIM:
      return false;
    case TNS_CALL:
      return true;
    default:
      return tns_op_class (op) == 'M';
    }
}

bool
tns_op_rounds (tns_op op)
{
  return op == TNS_FLOOR || op == TNS_CEIL || op == TNS_TRUNC || op == TNS_ROUND
         || op == TNS_RINT;
}

int
tns_op_flops (tns_op op)
{
  switch (op)
    {
    case TNS_ADD:
    case TNS_SUB:
    case TNS_MUL:
    case TNS_DIV:
    case TNS_REM:
    case TNS_MIN:
    case TNS_MAX:
      return 1;
    case TNS_FMA:
    case TNS_FUSED:
      return 2;
    default:
      return tns_op_class (op) == 'M';
    }
}

const char *
tns_op_math_name (tns_op op, tns_elem elem)
{
  bool is_fused = op == TNS_FUSED;
  switch (elem)
    {
    case TNS_F32:
      return is_fused ? "fmaf" : ops[op].f32_name;
    case TNS_F80:
      return is_fused ? "fmal" : ops[op].f80_name;
    default:
      return is_fused ? "fma" : ops[op].name;
    }
}
