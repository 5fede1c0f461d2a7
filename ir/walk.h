/* Visiting and rebuilding expressions and nodes.  */

#ifndef TNS_IR_WALK_H
#define TNS_IR_WALK_H

#include "ir/nest.h"

/* Called for EXPR before its operands; false stops the descent.  */
typedef bool (*tns_expr_visitor) (tns_expr *expr, void *self);
extern void tns_expr_walk (tns_expr *expr, tns_expr_visitor visit, void *self);

/* Rebuild EXPR bottom-up: the operands first, then
   CHANGE (the rebuilt node, SELF) gives its replacement (or the same).  */
typedef tns_expr *(*tns_expr_changer) (tns_expr *expr, void *self);
extern tns_expr *tns_expr_rebuild (tns_arena *arena, tns_expr *expr,
                                   tns_expr_changer change, void *self);

/* EXPR with each SYM leaf of SYM[k] replaced by BY[k].  */
extern tns_expr *tns_expr_substitute (tns_arena *arena, tns_expr *expr, int n,
                                      tns_sym *const *sym, tns_expr *const *by);

/* EXPR with each read of SYM, a cell, replaced by VALUE.  */
extern tns_expr *tns_expr_with_cell (tns_arena *arena, tns_expr *expr,
                                     const tns_sym *sym, tns_expr *value);

/* NODE is an ASSIGN to a cell, without a mask.  */
extern bool tns_node_sets_cell (const tns_node *node);

/* Called for NODE before its parts; false stops the descent.  */
typedef bool (*tns_node_visitor) (tns_node *node, void *self);
extern void tns_node_walk (tns_node *node, tns_node_visitor visit, void *self);

/* The name of the first ASSIGN in NODE that has one, or NULL.  */
extern const char *tns_node_first_name (const tns_node *node);

/* NODE without blocks of one statement around it.  */
extern tns_node *tns_node_bare (tns_node *node);

/* NODE is or holds a loop.  */
extern bool tns_node_has_loop (tns_node *node);

/* LOOP runs from 0 on up, one by one.  */
extern bool tns_loop_is_plain (const tns_node *loop);

/* By symbol: how many loops of REGION have it for their iterator.  */
extern int *tns_region_loops_of (tns_arena *arena, const tns_region *region);

/* All expressions of NODE itself (not of nodes below): bounds, condition,
   target, value, mask.  */
extern void tns_node_exprs (tns_node *node, tns_expr_visitor visit, void *self);

/* Rebuild NODE bottom-up.  change_node may return NULL (drop it) or a BLOCK
   (spliced into a block around it); change_expr is used on each whole
   expression; either may be NULL.  */
typedef tns_node *(*tns_node_changer) (tns_node *node, void *self);
extern tns_node *tns_node_rebuild (tns_arena *arena, tns_node *node,
                                   tns_node_changer change_node,
                                   tns_expr_changer change_expr, void *self);

/* NODE with iterators and values substituted in all its expressions.  */
extern tns_node *tns_node_substitute (tns_arena *arena, tns_node *node, int n,
                                      tns_sym *const *sym, tns_expr *const *by);

/* Whether EXPR reads memory, it or a part of it; NULL does not.  */
extern bool tns_expr_loads (tns_expr *expr);

/* Whether SYM occurs in EXPR; whether NODE reads or writes SYM.  */
extern bool tns_expr_mentions (tns_expr *expr, const tns_sym *sym);
extern bool tns_node_mentions (tns_node *node, const tns_sym *sym);
extern bool tns_node_writes (tns_node *node, const tns_sym *sym);

/* Whether EXPR reads SYM in any case, and else iterators, VALUEs and constants
   alone.  */
extern bool tns_expr_is_of (tns_expr *expr, const tns_sym *sym);

/* Whether INNER is NODE or stands in it.  */
extern bool tns_node_holds (tns_node *node, const tns_node *inner);

/* Whether a LOCAL in NODE begins the life of SYM; whether a function of math.h
   is called in NODE.  */
extern bool tns_node_declares (tns_node *node, const tns_sym *sym);
extern bool tns_node_calls (tns_node *node);

#endif
