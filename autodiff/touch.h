/* Copies that get their elements one by one, when they are touched.

     s += x'[i - j]         if (x_has[i - j] == 0) {
                      ->      x_has[i - j] = 1;
                              x'[i - j] = x[i - j];
                            }
                            s += x'[i - j]

     at the end             for e  if (x_has[e] != 0)  y[e] += x'[e]

   So no elements of x are read, and none of y written, but those that the pass
   reaches: rows that are loose (autodiff/rows.h) have others too.  */

#ifndef TNS_AUTODIFF_TOUCH_H
#define TNS_AUTODIFF_TOUCH_H

#include "autodiff/rows.h"

/* copy  a LOCAL
   from  has its elements, rows->base later; NULL: they are 0
   has   which of them are there  */
typedef struct tns_touch
{
  tns_sym *copy;
  tns_sym *from;
  tns_sym *has;
  const tns_rows *rows;
} tns_touch;

/* Append to BLOCK: nothing of TOUCH's copy is there yet.  */
extern void tns_touch_begin (tns_ctx *ctx, tns_region *region, tns_node *block,
                             tns_touch *touch);

/* PASS, of REGION, which gets the elements of TOUCH[0..N) when it comes to
   them.  */
extern tns_node *tns_touch_pass (tns_ctx *ctx, tns_region *region,
                                 tns_node *pass, int n, const tns_touch *touch);

/* Append to BLOCK: TARGET OP= TOUCH's copy, for what is there.  */
extern void tns_touch_end (tns_ctx *ctx, tns_region *region, tns_node *block,
                           const tns_touch *touch, tns_sym *target, tns_op op);

#endif
