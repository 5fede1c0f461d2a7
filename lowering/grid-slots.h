/* Rows that a block goes through, their elements in its threads' registers.

     for chunk parallel {                  float t[8], g[8], x[8];
       local f64 t[2048];                  g[k] = G[j];
       for j simd(32)  t[j] = 0;           t[k] = 0;
       for i {                      ->     for i {
         for j simd(32)                      x[k] = X[i][j];
           s += X[i][j] * G[j];              s += x[k] * g[k];
         for j simd(32)                      t[k] += x[k] * s;
           t[j] += X[i][j] * s;            }
       }
     }

   Thread p has the elements j = p + k * threads of each row, k below 8.  An
   array of the block's own, accessed at j alone, becomes a few numbers of each
   thread; so does what loops over a row read more than once, or all rows
   read.  */

#ifndef TNS_LOWERING_GRID_SLOTS_H
#define TNS_LOWERING_GRID_SLOTS_H

#include "ir/nest.h"

/* TNS_SLOT_THREADS: of a block, at most; half of these where they are
   enough.  */
enum
{
  TNS_SLOTS = 8,
  TNS_SLOT_THREADS = 256,
  TNS_MOST_SLOTTED = 8
};

/* lanes    a loop over a row
   rows     the loop over rows
   held[0..n_held)  arrays of the block's own
   load[0..n_loads) what is read at the iterator of LANES; once: for all rows
   words    registers of a thread for all this
   threads  of a block: TNS_SLOT_THREADS until a kernel has less  */
typedef struct tns_slots
{
  const tns_node *lanes;
  const tns_node *rows;
  int n_held;
  const tns_sym *held[TNS_MOST_SLOTTED];
  int n_loads;
  tns_expr *load[TNS_MOST_SLOTTED];
  bool once[TNS_MOST_SLOTTED];
  int words;
  int threads;
} tns_slots;

/* What LOOP, each of whose iterations is a block's, has in registers.  False
   where it has no such arrays.  */
extern bool tns_slots_find (tns_arena *arena, tns_node *loop, tns_slots *slots);

/* LOOP, with lanes, goes over a row of SLOTS.  */
extern bool tns_slots_has (const tns_slots *slots, const tns_node *loop);

/* What EXPR, in such a loop, is: the number of a load, -1: none of them.  */
extern int tns_slots_load (tns_arena *arena, const tns_slots *slots,
                           const tns_node *loop, tns_expr *expr);

/* SYM is one of the arrays held.  */
extern bool tns_slots_hold (const tns_slots *slots, const tns_sym *sym);

/* A row of SLOTS has room in half of the threads, a BOOL.  */
extern tns_expr *tns_slots_fit_half (tns_arena *arena, const tns_slots *slots);

#endif
