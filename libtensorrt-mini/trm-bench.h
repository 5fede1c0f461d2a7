/* Measuring: how long a call takes, and how much faster one is than another.

     static void
     step (void *context)
     {
       trm_drop (trm_matmul (((trm_tensor **) context)[0],
                             ((trm_tensor **) context)[1]));
     }

     trm_timing t;
     if (trm_bench (step, operands, NULL, &t) == TRM_OK)
       trm_bench_print (stdout, "product", &t);

   A run is as many calls as the clock needs, about SECONDS / RUNS; runs begin
   when a warm-up has ended.  Runs are told from each other by quartiles, not by
   means: what else the machine does only makes a run longer.  */

#ifndef TRM_BENCH_H
#define TRM_BENCH_H

#include "trm-tensor.h"

#ifdef __cplusplus
extern "C"
{
#endif
#pragma GCC visibility push(default)

  /* What is asked; 0 is the default.

     runs     7
     calls    in each run; as many as fit
     seconds  for all runs together, 1
     cold     the caches are overwritten before each call, which then is a run
              of its own  */
  typedef struct trm_bench_settings
  {
    int runs;
    int64_t calls;
    double seconds;
    bool cold;
  } trm_bench_settings;

  /* What was seen, nanoseconds a call: of the first call; of the runs the best
   one, the median, and half the distance of the quartiles.  outliers: runs that
   lie more than three such distances above the median.  threads: what OpenMP
   would use.  */
  typedef struct trm_timing
  {
    double first;
    double best;
    double median;
    double spread;
    int runs;
    int64_t calls;
    int outliers;
    int threads;
  } trm_timing;

  /* Time CALL (CONTEXT).  SETTINGS may be NULL.  */
  extern trm_status trm_bench (void (*call) (void *context), void *context,
                               const trm_bench_settings *settings,
                               trm_timing *timing);

  /* The same for a statement, between a start and an end:

       trm_stopwatch w = trm_stopwatch_start (NULL);
       while (trm_goes (&w))
         y = x * x;
       trm_stopwatch_end (&w, &t);

   The statement runs as often as trm_bench would call it.  The fields are the
   library's.  */
  typedef struct trm_stopwatch
  {
    int64_t left;
    int64_t calls;
    int64_t begin;
    trm_bench_settings asked;
    double first;
    double spent;
    double *ns;
    int phase;
    int run;
  } trm_stopwatch;
  extern trm_stopwatch trm_stopwatch_start (const trm_bench_settings *settings);
  extern bool trm_next_run (trm_stopwatch *watch);
  extern trm_status trm_stopwatch_end (trm_stopwatch *watch,
                                       trm_timing *timing);
  static inline bool
  trm_goes (trm_stopwatch *watch)
  {
    return --watch->left > 0 || trm_next_run (watch);
  }

  /* Time A and B in turns, run by run, another one first in each pair.  *RATIO
   is the median of B's times over A's, pair by pair: above 1 A is faster;
   *SPREAD half the distance of its quartiles.  */
  extern trm_status trm_bench_pair (void (*a) (void *context),
                                    void (*b) (void *context), void *context,
                                    const trm_bench_settings *settings,
                                    trm_timing timing[2], double *ratio,
                                    double *spread);

  /* "NAME: 1.23 ms a call +-2 % (best 1.20 ms; 7 runs of 81 calls, 2 threads)",
   and a note where runs lie apart.  The machine: processor, its threads,
   instruction set of the kernels, clock now and at most where it is known.  */
  extern void trm_bench_print (FILE *file, const char *name,
                               const trm_timing *timing);
  extern void trm_bench_machine (FILE *file);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
