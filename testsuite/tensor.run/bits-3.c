/* Shows that parts of a local union, members of structures and elements of
   arrays, are parts of its bits: read, written one by one, and converted.  */
/* { dg-no-verdicts "the pragmas come of macros" } */

#include "compare.h"

typedef union words
{
  double value;
  struct
  {
    uint32_t low, high;
  } parts;
} words;

static inline int
high_of (double x)
{
  words w;
  w.value = x;
  return w.parts.high;
}

static inline double
with_high (double x, int high)
{
  words w;
  w.value = x;
  w.parts.high = high;
  return w.value;
}

static inline double
of_words (uint32_t high, uint32_t low)
{
  words w;
  w.parts.high = high;
  w.parts.low = low;
  return w.value;
}

static inline int
quick_floor (double x)
{
  union
  {
    int half[2];
    double value;
  } t;
  t.value = x + 68719476736.0 * 1.5;
  return t.half[0] >> 16;
}

static inline uint32_t
swapped (uint32_t x)
{
  union
  {
    uint32_t word;
    uint8_t byte[4];
  } from, to;
  from.word = x;
  to.byte[0] = from.byte[3];
  to.byte[1] = from.byte[2];
  to.byte[2] = from.byte[1];
  to.byte[3] = from.byte[0];
  return to.word;
}

static inline float
sum_of_halves (uint32_t x)
{
  union
  {
    uint16_t half[2];
    uint8_t first;
    uint32_t word;
    float real;
  } t = { .word = x };
  return t.half[0] * 2 + t.half[1] + t.first;
}

#define EACH(assignment)                                                       \
  for (int i = 0; i < n; i++)                                                  \
    assignment;

#define KERNELS(name, pragma)                                                  \
  static NOINLINE void name##exponents (int n, const double *x, int *q)        \
  {                                                                            \
    pragma EACH (q[i] = high_of (x[i]) >> 20)                                  \
  }                                                                            \
  static NOINLINE void name##scaled (int n, double *x, const int *q)           \
  {                                                                            \
    pragma EACH (x[i] = with_high (x[i], 0x3ff00000 + q[i] * 4096))            \
  }                                                                            \
  static NOINLINE void name##composed (int n, double *x, const int *q)         \
  {                                                                            \
    pragma EACH (x[i] = of_words (0x3ff00000 + q[i], i * 77))                  \
  }                                                                            \
  static NOINLINE void name##floors (int n, const double *x, int *q)           \
  {                                                                            \
    pragma EACH (q[i] = quick_floor (x[i] * 9))                                \
  }                                                                            \
  static NOINLINE void name##swaps (int n, uint32_t *w)                        \
  {                                                                            \
    pragma EACH (w[i] = swapped (w[i]))                                        \
  }                                                                            \
  static NOINLINE void name##halves (int n, const uint32_t *w, float *y)       \
  {                                                                            \
    pragma EACH (y[i] = sum_of_halves (w[i]))                                  \
  }

KERNELS (plain_, )
KERNELS (, _Pragma ("tensor require(transform)"))

static double x[2][AREA];
static float y[2][AREA];
static uint32_t w[2][AREA];
static int q[2][AREA];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL_REAL (x);
    FILL (q);
    FILL (y);
    FILL_WITH (w, next () << 16 | next ());
    BOTH (exponents, n, x[W], q[W]);
    CHECK (q);
    BOTH (floors, n, x[W], q[W]);
    CHECK (q);
    BOTH (swaps, n, w[W]);
    CHECK (w);
    BOTH (halves, n, w[W], y[W]);
    CHECK (y);
    FILL (q);
    BOTH (scaled, n, x[W], q[W]);
    CHECK (x);
    BOTH (composed, n, x[W], q[W]);
    CHECK (x);
  }
  return 0;
}
