/* What an assignment makes of a cell's old value.

     s = 0.5 * (s + x[i]) + y[i]     0.5 * s + (0.5 * x[i] + y[i])
     p = max (p, x[i])               max (p, x[i])

   Linear ones, products and extremes can be taken together: the second of two
   is  a * (a * s + b) + c = a*a * s + (a * b + c).  */

#ifndef TNS_IR_RECURRENCE_H
#define TNS_IR_RECURRENCE_H

#include "ir/nest.h"

/* op      TNS_ADD: FACTOR * cell + TERM; TNS_MUL, TNS_MIN or TNS_MAX: cell op
           TERM
   factor  NULL: 1
   term    not NULL  */
typedef struct tns_recurrence
{
  tns_op op;
  tns_expr *factor;
  tns_expr *term;
} tns_recurrence;

/* NODE, an ASSIGN, gives its target such a value of CELL, a floating number of
   rank 0, where numbers may be regrouped: *RECURRENCE, in which CELL does not
   occur.  */
extern bool tns_recurrence_of (tns_arena *arena, const tns_node *node,
                               const tns_sym *cell, tns_recurrence *recurrence);

#endif
