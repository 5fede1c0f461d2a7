/* The final proof: does an order keep every dependence, are marked loops
   free, does each live range have a cell of its own?  Knows no step and
   trusts none.

   The new order is given as { S[i] -> [t0, .., tm-1] }, all statements with
   m dimensions (padded), which must order every pair of dependent instances
   strictly.  */

#ifndef TNS_POLY_LEGAL_H
#define TNS_POLY_LEGAL_H

#include "poly/deps.h"
#include "poly/facts.h"

/* Dimension dim of the order is parallel or in lanes for the instances in
   where; freed pairs through the (array, op) in REDUCTIONS may be carried by
   it, all other dependences may not.  */
typedef struct tns_claim
{
  int dim;
  isl_union_set *where;
  int n_reductions;
  tns_reduction *reductions;
} tns_claim;

/* True when ORDER, restricted to the domains, is total on dependent
   instances and executes each instance (coverage), and every claim holds.
   False with *BROKEN set to the dependence at fault (NULL when it is
   coverage), or with TNS_WHY_BUDGET said in CTX.  */
extern bool tns_legal (tns_ctx *ctx, const tns_deps *deps,
                       __isl_keep isl_union_map *order, int n_claims,
                       const tns_claim *claims, const tns_dep **broken);

/* The same where TIME[s] is the order of statement s, a function of all its
   iterators' values: each is executed.  TIME stays the caller's.  */
extern bool tns_legal_times (tns_ctx *ctx, const tns_deps *deps,
                             isl_multi_aff **time, int n_claims,
                             const tns_claim *claims, const tns_dep **broken);

/* Where an array that is dead after the region is put: each value of the
   first n_dims dimensions of the order has cells of its own, in which the
   coordinates with KEPT (of the private ones and the subscripts) tell elements
   apart.  */
typedef struct tns_cells
{
  int array;
  int n_dims;
  const bool *kept;
} tns_cells;

/* True when under ORDER no element is touched outside of its cell, no two are
   in one, and no read sees what the array held before the region
   (poly/legal-cells.c).  */
extern bool tns_legal_cells (const tns_scop *scop,
                             __isl_keep isl_union_map *order,
                             const tns_cells *cells);

/* Each read of ARRAY is of an element that a certain write comes before in
   ORDER.  */
extern bool tns_legal_covered (const tns_scop *scop, int array,
                               __isl_keep isl_union_map *order);

/* In the user's order no read of ARRAY sees what it held before the region.  */
extern bool tns_legal_written_first (const tns_scop *scop, int array);

/* Where the statements STMT[0..N) are equal in the first N_DIMS dimensions of
   their order, TIME, what they update of ARRAY is read by none of them but to
   update it, and they write nothing else of it (poly/legal-sums.c).  */
extern bool tns_legal_sums (const tns_scop *scop, isl_multi_aff **time,
                            int n_dims, int n, const int *stmt, int array);

/* Copies of STMT's instances that are executed.

   original  { E[x] -> S[i] }, a function: what each is a copy of; its domain
             is all that is executed
   order     { E[x] -> [t] }, of as many dimensions for all copies
   place     { E[x] -> P[p] } or NULL: where it finds cells of its own  */
typedef struct tns_copy
{
  int stmt;
  isl_map *original;
  isl_map *order;
  isl_map *place;
} tns_copy;

/* True when the N copies in COPY, executed in place of SCOP's statements,
   leave everything that is seen after the region as these do; an array with
   APART has cells for each place (poly/legal-copies.c).  The order of E is
   a sequence: what is parallel in it is a claim of its own.  */
extern bool tns_legal_copies (const tns_scop *scop, int n, const tns_copy *copy,
                              const bool *apart);
extern void tns_copies_free (int n, tns_copy *copy);

/* The order of the N > 0 copies in COPY (poly/legal-order.c).  */
extern __isl_give isl_schedule *tns_copies_tree (tns_arena *arena, int n,
                                                 const tns_copy *copy);

/* For the planner, on pairs of instances { S[i] -> T[j] } and a dimension of
   both statements' order, v of S[i] and w of T[j].  */
typedef struct tns_moments
{
  tns_moment source;
  tns_moment target;
} tns_moments;

/* Those of PAIRS (taken) with v = w.  */
extern __isl_give isl_map *tns_pairs_equate (__isl_take isl_map *pairs,
                                             const tns_moments *equal);

/* Bounds of w - v over PAIRS.  *lo_known is false when it is not bounded by a
   constant from below.  false when isl failed.  */
typedef struct tns_distance
{
  bool empty;
  bool lo_known;
  bool hi_known;
  long lo;
  long hi;
} tns_distance;

extern bool tns_pairs_distance (__isl_keep isl_map *pairs,
                                const tns_moments *asked,
                                tns_distance *distance);

/* The same, but only as far as it is plain, for the pairs of DEP that are equal
   on ABOVE[0..N): how far ASKED of the target is from that of the source.
   False when it is not, and asks no isl.  There may be no such pairs where
   DISTANCE is not 0: where N is 0 there are, of either sign that it has.  */
extern bool tns_dep_plain_distance (const tns_dep *dep, int n,
                                    const tns_moments *above,
                                    const tns_moments *asked,
                                    tns_distance *distance);

#endif
