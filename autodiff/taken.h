/* Values that a loop takes, by the place where it took them last.

     for j                          best = m;  taken = 0;  at = 0;
       m max= x[j];                 for j
                              ->      if (x[j] > best)
                                        best = x[j], taken = 1, at = j;
                                    if (taken)  m = x[at];

   so that the backward pass adds to one element and keeps nothing of the
   others; so for each value that is taken where a comparison with the last
   one says so:

     m max= e    m = fmax (e, m)    m = m < e ? e : m
     if (... m ...) { m = e; ... }

   Where e can be computed behind the loop, with the statements that make it
   (autodiff/again.h), and the loop uses m in conditions only.
   Among equal values the one that the function takes is taken; a loop of a
   few iterations, whose comparisons are cheaper than a place, stays as it is,
   unless it goes over a window that shares elements with others.  */

#ifndef TNS_AUTODIFF_TAKEN_H
#define TNS_AUTODIFF_TAKEN_H

#include "autodiff/flow.h"
#include "autodiff/gradient.h"

/* The function of SCOP so, of what carries derivatives; its own region where
   there is nothing to do.  */
extern tns_region *tns_region_taken (tns_ctx *ctx, tns_scop *scop,
                                     const tns_gradient_wish *wish);

#endif
