/* The parts of TRM_GRADCHECK share this.

     gradcheck.c       which gradients, which calls, what is told
     gradcheck-rows.c  the rows of a call, copied; f and its derivatives on
                       them
     gradcheck-round.c what rounding does to both
     gradcheck-fine.c  differences along one direction, extrapolated
     gradcheck-look.c  which directions; the worst element of an array
     gradcheck-dots.c  the same of tangents: what an output gains
     gradcheck-try.c   calls on random numbers

   A gradient may be a tangent.  Its adjoints are tangents: those of wrt come
   in, those of of go out.  */

#ifndef TRM_GRADCHECK_H
#define TRM_GRADCHECK_H

#include "element.h"
#include "runtime.h"

/* A row of a gradient, as its text says (abi.h).

   value, absent, given, of, wrt, clear  its letters
   comes, goes  of an adjoint: it comes in, it goes out
   about  of an adjoint: the row of its value; else -1  */
typedef struct trm_row
{
  bool value;
  bool absent;
  bool given;
  bool of;
  bool wrt;
  bool clear;
  bool comes;
  bool goes;
  const trm_element_type *type;
  int about;
  const char *name;
} trm_row;

/* What the runtime keeps of a gradient: whether it is a tangent; its rows; the
   unit in the last place
   that f rounds to where it runs in double; calls so far, and of these checked
   ones, those that differ, and those that could not be checked.  */
typedef struct trm_gradient_own
{
  char *text;
  const char *name;
  const char *file;
  int line;
  const char *function;
  bool forward;
  double unit;
  int n;
  trm_row *row;
  int64_t calls;
  int64_t checked;
  int64_t differ;
  int64_t unchecked;
} trm_gradient_own;

/* The memory of a row in one call.

   lo, n     elements lo to lo + n of the array are there
   span      its shape, for names of elements; stride[0..rank)
   user      element 0 of the caller's, NULL: absent
   entry     [n], of the row's type: what it held at the entry; 0 of what is
             cleared
   wide      [n]: the same as double; NULL: no floating numbers
   work      where f and its derivatives run: double, or of the type
   own       where the gradient runs again: of the type
   gained    (an adjoint that goes out) [n]: what the caller's gained, or is
   rounding  (the same) [n]: how far rounding alone may have moved that
   unset     (of a tangent that goes out) [n]: it is not set
   weight    (of an output's adjoint) [n]: of f's output in the sum that is
             differentiated: an adjoint that comes in
   blur      (the same) [n]: how far rounding was seen to move f's output
   before    (the same) [n]: what the output was when it was kept  */
typedef struct trm_area
{
  int64_t lo;
  int64_t n;
  trm_span span;
  int64_t stride[TRM_MAX_RANK];
  void *user;
  void *entry;
  double *wide;
  void *work;
  void *own;
  double *gained;
  double *rounding;
  bool *unset;
  double *weight;
  double *blur;
  double *before;
} trm_area;

/* How much more than was seen rounding may do.  */
#define TRM_MARGIN 8

/* A call that is checked.  why: it cannot be, NULL: it can  */
typedef struct trm_case
{
  trm_gradient *gradient;
  const trm_gradient_own *own;
  int64_t call;
  trm_area *memory;
  void **at;
  const char *why;
} trm_case;

/* The newest gradient; the others follow by next.  GRADIENT cannot be checked
   for WHY: count and tell that.  */
extern trm_gradient *trm_gradient_list (void);
extern void trm_gradient_decline (trm_gradient *gradient, const char *why);

/* Copy the rows AT of a call of GRADIENT; NULL when there is no memory.  */
extern trm_case *trm_case_new (trm_gradient *gradient, void *const *at);
extern void trm_case_free (trm_case *c);

/* The gradient has run: fetch what it gave, find how far rounding may have
   moved that.  */
extern void trm_case_finish (trm_case *c);

/* The unit in the last place of 1 of TYPE, as double has it at least.  */
extern double trm_unit (const trm_element_type *type);

/* The number at index E of BASE, of ROW's type.  */
extern double trm_row_number (const trm_row *row, const void *base, int64_t e);

/* Set the number at ADDRESS, of a floating TYPE, to X.  */
extern void trm_set_number (const trm_element_type *type, void *address,
                            double x);

/* All rows as they were at the entry, where f runs.  */
extern void trm_case_reset (trm_case *c);

/* Keep what f left in its outputs.  */
extern void trm_case_keep (trm_case *c);

/* Element E of row K (from its lo on) is one of the array.  */
extern bool trm_case_has (const trm_case *c, int k, int64_t e);

/* A direction: elements FROM to TO of row K move by v[from..to) per unit; K
   less than 0: all that a tangent moves by what came in.  */
typedef struct trm_direction
{
  int k;
  int64_t from;
  int64_t to;
  const double *v;
} trm_direction;

/* The sum of f's outputs, weighed by the adjoints that come in, at T along D
   less the same at S along D; rounding may move it by *NOISE: what it may do to
   the outputs that change, or, where none does or f rounds to less than double,
   to all.  A NaN where it is not a number.  */
extern double trm_case_difference (trm_case *c, const trm_direction *d,
                                   double t, double s, double *noise);

/* The same derivative by f's tangent.  */
extern double trm_case_tangent (trm_case *c, const trm_direction *d);

/* A derivative and a bound of its error, which is infinite where there is none.
 */
typedef struct trm_estimate
{
  double value;
  double error;
} trm_estimate;

/* The derivative of C along D by central differences, extrapolated; EXPECTED
   is what it should be, for the stopping rule only: within ROUNDING of it is
   good enough.  */
extern trm_estimate trm_differentiate (trm_case *c, const trm_direction *d,
                                       double expected, double rounding);

/* There is a corner at C along D: *LEFT and *RIGHT are the derivatives on both
   sides.  */
extern bool trm_has_corner (trm_case *c, const trm_direction *d, double *left,
                            double *right);

/* What was found of one array.

   looked   elements that were looked at, of all of them
   differ   that differ
   corners  where f has a corner; the first of them and what is beside it
   worst    the element with the largest share of its bound, -1: none
   value    there: the gradient, and by differences; rounding as above  */
typedef struct trm_look
{
  int64_t looked;
  int64_t all;
  int64_t differ;
  int64_t corners;
  int64_t corner;
  double left;
  double right;
  int64_t worst;
  double share;
  double gradient;
  trm_estimate fine;
  double rounding;
} trm_look;

/* The tangent of row A, which goes out, looked at as trm_look_at does.  */
extern trm_look trm_dots_look (trm_case *c, int a, bool at_all);

/* The sum of all tangents that go out, each weighed by 1 or -1, the same by
   f's gradient, and how far rounding may take them apart.  */
extern void trm_dots_sum (trm_case *c, double *tangent, double *gradient,
                          double *bound);

/* Look at the adjoint of row A.  */
extern trm_look trm_look_at (trm_case *c, int a, bool at_all);

/* The sum over all adjoints that go out of gradient times direction, the same
   by the tangent, and how far rounding may take them apart.  */
extern void trm_look_dot (trm_case *c, double *gradient, double *tangent,
                          double *bound);

#endif
