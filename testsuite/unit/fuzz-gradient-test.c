/* Gradients of random regions against forward mode, without GCC.

     fuzz-gradient-test [N [SEED [EACH]]]

   N regions (random-nest.h) from SEED on, with smooth functions in them; for
   some of their arrays as outputs and inputs, seeds U, directions D, what the
   arrays hold and what the adjoints that are added to hold at the entry are
   random.  Forward mode (dual.h) gives the tangents T of what is left, the
   gradient, run by the interpreter, gains G:

     sum of U * T = sum of D * G

   up to the rounding of all operations.  The arrays themselves must stay.  What
  fails inside is wrong, too.
   Half of the gradients are made with care; every EACH-th goes through the
   pipeline too, with a budget: few need more, but these take as long as all
   others.  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "driver/arguments.h"
#include "driver/differentiate.h"
#include "driver/pipeline.h"
#include "dual.h"
#include "ir/print.h"
#include "ir/value.h"
#include "ir/verify.h"
#include "ir/walk.h"
#include "random-nest.h"
#include "verdict.h"

enum
{
  MOST_SEEDS = 16,
  EACH = 8,
  BUDGET = 100000
};

/* What became of all regions: those without outputs or inputs; those refused;
   runs beyond a point where a derivative is, and others whose derivative is 0
   along their direction.  */
typedef struct tally
{
  int n;
  int passive;
  int refused;
  int singular;
  int zero;
  int compiled;
  int wrong;
} tally;

/* A region, what is differentiated, and how it is run.  */
typedef struct trial
{
  tns_ctx *ctx;
  tns_region *f;
  unsigned long long seed;
  unsigned long long state;
  tns_gradient_wish wish;
  tns_seed seeds[MOST_SEEDS];
  tns_argument *start;
  bool is_f32;
} trial;

/* A number below N.  */
static int
below (trial *t, int n)
{
  t->state = t->state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (int) ((t->state >> 33) % (unsigned) n);
}

/* The changer that puts smooth functions in the place of -a and |a|.  */
static tns_expr *
smooth (tns_expr *expr, void *self)
{
  static const tns_op ops[]
    = { TNS_SIN, TNS_COS, TNS_TANH, TNS_ATAN, TNS_ERF, TNS_ASINH, TNS_NEG };
  trial *t = self;
  if ((expr->op != TNS_NEG && expr->op != TNS_ABS)
      || !tns_elem_is_float (expr->type.elem))
    return expr;
  int k = below (t, 9);
  tns_expr *a = expr->arg[0];
  tns_arena *arena = t->ctx->arena;
  if (k < 7)
    return tns_unary (arena, ops[k], a);
  tns_expr *sum = tns_binary (arena, TNS_ADD, tns_binary (arena, TNS_MUL, a, a),
                              tns_real (arena, a->type.elem, 1));
  return tns_unary (arena, k == 7 ? TNS_SQRT : TNS_LOG1P, sum);
}

/* The same in all of an expression.  */
static tns_expr *
smooth_all (tns_expr *expr, void *self)
{
  trial *t = self;
  return tns_expr_rebuild (t->ctx->arena, expr, smooth, self);
}

/* Choose outputs and inputs among the arrays of floats; false where there are
   none.  */
static bool
choose_seeds (trial *t)
{
  bool of = false;
  bool wrt = false;
  t->wish.seed = t->seeds;
  for (int k = 0; k < t->f->n_params; k++)
    {
      tns_sym *sym = t->f->params[k];
      if (sym->kind != TNS_SYM_ARRAY || !tns_elem_is_float (sym->type.elem))
        continue;
      tns_seed seed = { .sym = sym };
      seed.name = tns_arena_format (t->ctx->arena, "d%s", sym->name);
      seed.of = tns_node_writes (t->f->body, sym) && below (t, 4);
      seed.wrt = below (t, 4);
      if (seed.of || seed.wrt)
        t->seeds[t->wish.n_seeds++] = seed;
      of |= seed.of;
      wrt |= seed.wrt;
    }
  return of && wrt;
}

/* How many elements SYM has.  */
static long long
size_of (const trial *t, const tns_sym *sym)
{
  long long n = 1;
  for (int k = 0; k < sym->rank; k++)
    n *= tns_expr_eval (t->f, sym->extent[k], t->start).s;
  return n;
}

/* Element E of the argument A of SYM, as a number.  */
static double
number_at (const tns_argument *a, const tns_sym *sym, long long e)
{
  tns_elem elem = sym->type.elem;
  const char *at = (const char *) a->base + e * tns_elem_bytes (elem);
  return (double) tns_value_read (elem, at).f;
}

/* New memory for an adjoint of SYM, filled.  */
static tns_argument
adjoint_memory (trial *t, const tns_sym *sym)
{
  tns_argument made = { .hi = size_of (t, sym) };
  long long bytes = tns_elem_bytes (sym->type.elem);
  made.base = tns_arena_get (t->ctx->arena, (size_t) (made.hi * bytes + 8));
  for (long long e = 0; e < made.hi; e++)
    tns_value_write (
      sym->type.elem, (char *) made.base + e * bytes,
      tns_value_of_real (sym->type.elem, (below (t, 65) - 32) / 8.0L));
  return made;
}

/* The arguments of G: copies of what F starts with, by name; adjoints from
   ADJOINT, by seed.  */
static tns_argument *
arguments_of (trial *t, const tns_region *g, const tns_argument *adjoint)
{
  tns_argument *copy = tns_arguments_copy (t->ctx->arena, t->f, t->start);
  tns_argument *made
    = TNS_NEW_ARRAY (t->ctx->arena, tns_argument, g->n_params + 1);
  for (int k = 0; k < g->n_params; k++)
    {
      for (int i = 0; i < t->f->n_params; i++)
        if (!strcmp (t->f->params[i]->name, g->params[k]->name))
          made[k] = copy[i];
      for (int i = 0; i < t->wish.n_seeds; i++)
        if (!strcmp (t->seeds[i].name, g->params[k]->name))
          made[k] = adjoint[i];
    }
  return made;
}

/* Whether G's arguments NOW hold of F's arrays what these started with.  */
static bool
stayed (const trial *t, const tns_region *g, const tns_argument *now)
{
  for (int k = 0; k < g->n_params; k++)
    for (int i = 0; i < t->f->n_params; i++)
      if (g->params[k]->kind == TNS_SYM_ARRAY
          && !strcmp (t->f->params[i]->name, g->params[k]->name)
          && memcmp (
            now[k].base, t->start[i].base,
            (size_t) (now[k].hi * tns_elem_bytes (g->params[k]->type.elem))))
        return false;
  return true;
}

/* Both sums.

   bound  on their difference  */
typedef struct sums
{
  double forward;
  double backward;
  double bound;
} sums;

/* Forward mode: T's outputs times SEED, along DIRECTION.  */
static void
run_forward (trial *t, const tns_argument *seed, const tns_argument *direction,
             sums *s)
{
  tns_arena *arena = t->ctx->arena;
  dual_array *array = dual_arrays (arena, t->f, t->start);
  double size = 0;
  for (int k = 0; k < t->wish.n_seeds; k++)
    for (long long e = 0; t->seeds[k].wrt && e < direction[k].hi; e++)
      {
        dual *x = &array[t->seeds[k].sym->id].at[e];
        x->d = number_at (&direction[k], t->seeds[k].sym, e);
        x->size = fabs (x->d);
      }
  double operations = dual_run (arena, t->f, t->start, array);
  for (int k = 0; k < t->wish.n_seeds; k++)
    for (long long e = 0; t->seeds[k].of && e < seed[k].hi; e++)
      {
        const dual *y = &array[t->seeds[k].sym->id].at[e];
        double u = number_at (&seed[k], t->seeds[k].sym, e);
        s->forward += u * y->d;
        size += fabs (u) * y->size;
      }
  s->bound = 8 * (operations + 100) * ldexp (size + 100, t->is_f32 ? -24 : -53);
}

/* Reverse mode by G on memory ADJOINT, which holds BEFORE; false where it does
   not run or changes what it may not.  */
static bool
run_backward (trial *t, tns_region *g, const tns_argument *adjoint,
              const tns_argument *before, const tns_argument *direction,
              sums *s)
{
  tns_eval_options options = { .max_steps = 1e7 };
  tns_counts counts;
  const tns_node *where;
  tns_argument *arguments = arguments_of (t, g, adjoint);
  if (tns_region_eval (g, arguments, &options, &counts, &where) != TNS_EVAL_OK
      || !stayed (t, g, arguments))
    return false;
  for (int k = 0; k < t->wish.n_seeds; k++)
    for (long long e = 0; e < adjoint[k].hi; e++)
      {
        const tns_seed *seed = &t->seeds[k];
        double was = seed->of ? 0 : number_at (&before[k], seed->sym, e);
        double is = number_at (&adjoint[k], seed->sym, e);
        if (seed->wrt)
          s->backward += number_at (&direction[k], seed->sym, e) * (is - was);
        else if (is != number_at (&before[k], seed->sym, e))
          return false;
      }
  return true;
}

/* Whether G is right, as WAY; a run beyond a singular point is.  */
static bool
is_right (trial *t, tns_region *g, const char *way, tally *sum)
{
  tns_argument adjoint[MOST_SEEDS], before[MOST_SEEDS], direction[MOST_SEEDS];
  sums s = { 0 };
  unsigned long long state = t->state;
  for (int k = 0; k < t->wish.n_seeds; k++)
    adjoint[k] = adjoint_memory (t, t->seeds[k].sym);
  t->state = state;
  for (int k = 0; k < t->wish.n_seeds; k++)
    before[k] = adjoint_memory (t, t->seeds[k].sym);
  for (int k = 0; k < t->wish.n_seeds; k++)
    direction[k] = adjoint_memory (t, t->seeds[k].sym);
  run_forward (t, before, direction, &s);
  bool runs = run_backward (t, g, adjoint, before, direction, &s);
  if (runs && !(s.bound < 1e20))
    {
      sum->singular++;
      return true;
    }
  sum->zero += s.forward == 0;
  if (runs && fabs (s.forward - s.backward) <= s.bound)
    return true;
  printf ("seed %llu, %s: %s, %.17g, forward %.17g, bound %.3g\n", t->seed, way,
          runs ? "ends" : "fails", s.backward, s.forward, s.bound);
  return false;
}

/* Tell T's region and its gradient G.  */
static void
tell (trial *t, const tns_region *g)
{
  tns_text text = tns_text_new (t->ctx->arena);
  tns_region_print (&text, t->f);
  if (g)
    tns_region_print (&text, g);
  printf ("%s", tns_text_chars (&text));
  for (int k = 0; k < t->wish.n_seeds; k++)
    printf ("%s:%s%s\n", t->seeds[k].name, t->seeds[k].of ? " of" : "",
            t->seeds[k].wrt ? " wrt" : "");
}

/* What the pipeline makes of G is right too.  */
static bool
is_right_compiled (trial *t, tns_region *g, tally *sum)
{
  t->ctx->wish.budget = BUDGET;
  const tns_result *result = tns_pipeline (t->ctx, g);
  if (result->status != TNS_DONE)
    return true;
  sum->compiled++;
  return is_right (t, result->out, "compiled", sum);
}

/* The gradient of T's region, when that is there.  */
static void
check_gradient (trial *t, tally *sum, int each)
{
  tns_region *g
    = tns_derive (t->ctx, tns_region_copy (t->ctx->arena, t->f), &t->wish);
  for (int k = 0; k < t->wish.n_seeds; k++)
    t->seeds[k].sym = tns_region_find (t->f, t->seeds[k].sym->name);
  if (!g)
    {
      const tns_remark *verdict = tns_verdict (t->ctx);
      sum->refused++;
      if (verdict && verdict->why == TNS_WHY_INTERNAL && sum->wrong++ < 3)
        tell (t, NULL);
      return;
    }
  g = tns_region_verify (t->ctx, g, "gradient");
  bool right = g && is_right (t, g, t->wish.careful ? "careful" : "made", sum);
  if (right && !t->wish.careful && t->seed / 2 % (unsigned) each == 0)
    right = is_right_compiled (t, g, sum);
  if (!right && sum->wrong++ < 3)
    tell (t, g);
}

/* The region of SEED.  */
static void
check_seed (unsigned long long seed, tally *sum, int each)
{
  tns_ctx *ctx = agree_ctx ("avx512");
  trial t = { .ctx = ctx, .seed = seed, .state = seed * 77777 };
  tns_setting sizes[] = { { "n", 1 + seed % 5 }, { "m", 1 + seed / 5 % 5 } };
  tns_argument_wish wish = { sizes, 2, 0, (unsigned) seed };
  ctx->wish.fp = TNS_FP_STRICT;
  ctx->flags.contract = false;
  bool light = seed % 16 != 0;
  t.f = random_nest_new (ctx->arena, seed, true, seed % 2, light).region;
  t.f->body = tns_node_rebuild (ctx->arena, t.f->body, NULL, smooth_all, &t);
  t.start = tns_arguments_new (ctx->arena, t.f, &wish);
  t.wish.careful = seed % 2;
  for (int k = 0; k < t.f->n_syms; k++)
    t.is_f32 |= t.f->syms[k]->type.elem == TNS_F32;
  sum->n++;
  if (choose_seeds (&t))
    check_gradient (&t, sum, each);
  else
    sum->passive++;
  tns_ctx_free (ctx);
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 1500;
  unsigned long long seed = argc > 2 ? strtoull (argv[2], NULL, 10) : 1;
  int each = argc > 3 ? atoi (argv[3]) : EACH;
  tally sum = { 0 };
  for (int k = 0; k < n; k++)
    check_seed (seed + (unsigned long long) k, &sum, each);
  int gradients = sum.n - sum.passive - sum.refused;
  printf ("%d regions, %d gradients, %d compiled too, %d of 0, %d refused, "
          "%d at singular points, %d wrong\n",
          sum.n, gradients, sum.compiled, sum.zero, sum.refused, sum.singular,
          sum.wrong);
  verdict (!sum.wrong, "%d gradients agree with forward mode", gradients);
  verdict (5 * gradients > 2 * n, "two of five regions have gradients");
  verdict (2 * sum.zero < gradients, "most of them are not 0");
  verdict (100 * sum.refused < n, "few are refused");
  return verdict_status ();
}
