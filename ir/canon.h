/* Many spellings, one form, before the polyhedral model is built.

     s = s + e, s = e + s, s += e          ->  s add= e
     s = s - e                             ->  s add= -e   (floats: exact)
     if (e > m) m = e;  m = e > m ? e : m  ->  m max= e
     m = m < e ? e : m                     ->  m max= e     and so on
     if (c) continue; rest                 ->  (extraction did that)
     float *row = x + i*C; row[c]          ->  x[i*C + c]   (extraction)

   And a shape for flat arrays (delinearisation): if every access of a rank 1
   parameter A has subscripts of the form

     ((e0 * n1 + e1) * n2 + e2) ...     n1, n2 products of VALUEs

   A becomes A[][n1][n2] and the accesses A[e0][e1][e2].  That 0 <= e1 < n1
   holds is proved or guarded by poly/scop.c, as for every array; where rows
   begin at another number, as Fortran's at 1, f1 <= e1 < f1 + n1.  */

#ifndef TNS_IR_CANON_H
#define TNS_IR_CANON_H

#include "base/ctx.h"
#include "ir/nest.h"

/* Updates recognised.  */
extern tns_region *tns_region_updates (tns_ctx *ctx, tns_region *region);

/* The same, but of two equal values always the one is taken that REGION takes:
   for derivatives.  */
extern tns_region *tns_region_updates_exact (tns_ctx *ctx, tns_region *region);

/* Flat arrays shaped.  */
extern tns_region *tns_region_shapes (tns_ctx *ctx, tns_region *region);

/* The same, every subscript from 0 on: for derivatives, whose own arrays are
   made of such extents.  */
extern tns_region *tns_region_shapes_at_zero (tns_ctx *ctx, tns_region *region);

#endif
