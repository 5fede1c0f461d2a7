/* Products taken apart.

     a * (-x[i] / z)    ->    -, a, x[i], and z below  */

#ifndef TNS_IR_PRODUCT_H
#define TNS_IR_PRODUCT_H

#include "ir/nest.h"

enum
{
  TNS_MOST_FACTORS = 12
};

/* below  it divides
   fixed  it is the same in all iterations; whoever takes the product apart
          says of which loops  */
typedef struct tns_factor
{
  tns_expr *expr;
  bool below;
  bool fixed;
} tns_factor;

/* FACTOR[0..n), and a sign.  */
typedef struct tns_product
{
  bool negative;
  int n;
  tns_factor factor[TNS_MOST_FACTORS];
} tns_product;

/* EXPR's factors, in any order and nesting of *, / and -, none fixed, in *P;
   false when there are too many.  */
extern bool tns_product_split (tns_product *p, tns_expr *expr);

/* START, or 1 where that is NULL, times and over those factors of P that are
   FIXED, or those that are not; without the sign.  */
extern tns_expr *tns_product_part (tns_arena *arena, const tns_product *p,
                                   bool fixed, tns_expr *start);

/* The factors of A that are not fixed are those of B, in any order.  */
extern bool tns_product_is_like (const tns_product *a, const tns_product *b);

#endif
