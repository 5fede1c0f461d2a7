/* Stages of shared memory that are filled by copies under way, as text
   (lowering/grid-stages.h).

     steps 0 .. n - 2 begin to be copied, a group each
     wait for the first; barrier
     for each step
       step + n - 1 begins to be copied, to the stage of the step before
       the sums get what stage tns_stage gives
       wait for all groups but n - 2; barrier

   The barrier lets all threads see what each has waited for, and tells that
   nobody reads the stage any more which is filled next.  A group is counted for
   each step, an empty one where there are no more.  After the CUDA C++
   Programming Guide, asynchronous data copies.

   Each of these appends nothing where nothing is copied by itself.  */

#ifndef TNS_LOWERING_CUDA_STAGES_H
#define TNS_LOWERING_CUDA_STAGES_H

#include "lowering/cuda-tiling.h"

/* Operand O of T is copied by itself; some operand is not.  */
extern bool tns_stages_send (const tns_tiling *t, int o);
extern bool tns_stages_leave (const tns_tiling *t);

/* How many parts operand O's shared memory has; the one that a step reads; the
   one that is filled.  */
extern int tns_stages_parts (const tns_tiling *t, int o);
extern const char *tns_stages_read (const tns_tiling *t, int o);
extern const char *tns_stages_filled (const tns_tiling *t, int o);

/* Append the function that begins to copy the step whose inner values begin at
   tns_from to stage tns_into, tns_whole or not.  */
extern void tns_stages_function (const tns_tiling *t);

/* Append that the first steps begin to be copied, WHOLE, a BOOL, or not: then
   as far as there are some.  */
extern void tns_stages_first (const tns_tiling *t, const char *whole);

/* Append the same of one more step; the next stage is read from here on; wait
   for what the next step reads.  */
extern void tns_stages_next (const tns_tiling *t, const char *whole);
extern void tns_stages_turn (const tns_tiling *t);
extern void tns_stages_wait (const tns_tiling *t);

/* So many steps, 1 at least, begin to be copied before the first is
   computed.  */
extern int tns_stages_ahead (const tns_tiling *t);

#endif
