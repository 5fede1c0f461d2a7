/* What a function reads of what an array held when it was called.

     for i                        y   comes in: y[i] is read and then written
       { y[i] = y[i] + z[i];      z   comes in and stays
         w[i] = y[i];             w   made here before it is read
         y[i] = w[i]; }

   A tangent or an adjoint of it begins with what the caller gave only where
   this is so; an array that the caller does not have may be a temporary only
   where it is not.  */

#ifndef TNS_AUTODIFF_ENTRY_H
#define TNS_AUTODIFF_ENTRY_H

#include "autodiff/flow.h"

/* Of the reads of an array
   some     there are any
   enters   one may read what the array held at the entry
   stays    and the function may not write it  */
typedef struct tns_entry
{
  bool some;
  bool enters;
  bool stays;
} tns_entry;

/* What the function of FLOW's view reads of SYM.  Where FLOW has no scop every
   read is all of these.  */
extern tns_entry tns_entry_find (const tns_flow *flow, const tns_sym *sym);

#endif
