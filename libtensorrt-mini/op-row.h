/* What the columns of kernel-elementwise.def become in C.  Not installed.

     TWICE (g), ONCE   two arguments: whether there is such, and it; FIRST and
     WHOLE (v), REAL   SECOND tell one of them  */

#ifndef TRM_OP_ROW_H
#define TRM_OP_ROW_H

#define TWICE(...) true, (__VA_ARGS__)
#define ONCE       false, NULL
#define WHOLE(...) true, (__VA_ARGS__)
#define REAL       false, v

#define FIRST_OF(first, second)  first
#define SECOND_OF(first, second) second
#define FIRST(...)               FIRST_OF (__VA_ARGS__)
#define SECOND(...)              SECOND_OF (__VA_ARGS__)

/* Numbers of int64_t, whose sums and products wrap.  */
#define WRAP(v, operator, w) ((int64_t) ((uint64_t) (v) operator(uint64_t) (w)))

#define UNUSED __attribute__ ((unused))

#endif
