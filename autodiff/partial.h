/* From the adjoint of an expression to the adjoints of what it reads; from the
   tangents of what it reads to its own.

     y = a[i] * sin (b[i])   with an adjoint t of y

       a'[i] += t * sin (b[i])      b'[i] += t * a[i] * cos (b[i])

   A walk from the root down: each operator hands its operands' adjoints on
   (autodiff/adjoint.def), a LOAD of an active array takes what reaches it.
   An adjoint that is used more than once becomes a cell.  Where a choice
   stands in the expression the walk goes on under an IF, so that the arm not
   taken neither computes nor reads anything.

   Source: Griewank and Walther, Evaluating Derivatives, 2nd ed., chapter 3.  */

#ifndef TNS_AUTODIFF_PARTIAL_H
#define TNS_AUTODIFF_PARTIAL_H

#include "base/ctx.h"
#include "ir/nest.h"

/* adjoint  by symbol id: the array that holds SYM's adjoint, NULL where SYM
            has none
   value    EXPR, of the function, as an expression of its gradient at this
            place
   region   gets new cells  */
typedef struct tns_partials
{
  tns_ctx *ctx;
  tns_region *region;
  tns_sym *const *adjoint;
  tns_expr *(*value) (void *self, tns_expr *expr);
  void *self;
} tns_partials;

/* Append to BLOCK what adds to the adjoints of all that EXPR reads, when BAR
   is the adjoint of EXPR; where it is a LOAD, none of what EXPR reads has that
   for its adjoint.  False, with TNS_WHY_DERIVATIVE said, where an
   operator has no derivative that could be written down.  */
extern bool tns_partials_add (const tns_partials *p, tns_node *block,
                              tns_expr *expr, tns_expr *bar);

/* *DOT is the tangent of EXPR, when the arrays of P hold tangents: an
   expression, NULL where it is 0, over cells that are set in BLOCK.

     y[i] = a[i] * sin (b[i])     a'[i] * sin (b[i]) + b'[i] * (a[i] * cos ...)

   Each row of adjoint.def is linear in its t: an operand's tangent in its
   place gives what the operand contributes.  False as above.  */
extern bool tns_partials_tangent (const tns_partials *p, tns_node *block,
                                  tns_expr *expr, tns_expr **dot);

/* Let the statements of BLOCK, which are new, come of ASSIGN, the user's, as a
   whole.  */
extern void tns_partials_settle (tns_node *block, const tns_node *assign);

/* The place of the adjoint, or tangent, of LOAD.  */
extern tns_expr *tns_partials_place (const tns_partials *p,
                                     const tns_expr *load);

/* What ASSIGN gives its target; the term, where its update adds.  */
extern tns_expr *tns_assign_value (tns_arena *arena, const tns_node *assign);

/* The derivative of EXPR's value in its operand K may be other than 0.  */
extern bool tns_expr_depends (const tns_expr *expr, int k);

/* EXPR depends on an array with an adjoint in a way that has a derivative.  */
extern bool tns_expr_varies (tns_expr *expr, tns_sym *const *adjoint);

/* Set FOUND, by symbol id, of the arrays whose elements EXPR has a derivative
   in.  */
extern void tns_expr_mark (tns_expr *expr, bool *found);

#endif
