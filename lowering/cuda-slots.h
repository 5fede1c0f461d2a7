/* Rows in registers as text (lowering/grid-slots.h).

     for j simd(32)             TNS_UNROLL
       t[j] += x[i][j] * s;     for (int slot = 0; slot < 8; slot++)
                                  if (slot * 128 + threadIdx.x < m)
                          ->        {
                                      const long j = slot * 128 + threadIdx.x;
                                      t[slot] += own0[slot] * s;
                                    }  */

#ifndef TNS_LOWERING_CUDA_SLOTS_H
#define TNS_LOWERING_CUDA_SLOTS_H

#include "lowering/c99-text.h"
#include "lowering/grid-slots.h"

/* Append SYM, which SLOTS hold.  */
extern void tns_cuda_slots_declare (tns_c99 *c, const tns_sym *sym);

/* Append the reads of SLOTS' loads: those for all rows where ONCE, else the
   others.  */
extern void tns_cuda_slots_fetch (tns_c99 *c, const tns_slots *slots,
                                  bool once);

/* Append LOOP, which goes over a row of SLOTS.  */
extern void tns_cuda_slots_loop (tns_c99 *c, const tns_slots *slots,
                                 const tns_node *loop);

#endif
