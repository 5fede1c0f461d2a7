/* The gradient or tangent of a function: region in, region out.

     y[i] = sin (x[i])   of (y: dy) wrt (x: dx)

     region f_gradient: x, dy, dx
       for i  dx[i] += dy[i] * cos (x[i])

   Parameters of the function hold what they held at its entry and are left
   so.  The adjoint of an array has its shape.  Adjoints of parameters:

     of        read; where the pass would change it, a copy is used
     wrt       added to; where the function writes the array, a zeroed copy is
               used and added at the end
     wrt, clear  set in all rows that the function touches, those that it does
               not read between the others, to 0
     of, wrt   comes in as that of the last value, leaves as that of the first
     neither   a zeroed temporary, where one is needed at all

   With the primal the gradient, or tangent, also does all that the function
   does: its forward part is the whole function, and parameters are left as the
   function leaves them.

   The tangent, forward mode, is made of the same words.  Tangents of
   parameters:

     wrt       read
     of        set where the function writes the array
     of, wrt   comes in as that of the first value, leaves as that of the last
     neither   0 at the entry; a temporary, where one is needed at all

   A parameter that is absent is a temporary of the gradient; reading what it
   held at the entry is an error.  One that is given holds what the function
   left in it.  Source: the shared design of the project, and the rules in the
   manual, chapter Gradients.  */

#ifndef TNS_AUTODIFF_GRADIENT_H
#define TNS_AUTODIFF_GRADIENT_H

#include "base/ctx.h"
#include "ir/nest.h"

/* An array or cell of the function, and the name of its adjoint.
   clear       what its adjoint, which goes out only, held does not matter
   restricted  its pointer is restrict-qualified
   row         elements between the tangents of two directions, NULL: as many
               as there are
   end         (out) how many there are of the first subscript, where the
               array does not say
   adjoint     (out) the parameter made for it; NULL: none was needed  */
typedef struct tns_seed
{
  const tns_sym *sym;
  const char *name;
  tns_loc loc;
  bool of;
  bool wrt;
  bool clear;
  bool restricted;
  tns_expr *row;
  tns_expr *end;
  tns_sym *adjoint;
} tns_seed;

/* What the gradient may keep of a time loop (autodiff/checkpoint.h).
   kept     states, 0: not asked
   bytes    of states and tapes together, 0: not asked
   limited  they are a parameter of the gradient
   loc      where they are bounded
   has_loop (out) there is such a loop
   limit    (out) limited: the parameter
   least    (out) a cell among the gradient's parameters: set to the least bytes
            that can do where the bytes cannot, and but for the primal nothing
            else is done; NULL: that does not happen  */
typedef struct tns_checkpoint_wish
{
  long long kept;
  long long bytes;
  bool limited;
  tns_loc loc;
  bool has_loop;
  tns_sym *limit;
  tns_sym *least;
} tns_checkpoint_wish;

/* What one look found: VALUE is how far the bounds of LOOP lie apart at most,
   or, ALL, in sum; or the rows that are touched of SYM are those from VALUE to
   before END; LOOSE: and perhaps not all of these.  */
typedef struct tns_look_found
{
  const tns_node *loop;
  bool all;
  bool loose;
  const tns_sym *sym;
  tns_expr *value;
  tns_expr *end;
} tns_look_found;

/* Numbers of rows that only a look at memory tells (autodiff/look.h).
   may     they may be looked for
   region  (out) what looks, NULL: nothing need be looked at
   cell, value  [n]: cells among its parameters, and the gradient's VALUEs that
           have what they hold then
   found   [n_found]: what they are  */
typedef struct tns_looks
{
  bool may;
  tns_region *region;
  int n;
  tns_sym **cell;
  tns_sym **value;
  int n_found;
  tns_look_found *found;
} tns_looks;

/* ROW, a LOCAL, has what WHOLE, which is given, has at the subscripts AT; where
   these are NULL, at ROW's own.  */
typedef struct tns_given_row
{
  const tns_sym *row;
  tns_sym *whole;
  tns_expr **at;
} tns_given_row;

/* name     what is written is called; NULL: the function, and which it is
   forward  the tangent, not the gradient
   primal   with the primal
   directions  (forward) their number, NULL: one, whose tangents have the shapes
            of their values
   careful  the caller's arrays may overlap, and nothing that was guarded is
            known: adjoints are gathered apart and added at the end, what is
            written at all is taped, and the primal comes after the gradient
   store    names of arrays that are not made again by rows; recompute: names
            of arrays that are, even where that costs sums or functions twice
   lean     all arrays are made again that can be
   moved    (out) arrays of the function that became rows (autodiff/ranges.h)
   given_row  (out) those of them that need not be made: they are given
   twice    (out) one of these that costs a sum or a function twice, or NULL
   looks    for rows
   unsure   (out) careful, and an array that is absent is read: only the other
            way knows whether that is what it held at the entry  */
typedef struct tns_gradient_wish
{
  const char *name;
  bool forward;
  bool primal;
  tns_expr *directions;
  bool careful;
  bool unsure;
  int n_seeds;
  tns_seed *seed;
  int n_absent;
  tns_sym **absent;
  int n_given;
  tns_sym **given;
  tns_wish_list store;
  tns_wish_list recompute;
  bool lean;
  int n_moved;
  const tns_sym **moved;
  int n_given_rows;
  tns_given_row *given_row;
  const tns_sym *twice;
  tns_checkpoint_wish checkpoint;
  tns_looks looks;
} tns_gradient_wish;

/* NAMES has what the user calls SYM.  */
extern bool tns_wish_list_has (const tns_wish_list *names, const tns_sym *sym);

/* WISH bounds what is kept.  */
static inline bool
tns_checkpoint_is_asked (const tns_checkpoint_wish *wish)
{
  return wish->kept || wish->bytes || wish->limited;
}

/* The gradient, or tangent, of F (simplified, its arrays shaped).  NULL with
   the reason said.  */
extern tns_region *tns_region_gradient (tns_ctx *ctx, tns_region *f,
                                        tns_gradient_wish *wish);

/* The same with WISH to the letter: rows may cost sums twice.  */
extern tns_region *tns_gradient_build (tns_ctx *ctx, tns_region *f,
                                       tns_gradient_wish *wish);

#endif
