/* Tiles of chains: which size, and whether they pay.

   A tile's footprint is what one iteration of the nests' outermost loops
   touches, ROW bytes, times its size.  Tiles pay where all rows are more than
   the first cache keeps and a tile fits the second one,

     trip * ROW >= KEPT * first        size * ROW <= second

   asked at run time where sizes are not known.  Rows that are known to be
   short make tiles of at least half of the first cache.  Each array that rows
   move through counts once, with the iterations of the inner loops that move
   it.  */

#include "schedule/halo.h"

#include <stdlib.h>
#include <string.h>

#include "base/section.h"
#include "ir/simplify.h"
#include "ir/walk.h"
#include "schedule/planner.h"

#define KEPT   8
#define ROWS   32
#define FEWEST 8

/* Some ITER occurs in the expression.  */
static bool
note_iter (tns_expr *expr, void *self)
{
  bool *some = self;
  *some |= expr->op == TNS_SYM && expr->sym->kind == TNS_SYM_ITER;
  return !*some;
}

/* How many iterations LOOP has, an expression over VALUEs, or NULL.  */
static tns_expr *
trip_of (tns_ctx *ctx, const tns_node *loop)
{
  bool some = false;
  tns_expr *trip = tns_binary (ctx->arena, TNS_SUB, loop->hi, loop->lo);
  trip = tns_expr_simplify (ctx, trip);
  tns_expr_walk (trip, note_iter, &some);
  if (some || loop->step != 1)
    return NULL;
  return tns_binary (ctx->arena, TNS_MAX, trip, tns_int (ctx->arena, 0));
}

/* The bytes that one iteration of the loops down to DEPTH touches through
   ACCESS of STMT; NULL when they are not known, or it does not move there.  */
static tns_expr *
bytes_of (tns_ctx *ctx, const tns_scop *scop, const tns_stmt *stmt,
          const tns_access *access, int depth)
{
  if (!access->expr
      || tns_storage_stride (scop, stmt, access, stmt->iter[depth])
           == TNS_STRIDE_FIXED)
    return NULL;
  tns_elem elem = scop->array[access->array].sym->type.elem;
  tns_expr *bytes = tns_int (ctx->arena, tns_elem_bytes (elem));
  for (int k = depth + 1; k < stmt->n_iters && bytes; k++)
    if (tns_storage_stride (scop, stmt, access, stmt->iter[k])
        != TNS_STRIDE_FIXED)
      {
        tns_expr *trip = trip_of (ctx, stmt->loop[k]);
        bytes = trip ? tns_binary (ctx->arena, TNS_MUL, bytes, trip) : NULL;
      }
  return bytes;
}

/* The bytes of one iteration of CHAIN's outermost loops.  */
static tns_expr *
row_of (tns_ctx *ctx, const tns_scop *scop, const tns_chain *chain)
{
  tns_expr *row = tns_int (ctx->arena, 0);
  bool *met = TNS_NEW_ARRAY (ctx->arena, bool, scop->n_arrays + 1);
  for (int k = 0; k < chain->n; k++)
    for (int s = chain->nest[k].first; s <= chain->nest[k].last; s++)
      for (int a = 0; a < scop->stmt[s].n_accesses; a++)
        {
          const tns_stmt *stmt = &scop->stmt[s];
          const tns_access *access = &stmt->access[a];
          tns_expr *bytes
            = met[access->array]
                ? NULL
                : bytes_of (ctx, scop, stmt, access, chain->depth);
          met[access->array] |= bytes != NULL;
          row = bytes ? tns_binary (ctx->arena, TNS_ADD, row, bytes) : row;
        }
  return row;
}

/* X >= BY * Y added to *COND; false when it never holds.  */
static bool
ask (tns_ctx *ctx, tns_expr *x, tns_expr *y, tns_expr **cond)
{
  long long a = 0;
  long long b = 0;
  x = tns_expr_simplify (ctx, x);
  y = tns_expr_simplify (ctx, y);
  if (tns_expr_is_int (x, &a) && tns_expr_is_int (y, &b))
    return a >= b;
  tns_expr *more = tns_binary (ctx->arena, TNS_GE, x, y);
  *cond = *cond ? tns_binary (ctx->arena, TNS_LAND, *cond, more) : more;
  return true;
}

/* Tiles of CHAIN pay, when *WHEN holds.  */
static bool
pays (tns_ctx *ctx, const tns_scop *scop, const tns_chain *chain,
      tns_expr **when)
{
  tns_arena *arena = ctx->arena;
  tns_expr *row = row_of (ctx, scop, chain);
  tns_expr *trip = trip_of (ctx, chain->nest[chain->n - 1].loop);
  long least = KEPT * (long) ctx->machine->l1_bytes;
  long most = (long) ctx->machine->l2_bytes;
  *when = NULL;
  return trip
         && ask (ctx, tns_int (arena, most),
                 tns_binary (arena, TNS_MUL, row, tns_int (arena, chain->size)),
                 when)
         && ask (ctx, tns_binary (arena, TNS_MUL, row, trip),
                 tns_int (arena, least), when);
}

/* CHAIN's line of a plan.  */
static const char *
line_of (tns_ctx *ctx, const tns_scop *scop, const tns_chain *chain)
{
  const tns_nest *first = &chain->nest[0];
  const tns_nest *last = &chain->nest[chain->n - 1];
  const tns_sym *iter = first->loop->iter;
  return tns_arena_format (
    ctx->arena, "%s %s %s at %s: %ld",
    chain->recompute ? "recompute" : "trapezoid", scop->stmt[first->first].name,
    scop->stmt[last->first].name, iter->spelled ? iter->spelled : iter->name,
    chain->size);
}

/* What a plan's section called NAME asks of a chain, RECOMPUTEd or not: its
   line and, in *SIZE, the size; NULL where it asks for none.  */
static const char *
asked_line (tns_ctx *ctx, const char *name, bool recompute, long *size)
{
  const char *word = recompute ? "recompute " : "trapezoid ";
  const char *line = tns_plan_line (ctx, name, word);
  const char *colon = line ? strchr (line, ':') : NULL;
  *size = colon ? strtol (colon + 1, NULL, 10) : 0;
  return *size > 1 ? line : NULL;
}

/* CHAIN's tiles, of CHAIN->size iterations, are LINE's, or pay and nobody asks
   for any; and they hold.  */
static bool
suits (tns_ctx *ctx, tns_chains *chains, const char *line, tns_chain *chain,
       tns_halo *halo)
{
  const tns_deps *deps = chains->deps;
  if (!tns_chain_find (chains, chain))
    return false;
  bool wanted = pays (ctx, deps->scop, chain, &halo->when);
  if (!wanted)
    halo->when = NULL;
  if (line)
    wanted = !strcmp (line, line_of (ctx, deps->scop, chain));
  return wanted && tns_chain_holds (ctx, deps, chain);
}

/* The largest size of CHAIN's tiles.  */
static long
most_rows (tns_ctx *ctx, tns_chains *chains, tns_chain *chain)
{
  long long row = 0;
  long size = chain->size = ROWS;
  if (!tns_chain_find (chains, chain))
    return 0;
  tns_expr *bytes
    = tns_expr_simplify (ctx, row_of (ctx, chains->deps->scop, chain));
  if (tns_expr_is_int (bytes, &row) && row > 0)
    while (2 * size * row <= ctx->machine->l1_bytes)
      size *= 2;
  return size;
}

/* Find one of CHAINS, and its size; ASKED names the section of a plan that has
   its line, if one has.  */
static bool
choose (tns_ctx *ctx, tns_chains *chains, const char *asked, tns_chain *chain,
        tns_halo *halo)
{
  for (int kind = 0; kind < 2; kind++)
    {
      const char *line = NULL;
      chain->recompute = kind == 0;
      if (asked)
        {
          line = asked_line (ctx, asked, kind == 0, &chain->size);
          if (line && suits (ctx, chains, line, chain, halo))
            return true;
          continue;
        }
      for (chain->size = most_rows (ctx, chains, chain); chain->size >= FEWEST;
           chain->size /= 2)
        if (suits (ctx, chains, NULL, chain, halo))
          return true;
    }
  return false;
}

/* The name of LIKE in tiles.  */
static const char *
name_of (tns_ctx *ctx, const tns_region *like)
{
  return tns_arena_format (ctx->arena, "%s_tiled", like->name);
}

bool
tns_halo_is_given (tns_ctx *ctx, const tns_region *like)
{
  return tns_plan_is_given (ctx, name_of (ctx, like));
}

tns_region *
tns_halo_complain (tns_ctx *ctx, const tns_region *like)
{
  const char *words = tns_arena_format (
    ctx->arena, "the tiles of 'plan %s' do not apply to these loops",
    name_of (ctx, like));
  tns_error (ctx, like->loc, TNS_WHY_PLAN, words);
  return NULL;
}

tns_region *
tns_region_halo (tns_ctx *ctx, const tns_deps *deps, tns_node *body,
                 const tns_region *like, tns_halo *halo)
{
  const tns_wish *wish = &ctx->wish;
  *halo = (tns_halo){ .steps = tns_text_new (ctx->arena) };
  if (!deps || !like || !ctx->machine || wish->fuse == TNS_FUSE_NONE
      || wish->tile.off || wish->tile.n > 0 || wish->interchange.n > 0)
    return NULL;
  const char *name = name_of (ctx, like);
  bool asked = tns_plan_is_given (ctx, name);
  tns_chain *chain = TNS_NEW (ctx->arena, tns_chain);
  if (!asked && tns_plan_is_given (ctx, like->name))
    return NULL;
  tns_chains chains = { .arena = ctx->arena, .deps = deps, .body = body };
  tns_isl_begin (ctx, deps->scop->isl);
  if (!choose (ctx, &chains, asked ? name : NULL, chain, halo))
    return asked ? tns_halo_complain (ctx, like) : NULL;
  tns_region *region = tns_region_copy (ctx->arena, like);
  region->name = name;
  chain->nest[0].after
    -= tns_ctx_breaks (ctx, chain->recompute ? "recompute" : "trapezoid");
  region->body = tns_chain_tiles (ctx, deps->scop, chain, region, body);
  tns_text_line (&halo->steps, "%s", line_of (ctx, deps->scop, chain));
  return region->body ? tns_region_simplify (ctx, region) : NULL;
}
