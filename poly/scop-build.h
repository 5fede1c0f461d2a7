/* The inside of tns_scop_build, shared by the scop-*.c files only.

   The walk over the region carries the loops around the current node and
   the set of their iterations:

     domain   { [i0, .., in-1] : ... }

   In a statement that is approximated as a whole the loops inside it are
   carried too: iterators [0, n_exact) are the statement's, the rest are
   projected out of its accesses, and the domain is a superset.  */

#ifndef TNS_POLY_SCOP_BUILD_H
#define TNS_POLY_SCOP_BUILD_H

#include "poly/scop.h"

/* Where a LOCAL array begins its life.  */
enum
{
  TNS_BORN_OUTSIDE = -1,
  TNS_BORN_INSIDE_STATEMENT = -2
};

/* Kept in a builder: the last TNS_MOST_BUILT.  */
#define TNS_MOST_BUILT 32

/* VALUE stands for EXPR over DOMAIN, as tns_build_modular says.  Both of isl's
   are its own.  */
typedef struct tns_built
{
  const tns_expr *expr;
  isl_set *domain;
  isl_pw_aff *value;
} tns_built;

/* key       key[k]: what parameter k was made for, in normal form
   ranges    what the types of the parameters say of them; used in proofs
             only, so that sets stay small
   position  textual counters: position[k] inside iter[k - 1]
   born      by symbol: number of loops around its LOCAL node, or one of the
             above
   life      by symbol: 1 + its position in scop->array since its last LOCAL
             node, 0 when it is not there
   writers   by symbol: number of ASSIGNs
   known_*   LOCAL integer cells whose value is a known expression here
   built     what tns_build_modular gave last; n_built: of all there were
   looks     index arrays may be looked through before the region
   is_absurd what the user assumes never holds
   failed    isl gave an error  */
typedef struct tns_builder
{
  tns_ctx *ctx;
  tns_arena *arena;
  isl_ctx *isl;
  tns_scop *scop;
  tns_expr **key;
  isl_set *ranges;

  int n_iters;
  int n_exact;
  tns_sym **iter;
  tns_node **loop;
  int *position;
  isl_set *domain;

  int *born;
  int *life;
  int *writers;
  int n_known;
  tns_sym **known_sym;
  tns_expr **known_value;
  int n_built;
  tns_built built[TNS_MOST_BUILT];
  bool looks;
  bool is_absurd;
  bool failed;
} tns_builder;

/* A model of a copy of REGION without statements, and *B, a builder for it
   outside of all loops; NULL with the reason said.  */
extern tns_scop *tns_build_begin (tns_ctx *ctx, tns_region *region,
                                  tns_builder *b);

/* A builder for SCOP, which is built, outside of all loops; and its end.  */
extern tns_builder tns_build_resume (tns_ctx *ctx, tns_scop *scop);
extern void tns_build_end (tns_builder *b);

/* The value of EXPR that was kept last for the current domain, or NULL; keep
   VALUE, which stays the caller's; end of all that are kept
   (poly/scop-built.c).  */
extern __isl_give isl_pw_aff *tns_built_find (const tns_builder *b,
                                              const tns_expr *expr);
extern void tns_built_keep (tns_builder *b, const tns_expr *expr,
                            __isl_keep isl_pw_aff *value);
extern void tns_built_free (tns_builder *b);

/* EXPR over the current domain; NULL when it is not affine (or isl failed).
   What it takes to make wrap-around impossible becomes a guard.  */
extern __isl_give isl_pw_aff *tns_build_affine (tns_builder *b, tns_expr *expr);

/* The same for a resolved EXPR; what stands for an unsigned one is right
   modulo 2^width only (MODULAR) or itself (EXACT).  */
extern __isl_give isl_pw_aff *tns_build_modular (tns_builder *b,
                                                 tns_expr *expr);
extern __isl_give isl_pw_aff *tns_build_exact (tns_builder *b, tns_expr *expr);

/* The same for a resolved EXPR that is compared; in pieces where it is, or is
   made of, an unsigned number of 32 bits that may have wrapped around:

     (unsigned) (i - k)     i - k : i >= k;  i - k + 2^32 : i < k  */
extern __isl_give isl_pw_aff *tns_build_wrapped (tns_builder *b,
                                                 tns_expr *expr);

/* EXPR, an unsigned one of 32 or 64 bits, as a signed number; and whether it
   needs no guard to be what stands for it.  */
extern __isl_give isl_pw_aff *tns_build_signed (tns_builder *b, tns_expr *expr);
extern bool tns_build_is_proved (tns_builder *b, tns_expr *expr);

/* Where a resolved COND holds (does not, with NEGATE), not restricted to the
   domain; NULL when it is not affine.  */
extern __isl_give isl_set *tns_build_holds (tns_builder *b, tns_expr *cond,
                                            bool negate);

/* The part of the current domain where COND holds (does not hold, with
   NEGATE); NULL when it is not affine.  */
extern __isl_give isl_set *tns_build_cond (tns_builder *b, tns_expr *cond,
                                           bool negate);

/* A part of the domain with all of where COND does, or, with NEGATE, does not
   hold: in i < n && x[i] > 0 what is known, i < n.  NULL where nothing is.  */
extern __isl_give isl_set *tns_build_within (tns_builder *b, tns_expr *cond,
                                             bool negate);

/* EXPR with known cells replaced by their values.  */
extern tns_expr *tns_build_resolve (tns_builder *b, tns_expr *expr);

/* The same, where values may be what is read of arrays that nothing
   writes, too.  */
extern tns_expr *tns_build_resolve_loads (tns_builder *b, tns_expr *expr);

/* The form and the key of ACCESS, of STMT, where the user says that what index
   arrays name is apart (poly/scop-key.c).  */
extern void tns_build_key (tns_builder *b, const tns_stmt *stmt,
                           tns_access *access);

/* The form and the key of ACCESS, of STMT, in a row whose bounds are in memory
   (poly/scop-rows.c); B is inside of its loops.  */
extern void tns_build_row_key (tns_builder *b, const tns_stmt *stmt,
                               tns_access *access);

/* ACCESS has a key that tells of its row.  */
extern bool tns_access_has_row (const tns_scop *scop, const tns_access *access);

/* Look at what says that rows are apart where something is written by rows;
   keys go where that is not looked at.  The scop has all statements.  */
extern void tns_build_rows (tns_builder *b);

/* EXPR reads nothing that the region writes.  */
extern bool tns_build_is_still (tns_expr *expr);

/* The same, and what the user says of some array of the region is in keys: a
   cell that holds EXPR may stand for it in a form.  */
extern bool tns_build_is_place (const tns_builder *b, tns_expr *expr);

/* EXPR has the same value everywhere in the region.  */
extern bool tns_build_invariant (tns_expr *expr);

/* The parameter that stands for EXPR, an invariant integer or BOOL, over
   the current domain.  */
extern __isl_give isl_pw_aff *tns_build_parameter (tns_builder *b,
                                                   tns_expr *expr);

/* Rule out the parameter values of BAD by a guard; LIVE are those that
   matter.  False when that cannot be, or would leave nothing of LIVE.  */
extern bool tns_build_exclude (tns_builder *b, __isl_take isl_set *bad,
                               __isl_take isl_set *live);

/* Guard that the values of 64 bits in a resolved EXPR are so near to 0 that
   bounds may be made of them, where a loop's iterators are compared with it
   (poly/scop-near.c).  Values that a loop ends at are.  */
extern void tns_build_near (tns_builder *b, tns_expr *expr);

/* EXPR has an iterator of a loop that begins farther from 0 than that: nothing
   may be compared with it.  */
extern bool tns_build_is_far (const tns_builder *b, tns_expr *expr);

/* Append the accesses of NODE, a part of STMT's node, to STMT; with
   APPROXIMATE it may not be executed, or in another way.  */
extern void tns_build_accesses (tns_builder *b, tns_stmt *stmt, tns_node *node,
                                bool approximate);

/* The cells that both branches of STMT's IF write are not only perhaps
   written.  */
extern void tns_build_sure_writes (tns_builder *b, tns_stmt *stmt);

/* Append the statements of NODE at the current place.  */
extern void tns_build_statements (tns_builder *b, tns_node *node);

/* Enter LOOP: the current domain gains an iterator.  False (and nothing is
   entered) when its bounds are not affine, unless ANYHOW: then the iterator
   is without bounds.  */
extern bool tns_build_enter_loop (tns_builder *b, tns_node *loop, bool anyhow);

/* Leave the innermost loop; the domain is again OUTER.  */
extern void tns_build_leave_loop (tns_builder *b, __isl_take isl_set *outer);

/* Note that NODE, an ASSIGN, makes a cell known.  */
extern void tns_build_note_known (tns_builder *b, tns_node *node);

/* Prove or guard that the subscripts of written arrays lie in their extents;
   where neither is possible the array becomes one cell
   (poly/scop-extents.c).  */
extern void tns_build_extents (tns_builder *b);

/* Give every statement its order, from its positions.  */
extern void tns_scop_make_orders (tns_scop *scop);

/* Free the isl objects of STMT.  */
extern void tns_scop_free_stmt (tns_stmt *stmt);

/* A list with room for one more at [n], lists growing by doubling.  */
extern void *tns_build_room (tns_arena *arena, void *list, int n,
                             size_t element);

#endif
