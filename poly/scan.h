/* Index arrays are looked through before the guards.  */

#ifndef TNS_POLY_SCAN_H
#define TNS_POLY_SCAN_H

#include "ir/ends.h"
#include "poly/scop.h"

/* The ends of LOAD, an element of an integer array that SCOP's region only
   reads, where WHEN, a BOOL over LOAD and VALUEs, holds, NULL: anywhere; two
   cells that region->before sets (it gains loops for that unless it has them).
   False when not exactly known which elements are read.  */
extern bool tns_scan_load (tns_ctx *ctx, tns_scop *scop, tns_expr *load,
                           tns_expr *when, tns_ends *ends);

/* What the region does beside reading the index arrays that are looked
   through is so much more that it pays.  */
extern bool tns_scan_pays (const tns_scop *scop);

#endif
