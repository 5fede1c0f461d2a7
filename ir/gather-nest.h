/* A nest whose sums may be gathered (ir/gather.h): what is found out about
   it.  */

#ifndef TNS_IR_GATHER_NEST_H
#define TNS_IR_GATHER_NEST_H

#include "base/ctx.h"
#include "ir/affine.h"
#include "ir/nest.h"

enum
{
  TNS_GATHER_LOOPS = 12,
  TNS_GATHER_SUMS = 64
};

/* One sum.

   guard    the IF that it stands in, NULL: none; what that asks is over VALUEs
            and iterators
   value    e, read through, or what its row has of it
   is_kept  e is kept in a row, ROW once there is one
   by       [k]: its shift of subscript K is the first one's and so much  */
typedef struct tns_gather_sum
{
  const tns_node *node;
  const tns_node *guard;
  tns_expr *value;
  bool is_kept;
  tns_sym *row;
  long long by[TNS_MOST_RANK];
} tns_gather_sum;

/* A subscript.

   loop       the owner, a position in the nest; -1: no loop moves it
   shift      of the first sum
   from, to   the least and the greatest of all sums and taps
   is_tapped  taps move it
   is_fixed   all shifts are one  */
typedef struct tns_gather_sub
{
  int loop;
  tns_sum shift;
  tns_sum from;
  tns_sum to;
  bool is_tapped;
  bool is_fixed;
} tns_gather_sub;

/* The nest at hand, and its array.

   loop[0..n)  outermost first
   owned       by loop: the subscript, -1: it is a tap
   one_by_one  sums are statements of their own, where taps or guards stand
   border      elements at both ends of the rows' last subscript that add
               nothing: so many as the innermost loop moves sums apart; 0: none
   n_made      statements made, for their names  */
typedef struct tns_gathering
{
  tns_ctx *ctx;
  tns_arena *arena;
  int n;
  const tns_node *loop[TNS_GATHER_LOOPS];
  int owned[TNS_GATHER_LOOPS];
  long long border;
  bool one_by_one;
  tns_sym *sym;
  int n_sums;
  tns_gather_sum sum[TNS_GATHER_SUMS];
  tns_gather_sub sub[TNS_MOST_RANK];
  int n_made;
} tns_gathering;

/* Fill G, of which ctx, arena and sym are set, with the nest that begins at
   ROOT.  False where its sums may not be gathered, as ir/gather.c says.  */
extern bool tns_gather_find (tns_gathering *g, const tns_node *root);

/* The rows of G's sums that are kept, of REGION: their LOCALs are appended to
   BLOCK, what sets their borders to BORDERS, their elements are the sums'
   values.  */
extern void tns_gather_keep (tns_gathering *g, tns_region *region,
                             tns_node *block, tns_node *borders);

/* G's nest without the sums of its array; those that are kept put their values
   into their rows.  */
extern tns_node *tns_gather_left (const tns_gathering *g);

/* The only loop among the kids of BODY, of which the others are LOCALs and
   assignments; NULL where there is none, or *PLAIN is cleared.  Without a loop,
   and with GUARDED, there may be conditions.  */
extern const tns_node *tns_gather_loop_in (const tns_node *body, bool guarded,
                                           bool *plain);

/* EXPR mentions VALUEs and loops around G's only.  */
extern bool tns_gather_is_outside (const tns_gathering *g, tns_expr *expr);

/* What changes no sum of G's.  */
extern tns_expr *tns_gather_nothing (const tns_gathering *g);

/* The bounds of loop L of G; the value of SYM.  */
extern tns_sum tns_gather_lo (const tns_gathering *g, int l);
extern tns_sum tns_gather_hi (const tns_gathering *g, int l);
extern tns_sum tns_gather_iter (const tns_gathering *g, tns_sym *sym);

/* A + B, A - B.  */
extern tns_sum tns_gather_plus (const tns_gathering *g, tns_sum a, tns_sum b);
extern tns_sum tns_gather_minus (const tns_gathering *g, tns_sum a, tns_sum b);

#endif
