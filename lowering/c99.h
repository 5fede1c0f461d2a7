/* Scheduled IR -> readable C with OpenMP pragmas, that any compiler takes.

   Prints   int NAME_tensor (params) { guards; loops; return 1; }
   as generic.hh builds it (NAME made an identifier), from
   result->scheduled (before registers and vectors: loops with marks become
   #pragma omp parallel for, #pragma omp simd).  The text needs only
   <math.h>, <stdint.h> and <stdlib.h>, and compiles alone; so do the texts
   of several regions in one file.  */

#ifndef TNS_LOWERING_C99_H
#define TNS_LOWERING_C99_H

#include "base/ctx.h"
#include "base/text.h"
#include "ir/nest.h"

extern void tns_c99_print (tns_ctx *ctx, tns_text *text,
                           const tns_region *region);

#endif
