/* What the stages share that write short loops out (ir/known.h, ir/unroll.h):
   which loops these may be, and the copies of their bodies.  */

#ifndef TNS_IR_COPIES_H
#define TNS_IR_COPIES_H

#include "base/ctx.h"
#include "ir/nest.h"

/* The number of iterations of LOOP when its bounds are constants, else 0.  */
extern long long tns_loop_constant_trip (const tns_node *loop);

/* The user decides what becomes of LOOP.  */
extern bool tns_loop_is_decided (const tns_wish *wish, const tns_node *loop);

/* Iteration K, from 0 on, of LOOP, whose bounds are constants.  Names of
   statements get K behind them: of loops without others inside, the first one
   keeps them.  */
extern tns_node *tns_loop_copy (tns_arena *arena, const tns_node *loop, int k);

#endif
