/* A region as a program of its own that tells how long it takes.

     static void NAME_alone (params) { #pragma tensor ... loops }
     int main (void) { arrays, numbers in them, warm-up, runs, their median }

   The loops are the user's, not yet planned.  What the region is given are
   macros, GIVEN_x for the VALUE x, that a file in front of the text or the
   command line may define.  */

#ifndef TNS_LOWERING_C99_BENCH_H
#define TNS_LOWERING_C99_BENCH_H

#include "base/ctx.h"
#include "base/text.h"
#include "ir/nest.h"

/* What the elements of an array are for.

   NUMBERS  to compute with
   PLACES   subscripts of other arrays: each is from 0 to below PLACES
   BOUNDS   loops begin or end at them: each is TNS_BENCH_ROW times its
            number  */
typedef enum tns_bench_use
{
  TNS_BENCH_NUMBERS,
  TNS_BENCH_PLACES,
  TNS_BENCH_BOUNDS
} tns_bench_use;

enum
{
  TNS_BENCH_ROW = 16
};

/* lo, hi  elements [lo, hi) are accessed, over the VALUEs of tns_bench.reach;
           NULL where that is not known
   is_lost  some access is at a place that nobody knows  */
typedef struct tns_bench_array
{
  tns_bench_use use;
  tns_expr *lo;
  tns_expr *hi;
  bool is_lost;
} tns_bench_array;

/* region   as the user wrote it; nothing guards it
   reach    the same symbols, and one more VALUE; its guards say for which
            numbers the arrays below reach as far as they do
   places   that one: how many PLACES there are
   array    [region->n_params]
   clauses  of its pragma
   flops, bytes  of a call, F64 over VALUEs; counted: they are no bounds from
            above  */
typedef struct tns_bench
{
  const tns_region *region;
  const tns_region *reach;
  const tns_sym *places;
  tns_bench_array *array;
  const char *clauses;
  tns_expr *flops;
  tns_expr *bytes;
  bool counted;
} tns_bench;

/* Append BENCH to TEXT.  */
extern void tns_c99_bench (tns_ctx *ctx, tns_text *text,
                           const tns_bench *bench);

#endif
