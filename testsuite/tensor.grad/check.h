/* Gradients against differences.

   A kernel is a function KERNEL (a, out) of the values a[0..MOST_ARRAYS) whose
   results are in out.  The objective is the sum of out times the seeds u; its
   derivative along a direction d of array k must be the sum of d times what
   the gradient left in g[k].  Central differences of two steps, extrapolated,
   leave an error of the order of 1e-10 for the values here, which lie between
   0.2 and 0.8.  */

#ifndef CHECK_H
#define CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MOST_ARRAYS = 4,
  ROOM = 2500
};

typedef double real;
typedef real values[MOST_ARRAYS][ROOM];
typedef void kernel (values a, real *out);

static const int sizes[] = { 0, 1, 2, 5, 17 };

static values a, d, g;
static real u[ROOM];
static int index_of[ROOM];
static int n;
static int faults;
static unsigned state = 1;

/* The next number from 0.2 to 0.8.  */
static inline real
next (void)
{
  state = state * 1103515245u + 12345u;
  return 0.2 + 0.6 * (state >> 8 & 0xffff) / 65536;
}

/* New values, directions and seeds for size N; adjoints of 0.25, which
   gradients add to.  */
static inline void
start (int size)
{
  n = size;
  for (int e = 0; e < ROOM; e++)
    {
      for (int k = 0; k < MOST_ARRAYS; k++)
        {
          a[k][e] = next ();
          d[k][e] = next () - 0.5;
          g[k][e] = 0.25;
        }
      u[e] = next ();
      index_of[e] = size ? (int) (1000 * next ()) % size : 0;
    }
}

/* The objective at a + h d, in array K.  */
static inline real
objective (kernel *f, int k, real h)
{
  static values at;
  static real out[ROOM];
  real sum = 0;
  memcpy (at, a, sizeof a);
  memset (out, 0, sizeof out);
  for (int e = 0; e < ROOM; e++)
    at[k][e] += h * d[k][e];
  f (at, out);
  for (int e = 0; e < ROOM; e++)
    sum += out[e] * u[e];
  return sum;
}

/* The derivative of the objective along d[K] by differences.  */
static inline real
slope (kernel *f, int k)
{
  real h = 1e-4;
  real wide = (objective (f, k, h) - objective (f, k, -h)) / (2 * h);
  real near = (objective (f, k, h / 2) - objective (f, k, -h / 2)) / h;
  return (4 * near - wide) / 3;
}

/* GOT, the derivative along d[K], agrees with F.  */
static inline void
agree_slope (const char *name, kernel *f, int k, real got)
{
  real want = slope (f, k);
  if (fabs (got - want) <= 1e-8 * (1 + fabs (want)))
    return;
  printf ("%s, array %d, n = %d: %.12g, by differences %.12g\n", name, k, n,
          got, want);
  faults++;
}

/* What the gradient left in g[K], which held BASE, agrees with F.  */
static inline void
agree_from (const char *name, kernel *f, int k, real base)
{
  real got = 0;
  for (int e = 0; e < ROOM; e++)
    got += (g[k][e] - base) * d[k][e];
  agree_slope (name, f, k, got);
}

/* The same where the gradient adds.  */
static inline void
agree (const char *name, kernel *f, int k)
{
  agree_from (name, f, k, 0.25);
}

#endif
