/* Contractions for the tensor cores of a device: sums, in F32, of products of
   a row operand and a column operand, where precision (...) lets factors be
   rounded.

     s += f (A[i][k]) * g (B[k][j]);

   f and g are of one operand each, and of what does not change.  */

#ifndef TNS_LOWERING_GRID_MATRIX_H
#define TNS_LOWERING_GRID_MATRIX_H

#include "base/wish.h"
#include "ir/affine.h"
#include "lowering/grid-tile.h"

/* value   of F32: the factor that operand O of a tile is in
   plain   that is the operand
   raw     it is, or has the bits of, an element of 16 bits that is of the type
           already
   along   it lies in shared memory as in memory: neighbours differ in the inner
           iterator; else in that of the operand's role
   dense   neighbours there are neighbours in memory, as far as the loop goes,
           which is the only one of the inner ones, or of the role
   steady  dense, and memory is gone through in equal steps by the only inner
           loop and the only one of the role  */
typedef struct tns_factor
{
  tns_expr *value;
  bool plain;
  bool raw;
  bool along;
  bool dense;
  bool steady;
} tns_factor;

/* factor  by operand  */
typedef struct tns_matrix
{
  tns_precision precision;
  tns_factor factor[2];
} tns_matrix;

/* Shared memory holds a tile's lines, or across it rows of one inner value
   each, in chunks of 16 bytes.  Chunk C of row R is in place C ^ (R / DIVISOR %
   MODULUS * FACTOR) of the row: then what is read at once of eight rows, and
   what threads store, is in different banks.  */
typedef struct tns_swizzle
{
  int divisor;
  int modulus;
  int factor;
} tns_swizzle;

/* TILE as a product of matrices rounded to PRECISION.  False where it is
   none, or PRECISION is OWN.  */
extern bool tns_matrix_find (tns_arena *arena, const tns_tile *tile,
                             tns_precision precision, tns_matrix *matrix);

/* The shapes of MATRIX's tiles, the larger one first: a warp has 8 thread_rows
   rows and 4 thread_columns columns, and a thread takes two fours or more of
   each operand at a time.  The same tiles by as many threads without tensor
   cores.  */
extern const tns_tile_shape *tns_matrix_shapes (const tns_matrix *matrix);
extern const tns_tile_shape *tns_matrix_plain_shapes (const tns_matrix *matrix);

/* How many elements of PRECISION a chunk has: half of what one instruction
   takes of the inner values.  */
extern int tns_matrix_chunk (tns_precision precision);

/* What SUBSCRIPT grows by with ITER; no sum where that cannot be said.  */
extern tns_sum tns_subscript_step (tns_arena *arena, tns_expr *subscript,
                                   const tns_sym *iter);

/* How rows of shared memory are swizzled.  */
extern tns_swizzle tns_matrix_swizzle (tns_precision precision, bool along);

#endif
