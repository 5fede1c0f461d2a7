/* Counters that a loop doubles or halves.

     for (h = 1; h < n; h *= 2)          h is 1 << t in iteration t of
                                         64 - clz (n - 1)

   Their shift is

     1    where an iteration doubles what is more than 0 when the loop begins
     -1   where it halves what is not less than 0 then, or the loop does not run
     TNS_HALVED_PERHAPS  where that is not known
     0    else  */

#ifndef TNS_PLUGIN_DOUBLING_HH
#define TNS_PLUGIN_DOUBLING_HH

#include "plugin/counter.hh"

enum
{
  TNS_HALVED_PERHAPS = -2
};

/* END, at the end of an iteration, is twice (1),
   half (-1) of SYM, which is not less than 0, or neither (0).  */
extern int tns_shift_of (const tns_expr *end, const tns_sym *sym);

/* What COUNTER, which is shifted, holds after TIMES iterations.  */
extern tns_expr *tns_shifted (tns_reader *reader, const tns_counter *counter,
                              tns_expr *times);

/* How often a loop runs while  COUNTER CODE BOUND,  COUNTER shifted, also
   perhaps: then it is for certain.  NULL: unknown.  */
extern tns_expr *tns_times_shifted (tns_reader *reader, tns_counter *counter,
                                    enum tree_code code, tns_expr *bound);

#endif
