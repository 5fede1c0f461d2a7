/* Random regions before and after each stage: the interpreter must leave the
   same memory, bit for bit in integers, and in floats under fp(strict);
   else floats to a bound that follows from their size.

     fuzz-test [N [SEED [STAGE [EACH]]]]

   N regions, 1250 unless said; the stages up to STAGE, all unless said.
   The machine, the mode, GCC's flags and the budget follow from the seed too.
   In make check it has runs: 8 of 1250.

   The pipeline as a whole is run on every EACH-th of the regions that
   simplify gives, all unless said; one of MANY has many statements.  One that
   it refuses, or whose guard does not hold, stays as it is.  What it makes is
   executed with its free loops forwards, backwards and shuffled.

   Prints for each stage how many regions it changed.  From seed 1 on it also
   finds the faults that are planted in each, those of the pipeline after the
   plan too; those of the plan the proof must find, before a run can.  */

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/arguments.h"
#include "driver/pipeline.h"
#include "ir/argmax.h"
#include "ir/borders.h"
#include "ir/bytes.h"
#include "ir/canon.h"
#include "ir/chain.h"
#include "ir/factor.h"
#include "ir/flatten.h"
#include "ir/gather.h"
#include "ir/induction.h"
#include "ir/multiples.h"
#include "ir/parse.h"
#include "ir/pivot.h"
#include "ir/previous.h"
#include "ir/print.h"
#include "ir/rebase.h"
#include "ir/reroll.h"
#include "ir/reshape.h"
#include "ir/simplify.h"
#include "ir/value.h"
#include "ir/verify.h"
#include "faults.h"
#include "lowering/prefetch.h"
#include "random-nest.h"
#include "schedule/machine.h"
#include "schedule/rescale.h"

/* least   percent of the regions that the stage must change
   faulty  a fault can be planted in it
   marks   what it makes may have marks: every order is tried  */
typedef struct stage
{
  const char *name;
  tns_region *(*run) (tns_ctx *ctx, tns_region *region);
  int least;
  bool faulty;
  bool marks;
} stage;

/* More stages than there are.  */
#define MOST_STAGES 24

/* What a batch found, by stage; the first wrong region of each stage is told
   on OUT.  */
typedef struct tally
{
  FILE *out;
  int n;
  int deep;
  int statements;
  int bad;
  int tried[MOST_STAGES];
  int changed[MOST_STAGES];
  int wrong[MOST_STAGES];
} tally;

/* The text form and back.  */
static tns_region *
through_text (tns_ctx *ctx, tns_region *region)
{
  tns_text text = tns_text_new (ctx->arena);
  tns_region_print (&text, region);
  const char *chars = tns_text_chars (&text);
  tns_parse_error error = { 0 };
  tns_region *made = tns_region_parse (ctx->arena, &chars, &error);
  if (!made)
    {
      printf ("%d:%d: %s\n", error.line, error.column, error.words);
      return NULL;
    }
  tns_text again = tns_text_new (ctx->arena);
  tns_region_print (&again, made);
  return strcmp (tns_text_chars (&text), tns_text_chars (&again)) ? NULL : made;
}

/* The loops that the pipeline made, and their vectors; a region that it
   refuses is given back, one that it fails on is NULL.  Where a fault is
   planted the proof may refuse too.  */
static tns_result *last_result;

/* What the proof has refused.  */
static int n_unproved;

static tns_region *
schedule (tns_ctx *ctx, tns_region *region)
{
  last_result = tns_pipeline (ctx, region);
  if (last_result->status == TNS_DONE)
    return last_result->scheduled;
  const tns_remark *verdict_remark = tns_verdict (ctx);
  bool is_fault = !verdict_remark || verdict_remark->why == TNS_WHY_INTERNAL;
  bool is_unproved = ctx->break_stage && verdict_remark
                     && strstr (verdict_remark->words, "stage legal");
  n_unproved += is_unproved;
  return is_fault && !is_unproved ? NULL : region;
}

static tns_region *
vectors (tns_ctx *ctx, tns_region *region)
{
  (void) ctx;
  return last_result->status == TNS_DONE ? last_result->out : region;
}

/* Two loops as one.  */
static tns_region *
flatten (tns_ctx *ctx, tns_region *region)
{
  tns_text steps = tns_text_new (ctx->arena);
  return tns_region_flatten (ctx, region, &steps);
}

/* A loop over all elements as loops over rows.  */
static tns_region *
reshape (tns_ctx *ctx, tns_region *region)
{
  tns_text steps = tns_text_new (ctx->arena);
  return tns_region_reshape (ctx, region, false, &steps);
}

/* All arrays prefetched: the interpreter reads what is, and it must be
   there.  */
static tns_region *
prefetch (tns_ctx *ctx, tns_region *region)
{
  for (int k = 0; k < region->n_syms; k++)
    {
      const char *name = tns_sym_words (region->syms[k]);
      region = tns_region_prefetch (
        ctx, region, tns_arena_format (ctx->arena, "prefetch %s: 2", name));
    }
  return region;
}

/* Temporaries scaled where sums read them.  */
static tns_region *
rescale (tns_ctx *ctx, tns_region *region)
{
  tns_ctx quiet = *ctx;
  tns_text steps = tns_text_new (ctx->arena);
  tns_region *made = tns_region_rescale (&quiet, region, &steps);
  return made ? made : region;
}

/* Factors out of sums.  */
static tns_region *
factor (tns_ctx *ctx, tns_region *region)
{
  tns_text steps = tns_text_new (ctx->arena);
  return tns_region_factor (ctx, region, &steps);
}

static const stage stages[] = {
  { "text", through_text, 0, false, false },
  { "updates", tns_region_updates, 30, true, false },
  { "reroll", tns_region_reroll, 0, false, false },
  { "reshape", reshape, 1, false, false },
  { "rebase", tns_region_rebase, 0, false, false },
  { "shapes", tns_region_shapes, 30, true, false },
  { "simplify", tns_region_simplify, 30, true, false },
  { "flatten", flatten, 0, false, false },
  { "borders", tns_region_borders, 0, false, false },
  { "induction", tns_region_induction, 0, false, false },
  { "previous", tns_region_previous, 0, false, false },
  { "pivot", tns_region_pivot, 0, false, false },
  { "argmax", tns_region_argmax, 0, false, false },
  { "chains", tns_region_chains, 0, false, false },
  { "bytes", tns_region_bytes, 0, false, false },
  { "gather", tns_region_gather, 0, false, false },
  { "prefetch", prefetch, 30, false, false },
  { "rescale", rescale, 0, true, false },
  { "multiples", tns_region_multiples, 0, false, false },
  { "factor", factor, 0, true, false },
  { "scheduled", schedule, 30, false, true },
  { "out", vectors, 30, false, true },
};

/* One region of so many has more than a few statements.  */
#define MANY 64

#define LENGTH(a) (sizeof (a) / sizeof ((a)[0]))

_Static_assert(LENGTH (stages) <= MOST_STAGES, "a tally has room");

static int n_stages = LENGTH (stages);

/* The pipeline is run on one region of that many.  */
static int pipeline_each = 1;

/* What is being checked, for the handler of crashes.  */
static unsigned long long seed_now;
static const char *stage_now;

/* Say where the program crashed, and end.  */
static void
crashed (int number)
{
  printf ("FAIL: fuzz: signal %d in stage %s at seed %llu\n", number, stage_now,
          seed_now);
  fflush (stdout);
  _Exit (1);
}

/* A region's text without its title.  */
static const char *
text_of (tns_ctx *ctx, const tns_region *region)
{
  tns_text text = tns_text_new (ctx->arena);
  tns_region_print (&text, region);
  return tns_text_chars (&text);
}

/* The largest finite magnitude in an array; 1 at least.  */
static long double
scale_of (const tns_sym *sym, const tns_argument *argument)
{
  long double most = 1;
  int each = tns_elem_bytes (sym->type.elem);
  for (long long k = 0; k < argument->hi; k++)
    {
      long double value
        = tns_value_read (sym->type.elem, (char *) argument->base + k * each).f;
      if (isfinite (value) && fabsl (value) > most)
        most = fabsl (value);
    }
  return most;
}

/* Whether A and B are the same to BOUND; what is not finite, or so large
   that sums lose everything, is not compared.  */
static bool
is_near (long double a, long double b, long double bound)
{
  if (!isfinite (a) || !isfinite (b))
    return true;
  return fabsl (a - b) <= bound;
}

/* Some number of REGION is an f32: what others are made of has its rounding
   then.  */
static bool
is_narrow (const tns_region *region)
{
  for (int k = 0; k < region->n_syms; k++)
    if (region->syms[k]->type.elem == TNS_F32)
      return true;
  return false;
}

/* By how much elements of SYM, a parameter of REGION, may differ, of which A
   holds one outcome.  */
static long double
bound_of (const tns_region *region, const tns_sym *sym, const tns_argument *a)
{
  if (!tns_elem_is_float (sym->type.elem))
    return 0;
  return scale_of (sym, a)
         * (sym->type.elem == TNS_F32 ? 1e-3L
            : is_narrow (region)      ? 1e-6L
                                      : 1e-9L);
}

/* Whether two runs of REGION left the same in SYM.  */
static bool
same_array (FILE *out, const tns_region *region, const tns_sym *sym,
            const tns_argument *a, const tns_argument *b, bool strict)
{
  int each = tns_elem_bytes (sym->type.elem);
  bool is_float = tns_elem_is_float (sym->type.elem);
  long double bound = bound_of (region, sym, a);
  if (is_float && !strict && scale_of (sym, a) > 1e30L)
    return true;
  for (long long k = 0; k < a->hi; k++)
    {
      tns_scalar_value x
        = tns_value_read (sym->type.elem, (char *) a->base + k * each);
      tns_scalar_value y
        = tns_value_read (sym->type.elem, (char *) b->base + k * each);
      if (!is_float ? x.s != y.s
          : strict  ? !(x.f == y.f && signbit (x.f) == signbit (y.f))
                       && !(isnan (x.f) && isnan (y.f))
                   : !is_near (x.f, y.f, bound))
        {
          if (out)
            fprintf (out, "%s[%lld]: %.17Lg, then %.17Lg\n", sym->name, k,
                     is_float ? x.f : x.s, is_float ? y.f : y.s);
          return false;
        }
    }
  return true;
}

/* What REGION makes of a copy of the memory START, in *LEFT, its free loops
   in ORDER.  */
static tns_eval_status
run (tns_ctx *ctx, tns_region *region, const tns_argument *start, int order,
     tns_argument **left)
{
  tns_eval_options options
    = { .order = order, .seed = 7, .check_guards = true, .max_steps = 1e7 };
  const tns_node *where;
  *left = tns_arguments_copy (ctx->arena, region, start);
  return tns_region_eval (region, *left, &options, NULL, &where);
}

/* Whether the memory A and B of REGION's parameters is the same.  */
static bool
same_memory (tns_ctx *ctx, FILE *out, const tns_region *region,
             const tns_argument *a, const tns_argument *b)
{
  for (int k = 0; k < region->n_params; k++)
    {
      const tns_sym *sym = region->params[k];
      size_t bytes = (size_t) (a[k].hi * tns_elem_bytes (sym->type.elem));
      if (sym->kind == TNS_SYM_ARRAY && memcmp (a[k].base, b[k].base, bytes)
          && !same_array (out, region, sym, &a[k], &b[k],
                          ctx->wish.fp == TNS_FP_STRICT))
        return false;
    }
  return true;
}

/* Memory for REGION at sizes that follow from SEED.  */
static tns_argument *
make_memory (tns_ctx *ctx, const tns_region *region, unsigned long long seed)
{
  tns_setting sizes[] = { { "n", 1 + seed % 5 }, { "m", 1 + seed / 5 % 5 } };
  tns_argument_wish wish = { sizes, 2, 0, (unsigned) seed };
  return tns_arguments_new (ctx->arena, region, &wish);
}

/* Whether MADE leaves LEFT of START, as REGION did, in ORDER.  */
static bool
same_run (tns_ctx *ctx, FILE *out, const tns_region *region, tns_region *made,
          const tns_argument *start, const tns_argument *left, int order)
{
  tns_argument *again;
  tns_eval_status status = run (ctx, made, start, order, &again);
  if (status == TNS_EVAL_GUARD)
    return true;
  if (status == TNS_EVAL_OK && same_memory (ctx, out, region, left, again))
    return true;
  if (out)
    fprintf (out, "status %d in order %d\n", status, order);
  return false;
}

/* Tell what the stage S made of REGION.  */
static void
tell (tns_ctx *ctx, FILE *out, const stage *s, const tns_region *region,
      const tns_region *made)
{
  for (const tns_remark *r = ctx->remarks; r; r = r->next)
    fprintf (out, "%s\n", r->words);
  fprintf (out, "stage %s of\n%s", s->name, text_of (ctx, region));
  if (made)
    fprintf (out, "became\n%s", text_of (ctx, made));
}

/* Run stage K on REGION, whose text is *TEXT and whose run left LEFT of START;
   the region that it makes, its text in *TEXT, or NULL when that is wrong.
   What has the same text is run in the first stage alone, which shows that the
   text is all that a run depends on.  */
static tns_region *
check_stage (tns_ctx *ctx, tally *t, int k, tns_region *region,
             const char **text, const tns_argument *start,
             const tns_argument *left)
{
  const stage *s = &stages[k];
  stage_now = s->name;
  FILE *out = t->wrong[k] ? NULL : t->out;
  tns_region *made = tns_region_verify (ctx, s->run (ctx, region), s->name);
  const char *after = made ? text_of (ctx, made) : "";
  bool is_changed = strcmp (*text, after) != 0;
  int orders = k > 0 && !is_changed ? 0 : s->marks ? 3 : 1;
  bool is_same = made != NULL;
  for (int order = 0; is_same && order < orders; order++)
    is_same = same_run (ctx, out, region, made, start, left, order);
  t->changed[k] += is_same && is_changed;
  *text = after;
  if (is_same)
    return made;
  if (out)
    tell (ctx, out, s, region, made);
  t->wrong[k]++;
  return NULL;
}

/* Operations of a phase for most regions: few regions need more, but these take
   as long as all others.  */
#define FEW_OPERATIONS 30000

/* The machine, the mode, GCC's flags and the budget that follow from SEED.  */
static void
choose_target (tns_ctx *ctx, unsigned long long seed)
{
  static const char *const machines[] = { "avx512", "avx2", "avx", "sse2" };
  unsigned number = (unsigned) (seed * 0x9e3779b97f4a7c15ULL >> 40);
  bool fast = number / 4 % 2;
  ctx->machine = tns_machine_find (machines[number % 4]);
  ctx->wish.fp = seed % 2 ? TNS_FP_STRICT : fast ? TNS_FP_FAST : TNS_FP_REASSOC;
  ctx->flags.openmp = number / 8 % 4 != 0;
  ctx->flags.openmp_simd = ctx->flags.openmp || number / 32 % 2;
  ctx->flags.contract = seed % 2 == 0 && number / 64 % 2;
  ctx->flags.alone = number / 128 % 4 != 0;
  ctx->wish.budget = number / 512 % 8 ? FEW_OPERATIONS : 0;
}

/* The region of SEED has few statements.  */
static bool
is_light (unsigned long long seed)
{
  return (seed * 0x9e3779b97f4a7c15ULL >> 50) % MANY != 0;
}

/* Run all stages on the region of SEED; T gets what became of it.  */
static void
check_region (tns_ctx *ctx, unsigned long long seed, tally *t)
{
  bool strict = ctx->wish.fp == TNS_FP_STRICT;
  seed_now = seed;
  random_nest nest = random_nest_new (ctx->arena, seed, seed % 3 != 0, strict,
                                      is_light (seed));
  tns_region *region = tns_region_verify (ctx, nest.region, "extract");
  tns_argument *start = make_memory (ctx, nest.region, seed);
  tns_argument *left;
  t->n++;
  t->deep += nest.depth >= 3;
  t->statements += nest.n_statements;
  if (!region || run (ctx, region, start, 0, &left) != TNS_EVAL_OK)
    {
      fprintf (t->out, "seed %llu is no good region\n", seed);
      t->bad++;
      return;
    }
  const char *text = text_of (ctx, region);
  for (int k = 0; k < n_stages; k++)
    {
      if (stages[k].marks && (t->n - 1) % pipeline_each)
        return;
      t->tried[k]++;
      region = check_stage (ctx, t, k, region, &text, start, left);
      if (!region)
        {
          if (t->wrong[k] == 1)
            fprintf (t->out, "seed %llu\n", seed);
          return;
        }
    }
}

/* The wrong regions of all stages.  */
static int
all_wrong (const tally *t)
{
  int sum = t->bad;
  for (int k = 0; k < n_stages; k++)
    sum += t->wrong[k];
  return sum;
}

/* N regions from SEED on, with a fault planted in stage FAULT when that is
   not NULL; then it stops at the first that is wrong.  */
static tally
check_batch (FILE *out, int n, unsigned long long seed, const char *fault)
{
  tally t = { .out = out };
  for (int k = 0; k < n && !(fault && all_wrong (&t)); k++)
    {
      tns_ctx *ctx = tns_ctx_new (tns_allocator_malloc ());
      ctx->dump = out;
      ctx->break_stage = fault;
      ctx->ledger = TNS_LEDGER_NONE;
      choose_target (ctx, seed + (unsigned long long) k);
      check_region (ctx, seed + (unsigned long long) k, &t);
      tns_ctx_free (ctx);
    }
  return t;
}

/* Say whether OK, as DejaGnu reads it.  */
static int
verdict (bool ok, const char *what, const char *detail)
{
  printf ("%s: fuzz: %s%s\n", ok ? "PASS" : "FAIL", what, detail);
  return !ok;
}

/* Whether a fault planted in the stage NAME is found in N regions from SEED
   on, of which one of ONE_OF goes through the pipeline; its report is not
   shown.  */
static bool
finds_fault (const char *name, int n, int one_of, unsigned long long seed)
{
  FILE *quiet = fopen ("/dev/null", "w");
  int each = pipeline_each;
  pipeline_each = one_of;
  tally t = check_batch (quiet ? quiet : stdout, n, seed, name);
  pipeline_each = each;
  if (quiet)
    fclose (quiet);
  return all_wrong (&t) > 0;
}

/* Whether the proof refuses plans with FAULT planted, and all that do
   wrong.  */
static bool
proof_finds (const char *fault, unsigned long long seed)
{
  int each = pipeline_each;
  pipeline_each = 1;
  n_unproved = 0;
  int wrong = 0;
  for (unsigned k = 0; k < 500 && !wrong && !n_unproved; k += 50)
    {
      tally t = check_batch (stdout, 50, seed + k, fault);
      wrong = all_wrong (&t);
    }
  pipeline_each = each;
  return !wrong && n_unproved;
}

/* What cannot be run by itself: steps of the plan, and stages after it.  */
static const char *const steps[] = { "contract", "collapse" };
static const char *const later[]
  = { "cut", "vectors", "promote", "sums", "certain", "common" };

/* The fault NAME is planted here.  */
static bool
tries (const char *name)
{
  bool found = false;
  for (size_t k = 0; k < LENGTH (stages); k++)
    found |= stages[k].faulty && !strcmp (stages[k].name, name);
  for (size_t k = 0; k < LENGTH (steps); k++)
    found |= !strcmp (steps[k], name);
  for (size_t k = 0; k < LENGTH (later); k++)
    found |= !strcmp (later[k], name);
  return found;
}

/* How many of their faults are not found.  */
static int
check_later (void)
{
  const char *untried = faults_untried ("fuzz", tries);
  int failed
    = verdict (!untried, "all faults are tried", untried ? untried : "");
  for (size_t k = 0; k < LENGTH (steps); k++)
    failed += verdict (proof_finds (steps[k], 1),
                       "refused by the proof where a fault is planted in ",
                       steps[k]);
  for (size_t k = 0; k < LENGTH (later); k++)
    failed += verdict (finds_fault (later[k], 500, 1, 1),
                       "found the fault planted in ", later[k]);
  return failed;
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 1250;
  unsigned long long seed = argc > 2 ? strtoull (argv[2], NULL, 10) : 1;
  for (int k = 0; argc > 3 && k < n_stages; k++)
    if (!strcmp (stages[k].name, argv[3]))
      n_stages = k + 1;
  if (argc > 4 && atoi (argv[4]) > 0)
    pipeline_each = atoi (argv[4]);
  signal (SIGSEGV, crashed);
  signal (SIGABRT, crashed);
  signal (SIGFPE, crashed);
  tally t = check_batch (stdout, n, seed, NULL);
  int failed = verdict (!t.bad, "regions are in bounds", "");
  printf ("%d regions, %d %% of depth 3 and more, %.1f statements each\n", t.n,
          t.deep * 100 / (t.n + !t.n), (double) t.statements / (t.n + !t.n));
  if (n >= 1000)
    failed += verdict (t.deep * 100 >= 35 * t.n, "two of five are deep", "");
  for (int k = 0; k < n_stages; k++)
    {
      int percent = t.changed[k] * 100 / (t.tried[k] + !t.tried[k]);
      printf ("stage %s changed %d of %d (%d %%), %d wrong\n", stages[k].name,
              t.changed[k], t.tried[k], percent, t.wrong[k]);
      failed
        += verdict (!t.wrong[k], "what regions do is kept by ", stages[k].name);
      if (stages[k].least)
        failed += verdict (percent >= stages[k].least, "changed enough by ",
                           stages[k].name);
      if (stages[k].faulty && seed == 1)
        failed += verdict (finds_fault (stages[k].name, 2000, 8, seed),
                           "found the fault planted in ", stages[k].name);
    }
  bool is_whole = (size_t) n_stages == LENGTH (stages);
  return failed + (is_whole && seed == 1 ? check_later () : 0) > 0;
}
