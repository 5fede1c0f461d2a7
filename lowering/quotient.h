/* Quotients of small integers by a constant without a division.

     f32 (u8) / 255      q = f32 (u8) * r            r = 1 / 255
                         q + (f32 (u8) - q*255) * r  where q alone is not
                                                     always right

   Each is tried for every integer that there can be: what is used gives the
   same bits as the division.  */

#ifndef TNS_LOWERING_QUOTIENT_H
#define TNS_LOWERING_QUOTIENT_H

#include "ir/expr.h"

typedef enum tns_quotient
{
  TNS_QUOTIENT_DIVIDED,
  TNS_QUOTIENT_PRODUCT,
  TNS_QUOTIENT_CORRECTED
} tns_quotient;

/* What A / DIVISOR of ELEM may be: DIVIDED unless A is a small integer.  */
extern tns_quotient tns_quotient_of (const tns_expr *a, tns_elem elem,
                                     long double divisor);

#endif
