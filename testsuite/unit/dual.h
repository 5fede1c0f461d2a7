/* Regions run on numbers with a tangent: forward mode by construction, with
   derivatives written down a second time.

   Values are those of the interpreter, bit for bit; beside each stand its
   derivative along a direction, and the sum of the absolute values of what
   that is the sum of, over all paths.  Points where there is no derivative:
   as autodiff/adjoint.def says.  */

#ifndef TNS_TESTSUITE_DUAL_H
#define TNS_TESTSUITE_DUAL_H

#include "ir/eval.h"

typedef struct dual
{
  tns_scalar_value v;
  double d;
  double size;
} dual;

/* An array: room for N elements from the first.  */
typedef struct dual_array
{
  long long n;
  dual *at;
  long long extent[TNS_MOST_RANK];
} dual_array;

/* Arrays of parameters by symbol id, each of the elements that its extents
   say, filled with what ARGUMENT holds and tangents of 0.  */
extern dual_array *dual_arrays (tns_arena *arena, tns_region *region,
                                const tns_argument *argument);

/* Run REGION (canonical, without vectors) on ARRAY, its VALUEs from ARGUMENT.
   How many operations on floats that took.  */
extern double dual_run (tns_arena *arena, tns_region *region,
                        const tns_argument *argument, dual_array *array);

#endif
