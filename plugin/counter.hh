/* What moves with a loop: counters, pointers that are swapped, and how often it
   runs then.  */

#ifndef TNS_PLUGIN_COUNTER_HH
#define TNS_PLUGIN_COUNTER_HH

#include "plugin/reader.hh"

/* plugin/extract-counter.cc: variables that each iteration of a loop moves by
   the same amount.

   decl, elem   an integer, or a pointer: then place is set
   start        its value, or the last subscript of place, when the loop
                begins
   sym          stands for its value at the head of the trial iteration
   delta        what an iteration adds, NULL when that differs
   shift        that it is doubled or halved: plugin/doubling.hh  */
typedef struct tns_counter
{
  tree decl;
  tns_elem elem;
  tns_address *place;
  tns_expr *start;
  tns_sym *sym;
  tns_expr *delta;
  int shift;
  struct tns_counter *next;
} tns_counter;

/* Those of WRITTEN, what LOOP assigns, but EXCEPT, that hold something known
   and that the loop only steps; none has a delta.  Called before the loop's
   variables are forgotten.  */
extern tns_counter *tns_counters_of (tns_reader *reader, tree loop,
                                     const tns_trees *written, tree except);

/* Reads one iteration.  */
typedef bool (*tns_read_iteration) (tns_reader *reader, void *self);

/* READ (READER, SELF), and take back all that it did.  What it returned.  */
extern bool tns_try (tns_reader *reader, tns_read_iteration read, void *self);

/* Find the deltas in the loop over ITER by READ (READER, SELF), whose
   statements are thrown away.  */
extern void tns_counters_try (tns_reader *reader, tns_counter *counters,
                              const tns_sym *iter, tns_read_iteration read,
                              void *self);

/* Each counter with a delta holds start + delta * TIMES from now on.  */
extern void tns_counters_set (tns_reader *reader, tns_counter *counters,
                              tns_expr *times);

/* plugin/extract-swap.cc: the loop around BODY is read next: what it may swap
   holds places.  */
extern void tns_swap_expect (tns_reader *reader, tree body);

/* Those that the loop around BODY swaps, when HELD, of
   N variables, is what was held in front of it; READ (READER, SELF) reads an
   iteration.  NULL when there are none.  */
extern tns_swap *tns_swap_find (tns_reader *reader, tree body,
                                const tns_holds *held, int n,
                                tns_read_iteration read, void *self);

/* READ (READER, SELF) for each turn, as that of iteration TIMES.  */
extern bool tns_swap_read (tns_reader *reader, const tns_swap *swap,
                           tns_expr *times, tns_read_iteration read,
                           void *self);

/* plugin/extract-times.cc: STEP is so wide that a few of it together, those
   of the lanes of a vector or of a tile, leave a long.  */
extern bool tns_is_wide_step (long long step);

/* Steps of K, more than 0, lead exactly from FROM to TO, which is not behind:
   guards say what is not known.  */
extern bool tns_arrives (tns_reader *reader, tns_expr *from, tns_expr *to,
                         long long k);

/* DECL, which LOOP steps, is not all that moves in its condition, stands in a
   product there, or moves in the body too.  */
extern bool tns_is_crossed (tns_reader *reader, tree decl, tree loop);

/* How often a loop with COUNTERS, which assigns
   WRITTEN, runs while COND, a comparison; NULL when that is not known.  */
extern tns_expr *tns_read_times (tns_reader *reader, tns_counter *counters,
                                 const tns_trees *written, tree cond);

#endif
