/* Regions planned for a device, executed by the interpreter: random ones leave
   the same memory whatever order threads take, and touch nothing but the spans
   of their arrays, which are all that a device has of them.

     grid-test [N [SEED]]    N random regions, 60 unless said  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "driver/arguments.h"
#include "driver/device.h"
#include "ir/print.h"
#include "lowering/grid.h"
#include "random-nest.h"

/* What random regions came to.

   taken    a device takes them
   kernels  theirs
   spans    of arrays that they may touch  */
typedef struct score
{
  int taken;
  int kernels;
  int spans;
  bool failed;
} score;

/* Let ARGUMENT of REGION touch the spans only.  */
static void
narrow (const tns_region *region, tns_argument *argument, score *sc)
{
  for (int k = 0; k < region->n_params; k++)
    {
      const tns_span *span = NULL;
      for (int s = 0; s < region->n_spans; s++)
        if (region->spans[s].sym == region->params[k])
          span = &region->spans[s];
      if (span && span->lo)
        {
          argument[k].lo = tns_expr_eval (region, span->lo, argument).s;
          argument[k].hi = tns_expr_eval (region, span->hi, argument).s;
          sc->spans++;
        }
    }
}

/* Behind A and B the arrays of REGION have the same numbers.  */
static bool
is_same (const tns_region *region, const tns_argument *a, const tns_argument *b)
{
  bool same = true;
  for (int k = 0; k < region->n_params; k++)
    if (region->params[k]->kind == TNS_SYM_ARRAY)
      same &= tns_argument_checksum (region->params[k], &a[k])
              == tns_argument_checksum (region->params[k], &b[k]);
  return same;
}

/* OUT does what IN does, in ORDER, for SIZES.  */
static bool
is_right (tns_ctx *ctx, tns_region *in, tns_region *out,
          const tns_setting *sizes, int order, score *sc)
{
  tns_argument_wish wish = { sizes, 2, 0, 1 };
  tns_argument *before = tns_arguments_new (ctx->arena, in, &wish);
  tns_argument *after = tns_arguments_copy (ctx->arena, in, before);
  tns_argument *narrowed = tns_arguments_copy (ctx->arena, in, before);
  tns_eval_options options
    = { .order = order, .seed = 7, .check_guards = true };
  const tns_node *where = NULL;
  if (tns_region_eval (in, before, NULL, NULL, &where) != TNS_EVAL_OK)
    return false;
  for (int k = 0; k < in->n_params; k++)
    narrowed[k].base = after[k].base;
  narrow (out, narrowed, sc);
  tns_eval_status status
    = tns_region_eval (out, narrowed, &options, NULL, &where);
  bool ok = status == TNS_EVAL_GUARD
            || (status == TNS_EVAL_OK && is_same (in, before, after));
  if (!ok)
    printf ("status %d%s%s\n", (int) status,
            where && where->kind == TNS_ASSIGN ? " at an assignment to " : "",
            where && where->kind == TNS_ASSIGN ? where->target->sym->name : "");
  return ok;
}

/* The region of SEED.  */
static void
check_random (unsigned long long seed, score *sc)
{
  tns_ctx *ctx = agree_ctx ("avx2");
  tns_region *in
    = random_nest_new (ctx->arena, seed, false, seed % 2, false).region;
  tns_ctx *device = tns_device_context (ctx);
  tns_result *result = tns_pipeline (device, in);
  int n = tns_device_kernels (result);
  sc->taken += n > 0;
  sc->kernels += n;
  for (unsigned k = 0; n > 0 && k < 6 && !sc->failed; k++)
    {
      tns_setting sizes[]
        = { { "n", (seed + k) % 7 }, { "m", 1 + (seed / 7 + 3 * k) % 6 } };
      if (is_right (ctx, in, result->out, sizes, (int) k % 3, sc))
        continue;
      tns_text text = tns_text_new (ctx->arena);
      tns_region_print (&text, in);
      tns_region_print (&text, result->out);
      printf ("%sFAIL: grid: seed %llu, n %d, m %d\n", tns_text_chars (&text),
              seed, (int) sizes[0].value, (int) sizes[1].value);
      sc->failed = true;
    }
  tns_ctx_free (ctx);
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 60;
  unsigned long long seed = argc > 2 ? strtoull (argv[2], NULL, 10) : 1;
  score sc = { 0 };
  for (int k = 0; k < n && !sc.failed; k++)
    check_random (seed + (unsigned long long) k, &sc);
  printf ("%d random regions on a device, %d kernels, %d spans\n", sc.taken,
          sc.kernels, sc.spans);
  bool enough = sc.taken * 4 > n && sc.kernels > sc.taken;
  printf ("%s: grid: random regions\n", sc.failed || !enough ? "FAIL" : "PASS");
  return sc.failed || !enough;
}
