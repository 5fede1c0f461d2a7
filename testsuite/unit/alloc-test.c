/* Memory that ends at any point of a region's compilation: the pipeline comes
   back, the region failed or was done, and everything is given back.  */

#include <stdio.h>
#include <stdlib.h>

#include "agree.h"
#include "driver/pipeline.h"
#include "ir/parse.h"

static const char text[]
  = "region r {"
    "  value i64 n; value i64 m;"
    "  array f32 x[n][m]; array f32 y[n][m]; array f32 t[n][m] temp;"
    "  array f32 a[n][n]; array f32 c[n][m]; cell f32 s object;"
    "  { for i = 0 to n { for j = 0 to m { S1: t[i][j] = x[i][j] * 2.0f32; } }"
    "  for i = 0 to n { for j = 0 to m { S2: y[i][j] = t[i][j] + 1.0f32;"
    "    S3: s += t[i][j]; } }"
    "  for i = 0 to n { for j = 0 to m { for k = 0 to n {"
    "    S4: c[i][j] += a[i][k] * y[k][j]; } } } }"
    "}";

/* Blocks that may still be had, that were had and not given back, and that
   were asked for.  */
typedef struct purse
{
  long left;
  long held;
  long asked;
} purse;

/* A block, while there are some.  */
static void *
get (void *self, size_t bytes)
{
  purse *p = self;
  p->asked++;
  if (p->left == 0)
    return NULL;
  p->left--;
  p->held++;
  return malloc (bytes);
}

/* A block comes back.  */
static void
put (void *self, void *block)
{
  purse *p = self;
  p->held -= block != NULL;
  free (block);
}

/* What becomes of REGION with LEFT blocks of memory: whether it is done.
   *WELL is cleared where that is not as it should be.  */
static bool
compile (tns_region *region, long left, bool *well)
{
  purse p = { left, 0, 0 };
  tns_allocator allocator = { get, put, &p };
  tns_ctx *ctx = tns_ctx_new (allocator);
  bool done = false;
  if (ctx)
    {
      ctx->flags.openmp = true;
      tns_result *result = tns_pipeline (ctx, region);
      done = result && result->status == TNS_DONE;
      *well &= !result || done == (result->out != NULL);
      *well &= done || p.asked > left;
    }
  tns_ctx_free (ctx);
  *well &= p.held == 0;
  return done;
}

int
main (void)
{
  tns_ctx *ctx = agree_ctx ("avx2");
  tns_region *region = agree_parse (ctx, text);
  bool well = true;
  long left = 0;
  while (left < 100000 && !compile (region, left, &well))
    left++;
  printf ("done with %ld blocks\n", left);
  printf ("%s: alloc: memory that ends at any block\n", well ? "PASS" : "FAIL");
  printf ("%s: alloc: it is done when there is enough\n",
          left > 3 && left < 100000 ? "PASS" : "FAIL");
  tns_ctx_free (ctx);
  return !well || left <= 3 || left == 100000;
}
