/* Reads that several statements of a straight line make, made once.

     c0 += A[i][k]   * B[k][j];         local f32 b; b = B[k][j];
     c1 += A[i+1][k] * B[k][j];    ->   c0 += A[i][k] * b;
                                        c1 += A[i+1][k] * b;

   and stores of which the last counts, made once.  */

#ifndef TNS_LOWERING_SHARE_H
#define TNS_LOWERING_SHARE_H

#include "base/ctx.h"
#include "ir/nest.h"

/* BODY, of REGION, which gets the new LOCALs.  */
extern tns_node *tns_node_share (tns_ctx *ctx, tns_region *region,
                                 tns_node *body);

#endif
