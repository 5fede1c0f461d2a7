/* Gradients and tangents of regions against differences: along a random
   direction, in f64, as made and as the whole pipeline leaves them; sizes 0, 1,
   2, 7.  What the gradient needs is checked too: which tapes it has.  With
   the primal gradients leave what the function leaves.  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "gradient-rows.h"
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

static const long long sizes[] = { 0, 1, 2, 7 };

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
