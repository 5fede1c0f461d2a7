/* What a function stores to, set to 0 beforehand.

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

#endif
