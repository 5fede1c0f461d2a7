/* Floating values that go on as bits.

     i = bits:i32 (x)                   i carries x
     i = 0x5f3759df - (i >> 1)          it still does
     y = bits:f32 (i)                   y depends on x: refused
     z = f32 (i)                        so does z
     k = i32 (x);  y = bits:f32 (k)     rounded: y has the derivative 0
     if (bits:i32 (x) < 0) ...          a decision

   An integer has no adjoint that could be handed on.  */

#ifndef TNS_AUTODIFF_BITS_H
#define TNS_AUTODIFF_BITS_H

#include "autodiff/gradient.h"
#include "autodiff/view.h"

/* False, with TNS_WHY_DERIVATIVE said, where a value that is differentiated
   depends on one of VARIED, by symbol id, by way of its bits; USEFUL is on
   what it depends.  */
extern bool tns_bits_are_passive (tns_ctx *ctx, const tns_view *view,
                                  tns_sym *const *varied, const bool *useful);

#endif
