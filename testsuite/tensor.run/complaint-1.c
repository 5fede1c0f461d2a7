/* Shows that branches that complain and leave stop no region: where their
   conditions never hold it runs, elsewhere the loops as written, which
   complain.  That an inline function is read whose other definition may be
   called.  And that what stands in a statement made of ?:, && or || is executed
   as they say.  */

#include "compare.h"

#include <assert.h>

typedef struct vector
{
  size_t size;
  size_t stride;
  double *data;
} vector;

static int complaints;

extern void complain (void);

NOINLINE void
complain (void)
{
  complaints++;
}

static NOINLINE int
fail (int i)
{
  return complaints += i;
}

#define COMPLAIN_AND_RETURN(x)                                                 \
  do                                                                           \
    {                                                                          \
      complain ();                                                             \
      return x;                                                                \
    }                                                                          \
  while (0)

double get_elsewhere (const vector *v, size_t i) __asm__ ("get");

double
get_elsewhere (const vector *v, size_t i)
{
  if (i < v->size)
    return v->data[i * v->stride];
  complain ();
  return 0;
}

inline double
get (const vector *v, size_t i)
{
  if (v->size == 0)
    COMPLAIN_AND_RETURN (0);
  else if (i >= v->size)
    COMPLAIN_AND_RETURN (0);
  return v->data[i * v->stride];
}

static inline void
set (vector *v, size_t i, double x)
{
  if (i >= v->size)
    {
      complain ();
      return;
    }
  v->data[i * v->stride] = x;
}

#define SCALE                                                                  \
  for (int i = 0; i < n; i++)                                                  \
    set (w, i, 2 * get (v, i));

#define SUMS                                                                   \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      double sum = 0;                                                          \
      for (int j = 0; j < m; j++)                                              \
        sum += get (v, j) + get (v, i);                                        \
      set (w, i, sum);                                                         \
    }

#define ROWS                                                                   \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < n; j++)                                                \
      {                                                                        \
        if (2 * i + j > most)                                                  \
          return -1;                                                           \
        y[i * n + j] = x[i] + x[j];                                            \
      }

#define LATE                                                                   \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      double sum = 0;                                                          \
      for (int j = 0; j < m; j++)                                              \
        {                                                                      \
          if (j >= most)                                                       \
            return i;                                                          \
          sum += x[j];                                                         \
        }                                                                      \
      w->data[i] = sum;                                                        \
    }

#define ASSERTED                                                               \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      assert (i + 3 < most);                                                   \
      (void) (i < most - 3 || fail (i));                                       \
      y[i] = x[i + 3] - x[i];                                                  \
    }

#define PICKED                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      (void) (i < most || fail (i));                                           \
      y[i] = x[at[i]];                                                         \
    }

#define CHOSEN                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      (void) (x[i] > 0 ? (y[i] = 1) : (z[i] = 2));                             \
      (void) (x[i] > 3 && (y[i] = x[i]));                                      \
      (void) (x[i] > -2 || (z[i] = x[i]));                                     \
    }

static NOINLINE void
plain_scale (vector *w, const vector *v, int n)
{
  SCALE
}

static NOINLINE void
scale (vector *w, const vector *v, int n)
{
#pragma tensor require(transform)
  SCALE
}

static NOINLINE void
plain_sums (vector *w, const vector *v, int n, int m)
{
  SUMS
}

static NOINLINE void
sums (vector *w, const vector *v, int n, int m)
{
#pragma tensor require(transform)
  SUMS
}

static NOINLINE int
plain_rows (const double *restrict x, double *restrict y, int n, int most)
{
  ROWS
  return 0;
}

static NOINLINE int
rows (const double *restrict x, double *restrict y, int n, int most)
{
#pragma tensor require(transform)
  ROWS
  return 0;
}

static NOINLINE int
plain_late (const double *x, vector *w, int n, int m, int most)
{
  LATE
  return -1;
}

static NOINLINE int
late (const double *x, vector *w, int n, int m, int most)
{
#pragma tensor require(transform)
  LATE
  return -1;
}

static NOINLINE void
plain_asserted (const double *restrict x, double *restrict y, int n, int most)
{
  ASSERTED
}

static NOINLINE void
asserted (const double *restrict x, double *restrict y, int n, int most)
{
#pragma tensor require(transform)
  ASSERTED
}

static NOINLINE void
plain_picked (const double *x, double *y, const int *at, int n, int most)
{
  PICKED
}

static NOINLINE void
picked (const double *x, double *y, const int *at, int n, int most)
{
#pragma tensor require(transform)
  PICKED
}

static NOINLINE void
plain_chosen (const double *restrict x, double *restrict y, double *restrict z,
              int n)
{
  CHOSEN
}

static NOINLINE void
chosen (const double *restrict x, double *restrict y, double *restrict z, int n)
{
#pragma tensor require(transform)
  CHOSEN
}

static double a[2][AREA], b[2][AREA];
static int at[MOST];

/* What both did and what they complained of is the same.  */
static void
check (void)
{
  static int before;
  CHECK (b);
  if ((complaints - before) % 2)
    differ ("complaints", 0, before, complaints);
  before = complaints;
}

int
main (void)
{
  FILL (a);
  FILL (b);
  for (int i = 0; i < MOST; i++)
    at[i] = (int) (next () % MOST);
  EACH_SIZE (n)
  EACH_WIDTH (most)
  {
    vector v[2] = { { most, 1, a[0] }, { most, 1, a[1] } };
    vector w[2] = { { MOST, 2, b[0] }, { MOST, 2, b[1] } };
    BOTH (scale, &w[W], &v[W], (int) n);
    check ();
    vector none = { 0, 0, NULL };
    BOTH (sums, n < most ? &w[W] : &none, &v[W], (int) n, (int) most - 1);
    check ();
    BOTH (sums, most < 9 ? &w[W] : &none, &v[W], (int) n, (int) most + 1);
    check ();
    BOTH_EQUAL (rows, a[W], b[W], (int) n, (int) most);
    check ();
    BOTH_EQUAL (late, a[W], n > most ? NULL : &w[W], (int) n, (int) n,
                (int) most);
    check ();
    BOTH (asserted, a[W], b[W], (int) n, (int) (n + 3 + most));
    check ();
    BOTH (picked, a[W], b[W], at, (int) n, (int) most);
    check ();
  }
  EACH_SIZE (n)
  {
    BOTH (chosen, a[W], b[W], b[W] + MOST, n);
    check ();
  }
  return 0;
}
