/* Operations along axes: sums, products, extremes, their places.

   Loops and gradients are those of kernel-elementwise.def; of whole numbers and
   bool they are here.  How axes and types become those of the loops, fold.h
   tells.  */

#include "fold.h"
#include "kernel.h"
#include "op-row.h"
#include "rows.h"
#include "tape.h"

#include <stdlib.h>

/* Sums of many numbers in parts, from this count on.  */
#define MANY 65536

#define CALL_NONE(name)
#define CALL_SLOPE(name)
#define CALL_COLUMNS(name)
#define CALL_BACK(name)                                                        \
  static void name##_back (trm_type type, const trm_middle *m, const void *x,  \
                           const void *y UNUSED, const void *dy, void *dx)     \
  {                                                                            \
    if (m->inner == 1)                                                         \
      trm_kernel (elementwise, name##_rows_back, type, m->outer, m->n, x, dy,  \
                  dx, m->divisor);                                             \
    else                                                                       \
      trm_kernel (elementwise, name##_back, type, m->outer, m->n, m->inner, x, \
                  dy, dx, m->divisor);                                         \
  }
#define TRM_FOLD(name, result, back)                                           \
  static void name##_run (trm_type type, const trm_middle *m, void *y,         \
                          const void *x)                                       \
  {                                                                            \
    if (m->inner == 1)                                                         \
      trm_kernel (elementwise, name##_rows, type, m->outer, m->n, y, x,        \
                  m->divisor);                                                 \
    else                                                                       \
      trm_kernel (elementwise, name, type, m->outer, m->n, m->inner, y, x,     \
                  m->divisor);                                                 \
  }                                                                            \
  CALL_##back (name)
#include "kernel-elementwise.def"
CALL_BACK (var)

/* static void NAME: a fold of whole numbers of type ELEMENT: s, which begins as
   FIRST, by STEP for each element v, the k-th; the result is VALUE.  */
#define WHOLE_FOLD(name, element, first, step, value)                          \
  static void name (const trm_middle *m, void *to, const void *from)           \
  {                                                                            \
    for (int64_t i = 0; i < m->outer; i++)                                     \
      for (int64_t j = 0; j < m->inner; j++)                                   \
        {                                                                      \
          const element *x = (const element *) from + i * m->n * m->inner + j; \
          element *y = (element *) to + i * m->inner + j;                      \
          int64_t s = first, at UNUSED = 0;                                    \
          for (int64_t k = 0; k < m->n; k++)                                   \
            {                                                                  \
              const int64_t v = x[k * m->inner];                               \
              step;                                                            \
            }                                                                  \
          *y = (element) (value);                                              \
        }                                                                      \
  }
#define TAKE_IF(condition)                                                     \
  if (condition)                                                               \
    {                                                                          \
      s = v;                                                                   \
      at = k;                                                                  \
    }
WHOLE_FOLD (sum_whole, int64_t, 0, s = WRAP (s, +, v), s)
WHOLE_FOLD (prod_whole, int64_t, 1, s = WRAP (s, *, v), s)
WHOLE_FOLD (max_whole, int64_t, *x, TAKE_IF (v > s), s)
WHOLE_FOLD (min_whole, int64_t, *x, TAKE_IF (v < s), s)
WHOLE_FOLD (argmax_whole, int64_t, *x, TAKE_IF (v > s), at)
WHOLE_FOLD (argmin_whole, int64_t, *x, TAKE_IF (v < s), at)

/* any and every of bytes.  */
#define TRUTH(name)                                                            \
  static void name##_bytes (const trm_middle *m, void *y, const void *x)       \
  {                                                                            \
    if (m->inner == 1)                                                         \
      trm_kernel (elementwise, name##_rows, TRM_F32, m->outer, m->n, y, x);    \
    else                                                                       \
      trm_kernel (elementwise, name, TRM_F32, m->outer, m->n, m->inner, y, x); \
  }
TRUTH (any)
TRUTH (every)

/* The gradient of prod, by the products Y, all of which are near.  */
static void
prod_near_back (trm_type type, const trm_middle *m, const void *x,
                const void *y, const void *dy, void *dx)
{
  if (m->inner == 1)
    trm_kernel (elementwise, factors_near_rows_back, type, m->outer, m->n, x, y,
                dy, dx);
  else
    trm_kernel (elementwise, factors_near_back, type, m->outer, m->n, m->inner,
                x, y, dy, dx);
}

/* The gradient of prod.  */
static void
prod_back (trm_type type, const trm_middle *m, const void *x, const void *y,
           const void *dy, void *dx)
{
  int64_t far = 0;
  trm_kernel (elementwise, count_far, type, m->outer * m->inner, y, y, &far);
  if (far == 0)
    prod_near_back (type, m, x, y, dy, dx);
  else if (m->inner == 1)
    trm_kernel (elementwise, factors_back, type, m->outer, m->n, x, dy, dx);
  else
    trm_kernel (elementwise, prod_back, type, m->outer, m->n, m->inner, x, dy,
                dx, 1);
}

/* The gradient of max and min.  */
static void
extreme_back (trm_type type, const trm_middle *m, const void *x, const void *y,
              const void *dy, void *dx)
{
  if (m->inner == 1)
    trm_kernel (elementwise, extreme_rows_back, type, m->outer, m->n, x, y, dy,
                dx);
  else
    trm_kernel (elementwise, extreme_back, type, m->outer, m->n, m->inner, x, y,
                dy, dx);
}

/* Sums up to each element, of whole numbers.  */
static void
cumsum_whole (const trm_middle *m, void *to, const void *from)
{
  const int64_t *x = from;
  int64_t *y = to;
  for (int64_t i = 0; i < m->outer; i++)
    for (int64_t k = 0; k < m->n; k++)
      for (int64_t j = 0; j < m->inner; j++)
        {
          int64_t at = (i * m->n + k) * m->inner + j;
          y[at] = k ? WRAP (y[at - m->inner], +, x[at]) : x[at];
        }
}

/* Sums of rows or columns, or of all that there is, over the divisor.  */
static void
sum_or_all (trm_type type, const trm_middle *m, void *y, const void *x)
{
  if (m->outer == 1 && m->inner == 1 && m->n >= MANY)
    trm_kernel (elementwise, sum_all, type, m->n, y, x, m->divisor);
  else
    sum_run (type, m, y, x);
}

/* G with the axes that went, of extent 1.  */
static trm_tensor *
unfolded (trm_tensor *g, const trm_middle *m)
{
  return trm_reshape (g, m->rank, m->kept);
}

/* Backward of sum and mean: dx += dy / divisor.  */
static trm_status
sum_back (trm_call *call)
{
  const trm_middle *m = trm_context (call);
  trm_tensor *g = trm_out_gradient (call, 0);
  if (m->divisor != 1)
    g = trm_affine (g, 1 / m->divisor, 0);
  return trm_add_gain (call, 0, unfolded (g, m));
}

/* Backward of the others by a kernel: dx += dy dy/dx.  */
static trm_status
fold_back (trm_call *call)
{
  const trm_fold *op = (const trm_fold *) call->function;
  const trm_tensor *x = trm_in (call, 0), *y = trm_out (call, 0);
  trm_tensor *dy = trm_gradient_rows (call), *dx = trm_gain_new (call, 0);
  if (!dy || !dx)
    return trm_error ();
  op->back (dx->type, trm_context (call), x ? x->at : NULL, y ? y->at : NULL,
            dy->at, dx->at);
  return TRM_OK;
}

/* Backward of var, also as operations: dx += 2 dy (x - mean) / divisor.  */
static trm_status
var_back_both (trm_call *call)
{
  const trm_middle *m = trm_context (call);
  trm_tensor *x = trm_in (call, 0);
  int axis[TRM_RANK];
  if (!trm_is_twice (call))
    return fold_back (call);
  for (int i = m->begin; i < m->end; i++)
    axis[i - m->begin] = i;
  trm_tensor *mean = trm_mean (x, m->end - m->begin, axis, true);
  trm_tensor *g = unfolded (trm_out_gradient (call, 0), m);
  trm_tensor *slope = trm_affine (trm_sub (x, mean), 2 / m->divisor, 0);
  return trm_add_gain (call, 0, trm_mul (g, slope));
}

/* T from its end to its beginning along AXIS.  */
static trm_tensor *
turned (trm_tensor *t, int axis)
{
  return trm_slice (t, axis, TRM_END, TRM_END, -1);
}

/* Backward of cumsum, also as operations: dx[k] += dy[k] + dy[k + 1] + ...  */
static trm_status
cumsum_back_both (trm_call *call)
{
  const trm_middle *m = trm_context (call);
  if (!trm_is_twice (call))
    return fold_back (call);
  trm_tensor *g = turned (trm_out_gradient (call, 0), m->begin);
  return trm_add_gain (call, 0, turned (trm_cumsum (g, m->begin), m->begin));
}

/* The function of an operation that has a gradient; of one whose gradient by a
   kernel reads the argument and the result.  */
#define FUNCTION(word, back_of, is_twice, saves)                               \
  .function = { .name = word,                                                  \
                .backward = back_of,                                           \
                .twice = is_twice,                                             \
                .saves_in = saves,                                             \
                .freed = free }
#define BY_RESULT(word)                                                        \
  .function = { .name = word,                                                  \
                .backward = fold_back,                                         \
                .saves_in = 1,                                                 \
                .saves_out = 1,                                                \
                .freed = free }
static const trm_fold sum_op
  = { FUNCTION ("sum", sum_back, true, 0), .kind = TRM_FOLD_SUM,
      .of_none = true, .run = sum_or_all, .whole = sum_whole };
static const trm_fold mean_op = { FUNCTION ("mean", sum_back, true, 0),
                                  .kind = TRM_FOLD_AVERAGE, .run = sum_or_all };
static const trm_fold prod_op
  = { BY_RESULT ("prod"), .kind = TRM_FOLD_SUM, .of_none = true,
      .run = prod_run,    .whole = prod_whole,  .back = prod_back };
static const trm_fold max_op
  = { BY_RESULT ("max"), .kind = TRM_FOLD_EXTREME, .run = max_run,
      .whole = max_whole, .back = extreme_back };
static const trm_fold min_op
  = { BY_RESULT ("min"), .kind = TRM_FOLD_EXTREME, .run = min_run,
      .whole = min_whole, .back = extreme_back };
static const trm_fold var_op
  = { FUNCTION ("var", var_back_both, true, 1), .kind = TRM_FOLD_AVERAGE,
      .run = var_run, .back = var_back };
static const trm_fold cumsum_op
  = { FUNCTION ("cumsum", cumsum_back_both, true, 0),
      .kind = TRM_FOLD_RUNNING,
      .of_none = true,
      .run = cumsum_run,
      .whole = cumsum_whole,
      .back = cumsum_back };
static const trm_fold argmax_op = { .function = { .name = "argmax" },
                                    .kind = TRM_FOLD_PLACE,
                                    .run = argmax_run,
                                    .whole = argmax_whole };
static const trm_fold argmin_op = { .function = { .name = "argmin" },
                                    .kind = TRM_FOLD_PLACE,
                                    .run = argmin_run,
                                    .whole = argmin_whole };
static const trm_fold any_op = { .function = { .name = "any" },
                                 .kind = TRM_FOLD_TRUTH,
                                 .whole = any_bytes };
static const trm_fold every_op = { .function = { .name = "every" },
                                   .kind = TRM_FOLD_TRUTH,
                                   .whole = every_bytes };

#define FOLD(name)                                                             \
  trm_tensor *trm_##name (trm_tensor *a, int n, const int *axis, bool keep)    \
  {                                                                            \
    return trm_fold_of (                                                       \
      &name##_op, a, &(trm_fold_over){ .n = n, .axis = axis, .keep = keep });  \
  }
FOLD (sum)
FOLD (mean)
FOLD (prod)
FOLD (max)
FOLD (min)
FOLD (any)
FOLD (every)

trm_tensor *
trm_var (trm_tensor *a, int n, const int *axis, bool keep, double correction)
{
  return trm_fold_of (
    &var_op, a,
    &(trm_fold_over){
      .n = n, .axis = axis, .keep = keep, .correction = correction });
}

/* OP of A along one axis.  */
static trm_tensor *
along (const trm_fold *op, trm_tensor *a, int axis, bool keep)
{
  return trm_fold_of (op, a,
                      &(trm_fold_over){ .n = 1, .axis = &axis, .keep = keep });
}

trm_tensor *
trm_argmax (trm_tensor *a, int axis, bool keep)
{
  return along (&argmax_op, a, axis, keep);
}

trm_tensor *
trm_argmin (trm_tensor *a, int axis, bool keep)
{
  return along (&argmin_op, a, axis, keep);
}

trm_tensor *
trm_cumsum (trm_tensor *a, int axis)
{
  return along (&cumsum_op, a, axis, true);
}
