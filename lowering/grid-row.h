/* Rows that the threads of a block share, in registers.

     for j = 1 to c  m max= x[i][j]            a thread has groups of four
     for j = 0 to c  y[i][j] = f (x[i][j], m)  neighbours, the same ones in all
                     s += y[i][j]              loops: x is read once, y is
     for j = 0 to c  y[i][j] /= s              written once

   The loops begin and end at a distance that is known from where the longest
   one does.  What they access of a row at the same place is kept from one loop
   to the next: what none of them stores, and what is accessed in no other
   way.  */

#ifndef TNS_LOWERING_GRID_ROW_H
#define TNS_LOWERING_GRID_ROW_H

#include "lowering/grid-wide.h"

enum
{
  TNS_MOST_ROW_LOOPS = 12,
  TNS_MOST_KEPT = 8,
  TNS_MOST_ROW_THREADS = 512,
  TNS_LONG_ROW_THREADS = 1024
};

/* load    an access, of loop FIRST, the first that has it
   stored  the last loop that stores it, -1: none
   is_set  FIRST stores it and does not read what was there  */
typedef struct tns_row_kept
{
  tns_expr *load;
  int first;
  int stored;
  bool is_set;
} tns_row_kept;

/* from, to  how much later it begins, and ends, than the row
   wide      what its iterations access in a row; runs of one element alone
   kept      [wide.n], which of the row's it is, -1: none  */
typedef struct tns_row_loop
{
  tns_node *loop;
  long long from;
  long long to;
  tns_wide wide;
  int kept[TNS_MOST_RUNS];
} tns_row_loop;

/* width   neighbours in a group
   groups  of each thread that registers have room for; 0: they are not to keep
           anything
   lo, hi  the row
   kept[0..n_kept), one at least  */
typedef struct tns_grid_row
{
  int width;
  int groups;
  tns_expr *lo;
  tns_expr *hi;
  int n;
  tns_row_loop loop[TNS_MOST_ROW_LOOPS];
  int n_kept;
  tns_row_kept kept[TNS_MOST_KEPT];
} tns_grid_row;

/* What the loops with lanes in the body of LOOP[0..N), which blocks share, keep
   of a row, AROUND as in grid-wide.h.  False where there are other loops, or
   nothing is kept.  */
extern bool tns_row_find (tns_arena *arena, const tns_region *around, int n,
                          tns_node *const *loop, tns_grid_row *row);

/* How many elements the registers of THREADS threads have room for: in front of
   a row there may be up to width - 1 more, so that groups begin where those of
   other rows do, if there is room for them.  */
extern long tns_row_room (const tns_grid_row *row, int threads);

/* EXPR where it is greatest in the space of LOOP[0..N), outermost first; EXPR
   itself where it does not go up or down evenly with their iterators.  */
extern tns_expr *tns_space_most (tns_arena *arena, int n, tns_node *const *loop,
                                 tns_expr *expr);

/* How many elements the rows of LOOP[0..N) need room for at most: where all are
   as long, and that is a multiple of what is accessed at once, they begin
   alike.  */
extern tns_expr *tns_row_need (tns_arena *arena, const tns_grid_row *row, int n,
                               tns_node *const *loop);

/* Which loop of ROW is LOOP, -1: none.  */
extern int tns_row_loop_of (const tns_grid_row *row, const tns_node *loop);

#endif
