/* Shows that rows in which an element is found by index are free of each other:
   the index array is looked through before; where it points out of its row the
   loops mean what they say.  */

#include "compare.h"

#define ROWS(width, element)                                                   \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      for (int j = 0; j < width; j++)                                          \
        x[i * width + j] *= 2;                                                 \
      element;                                                                 \
    }

static NOINLINE void
plain_flat (int n, int m, float *restrict x, const short *restrict at)
{
  ROWS (m, x[at[i] + i * m] += 5)
}

static NOINLINE void
plain_fixed (int n, float *restrict x, const int *restrict at)
{
  ROWS (24, x[i * 24 + at[2 * i] - 1] = 5)
}

static NOINLINE void
plain_unlike (int n, int m, float *restrict x, const int *restrict at)
{
  ROWS (m, if (i % 3) x[i * m + at[i] + at[i + 1]] = 5)
}

static NOINLINE void
plain_whole (int n, int m, float x[restrict n][m], const int *restrict at,
             float *restrict t)
{
  for (int i = 0; i < n; i++)
    {
      x[i][at[i]] -= 3 * t[i];
      for (int j = 0; j < m; j++)
        x[i][j] += 2 * t[i];
    }
}

static NOINLINE void
flat (int n, int m, float *restrict x, const short *restrict at)
{
#pragma tensor
  ROWS (m, x[at[i] + i * m] += 5)
}

static NOINLINE void
fixed (int n, float *restrict x, const int *restrict at)
{
#pragma tensor
  ROWS (24, x[i * 24 + at[2 * i] - 1] = 5)
}

static NOINLINE void
unlike (int n, int m, float *restrict x, const int *restrict at)
{
#pragma tensor
  ROWS (m, if (i % 3) x[i * m + at[i] + at[i + 1]] = 5)
}

static NOINLINE void
whole (int n, int m, float x[restrict n][m], const int *restrict at,
       float *restrict t)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      x[i][at[i]] -= 3 * t[i];
      for (int j = 0; j < m; j++)
        x[i][j] += 2 * t[i];
    }
}

static float x[2][3 * AREA];
static float t[AREA];
static int at[2 * AREA];
static short near[AREA];

int
main (void)
{
  static const int beyond[] = { 0, 0, 1, 7, 200 };
  EACH_SMALL (n)
  EACH_WIDTH (m)
  for (size_t k = 0; k < LENGTH (beyond); k++)
    {
      int most = (int) m + 2 * beyond[k];
      for (int i = 0; i < 2 * AREA && most; i++)
        {
          near[i / 2] = (short) ((int) next () % most - beyond[k]);
          at[i] = near[i / 2];
          t[i / 2] = (float) (next () % 8);
        }
      FILL (x);
      BOTH (flat, (int) n, (int) m, x[W] + AREA, near);
      CHECK (x);
      FILL (x);
      BOTH (unlike, (int) n, (int) m, x[W] + AREA, at);
      CHECK (x);
      if (m && !beyond[k])
        {
          FILL (x);
          BOTH (whole, (int) n, (int) m, (void *) x[W], at, t);
          CHECK (x);
        }
      for (int i = 0; i < 2 * AREA; i++)
        at[i] = (int) next () % (24 + 2 * beyond[k]) - beyond[k] + 1;
      FILL (x);
      BOTH (fixed, (int) n, x[W] + AREA, at);
      CHECK (x);
    }
  return 0;
}
