/* Temporaries that a sum reads are read through.

     t[i][j][k] = a[i][k] - b[j][k];
     d[i][j] += t[i][j][k] * t[i][j][k];
     ->
     d[i][j] += (a[i][k] - b[j][k]) * (a[i][k] - b[j][k]);

   The update then shows what its operands depend on (schedule/kernel.c).  */

#ifndef TNS_SCHEDULE_FORWARD_H
#define TNS_SCHEDULE_FORWARD_H

#include "base/text.h"
#include "poly/scop.h"

/* What was read through: how many arrays, cells left out; a line for
   each.  */
typedef struct tns_forwarded
{
  int n_arrays;
  tns_text steps;
} tns_forwarded;

/* REGION with temporaries read through, or REGION itself; *DONE says which.
   A user's plan has it for those that it names only.  NULL with the reason
   said.  */
extern tns_region *tns_region_forward (tns_ctx *ctx, tns_region *region,
                                       tns_forwarded *done);

/* Every instance of TO that MAP relates to one of FROM is executed after
   it.  */
extern bool tns_instances_follow (const tns_stmt *to, const tns_stmt *from,
                                  __isl_keep isl_map *map);

#endif
