/* Gradients and tangents of regions against differences: along a random
   direction, in f64, as made and as the whole pipeline leaves them; sizes 0, 1,
   2, 7.  What the gradient needs is checked too: which tapes it has.  With
   the primal gradients leave what the function leaves.  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "verdict.h"
#include "base/text.h"
#include "driver/differentiate.h"
#include "driver/pipeline.h"
#include "ir/eval.h"
#include "ir/simplify.h"
#include "ir/verify.h"
#include "ir/walk.h"

enum
{
  MOST_ARRAYS = 16,
  MOST_ELEMENTS = 400
};

/* shown  what the row shows
   head   declarations; n is an i64 VALUE
   body   statements
   wish   of driver/differentiate.h
   tapes  how many arrays are taped, -1: not asked  */
typedef struct row
{
  const char *shown;
  const char *head;
  const char *body;
  const char *wish;
  int tapes;
} row;

static const long long sizes[] = { 0, 1, 2, 7 };

#define XY  "array f64 x[n]; array f64 y[n];"
#define OXY "of=y:dy wrt=x:dx absent=y"
#define MAP(e)                                                                 \
  {                                                                            \
    "map " e, XY, "for i = 0 to n { S1: y[i] = " e "; }", OXY, 0               \
  }
#define MAP2(e)                                                                \
  {                                                                            \
    "map of two " e, XY "array f64 z[n];",                                     \
      "for i = 0 to n { S1: y[i] = " e "; }",                                  \
      "of=y:dy wrt=x:dx wrt=z:dz absent=y", 0                                  \
  }

static const row rows[] = {
  { "steps whose places share a tape", XY "array f64 v[n];",
    "for i = 0 to n { S1: v[i] = x[i]; y[i] = x[i]; }"
    " for t = 0 to 3 { for i = 1 to n - 1 {"
    " S2: v[i] += (y[i + 1] - y[i]) * y[i - 1] * y[i - 1]; }"
    " for i = 1 to n - 1 { S3: y[i] += 0.1f64 * v[i] * y[i]; } }",
    OXY " absent=v", 2 },
  { "steps that read a row for each element", XY "array f64 v[n];",
    "for i = 0 to n { S1: y[i] = x[i]; }"
    " for t = 0 to 3 { for i = 0 to n { S2: v[i] = 0.0f64;"
    " for k = 0 to n { S3: v[i] += 0.1f64 * y[k] * y[i]; } }"
    " for i = 0 to n { S4: y[i] = sin(v[i]); } }",
    OXY " absent=v", 2 },
  { "a step that reads what it has written", XY "array f64 v[n];",
    "for i = 0 to n { S1: y[i] = x[i]; v[i] = x[i]; }"
    " for t = 0 to 3 { for i = 1 to n - 1 {"
    " S2: v[i] += y[i + 1] * y[i - 1];"
    " S3: y[i] += 0.1f64 * v[i] * y[i]; } }",
    OXY " absent=v", -1 },
  { "steps that take turns between two arrays",
    XY "array f64 u[n]; array f64 v[n];",
    "for i = 0 to n { S1: u[i] = x[i]; S2: v[i] = x[i]; }"
    " for t = 0 to n { if (mod(t, 2) == 0) { for i = 1 to n - 1"
    " { S3: v[i] = u[i - 1] * u[i + 1]; } } else { for i = 1 to n - 1"
    " { S4: u[i] = v[i - 1] * v[i + 1]; } } }"
    " if (mod(max(n, 0), 2) == 0) { for i = 0 to n { S5: y[i] = u[i]; } }"
    " else { for i = 0 to n { S6: y[i] = v[i]; } }",
    "of=y:dy wrt=x:dx absent=y absent=u absent=v", -1 },
  { "steps that take turns between three arrays",
    XY "array f64 u[n]; array f64 v[n]; array f64 w[n];",
    "for i = 0 to n { S1: u[i] = x[i]; S2: v[i] = x[i]; S7: w[i] = 0.0f64; }"
    " for t = 0 to n { if (mod(t, 3) == 0) { for i = 1 to n - 1"
    " { S3: w[i] = v[i] * v[i + 1] - u[i]; } } else {"
    " if (mod(t, 3) == 1) { for i = 1 to n - 1"
    " { S4: u[i] = w[i] * w[i + 1] - v[i]; } } else { for i = 1 to n - 1"
    " { S8: v[i] = u[i] * u[i + 1] - w[i]; } } } }"
    " for i = 0 to n { S5: y[i] = u[i] + 2.0f64 * v[i] + 3.0f64 * w[i]; }",
    "of=y:dy wrt=x:dx absent=y absent=u absent=v absent=w", -1 },
  MAP ("-x[i]"),
  MAP ("abs(x[i] - 1.0f64)"),
  MAP ("x[i] * x[i] * x[i]"),
  MAP ("3.0f64 / (1.0f64 + x[i])"),
  MAP ("sqrt(x[i])"),
  MAP ("cbrt(x[i])"),
  MAP ("exp(x[i])"),
  MAP ("exp2(x[i])"),
  MAP ("exp10(x[i])"),
  MAP ("expm1(x[i])"),
  MAP ("log(x[i])"),
  MAP ("log2(x[i])"),
  MAP ("log10(x[i])"),
  MAP ("log1p(x[i])"),
  MAP ("sin(x[i])"),
  MAP ("cos(x[i])"),
  MAP ("tan(0.5f64 * x[i])"),
  MAP ("asin(0.5f64 * x[i])"),
  MAP ("acos(0.5f64 * x[i])"),
  MAP ("atan(x[i])"),
  MAP ("sinh(x[i])"),
  MAP ("cosh(x[i])"),
  MAP ("tanh(x[i])"),
  MAP ("asinh(x[i])"),
  MAP ("acosh(1.1f64 + x[i])"),
  MAP ("atanh(0.5f64 * x[i])"),
  MAP ("erf(x[i])"),
  MAP ("erfc(x[i])"),
  MAP ("lgamma(x[i])"),
  MAP ("lgamma(0.1f64 - x[i])"),
  MAP ("floor(x[i]) * x[i]"),
  MAP ("(x[i] > 1.0f64 ? x[i] * x[i] : sin(x[i]))"),
  MAP ("fma(x[i], x[i], sin(x[i]))"),
  MAP ("f64(f32(x[i]) * 2.0f32) * 0.0f64 + x[i]"),
  MAP2 ("x[i] / z[i]"),
  MAP2 ("x[i] - 2.0f64 * z[i] * x[i]"),
  MAP2 ("pow(x[i], z[i])"),
  MAP2 ("atan2(x[i], z[i])"),
  MAP2 ("hypot(x[i], z[i])"),
  MAP2 ("fmod(x[i], 0.3f64 * z[i])"),
  MAP2 ("copysign(x[i], z[i])"),
  MAP2 ("fdim(x[i], z[i])"),
  MAP2 ("min(x[i], z[i] * z[i])"),
  MAP2 ("max(x[i] * x[i], z[i])"),
  MAP2 ("fmin(x[i], z[i])"),
  MAP2 ("fmax(x[i], z[i])"),
  { "a product of matrices",
    "array f64 x[n][n]; array f64 w[n][n]; array f64 y[n][n];",
    "for i = 0 to n { for j = 0 to n { S1: y[i][j] = 0.0f64;"
    " for k = 0 to n { S2: y[i][j] += x[i][k] * w[k][j]; } } }",
    "of=y:dy wrt=x:dx wrt=w:dw absent=y", 0 },
  { "cells in a loop", XY,
    "for i = 0 to n { local f64 u; local f64 v; S1: u = x[i] * x[i];"
    " S2: v = tanh(u); S3: u = u + v; S4: y[i] = u * v; }",
    OXY, 0 },
  { "row softmax, the maximum taken away",
    "array f64 x[n][n]; array f64 y[n][n];",
    "for i = 0 to n { local f64 m; local f64 s; S1: m = -1.0e30f64;"
    " for j = 0 to n { S2: m max= x[i][j]; } S3: s = 0.0f64;"
    " for j = 0 to n { S4: y[i][j] = exp(x[i][j] - m); S5: s += y[i][j]; }"
    " for j = 0 to n { S6: y[i][j] /= s; } }",
    OXY, -1 },
  { "rows made 0 in the mean and 1 in length",
    "array f64 x[n][n]; array f64 y[n][n]; array f64 g[n];",
    "for i = 0 to n { local f64 m; local f64 v; S1: m = 0.0f64;"
    " for j = 0 to n { S2: m += x[i][j]; } S3: m = m * 0.2f64; S4: v = 0.1f64;"
    " for j = 0 to n { S5: v += (x[i][j] - m) * (x[i][j] - m); }"
    " S6: v = 1.0f64 / sqrt(v);"
    " for j = 0 to n { S7: y[i][j] = g[j] * ((x[i][j] - m) * v); } }",
    "of=y:dy wrt=x:dx wrt=g:dg absent=y", 0 },
  { "powers by multiplication", XY "cell f64 p;",
    "S0: p = 1.0f64; for i = 0 to n { S1: p *= x[i]; }",
    "of=p:dp wrt=x:dx absent=p", 1 },
  { "the greatest element", XY "cell f64 m;",
    "S0: m = 0.0f64; for i = 0 to n { S1: m max= x[i]; }",
    "of=m:dm wrt=x:dx absent=m", 0 },
  { "each element by a factor, in place", XY,
    "for i = 0 to n { S1: x[i] *= 5.0f64; }", "of=x:dx wrt=x:dx", 0 },
  { "squares in place", XY, "for i = 0 to n { S1: x[i] = x[i] * x[i]; }",
    "of=x:dx wrt=x:dx", 0 },
  { "squares in place, three times", XY,
    "for t = 0 to 3 { for i = 0 to n { S1: x[i] = x[i] * x[i]; } }",
    "of=x:dx wrt=x:dx", 1 },
  { "squares in place, with respect to the first values only", XY,
    "for i = 0 to n { S1: x[i] = x[i] * x[i]; S2: y[i] = x[i]; }",
    "of=y:dy wrt=x:dx absent=y", 0 },
  { "squares in place, nine times, two states kept", XY,
    "for t = 0 to 9 { for i = 0 to n { S1: x[i] = sin(x[i] * x[i]); } }",
    "of=x:dx wrt=x:dx checkpoint=2", -1 },
  { "steps forced, little memory",
    "array f64 x[n]; array f64 g[n]; cell f64 y;",
    "S0: y = 0.0f64; for t = 0 to n { for i = 1 to n {"
    " S1: x[i] = sin(x[i] + g[t] * x[i - 1]); } S2: y += x[n - 1] * g[t]; }",
    "of=y:dy wrt=x:dx wrt=g:dg absent=y memory=600", -1 },
  { "a recurrence in place", XY,
    "for i = 1 to n { S1: x[i] = x[i] * x[i - 1]; }", "of=x:dx wrt=x:dx", -1 },
  { "a linear recurrence keeps nothing", XY,
    "for i = 1 to n { S1: x[i] = x[i] + 0.5f64 * x[i - 1]; }",
    "of=x:dx wrt=x:dx", 0 },
  { "a sum of products of neighbours", XY "cell f64 s;",
    "S0: s = 0.0f64; for i = 1 to n { S1: s += x[i] * x[i - 1]; }",
    "of=s:ds wrt=x:dx absent=s", 0 },
  { "functions that nobody looks into",
    "function f64 cube_a(2); function f64 cube(1) partial cube_a;"
    "function f64 mix_a(3); function f64 mix_b(3);"
    "function f64 mix(2) partial mix_a mix_b;" XY,
    "for i = 0 to n { local f64 u; S1: u = call cube(x[i]);"
    " S2: y[i] = call mix(u * x[i], sin(u)) + call mix(2.0f64, x[i]); }",
    OXY, 0 },
  { "a cell overwritten before the backward pass", XY,
    "local f64 u; for i = 0 to n { S1: u = x[i] * x[i]; S2: y[i] = u * u; }",
    OXY, 0 },
  { "a cell that iterations pass on", XY,
    "local f64 u; S0: u = 1.0f64;"
    "for i = 0 to n { S1: u = u * x[i]; S2: y[i] = u * u; }",
    OXY, 2 },
  { "some iterations only", XY,
    "for i = 0 to n { if (mod(i, 2) == 0) { S1: y[i] = x[i] * x[i]; }"
    " else { S2: y[i] = sin(x[i]); } }",
    OXY, 0 },
  { "a choice by data", XY,
    "for i = 0 to n { if (x[i] > 1.0f64) { S1: y[i] = x[i] * x[i]; }"
    " else { S2: y[i] = 3.0f64 * x[i]; } }",
    OXY, 0 },
  { "a choice by a value that is overwritten", XY,
    "local f64 c; S0: c = 0.9f64; for i = 0 to n { S1: y[i] = 0.0f64;"
    " if (x[i] > c) { S2: y[i] = c * x[i]; } S3: c = 0.5f64 * c + x[i]; }",
    OXY, -1 },
  { "backwards in steps of two", XY,
    "for i = n - 1 to -1 step -2 { S1: x[i] = x[i] * x[max(i - 1, 0)]; }",
    "of=x:dx wrt=x:dx", -1 },
  { "a triangle solved", "array f64 a[n][n]; array f64 x[n];",
    "for i = 0 to n { for j = 0 to i { S1: x[i] += -(a[i][j] * x[j]); }"
    " S2: x[i] /= a[i][i]; }",
    "of=x:dx wrt=x:dx wrt=a:da", -1 },
  { "rows by index", XY "array i32 idx[n];",
    "for i = 0 to n { S1: y[i] = x[i64(idx[i])] * x[i]; }", OXY, 0 },
  { "elements added by index", XY "array i32 idx[n];",
    "for i = 0 to n { S0: y[i] = 0.0f64; }"
    " for i = 0 to n { S1: y[i64(idx[i])] += sin(x[i]); }",
    OXY, 0 },
  { "elements overwritten by index", XY "array i32 idx[n];",
    "for i = 0 to n { S0: y[i] = x[i]; }"
    " for i = 0 to n { S1: y[i64(idx[i])] = sin(x[i]) * 2.0f64; }",
    OXY, 0 },
  { "an output that is read again", XY "array f64 z[n];",
    "for i = 0 to n { S1: y[i] = x[i] * x[i]; }"
    " for i = 0 to n { S2: z[i] = y[i] * y[i]; }",
    "of=y:dy of=z:dz wrt=x:dx absent=y absent=z", 0 },
  { "the same, given", XY "array f64 z[n];",
    "for i = 0 to n { S1: y[i] = x[i] * x[i]; }"
    " for i = 0 to n { S2: z[i] = y[i] * y[i]; }",
    "of=z:dz wrt=x:dx absent=z given=y", 0 },
  { "two steps of heat on a line", XY,
    "for t = 0 to 2 { for i = 1 to n - 1 {"
    " S1: y[i] = x[i - 1] * x[i] + x[i + 1]; }"
    " for i = 1 to n - 1 { S2: x[i] = y[i]; } }",
    "of=x:dx wrt=x:dx absent=y", -1 },
  { "an array in a loop", XY "array f64 w[n];",
    "for i = 0 to n { local f64 q[n]; for j = 0 to n {"
    " S1: q[j] = x[j] * w[i]; } S2: y[i] = 0.0f64;"
    " for j = 0 to n { S3: y[i] += sin(q[j]) * q[j]; } }",
    "of=y:dy wrt=x:dx wrt=w:dw absent=y", 0 },
  { "an output that is added to", XY,
    "for i = 0 to n { S1: y[i] += x[i] * x[i]; }", "of=y:dy wrt=x:dx", 0 },
  { "an output of which some is set", XY,
    "for i = 0 to n { if (x[i] > 1.0f64) { S1: y[i] = x[i] * x[i]; } }",
    "of=y:dy wrt=x:dx", 0 },
  { "an output of which a running value decides what is added to", XY,
    "local f64 c; S0: c = 0.9f64; for i = 0 to n {"
    " if (x[i] > c) { S1: y[i] += c * x[i]; } S2: c = 0.5f64 * c + x[i]; }",
    "of=y:dy wrt=x:dx", -1 },
  { "an output that is added to in every other row, if there is a column",
    "array f64 x[n][n]; array f64 y[n];",
    "for i = 0 to n { if (mod(i, 2) == 0) { for j = n - 1 to 0 step -1 {"
    " S1: y[i] += x[i][j] * x[i][j]; } } else { S2: y[i] *= 2.0f64; } }",
    "of=y:dy wrt=x:dx", -1 },
  { "an output that is set again to what does not vary", XY,
    "for i = 0 to n { S1: y[i] = x[i] * x[i]; }"
    " for i = 0 to n { if (mod(i, 3) == 1) { S2: y[i] = 2.5f64; } }",
    OXY, 0 },
  { "a choice within a choice", XY,
    "for i = 0 to n { S1: y[i] = (x[i] > 0.9f64 ?"
    " abs((x[i] > 1.3f64 ? x[i] * x[i] : -x[i])) : max(x[i], 0.6f64)); }",
    OXY, 0 },
  { "taps of a filter", "array f64 x[n + 3]; array f64 w[3]; array f64 y[n];",
    "for i = 0 to n { S1: y[i] = 0.0f64; for k = 0 to 3 {"
    " S2: y[i] += x[i + k] * w[k]; } }",
    "of=y:dy wrt=x:dx wrt=w:dw absent=y", 0 },
};

#define N_ROWS ((int) (sizeof rows / sizeof rows[0]))

/* Memory by name.  */
typedef struct memory
{
  int n;
  char name[MOST_ARRAYS][16];
  double value[MOST_ARRAYS][MOST_ELEMENTS];
  int index[MOST_ARRAYS][MOST_ELEMENTS];
} memory;

/* The array called NAME.  */
static int
find (memory *m, const char *name)
{
  for (int k = 0; k < m->n; k++)
    if (!strcmp (m->name[k], name))
      return k;
  snprintf (m->name[m->n], sizeof m->name[0], "%s", name);
  return m->n++;
}

/* A number in [0.3, 1.7].  */
static double
random_value (unsigned *seed)
{
  *seed = *seed * 1103515245u + 12345u;
  return 0.3 + 1.4 * (double) (*seed >> 8 & 0xffff) / 65536;
}

/* The functions of the rows, and what their arguments' adjoints gain.  */
static bool
call (const tns_sym *function, const tns_scalar_value *arg,
      tns_scalar_value *result)
{
  const char *name = function->name;
  long double a = arg[0].f;
  long double b = function->rank > 1 ? arg[1].f : 0;
  long double t = arg[function->rank - 1].f;
  result->f = !strcmp (name, "cube")     ? a * a * a
              : !strcmp (name, "cube_a") ? 3 * a * a * t
              : !strcmp (name, "mix")    ? a * a * b
              : !strcmp (name, "mix_a")  ? 2 * a * b * t
              : !strcmp (name, "mix_b")  ? a * a * t
                                         : NAN;
  return true;
}

/* Run REGION on M with n = SIZE.  */
static bool
run (tns_region *region, memory *m, long long size)
{
  tns_argument argument[64];
  const tns_node *where;
  tns_counts counts;
  tns_eval_options options = { .max_steps = 1e6, .call = call };
  for (int k = 0; k < region->n_params; k++)
    argument[k].value.s = size;
  for (int k = 0; k < region->n_params; k++)
    {
      const tns_sym *sym = region->params[k];
      if (sym->kind != TNS_SYM_ARRAY)
        continue;
      int at = find (m, sym->name);
      long long n = 1;
      for (int d = 0; d < sym->rank; d++)
        n *= tns_expr_eval (region, sym->extent[d], argument).s;
      bool is_float = tns_elem_is_float (sym->type.elem);
      argument[k].base
        = is_float ? (void *) m->value[at] : (void *) m->index[at];
      argument[k].lo = 0;
      argument[k].hi = n < 0 ? 0 : n;
    }
  return tns_region_eval (region, argument, &options, &counts, &where)
         == TNS_EVAL_OK;
}

/* How many elements REGION's array NAME has where n is SIZE.  */
static int
elements_of (const tns_region *region, const char *name, long long size)
{
  tns_argument argument[64];
  long long n = 1;
  for (int k = 0; k < region->n_params; k++)
    argument[k].value.s = size;
  const tns_sym *sym = tns_region_find (region, name);
  for (int d = 0; sym && d < sym->rank; d++)
    n *= tns_expr_eval (region, sym->extent[d], argument).s;
  return sym && n > 0 ? (int) n : 0;
}

/* The next word KEY=A:B of *WISH into A and B; false at the end.  */
static bool
next_word (const char **wish, char *key, char *first, char *second)
{
  int used = 0;
  second[0] = '\0';
  if (sscanf (*wish, " %15[a-z]=%15[a-z0-9_]%n", key, first, &used) != 2)
    return false;
  *wish += used;
  used = 0;
  if (sscanf (*wish, ":%15[a-z0-9_]%n", second, &used) == 1)
    *wish += used;
  return true;
}

/* Sum of A's and B's products, over all elements.  */
static double
dot (const double *a, const double *b)
{
  double sum = 0;
  for (int k = 0; k < MOST_ELEMENTS; k++)
    sum += isfinite (a[k]) && isfinite (b[k]) ? a[k] * b[k] : 0;
  return sum;
}

/* The objective: the outputs of F, each times what its adjoint in SEEDS is,
   when START moves by H along DIRECTION.  */
static double
objective (tns_region *f, const row *r, const memory *start, memory *seeds,
           memory *direction, double h, long long size)
{
  static memory m;
  char key[16], first[16], second[16];
  double sum = 0;
  m = *start;
  for (const char *w = r->wish; next_word (&w, key, first, second);)
    if (!strcmp (key, "wrt"))
      for (int k = 0; k < MOST_ELEMENTS; k++)
        m.value[find (&m, first)][k]
          += h * direction->value[find (direction, second)][k];
  if (!run (f, &m, size))
    return NAN;
  for (const char *w = r->wish; next_word (&w, key, first, second);)
    if (!strcmp (key, "of"))
      sum
        += dot (m.value[find (&m, first)], seeds->value[find (seeds, second)]);
  return sum;
}

/* Fill what F and its gradient use, each array as its name says.  */
static void
fill (tns_region *region, memory *m, long long size, unsigned seed)
{
  for (int k = 0; k < region->n_params; k++)
    {
      const tns_sym *sym = region->params[k];
      int at = sym->kind == TNS_SYM_ARRAY ? find (m, sym->name) : -1;
      for (int e = 0; at >= 0 && e < MOST_ELEMENTS; e++)
        {
          m->value[at][e] = random_value (&seed);
          m->index[at][e] = size > 0 ? (int) (seed >> 16) % (int) size : 0;
        }
    }
}

/* The derivative of the objective along DIRECTION by differences.  */
static double
by_differences (tns_region *f, const row *r, const memory *start, memory *seeds,
                memory *direction, long long size)
{
  double h = 1e-3;
  double slope[2];
  for (int k = 0; k < 2; k++, h /= 2)
    slope[k] = (objective (f, r, start, seeds, direction, h, size)
                - objective (f, r, start, seeds, direction, -h, size))
               / (2 * h);
  return (4 * slope[1] - slope[0]) / 3;
}

/* WISH names the adjoint NAME behind CLAUSE.  */
static bool
names (const char *wish, const char *clause, const char *name)
{
  char key[16], first[16], second[16];
  while (next_word (&wish, key, first, second))
    if (!strcmp (key, clause) && !strcmp (second, name))
      return true;
  return false;
}

/* A and B are the same but for their last digits.  */
static bool
is_near (const double *a, const double *b)
{
  for (int k = 0; k < MOST_ELEMENTS; k++)
    if (memcmp (&a[k], &b[k], sizeof *a)
        && !(fabs (a[k] - b[k]) <= 1e-14 * (1 + fabs (b[k]))))
      return false;
  return true;
}

/* The same by the gradient G; *CHANGED when it leaves another of F's arrays
   than AFTER has.  */
static double
by_gradient (tns_region *f, tns_region *g, const row *r, const memory *start,
             const memory *after, memory *seeds, memory *direction,
             long long size, bool *changed)
{
  static memory m;
  char key[16], first[16], second[16];
  double sum = 0;
  m = *start;
  for (int k = 0; k < seeds->n; k++)
    memcpy (m.value[find (&m, seeds->name[k])], seeds->value[k],
            sizeof seeds->value[k]);
  if (!run (g, &m, size))
    return NAN;
  for (int k = 0; k < f->n_params; k++)
    {
      int at = find (&m, f->params[k]->name);
      if (f->params[k]->kind == TNS_SYM_ARRAY)
        *changed |= !is_near (m.value[at], after->value[at]);
    }
  for (const char *w = r->wish; next_word (&w, key, first, second);)
    if (!strcmp (key, "wrt"))
      {
        double *d = direction->value[find (direction, second)];
        sum += dot (m.value[find (&m, second)], d);
        if (!names (r->wish, "of", second))
          sum -= dot (seeds->value[find (seeds, second)], d);
      }
  return sum;
}

/* What F stored in its array AT, or the tangent's in DOT, from START on: where
   F changed an element, that of DOT times that of SEEDS; *CHANGED when others
   of DOT are not what they were, or, where F ADDS to them, 0.  */
static double
product_where_set (const memory *end, const memory *start, int at,
                   const double *dot, const double *seeds, bool adds,
                   bool *changed)
{
  double sum = 0;
  for (int e = 0; e < MOST_ELEMENTS; e++)
    if (end->value[at][e] != start->value[at][e])
      sum += isfinite (dot[e]) ? dot[e] * seeds[e] : 0;
    else
      *changed |= dot[e] != seeds[e] && !(adds && dot[e] == 0);
  return sum;
}

/* The same by the tangent T, whose outputs hold SEEDS before; *CHANGED when it
   changes one of F's arrays, or elements of tangents that F does not set.  */
static double
by_tangent (tns_region *f, tns_region *t, const row *r, const memory *start,
            memory *seeds, memory *direction, long long size, bool *changed)
{
  static memory m, end;
  char key[16], first[16], second[16];
  double sum = 0;
  m = end = *start;
  for (int k = 0; k < seeds->n; k++)
    memcpy (m.value[find (&m, seeds->name[k])], seeds->value[k],
            sizeof seeds->value[k]);
  for (const char *w = r->wish; next_word (&w, key, first, second);)
    if (!strcmp (key, "wrt"))
      memcpy (m.value[find (&m, second)],
              direction->value[find (direction, second)],
              sizeof direction->value[0]);
  if (!run (f, &end, size) || !run (t, &m, size))
    return NAN;
  for (int k = 0; k < f->n_params; k++)
    {
      int at = find (&m, f->params[k]->name);
      *changed |= memcmp (m.value[at], start->value[at], sizeof m.value[at]);
    }
  for (const char *w = r->wish; next_word (&w, key, first, second);)
    if (!strcmp (key, "of"))
      {
        const double *dot_of = m.value[find (&m, second)];
        const double *to = seeds->value[find (seeds, second)];
        sum += names (r->wish, "wrt", second)
                 ? dot (dot_of, to)
                 : product_where_set (&end, start, find (&end, first), dot_of,
                                      to, !r->head, changed);
      }
  return sum;
}

/* ROW at SIZE: the gradient, or tangent, G agrees with differences of F; the
   derivative that it gives.  */
static double
compare (tns_region *f, tns_region *g, const row *r, const char *way,
         bool forward, long long size)
{
  static memory start, after, seeds, direction;
  char key[16], first[16], second[16];
  unsigned seed = 7;
  bool changed = false;
  start.n = seeds.n = direction.n = 0;
  fill (f, &start, size, 1);
  for (const char *w = r->wish; next_word (&w, key, first, second);)
    if (second[0])
      for (int e = 0; e < MOST_ELEMENTS; e++)
        {
          seeds.value[find (&seeds, second)][e] = random_value (&seed);
          direction.value[find (&direction, second)][e]
            = random_value (&seed) - 1;
        }
  if (strstr (r->wish, "given"))
    run (f, &start, size);
  after = start;
  if (strstr (r->wish, "primal"))
    run (f, &after, size);
  double wanted = by_differences (f, r, &start, &seeds, &direction, size);
  double got
    = forward ? by_tangent (f, g, r, &start, &seeds, &direction, size, &changed)
              : by_gradient (f, g, r, &start, &after, &seeds, &direction, size,
                             &changed);
  verdict (fabs (got - wanted) <= 1e-7 * (1 + fabs (wanted)),
           "%s, %s, n = %lld: %.10g, by differences %.10g", r->shown, way, size,
           got, wanted);
  verdict (!changed, "%s, %s, n = %lld: values as they must be", r->shown, way,
           size);
  return got;
}

/* The visitor that counts tapes.  */
static bool
count_tapes (tns_node *node, void *self)
{
  int *n = self;
  *n += node->kind == TNS_LOCAL && strstr (node->sym->name, "_tape");
  return true;
}

/* The tangent of ROW, as made, compiled, and careful.  BACKWARD: the derivative
   by the gradient, by size; the products that both modes give are the same.  */
static void
check_tangent (tns_ctx *ctx, tns_region *f, const char *text, const row *r,
               const double *backward)
{
  for (int careful = 0; careful < 2; careful++)
    {
      const char *wish = tns_arena_format (
        ctx->arena, "tangent=yes %s%s", r->wish, careful ? " careful=yes" : "");
      tns_region *t = tns_differentiate (ctx, agree_parse (ctx, text), wish);
      t = tns_region_verify (ctx, t, "tangent");
      const tns_result *result = t && !careful ? tns_pipeline (ctx, t) : NULL;
      verdict (t, "%s: has a tangent", r->shown);
      verdict (careful || (result && result->out), "%s: its tangent compiles",
               r->shown);
      for (int k = 0; t && k < 4; k++)
        {
          double forward = compare (
            f, t, r, careful ? "careful tangent" : "tangent", true, sizes[k]);
          verdict (fabs (forward - backward[k])
                     <= 1e-12 * (1 + fabs (backward[k])),
                   "%s, n = %lld: %.17g forward, %.17g backward", r->shown,
                   sizes[k], forward, backward[k]);
        }
      for (int k = 0; result && result->out && k < 4; k++)
        compare (f, result->out, r, "compiled tangent", true, sizes[k]);
    }
}

/* The tangents of WIDE, along SIZE directions, are those of T along each.  */
static void
compare_directions (tns_region *f, tns_region *t, tns_region *wide,
                    const row *r, const char *way, long long size)
{
  static memory start, before, all, one;
  char key[16], first[16], second[16];
  bool same = true;
  start.n = 0;
  fill (f, &start, size, 1);
  all = start;
  fill (wide, &all, size, 3);
  for (int k = 0; k < start.n; k++)
    {
      memcpy (all.value[k], start.value[k], sizeof all.value[k]);
      memcpy (all.index[k], start.index[k], sizeof all.index[k]);
    }
  before = all;
  same &= run (wide, &all, size);
  for (int d = 0; d < size; d++)
    {
      one = start;
      for (int k = start.n; k < all.n; k++)
        {
          int n = elements_of (t, all.name[k], size);
          memcpy (one.value[find (&one, all.name[k])], before.value[k] + d * n,
                  sizeof (double) * (size_t) n);
        }
      same &= run (t, &one, size);
      for (const char *w = r->wish; next_word (&w, key, first, second);)
        for (int e = 0; second[0] && e < elements_of (t, second, size); e++)
          {
            double got = all.value[find (&all, second)]
                                  [d * elements_of (t, second, size) + e];
            double want = one.value[find (&one, second)][e];
            same &= fabs (got - want) <= 1e-11 * (1 + fabs (want))
                    || (isnan (got) && isnan (want));
          }
    }
  verdict (same, "%s, %s, n = %lld: the same along each", r->shown, way, size);
}

/* Tangents of ROW along n directions at once.  */
static void
check_directions (tns_ctx *ctx, tns_region *f, const char *text, const row *r)
{
  const char *plain = tns_arena_format (ctx->arena, "tangent=yes %s", r->wish);
  tns_region *t = tns_differentiate (ctx, agree_parse (ctx, text), plain);
  for (int careful = 0; careful < 2; careful++)
    {
      const char *wish
        = tns_arena_format (ctx->arena, "directions=n tangent=yes %s%s",
                            r->wish, careful ? " careful=yes" : "");
      tns_region *wide = tns_differentiate (ctx, agree_parse (ctx, text), wish);
      wide = tns_region_verify (ctx, wide, "directions");
      const tns_result *result
        = wide && !careful ? tns_pipeline (ctx, wide) : NULL;
      verdict (wide, "%s: has tangents along several directions", r->shown);
      verdict (careful || (result && result->out), "%s: they compile",
               r->shown);
      for (int k = 0; t && wide && k < 4; k++)
        compare_directions (f, t, wide, r, careful ? "careful" : "as made",
                            sizes[k]);
      for (int k = 0; t && result && result->out && k < 4; k++)
        compare_directions (f, t, result->out, r, "compiled", sizes[k]);
    }
}

/* G, the gradient of ROW, derived again, in both modes: of the adjoints that go
   out with respect to the values.  */
static void
check_second (tns_ctx *ctx, tns_region *g, const row *r)
{
  char key[16], first[16], second[16];
  const char *wish = "";
  for (const char *w = r->wish; next_word (&w, key, first, second);)
    if (!strcmp (key, "wrt") && tns_region_find (g, second))
      wish = tns_arena_format (ctx->arena, "%s of=%s:h%s wrt=%s:v%s", wish,
                               second, second, first, first);
  for (int forward = 0; forward < 2; forward++)
    {
      const char *way
        = forward ? "tangent of the gradient" : "gradient of the gradient";
      row again = { r->shown, NULL, NULL, NULL, -1 };
      again.wish = tns_arena_format (ctx->arena, "%s%s", wish,
                                     forward ? " tangent=yes" : "");
      tns_region *made = tns_differentiate (ctx, g, again.wish);
      made = tns_region_verify (ctx, made, "second");
      const tns_result *result = made ? tns_pipeline (ctx, made) : NULL;
      verdict (made, "%s: has a %s", r->shown, way);
      verdict (result && result->out, "%s: the %s compiles", r->shown, way);
      for (int k = 0; made && k < 4; k++)
        compare (g, made, &again, way, forward, sizes[k]);
    }
}

/* All of ROW.  */
static void
check (const row *r)
{
  double backward[4] = { 0 };
  tns_ctx *ctx = agree_ctx ("avx512");
  const char *text = tns_arena_format (
    ctx->arena, "region f { value i64 n; %s { %s } }", r->head, r->body);
  tns_region *f = agree_parse (ctx, text);
  tns_region *second
    = tns_differentiate (ctx, agree_parse (ctx, text), r->wish);
  tns_region *g = tns_differentiate (ctx, agree_parse (ctx, text), r->wish);
  g = tns_region_verify (ctx, g, "gradient");
  const tns_result *result = g ? tns_pipeline (ctx, g) : NULL;
  int n = 0;
  verdict (g, "%s: has a gradient", r->shown);
  verdict (result && result->out, "%s: compiles", r->shown);
  for (const tns_remark *m = ctx->remarks; m && !(result && result->out);
       m = m->next)
    fprintf (stderr, "%s\n", m->words);
  if (g)
    tns_node_walk (g->body, count_tapes, &n);
  verdict (r->tapes < 0 || n == r->tapes, "%s: %d tapes", r->shown, n);
  for (int k = 0; g && k < 4; k++)
    backward[k] = compare (f, g, r, "as made", false, sizes[k]);
  for (int k = 0; result && result->out && k < 4; k++)
    compare (f, result->out, r, "compiled", false, sizes[k]);
  const char *careful
    = tns_arena_format (ctx->arena, "%s careful=yes", r->wish);
  g = tns_differentiate (ctx, agree_parse (ctx, text), careful);
  g = tns_region_verify (ctx, g, "gradient");
  verdict (g, "%s: has a careful gradient", r->shown);
  for (int k = 0; g && k < 4; k++)
    compare (f, g, r, "careful", false, sizes[k]);
  bool is_cut = strstr (r->wish, "checkpoint") || strstr (r->wish, "memory");
  if (!strstr (r->wish, "given") && !strstr (r->wish, "primal"))
    {
      check_tangent (ctx, f, text, r, backward);
      check_directions (ctx, f, text, r);
      if (!strstr (r->head, "function") && !is_cut)
        check_second (ctx, second, r);
    }
  tns_ctx_free (ctx);
}

/* WISH with the primal, nothing absent.  */
static const char *
with_primal (tns_arena *arena, const char *wish)
{
  tns_text text = tns_text_new (arena);
  char key[16], first[16], second[16];
  while (next_word (&wish, key, first, second))
    if (strcmp (key, "absent"))
      tns_text_format (&text, "%s=%s%s%s ", key, first, second[0] ? ":" : "",
                       second);
  tns_text_add (&text, "primal=yes");
  return tns_text_chars (&text);
}

/* All of ROW, and with the primal.  */
static void
check_both (const row *r)
{
  tns_ctx *ctx = agree_ctx ("avx512");
  row primal = *r;
  primal.wish = with_primal (ctx->arena, r->wish);
  primal.shown = tns_arena_format (ctx->arena, "%s, and the primal", r->shown);
  primal.tapes = -1;
  check (r);
  if (!strstr (r->wish, "given"))
    check (&primal);
  tns_ctx_free (ctx);
}

int
main (void)
{
  for (int k = 0; k < N_ROWS; k++)
    check_both (&rows[k]);
  return verdict_status ();
}
