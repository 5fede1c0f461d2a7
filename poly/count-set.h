/* The number of integer points of a set, as a function of the parameters.  */

#ifndef TNS_POLY_COUNT_SET_H
#define TNS_POLY_COUNT_SET_H

#include "poly/count-poly.h"
#include "poly/scop.h"

/* poly where the parameters are in condition.  */
typedef struct tns_summand
{
  isl_set *condition;
  tns_poly poly;
} tns_summand;

/* A sum of numbers of points.

   summand  what is exact
   bound    the rest, an F64 expression or NULL
   exact    there is no rest and nothing is missing  */
typedef struct tns_tally
{
  int n;
  tns_summand *summand;
  tns_expr *bound;
  bool exact;
} tns_tally;

/* The points of a set, where ok.  */
typedef struct tns_counted
{
  isl_set *set;
  tns_tally points;
  bool ok;
} tns_counted;

/* Variables of the polynomials: first the dimensions of a set, then the
   parameters of the scop, then quotients of parameters.  value[var] is the
   I64 expression of one of the latter two.  counted[]: the sets that were
   counted, each once.  */
typedef struct tns_counter
{
  tns_ctx *ctx;
  const tns_scop *scop;
  int n_vars;
  tns_expr *value[TNS_POLY_VARS];
  int n_counted;
  tns_counted *counted;
} tns_counter;

/* A counter for SCOP, and its end.  */
extern tns_counter tns_counter_new (tns_ctx *ctx, const tns_scop *scop);
extern void tns_counter_end (tns_counter *counter);

extern tns_tally tns_tally_new (void);

/* Add FACTOR times the number of points of SET under the context of the
   scop.  False when not even a bound is known; nothing is added then.  */
extern bool tns_tally_add (tns_counter *counter, tns_tally *tally,
                           long long factor, __isl_take isl_set *set);

/* TALLY as an F64 expression, and its end.  exact is cleared where it
   cannot be written.  */
extern tns_expr *tns_tally_finish (const tns_counter *counter,
                                   tns_tally *tally);

#endif
