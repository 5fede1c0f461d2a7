/* The schedule tree: an own small tree, seq | dim | leaf.

     for n                           dim n
       S0                              seq
       for c                             leaf S0
         S1            ->                dim c
       for c                               leaf S1
         S2                              dim c
                                           leaf S2

   A DIM orders the statements below it by one value each, a row:

     value (S[i]) = floor ((sum_k coef[k] * i_k + constant) / divisor)

   A SEQ executes its kids one after the other; a LEAF is one statement.
   Trees are plain values in the arena: a step makes a new tree and shares
   what it does not change.  isl's schedule tree is built from it at the end
   (lowering/loops.c).  */

#ifndef TNS_SCHEDULE_TREE_H
#define TNS_SCHEDULE_TREE_H

#include "base/text.h"
#include "poly/deps.h"

#define TNS_MAX_DEPTH 12

typedef struct tns_row
{
  long coef[TNS_MAX_DEPTH];
  long constant;
  long divisor;
} tns_row;

/* What a DIM's iterations may do, found by schedule/check.c.

   FREE       no dependence is carried
   REDUCTION  only freed pairs of updates are
   ORDERED    others  */
typedef enum tns_role
{
  TNS_ROLE_UNKNOWN,
  TNS_ROLE_FREE,
  TNS_ROLE_REDUCTION,
  TNS_ROLE_ORDERED
} tns_role;

typedef enum tns_tree_kind
{
  TNS_TREE_SEQ,
  TNS_TREE_DIM,
  TNS_TREE_LEAF
} tns_tree_kind;

/* SEQ   kid[0..n_kids)
   DIM   name; row[s] of each statement s below; body; marks; role and, when
         it is REDUCTION, the freed classes that it carries; waits: it is
         ORDERED, and not only by a statement's loads of what this stores
         later, which vectors do first; sym: the ITER symbol of the generated
         loop
   LEAF  stmt, a position in scop->stmt  */
typedef struct tns_tree
{
  tns_tree_kind kind;
  int n_kids;
  struct tns_tree **kid;
  const char *name;
  tns_row **row;
  struct tns_tree *body;
  tns_marks marks;
  tns_role role;
  bool waits;
  int n_carried;
  tns_reduction *carried;
  tns_sym *sym;
  int stmt;
} tns_tree;

/* The user's own order of SCOP's statements.  NULL (refused) when a nest is
   deeper than TNS_MAX_DEPTH.  */
extern tns_tree *tns_tree_of_scop (tns_ctx *ctx, const tns_scop *scop);

/* Constructors.  tns_tree_seq splices SEQs among its kids and gives the kid
   itself when there is one.  */
extern tns_tree *tns_tree_seq (tns_arena *arena, int n, tns_tree **kid);
extern tns_tree *tns_tree_dim (tns_arena *arena, const tns_tree *like,
                               tns_tree *body);

/* A copy down to the leaves.  */
extern tns_tree *tns_tree_copy (tns_arena *arena, const tns_tree *tree);

/* Whether STMT stands below TREE; the first statement below TREE; those
   below TREE in their order there, into STMT: how many.  */
extern bool tns_tree_has (const tns_tree *tree, int stmt);
extern int tns_tree_first_stmt (const tns_tree *tree);
extern int tns_tree_stmts (const tns_tree *tree, int *stmt);

/* Give every DIM below TREE, and TREE, that is called NAME another name, so
   that names stay apart on every path: the iterators of two functions may
   have one name.  */
extern void tns_tree_rename (tns_arena *arena, tns_tree *tree,
                             const char *name);

/* The number of DIMs above each leaf, at most.  */
extern int tns_tree_depth (const tns_tree *tree);

/* The DIM called NAME above STMT, or NULL; all DIMs above STMT, outermost
   first, into DIM[0..TNS_MAX_DEPTH): how many.  */
extern tns_tree *tns_tree_find (tns_tree *tree, int stmt, const char *name);
extern int tns_tree_path (tns_tree *tree, int stmt, tns_tree **dim);

/* The value of DIM's row for statement STMT as an isl function on its
   domain's space.  */
extern __isl_give isl_pw_aff *tns_tree_pw_aff (const tns_scop *scop,
                                               const tns_tree *dim, int stmt);

/* The order of each statement, { S[i] -> [c, v, c, v, ...] }, alternating
   places in SEQs and values of DIMs, padded with 0; for poly/legal.h.
   The position of a DIM's value is 2 * (DIMs above it) + 1.  An array in the
   arena; tns_times_free drops what it holds.  */
extern isl_multi_aff **tns_tree_times (const tns_scop *scop,
                                       const tns_tree *tree);
extern void tns_times_free (const tns_scop *scop, isl_multi_aff **time);

/* The same on the domains, as one map.  */
extern __isl_give isl_union_map *tns_tree_order (const tns_scop *scop,
                                                 const tns_tree *tree);

/* The tree as indented text.  */
extern void tns_tree_print (tns_text *text, const tns_scop *scop,
                            const tns_tree *tree);

#endif
