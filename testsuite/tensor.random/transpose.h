/* A random function and its gradient: what the two languages agree on.

   A unit is read as C, where f and the gradient that the plug-in writes are
   functions of floats, and as C++, where f is one of numbers with a tangent
   (dual.hh).  For a direction D of what the gradient is with respect to, f's
   tangents T, seeds U and the gradient's gains G,

     sum of U * T = sum of D * G

   up to the rounding of all operations.  A tangent is T itself.  */

#ifndef TRANSPOSE_H
#define TRANSPOSE_H

enum
{
  MARGIN = 64,
  PART = 9216,
  SPAN = MARGIN + PART,
  SIDE = 104,
  MOST_PLACES = 8
};

/* What the caller of a gradient names, and what is given as f leaves it.  */
enum
{
  OF = 1,
  WRT = 2,
  ABSENT = 4,
  GIVEN = 8,
  CLEAR = 16
};

/* What is derived: a gradient; one that gives what the function gives, too; a
   tangent.  */
typedef enum mode
{
  GRADIENT,
  PRIMAL,
  TANGENT
} mode;

/* A parameter of floats, an array, or a number or result of one element.  */
typedef struct place
{
  const char *name;
  int is_f32;
  int role;
} place;

/* derived   as the plug-in wrote it, on values and adjoints by place; NULL:
             it was refused
   dual      f on numbers with a tangent by place
   is_f32    f computes in float somewhere
   is_exact  all that f computes is whole
   is_restrict  no memory of the parameters may overlap
   twice     the derivative of the derivative, on values and adjoints and what
             belongs to each in turn; NULL: none
   is_twice_back  that is a gradient, not a tangent  */
typedef struct function
{
  const char *name;
  int n_places;
  const place *places;
  mode how;
  void (*derived) (int n, int m, void **value, void **adjoint);
  void (*dual) (int n, int m, void **value);
  int is_f32;
  int is_exact;
  int is_restrict;
  void (*twice) (int n, int m, void **value, void **adjoint, void **of_value,
                 void **of_adjoint);
  int is_twice_back;
} function;

/* What f leaves: values, tangents, and what the tangents may be as sums of
   absolute values; how many operations that took, and whether one of them is at
   a point where there is no derivative, or none of second order.  ACROSS, MIXED
   and MIXED_SIZE are the same along a second direction and along both.  NUDGE
   is given: the part by which functions of math.h give more than they do.  */
typedef struct outcome
{
  double value[MOST_PLACES][SPAN];
  double tangent[MOST_PLACES][SPAN];
  double size[MOST_PLACES][SPAN];
  long operations;
  int is_singular;
  double across[MOST_PLACES][SPAN];
  double mixed[MOST_PLACES][SPAN];
  double mixed_size[MOST_PLACES][SPAN];
  int is_steep;
  double nudge;
} outcome;

#ifdef __cplusplus
extern "C"
{
#endif
  extern int idx[PART];
  static const int near[8] = { 2, 0, 1, 3, 0, 1, 1, 2 };

  /* Run F on what OUT holds at the entry.  */
  extern void run_dual (const function *f, int n, int m, outcome *out);
#ifdef __cplusplus
}
#endif

#endif
