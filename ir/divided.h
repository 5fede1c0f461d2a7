/* Quotients and rests of iterators by sizes: k / Q, k % Q.  */

#ifndef TNS_IR_DIVIDED_H
#define TNS_IR_DIVIDED_H

#include "ir/affine.h"
#include "ir/nest.h"

/* A quotient or rest.

   iter  what is divided, conversions apart
   size  what it is divided by, a VALUE
   rest  it is a rest
   most  the greatest number that the conversions leave as it is  */
typedef struct tns_divided
{
  const tns_sym *iter;
  tns_term size;
  bool rest;
  long long most;
} tns_divided;

/* Whether EXPR is one, in *D.  */
extern bool tns_expr_divided (tns_arena *arena, const tns_expr *expr,
                              tns_divided *d);

/* How many quotients and rests REGION computes of what an iterator moves, by
   what is no constant.  */
extern int tns_divided_count (tns_region *region);

#endif
