/* What a function stores to, or only reads, set to 0 beforehand.

     for i = 0 to n                     if (0 < n)
       for j = 0 to m            ->       for j = 0 to m
         if (k[j] > 0)                      if (k[j] > 0)
           y[j] += x[i][j];                   dy[j] = 0;

   Loops that the place does not depend on are conditions.  Integer cells that
   hold an index (j = k[i]; y[j] += ...) are read through.  */

#ifndef TNS_AUTODIFF_CLEAR_H
#define TNS_AUTODIFF_CLEAR_H

#include "autodiff/view.h"

/* Append to BLOCK: TARGET is 0 where the function of VIEW stores to SYM.
   False, with nothing appended, where the places depend on what it
   computes.  */
extern bool tns_clear_written (tns_arena *arena, const tns_view *view,
                               const tns_sym *sym, tns_sym *target,
                               tns_node *block);

/* The same where the function reads SYM and no adjoint comes of it: in
   conditions and subscripts, below what has no derivative, or for what has no
   ADJOINT, by symbol id.  On failure BLOCK may have some of it.

     y[i] = c[i] > 0 ? floor (z[i]) : 1   ->   if (c[i] > 0)  dz[i] = 0;  */
extern bool tns_clear_idle (tns_arena *arena, const tns_view *view,
                            tns_sym *const *adjoint, const tns_sym *sym,
                            tns_sym *target, tns_node *block);

#endif
