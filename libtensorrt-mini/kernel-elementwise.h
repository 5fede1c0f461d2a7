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

/* 1 / (1 + exp (-v)), whose exponential is at most 1.  */
static inline R
F (logistic) (R v)
{
  R e = M (exp) (v < 0 ? v : -v);
  return (v < 0 ? e : 1) / (1 + e);
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

#define TRM_PAIRS(name, result, value)                                         \
  static void F (name) (int64_t n, result *restrict y, const R *restrict a,    \
                        const R *restrict b)                                   \
  {                                                                            \
    PRAGMA ()                                                                  \
    for (int64_t i = 0; i < n; i++)                                            \
      {                                                                        \
        const R v = a[i], w = b[i];                                            \
        y[i] = value;                                                          \
      }                                                                        \
  }                                                                            \
  BLOCK (name##_11, result, value, +j, +j)                                     \
  BLOCK (name##_10, result, value, +j, )                                       \
  BLOCK (name##_01, result, value, , +j)
#define BLOCK(name, result, value, a_step, b_step)                             \
  static void F (name) (int64_t n, int64_t m, result *restrict y,              \
                        const R *restrict a, int64_t a_row,                    \
                        const R *restrict b, int64_t b_row)                    \
  {                                                                            \
    PRAGMA ()                                                                  \
    for (int64_t i = 0; i < n; i++)                                            \
      for (int64_t j = 0; j < m; j++)                                          \
        {                                                                      \
          const R v = a[i * a_row a_step], w = b[i * b_row b_step];            \
          y[i * m + j] = value;                                                \
        }                                                                      \
  }
#define TRM_BINARY(name, value, whole, back_a, twice_a, back_b, twice_b)       \
  TRM_PAIRS (name, R, value)                                                   \
  BINARY_BACK_##back_a (name, a) BINARY_BACK_##back_b (name, b)
#define BINARY_BACK_AB(name, operand)                                          \
  PRAGMA (gradient (F (name)) of (y : dy) wrt (operand : d) clear (d))         \
  static void F (name##_back_##operand) (int64_t n, const R *a, const R *b,    \
                                         const R *dy, R *restrict d);
#define BINARY_BACK_G(name, operand)                                           \
  PRAGMA (gradient (F (name)) of (y : dy) wrt (operand : d) clear (d))         \
  static void F (name##_back_##operand) (int64_t n, const R *dy, R *restrict d);
#define BINARY_BACK_SAME(name, operand)
#define TRM_COMPARE(name, value) TRM_PAIRS (name, uint8_t, value)

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
      for (int64_t j = 0; j < inner; j++)                                      \
        FOLD_##name (COLUMN_X, COLUMN_Y, COLUMN_Y_AT)                          \
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

#include "kernel-elementwise.def"

static void
F (where) (int64_t n, R *restrict y, const uint8_t *restrict c,
           const R *restrict a, const R *restrict b)
{
#pragma tensor
  for (int64_t i = 0; i < n; i++)
    y[i] = c[i] ? a[i] : b[i];
}
#pragma tensor gradient(F (where)) of(y : dy) wrt(a : d)
static void F (where_back_a) (int64_t n, const uint8_t *c, const R *dy,
                              R *restrict d);
#pragma tensor gradient(F (where)) of(y : dy) wrt(b : d)
static void F (where_back_b) (int64_t n, const uint8_t *c, const R *dy,
                              R *restrict d);

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
#undef BINARY_BACK_AB
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
