/* Which rows of a parameter a function touches: its first subscripts.

     for i = 1 to n  if (i > 2)  y[i] = x[i - 3]     x: 0 to n - 3, when n > 3

   Copies have these rows and no others: what lies outside may be nothing of
   the caller's.  Source: the access relations of poly/scop.h, else the hulls
   of autodiff/hull.h, which know no conditions:

     for i < n  for j <= i  x[i - j]                 1 - n to n, loose

   Where rows are loose, autodiff/touch.h takes single elements.  */

#ifndef TNS_AUTODIFF_ROWS_H
#define TNS_AUTODIFF_ROWS_H

#include "autodiff/flow.h"

/* The rows from LO to before HI, where WHEN holds; NULL: always, and none
   where HI is not above LO.  A copy has row BASE, which is not above LO, for
   its first.
   from, to  by further subscript: what is touched of rows that may be short;
          NULL: all of them
   sure   the first and the last row are touched, if there are any, and of rows
          that may be short the first one from its first, the last one up to
          its last subscripts
   dense  all of them are  */
typedef struct tns_rows
{
  tns_expr *base;
  tns_expr *lo;
  tns_expr *hi;
  tns_expr *when;
  tns_expr **from;
  tns_expr **to;
  bool sure;
  bool dense;
} tns_rows;

/* Of SYM, a parameter with subscripts; over VALUEs.  What is read of one that
   is ABSENT was written, perhaps elsewhere.  False where that cannot be written
   down.  */
extern bool tns_rows_of (tns_ctx *ctx, const tns_flow *flow, const tns_sym *sym,
                         bool absent, tns_rows *rows);

/* The same by access relations alone: what an arm of a choice reads is there
   wherever its condition on iterators lets it be read, as with an IF, though
   other conditions may leave it out: copies of what is done in parts have no
   rows that are loose.  False where there are no relations.  */
extern bool tns_rows_related (const tns_flow *flow, const tns_sym *sym,
                              tns_rows *rows);

/* How many rows COUNT elements from LOAD on are in, which a call is handed;
   NULL where that is not known.  */
extern tns_expr *tns_rows_handed (tns_arena *arena, const tns_expr *load,
                                  tns_expr *count);

/* How many rows a copy of ROWS has.  */
extern tns_expr *tns_rows_count (tns_ctx *ctx, const tns_rows *rows);

/* A - B, simplified.  */
extern tns_expr *tns_difference (tns_ctx *ctx, tns_expr *a, tns_expr *b);

#endif
