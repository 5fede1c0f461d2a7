/* Random regions that are in bounds for all values of their parameters.

   Two of five have loops of depth 3 or more; bounds are constants, VALUEs,
   outer iterators (triangles), steps 1, 2, 3, -1 and -2; nests are perfect
   or not, with several statements, cells declared outside and inside, local
   arrays, reductions in the spellings of C, ifs on iterators and on data,
   gathers, flat arrays with subscripts such as i*m + j, and one loop over all
   of their elements.  */

#ifndef TNS_TESTSUITE_RANDOM_NEST_H
#define TNS_TESTSUITE_RANDOM_NEST_H

#include "ir/nest.h"

/* depth     the deepest loop
   n_statements  assignments  */
typedef struct random_nest
{
  tns_region *region;
  int depth;
  int n_statements;
} random_nest;

/* The region of SEED.  floats: with floating arrays; branches: ifs that
   depend on floating data; light: few statements, some with numbers in place
   of n and m.  */
extern random_nest random_nest_new (tns_arena *arena, unsigned long long seed,
                                    bool floats, bool branches, bool light);

#endif
