/* A plan's tree as isl's AST, an iteration of a buffer's home at a time.

   isl may take a loop apart: statements that are executed in some of its
   iterations only come out before or behind it.  A DIM in whose iterations
   buffers live must stay whole.  So the AST of what is around it knows its
   iterations as one statement, a home,

     { home[d0, .., dn-1] }       d the values of the DIMs path[0..n)

   and the AST of what one of them executes is made on its own, the
   coordinates being parameters.

     dim i               for i = ...            for j = ...
       local t     ->      home (i)               S0 (i, j)
       dim j                                    if (i == 0)
         leaf S0                                  S1 (i)
       leaf S1  */

#ifndef TNS_SCHEDULE_AST_H
#define TNS_SCHEDULE_AST_H

#include <isl/ast.h>

#include "schedule/plan.h"

/* What is executed at one value of each of the DIMs path[0..n); n is 0 for
   the whole tree.

   body     the tree below path[n - 1]
   context  what is known of the parameters and coordinates  */
typedef struct tns_home
{
  int n;
  tns_tree *path[2 * TNS_MAX_DEPTH];
  tns_tree *body;
  isl_set *context;
} tns_home;

/* The AST of HOME, NULL when isl gave up.  Above each loop stands a mark whose
   user pointer is its DIM.  The id of an inner home's tuple has that home as
   user pointer and lives as long as the AST; other user nodes are
   statements.  */
extern __isl_give isl_ast_node *tns_ast_of_home (const tns_plan *plan,
                                                 const tns_home *home);

/* The whole of PLAN; the caller frees its context.  */
extern tns_home tns_ast_root (const tns_plan *plan);

/* The DIM whose value the parameter ID, a coordinate, is; NULL for other
   parameters and isl's iterators.  */
extern const tns_tree *tns_ast_coordinate (__isl_keep isl_id *id);

#endif
