/* Decimal digits of floating numbers.  Not installed.

     0.1f       shortest  1 * 10^-1
                rounded to 9 digits  1.00000001 * 10^-1  */

#ifndef TRM_DECIMAL_H
#define TRM_DECIMAL_H

#include "tensor.h"

#define TRM_MOST_DIGITS 32

/* digit[0].digit[1]... times 10^exponent, of N digits.  */
typedef struct trm_decimal
{
  bool negative;
  int exponent;
  int n;
  char digit[TRM_MOST_DIGITS];
} trm_decimal;

/* VALUE as an element of TYPE holds it.  */
extern double trm_rounded (trm_type type, double value);

/* VALUE, finite, to N digits, halves to even; with the fewest digits that are
   read back as VALUE by TYPE, of these the nearest.  */
extern trm_decimal trm_decimal_rounded (double value, int n);
extern trm_decimal trm_decimal_shortest (trm_type type, double value);

#endif
