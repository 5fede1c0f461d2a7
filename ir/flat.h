/* The shape that the accesses of a flat array agree on.  */

#ifndef TNS_IR_FLAT_H
#define TNS_IR_FLAT_H

#include "base/ctx.h"
#include "ir/affine.h"
#include "ir/nest.h"

enum
{
  TNS_MOST_STRIDES = 8
};

/* One access: its subscript as a sum, inside LOOP[0..n_loops), the outermost
   first.  */
typedef struct tns_flat_access
{
  tns_sum sum;
  int n_loops;
  const tns_node **loop;
} tns_flat_access;

/* stride[0..n), the largest first, the last one 1; is_extra[k]: no iterator
   is multiplied by it, an offset is  */
typedef struct tns_shape
{
  int n;
  tns_term stride[TNS_MOST_STRIDES];
  bool is_extra[TNS_MOST_STRIDES];
} tns_shape;

/* The shape of ACCESS[0..n) in *SHAPE; false where they are best left
   flat.  */
extern bool tns_flat_shape (tns_ctx *ctx, const tns_flat_access *access, int n,
                            tns_shape *shape);

/* The subscripts of SUM under SHAPE.  */
extern void tns_flat_subscripts (tns_arena *arena, const tns_shape *shape,
                                 tns_sum sum, tns_sum *subscript);

/* The extent of dimension K >= 1, and whether it divides the stride above
   exactly.  */
extern tns_expr *tns_flat_extent (tns_arena *arena, const tns_shape *shape,
                                  int k, bool *is_exact);

/* EXPR mentions VALUEs only.  */
extern bool tns_is_over_values (tns_expr *expr);

#endif
