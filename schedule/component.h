/* Statements that must stay together when a loop is distributed: the strongly
   connected components of what depends on what.

     for i {                          S -> T -> S, T -> U
       S: a[i] = b[i-1] + 1;
       T: b[i] = a[i] * c[i];   ->    S T / U
       U: d[i] = b[i];
     }

   A temporary that two statements touch keeps them together, where it would
   need memory.  */

#ifndef TNS_SCHEDULE_COMPONENT_H
#define TNS_SCHEDULE_COMPONENT_H

#include "schedule/planner.h"

/* The statements below a DIM, stmt[0..n) in order.

   after[a][b]      stmt[b] must not come before stmt[a], directly or not
   part             by statement of the scop, its component, 0 to n_parts - 1:
                    they follow each other as they depend on each other, and as
                    written where they do not
   path[0..depth)   the DIMs around path[depth], the DIM  */
typedef struct tns_components
{
  int n;
  int *stmt;
  bool **after;
  int n_parts;
  int *part;
  int depth;
  tns_tree *path[2 * TNS_MAX_DEPTH];
} tns_components;

/* ARRAY, a temporary, would need memory if the DIM at DEPTH were
   distributed.  */
typedef bool (*tns_needs_room) (const tns_scop *scop, int array, int depth);

/* Those of the DIM at DEPTH above statement S; with NEEDS NULL each temporary
   needs room.  */
extern tns_components tns_components_at (const tns_planner *planner, int s,
                                         int depth, tns_needs_room needs);

/* Their statements as words of a plan: S T / U.  */
extern const char *tns_components_words (const tns_planner *planner,
                                         const tns_components *components);

#endif
