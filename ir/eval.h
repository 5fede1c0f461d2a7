/* The reference interpreter: the referee of every stage.

   Memory is given by the caller: a block for each parameter array, element
   0 at base.  Every access is checked against [base + lo, base + hi).  */

#ifndef TNS_IR_EVAL_H
#define TNS_IR_EVAL_H

#include "ir/nest.h"

/* One scalar: of class S, B: s; of class U: u; of class F: f.  */
typedef union tns_scalar_value
{
  long long s;
  unsigned long long u;
  long double f;
} tns_scalar_value;

/* The argument of one parameter.
   VALUE   value
   ARRAY   base: the address of element 0; elements [lo, hi) may be
           accessed  */
typedef struct tns_argument
{
  tns_scalar_value value;
  void *base;
  long long lo;
  long long hi;
} tns_argument;

/* What a run did: floating operations (an FMA counts two, a function of
   math.h one), loads and stores of parameter arrays in bytes, statements
   executed.  */
typedef struct tns_counts
{
  double flops;
  double bytes_loaded;
  double bytes_stored;
  double steps;
} tns_counts;

typedef enum tns_eval_status
{
  TNS_EVAL_OK,
  TNS_EVAL_GUARD,    /* a guard or assumption does not hold: nothing was run */
  TNS_EVAL_OUTSIDE,  /* an access outside of its array */
  TNS_EVAL_DIVISION, /* an integer division by zero */
  TNS_EVAL_STEPS,    /* more than max_steps statements */
  TNS_EVAL_FUNCTION  /* a call that nobody can make */
} tns_eval_status;

/* order   how iterations of parallel and simd loops run: 0 as written, 1
           backwards, 2 shuffled (seeded).  A legal mark gives the same
           memory under all (integers bit for bit)
   check_guards  evaluate guards and assumptions first
   max_steps  0: no limit
   call    the value of FUNCTION of ARG[0..rank) into *RESULT, false where it
           is unknown; NULL: all are  */
typedef struct tns_eval_options
{
  int order;
  unsigned seed;
  bool check_guards;
  double max_steps;
  bool (*call) (const tns_sym *function, const tns_scalar_value *arg,
                tns_scalar_value *result);
} tns_eval_options;

/* Run REGION on ARGUMENT[0..n_params).  *WHERE is set to the node at fault.
   LOCAL arrays start filled with a pattern (NaN for floats), so that a read
   of an undefined element shows.  */
extern tns_eval_status tns_region_eval (tns_region *region,
                                        tns_argument *argument,
                                        const tns_eval_options *options,
                                        tns_counts *counts,
                                        const tns_node **where);

/* The value of EXPR, which mentions VALUE symbols and cells that
   region->before sets only, under the arguments.  */
extern tns_scalar_value tns_expr_eval (const tns_region *region,
                                       const tns_expr *expr,
                                       const tns_argument *argument);

#endif
