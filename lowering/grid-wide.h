/* Several neighbouring iterations of a thread at once.

     for i                                 for i by 4
       y[i] = a * x[i] + x[i + 1];   ->      r[0..5) = x[i..i+5)
                                             y[i..i+4) = a * r[0..4) + r[1..5)

   Along the innermost loop some accesses go from one element to the next: a
   thread that has as many iterations as 16 bytes have elements reads each array
   once for all of them, 16 bytes at a time where they begin at such an address,
   and writes it once.  What is accessed under a condition, or in an array where
   a store may meet another access, stays as it is, but for reads of what is
   there in any case.  */

#ifndef TNS_LOWERING_GRID_WIDE_H
#define TNS_LOWERING_GRID_WIDE_H

#include "ir/nest.h"

enum
{
  TNS_MOST_RUNS = 12
};

/* Neighbouring elements of one array.

   load    the first access to them: the other ones are elements from .. to
           behind it, in each iteration
   even    the least element from there on that is expected at a multiple of the
           bytes that are accessed at once; above to: there is none
   loaded  what is there before is read
   stored  (from and to are 0) in each iteration  */
typedef struct tns_run
{
  tns_expr *load;
  long long from;
  long long to;
  long long even;
  bool loaded;
  bool stored;
} tns_run;

/* width   iterations at once, 2 to 16
   lead    the run whose first access decides where they begin  */
typedef struct tns_wide
{
  int width;
  int lead;
  int n;
  tns_run run[TNS_MOST_RUNS];
} tns_wide;

/* What neighbouring iterations of LOOP[N - 1], the innermost of LOOP[0..N),
   whose bounds do not depend on each other, access together.  What AROUND, a
   region, spans is there even where a condition keeps an iteration from reading
   it; NULL: nothing is known to be.  False where that is nothing, or less than
   what they access one by one.  */
extern bool tns_wide_find (tns_arena *arena, const tns_region *around, int n,
                           tns_node *const *loop, tns_wide *wide);

/* The run of WIDE that LOAD is an element of, *AT behind its first; -1: none,
   or it is not to be taken from there.  */
extern int tns_wide_run (tns_arena *arena, const tns_wide *wide,
                         const tns_expr *load, long long *at);

/* How often groups of WIDE's width, of LOOP[0..N), run at most.  */
extern tns_expr *tns_wide_groups (tns_arena *arena, const tns_wide *wide, int n,
                                  tns_node *const *loop);

#endif
