/* The gradient of a time loop in bounded memory.

   Its S steps are done in parts of some steps.  The backward pass goes over
   one part at a time: from a state that was kept it goes forward to the
   part's first step (advance), again over the part, taping (record), and
   back (backward).  With n states, of which the first is one, no part is done
   more than r times before it is recorded, if

     C (n + r, n) >= parts

   r is the number of sweeps.  Chosen when the gradient runs, least sweeps
   first, then the longest parts that the memory has room for:

     r = 0   one part: everything is taped
     r = 1   each part's first state but the last's: about sqrt (S) of them
     r > 1   binomial

   The control is written as a region of its own, the text at the head of
   autodiff/checkpoint.c, with holes for what the function does:

     head        all before the loop
     advance     steps [from, to), record: the same, taped, backward
     middle      all behind the loop, and back
     tail        back over what is before the loop

   It is IR like any other: printed, read, interpreted.  The cells that steer
   it are computed; a hole is loops that poly/ can read once these cells are
   taken for values, and is planned by itself (driver/parts.h).

   Source: Griewank and Walther, Evaluating Derivatives, 2nd ed., chapter 12,
   for where the next state is kept.  */

#ifndef TNS_AUTODIFF_CHECKPOINT_H
#define TNS_AUTODIFF_CHECKPOINT_H

#include "autodiff/gradient.h"
#include "autodiff/look.h"
#include "autodiff/timeloop.h"

/* What the function does, BLOCKs.  */
typedef struct tns_pieces
{
  tns_node *head;
  tns_node *advance;
  tns_node *record;
  tns_node *middle;
  tns_node *backward;
  tns_node *tail;
} tns_pieces;

/* The control for REGION, which gets its symbols and what is before it.

   flow         of the function; where its accesses are known too little memory
                is an error
   looking      for what only memory tells of state
   absent       as autodiff/reverse.h says
   span         how many steps are recorded at a time
   first, end   the iterator at step from, and at step to  */
typedef struct tns_control
{
  tns_ctx *ctx;
  tns_region *region;
  const tns_flow *flow;
  const tns_looking *looking;
  const bool *absent;
  const tns_timeloop *loop;
  tns_checkpoint_wish *wish;
  tns_region *text;
  tns_sym **to;
  tns_expr *span;
  tns_expr *first;
  tns_expr *end;
} tns_control;

/* Read the text; its cells become REGION's.  */
extern void tns_control_begin (tns_control *control);

/* The control around PIECES; NEEDS have the tapes.  NULL with the reason
   said.  */
extern tns_node *tns_control_build (tns_control *control,
                                    const tns_needs *needs,
                                    const tns_pieces *pieces);

#endif
