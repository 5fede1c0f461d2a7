/* Tiles of nests that reach beyond each other's iterations.

     for i  t[i] = f (x[i])            a row of y needs three of t, so that
     for i  y[i] = g (t[i-1],          the two loops cannot become one
                      t[i], t[i+1])

   Tile by tile what one nest leaves is read by the next before it has left
   the cache.  At the edges of a tile, either

   RECOMPUTE  what a tile needs of a temporary is computed in this tile, what
              two of them need twice, into memory of its own:

       for T { local t';
               for i in [T-1, T+B+1)  t'[i] = f (x[i])
               for i in [T, T+B)      y[i] = g (t'[i-1], t'[i], t'[i+1]) }

   TRAPEZOID  (t is seen afterwards) a tile gets narrower from nest to nest;
              what is left between two tiles follows when all are done:

       for T { for i in [T, T+B)      t[i] = f (x[i])
               for i in [T+1, T+B-1)  y[i] = g (t[i-1], t[i], t[i+1]) }
       for T   for i in [T+B-1, T+B+1)  y[i] = g (t[i-1], t[i], t[i+1])

   Tiles may run side by side in both.  Which instances are executed when is
   proved on the user's dataflow or dependences (poly/legal.h); the new region
   is then planned and proved like any other.  */

#ifndef TNS_SCHEDULE_HALO_H
#define TNS_SCHEDULE_HALO_H

#include "base/text.h"
#include "poly/deps.h"
#include "schedule/tree.h"

enum
{
  TNS_MOST_NESTS = 16
};

/* A nest of a chain.

   loop           its outermost LOOP, first..last its statements
   again          what it writes is computed in each tile that needs it
   before, after  RECOMPUTE: iterations more that a tile does at either end;
                  TRAPEZOID: iterations less  */
typedef struct tns_nest
{
  const tns_node *loop;
  int first;
  int last;
  bool again;
  long before;
  long after;
} tns_nest;

/* Nests that follow each other in one block, kid[at..at + n) of it, inside
   depth loops; size iterations a tile.  */
typedef struct tns_chain
{
  int depth;
  const tns_node *block;
  int at;
  int n;
  tns_nest nest[TNS_MOST_NESTS];
  long size;
  bool recompute;
} tns_chain;

/* Where chains are looked for: in BODY, that of deps->scop's region.  What is
   found out about the dependences inside so many loops is kept in ARENA.  */
typedef struct tns_chains
{
  tns_arena *arena;
  const tns_deps *deps;
  const tns_node *body;
  struct tns_apart *apart[TNS_MAX_DEPTH];
} tns_chains;

/* What was tiled: when (NULL: always) it pays, and its line of a plan.  */
typedef struct tns_halo
{
  tns_expr *when;
  tns_text steps;
} tns_halo;

/* BODY, that of SCOP's region, with a chain in tiles, in a region that has the
   symbols of LIKE besides; its name is LIKE's and "_tiled".  NULL where there
   is no chain, or it is too small to gain.  Where ctx->plan_text has a section
   with that name its line is asked for: an error in CTX when that does not
   hold.  Says nothing else in CTX.  */
extern tns_region *tns_region_halo (tns_ctx *ctx, const tns_deps *deps,
                                    tns_node *body, const tns_region *like,
                                    tns_halo *halo);

/* ctx->plan_text has a section for the tiles of LIKE; it cannot be had, an
   error in CTX that says so.  */
extern bool tns_halo_is_given (tns_ctx *ctx, const tns_region *like);
extern tns_region *tns_halo_complain (tns_ctx *ctx, const tns_region *like);

/* Find the first chain of CHAINS, and how far its nests reach, for tiles of
   CHAIN->size iterations, CHAIN->recompute or not (schedule/chain.c).  */
extern bool tns_chain_find (tns_chains *chains, tns_chain *chain);

/* The tiles of CHAIN leave what the user's order leaves
   (schedule/chain-proof.c).  */
extern bool tns_chain_holds (tns_ctx *ctx, const tns_deps *deps,
                             const tns_chain *chain);

/* BODY with CHAIN in tiles; symbols go to REGION (schedule/chain-tiles.c).
   NULL where an array has no bound.  */
extern tns_node *tns_chain_tiles (tns_ctx *ctx, const tns_scop *scop,
                                  const tns_chain *chain, tns_region *region,
                                  tns_node *body);

/* The nest of CHAIN that statement S is of, or -1.  */
extern int tns_chain_nest_of (const tns_chain *chain, int s);

/* NEST writes ARRAY.  */
extern bool tns_nest_writes (const tns_scop *scop, const tns_nest *nest,
                             int array);

#endif
