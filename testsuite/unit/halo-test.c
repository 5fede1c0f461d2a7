/* Nests that reach beyond each other's iterations, in tiles: the same memory,
   and a proof that finds each tile that lacks an iteration.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "ir/verify.h"
#include "ir/walk.h"
#include "schedule/halo.h"

/* What becomes of a line of a plan: the search finds no such chain, or the
   proof alone says that it does not hold.  */
typedef enum outcome
{
  UNFOUND,
  UNPROVED,
  HOLDS
} outcome;

/* shown  what the row shows
   head   declarations; N is an i64 VALUE
   body   statements
   line   of a plan  */
typedef struct row
{
  const char *shown;
  const char *head;
  const char *body;
  const char *line;
  outcome outcome;
} row;

#define X    "array f32 X[N][N] const; "
#define Y    "array f32 Y[N][N]; "
#define T    "local f32 T[N][N]; "
#define Z    "array f32 Z[N][N]; "
#define ROWS "for i = 0 to N { for j = 0 to N { "
#define IN   "for i = 1 to N - 1 { for j = 0 to N { "

static const row rows[] = {
  { "a temporary's rows again", X Y,
    T ROWS "S1: T[i][j] = X[i][j] * 2.0f32; } }" IN
           "S2: Y[i][j] = T[i - 1][j] + T[i][j] - T[i + 1][j]; } }",
    "recompute S1 S2 at i: 8", HOLDS },
  { "two temporaries, one after the other", X Y,
    T "local f32 U[N][N]; " ROWS "S1: T[i][j] = X[i][j] * 2.0f32; } }" IN
      "S2: U[i][j] = T[i - 1][j] - T[i + 1][j]; } }"
      "for i = 3 to N - 2 { for j = 0 to N {"
      "S3: Y[i][j] = U[i - 2][j] + U[i][j] * T[i][j]; } }",
    "recompute S1 S3 at i: 16", HOLDS },
  { "sums of rows", X Y,
    T ROWS "S1: T[i][j] = 0.0f32; for k = 0 to 3 {"
           "S2: T[i][j] += X[i][j] * X[j][i]; } } }"
           "for i = 1 to N { for j = 0 to N {"
           "S3: Y[i][j] = T[i][j] - T[i - 1][j]; } }",
    "recompute S1 S3 at i: 4", HOLDS },
  { "not what is seen afterwards", X Y Z,
    ROWS "S1: Z[i][j] = X[i][j] * 2.0f32; } }" IN
         "S2: Y[i][j] = Z[i - 1][j] + Z[i][j]; } }",
    "recompute S1 S2 at i: 8", UNFOUND },
  { "that in trapezoids", X Y Z,
    ROWS "S1: Z[i][j] = X[i][j] * 2.0f32; } }" IN
         "S2: Y[i][j] = Z[i - 1][j] + Z[i + 1][j]; } }",
    "trapezoid S1 S2 at i: 8", HOLDS },
  { "steps of time", Y Z,
    "for t = 0 to 3 {" IN
    "S1: Z[i][j] = Y[i - 1][j] + Y[i][j] - Y[i + 1][j]; } }" IN
    "S2: Y[i][j] = Z[i - 1][j] + Z[i][j] - Z[i + 1][j]; } } }",
    "trapezoid S1 S2 at i: 8", HOLDS },
  { "with a number of each iteration", Y Z,
    "for t = 0 to 3 {" IN "local f32 u; S1: u = Y[i - 1][j] * 2.0f32;"
    "S2: Z[i][j] = u - Y[i + 1][j]; } }" IN
    "local f32 v; S3: v = Z[i - 1][j]; S4: Y[i][j] = v - Z[i + 1][j]; } } }",
    "trapezoid S1 S3 at i: 8", HOLDS },
  { "with other statements in the loop", Y Z "array f32 A[N]; array f32 C; ",
    "for t = 0 to 3 { for i = 0 to N { S1: A[i] = A[i] + 1.0f32; }" IN
    "S2: Z[i][j] = Y[i - 1][j] + Y[i][j] - Y[i + 1][j]; } }" IN
    "S3: Y[i][j] = Z[i - 1][j] + A[i]; } } S4: C = C + 1.0f32; }",
    "trapezoid S1 S3 at i: 8", HOLDS },
  { "three nests", Y Z "array f32 A[N][N]; ",
    IN "S1: Z[i][j] = Y[i - 1][j] + Y[i][j]; } }" IN
       "S2: A[i][j] = Z[i][j] + Z[i + 1][j]; } }" IN
       "S3: Y[i][j] = A[i - 1][j] - Z[i][j]; } }",
    "trapezoid S1 S3 at i: 16", HOLDS },
  { "not over a store to what is read again", Y,
    T ROWS "S1: T[i][j] = Y[i][j] * 2.0f32; } }" IN
           "S2: Y[i][j] = T[i - 1][j] + T[i][j] - T[i + 1][j]; } }",
    "recompute S1 S2 at i: 8", UNFOUND },
  { "not what was there before", Y "array f32 T[N][N] temp; ",
    IN "S1: T[i][j] = 2.0f32; } }" IN
       "S2: Y[i][j] = T[i - 1][j] + T[i][j] - T[i + 1][j]; } }",
    "recompute S1 S2 at i: 8", UNPROVED },
  { "not what waits for its own last row", X Y,
    T IN "S1: T[i][j] = T[i - 1][j] + X[i][j]; } }" IN
         "S2: Y[i][j] = T[i - 1][j] + T[i][j]; } }",
    "recompute S1 S2 at i: 8", UNFOUND },
  { "not any distance", X Y,
    T ROWS "S1: T[i][j] = X[i][j] * 2.0f32; } }" IN
           "S2: Y[i][j] = T[N - i][j] + T[i][j]; } }",
    "recompute S1 S2 at i: 8", UNFOUND },
  { "not tiles that are mostly edges", X Y,
    T ROWS "S1: T[i][j] = X[i][j] * 2.0f32; } }" IN
           "S2: Y[i][j] = T[i - 1][j] + T[i + 1][j]; } }",
    "recompute S1 S2 at i: 4", UNFOUND },
};

/* Each proof takes isl some time: the first few rows are enough.  */
#define SHORT 7

/* The model of REGION.  */
static tns_deps *
model (tns_ctx *ctx, tns_region *region)
{
  return tns_deps_build (
    ctx, tns_scop_privatise (ctx, tns_scop_build (ctx, region)));
}

/* The text of row R.  */
static const char *
text_of (tns_ctx *ctx, const row *r)
{
  return tns_arena_format (ctx->arena, "region r { value i64 N; %s { %s } }",
                           r->head, r->body);
}

/* The chains of row R; without deps where it has no model.  */
static tns_chains
chains_of (tns_ctx *ctx, const row *r)
{
  tns_region *region = agree_parse (ctx, text_of (ctx, r));
  return (
    tns_chains){ ctx->arena, model (ctx, region), region->body, { NULL } };
}

/* How often the symbols of a region are declared, by sym->id.  */
typedef struct places
{
  int *n;
  bool once;
} places;

/* The visitor: count what NODE declares.  */
static bool
count_local (tns_node *node, void *self)
{
  places *p = self;
  if (node->kind == TNS_LOCAL)
    p->once &= p->n[node->sym->id]++ == 0;
  return true;
}

/* Each LOCAL of REGION stands in one place.  */
static bool
stand_once (tns_ctx *ctx, const tns_region *region)
{
  places p = { TNS_NEW_ARRAY (ctx->arena, int, region->n_syms), true };
  tns_node_walk (region->body, count_local, &p);
  return p.once;
}

/* The region of TEXT with LINE's tiles; NULL where they do not hold.  */
static tns_region *
tiled (tns_ctx *ctx, const char *text, const char *line)
{
  tns_halo halo;
  ctx->plan_text = tns_arena_format (ctx->arena, "plan r_tiled\n  %s\n", line);
  tns_region *region = agree_parse (ctx, text);
  tns_deps *deps = model (ctx, region);
  tns_region *made
    = deps ? tns_region_halo (ctx, deps, region->body, region, &halo) : NULL;
  bool right
    = made && !strncmp (tns_text_chars (&halo.steps), line, strlen (line))
      && tns_region_verify (ctx, made, "tiles") && stand_once (ctx, made);
  return right ? made : NULL;
}

/* Row R; whether all is as it should be.  */
static bool
check_row (const row *r)
{
  tns_ctx *ctx = agree_ctx ("avx512");
  const char *text = text_of (ctx, r);
  bool ok = (tiled (ctx, text, r->line) != NULL) == (r->outcome == HOLDS);
  for (int n = 0; n < 40 && ok && r->outcome == HOLDS; n += n < 3 ? 1 : 12)
    ok = agree (agree_parse (ctx, text), tiled (ctx, text, r->line), n, 1);
  printf ("%s: halo: %s\n", ok ? "PASS" : "FAIL", r->shown);
  tns_ctx_free (ctx);
  return ok;
}

/* CHAINS has a chain for tiles twice as large as CHAIN's too, which is found
   without isl.  */
static bool
is_remembered (tns_ctx *ctx, tns_chains *chains, const tns_chain *chain)
{
  isl_ctx *isl = chains->deps->scop->isl;
  tns_chain larger = { .size = 2 * chain->size, .recompute = chain->recompute };
  isl_ctx_reset_operations (isl);
  isl_ctx_set_max_operations (isl, 1);
  bool found = tns_chain_find (chains, &larger) && larger.n == chain->n;
  tns_isl_begin (ctx, isl);
  return found;
}

/* One end of one nest of row R's chain reaches one iteration less far than it
   must: whether the proof says so.  A trapezoid that begins too early is right
   as long as tiles follow each other.  */
static bool
check_short (const row *r)
{
  tns_ctx *ctx = agree_ctx ("avx512");
  tns_chains chains = chains_of (ctx, r);
  tns_chain chain
    = { .size = 16, .recompute = !strncmp (r->line, "recompute", 9) };
  bool ok = chains.deps && tns_chain_find (&chains, &chain)
            && is_remembered (ctx, &chains, &chain)
            && tns_chain_holds (ctx, chains.deps, &chain);
  for (int k = 0; k < chain.n && ok; k++)
    for (int end = 0; end < 2; end++)
      {
        long *more = end ? &chain.nest[k].after : &chain.nest[k].before;
        if (*more == 0 || (!end && !chain.recompute))
          continue;
        --*more;
        ok &= !tns_chain_holds (ctx, chains.deps, &chain);
        ++*more;
      }
  printf ("%s: halo: too short: %s\n", ok ? "PASS" : "FAIL", r->shown);
  tns_ctx_free (ctx);
  return ok;
}

/* The search finds the chain of row R, which does not hold, only where it
   must: proofs take long.  */
static bool
check_search (const row *r)
{
  tns_ctx *ctx = agree_ctx ("avx512");
  tns_chains chains = chains_of (ctx, r);
  tns_chain chain = { .size = atol (strchr (r->line, ':') + 1),
                      .recompute = !strncmp (r->line, "recompute", 9) };
  bool ok = chains.deps
            && tns_chain_find (&chains, &chain) == (r->outcome == UNPROVED);
  printf ("%s: halo: %sfound: %s\n", ok ? "PASS" : "FAIL",
          r->outcome == UNPROVED ? "" : "not ", r->shown);
  tns_ctx_free (ctx);
  return ok;
}

int
main (void)
{
  int failures = 0;
  for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
    {
      failures += !check_row (&rows[k]);
      if (rows[k].outcome == HOLDS && k < SHORT)
        failures += !check_short (&rows[k]);
      if (rows[k].outcome != HOLDS)
        failures += !check_search (&rows[k]);
    }
  return failures > 0;
}
