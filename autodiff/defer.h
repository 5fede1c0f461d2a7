/* Sums that are added at the end, where nobody knows how large their array is.

     for i  dx[k[i]] += t               local cell n; n = 0
                                ->      for i { dx_at[n] = k[i];
                                                dx_value[n] = t;  n += 1; }
                                        for e  if (e < n)
                                          dx[dx_at[e]] += dx_value[e];

   What overlaps the array is as it was until all of the pass has read it, no
   other element is touched, and each gets its terms in the same order.  */

#ifndef TNS_AUTODIFF_DEFER_H
#define TNS_AUTODIFF_DEFER_H

#include "autodiff/look.h"

/* PASS, of the gradient of ABOUT, which updates SYM by += alone, with the
   updates behind it.  NULL with the reason said where it is not known, and
   cannot be looked for, how many there are.  */
extern tns_node *tns_defer (const tns_looking *about, tns_node *pass,
                            tns_sym *sym);

#endif
