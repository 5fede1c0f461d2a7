/* Least and greatest values of integer expressions, as expressions over
   VALUEs: what range.h says in numbers.  */

#ifndef TNS_IR_ENDS_H
#define TNS_IR_ENDS_H

#include "ir/nest.h"

/* least <= value <= most, I64, wherever the expression is evaluated.  */
typedef struct tns_ends
{
  tns_expr *least;
  tns_expr *most;
} tns_ends;

/* What LOAD, of an array that is not LOCAL, may be; false when unknown.  */
typedef bool (*tns_ends_of_load) (tns_expr *load, tns_ends *ends, void *self);

/* Where subscript K of ACCESS, a LOAD or target of REGION's body, lies in all
   places where it is accessed; false when that is not known or too long to
   write.  LOAD (..., SELF) is asked about loads.  */
extern bool tns_ends_of (tns_arena *arena, const tns_region *region,
                         const tns_expr *access, int k, tns_ends_of_load load,
                         void *self, tns_ends *ends);

/* Where EXPR, a scalar integer, lies, as expressions over the iterators around
   it too; only loads of LOCALs may be in it.  */
extern bool tns_ends_here (tns_arena *arena, const tns_region *region,
                           tns_expr *expr, tns_ends *ends);

/* The lesser (greater, with MOST) of A and B; A may be NULL.  */
extern tns_expr *tns_end_of_both (tns_arena *arena, tns_expr *a, tns_expr *b,
                                  bool most);

#endif
