/* Operations along axes: against plain C for every operation, type, choice of
   axes and stride; gradients, and gradients of gradients, against differences;
   sums that stay accurate; errors; bits for any number of threads; gradients
   that come together (trm_accumulate).  */

#include "slopes.h"
#include "tensor.h"

#define COUNT(array) (int) (sizeof (array) / sizeof *(array))

static double
plain_sum (int n, const double *v)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    s += v[i];
  return s;
}
static double
plain_mean (int n, const double *v)
{
  return plain_sum (n, v) / n;
}
static double
plain_prod (int n, const double *v)
{
  double s = 1;
  for (int i = 0; i < n; i++)
    s *= v[i];
  return s;
}

/* Where the greatest of SIGN times V stands, the first of equal ones.  */
static int
place_of_most (int n, const double *v, double sign)
{
  int at = 0;
  for (int i = 1; i < n; i++)
    if (sign * v[i] > sign * v[at])
      at = i;
  return at;
}
static double
plain_max (int n, const double *v)
{
  return v[place_of_most (n, v, 1)];
}
static double
plain_min (int n, const double *v)
{
  return v[place_of_most (n, v, -1)];
}
static double
plain_argmax (int n, const double *v)
{
  return place_of_most (n, v, 1);
}
static double
plain_argmin (int n, const double *v)
{
  return place_of_most (n, v, -1);
}

/* Squares of distances to the mean, over n - CORRECTION.  */
static double
plain_var_of (int n, const double *v, double correction)
{
  double mean = plain_mean (n, v), s = 0;
  for (int i = 0; i < n; i++)
    s += (v[i] - mean) * (v[i] - mean);
  return s / fmax (n - correction, 0);
}
static double
plain_var (int n, const double *v)
{
  return plain_var_of (n, v, 0);
}
static double
plain_var_1 (int n, const double *v)
{
  return plain_var_of (n, v, 1);
}
static double
plain_any (int n, const double *v)
{
  double any = 0;
  for (int i = 0; i < n; i++)
    any = any || v[i] != 0;
  return any;
}
static double
plain_every (int n, const double *v)
{
  double every = 1;
  for (int i = 0; i < n; i++)
    every = every && v[i] != 0;
  return every;
}

static trm_tensor *
var (trm_tensor *a, int n, const int *axis, bool keep)
{
  return trm_var (a, n, axis, keep, 0);
}
static trm_tensor *
var_1 (trm_tensor *a, int n, const int *axis, bool keep)
{
  return trm_var (a, n, axis, keep, 1);
}
static trm_tensor *
argmax (trm_tensor *a, int n, const int *axis, bool keep)
{
  return n == 1 ? trm_argmax (a, axis[0], keep) : NULL;
}
static trm_tensor *
argmin (trm_tensor *a, int n, const int *axis, bool keep)
{
  return n == 1 ? trm_argmin (a, axis[0], keep) : NULL;
}

typedef trm_tensor *fold_function (trm_tensor *a, int n, const int *axis,
                                   bool keep);

/* An operation; what it is of an array; the type of its result for floating and
   for whole numbers, SAME: theirs; whether it has a value of none, takes
   one axis only, has a gradient, and a second one.  */
#define SAME 99
static const struct fold_case
{
  const char *name;
  fold_function *of;
  double (*plain) (int n, const double *v);
  double low, high;
  int real, whole;
  bool of_none, one_axis, once, twice;
} folds[] = {
  { "sum", trm_sum, plain_sum, -9, 9, SAME, TRM_I64, true, false, true, true },
  { "mean", trm_mean, plain_mean, -9, 9, SAME, TRM_F32, false, false, true,
    true },
  { "prod", trm_prod, plain_prod, 0.5, 1.9, SAME, TRM_I64, true, false, true,
    false },
  { "max", trm_max, plain_max, -9, 9, SAME, SAME, false, false, true, false },
  { "min", trm_min, plain_min, -9, 9, SAME, SAME, false, false, true, false },
  { "var", var, plain_var, -9, 9, SAME, TRM_F32, false, false, true, true },
  { "var of n - 1", var_1, plain_var_1, -9, 9, SAME, TRM_F32, false, false,
    true, true },
  { "any", trm_any, plain_any, -1.2, 1.2, TRM_BOOL, TRM_BOOL, false, false,
    false, false },
  { "every", trm_every, plain_every, -2, 9, TRM_BOOL, TRM_BOOL, false, false,
    false, false },
  { "argmax", argmax, plain_argmax, -9, 9, TRM_I64, TRM_I64, false, true, false,
    false },
  { "argmin", argmin, plain_argmin, -9, 9, TRM_I64, TRM_I64, false, true, false,
    false },
};

static const double bounds[] = {
  [TRM_BF16] = 1e-2, [TRM_F16] = 2e-3, [TRM_F32] = 2e-6, [TRM_F64] = 1e-13
};

/* The subscripts of element I of a tensor of T's shape, whose axes BITS have
   extent 1.  */
static void
subscripts (const trm_tensor *t, unsigned bits, int64_t i, int64_t *at)
{
  for (int k = t->rank - 1; k >= 0; k--)
    {
      int64_t extent = bits >> k & 1 ? 1 : t->extent[k];
      at[k] = i % extent;
      i /= extent;
    }
}

/* Element I of what C makes of T over the axes BITS, in plain C.  */
static double
plain_element (const struct fold_case *c, const trm_tensor *t, unsigned bits,
               int64_t i)
{
  double v[200];
  int64_t at[TRM_RANK], here[TRM_RANK];
  int n = 0;
  subscripts (t, bits, i, at);
  for (int64_t j = 0; j < trm_count (t); j++)
    {
      bool there = true;
      subscripts (t, 0, j, here);
      for (int k = 0; k < t->rank; k++)
        there &= bits >> k & 1 || at[k] == here[k];
      if (there)
        v[n++] = trm_get (t, t->rank, here);
    }
  return c->plain (n, v);
}

/* Tensors: contiguous, transposed, in steps backwards, stretched, of one axis,
   of one element, of none.  */
#define N_VIEWS 8
static trm_tensor *
view (int i, trm_type type, double low, double high)
{
  trm_tensor *t = trm_cast (
    numbers ((unsigned) i + 5, low, high, TRM_SHAPE (2, 3, 4)), type);
  switch (i)
    {
    case 0:
      return t;
    case 1:
      return trm_permute (t, TRM_AXES (2, 0, 1));
    case 2:
      return trm_slice (trm_slice (t, 2, TRM_END, TRM_END, -2), 1, 1, 3, 1);
    case 3:
      return trm_expand (trm_slice (t, 1, 0, 1, 1), TRM_SHAPE (2, 2, 5, 4));
    case 4:
      return trm_reshape (t, TRM_SHAPE (24));
    case 5:
      return trm_select (trm_reshape (t, TRM_SHAPE (24)), 0, 7);
    case 6:
      return trm_slice (t, 1, 2, 2, 1);
    default:
      return trm_reshape (t, TRM_SHAPE (1, 6, 1, 4, 1));
    }
}

/* Whether Y has T's shape after a fold over BITS.  */
static bool
is_shape (const trm_tensor *y, const trm_tensor *t, unsigned bits, bool keep)
{
  int rank = 0;
  for (int k = 0; k < t->rank; k++)
    if (keep || !(bits >> k & 1))
      {
        int64_t extent = bits >> k & 1 ? 1 : t->extent[k];
        if (rank >= y->rank || y->extent[rank++] != extent)
          return false;
      }
  return y->rank == rank && trm_is_contiguous (y);
}

/* How many elements of T each result over BITS is of.  */
static int64_t
count_of (const trm_tensor *t, unsigned bits)
{
  int64_t n = 1;
  for (int k = 0; k < t->rank; k++)
    n *= bits >> k & 1 ? t->extent[k] : 1;
  return n;
}

/* Whether C of T over BITS is what plain C gives, or fails as it should.  */
static bool
is_fold (const struct fold_case *c, trm_tensor *t, unsigned bits, bool keep)
{
  int axis[TRM_RANK], n = 0;
  for (int k = t->rank - 1; k >= 0; k--)
    if (bits >> k & 1)
      axis[n++] = k % 2 ? k : k - t->rank;
  if ((n == 0 && t->rank) || (c->one_axis && n != 1))
    return true;
  trm_tensor *y = c->of (t, n, axis, keep);
  if (count_of (t, bits) == 0 && !c->of_none)
    return !y && expect_failed (TRM_BAD_SHAPE, ": of no elements of [2, 0, 4]");
  int want = t->type < TRM_BF16 ? c->whole : c->real;
  trm_type type = want == SAME ? t->type : (trm_type) want;
  bool right = y && y->type == type && is_shape (y, t, bits, keep);
  for (int64_t i = 0; right && i < trm_count (y); i++)
    {
      double value = plain_element (c, t, bits, i), found = element (y, i);
      double bound = type < TRM_BF16 ? 0 : bounds[type];
      right = isnan (value) || isinf (value)
                ? isnan (value) == isnan (found)
                : fabs (found - value) <= bound * fmax (1, fabs (value));
    }
  return right;
}

/* Each operation, type, stride, choice of axes.  */
static void
test_folds (void)
{
  for (int k = 0; k < COUNT (folds); k++)
    {
      bool right = true;
      const struct fold_case *c = &folds[k];
      for (trm_type type = TRM_BOOL; type <= TRM_F64; type++)
        for (int i = 0; i < N_VIEWS; i++)
          {
            trm_scope_open ();
            trm_tensor *t = view (i, type, c->low, c->high);
            for (unsigned bits = 0; bits < 1u << t->rank; bits++)
              right
                &= is_fold (c, t, bits, false) && is_fold (c, t, bits, true);
            trm_scope_close ();
          }
      expect (right, "%s of all types, strides and axes", c->name);
    }
}

/* Sums up to each element, of each type and stride.  */
static void
test_cumsum (void)
{
  bool right = true;
  for (trm_type type = TRM_BOOL; type <= TRM_F64; type++)
    for (int i = 0; i < N_VIEWS; i++)
      {
        trm_scope_open ();
        trm_tensor *t = view (i, type, -9, 9);
        for (int axis = 0; axis < t->rank; axis++)
          {
            trm_tensor *y = trm_cumsum (t, axis - t->rank);
            right &= y && y->type == (type < TRM_BF16 ? TRM_I64 : type)
                     && trm_same_shape (y, t);
            for (int64_t j = 0; right && j < trm_count (t); j++)
              {
                int64_t at[TRM_RANK];
                double s = 0;
                subscripts (t, 0, j, at);
                for (; at[axis] >= 0; at[axis]--)
                  s += trm_get (t, t->rank, at);
                right &= fabs (element (y, j) - s)
                         <= (type < TRM_BF16 ? 0 : bounds[type])
                              * fmax (1, fabs (s));
              }
          }
        trm_scope_close ();
      }
  expect (right, "cumsum of all types, strides and axes");
}

/* Sums of many numbers of f32 are right to their last bits; averages do not
   overflow; whole numbers wrap; NaN is seen.  */
static void
test_accuracy (void)
{
  trm_scope_open ();
  trm_tensor *x = trm_full (TRM_F32, TRM_SHAPE (1000003), 0.1);
  double sum = 1000003 * (double) 0.1f;
  trm_tensor *tall = trm_slice (x, 0, 0, 999999, 1);
  tall = trm_sum (trm_reshape (tall, TRM_SHAPE (-1, 3)), TRM_AXES (0), false);
  expect (trm_get (trm_sum (x, TRM_ALL, false), TRM_SCALAR) == (float) sum
            && element (tall, 1) == (float) (333333 * (double) 0.1f)
            && trm_get (trm_mean (x, TRM_ALL, false), TRM_SCALAR) == 0.1f,
          "sums of a million f32 are right to the last bit");
  trm_tensor *big = trm_full (TRM_F32, TRM_SHAPE (100), 1e38);
  trm_tensor *half = trm_full (TRM_F16, TRM_SHAPE (100), 60000);
  expect (trm_get (trm_mean (big, TRM_ALL, false), TRM_SCALAR) == 1e38f
            && trm_get (trm_mean (half, TRM_ALL, false), TRM_SCALAR)
                 == trm_get (half, TRM_SHAPE (0)),
          "means of large numbers do not overflow");
  trm_tensor *most = trm_full (TRM_I64, TRM_SHAPE (2), -0x1p63);
  expect (trm_get_int (trm_sum (most, TRM_ALL, false), TRM_SCALAR) == 0
            && trm_get_int (trm_prod (most, TRM_ALL, false), TRM_SCALAR) == 0,
          "sums and products of whole numbers wrap");
  trm_tensor *nan = trm_full (TRM_F64, TRM_SHAPE (40, 3), 1);
  trm_set (nan, TRM_SHAPE (20, 1), NAN);
  trm_set (nan, TRM_SHAPE (30, 1), NAN);
  bool seen = true;
  for (int axis = 0; axis < 2; axis++)
    {
      trm_tensor *t = axis ? trm_contiguous (trm_t (nan)) : nan;
      seen &= isnan (element (trm_max (t, 1, &axis, false), 1))
              && isnan (element (trm_min (t, 1, &axis, false), 1))
              && element (trm_max (t, 1, &axis, false), 2) == 1
              && element (trm_argmax (t, axis, false), 1) == 20
              && element (trm_argmin (t, axis, false), 1) == 20;
    }
  expect (seen, "max and min of NaN are NaN, argmax and argmin its place");
  trm_scope_close ();
}

static fold_function *fold;
static int fold_n;
static int fold_axis[2];
static bool fold_keep, fold_turned;

static trm_tensor *
folded (trm_tensor **x)
{
  trm_tensor *t = fold_turned ? trm_t (x[0]) : x[0];
  return fold (t, fold_n, fold_axis, fold_keep);
}
static trm_tensor *
summed_up (trm_tensor **x)
{
  return trm_cumsum (x[0], fold_axis[0]);
}

/* Whether the gradients of F agree, and where TWICE theirs.  */
static bool
all_agree (function_of *f, trm_tensor *x, bool twice)
{
  return gradients_agree (f, 1, &x) && (!twice || slopes_agree (f, 1, &x));
}

/* Gradients over each choice of axes.  */
static void
test_gradients (void)
{
  static const int choices[][3]
    = { { 0 },       { 1, 0 },    { 1, 1 },    { 1, 2 },
        { 2, 0, 1 }, { 2, 1, 2 }, { 2, 0, -1 } };
  for (int k = 0; k < COUNT (folds); k++)
    {
      bool right = folds[k].once;
      fold = folds[k].of;
      for (int i = 0; i < COUNT (choices); i++)
        {
          fold_n = choices[i][0];
          fold_axis[0] = choices[i][1];
          fold_axis[1] = choices[i][2];
          fold_keep = i % 2;
          fold_turned = i % 3 == 2;
          trm_scope_open ();
          trm_tensor *x = numbers (3, 0.5, 2, TRM_SHAPE (3, 2, 4));
          right = right && all_agree (folded, x, folds[k].twice);
          trm_scope_close ();
        }
      if (folds[k].once)
        expect (right, "gradients of %s over all axes%s", folds[k].name,
                folds[k].twice ? ", and second ones" : "");
    }
}

/* The gradient of FOLD of the N numbers AT over all, with SHAPE's axes.  */
static bool
has_gradient (fold_function *of, const double *at, const double *want)
{
  bool right = true;
  for (int rows = 0; rows < 2; rows++)
    {
      trm_scope_open ();
      trm_tensor *x = trm_empty (TRM_F32, TRM_SHAPE (4, 3));
      for (int64_t i = 0; i < 12; i++)
        trm_set (x, TRM_SHAPE (i / 3, i % 3), at[rows ? i % 3 : i / 3]);
      trm_want_gradient (x);
      trm_tape_open ();
      trm_tensor *y = of (x, 1, &rows, false);
      trm_backward (trm_sum (y, TRM_ALL, false), NULL);
      trm_tape_close ();
      for (int64_t i = 0; i < 12; i++)
        right &= element (trm_gradient_of (x), i) == want[rows ? i % 3 : i / 3];
      trm_scope_close ();
    }
  return right;
}

/* The gradient of the sum of variances along AXIS of TYPE at a place where they
   are small beside the mean, to GRADIENT.  */
static void
gradient_far_out (trm_type type, int axis, double gradient[12])
{
  trm_scope_open ();
  trm_tensor *x = trm_empty (type, TRM_SHAPE (4, 3));
  for (int64_t i = 0; i < 12; i++)
    trm_set (x, TRM_SHAPE (i / 3, i % 3), 0x1p20 + (double) (i * i) / 8);
  trm_want_gradient (x);
  trm_tape_open ();
  trm_tensor *y = trm_var (x, 1, &axis, false, 1);
  trm_backward (trm_sum (y, TRM_ALL, false), NULL);
  trm_tape_close ();
  for (int64_t i = 0; i < 12; i++)
    gradient[i] = element (trm_gradient_of (x), i);
  trm_scope_close ();
}

/* Gradients of products that f32 has no number for, and of variances far from
   0.  */
static void
test_far_out (void)
{
  expect (has_gradient (trm_prod, (double[]){ 0x1p-100, 0x1p-100, 0x1p40, 1 },
                        (double[]){ 0x1p-60, 0x1p-60, 0, 0 })
            && has_gradient (trm_prod,
                             (double[]){ 0x1p100, 0x1p100, 0x1p-20, 1 },
                             (double[]){ 0x1p80, 0x1p80, INFINITY, INFINITY }),
          "gradients of products out of range");
  bool right = true;
  for (int axis = 0; axis < 2; axis++)
    {
      double single[12], exact[12];
      gradient_far_out (TRM_F32, axis, single);
      gradient_far_out (TRM_F64, axis, exact);
      for (int i = 0; i < 12; i++)
        right &= fabs (single[i] - exact[i]) <= 1e-6 * fabs (exact[i]) + 1e-9;
    }
  expect (right, "gradients of variances far from 0");
}

/* Gradients at points that are special.  */
static void
test_corners (void)
{
  test_far_out ();
  expect (
    has_gradient (trm_max, (double[]){ 2, 5, 5, 1 }, (double[]){ 0, 1, 0, 0 })
      && has_gradient (trm_min, (double[]){ 2, 1, 1, 5 },
                       (double[]){ 0, 1, 0, 0 })
      && has_gradient (trm_max,
                       (double[]){ -INFINITY, -INFINITY, -INFINITY, -INFINITY },
                       (double[]){ 1, 0, 0, 0 }),
    "the first of the greatest, and of the least, gains");
  expect (
    has_gradient (trm_prod, (double[]){ 0, 0, 3, 2 }, (double[]){ 0, 0, 0, 0 }),
    "gradient of a product of zeros");
  trm_scope_open ();
  trm_tensor *x = numbers (1, 1, 2, TRM_SHAPE (3, 4));
  trm_set (x, TRM_SHAPE (1, 2), 0);
  fold = trm_prod;
  fold_turned = false;
  bool right = true;
  for (fold_n = 0; fold_n < 2; fold_n++)
    for (fold_axis[0] = 0; fold_axis[0] < 2; fold_axis[0]++)
      right &= gradients_agree (folded, 1, &x);
  expect (right, "gradient of a product with one zero");
  right = true;
  for (fold_axis[0] = 0; fold_axis[0] < 2; fold_axis[0]++)
    right &= all_agree (summed_up, x, true);
  expect (right, "gradients of cumsum, and second ones");
  trm_scope_close ();
}

/* Shapes TO and FROM of trm_accumulate.  */
static const struct
{
  int rank[2];
  int64_t extent[2][4];
} pairs[] = {
  { { 2, 2 }, { { 3, 4 }, { 3, 4 } } },
  { { 2, 1 }, { { 3, 4 }, { 4 } } },
  { { 2, 2 }, { { 3, 4 }, { 3, 1 } } },
  { { 2, 0 }, { { 3, 4 }, { 0 } } },
  { { 1, 2 }, { { 4 }, { 3, 4 } } },
  { { 2, 2 }, { { 3, 1 }, { 3, 4 } } },
  { { 0, 2 }, { { 0 }, { 3, 4 } } },
  { { 0, 0 }, { { 0 }, { 0 } } },
  { { 3, 4 }, { { 3, 1, 1 }, { 2, 3, 2, 4 } } },
  { { 3, 3 }, { { 2, 1, 4 }, { 1, 3, 4 } } },
  { { 4, 4 }, { { 1, 3, 1, 2 }, { 2, 3, 4, 1 } } },
  { { 2, 2 }, { { 0, 4 }, { 1, 4 } } },
  { { 1, 2 }, { { 4 }, { 0, 4 } } },
};

/* A tensor of a shape of PAIRS; strided, of a larger one.  */
static trm_tensor *
operand (int pair, int which, bool strided, trm_type type)
{
  int64_t extent[4];
  int rank = pairs[pair].rank[which];
  for (int i = 0; i < rank; i++)
    extent[i] = pairs[pair].extent[which][i] * (strided ? 2 : 1);
  trm_tensor *t
    = trm_cast (numbers ((unsigned) (pair + which), -4, 4, rank, extent), type);
  for (int i = 0; i < rank && strided; i++)
    t = trm_slice (t, i, TRM_END, TRM_END, i ? -2 : 2);
  return t;
}

/* The address of the element of T where element I of a tensor of shape EXTENT,
   that T broadcasts to, is seen.  */
static void *
seen_at (const trm_tensor *t, int rank, const int64_t *extent, int64_t i)
{
  int64_t offset = 0;
  for (int k = rank - 1; k >= 0; k--)
    {
      int own = k - (rank - t->rank);
      if (own >= 0 && t->extent[own] != 1)
        offset += i % extent[k] * t->stride[own];
      i /= extent[k];
    }
  return (char *) t->at + offset * (int64_t) trm_type_bytes (t->type);
}

/* Whether TO += FROM is, to BOUND, what plain C gives.  */
static bool
accumulates (trm_tensor *to, const trm_tensor *from, double bound)
{
  int64_t extent[TRM_RANK];
  int rank = trm_broadcast ("test", to, from, extent);
  trm_tensor *want = trm_cast (trm_copy (to), TRM_F64);
  trm_tensor like = *want;
  bool right = true;
  for (int i = 0; i < to->rank; i++)
    like.stride[i] = to->stride[i] ? want->stride[i] : 0;
  for (int64_t i = 0; i < trm_shape_count (rank, extent); i++)
    *(double *) seen_at (&like, rank, extent, i)
      += trm_element_get (from->type, seen_at (from, rank, extent, i));
  if (trm_accumulate (to, from))
    return false;
  for (int64_t i = 0; i < trm_count (to); i++)
    {
      double value = *(double *) seen_at (&like, to->rank, to->extent, i);
      double found
        = trm_element_get (to->type, seen_at (to, to->rank, to->extent, i));
      right &= fabs (found - value) <= bound * fmax (1, fabs (value));
    }
  return right;
}

/* trm_accumulate of all floating types, shapes, strides, also where elements of
   the target are one.  */
static void
test_accumulate (void)
{
  bool right = true, stretched = true;
  for (trm_type type = TRM_BF16; type <= TRM_F64; type++)
    for (trm_type other = TRM_BF16; other <= TRM_F64; other++)
      for (int pair = 0; pair < COUNT (pairs) * 4; pair++)
        {
          trm_scope_open ();
          double bound = bounds[type < other ? type : other];
          right &= accumulates (operand (pair / 4, 0, pair & 1, type),
                                operand (pair / 4, 1, pair & 2, other), bound);
          trm_tensor *small = trm_zeros (type, TRM_SHAPE (3, 1));
          trm_tensor *to = trm_expand (small, TRM_SHAPE (2, 3, 4));
          stretched &= accumulates (to, operand (0, 0, pair & 2, other), bound);
          trm_scope_close ();
        }
  expect (right, "accumulate of all types, shapes and strides");
  expect (stretched, "accumulate where elements are one");
}

/* Failures, and their messages.  */
static void
test_errors (void)
{
  trm_scope_open ();
  trm_tensor *a = trm_zeros (TRM_F32, TRM_SHAPE (2, 3));
  trm_tensor *b = trm_zeros (TRM_F32, TRM_SHAPE (4));
  bool told = !trm_sum (a, TRM_AXES (2), false)
              && expect_failed (TRM_BAD_ARGUMENT, "sum: there is no axis 2")
              && !trm_max (a, TRM_AXES (0, -2), false)
              && expect_failed (TRM_BAD_ARGUMENT, "max: axis 0 is named twice")
              && !trm_argmax (a, -3, false)
              && expect_failed (TRM_BAD_ARGUMENT, "argmax: there is no axis -3")
              && !trm_cumsum (trm_number (TRM_F32, 1), 0)
              && expect_failed (TRM_BAD_ARGUMENT, "cumsum: there is no axis 0")
              && trm_accumulate (a, b) == TRM_BAD_SHAPE
              && expect_failed (TRM_BAD_SHAPE, "[2, 3] and [4]");
  expect (told, "axes that are not there, or twice, are told");
  bool kept = !trm_sum (a, TRM_AXES (5), false);
  for (int k = 0; k < COUNT (folds); k++)
    kept &= !folds[k].of (NULL, TRM_AXES (0), false);
  kept &= !trm_cumsum (NULL, 0) && trm_accumulate (NULL, a) == TRM_BAD_ARGUMENT
          && trm_accumulate (a, NULL) == TRM_BAD_ARGUMENT;
  expect (kept && expect_failed (TRM_BAD_ARGUMENT, "sum: there is no axis 5"),
          "NULL gives NULL and keeps the first message");
  trm_scope_close ();
}

/* Without memory nothing is lost.  */
static void
test_memory (void)
{
  int64_t before = trm_memory_now ().bytes;
  bool right = true;
  trm_scope_open ();
  trm_tensor *h
    = trm_want_gradient (trm_full (TRM_F16, TRM_SHAPE (4, 4, 4), 2));
  for (int64_t room = 0; room < 4000; room += 64)
    {
      trm_memory_limit (trm_memory_now ().bytes + room);
      trm_tape_open ();
      trm_tensor *y = trm_max (trm_cumsum (h, 1), TRM_AXES (0, 2), true);
      trm_status status = trm_backward (trm_var (y, TRM_ALL, false, 0), NULL);
      right &= !status || status == TRM_NO_MEMORY || !y;
      trm_tape_close ();
      trm_memory_limit (0);
      trm_forget_error ();
      trm_forget_gradient (h);
    }
  trm_scope_close ();
  expect (right, "failures of memory are told");
  expect (trm_memory_now ().bytes == before, "and nothing is lost");
}

/* The same bits for any number of threads.  */
static void
test_threads (void)
{
  static const struct
  {
    int n, axis;
  } over[] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 1, 2 } };
  bool right = true;
  trm_scope_open ();
  trm_tensor *x
    = trm_cast (numbers (1, 0.5, 2, TRM_SHAPE (60, 50, 70)), TRM_F32);
  fold_turned = false;
  for (int i = 0; i < COUNT (over); i++)
    {
      fold_n = over[i].n;
      fold_axis[0] = over[i].axis;
      for (int k = 0; k < COUNT (folds); k++)
        if (folds[k].once)
          {
            fold = folds[k].of;
            right &= same_for_threads (folded, 1, &x);
          }
      if (fold_n)
        right &= same_for_threads (summed_up, 1, &x);
    }
  expect (right,
          "results and gradients have the same bits for 1, 2, 4 threads");
  trm_scope_close ();
}

int
main (void)
{
  trm_scope_open ();
  test_folds ();
  test_cumsum ();
  test_accuracy ();
  test_gradients ();
  test_corners ();
  test_accumulate ();
  test_errors ();
  test_memory ();
  test_threads ();
  trm_scope_close ();
  return expect_status ();
}
