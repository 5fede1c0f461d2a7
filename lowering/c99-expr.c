/* Expressions in C, with exactly the types of the IR.

   Arithmetic on types narrower than int is cast back, constants carry the
   suffix of their type, floating constants have as many digits as read back
   to the same bits.  Where C has no operator of that meaning a small inline
   function is printed once, in front:

     min (a, b)  of F32   ->  tensor_min_f32 (a, b)
     floordiv    of I64   ->  tensor_floordiv_i64 (a, b)

   Array parameters are pointers, subscripts are written out:
   A[i][j] -> A[i * M + j].  Vector operators do not occur in scheduled IR;
   met nevertheless they print as a call that does not exist, so that the
   text does not compile.  */

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ir/handed.h"
#include "lowering/c99-text.h"

/* C's precedence, and what stands between.  */
enum
{
  CHOICE = 2,
  EQUAL = 8,
  ORDER = 9,
  SUM = 11,
  PRODUCT = 12,
  UNARY = 13,
  PRIMARY = 14
};

/* The precedence of OP where C has an operator for it, else PRIMARY.  */
static int
precedence (tns_op op)
{
  switch (op)
    {
    case TNS_SELECT:
      return CHOICE;
    case TNS_LOR:
      return 3;
    case TNS_LAND:
      return 4;
    case TNS_OR:
      return 5;
    case TNS_XOR:
      return 6;
    case TNS_AND:
      return 7;
    case TNS_EQ:
    case TNS_NE:
      return EQUAL;
    case TNS_LT:
    case TNS_LE:
    case TNS_GT:
    case TNS_GE:
      return ORDER;
    case TNS_SHL:
    case TNS_SHR:
      return 10;
    case TNS_ADD:
    case TNS_SUB:
    case TNS_FMA:
      return SUM;
    case TNS_MUL:
    case TNS_DIV:
    case TNS_REM:
      return PRODUCT;
    case TNS_NEG:
    case TNS_NOT:
    case TNS_LNOT:
    case TNS_CAST:
      return UNARY;
    default:
      return PRIMARY;
    }
}

/* C computes in int what the IR computes in ELEM.  */
static bool
is_narrow (tns_elem elem)
{
  return tns_elem_is_integer (elem) && tns_elem_bytes (elem) < 4;
}

/* An integer constant without parentheses around it, but where it is one less
   than what C can spell.  PLAIN: what stands beside it has its type.  */
static void
add_int (tns_c99 *c, const tns_expr *expr, bool plain)
{
  long long value = expr->integer;
  tns_elem elem = expr->type.elem;
  const char *suffix = elem == TNS_U32             ? "u"
                       : elem == TNS_U64           ? "ul"
                       : elem == TNS_I64 && !plain ? "L"
                                                   : "";
  if (elem == TNS_U64)
    tns_text_format (c->text, "%lluul", (unsigned long long) value);
  else if (value == -9223372036854775807LL - 1)
    tns_text_add (c->text, "(-9223372036854775807L - 1)");
  else if (value == -2147483648LL && elem == TNS_I32)
    tns_text_add (c->text, "(-2147483647 - 1)");
  else
    tns_text_format (c->text, "%lld%s", value, suffix);
}

/* VALUE read back from CHARS as ELEM.  */
static bool
reads_back (const char *chars, tns_elem elem, long double value)
{
  if (elem == TNS_F32)
    return strtof (chars, NULL) == (float) value;
  if (elem == TNS_F64)
    return strtod (chars, NULL) == (double) value;
  return strtold (chars, NULL) == value;
}

/* A finite floating constant.  */
static void
add_finite (tns_c99 *c, long double value, tns_elem elem)
{
  const int most_digits = 21;
  tns_arena *arena = c->text->arena;
  const char *chars = NULL;
  for (int digits = 1; digits <= most_digits; digits++)
    {
      chars = tns_arena_format (arena, "%.*Lg", digits, value);
      if (reads_back (chars, elem, value))
        break;
    }
  if (!reads_back (chars, elem, value))
    chars = tns_arena_format (arena, "%La", value);
  const char *point = strpbrk (chars, ".ep") ? "" : ".0";
  const char *suffix = elem == TNS_F32 ? "f" : elem == TNS_F80 ? "L" : "";
  tns_text_format (c->text, "%s%s%s", chars, point, suffix);
}

/* A floating constant without parentheses around it.  NAN and INFINITY are
   float, which any other operand widens.  */
static void
add_real (tns_c99 *c, const tns_expr *expr)
{
  bool is_long = expr->type.elem == TNS_F80;
  if (c->is_cuda && !isfinite ((double) expr->real))
    tns_text_add (c->text, isnan (expr->real) ? "tns_bits<float> (0x7fc00000)"
                           : expr->real < 0   ? "-tns_bits<float> (0x7f800000)"
                                              : "tns_bits<float> (0x7f800000)");
  else if (isnan (expr->real))
    tns_text_add (c->text, "NAN");
  else if (is_long ? isinf (expr->real) : isinf ((double) expr->real))
    tns_text_add (c->text, expr->real < 0 ? "-INFINITY" : "INFINITY");
  else
    add_finite (c, expr->real, expr->type.elem);
}

/* Subscripts of a local array of constant extents: [i][j].  */
static void
add_brackets (tns_c99 *c, const tns_expr *load)
{
  for (int k = 0; k < load->sym->rank; k++)
    {
      tns_text_add (c->text, "[");
      tns_c99_expr (c, load->arg[k], 0);
      tns_text_add (c->text, "]");
    }
}

/* EXTENT, of an array of which an element is used: 1 at least.  */
static tns_expr *
positive (tns_arena *arena, tns_expr *extent)
{
  tns_expr *made = tns_c99_tidy_expr (arena, extent);
  long long least;
  for (int k = 0; made->op == TNS_MAX && k < 2; k++)
    if (tns_expr_is_int (made->arg[k], &least) && least <= 1)
      return made->arg[1 - k];
  return made;
}

/* The number of an element as one expression of the IR.  */
static tns_expr *
element_number (tns_c99 *c, const tns_expr *load)
{
  tns_arena *arena = c->text->arena;
  const tns_sym *sym = load->sym;
  tns_expr *sum = NULL;
  for (int k = 0; k < sym->rank; k++)
    {
      tns_expr *term = load->arg[k];
      if (sym->stride)
        term = tns_binary (arena, TNS_MUL, term, sym->stride[k]);
      else if (sum)
        sum
          = tns_binary (arena, TNS_MUL, sum, positive (arena, sym->extent[k]));
      sum = sum ? tns_binary (arena, TNS_ADD, sum, term) : term;
    }
  return sum;
}

/* An element of an array, or a cell.  */
static void
add_element (tns_c99 *c, const tns_expr *load)
{
  const tns_sym *sym = load->sym;
  const char *name = tns_c99_name (c, sym);
  if (load->type.lanes > 1)
    tns_text_add (c->text, "vector_load ");
  if (sym->rank == 0)
    tns_text_format (c->text, tns_sym_is_local (sym) ? "%s" : "%s[0]", name);
  else
    tns_text_add (c->text, name);
  if (sym->rank > 0 && tns_sym_is_local (sym) && !sym->stride
      && !tns_c99_is_heap (sym))
    add_brackets (c, load);
  else if (sym->rank > 0)
    {
      tns_text_add (c->text, "[");
      tns_c99_expr (c, element_number (c, load), 0);
      tns_text_add (c->text, "]");
    }
}

/* NAME (operands).  */
static void
add_call (tns_c99 *c, const char *name, const tns_expr *expr)
{
  const tns_handed *handed = tns_call_arguments (expr);
  tns_text_format (c->text, "%s (", name);
  for (int k = 0; k < expr->n_args; k++)
    {
      if (handed && handed[k].kind == TNS_HANDED_COUNT)
        continue;
      bool is_place = handed && tns_argument_is_place (expr, k);
      tns_text_add (c->text, k ? ", " : "");
      tns_text_add (c->text, is_place ? "&" : "");
      if (expr->arg[k]->op == TNS_INT)
        add_int (c, expr->arg[k], true);
      else
        tns_c99_expr (c, expr->arg[k], CHOICE);
    }
  tns_text_add (c->text, ")");
}

/* A helper's name; it will be printed in front.  */
static const char *
helper (tns_c99 *c, tns_op op, tns_elem elem)
{
  c->needs[op][elem] = true;
  return tns_arena_format (c->text->arena, "tensor_%s_%s", tns_op_name (op),
                           tns_elem_name (elem));
}

/* An operand of an infix operator.  Beside another constant, or alone, a
   constant shows its type.  */
static void
add_operand (tns_c99 *c, const tns_expr *operand, const tns_expr *beside,
             int at_least)
{
  if (operand->op == TNS_INT && operand->integer >= 0 && beside
      && beside->op != TNS_INT && tns_type_equal (operand->type, beside->type))
    add_int (c, operand, true);
  else
    tns_c99_expr (c, operand, at_least);
}

/* The least precedence of operands of OP.  Bit operators, shifts and mixed
   truth operators get more parentheses than C needs, for the reader.  */
static int
operand_precedence (tns_op op)
{
  switch (op)
    {
    case TNS_ADD:
    case TNS_SUB:
      return SUM;
    case TNS_MUL:
    case TNS_DIV:
    case TNS_REM:
      return PRODUCT;
    case TNS_LAND:
    case TNS_LOR:
      return EQUAL;
    case TNS_SHL:
    case TNS_SHR:
    case TNS_AND:
    case TNS_OR:
    case TNS_XOR:
      return UNARY;
    default:
      return SUM;
    }
}

/* EXPR with the other sign, where it is written with a minus in front, and that
   changes no bit: else NULL.  */
static tns_expr *
opposite (tns_arena *arena, tns_expr *expr)
{
  bool is_product = expr->op == TNS_MUL || expr->op == TNS_DIV;
  bool is_integer = tns_elem_is_integer (expr->type.elem);
  if (expr->op == TNS_NEG)
    return expr->arg[0];
  if (expr->op == TNS_INT && expr->integer < 0 && expr->integer > -INT_MAX
      && (expr->type.elem == TNS_I32 || expr->type.elem == TNS_I64))
    return tns_int_of (arena, expr->type.elem, -expr->integer);
  if (!is_product || (expr->op == TNS_DIV && is_integer))
    return NULL;
  tns_expr *first = opposite (arena, expr->arg[0]);
  tns_expr *operand[] = { first, expr->arg[1] };
  return first ? tns_expr_with_args (arena, expr, operand) : NULL;
}

/* EXPR without the minus in front of it, if there is one; IS_MINUS changes
   then.  */
static tns_expr *
without_minus (tns_arena *arena, tns_expr *expr, bool *is_minus)
{
  for (tns_expr *other; (other = opposite (arena, expr)); expr = other)
    *is_minus = !*is_minus;
  return expr;
}

/* The operator of EXPR, + or -, in *OP, and its second operand, so that no
   minus is in front of that.  */
static tns_expr *
signed_operand (tns_c99 *c, const tns_expr *expr, const char **op)
{
  bool is_minus = expr->op == TNS_SUB;
  *op = tns_op_infix (expr->op);
  if ((expr->op != TNS_ADD && !is_minus) || is_narrow (expr->type.elem))
    return expr->arg[1];
  tns_expr *second = without_minus (c->text->arena, expr->arg[1], &is_minus);
  *op = is_minus ? "-" : "+";
  return second;
}

/* a OP b.  */
static void
add_infix (tns_c99 *c, const tns_expr *expr)
{
  const char *op;
  tns_expr *second = signed_operand (c, expr, &op);
  int own = precedence (expr->op);
  int left = operand_precedence (expr->op);
  int right = own == SUM || own == PRODUCT ? own + 1 : left;
  if (expr->arg[0]->op == expr->op && tns_op_class (expr->op) == 'B')
    left = own;
  add_operand (c, expr->arg[0], second, left);
  tns_text_format (c->text, " %s ", op);
  add_operand (c, second, expr->arg[0], right);
}

/* A unary operator spelled SIGN.  */
static void
add_prefix (tns_c99 *c, const char *sign, const tns_expr *expr)
{
  tns_text_add (c->text, sign);
  tns_c99_expr (c, expr->arg[0], PRIMARY);
}

/* a ? b : c.  */
static void
add_choice (tns_c99 *c, const tns_expr *expr)
{
  tns_c99_expr (c, expr->arg[0], CHOICE + 1);
  tns_text_add (c->text, " ? ");
  tns_c99_expr (c, expr->arg[1], CHOICE + 1);
  tns_text_add (c->text, " : ");
  tns_c99_expr (c, expr->arg[2], CHOICE + 1);
}

/* |a|.  */
static void
add_absolute (tns_c99 *c, const tns_expr *expr)
{
  tns_elem elem = expr->type.elem;
  if (elem == TNS_F32)
    add_call (c, "fabsf", expr);
  else if (tns_elem_is_float (elem))
    add_call (c, elem == TNS_F64 ? "fabs" : "fabsl", expr);
  else
    add_call (c, helper (c, TNS_ABS, elem), expr);
}

/* ldexp (a, b): b is an int in C.  */
static void
add_scaled (tns_c99 *c, const tns_expr *expr)
{
  const tns_expr *exponent = expr->arg[1];
  if (exponent->op == TNS_CAST
      && tns_elem_is_integer (exponent->arg[0]->type.elem))
    exponent = exponent->arg[0];
  tns_text_format (c->text, "%s (",
                   tns_op_math_name (TNS_LDEXP, expr->type.elem));
  tns_c99_expr (c, expr->arg[0], CHOICE);
  tns_text_add (c->text, ", (int) ");
  tns_c99_expr (c, exponent, UNARY);
  tns_text_add (c->text, ")");
}

/* a * b + c.  */
static void
add_fused (tns_c99 *c, const tns_expr *expr)
{
  tns_c99_expr (c, expr->arg[0], PRODUCT);
  tns_text_add (c->text, " * ");
  tns_c99_expr (c, expr->arg[1], UNARY);
  tns_text_add (c->text, " + ");
  tns_c99_expr (c, expr->arg[2], PRODUCT);
}

/* ((union { unsigned from; float to; }){ x }).to  */
static void
add_bits (tns_c99 *c, const tns_expr *expr)
{
  if (c->is_cuda)
    {
      tns_text_format (c->text, "tns_bits<%s> (",
                       tns_elem_c_name (expr->type.elem));
      tns_c99_expr (c, expr->arg[0], 1);
      tns_text_add (c->text, ")");
      return;
    }
  tns_text_format (c->text, "((union { %s from; %s to; }){ ",
                   tns_elem_c_name (expr->arg[0]->type.elem),
                   tns_elem_c_name (expr->type.elem));
  tns_c99_expr (c, expr->arg[0], 1);
  tns_text_add (c->text, " }).to");
}

/* EXPR, an operator, without parentheses around it.  */
static void
add_operator (tns_c99 *c, const tns_expr *expr)
{
  tns_elem elem = expr->type.elem;
  switch (expr->op)
    {
    case TNS_NEG:
      add_prefix (c, "-", expr);
      return;
    case TNS_NOT:
      add_prefix (c, elem == TNS_BOOL ? "!" : "~", expr);
      return;
    case TNS_LNOT:
      add_prefix (c, "!", expr);
      return;
    case TNS_CAST:
      tns_text_format (c->text, "(%s) ", tns_elem_c_name (elem));
      tns_c99_expr (c, expr->arg[0], UNARY);
      return;
    case TNS_BITS:
      add_bits (c, expr);
      return;
    case TNS_SELECT:
      add_choice (c, expr);
      return;
    case TNS_ABS:
      add_absolute (c, expr);
      return;
    case TNS_FMA:
      add_fused (c, expr);
      return;
    case TNS_LDEXP:
      add_scaled (c, expr);
      return;
    default:
      break;
    }
  if (tns_op_infix (expr->op))
    add_infix (c, expr);
  else if (expr->op == TNS_CALL)
    add_call (c, tns_c99_name (c, expr->sym), expr);
  else if (tns_op_class (expr->op) == 'M')
    add_call (c, tns_op_math_name (expr->op, elem), expr);
  else if (tns_op_class (expr->op) == 'A')
    add_call (c, helper (c, expr->op, elem), expr);
  else
    add_call (c, "vector_operation", expr);
}

/* EXPR, an operator; cast back where C computes in int.  */
static void
add_typed (tns_c99 *c, const tns_expr *expr, int at_least)
{
  int own = precedence (expr->op);
  bool cast = is_narrow (expr->type.elem) && tns_op_class (expr->op) == 'A'
              && own != PRIMARY;
  if (cast)
    tns_text_format (c->text, "(%s) (", tns_elem_c_name (expr->type.elem));
  else if (own < at_least)
    tns_text_add (c->text, "(");
  add_operator (c, expr);
  tns_text_add (c->text, cast || own < at_least ? ")" : "");
}

void
tns_c99_expr (tns_c99 *c, const tns_expr *expr, int at_least)
{
  bool is_minus
    = (expr->op == TNS_INT && expr->integer < 0 && expr->type.elem != TNS_U64)
      || (expr->op == TNS_REAL && signbit (expr->real));
  if (is_minus && at_least > SUM)
    tns_text_add (c->text, "(");
  switch (expr->op)
    {
    case TNS_INT:
      add_int (c, expr, at_least == 0);
      break;
    case TNS_REAL:
      add_real (c, expr);
      break;
    case TNS_SYM:
      tns_text_add (c->text, tns_c99_name (c, expr->sym));
      break;
    case TNS_LOAD:
      add_element (c, expr);
      break;
    default:
      add_typed (c, expr, at_least);
      break;
    }
  if (is_minus && at_least > SUM)
    tns_text_add (c->text, ")");
}

void
tns_c99_factor (tns_c99 *c, const tns_expr *expr)
{
  tns_c99_expr (c, expr, expr->op == TNS_INT ? 0 : PRIMARY);
}

void
tns_c99_update (tns_c99 *c, const tns_expr *target, tns_op update,
                const tns_expr *value)
{
  tns_expr *operand[2] = { (tns_expr *) target, (tns_expr *) value };
  const char *infix = update == TNS_NONE ? "" : tns_op_infix (update);
  if (infix && (update == TNS_LAND || update == TNS_LOR))
    infix = NULL;
  add_element (c, target);
  if (infix && update == TNS_ADD && !is_narrow (target->type.elem))
    {
      bool is_minus = false;
      value = without_minus (c->text->arena, operand[1], &is_minus);
      infix = is_minus ? "-" : "+";
    }
  if (infix)
    {
      tns_text_format (c->text, " %s= ", infix);
      tns_c99_expr (c, value, 0);
    }
  else
    {
      tns_text_add (c->text, " = ");
      tns_c99_expr (
        c, tns_make (c->text->arena, update, target->type, NULL, 2, operand),
        0);
    }
  tns_text_add (c->text, ";");
}

/* What helper OP returns.  */
static const char *
helper_value (tns_op op, bool is_cuda)
{
  switch (op)
    {
    case TNS_MIN:
      return "b < a ? b : a";
    case TNS_MAX:
      return "b > a ? b : a";
    case TNS_FLOORDIV:
      return "a / b - (a % b < 0)";
    case TNS_MOD:
      return "a % b < 0 ? a % b + b : a % b";
    case TNS_ABS:
      return "a < 0 ? -a : a";
    case TNS_POPCOUNT:
      return is_cuda ? "TNS_BITS (a)" : "__builtin_popcountll (a)";
    case TNS_CLZ:
      return is_cuda ? "8 * sizeof a - (a ? 64 - TNS_ZEROS (a) : 0)"
                     : "8 * sizeof a - (a ? 64 - __builtin_clzll (a) : 0)";
    default:
      return NULL;
    }
}

/* Helper OP on ELEM, once in a text of many regions.  */
static void
add_helper (const tns_c99 *c, tns_text *text, tns_op op, tns_elem elem)
{
  const char *type = tns_elem_c_name (elem);
  const char *name = tns_arena_format (text->arena, "tensor_%s_%s",
                                       tns_op_name (op), tns_elem_name (elem));
  const char *parameters
    = tns_op_arity (op) == 1
        ? tns_arena_format (text->arena, "%s a", type)
        : tns_arena_format (text->arena, "%s a, %s b", type, type);
  tns_text_line (text, "#ifndef HAVE_%s", name);
  tns_text_line (text, "#define HAVE_%s", name);
  tns_text_line (text, "static %s %s",
                 c->is_cuda ? "__device__ __forceinline__" : "inline", type);
  tns_text_line (text, "%s (%s)", name, parameters);
  tns_text_line (text, "{");
  tns_text_line (text, "  return %s;", helper_value (op, c->is_cuda));
  tns_text_line (text, "}");
  tns_text_line (text, "#endif");
  tns_text_line (text, "%s", "");
}

void
tns_c99_helpers (const tns_c99 *c, tns_text *text)
{
  for (int op = 0; op < TNS_N_OPS; op++)
    for (int elem = 0; elem < TNS_N_ELEMS; elem++)
      if (c->needs[op][elem] && helper_value ((tns_op) op, c->is_cuda))
        add_helper (c, text, (tns_op) op, (tns_elem) elem);
}
