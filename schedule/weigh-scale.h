/* What is known while one tree is weighed (schedule/weigh.h).  */

#ifndef TNS_SCHEDULE_WEIGH_SCALE_H
#define TNS_SCHEDULE_WEIGH_SCALE_H

#include "schedule/planner.h"

/* What accesses of one array with the same DIMs around them move: ways, as bits
   of iterators.  One for the array, unless a statement accesses it in several
   ways, as A[i][j] -= A[i][k] * A[k][j], or a DIM moves one statement's
   along rows, and another's not.  first: an access of statement stmt, as all
   are.  */
typedef struct tns_stream
{
  int array;
  unsigned ways;
  int stmt;
  const tns_access *first;
} tns_stream;

/* extent[s][k]: the number of values of iterator k of statement s; size: of
   parameters; home[a]: array a can live inside of a loop, which all that
   touches it shares; stream: what moves by itself, of[s][a]: which access a of
   statement s is of.  */
typedef struct tns_scale
{
  tns_arena *arena;
  const tns_scop *scop;
  const tns_machine *machine;
  tns_tree *root;
  bool as_written;
  double size;
  double **extent;
  bool *home;
  int n_streams;
  tns_stream *stream;
  int **of;
} tns_scale;

/* The statements below a tree.  */
typedef struct tns_members
{
  int n;
  int *stmt;
} tns_members;

/* Those below TREE.  */
extern tns_members tns_scale_members (const tns_scale *w, const tns_tree *tree);

/* The scale of SCOP on MACHINE, for TREE.  */
extern tns_scale tns_scale_of (tns_ctx *ctx, const tns_scop *scop,
                               const tns_machine *machine, tns_tree *tree,
                               bool as_written);

/* Which temporaries have a home in W->root: not those that go from nest to
   nest.  */
extern void tns_scale_homes (tns_scale *w);

/* The trips of PATH[0..N), the DIMs above statement S.  */
extern void tns_scale_trips (const tns_scale *w, int s, int n, tns_tree **path,
                             double *trip);

/* The trip of DIM, below DEPTH others: of the first statement that moves with
   it.  */
extern double tns_scale_trip_at (const tns_scale *w, const tns_tree *dim,
                                 int depth);

/* How ACCESS of statement S moves with DIM.  */
extern tns_stride tns_scale_stride (const tns_scale *w, const tns_tree *dim,
                                    int s, const tns_access *access);

/* ARRAY lives in registers: a scalar, or, in a plan, a temporary.  */
extern bool tns_scale_in_registers (const tns_scale *w, int array);

/* Cycles in which memory moves what TREE, below no DIM, needs
   (schedule/weigh-memory.c).  */
extern double tns_scale_memory_cycles (const tns_scale *w,
                                       const tns_tree *tree);

#endif
