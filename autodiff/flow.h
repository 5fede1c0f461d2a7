/* Which statement may have made a value, and which may destroy it.

     S: a[i] = x[i] * a[i - 1];      a[i - 1] read at S
        made by S:      S[i] -> S[i - 1]      before, the same element
        destroyed by S: no S[j], j >= i, writes a[i - 1]

   Asked of whole statements; an answer may say yes where a closer look would
   say no.  Source: the tagged access relations of poly/scop.h, compared by
   the order of the text's loops.  */

#ifndef TNS_AUTODIFF_FLOW_H
#define TNS_AUTODIFF_FLOW_H

#include "autodiff/view.h"
#include "poly/scop.h"

/* scop  NULL: nothing is known of the accesses, each question is answered with
         yes  */
typedef struct tns_flow
{
  const tns_view *view;
  const tns_scop *scop;
} tns_flow;

/* Some instance of ASSIGN site WRITER writes what LOAD, read at site READER,
   reads, before that (earlier) or at the same time or after it (later).  */
extern bool tns_flow_earlier (const tns_flow *flow, int writer, int reader,
                              const tns_expr *load);
extern bool tns_flow_later (const tns_flow *flow, int writer, int reader,
                            const tns_expr *load);

/* The same as earlier, in one iteration of the DEPTH outermost loops, which
   are around both.  */
extern bool tns_flow_within (const tns_flow *flow, int writer, int reader,
                             const tns_expr *load, int depth);

/* Earlier, nothing else writing it in between.  *APART: some such pair differs
   in the first DEPTH loops around.  */
extern bool tns_flow_reaches (const tns_flow *flow, int writer, int reader,
                              const tns_expr *load, int depth, bool *apart);

/* What some instance of ASSIGN site S writes nothing writes again.  */
extern bool tns_flow_lasts (const tns_flow *flow, int s);

/* ASSIGN site WHOLE surely writes all that ASSIGN site PART may.  */
extern bool tns_flow_covers (const tns_flow *flow, int whole, int part);

/* Some instance of ASSIGN site FIRST writes what a later one of site SECOND
   writes again.  */
extern bool tns_flow_overwrites (const tns_flow *flow, int first, int second);

/* READER stands in a loop of level 0.  Some iteration of this reads through
   LOAD, at READER, what was not made in it, and this element is destroyed
   there, in a later iteration or after the loop.  Only ASSIGN sites with
   RUNS[site] are executed.  */
extern bool tns_flow_crosses (const tns_flow *flow, int reader,
                              const tns_expr *load, const bool *runs);

/* Every instance of site READER reads through LOAD what some ASSIGN surely
   wrote before: nothing that the array held at the entry.  Where data say which
   element that is, all that it may be were written.  */
extern bool tns_flow_is_made (const tns_flow *flow, int reader,
                              const tns_expr *load);

/* As tns_flow_is_made, before or at the same time or after it.  */
extern bool tns_flow_is_set (const tns_flow *flow, int reader,
                             const tns_expr *load);

#endif
