/* A live range that becomes private, shared by the scop-private*.c files
   only.  */

#ifndef TNS_POLY_SCOP_PRIVATE_H
#define TNS_POLY_SCOP_PRIVATE_H

#include "poly/scop.h"

/* array      its row
   group      by statement: which live range of the array it belongs to, -1
              when it does not touch it
   id         of this live range
   alone      there is no other one
   first      its first statement
   n_common   loops around all of its accesses
   n_private  coordinates that it shall have  */
typedef struct tns_range
{
  tns_ctx *ctx;
  tns_scop *scop;
  int array;
  const int *group;
  int id;
  bool alone;
  const tns_stmt *first;
  int n_common;
  int n_private;
  bool failed;
} tns_range;

/* Whether statement S belongs to RANGE.  */
static inline bool
tns_range_has (const tns_range *range, int s)
{
  return range->group[s] == range->id;
}

/* Give RANGE a local array of its own, in the statements too; RANGE is then
   about that one.  */
extern void tns_range_make_local (tns_range *range);

/* The access maps of RANGE gain the coordinates of n_private loops.  */
extern void tns_range_add_coordinates (tns_range *range);

/* The statement that copies the cell of RANGE to that of row TO in the
   iteration of time LAST, { [c0, i0', c1, ...] } as in tns_stmt.order, one
   point for some parameter values; its place is not yet known.  */
extern tns_stmt tns_range_copy_out (const tns_range *range, int to,
                                    __isl_take isl_set *last);

/* Insert STMT, made by the above, at the end of its innermost loop.  */
extern void tns_scop_insert_copy_out (tns_ctx *ctx, tns_scop *scop,
                                      tns_stmt stmt);

#endif
