/* What the two halves of the interpreter share: ir/eval-expr.c evaluates
   expressions, ir/eval.c executes nodes.  */

#ifndef TNS_IR_RUN_H
#define TNS_IR_RUN_H

#include <setjmp.h>

#include "ir/value.h"

/* Where an array stands.

   lo, hi  elements [lo, hi) from base may be accessed
   extent, stride  their values; extent[0] is -1 when unknown  */
typedef struct tns_storage
{
  char *base;
  long long lo;
  long long hi;
  long long extent[TNS_MOST_RANK];
  long long stride[TNS_MOST_RANK];
} tns_storage;

/* A run.

   value    of VALUEs and ITERs, by symbol id
   array    of ARRAYs, by symbol id
   budget   statements and iterations left
   silent   nothing is counted: it was counted for another lane
   node     what is being executed
   out      where a fault jumps to  */
typedef struct tns_run
{
  tns_arena *arena;
  const tns_region *region;
  const tns_eval_options *options;
  tns_counts counts;
  tns_scalar_value *value;
  tns_storage *array;
  double budget;
  int silent;
  unsigned long long random;
  const tns_node *node;
  tns_eval_status status;
  jmp_buf out;
} tns_run;

/* Give up with STATUS.  */
extern _Noreturn void tns_run_fault (tns_run *run, tns_eval_status status);

/* OP on ARG of type ELEM, counted.  */
extern tns_scalar_value tns_run_apply (tns_run *run, tns_op op, tns_elem elem,
                                       const tns_scalar_value *arg);

/* The address of lane LANE of TARGET, an element of an array; checked.  */
extern char *tns_run_address (tns_run *run, const tns_expr *target, int lane);

/* Lane LANE of EXPR.  */
extern tns_scalar_value tns_run_expr (tns_run *run, const tns_expr *expr,
                                      int lane);

#endif
