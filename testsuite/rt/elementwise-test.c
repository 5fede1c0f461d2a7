/* Operations element by element: against plain C for every operation, type,
   shape and stride; gradients, and gradients of gradients, against differences;
   what is promised at corners; errors; bits for any number of threads.  */

#include "slopes.h"

#define COUNT(array) (int) (sizeof (array) / sizeof *(array))

static double
plain_neg (double v)
{
  return -v;
}
static double
plain_square (double v)
{
  return v * v;
}
static double
plain_reciprocal (double v)
{
  return 1 / v;
}
static double
plain_sigmoid (double v)
{
  return 1 / (1 + exp (-v));
}
static double
plain_relu (double v)
{
  return fmax (v, 0);
}
static double
plain_gelu (double v)
{
  return v / 2 * (1 + tanh (sqrt (2 / M_PI) * (v + 0.044715 * pow (v, 3))));
}
static double
plain_gelu_erf (double v)
{
  return v / 2 * erfc (-v / sqrt (2));
}
static double
plain_silu (double v)
{
  return v / (1 + exp (-v));
}
static double
plain_affine (double v)
{
  return 3 * v - 2;
}
static double
plain_clamp (double v)
{
  return fmin (fmax (v, -2), 3);
}

static trm_tensor *
affine (trm_tensor *a)
{
  return trm_affine (a, 3, -2);
}
static trm_tensor *
clamp (trm_tensor *a)
{
  return trm_clamp (a, -2, 3);
}

/* An operation, what it is of a number, where that has a value; whether whole
   numbers stay such; whether gradients have gradients.  */
static const struct unary_case
{
  const char *name;
  trm_tensor *(*of) (trm_tensor *a);
  double (*plain) (double v);
  double low, high;
  bool whole, twice;
} unary_cases[] = {
  { "neg", trm_neg, plain_neg, -9, 9, true, true },
  { "abs", trm_abs, fabs, -9, 9, true, true },
  { "square", trm_square, plain_square, -9, 9, true, true },
  { "sqrt", trm_sqrt, sqrt, 0.5, 9, false, true },
  { "reciprocal", trm_reciprocal, plain_reciprocal, 0.5, 9, false, true },
  { "exp", trm_exp, exp, -4, 2, false, true },
  { "log", trm_log, log, 0.5, 9, false, true },
  { "sin", trm_sin, sin, -9, 9, false, true },
  { "cos", trm_cos, cos, -9, 9, false, true },
  { "tanh", trm_tanh, tanh, -3, 3, false, true },
  { "sigmoid", trm_sigmoid, plain_sigmoid, -9, 9, false, true },
  { "relu", trm_relu, plain_relu, -9, 9, true, true },
  { "gelu", trm_gelu, plain_gelu, -4, 4, false, true },
  { "gelu_erf", trm_gelu_erf, plain_gelu_erf, -4, 4, false, false },
  { "silu", trm_silu, plain_silu, -9, 9, false, true },
  { "affine", affine, plain_affine, -9, 9, false, true },
  { "clamp", clamp, plain_clamp, -9, 9, true, true },
};

static double
plain_add (double v, double w)
{
  return v + w;
}
static double
plain_sub (double v, double w)
{
  return v - w;
}
static double
plain_mul (double v, double w)
{
  return v * w;
}
static double
plain_div (double v, double w)
{
  return v / w;
}
static double
plain_equal (double v, double w)
{
  return v == w;
}
static double
plain_less (double v, double w)
{
  return v < w;
}
static double
plain_less_equal (double v, double w)
{
  return v <= w;
}
static double
plain_and (double v, double w)
{
  return v != 0 && w != 0;
}
static double
plain_or (double v, double w)
{
  return v != 0 || w != 0;
}

/* The same of two: REAL becomes f32 of whole numbers, TRUTH is bool.  */
static const struct binary_case
{
  const char *name;
  trm_tensor *(*of) (trm_tensor *a, trm_tensor *b);
  double (*plain) (double v, double w);
  double low, high;
  enum
  {
    WHOLE,
    REAL,
    TRUTH
  } kind;
} binary_cases[] = {
  { "add", trm_add, plain_add, -9, 9, WHOLE },
  { "sub", trm_sub, plain_sub, -9, 9, WHOLE },
  { "mul", trm_mul, plain_mul, -9, 9, WHOLE },
  { "maximum", trm_maximum, fmax, -9, 9, WHOLE },
  { "minimum", trm_minimum, fmin, -9, 9, WHOLE },
  { "div", trm_div, plain_div, 0.5, 9, REAL },
  { "pow", trm_pow, pow, 0.5, 4, REAL },
  { "equal", trm_equal, plain_equal, -2, 2, TRUTH },
  { "less", trm_less, plain_less, -2, 2, TRUTH },
  { "less_equal", trm_less_equal, plain_less_equal, -2, 2, TRUTH },
  { "and", trm_and, plain_and, -2, 2, TRUTH },
  { "or", trm_or, plain_or, -2, 2, TRUTH },
};
#define N_DIFFERENTIABLE 7

static const double bounds[] = {
  [TRM_BF16] = 1e-2, [TRM_F16] = 2e-3, [TRM_F32] = 3e-6, [TRM_F64] = 1e-14
};

/* VALUE as an element of TYPE, whole numbers cut and wrapped.  */
static double
as_element (trm_type type, double value)
{
  int64_t whole = type < TRM_BF16 ? (int64_t) value : 0;
  switch (type)
    {
    case TRM_BOOL:
      return whole != 0;
    case TRM_U8:
      return (uint8_t) whole;
    case TRM_I8:
      return (int8_t) whole;
    case TRM_I32:
    case TRM_I64:
      return (double) whole;
    case TRM_F32:
      return (float) value;
    default:
      return value;
    }
}

/* Whether element I of Y is VALUE, to the bound of Y's type; PRECISE is the
   least precise type that took part.  */
static bool
is_element (const trm_tensor *y, int64_t i, double value, trm_type precise)
{
  double found = element (y, i);
  value = as_element (y->type, value);
  if (y->type < TRM_BF16 || isnan (value) || isinf (value))
    return found == value || (isnan (found) && isnan (value));
  return fabs (found - value) <= bounds[precise] * fmax (1, fabs (value));
}

/* The type of an operation on A and B, as said in trm-tensor.h.  */
static trm_type
type_of_both (trm_type a, trm_type b)
{
  trm_type later = a > b ? a : b, other = a > b ? b : a;
  if (later == TRM_F16 && other == TRM_BF16)
    return TRM_F32;
  return later == TRM_I8 && other == TRM_U8 ? TRM_I32 : later;
}

/* Tensors of TYPE: contiguous, empty, of one element, transposed, in steps
   forwards and backwards, stretched.  */
#define N_VIEWS 9
static trm_tensor *
view (int i, trm_type type, double low, double high)
{
  unsigned seed = (unsigned) (i + 3);
  trm_tensor *t = trm_cast (numbers (seed, low, high, TRM_SHAPE (6, 7)), type);
  switch (i)
    {
    case 0:
      return t;
    case 1:
      return trm_slice (t, 0, 2, 2, 1);
    case 2:
      return trm_select (trm_select (t, 0, 3), 0, 2);
    case 3:
      return trm_t (t);
    case 4:
      return trm_slice (t, 1, 1, TRM_END, 2);
    case 5:
      return trm_slice (trm_slice (t, 0, TRM_END, TRM_END, -1), 1, 5, 1, -3);
    case 6:
      return trm_expand (trm_slice (t, 1, 0, 1, 1), TRM_SHAPE (2, 6, 3));
    case 7:
      return trm_slice (trm_slice (t, 0, 1, 3, 1), 1, 0, 4, 1);
    default:
      return trm_reshape (t, TRM_SHAPE (2, 3, 7, 1));
    }
}

/* Each operation on one tensor, of each type, of each view.  */
static void
test_unary (void)
{
  for (int k = 0; k < COUNT (unary_cases); k++)
    {
      const struct unary_case *c = &unary_cases[k];
      bool right = true;
      for (trm_type type = TRM_BOOL; type <= TRM_F64; type++)
        for (int i = 0; i < N_VIEWS; i++)
          {
            trm_scope_open ();
            bool real = type >= TRM_BF16 || !c->whole;
            trm_type want = real && type < TRM_BF16 ? TRM_F32 : type;
            trm_tensor *x = view (i, type, c->low, c->high), *y = c->of (x);
            right &= y && y->type == want && trm_same_shape (x, y)
                     && trm_is_contiguous (y);
            for (int64_t j = 0; right && j < trm_count (x); j++)
              right &= is_element (y, j, c->plain (element (x, j)), want);
            trm_scope_close ();
          }
      expect (right, "%s of all types and strides", c->name);
    }
}

/* Element I of T seen with the shape of Y.  */
static double
stretched_element (const trm_tensor *t, const trm_tensor *y, int64_t i)
{
  int64_t at[TRM_RANK], rest = i;
  for (int k = y->rank - 1; k >= 0; k--)
    {
      int own = k - (y->rank - t->rank);
      if (own >= 0)
        at[own] = t->extent[own] == 1 ? 0 : rest % y->extent[k];
      rest /= y->extent[k];
    }
  return trm_get (t, t->rank, at);
}

/* Pairs of shapes that are broadcast, and what they give.  */
static const struct
{
  int rank[3];
  int64_t extent[3][4];
} pairs[] = {
  { { 2, 2, 2 }, { { 3, 4 }, { 3, 4 }, { 3, 4 } } },
  { { 2, 1, 2 }, { { 3, 4 }, { 4 }, { 3, 4 } } },
  { { 1, 2, 2 }, { { 4 }, { 3, 4 }, { 3, 4 } } },
  { { 2, 1, 2 }, { { 3, 1 }, { 4 }, { 3, 4 } } },
  { { 1, 2, 2 }, { { 4 }, { 3, 1 }, { 3, 4 } } },
  { { 0, 2, 2 }, { { 0 }, { 3, 4 }, { 3, 4 } } },
  { { 2, 0, 2 }, { { 3, 4 }, { 0 }, { 3, 4 } } },
  { { 0, 0, 0 }, { { 0 }, { 0 }, { 0 } } },
  { { 1, 1, 1 }, { { 1 }, { 1 }, { 1 } } },
  { { 2, 1, 2 }, { { 0, 3 }, { 3 }, { 0, 3 } } },
  { { 2, 2, 2 }, { { 1, 3 }, { 0, 1 }, { 0, 3 } } },
  { { 3, 2, 3 }, { { 2, 1, 3 }, { 4, 1 }, { 2, 4, 3 } } },
  { { 4, 3, 4 }, { { 2, 3, 2, 2 }, { 3, 1, 1 }, { 2, 3, 2, 2 } } },
  { { 3, 4, 4 }, { { 1, 2, 1 }, { 2, 3, 1, 2 }, { 2, 3, 2, 2 } } },
  { { 4, 4, 4 }, { { 2, 1, 3, 1 }, { 1, 2, 1, 3 }, { 2, 2, 3, 3 } } },
};

/* T of the type TYPE and the shape that PAIRS has: as such, or a view with
   steps of a larger tensor.  */
static trm_tensor *
operand (int pair, int which, bool strided, trm_type type,
         const struct binary_case *c)
{
  int64_t extent[4];
  int rank = pairs[pair].rank[which];
  for (int i = 0; i < rank; i++)
    extent[i] = pairs[pair].extent[which][i] * (strided ? 2 : 1);
  trm_tensor *t = trm_cast (
    numbers ((unsigned) (pair + which), c->low, c->high, rank, extent), type);
  for (int i = 0; i < rank && strided; i++)
    t = trm_slice (t, i, TRM_END, TRM_END, -2);
  return t;
}

/* Whether C of A and B is what plain C gives.  */
static bool
is_pair (const struct binary_case *c, int pair, trm_tensor *a, trm_tensor *b)
{
  trm_type both = type_of_both (a->type, b->type);
  trm_type want = c->kind == TRUTH                     ? TRM_BOOL
                  : c->kind == REAL && both < TRM_BF16 ? TRM_F32
                                                       : both;
  trm_tensor *y = c->of (a, b);
  bool right = y && y->type == want && y->rank == pairs[pair].rank[2]
               && trm_is_contiguous (y);
  for (int i = 0; right && i < y->rank; i++)
    right = y->extent[i] == pairs[pair].extent[2][i];
  for (int64_t i = 0; right && i < trm_count (y); i++)
    right = is_element (
      y, i, c->plain (stretched_element (a, y, i), stretched_element (b, y, i)),
      want);
  return right;
}

/* Each operation on two tensors, of each pair of types, shapes, strides.  */
static void
test_binary (void)
{
  for (int k = 0; k < COUNT (binary_cases); k++)
    {
      bool right = true;
      for (int types = 0; types < 81; types++)
        for (int pair = 0; pair < COUNT (pairs); pair++)
          {
            trm_scope_open ();
            int strided = (types + pair) % 4;
            right &= is_pair (
              &binary_cases[k], pair,
              operand (pair, 0, strided & 1, types / 9, &binary_cases[k]),
              operand (pair, 1, strided & 2, types % 9, &binary_cases[k]));
            trm_scope_close ();
          }
      expect (right, "%s of all types, broadcast, of all strides",
              binary_cases[k].name);
    }
}

/* where and not, of each type.  */
static void
test_where (void)
{
  bool right = true, inverse = true;
  for (trm_type type = TRM_BOOL; type <= TRM_F64; type++)
    for (int pair = 0; pair < COUNT (pairs); pair++)
      {
        trm_scope_open ();
        const struct binary_case *c = &binary_cases[0];
        trm_tensor *a = operand (pair, 0, pair & 1, type, c);
        trm_tensor *b = operand (pair, 1, pair & 2, TRM_I8, c);
        trm_tensor *e = trm_cast (numbers (9, -1, 2, b->rank, b->extent), type);
        trm_tensor *y = trm_where (e, a, b), *n = trm_not (a);
        right &= y && y->type == type_of_both (type, TRM_I8)
                 && y->rank == pairs[pair].rank[2];
        for (int64_t i = 0; right && i < trm_count (y); i++)
          right &= is_element (y, i,
                               stretched_element (e, y, i) != 0
                                 ? stretched_element (a, y, i)
                                 : stretched_element (b, y, i),
                               y->type);
        inverse &= n && n->type == TRM_BOOL && trm_same_shape (n, a);
        for (int64_t i = 0; inverse && i < trm_count (n); i++)
          inverse &= element (n, i) == !element (a, i);
        trm_scope_close ();
      }
  expect (right, "where of all types, three shapes broadcast");
  expect (inverse, "not of all types");
}

/* Whole numbers wrap, and are exact where a double is not.  */
static void
test_whole (void)
{
  int64_t most[] = { INT64_MAX, INT64_MIN, (1LL << 53) + 1 };
  trm_tensor *x = trm_from (TRM_I64, TRM_SHAPE (3), most);
  trm_tensor *one = trm_number (TRM_I64, 1), *two = trm_number (TRM_I64, 2);
  const int64_t *sum = trm_add (x, one)->at, *less = trm_sub (x, one)->at;
  const int64_t *twice = trm_mul (x, two)->at, *neg = trm_neg (x)->at;
  const int64_t *kept = trm_clamp (x, -1e300, 1e300)->at;
  expect (sum[0] == INT64_MIN && less[1] == INT64_MAX && twice[0] == -2
            && neg[1] == INT64_MIN,
          "whole numbers wrap");
  trm_tensor *near = trm_number (TRM_I64, 0x1p53);
  expect (sum[2] == (1LL << 53) + 2 && kept[0] == INT64_MAX
            && kept[1] == INT64_MIN && kept[2] == most[2]
            && !element (trm_equal (x, near), 2)
            && !element (trm_less_equal (x, near), 2)
            && element (trm_less (near, x), 2),
          "whole numbers are exact");
  expect (trm_get_int (trm_clamp (two, 2.5, INFINITY), TRM_SCALAR) == 3
            && trm_get_int (trm_clamp (two, -INFINITY, 1.5), TRM_SCALAR) == 1,
          "clamp of whole numbers by fractions");
}

static trm_tensor *(*one) (trm_tensor *a);
static trm_tensor *(*two) (trm_tensor *a, trm_tensor *b);

static trm_tensor *
of_one (trm_tensor **x)
{
  return one (x[0]);
}
static trm_tensor *
of_two (trm_tensor **x)
{
  return two (x[0], x[1]);
}
static trm_tensor *
of_itself (trm_tensor **x)
{
  return two (x[0], x[0]);
}
static trm_tensor *
of_where (trm_tensor **x)
{
  trm_tensor *less = trm_less (x[0], trm_number (TRM_F64, 3));
  return trm_add (x[0], trm_where (less, x[1], x[2]));
}

/* Gradients of operations on one tensor, and theirs.  */
static void
test_unary_gradients (void)
{
  for (int k = 0; k < COUNT (unary_cases); k++)
    {
      const struct unary_case *c = &unary_cases[k];
      one = c->of;
      trm_scope_open ();
      trm_tensor *x = numbers (31, c->low, c->high, TRM_SHAPE (3, 5));
      expect (gradients_agree (of_one, 1, &x), "gradient of %s", c->name);
      trm_forget_error ();
      if (c->twice)
        expect (slopes_agree (of_one, 1, &x), "second gradient of %s", c->name);
      else
        expect (!slopes_agree (of_one, 1, &x)
                  && expect_failed (TRM_NO_GRADIENT, c->name),
                "%s has no second gradient, which is told", c->name);
      trm_scope_close ();
    }
}

/* Gradients of operations on two tensors, broadcast, and of a tensor with
   itself; and theirs.  */
static void
test_binary_gradients (void)
{
  for (int k = 0; k < N_DIFFERENTIABLE; k++)
    {
      bool right = true, twice = true;
      two = binary_cases[k].of;
      for (int pair = 0; pair < COUNT (pairs); pair++)
        {
          trm_scope_open ();
          trm_tensor *x[]
            = { operand (pair, 0, false, TRM_F64, &binary_cases[k]),
                operand (pair, 1, false, TRM_F64, &binary_cases[k]) };
          right &= gradients_agree (of_two, 2, x);
          right &= gradients_agree (of_itself, 1, x);
          twice &= slopes_agree (of_two, 2, x);
          twice &= slopes_agree (of_itself, 1, x);
          trm_scope_close ();
        }
      expect (right, "gradients of %s, broadcast", binary_cases[k].name);
      expect (twice, "second gradients of %s, broadcast", binary_cases[k].name);
    }
  trm_scope_open ();
  trm_tensor *x[]
    = { numbers (1, -9, 9, TRM_SHAPE (2, 3)), numbers (2, -9, 9, TRM_SHAPE (3)),
        numbers (3, -9, 9, TRM_SHAPE (4, 2, 1)) };
  expect (gradients_agree (of_where, 3, x) && slopes_agree (of_where, 3, x),
          "gradients of where, broadcast, and second ones");
  trm_scope_close ();
}

/* The gradient of the sum of OF (x), x of TYPE and of the number VALUE.  */
static double
gradient_at (trm_tensor *(*of) (trm_tensor *a), trm_type type, double value)
{
  trm_scope_open ();
  trm_tensor *x = trm_want_gradient (trm_full (type, TRM_SHAPE (40), value));
  trm_tape_open ();
  trm_backward (trm_sum (of (x), TRM_ALL, false), NULL);
  trm_tape_close ();
  double g = element (trm_gradient_of (x), 7);
  for (int64_t i = 0; i < 40; i++)
    if (element (trm_gradient_of (x), i) != g)
      g = NAN;
  trm_scope_close ();
  return g;
}

/* A is B to six digits.  */
static bool
is_close (double a, double b)
{
  return a == b || fabs (a - b) < 1e-6;
}

/* The gradients of the sum of OF (a, b) in both, at two numbers, are GA and
   GB.  */
static bool
are_gradients (trm_tensor *(*of) (trm_tensor *a, trm_tensor *b), double a,
               double b, double ga, double gb)
{
  trm_scope_open ();
  trm_tensor *x = trm_want_gradient (trm_full (TRM_F32, TRM_SHAPE (3), a));
  trm_tensor *y = trm_want_gradient (trm_full (TRM_F32, TRM_SHAPE (3), b));
  trm_tape_open ();
  trm_tensor *sum = trm_sum (of (x, y), TRM_ALL, false), *g[2];
  bool right = !trm_gradients (sum, 2, (trm_tensor *[]){ x, y }, g)
               && element (g[0], 1) == ga && is_close (element (g[1], 1), gb);
  trm_backward (sum, NULL);
  trm_tape_close ();
  right &= element (trm_gradient_of (x), 1) == ga
           && is_close (element (trm_gradient_of (y), 1), gb);
  trm_scope_close ();
  return right;
}

/* Points without derivative, and NaN.  */
static void
test_corners (void)
{
  for (trm_type type = TRM_F32; type <= TRM_F64; type++)
    expect (gradient_at (trm_relu, type, 0) == 0
              && gradient_at (trm_abs, type, 0) == 0
              && gradient_at (trm_sqrt, type, 0) == INFINITY
              && gradient_at (trm_sigmoid, type, 0) == 0.25
              && gradient_at (trm_silu, type, 0) == 0.5
              && gradient_at (trm_sigmoid, type, -1000) == 0
              && gradient_at (trm_sigmoid, type, 1000) == 0
              && gradient_at (trm_silu, type, -1000) == 0
              && gradient_at (trm_silu, type, 1000) == 1
              && gradient_at (clamp, type, -2) == 1
              && gradient_at (clamp, type, 3) == 1
              && gradient_at (clamp, type, 4) == 0,
            "gradients at corners and far away, %s", trm_type_name (type));
  expect (are_gradients (trm_maximum, 2, 2, 1, 0)
            && are_gradients (trm_minimum, 2, 2, 1, 0)
            && are_gradients (trm_pow, 0, 0, 0, 0)
            && are_gradients (trm_pow, 3, 0, 0, logf (3))
            && are_gradients (trm_pow, 0, 2, 0, 0)
            && are_gradients (trm_pow, 0x1p-80, 2, 0x1p-79, 0)
            && are_gradients (trm_pow, 0x1p80, 2, 0x1p81, INFINITY)
            && are_gradients (trm_pow, 4, 0.5, 0.25, 2 * log (4)),
          "gradients of maximum, minimum and pow at corners");
  trm_tensor *nan = trm_number (TRM_F32, NAN), *y = trm_number (TRM_F32, 1);
  expect (isnan (trm_get (trm_maximum (nan, y), TRM_SCALAR))
            && isnan (trm_get (trm_maximum (y, nan), TRM_SCALAR))
            && isnan (trm_get (trm_minimum (nan, y), TRM_SCALAR))
            && isnan (trm_get (trm_minimum (y, nan), TRM_SCALAR))
            && isnan (trm_get (trm_relu (nan), TRM_SCALAR))
            && isnan (trm_get (clamp (nan), TRM_SCALAR))
            && !trm_get_int (trm_equal (nan, nan), TRM_SCALAR)
            && !trm_get_int (trm_less_equal (nan, y), TRM_SCALAR),
          "NaN stays NaN, and equals nothing");
}

/* Arguments of other types than what is computed, strided: gradients are of
   their types and shapes.  */
static void
test_mixed_gradients (void)
{
  trm_scope_open ();
  trm_tensor *a = numbers (1, 0.5, 2, TRM_SHAPE (5, 4));
  trm_tensor *b = numbers (2, 0.5, 2, TRM_SHAPE (5, 1));
  trm_tensor *half = trm_want_gradient (trm_cast (a, TRM_F16));
  trm_tensor *single = trm_want_gradient (trm_cast (b, TRM_F32));
  trm_tape_open ();
  trm_tensor *y = trm_div (trm_t (half), trm_t (single));
  trm_backward (trm_sum (y, TRM_ALL, false), NULL);
  trm_tape_close ();
  const trm_tensor *ga = trm_gradient_of (half);
  const trm_tensor *gb = trm_gradient_of (single);
  bool right = ga && gb && ga->type == TRM_F16 && gb->type == TRM_F32
               && trm_same_shape (ga, a) && trm_same_shape (gb, b);
  for (int64_t i = 0; right && i < 5; i++)
    {
      double w = element (b, i), sum = 0;
      for (int64_t j = 0; j < 4; j++)
        {
          right &= fabs (element (ga, i * 4 + j) - 1 / w) < 2e-3;
          sum -= element (a, i * 4 + j) / w / w;
        }
      right &= fabs (element (gb, i) - sum) < 1e-2;
    }
  expect (right, "gradients of f16 and f32, transposed and broadcast");
  trm_scope_close ();
}

/* What is saved may not be changed before backward, other things may.  */
static void
test_changes (void)
{
  trm_scope_open ();
  trm_tensor *x = trm_want_gradient (numbers (1, 1, 2, TRM_SHAPE (4)));
  trm_tensor *b = numbers (2, 1, 2, TRM_SHAPE (4));
  trm_tape_open ();
  trm_tensor *y = trm_sum (trm_sub (x, b), TRM_ALL, false);
  trm_fill (b, 7);
  expect (!trm_backward (y, NULL), "an argument of sub may be changed");
  y = trm_sum (trm_mul (x, b), TRM_ALL, false);
  trm_fill (b, 8);
  expect (trm_backward (y, NULL) == TRM_CHANGED
            && expect_failed (TRM_CHANGED, "mul"),
          "an argument of mul may not");
  trm_tape_close ();
  trm_scope_close ();
}

/* Failures, and their messages.  */
static void
test_errors (void)
{
  trm_scope_open ();
  trm_tensor *a = trm_zeros (TRM_F32, TRM_SHAPE (2, 3));
  trm_tensor *b = trm_zeros (TRM_F32, TRM_SHAPE (4));
  bool told = true;
  for (int k = 0; k < COUNT (binary_cases); k++)
    {
      char text[100];
      snprintf (text, sizeof text,
                "%s: shapes [2, 3] and [4] cannot be broadcast",
                binary_cases[k].name);
      told &= !binary_cases[k].of (a, b) && expect_failed (TRM_BAD_SHAPE, text);
    }
  told &= !trm_where (a, a, b)
          && expect_failed (TRM_BAD_SHAPE, "where: shapes [2, 3] and [4]")
          && !trm_where (b, a, a)
          && expect_failed (TRM_BAD_SHAPE, "where: shapes [4] and [2, 3]");
  expect (told, "shapes that cannot be broadcast are told");
  bool kept = !trm_add (a, b);
  for (int k = 0; k < COUNT (unary_cases); k++)
    kept &= !unary_cases[k].of (NULL);
  for (int k = 0; k < COUNT (binary_cases); k++)
    kept &= !binary_cases[k].of (NULL, a) && !binary_cases[k].of (a, NULL);
  kept &= !trm_not (NULL) && !trm_where (NULL, a, a) && !trm_where (a, NULL, a)
          && !trm_where (a, a, NULL);
  expect (kept && expect_failed (TRM_BAD_SHAPE, "add: shapes"),
          "NULL gives NULL and keeps the first message");
  trm_scope_close ();
}

/* Without memory each operation fails, at whichever allocation, and nothing is
   lost.  */
static void
test_memory (void)
{
  int64_t before = trm_memory_now ().bytes;
  bool right = true;
  trm_scope_open ();
  trm_tensor *h = trm_want_gradient (trm_full (TRM_F16, TRM_SHAPE (64), 2));
  trm_tensor *i = trm_full (TRM_I8, TRM_SHAPE (3, 1), 2);
  for (int64_t room = 0; room < 4000; room += 64)
    {
      trm_memory_limit (trm_memory_now ().bytes + room);
      trm_tape_open ();
      trm_tensor *y = trm_mul (trm_exp (h), trm_where (i, h, i));
      trm_status status = trm_backward (trm_sum (y, TRM_ALL, false), NULL);
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
  bool right = true;
  trm_scope_open ();
  trm_tensor *x[]
    = { trm_cast (numbers (1, 0.5, 2, TRM_SHAPE (200, 700)), TRM_F32),
        trm_cast (numbers (2, 0.5, 2, TRM_SHAPE (700)), TRM_F32) };
  for (int k = 0; k < COUNT (unary_cases); k++)
    {
      one = unary_cases[k].of;
      right &= same_for_threads (of_one, 1, x);
    }
  for (int k = 0; k < N_DIFFERENTIABLE; k++)
    {
      two = binary_cases[k].of;
      right &= same_for_threads (of_two, 2, x);
    }
  expect (right,
          "results and gradients have the same bits for 1, 2, 4 threads");
  trm_scope_close ();
}

int
main (void)
{
  trm_scope_open ();
  test_unary ();
  test_binary ();
  test_where ();
  test_whole ();
  test_unary_gradients ();
  test_binary_gradients ();
  test_corners ();
  test_mixed_gradients ();
  test_changes ();
  test_errors ();
  test_memory ();
  test_threads ();
  trm_scope_close ();
  return expect_status ();
}
