/* Values of a row that are computed again instead of kept in memory.

     for j                                for j
       y[i][j] = f (x[i][j])       ->       s += f (x[i][j])
       s += y[i][j]
     for j                                for j
       y[i][j] = y[i][j] / s                y[i][j] = f (x[i][j]) / s

   A row that registers have no room for goes through memory once less for each
   store that another one replaces, and each element that need not be read: on a
   device that takes longer than some operations.  */

#ifndef TNS_LOWERING_GRID_AGAIN_H
#define TNS_LOWERING_GRID_AGAIN_H

#include "lowering/grid-row.h"

/* BODY, the body that ROW was found in, with what its loops set, and set again
   later, computed where it is read; BODY itself where nothing is.  */
extern tns_node *tns_row_again (tns_arena *arena, const tns_grid_row *row,
                                tns_node *body);

#endif
