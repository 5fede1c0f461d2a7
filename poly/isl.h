/* isl with a budget: the only place where an isl context is made.

   on_error is CONTINUE for the context's whole life; the number of
   operations is bounded, never the time, so that the same input gives the
   same bytes.  A phase that runs out ends in NULL objects, and
   tns_isl_spent tells that from an error.  */

#ifndef TNS_POLY_ISL_H
#define TNS_POLY_ISL_H

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/flow.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <isl/val.h>

#include "base/ctx.h"

/* A context; freed by the scop that owns it.  */
extern isl_ctx *tns_isl_new (void);

/* Give the next phase OPERATIONS operations (0: the compiler's default, or
   the user's budget).  */
extern void tns_isl_begin (tns_ctx *ctx, isl_ctx *isl);

/* A question inside of a phase that may stay without an answer: OPERATIONS of
   its own, or what the phase has where that is less.  What the phase had, for
   tns_isl_asked, which is true unless the question ran out of them; then the
   phase goes on as if it had not been asked.  */
extern unsigned long tns_isl_ask (isl_ctx *isl, unsigned long operations);
extern bool tns_isl_asked (isl_ctx *isl, unsigned long before);

/* The least (greatest, with MOST) coordinate K of SET; NULL when it has no
   bound.  */
extern __isl_give isl_pw_aff *tns_isl_end (__isl_keep isl_set *set, int k,
                                           bool most);

/* Where what SINK reads comes from under ORDER: what MUST, or MAY (NULL:
   nothing), wrote last.  */
extern __isl_give isl_union_flow *tns_isl_flow (__isl_take isl_union_map *sink,
                                                __isl_take isl_union_map *must,
                                                __isl_take isl_union_map *may,
                                                __isl_take isl_schedule *order);

/* The phase that just ended ran out of its budget (true once; resets the
   error).  */
extern bool tns_isl_spent (isl_ctx *isl);

/* After a phase called NAME returned NULL: refuse with TNS_WHY_BUDGET or
   TNS_WHY_INTERNAL at LOC.  Always NULL.  */
extern void *tns_isl_refuse (tns_ctx *ctx, isl_ctx *isl, tns_loc loc,
                             const char *name);

#endif
