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

/* No element of SYM that SCOP's region reads, a list of integers that it only
   reads, is less than the one before, which is a guard now: region->before
   looks.  False when not exactly known which elements are read, or they do not
   follow each other.  */
extern bool tns_scan_rises (tns_ctx *ctx, tns_scop *scop, tns_sym *sym);

/* What is before REGION has looked whether SYM rises.  */
extern bool tns_scan_saw_rise (const tns_region *region, const tns_sym *sym);

/* What the region does beside reading the index arrays that are looked
   through is so much more that it pays.  */
extern bool tns_scan_pays (const tns_scop *scop);

#endif
