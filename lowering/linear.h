/* Subscripts and bounds as sums: what two of them differ by, how often a loop
   runs.

     3*i + (j - 4) + N*M   is   -4 + 3*(i) + 1*(j) + 1*(N*M)

   What is not a sum of multiples is a term of its own; products and
   conversions are looked into (ir/affine.h) only where that does not
   decide.  Nothing here is a proof about memory: only I64 algebra on the
   text of two expressions.  */

#ifndef TNS_LOWERING_LINEAR_H
#define TNS_LOWERING_LINEAR_H

#include "ir/nest.h"

/* A - B is the same number always; *D is set to it.  */
extern bool tns_linear_distance (tns_arena *arena, tns_expr *a, tns_expr *b,
                                 long long *d);

/* The number of iterations of LOOP, when it is one constant.  */
extern bool tns_loop_trip (tns_arena *arena, const tns_node *loop,
                           long long *trip);

/* A constant that the number of iterations never exceeds, from bounds such
   as min (i + 14, M).  */
extern bool tns_loop_trip_most (tns_arena *arena, const tns_node *loop,
                                long long *most);

/* A > B inside AROUND[0..n), loops from the outside in.  */
extern bool tns_linear_above (tns_arena *arena, tns_expr *a, tns_expr *b, int n,
                              tns_node *const *around);

/* LOOP, of a positive step, runs at least once whenever it is reached
   inside AROUND[0..n), loops from the outside in.  */
extern bool tns_loop_runs (tns_arena *arena, const tns_node *loop, int n,
                           tns_node *const *around);

/* How two elements of one array lie to each other.

   SAME     the same element, or the same lanes
   APART    no element in common
   UNKNOWN  anything else  */
typedef enum tns_cells
{
  TNS_CELLS_SAME,
  TNS_CELLS_APART,
  TNS_CELLS_UNKNOWN
} tns_cells;

/* A and B are LOAD or MASKED of one symbol; masks are not looked at.  */
extern tns_cells tns_cells_compare (tns_arena *arena, const tns_expr *a,
                                    const tns_expr *b);

/* In all iterations of LOOP[0..N), from the outside in, B's element is in
   front of or behind A's, which stays where it is, in one subscript: both are
   LOAD or MASKED of one symbol.  */
extern bool tns_cells_beyond (tns_arena *arena, const tns_expr *a,
                              const tns_expr *b, int n, tns_node *const *loop);

/* The same of A's element in any iteration of LOOP[0..N) and B's in any
   other.  */
extern bool tns_cells_never_meet (tns_arena *arena, const tns_expr *a,
                                  const tns_expr *b, int n,
                                  tns_node *const *loop);

#endif
