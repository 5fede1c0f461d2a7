/* The backward pass: each statement's derivative, in the reverse order.

     level L:                     J (L):
       local u;                     local u, du;  du = 0
       A; B; loop i { C }     ->    slice (L)
                                    loop i backwards { J (i) }; R (B); R (A)

     A' of  a[f] = e        t = a'[f]; a'[f] = 0;  u' += t * de/du ...
     A' of  a[f] += e       u' += a'[f] * de/du ...
     A' of  if (c) X; Y     if (c) R (X); R (Y)

   With the whole function (the primal) the last loop of level 0, only
   statements behind it, runs forward and backward at once where its iterations
   may run backward in their own order and R (B) reads nothing that it makes:

     A; loop { C }; B     ->    A; R (B); loop { J (C) }; B; R (A)

   A clear is left out where nothing that was written before could read what
   it clears.  A loop that only adds to adjoints runs in its own order.

   Source: Griewank and Walther, Evaluating Derivatives, 2nd ed., chapter 4;
   Hascoet and Pascual, The Tapenade automatic differentiation tool, 2013.  */

#ifndef TNS_AUTODIFF_REVERSE_H
#define TNS_AUTODIFF_REVERSE_H

#include "autodiff/gradient.h"
#include "autodiff/look.h"
#include "autodiff/needs.h"

/* region   of the gradient: gets symbols
   flow     of the function
   looking  for what only memory tells
   adjoint  by symbol id of the function's: the array of its adjoint, NULL
            where it has none
   enters   by symbol id: the adjoint of the parameter's first value counts
   given    by symbol id: as autodiff/needs.h says; absent: the parameter is a
            temporary
   whole    the forward slice is the whole function
   moved    arrays that became rows; twice (out): one that is dear and is made
            outside of its rows too, or NULL
   given_row  of these, what is given
   checkpoint  what may be kept of a time loop  */
typedef struct tns_reverse
{
  tns_ctx *ctx;
  tns_region *region;
  const tns_flow *flow;
  const tns_looking *looking;
  tns_sym *const *adjoint;
  const bool *enters;
  bool *given;
  const bool *absent;
  bool whole;
  int n_moved;
  const tns_sym *const *moved;
  int n_given_rows;
  const tns_given_row *given_row;
  const tns_sym **twice;
  tns_checkpoint_wish *checkpoint;
} tns_reverse;

/* J (0): forward slice and backward pass of the whole function, a BLOCK; NULL
   with the reason said.  */
extern tns_node *tns_reverse_build (const tns_reverse *reverse);

#endif
