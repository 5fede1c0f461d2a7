/* The user's plans as text: sections, one for each region.

     plan softmax
       fuse S1 S2 at n
       parallel n in S1

   '#' begins a comment; ";;" ends a section, as where the tree follows.  */

#ifndef TNS_BASE_SECTION_H
#define TNS_BASE_SECTION_H

#include "base/ctx.h"

/* Whether ctx->plan_text has a section for the region NAME.  */
extern bool tns_plan_is_given (const tns_ctx *ctx, const char *name);

/* Whether that section has LINE.  */
extern bool tns_plan_has_line (const tns_ctx *ctx, const char *name,
                               const char *line);

/* The first line of that section that begins with START; NULL: none does.  */
extern const char *tns_plan_line (const tns_ctx *ctx, const char *name,
                                  const char *start);

/* Call VISIT for each line of that section, in order, while it says true.
   What it said last; true without a section.  */
typedef bool (*tns_line_visitor) (const char *line, void *self);
extern bool tns_plan_lines (const tns_ctx *ctx, const char *name,
                            tns_line_visitor visit, void *self);

/* Whether LINE is one of the lines STEPS.  */
extern bool tns_plan_step_is (const char *steps, const char *line);

/* How many of the lines STEPS begin with WORD; all of them with NULL.  */
extern int tns_plan_count (const char *steps, const char *word);

#endif
