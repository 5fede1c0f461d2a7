/* The time loop of a function: where its tapes would be long.

     for t = 0 to steps {            S: b = f (a) reads a, made by the step
       S: for i  b[i] = f (a, i)     before, destroyed by T: a is state
       T: for i  a[i] = b[i]         b is made in the step that reads it: no
     }                               state

   The state at step t: arrays, each of which some statement of the forward
   slice reads at step t or later, made before step t, and some statement
   destroys at step t or later, after the loop too.  Steps can be done again
   from it.  What is never destroyed stands.  */

#ifndef TNS_AUTODIFF_TIMELOOP_H
#define TNS_AUTODIFF_TIMELOOP_H

#include "autodiff/needs.h"

/* node   a LOOP of level 0, whose bounds are over VALUEs
   state  arrays  */
typedef struct tns_timeloop
{
  tns_node *node;
  int n_state;
  tns_sym **state;
} tns_timeloop;

/* The loop of level 0 over which NEEDS, closed, have most of the tapes; NULL
   where there is none.  */
extern tns_node *tns_timeloop_find (const tns_needs *needs);

/* That loop, NODE, with its state.  */
extern tns_timeloop tns_timeloop_of (const tns_needs *needs, tns_node *node);

#endif
