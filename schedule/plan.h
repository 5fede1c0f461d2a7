/* The plan: the steps that were taken, the tree that they made, and where
   each temporary lives in it.  */

#ifndef TNS_SCHEDULE_PLAN_H
#define TNS_SCHEDULE_PLAN_H

#include "schedule/tree.h"

/* The storage of an array that is dead after the region: one buffer for each
   iteration of DIM (NULL: for the region).

   array    position in scop->array
   n        coordinates of the array's elements: private ones, then
            subscripts
   first    the coordinate that is SYM's first, those before it its last: of
            what lives around lanes the first subscript, so that lanes lie
            beside each other
   kept     coordinates that have more than one value in an iteration of dim
   offset   the least value of a kept coordinate, an expression over VALUEs
            and the syms of DIMs down to dim
   extent   how many values it has, an expression over VALUEs
   sym      the LOCAL array, of as many ranks as coordinates are kept  */
typedef struct tns_buffer
{
  int array;
  tns_tree *dim;
  int n;
  int first;
  bool *kept;
  tns_expr **offset;
  tns_expr **extent;
  tns_sym *sym;
} tns_buffer;

/* The coordinate of BUFFER at place AT of its symbol, were all kept.  */
static inline int
tns_buffer_coordinate (const tns_buffer *buffer, int at)
{
  return (at + buffer->first) % buffer->n;
}

/* The task of a statement: nests of one set, 1 and up, may run at the same
   time; member, 0 and up, is the nest.  set 0: none.  */
typedef struct tns_task
{
  int set;
  int member;
} tns_task;

/* steps   text, a line each; empty when the user's order is kept
   task    by statement
   region  the scop's region with the symbols that the plan added
   written_ns, planned_ns  what one thread is predicted to take for the loops
           as they were written and for those of the tree  */
typedef struct tns_plan
{
  const tns_scop *scop;
  const tns_deps *deps;
  tns_tree *tree;
  tns_region *region;
  int n_buffers;
  tns_buffer *buffer;
  tns_task *task;
  int n_contracted;
  tns_text steps;
  bool kept;
  double written_ns;
  double planned_ns;
} tns_plan;

/* The user has asked for steps of his own.  */
extern bool tns_plan_is_asked (const tns_ctx *ctx);

/* Choose steps for SCOP, or replay ctx->plan_text.  NULL with the reason
   said: a user's clause or a line of the plan text that is illegal is an
   error that names the dependence.  The plan lives in the arena; SCOP and
   DEPS must outlive it.  */
extern tns_plan *tns_plan_build (tns_ctx *ctx, const tns_scop *scop,
                                 const tns_deps *deps);

/* Ask poly/legal.h, which knows no step.  PLAN when it holds; NULL with
   TNS_WHY_INTERNAL said when not.  */
extern tns_plan *tns_plan_check (tns_ctx *ctx, tns_plan *plan);

#endif
