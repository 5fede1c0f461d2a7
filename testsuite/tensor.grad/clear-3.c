/* Shows that adjoints of blocks, of which a condition cuts the last one off, are
   cleared up to the last element and not beyond, forwards and backwards.  */

#include "check.h"

enum
{
  BLOCK = 16,
  MOST_N = 3 * BLOCK + 5
};

static void
squares (long m, const real *restrict x, real *restrict y)
{
  for (long p = 0; p < (m + BLOCK - 1) / BLOCK; p++)
    for (long k = 0; k < BLOCK; k++)
      if (p * BLOCK + k < m)
        y[p * BLOCK + k] = x[p * BLOCK + k] * x[p * BLOCK + k];
}
#pragma tensor gradient(squares) of(y : dy) wrt(x : dx) clear(dx)
void squares_set (long m, const real *restrict x, const real *restrict dy,
                  real *restrict dx);

/* From the end: what is cut off lies in front.  */
static void
turned (long m, const real *restrict x, real *restrict y)
{
  for (long p = 0; p < (m + BLOCK - 1) / BLOCK; p++)
    for (long k = 0; k < BLOCK; k++)
      if (m - 1 - (p * BLOCK + k) >= 0)
        y[m - 1 - (p * BLOCK + k)]
          = x[m - 1 - (p * BLOCK + k)] * x[m - 1 - (p * BLOCK + k)];
}
#pragma tensor gradient(turned) of(y : dy) wrt(x : dx) clear(dx)
void turned_set (long m, const real *restrict x, const real *restrict dy,
                 real *restrict dx);

typedef void gradient (long, const real *, const real *, real *);

/* Whether F is the gradient of squares for M numbers, and what stands around
   them is as it was.  */
static int
is_right (gradient *f, long m)
{
  real x[MOST_N], dy[MOST_N], room[MOST_N + 2 * BLOCK];
  int wrong = 0;
  for (long i = 0; i < m; i++)
    {
      x[i] = (real) (i % 7 + 1);
      dy[i] = (real) (i % 3 + 1);
    }
  for (long i = 0; i < m + 2 * BLOCK; i++)
    room[i] = 1000;
  f (m, x, dy, room + BLOCK);
  for (long i = -BLOCK; i < m + BLOCK; i++)
    wrong
      |= room[BLOCK + i] != (i >= 0 && i < m ? 2 * x[i] * dy[i] : (real) 1000);
  return !wrong;
}

int
main (void)
{
  for (long m = 0; m <= MOST_N; m++)
    if (!is_right (squares_set, m) || !is_right (turned_set, m))
      return 1;
  return 0;
}
