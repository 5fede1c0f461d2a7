/* The forward pass: each statement's tangent, right before the statement.

     A' of  a[f] = e        a'[f] = sum of u' * de/du, 0 where there is none
     A' of  a[f] += e       a'[f] += u' * de/du, for each u
     A' of  if (c) X        if (c) { A' of X }: the function's own decision

   Tangents stand where their values stand and live as long: nothing is taped.
   What nothing reads, statements of the function whose values no tangent
   needs, is left out.

   Source: Griewank and Walther, Evaluating Derivatives, 2nd ed., chapter 3.  */

#ifndef TNS_AUTODIFF_TANGENT_H
#define TNS_AUTODIFF_TANGENT_H

#include "autodiff/view.h"

/* region   of the tangent: gets symbols
   view     of the function
   tangent  by symbol id of the function's: the array of its tangent, NULL
            where it has none
   through  by symbol id: where what is stored in the tangent goes too, NULL:
            nowhere
   wanted   by symbol id: what the function leaves in it is wanted, too; NULL:
            of nothing  */
typedef struct tns_tangent
{
  tns_ctx *ctx;
  tns_region *region;
  const tns_view *view;
  tns_sym *const *tangent;
  tns_sym *const *through;
  const bool *wanted;
} tns_tangent;

/* The pass, a BLOCK; NULL with the reason said.  */
extern tns_node *tns_tangent_build (const tns_tangent *tangent);

#endif
