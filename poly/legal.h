/* The final proof: does an order keep every dependence, are marked loops
   free?  Knows no step and trusts none.

   The new order is given as { S[i] -> [t0, .., tm-1] }, all statements with
   m dimensions (padded), which must order every pair of dependent instances
   strictly.  */

#ifndef TNS_POLY_LEGAL_H
#define TNS_POLY_LEGAL_H

#include "poly/deps.h"

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

/* For the planner, on one dependence between instances of two statements
   given dimension functions  source_dim: { S[i] -> [v] },
   target_dim: { T[j] -> [w] }: bounds of w - v over DEP, within the pairs in
   WITHIN ({ S[i] -> T[j] }, NULL: all).  *lo_known is false when it is not
   bounded by a constant from below.  false when isl failed.  */
typedef struct tns_distance
{
  bool empty;
  bool lo_known;
  bool hi_known;
  long lo;
  long hi;
} tns_distance;

extern bool tns_dep_distance (const tns_dep *dep,
                              __isl_keep isl_pw_aff *source_dim,
                              __isl_keep isl_pw_aff *target_dim,
                              __isl_keep isl_map *within,
                              tns_distance *distance);

#endif
