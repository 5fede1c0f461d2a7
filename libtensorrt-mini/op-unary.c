/* Operations on one tensor, element by element.

   A row of kernel-elementwise.def is an operation: its loop, what its gradient
   reads, its gradient made of operations, what it is of whole numbers.  Loops
   run over contiguous tensors of f32, f64 or i64, which casts and copies that
   are written down bring to them:

     y = trm_cast (loop (trm_contiguous (trm_cast (a, computed))), type)  */

#include "op-row.h"
#include "pairs.h"
#include "rows.h"
#include "tape.h"

#include <math.h>
#include <stdlib.h>

/* The two numbers of affine and clamp.  */
typedef struct numbers
{
  double p, q;
} numbers;

/* An operation: its function, which stands first since calls name it; its loop;
   that of whole numbers, or NULL; its gradient, which reads x, y or neither;
   the gradient as operations.  */
typedef struct unary
{
  trm_function function;
  void (*run) (trm_type type, int64_t n, void *y, const void *x, numbers of);
  void (*whole) (int64_t n, int64_t *y, const int64_t *x, int64_t p, int64_t q);
  void (*back) (trm_type type, int64_t n, const void *read, const void *dy,
                void *dx, numbers of);
  trm_tensor *(*twice) (trm_tensor *g, trm_tensor *x, trm_tensor *y,
                        numbers of);
} unary;

/* 1 where X is above 0, else 0, in X's type.  */
static trm_tensor *
is_above (trm_tensor *x)
{
  return x ? trm_cast (trm_less (trm_number (x->type, 0), x), x->type) : NULL;
}

/* 1, 0 or -1, as X is above, at or below 0.  */
static trm_tensor *
sign_of (trm_tensor *x)
{
  return trm_sub (is_above (x), is_above (trm_neg (x)));
}

/* Whether X is neither below LOW nor above HIGH.  */
static trm_tensor *
is_between (trm_tensor *x, double low, double high)
{
  return trm_and (trm_less_equal (trm_number (x->type, low), x),
                  trm_less_equal (x, trm_number (x->type, high)));
}

/* G times the derivative of sigmoid where its value is S: s (1 - s).  */
static trm_tensor *
sigmoid_slope (trm_tensor *g, trm_tensor *s)
{
  return trm_mul (g, trm_mul (s, trm_affine (s, -1, 1)));
}

/* G times the derivative of x s at X, s = sigmoid (x): s + x s (1 - s).  */
static trm_tensor *
silu_slope (trm_tensor *g, trm_tensor *x)
{
  trm_tensor *s = trm_sigmoid (x);
  return trm_add (trm_mul (g, s), sigmoid_slope (trm_mul (g, x), s));
}

/* G times the derivative of x (1 + t) / 2 at X, where t = tanh (u) and
   u = c x + c k x^3: (1 + t + x (1 - t^2) u') / 2.  */
static trm_tensor *
gelu_slope (trm_tensor *g, trm_tensor *x)
{
  const double c = sqrt (2 / M_PI), k = 0.044715;
  trm_tensor *square = trm_square (x);
  trm_tensor *t = trm_tanh (trm_mul (x, trm_affine (square, c * k, c)));
  trm_tensor *slope = trm_mul (trm_affine (trm_square (t), -1, 1),
                               trm_affine (square, 3 * c * k, c));
  trm_tensor *twofold = trm_add (trm_affine (t, 1, 1), trm_mul (x, slope));
  return trm_mul (g, trm_affine (twofold, 0.5, 0));
}

/* Backward: dx += dy f' (x).  */
static trm_status
unary_back (trm_call *call)
{
  const unary *op = (const unary *) call->function;
  const numbers *of = trm_context (call), none = { 0 };
  trm_tensor *x = trm_in (call, 0), *y = trm_out (call, 0);
  if (trm_is_twice (call))
    return trm_add_gain (
      call, 0, op->twice (trm_out_gradient (call, 0), x, y, of ? *of : none));
  trm_tensor *dy = trm_gradient_rows (call), *dx = trm_gain_new (call, 0);
  if (!dy || !dx)
    return trm_error ();
  const trm_tensor *read = x ? x : y;
  op->back (dx->type, trm_count (dx), read ? read->at : NULL, dy->at, dx->at,
            of ? *of : none);
  return TRM_OK;
}

/* Bits of what a row's gradient needs among arguments and results.  */
#define SAVES_IN_X   1
#define SAVES_IN_Y   0
#define SAVES_IN_G   0
#define SAVES_IN_XS  1
#define SAVES_IN_YS  0
#define SAVES_OUT_X  0
#define SAVES_OUT_Y  1
#define SAVES_OUT_G  0
#define SAVES_OUT_XS 0
#define SAVES_OUT_YS 1

#define TRM_UNARY(id, needs, value, whole_of, twice_of)                        \
  static void id##_run (trm_type type, int64_t n, void *y, const void *x,      \
                        numbers of)                                            \
  {                                                                            \
    trm_kernel (elementwise, id, type, n, y, x, of.p, of.q);                   \
  }                                                                            \
  static void id##_back (trm_type type, int64_t n, const void *read,           \
                         const void *dy, void *dx, numbers of)                 \
  {                                                                            \
    trm_kernel (elementwise, id##_back, type, n, read, dy, dx, of.p, of.q);    \
  }                                                                            \
  static trm_tensor *id##_twice (trm_tensor *g UNUSED, trm_tensor *x UNUSED,   \
                                 trm_tensor *y UNUSED, numbers of)             \
  {                                                                            \
    double p UNUSED = of.p, q UNUSED = of.q;                                   \
    return SECOND (twice_of);                                                  \
  }                                                                            \
  static UNUSED void id##_whole (int64_t n, int64_t *restrict y,               \
                                 const int64_t *restrict x, int64_t p UNUSED,  \
                                 int64_t q UNUSED)                             \
  {                                                                            \
    for (int64_t i = 0; i < n; i++)                                            \
      {                                                                        \
        const int64_t v = x[i];                                                \
        y[i] = SECOND (whole_of);                                              \
      }                                                                        \
  }                                                                            \
  static const unary id##_op                                                   \
    = { .function = { .name = #id,                                             \
                      .backward = unary_back,                                  \
                      .twice = FIRST (twice_of),                               \
                      .saves_in = SAVES_IN_##needs,                            \
                      .saves_out = SAVES_OUT_##needs,                          \
                      .freed = free },                                         \
        .run = id##_run,                                                       \
        .whole = FIRST (whole_of) ? id##_whole : NULL,                         \
        .back = id##_back,                                                     \
        .twice = id##_twice };
#include "kernel-elementwise.def"

/* VALUE as a whole number, cut to those that there are.  */
static int64_t
whole_number (double value)
{
  if (value >= 0x1p63)
    return INT64_MAX;
  return value >= -0x1p63 ? (int64_t) value : INT64_MIN;
}

/* OP of X, contiguous and of a type that is computed with; OF is NULL where
   there are no numbers.  */
static trm_tensor *
apply (const unary *op, trm_tensor *x, const numbers *of)
{
  numbers pair = of ? *of : (numbers){ 0 };
  trm_tensor *y = trm_empty_like (x, x->type);
  if (!y)
    return NULL;
  if (x->type == TRM_I64)
    op->whole (trm_count (x), y->at, x->at, whole_number (ceil (pair.p)),
               whole_number (floor (pair.q)));
  else
    op->run (x->type, trm_count (x), y->at, x->at, pair);
  if (!trm_is_recording (1, &x))
    return y;
  numbers *kept = of ? malloc (sizeof *kept) : NULL;
  if (of && !kept)
    return trm_fail_null (TRM_NO_MEMORY, "%s: no memory", op->function.name);
  if (kept)
    *kept = pair;
  return trm_record (&op->function, 1, &x, 1, &y, kept) ? NULL : y;
}

/* OP of A, of any type and strides.  */
static trm_tensor *
unary_of (const unary *op, trm_tensor *a, const numbers *of)
{
  if (!a)
    return NULL;
  bool whole = op->whole && !trm_type_is_float (a->type);
  trm_type type = whole ? a->type : trm_real_type (a->type);
  trm_type computed = whole ? TRM_I64 : trm_type_computed (type);
  if (trm_is_plain (a, computed))
    return apply (op, a, of);
  if (trm_scope_open ())
    return NULL;
  trm_tensor *x = trm_plain (a, computed);
  trm_tensor *y = trm_scope_give (x ? trm_cast (apply (op, x, of), type) : x);
  trm_scope_close ();
  return y;
}

#define TRM_UNARY(id, needs, value, whole_of, twice_of)                        \
  trm_tensor *trm_##id (trm_tensor *a)                                         \
  {                                                                            \
    return unary_of (&id##_op, a, NULL);                                       \
  }
#define TRM_NUMBERED(id, needs, value, whole_of, twice_of)                     \
  trm_tensor *trm_##id (trm_tensor *a, double p, double q)                     \
  {                                                                            \
    return unary_of (&id##_op, a, &(numbers){ p, q });                         \
  }
#include "kernel-elementwise.def"
