/* Contractions of a device in nests of their own.  */

#ifndef TNS_SCHEDULE_PART_H
#define TNS_SCHEDULE_PART_H

#include "schedule/planner.h"

/* How many contractions of PLANNER's tree stand so that blocks can take tiles
   of them: the DIMs that move their cells are FREE, in one chain with nothing
   beside it, and what is begun and done with a cell stands around the inner
   DIMs alone.  Loops that the host runs may stand around.  */
extern int tns_parts_count (const tns_planner *planner);

/* DIM moves the cell of such a contraction, and stands in its chain.  */
extern bool tns_parts_has (const tns_planner *planner, const tns_tree *dim);

/* Give each contraction a nest like that where this is legal and predicted to
   pay.  Whether there was one.  */
extern bool tns_plan_parts (tns_planner *planner);

#endif
