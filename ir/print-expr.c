/* The text form of expressions, written.

   Expressions are printed with as few parentheses as C's precedence needs,
   and so that the tree read back has the same shape: a + (b + c) keeps its
   parentheses.  Floating constants get as few digits as read back to the
   same bits.  The grammar stands at the head of ir/parse.h.  */

#include "ir/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How tightly operators bind.  */
enum
{
  ANYTHING = 0,
  PRIMARY = 11
};

/* "f32" or "f32x16".  */
static void
add_type (tns_text *text, tns_type type)
{
  tns_text_add (text, tns_elem_name (type.elem));
  if (type.lanes > 1)
    tns_text_format (text, "x%d", type.lanes);
}

/* An integer constant; I64 goes without saying.  */
static void
add_int (tns_text *text, const tns_expr *expr)
{
  if (expr->type.elem == TNS_U64)
    tns_text_format (text, "%llu", (unsigned long long) expr->integer);
  else
    tns_text_format (text, "%lld", expr->integer);
  if (expr->type.elem != TNS_I64)
    add_type (text, expr->type);
}

/* Whether CHARS reads back as VALUE of type ELEM.  */
static bool
reads_back (const char *chars, tns_elem elem, long double value)
{
  switch (elem)
    {
    case TNS_F32:
      return (long double) strtof (chars, NULL) == value;
    case TNS_F64:
      return (long double) strtod (chars, NULL) == value;
    default:
      return strtold (chars, NULL) == value;
    }
}

/* A floating constant, in as few digits as keep it.  */
static void
add_real (tns_text *text, const tns_expr *expr)
{
  long double value = expr->real;
  const char *elem = tns_elem_name (expr->type.elem);
  if (isnan (value) || isinf (value))
    {
      tns_text_format (text, "%s%s(%s)", signbit (value) ? "-" : "",
                       isnan (value) ? "nan" : "inf", elem);
      return;
    }
  if (value == rintl (value) && fabsl (value) < 1e15L)
    {
      tns_text_format (text, "%.1Lf%s", value, elem);
      return;
    }
  char digits[64];
  for (int precision = 1; precision <= 21; precision++)
    {
      snprintf (digits, sizeof digits, "%.*Lg", precision, value);
      if (reads_back (digits, expr->type.elem, value))
        break;
    }
  const char *point = strpbrk (digits, ".e") ? "" : ".0";
  tns_text_format (text, "%s%s%s", digits, point, elem);
}

/* EXPR, in parentheses when it is infix and binds less than LEAST.  */
static void
add_operand (tns_text *text, const tns_expr *expr, int least)
{
  bool is_loose = tns_op_infix (expr->op) && tns_op_binding (expr->op) < least;
  tns_text_add (text, is_loose ? "(" : "");
  tns_expr_print (text, expr);
  tns_text_add (text, is_loose ? ")" : "");
}

/* ARG[0..n) with commas.  */
static void
add_list (tns_text *text, tns_expr *const *arg, int n)
{
  for (int k = 0; k < n; k++)
    {
      if (k)
        tns_text_add (text, ", ");
      tns_expr_print (text, arg[k]);
    }
}

/* The array and subscripts of a LOAD, MASKED, GATHER or PAST_LINE.  */
static void
add_element (tns_text *text, const tns_expr *expr)
{
  tns_text_add (text, expr->sym->name);
  for (int k = 0; k < expr->sym->rank && k < expr->n_args; k++)
    {
      tns_text_add (text, "[");
      tns_expr_print (text, expr->arg[k]);
      tns_text_add (text, "]");
    }
}

/* A LOAD: A[i][j] or A[i][j]:f32x16.  */
static void
add_load (tns_text *text, const tns_expr *expr)
{
  add_element (text, expr);
  if (expr->type.lanes > expr->sym->type.lanes)
    {
      tns_text_add (text, ":");
      add_type (text, expr->type);
    }
}

/* masked:f32x16(A[i], mask), gather:f32x16(A[v]).  */
static void
add_lanes_load (tns_text *text, const tns_expr *expr)
{
  tns_text_format (text, "%s:", tns_op_name (expr->op));
  add_type (text, expr->type);
  tns_text_add (text, "(");
  add_element (text, expr);
  if (expr->n_args > expr->sym->rank)
    {
      tns_text_add (text, ", ");
      tns_expr_print (text, expr->arg[expr->sym->rank]);
    }
  tns_text_add (text, ")");
}

/* past_line(A[i]).  */
static void
add_past_line (tns_text *text, const tns_expr *expr)
{
  tns_text_format (text, "%s(", tns_op_name (expr->op));
  add_element (text, expr);
  tns_text_add (text, ")");
}

/* -a, ~a, !a.  A constant gets parentheses, since -3 is a constant.  */
static void
add_prefix (tns_text *text, const tns_expr *expr, char sign)
{
  tns_op op = expr->arg[0]->op;
  bool is_constant = op == TNS_INT || op == TNS_REAL;
  tns_text_format (text, is_constant ? "%c(" : "%c", sign);
  add_operand (text, expr->arg[0], is_constant ? ANYTHING : PRIMARY);
  tns_text_add (text, is_constant ? ")" : "");
}

/* a + b.  */
static void
add_infix (tns_text *text, const tns_expr *expr)
{
  int own = tns_op_binding (expr->op);
  add_operand (text, expr->arg[0], own);
  tns_text_add (text, " ");
  tns_text_add (text, tns_op_infix (expr->op));
  tns_text_add (text, " ");
  add_operand (text, expr->arg[1], own + 1);
}

/* (c ? a : b).  */
static void
add_select (tns_text *text, const tns_expr *expr)
{
  tns_text_add (text, "(");
  tns_expr_print (text, expr->arg[0]);
  tns_text_add (text, " ? ");
  tns_expr_print (text, expr->arg[1]);
  tns_text_add (text, " : ");
  tns_expr_print (text, expr->arg[2]);
  tns_text_add (text, ")");
}

/* name(a, b), or name:type(a) for an operator that needs its type.  */
static void
add_function (tns_text *text, const tns_expr *expr)
{
  if (expr->op == TNS_CAST)
    add_type (text, expr->type);
  else
    tns_text_add (text, tns_op_name (expr->op));
  if (expr->op == TNS_CALL)
    tns_text_format (text, " %s", expr->sym->name);
  if (expr->op == TNS_SPLAT || expr->op == TNS_IOTA || expr->op == TNS_BITS)
    {
      tns_text_add (text, ":");
      add_type (text, expr->type);
    }
  tns_text_add (text, "(");
  add_list (text, expr->arg, expr->n_args);
  tns_text_add (text, ")");
}

void
tns_expr_print (tns_text *text, const tns_expr *expr)
{
  switch (expr ? expr->op : TNS_NONE)
    {
    case TNS_NONE:
      break;
    case TNS_INT:
      add_int (text, expr);
      break;
    case TNS_REAL:
      add_real (text, expr);
      break;
    case TNS_SYM:
      tns_text_add (text, expr->sym->name);
      break;
    case TNS_LOAD:
      add_load (text, expr);
      break;
    case TNS_MASKED:
    case TNS_GATHER:
      add_lanes_load (text, expr);
      break;
    case TNS_PAST_LINE:
      add_past_line (text, expr);
      break;
    case TNS_NEG:
      add_prefix (text, expr, '-');
      break;
    case TNS_NOT:
      add_prefix (text, expr, '~');
      break;
    case TNS_LNOT:
      add_prefix (text, expr, '!');
      break;
    case TNS_SELECT:
      add_select (text, expr);
      break;
    default:
      if (tns_op_infix (expr->op))
        add_infix (text, expr);
      else
        add_function (text, expr);
    }
}
