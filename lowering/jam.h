/* Copies of a statement list side by side.

     local f32 s; s = 0;               local f32 s0; local f32 s1;
     for k s += A[i][k];        ->     s0 = 0; s1 = 0;
     y[i] = s;                         for k { s0 += A[i][k];
                                               s1 += A[i+1][k]; }
     i = i, i + 1                      y[i] = s0; y[i+1] = s1;

   Statements are copied one by one, loops and conditions that are the same
   in all copies are shared, LOCALs get a name for each copy.  */

#ifndef TNS_LOWERING_JAM_H
#define TNS_LOWERING_JAM_H

#include "base/ctx.h"
#include "ir/nest.h"

/* arena, region  new symbols are added to REGION
   iter           stands for at[c] in copy c of n
   from, to       symbols that have another name in each copy: from[k] is
                  to[k * n + c]; LOCALs met are added  */
typedef struct tns_jam
{
  tns_arena *arena;
  tns_region *region;
  tns_sym *iter;
  int n;
  tns_expr **at;
  int n_names;
  tns_sym **from;
  tns_sym **to;
} tns_jam;

/* N copies, copy c with iter + c * STEP for ITER.  */
extern tns_jam tns_jam_along (tns_arena *arena, tns_region *region,
                              tns_sym *iter, int n, long long step);

/* From now on SYM is TO[c] in copy c.  */
extern void tns_jam_rename (tns_jam *jam, tns_sym *sym, tns_sym *const *to);

/* The copies of BODY, a BLOCK, jammed: requires that iterations of ITER may
   be interleaved statement by statement.  */
extern tns_node *tns_jam_body (tns_jam *jam, tns_node *body);

/* The copies of BODY one after the other, always right.  */
extern tns_node *tns_jam_sequence (tns_jam *jam, tns_node *body);

/* NODE in copy COPY alone.  */
extern tns_node *tns_jam_copy (tns_jam *jam, tns_node *node, int copy);

/* Give each copy a name of its own for what LOCAL, a node, declares; the
   declarations at the end of OUT.  */
extern void tns_jam_locals (tns_jam *jam, const tns_node *local, tns_node *out);

/* NODE changes what EXPR reads.  */
extern bool tns_node_changes (tns_node *node, tns_expr *expr);

#endif
