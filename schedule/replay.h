/* A plan as text, read back and proved again.

   A plan file holds sections, one for each region:

     plan softmax
       fuse S1 S2 at n
       parallel n in S1
       simd c in S2: 16

   as dump=plan prints them (base/section.h).  Lines may be edited, removed and
   added; each is applied by the same steps as the planner's, and must still be
   legal.  */

#ifndef TNS_SCHEDULE_REPLAY_H
#define TNS_SCHEDULE_REPLAY_H

#include "schedule/planner.h"

/* Apply the section of the planner's region in ctx->plan_text.  False with
   TNS_WHY_PLAN said when a line does not apply or is illegal; *FOUND is
   whether there is such a section.  */
extern bool tns_plan_replay (tns_planner *planner, bool *found);

#endif
