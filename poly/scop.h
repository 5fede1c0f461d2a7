/* What isl knows of a region: instances, accesses, order.

   A statement is a piece of the region's body that is executed as a whole:
   an ASSIGN, or a whole IF or LOOP whose condition or bounds depend on data
   (its accesses are then approximated).  Statement instances are
   S[i0, ..., id-1], one coordinate for each loop around it, the iterators'
   values as in the IR.

   Array elements are A[p0, .., e0, ..]: first n_private coordinates that
   tell apart the copies of a private array, then its subscripts.

     for n { local s; s = 0; for c  s += x[n][c];  y[n] = s; }

     S0[n] -> s[n]    S1[n,c] -> s[n], x[n,c]    S2[n] -> s[n], y[n]

   Parameters of all sets: every VALUE symbol, and every invariant expression
   that is not affine in them (n*m, C/NH), gets one; param[k] is its IR
   expression, I64.  */

#ifndef TNS_POLY_SCOP_H
#define TNS_POLY_SCOP_H

#include <isl/schedule.h>

#include "base/text.h"
#include "ir/nest.h"
#include "poly/isl.h"

/* array   position in scop->array
   map     { S[i] -> A[e] }, a superset of what is accessed
   may     for a write: not every element of map is surely written; for any
           access: map is larger than what is accessed
   by_index  a subscript is not affine
   form, key  of what the user says is apart (poly/scop-key.c), or rows that
           were looked at (poly/scop-rows.c): accesses of one form meet where
           their keys do, if at all; NULL: nothing is said.  The key has no
           private coordinates
   update  of a write and of the read that belongs to it: the operator of
           target = update (target, value); NONE otherwise
   expr    the LOAD (or target) in the IR
   A statement with an update has both a read and a write access of its
   target.  */
typedef struct tns_access
{
  int array;
  isl_map *map;
  bool write;
  bool may;
  bool by_index;
  tns_expr *form;
  isl_map *key;
  tns_op update;
  tns_expr *expr;
} tns_access;

/* name      the isl tuple id's name: node->name, or "S<k>"
   node      the IR executed at each instance
   iter      the ITER symbols around it, outermost first
   loop      the LOOP nodes around it, outermost first
   domain    { S[i] : ... }
   position  textual position inside loop[k - 1], k = 0..n_iters
   order     { S[i] -> [c0, i0', c1, i1', ..., cd, 0..] }: textual position
             and (negated for a negative step) iterator, alternating; all
             statements have the same number of dimensions
   guard     conditions of data-dependent IFs are inside node; nothing else
             guards an instance  */
typedef struct tns_stmt
{
  const char *name;
  tns_node *node;
  int n_iters;
  tns_sym **iter;
  tns_node **loop;
  int *position;
  isl_set *domain;
  isl_map *order;
  int n_accesses;
  tns_access *access;
} tns_stmt;

/* sym        the array; a LOCAL one that is declared twice has two rows
   name       of the isl tuple
   n_private  leading coordinates: the iterators of that many outermost loops
              around each of its accesses
   dead_after nobody sees the contents after the region
   written    by some statement  */
typedef struct tns_array
{
  tns_sym *sym;
  const char *name;
  int n_private;
  bool dead_after;
  bool written;
} tns_array;

/* context    what is known of the parameters: assume clauses, types, and
              what the guards made of it
   stmt       in textual order
   steps      lines of a plan that were taken already: in the region, and
              what became private
   region     a copy of the region, with guards added for what could not be
              proved (subscripts in range, no wrap-around)  */
typedef struct tns_scop
{
  tns_ctx *ctx;
  isl_ctx *isl;
  tns_region *region;
  int n_params;
  tns_expr **param;
  isl_id **param_id;
  isl_set *context;
  int n_stmts;
  tns_stmt *stmt;
  int n_arrays;
  tns_array *array;
  tns_text steps;
} tns_scop;

/* Build the model of REGION (canonical).  NULL with the reason said.
   The result owns its isl objects.  */
extern tns_scop *tns_scop_build (tns_ctx *ctx, tns_region *region);

/* The same, and what is before the region looks through the index arrays that
   say where rows are written.  */
extern tns_scop *tns_scop_build_looking (tns_ctx *ctx, tns_region *region);

/* Scalars and arrays that are declared further out than they need be become
   private: n_private is raised as far as dataflow allows (each read is
   reached only by writes of the same iteration of those loops), access maps
   gain the coordinates.  What is seen after the region gets a statement that
   copies its last value out, right after its last writer in the order.  A
   user's plan has it for those that it names only.  */
extern tns_scop *tns_scop_privatise (tns_ctx *ctx, tns_scop *scop);

extern void tns_scop_free (tns_scop *scop);

/* All domains, all of the original order.  */
extern __isl_give isl_union_set *tns_scop_domain (const tns_scop *scop);
extern __isl_give isl_union_map *tns_scop_order (const tns_scop *scop);

/* The original order of the statements that touch the array of ROW, or of all
   with ROW = -1, as a tree; NULL when there are none.  */
extern __isl_give isl_schedule *tns_scop_tree (const tns_scop *scop, int row);

/* A and B have keys of one form.  */
extern bool tns_access_is_keyed_like (const tns_access *a, const tns_access *b);

/* STMT has an access of the array of ROW.  */
extern bool tns_stmt_touches (const tns_stmt *stmt, int row);

/* The number of outer loops that A and B share.  */
extern int tns_scop_common_loops (const tns_stmt *a, const tns_stmt *b);

/* The statement whose tuple is SET's; -1 when there is none.  */
extern int tns_scop_stmt_of_set (const tns_scop *scop, __isl_keep isl_set *set);

/* An affine function of the parameters as an IR expression (I64), and a
   condition on them as a BOOL one.  NULL when it cannot be written (never
   for sets that isl gives with explicit integer divisions).  */
extern tns_expr *tns_scop_expr_of_pw_aff (const tns_scop *scop,
                                          __isl_keep isl_pw_aff *pw_aff);
extern tns_expr *tns_scop_cond_of_set (const tns_scop *scop,
                                       __isl_keep isl_set *params);

/* The least (greatest, with MOST) coordinate K in SET, where that has any
   element; NULL when it has no bound or one of more than PIECES pieces.  */
extern tns_expr *tns_scop_bound (const tns_scop *scop, __isl_keep isl_set *set,
                                 int k, bool most, int pieces);

/* SCOP as text for dumps.  */
extern void tns_scop_print (FILE *out, const tns_scop *scop);

#endif
