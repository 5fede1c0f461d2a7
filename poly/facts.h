/* What the constraints on pairs of instances say as they stand.

     { S[i, j] -> T[i', j'] : i' = i and j' >= j + 1 }

     i' - i       0, for j' - j        1 and more
     (i + j)      i' + j' - i - j = j' - j, with i' - i = 0: 1 and more

   Equalities are solved, inequalities are compared with what is asked: no
   search and no quotients.  So an answer is right, but may say less than is
   known; who gets none asks isl.  Constraints may be left out: what holds
   for more pairs holds for these.  */

#ifndef TNS_POLY_FACTS_H
#define TNS_POLY_FACTS_H

#include "base/arena.h"
#include "poly/isl.h"

enum
{
  TNS_FACT_COLUMNS = 48,
  TNS_FACT_ROWS = 40
};

/* A row is a sum: column 0 the constant, then the parameters, the iterators of
   the source and those of the target, and quotients.

   source, target  the first column of their iterators
   equal    sums that are 0, of which column pivot[k] stands in the k-th alone
   positive sums that are 0 or more
   none     there are no such pairs  */
typedef struct tns_facts
{
  int n_columns;
  int source;
  int target;
  int n_equal;
  int n_positive;
  int pivot[TNS_FACT_ROWS];
  long equal[TNS_FACT_ROWS][TNS_FACT_COLUMNS];
  long positive[TNS_FACT_ROWS][TNS_FACT_COLUMNS];
  bool none;
} tns_facts;

/* Facts as they were read, kept to be taken again.

   fits  they could be read
   sum   n_equal rows of n_columns, of which column pivot[k] stands in the k-th
         alone, and n_positive more  */
typedef struct tns_facts_kept
{
  bool fits;
  bool none;
  int n_columns;
  int source;
  int target;
  int n_equal;
  int n_positive;
  int *pivot;
  long *sum;
} tns_facts_kept;

/* One dimension of a statement's order, where it is KNOWN to be

     floor ((sum_k coef[k] * i_k + constant) / divisor)  */
typedef struct tns_moment
{
  bool known;
  int n;
  long *coef;
  long constant;
  long divisor;
} tns_moment;

/* AFF, a function of a statement's iterators.  */
extern tns_moment tns_moment_of_aff (tns_arena *arena, __isl_keep isl_aff *aff);

/* The bounds of a difference, as far as they are known.  */
typedef struct tns_reach
{
  bool lo_known;
  bool hi_known;
  long lo;
  long hi;
} tns_reach;

/* Read PAIRS.  False when it has too many dimensions.  */
extern bool tns_facts_read (tns_facts *facts, __isl_keep isl_basic_map *pairs);

/* What each piece of PAIRS says, in ARENA; FACTS is room to read them.  *N is
   how many there are.  */
extern tns_facts_kept *tns_facts_keep (tns_arena *arena,
                                       __isl_keep isl_map *pairs,
                                       tns_facts *facts, int *n);

/* Take KEPT into FACTS; false when it could not be read.  */
extern bool tns_facts_take (tns_facts *facts, const tns_facts_kept *kept);

/* By how much G of the target is more than F of the source; FACTS->none may
   be found out.  */
extern tns_reach tns_facts_reach (tns_facts *facts, const tns_moment *f,
                                  const tns_moment *g);

/* From now on only pairs with F of the source equal to G of the target.  */
extern void tns_facts_equate (tns_facts *facts, const tns_moment *f,
                              const tns_moment *g);

#endif
