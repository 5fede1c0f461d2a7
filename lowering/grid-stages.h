/* Tiles of contractions that are copied to shared memory by themselves.

     memory -> registers -> shared memory       a thread carries each element
     memory -> shared memory                    the device does, while threads
                                                compute: cp.async, sm_80

   What needs nothing done to it on its way goes like that, 16 bytes at a time:
   elements that lie there as in memory, and are not rounded.  So several steps'
   elements can be under way, each to a stage of its own, as many as there is
   room for beside the other blocks of a processor.  The other operands keep
   their two halves.  */

#ifndef TNS_LOWERING_GRID_STAGES_H
#define TNS_LOWERING_GRID_STAGES_H

#include "lowering/grid-matrix.h"
#include "lowering/grid.h"
#include "schedule/machine.h"

/* Bytes of a copy; shared memory that a kernel has without asking.  */
enum
{
  TNS_COPY_BYTES = 16,
  TNS_STATIC_BYTES = 48 * 1024
};

/* How many elements of a tile without tensor cores, which has LINES of an
   operand, lie in shared memory from one inner value to the next: what is
   stored of neighbouring ones is in different banks.  */
extern int tns_tile_pitch (int lines);

/* The stages of TILE with SHAPE on MACHINE.  */
extern tns_stages tns_tile_stages (const tns_tile *tile,
                                   const tns_tile_shape *shape,
                                   const tns_machine *machine);

/* The same of TILE as MATRIX, its shape number SHAPE.  */
extern tns_stages tns_matrix_stages (const tns_tile *tile,
                                     const tns_matrix *matrix, int shape,
                                     const tns_machine *machine);

/* A BOOL: all lines of what STAGES sends of TILE, which is MATRIX, are aligned
   as the first is: where elements of 16 bits are not, they do not go by
   themselves.  NULL: they are, or nothing can be said.  */
extern tns_expr *tns_stages_suit (tns_arena *arena, const tns_tile *tile,
                                  const tns_matrix *matrix,
                                  const tns_stages *stages);

/* The elements of SYM from one value of subscript K to the next; those by which
   LOAD moves with ITER.  No sum where that cannot be said.  */
extern tns_sum tns_subscript_stride (tns_arena *arena, const tns_sym *sym,
                                     int k);
extern tns_sum tns_load_distance (tns_arena *arena, const tns_expr *load,
                                  const tns_sym *iter);

#endif
