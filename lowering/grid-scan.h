/* Scans: sums of which each iteration sees what was added so far.

     for j {                             a block's thread adds up 4 values of
       t = x[n][j] * a;                  its own, the threads put their sums
       s += t;                     ->    together, and each goes through its 4
       y[n][j] = s;                      iterations once more, with s as the
     }                                   threads in front leave it

   The loop sets a cell that is none of its own; what it stores it accesses in
   one iteration alone.  lowering/scans.h marks those that threads shall
   share.  */

#ifndef TNS_LOWERING_GRID_SCAN_H
#define TNS_LOWERING_GRID_SCAN_H

#include "ir/nest.h"

/* cell    what is added up
   op      by which operator
   value   what an iteration adds
   first   a BLOCK: the statements in front that VALUE needs; they have no
           effect that is seen behind it  */
typedef struct tns_scan
{
  const tns_sym *cell;
  tns_op op;
  tns_expr *value;
  tns_node *first;
} tns_scan;

/* LOOP, marked or not, is a scan: *SCAN.  */
extern bool tns_scan_find (tns_arena *arena, const tns_node *loop,
                           tns_scan *scan);

#endif
