/* Branches that cannot be read, and that are not executed.

     for (i = 0; i < n; i++)
       {                               the region holds
         if (i >= v->size)               IF i >= size, never
           return fail (v, i);           x[i] = 0
         v->x[i] = 0;                  made of it:
       }                                 guard n <= size, x[i] = 0

   Extraction leaves such an IF with empty branches where it read none of
   them.  Here the parameter values for which one of them would be executed
   are ruled out by guards; then the loops as written run.  */

#ifndef TNS_POLY_NEVER_H
#define TNS_POLY_NEVER_H

#include "base/ctx.h"
#include "ir/nest.h"

/* REGION, under more guards, loses its IFs that are never executed.  False,
   with the reason that the first of them has, where no guard says so of
   one.  */
extern bool tns_region_rule_out (tns_ctx *ctx, tns_region *region);

#endif
