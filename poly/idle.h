/* Values of sizes with which a region does nothing.

     for i = 0 to n  for j = 0 to m  x[i][j] += 1;      n < 1, m < 1

   Loops that isl makes reckon with sizes before they ask whether anything
   runs: m - 1 is no number where m is the least of 64 bits.  */

#ifndef TNS_POLY_IDLE_H
#define TNS_POLY_IDLE_H

#include "poly/scop.h"

enum
{
  TNS_NO_PARAM = -1
};

/* The least value of parameter K, less parameter L unless that is TNS_NO_PARAM,
   with which an instance of SCOP's runs, whatever is known of SCOP's context;
   LLONG_MIN when there is none, or none that a long long holds.  */
extern long long tns_scop_least (const tns_scop *scop, int k, int l);

/* The least value of parameter K in SCOP's context; LLONG_MIN likewise.  */
extern long long tns_scop_known_least (const tns_scop *scop, int k);

#endif
