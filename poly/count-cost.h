/* What executing a statement costs.  */

#ifndef TNS_POLY_COUNT_COST_H
#define TNS_POLY_COUNT_COST_H

#include "poly/scop.h"

/* flops    floating operations
   bytes    loaded from and stored to memory that is not LOCAL
   certain  data does not decide whether they are  */
typedef struct tns_cost
{
  long flops;
  long bytes;
  bool certain;
} tns_cost;

/* Each instance in domain costs so much.  */
typedef struct tns_bill
{
  isl_set *domain;
  tns_cost cost;
} tns_bill;

typedef struct tns_bills
{
  int n;
  tns_bill *bill;
} tns_bills;

/* The bills of STMT of SCOP, which add up: for all of its instances, and for
   those of which an affine condition chooses an operand.  A loop inside the
   statement counts for one iteration.  */
extern tns_bills tns_cost_of_stmt (tns_ctx *ctx, tns_scop *scop,
                                   const tns_stmt *stmt);

/* What evaluating EXPR costs, all of it.  */
extern tns_cost tns_cost_of_expr (const tns_expr *expr);

#endif
