/* What the stages made, printed where the dump asks for it, as driver/tell.h
   says.  */

#include "driver/tell.h"

#include <time.h>

#include "ir/print.h"

double
tns_milliseconds (void)
{
  return (double) clock () * 1000.0 / CLOCKS_PER_SEC;
}

void
tns_tell_time (tns_ctx *ctx, const char *name)
{
  double now = tns_milliseconds ();
  if (tns_ctx_dumps_named (ctx, "time"))
    fprintf (ctx->dump, ";; time of %s: %.1f ms\n", name, now - ctx->lap);
  ctx->lap = now;
}

tns_region *
tns_tell (tns_ctx *ctx, const char *name, tns_region *region)
{
  tns_tell_time (ctx, name);
  if (region && tns_ctx_dumps (ctx, name))
    {
      tns_text text = tns_text_new (ctx->arena);
      tns_region_print (&text, region);
      fprintf (ctx->dump, ";; stage %s, region %s\n%s\n", name, region->name,
               tns_text_chars (&text));
    }
  return region;
}

void
tns_tell_plan (tns_ctx *ctx, const tns_plan *plan)
{
  if (plan && tns_ctx_dumps (ctx, "plan"))
    {
      tns_text text = tns_text_new (ctx->arena);
      tns_tree_print (&text, plan->scop, plan->tree);
      fprintf (ctx->dump, "plan %s\n%s;; tree\n%s\n", plan->region->name,
               tns_text_chars (&plan->steps), tns_text_chars (&text));
    }
}
