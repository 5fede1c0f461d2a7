/* Arithmetic on one scalar, exactly as C does it in each type: what the
   interpreter and constant folding share.  */

#ifndef TNS_IR_VALUE_H
#define TNS_IR_VALUE_H

#include "ir/eval.h"

/* The integer VALUE wrapped around to ELEM; to BOOL: not zero.  */
extern tns_scalar_value tns_value_of_int (tns_elem elem, long long value);

/* The value of NUMBER, an INT or a REAL.  */
extern tns_scalar_value tns_value_of_number (const tns_expr *number);

/* The floating VALUE rounded to ELEM.  */
extern tns_scalar_value tns_value_of_real (tns_elem elem, long double value);

/* VALUE, of type FROM, as C converts it to TO.  What C leaves undefined (a
   float out of range) is 0.  */
extern tns_scalar_value tns_value_cast (tns_elem to, tns_elem from,
                                        tns_scalar_value value);

/* Whether VALUE, a BOOL, is true.  */
extern bool tns_value_is_true (tns_scalar_value value);

/* OP of class A, C, B or M on ARG, all of type ELEM, into *RESULT.  False
   for an integer division by zero, and for an operator of another class.
   Signed overflow wraps around.  */
extern bool tns_value_apply (tns_op op, tns_elem elem,
                             const tns_scalar_value *arg,
                             tns_scalar_value *result);

/* An element of memory.  */
extern tns_scalar_value tns_value_read (tns_elem elem, const void *from);
extern void tns_value_write (tns_elem elem, void *to, tns_scalar_value value);

#endif
