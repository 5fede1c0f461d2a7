/* A plan as text, read back and proved again.

   A plan file holds sections, one for each region:

     plan softmax
       fuse S1 S2 at n
       parallel n in S1
       simd c in S2: 16

   as dump=plan prints them.  Lines may be edited, removed and added; each is
   applied by the same steps as the planner's, and must still be legal.
   '#' begins a comment; ";;" ends a section, as where the tree follows.  */

#ifndef TNS_SCHEDULE_REPLAY_H
#define TNS_SCHEDULE_REPLAY_H

#include "schedule/planner.h"

/* Apply the section of the planner's region in ctx->plan_text.  False with
   TNS_WHY_PLAN said when a line does not apply or is illegal; *FOUND is
   whether there is such a section.  */
extern bool tns_plan_replay (tns_planner *planner, bool *found);

/* How many of the lines STEPS begin with WORD; all of them with NULL.  */
extern int tns_plan_count (const char *steps, const char *word);

/* Whether ctx->plan_text has a section for the region NAME.  */
extern bool tns_plan_is_given (tns_ctx *ctx, const char *name);

/* Whether that section has LINE.  */
extern bool tns_plan_has_line (tns_ctx *ctx, const char *name,
                               const char *line);

/* The first line of that section that begins with START; NULL: none does.  */
extern const char *tns_plan_line (tns_ctx *ctx, const char *name,
                                  const char *start);

#endif
