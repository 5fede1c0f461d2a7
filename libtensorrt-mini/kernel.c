/* One family of kernels for one instruction set: TRM_NAME and TRM_ISA, the
   loops in the file TRM_LOOPS, the rows in TRM_LINES (kernel.h).  Compiled by
   the plugin; with TRM_PLAIN by a compiler without it, which leaves the
   gradients out.  Gives the table trm_NAME_ISA.  */

#include "kernel.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#define R       float
#define F(name) name##_f32
#define M(name) name##f
#define R_MAX   FLT_MAX
#include TRM_LOOPS
#undef R
#undef F
#undef M
#undef R_MAX

#define R       double
#define F(name) name##_f64
#define M(name) name
#define R_MAX   DBL_MAX
#include TRM_LOOPS
#undef R
#undef F
#undef M
#undef R_MAX

#ifdef TRM_PLAIN
#  define TRM_GRADIENT(result, name, arguments) .name = NULL,
#else
#  define TRM_GRADIENT(result, name, arguments) .name = F (name),
#endif
#define TRM_KERNEL(result, name, arguments) .name = F (name),

#define STRUCT struct TRM_PASTE (trm_, TRM_PASTE (TRM_NAME, _table))

#define TABLE TRM_PASTE (TRM_PASTE (trm_, TRM_NAME), TRM_PASTE (_, TRM_ISA))

extern const STRUCT TABLE;
const STRUCT TABLE = {
  .f32 = {
#define F(name) name##_f32
#include TRM_LINES
#undef F
  },
  .f64 = {
#define F(name) name##_f64
#include TRM_LINES
#undef F
  }
};
