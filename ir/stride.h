/* How far expressions and accesses move: from one iteration of a loop to the
   next, and, which is the same, from one lane of a vector to the next.

     i                          1          iota (i)                1
     3*i + n                    3          splat (n)               0
     i64 (i32 (i) + k) * 2      2          2 * iota (i) + splat (k)  2
     i*i, x[i], i % 2           not known

     p[i].y of records of three            3 elements
     b[n - i]                              -1
     a[k][i] of a[N][N]                    in k not known, in i 1

   All that ask how neighbours lie to each other ask here: the planner, the
   size of code, lanes, and what builds them for GCC.  */

#ifndef TNS_IR_STRIDE_H
#define TNS_IR_STRIDE_H

#include "ir/expr.h"

/* EXPR, an index (I64), grows by *STRIDE, one constant, when ITER does by one;
   with ITER NULL, when the lane of a vector does.  *STRIDE is 0 where EXPR
   does not move.  False when it is not known to be one constant.  */
extern bool tns_expr_stride (tns_arena *arena, tns_expr *expr,
                             const tns_sym *iter, long long *stride);

/* The elements from one value of subscript K of SYM to the next; false where
   that is not a constant.  */
extern bool tns_sym_stride (const tns_sym *sym, int k, long long *elements);

/* The elements by which ACCESS, a LOAD, MASKED or GATHER, moves with ITER, or,
   where ITER is NULL, from lane to lane.  False when it is not known to be
   one constant.  */
extern bool tns_access_distance (tns_arena *arena, const tns_expr *access,
                                 const tns_sym *iter, long long *elements);

#endif
