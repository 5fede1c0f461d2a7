/* The shape that the accesses of a flat array agree on.  */

#ifndef TNS_IR_FLAT_H
#define TNS_IR_FLAT_H

#include "base/ctx.h"
#include "ir/affine.h"
#include "ir/nest.h"

enum
{
  TNS_MOST_STRIDES = 8,
  TNS_MOST_SIZES = 4,
  TNS_MOST_KNOWN = 16
};

/* One access: its subscript as a sum, inside LOOP[0..n_loops), the outermost
   first; KNOWN[0..n_known), sums of iterators and VALUEs, are not negative
   there.  What its subscript loads IS_PLAIN: nobody writes it, and what of it
   is loaded does not depend on data.  */
typedef struct tns_flat_access
{
  tns_sum sum;
  int n_loops;
  const tns_node **loop;
  int n_known;
  tns_sum *known;
  bool is_plain;
} tns_flat_access;

/* An atom VALUE that sums are to speak of as BY: another atom, the size of a
   dimension, and a constant.  */
typedef struct tns_size
{
  tns_expr *value;
  tns_sum by;
} tns_size;

/* stride[0..n), the largest first, the last one 1; is_extra[k]: no iterator
   is multiplied by it, an offset is
   size[0..n_sizes)  sizes that are sums, in the order in which they are
           put in
   is_down  a constant beside iterators goes to the multiple of a stride
           below it, not to the nearest one
   may_begin  subscripts may begin at another number than 0; first[0..n): where
           they do, 0 where that is enough  */
typedef struct tns_shape
{
  bool is_down;
  bool may_begin;
  long long first[TNS_MOST_STRIDES];
  int n_sizes;
  tns_size size[TNS_MOST_SIZES];
  int n;
  tns_term stride[TNS_MOST_STRIDES];
  bool is_extra[TNS_MOST_STRIDES];
} tns_shape;

/* The accesses of SYM in REGION, *N of them; NULL where it may not be given a
   shape, or has none that could be (ir/flat-gather.c).  Only arrays of rank 1
   without strides of their own may.  */
extern const tns_flat_access *tns_flat_gather (tns_arena *arena,
                                               const tns_region *region,
                                               const tns_sym *sym, int *n);

/* What is not negative where COND, or, NEGATED, its contrary, holds, behind
   KNOWN[0..N); how many there are then (ir/flat-known.c).  */
extern int tns_flat_known (tns_arena *arena, const tns_expr *cond, bool negated,
                           tns_sum *known, int n);

/* SUM, of ACCESS, has an atom that chooses between two numbers: VALUE[0..2) is
   SUM with either, WHERE[0..2) ACCESS where it is that one
   (ir/flat-choice.c).  */
extern bool tns_flat_choice (tns_arena *arena, const tns_flat_access *access,
                             tns_sum sum, tns_sum *value,
                             tns_flat_access *where);

/* SUM has an atom that is neither an iterator nor over VALUEs.  */
extern bool tns_flat_has_load (tns_sum sum);

/* The shape of ACCESS[0..n) in *SHAPE, MAY_BEGIN as there; false where they
   are best left flat.  */
extern bool tns_flat_shape (tns_ctx *ctx, const tns_flat_access *access, int n,
                            bool may_begin, tns_shape *shape);

/* SUM in SHAPE's sizes (ir/flat-size.c); the sizes of ACCESS[0..n).  */
extern tns_sum tns_flat_sum (tns_arena *arena, const tns_shape *shape,
                             tns_sum sum);
extern void tns_flat_sizes (tns_arena *arena, const tns_flat_access *access,
                            int n, tns_shape *shape);

/* The subscripts of SUM under SHAPE.  */
extern void tns_flat_subscripts (tns_arena *arena, const tns_shape *shape,
                                 tns_sum sum, tns_sum *subscript);

/* The extent of dimension K >= 1, and whether it divides the stride above
   exactly.  */
extern tns_expr *tns_flat_extent (tns_arena *arena, const tns_shape *shape,
                                  int k, bool *is_exact);

/* What TERM multiplies its varying atoms by, without sign; whether there
   are such atoms in *VARIES.  */
extern tns_term tns_flat_product (tns_arena *arena, const tns_term *term,
                                  bool *varies);

/* EXPR mentions VALUEs only.  */
extern bool tns_is_over_values (tns_expr *expr);

#endif
