/* Families of regions, one for each stage whose pattern random nests seldom
   have: what the stage makes leaves the same memory behind, to the bit, it
   changes three of ten or more, and the fault that can be planted in it is
   found.

     family-test [N [SEED]]

   N regions of each family, 300 unless said, one of four under fp(strict), one
   of COMPILED through the whole pipeline.  All
   numbers are small integers, so that sums are the same in every order.

   A family is a text with choices: @{a|b} is one of both, @{X:a|b} is chosen
   once and stands where $X is written later.  Choices hold choices.  What only
   looks like the pattern is among them.  */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "base/text.h"
#include "driver/pipeline.h"
#include "family.h"
#include "faults.h"
#include "ir/argmax.h"
#include "ir/borders.h"
#include "ir/bytes.h"
#include "ir/chain.h"
#include "ir/delay.h"
#include "ir/elements.h"
#include "ir/flatten.h"
#include "ir/gather.h"
#include "ir/induction.h"
#include "ir/keep.h"
#include "ir/known.h"
#include "ir/localise.h"
#include "ir/multiples.h"
#include "ir/pivot.h"
#include "ir/previous.h"
#include "ir/print.h"
#include "ir/rebase.h"
#include "ir/reroll.h"
#include "ir/reshape.h"
#include "ir/table.h"
#include "ir/unroll.h"
#include "ir/verify.h"
#include "ir/wrap.h"
#include "lowering/carry.h"
#include "lowering/divisors.h"
#include "lowering/hoist.h"
#include "lowering/registers.h"

/* Two loops as one, whatever the plan.  */
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

/* What an iteration stores in a register.  */
static tns_region *
carry (tns_ctx *ctx, tns_region *region)
{
  tns_made made = { 0 };
  return tns_region_carry (ctx, region, &made);
}

typedef struct family
{
  const char *name;
  tns_region *(*run) (tns_ctx *ctx, tns_region *region);
  const char *text;
} family;

static const family families[] = {
  { "known", tns_region_known, FAMILY_KNOWN },
  { "reroll", tns_region_reroll, FAMILY_REROLL },
  { "reshape", reshape, FAMILY_RESHAPE },
  { "rebase", tns_region_rebase, FAMILY_REBASE },
  { "flatten", flatten, FAMILY_FLATTEN },
  { "unroll", tns_region_unroll, FAMILY_UNROLL },
  { "localise", tns_region_localise, FAMILY_LOCALISE },
  { "elements", tns_region_elements, FAMILY_ELEMENTS },
  { "wrap", tns_region_wrap, FAMILY_WRAP },
  { "borders", tns_region_borders, FAMILY_BORDERS },
  { "induction", tns_region_induction, FAMILY_INDUCTION },
  { "previous", tns_region_previous, FAMILY_PREVIOUS },
  { "pivot", tns_region_pivot, FAMILY_PIVOT },
  { "argmax", tns_region_argmax, FAMILY_ARGMAX },
  { "delay", tns_region_delay, FAMILY_DELAY },
  { "keep", tns_region_keep, FAMILY_KEEP },
  { "chains", tns_region_chains, FAMILY_CHAINS },
  { "bytes", tns_region_bytes, FAMILY_BYTES },
  { "gather", tns_region_gather, FAMILY_GATHER },
  { "table", tns_region_table, FAMILY_TABLE },
  { "multiples", tns_region_multiples, FAMILY_MULTIPLES },
  { "hoist", tns_region_hoist, FAMILY_HOIST },
  { "divisors", tns_region_divisors, FAMILY_DIVISORS },
  { "registers", tns_region_registers, FAMILY_REGISTERS },
  { "carry", carry, FAMILY_CARRY },
};

#define COMPILED 15

/* Part of a text.  */
typedef struct span
{
  const char *begin;
  const char *end;
} span;

/* The choices made so far.

   state  of the numbers
   named  by the name's letter  */
typedef struct choices
{
  unsigned long long state;
  span named[26];
} choices;

/* The next number below N.  */
static int
choose (choices *c, int n)
{
  c->state = c->state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (int) ((c->state >> 33) % (unsigned) n);
}

/* The alternative that begins at TEXT: up to a bar, or the brace that ends
   the choice.  */
static span
alternative (const char *text)
{
  span one = { text, text };
  for (int depth = 0; depth || !strchr ("|}", *one.end); one.end++)
    depth += (*one.end == '{') - (*one.end == '}');
  return one;
}

/* An alternative of the choice whose first one follows *TEXT, which then
   stands behind the choice.  */
static span
choose_one (choices *c, const char **text)
{
  span all[16];
  int n = 0;
  do
    {
      all[n] = alternative (*text + 1);
      *text = all[n++].end;
    }
  while (**text == '|');
  ++*text;
  return all[choose (c, n)];
}

/* Write FROM with one alternative of each choice.  */
static void
expand (tns_text *to, choices *c, span from)
{
  for (const char *text = from.begin; text < from.end;)
    if (*text == '$')
      {
        expand (to, c, c->named[text[1] - 'A']);
        text += 2;
      }
    else if (*text == '@')
      {
        bool is_named = isupper ((unsigned char) text[2]) && text[3] == ':';
        span *name = &c->named[is_named ? text[2] - 'A' : 0];
        text += is_named ? 3 : 1;
        span one = choose_one (c, &text);
        if (is_named)
          *name = one;
        expand (to, c, one);
      }
    else
      tns_text_format (to, "%c", *text++);
}

/* What became of a batch.  */
typedef struct tally
{
  int n;
  int changed;
  int wrong;
} tally;

/* A region's text.  */
static const char *
text_of (tns_ctx *ctx, const tns_region *region)
{
  tns_text text = tns_text_new (ctx->arena);
  tns_region_print (&text, region);
  return tns_text_chars (&text);
}

static const long long sizes[] = { 0, 1, 2, 5, 9, 19 };

#define N_SIZES (sizeof sizes / sizeof *sizes)

/* Whether MADE does what REGION does, at a few sizes; under fp(strict) zeros
   keep their signs.  */
static bool
is_same (tns_fp fp, tns_region *region, tns_region *made, unsigned seed)
{
  bool same = made != NULL;
  for (unsigned k = 0; same && k < N_SIZES; k++)
    same = fp == TNS_FP_STRICT
             ? agree (region, made, sizes[k], seed + k)
             : agree_in_effect (region, made, sizes[k], seed + k, 0);
  return same;
}

/* Whether what the whole pipeline makes of REGION, in *MADE, does the same, its
   free loops forwards, backwards and shuffled.  Functions are no whole numbers:
   nothing is contracted.  */
static bool
is_same_compiled (tns_ctx *ctx, tns_region *region, unsigned seed,
                  tns_region **made)
{
  ctx->flags.contract = false;
  ctx->flags.openmp = true;
  ctx->wish.parallel_threshold = 1;
  tns_result *result = tns_pipeline (ctx, region);
  bool same = result->status != TNS_FAILED;
  *made = result->out;
  for (unsigned k = 0; same && result->out && k < 3 * N_SIZES; k++)
    same = agree_in_effect (region, result->out, sizes[k / 3], seed + k,
                            (int) (k % 3));
  return same;
}

/* Run F on its region of SEED; T gets what became of it.  */
static void
check_region (const family *f, unsigned seed, const char *fault, tally *t)
{
  static const char *const machines[] = { "avx512", "avx2", "sse2" };
  tns_ctx *ctx = agree_ctx (machines[seed / 2 % 3]);
  ctx->break_stage = fault;
  ctx->wish.fp = seed % 4 ? TNS_FP_REASSOC : TNS_FP_STRICT;
  tns_text text = tns_text_new (ctx->arena);
  choices c = { .state = seed * 0x9e3779b97f4a7c15ULL };
  expand (&text, &c, (span){ f->text, f->text + strlen (f->text) });
  tns_region *region = agree_parse (ctx, tns_text_chars (&text));
  const char *before = text_of (ctx, region);
  if (!tns_region_verify (ctx, region, "extract"))
    exit (1);
  tns_region *made = tns_region_verify (ctx, f->run (ctx, region), f->name);
  t->n++;
  t->changed += made && strcmp (before, text_of (ctx, made)) != 0;
  bool same = is_same (ctx->wish.fp, region, made, seed);
  if (same && !fault && seed % COMPILED == 0)
    same = is_same_compiled (ctx, region, seed, &made);
  t->wrong += !same;
  if (!same && !fault)
    fprintf (stderr, "%s of\n%s\nbecame\n%s\nseed %u\n", f->name, before,
             made ? text_of (ctx, made) : "nothing", seed);
  tns_ctx_free (ctx);
}

/* N regions of F from SEED on, up to the first that is wrong.  */
static tally
check_family (const family *f, int n, unsigned seed, const char *fault)
{
  tally t = { 0 };
  for (int k = 0; k < n && !t.wrong; k++)
    check_region (f, seed + (unsigned) k, fault, &t);
  return t;
}

/* Say whether OK, as DejaGnu reads it.  */
static int
verdict (bool ok, const char *what, const char *name)
{
  printf ("%s: family: %s %s\n", ok ? "PASS" : "FAIL", what, name);
  return !ok;
}

/* Whether the fault planted in F's stage is found; its report is not
   shown.  */
static bool
finds_fault (const family *f, int n)
{
  agree_hush (true);
  tally t = check_family (f, n, 1, f->name);
  agree_hush (false);
  return t.wrong > 0;
}

/* There is a family for the fault NAME.  */
static bool
tries (const char *name)
{
  bool found = false;
  for (size_t k = 0; k < sizeof families / sizeof *families; k++)
    found |= !strcmp (families[k].name, name);
  return found;
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 300;
  unsigned seed = argc > 2 ? (unsigned) atoi (argv[2]) : 1;
  int failed = 0;
  for (unsigned k = 0; k < sizeof families / sizeof *families; k++)
    {
      const family *f = &families[k];
      tally t = check_family (f, n, seed, NULL);
      printf ("stage %s changed %d of %d\n", f->name, t.changed, t.n);
      failed += verdict (!t.wrong, "what regions do is kept by", f->name);
      failed
        += verdict (t.changed * 10 >= t.n * 3, "changed enough by", f->name);
      failed
        += verdict (finds_fault (f, n), "found the fault planted in", f->name);
    }
  const char *untried = faults_untried ("family", tries);
  failed += verdict (!untried, "all faults are tried", untried ? untried : "");
  return failed > 0;
}
