/* The text form of expressions, read.

   A parser by descent with one token in sight: infix operators by climbing
   over their precedence, which is C's.  Types follow from the operands;
   operands of different types are an error at the operator.  Nothing is
   folded, so that the tree is the one that was printed.  */

#include "ir/parser.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MOST_DEPTH = 400,
  MOST_OPERANDS = 16
};

void
tns_parser_fail (tns_parser *p, const char *words)
{
  p->error->line = p->lexer.token.line;
  p->error->column = p->lexer.token.column;
  p->error->words = words;
  longjmp (p->failed, 1);
}

void
tns_parser_enter (tns_parser *p)
{
  if (++p->depth > MOST_DEPTH)
    tns_parser_fail (p, "nested too deeply");
}

bool
tns_parser_take (tns_parser *p, const char *chars)
{
  if (!tns_word_is (&p->lexer.token, chars))
    return false;
  tns_lexer_next (&p->lexer);
  return true;
}

void
tns_parser_expect (tns_parser *p, const char *chars)
{
  if (!tns_parser_take (p, chars))
    tns_parser_fail (p, tns_arena_format (p->arena, "expected %s", chars));
}

/* The current token's characters.  */
static const char *
spelling (tns_parser *p)
{
  return tns_arena_format (p->arena, "%.*s", (int) p->lexer.token.length,
                           p->lexer.token.start);
}

const char *
tns_parser_name (tns_parser *p)
{
  if (p->lexer.token.kind != TNS_WORD_NAME)
    tns_parser_fail (p, "expected a name");
  const char *name = spelling (p);
  tns_lexer_next (&p->lexer);
  return name;
}

tns_loc
tns_parser_loc (const tns_parser *p)
{
  return (tns_loc){ 0, p->lexer.token.line, p->lexer.token.column };
}

long long
tns_parser_number (tns_parser *p)
{
  bool is_negative = tns_parser_take (p, "-");
  if (p->lexer.token.kind != TNS_WORD_NUMBER)
    tns_parser_fail (p, "expected a number");
  char *end;
  errno = 0;
  long long value = strtoll (p->lexer.token.start, &end, 10);
  if (errno || end != p->lexer.token.start + p->lexer.token.length)
    tns_parser_fail (p, "expected an integer without a type");
  tns_lexer_next (&p->lexer);
  return is_negative ? -value : value;
}

/* The type that NAME spells, "f32" or "f32x16"; lanes is 0 for none.  */
static tns_type
type_of_name (const char *name)
{
  size_t length = strcspn (name, "x");
  char elem[8] = "";
  if (length >= sizeof elem)
    return tns_vector (TNS_BOOL, 0);
  memcpy (elem, name, length);
  tns_elem found = tns_elem_from_name (elem);
  if (found == TNS_N_ELEMS)
    return tns_vector (TNS_BOOL, 0);
  if (!name[length])
    return tns_scalar (found);
  char *end;
  long lanes = strtol (name + length + 1, &end, 10);
  bool is_good = !*end && lanes > 1 && lanes <= TNS_MOST_LANES;
  return tns_vector (found, is_good ? (int) lanes : 0);
}

tns_type
tns_parser_type (tns_parser *p)
{
  if (p->lexer.token.kind != TNS_WORD_NAME)
    tns_parser_fail (p, "expected a type");
  tns_type type = type_of_name (spelling (p));
  if (!type.lanes)
    tns_parser_fail (p, "there is no such type");
  tns_lexer_next (&p->lexer);
  return type;
}

/* The floating constant of type ELEM that CHARS begins with.  */
static tns_expr *
real_constant (tns_parser *p, tns_elem elem, const char *chars, bool negative)
{
  long double value = elem == TNS_F32   ? (long double) strtof (chars, NULL)
                      : elem == TNS_F64 ? (long double) strtod (chars, NULL)
                                        : strtold (chars, NULL);
  return tns_real (p->arena, elem, negative ? -value : value);
}

/* The integer constant of type ELEM that CHARS begins with.  */
static tns_expr *
integer_constant (tns_parser *p, tns_elem elem, const char *chars,
                  bool negative)
{
  errno = 0;
  unsigned long long value = strtoull (chars, NULL, 10);
  unsigned long long most
    = elem == TNS_U64 ? -1ULL : (unsigned long long) (-1ULL >> 1) + negative;
  if (errno || value > most)
    tns_parser_fail (p, "the constant is too large");
  tns_expr *expr
    = tns_int_of (p->arena, elem, (long long) (negative ? -value : value));
  if (elem != TNS_I64 && elem != TNS_U64
      && expr->integer != (long long) (negative ? -value : value))
    tns_parser_fail (p, "the constant does not fit its type");
  return expr;
}

/* The NUMBER that is the current token.  */
static tns_expr *
parse_number (tns_parser *p, bool negative)
{
  const char *chars = spelling (p);
  char *integer_end;
  char *real_end;
  (void) strtoull (chars, &integer_end, 10);
  (void) strtold (chars, &real_end);
  char *end = real_end > integer_end ? real_end : integer_end;
  tns_elem elem = *end ? tns_elem_from_name (end) : TNS_I64;
  if (elem == TNS_N_ELEMS)
    tns_parser_fail (p, "there is no such type of constants");
  tns_expr *expr;
  if (tns_elem_is_float (elem))
    expr = real_constant (p, elem, chars, negative);
  else if (real_end > integer_end)
    tns_parser_fail (p, "a floating constant needs its type: 1.5f32");
  else
    expr = integer_constant (p, elem, chars, negative);
  tns_lexer_next (&p->lexer);
  return expr;
}

/* Behind "inf" or "nan": (ELEM).  */
static tns_expr *
parse_special (tns_parser *p, bool is_nan, bool negative)
{
  tns_parser_expect (p, "(");
  tns_type type = tns_parser_type (p);
  if (!tns_elem_is_float (type.elem) || type.lanes != 1)
    tns_parser_fail (p, "inf and nan are of floating types");
  tns_parser_expect (p, ")");
  long double value = is_nan ? __builtin_nanl ("") : __builtin_infl ();
  return tns_real (p->arena, type.elem, negative ? -value : value);
}

/* The subscripts of SYM into ARG.  */
static void
parse_subscripts (tns_parser *p, tns_sym *sym, tns_expr **arg)
{
  for (int k = 0; k < sym->rank; k++)
    {
      tns_parser_expect (p, "[");
      arg[k] = tns_parser_expr (p);
      tns_parser_expect (p, "]");
    }
}

/* The symbol called NAME; an error when there is none.  */
static tns_sym *
find_symbol (tns_parser *p, const char *name)
{
  tns_sym *sym = tns_region_find (p->region, name);
  if (!sym)
    tns_parser_fail (p, tns_arena_format (p->arena, "there is no %s", name));
  return sym;
}

/* What stands for a symbol: its value, or a load.  */
static tns_expr *
parse_symbol (tns_parser *p, const char *name)
{
  tns_sym *sym = find_symbol (p, name);
  if (sym->kind != TNS_SYM_ARRAY)
    return tns_value (p->arena, sym);
  tns_expr **arg = TNS_NEW_ARRAY (p->arena, tns_expr *, sym->rank);
  parse_subscripts (p, sym, arg);
  tns_type type = sym->type;
  if (sym->rank && p->lexer.token.start[-1] == ']' && tns_parser_take (p, ":"))
    type = tns_parser_type (p);
  if (type.elem != sym->type.elem)
    tns_parser_fail (p, "a load does not convert");
  return tns_make (p->arena, TNS_LOAD, type, sym, sym->rank, arg);
}

/* masked and gather behind their type: (A[i], mask).  */
static tns_expr *
parse_lanes_load (tns_parser *p, tns_op op, tns_type type)
{
  tns_parser_expect (p, "(");
  tns_sym *sym = find_symbol (p, tns_parser_name (p));
  if (sym->kind != TNS_SYM_ARRAY || type.elem != sym->type.elem)
    tns_parser_fail (p, "expected an array of that type");
  tns_expr **arg = TNS_NEW_ARRAY (p->arena, tns_expr *, sym->rank + 1);
  parse_subscripts (p, sym, arg);
  int n = sym->rank;
  if (tns_parser_take (p, ","))
    arg[n++] = tns_parser_expr (p);
  tns_parser_expect (p, ")");
  return tns_make (p->arena, op, type, sym, n, arg);
}

/* OPERATOR ":" TYPE (...), from the colon on.  */
static tns_expr *
parse_typed (tns_parser *p, tns_op op)
{
  tns_parser_expect (p, ":");
  tns_type type = tns_parser_type (p);
  if (op == TNS_MASKED || op == TNS_GATHER)
    return parse_lanes_load (p, op, type);
  tns_parser_expect (p, "(");
  tns_expr *arg = tns_parser_expr (p);
  tns_parser_expect (p, ")");
  return tns_make (p->arena, op, type, NULL, 1, &arg);
}

/* Operands of OP that must be of one type but are not.  */
static void
check_operands (tns_parser *p, tns_op op, int n, tns_expr *const *arg)
{
  if (!strchr ("ACBM", tns_op_class (op)))
    return;
  for (int k = 1; k < n; k++)
    if (!tns_type_equal (arg[0]->type, arg[k]->type))
      tns_parser_fail (p, tns_arena_format (p->arena,
                                            "the operands of %s are of "
                                            "different types",
                                            tns_op_name (op)));
}

/* OP on ARG[0..n), not folded.  */
static tns_expr *
build (tns_parser *p, tns_op op, int n, tns_expr **arg)
{
  check_operands (p, op, n, arg);
  tns_type type = tns_op_result (op, arg[0]->type);
  return tns_make (p->arena, op, type, NULL, n, arg);
}

/* The operands of OP in parentheses.  */
static tns_expr *
parse_call (tns_parser *p, tns_op op)
{
  tns_expr *arg[MOST_OPERANDS];
  int n = 0;
  tns_parser_expect (p, "(");
  do
    {
      if (n == MOST_OPERANDS)
        tns_parser_fail (p, "too many operands");
      arg[n++] = tns_parser_expr (p);
    }
  while (tns_parser_take (p, ","));
  if (n != tns_op_arity (op))
    tns_parser_fail (p, tns_arena_format (p->arena, "%s takes %d operands",
                                          tns_op_name (op), tns_op_arity (op)));
  tns_parser_expect (p, ")");
  return build (p, op, n, arg);
}

/* "call f (a, b)" behind its first word.  */
static tns_expr *
parse_function_call (tns_parser *p)
{
  tns_expr *arg[TNS_MOST_RANK];
  tns_sym *sym = find_symbol (p, tns_parser_name (p));
  if (sym->kind != TNS_SYM_FUNCTION)
    tns_parser_fail (p, "that was no function");
  tns_parser_expect (p, "(");
  for (int k = 0; k < sym->rank; k++)
    {
      if (k > 0)
        tns_parser_expect (p, ",");
      arg[k] = tns_parser_expr (p);
    }
  tns_parser_expect (p, ")");
  return tns_make (p->arena, TNS_CALL, sym->type, sym, sym->rank, arg);
}

/* past_line behind its name: (A[i]).  */
static tns_expr *
parse_past_line (tns_parser *p)
{
  tns_parser_expect (p, "(");
  tns_sym *sym = find_symbol (p, tns_parser_name (p));
  if (sym->kind != TNS_SYM_ARRAY || !sym->rank)
    tns_parser_fail (p, "expected an element of an array");
  tns_expr **arg = TNS_NEW_ARRAY (p->arena, tns_expr *, sym->rank);
  parse_subscripts (p, sym, arg);
  tns_parser_expect (p, ")");
  return tns_make (p->arena, TNS_PAST_LINE, tns_scalar (TNS_I64), sym,
                   sym->rank, arg);
}

/* Whether OP is written OPERATOR ":" TYPE.  */
static bool
needs_type (tns_op op)
{
  return op == TNS_SPLAT || op == TNS_IOTA || op == TNS_MASKED
         || op == TNS_GATHER || op == TNS_BITS;
}

/* Whether OP may be written as a call without a type.  */
static bool
is_call (tns_op op)
{
  return op < TNS_N_OPS && tns_op_class (op) != 'L' && tns_op_arity (op) > 0
         && op != TNS_CAST && op != TNS_SELECT && !needs_type (op);
}

/* What begins with a name.  */
static tns_expr *
parse_named (tns_parser *p)
{
  const char *name = tns_parser_name (p);
  tns_op op = tns_op_from_name (name);
  if (op < TNS_N_OPS && needs_type (op) && tns_word_is (&p->lexer.token, ":"))
    return parse_typed (p, op);
  if (op == TNS_CALL && p->lexer.token.kind == TNS_WORD_NAME)
    return parse_function_call (p);
  if (!tns_word_is (&p->lexer.token, "("))
    return parse_symbol (p, name);
  if (!strcmp (name, "inf") || !strcmp (name, "nan"))
    return parse_special (p, !strcmp (name, "nan"), false);
  if (op == TNS_PAST_LINE)
    return parse_past_line (p);
  if (is_call (op))
    return parse_call (p, op);
  tns_type type = type_of_name (name);
  if (!type.lanes)
    tns_parser_fail (
      p, tns_arena_format (p->arena, "%s is no operator and no type", name));
  tns_parser_expect (p, "(");
  tns_expr *arg = tns_parser_expr (p);
  tns_parser_expect (p, ")");
  return tns_make (p->arena, TNS_CAST, type, NULL, 1, &arg);
}

/* Behind an opening parenthesis: expr ) or c ? a : b ).  */
static tns_expr *
parse_parenthesis (tns_parser *p)
{
  tns_expr *expr = tns_parser_expr (p);
  if (tns_parser_take (p, "?"))
    {
      tns_expr *arg[3] = { expr };
      arg[1] = tns_parser_expr (p);
      tns_parser_expect (p, ":");
      arg[2] = tns_parser_expr (p);
      if (!tns_type_equal (arg[1]->type, arg[2]->type))
        tns_parser_fail (p, "the two values are of different types");
      expr = tns_make (p->arena, TNS_SELECT, arg[1]->type, NULL, 3, arg);
    }
  tns_parser_expect (p, ")");
  return expr;
}

/* A minus sign was taken: a negative constant, or NULL when what follows is
   none.  */
static tns_expr *
parse_negative (tns_parser *p)
{
  if (p->lexer.token.kind == TNS_WORD_NUMBER)
    return parse_number (p, true);
  tns_lexer behind = p->lexer;
  tns_lexer_next (&behind);
  bool is_nan = tns_word_is (&p->lexer.token, "nan");
  if ((!is_nan && !tns_word_is (&p->lexer.token, "inf"))
      || !tns_word_is (&behind.token, "("))
    return NULL;
  tns_lexer_next (&p->lexer);
  return parse_special (p, is_nan, true);
}

/* Unary operators and what they stand before.  */
static tns_expr *
parse_unary (tns_parser *p)
{
  tns_loc loc = tns_parser_loc (p);
  tns_expr *expr = NULL;
  tns_op op = TNS_NONE;
  tns_parser_enter (p);
  if (tns_parser_take (p, "-"))
    {
      expr = parse_negative (p);
      op = expr ? TNS_NONE : TNS_NEG;
    }
  else if (tns_parser_take (p, "~"))
    op = TNS_NOT;
  else if (tns_parser_take (p, "!"))
    op = TNS_LNOT;
  else if (tns_parser_take (p, "("))
    expr = parse_parenthesis (p);
  else if (p->lexer.token.kind == TNS_WORD_NUMBER)
    expr = parse_number (p, false);
  else if (p->lexer.token.kind == TNS_WORD_NAME)
    expr = parse_named (p);
  else
    tns_parser_fail (p, "expected an expression");
  if (op != TNS_NONE)
    {
      tns_expr *arg = parse_unary (p);
      expr = build (p, op, 1, &arg);
    }
  p->depth--;
  expr->loc = loc;
  return expr;
}

/* The infix operator that is the current token, or NONE.  */
static tns_op
infix_here (const tns_parser *p)
{
  for (int op = 0; op < TNS_N_OPS; op++)
    {
      const char *infix = tns_op_infix ((tns_op) op);
      if (infix && tns_word_is (&p->lexer.token, infix))
        return (tns_op) op;
    }
  return TNS_NONE;
}

/* Infix operators that bind at least as tightly as LEAST.  */
static tns_expr *
parse_infix (tns_parser *p, int least)
{
  tns_expr *left = parse_unary (p);
  for (;;)
    {
      tns_op op = infix_here (p);
      if (op == TNS_NONE || tns_op_binding (op) < least)
        return left;
      tns_loc loc = tns_parser_loc (p);
      tns_lexer_next (&p->lexer);
      tns_parser_enter (p);
      tns_expr *arg[2] = { left, parse_infix (p, tns_op_binding (op) + 1) };
      p->depth--;
      left = build (p, op, 2, arg);
      left->loc = loc;
    }
}

tns_expr *
tns_parser_expr (tns_parser *p)
{
  return parse_infix (p, 0);
}

tns_expr *
tns_expr_parse (tns_arena *arena, tns_region *region, const char *chars,
                tns_parse_error *error)
{
  tns_parser p = { .arena = arena,
                   .region = region,
                   .lexer = tns_lexer_new (chars, 1),
                   .error = error };
  *error = (tns_parse_error){ 0, 0, NULL };
  if (setjmp (p.failed))
    return NULL;
  tns_expr *expr = tns_parser_expr (&p);
  if (p.lexer.token.kind != TNS_WORD_END)
    tns_parser_fail (&p, "expected the end");
  return expr;
}
