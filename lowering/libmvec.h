/* Which functions of math.h exist on vectors (lowering/libmvec.def).

   For lowering/vectors.c and the cost model, which ask whether a loop with
   calls can have lanes, and for the lowering, which names the symbols.  */

#ifndef TNS_LOWERING_LIBMVEC_H
#define TNS_LOWERING_LIBMVEC_H

#include "base/arena.h"
#include "ir/op.h"

/* Whether OP has a form on vectors of LANES lanes of ELEM: 16, 32 or 64
   bytes of F32 or F64.  More lanes are done by several calls, and are no
   question here.  */
extern bool tns_vector_math_exists (tns_op op, tns_elem elem, int lanes);

/* Its symbol: "_ZGVdN8v_expf" for AVX2 (ISA 'd'; 'b' SSE, 'c' AVX, 'e'
   AVX-512).  NULL when there is none.  */
extern const char *tns_vector_math_symbol (tns_arena *arena, tns_op op,
                                           tns_elem elem, int lanes, char isa);

#endif
