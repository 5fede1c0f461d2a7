/* Values for the programs of this folder, and comparisons that end them.

   A program has each of its arrays twice, a[0] for the plain loops and a[1]
   for the region, and each kernel twice, plain_KERNEL and KERNEL:

     FILL (a);                        the same values in both
     BOTH (kernel, a[W], b[W], n);    W is 0 for the plain one, else 1
     CHECK (a);                       all elements are equal

   A plain kernel that takes long is PLAIN_O2: optimised at -O0, too.

   FILL gives whole numbers from -7 to 7, so that sums and products of floats
   are exact in any order; FILL_REAL gives reals from -1 to 1.  */

#ifndef COMPARE_H
#define COMPARE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE  __attribute__ ((noinline))
#define PLAIN_O2  static __attribute__ ((noinline, optimize ("O2")))
#define MOST      127
#define AREA      (128 * 128)
#define LENGTH(a) (sizeof (a) / sizeof ((a)[0]))

static const int sizes[] = { 0, 1, 2, 3, 5, 7, 16, 17, 31, 33, 64, 100, MOST };

/* Sizes for loops that are nested deeply.  */
static const int small_sizes[] = { 0, 1, 2, 3, 5, 16, 17, 33 };

/* The sizes at hand, for messages.  */
static int current[2];

static unsigned state = 1;

/* The next number from 0 to 65535.  */
static inline __attribute__ ((always_inline)) unsigned
next (void)
{
  state = state * 1103515245u + 12345u;
  return state >> 16;
}

/* Tell of the first difference and end.  */
static inline void
differ (const char *array, size_t at, double plain, double tensor)
{
  printf ("%s[%zu] is %.17g, not %.17g, for sizes %d and %d\n", array, at,
          tensor, plain, current[0], current[1]);
  exit (1);
}

/* What fills N elements with whole numbers from -7 to 7, and what finds the first
   that is not equal, N where all are: optimised in programs at -O0, too, which
   would do little else.  */
#define COMPARED(name, type)                                                   \
  static inline                                                                \
    __attribute__ ((optimize ("O2"))) void fill_##name (type *a, size_t n)     \
  {                                                                            \
    for (size_t k = 0; k < n; k++)                                             \
      a[k] = (type) ((int) (next () % 15) - 7);                                \
  }                                                                            \
  static inline __attribute__ ((optimize ("O2")))                              \
  size_t unequal_##name (const type *a, const type *b, size_t n)               \
  {                                                                            \
    size_t k = 0;                                                              \
    while (k < n && a[k] == b[k])                                              \
      k++;                                                                     \
    return k;                                                                  \
  }

COMPARED (bool, _Bool)
COMPARED (char, char)
COMPARED (schar, signed char)
COMPARED (uchar, unsigned char)
COMPARED (short, short)
COMPARED (ushort, unsigned short)
COMPARED (int, int)
COMPARED (uint, unsigned)
COMPARED (long, long)
COMPARED (ulong, unsigned long)
COMPARED (llong, long long)
COMPARED (ullong, unsigned long long)
COMPARED (float, float)
COMPARED (double, double)
COMPARED (ldouble, long double)
#undef COMPARED

/* DO of the type of X: fill_int of an int.  */
#define OF_TYPE(x, do)                                                         \
  _Generic((x), _Bool                                                          \
           : do##_bool, char                                                   \
           : do##_char, signed char                                            \
           : do##_schar, unsigned char                                         \
           : do##_uchar, short                                                 \
           : do##_short, unsigned short                                        \
           : do##_ushort, int                                                  \
           : do##_int, unsigned                                                \
           : do##_uint, long                                                   \
           : do##_long, unsigned long                                          \
           : do##_ulong, long long                                             \
           : do##_llong, unsigned long long                                    \
           : do##_ullong, float                                                \
           : do##_float, double                                                \
           : do##_double, long double                                          \
           : do##_ldouble)

#define FILL(a)                                                                \
  do                                                                           \
    {                                                                          \
      OF_TYPE ((a)[0][0], fill) ((a)[0], LENGTH ((a)[0]));                     \
      memcpy ((a)[1], (a)[0], sizeof ((a)[0]));                                \
    }                                                                          \
  while (0)

#define FILL_WITH(a, value)                                                    \
  do                                                                           \
    {                                                                          \
      for (size_t k_ = 0; k_ < LENGTH ((a)[0]); k_++)                          \
        (a)[0][k_] = (value);                                                  \
      memcpy ((a)[1], (a)[0], sizeof ((a)[0]));                                \
    }                                                                          \
  while (0)

#define FILL_REAL(a)     FILL_WITH (a, (int) (next () % 2001) / 1000.0 - 1)
#define FILL_BELOW(a, m) FILL_WITH (a, next () % (m))

#define BOTH(kernel, ...)                                                      \
  do                                                                           \
    {                                                                          \
      {                                                                        \
        enum                                                                   \
        {                                                                      \
          W = 0                                                                \
        };                                                                     \
        plain_##kernel (__VA_ARGS__);                                          \
      }                                                                        \
      {                                                                        \
        enum                                                                   \
        {                                                                      \
          W = 1                                                                \
        };                                                                     \
        kernel (__VA_ARGS__);                                                  \
      }                                                                        \
    }                                                                          \
  while (0)

/* The same for a kernel with a value, which must be equal.  */
#define BOTH_EQUAL(kernel, ...)                                                \
  do                                                                           \
    {                                                                          \
      double value_[2];                                                        \
      {                                                                        \
        enum                                                                   \
        {                                                                      \
          W = 0                                                                \
        };                                                                     \
        value_[W] = plain_##kernel (__VA_ARGS__);                              \
      }                                                                        \
      {                                                                        \
        enum                                                                   \
        {                                                                      \
          W = 1                                                                \
        };                                                                     \
        value_[W] = kernel (__VA_ARGS__);                                      \
      }                                                                        \
      if (value_[0] != value_[1])                                              \
        differ (#kernel, 0, value_[0], value_[1]);                             \
    }                                                                          \
  while (0)

#define CHECK(a)                                                               \
  do                                                                           \
    {                                                                          \
      size_t k_                                                                \
        = OF_TYPE ((a)[0][0], unequal) ((a)[0], (a)[1], LENGTH ((a)[0]));      \
      if (k_ < LENGTH ((a)[0]))                                                \
        differ (#a, k_, (double) (a)[0][k_], (double) (a)[1][k_]);             \
    }                                                                          \
  while (0)

/* No element differs by more than BOUND, of numbers about 1, or by that part
   of a greater number.  */
#define CHECK_NEAR(a, bound)                                                   \
  do                                                                           \
    for (size_t k_ = 0; k_ < LENGTH ((a)[0]); k_++)                            \
      {                                                                        \
        double x_ = (a)[0][k_];                                                \
        double y_ = (a)[1][k_];                                                \
        double size_ = fabs (x_) > 1 ? fabs (x_) : 1;                          \
        if (!(fabs (x_ - y_) <= (bound) *size_))                               \
          differ (#a, k_, x_, y_);                                             \
      }                                                                        \
  while (0)

#define EACH_OF(n, list, place)                                                \
  for (size_t each_##n = 0, n;                                                 \
       each_##n < LENGTH (list)                                                \
       && (n = (size_t) (current[place] = list[each_##n]), 1);                 \
       each_##n++)

/* For each size N, a size_t.  */
#define EACH_SIZE(n)      EACH_OF (n, sizes, 0)
#define EACH_WIDTH(n)     EACH_OF (n, sizes, 1)
#define EACH_SMALL(n)     EACH_OF (n, small_sizes, 0)
#define EACH_SMALL_TOO(n) EACH_OF (n, small_sizes, 1)

#endif
