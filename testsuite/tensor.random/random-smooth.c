/* Expressions that vary smoothly: functions of math.h well within where they
   are defined, quotients by what is not near 0.  */

#include "random-c.h"

#include <math.h>

/* Templates: A and B are operands of one kind, @ the suffix of functions of
   that kind, # a cast to it.  */
static const char *const forms[] = {
  "sin@ (A)",
  "cos@ (A)",
  "tanh@ (A)",
  "atan@ (A)",
  "exp@ (sin@ (A))",
  "exp2@ (cos@ (A))",
  "expm1@ (sin@ (A))",
  "log@ (#1.5 + sin@ (A))",
  "log2@ (#2.5 + cos@ (A))",
  "log10@ (#1 + A * A)",
  "log1p@ (A * A)",
  "sqrt@ (#0.5 + A * A)",
  "cbrt@ (#2 + sin@ (A))",
  "tan@ (#0.7 * sin@ (A))",
  "asin@ (#0.6 * sin@ (A))",
  "acos@ (#0.6 * cos@ (A))",
  "sinh@ (sin@ (A))",
  "cosh@ (sin@ (A))",
  "asinh@ (A)",
  "acosh@ (#1.5 + fabs@ (A))",
  "atanh@ (#0.6 * sin@ (A))",
  "erf@ (A)",
  "erfc@ (sin@ (A))",
  "pow@ (#1.4 + sin@ (A), B)",
  "pow@ (A, 2)",
  "atan2@ (A, #1.5 + sin@ (B))",
  "hypot@ (A, #0.5 + fabs@ (B))",
  "fmod@ (A, #1.5 + sin@ (B))",
  "fmin@ (A, B)",
  "fmax@ (A, B)",
  "fabs@ (A - B)",
  "fdim@ (A, B)",
  "copysign@ (A, B)",
  "(floor@ (A) * B)",
  "(A / (#1.5 + B * B))",
  "(A / (#1.5 + cos@ (B)))",
  "(A * B)",
  "(A * #0.5 + B)",
  "(A - B)",
  "(A > B ? A : B * B)",
  "(A < #0.5 ? sin@ (A) : A)",
  "bent@ (A, B)",
  "least@ (A, B, sin@ (A))",
};

enum
{
  N_FORMS = sizeof forms / sizeof forms[0]
};

/* FORM with A and B, of kind K.  */
static expr
filled (maker *g, const char *form, const char *a, const char *b, kind k)
{
  tns_text text = tns_text_new (g->arena);
  for (const char *c = form; *c; c++)
    if (*c == 'A')
      tns_text_format (&text, "%s", a);
    else if (*c == 'B')
      tns_text_format (&text, "%s", b);
    else if (*c == '@')
      tns_text_format (&text, "%s", k == F32 ? "f" : "");
    else if (*c == '#')
      tns_text_format (&text, "(%s) ", kind_name (k));
    else
      tns_text_format (&text, "%c", *c);
  return (expr){ tns_text_chars (&text), k, HUGE_VAL, false };
}

/* E as an operand of kind K.  */
static const char *
operand_of (maker *g, expr e, kind k)
{
  return e.kind == k && e.leaf ? e.text
                               : words (g, "((%s) %s)", kind_name (k), e.text);
}

expr
random_smooth (maker *g, int depth)
{
  kind k = g->reals == F32 || (g->reals != F64 && chance (g, 30)) ? F32 : F64;
  const char *a = operand_of (g, random_expr (g, depth - 1), k);
  const char *b = operand_of (g, random_expr (g, depth - 1), k);
  return filled (g, forms[below (g, N_FORMS)], a, b, k);
}

expr
random_tame (maker *g, expr e)
{
  static const char *const tame[]
    = { "A", "sin@ (A)", "(#0.6 * tanh@ (A))", "(#0.3 * A)", "atan@ (A)" };
  kind k = e.kind == F32 ? F32 : F64;
  return filled (g, tame[below (g, 5)], operand_of (g, e, k), "", k);
}
