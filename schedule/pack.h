/* Operands whose column is strided are packed: copied, transposed, into a
   contiguous array before the loops that use them again and again.

     for i for j for k              for k for j  P[k][j] = B[j][k];
       C[i][j] += A[i][k]*B[j][k]   for i for j for k
                                      C[i][j] += A[i][k]*P[k][j]

   The update then has a column for lanes (schedule/kernel.c).  So are operands
   whose elements go into all lanes, where each comes from a line of its own:

     for i for k for l for j for o        P[k][l][o][c] = w[o][c][k][l];
       x[c][i + k][j + l]           ->      ...  += y[o][i][j] * P[k][l][o][c]
         += y[o][i][j] * w[o][c][k][l]

   A pack costs a copy of each element, so that it pays only where there are
   enough rows; where the sizes are known at run time alone, both forms are
   kept.  */

#ifndef TNS_SCHEDULE_PACK_H
#define TNS_SCHEDULE_PACK_H

#include "schedule/plan.h"

enum
{
  TNS_MOST_OPERANDS = 4
};

/* One operand of an update.

   stmt     the name of the update
   access   the LOAD
   column   the iterator that moves the target by one element and access by
            more; the pack moves with it by one
   spread   column is the rows' instead, and the lanes' leaves access in place
   turned   access is the target, and all that the column moves is turned with
            it (schedule/turn.h); where it is not, those of the same update
            that follow may be packed
   inner[0..n_inner)  the iterators that do not move the target
   kernel   without the pack it has a tile in registers already  */
typedef struct tns_operand
{
  const char *stmt;
  const tns_expr *access;
  tns_sym *column;
  bool spread;
  bool turned;
  int n_inner;
  tns_sym *inner[TNS_MAX_DEPTH];
  bool kernel;
} tns_operand;

/* The operands of PLAN's updates that a pack may suit, into OPERAND[0..
   TNS_MOST_OPERANDS): how many.  */
extern int tns_plan_operands (const tns_plan *plan, tns_operand *operand);

/* What was packed.

   n, operand  which operands
   when    BOOL over VALUEs: the packs pay; NULL: always
   steps   a line for each  */
typedef struct tns_packing
{
  int n;
  tns_operand operand[TNS_MOST_OPERANDS];
  tns_expr *when;
  tns_text steps;
} tns_packing;

/* Add A >= B to *COND, which is NULL while nothing is asked.  False when it
   never holds.  */
extern bool tns_ask_more (tns_arena *arena, tns_expr *a, tns_expr *b,
                          tns_expr **cond);

/* BODY, that of PLAN's region before it was planned, with operands packed, in
   a region that has the symbols of LIKE besides; *PACKING says which.  NULL
   where nothing is packed.  Says nothing in CTX.  */
extern tns_region *tns_region_pack (tns_ctx *ctx, const tns_plan *plan,
                                    tns_node *body, const tns_region *like,
                                    tns_packing *packing);

/* PLAN, of the packed region, has lanes along the columns, or copies.  */
extern bool tns_plan_uses_packs (const tns_plan *plan,
                                 const tns_packing *packing);

#endif
