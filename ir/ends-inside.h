/* What the files ir/ends*.c share.  */

#ifndef TNS_IR_ENDS_INSIDE_H
#define TNS_IR_ENDS_INSIDE_H

#include "ir/ends.h"
#include "ir/place.h"

/* here    iterators stand for themselves
   place   where what is asked about is evaluated; NULL: anywhere
   inside  whose values are being gathered
   steps   how much was asked  */
typedef struct ender
{
  tns_arena *arena;
  const tns_region *region;
  tns_ends_of_load load;
  void *self;
  bool here;
  const tns_place *place;
  int depth;
  int steps;
  const struct gathering *inside;
} ender;

/* Finds the ends of an expression: some of both, else false.  */
typedef bool (*rule) (ender *e, tns_expr *expr, tns_ends *ends);

/* By what EXPR is, and by what is known at the place.  */
extern bool tns_ends_find (ender *e, tns_expr *expr, tns_ends *ends);

/* The same of EXPR, a floating number; of EXPR, an integer that is made of
   one.  */
extern bool tns_ends_of_float (ender *e, tns_expr *expr, tns_ends *ends);
extern bool tns_ends_of_rounded (ender *e, tns_expr *expr, tns_ends *ends);

/* The same of EXPR, a quotient, a rest, a shift to the right or bits of a
   mask.  */
extern bool tns_ends_of_divided (ender *e, tns_expr *expr, tns_ends *ends);

/* Both ends are known; they are one value.  */
extern bool tns_ends_are_both (tns_ends ends);
extern bool tns_ends_are_one (tns_ends ends);

/* A OP B, NULL where one of them is; OP with the constant K for both ends.  */
extern tns_expr *tns_end_made (ender *e, tns_op op, tns_expr *a, tns_expr *b);
extern void tns_ends_apply (ender *e, tns_op op, long long k, tns_ends *ends);

/* The last value of EXPR, a load of a cell, at the place.  */
extern bool tns_ends_of_cell (ender *e, tns_expr *expr, tns_ends *ends);

/* The lesser or greater, as OP has it, of what has ENDS and MORE; NULLs are
   unknown.  */
extern void tns_ends_combine (ender *e, tns_op op, tns_ends *ends,
                              tns_ends more);

/* ENDS are those of one or the other.  */
extern void tns_ends_widen (ender *e, tns_ends *ends, tns_ends more);

#endif
