/* Element by element, and along an axis: the loops of the rows of
   kernel-elementwise.def, and a few that are alone of their kind.

   Of one argument, y[i] := value (x[i]); the numbers p and q of the operations
   that have such.

   Of two, y := value (a, b), in four forms:

     name     arrays of n elements
     name_11  n rows of m; those of a begin a_row elements apart, those of b
              b_row apart, where 0 is the same row again
     name_10  the same with one element of b for each row
     name_01  the same with one element of a for each row

   Along an axis, x [outer][n][inner] is folded over its middle: y
   [outer][inner], but for cumsum, of x's shape.  name_rows is for inner = 1.
   Sums are made in double.  */

#define PRAGMA_OF(words) _Pragma (#words)
#define PRAGMA(...)      PRAGMA_OF (tensor __VA_ARGS__)
#define UNUSED           __attribute__ ((unused))

/* 1 / (1 + exp (-v)), where the exponential may be infinite: 0.  */
static inline R
F (logistic) (R v)
{
  return 1 / (1 + M (exp) (-v));
}

#define TRM_UNARY(name, needs, value, whole, twice)                            \
  static void F (name) (int64_t n, R *restrict y, const R *restrict x,         \
                        R p UNUSED, R q UNUSED)                                \
  {                                                                            \
    PRAGMA ()                                                                  \
    for (int64_t i = 0; i < n; i++)                                            \
      {                                                                        \
        const R v = x[i];                                                      \
        y[i] = value;                                                          \
      }                                                                        \
  }                                                                            \
  UNARY_BACK_##needs (name)
#define UNARY_BACK_X(name)                                                     \
  PRAGMA (gradient (F (name)) of (y : dy) wrt (x : dx) clear (dx))             \
  static void F (name##_back) (int64_t n, const R *x, const R *dy,             \
                               R *restrict dx, R p, R q);
#define UNARY_BACK_Y(name)                                                     \
  PRAGMA (gradient (F (name)) of (y : dy) wrt (x : dx) given (y) clear (dx))   \
  static void F (name##_back) (int64_t n, const R *y, const R *dy,             \
                               R *restrict dx, R p, R q);
#define UNARY_BACK_G UNARY_BACK_X

/* Gradients by way of a slope that is said: of what becomes of a small z added
   to x, which is linear in z, where v is of x or of y.  */
#define UNARY_BACK_XS(name)                                                    \
  static void F (name##_slope) (int64_t n, R *restrict slope,                  \
                                const R *restrict of, const R *restrict z,     \
                                R p UNUSED, R q UNUSED)                        \
  {                                                                            \
    PRAGMA ()                                                                  \
    for (int64_t i = 0; i < n; i++)                                            \
      {                                                                        \
        const R v = of[i];                                                     \
        slope[i] = SLOPE_##name * z[i];                                        \
      }                                                                        \
  }                                                                            \
  PRAGMA (gradient (F (name##_slope)) of (slope : dy) wrt (z : dx) clear (dx)) \
  static void F (name##_back) (int64_t n, const R *of, const R *dy,            \
                               R *restrict dx, R p, R q);
#define UNARY_BACK_YS UNARY_BACK_XS
#define SLOPE_sigmoid (v * (1 - v))
#define SLOPE_silu    F (silu_slope_at) (v)
#define SLOPE_reciprocal (-(v * v))
static inline R
F (silu_slope_at) (R v)
{
  R s = F (logistic) (v);
  return s + v * s * (1 - s);
}

#define TRM_PAIRS(name, result, of, value)                                     \
  static void F (name) (int64_t n, result *restrict y, const of *restrict a,   \
                        const of *restrict b)                                  \
  {                                                                            \
    PRAGMA ()                                                                  \
    for (int64_t i = 0; i < n; i++)                                            \
      {                                                                        \
        const of v = a[i], w = b[i];                                           \
        y[i] = value;                                                          \
      }                                                                        \
  }                                                                            \
  BLOCK (name##_11, result, of, value, +j, +j)                                 \
  BLOCK (name##_10, result, of, value, +j, )                                   \
  BLOCK (name##_01, result, of, value, , +j)
#define BLOCK(name, result, of, value, a_step, b_step)                         \
  static void F (name) (int64_t n, int64_t m, result *restrict y,              \
                        const of *restrict a, int64_t a_row,                   \
                        const of *restrict b, int64_t b_row)                   \
  {                                                                            \
    PRAGMA ()                                                                  \
    for (int64_t i = 0; i < n; i++)                                            \
      for (int64_t j = 0; j < m; j++)                                          \
        {                                                                      \
          const of v = a[i * a_row a_step], w = b[i * b_row b_step];           \
          y[i * m + j] = value;                                                \
        }                                                                      \
  }
#define TRM_BINARY(name, value, whole, back_a, twice_a, back_b, twice_b)       \
  TRM_PAIRS (name, R, R, value)                                                \
  BINARY_BACK_##back_a (name, a) BINARY_BACK_##back_b (name, b)                \
  BINARY_BOTH_##back_a##_##back_b (name)
#define BINARY_BOTH_SAME_SAME(name)
#define BINARY_BOTH_AB_AB(name)                                                \
  PRAGMA (gradient (F (name)) of (y : dy) wrt (a : da, b : db) clear (da, db)) \
  static void F (name##_back_both) (int64_t n, const R *a, const R *b,         \
                                    const R *dy, R *restrict da,               \
                                    R *restrict db);
#define BINARY_BOTH_SAME_G(name)                                               \
  PRAGMA (gradient (F (name)) of (y : dy) wrt (a : da, b : db) clear (da, db)) \
  static void F (name##_back_both) (int64_t n, const R *dy, R *restrict da,    \
                                    R *restrict db);
#define BINARY_BACK_AB(name, operand)                                          \
  PRAGMA (gradient (F (name)) of (y : dy) wrt (operand : d) clear (d))         \
  static void F (name##_back_##operand) (int64_t n, const R *a, const R *b,    \
                                         const R *dy, R *restrict d);
#define BINARY_BACK_G(name, operand)                                           \
  PRAGMA (gradient (F (name)) of (y : dy) wrt (operand : d) clear (d))         \
  static void F (name##_back_##operand) (int64_t n, const R *dy, R *restrict d);
#define BINARY_BACK_SAME(name, operand)
#define BINARY_BACK_PART BINARY_BACK_AB
#define BINARY_BOTH_PART_AB(name)                                              \
  PRAGMA (gradient (F (name##_slope)) of (slope : dy) wrt (r : da, s : db)     \
            clear (da, db))                                                    \
  static void F (name##_back_both) (int64_t n, const R *a, const R *b,         \
                                    const R *dy, R *restrict da,               \
                                    R *restrict db);
#define TRM_COMPARE(name, value) TRM_PAIRS (name, uint8_t, R, value)
#define TRM_LOGIC(name, value)   TRM_PAIRS (name, uint8_t, uint8_t, value)

/* A fold: BODY reads X (k) and writes Y, or Y_AT (k).  */
#define COLUMN_X(k)    x[(i * n + (k)) * inner + j]
#define COLUMN_Y       y[i * inner + j]
#define COLUMN_Y_AT(k) y[(i * n + (k)) * inner + j]
#define ROW_X(k)       x[i * n + (k)]
#define ROW_Y          y[i]
#define ROW_Y_AT(k)    y[i * n + (k)]
#define TRM_FOLD(name, result, back)                                           \
  static void F (name) (int64_t outer, int64_t n, int64_t inner,               \
                        result *restrict y, const R *restrict x,               \
                        double divisor UNUSED)                                 \
  {                                                                            \
    PRAGMA ()                                                                  \
    for (int64_t i = 0; i < outer; i++)                                        \
      COLUMNS_##name (name)                                                    \
  }                                                                            \
  static void F (name##_rows) (int64_t outer, int64_t n, result *restrict y,   \
                               const R *restrict x, double divisor UNUSED)     \
  {                                                                            \
    PRAGMA ()                                                                  \
    for (int64_t i = 0; i < outer; i++)                                        \
      FOLD_##name (ROW_X, ROW_Y, ROW_Y_AT)                                     \
  }                                                                            \
  FOLD_BACK_##back (name)
#define FOLD_BACK_BACK(name)                                                   \
  PRAGMA (gradient (F (name)) of (y : dy) wrt (x : dx) clear (dx))             \
  static void F (name##_back) (int64_t outer, int64_t n, int64_t inner,        \
                               const R *x, const R *dy, R *restrict dx,        \
                               double divisor);                                \
  PRAGMA (gradient (F (name##_rows)) of (y : dy) wrt (x : dx) clear (dx))      \
  static void F (name##_rows_back) (int64_t outer, int64_t n, const R *x,      \
                                    const R *dy, R *restrict dx,               \
                                    double divisor);
#define FOLD_BACK_NONE(name)
#define FOLD_BACK_SLOPE(name)
#define FOLD_BACK_COLUMNS(name)                                                \
  PRAGMA (gradient (F (name)) of (y : dy) wrt (x : dx) clear (dx))             \
  static void F (name##_back) (int64_t outer, int64_t n, int64_t inner,        \
                               const R *x, const R *dy, R *restrict dx,        \
                               double divisor);

/* All columns of outer element i: one by one, or side by side.  */
#define ONE_BY_ONE(name)                                                       \
  for (int64_t j = 0; j < inner; j++)                                          \
    FOLD_##name (COLUMN_X, COLUMN_Y, COLUMN_Y_AT)
#define COLUMNS_sum    ONE_BY_ONE
#define COLUMNS_prod   ONE_BY_ONE
#define COLUMNS_max    ONE_BY_ONE
#define COLUMNS_min    ONE_BY_ONE
#define COLUMNS_var    ONE_BY_ONE
#define COLUMNS_cumsum ONE_BY_ONE
#define PLACES(within)                                                         \
  {                                                                            \
    R most[inner];                                                             \
    for (int64_t j = 0; j < inner; j++)                                        \
      {                                                                        \
        most[j] = COLUMN_X (0);                                                \
        COLUMN_Y = 0;                                                          \
      }                                                                        \
    for (int64_t k = 1; k < n; k++)                                            \
      for (int64_t j = 0; j < inner; j++)                                      \
        {                                                                      \
          R v = COLUMN_X (k);                                                  \
          bool taken = !(v within most[j]) && most[j] == most[j];              \
          COLUMN_Y = taken ? k : COLUMN_Y;                                     \
          most[j] = taken ? v : most[j];                                       \
        }                                                                      \
  }
#define COLUMNS_argmax(name) PLACES (<=)
#define COLUMNS_argmin(name) PLACES (>=)

#define FOLD_sum(X, Y, Y_AT)                                                   \
  {                                                                            \
    double s = 0;                                                              \
    for (int64_t k = 0; k < n; k++)                                            \
      s += X (k);                                                              \
    Y = s / divisor;                                                           \
  }
#define FOLD_prod(X, Y, Y_AT)                                                  \
  {                                                                            \
    double s = 1;                                                              \
    for (int64_t k = 0; k < n; k++)                                            \
      s *= X (k);                                                              \
    Y = s;                                                                     \
  }
#define FOLD_cumsum(X, Y, Y_AT)                                                \
  {                                                                            \
    double s = 0;                                                              \
    for (int64_t k = 0; k < n; k++)                                            \
      {                                                                        \
        s += X (k);                                                            \
        Y_AT (k) = s;                                                          \
      }                                                                        \
  }
#define FOLD_var(X, Y, Y_AT)                                                   \
  {                                                                            \
    double s = 0, square = 0;                                                  \
    for (int64_t k = 0; k < n; k++)                                            \
      s += X (k);                                                              \
    double mean = s / n;                                                       \
    for (int64_t k = 0; k < n; k++)                                            \
      square += (X (k) - mean) * (X (k) - mean);                               \
    Y = square / divisor;                                                      \
  }

/* The first of the elements that no other one is BEYOND; NaN where there is
   one.  Its place, or that of the first NaN.  */
#define FOLD_most(X, Y, beyond)                                                \
  {                                                                            \
    R most = X (0);                                                            \
    int lost = 0;                                                              \
    for (int64_t k = 0; k < n; k++)                                            \
      {                                                                        \
        if (X (k) beyond most)                                                 \
          most = X (k);                                                        \
        lost |= X (k) != X (k);                                                \
      }                                                                        \
    Y = lost ? (R) NAN : most;                                                 \
  }
#define FOLD_place(X, Y, beyond)                                               \
  {                                                                            \
    R most = X (0);                                                            \
    int64_t at = 0;                                                            \
    int lost = 0;                                                              \
    for (int64_t k = 0; k < n; k++)                                            \
      if (X (k) beyond most)                                                   \
        {                                                                      \
          most = X (k);                                                        \
          at = k;                                                              \
        }                                                                      \
    for (int64_t k = 0; k < n; k++)                                            \
      lost |= X (k) != X (k);                                                  \
    if (lost)                                                                  \
      {                                                                        \
        at = n;                                                                \
        for (int64_t k = 0; k < n; k++)                                        \
          if (X (k) != X (k) && k < at)                                        \
            at = k;                                                            \
      }                                                                        \
    Y = at;                                                                    \
  }
#define FOLD_max(X, Y, Y_AT)    FOLD_most (X, Y, >)
#define FOLD_min(X, Y, Y_AT)    FOLD_most (X, Y, <)
#define FOLD_argmax(X, Y, Y_AT) FOLD_place (X, Y, >)
#define FOLD_argmin(X, Y, Y_AT) FOLD_place (X, Y, <)

/* What a^b becomes of a small r added to a and s to b, by one power.  */
static void
F (pow_slope) (int64_t n, R *restrict slope, const R *restrict a,
               const R *restrict b, const R *restrict r, const R *restrict s)
{
#pragma tensor
  for (int64_t i = 0; i < n; i++)
    {
      const R v = a[i], w = b[i];
      R power = M (pow) (v, w - 1);
      R of_a = w == 0 ? 0 : w * power;
      R of_b = v == 0 ? 0 : v * power * M (log) (v);
      slope[i] = of_a * r[i] + of_b * s[i];
    }
}

/* IS_NEAR: the result y is so far from the ends of what there is, 36 bits or
   more, that nothing was lost, nor is when a gradient is multiplied by it.  How
   many are not so, or have an a that is 0.  */
#define IS_NEAR(y) (M (fabs) (y) > (R) 0x1p-90 && M (fabs) (y) < (R) 0x1p90)
static void
F (count_far) (int64_t n, const R *restrict a, const R *restrict y,
             int64_t *restrict far)
{
#pragma tensor
  {
    int64_t s = 0;
    for (int64_t i = 0; i < n; i++)
      s += !(IS_NEAR (y[i]) && a[i] != 0);
    *far = s;
  }
}

/* What a^b, which is y, becomes by no power, where y is near and a not 0.  */
static void
F (pow_near_slope) (int64_t n, R *restrict slope, const R *restrict a,
                    const R *restrict b, const R *restrict y,
                    const R *restrict r, const R *restrict s)
{
#pragma tensor
  for (int64_t i = 0; i < n; i++)
    slope[i] = y[i] * (b[i] / a[i] * r[i] + M (log) (a[i]) * s[i]);
}
#pragma tensor gradient(F (pow_near_slope)) of(slope : dy) wrt(r : da)        \
  clear(da)
static void F (pow_near_back_a) (int64_t n, const R *a, const R *b, const R *y,
                                 const R *dy, R *restrict da);
#pragma tensor gradient(F (pow_near_slope)) of(slope : dy) wrt(s : db)        \
  clear(db)
static void F (pow_near_back_b) (int64_t n, const R *a, const R *b, const R *y,
                                 const R *dy, R *restrict db);
#pragma tensor gradient(F (pow_near_slope)) of(slope : dy)                    \
  wrt(r : da, s : db) clear(da, db)
static void F (pow_near_back_both) (int64_t n, const R *a, const R *b,
                                    const R *y, const R *dy, R *restrict da,
                                    R *restrict db);

#include "kernel-elementwise.def"

/* What an extreme y becomes of a small z added to x: the part of z at the first
   element that is y, or NaN.  Linear in z, so that the gradient needs no more
   than that place, which is n - left.  */
#define LEFT(k)                                                                \
  (X (k) == Y || X (k) != X (k) ? (int32_t) n - (int32_t) (k) : 0)
#define X ROW_X
#define Y ROW_Y
static void
F (extreme_rows_slope) (int64_t outer, int64_t n, R *restrict slope,
                        const R *restrict x, const R *restrict y,
                        const R *restrict z)
{
#pragma tensor
  for (int64_t i = 0; i < outer; i++)
    {
      int32_t left = 0;
      for (int64_t k = 0; k < n; k++)
        {
          int32_t here = LEFT (k);
          left = here > left ? here : left;
        }
      int32_t at = (int32_t) n - left;
      R s = 0;
      for (int64_t k = 0; k < n; k++)
        s += (R) ((int32_t) k == at) * z[i * n + k];
      slope[i] = s;
    }
}
#undef X
#undef Y
#define X COLUMN_X
#define Y COLUMN_Y
static void
F (extreme_slope) (int64_t outer, int64_t n, int64_t inner, R *restrict slope,
                   const R *restrict x, const R *restrict y,
                   const R *restrict z)
{
#pragma tensor
  for (int64_t i = 0; i < outer; i++)
    {
      int32_t left[inner];
      for (int64_t j = 0; j < inner; j++)
        {
          left[j] = 0;
          slope[i * inner + j] = 0;
        }
      for (int64_t k = 0; k < n; k++)
        for (int64_t j = 0; j < inner; j++)
          {
            int32_t here = LEFT (k);
            left[j] = here > left[j] ? here : left[j];
          }
      for (int64_t k = 0; k < n; k++)
        for (int64_t j = 0; j < inner; j++)
          slope[i * inner + j] += (R) ((int32_t) n - (int32_t) k == left[j])
                                  * z[(i * n + k) * inner + j];
    }
}
#undef X
#undef Y
#pragma tensor gradient(F (extreme_rows_slope)) of(slope : dy) wrt(z : dx)    \
  clear(dx)
static void F (extreme_rows_back) (int64_t outer, int64_t n, const R *x,
                                   const R *y, const R *dy, R *restrict dx);
#pragma tensor gradient(F (extreme_slope)) of(slope : dy) wrt(z : dx)         \
  clear(dx)
static void F (extreme_back) (int64_t outer, int64_t n, int64_t inner,
                              const R *x, const R *y, const R *dy,
                              R *restrict dx);

/* The same of products of rows: of the factors that are not 0, by each, or
   where one alone is 0 their product at it.  */
static void
F (factors_slope) (int64_t outer, int64_t n, R *restrict slope,
                   const R *restrict x, const R *restrict z)
{
#pragma tensor
  for (int64_t i = 0; i < outer; i++)
    {
      double product = 1, s = 0;
      int64_t zeros = 0;
      for (int64_t k = 0; k < n; k++)
        {
          product *= ROW_X (k) == 0 ? 1 : ROW_X (k);
          zeros += ROW_X (k) == 0;
        }
      double every = zeros == 0 ? product : 0, one = zeros == 1 ? product : 0;
      for (int64_t k = 0; k < n; k++)
        {
          double v = ROW_X (k);
          s += (v == 0 ? one : every / v) * z[i * n + k];
        }
      slope[i] = s;
    }
}
#pragma tensor gradient(F (factors_slope)) of(slope : dy) wrt(z : dx) clear(dx)
static void F (factors_back) (int64_t outer, int64_t n, const R *x, const R *dy,
                              R *restrict dx);

/* The same of rows and columns whose products y are near: none of their factors
   is 0, and y over each of them is what the others make.  */
#define ROW_Z(k)    z[i * n + (k)]
#define COLUMN_Z(k) z[(i * n + (k)) * inner + j]
#define NEAR_SLOPE(X, Y, Z, SLOPE)                                             \
  {                                                                            \
    R parts = 0;                                                               \
    for (int64_t k = 0; k < n; k++)                                            \
      parts += Z (k) / X (k);                                                  \
    SLOPE = Y * parts;                                                         \
  }
static void
F (factors_near_rows_slope) (int64_t outer, int64_t n, R *restrict slope,
                             const R *restrict x, const R *restrict y,
                             const R *restrict z)
{
#pragma tensor
  for (int64_t i = 0; i < outer; i++)
    NEAR_SLOPE (ROW_X, ROW_Y, ROW_Z, slope[i])
}
static void
F (factors_near_slope) (int64_t outer, int64_t n, int64_t inner,
                        R *restrict slope, const R *restrict x,
                        const R *restrict y, const R *restrict z)
{
#pragma tensor
  for (int64_t i = 0; i < outer; i++)
    for (int64_t j = 0; j < inner; j++)
      NEAR_SLOPE (COLUMN_X, COLUMN_Y, COLUMN_Z, slope[i * inner + j])
}
#pragma tensor gradient(F (factors_near_rows_slope)) of(slope : dy)           \
  wrt(z : dx) clear(dx)
static void F (factors_near_rows_back) (int64_t outer, int64_t n, const R *x,
                                        const R *y, const R *dy,
                                        R *restrict dx);
#pragma tensor gradient(F (factors_near_slope)) of(slope : dy) wrt(z : dx)    \
  clear(dx)
static void F (factors_near_back) (int64_t outer, int64_t n, int64_t inner,
                                   const R *x, const R *y, const R *dy,
                                   R *restrict dx);

/* The same of variances: of 2 (x - mean), which add up to 0, so that the mean
   may be taken for a constant.  HIGH and LOW are the mean to twice the bits of
   R, so that a mean far from 0 costs no more than a rounding.  */
#define VAR_SLOPE(X, Z, SLOPE)                                                 \
  {                                                                            \
    double s = 0;                                                              \
    R dot = 0;                                                                 \
    for (int64_t k = 0; k < n; k++)                                            \
      s += X (k);                                                              \
    double mean = s / n;                                                       \
    R high = mean;                                                             \
    R low = mean - high;                                                       \
    for (int64_t k = 0; k < n; k++)                                            \
      dot += (X (k) - high - low) * Z (k);                                     \
    SLOPE = dot * (2 / divisor);                                               \
  }
static void
F (var_rows_slope) (int64_t outer, int64_t n, R *restrict slope,
                    const R *restrict x, const R *restrict z, double divisor)
{
#pragma tensor
  for (int64_t i = 0; i < outer; i++)
    VAR_SLOPE (ROW_X, ROW_Z, slope[i])
}
static void
F (var_slope) (int64_t outer, int64_t n, int64_t inner, R *restrict slope,
               const R *restrict x, const R *restrict z, double divisor)
{
#pragma tensor
  for (int64_t i = 0; i < outer; i++)
    for (int64_t j = 0; j < inner; j++)
      VAR_SLOPE (COLUMN_X, COLUMN_Z, slope[i * inner + j])
}
#pragma tensor gradient(F (var_rows_slope)) of(slope : dy) wrt(z : dx)        \
  clear(dx)
static void F (var_rows_back) (int64_t outer, int64_t n, const R *x,
                               const R *dy, R *restrict dx, double divisor);
#pragma tensor gradient(F (var_slope)) of(slope : dy) wrt(z : dx) clear(dx)
static void F (var_back) (int64_t outer, int64_t n, int64_t inner, const R *x,
                          const R *dy, R *restrict dx, double divisor);

/* Whether bytes are not 0: each, any of them, all of them.  */
static void
F (not) (int64_t n, uint8_t *restrict y, const uint8_t *restrict x)
{
#pragma tensor
  for (int64_t i = 0; i < n; i++)
    y[i] = x[i] == 0;
}
#define TRUTH(name, first, beyond)                                             \
  static void F (name) (int64_t outer, int64_t n, int64_t inner,               \
                        uint8_t *restrict y, const uint8_t *restrict x)        \
  {                                                                            \
    PRAGMA ()                                                                  \
    for (int64_t i = 0; i < outer; i++)                                        \
      for (int64_t j = 0; j < inner; j++)                                      \
        {                                                                      \
          uint8_t s = first;                                                   \
          for (int64_t k = 0; k < n; k++)                                      \
            s = COLUMN_X (k) beyond s ? COLUMN_X (k) : s;                      \
          COLUMN_Y = s != 0;                                                   \
        }                                                                      \
  }                                                                            \
  static void F (name##_rows) (int64_t outer, int64_t n, uint8_t *restrict y,  \
                               const uint8_t *restrict x)                      \
  {                                                                            \
    PRAGMA ()                                                                  \
    for (int64_t i = 0; i < outer; i++)                                        \
      {                                                                        \
        uint8_t s = first;                                                     \
        for (int64_t k = 0; k < n; k++)                                        \
          s = ROW_X (k) beyond s ? ROW_X (k) : s;                              \
        ROW_Y = s != 0;                                                        \
      }                                                                        \
  }
TRUTH (any, 0, >)
TRUTH (every, 1, <)

static void
F (where) (int64_t n, R *restrict y, const uint8_t *restrict c,
           const R *restrict a, const R *restrict b)
{
#pragma tensor
  for (int64_t i = 0; i < n; i++)
    {
      const R v = a[i], w = b[i];
      y[i] = c[i] ? v : w;
    }
}
#pragma tensor gradient(F (where)) of(y : dy) wrt(a : d) clear(d)
static void F (where_back_a) (int64_t n, const uint8_t *c, const R *dy,
                              R *restrict d);
#pragma tensor gradient(F (where)) of(y : dy) wrt(b : d) clear(d)
static void F (where_back_b) (int64_t n, const uint8_t *c, const R *dy,
                              R *restrict d);
#pragma tensor gradient(F (where)) of(y : dy) wrt(a : da, b : db) clear(da, db)
static void F (where_back_both) (int64_t n, const uint8_t *c, const R *dy,
                                 R *restrict da, R *restrict db);

/* The sum of an array by parts of one size, so that threads have something to
   share.  */
#define PART 4096
static void
F (sum_all) (int64_t n, R *restrict y, const R *restrict x, double divisor)
{
#pragma tensor
  {
    int64_t parts = (n + PART - 1) / PART;
    double part[parts];
    for (int64_t p = 0; p < parts; p++)
      {
        part[p] = 0;
        for (int64_t k = 0; k < PART; k++)
          if (p * PART + k < n)
            part[p] += x[p * PART + k];
      }
    double s = 0;
    for (int64_t p = 0; p < parts; p++)
      s += part[p];
    y[0] = s / divisor;
  }
}

/* to += from: n rows of m that begin to_row and from_row apart; or one element
   of from for each row.  */
static void
F (add_to) (int64_t n, int64_t m, R *restrict to, int64_t to_row,
            const R *restrict from, int64_t from_row)
{
#pragma tensor
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < m; j++)
      to[i * to_row + j] += from[i * from_row + j];
}
static void
F (add_number_to) (int64_t n, int64_t m, R *restrict to, int64_t to_row,
                   const R *restrict from, int64_t from_row)
{
#pragma tensor
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < m; j++)
      to[i * to_row + j] += from[i * from_row];
}

#undef PRAGMA_OF
#undef PRAGMA
#undef UNUSED
#undef UNARY_BACK_X
#undef UNARY_BACK_Y
#undef UNARY_BACK_G
#undef BLOCK
#undef UNARY_BACK_XS
#undef UNARY_BACK_YS
#undef SLOPE_sigmoid
#undef SLOPE_silu
#undef SLOPE_reciprocal
#undef BINARY_BACK_AB
#undef BINARY_BACK_PART
#undef BINARY_BOTH_AB_AB
#undef BINARY_BOTH_PART_AB
#undef BINARY_BOTH_SAME_G
#undef BINARY_BOTH_SAME_SAME
#undef BINARY_BACK_G
#undef BINARY_BACK_SAME
#undef COLUMN_X
#undef COLUMN_Y
#undef COLUMN_Y_AT
#undef ROW_X
#undef ROW_Y
#undef ROW_Y_AT
#undef FOLD_BACK_BACK
#undef FOLD_BACK_NONE
#undef FOLD_BACK_SLOPE
#undef FOLD_BACK_COLUMNS
#undef ONE_BY_ONE
#undef COLUMNS_sum
#undef COLUMNS_prod
#undef COLUMNS_max
#undef COLUMNS_min
#undef COLUMNS_var
#undef COLUMNS_cumsum
#undef COLUMNS_argmax
#undef COLUMNS_argmin
#undef PLACES
#undef LEFT
#undef IS_NEAR
#undef NEAR_SLOPE
#undef VAR_SLOPE
#undef ROW_Z
#undef COLUMN_Z
#undef TRUTH
#undef FOLD_sum
#undef FOLD_prod
#undef FOLD_cumsum
#undef FOLD_var
#undef FOLD_most
#undef FOLD_place
#undef FOLD_max
#undef FOLD_min
#undef FOLD_argmax
#undef FOLD_argmin
#undef PART
