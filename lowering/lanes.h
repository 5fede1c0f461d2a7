/* One loop while it gets lanes: what the files vectors*.c share.

     vectors.c         which loops, main loop, tail
     vectors-node.c    statements: stores, masks, vector locals
     vectors-expr.c    expressions
     vectors-reduce.c  accumulators
     vectors-join.c    branches that store to the same places
     vectors-align.c   the first iterations, before a cache line's begin

   Lane l of vector code stands for the iteration iter + l.  What cannot be
   said with vectors sets lanes->refused, and gives some expression, so that
   building goes on to its end, where it is asked once.  */

#ifndef TNS_LOWERING_LANES_H
#define TNS_LOWERING_LANES_H

#include "base/ctx.h"
#include "ir/nest.h"

/* A LOCAL of the loop's body; the vector that stands for it, and the mask in
   force where it is declared, once that has been met.  */
typedef struct tns_lane_cell
{
  tns_sym *scalar;
  tns_sym *vector;
  tns_expr *mask;
} tns_lane_cell;

/* A cell that the loop updates with op.  acc[0..n) are its partial
   results.  */
typedef struct tns_accumulator
{
  tns_expr *cell;
  tns_op op;
  int n;
  tns_sym **acc;
} tns_accumulator;

/* loop       of step 1; iter its iterator
   lanes      of each vector
   tail       the iterations that are there, NULL for all
   mask       those of them that reach the place, NULL for all
   within     the place is under a condition that differs between lanes, or
              in one operand of a choice: mask is less than tail
   some       within: the place is in a branch that is taken where some lane
              reaches it, so that what is the same in all may be read
   safe       elements that all iterations read or store
   out        where statements that come first are put
   gathers, work  operations counted, for the decision whether it pays;
              small_gathers: those of elements that no instruction gathers,
              masked_gathers: those that one instruction does
   left, ours  operations that GCC's own vectors are good at (small integers,
              elements a few apart), and that they cannot do  */
typedef struct tns_lanes
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  tns_node *loop;
  tns_sym *iter;
  int lanes;
  tns_expr *tail;
  tns_expr *mask;
  bool within;
  bool some;
  int n_cells;
  tns_lane_cell *cells;
  int n_accumulators;
  tns_accumulator *accumulators;
  int n_safe;
  tns_expr **safe;
  tns_node *out;
  double gathers;
  double small_gathers;
  double masked_gathers;
  double work;
  int left;
  int ours;
  bool refused;
} tns_lanes;

/* EXPR differs, or may, between lanes.  */
extern bool tns_lanes_differ (const tns_lanes *lanes, tns_expr *expr);

/* EXPR, a LOAD, is of neighbouring elements in neighbouring lanes.  */
extern bool tns_lanes_is_unit (const tns_lanes *lanes, const tns_expr *expr);

/* EXPR, a scalar, as a vector.  */
extern tns_expr *tns_lanes_expr (tns_lanes *lanes, tns_expr *expr);

/* EXPR, a scalar, in each lane.  */
extern tns_expr *tns_lanes_splat (const tns_lanes *lanes, tns_expr *expr);

/* A and B, masks, both; NULL is all.  */
extern tns_expr *tns_lanes_both (const tns_lanes *lanes, tns_expr *a,
                                 tns_expr *b);

/* A new vector LOCAL called NAME of ELEM, declared in OUT.  */
extern tns_sym *tns_lanes_local (tns_lanes *lanes, const char *name,
                                 tns_elem elem, tns_node *out);

/* EXPR, an element, is read or stored by all iterations, unless the statement
   is one of some.  */
extern void tns_lanes_note_safe (tns_lanes *lanes, tns_expr *expr);

/* COND, a mask, kept in a LOCAL from here on.  */
extern tns_expr *tns_lanes_keep (tns_lanes *lanes, tns_expr *cond);

/* Find the LOCALs of the body.  */
extern void tns_lanes_find_cells (tns_lanes *lanes);

/* LOOP, whose LOCALs are found, with a choice in place of branches that store
   to the same places; it has LOCALs more.  */
extern tns_node *tns_lanes_join_branches (tns_lanes *lanes, tns_node *loop);

/* SYM, when it is a LOCAL of the body, or NULL.  */
extern tns_lane_cell *tns_lanes_cell (const tns_lanes *lanes,
                                      const tns_sym *sym);

/* ELEMs may be read and written under a mask.  */
extern bool tns_lanes_may_mask (const tns_lanes *lanes, tns_elem elem);

/* The loop's last iterations, of a body without loops that has been written in
   lanes, cost less as one vector under a mask than one by one.  */
extern bool tns_lanes_masks_last (const tns_lanes *lanes);

/* NODE (the statements of NODE, a BLOCK) with lanes, put at the end of
   lanes->out.  */
extern void tns_lanes_node (tns_lanes *lanes, tns_node *node);

/* The body of lanes->loop with lanes, of the iterations in TAIL (NULL: of
   all).  */
extern tns_node *tns_lanes_body (tns_lanes *lanes, tns_expr *tail);

/* The mask of the iterations below END.  */
extern tns_expr *tns_lanes_below (const tns_lanes *lanes, tns_expr *end);

/* The loop, of at most MOST iterations (-1: any), may begin its vectors where
   lines of the array begin that its marks name.  */
extern bool tns_lanes_may_align (const tns_lanes *lanes, long long most);

/* Put to the end of OUT what is done before the first iteration that begins a
   line, a vector under a mask; that iteration, a cell.  NULL, and nothing put
   there, when this cannot be said with vectors.  Requires what is above.  */
extern tns_expr *tns_lanes_align (tns_lanes *lanes, tns_node *out);

/* Find the cells that the body accumulates into; N partial results each.  */
extern void tns_lanes_find_accumulators (tns_lanes *lanes, int n);

/* The one that TARGET is, or NULL.  */
extern tns_accumulator *tns_lanes_accumulator (const tns_lanes *lanes,
                                               const tns_expr *target);

/* EXPR reads a cell that is being accumulated.  */
extern bool tns_lanes_reads_accumulator (const tns_lanes *lanes,
                                         tns_expr *expr);

/* Declare and set the first partial results, in OUT; the others, in OUT;
   combine these into the first, in OUT; combine the first into the cells, in
   OUT.  */
extern void tns_lanes_begin (tns_lanes *lanes, tns_node *out);
extern void tns_lanes_widen (tns_lanes *lanes, tns_node *out);
extern void tns_lanes_join (const tns_lanes *lanes, tns_node *out);
extern void tns_lanes_end (const tns_lanes *lanes, tns_node *out);

#endif
