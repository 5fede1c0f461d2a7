/* Symbolic sums of the ledger as C would write them: 2*n*m + 4*n.

   Conversions are left out: the sums are of real numbers.  */

#include "plugin/record.hh"

extern "C"
{
#include "ir/op.h"
}

enum
{
  LOWEST = 0,
  SUM = 1,
  PRODUCT = 2,
  HIGHEST = 3
};

/* NUMBER with no more digits than it needs.  */
static void
print_number (tns_text *text, double number)
{
  char chars[40];
  for (int digits = 1; digits <= 17; digits++)
    {
      snprintf (chars, sizeof chars, "%.*g", digits, number);
      if (strtod (chars, NULL) == number)
        break;
    }
  if (number == (double) (long long) number && number < 1e15 && number > -1e15)
    snprintf (chars, sizeof chars, "%lld", (long long) number);
  tns_text_add (text, chars);
}

/* The spelling of OP between its operands, and how tight it binds; NULL when
   it is written as a call.  */
static const char *
infix (tns_op op, int *tightness)
{
  *tightness = LOWEST;
  switch (op)
    {
    case TNS_ADD:
    case TNS_SUB:
      *tightness = SUM;
      return op == TNS_ADD ? " + " : " - ";
    case TNS_MUL:
      *tightness = PRODUCT;
      return "*";
    case TNS_DIV:
      *tightness = PRODUCT;
      return "/";
    case TNS_REM:
      *tightness = PRODUCT;
      return "%";
    case TNS_LT:
      return " < ";
    case TNS_LE:
      return " <= ";
    case TNS_GT:
      return " > ";
    case TNS_GE:
      return " >= ";
    case TNS_EQ:
      return " == ";
    case TNS_NE:
      return " != ";
    case TNS_LAND:
      return " && ";
    case TNS_LOR:
      return " || ";
    default:
      return NULL;
    }
}

/* EXPR without the conversions around it.  */
static const tns_expr *
unconverted (const tns_expr *expr)
{
  while (expr->op == TNS_CAST)
    expr = expr->arg[0];
  return expr;
}

/* A number or a name.  False: EXPR is neither.  */
static bool
print_leaf (tns_text *text, const tns_expr *expr)
{
  if (expr->op == TNS_INT)
    print_number (text, (double) expr->integer);
  else if (expr->op == TNS_REAL)
    print_number (text, (double) expr->real);
  else if (expr->op == TNS_SYM)
    tns_text_add (text,
                  expr->sym->spelled ? expr->sym->spelled : expr->sym->name);
  else
    return false;
  return true;
}

/* Print EXPR as an operand of an operator that binds as tight as OUTER.  */
static void
print (tns_text *text, const tns_expr *expr, int outer)
{
  int tightness;
  expr = unconverted (expr);
  const char *between = infix (expr->op, &tightness);
  if (print_leaf (text, expr))
    return;
  bool closed = !between || tightness < outer;
  if (!between)
    tns_text_add (text, expr->op == TNS_NEG      ? "-"
                        : expr->op == TNS_SELECT ? "select"
                                                 : tns_op_name (expr->op));
  tns_text_add (text, closed ? "(" : "");
  for (int k = 0; k < expr->n_args; k++)
    {
      bool left = k == 0 && tightness != LOWEST;
      tns_text_add (text, k == 0 ? "" : between ? between : ", ");
      print (text, expr->arg[k],
             !between ? LOWEST
             : left   ? tightness
                    : tightness + (expr->op != TNS_ADD && expr->op != TNS_MUL));
    }
  tns_text_add (text, closed ? ")" : "");
}

/* A op B for the operators that sums are made of; false for others.  */
static bool
apply (tns_op op, double a, double b, double *value)
{
  switch (op)
    {
    case TNS_ADD:
      *value = a + b;
      return true;
    case TNS_SUB:
      *value = a - b;
      return true;
    case TNS_MUL:
      *value = a * b;
      return true;
    case TNS_DIV:
      *value = a / b;
      return b != 0;
    case TNS_MIN:
      *value = b < a ? b : a;
      return true;
    case TNS_MAX:
      *value = b > a ? b : a;
      return true;
    default:
      return false;
    }
}

/* The value of EXPR when it is a constant that is worth knowing.  */
static bool
constant (const tns_expr *expr, double *value)
{
  expr = unconverted (expr);
  double a;
  double b;
  if (expr->op == TNS_INT)
    *value = (double) expr->integer;
  else if (expr->op == TNS_REAL)
    *value = (double) expr->real;
  else
    return expr->n_args == 2 && tns_elem_is_float (expr->type.elem)
           && constant (expr->arg[0], &a) && constant (expr->arg[1], &b)
           && apply (expr->op, a, b, value);
  return true;
}

bool
tns_formula (tns_text *text, const tns_expr *expr, double *number)
{
  bool is_constant = constant (expr, number);
  if (is_constant)
    print_number (text, *number);
  else
    print (text, expr, LOWEST);
  return is_constant;
}
