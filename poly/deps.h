/* Dependences of a scop under its original order.

   A dependence joins two accesses to one element, one of them a write, the
   source before the target:

     { S[i] -> T[j] : A_S(i) = A_T(j), order (S[i]) < order (T[j]) }

   Freed reductions.  Two updates of one cell with the same reduction
   operator may change places under fp (reassoc) (always for integers and
   for min and max of integers): pairs of updates that meet *only* through
   the accumulator at both ends are put into class FREED, not in the order
   to be kept.  A pair that also meets through an operand is kept
   (path[i][k] of Floyd-Warshall).  */

#ifndef TNS_POLY_DEPS_H
#define TNS_POLY_DEPS_H

#include "poly/scop.h"

typedef enum tns_dep_kind
{
  TNS_DEP_FLOW,
  TNS_DEP_ANTI,
  TNS_DEP_OUTPUT
} tns_dep_kind;

/* source, target  statements
   array   through which
   freed   a pair of updates that may change places; op their operator
   map     { S[i] -> T[j] }
   same    the first dependence of the same statements and pairs that is freed
           if this is: an update reads, writes and reads again what another one
           does, so that three of them have the same distances
   part    what each of the n_parts pieces of map says (poly/facts.h)
   source_access, target_access  for messages  */
typedef struct tns_dep
{
  int source;
  int target;
  int array;
  tns_dep_kind kind;
  bool freed;
  tns_op op;
  isl_map *map;
  int same;
  int n_parts;
  struct tns_facts_kept *part;
  const tns_access *source_access;
  const tns_access *target_access;
} tns_dep;

/* dep    every memory dependence (not only the last writer's), maps of the
          same (source, target, array, kind, freed) joined
   known  by dependence, what others found out about it (schedule/known.h)  */
typedef struct tns_deps
{
  const tns_scop *scop;
  int n;
  tns_dep *dep;
  struct tns_known **known;
} tns_deps;

/* Compute them.  NULL with TNS_WHY_BUDGET said.  */
extern tns_deps *tns_deps_build (tns_ctx *ctx, const tns_scop *scop);
extern void tns_deps_free (tns_deps *deps);

/* Each statement of DEPS is in a loop over an iterator called NAME, its
   outermost one, and what one iteration of that writes no other one touches,
   not even a sum.  */
extern bool tns_deps_apart (const tns_deps *deps, const char *name);

/* DEP in C terms: "y[i] written by S1 (line 12) is read by S2 (line 14) in
   a later iteration of i"; and where that is by index, how to say that it is
   never so.  In the arena.  */
extern const char *tns_dep_words (const tns_deps *deps, const tns_dep *dep);

extern void tns_deps_print (FILE *out, const tns_deps *deps);

#endif
