/* Shows that long loops store the same wherever their arrays begin, next to a
   cache line or inside of one, of any length; what lies before and behind stays
   as it was.  Arrays of one program lie at all distances from a line: elements
   of 1 to 8 bytes, in place, from elsewhere, two stores in one loop, rows.  */
/* { dg-no-verdicts "the pragmas come of macros" } */

#include "compare.h"

#define ROOM  5000
#define AHEAD 70

#define AXPY                                                                   \
  for (int i = 0; i < n; i++)                                                  \
    y[i] += 3 * x[i];

#define TWO                                                                    \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      y[i] = 2 * x[i] - y[i];                                                  \
      z[i] = y[i] + x[i];                                                      \
    }

#define PART                                                                   \
  for (int i = 3; i < n - 2; i++)                                              \
    z[i + 1] = x[i - 3] + x[i + 2] > 0 ? x[i] : y[i];

#define STEPS                                                                  \
  for (int t = 0; t < 3; t++)                                                  \
    {                                                                          \
      for (int i = 1; i < n - 1; i++)                                          \
        z[i] = x[i - 1] + x[i + 1];                                            \
      for (int i = 1; i < n - 1; i++)                                          \
        y[i] = z[i] - y[i];                                                    \
    }

#define PAIR(t, name, loops)                                                   \
  static NOINLINE void plain_##name##_##t (int n, const t *restrict x,         \
                                           t *restrict y, t *restrict z)       \
  {                                                                            \
    loops                                                                      \
  }                                                                            \
                                                                               \
  static NOINLINE void name##_##t (int n, const t *restrict x, t *restrict y,  \
                                   t *restrict z)                              \
  {                                                                            \
    _Pragma ("tensor") loops                                                   \
  }

/* Each loop over N elements of arrays that begin A and B elements behind a
   line's begin.  */
#define TRY(t)                                                                 \
  static int try_##t (int n, int a, int b)                                     \
  {                                                                            \
    static void (*const loops[][2]) (int, const t *, t *, t *)                 \
      = { { plain_axpy_##t, axpy_##t },                                        \
          { plain_two_##t, two_##t },                                          \
          { plain_part_##t, part_##t },                                        \
          { plain_steps_##t, steps_##t } };                                    \
    static t x[ROOM] __attribute__ ((aligned (64)));                           \
    static t y[2][ROOM] __attribute__ ((aligned (64)));                        \
    static t z[2][ROOM] __attribute__ ((aligned (64)));                        \
    int wrong = 0;                                                             \
    for (unsigned k = 0; k < LENGTH (loops); k++)                              \
      {                                                                        \
        for (int i = 0; i < ROOM; i++)                                         \
          {                                                                    \
            x[i] = (t) (i % 7 - 3);                                            \
            y[0][i] = y[1][i] = (t) (i % 5 - 2);                               \
            z[0][i] = z[1][i] = (t) (i % 3 - 1);                               \
          }                                                                    \
        for (int w = 0; w < 2; w++)                                            \
          loops[k][w](n, x + AHEAD + b, y[w] + AHEAD + a, z[w] + AHEAD + b);   \
        wrong += memcmp (y[0], y[1], sizeof y[0]) != 0                         \
                 || memcmp (z[0], z[1], sizeof z[0]) != 0;                     \
        if (wrong)                                                             \
          {                                                                    \
            fprintf (stderr, "%s: loop %u, n %d, begins %d and %d\n", #t, k,   \
                     n, a, b);                                                 \
            return wrong;                                                      \
          }                                                                    \
      }                                                                        \
    return 0;                                                                  \
  }

PAIR (float, axpy, AXPY)
PAIR (float, two, TWO)
PAIR (float, part, PART)
PAIR (float, steps, STEPS)
PAIR (double, axpy, AXPY)
PAIR (double, two, TWO)
PAIR (double, part, PART)
PAIR (double, steps, STEPS)
PAIR (int, axpy, AXPY)
PAIR (int, two, TWO)
PAIR (int, part, PART)
PAIR (int, steps, STEPS)
PAIR (short, axpy, AXPY)
PAIR (short, two, TWO)
PAIR (short, part, PART)
PAIR (short, steps, STEPS)
TRY (float)
TRY (double)
TRY (int)
TRY (short)

static NOINLINE void
plain_rows (int n, int m, float (*restrict y)[m], const float *restrict x)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m - 1; j++)
      y[i][j] = y[i][j] * 2 + x[j];
}

static NOINLINE void
rows (int n, int m, float (*restrict y)[m], const float *restrict x)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m - 1; j++)
      y[i][j] = y[i][j] * 2 + x[j];
}

/* Rows of M elements, an odd number: each begins elsewhere in its line.  */
static int
try_rows (int m)
{
  static float y[2][ROOM], x[ROOM];
  for (int i = 0; i < ROOM; i++)
    {
      x[i] = (float) (i % 7);
      y[0][i] = y[1][i] = (float) (i % 5);
    }
  plain_rows (4, m, (float (*)[m]) (y[0] + 1), x);
  rows (4, m, (float (*)[m]) (y[1] + 1), x);
  return memcmp (y[0], y[1], sizeof y[0]) != 0;
}

int
main (void)
{
  static const int lengths[]
    = { 0, 1, 15, 255, 256, 511, 512, 513, 527, 530, 1030, 4096, 4120 };
  int wrong = 0;
  for (unsigned k = 0; k < LENGTH (lengths); k++)
    for (int a = 0; a < 34; a += k % 3 + 1)
      {
        int b = a * 5 % 34;
        wrong += try_float (lengths[k], a, b) + try_double (lengths[k], a, b)
                 + try_int (lengths[k], b, a) + try_short (lengths[k], a, b);
      }
  for (int m = 1001; m < 1040; m += 2)
    wrong += try_rows (m);
  return wrong != 0;
}
