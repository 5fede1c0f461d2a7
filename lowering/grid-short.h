/* Short rows: several of them share a block of a device.

     for i parallel              a block of 128 threads takes 16 rows at a time,
       for j = 0 to 32  ..       8 threads each, of which each has four
                                 neighbours

   so that blocks are full where a row has work for a part of a warp alone.  A
   row's threads add up by shuffles among them, and wait for each other alone.
   For rows of up to TNS_MOST_SHORT elements, as constants or assume say; where
   nothing is said of rows that are kept in registers, a kernel for such ones is
   there beside the other.  */

#ifndef TNS_LOWERING_GRID_SHORT_H
#define TNS_LOWERING_GRID_SHORT_H

#include "base/ctx.h"
#include "lowering/grid-row.h"

enum
{
  TNS_SHORT_THREADS = 128,
  TNS_MOST_SHORT = 256
};

/* lanes   threads of a row, a power of two up to 32
   groups  of neighbours that each has in registers; 0: rows are not kept
           there
   usual   it is not known that the rows have room in these  */
typedef struct tns_short
{
  int lanes;
  int groups;
  bool usual;
} tns_short;

/* How rows of LOOP[0..N), whose iterations blocks do, share one; ROW: what is
   kept in registers, NULL: nothing; ANY: those of which nothing is said, too.
   False where they are long, or how long is not known, and where they need more
   than registers of their own.  */
extern bool tns_short_find (tns_ctx *ctx, const tns_region *region, int n,
                            tns_node *const *loop, const tns_grid_row *row,
                            bool any, tns_short *found);

#endif
