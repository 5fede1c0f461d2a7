/* The kernels of a region that is planned for a device.

     local f32 t[n];                          host: memory on the device for t
     for k = 0 to steps {                     host: for k
       for i = 0 to n parallel collapse(2)      launch 0
         for j = 0 to m   ...
       s = t[0];                                launch 1, one block
       for r = 0 to n parallel {                launch 2, a block for each r
         for c = 0 to m simd(32) ...
       }
     }

   A kernel is a region of its own: what it is given are its parameters.  What
   lives longer than it is memory of the device; iterators of the loops around
   it are numbers.  The host runs what is around kernels: it knows numbers that
   it was given, and nothing that is in memory.  */

#ifndef TNS_LOWERING_GRID_H
#define TNS_LOWERING_GRID_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Who does the iterations of a kernel's loops.

   THREADS  a thread each
   BLOCKS   a block each, whose threads share the loops with lanes inside
   ONE      there is one block; its threads share the loops with lanes
   TILES    a block takes a tile of a contraction (lowering/grid-tile.h)
   COLUMNS  a block takes neighbours, and groups of its threads share the loops
            with lanes inside (lowering/grid-columns.h)
   SLOTS    likewise BLOCKS, rows in registers (lowering/grid-slots.h)
   CROSS    a block takes a tile of what is read across
            (lowering/grid-cross.h)
   HALO     a block takes a tile of a sweep, with what is around it
            (lowering/grid-halo.h)
   BESIDE   blocks of several kernels, one's after the other's
            (lowering/grid-beside.h)  */
typedef enum tns_mapping
{
  TNS_MAPPING_THREADS,
  TNS_MAPPING_BLOCKS,
  TNS_MAPPING_ONE,
  TNS_MAPPING_TILES,
  TNS_MAPPING_COLUMNS,
  TNS_MAPPING_SLOTS,
  TNS_MAPPING_CROSS,
  TNS_MAPPING_HALO,
  TNS_MAPPING_BESIDE
} tns_mapping;

/* What of a contraction's tiles is copied by itself (lowering/grid-stages.h).

   n      stages; 0: nothing is
   sent   bit O: operand O is
   bytes  of all shared memory; 0: no more than a kernel has anyway, else what
          its launch is to ask for  */
typedef struct tns_stages
{
  int n;
  unsigned sent;
  int bytes;
} tns_stages;

/* node     of the grid's region: what it does
   region   the same as a region
   given    [region->n_params]: the symbols of the grid's region that its
            parameters stand for
   shape    of TILES: which one; of BLOCKS that keep a row in registers: how
            many of its elements each thread has (lowering/grid-row.h)
   lanes    of BLOCKS: threads that take an iteration, several of which share a
            block (lowering/grid-short.h); 0: all threads of a block
   beside   of TILES: blocks that shall have room beside each other on a
            processor
   stages   of TILES: what of them is copied by itself
            (lowering/grid-stages.h)
   group    of TILES: a kernel of warpgroups stands beside it
            (lowering/grid-group.h); NULL: none does
   precision  of TILES: what factors are rounded to for tensor cores; OWN: they
            are not used (lowering/grid-matrix.h)
   work     how many iterations its loops have, or blocks it takes, I64 over
            what the host knows
   threads  in a block, a power of two from 32 on, likewise
   whole    there are blocks for all work, not only as many as a device holds
            at once: each is short, and the next one begins where one ends
   part     [n_parts], of BESIDE: what it does; work counts blocks
   end      [n_parts]: the first block behind each part's, I64  */
typedef struct tns_kernel
{
  const tns_node *node;
  tns_region *region;
  tns_sym **given;
  tns_mapping mapping;
  int shape;
  int lanes;
  int beside;
  tns_stages stages;
  const struct tns_group *group;
  tns_precision precision;
  tns_expr *work;
  tns_expr *threads;
  bool whole;
  int n_parts;
  struct tns_kernel *part;
  tns_expr **end;
} tns_kernel;

/* region   the host's part, with the kernels' nodes in it
   outlives [region->n_syms]: LOCALs that live on the device between kernels
   text     of the kernels (lowering/cuda.h)
   kernels  the same without what stands in front of all
   steps    what was decided here, a line each, as in a plan
   cpu_ns   F64 over what the host knows, what one thread of the host is
            predicted to take; NULL: nothing can be said
   launches F64, likewise, how many there are, no more than all choices of the
            host together make  */
typedef struct tns_grid
{
  tns_region *region;
  int n;
  tns_kernel *kernel;
  bool *outlives;
  const char *text;
  const char *kernels;
  const char *steps;
  tns_expr *cpu_ns;
  tns_expr *launches;
} tns_grid;

/* How many kernels GRID's host part launches, F64 over what the host knows
   (lowering/grid-count.c).  */
extern tns_expr *tns_grid_launches (tns_ctx *ctx, const tns_grid *grid);

/* KERNEL stores to SYM, of the grid's region.  */
extern bool tns_grid_writes (const tns_kernel *kernel, const tns_sym *sym);

/* The kernels of REGION, with blocks' sums (lowering/block-sums.h).  NULL with
   TNS_WHY_DEVICE said where there is something that no device can do, or
   nothing for it to do.  */
extern tns_grid *tns_grid_build (tns_ctx *ctx, tns_region *region);

/* Some kernel of GRID uses tensor cores.  */
extern bool tns_grid_has_matrices (const tns_grid *grid);

/* How many kernels of GRID do several nests beside each other.  */
extern int tns_grid_joint (const tns_grid *grid);

/* What kernels of GRID need that CUDA C does not name: nothing;
   lowering/cuda-prelude.h; cuda-prelude-group.h behind it.  */
typedef enum tns_grid_words
{
  TNS_WORDS_NONE,
  TNS_WORDS_NEWER,
  TNS_WORDS_GROUP
} tns_grid_words;
extern tns_grid_words tns_grid_needs_words (const tns_grid *grid);

/* The kernel that NODE is, or NULL.  */
extern const tns_kernel *tns_grid_kernel (const tns_grid *grid,
                                          const tns_node *node);

/* How many loops from LOOP on, each the only statement of the one before, form
   the space that its marks ask for; the one inside LOOP, NULL: none.  */
extern int tns_grid_loops (tns_node *loop);
extern tns_node *tns_grid_inner (tns_node *loop);

/* NODE has loops with lanes, or scans.  */
extern bool tns_grid_has_lanes (tns_node *node);

/* The number of iterations of LOOP, I64.  */
extern tns_expr *tns_grid_trip (tns_arena *arena, const tns_node *loop);

#endif
