/* Symbolic sums of the ledger as C would write them: 2*n*m + 4*n.

   Conversions are left out: the sums are of real numbers, and so are the
   values that they name.  A compiler that is told double n, m takes them as
   they stand, with <math.h> for floor, fmin and their kin.  */

#include "plugin/record.hh"

extern "C"
{
#include "ir/op.h"
}

/* How tight C's operators bind.  */
enum
{
  CHOICE,
  OR,
  AND,
  EQUALITY,
  ORDER,
  SUM,
  PRODUCT,
  PREFIX
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
   it is written in another way.  */
static const char *
infix (tns_op op, int *tightness)
{
  static const struct
  {
    tns_op op;
    int tightness;
    const char *spelled;
  } row[] = {
    { TNS_ADD, SUM, " + " },      { TNS_SUB, SUM, " - " },
    { TNS_MUL, PRODUCT, "*" },    { TNS_DIV, PRODUCT, "/" },
    { TNS_LT, ORDER, " < " },     { TNS_LE, ORDER, " <= " },
    { TNS_GT, ORDER, " > " },     { TNS_GE, ORDER, " >= " },
    { TNS_EQ, EQUALITY, " == " }, { TNS_NE, EQUALITY, " != " },
    { TNS_LAND, AND, " && " },    { TNS_LOR, OR, " || " },
  };
  for (size_t k = 0; k < sizeof row / sizeof row[0]; k++)
    if (row[k].op == op)
      {
        *tightness = row[k].tightness;
        return row[k].spelled;
      }
  return NULL;
}

/* The function of math.h that does OP with numbers.  */
static const char *
function_name (tns_op op)
{
  switch (op)
    {
    case TNS_MIN:
      return "fmin";
    case TNS_MAX:
      return "fmax";
    case TNS_ABS:
      return "fabs";
    case TNS_REM:
      return "fmod";
    default:
      return tns_op_name (op);
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
    {
      const char *name
        = expr->sym->spelled ? expr->sym->spelled : expr->sym->name;
      bool closed = strchr (name, ' ') != NULL;
      tns_text_format (text, closed ? "(%s)" : "%s", name);
    }
  else
    return false;
  return true;
}

static void print (tns_text *text, const tns_expr *expr, int outer);

/* Print EXPR, a call of a function.  */
static void
print_call (tns_text *text, const tns_expr *expr)
{
  tns_text_format (text, "%s(", function_name (expr->op));
  for (int k = 0; k < expr->n_args; k++)
    {
      tns_text_add (text, k ? ", " : "");
      print (text, expr->arg[k], CHOICE);
    }
  tns_text_add (text, ")");
}

/* Print A / B, rounded by the function ROUNDED.  */
static void
print_quotient (tns_text *text, const char *rounded, const tns_expr *expr)
{
  tns_text_format (text, "%s(", rounded);
  print (text, expr->arg[0], PRODUCT);
  tns_text_add (text, "/");
  print (text, expr->arg[1], PREFIX);
  tns_text_add (text, ")");
}

/* Print EXPR, whose operator stands BETWEEN its operands.  */
static void
print_infix (tns_text *text, const tns_expr *expr, const char *between,
             int tightness)
{
  bool same = expr->op == TNS_ADD || expr->op == TNS_MUL;
  print (text, expr->arg[0], tightness);
  tns_text_add (text, between);
  print (text, expr->arg[1], tightness + !same);
}

/* Print EXPR, an operator that is written neither as a call nor between
   operands.  False: EXPR is none of them.  */
static bool
print_other (tns_text *text, const tns_expr *expr)
{
  bool whole = !tns_elem_is_float (expr->type.elem);
  switch (expr->op)
    {
    case TNS_SELECT:
      print (text, expr->arg[0], OR);
      tns_text_add (text, " ? ");
      print (text, expr->arg[1], CHOICE);
      tns_text_add (text, " : ");
      print (text, expr->arg[2], CHOICE);
      return true;
    case TNS_NEG:
    case TNS_LNOT:
      tns_text_add (text, expr->op == TNS_NEG ? "-" : "!");
      print (text, expr->arg[0], PREFIX + 1);
      return true;
    case TNS_DIV:
    case TNS_FLOORDIV:
      if (whole)
        print_quotient (text, expr->op == TNS_DIV ? "trunc" : "floor", expr);
      return whole;
    case TNS_MOD:
      print (text, expr->arg[0], SUM);
      tns_text_add (text, " - ");
      print (text, expr->arg[1], PRODUCT);
      tns_text_add (text, "*");
      print_quotient (text, "floor", expr);
      return true;
    default:
      return false;
    }
}

/* How tight EXPR binds, as it is written.  */
static int
tightness_of (const tns_expr *expr)
{
  int tightness = PREFIX + 1;
  bool whole = !tns_elem_is_float (expr->type.elem);
  if (expr->op == TNS_SELECT)
    return CHOICE;
  if (expr->op == TNS_MOD)
    return SUM;
  if (expr->op == TNS_NEG || expr->op == TNS_LNOT)
    return PREFIX;
  if (!(expr->op == TNS_DIV && whole))
    infix (expr->op, &tightness);
  return tightness;
}

/* Print EXPR as an operand of an operator that binds as tight as OUTER.  */
static void
print (tns_text *text, const tns_expr *expr, int outer)
{
  expr = unconverted (expr);
  if (print_leaf (text, expr))
    return;
  int ignored;
  int tightness = tightness_of (expr);
  const char *between = infix (expr->op, &ignored);
  tns_text_add (text, tightness < outer ? "(" : "");
  if (!print_other (text, expr))
    {
      if (between)
        print_infix (text, expr, between, tightness);
      else
        print_call (text, expr);
    }
  tns_text_add (text, tightness < outer ? ")" : "");
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
    print (text, expr, CHOICE);
  return is_constant;
}
