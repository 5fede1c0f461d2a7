/* Where in a region something is evaluated, and what is known there.

     for i = 0 to n {               inside the loop over i
       k = i32(x[i]);               among statements: the second of three
       if (k > m)
         k = m;
       y[i] = k >= 0 ? z[k] : 0;    when k >= 0
     }

   A place is the way there, from the inside out.  */

#ifndef TNS_IR_PLACE_H
#define TNS_IR_PLACE_H

#include "ir/nest.h"

typedef enum tns_place_kind
{
  TNS_AMONG,
  TNS_WHEN,
  TNS_INSIDE
} tns_place_kind;

/* AMONG   behind kid[0..at) of NODE, a BLOCK
   WHEN    where COND is true, or with NEGATED false
   INSIDE  in the body of NODE, a LOOP
   outer   the place where NODE stands or COND is evaluated; NULL: the region
 */
typedef struct tns_place
{
  tns_place_kind kind;
  tns_node *node;
  int at;
  tns_expr *cond;
  bool negated;
  const struct tns_place *outer;
} tns_place;

/* EXPR + PLUS OP OTHER, OTHER evaluated at PLACE; floating numbers have no
   PLUS.  */
typedef struct tns_fact
{
  tns_op op;
  long long plus;
  tns_expr *other;
  const tns_place *place;
} tns_fact;

/* Called for each place in BODY where what is equal to EXPR, a LOAD or a
   target, is accessed.  */
typedef void (*tns_place_visitor) (const tns_place *place, void *self);
extern void tns_places_of (tns_arena *arena, tns_node *body,
                           const tns_expr *expr, tns_place_visitor visit,
                           void *self);

/* Called for each comparison that is known to hold at PLACE of the value that
   EXPR, a scalar, has there; it reads no array but LOCAL cells.  A comparison
   of floating numbers may also be false because of a NaN.  */
typedef void (*tns_fact_visitor) (const tns_fact *fact, void *self);
extern void tns_facts_at (tns_arena *arena, const tns_place *place,
                          tns_expr *expr, tns_fact_visitor visit, void *self);

/* The statement that PLACE's value of CELL comes from, at *WHERE, AMONG others;
   NULL where it may be one of an iteration before, or there is none.  */
extern tns_node *tns_writer_before (tns_arena *arena, const tns_place *place,
                                    const tns_sym *cell,
                                    const tns_place **where);

/* The place behind all of BLOCK, a branch at PLACE or NULL, where COND,
   NEGATED, holds.  */
extern const tns_place *tns_place_behind (tns_arena *arena,
                                          const tns_place *place,
                                          tns_expr *cond, bool negated,
                                          tns_node *block);

/* PLACE, where COND, NEGATED, holds too.  */
extern const tns_place *tns_place_when (tns_arena *arena,
                                        const tns_place *place, tns_expr *cond,
                                        bool negated);

#endif
